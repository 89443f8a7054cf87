"""What ties two combatants together, and ends when they part: grapples and screens."""

from domain.record.combat import Combat, Id
from domain.record.events import ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import board
from domain.rulesets.sovereign.numbers import awake


def part(play: Play) -> Procedure[None]:
    """End what holds no more, after a movement, a fall, a leaving."""
    for holder, target in holds(play.combat):
        if not together(play.combat, holder, target):
            yield from let_go(play, holder, target, "SOV-GRAP-04", "apart")
    for one in list(play.combat):
        for held in one.all("screening"):
            ward = str(held.data.get("ward"))
            if not together(play.combat, one.id, ward, ward_able=False):
                yield ConditionLost(one.id, "screening", held.key, "apart", rules=("SOV-SCRN-02",))


def together(combat: Combat, one: Id, other: Id, *, ward_able: bool = True) -> bool:
    """Both there and able (a ward need not be), and at most 5 ft apart."""
    if not awake(combat, one) or other not in combat.combatants or combat[other].left:
        return False
    if ward_able and not awake(combat, other):
        return False
    return board.adjacent(combat, one, other)


def holds(combat: Combat) -> list[tuple[Id, Id]]:
    """(holder, target) of every grapple, as they took hold."""
    found = [
        (int(held.data.get("number", 0)), str(held.data.get("by")), one.id)
        for one in combat
        for held in one.all("grappled")
        if held.data.get("by") in combat.combatants
    ]
    return [(by, who) for _, by, who in sorted(found)]


def holders(combat: Combat, target: Id) -> list[Id]:
    """Who holds it, as they took hold (SOV-GRAP-02)."""
    return [holder for holder, held in holds(combat) if held == target]


def held_by(combat: Combat, holder: Id) -> Id | None:
    """Whom it holds."""
    return next((target for by, target in holds(combat) if by == holder), None)


def let_go(play: Play, holder: Id, target: Id, rule: str, reason: str) -> Procedure[None]:
    """One grapple ends for both."""
    if play.combat[target].has("grappled"):
        yield ConditionLost(target, "grappled", f"grappled#{holder}", reason, rules=(rule,))
    if play.combat[holder].has("grappling"):
        yield ConditionLost(holder, "grappling", reason=reason, rules=(rule,))
