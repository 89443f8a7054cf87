"""Loading bows and crossbows by themselves (SOV-RLD)."""

from collections.abc import Iterator
from typing import Literal

from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, FactSet
from domain.rulesets.sovereign import arms, items
from domain.rulesets.sovereign.facts import LOADED
from domain.rulesets.sovereign.numbers import able, level, sheet_of
from domain.rulesets.sovereign.sheet import Weapon


def price(one: Combatant, weapon: Weapon) -> Literal["free", "move", "main"]:
    """Free with Shoot 1 or no skills; else a Move for a bow, a Main otherwise (SOV-RLD-03)."""
    skill = level(one, "shoot")
    if skill is None or skill >= 1:
        return "free"
    return "move" if weapon.kind == "bow" else "main"


def quiver(one: Combatant) -> bool:
    """A readied quiver, the own or a found one; with none on its sheet one is assumed
    (SOV-RLD-04)."""
    listed = any("quiver" in item.tags for item in sheet_of(one).items)
    return not listed or items.readied_with(one, "quiver")


def load(one: Combatant, weapons: dict[str, bool], rule: str) -> FactSet:
    return LOADED.set(one.id, {**LOADED.of(one), **weapons}, rules=(rule,))


def shot(combat: Combat, one: Combatant, weapon: Weapon) -> Iterator[AnyEvent]:
    """Unloaded by its shot; on the own turn loaded again where that is free (SOV-RLD-01, -02)."""
    yield load(one, {weapon.id: False}, "SOV-RLD-01")
    if one.id in combat.acting and reloads(combat, one, weapon):
        yield load(one, {weapon.id: True}, "SOV-RLD-02")


def by_itself(combat: Combat, one: Combatant) -> Iterator[AnyEvent]:
    """Load the weapons in hand at the start of the own turn (SOV-RLD-02)."""
    full = {
        weapon.id: True
        for weapon in arms.weapons(one)
        if not arms.loaded(one, weapon) and reloads(combat, one, weapon)
    }
    if full:
        yield load(one, full, "SOV-RLD-02")


def reloads(combat: Combat, one: Combatant, weapon: Weapon) -> bool:
    """A bow in hand, a quiver, and the skill to do it as a Free Action."""
    ready = arms.is_bow(weapon) and arms.held(one, weapon) and quiver(one)
    return ready and able(combat, one.id) and price(one, weapon) == "free"
