"""Test that Affray checks a choice again when its moment comes (GAP-52).

If the combatant is disabled, the refusal gives this reason first (4.3).
"""

from typing import Any

import pytest

from domain.engine.commands import Join, Joining
from domain.errors import Malformed, Unknown
from domain.record.events import (
    ConditionGained,
    Damaged,
    FactSet,
    Prevented,
    Prompted,
    Rolled,
    RoundEnded,
    Stopped,
)
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
from tests.spec import Spec

DIG: dict[str, Any] = {"id": "dig", "kind": "complex", "rounds": 3}
LONG = {"id": "long", "segments": 10}


@pytest.mark.parametrize("action", ["attack", "called-shot", "parley", "charge"])
def test_who_strikes_at_once_meanwhile_has_no_major_action_left(spec: Spec, action: str) -> None:
    inputs: dict[str, Any] = {} if action == "parley" else {"target": "Orc"}
    inputs |= {"aim": "eye"} if action == "called-shot" else {}
    spec.given(hero("Ana"), foe("Orc"))
    fast = {"Ana": (action, inputs), "Orc": (action, {**inputs, "target": "Ana"} if inputs else {})}
    begin(spec, 3, 3, **fast if action in ("parley", "charge") else {})
    spec.act("Ana", action, **inputs)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack")
    spec.act("Orc", "pass")
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["major-already-used"]


@pytest.mark.parametrize("step", ["multi-primary/HIGH", "multi-rest/HIGH"])
def test_multi_attackers_are_asked_again_too(spec: Spec, step: str) -> None:
    """Affray prevents a chosen attack if Ana has lost her major action or routines since."""
    twice: dict[str, Any] = {"multi_attack": {"routines": 2}}
    spec.given(hero("Ana", **twice), hero("Odo"), foe("Orc", **twice))
    begin(engaged(spec, ("Ana", "Orc"), ("Odo", "Orc")), 3, 3)
    if step == "multi-rest/HIGH":
        spec.act("Ana", "attack", target="Orc")
        spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    until(spec, step)
    spec.act("Ana", "attack", target="Orc")
    if step == "multi-rest/HIGH":
        spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
        spec.rule("set-track", who="Ana", value=9).rule("engage", a="Ana", b="Orc")
    else:
        spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
        spec.answer("Ana", "take", ("attack", 2), name="immediate-attack")
    spec.act("Orc", "pass")
    (told,) = spec.events(Prevented)
    assert told.reason == "major-already-used"
    assert told.rules == (("VD-ROUT-04",) if step == "multi-rest/HIGH" else ("VD-MAJ-01",))


@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("attack", {"target": "Orc"}),
        ("called-shot", {"target": "Orc", "aim": "eye"}),
        ("grab-item", {"target": "Orc", "item": "key"}),
        ("move", {"distance_ft": 5}),
        ("position", {"distance_ft": 5}),
        ("simple", {"activity": "close-door"}),
        ("delaying", {"activity": "load-light-crossbow"}),
        ("complex", {"activity": "dig"}),
        ("innate", {"ability": "gaze", "target": "Orc"}),
        ("delay", {}),
        ("flee", {}),
    ],
)
def test_who_cannot_act_hears_of_that_first(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    """A refusal names disability before a complex activity, in every slot (4.3)."""
    given: dict[str, Any] = {"abilities": [power("gaze")], "activities": [DIG]}
    spec.given(hero("Ana", **given), hero("Odo", **given), foe("Orc"))
    begin(spec, 2, 5, Odo=("complex", {"activity": "dig"}))
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    with spec.refused("VD-FREE-01", "cannot-act"):
        spec.act("Ana", action, **inputs)
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Odo", action, **inputs)


# ---- spells and actions of several rounds


def casters(spec: Spec, **bolt: Any) -> Spec:
    """Let Mira and Una cast the same spell in the same segment. Both aim at the orc."""
    given: dict[str, Any] = {"weapons": [], "abilities": [spell("bolt", 3, **bolt)]}
    spec.given(hero("Mira", **given), hero("Una", **given), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Una=("cast", {"spell": "bolt"}))
    for who in ("Mira", "Una"):
        spec.answer(who, "target", name="spell-target", combatant="Orc")
    return spec


def test_a_spell_is_complete_when_another_of_its_segment_is_rolled(spec: Spec) -> None:
    """Two spells of one segment are simultaneous, so damage in between stops neither (VD-E-02)."""
    casters(spec)
    passes(spec, "Mira", "Una", "Orc")
    assert asked(spec) == [("damage", "Mira")]
    spec.rule("damage", target="Una", amount=1)
    spec.answer("Mira", "roll", ("damage", 5), faces=[4])
    assert spec.hp("Orc") == 11  # 20 − 4 − 5


def test_a_spell_at_a_place_does_not_mind_who_falls_there(spec: Spec) -> None:
    casters(spec, targets="area")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    until(spec, "spells/3/HIGH")
    assert [name for name, _ in asked(spec)] == ["affected"]


@pytest.mark.parametrize("at", [{"combatant": "Orc"}, {}])
def test_a_target_may_be_named_although_the_spell_is_gone(spec: Spec, at: dict[str, str]) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    assert shown(spec, "Mira", "begun") == "cast"
    spec.rule("set", who="Mira", sheet={"abilities": []})
    spec.answer("Mira", "target", name="spell-target", **at)
    assert spec["Mira"].has("casting")  # its segment decides
    until(spec, "end-of-round")
    assert not spec["Mira"].has("casting")


def test_an_activity_of_three_rounds(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[DIG], weapons=[]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("complex", {"activity": {"activity": "dig"}}))
    for _ in range(2):
        next_round(spec, 5, 2)
        assert shown(spec, "Ana", "complex") == "dig"
        assert shown(spec, "Ana", "major_committed") == "complex"
    until(spec, "end-of-round")
    assert shown(spec, "Ana", "complex") is None


def test_charges_that_are_gone_when_it_is_completed(spec: Spec) -> None:
    gaze = power("gaze", segments=12, uses=2)
    spec.given(hero("Ana", weapons=[], abilities=[gaze]), foe("Orc", weapons=[]))
    begin(spec, 5, 2).act("Ana", "innate", ability="gaze", target="Orc")
    spec.rule("set", who="Ana", sheet={"abilities": [{**gaze, "uses": 0}]})
    next_round(spec, 5, 2)
    until(spec, "end-of-round")
    told = (recorded.event for recorded in spec.live.history.path)
    assert [event.reason for event in told if isinstance(event, Prevented)] == ["no-uses-left"]


def test_what_was_used_by_default_is_used_in_the_next_round(spec: Spec) -> None:
    """An attack that begins with the bow in D2 completes with the bow in D4 (GAP-41)."""
    spec.given(hero("Ana", weapons=[SWORD, BOW], activities=[LONG]), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D2"
    spec.act("Ana", "attack", target="Orc", **{"with": ["long"]})
    next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    spec.answer("Ana", "roll", ("damage", 3), faces=[15])
    assert spec.event(Damaged).kind == "bow"


def test_who_delays_while_its_move_waits_moves_in_low(spec: Spec) -> None:
    """A delayed combatant acts only in LOW (VD-DELAY-02)."""
    spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[]))
    begin(spec, 3, 3).act("Ana", "move", distance_ft=5).act("Ana", "delay")
    spec.act("Orc", "pass")
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["not-your-initiative"]
    assert spec.combat.phase == "group/LOW/D4"
    spec.act("Ana", "move", distance_ft=5)
    assert spec["Ana"].budget["major"] == 0


@pytest.mark.parametrize("gone", [True, False])
def test_whom_one_was_to_meet_goes_while_another_strikes(spec: Spec, gone: bool) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Rat", at=[0, 1]), foe("Orc", at=[3, 0], weapons=[]))
    begin(engaged(spec, ("Ana", "Rat")), 5, 2)
    spec.act("Ana", "pass").act("Ana", "move", path=[[2, 0]], engage=["Orc"])
    reply(spec, "leave-melee", "free-attacks")
    if gone:
        spec.leave("Orc")
    else:
        spec.rule("place", who="Orc", at=[9, 0])
    spec.answer("Rat", "pass", name="free-attack")
    assert spec["Ana"].position == (2, 0, 0)
    assert not spec.events(Stopped) + spec.events(ConditionGained)


def test_a_quick_spell_that_broke_is_lost_once(spec: Spec) -> None:
    """The wand needs concentration. Damage breaks it, and the log reports this once."""
    wand = spell("wand", 1, category="invocation", concentration_to_cast=True)
    spec.given(hero("Mira", weapons=[], abilities=[wand]), foe("Orc", abilities=[power("gaze")]))
    begin(spec, 3, 3, Mira=("invoke", {"ability": "wand"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.rule("damage", target="Mira", amount=1)
    spec.act("Orc", "pass")
    path = [recorded.event for recorded in spec.live.history.path]
    told = [text for text in results.notes(path) if "lost" in text]
    assert told == ["wand lost: it was hurt"]


@pytest.mark.parametrize(("segments", "order"), [(1, "Orc Ana Ana"), (3, "Ana Ana Orc")])
def test_a_move_of_who_was_slowed_comes_after_who_was_not(
    spec: Spec, segments: int, order: str
) -> None:
    """The Orc's work of 1 segment comes before Ana's move, and work of 3 segments after it.

    Ana's hum and move take 2 segments (VD-INIT-06, VD-MIN-05).
    """
    spec.given(
        hero("Ana", weapons=[], abilities=[power("hum", targets="self", range_ft=0)]),
        foe("Orc", weapons=[], activities=[{"id": "work", "segments": segments}]),
    )
    until(begin(spec, 3, 3).act("Ana", "innate", ability="hum"), "group/HIGH/D4")
    spec.act("Ana", "move", distance_ft=5).act("Orc", "simple", activity="work")
    done = [
        fact_set for fact_set in spec.events(FactSet) if fact_set.key in ("timed_segments", "moved")
    ]
    assert " ".join(fact_set.who or "" for fact_set in done) == order


def test_the_gms_leave_without_a_word_carries_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[]), foe("Orc"))
    begin(engaged(spec, ("Ana", "Orc")), 5, 2).act("Ana", "move", distance_ft=5)
    reply(spec, "leave-melee", "free-attacks")
    spec.answer("Orc", "take", ("attack", 9), name="free-attack")
    rolled = spec.rolled("attack")
    assert (rolled.total, rolled.target) == (9, 10)
    assert "leaving_melee" not in spec["Ana"].facts


def test_who_is_in_no_melee_leaves_none(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[]), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "move", distance_ft=5)
    assert not spec.events(Prompted, name="leave-melee")
    with spec.refused("VD-MIN-06", "too-far"):
        spec.act("Ana", "position", distance_ft=10.5)


# ---- after a round


def test_who_may_act_though_surprised_may_so_for_that_surprise(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc", weapons=[])), 5, 2)
    spec.rule("surprise", who=["Ana"], may_act=True)
    assert asked(spec) == [("slot-intent", "Ana")]
    next_round(spec, 5, 2)
    spec.rule("condition", target="Ana", condition="surprised")
    with spec.refused("VD-SEQ-01", "surprised"):
        spec.act("Ana", "attack", target="Orc")


def test_ongoing_damage_is_of_what_still_lasts_and_of_who_is_there(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    for who, name in (("Ana", "cold"), ("Ana", "burning"), ("Odo", "burning")):
        spec.rule("condition", target=who, condition=name, ongoing="1d4-2")
    spec.rule("end-round")
    spec.rule("condition", target="Ana", condition="burning", remove=True).leave("Odo")
    spec.answer("Ana", "roll", faces=[1])
    assert spec.hp("Ana") == 20  # 1 − 2: nothing
    assert [damaged.amount for damaged in spec.events(Damaged)] == [0]
    assert not spec.events(Rolled, who="Odo")
    assert spec.combat.phase == "declare"
    assert len(spec.events(RoundEnded)) == 1


def test_a_task_about_a_thing_that_it_does_not_move(spec: Spec) -> None:
    loading = weapon("crossbow", kind="missile", loading="load-light-crossbow")
    begin(spec.given(hero("Ana", weapons=[loading]), foe("Orc", weapons=[])), 5, 2)
    spec.act("Ana", "pass")
    spec.act("Ana", "simple", activity={"name": "polish", "item": "crossbow"})
    assert not {"loaded", "items"} & set(spec["Ana"].facts)


def test_a_spell_that_a_delay_makes_complex_counts_from_its_beginning(spec: Spec) -> None:
    wish = power("wish", category="spell_like", action_type="delaying", targets="self", range_ft=0)
    spec.given(
        hero("Ana", weapons=[], abilities=[wish]),
        hero("Odo", weapons=[], abilities=[spell("bolt", 5)]),
        foe("Orc"),
    )
    until(begin(spec, 2, 5, Odo=("cast", {"spell": "bolt"})), "group/LOW/D1")
    spec.answer("Odo", "target", combatant="Orc", name="spell-target")
    until(spec, "group/LOW/D4").rule("condition", target="Ana", condition="delayed")
    spec.act("Ana", "delaying", ability="wish")
    passes(spec, "Odo")
    assert asked(spec) == [("damage", "Odo")]
    assert (shown(spec, "Ana", "complex"), spec["Ana"].budget["spell"]) == ("wish", 0)
    spec.answer("Odo", "roll", faces=[3])


def test_nothing_is_told_of_what_somebody_chose_who_left_meanwhile(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 3, 3)
    spec.act("Ana", "attack", target="Orc").leave("Ana").act("Odo", "pass")
    spec.act("Orc", "pass")
    assert not spec.events(Prevented) + spec.events(FactSet, who="Ana")


def test_who_has_left_is_nobody_any_more(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[], abilities=[power("gaze")]),
        hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), foe("Orc"), foe("Rat"),
    )  # fmt: skip
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"})).leave("Rat")
    with spec.raises(Unknown):
        spec.act("Ana", "innate", ability="gaze", target="Rat")
    with spec.raises(Unknown):
        spec.answer("Mira", "target", name="spell-target", combatant="Rat")
    with spec.raises(Unknown):
        spec.rule("surprise", who=["Rat"])
    until(spec, "group/HIGH/D4")
    with spec.raises(Unknown):
        spec.act("Ana", "move", engage=["Rat"])


PRAYER = power("prayer", action_type="complex", targets="self", range_ft=0)
RITE = power("rite", action_type="complex", damage="1d4")
WARD = spell("ward", 2, targets="self", range_ft=0, damage=None)
OMEN = power("omen", timing="go_first", targets="object")


@pytest.mark.parametrize(
    ("action", "named"),
    [
        ("cast", {"spell": "ward", "target": "Orc"}),
        ("cast", {"spell": "ward", "target": {"square": [1]}}),
        ("go-first", {"ability": "omen", "target": {"square": [1, 1]}}),
        ("complex", {"ability": "prayer", "target": "Orc"}),
        # no prompt for the target if it completes alone
        ("complex", {"ability": "rite"}),
    ],
)
def test_what_is_declared_is_aimed_as_it_can_be(
    spec: Spec, action: str, named: dict[str, Any]
) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[WARD, OMEN, PRAYER, RITE]), foe("Orc"))
    announce(spec)
    with spec.raises(Malformed) as caught:
        spec.act("Mira", action, **named)
    assert (caught[0].pointer or "").startswith("/inputs/target")
    until(close(spec, 5, 2), "group/HIGH/D4")
    if action == "complex":  # undeclared, the action also needs a target
        with spec.raises(Malformed):
            spec.act("Mira", action, **named)


def test_whom_one_names_has_an_id_and_a_name(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Rat", weapons=[])), 5, 2)
    spec.do(Join(Joining(foe("Orc"), id="orc-1")))
    spec.act("Ana", "move", engage=["Orc"])
    assert shown(spec, "Ana", "engaged_with") == ["orc-1"]


def test_after_the_end_nothing_follows_any_more(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2).end()
    spec.rule("set-track", who="Ana", value=0)
    assert (spec["Ana"].conditions, asked(spec)) == ((), [])
