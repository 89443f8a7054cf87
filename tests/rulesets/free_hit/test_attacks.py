"""Test attacks, damage and wounds (FH-ATK, FH-DMG, FH-AIM, FH-WND, FH-CRT)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Damaged, Healed, Noted, Rolled
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def duel(spec: Spec, imp: dict[str, Any] | None = None, **ana: Any) -> Spec:
    """Begin Ana's turn."""
    fields: dict[str, Any] = {"agility": 5, "weapons": [SWORD, BOW], "at": [0, 0], **ana}
    spec.given(
        unit("Ana", **fields),
        foe("Imp", **{"at": [0, 1], **(imp or {})}),
        foe("Far", agility=-9, at=[99, 99]),
    )
    return spec.begin()


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
    )  # the fatal roll comes although the target is down
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
    spec.close()  # the default is the oldest wound
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
    assert not spec["Ana"].has("undetected")  # a miss also reveals Ana


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
