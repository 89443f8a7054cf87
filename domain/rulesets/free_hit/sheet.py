"""The sheet of a unit with weapons, spells, feats and modifiers, and the battle's options.

Distances are in spaces (5-ft squares). `agility`, `accuracy` and `strength` are modifiers.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.errors import Malformed
from domain.record.combat import Combat, Id, Track
from domain.rulebook.fields import Count, Formula, Name, Number
from domain.rulebook.input_reader import malformed
from domain.rulebook.inputs import SquareInput
from domain.rulebook.ruleset import Sheet
from domain.rulebook.sheets import above_maximum, no_formula, no_square, twins

Ends = Annotated[str, Meta(max_length=120)]
"""The end of an effect: `round`, `battle` or `next-turn`. With any other text, the GM ends it."""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon. In these fields, `null` has a meaning:

    - `reach`: the weapon reaches as far as the unit's zone.
    - `range`: the range is unlimited.
    - `adds_strength`: the weapon adds Strength if it is a melee weapon.
    """

    id: Name
    name: Name
    kind: Literal["melee", "ranged"] = "melee"
    damage: Formula
    damage_type: Name = "physical"
    adds_strength: bool | None = None
    accuracy_bonus: Number = 0
    damage_bonus: Number = 0
    reach: Count | None = None
    range: Count | None = None
    drawn: bool = True
    natural: bool = False
    physical: bool = True


class Reduction(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A reduction of damage, by `amount` points or by `percent`.

    `applies_to` is the type of damage that it reduces.
    """

    source: Name
    kind: Literal["armor", "resistance", "guard", "other"] = "armor"
    amount: Count | None = None
    percent: Annotated[int, Meta(ge=0, le=100)] | None = None
    applies_to: Name = "all"


class Modifier(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A bonus or penalty to a number.

    - `feat`: true if the modifier comes from a feat.
    - `when`: `always`, `melee`, `ranged`, `spell` or `weapon:<id>`.
    - `until`: `round`, `battle`, or `next-turn` for the owner's next turn. If `null`, it is
      permanent.
    """

    key: Literal[
        "accuracy",
        "damage",
        "dodge",
        "speed",
        "strength",
        "agility",
        "free_hit_slots",
        "summoning_slots",
        "bonus_actions",
    ]
    value: Number
    source: str = ""
    feat: bool = False
    when: Annotated[str, Meta(pattern="^(always|melee|ranged|spell|weapon:[^\\x00]+)$")] = "always"
    until: Ends | None = None


class SheetCondition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A condition from data. If `can_act` is false, the unit cannot act.

    `until` is `round`, `battle`, or `next-turn` for the owner's next turn. If `null`, the GM ends
    the condition.
    """

    id: Name
    until: Ends | None = None
    can_act: bool = True
    flat_footed: bool = False


class Payment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A price: the number of actions of each kind."""

    aa: Annotated[int, Meta(ge=0, le=20)] = 0
    ma: Annotated[int, Meta(ge=0, le=20)] = 0
    ba: Annotated[int, Meta(ge=0, le=20)] = 0

    def by_kind(self) -> dict[str, int]:
        """Return the number of actions by kind."""
        return {"aa": self.aa, "ma": self.ma, "ba": self.ba}


class Upkeep(Payment, frozen=True, forbid_unknown_fields=True, kw_only=True):
    mp: Count = 0


class Note(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An improvement of a spell that costs BA. `changes` replaces fields of the spell."""

    id: Name
    ba: Annotated[int, Meta(ge=0, le=20)] = 1
    changes: dict[str, Any] = {}


class Summoning(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The units that a spell summons. They get the summoner's side and owner."""

    sheet: dict[str, Any]
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    thrall_cost: Count | None = None
    thrall_pool: Literal["max_hp", "mp", "hp"] = "max_hp"
    sickness: bool = True


class Spell(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: Name
    name: Name
    cast_time: Payment = Payment(aa=1)
    mp_cost: Count = 0
    upkeep: Upkeep | None = None
    range: Count | None = None
    attack: bool = False
    accuracy_bonus: Number = 0
    physical: bool = False
    damage: Formula | None = None
    damage_type: Name = "magic"
    healing: Formula | None = None
    removes_wound: bool = False
    conditions: Annotated[tuple[SheetCondition, ...], Meta(max_length=20)] = ()
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=20)] = ()
    grants_disengage: bool = False
    toggle: bool = False
    notes: Annotated[tuple[Note, ...], Meta(max_length=20)] = ()
    summon: Summoning | None = None


class ExtraAttack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack that a feat adds to the budget.

    After a use, the attack is ready again in `cooldown` rounds.
    """

    id: Name
    cooldown: Annotated[int, Meta(ge=0, le=1000)] = 0
    interrupt: bool = False


class Feats(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    sneak_attack: bool = False
    legion_leader: bool = False
    battle_caster: bool = False
    maneuverer: bool = False
    reach: bool = False
    athlete: bool = False
    weapon_focus: Annotated[tuple[Name, ...], Meta(max_length=3)] = ()
    extra_attack: Annotated[tuple[ExtraAttack, ...], Meta(max_length=20)] = ()


class Item(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An item that a unit carries. If `at` is set, the item lies on the ground there."""

    id: Name
    name: Name
    at: SquareInput | None = None


class Summon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Data that mark a summoned unit."""

    summoner: Name
    thralled: bool = False
    summoned_in: Literal["battle", "before"] = "battle"
    thrall_cost: Count | None = None
    thrall_pool: Literal["max_hp", "mp", "hp"] = "max_hp"
    sickness: bool = True


class Unit(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sheet of a unit."""

    size: Annotated[int, Meta(ge=1, le=20)] = 1
    facing: tuple[int, int] | None = None
    level: Annotated[int, Meta(ge=1, le=1000)] = 1
    agility: Number
    accuracy: Number
    strength: Number = 0
    max_hp: Annotated[int, Meta(ge=1, le=100_000)]
    hp: Count | None = None
    max_mp: Count = 0
    mp: Count | None = None
    speed: Annotated[int, Meta(ge=0, le=1000)] = 6
    at_max_capacity: bool = False
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=50)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=100)] = ()
    reductions: Annotated[tuple[Reduction, ...], Meta(max_length=50)] = ()
    feats: Feats = Feats()
    modifiers: Annotated[tuple[Modifier, ...], Meta(max_length=100)] = ()
    items: Annotated[tuple[Item, ...], Meta(max_length=100)] = ()
    summon: Summon | None = None
    undetected_by: Literal["all"] | Annotated[tuple[Name, ...], Meta(max_length=200)] = ()
    conditions: Annotated[tuple[SheetCondition, ...], Meta(max_length=50)] = ()


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a battle.

    - `initiative_ties`: the order of units with equal Agility (FH-INI-03).
    - `rulings`: if `default`, prompts to the GM take their defaults.
    """

    initiative_ties: Literal["join-order", "roll"] = "join-order"
    rulings: Literal["ask", "default"] = "ask"


def tracks(sheet: Unit) -> Mapping[str, Track]:
    """Return hp and mp at the time of joining. The dead and defeated have 0 hp (FH-DMG-06)."""
    hp = sheet.max_hp if sheet.hp is None else sheet.hp
    if any(condition.id in ("defeated", "dead") for condition in sheet.conditions):
        hp = 0
    mp = sheet.max_mp if sheet.mp is None else sheet.mp
    return {"hp": Track(hp, sheet.max_hp), "mp": Track(mp, sheet.max_mp)}


def settled(combat: Combat, who: Id) -> Mapping[str, str]:
    """Return the fields that count only when a unit joins, and how to change each value later."""
    return {
        "conditions": "use the rulings set-condition and end-condition",
        "undetected_by": "use the ruling set-detected",
        "facing": "use the action face",
        "items": "use the ruling place-item",
    }


def check(sheet: Unit) -> Iterator[Malformed]:
    """Yield the faults of a sheet that types cannot express."""
    yield from above_maximum(sheet, "hp", "mp")
    if sheet.facing == (0, 0):
        yield Malformed("/facing", "facing is a direction, not [0, 0]")
    yield from no_square("/at", sheet.at)
    for index, item in enumerate(sheet.items):
        yield from no_square(f"/items/{index}/at", item.at)
    yield from twins(sheet, "weapons", "spells", "items")
    for index, weapon in enumerate(sheet.weapons):
        yield from no_formula(f"/weapons/{index}/damage", weapon.damage)
    for index, spell in enumerate(sheet.spells):
        yield from _spell(f"/spells/{index}", spell)
    for index, reduction in enumerate(sheet.reductions):
        if (reduction.amount is None) == (reduction.percent is None):
            yield Malformed(f"/reductions/{index}", "give either amount or percent")


def _spell(at: str, spell: Spell) -> Iterator[Malformed]:
    yield from no_formula(f"{at}/damage", spell.damage)
    yield from no_formula(f"{at}/healing", spell.healing)
    if spell.attack and spell.damage is None:
        yield Malformed(f"{at}/damage", "a spell that attacks has damage")
    known = {field.name for field in msgspec.structs.fields(Spell)}
    for index, note in enumerate(spell.notes):
        for field in note.changes:
            if field not in known or field in ("id", "name", "notes", "cast_time"):
                yield Malformed(f"{at}/notes/{index}/changes/{field}", "this cannot be changed")
                return
        try:
            changed = noted(spell, (note.id,))
        except msgspec.ValidationError as error:
            fault = malformed(error, Spell)
            yield Malformed(f"{at}/notes/{index}/changes{fault.pointer}", fault.detail)
            return
        yield from no_formula(f"{at}/notes/{index}/changes/damage", changed.damage)
        yield from no_formula(f"{at}/notes/{index}/changes/healing", changed.healing)
    if spell.summon is not None:
        raw = {**spell.summon.sheet, "side": "side"}
        raw.setdefault("name", "summoned")
        try:
            summoned = msgspec.convert(raw, Unit)
        except msgspec.ValidationError as error:
            fault = malformed(error, Unit, raw=raw)
            yield Malformed(f"{at}/summon/sheet{fault.pointer}", fault.detail)
            return
        if any(spell.summon is not None for spell in summoned.spells):
            yield Malformed(f"{at}/summon/sheet/spells", "a summoned unit summons nothing")
            return
        for fault in check(summoned):
            yield Malformed(f"{at}/summon/sheet{fault.pointer}", fault.detail)


def noted(spell: Spell, notes: tuple[str, ...]) -> Spell:
    """Return the spell with the changes of the chosen notes."""
    raw = msgspec.to_builtins(spell)
    for note in spell.notes:
        if note.id in notes:
            raw.update(note.changes)
    return msgspec.convert(raw, Spell)
