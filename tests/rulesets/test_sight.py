"""Test distance, line, cover and reach by each rulebook's rules."""

from typing import Any

import pytest

from domain.rulebook.distances import Between
from domain.rulesets import installed
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import Spec


def seen(ruleset: str, *sheets: dict[str, Any], **given: Any) -> Between:
    """Return the sight from the first combatant to the second, before the fight begins."""
    spec = Spec(installed()[ruleset])
    spec.given(*sheets, **given)
    first, other = (str(sheet["name"]) for sheet in sheets)
    return spec.ruleset.between(spec.combat, first, other)


@pytest.mark.parametrize(
    ("at", "feats", "spaces", "reach", "in_zone"),
    [
        ([1, 1], {}, 1, ("sword", "bow"), True),
        ([2, 0], {}, 2, ("bow",), False),
        ([2, 0], {"reach": True}, 2, ("sword", "bow"), True),
        ([6, 0], {}, 6, (), False),
        (None, {}, None, None, None),
    ],
)
def test_free_hit_counts_spaces_and_the_zone(
    at: list[int] | None, feats: Any, spaces: int, reach: tuple[str, ...], in_zone: bool
) -> None:
    bow = {**free_hit.BOW, "range": 5}
    ana = free_hit.unit("Ana", at=[0, 0], weapons=[free_hit.SWORD, bow], feats=feats)
    between = seen("free-hit", ana, free_hit.foe("Imp", at=at))
    assert (between.distance, between.unit, between.reach) == (spaces, "spaces", reach)
    assert (between.line, between.cover, between.words) == (None, None, {"in_zone": in_zone})


@pytest.mark.parametrize(
    ("weapon", "at", "feet", "reach"),
    [
        (definitions.SWORD, [1, 1], 5, ("sword",)),
        (definitions.SWORD, [2, 0], 10, ()),
        (definitions.SPEAR, [2, 0], 10, ("spear",)),
        (definitions.BOW, [12, 0], 60, ("bow",)),
        (definitions.BOW, [13, 0], 65, ()),
        (definitions.SWORD, None, None, None),
    ],
)
def test_definitions_counts_squares_of_5_ft(
    weapon: Any, at: list[int] | None, feet: int, reach: tuple[str, ...]
) -> None:
    ana = definitions.fighter("Ana", weapons=[weapon])
    between = seen("definitions", ana, definitions.foe("Imp", at=at), death_roll="all-equal")
    assert (between.distance, between.unit, between.reach) == (feet, "ft", reach)
    threatens = None if feet is None else bool(reach) and weapon is not definitions.BOW
    assert (between.line, between.cover, between.words) == (None, None, {"threatens": threatens})


@pytest.mark.parametrize(
    ("reach_ft", "at", "feet", "reach"),
    [(5, [1, 1], 5, ("axe",)), (5, [2, 1], 10, ()), (10, [2, 1], 10, ("axe",))],
)
def test_hallowed_earth_counts_by_the_longer_axis(
    reach_ft: int, at: list[int], feet: int, reach: tuple[str, ...]
) -> None:
    axe = hallowed_earth.weapon("axe", reach_ft=reach_ft)
    ana = hallowed_earth.hero("Ana", at=[0, 0], weapons=[axe])
    between = seen("hallowed-earth", ana, hallowed_earth.monster("Imp", at=at))
    assert (between.distance, between.unit, between.reach) == (feet, "ft", reach)
    assert (between.line, between.cover) == (None, None)
    assert between.words == {"threatens": bool(reach)}


def test_vile_darkness_measures_from_centre_to_centre() -> None:
    sling = vile_darkness.weapon("sling", "1d4", kind="missile", range_ft=24)
    ana = vile_darkness.hero("Ana", at=[0, 0], weapons=[vile_darkness.SWORD, sling])
    between = seen("vile-darkness", ana, vile_darkness.foe("Imp", at=[3, 4]))
    assert (between.distance, between.unit, between.reach) == (25, "ft", ())
    near = seen("vile-darkness", ana, vile_darkness.foe("Imp", at=[1, 1]))
    assert near.distance == 7.07
    assert near.reach is not None
    assert {"sword", "sling"} <= set(near.reach)
    assert (near.line, near.cover, near.words) == (True, 0, {"concealment": 0, "effect": True})


def test_vile_darkness_knows_the_lines_that_the_gm_says() -> None:
    spec = Spec(installed()["vile-darkness"])
    spec.given(vile_darkness.hero("Ana", at=[0, 0]), vile_darkness.foe("Imp", at=[2, 0]))
    line: dict[str, Any] = {"from": "Ana", "to": "Imp"}
    spec.rule("set-cover", **line, percent=60).rule("set-concealment", **line, percent=75)
    between = spec.ruleset.between(spec.combat, "Ana", "Imp")
    assert (between.line, between.cover) == (False, 60)
    assert between.words == {"concealment": 75, "effect": False}
    back = spec.ruleset.between(spec.combat, "Imp", "Ana")
    assert (back.line, back.cover) == (True, 0)


def test_sovereign_sees_by_geometry() -> None:
    wall = {"solids": [{"min": [1, -5], "max": [2, 6]}]}
    ana = sovereign.hero("Ana", weapons=[sovereign.SWORD])
    orc = sovereign.npc("Orc", at=[2, 0])
    assert seen("sovereign", ana, orc, map=wall).line is False
    assert seen("sovereign", ana, orc, map=wall).reach == ()
    free = seen("sovereign", ana, {**orc, "at": [1, 1]})
    assert (free.distance, free.line, free.cover) == (5, True, "none")
    assert free.reach is not None
    assert "sword" in free.reach
    far = seen("sovereign", ana, orc)
    assert (far.distance, far.line, far.reach) == (10, True, ())
