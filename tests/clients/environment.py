"""Wheels of the clients, and an environment that installs them without a network."""

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Collection, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


PROJECTS = {
    "affray": ROOT,
    "affray_client": ROOT / "clients" / "python",
    "affray_mcp": ROOT / "clients" / "mcp",
}

IGNORED = ("build", "dist", "clients", "tests", "node_modules", "*.egg-info", "__pycache__", ".*")


def wheel(name: str, folder: Path) -> Path:
    """Return the wheel of a project. `AFFRAY_DIST` may name a folder with built wheels."""
    if given := os.environ.get("AFFRAY_DIST"):
        (path,) = Path(given).glob(f"{name}-*.whl")
        return path
    copy = folder / "source"
    shutil.copytree(PROJECTS[name], copy, ignore=shutil.ignore_patterns(*IGNORED))
    _pip("wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "-w", folder, copy)
    (built,) = folder.glob("*.whl")
    return built


class Environment:
    """A virtual environment that holds only wheels and their declared dependencies.

    The environment copies the dependencies from the project's environment. As on a user's machine,
    a package that no wheel declares is missing.
    """

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.bin = folder / "bin"
        self._installed: dict[str, set[str]] = {}
        (self.packages,) = folder.glob("lib/python*/site-packages")

    def install(self, *wheels: Path, extras: Collection[str] = ()) -> None:
        """Install wheels and their requirements, also those of `extras`."""
        python = self.bin / "python"
        _pip("--python", python, "install", "-q", "--no-index", "--no-deps", *wheels)
        for built in wheels:
            name = built.name.split("-")[0]
            self._installed[canonicalize_name(name)] = {canonicalize_name(name)}
            (path,) = self.packages.glob(f"{name}-*.dist-info/METADATA")
            metadata = path.read_text().partition("\n\n")[0]
            self._require(re.findall(r"^Requires-Dist: (.*)", metadata, re.MULTILINE), extras)

    def _require(self, lines: Sequence[str], extras: Collection[str] = ()) -> None:
        for line in lines:
            needed = Requirement(line)
            marker = needed.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                continue
            name = canonicalize_name(needed.name)
            if {name, *needed.extras} <= self._installed.setdefault(name, set()):
                continue
            self._installed[name] |= {name, *needed.extras}
            package = distribution(name)
            self._copy(package)
            self._require(package.requires or (), needed.extras)

    def _copy(self, distribution: Distribution) -> None:
        for file in distribution.files or ():
            if ".." not in file.parts:
                target = self.packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(Path(str(distribution.locate_file(file))), target)

    def run(
        self, *command: str | Path, folder: Path, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment, without access to the clone."""
        variables["PATH"] = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [str(self.bin / command[0]), *map(str, command[1:])],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=300,
        )


def _pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", *map(str, arguments)]
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
