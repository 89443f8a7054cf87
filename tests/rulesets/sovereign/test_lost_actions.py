"""Test begun actions whose target or helper becomes unavailable (SOV-INST-07)."""

from typing import Any

import pytest

from domain.engine.commands import Change, Close
from domain.errors import Illegal, Malformed
from domain.record.events import Prevented, Rolled, Stopped
from tests.rulesets.sovereign.units import (
    BOW,
    FISTS,
    KNIFE,
    MACE,
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


def turns(spec: Spec) -> list[str | None]:
    return [who for kind, _, who in spec.open() if kind == "turn"]


# ---- late sides


@rule("SOV-SEQ-09")
@pytest.mark.parametrize(("total", "acts"), [(8, "Foe"), (4, "Ghost"), (1, "Foe")])
def test_a_side_acts_in_this_round_unless_its_place_is_over(
    spec: Spec, total: int, acts: str
) -> None:
    """A side that joins acts in this round only if its place has not passed.

    The party acts at 5, Foe at 3 and Wolf at 2. Ghost joins with `total`.
    """
    spec.given(
        hero("A"), npc("Foe", at=[9, 9]), npc("Wolf", "beasts", at=[20, 9]), rulings="default"
    )
    spec.begin(("initiative", 5), ("initiative", 3), ("initiative", 2))
    spec.join(("initiative", total), **npc("Ghost", "ghosts", at=[30, 0]))
    end(spec, "A")
    assert turns(spec) == [acts]  # the place of 8 has passed, because 5 has its turn
    spec.rule("end-side-turn")
    spec.rule("end-side-turn")
    assert turns(spec) == (["Wolf"] if total == 4 else ["Ghost"])
    assert spec.combat.round == (2 if total == 8 else 1)


# ---- swarms


def swarm(spec: Spec) -> None:
    """Let four kobolds join a swarm, so that the prompt for its striker is open."""
    places = [[1, 0], [1, 1], [0, 1], [-1, 0]]
    kobolds = [npc(f"K{n}", weapons=[SPEAR], at=at) for n, at in enumerate(places, start=1)]
    fight(spec, hero("Erik", ac=18, max_hp=20), *kobolds, npc("Rat", at=[9, 9]))
    end(spec, "Erik")
    for name in ("K1", "K2", "K3", "K4"):
        spec.act(name, "swarm-attack", target="Erik")
    assert spec.open() == [("choice", "swarm-striker", "K4")]


@rule("SOV-SWARM-02")
def test_a_swarm_of_four_does_not_wait(spec: Spec) -> None:
    swarm(spec)
    assert [option.id for option in spec.prompt("K4").options] == ["K1", "K2", "K3", "K4"]


@rule("SOV-SWARM-10")
def test_a_member_who_cannot_strike_any_more_is_not_chosen(spec: Spec) -> None:
    swarm(spec)
    spec.rule("place", combatant="K2", at=[5, 5])
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.answer("K4", "K2")
    spec.rule("damage", combatant="K1", amount=50)
    with spec.refused("SOV-SWARM-03", "not-in-swarm"):
        spec.answer("K4", "K1")
    spec.answer("K4", "K3", ("attack", 9))
    assert spec.rolled("attack").total == 14  # 9 + 1 + 2 for each of two able members


@rule("SOV-SWARM-03", "SOV-SWARM-10")
def test_when_the_last_to_join_cannot_strike_the_one_before_it_is_the_default(spec: Spec) -> None:
    swarm(spec)
    spec.rule("place", combatant="K4", at=[5, 5])
    assert "K4" not in spec.combat.prompts["K4:2"].options
    assert spec.prompt("K4").default == "K3"
    spec.do(Close(), ("attack", 9))
    assert spec.rolled("attack").total == 16  # 9 + 1 + 6


@rule("SOV-SWARM-08")
def test_with_the_target_down_nobody_is_chosen(spec: Spec) -> None:
    swarm(spec)
    spec.rule("damage", combatant="Erik", amount=50)
    assert not [prompt for prompt in spec.open() if prompt[1] == "swarm-striker"]
    assert not spec["K1"].has("swarming")


# ---- screens


def screened(spec: Spec) -> None:
    """Let Hana and Ivo block the troll's attack on Gil. The troll's check is open."""
    fight(
        spec,
        hero("Gil"),
        hero("Hana", at=[0, 1], skills={"stab": 2}),
        hero("Ivo", at=[1, 1], skills={"stab": 1}),
        npc("Troll", weapons=[SPEAR], skill_modifier=1),
    )
    spec.act("Hana", "screen-ally", ward="Gil")
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Hana", "Ivo")
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Hana", "block")
    spec.answer("Ivo", "block")
    assert spec.open() == [("roll", "screen", "Troll")]


@rule("SOV-SCRN-02", "SOV-SCRN-07")
@pytest.mark.parametrize("away", [False, True])
def test_who_falls_or_is_away_before_the_check_takes_no_attack(spec: Spec, away: bool) -> None:
    screened(spec)
    if away:
        spec.rule("place", combatant="Ivo", at=[9, 9])
    else:
        spec.rule("damage", combatant="Ivo", amount=50)
    spec.answer("Troll", "roll", faces=[3, 4])  # 8 is below 9 and 10
    assert spec.prompt("Troll").data["terms"] == [["attack bonus", 1, "SOV-ATK-01"]]
    spec.answer("Troll", "roll", ("damage", 3), faces=[19])
    assert spec.rolled("attack").against == "Hana"
    assert spec.hp("Hana") == 7


@rule("SOV-SCRN-02")
def test_without_any_screener_left_nothing_is_checked(spec: Spec) -> None:
    screened(spec)
    spec.rule("damage", combatant="Ivo", amount=50)
    spec.rule("damage", combatant="Hana", amount=50)
    assert spec.event(Stopped, doing="screen").rules == ("SOV-SCRN-02",)
    assert spec.open() == [("roll", "attack", "Troll")]
    spec.answer("Troll", "roll", faces=[2])
    assert spec.rolled("attack").against == "Gil"


def going_to_screen(spec: Spec) -> None:
    """Let Hana walk to Gil to screen him. The orc next to her gets a prompt to strike."""
    fight(
        spec,
        hero("Gil"),
        hero("Hana", at=[0, 4], skills={"stab": 1}),
        npc("Orc", at=[0, 5], weapons=[SWORD]),
        npc("Rat", at=[20, 20]),
    )
    spec.act("Hana", "screen-ally", ward="Gil", path=[[0, 3], [0, 2], [0, 1]])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Orc")]


@rule("SOV-AOO-01")
def test_whoever_comes_over_meanwhile_strikes_nobody(spec: Spec) -> None:
    going_to_screen(spec)
    spec.do(Change("Orc", side=spec["Hana"].side))
    assert spec["Hana"].position == (0, 1, 0)
    assert {kind for kind, _, _ in spec.open()} == {"turn"}


@rule("SOV-AOO-01")
def test_whoever_comes_over_after_its_answer_strikes_nobody(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SPEAR]),
        npc("Imp", at=[0, 1], weapons=[SPEAR]), npc("Rat", at=[20, 20]),
    )  # fmt: skip
    spec.act("Ana", "use-skill", skill="know", attribute="int")
    spec.answer("Orc", "attack-of-opportunity").do(Change("Orc", side="party"))
    spec.answer("Imp", "pass")
    assert spec.event(Prevented).rules == ("SOV-AOO-01",)
    spec.answer("Ana", "roll", faces=[3, 3])


@rule("SOV-SCRN-01", "SOV-INST-07")
@pytest.mark.parametrize("gone", [False, True])
def test_without_a_ward_to_reach_nobody_sets_out(spec: Spec, gone: bool) -> None:
    going_to_screen(spec)
    if gone:
        spec.leave("Gil")
    else:
        spec.rule("place", combatant="Gil", at=[9, 9])
    stopped = spec.event(Stopped)
    assert (stopped.doing, stopped.reason) == ("screen-ally", "not-adjacent")
    assert spec["Hana"].position == (0, 4, 0)
    assert spec["Hana"].budget["move"] == 0
    assert not spec["Hana"].has("screening")


@rule("SOV-SCRN-01", "SOV-INST-07")
def test_who_does_not_arrive_does_not_screen(spec: Spec) -> None:
    going_to_screen(spec)
    spec.rule("place", combatant="Gil", at=[1, 0])
    spec.rule("set-condition", combatant="Hana", condition="prone")
    spec.answer("Orc", "pass")
    assert spec["Hana"].position == (0, 4, 0)
    assert not spec["Hana"].has("screening")


@rule("SOV-SCRN-01")
def test_the_fallen_are_screened_too(spec: Spec) -> None:
    fight(spec, hero("Gil", hp=0), hero("Hana", at=[0, 1], skills={"stab": 1}), npc("Orc"))
    offered = [offer for offer in spec.live.options("Hana") if offer.option.id == "screen-ally"]
    assert {"ward": "Gil"} in list(offered[0].legal)
    spec.act("Hana", "screen-ally", ward="Gil")
    assert spec["Hana"].has("screening")


# ---- charges


@rule("SOV-CHG-05")
def test_with_a_bow_alone_nobody_charges(spec: Spec) -> None:
    fight(spec, hero("Fenn", weapons=[BOW]), npc("Mage", at=[5, 0]))
    with spec.refused("SOV-CHG-05", "charge-needs-melee-or-thrown"):
        spec.act("Fenn", "charge", to=[4, 0], target="Mage")


@rule("SOV-MEL-01", "SOV-CHG-01")
def test_without_any_weapon_nobody_charges(spec: Spec) -> None:
    fight(spec, hero("Fenn"), npc("Mage", at=[5, 0]))
    with spec.refused("SOV-DMG-02", "missing-data"):
        spec.act("Fenn", "charge", to=[4, 0], target="Mage")


# ---- first aid

KIT = [{"id": "kit", "name": "kit", "tags": ["healers-kit"]}]


def aid(spec: Spec) -> None:
    fight(
        spec,
        hero("Ren"),
        hero("Sam", at=[0, 1], items=KIT),
        hero("Hal", at=[1, 1], skills={"heal": 1}),
        npc("Orc", at=[-1, 1], weapons=[SWORD]),
    )
    spec.rule("damage", combatant="Ren", amount=10)


@rule("SOV-CHK-04")
def test_nobody_helps_twice(spec: Spec) -> None:
    aid(spec)
    with spec.refused("SOV-CHK-04", "main-spent"):
        spec.act("Sam", "stabilize", target="Ren", helpers=["Hal", "Hal"])
    assert main(spec, "Hal") == 1


@rule("SOV-DOWN-05", "SOV-CHK-04")
@pytest.mark.parametrize(
    ("to", "amount", "total"),
    [(None, 0, 10), ([9, 9], 0, 9), (None, 50, 9)],
)
def test_only_who_is_there_and_able_helps(
    spec: Spec, to: list[int] | None, amount: int, total: int
) -> None:
    aid(spec)
    spec.act("Sam", "stabilize", target="Ren", helpers=["Hal"])
    if to is not None:
        spec.rule("place", combatant="Hal", at=to)
    if amount:
        spec.rule("damage", combatant="Hal", amount=amount)
    spec.answer("Orc", "pass", ("stabilize", 4, 5))
    assert spec.rolled("stabilize").total == total  # 9, and 1 for the helper


@rule("SOV-DOWN-05", "SOV-INST-07")
def test_without_its_kit_nobody_is_stabilized(spec: Spec) -> None:
    aid(spec)
    spec.act("Sam", "stabilize", target="Ren")
    spec.rule("set", combatant="Sam", sheet={"items": []})
    spec.answer("Orc", "pass")
    assert spec.event(Stopped).reason == "no-healers-kit"
    assert spec.events(Rolled) == []


# ---- morale


def waver(spec: Spec) -> None:
    spec.given(
        hero("Ana"),
        *(npc(name, at=[9, y], max_hp=4, morale="normal") for y, name in enumerate("XYZ")),
        rulings="ask",
    )
    spec.begin().answer(None, "nobody", ("initiative", 8), ("initiative", 1))
    spec.rule("damage", combatant="X", amount=2)
    end(spec, "Ana")
    assert spec.open() == [("ruling", "morale-individual", None)]


@rule("SOV-MOR-02", "SOV-MOR-05")
def test_nobody_asks_whether_the_dead_retreat(spec: Spec) -> None:
    waver(spec)
    spec.rule("damage", combatant="X", amount=2)
    assert not spec["X"].has("retreating")
    assert spec.open() == [("ruling", "morale-group", None)]  # one of three is lost


@rule("SOV-MOR-03", "SOV-MOR-05")
def test_nor_whether_a_group_does_that_retreats_already(spec: Spec) -> None:
    waver(spec)
    spec.answer(None, "retreat")
    assert spec.open() == [("ruling", "morale-group", None)]
    spec.rule("morale", combatant="Y")
    assert spec.open() == [("ruling", "morale-group", None)]  # Z could stay
    spec.rule("morale", combatant="Z")
    assert spec.open()[0][:2] == ("turn", "turn")


# ---- spells

BOLT: dict[str, Any] = {"id": "bolt", "name": "Bolt", "damage": "1d6", "range_ft": 60}
SAVED = {
    **BOLT, "save": {"type": "evasion", "on_success": "half"}, "targets": 2,
    "conditions": [{"id": "dazed"}],
}  # fmt: skip


@rule("SOV-SPELL-02", "SOV-INST-07")
def test_a_spell_without_its_target_is_told_to_be_lost(spec: Spec) -> None:
    fight(
        spec, hero("Mag", spells=[BOLT]), npc("Orc", at=[5, 0], disciplined=True, weapons=[BOW]),
        asks=("Orc",),
    )  # fmt: skip
    spec.act("Mag", "cast-spell", spell="bolt", targets=["Orc"])
    spec.rule("place", combatant="Orc", at=[40, 0])
    spec.answer("Orc", "pass")
    stopped = spec.event(Stopped)
    assert (stopped.doing, stopped.reason) == ("cast-spell", "out-of-range")
    assert main(spec, "Mag") == 0


def two_saves(spec: Spec) -> None:
    fight(spec, hero("Mag", spells=[SAVED]), npc("Orc", at=[5, 0]), npc("Rat", at=[6, 0]))
    spec.act("Mag", "cast-spell", spell="bolt", targets=["Orc", "Rat"])
    assert spec.open() == [("roll", "save", "Orc")]


@rule("SOV-SPELL-02")
def test_the_dead_make_no_saves(spec: Spec) -> None:
    two_saves(spec)
    spec.rule("damage", combatant="Orc", amount=50)
    assert spec.open() == [("roll", "save", "Rat")]
    spec.answer("Rat", "roll", ("damage", 5), faces=[2])  # 2 against 15
    assert spec.hp("Rat") == 5
    assert spec["Rat"].has("dazed")
    assert not spec["Orc"].has("dazed")


@rule("SOV-SPELL-02")
def test_who_dies_before_its_turn_to_save_is_passed_over(spec: Spec) -> None:
    two_saves(spec)
    spec.rule("damage", combatant="Rat", amount=50)
    spec.answer("Orc", "roll", ("damage", 5), faces=[16])  # 16 of 15: half of 5 is 2
    assert spec.hp("Orc") == 8


@rule("SOV-SPELL-02")
def test_no_damage_is_rolled_for_nobody(spec: Spec) -> None:
    two_saves(spec)
    spec.answer("Orc", "roll", ("save", 2), faces=[2])
    assert spec.open() == [("roll", "damage", "Mag")]
    spec.leave("Orc")
    assert spec.open() == [("roll", "damage", "Mag")]
    spec.leave("Rat")
    assert spec.events(Rolled) == []
    assert turns(spec.answer(None, "go-on")) == ["Mag"]


# ---- executions


def ambush(spec: Spec, mode: str, at: list[int]) -> None:
    spec.given(
        hero("Pia", weapons=[SWORD, BOW], skills={"shoot": 1}),
        npc("Guard", at=at, alertness="unsuspecting"),
        npc("Rat", at=[50, 50]),
        rulings="default",
    )
    spec.act("Pia", "prepare-execution", target="Guard", mode=mode)
    spec.rule("advance-time", seconds=60)


@rule("SOV-EXEC-02")
def test_who_is_not_in_melee_range_is_not_prepared(spec: Spec) -> None:
    ambush(spec, "melee", [2, 0])
    with spec.refused("SOV-EXEC-02", "not-prepared"):
        spec.act("Pia", "execution-attack", target="Guard")
    assert ("SOV-MEL-01", "out-of-reach") in spec.refusals("Pia", "execution-attack")
    spec.rule("place", combatant="Pia", at=[1, 0])
    spec.act("Pia", "execution-attack", ("save", 2), target="Guard")
    assert spec["Guard"].has("dead")


@rule("SOV-EXEC-01", "SOV-EXEC-03")
def test_a_shot_at_one_who_is_alert_by_then_is_spoilt(spec: Spec) -> None:
    ambush(spec, "ranged", [6, 0])
    spec.act("Pia", "execution-attack", target="Guard")
    assert spec.open() == [("roll", "execution", "Pia")]
    spec.rule("alertness", combatant="Guard", alertness="careful")
    assert spec.event(Stopped).reason == "target-alert"
    assert spec.open() == []


@rule("SOV-EXEC-04", "SOV-INST-07")
def test_a_shot_out_of_range_by_then_is_lost(spec: Spec) -> None:
    ambush(spec, "ranged", [6, 0])
    spec.act("Pia", "execution-attack", target="Guard")
    spec.rule("place", combatant="Guard", at=[90, 0])
    assert spec.event(Stopped).reason == "out-of-range"
    assert spec.events(Rolled) == []


@rule("SOV-EXEC-06")
def test_once_it_has_hit_the_save_is_made_however_alert(spec: Spec) -> None:
    ambush(spec, "ranged", [6, 0])
    spec.act("Pia", "execution-attack", ("execution", 6, 6), target="Guard")
    spec.rule("alertness", combatant="Guard", alertness="careful")
    assert spec.open() == [("roll", "save", "Guard")]
    spec.answer("Guard", "roll", faces=[2])
    assert spec["Guard"].has("dead")


WHIP = weapon("whip", "1d4", reach_ft=10)


@rule("SOV-EXEC-02")
def test_melee_range_is_the_weapons(spec: Spec) -> None:
    spec.given(
        hero("Pia", weapons=[WHIP]), npc("Guard", at=[2, 0], alertness="unsuspecting"),
        rulings="default",
    )  # fmt: skip
    spec.act("Pia", "prepare-execution", target="Guard")
    spec.rule("advance-time", seconds=60)
    spec.act("Pia", "execution-attack", ("save", 2), target="Guard")
    assert spec["Guard"].has("dead")


# ---- items on the ground

SHIELD = {"name": "oak", "ac_bonus": 1}


def bearer(spec: Spec, **fields: Any) -> None:
    fight(
        spec,
        hero("Ana", shield=SHIELD, weapons=[SWORD], **fields),
        hero("Bo", at=[0, 1]),
        npc("Orc", at=[1, 0], weapons=[SPEAR]),
    )


@rule("SOV-DOWN-01", "SOV-SHOCK-08")
def test_a_shield_is_dropped_with_all_that_is_held(spec: Spec) -> None:
    bearer(spec)
    assert ac(spec, "Ana") == 11
    spec.rule("damage", combatant="Ana", amount=10)
    assert ac(spec, "Ana") == 10
    assert [thing["id"] for thing in spec.combat.facts["ground"]] == ["sword", "shield"]
    spec.rule("heal", combatant="Ana", amount=9)
    end(spec, "Ana", "Bo")
    spec.act("Orc", "melee-attack", ("attack", 2), target="Ana")  # 2 + 1 + 2: prone
    assert spec.hp("Ana") == 7  # Shock 2, which no shield prevents


@rule("SOV-STAND-01")
def test_it_is_taken_up_in_standing_up(spec: Spec) -> None:
    bearer(spec)
    spec.rule("damage", combatant="Ana", amount=10)
    spec.rule("heal", combatant="Ana", amount=9)
    spec.act("Ana", "stand-up")
    spec.answer("Orc", "pass")
    assert ac(spec, "Ana") == 11
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == ["sword"]
    assert "ground" not in spec.combat.facts


@rule("SOV-ITEM-03")
def test_a_hand_is_freed_for_the_shield(spec: Spec) -> None:
    great = weapon("great", "1d10", hands=2)
    bearer(spec)
    spec.rule("set", combatant="Ana", sheet={"weapons": [SWORD, great]})
    spec.rule("damage", combatant="Ana", amount=10)
    spec.rule("heal", combatant="Ana", amount=9)
    spec.act("Ana", "draw", weapon="great")
    spec.act("Ana", "pick-up", item="shield")
    spec.answer("Orc", "pass")
    assert ac(spec, "Ana") == 11
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == []


@rule("SOV-ITEM-03")
def test_to_others_it_is_a_thing_like_any(spec: Spec) -> None:
    bearer(spec)
    spec.rule("damage", combatant="Ana", amount=10)
    spec.act("Bo", "pick-up", item="shield")
    assert ac(spec, "Bo") == 10
    spec.rule("heal", combatant="Ana", amount=9)
    assert ac(spec, "Ana") == 10


@rule("SOV-DUAL-01", "SOV-DOWN-01")
def test_without_its_shield_both_hands_are_free(spec: Spec) -> None:
    bearer(spec, skills={"stab": 1})
    spec.rule("set", combatant="Ana", sheet={"weapons": [SWORD, {**SWORD, "id": "twin"}]})
    with spec.refused("SOV-DUAL-01", "hands-full"):
        spec.act("Ana", "wield", weapons=["sword", "twin"])
    spec.rule("damage", combatant="Ana", amount=10)
    spec.rule("heal", combatant="Ana", amount=9)
    spec.act("Ana", "pick-up", item="sword")
    spec.answer("Orc", "pass")
    spec.act("Ana", "wield", weapons=["sword", "twin"])
    assert spec["Ana"].has("dual-wielding")


@rule("SOV-SHOCK-08")
def test_a_shield_that_the_gm_gives_is_in_use(spec: Spec) -> None:
    bearer(spec)
    spec.rule("damage", combatant="Ana", amount=10)
    spec.rule("set", combatant="Ana", sheet={"shield": {"name": "elm", "ac_bonus": 2}})
    assert ac(spec, "Ana") == 10  # a fallen combatant holds nothing
    spec.rule("heal", combatant="Ana", amount=9)
    spec.rule("set", combatant="Ana", sheet={"shield": {"name": "elm", "ac_bonus": 2}})
    assert ac(spec, "Ana") == 12


@rule("SOV-ITEM-03", "SOV-INST-07")
def test_what_lies_out_of_reach_by_then_is_not_picked_up(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[1, 0], weapons=[SPEAR]))
    spec.act("Ana", "drop-item", weapon="sword")
    spec.act("Ana", "pick-up", item="sword")
    spec.rule("place", combatant="Ana", at=[0, 9])
    assert spec.event(Stopped).reason == "nothing-to-pick-up"
    assert spec["Ana"].budget["move"] == 0


# ---- weapons of other combatants


def knives(spec: Spec, who: str) -> tuple[str, int]:
    """Return state and count of the knives of `who`."""
    shown = spec.ruleset.derived(spec.combat, who)["weapons"]
    [knife] = [entry for entry in shown if entry["id"] == "knife"]
    return knife["state"], knife["count"]


THREE = {**KNIFE, "count": 3}


@rule("SOV-ITEM-03", "SOV-RNG-06")
@pytest.mark.parametrize("who", ["Ana", "Bo"])
def test_all_pieces_that_were_dropped_are_taken_up(spec: Spec, who: str) -> None:
    fight(
        spec, hero("Ana", weapons=[THREE]), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "drop-item", weapon="knife").act(who, "pick-up", item="knife")
    assert knives(spec, who) == ("in-hand", 3)


@rule("SOV-STAND-01", "SOV-DOWN-01", "SOV-RNG-06")
def test_what_was_thrown_lies_apart_from_what_fell(spec: Spec) -> None:
    """When Ana stands up again, she picks up all three of her knives.

    She has thrown one knife, and two have fallen with her.
    """
    fight(
        spec, hero("Ana", weapons=[THREE]), hero("Bo", at=[9, 9]), npc("Orc", max_hp=20),
    )  # fmt: skip
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    spec.rule("damage", combatant="Ana", amount=10, non_lethal=True)
    spec.rule("heal", combatant="Ana", amount=5)
    spec.act("Ana", "stand-up")
    assert knives(spec, "Ana") == ("in-hand", 3)  # the thrown knife lies 5 ft away


@rule("SOV-RLD-01", "SOV-ITEM-03")
@pytest.mark.parametrize("loaded", [True, False])
def test_somebody_elses_crossbow_is_loaded_as_it_lies_there(spec: Spec, loaded: bool) -> None:
    xbow = weapon(
        "xbow", "1d8", kind="crossbow", range={"normal": 80, "long": 240}, loaded=loaded,
    )  # fmt: skip
    fight(
        spec,
        hero("Ana", weapons=[xbow]),
        hero("Bo", at=[0, 1]),
        npc("Orc", at=[9, 9]),
    )
    if loaded:
        spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    spec.act("Ana", "drop-item", weapon="xbow").act("Bo", "pick-up", item="xbow")
    with spec.refused("SOV-RLD-01", "not-loaded"):
        spec.act("Bo", "ranged-attack", target="Orc", weapon="xbow")


@rule("SOV-RLD-04", "SOV-ITEM-03")
def test_somebody_elses_quiver_serves_as_well(spec: Spec) -> None:
    quiver = {"id": "quiver", "name": "quiver", "tags": ["quiver"]}
    fight(
        spec,
        hero(
            "Ana", weapons=[{**BOW, "loaded": False}], skills={"shoot": 1},
            items=[{**quiver, "state": "stowed"}],
        ),
        hero("Bo", at=[0, 1], items=[quiver]),
        npc("Orc", at=[9, 9]),
    )  # fmt: skip
    with spec.refused("SOV-RLD-04", "no-readied-quiver"):
        spec.act("Ana", "reload", weapon="bow")
    spec.act("Bo", "drop-item", item="quiver").act("Ana", "pick-up", item="quiver")
    spec.act("Ana", "reload", weapon="bow").act("Ana", "ranged-attack", ("attack", 2), target="Orc")


@rule("SOV-ITEM-02", "SOV-SHOCK-08")
def test_who_lets_its_shield_fall_has_a_hand_for_another_weapon(spec: Spec) -> None:
    great = {**MACE, "hands": 2}
    fight(spec, hero("Ana", shield={"ac_bonus": 1}, weapons=[SWORD, great]), npc("Orc"))
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "draw", weapon="mace")
    assert (caught[0].code, caught[0].allowed) == ("hands-full", ("drop-item",))
    guarded = ac(spec, "Ana")
    spec.act("Ana", "drop-item", item="shield")
    assert ac(spec, "Ana") == guarded - 1
    spec.act("Ana", "draw", weapon="mace").act("Ana", "pick-up", item="shield")
    assert ac(spec, "Ana") == guarded
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == []  # no hand is free for the mace


@rule("SOV-ITEM-01")
def test_a_shield_that_is_not_held_is_not_let_fall(spec: Spec) -> None:
    fight(spec, hero("Ana", shield={"held": False}), npc("Orc"))
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "drop-item", item="shield")


@rule("SOV-ITEM-01")
@pytest.mark.parametrize("action", ["melee-attack", "ranged-attack"])
def test_a_weapon_that_is_not_readied_is_the_reason(spec: Spec, action: str) -> None:
    kept = SWORD if action == "melee-attack" else BOW
    fight(spec, hero("Ana", weapons=[{**kept, "state": "stowed"}]), npc("Orc", at=[1, 0]))
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", action, target="Orc")


@rule("SOV-CHG-05")
def test_a_charge_goes_on_with_what_is_readied(spec: Spec) -> None:
    axe = weapon("axe", "1d6", kind="thrown", range={"normal": 10, "long": 30})
    fight(
        spec,
        hero("Ana", weapons=[{**SWORD, "state": "stowed"}, axe]),
        npc("Orc", at=[5, 0]),
    )
    spec.act("Ana", "charge", ("attack", 2), to=[3, 0], target="Orc")
    assert spec.rolled("attack").total == 4  # 2 + 2
    assert [thing["id"] for thing in spec.combat.facts["ground"]] == ["axe"]


@rule("SOV-SWARM-03", "SOV-EXEC-02")
def test_options_say_what_is_missing(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", alertness="unsuspecting"))
    assert spec.refusals("Ana", "swarm-strike") == {("SOV-SWARM-03", "no-open-swarm")}
    assert spec.refusals("Ana", "execution-attack") == {("SOV-EXEC-02", "not-prepared")}


# ---- up again


def asked(spec: Spec) -> list[str | None]:
    """Return the combatants with an open turn."""
    prompts = spec.combat.prompts.values()
    return [prompt.who for prompt in prompts if prompt.name == "turn" and prompt.answer is None]


@rule("SOV-SEQ-02", "SOV-DOWN-07")
@pytest.mark.parametrize("times", [1, 2])
def test_who_is_up_again_in_its_side_turn_acts_in_it(spec: Spec, times: int) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[5, 0]))
    for _ in range(times):
        spec.rule("set-condition", combatant="Ana", condition="unconscious")
        assert asked(spec) == ["Bo"]
        spec.rule("end-condition", combatant="Ana", condition="unconscious")
        assert asked(spec) == ["Bo", "Ana"]
    assert "run" in spec.legal("Ana")
    spec.act("Ana", "stand-up")
    assert not spec["Ana"].has("prone")
    end(spec, "Bo", "Ana")
    assert turns(spec) == ["Orc"]


# ---- the end


@rule("SOV-SEQ-08")
def test_the_end_is_asked_about_whenever_one_side_is_left(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc", at=[5, 0]), rulings="ask")
    spec.begin().answer(None, "nobody", ("initiative", 8), ("initiative", 1))
    ends = [("ruling", "end-combat", None)]
    spec.rule("set-condition", combatant="Orc", condition="unconscious")
    spec.act("Ana", "go-prone")
    assert spec.open() == ends
    spec.answer(None, "go-on")
    assert spec.open() == [("turn", "turn", "Ana")]  # the prompt opens once
    spec.rule("end-condition", combatant="Orc", condition="unconscious")
    spec.rule("damage", combatant="Orc", amount=10)
    spec.act("Ana", "end-turn")
    assert spec.open() == ends


# ---- answers to every roll

AGAIN = {
    "id": "again", "name": "Once more", "windows": ["rolled"], "effects": [{"type": "reroll"}],
    "uses": 1,
}  # fmt: skip
POTION = {"id": "potion", "name": "potion", "effect": {"type": "heal", "dice": "1d6"}}
FIRE = {
    "id": "fire", "name": "Fire", "action": "main",
    "effects": [{"type": "damage", "dice": "1d4"}],
}  # fmt: skip


@rule("SOV-INST-01")
@pytest.mark.parametrize(
    ("action", "inputs", "purpose", "hp"),
    [
        ("use-item", {"item": "potion"}, "heal", 9),  # 5 + 4
        ("use-ability", {"ability": "fire", "target": "Ana"}, "effect", 1),  # 5 − 4
    ],
)
def test_what_items_and_abilities_roll_is_rolled_again(
    spec: Spec, action: str, inputs: dict[str, Any], purpose: str, hp: int
) -> None:
    fight(
        spec,
        hero("Ana", hp=5, items=[POTION], abilities=[AGAIN, FIRE]),
        npc("Orc", at=[5, 0]),
        asks=("Ana",),
    )
    spec.act("Ana", action, (purpose, 1), **inputs)
    assert spec.hp("Ana") == 5
    assert spec.prompt("Ana").data["window"] == "rolled"
    spec.answer("Ana", "use-ability", (purpose, 4), ability="again")
    assert spec.hp("Ana") == hp


# ---- effects of conditions

WRONG = [
    ("grappled", {"by": "Ana", "number": "x"}, "/number"),
    ("mortally-injured", {"round": "first"}, "/round"),
    ("stabilized", {"seconds": "x"}, "/seconds"),
    ("dual-wielding", {"weapons": "ab"}, "/weapons"),
    ("grappling", {"target": ["Ana"]}, "/target"),
    ("dazed", {"attack": "much"}, "/attack"),
]


@rule("SOV-SEQ-07")
@pytest.mark.parametrize(("id", "data", "pointer"), WRONG)
def test_conditions_carry_what_is_theirs(
    spec: Spec, id: str, data: dict[str, Any], pointer: str
) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    for ruling in ("condition", "set-condition"):
        with spec.raises(Malformed) as caught:
            spec.rule(ruling, combatant="Orc", condition=id, data=data)
        assert caught[0].pointer == f"/inputs/data{pointer}"
    brought = {"id": id, "data": data}
    effect = {"type": "condition", "condition": id, "data": data}
    for fields, at in (
        ({"conditions": [brought]}, "/conditions/0/data"),
        ({"spells": [{**BOLT, "conditions": [brought]}]}, "/spells/0/conditions/0/data"),
        ({"abilities": [{**AGAIN, "effects": [effect]}]}, "/abilities/0/effects/0/data"),
        ({"items": [{**POTION, "effect": effect}]}, "/items/0/effect/data"),
    ):
        with spec.raises(Malformed) as caught:
            spec.join(**hero("Bo", at=[0, 1], **fields))
        assert caught[0].pointer == f"/sheet{at}{pointer}"


@rule("SOV-DUAL-01")
@pytest.mark.parametrize("weapons", [[], ["sword"], ["sword", "mace", "axe"]])
def test_two_weapons_are_two(spec: Spec, weapons: list[str]) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc"))
    told = spec.changes_nothing(
        "set-condition", combatant="Ana", condition="dual-wielding", data={"weapons": weapons}
    )
    assert told.endswith("Ana would not stay dual-wielding")
    assert not spec["Ana"].has("dual-wielding")


@rule("SOV-DOWN-04")
def test_who_comes_dying_dies_in_the_sixth_round_after(spec: Spec) -> None:
    dying = hero("Ana", conditions=[{"id": "mortally-injured"}])
    fight(spec, dying, hero("Bo", at=[0, 5]), npc("Orc", at=[9, 9]))
    for _ in range(6):
        end(spec, "Bo", "Orc")
    assert (spec.combat.round, spec["Ana"].has("dead")) == (7, True)  # she fell in round 0


# ---- no weapon, no target

CLAWS = weapon("claws", "1d4", natural=True)


@rule("SOV-ITEM-01", "SOV-ITEM-02")
@pytest.mark.parametrize("part", ["claws", "unarmed"])
def test_nobody_puts_away_its_fists(spec: Spec, part: str) -> None:
    fight(spec, hero("Ana", weapons=[CLAWS], unarmed=FISTS), npc("Orc", at=[5, 0]))
    for action in ("stow-item", "ready-item"):
        with spec.refused("SOV-ITEM-01", "not-readied"):
            spec.act("Ana", action, weapon=part)
    for action in ("sheathe", "drop-item"):
        with spec.refused("SOV-ITEM-02", "not-readied"):
            spec.act("Ana", action, weapon=part)


@rule("SOV-DUAL-01")
@pytest.mark.parametrize("pair", [["sword", "sword"], ["sword", "unarmed"], ["unarmed"]])
def test_two_weapons_are_no_weapon_twice_and_no_fists(spec: Spec, pair: list[str]) -> None:
    fight(
        spec,
        hero("Ana", weapons=[SWORD], unarmed=FISTS, skills={"stab": 1, "brawl": 1}),
        npc("Orc", at=[5, 0]),
    )
    with spec.refused("SOV-DUAL-01", "missing-data"):
        spec.act("Ana", "wield", weapons=pair)


@rule("SOV-ITEM-01", "SOV-INST-07")
def test_what_is_dropped_by_then_is_not_stowed(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", disciplined=True, weapons=[SWORD]),
        asks=("Orc",),
    )  # fmt: skip
    spec.act("Ana", "stow-item", weapon="sword")
    spec.rule("set-fact", combatant="Ana", key="weapons", value={"sword": "dropped"})
    spec.answer("Orc", "pass")
    assert spec.event(Stopped).reason == "not-readied"


@rule("SOV-SPELL-02")
def test_a_spell_that_does_something_needs_somebody(spec: Spec) -> None:
    light = {"id": "light", "name": "Light"}
    fight(spec, hero("Mag", spells=[BOLT, light]), npc("Orc", at=[5, 0]))
    with spec.refused("SOV-SPELL-02", "missing-data"):
        spec.act("Mag", "cast-spell", spell="bolt")
    spec.act("Mag", "cast-spell", spell="light")
    assert main(spec, "Mag") == 0


@rule("SOV-SHOVE-02", "SOV-INST-07")
def test_who_is_away_by_then_is_not_shoved(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc"))
    spec.act("Ana", "shove", ("attack", 12), ("shove", 6, 6), target="Orc")
    assert spec.open() == [("choice", "shove-result", "Ana")]
    spec.rule("place", combatant="Orc", at=[9, 9])
    assert spec.event(Stopped).reason == "out-of-reach"
    assert not spec["Orc"].has("prone")
    assert turns(spec) == ["Ana"]
