"""Test the limits of the engine, and small functions that every rulebook uses."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.commands import Note
from domain.errors import Malformed, Unfitting
from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, Noted, ProcedureAbandoned, RollForced, Stopped
from domain.record.pages import FEW
from domain.rulebook.action import Action
from domain.rulebook.effects import Pause, Procedure, lastly, roll, together, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import Follows
from domain.rulebook.sheets import no_square
from tests.domain.test_able import ANN, BOB, CYD, DAN
from tests.domain.toy import TOY
from tests.spec import Spec


def turns(spec: Spec, **options: Any) -> Spec:
    return spec.given(ANN, BOB, CYD, DAN, declare=False, **options).begin()


def test_consequences_without_end_are_given_up() -> None:
    """After 500 consequences without an end, the engine abandons the procedures.

    The GM then makes a ruling, or undoes the command.
    """
    wild = False

    def endless(combat: Combat, cause: AnyEvent | None, before: Combat | None) -> Iterator[Follows]:
        if wild:
            yield Noted("and so on")

    spec = turns(Spec(replace(TOY, consequences=endless)))
    spec.act("bob", "shout")
    lowest, above = spec.combat.frames
    wild = True
    decision = spec.live.decide(Note("now"), spec.context())
    told = [recorded.event for recorded in decision.recorded]
    assert told.count(Noted("and so on")) == 500
    (given_up,) = [
        recorded.event
        for recorded in decision.recorded
        if isinstance(recorded.event, ProcedureAbandoned)
    ]
    assert (given_up.frame, above.id > lowest.id) == (lowest.id, True)
    assert decision.live.combat.stalled is not None
    assert not decision.live.combat.frames


@pytest.mark.parametrize("faces", [[21], [4, 4], [0], [1001]])
def test_faces_that_the_dice_of_a_roll_never_have_are_not_set(faces: list[int]) -> None:
    spec = turns(Spec(TOY))
    with spec.raises(Malformed) as caught:
        spec.rule("force-roll", combatant="ann", purpose="attack", faces=faces)
    assert caught[0].pointer.startswith("/inputs/faces")
    spec.rule("force-roll", combatant="ann", purpose="attack", faces=[20])
    spec.rule("force-roll", combatant="ann", purpose="attack", faces=[])
    assert spec.combat.forced == ()


@pytest.mark.parametrize(("faces", "void"), [([7], True), ([3, 3], True), ([4], False)])
def test_set_faces_that_are_none_of_the_dice_that_come_are_void(
    faces: list[int], void: bool
) -> None:
    """If the GM sets faces, Affray checks them at the roll, because the weapon decides the dice."""
    spec = turns(Spec(TOY)).rule("force-roll", combatant="ann", purpose="damage", faces=faces)
    spec.act("ann", "strike", ("attack", 15), target="bob").answer("bob", "pass")
    assert (("roll", "damage", "ann") in spec.open()) is void
    told = [
        (roll_forced.purpose, roll_forced.faces, roll_forced.void)
        for roll_forced in spec.events(RollForced)
    ]
    assert told == ([("damage", tuple(faces), "1d6")] if void else [])
    assert spec.combat.forced == ()


def test_who_ends_a_fight_that_has_not_begun_names_the_winners() -> None:
    spec = Spec(TOY).given(ANN, BOB).end(winners=("foes",))
    assert (spec.combat.status, spec.combat.winners) == ("ended", ("foes",))
    assert Spec(TOY).given(ANN, BOB).end().combat.winners == ()


def test_winners_are_sides_of_the_combat() -> None:
    with pytest.raises(Unfitting) as refused:
        Spec(TOY).given(ANN, BOB).end(winners=("heros",))
    assert (refused.value.code, refused.value.allowed) == ("no-such-side", ("heroes", "foes"))


def test_the_order_is_as_the_gm_sets_it() -> None:
    spec = turns(Spec(TOY)).rule("set-order", order=["cyd", "bob"])
    assert [place.who for place in spec.combat.queue] == ["cyd", "bob"]
    assert [place.who for place in spec.combat.order] == ["ann", "bob", "cyd", "dan"]
    spec.rule("set-order", order=["dan", "ann"], lasting=True)
    assert [place.who for place in spec.combat.order] == ["dan", "ann"]


def test_twenty_marks_are_enough() -> None:
    spec = turns(Spec(TOY))
    for number in range(20):
        spec.rule("set-marker", combatant="ann", text=f"mark {number}")
    with spec.refused("", "too-many-markers"):
        spec.rule("set-marker", combatant="ann", text="one more")


def test_copies_are_numbered_from_two() -> None:
    spec = Spec(TOY).given(ANN, BOB, BOB, BOB)
    assert [(combatant.id, combatant.name) for combatant in spec.combat][1:] == [
        ("bob", "bob"), ("bob-2", "bob 2"), ("bob-3", "bob 3"),
    ]  # fmt: skip
    long = "x" * 64
    spec = Spec(TOY).given({**ANN, "name": long}, {**BOB, "name": long})
    assert [combatant.id for combatant in spec.combat] == [long, "x" * 58 + "-2"]


def test_a_place_that_is_on_no_map_is_pointed_at() -> None:
    nowhere: tuple[tuple[int, ...], ...] = ((1,), (1, 2, 3, 4), (0, 10_001))
    for at in nowhere:
        assert [malformed.pointer for malformed in no_square("/at", at)] == ["/at"]
    there: tuple[tuple[int, ...] | None, ...] = (None, (1, 2), (1, 2, 3), (0, -10_000))
    for place in there:
        assert not list(no_square("/at", place))


def test_what_all_of_a_batch_do_lastly_is_done_when_it_is_stopped() -> None:
    def strike(who: Id) -> Procedure[None]:
        yield Pause("ready")
        yield from roll(who, "attack", "1d20", rules=())

    def both(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        parts = [lastly(strike(name), lambda name=name: [Noted(name)]) for name in ("ann", "dan")]  # type: ignore[misc]
        yield from while_able(play, who, together(parts), "both")

    actions = {**TOY.actions, "both": Action("both", procedure=both, interjection=True)}
    spec = turns(Spec(replace(TOY, actions=actions))).act("ann", "both")
    spec.rule("damage", combatant="ann", amount=10)
    assert spec.event(Stopped).who == "ann"
    assert [noted.text for noted in spec.events(Noted)] == ["ann", "dan"]


def test_a_short_fight_leaves_nothing_to_the_log() -> None:
    spec = turns(Spec(TOY))
    assert spec.live.left_to_log() is spec.live
    for _ in range(2 * FEW):
        spec.do(Note("it rains"))
    assert spec.live.left_to_log() is spec.live
    assert spec.live.left_to_log(large=True).history.left > 0  # its events count as large
