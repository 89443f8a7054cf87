"""The chain of hashes, checked for the loaded part of a combat."""

import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from domain.errors import Unfitting
from domain.record.recorded import Recorded, raw_hash, stored_hash
from service.store.mapper import Mapper


class BrokenChain(Unfitting):
    """An event differs from its record. Its combat can be read, but not played."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "broken-chain",
            f"event {version} of this combat is not what was recorded: its hash is not the one that"
            " was kept; restore the combat from a backup or an export",
        )
        self.version = version


def wrong(events: Sequence[tuple[Recorded, bytes]], head: str, before: str = "") -> int | None:
    """Return the version of the first event that differs from its record, or `None`.

    `events` are consecutive, with their plain bytes. `before` is the hash of the event before them.
    `head` is the hash of the last event, or `""` if it is unknown.
    """
    hashes = [stored_hash(recorded, state) for recorded, state in events]
    if events and events[0][0].previous != before:
        return events[0][0].version
    for at, (recorded, _) in enumerate(events):
        due = events[at + 1][0].previous if at + 1 < len(events) else head
        if hashes[at] == due or not due:
            continue
        # If the next event does not match either, somebody changed the `previous` of this event.
        if at + 1 < len(events):
            following = events[at + 2][0].previous if at + 2 < len(events) else head
            if following and hashes[at + 1] != following:
                return events[at + 1][0].version
        return recorded.version
    return None


def torn(rows: Sequence[tuple[str, bytes]], head: str) -> int | None:
    """Return the index of the first event that does not match its hash, or `None` if all match.

    - `rows`: the topic and the decrypted bytes of each event. Their data is not decoded.
    - `head`: the expected hash of the last event, or `""` if it is unknown.
    """
    previous = ""
    for at, (topic, state) in enumerate(rows, 1):
        try:
            before = _LINK.decode(state).previous
            digest = raw_hash(topic, state)
        except msgspec.MsgspecError:
            return at
        if before != previous:
            return at
        previous = digest
    return len(rows) if head not in ("", previous) else None


class _Linked(Struct):
    previous: str = ""


_LINK: Final = msgspec.json.Decoder(_Linked)


def check_page(mapper: Mapper, rows: Sequence[StoredEvent], after: str) -> None:
    """Check a page of old events without decoding most of them. Raise `BrokenChain`.

    `after` is the hash that the event after the page carries, "" if it is unknown.
    """
    states = [mapper.opened(row.state) for row in rows]
    for at, row in enumerate(rows):
        state = states[at]
        following = states[at + 1] if at + 1 < len(states) else after.encode()
        if b'"salt"' in state or b"erased" in state:
            digest = stored_hash(mapper.event(row), state)
        else:
            digest = hashlib.sha256(state).hexdigest()
        if following and digest.encode() not in following:
            raise BrokenChain(row.originator_version)
