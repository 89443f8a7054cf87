"""Test that a declared action is the default of its slot (VD-DECL-03)."""

from typing import Any

import pytest

from domain.engine.commands import Close
from domain.record.events import ActionDeclared, Moved, Prevented, Rolled, Spent
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    close,
    declare,
    engaged,
    foe,
    hero,
    next_round,
    power,
    shown,
    spell,
    until,
)
from tests.spec import Spec, rule

MISS = ("attack", 2)


def follow(spec: Spec, *dice: Any, **declared: Any) -> Spec:
    """Declare at most one action for each combatant. The last answer closes step 1."""
    for who, what in declared.items():
        if what is not None:
            declare(spec, **{who: what})
        last = who == list(declared)[-1]
        spec.answer(who, "as-declared", *(dice if last else ()), name="declaration")
    return spec


def attackers(spec: Spec) -> list[tuple[str, str | None]]:
    """Return attacker and target of each attack roll in the last command."""
    return [(roll.who, roll.against) for roll in spec.events(Rolled) if roll.purpose == "attack"]


def at(target: str) -> Any:
    return ("attack", {"target": target})


def dice(high: int, low: int) -> tuple[Any, ...]:
    return (("group-initiative", high), ("group-initiative", low))


# ---- the default of a slot


@rule("VD-FAST-07")
def test_a_declared_charge_is_made_when_nobody_answers(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[6, 0]), foe("Rat", at=[0, 6]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    (prompt,) = spec.live.open_prompts().values()
    assert (prompt.default, prompt.text) == (
        "charge", "It is time for charges of HIGH. Ana declared a charge at Orc. What does Ana do?",
    )  # fmt: skip
    assert [option.label for option in prompt.options if option.id == "pass"] == ["Do not charge"]
    spec.do(Close(), MISS)
    assert attackers(spec) == [("Ana", "Orc")]
    assert spec.events(Moved)


@rule("VD-DECL-03")
def test_a_declared_attack_is_the_default_and_a_pass_is_deliberate(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[0, 1]))
    begin(spec, 5, 2, Ana=at("Rat"))
    assert spec.combat.phase == "group/HIGH/D3"
    spec.do(Close(), MISS)
    assert attackers(spec) == [("Ana", "Rat")]
    next_round(spec, 5, 2, Ana=at("Rat"))
    spec.act("Ana", "pass")
    assert spec.combat.phase == "group/HIGH/D4"
    assert spec["Ana"].budget["major"] == 1


@rule("VD-DECL-03")
def test_without_inputs_the_declared_attack_is_made(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[0, 1]))
    begin(spec, 5, 2, Ana=at("Rat"))
    spec.answer("Ana", "attack", MISS, name="slot-intent")
    assert attackers(spec) == [("Ana", "Rat")]


@rule("VD-DECL-03")
def test_an_attack_that_cannot_be_made_is_no_default(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 0]))
    begin(spec, 5, 2, Ana=at("Orc"))
    (prompt,) = spec.live.open_prompts().values()
    assert (prompt.name, prompt.default) == ("slot-intent", "pass")


def test_a_declared_attack_that_was_made_is_no_default_any_more(spec: Spec) -> None:
    omen = power("omen", timing="go_first", targets="self", range_ft=0)
    spec.given(hero("Ana", abilities=[omen]), foe("Orc"))
    begin(spec, 5, 2, Ana=("go-first", {"ability": "omen"}))
    spec.close()
    assert spec.events(ActionDeclared) == []
    assert [prompt.default for prompt in spec.live.open_prompts().values()] == ["pass"]


@rule("VD-END-01")
def test_the_end_of_the_round_does_nothing_that_was_declared(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.rule("end-round")
    assert attackers(spec) == []
    assert spec.combat.phase == "declare"


@rule("VD-DELAY-01")
def test_who_delays_instead_does_not_attack_by_default(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    begin(spec, 5, 2, Ana=at("Orc"))
    spec.act("Ana", "delay")
    assert (attackers(spec), spec.events(Prevented)) == ([], [])
    assert spec["Ana"].budget["major"] == 1


# ---- as declared


@rule("VD-DECL-03")
def test_a_round_in_which_all_do_as_declared_asks_nobody(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), hero("Sable", weapons=[BOW, SWORD]))
    announce(spec)
    blows = [("attack", 2), ("attack", 3), ("attack", 4)]
    follow(spec, *dice(5, 2), *blows, Ana=at("Orc"), Orc=at("Ana"), Sable=at("Orc"))
    rolls = [(roll.who, roll.faces[0]) for roll in spec.events(Rolled) if roll.purpose == "attack"]
    assert rolls == [("Sable", 2), ("Ana", 3), ("Orc", 4)]  # D2, D3, and LOW
    assert asked(spec) == [("end-of-round", None)]
    spec.answer(None, "next-round")
    assert [who for _, who in asked(spec)] == ["Ana", "Orc", "Sable"]  # it is for one round
    assert not shown(spec, "Ana", "major_committed")


@rule("VD-DECL-03")
def test_who_declares_nothing_and_does_so_is_not_asked(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    headlines = [
        {option.id: option.screen for option in prompt.options}["as-declared"].headline
        for prompt in spec.live.open_prompts().values()
    ]
    assert headlines == ["Nothing this round", "Nothing this round"]
    follow(spec, *dice(3, 3), Ana=None, Orc=None)
    assert asked(spec) == [("end-of-round", None)]
    assert spec.events(Spent) == []


@rule("VD-INIT-07")
def test_followers_and_the_asked_resolve_together(spec: Spec) -> None:
    """Ana's declared attack waits until the Orc has chosen, and both attacks land together."""
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    declare(spec, Ana=at("Orc")).answer("Ana", "as-declared", name="declaration")
    spec.answer("Orc", "done", *dice(4, 4), name="declaration")
    assert asked(spec) == [("slot-intent", "Orc")]
    assert attackers(spec) == []
    spec.act("Orc", "attack", ("attack", 2), ("attack", 3), target="Ana")
    assert attackers(spec) == [("Ana", "Orc"), ("Orc", "Ana")]


@rule("VD-DECL-03")
def test_who_cannot_do_as_declared_is_asked(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 0]), foe("Rat", at=[0, 1]))
    announce(spec)
    declare(spec, Ana=at("Orc")).answer("Ana", "as-declared", name="declaration")
    close(spec, 5, 2)
    assert [event.reason for event in spec.events(Prevented)] == ["out-of-reach"]
    assert (asked(spec), spec.combat.phase) == ([("slot-intent", "Ana")], "group/HIGH/D3")
    spec.act("Ana", "attack", MISS, target="Rat")
    assert spec.combat.phase == "group/HIGH/D4"
    assert ("slot-intent", "Ana") in asked(spec)


@rule("VD-DECL-03")
def test_a_target_that_has_fallen_is_not_struck(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Odo", at=[1, 1]), foe("Orc", at=[1, 0]))
    announce(spec)
    fall = (("attack", 20), ("damage", 8))
    spec.rule("set-track", who="Orc", value=1)
    for who in ("Ana", "Odo"):
        declare(spec, **{who: at("Orc")}).answer(who, "as-declared", name="declaration")
    spec.answer("Orc", "done", *dice(5, 2), *fall, name="declaration")
    spec.answer(None, "down", name="dying")
    assert [(event.who, event.reason) for event in spec.events(Prevented)] == [("Odo", "gone")]
    assert asked(spec) == [("slot-intent", "Odo")]


@rule("VD-FAST-07")
def test_a_charge_as_declared_needs_no_answer_and_a_prevented_one_does(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[5, 0]), foe("Rat", at=[0, 1]))
    announce(spec)
    declare(spec, Ana=("charge", {"target": "Orc"})).answer("Ana", "as-declared")
    branch = spec.branch()
    spec.rule("close-declare", *dice(5, 2), MISS)
    assert attackers(spec) == [("Ana", "Orc")]
    branch.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    close(branch, 5, 2)
    assert [(event.who, event.reason) for event in branch.events(Prevented)] == [("Ana", "gone")]
    assert (asked(branch), branch.combat.phase) == ([("slot-intent", "Ana")], "group/HIGH/D3")


@rule("VD-TGT-02")
def test_a_spell_that_was_aimed_in_step_1_needs_no_second_word(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt")]), foe("Orc"))
    announce(spec)
    declare(spec, Mira=("cast", {"spell": "bolt", "target": "Orc"}))
    spec.answer("Mira", "as-declared", name="declaration")
    close(spec, 5, 2)
    assert ("spell-target", "Mira") not in asked(spec)
    while asked(spec) == [("slot-intent", "Orc")]:
        spec.do(Close(), *([("damage", 4)] if spec.combat.phase == "group/LOW/D4" else []))
    assert spec.hp("Orc") == 16
    assert asked(spec) == [("end-of-round", None)]  # no step aside follows (GAP-51)


@rule("VD-TGT-02")
def test_a_spell_without_a_target_asks_for_it(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt")]), foe("Orc"))
    announce(spec)
    declare(spec, Mira=("cast", {"spell": "bolt"})).answer("Mira", "as-declared")
    close(spec, 5, 2)
    assert asked(spec) == [("spell-target", "Mira")]


@rule("VD-MULTI-02")
@pytest.mark.parametrize("faces", [(5, 2), (3, 3)])
def test_all_routines_of_a_multi_attack_follow(spec: Spec, faces: tuple[int, int]) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 3}), foe("Orc", max_hp=50))
    engaged(announce(spec), ("Ana", "Orc"))
    follow(spec, *dice(*faces), MISS, MISS, MISS, Ana=at("Orc"), Orc=None)
    assert attackers(spec) == [("Ana", "Orc")] * 3
    assert asked(spec) == [("end-of-round", None)]


@rule("VD-GRP-02")
def test_a_declared_innate_ability_is_used_beside_the_attack(spec: Spec) -> None:
    gaze = power("gaze", declared=True, damage="1d4")
    spec.given(hero("Ana", abilities=[gaze], at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    declare(spec, Ana=("innate", {"ability": "gaze", "target": "Orc"}))
    follow(spec, *dice(5, 2), ("damage", 3), MISS, Ana=at("Orc"), Orc=None)
    assert spec.hp("Orc") == 17
    assert attackers(spec) == [("Ana", "Orc")]


@rule("VD-DECL-07")
def test_a_declared_activity_waits_for_its_owner(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    spec.answer("Ana", "declare", activities=["close-door"])
    follow(spec, *dice(5, 2), Ana=None, Orc=None)
    assert (asked(spec), spec.combat.phase) == ([("slot-intent", "Ana")], "group/HIGH/D4")


@rule("VD-DECL-03")
def test_an_owner_may_decide_anew(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Odo"), foe("Orc", at=[1, 0]))
    announce(spec)
    with spec.refused("VD-DECL-03", "nothing-declared"):
        spec.act("Ana", "decide-anew")
    declare(spec, Ana=at("Orc")).answer("Ana", "as-declared", name="declaration")
    assert ("declaration", "Ana") not in asked(spec)
    spec.act("Ana", "decide-anew")
    assert ("declaration", "Ana") in asked(spec)  # step 1 is open
    spec.answer("Ana", "as-declared", name="declaration")
    close(spec, 2, 5)
    until(spec, "group/HIGH/D4")
    spec.act("Ana", "decide-anew")
    until(spec, "group/LOW/D3")
    assert asked(spec) == [("slot-intent", "Ana"), ("slot-intent", "Odo")]


@rule("VD-DECL-01")
def test_what_is_taken_back_is_not_followed(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    declare(spec, Ana=at("Orc")).answer("Ana", "as-declared", name="declaration")
    spec.act("Ana", "abandon")
    close(spec, 5, 2)
    assert ("slot-intent", "Ana") in asked(spec)
