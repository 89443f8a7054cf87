"""Test that the sentence of an undo, goto or amendment names its commands."""

from domain.engine.amendment import (
    Amendment,
    AnyChange,
    DropCommand,
    InsertCommand,
    ReplaceCommand,
    SetAnswer,
    SetFaces,
)
from domain.engine.commands import Act, Goto, RevealSeed
from domain.engine.commands import GmRuling as Ruling
from domain.engine.session import Session
from domain.record.events import Amended, Reverted, Rolled
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.returns import returned
from tests.domain.amending import walk_of
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import GM, Spec


def sentences(live: Session, kind: type) -> list[str]:
    """Return the GM's sentences of all events of a type."""
    eyes = Eyes(live.history, GM)
    teller = Teller(live, eyes)
    return [
        teller.line(teller.informed(event_view(live, eyes, recorded))).text
        for recorded in live.history.recorded
        if isinstance(recorded.event, kind)
    ]


def shouted() -> tuple[Spec, int]:
    """Return a fight in which Ann has shouted and Bob has waited, with the shout's version."""
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "shout", ("shout", 1))
    at = spec.last[0].version
    return spec.act("bob", "wait"), at


def changed(*changes: AnyChange) -> str:
    """Apply `changes` to the shout or its roll, and return the sentence of the amendment."""
    spec, at = shouted()
    roll = next(r.version for r in spec.live.history.path if isinstance(r.event, Rolled))
    placed = [
        SetFaces(roll, change.faces) if isinstance(change, SetFaces) else
        type(change)(**{**{f: getattr(change, f) for f in change.__struct_fields__}, "at": at})
        for change in changes
    ]  # fmt: skip
    walk = walk_of(
        spec.live, Amendment(tuple(placed), prompts="default", impossible="skip"), stores=True
    )
    list(walk)
    (told,) = sentences(walk.live, Amended)
    (past,) = sentences(walk.live, Reverted)
    assert past in (
        "The GM changes the past from “ann shouts.” on.",
        "The GM changes the past from “ann rolls 1 on 1d4 (shout).” on.",  # a separate command
    )
    return told


def test_an_amendment_says_what_was_changed() -> None:
    damage = Ruling("damage", {"combatant": "bob", "amount": 2})
    assert changed(DropCommand(0)) == "The GM leaves out “ann shouts.”"
    assert changed(SetAnswer(0, "wait")) == "The GM changes “ann shouts.” to “ann waits.”"
    replaced = changed(ReplaceCommand(0, Act("ann", "wait")))
    assert replaced == "The GM changes “ann shouts.” to “ann waits.”"
    told = changed(SetFaces(0, (4,)))
    assert told.startswith("The GM changes “ann rolls shout: 1 (1d"), told
    assert "to “ann rolls shout: 4 (1d" in told
    added = changed(InsertCommand(0, damage))
    assert added == "The GM adds “The GM rules on bob: damage (2).” before “ann shouts.”"


def test_a_goto_back_says_what_it_takes_back() -> None:
    spec, at = shouted()
    ahead = spec.live.history.head
    spec.do(Goto(at - 1, "slipped"))
    assert sentences(spec.live, Reverted) == [
        "The GM takes back “ann shouts.” and 2 more: slipped."
    ]
    spec.act("ann", "wait").do(Goto(ahead))
    assert sentences(spec.live, Reverted)[-1] == "The GM goes to the moment after “bob waits.”"


def test_what_came_with_a_step_back_is_not_counted() -> None:
    """The sentence counts Ann's shout, her die and Bob's wait, but not an earlier undo."""
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "shout", ("shout", 1))
    spec.do(RevealSeed()).undo().act("bob", "wait").undo("round")
    assert spec.open() == [("turn", "turn", "ann")]
    eyes = Eyes(spec.live.history, GM)
    told = returned(spec.live, eyes, spec.last[0].version, Teller(spec.live, eyes).told)
    assert told == "“ann shouts.” and 2 more"
