"""Test the names and ranks of routines in steps 4 and 6 (VD-MULTI)."""

from typing import Any

import pytest

from domain.record.events import Damaged, Prevented, Rolled
from tests.rulesets.vile_darkness.units import (
    asked,
    begin,
    engaged,
    foe,
    hero,
    passes,
    until,
    weapon,
)
from tests.spec import Spec

DAGGER = weapon("dagger", "1d4", 2, modes=[{"id": "thrown", "damage": "1d3"}])
TWICE = {"id": "twice", "kind": "melee", "attacks": [{"weapon": "dagger", "count": 2}]}
ONCE = {"id": "once", "kind": "melee", "attacks": [{"weapon": "dagger"}]}
MULTI: dict[str, Any] = {
    "weapons": [DAGGER], "routines": [ONCE, TWICE], "multi_attack": {"list": ["once", "twice"]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("named", "formulas"),
    [
        ({}, ["1d4", "1d4"]),
        ({"routine": "twice"}, ["1d4", "1d4"]),
        ({"weapon": "dagger"}, ["1d4", "1d4"]),
        ({"weapon": "dagger", "mode": "thrown"}, ["1d3"]),
    ],
)
def test_however_it_is_named_the_routine_of_step_6_is_whole(
    spec: Spec, named: dict[str, str], formulas: list[str]
) -> None:
    """Every name selects the complete routine. Only a mode selects a single blow."""
    spec.given(hero("Ana", **MULTI), foe("Orc", weapons=[]))
    begin(engaged(spec, ("Ana", "Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    until(spec, "multi-rest/HIGH")
    blows = (("attack", 15), ("damage", 1)) * len(formulas)
    spec.act("Ana", "attack", *blows, target="Orc", **named)
    damage = [rolled.formula for rolled in spec.events(Rolled, purpose="damage")]
    assert damage == formulas
    assert len(spec.events(Damaged)) == len(formulas)


def test_who_is_delayed_while_others_are_asked_strikes_in_low(spec: Spec) -> None:
    """Delayed combatants are LOW in step 6 too (VD-MULTI-04)."""
    spec.given(hero("Ana", **MULTI), foe("Orc", multi_attack={"routines": 2}))
    begin(engaged(spec, ("Ana", "Orc")), 3, 3)
    passes(spec.act("Ana", "attack", target="Orc"), "Orc")
    spec.answer("Ana", "roll", faces=[2])
    until(spec, "group/HIGH/D3")
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    until(spec, "multi-rest/HIGH")
    spec.act("Ana", "attack", target="Orc")
    spec.rule("condition", target="Ana", condition="delayed")
    spec.act("Orc", "pass")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "not-your-initiative")
    ]
    assert (spec.combat.phase, asked(spec)) == ("multi-rest/LOW", [("slot-intent", "Ana")])


@pytest.mark.parametrize(
    ("plan", "slot", "kind"),
    [
        (["kick", "shoot"], "group/HIGH/D2", "bow"),
        (["shoot", "kick"], "group/HIGH/D3", "cut"),
        (["kick", "shoot"], "group/HIGH/D3", "kick"),
    ],
)
def test_out_of_melee_its_first_routine_is_used_if_it_is_of_the_kind(
    spec: Spec, plan: list[str], slot: str, kind: str
) -> None:
    """If the first routine has the wrong kind, the next of the right kind counts (VD-MULTI-03)."""
    ways = [
        {"id": "cut", "kind": "melee", "attacks": [{"name": "cut", "damage": ["1d4"]}]},
        {"id": "kick", "kind": "melee", "attacks": [{"name": "kick", "damage": ["1d4"]}]},
        {"id": "shoot", "kind": "missile", "attacks": [{"name": "bow", "damage": ["1d4"]}]},
    ]
    spec.given(
        hero("Ana", weapons=[], routines=ways, multi_attack={"list": plan}), foe("Orc", weapons=[])
    )
    until(begin(spec, 5, 2), slot)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1), target="Orc")
    assert spec.event(Damaged).kind == kind


def test_who_is_out_of_the_reach_of_the_first_routine_is_struck_with_no_other(spec: Spec) -> None:
    """Only the first routine counts, even if a later one is in reach (VD-FREE-08)."""
    bow = weapon("bow", kind="missile", range_ft=100)
    shoot = {"id": "shoot", "kind": "missile", "attacks": [{"weapon": "bow"}]}
    arms = {**MULTI, "weapons": [DAGGER, bow], "routines": [ONCE, shoot]}
    spec.given(hero("Ana", at=[0, 0], **{**arms, "multi_attack": {"list": ["once", "shoot"]}}),
               foe("Orc", at=[9, 0]))  # fmt: skip
    begin(spec, 2, 5)
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.rule("grant-free-attack", attacker="Ana", against="Orc")


def test_what_goes_with_an_attack_is_to_hand(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[DAGGER, weapon("axe")]), foe("Orc"))
    begin(spec, 5, 2).rule("set-item", who="Ana", item="axe", state="gone")
    away = [{"activity": "sheathe-weapon", "item": "axe"}]
    with spec.refused("VD-SIMP-03", "no-weapon"):
        spec.act("Ana", "attack", target="Orc", weapon="dagger", **{"with": away})


def test_a_weapon_that_is_no_routine_strikes_all_the_same(spec: Spec) -> None:
    begin(spec.given(hero("Ana", routines=[], weapons=[DAGGER]), foe("Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc", weapon="dagger")
    assert spec.hp("Orc") == 17
