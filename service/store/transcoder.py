"""The eventsourcing library's Transcoder with msgspec: JSON with a fixed order of keys."""

from typing import Any

import msgspec
from eventsourcing.persistence import Transcoder

from domain.record.recorded import Recorded, encode


class MsgspecTranscoder(Transcoder):
    """Writes everything that msgspec can write. Reads built-in types, or a named type."""

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder(order="deterministic")
        self._decoder = msgspec.json.Decoder()
        self._events = msgspec.json.Decoder(Recorded)

    def encode(self, obj: Any) -> bytes:
        """Return JSON. For an event, these are exactly the bytes that Affray hashes."""
        return encode(obj) if isinstance(obj, Recorded) else self._encoder.encode(obj)

    def decode(self, data: bytes) -> Any:
        """Return JSON as dicts, lists, strings and numbers."""
        return self._decoder.decode(data)

    def decode_event(self, data: bytes) -> Recorded:
        """Return an event as this release writes it."""
        return self._events.decode(data)
