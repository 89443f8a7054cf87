"""Consequences check only changed combatants, and still find everything."""

from collections.abc import Iterator
from dataclasses import replace as changed
from random import Random

import pytest
from msgspec.structs import replace

from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, Damaged, FactSet, Noted
from domain.record.evolve import evolve
from domain.rulebook.changes import changed_since
from domain.rulebook.ruleset import Follows, Ruleset
from domain.rulesets import installed
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.spec import Spec
from tests.walks import FIGHTS

STEPS = 70

TWO = Combat(
    combatants={
        "ann": Combatant("ann", "Ann", "heroes"),
        "bob": Combatant("bob", "Bob", "foes"),
    }
)


def among(
    before: Combat | None, combat: Combat, *fields: str, cause: AnyEvent | None = None
) -> set[str]:
    """Return the combatants that the rulebook must check again after a change."""
    again = changed_since(before, combat, cause, *fields)
    return {who for who in combat.combatants if who in again}


def with_one(combat: Combat, combatant: Combatant) -> Combat:
    return replace(combat, combatants={**combat.combatants, combatant.id: combatant})


def test_everybody_is_checked_where_nothing_is_known() -> None:
    assert among(None, TWO) == {"ann", "bob"}


def test_nobody_is_checked_again_where_nothing_changed() -> None:
    assert among(TWO, TWO) == set()


def test_only_whom_a_change_touches_is_checked() -> None:
    for event in (FactSet("bob", "dashing", True), Damaged("bob", "hp", 1)):
        assert among(TWO, evolve(TWO, event)) == {"bob"}
    joined = with_one(TWO, Combatant("cyd", "Cyd", "foes"))
    assert among(TWO, joined) == {"cyd"}
    assert among(joined, TWO) == set()


def test_the_subject_of_the_cause_is_checked_though_it_has_not_changed() -> None:
    assert among(TWO, TWO, cause=Damaged("ann", "hp", 0)) == {"ann"}
    assert among(TWO, TWO, cause=Noted("so", "bob")) == {"bob"}
    assert among(TWO, TWO, cause=Noted("so")) == set()


def test_a_field_that_the_rulebook_reads_concerns_everybody() -> None:
    later = replace(TWO, round=2)
    assert among(TWO, later) == set()
    assert among(TWO, later, "acting", "round") == {"ann", "bob"}
    assert among(TWO, replace(TWO, status="running")) == {"ann", "bob"}


def agreed(rules: Ruleset) -> Ruleset:
    """Return a rulebook that compares its consequences with those of a full check."""

    def consequences(
        combat: Combat, cause: AnyEvent | None, before: Combat | None
    ) -> Iterator[Follows]:
        follows = next(rules.consequences(combat, cause, before), None)
        assert follows == next(rules.consequences(combat, cause, None), None), cause
        if follows is not None:
            yield follows

    return changed(rules, consequences=consequences)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_nothing_is_overlooked(ruleset: str) -> None:
    """In random play, a check of changed combatants finds the consequences of a full check."""
    spec = Spec(agreed(installed()[ruleset]))
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*FIGHTS[ruleset](), **NEEDED.get(ruleset, {}))
    walker = Walker(spec, Random(4), gm=0.25, undo=0.08)
    walker.walk(STEPS)
    assert walker.fired.commands > 10
