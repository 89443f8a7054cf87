"""Test refusals of steps 3, 4 and 6, of reactions, and of missing items."""

from typing import Any

import pytest

from domain.errors import Illegal, Malformed
from domain.record.events import Damaged, Prevented, Rolled
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.abilities import candidates
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    close,
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

CROSSBOW = weapon("crossbow", "1d4", kind="missile", range_ft=60, loading="load-light-crossbow")
BLADE = {"id": "blade", "kind": "melee", "attacks": [{"weapon": "sword"}]}
KICK = {"id": "kick", "kind": "melee", "attacks": [{"damage": ["1d3"]}]}


def rolls(spec: Spec) -> list[str]:
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == "attack"]


# ---- step 3


def test_who_has_struck_at_once_flees_no_more(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2, Ana="flee", Odo="flee")
    spec.act("Ana", "flee")  # Odo is still asked
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack")
    spec.act("Odo", "flee")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "major-already-used")
    ]


def test_nobody_charges_with_a_bow_or_with_what_is_gone(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[BOW]), hero("Odo"), foe("Orc"))
    announce(spec).act("Ana", "charge", target="Orc").act("Odo", "charge", target="Orc")
    spec.rule("set-item", who="Odo", item="sword", state="gone")
    spec.rule("close-declare", ("group-initiative", 5), ("group-initiative", 2))
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "no-weapon"), ("Odo", "no-weapon"),
    ]  # fmt: skip
    assert [spec[who].budget["major"] for who in ("Ana", "Odo")] == [1, 1]


# ---- steps 4 and 6


def fighters(spec: Spec) -> Spec:
    spec.given(
        hero("Ana", routines=[BLADE, KICK], multi_attack={"list": ["blade", "kick", "blade"]}),
        hero("Odo"), foe("Orc", max_hp=60, multi_attack={"routines": 2}),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    return begin(spec, 5, 2)


def test_step_4_is_for_multi_attackers_of_its_rank(spec: Spec) -> None:
    fighters(spec)
    assert spec.combat.phase == "multi-primary/HIGH"
    for who, target in (("Odo", "Orc"), ("Orc", "Ana")):
        with spec.refused("VD-MULTI-01", "wrong-phase"):
            spec.act(who, "attack", target=target)
        with spec.refused("VD-MULTI-01", "wrong-phase"):
            spec.act(who, "called-shot", target=target, aim="eye")
    with spec.refused("VD-MULTI-01", "wrong-kind"):
        spec.act("Ana", "attack", target="Orc", routine="kick")
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    assert ("called-shot", None) in asked(spec)


def test_step_6_has_its_order_and_its_ranks(spec: Spec) -> None:
    fighters(spec).act("Ana", "attack", ("attack", 2), target="Orc")
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    until(spec, "multi-rest/HIGH")
    with spec.refused("VD-MULTI-02", "wrong-kind"):
        spec.act("Ana", "attack", target="Orc", routine="blade")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Orc", "attack", target="Ana")  # the Orc's rank is still to come
    with spec.refused("VD-MULTI-02", "wrong-phase"):
        spec.act("Odo", "attack", target="Orc")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert (spec.combat.phase, asked(spec)) == ("multi-rest/LOW", [("slot-intent", "Orc")])


def test_a_routine_without_a_target_lapses_for_the_next_one(spec: Spec) -> None:
    shoot = {"id": "shoot", "kind": "missile", "attacks": [{"weapon": "bow"}]}
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD, BOW], routines=[BLADE, shoot],
             multi_attack={"list": ["blade", "blade", "shoot"]}),
        foe("Orc", at=[1, 0], max_hp=1), foe("Rat", at=[9, 0], weapons=[]),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), target="Orc")
    spec.answer(None, "down", name="dying")
    until(spec, "multi-rest/HIGH")
    assert spec["Ana"].facts["routines_left"] == ["shoot"]
    spec.act("Ana", "attack", ("attack", 15), ("damage", 2), target="Rat")
    assert spec.event(Damaged).kind == "bow"


# ---- no weapon


def test_without_a_weapon_nobody_strikes(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), hero("Odo"), foe("Orc")), 5, 2)
    assert spec.combat.phase == "group/HIGH/D3"
    with spec.refused("VD-ROUT-01", "no-weapon"):
        spec.act("Ana", "attack", target="Orc")
    with spec.refused("VD-ROUT-01", "no-weapon"):
        spec.act("Ana", "called-shot", target="Orc", aim="eye")
    for grant in ("grant-free-attack", "grant-immediate-attack"):
        with spec.refused("VD-ROUT-01", "no-weapon"):
            spec.rule(grant, attacker="Ana", against="Orc")


def test_one_target_may_stand_in_a_list(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 3, 3)
    spec.act("Ana", "attack", target=["Orc"])
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    assert spec.event(Prevented).reason == "gone"


# ---- reactions


def test_the_first_routine_of_a_multi_attack_is_the_primary_one(spec: Spec) -> None:
    spec.given(
        hero("Ana", routines=[KICK, BLADE], multi_attack={"list": ["blade", "kick"]}), foe("Orc")
    )
    begin(spec, 5, 2)
    spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 15), ("damage", 3), name="free-attack")
    assert spec.event(Damaged).kind == "sword"


def test_by_default_the_first_primary_routine_that_is_legal(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD, BOW],
             routines=[{**KICK, "primary": False}, {**BLADE, "primary": True},
                       {"id": "shoot", "kind": "missile", "attacks": [{"weapon": "bow"}]}]),
        foe("Orc", at=[1, 0]), foe("Rat", at=[9, 0]),
    )  # fmt: skip
    begin(spec, 5, 2)
    for target, kind in (("Orc", "sword"), ("Rat", "bow")):
        fresh = Spec(spec.ruleset)
        fresh.live = spec.live
        fresh.rule("grant-free-attack", attacker="Ana", against=target)
        fresh.answer("Ana", "take", ("attack", 15), ("damage", 3), name="free-attack")
        assert fresh.event(Damaged).kind == kind


def test_who_cannot_react_is_granted_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[5, 0]))
    begin(spec, 5, 2)
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.rule("condition", target="Ana", condition="held", flags=["cannot_act"])
    with spec.refused("VD-CONC-03", "cannot-act"):
        spec.rule("grant-free-attack", attacker="Ana", against="Orc")


def test_of_two_who_flee_one_may_fall_before_the_answer(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2, Orc="flee", Rat="flee")
    spec.act("Orc", "flee").act("Rat", "flee")
    assert asked(spec) == [("free-attack", "Ana")]
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.answer("Ana", "take", ("attack", 2), name="free-attack", target="Rat")
    assert rolls(spec) == ["Ana"]


def test_the_immediate_attack_is_on_the_one_who_triggers_it(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), foe("Rat")), 5, 2)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    with spec.refused("VD-IMMA-01", "one-target-per-routine"):
        spec.answer("Ana", "take", name="immediate-attack", target="Rat")


def test_a_set_weapon_whose_charger_falls_strikes_nobody(spec: Spec) -> None:
    pike = weapon("pike", "1d8", multipliers=[{"when": "set-for-charge", "factor": 2}])
    spec.given(
        hero("Ana"), hero("Odo"), foe("Orc", weapons=[pike]), foe("Rat", weapons=[pike])
    )  # fmt: skip
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}), Odo=("charge", {"target": "Rat"}))
    spec.act("Ana", "charge").act("Odo", "charge")
    spec.answer("Orc", "take", name="immediate-attack")  # the Rat is still asked
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    spec.answer("Rat", "pass", ("attack", 2), name="immediate-attack")
    assert [prevented.who for prevented in spec.events(Prevented)] == ["Orc"]
    assert spec["Orc"].budget["major"] == 1
    assert rolls(spec) == ["Odo"]


def test_another_weapon_than_the_set_one_may_be_used(spec: Spec) -> None:
    pike = weapon("pike", "1d8", multipliers=[{"when": "set-for-charge", "factor": 2}])
    for named, lost in (({}, 8), ({"weapon": "sword"}, 4), ({"routine": "sword"}, 4)):
        fresh = Spec(spec.ruleset)
        fresh.given(hero("Ana"), foe("Orc", weapons=[pike, SWORD]))
        begin(fresh, 5, 2, Ana=("charge", {"target": "Orc"})).act("Ana", "charge")
        fresh.answer("Orc", "take", ("attack", 15), ("damage", 4), ("attack", 2), **named)
        assert fresh.hp("Ana") == 20 - lost


def test_an_immediate_attack_is_a_primary_one_that_is_legal(spec: Spec) -> None:
    two = {"list": ["blade", "kick"]}
    spec.given(
        hero("Ana", at=[0, 0], routines=[BLADE, KICK], multi_attack=two),
        foe("Orc", at=[1, 0]), foe("Rat", at=[9, 0]),
    )  # fmt: skip
    begin(spec, 5, 2)
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.rule("grant-immediate-attack", attacker="Ana", against="Rat")
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    with spec.refused("VD-FREE-08", "wrong-kind"):
        spec.answer("Ana", "take", name="immediate-attack", routine="kick")
    spec.answer("Ana", "pass", name="immediate-attack")
    assert spec["Ana"].budget["major"] == 1
    spec.rule("condition", target="Ana", condition="held", flags=["cannot_act"])
    with spec.refused("VD-CONC-03", "cannot-act"):
        spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")


def test_a_weapon_that_is_taken_away_is_not_set(spec: Spec) -> None:
    pike = weapon("pike", "1d8", multipliers=[{"when": "set-for-charge", "factor": 2}])
    spec.given(hero("Ana"), foe("Orc", weapons=[pike, SWORD]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"})).act("Ana", "charge")
    spec.rule("set", ("attack", 2), who="Orc", sheet={"weapons": [SWORD]})
    assert ("immediate-attack", "Orc") not in asked(spec)


def test_whose_primary_routine_is_nowhere_is_not_asked(spec: Spec) -> None:
    spec.given(
        hero("Ana"), foe("Orc", weapons=[], stat_line="MELEE: claw (1d4);",
                         multi_attack={"routines": 2, "list": ["bite"]}),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Ana="flee").act("Ana", "flee")
    assert ("free-attack", "Orc") not in asked(spec)


def test_an_immediate_attack_ends_what_waits_for_low(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW, SWORD]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", weapon="crossbow", **{"with": ["load-light-crossbow"]})
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack", weapon="sword")
    assert spec["Ana"].facts["queued"] == []
    assert shown(spec, "Ana", "major_committed") is None
    until(spec, "end-of-round")
    assert rolls(spec) == ["Ana"]


def test_what_waits_for_low_is_told(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["load-light-crossbow"]})
    assert "attack postponed" in results.notes(spec.told())


# ---- abilities


def test_two_innate_abilities_in_a_slot_are_the_gms(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[power("gaze"), power("hum")]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "innate", ability="gaze", target="Orc")
    spec.act("Ana", "innate", ability="hum", target="Orc")
    prompt = spec.prompt(name="multiple-minors")
    assert prompt.data == {"actor": "Ana", "activities": ["innate"]}
    spec.answer(None, "delaying", name="multiple-minors")
    until(spec, "group/LOW/D4")
    assert spec["Ana"].facts["added_segments"] == 2  # the second came in D1 of LOW


def test_a_caster_in_melee_does_not_position_after_its_spell(spec: Spec) -> None:
    bolt = {"id": "bolt", "category": "incantation", "segments": 2}
    spec.given(hero("Mira", abilities=[bolt]), foe("Orc", weapons=[]))
    engaged(spec, ("Mira", "Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target").act("Mira", "pass").act("Orc", "pass")
    assert spec.combat.phase == "end-of-round"


def test_a_complex_ability_takes_effect_at_its_target(spec: Spec) -> None:
    rite = power("rite", action_type="complex", damage="1d4")
    spec.given(hero("Ana", weapons=[], abilities=[rite]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("complex", {"ability": "rite", "target": "Orc"}))
    spec.act("Orc", "pass", ("damage", 3))
    assert spec.hp("Orc") == 17


def test_touch_needs_the_next_square(spec: Spec) -> None:
    touch = power("touch", range_ft="touch")
    spec.given(hero("Ana", at=[0, 0], abilities=[touch]), foe("Orc", at=[2, 0]))
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-06", "out-of-reach"):
        spec.act("Ana", "innate", ability="touch", target="Orc")


@pytest.mark.parametrize("target", [{"square": [1, 1, 1]}, {"combatant": "Orc"}])
def test_what_is_beside_and_above_is_touched(spec: Spec, target: dict[str, Any]) -> None:
    """A touch reaches adjacent squares and combatants at most 1 higher or lower (GAP-30)."""
    touch = power("touch", range_ft="touch", targets="point", radius_ft=1, damage="1d4")
    spec.given(hero("Ana", at=[0, 0], abilities=[touch]), foe("Orc", at=[1, 1, 1]))
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-06", "out-of-reach"):
        spec.act("Ana", "innate", ability="touch", target={"square": [0, 0, 2]})
    spec.act("Ana", "innate", ("damage", 3), ability="touch", target=target)
    assert spec.hp("Orc") == 17


def test_an_effect_with_a_save_of_its_own(spec: Spec) -> None:
    sleep = {"condition": "asleep", "save": {"category": "spells"}}
    for face, asleep in ((11, True), (12, False)):
        fresh = Spec(spec.ruleset)
        fresh.given(hero("Ana", abilities=[power("hum", effects=[sleep])]),
                    foe("Orc", saves={"spells": 12}))  # fmt: skip
        begin(fresh, 5, 2)
        fresh.act("Ana", "innate", ("save", face), ability="hum", target="Orc")
        assert fresh["Orc"].has("asleep") is asleep


def test_samples_of_targets(spec: Spec) -> None:
    powers: list[dict[str, Any]] = [
        power("glow", targets="self", range_ft=0), power("gaze"), power("storm", targets="point"),
    ]  # fmt: skip
    spec.given(hero("Ana", abilities=powers), foe("Orc", at=[3, 0]))
    samples = list(candidates("innate")(Play(spec.ruleset, spec.combat), "Ana"))
    assert samples == [
        {"ability": "glow"},
        {"ability": "gaze", "target": "Ana"}, {"ability": "gaze", "target": "Orc"},
        {"ability": "storm", "target": {"combatant": "Ana"}},
        {"ability": "storm", "target": {"square": [3, 0, 0]}},
    ]  # fmt: skip


def test_nothing_is_told_of_a_flight_that_was_prevented(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana="flee")
    spec.rule("condition", target="Ana", condition="held", flags=["cannot_act"])
    assert "flees" not in " ".join(
        results.notes(recorded.event for recorded in spec.live.history.path)
    )


# ---- complex abilities, and requirements of abilities


def test_a_complex_ability_lasts_as_long_as_it_says(spec: Spec) -> None:
    rite = power("rite", action_type="complex", segments="2 rounds", targets="self", range_ft=0,
                 concentration_to_cast=True, uses=1)  # fmt: skip
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    spec.given(hero("Ana", weapons=[], abilities=[rite, ward]), foe("Orc", weapons=[]))
    announce(spec)
    spec.rule("set-concentrating", who="Ana", ability="ward")
    with spec.raises(Malformed):
        spec.act("Ana", "complex")
    with spec.refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Ana", "complex", activity="close-door")
    close(spec.act("Ana", "complex", ability="rite"), 5, 2)
    assert shown(spec, "Ana", "begun") == "complex"
    assert shown(spec, "Ana", "concentrating_on") is None  # one concentration at a time
    next_round(spec, 5, 2)
    assert spec["Ana"].has("complex-activity")
    next_round(spec, 5, 2)
    assert not spec["Ana"].has("complex-activity")
    assert "complex_activity" not in spec["Ana"].facts
    until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")
    with spec.refused("VD-CONC-08", "no-uses-left"):
        spec.act("Ana", "complex", ability="rite")


def test_a_major_ability_takes_the_major_action_and_a_target_in_range(spec: Spec) -> None:
    blast = power("blast", action_type="major", range_ft=20, uses=1)
    spec.given(hero("Ana", at=[0, 0], abilities=[blast, {**blast, "id": "other"}, power("gaze")]),
               foe("Orc", at=[5, 0]), foe("Rat", at=[3, 0]))  # fmt: skip
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-06", "out-of-range"):
        spec.act("Ana", "innate", ability="blast", target="Orc")  # 25 ft
    spec.act("Ana", "innate", ability="blast", target="Rat")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "innate", ability="other", target="Rat")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "innate", ability="blast", target="Rat")


def test_who_passes_its_fast_action_has_given_it_up(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana="flee")
    passes(spec, "Ana")
    assert spec["Ana"].budget["major"] == 0
    assert shown(spec, "Ana", "major_committed") is None


def test_what_was_carried_over_is_completed_once(spec: Spec) -> None:
    slow = {"id": "unpack", "segments": 12}
    spec.given(hero("Ana", weapons=[], activities=[slow]), foe("Orc", weapons=[]))
    begin(spec, 5, 2).act("Ana", "simple", activity="unpack")
    for _ in range(2):
        next_round(spec, 5, 2)
    until(spec, "end-of-round")
    path = [recorded.event for recorded in spec.live.history.path]
    told = results.notes(path)
    assert told.count("simple done") == 1


def test_an_activity_that_needs_concentration_is_spoiled(spec: Spec) -> None:
    tune = {"id": "tune", "kind": "complex", "concentration": True}
    dig = {"id": "dig", "kind": "complex"}
    spec.given(hero("Ana", activities=[tune]), hero("Odo", activities=[dig]), foe("Orc"))
    begin(spec, 5, 2, Ana=("complex", {"activity": "tune"}), Odo=("complex", {"activity": "dig"}))
    for who in ("Ana", "Odo"):
        spec.rule("damage", target=who, amount=1)
    assert [spec[who].has("complex-activity") for who in ("Ana", "Odo")] == [False, True]


def test_to_declare_one_ability_is_not_to_declare_another(spec: Spec) -> None:
    said = {"declared": True}
    spec.given(hero("Ana", abilities=[power("gaze", **said), power("hum", **said)]), foe("Orc"))
    begin(spec, 5, 2, Ana=("innate", {"ability": "gaze"}))
    with spec.refused("VD-DECL-02", "not-declared"):
        spec.act("Ana", "innate", ability="hum", target="Orc")


@pytest.mark.parametrize(
    "way", [{"to": [9, 0]}, {"path": [[9, 0]]}, {"to": [9, 0], "engage": ["Rat"]}]
)
def test_a_way_that_is_closed_is_at_fault_and_not_what_is_at_its_end(
    spec: Spec, way: dict[str, Any]
) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[]),
        foe("Orc", at=[4, 0], weapons=[]), foe("Rat", at=[10, 0], weapons=[]),
    )  # fmt: skip
    until(begin(spec, 5, 2), "group/HIGH/D4")
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "move", **way)
    assert (caught[0].code, caught[0].pointer) == ("path-blocked", f"/inputs/{next(iter(way))}")


# ---- the wrong field


@pytest.mark.parametrize(
    ("declared", "pointer"),
    [
        ({"action": "flee", "delay": True}, "/inputs/delay"),
        ({"action": "move", "inputs": {"distance_ft": 5}}, "/inputs/action"),
        ({"action": "complex", "inputs": {"activity": "bar"}, "delay": True}, "/inputs/action"),
    ],
)
def test_a_refused_declaration_points_at_its_part(
    spec: Spec, declared: dict[str, Any], pointer: str
) -> None:
    """A refused declaration points at the field that the rules forbid.

    A round has one major action (VD-DECL-08), and a complex activity allows no other action
    (VD-CPLX-04).
    """
    spec.given(hero("Ana", activities=[{"id": "bar", "kind": "complex"}]), foe("Orc"))
    announce(spec)
    if declared["action"] != "flee":
        spec.answer("Ana", "declare", action="attack", inputs={"target": "Orc"})
    with spec.raises(Illegal) as caught:
        spec.answer("Ana", "declare", **declared)
    assert caught[0].pointer == pointer


@pytest.mark.parametrize("grant", ["grant-free-attack", "grant-immediate-attack"])
def test_a_refused_grant_points_at_a_field_of_the_ruling(spec: Spec, grant: str) -> None:
    """The refusal points at the ruling's `against`, not at an attack's `target` (VD-MELEE-01)."""
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 9]))
    begin(spec, 5, 2)
    with spec.raises(Illegal) as caught:
        spec.rule(grant, attacker="Ana", against="Orc")
    assert (caught[0].code, caught[0].pointer) == ("out-of-reach", "/inputs/against")


def test_a_thing_that_is_not_to_hand_is_pointed_at(spec: Spec) -> None:
    """The refusal points at the second activity, whose item the GM took away (VD-SIMP-03)."""
    spec.given(hero("Ana"), foe("Orc"))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2).rule("set-item", who="Ana", item="sword", state="gone")
    until(spec, "group/HIGH/D3")
    draw = {"activity": "draw-weapon", "item": "sword"}
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "attack", target="Orc", **{"with": ["close-door", draw]})
    assert (caught[0].rule, caught[0].pointer) == ("VD-SIMP-03", "/inputs/with/1")
