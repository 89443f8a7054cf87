"""Pages: an index of old events, which are only in the log.

A combat has its newest events in memory. A page covers several commands of older events. It has
their types, the combatants and rules that they name, and their audiences. The events themselves are
in the log. They are also in memory while a reader uses them.
"""

import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any, Final, TypeVar, overload
from weakref import ref

import msgspec

from domain.record.combat import Combat, Id
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    Event,
    Prompted,
    Reverted,
    RoundBegan,
)
from domain.record.recorded import Recorded

LEAST: Final = 64
"""The smallest number of events of a page."""

KEPT: Final = 96
"""The number of events that stay in memory after the newest page."""

FEW: Final = 8
"""The value in place of `LEAST` and `KEPT` if events are large."""

ROLES: Final = ("who", "by", "source", "against", "target")
"""The fields that name a combatant in most types of event."""

KINDS: Final[Mapping[type[Event], int]] = {
    kind: number for number, kind in enumerate(Event.__subclasses__())
}
"""A number below 256 for each type of event. Affray never stores it."""

_REVERTED: Final = KINDS[Reverted]
_PROMPTED: Final = KINDS[Prompted]
_ROUND_BEGAN: Final = KINDS[RoundBegan]
_OWNING: Final = (KINDS[CombatantJoined], KINDS[CombatantChanged])
_TAGS: Final = {str(kind.__struct_config__.tag): number for kind, number in KINDS.items()}

Audience = tuple[Id, ...] | None
T = TypeVar("T")


class Leaf(Sequence[Recorded]):
    """The events of a page, in memory or read on access."""

    __slots__ = ("__weakref__", "_events", "_read")

    def __init__(
        self, events: Sequence[Recorded | None], read: Callable[[int], Recorded] | None = None
    ) -> None:
        """Keep these events in memory. `read` returns the event of a place that is `None`."""
        self._events = list(events)
        self._read = read

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self[:])

    @overload
    def __getitem__(self, at: int) -> Recorded: ...
    @overload
    def __getitem__(self, at: slice) -> list[Recorded]: ...
    def __getitem__(self, at: int | slice) -> Recorded | list[Recorded]:
        if isinstance(at, slice):
            if self._read is None:
                return self._events[at]  # type: ignore[return-value]  # every event is in memory
            return [self[place] for place in range(*at.indices(len(self._events)))]
        recorded = self._events[at]
        if recorded is None:
            assert self._read is not None
            recorded = self._events[at] = self._read(at % len(self._events))
        return recorded


class Away(Exception):
    """The needed events are only in the log. Load them and repeat the call.

    `pages` are the missing pages, and `around` are all pages of the combat.
    """

    def __init__(self, pages: Sequence["Page"], around: Sequence["Page"]) -> None:
        super().__init__(f"{len(pages)} pages are in the log")
        self.pages, self.around = pages, around


class Page:
    """An index of the events from version `first` to `last`, which make up whole commands.

    - `kinds`: the type of each event, as its number in `KINDS`.
    - `audiences`: the audiences of the events. The list may also contain other audiences.
    - `seen_by`: for each event, the place of its audience in `audiences`.
    - `starts`: the first version of each command.
    - `named`: the combatants that the events name.
    - `rules`: the rules that the events name.
    - `owners`: (version, who, owner) for each combatant that got an owner.
    - `plain`: true if `seen_by` is enough to find all readers. It is false if a combatant got an
      owner, or if the page contains an undo.
    - `rounds`: (version, round) for each change of the round. The version is the first version of
      the round.
    - `marked`: the version whose state the page stores, or 0.
    - `previous`: the hash of the event before the page.
    """

    def __init__(
        self, events: Sequence[Recorded], round_after: Callable[[int], int], like: "Page | None"
    ) -> None:
        """Make the page of these events. To save memory, share equal parts with `like`.

        `round_after` returns the round after an older version.
        """
        self.first, self.last = events[0].version, events[-1].version
        self.previous = bytes.fromhex(events[0].previous)
        self.kinds = bytes([KINDS[type(recorded.event)] for recorded in events])
        self.audiences = _audiences({recorded.audience for recorded in events}, like)
        numbers = {audience: place for place, audience in enumerate(self.audiences)}
        places = [numbers[recorded.audience] for recorded in events]
        self.seen_by: Sequence[int] = bytes(places) if len(numbers) < 256 else tuple(places)
        self.starts = array("I")
        self._asked = array("I")
        named: set[object] = set()
        rules: set[str] = set()
        owners: list[tuple[int, Id, str]] = []
        command = ""
        for recorded, kind in zip(events, self.kinds, strict=True):
            event: Any = recorded.event
            if recorded.command != command:
                command = recorded.command
                self.starts.append(recorded.version)
            named.update(_NAMED_BY[kind](event))
            if event.rules:
                rules.update(event.rules)
            if kind == _PROMPTED:
                self._asked.append(_short(event.prompt))
            elif kind in _OWNING and event.owner is not None:
                owners.append((recorded.version, event.who, event.owner))
        self.named = _names(name for name in named if isinstance(name, str))
        self.rules = _names(rules)
        self.owners = tuple(owners)
        self.plain = not owners and _REVERTED not in self.kinds and len(numbers) < 256
        self.rounds = _rounds(events, self.kinds, round_after)
        if like is not None:
            self.named = _same(self.named, like.named)
            self.rules = _same(self.rules, like.rules)
        self.marked, self._state = 0, b""
        self._events: Callable[[], Leaf | None] = _gone

    def events(self) -> Leaf | None:
        """Return the events if they are in memory, or `None`."""
        return self._events()

    def keep(self, events: Leaf) -> None:
        """Keep these events in memory until `let_go`."""
        self._events = lambda: events

    def let_go(self, events: Leaf | None = None) -> None:
        """Release the events as soon as no reader holds them.

        `events` are the events to release. The default is the events that the page has in memory.
        """
        held = self._events() if events is None else events
        self._events = _gone if held is None else ref(held)

    def mark(self, version: int, state: Combat) -> int:
        """Store the state after a version, and return its uncompressed size in bytes."""
        written = _WRITER.encode(state)
        self.marked, self._state = version, zlib.compress(written, 1)
        return len(written)

    @property
    def state(self) -> Combat:
        """Return the combat after version `marked`."""
        return _READER.decode(zlib.decompress(self._state))

    def audience(self, version: int) -> Audience:
        """Return the audience of an event."""
        return self.audiences[self.seen_by[version - self.first]]

    def kind(self, version: int) -> int:
        """Return the type of an event, as its number."""
        return self.kinds[version - self.first]

    def command_of(self, version: int) -> tuple[int, int]:
        """Return the first and the last version of an event's command."""
        at = bisect_right(self.starts, version)
        last = self.starts[at] - 1 if at < len(self.starts) else self.last
        return self.starts[at - 1], last

    def round_after(self, version: int) -> int:
        """Return the round of the combat after an event."""
        return self.rounds[bisect_right(self.rounds, (version, sys.maxsize)) - 1][1]

    def newest(self, kinds: Iterable[int], before: int) -> int:
        """Return the newest version below `before` with one of these types, or 0."""
        end = max(before - self.first, 0)
        place = max(self.kinds.rfind(kind, 0, end) for kind in kinds)
        return 0 if place < 0 else self.first + place

    def may_ask(self, prompt: str) -> bool:
        """Return true if this page may have opened the prompt. False positives are rare."""
        return _short(prompt) in self._asked

    def has_type(self, name: str) -> bool:
        """Return true if one of the events has this type."""
        return name in _TAGS and _TAGS[name] in self.kinds

    def chosen(self, events: Leaf, kinds: Collection[int]) -> Iterator[Recorded]:
        """Yield the events of these types, without a read of other events."""
        for place, kind in enumerate(self.kinds):
            if kind in kinds:
                yield events[place]


_WRITER: Final = msgspec.json.Encoder()
_READER: Final = msgspec.json.Decoder(Combat)


def _gone() -> None:
    """Return `None`, because the page has released its events."""


def numbers_of(*kinds: type[Event]) -> tuple[int, ...]:
    """Return the numbers that pages use for these types."""
    return tuple(KINDS[kind] for kind in kinds)


def _named_by(kind: type[Event]) -> Callable[[AnyEvent], tuple[object, ...]]:
    """Return a getter for the fields of this type that can name a combatant.

    In some types, such a field has another meaning.
    """
    roles = [role for role in ROLES if role in kind.__struct_fields__]
    if len(roles) > 1:
        return attrgetter(*roles)
    if roles:
        return lambda event: (getattr(event, roles[0]),)
    return lambda event: ()


_NAMED_BY: Final = tuple(_named_by(kind) for kind in KINDS)
"""The getter for each type, by its number."""


def _audiences(own: AbstractSet[Audience], like: "Page | None") -> tuple[Audience, ...]:
    """Return these audiences, or those of `like` if they include all of them, to save memory."""
    if like is not None and len(like.audiences) < 256 and own <= set(like.audiences):
        return like.audiences
    return tuple(own)


def _short(prompt: str) -> int:
    return zlib.crc32(prompt.encode())


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sys.intern(name) for name in sorted(names))


def _same(made: T, known: T) -> T:
    return known if made == known else made


def _rounds(
    events: Sequence[Recorded], kinds: bytes, round_after: Callable[[int], int]
) -> tuple[tuple[int, int], ...]:
    first = events[0].version
    rounds = [(first, round_after(events[0].parent))]
    for recorded, kind in zip(events, kinds, strict=True):
        before = recorded.parent
        event: Any = recorded.event
        if kind == _ROUND_BEGAN:
            now = event.round
        elif before == recorded.version - 1:
            continue  # unchanged
        elif before < first:
            now = round_after(before)
        else:
            now = rounds[bisect_right(rounds, (before, sys.maxsize)) - 1][1]
        if recorded.version == first:
            rounds = [(first, now)]
        elif now != rounds[-1][1]:
            rounds.append((recorded.version, now))
    return tuple(rounds)
