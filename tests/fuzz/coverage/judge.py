"""The promises that every input must keep, whatever its bytes.

An input that begins with `{` is an export file. Any other input is a stored event: a line with its
topic, then its bytes.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final, ParamSpec, TypeVar
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from domain.engine.session import Session
from domain.errors import Malformed, Refused
from domain.record.export import Imported, export, read
from domain.record.fork import copy, fork
from domain.record.recorded import Recorded, chain_hash, decode, encode, topic
from domain.record.verify import verify
from domain.rulebook.admission import Admission
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.board import board
from projections.eyes import Eyes
from service.import_trial import context, made_of
from service.routes.copies import id_of
from service.store.mapper import Mapper, NewerRelease

VIEWED: Final = 16
"""One in this many valid fights is shown to every reader and played on, which is slow."""

RULESETS: Final[Mapping[str, Ruleset]] = installed()
OTHER: Final = UUID("00000000-0000-4000-8000-000000000001")
MAPPER: Final = Mapper()

P = ParamSpec("P")
R = TypeVar("R")


class Inline(ThreadPoolExecutor):
    """An executor that runs everything at once, so that one thread sees all of the coverage."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Judge:
    """A judge of inputs, one after another, on one event loop.

    With `thorough`, each input gets every view and further commands.
    """

    def __init__(self, *, thorough: bool = True) -> None:
        self._thorough = thorough
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(Inline())

    def close(self) -> None:
        self._loop.close()

    def judge(self, data: bytes) -> str:
        """Return the kind of the answer. Any exception is a fault of the service."""
        return self._file(data) if data.startswith(b"{") else _event(data)

    def _file(self, file: bytes) -> str:
        try:
            imported = read(file)
        except Malformed as error:
            return _with_line(error, "unreadable")
        ruleset = RULESETS.get(imported.header.ruleset)
        if ruleset is None:
            return "of an unknown rulebook"
        try:
            id_of(imported)
        except Malformed as error:
            return _with_line(error, "without an id")
        copied, states = copy(imported.recorded, str(OTHER))  # as the service does first
        marks = sha256(file).digest()
        viewed = self._thorough or marks[0] % VIEWED == 0
        try:
            live = self._made(ruleset, imported.recorded, viewed=viewed)
        except Malformed as error:
            return _with_line(error, "no fight")
        sound = _is_whole(file, imported, live, ruleset)
        _is_copy(live, ruleset, copied, states, viewed=viewed)
        version = 1 + marks[1] * (live.version - 1) // 255
        self._forks(live, ruleset, version, sound, viewed=viewed)
        return "imported"

    def _made(self, ruleset: Ruleset, recorded: Any, *, viewed: bool) -> Session:
        """Return the fight, as an import makes it. Unless `viewed`, skip views and commands."""
        if not viewed:
            with suppress(Exception):  # the complete trial must refuse it
                return _admitted(ruleset, recorded)
        trial: Coroutine[Any, Any, Session] = made_of(ruleset, recorded)
        return self._loop.run_until_complete(trial)

    def _forks(
        self, live: Session, ruleset: Ruleset, version: int, sound: bool, *, viewed: bool
    ) -> None:
        """Check that a fork can be exported, verified and imported. With `viewed`, also read it."""
        try:
            rest = live.history.at_rest(version)
        except Refused:
            return
        recorded, states = fork(list(live.history.path_to(rest)), str(OTHER), None, bytes(32))
        forked = Session(ruleset, recorded)
        file = b"".join(export(recorded))
        assert list(read(file).states) == states
        report = verify(file)
        assert report.sound or not sound, report.text()
        assert self._made(ruleset, recorded, viewed=viewed).version == forked.version
        if viewed:
            _shows(forked)


def _admitted(ruleset: Ruleset, recorded: Sequence[Recorded]) -> Session:
    admission = Admission(ruleset)
    for event in recorded:
        admission.check(event)
    return Session(ruleset, recorded)


def _with_line(error: Malformed, kind: str) -> str:
    """Check that a refusal names a line."""
    assert error.pointer[:1] == "/", error.pointer
    assert error.pointer[1:].isdecimal(), error.pointer
    assert error.detail
    return kind


def _is_whole(file: bytes, imported: Imported, live: Session, ruleset: Ruleset) -> bool:
    """Check that storing and reading keep an import. Return true if it verifies as sound."""
    assert live.version == len(imported.recorded)
    assert b"".join(export(imported.recorded)) == file
    rows = MAPPER.rows(imported.recorded, imported.states)
    again = [
        MAPPER.event(StoredEvent(OTHER, row.originator_version, row.topic, row.state))
        for row in rows
    ]
    assert again == list(imported.recorded)
    assert Session(ruleset, again).combat == live.combat
    report = verify(file)
    assert report.events == live.version, report.text()
    assert all(fault.startswith("event ") for fault in report.faults), report.text()
    return report.sound


def _is_copy(
    live: Session,
    ruleset: Ruleset,
    recorded: tuple[Recorded, ...],
    states: tuple[bytes, ...],
    *,
    viewed: bool,
) -> None:
    """Check that a copy differs only by its id."""
    copied = read(b"".join(export(recorded)))
    assert copied.states == states
    assert id_of(copied) == OTHER
    there = Session(ruleset, recorded)
    assert there.version == live.version
    if viewed:
        live.left_to_log()
        _shows(live)
        _shows(there)


def _shows(live: Session) -> None:
    """Make the GM's board, which is the answer after a combat is stored."""
    board(live, Eyes(live.history, context(live.combat).caller))


def _event(data: bytes) -> str:
    """Decode a stored event, as the store does."""
    name, _, state = data.partition(b"\n")
    stored = StoredEvent(OTHER, 1, name.decode("latin-1"), state)
    try:
        recorded = MAPPER.event(stored)
    except NewerRelease:
        return "of a newer release"
    except MapperDeserialisationError:
        return "unreadable"
    again = encode(recorded)
    assert decode(again, topic(recorded)) == recorded
    assert encode(decode(again, topic(recorded))) == again
    assert chain_hash(recorded) == chain_hash(recorded, again)
    return "decoded"
