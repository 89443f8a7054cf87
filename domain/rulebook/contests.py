"""Opposed rolls: compare two totals.

The rulebook decides who rolls, with which dice, and the meaning of a tie.
"""

from domain.record.events import Judged, Rolled


def compared(total: int, other: int) -> str:
    """Return the outcome of one total against another: `won`, `lost` or `tied`."""
    if total == other:
        return "tied"
    return "won" if total > other else "lost"


def result_of(first: Rolled, second: Rolled, *, rules: tuple[str, ...]) -> Judged:
    """Return the result of the first roll, once the second roll is known."""
    return Judged(
        first.who,
        first.purpose,
        compared(first.total, second.total),
        first.total,
        against=first.against,
        before=first.outcome,
        rules=rules,
    )
