"""Test grapples and kill shots (DEF-GRP to DEF-KSH, DEF-MAN-07)."""

from typing import Any

import pytest

from domain.engine.commands import Act, Change
from domain.record.events import ConditionGained, Damaged, Moved, Rolled
from tests.rulesets.definitions.units import (
    AXE,
    BOW,
    DAGGER,
    FIST,
    SHIELD,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    left,
    shown,
    turn_of,
)
from tests.spec import Spec, rule


def wrestlers(spec: Spec, ours: dict[str, Any] | None = None, **theirs: Any) -> Spec:
    """Begin with Ana next to Orc. Bo and Gob are far away."""
    return fight(
        spec,
        fighter("Ana", **(ours or {})),
        foe("Orc", **{"max_hp": 30, **theirs}),
        fighter("Bo", at=[5, 5]),
        foe("Gob", at=[9, 9]),
    )


def grapple(spec: Spec, ours: int = 15, theirs: int = 5, *, with_: str = "grapple") -> Spec:
    """Let Ana grapple Orc. Her touch hits, and Orc resists with `with_`.

    `ours` and `theirs` are the faces of the opposed rolls.
    """
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    purpose = "opposed-grapple" if with_ == "grapple" else "skill-escape_artist"
    return spec.answer("Orc", with_, ("opposed-grapple", ours), (purpose, theirs))


def held(spec: Spec, ours: dict[str, Any] | None = None, **theirs: Any) -> Spec:
    """Let Ana grapple Orc, and begin her next turn. Orc has not tried to escape."""
    grapple(wrestlers(spec, ours, **theirs))
    end(spec, "Ana")
    spec.answer("Orc", "no")
    return end(spec, "Orc", "Bo", "Gob")


def option(spec: Spec, action: str, ours: int = 15, theirs: int = 5, **inputs: Any) -> Spec:
    """Let Ana use a grapple option. If Orc may choose how to resist, it grapples."""
    spec.act("Ana", action, **inputs)
    dice = (("opposed-grapple", ours), ("opposed-grapple", theirs))
    if ("choice", "defend-with", "Orc") in spec.open():
        return spec.answer("Orc", "grapple", *dice)
    spec.answer("Ana", "roll", dice[1], faces=[ours])
    return spec


def next_turn(spec: Spec, escape: str = "no") -> Spec:
    """Go to Ana's next turn. Orc answers the prompt to escape with `escape`."""
    end(spec, "Ana")
    spec.answer("Orc", escape)
    return end(spec, "Orc", "Bo", "Gob")


# ---- the attempt


@rule("DEF-GRP-01")
def test_neither_may_be_in_a_grapple_or_swallowed(spec: Spec) -> None:
    held(spec)
    with spec.refused("DEF-GRP-01", "already-grappled"):
        spec.act("Ana", "grapple", target="Orc")
    end(spec, "Ana")
    spec.answer("Orc", "no")
    end(spec, "Orc")
    spec.rule("move", who="Bo", to=[1, 1])
    with spec.refused("DEF-GRP-01", "already-grappled"):
        spec.act("Bo", "grapple", target="Orc")
    spec.rule("set-condition", who="Gob", condition="swallowed", data={"with": "Orc"})
    with spec.refused("DEF-GRP-01", "swallowed"):
        spec.act("Bo", "grapple", target="Gob")


@rule("DEF-GRP-02")
def test_a_touch_attack_first(spec: Spec) -> None:
    wrestlers(
        spec, {"base_attack_bonus": 2, "abilities": {"dexterity": 14}, "initiative_bonus": 0},
        armor_class={"armor": 8, "luck": 1},
    )  # fmt: skip
    spec.act("Ana", "grapple", ("touch", 6), target="Orc")
    assert (spec.rolled("touch").total, spec.rolled("touch").target) == (10, 11)
    assert not spec["Orc"].has("grappled")


@rule("DEF-GRP-03")
def test_the_defenders_opportunity(spec: Spec) -> None:
    wrestlers(spec, weapons=[SWORD])
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    assert spec.open() == [("reaction", "reaction", "Orc")]
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 1))
    spec.answer("Orc", "grapple", ("opposed-grapple", 12), ("opposed-grapple", 9))
    assert spec.rolled("opposed-grapple", "Ana").total == 8


@rule("DEF-GRP-04")
def test_the_number_on_the_sheet_or_its_sum(spec: Spec) -> None:
    wrestlers(
        spec,
        {"grapple_modifier": 9, "base_attack_bonus": 1},
        base_attack_bonus=3, abilities={"strength": 14}, size_modifiers={"maneuver": 1},
    )  # fmt: skip
    grapple(spec, 2, 4)
    assert [rolled.total for rolled in spec.events(Rolled, purpose="opposed-grapple")] == [11, 10]
    assert spec["Orc"].has("grappled")


@rule("DEF-GRP-05")
def test_grappled_and_grappling_where_they_stand(spec: Spec) -> None:
    grapple(wrestlers(spec))
    assert spec["Orc"].has("grappled")
    assert spec["Ana"].has("grappling")
    assert not spec.events(Moved)
    assert shown(spec, "Orc")["grapple"] == {
        "aggressor": "Ana", "defender": "Orc", "pinned": False, "submission": 0,
    }  # fmt: skip
    assert left(spec, "Ana")["standard"] == 0


@rule("DEF-GRP-05")
def test_won_by_the_defender_nothing(spec: Spec) -> None:
    grapple(wrestlers(spec), 5, 15)
    assert not spec["Orc"].has("grappled")
    assert not spec["Ana"].has("grappling")


@rule("DEF-MAN-07")
def test_escape_artist_in_place_of_the_grapple(spec: Spec) -> None:
    wrestlers(spec, skills={"escape_artist": 6}, size_modifiers={"maneuver": 3})
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    assert (spec.prompt().name, spec.prompt().default) == ("defend-with", "escape-artist")
    spec.answer("Orc", "escape-artist", ("opposed-grapple", 10), ("skill-escape_artist", 5))
    assert spec.rolled("skill-escape_artist").total == 11  # the size modifier does not count
    assert not spec["Orc"].has("grappled")


@rule("DEF-MAN-07")
def test_not_against_break_expose_and_move(spec: Spec) -> None:
    held(spec, skills={"escape_artist": 9})
    option(spec, "grapple-pin")
    next_turn(spec)
    for action in ("grapple-break", "grapple-expose", "grapple-move"):
        with spec.refused("DEF-MAN-07", "escape-artist-not-allowed"):
            spec.act("Ana", action, defend_with="escape-artist", **(
                {"path": [[-1, 0]]} if action == "grapple-move" else {}
            ))  # fmt: skip


@rule("DEF-MAN-07")
@pytest.mark.parametrize("owner", [None, "Kim"])
def test_with_the_action_only_by_who_plays_both(spec: Spec, owner: str | None) -> None:
    held(spec, skills={"escape_artist": 9}, owner=owner)
    spec.act("Ana", "grapple-pin", defend_with="escape-artist")
    assert spec.prompt().name == ("defend-with" if owner else "opposed-grapple")
    if owner is None:
        spec.answer("Ana", "roll", ("skill-escape_artist", 1), faces=[15])
        assert spec["Orc"].has("pinned")


# ---- duration


@rule("DEF-GRP-06")
@pytest.mark.parametrize("how", ["unconscious", "dead", "stunned", "gone", "away", "defender-dead"])
def test_what_ends_it(spec: Spec, how: str) -> None:
    grapple(wrestlers(spec))
    match how:
        case "unconscious":
            spec.rule("damage", who="Ana", amount=20, track="nld")
        case "dead":
            spec.rule("set-condition", who="Ana", condition="dead")
        case "stunned":
            spec.rule("set-condition", who="Ana", condition="cannot-act")
        case "gone":
            spec.leave("Ana")
        case "away":
            spec.rule("move", who="Orc", to=[5, 0])
        case _:
            spec.rule("set-condition", who="Orc", condition="dead")
    assert not spec["Orc"].has("grappled")
    assert spec["Ana"].left or not spec["Ana"].has("grappling")


@rule("DEF-GRP-06", "DEF-MAN-10")
def test_an_unconscious_defender_stays_held(spec: Spec) -> None:
    wrestlers(spec, nld=30)
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    assert spec["Orc"].has("grappled")  # no opportunity, no roll, no prompt
    end(spec, "Ana")
    assert turn_of(spec) == "Bo"
    spec.rule("heal", who="Orc", amount=30, track="nld")
    end(spec, "Bo", "Gob", "Ana")
    assert spec.open() == [("choice", "grapple-escape", "Orc")]
    assert spec.prompt("Orc").text == "Ana holds Orc. Does Orc try to escape?"


@rule("DEF-GRP-07")
def test_neither_threatens(spec: Spec) -> None:
    wrestlers(spec, {"weapons": [FIST]}, weapons=[FIST])
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    spec.answer("Orc", "pass")
    spec.answer("Orc", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert shown(spec, "Ana")["threatened_squares"] == []
    assert shown(spec, "Orc")["threatened_squares"] == []


@rule("DEF-GRP-08")
def test_flat_footed_to_all_others(spec: Spec) -> None:
    held(spec, {"weapons": [FIST]}, armor_class={"dodge": 4})
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert spec.rolled("attack").target == 14
    end(spec, "Ana")
    spec.answer("Orc", "no")
    end(spec, "Orc")
    spec.do(Change("Bo", sheet={"weapons": [BOW]}))
    spec.act("Bo", "ranged-attack", ("miss-chance", 99), ("attack", 1), target="Orc")
    assert spec.rolled("attack").target == 10


@rule("DEF-GRP-09")
def test_neither_walks_nor_is_shoved_apart(spec: Spec) -> None:
    held(spec, {"weapons": [FIST]})
    for action, inputs in (
        ("move", {"path": [[-1, 0]]}),
        ("five-foot-step", {"to": [-1, 0]}),
        ("trample", {"path": [[-1, 0], [-2, 0]]}),
    ):
        with spec.refused("DEF-GRP-09", "grappled"):
            spec.act("Ana", action, **inputs)
    end(spec, "Ana")
    spec.answer("Orc", "no")
    with spec.refused("DEF-GRP-09", "grappled"):
        spec.act("Orc", "move", path=[[2, 0]])
    end(spec, "Orc")
    spec.rule("move", who="Bo", to=[2, 0])
    with spec.refused("DEF-GRP-09", "grappled"):
        spec.act("Bo", "shove", target="Orc")


@rule("DEF-GRP-10")
def test_plain_attacks_with_few_weapons(spec: Spec) -> None:
    arms = {"weapons": [AXE, FIST, DAGGER], "shield": SHIELD, "base_attack_bonus": 6}
    held(spec, arms)
    with spec.refused("DEF-GRP-10", "weapon-not-for-grapple"):
        spec.act("Ana", "attack", target="Orc", weapon="axe")
    for action in ("shield-bash", "trip", "shatter", "disarm"):
        with spec.refused("DEF-GRP-10", "grappled"):
            spec.act("Ana", action, target="Orc")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")  # with her fists
    spec.act("Ana", "draw-weapon", weapon="dagger", swap=True)
    spec.act("Ana", "attack", ("attack", 1), target="Orc", weapon="dagger")


@rule("DEF-FEI-01")
def test_a_strike_is_feigned_in_a_grapple_with_what_is_of_use_there(spec: Spec) -> None:
    held(spec, {"weapons": [AXE, DAGGER]})
    with spec.refused("DEF-GRP-10", "weapon-not-for-grapple"):
        spec.act("Ana", "feigned-strike", target="Orc")
    spec.act("Ana", "draw-weapon", weapon="dagger", swap=True)
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer("Orc", "level-check", ("skill-beguile", 15), ("level-check", 5))
    assert spec["Orc"].has("flat-footed")


@rule("DEF-GPN-01")
def test_the_pinned_feigns_no_strike(spec: Spec) -> None:
    held(spec, {"weapons": [FIST]})
    spec.rule("set-condition", who="Orc", condition="pinned")
    end(spec, "Ana")
    spec.answer("Orc", "no")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Orc", "feigned-strike", target="Ana")


@rule("DEF-GRP-11")
def test_one_escape_at_the_own_turn_start(spec: Spec) -> None:
    grapple(wrestlers(spec, skills={"escape_artist": 2}))
    with spec.refused("DEF-GEN-02", "not-your-turn"):
        spec.act("Orc", "grapple-escape")
    end(spec, "Ana")
    assert (spec.prompt().name, spec.prompt().default) == ("grapple-escape", "escape-artist")
    assert [option.id for option in spec.prompt().options] == ["grapple", "escape-artist", "no"]
    spec.answer(
        "Orc", "escape-artist", ("skill-escape_artist", 8), ("opposed-grapple", 10),  # 10, 10
        ("skill-escape_artist", 7), ("opposed-grapple", 10),
    )  # fmt: skip
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Orc", "Ana", "Orc", "Ana"]
    assert spec["Orc"].has("grappled")
    assert turn_of(spec) == "Orc"  # Orc's turn goes on
    with spec.refused("DEF-GRP-11", "not-at-turn-start"):
        spec.act("Orc", "grapple-escape")
    end(spec, "Orc", "Bo", "Gob", "Ana")
    spec.answer("Orc", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert not spec["Orc"].has("grappled")
    assert not spec["Ana"].has("grappling")


@rule("DEF-GRP-11", "DEF-DLY-01")
def test_an_escape_is_a_free_action_of_the_turn(spec: Spec) -> None:
    grapple(wrestlers(spec))
    end(spec, "Ana")
    spec.answer("Orc", "grapple", ("opposed-grapple", 5), ("opposed-grapple", 15))
    assert shown(spec, "Orc")["free_actions_used"] == ["grapple-escape"]
    with spec.refused("DEF-DLY-01", "cannot-delay"):
        spec.act("Orc", "delay")


@rule("DEF-GRP-11", "DEF-DLY-01")
def test_whoever_passes_up_its_escape_may_delay(spec: Spec) -> None:
    grapple(wrestlers(spec))
    end(spec, "Ana")
    spec.answer("Orc", "no")
    spec.act("Orc", "delay")
    assert spec["Orc"].has("delaying")


@rule("DEF-GRP-11", "DEF-GPN-02")
def test_an_escape_ends_the_pin_too(spec: Spec) -> None:
    option(held(spec), "grapple-pin")
    end(spec, "Ana")
    spec.answer("Orc", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert not spec["Orc"].has("pinned", "grappled")


@rule("DEF-GRP-12")
def test_during_a_submission_it_breaks_only_that(spec: Spec) -> None:
    option(held(spec), "grapple-submission")
    assert shown(spec, "Orc")["grapple"]["submission"] == 1
    end(spec, "Ana")
    spec.answer("Orc", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert shown(spec, "Orc")["grapple"]["submission"] == 0
    assert spec["Orc"].has("grappled")


@rule("DEF-GRP-13")
def test_letting_go_is_free(spec: Spec) -> None:
    held(spec).act("Ana", "release-grapple")
    assert not spec["Orc"].has("grappled")
    assert left(spec, "Ana") == {**left(spec, "Ana"), "standard": 1, "move": 1}


@rule("DEF-GRP-14")
def test_only_the_aggressor_has_the_options(spec: Spec) -> None:
    held(spec)
    spec.act("Ana", "grapple-break", ("opposed-grapple", 1), ("opposed-grapple", 9))
    assert spec["Orc"].has("grappled")  # prevented, still held
    assert left(spec, "Ana")["standard"] == 0
    end(spec, "Ana")
    spec.answer("Orc", "no")
    for action in ("grapple-break", "grapple-submission", "grapple-pin", "release-grapple"):
        with spec.refused("DEF-GRP-14", "not-aggressor"):
            spec.act("Orc", action)


@rule("DEF-GRP-15")
def test_one_grapple_at_a_time(spec: Spec) -> None:
    wrestlers(spec)
    spec.act("Ana", "grapple", ("touch", 15), target="Orc")
    spec.rule("move", who="Bo", to=[1, 1])
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Bo"})
    assert spec.prompt().name == "turn"  # no roll is left
    assert shown(spec, "Orc")["grapple"]["aggressor"] == "Bo"
    assert not spec["Ana"].has("grappling")


# ---- options


@rule("DEF-GRB-01")
def test_a_broken_bone(spec: Spec) -> None:
    option(held(spec), "grapple-break")
    (injury,) = spec["Orc"].all("wounded")
    assert injury.data == {"kind": "injury", "name": "broken bone"}
    assert not spec.events(Damaged)


@rule("DEF-GRE-01")
def test_exposed_to_the_aggressors_allies(spec: Spec) -> None:
    held(spec)
    with spec.refused("DEF-GRE-01", "not-pinned"):
        spec.act("Ana", "grapple-expose")
    option(spec, "grapple-pin")
    next_turn(spec)
    spec.act("Ana", "grapple-expose", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert [condition.data["towards"] for condition in spec["Orc"].all("helpless")] == [["Bo"]]
    with spec.refused("DEF-KSH-01", "not-helpless"):  # Affray checks this before the cost
        spec.act("Ana", "kill-shot", target="Orc")
    end(spec, "Ana")
    spec.answer("Orc", "no")
    end(spec, "Orc", "Bo", "Gob")
    assert not spec["Orc"].has("exposed", "helpless")  # both end at the aggressor's next turn
    with spec.refused("DEF-KSH-01", "not-helpless"):
        spec.act("Ana", "kill-shot", target="Orc")


@rule("DEF-GRM-01")
def test_both_are_moved_by_the_same_steps(spec: Spec) -> None:
    held(spec, {"movement_ft": 25})
    with spec.refused("DEF-GRM-01", "too-far"):  # half of 25: 10 ft
        spec.act("Ana", "grapple-move", path=[[0, 1], [0, 2], [0, 3]])
    spec.rule("move", who="Bo", to=[1, -1])
    with spec.refused("DEF-GRM-01", "square-occupied"):
        spec.act("Ana", "grapple-move", path=[[0, -1]])
    spec.rule("move", who="Gob", to=[-1, 0])
    spec.do(Change("Gob", sheet={"weapons": [SWORD]}))
    spec.act(
        "Ana", "grapple-move", ("opposed-grapple", 15), ("opposed-grapple", 5),
        path=[[0, 1], [0, 2]],
    )  # fmt: skip
    assert spec.open() == [("reaction", "reaction", "Gob")]  # Ana provokes
    spec.answer("Gob", "pass").answer("Gob", "pass")
    assert (at(spec, "Ana"), at(spec, "Orc")) == ((0, 2), (1, 2))
    assert spec["Orc"].has("grappled")


@rule("DEF-GRS-01")
def test_three_in_consecutive_turns(spec: Spec) -> None:
    option(held(spec), "grapple-submission")
    next_turn(spec)
    next_turn(spec)  # a turn without a submission
    assert shown(spec, "Orc")["grapple"]["submission"] == 0
    option(spec, "grapple-submission")
    next_turn(spec)
    option(spec, "grapple-submission", 5, 15)  # Ana loses
    assert shown(spec, "Orc")["grapple"]["submission"] == 0


@rule("DEF-GRS-02")
def test_at_three_it_faints(spec: Spec) -> None:
    held(spec, hp=22, nld=4)
    for _ in range(2):
        option(spec, "grapple-submission")
        next_turn(spec)
    option(spec, "grapple-submission")
    assert (spec.hp("Orc"), spec.hp("Orc", "nld")) == (22, 34)
    assert spec["Orc"].has("unconscious")
    assert not spec["Orc"].has("grappled", "bleeding-out")
    assert not spec["Ana"].has("grappling")


@rule("DEF-GRS-03")
def test_escape_artist_breaks_a_submission(spec: Spec) -> None:
    held(spec, skills={"escape_artist": 5})
    spec.act("Ana", "grapple-submission")
    spec.answer("Orc", "escape-artist", ("opposed-grapple", 10), ("skill-escape_artist", 9))
    assert shown(spec, "Orc")["grapple"]["submission"] == 0
    assert spec["Orc"].has("grappled")


@rule("DEF-GPN-01")
def test_pinned_it_neither_attacks_nor_moves(spec: Spec) -> None:
    still = {"id": "still", "name": "Still", "healing": "1", "somatic": False}
    option(held(spec, spells=[still]), "grapple-pin")
    assert not spec["Orc"].has("exposed")
    next_turn(spec)
    with spec.refused("DEF-GPN-01", "already-pinned"):
        spec.act("Ana", "grapple-pin")
    spec.do(Change("Orc", sheet={"weapons": [FIST]}))
    end(spec, "Ana")
    spec.answer("Orc", "no")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Orc", "trip", target="Ana")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Orc", "attack", target="Ana")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Orc", "move", path=[[2, 0]])
    spec.act("Orc", "speak", text="help")
    spec.act("Orc", "cast-spell", spell="still", targets=["Orc"])


@rule("DEF-GPN-02")
def test_a_pin_lasts_as_long_as_the_grapple(spec: Spec) -> None:
    option(held(spec), "grapple-pin")
    next_turn(spec)
    assert spec["Orc"].has("pinned")
    spec.act("Ana", "release-grapple")
    assert not spec["Orc"].has("pinned")


# ---- kill shot


@rule("DEF-KSH-01")
def test_a_kill_shot_by_an_ally(spec: Spec) -> None:
    option(held(spec), "grapple-pin")
    next_turn(spec)
    spec.act("Ana", "grapple-expose", ("opposed-grapple", 15), ("opposed-grapple", 5))
    end(spec, "Ana")
    spec.answer("Orc", "no")
    end(spec, "Orc")
    with spec.refused("DEF-KSH-01", "out-of-reach"):
        spec.act("Bo", "kill-shot", target="Orc")
    spec.rule("move", who="Bo", to=[2, 0])
    spec.act("Bo", "kill-shot", target="Orc")
    assert spec.event(ConditionGained, condition="dead").who == "Orc"
    assert not spec["Ana"].has("grappling")


@rule("DEF-KSH-01")
@pytest.mark.parametrize(("option", "amount", "hp"), [("nothing", None, 30), ("damage", 12, 18)])
def test_what_the_gm_makes_of_it(spec: Spec, option: str, amount: int | None, hp: int) -> None:
    fight(spec, fighter("Ana"), foe("Orc", max_hp=30, nld=30), foe("Gob", at=[9, 9]), rulings="ask")
    spec.act("Ana", "kill-shot", target="Orc")
    assert (spec.prompt().name, spec.prompt().default) == ("kill-shot", "dead")
    inputs: dict[str, Any] = {} if amount is None else {"amount": amount}
    spec.answer(None, option, **inputs)
    assert spec.hp("Orc") == hp


@rule("DEF-KSH-01")
def test_not_at_the_able(spec: Spec) -> None:
    wrestlers(spec)
    with spec.refused("DEF-KSH-01", "not-helpless"):
        spec.act("Ana", "kill-shot", target="Orc")


def delays(spec: Spec) -> None:
    """Let Ana win a submission and delay her next turn, and begin Orc's turn."""
    next_turn(option(held(spec), "grapple-submission"))
    spec.act("Ana", "delay")
    spec.answer("Orc", "no")


@rule("DEF-GRS-01")
def test_a_delayed_turn_is_still_to_come(spec: Spec) -> None:
    delays(spec)
    spec.act("Orc", "end-turn").answer("Ana", "act-now")
    option(spec, "grapple-submission")
    assert shown(spec, "Orc")["grapple"]["submission"] == 2


@rule("DEF-GRS-01")
def test_a_delayed_turn_that_is_lost_is_a_turn_without_it(spec: Spec) -> None:
    delays(spec)
    for who in ("Orc", "Bo", "Gob"):
        spec.act(who, "end-turn").answer("Ana", "wait")
    assert spec.combat.round == 4
    assert shown(spec, "Orc")["grapple"]["submission"] == 0


def test_an_escape_is_declared_at_no_other_time(spec: Spec) -> None:
    grapple(wrestlers(spec))
    end(spec, "Ana")
    spec.answer("Orc", "no")
    with spec.refused("DEF-GRP-11", "not-at-turn-start"):
        spec.do(Act("Orc", "grapple-escape", {"with": "escape-artist"}))
