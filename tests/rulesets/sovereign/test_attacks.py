"""Test attacks, damage and Shock (SOV-MEL, -RNG, -ATK, -DMG, -SHOCK, -RLD)."""

from typing import Any

import pytest

from domain.record.events import Damaged, FactSet, Rolled
from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
    KNIFE,
    MACE,
    SPEAR,
    SWORD,
    end,
    fight,
    hero,
    main,
    move,
    npc,
    weapon,
)
from tests.spec import Spec, rule


def duel(spec: Spec, foe: dict[str, Any] | None = None, **fields: Any) -> Spec:
    """Begin with Ana next to an orc with AC 12."""
    orc = npc("Orc", **{"ac": 12, "max_hp": 30, **(foe or {})})
    return fight(spec, hero("Ana", **{"weapons": [SWORD], "max_hp": 20, **fields}), orc)


# ---- rolls


@rule("SOV-ATK-01", "SOV-ATK-02", "SOV-ATK-03", "SOV-DMG-01")
def test_the_sums(spec: Spec) -> None:
    duel(
        spec, attack_bonus=3, modifiers={"str": 1, "dex": 2}, skills={"stab": -1},
        weapons=[weapon("rapier", "1d8", attributes=["str", "dex"], magic_bonus=1)],
        attack_modifiers=[
            {"value": 1, "reason": "feat", "applies_to": "melee"},
            {"value": 9, "reason": "not this", "applies_to": "ranged"},
        ],
        damage_modifiers=[{"value": 2, "reason": "killing", "weapon": "rapier"}],
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 7), ("damage", 4), target="Orc")
    assert spec.rolled("attack").total == 13  # 7 + 3 + 2 − 1 + 1 + 1
    assert spec.rolled("damage").total == 9  # 4 + 2 + 1 + 2
    end(spec, "Ana", "Orc")
    spec.act("Ana", "melee-attack", ("attack", 7), ("damage", 4), target="Orc", attribute="str")
    assert spec.rolled("attack").total == 12  # Strength gives 1 less
    assert spec.rolled("damage").total == 8


@rule("SOV-ATK-04")
def test_an_npcs_attack_bonus_is_its_hd(spec: Spec) -> None:
    fight(spec, npc("Orc", attack_bonus=None, hd=3, weapons=[SPEAR]), hero("Ana", ac=18))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 10), target="Ana")
    assert spec.rolled("attack").total == 13  # 10 + 3


@rule("SOV-ATK-05")
def test_natural_one_and_twenty_are_numbers(spec: Spec) -> None:
    duel(spec, {"ac": 5}, attack_bonus=4)
    spec.act("Ana", "melee-attack", ("attack", 1), ("damage", 1), target="Orc")
    assert spec.rolled("attack").outcome == "hit"  # 1 + 4 ≥ 5
    end(spec, "Ana", "Orc")
    spec.rule("modifier", combatant="Orc", value=30, applies_to="ac")
    spec.act("Ana", "melee-attack", ("attack", 20), target="Orc")
    assert spec.rolled("attack").outcome == "miss"  # 24 < 35


@rule("SOV-ATK-06")
def test_the_gm_is_asked_for_modifiers(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", ac=12), rulings="ask", ask_modifiers=True)
    spec.act("Ana", "melee-attack", target="Orc", gm_modifier=1)
    spec.answer(None, "modifier", ("attack", 10), ("damage", 2), modifier=1)
    assert spec.rolled("attack").total == 12  # 10 + 1 + 1


@rule("SOV-ATK-07", "SOV-ATK-06")
def test_shooting_at_the_unseen(spec: Spec) -> None:
    fight(spec, hero("Jo", weapons=[BOW], skills={"shoot": 1}), npc("Orc", at=[5, 0], ac=30))
    spec.rule("set-sight", viewer="Jo", target="Orc", sees=False, located=False)
    with spec.refused("SOV-ATK-06", "target-not-located"):
        spec.act("Jo", "ranged-attack", target="Orc")
    spec.rule("set-sight", viewer="Jo", target="Orc", sees=False)
    spec.act("Jo", "ranged-attack", ("attack", 13), target="Orc")
    assert spec.rolled("attack").total == 10  # 13 + 1 − 4
    spec.rule("condition", combatant="Jo", condition="blind", data={"blinded": True})
    spec.rule("set-sight", viewer="Jo", target="Orc")
    end(spec, "Jo", "Orc")
    spec.act("Jo", "ranged-attack", ("attack", 13), target="Orc")
    assert spec.rolled("attack").total == 10


# ---- melee


@rule("SOV-MEL-01")
def test_reach(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD, weapon("pike", "1d8", reach_ft=10)]),
        hero("Bo", at=[0, 1]),
        npc("Orc", at=[2, 0], ac=30),
    )
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.act("Ana", "melee-attack", target="Orc", weapon="sword")
    with spec.refused("SOV-DMG-02", "missing-data"):
        spec.act("Ana", "melee-attack", target="Orc", weapon="unarmed")
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc", weapon="pike")
    assert main(spec, "Ana") == 0
    end(spec, "Ana", "Bo", "Orc")
    spec.act("Ana", "melee-attack", ("attack", 2), target="Bo", weapon="sword")  # GAP-53


@rule("SOV-MEL-02")
@pytest.mark.parametrize(("weapon_id", "level"), [("sword", 1), ("claw", 2), ("club", 2)])
def test_the_skill_is_the_weapons(spec: Spec, weapon_id: str, level: int) -> None:
    arms = [SWORD, weapon("claw", "1d4", natural=True), weapon("club", "1d6", skill="brawl")]
    duel(spec, {"ac": 30}, weapons=arms, skills={"stab": 1, "brawl": 2})
    spec.act("Ana", "melee-attack", ("attack", 10), target="Orc", weapon=weapon_id)
    assert spec.rolled("attack").total == 10 + level


@rule("SOV-DMG-02", "SOV-MEL-02")
def test_bare_hands_add_brawl(spec: Spec) -> None:
    duel(spec, unarmed=FISTS, skills={"brawl": 2}, modifiers={"str": 1})
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 2), target="Orc", weapon="unarmed")
    assert spec.rolled("attack").total == 18  # 15 + 1 + 2
    assert spec.hp("Orc") == 25  # 2 + 1 + 2


@rule("SOV-DMG-02")
def test_untrained_fists_hurt_less(spec: Spec) -> None:
    duel(spec, unarmed=FISTS, skills={"brawl": -1})
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 1), target="Orc", weapon="unarmed")
    assert spec.hp("Orc") == 30  # 1 − 1


@rule("SOV-DMG-04")
def test_hit_points_stop_at_zero_and_a_hit_never_heals(spec: Spec) -> None:
    duel(spec, {"max_hp": 3, "important": True}, modifiers={"str": -2})
    spec.act("Ana", "melee-attack", ("attack", 19), ("damage", 1), target="Orc")
    assert spec.event(Damaged).amount == 0  # 1 − 2
    end(spec, "Ana", "Orc")
    spec.act("Ana", "melee-attack", ("attack", 19), ("damage", 8), target="Orc")
    assert spec.hp("Orc") == 0  # 6 damage at 3 hit points


@rule("SOV-DMG-04")
def test_the_option_sets_a_minimum(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD], modifiers={"str": -2}),
        npc("Orc", max_hp=9),
        minimum_hit_damage=1,
    )
    spec.act("Ana", "melee-attack", ("attack", 19), ("damage", 1), target="Orc")
    assert spec.hp("Orc") == 8


# ---- shock


def missed(spec: Spec, arm: dict[str, Any], foe: dict[str, Any], **fields: Any) -> int:
    """Return the damage that Orc, by default with AC 15, takes from a missed attack."""
    duel(spec, {"ac": 15, **foe}, weapons=[arm], **fields)
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    return 30 - spec.hp("Orc")


@rule("SOV-SHOCK-04", "SOV-SHOCK-05", "SOV-SHOCK-01")
def test_what_adds_to_shock(spec: Spec) -> None:
    axe = weapon("axe", "1d6", shock={"value": 1, "ac": 15}, magic_bonus=1)
    amount = missed(
        spec, axe, {}, modifiers={"str": 2}, skills={"brawl": 3},
        damage_modifiers=[
            {"value": 1, "reason": "armsmaster", "adds_to_shock": True},
            {"value": 5, "reason": "killing"},
        ],
    )  # fmt: skip
    assert amount == 5  # 1 + 2 + 1 + 1
    assert [rolled.purpose for rolled in spec.events(Rolled)] == ["attack"]  # no damage dice


@rule("SOV-SHOCK-04")
def test_nothing_or_less_is_no_shock(spec: Spec) -> None:
    assert missed(spec, SPEAR, {"ac": 15}, modifiers={"str": -2}) == 0  # 2 − 2


@rule("SOV-SHOCK-07")
@pytest.mark.parametrize("how", ["sheet", "condition", "total-defense"])
def test_who_is_immune(spec: Spec, how: str) -> None:
    duel(spec, {"ac": 13, "shock_immune": how == "sheet"}, weapons=[SPEAR])
    if how == "condition":
        spec.rule("condition", combatant="Orc", condition="iron", data={"shock_immune": True})
    if how == "total-defense":
        spec.act("Orc", "total-defense")
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.hp("Orc") == 30


@rule("SOV-SHOCK-06", "SOV-CHG-03")
def test_a_charge_lowers_the_ac_for_shock_cover_does_not_raise_it(spec: Spec) -> None:
    duel(spec, {"ac": 16}, weapons=[SPEAR])
    spec.rule("set-cover", attacker="Ana", target="Orc", cover="full")
    spec.rule("set-condition", who="Orc", condition="charging")
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.hp("Orc") == 28  # AC 14 ≤ 15


@rule("SOV-SHOCK-08")
def test_a_shield_works_anew_each_round_and_only_when_held(spec: Spec) -> None:
    duel(spec, {"ac": 14, "shield": {"ac_bonus": 1}}, weapons=[SPEAR])
    for hp in (30, 30):  # the first of each round
        spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
        assert spec.rolled("attack").target == 15  # 14 + 1
        assert spec.hp("Orc") == hp
        end(spec, "Ana", "Orc")


@rule("SOV-SHOCK-08")
def test_a_shield_on_the_back_is_none(spec: Spec) -> None:
    assert missed(spec, SPEAR, {"ac": 14, "shield": {"held": False, "ac_bonus": 1}}) == 2


@rule("SOV-SHOCK-09", "SOV-DOWN-02")
def test_shock_can_fell(spec: Spec) -> None:
    duel(spec, {"ac": 15, "max_hp": 2, "important": True}, weapons=[SPEAR])
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.hp("Orc") == 0
    assert spec["Orc"].has("mortally-injured")


@rule("SOV-SHOCK-01")
def test_a_thrown_spear_has_no_shock(spec: Spec) -> None:
    throwing = {**SPEAR, "range": {"normal": 20, "long": 40}}
    fight(spec, hero("Ana", weapons=[throwing]), npc("Orc", ac=14, at=[2, 0]))
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    assert spec.hp("Orc") == 10


@rule("SOV-PRONE-02", "SOV-ATK-06")
def test_prone_attackers_and_targets(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD, KNIFE], movement_ft=25),
        npc("Orc", ac=30),
        npc("Far", at=[2, 0], ac=30),
    )
    spec.act("Ana", "go-prone")
    with spec.refused("SOV-RUN-01", "too-far"):
        spec.act("Ana", "run", path=[[-1, 0], [-2, 0], [-3, 0]])  # 25 → 10
    spec.act("Ana", "melee-attack", ("attack", 10), target="Orc", weapon="sword")
    assert spec.rolled("attack").total == 6  # 10 − 4
    spec.rule("set-condition", who="Orc", condition="prone")
    spec.rule("set-budget", who="Ana", budget={"main": 1, "move": 1})
    spec.act("Ana", "ranged-attack", ("attack", 10), target="Orc", weapon="knife")
    assert spec.rolled("attack").total == 8  # 10 + 2 adjacent − 4 in melee; prone adds 0


@rule("SOV-PRONE-01")
def test_going_prone_is_free(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "go-prone")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)
    with spec.refused("SOV-PRONE-01", "already-prone"):
        spec.act("Ana", "go-prone")


# ---- shooting


@rule("SOV-RNG-01")
def test_range(spec: Spec) -> None:
    fight(spec, hero("Jo", weapons=[KNIFE, SWORD]), npc("Orc", at=[7, 0]))
    with spec.refused("SOV-RNG-01", "out-of-range"):
        spec.act("Jo", "ranged-attack", target="Orc", weapon="knife")  # 35 ft; the range is 30 ft
    with spec.refused("SOV-RNG-01", "missing-data"):
        spec.act("Jo", "ranged-attack", target="Orc", weapon="sword")


@rule("SOV-RNG-02")
def test_thrown_weapons_by_shoot_stab_or_exert(spec: Spec) -> None:
    fight(
        spec,
        hero("Jo", weapons=[{**KNIFE, "count": 3}], skills={"shoot": 0, "stab": 1, "exert": 2}),
        npc("Orc", at=[2, 0], ac=30),
    )
    spec.act("Jo", "ranged-attack", ("attack", 10), target="Orc")
    assert spec.rolled("attack").total == 12  # the best: Exert 2
    spec.rule("set-budget", who="Jo", budget={"main": 1})
    spec.act("Jo", "ranged-attack", ("attack", 10), target="Orc", skill="stab")
    assert spec.rolled("attack").total == 11
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Jo", "ranged-attack", target="Orc", skill="brawl")


@rule("SOV-RNG-03", "SOV-RNG-04")
def test_a_hand_crossbow_in_melee(spec: Spec) -> None:
    small = weapon("hand", "1d6", kind="crossbow", hands=1, range={"normal": 30, "long": 60})
    big = weapon("big", "1d8", kind="crossbow", range={"normal": 30, "long": 60})
    fight(spec, hero("Jo", weapons=[small, big]), npc("Orc", ac=30), npc("Far", at=[5, 0], ac=30))
    with spec.refused("SOV-RNG-03", "bow-in-melee"):
        spec.act("Jo", "ranged-attack", target="Far", weapon="big")
    spec.act("Jo", "ranged-attack", ("attack", 10), target="Far", weapon="hand")
    assert spec.rolled("attack").total == 6  # 10 − 4
    end(spec, "Jo")
    spec.rule("set-condition", who="Orc", condition="unconscious")
    end(spec, "Far")
    spec.act("Jo", "ranged-attack", ("attack", 10), target="Far", weapon="big")
    assert spec.rolled("attack").total == 10  # no able enemy is near


@rule("SOV-RNG-06", "SOV-ITEM-03")
def test_a_thrown_knife_lies_there(spec: Spec) -> None:
    fight(spec, hero("Jo", weapons=[KNIFE]), npc("Orc", at=[2, 0], ac=30))
    spec.act("Jo", "ranged-attack", ("attack", 2), target="Orc")
    assert [(fact["id"], fact["at"]) for fact in spec.combat.facts["ground"]] == [
        ("knife", [2, 0, 0])
    ]
    end(spec, "Jo", "Orc")
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Jo", "ranged-attack", target="Orc", weapon="knife")
    with spec.refused("SOV-ITEM-03", "nothing-to-pick-up"):
        spec.act("Jo", "pick-up", item="knife")
    spec.rule("place", combatant="Jo", at=[1, 0])
    spec.act("Jo", "pick-up", item="knife")
    assert spec["Jo"].facts["weapons"]["knife"] == "in-hand"
    assert "ground" not in spec.combat.facts


# ---- reloading


def archer(spec: Spec, shoot: int, kind: str = "bow", **fields: Any) -> Spec:
    arm = weapon("arm", "1d6", kind=kind, range={"normal": 50, "long": 300})
    return fight(
        spec,
        hero("Jo", weapons=[arm], skills={"shoot": shoot}, **fields),
        npc("Orc", at=[5, 0], ac=30),
    )


def shoot(spec: Spec) -> Spec:
    return spec.act("Jo", "ranged-attack", ("attack", 5), target="Orc")


@rule("SOV-RLD-01", "SOV-RLD-03")
@pytest.mark.parametrize(("kind", "cost"), [("bow", (1, 0)), ("crossbow", (0, 1))])
def test_below_shoot_one_reloading_costs(spec: Spec, kind: str, cost: tuple[int, int]) -> None:
    archer(spec, 0, kind)
    shoot(spec)
    end(spec, "Jo", "Orc")
    with spec.refused("SOV-RLD-01", "not-loaded"):
        spec.act("Jo", "ranged-attack", target="Orc")
    spec.act("Jo", "reload", weapon="arm")
    assert (main(spec, "Jo"), move(spec, "Jo")) == cost
    if kind == "bow":
        shoot(spec)


@rule("SOV-RLD-02")
def test_with_shoot_one_it_happens_by_itself(spec: Spec) -> None:
    archer(spec, 1)
    shoot(spec)
    assert spec["Jo"].facts["loaded"] == {"arm": True}
    end(spec, "Jo")
    spec.rule("set-budget", who="Jo", budget={"main": 1})
    spec.act("Jo", "snap-attack", ("attack", 5), mode="ranged", target="Orc")
    assert spec["Jo"].facts["loaded"] == {"arm": False}  # no reload outside Jo's turn
    end(spec, "Orc")
    assert spec["Jo"].facts["loaded"] == {"arm": True}
    assert spec.event(FactSet, key="loaded").rules == ("SOV-RLD-02",)


@rule("SOV-RLD-04")
def test_a_quiver_has_to_be_readied(spec: Spec) -> None:
    archer(spec, 1, items=[{"id": "q", "name": "quiver", "tags": ["quiver"], "state": "stowed"}])
    shoot(spec)
    assert spec["Jo"].facts["loaded"] == {"arm": False}
    with spec.refused("SOV-RLD-04", "no-readied-quiver"):
        spec.act("Jo", "reload", weapon="arm")


# ---- hands


@rule("SOV-ITEM-02")
def test_drawing_is_part_of_the_use(spec: Spec) -> None:
    duel(spec, {"ac": 30}, weapons=[SWORD, {**MACE, "hands": 2}, DAGGER])
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc", weapon="mace")
    assert spec["Ana"].facts["weapons"] == {"sword": "sheathed", "mace": "in-hand"}
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == ["mace"]


@rule("SOV-ITEM-02")
def test_a_shield_and_two_hands(spec: Spec) -> None:
    duel(spec, weapons=[SWORD, {**MACE, "hands": 2}], shield={})
    with spec.refused("SOV-ITEM-02", "hands-full"):
        spec.act("Ana", "melee-attack", target="Orc", weapon="mace")
