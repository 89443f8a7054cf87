"""When conditions end: with a round (HE-END-02)."""

from domain.record.combat import Combat, Until
from domain.record.events import ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play


def round_end(round: int) -> Until:
    """The end of this round; before the first round, of that one."""
    return Until("round-end", round=max(1, round))


def lasting(combat: Combat, rounds: int | None) -> tuple[Until, ...]:
    """So many rounds, this one included; None = until something ends it."""
    return () if rounds is None else (round_end(max(1, combat.round) + rounds - 1),)


def expire(play: Play) -> Procedure[None]:
    """Everything that ends with this round, in the order of joining (HE-SURP-05, HE-FDEF-05)."""
    due = [
        (one.id, held)
        for one in play.combat
        for held in one.conditions
        if any(
            at.moment == "round-end" and (at.round or 0) <= play.combat.round for at in held.until
        )
    ]
    for who, held in due:
        yield ConditionLost(who, held.id, held.key, "round-end", rules=("HE-END-02",))
