"""The faults of a sheet that types cannot express, such as numbers off their scale."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.errors import Impossible, Malformed
from domain.record.combat import Json
from domain.rulebook.sheets import above_maximum, no_formula, twins
from domain.rulesets.vile_darkness import notation
from domain.rulesets.vile_darkness.options import bad_numbers
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import HIT_DICE, ROUNDS, AttackNumber, Creature, Table


@rule("VD-AC-01", "Armour Class runs from −10, the best, to 10")
def check(sheet: Creature) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet:

    - impossible attack numbers, Armour Class or hit dice
    - invalid formulas
    - duplicate ids
    - unknown names
    """
    yield from _attack_numbers(sheet)
    if sheet.ac is not None and not -10 <= sheet.ac <= 10:
        detail = f"Armour Class runs from −10 to 10, not {sheet.ac}"
        yield Impossible("VD-AC-01", "bad-ac", detail, pointer="/ac")
    if sheet.ac is None and sheet.armour is not None and not -10 <= sheet.armour.ac <= 10:
        detail = f"Armour Class runs from −10 to 10, not {sheet.armour.ac}"
        yield Impossible("VD-AC-01", "bad-ac", detail, pointer="/armour/ac")
    plain = sheet.hit_dice is None or HIT_DICE.fullmatch(sheet.hit_dice) is not None
    if not plain and sheet.aac0 is None and sheet.attack_table is None:
        detail = f"{sheet.hit_dice!r} is not N or N+B: give an aac0 as well"
        yield Impossible("VD-EHD-01", "bad-hit-dice", detail, ("4", "4+4"), "/hit_dice")
    elif not plain and sheet.max_hp is None:
        detail = f"{sheet.hit_dice!r} is not N or N+B, and cannot be rolled: give max_hp as well"
        yield Impossible("VD-EHD-01", "bad-hit-dice", detail, ("4", "4+4"), "/hit_dice")
    elif sheet.max_hp is None and sheet.hit_dice is None:
        yield Malformed("/max_hp", "give max_hp, or hit_dice to roll it")
    yield from above_maximum(sheet, "hp")
    yield from twins(sheet, "weapons", "routines", "abilities", "activities", "items")
    yield from _stat_line(sheet.stat_line)
    yield from _routines(sheet)
    yield from _formulas("", sheet)


def _stat_line(text: str | None) -> Iterator[Malformed | Impossible]:
    """Refuse a stat line that Affray cannot parse, or an impossible AAC0 in it (VD-ATK-08)."""
    try:
        lines = () if text is None else notation.parse(text)
    except ValueError as error:
        yield Malformed("/stat_line", str(error))
        return
    for entry in (entry for line in lines for entry in line.entries):
        yield from bad_numbers(entry.aac0, None, "/stat_line", "/stat_line")


def _attack_numbers(sheet: Creature) -> Iterator[Impossible]:
    """Yield the impossible attack numbers of the sheet, its classes and its attacks."""
    entries: list[tuple[str, AttackNumber | None, Table | None]] = [
        ("", sheet.aac0, sheet.attack_table),
        *(
            (f"/classes/{at}", class_level.aac0, class_level.attack_table)
            for at, class_level in enumerate(sheet.classes)
        ),
    ]
    for at, routine in enumerate(sheet.routines or ()):
        for index, attack in enumerate(routine.attacks):
            entries.append((f"/routines/{at}/attacks/{index}", attack.aac0, None))
    for path, aac0, table in entries:
        yield from bad_numbers(aac0, table, f"{path}/aac0", f"{path}/attack_table")


def _routines(sheet: Creature) -> Iterator[Malformed]:
    weapons = {weapon.id for weapon in sheet.weapons}
    for at, routine in enumerate(sheet.routines or ()):
        for index, attack in enumerate(routine.attacks):
            path = f"/routines/{at}/attacks/{index}"
            if attack.weapon is not None and attack.weapon not in weapons:
                yield Malformed(f"{path}/weapon", f"no weapon {attack.weapon!r}", sorted(weapons))
            if attack.weapon is None and not attack.damage:
                yield Malformed(f"{path}/damage", "give a weapon, or the damage of each blow")
            if len(attack.damage) not in (0, 1, attack.count):
                yield Malformed(f"{path}/damage", f"give one formula, or {attack.count}")
    ids = [routine.id for routine in sheet.routines or ()] or list(weapons)
    for index, id in enumerate(sheet.multi_attack.list):
        if sheet.stat_line is None and id not in ids:
            yield Malformed(f"/multi_attack/list/{index}", f"no routine {id!r}", ids)


def _formulas(path: str, value: Any) -> Iterator[Malformed]:
    """Yield the dice formulas and times that are invalid."""
    if isinstance(value, tuple):
        for index, entry in enumerate(value):
            yield from _formulas(f"{path}/{index}", entry)
    if not isinstance(value, Struct):
        return
    for name in value.__struct_fields__:
        part: Json = getattr(value, name)
        if name in ("damage", "ongoing", "formula") and part is not None:
            for formula in (part,) if isinstance(part, str) else part if part else ():
                if isinstance(formula, str):
                    yield from no_formula(f"{path}/{name}", formula)
        elif isinstance(part, tuple | Struct):
            yield from _formulas(f"{path}/{name}", part)
        elif name == "segments" and not _is_time(part):
            yield Malformed(f"{path}/segments", f'{part!r}: a number, "*" or "2 rounds"')


def _is_time(value: Json) -> bool:
    """Return true for segments, "*" or rounds such as "2 rounds" (VD-TIME-02, VD-TIME-05)."""
    return not isinstance(value, str) or value == "*" or ROUNDS.fullmatch(value) is not None
