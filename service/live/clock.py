"""The clock gives overdue prompts their default, once, on the first replica that finds them.

The read model `deadlines` finds overdue prompts and survives a restart. The combat decides whether
a prompt is overdue. Like every command, Affray stores the default only if no other change came
first.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from domain.engine.commands import Lapse
from domain.engine.session import Decision
from domain.errors import Refused
from service.background import Background
from service.combats import Combats
from service.decisions import decide
from service.hot_combat import Hot
from service.loader import NotHere
from service.quarantine import LATER_S, Aside
from service.store.database import Database
from service.store.outage import Outage
from service.store.rows import OutcomeUnknown, Unavailable

log = logging.getLogger("affray")

WORKER: Final = "clock"
TICK_S: Final = 0.5
AT_ONCE: Final = 50
AGAIN_S: Final = 5
"""Seconds until the next check of a combat whose overdue prompt is still open.

For example, another prompt suspends it, or the combat was not available.
"""


class Clock:
    """Looks for overdue prompts, twice a second."""

    def __init__(self, combats: Combats, database: Database, aside: Aside) -> None:
        self.combats, self.database, self.aside = combats, database, aside
        self._background = Background()

    def start(self) -> None:
        """Start the clock."""
        self._background.begin(self._run())

    async def stop(self) -> None:
        """Stop the clock."""
        await self._background.end()

    async def _run(self) -> None:
        outage = Outage("the clock")
        while True:
            await asyncio.sleep(TICK_S)
            try:
                with outage.told():
                    await self.look()
            except Exception:
                log.exception("the clock cannot go on")

    async def look(self) -> None:
        """Check combats with an overdue prompt, and give these prompts their default."""
        rows = await self.database.run(
            lambda connection: connection.fetch(
                "SELECT combat_id, due FROM projection_deadlines.deadlines"
                " WHERE due <= now() ORDER BY due LIMIT $1",
                AT_ONCE,
            )
        )
        for row in rows:
            await self._put(row[0], row[1], await self._alone(UUID(str(row[0]))))

    async def _alone(self, combat: UUID) -> datetime | None:
        """Check one combat. A fault in it does not stop the checks of others."""
        try:
            next_look = await self._of(combat)
        except (Unavailable, OutcomeUnknown):
            await self.database.run(
                lambda connection: connection.execute("SELECT 1")
            )  # end this search if the database does not answer
            return datetime.now(UTC) + timedelta(seconds=AGAIN_S)
        except Exception as error:
            self.aside.add(WORKER, combat, error)
            return datetime.now(UTC) + timedelta(seconds=LATER_S)
        self.aside.discard(WORKER, combat)
        return next_look

    async def _of(self, combat: UUID) -> datetime | None:
        """Give a combat's overdue prompts their default.

        Return the next deadline, or `None` without one.
        """
        try:
            hot = await self.combats.confirmed(combat)
            master = hot.master
            if _next(hot) is None or master is None:
                return None
            with suppress(Refused):  # no prompt is due yet, or another command came first
                await decide(self.combats, hot, master, Lapse(), _nothing)
        except NotHere:
            return None
        due = _next(hot)
        if due is not None and due <= datetime.now(UTC):
            return datetime.now(UTC) + timedelta(seconds=AGAIN_S)
        return due

    async def _put(self, combat: UUID, seen: datetime, due: datetime | None) -> None:
        query = "UPDATE projection_deadlines.deadlines SET due = $3"
        if due is None:
            query = "DELETE FROM projection_deadlines.deadlines"
        query += " WHERE combat_id = $1 AND due = $2"
        values = (combat, seen) if due is None else (combat, seen, due)
        await self.database.run(lambda connection: connection.execute(query, *values))


def _next(hot: Hot) -> datetime | None:
    """Return the earliest deadline of an open prompt."""
    ends = [
        datetime.fromisoformat(prompt.until)
        for prompt in hot.live.combat.prompts.values()
        if prompt.until is not None and prompt.answer is None
    ]
    return min(ends, default=None)


def _nothing(hot: Hot, decision: Decision) -> tuple[int, None]:
    return 200, None
