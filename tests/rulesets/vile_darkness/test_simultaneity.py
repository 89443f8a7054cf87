"""Test that the order of joining does not change simultaneous actions (VD-INIT-07, GAP-11).

All changes of a batch take effect after its last roll.
"""

from typing import Any

import pytest

from domain.record.events import ConditionGained, Rolled
from tests.rulesets.vile_darkness.units import (
    begin,
    engaged,
    foe,
    hero,
    next_round,
    passes,
    power,
    shown,
    until,
    weapon,
)
from tests.spec import Spec

ORDERS = pytest.mark.parametrize("order", [("Ana", "Orc"), ("Orc", "Ana")], ids=["Ana", "Orc"])
"""Orders of joining."""

WARD = power("ward", targets="self", range_ft=0, segments=0, concentration_to_maintain=True,
             effects=[{"condition": "warded", "modifiers": {"ac": 2}}])  # fmt: skip


def joined(spec: Spec, order: tuple[str, ...], *sheets: dict[str, Any], **options: Any) -> Spec:
    by_name = {sheet["name"]: sheet for sheet in sheets}
    return spec.given(*(by_name[name] for name in order), **options)


def dice(spec: Spec, order: tuple[str, ...], **faces: int) -> list[tuple[str, int]]:
    """Return attack dice in the order of joining."""
    return [("attack", faces[name]) for name in order]


def exchange(spec: Spec, order: tuple[str, ...], *hurt: tuple[str, int], **faces: int) -> None:
    """Let Ana and the Orc strike each other at the same time.

    The last answer starts the rolls.
    """
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", *dice(spec, order, **faces), *hurt, target="Ana")


@ORDERS
def test_a_ward_holds_until_the_last_blow_of_the_moment(spec: Spec, order: tuple[str, ...]) -> None:
    joined(spec, order, hero("Ana", abilities=[WARD]), foe("Orc"))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 4, 4)
    spec.act("Ana", "innate", ability="ward")
    until(spec, "group/HIGH/D3")
    exchange(spec, order, Ana=2, Orc=11)
    blow = next(rolled for rolled in spec.events(Rolled) if rolled.who == "Orc")
    assert (blow.target, blow.outcome) == (12, "miss")  # AAC0 15 − (AC 5 − 2)
    assert not spec["Ana"].has("concentrating")
    assert not spec["Ana"].has("warded")


@ORDERS
def test_a_shield_dropped_with_an_attack_still_protects_in_its_moment(
    spec: Spec, order: tuple[str, ...]
) -> None:
    shield = {"name": "buckler", "ac_bonus": 2}
    slow = {"weapons": [weapon("axe", "1d8", 6)]}
    joined(spec, order, hero("Ana", shield=shield), foe("Orc", **slow))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 4, 4)
    until(spec, "group/HIGH/D3")
    drop = [{"activity": "drop-item", "item": "buckler"}]
    spec.act("Ana", "attack", target="Orc", **{"with": drop})
    spec.act("Orc", "attack", *dice(spec, order, Ana=2, Orc=11), target="Ana")  # 5 + 1 = 6
    blow = next(rolled for rolled in spec.events(Rolled) if rolled.who == "Orc")
    assert (blow.target, blow.outcome) == (12, "miss")
    assert shown(spec, "Ana", "effective_ac") == 5


@ORDERS
def test_wards_given_and_ended_in_one_moment(spec: Spec, order: tuple[str, ...]) -> None:
    """Ana's new ward ends her old ward, which still counts against a simultaneous ability."""
    guard = power("guard", targets="self", range_ft=0, concentration_to_maintain=True,
                  effects=[{"condition": "guarded", "modifiers": {"saves": 4}}])  # fmt: skip
    other = {**guard, "id": "other", "name": "other", "effects": [{"condition": "hazy"}]}
    gaze = power("gaze", save={"category": "spells"}, damage="1d4")
    joined(spec, order, hero("Ana", abilities=[guard, other], saves={"spells": 15}),
           foe("Orc", abilities=[gaze]))  # fmt: skip
    begin(spec, 4, 4)
    spec.act("Ana", "innate", ability="guard").act("Orc", "pass")
    next_round(spec, 4, 4)
    spec.act("Ana", "innate", ability="other")
    spec.act("Orc", "innate", ("save", 11), ability="gaze", target="Ana")
    assert spec.rolled("save").outcome == "success"  # 11 + 4: the ward still holds
    assert not spec["Ana"].has("guarded")
    assert spec["Ana"].has("hazy")


@ORDERS
def test_two_who_leave_their_melee_at_once_draw_their_attacks_at_once(
    spec: Spec, order: tuple[str, ...]
) -> None:
    joined(spec, order, hero("Ana", at=[0, 0], max_hp=3), foe("Orc", at=[1, 0], max_hp=3))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 4, 4)
    until(spec, "group/HIGH/D4")
    spec.act("Ana", "move", to=[-3, 0]).act("Orc", "move", to=[4, 0])
    spec.answer(None, "free-attacks", name="leave-melee")
    spec.answer(None, "free-attacks", name="leave-melee")
    assert {who for _, name, who in spec.open() if name == "free-attack"} == {"Ana", "Orc"}
    spec.answer("Ana", "take", name="free-attack")
    blows = [("attack", 12), ("damage", 4)] * 2
    spec.answer("Orc", "take", *blows, name="free-attack")
    assert (spec.hp("Ana"), spec.hp("Orc")) == (-1, -1)


@ORDERS
def test_nobody_who_flees_closes_the_way_of_another(spec: Spec, order: tuple[str, ...]) -> None:
    """The rules judge both paths by the positions at the beginning of the moment."""
    joined(spec, order, hero("Ana", at=[0, 0]), foe("Orc", at=[2, 0]))
    begin(spec, 4, 4, Ana=("flee", {"to": [1, 5]}), Orc=("flee", {"to": [0, 10]}))
    spec.act("Ana", "flee").act("Orc", "flee")
    assert spec["Ana"].position == (1, 5, 0)
    assert spec["Orc"].position == (0, 10, 0)


@ORDERS
def test_melee_begins_where_both_have_come_to_stand(spec: Spec, order: tuple[str, ...]) -> None:
    joined(spec, order, hero("Ana", at=[0, 0]), foe("Orc", at=[3, 0]))
    begin(spec, 4, 4)
    until(spec, "group/HIGH/D4")
    spec.act("Ana", "move", to=[2, 0], engage=["Orc"]).act("Orc", "move", to=[8, 0])
    assert not spec["Ana"].has("engaged")
    assert spec["Ana"].position == (2, 0, 0)


@ORDERS
def test_a_second_charger_meets_no_melee_of_this_moment(spec: Spec, order: tuple[str, ...]) -> None:
    """Ana's charge does not reach Orc's first place, because both charges begin together."""
    joined(spec, order, hero("Ana", at=[0, 0]), foe("Orc", at=[30, 0]))
    spec.join(**hero("Bo", at=[29, 0]))
    charges = {"Ana": ("charge", {"target": "Orc"}), "Orc": ("charge", {"target": "Bo"})}
    begin(spec, 4, 4, **charges)
    spec.act("Ana", "charge").act("Orc", "charge", ("attack", 2))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Orc"]


@ORDERS
def test_what_burns_both_burns_both_at_once(spec: Spec, order: tuple[str, ...]) -> None:
    """Ana and the Orc maintain a fire on each other. Neither fire ends the other."""
    fire = power("fire", damage=None, concentration_to_maintain=True,
                 effects=[{"condition": "burning", "ongoing": "1d4"}])  # fmt: skip
    joined(spec, order, hero("Ana", abilities=[fire]), foe("Orc", abilities=[fire]))
    begin(spec, 4, 4)
    spec.act("Ana", "innate", ability="fire", target="Orc")
    spec.act("Orc", "innate", ability="fire", target="Ana")
    burns = [
        condition_gained.data["began"]
        for condition_gained in spec.events(ConditionGained, condition="burning")
    ]
    assert burns == [1, 1]
    passes(spec, "Ana", "Orc")
    until(spec, "end-of-round")
    for who in order:
        spec.answer(who, "roll", faces=[3])
    assert (spec.hp("Ana"), spec.hp("Orc")) == (17, 17)
