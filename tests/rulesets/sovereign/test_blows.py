"""Attacks and blows of opportunity: why they are refused, what counts, what is told (SOV-ATK)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.errors import Illegal
from domain.record.events import Judged, Prevented
from tests.rulesets.sovereign.units import FISTS, SWORD, end, fight, hero, main, npc
from tests.spec import Spec, rule

FAR = [9, 9]


def refused(spec: Spec, action: str, **inputs: Any) -> str:
    """Why Ana may not."""
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


# ---- wide ones


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


# ---- what counts, what is told


@rule("SOV-SPELL-02", "SOV-RNG-03")
def test_a_spell_is_no_weapon_that_a_foe_beside_one_hinders(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "1d6", "range_ft": 60}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", weapons=[SWORD], ac=30))
    spec.act("Mag", "cast-spell", ("attack", 10), spell="bolt", targets=["Orc"])
    assert spec.rolled("attack").total == 10


@rule("SOV-ATK-06")
@pytest.mark.parametrize(("proposed", "asks"), [(2, " +2 is asked for."), (0, "")])
def test_what_the_gm_is_asked_about_an_attack(spec: Spec, proposed: int, asks: str) -> None:
    fight(
        spec, hero("Ana", owner="anna", weapons=[SWORD]), npc("Orc"), rulings="ask",
        ask_modifiers=True,
    )  # fmt: skip
    inputs = {"target": "Orc", "gm_modifier": proposed}
    spec.do(Act("Ana", "melee-attack", inputs), by=Caller("p1", "player", owner="anna"))
    assert spec.prompt().text == f"Ana attacks Orc. Is there anything else to add?{asks}"


AIM = {
    "id": "aim", "name": "Aim", "windows": ["attack-rolled"], "trigger": "own-attack",
    "effects": [{"type": "miss-to-hit"}],
}  # fmt: skip
EYE = {**AIM, "id": "eye", "effects": [{"type": "modifier", "value": 1}]}


def hit(spec: Spec, rulings: str = "default") -> Spec:
    """The Orc hits Ana, AC 12; both are asked."""
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


@rule("SOV-INST-10")
def test_a_total_that_changes_is_told_also_when_it_changes_nothing(spec: Spec) -> None:
    hit(spec)
    spec.answer("Orc", "use-ability", ability="eye")
    spec.answer("Ana", "pass")
    judged = spec.event(Judged)
    assert (judged.before, judged.outcome, judged.total) == ("hit", "hit", 13)
    assert ("roll", "damage", "Orc") in spec.open()
