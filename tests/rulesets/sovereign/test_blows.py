"""Test refusals, modifiers and log lines of attacks and opportunities (SOV-ATK)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.errors import Illegal
from domain.record.events import Damaged, Judged, Prevented, Stopped
from tests.rulesets.sovereign.units import BOW, FISTS, SPEAR, SWORD, end, fight, hero, main, npc
from tests.spec import Spec, rule

FAR = [9, 9]


def refused(spec: Spec, action: str, **inputs: Any) -> str:
    """Return the sentence with which Affray refuses an action of Ana."""
    with spec.raises(Illegal) as caught:
        spec.act("Ana", action, **inputs)
    return caught[0].detail


@rule("SOV-DMG-02")
@pytest.mark.parametrize(
    ("action", "inputs", "what"),
    [
        ("melee-attack", {}, "fists"),
        ("ranged-attack", {}, "a weapon to shoot or throw"),
        ("melee-attack", {"weapon": "axe"}, "axe"),
    ],
)
def test_what_it_is_that_is_missing(
    spec: Spec, action: str, inputs: dict[str, str], what: str
) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    assert refused(spec, action, target="Orc", **inputs) == f"Ana has no data for {what}"


@rule("SOV-ITEM-01", "SOV-RNG-01")
def test_fists_are_no_answer_to_a_bow_in_the_pack(spec: Spec) -> None:
    bow = {**BOW, "state": "stowed"}
    fight(spec, hero("Ana", weapons=[bow], unarmed=FISTS), npc("Orc", at=[5, 0]))
    with spec.refused("SOV-ITEM-01", "not-readied"):
        spec.act("Ana", "ranged-attack", target="Orc")


@rule("SOV-MEL-01")
def test_how_far_away_it_is(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[2, 0]))
    assert refused(spec, "melee-attack", target="Orc") == "Orc is 10 ft away, sword gets 5 ft"
    spec.rule("place", combatant="Orc")
    assert refused(spec, "melee-attack", target="Orc") == "Orc is nowhere, sword gets 5 ft"


@rule("SOV-ATK-06", "SOV-SPELL-02")
def test_of_a_spell_nobody_proposes_a_modifier(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "1d6", "range_ft": 60}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[3, 0]), rulings="ask")
    spec.act("Mag", "cast-spell", spell="bolt", targets=["Orc"])
    assert spec.open() == [("roll", "attack", "Mag")]
    spec.answer("Mag", "roll", ("damage", 4), faces=[10])
    assert spec.hp("Orc") == 6


@rule("SOV-AOO-03", "SOV-AOO-04")
def test_who_is_held_by_then_makes_no_blow_of_opportunity(spec: Spec) -> None:
    fight(
        spec, hero("Ana", max_hp=30), npc("Orc", weapons=[SWORD]),
        npc("Imp", at=[0, 1], weapons=[SWORD], unarmed=FISTS),
    )  # fmt: skip
    spec.act("Ana", "use-skill", skill="notice", attribute="wis")
    spec.answer("Orc", "attack-of-opportunity")
    spec.answer("Imp", "attack-of-opportunity")
    spec.rule("set-condition", combatant="Imp", condition="grappled")
    spec.answer("Orc", "roll", ("skill", 3, 3), faces=[2])
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.reason) == ("Imp", "not-readied")
    assert prevented.rules == ("SOV-AOO-03",)


@rule("SOV-ITEM-02")
def test_what_is_in_hand_is_not_drawn_again(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), rulings="ask", ask_weapon_swaps_after=0
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert main(spec, "Ana") == 0
    assert "taken" not in spec["Ana"].facts


# ---- large combatants


OGRE: dict[str, Any] = {"space": 2, "size_ft": 9}


@rule("SOV-GRID-06")
def test_one_difficult_square_of_a_wide_space_is_enough(spec: Spec) -> None:
    fight(
        spec, npc("Ogre", at=[0, 0], movement_ft=10, **OGRE), hero("Ana", at=FAR),
        map={"difficult": [[2, 1]]},
    )  # fmt: skip
    end(spec, "Ana")
    with spec.refused("SOV-RUN-01", "too-far"):
        spec.act("Ogre", "run", path=[[1, 0], [2, 0]])  # 10 + 10, of 10
    spec.act("Ogre", "run", path=[[1, 0]])
    assert spec["Ogre"].position == (1, 0, 0)


@rule("SOV-SHOVE-02", "SOV-GRID-06")
def test_a_wide_one_is_not_pushed_half_into_what_cannot_be_entered(spec: Spec) -> None:
    fight(
        spec, hero("Max", unarmed=FISTS), npc("Ogre", at=[1, 0], **OGRE),
        map={"impassable": [[3, 1]]},
    )  # fmt: skip
    with spec.refused("SOV-SHOVE-02", "square-occupied"):
        spec.act("Max", "shove", target="Ogre", to=[2, 0])


# ---- counted modifiers and the log


@rule("SOV-SPELL-02", "SOV-RNG-03")
def test_a_spell_is_no_weapon_that_a_foe_beside_one_hinders(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "1d6", "range_ft": 60}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", weapons=[SWORD], ac=30))
    spec.act("Mag", "cast-spell", ("attack", 10), spell="bolt", targets=["Orc"])
    assert spec.rolled("attack").total == 10


@rule("SOV-ATK-06")
@pytest.mark.parametrize(("proposed", "asks"), [(2, " Ana proposes +2."), (0, "")])
def test_what_the_gm_is_asked_about_an_attack(spec: Spec, proposed: int, asks: str) -> None:
    fight(
        spec, hero("Ana", owner="anna", weapons=[SWORD]), npc("Orc"), rulings="ask",
        ask_modifiers=True,
    )  # fmt: skip
    inputs = {"target": "Orc", "gm_modifier": proposed}
    spec.do(Act("Ana", "melee-attack", inputs), by=Caller("p1", "player", owner="anna"))
    assert spec.prompt().text == f"Ana attacks Orc.{asks} Which modifier do you add?"


AIM = {
    "id": "aim", "name": "Aim", "windows": ["attack-rolled"], "trigger": "own-attack",
    "effects": [{"type": "miss-to-hit"}],
}  # fmt: skip
EYE = {**AIM, "id": "eye", "effects": [{"type": "modifier", "value": 1}]}


def hit(spec: Spec, rulings: str = "default") -> Spec:
    """Let the Orc hit Ana, who has AC 12. Both get prompts for Instants."""
    fight(
        spec, npc("Orc", weapons=[SWORD], abilities=[AIM, EYE]), hero("Ana", ac=12),
        asks=("Ana", "Orc"), rulings=rulings,
    )  # fmt: skip
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    return spec.answer("Ana", "pass", ("attack", 11))  # 11 + 1


@rule("SOV-INST-05", "SOV-TD-04")
@pytest.mark.parametrize(("holds", "outcome"), [("attacker", "hit"), ("defender", "miss")])
def test_a_defense_and_an_aim_at_the_same_moment(spec: Spec, holds: str, outcome: str) -> None:
    hit(spec, rulings="ask")
    spec.answer("Orc", "use-ability", ability="aim")
    spec.answer("Ana", "total-defense")
    assert spec.open() == [("ruling", "instant-conflict", None)]
    spec.answer(None, holds)
    judged = spec.event(Judged)
    assert (judged.before, judged.outcome, judged.target) == ("hit", outcome, 14)
    assert judged.rules == (("SOV-TD-04",) if outcome == "hit" else ("SOV-INST-10",))
    if outcome == "hit":
        spec.answer("Orc", "roll", faces=[4])
    assert spec.hp("Ana") == (6 if outcome == "hit" else 10)


@rule("SOV-INST-10")
def test_a_total_that_changes_is_told_also_when_it_changes_nothing(spec: Spec) -> None:
    hit(spec)
    spec.answer("Orc", "use-ability", ability="eye")
    spec.answer("Ana", "pass", ("damage", 4))
    judged = spec.event(Judged)
    assert (judged.before, judged.outcome, judged.total) == ("hit", "hit", 13)
    assert spec.hp("Ana") == 6


@rule("SOV-ATK-06")
def test_what_the_gm_does_not_say_adds_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", ac=30), ask_modifiers=True)
    spec.act("Ana", "melee-attack", ("attack", 10), target="Orc")
    assert spec.rolled("attack").total == 10


@rule("SOV-DMG-03")
def test_a_shock_of_one_is_the_least_too(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SPEAR], modifiers={"str": -1}), npc("Orc"))
    spec.act("Ana", "melee-attack", ("attack", 19), ("damage", 1), target="Orc")
    least = spec.event(Damaged).terms[-1]  # 1 − 1 = 0; the Shock would be 2 − 1
    assert (least.value, least.rule) == (1, "SOV-DMG-03")


@rule("SOV-RNG-06", "SOV-MEL-01")
def test_a_spear_that_stabs_stays_in_hand(spec: Spec) -> None:
    spear = {**SPEAR, "range": {"normal": 20, "long": 40}}
    fight(spec, hero("Ana", weapons=[spear]), npc("Orc", ac=30))
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.ruleset.derived(spec.combat, "Ana")["in_hand"] == ["spear"]
    assert "ground" not in spec.combat.facts


@rule("SOV-INST-09")
@pytest.mark.parametrize(("face", "ana", "outcome"), [(15, "miss", 10), (2, "hit", 6)])
def test_a_power_of_both_kinds_turns_it_the_other_way(
    spec: Spec, face: int, ana: str, outcome: int
) -> None:
    twist = {
        "id": "twist", "name": "Twist", "windows": ["attack-rolled"], "uses": 1,
        "effects": [{"type": "hit-to-miss"}, {"type": "miss-to-hit"}],
    }  # fmt: skip
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[twist]), npc("Orc", ac=12), asks=("Ana",)
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", face), target="Orc")
    spec.answer("Ana", "use-ability", *([("damage", 4)] if ana == "hit" else []), ability="twist")
    assert (spec.event(Judged).outcome, spec.hp("Orc")) == (ana, outcome)


# ---- combatants without a square


@rule("SOV-RUN-02", "SOV-AOO-06")
def test_nobody_strikes_from_nowhere(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD]))
    spec.rule("place", combatant="Orc")
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]])
    assert (spec["Ana"].position, spec.open()) == ((-2, 0, 0), [("turn", "turn", "Ana")])


@rule("SOV-INST-08", "SOV-GRID-03")
def test_who_is_taken_off_the_map_walks_no_further(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], at=[0, 0]), npc("Orc", at=[0, 1]), asks=("Ana",)
    )  # fmt: skip
    end(spec, "Ana")
    spec.act("Orc", "run", path=[[1, 1], [2, 2]])
    spec.answer("Ana", "snap-attack", at=[1, 1], target="Orc")
    assert spec.open() == [("roll", "attack", "Ana")]
    spec.rule("place", combatant="Orc")
    stopped = spec.event(Stopped, who="Orc")
    assert (stopped.reason, stopped.rules) == ("path-blocked", ("SOV-INST-07",))
    assert spec["Orc"].position is None


# ---- shoving


@rule("SOV-SHOVE-01", "SOV-CHK-02")
@pytest.mark.parametrize(
    ("brawl", "exert", "better"), [(1, 0, 1), (0, 1, 1), (-1, 0, 0), (0, -1, 0), (2, 2, 2)]
)
def test_each_side_of_a_shove_uses_its_better_skill(
    spec: Spec, brawl: int, exert: int, better: int
) -> None:
    skills = {"brawl": brawl, "exert": exert}
    fight(
        spec, hero("Max", unarmed=FISTS, skills=skills, attack_bonus=5),
        hero("Bull", side="foes", at=[1, 0], skills=skills),
    )  # fmt: skip
    spec.act("Max", "shove", ("attack", 15), ("shove", 3, 3), target="Bull")
    assert (spec.rolled("shove").total, spec.rolled("shove").target) == (6 + better, 8 + better)


@rule("SOV-SHOVE-02")
@pytest.mark.parametrize(
    ("inputs", "position", "prone"),
    [
        ({"to": [2, 0]}, (2, 0, 0), False),
        ({"to": [2, 0], "result": "push"}, (2, 0, 0), False),
        ({"to": [2, 0], "result": "prone"}, (1, 0, 0), True),
        ({"result": "prone"}, (1, 0, 0), True),
    ],
)
def test_what_was_said_before_is_not_asked_again(
    spec: Spec, inputs: dict[str, Any], position: tuple[int, ...], prone: bool
) -> None:
    fight(spec, hero("Max", unarmed=FISTS, attack_bonus=5), npc("Orc"))
    spec.act("Max", "shove", ("attack", 15), ("shove", 6, 6), target="Orc", **inputs)
    assert (spec["Orc"].position, spec["Orc"].has("prone")) == (position, prone)
    assert spec.open() == [("turn", "turn", "Max")]
