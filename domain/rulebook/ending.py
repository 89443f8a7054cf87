"""The end of a combat: its winners and its reason, as the GM or the rulebook decides."""

from collections.abc import Iterable

from msgspec import Struct

from domain.record.combat import Combat
from domain.record.events import CombatEnded
from domain.rulebook.facts import CombatFact, combat_fact


class Ending(Struct, frozen=True):
    """The winners and the reason of an end. `winners` None = nobody has named them."""

    winners: tuple[str, ...] | None = None
    reason: str = ""


ENDING: CombatFact[Ending] = combat_fact(
    "ending", Ending, Ending(), about="The winners whom the GM has named, and why it ends"
)


def ended(combat: Combat, left: Iterable[str], *rules: str) -> CombatEnded:
    """Return the event of the end.

    The winners are those that the GM named, or else the only side `left`.
    """
    ending = ENDING.of(combat)
    sides = tuple(dict.fromkeys(left))
    last = sides if len(sides) == 1 else ()
    winners = last if ending.winners is None else ending.winners
    return CombatEnded(winners, ending.reason, rules=rules)
