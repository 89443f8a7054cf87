"""Fuzz until coverage is flat: `python -m tests.fuzz.coverage {files,events} FOLDER --flat 3600`.

For `files`, the fuzzer imports, copies and forks its inputs. For `events`, it decodes them. The two
run separately, because libFuzzer prefers fast inputs.

The folder holds

- the corpus, so that a second run continues the first
- `coverage.tsv`, with one line per minute: seconds, branches, features, inputs, runs
- `faults`, with inputs that break a promise.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Final

from tests.fuzz.coverage.mutator import seeds

ROOT: Final = Path(__file__).parent.parent.parent.parent
STATUS: Final = re.compile(r"#(\d+)\s+\S+\s+cov: (\d+) ft: (\d+) corp: (\d+)/")
LIMITS: Final = ("-max_len=65536", "-timeout=60", "-report_slow_units=60", "-rss_limit_mb=2048")
"""Limits of length, time and memory for one input."""


class Coverage:
    """The coverage of a run, and the time of its last growth."""

    def __init__(self, table: Path) -> None:
        self._table = table
        self._began = self._written = time.monotonic()
        self.branches = self.features = self.inputs = self.runs = self._before = 0
        self.since = self._began

    def take(self, line: str) -> None:
        """Read one line of the fuzzer."""
        if (match := STATUS.match(line)) is None:
            return
        runs, branches, self.features, self.inputs = map(int, match.groups())
        self.runs = self._before + runs
        now = time.monotonic()
        if branches > self.branches:
            self.branches, self.since = branches, now
        if now - self._written > 60:
            self.write()

    def restart(self) -> None:
        """Add the runs of a new process to the count."""
        self._before = self.runs

    def write(self) -> None:
        """Add a line to the table."""
        self._written = time.monotonic()
        values = (
            round(self._written - self._began),
            self.branches,
            self.features,
            self.inputs,
            self.runs,
        )
        with self._table.open("a") as table:
            print(*values, sep="\t", file=table)

    @property
    def flat_s(self) -> float:
        """Return the seconds since the fuzzer last covered a new branch."""
        return time.monotonic() - self.since


def _read(process: "subprocess.Popen[str]", coverage: Coverage) -> None:
    """Read the fuzzer's output. It prints nothing for long times."""
    assert process.stderr is not None
    for line in process.stderr:
        coverage.take(line)
        if STATUS.match(line) is None and not line.startswith("INFO: Instrumenting"):
            print(line, end="", file=sys.stderr, flush=True)


def run(kind: str, folder: Path, flat_s: float) -> int:
    """Fuzz until no new branch appears for `flat_s` seconds. Return the number of faults."""
    for name in ("corpus", "seeds", "faults", "crashes"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, data in seeds():
        if data.startswith(b"{") is (kind == "files"):
            (folder / "seeds" / name).write_bytes(data)
    coverage = Coverage(folder / "coverage.tsv")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / '.venv' / 'fuzz'}"}
    command = [
        *(sys.executable, "-m", "tests.fuzz.coverage.fuzzer", str(folder), *LIMITS),
        *(f"-artifact_prefix={folder / 'crashes'}/", str(folder / "corpus"), str(folder / "seeds")),
    ]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    while coverage.flat_s < flat_s:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
        )
        reader = Thread(target=_read, args=(process, coverage))
        reader.start()
        try:
            while reader.is_alive() and coverage.flat_s < flat_s:
                reader.join(timeout=1)
        finally:
            process.kill()
            process.wait()
            reader.join()
        coverage.restart()
    coverage.write()
    faults = [*(folder / "faults").glob("*.txt"), *(folder / "crashes").iterdir()]
    print(
        f"{kind}: {coverage.branches} branches, {coverage.runs} runs,"
        f" {coverage.inputs} inputs kept, {coverage.flat_s:.0f} s without a new branch,"
        f" {len(faults)} faults"
    )
    return len(faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("files", "events"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--flat", type=float, default=3600, help="seconds without a new branch")
    chosen = parser.parse_args()
    sys.exit(bool(run(chosen.kind, chosen.folder / chosen.kind, chosen.flat)))
