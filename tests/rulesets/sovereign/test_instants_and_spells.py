"""Test Instants, spells and grapples together (SOV-INST, SOV-SPELL, SOV-GRAP)."""

from typing import Any

import pytest

from domain.record.events import Damaged, Moved, Noted, Rolled, Stabilized, Stopped
from tests.rulesets.sovereign.units import (
    BOW,
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
    passes,
    weapon,
)
from tests.spec import Spec, rule

# ---- an open die that can no longer be rolled


@rule("SOV-INST-07", "SOV-MEL-01")
@pytest.mark.parametrize(("who", "to"), [("Ana", [9, 9]), ("Orc", [9, 9])])
def test_an_attack_out_of_reach_is_not_rolled(spec: Spec, who: str, to: list[int]) -> None:
    fight(spec, hero("Ana", weapons=[SPEAR]), npc("Orc", at=[1, 0]))
    spec.act("Ana", "melee-attack", target="Orc")
    assert spec.open() == [("roll", "attack", "Ana")]
    spec.rule("place", combatant=who, at=to)
    stopped = spec.event(Stopped)
    assert (stopped.doing, stopped.reason) == ("melee-attack", "out-of-reach")
    assert stopped.rules == ("SOV-INST-07",)
    assert spec.events(Rolled) == []
    assert main(spec, "Ana") == 0
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-INST-07", "SOV-ATK-06")
def test_nor_is_one_about_which_the_gm_is_asked(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SPEAR]), npc("Orc", at=[1, 0]), ask_modifiers=True,
        rulings="ask",
    )  # fmt: skip
    spec.act("Ana", "melee-attack", target="Orc")
    assert spec.open() == [("ruling", "attack-modifiers", None)]
    spec.rule("place", combatant="Orc", at=[9, 9])
    assert spec.event(Stopped).reason == "out-of-reach"


@rule("SOV-SCRN-03", "SOV-INST-07")
def test_nor_is_the_check_of_one_who_is_screened(spec: Spec) -> None:
    fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], skills={"stab": 1}),
        npc("Troll", at=[1, 0], weapons=[SWORD]),
    )
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo")
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Ivo", "block")
    assert spec.open() == [("roll", "screen", "Troll")]
    spec.rule("place", combatant="Troll", at=[9, 9])
    assert spec.event(Stopped).reason == "out-of-reach"
    assert spec.open() == [("turn", "turn", "Troll")]


@rule("SOV-SCRN-11")
def test_a_screener_takes_the_attack_wherever_it_stands(spec: Spec) -> None:
    fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], skills={"stab": 1}, max_hp=20),
        npc("Troll", at=[1, 0], weapons=[SWORD]),
    )
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo")
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Ivo", "block", ("screen", 1, 1))
    spec.rule("place", combatant="Ivo", at=[9, 9])
    spec.answer("Troll", "roll", ("damage", 3), faces=[15])
    assert spec.hp("Ivo") == 17


@rule("SOV-SPELL-02", "SOV-INST-07")
def test_nor_is_the_attack_of_a_spell_out_of_range(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 30}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[3, 0]))
    spec.act("Mag", "cast-spell", spell="bolt", targets=["Orc"])
    spec.rule("place", combatant="Orc", at=[20, 0])
    assert spec.event(Stopped).reason == "out-of-range"
    assert spec.open() == [("turn", "turn", "Mag")]


@rule("SOV-SHOVE-01", "SOV-GRAP-01", "SOV-INST-07")
@pytest.mark.parametrize(("action", "doing"), [("shove", "shove"), ("grapple", "grapple")])
def test_nor_is_the_check_of_a_manoeuvre(spec: Spec, action: str, doing: str) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc", at=[1, 0]))
    spec.act("Max", action, ("attack", 15), target="Orc")
    assert spec.open() == [("roll", action, "Max")]
    spec.rule("place", combatant="Orc", at=[9, 9])
    assert spec.event(Stopped).doing == doing
    assert spec.open() == [("turn", "turn", "Max")]
    assert not spec["Orc"].has("prone", "grappled")


def holds(spec: Spec) -> Spec:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc", at=[1, 0], max_hp=20))
    return spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Orc")


@rule("SOV-GRAP-07", "SOV-GRAP-04")
def test_nor_is_the_check_of_one_who_holds_nobody_any_more(spec: Spec) -> None:
    holds(spec)
    end(spec, "Max", "Orc")
    assert spec.hp("Orc") < 20 or spec.open() == [("roll", "grapple-damage", "Max")]
    spec.answer("Max", "roll", faces=[1])
    spec.act("Max", "move-grappled", result="throw")
    assert spec.open() == [("roll", "grapple-move", "Max")]
    spec.rule("place", combatant="Orc", at=[9, 9])
    assert spec.event(Stopped).doing == "move-grappled"
    assert spec.open() == [("turn", "turn", "Max")]


@rule("SOV-GRAP-08", "SOV-GRAP-04")
def test_nor_is_the_damage_to_one_who_is_let_go(spec: Spec) -> None:
    holds(spec)
    end(spec, "Max", "Orc")
    assert spec.open() == [("roll", "grapple-damage", "Max")]
    spec.rule("end-condition", combatant="Orc", condition="grappled")
    assert spec.events(Rolled) == []
    assert spec.hp("Orc") == 20
    assert spec.combat.round == 2


@rule("SOV-GRAP-08", "SOV-DMG-04")
def test_a_grapple_hurts_like_any_hit_at_least_the_minimum(spec: Spec) -> None:
    fight(
        spec, hero("Max", unarmed=FISTS, modifiers={"str": -2}), npc("Orc", at=[1, 0]),
        minimum_hit_damage=1,
    )  # fmt: skip
    spec.act("Max", "grapple", ("attack", 19), ("grapple", 6, 6), target="Orc")
    spec.act("Max", "end-turn").act("Orc", "end-turn", ("grapple-damage", 1))
    assert spec.hp("Orc") == 9  # 1 − 2, but 1 at least


KIT = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}


@rule("SOV-DOWN-05", "SOV-INST-07")
@pytest.mark.parametrize("how", ["moved", "healed"])
def test_nor_is_the_first_aid_for_one_who_is_away_or_well(spec: Spec, how: str) -> None:
    fight(
        spec, hero("Sam", items=[KIT]), hero("Ren", at=[0, 1]), npc("Foe", at=[9, 9])
    ).rule("damage", who="Ren", amount=10)  # fmt: skip
    spec.act("Sam", "stabilize", target="Ren")
    assert spec.open() == [("roll", "stabilize", "Sam")]
    if how == "moved":
        spec.rule("place", combatant="Ren", at=[0, 9])
    else:
        spec.rule("heal", combatant="Ren", amount=1)
    assert spec.event(Stopped).doing == "stabilize"
    assert spec.events(Rolled) == []
    assert spec.open() == [("turn", "turn", "Sam"), ("turn", "turn", "Ren")][: 1 + (how != "moved")]


@rule("SOV-DOWN-06")
def test_who_is_stabilized_is_told_so(spec: Spec) -> None:
    fight(
        spec, hero("Sam", items=[KIT], skills={"heal": 4}), hero("Ren", at=[0, 1]),
        npc("Foe", at=[9, 9]),
    ).rule("damage", who="Ren", amount=10)  # fmt: skip
    spec.act("Sam", "stabilize", ("stabilize", 6, 6), target="Ren")
    assert spec.event(Stabilized).who == "Ren"
    assert not spec["Ren"].has("mortally-injured")


# ---- charging


@rule("SOV-CHG-01")
def test_a_charge_of_one_who_has_only_knives_to_throw(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[BOW, KNIFE], skills={"shoot": 0}),
        npc("Orc", at=[6, 0], max_hp=20),
    )  # fmt: skip
    spec.act("Ana", "charge", ("attack", 15), ("damage", 2), target="Orc", to=[4, 0])
    assert spec["Ana"].position == (4, 0, 0)
    assert (main(spec, "Ana"), move(spec, "Ana")) == (0, 0)
    assert spec.hp("Orc") == 18
    assert spec["Ana"].facts["counts"] == {"knife": 0}


# ---- two items with one name


def two_spears(spec: Spec) -> Spec:
    """Begin with Ork's spear on the floor next to Ana, who holds a spear of her own."""
    other = weapon("spear", "2d6", shock={"value": 2, "ac": 15})
    fight(
        spec,
        hero("Ana", at=[0, 0], weapons=[SPEAR], attack_bonus=9),
        npc("Orc", at=[1, 0], weapons=[other], max_hp=20),
        npc("Ork", at=[5, 5], weapons=[other]),
    )
    for name in ("Orc", "Ork"):
        spec.rule("damage", who=name, amount=1)
    spec.rule("place", combatant="Ork", at=[0, 1])
    spec.rule("damage", who="Ork", amount=9)  # Ork drops its spear
    return spec


@rule("SOV-ITEM-03")
def test_somebody_elses_spear_is_another_one(spec: Spec) -> None:
    two_spears(spec).act("Ana", "pick-up", item="spear")
    spec.answer("Orc", "pass")
    states = {
        held["id"]: held["state"] for held in spec.ruleset.derived(spec.combat, "Ana")["weapons"]
    }
    assert states == {"spear": "in-hand", "spear-2": "in-hand"}
    spec.act("Ana", "melee-attack", ("attack", 9), ("damage", 2, 2), target="Orc", weapon="spear-2")
    assert spec.hp("Orc") == 15  # 20 − 1 − (2 + 2)


@rule("SOV-ITEM-03")
def test_somebody_elses_potion_is_another_one(spec: Spec) -> None:
    potion = {"id": "potion", "name": "potion", "effect": {"type": "heal", "dice": "1d6"}}
    fight(
        spec,
        hero("Ana", items=[potion]),
        npc("Orc", at=[0, 1], items=[{**potion, "state": "dropped", "at": [1, 0]}]),
    )
    spec.act("Ana", "pick-up", item="potion")
    states = {
        entry["id"]: entry["state"] for entry in spec.ruleset.derived(spec.combat, "Ana")["items"]
    }
    assert states == {"potion": "readied", "potion-2": "readied"}


# ---- conditions by ruling end as the rulebook requires


@rule("SOV-SEQ-07", "SOV-CHG-03", "SOV-DIS-01", "SOV-HOLD-04")
@pytest.mark.parametrize("condition", ["charging", "disengaged", "holding"])
def test_what_the_gm_gives_for_the_round_ends_with_it(spec: Spec, condition: str) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("set-condition", combatant="Orc", condition=condition)
    end(spec, "Ana")
    assert spec["Orc"].has(condition)
    end(spec, "Orc")
    assert not spec["Orc"].has(condition)


@rule("SOV-SEQ-06", "SOV-TD-01", "SOV-SCRN-01")
@pytest.mark.parametrize(
    ("condition", "data"), [("total-defense", {}), ("screening", {"ward": "Ork"})]
)
def test_what_the_gm_gives_to_the_next_turn_ends_with_it(
    spec: Spec, condition: str, data: dict[str, Any]
) -> None:
    fight(spec, hero("Ana"), npc("Orc"), npc("Ork", at=[1, 1]))
    spec.rule("set-condition", combatant="Orc", condition=condition, data=data)
    assert spec["Orc"].has(condition)
    end(spec, "Ana")
    assert not spec["Orc"].has(condition)


@rule("SOV-SHOCK-07")
def test_a_short_immunity_does_not_end_a_long_one(spec: Spec) -> None:
    ward = {
        "id": "ward", "name": "Ward", "action": "free",
        "effects": [{"type": "shock-immune", "until": "next-turn"}],
    }  # fmt: skip
    steel = {**ward, "id": "steel", "effects": [{"type": "shock-immune"}]}
    fight(spec, hero("Ana", abilities=[ward, steel]), npc("Orc"))
    spec.act("Ana", "use-ability", ability="ward").act("Ana", "use-ability", ability="steel")
    assert len(spec["Ana"].all("shock-immune")) == 2
    end(spec, "Ana")
    spec.rule("end-side-turn")  # the round ends, and Ana's side begins
    assert spec.combat.round == 2
    assert not spec["Ana"].has("shock-immune")


@rule("SOV-SHOCK-07")
def test_immunities_end_each_at_its_own_time(spec: Spec) -> None:
    ward = {
        "id": "ward", "name": "Ward", "action": "free",
        "effects": [{"type": "shock-immune", "until": "the duel"}],
    }  # fmt: skip
    steel = {**ward, "id": "steel", "effects": [{"type": "shock-immune"}]}
    fight(spec, hero("Ana", abilities=[ward, steel]), npc("Orc"))
    spec.act("Ana", "use-ability", ability="ward").act("Ana", "use-ability", ability="steel")
    end(spec, "Ana", "Orc")
    assert len(spec["Ana"].all("shock-immune")) == 1  # only the effect that lasts until the duel


# ---- executions, sight


@rule("SOV-EXEC-03")
def test_an_ability_spoils_the_preparation_of_whoever_uses_it(spec: Spec) -> None:
    steel = {"id": "steel", "name": "Steel", "effects": [{"type": "shock-immune"}]}
    fight(
        spec, hero("Pia", weapons=[BOW], abilities=[steel]),
        npc("Sentry", at=[9, 0], alertness="unsuspecting"),
    )  # fmt: skip
    spec.act("Pia", "prepare-execution", target="Sentry", weapon="bow", mode="ranged")
    end(spec, "Pia")
    assert spec["Pia"].has("preparing-execution")
    spec.act("Pia", "use-ability", ability="steel")  # an Instant in another's turn
    assert not spec["Pia"].has("preparing-execution")


@rule("SOV-LOS-01", "SOV-LOS-10")
def test_what_the_gm_says_of_a_line_of_sight_holds_both_ways(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[BOW]), npc("Orc", at=[5, 0], weapons=[BOW]))
    spec.rule("set-cover", attacker="Ana", target="Orc", los=False)
    spec.rule("set-cover", attacker="Orc", target="Ana", los=True)
    spec.act("Ana", "ranged-attack", ("attack", 2), target="Orc")
    assert spec.rolled("attack").outcome == "miss"


# ---- words for wounds


@pytest.mark.parametrize(
    "condition", ["unconscious", "stabilized", "mortally-injured", "dead", "frail"]
)
def test_the_catalogue_has_every_word_for_wounds(spec: Spec, condition: str) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("set-condition", combatant="Ana", condition=condition)
    word = spec.ruleset.wound(spec.combat, "Ana")
    assert word in spec.ruleset.catalogue.wounds


@rule("SOV-SCRN-05")
def test_the_same_attacker_is_met_again_at_no_cost(spec: Spec) -> None:
    fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], skills={"stab": 1}),
        npc("Troll", at=[-1, 0], weapons=[SWORD]),
    )
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo")
    for _ in range(2):  # twice in one round
        if not spec["Troll"].budget["main"]:
            spec.rule("set-budget", combatant="Troll", budget={"main": 1, "move": 1})
        spec.act("Troll", "melee-attack", target="Gil")
        assert spec.open() == [("reaction", "screen-block", "Ivo")]
        spec.answer("Ivo", "block", ("screen", 6, 6), ("attack", 2))
    assert spec.combat.round == 1


@rule("SOV-RUN-02")
def test_who_is_put_back_walks_no_further(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[1, 0], weapons=[SWORD]))
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]])
    spec.rule("place", combatant="Ana", at=[0, 5])
    assert spec.events(Moved, forced=False) == []
    assert spec.event(Stopped).reason == "path-blocked"


@rule("SOV-SHOCK-08")
def test_the_shield_of_the_hidden_is_not_told_of(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[SPEAR], owner="anna"),
        npc("Orc", at=[9, 9]),
        npc("Rat", at=[1, 0], ac=12, shield={"name": "lid"}),
        hidden=("Rat",),
        rulings="default",
    )
    passes(spec, "Rat")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Ana", "melee-attack", ("attack", 3), target="Rat")
    told = next(recorded for recorded in spec.last if isinstance(recorded.event, Noted))
    assert told.audience == ("Rat",)


# ---- the window after any other roll

AGAIN = {
    "id": "again", "name": "again", "windows": ["rolled"], "uses": 1,
    "effects": [{"type": "reroll"}],
}  # fmt: skip
EDGE = {
    "id": "edge", "name": "edge", "windows": ["rolled"], "trigger": "own-attack",
    "effects": [{"type": "modifier", "value": 2}],
}  # fmt: skip


@rule("SOV-INST-01", "SOV-DMG-01")
def test_damage_is_a_roll_that_may_be_made_again(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[AGAIN]), npc("Orc", max_hp=20), asks=("Ana",)
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 1), target="Orc")
    asked = spec.prompt("Ana").data
    assert (asked["window"], asked["action"], asked["total"]) == ("rolled", "damage", 1)
    spec.answer("Ana", "use-ability", ("damage", 8), ability="again")
    assert spec.hp("Orc") == 12  # 20 − 8


@rule("SOV-INST-01", "SOV-DMG-01")
def test_what_an_instant_adds_to_the_damage_is_told(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[EDGE]), npc("Orc", max_hp=20), asks=("Ana",)
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 3), target="Orc")
    spec.answer("Ana", "use-ability", ability="edge")
    harm = spec.event(Damaged)
    assert harm.amount == 5  # 3 + 2
    assert [(term.source, term.value) for term in harm.terms] == [("damage", 3), ("instant", 2)]


@rule("SOV-TD-04", "SOV-INST-01")
def test_total_defense_comes_too_late_when_the_damage_has_fallen(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[EDGE]), npc("Orc", ac=14, max_hp=20),
        asks=("Ana",),
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 15), ("damage", 3), target="Orc")
    spec.act("Orc", "total-defense")  # AC 16 now
    spec.answer("Ana", "pass")
    assert spec.hp("Orc") == 17


@rule("SOV-INST-01", "SOV-SPELL-02", "SOV-GRAP-08")
def test_so_are_those_of_spells_and_of_whoever_holds(spec: Spec) -> None:
    rot = {"id": "rot", "name": "Rot", "damage": "1d6", "heal": "1d4", "range_ft": 60}
    fight(
        spec, hero("Mag", spells=[rot], abilities=[{**AGAIN, "uses": 3}], unarmed=FISTS),
        npc("Orc", max_hp=20), asks=("Mag",),
    )  # fmt: skip
    spec.act("Mag", "cast-spell", ("damage", 1), spell="rot", targets=["Orc"])
    spec.answer("Mag", "use-ability", ("damage", 6), ("heal", 1), ability="again")
    assert spec.hp("Orc") == 14
    spec.answer("Mag", "use-ability", ("heal", 4), ability="again")
    assert spec.hp("Orc") == 18
    spec.rule("set-condition", combatant="Orc", condition="grappled", data={"by": "Mag"})
    end(spec, "Mag")
    spec.act("Orc", "end-turn", ("grapple-damage", 1))
    spec.answer("Mag", "use-ability", ("grapple-damage", 2), ability="again")
    assert spec.hp("Orc") == 16


# ---- hidden combatants


@rule("SOV-INST-02", "SOV-AOO-02")
def test_nobody_answers_what_it_does_not_know_of(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[SWORD], owner="anna"),
        npc("Orc", at=[9, 9]),
        npc("Rat", at=[1, 0], weapons=[SWORD]),
        hidden=("Rat",),
        rulings="default",
    )
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Rat", "run", path=[[2, 0], [3, 0]])  # her held turn does not begin
    assert spec["Rat"].position == (3, 0, 0)
    assert spec.open() == [("turn", "turn", "Orc"), ("turn", "turn", "Rat")]


@rule("SOV-INST-02", "SOV-TD-04")
def test_whom_the_hidden_attack_may_defend_itself(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[SWORD]),
        hero("Bo", at=[0, 1], weapons=[SWORD]),
        npc("Rat", at=[1, 0], weapons=[SWORD]),
        hidden=("Rat",),
        rulings="default",
    )
    spec.begin(("initiative", 8), ("initiative", 1))
    end(spec, "Ana", "Bo")
    spec.act("Rat", "melee-attack", target="Ana")
    assert spec.open() == [("reaction", "instant", "Ana")]


# ---- a screener takes the attack on its ward


def guarded(spec: Spec, troll: dict[str, Any], ivo: dict[str, Any], *others: Any) -> Spec:
    """Begin the Troll's turn next to Gil. Ivo stands next to both and screens Gil."""
    fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], **{"skills": {"stab": 1}, "max_hp": 20, **ivo}),
        *others,
        npc("Troll", at=[1, 0], unarmed=FISTS, **troll),
        asks=("Bo",),
    )
    spec.act("Ivo", "screen-ally", ward="Gil")
    return end(spec, "Gil", "Ivo")


@rule("SOV-SHOVE-04", "SOV-SCRN-04")
@pytest.mark.parametrize("action", ["shove", "grapple"])
def test_a_screener_that_is_too_large_is_not_manhandled(spec: Spec, action: str) -> None:
    guarded(spec, {}, {"size_category": "impossible"})
    spec.act("Troll", action, target="Gil")
    spec.answer("Ivo", "block", ("screen", 1, 1), ("attack", 15))
    assert spec.event(Stopped).reason == "too-large"
    assert not spec["Ivo"].has("prone", "grappled")
    assert spec.open() == [("turn", "turn", "Troll")]


@rule("SOV-INST-07", "SOV-DMG-01")
@pytest.mark.parametrize("away", ["dead", "held"])
def test_no_damage_is_rolled_for_one_who_is_dead_or_away_by_then(spec: Spec, away: str) -> None:
    fight(spec, hero("Ana", at=[0, 0]), npc("Orc", weapons=[SWORD]), asks=("Ana",))
    end(spec.act("Ana", "hold-action"), "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 15))
    spec.answer("Ana", "pass")
    assert spec.open() == [("roll", "damage", "Orc")]
    if away == "dead":
        spec.rule("condition", combatant="Ana", condition="dead")
        assert spec.events(Rolled) == []
        spec.answer(None, "go-on")
    else:
        spec.act("Ana", "trigger-held").act("Ana", "run", path=[[-1, 0], [-2, 0]], pay="main")
        spec.answer("Orc", "pass")  # no attack of opportunity
        spec.act("Ana", "end-turn")
        assert spec.event(Stopped).reason == "out-of-reach"
        assert spec.hp("Ana") == 10
    assert spec.events(Rolled) == []
    assert spec.open() == [("turn", "turn", "Orc")]


@rule("SOV-INST-07", "SOV-SCRN-11", "SOV-RNG-03")
def test_an_archer_in_melee_cannot_shoot_the_screener_either(spec: Spec) -> None:
    """An archer with an enemy in melee cannot shoot at the screener, so the shot stops.

    Bo runs next to the Troll after Ivo's block and before the damage. Reach, range and sight from
    the Troll to Ivo do not matter.
    """
    guarded(
        spec, {"weapons": [BOW]}, {}, hero("Bo", at=[3, 0], weapons=[SWORD]),
    )  # fmt: skip
    spec.rule("place", combatant="Troll", at=[5, 3])
    end(spec.act("Bo", "hold-action"), "Bo")
    spec.act("Troll", "ranged-attack", target="Gil")
    spec.answer("Bo", "pass")
    spec.answer("Ivo", "block", ("screen", 1, 1), ("attack", 19))
    spec.answer("Bo", "trigger-held")
    spec.act("Bo", "run", path=[[4, 1], [4, 2]], pay="main")
    end(spec, "Bo")
    assert spec.event(Stopped).reason == "bow-in-melee"
    assert spec.hp("Ivo") == 20


# ---- the attack of a spell


@rule("SOV-SPELL-02", "SOV-LOS-09", "SOV-INST-07")
@pytest.mark.parametrize(("needs_los", "hp"), [(True, 20), (False, 17)])
def test_a_spell_is_lost_behind_a_wall_that_it_cannot_pass(
    spec: Spec, needs_los: bool, hp: int
) -> None:
    bolt = {
        "id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 90,
        "needs_los": needs_los,
    }  # fmt: skip
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[3, 0], max_hp=20))
    spec.act("Mag", "cast-spell", spell="bolt", targets=["Orc"])
    spec.rule("set-cover", attacker="Mag", target="Orc", los=False)
    if not needs_los:
        spec.answer("Mag", "roll", ("damage", 1, 2), faces=[15])
    assert spec.hp("Orc") == hp


@rule("SOV-SPELL-02", "SOV-GRID-08")
def test_an_area_reaches_past_the_range_of_its_centre(spec: Spec) -> None:
    """A spell with a range of 30 ft may hit the Orc at 35 ft if its centre is 30 ft away.

    The attack gets no penalty for long range.
    """
    burst = {
        "id": "burst", "name": "Burst", "attack": True, "damage": "2d6", "range_ft": 30,
        "radius_ft": 10,
    }  # fmt: skip
    fight(spec, hero("Mag", spells=[burst]), npc("Orc", at=[7, 0], max_hp=20))
    spec.act("Mag", "cast-spell", ("attack", 10), ("damage", 1, 2), spell="burst", centre=[7, 0])
    assert spec.hp("Orc") == 17


@rule("SOV-SPELL-02", "SOV-DOWN-01")
def test_who_falls_by_its_own_spell_takes_the_others_along(spec: Spec) -> None:
    """If Mag falls from its own spell, the Orc still takes damage and burns."""
    burst = {
        "id": "burst", "name": "Burst", "damage": "2d6", "range_ft": 30, "radius_ft": 10,
        "conditions": [{"id": "burning"}],
    }  # fmt: skip
    fight(
        spec, hero("Mag", max_hp=4, spells=[burst]), hero("Bo", at=[9, 9]),
        npc("Orc", max_hp=20),
    )  # fmt: skip
    spec.act("Mag", "cast-spell", ("damage", 3, 3), spell="burst", centre=[1, 1])
    assert spec["Mag"].has("mortally-injured", "burning")
    assert spec.hp("Orc") == 14
    assert spec["Orc"].has("burning")


@rule("SOV-SPELL-02")
def test_who_has_left_is_not_hurt_by_a_spell_for_several(spec: Spec) -> None:
    bolts = {"id": "bolts", "name": "Bolts", "damage": "1d6", "range_ft": 30, "targets": 2}
    fight(
        spec, hero("Mag", spells=[bolts]), npc("Orc", at=[1, 0]), npc("Rat", at=[2, 0]),
    )  # fmt: skip
    spec.act("Mag", "cast-spell", spell="bolts", targets=["Orc", "Rat"])
    spec.leave("Orc")
    spec.answer("Mag", "roll", faces=[3])
    assert spec.hp("Rat") == 7
    assert spec.event(Damaged).who == "Rat"


@rule("SOV-ITEM-01", "SOV-RNG-01")
def test_of_no_knives_none_is_thrown(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[{**KNIFE, "count": 0}]), npc("Orc", at=[2, 0]),
    )  # fmt: skip
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "ranged-attack", target="Orc")
