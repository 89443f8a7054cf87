"""The sheet of a combatant (sections 2.1 to 2.5).

- The names of distances in feet end in `_ft`. A square is 5 ft.
- Times are in segments of six seconds. A round has ten segments.
- Armour Class descends, so that 10 is the worst and −10 is the best.
- A bonus is always positive, and a penalty is always negative.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.record.combat import Json, Track
from domain.rulebook.ruleset import Sheet

Number = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Few = Annotated[int, Meta(ge=1, le=20)]
Points = Annotated[int, Meta(ge=-100_000, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=120)]
Names = Annotated[tuple[Name, ...], Meta(max_length=50)]
Text = Annotated[str, Meta(max_length=2000)]
Formula = Annotated[str, Meta(min_length=1, max_length=64)]
Kind = Literal["melee", "missile"]
Category = Literal["innate", "incantation", "invocation", "spell_like"]
ActionType = Literal["major", "minor", "immediate", "complex", "delaying"]
ActivityKind = Literal["simple", "delaying", "complex"]
AttackNumber = Annotated[int, Meta(ge=-1000, le=1000)] | Annotated[str, Meta(max_length=8)]
Table = dict[Annotated[str, Meta(max_length=4)], Number]


ROUNDS = re.compile(r"([1-9]\d{0,2}) rounds?")


class Modifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to attacks or damage.

    `applies_to` is `all`, `melee` or `missile`. `weapon` is the id of the only weapon that counts.
    """

    value: Number
    reason: Text = ""
    applies_to: Literal["all", "melee", "missile"] = "all"
    weapon: Name | None = None


class ArmourModifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to Armour Class against attacks of one kind."""

    value: Number
    reason: Text = ""
    applies_to: Literal["all", "melee", "missile"] = "all"


class SaveModifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to saves.

    `applies_to` is `all`, a category, or an attribute of the cause.
    """

    value: Number
    reason: Text = ""
    applies_to: Name = "all"


class Armour(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Armour, which sets the Armour Class if the sheet has no `ac` (GAP-49)."""

    name: Name = "armour"
    ac: Number
    tags: Names = ()


class Shield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shield, whose bonus counts while the combatant holds it (GAP-49)."""

    name: Name = "shield"
    ac_bonus: Number = 1
    held: bool = True


class ClassLevel(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: Name
    level: Annotated[int, Meta(ge=0, le=100)]
    aac0: AttackNumber | None = None
    attack_table: Table | None = None


class Rate(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rate in ft per round. `native` is true for a natural way of moving (VD-CONC-05)."""

    rate: Count
    native: bool = True


Mode = Literal["walk", "fly", "swim"]


class Multiplier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A damage multiplier for a circumstance.

    With `stacks`, the factor multiplies in addition to others (VD-DMG-04).
    """

    when: Name
    factor: Few
    stacks: bool = False


class WeaponMode(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another way to use a weapon. A field that is `null` has the value of the weapon."""

    id: Name
    kind: Kind | None = None
    damage: Formula | None = None
    speed: Number | None = None
    space_ft: Count | None = None
    reach_ft: Count | None = None
    range_ft: Count | None = None
    tags: Names | None = None


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Name
    name: Name | None = None
    kind: Kind = "melee"
    damage: Formula
    speed: Number = 1
    space_ft: Count = 0
    reach_ft: Count = 5
    range_ft: Count | None = None
    modes: Annotated[tuple[WeaponMode, ...], Meta(max_length=20)] = ()
    attack_modifier: Number = 0
    damage_modifier: Number = 0
    multipliers: Annotated[tuple[Multiplier, ...], Meta(max_length=20)] = ()
    loading: Name | None = None
    loaded: bool = False
    tags: Names = ()
    natural: bool = False


class Save(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A save against an effect.

    With `half`, a success halves the damage, rounded down, and prevents other effects (GAP-59).
    """

    category: Name
    on_success: Literal["negates", "half"] = "negates"


class EffectModifiers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    attack: Number = 0
    ac: Number = 0
    saves: Number = 0
    damage: Number = 0


Flag = Literal["impedes_movement", "impedes_action", "cannot_act"]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition that data give.

    Without `rounds` and `segments`, the condition lasts until the GM ends it.
    """

    condition: Name
    rounds: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    segments: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    flags: Annotated[tuple[Flag, ...], Meta(max_length=3)] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: Formula | None = None
    save: Save | None = None


class SpecialDamage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Further damage, rolled after the damage of the blow.

    With `multiply`, multipliers also apply to this damage.
    """

    formula: Formula
    attributes: Names = ()
    multiply: bool = False


class Attack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry of a routine, with `count` blows.

    `damage` has one formula for all blows, or one formula for each blow.
    """

    name: Name | None = None
    weapon: Name | None = None
    mode: Name | None = None
    count: Few = 1
    damage: Annotated[tuple[Formula, ...], Meta(max_length=20)] = ()
    special_damage: SpecialDamage | None = None
    aac0: AttackNumber | None = None
    attack_modifier: Number = 0
    hand: Name | None = None
    effects: Annotated[tuple[Effect, ...], Meta(max_length=20)] = ()


class Routine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack routine. All its blows strike one target at the same time (VD-ROUT-01).

    If `primary` is `null`, the first melee routine and the first missile routine are primary.
    """

    id: Name
    name: Name | None = None
    kind: Kind = "melee"
    attacks: Annotated[tuple[Attack, ...], Meta(min_length=1, max_length=20)]
    primary: bool | None = None


class MultiAttack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The routines of a round. Without a `list`, Affray repeats the first routine."""

    routines: Few = 1
    list: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()


class Span(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A time in rounds or segments."""

    rounds: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    segments: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class Ability(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell, or a power of an item or a creature. A field that is `null` takes its default."""

    id: Name
    name: Name | None = None
    category: Category = "innate"
    action_type: ActionType | None = None
    declared: bool | None = None
    segments: Annotated[int, Meta(ge=0, le=10_000)] | Annotated[str, Meta(max_length=12)] = 1
    timing: Literal["go_first", "go_last"] | None = None
    attributes: Names = ()
    concentration_to_cast: bool | None = None
    concentration_to_maintain: bool = False
    duration: Span | Literal["instant", "concentration"] = "instant"
    range_ft: Count | Literal["touch"] = 0
    targets: Literal["self", "creature", "object", "point", "area"] = "self"
    needs_line_of_effect: bool | None = None
    needs_line_of_sight: bool | None = None
    radius_ft: Count | None = None
    save: Save | None = None
    damage: Formula | None = None
    effects: Annotated[tuple[Effect, ...], Meta(max_length=20)] = ()
    counts_as_spell: bool | Literal["ask"] | None = None
    uses: Count | None = None


class Activity(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A task without magic.

    `included_in` names the actions whose time includes the task (VD-SIMP-03).
    """

    id: Name
    name: Name | None = None
    kind: ActivityKind = "simple"
    action_type: Literal["minor", "major"] = "minor"
    segments: Annotated[int, Meta(ge=0, le=10_000)] = 1
    rounds: Annotated[int, Meta(ge=1, le=1000)] = 1
    included_in: Names = ()
    concentration: bool = False


class Item(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An item that a combatant carries. An item with the id of a weapon is that weapon (GAP-58)."""

    id: Name
    name: Name | None = None
    held: bool = True
    hand: Name = "main"


class AttackImmunity(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An immunity to attacks. `to` is a weapon's tag, `all`, or `non-` with a tag (VD-FOIL)."""

    to: Name
    obvious: bool = False


class Barrier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A barrier that prevents contact by `against`, which is a name, a side or `all` (GAP-37)."""

    against: Name
    obvious: bool = True


class SheetCondition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition at joining. Without a `duration`, it lasts until the GM ends it."""

    id: Name
    duration: Span | None = None
    flags: Annotated[tuple[Flag, ...], Meta(max_length=3)] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: Formula | None = None


class Creature(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sheet of a combatant. `group` is the initiative group, by default the side."""

    group: Name | None = None
    max_hp: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    hp: Points | None = None
    down_at: Points = 0
    dead_at: Points | None = None
    ac: Number | None = None
    armour: Armour | None = None
    shield: Shield | None = None
    flags: dict[Name, bool | Number] = field(default_factory=dict)
    ac_modifiers: Annotated[tuple[ArmourModifier, ...], Meta(max_length=50)] = ()
    aac0: AttackNumber | None = None
    attack_table: Table | None = None
    classes: Annotated[tuple[ClassLevel, ...], Meta(max_length=20)] = ()
    hit_dice: Annotated[str, Meta(min_length=1, max_length=12)] | None = None
    racial_hit_dice: bool | None = None
    attack_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    damage_modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=50)] = ()
    saves: dict[Name, Number] = field(default_factory=dict)
    save_modifiers: Annotated[tuple[SaveModifier, ...], Meta(max_length=50)] = ()
    morale: Number | None = None
    movement: dict[Mode, Rate] = field(default_factory=lambda: {"walk": Rate(rate=120)})
    dex_reaction_adjustment: Number = 0
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=50)] = ()
    routines: Annotated[tuple[Routine, ...], Meta(max_length=50)] | None = None
    stat_line: Text | None = None
    multi_attack: MultiAttack = MultiAttack()
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=100)] = ()
    activities: Annotated[tuple[Activity, ...], Meta(max_length=100)] = ()
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    immunities: Names = ()
    attack_immunities: Annotated[tuple[AttackImmunity, ...], Meta(max_length=50)] = ()
    contact_barriers: Annotated[tuple[Barrier, ...], Meta(max_length=50)] = ()
    very_small: bool = False
    can_share_square: bool = False
    ambidextrous: bool = False
    submerged: bool = False
    conditions: Annotated[tuple[SheetCondition, ...], Meta(max_length=50)] = ()

    @staticmethod
    def reshaped(raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the sheet without the shield's `size` and the items' `light`.

        No rule reads these fields, but combats stored by 0.1.0 can have them.
        """
        shield, items = raw.get("shield"), raw.get("items")
        if isinstance(shield, Mapping) and "size" in shield:
            raw = {**raw, "shield": _without("size", shield)}
        if isinstance(items, list | tuple):
            raw = {**raw, "items": [_without("light", item) for item in items]}
        return raw


def _without(name: str, thing: Json) -> Json:
    if not isinstance(thing, Mapping) or name not in thing:
        return thing
    return {key: value for key, value in thing.items() if key != name}


# ---- the pools


def tracks(sheet: Creature) -> Mapping[str, Track]:
    """Return the hit points. Without a maximum, Affray rolls them from hit dice (VD-EHD-05)."""
    value = sheet.max_hp if sheet.hp is None else sheet.hp
    return {"hp": Track(value or 0, sheet.max_hp)}


HIT_DICE = re.compile(r"([1-9]\d?)(?:\+(\d{1,3}))?")
