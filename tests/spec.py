"""The kit's `Spec`, with the `rule` mark and a check at the end of a test."""

from collections.abc import Iterator

import pytest

from domain.rulebook.ruleset import Ruleset
from service.conformance.spec import GM, MANUAL, SEED, Dice, Spec, offer

__all__ = ["GM", "MANUAL", "SEED", "Dice", "Spec", "offer", "played", "rule"]

rule = pytest.mark.rule
"""The mark `@rule("FH-ATK-02", …)` names the rules that a test proves."""


def played(ruleset: Ruleset) -> Iterator[Spec]:
    """Yield a fight, and fail if a roll is open at the end.

    An open roll means that the test stopped before its result.
    """
    spec = Spec(ruleset)
    yield spec
    wanting = [prompt for prompt in spec.open() if prompt[0] == "roll"]
    assert not wanting
