"""The kit's `Spec` with what only tests need: the marks of rules, and a fixture's end."""

from collections.abc import Iterator

import pytest

from domain.rulebook.ruleset import Ruleset
from service.conformance.spec import GM, MANUAL, SEED, Dice, Spec, offer

__all__ = ["GM", "MANUAL", "SEED", "Dice", "Spec", "offer", "played", "rule"]

rule = pytest.mark.rule
"""@rule("FH-ATK-02", …): the rules that a test proves."""


def played(ruleset: Ruleset) -> Iterator[Spec]:
    """A fight in which no die may be wanting at the end: what nobody rolls would show nothing."""
    spec = Spec(ruleset)
    yield spec
    wanting = [one for one in spec.open() if one[0] == "roll"]
    assert not wanting
