"""Test how Affray compares recorded facts with what the current rules expect."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from msgspec.structs import replace

from domain.engine.session import Session
from domain.engine.sources import same
from domain.record.combat import Until
from domain.record.events import (
    Answered,
    AnyEvent,
    ConditionGained,
    FactSet,
    Moved,
    Noted,
    Prevented,
    Prompted,
    Rolled,
    Stopped,
)
from tests.domain.test_able import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec

ASKED = Prompted("ann:1", "turn", "turn", "ann", "Well?", ("so",), "so", {"at": 1}, ("ann:1",))
STOPPED = Stopped("ann", "strike", "unable", "ann can't go on", ("ann:1",))
GAINED = ConditionGained("bob", "web", "web#1", {"dc": 12}, (Until("round-end"),), "ann")
ROLLED = Rolled("ann", "attack", "1d20", (12,), 14, target=13, outcome="hit", key="7", ordinal=1)
NOTED = Noted("ann shouts")
PREVENTED = Prevented("ann", "strike", {"target": "bob"}, "too-far", "Ann is too far from Bob")

KINDS: Sequence[AnyEvent] = ASKED, STOPPED, GAINED, ROLLED, NOTED, PREVENTED

ALIKE: Sequence[tuple[AnyEvent, AnyEvent]] = (
    (ASKED, replace(ASKED, prompt="ann:2", group=("ann:2", "bob:2"))),
    (ASKED, replace(ASKED, text="What now?", options=("so", "thus"), until="2026-01-01T00:00:00Z")),
    (ASKED, replace(ASKED, options=("so", "thus"), default="thus")),
    (STOPPED, replace(STOPPED, detail="ann is dazed", closes=())),
    (GAINED, replace(GAINED, key="")),
    (PREVENTED, replace(PREVENTED, detail="somebody's name was erased")),
    (ROLLED, replace(ROLLED, outcome="solid hit")),
    (NOTED, replace(NOTED, text="ann cries")),
    (NOTED, replace(NOTED, rules=("TOY-05",))),
    (FactSet("ann", "path", [[1, 0]]), FactSet("ann", "path", ((1, 0),))),  # the same JSON
)

UNLIKE: Sequence[tuple[AnyEvent, AnyEvent]] = (
    (ASKED, replace(ASKED, who="bob")),
    (ASKED, replace(ASKED, default=None)),
    (ASKED, replace(ASKED, data={"at": 2})),
    (ASKED, replace(ASKED, sealed=True)),
    (STOPPED, replace(STOPPED, reason="down")),
    (STOPPED, replace(STOPPED, who="bob")),
    (GAINED, replace(GAINED, key="web#2")),
    (GAINED, replace(GAINED, source="cyd")),
    (ROLLED, replace(ROLLED, total=15)),
    (ROLLED, replace(ROLLED, target=15)),
    (NOTED, replace(NOTED, who="ann")),
    (Moved("ann", ((1, 0, 0),)), Moved("ann", ((0, 1, 0),))),
    *permutations(KINDS, 2),
)


@pytest.mark.parametrize(("recorded", "today"), ALIKE)
def test_words_and_what_the_engine_fills_in_make_no_difference(
    recorded: AnyEvent, today: AnyEvent
) -> None:
    assert same(recorded, today)


@pytest.mark.parametrize(("recorded", "today"), UNLIKE)
def test_what_is_so_makes_one(recorded: AnyEvent, today: AnyEvent) -> None:
    assert not same(recorded, today)


@pytest.mark.parametrize("prompt", ["ann:9", "bob:1"])
def test_a_record_in_which_something_is_answered_that_nobody_asks(prompt: str) -> None:
    """If an answer has no prompt in the record, the engine drops only the waiting procedure."""
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    spec.act("ann", "ponder").answer("ann", "so", name="ponder")
    spec.act("bob", "strike", ("attack", 10), target="ann")
    spec.answer("ann", "pass", name="parry")
    doctored = [
        replace(recorded, event=replace(recorded.event, prompt=prompt))
        if isinstance(recorded.event, Answered) and recorded.event.option == "pass"
        else recorded
        for recorded in spec.live.history.recorded
    ]
    assert spec.live.open_prompts()
    assert Session(TOY, doctored).open_prompts() == {}
