"""The sheet of a creature. As in a stat block, each bonus is a total."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Malformed
from domain.record.combat import Track
from domain.rulebook.ruleset import Sheet
from domain.rulebook.sheets import no_formula, twins

Bonus = Annotated[int, Meta(ge=-20, le=30)]
Feet = Annotated[int, Meta(ge=0, le=1000)]
Slots = Annotated[int, Meta(ge=0, le=10)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
SpellId = Literal["magic-missile", "healing-word", "hold-person"]


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon with its bonus to hit and its damage. Both include all modifiers.

    If `range_ft` is `null`, the weapon is a melee weapon. An attack beyond `range_ft` has
    disadvantage. An attack beyond both `range_ft` and `long_ft` is impossible.
    """

    id: Word
    name: Word
    to_hit: Bonus
    damage: str
    reach_ft: Feet = 5
    range_ft: Feet | None = None
    long_ft: Feet = 0


class Saves(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonuses to Constitution and Wisdom saving throws."""

    con: Bonus = 0
    wis: Bonus = 0


class Creature(Sheet, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A creature. If `death_saves` is false, it dies at 0 hp, as most monsters do."""

    ac: Annotated[int, Meta(ge=0, le=40)] = 10
    max_hp: Annotated[int, Meta(ge=1, le=2000)] = 8
    speed_ft: Feet = 30
    dex: Bonus = 0
    medicine: Bonus = 0
    saves: Saves = Saves()
    humanoid: bool = True
    death_saves: bool = True
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=20)] = ()
    spells: Annotated[tuple[SpellId, ...], Meta(max_length=3)] = ()
    spell_mod: Bonus = 0
    spell_dc: Annotated[int, Meta(ge=0, le=40)] = 10
    slots_1: Slots = 0
    slots_2: Slots = 0


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a combat.

    `rulings`: with `ask`, Affray asks the GM for rulings. With `default`, it takes the defaults.
    """

    rulings: Literal["ask", "default"] = "ask"


def tracks(sheet: Creature) -> Mapping[str, Track]:
    """Return the tracks of a creature: hit points and spell slots."""
    return {
        "hp": Track(sheet.max_hp, sheet.max_hp),
        "slots_1": Track(sheet.slots_1, sheet.slots_1),
        "slots_2": Track(sheet.slots_2, sheet.slots_2),
    }


def check(sheet: Creature) -> Iterator[Malformed]:
    """Yield the faults of a sheet that its types do not find."""
    for index, weapon in enumerate(sheet.weapons):
        yield from no_formula(f"/weapons/{index}/damage", weapon.damage)
    yield from twins(sheet, "weapons")
