"""Test the command line as a newcomer uses it."""

import os
import shutil
import socket
import subprocess
import textwrap
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tests.commands import AFFRAY, run
from tests.server import Server


def test_every_command_has_help() -> None:
    told = subprocess.run([AFFRAY, "--help"], capture_output=True, text=True, check=True).stdout
    for command in (
        "serve",
        "demo",
        "verify",
        "rebuild",
        "export",
        "import",
        "openapi",
        "conformance",
    ):
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
    assert run("import", str(file), "--url", server.url).returncode == 1  # the combat exists
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.delete(f"{server.url}/v1/combats/{combat}", headers=headers).status_code == 204
    assert run("import", str(file), "--url", server.url).returncode == 0
    file.write_bytes(file.read_bytes().replace(b"Troll", b"Trolk", 1))
    broken = run("verify", str(file))
    assert broken.returncode == 1
    assert "WRONG: line" in broken.stdout


def test_an_operator_issues_a_gm_token(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = httpx.post(f"{server.url}/v1/combats", json={"ruleset": "free-hit"}).json()
    monkeypatch.setenv("DATABASE_URL", server.dsn)
    told = run("token", opened["combat"], "--label", "Lost and found")
    assert told.returncode == 0, told.stderr
    headers = {"Authorization": f"Bearer {told.stdout.strip()}"}
    url = f"{server.url}/v1/combats/{opened['combat']}/you"
    you = httpx.get(url, headers=headers).json()
    assert (you["role"], you["label"]) == ("gm", "Lost and found")
    unknown = run("token", str(uuid4()))
    assert (unknown.returncode, unknown.stderr[:26]) == (1, "affray: there is no combat")


def test_the_demo_of_vile_darkness_breaks_a_spell(server: Server) -> None:
    told = run("demo", "--ruleset", "vile-darkness", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "fire is lost: it was hurt" in told.stdout
    assert "party won" in told.stdout


def test_the_demo_of_hallowed_earth_is_a_double_knock_out(server: Server) -> None:
    told = run("demo", "--ruleset", "hallowed-earth", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "Ghoul brings Brand down; Brand is incapacitated" in told.stdout
    assert "Brand brings Ghoul down; Ghoul is incapacitated" in told.stdout
    assert "nobody won" in told.stdout


def test_the_demo_of_sovereign_is_a_snap_attack_between_hit_and_damage(server: Server) -> None:
    told = run("demo", "--ruleset", "sovereign", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "Bandit's attack is now prevented: 15 against 12" in told.stdout
    assert "party won" in told.stdout


def test_the_demo_of_definitions_shows_its_reactions(server: Server) -> None:
    told = run("demo", "--ruleset", "definitions", "--url", server.url)
    assert told.returncode == 0, told.stderr
    assert "Hag's Bolt is countered" in told.stdout
    assert "Hag goes down and is unconscious" in told.stdout
    assert "heroes won" in told.stdout


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**kept, **more}


@pytest.mark.parametrize("days", ["-5", "99999999999", "many"])
def test_days_that_are_none(days: str) -> None:
    told = run("archive", f"--days={days}")
    assert told.returncode == 2
    assert "from 0 to 36500" in told.stderr


def test_the_archive_needs_a_place() -> None:
    told = run("archive")
    assert told.returncode == 2
    assert "AFFRAY_ARCHIVE" in told.stderr


def test_no_service_is_said_plainly() -> None:
    for arguments in (["demo"], ["export", "x", "/tmp/x", "--token", "t"], ["import", __file__]):
        told = run(*arguments, "--url", "http://127.0.0.1:9")
        assert told.returncode == 1
        assert "no service answers at http://127.0.0.1:9" in told.stderr
        assert "make serve" in told.stderr
        assert "Traceback" not in told.stderr


@pytest.mark.parametrize("name", ["AFFRAY_PORT", "AFFRAY_POOL_SIZE"])
def test_a_bad_setting_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("many", "99999999"):
        monkeypatch.setenv(name, value)
        told = run("serve")
        assert told.returncode == 2
        assert name in told.stderr
        assert "Traceback" not in told.stderr


SENTENCES = {
    "no database there": ({"DATABASE_URL": "postgresql://u:hush@127.0.0.1:9/x"}, "DATABASE_URL"),
    "no URL": ({"DATABASE_URL": "mysql://u:hush@127.0.0.1/x"}, "DATABASE_URL"),
    "a file for a folder": ({"AFFRAY_DATA_DIR": __file__}, "AFFRAY_DATA_DIR"),
    "no key": ({"CIPHER_KEY": "hush"}, "CIPHER_KEY"),
    "no cipher": ({"CIPHER_TOPIC": "no.such:Cipher", "CIPHER_KEY": "aHVzaA=="}, "CIPHER_TOPIC"),
    "no compressor": ({"COMPRESSOR_TOPIC": "no.such"}, "COMPRESSOR_TOPIC"),
    "no such address": ({"AFFRAY_HOST": "256.0.0.1"}, "AFFRAY_HOST"),
}


@pytest.mark.parametrize("settings", SENTENCES.values(), ids=list(SENTENCES))
def test_what_is_wrong_is_a_sentence(settings: tuple[dict[str, str], str]) -> None:
    variables, named = settings
    told = run("serve", "--port", "0", env=environment(**variables))
    assert told.returncode == 2
    assert named in told.stderr
    assert "Traceback" not in told.stderr
    assert "hush" not in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_a_port_in_use_is_named(dsn: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        told = run("serve", env=environment(DATABASE_URL=dsn, AFFRAY_PORT=port))
    assert told.returncode == 2
    assert "AFFRAY_PORT" in told.stderr
    assert port in told.stderr
    assert "Affray on" not in told.stdout


def test_a_missing_file_is_a_sentence() -> None:
    for arguments in (["verify", "nowhere.jsonl"], ["import", "nowhere.jsonl"]):
        told = run(*arguments)
        assert told.returncode == 1
        assert told.stderr == "affray: nowhere.jsonl: No such file or directory\n"


def test_clients_find_the_service_by_the_same_settings(server: Server) -> None:
    told = run("demo", env=environment(AFFRAY_PORT=str(server.port), AFFRAY_PROT="1"))
    assert told.returncode == 0, told.stderr
    assert "is AFFRAY_PORT meant?" in told.stderr


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_what_the_readme_says_can_be_pasted(server: Server) -> None:
    readme = (Path(__file__).parent.parent.parent / "README.md").read_text()
    block = readme.split("paste the whole block:")[1].split("\nAffray refuses the troll")[0]
    script = textwrap.dedent(block).replace("http://127.0.0.1:8000", server.url)
    told = subprocess.run(["sh", "-eu"], input=script, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("/problems/") == 1
    assert "not-your-turn" in told.stdout
    assert "Lin" in told.stdout.split("# The bridge")[-1]
