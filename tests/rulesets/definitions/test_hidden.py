"""Test commands that a hidden combatant stops, such as a move into its square."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change, Command, Reply
from domain.errors import Illegal
from domain.record.events import Prevented
from tests.rulesets.definitions.test_swallow import swallowed, to_turn_of
from tests.rulesets.definitions.units import BITE, DAGGER, SWORD, at, fight, fighter, foe, left
from tests.spec import Spec, rule

ANNA = Caller("p1", "player", owner="anna")


def ambush(spec: Spec, lurker: list[int], *others: Mapping[str, Any], **ana: Any) -> Spec:
    """Begin with Lurker, a hidden foe at `lurker`. Ana's player does not see it."""
    return fight(
        spec,
        fighter("Ana", **{"owner": "anna", "weapons": [SWORD], **ana}),
        foe("Orc", at=[6, 0]),
        foe("Lurker", at=lurker),
        *others,
        hidden=("Lurker",),
    )


def plays(spec: Spec, command: Command, *dice: tuple[Any, ...]) -> Spec:
    return spec.do(command, *dice, by=ANNA)


def stop(spec: Spec) -> tuple[str, str]:
    prevented = spec.event(Prevented)
    return prevented.action, prevented.reason


@rule("DEF-CHG-04")
@pytest.mark.parametrize(("lurker", "then"), [([1, 0], (0, 0)), ([4, 0], (3, 0))])
def test_a_charge_ends_at_somebody_hidden(
    spec: Spec, lurker: list[int], then: tuple[int, int]
) -> None:
    ambush(spec, lurker)
    plays(spec, Act("Ana", "charge", {"target": "Orc", "to": [5, 0]}))
    assert stop(spec) == ("charge", "charge-blocked")
    assert at(spec, "Ana") == then
    assert (left(spec, "Ana")["standard"], left(spec, "Ana")["move"]) == (0, 0)


@rule("DEF-MOV-02", "DEF-FRE-05")
def test_a_five_foot_step_onto_somebody_hidden_is_spent(spec: Spec) -> None:
    """Ana's step into a hidden combatant is spent, although she does not move.

    Her sword stays drawn, because only a completed step sheathes it.
    """
    ambush(spec, [0, 1])
    plays(spec, Act("Ana", "five-foot-step", {"to": [0, 1], "stow": "sword"}))
    assert stop(spec) == ("five-foot-step", "square-occupied")
    assert (at(spec, "Ana"), left(spec, "Ana")["move"]) == ((0, 0), 0)
    assert "slots" not in spec["Ana"].facts


@rule("DEF-MOV-01", "DEF-SPC-02")
def test_a_first_step_onto_somebody_hidden_is_spent(spec: Spec) -> None:
    ambush(spec, [0, 1])
    plays(spec, Act("Ana", "move", {"path": [[0, 1], [0, 2]]}))
    assert stop(spec) == ("move", "square-hostile")
    assert (at(spec, "Ana"), left(spec, "Ana")["move"]) == ((0, 0), 0)


@rule("DEF-SPC-03")
def test_an_ally_who_is_asked_first_does_not_make_it_free(spec: Spec) -> None:
    ambush(spec, [0, 2], fighter("Bo", at=[0, 1]))
    plays(spec, Act("Ana", "move", {"path": [[0, 1], [0, 2], [0, 3]]}))
    spec.answer("Bo", "allow")
    assert stop(spec) == ("move", "square-hostile")
    assert (at(spec, "Ana"), left(spec, "Ana")["move"]) == ((0, 0), 0)


@rule("DEF-GRM-01")
def test_dragging_somebody_onto_the_hidden_costs_the_action(spec: Spec) -> None:
    ambush(spec, [-1, 0], foe("Imp", at=[0, 1]))
    spec.rule("set-condition", who="Imp", condition="grappled", data={"with": "Ana"})
    plays(
        spec, Act("Ana", "grapple-move", {"path": [[-1, 0]]}),
        ("opposed-grapple", 19), ("opposed-grapple", 2),
    )  # fmt: skip
    assert stop(spec) == ("grapple-move", "square-occupied")
    assert (at(spec, "Ana"), left(spec, "Ana")["standard"]) == ((0, 0), 0)


@rule("DEF-TRM-01")
@pytest.mark.parametrize("targets", [["Imp"], []])
def test_whoever_is_not_named_stops_a_trample(spec: Spec, targets: list[str]) -> None:
    imp = foe("Imp", at=[0, 3] if targets else [9, 9])
    ambush(spec, [0, 1], imp, weapons=[BITE])
    plays(spec, Act("Ana", "trample", {"path": [[0, y] for y in range(1, 6)], "targets": targets}))
    assert stop(spec) == ("trample", "square-hostile")
    assert (at(spec, "Ana"), left(spec, "Ana")["standard"]) == ((0, 0), 0)


@rule("DEF-CHG-04")
def test_the_gm_is_told_at_once(spec: Spec) -> None:
    ambush(spec, [4, 0])
    with spec.refused("DEF-CHG-04", "charge-blocked"):
        spec.act("Ana", "charge", target="Orc", to=[5, 0])


# ---- held by a hidden combatant


@rule("DEF-SWL-05")
def test_out_of_a_swallower_that_is_not_known(spec: Spec) -> None:
    swallowed(spec)
    spec.do(Change("Tim", owner="anna"))
    spec.do(Change("Maw", hidden=True))
    to_turn_of(spec, "Tim")
    offered = {offer.option.id for offer in spec.live.options("Tim", ANNA) if offer.legal}
    assert "cut-out" in offered
    plays(spec, Act("Tim", "cut-out", {}), ("attack", 15), ("damage", 8))
    assert spec.hp("Maw") == 56


@rule("DEF-SWL-05")
def test_nobody_cuts_itself_out_of_nothing(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], owner="anna"), foe("Orc", at=[9, 9]))
    spec.rule("set-condition", who="Ana", condition="swallowed")
    with spec.raises(Illegal) as caught:
        plays(spec, Act("Ana", "cut-out", {}))
    assert caught[0].code == "not-swallowed"


@rule("DEF-SWL-08")
def test_out_of_a_dead_swallower_that_is_not_known(spec: Spec) -> None:
    swallowed(spec)
    spec.do(Change("Tim", owner="anna"))
    spec.do(Change("Maw", hidden=True))
    spec.rule("set-track", who="Maw", track="hp", value=0)
    to_turn_of(spec, "Tim")
    plays(spec, Act("Tim", "retrieve-swallowed", {"target": "Tim"}))
    spec.answer("Tim", "out")
    assert not spec["Tim"].has("swallowed")


@rule("DEF-SWL-08", "DEF-SWL-05")
def test_the_squares_to_come_out_into_do_not_tell_who_is_hidden(spec: Spec) -> None:
    """The prompt also lists the square of a hidden combatant.

    If Tim chooses that square, he comes out on another square.
    """
    swallowed(spec)
    spec.do(Change("Tim", owner="anna"))
    spec.join(("initiative", 1), **foe("Spy", at=[3, 0]), hidden=True)
    spec.rule("retrieve", who="Tim")
    assert [3, 0, 0] in spec.prompt("Tim").data["squares"]
    (id,) = spec.live.open_prompts()
    plays(spec, Reply(id, "out", {"to": [3, 0]}))
    assert at(spec, "Tim") == (-1, -1)


@rule("DEF-GRP-11")
def test_out_of_a_grapple_with_somebody_who_is_not_known(spec: Spec) -> None:
    fight(spec, foe("Orc"), fighter("Ana", owner="anna", weapons=[DAGGER]))
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    spec.do(Change("Orc", hidden=True))
    spec.act("Orc", "end-turn")
    (id,) = spec.live.open_prompts()
    assert spec.prompt("Ana").name == "grapple-escape"
    plays(spec, Reply(id, "grapple", {}), ("opposed-grapple", 19), ("opposed-grapple", 2))
    assert not spec["Ana"].has("grappled")
