"""Test limits of a sheet, and pointers to its errors."""

from typing import Any

import pytest

from domain.errors import Impossible, Malformed
from tests.rulesets.vile_darkness.units import SWORD, hero, weapon
from tests.spec import Spec


def strikes(**attack: Any) -> dict[str, Any]:
    return {"routines": [{"id": "strike", "kind": "melee", "attacks": [attack]}]}


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        (strikes(weapon="axe"), "/routines/0/attacks/0/weapon"),
        (strikes(name="claw"), "/routines/0/attacks/0/damage"),
        (strikes(count=3, damage=["1d6", "1d6"]), "/routines/0/attacks/0/damage"),
        (strikes(damage=["1d6"], special_damage={"formula": "x"}),
         "/routines/0/attacks/0/special_damage/formula"),
        (strikes(damage=["1d6"], effects=[{"condition": "burnt", "ongoing": "much"}]),
         "/routines/0/attacks/0/effects/0/ongoing"),
        ({"multi_attack": {"list": ["axe"]}}, "/multi_attack/list/0"),
        ({**strikes(weapon="sword"), "multi_attack": {"list": ["strike", "sword"]}},
         "/multi_attack/list/1"),
        ({"abilities": [{"id": "hum", "segments": "soon"}]}, "/abilities/0/segments"),
        ({"weapons": [SWORD, weapon("axe", "d")]}, "/weapons/1/damage"),
        ({"weapons": [SWORD, SWORD]}, "/weapons"),
        ({"max_hp": None}, "/max_hp"),
        ({"hp": 21}, "/hp"),
    ],
)  # fmt: skip
def test_a_fault_of_a_sheet(spec: Spec, fields: dict[str, Any], pointer: str) -> None:
    with spec.raises(Malformed) as caught:
        spec.given(hero("Ana", **fields))
    assert caught[0].pointer == f"/combatants/0/sheet{pointer}"


@pytest.mark.parametrize(
    ("fields", "reason", "pointer"),
    [
        ({"ac": 11}, "bad-ac", "/ac"),
        ({"ac": -11}, "bad-ac", "/ac"),
        ({"ac": None, "armour": {"name": "shell", "ac": -11}}, "bad-ac", "/armour/ac"),
        ({"ac": None, "armour": {"name": "rags", "ac": 11}}, "bad-ac", "/armour/ac"),
        ({"hit_dice": "½", "aac0": None}, "bad-hit-dice", "/hit_dice"),
        ({"hit_dice": "½", "max_hp": None}, "bad-hit-dice", "/hit_dice"),
        (strikes(damage=["1d6"], aac0=21), "bad-aac0", "/routines/0/attacks/0/aac0"),
        ({"classes": [{"name": "thief", "level": 1, "aac0": 21}]}, "bad-aac0", "/classes/0/aac0"),
        ({"attack_table": {"0": 15}}, "bad-aac0", "/attack_table"),
    ],
)
def test_what_cannot_be(spec: Spec, fields: dict[str, Any], reason: str, pointer: str) -> None:
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ana", **fields))
    assert (caught[0].code, caught[0].pointer) == (reason, f"/combatants/0/sheet{pointer}")


@pytest.mark.parametrize(
    "fields",
    [
        {"ac": -10},
        {"ac": 10},
        {"ac": 5, "armour": {"name": "shell", "ac": -11}},  # `ac` overrides the armour
        {"ac": None, "armour": {"name": "plate", "ac": -10}},
        {"ac": None, "armour": {"name": "rags", "ac": 10}},
        {"hit_dice": "½"},
        {"hit_dice": "½", "aac0": None, "attack_table": {str(ac): 9 for ac in range(-10, 11)}},
        {"hit_dice": "2", "hp": 3},
        {"aac0": "20*"},
        {"hp": 20},
        {"stat_line": "MELEE: claw (1d6)", "multi_attack": {"list": ["melee"]}},
        {"multi_attack": {"list": ["sword"]}},
        strikes(count=2, damage=["1d6", "1d4"]),
        strikes(count=2, damage=["1d6"]),
        strikes(count=2, weapon="sword"),
        {"abilities": [{"id": "hum", "segments": "*"}, {"id": "rite", "segments": "2 rounds"}]},
    ],
)
def test_what_can_be(spec: Spec, fields: dict[str, Any]) -> None:
    spec.given(hero("Ana", **fields))
    assert spec["Ana"].name == "Ana"
