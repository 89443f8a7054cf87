"""Test actions during which a unit falls, moves or leaves, or the GM rules."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.errors import Illegal, Malformed, Unfitting, Unknown
from domain.record.events import (
    BudgetSet,
    ConditionGained,
    Damaged,
    Moved,
    Prevented,
    Rolled,
    Stopped,
)
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import GM, Spec, rule

QUICK = {"extra_attack": [{"id": "quick", "interrupt": True}]}


def beside(spec: Spec, *others: dict[str, Any], ana: Any = None, **imp: Any) -> Spec:
    """Begin Ana's turn. She is at `[0, 0]`, Imp is at `[1, 0]`, and Bo is far away."""
    hers: dict[str, Any] = {"agility": 5, "at": [0, 0], "weapons": [SWORD, BOW], **(ana or {})}
    its: dict[str, Any] = {"at": [1, 0], "weapons": [SWORD], "max_hp": 40, **imp}
    spec.given(unit("Ana", **hers), foe("Imp", **its), unit("Bo", at=[30, 30]), *others)
    return spec.begin()


# ---- felled during an action


@rule("FH-SEQ-06", "FH-FRE-13")
def test_who_is_felled_by_an_interrupting_feat_rolls_no_attack(spec: Spec) -> None:
    beside(spec, feats=QUICK, accuracy=20).act("Ana", "attack", target="Imp", weapon="sword")
    assert spec.open() == [("roll", "attack", "Ana")]
    spec.rule("set-track", who="Ana", track="hp", value=3)
    spec.act("Imp", "feat-attack", ("attack", 15), ("damage", 7), feat="quick", target="Ana")
    assert spec["Ana"].has("defeated")
    assert spec.event(Stopped, who="Ana").doing == "attack"
    assert spec.events(Rolled, who="Ana") == []
    assert spec.open() == [("turn", "turn", "Imp")]  # Ana's turn ends at once


@rule("FH-WND-03", "FH-WND-05")
def test_a_healing_that_has_been_received_heals_its_wound_though_the_healer_is_felled(
    spec: Spec,
) -> None:
    wounds = [{"id": "wound-slowing"}, {"id": "wound-weakening"}]
    heal = {"id": "heal", "name": "heal", "healing": "1d6+3"}
    cid = unit("Cid", hp=5, conditions=wounds)
    beside(spec, cid, feats=QUICK, accuracy=20, ana={"hp": 3, "spells": [heal]})
    spec.act("Ana", "cast", ("healing", 4), spell="heal", targets=["Cid"])
    spec.act("Imp", "feat-attack", ("attack", 15), ("damage", 7), feat="quick", target="Ana")
    assert spec["Ana"].has("defeated")
    spec.answer("Cid", "wound-weakening#1", name="wound")
    assert [condition.id for condition in spec["Cid"].conditions] == ["wound-slowing"]
    assert spec.open() == [("turn", "turn", "Imp")]


@rule("FH-TRN-03", "FH-SEQ-06")
def test_who_cannot_act_is_told_what_forbids_it(spec: Spec) -> None:
    beside(spec, conditions=[{"id": "wound-slowing"}, {"id": "prone"}, {"id": "tied"}])
    with spec.raises(Illegal) as caught:
        spec.act("Imp", "stand-up", pay_with="ba")
    assert (caught[0].code, caught[0].detail) == ("cannot-act", "Imp cannot act: tied")


@rule("FH-SEQ-06", "FH-FUM-10")
def test_a_free_hit_that_fells_its_victim_ends_it_there(spec: Spec) -> None:
    beside(spec, foe("Orc"), accuracy=9, ana={"strength": 9, "hp": 2})
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    spec.answer("Imp", "take", ("attack", 15), ("damage", 8))
    assert spec["Ana"].has("defeated")
    assert spec.combat.facts.get("under_attack") is None
    assert spec.open() == [("turn", "turn", "Imp")]


@rule("FH-SEQ-06")
def test_a_stunned_walker_stops(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    assert spec.open() == [("reaction", "free-hit", "Imp")]
    spec.rule("set-condition", who="Ana", condition="paralysed")
    assert spec["Ana"].position == (0, 0, 0)
    assert spec.event(Stopped).doing == "move"
    assert spec["Ana"].budget == {"aa": 0, "ma": 0, "ba": 0}
    assert spec.open() == [("turn", "turn", "Imp")]


@rule("FH-SEQ-06")
def test_who_is_removed_in_mid_attack_is_gone(spec: Spec) -> None:
    beside(spec, foe("Orc")).act("Ana", "attack", target="Imp", weapon="sword")
    spec.leave("Ana")
    assert spec.open() == [("turn", "turn", "Imp")]


@rule("FH-SEQ-06", "FH-ATK-07")
def test_an_attack_on_who_is_removed_ends(spec: Spec) -> None:
    beside(spec, foe("Orc")).act("Ana", "attack", target="Imp", weapon="sword")
    spec.leave("Imp")
    assert spec.event(Stopped, who="Ana").reason == "gone"
    assert spec.open() == [("turn", "turn", "Ana")]
    with spec.refused("FH-SEQ-06", "out-of-reach"):
        spec.act("Ana", "extra-attack", target="Imp", weapon="sword")


@rule("FH-INI-06")
def test_an_initiating_attack_on_who_is_removed_ends(spec: Spec) -> None:
    spec.given(unit("Ana", weapons=[SWORD], at=[0, 0]), foe("Imp", at=[1, 0]), foe("Orc"))
    spec.act("Ana", "initiate", target="Imp").leave("Imp")
    assert spec.open() == []
    spec.begin()


# ---- free hits


@rule("FH-MOV-08")
def test_for_a_step_that_is_not_made_nobody_strikes(spec: Spec) -> None:
    # The first step leaves Imp's zone, the second would leave Orc's.
    orc = foe("Orc", at=[0, 1], weapons=[SWORD])
    beside(spec, orc, ana={"speed": 3, "max_hp": 90}, accuracy=9)
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.answer("Imp", "take", ("attack", 15), ("damage", 6), aim="legs")
    # The allowance is now 3 − 2 = 1: the walk ends after one step.
    assert spec["Ana"].position == (-1, 0, 0)
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-08", "FH-FRE-03")
def test_a_second_free_hit_on_the_fallen_is_prevented_and_costs_nothing(spec: Spec) -> None:
    orc = foe("Orc", agility=3, accuracy=9, strength=9, at=[0, 1], weapons=[SWORD])
    beside(spec, orc, ana={"hp": 5}).act("Ana", "move", path=[[-1, -1]])
    spec.answer("Imp", "take").answer("Orc", "take", ("attack", 15), ("damage", 8))
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.reason) == ("Imp", "out-of-reach")
    assert "free_hits" not in spec["Imp"].facts


@rule("FH-FRE-03")
def test_a_chain_that_is_stopped_costs_no_slot(spec: Spec) -> None:
    beside(spec, agility=90, ana={"agility": 99})
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    for number in range(8):
        who = ("Imp", "Ana")[number % 2]
        spec.answer(who, "take", ("attack", 1), ("auto-fail-d4", 1), weapon="sword")
    assert spec["Imp"].facts["free_hits"] == 4
    spec.answer("Imp", "take", weapon="sword")
    assert spec.open() == [("ruling", "chain-of-interrupts", None)]
    spec.answer(None, "stop")
    assert spec["Imp"].facts["free_hits"] == 4
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-03")
def test_a_chain_ends_whatever_the_gm_answers(spec: Spec) -> None:
    """After sixteen nested free hits, the GM can only stop the chain.

    Every free hit rolls a natural 1, which allows the next free hit. From the ninth on, the GM gets
    a prompt to continue or stop.
    """
    beside(spec, agility=90, ana={"agility": 99})
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    asked = 0
    for number in range(100):
        who = ("Imp", "Ana")[number % 2]
        if spec.open()[0][0] != "reaction":
            break
        spec.answer(who, "take", weapon="sword")
        if spec.open()[0][:2] == ("ruling", "chain-of-interrupts"):
            asked += 1
            options = [option.id for option in spec.prompt().options]
            spec.reload().answer(None, "go-on" if "go-on" in options else "stop")
        if spec.open()[0][0] == "roll":
            spec.throw(1).throw(1)
    assert asked == 9  # from the ninth to the seventeenth
    assert spec["Imp"].facts["free_hits"] == spec["Ana"].facts["free_hits"] == 8
    assert spec.open() == [("turn", "turn", "Ana")]


# ---- wounds


@rule("FH-WND-02", "FH-DUR-03")
def test_equal_wounds_on_a_sheet_are_two(spec: Spec) -> None:
    wounds = [{"id": "wound-slowing"}, {"id": "wound-slowing"}]
    beside(spec, conditions=wounds)
    assert spec.ruleset.derived(spec.combat, "Imp")["move_allowance"] == 2  # 6 − 2 − 2


@rule("FH-WND-02", "FH-WND-03")
def test_a_wound_by_the_gm_is_one_more_and_is_healed(spec: Spec) -> None:
    beside(spec)
    spec.rule("set-condition", who="Imp", condition="wound-slowing", key="knee")
    spec.rule("set-condition", who="Imp", condition="wound-slowing", key="wound-slowing#1")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 6), target="Imp", aim="legs",
             weapon="sword")  # fmt: skip
    assert len(spec["Imp"].all("wound-slowing")) == 3
    spec.rule("heal", who="Imp", amount=6)
    spec.answer("Imp", "knee")
    assert [condition.key for condition in spec["Imp"].conditions] == [
        "wound-slowing#1",
        "wound-slowing#2",
    ]


# ---- leaving the fight


def kept_up(spec: Spec) -> Spec:
    """Let Mag retain a wolf for 4 maximum HP, and cast a ward with upkeep on Bo."""
    ward = {
        "id": "ward", "name": "ward", "upkeep": {"mp": 1},
        "modifiers": [{"key": "dodge", "value": 3}],
    }  # fmt: skip
    wolf = {"summoner": "Mag", "thrall_cost": 4, "summoned_in": "before"}
    spec.given(
        unit("Mag", agility=5, max_mp=9, spells=[ward]), unit("Bo"), foe("Imp"), foe("Orc"),
        unit("Wolf", agility=-3, summon=wolf),
    ).begin()  # fmt: skip
    return spec.answer("Mag", "retain").act("Mag", "cast", spell="ward", targets=["Bo"])


@rule("FH-CHN-04", "FH-SEQ-06")
@pytest.mark.parametrize("how", ["fled", "gone", "dead", "hp", "leaves", "spell"])
def test_whoever_leaves_the_fight_keeps_nothing_up(spec: Spec, how: str) -> None:
    kept_up(spec)
    assert spec["Mag"].has("channeling")
    match how:
        case "hp":
            spec.rule("set-track", who="Mag", track="hp", value=0)
        case "leaves":
            spec.leave("Mag")
        case "spell":
            spec.do(Change("Mag", sheet={"spells": []}))
        case _:
            spec.rule("set-condition", who="Mag", condition=how)
    assert not spec.combat.combatants["Mag"].has("channeling")
    assert not spec.combat.combatants["Mag"].facts.get("upkeep")
    assert not spec["Bo"].has("modifier")


@rule("FH-THR-05")
@pytest.mark.parametrize("how", ["fled", "gone", "dead", "hp", "leaves"])
def test_whatever_becomes_of_a_thrall_the_maximum_comes_back(spec: Spec, how: str) -> None:
    kept_up(spec)
    assert spec["Mag"].tracks["hp"].maximum == 16  # 20 − 4
    match how:
        case "hp":
            spec.rule("set-track", who="Wolf", track="hp", value=0)
        case "leaves":
            spec.leave("Wolf")
        case _:
            spec.rule("set-condition", who="Wolf", condition=how)
    assert spec["Mag"].tracks["hp"].maximum == 20
    assert spec.hp("Mag") == 16  # lost hit points do not come back


BEFORE = {"summoner": "Mag", "thrall_cost": 4, "summoned_in": "before"}


@rule("FH-THR-01", "FH-THR-05")
@pytest.mark.parametrize("state", ["defeated", "fled", "yielded"])
def test_who_is_out_of_the_fight_and_no_thrall_does_not_outlast_the_beginning(
    spec: Spec, state: str
) -> None:
    wolf = unit("Wolf", agility=9, summon=BEFORE, conditions=[{"id": state}])
    spec.given(unit("Mag"), wolf, foe("Imp")).begin()
    assert spec.open() == [("turn", "turn", "Mag")]  # nothing is paid for it
    assert spec["Wolf"].has("gone")
    spec.rule("set-track", who="Wolf", track="hp", value=3).rule("heal", who="Wolf", amount=5)
    assert [place.who for place in spec.combat.order] == ["Mag", "Imp"]


@rule("FH-THR-01")
def test_who_falls_while_its_summoner_is_asked_vanishes(spec: Spec) -> None:
    spec.given(unit("Mag"), unit("Wolf", summon=BEFORE), foe("Imp")).begin()
    spec.rule("set-track", who="Wolf", track="hp", value=0)
    assert spec["Wolf"].has("gone")
    assert spec.hp("Mag") == 20


@rule("FH-THR-04", "FH-THR-05")
def test_whose_level_changes_while_its_summoner_is_asked_is_paid_for_as_it_is_now(
    spec: Spec,
) -> None:
    before = {"summoner": "Mag", "summoned_in": "before"}
    spec.given(unit("Mag"), unit("Wolf", level=2, summon=before), foe("Imp")).begin()
    assert spec.prompt("Mag", "thrall").data["thrall_cost"] == 12  # 6 × 2
    spec.do(Change("Wolf", sheet={"level": 3}))
    assert spec.prompt("Mag", "thrall").data["thrall_cost"] == 18
    spec.answer("Mag", "retain", name="thrall")
    assert (spec.hp("Mag"), spec["Mag"].tracks["hp"].maximum) == (2, 2)  # 20 − 18


@rule("FH-THR-01")
def test_of_who_has_left_or_died_it_is_not_said_that_it_vanishes(spec: Spec) -> None:
    dead = unit("Cub", summon=BEFORE, conditions=[{"id": "dead"}])
    spec.given(unit("Mag"), unit("Wolf", summon=BEFORE), dead, foe("Imp")).begin().leave("Wolf")
    assert spec.open() == [("turn", "turn", "Mag")]
    assert spec.events(ConditionGained, condition="gone") == []
    assert not spec["Cub"].has("gone")


@rule("FH-THR-02", "FH-SEQ-07", "FH-FRE-13", "FH-PRN-05")
def test_when_the_battle_is_over_nobody_strikes_or_stands_up(spec: Spec) -> None:
    rat = {"name": "Rat", "agility": 9, "accuracy": 0, "max_hp": 5}
    call = {"id": "call", "name": "call", "cast_time": {}, "summon": {"sheet": rat}}
    beside(spec, feats=QUICK, conditions=[{"id": "prone"}], ana={"spells": [call], "level": 2})
    for space in ([0, 1], [0, -1]):
        spec.act("Ana", "cast", spell="call", spaces=[space])
    spec.rule("set-track", who="Rat", track="hp", value=0)
    spec.rule("end-battle", winner="foes")
    assert spec.open() == [("choice", "thrall", "Ana")]
    with spec.refused("FH-SEQ-07", "combat-ended"):
        spec.act("Imp", "feat-attack", feat="quick", target="Ana")
    with spec.refused("FH-SEQ-07", "combat-ended"):
        spec.act("Imp", "stand-up", pay_with="ba")
    with spec.refused("FH-SEQ-07", "combat-ended"):
        spec.act("Ana", "boost-hit")
    spec.answer("Ana", "vanish")
    assert spec.combat.status == "ended"
    assert spec["Rat"].has("gone")  # Rat vanishes even if defeated


@rule("FH-SCK-02")
def test_sickness_ends_although_the_summoner_was_removed(spec: Spec) -> None:
    beast = {"name": "Beast", "agility": 9, "accuracy": 0, "max_hp": 5}
    call = {"id": "call", "name": "call", "summon": {"sheet": beast}}
    spec.given(unit("Mag", agility=5, spells=[call]), unit("Bo"), foe("Imp")).begin()
    spec.act("Mag", "cast", spell="call").leave("Mag")
    assert spec["Beast"].has("summoning-sick")
    spec.act("Bo", "end-turn").act("Imp", "end-turn")
    assert not spec["Beast"].has("summoning-sick")
    assert spec.open() == [("turn", "turn", "Beast")]


@rule("FH-DMG-06", "FH-SEQ-06")
def test_hit_points_at_0_defeat_however_they_came_there(spec: Spec) -> None:
    beside(spec, foe("Orc"))
    spec.rule("set-track", who="Imp", track="hp", value=-5)
    assert spec.hp("Imp") == 0
    assert spec["Imp"].has("defeated")
    spec.rule("set-track", who="Imp", track="hp", value=1)
    assert not spec["Imp"].has("defeated")
    spec.do(Change("Imp", sheet={"hp": 0}))
    assert spec["Imp"].has("defeated")
    spec.join(name="Late", side="foes", agility=0, accuracy=0, max_hp=9, hp=0)
    assert spec["Late"].has("defeated")


@rule("FH-DMG-06")
def test_a_changed_sheet_changes_the_pools(spec: Spec) -> None:
    beside(spec).do(Change("Imp", sheet={"max_hp": 15}))
    assert (spec.hp("Imp"), spec["Imp"].tracks["hp"].maximum) == (15, 15)


@rule("FH-FUM-08", "FH-DMG-06")
def test_the_dead_have_no_hit_points(spec: Spec) -> None:
    beside(spec, foe("Orc")).rule("set-condition", who="Imp", condition="dead")
    assert spec.hp("Imp") == 0
    spec.rule("set-condition", who="Orc", condition="defeated")
    assert spec.hp("Orc") == 0


@rule("FH-CHN-05")
def test_the_question_for_upkeep_ends_with_its_caster(spec: Spec) -> None:
    kept_up(spec).act("Mag", "end-turn")
    for who in ("Bo", "Imp", "Orc", "Wolf"):
        spec.act(who, "end-turn")
    assert spec.open() == [("choice", "upkeep", "Mag")]
    spec.rule("set-track", who="Mag", track="hp", value=0)
    assert spec.open() == [("turn", "turn", "Bo")]
    assert spec.hp("Mag", "mp") == 9  # nothing was paid


# ---- standing up, moving


@rule("FH-PRN-05", "FH-TRN-03")
@pytest.mark.parametrize("condition", ["paralysed", "summoning-sick", "tied"])
def test_who_cannot_act_does_not_stand_up(spec: Spec, condition: str) -> None:
    beside(spec, conditions=[{"id": "prone"}])
    spec.rule("set-condition", who="Imp", condition=condition)
    with spec.refused("FH-TRN-03", "cannot-act"):
        spec.act("Imp", "stand-up", pay_with="ba")


@rule("FH-PRN-05")
def test_nobody_stands_up_in_the_middle_of_its_own_action(spec: Spec) -> None:
    beside(spec, ana={"conditions": [{"id": "prone"}]})
    spec.act("Ana", "attack", target="Imp", weapon="sword")
    with spec.refused("FH-PRN-05", "mid-action"):
        spec.act("Ana", "stand-up", pay_with="ba")
    spec.answer("Ana", "roll", faces=[2])  # a miss, and her action ends
    spec.act("Ana", "stand-up", pay_with="ba")
    assert not spec["Ana"].has("prone")


@rule("FH-MOV-08", "FH-MOV-06")
def test_who_is_put_elsewhere_does_not_snap_back_to_its_path(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.rule("move", who="Ana", to=[9, 9])  # a ruling moves Ana out of Imp's reach
    assert spec.event(Stopped).reason == "path-blocked"
    assert spec["Ana"].position == (9, 9, 0)
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-MOV-07", "FH-MOV-08")
def test_nobody_walks_through_an_enemy_who_was_put_in_the_way(spec: Spec) -> None:
    beside(spec, foe("Orc", at=[20, 20])).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.rule("move", who="Orc", to=[-1, 0])
    assert spec["Ana"].position == (0, 0, 0)
    assert spec.event(Stopped).reason == "path-blocked"
    assert spec.open() == [("turn", "turn", "Ana")]  # Ana leaves no zone, so nobody strikes


@rule("FH-MOV-07", "FH-MOV-08")
@pytest.mark.parametrize(
    ("orc", "stop"),
    [
        ([-2, 0], (-1, 0, 0)),  # up to the enemy in the way
        ([-4, 0], (-2, 0, 0)),  # not ending where Cid is
        ([-3, 0], (-2, 0, 0)),  # on top of Cid: the enemy blocks
        ([-5, 0], (-4, 0, 0)),
        ([20, 20], (-5, 0, 0)),
    ],
)
def test_a_way_that_is_closed_is_walked_as_far_as_one_may_stand(
    spec: Spec, orc: list[int], stop: tuple[int, ...]
) -> None:
    others = (foe("Orc", at=[30, 30]), unit("Cid", at=[-3, 0]))
    path = [[-step, 0] for step in range(1, 6)]
    beside(spec, *others).act("Ana", "move", path=path).rule("move", who="Orc", to=orc)
    spec.answer("Imp", "pass")
    assert spec["Ana"].position == stop


# ---- a unit that does not leave a zone after all


@rule("FH-FRE-06", "FH-DSG-02")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("set-condition", {"who": "Ana", "condition": "disengaged"}),
        ("move", {"who": "Imp", "to": [-1, 1]}),  # next to Ana's destination
        ("move", {"who": "Ana", "to": [9, 9]}),
        ("set-track", {"who": "Ana", "track": "hp", "value": 0}),
    ],
)
def test_nobody_is_asked_any_more_about_a_zone_that_is_not_left(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0]])
    assert spec.open() == [("reaction", "free-hit", "Imp")]
    spec.rule(ruling, **inputs)
    assert ("reaction", "free-hit", "Imp") not in spec.open()


@rule("FH-FRE-06", "FH-MOV-08")
@pytest.mark.parametrize("orc", [[3, 1], [20, 20]])
def test_nobody_is_asked_about_a_step_that_is_not_made(spec: Spec, orc: list[int]) -> None:
    beside(spec, foe("Orc", at=[20, 20]))
    spec.act("Ana", "move", path=[[0, 1], [1, 1], [2, 1], [3, 1]])
    assert spec.prompt("Imp").data["trigger"] == "within"
    leaves = orc == [20, 20]
    if not leaves:
        spec.rule("move", who="Orc", to=orc)
    spec.answer("Imp", "pass")
    assert (spec.open() == [("reaction", "free-hit", "Imp")]) is leaves
    assert spec["Ana"].position == (2, 1, 0)


@rule("FH-FRE-11", "FH-MOV-08")
def test_who_is_taken_away_on_the_way_does_not_come_back_on_it(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0]]).rule("move", who="Ana", to=None)
    assert spec["Ana"].position is None
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-DSG-03")
def test_who_disengages_in_the_midst_of_circling_is_struck_all_the_same(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[0, 1], [1, 1], [2, 1]])
    spec.rule("set-condition", who="Ana", condition="disengaged")
    assert spec.open() == [("reaction", "free-hit", "Imp")]


@rule("FH-MOV-08", "FH-FRE-02", "FH-FRE-06")
def test_who_is_slowed_before_it_leaves_is_not_struck_by_the_next(spec: Spec) -> None:
    # The allowance is 6, or 4 with a slowing wound, so the fifth step does not happen.
    orc = foe("Orc", agility=1, at=[1, 1], weapons=[SWORD])
    beside(spec, orc, ana={"at": [-4, 0], "max_hp": 40}, agility=3, strength=9, accuracy=9)
    spec.act("Ana", "move", path=[[-3, 0], [-2, 0], [-1, 0], [0, 0], [-1, 0]])
    spec.answer("Orc", "take").answer("Imp", "take", ("attack", 15), ("damage", 1), aim="legs")
    assert spec["Ana"].position == (0, 0, 0)
    assert spec.event(Prevented, who="Orc").rules == ("FH-FRE-06",)
    assert "free_hits" not in spec["Orc"].facts
    assert spec.open() == [("turn", "turn", "Ana")]


# ---- the end


@rule("FH-SEQ-07")
def test_the_end_of_the_battle_stops_the_blow_and_the_walk(spec: Spec) -> None:
    beside(spec).act("Ana", "attack", target="Imp", weapon="sword").rule("end-battle")
    assert spec.combat.status == "ended"
    assert spec.events(Damaged) == []
    assert spec.combat.prompts == {}


@rule("FH-SEQ-07")
def test_the_end_of_the_battle_stops_the_walk(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0]]).rule("end-battle", winner="foes")
    assert spec["Ana"].position == (0, 0, 0)
    assert spec.events(Moved) == []


# ---- without positions


@rule("FH-ATK-07")
def test_melee_without_positions_is_the_gms_to_allow(spec: Spec) -> None:
    beside(spec, at=None).act("Ana", "attack", target="Imp", weapon="sword")
    assert spec.open() == [("ruling", "zone", None)]
    assert spec.prompt().default == "no"
    spec.answer(None, "no")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert spec["Ana"].budget["aa"] == 1  # it cost nothing
    spec.act("Ana", "attack", target="Imp", weapon="sword").answer(None, "yes", ("attack", 2))
    assert spec["Ana"].budget["aa"] == 0
    spec.act("Ana", "sheathe", weapon="bow", pay_with="ba")


@rule("FH-ATK-08")
def test_a_weapon_that_goes_while_the_gm_thinks_prevents_the_attack(spec: Spec) -> None:
    beside(spec, at=None).act("Ana", "attack", target="Imp", weapon="sword")
    spec.do(Change("Ana", sheet={"weapons": []})).answer(None, "yes")
    assert spec.event(Prevented).reason == "weapon-not-drawn"


@rule("FH-FRE-06", "FH-MOV-01")
def test_a_walk_without_a_position_invents_none(spec: Spec) -> None:
    beside(spec, ana={"at": None}).act("Ana", "move", path=[[5, 5], [6, 6]])
    assert spec.open() == [("ruling", "zone", None)]
    spec.answer(None, "yes")
    assert spec.prompt("Imp", "free-hit").data["trigger"] == "leave"
    spec.answer("Imp", "pass")
    assert spec["Ana"].position is None
    assert spec["Ana"].budget["ma"] == 0


# ---- legal targets and weapons


@rule("FH-FLT-01", "FH-DMG-06")
def test_the_defeated_are_attacked_at_5(spec: Spec) -> None:
    beside(spec, foe("Orc"), agility=3).rule("set-track", who="Imp", track="hp", value=0)
    spec.act("Ana", "attack", ("attack", 5), ("damage", 3), target="Imp", weapon="sword")
    assert spec.rolled("attack").target == 5
    assert spec.event(Damaged).amount == 0


@rule("FH-SEQ-06")
@pytest.mark.parametrize("condition", ["fled", "gone", "dead"])
def test_who_is_gone_is_not_attacked(spec: Spec, condition: str) -> None:
    beside(spec, foe("Orc")).rule("set-condition", who="Imp", condition=condition)
    with spec.refused("FH-SEQ-06", "out-of-reach"):
        spec.act("Ana", "attack", target="Imp", weapon="bow")


@rule("FH-DSM-01")
def test_a_natural_weapon_is_not_disarmed(spec: Spec) -> None:
    beside(spec, weapons=[weapon("claw", "1d4", natural=True)])
    with spec.refused("FH-DSM-01", "wrong-action-kind"):
        spec.rule("place-item", item="claw", unit="Imp")


@rule("FH-FT-07")
def test_a_focus_on_a_weapon_that_is_not_carried_is_no_fault(spec: Spec) -> None:
    beside(spec, feats={"weapon_focus": ["glaive"]})


@rule("FH-SNK-04")
def test_who_fails_to_notice_is_somebody_who_is_there(spec: Spec) -> None:
    beside(spec).act("Ana", "bonus-move", path=[[0, 1]], mode="sneak")
    with spec.raises(Unknown):
        spec.answer(None, "unnoticed", by=["Nobody"])
    with spec.raises(Unknown):
        spec.rule("set-detected", unit="Ana", undetected_by=["Nobody"])
    spec.answer(None, "unnoticed", by=["Imp"])
    assert spec["Ana"].has("undetected")


@rule("FH-SPL-06", "FH-DUR-01")
def test_switched_off_and_on_does_not_last_longer(spec: Spec) -> None:
    ward = {
        "id": "ward", "name": "ward", "toggle": True,
        "modifiers": [
            {"key": "dodge", "value": 3, "until": "round"},
            {"key": "dodge", "value": 1, "until": "battle"},
        ],
    }  # fmt: skip
    spec.given(unit("Mag", agility=5, spells=[ward]), unit("Bo"), foe("Imp")).begin()

    def number() -> object:
        return spec.ruleset.derived(spec.combat, "Bo")["target_number"]

    spec.act("Mag", "cast", spell="ward", targets=["Bo"])
    assert number() == 14  # 10 + 3 + 1
    spec.act("Mag", "toggle-spell", spell="ward")
    assert number() == 10
    spec.act("Mag", "end-turn").act("Bo", "end-turn").act("Imp", "end-turn")
    spec.act("Mag", "toggle-spell", spell="ward")
    assert number() == 11  # the effect of one round has ended


# ---- names of escalations


@rule("FH-CRT-02", "FH-FUM-02")
@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ([("critical-d4", 3), ("damage", 1)], ["no-further"]),
        ([("critical-d4", 4), ("critical-d6", 1), ("damage", 1)], ["super-critical", "no-further"]),
        ([("critical-d4", 4), ("critical-d6", 6)], ["super-critical", "decisive-victory"]),
        ([("auto-fail-d4", 4), ("auto-fail-d6", 6)], ["tragedy", "killed"]),
    ],
)
def test_what_an_escalation_is_called(spec: Spec, dice: Any, words: list[str]) -> None:
    face = 1 if dice[0][0].startswith("auto") else 20
    beside(spec, foe("Orc")).act(
        "Ana", "attack", ("attack", face), *dice, target="Imp", weapon="sword"
    )
    told = [rolled.outcome for rolled in spec.events(Rolled) if "-d" in rolled.purpose]
    assert [text for text in told if text] == words


@rule("FH-TRN-07", "FH-TRN-04", "FH-TRN-05", "FH-TRN-06")
def test_what_cannot_pay_for_it(spec: Spec) -> None:
    beside(spec)
    words = {"aa": "attack actions", "ma": "move actions"}
    for action, kind, allowed, inputs in (
        ("attack", "ma", "aa", {"target": "Imp", "weapon": "sword"}),
        ("move", "aa", "ma", {"path": [[-1, 0]]}),
        ("bonus-move", "ma", "ba", {"path": [[-1, 0]]}),
        ("boost-hit", "aa", "ba", {}),
        ("toggle-spell", "ma", "ba", {"spell": "x"}),
    ):
        with spec.raises(Illegal) as caught:
            spec.act("Ana", action, pay_with=kind, **inputs)
        told = caught[0]
        assert (told.rule, told.code) == ("FH-TRN-07", "wrong-action-kind")
        assert (told.pointer, told.allowed) == ("/inputs/pay_with", (allowed,))
        assert told.detail == f"{words[kind]} do not pay for this"


@rule("FH-PRN-06")
@pytest.mark.parametrize(
    ("kind", "times", "words"),
    [("aa", 1, "attack action"), ("ma", 1, "move action"), ("ba", 2, "bonus action")],
)
def test_what_the_next_turn_has_no_more_is_named(
    spec: Spec, kind: str, times: int, words: str
) -> None:
    beside(spec)
    for _ in range(times):
        spec.rule("set-condition", who="Imp", condition="prone")
        spec.act("Imp", "stand-up", pay_with=kind)
    spec.rule("set-condition", who="Imp", condition="prone")
    with spec.raises(Illegal) as caught:
        spec.act("Imp", "stand-up", pay_with=kind)
    assert caught[0].code == "no-actions-next-turn"
    assert caught[0].detail == f"no {words} of the next turn is left to pledge"


@rule("FH-SPL-01", "FH-FRE-13")
def test_unknown_spells_and_feats_are_said_to_be_unknown(spec: Spec) -> None:
    beside(spec)
    with spec.refused("FH-SPL-01", "unknown-spell"):
        spec.act("Ana", "cast", spell="zap")
    with spec.refused("FH-FRE-13", "unknown-feat"):
        spec.act("Ana", "feat-attack", feat="quick", target="Imp", weapon="sword")


@rule("FH-SMN-03", "FH-THR-02")
def test_the_caster_may_name_what_it_summons(spec: Spec) -> None:
    beast = {"name": "Beast", "agility": 0, "accuracy": 0, "max_hp": 5}
    call = {"id": "call", "name": "call", "summon": {"sheet": beast}}
    spec.given(unit("Mag", agility=5, spells=[call]), foe("Imp")).begin()
    with spec.raises(Illegal) as caught:
        spec.act("Mag", "cast", spell="call", names=["Imp"])
    assert (caught[0].rule, caught[0].code) == ("FH-SMN-03", "name-taken")
    assert caught[0].pointer == "/inputs/names"
    spec.act("Mag", "cast", spell="call", names=["Rex"])
    assert spec["Rex"].name == "Rex"
    assert spec["Rex"].sheet["summon"]["summoned_in"] == "battle"


@rule("FH-ATK-04")
@pytest.mark.parametrize("when", ["mele", "weapon:", "weapon", ""])
def test_a_modifier_that_would_never_hold_is_refused(spec: Spec, when: str) -> None:
    modifier = {"key": "accuracy", "value": 1, "when": when}
    with pytest.raises(Malformed):
        spec.given(unit("Ana", modifiers=[modifier]))
    beside(spec)
    with spec.raises(Malformed):
        spec.rule("set-condition", who="Ana", condition="modifier", data=modifier)


@rule("FH-THR-02")
def test_a_summoned_unit_is_one_of_the_battle_unless_said_otherwise(spec: Spec) -> None:
    spec.given(unit("Mag"), unit("Wolf", summon={"summoner": "Mag"}), foe("Imp")).begin()
    assert spec.open() == [("turn", "turn", "Mag")]  # no prompt before the battle


# ---- before the d20 is rolled


NOT_ANY_MORE: list[tuple[str, dict[str, Any], str]] = [
    ("move", {"combatant": "Ana", "to": [9, 9]}, "out-of-reach"),
    ("move", {"combatant": "Imp", "to": [9, 9]}, "out-of-reach"),
    ("set-condition", {"combatant": "Imp", "condition": "fled"}, "out-of-reach"),
]


@rule("FH-ATK-07")
@pytest.mark.parametrize(("ruling", "inputs", "reason"), NOT_ANY_MORE)
def test_an_attack_that_is_impossible_by_now_is_not_rolled(
    spec: Spec, ruling: str, inputs: dict[str, Any], reason: str
) -> None:
    beside(spec, foe("Orc")).act("Ana", "attack", target="Imp", weapon="sword")
    spec.rule(ruling, **inputs)
    assert (spec.event(Stopped).doing, spec.event(Stopped).reason) == ("attack", reason)
    assert spec.events(Rolled) == []
    assert spec["Ana"].budget["aa"] == 0  # it had been begun
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-ATK-08")
def test_an_attack_with_a_weapon_that_is_gone_is_not_rolled(spec: Spec) -> None:
    beside(spec).act("Ana", "attack", target="Imp", weapon="sword")
    spec.do(Change("Ana", sheet={"weapons": []}))
    assert spec.event(Stopped).reason == "weapon-not-drawn"


@rule("FH-DMG-06")
def test_a_blow_that_has_met_lands_wherever_its_victim_is_put(spec: Spec) -> None:
    beside(spec).act("Ana", "attack", ("attack", 15), target="Imp", weapon="sword")
    spec.rule("move", combatant="Imp", to=[9, 9]).answer("Ana", "roll", faces=[4])
    assert spec.hp("Imp") == 36


@rule("FH-FRE-09")
def test_nobody_is_asked_any_more_about_a_mover_out_of_reach(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.rule("move", combatant="Imp", to=[9, 9])
    assert spec["Ana"].position == (-2, 0, 0)
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FRE-05")
def test_nobody_is_asked_any_more_whose_slots_are_gone(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.do(Change("Imp", sheet={"agility": -5}))
    assert spec["Ana"].position == (-2, 0, 0)
    assert spec.open() == [("turn", "turn", "Ana")]


# ---- refusals that name the open prompt


def waiting(spec: Spec, by: Caller) -> str:
    """Return the sentence with which Affray refuses Ana's action while a prompt is open."""
    with spec.raises(Unfitting) as caught:
        spec.do(Act("Ana", "talk", {}), by=by)
    assert caught[0].code == "awaiting-answer"
    return caught[0].detail


def test_the_gm_is_told_the_question_and_others_whose_it_is(spec: Spec) -> None:
    beside(spec).act("Ana", "move", path=[[-1, 0], [-2, 0]])
    asked = "first must be answered: Does Imp strike Ana, who leaves its zone?"
    assert waiting(spec, GM) == asked
    ana = Caller("ana", "player", ("Ana",))
    assert waiting(spec, ana) == "first must be answered: what is asked of Imp"
    both = Caller("both", "player", ("Ana", "Imp"))
    assert (
        waiting(spec, both) == "first must be answered: Does Imp strike Ana, who leaves its zone?"
    )
    spec.do(Change("Imp", hidden=True))
    assert waiting(spec, ana) == "first must be answered: what is asked of the GM"


# ---- all options


def test_the_gm_is_offered_everything_once(spec: Spec) -> None:
    beside(spec).act("Ana", "attack", target="Imp", weapon="sword", from_behind=True)
    offers = list(spec.live.all_options(GM))
    asked = [(offer.who, offer.option.id) for offer in offers if offer.prompt is not None]
    assert asked == [("", "no"), ("", "yes")]
    rulings = [
        offer.option.id for offer in offers if offer.kind == "ruling" and offer.prompt is None
    ]
    assert rulings == list(spec.ruleset.rulings)
    interjections = [
        (offer.who, offer.option.id) for offer in offers if offer.kind == "interjection"
    ]
    assert len(set(interjections)) == len(interjections)
    assert {who for who, _ in interjections} == {"Ana", "Imp", "Bo"}


def test_players_are_offered_what_is_theirs(spec: Spec) -> None:
    beside(spec)
    ana = Caller("ana", "player", ("Ana",))
    offers = list(spec.live.all_options(ana))
    assert {offer.who for offer in offers} == {"Ana"}
    assert {offer.kind for offer in offers} <= {"turn", "interjection"}
    ids = [offer.option.id for offer in offers]
    assert len(set(ids)) == len(ids)  # no answer is also offered as an action
    assert "attack" in ids
    assert not list(spec.live.all_options(Caller("x", "spectator")))


@rule("FH-ACT-02", "FH-ATK-08", "FH-FRE-09", "FH-ACT-01")
def test_a_refusal_names_the_weapons_that_would_do_and_no_others(spec: Spec) -> None:
    axe, dirk, mace = (weapon(id, "1d6", drawn=False) for id in ("axe", "dirk", "mace"))
    imp = {"weapons": [SWORD, axe, BOW], "ana": {"weapons": [SWORD, axe, dirk, mace, BOW]}}
    beside(spec, **imp)
    for item, at in (("mace", [9, 9]), ("dirk", [0, 1])):
        spec.rule("place-item", who="Ana", item=item, at=at)

    def would_do(who: str, action: str, **inputs: Any) -> tuple[str | None, set[str]]:
        with spec.raises(Illegal) as caught:
            if action == "take":
                spec.answer(who, action, **inputs)
            else:
                spec.act(who, action, **inputs)
        return caught[0].pointer, set(caught[0].allowed)

    assert would_do("Ana", "draw", weapon="mace") == ("/inputs/weapon", {"axe"})
    assert would_do("Ana", "sheathe", weapon="axe") == ("/inputs/weapon", {"sword", "bow"})
    assert would_do("Ana", "pick-up", item="mace") == ("/inputs/item", {"dirk"})
    assert would_do("Ana", "attack", target="Imp", weapon="axe") == (
        "/inputs/weapon", {"sword", "bow"},
    )  # fmt: skip
    spec.act("Ana", "move", path=[[-1, 0]])
    assert would_do("Imp", "take", weapon="bow") == ("/inputs/weapon", {"sword"})
    assert would_do("Imp", "take", weapon="mace") == ("/inputs/weapon", {"sword"})


@rule("FH-TRN-03")
def test_of_who_cannot_act_no_budget_is_told(spec: Spec) -> None:
    beside(spec, agility=3, conditions=[{"id": "tied"}]).act("Ana", "end-turn")
    assert spec.open() == [("turn", "turn", "Bo")]  # Imp's turn began and ended
    told = [budget_set.budget for budget_set in spec.events(BudgetSet, who="Imp")]
    assert told == [{"aa": 0, "ma": 0, "ba": 0}]


@rule("FH-SPL-05", "FH-DSG-04")
def test_a_spell_that_acts_on_its_targets_alone_is_not_cast_at_nobody(spec: Spec) -> None:
    bless: dict[str, Any] = {"modifiers": [{"key": "accuracy", "value": 1}]}
    mend, daze = {"removes_wound": True}, {"conditions": [{"id": "dazed"}]}
    slip = {**bless, "grants_disengage": True}  # the caster disengages
    kinds: dict[str, Any] = {"bless": bless, "mend": mend, "daze": daze, "slip": slip, "glow": {}}
    spells = [{"id": id, "name": id, "cast_time": {"ba": 1}, **data} for id, data in kinds.items()]
    beside(spec, ana={"spells": spells})
    for spell in ("bless", "mend", "daze"):
        with spec.raises(Illegal) as caught:
            spec.act("Ana", "cast", spell=spell)
        assert (caught[0].detail, caught[0].pointer) == (
            f"{spell} needs targets",
            "/inputs/targets",
        )
    spec.act("Ana", "cast", spell="slip").act("Ana", "cast", spell="glow")
    assert [condition.id for condition in spec["Ana"].conditions] == ["disengaged"]
