"""Input reader: read JSON from callers strictly into Structs, and name the field at fault."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from domain.dice import BadFaces, check_faces, parse_roll
from domain.errors import Impossible, Malformed
from domain.record.combat import DiceSettings, Json, reshaped
from domain.record.json_words import PATH, WRONG_TYPE, in_words, pointer

_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_NONE_OF = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)
_STEPS = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_STEP = re.compile(r"\.([^.\[]+)|\[[^\]]*\]")


def read(raw: Json, kind: type[Any]) -> Any:
    """Return JSON from a caller as a Struct. Raise `Malformed` with a pointer to a bad field.

    A Struct that also accepts another shape converts it in its method `reshaped(raw)`.
    """
    raw = reshaped(raw, kind)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise malformed(error, kind, _with_keys(raw, kind, str(error)), raw) from None


def _with_keys(raw: Any, kind: Any, error: str) -> str | None:
    """Return the pointer to an error, with the mapping keys that msgspec omits.

    Return `None` if the path to the error contains no mapping.
    """
    path = PATH.search(error)
    if path is None or not (path["key"] or "[...]" in path["path"]):
        return None
    steps: list[str | int] = []
    for name, index in _STEPS.findall(path["path"] + ("[...]" if path["key"] else "")):
        if index != "...":
            steps.append(name or int(index))
            continue
        items = _faulty(raw, kind, steps, error)
        raw = _replaced(raw, steps, dict(items))
        steps += [key for key, _ in items]
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def _faulty(raw: Any, kind: Any, steps: Sequence[str | int], error: str) -> list[tuple[str, Any]]:
    """Return the entry that causes the error in the mapping at `steps`.

    A bisection finds it, because a body may have thousands of entries.
    """
    there = raw
    for step in steps:
        there = there[step]
    items = list(there.items())

    def bring_it(last: int) -> bool:
        return _error(_replaced(raw, steps, dict(items[: last + 1])), kind) == error

    at = bisect_left(range(len(items)), True, key=bring_it)
    return items[at : at + 1]


def _error(raw: Any, kind: Any) -> str | None:
    try:
        msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _replaced(raw: Any, steps: Sequence[str | int], value: Any) -> Any:
    """Return a copy of the JSON with another value at `steps`."""
    if not steps:
        return value
    first, *more = steps
    if isinstance(raw, Mapping):
        return {**raw, first: _replaced(raw[first], more, value)}
    assert isinstance(first, int)
    return [*raw[:first], _replaced(raw[first], more, value), *raw[first + 1 :]]


class pointing:  # noqa: N801 - it reads as a statement
    """Add a prefix to the pointer of each `Malformed` or `Impossible` from the block.

    If the prefix is "/sheet", a `Malformed` also gets the code `sheet-invalid`.
    """

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, Malformed | Impossible):
            error.pointer = self._prefix + (error.pointer or "")
            if isinstance(error, Malformed) and self._prefix == "/sheet":
                error.code = "sheet-invalid"


def read_faces(faces: Sequence[int], dice: str) -> None:
    """Raise `Malformed` at "/faces" if the dice cannot show these faces."""
    try:
        check_faces(parse_roll(dice), faces)
    except BadFaces as error:
        raise Malformed("/faces", str(error), (dice,)) from None


OLD_NAMES: Mapping[str, tuple[str, ...]] = {
    "combatant": ("who", "unit", "target"),
    "sheet": ("combatant",),
}
"""The stored names of fields of rulings in earlier releases, by their current names."""


def read_stored(raw: Json, kind: type[Any]) -> Any:
    """Return the stored inputs of a ruling, even with old field names, or raise `Malformed`."""
    fields = kind.__struct_encode_fields__
    for name, old in OLD_NAMES.items():
        if isinstance(raw, Mapping) and name in fields and name not in raw:
            given = [other for other in old if other in raw and other not in fields]
            if len(given) == 1:
                raw = {name if key in given else key: value for key, value in raw.items()}
    return read(raw, kind)


def names_one(kind: type[Any]) -> str | None:
    """Return the name of the field that names the ruling's combatant, or `None`."""
    return next(
        (name for name in ("combatant", "target") if name in kind.__struct_encode_fields__), None
    )


def malformed(
    error: msgspec.ValidationError, kind: Any, at: str | None = None, raw: Any = None
) -> Malformed:
    """Return the error with its pointer. For an unknown name, add the known names.

    The default of `at` is the place that msgspec reports. In a union of Structs, `raw` decides
    which Struct applies.
    """
    match = PATH.search(str(error))
    detail, path, key = str(error), "", None
    if match is not None:
        detail, path, key = detail[: match.start()], match["path"], match["key"]
    at = pointer(path) if at is None else at
    if unknown := _UNKNOWN.match(detail):
        known = fields_at(kind, path, _tags_at(raw, path))
        there = f"; there are: {', '.join(known)}" if known else "; there is none"
        return Malformed(f"{at}/{unknown[1]}", f"unknown field {unknown[1]!r}{there}", known)
    if missing := _MISSING.match(detail):
        values = values_at(kind, f"{path}.{missing[1]}")
        others = [name for name in _absent(kind, path, raw, at) if name != missing[1]]
        it, told = "it", f"the field {missing[1]!r} is missing"
        if others:
            it = repr(missing[1])
            *before, last = (it, *map(repr, others))
            told = f"the fields {', '.join(before)} and {last} are missing"
        there = f"; {it} is one of: {', '.join(values)}" if values else ""
        return Malformed(f"{at}/{missing[1]}", f"{told}{there}", values)
    if wrong := _NONE_OF.match(detail):
        values = values_at(kind, path, of_key=key is not None)
        return Malformed(at, f"{wrong[1]} is none of: {', '.join(values)}", values)
    if wrong_type := WRONG_TYPE.fullmatch(detail):
        values = values_at(kind, path) if key is None else ()
        there = f"; it is one of: {', '.join(values)}" if values else _shown(kind, path)
        return Malformed(at, f"{in_words(wrong_type)}{there}", values)
    return Malformed(at, detail)


def _absent(kind: Any, path: str, raw: Any, at: str) -> list[str]:
    """Return the required fields that are missing in the object at this place.

    Return an empty list if the object is unknown or could be one of several Structs.
    """
    for step in at.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(raw, list) and step.isdecimal() and int(step) < len(raw):
            raw = raw[int(step)]
        else:
            raw = raw.get(step) if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping):
        return []
    tags = {(name, value) for name, value in raw.items() if isinstance(value, str)}
    structs = [there for there in _at(kind, path) if isinstance(there, inspect.StructType)]
    if len(structs) > 1:
        structs = [there for there in structs if (there.tag_field, there.tag) in tags]
    return [
        field.encode_name
        for there in structs[:1]
        for field in there.fields
        if field.required and field.encode_name not in raw
    ]


EXAMPLES: Mapping[type[Any], str] = {DiceSettings: '{"players": "manual"}'}
"""Examples of objects that clients often send as a single word."""


def _shown(kind: Any, path: str) -> str:
    """Return an example or the fields of the expected object, or "" if any field is allowed."""
    structs = [there for there in _at(kind, path) if isinstance(there, inspect.StructType)]
    if len(structs) != 1:
        return ""
    if example := EXAMPLES.get(structs[0].cls):
        return f"; for example {example}"
    names = ", ".join(field.encode_name for field in structs[0].fields)
    return f"; its fields are: {names}" if names else ""


@cache
def fields_at(
    kind: Any, path: str, tags: frozenset[tuple[str, str]] = frozenset()
) -> tuple[str, ...]:
    """Return the names of the fields that an object may have at a msgspec path.

    `tags` are the text fields of the object. In a union of Structs, one of them is the tag.
    """
    structs = [there for there in _at(kind, path) if isinstance(there, inspect.StructType)]
    meant = [
        struct_type for struct_type in structs if (struct_type.tag_field, struct_type.tag) in tags
    ]
    structs = meant or structs
    return tuple(
        dict.fromkeys(field.encode_name for struct_type in structs for field in struct_type.fields)
    )


def _tags_at(raw: Any, path: str) -> frozenset[tuple[str, str]]:
    """Return the text fields of the object at a msgspec path, or an empty set if it is missing."""
    for name, index in _STEPS.findall(path):
        if isinstance(raw, Mapping) and name in raw:
            raw = raw[name]
        elif isinstance(raw, list) and index.isdecimal() and int(index) < len(raw):
            raw = raw[int(index)]
        else:
            return frozenset()
    if not isinstance(raw, Mapping):
        return frozenset()
    return frozenset((name, value) for name, value in raw.items() if isinstance(value, str))


@cache
def values_at(kind: Any, path: str, *, of_key: bool = False) -> tuple[str, ...]:
    """Return the allowed values at a msgspec path, if the type lists its values.

    If `of_key` is true, return the allowed keys of the mapping at the path.
    """
    there = _at(kind, path)
    if of_key:
        maps = [kind for kind in there if isinstance(kind, inspect.DictType)]
        there = [key for dict_type in maps for key in _each(dict_type.key_type)]
    counted = [kind for kind in there if isinstance(kind, inspect.LiteralType)]
    return tuple(
        dict.fromkeys(str(value) for literal_type in counted for value in literal_type.values)
    )


def _at(kind: Any, path: str) -> list[inspect.Type]:
    kinds = list(_each(inspect.type_info(kind)))
    for step in _STEP.finditer(path):
        below = [lower for kind in kinds for lower in _down(kind, step[1])]
        kinds = [part for kind in below for part in _each(kind)]
    return kinds


def _each(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types of a union, without their bounds."""
    match kind:
        case inspect.UnionType(types=types):
            for part in types:
                yield from _each(part)
        case inspect.Metadata(type=inner):
            yield from _each(inner)
        case _:
            yield kind


def _down(kind: inspect.Type, name: str | None) -> Iterator[inspect.Type]:
    """Yield the types of a field, or of an element if `name` is `None`."""
    match kind:
        case inspect.StructType(fields=fields, tag_field=kind_of, tag=tag):
            yield from (field.type for field in fields if field.encode_name == name)
            if name is not None and name == kind_of:
                yield inspect.LiteralType((tag,))
        case inspect.DictType(value_type=value):
            yield value
        case inspect.TupleType(item_types=items) if name is None:
            yield from items
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield item
