"""Test free attacks and immediate attacks (VD-FREE, VD-IMMA)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed
from domain.record.events import Prevented, Rolled
from tests.rulesets.vile_darkness.units import (
    SWORD,
    asked,
    begin,
    engaged,
    foe,
    hero,
    passes,
    power,
    reply,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule


def grant(spec: Spec, attacker: str, against: str, **more: Any) -> Spec:
    return spec.rule("grant-free-attack", attacker=attacker, against=against, **more)


def fight(spec: Spec, **ana: Any) -> Spec:
    """Begin with Ana LOW, before anybody has acted."""
    spec.given(hero("Ana", **ana), foe("Orc", max_hp=40), foe("Rat", max_hp=40))
    return begin(spec, 2, 5)


# ---- free attacks


@rule("VD-FREE-01")
def test_who_is_dropped_does_not_complete_the_trigger(spec: Spec) -> None:
    spec.given(hero("Ana", max_hp=3, at=[0, 0]), foe("Orc", at=[1, 0]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "move", path=[[-3, 0]]).answer(None, "free-attacks", name="leave-melee")
    spec.answer("Orc", "take", ("attack", 15), ("damage", 4), name="free-attack")
    spec.answer(None, "down", name="dying")
    assert spec["Ana"].position == (0, 0, 0)
    assert spec["Ana"].budget["major"] == 0


@rule("VD-FREE-02")
def test_it_costs_no_action(spec: Spec) -> None:
    fight(spec, abilities=[spell("rod", 4, category="invocation")])
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2))
    assert spec["Ana"].budget == {"major": 1, "spell": 1}
    assert "added_segments" not in spec["Ana"].facts


@rule("VD-FREE-03")
def test_one_on_the_same_opponent_in_a_round(spec: Spec) -> None:
    fight(spec)
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2))
    passes(spec, "Orc", "Rat")  # another segment
    with spec.refused("VD-FREE-03", "free-attack-used"):
        grant(spec, "Ana", "Orc")


@rule("VD-FREE-03")
def test_different_opponents_may_each_have_one(spec: Spec) -> None:
    fight(spec)
    for who in ("Orc", "Rat"):
        grant(spec, who, "Ana").answer(who, "take", ("attack", 2), name="free-attack")
    assert len(spec.combat["Rat"].facts["free_attacks_made"]) == 1


@rule("VD-FREE-04")
def test_one_in_a_segment(spec: Spec) -> None:
    fight(spec)
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2))
    with spec.refused("VD-FREE-04", "free-attack-used"):
        grant(spec, "Ana", "Rat")


@rule("VD-FREE-05")
def test_in_another_segment_another_opponent(spec: Spec) -> None:
    fight(spec)
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2))
    passes(spec, "Orc", "Rat")
    grant(spec, "Ana", "Rat").answer("Ana", "take", ("attack", 2), name="free-attack")
    assert spec.rolled("attack").against == "Rat"


@rule("VD-FREE-05")
def test_another_batch_of_a_slot_is_another_segment(spec: Spec) -> None:
    """A second batch of one slot is another segment, with its own free attack (GAP-42)."""
    spec.given(hero("Ana", max_hp=40), hero("Odo"), foe("Orc", max_hp=40), foe("Rat", max_hp=40))
    begin(spec, 5, 2)
    spec.act("Odo", "attack", ("attack", 2), target="Orc")
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2), name="free-attack")
    with spec.refused("VD-FREE-04", "free-attack-used"):
        grant(spec, "Ana", "Rat")
    spec.act("Ana", "attack", target="Rat")
    grant(spec, "Ana", "Rat")  # during her own blow: another moment
    spec.answer("Ana", "take", ("attack", 2), ("attack", 2), name="free-attack")


@rule("VD-FREE-06")
def test_the_surprised_make_none(spec: Spec) -> None:
    fight(spec)
    reply_surprise(spec)
    with spec.refused("VD-FREE-06", "surprised"):
        grant(spec, "Ana", "Orc")


def reply_surprise(spec: Spec) -> None:
    """Surprise Ana, but let her act."""
    spec.rule("surprise", who=["Ana"], may_act=True)


@rule("VD-FREE-06")
def test_a_surprised_opponent_is_not_asked_when_somebody_flees(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin()
    reply(spec, "surprise-check", "set", who=["Orc"])
    spec.answer(None, "set", name="positions")
    engaged(spec, ("Ana", "Orc"))
    spec.act("Ana", "flee").rule("close-declare", ("group-initiative", 3), ("group-initiative", 3))
    spec.act("Ana", "flee")
    assert not spec["Ana"].has("engaged")


@rule("VD-FAST-06")
@pytest.mark.parametrize("how", ["side", "separate"])
def test_who_is_its_opponent_in_melee_no_more_is_not_asked_any_more(spec: Spec, how: str) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2, Ana="flee").act("Ana", "flee", distance_ft=30)
    if how == "side":
        spec.do(Change("Orc", side="party"))
    else:
        spec.rule("separate", a="Orc", b="Ana")
    spec.answer("Rat", "take", ("attack", 2), name="free-attack")
    assert shown(spec, "Orc", "free_attacks_made") == []
    assert not spec["Ana"].has("engaged")


@rule("VD-FAST-06")
def test_who_has_said_yes_and_comes_over_does_not_strike(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2, Ana="flee").act("Ana", "flee", distance_ft=30)
    spec.answer("Orc", "take", name="free-attack").do(Change("Orc", side="party"))
    spec.answer("Rat", "pass", name="free-attack")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Orc", "gone")
    ]
    assert not spec["Ana"].has("engaged")


def test_who_is_down_and_surprised_hears_first_that_it_is_down(spec: Spec) -> None:
    """If Ana is down and surprised, the refusal is `cannot-act`, not `surprised` (4.3)."""
    fight(spec)
    reply_surprise(spec)
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    with spec.refused("VD-FREE-01", "cannot-act"):
        grant(spec, "Ana", "Orc")
    with spec.refused("VD-FREE-01", "cannot-act"):
        spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")


@rule("VD-FREE-07")
def test_it_breaks_the_takers_own_casting(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 2, 5, Mira=("cast", {"spell": "bolt"}))
    grant(spec, "Mira", "Orc")
    assert spec.prompt("Mira").data["breaks_concentration"] is True
    spec.answer("Mira", "take", ("attack", 2))
    assert not spec["Mira"].has("casting")


@rule("VD-FREE-08")
def test_it_is_the_whole_first_routine(spec: Spec) -> None:
    fight(spec, weapons=[], stat_line="MELEE: 2 claws (1d4/1d4) and bite (1d8)")
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2), ("attack", 2), ("attack", 2))
    assert len(spec.events(Rolled)) == 3


@rule("VD-FREE-08")
def test_where_no_primary_routine_is_legal_it_is_the_first_that_is(spec: Spec) -> None:
    """A weapon's mode that is not a routine comes after all routines (GAP-43)."""
    halberd = weapon("halberd", modes=[{"id": "pierce", "reach_ft": 10}])
    arms = [SWORD, halberd, weapon("spear", reach_ft=10, attack_modifier=1)]
    spec.given(hero("Ana", at=[0, 0], weapons=arms), foe("Orc", at=[2, 0]))
    grant(begin(spec, 2, 5), "Ana", "Orc").answer("Ana", "take", ("attack", 3))
    assert spec.rolled("attack").total == 4  # 3 + 1: the spear


@rule("VD-FREE-08")
def test_it_is_not_an_iterative_one(spec: Spec) -> None:
    routines = [
        {"id": name, "kind": "melee", "attacks": [{"weapon": "sword", "name": name}]}
        for name in ("cut", "thrust")
    ]
    two = {"routines": 2, "list": ["cut", "thrust"]}
    fight(spec, routines=routines, multi_attack=two)
    grant(spec, "Ana", "Orc")
    with spec.refused("VD-FREE-08", "wrong-kind"):
        spec.answer("Ana", "take", routine="thrust")
    spec.answer("Ana", "take", ("attack", 2))
    assert "routines_left" not in spec["Ana"].facts


@rule("VD-FREE-09")
def test_it_may_carry_a_bonus_and_a_penalty(spec: Spec) -> None:
    fight(spec)
    grant(spec, "Ana", "Orc", attack_bonus=2, ac_penalty=3)
    spec.answer("Ana", "take", ("attack", 5), ("damage", 1))
    rolled = spec.rolled("attack")
    assert (rolled.total, rolled.target, rolled.outcome) == (7, 7, "hit")  # 15 − (5 + 3)


def test_it_needs_a_target_when_there_are_several(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2, Orc="flee", Rat="flee")
    spec.act("Orc", "flee").act("Rat", "flee")
    with spec.refused("VD-FREE-04", "one-target-per-routine"):
        spec.answer("Ana", "take")
    spec.answer("Ana", "take", ("attack", 2), target="Rat")


# ---- immediate attacks


@rule("VD-IMMA-01", "VD-IMMA-03")
def test_an_immediate_attack_is_the_major_action(spec: Spec) -> None:
    fight(spec)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    assert asked(spec)[0] == ("immediate-attack", "Ana")
    spec.answer("Ana", "take", ("attack", 12), ("damage", 3))
    assert spec.hp("Orc") == 37
    assert spec["Ana"].budget["major"] == 0
    assert spec.combat.phase == "group/HIGH/D3"  # outside her rank


@rule("VD-IMMA-02")
def test_it_needs_an_unused_major_action(spec: Spec) -> None:
    fight(spec)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2))
    with spec.refused("VD-IMMA-02", "major-already-used"):
        spec.rule("grant-immediate-attack", attacker="Ana", against="Rat")


@rule("VD-IMMA-03")
def test_of_a_multi_attacker_it_is_the_first_routine(spec: Spec) -> None:
    fight(spec, multi_attack={"routines": 3})
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2))
    assert spec["Ana"].facts["routines_left"] == ["sword", "sword"]


@rule("VD-IMMA-04")
def test_it_replaces_a_declared_flight(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc", max_hp=40))
    begin(spec, 5, 2, Ana="flee", Orc="parley")
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    assert spec.prompt("Ana", "immediate-attack").data["gives_up"] == "flee"
    with spec.refused("VD-IMMA-02", "major-already-used"):
        spec.answer("Ana", "take", name="immediate-attack", gives_up=False)
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack")
    assert spec.combat.phase == "fast/A/LOW"
    passes(spec, "Orc")
    assert spec.combat.phase.startswith("group/")  # nobody flees


@rule("VD-IMMA-04", "VD-CPLX-04")
def test_it_ends_a_complex_activity(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[{"id": "dig", "kind": "complex"}]), foe("Orc", max_hp=40))
    begin(spec, 2, 5, Ana=("complex", {"activity": "dig"}))
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2))
    assert not spec["Ana"].has("complex-activity")


@rule("VD-IMMA-05")
def test_the_surprised_make_no_immediate_attack(spec: Spec) -> None:
    fight(spec)
    reply_surprise(spec)
    with spec.refused("VD-IMMA-05", "surprised"):
        spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")


PIKE = weapon("pike", "1d6", 9, reach_ft=10, multipliers=[{"when": "set-for-charge", "factor": 2}])


@rule("VD-IMMA-01", "VD-FAST-07")
def test_a_set_weapon_strikes_before_the_charge(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[10, 0], weapons=[SWORD, PIKE], max_hp=40))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge")
    assert asked(spec) == [("immediate-attack", "Orc")]
    spec.answer("Orc", "take", ("attack", 15), ("damage", 4), ("attack", 2))
    assert spec.hp("Ana") == 12  # 4 × 2
    assert spec["Orc"].budget["major"] == 0


def test_who_falls_to_it_strikes_no_blow(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], max_hp=5), foe("Orc", at=[10, 0], weapons=[PIKE]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge").answer("Orc", "take", ("attack", 15), ("damage", 4))
    spec.answer(None, "down", name="dying")
    assert not spec.events(Rolled)


def test_a_reaction_whose_target_fell_is_prevented(spec: Spec) -> None:
    """A prevented reaction does not count towards the limit of free attacks (GAP-52 e)."""
    gaze = power("gaze", action_type="immediate", damage="1d6")
    spec.given(hero("Ana"), hero("Odo", abilities=[gaze]), foe("Orc", max_hp=2), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Odo", "Orc"))
    begin(spec, 5, 2, Orc="flee")
    spec.act("Orc", "flee").answer("Ana", "take", name="free-attack")
    spec.act("Odo", "immediate", ("damage", 4), ability="gaze", target="Orc")
    spec.answer(None, "down", name="dying")
    assert [prevented.who for prevented in spec.events(Prevented)][:1] == ["Ana"]
    assert "free_attacks_made" not in spec["Ana"].facts


@pytest.mark.parametrize("reaction", ["free-attack", "immediate-attack"])
def test_reactions_are_answers(spec: Spec, reaction: str) -> None:
    fight(spec)
    with spec.refused("VD-FREE-01", "wrong-phase"):
        spec.act("Ana", reaction, target="Orc")


# ---- in restricted quarters (VD-MELEE-03)


def cramped(spec: Spec, **rat: Any) -> Spec:
    """Let Ana leave a melee in restricted quarters.

    The Orc is next to her, and the Rat is two squares away.
    """
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[2, 0], **rat),
        restricted_quarters=True,
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "move", path=[[-3, 0]])
    return reply(spec, "leave-melee", "free-attacks")


@rule("VD-MELEE-03", "VD-FREE-01")
@pytest.mark.parametrize("verdict", ["allow", "refuse"])
def test_a_free_attack_that_the_squares_do_not_allow_is_the_gms(spec: Spec, verdict: str) -> None:
    cramped(spec)
    assert asked(spec) == [("free-attack", "Orc"), ("free-attack", "Rat")]
    spec.answer("Orc", "pass").answer("Rat", "take")
    assert asked(spec) == [("restricted-quarters", None)]
    if verdict == "allow":
        reply(spec, "restricted-quarters", "allow", ("attack", 12), modifier=-3)
        assert spec.rolled("attack").total == 9
    else:
        reply(spec, "restricted-quarters", "refuse")
        assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
            ("Rat", "out-of-reach")
        ]
        assert shown(spec, "Rat", "free_attacks_made") == []
    assert spec["Ana"].position == (-3, 0, 0)


@rule("VD-MELEE-03", "VD-FREE-01")
def test_a_free_attack_from_the_next_square_is_nobodys_to_allow(spec: Spec) -> None:
    cramped(spec)
    spec.answer("Rat", "pass").answer("Orc", "take", ("attack", 2))
    assert spec["Ana"].position == (-3, 0, 0)


@rule("VD-MELEE-03", "VD-FREE-08")
def test_what_the_squares_allow_comes_first_for_a_free_attack(spec: Spec) -> None:
    cramped(spec, weapons=[SWORD, weapon("spear", reach_ft=10)])
    spec.answer("Orc", "pass").answer("Rat", "take", ("attack", 15), ("damage", 6))  # d6: the spear
    assert spec.hp("Ana") == 14


@rule("VD-MELEE-03", "VD-IMMA-01")
def test_who_falls_while_the_gm_rules_on_its_immediate_attack_keeps_its_major(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[3, 0]), restricted_quarters=True)
    begin(spec, 5, 2)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc").answer("Ana", "take")
    assert asked(spec) == [("restricted-quarters", None)]
    spec.rule("set-track", who="Ana", value=0)
    assert not spec.events(Rolled, purpose="attack")
    assert spec["Ana"].budget["major"] == 1


@rule("VD-MELEE-03", "VD-FREE-01")
def test_whose_target_falls_while_the_gm_rules_makes_no_free_attack(spec: Spec) -> None:
    cramped(spec).answer("Orc", "pass").answer("Rat", "take")
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    reply(spec, "restricted-quarters", "allow")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Rat", "gone")
    ]
    assert shown(spec, "Rat", "free_attacks_made") == []


@rule("VD-MELEE-03", "VD-MULTI-01", "VD-MULTI-02")
def test_a_multi_attacker_whom_the_squares_keep_off_is_the_gms_too(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], multi_attack={"routines": 2}), foe("Orc", at=[2, 0]),
        restricted_quarters=True,
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    for step in ("multi-primary/HIGH", "multi-rest/HIGH"):
        until(spec, step).act("Ana", "attack", target="Orc")
        reply(spec, "restricted-quarters", "allow", ("attack", 2))


# ---- the GM ends the round (4.2)


@rule("VD-END-01", "VD-FREE-01")
def test_ending_the_round_passes_a_free_attack(spec: Spec) -> None:
    grant(fight(spec), "Ana", "Orc").rule("end-round")
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)
    assert not spec.events(Rolled, purpose="attack")


@rule("VD-END-01", "VD-IMMA-01")
def test_ending_the_round_passes_an_immediate_attack(spec: Spec) -> None:
    fight(spec).rule("grant-immediate-attack", attacker="Ana", against="Orc").rule("end-round")
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)
    assert not spec.events(Rolled, purpose="attack")


@rule("VD-END-01", "VD-FREE-01", "VD-E-01")
def test_what_the_gm_grants_while_the_last_spells_complete_is_asked(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt")]), hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt", "target": "Orc"}))
    spec.rule("end-round")
    assert asked(spec) == [("damage", "Mira")]
    grant(spec, "Ana", "Orc").answer("Ana", "take", ("attack", 2), name="free-attack")
    assert spec.rolled("attack").who == "Ana"
    spec.answer("Mira", "roll", faces=[2])


# ---- a routine or a weapon


@rule("VD-FREE-08")
@pytest.mark.parametrize("reaction", ["free", "immediate"])
def test_a_reaction_is_with_a_routine_or_with_a_weapon(spec: Spec, reaction: str) -> None:
    fight(spec).rule(f"grant-{reaction}-attack", attacker="Ana", against="Orc")
    with spec.raises(Malformed) as refused:
        spec.answer("Ana", "take", routine="sword", weapon="sword")
    assert refused[0].pointer == "/inputs/routine"
