"""Forged exports: changed values with correct hashes."""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.record.events import SeedRevealed
from domain.record.export import export, read
from domain.record.recorded import Recorded, chain_hash, encode


def forged(file: bytes, seed: str) -> bytes:
    """Return the file with another revealed seed."""
    recorded = []
    previous = ""
    for entry in read(file).recorded:
        event = entry.event
        if isinstance(event, SeedRevealed):
            event = msgspec.structs.replace(event, seed=seed)
        fresh = msgspec.structs.replace(entry, event=event, previous=previous)
        previous = chain_hash(fresh)
        recorded.append(fresh)
    return b"".join(export(recorded))


def forged_by(file: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """Apply `change` to the JSON of each recorded event, and return the file with new hashes."""
    lines = [msgspec.json.decode(line) for line in file.splitlines()]
    previous = ""
    written: list[bytes] = []
    for line in lines[1:]:
        recorded = line["event"]
        change(recorded)
        recorded["previous"] = previous
        if not previous:
            del recorded["previous"]
        event = msgspec.convert(recorded, Recorded)
        state = encode(event)
        previous = chain_hash(event, state)
        content = {"topic": line["topic"], "event": msgspec.Raw(state), "hash": previous}
        written.append(msgspec.json.encode(content))
    header = msgspec.json.encode({**lines[0], "last": previous})
    return b"".join(line + b"\n" for line in (header, *written))


def forged_with(file: bytes, field: str, value: Any) -> bytes:
    """Set every field with the name `field` to `value`, and return the file with new hashes."""

    def change(recorded: dict[str, Any]) -> None:
        for holder in (recorded, recorded["event"]):
            if field in holder and holder.get("type") != "prompted":
                holder[field] = value

    return forged_by(file, change)
