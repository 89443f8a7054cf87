"""Abandonment: end procedures of a stored combat that do not match the rules of a new release."""

from contextlib import suppress

from domain.engine.commands import Abandon
from domain.engine.session import Decision
from domain.errors import Refused
from service.combats import Combats
from service.decisions import decide
from service.hot_combat import Hot


async def abandon_what_differs(combats: Combats, hot: Hot) -> None:
    """Abandon the procedures that do not match this release, and ask the GM to continue.

    Otherwise readers would get prompts that nobody can answer. Raise `Unavailable`.
    """
    if hot.broken is not None or await combats.recall(hot.id, lambda: hot.live.matches()):
        return
    if (master := hot.master) is not None:
        with suppress(Refused):  # another command came first
            await decide(combats, hot, master, Abandon(), _nothing)


def _nothing(hot: Hot, decision: Decision) -> tuple[int, None]:
    return 200, None
