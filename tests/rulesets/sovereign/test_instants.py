"""Test Instants and their windows (SOV-INST, -SNAP, -TD, -HOLD)."""

from typing import Any

import pytest

from domain.record.combat import StandingOrder
from domain.record.events import ActionDeclared, Damaged, Judged, Moved, Noted, Rolled, Stopped
from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
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

LUCK = {
    "id": "luck", "name": "Luck", "windows": ["attack-rolled"], "uses": 1, "per": "round",
    "effects": [{"type": "miss-to-hit"}, {"type": "hit-to-miss"}],
}  # fmt: skip


def ability(id: str, *kinds: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": id, "name": id, "windows": ["attack-rolled"], "uses": 3,
        "effects": [{"type": kind, **fields} for kind in kinds],
    }  # fmt: skip


def asked(spec: Spec) -> list[str | None]:
    return [who for kind, name, who in spec.open() if name == "instant"]


# ---- total defense


@rule("SOV-TD-03")
def test_total_defense_needs_the_main(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.act("Ana", "disengage")
    with spec.refused("SOV-TD-03", "main-spent"):
        spec.act("Ana", "total-defense")


@rule("SOV-TD-04")
def test_before_the_damage_is_rolled_it_turns_the_hit_into_a_miss(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", ac=10, max_hp=20))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 9), target="Ana")
    assert ("roll", "damage", "Orc") in spec.open()
    spec.act("Ana", "total-defense")
    judged = spec.event(Judged)
    assert (judged.before, judged.outcome, judged.total, judged.target) == ("hit", "miss", 10, 12)
    assert spec.hp("Ana") == 20  # Total Defense also stops Shock 2/15
    assert ("turn", "turn", "Orc") in spec.open()


@rule("SOV-TD-04")
def test_after_the_damage_it_protects_from_later_attacks_only(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", ac=10, max_hp=20))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 9), ("damage", 4), target="Ana")
    spec.act("Ana", "total-defense")
    assert spec.hp("Ana") == 16


@rule("SOV-TD-04", "SOV-INST-10")
def test_a_changed_total_meets_the_raised_ac(spec: Spec) -> None:
    """An attack that an ability raises to 16 still hits after Total Defense.

    Ana uses Total Defense before the damage roll, which raises her AC from 14 to 16.
    """
    aim = {**ability("aim", "modifier", value=3), "trigger": "own-attack"}
    fight(spec, npc("Orc", weapons=[SPEAR], abilities=[aim]), hero("Ana", ac=14), asks=("Orc",))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 12), target="Ana")  # 13
    spec.answer("Orc", "use-ability", ability="aim")  # 16
    spec.answer("Orc", "pass")
    assert spec.open() == [("roll", "damage", "Orc")]
    spec.act("Ana", "total-defense", ("damage", 4))  # AC 16
    assert spec.hp("Ana") == 6


@rule("SOV-TD-04")
def test_a_hit_that_total_defense_does_not_turn_stays_and_says_so(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", ac=10, max_hp=20), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 11))  # 11 + 1
    spec.answer("Ana", "total-defense", ("damage", 4))
    judged = spec.event(Judged)
    assert (judged.before, judged.outcome, judged.total, judged.target) == ("hit", "hit", 12, 12)
    assert spec.hp("Ana") == 16


@rule("SOV-INST-02", "SOV-TD-04")
def test_a_miss_that_does_no_harm_asks_its_target_nothing(spec: Spec) -> None:
    """A missed arrow deals no Shock, so its target gets no prompt (SOV-SHOCK-01)."""
    fight(spec, npc("Orc", weapons=[BOW], at=[4, 0]), hero("Ana", ac=15), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "ranged-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 2))  # 3 against 15
    assert ("reaction", "instant", "Ana") not in spec.open()


@rule("SOV-INST-02", "SOV-TD-04", "SOV-SHOCK-07")
def test_a_miss_with_shock_asks_its_target(spec: Spec) -> None:
    """A miss with Shock 2/15 hurts Ana, who has AC 15, so she gets a prompt.

    Total Defense prevents the damage.
    """
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", ac=15, max_hp=9), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 2))
    assert ("reaction", "instant", "Ana") in spec.open()
    spec.answer("Ana", "total-defense")
    assert spec.hp("Ana") == 9


@rule("SOV-TD-05")
def test_taken_on_the_own_turn_it_lasts_into_the_next_round(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.act("Ana", "total-defense")
    end(spec, "Ana")
    assert spec["Ana"].has("total-defense")
    end(spec, "Orc")
    assert spec.combat.round == 2
    assert not spec["Ana"].has("total-defense")


# ---- snap attacks


@rule("SOV-SNAP-02", "SOV-SNAP-06")
def test_what_restricts_snap_attacks(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD, BOW]), npc("Orc"), npc("Far", at=[5, 0]))
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.act("Ana", "snap-attack", target="Far", weapon="sword")
    with spec.refused("SOV-RNG-03", "bow-in-melee"):
        spec.act("Ana", "snap-attack", mode="ranged", target="Far")
    spec.act("Ana", "snap-attack", ("attack", 5), target="Orc")
    assert spec.rolled("attack").total == 1  # 5 − 4
    with spec.refused("SOV-SNAP-02", "main-spent"):
        spec.act("Ana", "snap-attack", target="Orc")


@rule("SOV-INST-02", "SOV-SNAP-01")
def test_who_has_bare_hands_only_is_asked_too(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", at=[0, 0], weapons=[SPEAR]),
        hero("Ana", at=[1, 0], unarmed=FISTS),
        hero("Bo", at=[0, 1]),  # without data for fists
        asks=("Ana", "Bo"),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "disengage")
    assert asked(spec) == ["Ana"]
    spec.answer("Ana", "snap-attack", ("attack", 15), ("damage", 2), target="Orc")
    assert spec.hp("Orc") == 8


@rule("SOV-SNAP-02", "SOV-ACT-07")
def test_before_the_fight_nobody_snaps(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), npc("Orc"))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "snap-attack", target="Orc")


@rule("SOV-SNAP-02", "SOV-ACT-07")
def test_a_snap_that_the_gm_finds_one_too_many_costs_nothing(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), rulings="ask", ask_instant_actions_after=0
    )  # fmt: skip
    spec.act("Ana", "snap-attack", target="Orc")
    assert spec.prompt(name="plausible").data["kind"] == "instant"
    spec.answer(None, "refuse", name="plausible")
    assert main(spec, "Ana") == 1
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-INST-07", "SOV-SNAP-06")
def test_a_snap_alone_is_lost_when_the_target_is_gone_before_its_damage(spec: Spec) -> None:
    """A snap attack is lost if its target is moved out of reach before the damage roll.

    The Main Action stays spent.
    """
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc"))
    spec.act("Ana", "snap-attack", ("attack", 15), target="Orc")
    assert ("roll", "damage", "Ana") in spec.open()
    spec.rule("place", combatant="Orc", at=[9, 9])
    assert spec.open() == [("turn", "turn", "Ana")]
    assert (spec.hp("Orc"), main(spec, "Ana")) == (10, 0)


@rule("SOV-INST-04")
def test_simultaneous_snaps_both_land(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", max_hp=3, ac=10, weapons=[SPEAR], at=[0, 0]),
        hero("Ana", at=[1, 0], weapons=[SWORD]),
        hero("Bo", at=[0, 1], weapons=[SWORD]),
        asks=("Ana", "Bo"),
    )
    end(spec, "Ana", "Bo")
    spec.act("Orc", "disengage")
    assert asked(spec) == ["Ana", "Bo"]
    spec.answer("Ana", "snap-attack", target="Orc")
    spec.answer("Bo", "snap-attack", ("attack", 15), ("attack", 16), ("damage", 8), ("damage", 8),
                target="Orc")  # fmt: skip
    rolls = [rolled.purpose for rolled in spec.events(Rolled)]
    assert rolls == ["attack", "attack", "damage", "damage"]  # all rolls, then all results
    assert spec["Orc"].has("dead")
    assert not spec["Orc"].has("disengaged")


SNAPPERS = pytest.mark.parametrize("order", [("Ana", "Bo"), ("Bo", "Ana")], ids=["Ana", "Bo"])
"""Orders in which Ana and Bo join the fight."""


def snappers(spec: Spec, order: tuple[str, ...], orc: dict[str, Any], **weapons: Any) -> None:
    """Let Ana declare a snap attack at the orc. Bo can still declare another.

    Both snap attacks happen at the same moment.
    """
    at = {"Ana": [1, 0], "Bo": [0, 1]}
    heroes = [hero(name, at=at[name], weapons=[weapons.get(name, SWORD)]) for name in order]
    fight(spec, npc("Orc", ac=10, at=[0, 0], **orc), *heroes, asks=order)
    end(spec, *order)
    spec.act("Orc", "disengage")
    spec.answer("Ana", "snap-attack", target="Orc")


@SNAPPERS
@rule("SOV-INST-04")
def test_a_blow_of_the_same_moment_meets_nobody_who_is_down(
    spec: Spec, order: tuple[str, ...]
) -> None:
    """The first snap attack fells Orc, and the second deals 0 damage.

    The GM gets no prompt about damage to a fallen combatant.
    """
    snappers(spec, order, {"max_hp": 4, "important": True, "weapons": [SPEAR]})
    dice = [("attack", 15), ("attack", 15), ("damage", 6), ("damage", 3)]
    spec.answer("Bo", "snap-attack", *dice, target="Orc")
    assert not [name for _, name, _ in spec.open() if name == "damage-while-down"]
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Ana", "Bo"] * 2  # in answer order
    assert [damaged.amount for damaged in spec.events(Damaged)] == [4, 0]
    assert spec["Orc"].has("mortally-injured")


@SNAPPERS
@rule("SOV-INST-04", "SOV-SHOCK-08")
def test_the_shield_of_the_same_moment_swallows_a_shock(spec: Spec, order: tuple[str, ...]) -> None:
    """Orc's shield stops the Shock of the second attack, although the first attack fells Orc."""
    mace = weapon("mace", "1d6", shock={"value": 2, "ac": 15})
    shield = {"name": "shield", "ac_bonus": 0}
    snappers(spec, order, {"max_hp": 4, "shield": shield, "important": True}, Bo=mace)
    dice = [("attack", 15), ("attack", 2), ("damage", 6)]
    spec.answer("Bo", "snap-attack", *dice, target="Orc")
    assert [noted.text for noted in spec.events(Noted)] == [
        "Orc ignores the Shock behind its shield"
    ]


@rule("SOV-INST-04")
def test_defense_counts_before_the_snaps_of_its_window(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[0, 0], weapons=[SWORD], ac=12),
        npc("Orc", at=[1, 0], weapons=[SPEAR]),
        asks=("Ana",),
    )
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    assert [option.id for option in spec.prompt("Ana").options] == [
        "total-defense", "snap-attack", "pass",
    ]  # fmt: skip
    spec.answer("Ana", "total-defense", ("attack", 12))
    assert spec.rolled("attack").target == 14


@rule("SOV-INST-07", "SOV-SNAP-05")
def test_no_shock_from_somebody_who_fell(spec: Spec) -> None:
    fight(
        spec,
        npc("Orc", max_hp=1, weapons=[SPEAR]),
        hero("Ana", ac=14, weapons=[SWORD]),
        asks=("Ana",),
    )
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 2))
    spec.answer("Ana", "snap-attack", ("attack", 19), ("damage", 1), target="Orc")
    assert spec.hp("Ana") == 10  # the miss would deal Shock 2/15
    assert spec.event(Stopped).who == "Orc"
    assert spec.event(Judged).outcome == "prevented"


@rule("SOV-INST-07")
def test_an_action_that_has_become_illegal_is_lost(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[0, 0]),
        npc("Orc", at=[1, 0], weapons=[SPEAR]),
        asks=("Ana",),
    )
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "trigger-held")
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]], pay="main")
    spec.answer("Orc", "pass")
    end(spec, "Ana")
    assert spec.events(Rolled) == []  # out of reach now
    assert main(spec, "Orc") == 0


# ---- held turns


@rule("SOV-HOLD-06")
def test_what_forbids_holding(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.act("Ana", "run", path=[[0, 1]])
    with spec.refused("SOV-HOLD-06", "move-spent"):
        spec.act("Ana", "hold-action")
    spec.act("Ana", "hold-action", pay="main")
    assert spec["Ana"].has("holding")
    with spec.refused("SOV-HOLD-06", "already-holding"):
        spec.act("Ana", "hold-action")


@rule("SOV-HOLD-06", "SOV-HOLD-01")
def test_not_twice_and_nothing_to_trigger(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    with spec.refused("SOV-HOLD-01", "not-holding"):
        spec.act("Ana", "trigger-held")
    spec.rule("set-condition", who="Ana", condition="holding")
    with spec.refused("SOV-HOLD-06", "already-holding"):
        spec.act("Ana", "hold-action")


@rule("SOV-HOLD-03", "SOV-HOLD-05")
def test_a_held_turn_is_one_turn(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]))
    spec.act("Ana", "hold-action")
    spec.act("Ana", "trigger-held")
    spec.act("Ana", "go-prone")
    end(spec, "Ana")
    assert not spec["Ana"].has("holding")
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 0)
    spec.act("Ana", "total-defense")  # an unused Main Action is enough
    assert spec["Ana"].has("total-defense")


@rule("SOV-HOLD-01", "SOV-HOLD-03", "SOV-ACT-05")
def test_a_move_that_a_main_has_saved_is_held_too(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=[9, 9]))
    spec.act("Ana", "hold-action", pay="main")
    end(spec, "Ana", "Bo")
    assert (move(spec, "Ana"), move(spec, "Bo")) == (1, 0)
    spec.act("Ana", "trigger-held")
    spec.act("Ana", "run", path=[[-1, 0]])
    end(spec, "Ana")
    assert (spec["Ana"].position, move(spec, "Ana")) == ((-1, 0, 0), 0)


@rule("SOV-HOLD-03")
def test_what_a_held_turn_leaves_is_gone(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    spec.act("Ana", "hold-action", pay="main")
    end(spec, "Ana")
    spec.act("Ana", "trigger-held")
    end(spec, "Ana")
    assert move(spec, "Ana") == 0


@rule("SOV-INST-06", "SOV-HOLD-02")
def test_held_turns_come_after_the_other_instants(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Bo", at=[1, 1], weapons=[SWORD]),
        npc("Orc", at=[1, 0], max_hp=30, ac=10),
        asks=("Ana", "Bo"),
    )
    spec.act("Ana", "hold-action")
    end(spec, "Ana", "Bo")
    spec.act("Orc", "disengage")
    spec.answer("Ana", "trigger-held")
    spec.answer("Bo", "snap-attack", target="Orc")
    spec.answer("Ana", "pass", ("attack", 14))  # windows of Bo's own attack
    spec.answer("Ana", "pass", ("damage", 1))
    assert spec.hp("Orc") == 29
    assert ("turn", "turn", "Ana") in spec.open()  # Bo's attack is over, and the Orc's action waits
    assert not spec["Orc"].has("disengaged")
    end(spec, "Ana")
    assert spec["Orc"].has("disengaged")


@rule("SOV-INST-08")
def test_an_instant_on_a_square_of_the_path(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", at=[3, 1], weapons=[SWORD]),
        npc("Orc", at=[0, 0], max_hp=2),
        asks=("Ana",),
    )
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[n, 0] for n in range(1, 7)])
    assert asked(spec) == ["Ana"]
    with spec.refused("SOV-MEL-01", "out-of-reach"):
        spec.answer("Ana", "snap-attack", target="Orc")
    spec.answer("Ana", "snap-attack", ("attack", 19), ("damage", 2), target="Orc", at=[2, 0])
    assert spec["Orc"].has("dead")
    assert spec["Orc"].position == (2, 0, 0)
    assert [moved.path for moved in spec.events(Moved)] == [((1, 0, 0),), ((2, 0, 0),)]


# ---- abilities


def struck(spec: Spec, face: int, ana: list[Any], orc: list[Any]) -> Spec:
    """Let the orc roll `face` to attack Ana, who has AC 14. Both get prompts."""
    fight(
        spec,
        hero("Ana", ac=14, max_hp=20, abilities=ana),
        npc("Orc", weapons=[SPEAR], abilities=orc),
        asks=("Ana", "Orc"),
    )
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", face))
    return spec


@rule("SOV-INST-09", "SOV-INST-01")
def test_a_hit_made_a_miss_may_still_be_shock(spec: Spec) -> None:
    struck(spec, 15, [LUCK], [])
    spec.answer("Ana", "use-ability", ability="luck")
    spec.answer("Ana", "pass")  # the window opens again: Total Defense is still possible
    assert spec.hp("Ana") == 18  # Shock 2/15 on AC 14


@rule("SOV-INST-10", "SOV-INST-09")
def test_the_window_opens_once_more(spec: Spec) -> None:
    struck(spec, 13, [], [LUCK])  # 13 + 1 = 14: a hit
    spec.answer("Orc", "pass")
    spec.answer("Ana", "total-defense")
    assert asked(spec) == ["Orc"]
    assert spec.prompt("Orc").data["outcome"] == "miss"
    spec.answer("Orc", "use-ability", ("damage", 3), ability="luck")
    assert spec.hp("Ana") == 17  # a hit whatever the AC


@rule("SOV-INST-05")
@pytest.mark.parametrize(("holds", "hp"), [("defender", 18), ("attacker", 15)])
def test_contradictions_are_the_gms(spec: Spec, holds: str, hp: int) -> None:
    fight(
        spec,
        hero("Ana", ac=14, max_hp=20, abilities=[ability("ward", "hit-to-miss")]),
        npc("Orc", weapons=[SPEAR], abilities=[ability("aim", "miss-to-hit")]),
        asks=("Ana", "Orc"),
        rulings="ask",
    )
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 5))  # a miss
    spec.answer("Ana", "use-ability", ability="ward")
    spec.answer("Orc", "use-ability", ability="aim")
    assert spec.open() == [("ruling", "instant-conflict", None)]
    assert spec.prompt().default == "defender"
    spec.answer(None, holds)
    if holds == "attacker":  # the outcome has changed: a new window
        spec.answer("Ana", "pass", ("damage", 5))
    assert spec.hp("Ana") == hp


@rule("SOV-INST-01")
def test_rerolls_and_abilities_for_other_rolls(spec: Spec) -> None:
    again = {
        "id": "again", "name": "again", "windows": ["rolled"], "uses": 1,
        "effects": [{"type": "reroll"}],
    }  # fmt: skip
    fight(spec, hero("Ana", abilities=[again, LUCK]), npc("Orc", at=[9, 9]), asks=("Ana",))
    spec.act("Ana", "use-skill", ("skill", 1, 1), skill="know", attribute="int")
    assert spec.prompt("Ana").data["window"] == "rolled"
    with spec.refused("SOV-INST-02", "missing-data"):
        spec.answer("Ana", "use-ability", ability="luck")
    spec.answer("Ana", "use-ability", ("skill", 6, 6), ability="again")
    assert spec.rolled("skill").total == 12


@rule("SOV-ACT-01", "SOV-ACT-07", "SOV-SHOCK-07")
def test_abilities_of_their_own(spec: Spec) -> None:
    burst = {
        "id": "burst", "name": "Burst", "action": "main", "uses": 1,
        "effects": [
            {"type": "damage", "dice": "1d4"},
            {"type": "condition", "condition": "dazed", "data": {"attack": -2}, "until": "round"},
        ],
    }  # fmt: skip
    steel = {
        "id": "steel", "name": "Steel", "action": "instant", "uses": 1, "per": "round",
        "effects": [{"type": "shock-immune"}],
    }  # fmt: skip
    fight(spec, hero("Ana", abilities=[burst, steel]), npc("Orc", weapons=[SPEAR], max_hp=9))
    spec.act("Ana", "use-ability", ("effect", 3), ability="burst", target="Orc")
    assert (spec.hp("Orc"), main(spec, "Ana")) == (6, 0)
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Ana", "use-ability", ability="burst", target="Orc")
    end(spec, "Ana")
    spec.act("Ana", "use-ability", ability="steel")
    with spec.refused("SOV-ACT-07", "no-uses-left"):
        spec.act("Ana", "use-ability", ability="steel")
    spec.act("Orc", "melee-attack", ("attack", 5), target="Ana")
    assert spec.rolled("attack").total == 4  # 5 + 1 − 2
    assert spec.hp("Ana") == 10  # no Shock
    end(spec, "Orc")
    assert not spec["Orc"].has("dazed")
    assert not spec["Ana"].has("shock-immune")
    with spec.refused("SOV-ACT-07", "no-uses-left"):
        spec.act("Ana", "use-ability", ability="burst", target="Orc")
    spec.act("Ana", "use-ability", ability="steel")


SPARK: dict[str, Any] = {
    "id": "spark", "name": "Spark", "action": "instant", "damage": "1d6", "range_ft": 60, "uses": 1,
}  # fmt: skip


@rule("SOV-INST-03", "SOV-SPELL-01")
def test_a_spell_that_is_an_instant_is_cast_in_the_turn_of_others(spec: Spec) -> None:
    slow = {**SPARK, "id": "slow", "action": "main"}
    fight(spec, hero("Ana", spells=[SPARK, slow]), npc("Orc"))
    end(spec, "Ana")
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "cast-spell", spell="slow", targets=["Orc"])
    spec.act("Ana", "cast-spell", ("damage", 4), spell="spark", targets=["Orc"])
    assert (spec.hp("Orc"), main(spec, "Ana")) == (6, 1)
    with spec.refused("SOV-SPELL-01", "no-uses-left"):
        spec.act("Ana", "cast-spell", spell="spark", targets=["Orc"])


@rule("SOV-INST-02", "SOV-INST-07", "SOV-SPELL-02")
def test_such_a_spell_is_asked_for_at_the_windows(spec: Spec) -> None:
    slow = {**SPARK, "id": "slow", "action": "main"}
    fight(spec, hero("Ana", spells=[slow, SPARK]), npc("Orc", weapons=[SPEAR], max_hp=3))
    spec.act("Ana", "disengage")  # no Total Defense or Snap Attack remains
    end(spec, "Ana")
    spec.orders("Ana")  # Ana no longer passes
    spec.act("Orc", "melee-attack", target="Ana")
    assert "cast-spell" in {option.id for option in spec.prompt("Ana").options}
    spec.answer("Ana", "pass", ("attack", 15))
    with spec.refused("SOV-INST-02", "missing-data"):
        spec.answer("Ana", "cast-spell", spell="slow", targets=["Orc"])
    spec.answer("Ana", "cast-spell", ("damage", 3), spell="spark", targets=["Orc"])
    assert spec["Orc"].has("dead")
    assert spec.hp("Ana") == 10  # the dead roll no damage


@rule("SOV-INST-02")
def test_a_main_spell_is_nothing_for_the_windows_of_the_own_action(spec: Spec) -> None:
    slow = {**SPARK, "id": "slow", "action": "main"}
    fight(spec, hero("Ana", spells=[slow]), npc("Orc", at=[5, 0]), asks=("Ana",))
    spec.act("Ana", "run", path=[[0, 1]])
    assert asked(spec) == []


@rule("SOV-EXEC-03", "SOV-INST-03")
def test_casting_at_once_spoils_the_own_preparation(spec: Spec) -> None:
    fight(
        spec, hero("Ana", spells=[SPARK], weapons=[SPEAR]), npc("Orc", alertness="unsuspecting"),
        npc("Imp", at=[9, 0]),
    )  # fmt: skip
    spec.act("Ana", "prepare-execution", target="Orc", weapon="spear", mode="melee")
    end(spec, "Ana")
    spec.act("Ana", "cast-spell", ("damage", 1), spell="spark", targets=["Imp"])
    assert not spec["Ana"].has("preparing-execution")


def aiming(*windows: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": "aim", "name": "Aim", "windows": list(windows), "uses": 1,
        "effects": [{"type": "modifier", "value": 3}], **fields,
    }  # fmt: skip


@rule("SOV-INST-01", "SOV-ATK-01")
@pytest.mark.parametrize(
    ("action", "inputs", "face"),
    [
        ("melee-attack", {"target": "Orc"}, 7),
        ("charge", {"target": "Orc", "to": [0, 1]}, 5),
        ("cast-spell", {"spell": "bolt", "targets": ["Orc"]}, 7),
    ],
)
def test_what_is_added_before_the_roll_counts_for_it(
    spec: Spec, action: str, inputs: dict[str, Any], face: int
) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "1d6", "range_ft": 60}
    aim = aiming("declared", trigger="own-attack")
    fight(
        spec, hero("Ana", weapons=[SWORD], spells=[bolt], abilities=[aim]), npc("Orc"),
        asks=("Ana",),
    )  # fmt: skip
    spec.act("Ana", action, **inputs)
    spec.answer("Ana", "use-ability", ("attack", face), ("damage", 1), ability="aim")
    assert spec.rolled("attack").total == 10  # face + 3, and 2 for a charge
    assert spec.hp("Orc") == 9


@rule("SOV-INST-02")
def test_before_a_roll_there_is_nothing_to_turn_or_to_roll_again(spec: Spec) -> None:
    turn = ability("turn", "hit-to-miss", "reroll")
    fight(
        spec,
        hero("Ana", abilities=[{**turn, "windows": ["any"]}, aiming("any")]),
        npc("Orc", weapons=[SPEAR]),
        asks=("Ana",),
    )
    spec.act("Ana", "run", path=[[0, 1]])
    assert asked(spec) == []  # a bonus cannot help here
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    with spec.refused("SOV-INST-02", "missing-data"):
        spec.answer("Ana", "use-ability", ability="turn")


# ---- attacks of opportunity


@rule("SOV-AOO-03")
@pytest.mark.parametrize(
    ("fields", "armed"),
    [
        ({"weapons": [DAGGER]}, True),
        ({"weapons": [weapon("claw", "1d4", natural=True)]}, True),
        ({"unarmed": FISTS}, False),
        ({"weapons": [{**DAGGER, "state": "sheathed"}]}, False),
        ({"weapons": [BOW]}, False),
        ({"weapons": [DAGGER], "conditions": [{"id": "grappled"}]}, False),
        ({"weapons": [DAGGER], "conditions": [{"id": "unconscious"}]}, False),
    ],
)
def test_who_is_armed(spec: Spec, fields: dict[str, Any], armed: bool) -> None:
    fight(spec, hero("Ana"), npc("Orc", **fields), npc("Far", at=[9, 9]))
    assert spec.ruleset.derived(spec.combat, "Orc")["armed"] is armed
    spec.act("Ana", "run", path=[[-1, 0]])
    assert ("reaction", "attack-of-opportunity", "Orc") not in spec.open() or armed
    assert bool(spec["Ana"].position == (-1, 0, 0)) is not armed


@rule("SOV-AOO-05", "SOV-DUAL-05", "SOV-SCRN-09")
def test_it_is_an_attack_like_any_other(spec: Spec) -> None:
    fight(
        spec,
        hero("Ana", ac=14, max_hp=20),
        hero("Bo", at=[0, 1], skills={"stab": 1}),
        npc("Orc", weapons=[SPEAR, DAGGER], wielding=["spear", "dagger"], can_dual_wield=True),
        asks=("Ana",),
    )
    spec.act("Bo", "screen-ally", ward="Ana")
    spec.act("Ana", "run", path=[[-1, 0]])
    spec.answer("Orc", "attack-of-opportunity", weapon="spear")
    spec.answer("Ana", "pass")  # the window of the attack
    spec.answer("Bo", "block", ("screen", 1, 1), ("attack", 5))
    assert spec.rolled("attack").against == "Bo"
    assert spec.rolled("attack").total == 5  # 5 + 1 − 1
    assert spec["Ana"].position == (-1, 0, 0)


@rule("SOV-ACT-07")
@pytest.mark.parametrize("cost", ["move", "free"])
@pytest.mark.parametrize("way", ["use-ability", "cast-spell"])
def test_in_the_midst_of_an_action_only_instants_come(spec: Spec, way: str, cost: str) -> None:
    burst = {"id": "burst", "name": "Burst", "action": cost}
    harm = [{"type": "damage", "dice": "1d4"}]
    ana = hero(
        "Ana",
        weapons=[SPEAR],
        abilities=[burst | {"effects": harm}],
        spells=[burst | {"damage": "1d4", "range_ft": 60}],
    )
    fight(spec, ana, hero("Bo", at=[0, 1]), npc("Orc"), asks=("Orc",))
    die, inputs = "damage", dict[str, Any](spell="burst", targets=["Orc"])
    if way == "use-ability":
        die, inputs = "effect", {"ability": "burst", "target": "Orc"}
    spec.act("Ana", "melee-attack", target="Orc")
    assert asked(spec) == ["Orc"]
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", way, **inputs)
    spec.answer("Orc", "pass", ("attack", 1))
    spec.answer("Orc", "pass")  # after the roll
    assert spec.hp("Orc") == 8  # Shock
    spec.act("Ana", way, (die, 2), **inputs)
    assert spec.events(ActionDeclared, who="Ana")
    assert spec.hp("Orc") == 6


def test_standing_orders_answer_instants(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SPEAR]), asks=("Ana",))
    spec.orders("Ana", StandingOrder("instant", "total-defense"))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 2), target="Ana")
    assert spec["Ana"].has("total-defense")


@rule("SOV-INST-02", "SOV-SPELL-01")
@pytest.mark.parametrize(("action", "offered"), [("instant", True), ("main", False)])
def test_spells_are_offered_in_a_window_where_one_is_an_instant(
    spec: Spec, action: str, offered: bool
) -> None:
    fight(spec, hero("Ana", spells=[{**SPARK, "action": action}]), npc("Orc"), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[2, 0]])
    assert (asked(spec) == ["Ana"]) is offered
    if offered:
        assert "cast-spell" in [option.id for option in spec.prompt("Ana", "instant").options]


@rule("SOV-INST-01")
def test_a_window_says_how_far_the_action_has_come(spec: Spec) -> None:
    fight(spec, npc("Orc", weapons=[SPEAR]), hero("Ana", ac=10, max_hp=20), asks=("Ana",))
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    declared = spec.prompt("Ana", "instant")
    assert declared.text == "Orc's melee attack is declared. Does Ana act at once?"
    spec.answer("Ana", "pass", ("attack", 9))
    rolled = spec.prompt("Ana", "instant")
    assert rolled.text == "Orc's melee attack hits. Does Ana act at once?"  # not 9 + 1
