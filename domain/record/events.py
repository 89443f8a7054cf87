"""The types of event, which are facts in the past tense and the same for all rulebooks.

- The tag is the stored name. You may rename a class, but never a tag.
- Give each new field a default.
- `rules` lists the ids of the rules that caused the event.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from domain.record.combat import (
    Deadlines,
    DiceSettings,
    Id,
    Json,
    Place,
    Square,
    StandingOrder,
    Track,
    Until,
)
from domain.record.readers import Knowers, KnownTo, known


class Term(Struct, frozen=True, gc=False, array_like=True):
    """A term of a sum, with its source, its value and its rule."""

    source: str
    value: int
    rule: str = ""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """A recorded fact.

    - `free_text`: the fields that people wrote, which the service may erase later.
    - `known_to`: the readers of the event besides the GM (`domain.record.readers`). Each field also
      declares its readers.
    - `class_version`: the version of the stored fields. Add 1 if you change the meaning of a
      field. Then write a static method such as `upcast_v1_v2(fields)`, which converts the stored
      fields of the earlier version in place.
    """

    class_version: ClassVar[int] = 1

    free_text: ClassVar[tuple[str, ...]] = ()
    known_to: ClassVar[KnownTo] = "gm"
    rules: Annotated[tuple[str, ...], known("all", "Ids of the rules that caused the event")] = ()


# ---- setting up


class CombatOpened(Event, frozen=True, tag="combat-opened"):
    """A combat was opened."""

    known_to = "all"
    free_text = ("name",)
    combat: Annotated[str, known("all", "Id of the combat, a UUID")]
    ruleset: Annotated[str, known("all", "Id of the rulebook")]
    name: Annotated[str, known("all", "Name of the combat")]
    options: Annotated[
        Mapping[str, Json], known("all", "The rulebook's options, with all defaults")
    ]
    dice: Annotated[DiceSettings, known("all", "Sources of dice")]
    commitment: Annotated[str, known("all", "SHA-256 of the secret seed, in hexadecimal")]
    sides: Annotated[tuple[str, ...], known("gm", "The sides in order, if the order is fixed")] = ()
    map: Annotated[Mapping[str, Json] | None, known("all", "The map, in the rulebook's schema")] = (
        None
    )
    forked_from: Annotated[
        tuple[str, int] | None, known("gm", "Id and version of the combat that this one continues")
    ] = None


class CombatantJoined(Event, frozen=True, tag="combatant-joined"):
    known_to = "all"
    free_text = ("name", "owner")
    who: Annotated[Id, known("all", "Id of the combatant")]
    name: Annotated[str, known("all", "Its name")]
    side: Annotated[str, known("all", "Its side")]
    sheet: Annotated[
        Mapping[str, Json],
        known("owner", "The sheet with all defaults, without name and owner"),
    ]
    tracks: Annotated[Mapping[str, Track], known("side", "Its tracks by name")]
    owner: Annotated[
        str | None, known("side", "Label of its player; `null` if the GM plays it")
    ] = None
    hidden: Annotated[
        bool, known("all", "`true` if only the GM and its own player know about it")
    ] = False
    position: Annotated[
        Square | None, known("all", "Square of its lowest corner; `null` if it is not on the grid")
    ] = None


class CombatantChanged(Event, frozen=True, tag="combatant-changed"):
    """A combatant got new values. A field that is `null` did not change.

    `sheet` replaces only the top-level fields that it names.
    """

    known_to = "all"
    free_text = ("name", "owner")
    who: Annotated[Id, known("all", "Id of the combatant")]
    name: Annotated[str | None, known("all", "New name")] = None
    side: Annotated[str | None, known("all", "New side")] = None
    owner: Annotated[str | None, known("side", "Label of the new owner; `GM` for the GM")] = None
    hidden: Annotated[bool | None, known("all", "`true` if it is hidden from now on")] = None
    sheet: Annotated[
        Mapping[str, Json], known("owner", "New values of top-level fields of the sheet")
    ] = {}


class CombatantLeft(Event, frozen=True, tag="combatant-left"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]


class MapSet(Event, frozen=True, tag="map-set"):
    known_to = "all"
    map: Annotated[
        Mapping[str, Json] | None,
        known("all", "The map, in the rulebook's schema; `null` for no map"),
    ]


class StandingOrdersSet(Event, frozen=True, tag="standing-orders-set"):
    known_to = "owner"
    who: Annotated[Id, known("owner", "Id of the combatant")]
    orders: Annotated[
        tuple[StandingOrder, ...],
        known("owner", "Answers given in advance; they replace all earlier ones"),
    ]


class DeadlinesSet(Event, frozen=True, tag="deadlines-set"):
    """The time limits of prompts changed. Open prompts have new deadlines."""

    known_to = "all"
    deadlines: Annotated[Deadlines, known("gm", "Seconds by kind of prompt, and by combatant")]
    until: Annotated[
        Mapping[str, str], known("gm", "Deadlines (RFC 3339) of open prompts, by prompt id")
    ] = {}


class LabelsSet(Event, frozen=True, tag="labels-set"):
    """The combat got new labels, which replace the old labels.

    Clients can find the combat by these labels.
    """

    known_to = "gm"
    labels: Annotated[tuple[str, ...], known("gm", "All labels of the combat")]


class SaltAdded(Event, frozen=True, tag="salt-added"):
    """A player added a salt to the dice before the combat began."""

    known_to = "all"
    by: Annotated[str, known("all", "Name of the person who adds the salt")]
    salt: Annotated[str, known("all", "The salt, any text")]


class SeedCommitted(Event, frozen=True, tag="seed-committed"):
    """The service committed to a new seed, because the old seed is no longer secret."""

    known_to = "all"
    commitment: Annotated[str, known("all", "SHA-256 of the new secret seed, in hexadecimal")]


class SeedRevealed(Event, frozen=True, tag="seed-revealed"):
    """The service revealed the secret seed. The SHA-256 of the seed is `commitment`."""

    known_to = "all"
    seed: Annotated[str, known("all", "The secret seed, 64 hexadecimal digits")]
    commitment: Annotated[str, known("all", "Its SHA-256, in hexadecimal")]


# ---- rounds, turns and procedures


class CombatBegan(Event, frozen=True, tag="combat-began"):
    known_to = "all"


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The combat ended. If `winners` is empty, nobody won."""

    known_to = "all"
    winners: Annotated[tuple[str, ...], known("all", "The sides that won")] = ()
    reason: Annotated[str, known("all", "Reason for the end")] = ""


class InitiativeSet(Event, frozen=True, tag="initiative-set"):
    """The remaining turns of this round changed.

    If `lasting` is true, the order of later rounds changed too.
    """

    known_to = "all"
    order: Annotated[tuple[Place, ...], known("all", "The remaining turns, in order")]
    lasting: Annotated[bool, known("all", "`true` if later rounds use this order too")] = False


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    known_to = "all"
    phase: Annotated[str, known("all", "The rulebook's name of the phase")]


class RoundBegan(Event, frozen=True, tag="round-began"):
    known_to = "all"
    round: Annotated[int, known("all", "Number of the round, from 1")]


class RoundEnded(Event, frozen=True, tag="round-ended"):
    known_to = "all"
    round: Annotated[int, known("all", "Number of the round, from 1")]


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """The turn of `who` began. `tag` distinguishes several turns of one combatant in a round."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    tag: Annotated[
        str, known("all", "Distinguishes several turns of one combatant; empty for a normal turn")
    ] = ""


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """The turn of `who` ended. Its first turn with this `tag` leaves the queue of the round."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    tag: Annotated[
        str, known("all", "Distinguishes several turns of one combatant; empty for a normal turn")
    ] = ""


class ProcedureBegan(Event, frozen=True, tag="procedure-began"):
    """A procedure of the rulebook began. `frame`, the version of this event, identifies it."""

    known_to = "gm"
    frame: Annotated[int, known("gm", "Version of this event")]
    kind: Annotated[
        Literal["flow", "action", "ruling"],
        known("gm", "Origin: the flow of the combat, an action or a ruling"),
    ]
    procedure: Annotated[str, known("gm", "Name of the procedure in the rulebook")]
    args: Annotated[Mapping[str, Json], known("gm", "Arguments of the procedure")] = {}


class ProcedureEnded(Event, frozen=True, tag="procedure-ended"):
    known_to = "gm"
    frame: Annotated[int, known("gm", "Version at which the procedure began")]


class ProcedureAbandoned(Event, frozen=True, tag="procedure-abandoned"):
    """Affray abandoned a procedure and all procedures above it.

    Nothing else in the state changed.
    """

    known_to = "gm"
    frame: Annotated[int, known("gm", "Version at which the procedure began")]
    reason: Annotated[str, known("gm", "Reason why the procedure cannot continue")]


# ---- actions, prompts, rolls and effects


class ActionDeclared(Event, frozen=True, tag="action-declared"):
    """A combatant declared an action.

    `prompt` is the `turn` or `declare` prompt that it answered. It is `null` for an interjection.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that acts")]
    action: Annotated[str, known("all", "Id of the action or option")]
    inputs: Annotated[Mapping[str, Json], known("all", "Inputs of the action")] = {}
    prompt: Annotated[
        str | None, known("owner", "Id of the answered prompt; `null` for an interjection")
    ] = None
    closes: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that this answer closes")
    ] = ()


class Prompted(Event, frozen=True, tag="prompted"):
    """A prompt opened for the combatant `who`, or for the GM if `who` is `null`."""

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    kind: Annotated[
        str, known("owner", "Kind of prompt: turn, declare, reaction, roll, choice or ruling")
    ]
    name: Annotated[str, known("owner", "The rulebook's name of the prompt")]
    who: Annotated[Id | None, known("owner", "Id of the combatant that answers; `null` for the GM")]
    text: Annotated[str, known("owner", "The question")]
    options: Annotated[tuple[str, ...], known("owner", "Ids of the options")]
    default: Annotated[
        str | None,
        known("owner", "Id of the default option, which is always legal; `null` for none"),
    ] = None
    data: Annotated[Mapping[str, Json], known("owner", "Data for the decision")] = {}
    group: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that opened together")
    ] = ()
    sealed: Annotated[
        bool, known("owner", "`true` if the answers are hidden from everybody else")
    ] = False
    until: Annotated[
        str | None,
        known("owner", "Deadline (RFC 3339), when the prompt takes its default; `null` for none"),
    ] = None


class PromptChanged(Event, frozen=True, tag="prompt-changed"):
    """The text, data or options of an open prompt changed. Its id is the same."""

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    kind: Annotated[
        str, known("owner", "Kind of prompt: turn, declare, reaction, roll, choice or ruling")
    ]
    who: Annotated[Id | None, known("owner", "Id of the combatant that answers; `null` for the GM")]
    text: Annotated[str, known("owner", "The current question")]
    data: Annotated[Mapping[str, Json], known("owner", "Current data for the decision")] = {}
    options: Annotated[
        tuple[str, ...] | None,
        known("owner", "Ids of the current options; `null` if options and default are unchanged"),
    ] = None
    default: Annotated[
        str | None,
        known("owner", "Id of the default option, which is always legal; `null` for none"),
    ] = None


class StillAsked(Event, frozen=True, tag="still-asked"):
    """Affray handled the answer to another prompt of the group. These prompts are still open."""

    known_to = "gm"
    prompts: Annotated[tuple[str, ...], known("gm", "Ids of the prompts that stay open")] = ()


class Answered(Event, frozen=True, tag="answered"):
    """A prompt got an answer.

    - `closes` lists the prompts that the answer closes. The last answer of a group closes the
      group.
    - If the answer takes a reaction, everybody receives this event.
    """

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    who: Annotated[Id | None, known("all", "Id of the combatant that answered; `null` for the GM")]
    option: Annotated[str, known("all", "Id of the option")]
    inputs: Annotated[Mapping[str, Json], known("all", "Inputs of the option")] = {}
    by: Annotated[
        Literal["caller", "standing-order", "default", "lapsed", "closed"],
        known("owner", "Source of the answer"),
    ] = "caller"
    closes: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that this answer closes")
    ] = ()
    because: Annotated[
        Literal["", "time", "left", "moot"],
        known(
            "owner",
            "Reason for the lapse: the deadline passed (`time`), the combatant left (`left`),"
            " or the prompt no longer applied (`moot`). Empty if it did not lapse,"
            " or if no reason is recorded",
        ),
    ] = ""


class Stopped(Event, frozen=True, tag="stopped"):
    """An action of `who` stopped before its end.

    - `doing`: the id of the action.
    - `reason`: the rulebook's code for the reason.
    - `detail`: the reason as a sentence.
    - `closes`: the ids of the prompts that lapsed with it.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that was stopped")]
    doing: Annotated[str, known("all", "Id of the action that was stopped")]
    reason: Annotated[str, known("all", "The rulebook's code for the reason")]
    detail: Annotated[str, known("owner", "The reason, as a sentence")] = ""
    closes: Annotated[tuple[str, ...], known("gm", "Ids of the prompts that lapsed")] = ()


class Prevented(Event, frozen=True, tag="prevented"):
    """An earlier choice of `who` became illegal. It did not happen and cost nothing."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that chose it")]
    action: Annotated[str, known("all", "Id of the action or option")]
    inputs: Annotated[Mapping[str, Json], known("owner", "Inputs of the action or option")] = {}
    reason: Annotated[str, known("owner", "The rulebook's code for the reason")] = ""
    detail: Annotated[str, known("owner", "The reason, as a sentence")] = ""


OUTCOMES: Final = ("hit", "critical", "miss", "success", "failure", "won", "lost", "tied")
"""The outcomes that the rulebooks share. A rulebook adds an outcome only if none of these fits."""

_OUTCOMES_V1: Final = {
    "critical hit": "critical",
    "critical success": "critical",
    "super critical": "super-critical",
    "decisive victory": "decisive-victory",
    "and on": "and-on",
    "no further": "no-further",
    "16 more": "16-more",
    "no more": "no-more",
    **{f"tier {number}": f"tier-{number}" for number in range(1, 7)},
    **dict.fromkeys(
        ("saved", "made", "holds", "cast", "stabilized", "goes on", "countered", "intended"),
        "success",
    ),
    **dict.fromkeys(
        ("failed", "breaks", "fails", "wasted", "not stabilized", "not", "other"), "failure"
    ),
}
"""The current outcome for each outcome of earlier releases."""


def _lift_outcomes(fields: dict[str, Any], *names: str) -> None:
    for name in names:
        if name in fields:
            fields[name] = _OUTCOMES_V1.get(fields[name], fields[name])


class Rolled(Event, frozen=True, tag="rolled"):
    """A roll of dice. `total` adds up the faces, the constant of `formula` and the `terms`.

    - `target`: the number to reach, or `null`.
    - `outcome`: the result.
    - `key`, `ordinal`: the values that determine the faces of provably fair dice.
    - `by`: the source of the faces.

    Besides the GM, only the side of `who` sees the numbers. With the faces and the total, others
    could calculate the terms.
    """

    class_version = 2
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that the roll is for")]
    purpose: Annotated[str, known("all", "The rulebook's name of the roll")]
    formula: Annotated[str, known("side", "The dice, such as 1d20")]
    faces: Annotated[tuple[int, ...], known("side", "Faces, in the order of the dice in `formula`")]
    total: Annotated[int, known("side", "Sum of the faces, the formula's constant and the terms")]
    terms: Annotated[
        tuple[Term, ...], known("side", "Terms of the total, each with source, value and rule")
    ] = ()
    target: Annotated[int | None, known("against", "The number to reach; `null` for none")] = None
    against: Annotated[Id | None, known("all", "Id of the target; `null` for none")] = None
    outcome: Annotated[str, known("all", "The result")] = ""
    key: Annotated[
        str, known("gm", "Key of the provably fair dice; with `ordinal`, it determines the faces")
    ] = ""
    ordinal: Annotated[int, known("gm", "Number of the roll in its command, from 1")] = 0
    by: Annotated[
        Literal["server", "manual", "gm"],
        known("all", "Source of the faces: the service, a person, or the GM who set them"),
    ] = "server"
    secret: Annotated[bool, known("all", "`true` if only the GM sees the roll")] = False
    told: Annotated[str, known("gm", "The outcome that players see; empty if it is `outcome`")] = ""
    target_terms: Annotated[
        tuple[Term, ...], known("against", "Terms of `target`, each with source, value and rule")
    ] = ()

    @staticmethod
    def upcast_v1_v2(fields: dict[str, Any]) -> None:
        """Convert the outcome to the outcomes that all rulebooks share."""
        _lift_outcomes(fields, "outcome")


class Judged(Event, frozen=True, tag="judged"):
    """The final outcome of an earlier roll of `who`, after all prompts about the roll."""

    class_version = 2
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that rolled")]
    purpose: Annotated[str, known("all", "The rulebook's name of the roll")]
    outcome: Annotated[str, known("all", "The outcome now")]
    total: Annotated[int, known("side", "The total of the roll now")]
    target: Annotated[int | None, known("against", "The number to reach; `null` for none")] = None
    against: Annotated[Id | None, known("all", "Id of the target; `null` for none")] = None
    before: Annotated[str, known("all", "The outcome before")] = ""

    @staticmethod
    def upcast_v1_v2(fields: dict[str, Any]) -> None:
        """Convert both outcomes to the outcomes that all rulebooks share."""
        _lift_outcomes(fields, "outcome", "before")


class Moved(Event, frozen=True, tag="moved"):
    """A combatant moved. `path` lists the squares that it entered, in order.

    If `path` is empty, the combatant left the grid.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    path: Annotated[
        tuple[Square, ...], known("all", "The squares entered, in order; empty if it left the grid")
    ]
    forced: Annotated[bool, known("all", "`true` if something else moved the combatant")] = False
    mode: Annotated[str, known("all", "The rulebook's name of the kind of movement")] = ""


class BudgetSet(Event, frozen=True, tag="budget-set"):
    """`who` got a new budget for each kind of action."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    budget: Annotated[
        Mapping[str, int], known("side", "Amount of each kind of action that it may spend")
    ]


class Spent(Event, frozen=True, tag="spent"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    what: Annotated[Mapping[str, int], known("side", "Amount of each kind of action that it spent")]


class FactSet(Event, frozen=True, tag="fact-set"):
    """A fact got a value. If `who` is `null`, the fact is about the combat.

    The value `null` deletes the fact.
    """

    known_to = "gm"
    who: Annotated[Id | None, known("gm", "Id of the combatant; `null` for the combat")]
    key: Annotated[str, known("gm", "Name of the fact")]
    value: Annotated[Json, known("gm", "Value of the fact; `null` deletes it")]


RESULTS: Final = (
    "cast",
    "done",
    "partly-done",
    "postponed",
    "ended",
    "lost",
    "failed",
    "countered",
    "no-effect",
    "damaged",
    "broken",
    "intact",
    "ruled",
)
"""The results of spells and activities that all rulebooks share."""


class EffectResolved(Event, frozen=True, tag="effect-resolved"):
    """A spell, ability, item or activity of `who` had a result.

    - `cast`: the effect comes later.
    - `done`: it took effect, or is complete.
    - `partly-done`: some of the work is done.
    - `postponed`: it continues later.
    - `ended`: it no longer has an effect.
    - `lost`: something spoiled it, and it has no effect.
    - `failed`: the attempt failed.
    - `countered`: somebody countered it.
    - `no-effect`: it reached nobody.
    - `damaged`, `broken`, `intact`: the state of an object.
    - `ruled`: the GM gives the result in `text`.

    Separate events record the damage, healing, conditions and movement that it causes.
    """

    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant that casts, uses, performs or owns it")]
    kind: Annotated[
        Literal["spell", "ability", "item", "object", "activity", "action"],
        known("all", "Kind of the effect"),
    ]
    effect: Annotated[str, known("all", "Id of the spell, ability, item, activity or action")]
    result: Annotated[str, known("all", "The result")]
    name: Annotated[str, known("all", "Name of the effect")] = ""
    targets: Annotated[tuple[Id, ...], known("all", "Ids of the targets")] = ()
    by: Annotated[
        Id | None, known("all", "Id of the combatant that caused it; `null` if it is `who`")
    ] = None
    detail: Annotated[str, known("all", "Reason for the result, in words")] = ""
    text: Annotated[str, known("all", "The GM's description of the result")] = ""
    data: Annotated[
        Mapping[str, Json],
        known("all", "Further data: `item`, `object`, `square`, `aim` or `until`"),
    ] = {}
    numbers: Annotated[
        Mapping[str, int], known("side", "Numbers by name: `damage`, `left` or `mp_cost`")
    ] = {}


# ---- harm


class Damaged(Event, frozen=True, tag="damaged"):
    """`who` lost `amount` points from `track`. The track may be below 0 now.

    - `amount`: 0 or more, after reductions.
    - `terms`: the rolls, multipliers and reductions that make the amount.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the damaged combatant")]
    track: Annotated[str, known("all", "Name of the track")]
    amount: Annotated[int, known("side", "Points lost, after reductions")]
    kind: Annotated[str, known("all", "The rulebook's kind of damage")] = ""
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None
    terms: Annotated[
        tuple[Term, ...], known("side", "Terms of the amount, each with source, value and rule")
    ] = ()


class Healed(Event, frozen=True, tag="healed"):
    """`who` regained `amount` points (0 or more) on `track`, at most up to its maximum."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the healed combatant")]
    track: Annotated[str, known("all", "Name of the track")]
    amount: Annotated[int, known("side", "Points gained")]
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None
    terms: Annotated[
        tuple[Term, ...], known("side", "Terms of the amount; empty if a roll alone determines it")
    ] = ()


class TrackChanged(Event, frozen=True, tag="track-changed"):
    """A track got a new value or maximum without damage or healing. `null` means unchanged."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    track: Annotated[str, known("all", "Name of the track")]
    value: Annotated[int | None, known("side", "Points in the track now; `null` if unchanged")] = (
        None
    )
    maximum: Annotated[
        int | None, known("side", "Most points that the track can hold; `null` if unchanged")
    ] = None
    reason: Annotated[str, known("side", "Reason for the change")] = ""


class ConditionGained(Event, frozen=True, tag="condition-gained"):
    """A combatant gained a condition.

    `key` distinguishes several instances of the condition. Its default is the id of the condition.
    A new instance replaces the instance with the same key.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    condition: Annotated[str, known("all", "Id of the condition")]
    key: Annotated[
        str, known("side", "Distinguishes several instances; empty for the id of the condition")
    ] = ""
    data: Annotated[
        Mapping[str, Json], known("side", "Data of the condition, in the rulebook's schema")
    ] = {}
    until: Annotated[tuple[Until, ...], known("side", "Moments at which the condition ends")] = ()
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None


class ConditionLost(Event, frozen=True, tag="condition-lost"):
    """A combatant lost an instance of a condition. If `key` is empty, it lost all instances."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    condition: Annotated[str, known("all", "Id of the condition")]
    key: Annotated[str, known("side", "Key of the lost instance; empty for all instances")] = ""
    reason: Annotated[str, known("all", "Reason for the end")] = ""


class Downed(Event, frozen=True, tag="downed"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that falls")]
    by: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None


class Stabilized(Event, frozen=True, tag="stabilized"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that is stable")]
    by: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None


class Died(Event, frozen=True, tag="died"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that dies")]
    by: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None


# ---- GM and history


class Ruled(Event, frozen=True, tag="ruled"):
    """The GM made a ruling. Later events of the same command record the changes."""

    known_to = "gm"
    free_text = ("reason",)
    ruling: Annotated[str, known("gm", "Id of the ruling")]
    inputs: Annotated[Mapping[str, Json], known("gm", "Inputs of the ruling")] = {}
    reason: Annotated[str, known("gm", "The GM's reason")] = ""


class RollForced(Event, frozen=True, tag="roll-forced"):
    """The GM set the faces for the next roll of `who` for `purpose`.

    - Empty `faces` cancel the setting.
    - If the roll has other dice, Affray ignores the faces and rolls as usual. `void` then names the
      dice of the roll.
    """

    known_to = "gm"
    who: Annotated[Id, known("gm", "Id of the combatant")]
    purpose: Annotated[str, known("gm", "The rulebook's name of the roll")]
    faces: Annotated[tuple[int, ...], known("gm", "The faces; empty if the GM cancels the setting")]
    void: Annotated[
        str, known("gm", "Dice of the roll, if they do not fit the faces; otherwise empty")
    ] = ""


class MarkerSet(Event, frozen=True, tag="marker-set"):
    """The GM attached a marker to a combatant. It affects no rule."""

    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant")]
    marker: Annotated[str, known("all", "Id of the marker, unique among the combatant's")]
    text: Annotated[str, known("all", "Text of the marker")]
    shown_to: Annotated[
        Knowers, known("all", "Readers besides the GM: `gm` (none), `owner`, `side` or `all`")
    ] = "gm"


class MarkerRemoved(Event, frozen=True, tag="marker-removed"):
    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant")]
    marker: Annotated[str, known("all", "Id of the marker")]
    text: Annotated[str, known("all", "Text of the marker")] = ""
    shown_to: Annotated[
        Knowers, known("all", "Readers besides the GM: `gm` (none), `owner`, `side` or `all`")
    ] = "gm"


RequestKind = Literal["undo", "ruling", "pause"]
"""The kinds of request that a player can make to the GM during play."""


class Requested(Event, frozen=True, tag="requested"):
    """A player asked the GM for something. Play continues."""

    known_to = "owner"
    free_text = ("text",)
    request: Annotated[str, known("owner", "Id of the request")]
    who: Annotated[Id, known("owner", "Id of the player's combatant")]
    kind: Annotated[RequestKind, known("owner", "Kind of request: `undo`, `ruling` or `pause`")]
    text: Annotated[str, known("owner", "The player's text")] = ""
    deed: Annotated[
        int, known("gm", "Version of the first event of the command to undo; 0 for none")
    ] = 0


class RequestSettled(Event, frozen=True, tag="request-settled"):
    """The GM granted or refused a request."""

    known_to = "owner"
    free_text = ("text",)
    request: Annotated[str, known("owner", "Id of the request")]
    who: Annotated[Id, known("owner", "Id of the player's combatant")]
    kind: Annotated[RequestKind, known("owner", "Kind of request: `undo`, `ruling` or `pause`")]
    granted: Annotated[bool, known("owner", "`true` if the GM granted the request")]
    text: Annotated[str, known("owner", "The GM's text")] = ""


class Resumed(Event, frozen=True, tag="resumed"):
    """The GM let a stalled combat continue with its next step."""

    known_to = "gm"


class Noted(Event, frozen=True, tag="noted"):
    """The log got a note. If `private` is true, only the GM sees it."""

    known_to = "all"
    free_text = ("text",)
    text: Annotated[str, known("all", "The sentence")]
    who: Annotated[Id | None, known("all", "Id of the combatant that the note is about")] = None
    private: Annotated[bool, known("all", "`true` if only the GM sees the note")] = False
    full: Annotated[
        str, known("side", "The sentence with the numbers of `who`; empty if there are none")
    ] = ""


class Reverted(Event, frozen=True, tag="reverted"):
    """The state at version `to` became the current state. The next event continues from there."""

    known_to = "all"
    free_text = ("reason",)
    to: Annotated[int, known("all", "Version whose state is current again")]
    kind: Annotated[
        Literal["undo", "redo", "goto", "amend"],
        known("all", "Kind of command: undo, redo, goto or amend"),
    ] = "goto"
    reason: Annotated[str, known("gm", "The GM's reason")] = ""


class AmendedCommand(Struct, frozen=True, omit_defaults=True):
    """A change of one past command.

    - `at`: the version of the command's first event.
    - `kind`: the kind of change. `insert` adds commands before this one.
    - `roll`: the version of the roll whose faces the GM set.
    - `faces`: the new faces.
    """

    at: int
    kind: Annotated[
        Literal["replace", "drop", "insert", "set"],
        Meta(description="Kind of change: replace, drop, insert or set"),
    ]
    roll: Annotated[
        int, Meta(description="Version of the roll whose faces the GM set; 0 for none")
    ] = 0
    faces: tuple[int, ...] = ()


class Amended(Event, frozen=True, tag="amended"):
    """The GM changed past commands. Affray then decides the later commands again.

    The first event of each command records its new inputs.
    """

    known_to = "gm"
    left: Annotated[int, known("gm", "Current version before the amendment")]
    changes: Annotated[tuple[AmendedCommand, ...], known("gm", "The changes of commands")]


AnyEvent: TypeAlias = (
    CombatOpened
    | CombatantJoined
    | CombatantChanged
    | CombatantLeft
    | MapSet
    | StandingOrdersSet
    | DeadlinesSet
    | LabelsSet
    | SaltAdded
    | SeedCommitted
    | SeedRevealed
    | CombatBegan
    | CombatEnded
    | InitiativeSet
    | PhaseBegan
    | RoundBegan
    | RoundEnded
    | TurnBegan
    | TurnEnded
    | ProcedureBegan
    | ProcedureEnded
    | ProcedureAbandoned
    | ActionDeclared
    | Prompted
    | PromptChanged
    | StillAsked
    | Answered
    | Stopped
    | Prevented
    | Rolled
    | Judged
    | Moved
    | BudgetSet
    | Spent
    | FactSet
    | EffectResolved
    | Damaged
    | Healed
    | TrackChanged
    | ConditionGained
    | ConditionLost
    | Downed
    | Stabilized
    | Died
    | Ruled
    | RollForced
    | MarkerSet
    | MarkerRemoved
    | Requested
    | RequestSettled
    | Resumed
    | Noted
    | Reverted
    | Amended
)

TAGS: tuple[str, ...] = tuple(kind.__struct_config__.tag for kind in get_args(AnyEvent))
"""The stored names of all types of event."""
