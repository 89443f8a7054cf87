"""The watch computes a value again when one of its reads changes."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.memo import Watch
from domain.record.combat import Combat
from domain.record.events import FactSet
from domain.record.evolve import evolve
from tests.domain.test_able import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec


@pytest.fixture
def combat() -> Combat:
    return Spec(TOY).given(ANN, BOB, declare=False).begin().combat


READS: dict[str, tuple[Callable[[Combat], Any], Callable[[Combat], Combat]]] = {
    "all facts of the combat": (
        lambda combat: dict(combat.facts),
        lambda combat: evolve(combat, FactSet(None, "dashing", "ann")),
    ),
    "how many facts somebody has": (
        lambda combat: len(combat["ann"].facts),
        lambda combat: evolve(combat, FactSet("ann", "snapped", True)),
    ),
    "who is there": (
        lambda combat: list(combat.combatants),
        lambda combat: replace(combat, combatants={"ann": combat.combatants["ann"]}),
    ),
    "whether somebody is": (
        lambda combat: "bob" in combat.combatants,
        lambda combat: replace(combat, combatants={"ann": combat.combatants["ann"]}),
    ),
    "one fact that is not there yet": (
        lambda combat: combat["ann"].facts.get("snapped"),
        lambda combat: evolve(combat, FactSet("ann", "snapped", True)),
    ),
}


@pytest.mark.parametrize("reads", READS)
def test_what_was_read_is_read_again(combat: Combat, reads: str) -> None:
    read, change = READS[reads]
    watch: Watch[Any] = Watch()
    watch.at(combat)
    assert watch.get("it", lambda now: (read(now),)) == (read(combat),)
    after = change(combat)
    watch.at(after)
    assert watch.get("it", lambda now: (read(now),)) == (read(after),)
    assert read(after) != read(combat)


@pytest.mark.parametrize("reads", READS)
def test_what_was_not_read_changes_nothing(combat: Combat, reads: str) -> None:
    read, _ = READS[reads]
    watch: Watch[Any] = Watch()
    watch.at(combat)
    made = watch.get("it", lambda now: (read(now),))
    watch.at(replace(combat, round=7))
    assert watch.get("it", lambda now: (read(now),)) is made
