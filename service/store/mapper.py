"""The mapper converts Affray's events to rows and back for the eventsourcing library.

Topics are names such as "damaged:1", never paths of classes, so no topic causes an import. Affray
hashes an event first, then compresses and encrypts it. The hash always covers the plain bytes.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    Cipher,
    Compressor,
    MapperDeserialisationError,
    NotSupportedError,
    StoredEvent,
)
from eventsourcing.persistence import Mapper as LibraryMapper
from eventsourcing.utils import register_topic
from msgspec.structs import force_setattr

from domain.errors import Unknown
from domain.record import recorded as codec
from domain.record.marks import MARKS, Mark
from domain.record.recorded import Recorded
from service.store.rows import Stored
from service.store.transcoder import MsgspecTranscoder

for _topic, (_kind, _version) in codec.TOPICS.items():
    register_topic(_topic, _kind)
for _topic, _mark in MARKS.items():
    register_topic(_topic, _mark)


class NewerRelease(Unknown):
    """A newer release has stored this event. Only that release can continue the combat."""


class Mapper(LibraryMapper[Any]):
    """Converts between `Recorded` and the library's `StoredEvent`."""

    def __init__(
        self,
        transcoder: MsgspecTranscoder | None = None,
        compressor: Compressor | None = None,
        cipher: Cipher | None = None,
    ) -> None:
        self.codec = transcoder or MsgspecTranscoder()
        super().__init__(self.codec, compressor, cipher)
        self._plain = compressor is None and cipher is None

    # ---- the library's

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the row of an event that knows its combat.

        Raises `NotSupportedError` for other applications' events.
        """
        if not isinstance(domain_event, Recorded):
            kind = type(domain_event).__name__
            raise NotSupportedError(f"a log of Affray holds the events of combats, not {kind}")
        state = self.sealed(self.codec.encode(domain_event))
        combat, version = UUID(domain_event.combat), domain_event.version
        return StoredEvent(combat, version, codec.topic(domain_event), state)

    def to_domain_event(self, stored_event: StoredEvent) -> Recorded | Mark:
        """Return the event of a row.

        Raise `NewerRelease` for an unknown topic, and `MapperDeserialisationError` for bytes that
        this key or this release cannot read.
        """
        mark = MARKS.get(stored_event.topic)
        if mark is not None:
            return mark(str(stored_event.originator_id))
        return self.event(stored_event, str(stored_event.originator_id))

    # ---- the service's

    def rows(self, recorded: Sequence[Recorded], states: Sequence[bytes]) -> list[Stored]:
        """Return the stored form of events that are already encoded."""
        return [
            Stored(event.version, codec.topic(event), self.sealed(state))
            for event, state in zip(recorded, states, strict=True)
        ]

    def event(self, stored: StoredEvent, combat: str = "") -> Recorded:
        """Return the event of a row. Without `combat`, the event has no combat id."""
        return self.read(stored, combat)[0]

    def read(self, stored: StoredEvent, combat: str = "") -> tuple[Recorded, bytes]:
        """Return the event of a row with its plain bytes."""
        try:
            current = codec.is_current(stored.topic)
        except Unknown as error:
            raise NewerRelease("event type", stored.topic, error.known) from None
        try:
            state = self.opened(stored.state)
            if current:
                recorded = self.codec.decode_event(state)
            else:
                raw = self.codec.decode(state)
                recorded = codec.lifted(raw, stored.topic)
        except Exception as error:
            raise MapperDeserialisationError(
                f"event {stored.originator_version} of {stored.originator_id},"
                f" {stored.topic!r}: {error}"
            ) from error
        if combat:
            force_setattr(recorded, "combat", combat)  # no other reader has it yet
        return recorded, state

    def sealed(self, state: bytes) -> bytes:
        """Return plain bytes in the stored form."""
        if self._plain:
            return state
        if self.compressor is not None:
            state = self.compressor.compress(state)
        if self.cipher is not None:
            state = self.cipher.encrypt(state)
        return state

    def opened(self, state: bytes) -> bytes:
        """Return stored bytes in the plain form. Raises any error of the cipher."""
        if self._plain:
            return state
        if self.cipher is not None:
            state = self.cipher.decrypt(state)
        if self.compressor is not None:
            state = self.compressor.decompress(state)
        return state
