"""Who may know that something happened, stamped on the fact when it is recorded.

None = everybody; otherwise the players of these combatants, and always the GM. Each type of event
says who (`known_to`); nothing that is about a hidden combatant is for everybody. What a reader
gets of the fields is decided when it reads (`projections.events`).
"""

from domain.record.combat import Combat, Id
from domain.record.events import ActionDeclared, AnyEvent, CombatantChanged, Noted, Rolled

Audience = tuple[Id, ...] | None


def audience_of(combat: Combat, event: AnyEvent) -> Audience:
    """Who may know `event`, in the state before it."""
    who: Id | None = getattr(event, "who", None)
    its_own = () if who is None else (who,)
    match event:
        case Rolled(secret=True) | Noted(private=True):
            return ()
        case ActionDeclared(prompt=str(prompt)):
            asked = combat.prompts.get(prompt)
            if asked is not None and asked.sealed:
                return its_own
        case _:
            pass
    match event.known_to:
        case "all":
            return its_own if who is not None and _is_hidden(combat, who, event) else None
        case "side":
            side = None if who is None else combat[who].side
            return tuple(one.id for one in combat if one.side == side)
        case "owner":
            return its_own
        case _:
            return ()


def _is_hidden(combat: Combat, who: Id, event: AnyEvent) -> bool:
    """Whether `who` is hidden; whoever appears or vanishes is seen to."""
    found = combat.combatants.get(who)
    if found is None:
        return bool(getattr(event, "hidden", False))
    return found.hidden and not (isinstance(event, CombatantChanged) and event.hidden is False)
