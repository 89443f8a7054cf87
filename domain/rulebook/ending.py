"""The end of a combat, with its winners and its reason."""

from collections.abc import Iterable

from msgspec import Struct

from domain.record.combat import Combat
from domain.record.events import CombatEnded
from domain.rulebook.facts import CombatFact, combat_fact


class Ending(Struct, frozen=True):
    """The winners and the reason of an end. `winners` is `None` if the GM has not named them."""

    winners: tuple[str, ...] | None = None
    reason: str = ""


ENDING: CombatFact[Ending] = combat_fact(
    "ending",
    Ending,
    Ending(),
    about="The winners that the GM has named, and the reason for the end",
)


def ended(combat: Combat, left: Iterable[str], *rules: str) -> CombatEnded:
    """Return the event of the end.

    The winners are the sides that the GM named. By default, the winner is the only side `left`.
    """
    ending = ENDING.of(combat)
    sides = tuple(dict.fromkeys(left))
    last = sides if len(sides) == 1 else ()
    winners = last if ending.winners is None else ending.winners
    return CombatEnded(winners, ending.reason, rules=rules)
