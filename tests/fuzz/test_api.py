"""Schemathesis on the whole API of a running service: all checks, no failure."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.client import NEEDED
from tests.server import Server
from tests.walks import FIGHTS

ROOT = Path(__file__).parent.parent.parent
LONG = os.environ.get("AFFRAY_FUZZ") == "long"


SEEDS = 3 if LONG else 1


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("ruleset", FIGHTS)
def test_the_whole_api(server: Server, ruleset: str, seed: int) -> None:
    combatants = [{"sheet": one} for one in FIGHTS[ruleset]()]
    options = {**NEEDED.get(ruleset, {}), "rulings": "default"}
    body = {"ruleset": ruleset, "combatants": combatants, "options": options}
    opened = httpx.post(f"{server.url}/v1/combats", json=body).json()
    token, combat = opened["token"], opened["combat"]
    headers = {"Authorization": f"Bearer {token}"}
    begun = httpx.post(f"{server.url}/v1/combats/{combat}/begin", json={}, headers=headers)
    assert begun.status_code == 200
    command = [
        str(Path(sys.executable).parent / "schemathesis"),
        "run",
        f"{server.url}/schema/openapi.json",
        "--phases",
        # Every corner of the contract is forty thousand cases: only in the long form.
        "examples,coverage,fuzzing,stateful" if LONG else "examples,fuzzing,stateful",
        "--max-examples",
        "1000" if LONG else "8",
        "--seed",
        # Another for each, so that no idempotency key of an earlier run comes again.
        str(7 + list(FIGHTS).index(ruleset) + 100 * seed),
    ]
    environment = {
        **os.environ,
        "AFFRAY_URL": server.url,
        "AFFRAY_TOKEN": token,
        "AFFRAY_COMBAT": combat,
    }
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2000:]
