"""Play scenarios, which are tests of rules that a GM can write (docs/how-to/scenarios.md).

The player reads a file and plays it at a `Table`, in this process or over HTTP.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import yaml

Json = Any

FOLDERS = sorted((Path(__file__).parents[1] / "rulesets").glob("*/scenarios"))
COMMANDS = frozenset({"begin", "act", "answer", "rule", "join", "leave", "undo", "redo"})
CHECKS = frozenset({"then", "never", "asked", "refused", "state"})


class Wrong(AssertionError):
    """The rules contradict the scenario, or the scenario is invalid."""


@dataclass(frozen=True)
class Step:
    """One command, its dice, and the expected results."""

    command: str
    body: Mapping[str, Json]
    dice: Sequence[tuple[str, list[int]]]
    checks: Mapping[str, Json]


@dataclass(frozen=True)
class Scenario:
    """A fight and its steps. `given` has complete sheets."""

    name: str
    rules: tuple[str, ...]
    ruleset: str
    given: Sequence[Mapping[str, Json]]
    options: Mapping[str, Json]
    map: Mapping[str, Json] | None
    steps: Sequence[Step]


@dataclass(frozen=True)
class Result:
    """The result of a command: `events` as type and fields, and `refused` with rule and reason."""

    events: Sequence[tuple[str, Mapping[str, Json]]] = ()
    refused: Mapping[str, str] | None = None


class Table(Protocol):
    """The place where a scenario is played."""

    async def given(self, scenario: Scenario) -> None:
        """Open the combat with manual dice for everybody."""

    async def do(self, step: Step) -> Result:
        """Send the command, and answer its rolls with the scripted dice in order."""

    async def asked(self) -> Sequence[tuple[str, str, str]]:
        """Return combatant, kind and name of each open prompt. "GM" stands for the GM."""

    async def state(self, who: str) -> Mapping[str, Json]:
        """Return a combatant as the GM's board shows it."""


def scenarios(path: Path) -> Iterator[Scenario]:
    """Yield the scenarios of a file. Raises `Wrong` for an unknown key."""
    shared = yaml.safe_load((path.parent / "defaults.yaml").read_text())
    for raw in yaml.safe_load(path.read_text()):
        _only(raw, {"name", "rules", "given", "options", "map", "play"}, "a scenario")
        sheets = [_sheet(combatant, shared) for combatant in raw["given"]]
        steps = [_step(step) for step in raw["play"]]
        options = {**shared.get("options", {}), **raw.get("options", {})}
        yield Scenario(
            raw["name"],
            tuple(raw["rules"]),
            shared["ruleset"],
            sheets,
            options,
            raw.get("map"),
            steps,
        )


def _sheet(combatant: Mapping[str, Json], shared: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a complete sheet: the combatant, the folder's defaults, and its named items."""
    sheet = {**shared["sheet"], **combatant}
    for name, things in shared.get("things", {}).items():
        if name in sheet:
            sheet[name] = [things[it] if isinstance(it, str) else it for it in sheet[name]]
    return sheet


def _step(raw: Mapping[str, Json]) -> Step:
    [command, *more] = [name for name in raw if name in COMMANDS] or [""]
    _only(raw, {command} | CHECKS, "a step")
    if not command or more:
        raise Wrong(f"a step has one command, of {sorted(COMMANDS)}: {sorted(raw)}")
    body = dict(raw[command] or {})
    dice = [_die(text) for text in body.pop("dice", ())]
    checks = {name: raw[name] for name in raw if name in CHECKS}
    return Step(command, body, dice, checks)


def _die(text: str) -> tuple[str, list[int]]:
    purpose, *faces = text.split()
    return purpose, [int(face) for face in faces]


def _only(raw: Mapping[str, Json], known: set[str] | frozenset[str], what: str) -> None:
    if unknown := sorted({*raw} - known):
        raise Wrong(f"{what} has {unknown}, and may have {sorted(known - {''})}")


async def play(scenario: Scenario, table: Table) -> None:
    """Play a scenario. Raises `Wrong` at the first deviation."""
    await table.given(scenario)
    for number, step in enumerate(scenario.steps, 1):
        result = await table.do(step)
        try:
            await _check(step, result, table)
        except Wrong as wrong:
            prompts = await table.asked()
            where = f"{scenario.name}, step {number} ({step.command} {dict(step.body)})"
            raise Wrong(f"{where}: {wrong}; open prompts: {prompts}") from None


async def _check(step: Step, result: Result, table: Table) -> None:
    wanted = step.checks.get("refused")
    refused = result.refused
    if (wanted is None) is not (refused is None) or not _fits(wanted or {}, refused or {}):
        raise Wrong(f"refused {wanted} was wanted, and it is {refused}")
    told = result.events
    for facts in step.checks.get("then", ()):
        [(type, fields)] = facts.items()
        same = [data for kind, data in told if kind == type]
        if not any(_fits(fields or {}, data) for data in same):
            raise Wrong(f"no {type} with {fields}, but {same or [kind for kind, _ in told]}")
    for type in step.checks.get("never", ()):
        if any(kind == type for kind, _ in told):
            raise Wrong(f"there is a {type}")
    if "asked" in step.checks:
        asked = {who: f"{kind} {name}" for who, kind, name in await table.asked()}
        if asked != step.checks["asked"]:
            raise Wrong(f"{step.checks['asked']} was to be asked, and it is {asked}")
    for who, fields in step.checks.get("state", {}).items():
        state = await table.state(who)
        wrong = {name: state.get(name) for name in fields if state.get(name) != fields[name]}
        if wrong:
            raise Wrong(f"{who} has {wrong}")


def _fits(wanted: Mapping[str, Json], data: Mapping[str, Json]) -> bool:
    return all(name in data and data[name] == value for name, value in wanted.items())


@dataclass
class Dice:
    """The scripted dice of a step."""

    left: list[tuple[str, list[int]]] = field(default_factory=list)

    def next(self, purpose: str) -> list[int] | None:
        """Return the faces of a roll, or `None` if no dice are left and the roll stays open."""
        if not self.left:
            return None
        scripted, faces = self.left.pop(0)
        if scripted != purpose:
            raise Wrong(f"the next die is for {purpose}, and {scripted} was scripted")
        return faces

    def over(self) -> None:
        """Raise `Wrong` if dice are left."""
        if self.left:
            raise Wrong(f"nobody asks for the dice {self.left}")
