"""Test fields of weapons, spells and summoned units that no other test sets."""

from typing import Any

import pytest

from tests.rulesets.free_hit.test_spells import BEAST, mage, spell
from tests.rulesets.free_hit.units import foe, unit, weapon
from tests.spec import Spec, rule


@rule("FH-DMG-02")
@pytest.mark.parametrize(
    ("kind", "adds", "damage"),
    [
        ("melee", {}, 7),
        ("melee", {"adds_strength": False}, 4),
        ("ranged", {}, 4),
        ("ranged", {"adds_strength": True}, 7),
    ],
)
def test_a_weapon_adds_strength_or_not(
    spec: Spec, kind: str, adds: dict[str, bool], damage: int
) -> None:
    """By default, only a melee weapon adds Strength to its damage.

    The field `adds_strength` changes that. Strength is +3, and the die shows 4.
    """
    arm = weapon("arm", "1d6", kind=kind, **adds)
    spec.given(unit("Ana", agility=5, strength=3, weapons=[arm], at=[0, 0]), foe("Imp", at=[1, 0]))
    spec.begin().act("Ana", "attack", ("attack", 15), ("damage", 4), target="Imp")
    assert spec.rolled("damage").total == damage


@rule("FH-SMN-01", "FH-SMN-03")
def test_one_spell_may_summon_several(spec: Spec) -> None:
    """Each summoned unit needs a free space and a slot of its summoner.

    A summoner of level 2 has two slots.
    """
    call = spell("call", cast_time={}, summon={"sheet": BEAST, "count": 2})
    mage(spec, call, level=2)
    with spec.refused("FH-SMN-03", "path-blocked"):
        spec.act("Mag", "cast", spell="call", spaces=[[1, 1]])
    spec.act("Mag", "cast", spell="call", spaces=[[1, 1], [1, 0]])
    places = [combatant.position for combatant in spec.combat if combatant.id.startswith("Beast")]
    assert places == [(1, 1, 0), (1, 0, 0)]
    with spec.refused("FH-SMN-02", "slots-full"):
        spec.act("Mag", "cast", spell="call", spaces=[[0, 1], [1, -1]])


@rule("FH-SMN-02")
def test_several_need_a_slot_each(spec: Spec) -> None:
    call = spell("call", cast_time={}, summon={"sheet": BEAST, "count": 2})
    mage(spec, call, level=1)
    with spec.refused("FH-SMN-02", "slots-full"):
        spec.act("Mag", "cast", spell="call", spaces=[[1, 1], [1, 0]])


POOLS = pytest.mark.parametrize(
    ("pool", "hp", "maximum", "mp"),
    [({}, 6, 6, 10), ({"thrall_pool": "mp"}, 10, 10, 6), ({"thrall_pool": "hp"}, 6, 10, 10)],
    ids=["max_hp", "mp", "hp"],
)
"""A thrall costs 4: maximum hit points by default, or points of the pool `thrall_pool`."""


def paid(spec: Spec) -> tuple[int, int | None, int]:
    hp = spec["Mag"].tracks["hp"]
    return hp.value, hp.maximum, spec.hp("Mag", "mp")


@rule("FH-THR-01", "FH-THR-05")
@POOLS
def test_the_pool_that_pays_for_a_thrall(
    spec: Spec, pool: dict[str, Any], hp: int, maximum: int, mp: int
) -> None:
    brought = {"summoner": "Mag", "summoned_in": "before", "thrall_cost": 4, **pool}
    spec.given(unit("Mag", max_hp=10, max_mp=10), unit("Wolf", summon=brought), foe("Imp")).begin()
    spec.answer("Mag", "retain", name="thrall")
    assert paid(spec) == (hp, maximum, mp)


@rule("FH-THR-02", "FH-THR-05")
@POOLS
def test_a_spell_says_which_pool_pays(
    spec: Spec, pool: dict[str, Any], hp: int, maximum: int, mp: int
) -> None:
    call = spell("call", cast_time={}, summon={"sheet": BEAST, "thrall_cost": 4, **pool})
    mage(spec, call, max_hp=10).act("Mag", "cast", spell="call", spaces=[[1, 1]])
    spec.rule("damage", who="Imp", amount=99)
    spec.answer("Mag", "retain", name="thrall")
    assert paid(spec) == (hp, maximum, mp)


@rule("FH-THR-05")
@pytest.mark.parametrize(("pool", "track"), [("mp", "mp"), ("hp", "hp")])
def test_a_pool_that_is_too_empty_pays_for_no_thrall(spec: Spec, pool: str, track: str) -> None:
    brought = {"summoner": "Mag", "summoned_in": "before", "thrall_cost": 4, "thrall_pool": pool}
    left: dict[str, Any] = {track: 4 if track == "hp" else 3}
    mag = unit("Mag", max_hp=10, max_mp=10, **left)
    spec.given(mag, unit("Wolf", summon=brought), foe("Imp")).begin()
    with spec.refused("FH-THR-05", "cannot-pay-thrall-cost"):
        spec.answer("Mag", "retain", name="thrall")
    spec.answer("Mag", "vanish", name="thrall")
    assert spec["Wolf"].has("gone")
