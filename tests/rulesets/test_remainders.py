"""Budgets and used resources are never below 0, in random fights of every rulebook."""

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from domain.record.combat import Json
from domain.rulesets import installed
from service.conformance.walker import Walker
from tests.forms import forms
from tests.spec import Spec
from tests.walks import begin

REMAINDERS: Mapping[str, tuple[str, ...]] = {
    "definitions": ("budget", "immediates_used", "movement_ft", "space"),
    "free-hit": (
        "owed", "free_hit_slots", "zone_radius", "move_allowance", "max_hp_now", "summoning_slots",
    ),
    "hallowed-earth": ("actions_this_round", "moved_ft", "move_limit_ft", "crawl_progress_ft"),
    "sovereign": ("budget", "rounds_since_fall", "movement_ft", "uses_left"),
    "vile-darkness": ("added_segments",),
}  # fmt: skip
"""Derived numbers of the board that count a remainder, a use or a distance."""


def numbers(shown: Json) -> Iterator[float]:
    match shown:
        case bool() | None:
            return
        case int() | float():
            yield shown
        case Mapping():
            for inner in shown.values():
                yield from numbers(inner)
        case _:
            return


def below_zero(spec: Spec) -> list[tuple[str, str, Json]]:
    """Return the negative remainders of all combatants."""
    negatives: list[tuple[str, str, Json]] = []
    for combatant in spec.combat:
        shown = {**spec.ruleset.derived(spec.combat, combatant.id), "of the turn": combatant.budget}
        for name in ("of the turn", *REMAINDERS[spec.ruleset.id]):
            if any(number < 0 for number in numbers(shown[name])):
                negatives.append((combatant.id, name, shown[name]))
    return negatives


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(installed()))
@forms("seed", 5, long=[6])
def test_nothing_that_is_left_is_below_zero(ruleset: str, seed: int) -> None:
    spec = begin(ruleset, seed)
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(seed), gm=0.1)
    for _ in range(80):
        if not walker.step():
            break
        assert below_zero(spec) == []
