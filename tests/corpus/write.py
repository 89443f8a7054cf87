"""Write stored combats of this release: random fights with undo, and their states."""

import sys
from pathlib import Path

from domain.engine.commands import RevealSeed
from domain.record.export import export
from domain.rulesets import installed
from tests.corpus import digest
from tests.domain.test_history import played
from tests.domain.toy import TOY

HERE = Path(__file__).parent


def main(release: str) -> None:
    """Write each missing file of a ruleset and seed, with a digest of its state."""
    folder = HERE / release
    folder.mkdir(exist_ok=True)
    for ruleset in (TOY, *installed().values()):
        for seed in (1, 2, 3):
            name = f"{ruleset.id}-{seed}"
            if (folder / f"{name}.jsonl").exists():
                continue
            spec = played(ruleset, seed, 60)
            if spec.combat.commitment not in spec.live.revealed:
                spec.do(RevealSeed())
            (folder / f"{name}.jsonl").write_bytes(b"".join(export(spec.live.history.recorded)))
            (folder / f"{name}.sha256").write_text(digest(spec.combat) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
