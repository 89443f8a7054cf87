"""Test actions that come in the wrong slot, or that Affray prevents."""

from typing import Any

import pytest

from domain.record.events import Prevented, Stopped
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    begin,
    foe,
    hero,
    next_round,
    power,
    reply,
    spell,
    until,
)
from tests.spec import Spec

CURSE = power("curse", timing="go_last")
OMEN = power("omen", timing="go_first", targets="self", range_ft=0)
GAZE = power("gaze")
BREW = power("brew", action_type="delaying", counts_as_spell="ask", segments=1, uses=2)
WORK = [{"id": "haul", "action_type": "major"}, {"id": "wait", "segments": 10}]


def notes(spec: Spec) -> list[str]:
    return results.notes(spec.told())


# ---- the wrong slot


@pytest.mark.parametrize(
    ("action", "inputs", "rule"),
    [
        ("cast", {"spell": "bolt"}, "VD-DECL-02"),
        ("invoke", {"ability": "wand"}, "VD-DECL-02"),
        ("go-first", {"ability": "omen"}, "VD-DECL-02"),
        ("free-attack", {"target": "Orc"}, "VD-FREE-01"),
        ("immediate-attack", {"target": "Orc"}, "VD-FREE-01"),
        ("innate", {"ability": "curse", "target": "Orc"}, "VD-GRP-02"),
        ("simple", {"ability": "gaze"}, "VD-ABIL-05"),
        ("called-shot", {"target": "Orc", "aim": "eye"}, "VD-GRP-08"),
    ],
)
def test_what_is_not_open_in_d1(spec: Spec, action: str, inputs: dict[str, Any], rule: str) -> None:
    powers = [CURSE, OMEN, GAZE, spell("bolt"), spell("wand", 1, category="invocation")]
    until(begin(spec.given(hero("Ana", abilities=powers), foe("Orc")), 5, 2), "group/HIGH/D1")
    code = {"VD-DECL-02": "not-declared", "VD-ABIL-05": "wrong-kind"}.get(rule, "wrong-phase")
    with spec.refused(rule, code):
        spec.act("Ana", action, **inputs)


@pytest.mark.parametrize(
    ("action", "inputs"), [("cast", {"spell": "bolt"}), ("go-first", {"ability": "omen"})]
)
def test_what_was_begun_in_step_1_is_not_begun_again(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    spec.given(hero("Ana", abilities=[OMEN, spell("bolt")]), foe("Orc"))
    until(begin(spec, 5, 2, Ana=(action, inputs)), "group/HIGH/D4")
    with spec.refused("VD-DECL-04", "wrong-phase"):
        spec.act("Ana", action, **inputs)


def test_a_called_shot_reaches_as_far_as_its_weapon(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), foe("Orc", at=[9, 0]))
    begin(spec, 5, 2)
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.act("Ana", "called-shot", target="Orc", aim="eye")


def test_a_major_activity_is_the_major_action(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[BOW], activities=WORK), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "attack", ("attack", 2), target="Orc")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "simple", activity="haul")


# ---- abandoned actions


def test_a_delay_in_low_loses_the_spell_that_is_cast(spec: Spec) -> None:
    """A delay in LOW loses Mira's declared spell and her major action (GAP-15)."""
    spec.given(hero("Mira", abilities=[spell("bolt", uses=1)]), foe("Orc"))
    until(begin(spec, 2, 5, Mira=("cast", {"spell": "bolt"})), "group/LOW/D1")
    spec.act("Mira", "delay")
    assert "bolt lost: a delay in LOW" in notes(spec)
    assert spec["Mira"].budget == {"major": 0, "spell": 0}
    assert spec["Mira"].facts["uses_spent"] == {"bolt": 1}


def test_a_complex_activity_that_is_given_up_is_not_done(spec: Spec) -> None:
    dig = {"id": "dig", "kind": "complex"}
    spec.given(hero("Ana", activities=[dig]), foe("Orc"))
    begin(spec, 5, 2, Ana=("complex", {"activity": "dig"})).act("Ana", "abandon")
    assert "dig lost: abandoned" in notes(spec)
    assert not spec["Ana"].has("complex-activity")
    assert spec["Ana"].budget["major"] == 0


# ---- taken away


@pytest.mark.parametrize("gone", ["ability", "target"])
def test_what_goes_while_the_gm_counts_it_costs_nothing(spec: Spec, gone: str) -> None:
    """If the ability or its target is gone before it begins, Ana's action costs nothing.

    Ana has no prompt of her own. She acts while another combatant has a prompt.
    """
    spec.given(
        hero("Ana", weapons=[], abilities=[BREW]), hero("Odo", weapons=[]), foe("Orc"), foe("Rat")
    )
    until(begin(spec, 2, 5), "group/LOW/D4").act("Ana", "pass")
    spec.act("Ana", "delaying", ability="brew", target="Orc")
    if gone == "ability":
        spec.rule("set", who="Ana", sheet={"abilities": []})
        reply(spec, "counts-as-spell", "no")
    else:
        spec.leave("Orc")
    assert [(prevented.action, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("delaying", "gone")
    ]
    assert [stopped.reason for stopped in spec.events(Stopped)] == ["gone"] * (gone == "target")
    assert "timed_segments" not in spec["Ana"].facts


@pytest.mark.parametrize("gone", ["use", "place"])
def test_a_delaying_ability_of_the_next_round_is_asked_again_there(spec: Spec, gone: str) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[], abilities=[{**BREW, "counts_as_spell": False}],
             activities=WORK),
        foe("Orc", at=[2, 0], weapons=[]),
    )  # fmt: skip
    until(begin(spec, 2, 5), "group/LOW/D4").act("Ana", "simple", activity="wait")
    spec.act("Ana", "delaying", ability="brew", target="Orc")  # in the eleventh segment
    reply(spec, "multiple-minors", "none")
    if gone == "use":
        spec.rule("set", who="Ana", sheet={"abilities": [{**BREW, "uses": 0}]})
    else:
        spec.rule("place", who="Orc", at=[90, 0])
    until(next_round(spec, 2, 5), "end-of-round")
    path = [recorded.event for recorded in spec.live.history.path]
    reasons = [event.reason for event in path if isinstance(event, Prevented)]
    assert reasons == [{"use": "no-uses-left", "place": "out-of-range"}[gone]]


def test_a_complex_activity_that_the_gm_refuses_is_not_begun(spec: Spec) -> None:
    """The GM may refuse a complex activity that nobody declared in step 1 (VD-CPLX-03)."""
    spec.given(hero("Ana", activities=[{"id": "dig", "kind": "complex"}]), foe("Orc"))
    until(begin(spec, 5, 2), "group/HIGH/D3").act("Ana", "complex", activity="dig")
    reply(spec, "undeclared-complex", "refuse")
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["not-declared"]
    assert not spec["Ana"].has("complex-activity")
    assert spec["Ana"].budget["major"] == 1


# ---- the GM's decision what counts as a spell (VD-SPELL-02)


@pytest.mark.parametrize("delayed", [True, False])
def test_the_gm_counts_also_what_becomes_complex_without_being_declared(
    spec: Spec, delayed: bool
) -> None:
    """The GM decides whether an undeclared delaying or complex ability counts as a spell."""
    action = "delaying" if delayed else "complex"
    brew = power("brew", action_type=action, counts_as_spell="ask", targets="self", range_ft=0)
    wish = power("wish", category="spell_like", action_type="immediate", targets="self", range_ft=0)
    spec.given(hero("Ana", weapons=[], abilities=[brew, wish]), foe("Orc", weapons=[]))
    until(begin(spec, 2, 5), "group/LOW/D4")
    if delayed:
        spec.rule("condition", target="Ana", condition="delayed")
    spec.act("Ana", action, ability="brew")
    if not delayed:
        reply(spec, "undeclared-complex", "allow-part")
    reply(spec, "counts-as-spell", "yes")
    assert ("brew cast" if delayed else "brew partly-done") in notes(spec)
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Ana", "immediate", ability="wish")


def test_who_has_cast_its_spell_does_not_do_another_as_a_delaying_ability(spec: Spec) -> None:
    brew = power("brew", action_type="delaying", counts_as_spell="ask", targets="self", range_ft=0)
    wish = power("wish", category="spell_like", action_type="immediate", targets="self", range_ft=0)
    spec.given(hero("Ana", weapons=[], abilities=[brew, wish]), foe("Orc", weapons=[]))
    until(begin(spec, 2, 5), "group/LOW/D4").act("Ana", "immediate", ability="wish")
    spec.rule("condition", target="Ana", condition="delayed")
    spec.act("Ana", "delaying", ability="brew")
    reply(spec, "counts-as-spell", "yes")
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["one-spell-per-round"]
    assert not spec["Ana"].has("complex-activity")
