"""The state of one combat, as frozen Structs that only `evolve` replaces.

This module knows no rulebook. A rulebook stores its own state as *facts*, which are JSON values
under a key. A fact belongs to a combatant or to the combat.
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
"""The lowest corner of a cube of the grid, as (column, row, height). One step is 5 ft."""

Json = Any
"""A JSON value. It has lists, not tuples, so that storing and reading does not change it."""

T = TypeVar("T")


def player_of(owner: str | None) -> str | None:
    """Return the label of the owning player, or `None` if the GM plays the combatant.

    The owner `GM` stands for the GM.
    """
    return None if owner in ("GM", "gm") else owner


class Track(Struct, frozen=True, gc=False):
    """A pool of points, such as hit points."""

    value: Annotated[int, Meta(description="Points in the track now")]
    maximum: Annotated[
        int | None,
        Meta(description="Most points that the track can hold; `null` if there is no limit"),
    ] = None

    @property
    def is_full(self) -> bool:
        """Return true if the track is at its maximum or has no maximum."""
        return self.maximum is None or self.value >= self.maximum


class Until(Struct, frozen=True, gc=False):
    """The moment at which something ends, such as the start of a combatant's turn.

    - `("round-end", None, 3)` is the end of round 3.
    - `("turn-start", "brand", None)` is the start of Brand's next turn.
    """

    moment: Annotated[
        str, Meta(description="The rulebook's name of the moment, such as `turn-start`")
    ]
    who: Annotated[
        Id | None,
        Meta(description="Combatant whose moment it is; `null` for any combatant or none"),
    ] = None
    round: Annotated[
        int | None, Meta(description="Round of the moment; `null` for the next such moment")
    ] = None


class Condition(Struct, frozen=True, gc=False):
    """A condition of a combatant. `key` distinguishes instances with the same `id`."""

    id: str
    key: str
    data: Mapping[str, Json] = {}
    until: tuple[Until, ...] = ()
    source: Id | None = None
    rules: tuple[str, ...] = ()


class Marker(Struct, frozen=True, gc=False):
    """A text that the GM attached to a combatant. It affects no rule.

    `shown_to` names the readers who see it besides the GM.
    """

    id: str
    text: str
    shown_to: Annotated[Knowers, Meta(description="Readers besides the GM")] = "gm"


class StandingOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer that a player gives in advance to every prompt with the name `prompt`.

    - `option`: the id of the option. With `ask`, the player answers, even if a broader order
      exists.
    - `inputs`: the inputs of the option.
    - `until_round`: the last round in which the order applies. If `null`, it applies until another
      order replaces it.
    - `against`: a combatant. The order applies only to prompts whose data names it as `mover`,
      `attacker` or `target`.
    - `when`: values that the prompt's data must have, such as `{"window": "attack-rolled"}`.
    """

    prompt: Annotated[str, Meta(description="Name of the prompt")]
    option: Annotated[str, Meta(description="Id of the option; with `ask`, the player answers")]
    inputs: Mapping[str, Json] = {}
    until_round: Annotated[
        int | None,
        Meta(description="Last round of the order; `null` until another order replaces it"),
    ] = None
    against: Annotated[
        Id | None, Meta(description="Combatant that the prompt must be about; `null` for any")
    ] = None
    when: Annotated[
        Mapping[str, Json], Meta(description="Values that the data of the prompt must have")
    ] = {}


class Combatant(Struct, frozen=True, gc=False):
    """A combatant. `sheet` is the input data, and the other fields are the current state."""

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
        """Return true if the combatant has any of these conditions."""
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
    """A future turn of a combatant."""

    who: Id
    key: Annotated[
        tuple[int, ...], Meta(description="Numbers by which the rulebook sorts the turns")
    ] = ()
    tag: Annotated[
        str,
        Meta(description="Distinguishes several turns of one combatant; empty for a normal turn"),
    ] = ""


class DiceSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The sources of dice in a combat."""

    gm: Annotated[
        Literal["server", "manual"],
        Meta(description="Source of the GM's dice: the service (`server`) or a person (`manual`)"),
    ] = "server"
    players: Annotated[
        Literal["server", "manual"],
        Meta(
            description="Source of the players' dice: the service (`server`) or a person (`manual`)"
        ),
    ] = "server"
    after_undo: Annotated[
        Literal["fresh", "keep"],
        Meta(
            description="Dice of a command repeated after an undo: `fresh` ones, or `keep` the same"
        ),
    ] = "fresh"


Seconds = Annotated[int, Meta(ge=1, le=7 * 86_400)]


class Deadlines(Struct, frozen=True, forbid_unknown_fields=True):
    """The time limits of prompts, in seconds, for each kind of prompt.

    When its limit passes, a prompt takes its default. Rolls, and prompts without a default, never
    time out.

    - A kind with the limit `null` never times out.
    - `combatants` replaces the limits for some combatants, for each kind that has a limit.
    - If `stopped` is true, no prompt times out.
    """

    turn: Annotated[
        Seconds | None, Meta(description="Limit of a turn, in seconds; `null` for no limit")
    ] = None
    declare: Annotated[
        Seconds | None, Meta(description="Limit of a declaration, in seconds; `null` for no limit")
    ] = None
    reaction: Annotated[
        Seconds | None, Meta(description="Limit of a reaction, in seconds; `null` for no limit")
    ] = None
    choice: Annotated[
        Seconds | None, Meta(description="Limit of a choice, in seconds; `null` for no limit")
    ] = None
    ruling: Annotated[
        Seconds | None, Meta(description="Limit of a ruling, in seconds; `null` for no limit")
    ] = None
    combatants: Annotated[
        Mapping[Id, Seconds],
        Meta(
            description="Limits of single combatants, in seconds, instead of the limits above",
            max_length=500,
        ),
    ] = {}
    stopped: Annotated[bool, Meta(description="`true` while no prompt times out")] = False

    def seconds(self, kind: str, who: Id | None) -> int | None:
        """Return the seconds that `who` (`None` for the GM) has to answer a prompt of this kind.

        The result is `None` if there is no limit.
        """
        if self.stopped:
            return None
        limit: int | None = getattr(self, kind, None)
        return limit if limit is None or who is None else self.combatants.get(who, limit)


NO_DEADLINES: Final = Deadlines()


class Frame(Struct, frozen=True, gc=False):
    """A running procedure. `id` is the version of its `ProcedureBegan`."""

    id: int
    kind: Literal["flow", "action", "ruling"]
    procedure: str
    args: Mapping[str, Json]


class OpenPrompt(Struct, frozen=True, gc=False):
    """A prompt that is open for the combatant `who`, or for the GM if `who` is `None`.

    - `group`: the ids of the prompts that opened together.
    - `answer`: the answer, while other prompts of the group are still open.
    - `until`: the deadline (RFC 3339), at which the prompt takes its default, or `None`.
    - `behind`: a combatant whose answer in the same group Affray handles first, or `None`.
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
    """The faces that the GM has set for a combatant's next roll for `purpose`."""

    who: Id
    purpose: str
    faces: tuple[int, ...]


class Combat(Struct, frozen=True, gc=False):
    """The current state of one combat.

    `order` has the turns of every round, and `queue` the remaining turns of this round.
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

    A Struct that also accepts another shape converts it in its method `reshaped`.
    """
    reshape = getattr(kind, "reshaped", None)
    return raw if reshape is None or not isinstance(raw, Mapping) else reshape(raw)


class Conversions:
    """A cache of the newest conversions. It has a limit of entries and a limit of bytes of text."""

    def __init__(self, most: int, text: int) -> None:
        self.most, self.text = most, text
        self.held = 0
        self._found: OrderedDict[tuple[int, type[Any]], tuple[object, Any, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._found)

    def typed(self, raw: Mapping[str, Json], kind: type[T]) -> T:
        """Return the stored JSON `raw` as a Struct of `kind`. Convert each object only once.

        Unknown fields are ignored, because the service checked the request when it arrived.
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
