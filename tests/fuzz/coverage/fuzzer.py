"""The fuzzing process. `python -m tests.fuzz.coverage` starts it with libFuzzer's arguments."""

import sys
import traceback
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import atheris  # type: ignore[import-untyped, unused-ignore]  # in `.venv/fuzz`, where there is a wheel

INSTRUMENTED: Final = (
    "domain.dice",
    "domain.errors",
    "domain.record",
    "domain.rulebook.admission",
    "domain.rulebook.input_reader",
    "service.import_trial",
    "service.store.mapper",
    "service.store.transcoder",
)
"""Modules whose branches guide the fuzzer. Rules and views run, but do not count."""

ROOT: Final = Path(__file__).parent.parent.parent.parent


def others() -> list[str]:
    """Return the modules that do not count, because atheris selects by the first part of a name."""
    paths = [
        path
        for name in ("domain", "projections", "service")
        for path in (ROOT / name).rglob("*.py")
    ]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names if not name.startswith(INSTRUMENTED)]


with atheris.instrument_imports(["domain", "projections", "service"], others()):
    from tests.fuzz.coverage.judge import Judge
    from tests.fuzz.coverage.mutator import Mutator


def place_of(error: BaseException) -> str:
    """Return the error's type and its two innermost frames."""
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    places = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}"


class Faults:
    """A recorder that writes the shortest input of each fault to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shortest: dict[str, int] = {}

    def note(self, data: bytes, error: Exception) -> None:
        place = place_of(error)
        if len(data) >= self._shortest.get(place, sys.maxsize):
            return
        if place not in self._shortest:
            print(f"FAULT {place}: {str(error)[:300]}", file=sys.stderr, flush=True)
        self._shortest[place] = len(data)
        name = sha256(place.encode()).hexdigest()[:12]
        (self.folder / name).write_bytes(data)
        (self.folder / f"{name}.txt").write_text("".join(traceback.format_exception(error)))


def main(folder: Path, arguments: list[str]) -> None:
    """Fuzz until libFuzzer ends."""
    judge, faults = Judge(thorough=False), Faults(folder / "faults")
    pool = [path.read_bytes() for path in sorted((folder / "seeds").iterdir())]
    mutator = Mutator(pool)

    def run_input(data: bytes) -> None:
        try:
            judge.judge(data)
        except Exception as error:
            faults.note(data, error)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        return mutator.mutate(data, most, seed)

    def cross(data: bytes, other: bytes, most: int, seed: int) -> bytes:
        return mutator.cross(data, other, most, seed)

    options: Any = {"custom_mutator": mutate, "custom_crossover": cross}
    atheris.Setup([sys.argv[0], *arguments], run_input, **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
