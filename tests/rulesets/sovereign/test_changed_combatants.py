"""Test combatants that fall, leave or change during an action (SOV-INST-07)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.errors import Illegal, Impossible, Malformed, Unfitting
from domain.record.combat import StandingOrder
from domain.record.events import ConditionGained, Damaged, Died, Downed, Prevented, Rolled, Stopped
from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
    KNIFE,
    SPEAR,
    SWORD,
    ac,
    end,
    fight,
    hero,
    main,
    npc,
    weapon,
)
from tests.spec import Spec, rule

ANNA = Caller("p1", "player", owner="anna")
XBOW = weapon("xbow", "1d8", kind="crossbow", range={"normal": 80, "long": 240})


# ---- able or stopped


@rule("SOV-SNAP-02")
def test_two_snap_attacks_of_one_main(spec: Spec) -> None:
    """If Bo declares two snap attacks, his one Main Action pays for only one of them.

    Affray prevents the other snap attack.
    """
    fight(
        spec,
        npc("Orc", at=[1, 0], max_hp=30),
        npc("Rat", at=[0, 1], max_hp=30),
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Bo", at=[1, 1], weapons=[SWORD]),
        asks=("Ana", "Bo"),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "disengage")
    spec.answer("Ana", "snap-attack", target="Orc")
    spec.answer("Bo", "snap-attack", target="Orc")  # Ana's blow opens a window
    assert spec.open() == [("roll", "attack", "Ana")]
    spec.act("Bo", "snap-attack", target="Rat")  # while Ana's die is open
    spec.answer("Bo", "roll", faces=[2])
    spec.answer("Ana", "roll", faces=[2])
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.action, prevented.reason) == (
        "Bo", "snap-attack", "main-spent",
    )  # fmt: skip
    assert prevented.rules == ("SOV-SNAP-02",)
    assert main(spec, "Bo") == 0


@rule("SOV-SNAP-05", "SOV-INST-07")
def test_a_snap_between_hit_and_damage_with_dice_by_hand(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", at=[1, 0], max_hp=3, weapons=[SWORD]),
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Bo", at=[1, 1], weapons=[SWORD]),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "melee-attack", ("attack", 15), target="Ana")
    assert spec.open() == [("roll", "damage", "Orc")]
    spec.act("Bo", "snap-attack", ("attack", 15), ("damage", 3), target="Orc")
    assert spec["Orc"].has("dead")
    assert spec.event(Stopped).who == "Orc"
    assert spec.hp("Ana") == 10
    assert spec.open() != [("roll", "damage", "Orc")]


@rule("SOV-INST-07")
@pytest.mark.parametrize("how", ["leave", "dead", "away"])
def test_a_hit_on_somebody_who_is_gone_does_nothing(spec: Spec, how: str) -> None:
    fight(
        spec,
        npc("Orc", at=[1, 0], weapons=[SPEAR]),
        hero("Ana", at=[0, 0]),
        hero("Bo", at=[9, 9], weapons=[SWORD]),
        asks=("Ana",),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 15))
    if how == "leave":
        spec.leave("Ana")
    elif how == "dead":
        spec.rule("set-condition", combatant="Ana", condition="dead")
        spec.answer("Ana", "pass") if ("reaction", "instant", "Ana") in spec.open() else None
    else:
        spec.rule("place", combatant="Ana", at=[-5, 0])
        spec.answer("Ana", "pass")
    assert spec.event(Stopped).who == "Orc"
    assert not spec.events(Damaged)
    assert main(spec, "Orc") == 0


@rule("SOV-INST-07")
def test_a_runner_who_is_knocked_down_stops(spec: Spec) -> None:
    fight(spec, hero("Ana", at=[0, 0]), npc("Orc", at=[0, 1], weapons=[SPEAR]))
    spec.act("Ana", "run", path=[[x, 0] for x in range(1, 5)])
    assert spec["Ana"].position == (1, 0, 0)  # [2, 0] leaves the spear's reach
    spec.rule("set-condition", combatant="Ana", condition="prone")
    spec.answer("Orc", "pass")
    assert spec["Ana"].position == (1, 0, 0)
    assert spec.event(Stopped).reason == "prone"


@rule("SOV-CHG-07")
def test_a_charger_who_is_knocked_down_stops(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        npc("Imp", at=[0, 1], weapons=[SPEAR]),
        npc("Orc", at=[5, 0]),
    )
    spec.act("Ana", "charge", to=[4, 0], target="Orc")
    spec.rule("set-condition", combatant="Ana", condition="prone")
    spec.answer("Imp", "pass")
    assert spec["Ana"].position == (0, 0, 0)
    assert not spec.events(Rolled)
    assert ac(spec, "Ana") == 8


@rule("SOV-AOO-04")
def test_the_second_blow_of_opportunity_finds_nobody(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[0, 0], max_hp=3),
        npc("Orc", at=[0, 1], weapons=[SWORD]),
        npc("Imp", at=[0, -1], weapons=[SWORD]),
    )
    spec.act("Ana", "use-skill", skill="notice", attribute="wis")
    spec.answer("Orc", "attack-of-opportunity")
    spec.answer("Imp", "attack-of-opportunity", ("attack", 15), ("damage", 5))
    assert spec.event(Prevented).who == "Imp"
    assert spec.event(Stopped).who == "Ana"
    assert [rolled.purpose for rolled in spec.events(Rolled)] == ["attack", "damage"]


@rule("SOV-ACT-08")
def test_a_ruling_in_the_midst_of_a_turn_stops_what_is_done(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo"), npc("Orc"), rulings="ask")
    spec.act("Ana", "improvise", what="swing")
    spec.rule("condition", combatant="Ana", condition="asleep", data={"cannot_act": True})
    assert spec.event(Stopped).doing == "improvise"
    assert spec.open() == [("turn", "turn", "Bo")]


# ---- consequences from any cause


@rule("SOV-DOWN-01", "SOV-DOWN-02")
def test_a_track_set_to_zero_is_a_fall(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[9, 9]))
    spec.rule("set-track", combatant="Ana", track="hp", value=0)
    assert spec["Ana"].has("mortally-injured")
    assert spec["Ana"].has("prone")
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == []
    assert spec.event(Downed).who == "Ana"
    spec.rule("set-track", combatant="Ana", track="hp", value=2)
    assert not spec["Ana"].has("mortally-injured")
    assert spec["Ana"].has("frail")


@rule("SOV-DOWN-03")
def test_below_zero_there_is_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.rule("set-track", combatant="Orc", track="hp", value=-4)
    assert spec.hp("Orc") == 0
    assert spec.event(Died).who == "Orc"
    spec.rule("end-condition", combatant="Orc", condition="dead")
    assert spec.hp("Orc") == 1  # the GM lets it live
    assert not spec["Orc"].has("dead")


def test_a_condition_by_hand_has_its_hit_points(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.rule("set-condition", combatant="Ana", condition="mortally-injured")
    assert spec.hp("Ana") == 0
    assert spec["Ana"].all("mortally-injured")[0].data["round"] == 1


def holding(spec: Spec) -> None:
    """Let Max hold the Orc. Ana stands next to Max, and the Imp next to both."""
    fight(
        spec,
        hero("Max", at=[0, 0], unarmed=FISTS, skills={"stab": 1}, weapons=[SWORD]),
        hero("Ana", at=[0, 1], weapons=[SWORD]),
        npc("Orc", at=[1, 0]),
        npc("Imp", at=[1, 1], max_hp=20),
    )
    spec.rule("set-condition", combatant="Orc", condition="grappled", data={"by": "Max"})


@rule("SOV-GRAP-04")
@pytest.mark.parametrize("end_of", ["leave", "stun", "spell", "place", "patch"])
def test_whoever_leaves_or_cannot_act_lets_go(spec: Spec, end_of: str) -> None:
    holding(spec)
    assert spec["Max"].has("grappling")
    match end_of:
        case "leave":
            spec.leave("Max")
        case "stun":
            spec.rule("condition", combatant="Max", condition="stun", data={"cannot_act": True})
        case "spell":
            spec.rule("set-condition", combatant="Max", condition="unconscious")
        case "place":
            spec.rule("place", combatant="Orc", at=[5, 5])
        case _:
            spec.rule("end-condition", combatant="Max", condition="grappling")
    assert not spec["Orc"].has("grappled")
    assert end_of == "leave" or not spec["Max"].has("grappling")


@rule("SOV-GRAP-04")
def test_a_grapple_by_a_ruling_can_be_released(spec: Spec) -> None:
    holding(spec)
    spec.act("Max", "release-grapple")
    assert not spec["Orc"].has("grappled")
    assert not spec["Max"].has("grappling")


@rule("SOV-SWARM-08")
def test_who_cannot_act_is_not_of_the_swarm(spec: Spec) -> None:
    fight(
        spec,
        hero("Max", at=[0, 0], weapons=[SWORD]),
        hero("Ana", at=[0, 1], weapons=[SWORD]),
        npc("Imp", at=[1, 1], max_hp=20),
    )
    spec.act("Max", "swarm-attack", target="Imp")
    spec.act("Ana", "swarm-attack", target="Imp")
    spec.rule("condition", combatant="Max", condition="stun", data={"cannot_act": True})
    assert not spec["Max"].has("swarming")
    spec.act("Ana", "swarm-strike", ("attack", 5), target="Imp")
    assert "swarm" not in [term.source for term in spec.rolled("attack").terms]


@rule("SOV-EXEC-03")
def test_harm_by_a_ruling_spoils_a_preparation(spec: Spec) -> None:
    spec.given(
        hero("Pia", weapons=[BOW], at=[0, 0]), npc("Guard", at=[8, 0], alertness="unsuspecting")
    )
    spec.act("Pia", "prepare-execution", target="Guard", weapon="bow", mode="ranged")
    spec.rule("damage", combatant="Pia", amount=1)
    assert not spec["Pia"].has("preparing-execution")


@rule("SOV-EXEC-03")
def test_a_patched_alertness_spoils_a_preparation(spec: Spec) -> None:
    spec.given(
        hero("Pia", weapons=[BOW], at=[0, 0]), npc("Guard", at=[8, 0], alertness="unsuspecting")
    )
    spec.act("Pia", "prepare-execution", target="Guard", weapon="bow", mode="ranged")
    spec.do(Change("Guard", sheet={"alertness": "normal"}))
    assert not spec["Pia"].has("preparing-execution")


@rule("SOV-DOWN-06")
def test_ten_minutes_later_the_stabilized_are_up(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.rule("damage", combatant="Ana", amount=10)
    spec.rule("set-condition", combatant="Ana", condition="stabilized")
    spec.rule("advance-time", seconds=590)
    assert spec["Ana"].has("stabilized")
    spec.rule("advance-time", seconds=10)
    assert not spec["Ana"].has("stabilized")
    assert (spec.hp("Ana"), spec["Ana"].has("frail")) == (1, True)


# ---- the GM's grants


@rule("SOV-ATK-06")
def test_a_players_modifier_is_a_proposal(spec: Spec) -> None:
    fight(spec, hero("Ana", owner="anna", weapons=[SWORD]), npc("Orc", max_hp=30), rulings="ask")
    act = Act("Ana", "melee-attack", {"target": "Orc", "gm_modifier": 20})
    spec.do(act, by=ANNA)
    assert spec.prompt(name="attack-modifiers").data["proposed"] == 20
    spec.answer(None, "modifier", ("attack", 5), modifier=1)
    assert spec.rolled("attack").total == 6


@rule("SOV-ATK-06")
def test_the_gms_own_modifier_counts_within_bounds(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", max_hp=30))
    with spec.raises(Malformed):
        spec.act("Ana", "melee-attack", target="Orc", gm_modifier=101)
    spec.act("Ana", "melee-attack", ("attack", 5), target="Orc", gm_modifier=3)
    assert spec.rolled("attack").total == 8


@rule("SOV-SNAP-01", "SOV-ATK-06")
def test_nor_is_the_modifier_of_an_interjected_snap(spec: Spec) -> None:
    fight(spec, hero("Ana", owner="anna", weapons=[SWORD]), npc("Orc", max_hp=30), rulings="ask")
    inputs: dict[str, Any] = {"target": "Orc", "gm_modifier": 20}
    spec.do(Act("Ana", "snap-attack", inputs), by=ANNA)
    spec.answer(None, "modifier", ("attack", 9))  # the GM keeps the default 0
    assert spec.rolled("attack").total == 5  # 9 − 4


@rule("SOV-SKILL-02")
def test_a_players_difficulty_is_a_proposal(spec: Spec) -> None:
    fight(spec, hero("Ana", owner="anna"), npc("Orc", at=[9, 9]), rulings="ask")
    inputs: dict[str, Any] = {"skill": "notice", "attribute": "wis", "difficulty": 2}
    spec.do(Act("Ana", "use-skill", inputs), by=ANNA)
    assert spec.prompt(name="skill-difficulty").data["proposed"] == 2
    spec.answer(None, "difficulty", ("skill", 4, 5), difficulty=9)
    assert (spec.rolled("skill").target, spec.rolled("skill").outcome) == (9, "success")


@rule("SOV-SKILL-01", "SOV-TD-01")
def test_what_a_skill_costs_is_spent_while_the_gm_sets_its_difficulty(spec: Spec) -> None:
    fight(spec, hero("Ana", owner="anna"), npc("Orc", at=[9, 9]), rulings="ask")
    inputs: dict[str, Any] = {"skill": "notice", "attribute": "wis", "difficulty": 2}
    spec.do(Act("Ana", "use-skill", inputs), by=ANNA)
    assert main(spec, "Ana") == 0
    with spec.raises(Illegal):
        spec.act("Ana", "total-defense")
    spec.answer(None, "difficulty", ("skill", 4, 5), difficulty=9)
    assert main(spec, "Ana") == 0


@rule("SOV-SKILL-02")
def test_a_difficulty_of_nothing_is_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.act("Ana", "use-skill", ("skill", 1, 1), skill="notice", attribute="wis", difficulty=0)
    assert spec.rolled("skill").target == 0


@rule("SOV-ATK-06")
def test_a_second_modifier_is_a_second_one(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", max_hp=30))
    spec.rule("modifier", combatant="Ana", value=2)
    spec.rule("modifier", combatant="Ana", value=3)
    spec.act("Ana", "melee-attack", ("attack", 3), target="Orc")
    assert spec.rolled("attack").total == 8


# ---- refused


@rule("SOV-MEL-01")
def test_the_dead_and_departed_are_not_attacked(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), npc("Imp", at=[0, 1]), npc("Rat", at=[9, 9])
    )
    spec.rule("set-condition", combatant="Orc", condition="dead")
    spec.leave("Imp")
    for target in ("Orc", "Imp"):
        with spec.refused("SOV-MEL-01", "out-of-reach"):
            spec.act("Ana", "melee-attack", target=target)


@rule("SOV-RLD-01")
def test_a_loaded_crossbow_is_not_loaded_again(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[XBOW]), npc("Orc", at=[9, 9]))
    with spec.refused("SOV-RLD-01", "missing-data"):
        spec.act("Ana", "reload", weapon="xbow")


@rule("SOV-ITEM-03", "SOV-ITEM-01")
def test_what_is_too_heavy_stays_on_the_ground(spec: Spec) -> None:
    stone = {"id": "stone", "name": "stone", "state": "dropped", "enc": 4}
    ana = hero("Ana", attributes={"strength": 10}, items=[stone])
    bag = {"id": "bag", "name": "bag", "enc": 2}
    fight(spec, {**ana, "items": [stone, bag]}, npc("Orc", at=[9, 9]), enforce_encumbrance=True)
    with spec.refused("SOV-ITEM-01", "hands-full"):  # 2 + 4 of at most 5
        spec.act("Ana", "pick-up", item="stone")


@rule("SOV-DUAL-01")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"skills": {"stab": 0}}, "dual-wield-untrained"),
        ({"skills": {"stab": 1}, "shield": {"name": "shield"}}, "hands-full"),
    ],
)
def test_two_weapons_on_a_sheet_are_checked_like_drawing(
    spec: Spec, fields: dict[str, Any], code: str
) -> None:
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ola", weapons=[SWORD, DAGGER], wielding=["sword", "dagger"], **fields))
    assert (caught[0].rule, caught[0].code) == ("SOV-DUAL-01", code)
    assert caught[0].pointer == "/combatants/0/sheet/wielding"


@rule("SOV-ITEM-02")
def test_drawing_in_an_attack_is_a_swap(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD, KNIFE], modifiers={"dex": 1}),
        npc("Orc", at=[2, 0], max_hp=30),
        rulings="ask",
        ask_weapon_swaps_after=0,
    )
    spec.act("Ana", "ranged-attack", target="Orc", weapon="knife")
    assert spec.prompt(name="plausible").data["kind"] == "swaps"
    spec.answer(None, "refuse")
    assert main(spec, "Ana") == 1  # Ana did not draw the knife
    assert spec.open() == [("turn", "turn", "Ana")]


def test_a_prompt_that_is_answered_while_its_group_is_open_cannot_be_closed(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", at=[1, 0], weapons=[SPEAR]),
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Bo", at=[1, 1], weapons=[SWORD]),
        asks=("Ana", "Bo"),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "melee-attack", target="Ana")
    first = next(iter(spec.live.open_prompts()))
    spec.answer("Ana", "pass")
    with spec.raises(Unfitting) as caught:
        spec.close(first)
    assert caught[0].code == "prompt-closed"


# ---- spells


BLAST = {"id": "blast", "name": "Blast", "damage": "2d6", "radius_ft": 5, "range_ft": 20}
WALL = {"solids": [{"min": [3, -5], "max": [3.2, 6]}]}


@rule("SOV-SPELL-02")
def test_the_centre_of_an_area_is_in_range(spec: Spec) -> None:
    fight(spec, hero("Mag", spells=[BLAST]), npc("Orc", at=[5, 0]))
    with spec.refused("SOV-SPELL-02", "out-of-range"):
        spec.act("Mag", "cast-spell", spell="blast", centre=[6, 0])  # 25 ft
    spec.act("Mag", "cast-spell", ("damage", 1, 1), spell="blast", centre=[5, 0])  # 20 ft
    assert spec.hp("Orc") == 8


@rule("SOV-SPELL-02")
def test_nothing_befalls_one_who_leaves_under_the_damage(spec: Spec) -> None:
    fight(spec, hero("Mag", spells=[BLAST]), npc("Orc", at=[4, 0]), npc("Imp", at=[4, 1]))
    spec.act("Mag", "cast-spell", spell="blast", centre=[5, 1])
    spec.leave("Orc").answer("Mag", "roll", faces=[1, 2])
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [("Imp", 3)]


@rule("SOV-SPELL-02", "SOV-LOS-09")
def test_no_area_is_laid_behind_a_wall(spec: Spec) -> None:
    fight(spec, hero("Mag", spells=[BLAST]), npc("Orc", at=[3, 0]), map=WALL)
    with spec.refused("SOV-LOS-09", "no-line-of-sight"):
        spec.act("Mag", "cast-spell", spell="blast", centre=[4, 0])


@rule("SOV-SPELL-02", "SOV-LOS-09", "SOV-GRID-08")
@pytest.mark.parametrize(("map", "hurt"), [(WALL, ["Imp"]), (None, ["Imp", "Orc"])])
def test_walls_close_an_area(spec: Spec, map: Any, hurt: list[str]) -> None:
    blast = {**BLAST, "radius_ft": 10}
    fight(
        spec, hero("Mag", spells=[blast]), npc("Imp", at=[2, 0]), npc("Orc", at=[4, 0]), map=map
    )  # fmt: skip
    spec.act("Mag", "cast-spell", ("damage", 1, 1), spell="blast", centre=[3, 0])
    assert [damaged.who for damaged in spec.events(Damaged)] == hurt  # the Orc is behind the wall


# ---- prompts


@rule("SOV-INST-02")
def test_the_undisciplined_are_not_offered_a_snap(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SPEAR]), asks=("Orc",))
    spec.act("Ana", "melee-attack", target="Orc")
    assert [option.id for option in spec.prompt("Orc").options] == ["total-defense", "pass"]


def test_a_standing_order_can_name_the_window(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SPEAR]), asks=("Orc",))
    spec.orders("Orc", StandingOrder("instant", "pass", when={"window": "declared"}))
    spec.act("Ana", "melee-attack", ("attack", 15), target="Orc")
    assert spec.prompt("Orc").data["window"] == "attack-rolled"


@rule("SOV-AOO-03", "SOV-LOS-09")
def test_no_blow_of_opportunity_through_a_wall(spec: Spec) -> None:
    wall = {"solids": [{"min": [-5, 0.9], "max": [6, 1.1]}]}
    spec.given(hero("Ana"), npc("Orc", at=[0, 1], weapons=[SPEAR]), map=wall, rulings="default")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Ana", "use-skill", ("skill", 3, 3), skill="notice", attribute="wis")
    assert spec.rolled("skill").total == 6  # the Orc gets no prompt


@rule("SOV-SAVE-02")
def test_an_npcs_saves_round_half_its_hd_down(spec: Spec) -> None:
    curse = {"id": "curse", "name": "Curse", "range_ft": 60, "save": {"type": "mental"}}
    fight(spec, hero("Mag", spells=[curse]), npc("Orc", at=[5, 0], hd=3))
    spec.act("Mag", "cast-spell", ("save", 14), spell="curse", targets=["Orc"])
    assert spec.rolled("save").target == 14  # 15 − 1


@rule("SOV-SWARM-05")
def test_a_swarms_bonus_and_its_cap_are_both_told(spec: Spec) -> None:
    pack = [npc(f"W{n}", at=at, weapons=[SPEAR]) for n, at in enumerate([[1, 0], [0, 1], [1, 1]])]
    fight(spec, hero("Ana", max_hp=30), *pack)
    end(spec, "Ana")
    for name in ("W0", "W1", "W2"):
        spec.act(name, "swarm-attack", target="Ana")
    spec.act("W2", "swarm-strike", ("attack", 15), ("damage", 5), target="Ana")
    terms = {term.source: term.value for term in spec.event(Damaged).terms}
    assert terms == {"damage": 5, "swarm": 2, "usual maximum": -1}


@rule("SOV-GRID-02")
def test_players_see_their_own_things(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[XBOW], spells=[{**BLAST, "uses": 2}]), npc("Orc", at=[5, 0]))
    spec.act("Ana", "cast-spell", ("damage", 1, 1), spell="blast", centre=[5, 0])
    shown = spec.ruleset.derived(spec.combat, "Ana")
    assert shown["uses_left"] == {"blast": 1}
    assert shown["weapons"][0]["loaded"] is True
    spec.act("Ana", "drop-item", weapon="xbow")
    shown = spec.ruleset.derived(spec.combat, "Ana")
    assert shown["near"] == [{"id": "xbow", "name": "xbow", "of": "Ana"}]


def test_undo_with_the_question_open_and_again(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", weapons=[SWORD]), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.undo()
    assert main(spec, "Orc") == 1
    spec.redo()
    spec.answer("Ana", "total-defense", ("attack", 9))
    assert spec.rolled("attack").target == 12
    assert spec.event(ConditionGained).condition == "total-defense"


@rule("SOV-INIT-01")
def test_a_side_that_is_gone_rolls_nothing(spec: Spec) -> None:
    spec.given(hero("Lin"), npc("Rat"), npc("Owl", "birds"), npc("Cat", "cats"), party_side="party")
    spec.begin()
    while spec.open()[0][1] != "initiative":
        spec.close()
    spec.leave("Owl").answer("Lin", "roll", ("initiative", 4), ("initiative", 3), faces=(4,))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Lin", "Rat", "Cat"]
    assert spec.open() == [("turn", "turn", "Lin")]


@rule("SOV-INIT-01", "SOV-INIT-02")
def test_another_of_the_side_rolls_when_its_roller_leaves(spec: Spec) -> None:
    heroes = hero("Lin", attributes={"dexterity": 18}), hero("Mo", attributes={"dexterity": 14})
    spec.given(*heroes, npc("Rat"), npc("Owl", "birds"), party_side="party")
    spec.begin()
    while spec.open()[0][1] != "initiative":
        spec.close()
    spec.leave("Lin")
    assert spec.open() == [("roll", "initiative", "Mo")]
    spec.answer("Mo", "roll", faces=(4,))
    assert spec.rolled("initiative").total == 5
    spec.leave("Rat")
    assert spec.open() == [("roll", "initiative", "Owl")]
    spec.leave("Owl")
    assert spec.combat.facts["order"] == ["party"]


@rule("SOV-INIT-01")
def test_who_changes_sides_rolls_no_more_for_the_one_it_left(spec: Spec) -> None:
    """A combatant that changes sides no longer rolls initiative for its former side.

    Lin leaves the party, so Mo rolls for it. Rat leaves the foes, so nobody rolls for them.
    """
    heroes = hero("Lin", attributes={"dexterity": 18}), hero("Mo", attributes={"dexterity": 14})
    spec.given(*heroes, npc("Rat"), npc("Owl", "birds"), party_side="party")
    spec.begin()
    while spec.open()[0][1] != "initiative":
        spec.close()
    spec.do(Change("Lin", side="birds"))
    assert spec.open() == [("roll", "initiative", "Mo")]
    spec.answer("Mo", "roll", faces=(4,))
    assert spec.rolled("initiative").total == 4 + 1  # Mo's Dexterity of 14
    spec.do(Change("Rat", side="party"))
    assert spec.open() == [("roll", "initiative", "Lin")]  # the first combatant of the birds
    spec.answer("Lin", "roll", faces=(6,))
    assert spec.combat.facts["order"] == ["birds", "party"]


@rule("SOV-INIT-04")
def test_another_of_the_side_rolls_its_tie(spec: Spec) -> None:
    spec.given(hero("Lin"), npc("Rat"), npc("Cat"), npc("Owl", "birds"), party_side="party")
    spec.begin()
    while spec.open()[0][1] != "initiative":
        spec.close()
    spec.answer("Lin", "roll", ("initiative", 4), ("initiative", 4), faces=(1,))
    assert spec.open() == [("roll", "initiative-tie", "Rat")]
    spec.leave("Rat")
    assert spec.open() == [("roll", "initiative-tie", "Cat")]
    spec.answer("Cat", "roll", ("initiative-tie", 4), faces=(3,))
    assert spec.combat.facts["order"] == ["birds", "foes", "party"]


@rule("SOV-INIT-04")
def test_who_leaves_a_tie_leaves_it_to_the_others(spec: Spec) -> None:
    spec.given(hero("Lin"), npc("Rat"), npc("Owl", "birds"), party_side="party")
    spec.begin()
    while spec.open()[0][1] != "initiative":
        spec.close()
    spec.answer("Lin", "roll", ("initiative", 4), ("initiative", 4), faces=(1,))
    assert spec.open() == [("roll", "initiative-tie", "Rat")]
    spec.leave("Owl").answer("Rat", "roll", faces=(3,))
    assert spec.combat.phase != "begun"


@rule("SOV-GRAP-01", "SOV-SHOVE-02", "SOV-SKILL-03")
@pytest.mark.parametrize("action", ["grapple", "shove", "use-item"])
def test_what_is_meant_for_one_who_leaves_is_stopped(spec: Spec, action: str) -> None:
    """If the target leaves the fight, the open prompt closes and the action ends.

    The Main Action stays spent.
    """
    potion = {"id": "potion", "name": "potion", "effect": {"type": "heal", "dice": "1d6"}}
    fight(
        spec,
        hero("Ana", attack_bonus=9, unarmed=FISTS, weapons=[SWORD], items=[potion]),
        npc("Orc", unarmed=FISTS),
        npc("Wolf", at=[9, 9]),
    )
    if action == "use-item":
        spec.act("Ana", "use-item", item="potion", target="Orc")
        pending = ("roll", "heal", "Ana")
    elif action == "shove":
        spec.act("Ana", "shove", ("attack", 15), ("shove", 6, 6), target="Orc")
        pending = ("choice", "shove-result", "Ana")
    else:
        spec.act("Ana", "grapple", ("attack", 15), target="Orc")
        pending = ("roll", "grapple", "Ana")
    assert spec.open() == [pending]
    spec.leave("Orc")
    assert spec.event(Stopped, who="Ana").reason == "gone"
    assert spec.open() == [("turn", "turn", "Ana")]
    assert main(spec, "Ana") == 0


@rule("SOV-GRAP-05")
def test_an_escape_from_one_who_falls_is_not_rolled(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", attack_bonus=9, unarmed=FISTS),
        hero("Bo", at=[5, 5]),
        npc("Orc", unarmed=FISTS),
    )
    spec.act("Ana", "grapple", ("attack", 15), ("grapple", 6, 6), target="Orc")
    end(spec, "Ana", "Bo")
    spec.act("Orc", "escape-grapple")
    assert spec.open() == [("roll", "grapple-escape", "Orc")]
    spec.rule("damage", who="Ana", amount=10)
    assert spec.event(Stopped, who="Orc").doing == "escape-grapple"
    assert spec.open() == [("turn", "turn", "Orc")]


# ---- conditions of data


BLESS = {
    "id": "bless", "name": "Bless", "action": "free",
    "effects": [{"type": "condition", "condition": "blessed", "data": {"attack": 1}}],
}  # fmt: skip


@rule("SOV-ATK-06")
def test_what_two_bring_under_one_name_counts_twice_what_one_brings_once(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD]),
        hero("Bo", at=[0, 1], abilities=[BLESS]),
        hero("Cyd", at=[0, 2], abilities=[BLESS]),
        npc("Orc"),
    )
    spec.act("Bo", "use-ability", ability="bless", target="Ana")
    spec.act("Bo", "use-ability", ability="bless", target="Ana")  # Bo's second bless
    spec.act("Cyd", "use-ability", ability="bless", target="Ana")
    assert [(condition.id, condition.source) for condition in spec["Ana"].conditions] == [
        ("blessed", "Bo"),
        ("blessed", "Cyd"),
    ]
    spec.act("Ana", "melee-attack", ("attack", 5), target="Orc", weapon="sword")
    assert spec.rolled("attack").total == 7  # 5 + 1 + 1
    spec.rule("end-condition", combatant="Ana", condition="blessed")
    assert spec["Ana"].conditions == ()
