"""The sheet of a combatant and the options of the table.

The names of distances in feet end in `_ft`. Attributes are scores on the sheet and modifiers in
every sum.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from domain.errors import Malformed
from domain.record.combat import Json, Track
from domain.rulebook.grid import GroundMap
from domain.rulebook.input_reader import pointing
from domain.rulebook.inputs import SquareInput
from domain.rulebook.ruleset import Sheet
from domain.rulebook.sheets import above_maximum, no_formula, no_square, twins
from domain.rulesets.sovereign.conditions import fitting

Number = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Feet = Annotated[int, Meta(ge=0, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Formula = Annotated[str, Meta(min_length=1, max_length=64)]
Score = Annotated[int, Meta(ge=3, le=18)]
Level = Annotated[int, Meta(ge=-1, le=4)]
Attribute = Literal["str", "dex", "con", "int", "wis"]
Skill = Literal["brawl", "shoot", "stab", "exert", "heal", "know", "magic", "notice", "sneak"]
Save = Literal["physical", "evasion", "mental"]
Alertness = Literal["normal", "careful", "anticipating", "unsuspecting"]
WeaponState = Literal["in-hand", "sheathed", "stowed", "dropped"]
ActionType = Literal["main", "move", "free", "instant"]


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The normal and the long range of a weapon, in feet."""

    normal: Feet
    long: Feet


class ShockRating(Struct, frozen=True, forbid_unknown_fields=True):
    """A Shock rating. If `ac` is `null`, the Shock hurts at any AC."""

    value: Number
    ac: Number | None = None


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon.

    - `attributes`, `skill`, `hands`: if missing, `kind` decides.
    - `state`: if `null`, the weapons that `wielding` names are in hand, and others are sheathed. If
      `wielding` is `null`, only the first weapon is in hand.
    """

    id: Name
    name: Name
    kind: Literal["melee", "thrown", "bow", "crossbow", "ranged"]
    damage: Formula
    attributes: Annotated[tuple[Literal["str", "dex"], ...], Meta(max_length=2)] = ()
    skill: Literal["brawl", "stab", "shoot"] | None = None
    hands: Literal[1, 2] | None = None
    reach_ft: Feet = 5
    range: Range | None = None
    shock: ShockRating | None = None
    magic_bonus: Number = 0
    non_lethal: bool = False
    natural: bool = False
    unblockable: bool = False
    loaded: bool = True
    count: Count = 1
    state: WeaponState | None = None


class Unarmed(Weapon, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The unarmed attack. Only its dice are required."""

    id: Name = "unarmed"
    name: Name = "unarmed"
    kind: Literal["melee", "thrown", "bow", "crossbow", "ranged"] = "melee"
    skill: Literal["brawl", "stab", "shoot"] | None = "brawl"
    non_lethal: bool = True


class Attributes(Struct, frozen=True, forbid_unknown_fields=True):
    """The scores of the five attributes, from 3 to 18."""

    strength: Score | None = None
    dexterity: Score | None = None
    constitution: Score | None = None
    intelligence: Score | None = None
    wisdom: Score | None = None


class Shield(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name = "shield"
    held: bool = True
    ac_bonus: Number = 0


class Modifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty with its reason.

    `applies_to` is `all`, `melee`, `ranged` or a save. `weapon` is the id of the only weapon to
    which the modifier applies.
    """

    value: Number
    reason: Annotated[str, Meta(max_length=200)] = ""
    applies_to: Literal["all", "melee", "ranged", "physical", "evasion", "mental"] = "all"
    weapon: Name | None = None
    adds_to_shock: bool = False


class Saves(Struct, frozen=True, forbid_unknown_fields=True):
    physical: Number | None = None
    evasion: Number | None = None
    mental: Number | None = None


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of an ability, an item or a spell. `type` decides which fields count."""

    type: Literal[
        "miss-to-hit",
        "hit-to-miss",
        "reroll",
        "modifier",
        "damage",
        "heal",
        "condition",
        "shock-immune",
    ]
    value: Number = 0
    dice: Formula | None = None
    condition: Name | None = None
    data: dict[str, Any] = {}
    until: Annotated[str, Meta(max_length=120)] | None = None
    system_strain: Count = 0
    non_lethal: bool = False


class Item(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An item. If its `state` is `dropped`, it lies on the square `at`."""

    id: Name
    name: Name
    state: Literal["readied", "stowed", "dropped"] = "readied"
    at: SquareInput | None = None
    enc: Count = 1
    tags: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    effect: Effect | None = None


class Ability(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A power, a feat or an ability that an item grants.

    `windows` lists the moments at which an Instant is possible.
    """

    id: Name
    name: Name
    action: ActionType = "instant"
    windows: Annotated[
        tuple[Literal["declared", "attack-rolled", "rolled", "any"], ...], Meta(max_length=4)
    ] = ("any",)
    trigger: Literal["own-attack", "attack-against-self", "any"] = "any"
    effects: Annotated[tuple[Effect, ...], Meta(max_length=10)] = ()
    uses: Count | None = None
    per: Literal["round", "combat"] = "combat"


class SpellSave(Struct, frozen=True, forbid_unknown_fields=True):
    type: Save
    on_success: Literal["none", "half", "negates"] = "negates"


class SheetCondition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition from data.

    `until` is `round`, `round-end` or `next-turn`. The GM ends a condition with any other value.
    """

    id: Name
    until: Annotated[str, Meta(max_length=120)] | None = None
    data: dict[str, Any] = {}


class Spell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Name
    name: Name
    action: ActionType = "main"
    range_ft: Feet | None = None
    targets: Annotated[int, Meta(ge=0, le=100)] = 1
    radius_ft: Feet | None = None
    attack: bool = False
    damage: Formula | None = None
    heal: Formula | None = None
    save: SpellSave | None = None
    conditions: Annotated[tuple[SheetCondition, ...], Meta(max_length=20)] = ()
    needs_los: bool = True
    interruptible: bool = True
    provokes: bool = False
    uses: Count | None = None


class Strain(Struct, frozen=True, forbid_unknown_fields=True):
    """The pool of system strain, to which some healing adds."""

    current: Count = 0
    max: Count = 10


class Combatant(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sheet of a combatant. Affray derives each field that is `null` (`numbers`)."""

    kind: Literal["character", "npc"]
    group: Name | None = None
    space: Annotated[int, Meta(ge=1, le=20)] = 1
    level: Annotated[int, Meta(ge=1, le=100)] = 1
    hd: Annotated[int, Meta(ge=0, le=100)] = 1
    attributes: Attributes | None = None
    modifiers: Mapping[Attribute, Number] = field(default_factory=dict)
    skills: dict[Skill, Level] | None = None
    skill_modifier: Number = 0
    attack_bonus: Number | None = None
    max_hp: Annotated[int, Meta(ge=1, le=100_000)]
    hp: Count | None = None
    ac: Number
    shield: Shield | None = None
    ac_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    attack_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    damage_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    shock_immune: bool = False
    movement_ft: Annotated[int, Meta(ge=0, le=5000)] = 30
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=50)] = ()
    unarmed: Unarmed | None = None
    wielding: tuple[Name, Name] | None = None
    can_dual_wield: bool | None = None
    disciplined: bool | None = None
    important: bool | None = None
    morale: Literal["player", "normal", "fearless"] | None = None
    alertness: Alertness = "normal"
    hidden: bool = False
    size_category: Literal["man-sized", "larger-humanoid", "barely-plausible", "impossible"] = (
        "man-sized"
    )
    size_ft: Feet | None = None
    saves: Saves = Saves()
    save_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=100)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=100)] = ()
    system_strain: Strain | None = None
    conditions: Annotated[tuple[SheetCondition, ...], Meta(max_length=50)] = ()


Coordinate = Annotated[float, Meta(ge=-10_000, le=10_000)]


Point = Annotated[tuple[Coordinate, ...], Meta(min_length=2, max_length=3)]


Cell = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """A solid box from `min` to `max`, in squares and fractions of squares.

    Without z, the box has unlimited height.
    """

    min: Point
    max: Point


class Map(GroundMap, frozen=True, forbid_unknown_fields=True):
    """The map. A square `[x, y]` counts at every height, and `[x, y, z]` only at one height."""

    solids: Annotated[tuple[Box, ...], Meta(max_length=2000)] = ()
    difficult: Annotated[tuple[Cell, ...], Meta(max_length=20_000)] = ()
    impassable: Annotated[tuple[Cell, ...], Meta(max_length=20_000)] = ()
    limits: Box | None = None


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of the table.

    If `rulings` is `default`, prompts to the GM take their defaults.
    """

    party_side: str | None = "party"
    ask_free_actions_after: Count | None = None
    ask_instant_actions_after: Count | None = None
    ask_weapon_swaps_after: Count | None = None
    ask_modifiers: bool = False
    ask_screen_feasible: bool = False
    minimum_hit_damage: Count = 0
    morale_prompts: bool = True
    enforce_encumbrance: bool = False
    map: Map | None = None
    rulings: Literal["ask", "default"] = "ask"


def tracks(sheet: Combatant) -> Mapping[str, Track]:
    """Return the hit points, and the system strain if the sheet has it."""
    hp = sheet.max_hp if sheet.hp is None else sheet.hp
    pools = {"hp": Track(hp, sheet.max_hp)}
    if sheet.system_strain is not None:
        pools["system_strain"] = Track(sheet.system_strain.current, sheet.system_strain.max)
    return pools


def check(sheet: Combatant) -> Iterator[Malformed]:
    """Yield the faults of a sheet that types cannot express."""
    if sheet.at is None:
        yield Malformed("/at", "every combatant stands on a square: [x, y] or [x, y, z]")
    yield from above_maximum(sheet, "hp")
    yield from twins(sheet, "weapons", "items", "abilities", "spells")
    for index, weapon in enumerate(sheet.weapons):
        yield from no_formula(f"/weapons/{index}/damage", weapon.damage)
        if weapon.id == "unarmed":
            yield Malformed(f"/weapons/{index}/id", "'unarmed' is the sheet's field of that name")
        if weapon.range is not None and weapon.range.long < weapon.range.normal:
            yield Malformed(f"/weapons/{index}/range/long", "long range is not below normal range")
    if sheet.unarmed is not None:
        yield from no_formula("/unarmed/damage", sheet.unarmed.damage)
    for index, id in enumerate(sheet.wielding or ()):
        if id not in {weapon.id for weapon in sheet.weapons}:
            yield Malformed(f"/wielding/{index}", f"there is no weapon {id!r}")
    if sheet.wielding is not None and sheet.wielding[0] == sheet.wielding[1]:
        yield Malformed("/wielding/1", "two weapons, not one twice")
    for index, item in enumerate(sheet.items):
        yield from no_square(f"/items/{index}/at", item.at)
        if item.effect is not None:
            yield from _effect(f"/items/{index}/effect", item.effect)
    for index, ability in enumerate(sheet.abilities):
        for number, effect in enumerate(ability.effects):
            yield from _effect(f"/abilities/{index}/effects/{number}", effect)
    for index, spell in enumerate(sheet.spells):
        yield from no_formula(f"/spells/{index}/damage", spell.damage)
        yield from no_formula(f"/spells/{index}/heal", spell.heal)
        if spell.attack and spell.damage is None:
            yield Malformed(f"/spells/{index}/damage", "a spell that attacks has damage")
        for number, brought in enumerate(spell.conditions):
            yield from _data(f"/spells/{index}/conditions/{number}/data", brought.id, brought.data)
    for index, brought in enumerate(sheet.conditions):
        yield from _data(f"/conditions/{index}/data", brought.id, brought.data)


def _effect(at: str, effect: Effect) -> Iterator[Malformed]:
    yield from no_formula(f"{at}/dice", effect.dice)
    if effect.type in ("damage", "heal") and effect.dice is None:
        yield Malformed(f"{at}/dice", f"{effect.type} needs dice")
    if effect.type == "condition" and effect.condition is None:
        yield Malformed(f"{at}/condition", "which condition?")
    if effect.condition is not None:
        yield from _data(f"{at}/data", effect.condition, effect.data)


def _data(at: str, condition: str, data: Mapping[str, Json]) -> Iterator[Malformed]:
    try:
        with pointing(at):
            fitting(condition, data)
    except Malformed as fault:
        yield fault
