"""run and disengage: one unbroken path, or a safe retreat (SOV-RUN, SOV-DIS)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json, Square
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.reachability import Ways, standing
from domain.rulesets.sovereign import arms, board, costs, opportunity, windows
from domain.rulesets.sovereign.movement import (
    ROUND_END,
    Path,
    blocked,
    grapple_refusals,
    leaves,
    path_refusals,
    squares,
    step_cost,
    walk,
)
from domain.rulesets.sovereign.numbers import enemies, rate_ft
from domain.rulesets.sovereign.rules import rule


class Run(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The squares to enter, in order."""

    path: Path
    pay: costs.Pay = "move"


def run_refusals(play: Play, who: Id, inputs: Run) -> Iterator[Illegal]:
    combat = play.combat
    yield from grapple_refusals(combat, who)
    if not inputs.path:
        yield Illegal("SOV-RUN-01", "path-blocked", "a run enters at least one square")
    yield from path_refusals(combat, who, inputs.path, rate_ft(combat[who]), "SOV-RUN-01")


def run_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Straight paths in eight directions, short and full."""
    combatant = play.combat[who]
    if combatant.position is None:
        return
    most = rate_ft(combatant) // 5
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        for length in sorted({1, min(3, most), most} - {0}):
            x, y, z = combatant.position
            path = [[x + dx * n, y + dy * n, z] for n in range(1, length + 1)]
            yield {"path": path}
            if length == 1:
                yield {"path": path, "pay": "main"}


def run_ways(play: Play, who: Id) -> Ways | None:
    """Return the squares with their costs, and the foes whose reach is left.

    SOV-GRID-03, SOV-RUN-02.
    """
    combat, combatant = play.combat, play.combat[who]
    if combatant.position is None:
        return None

    def cost(at: Square, to: Square) -> float | None:
        return None if blocked(combat, who, at, to) else step_cost(combat, who, to)

    def provokes(at: Square, to: Square) -> list[Id]:
        there = standing(combat, who, at)
        return [foe for foe in leaves(there, who, to) if opportunity.threatens(there, foe, who)]

    return Ways(combatant.position, rate_ft(combatant), "ft", cost, provokes)


@rule("SOV-RUN-01", "A Move for one path up to the normal rate")
def run(play: Play, who: Id, inputs: Run) -> Procedure[None]:
    """One unbroken path; leaving an armed enemy's reach draws its blow (SOV-RUN-01, -02)."""
    crawls = play.combat[who].has("prone")
    yield costs.pay_move(who, inputs.pay, "SOV-RUN-01")
    path = tuple(squares(inputs.path) or ())
    moment, batch = yield from windows.declared(play, who, "run", path=path)
    yield from walk(play, who, moment, batch, leaving=True, crawls=crawls)


RUN = costs.move(
    "run", Run, run, "Run", "SOV-RUN-01", "SOV-RUN-02", "SOV-RUN-03", refusals=run_refusals,
    candidates=run_candidates, ways=run_ways, stops=True,
).shown("move", "Run to {path}", "path")  # fmt: skip


@rule("SOV-DIS-01", "No blows from those in whose range one is now, this round")
@rule("SOV-DIS-03", "Disengaging moves nobody")
def disengage(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Disengage from all in melee range, without a move (SOV-DIS-01 to -03)."""
    yield costs.spend(who, "main", "SOV-DIS-01")
    yield from windows.declared(play, who, "disengage")
    combat = play.combat
    near: list[Json] = [
        foe.id
        for foe in enemies(combat, who)
        if board.within(combat, foe.id, who, arms.melee_reach(foe))
    ]
    yield ConditionGained(
        who, "disengaged", data={"from": near}, until=ROUND_END, rules=("SOV-DIS-01",)
    )


DISENGAGE = costs.main(
    "disengage", NoInputs, disengage, "Disengage", "SOV-DIS-01", "SOV-DIS-03"
).shown("move")
