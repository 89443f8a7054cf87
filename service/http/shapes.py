"""Shapes of the contract for client generators.

- Requests and responses have separate schemas.
- Every enum has its type.
- Every open object is declared open.
- Unions with a discriminator are `oneOf`, and lists have no named schema.

No schema has the keyword `default`, because generators would make such a field required for writing
and optional for reading. Instead, a request's field is optional, and its description names the
default. A response's field is always present, unless its Struct leaves defaults out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from service.http.schemas import PREFIX, Components, renamed

SUFFIX: Final = "Input"
"""The suffix of a request's schema if a response has the same Struct."""

_NAMED: Final = re.compile(r"\w")
"""A value such as `<=` gives a generator no name, so its enum is published as a pattern."""

_QUOTED: Final = {"examples", "example", "enum", "const", "required"}
"""Keywords whose values are not schemas."""

_KINDS: Final = {bool: "boolean", int: "integer", float: "number", str: "string"}


def shape(components: Components, requests: Any, responses: Any, kinds: Iterable[Any]) -> Any:
    """Change `components` in place, and return `requests` with the names of their schemas.

    `kinds` are the types of all answers. They define the fields that a response may leave out.
    """
    sparse = _sparse(kinds)
    asked, answered = _reached(components, requests), _reached(components, responses)
    split = {
        name
        for name in asked & answered
        if any(_has_defaults(components[other]) for other in _reached(components, components[name]))
        or _has_defaults(components[name])
    }
    names = {PREFIX + name: PREFIX + name + SUFFIX for name in split}
    for name in sorted(asked - answered | split):
        known = renamed(components[name], names)
        if name in split:
            known["title"] = name + SUFFIX
        components[name + SUFFIX if name in split else name] = _request(known)
    for name in sorted(answered):
        components[name] = _response(components[name], sparse=name in sparse)
    _inline_lists(components)
    for schema in components.values():
        _complete(schema)
    named = renamed(requests, names)
    _complete(named)
    return named


def _inline_lists(components: Components) -> None:
    """Replace references to lists by the lists themselves, in place.

    A generator names the items after the schema. If one class had two such fields, they would get
    the same local names, which type checkers refuse.
    """
    lists = {name for name, schema in components.items() if schema.get("type") == "array"}
    known = {PREFIX + name: components.pop(name) for name in sorted(lists)}
    for name in components:
        components[name] = _with(components[name], known)


def _with(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        if value.get("$ref") in known:
            rest = {key: inner for key, inner in value.items() if key != "$ref"}
            kept = {key: inner for key, inner in known[value["$ref"]].items() if key != "title"}
            return {**kept, **rest}
        return {key: _with(inner, known) for key, inner in value.items()}
    return [_with(inner, known) for inner in value] if isinstance(value, list) else value


def _reached(components: Components, value: Any) -> set[str]:
    """Return the names of all schemas that a value leads to."""
    reached: set[str] = set()
    waiting = set(_references(value))
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= set(_references(components[name])) - reached
    return reached


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                if inner.startswith(PREFIX):
                    yield inner.removeprefix(PREFIX)
            elif key == "properties" or key not in _QUOTED:
                fields = list(inner.values()) if key == "properties" else inner
                yield from _references(fields)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _has_defaults(schema: Mapping[str, Any]) -> bool:
    return any("default" in field for field in schema.get("properties", {}).values())


def _sparse(kinds: Iterable[Any]) -> set[str]:
    """Return the names of Structs that encode no default values."""
    sparse: set[str] = set()
    for info in _structs(inspect.multi_type_info(list(kinds)), set()):
        if info.cls.__struct_config__.omit_defaults:
            sparse.add(info.cls.__name__)
    return sparse


def _structs(value: Any, seen: set[Any]) -> Iterator[inspect.StructType]:
    if isinstance(value, inspect.StructType):
        if value.cls in seen:
            return
        seen.add(value.cls)
        yield value
    if isinstance(value, tuple | list):
        for inner in value:
            yield from _structs(inner, seen)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _structs(getattr(value, name), seen)


def _request(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in which the description of each optional field names its default."""
    if "properties" not in schema:
        return schema
    properties = {}
    for name, field in schema["properties"].items():
        field = dict(field)
        if "default" in field:
            default = msgspec.json.encode(field.pop("default")).decode()
            about = str(field.get("description", "")).rstrip(".")
            field["description"] = f"{about}. Default: `{default}`" if about else default
        properties[name] = field
    return {**schema, "properties": properties}


def _response(schema: dict[str, Any], *, sparse: bool) -> dict[str, Any]:
    """Return a schema in which each field is required, or its description explains its absence."""
    if "properties" not in schema:
        return schema
    required = list(schema.get("required", ()))
    properties = {}
    for name, field in schema["properties"].items():
        field = dict(field)
        if "default" in field:
            default = field.pop("default")
            if not sparse and not schema.get("title", "").endswith("Data"):
                required.append(name)
            elif default not in (None, [], {}, ""):
                text = msgspec.json.encode(default).decode()
                about = str(field.get("description", "")).rstrip(".")
                field["description"] = f"{about}. Absent: `{text}`"
        properties[name] = field
    kept = {name: value for name, value in schema.items() if name != "required"}
    return {**kept, "properties": properties, **({"required": required} if required else {})}


def _complete(schema: Any) -> None:
    """Declare the type of every enum and constant, and every open object as open, in place.

    If one field distinguishes the members of a union, it becomes a `oneOf`, because generators
    merge the members of an `anyOf`.
    """
    if isinstance(schema, list):
        for inner in schema:
            _complete(inner)
    if not isinstance(schema, dict):
        return
    schema.pop("default", None)  # the default of a list entry
    if "discriminator" in schema and "anyOf" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(values, list) and "type" not in schema:
        kinds = list(dict.fromkeys("null" if v is None else _KINDS[type(v)] for v in values))
        schema["type"] = kinds[0] if len(kinds) == 1 else kinds
        if any(isinstance(v, str) and v and not _NAMED.search(v) for v in values):
            schema["pattern"] = f"^({'|'.join(map(re.escape, schema.pop('enum')))})$"
    if schema.get("type") == "object" and not {"properties", "maxProperties"} & schema.keys():
        schema.setdefault("additionalProperties", True)
    for key, inner in schema.items():
        if key == "properties":
            _complete(list(inner.values()))
        elif key not in _QUOTED:
            _complete(inner)
