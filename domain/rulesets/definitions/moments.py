"""When effects end: `turn-start:<name>`, `round-end`, `combat-end`, `removed` (2.6, DEF-TRN-02)."""

import msgspec

from domain.record.combat import Combat, Combatant, Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.ruleset import identifier
from domain.rulesets.definitions.conditions import CONDITIONS
from domain.rulesets.definitions.sheet import GivenCondition, Modifier


def named(combat: Combat, name: str) -> Id | None:
    """Who is meant, by id or by name."""
    if name in combat.combatants:
        return name
    return next((one.id for one in combat if one.name == name), None)


def until(combat: Combat, text: str | None) -> tuple[Until, ...]:
    """The moment as a condition keeps it; nothing for what the GM removes."""
    if text == "round-end":
        return (Until("round-end", round=combat.round),)
    if text is not None and text.startswith("turn-start:"):
        name = text.removeprefix("turn-start:")
        return (Until("turn-start", who=named(combat, name) or identifier(name)),)
    return ()


def modifier_gained(
    combat: Combat, who: Id, modifier: Modifier, source: Id | None
) -> ConditionGained:
    """A modifier with an end, as a condition."""
    data = msgspec.to_builtins(modifier)
    rules = ("DEF-TRN-02",)
    ends = until(combat, modifier.until)
    return ConditionGained(who, "modifier", data=data, until=ends, source=source, rules=rules)


def condition_gained(
    combat: Combat, who: Id, given: GivenCondition, source: Id | None, rules: tuple[str, ...]
) -> ConditionGained:
    """A condition that a sheet or a power brings."""
    by = source if given.source is None else named(combat, given.source) or source
    key = beside(combat[who], given.id, by)
    ends = until(combat, given.until)
    return ConditionGained(who, given.id, key, given.data, ends, by, rules=rules)


def beside(one: Combatant, condition: str, source: Id | None) -> str:
    """A key that leaves alone what another source has brought, and its end.

    Those of which each instance counts, and those that only data name, get theirs by the engine.
    """
    info = CONDITIONS.get(condition)
    if info is None or info.stacks:
        return ""
    held = one.all(condition)
    mine = next((other.key for other in held if other.source == source), None)
    if mine is not None:
        return mine
    return f"{condition}:{source}" if held else ""
