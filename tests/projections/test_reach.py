"""Test reachable squares, their costs and reactions, and the candidates of fields."""

from math import sqrt
from typing import Any

from domain.engine.caller import Caller
from domain.engine.commands import Change
from domain.engine.options import Reach, reach
from domain.rulebook.play import Play
from domain.rulebook.reachability import ways
from domain.rulesets.definitions import RULESET as DEFINITIONS
from domain.rulesets.free_hit import RULESET as FREE_HIT
from domain.rulesets.hallowed_earth import RULESET as HALLOWED_EARTH
from domain.rulesets.sovereign import RULESET as SOVEREIGN
from domain.rulesets.vile_darkness import RULESET as VILE_DARKNESS
from projections.eyes import Eyes
from projections.offers import OfferView, offers
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import GM, Spec


def reached(spec: Spec, action: str) -> Reach:
    play = Play(spec.ruleset, spec.combat)
    squares = reach(play, "Ana", spec.ruleset.actions[action], play)
    assert squares is not None
    return squares


def by_square(reach: Reach) -> dict[tuple[int, ...], tuple[float, tuple[str, ...]]]:
    return {
        reached.path[-1][:2]: (reached.cost, tuple(reached.provokes)) for reached in reach.squares
    }


def test_free_hit_counts_spaces_and_zones_left() -> None:
    ana = free_hit.unit("Ana", agility=2, speed=2, at=[0, 0])
    imp = free_hit.foe("Imp", at=[1, 0], weapons=[free_hit.SWORD])
    spec = Spec(FREE_HIT).given(ana, imp).begin()
    reach = reached(spec, "move")
    assert (reach.ways.limit, reach.ways.unit, reach.more) == (2, "spaces", False)
    squares = by_square(reach)
    assert len(squares) == 23  # 5 × 5 without hers and the Imp's
    assert sum(cost == 1 for cost, _ in squares.values()) == 7
    assert squares[-1, 0] == (1, ("Imp",))  # out of its zone
    assert squares[0, 1] == (1, ())  # still next to it
    assert squares[2, 0] == (2, ())  # around it, inside its zone


def test_sovereign_counts_rough_ground_corners_and_reach() -> None:
    ana = sovereign.hero("Ana", movement_ft=5, at=[0, 1])
    orc = sovereign.npc("Orc", at=[0, 0], weapons=[sovereign.SWORD])
    spec = sovereign.fight(Spec(SOVEREIGN), ana, orc, map={"difficult": [[1, 1]]})
    # no path passes the Orc's corners, and the rough square costs 10 ft
    assert by_square(reached(spec, "run")) == {
        (-1, 1): (5, ()),
        (-1, 2): (5, ("Orc",)),
        (0, 2): (5, ("Orc",)),
        (1, 2): (5, ("Orc",)),
    }


def test_definitions_counts_feet_and_threatened_squares_left() -> None:
    ana = definitions.fighter("Ana", movement_ft=5)
    bo = definitions.foe("Bo", weapons=[definitions.SWORD])
    spec = Spec(DEFINITIONS)
    spec.given(ana, bo, map={"blocked": [[0, 1]]}, death_roll="all-equal", rulings="default")
    spec.begin(("initiative", 20), ("initiative", 10))
    squares = by_square(reached(spec, "move"))
    assert set(squares) == {(-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (1, 1)}
    assert set(squares.values()) == {(5, ("Bo",))}


def test_hallowed_earth_counts_what_is_left_and_ranges_entered() -> None:
    ana = hallowed_earth.hero("Ana", speed_ft=10, at=[0, 0], weapons=[hallowed_earth.SWORD])
    ogre = hallowed_earth.monster("Ogre", at=[3, 0], weapons=[hallowed_earth.SWORD])
    spec = Spec(HALLOWED_EARTH).given(ana, ogre, rulings="default")
    sword = hallowed_earth.attack("sword")
    hallowed_earth.begin(spec, 1, 9, Ana=sword, Ogre=sword)
    squares = by_square(reached(spec, "move"))
    assert len(squares) == 24
    near = {at for at, (_, provokes) in squares.items() if provokes}
    assert near == {(2, -1), (2, 0), (2, 1)}
    spec.act("Ana", "move", path=[[-1, 0]])
    assert reached(spec, "move").ways.limit == 5
    assert len(reached(spec, "move").squares) == 8


def test_vile_darkness_goes_in_straight_lines_around_opponents() -> None:
    ana = vile_darkness.hero("Ana", at=[0, 0], movement={"walk": {"rate": 15}})
    orc = vile_darkness.foe("Orc", at=[1, 0])
    spec = Spec(VILE_DARKNESS).given(ana, orc)
    how = VILE_DARKNESS.actions["move"].ways
    assert how is not None
    squares = how(Play(VILE_DARKNESS, spec.combat), "Ana")
    assert squares is not None
    found_ways = {way.path[-1][:2]: way for way in ways(squares)}
    cost = {at: (round(way.cost, 3), len(way.path)) for at, way in found_ways.items()}
    assert cost[-2, 1] == (round(5 * sqrt(5), 3), 1)  # straight, not 5 + 5√2
    assert cost[2, 0] == (round(10 * sqrt(2), 3), 2)  # through [1, ±1]
    assert (1, 0) not in cost
    assert (-3, 0) in cost
    assert (-3, 1) not in cost  # 5√10 > 15


def offer(spec: Spec, id: str, caller: Caller = GM, **more: Any) -> OfferView:
    offered = offers(spec.live, Eyes(spec.live.history, caller), "Ana", **more)
    return next(offer for offer in offered.options if offer.id == id)


def test_reach_is_told_when_it_is_asked_for() -> None:
    ana = free_hit.unit("Ana", agility=2, speed=1, at=[0, 0], owner="anna")
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp", at=[3, 0])).begin()
    assert offer(spec, "move").reach is None
    reach_view = offer(spec, "move", reach=True).reach
    assert reach_view is not None
    assert len(reach_view.squares) == 8
    assert reach_view.squares[0].to == reach_view.squares[0].path[-1]
    assert offer(spec, "attack", reach=True, refused=True).reach is None


def test_the_hidden_bar_no_square() -> None:
    ana = free_hit.unit("Ana", agility=2, speed=1, at=[0, 0], owner="anna")
    lurker = free_hit.foe("Lurker", at=[1, 0], weapons=[free_hit.SWORD])
    bat = free_hit.foe("Bat", at=[9, 9])
    spec = Spec(FREE_HIT).given(ana, lurker, bat, hidden=("Lurker",)).begin()
    player = Caller("p", "player", owner="anna")
    reach_view = offer(spec, "move", player, reach=True).reach
    assert reach_view is not None
    assert len(reach_view.squares) == 8
    assert not any(reached_view.provokes for reached_view in reach_view.squares)
    whole = offer(spec, "move", reach=True).reach
    assert whole is not None
    assert len(whole.squares) == 7


def test_nobody_reacts_to_a_hidden_mover() -> None:
    """Ana's neighbour does not know of her, so nothing provokes it (HE-REP-02)."""
    ana = hallowed_earth.hero("Ana", speed_ft=10, at=[0, 0], weapons=[hallowed_earth.SWORD])
    ogre = hallowed_earth.monster("Ogre", at=[3, 0], weapons=[hallowed_earth.SWORD])
    spec = Spec(HALLOWED_EARTH).given(ana, ogre, rulings="default")
    sword = hallowed_earth.attack("sword")
    hallowed_earth.begin(spec, 1, 9, Ana=sword, Ogre=sword)
    assert provoked(spec) == {"Ogre"}
    spec.do(Change("Ana", hidden=True))
    assert provoked(spec) == set()
    player = free_hit.unit("Ana", agility=2, speed=2, at=[0, 0])
    imp = free_hit.foe("Imp", at=[1, 0], weapons=[free_hit.SWORD])
    spec = Spec(FREE_HIT).given(player, imp).begin()
    assert provoked(spec) == {"Imp"}
    spec.do(Change("Ana", hidden=True))
    assert provoked(spec) == set()


def provoked(spec: Spec) -> set[str]:
    """Return all combatants that may react to a move of Ana's."""
    return {who for _, others in by_square(reached(spec, "move")).values() for who in others}


def test_a_field_s_candidates_are_all_that_is_legal_and_not_the_sample_s() -> None:
    weapons = [free_hit.weapon(f"w{number}", "1d6") for number in range(6)]
    foes = [free_hit.foe(f"F{number}", at=[1, number % 3 - 1]) for number in range(3)]
    ana = free_hit.unit("Ana", agility=2, at=[0, 0], weapons=weapons)
    spec = Spec(FREE_HIT).given(ana, *foes).begin()
    offered = offer(spec, "attack")
    assert len(offered.examples) == 24
    assert set(offered.candidates["target"]) == {"F0", "F1", "F2"}
    assert set(offered.candidates["weapon"]) == {weapon["id"] for weapon in weapons}


def test_a_path_that_only_another_action_can_pay_has_its_payment() -> None:
    """After the Move, the Main may pay for a run (SOV-ACT-04)."""
    spec = sovereign.fight(Spec(SOVEREIGN), sovereign.hero("Ana"), sovereign.npc("Orc", at=[9, 0]))
    run = offer(spec, "run", reach=True)
    assert run.cost == "Move"
    assert run.reach is not None
    assert run.reach.inputs == {}
    spec.act("Ana", "run", path=[[0, 1]])
    run = offer(spec, "run", reach=True)
    assert run.cost == "Main"
    assert run.reach is not None
    assert run.reach.inputs == {"pay": "main"}
    path = run.reach.squares[0].path
    spec.act("Ana", "run", path=[list(square) for square in path], **run.reach.inputs)
    assert spec["Ana"].budget["main"] == 0
