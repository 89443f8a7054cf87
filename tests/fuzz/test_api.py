"""Schemathesis on the whole API of a running service: all checks, all phases, no failure."""

import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.rulesets.free_hit.fight import fight
from tests.server import Server

ROOT = Path(__file__).parent.parent.parent
LONG = os.environ.get("AFFRAY_FUZZ") == "long"


def test_the_whole_api(server: Server) -> None:
    body = {"ruleset": "free-hit", "combatants": [{"sheet": one} for one in fight()]}
    opened = httpx.post(f"{server.url}/v1/combats", json=body).json()
    token, combat = opened["token"], opened["combat"]
    headers = {"Authorization": f"Bearer {token}"}
    begun = httpx.post(f"{server.url}/v1/combats/{combat}/begin", json={}, headers=headers)
    assert begun.status_code == 200
    command = [
        str(Path(sys.executable).parent / "schemathesis"),
        "run",
        f"{server.url}/schema/openapi.json",
        "--max-examples",
        "200" if LONG else "8",
        "--seed",
        "7",
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
