"""Attacks, damage, aims, wounds, criticals, checks (FH-ATK, FH-DMG, FH-AIM, FH-WND, FH-CRT)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Damaged, Healed, Noted, Rolled
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule

CHAIN = {"source": "chain", "kind": "armor", "amount": 2}
FIRE = {"source": "salamander", "kind": "resistance", "percent": 50, "applies_to": "fire"}
GUARD = {"source": "guard", "kind": "guard", "percent": 25, "applies_to": "physical"}


def duel(spec: Spec, imp: dict[str, Any] | None = None, **ana: Any) -> Spec:
    """Ana is on turn."""
    fields: dict[str, Any] = {"agility": 5, "weapons": [SWORD, BOW], "at": [0, 0], **ana}
    spec.given(
        unit("Ana", **fields),
        foe("Imp", **{"at": [0, 1], **(imp or {})}),
        foe("Far", agility=-9, at=[99, 99]),
    )
    return spec.begin()


@rule("FH-ATK-03", "FH-DMG-07")
def test_a_miss_does_nothing_more(spec: Spec) -> None:
    duel(spec).act("Ana", "attack", ("attack", 9), target="Imp")
    assert spec.rolled("attack").outcome == "miss"  # 9 against 10
    assert len(spec.events(Rolled)) == 1
    assert spec.hp("Imp") == 20


@rule("FH-ATK-04")
def test_everything_that_adds_to_the_total(spec: Spec) -> None:
    keen = {"key": "accuracy", "value": 2, "source": "keen", "when": "melee"}
    far = {"key": "accuracy", "value": 4, "source": "far", "when": "ranged"}
    fine = weapon("fine", "1d8", accuracy_bonus=1)
    duel(spec, accuracy=3, weapons=[fine], modifiers=[keen, far])
    spec.act("Ana", "boost-hit")
    spec.act("Ana", "attack", ("attack", 5), ("damage", 1), target="Imp", aim="center-mass")
    assert spec.rolled("attack").total == 13  # 5 + 3 + 1 boost + 1 aim + 1 weapon + 2 keen


@rule("FH-ATK-05", "FH-FLT-01", "FH-FLT-04", "FH-BST-06", "FH-PRN-01", "FH-PRN-02")
def test_the_target_number_in_full(spec: Spec) -> None:
    shield = {"key": "dodge", "value": 2, "source": "shield"}
    duel(spec, {"agility": 3, "modifiers": [shield]})

    def number() -> object:
        return spec.ruleset.derived(spec.combat, "Imp")["target_number"]

    assert number() == 15  # 10 + 3 + 2
    spec.act("Ana", "end-turn").act("Imp", "boost-dodge")
    assert number() == 16
    spec.rule("set-condition", who="Imp", condition="prone")
    assert number() == 8  # 5 + 3, no dodging
    spec.rule("set-condition", who="Imp", condition="flat-footed")
    assert number() == 5  # whatever else
    spec.rule("end-condition", who="Imp", condition="flat-footed")
    spec.rule("end-condition", who="Imp", condition="prone")
    assert number() == 16  # the boost counts again


@rule("FH-ATK-06")
def test_armour_changes_no_target_number(spec: Spec) -> None:
    duel(spec, {"reductions": [CHAIN], "at": [0, 50]}, at=[0, 0])
    spec.act("Ana", "attack", ("attack", 10), ("damage", 3), target="Imp", weapon="bow")
    assert spec.rolled("attack").target == 10
    assert spec.event(Damaged).amount == 1  # 3 − 2


@rule("FH-ATK-07", "FH-MOV-09")
def test_reach_and_range(spec: Spec) -> None:
    short = weapon("sling", "1d4", kind="ranged", range=3)
    duel(spec, {"at": [4, 1], "size": 2}, at=[0, 0], weapons=[SWORD, short])
    with spec.refused("FH-ATK-07", "out-of-reach"):
        spec.act("Ana", "attack", target="Imp", weapon="sword")
    with spec.refused("FH-ATK-07", "out-of-range"):  # 4 squares to the nearest corner
        spec.act("Ana", "attack", target="Imp", weapon="sling")
    spec.rule("move", who="Imp", to=[3, 3])
    spec.act("Ana", "attack", ("attack", 2), target="Imp", weapon="sling")


@rule("FH-ATK-08", "FH-ACT-02")
def test_the_weapon_must_be_drawn(spec: Spec) -> None:
    duel(spec, weapons=[weapon("sword", "1d8", drawn=False), weapon("fist", "1d4", natural=True)])
    with spec.refused("FH-ATK-08", "weapon-not-drawn"):
        spec.act("Ana", "attack", target="Imp", weapon="sword")
    with spec.refused("FH-ACT-02", "not-drawn"):
        spec.act("Ana", "sheathe", weapon="sword", pay_with="ba")
    spec.act("Ana", "draw", weapon="sword", pay_with="ba")
    with spec.refused("FH-ACT-02", "already-drawn"):
        spec.act("Ana", "draw", weapon="sword", pay_with="ba")
    with spec.refused("FH-ACT-02", "wrong-action-kind"):
        spec.act("Ana", "sheathe", weapon="fist", pay_with="ba")
    spec.act("Ana", "attack", ("attack", 2), target="Imp", weapon="sword")


@rule("FH-ATK-09", "FH-CRT-01", "FH-CRT-03", "FH-CRT-06")
def test_a_natural_20_hits_whatever_the_total(spec: Spec) -> None:
    duel(spec, {"agility": 30, "max_hp": 50}, agility=40)
    spec.act("Ana", "attack", ("attack", 20), ("critical-d4", 3), ("damage", 4), target="Imp")
    assert spec.event(Damaged).amount == 8  # 4 × 2; the d4 ends the chain


@rule("FH-ATK-09", "FH-FUM-03")
def test_a_natural_1_misses_whatever_the_total(spec: Spec) -> None:
    duel(spec, accuracy=50)
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    assert spec.hp("Imp") == 20
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-CRT-05")
def test_a_decisive_victory(spec: Spec) -> None:
    duel(spec, {"max_hp": 500})
    spec.act("Ana", "attack", ("attack", 20), ("critical-d4", 4), ("critical-d6", 6), target="Imp")
    assert spec["Imp"].has("defeated")
    assert spec.events(Damaged) == []


@rule("FH-DMG-01", "FH-DMG-02")
def test_what_adds_to_damage(spec: Spec) -> None:
    holy = {"key": "damage", "value": 3, "source": "holy", "when": "weapon:axe"}
    axe = weapon("axe", "1d6+1", damage_bonus=2)
    duel(spec, {"max_hp": 50}, strength=4, weapons=[axe, BOW], modifiers=[holy])
    spec.act("Ana", "boost-damage")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 2), target="Imp", weapon="axe")
    assert spec.event(Damaged).amount == 13  # 2 + 1 + 4 Strength + 2 axe + 1 boost + 3 holy
    spec.undo().undo().undo()
    spec.act("Ana", "attack", ("attack", 15), ("damage", 2), target="Imp", weapon="bow")
    assert spec.event(Damaged).amount == 2  # neither Strength nor a melee boost


@rule("FH-DMG-02")
def test_damage_is_not_below_zero(spec: Spec) -> None:
    duel(spec, strength=-9).act("Ana", "attack", ("attack", 15), ("damage", 3), target="Imp")
    assert spec.event(Damaged).amount == 0


@rule("FH-DMG-04")
def test_amounts_come_off_first_then_percentages(spec: Spec) -> None:
    torch = weapon("torch", "1d12", damage_type="fire")
    duel(spec, {"reductions": [FIRE, CHAIN, GUARD]}, weapons=[torch])
    spec.act("Ana", "attack", ("attack", 15), ("damage", 9), target="Imp")
    # 9 − 2 = 7, half, rounded down, is 3, three quarters of it is 2
    assert spec.event(Damaged).amount == 2


@rule("FH-AIM-01", "FH-AIM-02")
def test_only_physical_attacks_are_aimed(spec: Spec) -> None:
    ray = weapon("ray", "1d8", kind="ranged", physical=False)
    duel(spec, weapons=[ray])
    with spec.refused("FH-AIM-01", "not-physical"):
        spec.act("Ana", "attack", target="Imp", aim="head")
    with spec.refused("FH-AIM-02", "unknown-aim"):
        spec.act("Ana", "attack", target="Imp", aim="tail")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 6), target="Imp")


@rule("FH-AIM-02", "FH-AIM-04", "FH-WND-02")
def test_a_body_part_stands_for_its_aim_and_wounds_add_up(spec: Spec) -> None:
    duel(spec, {"agility": 3, "max_hp": 90})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 6), target="Imp", aim="feet")
    spec.act("Ana", "extra-attack", ("attack", 15), ("damage", 7), target="Imp", aim="slowing")
    shown = spec.ruleset.derived(spec.combat, "Imp")
    assert (shown["agility_now"], shown["move_allowance"]) == (1, 2)  # 3 − 2, 6 − 4


@rule("FH-WND-01", "FH-AIM-10", "FH-DMG-05")
def test_five_net_is_no_wound(spec: Spec) -> None:
    duel(spec).act("Ana", "attack", ("attack", 15), ("damage", 5), target="Imp", aim="legs")
    assert spec["Imp"].conditions == ()
    assert spec.events(Noted) == []


@rule("FH-WND-01", "FH-DMG-06", "FH-AIM-03")
def test_damage_beyond_the_hit_points_counts_for_the_wound(spec: Spec) -> None:
    duel(spec, {"hp": 2})
    spec.act(
        "Ana", "attack", ("attack", 15), ("damage", 8), ("fatal", 1), target="Imp", aim="heart"
    )  # the fatal roll is asked although the target is down
    assert spec.event(Damaged).amount == 2
    assert spec["Imp"].has("defeated")


@rule("FH-WND-03", "FH-WND-05", "FH-WND-06")
def test_the_owner_chooses_which_wound_is_healed(spec: Spec) -> None:
    duel(spec, {"max_hp": 90})
    for kind in ("arms", "legs"):
        action = "attack" if kind == "arms" else "extra-attack"
        spec.act("Ana", action, ("attack", 15), ("damage", 7), target="Imp", aim=kind)
    spec.rule("heal", who="Imp", amount=6)
    prompt = spec.prompt("Imp", "wound")
    assert (prompt.kind, prompt.default) == ("choice", "wound-weakening#1")
    spec.answer("Imp", "wound-slowing#1")
    assert [condition.id for condition in spec["Imp"].conditions] == ["wound-weakening"]
    shown = spec.ruleset.derived(spec.combat, "Imp")
    assert shown["move_allowance"] == 6


@rule("FH-ATK-05", "FH-ATK-04")
@pytest.mark.parametrize(
    ("weapon", "number"), [("bow", 13), ("sword", 11)]
)  # 10 + 1, + 2 against shots
def test_dodging_may_count_against_some_attacks_only(spec: Spec, weapon: str, number: int) -> None:
    shots = [{"key": "dodge", "value": 2, "when": "ranged"}, {"key": "dodge", "value": 1}]
    duel(spec, {"modifiers": shots}).act(
        "Ana", "attack", ("attack", 10), target="Imp", weapon=weapon
    )
    assert spec.rolled("attack").target == number
    assert spec.ruleset.derived(spec.combat, "Imp")["target_number"] == 11


@rule("FH-DMG-02")
@pytest.mark.parametrize(("weapon", "dealt"), [("sword", 6), ("claw", 4)])
def test_strength_may_count_for_some_weapons_only(spec: Spec, weapon: str, dealt: int) -> None:
    gloves = [{"key": "strength", "value": 2, "when": "weapon:sword"}]
    hers = [SWORD, {**SWORD, "id": "claw"}]
    duel(spec, strength=1, weapons=hers, modifiers=gloves)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Imp", weapon=weapon)
    assert spec.event(Damaged).amount == dealt
    assert spec.ruleset.derived(spec.combat, "Ana")["strength_now"] == 1


THREE = [{"id": "wound-slowing"}, {"id": "wound-weakening"}, {"id": "wound-disrupting"}]


@rule("FH-WND-05")
def test_of_wounds_that_are_gone_meanwhile_none_is_chosen(spec: Spec) -> None:
    duel(spec, {"conditions": THREE}).rule("heal", who="Imp", amount=6)
    spec.rule("end-condition", who="Imp", condition="wound-slowing")
    with spec.raises(Illegal) as caught:
        spec.answer("Imp", "wound-slowing#1")
    assert (caught[0].rule, caught[0].code) == ("FH-WND-05", "no-such-wound")
    assert list(caught[0].allowed) == ["wound-weakening#1", "wound-disrupting#1"]
    spec.close()  # the oldest that is there
    assert [condition.id for condition in spec["Imp"].conditions] == ["wound-disrupting"]


@rule("FH-WND-05")
@pytest.mark.parametrize("ended", [1, 2])
def test_of_one_wound_that_is_left_nobody_is_asked(spec: Spec, ended: int) -> None:
    duel(spec, {"conditions": THREE}).rule("heal", who="Imp", amount=6)
    for wound in THREE[:ended]:
        spec.rule("end-condition", who="Imp", condition=wound["id"])
    asked = [name for _, name, _ in spec.open()]
    assert ("wound" in asked) is (ended == 1)
    left = [condition.id for condition in spec["Imp"].conditions]
    assert left == (["wound-weakening", "wound-disrupting"] if ended == 1 else [])


@rule("FH-WND-03")
def test_two_smaller_healings_are_not_added(spec: Spec) -> None:
    duel(spec, {"max_hp": 90})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 7), target="Imp", aim="legs")
    spec.rule("heal", who="Imp", amount=5).rule("heal", who="Imp", amount=5)
    assert spec["Imp"].has("wound-slowing")


@rule("FH-WND-03")
def test_healing_stops_at_the_maximum(spec: Spec) -> None:
    duel(spec, {"hp": 17}).rule("heal", who="Imp", amount=50)
    assert spec.event(Healed).amount == 3
    assert spec.hp("Imp") == 20


@rule("FH-BST-07", "FH-FRE-02")
def test_boosts_count_in_free_hits_of_the_round(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD], at=[0, 0]),
        foe("Imp", at=[1, 0], max_hp=50, weapons=[SWORD]),
    ).begin()
    spec.act("Ana", "boost-hit").act("Ana", "boost-damage").act("Ana", "end-turn")
    spec.act("Imp", "move", path=[[2, 0]])
    spec.answer("Ana", "take", ("attack", 9), ("damage", 4))
    assert spec.rolled("attack").total == 10  # 9 + 1
    assert spec.event(Damaged).amount == 5  # 4 + 1


@rule("FH-ESC-01", "FH-CRT-07", "FH-FUM-09", "FH-CRT-02")
def test_checks_escalate_in_tiers(spec: Spec) -> None:
    duel(spec)
    spec.rule("check", ("check", 12), unit="Ana", modifier=3, difficulty=15)
    assert spec.rolled("check").outcome == "success"  # 12 + 3
    spec.rule(
        "check", ("check", 20), ("critical-d4", 4), ("critical-d6", 6), ("critical-d8", 7),
        unit="Ana", difficulty=99,
    )  # fmt: skip
    assert spec.prompt(name="escalation").data["tier"] == 2
    spec.answer(None, "consequence", text="the crowd cheers")
    spec.rule("check", ("check", 1), ("auto-fail-d4", 2), unit="Ana", modifier=90)
    assert spec.prompt(name="escalation").data["tier"] == 0
    assert spec.prompt().default == "none"
    spec.answer(None, "none")


@rule("FH-FT-02", "FH-SNK-01")
def test_the_sneak_attack_feat_adds_a_die(spec: Spec) -> None:
    duel(spec, {"max_hp": 50}, undetected_by="all", feats={"sneak_attack": True})
    spec.act("Ana", "attack", ("attack", 5), ("damage", 1), ("sneak-damage", 3, 4), target="Imp")
    assert spec.event(Damaged).amount == 8  # 1 + 3 + 4


@rule("FH-FT-02", "FH-ACT-06")
def test_an_additional_attack_has_the_basic_sneak_die_only(spec: Spec) -> None:
    duel(spec, {"max_hp": 50}, undetected_by="all", feats={"sneak_attack": True})
    spec.act("Ana", "extra-attack", ("attack", 5), ("damage", 1), ("sneak-damage", 3), target="Imp")


@rule("FH-SNK-04", "FH-SNK-03")
def test_the_gm_says_who_fails_to_notice_a_sneaking_unit(spec: Spec) -> None:
    duel(spec, {"at": [9, 9]}, at=[0, 0]).act("Ana", "move", path=[[0, 1]], mode="sneak")
    assert spec.open() == [("ruling", "detection", None)]
    assert spec.prompt().default == "nobody"
    spec.answer(None, "unnoticed", by=["Imp"])
    assert spec["Ana"].has("undetected")
    spec.act("Ana", "attack", ("attack", 4), target="Imp", weapon="bow")
    assert spec.rolled("attack").target == 5
    assert not spec["Ana"].has("undetected")  # a miss gives away too


@rule("FH-FLK-02")
def test_a_claim_from_behind_is_ruled_without_facing(spec: Spec) -> None:
    duel(spec).act("Ana", "attack", target="Imp", from_behind=True)
    assert spec.open() == [("ruling", "from-behind", None)]
    spec.answer(None, "yes", ("attack", 9), ("damage", 1))
    assert spec.rolled("attack").total == 10  # 9 + 1


@rule("FH-FLK-02")
def test_three_rear_squares_and_no_more(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[BOW], at=[0, 0]), foe("Imp", at=[9, 9], facing=[0, -1])
    ).begin()
    for at, total in (([9, 10], 10), ([8, 10], 10), ([10, 10], 10), ([8, 9], 9), ([9, 8], 9)):
        spec.rule("move", who="Ana", to=at)
        spec.act("Ana", "attack", ("attack", 9), *([("damage", 1)] if total == 10 else []),
                 target="Imp")  # fmt: skip
        rolled = next(
            recorded.event for recorded in reversed(spec.live.history.path)
            if isinstance(recorded.event, Rolled) and recorded.event.purpose == "attack"
        )  # fmt: skip
        assert rolled.total == total, at
        spec.rule("set-budget", who="Ana", budget={"aa": 1, "ma": 1, "ba": 2})
