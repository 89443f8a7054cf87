"""Test moves, budgets and the end of the battle (FH-FRE, FH-MOV, FH-DSG)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import ConditionGained, ConditionLost, Downed, FactSet, TurnEnded
from domain.rulebook.play import Play
from domain.rulebook.reachability import Ways
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def ways(spec: Spec, action: str, who: str) -> Ways | None:
    """Return the spaces that `who` can reach with an action, with costs and reactions."""
    moves = spec.ruleset.actions[action].ways
    assert moves is not None
    return moves(Play(spec.ruleset, spec.combat), who)


def battle(spec: Spec, *others: dict[str, Any], **ana: Any) -> Spec:
    """Begin Ana's turn. She acts first because her Agility is 9. The imp acts later."""
    first = unit("Ana", agility=9, weapons=[SWORD], **ana)
    return spec.given(first, foe("Imp", weapons=[SWORD], at=[5, 0]), *others).begin()


# ---- moving


@rule("FH-MOV-05", "FH-MOV-06", "FH-MOV-07", "FH-FRE-06")
def test_the_ways_to_move_tell_what_they_cost_and_whom_they_provoke(spec: Spec) -> None:
    battle(
        spec,
        foe("Orc", weapons=[SWORD], at=[1, 0]),
        foe("Rat", at=[0, 1]),
        unit("Ben", at=[1, 1]),
        unit("Eve"),
        at=[0, 0],
    )
    walking, bonus = ways(spec, "move", "Ana"), ways(spec, "bonus-move", "Ana")
    assert walking is not None
    assert bonus is not None
    assert (walking.start, walking.limit, bonus.limit) == ((0, 0, 0), 6, 2)
    assert walking.cost((0, 0, 0), (1, 0, 0)) is None  # through no enemy
    assert walking.cost((0, 0, 0), (1, 1, 0)) == 1  # through an ally
    assert list(walking.provokes((0, 0, 0), (-1, 0, 0))) == ["Orc"]  # the rat has no weapon
    spec.rule("set-fact", who="Orc", key="free_hits", value=1)
    after = ways(spec, "move", "Ana")
    assert after is not None
    assert list(after.provokes((0, 0, 0), (-1, 0, 0))) == []  # Orc has no slot left
    assert ways(spec, "move", "Eve") is None  # Eve has no space


@rule("FH-MOV-06", "FH-MOV-07")
@pytest.mark.parametrize("far", [-10_000, 10_000])
def test_the_grid_has_an_end(spec: Spec, far: int) -> None:
    step = 1 if far > 0 else -1
    battle(spec, at=[far - step, 0])
    spec.act("Ana", "move", path=[[far, 0]])
    assert spec["Ana"].position == (far, 0, 0)
    with spec.refused("FH-MOV-07", "path-blocked"):
        spec.act("Ana", "bonus-move", path=[[far + step, 0]])


@rule("FH-SEQ-05", "FH-TRN-07", "FH-DSG-01")
def test_everything_of_a_turn_waits_for_it(spec: Spec) -> None:
    battle(spec)
    for action in ("move", "bonus-move", "disengage", "end-turn", "delay"):
        assert ("FH-SEQ-05", "not-your-turn") in spec.refusals("Imp", action)
    spec.act("Ana", "disengage")
    with spec.refused("FH-DSG-01", "no-attack-action"):
        spec.act("Ana", "disengage")


@rule("FH-DSG-01", "FH-DSG-02")
@pytest.mark.parametrize(("pay", "left"), [("aa", (0, 1, 2)), ("ba", (1, 1, 0))])
def test_disengaging_has_two_prices(spec: Spec, pay: str, left: tuple[int, int, int]) -> None:
    battle(spec).act("Ana", "disengage", pay_with=pay)
    budget = spec["Ana"].budget
    assert (budget["aa"], budget["ma"], budget["ba"]) == left


@rule("FH-FRE-06", "FH-FRE-07", "FH-DSG-02")
def test_only_steps_from_inside_to_inside_circle(spec: Spec) -> None:
    battle(spec, foe("Orc", weapons=[SWORD], at=[2, 0]), at=[0, 0])
    spec.act("Ana", "move", path=[[1, 0], [1, 1]])  # into the zone, and once inside
    assert spec["Ana"].facts["inside"] == {"Orc": 1}


# ---- ranges


@rule("FH-ATK-07")
@pytest.mark.parametrize(("range", "struck"), [(5, True), (4, False)])
def test_a_shot_whose_target_is_put_out_of_range_is_none(
    spec: Spec, range: int, struck: bool
) -> None:
    bow = weapon("bow", "1d6", kind="ranged", range=range)
    spec.given(
        unit("Ana", agility=9, weapons=[bow], at=[0, 0]), foe("Imp", weapons=[SWORD], at=[3, 0])
    ).begin()
    spec.act("Ana", "attack", target="Imp", weapon="bow")
    assert ("roll", "attack", "Ana") in spec.open()
    spec.rule("move", combatant="Imp", to=[5, 0])
    assert (("roll", "attack", "Ana") in spec.open()) == struck
    if struck:
        spec.answer("Ana", "roll", ("damage", 4), faces=[15])
    assert spec.hp("Imp") == (16 if struck else 20)


# ---- consequences


@rule("FH-TRN-03")
@pytest.mark.parametrize("left", [("aa",), ("ba",)])
def test_who_cannot_act_has_nothing_left(spec: Spec, left: tuple[str, ...]) -> None:
    battle(spec)
    spent = {kind: 0 for kind in ("aa", "ma", "ba") if kind not in left}
    spec.rule("set-budget", combatant="Ana", budget=spent)
    spec.rule("set-condition", combatant="Ana", condition="frozen")
    assert set(spec["Ana"].budget.values()) == {0}


@rule("FH-DMG-06")
def test_whoever_is_set_to_0_is_defeated_by_that(spec: Spec) -> None:
    battle(spec).rule("set-track", combatant="Imp", track="hp", value=0)
    assert spec.event(Downed).rules == ("FH-DMG-06",)
    assert (spec.event(Downed).who, spec.event(ConditionGained).source) == ("Imp", None)
    spec.rule("set-track", combatant="Imp", track="hp", value=1)
    assert spec.event(ConditionLost).reason == "healed"


@rule("FH-DMG-06")
def test_a_blow_that_defeats_has_its_maker(spec: Spec) -> None:
    battle(spec, foe("Orc", at=[1, 0], max_hp=3), at=[0, 0])
    spec.act("Ana", "attack", ("attack", 15), ("damage", 8), target="Orc", weapon="sword")
    assert (spec.event(Downed).who, spec.event(Downed).by) == ("Orc", "Ana")
    assert [fact_set.value for fact_set in spec.events(FactSet, key="under_attack")] == [
        ["Orc"],
        None,
    ]


@rule("FH-DMG-06", "FH-THR-05")
@pytest.mark.parametrize(
    ("sheet", "hp"),
    [({"max_hp": 15}, (15, 15)), ({"max_hp": 30}, (20, 30)), ({"hp": 7}, (7, 20))],
)
def test_pools_follow_a_changed_sheet(
    spec: Spec, sheet: dict[str, int], hp: tuple[int, int]
) -> None:
    battle(spec, max_mp=6).do(Change("Ana", sheet=sheet))
    track = spec["Ana"].tracks["hp"]
    assert (track.value, track.maximum) == hp
    spec.do(Change("Ana", sheet={"max_mp": 4}))
    assert (spec["Ana"].tracks["mp"].value, spec["Ana"].tracks["mp"].maximum) == (4, 4)


# ---- the end of the battle


@rule("FH-SEQ-07", "FH-DUR-01")
def test_the_end_ends_turns_and_what_lasts_for_the_round(spec: Spec) -> None:
    battle(spec).act("Ana", "disengage")
    assert spec["Ana"].has("disengaged")
    spec.end()
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Ana"]
    assert [condition_lost.condition for condition_lost in spec.events(ConditionLost)] == [
        "disengaged"
    ]


# ---- free hits


@rule("FH-FRE-03")
def test_a_free_hit_needs_a_slot_at_its_moment(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=9, at=[1, 0]),
        foe("Imp", weapons=[SWORD], at=[0, 0]),
        foe("Orc", weapons=[BOW], at=[9, 9]),
    ).begin()
    spec.act("Ana", "move", path=[[2, 0]])
    assert ("reaction", "free-hit", "Imp") in spec.open()
    spec.answer("Imp", "take", ("attack", 2))
    spec.act("Ana", "bonus-move", path=[[1, 0], [2, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]  # no slot is left


@rule("FH-THR-05", "FH-CHN-04")
def test_what_is_lost_with_a_unit_is_lost_once(spec: Spec) -> None:
    battle(spec).rule("set-condition", combatant="Imp", condition="channeling")
    spec.rule("set-track", combatant="Imp", track="hp", value=0)
    assert not spec["Imp"].has("channeling")


@rule("FH-FRE-08")
def test_who_has_left_is_struck_no_more(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=9, at=[1, 0]),
        unit("Ben", at=[20, 20]),
        foe("Imp", weapons=[SWORD], at=[0, 0]),
        foe("Orc", weapons=[SWORD], at=[0, 1]),
    ).begin()
    spec.act("Ana", "move", path=[[2, 0]])
    asked = [who for kind, name, who in spec.open() if name == "free-hit"]
    assert asked == ["Imp", "Orc"]
    spec.leave("Ana")
    assert [who for kind, name, who in spec.open() if name == "free-hit"] == []


@rule("FH-FRE-01", "FH-FRE-12")
def test_what_a_free_hit_may_be_made_with(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=9, at=[1, 0]),
        foe("Imp", weapons=[SWORD, BOW, weapon("pike", "1d6", reach=2)], at=[0, 0]),
    ).begin()
    spec.act("Ana", "move", path=[[2, 0]])
    take = next(option for option in spec.prompt("Imp").options if option.id == "take")
    offered = {
        candidate["weapon"] for candidate in take.candidates(Play(spec.ruleset, spec.combat), "Imp")
    }
    assert offered == {"sword", "pike"}
