"""Stored combats of past releases, and what they fold to."""

import hashlib
import re

import msgspec

from domain.record.combat import Combat, Deadlines


def digest(combat: Combat) -> str:
    """Of the state, without the fields that came later and say nothing in old combats."""
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
