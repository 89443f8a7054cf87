"""Our events in the eventsourcing library's words: Mapper and StoredEvent with msgspec bytes."""

from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.record import recorded as codec
from domain.record.recorded import Recorded


class Mapper:
    """Between `Recorded` and the library's `StoredEvent`; topics are names, not class paths."""

    @staticmethod
    def to_stored_event(combat: UUID, recorded: Recorded, state: bytes) -> StoredEvent:
        """The row of an event whose bytes are already made."""
        return StoredEvent(combat, recorded.version, codec.topic(recorded), state)

    @staticmethod
    def to_domain_event(stored: StoredEvent) -> Recorded:
        """The event of a row; raises `Unknown` for a topic that no release has written."""
        return codec.decode(bytes(stored.state), stored.topic)
