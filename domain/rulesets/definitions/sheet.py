"""The sheet of a combatant with arms, powers and items, and the options and map of a combat.

- Fields in feet end in `_ft`. Other distances are in squares.
- Modules `numbers`, `arms` and `board` derive the value of a field that is `null`.
- Spells, abilities and the effects of items are each a `Power`.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from domain.errors import Impossible, Malformed
from domain.record.combat import Json
from domain.rulebook.grid import GroundMap
from domain.rulebook.inputs import Needed, SquareInput
from domain.rulebook.ruleset import Sheet
from domain.rulebook.sheets import above_maximum, no_formula, no_square, twins

Number = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Feet = Annotated[int, Meta(ge=0, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Text = Annotated[str, Meta(max_length=200)]
Formula = Annotated[str, Meta(min_length=1, max_length=64)]
Score = Annotated[int, Meta(ge=0, le=200)]
Types = Name | Annotated[tuple[Name, ...], Meta(max_length=10)]
Size = Literal[
    "fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"
]
Ability = Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"]
SaveKind = Literal["fortitude", "reflex", "will"]
ShieldKind = Literal["buckler", "full", "tower"]
Cost = Literal["standard", "move", "swift", "free", "immediate", "full_round", "attack_action"]
AttackKind = Literal["none", "melee", "ranged", "melee-touch", "ranged-touch"]
SIZES: tuple[Size, ...] = get_args(Size)
ABILITIES: tuple[Ability, ...] = get_args(Ability)
TARGETS = (
    "attack", "touch", "damage", "ac", "initiative", "save-fortitude", "save-reflex", "save-will",
    "opposed-grapple", "opposed-strength", "opposed-dexterity", "level-check", "movement_ft",
)  # fmt: skip


class Abilities(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The six ability scores."""

    strength: Score = 10
    dexterity: Score = 10
    constitution: Score = 10
    intelligence: Score = 10
    wisdom: Score = 10
    charisma: Score = 10


class SizeModifiers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The size modifiers, each with its sign (DEF-SIZ-01)."""

    attack: Number = 0
    maneuver: Number = 0


class ArmorClass(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The components of the Armor Class, each a bonus of the type with the same name.

    A value below 0 is a penalty. `other` has no type.
    """

    armor: Number = 0
    shield: Number = 0
    natural: Number = 0
    parry: Number = 0
    dexterity: Number | None = None
    deflection: Number = 0
    dodge: Number = 0
    insight: Number = 0
    luck: Number = 0
    other: Number = 0


class Saves(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The complete bonuses of the three saves."""

    fortitude: Number = 0
    reflex: Number = 0
    will: Number = 0


class ExtraDamage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Extra dice that Affray rolls once and never multiplies (DEF-CRT-06)."""

    formula: Formula
    source: Text = ""
    damage_type: Types | None = None


class Reduction(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A reduction of each hit by `amount` points (DEF-DMG-08)."""

    amount: Count
    types: Literal["all"] | Annotated[tuple[Name, ...], Meta(max_length=20)] = "all"
    source: Text = ""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon.

    - `ability`: if `null`, melee attacks use Strength, and shots use Dexterity.
    - `ready`: if false, the weapon is not in hand at the start, unless `wielded` names it.
    """

    id: Name
    name: Name
    kind: Literal["melee", "ranged", "natural"] = "melee"
    damage: Formula
    damage_type: Types = "physical"
    crit_range: Annotated[int, Meta(ge=2, le=20)] = 20
    crit_multiplier: Annotated[int, Meta(ge=1, le=10)] = 2
    hands: Literal[1, 2] = 1
    reach: bool = False
    range_ft: Feet | None = None
    trained: bool = True
    disarming: bool = False
    grapple_ok: bool = False
    light: bool = False
    ability: Literal["strength", "dexterity"] | None = None
    damage_ability: Literal["strength", "dexterity", "none"] = "strength"
    damage_bonus: Number = 0
    attack_bonus: Number = 0
    non_lethal: bool = False
    extra_damage: Annotated[tuple[ExtraDamage, ...], Meta(max_length=10)] = ()
    ready: bool | None = None
    item_hp: Count | None = None
    hardness: Count | None = None


class Shield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shield. If `ac_bonus` is `null`, it is `armor_class.shield`, or 0 for a second shield."""

    id: Name
    kind: ShieldKind
    name: Name
    ac_bonus: Number | None = None
    attack_bonus: Number = 0
    damage_bonus: Number = 0
    crit_range: Annotated[int, Meta(ge=2, le=20)] = 20
    crit_multiplier: Annotated[int, Meta(ge=1, le=10)] = 2
    damage_type: Types = "blunt"
    non_lethal: bool = False
    item_hp: Count | None = None
    hardness: Count | None = None


class Focus(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Name
    name: Name


class Armor(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Worn armor. `check_penalty` may have either sign (DEF-UNT-01)."""

    name: Name
    trained: bool = True
    check_penalty: Number = 0
    item_hp: Count | None = None
    hardness: Count | None = None


class Wielded(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The ids of the weapon, shield or focus in each slot (DEF-WLD-01).

    If a field is absent, Affray fills the slot: `primary` with the first ready weapon, and
    `offhand` with the shield or focus. If a field is `null`, the slot is empty.
    """

    primary: Name | UnsetType | None = UNSET
    offhand: Name | UnsetType | None = UNSET


class Modifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to one number. If `type` is empty or `null`, it is untyped."""

    target: Name
    value: Number
    type: Annotated[str, Meta(max_length=60)] | None = None
    source: Text = ""
    until: Annotated[str, Meta(max_length=160)] | None = None


class GivenCondition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition that a sheet or a power gives."""

    id: Name
    until: Annotated[str, Meta(max_length=160)] | None = None
    source: Annotated[str, Meta(max_length=120)] | None = None
    data: dict[str, Json] = {}


class PowerSave(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The save against a power.

    `on_success` is `none`, `half`, or a text for the GM (DEF-CST-03).
    """

    kind: SaveKind
    dc: Number
    on_success: Text = "none"


class CounterspellData(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The data with which an entry counters a spell (DEF-CNT-03).

    If `check` or `dc` is `null`, the GM decides.
    """

    matches: Literal["any"] | Annotated[tuple[Name, ...], Meta(max_length=100)] = "any"
    check: Annotated[str, Meta(pattern=r"^(level-check|skill-[^\x00]+)$", max_length=80)] | None = (
        None
    )
    dc: Number | None = None
    extra: Count = 0


class Power(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell, an ability, or the effect of an item."""

    id: Name
    name: Name
    cost: Cost = "standard"
    provokes: bool = False
    attack: AttackKind = "none"
    save: PowerSave | None = None
    damage: Formula | None = None
    nld: Formula | None = None
    healing: Formula | None = None
    heals: Literal["hp", "nld", "both"] = "both"
    crit_range: Annotated[int, Meta(ge=2, le=20)] = 20
    crit_multiplier: Annotated[int, Meta(ge=1, le=10)] = 2
    damage_type: Types = "magic"
    extra_damage: Annotated[tuple[ExtraDamage, ...], Meta(max_length=10)] = ()
    range_ft: Feet | None = None
    somatic: bool = True
    verbal: bool = True
    counterspell: CounterspellData | None = None
    conditions: Annotated[tuple[GivenCondition, ...], Meta(max_length=20)] = ()
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=20)] = ()


class Spell(Power, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell. Casting provokes unless `provokes` is false (DEF-STD-04)."""

    provokes: bool = True


class AbilityEntry(Power, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An ability for the action `use-ability`."""


class Effect(Power, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of an item, as an ability without a name."""

    id: Name = "effect"
    name: Name = "effect"


class Item(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An item. If `stored` is `ground`, it lies at `at` (DEF-DIS-08)."""

    id: Name
    name: Name
    stored: Literal["bag", "easy", "ground"] = "bag"
    at: SquareInput | None = None
    in_hand: bool = False
    kind: Literal["potion", "oil", "other"] = "other"
    activation: Literal["none", "motion", "use", "command"] = "none"
    effect: Effect | None = None


class Feats(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    battle_prowess: Count = 0
    extra_counterspells: Count = 0
    extra_immediates: Count = 0
    weapon_fixation_unarmed: Number = 0
    signless_spell: bool = False
    swallow_bigger: bool = False


class Combatant(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sheet of a combatant."""

    size: Size = "medium"
    space: Annotated[int, Meta(ge=1, le=20)] | None = None
    natural_reach: Annotated[int, Meta(ge=0, le=50)] | None = None
    size_modifiers: SizeModifiers = SizeModifiers()
    abilities: Abilities = Abilities()
    hit_dice: Annotated[int, Meta(ge=1, le=1000)]
    hit_die: Annotated[int, Meta(ge=1, le=1000)] = 8
    max_hp: Annotated[int, Meta(ge=1, le=100_000)]
    hp: Count | None = None
    nld: Count = 0
    base_attack_bonus: Number
    armor_class: ArmorClass = ArmorClass()
    saves: Saves = Saves()
    initiative_bonus: Number | None = None
    movement_ft: Annotated[int, Meta(ge=0, le=5000, multiple_of=5)] = 30
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=50)] = ()
    wielded: Wielded = Wielded()
    armor: Armor | None = None
    shield: Shield | None = None
    second_shield: Shield | None = None
    focus: Focus | None = None
    second_focus: Focus | None = None
    skills: dict[Name, Number] = field(default_factory=dict)
    grapple_modifier: Number | None = None
    reductions: Annotated[tuple[Reduction, ...], Meta(max_length=50)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=100)] = ()
    abilities_list: Annotated[tuple[AbilityEntry, ...], Meta(max_length=100)] = ()
    feats: Feats = Feats()
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    potion_belt: bool = False
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=100)] = ()
    conditions: Annotated[tuple[GivenCondition, ...], Meta(max_length=50)] = ()


def in_offhand(sheet: Combatant) -> tuple[Shield | Focus, ...]:
    """Return the shields and foci, which may go into the offhand (DEF-WLD-03)."""
    every = (sheet.shield, sheet.second_shield, sheet.focus, sheet.second_focus)
    return tuple(thing for thing in every if thing is not None)


def powers(sheet: Combatant) -> Iterator[tuple[str, Power]]:
    """Yield spells, abilities and effects of items, each with its JSON pointer."""
    for index, spell in enumerate(sheet.spells):
        yield f"/spells/{index}", spell
    for index, ability in enumerate(sheet.abilities_list):
        yield f"/abilities_list/{index}", ability
    for index, item in enumerate(sheet.items):
        if item.effect is not None:
            yield f"/items/{index}/effect", item.effect


DEATH_ROLLS = ("all-equal", "stats-matter", "brutality")
DeathRoll = Annotated[str, Meta(extra_json_schema={"enum": list(DEATH_ROLLS)})]


class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of a combat. `death_roll` is required (DEF-GEN-01).

    If `rulings` is `default`, prompts to the GM take their defaults.
    """

    death_roll: Needed[DeathRoll] = None
    initiative_decimals: bool = False
    rulings: Literal["ask", "default"] = "ask"


Cell = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]


class Map(GroundMap, frozen=True, forbid_unknown_fields=True):
    """The map of a combat. Nobody can enter a `blocked` square."""

    blocked: Annotated[tuple[Cell, ...], Meta(max_length=20_000)] = ()


# ---- faults that types cannot express


def check(sheet: Combatant) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet, each with a pointer to the field."""
    yield from above_maximum(sheet, "hp")
    yield from _ids(sheet)
    yield from _slots(sheet)
    for index, weapon in enumerate(sheet.weapons):
        at = f"/weapons/{index}"
        yield from no_formula(f"{at}/damage", weapon.damage)
        yield from _extra(at, weapon.extra_damage)
    for at, power in powers(sheet):
        yield from _power(at, power)
    for index, item in enumerate(sheet.items):
        at = f"/items/{index}"
        if item.stored == "ground" and item.at is None:
            yield Malformed(f"{at}/at", "where does it lie? [x, y] or [x, y, z]")
        yield from no_square(f"{at}/at", item.at)
    yield from _modifiers("/modifiers", sheet.modifiers)
    yield from _ends("/conditions", sheet.conditions)


def _ids(sheet: Combatant) -> Iterator[Malformed]:
    yield from twins(sheet, "spells", "abilities_list", "items")
    held = [thing.id for thing in (*sheet.weapons, *in_offhand(sheet))]
    if len(set(held)) < len(held):
        yield Malformed("/weapons", "two weapons, shields or foci have the same id")


def _slots(sheet: Combatant) -> Iterator[Malformed | Impossible]:
    weapons = {weapon.id: weapon for weapon in sheet.weapons}
    offhand = tuple(thing.id for thing in in_offhand(sheet))
    primary, second = sheet.wielded.primary, sheet.wielded.offhand
    if primary in weapons and second in weapons and primary != second:
        detail = f"{primary!r} and {second!r} are two weapons at the same time"
        yield Impossible("DEF-WLD-06", "no-dual-wield", detail, offhand, "/wielded/offhand")
    elif isinstance(second, str) and second in weapons:
        detail = f"{second!r} is a weapon: it goes into the primary slot"
        yield Impossible("DEF-WLD-02", "weapon-primary-only", detail, offhand, "/wielded/offhand")
    elif isinstance(second, str) and second not in offhand:
        yield Malformed("/wielded/offhand", f"there is no shield or focus {second!r}", offhand)
    if isinstance(primary, str):
        if primary in weapons and weapons[primary].kind == "natural":
            yield Malformed("/wielded/primary", "a natural weapon takes no slot")
        elif primary not in weapons and primary not in offhand:
            known = [*weapons, *offhand]
            yield Malformed("/wielded/primary", f"there is nothing called {primary!r}", known)
        elif primary == second:
            yield Malformed("/wielded/offhand", "one thing is in one slot only")


def _power(at: str, power: Power) -> Iterator[Malformed]:
    for name in ("damage", "nld", "healing"):
        yield from no_formula(f"{at}/{name}", getattr(power, name))
    yield from _extra(at, power.extra_damage)
    yield from _modifiers(f"{at}/modifiers", power.modifiers)
    yield from _ends(f"{at}/conditions", power.conditions)
    if power.cost == "attack_action" and power.attack not in ("melee-touch", "ranged-touch"):
        detail = "an attack action is a melee touch or a ranged touch attack (DEF-TCH-07)"
        yield Malformed(f"{at}/cost", detail, ("melee-touch", "ranged-touch"))


def _extra(at: str, extra: tuple[ExtraDamage, ...]) -> Iterator[Malformed]:
    for index, extra_damage in enumerate(extra):
        yield from no_formula(f"{at}/extra_damage/{index}/formula", extra_damage.formula)


def _modifiers(at: str, modifiers: tuple[Modifier, ...]) -> Iterator[Malformed]:
    for index, modifier in enumerate(modifiers):
        skill = modifier.target.removeprefix("skill-")
        if modifier.target not in TARGETS and skill in ("", modifier.target):
            targets = (*TARGETS, "skill-<name>")
            yield Malformed(f"{at}/{index}/target", f"{modifier.target!r} is no target", targets)
    yield from _ends(at, modifiers)


def _ends(at: str, lasting: Sequence[Modifier | GivenCondition]) -> Iterator[Malformed]:
    for index, effect in enumerate(lasting):
        if not fits_until(effect.until):
            moments = ("turn-start:<name>", "round-end", "combat-end", "removed")
            yield Malformed(f"{at}/{index}/until", f"{effect.until!r} is no moment", moments)


def fits_until(until: str | None) -> bool:
    """Return true if the text names a moment of section 2.6."""
    if until is None or until in ("round-end", "combat-end", "removed"):
        return True
    return until.startswith("turn-start:") and until != "turn-start:"


def types(raw: Any) -> tuple[str, ...]:
    """Return the damage types as a tuple, even for a single type."""
    return (raw,) if isinstance(raw, str) else tuple(raw)
