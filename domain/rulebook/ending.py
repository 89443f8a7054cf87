"""How a combat ends: who wins and why, as the GM has named it or as the rulebook finds it."""

from collections.abc import Iterable

from msgspec import Struct

from domain.record.combat import Combat
from domain.record.events import CombatEnded
from domain.rulebook.facts import CombatFact, combat_fact


class Ending(Struct, frozen=True):
    """If `winners` is None, no winners are named."""

    winners: tuple[str, ...] | None = None
    reason: str = ""


ENDING: CombatFact[Ending] = combat_fact(
    "ending", Ending, Ending(), about="The winners whom the GM has named, and why it ends"
)


def ended(combat: Combat, left: Iterable[str], *rules: str) -> CombatEnded:
    """Return the end. The GM's winners come first, then the only side that is `left`."""
    ending = ENDING.of(combat)
    sides = tuple(dict.fromkeys(left))
    last = sides if len(sides) == 1 else ()
    winners = last if ending.winners is None else ending.winners
    return CombatEnded(winners, ending.reason, rules=rules)
