"""screen-ally: go to an ally and stand in the way (SOV-SCRN-01, -05, -08)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json, Until
from domain.record.events import ConditionGained, Moved
from domain.record.evolve import evolve
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import board, movement, opportunity, paying, windows
from domain.rulesets.sovereign.facts import NUMBER, next_number
from domain.rulesets.sovereign.movement import Path
from domain.rulesets.sovereign.numbers import able, combat_level, rate_ft


class Screen(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ward: Id
    path: Path = []
    pay: paying.Pay = "move"


def screen_refusals(play: Play, who: Id, inputs: Screen) -> Iterator[Illegal]:
    combat = play.combat
    one = combat[who]
    yield from paying.turn_refusals(combat, who)
    yield from paying.move_refusals(combat, who, inputs.pay)
    if inputs.path:
        yield from movement.grapple_refusals(combat, who)
    if combat[inputs.ward].side != one.side or inputs.ward == who:
        yield Illegal("SOV-SCRN-01", "not-an-ally", f"{inputs.ward} is no ally")
    if combat_level(one) < 1:
        yield Illegal("SOV-SCRN-05", "no-combat-skill", f"{one.name} has no combat skill of 1")
    yield from movement.path_refusals(combat, who, inputs.path, rate_ft(one), "SOV-SCRN-01")
    steps = movement.squares(inputs.path) or []
    there = evolve(combat, Moved(who, (steps[-1],))) if steps else combat
    if not board.adjacent(there, who, inputs.ward):
        yield Illegal("SOV-SCRN-01", "not-adjacent", f"{inputs.ward} would not be adjacent")


def screen_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    if one.position is None:
        return
    for other in play.combat:
        if other.side != one.side or other.id == who or not able(play.combat, other.id):
            continue
        yield {"ward": other.id}
        for step in grid.neighbours(one.position):
            yield {"ward": other.id, "path": [list(step)]}


def screen_ally(play: Play, who: Id, inputs: Screen) -> Procedure[None]:
    """Move up, and screen to the start of the own side's next turn (SOV-SCRN-01)."""
    crawls = play.combat[who].has("prone")
    yield paying.pay_move(who, inputs.pay, "SOV-SCRN-01")
    path = tuple(movement.squares(inputs.path) or ())
    moment, batch = yield from windows.declared(play, who, "screen-ally", inputs.ward, path)
    if path:
        yield from opportunity.from_adjacent(play, who, "screen-ally")  # SOV-SCRN-08
        yield from movement.walk(play, who, moment, batch, leaving=False, crawls=crawls)
    if not board.adjacent(play.combat, who, inputs.ward):
        return
    number = next_number(play.combat)
    yield NUMBER.set(number, rules=("SOV-SCRN-07",))
    yield ConditionGained(
        who,
        "screening",
        f"screening#{inputs.ward}",
        {"ward": inputs.ward, "number": number},
        (Until("turn-start", play.combat[who].side),),
        rules=("SOV-SCRN-01",),
    )


SCREEN_ALLY = Action(
    "screen-ally",
    Screen,
    screen_refusals,
    screen_candidates,
    "Screen an ally",
    procedure=screen_ally,
    cost="Move",
    rules=("SOV-SCRN-01", "SOV-SCRN-08"),
)
