"""Test the fuzzer's seeds, and inputs that once broke a promise."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.fuzz.coverage.judge import Judge
from tests.fuzz.coverage.mutator import sealed, seeds

FILES = sorted((Path(__file__).parent / "corpus").iterdir())
SEEDS = dict(seeds())


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    made = Judge()
    yield made
    made.close()


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_what_broke_a_promise_once_is_answered(judge: Judge, file: Path) -> None:
    taken = file.name.startswith("taken-")
    assert (judge.judge(file.read_bytes()) == "imported") is taken


@pytest.mark.parametrize(
    "name", [name for name in SEEDS if "event" not in name and name.endswith(("-8", "-walk-1"))]
)
def test_a_seed_is_imported_copied_and_forked(judge: Judge, name: str) -> None:
    assert judge.judge(SEEDS[name]) == "imported"


def test_every_stored_event_is_decoded(judge: Judge) -> None:
    events = [data for name, data in SEEDS.items() if name.startswith("event-")]
    assert {judge.judge(event) for event in events} == {"decoded"}


@pytest.mark.parametrize("id", ["{{{}}}", "urn:uuid:{}"])
def test_an_id_is_written_as_the_service_writes_it(judge: Judge, id: str) -> None:
    header, *lines = [msgspec.json.decode(line) for line in SEEDS["free-hit-1-4"].splitlines()]
    header["combat"] = id.format(header["combat"])
    lines[0]["event"]["event"]["combat"] = header["combat"]
    assert judge.judge(sealed(header, lines)) == "without an id"
