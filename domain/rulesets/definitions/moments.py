"""Ends of effects: `turn-start:<name>`, `round-end`, `combat-end`, `removed` (DEF-TRN-02).

A sheet also brings conditions, modifiers that end, and things on the floor.
"""

import msgspec
from msgspec.structs import replace

from domain.record.combat import Combat, Combatant, Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.ruleset import identifier
from domain.rulesets.definitions import numbers
from domain.rulesets.definitions.conditions import CONDITIONS
from domain.rulesets.definitions.facts import GONE, GROUND, Lying
from domain.rulesets.definitions.sheet import GivenCondition, Modifier
from domain.rulesets.definitions.states import sheet_of


def named(combat: Combat, name: str) -> Id | None:
    """Return the combatant with this id or name."""
    if name in combat.combatants:
        return name
    return next((combatant.id for combatant in combat if combatant.name == name), None)


def until(combat: Combat, text: str | None) -> tuple[Until, ...]:
    """Return the moment of a condition's end, or nothing if the GM ends it."""
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


def beside(combatant: Combatant, condition: str, source: Id | None) -> str:
    """Return a key that keeps conditions of other sources.

    The engine gives keys to conditions that stack, and to those that only data name.
    """
    info = CONDITIONS.get(condition)
    if info is None or info.stacks:
        return ""
    held = combatant.all(condition)
    mine = next((other.key for other in held if other.source == source), None)
    if mine is not None:
        return mine
    return f"{condition}:{source}" if held else ""


def awaited(play: Play, who: Id) -> Procedure[None]:
    """Conditions of others' sheets that name the newcomer as their source."""
    names = (who, play.combat[who].name)
    for combatant in play.combat:
        for given in sheet_of(combatant).conditions:
            unbound = [held.key for held in combatant.all(given.id) if held.source is None]
            if unbound and given.source in names:
                rules = ("DEF-GEN-03",)
                bound = condition_gained(play.combat, combatant.id, given, None, rules)
                yield replace(bound, key=unbound[0])


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Yield only events. Consequences that the numbers already had end with them (DEF-NLD-04)."""
    combatant = play.combat[who]
    page = sheet_of(combatant)
    for given in page.conditions:
        if given == GivenCondition(id=given.id) and combatant.has(given.id):
            continue
        yield condition_gained(play.combat, who, given, None, ("DEF-GEN-03",))
    yield from awaited(play, who)
    for modifier in numbers.timed(play.combat[who]):
        yield modifier_gained(play.combat, who, modifier, None)
    lying = [item for item in page.items if item.stored == "ground"]
    if lying:
        lyings = tuple(
            Lying(id=item.id, kind="item", owner=who, at=item.at, data=msgspec.to_builtins(item))
            for item in lying
        )
        yield GROUND.set((*GROUND.of(play.combat), *lyings), rules=("DEF-DIS-08",))
        yield GONE.set(who, tuple(item.id for item in lying), rules=("DEF-DIS-08",))
