"""Headlines: one line about an example of an option, with names instead of ids.

A template has fields in braces. A field without a value shows the words after its bar, as in "Use
{ability|an ability}". If a field in brackets has no value, the headline omits the part in brackets.
So "Strike {target}[ with {weapon}]" becomes "Strike Hag with the sword" or "Strike Hag".
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from domain.record.combat import Combat, Id, Json
from domain.rulebook.grid import written
from domain.rulebook.id_names import words
from domain.rulebook.inputs import Input, inputs_of, thing_of
from domain.rulebook.prompts import Option

_OPTIONAL: Final = re.compile(r"\[([^\]]*)\]")
_FIELD: Final = re.compile(r"\{([^}|]*)(?:\|([^}]*))?\}")


def headline(
    combat: Combat, who: Id, option: Option, template: str, raw: Mapping[str, Json]
) -> str:
    """Return the template, filled with the names of these inputs."""
    fields = inputs_of(option.inputs)

    def value(name: str) -> str:
        field = fields.get(name)
        return "" if field is None else _told(combat, who, field, raw.get(name))

    def part(match: re.Match[str]) -> str:
        return match[1] if all(value(name) for name, _ in _FIELD.findall(match[1])) else ""

    whole = _OPTIONAL.sub(part, template)

    def told(match: re.Match[str]) -> str:
        return value(match[1]) or (words(match[1]) if match[2] is None else match[2])

    text = _FIELD.sub(told, whole)
    return text[:1].upper() + text[1:]


_NAMED: Final = ("combatant", "square", "object", "action", "name", "id")
"""Fields that name an object among inputs, in order of preference."""


def template_of(option: Option, label: str, template: str) -> str:
    """Return the option's template, or a template made from the label, the target and the tool."""
    fields = inputs_of(option.inputs)
    if template:
        return template
    parts = [
        f"[: {{{name}}}]" for name, input in fields.items() if input.kind.refers == "combatant"
    ]
    things = [f"[ ({{{name}}})]" for name, input in fields.items() if input.kind.listed]
    return label + "".join([*parts[:1], *things[:1]])


def _told(combat: Combat, who: Id, field: Input, value: Json) -> str:
    """Return a value in words, or an empty text if there is none."""
    if value in (None, "", [], ()):
        return ""
    if isinstance(value, Mapping):
        said = (value.get(name) for name in _NAMED)
        return _told(combat, who, field, next((part for part in said if part), None))
    is_place = field.kind.refers in ("square", "path") and not isinstance(value, str)
    if is_place and (field.kind.refers == "path" or isinstance(value[0], int)):
        last = value[-1] if field.kind.refers == "path" else value
        return written(last)
    if isinstance(value, list | tuple):
        return _of_many(combat, who, field, value)
    return _called(combat, who, field, value)


def _of_many(combat: Combat, who: Id, field: Input, values: Sequence[Json]) -> str:
    told = [_told(combat, who, field, value) for value in values]
    *before, last = [text for text in told if text] or [""]
    return f"{', '.join(before)} and {last}" if before else last


def _called(combat: Combat, who: Id, field: Input, value: Json) -> str:
    """Return the name of one value: a combatant, a thing or a number."""
    if not isinstance(value, str):
        return str(value)
    if field.kind.refers == "combatant":
        named = combat.combatants.get(value)
        return "itself" if value == who and who else words(value) if named is None else named.name
    is_object = field.kind.refers in ("weapon", "item")
    lists = (field.kind.listed,) if field.kind.listed else ("weapons", "items") * is_object
    things = (thing_of(combat[who], listed, value) for listed in lists) if who else ()
    thing: Mapping[str, Json] = next((thing for thing in things if thing is not None), {})
    name = str(thing.get("name") or words(value))
    return f"the {name}" if is_object and name[:1].islower() else name
