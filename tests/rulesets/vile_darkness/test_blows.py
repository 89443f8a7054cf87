"""Test modifiers, sums and effects of a blow (VD-ATK, VD-DMG)."""

from typing import Any

from domain.record.events import Damaged, Noted, Rolled
from tests.rulesets.vile_darkness.units import begin, engaged, foe, hero, until, weapon
from tests.spec import Spec

# ---- the GM's modifiers


def test_a_modifier_is_for_the_next_routine_or_for_that_at_its_target(spec: Spec) -> None:
    spec.given(
        hero("Ana", multi_attack={"routines": 3}), foe("Orc", weapons=[]), foe("Rat", weapons=[])
    )
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2)
    spec.rule("modifier", attacker="Ana", value=1)
    spec.rule("modifier", attacker="Ana", value=2, target="Rat")
    spec.act("Ana", "attack", ("attack", 5), target="Orc")
    assert spec.rolled("attack").total == 6  # 5 + 1
    until(spec, "multi-rest/HIGH")
    spec.act("Ana", "attack", ("attack", 5), target="Orc")
    assert spec.rolled("attack").total == 5  # the modifier was used up
    spec.act("Ana", "attack", ("attack", 5), target="Rat")
    assert spec.rolled("attack").total == 7  # 5 + 2


def test_one_blow_without_a_number_is_enough_to_ask(spec: Spec) -> None:
    two = [{"id": "two", "kind": "melee",
            "attacks": [{"damage": ["1d4"], "aac0": 15}, {"damage": ["1d4"]}]}]  # fmt: skip
    spec.given(hero("Ana", aac0=None, routines=two), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc")
    spec.answer(None, "set", ("attack", 9), ("attack", 11), name="missing-attack-number", number=12)
    assert [rolled.target for rolled in spec.events(Rolled)] == [10, 12]  # 15 − 5, and the GM's


def test_a_hit_brings_what_its_save_does_not_keep_off(spec: Spec) -> None:
    sting = {"condition": "poisoned", "save": {"category": "poison"}}
    bite = [{"id": "bite", "kind": "melee", "attacks": [{"damage": ["1d4"], "effects": [sting]}]}]
    for face, poisoned in ((11, True), (12, False)):
        fresh = Spec(spec.ruleset).given(
            hero("Ana", routines=bite), foe("Orc", saves={"poison": 12})
        )
        begin(fresh, 5, 2)
        fresh.act("Ana", "attack", ("attack", 15), ("damage", 2), ("save", face), target="Orc")
        assert fresh["Orc"].has("poisoned") is poisoned


# ---- the sum of a blow


def struck(spec: Spec, knife: dict[str, Any], *circumstances: str, **fields: Any) -> Damaged:
    spec.given(hero("Ana", weapons=[knife], **fields), foe("Orc", max_hp=40))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 2), target="Orc",
             circumstances=list(circumstances))  # fmt: skip
    return spec.event(Damaged)


def parts(blow: Damaged) -> list[tuple[str, int]]:
    return [(term.source, term.value) for term in blow.terms]


def test_the_least_and_the_multiplier_stand_in_the_sum(spec: Spec) -> None:
    knife = weapon("knife", damage_modifier=-5, multipliers=[{"when": "backstab", "factor": 3}])
    blow = struck(spec, knife, "backstab")
    assert parts(blow) == [("damage", -3), ("at least", 4), ("×3", 2)]  # 2 − 5, raised to 1, × 3
    assert blow.amount == 3
    assert blow.terms[2].rule == "VD-DMG-03"


def test_what_stacks_is_told_by_its_own_rule(spec: Spec) -> None:
    ring = {"when": "ring", "factor": 3, "stacks": True}
    knife = weapon("knife", multipliers=[{"when": "backstab", "factor": 2}, ring])
    blow = struck(spec, knife, "backstab", "ring")
    assert parts(blow) == [("damage", 2), ("×6", 10)]  # 2 × 2 × 3 = 12
    assert blow.terms[1].rule == "VD-DMG-04"


def test_damage_modifiers_are_for_a_kind_and_a_weapon(spec: Spec) -> None:
    struck(spec, weapon("knife"), damage_modifiers=[
        {"value": 1, "reason": "Strength"}, {"value": 2}, {"value": 4, "applies_to": "missile"},
        {"value": 8, "weapon": "axe"}, {"value": 16, "weapon": "knife", "applies_to": "melee"},
    ])  # fmt: skip
    rolled = spec.rolled("damage")
    assert [(term.source, term.value) for term in rolled.terms] == [
        ("Strength", 1), ("modifier", 2), ("modifier", 16),
    ]  # fmt: skip
    assert spec.hp("Orc") == 19  # 40 − (2 + 1 + 2 + 16)


def test_damage_without_a_die(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[weapon("rod", "3")]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    assert spec.hp("Orc") == 17


def test_one_obvious_barrier_is_enough(spec: Spec) -> None:
    barriers = [{"against": "party", "obvious": False}, {"against": "all", "obvious": True}]
    begin(spec.given(hero("Ana"), foe("Demon", contact_barriers=barriers)), 5, 2)
    spec.act("Ana", "attack", ("attack", 20), target="Demon")
    (told,) = [noted for noted in spec.events(Noted) if "foiled" in noted.text]
    assert not told.private


def test_each_cause_of_a_foil_has_its_rule(spec: Spec) -> None:
    for fields, rule in (
        ({"contact_barriers": [{"against": "all"}]}, "VD-FOIL-02"),
        ({"attack_immunities": [{"to": "all"}]}, "VD-FOIL-03"),
    ):
        fresh = Spec(spec.ruleset).given(hero("Ana"), foe("Orc", **fields))
        begin(fresh, 5, 2)
        fresh.act("Ana", "attack", ("attack", 15), target="Orc")
        told = [noted for noted in fresh.events(Noted) if "attack is foiled" in noted.text]
        assert [noted.rules for noted in told] == [(rule,)]


def test_the_gm_is_told_the_armour_class_of_this_attack(spec: Spec) -> None:
    """The AC in the prompt includes the penalty of a free attack (VD-FREE-09)."""
    spec.given(hero("Ana", aac0=None), foe("Orc"))
    begin(spec, 5, 2)
    penalty = {"attacker": "Ana", "against": "Orc", "attack_bonus": 2, "ac_penalty": 3}
    spec.rule("grant-free-attack", **penalty)
    spec.answer("Ana", "take")
    asked = spec.prompt(name="missing-attack-number")
    assert asked.data["ac"] == 8  # 5 + 3
    spec.answer(None, "set", ("attack", 2), name="missing-attack-number", number=12)
