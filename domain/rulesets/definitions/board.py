"""The map: space, distance, reach, range, threatened and free squares, and lines (DEF-SPC).

A combatant without a position has no distance. Then the functions return `None`, and the GM
decides.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Square, typed
from domain.rulebook import grid
from domain.rulebook.declaration import refuse
from domain.rulebook.presence import in_fight
from domain.rulesets.definitions import arms
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import SIZES, Map, Weapon
from domain.rulesets.definitions.states import HELD_FAST, able, awake, hostile, sheet_of, swallower

SPACES = {"large": 2, "huge": 3, "gargantuan": 4, "colossal": 6}
"""The side length of each size, in squares. Sizes up to medium have 1 (DEF-SPC-01)."""

REACHES = {
    "fine": 0,
    "diminutive": 0,
    "tiny": 0,
    "large": 2,
    "huge": 3,
    "gargantuan": 4,
    "colossal": 6,
}
"""The reach of each size in squares.

Small and medium have 1 (DEF-RCH-01, DEF-RCH-02, DEF-RCH-06).
"""


@rule("DEF-SPC-01", "Small and medium combatants fill one square, larger ones more")
def space(combatant: Combatant) -> int:
    """Return the length of the combatant's space in squares."""
    page = sheet_of(combatant)
    return SPACES.get(page.size, 1) if page.space is None else page.space


def reach(combatant: Combatant) -> int:
    """Return the natural reach in squares."""
    page = sheet_of(combatant)
    return REACHES.get(page.size, 1) if page.natural_reach is None else page.natural_reach


def smaller_than_small(combatant: Combatant) -> bool:
    """Return true if the combatant fights in its opponent's square (DEF-RCH-02)."""
    return SIZES.index(sheet_of(combatant).size) < SIZES.index("small")


def steps_larger(a: Combatant, b: Combatant) -> int:
    """Return the number of size categories by which `a` is larger than `b`."""
    return SIZES.index(sheet_of(a).size) - SIZES.index(sheet_of(b).size)


def placed(combat: Combat, *who: Id) -> bool:
    """Return true if all these combatants have a position."""
    return all(combat[id].position is not None for id in who)


@rule("DEF-RCH-03", "A distance is the distance between the nearest squares")
def distance(combat: Combat, a: Id, b: Id) -> int | None:
    """Return the distance in squares between the nearest squares of the two combatants.

    A diagonal step counts as 1. Without both positions, return `None`.
    """
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return grid.distance(combatant.position, other.position, space(combatant), space(other))


# ---- reach


@rule("DEF-RCH-01", "Medium and small combatants threaten the adjacent squares")
@rule("DEF-RCH-04", "A reach weapon adds a ring of threatened squares")
@rule("DEF-RCH-06", "Large combatants threaten to their natural reach. Tiny ones gain nothing")
def rings(combatant: Combatant, weapon: Weapon | None) -> int:
    """Return the reach with `weapon` in squares (DEF-RCH-05). `None` means the natural reach."""
    natural = reach(combatant)
    longer = weapon is not None and weapon.reach and weapon.kind != "ranged" and natural > 0
    return natural + 1 if longer else natural


@rule("DEF-RCH-05", "The reach weapon of a small combatant does not reach the corners")
def reaches(combatant: Combatant, weapon: Weapon | None, at: Square, to: Square, size: int) -> bool:
    """Return true if a strike from `at` reaches a space at `to` that is `size` squares wide."""
    own_size = space(combatant)
    apart = grid.distance(at, to, own_size, size)
    far = rings(combatant, weapon)
    if apart > far:
        return False
    return not (
        _cornerless(combatant, weapon) and apart == far and _in_corner(at, to, own_size, size, far)
    )


def _cornerless(combatant: Combatant, weapon: Weapon | None) -> bool:
    """Return true if `weapon` is the reach weapon of a small combatant.

    Such a weapon does not reach the outer corners (DEF-RCH-05).
    """
    return (
        sheet_of(combatant).size == "small"
        and weapon is not None
        and rings(combatant, weapon) > reach(combatant)
    )


def _in_corner(at: Square, to: Square, own_size: int, size: int, far: int) -> bool:
    return all(
        max(to[axis] - (at[axis] + own_size - 1), at[axis] - (to[axis] + size - 1)) == far
        for axis in (0, 1)
    )


def within_reach(combat: Combat, who: Id, target: Id, weapon: Weapon | None) -> bool | None:
    """Return true if `who` can strike the target from its square.

    Return `None` if a position is missing.
    """
    combatant, other = combat[who], combat[target]
    if combatant.position is None or other.position is None:
        return None
    return reaches(combatant, weapon, combatant.position, other.position, space(other))


Arm = TypeVar("Arm", Weapon, Weapon | None)


def reaching(combat: Combat, who: Id, target: Id, weapons: Iterable[Arm]) -> list[Arm]:
    """Return the weapons that reach the target. Without positions, return all of them."""
    return [weapon for weapon in weapons if within_reach(combat, who, target, weapon) is not False]


# ---- threatening


@rule("DEF-UNT-04", "An untrained weapon threatens nothing")
@rule("DEF-RCH-07", "Only a trained melee weapon threatens")
@rule("DEF-GRP-07", "Neither grappler threatens")
def threatening(combat: Combat, who: Id) -> tuple[Weapon, ...]:
    """Return the trained, ready melee weapons of `who`, with which it threatens.

    DEF-RCH-07, DEF-UNT-04. A combatant that is disabled, in a grapple or swallowed threatens
    nothing.
    """
    combatant = combat[who]
    if not able(combat, who) or combatant.has(*HELD_FAST):
        return ()
    return tuple(weapon for weapon in arms.melee(combatant) if weapon.trained)


def blades_at(combat: Combat, foe: Id, at: Square, size: int) -> tuple[Weapon, ...]:
    """Return the weapons with which `foe` threatens a space at `at`, `size` squares wide."""
    combatant = combat[foe]
    here = combatant.position
    if here is None:
        return ()
    if reach(combatant) and _inside(here, space(combatant), at, size):
        return ()  # a foe with reach does not threaten its own space (DEF-RCH-01)
    return tuple(
        weapon for weapon in threatening(combat, foe) if reaches(combatant, weapon, here, at, size)
    )


def _inside(here: Square, own_size: int, at: Square, size: int) -> bool:
    """Return true if the space at `at` lies inside the space at `here`.

    `size` and `own_size` are the widths of the two spaces in squares.
    """
    return all(here[n] <= at[n] and at[n] + size <= here[n] + own_size for n in range(3))


def threatens(combat: Combat, foe: Id, who: Id) -> bool | None:
    """Return true if `foe` threatens the square of `who`, or `None` if a position is missing."""
    combatant = combat[who]
    if not threatening(combat, foe):
        return False
    if combatant.has("swallowed") and swallower(combat, who) != foe:
        return False  # nobody outside reaches a swallowed combatant (DEF-SWL-04)
    if combatant.position is None or combat[foe].position is None:
        return None
    return bool(blades_at(combat, foe, combatant.position, space(combatant)))


def threatened_squares(combat: Combat, who: Id) -> list[list[int]]:
    """Return the squares on the combatant's level that it threatens, for the board."""
    combatant = combat[who]
    here = combatant.position
    weapons = threatening(combat, who)
    if here is None or not weapons:
        return []
    own_size, far = space(combatant), max(rings(combatant, weapon) for weapon in weapons)
    inside = set(footprint(here, own_size)) if reach(combatant) else set()
    return [
        [x, y, here[2]]
        for y in range(here[1] - far, here[1] + own_size + far)
        for x in range(here[0] - far, here[0] + own_size + far)
        if (x, y, here[2]) not in inside
        and any(reaches(combatant, weapon, here, (x, y, here[2]), 1) for weapon in weapons)
    ]


# ---- squares


def footprint(at: Square, size: int) -> Iterator[Square]:
    """Yield the squares of a space on its lowest level."""
    for dy in range(size):
        for dx in range(size):
            yield (at[0] + dx, at[1] + dy, at[2])


def obstacle(combat: Combat, at: Square, size: int) -> bool:
    """Return true if the GM's map blocks a square of a space."""
    if combat.map is None:
        return False
    blocked = typed(combat.map, Map).blocked
    return any(cell == cube or cell == cube[:2] for cube in footprint(at, size) for cell in blocked)


def there(combat: Combat, at: Square, size: int, but: Sequence[Id] = ()) -> list[Combatant]:
    """Return the combatants on any square of a space, except swallowed and departed ones."""
    columns = _columns(combat)
    by_id: dict[Id, Combatant] = {}
    for dx in range(size):
        for dy in range(size):
            for other, height, tall in columns.get((at[0] + dx, at[1] + dy), ()):
                meets = height < at[2] + size and at[2] < height + tall
                if meets and other.id not in but:
                    by_id[other.id] = other
    if len(by_id) < 2:
        return list(by_id.values())
    return [combatant for combatant in combat if combatant.id in by_id]


def met(combat: Combat, who: Id, steps: Iterable[Square]) -> list[Combatant]:
    """Return the combatants whose squares a path enters, in the order of the path."""
    size = space(combat[who])
    crossed = {
        combatant.id: combatant for step in steps for combatant in there(combat, step, size, (who,))
    }
    return list(crossed.values())


Columns = dict[tuple[int, int], list[tuple[Combatant, int, int]]]
_LAST: list[tuple[object, Columns]] = []


def _columns(combat: Combat) -> Columns:
    """Return the combatants in each column, with the lowest level and the height of each.

    A cache holds the result for the newest state.
    """
    if _LAST and _LAST[0][0] is combat.combatants:
        return _LAST[0][1]
    columns: Columns = {}
    for combatant in combat:
        if combatant.position is None or combatant.has("swallowed"):
            continue
        size = space(combatant)
        for x, y, _ in footprint(combatant.position, size):
            columns.setdefault((x, y), []).append((combatant, combatant.position[2], size))
    _LAST[:] = [(combat.combatants, columns)]
    return columns


def free(combat: Combat, who: Id, at: Square, but: Sequence[Id] = ()) -> bool:
    """Return true if `who` fits at `at`, without an obstacle or another combatant (DEF-SPC-04)."""
    size = space(combat[who])
    if obstacle(combat, at, size):
        return False
    return not [
        combatant
        for combatant in there(combat, at, size, (who, *but))
        if in_fight(combat, combatant.id)
    ]


@rule("DEF-SPC-04", "No move ends in an occupied square. Helpless enemies do not block the way")
@rule(
    "DEF-RCH-02",
    "Combatants smaller than small fight in the opponent's square and threaten only that square",
)
def may_stop(combat: Combat, who: Id, at: Square) -> bool:
    """Return true if a move of `who` may end at `at`.

    A combatant smaller than small may stop in an opponent's square.
    """
    if free(combat, who, at):
        return True
    combatant = combat[who]
    if not smaller_than_small(combatant) or obstacle(combat, at, space(combatant)):
        return False
    others = there(combat, at, space(combatant), (who,))
    return all(hostile(combatant, other) for other in others if in_fight(combat, other.id))


def hinderers(combat: Combat, who: Id, at: Square) -> list[Combatant]:
    """Return the foes that bar a step of `who` to a square.

    DEF-SPC-02, DEF-SPC-04, DEF-INC-03.
    """
    combatant = combat[who]
    if smaller_than_small(combatant):
        return []
    foes = [
        other for other in there(combat, at, space(combatant), (who,)) if hostile(combatant, other)
    ]
    return [foe for foe in foes if awake(foe) and not foe.has("helpless")]


def around(at: Square, size: int, other: int = 1) -> list[Square]:
    """Return the positions where another space touches the space at `at`.

    `size` is the width of the space at `at`, and `other` is the width of the other space, in
    squares. The positions are sorted by x, then by y.
    """
    low, high = -other, size
    return [
        (at[0] + dx, at[1] + dy, at[2])
        for dx in range(low, high + 1)
        for dy in range(low, high + 1)
        if dx in (low, high) or dy in (low, high)
    ]


def free_around(combat: Combat, who: Id, centre: Id, but: Sequence[Id] = ()) -> list[Square]:
    """Return the free positions for `who` next to `centre`, sorted by x, then by y."""
    at = combat[centre].position
    if at is None:
        return []
    places = around(at, space(combat[centre]), space(combat[who]))
    return [place for place in places if free(combat, who, place, but)]


@rule("DEF-CHG-03", "A charge follows a straight line that ends nearer to a foe")
def line(start: Square, end: Square) -> list[Square]:
    """Return the squares of a straight line without its first square."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    n = max(abs(dx), abs(dy))
    return [
        (start[0] + (2 * k * dx + n) // (2 * n), start[1] + (2 * k * dy + n) // (2 * n), end[2])
        for k in range(1, n + 1)
    ]


def straight_away(start: Square, own_size: int, at: Square, theirs: int) -> tuple[int, int]:
    """Return the direction from one space to another, as −1, 0 or 1 on each axis.

    If the spaces overlap on an axis, the direction on that axis is 0. A push therefore moves a
    large combatant straight away from the pushed side (DEF-SHV-04).
    """
    return _beyond(start[0], own_size, at[0], theirs), _beyond(start[1], own_size, at[1], theirs)


def _beyond(a: int, long: int, b: int, other: int) -> int:
    """Return the direction from the first stretch to the second: 1, −1, or 0 if they overlap.

    The first stretch begins at `a` and is `long` squares long. The second begins at `b` and is
    `other` squares long.
    """
    return (b >= a + long) - (a >= b + other)


@rule("DEF-RNG-06", "A ranged weapon has one fixed range")
def out_of_range(
    combat: Combat,
    who: Id,
    target: Id | None,
    range_ft: int | None,
    name: str,
    field: str = "target",
) -> Iterator[Illegal]:
    """Refuse a target beyond the range. This rulebook has no range increments."""
    if target is None or range_ft is None:
        return
    squares = distance(combat, who, target)
    if squares is not None and (feet := 5 * squares) > range_ft:
        detail = f"{target} is {feet} ft away, {name} reaches {range_ft}"
        yield refuse("DEF-RNG-06", "out-of-range", detail, field)
