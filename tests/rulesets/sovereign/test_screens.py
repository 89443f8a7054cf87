"""Test screens and grapples, their checks and their ends (SOV-SCRN, SOV-GRAP)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Illegal
from domain.record.events import ConditionLost, Noted, Rolled, Term
from tests.rulesets.sovereign.units import (
    DAGGER,
    FISTS,
    KNIFE,
    SWORD,
    end,
    fight,
    hero,
    npc,
    passes,
)
from tests.spec import Spec, rule

BOTH = ["Ivo", "Hana"]


def ward(
    spec: Spec,
    troll: dict[str, Any],
    hana: dict[str, Any],
    ivo: dict[str, Any],
    **options: Any,
) -> Spec:
    """Begin with the Troll next to Gil, who stands between Hana and Ivo.

    The side of the Troll acts after the heroes.
    """
    return fight(
        spec,
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], max_hp=20, **ivo),
        hero("Hana", at=[0, -1], max_hp=20, **hana),
        {**npc("Troll", at=[1, 0], weapons=[SWORD]), **troll},
        **options,
    )


@rule("SOV-SCRN-03", "SOV-SCRN-04", "SOV-SCRN-07")
def test_the_highest_number_is_the_one_to_beat_and_the_lowest_takes_it(spec: Spec) -> None:
    ward(spec, {}, {"skills": {"stab": 2}}, {"skills": {"stab": 1}})
    for name in ("Hana", "Ivo"):
        spec.act(name, "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo", "Hana")
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Hana", "block")
    spec.answer("Ivo", "block", ("screen", 4, 4), ("attack", 2))
    assert spec.rolled("screen").target == 10  # 8 + 2, and 8 + 1 for Ivo
    assert spec.rolled("attack").against == "Ivo"
    assert spec.event(Noted).text == "Ivo takes the attack on Gil"


@rule("SOV-SCRN-07")
@pytest.mark.parametrize("how", ["action", "ruling"])
def test_of_equal_numbers_the_first_to_screen_takes_it(spec: Spec, how: str) -> None:
    """If two screeners have equal numbers, Hana, who screened first, takes the attack.

    Ivo joined the fight before Hana, but screens after her.
    """
    ward(spec, {}, {"skills": {"stab": 1}}, {"skills": {"stab": 1}})
    spec.act("Hana", "screen-ally", ward="Gil")
    if how == "ruling":
        spec.rule("set-condition", combatant="Ivo", condition="screening", data={"ward": "Gil"})
    else:
        spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo", "Hana")
    hana_takes_it(spec)


@rule("SOV-SCRN-07")
def test_who_screens_from_the_beginning_is_the_first(spec: Spec) -> None:
    able: dict[str, Any] = {"skills": {"stab": 1}}
    spec.given(
        npc("Troll", at=[1, 0], weapons=[SWORD]),
        hero("Gil", at=[0, 0]),
        hero("Ivo", at=[0, 1], **able),
        hero("Hana", at=[0, -1], conditions=[{"id": "screening", "data": {"ward": "Gil"}}], **able),
        rulings="default",
    )
    passes(spec, "Troll", "Gil", "Ivo", "Hana")
    spec.begin(("initiative", 8), ("initiative", 1))
    spec.rule("set-condition", combatant="Ivo", condition="screening", data={"ward": "Gil"})
    hana_takes_it(spec)


def hana_takes_it(spec: Spec) -> None:
    spec.act("Troll", "melee-attack", target="Gil")
    spec.answer("Hana", "block")
    spec.answer("Ivo", "block", ("screen", 1, 1), ("attack", 2))
    assert spec.rolled("attack").against == "Hana"


@rule("SOV-SCRN-10")
def test_without_the_option_nobody_asks_whether_it_can_be_screened(spec: Spec) -> None:
    ward(spec, {}, {}, {"skills": {"stab": 1}}, rulings="ask")
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo", "Hana")
    spec.act("Troll", "melee-attack", target="Gil")
    assert spec.open() == [("reaction", "screen-block", "Ivo")]


@rule("SOV-SCRN-03")
@pytest.mark.parametrize(
    ("action", "inputs", "skill", "level"),
    [
        ("melee-attack", {"weapon": "sword"}, "stab", 1),
        ("ranged-attack", {"weapon": "knife", "skill": "exert"}, "shoot", 2),
        ("ranged-attack", {"weapon": "knife", "skill": "stab"}, "stab", 1),
    ],
)
def test_the_skill_of_the_attack_and_the_better_of_strength_and_dexterity(
    spec: Spec, action: str, inputs: dict[str, str], skill: str, level: int
) -> None:
    """The Troll's check adds the skill of its attack, and Dexterity as its better attribute.

    An attack with a thrown weapon and Exert uses the better of Shoot and Stab.
    """
    weapons = [{**SWORD, "hands": 1}, KNIFE]
    ward(
        spec,
        {
            "weapons": weapons, "skills": {"stab": 1, "shoot": 2, "exert": 3},
            "modifiers": {"str": 1, "dex": 2},
        },
        {}, {"skills": {"stab": 1}},
    )  # fmt: skip
    spec.act("Ivo", "screen-ally", ward="Gil")
    end(spec, "Gil", "Ivo", "Hana")
    spec.act("Troll", action, target="Gil", **inputs)
    spec.answer("Ivo", "block", ("screen", 6, 6), ("attack", 2))
    assert spec.rolled("screen").terms == (
        Term("DEX", 2, "SOV-SCRN-03"),
        Term(skill, level, "SOV-SCRN-03"),
    )


@rule("SOV-SCRN-02")
def test_a_ward_that_leaves_is_screened_no_more(spec: Spec) -> None:
    ward(spec, {}, {}, {"skills": {"stab": 1}})
    spec.act("Ivo", "screen-ally", ward="Gil")
    spec.leave("Gil")
    assert not spec["Ivo"].has("screening")


@rule("SOV-SCRN-01", "SOV-SCRN-02")
@pytest.mark.parametrize("who", ["Gil", "Ivo"])
def test_who_is_no_ally_any_more_is_not_screened(spec: Spec, who: str) -> None:
    ward(spec, {}, {}, {"skills": {"stab": 1}})
    spec.act("Ivo", "screen-ally", ward="Gil")
    spec.do(Change(who, side="foes"))
    assert spec.event(ConditionLost, condition="screening").reason == "no ally"
    assert not spec["Ivo"].has("screening")


@rule("SOV-SCRN-01")
def test_the_dead_are_no_wards(spec: Spec) -> None:
    ward(spec, {}, {}, {"skills": {"stab": 1}})
    spec.rule("condition", combatant="Gil", condition="dead")
    with spec.raises(Illegal) as caught:
        spec.act("Ivo", "screen-ally", ward="Gil")
    assert (caught[0].rule, caught[0].detail) == ("SOV-SCRN-01", "Gil is dead or gone")


@rule("SOV-SWARM-01", "SOV-SWARM-08")
@pytest.mark.parametrize(("who", "left"), [("Troll", []), ("Ivo", ["Hana"]), ("Rat", BOTH)])
def test_a_swarm_is_of_one_side_against_another(spec: Spec, who: str, left: list[str]) -> None:
    """A member that changes sides leaves the swarm.

    If the target changes sides, the swarm ends.
    """
    fight(
        spec,
        hero("Ivo", at=[0, 1], weapons=[SWORD]),
        hero("Hana", at=[0, -1], weapons=[SWORD]),
        npc("Troll", at=[1, 0]),
        npc("Rat", at=[9, 9]),
    )
    for name in BOTH:
        spec.act(name, "swarm-attack", target="Troll")
    spec.do(Change(who, side="foes" if who == "Ivo" else "party"))
    assert [name for name in BOTH if spec[name].has("swarming")] == left


@rule("SOV-SCRN-02")
def test_nobody_is_no_ward(spec: Spec) -> None:
    ward(spec, {}, {}, {})
    spec.rule("set-condition", combatant="Ivo", condition="screening")
    assert not spec["Ivo"].has("screening")


# ---- grapples


def held(spec: Spec, **orc: Any) -> Spec:
    """Begin with Max and Ada next to the Orc. All three can strike with fists."""
    return fight(
        spec,
        hero("Max", at=[0, 0], unarmed=FISTS, weapons=[DAGGER]),
        hero("Ada", at=[0, 1], unarmed=FISTS),
        npc("Orc", max_hp=20, unarmed=FISTS, **orc),
    )


@rule("SOV-GRAP-08")
@pytest.mark.parametrize("how", ["grappled", "grappling"])
def test_a_hold_by_a_ruling_is_younger_than_those_before(spec: Spec, how: str) -> None:
    held(spec)
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Orc")
    if how == "grappled":
        spec.rule("set-condition", combatant="Orc", condition=how, data={"by": "Ada"})
    else:
        spec.rule("set-condition", combatant="Ada", condition=how, data={"target": "Orc"})
    end(spec, "Max", "Ada")
    spec.act("Orc", "end-turn", ("grapple-damage", 1), ("grapple-damage", 1))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Max", "Ada"]


@rule("SOV-GRAP-04")
def test_letting_go_ends_it_for_both(spec: Spec) -> None:
    held(spec)
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Orc")
    spec.act("Max", "release-grapple")
    lost = {
        (condition_lost.who, condition_lost.condition): condition_lost.reason
        for condition_lost in spec.events(ConditionLost)
    }
    assert lost == {("Orc", "grappled"): "released", ("Max", "grappling"): "released"}
