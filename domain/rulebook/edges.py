"""Edges: the limits of a map, and a check of the squares that inputs and sheets name.

Affray checks only new requests. Stored combats replay with any squares.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from domain.errors import Impossible
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.rulebook import grid
from domain.rulebook.inputs import InputKind, inputs_of


class Edges(Struct, frozen=True):
    """The lowest and the highest square of a map, each as `[x, y]` or `[x, y, z]`.

    Without `z`, the edges are the same at every height. `rule` is the id of a rule in the rulebook.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    rule: str = ""

    def hold(self, at: Square | tuple[int, ...], side: int = 1) -> bool:
        """Return true if a cube of `side` squares a side above this corner is on the map.

        If `side` is 0, `at` is a corner of the grid.
        """
        parts = zip(self.low, at, self.high, strict=False)
        return all(low <= part and part + side - 1 <= high for low, part, high in parts)

    def refusal(self, at: tuple[int, ...], pointer: str, side: int = 1) -> Impossible:
        """Return the refusal of a cube or corner of the grid that is not on the map."""
        high = tuple(part + 1 - side for part in self.high)
        there = f"{grid.written(self.low)} to {grid.written(high)}"
        if side > 1:
            detail = (
                f"a space of {side} by {side} squares at {grid.written(at)} does not fit"
                f" on the map: its lowest corner is in {there}"
            )
        else:
            what = "squares" if side else "corners"
            detail = f"{grid.written(at)} is outside the map, whose {what} are {there}"
        # Squares are JSON lists in a request.
        allowed = f"{list(self.low)} to {list(high)}"
        return Impossible(self.rule, "outside-map", detail, (allowed,), pointer)


def plain_edges(combat: Combat) -> Edges | None:
    """Return the edges of a map with `width` and `height`, or `None` if it has neither."""
    ground = combat.map or {}
    width, height = ground.get("width"), ground.get("height")
    if width is None and height is None:
        return None
    (left, right), (top, bottom) = _span(width), _span(height)
    return Edges((left, top), (right, bottom))


def _span(length: int | None) -> tuple[int, int]:
    """Return the first and last square along an axis. Without a length, both are far away."""
    return (0, length - 1) if length else (-10_000, 20_000)


class Ground(Protocol):
    """The parts of a rulebook that check squares against the edges of its map."""

    @property
    def edges(self) -> Callable[[Combat], Edges | None]: ...
    @property
    def side_of(self) -> Callable[[Any], int]: ...
    def side(self, combatant: Combatant) -> int: ...


def outside(
    ground: Ground, combat: Combat, who: Id, inputs: Struct, pointer: str = "/inputs"
) -> Iterator[Impossible]:
    """Yield a refusal for each input that names a place outside the map.

    The place of a large combatant is its lowest corner. All its squares must be on the map.
    """
    edges = ground.edges(combat)
    if edges is None:
        return
    for at, named, kind in _squares(inputs, pointer):
        side = 0 if kind.corner else 1
        if kind.stands is not None:
            stander = combat.combatants.get(kind.stands(combat, who, inputs) or "")
            side = side if stander is None else ground.side(stander)
        if not edges.hold(named, side):
            yield edges.refusal(named, at, side)


def misplaced(ground: Ground, combat: Combat, sheet: Struct, pointer: str) -> Iterator[Impossible]:
    """Yield a refusal for each field of a new sheet that names a place outside the map."""
    edges = ground.edges(combat)
    if edges is None:
        return
    for at, named, kind in _squares(sheet, pointer):
        side = 1 if kind.stands is None else ground.side_of(sheet)
        if not edges.hold(named, side):
            yield edges.refusal(named, at, side)


def _squares(given: Any, pointer: str) -> Iterator[tuple[str, tuple[int, ...], InputKind]]:
    """Yield each square in a value, with the pointer and the kind of its field."""
    if isinstance(given, Struct):
        for name, field in inputs_of(type(given)).items():
            value, at = getattr(given, _own_name(given, name)), f"{pointer}/{name}"
            if field.kind.refers in ("square", "path"):
                for place, named in _named(value, at):
                    yield place, named, field.kind
            else:
                yield from _squares(value, at)
    elif isinstance(given, tuple | list) and given and isinstance(given[0], Struct):
        for index, part in enumerate(given):
            yield from _squares(part, f"{pointer}/{index}")


def _own_name(given: Struct, name: str) -> str:
    """Return the Python name of a field, which can differ from its JSON name."""
    kind = type(given)
    return kind.__struct_fields__[kind.__struct_encode_fields__.index(name)]


def _named(value: Json, at: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each square in the value of a field, with its pointer. Ignore ids of combatants."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _named(part, f"{at}/{name}")
    elif isinstance(value, tuple | list) and value:
        if isinstance(value[0], int):
            yield at, tuple(value)
        else:
            for part in value:
                yield from _named(part, at)
