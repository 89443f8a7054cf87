"""When a ruling is open: in a step of the round, or in any."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Id
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.gm import known
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.slots import running


def in_phase(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """In one of these steps only."""

    def refusals(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
        if play.combat.phase not in phases:
            detail = f"not in the step {play.combat.phase}"
            yield refuse("VD-SEQ-03", "wrong-phase", detail, NO_FIELD, phases)

    return refusals


def in_round(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """While a round runs."""
    known(play, _, inputs)
    if not running(play.combat):
        yield refuse("VD-SEQ-03", "wrong-phase", f"no round runs: {play.combat.phase}", NO_FIELD)
