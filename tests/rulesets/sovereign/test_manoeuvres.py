"""Test manoeuvres, from the swarm to two weapons (SOV-SWARM to SOV-DUAL)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Rolled
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
    move,
    npc,
    weapon,
)
from tests.spec import Spec, rule

# ---- swarm


def pack(spec: Spec, *, rulings: str = "default") -> Spec:
    """Begin with the heroes W1, W2 and W3 and an ogre with AC 18.

    W1 and W2 stand next to the ogre and form a swarm. W3 is far away.
    """
    fight(
        spec,
        *(
            hero(f"W{n}", at=at, max_hp=5, weapons=[SPEAR, BOW], skills={"shoot": 1})
            for n, at in enumerate([[0, 0], [2, 0], [5, 5]], start=1)
        ),
        npc("Ogre", at=[1, 0], ac=18, max_hp=30),
        rulings=rulings,
    )
    spec.act("W1", "swarm-attack", target="Ogre", weapon="spear")
    return spec.act("W2", "swarm-attack", target="Ogre", weapon="spear")


@rule("SOV-SWARM-01")
def test_what_forbids_joining(spec: Spec) -> None:
    pack(spec)
    with spec.refused("SOV-SWARM-01", "not-an-enemy"):
        spec.act("W3", "swarm-attack", target="W1")
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.act("W3", "swarm-attack", target="Ogre", weapon="spear")
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("W1", "swarm-attack", target="Ogre")
    assert spec["W1"].has("swarming")


@rule("SOV-SWARM-01", "SOV-RNG-03")
def test_who_joins_is_told_what_its_own_weapon_lacks(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[BOW]), npc("Orc"))
    with spec.refused("SOV-RNG-03", "bow-in-melee"):
        spec.act("Ana", "swarm-attack", target="Orc", weapon="bow")
    with spec.refused("SOV-DMG-02", "missing-data"):
        spec.act("Ana", "swarm-attack", target="Orc", weapon="axe")


@rule("SOV-SWARM-01", "SOV-RNG-03")
@pytest.mark.parametrize("feet", [5, 10])
def test_an_axe_is_swung_within_reach_and_thrown_beyond(spec: Spec, feet: int) -> None:
    axe = weapon("axe", "1d6", range={"normal": 10, "long": 30})
    fight(spec, hero("Ana", weapons=[axe]), npc("Orc", at=[feet // 5, 0], ac=30))
    spec.act("Ana", "swarm-attack", ("attack", 10), target="Orc", weapon="axe", strike=True)
    assert spec.rolled("attack").total == 10  # no −4 for a throw in melee


@rule("SOV-SWARM-03", "SOV-ITEM-02")
def test_a_draw_that_the_gm_finds_one_too_many_strikes_for_nobody(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD, DAGGER]), npc("Orc"),
        rulings="ask", ask_weapon_swaps_after=0,
    )  # fmt: skip
    spec.act("Ana", "swarm-attack", target="Orc", weapon="dagger", strike=True)
    assert spec.prompt(name="plausible").data["kind"] == "swaps"
    spec.answer(None, "refuse", name="plausible")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec["Ana"].has("swarming")  # the swarm is still open
    assert main(spec, "Ana") == 0


@rule("SOV-SWARM-03", "SOV-INST-01")
def test_who_joins_and_strikes_is_declared_once(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SWORD], disciplined=True),
        asks=("Orc",),
    )  # fmt: skip
    spec.act("Ana", "swarm-attack", target="Orc", strike=True)
    assert spec.prompt("Orc").data["window"] == "declared"
    spec.answer("Orc", "pass", ("attack", 2))
    assert spec.prompt("Orc").data["window"] == "attack-rolled"


@rule("SOV-SWARM-03", "SOV-SWARM-04", "SOV-SWARM-08")
def test_any_member_strikes_at_no_cost_and_closes_it(spec: Spec) -> None:
    pack(spec)
    with spec.refused("SOV-SWARM-03", "not-in-swarm"):
        spec.act("W3", "swarm-strike", target="Ogre")
    spec.act("W3", "swarm-strike", ("attack", 16), ("damage", 3), target="Ogre", striker="W1")
    assert spec.rolled("attack").total == 18  # 16 + 2
    assert spec.hp("Ogre") == 26  # 3 + 1
    assert main(spec, "W3") == 1
    assert not spec["W1"].has("swarming")
    with spec.refused("SOV-SWARM-03", "no-open-swarm"):
        spec.act("W2", "swarm-strike", target="Ogre")


@rule("SOV-SWARM-04", "SOV-SWARM-09")
def test_only_able_members_help(spec: Spec) -> None:
    pack(spec)
    spec.rule("set-condition", who="W2", condition="unconscious")
    spec.act("W1", "swarm-strike", ("attack", 16), target="Ogre")
    assert spec.rolled("attack").total == 16  # W1 is alone, so no bonus
    assert spec.hp("Ogre") == 30  # Shock 2/15 does not hurt AC 18


@rule("SOV-SWARM-10")
def test_the_striker_has_to_be_able_to_attack(spec: Spec) -> None:
    pack(spec)
    spec.rule("place", combatant="W2", at=[9, 0])
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.act("W2", "swarm-strike", target="Ogre")
    spec.act("W1", "swarm-strike", ("attack", 1), target="Ogre")
    assert spec.rolled("attack").total == 3  # W2 still helps: 1 + 2


@rule("SOV-SWARM-10", "SOV-SURP-01")
def test_the_surprised_do_not_strike(spec: Spec) -> None:
    pack(spec)
    spec.rule("set-condition", combatant="W2", condition="surprised")
    with spec.refused("SOV-SURP-01", "surprised"):
        spec.act("W1", "swarm-strike", target="Ogre", striker="W2")
    spec.act("W1", "swarm-strike", ("attack", 1), target="Ogre")
    assert spec.rolled("attack").total == 1  # the surprised do not help either


@rule("SOV-SWARM-08")
def test_at_the_end_of_the_side_turn_the_side_is_asked(spec: Spec) -> None:
    pack(spec)
    end(spec, "W1", "W2", "W3")
    assert spec.open() == [("choice", "swarm-striker", "W2")]
    assert spec.prompt().default == "W2"
    assert [option.id for option in spec.prompt().options] == ["W1", "W2", "wait"]
    spec.answer("W2", "wait")
    assert spec["W1"].has("swarming")
    end(spec, "Ogre")  # the swarm ends with the round
    assert not spec["W1"].has("swarming")
    assert "swarms" not in spec.combat.facts


@rule("SOV-SWARM-08")
def test_it_lapses_when_the_target_falls(spec: Spec) -> None:
    pack(spec)
    spec.rule("damage", who="Ogre", amount=30)
    assert not spec["W1"].has("swarming")
    assert main(spec, "W1") == 0


# ---- charge


def lane(spec: Spec, **fields: Any) -> Spec:
    return fight(
        spec,
        hero("Ana", **{"weapons": [SWORD, KNIFE, BOW], **fields}),
        npc("Orc", at=[5, 2], ac=30),
    )


@rule("SOV-CHG-02")
def test_neither_too_short_nor_too_far(spec: Spec) -> None:
    lane(spec, movement_ft=10)
    with spec.refused("SOV-CHG-02", "charge-too-short"):
        spec.act("Ana", "charge", to=[0, 0], target="Orc")
    with spec.refused("SOV-CHG-02", "too-far"):
        spec.act("Ana", "charge", to=[5, 1], target="Orc")  # 25 ft, with a movement of 20 ft


@rule("SOV-CHG-05", "SOV-RNG-03")
def test_swung_or_thrown_not_shot(spec: Spec) -> None:
    lane(spec)
    with spec.refused("SOV-CHG-05", "charge-needs-melee-or-thrown"):
        spec.act("Ana", "charge", to=[4, 2], target="Orc", weapon="bow")
    spec.act("Ana", "charge", ("attack", 10), to=[4, 2], target="Orc", weapon="knife")
    assert spec.rolled("attack").total == 8  # 10 + 2 − 4 next to the enemy
    assert (main(spec, "Ana"), move(spec, "Ana")) == (0, 0)


@rule("SOV-CHG-01")
def test_what_is_in_hand_for_melee_goes_before_what_is_thrown(spec: Spec) -> None:
    lane(spec).act("Ana", "charge", ("attack", 10), to=[4, 2], target="Orc")
    assert spec.rolled("attack").total == 12  # 10 + 2; not next to the enemy


@rule("SOV-CHG-01", "SOV-ITEM-01")
def test_the_weapon_that_is_named_is_meant_though_another_is_in_hand(spec: Spec) -> None:
    lane(spec, weapons=[{**SWORD, "state": "stowed"}, KNIFE])
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "charge", to=[4, 2], target="Orc", weapon="sword")


@rule("SOV-CHG-01", "SOV-MEL-01")
def test_a_charge_that_ends_out_of_reach_is_none(spec: Spec) -> None:
    lane(spec)
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.act("Ana", "charge", to=[3, 0], target="Orc", weapon="sword")


@rule("SOV-CHG-02")
@pytest.mark.parametrize(("there", "to"), [(False, [4, 2]), (True, None)])
def test_a_charge_from_nowhere_or_to_nowhere_is_none(spec: Spec, there: bool, to: Any) -> None:
    lane(spec)
    if not there:
        spec.rule("place", combatant="Ana")
    with spec.refused("SOV-CHG-02", "charge-too-short"):
        spec.act("Ana", "charge", to=to, target="Orc")


@rule("SOV-CHG-06")
def test_straight_means_rounded(spec: Spec) -> None:
    lane(spec)
    with spec.refused("SOV-CHG-06", "charge-not-straight"):
        spec.act("Ana", "charge", path=[[1, 0], [2, 0], [3, 1], [4, 2]], target="Orc")
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "charge", path=[[1, 0], [2, 0], [3, 1], [4, 2]], target="Orc")
    assert caught[0].detail == "straight is (1, 1), (2, 1), (3, 2), (4, 2)"
    # i × 2 ÷ 4: 0.5 → 1, 1, 1.5 → 2, 2
    path = [[1, 1], [2, 1], [3, 2], [4, 2]]
    spec.act("Ana", "charge", ("attack", 1), path=path, target="Orc")
    assert spec["Ana"].position == (4, 2, 0)


@rule("SOV-CHG-06", "SOV-CHG-01")
def test_not_prone_not_without_both_actions(spec: Spec) -> None:
    lane(spec)
    spec.act("Ana", "go-prone")
    with spec.refused("SOV-CHG-06", "prone"):
        spec.act("Ana", "charge", to=[4, 2], target="Orc")
    spec.act("Ana", "stand-up")
    with spec.refused("SOV-CHG-01", "move-spent"):
        spec.act("Ana", "charge", to=[4, 2], target="Orc")
    spec.act("Ana", "disengage")
    with spec.refused("SOV-CHG-01", "main-spent"):
        spec.act("Ana", "charge", to=[4, 2], target="Orc")


@rule("SOV-CHG-07", "SOV-AOO-04")
def test_stopped_on_the_way_there_is_no_attack(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", max_hp=3, weapons=[SWORD]),
        npc("Guard", at=[0, 1], weapons=[SPEAR]),
        npc("Orc", at=[5, 0]),
    )
    spec.act("Ana", "charge", to=[4, 0], target="Orc")
    spec.answer("Guard", "attack-of-opportunity", ("attack", 18), ("damage", 6))
    assert spec["Ana"].position == (0, 0, 0)
    assert [rolled.who for rolled in spec.events(Rolled, purpose="attack")] == ["Guard"]


# ---- screen


def guards(spec: Spec, arm: dict[str, Any], at: list[int], **options: Any) -> Spec:
    fight(
        spec,
        hero("Gil"),
        hero("Hana", at=[-1, 0], skills={"stab": 1}),
        npc("Orc", at=at, weapons=[arm], skill_modifier=0),
        **options,
    )
    spec.act("Hana", "screen-ally", ward="Gil")
    return spec


@rule("SOV-SCRN-01", "SOV-SCRN-05")
def test_what_forbids_screening(spec: Spec) -> None:
    fight(
        spec,
        hero("Gil"),
        hero("Hana", at=[5, 0], skills={"stab": 1}),
        hero("Odo", at=[0, 1]),
        npc("Orc", at=[9, 9]),
    )
    with spec.refused("SOV-SCRN-01", "not-adjacent"):
        spec.act("Hana", "screen-ally", ward="Gil", path=[[4, 0], [3, 0]])
    with spec.refused("SOV-SCRN-01", "not-an-ally"):
        spec.act("Hana", "screen-ally", ward="Orc")
    with spec.refused("SOV-SCRN-05", "no-combat-skill"):
        spec.act("Odo", "screen-ally", ward="Gil")
    spec.act("Hana", "screen-ally", ward="Gil", path=[[4, 0], [3, 0], [2, 0], [1, 0]])
    assert spec["Hana"].has("screening")


@rule("SOV-SCRN-02")
def test_apart_it_is_over_for_good(spec: Spec) -> None:
    guards(spec, SPEAR, [9, 9])
    spec.act("Gil", "run", path=[[1, 0]])
    assert not spec["Hana"].has("screening")


@rule("SOV-SCRN-02")
def test_over_when_the_screener_is_not_able(spec: Spec) -> None:
    guards(spec, SPEAR, [1, 0])
    spec.rule("set-condition", who="Hana", condition="unconscious")
    assert not spec["Hana"].has("screening")


@rule("SOV-SCRN-08")
@pytest.mark.parametrize("moves", [True, False])
def test_it_draws_when_moving_only(spec: Spec, moves: bool) -> None:
    fight(
        spec,
        hero("Gil"),
        hero("Hana", at=[2 if moves else 1, 0], skills={"stab": 1}),
        npc("Orc", at=[2, 1], weapons=[SPEAR]),
    )
    inputs = {"path": [[1, 0]]} if moves else {}
    spec.act("Hana", "screen-ally", ward="Gil", **inputs)
    assert (("reaction", "attack-of-opportunity", "Orc") in spec.open()) is moves


@rule("SOV-SCRN-09", "SOV-SCRN-11")
def test_shots_are_screened_whatever_the_range(spec: Spec) -> None:
    bow = {**BOW, "range": {"normal": 50, "long": 50}}
    guards(spec, bow, [10, 0])  # Gil 50 ft away, Hana 55
    end(spec, "Gil", "Hana")
    spec.act("Orc", "ranged-attack", target="Gil")
    spec.answer("Hana", "block", ("screen", 1, 1), ("attack", 10))
    assert spec.rolled("attack").against == "Hana"
    assert spec.rolled("attack").total == 9  # 10 + 1 − 2


@rule("SOV-SCRN-10")
def test_the_unblockable_is_not_screened(spec: Spec) -> None:
    guards(spec, {**SPEAR, "unblockable": True}, [1, 0])
    end(spec, "Gil", "Hana")
    spec.act("Orc", "melee-attack", ("attack", 5), target="Gil")
    assert spec.rolled("attack").against == "Gil"


@rule("SOV-SCRN-10")
def test_the_gm_may_find_it_impossible(spec: Spec) -> None:
    guards(spec, SPEAR, [1, 0], rulings="ask", ask_screen_feasible=True)
    end(spec, "Gil", "Hana")
    spec.act("Orc", "melee-attack", target="Gil")
    spec.answer(None, "no", ("attack", 5))
    assert spec.rolled("attack").against == "Gil"


# ---- shove


def shoving(spec: Spec, foe: dict[str, Any] | None = None, **inputs: Any) -> Spec:
    fight(
        spec,
        hero(
            "Ana", weapons=[weapon("axe", "1d6", shock={"value": 3, "ac": None})],
            modifiers={"str": 1}, skills={"stab": 0, "brawl": 1, "exert": 2},
        ),
        npc("Orc", skill_modifier=1, **(foe or {})),
    )  # fmt: skip
    return spec


@rule("SOV-SHOVE-01", "SOV-SHOVE-02", "SOV-SHOVE-03")
def test_a_hit_then_strength_against_strength(spec: Spec) -> None:
    shoving(spec)
    spec.act("Ana", "shove", ("attack", 10), ("shove", 3, 3), target="Orc")
    assert spec.rolled("shove").total == 9  # 3 + 3 + 1 + 2
    assert spec.rolled("shove").target == 9  # 8 + 1
    assert spec.open() == [("choice", "shove-result", "Ana")]
    spec.answer("Ana", "prone")
    assert spec["Orc"].has("prone")
    assert spec.hp("Orc") == 10
    assert main(spec, "Ana") == 0


@rule("SOV-SHOVE-02", "SOV-AOO-07")
def test_pushed_into_a_free_square(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD]),
        hero("Bo", at=[2, 1], weapons=[SWORD]),
        npc("Orc", skill_modifier=0),
    )
    with spec.refused("SOV-SHOVE-02", "square-occupied"):
        spec.act("Ana", "shove", target="Orc", result="push", to=[2, 1])
    spec.act("Ana", "shove", ("attack", 15), ("shove", 4, 4), target="Orc")
    with spec.refused("SOV-SHOVE-02", "square-occupied"):
        spec.answer("Ana", "push", to=[3, 0])
    spec.answer("Ana", "push", to=[2, -1])
    assert spec["Orc"].position == (2, -1, 0)
    assert {name for _, name, _ in spec.open()} == {"turn"}  # the push provokes nothing


@rule("SOV-SHOVE-02", "SOV-SHOVE-03")
@pytest.mark.parametrize("dice", [[("attack", 2)], [("attack", 10), ("shove", 1, 1)]])
def test_a_failed_shove_does_nothing(spec: Spec, dice: list[Any]) -> None:
    shoving(spec)
    spec.act("Ana", "shove", *dice, target="Orc")
    assert spec.hp("Orc") == 10  # the miss has no Shock 3/–
    assert not spec["Orc"].has("prone")


@rule("SOV-SHOVE-04")
@pytest.mark.parametrize(
    ("size", "ours", "penalty"),
    [
        ("larger-humanoid", "man-sized", -2),
        ("barely-plausible", "man-sized", -4),
        ("barely-plausible", "barely-plausible", 0),
    ],
)
def test_size_penalties(spec: Spec, size: str, ours: str, penalty: int) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD], size_category=ours),
        npc("Orc", size_category=size),
    )
    spec.act("Ana", "shove", ("attack", 15), ("shove", 2, 2), target="Orc")
    assert spec.rolled("shove").total == 4 + penalty


@rule("SOV-SHOVE-04")
def test_some_are_too_large(spec: Spec) -> None:
    shoving(spec, {"size_category": "impossible"})
    with spec.refused("SOV-SHOVE-04", "too-large"):
        spec.act("Ana", "shove", target="Orc")


# ---- grapple


def hold(spec: Spec, **options: Any) -> Spec:
    """Let Max hold the orc."""
    fight(
        spec,
        hero("Max", unarmed=FISTS, modifiers={"str": 1}, skills={"brawl": 1}),
        npc("Orc", unarmed=FISTS, skill_modifier=0),
        **options,
    )
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 5, 5), target="Orc")
    spec.rule("set-budget", who="Max", budget={"main": 1, "move": 1})
    return spec


@rule("SOV-GRAP-01", "SOV-GRAP-02")
def test_one_target_each_and_fists_needed(spec: Spec) -> None:
    hold(spec)
    assert spec["Orc"].has("grappled")
    with spec.refused("SOV-GRAP-02", "already-grappling"):
        spec.act("Max", "grapple", target="Orc")


@rule("SOV-GRAP-01")
def test_no_grapple_without_data_for_fists(spec: Spec) -> None:
    fight(spec, hero("Max"), npc("Orc"))
    with spec.refused("SOV-DMG-02", "missing-data"):
        spec.act("Max", "grapple", target="Orc")


@rule("SOV-GRAP-04")
@pytest.mark.parametrize("how", ["release", "unable", "apart", "holder unable"])
def test_how_a_grapple_ends(spec: Spec, how: str) -> None:
    hold(spec)
    match how:
        case "release":
            spec.act("Max", "release-grapple")
            assert (main(spec, "Max"), move(spec, "Max")) == (1, 1)
        case "unable":
            spec.rule("set-condition", who="Orc", condition="unconscious")
        case "apart":
            spec.rule("place", combatant="Orc", at=[5, 5])
        case _:
            spec.rule("set-condition", who="Max", condition="unconscious")
    assert not spec["Orc"].has("grappled")
    assert not spec["Max"].has("grappling")


@rule("SOV-GRAP-07", "SOV-AOO-07")
def test_dragged_along(spec: Spec) -> None:
    hold(spec)
    with spec.refused("SOV-GRAP-07", "too-far"):
        spec.act("Max", "move-grappled", result="drag", to=[4, 0])
    spec.act("Max", "move-grappled", ("grapple-move", 3, 3), result="drag", to=[3, 1])
    assert spec["Orc"].position == (3, 1, 0)
    assert spec["Max"].position == (2, 1, 0)
    assert spec["Orc"].has("grappled")


@rule("SOV-GRAP-07")
def test_thrown_straight_away_by_default(spec: Spec) -> None:
    hold(spec)
    spec.act("Max", "move-grappled", ("grapple-move", 3, 3))
    assert spec.open() == [("choice", "grapple-move-result", "Max")]
    assert spec.prompt().default == "throw"
    spec.close()
    assert spec["Orc"].position == (2, 0, 0)
    assert spec["Orc"].has("prone")
    assert not spec["Orc"].has("grappled")


@rule("SOV-GRAP-07")
def test_a_lost_check_frees_the_target(spec: Spec) -> None:
    hold(spec)
    spec.act("Max", "move-grappled", ("grapple-move", 1, 2), result="throw")  # 3 + 2 < 8
    assert not spec["Orc"].has("grappled")
    assert spec["Orc"].position == (1, 0, 0)


# ---- two weapons


@rule("SOV-DUAL-01")
def test_two_weapons_need_training_and_hands(spec: Spec) -> None:
    fight(
        spec,
        hero("Ola", weapons=[SWORD, DAGGER, KNIFE], skills={"stab": 1, "shoot": 0}),
        hero("Odo", at=[0, 1], weapons=[SWORD, DAGGER], skills={"stab": 1}, shield={}),
        npc("Orc", at=[9, 9], weapons=[SWORD, DAGGER]),
    )
    with spec.refused("SOV-DUAL-01", "dual-wield-untrained"):
        spec.act("Ola", "wield", weapons=["sword", "knife"])  # Shoot 0
    with spec.refused("SOV-DUAL-01", "hands-full"):
        spec.act("Odo", "wield", weapons=["sword", "dagger"])
    spec.act("Ola", "wield", weapons=["sword", "dagger"])
    assert spec["Ola"].has("dual-wielding")
    spec.act("Ola", "sheathe", weapon="dagger")
    assert not spec["Ola"].has("dual-wielding")
    end(spec, "Ola", "Odo")
    with spec.refused("SOV-DUAL-01", "dual-wield-untrained"):
        spec.act("Orc", "wield", weapons=["sword", "dagger"])
