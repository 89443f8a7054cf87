"""Test squares, reach, size and opposed rolls (DEF-SPC to DEF-OPP)."""

from typing import Any

import pytest

from domain.record.events import Prevented, Rolled
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    FIST,
    SPEAR,
    SWORD,
    at,
    fight,
    fighter,
    foe,
    shown,
)
from tests.spec import Spec, rule

CLUMSY = {**SWORD, "trained": False}


def threatened(spec: Spec, who: str) -> set[tuple[int, int]]:
    return {(x, y) for x, y, _ in shown(spec, who)["threatened_squares"]}


def ring(low: int, high: int) -> set[tuple[int, int]]:
    """Return the squares from `low` to `high` on both axes."""
    return {(x, y) for x in range(low, high + 1) for y in range(low, high + 1)}


# ---- space


@rule("DEF-RCH-01", "DEF-RCH-02", "DEF-RCH-06")
@pytest.mark.parametrize(
    ("size", "reach"),
    [("fine", 0), ("diminutive", 0), ("tiny", 0), ("small", 1), ("medium", 1), ("large", 2),
     ("huge", 3), ("gargantuan", 4), ("colossal", 6)],
)  # fmt: skip
def test_natural_reach_by_size(spec: Spec, size: str, reach: int) -> None:
    spec.given(fighter("Ana", size=size), death_roll="all-equal")
    assert shown(spec, "Ana")["natural_reach"] == reach


@rule("DEF-SPC-01")
@pytest.mark.parametrize(
    ("size", "space"),
    [("small", 1), ("medium", 1), ("large", 2), ("huge", 3), ("gargantuan", 4), ("colossal", 6)],
)
def test_space_by_size(spec: Spec, size: str, space: int) -> None:
    spec.given(fighter("Ana", size=size), death_roll="all-equal")
    assert shown(spec, "Ana")["space"] == space


@rule("DEF-SPC-02")
def test_hostile_squares_bar_the_way(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    with spec.refused("DEF-SPC-02", "square-hostile"):
        spec.act("Ana", "move", path=[[1, 0], [2, 0]])


@rule("DEF-SPC-04")
@pytest.mark.parametrize("acrobatics", [False, True])
def test_a_move_that_would_end_on_a_foe_passes_nobody(spec: Spec, acrobatics: bool) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[2, 0]))
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.act("Ana", "move", path=[[1, 0], [2, 0]], acrobatics=acrobatics)


@rule("DEF-SPC-02")
@pytest.mark.parametrize(("face", "square"), [(12, (4, 0)), (11, (1, 0))])
def test_acrobatics_goes_through_all_of_them_or_stops_before(
    spec: Spec, face: int, square: tuple[int, int]
) -> None:
    fight(
        spec,
        fighter("Ana", skills={"acrobatics": 3}),
        foe("Orc", at=[2, 0]),
        foe("Gob", at=[3, 0]),
        rulings="ask",
    )
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0], [4, 0]], acrobatics=True)
    assert (spec.prompt().name, spec.prompt().default) == ("acrobatics-dc", None)
    spec.answer(None, "dc", ("skill-acrobatics", face), dc=15)
    assert at(spec, "Ana") == square


@rule("DEF-SPC-02")
@pytest.mark.parametrize("asked", ["acrobatics-dc", "skill-acrobatics"])
def test_nobody_tumbles_through_a_square_that_a_foe_has_left(spec: Spec, asked: str) -> None:
    tumbler = fighter("Ana", skills={"acrobatics": 3})
    fight(spec, tumbler, foe("Orc", at=[2, 0]), foe("Gob", at=[3, 0]), rulings="ask")
    spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0], [4, 0]], acrobatics=True)
    if asked == "skill-acrobatics":
        spec.answer(None, "dc", dc=15)
    assert spec.prompt().name == asked
    spec.leave("Orc")
    assert at(spec, "Ana") == (2, 0)
    spec.answer(None, "dc", ("skill-acrobatics", 12), dc=15)  # the next foe still blocks the way
    assert at(spec, "Ana") == (4, 0)


@rule("DEF-SPC-03")
def test_allies_are_asked_and_may_deny(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]), fighter("Bo", at=[1, 0]))
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert (spec.prompt().name, spec.prompt().who) == ("allow-passage", "Bo")
    assert spec.prompt().default == "allow"
    spec.answer("Bo", "deny")
    assert spec.event(Prevented).reason == "ally-refuses"
    assert spec["Ana"].budget["move"] == 1  # the refused move costs nothing
    with spec.refused("DEF-SPC-03", "ally-refuses"):
        spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.act("Ana", "move", path=[[0, 1]])


@rule("DEF-SPC-03")
def test_unconscious_allies_always_allow(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]), fighter("Bo", at=[1, 0], nld=20))
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-SPC-04")
def test_no_move_ends_where_somebody_is(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", nld=20), fighter("Bo", at=[0, 1]), foe("Gob", at=[9, 9]),
        map={"blocked": [[-1, 0]]},
    )  # fmt: skip
    for square in ([1, 0], [0, 1], [-1, 0]):
        with spec.refused("DEF-SPC-04", "square-occupied"):
            spec.act("Ana", "move", path=[square])
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])  # past the unconscious
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-SPC-05")
def test_diagonals_cost_the_same(spec: Spec) -> None:
    fight(spec, fighter("Ana", movement_ft=15), foe("Orc", at=[9, 9]))
    spec.act("Ana", "move", path=[[1, 1], [2, 2], [3, 1]])
    assert at(spec, "Ana") == (3, 1)


# ---- reach


@rule("DEF-RCH-01")
@pytest.mark.parametrize("size", ["small", "medium"])
def test_medium_and_small_threaten_what_is_adjacent(spec: Spec, size: str) -> None:
    spec.given(fighter("Ana", size=size, weapons=[SWORD]), death_roll="all-equal")
    assert threatened(spec, "Ana") == ring(-1, 1) - {(0, 0)}


@rule("DEF-RCH-02")
def test_the_tiny_fight_in_the_opponents_square(spec: Spec) -> None:
    fight(spec, fighter("Imp", size="tiny", weapons=[BITE]), foe("Orc", weapons=[SWORD]))
    assert threatened(spec, "Imp") == {(0, 0)}
    with spec.refused("DEF-RCH-08", "out-of-reach"):
        spec.act("Imp", "attack", target="Orc")
    spec.act("Imp", "move", path=[[1, 0]])  # Imp may end its move in a foe's square
    assert spec.open() == [("reaction", "reaction", "Orc")]  # leaving a threatened square
    spec.answer("Orc", "pass")
    assert at(spec, "Imp") == (1, 0)
    spec.act("Imp", "attack", ("attack", 1), target="Orc")


@rule("DEF-RCH-03")
def test_distance_between_the_nearest_squares(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[{**BOW, "range_ft": 10}]),
        foe("Maw", size="huge", at=[3, 3]),
    )  # fmt: skip
    with spec.refused("DEF-RNG-06", "out-of-range"):  # [0,0] to [3,3]: 15 ft
        spec.act("Ana", "ranged-attack", target="Maw")
    spec.rule("move", who="Maw", to=[-4, 0])  # its nearest square is [-2,0]
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Maw")


@rule("DEF-RCH-04")
def test_a_reach_weapon_adds_a_ring(spec: Spec) -> None:
    spec.given(fighter("Ana", weapons=[SPEAR]), death_roll="all-equal")
    assert threatened(spec, "Ana") == ring(-2, 2) - {(0, 0)}
    assert len(threatened(spec, "Ana")) == 24


@rule("DEF-RCH-04")
def test_a_long_tentacle_is_a_reach_weapon_too(spec: Spec) -> None:
    spec.given(fighter("Ana", weapons=[{**FIST, "reach": True}]), death_roll="all-equal")
    assert threatened(spec, "Ana") == ring(-2, 2) - {(0, 0)}


@rule("DEF-RCH-05")
def test_a_small_one_loses_the_corners(spec: Spec) -> None:
    spec.given(fighter("Ana", size="small", weapons=[SPEAR]), death_roll="all-equal")
    corners = {(-2, -2), (-2, 2), (2, -2), (2, 2)}
    assert threatened(spec, "Ana") == ring(-2, 2) - {(0, 0)} - corners


@rule("DEF-RCH-06")
def test_larger_ones_by_natural_reach(spec: Spec) -> None:
    spec.given(
        fighter("Big", size="large", weapons=[SWORD]),
        fighter("Pike", size="large", weapons=[SPEAR], natural_reach=1),
        fighter("Imp", size="tiny", weapons=[SPEAR]),
        death_roll="all-equal",
    )
    own = {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert threatened(spec, "Big") == ring(-2, 3) - own
    assert threatened(spec, "Pike") == ring(-2, 3) - own  # 1 + 1
    assert threatened(spec, "Imp") == {(0, 0)}


@rule("DEF-RCH-07")
@pytest.mark.parametrize(
    ("weapons", "threatens"),
    [
        ([SWORD], True),
        ([FIST], True),
        ([BOW], False),
        ([], False),
        ([{**SWORD, "trained": False}], False),
    ],
)
def test_what_threatens(spec: Spec, weapons: list[Any], threatens: bool) -> None:
    spec.given(fighter("Ana", weapons=weapons), death_roll="all-equal")
    assert bool(threatened(spec, "Ana")) is threatens


@rule("DEF-RCH-08")
def test_no_melee_attack_beyond_reach(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", at=[2, 0]))
    with spec.refused("DEF-RCH-08", "out-of-reach"):
        spec.act("Ana", "attack", target="Orc")


@rule("DEF-RCH-08")
def test_without_places_the_gm_is_asked(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], at=None), foe("Orc", at=None), rulings="ask")
    spec.act("Ana", "attack", target="Orc")
    assert (spec.prompt().name, spec.prompt().default) == ("reach", "yes")
    spec.answer(None, "no")
    assert not spec.events(Rolled)


# ---- size and opposed rolls


@rule("DEF-SIZ-01")
def test_size_modifiers_are_data_for_both_sides(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", size_modifiers={"maneuver": 4, "attack": -1}, weapons=[BOW]),
        foe("Orc", size_modifiers={"maneuver": -2}),
    )
    spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", 5), ("opposed-strength", 12),
        target="Orc",
    )  # fmt: skip
    assert [rolled.total for rolled in spec.events(Rolled)] == [10, 9, 10]
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    spec.act("Ana", "ranged-attack", ("attack", 10), target="Orc")
    assert spec.rolled("attack").total == 9


@rule("DEF-OPP-01", "DEF-OPP-02")
def test_the_higher_wins_and_ties_are_rolled_again(spec: Spec) -> None:
    fight(spec, fighter("Ana", abilities={"strength": 14}), foe("Orc"))
    spec.act(
        "Ana", "shove", ("touch", 10),
        ("opposed-strength", 8), ("opposed-strength", 10),  # 10, 10
        ("opposed-strength", 9), ("opposed-strength", 10),  # 11, 10
        target="Orc",
    )  # fmt: skip
    assert [rolled.who for rolled in spec.events(Rolled, purpose="opposed-strength")] == [
        "Ana", "Orc", "Ana", "Orc",
    ]  # fmt: skip
    assert at(spec, "Orc") == (2, 0)


@rule("DEF-OPP-03", "DEF-GEN-06")
def test_faces_mean_nothing_in_opposed_rolls(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", abilities={"strength": 54}))
    spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", 20), ("opposed-strength", 1),
        target="Orc",
    )  # fmt: skip
    assert at(spec, "Orc") == (1, 0)  # 20 < 1 + 22


@rule("DEF-SPC-05")
@pytest.mark.parametrize("path", [[], [[1]], [[1, 0, 0, 0]], [[0, 20_000]], [[0, 0]], [[2, 0]]])
def test_a_path_is_made_of_steps(spec: Spec, path: list[list[int]]) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]))
    with spec.refused("DEF-MOV-01", "too-far"):
        spec.act("Ana", "move", path=path)


def test_the_gm_places_nobody_where_somebody_stands(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", at=[4, 4]), rulings="ask")
    spec.act("Ana", "five-foot-step")
    assert spec.prompt().name == "placing"
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.answer(None, "placed", to=[4, 4])
    spec.answer(None, "placed", to=[3, 4])
    assert at(spec, "Ana") == (3, 4)


@rule("DEF-AOO-09")
def test_who_has_no_place_strikes_only_by_the_gms_word(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.answer(None, "nobody")
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-MAN-03")
@pytest.mark.parametrize(("named", "total"), [(True, 6), (False, 10)])
def test_without_places_the_gm_says_whether_the_defender_threatens(
    spec: Spec, named: bool, total: int
) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "trip", target="Orc")
    spec.answer(None, "yes", ("touch", 15), name="reach")
    if named:
        spec.answer(None, "names", names=["Orc"])
        spec.answer("Orc", "aoo", ("attack", 15), ("damage", 1), ("opposed-strength", 10),
                    ("opposed-strength", 1))  # fmt: skip
    else:
        spec.answer(None, "nobody", ("opposed-strength", 10), ("opposed-strength", 1))
    assert spec.rolled("opposed-strength", "Ana").total == total


@rule("DEF-SPC-04")
def test_no_path_leads_through_what_the_map_bars(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]), map={"blocked": [[1, 0]]})
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    spec.act("Ana", "move", path=[[1, 1], [2, 0]])
    assert at(spec, "Ana") == (2, 0)


@rule("DEF-AOO-05")
def test_an_opportunity_is_taken_with_what_gets_there(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[2, 0], weapons=[SPEAR, SWORD, BITE]))
    spec.act("Ana", "move", path=[[-1, 0]])
    with spec.refused("DEF-AOO-05", "out-of-reach"):
        spec.answer("Orc", "aoo", weapon="bite")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.answer("Orc", "aoo", weapon="sword")
    spec.answer("Orc", "aoo", ("attack", 2), weapon="spear")
    assert at(spec, "Ana") == (-1, 0)


@rule("DEF-AOO-01")
def test_no_opportunity_without_a_cause(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]))
    with spec.refused("DEF-AOO-01", "no-opportunity"):
        spec.act("Orc", "aoo")


@rule("DEF-MOV-02", "DEF-SPC-04")
def test_no_five_foot_step_ends_where_somebody_is(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", nld=20), foe("Gob", at=[9, 9]),
        map={"blocked": [[0, 1]]},
    )  # fmt: skip
    for square in ([1, 0], [0, 1]):
        with spec.refused("DEF-SPC-04", "square-occupied"):
            spec.act("Ana", "five-foot-step", to=square)
