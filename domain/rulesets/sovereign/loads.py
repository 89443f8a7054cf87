"""Loading bows and crossbows by themselves (SOV-RLD)."""

from collections.abc import Iterator
from typing import Literal

from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, FactSet
from domain.rulesets.sovereign import arms, items
from domain.rulesets.sovereign.facts import LOADED
from domain.rulesets.sovereign.numbers import able, level, sheet_of
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Weapon


@rule("SOV-RLD-03", "Below that a Move for a bow, a Main for a crossbow")
def price(combatant: Combatant, weapon: Weapon) -> Literal["free", "move", "main"]:
    """Free with Shoot 1 or no skills; else a Move for a bow, a Main otherwise (SOV-RLD-03)."""
    skill = level(combatant, "shoot")
    if skill is None or skill >= 1:
        return "free"
    return "move" if weapon.kind == "bow" else "main"


@rule("SOV-RLD-04", "A readied quiver is needed")
def quiver(combatant: Combatant) -> bool:
    """A readied quiver, the own or a found one; with none on its sheet one is assumed
    (SOV-RLD-04)."""
    listed = any("quiver" in item.tags for item in sheet_of(combatant).items)
    return not listed or items.readied_with(combatant, "quiver")


def load(combatant: Combatant, weapons: dict[str, bool], rule: str) -> FactSet:
    return LOADED.set(combatant.id, {**LOADED.of(combatant), **weapons}, rules=(rule,))


@rule("SOV-RLD-01", "A shot unloads, and unloaded nothing is shot")
def shot(combat: Combat, combatant: Combatant, weapon: Weapon) -> Iterator[AnyEvent]:
    """Unloaded by its shot; on the own turn loaded again where that is free (SOV-RLD-01, -02)."""
    yield load(combatant, {weapon.id: False}, "SOV-RLD-01")
    if combatant.id in combat.acting and reloads(combat, combatant, weapon):
        yield load(combatant, {weapon.id: True}, "SOV-RLD-02")


@rule("SOV-RLD-02", "With Shoot 1 loading is free and happens by itself")
def by_itself(combat: Combat, combatant: Combatant) -> Iterator[AnyEvent]:
    """Load the weapons in hand at the start of the own turn (SOV-RLD-02)."""
    full = {
        weapon.id: True
        for weapon in arms.weapons(combatant)
        if not arms.loaded(combatant, weapon) and reloads(combat, combatant, weapon)
    }
    if full:
        yield load(combatant, full, "SOV-RLD-02")


def reloads(combat: Combat, combatant: Combatant, weapon: Weapon) -> bool:
    """A bow in hand, a quiver, and the skill to do it as a Free Action."""
    ready = arms.is_bow(weapon) and arms.held(combatant, weapon) and quiver(combatant)
    return ready and able(combat, combatant.id) and price(combatant, weapon) == "free"
