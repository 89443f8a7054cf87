"""The event vocabulary: facts in the past tense, generic to all rulebooks.

The tag is the stored name: classes may be renamed, tags never. Every later field has a default.
`rules` are the ids of the rules that made the event.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from domain.record.combat import DiceSettings, Id, Json, Place, Square, StandingOrder, Track, Until


class Term(Struct, frozen=True, gc=False, array_like=True):
    """One part of a sum: where it comes from, how much, and by which rule."""

    source: str
    value: int
    rule: str = ""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """One fact. `free_text` names the fields that people wrote and that may be erased later."""

    free_text: ClassVar[tuple[str, ...]] = ()
    rules: tuple[str, ...] = ()


# ---- setting up


class CombatOpened(Event, frozen=True, tag="combat-opened"):
    """`commitment` is the SHA-256 of the secret seed; `forked_from` is (combat id, version)."""

    free_text = ("name",)
    combat: str
    ruleset: str
    name: str
    options: Mapping[str, Json]
    dice: DiceSettings
    commitment: str
    sides: tuple[str, ...] = ()
    map: Mapping[str, Json] | None = None
    forked_from: tuple[str, int] | None = None


class CombatantJoined(Event, frozen=True, tag="combatant-joined"):
    free_text = ("name", "owner")
    who: Id
    name: str
    side: str
    sheet: Mapping[str, Json]
    tracks: Mapping[str, Track]
    owner: str | None = None
    hidden: bool = False
    position: Square | None = None


class CombatantChanged(Event, frozen=True, tag="combatant-changed"):
    """What is None stays; `sheet` replaces the named top-level fields."""

    free_text = ("name", "owner")
    who: Id
    name: str | None = None
    side: str | None = None
    owner: str | None = None
    hidden: bool | None = None
    sheet: Mapping[str, Json] = {}


class CombatantLeft(Event, frozen=True, tag="combatant-left"):
    who: Id


class MapSet(Event, frozen=True, tag="map-set"):
    map: Mapping[str, Json] | None


class StandingOrdersSet(Event, frozen=True, tag="standing-orders-set"):
    who: Id
    orders: tuple[StandingOrder, ...]


class SaltAdded(Event, frozen=True, tag="salt-added"):
    """A player's contribution to the dice, before the combat begins."""

    by: str
    salt: str


class SeedCommitted(Event, frozen=True, tag="seed-committed"):
    """New dice, because the seed in use had been revealed."""

    commitment: str


class SeedRevealed(Event, frozen=True, tag="seed-revealed"):
    """The secret seed, 64 hex digits, whose SHA-256 is `commitment`."""

    seed: str
    commitment: str


# ---- flow


class CombatBegan(Event, frozen=True, tag="combat-began"):
    pass


class CombatEnded(Event, frozen=True, tag="combat-ended"):
    """`winners`: the victorious sides, none = no victor."""

    winners: tuple[str, ...] = ()
    reason: str = ""


class InitiativeSet(Event, frozen=True, tag="initiative-set"):
    """The turns to come in this round; `lasting` makes them the order of later rounds too."""

    order: tuple[Place, ...]
    lasting: bool = False


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    phase: str


class RoundBegan(Event, frozen=True, tag="round-began"):
    round: int


class RoundEnded(Event, frozen=True, tag="round-ended"):
    round: int


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """`who` may act now; `tag` tells apart several turns of one combatant."""

    who: Id
    tag: str = ""


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """`who` acts no more; its first place with this `tag` leaves the round's queue."""

    who: Id
    tag: str = ""


class ProcedureBegan(Event, frozen=True, tag="procedure-began"):
    """A rule begins to run; `frame` is this event's own version."""

    frame: int
    kind: Literal["flow", "action", "ruling"]
    procedure: str
    args: Mapping[str, Json] = {}


class ProcedureEnded(Event, frozen=True, tag="procedure-ended"):
    frame: int


class ProcedureAbandoned(Event, frozen=True, tag="procedure-abandoned"):
    """The procedure and all above it are given up; the state stays and the GM goes on."""

    frame: int
    reason: str


# ---- doing


class ActionDeclared(Event, frozen=True, tag="action-declared"):
    """The answer to a `turn` or `declare` prompt, or an interjection (`prompt` None)."""

    who: Id
    action: str
    inputs: Mapping[str, Json] = {}
    prompt: str | None = None
    closes: tuple[str, ...] = ()


class Prompted(Event, frozen=True, tag="prompted"):
    """A question was asked of `who` (None = the GM)."""

    prompt: str
    kind: str
    name: str
    who: Id | None
    text: str
    options: tuple[str, ...]
    default: str | None = None
    data: Mapping[str, Json] = {}
    group: tuple[str, ...] = ()
    sealed: bool = False


class Answered(Event, frozen=True, tag="answered"):
    """`closes`: the prompts that are settled by it, all of the group when it was complete."""

    prompt: str
    who: Id | None
    option: str
    inputs: Mapping[str, Json] = {}
    by: Literal["caller", "standing-order", "default", "lapsed", "closed"] = "caller"
    closes: tuple[str, ...] = ()


class Rolled(Event, frozen=True, tag="rolled"):
    """A whole sum: faces of `formula`, plus its constant, plus `terms`, make `total`.

    `target` is the number to reach (None = none), `outcome` the word for the result. `key` and
    `ordinal` lead to the faces in the provably fair dice; `by` says who rolled.
    """

    who: Id
    purpose: str
    formula: str
    faces: tuple[int, ...]
    total: int
    terms: tuple[Term, ...] = ()
    target: int | None = None
    against: Id | None = None
    outcome: str = ""
    key: str = ""
    ordinal: int = 0
    by: Literal["server", "manual", "gm"] = "server"
    secret: bool = False


class Moved(Event, frozen=True, tag="moved"):
    """`path`: the squares entered, in order; empty = it left the grid. `forced`: not by itself."""

    who: Id
    path: tuple[Square, ...]
    forced: bool = False
    mode: str = ""


class BudgetSet(Event, frozen=True, tag="budget-set"):
    """What `who` may spend from now on, by kind of action."""

    who: Id
    budget: Mapping[str, int]


class Spent(Event, frozen=True, tag="spent"):
    who: Id
    what: Mapping[str, int]


class FactSet(Event, frozen=True, tag="fact-set"):
    """The ruleset remembers something about `who` (None = the combat); null forgets it."""

    who: Id | None
    key: str
    value: Json


# ---- harm


class Damaged(Event, frozen=True, tag="damaged"):
    """`who` lost `amount` points (≥ 0, after reductions) from `track`, which may go below 0.

    `terms` tell how the amount came about: what was rolled, multiplied, taken off by what.
    """

    who: Id
    track: str
    amount: int
    kind: str = ""
    source: Id | None = None
    terms: tuple[Term, ...] = ()


class Healed(Event, frozen=True, tag="healed"):
    """`who` got `amount` points (≥ 0, what was really gained) back on `track`."""

    who: Id
    track: str
    amount: int
    source: Id | None = None


class TrackChanged(Event, frozen=True, tag="track-changed"):
    """A pool has a new value or maximum for another reason; None = as before."""

    who: Id
    track: str
    value: int | None = None
    maximum: int | None = None
    reason: str = ""


class ConditionGained(Event, frozen=True, tag="condition-gained"):
    """`key` tells instances apart (default: the id); an instance with the same key is replaced."""

    who: Id
    condition: str
    key: str = ""
    data: Mapping[str, Json] = {}
    until: tuple[Until, ...] = ()
    source: Id | None = None


class ConditionLost(Event, frozen=True, tag="condition-lost"):
    """One instance ended; `key` "" = every instance of the condition."""

    who: Id
    condition: str
    key: str = ""
    reason: str = ""


class Downed(Event, frozen=True, tag="downed"):
    who: Id
    by: Id | None = None


class Stabilized(Event, frozen=True, tag="stabilized"):
    who: Id
    by: Id | None = None


class Died(Event, frozen=True, tag="died"):
    who: Id
    by: Id | None = None


# ---- GM and history


class Ruled(Event, frozen=True, tag="ruled"):
    """The GM decided by hand; what it changed stands in the events that follow."""

    free_text = ("reason",)
    ruling: str
    inputs: Mapping[str, Json] = {}
    reason: str = ""


class RollForced(Event, frozen=True, tag="roll-forced"):
    """The GM set the faces of `who`'s next roll of `purpose`; empty faces take it back."""

    who: Id
    purpose: str
    faces: tuple[int, ...]


class Resumed(Event, frozen=True, tag="resumed"):
    """The GM lets a stalled combat go on with its next step."""


class Noted(Event, frozen=True, tag="noted"):
    """A sentence for the log; `private` = for the GM alone."""

    free_text = ("text",)
    text: str
    who: Id | None = None
    private: bool = False


class Reverted(Event, frozen=True, tag="reverted"):
    """The state at version `to` is the present again; the next event continues from there."""

    free_text = ("reason",)
    to: int
    kind: Literal["undo", "redo", "goto"] = "goto"
    reason: str = ""


AnyEvent: TypeAlias = (
    CombatOpened
    | CombatantJoined
    | CombatantChanged
    | CombatantLeft
    | MapSet
    | StandingOrdersSet
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
    | Answered
    | Rolled
    | Moved
    | BudgetSet
    | Spent
    | FactSet
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
    | Resumed
    | Noted
    | Reverted
)
