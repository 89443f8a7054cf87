"""A fight of an older release continues, even if the rules have changed since."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from domain.engine.session import Session
from domain.record.combat import Id
from domain.record.events import AnyEvent, Damaged, Died, Downed, FactSet, Noted
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY, turn
from tests.spec import Spec


def of_then(event: AnyEvent) -> list[Session]:
    """Return a fight under the current rules, and the same fight under older rules.

    Under the older rules, a turn begins with a note. `event` replaces that note.
    """

    def older(play: Play, who: Id) -> Procedure[None]:
        yield Noted("it says so")
        yield from turn(play, who)

    then = replace(TOY, procedures={**TOY.procedures, "turn": older})
    spec = Spec(then).given(ANN, BOB, CYD, declare=False).begin()
    spec.leave("cyd").act("ann", "wait")
    recorded = [
        changed(recorded, event=event) if recorded.event == Noted("it says so") else recorded
        for recorded in spec.live.history.recorded
    ]
    return [Session(TOY, recorded), Session(then, recorded)]


@pytest.mark.parametrize(
    "event",
    [
        FactSet("bob", "no-fact-any-more", 1),
        Downed("bob"),
        Died("bob"),
        Damaged("cyd", "hp", 2),  # Cyd has left
        Noted("it says so"),  # a note changes no state
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_is_nobodys_doing_any_more_is_passed_over(event: AnyEvent) -> None:
    today, _ = of_then(event)
    assert list(today.open_prompts()) == ["bob:1"]


def test_a_note_in_other_words_is_the_same_note() -> None:
    def now(play: Play, who: Id) -> Procedure[None]:
        yield Noted("it says the same")
        yield from turn(play, who)

    _, then = of_then(Noted("it says so"))
    today = Session(replace(TOY, procedures={**TOY.procedures, "turn": now}), then.history.recorded)
    assert list(today.open_prompts()) == ["bob:1"]


@pytest.mark.parametrize(
    "event",
    [FactSet("bob", "snapped", True), Damaged("bob", "hp", 2)],
    ids=lambda event: type(event).__name__,
)
def test_what_is_something_else_is_not(event: AnyEvent) -> None:
    today, then = of_then(event)
    assert not today.open_prompts()  # the next command reports the change
    assert not then.open_prompts()
