"""screen-ally: go to an ally and block attacks on it (SOV-SCRN-01, -05, -08)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square, Until
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.inputs import Ally
from domain.rulebook.play import Play
from domain.rulebook.reachability import standing
from domain.rulesets.sovereign import board, costs, movement, opportunity, windows
from domain.rulesets.sovereign.facts import NUMBER, next_number
from domain.rulesets.sovereign.movement import Path
from domain.rulesets.sovereign.numbers import combat_level, in_fight, rate_ft
from domain.rulesets.sovereign.rules import rule


class Screen(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ward: Ally
    path: Path = []
    pay: costs.Pay = "move"


def screen_refusals(play: Play, who: Id, inputs: Screen) -> Iterator[Illegal]:
    combat = play.combat
    combatant = combat[who]
    if inputs.path:
        yield from movement.grapple_refusals(combat, who)
    if combat[inputs.ward].side != combatant.side or inputs.ward == who:
        yield Illegal("SOV-SCRN-01", "not-an-ally", f"{inputs.ward} is no ally")
    if combat_level(combatant) < 1:
        yield Illegal(
            "SOV-SCRN-05", "no-combat-skill", f"{combatant.name} has no combat skill of 1"
        )
    yield from movement.path_refusals(combat, who, inputs.path, rate_ft(combatant), "SOV-SCRN-01")
    yield from ward_refusals(combat, who, inputs.ward, movement.squares(inputs.path) or ())


def ward_refusals(combat: Combat, who: Id, ward: Id, path: Sequence[Square]) -> Iterator[Illegal]:
    """It is there, and adjacent to where the way ends (SOV-SCRN-01)."""
    there = standing(combat, who, path[-1]) if path else combat
    if not in_fight(combat, ward):
        yield Illegal("SOV-SCRN-01", "not-adjacent", f"{ward} is dead or gone")
    elif not board.adjacent(there, who, ward):
        yield Illegal("SOV-SCRN-01", "not-adjacent", f"{ward} would not be adjacent")


def screen_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    if combatant.position is None:
        return
    for other in play.combat:
        if other.side != combatant.side or other.id == who or not in_fight(play.combat, other.id):
            continue
        yield {"ward": other.id}
        for step in grid.neighbours(combatant.position):
            yield {"ward": other.id, "path": [list(step)]}


@rule("SOV-SCRN-01", "A Move to an ally's side blocks attacks on it")
def screen_ally(play: Play, who: Id, inputs: Screen) -> Procedure[None]:
    """Move up, and screen to the start of the own side's next turn (SOV-SCRN-01)."""
    yield costs.pay_move(who, inputs.pay, "SOV-SCRN-01")
    path = tuple(movement.squares(inputs.path) or ())
    arrived = yield from stopped_by(
        play,
        who,
        moved_up(play, who, inputs.ward, path),
        "screen-ally",
        lambda: next(ward_refusals(play.combat, who, inputs.ward, path), None),
    )
    if not arrived:
        return
    number = next_number(play.combat)
    yield NUMBER.set(number, rules=("SOV-SCRN-07",))
    yield ConditionGained(
        who,
        "screening",
        f"screening#{inputs.ward}",
        {"ward": inputs.ward, "number": number},
        (Until("turn-start", who),),
        rules=("SOV-SCRN-01",),
    )


@rule("SOV-SCRN-08", "Draws from adjacent armed enemies only when moving")
def moved_up(play: Play, who: Id, ward: Id, path: tuple[Square, ...]) -> Procedure[bool]:
    """Up to the ward; who moves draws from the enemies beside it (SOV-SCRN-08)."""
    crawls = play.combat[who].has("prone")
    moment, batch = yield from windows.declared(play, who, "screen-ally", ward, path)
    if not path:
        return True
    yield from opportunity.from_adjacent(play, who, "screen-ally")
    return (yield from movement.walk(play, who, moment, batch, leaving=False, crawls=crawls))


SCREEN_ALLY = costs.move(
    "screen-ally", Screen, screen_ally, "Screen an ally", "SOV-SCRN-01", "SOV-SCRN-08",
    refusals=screen_refusals, candidates=screen_candidates, stops=True,
).shown("defend", "Screen {ward}", "ward", "path")  # fmt: skip
