"""Test that a manual roll uses the numbers that are current when its faces arrive."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Damaged
from tests.rulesets.vile_darkness.units import SWORD, begin, foe, hero, power
from tests.spec import Spec, rule

WARD = power(
    "ward", action_type="immediate", targets="self", range_ft=0,
    effects=[{"condition": "warded", "modifiers": {"ac": 2}}],
)  # fmt: skip


@pytest.fixture
def attack(spec: Spec) -> Spec:
    """Return a fight with Ana's d20 open. With AAC0 15, it needs 10 against AC 5."""
    spec.given(hero("Ana"), foe("Orc", max_hp=40, abilities=[WARD]))
    begin(spec, 5, 2).act("Ana", "attack", target="Orc")
    assert spec.shown() == ("1d20", 0, 10)
    return spec


@rule("VD-ATK-02", "VD-AC-02")
def test_a_ruling_changes_what_is_added(attack: Spec) -> None:
    attack.rule("condition", target="Ana", condition="dazzled", modifiers={"attack": -3})
    assert attack.shown() == ("1d20", -3, 10)
    attack.reload().throw(12)
    assert (attack.rolled("attack").total, attack.rolled("attack").outcome) == (9, "miss")


@rule("VD-ATK-02", "VD-AC-02")
def test_a_changed_sheet_changes_both_numbers(attack: Spec) -> None:
    attack.do(Change("Orc", sheet={"ac": 3})).do(Change("Ana", sheet={"aac0": 16}))
    assert attack.shown() == ("1d20", 0, 13)
    attack.undo()
    assert attack.shown() == ("1d20", 0, 12)
    attack.redo().do(Change("Ana", sheet={"weapons": [{**SWORD, "attack_modifier": 2}]}))
    assert attack.shown() == ("1d20", 2, 13)
    attack.reload().throw(11)
    assert (attack.rolled("attack").total, attack.rolled("attack").outcome) == (13, "hit")
    attack.throw(1)


@rule("VD-IMM-01", "VD-AC-02")
def test_an_immediate_ability_changes_the_armour_class(attack: Spec) -> None:
    attack.act("Orc", "immediate", ability="ward")
    assert attack.shown() == ("1d20", 0, 12)
    attack.reload().throw(11)
    assert (attack.rolled("attack").target, attack.rolled("attack").outcome) == (12, "miss")


@rule("VD-FOIL-01")
def test_whether_it_is_foiled_is_decided_when_the_die_falls(attack: Spec) -> None:
    barrier = {"against": "all", "obvious": True}
    attack.do(Change("Orc", sheet={"contact_barriers": [barrier]})).throw(15)
    assert attack.rolled("attack").outcome == "foiled"
    assert attack.hp("Orc") == 40


@rule("VD-DMG-01", "VD-DMG-02")
def test_the_damage_counts_with_the_weapon_of_that_moment(attack: Spec) -> None:
    attack.throw(15)
    assert attack.shown() == ("1d8", 0, None)
    attack.do(Change("Ana", sheet={"weapons": [{**SWORD, "damage": "2d4", "damage_modifier": 2}]}))
    assert attack.shown() == ("2d4", 2, None)
    attack.reload().throw(1, 1)
    assert attack.event(Damaged).amount == 4


@rule("VD-ATK-06")
def test_a_save_and_the_dice_of_a_spell(spec: Spec) -> None:
    gaze: dict[str, Any] = power(
        "gaze", action_type="immediate", damage="1d6", save={"category": "gaze"}
    )
    spec.given(hero("Ana", abilities=[gaze]), foe("Orc", saves={"gaze": 12}))
    begin(spec, 5, 2).act("Ana", "immediate", ability="gaze", target="Orc")
    assert (spec.prompt().name, spec.shown()) == ("save", ("1d20", 0, 12))
    spec.do(Change("Orc", sheet={"saves": {"gaze": 15}}))
    assert spec.shown() == ("1d20", 0, 15)
    spec.reload().throw(14)
    assert spec.rolled("save").outcome == "failure"
    assert spec.shown() == ("1d6", 0, None)
    spec.do(Change("Ana", sheet={"abilities": [{**gaze, "damage": "2d6"}]}))
    assert spec.shown() == ("2d6", 0, None)
    spec.reload().throw(1, 1)
    assert spec.event(Damaged).amount == 2


@rule("VD-EHD-06")
def test_morale(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc", morale=7))
    begin(spec, 5, 2).rule("morale-check", who="Orc")
    assert spec.shown() == ("2d6", 0, 7)
    spec.do(Change("Orc", sheet={"morale": 9}))
    assert spec.shown() == ("2d6", 0, 9)
    spec.reload().throw(4, 4)
    assert (spec.rolled("morale").target, spec.rolled("morale").outcome) == (9, "success")
