"""Test fields of sheets, spells and rulings that no other test sets."""

import pytest

from domain.record.combat import StandingOrder
from tests.rulesets.sovereign.units import SPEAR, SWORD, ac, end, fight, hero, npc
from tests.spec import Spec, rule


@rule("SOV-AC-02")
def test_a_sheet_may_add_to_its_ac(spec: Spec) -> None:
    fight(spec, hero("Ana", ac=12, ac_modifiers=[{"value": 3, "reason": "charm"}]), npc("Orc"))
    assert ac(spec, "Ana") == 15


def test_a_ruling_begins_a_condition_or_ends_it(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("condition", combatant="Orc", condition="prone")
    spec.changes_nothing("condition", combatant="Orc", condition="prone", end=False)
    assert spec["Orc"].has("prone")
    spec.rule("condition", combatant="Orc", condition="prone", end=True)
    assert not spec["Orc"].has("prone")


@rule("SOV-MOR-05")
def test_a_ruling_on_morale_says_whether_it_retreats(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("morale", combatant="Orc", retreat=True)
    assert spec["Orc"].has("retreating")
    spec.rule("morale", combatant="Orc", retreat=False)
    assert not spec["Orc"].has("retreating")


@rule("SOV-SPELL-03")
@pytest.mark.parametrize(("interruptible", "hp"), [(True, 3), (False, 9)])
def test_a_spell_that_damage_does_not_interrupt(spec: Spec, interruptible: bool, hp: int) -> None:
    mend = {
        "id": "mend", "name": "Mend", "heal": "1d6", "provokes": True,
        "interruptible": interruptible,
    }  # fmt: skip
    fight(spec, hero("Ana", spells=[mend], hp=5), npc("Orc", weapons=[SPEAR]))
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    healed = () if interruptible else (("heal", 6),)
    dice = (("attack", 15), ("damage", 1), *healed)  # the Shock sets at least 2 damage
    spec.answer("Orc", "attack-of-opportunity", *dice)
    assert spec.hp("Ana") == hp


@rule("SOV-SCRN-06")
@pytest.mark.parametrize(("against", "asked"), [("Ana", False), ("Orc", False), ("Bo", True)])
def test_a_standing_order_against_the_target_or_the_attacker(
    spec: Spec, against: str, asked: bool
) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1], skills={"stab": 1}), npc("Orc", weapons=[SWORD]))
    spec.act("Bo", "screen-ally", ward="Ana")
    end(spec, "Ana", "Bo")
    spec.orders("Bo", StandingOrder("instant", "pass"),
                StandingOrder("screen-block", "pass", against=against))  # fmt: skip
    spec.act("Orc", "melee-attack", target="Ana")
    assert (("reaction", "screen-block", "Bo") in spec.open()) is asked
    if asked:
        spec.answer("Bo", "pass", ("attack", 2))
    else:
        spec.answer("Orc", "roll", faces=(2,))


@rule("SOV-SAVE-02")
@pytest.mark.parametrize(
    ("save", "saves"), [("evasion", {"evasion": 9}), ("mental", {"mental": 9})]
)
def test_a_sheet_may_say_a_save(spec: Spec, save: str, saves: dict[str, int]) -> None:
    hex_ = {
        "id": "hex", "name": "Hex", "damage": "1d6",
        "save": {"type": save, "on_success": "negates"},
    }  # fmt: skip
    fight(spec, hero("Ana", spells=[hex_]), npc("Orc", saves=saves))
    spec.act("Ana", "cast-spell", ("save", 9), spell="hex", targets=["Orc"])
    assert (spec.rolled("save").target, spec.hp("Orc")) == (9, 10)


@rule("SOV-SAVE-02")
def test_constitution_counts_for_a_physical_save(spec: Spec) -> None:
    """A physical save is against 14: 16 − 1 for level 1 − 1 for Constitution 14."""
    hex_ = {
        "id": "hex", "name": "Hex", "damage": "1d6",
        "save": {"type": "physical", "on_success": "negates"},
    }  # fmt: skip
    fight(spec, hero("Ana", spells=[hex_]), hero("Cy", "foes", attributes={"constitution": 14}))
    spec.act("Ana", "cast-spell", ("save", 20), spell="hex", targets=["Cy"])
    assert spec.rolled("save").target == 14


@rule("SOV-DIS-01", "SOV-AOO-06")
@pytest.mark.parametrize(
    ("named", "strikers"), [([], ["Orc", "Bat"]), (["Orc"], ["Bat"]), (["Orc", "Bat"], [])]
)
def test_only_those_named_are_disengaged_from(
    spec: Spec, named: list[str], strikers: list[str]
) -> None:
    """An enemy that Ana has disengaged from cannot strike when she stands up.

    Every other adjacent armed enemy can (SOV-STAND-02).
    """
    orc, bat = npc("Orc", weapons=[SWORD]), npc("Bat", at=[0, 1], weapons=[SWORD])
    fight(spec, hero("Ana"), orc, bat)
    spec.rule("set-condition", combatant="Ana", condition="prone")
    spec.rule("set-condition", combatant="Ana", condition="disengaged", data={"from": named})
    spec.act("Ana", "stand-up")
    asked = [who for kind, name, who in spec.open() if name == "attack-of-opportunity"]
    assert asked == strikers
