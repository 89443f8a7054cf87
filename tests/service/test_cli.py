"""The command line as a newcomer uses it."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.server import Server

AFFRAY = str(Path(sys.executable).parent / "affray")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([AFFRAY, *arguments], capture_output=True, text=True, check=False)


def test_every_command_has_help() -> None:
    told = run("--help").stdout
    for command in ("serve", "demo", "verify", "rebuild", "export", "import", "openapi"):
        assert command in told
        assert run(command, "--help").returncode == 0


def test_the_demo_then_export_verify_import(server: Server, tmp_path: Path) -> None:
    told = run("demo", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "heroes won" in told.stdout
    assert "tragedy" in told.stdout
    assert "against 11" in told.stdout
    token = told.stdout.rstrip().rsplit(" ", 1)[-1]
    combat = told.stdout.split("/v1/combats/")[-1].split("/")[0]
    file = tmp_path / "fight.jsonl"
    saved = run("export", combat, str(file), "--token", token, "--url", server.url)
    assert saved.returncode == 0, saved.stderr
    checked = run("verify", str(file))
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "sound")
    assert run("import", str(file), "--url", server.url).returncode == 1  # it is there already
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.delete(f"{server.url}/v1/combats/{combat}", headers=headers).status_code == 204
    assert run("import", str(file), "--url", server.url).returncode == 0
    file.write_bytes(file.read_bytes().replace(b"Troll", b"Trolk", 1))
    broken = run("verify", str(file))
    assert broken.returncode == 1
    assert "WRONG: line" in broken.stdout


def test_the_demo_of_hallowed_earth_is_a_double_knock_out(server: Server) -> None:
    told = run("demo", "--ruleset", "hallowed-earth", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "Brand is struck down by Ghoul" in told.stdout
    assert "Ghoul is struck down by Brand" in told.stdout
    assert "nobody won" in told.stdout


def test_the_demo_of_sovereign_is_a_snap_attack_between_hit_and_damage(server: Server) -> None:
    told = run("demo", "--ruleset", "sovereign", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "prevented: the attack of Bandit" in told.stdout
    assert "party won" in told.stdout


def test_no_service_is_said_plainly() -> None:
    told = run("demo", "--url", "http://127.0.0.1:9")
    assert told.returncode == 1
    assert "make serve" in told.stderr


@pytest.mark.parametrize("name", ["AFFRAY_PORT", "AFFRAY_POOL_SIZE"])
def test_a_bad_setting_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "many")
    told = run("serve")
    assert told.returncode == 2
    assert name in told.stderr
