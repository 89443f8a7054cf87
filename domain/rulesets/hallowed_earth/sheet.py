"""The sheet of a combatant with weapons, spells, items and abilities, and the options.

- Fields that end in `_ft` are in feet. A square is 5 ft.
- `attributes` are scores.
- The pools are Stress, Wound Points and Mana.
"""

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.dice import parse
from domain.record.combat import Combat, Combatant, Condition, Json, typed
from domain.rulebook.fields import Count, Formula, Name, Number, Points, Text
from domain.rulebook.ruleset import Sheet

Types = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=20)]
Arm = Literal["main", "off"]
Pools = Literal["stress-first", "wound-points"]
Hand = Literal["main", "off", "both", "none"]
Attribute = Literal[
    "strength", "agility", "dexterity", "memory", "insight", "perception", "faith", "charm",
    "composure",
]  # fmt: skip
ATTRIBUTES: tuple[Attribute, ...] = Attribute.__args__  # type: ignore[attr-defined]
"""All nine attributes (HE-ATTR-01)."""


class Modifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    value: Number
    reason: Text = ""


class RollModifier(Modifier, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to attack or damage rolls of one kind."""

    applies_to: Literal["all", "melee", "ranged", "thrown", "spell"] = "all"


class Wound(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recorded loss of Wound Points. `type` is a damage type, or a list of several."""

    type: Name | Types
    amount: Annotated[int, Meta(ge=1, le=100_000)]


class Armour(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of armour. It counts while the combatant wears it (HE-ATK-06)."""

    id: Name
    defense_bonus: Number = 0
    armour_bonus: Number = 0
    worn: bool = True


class Shield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shield. It counts while the combatant holds it (HE-ATK-06)."""

    id: Name = "shield"
    defense_bonus: Number = 0
    armour_bonus: Number = 0
    hand: Arm = "off"
    held: bool = True


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon.

    - `adds_strength`: if `null`, the weapon adds Strength if it is a melee or thrown weapon.
    - `crit_range`: the lowest critical face.
    - `part_of_body`: if true, the combatant cannot drop the weapon. If `null`, the id decides. For
      example, claws are part of the body.
    """

    id: Name
    kind: Literal["melee", "ranged", "thrown"] = "melee"
    damage: Formula
    damage_types: Types
    speed: Number
    attack_bonus: Number = 0
    damage_bonus: Number = 0
    adds_strength: bool | None = None
    crit_range: Annotated[int, Meta(ge=2, le=20)] = 20
    crit_multiplier: Number = 2
    reach_ft: Count = 5
    range_ft: Count | None = None
    strikes: Annotated[int, Meta(ge=1, le=20)] = 1
    hand: Hand = "main"
    wielded: bool = True
    direct_to_wounds: bool = False
    ignores_armour: bool = False
    part_of_body: bool | None = None

    @property
    def natural(self) -> bool:
        """Return true if the weapon is part of the body, so that no hand holds it."""
        if self.part_of_body is not None:
            return self.part_of_body
        # A claw hammer is a hammer, not a claw.
        words = re.findall(r"[a-z]+", self.id.lower()) or [""]
        return self.hand == "none" or words[-1].rstrip("s") in NATURAL


NATURAL = frozenset({
    "antler", "beak", "bite", "claw", "fang", "fist", "foot", "gore", "hoof", "horn", "jaw",
    "kick", "mandible", "pincer", "pseudopod", "punch", "slam", "sting", "stinger", "tail",
    "talon", "teeth", "tentacle", "tongue", "touch", "tusk", "unarmed", "wing",
})  # fmt: skip
"""Words for weapons that are part of the body."""


class Attack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack of a spell, an ability or a thrown item.

    Without `crit_multiplier`, the attack is never critical. `crit_range` needs a multiplier, and is
    20 by default.
    """

    attack_bonus: Number = 0
    damage: Formula
    damage_types: Types
    direct_to_wounds: bool = False
    ignores_armour: bool = False
    crit_range: Annotated[int, Meta(ge=2, le=20)] | None = None
    crit_multiplier: Number | None = None
    range_ft: Count | None = None
    adds_strength: bool | None = None


class Damage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage without an attack roll.

    Armour lowers it only if `ignores_armour` is false (HE-ARM-05).
    """

    formula: Formula
    types: Types
    ignores_armour: bool = True
    direct_to_wounds: bool = False


class Heals(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Healing of points, and of the Combat Injury with the name in `injury`."""

    stress: Formula | None = None
    wound_points: Formula | None = None
    injury: Name | None = None


class Gift(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition that a spell, item, ability or ruling gives.

    `duration` is in rounds, this round included. If it is `null`, the condition lasts until
    something ends it.
    """

    id: Name
    duration: Annotated[int, Meta(ge=1, le=1000)] | None = None
    side: Arm | None = None


class Spell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell. If `speed` is `null`, the speed is casting TN − 10 (HE-MOD-08)."""

    id: Name
    casting_tn: Number | None = None
    speed: Number | None = None
    mana_cost: Count = 0
    casting_bonus: Number | None = None
    range_ft: Count | None = None
    attack: Attack | None = None
    damage: Damage | None = None
    heals: Heals | None = None
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=20)] = ()
    needs_speech: bool = True
    needs_body: bool = True
    effect: Text | None = None


class Item(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An item. `use_speed` and `throw_speed` are initiative modifiers (HE-MOD-03, HE-MOD-04)."""

    id: Name
    kind: Literal["consumable", "throwable", "other"] = "consumable"
    quantity: Count = 1
    use_speed: Number = 6
    throw_speed: Number = 2
    hand: Hand | None = None
    chewed: bool = False
    heals: Heals | None = None
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=20)] = ()
    effect: Text | None = None
    throw: Attack | None = None


class Ability(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A trait, class feature or talent. `trigger` describes the event that allows a reaction."""

    id: Name
    cost: Literal["standard", "free", "reaction", "none"] = "standard"
    initiative_modifier: Number = 0
    stress_cost: Count = 0
    mana_cost: Count = 0
    needs_body: bool = True
    needs_speech: bool = False
    trigger: Text | None = None
    range_ft: Count | None = None
    heals: Heals | None = None
    attack: Attack | None = None
    damage: Damage | None = None
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=20)] = ()
    effect: Text | None = None


class SheetInjury(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An existing Combat Injury. The attributes already include its attribute damage."""

    name: Name
    side: Arm | None = None


class Creature(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sheet of a combatant."""

    kind: Literal["character", "monster"] = "character"
    attributes: dict[Attribute, Annotated[int, Meta(ge=0, le=1000)]] = field(default_factory=dict)
    modifiers: dict[Attribute, Number] = field(default_factory=dict)
    hd: Annotated[int, Meta(ge=0, le=1000)] | None = None
    hit_dice: Annotated[tuple[Formula, ...], Meta(max_length=40)] = ()
    max_stress: Count | None = None
    stress: Count | None = None
    wound_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    max_wound_points: Points | None = None
    wound_points: Points | None = None
    wounds: Annotated[tuple[Wound, ...], Meta(max_length=200)] = ()
    defense_bonus: Number = 0
    defense_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    defense: Number | None = None
    armour: Annotated[tuple[Armour, ...], Meta(max_length=50)] = ()
    shield: Shield | None = None
    armour_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    armour_score: Number | None = None
    speed_ft: Count = 30
    initiative_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    initiative_group: Name | None = None
    surprised: bool = False
    skills: dict[Name, Number] = field(default_factory=dict)
    attack_modifiers: Annotated[tuple[RollModifier, ...], Meta(max_length=50)] = ()
    damage_modifiers: Annotated[tuple[RollModifier, ...], Meta(max_length=50)] = ()
    mana: Count | None = None
    max_mana: Count = 0
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=50)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=100)] = ()
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=100)] = ()
    threat_range_ft: Count | None = None
    injuries: Annotated[tuple[SheetInjury, ...], Meta(max_length=50)] = ()
    conditions: Annotated[tuple[Gift, ...], Meta(max_length=50)] = ()
    flags: dict[str, Json] = field(default_factory=dict)


class Threshold(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A score, and the modifier that applies to this score and to higher scores."""

    start: Annotated[int, Meta(ge=0, le=1000)] = field(name="from")
    modifier: Number


class Effects(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effect of an injury: conditions, and one roll of `damage` for all attributes.

    If `arm` is true, the injury concerns one arm, which a d4 chooses.
    """

    damage: Formula | None = None
    attributes: Annotated[tuple[Attribute, ...], Meta(max_length=9)] = ()
    conditions: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    arm: bool = False


class Row(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of an injury table, for results from `from` to `to`."""

    start: int = field(name="from")
    to: int
    name: Name
    effects: Effects = Effects()


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An injury table and its die."""

    die: Formula
    rows: Annotated[tuple[Row, ...], Meta(max_length=100)]


DeclareOrder = Literal["secret", "clockwise", "counterclockwise", "agility", "initiative-modifier"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The table's options. If `rulings` is `default`, prompts to the GM take their defaults."""

    declare_order: DeclareOrder = "secret"
    seating: Annotated[tuple[Name, ...], Meta(max_length=500)] = ()
    allied_sides: Annotated[tuple[tuple[Name, ...], ...], Meta(max_length=50)] = ()
    attribute_modifiers: (
        Literal["d20"] | Annotated[tuple[Threshold, ...], Meta(min_length=1, max_length=100)]
    ) = "d20"
    check_dice: Formula = "1d20"
    entry_reposte: bool = True
    first_hit_die_max: bool = False
    injury_tables: dict[Name, Table] = {}
    rulings: Literal["ask", "default"] = "ask"

    def __post_init__(self) -> None:
        for formula in (self.check_dice, *(table.die for table in self.injury_tables.values())):
            parse(formula)


def score(sheet: Creature, attribute: Attribute) -> int:
    """Return the attribute's score on the sheet, or 10 if it has none."""
    return sheet.attributes.get(attribute, 10)


def skill(sheet: Creature, name: str) -> int:
    """Return the bonus of a skill, or 0 if untrained (GAP-02). Case does not matter."""
    bonuses = {known.casefold(): bonus for known, bonus in sheet.skills.items()}
    return bonuses.get(name.casefold(), 0)


def hd(sheet: Creature) -> int:
    """Return `hd` from the sheet. If it has none, return its number of hit dice, at least 1."""
    if sheet.hd is not None:
        return sheet.hd
    dice = sum(len(parse(formula).dice) for formula in sheet.hit_dice)
    return dice or 1


def sheet(combatant: Combatant) -> Creature:
    """Return the combatant's sheet."""
    return typed(combatant.sheet, Creature)


def options(combat: Combat) -> Options:
    """Return the table's choices."""
    return typed(combat.options, Options)


def arm(held: Condition) -> str:
    """Return the arm of a condition. A condition without an arm concerns the main arm."""
    return str(held.data.get("side") or "main")
