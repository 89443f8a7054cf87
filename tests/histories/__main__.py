"""Check stored histories: `python -m tests.histories FILE …`."""

import sys
from collections import Counter
from pathlib import Path

from tests.histories.checker import check
from tests.histories.history import Operation, stored


def told(history: list[Operation]) -> str:
    """Return the statistics of a history in one line."""
    kinds = Counter(
        prompt.kind if prompt.kind == "read" else prompt.outcome
        for prompt in history
        if prompt.kind != "open"
    )
    combats = {operation.combat for operation in history}
    figures = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return f"{len(history)} operations on {len(combats)} combats: {figures}"


def main(files: list[str]) -> int:
    """Print the shortest violating part of each combat. Return 1 if there is any."""
    violated = False
    for file in files:
        history = stored(Path(file).read_text().splitlines())
        violations = check(history)
        print(f"{file}: {told(history)}")
        for violation in violations:
            print(violation)
        print("NOT linearizable" if violations else "linearizable")
        violated |= bool(violations)
    return int(violated)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
