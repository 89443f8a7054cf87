"""Test events during a walk (DEF-MOV, DEF-SPC-02, -04, DEF-AOO-06)."""

from domain.record.events import Moved, Prevented
from tests.rulesets.definitions.units import SWORD, at, fight, fighter, foe
from tests.spec import Spec, rule


def asked(spec: Spec) -> bool:
    """Return true if the Orc has a prompt for an attack of opportunity."""
    return ("reaction", "reaction", "Orc") in spec.open()


@rule("DEF-AOO-06", "DEF-SIZ-01")
def test_one_threatened_square_of_those_that_are_left_is_enough(spec: Spec) -> None:
    large = fighter("Ana", size="large")  # [0, 0] to [1, 1]
    # The Orc threatens [1, 0] and not [1, 1].
    fight(spec, large, foe("Orc", at=[2, -1], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0]])
    assert asked(spec)


@rule("DEF-AOO-06", "DEF-SIZ-01")
def test_squares_that_the_mover_keeps_are_not_left(spec: Spec) -> None:
    large = fighter("Ana", size="large")
    # The Orc threatens only [0, 0], which Ana still fills after the step.
    fight(spec, large, foe("Orc", at=[-1, -1], weapons=[SWORD]))
    spec.act("Ana", "move", path=[[0, -1]])
    assert at(spec, "Ana") == (0, -1)


@rule("DEF-MOV-01")
def test_whoever_was_taken_elsewhere_does_not_walk_on(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    assert asked(spec)
    spec.rule("move", combatant="Ana", to=[5, 5])
    if asked(spec):
        spec.answer("Orc", "pass")
    assert at(spec, "Ana") == (5, 5)


@rule("DEF-SPC-02")
def test_a_foe_who_has_come_into_the_way_stops_a_walk(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Gob", at=[9, 9]))
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.rule("move", combatant="Gob", to=[-1, 0])
    spec.answer("Orc", "pass")
    stopped = spec.event(Prevented)
    assert (stopped.who, stopped.reason, stopped.rules) == (
        "Ana",
        "square-hostile",
        ("DEF-SPC-02",),
    )
    assert at(spec, "Ana") == (0, 0)


@rule("DEF-SPC-04")
def test_a_friend_who_has_come_to_its_end_stops_a_walk(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), fighter("Bo", at=[9, 9], nld=20))
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.rule("move", combatant="Bo", to=[-1, 0])
    spec.answer("Orc", "pass")
    stopped = spec.event(Prevented)
    assert (stopped.reason, stopped.rules) == ("square-occupied", ("DEF-SPC-04",))
    assert at(spec, "Ana") == (0, 0)


@rule("DEF-SPC-02")
def test_whoever_has_to_stop_where_a_friend_lies_is_back_where_there_was_room(spec: Spec) -> None:
    fight(
        spec, fighter("Ana"), foe("Orc", at=[0, 1], weapons=[SWORD]),
        fighter("Bo", at=[-1, 0], nld=20), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "move", path=[[-1, 0], [-2, 0]])
    spec.answer("Orc", "pass")  # leaving [0, 0]
    assert asked(spec)  # leaving [-1, 0]
    spec.rule("move", combatant="Gob", to=[-2, 0])
    spec.answer("Orc", "pass")
    assert spec.event(Prevented).reason == "square-occupied"
    assert at(spec, "Ana") == (0, 0)
    assert spec.events(Moved, who="Ana")[-1].forced


@rule("DEF-MOV-02", "DEF-FRE-05")
def test_only_weapons_are_sheathed_within_a_step(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", at=[9, 9]))
    with spec.refused("DEF-FRE-05", "no-such-item"):
        spec.act("Ana", "five-foot-step", to=[1, 0], stow="rope")
