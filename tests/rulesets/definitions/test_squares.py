"""Test squares above the ground or in a crowd (DEF-SPC, DEF-RCH, DEF-CHG-03)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Answered, Moved, Rolled
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    FIST,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    shown,
)
from tests.spec import Spec, rule


def threatened(spec: Spec, who: str) -> set[tuple[int, ...]]:
    return {tuple(square) for square in shown(spec, who)["threatened_squares"]}


def square(low: tuple[int, int], high: tuple[int, int], z: int) -> set[tuple[int, ...]]:
    """Return all squares between two corners."""
    return {(x, y, z) for x in range(low[0], high[0] + 1) for y in range(low[1], high[1] + 1)}


@rule("DEF-RCH-01", "DEF-RCH-04", "DEF-RCH-07")
@pytest.mark.parametrize(
    ("fields", "squares"),
    [
        # the spear has more reach than the teeth
        ({"weapons": [SPEAR, BITE]}, square((1, 2), (5, 6), 7) - {(3, 4, 7)}),
        ({"weapons": [BITE, {**BITE, "id": "claw"}]}, square((2, 3), (4, 5), 7) - {(3, 4, 7)}),
        # large: a space of 2 squares a side, 2 squares around it
        ({"size": "large", "weapons": [BITE]},
         square((1, 2), (6, 7), 7) - square((3, 4), (4, 5), 7)),
    ],
)  # fmt: skip
def test_threatened_squares_wherever_it_stands(
    spec: Spec, fields: dict[str, Any], squares: set[tuple[int, ...]]
) -> None:
    fight(spec, fighter("Ana", at=[3, 4, 7], **fields), foe("Orc", at=[9, 9]))
    assert threatened(spec, "Ana") == squares
    spec.rule("move", who="Ana", to=[4, 3, -7])
    assert threatened(spec, "Ana") == {(x + 1, y - 1, -7) for x, y, _ in squares}


@rule("DEF-SPC-01", "DEF-SPC-04", "DEF-SPC-05")
def test_above_and_beneath_each_other(spec: Spec) -> None:
    """A combatant may move below or above the space that another combatant fills.

    Ana moves to `[1, 0]`, below Bo. The large ogre is 2 squares high, so Cy may fly over it, but
    not through its head.
    """
    fight(
        spec, fighter("Ana"), fighter("Bo", at=[1, 0, 1]), foe("Ogre", size="large", at=[4, 4]),
        fighter("Cy", at=[3, 4, 2]),
    )  # fmt: skip
    spec.act("Ana", "move", path=[[1, 0]])
    assert spec["Ana"].position == (1, 0, 0)
    end(spec, "Ana", "Bo", "Ogre")
    with spec.refused("DEF-SPC-02", "square-hostile"):  # through its head
        spec.act("Cy", "move", path=[[4, 4, 1], [4, 3, 1]])
    spec.act("Cy", "move", path=[[4, 4, 2], [5, 4, 2]])  # over it
    assert spec["Cy"].position == (5, 4, 2)


@rule("DEF-MOV-02")
@pytest.mark.parametrize(
    ("start", "to", "there"),
    [
        ([9999, 0], [10000, 0], True),
        ([10000, 0], [10001, 0], False),
        ([0, -10000], [0, -10001], False),
        ([0, 0, 5], [1, 0, 5], True),
        ([0, 0, 5], [1, 0, 0], False),
    ],
)
def test_how_far_squares_go(spec: Spec, start: list[int], to: list[int], there: bool) -> None:
    fight(spec, fighter("Ana", at=start), foe("Orc", at=[50, 50]))
    if there:
        spec.act("Ana", "five-foot-step", to=to)
        assert list(spec["Ana"].position or ())[: len(to)] == to
    else:
        with spec.refused("DEF-MOV-02", "too-far"):
            spec.act("Ana", "five-foot-step", to=to)


@rule("DEF-SPC-04")
@pytest.mark.parametrize("barred", [[1, 0], [0, 1, 0]])
def test_each_blocked_square_bars(spec: Spec, barred: list[int]) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]), map={"blocked": [[7, 7], barred]})
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.act("Ana", "move", path=[barred])


@rule("DEF-CHG-03", "DEF-CHG-04")
@pytest.mark.parametrize(
    ("start", "to", "line"),
    [
        ([2, 1], [5, 1], [(3, 1), (4, 1), (5, 1)]),
        ([5, 1], [2, 1], [(4, 1), (3, 1), (2, 1)]),
        ([1, 2], [1, 5], [(1, 3), (1, 4), (1, 5)]),
        ([1, 5], [3, 3], [(2, 4), (3, 3)]),
        ([2, 1], [6, 3], [(3, 2), (4, 2), (5, 3), (6, 3)]),
    ],
)
def test_the_line_of_a_charge(
    spec: Spec, start: list[int], to: list[int], line: list[tuple[int, int]]
) -> None:
    """A charge follows a straight line, and halves of a square are rounded up.

    Worked example 16.
    """
    goal = [2 * to[0] - start[0], 2 * to[1] - start[1]]
    fight(spec, fighter("Ana", at=start, weapons=[SWORD]), foe("Orc", at=goal))
    spec.act("Ana", "charge", target="Orc", to=to)
    assert [moved.path[0][:2] for moved in spec.events(Moved)] == line


@rule("DEF-CHG-02")
def test_a_charge_is_told_in_feet(spec: Spec) -> None:
    fight(spec, fighter("Ana", movement_ft=10), foe("Orc", at=[9, 0]))
    for to, detail in (([1, 0], "at least 10 ft, not 5"), ([5, 0], "25 ft of 20")):
        with spec.raises(Illegal) as caught:
            spec.act("Ana", "charge", target="Orc", to=to)
        assert detail in caught[0].detail


@rule("DEF-CHG-06")
def test_who_threatens_nothing_attacks_nobody_after_a_charge(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[4, 0]))
    spec.act("Ana", "charge", target="Orc", to=[3, 0])
    spec.rule("move", who="Ana", to=[2, 0])
    with spec.refused("DEF-CHG-06", "nothing-threatened"):
        spec.act("Ana", "trip", target="Orc")
    spec.rule("move", who="Ana", to=None)
    with spec.refused("DEF-CHG-06", "nothing-threatened"):
        spec.act("Ana", "trip", target="Orc")


@rule("DEF-SWL-08")
def test_the_ways_out_of_a_large_one(spec: Spec) -> None:
    """The prompt lists the squares around the swallower, sorted by x, then by y."""
    fight(spec, foe("Maw", size="large", at=[3, 3]), fighter("Tim", at=[9, 9]))
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    spec.rule("retrieve", who="Tim")
    ring = [[x, y, 0] for x in range(2, 6) for y in range(2, 6)]
    inner = [[x, y, 0] for x in (3, 4) for y in (3, 4)]
    assert spec.prompt().data["squares"] == [corner for corner in ring if corner not in inner]


@rule("DEF-SWL-08")
def test_out_of_one_who_stands_nowhere(spec: Spec) -> None:
    fight(spec, foe("Maw", at=None), fighter("Tim", at=[9, 9]), fighter("Bo"))
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    spec.rule("retrieve", who="Tim")
    assert not spec["Tim"].has("swallowed")
    assert at(spec, "Tim") is None


@rule("DEF-RNG-06")
@pytest.mark.parametrize("nowhere", ["Ana", "Orc"])
def test_no_range_is_measured_to_nowhere(spec: Spec, nowhere: str) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Orc", at=[50, 50]))
    spec.rule("move", who=nowhere, to=None)
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Orc")


@rule("DEF-TRM-05", "DEF-TRM-03")
@pytest.mark.parametrize(
    ("weapons", "dice"), [([BITE, FIST], "1d4"), ([BITE, {**FIST, "id": "hoof"}], "1d6")]
)
def test_what_a_trample_strikes_with(spec: Spec, weapons: list[dict[str, Any]], dice: str) -> None:
    """A trample uses the weapon `unarmed`, or else the first natural weapon."""
    fight(
        spec, fighter("Ox", weapons=weapons), foe("Orc", at=[1, 0], nld=20), foe("Gob", at=[9, 9])
    )
    spec.act("Ox", "trample", ("touch", 15), ("damage", 1), path=[[1, 0], [2, 0]],
             targets=["Orc"])  # fmt: skip
    assert spec.rolled("damage").formula == dice


# ---- without squares: the GM's prompts about combatants


@rule("DEF-AOO-09", "DEF-CST-01")
def test_the_gm_is_asked_only_about_those_who_could_strike(spec: Spec) -> None:
    """The prompt lists only foes without a square that have a weapon and can still strike."""
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6"}
    fight(
        spec, fighter("Ana", spells=[bolt]), foe("Orc", at=None, weapons=[SWORD]),
        foe("Gob", at=None), foe("Hob", at=None, weapons=[SWORD]),
        foe("Spy", at=None, weapons=[SWORD]), fighter("Bo", at=None, weapons=[SWORD]),
        foe("Ogre", weapons=[SWORD]),
        rulings="ask", hidden=("Spy",),
    )  # fmt: skip
    spec.rule("set-fact", combatant="Hob", key="immediate", value={"category": "aoo", "times": 1})
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert spec.prompt().name == "threatened"
    assert spec.prompt().data["foes"] == ["Orc", "Spy"]


@rule("DEF-AOO-09")
def test_the_gm_is_asked_once_in_a_move(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.answer(None, "nobody", name="threatened")
    assert at(spec, "Ana") == (-2, 0)


@rule("DEF-MAN-04", "DEF-AOO-03")
def test_who_strikes_no_more_has_struck_nothing(spec: Spec) -> None:
    """If Orc uses up its opportunity while the GM's prompt is open, the prompt closes.

    Orc has not struck, so Ana's trip gets no −4.
    """
    fight(spec, fighter("Ana", at=None), foe("Orc", weapons=[SWORD]), rulings="ask")
    spec.act("Ana", "trip", target="Orc")
    spec.answer(None, "yes", ("touch", 15), name="reach")
    assert spec.prompt().name == "threatened"
    used = {"combatant": "Orc", "key": "immediate", "value": {"category": "aoo", "times": 1}}
    spec.rule("set-fact", ("opposed-strength", 9), ("opposed-strength", 3), **used)
    assert spec.event(Answered, by="lapsed").option == "nobody"  # nobody is left to ask about
    assert spec.rolled("opposed-strength", "Ana").total == 9


@rule("DEF-AOO-09", "DEF-CST-01")
def test_of_two_who_might_threaten_the_one_left_is_asked_about(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "damage": "2d6"}
    foes = [foe(name, at=None, weapons=[SWORD]) for name in ("Orc", "Hob")]
    fight(spec, fighter("Ana", spells=[bolt]), *foes, rulings="ask")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert spec.prompt().data["foes"] == ["Orc", "Hob"]
    spec.rule("set-fact", combatant="Orc", key="immediate", value={"category": "aoo", "times": 1})
    assert spec.prompt().data["foes"] == ["Hob"]
    with spec.refused("DEF-AOO-09", "not-asked"):
        spec.answer(None, "names", names=["Orc"])
    spec.answer(None, "names", names=["Hob"])
    assert spec.open() == [("reaction", "reaction", "Hob")]


@rule("DEF-AOO-01", "DEF-AOO-06")
def test_who_has_left_the_squares_leaves_none_any_more(spec: Spec) -> None:
    """If the GM takes Ana off the board during Orc's prompt, Gob gets no prompt."""
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Gob", at=[0, 1], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0]])
    assert spec.prompt().who == "Orc"
    spec.rule("move", who="Ana", to=None)
    spec.answer("Orc", "pass")
    assert spec.prompt().name == "turn"


@rule("DEF-TRN-02", "DEF-HLD-05")
def test_somebody_is_meant_by_id_or_by_name(spec: Spec) -> None:
    """A field that names a combatant accepts the name `Old Ana` and the id `Old-Ana`."""
    fight(
        spec,
        fighter("Bo", at=[9, 9], modifiers=[
            {"target": "ac", "value": 2, "until": "turn-start:Old Ana"},
            {"target": "ac", "value": 3, "until": "turn-start:Old-Ana"},
        ]),
        fighter("Old Ana"), foe("Orc", at=[5, 5]),
    )  # fmt: skip
    assert shown(spec, "Bo")["ac"] == 15
    hold(spec, "Bo", "drop-prone", {"event": "speaks", "who": "Old Ana"}, slot="move")
    end(spec, "Bo")
    assert shown(spec, "Bo")["ac"] == 10
    spec.act("Old-Ana", "speak", text="ho")
    assert spec.prompt().who == "Bo"


@rule("DEF-MAN-10")
def test_the_helpless_strike_nobody_who_trips_them(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]))
    spec.rule("set-condition", who="Orc", condition="helpless")
    spec.act("Ana", "trip", ("touch", 15), target="Orc")
    assert spec["Orc"].has("prone")


@rule("DEF-AOO-09", "DEF-IMM-10")
def test_the_gm_is_not_asked_about_a_defender_who_could_not_strike(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", weapons=[SWORD]), rulings="ask")
    spec.rule("set-fact", combatant="Orc", key="immediate", value={"category": "aoo", "times": 1})
    spec.act("Ana", "trip", target="Orc")
    spec.answer(None, "yes", ("touch", 15), ("opposed-strength", 9), ("opposed-strength", 3),
                name="reach")  # fmt: skip
    assert spec["Orc"].has("prone")


@rule("DEF-SPC-01", "DEF-SPC-02", "DEF-TRM-02")
def test_a_large_one_meets_whoever_stands_in_any_of_its_squares(spec: Spec) -> None:
    """If Ox meets two combatants in one step, it tramples them in the order of the sheets."""
    fight(
        spec, fighter("Ox", size="large", weapons=[FIST]), foe("Gob", at=[2, 1], nld=20),
        foe("Orc", at=[2, 0], nld=20), foe("Imp", at=[0, 3]),
    )  # fmt: skip
    with spec.refused("DEF-SPC-04", "square-occupied"):  # Imp stands in Ox's left half
        spec.act("Ox", "move", path=[[0, 1], [0, 2]])
    spec.act("Ox", "trample", ("touch", 19), ("damage", 1), ("touch", 19), ("damage", 2),
             path=[[1, 0], [2, 0], [3, 0]], targets=["Orc", "Gob"])  # fmt: skip
    assert [rolled.against for rolled in spec.events(Rolled, purpose="touch")] == ["Gob", "Orc"]
    assert (spec.hp("Gob"), spec.hp("Orc"), at(spec, "Ox")) == (19, 18, (3, 0))


@rule("DEF-CHG-03", "DEF-SPC-01")
def test_how_near_a_charge_comes_is_counted_from_the_whole_foe(spec: Spec) -> None:
    """A charge that ends as far from the foe as it began is refused.

    The ogre fills `[0, 0]` to `[1, 1]`. Ana is 2 squares away before the charge and would be 2
    squares away after it.
    """
    ana = fighter("Ana", at=[3, 2], weapons=[SWORD])
    fight(spec, ana, foe("Ogre", at=[0, 0], size="large"))
    with spec.refused("DEF-CHG-03", "not-toward-foe"):
        spec.act("Ana", "charge", target="Ogre", to=[-2, 2])
