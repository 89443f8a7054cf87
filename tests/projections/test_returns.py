"""The summary of a step back through history, in a few words."""

from domain.engine.commands import RevealSeed
from projections.eyes import Eyes
from projections.narration import Teller
from projections.returns import returned
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import GM, Spec


def test_what_came_with_a_step_back_is_not_counted() -> None:
    """Ann shouts, her die, new dice after an undo, Bob waits: three commands are taken back."""
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "shout", ("shout", 1))
    spec.do(RevealSeed()).undo().act("bob", "wait").undo("round")
    assert spec.open() == [("turn", "turn", "ann")]
    eyes = Eyes(spec.live.history, GM)
    told = returned(spec.live, eyes, spec.last[0].version, Teller(spec.live, eyes).told)
    assert told == "“ann shouts.” and 2 more"
