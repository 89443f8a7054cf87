"""The action `screen-ally`, which moves to an ally and blocks attacks on it.

SOV-SCRN-01, SOV-SCRN-05, SOV-SCRN-08.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square, Until
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.inputs import Ally
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.reachability import standing
from domain.rulesets.sovereign import board, costs, movement, opportunity, windows
from domain.rulesets.sovereign.facts import NUMBER, next_number
from domain.rulesets.sovereign.movement import Path
from domain.rulesets.sovereign.numbers import combat_level, rate_ft
from domain.rulesets.sovereign.rules import action, rule


class Screen(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ward: Ally
    path: Path = []
    pay: costs.Pay = "move"


def free_to_move(act: Act[Screen]) -> Iterator[Illegal]:
    """Refuse a path while the combatant is in a grapple."""
    return movement.not_in_a_grapple(act) if act.inputs.path else iter(())


def is_no_ally(act: Act[Screen]) -> bool | Mapping[str, str]:
    """Return the ward for the refusal if it is an enemy or the combatant itself."""
    ward = act.inputs.ward
    return (act.combat[ward].side != act.actor.side or ward == act.who) and {"ward": ward}


def open_way(act: Act[Screen]) -> Iterator[Illegal]:
    """Refuse a path that is blocked or does not end next to the ward."""
    combat, who, path = act.combat, act.who, act.inputs.path
    yield from movement.path_refusals(combat, who, path, rate_ft(act.actor), "SOV-SCRN-01")
    yield from ward_refusals(combat, who, act.inputs.ward, grid.squares(path) or ())


def ward_refusals(combat: Combat, who: Id, ward: Id, path: Sequence[Square]) -> Iterator[Illegal]:
    """Refuse a ward that is gone or not adjacent to the end of the path (SOV-SCRN-01)."""
    there = standing(combat, who, path[-1]) if path else combat
    if not in_fight(combat, ward):
        yield refuse("SOV-SCRN-01", "not-adjacent", f"{ward} is dead or gone", "ward")
    elif not board.adjacent(there, who, ward):
        yield refuse("SOV-SCRN-01", "not-adjacent", f"{ward} would not be adjacent", "ward")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each ally in the fight, first without a move and then with each single step."""
    combatant = play.combat[who]
    if combatant.position is None:
        return
    for other in play.combat:
        if other.side != combatant.side or other.id == who or not in_fight(play.combat, other.id):
            continue
        yield {"ward": other.id}
        for step in grid.neighbours(combatant.position):
            yield {"ward": other.id, "path": [list(step)]}


@rule("SOV-SCRN-08", "Screening provokes adjacent armed enemies only if the screener moves")
def moved_up(play: Play, who: Id, ward: Id, path: tuple[Square, ...]) -> Procedure[bool]:
    """Move to the ward, and return true if the combatant arrives.

    The move provokes the adjacent enemies (SOV-SCRN-08).
    """
    crawls = play.combat[who].has("prone")
    moment, batch = yield from windows.declared(play, who, "screen-ally", ward, path)
    if not path:
        return True
    yield from opportunity.from_adjacent(play, who, "screen-ally")
    return (yield from movement.walk(play, who, moment, batch, leaving=False, crawls=crawls))


@action(
    "screen-ally", "Screen an ally", Screen,
    cost="Move", category="defend", headline="Screen {ward}", essential=("ward", "path"),
    rules={"SOV-SCRN-01": "A Move to an ally's side lets a combatant block attacks on it"},
    also=("SOV-SCRN-08",),
    refusals=(
        *costs.FOR_A_MOVE,
        free_to_move,
        Refusal("SOV-SCRN-01", "not-an-ally", "{ward} is no ally", is_no_ally, field="ward"),
        Refusal("SOV-SCRN-05", "no-combat-skill", "{actor} has no combat skill of 1",
                lambda act: combat_level(act.actor) < 1),
        open_way,
    ),
    propose=candidates,
    stops=True,
)  # fmt: skip
def screen_ally(act: Act[Screen]) -> Procedure[None]:
    """Move to an ally, and screen it until the side's next turn starts (SOV-SCRN-01)."""
    play, who, inputs = act.play, act.who, act.inputs
    yield costs.pay_move(who, inputs.pay, "SOV-SCRN-01")
    path = grid.squares(inputs.path) or ()
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
