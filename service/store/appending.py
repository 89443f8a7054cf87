"""Appending: store waiting commands with one statement, and look up unknown outcomes.

A shared statement does not wait for a combat that another writer is changing. `Appending` then
sends the command of that combat in a statement of its own.
"""

import asyncio
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from service.store.gatherer import Gathering
from service.store.port import PATIENCE_S, Statements
from service.store.rows import Append, Conflict, Lost, OutcomeUnknown, Unavailable

SLOW_S: Final = 0.02
"""Seconds after which a second statement may run at the same time as the first."""

LARGEST: Final = 64
"""The limit of commands in one statement."""


class Appending:
    """Stores commands.

    At most one command per combat waits, because a change holds the combat's lock.
    """

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self._waiting: dict[UUID, tuple[Append, asyncio.Future[bool | None]]] = {}
        self._sending = Gathering(lambda: self._waiting, self._send, SLOW_S)

    async def append(self, command: Append) -> None:
        """Store the complete command. Raise `Conflict`, `Unavailable` or `OutcomeUnknown`."""
        if not command.is_gapless:  # the statement numbers the events itself
            raise Conflict
        for last in (False, True):
            try:
                store = self.statements.alone if last else self._store
                stored = await store(command)
            except Lost:
                # The outcome is unknown: look it up on another connection, then try once more.
                if await self._asked_again(command):
                    return
                if last:
                    raise OutcomeUnknown(command.command) from None
                continue
            except Unavailable:
                if last:  # the first try may still hold the lock, so its outcome stays unknown
                    raise OutcomeUnknown(command.command) from None
                raise
            if stored or (last and await self._asked_again(command)):
                return  # this try stored it, or the first try did so late
            raise Conflict

    async def _asked_again(self, command: Append) -> bool:
        try:
            return await self.statements.has(command)
        except (Unavailable, OutcomeUnknown):
            raise OutcomeUnknown(command.command) from None

    async def _store(self, command: Append) -> bool:
        """Store a command. Return false for a conflict.

        Raise `Unavailable`, or `Lost` if the database may or may not have stored the command.
        """
        if command.before is None or command.seeds or command.combat in self._waiting:
            return await self.statements.alone(command)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool | None] = loop.create_future()
        self._waiting[command.combat] = (command, future)
        giving_up = loop.call_later(PATIENCE_S, self._give_up, command)
        self._sending.wake()
        try:
            stored = await future
        finally:
            giving_up.cancel()
        return await self.statements.alone(command) if stored is None else stored

    async def close(self) -> None:
        """Stop sending."""
        await self._sending.close()

    def _give_up(self, command: Append) -> None:
        waiting = self._waiting.get(command.combat)
        if waiting is not None and waiting[0] is command:
            del self._waiting[command.combat]
            _tell([waiting], Unavailable("others wait for the database"))

    async def _send(self) -> None:
        taken = [self._waiting.pop(combat) for combat in list(self._waiting)[:LARGEST]]
        try:
            if len(taken) == 1:
                _answer(taken[0], await self.statements.alone(taken[0][0]))
                return
            commands = [command for command, _ in taken]
            stored, locked = await self.statements.together(commands)
        except Conflict:  # a key among them already has an answer
            for waiting in taken:
                _answer(waiting, None)
        except asyncio.CancelledError:
            _tell(taken, Lost("the service stops"))
            raise
        except Exception as error:
            _tell(taken, error)
        else:
            for waiting in taken:
                combat = waiting[0].combat
                _answer(waiting, None if combat not in locked else combat in stored)


_Waiting = tuple[Append, "asyncio.Future[bool | None]"]


def _answer(waiting: _Waiting, stored: bool | None) -> None:
    if not waiting[1].done():
        waiting[1].set_result(stored)


def _tell(taken: Sequence[_Waiting], error: Exception) -> None:
    for _, future in taken:
        if not future.done():
            future.set_exception(error)
