"""Test items on the floor, their squares and owners (DEF-DIS-05 to -08)."""

from typing import Any

import pytest

from domain.errors import Illegal
from tests.rulesets.definitions.units import (
    BITE,
    SHIELD,
    SWORD,
    end,
    fight,
    fighter,
    foe,
    passes,
    shown,
)
from tests.spec import Spec, rule

WON = (("opposed-dexterity", 10), ("opposed-dexterity", 9))
ROUND = [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 0), (2, 1)]
"""The squares around Orc at [1, 0], without Ana's at [0, 0]."""


def disarmed(spec: Spec, *others: dict[str, Any], **ours: Any) -> list[int]:
    """Let Ana disarm Orc, and return the square on which Orc's sword falls."""
    fight(spec, fighter("Ana", **ours), foe("Orc", weapons=[SWORD]), *others)
    passes(spec, "Orc").act("Ana", "disarm", ("touch", 12), *WON, target="Orc")
    place: list[int] = spec.combat.facts["ground"][0]["at"]
    return place


def crowd(*squares: tuple[int, int]) -> list[dict[str, Any]]:
    return [foe(f"G{number}", at=list(square)) for number, square in enumerate(squares)]


@rule("DEF-DIS-06")
def test_the_nearest_free_square(spec: Spec) -> None:
    """The item falls on the nearest free square with the lowest x, then the lowest y."""
    assert disarmed(spec) == [0, -1, 0]


@rule("DEF-DIS-06")
def test_the_nearest_to_an_aggressor_with_a_long_arm(spec: Spec) -> None:
    spear = {**SWORD, "id": "spear", "reach": True, "disarming": True}
    assert disarmed(spec, at=[3, 0], weapons=[spear]) == [2, -1, 0]
    assert disarmed(Spec(spec.ruleset), at=[3, -2], weapons=[spear]) == [2, -1, 0]


@rule("DEF-DIS-06")
def test_beside_a_large_aggressor(spec: Spec) -> None:
    """Of the free squares next to both combatants, the item falls on that with the lowest x.

    Ana, who is large, fills `[-1, 0]` to `[0, 1]`. The free squares next to her and Orc are `[0,
    -1]`, `[1, -1]` and `[1, 1]`.
    """
    assert disarmed(spec, size="large", at=[-1, 0]) == [0, -1, 0]


@rule("DEF-DIS-06")
def test_in_a_crowd_never_under_the_aggressors_feet(spec: Spec) -> None:
    """If all near squares are occupied, the item falls on the nearest without the aggressor."""
    assert disarmed(spec, *crowd(*ROUND)) == [0, -1, 0]


@rule("DEF-DIS-06")
def test_in_a_crowd_beside_a_large_aggressor(spec: Spec) -> None:
    rest = [square for square in ROUND if square != (0, 1)]
    assert disarmed(spec, *crowd(*rest), size="large", at=[-1, 0]) == [0, -1, 0]


@rule("DEF-DIS-03")
@pytest.mark.parametrize(
    ("action", "purpose"), [("disarm", "opposed-dexterity"), ("grapple", "opposed-grapple")]
)
def test_after_a_missed_touch_nobody_rolls(spec: Spec, action: str, purpose: str) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", action, ("touch", 1), target="Orc")
    spec.answer("Orc", "pass")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"
    assert not spec["Orc"].has("grappled")


def two_swords(spec: Spec) -> Spec:
    """Begin Orc's turn. Ana's sword lies at `[-1, 0]`, and Orc's sword lies at `[2, 0]`."""
    fight(spec, foe("Orc", weapons=[SWORD]), fighter("Ana", weapons=[SWORD]))
    spec.act("Orc", "disarm", ("touch", 15), target="Ana", drop_to=[-1, 0])
    spec.answer("Ana", "pass", *WON)
    end(spec, "Orc")
    spec.act("Ana", "disarm", ("touch", 15), target="Orc", drop_to=[2, 0])
    return end(spec.answer("Orc", "pass", *WON), "Ana")


@rule("DEF-DIS-08")
def test_of_two_of_a_name_the_one_in_reach(spec: Spec) -> None:
    two_swords(spec).rule("move", who="Orc", to=[1, 1])
    spec.act("Orc", "retrieve-item", item="sword")
    assert [fact["owner"] for fact in spec.combat.facts["ground"]] == ["Ana"]


@rule("DEF-DIS-08")
@pytest.mark.parametrize("who", ["Ana", "Orc"])
def test_of_two_in_reach_one_s_own(spec: Spec, who: str) -> None:
    two_swords(spec)
    if who == "Ana":
        end(spec, "Orc")
    for name in ("Ana", "Orc"):
        spec.rule("move", who=name, to=None)
    spec.act(who, "retrieve-item", item="sword")
    assert [fact["owner"] for fact in spec.combat.facts["ground"]] == [
        "Orc" if who == "Ana" else "Ana"
    ]


@rule("DEF-DIS-05", "DEF-DIS-08")
def test_a_found_thing_never_bears_the_name_of_one_s_own(spec: Spec) -> None:
    """If Orc picks up Ana's sword, that sword gets the id `sword-2`.

    Orc's own sword keeps the id `sword`.
    """
    two_swords(spec).rule("move", who="Orc", to=[-2, 0])
    spec.act("Orc", "retrieve-item", item="sword")
    assert shown(spec, "Orc")["slots"]["primary"] == "sword-2"
    spec.rule("move", who="Orc", to=[1, 1])
    spec.act("Orc", "retrieve-item", item="sword", pay="standard")
    assert spec.combat.facts["ground"] == []
    end(spec, "Orc", "Ana")
    spec.act("Orc", "draw-weapon", weapon="sword", swap=True)
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"


@rule("DEF-DIS-08", "DEF-WLD-07")
def test_nor_that_of_one_s_own_shield(spec: Spec) -> None:
    club = {**SWORD, "id": "shield", "name": "a club called shield"}
    fight(spec, foe("Orc", shield=SHIELD), fighter("Ana", weapons=[club]))
    spec.act("Orc", "disarm", ("touch", 15), target="Ana", drop_to=[1, 1])
    spec.answer("Ana", "pass", *WON)
    spec.act("Orc", "retrieve-item", item="shield")
    assert shown(spec, "Orc")["slots"] == {"primary": "shield-2", "offhand": "shield"}


@rule("DEF-DIS-08", "DEF-STD-03")
def test_what_lies_on_the_floor_is_not_at_hand(spec: Spec) -> None:
    """Ana cannot use an item of her own sheet that lies on the floor.

    She must pick it up first, from an adjacent square.
    """
    wand = {"id": "wand", "name": "wand", "activation": "use", "stored": "ground", "at": [5, 5]}
    fight(spec, fighter("Ana", items=[wand]), foe("Orc"))
    with spec.refused("DEF-STD-03", "no-such-item"):
        spec.act("Ana", "use-item", item="wand")
    with spec.refused("DEF-DIS-08", "not-adjacent"):
        spec.act("Ana", "retrieve-item", item="wand")
    spec.rule("move", who="Ana", to=[4, 4])
    spec.act("Ana", "retrieve-item", item="wand")
    spec.act("Ana", "use-item", item="wand")


@rule("DEF-WLD-05", "DEF-MOV-05")
@pytest.mark.parametrize(
    ("action", "inputs", "allowed"),
    [
        ("draw-weapon", {"weapon": "axe"}, ("sword", "club")),
        ("stow-item", {"item": "club"}, ("sword",)),
        ("ready-item", {"item": "axe"}, ("shield",)),
    ],
)
def test_a_refusal_names_what_would_do(
    spec: Spec, action: str, inputs: dict[str, str], allowed: tuple[str, ...]
) -> None:
    club = {**SWORD, "id": "club", "name": "club"}
    fight(
        spec,
        fighter("Ana", weapons=[BITE, SWORD, club], shield=SHIELD, wielded={"offhand": None}),
        foe("Orc", at=[9, 9]),
    )  # fmt: skip
    with spec.raises(Illegal) as caught:
        spec.act("Ana", action, **inputs)
    assert caught[0].allowed == allowed
