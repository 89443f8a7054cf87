"""The types of event: facts in the past tense, the same for all rulebooks.

The tag is the stored name. You may rename a class, but never a tag. Give each new field a default.
`rules` are the ids of the rules that made the event.
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
    """One part of a sum: its source, its amount, and its rule."""

    source: str
    value: int
    rule: str = ""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """One fact.

    - `free_text`: the fields that people wrote, which may be erased later.
    - `known_to`: the readers of the event other than the GM (`domain.record.readers`). Each field
      declares its readers too.
    - `class_version`: add one when a field changes its meaning. Then write a static method such as
      `upcast_v1_v2(fields)`, which converts stored fields of the earlier version in place.
    """

    class_version: ClassVar[int] = 1

    free_text: ClassVar[tuple[str, ...]] = ()
    known_to: ClassVar[KnownTo] = "gm"
    rules: Annotated[tuple[str, ...], known("all", "Ids of the rules that made it")] = ()


# ---- setting up


class CombatOpened(Event, frozen=True, tag="combat-opened"):
    """`commitment` is the SHA-256 of the secret seed; `forked_from` is (combat id, version)."""

    known_to = "all"
    free_text = ("name",)
    combat: Annotated[str, known("all", "Id of the combat, a UUID")]
    ruleset: Annotated[str, known("all", "Id of the rulebook")]
    name: Annotated[str, known("all", "Name of the combat")]
    options: Annotated[Mapping[str, Json], known("all", "The rulebook's options, all filled in")]
    dice: Annotated[DiceSettings, known("all", "Whether the service rolls or people do")]
    commitment: Annotated[str, known("all", "SHA-256 of the secret seed, in hexadecimal")]
    sides: Annotated[tuple[str, ...], known("gm", "The order of the sides, where it is fixed")] = ()
    map: Annotated[
        Mapping[str, Json] | None, known("all", "The map, as the rulebook's schema has it")
    ] = None
    forked_from: Annotated[
        tuple[str, int] | None, known("gm", "Id and version of the combat that this one continues")
    ] = None


class CombatantJoined(Event, frozen=True, tag="combatant-joined"):
    known_to = "all"
    free_text = ("name", "owner")
    who: Annotated[Id, known("all", "Id of the newcomer")]
    name: Annotated[str, known("all", "Its name")]
    side: Annotated[str, known("all", "Its side")]
    sheet: Annotated[
        Mapping[str, Json],
        known("owner", "The sheet with every default; name and owner stand beside it"),
    ]
    tracks: Annotated[Mapping[str, Track], known("side", "Its pools by name")]
    owner: Annotated[str | None, known("side", "Label of its player; null = the GM")] = None
    hidden: Annotated[bool, known("all", "Whether only the GM and its own player know of it")] = (
        False
    )
    position: Annotated[
        Square | None, known("all", "Square of its lowest corner; null = nowhere")
    ] = None


class CombatantChanged(Event, frozen=True, tag="combatant-changed"):
    """A field that is None keeps its value. `sheet` replaces the named top-level fields."""

    known_to = "all"
    free_text = ("name", "owner")
    who: Annotated[Id, known("all", "Id of the combatant")]
    name: Annotated[str | None, known("all", "New name")] = None
    side: Annotated[str | None, known("all", "New side")] = None
    owner: Annotated[str | None, known("side", "New owner's label; GM = the GM's")] = None
    hidden: Annotated[bool | None, known("all", "Whether it is hidden from now on")] = None
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
        known("all", "The map, as the rulebook's schema has it; null = none"),
    ]


class StandingOrdersSet(Event, frozen=True, tag="standing-orders-set"):
    known_to = "owner"
    who: Annotated[Id, known("owner", "Id of the combatant")]
    orders: Annotated[
        tuple[StandingOrder, ...],
        known("owner", "Answers given in advance; they replace those before"),
    ]


class DeadlinesSet(Event, frozen=True, tag="deadlines-set"):
    """Prompts got new time limits. Open prompts got new deadlines."""

    known_to = "all"
    deadlines: Annotated[Deadlines, known("gm", "Seconds by kind of prompt, and by combatant")]
    until: Annotated[
        Mapping[str, str], known("gm", "When open prompts get their default, by id, RFC 3339")
    ] = {}


class LabelsSet(Event, frozen=True, tag="labels-set"):
    """The combat got new labels, by which lists find it. They replace the old labels."""

    known_to = "gm"
    labels: Annotated[tuple[str, ...], known("gm", "All labels; none = it has none any more")]


class SaltAdded(Event, frozen=True, tag="salt-added"):
    """A player added a salt to the dice before the combat began."""

    known_to = "all"
    by: Annotated[str, known("all", "Name of the person that adds it")]
    salt: Annotated[str, known("all", "Any text")]


class SeedCommitted(Event, frozen=True, tag="seed-committed"):
    """Later dice use another seed, because the earlier seed is no longer secret."""

    known_to = "all"
    commitment: Annotated[str, known("all", "SHA-256 of the new secret seed, in hexadecimal")]


class SeedRevealed(Event, frozen=True, tag="seed-revealed"):
    """The secret seed was revealed. Its 64 hex digits have the SHA-256 `commitment`."""

    known_to = "all"
    seed: Annotated[str, known("all", "The secret seed, 64 hexadecimal digits")]
    commitment: Annotated[str, known("all", "Its SHA-256, in hexadecimal")]


# ---- flow


class CombatBegan(Event, frozen=True, tag="combat-began"):
    known_to = "all"


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """The combat ended. `winners` are the victorious sides. If empty, nobody won."""

    known_to = "all"
    winners: Annotated[tuple[str, ...], known("all", "The victorious sides")] = ()
    reason: Annotated[str, known("all", "Why it ended")] = ""


class InitiativeSet(Event, frozen=True, tag="initiative-set"):
    """The remaining turns of this round changed. `lasting`: later rounds get the same order."""

    known_to = "all"
    order: Annotated[tuple[Place, ...], known("all", "The turns to come, first to last")]
    lasting: Annotated[bool, known("all", "Whether later rounds have this order too")] = False


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
    who: Annotated[Id, known("all", "Id of the combatant that may act")]
    tag: Annotated[str, known("all", "Tells apart several turns of one combatant")] = ""


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """The turn of `who` ended. Its first place with this `tag` leaves the round's queue."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that acts no more")]
    tag: Annotated[str, known("all", "Tells apart several turns of one combatant")] = ""


class ProcedureBegan(Event, frozen=True, tag="procedure-began"):
    """A procedure of the rules began. `frame` is the version of this event."""

    known_to = "gm"
    frame: Annotated[int, known("gm", "Version of this event")]
    kind: Annotated[Literal["flow", "action", "ruling"], known("gm", "Cause")]
    procedure: Annotated[str, known("gm", "Its name in the rulebook")]
    args: Annotated[Mapping[str, Json], known("gm", "Its arguments")] = {}


class ProcedureEnded(Event, frozen=True, tag="procedure-ended"):
    known_to = "gm"
    frame: Annotated[int, known("gm", "Version at which it began")]


class ProcedureAbandoned(Event, frozen=True, tag="procedure-abandoned"):
    """A procedure and all procedures above it were abandoned. The state stays the same."""

    known_to = "gm"
    frame: Annotated[int, known("gm", "Version at which it began")]
    reason: Annotated[str, known("gm", "Why it cannot go on")]


# ---- doing


class ActionDeclared(Event, frozen=True, tag="action-declared"):
    """A combatant declared an action.

    It answered a `turn` or `declare` prompt, or was an interjection (`prompt` null).
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that acts")]
    action: Annotated[str, known("all", "Id of the action or of the option")]
    inputs: Annotated[Mapping[str, Json], known("all", "Inputs of the action")] = {}
    prompt: Annotated[
        str | None, known("owner", "Id of the prompt that it answers; null = an interjection")
    ] = None
    closes: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that are settled by it")
    ] = ()


class Prompted(Event, frozen=True, tag="prompted"):
    """A prompt opened for `who` (None = the GM)."""

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    kind: Annotated[str, known("owner", "turn, declare, reaction, roll, choice or ruling")]
    name: Annotated[str, known("owner", "The rulebook's name of the question")]
    who: Annotated[Id | None, known("owner", "Id of the combatant that is asked; null = the GM")]
    text: Annotated[str, known("owner", "The question")]
    options: Annotated[tuple[str, ...], known("owner", "Ids of the possible answers")]
    default: Annotated[str | None, known("owner", "Id of the option that is always legal")] = None
    data: Annotated[Mapping[str, Json], known("owner", "All that is needed to decide")] = {}
    group: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that are asked together")
    ] = ()
    sealed: Annotated[
        bool, known("owner", "Whether the answers stay hidden from everybody else")
    ] = False
    until: Annotated[
        str | None, known("owner", "When it gets its default, RFC 3339; null = never")
    ] = None


class PromptChanged(Event, frozen=True, tag="prompt-changed"):
    """The words, data or options of an open prompt changed. Its id stays the same."""

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    kind: Annotated[str, known("owner", "turn, declare, reaction, roll, choice or ruling")]
    who: Annotated[Id | None, known("owner", "Id of the combatant that is asked; null = the GM")]
    text: Annotated[str, known("owner", "The present question")]
    data: Annotated[Mapping[str, Json], known("owner", "All that is needed to decide now")] = {}
    options: Annotated[
        tuple[str, ...] | None,
        known("owner", "Ids of the answers possible now; null = options and default stay"),
    ] = None
    default: Annotated[str | None, known("owner", "Id of the option that is always legal")] = None


class StillAsked(Event, frozen=True, tag="still-asked"):
    """An answer to another prompt was handled. These prompts stay open."""

    known_to = "gm"
    prompts: Annotated[tuple[str, ...], known("gm", "Ids of the prompts that stay open")] = ()


class Answered(Event, frozen=True, tag="answered"):
    """A prompt was answered. `closes` are the prompts that this answer closed.

    The last answer of a group closes the whole group. Everybody learns of a taken reaction.
    """

    known_to = "owner"
    prompt: Annotated[str, known("owner", "Id of the prompt")]
    who: Annotated[Id | None, known("all", "Id of the combatant that was asked; null = the GM")]
    option: Annotated[str, known("all", "Id of the option")]
    inputs: Annotated[Mapping[str, Json], known("all", "Inputs of the option")] = {}
    by: Annotated[
        Literal["caller", "standing-order", "default", "lapsed", "closed"],
        known("owner", "Source of the answer"),
    ] = "caller"
    closes: Annotated[
        tuple[str, ...], known("owner", "Ids of the prompts that are settled by it")
    ] = ()
    because: Annotated[
        Literal["", "time", "left", "moot"],
        known(
            "owner",
            "Why it lapsed: its time was over, `who` left, or nothing was left to ask."
            " Empty: it did not lapse, or the reason is not recorded",
        ),
    ] = ""


class Stopped(Event, frozen=True, tag="stopped"):
    """The action of `who` stopped before its end. `doing` is the action's id.

    `reason` is the rulebook's code, and `detail` is a sentence. `closes` are the prompts that
    lapsed.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that was stopped")]
    doing: Annotated[str, known("all", "Id of the action that was stopped")]
    reason: Annotated[str, known("all", "The rulebook's short word for why")]
    detail: Annotated[str, known("owner", "Why, in a sentence")] = ""
    closes: Annotated[tuple[str, ...], known("gm", "Ids of the prompts that lapse")] = ()


class Prevented(Event, frozen=True, tag="prevented"):
    """An earlier choice of `who` had become illegal and did not happen. It cost nothing."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that had chosen it")]
    action: Annotated[str, known("all", "Id of the action or option")]
    inputs: Annotated[Mapping[str, Json], known("owner", "Its inputs")] = {}
    reason: Annotated[str, known("owner", "The rulebook's short word for why not")] = ""
    detail: Annotated[str, known("owner", "Why not, in a sentence")] = ""


OUTCOMES: Final = ("hit", "critical", "miss", "success", "failure", "won", "lost", "tied")
"""The outcome words of rolls in every rulebook. A rulebook adds one only if none fits."""

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
"""The present word for each outcome word of earlier releases."""


def _lift_outcomes(fields: dict[str, Any], *names: str) -> None:
    for name in names:
        if name in fields:
            fields[name] = _OUTCOMES_V1.get(fields[name], fields[name])


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice were rolled. The faces of `formula`, its constant and the `terms` add up to `total`.

    - `target`: the number to reach. null = none.
    - `outcome`: the word for the result.
    - `key`, `ordinal`: the values from which anybody can derive provably fair faces.
    - `by`: the roller.

    Only the side of `who` sees the numbers, because faces and total would reveal the terms.
    """

    class_version = 2
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that the roll is about")]
    purpose: Annotated[str, known("all", "The rulebook's name of the roll")]
    formula: Annotated[str, known("side", "The dice, such as 1d20")]
    faces: Annotated[tuple[int, ...], known("side", "Faces, in the order of the formula")]
    total: Annotated[int, known("side", "The faces, the formula's constant and the terms")]
    terms: Annotated[tuple[Term, ...], known("side", "Terms: source, value, rule")] = ()
    target: Annotated[int | None, known("against", "The number to reach; null = none")] = None
    against: Annotated[Id | None, known("all", "Id of the combatant that it is aimed at")] = None
    outcome: Annotated[str, known("all", "The word for the result")] = ""
    key: Annotated[
        str, known("gm", "Leads, with `ordinal`, to the faces in the provably fair dice")
    ] = ""
    ordinal: Annotated[int, known("gm", "Which roll of the command it is, from 1")] = 0
    by: Annotated[Literal["server", "manual", "gm"], known("all", "Who rolled")] = "server"
    secret: Annotated[bool, known("all", "Whether only the GM sees it")] = False
    told: Annotated[
        str, known("gm", "The word that players get for the result; empty = the same")
    ] = ""
    target_terms: Annotated[
        tuple[Term, ...], known("against", "The parts of `target`: source, value, rule")
    ] = ()

    @staticmethod
    def upcast_v1_v2(fields: dict[str, Any]) -> None:
        """Convert the outcome to the set of words that all rulebooks share."""
        _lift_outcomes(fields, "outcome")


class Judged(Event, frozen=True, tag="judged"):
    """The final outcome of an earlier roll of `who`, after every answer to it."""

    class_version = 2
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that rolled")]
    purpose: Annotated[str, known("all", "The rulebook's name of the roll")]
    outcome: Annotated[str, known("all", "The present word for the result")]
    total: Annotated[int, known("side", "The present total of the roll")]
    target: Annotated[int | None, known("against", "The number to reach; null = none")] = None
    against: Annotated[Id | None, known("all", "Id of the combatant that it is aimed at")] = None
    before: Annotated[str, known("all", "The word for the result before")] = ""

    @staticmethod
    def upcast_v1_v2(fields: dict[str, Any]) -> None:
        """Convert both outcomes to the set of words that all rulebooks share."""
        _lift_outcomes(fields, "outcome", "before")


class Moved(Event, frozen=True, tag="moved"):
    """A combatant moved. `path` lists the squares that it entered, in order.

    If the path is empty, the combatant left the grid. `forced` is true if something else moved it.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that moves")]
    path: Annotated[
        tuple[Square, ...], known("all", "The squares entered, in order; empty = it left the grid")
    ]
    forced: Annotated[bool, known("all", "Whether it did not move by itself")] = False
    mode: Annotated[str, known("all", "The rulebook's word for the kind of movement")] = ""


class BudgetSet(Event, frozen=True, tag="budget-set"):
    """The new budget of `who`, by kind of action."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    budget: Annotated[
        Mapping[str, int], known("side", "How much of each kind of action it may spend")
    ]


class Spent(Event, frozen=True, tag="spent"):
    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    what: Annotated[Mapping[str, int], known("side", "How much of each kind of action it spends")]


class FactSet(Event, frozen=True, tag="fact-set"):
    """A fact about `who` (null = the combat) got a value. The value null deletes the fact."""

    known_to = "gm"
    who: Annotated[Id | None, known("gm", "Id of the combatant; null = the combat")]
    key: Annotated[str, known("gm", "Name of the fact")]
    value: Annotated[Json, known("gm", "Its value; null = forgotten")]


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
"""The result words of spells and activities in every rulebook."""


class EffectResolved(Event, frozen=True, tag="effect-resolved"):
    """A spell, ability, item or activity of `who` had a result.

    - "cast": the effect has not come yet.
    - "done": it took effect, or is complete.
    - "partly-done": some of the work is done.
    - "postponed": it continues later.
    - "ended": it no longer has an effect.
    - "lost": it was spoiled and has no effect.
    - "failed": the attempt failed.
    - "countered": somebody countered it.
    - "no-effect": it reached nobody.
    - "damaged", "broken", "intact": states of a thing.
    - "ruled": the GM gives the result in `text`.

    The damage, healing, conditions and movement that it causes have separate events.
    """

    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant that casts, uses, does or owns it")]
    kind: Annotated[
        Literal["spell", "ability", "item", "object", "activity", "action"],
        known("all", "Kind of the effect"),
    ]
    effect: Annotated[str, known("all", "Id of the spell, ability, item, activity or action")]
    result: Annotated[str, known("all", "The word for the result")]
    name: Annotated[str, known("all", "Name of the effect")] = ""
    targets: Annotated[tuple[Id, ...], known("all", "Ids of those whom it is directed at")] = ()
    by: Annotated[Id | None, known("all", "Id of the combatant that caused it; null = `who`")] = (
        None
    )
    detail: Annotated[str, known("all", "Reason for the result, in words")] = ""
    text: Annotated[str, known("all", "The GM's words for the result")] = ""
    data: Annotated[
        Mapping[str, Json],
        known("all", "Further data: item, object, square, aim, until"),
    ] = {}
    numbers: Annotated[
        Mapping[str, int], known("side", "Its numbers by name: damage, left, mp_cost")
    ] = {}


# ---- harm


class Damaged(Event, frozen=True, tag="damaged"):
    """`who` lost `amount` points (≥ 0, after reductions) from `track`, which may fall below 0.

    `terms` are the parts of the amount: rolls, multipliers and reductions.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that is hurt")]
    track: Annotated[str, known("all", "Name of the pool")]
    amount: Annotated[int, known("side", "Points lost, after reductions")]
    kind: Annotated[str, known("all", "The rulebook's kind of damage")] = ""
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None
    terms: Annotated[
        tuple[Term, ...], known("side", "How the amount came about: source, value, rule")
    ] = ()


class Healed(Event, frozen=True, tag="healed"):
    """`who` regained `amount` points (≥ 0, after the maximum) on `track`."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant that is healed")]
    track: Annotated[str, known("all", "Name of the pool")]
    amount: Annotated[int, known("side", "Points really gained")]
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None
    terms: Annotated[
        tuple[Term, ...], known("side", "Terms that make the amount, where no roll alone does")
    ] = ()


class TrackChanged(Event, frozen=True, tag="track-changed"):
    """A pool got a new value or maximum without damage or healing. null = unchanged."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    track: Annotated[str, known("all", "Name of the pool")]
    value: Annotated[int | None, known("side", "Points that are in it now; null = as before")] = (
        None
    )
    maximum: Annotated[
        int | None, known("side", "Points that it holds at most; null = as before")
    ] = None
    reason: Annotated[str, known("side", "Why it changed")] = ""


class ConditionGained(Event, frozen=True, tag="condition-gained"):
    """A combatant gained a condition. `key` distinguishes several instances.

    The default key is the id. A new instance replaces an instance with the same key.
    """

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    condition: Annotated[str, known("all", "Id of the condition")]
    key: Annotated[str, known("side", "Tells instances apart")] = ""
    data: Annotated[
        Mapping[str, Json], known("side", "Its data, as the rulebook's schema has it")
    ] = {}
    until: Annotated[tuple[Until, ...], known("side", "When it ends by itself")] = ()
    source: Annotated[Id | None, known("all", "Id of the combatant that caused it")] = None


class ConditionLost(Event, frozen=True, tag="condition-lost"):
    """A combatant lost an instance of a condition. If `key` is empty, it lost every instance."""

    known_to = "all"
    who: Annotated[Id, known("all", "Id of the combatant")]
    condition: Annotated[str, known("all", "Id of the condition")]
    key: Annotated[str, known("side", "Which instance; empty = every one")] = ""
    reason: Annotated[str, known("all", "Why it ended")] = ""


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
    """The GM made a ruling. The next events of the command hold the changes."""

    known_to = "gm"
    free_text = ("reason",)
    ruling: Annotated[str, known("gm", "Id of the ruling")]
    inputs: Annotated[Mapping[str, Json], known("gm", "Its inputs")] = {}
    reason: Annotated[str, known("gm", "The GM's words")] = ""


class RollForced(Event, frozen=True, tag="roll-forced"):
    """The GM set the faces for the next roll of `who` for `purpose`. Empty faces cancel this.

    If that roll has other dice, it ignores the set faces and is rolled as usual.
    """

    known_to = "gm"
    who: Annotated[Id, known("gm", "Id of the combatant that will roll")]
    purpose: Annotated[str, known("gm", "The rulebook's name of the roll")]
    faces: Annotated[tuple[int, ...], known("gm", "Faces to come; empty = none are set")]
    void: Annotated[str, known("gm", "Dice that came and do not have them; empty = none")] = ""


class MarkerSet(Event, frozen=True, tag="marker-set"):
    """The GM put a marker on a combatant. It affects no rule."""

    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant")]
    marker: Annotated[str, known("all", "Id of the marker, unique among the combatant's")]
    text: Annotated[str, known("all", "Text")]
    shown_to: Annotated[
        Knowers, known("all", "Readers beside the GM: gm = none, owner, side, all")
    ] = "gm"


class MarkerRemoved(Event, frozen=True, tag="marker-removed"):
    known_to = "all"
    free_text = ("text",)
    who: Annotated[Id, known("all", "Id of the combatant")]
    marker: Annotated[str, known("all", "Id of the marker")]
    text: Annotated[str, known("all", "Text")] = ""
    shown_to: Annotated[
        Knowers, known("all", "Readers beside the GM: gm = none, owner, side, all")
    ] = "gm"


RequestKind = Literal["undo", "ruling", "pause"]
"""The kinds of request that a player can make to the GM while play goes on."""


class Requested(Event, frozen=True, tag="requested"):
    """A player asked the GM for something. Play goes on."""

    known_to = "owner"
    free_text = ("text",)
    request: Annotated[str, known("owner", "Id of the request")]
    who: Annotated[Id, known("owner", "Id of the combatant for whom it is made")]
    kind: Annotated[RequestKind, known("owner", "Kind of request: undo, ruling or pause")]
    text: Annotated[str, known("owner", "The player's words")] = ""
    deed: Annotated[
        int, known("gm", "First version of the command that an undo takes back; 0 = none")
    ] = 0


class RequestSettled(Event, frozen=True, tag="request-settled"):
    """The GM granted or refused a request."""

    known_to = "owner"
    free_text = ("text",)
    request: Annotated[str, known("owner", "Id of the request")]
    who: Annotated[Id, known("owner", "Id of the combatant for whom it was made")]
    kind: Annotated[RequestKind, known("owner", "Kind of request: undo, ruling or pause")]
    granted: Annotated[bool, known("owner", "Whether the GM granted it")]
    text: Annotated[str, known("owner", "The GM's words")] = ""


class Resumed(Event, frozen=True, tag="resumed"):
    """The GM let a stalled combat continue with its next step."""

    known_to = "gm"


class Noted(Event, frozen=True, tag="noted"):
    """The log got a sentence. If `private` is true, only the GM sees it."""

    known_to = "all"
    free_text = ("text",)
    text: Annotated[str, known("all", "The sentence")]
    who: Annotated[Id | None, known("all", "Id of the combatant that says it")] = None
    private: Annotated[bool, known("all", "Whether it is for the GM alone")] = False
    full: Annotated[
        str, known("side", "The sentence with the numbers of `who`; empty = nothing to add")
    ] = ""


class Reverted(Event, frozen=True, tag="reverted"):
    """The state at version `to` became the present. The next event continues from there."""

    known_to = "all"
    free_text = ("reason",)
    to: Annotated[int, known("all", "Version whose state is the present again")]
    kind: Annotated[
        Literal["undo", "redo", "goto", "amend"], known("all", "undo, redo, goto or amend")
    ] = "goto"
    reason: Annotated[str, known("gm", "The GM's words")] = ""


class AmendedCommand(Struct, frozen=True, omit_defaults=True):
    """A change of one past command.

    - `at`: the version of the command's first event.
    - `kind`: replace, drop, insert (before the command) or set.
    - `roll`: the version of the roll whose faces were set.
    - `faces`: the new faces.
    """

    at: int
    kind: Annotated[
        Literal["replace", "drop", "insert", "set"],
        Meta(description="Kind of the change: replace, drop, insert or set"),
    ]
    roll: Annotated[int, Meta(description="Version of the roll whose faces were set; 0 = none")] = 0
    faces: tuple[int, ...] = ()


class Amended(Event, frozen=True, tag="amended"):
    """The GM changed past commands. The later commands follow, decided again.

    The commands themselves hold the new inputs.
    """

    known_to = "gm"
    left: Annotated[int, known("gm", "Version that was the present before")]
    changes: Annotated[tuple[AmendedCommand, ...], known("gm", "Changes, with their commands")]


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
"""The stored names of all events."""
