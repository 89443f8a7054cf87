"""Play: what a running procedure sees.

`play.combat` is the state as of the last event. Never keep a combatant across a `yield`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from domain.record.combat import Combat
from domain.rulebook.effects import Option, Procedure, Prompt, ask

if TYPE_CHECKING:
    from domain.rulebook.ruleset import Ruleset

T = TypeVar("T")

NESTING_LIMIT = 8
"""Interrupts inside interrupts that run without asking the GM."""


class Play:
    """The combat in the eyes of one procedure. The engine replaces `combat` after each event."""

    __slots__ = ("combat", "depth", "ruleset")

    def __init__(self, ruleset: "Ruleset", combat: Combat) -> None:
        self.ruleset = ruleset
        self.combat = combat
        self.depth = 0

    def interrupt(self, procedure: Callable[[], Procedure[T]], otherwise: T) -> Procedure[T]:
        """Run a procedure inside another, with a bounded depth.

        Past `NESTING_LIMIT` the GM is asked whether the chain goes on; if not, `otherwise`.
        """
        self.depth += 1
        try:
            if self.depth > NESTING_LIMIT:
                answer = yield from ask(CHAIN)
                if answer.option == "stop":
                    return otherwise
            return (yield from procedure())
        finally:
            self.depth -= 1


CHAIN = Prompt(
    kind="ruling",
    name="chain-of-interrupts",
    who=None,
    text=f"More than {NESTING_LIMIT} interrupts inside each other. Does the chain go on?",
    options=(Option("go-on"), Option("stop")),
    rules=(),
    default="stop",
)
