"""The list of all combats, for pages and searches.

The list has one row for each combat. Affray makes the row from the events that open, label, begin
and end the combat, and from its rounds. Undone events do not count. The times of the row are those
of the combat's first and newest event.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import Tracking
from msgspec import Struct
from msgspec.structs import replace

from domain.record.events import (
    CombatBegan,
    CombatEnded,
    CombatOpened,
    LabelsSet,
    Reverted,
    RoundBegan,
)
from domain.record.recorded import Recorded, topics_of
from projections.projection import Projection, View

MADE_FROM: Final = topics_of(
    CombatOpened, CombatBegan, RoundBegan, CombatEnded, LabelsSet, Reverted
)


class Line(Struct, frozen=True):
    """A row of the list. `version` is the version of the newest event, even if it is undone."""

    name: str
    ruleset: str
    status: str
    round: int
    version: int
    created_at: datetime
    updated_at: datetime
    labels: tuple[str, ...] = ()


class Combats(Projection):
    """The projection that stores the rows of `GET /v1/combats`."""

    name = "combats"
    release = 2
    topics = MADE_FROM
    newest = True
    tables = """
        CREATE TABLE combats (
            combat_id uuid PRIMARY KEY,
            name text NOT NULL,
            ruleset text NOT NULL,
            status text NOT NULL,
            round bigint NOT NULL,
            version bigint NOT NULL,
            created_at timestamptz NOT NULL,
            updated_at timestamptz NOT NULL,
            labels text[] NOT NULL
        );
        CREATE INDEX combats_recent ON combats (updated_at DESC, combat_id DESC);
        CREATE INDEX combats_labelled ON combats USING gin (labels);
    """

    async def process_event(self, view: View, event: Recorded, tracking: Tracking) -> None:
        """Update the combat's row after one event."""
        await self.process_events(view, [(event, tracking)])

    async def process_events(self, view: View, events: Sequence[tuple[Recorded, Tracking]]) -> None:
        """Read the rows with one query, and write the new rows with one statement."""
        news: defaultdict[str, list[Recorded]] = defaultdict(list)
        for event, _ in events:
            news[event.combat].append(event)
        rows = await view.fetch(
            "SELECT combat_id, name, ruleset, status, round, version, created_at, updated_at,"
            " labels FROM combats WHERE combat_id = ANY($1::uuid[])",
            [UUID(combat) for combat in news],
        )
        lines = {str(row[0]): _line(row) for row in rows}
        for combat, new in news.items():
            line = await self._after(view, combat, lines.get(combat), new)
            if line is not None:
                lines[combat] = line
        await view.executemany(
            "INSERT INTO combats VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            " ON CONFLICT (combat_id) DO UPDATE SET name = $2, ruleset = $3, status = $4,"
            " round = $5, version = $6, created_at = $7, updated_at = $8, labels = $9",
            [
                (
                    UUID(combat),
                    line.name,
                    line.ruleset,
                    line.status,
                    line.round,
                    line.version,
                    line.created_at,
                    line.updated_at,
                    list(line.labels),
                )
                for combat, line in lines.items()
            ],
        )

    async def _after(
        self, view: View, combat: str, line: Line | None, new: Sequence[Recorded]
    ) -> Line | None:
        if any(isinstance(recorded.event, Reverted) for recorded in new):
            made = fold(None, await view.present(combat, new[-1].version, MADE_FROM))
        else:
            made = fold(line, new)
        if made is None:
            return None  # the combat is deleted; a later event reports the deletion
        return replace(made, version=new[-1].version, updated_at=time_of(new[-1]))

    async def forget(self, view: View, combat: str) -> None:
        """Delete the combat's row."""
        await view.execute("DELETE FROM combats WHERE combat_id = $1", UUID(combat))


def _line(row: Sequence[Any]) -> Line:
    _, name, ruleset, status, round, version, created_at, updated_at, labels = row
    return Line(name, ruleset, status, round, version, created_at, updated_at, tuple(labels))


def fold(line: Line | None, events: Sequence[Recorded]) -> Line | None:
    """Return the row after these events, or `None` if the combat is not open yet."""
    for recorded in events:
        event = recorded.event
        if isinstance(event, CombatOpened):
            at = time_of(recorded)
            line = Line(event.name, event.ruleset, "opening", 0, recorded.version, at, at)
        elif line is None:
            continue
        elif isinstance(event, CombatBegan):
            line = replace(line, status="running")
        elif isinstance(event, LabelsSet):
            line = replace(line, labels=event.labels)
        elif isinstance(event, RoundBegan):
            line = replace(line, round=event.round)
        elif isinstance(event, CombatEnded):
            line = replace(line, status="ended")
    return line


def time_of(recorded: Recorded) -> datetime:
    """Return the time at which Affray recorded the event."""
    return datetime.fromisoformat(recorded.at)
