"""Test line of sight and cover (SOV-LOS), with the worked example E16."""

from typing import Any

import pytest

from domain.rulesets.sovereign.board import Cover, cover, view
from tests.rulesets.sovereign.units import hero, npc
from tests.spec import Spec, rule


def box(low: list[float], high: list[float]) -> dict[str, Any]:
    return {"min": low, "max": high}


WALL = [box([1, 0], [2, 1])]
LEDGE = [box([-5, -5, 0], [1, 5, 2])]
SLIT = [box([1, -5], [1.2, 0.4]), box([1, 0.6], [1.2, 5])]
PARAPET = [box([1, -5, 0], [1.2, 5, 0.5])]


@pytest.mark.parametrize(
    ("solids", "a", "b", "seen", "covers"),
    [
        (WALL, [0, 0], [3, 1], 4, "half"),
        (LEDGE, [0, 0, 2], [5, 0, 0], 6, "half"),
        (SLIT, [0, 0], [5, 0], 0, "full"),
        (PARAPET, [0, 0, 0], [5, 0, 0], 4, "half"),
    ],
)
@rule("SOV-LOS-03", "SOV-LOS-04", "SOV-LOS-05", "SOV-LOS-06", "SOV-LOS-07", "SOV-LOS-08")
def test_e16_cover_belongs_to_an_ordered_pair(
    spec: Spec, solids: list[Any], a: list[int], b: list[int], seen: int, covers: Cover
) -> None:
    spec.given(hero("A", at=a), npc("B", at=b), map={"solids": solids})
    assert view(spec.combat, "B", "A") == (True, seen)
    assert cover(spec.combat, "B", "A") == covers
    assert view(spec.combat, "A", "B") == (True, 8)
    assert cover(spec.combat, "A", "B") == "none"


@rule("SOV-LOS-04", "SOV-LOS-10")
def test_what_lies_between_two_can_be_asked(spec: Spec) -> None:
    """From B, the wall of worked example E16 (a) leaves 4 of A's 8 corners visible."""
    wall = {"solids": [{"min": [1, 0], "max": [2, 1]}]}
    spec.given(hero("A", at=[0, 0]), npc("B", at=[3, 1]), map=wall)
    seen = spec.ruleset.between(spec.combat, "B", "A")
    assert (seen.distance, seen.unit, seen.line, seen.cover) == (15, "ft", True, "half")
    words = seen.words
    assert (words["los"], words["cover"], words["corners"], words["modifier"]) == (
        True, "half", 4, -2,
    )  # fmt: skip
    assert words["feet"] == 15
    assert spec.ruleset.between(spec.combat, "A", "B").cover == "none"
    spec.rule("set-cover", attacker="B", target="A", cover="full")
    words = spec.ruleset.between(spec.combat, "B", "A").words
    assert words["cover"] == "full"
    assert [reason["rule"] for reason in words["reasons"]] == ["SOV-LOS-08", "SOV-LOS-10"]
