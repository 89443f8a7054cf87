"""Test that a manual roll uses the numbers that apply when its faces arrive."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Damaged, Judged
from tests.rulesets.sovereign.units import FISTS, SPEAR, SWORD, end, fight, hero, npc
from tests.spec import Spec, rule


@pytest.fixture
def attack(spec: Spec) -> Spec:
    """Return a fight in which Orc's attack roll is open: 1d20 + 1 against Ana's AC of 10."""
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", max_hp=20))
    end(spec, "Ana").act("Orc", "melee-attack", target="Ana")
    assert spec.shown() == ("1d20", 1, 10)
    return spec


@rule("SOV-ATK-01", "SOV-PRONE-02")
def test_a_ruling_changes_what_is_added(attack: Spec) -> None:
    attack.rule("set-condition", combatant="Ana", condition="prone")
    assert attack.shown() == ("1d20", 3, 10)  # + 2 against an adjacent prone target
    attack.reload().throw(7)
    assert (attack.rolled("attack").total, attack.rolled("attack").outcome) == (10, "hit")
    attack.throw(1)


@rule("SOV-ATK-01")
def test_a_changed_sheet_changes_both_numbers(attack: Spec) -> None:
    attack.do(Change("Ana", sheet={"ac": 13})).do(Change("Orc", sheet={"attack_bonus": 5}))
    assert attack.shown() == ("1d20", 5, 13)
    attack.undo()
    assert attack.shown() == ("1d20", 1, 13)
    attack.redo().do(Change("Orc", sheet={"weapons": [{**SPEAR, "magic_bonus": 2}]}))
    assert attack.shown() == ("1d20", 7, 13)
    attack.reload().throw(6)
    assert (attack.rolled("attack").total, attack.rolled("attack").outcome) == (13, "hit")
    attack.throw(1)


@rule("SOV-TD-01", "SOV-INST-01")
def test_an_instant_before_the_die_falls_raises_the_armor_class(attack: Spec) -> None:
    attack.act("Ana", "total-defense")
    assert attack.shown() == ("1d20", 1, 12)
    attack.reload().throw(10)
    assert (attack.rolled("attack").target, attack.rolled("attack").outcome) == (12, "miss")
    assert not attack.events(Judged)  # no outcome changed


@rule("SOV-DMG-01")
def test_the_damage_counts_with_the_weapon_of_that_moment(attack: Spec) -> None:
    attack.throw(15)
    assert attack.shown() == ("1d6", 0, None)
    attack.do(Change("Orc", sheet={"weapons": [{**SPEAR, "damage": "2d8", "magic_bonus": 1}]}))
    assert attack.shown() == ("2d8", 1, None)
    attack.reload().throw(1, 1)
    assert attack.event(Damaged).amount == 3


@rule("SOV-SHOCK-04")
def test_so_does_the_shock_of_a_miss(attack: Spec) -> None:
    fiercer = {**SPEAR, "shock": {"value": 4, "ac": 15}}
    attack.do(Change("Orc", sheet={"weapons": [fiercer]})).throw(1)
    assert attack.event(Damaged).amount == 4


@rule("SOV-SHOVE-01", "SOV-CHK-02")
def test_an_opposed_check_by_both_skills_of_that_moment(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", skill_modifier=1))
    spec.act("Ana", "shove", ("attack", 20), target="Orc", result="prone")
    assert (spec.prompt().name, spec.shown()) == ("shove", ("2d6", 0, 9))
    spec.do(Change("Orc", sheet={"skill_modifier": 3}))
    strong: dict[str, Any] = {"skills": {**spec["Ana"].sheet["skills"], "exert": 2}}
    spec.do(Change("Ana", sheet=strong))
    assert spec.shown() == ("2d6", 2, 11)
    spec.reload().throw(4, 5)
    assert (spec.rolled("shove").total, spec.rolled("shove").outcome) == (11, "success")
    assert spec["Orc"].has("prone")


@rule("SOV-GRAP-05", "SOV-GRAP-06")
def test_breaking_out_meets_the_numbers_of_that_moment(spec: Spec) -> None:
    fight(spec, hero("Ana", unarmed=FISTS), npc("Orc", skill_modifier=1, unarmed=FISTS))
    spec.act("Ana", "grapple", ("attack", 20), ("grapple", 6, 6), target="Orc")
    end(spec, "Ana").act("Orc", "escape-grapple")
    assert spec.shown() == ("2d6", 1, 8)
    spec.do(Change("Ana", sheet={"skills": {**spec["Ana"].sheet["skills"], "brawl": 3}}))
    assert spec.shown() == ("2d6", 1, 11)
    spec.reload().throw(4, 5)
    assert spec.rolled("grapple-escape").target == 11
    assert spec["Orc"].has("grappled")


@rule("SOV-SAVE-01", "SOV-SAVE-02", "SOV-SPELL-02")
def test_a_save_and_the_dice_of_a_spell(spec: Spec) -> None:
    blast: dict[str, Any] = {
        "id": "blast", "name": "Blast", "damage": "1d6", "heal": None,
        "save": {"type": "evasion", "on_success": "half"},
    }  # fmt: skip
    fight(spec, hero("Ana", spells=[blast]), npc("Orc", hd=2, at=[1, 0]))
    spec.act("Ana", "cast-spell", spell="blast", targets=["Orc"])
    assert (spec.prompt().name, spec.shown()) == ("save", ("1d20", 0, 14))  # 15 − 2 / 2
    spec.do(Change("Orc", sheet={"hd": 6}))
    spec.do(Change("Ana", sheet={"spells": [{**blast, "damage": "2d6"}]}))
    assert spec.shown() == ("1d20", 0, 12)
    spec.reload().throw(11)
    assert spec.rolled("save").outcome == "failure"
    assert spec.shown() == ("2d6", 0, None)
    spec.throw(1, 2)
    assert spec.event(Damaged).amount == 3


@rule("SOV-DOWN-05", "SOV-CHK-04")
def test_first_aid(spec: Spec) -> None:
    kit: dict[str, Any] = {"items": [{"id": "kit", "name": "kit", "tags": ["healers-kit"]}]}
    fight(spec, hero("Ana", **kit), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]))
    spec.rule("set-track", combatant="Bo", track="hp", value=0)
    spec.act("Ana", "stabilize", target="Bo")
    assert spec.shown() == ("2d6", 0, 10)
    spec.do(Change("Ana", sheet={"skills": {**spec["Ana"].sheet["skills"], "heal": 2}}))
    assert spec.shown() == ("2d6", 2, 10)
    spec.reload().throw(4, 4)
    assert spec.rolled("stabilize").outcome == "success"


@rule("SOV-INIT-02")
def test_initiative(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc"), rulings="default").begin()
    spec.do(Change("Ana", sheet={"attributes": {"dexterity": 18}}))
    assert spec.shown() == ("1d8", 2, None)
    spec.reload().throw(4)
    assert spec.rolled("initiative").total == 6
    spec.throw(1)
