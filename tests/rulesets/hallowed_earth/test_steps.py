"""Test that the fight continues after joins, deletions and rulings in each step."""

from collections.abc import Callable

import pytest

from domain.engine.commands import Close, Reply
from domain.record.combat import DiceSettings
from service.conformance.walker import hold
from tests.rulesets.hallowed_earth.units import CLUB, attack, declare, hero, monster, weapon
from tests.spec import Spec, rule

BOW = weapon("bow", "1d6", kind="ranged", range_ft=100)
PIKE = weapon("pike", "1d8", reach_ft=10)


def opened(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[BOW], max_stress=9),
        hero("Bo", at=[0, 1], weapons=[PIKE], injuries=[{"name": "Crushed Windpipe"}]),
        monster("Orc", at=[4, 0], weapons=[CLUB], max_stress=9),
        dice=DiceSettings("manual", "manual"),
    )


def surprise(spec: Spec) -> None:
    opened(spec)
    spec.begin()


def dice(spec: Spec) -> None:
    surprise(spec)
    spec.answer(None, "as-given", ("initiative", 5))


def declaring(spec: Spec) -> None:
    dice(spec)
    spec.answer("Bo", "roll", ("initiative", 5), faces=[5])
    spec.act("Ana", "attack", weapon="bow")


def slot(spec: Spec) -> None:
    """Begin with all three combatants at initiative 5. Ana has settled her action."""
    declaring(spec)
    declare(spec, Bo="no-action", Orc=attack("club"))
    spec.act("Ana", "attack", target="Orc")


def reposte(spec: Spec) -> None:
    slot(spec)
    spec.act("Orc", "move", path=[[3, 0], [2, 0]])
    assert spec.open() == [("reaction", "reposte", "Bo")]


def blow(spec: Spec) -> None:
    slot(spec)
    spec.act("Bo", "end-turn").act("Orc", "move", path=[[3, 0], [2, 0], [1, 0]])
    spec.answer("Bo", "pass").act("Orc", "attack", target="Ana")


def leftover(spec: Spec) -> None:
    slot(spec)
    spec.act("Bo", "end-turn").act("Orc", "end-turn")


def end_of_round(spec: Spec) -> None:
    slot(spec)
    spec.rule("next-round")
    assert spec.open() == [("ruling", "suffocation", None)]


def morale(spec: Spec) -> None:
    end_of_round(spec)
    spec.answer(None, "nothing")
    assert spec.open() == [("ruling", "morale-obvious", None)]


def morale_die(spec: Spec) -> None:
    morale(spec)
    spec.answer(None, "none")


STEPS: list[Callable[[Spec], None]] = [
    opened, surprise, dice, declaring, slot, reposte, blow, leftover, end_of_round, morale,
    morale_die,
]  # fmt: skip

MEDDLING: list[Callable[[Spec], object]] = [
    lambda spec: spec.join(**monster("rat", at=[1, 1], hit_dice=["1d6"])),
    lambda spec: spec.join(**monster("rat", surprised=True)),
    lambda spec: spec.join(**monster("rat", wound_points=-20)),
    lambda spec: spec.leave("Ana"),
    lambda spec: spec.leave("Bo"),
    lambda spec: spec.leave("Orc"),
    lambda spec: spec.rule("damage", who="Ana", amount=30, to="wound-points"),
    lambda spec: spec.rule("set-track", who="Orc", track="wound_points", value=0),
    lambda spec: spec.rule("set-track", who="Bo", track="wound_points", value=-10),
    lambda spec: spec.rule("injury", who="Ana", name="Broken Neck"),
    lambda spec: spec.rule("condition", who="Orc", add="surprised"),
]


@pytest.mark.sampled(40)
@pytest.mark.parametrize("meddle", MEDDLING)
@pytest.mark.parametrize("step", STEPS)
def test_the_fight_goes_on(
    spec: Spec, step: Callable[[Spec], None], meddle: Callable[[Spec], object]
) -> None:
    step(spec)
    meddle(spec)
    hold(spec.live)
    spec.undo().redo()
    meddled = spec.combat.round
    for _ in range(80):
        if spec.combat.status == "ended" or spec.combat.round > meddled + 1:
            return
        assert spec.combat.stalled is None
        go_on(spec)
        hold(spec.live)
    raise AssertionError(f"it does not go on: {spec.open()}")


def go_on(spec: Spec) -> None:
    """Answer one roll, or take every default. If nothing is open, begin the combat."""
    prompts = spec.live.open_prompts()
    if not prompts:
        spec.begin()
        return
    for id, prompt in prompts.items():
        if prompt.kind == "roll":
            spec.do(Reply(id, None, {"faces": [2] * len(prompt.data["dice"])}))
            return
    spec.do(Close())


@rule("HE-DECL-01", "HE-TIE-01")
def test_the_catalogue_lists_what_is_declared_and_what_is_done(spec: Spec) -> None:
    listed = {question.name: question.actions for question in spec.ruleset.catalogue.questions}
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    spec.begin(("initiative", 1), ("initiative", 12))
    declared = spec.prompt("Ana").options
    assert tuple(option.id for option in declared) == listed["declare"]
    spec.act("Ana", "no-action").act("Orc", "no-action")
    assert tuple(option.id for option in spec.prompt("Ana").options) == listed["turn"]
