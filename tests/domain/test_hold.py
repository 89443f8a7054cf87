"""The walker's checks notice a broken invariant."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.engine.commands import Note
from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, Noted
from domain.rulebook.ruleset import Follows, Ruleset
from service.conformance.walker import hold, unbroken
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY, unable
from tests.spec import Spec


def fight(rulebook: Ruleset = TOY) -> Spec:
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False).begin()


def owes(combat: Combat) -> Combat:
    ann = changed(combat["ann"], budget={"main": -1})
    return changed(combat, combatants={**combat.combatants, "ann": ann})


def has_nobody_to_go_on(combat: Combat) -> Combat:
    return changed(combat, frames=(), prompts={})


def is_over_and_asks(combat: Combat) -> Combat:
    return changed(combat, status="ended")


@pytest.mark.parametrize("wrong", [owes, has_nobody_to_go_on, is_over_and_asks])
def test_a_state_that_cannot_be(wrong: Callable[[Combat], Combat]) -> None:
    spec = fight()
    hold(spec.live)
    spec.live.aggregate = changed(spec.live.aggregate, combat=wrong(spec.combat))
    with pytest.raises(AssertionError):
        hold(spec.live)


class Later:
    """Rules that change when a test sets `has_come`."""

    def __init__(self) -> None:
        self.has_come = False

    def consequences(
        self, combat: Combat, cause: AnyEvent | None, before: Combat | None
    ) -> Iterator[Follows]:
        if self.has_come:
            yield Noted("there is always more")

    def unable(self, combat: Combat, who: Id) -> Illegal | None:
        return Illegal("", "later", "not now") if self.has_come else unable(combat, who)


@pytest.mark.parametrize("word", ["consequences", "unable"])
def test_what_is_left_to_do_or_goes_on_without_leave(word: str) -> None:
    later = Later()
    words: dict[str, Any] = {word: getattr(later, word)}
    spec = fight(replace(TOY, **words)).act("ann", "strike", target="bob")
    hold(spec.live)
    later.has_come = True
    spec.live.aggregate = changed(
        spec.live.aggregate, combat=changed(spec.combat, combatants={**spec.combat.combatants})
    )
    with pytest.raises(AssertionError):
        hold(spec.live)


def test_a_procedure_that_is_given_up_by_nobodys_word() -> None:
    later = Later()
    spec = fight(replace(TOY, consequences=later.consequences))
    unbroken(spec)
    later.has_come = True
    spec.do(Note("now"))
    with pytest.raises(AssertionError, match="did not come to an end"):
        unbroken(spec)


def test_what_the_gm_gives_up_is_given_up() -> None:
    spec = fight().act("ann", "loop").answer(None, "abandon")
    assert spec.combat.stalled is not None
    unbroken(spec)
    hold(spec.live)
