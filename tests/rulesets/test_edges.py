"""Test that the rules refuse squares outside the map, and offer none."""

from typing import Any

import pytest

from domain.engine.commands import Join, Joining, SetMap
from domain.engine.options import reach
from domain.errors import Impossible
from domain.rulebook.play import Play
from domain.rulesets import installed
from domain.rulesets.sovereign import RULESET as SOVEREIGN
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import Spec

MAPS: dict[str, dict[str, Any]] = {
    "free-hit": {"width": 4, "height": 3},
    "hallowed-earth": {"width": 4, "height": 3},
    "sovereign": {"limits": {"min": [0, 0], "max": [4, 3]}},
    "vile-darkness": {"limits": [[3, 0], [0, 2]]},
}
"""Maps of 4 × 3 squares, from `[0, 0]` to `[3, 2]`."""

THERE = ("[0, 0] to [3, 2]",)

SHEETS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "free-hit": (free_hit.unit("Ana", at=[0, 0], speed=4), free_hit.foe("Orc", at=[3, 2])),
    "hallowed-earth": (
        hallowed_earth.hero("Ana", at=[0, 0]),
        hallowed_earth.monster("Orc", at=[3, 2]),
    ),
    "sovereign": (sovereign.hero("Ana", at=[0, 0]), sovereign.npc("Orc", at=[3, 2])),
    "vile-darkness": (
        vile_darkness.hero("Ana", at=[0, 0]),
        vile_darkness.foe("Orc", at=[3, 2]),
    ),
}


def opened(ruleset: str) -> Spec:
    return Spec(installed()[ruleset]).given(*SHEETS[ruleset], map=MAPS[ruleset])


@pytest.mark.parametrize("ruleset", MAPS)
def test_a_combatant_joins_and_is_moved_only_inside(ruleset: str) -> None:
    spec = opened(ruleset)
    with spec.raises(Impossible) as caught:
        spec.do(Join(Joining({**SHEETS[ruleset][1], "name": "Imp", "at": [4, 0]})))
    assert (caught[0].pointer, caught[0].code) == ("/sheet/at", "outside-map")
    assert caught[0].allowed == THERE
    with spec.raises(Impossible) as caught:
        spec.rule("move", combatant="Ana", to=[0, 3])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/to", "outside-map")
    with spec.raises(Impossible) as caught:
        targets = [
            {"combatant": "Ana", "inputs": {"to": [3, 0]}},
            {"combatant": "Orc", "inputs": {"to": [-1, 0]}},
        ]
        spec.rule("several", ruling="move", targets=targets)
    assert caught[0].pointer == "/inputs/targets/1/inputs/to"
    spec.rule("move", combatant="Ana", to=[3, 0])
    assert spec["Ana"].position == (3, 0, 0)


@pytest.mark.parametrize("ruleset", MAPS)
def test_a_whole_opening_is_refused_for_a_combatant_outside(ruleset: str) -> None:
    sheets = [SHEETS[ruleset][0], {**SHEETS[ruleset][1], "at": [4, 2]}]
    with pytest.raises(Impossible) as caught:
        Spec(installed()[ruleset]).given(*sheets, map=MAPS[ruleset])
    assert caught.value.pointer == "/combatants/1/sheet/at"


@pytest.mark.parametrize(
    ("ruleset", "action"), [("free-hit", "move"), ("hallowed-earth", "move"), ("sovereign", "run")]
)
def test_no_path_leads_outside(ruleset: str, action: str) -> None:
    if ruleset == "sovereign":
        spec = sovereign.fight(Spec(SOVEREIGN), *SHEETS[ruleset], map=MAPS[ruleset])
    else:
        spec = opened(ruleset)
    if ruleset == "free-hit":
        spec.begin()
    play = Play(spec.ruleset, spec.combat)
    ways = reach(play, "Ana", spec.ruleset.actions[action], play)
    assert ways is not None
    squares = {reached.path[-1][:2] for reached in ways.squares}
    assert (1, 0) in squares
    assert squares <= {(x, y) for x in range(4) for y in range(3)}


LARGE: dict[str, dict[str, Any]] = {
    "free-hit": free_hit.unit("Ogre", at=[1, 0], size=2, speed=4),
    "sovereign": sovereign.hero("Ogre", at=[1, 0], space=2, movement_ft=30),
}
"""Heroes with a space of 2 × 2 squares. The space fits at squares up to `[2, 1]`."""


def with_ogre(ruleset: str, **small: Any) -> Spec:
    orc = {**SHEETS[ruleset][1], "at": [0, 0], **small}
    if ruleset == "sovereign":
        return sovereign.fight(Spec(SOVEREIGN), LARGE[ruleset], orc, map=MAPS[ruleset])
    return Spec(installed()[ruleset]).given(LARGE[ruleset], orc, map=MAPS[ruleset]).begin()


@pytest.mark.parametrize("ruleset", LARGE)
def test_all_squares_of_a_large_combatant_stay_on_the_map(ruleset: str) -> None:
    spec = with_ogre(ruleset)
    for at in ([3, 0], [0, 2]):
        with spec.raises(Impossible) as caught:
            spec.do(Join(Joining({**LARGE[ruleset], "name": "Troll", "at": at})))
        assert (caught[0].pointer, caught[0].code) == ("/sheet/at", "outside-map")
        assert caught[0].allowed == ("[0, 0] to [2, 1]",)
        with spec.raises(Impossible) as caught:
            spec.rule("move", combatant="Ogre", to=at)
        assert (caught[0].pointer, caught[0].code) == ("/inputs/to", "outside-map")
        with spec.raises(Impossible) as caught:
            targets = [{"combatant": "Ogre", "inputs": {"to": at}}]
            spec.rule("several", ruling="move", targets=targets)
        assert caught[0].code == "outside-map"
    action = "run" if ruleset == "sovereign" else "move"
    with spec.raises(Impossible) as caught:
        spec.act("Ogre", action, path=[[2, 0], [3, 0]])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/path", "outside-map")
    play = Play(spec.ruleset, spec.combat)
    ways = reach(play, "Ogre", spec.ruleset.actions[action], play)
    assert ways is not None
    squares = {reached.path[-1][:2] for reached in ways.squares}
    assert (2, 1) in squares
    assert squares <= {(x, y) for x in range(3) for y in range(2)}
    offered = [offer for offer in spec.live.options("Ogre") if offer.option.id == action]
    steps = [step for raw in offered[0].legal for step in raw["path"]]
    assert steps
    assert all(0 <= x <= 2 and 0 <= y <= 1 for x, y, *_ in steps)
    spec.act("Ogre", action, path=[[2, 1]])
    assert spec["Ogre"].position == (2, 1, 0)


def test_a_large_summoned_unit_gets_spaces_on_the_map() -> None:
    bear = free_hit.unit("Bear", size=2, at=None)
    call = {"id": "call", "name": "Call", "mp_cost": 1, "range": 6, "summon": {"sheet": bear}}
    mag = free_hit.unit("Mag", at=[1, 1], max_mp=9, spells=[call])
    spec = Spec(installed()["free-hit"]).given(
        mag, free_hit.foe("Orc", at=[0, 0]), map={"width": 4, "height": 3}
    )
    spec.begin()
    with spec.raises(Impossible) as caught:
        spec.act("Mag", "cast", spell="call", spaces=[[3, 0]])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/spaces", "outside-map")
    offered = [offer for offer in spec.live.options("Mag") if offer.option.id == "cast"]
    assert [raw["spaces"] for raw in offered[0].legal] == [[[2, 0, 0]]]


def test_nobody_shoves_a_large_combatant_over_the_edge() -> None:
    ana = sovereign.hero("Ana", at=[1, 0])
    ogre = sovereign.npc("Ogre", at=[2, 0], space=2)
    spec = sovereign.fight(Spec(SOVEREIGN), ana, ogre, map=MAPS["sovereign"])
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "shove", target="Ogre", result="push", to=[3, 0])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/to", "outside-map")


def test_hallowed_earth_refuses_a_move_and_a_crawl_outside() -> None:
    ana = hallowed_earth.hero("Ana", at=[0, 0])
    spec = Spec(installed()["hallowed-earth"])
    spec.given(ana, SHEETS["hallowed-earth"][1], map=MAPS["hallowed-earth"])
    hallowed_earth.begun(spec, 1, 12, Ana="full-defense", Orc="full-defense")
    offered = [offer for offer in spec.live.options("Ana") if offer.option.id == "move"]
    squares = [square for raw in offered[0].legal for square in raw["path"]]
    assert squares
    assert all(x >= 0 and y >= 0 for x, y, _ in squares)
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "move", path=[[0, 1], [-1, 1]])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/path", "outside-map")
    assert caught[0].allowed == THERE
    spec.rule("set-condition", combatant="Ana", condition="prone")
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "crawl", direction=[-1, 0])
    assert (caught[0].pointer, caught[0].code) == ("/inputs/direction", "outside-map")
    spec.act("Ana", "crawl", direction=[1, 0])


def test_vile_darkness_refuses_a_declaration_and_positions_outside() -> None:
    spec = opened("vile-darkness")
    spec.begin().answer(None, "set")
    with spec.raises(Impossible) as caught:
        spec.answer(None, "set", at={"Ana": [0, 0], "Orc": [9, 9]})
    assert (caught[0].pointer, caught[0].code) == ("/inputs/at/Orc", "outside-map")
    spec.answer(None, "set")
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "charge", target="Orc", to=[4, 2])
    assert (caught[0].pointer, caught[0].rule) == ("/inputs/to", "VD-GRID-04")
    assert caught[0].allowed == THERE


def test_sovereign_casts_around_the_corners_of_its_map() -> None:
    blast = {"id": "blast", "name": "Blast", "damage": "1d6", "radius_ft": 5}
    ana = sovereign.hero("Ana", at=[0, 0], spells=[blast])
    spec = sovereign.fight(Spec(SOVEREIGN), ana, SHEETS["sovereign"][1], map=MAPS["sovereign"])
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "cast-spell", spell="blast", centre=[5, 0])
    assert (caught[0].pointer, caught[0].rule) == ("/inputs/centre", "SOV-GRID-06")
    assert caught[0].allowed == ("[0, 0] to [4, 3]",)
    spec.act("Ana", "cast-spell", ("damage", 4), spell="blast", centre=[4, 3])


def test_a_stored_square_outside_the_map_replays() -> None:
    spec = Spec(installed()["hallowed-earth"]).given(*SHEETS["hallowed-earth"])
    spec.rule("move", combatant="Ana", to=[9, 9])
    spec.do(SetMap(MAPS["hallowed-earth"])).reload()
    assert spec["Ana"].position == (9, 9, 0)
