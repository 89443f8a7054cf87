"""Who may know a fact, stamped on it when it is recorded.

None = everybody; otherwise the players of these combatants, and always the GM. Numbers of foes
are shown as words later, when a reader's eyes are known (`projections`).
"""

from domain.record.combat import Combat, Id
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    FactSet,
    Noted,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Resumed,
    Rolled,
    RollForced,
    Ruled,
    StandingOrdersSet,
)

Audience = tuple[Id, ...] | None

_GM_ONLY = (
    FactSet,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Resumed,
    RollForced,
    Ruled,
)


def audience_of(combat: Combat, event: AnyEvent) -> Audience:
    """Who may know `event`, in the state after it."""
    if isinstance(event, _GM_ONLY):
        return ()
    who: Id | None = getattr(event, "who", None)
    if isinstance(event, Prompted | Answered):
        return () if who is None else (who,)
    if isinstance(event, StandingOrdersSet):
        return (event.who,)
    if (isinstance(event, Rolled) and event.secret) or (isinstance(event, Noted) and event.private):
        return ()
    if isinstance(event, ActionDeclared) and event.prompt is not None:
        asked = combat.prompts.get(event.prompt)
        if asked is not None and asked.sealed:
            return (event.who,)
    if who is not None:
        found = combat.combatants.get(who)
        hidden = found.hidden if found is not None else bool(getattr(event, "hidden", False))
        if hidden:
            return (who,)
    return None
