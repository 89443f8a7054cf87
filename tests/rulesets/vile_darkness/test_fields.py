"""Fields of sheets and options: what each of them changes, and where it ends."""

from typing import Any

import pytest

from domain.record.events import Damaged, Rolled
from tests.rulesets.vile_darkness.units import (
    begin,
    engaged,
    foe,
    hero,
    until,
    weapon,
)
from tests.spec import Spec


@pytest.mark.parametrize(("damage", "down"), [(14, False), (15, True)])
def test_down_at_is_the_limit(spec: Spec, damage: int, down: bool) -> None:
    """GAP-22: hp ≤ this; 20 − 14 = 6, 20 − 15 = 5."""
    spec.given(hero("Ana", down_at=5), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("damage", target="Ana", amount=damage)
    assert spec["Ana"].has("down") is down
    if down:
        spec.answer(None, "down", name="dying")
        spec.rule("heal", target="Ana", amount=1)
        assert not spec["Ana"].has("down")  # 6 is above the limit


@pytest.mark.parametrize(("least", "amount"), [(0, 0), (1, 2), (3, 6)])
def test_min_damage_comes_before_the_multiplier(spec: Spec, least: int, amount: int) -> None:
    """GAP-27: a face of 1 with −1 is raised to the least, then doubled."""
    knife = weapon("knife", damage_modifier=-1, multipliers=[{"when": "backstab", "factor": 2}])
    spec.given(hero("Ana", weapons=[knife]), foe("Orc"), min_damage=least)
    begin(spec, 5, 2)
    blow = [("attack", 15), ("damage", 1)]
    spec.act("Ana", "attack", *blow, target="Orc", circumstances=["backstab"])
    assert spec.event(Damaged).amount == amount


@pytest.mark.parametrize(
    ("given", "amount"), [({}, 7), ({"multiply": False}, 7), ({"multiply": True}, 10)]
)
def test_multiply_says_whether_special_damage_is_multiplied(
    spec: Spec, given: dict[str, Any], amount: int
) -> None:
    """2.3: 2 × 2 + 3, or 2 × 2 + 2 × 3."""
    knife = weapon("knife", multipliers=[{"when": "backstab", "factor": 2}])
    attack = {"weapon": "knife", "special_damage": {"formula": "1d4", **given}}
    stab = {"id": "stab", "kind": "melee", "attacks": [attack]}
    spec.given(hero("Ana", weapons=[knife], routines=[stab]), foe("Orc"))
    begin(spec, 5, 2)
    dice = [("attack", 15), ("damage", 2), ("special-damage", 3)]
    spec.act("Ana", "attack", *dice, target="Orc", circumstances=["backstab"])
    assert spec.event(Damaged).amount == amount
    special = [term.value for term in spec.event(Damaged).terms if "special" in term.source]
    assert special == ([3, 3] if amount == 10 else [3])


@pytest.mark.parametrize(
    ("included", "first"), [(["attack"], "Ana"), ([], "Orc"), (["move"], "Orc")]
)
def test_what_is_included_in_an_attack_takes_no_time(
    spec: Spec, included: list[str], first: str
) -> None:
    """VD-SIMP-03: Ana's sword of speed 5 against a speed of 6; a flourish of 2 would make it 7."""
    flourish = {"id": "flourish", "segments": 2, "included_in": included}
    spec.given(hero("Ana", activities=[flourish]), foe("Orc", weapons=[weapon("axe", speed=6)]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 4, 4)
    until(spec, "group/HIGH/D3")
    spec.act("Ana", "attack", target="Orc", **{"with": ["flourish"]})
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert next(one.who for one in spec.events(Rolled)) == first
