"""Opposed rolls: the winner.

Each rulebook decides the rollers, their dice and the meaning of a tie.
"""

from domain.record.events import Judged, Rolled


def compared(total: int, other: int) -> str:
    """Return the word for a total that meets another one: won, lost or tied."""
    if total == other:
        return "tied"
    return "won" if total > other else "lost"


def result_of(first: Rolled, second: Rolled, *, rules: tuple[str, ...]) -> Judged:
    """Return the result of the roll that fell first, now that the other has fallen too."""
    return Judged(
        first.who,
        first.purpose,
        compared(first.total, second.total),
        first.total,
        against=first.against,
        before=first.outcome,
        rules=rules,
    )
