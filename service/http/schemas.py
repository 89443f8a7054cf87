"""Schemas as clients can use them: what msgspec says, in words that generators understand."""

from typing import Any, Final

LARGEST: Final = 2**53 - 1
"""Numbers beyond ± this are refused: not every client could hold them."""


_SAID: Final = {"pattern", "enum", "const", "format"}


def refine(schema: Any) -> None:
    """In place: no tuples of fixed kinds, no patterns of Python's, and what is refused is said."""
    if isinstance(schema, list):
        for one in schema:
            refine(one)
    if not isinstance(schema, dict):
        return
    if "prefixItems" in schema:
        _as_list(schema)
    if isinstance(schema.get("pattern"), str):
        schema["pattern"] = schema["pattern"].replace(r"\Z", "$")
    if schema.get("type") == "array":
        schema.setdefault("items", {})
    if schema.get("type") == "string" and not _SAID & schema.keys():
        schema["pattern"] = "^[^\\u0000]*$"
    if schema.get("type") == "integer":
        schema.setdefault("minimum", -LARGEST)
        schema.setdefault("maximum", LARGEST)
    for value in list(schema.values()):
        refine(value)


def _as_list(schema: dict[str, Any]) -> None:
    """A tuple as a list of so many: of the one kind that its parts have, or of any of theirs."""
    kinds: list[Any] = []
    for one in schema.pop("prefixItems"):
        if one not in kinds:
            kinds.append(one)
    schema["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
