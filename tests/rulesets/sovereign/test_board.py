"""Test squares, paths, distances and obstacles (SOV-GRID, -RUN, -LOS)."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.rulesets.sovereign import board
from domain.rulesets.sovereign.board import cover, los
from tests.rulesets.sovereign.units import BOW, SPEAR, SWORD, end, fight, hero, npc, weapon
from tests.spec import Spec, rule


def run(spec: Spec, *path: list[int], who: str = "Ana") -> Spec:
    return spec.act(who, "run", path=list(path))


def scene(spec: Spec, *others: dict[str, Any], map: Any = None, **fields: Any) -> Spec:
    return fight(spec, hero("Ana", **fields), *others, npc("Far", at=[90, 90]), map=map)


@rule("SOV-GRID-01", "SOV-GRID-02")
def test_distance_between_the_nearest_cubes(spec: Spec) -> None:
    spec.given(
        hero("Ana"), npc("Ogre", at=[2, 2, 0], space=2), npc("Bat", at=[0, 0, 2]),
        npc("Rat", at=[1, 1]),
    )  # fmt: skip
    assert board.feet_apart(spec.combat, "Ana", "Ogre") == 10
    assert board.feet_apart(spec.combat, "Ana", "Bat") == 10
    assert board.feet_apart(spec.combat, "Ogre", "Rat") == 5
    assert board.adjacent(spec.combat, "Ana", "Rat")  # they touch at a corner
    assert not board.adjacent(spec.combat, "Ana", "Bat")


@rule("SOV-GRID-03", "SOV-RUN-01")
def test_steps_of_five_feet_up_to_the_rate(spec: Spec) -> None:
    scene(spec, movement_ft=20)
    with spec.refused("SOV-RUN-01", "too-far"):
        run(spec, *[[n, n] for n in range(1, 6)])
    with spec.refused("SOV-GRID-03", "path-blocked"):
        run(spec, [2, 0])
    run(spec, [1, 1], [2, 2], [3, 2], [4, 3])
    assert spec["Ana"].position == (4, 3, 0)
    with spec.refused("SOV-ACT-03", "move-spent"):  # unwalked squares are lost
        run(spec, [4, 4])


@rule("SOV-GRID-04")
def test_through_allies_not_onto_them(spec: Spec) -> None:
    scene(spec, hero("Bo", at=[1, 0]))
    with spec.refused("SOV-GRID-04", "square-occupied"):
        run(spec, [1, 0])
    run(spec, [1, 0], [2, 0])
    assert spec["Ana"].position == (2, 0, 0)


@rule("SOV-GRID-05")
def test_standing_enemies_bar_the_way_fallen_do_not(spec: Spec) -> None:
    scene(spec, npc("Orc", at=[1, 0]))
    with spec.refused("SOV-GRID-05", "path-blocked"):
        run(spec, [1, 0], [2, 0])
    spec.rule("set-condition", who="Orc", condition="prone")
    run(spec, [1, 0], [2, 0])
    assert spec["Ana"].position == (2, 0, 0)


@rule("SOV-GRID-05")
def test_giants_step_over_tiny_enemies_as_over_rubble(spec: Spec) -> None:
    scene(spec, npc("Rat", at=[1, 0], size_ft=1), size_ft=8, movement_ft=15)
    run(spec, [1, 0], [2, 0])  # 10 + 5 ft
    assert spec["Ana"].position == (2, 0, 0)


@rule("SOV-GRID-06")
def test_rough_and_barred_squares(spec: Spec) -> None:
    map = {
        "difficult": [[1, 0], [2, 0]],
        "impassable": [[0, 1]],
        "solids": [{"min": [0, -1], "max": [1, 0]}],
        "limits": {"min": [-1, -5], "max": [91, 91]},
    }
    scene(spec, movement_ft=15, map=map)
    with spec.refused("SOV-RUN-01", "too-far"):
        run(spec, [1, 0], [2, 0])  # 10 + 10
    for step in ([0, 1], [0, -1]):
        with spec.refused("SOV-GRID-06", "path-blocked"):
            run(spec, step)
    with spec.refused("SOV-GRID-06", "outside-map"):
        run(spec, [-1, 0], [-2, 0])
    run(spec, [1, 0])


@rule("SOV-GRID-07")
@pytest.mark.parametrize("by", ["wall", "enemy", "nothing"])
def test_no_corner_is_cut(spec: Spec, by: str) -> None:
    others = [npc("Orc", at=[1, 0])] if by == "enemy" else []
    map = {"impassable": [[1, 0]]} if by == "wall" else None
    scene(spec, *others, map=map)
    if by == "nothing":
        run(spec, [1, 1])
        return
    with spec.refused("SOV-GRID-07", "path-blocked"):
        run(spec, [1, 1])


@rule("SOV-GRID-08")
def test_an_area_around_a_corner(spec: Spec) -> None:
    columns, rows = board.covered((10, 10), 20)
    assert (min(columns), max(columns), len(rows)) == (6, 13, 8)
    blast = {"id": "blast", "name": "Blast", "damage": "1d6", "radius_ft": 5}
    scene(
        spec, npc("In", at=[3, 3]), npc("Out", at=[2, 5]), spells=[blast], max_hp=9,
    )  # fmt: skip
    spec.act("Ana", "cast-spell", ("damage", 4), spell="blast", centre=[4, 4])
    assert (spec.hp("In"), spec.hp("Out")) == (6, 10)  # the area is [3, 3] to [4, 4]


# ---- running past


@rule("SOV-RUN-02", "SOV-AOO-02", "SOV-AOO-04")
def test_the_blow_comes_before_the_step_that_leaves(spec: Spec) -> None:
    scene(spec, npc("Pike", at=[2, 1], weapons=[weapon("pike", "1d8", reach_ft=10)]), max_hp=5)
    run(spec, [1, 0], [2, 0], [3, 0], [4, 0], [5, 0])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Pike")]
    assert spec["Ana"].position == (4, 0, 0)  # steps inside its reach provoke nothing
    spec.answer("Pike", "attack-of-opportunity", ("attack", 15), ("damage", 5))
    assert spec["Ana"].has("mortally-injured")
    assert spec["Ana"].position == (4, 0, 0)  # the rest of the path is lost


@rule("SOV-RUN-03", "SOV-DIS-01", "SOV-DIS-02", "SOV-AOO-06")
def test_disengaging_counts_for_those_in_reach_now(spec: Spec) -> None:
    scene(
        spec,
        npc("Near", at=[0, 1], weapons=[SPEAR]),
        npc("Later", at=[3, 1], weapons=[SPEAR]),
    )
    spec.act("Ana", "disengage")
    run(spec, [1, 0], [2, 0], [3, 0], [4, 0], [5, 0])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Later")]


# ---- lines


def box(low: list[float], high: list[float]) -> dict[str, Any]:
    return {"min": low, "max": high}


@rule("SOV-LOS-01", "SOV-LOS-09")
def test_no_line_no_attack(spec: Spec) -> None:
    wall = {"solids": [box([0.9, -20], [1.1, 20])]}
    fight(spec, hero("Ana", weapons=[SWORD, BOW]), npc("Orc", at=[1, 0]), map=wall)
    assert not los(spec.combat, "Ana", "Orc")
    assert not los(spec.combat, "Orc", "Ana")
    with spec.refused("SOV-LOS-09", "no-line-of-sight"):
        spec.act("Ana", "melee-attack", target="Orc")
    spec.rule("set-cover", attacker="Ana", target="Orc", los=True)
    spec.act("Ana", "melee-attack", ("attack", 5), target="Orc")


@rule("SOV-LOS-02")
def test_nobody_blocks_a_line(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Ogre", at=[1, -2], space=4), npc("Orc", at=[9, 0]))
    assert los(spec.combat, "Ana", "Orc")
    assert cover(spec.combat, "Ana", "Orc") == "none"


@rule("SOV-LOS-08")
@pytest.mark.parametrize(
    ("solids", "open"),
    [
        ([box([1, 0], [2, 1]), box([1, 1], [2, 2]), box([1, -9], [2, 0])], False),  # no gap
        ([box([1, -9], [2, 0]), box([1, 1], [2, 9])], True),  # a gap of one square
        ([box([1, -9, 0], [2, 9, 1])], True),  # the line touches the top of a low wall
        ([box([1, -9, -1], [2, 9, 5])], False),
    ],
)
def test_what_touches_is_free(spec: Spec, solids: list[Any], open: bool) -> None:
    spec.given(hero("Ana"), npc("Orc", at=[3, 0]), map={"solids": solids})
    assert los(spec.combat, "Ana", "Orc") is open


@rule("SOV-LOS-08")
def test_nothing_squeezes_between_touching_corners(spec: Spec) -> None:
    crossed = [box([0, 1], [1, 9]), box([1, -9], [9, 1]), box([-9, 1], [0, 9])]
    spec.given(hero("Ana"), npc("Orc", at=[2, 2]), map={"solids": crossed})
    assert not los(spec.combat, "Ana", "Orc")


@rule("SOV-LOS-10")
def test_cover_counts_in_melee(spec: Spec) -> None:
    fight(spec, hero("Ana", attack_bonus=1, weapons=[SWORD]), npc("Orc"))
    spec.rule("set-cover", attacker="Ana", target="Orc", cover="full")
    spec.act("Ana", "melee-attack", ("attack", 12), target="Orc")
    assert spec.rolled("attack").total == 9  # 12 + 1 − 4
    end(spec, "Ana")


def test_a_map_is_checked(spec: Spec) -> None:
    with spec.raises(Malformed):
        spec.given(hero("Ana"), map={"solids": [{"min": [0]}]})


# ---- exact distances in every direction


@rule("SOV-GRID-03", "SOV-GRID-05", "SOV-GRID-06")
@pytest.mark.parametrize(
    ("over", "feet"),
    [
        ({"side": "foes", "size_ft": 1}, 15),
        ({"side": "party", "size_ft": 1}, 10),
        ({"side": "foes", "size_ft": 1, "hp": 0}, 10),
    ],
)
@pytest.mark.parametrize("rate", [9, 10, 14, 15])
def test_what_it_costs_to_step_over_somebody(
    spec: Spec, over: dict[str, Any], feet: int, rate: int
) -> None:
    scene(spec, npc("Rat", at=[4, 3], **over), at=[3, 3], size_ft=8, movement_ft=rate)
    if rate < feet:
        with spec.refused("SOV-RUN-01", "too-far"):
            run(spec, [4, 3], [5, 3])
        return
    run(spec, [4, 3], [5, 3])


@rule("SOV-GRID-06")
@pytest.mark.parametrize("space", [1, 2])
def test_a_difficult_square_costs_ten_feet(spec: Spec, space: int) -> None:
    map = {"difficult": [[5, 3]]}
    scene(spec, at=[5 - space, 3], space=space, movement_ft=10, map=map)
    run(spec, [6 - space, 3])
    assert spec["Ana"].position == (6 - space, 3, 0)


STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


@rule("SOV-GRID-07")
@pytest.mark.parametrize(("dx", "dy"), SLANTED)
@pytest.mark.parametrize("wall", ["column", "row"])
def test_no_corner_is_cut_in_any_direction(spec: Spec, dx: int, dy: int, wall: str) -> None:
    x, y = 3, 7
    beside = [x + dx, y] if wall == "column" else [x, y + dy]
    scene(spec, at=[x, y], map={"impassable": [beside]})
    with spec.refused("SOV-GRID-07", "path-blocked"):
        run(spec, [x + dx, y + dy])
    run(spec, [x + dx, y - dy] if wall == "row" else [x - dx, y + dy])


@rule("SOV-GRID-07")
@pytest.mark.parametrize(("dx", "dy"), STRAIGHT)
def test_a_straight_step_cuts_no_corner(spec: Spec, dx: int, dy: int) -> None:
    walls = [[3, 7], [3 + dy, 7 + dx], [3 - dy, 7 - dx], [3 + dx + dy, 7 + dx + dy]]
    scene(spec, at=[9, 9], map={"impassable": walls})
    spec.rule("place", combatant="Ana", at=[3, 7])
    run(spec, [3 + dx, 7 + dy])
    assert spec["Ana"].position == (3 + dx, 7 + dy, 0)


@rule("SOV-GRID-04")
def test_the_dead_lie_in_nobodys_way(spec: Spec) -> None:
    scene(spec, npc("Orc", at=[1, 0]))
    spec.rule("damage", who="Orc", amount=10)
    assert spec["Orc"].has("dead")
    run(spec, [1, 0])
    assert spec["Ana"].position == (1, 0, 0)


@rule("SOV-GRID-04")
def test_the_large_stay_in_part_where_they_were(spec: Spec) -> None:
    scene(spec, space=2)
    run(spec, [1, 0])
    assert spec["Ana"].position == (1, 0, 0)
