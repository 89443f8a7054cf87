"""The time at which to check each combat again, because a prompt may be overdue.

Affray makes this time from prompts with a deadline, changes of deadlines, and undo. A row is a hint
and not a promise. The clock reads the combat to find overdue prompts. It then stores the
next time.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from eventsourcing.persistence import Tracking

from domain.record.events import DeadlinesSet, Prompted, Reverted
from domain.record.recorded import Recorded, topics_of
from projections.projection import Projection, View

MADE_FROM: Final = topics_of(Prompted, DeadlinesSet, Reverted)


class Deadlines(Projection):
    """The projection that stores, for the clock, the time of each combat's next check."""

    name = "deadlines"
    tables = """
        CREATE TABLE deadlines (combat_id uuid PRIMARY KEY, due timestamptz NOT NULL);
        CREATE INDEX deadlines_due ON deadlines (due);
    """
    topics = MADE_FROM

    async def process_event(self, view: View, event: Recorded, tracking: Tracking) -> None:
        """Store the time of the combat's next check."""
        due = earliest(event)
        if due is not None:
            await view.execute(
                "INSERT INTO deadlines VALUES ($1, $2)"
                " ON CONFLICT (combat_id) DO UPDATE SET due = least(deadlines.due, excluded.due)",
                UUID(event.combat),
                due,
            )

    async def forget(self, view: View, combat: str) -> None:
        """Delete the combat's deadline, so that the clock does not check the combat again."""
        await view.execute("DELETE FROM deadlines WHERE combat_id = $1", UUID(combat))


def earliest(event: Recorded) -> datetime | None:
    """Return the time of the combat's next check, as far as this event determines it."""
    match event.event:
        case Prompted(until=str(until)):
            return datetime.fromisoformat(until)
        case DeadlinesSet(until=until) if until:
            return datetime.fromisoformat(min(until.values()))
        case Reverted():  # it reopens the prompts of the earlier moment
            return datetime.fromisoformat(event.at)
        case _:
            return None
