"""Test checks, saves, items and spells (SOV-EXEC, -CHK, -SKILL, -ITEM …)."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import EffectResolved
from tests.rulesets.sovereign.units import (
    DAGGER,
    SPEAR,
    SWORD,
    ac,
    end,
    fight,
    hero,
    main,
    move,
    npc,
)
from tests.spec import Spec, rule

# ---- execution


def murder(spec: Spec, **foe: Any) -> Spec:
    """Set up Pia next to an unsuspecting guard. The fight has not begun."""
    spec.given(
        hero("Pia", weapons=[DAGGER], skills={"stab": 2}),
        npc("Guard", alertness="unsuspecting", hd=2, **foe),
        rulings="default",
    )
    return spec


@rule("SOV-EXEC-01")
def test_the_alert_cannot_be_executed(spec: Spec) -> None:
    spec.given(hero("Pia", weapons=[DAGGER]), npc("Guard"), rulings="default")
    with spec.refused("SOV-EXEC-01", "target-alert"):
        spec.act("Pia", "prepare-execution", target="Guard")


@rule("SOV-EXEC-02")
def test_a_minute_first(spec: Spec) -> None:
    murder(spec)
    with spec.refused("SOV-EXEC-02", "not-prepared"):
        spec.act("Pia", "execution-attack", target="Guard")
    spec.act("Pia", "prepare-execution", target="Guard")
    spec.rule("advance-time", seconds=50)
    with spec.refused("SOV-EXEC-02", "not-prepared"):
        spec.act("Pia", "execution-attack", target="Guard")


@rule("SOV-EXEC-02", "SOV-SEQ-05", "SOV-EXEC-09")
def test_or_six_rounds(spec: Spec) -> None:
    murder(spec).begin(("initiative", 8), ("initiative", 1))
    spec.act("Pia", "prepare-execution", target="Guard")
    for _ in range(6):
        with spec.refused("SOV-EXEC-02", "not-prepared"):
            spec.act("Pia", "execution-attack", target="Guard")
        end(spec, "Pia", "Guard")
    assert spec.combat.round == 7  # Pia prepared in round 1
    spec.act("Pia", "execution-attack", target="Guard")
    spec.answer("Guard", "pass", ("save", 1))
    assert main(spec, "Pia") == 0
    assert spec["Guard"].has("dead")  # the guard is not important


@rule("SOV-EXEC-05", "SOV-EXEC-06", "SOV-EXEC-08", "SOV-SAVE-02")
def test_in_melee_it_hits_by_itself(spec: Spec) -> None:
    murder(spec, ac=30)
    spec.act("Pia", "prepare-execution", target="Guard")
    spec.rule("advance-time", seconds=60)
    spec.act("Pia", "execution-attack", ("save", 16), target="Guard")
    save = spec.rolled("save")
    assert (save.total, save.target) == (16, 16)  # 15 − 2 ÷ 2, and the penalty of 2
    assert spec.hp("Guard") == 6  # the maximum of 1d4


@rule("SOV-EXEC-07")
def test_a_sap_knocks_out(spec: Spec) -> None:
    spec.given(
        hero("Pia", weapons=[{**DAGGER, "non_lethal": True}]),
        npc("Guard", alertness="unsuspecting"),
        rulings="default",
    )
    spec.act("Pia", "prepare-execution", target="Guard")
    spec.rule("advance-time", seconds=60)
    spec.act("Pia", "execution-attack", ("save", 2), target="Guard")
    assert spec.hp("Guard") == 0
    assert spec["Guard"].has("unconscious")


@rule("SOV-EXEC-03")
@pytest.mark.parametrize("how", ["disturb", "alert", "hurt", "acts"])
def test_any_disturbance_spoils_it(spec: Spec, how: str) -> None:
    murder(spec).begin(("initiative", 8), ("initiative", 1))
    spec.act("Pia", "prepare-execution", target="Guard")
    match how:
        case "disturb":
            spec.rule("disturb", combatant="Pia")
        case "alert":
            spec.rule("alertness", combatant="Guard", alertness="normal")
        case "hurt":
            spec.rule("damage", who="Pia", amount=1)
        case _:
            spec.act("Pia", "run", path=[[0, 1]])
    assert not spec["Pia"].has("preparing-execution")


# ---- checks and saves


@rule("SOV-CHK-01", "SOV-SKILL-01", "SOV-SKILL-02")
def test_a_skill_check_and_what_it_means(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", attributes={"wisdom": 14}, skills={"notice": 1}),
        npc("Orc", weapons=[SPEAR]),
        rulings="ask",
    )
    spec.act("Ana", "use-skill", skill="notice", attribute="wis", intent="look around")
    spec.answer("Orc", "pass", ("skill", 4, 4))  # the skill draws a strike
    rolled = spec.rolled("skill")
    assert (rolled.total, rolled.target, rolled.outcome) == (10, 10, "success")  # 8 + 1 + 1
    assert spec.open() == [("ruling", "skill-outcome", None)]
    spec.answer(None, "outcome", text="a trap door")
    assert spec.event(EffectResolved).text == "a trap door"
    assert main(spec, "Ana") == 0


@rule("SOV-SKILL-02", "SOV-CHK-02", "SOV-CHK-03")
def test_another_difficulty_and_an_opposed_check(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9], skill_modifier=2))
    spec.act("Ana", "use-skill", ("skill", 3, 3), skill="sneak", attribute="dex", difficulty=6)
    assert spec.rolled("skill").outcome == "success"
    end(spec, "Ana")
    spec.act("Orc", "use-skill", ("skill", 3, 3), skill="sneak", attribute="dex", opposed_by="Ana")
    assert spec.rolled("skill").total == 8  # 6 + 2 instead of attribute and skill
    assert spec.rolled("skill").target == 8  # 8 + 0
    end(spec, "Orc")
    spec.act("Ana", "use-skill", ("skill", 5, 4), skill="know", attribute="int", opposed_by="Orc")
    assert spec.rolled("skill").target == 10  # 8 + 2


@rule("SOV-SAVE-01", "SOV-SAVE-02")
@pytest.mark.parametrize(("face", "word"), [(1, "failure"), (20, "success"), (12, "success")])
def test_saves(spec: Spec, face: int, word: str) -> None:
    spell = {
        "id": "hex", "name": "Hex", "damage": "1d6",
        "save": {"type": "evasion", "on_success": "half"},
    }  # fmt: skip
    bonus = {"value": 50 if face == 1 else 0, "reason": "ring"}
    fight(
        spec,
        hero("Ana", spells=[spell]),
        hero(
            "Bo", "rivals", at=[3, 3], level=3, save_modifiers=[bonus],
            attributes={"dexterity": 14, "intelligence": 7},
        ),
    )  # fmt: skip
    spec.act("Ana", "cast-spell", ("save", face), ("damage", 5), spell="hex", targets=["Bo"])
    assert spec.rolled("save").target == 12  # 16 − 3 − 1, the better of +1 and −1
    assert spec.rolled("save").outcome == word
    assert spec.hp("Bo") == (8 if word == "success" else 5)  # 5 halved is 2


@rule("SOV-CHK-04", "SOV-DOWN-05")
def test_helpers_pay_their_main(spec: Spec) -> None:
    kit = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}
    fight(
        spec,
        hero("Ren", max_hp=4),
        hero("Sam", at=[0, 1], items=[kit]),
        hero("Tom", at=[1, 1], skills={"heal": 1}),
        npc("Orc", at=[9, 9]),
    )
    spec.rule("damage", who="Ren", amount=4)
    with spec.refused("SOV-DOWN-05", "no-healers-kit"):
        spec.act("Tom", "stabilize", target="Ren")
    spec.act("Sam", "stabilize", ("stabilize", 4, 4), target="Ren", helpers=["Tom"])
    assert spec.rolled("stabilize").total == 9  # 4 + 4 + 1
    assert (main(spec, "Sam"), main(spec, "Tom")) == (0, 0)
    spec.rule("set-budget", who="Sam", budget={"main": 1})
    with spec.refused("SOV-DOWN-05", "one-attempt-per-round"):
        spec.act("Sam", "stabilize", target="Ren")
    spec.rule("place", combatant="Sam", at=[5, 5])
    with spec.refused("SOV-DOWN-05", "not-adjacent"):
        spec.act("Sam", "stabilize", target="Ren")


# ---- items


@rule("SOV-ITEM-01")
def test_out_of_the_pack_and_into_it(spec: Spec) -> None:
    fight(
        spec,
        hero(
            "Ana", attributes={"strength": 4}, weapons=[SWORD, {**DAGGER, "state": "stowed"}],
            items=[
                {"id": "rope", "name": "rope", "state": "stowed"},
                {"id": "anvil", "name": "anvil", "enc": 3, "state": "stowed"},
            ],
        ),
        npc("Orc", ac=30, weapons=[SPEAR]),
        enforce_encumbrance=True,
    )  # fmt: skip
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "melee-attack", target="Orc", weapon="dagger")
    with spec.refused("SOV-ITEM-01", "hands-full"):
        spec.act("Ana", "ready-item", item="anvil")  # 3, but half of Strength 4 is 2
    spec.act("Ana", "ready-item", item="rope")  # draws nothing
    assert spec["Ana"].facts["items"] == {"rope": "readied"}
    assert main(spec, "Ana") == 0
    end(spec, "Ana", "Orc")
    spec.act("Ana", "ready-item", weapon="dagger")
    end(spec, "Ana", "Orc")
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc", weapon="dagger")


@rule("SOV-ITEM-02")
def test_the_gm_may_find_one_swap_too_many(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[9, 9]), rulings="ask",
        ask_weapon_swaps_after=1,
    )  # fmt: skip
    spec.act("Ana", "sheathe", weapon="sword")
    spec.act("Ana", "draw", weapon="sword").answer(None, "refuse")
    assert spec["Ana"].facts["weapons"] == {"sword": "sheathed"}
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)


@rule("SOV-ITEM-03", "SOV-STAND-01")
def test_standing_up_picks_up_the_own_things(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[9, 9]))
    spec.act("Ana", "drop-item", weapon="sword").act("Ana", "go-prone")
    with spec.refused("SOV-STAND-01", "nothing-to-pick-up"):
        spec.act("Ana", "stand-up", items=["axe"])
    spec.act("Ana", "stand-up")
    assert spec["Ana"].facts["weapons"] == {"sword": "in-hand"}
    with spec.refused("SOV-ACT-03", "move-spent"):
        spec.act("Ana", "stand-up")
    with spec.refused("SOV-STAND-01", "not-prone"):
        spec.act("Ana", "stand-up", pay="main")


# ---- down


@rule("SOV-DOWN-01", "SOV-DOWN-02", "SOV-DOWN-03")
@pytest.mark.parametrize(
    ("important", "non_lethal", "what"),
    [
        (True, False, "mortally-injured"),
        (True, True, "unconscious"),
        (False, False, "dead"),
        (False, True, "unconscious"),
    ],
)
def test_at_zero(spec: Spec, important: bool, non_lethal: bool, what: str) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD], important=important))
    spec.rule("damage", who="Orc", amount=99, non_lethal=non_lethal)
    assert spec.hp("Orc") == 0
    assert spec["Orc"].has(what)
    assert spec["Orc"].has("prone")
    assert spec["Orc"].facts["weapons"] == {"sword": "dropped"}


@rule("SOV-DOWN-01")
def test_harm_to_the_fallen_is_the_gms(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", important=True), rulings="ask")
    spec.rule("damage", who="Orc", amount=10)
    spec.rule("damage", who="Orc", amount=1)
    assert spec.prompt(name="damage-while-down").default == "no-change"
    spec.answer(None, "dead", name="damage-while-down")
    assert spec["Orc"].has("dead")


# ---- spells


@rule("SOV-SPELL-01", "SOV-SPELL-02", "SOV-LOS-09")
def test_uses_range_sight_and_attack(spec: Spec) -> None:
    bolt = {
        "id": "bolt", "name": "Bolt", "attack": True, "damage": "1d6", "range_ft": 20,
        "uses": 1, "provokes": True,
    }  # fmt: skip
    fight(
        spec,
        hero("Ana", spells=[bolt], attack_bonus=2),
        npc("Orc", at=[2, 0], ac=14, weapons=[SPEAR]),
        npc("Far", at=[5, 0]),
        npc("Near", at=[0, 1], weapons=[SPEAR]),
    )
    with spec.refused("SOV-SPELL-02", "out-of-range"):
        spec.act("Ana", "cast-spell", spell="bolt", targets=["Far"])
    spec.rule("set-cover", attacker="Ana", target="Orc", los=False)
    with spec.refused("SOV-LOS-09", "no-line-of-sight"):
        spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.rule("set-cover", attacker="Ana", target="Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Near", "pass", ("attack", 12), ("damage", 4))  # this spell provokes
    assert spec.rolled("attack").total == 14  # 12 + 2: a spell is not thrown
    assert spec.hp("Orc") == 6
    end(spec, "Ana", "Orc", "Far", "Near")
    with spec.refused("SOV-SPELL-01", "no-uses-left"):
        spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])


@rule("SOV-SPELL-03")
def test_lost_hit_points_lose_the_spell(spec: Spec) -> None:
    mend = {"id": "mend", "name": "Mend", "heal": "1d6", "provokes": True, "uses": 2}
    fight(spec, hero("Ana", spells=[mend], hp=5), npc("Orc", weapons=[SPEAR]))
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    spec.answer("Orc", "attack-of-opportunity", ("attack", 15), ("damage", 1))
    assert spec.hp("Ana") == 3  # the Shock sets at least 2 damage; no healing
    assert spec["Ana"].facts["cast"] == {"mend": 1}
    assert main(spec, "Ana") == 0


# ---- newcomers and corrections by ruling


@rule("SOV-SEQ-09")
def test_a_newcomer_by_ruling_acts_with_its_side_or_rolls_for_a_new_one(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("join", sheet=hero("Bo", at=[0, 1]))
    assert {who for _, name, who in spec.open() if name == "turn"} == {"Ana", "Bo"}
    spec.rule("join", ("initiative", 5), sheet=npc("Wolf", "beasts", at=[9, 9]))
    assert spec.combat.facts["order"] == ["party", "beasts", "foes"]  # 8, 5, 1
    with spec.raises(Malformed) as caught:
        spec.rule("join", sheet={**npc("Rat"), "max_hp": 0})
    assert caught[0].pointer == "/inputs/sheet/max_hp"


@rule("SOV-DOWN-03")
def test_a_sheet_is_corrected_by_ruling(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"), npc("Wolf", at=[5, 5]))
    spec.rule("set", combatant="Orc", sheet={"ac": 15, "max_hp": 12, "hp": 11})
    assert (ac(spec, "Orc"), spec.hp("Orc"), spec["Orc"].tracks["hp"].maximum) == (15, 11, 12)
    spec.rule("set", combatant="Orc", sheet={"max_hp": 8})
    assert (spec.hp("Orc"), spec["Orc"].tracks["hp"].maximum) == (8, 8)  # points beyond it are lost
    spec.rule("set", combatant="Orc", sheet={"hp": 0})
    assert spec["Orc"].has("dead")
    for field, value in {"ac": "high", "conditions": [{"id": "prone"}], "name": "Ork"}.items():
        with spec.raises(Malformed) as caught:
            spec.rule("set", combatant="Wolf", sheet={field: value})
        assert caught[0].pointer == f"/inputs/sheet/{field}"


@rule("SOV-SEQ-07", "SOV-SEQ-06")
@pytest.mark.parametrize(
    ("until", "over"),
    [("round", "Ana"), ("round-end", "Ana"), ("next-turn", "Orc"), ("dawn", "")],
)
def test_how_long_a_condition_of_data_lasts(spec: Spec, until: str, over: str) -> None:
    """`until` sets when a condition ends: with the round, at the next turn, or by ruling.

    Ana acts last, so the round ends with her turn. Her next turn begins after the orc's turn. The
    text `dawn` names no such moment, so the condition stays until a ruling ends it.
    """
    spec.given(npc("Orc", at=[9, 9]), hero("Ana"), rulings="default")
    spec.begin(("initiative", 8), ("initiative", 1))
    end(spec, "Orc")
    spec.rule("condition", combatant="Ana", condition="dazed", data={"attack": -1}, until=until)
    end(spec, "Ana")
    assert spec["Ana"].has("dazed") is (over != "Ana")
    end(spec, "Orc")
    assert spec["Ana"].has("dazed") is (over == "")
