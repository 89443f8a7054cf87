"""A persistence module for the eventsourcing library: its applications read an Affray database.

`PERSISTENCE_MODULE=service.store.persistence` and `DATABASE_URL` (or the library's `POSTGRES_…`)
open it, with the library's own settings for compression and encryption. Applications, notification
logs, subscriptions and projection runners read; nothing of it writes, for a combat is more than its
events. What a projection makes of them is stored by another module (`eventsourcing.postgres`, …).
"""

from collections.abc import Sequence
from typing import Any, NoReturn
from urllib.parse import parse_qs, unquote, urlsplit

from eventsourcing import postgres
from eventsourcing.persistence import NotSupportedError, StoredEvent, Transcoder
from eventsourcing.utils import Environment, EnvType
from psycopg.sql import SQL

from service.store.mapper import Mapper
from service.store.transcoder import MsgspecTranscoder

SCHEMA = "log"
EVENTS = "stored_events"


def _refuse() -> NoReturn:
    raise NotSupportedError("the log of Affray is written by Affray alone, through its API")


class Events(postgres.PostgresAggregateRecorder):
    """Reads the events of one combat."""

    def __init__(self, datastore: postgres.PostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS)
        self.select_events_statement = _OF_ONE

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> NoReturn:
        """Refuses."""
        _refuse()


class Log(postgres.PostgresApplicationRecorder):
    """Reads the log in its order."""

    def __init__(self, datastore: postgres.PostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS)
        self.select_events_statement = _OF_ONE
        self.max_notification_id_statement = SQL("SELECT MAX(position) FROM positions").format()

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> NoReturn:
        """Refuses."""
        _refuse()


_OF_ONE = SQL("SELECT * FROM stored_events WHERE originator_id = %s").format()
"""From the table itself: also what has no number yet, and no marks."""


class Factory(postgres.PostgresFactory):
    """Opens an Affray database for reading."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        given = env if isinstance(env, Environment) else Environment(env=env)
        url = given.get("DATABASE_URL")
        opened = {**given, **(parts_of(url) if url else {})}
        super().__init__(
            Environment(given.name, {**opened, "POSTGRES_SCHEMA": SCHEMA, "CREATE_TABLE": "no"})
        )

    def transcoder(self) -> Transcoder:
        """msgspec's JSON."""
        return MsgspecTranscoder()

    def mapper(self, transcoder: Any = None, mapper_class: Any = None) -> Mapper:
        """Affray's own mapper; no other one reads its events."""
        return Mapper(MsgspecTranscoder(), self.compressor(), self.cipher())

    def aggregate_recorder(self, purpose: str = "events") -> Events:
        """Of one combat's events. There are no snapshots: raises `NotSupportedError`."""
        if purpose != "events":
            _refuse()
        return Events(self.datastore)

    def application_recorder(self) -> Log:
        """Of the whole log."""
        return Log(self.datastore)

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> NoReturn:
        """Refuses: what was made of the log is stored elsewhere."""
        _refuse()

    def process_recorder(self) -> NoReturn:
        """Refuses."""
        _refuse()


def parts_of(url: str) -> dict[str, str]:
    """A database's URL in the library's settings."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    return {
        "POSTGRES_DBNAME": parts.path.removeprefix("/") or "postgres",
        "POSTGRES_HOST": query.get("host", [parts.hostname or "localhost"])[0],
        "POSTGRES_PORT": str(parts.port or query.get("port", ["5432"])[0]),
        "POSTGRES_USER": unquote(parts.username or "postgres"),
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
    }
