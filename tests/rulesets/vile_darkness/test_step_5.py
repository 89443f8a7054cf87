"""Test innate and minor actions, delays and activities of step 5.

VD-GRP, -MAJ, -MIN, -IMM, -DELAY, -CPLX, -DLYG, -SIMP.
"""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import EffectResolved, PhaseBegan, Prevented, Rolled
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
    reply,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule

GAZE = power("gaze", damage=None)
CROSSBOW = weapon("crossbow", "1d4", kind="missile", range_ft=60, loading="load-light-crossbow")


def rolls(spec: Spec) -> list[str]:
    """Return the combatants that have attacked in this fight, in order."""
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == "attack"]


def phases(spec: Spec) -> list[str]:
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.phase for event in path if isinstance(event, PhaseBegan)]


# ---- group actions


@rule("VD-GRP-02")
def test_innate_abilities_are_first_and_never_later(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=[GAZE]), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    assert spec.combat.phase == "group/HIGH/D3"
    with spec.refused("VD-GRP-02", "innate-only-in-d1"):
        spec.act("Ana", "innate", ability="gaze", target="Orc")
    assert spec.refusals("Ana", "innate") == {("VD-GRP-02", "innate-only-in-d1")}


@rule("VD-GRP-02")
def test_an_innate_ability_waits_for_the_own_rank(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[GAZE]), foe("Orc", abilities=[GAZE]))
    begin(spec, 5, 2)
    assert asked(spec) == [("slot-intent", "Ana")]
    with spec.refused("VD-MIN-04", "not-your-initiative"):
        spec.act("Orc", "innate", ability="gaze", target="Ana")
    assert spec.refusals("Orc", "innate") == {("VD-MIN-04", "not-your-initiative")}


@rule("VD-GRP-02")
def test_go_last_puts_an_ability_there(spec: Spec) -> None:
    curse = power("curse", timing="go_last", damage="1d4")
    begin(spec.given(hero("Ana", weapons=[], abilities=[curse]), foe("Orc", weapons=[])), 5, 2)
    passes(spec, "Ana", "Orc")
    assert spec.combat.phase == "go-last"
    spec.act("Ana", "innate", ("damage", 3), ability="curse", target="Orc").act("Ana", "pass")
    assert spec.hp("Orc") == 17


@rule("VD-GRP-03", "VD-TGT-02")
def test_targets_are_announced_in_d1(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 4)]), foe("Orc"))
    begin(spec, 2, 5, Mira=("cast", {"spell": "bolt"}))
    assert asked(spec) == [("slot-intent", "Orc")]
    passes(spec, "Orc", "Orc")
    assert (spec.combat.phase, asked(spec)) == ("group/LOW/D1", [("spell-target", "Mira")])


@rule("VD-GRP-07")
def test_a_simple_activity_goes_with_the_major_action(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc", max_hp=40)), 5, 2)
    assert spec.combat.phase == "group/HIGH/D3"
    with spec.refused("VD-GRP-08", "wrong-phase"):  # alone it is for D4
        spec.act("Ana", "simple", activity="close-door")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.act("Ana", "simple", activity="close-door")
    assert spec["Ana"].facts["added_segments"] == 1


@rule("VD-GRP-08")
def test_each_action_has_its_rank_and_slot(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc", weapons=[SWORD, BOW]), foe("Rat", weapons=[BOW]))
    begin(spec, 2, 5)
    assert spec.combat.phase == "group/HIGH/D2"
    with spec.refused("VD-GRP-08", "not-your-initiative"):
        spec.act("Ana", "attack", target="Orc")
    with spec.refused("VD-GRP-08", "wrong-phase"):
        spec.act("Orc", "attack", target="Ana", weapon="sword")


# ---- major and minor


@rule("VD-MAJ-01")
def test_a_second_major_action_is_refused(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc", max_hp=40)), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    passes(spec, "Odo")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "move", distance_ft=10)


@rule("VD-MAJ-01")
def test_what_is_committed_bars_others(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 4)]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    assert shown(spec, "Mira", "major_committed") == "cast"
    assert shown(spec, "Mira", "major_used") is False
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Mira", "attack", target="Orc")


@rule("VD-MAJ-02")
def test_movement_is_major(spec: Spec) -> None:
    begin(spec.given(hero("Ana", at=[0, 0]), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    with spec.refused("VD-MAJ-02", "too-far"):
        spec.act("Ana", "move", path=[[25, 0]])  # 125 ft
    with spec.refused("VD-MAJ-02", "too-far"):
        spec.act("Ana", "move", path=[[1, 0]], mode="swim")  # not listed: no rate
    spec.act("Ana", "move", path=[[24, 0]])
    assert spec["Ana"].budget["major"] == 0


@rule("VD-MAJ-03", "VD-TIME-07")
def test_a_major_action_that_fills_the_round_is_complex(spec: Spec) -> None:
    barricade = {"id": "barricade", "kind": "complex"}
    spec.given(hero("Ana", activities=[barricade]), foe("Orc"))
    begin(spec, 5, 2, Ana=("complex", {"activity": "barricade"}))
    assert spec["Ana"].has("complex-activity")
    assert shown(spec, "Ana", "major_committed") == "complex"


@rule("VD-MAJ-04")
def test_a_wasted_action_is_used(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc", attack_immunities=[{"to": "all"}])), 5, 2)
    spec.act("Ana", "attack", ("attack", 19), target="Orc")
    assert spec["Ana"].budget["major"] == 0


@rule("VD-MAJ-04")
def test_one_that_was_prevented_is_not(spec: Spec) -> None:
    """If Odo's target falls first, he loses nothing and may attack another target (GAP-52)."""
    spec.given(
        hero("Ana", weapons=[weapon("knife", speed=2)]), foe("Orc", max_hp=1), foe("Rat"),
        hero("Odo", weapons=[weapon("axe", speed=8)]),
    )  # fmt: skip
    begin(spec, 3, 3)
    for who, target in (("Ana", "Orc"), ("Odo", "Orc"), ("Rat", "Ana")):
        spec.act(who, "attack", target=target)
    spec.act("Orc", "attack", ("attack", 15), ("damage", 4), target="Ana")
    spec.answer(None, "down", ("attack", 2), name="dying")  # the Rat, speed 5
    assert [prevented.who for prevented in spec.events(Prevented)] == ["Orc", "Odo"]
    assert spec["Odo"].budget["major"] == 1
    spec.act("Odo", "attack", ("attack", 15), ("damage", 4), target="Rat")
    assert rolls(spec) == ["Ana", "Rat", "Odo"]


@rule("VD-MIN-01")
def test_any_number_of_minor_actions(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    for _ in range(3):
        spec.act("Ana", "simple", activity="close-door")
        if asked(spec) == [("multiple-minors", None)]:
            spec.answer(None, "none")
    assert spec["Ana"].facts["added_segments"] == 3
    assert spec["Ana"].budget["major"] == 1


@rule("VD-MIN-02", "VD-MIN-03")
def test_drawing_speaking_dropping_are_minor(spec: Spec) -> None:
    begin(spec.given(hero("Ana", shield={"name": "buckler", "ac_bonus": 2}), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    assert shown(spec, "Ana", "effective_ac") == 3
    spec.act("Ana", "simple", activity={"activity": "drop-item", "item": "buckler"})
    assert shown(spec, "Ana", "effective_ac") == 5
    spec.act("Ana", "simple", activity="speak")
    assert spec["Ana"].facts["added_segments"] == 1  # speaking takes no time
    assert spec["Ana"].budget["major"] == 1


@rule("VD-MIN-04")
def test_a_minor_action_in_another_rank_is_refused(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.refused("VD-MIN-04", "not-your-initiative"):
        spec.act("Orc", "simple", activity="close-door")


@rule("VD-MIN-05")
def test_a_minor_action_of_several_segments_adds_them_all(spec: Spec) -> None:
    slow = {"id": "unpack", "segments": 4}
    spec.given(hero("Mira", activities=[slow], abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.act("Mira", "simple", activity="unpack")
    assert shown(spec, "Mira", "casting")["segment"] == 7


@rule("VD-MIN-05", "VD-INIT-06")
def test_a_minor_action_before_slows_the_weapon(spec: Spec) -> None:
    """Ana's hum slows her sword from 5 to 6, so it comes after a speed of 5 and before 7."""
    axe = weapon("axe", speed=7)
    spec.given(
        hero("Ana", abilities=[power("hum", targets="self", range_ft=0)]),
        foe("Orc"), foe("Rat", weapons=[axe]),
    )  # fmt: skip
    until(begin(spec, 3, 3).act("Ana", "innate", ability="hum"), "group/HIGH/D3")
    spec.act("Ana", "attack", target="Orc").act("Rat", "attack", target="Ana")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana", "Rat"]


def positioning(spec: Spec, *, fight: bool = False) -> Spec:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD, BOW]), foe("Orc", at=[8, 0]), hero("Odo", at=[0, 5])
    )
    if fight:
        engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    return spec.act("Ana", "attack", ("attack", 2), target="Orc")  # D2


@rule("VD-MIN-06")
def test_positioning_comes_after_the_major_action(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc"))
    begin(spec, 5, 2)
    with spec.refused("VD-MIN-06", "positioning-needs-major"):
        spec.act("Ana", "position", path=[[1, 0]])


@rule("VD-MIN-06")
def test_nobody_positions_before_its_own_blow_has_fallen(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    begin(spec, 5, 2).act("Ana", "attack", target="Orc")
    assert asked(spec) == [("attack", "Ana")]  # the melee begins after the first die
    with spec.refused("VD-MIN-06", "positioning-needs-major"):
        spec.act("Ana", "position", path=[[0, 1]])
    reply(spec, "attack", "roll", faces=[2])


@rule("VD-MIN-06")
def test_positioning_is_at_most_ten_feet(spec: Spec) -> None:
    positioning(spec)
    with spec.refused("VD-MIN-06", "too-far"):
        spec.act("Ana", "position", path=[[2, 1]])  # 11.18 ft
    spec.act("Ana", "position", path=[[2, 0]])
    assert spec["Ana"].position == (2, 0, 0)
    assert spec["Ana"].facts["added_segments"] == 1


@rule("VD-MIN-06", "VD-MELEE-02")
def test_nobody_positions_in_melee(spec: Spec) -> None:
    positioning(spec, fight=True)
    with spec.refused("VD-MIN-06", "in-melee"):
        spec.act("Ana", "position", path=[[1, 0]])


@rule("VD-MIN-07")
def test_two_minor_actions_in_a_slot_are_the_gms(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "simple", activity="close-door")
    assert asked(spec) == [("slot-intent", "Ana")]
    spec.act("Ana", "simple", activity="retrieve-item")
    assert asked(spec) == [("multiple-minors", None)]
    spec.answer(None, "delaying")
    assert spec["Ana"].facts["added_segments"] == 1  # the second waits for LOW
    assert shown(spec, "Ana", "rank") == "LOW"
    until(spec, "group/LOW/D4")
    passes(spec, "Ana", "Orc")
    assert spec["Ana"].facts["added_segments"] == 2


# ---- immediate


SHOUT = power("shout", action_type="immediate", damage="1d4")


@rule("VD-IMM-01", "VD-IMM-02", "VD-TIME-06")
def test_an_immediate_ability_is_used_at_any_moment(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[SHOUT]), foe("Orc"))
    begin(spec, 2, 5, Orc="flee")
    assert spec.combat.phase == "fast/B/HIGH"
    spec.act("Ana", "immediate", ("damage", 2), ability="shout", target="Orc")
    assert spec.hp("Orc") == 18
    assert spec["Ana"].budget["major"] == 1
    assert "added_segments" not in spec["Ana"].facts
    assert asked(spec) == [("slot-intent", "Orc")]


@rule("VD-IMM-03")
def test_only_what_the_data_call_immediate(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=[GAZE, SHOUT]), foe("Orc")), 5, 2)
    with spec.refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Ana", "immediate", ability="gaze", target="Orc")
    with spec.refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Ana", "innate", ability="shout", target="Orc")


# ---- delay


@rule("VD-DELAY-01")
def test_a_delay_is_announced_in_step_5_only(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Orc="flee")
    with spec.refused("VD-DELAY-01", "wrong-phase"):
        spec.act("Ana", "delay")


@rule("VD-DELAY-04")
def test_after_it_minor_actions_wait_for_low(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=[SHOUT]), hero("Odo"), foe("Orc")), 5, 2)
    spec.act("Ana", "delay")
    with spec.refused("VD-DELAY-04", "not-your-initiative"):
        spec.act("Ana", "simple", activity="close-door")
    spec.act("Ana", "immediate", ("damage", 1), ability="shout", target="Orc")


@rule("VD-DELAY-05")
def test_announced_in_low_the_major_action_is_lost(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 2, 5)
    until(spec, "group/LOW/D3").act("Ana", "delay")
    assert spec["Ana"].budget["major"] == 0
    assert spec["Ana"].has("delayed")
    spec.act("Ana", "simple", activity="close-door")  # minor actions remain
    with spec.refused("VD-DELAY-05", "already-delayed"):
        spec.act("Ana", "delay")


@rule("VD-DELAY-05")
def test_who_lets_high_pass_loses_it_too(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    passes(spec, "Ana", "Ana")
    assert spec.combat.phase == "group/LOW/D3"
    spec.act("Ana", "delay")
    assert spec["Ana"].budget["major"] == 0


@rule("VD-DELAY-08")
def test_delayed_is_low_whatever_the_die(spec: Spec) -> None:
    spec.given(hero("Ana", conditions=[{"id": "delayed", "duration": {"rounds": 2}}]), foe("Orc"))
    begin(spec, 6, 1)
    assert shown(spec, "Ana", "rank") == "LOW"
    next_round(spec, 6, 1)
    assert shown(spec, "Ana", "rank") == "LOW"
    next_round(spec, 6, 1)
    assert shown(spec, "Ana", "rank") == "HIGH"


@rule("VD-DELAY-09")
def test_delayed_loses_every_tie(spec: Spec) -> None:
    fast = weapon("knife", speed=1)
    spec.given(
        hero("Ana", weapons=[fast], conditions=[{"id": "delayed"}], max_hp=40),
        foe("Orc", weapons=[weapon("axe", speed=9)], max_hp=40),
    )
    begin(spec, 2, 2)
    passes(spec, "Orc", "Orc")
    next_round(spec, 2, 5)
    assert shown(spec, "Orc", "rank") == "HIGH"
    next_round(spec, 5, 2)
    until(spec, "group/LOW/D3")
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana"]


@rule("VD-DELAY-10")
def test_two_delayed_settle_ties_normally(spec: Spec) -> None:
    late: list[dict[str, Any]] = [{"id": "delayed"}]
    spec.given(
        hero("Ana", weapons=[weapon("axe", speed=9)], conditions=late, max_hp=40),
        foe("Orc", weapons=[weapon("knife", speed=1)], conditions=late, max_hp=40),
    )
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana"]


@rule("VD-DELAY-10")
def test_another_type_is_no_tie(spec: Spec) -> None:
    late: list[dict[str, Any]] = [{"id": "delayed"}]
    spec.given(hero("Ana", abilities=[GAZE], conditions=late), foe("Orc"))
    begin(spec, 5, 2)
    assert (spec.combat.phase, asked(spec)) == ("group/LOW/D1", [("slot-intent", "Ana")])


@rule("VD-DELAY-12", "VD-E-06")
def test_a_delayed_caster_is_low_and_loses_no_tie(spec: Spec) -> None:
    bolt = spell("bolt", 2)
    spec.given(
        hero("Mira", weapons=[], abilities=[bolt], max_hp=2, conditions=[{"id": "delayed"}]),
        foe("Hexer", weapons=[], abilities=[bolt], max_hp=2),
    )
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Hexer=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Hexer").answer("Hexer", "target", combatant="Mira")
    passes(spec, "Mira").act("Hexer", "pass", ("damage", 3), ("damage", 3))
    assert (spec.hp("Mira"), spec.hp("Hexer")) == (-1, -1)


@rule("VD-DELAY-14")
def test_delayed_does_not_touch_a_declared_complex_activity(spec: Spec) -> None:
    barricade = {"id": "barricade", "kind": "complex"}
    late: list[dict[str, Any]] = [{"id": "delayed"}]
    spec.given(hero("Ana", activities=[barricade], conditions=late), foe("Orc"))
    begin(spec, 5, 2, Ana=("complex", {"activity": "barricade"}))
    passes(spec, "Orc", "Orc")
    assert "barricade done" in results.notes(spec.told())


@rule("VD-DELAY-15")
def test_announcing_a_delay_costs_no_time(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.act("Ana", "delay")
    assert "added_segments" not in spec["Ana"].facts


# ---- complex activities


@rule("VD-CPLX-01", "VD-CPLX-02")
def test_it_completes_in_the_last_of_its_rounds(spec: Spec) -> None:
    dig = {"id": "dig", "kind": "complex", "rounds": 2}
    spec.given(hero("Ana", activities=[dig], weapons=[]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("complex", {"activity": "dig"}))
    passes(spec, "Orc")
    assert spec.combat.phase == "end-of-round"
    assert spec["Ana"].has("complex-activity")
    spec.answer(None, "next-round")
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Ana", "flee")
    close(spec, 5, 2)
    passes(spec, "Orc")
    assert "dig done" in results.notes(spec.told())
    assert phases(spec)[-2:] == ["go-last", "end-of-round"]
    assert spec["Ana"].budget["major"] == 0


@rule("VD-CPLX-03")
@pytest.mark.parametrize("verdict", ["refuse", "allow-part"])
def test_undeclared_it_is_the_gms(spec: Spec, verdict: str) -> None:
    spec.given(hero("Ana", activities=[{"id": "dig", "kind": "complex"}]), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "complex", activity="dig")
    assert spec.prompt().default == "refuse"
    spec.answer(None, verdict)
    assert spec["Ana"].has("complex-activity") is (verdict == "allow-part")
    if verdict == "refuse":
        assert spec.event(Prevented).reason == "not-declared"
        assert spec["Ana"].budget["major"] == 1
    else:  # Ana pays at the end of the activity
        assert shown(spec, "Ana", "major_committed") == "complex"
        assert spec["Ana"].budget["major"] == 1
        assert shown(spec, "Ana", "added_segments") == 0


@rule("VD-CPLX-03")
def test_no_question_when_something_else_was_done(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[{"id": "dig", "kind": "complex"}]), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "simple", activity="close-door")
    with spec.refused("VD-CPLX-03", "complex-in-progress"):
        spec.act("Ana", "complex", activity="dig")
    spec.act("Ana", "move", distance_ft=5)
    with spec.refused("VD-CPLX-03", "major-already-used"):
        spec.act("Ana", "complex", activity="dig")


@rule("VD-CPLX-04")
def test_nothing_else_in_that_round(spec: Spec) -> None:
    spec.given(
        hero("Ana", activities=[{"id": "dig", "kind": "complex"}], abilities=[SHOUT]), foe("Orc")
    )
    begin(spec, 5, 2, Ana=("complex", {"activity": "dig"}))
    for action, inputs in (
        ("attack", {"target": "Orc"}),
        ("simple", {"activity": "close-door"}),
        ("delay", {}),
    ):
        with spec.refused("VD-CPLX-04", "complex-in-progress"):
            spec.act("Ana", action, **inputs)
    spec.act("Ana", "immediate", ("damage", 1), ability="shout", target="Orc")
    spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2))
    assert spec["Ana"].has("complex-activity")


# ---- delaying activities


@rule("VD-DLYG-01")
def test_a_delaying_activity_is_minor_unless_data_say_more(spec: Spec) -> None:
    big = {"id": "winch", "kind": "delaying", "action_type": "major", "segments": 3}
    spec.given(hero("Ana", weapons=[], activities=[big]), foe("Orc", weapons=[]))
    begin(spec, 1, 5)
    until(spec, "group/LOW/D4").act("Ana", "delaying", activity="load-light-crossbow")
    assert spec["Ana"].facts["added_segments"] == 1
    assert spec["Ana"].budget["major"] == 1
    spec.act("Ana", "delaying", activity="winch")
    assert spec["Ana"].budget["major"] == 0
    assert spec["Ana"].facts["added_segments"] == 1


@rule("VD-DLYG-02", "VD-DLYG-03", "VD-DLYG-05")
def test_tried_in_high_it_waits_for_low(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW, SWORD]), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana", "Ana")
    assert spec.combat.phase == "group/HIGH/D4"
    spec.act("Ana", "delaying", activity="load-light-crossbow")
    assert spec["Ana"].facts["moved_to_low"] is True
    assert not spec["Ana"].has("delayed")
    assert "loaded" not in spec["Ana"].facts
    assert spec.combat.phase == "group/LOW/D2"
    passes(spec, "Ana")
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert spec.combat.phase == "group/LOW/D4"
    passes(spec, "Ana", "Orc")
    assert spec["Ana"].facts["loaded"] == {"crossbow": True}


@rule("VD-DLYG-06")
def test_for_the_delayed_nothing_may_have_come_before(spec: Spec) -> None:
    late: list[dict[str, Any]] = [{"id": "delayed"}]
    spec.given(hero("Ana", weapons=[], conditions=late), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "simple", activity="close-door").act("Orc", "simple", activity="speak")
    with spec.refused("VD-DLYG-06", "complex-in-progress"):
        spec.act("Ana", "delaying", activity="load-light-crossbow")


# ---- simple activities


@rule("VD-SIMP-01", "VD-SIMP-08")
def test_any_task_can_be_an_activity(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    passes(spec, "Ana")
    with spec.raises(Malformed):
        spec.act("Ana", "simple", activity="juggle")
    spec.act("Ana", "simple", activity={"id": "juggle", "name": "Juggle"})
    assert spec["Ana"].facts["added_segments"] == 1


@rule("VD-SIMP-02", "VD-TIME-05")
def test_an_asterisk_adds_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[{"id": "nod", "segments": 0}]), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "simple", activities=["nod", "nod"])  # and needs no ruling
    assert "added_segments" not in spec["Ana"].facts


def axes(spec: Spec, *tasks: Any) -> list[str]:
    """Return the attackers in order: Ana with `tasks`, and an Orc. Both weapons have speed 7."""
    spec.given(
        hero("Ana", weapons=[weapon("axe", speed=7)], max_hp=40),
        foe("Orc", weapons=[weapon("sword", speed=7)], max_hp=40),
    )
    begin(spec, 3, 3)
    spec.act("Ana", "attack", target="Orc", **{"with": list(tasks)})
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    return rolls(spec)


@rule("VD-SIMP-03")
def test_drawing_is_part_of_the_attack(spec: Spec) -> None:
    assert axes(spec, "draw-weapon") == ["Ana", "Orc"]  # 7 and 7: one batch


@rule("VD-SIMP-04", "VD-INIT-06")
def test_an_activity_before_the_blow_slows_it(spec: Spec) -> None:
    assert axes(spec, "drop-item") == ["Orc", "Ana"]  # 7 + 1


@rule("VD-SIMP-05")
def test_sheathing_counts_and_drawing_does_not(spec: Spec) -> None:
    axes(spec, "sheathe-weapon", "draw-weapon")
    assert rolls(spec) == ["Orc", "Ana"]
    assert spec["Ana"].facts["added_segments"] == 1
    assert shown(spec, "Ana", "rank") == "HIGH"


@rule("VD-SIMP-06")
def test_several_may_be_ruled_complex(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[])), 5, 2)
    spec.act("Ana", "simple", activities=["close-door", "retrieve-item", "drop-item"])
    spec.answer(None, "complex", name="multiple-minors")
    assert spec["Ana"].has("complex-activity")
    passes(spec, "Orc")
    assert "close-door done" in results.notes(spec.told())
    assert spec["Ana"].budget["major"] == 0


@rule("VD-SIMP-06")
def test_with_an_attack_they_are_not_complex(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    tasks = ["close-door", "retrieve-item"]
    spec.act("Ana", "attack", target="Orc", **{"with": tasks})
    assert [option.id for option in spec.prompt().options] == ["none", "delaying"]
    spec.answer(None, "delaying")
    assert rolls(spec) == []
    assert asked(spec) == [("slot-intent", "Orc")]  # LOW D3, sorted among the others
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana"]  # 5, and 5 + 2


@rule("VD-SIMP-07")
def test_no_finer_order_than_the_slots(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[])), 3, 3)
    spec.act("Orc", "simple", activity="close-door")
    assert not spec.events(EffectResolved)  # nothing happens before both have chosen
    spec.act("Ana", "simple", activity="close-door")
    assert [effect_resolved.who for effect_resolved in spec.events(EffectResolved)] == [
        "Ana",
        "Orc",
    ]


# ---- abilities


@rule("VD-ABIL-01", "VD-ABIL-02")
def test_an_innate_ability_is_minor_and_slows_the_major_action(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=[{"id": "glow"}]), foe("Orc")), 5, 2)
    spec.act("Ana", "innate", ability="glow")
    assert spec["Ana"].budget["major"] == 1
    assert spec["Ana"].facts["added_segments"] == 1


@rule("VD-ABIL-03")
def test_an_invocation_is_major_and_of_one_segment(spec: Spec) -> None:
    wand = {"id": "wand", "category": "invocation", "targets": "creature", "damage": "1d4"}
    spec.given(hero("Ana", abilities=[wand]), foe("Orc"))
    begin(spec, 5, 2, Ana=("invoke", {"ability": "wand"}))
    assert shown(spec, "Ana", "casting") == {"ability": "wand", "segment": 1}
    assert shown(spec, "Ana", "major_committed") == "invoke"


@rule("VD-ABIL-04")
def test_it_begins_on_segment_1_of_the_round(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 6)]), foe("Orc"))
    begin(spec, 2, 5, Mira=("cast", {"spell": "bolt"}))
    assert spec["Mira"].has("casting")  # long before its rank
    assert shown(spec, "Mira", "casting")["segment"] == 6


@rule("VD-ABIL-05")
@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({}, "innate"),
        ({"category": "incantation"}, "cast"),
        ({"category": "invocation"}, "invoke"),
        ({"category": "spell_like"}, "innate"),
        ({"action_type": "immediate"}, "immediate"),
        ({"action_type": "complex"}, "complex"),
        ({"action_type": "delaying"}, "delaying"),
        ({"timing": "go_first"}, "go-first"),
    ],
)
def test_each_ability_has_its_action(spec: Spec, fields: dict[str, str], action: str) -> None:
    announce(spec.given(hero("Ana", abilities=[{"id": "x", **fields}]), foe("Orc")))
    others = {"cast", "invoke", "complex", "go-first", "innate"} - {action}
    for other in sorted(others):
        with spec.refused("VD-ABIL-05", "wrong-kind"):
            spec.act("Ana", other, ability="x")
    if action in ("cast", "invoke", "complex", "go-first", "innate"):
        spec.act("Ana", action, ability="x")
