"""Stored combats of past releases, and the states that they must fold to."""

import hashlib
import re

import msgspec

from domain.record.combat import Combat, Deadlines


def digest(combat: Combat) -> str:
    """Return a digest of the state without later fields that are empty in old combats."""
    state = msgspec.json.encode(combat, order="deterministic")
    deadlines = msgspec.json.encode(Deadlines(), order="deterministic")
    for later in (
        b',"deadlines":' + deadlines,
        b',"markers":[]',
        b',"labels":[]',
        b',"behind":null',
    ):
        state = state.replace(later, b"")
    state = re.sub(rb'("answer":(?:null|"[^"]*")),"until":null', rb"\1", state)
    return hashlib.sha256(state).hexdigest()
