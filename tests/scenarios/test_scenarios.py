"""Play every scenario in this process, and some of them over HTTP."""

import os
from pathlib import Path

import pytest
import yaml

from tests.client import Client
from tests.scenarios.player import FOLDERS, Scenario, Wrong, play, scenarios
from tests.scenarios.tables import InProcess, OverHttp

FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*-*.yaml"))]
EVERY = [
    pytest.param(
        scenario, id=f"{path.stem}: {scenario.name}", marks=pytest.mark.rule(*scenario.rules)
    )
    for path in FILES
    for scenario in scenarios(path)
]
OVER_HTTP = EVERY if os.environ.get("AFFRAY_SCENARIOS") == "http" else EVERY[:3]
"""Scenarios to play over HTTP. `AFFRAY_SCENARIOS=http` selects all."""


@pytest.mark.parametrize("scenario", EVERY)
async def test_scenario(scenario: Scenario) -> None:
    await play(scenario, InProcess())


@pytest.mark.parametrize("scenario", OVER_HTTP)
async def test_scenario_over_http(scenario: Scenario, client: Client) -> None:
    await play(scenario, OverHttp(client))


def written(folder: Path, **step: object) -> Path:
    """Write a file with one scenario, in which a fight begins and `step` follows."""
    sheets = [{"name": "Ana", "at": [0, 0], "agility": 5}, {"name": "Imp", "side": "foes"}]
    raw = {
        "name": "a fight",
        "rules": ["FH-ATK-03"],
        "given": sheets,
        "play": [{"begin": {}}, step],
    }
    sheet = {"side": "heroes", "agility": 0, "accuracy": 0, "max_hp": 20}
    shared = {"ruleset": "free-hit", "sheet": sheet}
    (folder / "defaults.yaml").write_text(yaml.safe_dump(shared))
    (folder / "FH-ATK.yaml").write_text(yaml.safe_dump([raw]))
    return folder / "FH-ATK.yaml"


TALK = {"combatant": "Ana", "action": "end-turn"}


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"act": TALK, "then": [{"rolled": {}}]}, "no rolled"),
        ({"act": TALK, "never": ["turn-began"]}, "there is a turn-began"),
        ({"act": TALK, "asked": {"Ana": "turn turn"}}, "was to be asked"),
        ({"act": TALK, "refused": {"rule": "FH-ATK-07"}}, "refused"),
        ({"act": {**TALK, "combatant": "Imp"}}, "refused None was wanted"),
        ({"act": TALK, "state": {"Imp": {"hp": 19}}}, "Imp has {'hp': 20}"),
        ({"act": {**TALK, "dice": ["attack 9"]}}, "dice left over"),
    ],
)
async def test_what_is_not_so_fails(tmp_path: Path, step: dict[str, object], told: str) -> None:
    [scenario] = scenarios(written(tmp_path, **step))
    with pytest.raises(Wrong, match=told):
        await play(scenario, InProcess())


@pytest.mark.parametrize("step", [{"act": TALK, "than": []}, {"begin": {}, "act": TALK}, {}])
def test_an_unknown_key_or_a_missing_command_fails(tmp_path: Path, step: dict[str, object]) -> None:
    with pytest.raises(Wrong, match=r"a step (has|may)"):
        list(scenarios(written(tmp_path, **step)))


def test_the_scenario_in_the_guide_is_one_of_the_files() -> None:
    guide = Path(__file__).parents[2] / "docs" / "how-to" / "scenarios.md"
    shown = guide.read_text().partition("```yaml\n")[2].partition("```")[0]
    assert any(shown in path.read_text() for path in FILES)
