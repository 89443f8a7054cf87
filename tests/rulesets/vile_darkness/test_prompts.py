"""Test prompts whose action is lost or prevented."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import Prevented
from domain.rulesets.vile_darkness import notation
from tests import results
from tests.rulesets.vile_darkness.units import (
    asked,
    begin,
    engaged,
    foe,
    hero,
    passes,
    reply,
    spell,
    until,
)
from tests.spec import Spec

# ---- a blocked path (VD-FAST-06, VD-FAST-07)


def test_who_flees_is_asked_for_another_way_when_its_own_is_closed(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 9]))
    begin(spec, 5, 2, Ana=("flee", {"to": [4, 0]}))
    spec.rule("place", who="Orc", at=[2, 0])
    with spec.refused("VD-GRID-04", "path-blocked"):
        spec.act("Ana", "flee")
    spec.act("Ana", "flee", to=[0, 4])
    assert spec["Ana"].position == (0, 4, 0)
    assert not spec.events(Prevented)


def test_who_charges_is_asked_for_another_way_when_its_own_is_closed(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[4, 0]), foe("Rat", at=[9, 9]))
    begin(spec, 5, 5, Ana=("charge", {"target": "Orc"}), Orc=("parley", {}))
    assert spec.combat.phase == "fast/A/HIGH"
    spec.rule("place", who="Rat", at=[2, 0]).act("Orc", "pass")
    assert ("slot-intent", "Ana") in asked(spec)
    spec.act("Ana", "charge", ("attack", 2), path=[[2, 2], [4, 0]])
    assert spec.rolled("attack").who == "Ana"


def test_who_gives_no_other_way_has_its_major_action_left(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 9]))
    begin(spec, 5, 2, Ana=("flee", {"to": [4, 0]}))
    spec.rule("place", who="Orc", at=[2, 0])
    passes(spec, "Ana")
    assert spec.event(Prevented).reason == "path-blocked"
    assert spec["Ana"].budget["major"] == 1


def test_the_way_of_a_flight_is_closed_while_the_others_are_asked(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Bo", at=[0, 9]), foe("Orc", at=[9, 9]))
    begin(spec, 5, 2, Ana=("flee", {"to": [4, 0]}), Bo=("flee", {"to": [4, 9]}))
    spec.act("Ana", "flee").rule("place", who="Orc", at=[2, 0])
    spec.act("Bo", "flee")
    assert asked(spec) == [("slot-intent", "Ana")]
    spec.act("Ana", "flee", to=[0, 4])
    assert spec["Ana"].position == (0, 4, 0)
    assert spec["Bo"].position == (4, 9, 0)


def test_the_way_of_a_flight_is_closed_while_the_free_attacks_are_asked(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[0, 1]), foe("Rat", at=[9, 9]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Ana=("flee", {"to": [4, 0]}))
    spec.act("Ana", "flee").rule("place", who="Rat", at=[2, 0])
    spec.answer("Orc", "pass", name="free-attack")
    assert asked(spec) == [("slot-intent", "Ana")]
    with spec.refused("VD-GRID-04", "path-blocked"):
        spec.answer("Ana", "flee", to=[4, 0])
    spec.answer("Ana", "flee", to=[4, 4])
    assert spec["Ana"].position == (4, 4, 0)
    assert not spec["Ana"].has("engaged")


# ---- a helping touch (GAP-52 c)


@pytest.mark.parametrize(("option", "warded"), [("lost", False), ("resolves", True)])
def test_the_gm_says_what_becomes_of_a_touch_for_a_fallen_friend(
    spec: Spec, option: str, warded: bool
) -> None:
    shield = spell("shield", 3, range_ft="touch", damage=None, effects=[{"condition": "warded"}])
    spec.given(hero("Mira", abilities=[shield]), hero("Ana"), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "shield"}))
    spec.answer("Mira", "target", name="spell-target", combatant="Ana")
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    until(spec, "spells/3/HIGH")
    reply(spec, "fallen-friend", option)
    assert spec["Ana"].has("warded") is warded
    assert not spec["Mira"].has("casting")
    lost = [note for note in results.notes(spec.told()) if "lost" in note]
    assert bool(lost) is not warded


def test_a_touch_that_hurts_is_lost_with_its_target(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("jolt", 3, range_ft="touch")]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "jolt"}))
    spec.answer("Mira", "target", name="spell-target", combatant="Orc")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    until(spec, "spells/3/HIGH")
    assert not spec["Mira"].has("casting")


# ---- required names


@pytest.mark.parametrize("targets", ["creature", "object", "point", "area"])
def test_a_target_without_a_name_is_none(spec: Spec, targets: str) -> None:
    """A target needs a name (VD-TGT-03)."""
    spec.given(hero("Mira", abilities=[spell("bolt", 3, targets=targets)]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    with spec.raises(Malformed) as caught:
        spec.answer("Mira", "target", name="spell-target")
    assert caught[0].pointer.startswith("/inputs/")
    spec.answer("Mira", "none", name="spell-target")
    assert not spec["Mira"].has("casting")


@pytest.mark.parametrize("fields", [{"targets": "self", "range_ft": 0}, {"targets": "area"}])
def test_the_default_of_the_question_is_legal(spec: Spec, fields: dict[str, Any]) -> None:
    """The default target is the caster, or the target declared in step 1 (GAP-41)."""
    spec.given(hero("Mira", abilities=[spell("ward", 3, **fields)]), foe("Orc", weapons=[]))
    named = {} if fields["targets"] == "self" else {"target": "Orc"}
    begin(spec, 5, 2, Mira=("cast", {"spell": "ward", **named}))
    assert spec.prompt("Mira", "spell-target").default == "target"
    spec.answer("Mira", "target", name="spell-target")
    assert spec["Mira"].has("casting")


def test_gives_up_names_what_is_committed_and_nothing_else(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[spell("bolt", 3)]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("cast", {"spell": "bolt"}))
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    with spec.raises(Malformed) as caught:
        spec.answer("Ana", "take", name="immediate-attack", gives_up="dancing")
    assert (caught[0].pointer, caught[0].allowed) == ("/inputs/gives_up", ("cast",))
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack", gives_up="cast")
    assert not spec["Ana"].has("casting")


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        ("touch (1d6) plus cold and fear", [("touch", ("cold", "fear"))]),
        ("claw (1d6) plus cold and fear and bite (2d6)",
         [("claw", ("cold", "fear")), ("bite", ())]),
        ("claw (1d6) plus cold, fear, bite (2d6) plus rot;",
         [("claw", ("cold", "fear")), ("bite", ("rot",))]),
    ],
)  # fmt: skip
def test_an_attack_brings_several_effects(line: str, entries: list[Any]) -> None:
    """A stat line may list several effects of an attack (VD-ATK-08)."""
    (melee,) = notation.parse(f"MELEE: {line}")
    assert [(entry.name, entry.effects) for entry in melee.entries] == entries
