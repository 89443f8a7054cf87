"""Test the aggressor's grapple options (DEF-GRP-14, -GRM, -GRS, -GPN)."""

from typing import Any

import pytest

from domain.record.events import Moved, Noted, Prevented
from domain.rulebook.grid import neighbours
from tests.rulesets.definitions.units import (
    DAGGER,
    FIST,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
)
from tests.spec import Spec, rule

WON = (("opposed-grapple", 15), ("opposed-grapple", 5))


def held(spec: Spec, *others: dict[str, Any], rulings: str = "default", **ours: Any) -> Spec:
    """Begin Ana's turn. She is at `[3, 4]` and holds Orc, who is at `[4, 4]`."""
    fight(
        spec, fighter("Ana", **{"at": [3, 4], **ours}), foe("Orc", at=[4, 4]), *others,
        rulings=rulings,
    )  # fmt: skip
    return spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})


@rule("DEF-GRP-14")
@pytest.mark.parametrize(
    "action",
    ["grapple-break", "grapple-move", "grapple-submission", "grapple-pin"],
)
def test_who_holds_nobody_in_the_fight_has_no_options(spec: Spec, action: str) -> None:
    """A combatant that holds nobody has no grapple options.

    A ruling gives Ana the condition `grappling`. She may end the condition with `release-grapple`.
    """
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.rule("set-condition", who="Ana", condition="grappling")
    with spec.refused("DEF-GRP-14", "not-aggressor"):
        spec.act("Ana", action, **({"path": [[0, 1]]} if action == "grapple-move" else {}))
    spec.act("Ana", "release-grapple")
    assert not spec["Ana"].has("grappling")


@rule("DEF-GRM-01")
@pytest.mark.parametrize(("feet", "steps"), [(55, 5), (60, 6)])
def test_half_of_a_long_movement(spec: Spec, feet: int, steps: int) -> None:
    held(spec, movement_ft=feet)
    path = [[3, 4 + step] for step in range(1, steps + 2)]
    with spec.refused("DEF-GRM-01", "too-far"):  # half of 55, rounded down to 5 ft: 25
        spec.act("Ana", "grapple-move", path=path)
    spec.act("Ana", "grapple-move", *WON, path=path[:-1])
    assert (at(spec, "Ana"), at(spec, "Orc")) == ((3, 4 + steps), (4, 4 + steps))


@rule("DEF-GRM-01", "DEF-GRP-06")
@pytest.mark.parametrize(("x", "y"), [way[:2] for way in neighbours((0, 0, 0))])
def test_wherever_it_drags_it_keeps_its_hold(spec: Spec, x: int, y: int) -> None:
    """Ana can drag Orc in every direction, and keeps her hold."""
    held(spec)
    spec.act("Ana", "grapple-move", *WON, path=[[3 + x, 4 + y], [3 + 2 * x, 4 + 2 * y]])
    assert at(spec, "Ana") == (3 + 2 * x, 4 + 2 * y)
    assert at(spec, "Orc") == (4 + 2 * x, 4 + 2 * y)
    assert spec["Orc"].has("grappled")


@rule("DEF-GRM-01", "DEF-HLD-06")
@pytest.mark.parametrize(("to", "entered"), [([4, 5], True), ([3, 5], False)])
def test_who_drags_comes_into_a_reach_from_its_own_square(
    spec: Spec, to: list[int], entered: bool
) -> None:
    """Gob's held action triggers only if Ana enters Gob's reach from outside.

    Orc, whom she drags, is inside Gob's reach from the beginning and does not count.
    """
    fight(spec, fighter("Ana", at=[3, 4]), foe("Orc", at=[4, 4]),
          foe("Gob", at=[5, 4], weapons=[SWORD]))  # fmt: skip
    end(spec, "Ana", "Orc")
    hold(spec, "Gob", "drop-prone", {"event": "enters-reach", "who": "Ana"}, slot="move")
    end(spec, "Gob")
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.act("Ana", "grapple-move", *WON, path=[to])
    assert [name for _, name, who in spec.open() if who == "Gob"] == ["reaction"] * entered


@rule("DEF-GRM-01")
def test_whom_it_drags_goes_the_same_steps(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=[3, 4]), foe("Orc", at=[4, 5, 1]))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.act("Ana", "grapple-move", *WON, path=[[2, 4], [2, 3]])
    assert (spec["Ana"].position, spec["Orc"].position) == ((2, 3, 0), (3, 4, 1))


@rule("DEF-GRM-01", "DEF-AOO-04")
@pytest.mark.parametrize(("gob", "asked"), [([5, 6], ["Gob"]), ([2, 6], [])])
def test_a_large_one_that_drags_leaves_the_squares_behind_it(
    spec: Spec, gob: list[int], asked: list[str]
) -> None:
    """Ana, who is large, leaves `[4, 4]` and `[4, 5]` when she moves to `[2, 4]`.

    Gob gets a prompt to strike only if it threatens one of these squares.
    """
    fight(spec, fighter("Ana", size="large", at=[3, 4]), foe("Orc", at=[5, 4]),
          foe("Gob", at=gob, weapons=[SWORD]))  # fmt: skip
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.act("Ana", "grapple-move", *WON, path=[[2, 4]])
    assert [who for _, name, who in spec.open() if name == "reaction"] == asked


@rule("DEF-GRM-01")
@pytest.mark.parametrize("nowhere", ["Ana", "Orc"])
def test_without_a_place_the_gm_places_both(spec: Spec, nowhere: str) -> None:
    held(spec, foe("Gob", at=None, weapons=[SWORD]), rulings="ask")
    spec.rule("move", who=nowhere, to=None)
    spec.act("Ana", "grapple-move", *WON, path=[[3, 5]])
    spec.answer(None, "names", names=["Gob"])  # leaving Gob's reach provokes
    spec.answer("Gob", "pass")
    assert spec.event(Noted).text == "Ana drags Orc: the GM places them"
    assert not spec.events(Moved)
    assert left(spec, "Ana")["standard"] == 0


def dragging(spec: Spec) -> Spec:
    """Let Ana drag Orc. When she leaves `[3, 4]`, Gob gets a prompt to strike."""
    held(spec, foe("Gob", at=[2, 3], weapons=[SWORD]), fighter("Bo", at=[9, 9]))
    spec.act("Ana", "grapple-move", *WON, path=[[3, 5], [3, 6]])
    assert spec.prompt().who == "Gob"
    return spec


@rule("DEF-GRM-01")
@pytest.mark.parametrize("square", [[3, 5], [4, 5]])
def test_it_stops_where_one_of_both_has_no_room_any_more(spec: Spec, square: list[int]) -> None:
    dragging(spec).rule("move", who="Bo", to=square)
    spec.answer("Gob", "pass")
    prevented = spec.event(Prevented)
    assert (prevented.reason, prevented.rules) == ("square-occupied", ("DEF-GRM-01",))
    assert (at(spec, "Ana"), at(spec, "Orc")) == ((3, 4), (4, 4))


@rule("DEF-GRM-01")
@pytest.mark.parametrize("how", ["freed", "elsewhere"])
def test_nobody_is_dragged_who_is_not_held_there_any_more(spec: Spec, how: str) -> None:
    dragging(spec)
    if how == "freed":
        spec.rule("end-condition", who="Orc", condition="grappled")
    else:
        spec.rule("move", who="Orc", to=[4, 3])
    spec.answer("Gob", "pass")
    assert not spec.events(Moved)
    assert at(spec, "Ana") == (3, 4)


@rule("DEF-GRS-02", "DEF-HLD-05")
def test_fainting_in_a_hold_is_damage_and_a_fall(spec: Spec) -> None:
    """If Orc faints in Ana's hold, two held actions trigger.

    Bo's action waits for damage to Orc, and Cy's action waits for Orc's fall.
    """
    fight(
        spec, fighter("Bo", at=[9, 0]), fighter("Cy", at=[9, 2]), fighter("Ana"),
        foe("Orc"), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    hold(spec, "Bo", "drop-prone", {"event": "is-damaged", "who": "Orc"}, slot="move")
    end(spec, "Bo")
    hold(spec, "Cy", "drop-prone", {"event": "falls", "who": "Orc"}, slot="move")
    end(spec, "Cy")
    spec.rule("set-track", who="Orc", track="hp", value=20, maximum=30)
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.rule("set-fact", combatant="Ana", key="submission", value=2)
    spec.act("Ana", "grapple-submission")
    spec.answer("Orc", "grapple", *WON)
    assert spec.hp("Orc", "nld") == 30
    assert spec.prompt().who == "Bo"
    spec.answer("Bo", "keep")
    assert spec.prompt().who == "Cy"


@rule("DEF-FEI-01", "DEF-GRP-10")
def test_one_weapon_of_use_in_the_grapple_is_enough_to_feign(spec: Spec) -> None:
    held(spec, weapons=[SWORD, FIST])  # the drawn sword adds nothing
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer("Orc", "level-check", ("skill-beguile", 15), ("level-check", 2))
    assert spec["Orc"].has("flat-footed")


@rule("DEF-FEI-02")
@pytest.mark.parametrize(
    ("skill", "best"), [(0, "level-check"), (1, "level-check"), (2, "discern-intent")]
)
def test_the_better_defense_against_a_feint(spec: Spec, skill: int, best: str) -> None:
    fight(spec, fighter("Ana", weapons=[DAGGER]), foe("Orc", skills={"discern_intent": skill}))
    spec.act("Ana", "feigned-strike", target="Orc")
    assert spec.prompt().default == best  # HD 1 + Wisdom 0, and the level check wins a tie


@rule("DEF-FEI-03", "DEF-MAN-10")
def test_a_feint_at_the_helpless_needs_no_roll(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[DAGGER]), foe("Orc"))
    spec.rule("set-condition", who="Orc", condition="helpless")
    spec.act("Ana", "feigned-strike", target="Orc")
    assert spec["Orc"].has("flat-footed")


@rule("DEF-FEI-03")
def test_a_feint_that_is_seen_through_does_nothing(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[DAGGER]), foe("Orc"))
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer("Orc", "level-check", ("skill-beguile", 2), ("level-check", 15))
    assert not spec["Orc"].has("flat-footed")
