"""The state of one combat: frozen Structs that only `evolve` replaces.

This module knows no rulebook. A ruleset stores everything else as *facts*: JSON data under a key,
on a combatant or on the combat.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.errors import Unknown
from domain.record.readers import Knowers

Id = str
"""A combatant's id, unique in its combat."""

Square = tuple[int, int, int]
"""The lowest corner of a cube of the grid; one step is 5 ft."""

Json = Any
"""A JSON value. It has lists, not tuples, so that storing and reading does not change it."""

T = TypeVar("T")


def player_of(owner: str | None) -> str | None:
    """Return the label of the owning player, or None if the GM plays the combatant.

    The owner "GM" means the GM.
    """
    return None if owner in ("GM", "gm") else owner


class Track(Struct, frozen=True, gc=False):
    """A named pool such as hit points. `maximum` None = unbounded."""

    value: Annotated[int, Meta(description="Points that are in it")]
    maximum: Annotated[
        int | None, Meta(description="Points that it holds at most; null = any number")
    ] = None

    @property
    def is_full(self) -> bool:
        """Return true if the pool has its maximum, or has none."""
        return self.maximum is None or self.value >= self.maximum


class Until(Struct, frozen=True, gc=False):
    """The moment at which something ends: the ruleset's name for it, a combatant, and a round.

    Examples: ("round-end", None, 3), ("turn-start", "brand", None) = at Brand's next turn.
    """

    moment: Annotated[str, Meta(description="The rulebook's name of the moment")]
    who: Annotated[Id | None, Meta(description="At whose; null = anybody's")] = None
    round: Annotated[int | None, Meta(description="In which round; null = the next")] = None


class Condition(Struct, frozen=True, gc=False):
    """Something that holds for a combatant. `key` tells instances of the same `id` apart."""

    id: str
    key: str
    data: Mapping[str, Json] = {}
    until: tuple[Until, ...] = ()
    source: Id | None = None
    rules: tuple[str, ...] = ()


class Marker(Struct, frozen=True, gc=False):
    """A word that the GM put on a combatant.

    It affects no rule. `shown_to` names the readers other than the GM.
    """

    id: str
    text: str
    shown_to: Annotated[Knowers, Meta(description="Readers beside the GM")] = "gm"


class StandingOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer given in advance to every prompt called `prompt`.

    - `option`: the id of the option. "ask" overrides a broader order, so that the player answers.
    - `inputs`: the inputs of the option.
    - `until_round`: the last round of the order. None = until another order replaces it.
    - `against`: the combatant that the prompt's data must name as `mover`, `attacker` or `target`.
    - `when`: values that the prompt's data must have, such as {"window": "attack-rolled"}.
    """

    prompt: Annotated[str, Meta(description="Name of the question")]
    option: Annotated[str, Meta(description="Id of the answer; `ask` asks after all")]
    inputs: Mapping[str, Json] = {}
    until_round: Annotated[
        int | None,
        Meta(description="The last round in which it holds; null = until it is replaced"),
    ] = None
    against: Annotated[
        Id | None, Meta(description="Only for prompts about this combatant; null = any")
    ] = None
    when: Annotated[
        Mapping[str, Json], Meta(description="Only for prompts whose data have these values")
    ] = {}


class Combatant(Struct, frozen=True, gc=False):
    """A combatant: its input (`sheet`) and its present state (all other fields)."""

    id: Id
    name: str
    side: str
    owner: str | None = None
    hidden: bool = False
    sheet: Mapping[str, Json] = {}
    tracks: Mapping[str, Track] = {}
    conditions: tuple[Condition, ...] = ()
    budget: Mapping[str, int] = {}
    position: Square | None = None
    facts: Mapping[str, Json] = {}
    orders: tuple[StandingOrder, ...] = ()
    left: bool = False
    markers: tuple[Marker, ...] = ()

    def has(self, *ids: str) -> bool:
        """Return true if any of these conditions holds."""
        for condition in self.conditions:  # noqa: SIM110 - a generator costs three times as much
            if condition.id in ids:
                return True
        return False

    def first(self, *ids: str) -> str | None:
        """Return the first of these conditions that the combatant has, or None."""
        return next((id for id in ids if self.has(id)), None)

    def all(self, id: str) -> tuple[Condition, ...]:
        """Return every instance of a condition, oldest first."""
        held = self.conditions
        return tuple(condition for condition in held if condition.id == id) if held else ()


class Place(Struct, frozen=True, gc=False):
    """A future turn: its combatant, its sort key, and its tag ("" = a normal turn)."""

    who: Id
    key: Annotated[tuple[int, ...], Meta(description="Rule that orders turns")] = ()
    tag: Annotated[str, Meta(description="Tells apart several turns of one combatant")] = ""


class DiceSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The source of dice. `after_undo`: "fresh" dice, or "keep" the same command's faces."""

    gm: Annotated[
        Literal["server", "manual"],
        Meta(description="Rolls for the GM: by the service, or by hand"),
    ] = "server"
    players: Annotated[
        Literal["server", "manual"], Meta(description="Players' rolls: by the service, or by hand")
    ] = "server"
    after_undo: Annotated[
        Literal["fresh", "keep"],
        Meta(description="After an undo: fresh dice, or the same for the same command"),
    ] = "fresh"


Seconds = Annotated[int, Meta(ge=1, le=7 * 86_400)]


class Deadlines(Struct, frozen=True, forbid_unknown_fields=True):
    """Time limits of prompts in seconds, by kind. After its time, a prompt takes its default.

    - None: no limit.
    - `combatants`: another time for each combatant, for every kind with a limit.
    - `stopped`: true stops all deadlines.

    Rolls, and prompts without a default, never time out.
    """

    turn: Annotated[Seconds | None, Meta(description="Seconds for a turn; null = for ever")] = None
    declare: Annotated[
        Seconds | None, Meta(description="Seconds for a declaration; null = for ever")
    ] = None
    reaction: Annotated[
        Seconds | None, Meta(description="Seconds for a reaction; null = for ever")
    ] = None
    choice: Annotated[Seconds | None, Meta(description="Seconds for a choice; null = for ever")] = (
        None
    )
    ruling: Annotated[Seconds | None, Meta(description="Seconds for a ruling; null = for ever")] = (
        None
    )
    combatants: Annotated[
        Mapping[Id, Seconds],
        Meta(description="Seconds by combatant, for every kind that has an end", max_length=500),
    ] = {}
    stopped: Annotated[bool, Meta(description="Whether nothing comes to its end now")] = False

    def seconds(self, kind: str, who: Id | None) -> int | None:
        """Return the seconds that a prompt of this kind waits for `who` (None = the GM)."""
        if self.stopped:
            return None
        limit: int | None = getattr(self, kind, None)
        return limit if limit is None or who is None else self.combatants.get(who, limit)


NO_DEADLINES: Final = Deadlines()


class Frame(Struct, frozen=True, gc=False):
    """A procedure that has begun and not ended. `id` is the version of its `ProcedureBegan`."""

    id: int
    kind: Literal["flow", "action", "ruling"]
    procedure: str
    args: Mapping[str, Json]


class OpenPrompt(Struct, frozen=True, gc=False):
    """A prompt that waits for an answer. `who` None = the GM.

    - `group`: the prompts that opened together.
    - `answer`: the answer, while other prompts of the group are open.
    - `until`: the time when it takes its default (RFC 3339). None = never.
    - `behind`: the combatant whose answer in the same group comes first. None = nobody.
    """

    id: str
    frame: int
    kind: str
    name: str
    who: Id | None
    text: str
    options: tuple[str, ...]
    default: str | None
    data: Mapping[str, Json]
    rules: tuple[str, ...]
    group: tuple[str, ...]
    sealed: bool = False
    answer: str | None = None
    until: str | None = None
    behind: Id | None = None


class ForcedRoll(Struct, frozen=True, gc=False):
    """Faces that the GM has set for a combatant's next roll for `purpose`."""

    who: Id
    purpose: str
    faces: tuple[int, ...]


class Combat(Struct, frozen=True, gc=False):
    """The present state of one fight.

    `order` has the turns of every round. `queue` has the remaining turns of this round.
    """

    id: str = ""
    ruleset: str = ""
    name: str = ""
    status: Literal["opening", "running", "ended"] = "opening"
    phase: str = "opening"
    round: int = 0
    options: Mapping[str, Json] = {}
    dice: DiceSettings = DiceSettings()
    commitment: str = ""
    salts: Mapping[str, str] = {}
    seed: str | None = None
    sides: tuple[str, ...] = ()
    combatants: Mapping[Id, Combatant] = {}
    order: tuple[Place, ...] = ()
    queue: tuple[Place, ...] = ()
    acting: tuple[Id, ...] = ()
    map: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    winners: tuple[str, ...] = ()
    prompts: Mapping[str, OpenPrompt] = {}
    asked: Mapping[str, int] = {}
    frames: tuple[Frame, ...] = ()
    stalled: str | None = None
    forced: tuple[ForcedRoll, ...] = ()
    deadlines: Deadlines = NO_DEADLINES
    labels: tuple[str, ...] = ()

    def __getitem__(self, who: Id) -> Combatant:
        """Return the combatant `who`. Raise `Unknown` if there is none."""
        try:
            return self.combatants[who]
        except KeyError:
            raise Unknown("combatant", who, tuple(self.combatants)) from None

    def is_suspended(self, prompt: OpenPrompt) -> bool:
        """Return true if another prompt must be answered before this open prompt."""
        top = self.frames[-1].id if self.frames else 0
        return prompt.frame != top or prompt.behind is not None

    def __iter__(self) -> Iterator[Combatant]:
        """Yield the combatants that have not left, in the order in which they joined."""
        return (combatant for combatant in self.combatants.values() if not combatant.left)


def reshaped(raw: Json, kind: Any) -> Json:
    """Return JSON in the shape that `kind` reads.

    A Struct that accepts another shape converts it in its method `reshaped`.
    """
    reshape = getattr(kind, "reshaped", None)
    return raw if reshape is None or not isinstance(raw, Mapping) else reshape(raw)


class Conversions:
    """A cache of the latest conversions, bounded by the number of objects and bytes of text."""

    def __init__(self, most: int, text: int) -> None:
        self.most, self.text = most, text
        self.held = 0
        self._found: OrderedDict[tuple[int, type[Any]], tuple[object, Any, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._found)

    def typed(self, raw: Mapping[str, Json], kind: type[T]) -> T:
        """Return the stored JSON `raw` as a Struct of `kind`. Convert each object only once.

        Ignore unknown fields, because the service checked requests when they arrived.
        """
        key = (id(raw), kind)
        kept = self._found.get(key)
        if kept is not None and kept[0] is raw:
            value: T = kept[1]
            return value
        value = msgspec.convert(reshaped(raw, kind), kind)
        length = len(msgspec.json.encode(raw))
        self._found[key] = raw, value, length  # while `raw` is held, its id is not reused
        self.held += length
        while len(self._found) > self.most or self.held > self.text:
            _, (_, _, gone) = self._found.popitem(last=False)
            self.held -= gone
        return value


typed = Conversions(4096, 8 * 1024 * 1024).typed
