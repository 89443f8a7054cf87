"""Derive the Armour Class, hit dice and attack numbers of a combatant."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import Term
from domain.rulebook.state_cache import once
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.facts import CHARGED, DEAD_OR_DOWN, ITEMS, SURPRISED_BUT_ACTS
from domain.rulesets.vile_darkness.options import Map, Options
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import (
    HIT_DICE,
    Ability,
    AttackNumber,
    ClassLevel,
    Creature,
    Shield,
)

ATTACKS_OF = Literal["all", "melee", "missile"]


def sheet(combatant: Combatant) -> Creature:
    """Return the combatant's sheet."""
    return typed(combatant.sheet, Creature)


def options(combat: Combat) -> Options:
    """Return the options of the table."""
    return typed(combat.options, Options)


def map_of(combat: Combat) -> Map:
    """Return the map of the combat, or the map of its options."""
    if combat.map is not None:
        return typed(combat.map, Map)
    return options(combat).map or Map()


# ---- ability to act


def fallen(combatant: Combatant) -> bool:
    """Return true if the combatant is down or dead (GAP-22)."""
    return combatant.has(*DEAD_OR_DOWN)


def is_only_down(combatant: Combatant) -> bool:
    """Return true if the combatant is down and not dead."""
    return combatant.has("down") and not combatant.has("dead")


def is_kept_from_acting(combatant: Combatant) -> bool:
    """Return true if a condition has the flag `cannot_act` (VD-CONC-03)."""
    held = combatant.conditions
    return bool(held) and any("cannot_act" in condition.data.get("flags", ()) for condition in held)


def is_barred(combatant: Combatant) -> bool:
    """Return true if the combatant is surprised and may not act (GAP-19)."""
    return combatant.has("surprised") and not SURPRISED_BUT_ACTS.of(combatant)


def able(combatant: Combatant) -> bool:
    """Return true if the combatant is present, not down or dead, and free to act."""
    return not (
        combatant.left
        or fallen(combatant)
        or is_barred(combatant)
        or is_kept_from_acting(combatant)
    )


# ---- modifiers of conditions


def by_name(combatant: Combatant, what: str, rule: str) -> Iterator[Term]:
    """Yield the strongest modifier of the conditions of each name (GAP-57)."""
    strongest: dict[str, int] = {}
    for held in combatant.conditions:
        value = int(held.data.get("modifiers", {}).get(what, 0))
        if abs(value) > abs(strongest.get(held.id, 0)):
            strongest[held.id] = value
    for name, value in strongest.items():
        yield Term(name, value, rule)


# ---- Armour Class


def is_held(combatant: Combatant, shield: Shield) -> bool:
    """Return true if the shield is in hand (GAP-49)."""
    changed = ITEMS.of(combatant)
    state = changed.get(shield.name, changed.get("shield"))
    return shield.held if state is None else state == "held"


def ac_terms(
    combat: Combat, combatant: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()
) -> Sum:
    """Return the AC as a sum of the permanent AC and all changes, limited to the scale (GAP-26).

    Bonuses lower the AC, and penalties raise it (VD-AC-02).
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


@rule("VD-AC-02", "Bonuses lower Armour Class and penalties raise it, and a held shield counts")
def effective_ac(
    combat: Combat, combatant: Combatant, kind: ATTACKS_OF, extra: Iterable[Term] = ()
) -> int:
    """Return the AC after all bonuses and penalties (VD-AC-02)."""
    return ac_terms(combat, combatant, kind, extra).value


# ---- saves


def save_number(combat: Combat, combatant: Combatant, category: str) -> int | None:
    """Return the number for a save from the sheet or the Monster Save Table (GAP-23).

    If neither has a number, return `None`. The GM then decides.
    """
    card = sheet(combatant)
    if category in card.saves:
        return card.saves[category]
    dice = hit_dice(card)
    if dice is None:
        return None
    return (options(combat).monster_save_table or {}).get(save_band(dice), {}).get(category)


@rule("VD-CONC-06", "Maintaining an ability has no penalty")
def save_terms(combatant: Combatant, category: str, attributes: Iterable[str]) -> tuple[Term, ...]:
    """Return the terms of a save of this category against a cause with these attributes."""
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


@rule("VD-ATTR-01", "An ability can have attributes")
@rule("VD-ATTR-03", "An attribute can imply others, such as fear, which is mind-affecting")
def all_attributes(combat: Combat, attributes: Iterable[str]) -> set[str]:
    """Return the attributes and all attributes that they imply (VD-ATTR-03).

    For example, fear implies mind-affecting.
    """
    implied = {"fear": ("mind-affecting",), **options(combat).attribute_implies}
    known: set[str] = set()
    waiting = list(attributes)
    while waiting:
        attribute = waiting.pop()
        if attribute not in known:
            known.add(attribute)
            waiting += implied.get(attribute, ())
    return known


@rule(
    "VD-ATTR-02", "A combatant that is immune to an attribute needs no roll and suffers no effect"
)
def is_immune(combat: Combat, combatant: Combatant, attributes: Iterable[str]) -> bool:
    """Return true if the combatant is immune to a given or implied attribute of an effect.

    VD-ATTR-02.
    """
    return not all_attributes(combat, attributes).isdisjoint(sheet(combatant).immunities)


# ---- items


def ability_of(combatant: Combatant, id: str | None) -> Ability | None:
    return next((ability for ability in sheet(combatant).abilities if ability.id == id), None)


def state_of(combatant: Combatant, thing: str) -> str:
    """Return the state of an item, which is held, stowed or gone (GAP-58)."""
    changed = ITEMS.of(combatant).get(thing)
    if changed is not None:
        return changed
    listed = next((item for item in sheet(combatant).items if item.id == thing), None)
    return "stowed" if listed is not None and not listed.held else "held"


# ---- engagement


def engaged_with(combatant: Combatant) -> tuple[Id, ...]:
    """Return the opponents with which the combatant is in melee."""
    return tuple(held.key for held in combatant.conditions if held.id == "engaged")


@once
def zone(combat: Combat, who: Id) -> frozenset[Id]:
    """Return the combatant and all combatants that melees link to it (VD-MELEE-01, GAP-30)."""
    linked: set[Id] = set()
    waiting = [who]
    while waiting:
        other = waiting.pop()
        if other not in linked and other in combat.combatants:
            linked.add(other)
            waiting += engaged_with(combat[other])
    return frozenset(linked)


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word that describes the combatant's wounds to a foe."""
    combatant = combat[who]
    for word in ("dead", "down"):
        if combatant.has(word):
            return word
    hp = combatant.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    return "bloodied" if hp.value * 2 <= hp.maximum else "hurt"


def in_fight(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is present and has not fallen."""
    combatant = combat.combatants.get(who)
    return combatant is not None and not combatant.left and not fallen(combatant)


# ---- hit dice N+B (VD-HD, VD-EHD)


class HitDice(Struct, frozen=True):
    """Hit dice written N+B. `base` is N, and `enhancement` is B, or 0 (VD-EHD-01)."""

    base: int
    enhancement: int = 0


@rule("VD-EHD-01", "Hit dice are written N+B, and B is 0 without a bonus")
def hit_dice(sheet: Creature) -> HitDice | None:
    """Return the hit dice of the sheet, or `None` if they are not written N or N+B."""
    match = None if sheet.hit_dice is None else HIT_DICE.fullmatch(sheet.hit_dice)
    return None if match is None else HitDice(int(match[1]), int(match[2] or 0))


def attack_dice(dice: HitDice) -> Sum:
    """Return the hit dice for attacks (VD-EHD-02).

    An enhancement of 4 or more adds one hit die. A smaller enhancement adds no hit die.
    """
    more = 1 if dice.enhancement >= 4 else 0
    total = Sum().add("hit dice", dice.base, "VD-EHD-01")
    return total.add("enhancement", more, "VD-EHD-02", why="it is less than +4")


def attack_hd(dice: HitDice) -> int:
    """Return the number of hit dice for attacks."""
    return attack_dice(dice).value


@rule(
    "VD-EHD-02", "For attacks, +1 to +3 gives the plus line, and +4 or more counts as one hit die"
)
def attack_band(dice: HitDice) -> str:
    """Return the row of the Monster Attack Table for these hit dice (VD-EHD-02).

    The rows are `1`, `1+`, and then pairs such as `2-3+`, whose first number is even.
    """
    hd = attack_hd(dice)
    if hd == 1:
        return "1+" if dice.enhancement else "1"
    first = hd - hd % 2
    return f"{first}-{first + 1}+"


@rule(
    "VD-EHD-03", "For saves, each four points of the bonus, or part of four, count as one hit die"
)
def save_dice(dice: HitDice) -> Sum:
    """Return the hit dice for saves (VD-EHD-03).

    Each four points of the enhancement add one hit die, without a limit. A remainder of one to
    three points adds one more hit die.
    """
    total = Sum().add("hit dice", dice.base, "VD-EHD-01")
    return total.add("enhancement", -(-dice.enhancement // 4), "VD-EHD-03", why="it has none")


def save_hd(dice: HitDice) -> int:
    """Return the number of hit dice for saves."""
    return save_dice(dice).value


def save_band(dice: HitDice) -> str:
    """Return the row of the Monster Save Table, such as `3-4` (VD-EHD-03)."""
    first = save_hd(dice) - 1 + save_hd(dice) % 2
    return f"{first}-{first + 1}"


@rule("VD-EHD-04", "For other effects, the hit dice are the same as for saves")
def overall_dice(dice: HitDice) -> Sum:
    """Return the hit dice for effects other than attacks and saves (VD-EHD-04)."""
    return Sum().nests("hit dice for saves", save_dice(dice), "VD-EHD-04")


@rule("VD-EHD-05", "Hit points add the bonus once for each hit die")
def hit_points(dice: HitDice) -> str:
    """Return the formula of hit points, such as 4d8+16 for 4+4 (VD-EHD-05)."""
    extra = dice.base * dice.enhancement
    return f"{dice.base}d8+{extra}" if extra else f"{dice.base}d8"


@rule("VD-EHD-06", "Morale checks add the bonus of the hit dice")
def morale_bonus(sheet: Creature) -> int:
    """Return the bonus to morale checks, which is the enhancement (VD-EHD-06)."""
    dice = hit_dice(sheet)
    return dice.enhancement if dice else 0


# ---- the number that an attack needs (VD-AAC0)


rule(
    "VD-AAC0-03",
    "A table has exactly six 20s, and then one more for each point of AC",
    f"{__name__}.TWENTIES",
)
TWENTIES = 6
"The number of 20s in a row in every table (VD-AAC0-03)."

Source = AttackNumber | Mapping[str, int]
"An AAC0, or a table with a number for each Armour Class."


@rule("VD-AAC0-01", "The AAC0 gives the number for each Armour Class")
@rule("VD-AAC0-02", "The AAC0 20* also needs 20 against AC 1")
def needed(source: Source, ac: int) -> int:
    """Return the number that an attack needs against an Armour Class.

    - A table contains the number.
    - With an AAC0, the number rises by one when the AC falls by one (VD-AAC0-01). Six Armour
      Classes in a row need a 20 (VD-AAC0-03).
    - With `20*`, the first of these six is AC 1 (VD-AAC0-02).
    """
    if isinstance(source, Mapping):
        return source[str(max(-10, min(10, ac)))]
    raw = _base(source) - ac
    return raw if raw <= 20 else max(20, raw - (TWENTIES - 1))


def needed_sum(source: Source, ac: Sum) -> Sum:
    """Return the needed number as a sum of the AAC0, the Armour Class and the 20s in a row.

    A number from a table has only one term (VD-AAC0-01).
    """
    number = needed(source, ac.value)
    if isinstance(source, Mapping):
        return Sum().add(f"table for AC {ac.value}", number, "VD-HD-01")
    terms = (Term(term.source, -term.value, term.rule) for term in ac.addends())
    made = Sum().add("AAC0", _base(source), "VD-AAC0-01").take(terms)
    return made.add("20s in a row", number - made.value, "VD-AAC0-03")


def _base(source: Source) -> int:
    """Return the number against AC 0. `20*` counts as 21, because it is worse than 20."""
    if isinstance(source, Mapping):
        return source["0"]
    return 21 if source == "20*" else int(source)


@rule("VD-ATK-07", "An attack's own AAC0 replaces the attacker's")
@rule("VD-AAC0-05", "A class without a table only needs an AAC0")
@rule("VD-HD-01", "Members of a class use its table, and others use their hit dice")
@rule(
    "VD-HD-02",
    "A creature uses its racial hit dice, or a better class table if the class level is higher",
)
def source_of(sheet: Creature, options: Options, own: AttackNumber | None = None) -> Source | None:
    """Return the source of a creature's attack numbers, or `None` if it has none (GAP-24).

    The first of these counts:

    1. the AAC0 of the attack (VD-ATK-07)
    2. the table of the sheet
    3. the AAC0 of the sheet
    4. the classes and hit dice
    """
    if own is not None:
        return own
    if sheet.attack_table is not None:
        return sheet.attack_table
    if sheet.aac0 is not None:
        return sheet.aac0
    return _derived(sheet, options)


def _derived(sheet: Creature, options: Options) -> Source | None:
    """Return the source that follows from classes and hit dice (VD-HD-01).

    - A creature with racial hit dice uses them, or a class of a higher level if that is better
      (GAP-25).
    - Any other creature uses its best class, or its hit dice if it has no class.
    """
    dice = hit_dice(sheet)
    racial = sheet.hit_dice is not None if sheet.racial_hit_dice is None else sheet.racial_hit_dice
    by_dice: Source | None = None
    if dice is not None:
        by_dice = (options.monster_attack_table or {}).get(attack_band(dice))
    if dice is None or not racial:
        by_class = _best(_class_sources(sheet.classes, options))
        return by_dice if by_class is None else by_class
    higher = [
        class_level for class_level in sheet.classes if class_level.level > attack_hd(dice)
    ]  # VD-HD-02
    return _best([*([] if by_dice is None else [by_dice]), *_class_sources(higher, options)])


def _class_sources(
    classes: tuple[ClassLevel, ...] | list[ClassLevel], options: Options
) -> Iterator[Source]:
    """Yield the attack numbers of the classes (VD-AAC0-05).

    They come from the sheet, or from the option `class_attack_tables`.
    """
    for class_level in classes:
        if class_level.attack_table is not None:
            yield class_level.attack_table
        elif class_level.aac0 is not None:
            yield class_level.aac0
        else:
            for row in (options.class_attack_tables or {}).get(class_level.name, ()):
                own = row.aac0 if row.table is None else row.table
                if row.has(class_level.level) and own is not None:
                    yield own
                    break


def _best(sources: Iterator[Source] | list[Source]) -> Source | None:
    """Return the source with the lowest number against AC 0, or `None`."""
    return min(sources, key=_base, default=None)
