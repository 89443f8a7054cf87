"""The page `docs/events.md`, made from the descriptions of the events."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from domain.record.events import Event
from domain.record.readers import knowers
from projections.published import text

HEAD: Final = """\
# Events

This page lists every event of a combat. `affray openapi --write` makes it from the code. In the
API, `data` of an event holds these fields. The GM knows every field. A level names its other
readers:

- all: all readers of the event
- side: players on the side of its `who`
- owner: the players of its `who`
- against: players on the side of the combatant that it is directed at
- gm: nobody else
"""


_WRAP: Final = re.compile(r"(?<!\n)\n(?!\n|- )[ ]*")
"""A line break inside a paragraph or a list item."""


def page() -> str:
    """Return the whole page, as Markdown."""
    ours = [kind for kind in Event.__subclasses__() if kind.__module__ == Event.__module__]
    kinds = sorted(ours, key=_tag)
    return "\n".join([HEAD, *(line for kind in kinds for line in _event(kind))])


def _tag(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def _event(kind: type[Event]) -> Iterator[str]:
    yield f"## {_tag(kind)}\n"
    about = text(kind.__dict__.get("__doc__") or "")
    if about and not about.startswith(f"{kind.__name__}("):
        yield _WRAP.sub(" ", inspect.cleandoc(about)) + "\n"
    _, components = msgspec.json.schema_components([kind])
    fields = components[kind.__name__]["properties"]
    known_to = knowers(kind)
    rows = [name for name in kind.__struct_fields__ if name != "rules"]
    if rows:
        yield "| field | is | known to | meaning |\n|---|---|---|---|"
    for name in rows:
        schema = fields[name]
        yield f"| `{name}` | {_kind(schema)} | {known_to[name]} | {_meaning(schema)} |"
    yield ""


def _meaning(schema: dict[str, Any]) -> str:
    return str(schema.get("description", "")).replace("|", "or").replace("\n", " ")


def _kind(schema: dict[str, Any]) -> str:
    """Return a type in a word or two."""
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(kind) for kind in schema["anyOf"]))
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if schema.get("type") == "array":
        inner = schema.get("items")
        return f"list of {_kind(inner)}" if isinstance(inner, dict) and inner else "list"
    return str(schema.get("type", "any"))
