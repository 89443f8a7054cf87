"""A late answer gets the reason why its prompt closed."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Note, Reply
from domain.errors import Closed, Unknown
from domain.record.combat import StandingOrder
from domain.record.events import ProcedureEnded
from domain.record.history import History
from domain.record.recorded import Recorded
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
from tests.spec import Spec

ANNA = Caller("a", "player", ("ann",))
NOW = "2026-01-01T00:00:00Z"


def fight(**options: Any) -> Spec:
    return Spec(TOY).given(ANN, BOB, CYD, declare=False, **options).begin()


def told(spec: Spec, prompt: str) -> Closed:
    with spec.raises(Closed) as caught:
        spec.do(Reply(prompt, "pass"))
    return caught[0]


@pytest.mark.parametrize(("by_gm", "hand"), [(True, "the GM"), (False, "its player")])
def test_it_was_answered(by_gm: bool, hand: str) -> None:
    spec = fight()
    spec.act("ann", "wait") if by_gm else spec.do(Act("ann", "wait"), by=ANNA)
    late = told(spec, "ann:1")
    assert (late.how, late.option, late.at) == ("answered", "wait", NOW)
    assert late.by == ("gm" if by_gm else "player")
    assert late.detail == f"it was answered already: wait ({hand})"


def test_by_which_hand_it_was_answered() -> None:
    spec = fight().orders("bob", StandingOrder("parry", "pass"))
    spec.act("ann", "strike", ("attack", 10), target="bob")
    late = told(spec, "bob:1")
    assert (late.how, late.option, late.by, late.at) == ("standing-order", "pass", "", NOW)
    assert "(a standing order)" in late.detail
    spec = fight().close()
    late = told(spec, "ann:1")
    assert (late.how, late.option) == ("closed", "end-turn")
    assert "(its default: the GM closed it)" in late.detail


def test_another_answer_closed_it() -> None:
    spec = fight(speak=True).answer("cyd", "speak")
    late = told(spec, "ann:1")
    assert (late.how, late.option, late.at) == ("overtaken", "", NOW)
    assert told(spec, "cyd:1").how == "answered"


def test_what_it_belonged_to_was_stopped() -> None:
    spec = fight().act("ann", "strike", target="bob")
    (roll,) = spec.live.open_prompts()
    spec.rule("set-condition", combatant="ann", condition="dazed")
    late = told(spec, roll)
    assert (late.how, late.because, late.at) == ("stopped", "unable", NOW)
    assert late.detail == (
        "the question is closed, because ann could not finish “strike”: ann can't go on"
    )
    assert told(spec, "ann:1").how == "answered"  # the prompt of Ann's turn


def test_it_was_undone() -> None:
    spec = fight().act("ann", "strike", ("attack", 10), target="bob")
    (parry,) = spec.live.open_prompts()
    assert told(spec.undo(), parry).how == "undone"


def test_what_it_belonged_to_has_ended() -> None:
    spec = fight().act("ann", "strike", target="bob").end()
    late = told(spec, "ann:2")
    assert (late.how, late.option) == ("ended", "")
    assert told(spec, "ann:1").how == "answered"


def test_what_was_never_asked_or_is_not_ones_own_is_unknown() -> None:
    spec = fight().act("ann", "wait").act("bob", "wait")
    for prompt, by in ("ann:9", ANNA), ("bob:1", ANNA):
        with spec.raises(Unknown):
            spec.do(Reply(prompt, "pass"), by=by)


def test_no_more_is_read_than_up_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for the reason stops at the procedure's end, because a fight may be long."""
    spec = fight().act("ann", "strike", target="bob").end()
    ended = next(
        recorded.version for recorded in spec.last if isinstance(recorded.event, ProcedureEnded)
    )
    spec.do(Note("and so it was")).do(Note("for ever"))
    read: list[int] = []

    def following(history: History, version: int) -> Iterator[Recorded]:
        for recorded in every(history, version):
            read.append(recorded.version)
            yield recorded

    every = History.following
    monkeypatch.setattr(History, "following", following)
    assert told(spec, "ann:2").how == "ended"
    assert read[-1] == ended < spec.live.version
