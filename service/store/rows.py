"""Rows of the store, and the errors of its operations."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct


class Conflict(Exception):
    """The combat is not at the expected version, or an idempotency key already has an answer."""


class Unavailable(Exception):
    """The database did not answer in time. Nothing was stored."""


class Lost(Unavailable):
    """The connection broke during a statement, and the result is unknown."""


class OutcomeUnknown(Exception):
    """The connection broke during a change. The database has stored all of it or nothing.

    `command` is its id, or `None` if the change is not a command or its id is unknown here.
    """

    def __init__(self, command: UUID | None) -> None:
        super().__init__(str(command or "a change"))
        self.command = command


class Head(Struct, frozen=True):
    """The state of a combat in the database, with which memory must agree.

    - `life`: a new value whenever Affray stores a new combat, even under the id of a deleted one.
    - `version`: the version of the newest event.
    - `digest`: the hash of the newest event, or `""` if it is unknown.
    - `tokens`: a number that grows when the GM issues or revokes a token.
    - `texts`: a number that grows when the GM erases texts.
    """

    life: UUID
    version: int
    digest: str
    tokens: int
    texts: int

    def covers(self, other: "Head") -> bool:
        """Return true if this head includes all of `other`."""
        digests = {self.digest, other.digest} - {""}
        return (
            self.life == other.life
            and (self.version != other.version or len(digests) < 2)
            and self.version >= other.version
            and self.tokens >= other.tokens
            and self.texts >= other.texts
        )

    def went_back(self, present: "Head") -> bool:
        """Return true if the database has lost this head: `present` does not include it."""
        return self.life == present.life and not present.covers(self)


ERASED_STATUS: Final = 410
"""The status of a removed first answer, which may have held an erased text."""


class FirstAnswer(Struct, frozen=True):
    """The answer to the first request with an idempotency key. `key` is its hash.

    `command` is the answered command. It is `None` if the request was not a command. Such an answer
    contains no texts.
    """

    token: str
    key: str
    fingerprint: bytes
    status: int
    etag: str
    body: bytes
    command: UUID | None = None

    def inserted(self, combat: UUID) -> tuple[object, ...]:
        """Return the arguments of `INSERT_ANSWER`."""
        kept = (self.fingerprint, self.status, self.etag, self.body)
        return (combat, self.token, self.key, *kept)


INSERT_ANSWER: Final = (
    "INSERT INTO idempotency (combat_id, token_id, key, fingerprint, status, etag, body)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7)"
)
"""Store a first answer to a request that is no command."""


class TokenRow(Struct, frozen=True):
    """A token. `hash` is the SHA-256 of its secret part. It is in force until `ends_at`."""

    id: str
    hash: bytes
    role: str
    label: str
    owner: str | None
    combatants: tuple[str, ...]
    ends_at: datetime | None = None


class Stored(Struct, frozen=True, gc=False):
    """A stored event with the library's field names. It is cheaper than the library's class."""

    originator_version: int
    topic: str
    state: bytes


class Append(Struct, frozen=True):
    """The events of one command, and all data to store with them.

    - `events`: consecutive versions.
    - `before`: the required head of the combat, or `None` if the combat must not exist.
    - `life`: the life of a new combat.
    - `digest`: the hash of the newest event.
    - `ends_at`: the time when the author's token expires.
    """

    combat: UUID
    command: UUID
    events: Sequence[StoredEvent | Stored]
    before: Head | None
    life: UUID
    digest: str
    answer: FirstAnswer | None = None
    tokens: Sequence[TokenRow] = ()
    seeds: Sequence[tuple[str, bytes]] = ()
    ends_at: datetime | None = None

    @property
    def is_gapless(self) -> bool:
        """Return true if the versions follow one another without gaps."""
        versions = [event.originator_version for event in self.events]
        return versions == list(range(versions[0], versions[0] + len(versions)))

    @property
    def after(self) -> Head:
        """Return the head that the combat has after this append."""
        version = self.events[-1].originator_version
        if self.before is None:
            return Head(self.life, version, self.digest, 0, 0)
        return Head(self.before.life, version, self.digest, self.before.tokens, self.before.texts)


class Archived(Struct, frozen=True):
    """An object that has, or had, the events of a combat.

    `state` is that of the table `archives`.
    """

    object: str
    combat: UUID
    state: str
    sha256: bytes
