"""Test the prompts for reactions (DEF-AOO, DEF-CNT, DEF-HLD)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import ConditionLost, Moved, Prevented, Rolled
from tests.rulesets.definitions.units import (
    BOW,
    DAGGER,
    FIST,
    SHIELD,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    order_of,
    shown,
    turn_of,
)
from tests.spec import Spec, rule

BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}
UNDO = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 11}}


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


# ---- walking


@rule("DEF-MOV-01")
def test_as_far_as_its_movement_and_no_farther(spec: Spec) -> None:
    fight(spec, fighter("Ana", movement_ft=30), foe("Orc", at=[9, 9]))
    path = [[0, step] for step in range(1, 8)]
    with spec.refused("DEF-MOV-01", "too-far"):
        spec.act("Ana", "move", path=path)
    spec.act("Ana", "move", path=path[:6])
    assert at(spec, "Ana") == (0, 6)


def test_who_has_no_place_is_stopped_by_nobody_s(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), fighter("Bo", at=[1, 0]), foe("Orc", at=[9, 9]))
    spec.act("Ana", "move", path=[[1, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]
    assert at(spec, "Ana") is None


def test_a_step_of_one_without_a_place_is_the_gms(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "five-foot-step", to=[1, 0])
    assert spec.prompt().name == "placing"
    spec.rule("move", who="Ana", to=[2, 2])
    assert spec.prompt().name == "turn"
    assert at(spec, "Ana") == (2, 2)


def test_whom_the_gm_places_was_taken_there(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "five-foot-step")
    spec.answer(None, "placed", to=[3, 4])
    assert spec.event(Moved).forced


@rule("DEF-AOO-01")
def test_two_squares_off_nobody_strikes(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[2, 0], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0]])
    assert asked(spec) == []


@rule("DEF-AOO-09")
def test_whom_the_gm_names_strikes_at_the_first_step_alone(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.answer(None, "names", names=["Orc"])
    assert asked(spec) == ["Orc"]
    assert at(spec, "Ana") == (0, 0)
    spec.answer("Orc", "pass")
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-AOO-09", "DEF-IMM-05")
def test_the_gm_is_not_asked_about_one_who_may_not_strike(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.rule("set-fact", combatant="Orc", key="immediate", value={"category": "aoo", "times": 1})
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-AOO-06")
def test_a_mover_tripped_on_the_way_leaves_no_square(spec: Spec) -> None:
    fight(
        spec,
        foe("Orc", at=[2, 1]),
        fighter("Ana"),
        foe("Gob", at=[1, -1], weapons=[SWORD], feats={"battle_prowess": 1}),
    )
    hold(spec, "Orc", "trip", {"event": "moves", "who": "Ana"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.answer("Gob", "pass")  # leaving [0, 0]
    spec.answer("Orc", "resolve", ("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5))
    assert at(spec, "Ana") == (1, 0)
    assert spec.open() == [("turn", "turn", "Ana")]  # Gob gets no second prompt
    assert not spec.events(Prevented)


@rule("DEF-SPC-02")
def test_who_has_to_stop_goes_back_to_the_last_free_square(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", at=[-2, 1], weapons=[SWORD]),
        fighter("Bo", at=[-2, 0], nld=20), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0], [-3, 0]])
    spec.answer("Orc", "pass")  # leaving [-1, 0]
    spec.rule("move", combatant="Gob", to=[-3, 0])
    spec.answer("Orc", "pass")  # leaving [-2, 0]
    assert at(spec, "Ana") == (-1, 0)


@rule("DEF-SPC-02")
def test_who_finds_no_free_square_stays_where_it_is(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", at=[0, 1], weapons=[SWORD]),
        fighter("Bo", at=[-1, 0], nld=20), foe("Gob", at=[9, 9]), foe("Hob", at=[8, 9]),
    )  # fmt: skip
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.answer("Orc", "pass")
    spec.rule("move", combatant="Gob", to=[-2, 0])
    spec.rule("move", combatant="Hob", to=[0, 0])
    spec.answer("Orc", "pass")
    assert at(spec, "Ana") == (-1, 0)


def test_whom_the_gm_lifts_off_the_board_walks_no_more(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Gob", at=[1, 1], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.rule("move", combatant="Ana", to=None)
    spec.answer("Orc", "pass")
    assert at(spec, "Ana") is None
    assert turn_of(spec) == "Ana"


@rule("DEF-SPC-02")
def test_one_check_for_all_the_foes_of_a_move(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[2, 0]), rulings="ask")
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]], acrobatics=True)
    spec.answer(None, "dc", ("skill-acrobatics", 12), dc=12)
    assert at(spec, "Ana") == (3, 0)


@rule("DEF-SPC-03")
def test_an_ally_who_faints_lets_everybody_pass(spec: Spec) -> None:
    fight(spec, fighter("Ana"), fighter("Bo", at=[1, 0]), foe("Orc", at=[9, 9]))
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert spec.open() == [("choice", "allow-passage", "Bo")]
    spec.rule("set-track", who="Bo", track="nld", value=20)
    assert at(spec, "Ana") == (2, 0)


# ---- opportunities


@rule("DEF-AOO-07")
def test_a_reactor_who_faints_is_not_waited_for(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Gob", at=[9, 9]))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.rule("set-track", who="Orc", track="nld", value=20)
    assert at(spec, "Ana") == (-1, 0)


@rule("DEF-AOO-07")
def test_nobody_strikes_with_what_it_has_no_more(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.do(Change("Orc", sheet={"weapons": []}))
    assert at(spec, "Ana") == (-1, 0)  # no prompt is open


@rule("DEF-AOO-05", "DEF-SHB-04")
def test_a_shield_reaches_no_farther_than_the_arm(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[2, 0], weapons=[SPEAR], shield=SHIELD))
    spec.act("Ana", "move", path=[[-1, 0]])
    with spec.refused("DEF-AOO-05", "out-of-reach"):
        spec.answer("Orc", "aoo", action="shield-bash")
    end(spec.answer("Orc", "aoo", ("attack", 1)), "Ana")
    spec.rule("move", who="Ana", to=[0, 0])
    with spec.refused("DEF-MAN-09", "out-of-reach"):
        spec.act("Orc", "shield-bash", target="Ana")


@rule("DEF-STN-03")
def test_no_stance_for_an_opportunity_in_the_own_turn_either(spec: Spec) -> None:
    fight(spec, foe("Orc"), fighter("Ana", weapons=[SWORD]), foe("Gob", at=[0, 1]))
    hold(spec, "Orc", "move", {"event": "acts", "who": "Ana", "action": "speak"}, slot="move",
         path=[[2, 0]])  # fmt: skip
    end(spec, "Orc")
    spec.act("Ana", "speak", text="ho")
    spec.answer("Orc", "resolve")
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.answer("Ana", "aoo", stance="reckless")


@rule("DEF-GEN-03")
@pytest.mark.parametrize("action", ["aoo", "counterspell", "resume-from-delay", "report-trigger"])
def test_no_reactions_before_the_fight(spec: Spec, action: str) -> None:
    spec.given(fighter("Ana", abilities_list=[UNDO]), foe("Orc"), death_roll="all-equal")
    with spec.refused("DEF-GEN-03", "combat-not-begun"):
        spec.act("Ana", action)


# ---- counterspells


@rule("DEF-CNT-01")
def test_only_whose_entry_matches_is_asked(spec: Spec) -> None:
    def entry(matches: Any) -> list[dict[str, Any]]:
        return [{**UNDO, "counterspell": {**UNDO["counterspell"], "matches": matches}}]  # type: ignore[dict-item]

    fight(
        spec,
        fighter("Ana", spells=[BOLT]),
        foe("Orc", at=[5, 5], abilities_list=entry(["glamour"])),
        foe("Gob", at=[6, 6], abilities_list=entry(["bolt"])),
    )
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert asked(spec) == ["Gob"]
    with spec.refused("DEF-CNT-01", "no-counterspell"):
        spec.act("Orc", "counterspell", ability="undo")


@rule("DEF-CNT-03")
def test_a_check_without_a_dc_is_the_gms(spec: Spec) -> None:
    vague = {**UNDO, "counterspell": {"check": "level-check"}}
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Orc", at=[5, 5], abilities_list=[vague]),
        rulings="ask",
    )  # fmt: skip
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "counterspell", ability="undo")
    assert (spec.prompt().name, spec.prompt().default) == ("counterspell", None)
    spec.answer(None, "countered")
    assert spec.hp("Orc") == 20


@rule("DEF-CNT-02")
def test_what_another_has_countered_is_nobody_else_s(spec: Spec) -> None:
    """If Gob counters a spell while Orc has a prompt to counter it, Orc's prompt closes."""
    fight(
        spec,
        fighter("Ana", spells=[BOLT]),
        foe("Orc", at=[5, 5], abilities_list=[UNDO]),
        foe("Gob", at=[6, 6], abilities_list=[UNDO]),
    )
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert asked(spec) == ["Orc"]
    spec.act("Gob", "counterspell", ("level-check", 15), ability="undo")
    assert asked(spec) == []
    assert turn_of(spec) == "Ana"
    assert shown(spec, "Orc")["immediates_used"] == 0


@rule("DEF-IMM-06")
def test_an_entry_that_is_not_there_allows_no_more(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Orc", at=[5, 5], abilities_list=[UNDO]),
        foe("Gob", at=[6, 6], abilities_list=[UNDO]),
    )  # fmt: skip
    spec.rule(
        "set-fact", combatant="Orc", key="immediate", value={"category": "counterspell", "times": 1}
    )
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    with spec.refused("DEF-IMM-06", "immediate-used"):
        spec.act("Orc", "counterspell", ability="nothing")


# ---- held actions


@rule("DEF-HLD-06")
def test_into_reach_and_not_within_it(spec: Spec) -> None:
    fight(
        spec, fighter("Y", weapons=[SPEAR], feats={"extra_immediates": 3}), foe("Z", at=[4, 0])
    )  # fmt: skip
    hold(spec, "Y", "drop-prone", {"event": "enters-reach"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "move", path=[[3, 0], [2, 0], [1, 0]])
    assert at(spec, "Z") == (2, 0)
    assert spec.prompt().data["reason"] == "held-action"
    spec.answer("Y", "keep")
    assert spec.prompt().data["reason"] == "aoo"  # the next step is within reach


@rule("DEF-HLD-06")
def test_next_to_somebody_else(spec: Spec) -> None:
    fight(
        spec, fighter("Y", at=[9, 9]), foe("Z", at=[3, 0]), fighter("X"), fighter("W", at=[3, 2]),
    )  # fmt: skip
    hold(spec, "Y", "drop-prone", {"event": "moves-next-to", "target": "X"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "move", path=[[2, 1], [1, 0]])  # [2, 1] is next to W
    assert at(spec, "Z") == (1, 0)
    assert asked(spec) == ["Y"]


@rule("DEF-HLD-06", "DEF-MOV-02")
def test_a_step_is_a_movement_to_wait_for(spec: Spec) -> None:
    fight(spec, fighter("Y", at=[9, 9]), foe("Z", at=[3, 0]), foe("W", at=None))
    hold(spec, "Y", "drop-prone", {"event": "moves"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "five-foot-step", to=[3, 1])
    assert asked(spec) == ["Y"]
    spec.answer("Y", "keep")
    end(spec, "Z")
    spec.act("W", "five-foot-step")
    assert asked(spec) == []


@rule("DEF-HLD-05")
def test_a_hold_that_the_gm_ends_is_not_asked_for(spec: Spec) -> None:
    fight(spec, fighter("Y", at=[9, 9]), fighter("X", at=[8, 8]), foe("Z"))
    for who in ("Y", "X"):
        hold(spec, who, "drop-prone", {"event": "speaks"}, slot="move")
        end(spec, who)
    spec.act("Z", "speak", text="ho")
    spec.rule("end-condition", who="X", condition="holding")
    assert asked(spec) == ["Y"]
    spec.rule("end-condition", who="Y", condition="holding")
    assert spec.open() == [("turn", "turn", "Z")]


@rule("DEF-HLD-05")
def test_a_report_names_no_maker(spec: Spec) -> None:
    fight(spec, fighter("Y", at=[9, 9]), foe("Z"))
    hold(spec, "Y", "drop-prone", {"text": "thunder"}, slot="move")
    end(spec, "Y")
    spec.rule("report-trigger", who="Y")
    assert (
        spec.prompt().text == "The expected event has happened. Does Y resolve its held drop prone?"
    )


@rule("DEF-HLD-03")
def test_only_attack_actions_come_several_at_once(spec: Spec) -> None:
    fight(spec, fighter("Y", base_attack_bonus=6), foe("Z"), foe("W", at=[9, 9]))
    hold(spec, "Y", "shove", {"event": "speaks"}, attacks=2, target="Z")
    end(spec, "Y")
    spec.act("Z", "speak", text="ho")
    spec.answer("Y", "resolve", ("touch", 1))
    assert turn_of(spec) == "Z"


@rule("DEF-HLD-11")
def test_of_several_held_attacks_each_is_asked_anew(spec: Spec) -> None:
    fight(spec, fighter("Y", base_attack_bonus=6, weapons=[SWORD]), foe("Z"), foe("W", at=[9, 9]))
    hold(spec, "Y", "attack", {"event": "speaks"}, attacks=2, target="Z")
    end(spec, "Y")
    spec.act("Z", "speak", text="ho")
    spec.answer("Y", "resolve", ("attack", 15))
    spec.rule("move", who="Z", to=[5, 5])
    assert spec.event(Prevented).reason == "out-of-reach"
    assert turn_of(spec) == "Z"


@rule("DEF-HLD-03")
def test_a_lowered_bonus_counts_for_the_rest(spec: Spec) -> None:
    fight(spec, fighter("Y", base_attack_bonus=6, weapons=[SWORD]), foe("Z", max_hp=60))
    hold(spec, "Y", "attack", {"event": "speaks"}, attacks=2, target="Z")
    end(spec, "Y")
    spec.do(Change("Y", sheet={"base_attack_bonus": 2}))
    spec.act("Z", "speak", text="ho")
    spec.answer("Y", "resolve", ("attack", 1), ("attack", 1))
    assert [rolled.total for rolled in spec.events(Rolled)] == [3, 3]


@rule("DEF-HLD-08")
def test_a_holder_who_leaves_while_it_resolves_has_no_place(spec: Spec) -> None:
    fight(spec, fighter("Y", weapons=[SWORD]), foe("Z"), fighter("X", at=[9, 9]))
    hold(spec, "Y", "attack", {"event": "speaks"}, target="Z")
    end(spec, "Y")
    spec.act("Z", "speak", text="ho")
    spec.answer("Y", "resolve")
    spec.leave("Y")
    assert order_of(spec) == ["Z", "X"]
    assert turn_of(spec) == "Z"


@rule("DEF-HLD-08")
def test_the_only_one_keeps_its_place(spec: Spec) -> None:
    fight(spec, fighter("Y"))
    hold(spec, "Y", "drop-prone", {"text": "now"}, slot="move")
    spec.act("Y", "report-trigger")
    spec.answer("Y", "resolve")
    assert order_of(spec) == ["Y"]
    assert spec["Y"].has("prone")


@rule("DEF-HLD-08", "DEF-INI-08")
def test_whoever_has_moved_in_the_order_shares_a_place(spec: Spec) -> None:
    """Y's held action moves Y after Z, and Y then has Z's total of 18.

    W, who joins with 18, comes after both.
    """
    fight(spec, fighter("X"), fighter("Y", at=[9, 9]), foe("Z", at=[5, 5]), foe("V", at=[7, 7]))
    end(spec, "X")  # X 20, Y 19, Z 18, V 17
    hold(spec, "Y", "drop-prone", {"event": "speaks", "who": "Z"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "speak", text="ho")
    spec.answer("Y", "resolve")
    assert order_of(spec) == ["X", "Z", "Y", "V"]
    spec.join(("initiative", 18), **foe("W", at=[6, 6]))
    assert order_of(spec) == ["X", "Z", "Y", "W", "V"]


@rule("DEF-HLD-08", "DEF-INI-08")
def test_in_the_place_of_one_who_has_gone_it_stands_at_the_next_one_s(spec: Spec) -> None:
    fight(spec, foe("Z", at=[5, 5]), fighter("X"), foe("V", at=[7, 7]), fighter("Y"))
    end(spec, "Z", "X", "V")  # Z 20, X 19, V 18, Y 17
    hold(spec, "Y", "drop-prone", {"event": "speaks", "who": "Z"}, slot="move")
    end(spec, "Y")
    spec.act("Z", "speak", text="ho")
    spec.leave("Z")
    spec.answer("Y", "resolve")
    assert order_of(spec) == ["Y", "X", "V"]
    spec.join(("initiative", 19), **foe("W", at=[6, 6]))  # Y and X are both at 19
    assert order_of(spec) == ["Y", "X", "W", "V"]


# ---- shots


@rule("DEF-GRP-10", "DEF-GPN-01")
def test_a_bow_is_of_no_use_in_a_grapple(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Orc"))
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    with spec.refused("DEF-GRP-10", "weapon-not-for-grapple"):
        spec.act("Ana", "ranged-attack", target="Orc")
    spec.rule("set-condition", who="Ana", condition="pinned")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Ana", "ranged-attack", target="Orc")


@rule("DEF-RNG-04")
@pytest.mark.parametrize("how", ["left", "unarmed", "dagger"])
def test_a_shot_that_has_lost_its_other_mark_or_its_bow(spec: Spec, how: str) -> None:
    fight(
        spec, fighter("Ana", weapons=[BOW], at=[5, 0]), foe("Orc"), foe("Gob", at=[0, 1]),
        fighter("Bo"),
    )  # fmt: skip
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Bo"})
    spec.act("Ana", "ranged-attack", target="Orc")
    assert spec.prompt().name == "miss-chance"
    if how == "left":
        spec.leave("Bo")  # no grapple any more
        spec.answer("Ana", "roll", faces=[1])
        assert spec.rolled("attack").against == "Orc"
        return
    weapons = [DAGGER] if how == "dagger" else []
    spec.do(Change("Ana", sheet={"weapons": weapons}))
    spec.answer("Ana", "roll", faces=[50])
    assert spec.open() == [("turn", "turn", "Ana")]


# ---- at 0 hit points


@rule("DEF-HP-06")
@pytest.mark.parametrize(("stable", "answer"), [(True, "nothing"), (False, "failed-save")])
def test_a_hit_that_changes_nothing_leaves_it_stable(spec: Spec, stable: bool, answer: str) -> None:
    fight(spec, fighter("Ana", hp=0), foe("Orc", weapons=[FIST]), rulings="ask")
    if stable:
        spec.rule("set-condition", who="Ana", condition="stabilized")
    spec.rule("damage", who="Ana", amount=3)
    spec.answer(None, answer, name="hit-while-down")
    assert spec["Ana"].has("stabilized") is stable
    assert not spec.events(ConditionLost, condition="stabilized")


# ---- unknown combatants


@pytest.mark.parametrize("hidden", [False, True])
def test_whoever_is_hidden_draws_no_reactions(spec: Spec, hidden: bool) -> None:
    """Actions of a hidden combatant open no reaction prompts, which would reveal it."""
    spec.given(
        fighter("Ana", spells=[BOLT]),
        foe("Orc", weapons=[SWORD], abilities_list=[UNDO], feats={"battle_prowess": 9}),
        foe("Gob", at=[9, 9]),
        hidden=("Ana",) if hidden else (),
        death_roll="all-equal",
        rulings="default",
    ).begin(("initiative", 5), ("initiative", 20), ("initiative", 10))
    hold(spec, "Orc", "drop-prone", {"event": "moves"}, slot="move")
    end(spec, "Orc", "Gob")
    there = [] if hidden else ["Orc"]
    spec.act("Ana", "drop-prone")
    assert asked(spec) == there
    if not hidden:
        spec.answer("Orc", "pass")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Gob"])
    assert asked(spec) == there
    while not hidden and asked(spec):
        spec.answer("Orc", "pass")
    spec.answer("Ana", "roll", faces=[1])
    spec.rule("set-budget", who="Ana", budget={"move": 1})
    spec.rule("end-condition", who="Ana", condition="prone")
    spec.act("Ana", "move", path=[[-1, 0]])
    while not hidden and asked(spec) and at(spec, "Ana") == (0, 0):
        spec.answer("Orc", "pass")
    assert asked(spec) == there  # the trigger is the move
    assert at(spec, "Ana") == (-1, 0)


def test_a_blow_is_felt_whoever_strikes_it(spec: Spec) -> None:
    spec.given(
        foe("Orc", weapons=[SWORD]), fighter("Ana", weapons=[SWORD]), foe("Gob", at=[9, 9]),
        hidden=("Ana",), death_roll="all-equal", rulings="default",
    ).begin(("initiative", 20), ("initiative", 10), ("initiative", 5))  # fmt: skip
    hold(spec, "Orc", "attack", {"event": "attacks", "target": "Orc"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "attack", target="Orc")
    assert asked(spec) == ["Orc"]
