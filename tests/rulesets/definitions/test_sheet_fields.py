"""Test fields of sheets that no other test sets, and charges of large combatants."""

from typing import Any

import pytest

from tests.rulesets.definitions.units import BITE, SWORD, at, fight, fighter, foe, passes, weapon
from tests.spec import Spec, rule


@pytest.mark.parametrize(
    ("abilities", "number", "value"),
    [({"intelligence": 7}, "intelligence_mod", -2), ({"charisma": 16}, "charisma_mod", 3)],
)
def test_each_ability_has_its_modifier(
    spec: Spec, abilities: dict[str, int], number: str, value: int
) -> None:
    fight(spec, fighter("Ana", abilities=abilities), foe("Orc"))
    assert spec.ruleset.derived(spec.combat, "Ana")[number] == value


@rule("DEF-SPC-01")
def test_a_sheet_may_say_its_space(spec: Spec) -> None:
    """A medium combatant with a space of 3 squares a side threatens 16 squares, not 8."""
    fight(spec, fighter("Ana", space=3, weapons=[SWORD]), foe("Orc", at=[9, 9]))
    shown = spec.ruleset.derived(spec.combat, "Ana")
    assert (shown["space"], len(shown["threatened_squares"])) == (3, 16)


@rule("DEF-GRP-10")
@pytest.mark.parametrize("fits", [True, False])
def test_a_weapon_fits_a_grapple_or_not(spec: Spec, fits: bool) -> None:
    fight(spec, fighter("Ana", weapons=[weapon("cosh", "1d4", grapple_ok=fits)]), foe("Orc"))
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    if fits:
        spec.act("Ana", "attack", ("attack", 2), target="Orc", weapon="cosh")
        return
    with spec.refused("DEF-GRP-10", "weapon-not-for-grapple"):
        spec.act("Ana", "attack", target="Orc", weapon="cosh")


def test_the_bonus_of_a_will_save(spec: Spec) -> None:
    fear: dict[str, Any] = {
        "id": "fear", "name": "Fear", "damage": "1d4",
        "save": {"kind": "will", "dc": 15, "on_success": "none"},
    }  # fmt: skip
    fight(spec, fighter("Ana", spells=[fear]), foe("Orc", saves={"will": 4}))
    spec.act("Ana", "cast-spell", ("save-will", 11), spell="fear", targets=["Orc"])
    assert spec.rolled("save-will").total == 15
    assert spec.hp("Orc") == 20


@rule("DEF-CHG-03")
@pytest.mark.parametrize(("to", "nearer"), [([0, 4], False), ([3, 3], True)])
def test_a_huge_foe_is_near_with_all_its_squares(spec: Spec, to: list[int], nearer: bool) -> None:
    """A charge is legal only if it ends nearer to the foe than it begins.

    Maw fills `[5, 0]` to `[7, 2]`, and Ana starts 5 squares away. `[0, 4]` is also 5 squares away,
    so Affray refuses it. `[3, 3]` is 2 squares away, so Affray accepts it.
    """
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Maw", size="huge", at=[5, 0], weapons=[BITE]))
    passes(spec, "Maw")
    if nearer:
        spec.act("Ana", "charge", target="Maw", to=to)
        assert at(spec, "Ana") == tuple(to)
        return
    with spec.refused("DEF-CHG-03", "not-toward-foe"):
        spec.act("Ana", "charge", target="Maw", to=to)


@rule("DEF-CHG-03")
def test_a_huge_one_that_charges_is_near_with_all_its_squares(spec: Spec) -> None:
    """A charge of a huge combatant is legal only if its nearest square comes nearer.

    Maw fills `[0, 0]` to `[2, 2]`, 4 squares from Orc. A charge to `[0, 2]` keeps that distance. A
    charge to `[-2, 0]` ends 2 squares from Orc.
    """
    fight(spec, foe("Maw", size="huge", at=[0, 0], weapons=[BITE]), fighter("Orc", at=[-4, 0]))
    with spec.refused("DEF-CHG-03", "not-toward-foe"):
        spec.act("Maw", "charge", target="Orc", to=[0, 2])
    spec.act("Maw", "charge", target="Orc", to=[-2, 0])
    assert at(spec, "Maw") == (-2, 0)


def test_what_is_only_shown_stays_on_the_sheet(spec: Spec) -> None:
    knife = weapon("knife", "1d4", light=True)
    fight(spec, fighter("Ana", hit_die=10, weapons=[knife]), foe("Orc"))
    sheet = spec["Ana"].sheet
    assert (sheet["hit_die"], sheet["weapons"][0]["light"]) == (10, True)


@rule("DEF-KSH-01")
@pytest.mark.parametrize("condition", ["exposed", "helpless"])
def test_whom_somebody_is_helpless_towards(spec: Spec, condition: str) -> None:
    """Without `towards`, the combatant is helpless towards everybody."""
    ana, bo = fighter("Ana"), fighter("Bo", at=[0, 1])
    fight(spec, ana, bo, foe("Orc", at=[1, 0]), foe("Bat", at=[1, 1]))
    spec.rule("set-condition", who="Orc", condition=condition, data={"towards": ["Bo"]})
    spec.rule("set-condition", who="Bat", condition=condition)
    with spec.refused("DEF-KSH-01", "not-helpless"):
        spec.act("Ana", "kill-shot", target="Orc")
    spec.act("Ana", "kill-shot", target="Bat").act("Ana", "end-turn")
    spec.act("Bo", "kill-shot", target="Orc")
    assert spec["Orc"].has("dead")
    assert spec["Bat"].has("dead")


@rule("DEF-INC-02", "DEF-GRE-01")
@pytest.mark.parametrize(
    ("data", "left"),
    [({}, True), ({"cause": "grapple"}, False), ({"cause": "the spell"}, True)],
)
def test_helplessness_ends_with_its_cause(spec: Spec, data: dict[str, str], left: bool) -> None:
    """Helplessness with the cause `grapple` ends when Ana releases Orc.

    Helplessness with another cause, or without a cause, stays.
    """
    fight(spec, fighter("Ana", grapple_modifier=9), foe("Orc"))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.rule("set-condition", who="Orc", condition="pinned")
    spec.rule("set-condition", who="Orc", condition="helpless", data=data)
    assert spec["Orc"].has("helpless")
    spec.act("Ana", "release-grapple")
    assert spec["Orc"].has("helpless") is left


@rule("DEF-INC-02", "DEF-NLD-04")
@pytest.mark.parametrize(
    ("data", "left"), [({}, True), ({"cause": "unconscious"}, False), ({"cause": "bound"}, True)]
)
def test_exposure_ends_with_unconsciousness_where_that_is_its_cause(
    spec: Spec, data: dict[str, str], left: bool
) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.rule("set-track", who="Orc", track="nld", value=20)
    spec.rule("set-condition", who="Orc", condition="exposed", key="second", data=data)
    spec.rule("set-track", who="Orc", track="nld", value=0)
    assert not spec["Orc"].has("unconscious")
    assert spec["Orc"].has("exposed") is left
