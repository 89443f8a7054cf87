"""Test that a manual roll uses the numbers that apply when its faces arrive.

A confirmation roll uses the modifiers of its attack roll (DEF-CRT-02). If opposed rolls tie, the
next rolls use the modifiers of the tied rolls (DEF-OPP-02).
"""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Damaged, Judged
from tests.rulesets.definitions.units import SWORD, end, fight, fighter, foe
from tests.spec import Spec, rule

WARD = {
    "id": "ward", "name": "Ward", "cost": "immediate",
    "modifiers": [{"target": "ac", "value": 2}],
}  # fmt: skip


def duel(spec: Spec, ours: dict[str, Any] | None = None, **theirs: Any) -> Spec:
    """Begin with Ana next to Orc, who has no weapon. Gob is far away."""
    ana = fighter("Ana", **{"weapons": [SWORD], **(ours or {})})
    return fight(spec, ana, foe("Orc", **theirs), foe("Gob", at=[9, 9]))


@pytest.fixture
def attack(spec: Spec) -> Spec:
    """Return a fight in which Ana's attack roll is open: 1d20 against Orc's AC of 10."""
    duel(spec, spells=[WARD]).act("Ana", "attack", target="Orc")
    assert spec.shown() == ("1d20", 0, 10)
    return spec


@rule("DEF-ATK-02", "DEF-ATK-03")
def test_a_ruling_changes_the_armor_class(spec: Spec) -> None:
    duel(spec, armor_class={"dexterity": 3}).act("Ana", "attack", target="Orc")
    assert spec.shown() == ("1d20", 0, 13)
    spec.rule("set-condition", who="Orc", condition="flat-footed")
    assert spec.shown() == ("1d20", 0, 10)
    spec.reload().throw(10)
    assert (spec.rolled("attack").target, spec.rolled("attack").outcome) == (10, "hit")
    spec.throw(1)


@rule("DEF-ATK-01")
def test_a_changed_sheet_changes_the_bonus_of_the_attack(attack: Spec) -> None:
    attack.do(Change("Ana", sheet={"base_attack_bonus": 6}))
    assert attack.shown() == ("1d20", 6, 10)
    attack.undo()
    assert attack.shown() == ("1d20", 0, 10)
    attack.redo().do(Change("Ana", sheet={"weapons": [{**SWORD, "attack_bonus": 2}]}))
    attack.reload().throw(2)
    assert (attack.rolled("attack").total, attack.rolled("attack").outcome) == (10, "hit")
    attack.throw(1)


@rule("DEF-ATK-01", "DEF-IMM-01")
def test_an_immediate_spell_changes_the_armor_class(attack: Spec) -> None:
    attack.act("Orc", "cast-spell", spell="ward")
    assert attack.shown() == ("1d20", 0, 12)
    attack.reload().throw(11)
    assert (attack.rolled("attack").target, attack.rolled("attack").outcome) == (12, "miss")


@rule("DEF-CRT-02")
def test_a_threat_is_confirmed_with_the_numbers_of_its_attack_roll(attack: Spec) -> None:
    attack.throw(20)
    assert attack.shown() == ("1d20", 0, 10)
    attack.do(Change("Ana", sheet={"base_attack_bonus": 6})).act("Orc", "cast-spell", spell="ward")
    assert attack.shown() == ("1d20", 0, 10)
    attack.reload().throw(10)
    confirmed = attack.rolled("confirm")
    assert (confirmed.total, confirmed.target, confirmed.outcome) == (10, 10, "critical")
    attack.throw(1, 1)


@rule("DEF-CRT-01")
def test_the_threat_range_is_that_of_the_moment(attack: Spec) -> None:
    attack.do(Change("Ana", sheet={"weapons": [{**SWORD, "crit_range": 15}]})).throw(16)
    assert attack.rolled("attack").outcome == "threat"
    attack.throw(1).throw(1)


@rule("DEF-DMG-01", "DEF-CRT-04", "DEF-CRT-05", "DEF-DMG-05")
def test_the_damage_counts_with_the_sheet_of_that_moment(attack: Spec) -> None:
    attack.throw(20).throw(10)
    assert attack.shown() == ("2d8", 0, None)
    deadly = {
        **SWORD, "damage": "1d6", "damage_bonus": 1, "crit_multiplier": 3,
        "extra_damage": [{"formula": "1d4", "source": "fire"}],
    }  # fmt: skip
    attack.do(Change("Ana", sheet={"weapons": [deadly]}))
    assert attack.shown() == ("3d6", 3, None)
    attack.reload().throw(1, 1, 1)
    assert attack.rolled("damage").total == 6
    fiercer = {**deadly, "extra_damage": [{"formula": "2d4+1", "source": "fire"}]}
    attack.do(Change("Ana", sheet={"weapons": [fiercer]}))
    assert attack.shown() == ("2d4+1", 0, None)
    attack.reload().throw(1, 1)
    assert sum(damaged.amount for damaged in attack.events(Damaged)) == 9  # 6, and 1 + 1 + 1


@rule("DEF-TCH-03")
def test_a_touch_and_the_opposed_rolls_that_follow(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", target="Orc")
    assert spec.shown() == ("1d20", 0, 10)
    spec.do(Change("Ana", sheet={"abilities": {"strength": 14}}))
    spec.do(Change("Orc", sheet={"armor_class": {"deflection": 3}}))
    assert spec.shown() == ("1d20", 2, 13)
    spec.throw(11)
    assert spec.rolled("touch").outcome == "hit"
    assert spec.prompt(name="opposed-strength").who == "Ana"
    spec.do(Change("Ana", sheet={"abilities": {"strength": 18}}))
    assert spec.shown() == ("1d20", 4, None)
    spec.throw(6)
    spec.do(Change("Orc", sheet={"abilities": {"strength": 20}}))
    assert spec.shown() == ("1d20", 5, None)
    spec.reload().throw(6)
    assert spec.rolled("opposed-strength").total == 11
    assert not spec["Orc"].has("prone")


@rule("DEF-OPP-02")
def test_a_tie_is_rolled_again_with_the_same_modifiers(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 20), ("opposed-strength", 9), target="Orc")
    spec.throw(9)
    assert spec.rolled("opposed-strength").outcome == "tied"
    assert spec.event(Judged).outcome == "tied"
    for who in ("Ana", "Orc"):
        spec.do(Change(who, sheet={"abilities": {"strength": 18}}))
    assert spec.shown() == ("1d20", 0, None)
    spec.reload().throw(12)
    assert spec.shown() == ("1d20", 0, None)
    spec.throw(7)
    assert spec["Orc"].has("prone")


@rule("DEF-OPP-01")
def test_opposed_rolls_say_who_won(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 20), ("opposed-strength", 9), target="Orc")
    assert not spec.events(Judged)
    spec.throw(8)
    assert (spec.rolled("opposed-strength").who, spec.rolled("opposed-strength").outcome) == (
        "Orc", "lost",
    )  # fmt: skip
    judged = spec.event(Judged)
    assert (judged.who, judged.purpose, judged.total) == ("Ana", "opposed-strength", 9)
    assert (judged.outcome, judged.against) == ("won", "Orc")
    assert set(judged.rules) >= {"DEF-OPP-01"}


@rule("DEF-DAE-01", "DEF-DST-01")
@pytest.mark.parametrize("style", ["all-equal", "stats-matter"])
def test_a_death_save_has_the_threshold_of_that_moment(spec: Spec, style: str) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[9, 9]), death_roll=style)
    spec.rule("set-track", who="Orc", track="hp", value=0)
    end(spec, "Ana")
    before = {"all-equal": ("1d100", 0, 51), "stats-matter": ("1d20", 0, 11)}
    assert (spec.prompt().name, spec.shown()) == ("death-save", before[style])
    if style == "all-equal":
        spec.rule("set-fact", combatant="Orc", key="death_fails", value=1)
        after = ("1d100", 0, 61)
    else:
        spec.do(Change("Orc", sheet={"hit_dice": 4, "saves": {"fortitude": 2}}))
        after = ("1d20", 2, 14)
    assert spec.shown() == after
    spec.reload().throw(12)
    saved = spec.rolled("death-save")
    assert (saved.target, saved.outcome) == (
        after[2], "failure" if style == "all-equal" else "success",
    )  # fmt: skip


@rule("DEF-CST-03")
def test_a_save_against_a_spell(spec: Spec) -> None:
    burn: dict[str, Any] = {
        "id": "burn", "name": "Burn", "damage": "1d6",
        "save": {"kind": "reflex", "dc": 12, "on_success": "none"},
    }  # fmt: skip
    duel(spec, {"spells": [burn]})
    spec.act("Ana", "cast-spell", spell="burn", targets=["Orc"])
    assert spec.shown() == ("1d20", 0, 12)
    spec.do(Change("Orc", sheet={"saves": {"reflex": 3}}))
    harder = {**burn, "damage": "2d6", "save": {**burn["save"], "dc": 14}}
    spec.do(Change("Ana", sheet={"spells": [harder]}))
    assert spec.shown() == ("1d20", 3, 14)
    spec.reload().throw(10)
    assert spec.rolled("save-reflex").outcome == "failure"
    assert spec.shown() == ("2d6", 0, None)
    spec.throw(1, 1)


@rule("DEF-INI-01")
def test_initiative(spec: Spec) -> None:
    spec.given(fighter("Ana"), foe("Orc"), death_roll="all-equal", rulings="default").begin()
    spec.do(Change("Ana", sheet={"initiative_bonus": 4}))
    assert spec.shown() == ("1d20", 4, None)
    spec.reload().throw(10)
    assert spec.rolled("initiative").total == 14
    spec.throw(1)
