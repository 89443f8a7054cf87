"""Edges: the squares of a map that has limits, and the squares that inputs and sheets name.

Only what somebody sends is checked, before anything is recorded. A stored combat replays, whatever
squares it has.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.errors import Impossible
from domain.record.combat import Combat, Json, Square
from domain.rulebook.inputs import inputs_of


class Edges(Struct, frozen=True):
    """The lowest and the highest square of a map, each [x, y] or [x, y, z].

    Without z, they hold at every height. `rule` is the statement of the rulebook, if it has one.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    rule: str = ""

    def hold(self, at: Square | tuple[int, ...], beyond: int = 0) -> bool:
        """Return true if the square is on the map, or at most `beyond` squares behind its end."""
        parts = zip(self.low, at, self.high, strict=False)
        return all(low <= part <= high + beyond for low, part, high in parts)

    def refusal(self, at: tuple[int, ...], pointer: str, *, corner: bool = False) -> Impossible:
        """Return the refusal of a square, or of a corner of the grid, that is outside the map."""
        high = tuple(part + corner for part in self.high)
        there = f"{list(self.low)} to {list(high)}"
        what = "corners" if corner else "squares"
        detail = f"{list(at)} is outside the map, whose {what} are {there}"
        return Impossible(self.rule, "outside-map", detail, (there,), pointer)


def plain_edges(combat: Combat) -> Edges | None:
    """Return the edges of a map with `width` and `height`; None = it is endless."""
    ground = combat.map or {}
    width, height = ground.get("width"), ground.get("height")
    if width is None and height is None:
        return None
    (left, right), (top, bottom) = _span(width), _span(height)
    return Edges((left, top), (right, bottom))


def _span(length: int | None) -> tuple[int, int]:
    """Return the first and the last square along an axis; None = it has no end worth naming."""
    return (0, length - 1) if length else (-10_000, 20_000)


def outside(edges: Edges | None, given: Struct, pointer: str) -> Iterator[Impossible]:
    """Yield a refusal for each field of inputs, or of a sheet, that names a square outside."""
    if edges is None:
        return
    for at, named, corner in _squares(given, pointer):
        if not edges.hold(named, corner):
            yield edges.refusal(named, at, corner=corner)


def _squares(given: Any, pointer: str) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield each named square with its field, and whether it is a corner of the grid."""
    if isinstance(given, Struct):
        for name, field in inputs_of(type(given)).items():
            value, at = getattr(given, _own_name(given, name)), f"{pointer}/{name}"
            if field.kind.refers in ("square", "path"):
                yield from _named(value, at, corner=field.kind.corner)
            else:
                yield from _squares(value, at)
    elif isinstance(given, tuple | list) and given and isinstance(given[0], Struct):
        for index, part in enumerate(given):
            yield from _squares(part, f"{pointer}/{index}")


def _own_name(given: Struct, name: str) -> str:
    """Return a field's name in Python, which JSON may rename."""
    kind = type(given)
    return kind.__struct_fields__[kind.__struct_encode_fields__.index(name)]


def _named(value: Json, at: str, *, corner: bool) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield the square of a field, or each of several. A combatant's id is no square."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _named(part, f"{at}/{name}", corner=corner)
    elif isinstance(value, tuple | list) and value:
        if isinstance(value[0], int):
            yield at, tuple(value), corner
        else:
            for part in value:
                yield from _named(part, at, corner=corner)
