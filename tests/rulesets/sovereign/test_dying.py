"""Test damage, dying and attacks at limits (SOV-DMG, SOV-DOWN, SOV-ATK, SOV-ACT)."""

from typing import Any

import pytest

from domain.record.events import Damaged, Healed, Noted, Spent, Stopped, Term
from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
    KNIFE,
    SPEAR,
    SWORD,
    end,
    fight,
    hero,
    main,
    npc,
)
from tests.spec import Spec, rule

# ---- the roll, and later changes

REROLL = {
    "id": "again", "name": "again", "windows": ["attack-rolled"], "uses": 1,
    "effects": [{"type": "reroll"}],
}  # fmt: skip
LUCK = {
    "id": "luck", "name": "luck", "windows": ["attack-rolled"], "uses": 1,
    "effects": [{"type": "miss-to-hit"}],
}  # fmt: skip


@rule("SOV-INST-10", "SOV-ATK-01")
def test_an_attack_that_is_rolled_again(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[REROLL]), npc("Orc", max_hp=20), asks=("Ana",)
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.prompt("Ana").data["outcome"] == "miss"
    spec.answer("Ana", "use-ability", ("attack", 15), ("damage", 4), ability="again")
    assert spec.hp("Orc") == 16


@rule("SOV-INST-09", "SOV-TD-04")
def test_a_miss_that_a_power_has_made_a_hit_stays_one(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[LUCK]), npc("Orc", ac=12, max_hp=20),
        asks=("Ana",),
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    spec.answer("Ana", "use-ability", ability="luck")
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.act("Orc", "total-defense")
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 16


@rule("SOV-TD-04")
def test_an_outcome_is_final_against_a_defense_of_before(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", ac=10, max_hp=20))
    spec.act("Orc", "total-defense")
    spec.act("Ana", "melee-attack", ("attack", 12), target="Orc")  # 12 against 12
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.rule("modifier", combatant="Orc", value=5, applies_to="ac")
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 16


@rule("SOV-INST-07", "SOV-HOLD-02")
def test_whoever_has_gone_when_the_blow_would_fall_is_not_hurt(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD]), asks=("Ana",))
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 15))  # 16 hits
    spec.answer("Ana", "trigger-held")
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]], pay="main")
    spec.answer("Orc", "pass", name="attack-of-opportunity")
    end(spec, "Ana")
    assert spec.event(Stopped, who="Orc").reason == "out-of-reach"
    assert spec.open() == [("turn", "turn", "Orc")]
    assert spec.hp("Ana") == 10


@rule("SOV-SPELL-02")
def test_a_spells_attack_at_exactly_its_range(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 30}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[6, 0], max_hp=20))
    spec.act("Mag", "cast-spell", ("attack", 15), ("damage", 3, 4), spell="bolt", targets=["Orc"])
    assert spec.hp("Orc") == 13


@rule("SOV-EXEC-03", "SOV-AOO-05")
def test_a_blow_of_opportunity_spoils_the_preparation(spec: Spec) -> None:
    fight(
        spec,
        hero("Pia", weapons=[DAGGER, BOW]),
        npc("Orc", at=[2, 0]),
        npc("Sentry", at=[9, 0], alertness="unsuspecting"),
    )
    spec.act("Pia", "prepare-execution", target="Sentry", weapon="bow", mode="ranged")
    end(spec, "Pia")
    spec.act("Orc", "run", path=[[1, 0], [2, 0]])  # next to Pia, and away
    spec.answer("Pia", "attack-of-opportunity", ("attack", 2))
    assert not spec["Pia"].has("preparing-execution")


# ---- what is refused


@rule("SOV-ATK-02", "SOV-RNG-02")
@pytest.mark.parametrize(
    ("action", "inputs", "by"),
    [
        ("melee-attack", {"weapon": "sword", "attribute": "dex"}, "SOV-ATK-02"),
        ("ranged-attack", {"weapon": "bow", "skill": "stab"}, "SOV-RNG-02"),
    ],
)
def test_only_what_the_weapon_lists(
    spec: Spec, action: str, inputs: dict[str, Any], by: str
) -> None:
    at = [1, 0] if action == "melee-attack" else [4, 0]
    fight(spec, hero("Ana", weapons=[SWORD, BOW]), npc("Orc", at=at))
    with spec.refused(by, "missing-data"):
        spec.act("Ana", action, target="Orc", **inputs)


@rule("SOV-SEQ-04", "SOV-ACT-01")
def test_an_ability_of_a_main_waits_for_the_own_turn(spec: Spec) -> None:
    burst = {
        "id": "burst", "name": "Burst", "action": "main",
        "effects": [{"type": "damage", "dice": "1d4"}],
    }  # fmt: skip
    fight(spec, hero("Ana", abilities=[burst]), npc("Orc"))
    end(spec, "Ana")
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "use-ability", ability="burst", target="Orc")


@rule("SOV-ACT-07", "SOV-SEQ-04")
def test_no_instant_before_the_fight(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc"))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "total-defense")


@rule("SOV-AOO-03")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("set-condition", {"combatant": "Orc", "condition": "grappled"}),
        ("set", {"combatant": "Orc", "sheet": {"weapons": []}}),
    ],
)
def test_whoever_is_armed_no_more_is_not_asked_any_more(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD]))
    spec.act("Ana", "run", path=[[-1, 0]])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Orc")]
    spec.rule(ruling, **inputs)
    assert spec["Ana"].position == (-1, 0, 0)


@rule("SOV-AOO-03")
def test_a_sheathed_sword_makes_no_blow_of_opportunity(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[DAGGER, SWORD]))
    spec.act("Ana", "run", path=[[-1, 0]])
    assert spec.legal("Orc") >= {"attack-of-opportunity", "pass"}
    with spec.refused("SOV-AOO-03", "not-readied"):
        spec.answer("Orc", "attack-of-opportunity", weapon="sword")


@rule("SOV-AOO-01", "SOV-SEQ-04", "SOV-ACT-08")
def test_nobody_declares_a_blow_of_opportunity(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SWORD]))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Orc", "attack-of-opportunity", weapon="sword")


@rule("SOV-SHOVE-02", "SOV-GRID-06")
def test_nobody_is_pushed_into_what_cannot_be_entered(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc"), map={"impassable": [[2, 0]]})
    with spec.refused("SOV-SHOVE-02", "square-occupied"):
        spec.act("Max", "shove", target="Orc", to=[2, 0])


@rule("SOV-GRID-03")
def test_a_path_is_made_of_squares(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    with spec.refused("SOV-GRID-03", "path-blocked"):
        spec.act("Ana", "run", path=[[99_999, 0]])


# ---- healing


@rule("SOV-DOWN-07", "SOV-DOWN-02")
def test_the_unconscious_come_to_when_they_are_healed(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Ana", amount=10, non_lethal=True)
    assert spec["Ana"].has("unconscious")
    spec.rule("heal", combatant="Ana", amount=2)
    assert not spec["Ana"].has("unconscious", "frail")
    assert spec["Ana"].has("prone")


@rule("SOV-DOWN-07")
def test_the_dead_are_not_healed(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Orc", amount=10)
    told = spec.changes_nothing("heal", combatant="Orc", amount=5)
    assert told.endswith("Orc is dead and cannot be healed")


@rule("SOV-DOWN-07")
@pytest.mark.parametrize(("held", "healed"), [(6, True), (7, False)])
def test_strain_up_to_its_maximum_and_no_further(spec: Spec, held: int, healed: bool) -> None:
    salve = {
        "id": "salve", "name": "salve",
        "effect": {"type": "heal", "dice": "1d6", "system_strain": 2},
    }  # fmt: skip
    fight(
        spec, hero("Ana", hp=3, items=[salve], system_strain={"current": held, "max": 8}),
        npc("Orc", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "use-item", ("heal", 4), item="salve")
    if healed:
        assert spec.event(Healed).amount == 4
        assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (7, 8)  # 3 + 4, 6 + 2
    else:
        assert spec.event(Noted).text == "Ana can bear no more strain"
        assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (3, 7)
    assert main(spec, "Ana") == 0


@rule("SOV-DOWN-07")
def test_healing_without_strain_fills_none(spec: Spec) -> None:
    salve = {"id": "salve", "name": "salve", "effect": {"type": "heal", "dice": "1d6"}}
    fight(
        spec, hero("Ana", hp=3, items=[salve], system_strain={"current": 8, "max": 8}),
        npc("Orc", at=[9, 9], weapons=[KNIFE]),
    )  # fmt: skip
    spec.act("Ana", "use-item", ("heal", 4), item="salve")
    assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (7, 8)


# ---- the terms of a sum


def terms(spec: Spec) -> dict[str, int]:
    """Return the terms of the last damage."""
    return {term.source: term.value for term in spec.event(Damaged).terms}


@rule("SOV-DMG-03", "SOV-DMG-04")
@pytest.mark.parametrize(
    ("shock", "least", "last"),
    [
        (2, 0, Term("at least", 1, "SOV-DMG-03")),
        (2, 2, Term("at least", 1, "SOV-DMG-03")),
        (2, 3, Term("at least", 2, "SOV-DMG-04")),
        (None, 3, Term("at least", 2, "SOV-DMG-04")),
        (1, 1, Term("damage", 1, "SOV-DMG-01")),
        (None, 0, Term("damage", 1, "SOV-DMG-01")),
    ],
)
def test_why_a_hit_hurts_at_least_so_much(
    spec: Spec, shock: int | None, least: int, last: Term
) -> None:
    rating = None if shock is None else {"value": shock, "ac": 15}
    fight(
        spec, hero("Ana", weapons=[{**SPEAR, "shock": rating}]), npc("Orc", max_hp=20),
        minimum_hit_damage=least,
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 1), target="Orc")
    assert spec.event(Damaged).terms[-1] == last
    assert spec.event(Damaged).amount == max(1, shock or 0, least)


@rule("SOV-DMG-04")
def test_less_than_nothing_is_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD], modifiers={"str": -2}), npc("Orc"))
    spec.act("Ana", "melee-attack", ("attack", 19), ("damage", 1), target="Orc")
    assert spec.event(Damaged).terms[-1] == Term("at least", 1, "SOV-DMG-04")  # 1 - 2


@rule("SOV-ATK-01", "SOV-DMG-01")
@pytest.mark.parametrize("reason", ["training", None])
def test_modifiers_are_told_by_their_reason(spec: Spec, reason: str | None) -> None:
    extra = {"value": 1} if reason is None else {"value": 1, "reason": reason}
    fight(
        spec, hero("Ana", weapons=[SWORD], attack_modifiers=[extra], damage_modifiers=[extra]),
        npc("Orc", max_hp=20),
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 4), target="Orc")
    assert Term(reason or "attack", 1, "SOV-ATK-01") in spec.rolled("attack").terms
    assert Term(reason or "damage", 1, "SOV-DMG-01") in spec.rolled("damage").terms
    assert spec.hp("Orc") == 15


@rule("SOV-SPELL-02")
def test_a_spells_attack_has_no_weapons_bonuses(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 30}
    fight(
        spec,
        hero("Mag", spells=[bolt], modifiers={"str": 2, "dex": 2, "int": 2}, attack_bonus=1,
             skills={"shoot": 3, "magic": 3, "stab": 3}),
        npc("Orc", at=[3, 0], max_hp=20),
    )  # fmt: skip
    spec.act("Mag", "cast-spell", ("attack", 8), spell="bolt", targets=["Orc"])
    assert spec.rolled("attack").total == 9


@rule("SOV-SWARM-04", "SOV-SWARM-05", "SOV-INST-09")
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("more", [0, 2])
def test_what_every_other_one_of_a_swarm_adds(spec: Spec, count: int, more: int) -> None:
    fury = {
        "id": "fury", "name": "fury", "windows": ["rolled"], "uses": 1,
        "effects": [{"type": "modifier", "value": more}],
    }  # fmt: skip
    around = [[0, 0], [1, 0], [2, 0], [0, 1]]
    pack = [hero(f"W{n}", at=around[n], weapons=[SWORD]) for n in range(count)]
    striker = hero("Z", at=[2, 1], weapons=[SWORD], abilities=[fury])
    fight(spec, *pack[1:], striker, npc("Ogre", at=[1, 1], max_hp=90), asks=("Z",))
    for n in range(1, count):
        spec.act(f"W{n}", "swarm-attack", target="Ogre")
    if count == 4:
        spec.act("Z", "swarm-attack", target="Ogre")
        spec.answer("Z", "Z", ("attack", 10), ("damage", 7))
    else:
        spec.act("Z", "swarm-attack", ("attack", 10), ("damage", 7), target="Ogre", strike=True)
    spec.answer("Z", "use-ability", ability="fury") if more else spec.answer("Z", "pass")
    helpers = count - 1
    assert spec.hp("Ogre") == 90 - min(7 + more + helpers, 8 + more)


# ---- which weapon, which skill


@rule("SOV-GRAP-03")
def test_whoever_is_in_a_grapple_uses_fists(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD, BOW], unarmed=FISTS), npc("Orc", max_hp=20))
    spec.rule("set-condition", combatant="Ana", condition="grappled")
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 2), target="Orc")
    assert spec.rolled("damage").formula == "1d2"
    end(spec, "Ana", "Orc")
    with spec.refused("SOV-GRAP-03", "unarmed-only"):
        spec.act("Ana", "ranged-attack", target="Orc")


@rule("SOV-ATK-02")
def test_the_weapon_in_hand_comes_before_the_one_at_the_belt(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[{**DAGGER, "state": "sheathed"}, {**SWORD, "state": "in-hand"}]),
        npc("Orc", max_hp=20),
    )
    spec.act("Ana", "melee-attack", ("attack", 15), target="Orc")
    assert spec.open() == [("roll", "damage", "Ana")]
    assert spec.prompt().data["formula"] == "1d8"
    spec.answer("Ana", "roll", faces=[8])
    assert spec.hp("Orc") == 12


@rule("SOV-RNG-02")
def test_the_best_skill_throws(spec: Spec) -> None:
    skills = {"shoot": 0, "stab": 1, "exert": 0}
    fight(spec, hero("Ana", weapons=[KNIFE], skills=skills), npc("Orc", at=[2, 0], max_hp=20))
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    assert Term("stab", 1, "SOV-ATK-03") in spec.rolled("attack").terms


@rule("SOV-RNG-06")
def test_one_of_several_is_thrown(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[{**KNIFE, "count": 2}]), npc("Orc", at=[2, 0], max_hp=20)
    )  # fmt: skip
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    assert len(spec.combat.facts["ground"]) == 1
    end(spec, "Ana", "Orc")
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    end(spec, "Ana", "Orc")
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "ranged-attack", target="Orc")


# ---- windows

HELD = ("Ana",)


@rule("SOV-INST-01", "SOV-SKILL-01", "SOV-HOLD-02")
def test_a_skill_that_is_declared_opens_the_window(spec: Spec) -> None:
    fight(spec, hero("Ana", at=[5, 5]), npc("Orc"), asks=HELD)
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "use-skill", skill="notice", attribute="wis", difficulty=8)
    assert spec.open() == [("reaction", "instant", "Ana")]


@rule("SOV-INST-02", "SOV-ACT-08")
@pytest.mark.parametrize("condition", ["unconscious", "surprised"])
def test_an_instant_lapses_with_the_one_who_could_take_it(spec: Spec, condition: str) -> None:
    fight(spec, hero("Ana", at=[5, 5]), npc("Orc"), asks=HELD)
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[1, 1]])
    assert spec.open() == [("reaction", "instant", "Ana")]
    spec.rule("set-condition", combatant="Ana", condition=condition)
    assert spec["Orc"].position == (1, 1, 0)


@rule("SOV-INST-02", "SOV-ACT-08")
def test_who_is_not_able_is_not_asked(spec: Spec) -> None:
    fight(spec, hero("Ana", at=[5, 5]), npc("Orc"), asks=HELD)
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.rule("set-condition", combatant="Ana", condition="surprised")
    spec.act("Orc", "run", path=[[1, 1]])
    assert spec["Orc"].position == (1, 1, 0)


@rule("SOV-INST-02")
def test_one_of_two_abilities_that_would_change_something_is_enough(spec: Spec) -> None:
    luck = {**LUCK, "id": "worse", "effects": [{"type": "hit-to-miss"}]}
    fight(spec, hero("Ana", weapons=[SWORD], abilities=[luck, LUCK]), npc("Orc"), asks=HELD)
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert ("reaction", "instant", "Ana") in spec.open()


@rule("SOV-INST-08")
@pytest.mark.parametrize("option", ["snap-attack", "trigger-held"])
def test_an_instant_names_a_square_of_the_path(spec: Spec, option: str) -> None:
    fight(spec, hero("Ana", weapons=[SWORD], disciplined=True), npc("Orc", at=[0, 1]), asks=HELD)
    if option == "trigger-held":
        spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[1, 1], [2, 2]])
    more = {"target": "Orc"} if option == "snap-attack" else {}
    with spec.refused("SOV-INST-08", "path-blocked"):
        spec.answer("Ana", option, at=[1, 0], **more)
    if option == "snap-attack":
        with spec.refused("SOV-MEL-01", "out-of-reach"):
            spec.answer("Ana", option, at=[2, 2], **more)
    spec.answer("Ana", option, at=[1, 1], **more)
    assert spec["Orc"].position == (1, 1, 0)
    if option == "snap-attack":
        spec.answer("Ana", "roll", faces=[2]).answer("Ana", "pass")  # a miss, so the Orc runs on
        assert spec["Orc"].position == (2, 2, 0)


# ---- strikes at a combatant that runs away

POLE = {**SWORD, "id": "pole", "name": "pole", "reach_ft": 10}


@rule("SOV-RUN-02", "SOV-AOO-03", "SOV-MEL-01")
def test_the_longest_of_two_weapons_counts(spec: Spec) -> None:
    fight(
        spec, hero("Ana"),
        npc("Orc", at=[2, 0], weapons=[{**arm, "state": "in-hand"} for arm in (SWORD, POLE)]),
    )  # fmt: skip
    spec.act("Ana", "run", path=[[-1, 0]])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Orc")]
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.answer("Orc", "attack-of-opportunity", weapon="sword")
    spec.answer("Orc", "attack-of-opportunity", ("attack", 2), weapon="pole")


@rule("SOV-AOO-03")
@pytest.mark.parametrize(("weapon", "formula"), [("sword", "1d8"), (None, "1d4")])
def test_the_weapon_that_is_named_strikes(spec: Spec, weapon: str | None, formula: str) -> None:
    arms = [{**DAGGER, "state": "in-hand"}, {**SWORD, "state": "in-hand"}]
    fight(spec, hero("Ana"), npc("Orc", weapons=arms))
    spec.act("Ana", "run", path=[[-1, 0]])
    named = {} if weapon is None else {"weapon": weapon}
    spec.answer("Orc", "attack-of-opportunity", ("attack", 15), **named)
    assert spec.prompt().data["formula"] == formula
    spec.answer("Orc", "roll", faces=[3])
    assert spec.hp("Ana") == 7


@rule("SOV-INST-07", "SOV-GRID-04")
def test_somebody_stands_where_the_run_would_end(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[5, 5]), npc("Orc", weapons=[SWORD]))
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]])
    spec.rule("place", combatant="Bo", at=[-2, 0])
    spec.answer("Orc", "pass")
    assert spec["Ana"].position == (-1, 0, 0)
    assert spec.event(Stopped, who="Ana").reason == "square-occupied"


@rule("SOV-ACT-03", "SOV-ACT-04")
@pytest.mark.parametrize(("pay", "by"), [("move", "SOV-ACT-03"), ("main", "SOV-ACT-04")])
def test_a_move_is_paid_with_either(spec: Spec, pay: str, by: str) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.act("Ana", "run", path=[[0, 1]], pay=pay)
    assert by in spec.event(Spent).rules
    assert main(spec, "Ana") == (0 if pay == "main" else 1)


# ---- harm to the fallen


@rule("SOV-DOWN-01")
def test_only_harm_to_the_fallen_is_the_gms_to_judge(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"), rulings="ask")
    spec.rule("damage", who="Ana", amount=10)
    spec.changes_nothing("damage", who="Ana", amount=0)
    spec.rule("damage", who="Ana", amount=1)
    assert "damage-while-down" in [name for _, name, _ in spec.open()]


@rule("SOV-DOWN-01", "SOV-TD-01")
@pytest.mark.parametrize("held", ["total-defense", "disengaged"])
def test_who_is_not_able_holds_no_stance(spec: Spec, held: str) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("set-condition", combatant="Ana", condition=held)
    assert spec["Ana"].has(held)
    spec.rule("set-condition", combatant="Ana", condition="unconscious")
    assert not spec["Ana"].has(held)


@rule("SOV-EXEC-03")
def test_only_harm_spoils_a_preparation(spec: Spec) -> None:
    sentry = npc("Sentry", at=[9, 0], alertness="unsuspecting")
    fight(spec, hero("Pia", weapons=[BOW]), sentry, npc("Orc", at=[9, 9]))
    spec.act("Pia", "prepare-execution", target="Sentry", weapon="bow", mode="ranged")
    spec.changes_nothing("damage", who="Pia", amount=0)
    assert spec["Pia"].has("preparing-execution")
    spec.rule("damage", who="Pia", amount=1)
    assert not spec["Pia"].has("preparing-execution")


@rule("SOV-DOWN-03", "SOV-DOWN-04")
def test_the_dead_are_dying_no_more_and_keep_no_hit_points(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Ana", amount=10)
    assert spec["Ana"].has("mortally-injured")
    spec.rule("set-condition", combatant="Ana", condition="dead")
    assert not spec["Ana"].has("mortally-injured", "stabilized", "unconscious")
    spec.rule("set", combatant="Ana", sheet={"hp": 1, "ac": 7})
    assert (spec.hp("Ana"), spec["Ana"].has("dead")) == (0, True)


@rule("SOV-DOWN-04", "SOV-DOWN-06")
def test_who_is_stabilized_by_hand_dies_no_more(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 0]))
    spec.rule("damage", who="Ana", amount=10)
    spec.rule("set-condition", combatant="Ana", condition="stabilized")
    assert not spec["Ana"].has("mortally-injured")
    for _ in range(7):
        end(spec, "Bo", "Orc")
    assert not spec["Ana"].has("dead")
    spec.rule("set-condition", combatant="Ana", condition="mortally-injured")  # Ana is dying again
    assert not spec["Ana"].has("stabilized")
    for _ in range(7):  # round 8, and six more
        end(spec, "Bo", "Orc")
    assert spec["Ana"].has("dead")


@rule("SOV-DOWN-07")
def test_hit_points_that_come_back_wake_the_unconscious(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Ana", amount=10, non_lethal=True)
    assert spec.hp("Ana") == 0
    spec.rule("damage", who="Orc", amount=1)
    assert spec["Ana"].has("unconscious")
    spec.rule("heal", combatant="Ana", amount=1)
    assert not spec["Ana"].has("unconscious")


@rule("SOV-DOWN-07")
def test_the_unconscious_with_hit_points_stay_so_when_others_are_healed(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", max_hp=5))
    spec.rule("set-condition", combatant="Ana", condition="unconscious")
    spec.rule("damage", who="Orc", amount=1)
    spec.rule("heal", combatant="Orc", amount=1)
    assert spec["Ana"].has("unconscious")
