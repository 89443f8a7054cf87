"""A forged export: the seed replaced, and every hash made to fit."""

import msgspec

from domain.record.events import SeedRevealed
from domain.record.export import export, read
from domain.record.recorded import chain_hash


def forged(file: bytes, seed: str) -> bytes:
    """The file with another seed revealed."""
    recorded = []
    previous = ""
    for one in read(file).recorded:
        event = one.event
        if isinstance(event, SeedRevealed):
            event = msgspec.structs.replace(event, seed=seed)
        fresh = msgspec.structs.replace(one, event=event, previous=previous)
        previous = chain_hash(fresh)
        recorded.append(fresh)
    return b"".join(export(recorded))
