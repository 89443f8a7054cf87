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
from domain.rulesets.vile_darkness.sheet import Ability, Creature, Shield

ATTACKS_OF = Literal["all", "melee", "missile"]


def sheet(one: Combatant) -> Creature:
    """The sheet as sent."""
    return typed(one.sheet, Creature)


def options(combat: Combat) -> Options:
    """The table's choices."""
    return typed(combat.options, Options)


def map_of(combat: Combat) -> Map:
    """The map that was set, else the option's (2.6)."""
    if combat.map is not None:
        return typed(combat.map, Map)
    return options(combat).map or Map()


# ---- who can do anything


def fallen(one: Combatant) -> bool:
    """Down or dead (GAP-22)."""
    return one.has(*DEAD_OR_DOWN)


def is_only_down(one: Combatant) -> bool:
    """Down, and not dead."""
    return one.has("down") and not one.has("dead")


def is_kept_from_acting(one: Combatant) -> bool:
    """Under a condition with `cannot_act`; other flags matter when they come (VD-CONC-03)."""
    return any("cannot_act" in held.data.get("flags", ()) for held in one.conditions)


def is_barred(one: Combatant) -> bool:
    """Surprised, and not let act (GAP-19)."""
    return one.has("surprised") and not SURPRISED_BUT_ACTS.of(one)


def able(one: Combatant) -> bool:
    """Not down, not dead, under nothing with `cannot_act`, not surprised."""
    return not (one.left or fallen(one) or is_barred(one) or is_kept_from_acting(one))


# ---- modifiers of conditions


def by_name(one: Combatant, what: str, rule: str) -> Iterator[Term]:
    """One modifier for each name of a condition: the strongest (GAP-57)."""
    strongest: dict[str, int] = {}
    for held in one.conditions:
        value = int(held.data.get("modifiers", {}).get(what, 0))
        if abs(value) > abs(strongest.get(held.id, 0)):
            strongest[held.id] = value
    for name, value in strongest.items():
        yield Term(name, value, rule)


# ---- Armour Class


def is_held(one: Combatant, shield: Shield) -> bool:
    """Whether it is in hand (GAP-49)."""
    changed = ITEMS.of(one)
    state = changed.get(shield.name, changed.get("shield"))
    return shield.held if state is None else state == "held"


def ac_terms(combat: Combat, one: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()) -> Sum:
    """Return the permanent AC with bonuses and penalties, kept on the scale (GAP-26).

    Bonuses lower it, and penalties raise it (VD-AC-02).
    """
    card = sheet(one)
    base = card.ac if card.ac is not None else card.armour.ac if card.armour else 10
    found = Sum().add("AC", base, "VD-AC-01")
    if card.shield is not None:
        bonus = card.shield.ac_bonus
        if is_held(one, card.shield):
            found.add(card.shield.name, -bonus, "VD-AC-02", why="it gives none")
        else:
            found.lacks(card.shield.name, "it is not in hand", "VD-AC-02", "state", -bonus)
    for each in card.ac_modifiers:
        label = each.reason or "modifier"
        if each.applies_to in ("all", kind):
            found.add(label, -each.value, "VD-AC-02")
        else:
            why = f"it counts against {each.applies_to} attacks only"
            found.lacks(label, why, "VD-AC-02", "sheet", -each.value)
    for term in by_name(one, "ac", "VD-AC-02"):
        found.add(term.source, -term.value, term.rule, "condition", why="it changes no AC")
    found.add("charge", CHARGED.of(one), "VD-FAST-07", "state", why="it has not charged")
    for term in extra:
        found.add(term.source, -term.value, term.rule, "state", why="it changes nothing")
    if options(combat).clamp_ac:
        found.then("at-least", -10, "−10 is the best", "VD-AC-01", "option")
        found.then("at-most", 10, "10 is the worst", "VD-AC-01", "option")
    return found


def effective_ac(
    combat: Combat, one: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()
) -> int:
    """AC less the sum of bonuses and penalties (VD-AC-02)."""
    return ac_terms(combat, one, kind, extra).value


# ---- saves


def save_number(combat: Combat, one: Combatant, category: str) -> int | None:
    """The sheet's, else the Monster Save Table's by save hit dice (GAP-23); None = the GM's."""
    card = sheet(one)
    if category in card.saves:
        return card.saves[category]
    dice = hit_dice(card)
    if dice is None:
        return None
    return (options(combat).monster_save_table or {}).get(save_band(dice), {}).get(category)


def save_terms(one: Combatant, category: str, attributes: Iterable[str]) -> tuple[Term, ...]:
    """Return the terms of a save of this category against these attributes."""
    fitting = {"all", category, *attributes}
    return (
        *(
            Term(each.reason or "modifier", each.value, "VD-ATTR-01")
            for each in sheet(one).save_modifiers
            if each.applies_to in fitting
        ),
        *by_name(one, "saves", "VD-CONC-06"),
    )


# ---- attributes


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


def is_immune(combat: Combat, one: Combatant, attributes: Iterable[str]) -> bool:
    """Immune to an attribute that the effect carries or implies (VD-ATTR-02)."""
    return not all_attributes(combat, attributes).isdisjoint(sheet(one).immunities)


# ---- things


def ability_of(one: Combatant, id: str | None) -> Ability | None:
    return next((each for each in sheet(one).abilities if each.id == id), None)


def state_of(one: Combatant, thing: str) -> str:
    """held, stowed or gone (GAP-58)."""
    changed = ITEMS.of(one).get(thing)
    if changed is not None:
        return changed
    listed = next((each for each in sheet(one).items if each.id == thing), None)
    return "stowed" if listed is not None and not listed.held else "held"


# ---- engagement


def engaged_with(one: Combatant) -> tuple[Id, ...]:
    """Return its opponents in melee, pair by pair."""
    return tuple(held.key for held in one.conditions if held.id == "engaged")


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
    one = combat[who]
    for word in ("dead", "down"):
        if one.has(word):
            return word
    hp = one.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    return "bloodied" if hp.value * 2 <= hp.maximum else "wounded"


def in_fight(combat: Combat, who: Id) -> bool:
    """Still takes part: neither fallen nor gone."""
    one = combat.combatants.get(who)
    return one is not None and not one.left and not fallen(one)
