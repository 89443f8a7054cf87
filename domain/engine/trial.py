"""Trial: run a ruling to see whether it would change anything, without recording it."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from domain.engine.archive import States
from domain.engine.caller import Caller, Context
from domain.engine.draft import Draft
from domain.engine.executor import Executor
from domain.engine.idle_rulings import differs, is_telling
from domain.engine.requests import Requests
from domain.engine.run import Run
from domain.errors import Refused
from domain.record.combat import Combat
from domain.record.events import AnyEvent, ConditionGained, ConditionLost
from domain.record.evolve import evolve
from domain.record.history import History
from domain.rulebook.action import Action
from domain.rulebook.effects import Admit, Roll
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Follows, Ruleset
from domain.rulebook.state_cache import once

NOBODY: Final = Context("", Caller("", "gm"), "", "", {}, b"", "")
"""The context of a command without a sender."""

NOTHING: Final = (History(), States(), Requests())
"""The empty past, for a command that reads only the current state."""


class Telling(Exception):
    """The signal that a ruling changes something in any state, so that the trial can end."""


class Trial(Draft):
    """A draft that keeps the state but not the events."""

    def __init__(self, ruleset: Ruleset, combat: Combat, ruling: Action) -> None:
        history, states, requests = NOTHING
        super().__init__(
            ruleset, history, states, combat, "", {}, frozenset(), requests, NOBODY, {}
        )
        self.version = max((frame.id for frame in combat.frames), default=0)
        self._ruling = ruling

    def record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Fold one fact. Raise `Telling` if the fact always counts as a change."""
        if is_telling(self._ruling, event):
            raise Telling
        if isinstance(event, ConditionGained):
            event = self.keyed(event)
        self.version += 1
        self.combat = evolve(self.combat, event)
        return event

    def remember(self) -> None:
        """Cache no state."""


class Trying(Executor):
    """The procedures of a trial. The trial ends at a roll, and at a combatant that joins.

    Consequences take most of a trial's time. The trial applies only the consequences of
    conditions, because only these consequences can undo their cause.
    """

    def _follow(self, cause: AnyEvent) -> None:
        if isinstance(cause, ConditionGained | ConditionLost):
            super()._follow(cause)

    def roll(self, run: Run, effect: Roll) -> Any:
        raise Telling

    def admit(self, run: Run, effect: Admit) -> Any:
        raise Telling


@once
def _is_settled(combat: Combat, consequences: Callable[..., Iterator[Follows]]) -> bool:
    """Return true if a state has no consequences. The trial then checks only changed combatants."""
    return next(consequences(combat, None, None), None) is None


def would_change(truth: Play, ruling: Action, inputs: Any) -> bool:
    """Return true unless Affray would refuse a ruling because it changes nothing.

    Also return false for inputs that the ruling's procedure refuses.
    """
    ruleset: Any = truth.ruleset
    trial = Trial(ruleset, truth.combat, ruling)
    if _is_settled(truth.combat, ruleset.consequences):
        trial.settled = truth.combat
    args = {"who": "", "inputs": msgspec.to_builtins(inputs), "by_gm": True}
    try:
        Trying(trial, {}).start("ruling", ruling.id, args)
    except Telling:
        return True
    except Refused:
        return False
    return differs(truth.combat, trial.combat)
