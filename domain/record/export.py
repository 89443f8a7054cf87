"""Export: a combat as JSON Lines, with a header and a line for each event and each picture.

The line of an event has its topic and the exact bytes that Affray stores and hashes. An import
therefore has the same hashes, and a second export gives the same file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.errors import Malformed, Unknown
from domain.record.events import (
    Answered,
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
from domain.record.json_words import plain
from domain.record.recorded import (
    Recorded,
    chain_hash,
    decode,
    encode,
    is_newer,
    stored_hash,
    topic,
)

T = TypeVar("T")

PICTURE = r"^[A-Za-z0-9_-]{22}\Z"
"""The id of an uploaded picture."""

FORMAT = "affray-combat"
MAX_EVENTS = 1_000_000
MAX_PICTURES = 1000
MAX_LINE = 8 * 1024 * 1024
"""The largest length of a line, in bytes. A command has at most 1 MiB."""


class ExportHeader(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of the file. `last` is the hash of the last event."""

    format: Annotated[str, Meta(description="Kind of file")]
    version: Annotated[int, Meta(description="Version of the format")]
    combat: str
    ruleset: str
    events: Annotated[int, Meta(description="Number of events that follow")]
    last: Annotated[str, Meta(description="Hash of the last event")]
    pictures: Annotated[int, Meta(description="Number of pictures that follow the events")] = 0


class ExportEvent(Struct, frozen=True, forbid_unknown_fields=True):
    """A line with an event: its topic, its stored bytes and its hash."""

    topic: Annotated[str, Meta(description="Type and class version, such as `damaged:1`")]
    event: Annotated[msgspec.Raw, Meta(description="The stored event, verbatim")]
    hash: Annotated[str, Meta(description="Its SHA-256, in hexadecimal")]


class ExportPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of an export that holds an uploaded picture.

    Events name the picture's id. Their hashes do not cover the picture, so they do not reveal a
    changed picture.
    """

    picture: Annotated[str, Meta(description="Id of the picture", pattern=PICTURE)]
    data: Annotated[bytes, Meta(description="The picture as WebP, in base64")]


class Export(Struct, frozen=True):
    """The content of an export file."""

    header: Annotated[ExportHeader, Meta(description="The first line")]
    events: tuple[ExportEvent, ...]
    pictures: Annotated[tuple[ExportPicture, ...], Meta(description="The uploaded pictures")] = ()


@dataclass(frozen=True)
class Imported:
    """The content of a file whose combat, hashes and pictures agree."""

    header: ExportHeader
    recorded: tuple[Recorded, ...]
    states: tuple[bytes, ...]
    pictures: tuple[ExportPicture, ...] = ()

    @property
    def seeds(self) -> Mapping[str, bytes]:
        """Return the revealed seeds by their commitments."""
        return {
            recorded.event.commitment: bytes.fromhex(recorded.event.seed)
            for recorded in self.recorded
            if isinstance(recorded.event, SeedRevealed)
        }


def export(recorded: Iterable[Recorded], pictures: Sequence[ExportPicture] = ()) -> Iterator[bytes]:
    """Yield the lines of a combat's file, each with its newline."""
    export = whole(recorded, pictures)
    yield _line(export.header)
    for export_event in export.events:
        yield _line(export_event)
    for picture in export.pictures:
        yield _line(picture)


def whole(recorded: Iterable[Recorded], pictures: Sequence[ExportPicture] = ()) -> Export:
    """Return the content of a combat's export file."""
    events = list(recorded)
    opened = events[0].event
    assert isinstance(opened, CombatOpened)
    last = chain_hash(events[-1])
    return Export(
        ExportHeader(FORMAT, 1, opened.combat, opened.ruleset, len(events), last, len(pictures)),
        tuple(_event_line(recorded) for recorded in events),
        tuple(pictures),
    )


def _event_line(recorded: Recorded) -> ExportEvent:
    state = encode(recorded)
    return ExportEvent(topic(recorded), msgspec.Raw(state), chain_hash(recorded, state))


def _line(value: Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def read(file: bytes) -> Imported:
    """Return the combat in a file. Raise `Malformed` with the first bad line.

    Every line must equal the line that an export writes. The function therefore refuses a
    truncated, reordered or edited file. It also refuses an unknown format or event version.
    """
    if not file.endswith(b"\n"):
        raise Malformed("/1", "the file does not end with a whole line")
    lines = _lines(file)
    header = _read(next(lines), ExportHeader, 1)
    if (header.format, header.version) != (FORMAT, 1):
        raise _wrong(1, f"format {header.format!r} {header.version} is not known")
    there = file.count(b"\n") - 1
    pictures = header.pictures
    announced = 0 < header.events <= MAX_EVENTS and 0 <= pictures <= MAX_PICTURES
    if not announced or header.events + pictures != there:
        beside = f" and {pictures} pictures" if pictures else ""
        raise _wrong(1, f"{header.events} events{beside} are announced, {there} are there")
    recorded: list[Recorded] = []
    states: list[bytes] = []
    began: set[int] = set()
    reactions: set[str] = set()
    paths = Paths()
    previous = ""
    for number, raw in enumerate(islice(lines, header.events), 2):
        line = _read(raw, ExportEvent, number)
        state = bytes(line.event)
        event = _event(line.topic, state, number)
        _check(event, len(recorded) + 1, previous, recorded, number)
        previous = stored_hash(event, state)
        if line.hash != previous:
            raise _wrong(number, "the hash is not that of the event")
        if is_newer(event, state):
            raise _wrong(number, "a newer release has written it: this one does not know a field")
        _check_seed(event, number)
        asked = event.event
        if isinstance(asked, Prompted) and asked.kind == "reaction" and not asked.sealed:
            reactions.add(asked.prompt)
        _check_audience(event, number, reactions)
        paths.add(event.parent)
        _check_frame(event, began, paths, number)
        recorded.append(event)
        states.append(state)
    if header.last != previous:
        raise _wrong(1, "the last hash is not that of the last event")
    opened = recorded[0].event
    assert isinstance(opened, CombatOpened)
    if (opened.combat, opened.ruleset) != (header.combat, header.ruleset):
        raise _wrong(1, "the header is about another combat")
    return Imported(header, tuple(recorded), tuple(states), _pictures(lines, header))


def _pictures(lines: Iterator[bytes], header: ExportHeader) -> tuple[ExportPicture, ...]:
    """Return the pictures. The caller must check their content."""
    pictures: dict[str, ExportPicture] = {}
    for number, raw in enumerate(lines, header.events + 2):
        line = _read(raw, ExportPicture, number)
        if line.picture in pictures:
            raise _wrong(number, "another line holds this picture")
        pictures[line.picture] = line
    return tuple(pictures.values())


def _lines(file: bytes) -> Iterator[bytes]:
    """Yield the lines one by one, so that memory never holds a second copy of the file."""
    start, number = 0, 1
    while start < len(file):
        end = file.index(b"\n", start)
        if end - start > MAX_LINE:
            raise _wrong(number, f"it has more than {MAX_LINE} bytes")
        yield file[start:end]
        start, number = end + 1, number + 1


def _wrong(number: int, what: str) -> Malformed:
    """Return the error for a line."""
    return Malformed(f"/{number}", f"line {number}: {what}")


class Paths:
    """A tree of versions, each with its parent. A query takes logarithmic time.

    Each version also links to a much earlier version (Myers, "An applicative random-access stack").
    """

    def __init__(self) -> None:
        self._parent, self._jump, self._depth = [0], [0], [0]

    def add(self, parent: int) -> None:
        """Add the next version, which continues from `parent`."""
        jump = self._jump[parent]
        further = self._jump[jump]
        depth, middle = self._depth[parent], self._depth[jump]
        is_even = depth - middle == middle - self._depth[further]
        self._parent.append(parent)
        self._jump.append(further if is_even else parent)
        self._depth.append(depth + 1)

    def leads(self, version: int, to: int) -> bool:
        """Return true if the path to version `to` contains `version`."""
        while to > version:
            jump = self._jump[to]
            to = jump if jump >= version else self._parent[to]
        return to == version


def _check_frame(recorded: Recorded, began: set[int], paths: Paths, number: int) -> None:
    """Check that the frame that the event names is in `began` and on the path to the event."""
    if isinstance(recorded.event, ProcedureBegan):
        if recorded.event.frame != recorded.version:
            raise _wrong(
                number, f"procedure {recorded.event.frame} begins at version {recorded.version}"
            )
        began.add(recorded.version)
    named = {recorded.frame} if recorded.frame else set()
    if isinstance(recorded.event, ProcedureEnded | ProcedureAbandoned):
        named.add(recorded.event.frame)
    for frame in named:
        if frame not in began or not paths.leads(frame, recorded.version):
            raise _wrong(number, f"no procedure began at version {frame}")


def _check_seed(recorded: Recorded, number: int) -> None:
    """Check that a revealed seed matches its commitment."""
    if not isinstance(recorded.event, SeedRevealed):
        return
    try:
        seed = bytes.fromhex(recorded.event.seed)
    except ValueError:
        raise _wrong(number, "the seed is no hexadecimal text") from None
    if commitment(seed) != recorded.event.commitment:
        raise _wrong(number, "the seed is not the one committed to")


def _check_audience(recorded: Recorded, number: int, reactions: Set[str]) -> None:
    """Check the audience of an event that only the GM or one combatant's player may read.

    `reactions` are the ids of reaction prompts. Everybody may read an answer that takes a reaction.
    """
    event = recorded.event
    if isinstance(event, Answered) and recorded.audience is None and event.prompt in reactions:
        return
    who = getattr(recorded.event, "who", None)
    level = recorded.event.known_to
    if level == "gm" and recorded.audience != ():
        raise _wrong(number, "it is for the GM alone")
    if (
        level == "owner"
        and who is not None
        and (recorded.audience is None or {*recorded.audience} - {who})
    ):
        raise _wrong(number, f"it is for {who} alone")


def _read(raw: bytes, kind: type[T], number: int) -> T:
    try:
        value = msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(number, plain(error)) from None
    if msgspec.json.encode(value) != raw:
        raise Malformed(f"/{number}", f"line {number} is not as an export writes it")
    return value


def _event(name: str, state: bytes, number: int) -> Recorded:
    try:
        recorded = decode(state, name)
    except (msgspec.MsgspecError, Unknown, UnicodeDecodeError, RecursionError) as error:
        raise _wrong(number, plain(error)) from None
    if topic(recorded) != name or encode(recorded) != state:
        raise _wrong(number, "the event is not as it is stored")
    if _SUSPECT.search(state):
        _check_values(msgspec.json.decode(state), number)
    for time in _times(recorded):
        if not _is_time(time):
            raise _wrong(number, f"{time!r} is no time in UTC")
    return recorded


def _times(recorded: Recorded) -> Iterator[str]:
    """Yield every time in an event: the time of the event, and the deadlines of prompts."""
    yield recorded.at
    match recorded.event:
        case Prompted(until=str(until)):
            yield until
        case DeadlinesSet(until=ends):
            yield from ends.values()
        case _:
            pass


_SUSPECT = re.compile(
    rb"\\u0000|\\ud[89a-f]|[:,\[]-?(?:[0-9]{16}|[0-9.]+e)",  # long numbers, no hashes or ids
    re.IGNORECASE,
)
"""A pattern for bytes of values that no request can contain. It matches few valid events."""

_TIME = re.compile(
    r"([12]\d\d\d)-(0[1-9]|1[0-2])-([0-3]\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z"
)


def _is_time(text: str) -> bool:
    """Return true if a text is a UTC time on a valid day from 1970 to 2999."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 28 + leap if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    return year >= 1970 and 1 <= day <= days


def _check_values(value: Any, number: int) -> None:
    """Check that a request could contain the value.

    A valid value has no NUL, no half of a surrogate pair, and only numbers within ±2^53.
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
            for item in value:
                _check_values(item, number)
        case dict():
            for key, item in value.items():
                _check_values(key, number)
                _check_values(item, number)
        case _:
            pass


def _check(
    recorded: Recorded, version: int, previous: str, before: list[Recorded], number: int
) -> None:
    """Check the version, the hash chain and the parent. Only the first event may open a combat."""
    if recorded.version != version:
        raise _wrong(number, f"version {recorded.version}, where {version} is due")
    if recorded.previous != previous:
        raise _wrong(number, "the chain of hashes is broken")
    present = 0
    if before:
        last = before[-1]
        present = last.event.to if isinstance(last.event, Reverted) else last.version
    if recorded.parent != present:
        raise _wrong(number, f"it continues from {recorded.parent}, the present is {present}")
    if isinstance(recorded.event, Reverted):
        to = recorded.event.to
        if not 0 < to < version or isinstance(before[to - 1].event, Reverted):
            raise _wrong(number, f"nothing can go on from version {to}")
    if isinstance(recorded.event, CombatOpened) is bool(before):
        raise _wrong(number, "the first event, and no other, opens a combat")
