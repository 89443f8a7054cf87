"""Test the effect and the limits of each field of sheets and options."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.combat import typed
from domain.record.events import Damaged, EffectResolved, Rolled
from domain.rulesets import installed
from domain.rulesets.vile_darkness.sheet import Creature
from tests.rulesets.vile_darkness.units import (
    begin,
    engaged,
    foe,
    hero,
    passes,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule


def test_sheets_of_older_releases_are_read_without_their_fields() -> None:
    """A sheet of an older release loads without two fields that no rule used.

    These are the size of a shield and the light of an item.
    """
    now: dict[str, Any] = {"shield": {"name": "buckler", "ac_bonus": 2}, "items": [{"id": "torch"}]}
    then = {
        "shield": {**now["shield"], "size": "small"},
        "items": [{**now["items"][0], "light": True}],
    }
    read = typed(hero("Ana", **then), Creature)
    assert read == typed(hero("Ana", **now), Creature)
    ruleset = installed()["vile-darkness"]
    assert ruleset.read_sheet(hero("Ana", **then)) == read
    with pytest.raises(Malformed, match="unknown field 'weight'"):
        ruleset.read_sheet(hero("Ana", items=[{"id": "torch", "weight": 1}]))


@pytest.mark.parametrize(("damage", "down"), [(14, False), (15, True)])
def test_down_at_is_the_limit(spec: Spec, damage: int, down: bool) -> None:
    """A combatant is down at `down_at` hit points or fewer (GAP-22).

    With `down_at` 5, Ana is down after 15 damage of 20 hit points, but not after 14.
    """
    spec.given(hero("Ana", down_at=5), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("damage", target="Ana", amount=damage)
    assert spec["Ana"].has("down") is down
    if down:
        spec.answer(None, "down", name="dying")
        spec.rule("heal", target="Ana", amount=1)
        assert not spec["Ana"].has("down")  # 6 is above the limit


@pytest.mark.parametrize(("least", "amount"), [(0, 0), (1, 2), (3, 6)])
def test_min_damage_comes_before_the_multiplier(spec: Spec, least: int, amount: int) -> None:
    """Damage of 1 − 1 rises to the minimum first, and is doubled after that (GAP-27)."""
    knife = weapon("knife", damage_modifier=-1, multipliers=[{"when": "backstab", "factor": 2}])
    spec.given(hero("Ana", weapons=[knife]), foe("Orc"), min_damage=least)
    begin(spec, 5, 2)
    blow = [("attack", 15), ("damage", 1)]
    spec.act("Ana", "attack", *blow, target="Orc", circumstances=["backstab"])
    assert spec.event(Damaged).amount == amount


@pytest.mark.parametrize(
    ("given", "amount"), [({}, 7), ({"multiply": False}, 7), ({"multiply": True}, 10)]
)
def test_multiply_says_whether_special_damage_is_multiplied(
    spec: Spec, given: dict[str, Any], amount: int
) -> None:
    """The damage is 2 × 2 + 3, or 2 × 2 + 2 × 3 if the special damage has `multiply` (2.3)."""
    knife = weapon("knife", multipliers=[{"when": "backstab", "factor": 2}])
    attack = {"weapon": "knife", "special_damage": {"formula": "1d4", **given}}
    stab = {"id": "stab", "kind": "melee", "attacks": [attack]}
    spec.given(hero("Ana", weapons=[knife], routines=[stab]), foe("Orc"))
    begin(spec, 5, 2)
    dice = [("attack", 15), ("damage", 2), ("special-damage", 3)]
    spec.act("Ana", "attack", *dice, target="Orc", circumstances=["backstab"])
    assert spec.event(Damaged).amount == amount
    special = [term.value for term in spec.event(Damaged).terms if "special" in term.source]
    assert special == ([3, 3] if amount == 10 else [3])


@pytest.mark.parametrize(
    ("included", "first"), [(["attack"], "Ana"), ([], "Orc"), (["move"], "Orc")]
)
def test_what_is_included_in_an_attack_takes_no_time(
    spec: Spec, included: list[str], first: str
) -> None:
    """An activity that is included in an attack adds no time to it (VD-SIMP-03).

    Ana's sword of speed 5 comes before the Orc's axe of speed 6. If the flourish is not included,
    its 2 segments make the sword slower than the axe.
    """
    flourish = {"id": "flourish", "segments": 2, "included_in": included}
    spec.given(hero("Ana", activities=[flourish]), foe("Orc", weapons=[weapon("axe", speed=6)]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 4, 4)
    until(spec, "group/HIGH/D3")
    spec.act("Ana", "attack", target="Orc", **{"with": ["flourish"]})
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert next(rolled.who for rolled in spec.events(Rolled)) == first


@rule("VD-LOS-01", "VD-LOS-02")
@pytest.mark.parametrize(
    ("given", "works"),
    [({}, False), ({"needs_line_of_sight": True}, False), ({"needs_line_of_sight": False}, True)],
)
def test_a_spell_may_need_no_line_of_sight(spec: Spec, given: dict[str, Any], works: bool) -> None:
    """By default, a distant spell at a creature needs a line of sight (2.4)."""
    bolt = spell("bolt", 3, **given)
    spec.given(hero("Mira", weapons=[], abilities=[bolt]), foe("Orc", weapons=[]))
    spec.rule("set-concealment", **{"from": "Mira", "to": "Orc", "percent": 75})
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    passes(spec, "Mira").act("Orc", "pass", *([("damage", 3)] if works else []))
    assert bool(spec.events(Damaged)) is works


@rule("VD-LOS-01")
def test_an_area_may_need_a_line_of_sight(spec: Spec) -> None:
    """An area with `needs_line_of_sight` is lost without a line of sight (2.4, VD-LOS-03).

    By default, an area needs no line of sight.
    """
    burst = spell("burst", 3, targets="area", radius_ft=5, needs_line_of_sight=True)
    spec.given(
        hero("Mira", weapons=[], abilities=[burst], at=[0, 0]), foe("Orc", weapons=[], at=[4, 0])
    )
    spec.rule("set-concealment", **{"from": "Mira", "to": "4,0", "percent": 75})
    begin(spec, 5, 2, Mira=("cast", {"spell": "burst"}))
    spec.answer("Mira", "target", square=[4, 0], name="spell-target")
    passes(spec, "Mira").act("Orc", "pass")
    assert spec.event(EffectResolved).result == "lost"


@rule("VD-CONC-04")
@pytest.mark.parametrize(("by", "stays"), [("Mira", False), (None, True)])
def test_a_condition_that_somebody_maintains_ends_with_the_concentration(
    spec: Spec, by: str | None, stays: bool
) -> None:
    """A condition ends with Mira's concentration if `maintained_by` names her.

    Without `maintained_by`, the condition stays.
    """
    ward = spell(
        "ward", 1, targets="creature", damage=None, concentration_to_maintain=True,
        effects=[{"condition": "warded"}],
    )  # fmt: skip
    spec.given(hero("Mira", weapons=[], abilities=[ward]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "ward"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    passes(spec, "Mira").act("Orc", "pass")
    assert spec["Mira"].has("concentrating")
    held = {"maintained_by": by, "ability": "ward"} if by else {}
    spec.rule("set-condition", who="Orc", condition="surprised", data=held)
    spec.rule("end-condition", who="Mira", condition="concentrating")
    assert not spec["Orc"].has("warded")
    assert spec["Orc"].has("surprised") is stays


@rule("VD-ATK-02")
def test_an_effect_adds_to_attack_rolls(spec: Spec) -> None:
    bless = spell(
        "bless", 1, targets="creature", damage=None,
        effects=[{"condition": "blessed", "modifiers": {"attack": 3}}],
    )  # fmt: skip
    spec.given(hero("Mira", abilities=[bless]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bless"}))
    spec.answer("Mira", "target", combatant="Mira", name="spell-target")
    until(spec, "end-of-round")
    assert spec["Mira"].has("blessed")
    spec.answer(None, "next-round", name="end-of-round")
    spec.rule("close-declare", ("group-initiative", 5), ("group-initiative", 2))
    until(spec, "group/HIGH/D3").act("Mira", "attack", ("attack", 6), target="Orc")
    assert spec.rolled("attack").total == 9  # 6 + 3
