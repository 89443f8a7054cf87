"""A combatant at rest is checked again as soon as one of its reads changes."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace as changed
from random import Random

import pytest
from msgspec.structs import replace

from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, Damaged, FactSet, Noted
from domain.record.evolve import evolve
from domain.rulebook import rest_checks
from domain.rulebook.rest_checks import unless_at_rest
from domain.rulebook.ruleset import Follows, Ruleset
from domain.rulesets import installed
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.spec import Spec
from tests.walks import FIGHTS

STEPS = 70


def two() -> Combat:
    return Combat(
        combatants={
            "ann": Combatant("ann", "Ann", "heroes"),
            "bob": Combatant("bob", "Bob", "foes"),
        }
    )


def at_ann(combat: Combat, follows: Callable[[Combat], object]) -> "Looked":
    """A look at Ann that was quiet in this state."""
    looked = Looked(follows)
    assert not looked.at(combat)
    assert looked.times == 1
    return looked


def test_a_look_reads_the_fields_of_a_combat_and_no_more() -> None:
    with pytest.raises(TypeError):
        at_ann(two(), lambda combat: combat.is_suspended)


class Looked:
    """Counts the looks at Ann, for whom something follows where the answer is true."""

    def __init__(self, follows: Callable[[Combat], object]) -> None:
        self.follows, self.times = follows, 0
        self.look = unless_at_rest(self._look)

    def _look(
        self, combat: Combat, combatant: Combatant, cause: AnyEvent | None
    ) -> Iterator[Follows]:
        self.times += 1
        if self.follows(combat):
            yield Noted("so")

    def at(self, combat: Combat, cause: AnyEvent | None = None) -> list[Follows]:
        return list(self.look(combat, combat.combatants["ann"], cause))


SEEN: dict[str, tuple[Callable[[Combat], object], Callable[[Combat], Combat]]] = {
    "a field of the combat": (
        lambda combat: combat.round == 2,
        lambda combat: replace(combat, round=2),
    ),
    "somebody else": (
        lambda combat: combat["bob"].left,
        lambda combat: _with(combat, replace(combat["bob"], left=True)),
    ),
    "who is not there yet": (
        lambda combat: combat.combatants.get("cyd"),
        lambda combat: _with(combat, Combatant("cyd", "Cyd", "foes")),
    ),
    "whether somebody is there": (
        lambda combat: "bob" not in combat.combatants,
        lambda combat: replace(combat, combatants={"ann": combat["ann"]}),
    ),
    "how many there are": (
        lambda combat: len(combat.combatants) == 3,
        lambda combat: _with(combat, Combatant("cyd", "Cyd", "foes")),
    ),
    "everybody": (
        lambda combat: any(combatant.side == "nobody" for combatant in combat),
        lambda combat: _with(combat, replace(combat["bob"], side="nobody")),
    ),
    "itself": (
        lambda combat: combat["ann"].hidden,
        lambda combat: _with(combat, replace(combat["ann"], hidden=True)),
    ),
}


def _with(combat: Combat, combatant: Combatant) -> Combat:
    return replace(combat, combatants={**combat.combatants, combatant.id: combatant})


@pytest.mark.parametrize("seen", SEEN)
def test_what_was_read_is_another(seen: str) -> None:
    follows, change = SEEN[seen]
    combat = two()
    looked = at_ann(combat, follows)
    assert not looked.at(combat)
    assert looked.times == 1
    assert looked.at(change(combat)) == [Noted("so")]


def test_what_was_not_read_is_another() -> None:
    combat = two()
    looked = at_ann(combat, lambda combat: combat["bob"].hidden or combat.round == 2)
    for other in (evolve(combat, FactSet(None, "dashing", "ann")), replace(combat, phase="turns")):
        assert not looked.at(other)
    assert looked.times == 1


def test_a_cause_that_is_about_it_is_looked_at() -> None:
    combat = two()
    looked = at_ann(combat, lambda combat: False)
    looked.at(combat, Damaged("bob", "hp", 1))
    assert looked.times == 1
    looked.at(combat, Damaged("ann", "hp", 1))
    assert looked.times == 2


def test_no_more_is_kept_than_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_checks, "MOST", 10)
    rest_checks.results.clear()
    for _ in range(20):
        at_ann(two(), lambda combat: False)
    assert len(rest_checks.results) == 10


def agreed(rules: Ruleset) -> Ruleset:
    """A rulebook whose consequences are, each time, those that are found without remembering."""

    def consequences(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
        kept = next(rules.consequences(combat, cause), None)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rest_checks, "results", OrderedDict())
            assert kept == next(rules.consequences(combat, cause), None), cause
        if kept is not None:
            yield kept

    return changed(rules, consequences=consequences)


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_nothing_is_overlooked(ruleset: str) -> None:
    """Random play under a GM of whims, every change of which is looked at twice."""
    spec = Spec(agreed(installed()[ruleset]))
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*FIGHTS[ruleset](), **NEEDED.get(ruleset, {}))
    walker = Walker(spec, Random(4), gm=0.25, undo=0.08)
    walker.walk(STEPS)
    assert walker.fired.commands > 10
