"""A persistence module for the eventsourcing library: its applications use an Affray database.

To use it, set `PERSISTENCE_MODULE=service.store.persistence` and `DATABASE_URL` (or the library's
`POSTGRES_…`). The library's settings for compression and encryption apply.

- Applications, notification logs, subscriptions and projection runners read the log.
- `Application.save` appends to the log with the statement of the service.
- Projections must store their results with another module, such as `eventsourcing.postgres`.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple, NoReturn
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID, uuid4

import psycopg
from eventsourcing import postgres
from eventsourcing.persistence import (
    EventStore,
    IntegrityError,
    NotSupportedError,
    Recording,
    StoredEvent,
    Tracking,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType
from psycopg.rows import tuple_row
from psycopg.sql import SQL

from domain.record import fairness
from domain.record.events import CombatOpened, SeedCommitted
from domain.record.recorded import Recorded, chain_hash
from service.store.append import of_one
from service.store.log import HEAD
from service.store.mapper import Mapper
from service.store.rows import Append, Head
from service.store.transcoder import MsgspecTranscoder

SCHEMA = "log"
EVENTS = "stored_events"

BATCH: Final = 2000
PATIENCE_S: Final = 4.0
BREATH_S: Final = 0.005

Seeds = Mapping[str, bytes]
"""Secrets of the dice by their commitments."""


def _refuse() -> NoReturn:
    raise NotSupportedError("a log of Affray holds combats only, without snapshots or tracking")


class Link(NamedTuple):
    """A command to store: its id, the hash of the event before it, and that of its last event."""

    command: UUID
    previous: str
    digest: str


Links = Mapping[tuple[Any, int], Link]
"""Commands by the combat and the version of their first event."""


class Events(postgres.PostgresAggregateRecorder):
    """Reads and appends the events of one combat."""

    def __init__(self, datastore: postgres.PostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS)
        self.select_events_statement = _OF_ONE

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        """Append all events to their combats, or none.

        Raise the library's `IntegrityError` if the events do not continue a combat.
        """
        with self.datastore.get_connection() as connection, connection.transaction():
            _append(connection, stored_events, **kwargs)


class Log(postgres.PostgresApplicationRecorder):
    """Reads the log in its order, and appends to it."""

    def __init__(self, datastore: postgres.PostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS)
        self.select_events_statement = _OF_ONE
        self.max_notification_id_statement = SQL("SELECT MAX(position) FROM positions").format()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Append all events to their combats, or none, and return their numbers in the log.

        If other writers block the numbering, store the events and return `None`. The events get
        their numbers later. Raise the library's `IntegrityError` if the events do not continue a
        combat.
        """
        with self.datastore.get_connection() as connection:
            with connection.transaction():
                _append(connection, stored_events, **kwargs)
            return _placed(connection, stored_events)


class CombatEvents(EventStore[Any]):
    """Stores the pending events of combats with their hashes and the secrets of their dice."""

    def put(
        self, domain_events: Sequence[Any], *, seeds: Seeds | None = None, **kwargs: Any
    ) -> list[Recording[Any]]:
        """Store events. `seeds`: the secret of each commitment that they make.

        Raise `IntegrityError` if they do not continue the combat, and `NotSupportedError` for
        events of other applications.
        """
        links: dict[tuple[Any, int], Link] = {}
        made: dict[UUID, list[tuple[str, bytes]]] = {}
        for event in domain_events:
            if isinstance(event, Recorded) and isinstance(event.event, _COMMITTING):
                commitment = event.event.commitment
                seed = (seeds or {}).get(commitment)
                if seed is None or fairness.commitment(seed) != commitment:
                    raise IntegrityError(f"save(…, seeds=…) lacks the seed of {commitment}")
                made.setdefault(UUID(event.combat), []).append((commitment, seed))
        for first, last in _commands(domain_events):
            link = Link(UUID(first.command), first.previous, chain_hash(last))
            links[UUID(first.combat), first.version] = link
        return super().put(domain_events, links=links, seeds=made, **kwargs)


_COMMITTING: Final = (CombatOpened, SeedCommitted)
"""Events that commit to a seed."""


def _commands(events: Sequence[Any]) -> Iterator[tuple[Recorded, Recorded]]:
    """Yield each command's first and last event. Raise `IntegrityError` for a broken chain."""
    known = [event for event in events if isinstance(event, Recorded)]
    for _, group in groupby(known, key=lambda event: (event.combat, event.command)):
        command = list(group)
        for before, after in pairwise(command):
            if after.previous != chain_hash(before):
                raise IntegrityError(
                    f"event {after.version} does not follow event {before.version}"
                )
        yield command[0], command[-1]


def _append(
    connection: "psycopg.Connection[Any]",
    events: Sequence[StoredEvent],
    *,
    links: Links | None = None,
    seeds: Mapping[UUID, Sequence[tuple[str, bytes]]] | None = None,
    tracking: Tracking | None = None,
) -> None:
    """Append with the statement of the service. Events without a `Link` have no hash."""
    if tracking is not None:
        _refuse()
    cursor = psycopg.RawCursor(connection, row_factory=tuple_row)
    unstored = dict(seeds or {})
    for command in _split(events, links or {}):
        first = command[0]
        link = (links or {}).get((first.originator_id, first.originator_version))
        row = cursor.execute(f"{HEAD} WHERE combat_id = $1", [first.originator_id]).fetchone()
        head = None if row is None else Head(*row[1:])
        begins = first.originator_version if link is None else 1
        due = begins if head is None else head.version + 1
        other = link is not None and head is not None and head.digest not in ("", link.previous)
        versions = [event.originator_version for event in command]
        if other or versions != [due + place for place in range(len(command))]:
            raise IntegrityError(
                f"events {versions[0]} to {versions[-1]} do not continue combat"
                f" {first.originator_id}, whose next event is {due}"
            )
        combat = UUID(str(first.originator_id))
        append = Append(
            combat,
            uuid4() if link is None else link.command,
            command,
            head,
            uuid4(),
            "" if link is None else link.digest,
            seeds=tuple(unstored.pop(combat, ())),
        )
        statement, arguments = of_one(append, command)
        if cursor.execute(statement.encode(), arguments).fetchone() is None:
            raise IntegrityError(f"combat {combat} has changed meanwhile")


def _split(events: Sequence[StoredEvent], links: Links) -> Iterator[list[StoredEvent]]:
    """Yield the events by combat and command."""
    command: list[StoredEvent] = []
    for event in events:
        begins = (event.originator_id, event.originator_version) in links
        if command and (begins or command[-1].originator_id != event.originator_id):
            yield command
            command = []
        command.append(event)
    if command:
        yield command


def _placed(
    connection: "psycopg.Connection[Any]", events: Sequence[StoredEvent]
) -> Sequence[int] | None:
    """Return the numbers of stored events in the log, or `None` if the numbering takes too long."""
    cursor = psycopg.RawCursor(connection, row_factory=tuple_row)
    ids = [event.originator_id for event in events]
    versions = [event.originator_version for event in events]
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        cursor.execute("SELECT place_events($1)", [BATCH])
        rows = cursor.execute(_POSITIONS, [ids, versions]).fetchall()
        if len(rows) == len(events):
            return [row[0] for row in rows]
        time.sleep(BREATH_S)  # another writer is assigning the numbers
    return None


_POSITIONS: Final = """
SELECT position FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS n(id, version, place)
JOIN positions ON originator_id = id AND originator_version = version ORDER BY place"""


_OF_ONE = SQL("SELECT * FROM stored_events WHERE originator_id = %s").format()
"""A read of the table itself, because some events have no number yet. It contains no marks."""


class Factory(postgres.PostgresFactory):
    """Opens an Affray database."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        given = env if isinstance(env, Environment) else Environment(env=env)
        url = given.get("DATABASE_URL")
        opened = {**given, **(parts_of(url) if url else {})}
        super().__init__(
            Environment(given.name, {**opened, "POSTGRES_SCHEMA": SCHEMA, "CREATE_TABLE": "no"})
        )

    def transcoder(self) -> Transcoder:
        """Return the transcoder: msgspec's JSON."""
        return MsgspecTranscoder()

    def mapper(self, transcoder: Any = None, mapper_class: Any = None) -> Mapper:
        """Return Affray's own mapper, because no other one reads its events."""
        return Mapper(MsgspecTranscoder(), self.compressor(), self.cipher())

    def event_store(self, mapper: Any = None, recorder: Any = None) -> CombatEvents:
        """Return the events of combats, with their hashes."""
        return CombatEvents(mapper or self.mapper(), recorder or self.application_recorder())

    def aggregate_recorder(self, purpose: str = "events") -> Events:
        """Return the recorder of a combat's events. Raises `NotSupportedError` for snapshots."""
        if purpose != "events":
            _refuse()
        return Events(self.datastore)

    def application_recorder(self) -> Log:
        """Return the recorder of the whole log."""
        return Log(self.datastore)

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> NoReturn:
        """Refuse, because read models are stored elsewhere."""
        _refuse()

    def process_recorder(self) -> NoReturn:
        """Refuse, because read models are stored elsewhere."""
        _refuse()


def parts_of(url: str) -> dict[str, str]:
    """Return a database's URL as the library's settings."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    return {
        "POSTGRES_DBNAME": parts.path.removeprefix("/") or "postgres",
        "POSTGRES_HOST": query.get("host", [parts.hostname or "localhost"])[0],
        "POSTGRES_PORT": str(parts.port or query.get("port", ["5432"])[0]),
        "POSTGRES_USER": unquote(parts.username or "postgres"),
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
    }
