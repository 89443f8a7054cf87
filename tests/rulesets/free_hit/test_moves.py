"""Test movement, zones, free hits and disengaging (FH-MOV, FH-FRE, FH-DSG)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Damaged, FactSet, Noted, Prevented, Prompted
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def allowance(spec: Spec, who: str, mode: str = "walk", *, bonus: bool = False) -> int:
    from domain.rulesets.free_hit import numbers

    return numbers.allowance(spec[who], mode, bonus)


@pytest.fixture
def lone(spec: Spec) -> Spec:
    """Begin with Ana alone in a wide field."""
    return spec.given(unit("Ana", agility=5, at=[0, 0]), foe("Imp", at=[50, 50])).begin()


@rule("FH-MOV-02", "FH-MOV-03", "FH-MOV-04", "FH-PRN-03", "FH-FT-05", "FH-FT-08")
def test_allowances(spec: Spec) -> None:
    slow = [{"key": "speed", "value": -1}]
    spec.given(
        unit("Ana", agility=9, at_max_capacity=True),
        unit("Bo", feats={"athlete": True, "maneuverer": True}),
        foe("Cy", speed=7, modifiers=slow),
    ).begin()
    assert allowance(spec, "Ana") == 3  # full load: 6 / 2
    assert allowance(spec, "Ana", "swim") == 3  # halved only once
    assert allowance(spec, "Bo") == 8  # 6 + 2
    assert allowance(spec, "Bo", "sneak") == 8  # not halved for a maneuverer
    assert allowance(spec, "Bo", "tumble") == 8
    assert allowance(spec, "Bo", "climb") == 4
    assert allowance(spec, "Cy", "hampered") == 3  # (7 − 1) / 2
    spec.rule("set-condition", who="Cy", condition="prone")
    assert allowance(spec, "Cy") == 2  # 6 / 3
    assert allowance(spec, "Cy", "sneak") == 1  # 6 / 6
    spec.rule("set-condition", who="Bo", condition="prone")
    assert allowance(spec, "Bo") == 2  # 8 / 3, rounded down


@rule("FH-MOV-05")
def test_a_bonus_move(lone: Spec) -> None:
    lone.act("Ana", "bonus-move", path=[[1, 0], [2, 0]])
    assert lone["Ana"].position == (2, 0, 0)
    assert lone["Ana"].budget == {"aa": 1, "ma": 1, "ba": 1}
    assert allowance(lone, "Ana", "sneak", bonus=True) == 1
    lone.rule("set-condition", who="Ana", condition="prone")
    with lone.refused("FH-MOV-05", "no-movement"):
        lone.act("Ana", "bonus-move", path=[[3, 0]])


@rule("FH-MOV-06", "FH-MOV-01")
def test_a_path_that_is_too_long_is_refused_whole(lone: Spec) -> None:
    with lone.refused("FH-MOV-06", "not-enough-spaces"):
        lone.act("Ana", "move", path=[[x, 0] for x in range(1, 8)])
    with lone.refused("FH-MOV-06", "path-blocked"):
        lone.act("Ana", "move", path=[[2, 0]])  # not an adjacent space
    lone.act("Ana", "move", path=[[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6]])
    assert lone["Ana"].position == (6, 6, 0)  # diagonals cost 1 too


@rule("FH-MOV-07")
def test_through_allies_but_not_through_enemies(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, at=[0, 0]), unit("Bo", at=[1, 0]), foe("Imp", at=[0, 1])
    ).begin()
    with spec.refused("FH-MOV-07", "path-blocked"):
        spec.act("Ana", "move", path=[[0, 1], [0, 2]])
    with spec.refused("FH-MOV-07", "path-blocked"):
        spec.act("Ana", "move", path=[[1, 0]])
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])


@rule("FH-MOV-07", "FH-SMN-03", "FH-SEQ-06")
@pytest.mark.parametrize(
    ("state", "free"),
    [("yielded", False), ("defeated", True), ("dead", True), ("fled", True), ("gone", True)],
)
def test_who_has_yielded_is_passed_and_still_stands_there(
    spec: Spec, state: str, free: bool
) -> None:
    call = {"id": "call", "name": "call", "cast_time": {}, "summon": {"sheet": unit("Rat")}}
    ana = unit("Ana", agility=5, at=[0, 0], spells=[call])
    spec.given(ana, foe("Imp", at=[1, 0]), foe("Orc")).begin()
    spec.rule("set-condition", who="Imp", condition=state)
    if free:
        spec.act("Ana", "bonus-move", path=[[1, 0]]).act("Ana", "bonus-move", path=[[0, 0]])
        spec.act("Ana", "cast", spell="call", spaces=[[1, 0]])
        return
    with spec.refused("FH-MOV-07", "path-blocked"):
        spec.act("Ana", "bonus-move", path=[[1, 0]])
    with spec.refused("FH-SMN-03", "path-blocked"):
        spec.act("Ana", "cast", spell="call", spaces=[[1, 0]])
    spec.act("Ana", "bonus-move", path=[[1, 0], [2, 0]])
    assert spec["Ana"].position == (2, 0, 0)


def beside(spec: Spec, *others: dict[str, Any], **imp: Any) -> Spec:
    """Begin Ana's turn next to Imp, with `others`."""
    fields: dict[str, Any] = {"at": [1, 0], "weapons": [SWORD], **imp}
    spec.given(unit("Ana", agility=5, at=[0, 0], max_hp=30), foe("Imp", **fields), *others)
    return spec.begin()


AWAY = [[-1, 0], [-2, 0]]


@rule("FH-FRE-02", "FH-FRE-09")
@pytest.mark.parametrize(
    "imp",
    [
        {"agility": -1},
        {"conditions": [{"id": "paralysed"}]},
        {"conditions": [{"id": "dazed", "can_act": False}]},
        {"weapons": [BOW]},
        {"weapons": [weapon("sword", "1d8", drawn=False)]},
    ],
)
def test_who_is_not_asked_for_a_free_hit(spec: Spec, imp: dict[str, object]) -> None:
    beside(spec, **imp).act("Ana", "move", path=AWAY)
    assert spec["Ana"].position == (-2, 0, 0)
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-09", "FH-SNK-01")
def test_who_does_not_notice_the_mover_is_not_asked(spec: Spec) -> None:
    beside(spec).rule("set-detected", unit="Ana", undetected_by=["Imp"])
    spec.act("Ana", "move", path=AWAY)
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-10", "FH-CHN-02")
def test_who_lies_prone_or_is_flat_footed_is_asked(spec: Spec) -> None:
    beside(spec, conditions=[{"id": "prone"}, {"id": "flat-footed"}]).act("Ana", "move", path=AWAY)
    assert spec.open() == [("reaction", "free-hit", "Imp")]
    assert {"take", "pass"} <= spec.legal("Imp")


@rule("FH-FRE-08")
def test_several_enemies_are_asked_together_and_a_fall_ends_it(spec: Spec) -> None:
    quick = foe("Orc", agility=3, strength=9, accuracy=9, at=[0, 1], weapons=[SWORD])
    beside(spec, quick, unit("Bo")).rule("damage", who="Ana", amount=20)
    spec.act("Ana", "move", path=[[-1, -1]])
    assert {who for _, _, who in spec.open()} == {"Imp", "Orc"}
    spec.answer("Imp", "take").answer("Orc", "take", ("attack", 15), ("damage", 8))
    # Orc is first in the lineup. Ana falls, so Imp's offer lapses and costs no slot.
    assert spec["Ana"].has("defeated")
    assert spec.event(Prevented, who="Imp").reason == "out-of-reach"
    assert "free_hits" not in spec["Imp"].facts
    assert spec["Orc"].facts["free_hits"] == 1


@rule("FH-FRE-11")
def test_being_pushed_is_not_moving(spec: Spec) -> None:
    beside(spec).rule("move", who="Ana", to=[9, 9])
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-ATK-10")
def test_shooting_and_drawing_in_a_zone_provoke_nothing(spec: Spec) -> None:
    fields: dict[str, Any] = {"weapons": [BOW, SWORD], "agility": 5, "at": [0, 0]}
    spec.given(unit("Ana", **fields), foe("Imp", at=[1, 0], weapons=[SWORD])).begin()
    spec.act("Ana", "attack", ("attack", 5), target="Imp", weapon="bow")
    spec.act("Ana", "sheathe", weapon="bow", pay_with="ba").act("Ana", "talk", pay_with="ma")
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-DSG-01", "FH-DSG-02", "FH-DUR-01")
def test_disengaging_leaves_zones_for_the_round(spec: Spec) -> None:
    beside(spec).act("Ana", "disengage", pay_with="aa").act("Ana", "move", path=AWAY)
    assert spec.open() == [("turn", "turn", "Ana")]
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    assert not spec["Ana"].has("disengaged")


@rule("FH-DSG-03", "FH-FRE-07")
def test_circling_provokes_all_the_same(spec: Spec) -> None:
    beside(spec).act("Ana", "disengage", pay_with="ba")
    spec.act("Ana", "move", path=[[0, 1], [1, 1], [2, 1], [2, 0]])
    assert spec.prompt("Imp").data["trigger"] == "within"
    spec.answer("Imp", "pass")
    assert spec["Ana"].position == (2, 0, 0)  # the fourth step opens no prompt
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-07")
def test_steps_inside_a_zone_add_up_over_the_turn(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[0, 1], [1, 1]])
    assert spec.open() == [("turn", "turn", "Ana")]
    spec.act("Ana", "bonus-move", path=[[2, 1]])
    assert spec.prompt("Imp").data["trigger"] == "within"


@rule("FH-FRE-03", "FH-FRE-06")
def test_whoever_has_no_free_hit_left_is_not_even_asked(spec: Spec) -> None:
    beside(spec, agility=-2).act("Ana", "move", path=[[-1, 0], [-2, 0]])  # 1 − 2: no slot
    assert not [prompted for prompted in spec.events(Prompted) if prompted.name == "free-hit"]


@rule("FH-FT-06", "FH-FRE-06")
def test_a_long_reach_strikes_at_whoever_leaves_its_second_space(spec: Spec) -> None:
    beside(spec, agility=1, at=[2, 0], feats={"reach": True})
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.answer("Imp", "take", ("attack", 15), ("damage", 3))
    assert spec.hp("Ana") == 27
    assert spec["Ana"].position == (-2, 0, 0)


@rule("FH-FRE-13", "FH-FRE-02")
def test_a_feat_attack_uses_a_slot_and_cools_down(spec: Spec) -> None:
    quick = {"extra_attack": [{"id": "quick", "cooldown": 2, "interrupt": True}]}
    slow = {"extra_attack": [{"id": "slow"}]}
    spec.given(
        unit("Ana", agility=1, weapons=[SWORD], feats=quick, at=[0, 0]),
        foe("Imp", agility=-1, weapons=[SWORD], feats=slow, at=[1, 0]),
    ).begin()
    spec.act("Ana", "end-turn")
    spec.act("Ana", "feat-attack", ("attack", 3), feat="quick", target="Imp")  # an interruption
    assert spec["Ana"].facts["free_hits"] == 1
    with spec.refused("FH-FRE-13", "no-free-hit-slot"):
        spec.act("Imp", "feat-attack", feat="slow", target="Ana")
    spec.act("Imp", "end-turn")
    with spec.raises(Illegal) as told:  # used in round 1
        spec.act("Ana", "feat-attack", feat="quick", target="Imp")
    assert (told[0].rule, told[0].code) == ("FH-FRE-13", "feat-cooling-down")
    assert told[0].detail == "quick is ready again in round 3"
    with spec.refused("FH-SEQ-05", "not-your-turn"):
        spec.act("Imp", "feat-attack", feat="slow", target="Ana")
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    spec.act("Ana", "feat-attack", ("attack", 3), feat="quick", target="Imp")


@rule("FH-PRN-04", "FH-PRN-06")
def test_only_what_the_next_turn_has_can_be_pledged(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5), foe("Imp", conditions=[{"id": "prone"}]), foe("Orc", agility=-1)
    ).begin()
    spec.rule("set-condition", who="Imp", condition="wound-weakening", key="wound-weakening#1")
    spec.act("Imp", "stand-up", pay_with="ba")
    with spec.refused("FH-PRN-04", "not-prone"):
        spec.act("Imp", "stand-up", pay_with="aa")
    spec.rule("set-condition", who="Imp", condition="prone")
    with spec.refused("FH-PRN-06", "no-actions-next-turn"):
        spec.act("Imp", "stand-up", pay_with="ba")
    spec.act("Imp", "stand-up", pay_with="aa")
    spec.act("Ana", "end-turn")
    assert spec["Imp"].budget == {"aa": 0, "ma": 1, "ba": 0}


@rule("FH-PRN-07")
def test_nobody_stands_up_in_the_middle_of_an_attack_on_it(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD], at=[0, 0]),
        foe("Imp", conditions=[{"id": "prone"}], at=[1, 0]),
    ).begin()
    spec.act("Ana", "attack", target="Imp")
    assert spec.open() == [("roll", "attack", "Ana")]
    with spec.refused("FH-PRN-07", "mid-attack"):
        spec.act("Imp", "stand-up", pay_with="ba")
    spec.answer("Ana", "roll", faces=(2,))
    spec.act("Imp", "stand-up", pay_with="ba")


@rule("FH-ACT-01", "FH-DSM-01", "FH-DSM-02", "FH-DSM-03")
def test_a_disarmed_weapon_is_picked_up_into_the_hand(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5, at=[0, 0], weapons=[SWORD]), foe("Imp", at=[1, 1])).begin()
    spec.rule("place-item", item="sword", unit="Ana", at=[2, 0])
    with spec.refused("FH-ATK-08", "weapon-not-drawn"):
        spec.act("Ana", "attack", target="Imp", weapon="sword")
    with spec.refused("FH-ACT-01", "item-not-near"):
        spec.act("Ana", "pick-up", item="sword", pay_with="ba")
    spec.act("Ana", "bonus-move", path=[[1, 0]]).act("Ana", "pick-up", item="sword", pay_with="ma")
    assert spec["Ana"].facts["weapons"]["sword"] == "drawn"
    assert spec.combat.facts["ground"] == {}


@rule("FH-ACT-03")
def test_talking_takes_an_action(lone: Spec) -> None:
    lone.act("Ana", "talk", text="Stand fast!", pay_with="ba")
    assert lone.event(Noted).text == "Stand fast!"
    assert lone["Ana"].budget["ba"] == 1
    with lone.refused("FH-SEQ-05", "not-your-turn"):
        lone.act("Imp", "talk")


@rule("FH-FRE-01")
def test_a_free_hit_costs_no_action(spec: Spec) -> None:
    beside(spec, strength=2, accuracy=1).act("Ana", "move", path=AWAY)
    before = spec["Imp"].budget
    spec.answer("Imp", "take", ("attack", 14), ("damage", 5))
    assert spec.event(Damaged).amount == 7  # 5 + 2 Strength, like any attack
    assert spec["Imp"].budget == before


@rule("FH-FRE-03", "FH-FRE-08", "FH-FRE-13")
def test_a_slot_that_a_feat_has_used_meanwhile_is_gone_when_its_strike_comes(spec: Spec) -> None:
    quick = {"extra_attack": [{"id": "quick", "interrupt": True}]}
    spec.given(
        unit("Ana", agility=9, at=[0, 0]),
        foe("Imp", agility=2, weapons=[SWORD], at=[0, 1]),
        foe("Orc", agility=1, weapons=[SWORD], feats=quick, at=[1, 0]),
    ).begin()
    spec.rule("set-fact", who="Orc", key="free_hits", value=1)  # Orc has one slot left
    spec.act("Ana", "move", path=[[-1, -1]]).answer("Orc", "take")
    spec.act("Orc", "feat-attack", ("attack", 3), feat="quick", target="Ana")
    spec.answer("Imp", "pass")
    assert spec.event(Prevented).rules == ("FH-FRE-03",)
    assert spec["Ana"].position == (-1, -1, 0)


@rule("FH-FRE-07")
def test_away_from_all_zones_no_steps_are_counted(spec: Spec) -> None:
    spec.given(unit("Ana", agility=9, at=[0, 0]), foe("Imp", weapons=[SWORD], at=[9, 9])).begin()
    spec.act("Ana", "move", path=[[0, 1], [0, 2]])
    assert [fact_set.key for fact_set in spec.events(FactSet)] == ["acted"]


@rule("FH-PRN-05", "FH-FRE-13")
def test_while_a_feat_interrupts_its_turn_somebody_may_stand_up(spec: Spec) -> None:
    quick = {"extra_attack": [{"id": "quick", "interrupt": True}]}
    spec.given(
        unit("Ana", agility=9, at=[0, 0], conditions=[{"id": "prone"}]),
        unit("Ben", at=[5, 0]),
        foe("Orc", weapons=[SWORD], feats=quick, at=[6, 0]),
    ).begin()
    spec.act("Orc", "feat-attack", feat="quick", target="Ben")
    assert spec.open() == [("roll", "attack", "Orc")]
    spec.act("Ana", "stand-up", pay_with="ba")
    assert not spec["Ana"].has("prone")
    spec.answer("Orc", "roll", faces=[3])
