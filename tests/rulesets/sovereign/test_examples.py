"""Play the worked examples of the specification, with sums computed by hand."""

from typing import Any

import pytest

from domain.record.events import Damaged, Healed, Stopped
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
    move,
    npc,
    passes,
    weapon,
)
from tests.spec import Spec, rule


def turns(spec: Spec) -> list[str | None]:
    return [who for kind, _, who in spec.open() if kind == "turn"]


@rule("SOV-INIT-01", "SOV-INIT-02", "SOV-INIT-03", "SOV-INIT-04", "SOV-SEQ-01")
def test_e1_initiative_with_three_sides(spec: Spec) -> None:
    spec.given(
        hero("Mira", modifiers={"dex": 1}),
        hero("Odo", modifiers={"dex": 2}, at=[0, 1]),
        npc("Ghoul", "ghouls", at=[5, 0]),
        npc("Bandit", "bandits", at=[9, 0]),
        rulings="default",
    )
    spec.begin(
        ("initiative", 4),
        ("initiative", 6),
        ("initiative", 6),
        ("initiative-tie", 3),
        ("initiative-tie", 5),
    )
    assert spec.rolled("initiative", "Odo").total == 6  # 4 + 2
    assert spec.combat.facts["order"] == ["party", "bandits", "ghouls"]
    assert turns(spec) == ["Mira", "Odo"]
    end(spec, "Odo", "Mira")
    assert turns(spec) == ["Bandit"]
    end(spec, "Bandit")
    assert turns(spec) == ["Ghoul"]
    end(spec, "Ghoul")
    assert spec.combat.round == 2
    assert turns(spec) == ["Mira", "Odo"]


@rule("SOV-SHOCK-01", "SOV-SHOCK-02", "SOV-SHOCK-08", "SOV-DMG-03", "SOV-ATK-01", "SOV-MEL-01")
def test_e2_shock_and_a_shield(spec: Spec) -> None:
    spec.given(
        npc("Orc1", weapons=[SPEAR], at=[1, 0]),
        npc("Orc2", weapons=[SPEAR], at=[1, 1]),
        npc("Orc3", weapons=[SPEAR], at=[0, 1]),
        hero("Ana", ac=14, shield={"name": "shield"}, max_hp=9),
        rulings="default",
    )
    passes(spec, "Ana")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Orc1", "melee-attack", ("attack", 7), target="Ana", weapon="spear")
    assert spec.rolled("attack").total == 8  # 7 + 1
    assert spec.rolled("attack").outcome == "miss"
    assert spec.hp("Ana") == 9
    assert spec[("Ana")].facts["shield_used"] is True
    spec.act("Orc2", "melee-attack", ("attack", 9), target="Ana", weapon="spear")
    assert spec.event(Damaged).kind == "shock"
    assert spec.hp("Ana") == 7  # 9 − 2
    spec.act("Orc3", "melee-attack", ("attack", 13), ("damage", 1), target="Ana", weapon="spear")
    assert spec.rolled("attack").outcome == "hit"  # 14, equal to AC
    assert spec.event(Damaged).amount == 2  # 1, raised to the Shock
    assert spec.hp("Ana") == 5


@rule("SOV-SHOCK-08", "SOV-DMG-03")
def test_e2_the_unused_shield_lowers_the_minimum(spec: Spec) -> None:
    spec.given(
        npc("Orc3", weapons=[SPEAR], at=[0, 1]),
        hero("Ana", ac=14, shield={"name": "shield"}, max_hp=9),
        rulings="default",
    )
    passes(spec, "Ana")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Orc3", "melee-attack", ("attack", 13), ("damage", 1), target="Ana")
    assert spec.hp("Ana") == 8  # 1 damage; the shield would stop a Shock
    assert "shield_used" not in spec["Ana"].facts


@rule("SOV-SHOCK-02")
def test_e2_an_armour_class_above_the_shock_ac(spec: Spec) -> None:
    fight(spec, hero("Ana", ac=16, max_hp=9), npc("Orc1", weapons=[SPEAR]))
    end(spec, "Ana")
    spec.act("Orc1", "melee-attack", ("attack", 14), target="Ana")
    assert spec.hp("Ana") == 9  # 15 misses 16; Shock 2/15 stops at 15


MAUL = weapon("maul", "1d12", hands=2, shock={"value": 3, "ac": None})


@rule("SOV-TD-01", "SOV-TD-04", "SOV-TD-05", "SOV-SHOCK-03", "SOV-INST-01", "SOV-INST-02")
def test_e3_total_defense_after_the_dice(spec: Spec) -> None:
    fight(
        spec,
        hero("Ben", ac=16, max_hp=20),
        npc("Ogre", attack_bonus=6, weapons=[MAUL], at=[1, 0]),
        npc("Ogress", attack_bonus=6, weapons=[MAUL], at=[0, 1]),
        asks=("Ben",),
    )
    end(spec, "Ben")
    spec.act("Ogre", "melee-attack", target="Ben")
    assert spec.prompt("Ben").data["window"] == "declared"
    spec.answer("Ben", "pass", ("attack", 11))
    asked = spec.prompt("Ben")
    assert (asked.data["total"], asked.data["outcome"]) == (17, "hit")  # 11 + 6
    spec.answer("Ben", "total-defense")
    assert ac(spec, "Ben") == 18
    assert spec.hp("Ben") == 20  # a miss, and no Shock 3/–
    assert main(spec, "Ben") == 0
    spec.act("Ogress", "melee-attack", ("attack", 12), ("damage", 9), target="Ben")
    assert spec.rolled("attack").total == 18  # 12 + 6: equal
    assert spec.hp("Ben") == 11  # 20 − 9


@rule("SOV-TD-05", "SOV-SEQ-06")
def test_e3_the_defense_ends_at_the_own_side_turn(spec: Spec) -> None:
    spec.given(
        npc("Ogre", attack_bonus=6, weapons=[MAUL], at=[1, 0]),
        hero("Ben", ac=16, max_hp=20),
        rulings="default",
    )
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Ben", "total-defense")
    assert ac(spec, "Ben") == 18
    end(spec, "Ogre")
    assert turns(spec) == ["Ben"]
    assert ac(spec, "Ben") == 16
    assert (main(spec, "Ben"), move(spec, "Ben")) == (0, 1)


def bandit_hits(spec: Spec, **dara: Any) -> None:
    spec.given(
        npc("Bandit", ac=13, max_hp=5, weapons=[SWORD], at=[1, 0]),
        hero("Cole", ac=12, max_hp=3, at=[0, 0]),
        hero(
            "Dara", at=[1, 1], attack_bonus=1, modifiers={"str": 1}, skills={"stab": 1},
            weapons=[SWORD], **dara,
        ),
        rulings="default",
    )  # fmt: skip
    passes(spec, "Cole")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Bandit", "melee-attack", target="Cole")
    spec.answer("Dara", "pass", ("attack", 14))


@rule("SOV-SNAP-01", "SOV-SNAP-02", "SOV-SNAP-05", "SOV-INST-07", "SOV-DOWN-03")
def test_e4_a_snap_attack_before_the_damage(spec: Spec) -> None:
    bandit_hits(spec)
    spec.answer("Dara", "snap-attack", ("attack", 15), ("damage", 5), target="Bandit")
    assert spec.rolled("attack").total == 14  # 15 + 1 + 1 + 1 − 4
    assert spec.rolled("damage").total == 6  # 5 + 1
    assert spec["Bandit"].has("dead")
    assert spec.hp("Cole") == 3
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing) == ("Bandit", "melee-attack")
    assert main(spec, "Dara") == 0


@rule("SOV-SNAP-03")
def test_e4_only_disciplined_npcs(spec: Spec) -> None:
    fight(
        spec,
        hero("Cole", at=[0, 0]),
        npc("Bandit", weapons=[SWORD], at=[1, 0]),
    )
    with spec.refused("SOV-SNAP-03", "npc-not-disciplined"):
        spec.act("Bandit", "snap-attack", target="Cole")


KOBOLD_SPEAR = weapon("spear", "1d6", shock={"value": 2, "ac": 13})


def kobolds(spec: Spec, asks: tuple[str, ...] = ()) -> None:
    places = [[1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1]]
    spec.given(
        *(
            npc(f"K{number}", weapons=[KOBOLD_SPEAR], at=at)
            for number, at in enumerate(places, start=1)
        ),
        hero("Erik", ac=18, shield={"name": "shield"}, max_hp=8),
        rulings="default",
    )
    if not asks:
        passes(spec, "Erik")
    spec.begin(("initiative", 8), ("initiative", 1))
    for number in (1, 2, 3, 4):
        spec.act(f"K{number}", "swarm-attack", target="Erik")
    assert spec.open() == [("choice", "swarm-striker", "K4")]


@rule("SOV-SWARM-01", "SOV-SWARM-02", "SOV-SWARM-03", "SOV-SWARM-04", "SOV-SWARM-06")
def test_e5_a_swarm_misses_and_still_hurts(spec: Spec) -> None:
    kobolds(spec)
    spec.answer("K4", "K2", ("attack", 9))
    assert spec.rolled("attack").total == 16  # 9 + 1 + 6
    assert spec.hp("Erik") == 6  # Shock 2 despite AC 18 and the shield
    assert "shield_used" not in spec["Erik"].facts
    spec.act("K5", "swarm-attack", ("attack", 9), target="Erik", strike=True)
    assert spec.rolled("attack").total == 10  # 9 + 1; K5 alone gets no bonus
    assert spec.hp("Erik") == 6  # ordinary Shock: AC 18 > 13


@rule("SOV-SWARM-05")
def test_e5_the_bonus_stays_within_the_usual_maximum(spec: Spec) -> None:
    kobolds(spec)
    spec.answer("K4", "K4", ("attack", 11), ("damage", 5))
    assert spec.rolled("attack").total == 18  # 11 + 1 + 6
    assert spec.event(Damaged).amount == 6  # 5 + 3, capped at the maximum of 1d6
    assert spec.hp("Erik") == 2


@rule("SOV-SWARM-07", "SOV-TD-02")
def test_e5_total_defense_stops_a_swarm(spec: Spec) -> None:
    kobolds(spec, asks=("Erik",))
    spec.answer("K4", "K4")
    spec.answer("Erik", "pass", ("attack", 11))
    spec.answer("Erik", "total-defense")
    assert spec.hp("Erik") == 8  # AC 20: 18 misses, without other effect


def charge_scene(spec: Spec) -> None:
    fight(
        spec,
        hero(
            "Fenn", at=[0, 0], ac=15, attack_bonus=2, modifiers={"str": 1}, skills={"stab": 1},
            max_hp=20, weapons=[weapon("sword", "1d8", shock={"value": 2, "ac": 13})],
        ),
        npc("G1", at=[0, 1], attack_bonus=3, weapons=[SWORD]),
        npc("G2", at=[4, 1], attack_bonus=3, weapons=[weapon("pike", "1d8", reach_ft=10)]),
        npc("M", at=[9, 0], ac=10),
    )  # fmt: skip


@rule("SOV-CHG-01", "SOV-CHG-03", "SOV-CHG-04", "SOV-DMG-03")
def test_e6_charge_past_a_guard(spec: Spec) -> None:
    charge_scene(spec)
    spec.act("Fenn", "charge", to=[8, 0], target="M", weapon="sword")
    assert spec.open() == [("reaction", "attack-of-opportunity", "G1")]
    spec.answer(
        "G1", "attack-of-opportunity", ("attack", 10), ("damage", 4), ("attack", 6), ("damage", 3)
    )
    blow, charge = spec.events(type(spec.rolled("attack", "G1")), purpose="attack")
    assert (blow.total, blow.target, blow.outcome) == (13, 13, "hit")  # 10 + 3 against 15 − 2
    assert spec.hp("Fenn") == 16
    assert charge.total == 12  # 6 + 2 + 1 + 1 + 2
    assert spec["Fenn"].position == (8, 0, 0)
    assert spec.hp("M") == 6  # 3 + 1; the would-be Shock of 3 is lower


@rule("SOV-RUN-02", "SOV-AOO-01", "SOV-AOO-02", "SOV-AOO-04")
def test_e6_running_draws_from_both(spec: Spec) -> None:
    charge_scene(spec)
    spec.act("Fenn", "run", path=[[n, 0] for n in range(1, 7)])
    assert spec.open() == [("reaction", "attack-of-opportunity", "G1")]
    assert spec["Fenn"].position == (1, 0, 0)
    spec.answer("G1", "pass")
    assert spec["Fenn"].position == (6, 0, 0)  # 30 ft: still in G2's 10 ft


@rule("SOV-RUN-02")
def test_e6_running_on_draws_from_the_second(spec: Spec) -> None:
    charge_scene(spec)
    spec.rule("place", combatant="Fenn", at=[2, 0])
    spec.act("Fenn", "run", path=[[n, 0] for n in range(3, 8)])
    assert spec.open() == [("reaction", "attack-of-opportunity", "G2")]
    assert spec["Fenn"].position == (6, 0, 0)


def screen_scene(spec: Spec) -> None:
    fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Hana", at=[1, 0], modifiers={"str": 1}, skills={"stab": 2}),
        hero("Ivo", at=[0, 1], modifiers={"dex": 1}, skills={"stab": 1}),
        npc("Troll", at=[-1, 0], skill_modifier=1, weapons=[SWORD]),
        npc("Imp", at=[-1, -1], skill_modifier=1, weapons=[SWORD]),
    )
    spec.act("Hana", "screen-ally", ward="Gil")
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Hana", "Ivo")
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Hana", "block")


@pytest.mark.parametrize(("faces", "target"), [((3, 4), "Ivo"), ((4, 5), "Hana"), ((5, 5), "Gil")])
@rule("SOV-SCRN-01", "SOV-SCRN-03", "SOV-SCRN-04", "SOV-SCRN-06", "SOV-SCRN-07", "SOV-CHK-02")
def test_e7_two_screeners(spec: Spec, faces: tuple[int, int], target: str) -> None:
    screen_scene(spec)
    spec.answer("Ivo", "block", ("screen", *faces), ("attack", 2))
    assert spec.rolled("screen").total == sum(faces) + 1
    assert spec.rolled("attack").against == target  # 10 for Ivo, 11 for Hana


@rule("SOV-SCRN-05")
def test_e7_capacity(spec: Spec) -> None:
    screen_scene(spec)
    spec.answer("Ivo", "block", ("screen", 5, 5), ("attack", 2))
    spec.act("Imp", "melee-attack", target="Gil")
    assert spec.open() == [("reaction", "screen-block", "Hana")]  # Ivo has met an attacker already
    spec.answer("Hana", "pass", ("attack", 2))
    spec.rule("set-budget", combatant="Troll", budget={"main": 1, "move": 1})
    spec.act("Troll", "melee-attack", target="Gil")  # the same attacker, again in the same round
    assert [who for _, _, who in spec.open()] == ["Hana", "Ivo"]


def shot(spec: Spec, at: list[int], *, cover: str | None = None, prone: bool = True) -> int:
    fight(
        spec,
        hero("Jo", attack_bonus=1, modifiers={"dex": 1}, skills={"shoot": 1}, weapons=[BOW, KNIFE]),
        npc("Mark", at=at, ac=12),
    )
    if prone:
        spec.rule("set-condition", who="Mark", condition="prone")
    if cover:
        spec.rule("set-cover", attacker="Jo", target="Mark", cover=cover)
    spec.act("Jo", "ranged-attack", ("attack", 14), target="Mark", weapon="bow")
    return spec.rolled("attack").total


@rule("SOV-ATK-06", "SOV-RNG-01", "SOV-RNG-05", "SOV-PRONE-02", "SOV-LOS-04", "SOV-LOS-10")
def test_e8_modifiers_add_up(spec: Spec) -> None:
    assert shot(spec, [16, 0], cover="half") == 11  # 14 + 3 − 2 − 2 − 2


@rule("SOV-RNG-05")
def test_e8_standing(spec: Spec) -> None:
    fight(
        spec,
        hero("Jo", attack_bonus=1, modifiers={"dex": 1}, skills={"shoot": 1}, weapons=[BOW]),
        npc("Mark", at=[16, 0], ac=12),
        npc("Near", at=[10, 0], ac=99),
    )
    spec.rule("set-cover", attacker="Jo", target="Mark", cover="half")
    spec.act("Jo", "ranged-attack", ("attack", 14), ("damage", 3), target="Mark")
    assert spec.rolled("attack").total == 13  # 14 + 3 − 2 − 2
    end(spec, "Jo", "Mark", "Near")
    spec.act("Jo", "ranged-attack", ("attack", 14), target="Near")
    assert spec.rolled("attack").total == 17  # exactly 50 ft


@rule("SOV-RNG-03", "SOV-RNG-04", "SOV-ATK-06")
def test_e8_in_melee(spec: Spec) -> None:
    fight(
        spec,
        hero("Jo", attack_bonus=1, modifiers={"dex": 1}, skills={"shoot": 1}, weapons=[BOW, KNIFE]),
        npc("Beside", at=[0, 1]),
        npc("Mark", at=[3, 0], ac=12),
    )
    with spec.refused("SOV-RNG-03", "bow-in-melee"):
        spec.act("Jo", "ranged-attack", target="Mark", weapon="bow")
    spec.act("Jo", "ranged-attack", ("attack", 14), target="Mark", weapon="knife")
    assert spec.rolled("attack").total == 11  # 14 + 3 − 2 − 4


def kit(spec: Spec) -> None:
    fight(
        spec,
        hero("Kit", ac=14),
        npc("Goblin", weapons=[DAGGER]),
    )
    spec.rule("set-condition", who="Kit", condition="prone")


@rule("SOV-STAND-01", "SOV-STAND-02", "SOV-PRONE-02", "SOV-PRONE-03", "SOV-SHOCK-06")
def test_e9_standing_up(spec: Spec) -> None:
    kit(spec)
    spec.act("Kit", "stand-up")
    spec.answer("Goblin", "attack-of-opportunity", ("attack", 10), weapon="dagger")
    assert spec.rolled("attack").total == 13  # 10 + 1 + 2
    assert spec.hp("Kit") == 9  # Shock 1; AC stays 14
    assert not spec["Kit"].has("prone")


@rule("SOV-DIS-01", "SOV-DIS-03", "SOV-AOO-06", "SOV-STAND-02")
def test_e9_disengaging_first(spec: Spec) -> None:
    kit(spec)
    spec.act("Kit", "disengage").act("Kit", "stand-up")
    assert not spec["Kit"].has("prone")
    assert (main(spec, "Kit"), move(spec, "Kit")) == (0, 0)


SPELL = {"id": "hex", "name": "Hex", "damage": "1d6", "range_ft": 60}


def cultist(spec: Spec) -> None:
    fight(
        spec,
        hero(
            "Lia", attack_bonus=2, modifiers={"dex": 2}, skills={"shoot": 1}, max_hp=6,
            weapons=[BOW],
        ),
        npc("Cultist", at=[4, 0], ac=14, spells=[SPELL]),
        asks=("Lia",),
    )  # fmt: skip


@rule("SOV-HOLD-01", "SOV-HOLD-02", "SOV-HOLD-03", "SOV-HOLD-05", "SOV-SPELL-03", "SOV-SPELL-01")
def test_e10_a_held_shot_interrupts(spec: Spec) -> None:
    cultist(spec)
    spec.act("Lia", "hold-action")
    assert spec["Lia"].has("holding")
    assert (main(spec, "Lia"), move(spec, "Lia")) == (1, 0)
    end(spec, "Lia")
    spec.act("Cultist", "cast-spell", spell="hex", targets=["Lia"])
    spec.answer("Lia", "trigger-held")
    assert not spec["Lia"].has("holding")
    spec.act("Lia", "ranged-attack", ("attack", 9), ("damage", 2), target="Cultist")
    assert spec.rolled("attack").total == 14  # 9 + 2 + 2 + 1
    assert spec.hp("Cultist") == 6  # 2 + 2
    end(spec, "Lia")
    assert spec.hp("Lia") == 6  # the spell is lost
    assert [stopped.reason for stopped in spec.events(Stopped, who="Cultist")] == ["hurt"]
    assert spec.open() == [("turn", "turn", "Cultist")]  # nobody rolls damage for the spell
    assert main(spec, "Cultist") == 0


@rule("SOV-SNAP-04", "SOV-SPELL-03")
def test_e10_a_snap_that_hurts_loses_the_spell(spec: Spec) -> None:
    cultist(spec)
    end(spec, "Lia")
    spec.act("Cultist", "cast-spell", spell="hex", targets=["Lia"])
    spec.answer(
        "Lia", "snap-attack", ("attack", 13), ("damage", 1),
        mode="ranged", target="Cultist",
    )  # fmt: skip
    assert spec.hp("Cultist") == 7  # 13 + 5 − 4 = 14 hits: 1 + 2
    assert [stopped.reason for stopped in spec.events(Stopped, who="Cultist")] == ["hurt"]
    assert spec.open() == [("turn", "turn", "Cultist")]


@rule("SOV-SNAP-04", "SOV-SPELL-02")
def test_e10_without_the_hold_she_can_only_snap(spec: Spec) -> None:
    cultist(spec)
    end(spec, "Lia")
    spec.act("Cultist", "cast-spell", spell="hex", targets=["Lia"])
    spec.answer(
        "Lia", "snap-attack", ("attack", 9), ("damage", 5),
        mode="ranged", target="Cultist",
    )  # fmt: skip
    assert spec.rolled("attack").total == 10  # 9 + 5 − 4: a miss
    assert spec.hp("Lia") == 1  # 6 − 5


@rule("SOV-HOLD-04", "SOV-SEQ-07")
def test_e10_an_untriggered_hold_is_lost(spec: Spec) -> None:
    cultist(spec)
    spec.act("Lia", "hold-action")
    end(spec, "Lia", "Cultist")
    assert spec.combat.round == 2
    assert not spec["Lia"].has("holding")


def held_ogre(spec: Spec) -> None:
    fight(
        spec,
        hero("Max", at=[0, 0], modifiers={"str": 1}, unarmed=FISTS),
        hero("Nia", at=[2, 0], modifiers={"str": 1}, skills={"brawl": 2}, unarmed=FISTS),
        npc(
            "Ogre", at=[1, 0], size_category="larger-humanoid", skill_modifier=3,
            weapons=[weapon("club", "1d10")], max_hp=20,
        ),
    )  # fmt: skip
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Ogre")
    spec.act("Nia", "grapple", ("attack", 15), ("grapple", 6, 6), target="Ogre")


@rule("SOV-GRAP-01", "SOV-GRAP-02", "SOV-GRAP-05", "SOV-GRAP-06", "SOV-GRAP-08", "SOV-SHOVE-04")
def test_e11_two_holders(spec: Spec) -> None:
    held_ogre(spec)
    assert spec.rolled("grapple").target == 11  # 8 + 3
    end(spec, "Max", "Nia")
    spec.act("Ogre", "escape-grapple", ("grapple-escape", 2, 3))
    assert spec.rolled("grapple-escape").total == 8  # 2 + 3 + 3: Max 7, Nia 9
    assert not spec["Max"].has("grappling")
    assert spec["Ogre"].has("grappled")
    assert spec["Nia"].has("grappling")
    spec.act("Ogre", "end-turn", ("grapple-damage", 1))
    assert spec.rolled("grapple-damage", "Nia").total == 4  # 1 + 1 + 2
    assert spec.hp("Ogre") == 16


@rule("SOV-GRAP-01", "SOV-SHOVE-04")
def test_e11_the_size_penalty(spec: Spec) -> None:
    fight(
        spec,
        hero("Max", modifiers={"str": 1}, unarmed=FISTS),
        npc("Ogre", size_category="larger-humanoid", skill_modifier=3),
    )
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Ogre")
    assert spec.rolled("grapple").total == 11  # 12 + 1 + 0 − 2
    assert spec.rolled("grapple").outcome == "success"


@rule("SOV-GRAP-03")
def test_e11_nothing_but_fists_and_no_moving(spec: Spec) -> None:
    held_ogre(spec)
    with spec.refused("SOV-GRAP-03", "grappled"):
        spec.act("Nia", "run", path=[[3, 0]])
    end(spec, "Max", "Nia")
    with spec.refused("SOV-GRAP-03", "unarmed-only"):
        spec.act("Ogre", "melee-attack", target="Nia", weapon="club")


def ola(spec: Spec, first: dict[str, Any], at: list[int]) -> None:
    fight(
        spec,
        hero(
            "Ola", attack_bonus=1, modifiers={"str": 1, "dex": 2}, skills={"stab": 1},
            weapons=[first, DAGGER], wielding=[first["id"], "dagger"],
        ),
        npc("Foe", ac=14, at=at),
    )  # fmt: skip


@rule("SOV-DUAL-02", "SOV-DUAL-04", "SOV-DUAL-05", "SOV-SHOCK-04", "SOV-ATK-02")
def test_e12_two_blades_miss(spec: Spec) -> None:
    ola(spec, SWORD, [1, 0])
    spec.act("Ola", "melee-attack", ("attack", 10), target="Foe", weapon="dagger")
    assert spec.rolled("attack").total == 13  # 10 + 1 + 2 + 1 − 1
    assert spec.hp("Foe") == 7  # Shock 1 + 2


@rule("SOV-DUAL-03")
def test_e12_two_blades_hit(spec: Spec) -> None:
    ola(spec, SWORD, [1, 0])
    spec.act("Ola", "melee-attack", ("attack", 19), ("damage", 2), target="Foe", weapon="dagger")
    assert spec.rolled("damage").total == 6  # 2 + 2 + 2


@rule("SOV-DUAL-03", "SOV-DUAL-05")
def test_e12_the_other_out_of_reach(spec: Spec) -> None:
    ola(spec, weapon("spear", "1d6", reach_ft=10), [2, 0])
    spec.act("Ola", "melee-attack", ("attack", 15), ("damage", 2), target="Foe", weapon="spear")
    assert spec.rolled("attack").total == 17  # 15 + 1 + 1 + 1 − 1
    assert spec.rolled("damage").total == 3  # 2 + 1, no +2


def sentry(spec: Spec, at: list[int]) -> None:
    spec.given(
        hero("Pia", modifiers={"dex": 2}, skills={"shoot": 1}, attack_bonus=1, weapons=[BOW]),
        npc(
            "Sentry", at=at, max_hp=9, important=True, saves={"physical": 13},
            alertness="unsuspecting",
        ),
        rulings="default",
    )  # fmt: skip
    spec.act("Pia", "prepare-execution", target="Sentry", weapon="bow", mode="ranged")
    spec.rule("advance-time", seconds=60)


@rule("SOV-EXEC-02", "SOV-EXEC-04", "SOV-EXEC-06", "SOV-EXEC-07", "SOV-SAVE-01")
def test_e13_execution_failed_save(spec: Spec) -> None:
    sentry(spec, [8, 0])
    spec.act("Pia", "execution-attack", ("execution", 2, 3), ("save", 13), target="Sentry")
    assert spec.rolled("execution").total == 10  # 2 + 3 + 2 + 1 + 2
    save = spec.rolled("save")
    assert (save.total, save.target, save.outcome) == (13, 14, "failure")  # 13 − 1 < 13
    assert spec.hp("Sentry") == 0
    assert spec["Sentry"].has("mortally-injured")


@rule("SOV-EXEC-08", "SOV-EXEC-09")
def test_e13_execution_made_save(spec: Spec) -> None:
    sentry(spec, [8, 0])
    spec.act("Pia", "execution-attack", ("execution", 2, 3), ("save", 14), target="Sentry")
    assert spec.hp("Sentry") == 1  # 9 − (6 + 2)
    assert spec["Sentry"].facts["alertness"] == "normal"


@pytest.mark.parametrize(("at", "total"), [([2, 0], 12), ([12, 0], 8)])
@rule("SOV-EXEC-04")
def test_e13_distance(spec: Spec, at: list[int], total: int) -> None:
    sentry(spec, at)
    dice: list[Any] = [("execution", 2, 3)]
    if total >= 10:
        dice.append(("save", 14))
    spec.act("Pia", "execution-attack", *dice, target="Sentry")
    assert spec.rolled("execution").total == total  # +4 within 10 ft, 0 at 60 ft


@rule("SOV-MOR-01", "SOV-MOR-02", "SOV-MOR-03", "SOV-MOR-04", "SOV-MOR-05")
def test_e14_morale(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[9, 9]),
        *(npc(f"B{n}", at=[n, 0], max_hp=5, morale="normal") for n in range(1, 7)),
        rulings="ask",
    )
    spec.rule("damage", who="B1", amount=2)  # 2 × 2 < 5
    spec.rule("damage", who="B2", amount=3)  # 3 × 2 ≥ 5
    spec.rule("damage", who="B3", amount=5)  # dead: 1 × 3 < 6
    end(spec, "Ana")
    assert spec.open() == [("ruling", "morale-individual", None)]
    assert spec.prompt().data == {"combatant": "B2"}
    spec.answer(None, "retreat")
    assert spec["B2"].has("retreating")
    assert spec.open() == [("ruling", "morale-group", None)]  # 2 × 3 ≥ 6
    spec.answer(None, "fight-on")
    assert not spec["B1"].has("retreating")


KIT = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}
POTION = {"id": "potion", "name": "potion", "effect": {"type": "heal", "dice": "1d6"}}


def ren(spec: Spec) -> None:
    """Let Ren fall in round 2."""
    fight(
        spec,
        hero("Ren", max_hp=6),
        hero("Sam", at=[0, 1], skills={"heal": 1}, modifiers={"int": 1}, items=[KIT, POTION]),
        npc("Foe", at=[9, 9]),
    )
    end(spec, "Ren", "Sam", "Foe")
    spec.rule("damage", who="Ren", amount=6)


@rule("SOV-DOWN-01", "SOV-DOWN-02", "SOV-DOWN-05", "SOV-DOWN-06")
def test_e15_first_aid(spec: Spec) -> None:
    ren(spec)
    spec.act("Sam", "stabilize", ("stabilize", 4, 3), target="Ren", attribute="int")
    assert spec.rolled("stabilize").total == 9  # 4 + 3 + 2 − 0
    end(spec, "Sam", "Foe")
    spec.act("Sam", "stabilize", ("stabilize", 5, 4), target="Ren", attribute="int")
    assert spec.rolled("stabilize").total == 10  # 5 + 4 + 2 − 1
    assert spec["Ren"].has("stabilized")


@rule("SOV-DOWN-04")
def test_e15_death_after_six_rounds(spec: Spec) -> None:
    ren(spec)
    while spec.combat.round < 8:
        end(spec, "Sam", "Foe")
    assert spec["Ren"].has("mortally-injured")
    end(spec, "Sam", "Foe")
    assert spec["Ren"].has("dead")


@rule("SOV-DOWN-07", "SOV-DOWN-08", "SOV-SKILL-03")
def test_e15_a_potion(spec: Spec) -> None:
    ren(spec)
    end(spec, "Sam", "Foe")
    spec.act("Sam", "use-item", ("heal", 3), item="potion", target="Ren")
    assert spec.event(Healed).amount == 3
    assert spec["Ren"].has("prone")
    assert spec["Ren"].has("frail")
    assert not spec["Ren"].has("mortally-injured")
    spec.rule("damage", who="Ren", amount=3)
    assert spec["Ren"].has("dead")


@rule("SOV-SURP-03", "SOV-SURP-04", "SOV-SURP-06", "SOV-CHK-04")
@pytest.mark.parametrize(("faces", "caught"), [((5, 4), []), ((5, 5), ["party"])])
def test_e17_ambush(spec: Spec, faces: tuple[int, int], caught: list[str]) -> None:
    spec.given(
        hero("Ana", skills={"notice": 1}, modifiers={"wis": 1}, alertness="careful"),
        *(
            npc(f"G{n}", at=[n, 5], skill_modifier=modifier, hidden=True)
            for n, modifier in enumerate((1, 0, 0, -1))
        ),
    )
    spec.rule("surprise-check", ("surprise-check", *faces), by_side="foes", against_group="party")
    assert spec.rolled("surprise-check").total == sum(faces)  # + 1 − 1
    assert spec.rolled("surprise-check").target == 10  # 8 + 2
    assert spec.combat.facts["caught"] == caught
    spec.begin()
    assert spec.prompt().default == ("surprised" if caught else "nobody")


@rule("SOV-SURP-06")
def test_e17_careful_and_not_hidden(spec: Spec) -> None:
    spec.given(hero("Ana", alertness="careful"), npc("G", hidden=False))
    with spec.refused("SOV-SURP-06", "cannot-be-surprised"):
        spec.rule("surprise-check", by_side="foes", against_group="party")
