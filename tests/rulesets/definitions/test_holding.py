"""Test held actions, their triggers and their results (DEF-HLD)."""

from typing import Any

import pytest

from domain.engine.commands import Act, Change
from domain.record.events import ConditionLost, Prevented, Rolled, Stopped
from tests.rulesets.definitions.units import (
    BOW,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    order_of,
    shown,
    turn_of,
)
from tests.spec import Spec, rule

NEAR = {"event": "moves-next-to"}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}


def three(spec: Spec, **fields: Any) -> Spec:
    """Begin with X, Y and Z in this order. Z is a foe, 3 squares away from Y."""
    return fight(
        spec,
        fighter("X", at=[0, 9]),
        fighter("Y", **{"weapons": [SWORD], "at": [0, 0], **fields}),
        foe("Z", at=[3, 0], weapons=[SWORD]),
    )


def holding(spec: Spec, trigger: Any = None, action: str = "attack", **fields: Any) -> Spec:
    """Begin Z's turn. Y holds an action against Z, by default an attack."""
    end(three(spec, **fields), "X")
    hold(spec, "Y", action, trigger or NEAR, target="Z")
    return end(spec, "Y")


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


@rule("DEF-HLD-01")
def test_the_slot_is_spent_at_once(spec: Spec) -> None:
    end(three(spec), "X")
    hold(spec, "Y", "attack", NEAR, target="Z")
    assert spec["Y"].has("holding")
    assert (left(spec, "Y")["standard"], left(spec, "Y")["move"]) == (0, 1)
    assert shown(spec, "Y")["held"] == {
        "slot": "standard",
        "action": "attack",
        "trigger": {
            "event": "moves-next-to", "who": None, "target": None, "action": None, "text": None,
        },
    }  # fmt: skip


@rule("DEF-HLD-02")
def test_an_action_and_a_clear_trigger(spec: Spec) -> None:
    end(three(spec), "X")
    with spec.refused("DEF-HLD-02", "hold-needs-action"):
        hold(spec, "Y", None, NEAR)
    unclear: tuple[Any, ...] = (None, {}, {"text": "  "}, {"event": "acts"}, {"event": "rains"})
    for trigger in unclear:
        with spec.refused("DEF-HLD-02", "hold-needs-trigger"):
            hold(spec, "Y", "attack", trigger, target="Z")
    hold(spec, "Y", "attack", {"text": "when the bell rings"}, target="Z")


@rule("DEF-HLD-03")
def test_only_what_the_slot_can_pay(spec: Spec) -> None:
    three(spec, base_attack_bonus=6, spells=[{**BOLT, "cost": "swift"}])
    end(spec, "X")
    for slot, action in (
        ("move", "attack"), ("move", "shove"), ("standard", "charge"), ("standard", "speak"),
        ("standard", "end-turn"),
    ):  # fmt: skip
        with spec.refused("DEF-HLD-03", "cannot-hold"):
            hold(spec, "Y", action, NEAR, slot=slot)
    with spec.refused("DEF-HLD-03", "cannot-hold"):
        hold(spec, "Y", "cast-spell", NEAR, spell="bolt")
    with spec.refused("DEF-HLD-03", "no-attacks-left"):
        hold(spec, "Y", "attack", NEAR, attacks=3, target="Z")
    hold(spec, "Y", "move", NEAR, path=[[1, 0]])  # a move in place of the standard action


@rule("DEF-HLD-03")
@pytest.mark.parametrize(
    "deed",
    [{"action": "attack", "inputs": {"target": "Z"}},
     {"action": {"action": "attack", "inputs": {"target": "Z"}}}],
)  # fmt: skip
def test_unless_it_says_more_one_attack_is_held(spec: Spec, deed: dict[str, Any]) -> None:
    end(three(spec, base_attack_bonus=6), "X")
    spec.do(Act("Y", "hold-action", {**deed, "trigger": NEAR}))
    end(spec, "Y").act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 1))
    assert spec.open() == [("turn", "turn", "Z")]


@rule("DEF-HLD-04")
def test_an_unspent_slot_and_one_hold_at_a_time(spec: Spec) -> None:
    end(three(spec), "X")
    spec.act("Y", "move", path=[[0, 1]])
    with spec.refused("DEF-HLD-04", "move-used"):
        hold(spec, "Y", "drop-prone", NEAR, slot="move")
    hold(spec, "Y", "attack", NEAR, target="Z")
    with spec.refused("DEF-HLD-04", "already-holding"):
        hold(spec, "Y", "drop-prone", NEAR, slot="move")
    end(spec, "Y", "Z", "X")
    hold(spec, "Y", "drop-prone", NEAR, slot="move")
    with spec.refused("DEF-HLD-04", "already-holding"):
        hold(spec, "Y", "attack", NEAR, target="Z")


@rule("DEF-HLD-04")
def test_a_used_standard_holds_nothing(spec: Spec) -> None:
    fight(spec, fighter("Y", weapons=[SWORD]), foe("Z"))
    spec.act("Y", "attack", ("attack", 1), target="Z")
    with spec.refused("DEF-HLD-04", "standard-used"):
        hold(spec, "Y", "attack", NEAR, target="Z")


@rule("DEF-HLD-05")
def test_kept_it_stays_held(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0], [1, 1]])
    assert asked(spec) == ["Y"]
    assert spec.prompt().default == "keep"
    assert [option.id for option in spec.prompt().options] == ["resolve", "keep"]
    spec.answer("Y", "keep")
    assert spec["Y"].has("holding")


@rule("DEF-HLD-05")
def test_a_trigger_in_words_is_reported_and_confirmed(spec: Spec) -> None:
    end(three(spec, weapons=[SWORD, BOW], wielded={"primary": "bow"}), "X")
    hold(spec, "Y", "ranged-attack", {"text": "when the bell rings"}, target="Z")
    end(spec, "Y")
    with spec.refused("DEF-HLD-05", "not-holding"):
        spec.rule("report-trigger", who="X")
    spec.rule("report-trigger", who="Y")  # the GM's prompt defaults to yes
    assert asked(spec) == ["Y"]
    spec.answer("Y", "resolve", ("attack", 1))
    assert order_of(spec) == ["X", "Z", "Y"]  # behind the combatant on turn


@rule("DEF-HLD-05")
def test_its_owner_may_report_it_too(spec: Spec) -> None:
    end(three(spec), "X")
    hold(spec, "Y", "drop-prone", {"text": "now"}, slot="move")
    spec.act("Y", "report-trigger")
    spec.answer("Y", "resolve")
    assert spec["Y"].has("prone")


@rule("DEF-HLD-05", "DEF-HLD-06")
@pytest.mark.parametrize(
    ("event", "who"),
    [
        ("turn-starts", "Z"), ("turn-ends", "Z"), ("moves", "Z"), ("moves-next-to", "Z"),
        ("enters-reach", "Z"), ("acts", "Z"), ("speaks", "Z"), ("is-damaged", "Z"), ("falls", "Z"),
    ],
)  # fmt: skip
def test_every_event_of_the_list(spec: Spec, event: str, who: str) -> None:
    end(three(spec), "X")
    more = {"action": "speak"} if event == "acts" else {}
    hold(spec, "Y", "drop-prone", {"event": event, "who": who, **more}, slot="move")
    end(spec, "Y")
    if event == "turn-starts":
        assert asked(spec) == ["Y"]
        return
    assert asked(spec) == []
    match event:
        case "turn-ends":
            end(spec, "Z")
        case "moves":
            spec.act("Z", "move", path=[[4, 0], [5, 0]])
            assert at(spec, "Z") == (4, 0)
        case "moves-next-to" | "enters-reach":
            spec.act("Z", "move", path=[[2, 0], [1, 0], [0, 1]])
            assert at(spec, "Z") == (1, 0)
        case "acts" | "speaks":
            spec.act("Z", "speak", text="ha")
        case "is-damaged":
            spec.rule("damage", who="Z", amount=1)
        case _:
            spec.rule("damage", who="Z", amount=20, track="nld")
    assert asked(spec) == ["Y"]


@rule("DEF-HLD-06")
def test_before_opportunities_counterspells_and_rolls(spec: Spec) -> None:
    fight(
        spec,
        fighter("Y", weapons=[SWORD]),
        foe("Z", spells=[BOLT], hp=4),
        foe("W", at=[9, 9]),
        fighter("V", at=[2, 0], weapons=[SWORD], abilities_list=[
            {"id": "undo", "name": "Undo", "counterspell": {}},
        ]),
    )  # fmt: skip
    hold(spec, "Y", "attack", {"event": "starts-to-cast"}, target="Z")
    end(spec, "Y")
    spec.act("Z", "cast-spell", spell="bolt", targets=["Y"])
    assert asked(spec) == ["Y"]
    assert spec.prompt().data["reason"] == "held-action"
    spec.answer("Y", "resolve", ("attack", 15), ("damage", 4))
    assert asked(spec) == []  # no prompt: the caster has lost the spell
    assert spec.event(Stopped).doing == "cast-spell"


@rule("DEF-HLD-06")
def test_what_is_resolved_is_not_told_as_lost(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 1))
    over = spec.event(ConditionLost)
    assert (over.condition, over.reason, over.rules) == (
        "holding", "its moment has come", ("DEF-HLD-06",),
    )  # fmt: skip


@rule("DEF-HLD-06")
def test_before_the_attack_that_it_waits_for(spec: Spec) -> None:
    fight(spec, fighter("Y", weapons=[SWORD]), foe("Z", weapons=[SWORD]), fighter("W", at=[9, 9]))
    hold(spec, "Y", "attack", {"event": "attacks", "target": "Y"}, target="Z")
    end(spec, "Y")
    spec.act("Z", "attack", target="Y")
    assert asked(spec) == ["Y"]
    assert not spec.events(Rolled)
    spec.answer("Y", "resolve", ("attack", 1), ("attack", 2))
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Y", "Z"]


@rule("DEF-HLD-06")
def test_an_opportunity_is_an_attack_to_wait_for(spec: Spec) -> None:
    fight(
        spec,
        fighter("Y", weapons=[SWORD], at=[1, 1]),
        foe("Z", weapons=[SWORD]),
        fighter("W"),
    )
    hold(spec, "Y", "attack", {"event": "attacks", "target": "W"}, target="Z")
    end(spec, "Y", "Z")
    spec.act("W", "move", path=[[-1, 0]])
    spec.answer("Z", "aoo")
    assert asked(spec) == ["Y"]  # a reaction to a reaction
    spec.answer("Y", "resolve", ("attack", 1), ("attack", 1))
    assert at(spec, "W") == (-1, 0)


@rule("DEF-HLD-07")
def test_it_is_the_immediate_action(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 1))
    assert shown(spec, "Y")["immediate_category"] == "other"
    with spec.refused("DEF-IMM-04", "immediate-exclusive"):
        spec.act("Y", "aoo")
    spec.act("Z", "move", path=[[2, 0]], pay="standard")
    assert asked(spec) == []


@rule("DEF-HLD-07")
def test_not_after_an_opportunity(spec: Spec) -> None:
    holding(spec, {"event": "speaks"})
    spec.rule("move", who="Z", to=[1, 0])
    spec.act("Z", "move", path=[[2, 0]])
    spec.answer("Y", "aoo", ("attack", 1))
    spec.act("Z", "speak", text="missed!")
    assert asked(spec) == []
    assert spec["Y"].has("holding")


@rule("DEF-HLD-07", "DEF-IMM-10")
def test_not_after_another_one_that_is_used_while_it_is_asked_for(spec: Spec) -> None:
    ward = {"id": "ward", "name": "Ward", "cost": "immediate", "healing": "1d4"}
    holding(spec, {"event": "speaks"}).do(Change("Y", sheet={"abilities_list": [ward]}))
    spec.act("Z", "speak", text="ho")
    assert asked(spec) == ["Y"]
    spec.act("Y", "use-ability", ("healing", 1), ability="ward")
    assert asked(spec) == []
    assert spec["Y"].has("holding")


@rule("DEF-HLD-05", "DEF-HLD-07")
def test_nor_is_the_gm_asked_about_its_trigger_any_more(spec: Spec) -> None:
    ward = {"id": "ward", "name": "Ward", "cost": "immediate", "healing": "1d4"}
    fight(
        spec, fighter("Y", weapons=[SWORD], abilities_list=[ward]), foe("Z"), rulings="ask"
    )  # fmt: skip
    hold(spec, "Y", "attack", {"text": "when the bell rings"}, target="Z")
    spec.act("Y", "report-trigger")
    assert spec.prompt().name == "trigger-occurred"
    spec.act("Y", "use-ability", ("healing", 1), ability="ward")
    assert spec.prompt().name == "turn"
    assert spec["Y"].has("holding")


@rule("DEF-HLD-08")
def test_the_place_moves_behind_the_triggering_creature(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 1))
    assert order_of(spec) == ["X", "Z", "Y"]
    end(spec, "Z")
    assert (turn_of(spec), spec.combat.round) == ("X", 2)


@rule("DEF-HLD-09")
def test_no_second_turn_in_that_round(spec: Spec) -> None:
    holding(spec, {"event": "speaks", "who": "X"})
    end(spec, "Z")
    spec.act("X", "speak", text="now")
    spec.rule("move", who="Z", to=[1, 0])
    spec.answer("Y", "resolve", ("attack", 1))
    assert order_of(spec) == ["X", "Y", "Z"]
    end(spec, "X")
    assert turn_of(spec) == "Z"  # Y has no turn in round 2
    assert shown(spec, "Y")["immediates_used"] == 1
    end(spec, "Z", "X")
    assert (turn_of(spec), spec.combat.round) == ("Y", 3)
    assert shown(spec, "Y")["immediates_used"] == 0


@rule("DEF-HLD-10")
def test_lost_at_its_next_turn_and_when_it_cannot_act(spec: Spec) -> None:
    end(holding(spec), "Z", "X")
    assert turn_of(spec) == "Y"
    assert not spec["Y"].has("holding")
    assert order_of(spec) == ["X", "Y", "Z"]
    hold(spec, "Y", "attack", NEAR, target="Z")
    end(spec, "Y")
    spec.rule("set-condition", who="Y", condition="cannot-act")
    assert not spec["Y"].has("holding")


@rule("DEF-HLD-11")
def test_impossible_by_then_it_is_lost_and_nothing_used(spec: Spec) -> None:
    holding(spec, {"event": "moves"})
    spec.act("Z", "move", path=[[4, 0], [5, 0]])
    spec.answer("Y", "resolve")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert not spec["Y"].has("holding")
    assert shown(spec, "Y")["immediates_used"] == 0
    assert order_of(spec) == ["X", "Y", "Z"]
    assert at(spec, "Z") == (5, 0)


@rule("DEF-HLD-03", "DEF-HLD-06")
def test_several_attacks_from_the_highest_down(spec: Spec) -> None:
    end(three(spec, base_attack_bonus=6), "X")
    hold(spec, "Y", "attack", NEAR, attacks=2, target="Z")
    end(spec, "Y")
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 2), ("attack", 2))
    assert [rolled.total for rolled in spec.events(Rolled, purpose="attack")] == [8, 3]


# ---- between the rules


@rule("DEF-HLD-05")
def test_two_holders_resolve_by_initiative_and_are_asked_anew(spec: Spec) -> None:
    fight(
        spec,
        fighter("X", weapons=[SWORD], at=[0, 1]),
        fighter("Y", weapons=[SWORD]),
        foe("Z", at=[3, 0], hp=1),
        foe("W", at=[9, 9]),
    )
    hold(spec, "X", "attack", NEAR, target="Z")
    end(spec, "X")
    hold(spec, "Y", "attack", NEAR, target="Z")
    end(spec, "Y")
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    assert asked(spec) == ["X"]
    spec.answer("X", "resolve", ("attack", 15), ("damage", 5))
    assert asked(spec) == ["Y"]
    spec.answer("Y", "resolve", ("attack", 15), ("damage", 5))  # Z is down, and Y still strikes
    assert spec["Z"].has("bleeding-out")


def test_the_trigger_s_maker_is_removed_while_it_is_asked(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.leave("Z")
    if asked(spec):
        spec.answer("Y", "resolve")
    assert shown(spec, "Y")["immediates_used"] == 0


def test_undo_in_the_midst_of_a_held_action(spec: Spec) -> None:
    holding(spec)
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve")
    spec.undo()
    assert asked(spec) == ["Y"]
    assert spec["Y"].has("holding")


@rule("DEF-HLD-01", "DEF-HLD-03")
@pytest.mark.parametrize(
    "named",
    [
        {"action": "attack", "inputs": {"target": "Z"}, "attacks": 2},
        {"action": {"action": "attack", "inputs": {"target": "Z"}, "attacks": 2}},
        {"action": {"action": "attack", "inputs": {"target": "Z"}}, "attacks": 2},
    ],
)
def test_the_action_with_its_inputs_or_beside_them(spec: Spec, named: dict[str, Any]) -> None:
    end(three(spec, base_attack_bonus=6), "X")
    spec.do(Act("Y", "hold-action", {"slot": "standard", "trigger": NEAR, **named}))
    end(spec, "Y")
    spec.act("Z", "move", path=[[2, 0], [1, 0]])
    spec.answer("Y", "resolve", ("attack", 2), ("attack", 2))


def test_attacks_on_others_and_movers_without_a_place_are_not_waited_for(spec: Spec) -> None:
    fight(
        spec,
        fighter("Y", at=None),
        foe("Z", weapons=[SWORD]),
        fighter("W"),
    )
    hold(spec, "Y", "drop-prone", {"event": "attacks", "target": "Y"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "attack", ("attack", 1), target="W")
    assert asked(spec) == []
    end(spec, "Z", "W")
    hold(spec, "Y", "drop-prone", NEAR, slot="move")
    end(spec, "Y")
    spec.act("Z", "move", path=[[2, 0]])
    assert asked(spec) == []


def test_lethal_and_non_lethal_points_alike_are_damage(spec: Spec) -> None:
    """A spell that deals 2 damage and 2 NLD triggers an action held for damage."""
    both = {**BOLT, "damage": "2", "nld": "2"}
    fight(spec, fighter("Y"), foe("Z", spells=[both], at=[5, 5]), fighter("W", at=[9, 9]))
    hold(spec, "Y", "drop-prone", {"event": "is-damaged", "who": "W"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "cast-spell", spell="bolt", targets=["W"])
    assert asked(spec) == ["Y"]
