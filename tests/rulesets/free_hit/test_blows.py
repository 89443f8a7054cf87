"""Test attack rolls, the terms of damage, and the answers to an attack."""

from typing import Any

import pytest

from domain.record.events import (
    ConditionLost,
    Damaged,
    Died,
    Noted,
    PhaseBegan,
    Spent,
    TrackChanged,
)
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule

AXE = weapon("axe", "1d6+5")
FIRE = {"source": "salamander", "kind": "resistance", "percent": 50, "applies_to": "fire"}
GUARD = {"source": "guard", "kind": "guard", "percent": 25, "applies_to": "physical"}


def duel(spec: Spec, ana: dict[str, Any] | None = None, **imp: Any) -> Spec:
    """Begin Ana's turn next to Imp. Another foe, named Far, is far away."""
    hers: dict[str, Any] = {"agility": 5, "weapons": [SWORD, BOW], "at": [0, 0], **(ana or {})}
    its: dict[str, Any] = {"at": [0, 1], "max_hp": 900, "weapons": [SWORD], **imp}
    far = foe("Far", agility=-9, at=[99, 99])
    return spec.given(unit("Ana", **hers), foe("Imp", **its), far).begin()


def parts(spec: Spec) -> list[tuple[str, int, str]]:
    """Return the terms of the damage."""
    return [(term.source, term.value, term.rule) for term in spec.event(Damaged).terms]


# ---- the roll


@rule("FH-ATK-09", "FH-CRT-01")
def test_a_20_is_said_to_be_critical(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "attack", ("attack", 20), ("critical-d4", 1), ("damage", 1), target="Imp")
    assert spec.rolled("attack").outcome == "critical"


@rule("FH-ATK-09", "FH-FUM-01")
def test_a_1_is_said_to_fail(spec: Spec) -> None:
    duel(spec, agility=-1)
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    assert spec.rolled("attack").outcome == "auto-fail"


@rule("FH-ATK-07")
def test_nobody_attacks_itself(spec: Spec) -> None:
    duel(spec)
    with spec.refused("FH-ATK-07", "out-of-reach"):
        spec.act("Ana", "attack", target="Ana")


# ---- the sum


@rule("FH-CRT-03", "FH-DMG-03")
def test_a_critical_hit_doubles_the_sum(spec: Spec) -> None:
    duel(spec, {"weapons": [AXE]})
    spec.act("Ana", "attack", ("attack", 20), ("critical-d4", 3), ("damage", 3), target="Imp")
    assert spec.event(Damaged).amount == 16  # (3 + 5) × 2
    assert parts(spec) == [("damage", 8, "FH-DMG-02"), ("times 2", 8, "FH-CRT-03")]


@rule("FH-CRT-04", "FH-DMG-03")
def test_a_super_critical_hit_doubles_it_once_more(spec: Spec) -> None:
    duel(spec, {"weapons": [AXE]})
    spec.act(
        "Ana", "attack", ("attack", 20), ("critical-d4", 4), ("critical-d6", 5), ("damage", 3),
        target="Imp",
    )  # fmt: skip
    assert spec.event(Damaged).amount == 32  # (3 + 5) × 4
    assert parts(spec) == [("damage", 8, "FH-DMG-02"), ("times 4", 24, "FH-CRT-04")]


@rule("FH-SNK-01", "FH-SNK-02")
def test_sneak_damage_is_a_d4_that_is_multiplied_too(spec: Spec) -> None:
    duel(spec, {"weapons": [AXE], "undetected_by": "all"})
    spec.act(
        "Ana", "attack", ("attack", 20), ("critical-d4", 1), ("damage", 3), ("sneak-damage", 4),
        target="Imp",
    )  # fmt: skip
    assert spec.rolled("sneak-damage").formula == "1d4"
    assert spec.event(Damaged).amount == 24  # (3 + 5 + 4) × 2


@rule("FH-DMG-04")
def test_percentages_of_what_is_left(spec: Spec) -> None:
    ray = weapon("ray", "1d8+192", damage_type="fire", physical=False)
    duel(spec, {"weapons": [ray]}, reductions=[FIRE, GUARD])
    spec.act("Ana", "attack", ("attack", 15), ("damage", 8), target="Imp")
    assert spec.event(Damaged).amount == 100  # half of 200; a ray is not physical


@rule("FH-DMG-04")
def test_a_resistance_to_fire_stops_no_sword(spec: Spec) -> None:
    duel(spec, reductions=[FIRE]).act("Ana", "attack", ("attack", 15), ("damage", 4), target="Imp")
    assert spec.event(Damaged).amount == 4


@rule("FH-AIM-03", "FH-DMG-05")
@pytest.mark.parametrize(("face", "amount", "said"), [(4, 24, "16-more"), (3, 8, "no-more")])
def test_a_fatal_wound(spec: Spec, face: int, amount: int, said: str) -> None:
    duel(spec)
    spec.act(
        "Ana", "attack", ("attack", 15), ("damage", 8), ("fatal", face), target="Imp", aim="heart"
    )
    fatal = spec.rolled("fatal")
    assert (fatal.who, fatal.formula, fatal.target, fatal.outcome) == ("Ana", "1d4", 4, said)
    assert spec.event(Damaged).amount == amount  # 8 + 16 if fatal, or else 8


@rule("FH-WND-01")
def test_a_wound_without_an_aim_is_noted(spec: Spec) -> None:
    duel(spec).act("Ana", "attack", ("attack", 15), ("damage", 6), target="Imp")
    assert spec.event(Noted).rules == ("FH-WND-01",)
    assert spec["Imp"].conditions == ()


@rule("FH-DMG-06")
@pytest.mark.parametrize(("face", "beyond"), [(8, [("beyond 0", -3, "FH-DMG-06")]), (5, [])])
def test_what_goes_beyond_0_is_told(spec: Spec, face: int, beyond: list[Any]) -> None:
    duel(spec, hp=5)
    spec.act("Ana", "attack", ("attack", 15), ("damage", face), target="Imp")
    assert spec.event(Damaged).amount == 5
    assert parts(spec) == [("damage", face, "FH-DMG-02"), *beyond]  # 5 − 8 = −3


@rule("FH-SPL-05", "FH-AIM-05")
def test_a_spell_adds_no_strength_and_can_be_aimed(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "bolt", "damage": "1d6", "attack": True, "physical": True}
    duel(spec, {"spells": [bolt], "strength": 9})
    spec.act(
        "Ana", "cast", ("attack", 15), ("damage", 6), spell="bolt", targets=["Imp"], aim="arms"
    )
    assert spec.event(Damaged).amount == 6
    assert spec["Imp"].has("wound-weakening")


# ---- wounds


@rule("FH-AIM-05", "FH-WND-02")
def test_a_weakening_wound_on_the_own_turn_takes_a_bonus_action_at_once(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD]}, agility=3).act("Ana", "move", path=[[0, -1]])
    spec.answer("Imp", "take", ("attack", 15), ("damage", 7), aim="arms")
    assert spec.event(Spent, who="Ana", what={"ba": 1})
    assert spec["Ana"].budget["ba"] == 1  # 2 − 1


@rule("FH-AIM-05")
def test_a_bonus_action_that_is_not_there_is_not_taken(spec: Spec) -> None:
    duel(spec, agility=3)
    for left in (0, 1):
        spec.rule("set-budget", who="Ana", budget={"aa": 1, "ma": 1, "ba": left})
        spec.act("Ana", "move", path=[[0, -1]])
        spec.answer("Imp", "take", ("attack", 19), ("damage", 7), aim="arms")
        assert spec["Ana"].budget["ba"] == 0
        spec.rule("move", who="Ana", to=[0, 0])


@rule("FH-AIM-05", "FH-TRN-07")
def test_what_the_gm_leaves_out_of_a_budget_is_not_there(spec: Spec) -> None:
    duel(spec, agility=3).rule("set-budget", who="Ana", budget={"ma": 1})
    with spec.refused("FH-TRN-07", "no-attack-action"):
        spec.act("Ana", "attack", target="Imp")
    spec.act("Ana", "move", path=[[0, -1]])
    spec.answer("Imp", "take", ("attack", 15), ("damage", 7), aim="arms")
    assert spec.events(Spent, who="Ana") == []


@rule("FH-AIM-04")
def test_other_wounds_take_no_bonus_action(spec: Spec) -> None:
    duel(spec, agility=3).act("Ana", "move", path=[[0, -1]])
    spec.answer("Imp", "take", ("attack", 15), ("damage", 7), aim="legs")
    assert spec["Ana"].budget["ba"] == 2


@rule("FH-AIM-05")
def test_off_turn_a_weakening_wound_waits_for_the_next_turn(spec: Spec) -> None:
    duel(spec)
    spec.rule("set-budget", who="Imp", budget={"ba": 2})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 7), target="Imp", aim="arms")
    assert spec.events(Spent, who="Imp") == []


@rule("FH-WND-03", "FH-FUM-08")
def test_the_dead_cannot_be_healed(spec: Spec) -> None:
    duel(spec).rule("set-condition", who="Far", condition="dead")
    told = spec.changes_nothing("heal", who="Far", amount=9)
    assert told.endswith("Far is dead and cannot be healed")


@rule("FH-WND-03")
def test_the_unhurt_gain_nothing(spec: Spec) -> None:
    told = duel(spec).changes_nothing("heal", who="Imp", amount=9)
    assert told.endswith("hp of Imp has no room for more")


# ---- revealed combatants


@rule("FH-SNK-03")
def test_a_natural_1_gives_away(spec: Spec) -> None:
    duel(spec, {"undetected_by": "all"}, at=[0, 50])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp", weapon="bow")
    assert spec.event(ConditionLost, who="Ana", condition="undetected").rules == ("FH-SNK-03",)


@rule("FH-SNK-03", "FH-CRT-05")
def test_a_decisive_victory_gives_away(spec: Spec) -> None:
    duel(spec, {"undetected_by": "all"})
    spec.act("Ana", "attack", ("attack", 20), ("critical-d4", 4), ("critical-d6", 6), target="Imp")
    assert not spec["Ana"].has("undetected")


@rule("FH-SNK-03", "FH-FUM-07")
def test_a_free_critical_hit_gives_away(spec: Spec) -> None:
    duel(spec, undetected_by="all")
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    spec.answer("Imp", "take", ("damage", 3), ("sneak-damage", 2))
    assert spec.event(Damaged, who="Ana").amount == 10  # (3 + 2) × 2
    assert not spec["Imp"].has("undetected")


# ---- answers to a natural 1


def off_the_grid(spec: Spec, **imp: Any) -> Spec:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD, BOW]),
        foe("Imp", **{"weapons": [SWORD], **imp}),
        foe("Far", agility=-9),
    )
    return spec.begin()


@rule("FH-FUM-05")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_where_nobody_knows_the_places_the_gm_says_who_is_inside(spec: Spec, answer: str) -> None:
    off_the_grid(spec)
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp", weapon="bow")
    assert spec.open() == [("ruling", "zone", None)]
    spec.answer(None, answer)
    struck = [("reaction", "free-hit", "Imp")]
    assert spec.open() == (struck if answer == "yes" else [("turn", "turn", "Ana")])


@rule("FH-FUM-05", "FH-ZON-01")
def test_it_is_enough_that_one_place_is_not_known(spec: Spec) -> None:
    off_the_grid(spec, at=[0, 0])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp", weapon="bow")
    assert spec.open() == [("ruling", "zone", None)]


@rule("FH-FUM-04", "FH-FRE-09")
@pytest.mark.parametrize("imp", [{"agility": -1}, {"weapons": []}])
def test_whoever_has_no_free_hit_is_not_asked_about(spec: Spec, imp: dict[str, Any]) -> None:
    off_the_grid(spec, **imp)
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp", weapon="bow")
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FUM-06", "FH-FRE-03")
def test_a_free_critical_hit_needs_no_slot(spec: Spec) -> None:
    duel(spec, agility=-1)  # −1 + 1 = no slot
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    assert spec.prompt("Imp").data == {"trigger": "natural-1", "attacker": "Ana"}
    spec.answer("Imp", "take", ("damage", 4))
    assert spec.event(Damaged, who="Ana").amount == 8  # 4 × 2
    assert "free_hits" not in spec["Imp"].facts


@rule("FH-FUM-07")
def test_after_a_tragedy_the_gm_decides_for_who_cannot_strike(spec: Spec) -> None:
    duel(spec, weapons=[weapon("sword", "1d8", drawn=False)])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    assert spec.open() == [("ruling", "tragedy-no-strike", None)]
    assert spec.prompt().default == "nothing"
    spec.answer(None, "free-critical-hit", ("damage", 4))
    assert spec.event(Damaged, who="Ana").amount == 8  # 4 × 2, without a roll


@rule("FH-FUM-07")
def test_the_gift_of_the_gm_is_for_who_cannot_act_too(spec: Spec) -> None:
    duel(spec, conditions=[{"id": "frozen"}])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    spec.answer(None, "free-critical-hit", ("damage", 4))
    assert spec.event(Damaged, who="Ana").amount == 8  # 4 × 2


@rule("FH-FUM-07")
@pytest.mark.parametrize("answer", ["nothing", "other"])
def test_after_a_tragedy_nothing_may_happen(spec: Spec, answer: str) -> None:
    duel(spec, weapons=[weapon("sword", "1d8", drawn=False)])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    spec.answer(None, answer)
    assert spec.events(Damaged) == []
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-FUM-07")
def test_a_gift_without_a_weapon_is_none(spec: Spec) -> None:
    duel(spec, weapons=[])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 1), target="Imp")
    spec.answer(None, "free-critical-hit")
    assert spec.events(Damaged) == []


@rule("FH-FUM-08")
def test_a_dire_tragedy_kills_without_a_question(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 6), target="Imp")
    assert spec.event(Died).who == "Ana"
    assert spec["Ana"].has("dead")


@rule("FH-FUM-08")
@pytest.mark.parametrize(("answer", "dead"), [("killed", True), ("nothing", False)])
def test_who_could_not_strike_kills_if_the_gm_says_so(spec: Spec, answer: str, dead: bool) -> None:
    duel(spec, weapons=[])
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 6), target="Imp")
    assert spec.open() == [("ruling", "dire-no-strike", None)]
    assert spec.prompt().default == "killed"
    spec.answer(None, answer)
    assert spec["Ana"].has("dead") is dead


# ---- the offer of a free hit


@rule("FH-FRE-02", "FH-FRE-06")
def test_an_offer_says_who_moves(spec: Spec) -> None:
    duel(spec).act("Ana", "move", path=[[0, -1]])
    assert spec.prompt("Imp").data == {"trigger": "leave", "mover": "Ana"}


@rule("FH-FRE-09")
def test_an_offer_lapses_with_who_cannot_strike_any_more(spec: Spec) -> None:
    duel(spec).act("Ana", "move", path=[[0, -1]])
    spec.rule("set-condition", who="Imp", condition="paralysed")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec["Ana"].position == (0, -1, 0)


@rule("FH-FRE-03")
def test_a_slot_that_is_gone_meanwhile_is_gone(spec: Spec) -> None:
    duel(spec).act("Ana", "move", path=[[0, -1]])
    spec.rule("set-fact", who="Imp", key="free_hits", value=1)  # Imp has one slot
    assert spec.open() == [("turn", "turn", "Ana")]  # the prompt is obsolete


@rule("FH-FRE-09")
def test_a_free_hit_is_struck_in_melee_with_the_weapon_that_is_named(spec: Spec) -> None:
    duel(spec, weapons=[SWORD, AXE, BOW]).act("Ana", "move", path=[[0, -1]])
    with spec.refused("FH-FRE-09", "out-of-reach"):
        spec.answer("Imp", "take", weapon="bow")
    spec.answer("Imp", "take", ("attack", 15), ("damage", 2), weapon="axe")
    assert spec.event(Damaged, who="Ana").amount == 7  # 2 + 5


# ---- the turn and its remaining budget


@rule("FH-SEQ-05")
def test_what_is_not_open_says_why(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5, weapons=[SWORD], at=[0, 0]), foe("Imp", at=[5, 0]))
    with spec.refused("FH-SEQ-01", "battle-not-begun"):
        spec.act("Ana", "move", path=[[0, 1]])
    spec.begin()
    with spec.refused("FH-SEQ-05", "not-your-turn"):
        spec.act("Imp", "move", path=[[6, 0]])
    spec.end()
    with spec.refused("FH-SEQ-07", "combat-ended"):
        spec.act("Ana", "move", path=[[0, 1]])


@rule("FH-TRN-07")
def test_a_refusal_says_what_is_left(spec: Spec) -> None:
    duel(spec).act("Ana", "attack", ("attack", 2), target="Imp")
    shown = [
        refusal.detail
        for offered in spec.live.options("Ana")
        if offered.option.id == "attack"
        for refusal in offered.refusals
    ]
    assert shown[0] == "no attack action is left (1 MA, 2 BA)"


# ---- the end of the battle


@rule("FH-SEQ-07", "FH-SEQ-08")
def test_the_end_begins_once_and_restores_what_is_missing(spec: Spec) -> None:
    duel(spec, {"max_mp": 9, "mp": 4})
    spec.act("Ana", "boost-hit").end(winners=("heroes",))
    assert len(spec.events(PhaseBegan, phase="ending")) == 1
    assert spec.hp("Ana", "mp") == 9
    assert not spec["Ana"].has("modifier")


@rule("FH-SEQ-07")
def test_a_battle_that_is_won_ends_by_itself(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD], at=[0, 0], max_mp=9), foe("Imp", at=[1, 0])
    ).begin()
    spec.rule("set-track", who="Imp", track="hp", value=0)
    assert len(spec.events(PhaseBegan, phase="ending")) == 1
    assert spec.events(TrackChanged, who="Ana") == []  # no MP are missing
    assert spec.combat.status == "ended"


# ---- paths


@rule("FH-MOV-07", "FH-MOV-06")
@pytest.mark.parametrize("step", [[1], [0, 1, 0, 0], [0, 10_001]])
def test_a_path_is_made_of_squares(spec: Spec, step: list[int]) -> None:
    duel(spec)
    with spec.refused("FH-MOV-07", "path-blocked"):
        spec.act("Ana", "move", path=[step])


@rule("FH-MOV-01")
def test_a_path_may_climb(spec: Spec) -> None:
    duel(spec, at=[50, 0]).act("Ana", "move", path=[[0, 0, 1], [1, 0, 1]])
    assert spec["Ana"].position == (1, 0, 1)
    spec.rule("move", who="Ana", to=[0, 9_999])
    spec.rule("set-budget", who="Ana", budget={"ma": 1})
    spec.act("Ana", "move", path=[[0, 10_000]])
    assert spec["Ana"].position == (0, 10_000, 0)


@rule("FH-FLK-02")
def test_a_walk_ends_in_the_direction_that_is_named(spec: Spec) -> None:
    duel(spec, at=[50, 0])
    with spec.refused("FH-FLK-02", "no-direction"):
        spec.act("Ana", "move", path=[[0, 1]], facing=[0, 0])
    spec.act("Ana", "move", path=[[0, 1]], facing=[1, 0])
    assert spec["Ana"].facts["facing"] == [1, 0]
    spec.rule("set-budget", who="Ana", budget={"ma": 1})
    spec.act("Ana", "move", path=[[0, 2]])
    assert spec["Ana"].facts["facing"] == [1, 0]  # a path without a facing keeps it


@rule("FH-MOV-05")
def test_a_bonus_move_needs_a_bonus_action_and_the_own_turn(spec: Spec) -> None:
    duel(spec, at=[50, 0])
    assert ("FH-SEQ-05", "not-your-turn") in spec.refusals("Imp", "bonus-move")
    assert ("FH-SEQ-05", "not-your-turn") in spec.refusals("Imp", "move")
    spec.rule("set-budget", who="Ana", budget={"ma": 1, "ba": 0})
    with spec.refused("FH-TRN-07", "no-bonus-action"):
        spec.act("Ana", "bonus-move", path=[[0, 1]])
