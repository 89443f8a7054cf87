"""Old fights keep replaying: every stored combat decodes, verifies, folds to the same state."""

import hashlib
import re
from pathlib import Path

import msgspec
import pytest

from domain.engine.live import Live
from domain.record.combat import Combat, Deadlines
from domain.record.export import read
from domain.record.verify import verify
from domain.rulesets.free_hit import RULESET
from tests.domain.toy import TOY

FILES = sorted((Path(__file__).parent.parent / "corpus").glob("*/*.jsonl"))
RULESETS = {one.id: one for one in (RULESET, TOY)}


def test_there_is_a_corpus() -> None:
    assert FILES


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_stored_combat_replays(file: Path) -> None:
    stored = file.read_bytes()
    assert verify(stored).sound
    imported = read(stored)
    live = Live(RULESETS[imported.header.ruleset], imported.recorded)
    assert (
        hashlib.sha256(_as_written(live.combat)).hexdigest()
        == file.with_suffix(".sha256").read_text().strip()
    )
    if live.combat.frames:
        assert live.open_prompts()  # the waiting procedure is rebuilt


def _as_written(combat: Combat) -> bytes:
    """The state without the fields that came later and say nothing in old combats."""
    state = msgspec.json.encode(combat, order="deterministic")
    deadlines = msgspec.json.encode(Deadlines(), order="deterministic")
    for later in (
        b',"deadlines":' + deadlines,
        b',"markers":[]',
        b',"labels":[]',
        b',"behind":null',
    ):
        state = state.replace(later, b"")
    return re.sub(rb'("answer":(?:null|"[^"]*")),"until":null', rb"\1", state)
