"""Writes stored combats of this release: random fights with undo, and what they lead to."""

import hashlib
import sys
from pathlib import Path

import msgspec

from domain.engine.commands import RevealSeed
from domain.record.export import export
from domain.rulesets.free_hit import RULESET
from tests.domain.test_history import played
from tests.domain.toy import TOY

HERE = Path(__file__).parent


def main(release: str) -> None:
    """One file per ruleset and seed, with a digest of the state that they fold to."""
    folder = HERE / release
    folder.mkdir()
    for ruleset in (RULESET, TOY):
        for seed in (1, 2, 3):
            spec = played(ruleset, seed, 60)
            if spec.combat.commitment not in spec.live.revealed:
                spec.do(RevealSeed())
            name = f"{ruleset.id}-{seed}"
            (folder / f"{name}.jsonl").write_bytes(b"".join(export(spec.live.history.recorded)))
            state = msgspec.json.encode(spec.combat, order="deterministic")
            (folder / f"{name}.sha256").write_text(hashlib.sha256(state).hexdigest() + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
