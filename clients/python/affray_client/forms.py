"""Forms from JSON Schemas, and inputs from people's entries. This module does no I/O."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from affray_client.shapes import Board, OfferView

Schema = Mapping[str, Any]

Kind = Literal[
    "choice", "several", "number", "text", "switch", "square", "squares", "path",
    "group", "list", "table", "either", "json",
]  # fmt: skip
"""The kind of control for a field.

- `choice`: one of `choices`. `several`: any number of them.
- `number`, `text`, `switch`: a plain value.
- `square`: `[x, y]`. `squares`, `path`: lists of squares.
- `group`: an object with `fields`.
- `list`, `table`: entries of the form `item`. The entries of a table have names.
- `either`: one of `shapes`. `json`: any value.
"""


@dataclass(frozen=True)
class Choice:
    """A value that a field may have. Use `key` in a control that accepts only text."""

    value: Any
    key: str
    label: str


@dataclass(frozen=True)
class Field:
    """One field of a form.

    - `pointer`: the place in a body, as in `Problem.pointer`, such as `/inputs/target`.
    - `refers`: the kind of thing that its value refers to, such as `combatant`, `weapon` or
      `square`. It is `None` for other values.
    - `essential`: whether to show it at once. Collapse the other fields.
    - `choices`: the legal values, best first. It is empty if the values are not listed.
    - `closed`: whether only the choices are accepted.
    - `value`: the initial value, or `None` for an empty field.
    - `whole`: whether a number must be an integer.
    """

    name: str
    pointer: str
    label: str
    about: str
    kind: Kind
    refers: str | None
    required: bool
    nullable: bool
    essential: bool
    choices: tuple[Choice, ...]
    closed: bool
    value: Any
    whole: bool
    minimum: float | None
    maximum: float | None
    min_items: int | None
    max_items: int | None
    max_length: int | None
    fields: tuple[Field, ...]
    item: Field | None
    shapes: tuple[Field, ...]


@dataclass(frozen=True)
class Form:
    """An offer as a form. `headline` describes the initial inputs."""

    headline: str
    label: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Fault:
    """A field with an invalid value."""

    pointer: str
    message: str


@dataclass(frozen=True)
class _Known:
    """Facts about a field beyond its schema."""

    offer: OfferView | None = None
    board: Board | None = None


def form_of(offer: OfferView, schemas: Mapping[str, Schema], board: Board | None = None) -> Form:
    """Return the form of an offer. With the `board`, the form shows combatants by name."""
    schema = schemas.get(offer.inputs, {})
    fields = _fields(schema, "/inputs", _Known(offer, board))
    return Form(offer.headline or offer.label, offer.label, fields)


def fields_of(
    schema: Schema, pointer: str = "", *, board: Board | None = None
) -> tuple[Field, ...]:
    """Return the fields of a schema, such as the schema of a sheet, options, a map or inputs."""
    return _fields(schema, pointer, _Known(board=board))


def _fields(schema: Schema, pointer: str, known: _Known) -> tuple[Field, ...]:
    required = set(schema.get("required", ()))
    return tuple(
        _field(name, raw, schema, name in required, f"{pointer}/{_escape(name)}", known)
        for name, raw in schema.get("properties", {}).items()
    )


def _field(
    name: str, raw: Schema, root: Schema, required: bool, pointer: str, known: _Known
) -> Field:
    schema, nullable = _bare(raw, root)
    refers = raw.get("x-refers-to", schema.get("x-refers-to"))
    offer = known.offer
    item = _follow(schema["items"], schema) if "items" in schema else None
    listed = schema.get("enum") or (item or {}).get("enum")
    listed_titles = schema.get("x-titles") or (item or {}).get("x-titles", {})
    titles = {"null": raw.get("x-null", ""), **listed_titles}
    candidates = offer.candidates.get(name, ()) if offer else ()
    values = list(candidates) or ([None] * nullable + list(listed) if listed else [])
    kind = _kind(schema, item, refers, bool(values) and not listed)
    inner = _Known(board=known.board)
    return Field(
        name=name,
        pointer=pointer,
        label=_words(name),
        about=raw.get("description") or schema.get("description") or "",
        kind=kind,
        refers=refers,
        required=required,
        nullable=nullable,
        essential=name in offer.essential if offer else required,
        choices=tuple(
            Choice(v, _key(v), titles.get(_key(v)) or _label(v, refers, known.board))
            for v in values
        ),
        closed=listed is not None,
        value=_beginning(name, raw, values, required, offer),
        whole=schema.get("type") == "integer",
        minimum=schema.get("minimum"),
        maximum=schema.get("maximum"),
        min_items=schema.get("minItems"),
        max_items=schema.get("maxItems"),
        max_length=schema.get("maxLength"),
        fields=_fields(schema, pointer, inner) if kind == "group" else (),
        item=_item(kind, schema, pointer, inner),
        shapes=_shapes(schema, pointer, inner) if kind == "either" else (),
    )


def _item(kind: Kind, schema: Schema, pointer: str, known: _Known) -> Field | None:
    """Return the field for one entry of a list or a table."""
    raw = schema.get({"list": "items", "table": "additionalProperties"}.get(kind, ""))
    return _field("", raw, schema, True, f"{pointer}/-", known) if isinstance(raw, dict) else None


def _shapes(schema: Schema, pointer: str, known: _Known) -> tuple[Field, ...]:
    """Return the alternatives for a field. A person fills in one of them."""
    variants = [_follow(s, schema) for s in schema.get("anyOf", ()) if s.get("type") != "null"]
    return tuple(
        _field(_words(s.get("title") or str(s.get("type"))), s, schema, True, pointer, known)
        for s in variants
    )


def _beginning(
    name: str, raw: Schema, values: Sequence[Any], required: bool, offer: OfferView | None
) -> Any:
    if offer and offer.examples:
        return offer.examples[0].get(name)
    return values[0] if required and len(values) == 1 else raw.get("default")


def _bare(raw: Schema, root: Schema) -> tuple[Schema, bool]:
    """Return a schema without references and without the alternative `null`."""
    shapes = raw.get("anyOf", ())
    some = [shape for shape in shapes if shape.get("type") != "null"]
    only = some[0] if len(some) == 1 else raw
    return _follow(only, root), len(some) < len(shapes)


def _follow(schema: Schema, root: Schema) -> Schema:
    """Return the schema behind a reference, with the definitions that its parts need."""
    defs = {"$defs": root["$defs"]} if "$defs" in root else {}
    if "$ref" not in schema:
        return {**defs, **schema}
    response = root.get("$defs", {}).get(schema["$ref"].removeprefix("#/$defs/"), {})
    about = {"description": schema["description"]} if schema.get("description") else {}
    return {**response, **defs, **about}


def _kind(schema: Schema, item: Schema | None, refers: str | None, proposed: bool) -> Kind:
    kind = schema.get("type")
    if "enum" in schema:
        return "choice"
    if kind == "boolean":
        return "switch"
    if kind == "array":
        return _array_kind(schema, item or {}, refers, proposed)
    if proposed and "properties" not in schema:
        return "choice"
    if len(schema.get("anyOf", ())) > 1:
        return "either"
    if kind in ("integer", "number"):
        return "number"
    if kind == "object":
        if "properties" in schema:
            return "group"
        return "table" if isinstance(schema.get("additionalProperties"), dict) else "json"
    return "text" if kind == "string" or refers else "json"


def _array_kind(schema: Schema, item: Schema, refers: str | None, proposed: bool) -> Kind:
    if refers == "path":
        return "path"
    if item.get("type") == "array":
        return "squares"
    # Coordinates may be 0 or less. Two dice of the same size have faces from 1.
    few = schema.get("minItems") == 2 and schema.get("maxItems", 9) <= 3
    pair = few and item.get("minimum", 0) < 1
    if item.get("type") in ("integer", "number") and (refers == "square" or pair):
        return "square"
    several = "enum" in item or (item.get("type") == "string" and proposed)
    return "several" if several else "list"


def polarity_of(offer: OfferView, inputs: Mapping[str, Any]) -> str:
    """Return the effect of an offer with these inputs: `harm`, `help`, `none` or `either`."""
    if offer.polarity_by is None:
        return offer.polarity
    value = inputs.get(offer.polarity_by.field)
    chosen = value.get("id") if isinstance(value, dict) else value
    return offer.polarity_by.values.get(str(chosen), offer.polarity)


def inputs_of(
    fields: Sequence[Field], entered: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the inputs from people's entries, by name of the field, and the faults.

    Texts become numbers, switches and choices. Empty fields are omitted. If there are faults, show
    them and do not send the inputs.
    """
    inputs: dict[str, Any] = {}
    faults: list[Fault] = []
    for field in fields:
        value = entered.get(field.name)
        given = field.name in entered and not _is_empty(value)
        if given and (value is not None or field.nullable):
            inputs[field.name] = _read(field, value, faults)
        elif field.required:
            faults.append(Fault(field.pointer, f"{field.label} is missing"))
    return inputs, faults


def _is_empty(value: Any) -> bool:
    return isinstance(value, str) and value == ""


def _read(field: Field, value: Any, faults: list[Fault]) -> Any:
    if isinstance(value, str) and field.kind != "several":
        for choice in field.choices:
            if choice.key == value:
                return choice.value
    if value is None:
        return None
    match field.kind:
        case "choice":
            if field.closed and _key(value) not in [choice.key for choice in field.choices]:
                faults.append(Fault(field.pointer, f"{field.label}: choose one of the list"))
            return value
        case "switch":
            return value is True or value in ("on", "true")
        case "number":
            return _number(field, value, faults)
        case "square" if isinstance(value, str):
            return [_plain(float(part)) for part in re.split(r"[\s,]+", value) if part]
        case "several":
            keys = {choice.key: choice.value for choice in field.choices}
            chosen = value if isinstance(value, list | tuple) else [value]
            return [keys.get(_key(key), key) for key in chosen]
        case "list" if field.item:
            items = value if isinstance(value, list | tuple) else [value]
            return [
                _read(_at(field.item, f"{field.pointer}/{index}"), item, faults)
                for index, item in enumerate(items)
            ]
        case "group":
            inputs, inner_faults = inputs_of(field.fields, value)
            faults += inner_faults
            return inputs
        case "table" if field.item:
            return {
                name: _read(_at(field.item, f"{field.pointer}/{_escape(name)}"), item, faults)
                for name, item in value.items()
            }
        case _:
            return value


def _number(field: Field, value: Any, faults: list[Fault]) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        fault = "enter a number"
    elif field.whole and not number.is_integer():
        fault = "enter a whole number"
    elif field.minimum is not None and number < field.minimum:
        fault = f"at least {field.minimum}"
    elif field.maximum is not None and number > field.maximum:
        fault = f"at most {field.maximum}"
    else:
        return _plain(number)
    faults.append(Fault(field.pointer, f"{field.label}: {fault}"))
    return value


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _at(field: Field, pointer: str) -> Field:
    """Return a field of a list or a table with the pointer of its entry."""
    inner = tuple(_at(f, pointer + f.pointer[len(field.pointer) :]) for f in field.fields)
    return replace(field, pointer=pointer, fields=inner)


def field_at(fields: Sequence[Field], pointer: str | None) -> Field | None:
    """Return the field to which the pointer of a problem leads, or `None`."""
    for field in fields:
        if pointer is not None and (
            pointer == field.pointer or pointer.startswith(f"{field.pointer}/")
        ):
            return field_at(field.fields, pointer) or field
    return None


def _words(name: str) -> str:
    """Return a name in words: "pay_with" → "Pay with", "gm_modifier" → "GM modifier"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub(r"[_-]", " ", name)).lower()
    spelt = re.sub(r"\b(ac|dc|gm|hd|hp|los|mp|npc)\b", lambda short: short[0].upper(), text)
    return spelt[:1].upper() + spelt[1:]


def _label(value: Any, refers: str | None, board: Board | None) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case str() if refers == "combatant":
            named = (
                {combatant.id: combatant.name for combatant in board.combatants} if board else {}
            )
            return named.get(value, value)
        case str():
            return re.sub(r"[_-]", " ", value)
        case list() | tuple():
            if value and all(isinstance(part, int | float) for part in value):
                return f"({', '.join(map(str, value))})"
            nested = bool(value) and isinstance(value[0], list | tuple)
            return (" → " if nested else ", ").join(_label(part, refers, board) for part in value)
        case dict():
            return ", ".join(_parts(value, board))
        case _:
            return str(value)


def _parts(value: Mapping[str, Any], board: Board | None) -> list[str]:
    """Return the non-empty parts of an object in words.

    Texts appear without their field's name, and other values after it.
    """
    parts = []
    for name, part in value.items():
        if isinstance(part, dict):
            parts += _parts(part, board)
        elif isinstance(part, str):
            parts.append(_label(part, None, board))
        elif part is not None and part != [] and part != ():
            parts.append(f"{_words(name).lower()} {_label(part, None, board)}")
    return [part for part in parts if part]


def _key(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
