"""Test who may use activities and called shots, when, and at what price.

VD-SIMP, VD-DLYG, VD-CPLX, VD-CALL.
"""

from typing import Any

import pytest

from domain.engine.commands import Act
from domain.errors import Illegal
from domain.record.events import Rolled, Stopped
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    close,
    foe,
    hero,
    next_round,
    power,
    reply,
    shown,
    until,
    weapon,
)
from tests.spec import Spec, rule

LOAD = "load-light-crossbow"
TASKS: list[dict[str, Any]] = [
    {"id": "haul", "action_type": "major"},
    {"id": "brace", "kind": "delaying", "action_type": "major"},
    {"id": "dig", "kind": "complex", "rounds": 3},
    {"id": "toil", "segments": 10},
]
BREW = power("brew", action_type="delaying", targets="self", range_ft=0, uses=1)
MIX = power("mix", action_type="delaying", targets="self", range_ft=0, segments="*")
HUM = power("hum", targets="self", range_ft=0)


def notes(spec: Spec) -> list[str]:
    return results.notes(recorded.event for recorded in spec.live.history.path)


def other(spec: Spec, *faces: int, **ana: Any) -> Spec:
    """Go to D4 of Ana's rank, which `faces` make HIGH or LOW."""
    given = {"weapons": [], "activities": TASKS, "abilities": [BREW, MIX, HUM]}
    spec.given(hero("Ana", **{**given, **ana}), foe("Orc", weapons=[]))
    faces = faces or (5, 2)
    return until(begin(spec, *faces), f"group/{'HIGH' if faces[0] > faces[1] else 'LOW'}/D4")


@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("simple", {"activity": LOAD}),
        ("simple", {"activity": "dig"}),
        ("simple", {"ability": "hum"}),
        ("delaying", {"activity": "close-door"}),
        ("delaying", {"ability": "hum"}),
        ("complex", {"activity": "close-door"}),
        ("complex", {"ability": "brew"}),
    ],
)
def test_each_kind_has_its_action(spec: Spec, action: str, inputs: dict[str, str]) -> None:
    with other(spec, 2, 5).refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Ana", action, **inputs)


@rule("VD-MIN-05")
def test_minor_activities_go_with_a_major_one(spec: Spec) -> None:
    other(spec).act("Ana", "simple", activities=["close-door", "haul"])
    assert spec["Ana"].budget["major"] == 0
    assert shown(spec, "Ana", "added_segments") == 1  # 1 for the door, 0 for hauling


@rule("VD-MIN-07")
def test_several_minor_ones_beside_a_major_one_are_put_to_the_gm(spec: Spec) -> None:
    other(spec).act("Ana", "simple", activities=["close-door", "haul", "retrieve-item"])
    assert asked(spec) == [("multiple-minors", None)]
    assert [option.id for option in spec.prompt().options] == ["none", "delaying"]  # GAP-61
    spec.answer(None, "none")
    assert shown(spec, "Ana", "added_segments") == 2


@rule("VD-MAJ-01")
@pytest.mark.parametrize("action", ["simple", "delaying"])
def test_there_is_one_major_activity_a_round(spec: Spec, action: str) -> None:
    other(spec, 2, 5)
    major = "haul" if action == "simple" else "brace"
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", action, activities=[major, major])


@rule("VD-INIT-06")
def test_what_was_done_before_slows_a_major_activity_down(spec: Spec) -> None:
    fetch = {"id": "fetch", "segments": 2}
    ana = hero("Ana", weapons=[], activities=TASKS, abilities=[HUM])
    spec.given(ana, foe("Orc", weapons=[], activities=[fetch], abilities=[HUM]))
    begin(spec, 3, 3)
    spec.act("Ana", "innate", ability="hum").act("Orc", "pass")
    spec.act("Ana", "pass")
    spec.act("Ana", "simple", activities=["haul", "close-door"])  # 1 + 1, and 1 for the hum
    spec.act("Orc", "simple", activity="fetch")  # 2
    assert [note for note in notes(spec) if note in ("fetch done", "haul done")] == [
        "fetch done", "haul done",
    ]  # fmt: skip


@rule("VD-SIMP-06")
def test_a_declared_list_counts_its_minor_actions(spec: Spec) -> None:
    spec.given(hero("Ana", activities=TASKS), foe("Orc"))
    announce(spec)
    spec.answer("Ana", "declare", name="declaration", activities=["close-door", "haul"])
    close(spec, 5, 2)  # a single minor action needs no ruling, so the dice follow
    assert asked(spec) == [("slot-intent", "Ana")]


@pytest.mark.parametrize(
    ("named", "asks"),
    [
        ({"ability": "brew"}, True),
        ({"ability": "mix"}, False),  # mixing takes no time
        ({"activity": "speak"}, False),
    ],
)
def test_a_second_minor_action_with_a_time_is_the_gms(
    spec: Spec, named: dict[str, str], asks: bool
) -> None:
    """The GM gets a prompt if the second minor action takes time (GAP-61)."""
    other(spec, 2, 5).act("Ana", "simple", activity="close-door")
    spec.act("Ana", "simple" if "activity" in named else "delaying", **named)
    assert (("multiple-minors", None) in asked(spec)) is asks


def test_a_major_activity_is_no_second_minor_one(spec: Spec) -> None:
    other(spec).act("Ana", "simple", activity="close-door")
    assert not spec.events(Stopped)
    spec.act("Ana", "simple", activity="haul")
    assert asked(spec) == [("slot-intent", "Ana")]


def test_what_takes_no_time_is_no_third_one_either(spec: Spec) -> None:
    other(spec).act("Ana", "simple", activities=["close-door", "retrieve-item"])
    reply(spec, "multiple-minors", "none")
    spec.act("Ana", "simple", activity="speak")
    assert asked(spec) == [("slot-intent", "Ana")]


def test_an_ability_and_an_activity_at_once_are_two(spec: Spec) -> None:
    other(spec, 2, 5).act("Ana", "delaying", ability="brew", activity=LOAD)
    assert asked(spec) == [("multiple-minors", None)]


def test_who_delays_after_its_major_action_does_the_rest_in_low(spec: Spec) -> None:
    """After a delay, Ana acts only in LOW, even if her HIGH slot is still open (VD-DELAY-04)."""
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "attack", ("attack", 2), target="Orc").act("Ana", "delay")
    with spec.refused("VD-DELAY-04", "not-your-initiative"):
        spec.act("Ana", "simple", activity="close-door")


@pytest.mark.parametrize(
    ("faces", "phase", "rule", "code"),
    [
        ((2, 5), "group/LOW/D1", "VD-GRP-08", "wrong-phase"),
        ((2, 5), "group/HIGH/D4", "VD-MIN-04", "not-your-initiative"),
        ((5, 2), "group/LOW/D4", "VD-MIN-04", "not-your-initiative"),
    ],
)
def test_delaying_activities_have_their_place(
    spec: Spec, faces: tuple[int, int], phase: str, rule: str, code: str
) -> None:
    spec.given(hero("Ana", weapons=[], abilities=[HUM]), foe("Orc", weapons=[]))
    until(begin(spec, *faces), phase)
    with spec.refused(rule, code):
        spec.act("Ana", "delaying", activity=LOAD)


def test_a_delaying_activity_may_be_major_and_an_ability_be_used_up(spec: Spec) -> None:
    other(spec, 2, 5).act("Ana", "delaying", ability="brew").act("Ana", "move", distance_ft=5)
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "delaying", activity="brace")
    with spec.refused("VD-CONC-08", "no-uses-left"):
        spec.act("Ana", "delaying", ability="brew")


def test_an_undeclared_complex_activity_has_its_rank_too(spec: Spec) -> None:
    until(other(spec), "group/LOW/D4")
    with spec.refused("VD-GRP-08", "not-your-initiative"):
        spec.act("Ana", "complex", activity="dig")


def test_a_part_of_a_complex_activity_is_done_in_this_round(spec: Spec) -> None:
    other(spec).act("Ana", "complex", activity="dig")
    until(reply(spec, "undeclared-complex", "allow-part"), "end-of-round")
    assert "dig partly-done" in notes(spec)


# ---- called shots


def test_a_called_shot_has_the_slot_of_its_weapon(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[SWORD, BOW]), foe("Orc")), 5, 2)
    assert spec.combat.phase == "group/HIGH/D2"
    with spec.refused("VD-GRP-08", "wrong-phase"):
        spec.act("Ana", "called-shot", target="Orc", aim="eye", weapon="sword")


def test_a_minor_action_slows_a_called_shot(spec: Spec) -> None:
    """Ana's hum slows her called shot by 1 segment, so the Orc's sword of speed 5 comes first."""
    spec.given(hero("Ana", abilities=[HUM]), foe("Orc"))
    until(begin(spec, 3, 3).act("Ana", "innate", ability="hum"), "group/HIGH/D3")
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Orc"]


def test_a_called_shot_ends_what_is_maintained(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=[HUM]), foe("Orc")), 5, 2)
    spec.rule("set-concentrating", who="Ana", ability="hum")
    until(spec, "group/HIGH/D3").act("Ana", "called-shot", target="Orc", aim="eye")
    reply(spec, "called-shot", "set", ("attack", 2))
    assert not spec["Ana"].has("concentrating")


@pytest.mark.parametrize("needed", [None, 15])
def test_a_called_shot_without_a_number_says_that_only_a_20_counts(
    spec: Spec, needed: int | None
) -> None:
    """If the GM sets no number, the roll cites the rule that only a 20 hits (VD-CALL-02)."""
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "called-shot", target="Orc", aim="eye")
    reply(spec, "called-shot", "set", ("attack", 10), needed=needed)
    rolled = next(rolled for rolled in spec.events(Rolled) if rolled.purpose == "attack")
    assert (rolled.target, rolled.outcome) == (needed, "miss")
    assert ("VD-CALL-02" in rolled.rules) == (needed is None)


def test_a_called_shot_at_the_immune_is_foiled(spec: Spec) -> None:
    """Against an immune target, even a 20 has no effect, and opens no prompt (VD-FOIL-01)."""
    spec.given(hero("Ana"), foe("Wight", attack_immunities=[{"to": "all", "obvious": True}]))
    begin(spec, 5, 2).act("Ana", "called-shot", target="Wight", aim="eye")
    reply(spec, "called-shot", "set", ("attack", 20))
    assert asked(spec) == [("slot-intent", "Ana")]
    assert "Ana's attack is foiled: Wight is immune" in notes(spec)


def test_a_called_shot_of_the_next_round_is_made_with_what_it_began_with(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, BOW], abilities=[power("drone", segments=10)]),
               foe("Orc", weapons=[]))  # fmt: skip
    begin(spec, 5, 2).act("Ana", "innate", ability="drone", target="Orc")
    until(spec, "group/HIGH/D2").act("Ana", "called-shot", target="Orc", aim="eye")
    until(next_round(spec, 5, 2), "group/HIGH/D4")
    reply(spec, "called-shot", "set", ("attack", 2))
    assert not spec["Ana"].has("engaged")  # the attack used the bow


# ---- abandoned declarations


def test_one_of_several_declarations_is_taken_back(spec: Spec) -> None:
    gone = [power(id, timing="go_first", declared=True) for id in ("omen", "sign")]
    spec.given(hero("Ana", abilities=[*gone, power("gaze", declared=True)]), foe("Orc"))
    announce(spec).answer("Ana", "declare", activities=["close-door"])
    spec.act("Ana", "innate", ability="gaze").act("Ana", "go-first", ability="omen")
    spec.do(Act("Ana", "abandon", {"action": "innate"}))
    declared = spec["Ana"].facts["declared"]
    assert [minor["action"] for minor in declared["minors"]] == ["go-first"]
    assert declared["activities"] == ["close-door"]
    spec.do(Act("Ana", "abandon", {"action": "activities"}))
    declared = spec["Ana"].facts["declared"]
    assert (len(declared["minors"]), declared["activities"]) == (1, [])


@pytest.mark.parametrize(
    ("inputs", "told"),
    [({}, "declared nothing that it could give up"), ({"action": "flee"}, "declared no flee")],
)
def test_what_cannot_be_given_up_is_said(spec: Spec, inputs: dict[str, str], told: str) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(Illegal) as caught:
        spec.do(Act("Ana", "abandon", inputs))
    assert caught[0].detail == f"Ana has {told}"


def test_what_is_given_up_is_told(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[weapon("axe")]), foe("Orc"))
    begin(spec, 5, 2, Ana="flee").act("Ana", "abandon")
    assert "Ana gives up what was chosen: flee" in notes(spec)
    assert shown(spec, "Ana", "major_used")


def test_what_is_made_complex_is_done_with_its_thing(spec: Spec) -> None:
    drop = {"activity": "drop-item", "item": "rope"}
    other(spec).act("Ana", "simple", activities=[drop, "close-door"])
    reply(spec, "multiple-minors", "complex")
    until(spec, "end-of-round")
    assert spec["Ana"].facts["items"] == {"rope": "gone"}


def test_who_is_hurt_while_another_completes_its_rite_has_completed_its_own(
    spec: Spec,
) -> None:
    rite = power("rite", action_type="complex", damage="1d4")
    tune = {"id": "tune", "kind": "complex", "concentration": True}
    spec.given(
        hero("Ana", abilities=[rite]), hero("Odo", activities=[tune]), foe("Orc", weapons=[])
    )
    begin(
        spec, 5, 2,
        Ana=("complex", {"ability": "rite", "target": "Orc"}),
        Odo=("complex", {"activity": "tune"}),
    )  # fmt: skip
    spec.act("Orc", "pass").rule("damage", target="Odo", amount=1)  # Ana's die is still open
    spec.answer("Ana", "roll", faces=[3])
    assert [text for text in notes(spec) if text.endswith("done")] == [
        "tune done", "rite done",
    ]  # fmt: skip


@rule("VD-DECL-07")
@pytest.mark.parametrize("verdict", ["delaying", "complex"])
def test_a_list_of_activities_has_an_end_however_it_is_said(spec: Spec, verdict: str) -> None:
    """A combatant can declare at most 20 activities, in one answer or in several.

    The round continues after each verdict of the GM.
    """
    spec.given(hero("Ana"), foe("Orc"), rulings="ask")
    announce(spec)
    spec.answer("Ana", "declare", activities=["close-door"] * 15)
    with spec.refused("VD-DECL-07", "too-many-activities"):
        spec.answer("Ana", "declare", activities=["close-door"] * 6)
    spec.answer("Ana", "declare", activities=["close-door"] * 5)
    spec.act("Ana", "done").act("Orc", "done")
    spec.answer(None, verdict, ("group-initiative", 5), ("group-initiative", 2))
    assert until(spec, "end-of-round").combat.phase == "end-of-round"
