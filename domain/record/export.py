"""A whole combat as JSON Lines: a header, one line per event, the seeds that are revealed.

An event's line holds its topic and, verbatim, the bytes that are stored and hashed, so that an
import gives the same hashes, and a second export the same file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.errors import Malformed, Unknown
from domain.record.events import (
    CombatOpened,
    DeadlinesSet,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Reverted,
    SeedRevealed,
)
from domain.record.fairness import commitment
from domain.record.recorded import Recorded, chain_hash, decode, encode, topic

T = TypeVar("T")

FORMAT = "affray-combat"
MAX_EVENTS = 1_000_000
MAX_LINE = 8 * 1024 * 1024
"""Bytes of a line; a command brings 1 MiB at most."""


class ExportHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. `last` is the hash of the last event."""

    format: str
    version: int
    combat: str
    ruleset: str
    events: int
    last: str


class ExportEvent(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: its topic, its stored bytes, and its own hash."""

    topic: str
    event: msgspec.Raw
    hash: str


class Export(Struct, frozen=True):
    """A whole combat: the header, and an event a line."""

    header: ExportHeader
    events: tuple[ExportEvent, ...]


@dataclass(frozen=True)
class Imported:
    """A file that holds together."""

    header: ExportHeader
    recorded: tuple[Recorded, ...]
    states: tuple[bytes, ...]

    @property
    def seeds(self) -> Mapping[str, bytes]:
        """Seeds by commitment, as far as events reveal them."""
        return {
            one.event.commitment: bytes.fromhex(one.event.seed)
            for one in self.recorded
            if isinstance(one.event, SeedRevealed)
        }


def export(recorded: Iterable[Recorded]) -> Iterator[bytes]:
    """The lines of a combat's file, each with its newline."""
    found = whole(recorded)
    yield _line(found.header)
    for one in found.events:
        yield _line(one)


def whole(recorded: Iterable[Recorded]) -> Export:
    """Return the content of a combat's export file."""
    events = list(recorded)
    opened = events[0].event
    assert isinstance(opened, CombatOpened)
    last = chain_hash(events[-1])
    return Export(
        ExportHeader(FORMAT, 1, opened.combat, opened.ruleset, len(events), last),
        tuple(_event_line(one) for one in events),
    )


def _event_line(one: Recorded) -> ExportEvent:
    state = encode(one)
    return ExportEvent(topic(one), msgspec.Raw(state), chain_hash(one, state))


def _line(value: Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def read(file: bytes) -> Imported:
    """Return a file's combat, or raise `Malformed` with the first bad line.

    A file that is truncated, reordered, edited, or of an unknown format or event version is
    refused. Every line must be exactly what an export writes.
    """
    if not file.endswith(b"\n"):
        raise Malformed("/1", "the file does not end with a whole line")
    lines = _lines(file)
    header = _read(next(lines), ExportHeader, 1)
    if (header.format, header.version) != (FORMAT, 1):
        raise _wrong(1, f"format {header.format!r} {header.version} is not known")
    there = file.count(b"\n") - 1
    if header.events != there or not 0 < header.events <= MAX_EVENTS:
        raise _wrong(1, f"{header.events} events are announced, {there} are there")
    recorded: list[Recorded] = []
    states: list[bytes] = []
    began: set[int] = set()
    previous = ""
    for number, raw in enumerate(lines, 2):
        line = _read(raw, ExportEvent, number)
        state = bytes(line.event)
        one = _event(line.topic, state, number)
        _check(one, len(recorded) + 1, previous, recorded, number)
        previous = chain_hash(one, state)
        if line.hash != previous:
            raise _wrong(number, "the hash is not that of the event")
        _check_seed(one, number)
        _check_audience(one, number)
        _check_frame(one, began, number)
        recorded.append(one)
        states.append(state)
    if header.last != previous:
        raise _wrong(1, "the last hash is not that of the last event")
    opened = recorded[0].event
    assert isinstance(opened, CombatOpened)
    if (opened.combat, opened.ruleset) != (header.combat, header.ruleset):
        raise _wrong(1, "the header is about another combat")
    return Imported(header, tuple(recorded), tuple(states))


def _lines(file: bytes) -> Iterator[bytes]:
    """The lines one after the other, so that there are never copies of all of them."""
    start, number = 0, 1
    while start < len(file):
        end = file.index(b"\n", start)
        if end - start > MAX_LINE:
            raise _wrong(number, f"it has more than {MAX_LINE} bytes")
        yield file[start:end]
        start, number = end + 1, number + 1


def _wrong(number: int, what: str) -> Malformed:
    """Return the fault of a line."""
    return Malformed(f"/{number}", f"line {number}: {what}")


def _check_frame(one: Recorded, began: set[int], number: int) -> None:
    """A procedure is known by the version at which it began; `began` are those before."""
    if isinstance(one.event, ProcedureBegan):
        if one.event.frame != one.version:
            raise _wrong(number, f"procedure {one.event.frame} begins at version {one.version}")
        began.add(one.version)
    named = {one.frame} if one.frame else set()
    if isinstance(one.event, ProcedureEnded | ProcedureAbandoned):
        named.add(one.event.frame)
    for frame in named - began:
        raise _wrong(number, f"no procedure began at version {frame}")


def _check_seed(one: Recorded, number: int) -> None:
    """Check that a revealed seed matches its commitment."""
    if not isinstance(one.event, SeedRevealed):
        return
    try:
        seed = bytes.fromhex(one.event.seed)
    except ValueError:
        raise _wrong(number, "the seed is no hexadecimal text") from None
    if commitment(seed) != one.event.commitment:
        raise _wrong(number, "the seed is not the one committed to")


def _check_audience(one: Recorded, number: int) -> None:
    """Check that an event of the GM or an owner has no other audience."""
    who = getattr(one.event, "who", None)
    level = one.event.known_to
    if level == "gm" and one.audience != ():
        raise _wrong(number, "it is for the GM alone")
    if level == "owner" and who is not None and (one.audience is None or {*one.audience} - {who}):
        raise _wrong(number, f"it is for {who} alone")


def _read(raw: bytes, kind: type[T], number: int) -> T:
    try:
        value = msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(number, f"{error}") from None
    if msgspec.json.encode(value) != raw:
        raise Malformed(f"/{number}", f"line {number} is not as an export writes it")
    return value


def _event(name: str, state: bytes, number: int) -> Recorded:
    try:
        one = decode(state, name)
    except (msgspec.MsgspecError, Unknown, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(number, f"{error}") from None
    if topic(one) != name or encode(one) != state:
        raise _wrong(number, "the event is not as it is stored")
    if _SUSPECT.search(state):
        _check_values(msgspec.json.decode(state), number)
    for time in _times(one):
        if not _is_time(time):
            raise _wrong(number, f"{time!r} is no time in UTC")
    return one


def _times(one: Recorded) -> Iterator[str]:
    """Every time of an event: when it was recorded, and when prompts lapse."""
    yield one.at
    match one.event:
        case Prompted(until=str(until)):
            yield until
        case DeadlinesSet(until=ends):
            yield from ends.values()
        case _:
            pass


_SUSPECT = re.compile(rb"\\u0000|\\ud[89a-f]|[0-9]{16}|[0-9][eE]", re.IGNORECASE)
"""Bytes that may mark a value which no request could contain. Few events have them."""

_TIME = re.compile(
    r"([12]\d\d\d)-(0[1-9]|1[0-2])-([0-3]\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z"
)


def _is_time(text: str) -> bool:
    """Whether it is a time in UTC, of a day that the calendar has, from 1970 to 2999."""
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 28 + leap if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    return year >= 1970 and 1 <= day <= days


def _check_values(value: Any, number: int) -> None:
    """Check that a request could bring the value.

    It has no NUL, no half surrogate pair, and only finite numbers.
    """
    match value:
        case str():
            if "\x00" in value:
                raise _wrong(number, "a text holds the character NUL")
            if any("\ud800" <= sign <= "\udfff" for sign in value):
                raise _wrong(number, "a text holds half a surrogate pair")
        case bool():
            pass
        case int() | float():
            if not -(2**53) < value < 2**53:
                raise _wrong(number, "a number is beyond ±2^53")
        case list():
            for one in value:
                _check_values(one, number)
        case dict():
            for key, one in value.items():
                _check_values(key, number)
                _check_values(one, number)
        case _:
            pass


def _check(one: Recorded, version: int, previous: str, before: list[Recorded], number: int) -> None:
    """Gapless versions, a chain of hashes, parents that are there, a combat that is opened once."""
    if one.version != version:
        raise _wrong(number, f"version {one.version}, where {version} is due")
    if one.previous != previous:
        raise _wrong(number, "the chain of hashes is broken")
    present = 0
    if before:
        last = before[-1]
        present = last.event.to if isinstance(last.event, Reverted) else last.version
    if one.parent != present:
        raise _wrong(number, f"it continues from {one.parent}, the present is {present}")
    if isinstance(one.event, Reverted):
        to = one.event.to
        if not 0 < to < version or isinstance(before[to - 1].event, Reverted):
            raise _wrong(number, f"nothing can go on from version {to}")
    if isinstance(one.event, CombatOpened) is bool(before):
        raise _wrong(number, "the first event, and no other, opens a combat")
