"""Test that a manual roll uses the numbers that are current when its faces arrive.

A morale check keeps the numbers from the beginning of its step (HE-MOR-13).
"""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Damaged
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    agility,
    attack,
    begin,
    declare,
    hero,
    monster,
    weapon,
)
from tests.spec import Spec, rule


def fight(spec: Spec, ana: dict[str, Any] | None = None, **orc: Any) -> Spec:
    """Begin with Ana at initiative 1 and an orc at 12."""
    spec.given(
        hero("Ana", **{"weapons": [SWORD], **(ana or {})}),
        monster("Orc", **{"weapons": [CLUB], "max_stress": 40, **orc}),
        rulings="default",
    )
    return begin(spec, 1, 12)


@pytest.fixture
def blow(spec: Spec) -> Spec:
    """Return a fight with Ana's d20 open. It has no modifiers, and needs 10 against Orc."""
    fight(spec)
    declare(spec, Ana=attack("sword"), Orc="no-action").act("Ana", "attack", target="Orc")
    assert spec.shown() == ("1d20", 0, 10)
    return spec


@rule("HE-ATK-01", "HE-FDEF-02")
def test_a_ruling_changes_the_defense(blow: Spec) -> None:
    blow.rule("set-condition", combatant="Orc", condition="full-defense")
    assert blow.shown() == ("1d20", 0, 14)
    blow.reload().throw(13)
    assert (blow.rolled("attack").target, blow.rolled("attack").outcome) == (14, "miss")


@rule("HE-ATK-01", "HE-ATK-04")
def test_a_changed_sheet_changes_both_numbers(blow: Spec) -> None:
    blow.do(Change("Orc", sheet={"attributes": agility(14)}))
    blow.do(Change("Ana", sheet={"weapons": [{**SWORD, "attack_bonus": 3}]}))
    assert blow.shown() == ("1d20", 3, 12)
    blow.undo()
    assert blow.shown() == ("1d20", 0, 12)
    blow.redo().reload().throw(9)
    assert (blow.rolled("attack").total, blow.rolled("attack").outcome) == (12, "hit")
    blow.throw(1)


@rule("HE-ATK-09", "HE-CRIT-01", "HE-CRIT-04")
def test_the_damage_counts_with_the_weapon_of_that_moment(blow: Spec) -> None:
    keen = weapon("sword", "1d8", crit_range=15, crit_multiplier=2)
    blow.do(Change("Ana", sheet={"weapons": [keen]})).throw(15)
    assert blow.rolled("attack").outcome == "critical"
    assert blow.shown() == ("1d8", 0, None)
    great = {**keen, "damage": "2d4", "damage_bonus": 1, "crit_multiplier": 3}
    blow.do(Change("Ana", sheet={"weapons": [great], "attributes": {"strength": 14}}))
    assert blow.shown() == ("2d4", 3, None)
    blow.reload().throw(1, 1)
    assert blow.rolled("damage").total == 5
    assert blow.event(Damaged).amount == 15
    blow.throw(100)


@rule("HE-MAG-02", "HE-ARM-05")
def test_a_casting_roll_and_the_dice_of_the_spell(spec: Spec) -> None:
    bolt: dict[str, Any] = {
        "id": "bolt", "casting_bonus": 2, "casting_tn": 12,
        "damage": {"formula": "1d6", "types": ["fire"]},
    }  # fmt: skip
    fight(spec, {"spells": [bolt], "weapons": []})
    declare(spec, Ana=("cast", {"spell": "bolt"}), Orc="no-action")
    spec.act("Ana", "cast", target="Orc")
    assert (spec.prompt().name, spec.shown()) == ("casting", ("1d20", 2, 12))
    better = {**bolt, "casting_bonus": 4, "damage": {"formula": "2d6", "types": ["fire"]}}
    spec.do(Change("Ana", sheet={"spells": [better]}))
    assert spec.shown() == ("1d20", 4, 12)
    spec.reload().throw(8)
    assert spec.rolled("casting").outcome == "success"
    assert spec.shown() == ("2d6", 0, None)
    spec.throw(1, 2)
    assert spec.event(Damaged).amount == 3


@rule("HE-STAB-01", "HE-STAB-03")
def test_first_aid_meets_the_worst_wound_of_that_moment(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo", wound_points=3), monster("Orc"), rulings="default")
    begin(spec, 1, 5, 12, Ana="stabilize", Bo="no-action", Orc="no-action")
    spec.rule("damage", who="Bo", amount=4)
    spec.act("Ana", "stabilize", target="Bo")
    before = spec.shown()
    spec.do(Change("Ana", sheet={"skills": {"heal": 3}}))
    assert spec.shown() == ("1d20", 3, before[2])
    spec.rule("damage", who="Bo", amount=5)
    assert spec.shown() == ("1d20", 3, 15)  # 10 + the worst single wound of 5
    spec.reload().throw(12)
    assert spec.rolled("heal").outcome == "success"


@rule("HE-INIT-02")
def test_initiative(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default").begin()
    spec.do(Change("Ana", sheet={"attributes": agility(14)}))
    assert spec.shown() == ("1d12", -2, None)
    spec.reload().throw(5)
    assert spec.rolled("initiative").total == 3
    spec.throw(9)


@rule("HE-MOR-13")
def test_morale_keeps_the_numbers_of_its_step(spec: Spec) -> None:
    """Each morale check keeps its numbers after a bear leaves.

    The roll adds 0 + 1 hit die + 1 ally, against 11 + 3 opponents.
    """
    bears = [{**monster(name), "side": "bears"} for name in ("bear", "b2")]
    spec.given(hero("Ana"), monster("wolf"), monster("w2"), *bears)
    faces = [("initiative", 5)] * 5
    spec.begin().answer(None, "as-given", *faces).rule("next-round").answer(None, "none")
    assert spec.shown()[2] == 14
    before = spec.shown()
    spec.do(Change("wolf", sheet={"attributes": {"insight": 18}})).leave("bear")
    assert spec.shown() == before
    spec.reload().throw(6, 6, 6)
    assert spec.rolled("morale").target == 14
    spec.throw(6, 6, 6).throw(6, 6, 6)
