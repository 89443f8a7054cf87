"""Schemas for clients: msgspec's schemas, in keywords that client generators understand."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

Components = dict[str, Any]

PREFIX: Final = "#/components/schemas/"
REF: Final = PREFIX + "{name}"

LARGEST: Final = 2**53 - 1
"""The largest absolute value of an integer. Many clients cannot represent larger integers."""


_SAID: Final = {"pattern", "enum", "const", "format"}

_TEXT: Final = "^[^\\u0000]*$"
"""The default pattern of every text: without the character NUL."""


def ref(name: str) -> dict[str, Any]:
    """Return the reference to a component."""
    return {"$ref": PREFIX + name}


def pascal(words: str) -> str:
    """Return an id in Pascal case: `full-defense` as FullDefense."""
    return "".join(part.capitalize() for part in words.replace("_", "-").split("-"))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a schema whose references use the new `names`."""
    if isinstance(value, Mapping):
        return {key: renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def refine(schema: Any) -> None:
    """Refine a schema in place.

    It then has no pattern syntax of Python. Its patterns and limits exclude every value that
    Affray refuses everywhere: the character NUL and integers beyond `LARGEST`.
    """
    if isinstance(schema, list):
        for part in schema:
            refine(part)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("pattern"), str):
        schema["pattern"] = schema["pattern"].replace(r"\Z", "$")
    if schema.get("type") == "array":
        schema.setdefault("items", {})
    if schema.get("type") == "string" and not _SAID & schema.keys():
        schema["pattern"] = _TEXT
    if isinstance(schema.get("additionalProperties"), dict):
        names = schema.setdefault("propertyNames", {})
        if not _SAID & names.keys():
            names["pattern"] = _TEXT
    if schema.get("type") == "integer":
        schema.setdefault("minimum", -LARGEST)
        schema.setdefault("maximum", LARGEST)
    for value in list(schema.values()):
        refine(value)


def without_refs(value: Any, within: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return an example with the references of its schemas resolved.

    Linters would mistake these references for references of the contract.

    `within` has the definitions of the schema that the value is part of.
    """
    if isinstance(value, list):
        return [without_refs(part, within) for part in value]
    if not isinstance(value, dict):
        return value
    within = value.get("$defs", within)
    name = str(value.get("$ref", "")).removeprefix("#/$defs/")
    if "$ref" in value:
        rest = {key: part for key, part in within.items() if key != name}  # avoid a cycle
        return without_refs(within.get(name, {}), rest)
    plain = {key: without_refs(part, within) for key, part in value.items() if key != "$defs"}
    if plain.get("type") == "array":
        plain.setdefault("items", {})
    return plain
