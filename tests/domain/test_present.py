"""Test what a procedure knows about changes, their consequences and answers."""

from dataclasses import replace
from typing import Any

from domain.engine.caller import Caller
from domain.engine.commands import Reply
from domain.record.combat import DiceSettings, Id, StandingOrder
from domain.record.events import (
    Answered,
    Damaged,
    Downed,
    Healed,
    Noted,
    ProcedureBegan,
    Rolled,
    SeedCommitted,
    Term,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Prompt, choices
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
from tests.spec import Spec

ANNA = Caller("a", "player", ("ann",))


def fight(procedure: Any, **options: Any) -> Spec:
    """Return a fight with an action `try` that runs `procedure`."""
    action = Action("try", procedure=procedure, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "try": action})
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False, **options).begin()


def test_what_follows_from_several_events_follows_from_the_last_of_them() -> None:
    def blast(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Damaged("bob", "hp", 10), Damaged("cyd", "hp", 10)

    spec = fight(blast).act("ann", "try")
    events = [type(event) for event in spec.told()]
    assert events.index(Downed) > events.index(Damaged) + 1  # both are hurt first
    assert [downed.who for downed in spec.events(Downed)] == ["bob", "cyd"]


def test_events_of_which_none_is_left_are_no_event() -> None:
    """A combatant that has left gets no damage, no healing and no consequences."""

    def blast(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Damaged("bob", "hp", 3), Healed("bob", "hp", 1)
        yield Noted("boom")

    spec = fight(blast).leave("bob").act("ann", "try")
    assert spec.events(Damaged) == []
    assert spec.event(Noted).text == "boom"


def test_a_roll_adds_up_faces_constant_and_terms() -> None:
    def throw(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        terms = Term("strength", 4), Term("nothing", 0), Term("weariness", -1)
        yield from roll(who, "shout", "2d6+5", rules=(), terms=terms)

    rolled = fight(throw).act("ann", "try", ("shout", 6, 3)).rolled("shout")
    assert rolled.total == 17  # 6 + 3 + 5 + 4 − 1
    assert rolled.terms == (Term("strength", 4), Term("weariness", -1))
    assert (rolled.by, rolled.key, rolled.ordinal) == ("manual", "", 0)  # not a roll of the service


def test_a_procedure_is_known_by_the_version_at_which_it_began() -> None:
    spec = fight(None).act("ann", "plead")
    began = [
        recorded
        for recorded in spec.live.history.recorded
        if isinstance(recorded.event, ProcedureBegan)
    ]
    assert [recorded.version for recorded in began] == [
        getattr(recorded.event, "frame", 0) for recorded in began
    ]


def test_the_gm_is_asked_after_so_many_events_and_given_up_is_given_up() -> None:
    spec = fight(None).act("ann", "loop")
    assert len(spec.last) == 401  # 400 events, then the prompt
    spec.answer(None, "abandon")
    assert spec.events(Noted) == []
    assert spec.open() == []  # nothing begins before the GM allows it


def test_the_dice_in_use_stay_in_use() -> None:
    def throw(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from roll(who, "shout", "1d6", rules=())

    spec = fight(throw, dice=DiceSettings()).act("ann", "try")
    assert len(spec.events(Rolled)) == 1
    assert spec.events(SeedCommitted) == []


def test_a_procedure_knows_who_has_answered() -> None:
    def wonder(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        for _ in range(2):
            yield from ask(Prompt("choice", "well", who, "Well?", choices("so"), (), "so"))
            yield Noted(f"{play.by_gm}")

    spec = fight(wonder).act("ann", "try")
    for by, told in ((ANNA, "False"), (None, "True")):
        (prompt,) = spec.live.open_prompts()
        command = Reply(prompt, "so")
        spec.do(command) if by is None else spec.do(command, by=by)
        assert spec.event(Noted).text == told
    spec = fight(wonder).act("ann", "try").close()
    assert {noted.text for noted in spec.events(Noted)} == {"False"}  # a default has no author
    spec = fight(wonder).orders("ann", StandingOrder("well", "so")).act("ann", "try")
    assert {noted.text for noted in spec.events(Noted)} == {"False"}


def test_who_has_answered_and_leaves_is_not_answered_for_again() -> None:
    spec = Spec(TOY).given(ANN, BOB, CYD).begin().answer("ann", "hold").leave("ann")
    assert spec.events(Answered) == []
    assert [who for _, _, who in spec.open()] == ["ann", "bob", "cyd"]
