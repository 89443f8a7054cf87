"""Routines of steps 4 and 6: by what they are named, in whose rank they come (VD-MULTI)."""

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
    """Only a mode makes it a single blow with the weapon."""
    spec.given(hero("Ana", **MULTI), foe("Orc", weapons=[]))
    begin(engaged(spec, ("Ana", "Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    until(spec, "multi-rest/HIGH")
    blows = (("attack", 15), ("damage", 1)) * len(formulas)
    spec.act("Ana", "attack", *blows, target="Orc", **named)
    damage = [one.formula for one in spec.events(Rolled, purpose="damage")]
    assert damage == formulas
    assert len(spec.events(Damaged)) == len(formulas)


def test_who_is_delayed_while_others_are_asked_strikes_in_low(spec: Spec) -> None:
    """VD-MULTI-04: the delayed are LOW in step 6 too."""
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
    assert [(one.who, one.reason) for one in spec.events(Prevented)] == [
        ("Ana", "not-your-initiative")
    ]
    assert (spec.combat.phase, asked(spec)) == ("multi-rest/LOW", [("slot-intent", "Ana")])
