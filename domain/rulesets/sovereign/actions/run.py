"""The actions `run` and `disengage` (SOV-RUN, SOV-DIS)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json, Square
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.reachability import Ways, standing
from domain.rulesets.sovereign import arms, board, costs, opportunity, windows
from domain.rulesets.sovereign.movement import (
    ROUND_END,
    Path,
    blocked,
    leaves,
    not_in_a_grapple,
    path_refusals,
    step_cost,
    walk,
)
from domain.rulesets.sovereign.numbers import enemies, rate_ft
from domain.rulesets.sovereign.rules import action


class Run(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a run. `path` has the squares to enter, in order."""

    path: Path
    pay: costs.Pay = "move"


def open_way(act: Act[Run]) -> Iterator[Illegal]:
    """Refuse a path that is blocked or too long."""
    feet = rate_ft(act.actor)
    return path_refusals(act.combat, act.who, act.inputs.path, feet, "SOV-RUN-01")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose straight paths of several lengths in each of eight directions."""
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


def ways(play: Play, who: Id) -> Ways | None:
    """Return the movement of a run, with the enemies that each step provokes.

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


@action(
    "run", "Run", Run,
    cost="Move", category="move", headline="Run[ to {path}]", essential=("path",),
    rules={"SOV-RUN-01": "A Move pays for one path up to the normal rate"},
    also=("SOV-RUN-02", "SOV-RUN-03"),
    refusals=(
        *costs.FOR_A_MOVE,
        not_in_a_grapple,
        Refusal("SOV-RUN-01", "path-blocked", "a run enters at least one square",
                lambda act: not act.inputs.path, field="path"),
        open_way,
    ),
    propose=candidates,
    ways=ways,
    stops=True,
)  # fmt: skip
def run(act: Act[Run]) -> Procedure[None]:
    """Run along one unbroken path (SOV-RUN-01).

    An armed enemy may strike when the runner leaves its reach (SOV-RUN-02).
    """
    crawls = act.actor.has("prone")
    yield costs.pay_move(act.who, act.inputs.pay, "SOV-RUN-01")
    path = grid.squares(act.inputs.path) or ()
    moment, batch = yield from windows.declared(act.play, act.who, "run", path=path)
    yield from walk(act.play, act.who, moment, batch, leaving=True, crawls=crawls)


@action(
    "disengage", "Disengage",
    cost="Main", category="move",
    rules={
        "SOV-DIS-01": "Enemies in range when a combatant disengages get no opportunity against it "
        "in this round",
        "SOV-DIS-03": "Disengaging does not move the combatant",
    },
    refusals=costs.FOR_A_MAIN,
)  # fmt: skip
def disengage(act: Act[NoInputs]) -> Procedure[None]:
    """Disengage from all enemies in melee range, without moving (SOV-DIS-01, SOV-DIS-03)."""
    yield costs.spend(act.who, "main", "SOV-DIS-01")
    yield from windows.declared(act.play, act.who, "disengage")
    near: list[Json] = [
        foe.id
        for foe in enemies(act.combat, act.who)
        if board.within(act.combat, foe.id, act.who, arms.melee_reach(foe))
    ]
    yield ConditionGained(
        act.who, "disengaged", data={"from": near}, until=ROUND_END, rules=("SOV-DIS-01",)
    )
