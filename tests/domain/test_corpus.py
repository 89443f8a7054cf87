"""Test that each stored combat of a past release decodes, verifies and folds as before."""

from pathlib import Path

import pytest

from domain.engine.session import Session
from domain.record.export import read
from domain.record.verify import verify
from domain.rulesets import installed
from tests.corpus import digest
from tests.domain.toy import TOY

FILES = sorted((Path(__file__).parent.parent / "corpus").glob("*/*.jsonl"))
RULESETS = {TOY.id: TOY, **installed()}


def test_there_is_a_corpus_of_every_rulebook() -> None:
    assert {path.stem.rpartition("-")[0] for path in FILES} == set(RULESETS)


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_stored_combat_replays(file: Path) -> None:
    stored = file.read_bytes()
    assert verify(stored).sound
    imported = read(stored)
    live = Session(RULESETS[imported.header.ruleset], imported.recorded)
    assert digest(live.combat) == file.with_suffix(".sha256").read_text().strip()
    if live.combat.frames:
        assert live.open_prompts()  # the waiting procedure is rebuilt
