"""Test parleys, flights and charges of step 3 (VD-FAST)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed, Refused
from domain.record.events import Prevented, Rolled, Stopped
from domain.rulebook.play import Play
from tests import results
from tests.rulesets.vile_darkness.units import (
    announce,
    asked,
    begin,
    close,
    declare,
    engaged,
    foe,
    hero,
    passes,
    power,
    reply,
    shown,
    until,
    weapon,
)
from tests.spec import GM, Spec, offer, rule

PIKE = weapon("pike", "1d6", 9, reach_ft=10, multipliers=[{"when": "set-for-charge", "factor": 2}])


def notes(spec: Spec) -> list[str]:
    return results.notes(recorded.event for recorded in spec.live.history.path)


def not_done(spec: Spec) -> list[tuple[str, str, str]]:
    """Return combatant, action and reason of each prevented or stopped action in this fight."""
    return [
        (event.who, event.action if isinstance(event, Prevented) else event.doing, event.reason)
        for event in (recorded.event for recorded in spec.live.history.path)
        if isinstance(event, Prevented | Stopped)
    ]


@rule("VD-CPLX-04")
@pytest.mark.parametrize("action", ["parley", "flee", "charge"])
def test_nothing_fast_goes_beside_a_complex_activity(spec: Spec, action: str) -> None:
    at_each_other: dict[str, Any] = {
        who: (action, {"target": target} if action == "charge" else {})
        for who, target in (("Ana", "Orc"), ("Orc", "Ana"))
    }
    begin(spec.given(hero("Ana"), foe("Orc")), 2, 5, **at_each_other)
    spec.rule("condition", target="Ana", condition="complex-activity")  # HIGH is asked
    passes(spec, "Orc")
    assert not_done(spec) == [("Ana", action, "complex-in-progress")]


@rule("VD-DECL-02")
@pytest.mark.parametrize(("declared", "other"), [("charge", "flee"), ("flee", "parley")])
def test_what_was_declared_says_nothing_of_another_action(
    spec: Spec, declared: str, other: str
) -> None:
    plans: dict[str, dict[str, Any]] = {"charge": {"target": "Orc"}, "flee": {"distance_ft": 20}}
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2, Ana=(declared, plans[declared]))
    with spec.refused("VD-DECL-02", "not-declared"):
        spec.act("Ana", other)
    offers = {offer.option.id: offer for offer in spec.live.all_options(GM) if offer.who == "Ana"}
    assert {refusal.code for refusal in offers[other].refusals} >= {"not-declared"}


def test_an_action_that_was_not_declared_is_tried_as_it_is(spec: Spec) -> None:
    """`flee` takes no inputs from a declared charge."""
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2, Ana=("charge", {"target": "Orc"}))
    flight = spec.ruleset.actions["flee"]
    assert {} in offer(Play(spec.ruleset, spec.combat), "Ana", flight, None, "turn").legal


# ---- A parley


@rule("VD-FAST-08")
@pytest.mark.parametrize(
    ("said", "answer", "told"),
    [
        ({"message": "Peace?"}, {"text": "Never."}, ["Ana says: Peace?", "The answer: Never."]),
        ({}, {}, ["Ana offers to talk"]),
    ],
)
def test_a_parley_and_its_answer_stand_in_the_log(
    spec: Spec, said: dict[str, str], answer: dict[str, str], told: list[str]
) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2, Ana=("parley", said)).act("Ana", "parley")
    spec.answer(None, "answer", **answer)
    assert notes(spec) == told


# ---- B flee


@rule("VD-GRID-04")
def test_nobody_flees_through_an_opponent(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    begin(spec, 5, 2, Ana="flee")
    with spec.refused("VD-GRID-04", "path-blocked"):
        spec.act("Ana", "flee", path=[[4, 0]])
    spec.act("Ana", "flee", path=[[-4, 0]])
    assert spec["Ana"].position == (-4, 0, 0)


def fleeing(spec: Spec) -> Spec:
    """Let Ana flee from the orc, which gets a prompt for its free attack."""
    spec.given(hero("Ana", at=[0, 0], max_hp=6), foe("Orc", at=[1, 0]), foe("Rat", at=[0, 9]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Ana=("flee", {"path": [[-4, 0]]})).act("Ana", "flee")
    assert asked(spec) == [("free-attack", "Orc")]
    return spec


@rule("VD-FREE-01")
def test_who_falls_by_a_free_attack_flees_no_more(spec: Spec) -> None:
    fleeing(spec).answer("Orc", "take", ("attack", 15), ("damage", 6))
    spec.answer(None, "down", name="dying")
    assert [(prevented.action, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("flee", "cannot-act")
    ]
    assert spec["Ana"].position == (0, 0, 0)


@rule("VD-GRID-04")
def test_a_way_that_is_closed_during_the_free_attacks_is_not_gone(spec: Spec) -> None:
    fleeing(spec).rule("place", who="Rat", at=[-2, 0]).answer("Orc", "pass")
    spec.answer("Ana", "pass", name="slot-intent")
    assert not_done(spec) == [("Ana", "flee", "path-blocked")]
    assert spec["Ana"].position == (0, 0, 0)


# ---- C charge


@rule("VD-FAST-07")
@pytest.mark.parametrize(("weapons", "to"), [(["sword", "pike"], 8), (["sword"], 9)])
def test_a_charge_ends_where_its_longest_weapon_reaches(
    spec: Spec, weapons: list[str], to: int
) -> None:
    routine = {"id": "all", "kind": "melee", "attacks": [{"weapon": weapon} for weapon in weapons]}
    arms = [weapon("sword"), PIKE]
    spec.given(hero("Ana", at=[0, 0], weapons=arms, routines=[routine]), foe("Orc", at=[10, 0]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", *(("attack", 2) for _ in weapons))
    assert spec["Ana"].position == (to, 0, 0)  # 10 ft away, or beside it
    assert notes(spec) == ["Ana charges Orc"]


@rule("VD-FAST-07")
@pytest.mark.parametrize(("ft", "reaches"), [(120, True), (121, False)])
def test_without_positions_a_charge_goes_as_far_as_the_rate(
    spec: Spec, ft: int, reaches: bool
) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc", "distance_ft": ft}))
    spec.act("Ana", "charge", *([("attack", 2)] if reaches else []))
    told = [] if reaches else ["Ana's charge ends without a blow: it is too far"]
    assert notes(spec) == ["Ana charges Orc", *told]
    assert spec["Ana"].has("engaged") == reaches


@rule("VD-MULTI-02")
def test_a_charge_leaves_the_other_routines_for_step_6(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", ("attack", 2))
    until(spec, "multi-rest/HIGH").act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc")
    assert spec.hp("Orc") == 17


def test_who_falls_before_it_has_charged_is_told_once(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], max_hp=4), foe("Orc", at=[1, 0]), foe("Rat", at=[0, 9]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Rat"})).act("Ana", "charge")
    reply(spec, "leave-melee", "free-attacks").answer("Orc", "take", ("attack", 15), ("damage", 4))
    spec.answer(None, "down", name="dying")
    assert not_done(spec) == [("Ana", "charge", "cannot-act")]


@pytest.mark.parametrize("named", ["Orc", "Gash", ["Gash"]])
def test_whom_one_charges_may_be_named_by_its_name(spec: Spec, named: str | list[str]) -> None:
    spec.given(hero("Ana"), foe("Orc", weapons=[PIKE])).do(Change("Orc", name="Gash"))
    begin(spec, 5, 2, Ana=("charge", {"target": named})).act("Ana", "charge")
    assert asked(spec) == [("immediate-attack", "Orc")]
    spec.leave("Orc")
    assert not_done(spec) == [("Ana", "charge", "gone")]


def test_who_leaves_while_another_still_runs_sets_no_weapon(spec: Spec) -> None:
    spec.given(
        hero("Ana"), hero("Odo"), foe("Orc", weapons=[PIKE]), foe("Rat"), foe("Imp"),
    )  # fmt: skip
    engaged(spec, ("Odo", "Imp"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}), Odo=("charge", {"target": "Rat"}))
    spec.act("Ana", "charge").act("Odo", "charge")
    reply(spec, "leave-melee", "free-attacks").leave("Orc")
    spec.answer("Imp", "pass", ("attack", 2), name="free-attack")
    assert not_done(spec) == [("Ana", "charge", "gone")]
    assert shown(spec, "Odo", "engaged_with") == ["Rat"]


def test_who_has_lost_its_arms_on_the_way_strikes_nobody(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc", weapons=[PIKE]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"})).act("Ana", "charge")
    spec.rule("set", who="Ana", sheet={"weapons": []}).answer("Orc", "pass")
    assert spec.combat.phase == "group/HIGH/D4"  # the round continues without a blow
    assert not spec["Ana"].has("engaged")


@pytest.mark.parametrize(("ours", "its"), [(None, None), ([0, 0], None), (None, [9, 0])])
def test_where_nobody_measures_to_charge_elsewhere_is_to_leave_a_melee(
    spec: Spec, ours: list[int] | None, its: list[int] | None
) -> None:
    spec.given(hero("Ana", at=ours), foe("Orc"), foe("Rat", at=its))
    engaged(announce(spec), ("Ana", "Orc"))
    close(declare(spec, Ana=("charge", {"target": "Rat"})), 5, 2).act("Ana", "charge")
    reply(spec, "leave-melee", "allow", ("attack", 2))
    assert shown(spec, "Ana", "engaged_with") == ["Rat"]
    assert "moved" not in spec["Ana"].facts


def confined(spec: Spec, wall: list[int]) -> Spec:
    """Let Ana charge along a line in restricted quarters with a wall."""
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[10, 0]),
        restricted_quarters=True, map={"blocked": [wall]},
    )  # fmt: skip
    return begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))


@rule("VD-MELEE-03")
def test_in_restricted_quarters_an_open_way_is_nobodys_to_allow(spec: Spec) -> None:
    confined(spec, [5, 1]).act("Ana", "charge", ("attack", 2))
    assert spec["Ana"].position == (9, 0, 0)


@rule("VD-MELEE-03")
def test_in_restricted_quarters_a_closed_way_is_the_gms_to_allow(spec: Spec) -> None:
    confined(spec, [5, 0]).act("Ana", "charge")
    reply(spec, "restricted-quarters", "allow", ("attack", 8), ("damage", 3), modifier=2)
    assert spec["Ana"].position == (9, 0, 0)
    assert spec.rolled("attack").total == 10  # 8 + 2


@rule("VD-MELEE-03")
def test_a_charge_that_the_gm_does_not_allow_costs_nothing(spec: Spec) -> None:
    confined(spec, [5, 0]).act("Ana", "charge")
    reply(spec, "restricted-quarters", "refuse")
    assert not_done(spec) == [("Ana", "charge", "out-of-reach")]
    assert spec["Ana"].position == (0, 0, 0)
    assert spec["Ana"].budget["major"] == 1


@rule("VD-FAST-07", "VD-GRID-04")
def test_a_charge_stops_at_whom_another_charge_has_brought_into_its_way(spec: Spec) -> None:
    """The orc charges first and stops at `[4, 0]`. Ana's charge ends in front of the orc."""
    spec.given(
        foe("Orc", at=[4, 6]), hero("Ana", at=[0, 0]), hero("Bo", at=[4, -1]), foe("Gob", at=[8, 0])
    )
    begin(spec, 3, 3, Ana=("charge", {"target": "Gob"}), Orc=("charge", {"target": "Bo"}))
    spec.act("Ana", "charge").act("Orc", "charge", ("attack", 1))
    assert spec["Orc"].position == (4, 0, 0)
    assert spec["Ana"].position == (3, 0, 0)


# ---- the inputs of step 1 are the default (4.1)

CLAWS = {"id": "claws", "kind": "melee", "attacks": [{"weapon": "claw", "count": 2}]}
HALBERD = weapon("halberd", "1d10", modes=[{"id": "chop", "damage": "1d12"}])
ARMED = [weapon("claw", "1d4", natural=True), HALBERD]
WITH_CLAWS = [("attack", 15), ("damage", 1), ("attack", 15), ("damage", 2)]


@rule("VD-FAST-07")
@pytest.mark.parametrize(
    ("declared", "answered", "dice", "hp"),
    [
        ({"weapon": "halberd", "mode": "chop"}, {}, [("attack", 15), ("damage", 12)], 8),
        ({"weapon": "halberd", "mode": "chop"}, {"routine": "claws"}, WITH_CLAWS, 17),
        ({"routine": "claws"}, {"weapon": "halberd"}, [("attack", 15), ("damage", 10)], 10),
        ({"weapon": "claw"}, {"weapon": "halberd"}, [("attack", 15), ("damage", 10)], 10),
        (
            {"weapon": "halberd", "mode": "chop"}, {"weapon": "claw"},
            [("attack", 15), ("damage", 4)], 16,
        ),
        (
            {"weapon": "halberd", "mode": "chop"}, {"weapon": "halberd"},
            [("attack", 15), ("damage", 12)], 8,
        ),
        ({"weapon": "halberd"}, {"mode": "chop"}, [("attack", 15), ("damage", 12)], 8),
    ],
)  # fmt: skip
def test_who_charges_with_something_else_than_it_said(
    spec: Spec, declared: Any, answered: Any, dice: list[tuple[str, int]], hp: int
) -> None:
    spec.given(hero("Ana", at=[0, 0], weapons=ARMED, routines=[CLAWS]), foe("Orc", at=[9, 0]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc", **declared}))
    spec.act("Ana", "charge", *dice, **answered)
    assert spec.hp("Orc") == hp


@rule("VD-FAST-06")
@pytest.mark.parametrize(
    ("declared", "answered"),
    [({"path": [[5, 0]]}, {"to": [0, 5]}), ({"to": [5, 0]}, {"path": [[0, 5]]})],
)
def test_who_flees_another_way_than_it_said(spec: Spec, declared: Any, answered: Any) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 1]))
    begin(spec, 5, 2, Ana=("flee", declared)).act("Ana", "flee", **answered)
    assert spec["Ana"].position == (0, 5, 0)


@rule("VD-ROUT-01")
@pytest.mark.parametrize("action", ["attack", "called-shot", "charge"])
def test_it_is_a_routine_or_a_weapon(spec: Spec, action: str) -> None:
    spec.given(hero("Ana", weapons=ARMED, routines=[CLAWS]), foe("Orc"))
    announce(spec)
    if action != "charge":
        close(spec, 5, 2)
    with spec.raises(Malformed) as refused:
        spec.act("Ana", action, target="Orc", routine="claws", weapon="halberd")
    assert refused[0].pointer == "/inputs/routine"


@rule("VD-MULTI-02")
def test_in_step_6_too(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc"))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2).act("Ana", "attack", ("attack", 2), target="Orc")
    until(spec, "multi-rest/HIGH")
    with spec.raises(Malformed):
        spec.act("Ana", "attack", target="Orc", routine="bite", weapon="sword")


@rule("VD-GRP-06")
def test_it_is_a_path_or_a_goal(spec: Spec) -> None:
    begin(spec.given(hero("Ana", at=[0, 0]), foe("Orc", weapons=[])), 5, 2)
    passes(spec, "Ana")
    with spec.raises(Malformed) as refused:
        spec.act("Ana", "move", path=[[1, 0]], to=[2, 0])
    assert refused[0].pointer == "/inputs/to"


@rule("VD-DECL-01")
@pytest.mark.parametrize(
    ("action", "inputs", "pointer"),
    [
        ("charge", {"target": "Orc", "weapon": "lance"}, "/inputs/weapon"),
        ("charge", {"target": "Orc", "routine": "bite"}, "/inputs/routine"),
        ("charge", {"target": ["Orc", "Ana"]}, "/inputs/target"),
        ("attack", {"weapon": "lance"}, "/inputs/weapon"),
        ("called-shot", {"weapon": "halberd", "mode": "thrust"}, "/inputs/mode"),
        ("flee", {"distance_ft": 200}, "/inputs/distance_ft"),
        ("complex", {"ability": "wish"}, "/inputs/ability"),
        ("move", {"pace": 3}, "/inputs/pace"),
        ("dance", {}, "/action"),
    ],
)
def test_what_cannot_be_is_told_when_it_is_declared(
    spec: Spec, action: str, inputs: Any, pointer: str
) -> None:
    announce(spec.given(hero("Ana", weapons=ARMED, routines=[CLAWS]), foe("Orc")))
    with spec.raises(Refused) as refused:
        spec.answer("Ana", "declare", action=action, inputs=inputs)
    assert vars(refused[0])["pointer"] == f"/inputs{pointer}"


# ---- several abilities that go first (GAP-55)

FIRST = [power(id, timing="go_first", damage="1d4", uses=1) for id in ("omen", "howl")]


@rule("VD-FAST-02")
def test_who_has_more_to_go_first_with_is_asked_again(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=FIRST), foe("Orc", abilities=FIRST[:1])), 3, 3)
    spec.act("Ana", "go-first", ability="omen", target="Orc")
    spec.act("Orc", "go-first", ("damage", 1), ("damage", 2), ability="omen", target="Ana")
    assert asked(spec) == [("slot-intent", "Ana")]
    assert spec.combat.phase == "fast/go-first/HIGH"
    spec.act("Ana", "go-first", ability="howl", target="Orc")
    reply(spec, "multiple-minors", "none", ("damage", 4))  # VD-MIN-07
    assert (spec.hp("Ana"), spec.hp("Orc")) == (18, 15)
    assert shown(spec, "Ana", "added_segments") == 2
    assert spec.combat.phase != "fast/go-first/HIGH"


@rule("VD-FAST-02", "VD-SIMP-06")
def test_a_second_thing_to_go_first_with_may_have_to_wait_for_low(spec: Spec) -> None:
    begin(spec.given(hero("Ana", abilities=FIRST), foe("Orc", weapons=[])), 5, 2)
    spec.act("Ana", "go-first", ("damage", 1), ability="omen", target="Orc")
    spec.act("Ana", "go-first", ability="howl", target="Orc")
    reply(spec, "multiple-minors", "delaying")
    assert shown(spec, "Ana", "rank") == "LOW"
    until(spec, "group/LOW/D1").answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 15


@rule("VD-FAST-02")
def test_whose_going_first_is_prevented_may_do_something_else(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=FIRST), foe("Orc", abilities=FIRST), foe("Rat"))
    begin(spec, 3, 3)
    spec.act("Ana", "go-first", ability="omen", target="Rat")
    spec.rule("set-track", who="Rat", value=0).answer(None, "down", name="dying")
    passes(spec, "Orc")
    assert not_done(spec) == [("Ana", "go-first", "gone")]
    assert asked(spec) == [("slot-intent", "Ana")]
    spec.act("Ana", "go-first", ("damage", 4), ability="omen", target="Orc")
    assert spec.hp("Orc") == 16


@rule("VD-FREE-04")
def test_each_time_somebody_goes_first_is_a_segment_of_its_own(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=FIRST), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2)
    for ability, against in (("omen", "Rat"), ("howl", "Orc")):
        spec.act("Ana", "go-first", ability=ability, target="Orc")
        if ability == "howl":
            reply(spec, "multiple-minors", "none")
        spec.rule("grant-free-attack", attacker="Ana", against=against)
        spec.answer("Ana", "take", ("attack", 2), name="free-attack")
        spec.answer("Ana", "roll", faces=[1])
    assert len(shown(spec, "Ana", "free_attacks_made")) == 2


@rule("VD-GRID-02", "VD-GRID-03")
def test_two_charges_to_one_square_are_legal_and_strike_no_blow(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Bo", at=[0, 2]), foe("Orc", at=[4, 1]))
    same = ("charge", {"target": "Orc", "to": [3, 1]})
    begin(spec, 5, 2, Ana=same, Bo=same)
    declare(spec, Ana=same, Bo=same)
    assert spec["Ana"].position == spec["Bo"].position == (3, 1, 0)
    assert notes(spec)[-2:] == [
        "Ana's charge ends without a blow: Ana shares its square with Bo",
        "Bo's charge ends without a blow: Bo shares its square with Ana",
    ]
    assert spec.hp("Orc") == 20


@rule("VD-FAST-07", "VD-GRID-03")
def test_a_second_charge_without_a_path_ends_beside_the_first(spec: Spec) -> None:
    spec.given(hero("Bo", at=[-1, 0]), hero("Ana", at=[0, 0]), foe("Orc", at=[4, 0]))
    at_orc = ("charge", {"target": "Orc"})
    begin(spec, 5, 2, Ana=at_orc, Bo=at_orc)
    spec.act("Ana", "charge").act("Bo", "charge", ("attack", 1), ("attack", 1))
    # Bo moves first, in joining order. Of Ana's two nearest squares, the lower y counts.
    assert spec["Bo"].position == (3, 0, 0)
    assert spec["Ana"].position == (3, -1, 0)
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Bo", "Ana"]


@rule("VD-FAST-07", "VD-GRID-03")
def test_a_charge_into_a_crowd_stops_behind_it(spec: Spec) -> None:
    """Bo occupies the only free square beside the orc, so Ana's charge ends behind Bo."""
    walls = [[3, -1], [3, 1], [4, -1], [4, 1], [5, -1], [5, 0], [5, 1]]
    spec.given(
        hero("Ana", at=[0, 0]), hero("Bo", at=[3, 0]), foe("Orc", at=[4, 0]),
        map={"blocked": walls},
    )  # fmt: skip
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge")
    assert spec["Ana"].position == (2, 0, 0)
    assert not spec.events(Rolled)


@rule("VD-FAST-07", "VD-GRID-03")
def test_a_charge_goes_around_an_ally_to_a_free_square(spec: Spec) -> None:
    """Ana's charge goes around Bo to the square behind the orc.

    Bo and walls occupy all other squares beside the orc.
    """
    walls = [[3, -1], [3, 1], [4, -1], [5, -1], [5, 1], [4, 1]]
    spec.given(
        hero("Ana", at=[0, 0]), hero("Bo", at=[3, 0]), foe("Orc", at=[4, 0]),
        map={"blocked": walls},
    )  # fmt: skip
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", ("attack", 1))
    assert spec["Ana"].position == (5, 0, 0)
