"""Appending: one command is one statement, without BEGIN; those that wait together share one.

Every change of a combat goes through its row in `heads`: what was decided on anything but the
present, by a token that is not in force, or about a combat that is gone, changes nothing. In a
shared statement that holds for each command by itself: the loser has its conflict, the others are
stored. A combat that somebody else is changing is not waited for there; its command goes alone.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg

from service.background import Background
from service.store.database import PATIENCE_S, Database, Lost
from service.store.rows import Append, Unavailable

AT_ONCE: Final = 2
"""Shared statements on their way at the same time: one that hangs does not stop the others."""

LARGEST: Final = 64
"""Commands in one statement."""

_ASKED: Final = """
WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::text[],
        $6::bigint[], $7::text[], $8::bigint[], $9::bigint[], $10::timestamptz[])
        AS n(id, life, first, last, fresh, version, digest, tokens, texts, ends_at)
)"""

_WITH_IT: Final = """, e AS (
    INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)
    SELECT n.id, v, t, s, c
    FROM head JOIN unnest($11::uuid[], $12::bigint[], $13::text[], $14::bytea[], $15::uuid[])
        AS n(id, v, t, s, c) ON n.id = head.id
), i AS (
    INSERT INTO idempotency (combat_id, token_id, key, fingerprint, status, etag, body, command_id)
    SELECT n.id, t, k, f, s, g, y, c
    FROM head JOIN unnest($16::uuid[], $17::text[], $18::text[], $19::bytea[], $20::int[],
        $21::text[], $22::bytea[], $23::uuid[]) AS n(id, t, k, f, s, g, y, c) ON n.id = head.id
), k AS (
    INSERT INTO tokens (combat_id, token_id, hash, role, label, owner, combatants)
    SELECT n.id, token, hash, role, label, owner, string_to_array(combatants, ',')
    FROM head JOIN unnest($24::uuid[], $25::text[], $26::bytea[], $27::text[], $28::text[],
        $29::text[], $30::text[]) AS n(id, token, hash, role, label, owner, combatants)
        ON n.id = head.id
), s AS (
    INSERT INTO seeds (combat_id, commitment, seed)
    SELECT n.id, c, s
    FROM head JOIN unnest($31::uuid[], $32::text[], $33::bytea[]) AS n(id, c, s) ON n.id = head.id
), u AS (
    INSERT INTO unplaced (combat_id, first, last)
    SELECT n.id, n.first, n.last FROM head JOIN asked AS n ON n.id = head.id
)
"""

_AS_DECIDED: Final = """h.life = n.life AND h.version = n.version AND h.digest IN (n.digest, '')
      AND h.tokens = n.tokens AND h.texts = n.texts
      AND (n.ends_at IS NULL OR clock_timestamp() < n.ends_at)
    RETURNING h.combat_id AS id"""

_DONE: Final = "SELECT ARRAY(SELECT id FROM head)"

OPEN: Final = f"""{_ASKED}, head AS (
    INSERT INTO heads (combat_id, life, version, digest) SELECT id, life, last, fresh FROM asked
    RETURNING combat_id AS id
){_WITH_IT}{_DONE}"""

APPEND: Final = f"""{_ASKED}, head AS (
    UPDATE heads AS h SET version = n.last, digest = n.fresh FROM asked AS n
    WHERE h.combat_id = n.id AND {_AS_DECIDED}
){_WITH_IT}{_DONE}"""

TOGETHER: Final = f"""{_ASKED}, locked AS (
    SELECT combat_id FROM heads WHERE combat_id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED
), head AS (
    UPDATE heads AS h SET version = n.last, digest = n.fresh
    FROM locked AS l JOIN asked AS n ON n.id = l.combat_id
    WHERE h.combat_id = l.combat_id AND {_AS_DECIDED}
){_WITH_IT}{_DONE}, ARRAY(SELECT combat_id FROM locked)"""


class Appending:
    """Stores commands. At most one of a combat waits here: it is locked while it is changed."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.statements = 0
        self._waiting: dict[UUID, tuple[Append, asyncio.Future[bool | None]]] = {}
        self._at_work = 0
        self._background = Background()

    async def store(self, command: Append) -> bool:
        """Whether it was stored, and no conflict. Raises `Unavailable`, or `Lost`: not known."""
        if command.before is None or command.combat in self._waiting:
            return await self.alone(command)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool | None] = loop.create_future()
        self._waiting[command.combat] = (command, future)
        giving_up = loop.call_later(PATIENCE_S, self._give_up, command)
        if self._at_work < AT_ONCE:
            self._at_work += 1
            self._background.begin(self._work())
        try:
            stored = await future
        finally:
            giving_up.cancel()
        return await self.alone(command) if stored is None else stored

    async def alone(self, command: Append) -> bool:
        """The same by a statement of its own, which waits for who is changing the combat."""
        statement = OPEN if command.before is None else APPEND
        self.statements += 1
        try:
            stored = await self.database.run(
                lambda one: one.fetchval(statement, *_arguments((command,)))
            )
        except asyncpg.UniqueViolationError:
            return False
        return bool(stored)

    async def close(self) -> None:
        """Send nothing more."""
        await self._background.end()

    def _give_up(self, command: Append) -> None:
        waiting = self._waiting.get(command.combat)
        if waiting is not None and waiting[0] is command:
            del self._waiting[command.combat]
            _tell([waiting], Unavailable("others wait for the database"))

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._send()
        finally:
            # At once with the last look at `_waiting`: a task that is done but still counted would
            # leave whoever comes next without anybody to send it.
            self._at_work -= 1

    async def _send(self) -> None:
        taken = [self._waiting.pop(combat) for combat in list(self._waiting)[:LARGEST]]
        try:
            if len(taken) == 1:
                _answer(taken[0], await self.alone(taken[0][0]))
                return
            stored, locked = await self._together([command for command, _ in taken])
        except asyncpg.UniqueViolationError:  # of one of them, whose key was answered before
            for one in taken:
                _answer(one, None)
        except asyncio.CancelledError:
            _tell(taken, Lost("the service stops"))
            raise
        except Exception as error:
            _tell(taken, error)
        else:
            for one in taken:
                combat = one[0].combat
                _answer(one, None if combat not in locked else combat in stored)

    async def _together(self, commands: Sequence[Append]) -> tuple[set[UUID], set[UUID]]:
        """The combats whose commands were stored, and those that nobody else was changing."""
        self.statements += 1
        row = await self.database.run(lambda one: one.fetchrow(TOGETHER, *_arguments(commands)))
        return set(row[0]), set(row[1])


_Waiting = tuple[Append, "asyncio.Future[bool | None]"]


def _answer(waiting: _Waiting, stored: bool | None) -> None:
    if not waiting[1].done():
        waiting[1].set_result(stored)


def _tell(taken: Sequence[_Waiting], error: Exception) -> None:
    for _, future in taken:
        if not future.done():
            future.set_exception(error)


def _arguments(commands: Sequence[Append]) -> list[list[Any]]:
    afters = [(one, one.after, one.before) for one in commands]
    events = [(one, event) for one in commands for event in one.events]
    answers = [(one, one.answer) for one in commands if one.answer is not None]
    tokens = [(one, token) for one in commands for token in one.tokens]
    seeds = [(one, seed) for one in commands for seed in one.seeds]
    return [
        [one.combat for one in commands],
        [after.life for _, after, _ in afters],
        [one.events[0].originator_version for one in commands],
        [after.version for _, after, _ in afters],
        [one.digest for one in commands],
        *_befores(commands),
        [one.combat for one, _ in events],
        [event.originator_version for _, event in events],
        [event.topic for _, event in events],
        [event.state for _, event in events],
        [one.command for one, _ in events],
        [one.combat for one, _ in answers],
        [answer.token for _, answer in answers],
        [answer.key for _, answer in answers],
        [answer.fingerprint for _, answer in answers],
        [answer.status for _, answer in answers],
        [answer.etag for _, answer in answers],
        [answer.body for _, answer in answers],
        [one.command for one, _ in answers],
        [one.combat for one, _ in tokens],
        [token.id for _, token in tokens],
        [token.hash for _, token in tokens],
        [token.role for _, token in tokens],
        [token.label for _, token in tokens],
        [token.owner for _, token in tokens],
        [",".join(token.combatants) for _, token in tokens],
        [one.combat for one, _ in seeds],
        [commitment for _, (commitment, _) in seeds],
        [seed for _, (_, seed) in seeds],
    ]


def _befores(commands: Sequence[Append]) -> list[list[Any]]:
    """What each was decided on; nothing for a combat that is opened."""
    befores = [one.before for one in commands]
    return [
        [None if one is None else one.version for one in befores],
        [None if one is None else one.digest for one in befores],
        [None if one is None else one.tokens for one in befores],
        [None if one is None else one.texts for one in befores],
        [one.ends_at for one in commands],
    ]
