"""The options of a combat and its map (section 2.6)."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.errors import Impossible
from domain.rulebook.grid import GroundMap
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Activity, AttackNumber, Name, Number, Table

Kind = Literal["innate", "missile", "melee", "other"]
Amount = Annotated[int, Meta(ge=0, le=100)]
Square = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]


def bad_numbers(
    aac0: AttackNumber | None, table: Table | None, at: str, table_at: str
) -> Iterator[Impossible]:
    """Refuse an AAC0 above 20, and a table that lacks an Armour Class (VD-AAC0-06)."""
    if not is_aac0(aac0):
        detail = f'{aac0!r}: an AAC0 is at most 20, or "20*"; beyond that give a full table'
        yield Impossible("VD-AAC0-06", "bad-aac0", detail, ("20", "20*"), at)
    if table is not None and (gaps := [ac for ac in range(-10, 11) if str(ac) not in table]):
        detail = f"the attack table has no number for AC {gaps[0]}"
        yield Impossible("VD-AAC0-06", "bad-aac0", detail, (), table_at)


@rule("VD-AAC0-06", "An AAC0 above 20 is refused")
def is_aac0(value: AttackNumber | None) -> bool:
    """Return true for an AAC0 of at most 20, for `20*`, and for `None`."""
    return value is None or value == "20*" or (isinstance(value, int) and value <= 20)


class Leaving(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Numbers for a flight or a charge. `ac_penalty` makes the Armour Class worse."""

    attack_bonus: Number = 0
    ac_penalty: Amount = 0
    move_factor: Annotated[float, Meta(ge=0, le=100)] = 1


class Map(GroundMap, frozen=True, forbid_unknown_fields=True):
    """The map. `limits` are two opposite corners, and nobody can enter a square in `blocked`.

    A map without `limits` is endless.
    """

    limits: Annotated[tuple[Square, ...], Meta(min_length=2, max_length=2)] | None = None
    blocked: Annotated[tuple[Square, ...], Meta(max_length=10_000)] = ()


class ClassRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of a class table. Write `levels` as `3`, `"1-3"`, `"9+"` or `[first, last]`."""

    levels: int | Annotated[str, Meta(pattern=r"^\d{1,3}(-\d{1,3}|\+)?$")] | tuple[int, int]
    aac0: AttackNumber | None = None
    table: Table | None = None

    def has(self, level: int) -> bool:
        """Return true if the row applies to this level."""
        if isinstance(self.levels, int):
            return level == self.levels
        if isinstance(self.levels, tuple):
            return self.levels[0] <= level <= self.levels[1]
        first, sign, last = re.fullmatch(r"(\d+)([-+]?)(\d*)", self.levels).groups()  # type: ignore[union-attr]
        top = int(last) if last else 1_000 if sign else int(first)
        return int(first) <= level <= top


@rule("VD-MIN-02", "Drawing, speaking and dropping are minor actions")
def default_activities() -> tuple[Activity, ...]:
    """Return the default activities. The chapter lacks the table that it announces (GAP-13)."""
    return (
        Activity(id="draw-weapon", included_in=("attack",)),
        Activity(id="sheathe-weapon"),
        Activity(id="drop-item"),
        Activity(id="close-door"),
        Activity(id="retrieve-item"),
        Activity(id="speak", segments=0),
        Activity(id="load-light-crossbow", kind="delaying"),
    )


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of the table.

    If `rulings` is "default", prompts to the GM take their defaults.
    """

    groups: dict[Name, Name] = {}
    group_action_order: tuple[Kind, Kind, Kind, Kind] = ("innate", "missile", "melee", "other")
    dex_reaction: Literal["off", "missile"] = "off"
    monster_attack_table: dict[Name, AttackNumber] | None = None
    monster_save_table: dict[Name, dict[Name, Number]] | None = None
    class_attack_tables: dict[Name, tuple[ClassRow, ...]] | None = None
    flee: Leaving = Leaving()
    charge: Leaving = Leaving()
    restricted_quarters: bool = False
    min_damage: Annotated[int, Meta(ge=0, le=100)] = 1
    clamp_ac: bool = True
    attribute_implies: dict[Name, tuple[Name, ...]] = field(
        default_factory=lambda: {"fear": ("mind-affecting",)}
    )
    activities: Annotated[tuple[Activity, ...], Meta(max_length=200)] = default_activities()
    map: Map | None = None
    ask_modifiers: bool = False
    rulings: Literal["ask", "default"] = "ask"

    def __post_init__(self) -> None:
        if len(set(self.group_action_order)) < 4:
            raise ValueError("group_action_order names each of its four types once")
        for fault in self._bad_numbers():
            raise fault

    def _bad_numbers(self) -> Iterator[Impossible]:
        for name, rows in (self.class_attack_tables or {}).items():
            for index, row in enumerate(rows):
                path = f"/class_attack_tables/{name}/{index}"
                yield from bad_numbers(row.aac0, row.table, f"{path}/aac0", f"{path}/table")
        for band, number in (self.monster_attack_table or {}).items():
            yield from bad_numbers(number, None, f"/monster_attack_table/{band}", "")
