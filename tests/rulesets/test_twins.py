"""Test that the order of joining matters only where the rulebook says so."""

from typing import Any

import pytest

from domain.rulesets import installed
from tests.forms import forms
from tests.rulesets.vile_darkness.units import SWORD, foe, hero, power
from tests.twins import Twins, fight
from tests.walks import FIGHTS

WARD = power("ward", targets="self", range_ft=0, segments=0, concentration_to_maintain=True,
             effects=[{"condition": "warded", "modifiers": {"ac": 12, "saves": 9}}])  # fmt: skip
FIRE = power("fire", damage=None, concentration_to_maintain=True, save={"category": "spells"},
             effects=[{"condition": "burning", "ongoing": "1d4"}])  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
@forms("seed", 0, long=[1])
def test_two_orders_of_joining_come_to_the_same(ruleset: str, seed: int) -> None:
    assert fight(ruleset, seed).walk(25) > 10


@pytest.mark.sampled
@forms("seed", 0, 1, long=range(2, 6))
def test_vile_darkness_in_one_moment(seed: int) -> None:
    """The order of joining does not change simultaneous actions in `vile-darkness`.

    All combatants have the same rank, speed and ward, and fight in one melee.
    """
    given: dict[str, Any] = {"abilities": [WARD, FIRE], "saves": {"spells": 12}, "ac": 9,
                             "weapons": [SWORD], "max_hp": 30}  # fmt: skip
    sheets = [
        hero("Ana", at=[0, 0], **given),
        foe("Orc", at=[1, 0], **given),
        hero("Bo", at=[0, 1], **given),
        foe("Rat", at=[1, 1], **given),
    ]
    twins = Twins(installed()["vile-darkness"], sheets, seed)
    assert twins.begin().walk(60) > 10
