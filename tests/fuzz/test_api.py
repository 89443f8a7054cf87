"""Run Schemathesis on the complete API of a running service. No check may fail.

The long form (`make fuzz FUZZ=tests/fuzz/test_api.py`) tries the API with three seeds. Each seed
uses fights of another rulebook, and a tenth of the examples for the remaining rulebooks. The work
has parts, each in a process with a separate fight. As many parts run together as there are cores.
`EXAMPLES=100` takes a tenth of all examples.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import httpx
import pytest
from msgspec import Struct

from tests.client import NEEDED
from tests.forms import forms
from tests.server import Server
from tests.walks import FIGHTS

ROOT = Path(__file__).parent.parent.parent
LONG = os.environ.get("AFFRAY_FUZZ") == "long"
EXAMPLES = int(os.environ.get("AFFRAY_EXAMPLES") or ("1000" if LONG else "5"))

AT_LENGTH: Final = ("definitions", "sovereign", "vile-darkness")
"""Rulebooks that the long form tries with all examples.

They have the most forms of inputs and answers. Most operations do not depend on the rulebook.
"""

SLICES: Final = 4
"""Number of parts of the operations. Each part has a fight, which otherwise grows too long."""


class Part(Struct, frozen=True):
    """The work of one process: phases on operations. `()` means all operations."""

    phases: str
    examples: int
    operations: Sequence[str] = ()


def parts(ruleset: str) -> list[Part]:
    """Return the parts to try in fights of a rulebook."""
    if not LONG:
        return [Part("examples,fuzzing,stateful", EXAMPLES)]
    examples = EXAMPLES if ruleset in AT_LENGTH else EXAMPLES // 10
    contract = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())
    every = [
        operation["operationId"]
        for path in contract["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict) and "operationId" in operation
    ]
    slices = [Part("fuzzing", examples, every[start::SLICES]) for start in range(SLICES)]
    return [*slices, Part("stateful", examples), Part("examples,coverage", examples)]


@pytest.mark.timeout(3 * 3600 if LONG else 600)
@forms("ruleset", "free-hit", long=sorted({*FIGHTS} - {"free-hit"}))
def test_the_whole_api(server: Server, ruleset: str) -> None:
    # Each rulebook needs another seed, so that no idempotency key of an earlier run repeats.
    seed = 7 + list(FIGHTS).index(ruleset)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [
            pool.submit(tried, server, ruleset, part, seed + 1000 * place)
            for place, part in enumerate(parts(ruleset))
        ]
    failures = [said for run in runs if (said := run.result())]
    if failures:
        pytest.fail("\n".join(failures), pytrace=False)


def tried(server: Server, ruleset: str, part: Part, seed: int) -> str:
    """Return the findings of Schemathesis in a new fight, or "" if there are none."""
    combatants = [{"sheet": sheet} for sheet in FIGHTS[ruleset]()]
    options = {**NEEDED.get(ruleset, {}), "rulings": "default"}
    body = {"ruleset": ruleset, "combatants": combatants, "options": options}
    opened = httpx.post(f"{server.url}/v1/combats", json=body, timeout=30).json()
    token, combat = opened["token"], opened["combat"]
    headers = {"Authorization": f"Bearer {token}"}
    cut = "" if LONG else f"?ruleset={ruleset}"  # cheaper without the other rulebooks
    url = f"{server.url}/v1/combats/{combat}/begin"
    assert httpx.post(url, json={}, headers=headers, timeout=30).status_code == 200
    command = [
        str(Path(sys.executable).parent / "schemathesis"),
        "run",
        f"{server.url}/schema/openapi.json{cut}",
        "--phases",
        part.phases,
        "--max-examples",
        str(part.examples),
        "--seed",
        str(seed),
    ]
    for operation in part.operations:
        command += ["--include-operation-id", operation]
    environment = {
        **os.environ,
        "AFFRAY_URL": server.url,
        "AFFRAY_TOKEN": token,
        "AFFRAY_COMBAT": combat,
    }
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode == 0:
        return ""
    return f"{part}, seed {seed}: {run.stdout[-20_000:]}{run.stderr[-2000:]}"
