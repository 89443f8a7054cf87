"""The present numbers of a combatant: Armour Class, attack and save terms, hit dice.

Sums are Terms with their rules. Attack numbers are in `attack_numbers`.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import Term
from domain.rulebook.state_cache import once
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.conditions import DEAD_OR_DOWN
from domain.rulesets.vile_darkness.facts import CHARGED, ITEMS, SURPRISED_BUT_ACTS
from domain.rulesets.vile_darkness.hit_dice import hit_dice, save_band
from domain.rulesets.vile_darkness.options import Map, Options
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, Creature, Shield

ATTACKS_OF = Literal["all", "melee", "missile"]


def sheet(combatant: Combatant) -> Creature:
    """The sheet as sent."""
    return typed(combatant.sheet, Creature)


def options(combat: Combat) -> Options:
    """The table's choices."""
    return typed(combat.options, Options)


def map_of(combat: Combat) -> Map:
    """The map that was set, else the option's (2.6)."""
    if combat.map is not None:
        return typed(combat.map, Map)
    return options(combat).map or Map()


# ---- who can do anything


def fallen(combatant: Combatant) -> bool:
    """Down or dead (GAP-22)."""
    return combatant.has(*DEAD_OR_DOWN)


def is_only_down(combatant: Combatant) -> bool:
    """Down, and not dead."""
    return combatant.has("down") and not combatant.has("dead")


def is_kept_from_acting(combatant: Combatant) -> bool:
    """Under a condition with `cannot_act`; other flags matter when they come (VD-CONC-03)."""
    return any("cannot_act" in held.data.get("flags", ()) for held in combatant.conditions)


def is_barred(combatant: Combatant) -> bool:
    """Surprised, and not let act (GAP-19)."""
    return combatant.has("surprised") and not SURPRISED_BUT_ACTS.of(combatant)


def able(combatant: Combatant) -> bool:
    """Not down, not dead, under nothing with `cannot_act`, not surprised."""
    return not (
        combatant.left
        or fallen(combatant)
        or is_barred(combatant)
        or is_kept_from_acting(combatant)
    )


# ---- modifiers of conditions


def by_name(combatant: Combatant, what: str, rule: str) -> Iterator[Term]:
    """One modifier for each name of a condition: the strongest (GAP-57)."""
    strongest: dict[str, int] = {}
    for held in combatant.conditions:
        value = int(held.data.get("modifiers", {}).get(what, 0))
        if abs(value) > abs(strongest.get(held.id, 0)):
            strongest[held.id] = value
    for name, value in strongest.items():
        yield Term(name, value, rule)


# ---- Armour Class


def is_held(combatant: Combatant, shield: Shield) -> bool:
    """Whether it is in hand (GAP-49)."""
    changed = ITEMS.of(combatant)
    state = changed.get(shield.name, changed.get("shield"))
    return shield.held if state is None else state == "held"


def ac_terms(
    combat: Combat, combatant: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()
) -> Sum:
    """Return the permanent AC with bonuses and penalties, kept on the scale (GAP-26).

    Bonuses lower it, and penalties raise it (VD-AC-02).
    """
    card = sheet(combatant)
    base = card.ac if card.ac is not None else card.armour.ac if card.armour else 10
    total = Sum().add("AC", base, "VD-AC-01")
    if card.shield is not None:
        bonus = card.shield.ac_bonus
        if is_held(combatant, card.shield):
            total.add(card.shield.name, -bonus, "VD-AC-02", why="it gives none")
        else:
            total.lacks(card.shield.name, "it is not in hand", "VD-AC-02", "state", -bonus)
    for armour_modifier in card.ac_modifiers:
        label = armour_modifier.reason or "modifier"
        if armour_modifier.applies_to in ("all", kind):
            total.add(label, -armour_modifier.value, "VD-AC-02")
        else:
            why = f"it counts against {armour_modifier.applies_to} attacks only"
            total.lacks(label, why, "VD-AC-02", "sheet", -armour_modifier.value)
    for term in by_name(combatant, "ac", "VD-AC-02"):
        total.add(term.source, -term.value, term.rule, "condition", why="it changes no AC")
    total.add("charge", CHARGED.of(combatant), "VD-FAST-07", "state", why="it has not charged")
    for term in extra:
        total.add(term.source, -term.value, term.rule, "state", why="it changes nothing")
    if options(combat).clamp_ac:
        total.then("at-least", -10, "−10 is the best", "VD-AC-01", "option")
        total.then("at-most", 10, "10 is the worst", "VD-AC-01", "option")
    return total


@rule("VD-AC-02", "Bonuses lower Armour Class, penalties raise it. A held shield counts")
def effective_ac(
    combat: Combat, combatant: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()
) -> int:
    """AC less the sum of bonuses and penalties (VD-AC-02)."""
    return ac_terms(combat, combatant, kind, extra).value


# ---- saves


def save_number(combat: Combat, combatant: Combatant, category: str) -> int | None:
    """The sheet's, else the Monster Save Table's by save hit dice (GAP-23); None = the GM's."""
    card = sheet(combatant)
    if category in card.saves:
        return card.saves[category]
    dice = hit_dice(card)
    if dice is None:
        return None
    return (options(combat).monster_save_table or {}).get(save_band(dice), {}).get(category)


@rule("VD-CONC-06", "Maintaining carries no penalty")
def save_terms(combatant: Combatant, category: str, attributes: Iterable[str]) -> tuple[Term, ...]:
    """Return the terms of a save of this category against these attributes."""
    fitting = {"all", category, *attributes}
    return (
        *(
            Term(save_modifier.reason or "modifier", save_modifier.value, "VD-ATTR-01")
            for save_modifier in sheet(combatant).save_modifiers
            if save_modifier.applies_to in fitting
        ),
        *by_name(combatant, "saves", "VD-CONC-06"),
    )


# ---- attributes


@rule("VD-ATTR-01", "Abilities may carry attributes")
@rule("VD-ATTR-03", "An attribute can imply others: fear is mind-affecting")
def all_attributes(combat: Combat, attributes: Iterable[str]) -> set[str]:
    """Return the written attributes with those that they imply (VD-ATTR-03).

    Fear is mind-affecting.
    """
    implied = {"fear": ("mind-affecting",), **options(combat).attribute_implies}
    found: set[str] = set()
    waiting = list(attributes)
    while waiting:
        attribute = waiting.pop()
        if attribute not in found:
            found.add(attribute)
            waiting += implied.get(attribute, ())
    return found


@rule("VD-ATTR-02", "Immune to an attribute: no roll, no effect")
def is_immune(combat: Combat, combatant: Combatant, attributes: Iterable[str]) -> bool:
    """Immune to an attribute that the effect carries or implies (VD-ATTR-02)."""
    return not all_attributes(combat, attributes).isdisjoint(sheet(combatant).immunities)


# ---- things


def ability_of(combatant: Combatant, id: str | None) -> Ability | None:
    return next((ability for ability in sheet(combatant).abilities if ability.id == id), None)


def state_of(combatant: Combatant, thing: str) -> str:
    """held, stowed or gone (GAP-58)."""
    changed = ITEMS.of(combatant).get(thing)
    if changed is not None:
        return changed
    listed = next((item for item in sheet(combatant).items if item.id == thing), None)
    return "stowed" if listed is not None and not listed.held else "held"


# ---- engagement


def engaged_with(combatant: Combatant) -> tuple[Id, ...]:
    """Return its opponents in melee, pair by pair."""
    return tuple(held.key for held in combatant.conditions if held.id == "engaged")


@once
def zone(combat: Combat, who: Id) -> frozenset[Id]:
    """All who are linked to it by engagement, itself included (VD-MELEE-01, GAP-30)."""
    found: set[Id] = set()
    waiting = [who]
    while waiting:
        one = waiting.pop()
        if one not in found and one in combat.combatants:
            found.add(one)
            waiting += engaged_with(combat[one])
    return frozenset(found)


def wound_word(combat: Combat, who: Id) -> str:
    """How it looks to a foe."""
    combatant = combat[who]
    for word in ("dead", "down"):
        if combatant.has(word):
            return word
    hp = combatant.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    return "bloodied" if hp.value * 2 <= hp.maximum else "wounded"


def in_fight(combat: Combat, who: Id) -> bool:
    """Still takes part: neither fallen nor gone."""
    combatant = combat.combatants.get(who)
    return combatant is not None and not combatant.left and not fallen(combatant)
