"""Test options and sheet fields that change a number of every fight."""

import pytest

from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    hero,
    monster,
    shown,
    weapon,
)
from tests.spec import Spec, rule


@rule("HE-ATK-04", "HE-ATK-03")
def test_attacks_are_rolled_with_the_dice_of_the_table(spec: Spec) -> None:
    """The option `check_dice` sets the dice (GAP-02)."""
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc"), rulings="default", check_dice="3d6")
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 3, 3, 4), ("damage", 1), target="Orc")
    assert (spec.rolled("attack").formula, spec.rolled("attack").total) == ("3d6", 10)


@rule("HE-ATK-01", "HE-INIT-02")
def test_the_tables_own_modifiers_of_scores_count(spec: Spec) -> None:
    """The option `attribute_modifiers` sets the modifiers (GAP-03). By default, 14 would be +2."""
    table = [{"from": 0, "modifier": -1}, {"from": 10, "modifier": 0}, {"from": 14, "modifier": 5}]
    spec.given(hero("Ana", attributes={"agility": 14}), monster("Orc"), rulings="default",
               attribute_modifiers=table)  # fmt: skip
    begin(spec, 7, 12)
    assert (shown(spec, "Ana", "defense"), shown(spec, "Ana", "base_initiative")) == (15, 2)


@rule("HE-ATK-02")
def test_what_adds_to_defense_is_added_up(spec: Spec) -> None:
    more = [{"value": 3, "reason": "quick"}, {"value": -1, "reason": "heavy"}]
    spec.given(hero("Ana", defense_modifiers=more), monster("Orc"))
    assert shown(spec, "Ana", "defense") == 12  # 10 + 3 − 1


@rule("HE-CRIT-04")
@pytest.mark.parametrize(("face", "outcome"), [(18, "hit"), (19, "critical")])
def test_the_natural_face_makes_a_hit_critical(spec: Spec, face: int, outcome: str) -> None:
    """The natural face decides whether a hit is critical, not the total of 28 or 29."""
    axe = weapon("axe", "1d6", crit_range=19, crit_multiplier=2, attack_bonus=10)
    spec.given(hero("Ana", weapons=[axe]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("axe"), Orc="no-action")
    more = [("injury-chance", 100)] if outcome == "critical" else []
    spec.act("Ana", "attack", ("attack", face), ("damage", 1), *more, target="Orc")
    assert spec.rolled("attack").outcome == outcome


@rule("HE-CRIT-04")
@pytest.mark.parametrize(("faces", "outcome"), [((10, 8), "hit"), ((10, 9), "critical")])
def test_of_several_dice_the_sum_of_their_faces_counts(
    spec: Spec, faces: tuple[int, ...], outcome: str
) -> None:
    axe = weapon("axe", "1d6", crit_range=19, crit_multiplier=2)
    spec.given(hero("Ana", weapons=[axe]), monster("Orc"), rulings="default", check_dice="2d10")
    begin(spec, 1, 12, Ana=attack("axe"), Orc="no-action")
    more = [("injury-chance", 100)] if outcome == "critical" else []
    spec.act("Ana", "attack", ("attack", *faces), ("damage", 1), *more, target="Orc")
    assert spec.rolled("attack").outcome == outcome
