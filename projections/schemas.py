"""schemas: JSON Schemas (2020-12) of what a rulebook wants, as an ordinary validator takes them.

Each field says what it means and, with `x-refers-to`, what its value names: a combatant, a square,
one of its weapons. Where the Struct does not say so, the rulebook's words do.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from domain.record.combat import Json
from domain.rulebook.catalogue import Word
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.words import SHARED
from projections.published import texts

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = Mapping[str, Json]


class Schemas:
    """Those of one rulebook. `used` are the schemas that were asked for by key."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.words = ruleset.catalogue.words
        self.used: dict[str, Schema] = {}
        self._kinds: dict[str, type[Any]] = {}
        self._made = _MADE.get(id(self.words)) or _MADE.setdefault(
            id(self.words), _Made(self.words)
        )

    def key(self, kind: type[Struct]) -> str:
        """The key of a Struct's schema in `used`: its name, alone or with its place."""
        key = kind.__name__
        if self._kinds.setdefault(key, kind) is not kind:
            key = f"{kind.__module__.rpartition('.')[2]}.{key}"
            self._kinds[key] = kind
        self.used[key] = self.of(kind)
        return key

    def of(self, kind: Any) -> Schema:
        """The schema of a type, whole in itself."""
        made = self._made.schemas
        if kind not in made:
            made[kind] = schema(kind, self.words)
        return made[kind]

    def written(self) -> Any:
        """`used`, each as JSON: to be read by nobody but an encoder."""
        made, found = self._made.written, {}
        for key, one in self.used.items():
            kind = self._kinds[key]
            if kind not in made:
                made[kind] = Raw(msgspec.json.encode(one))
            found[key] = made[kind]
        return found


class _Made:
    """What was made in the words of a rulebook, by type. Holding them keeps their id from being
    used again."""

    def __init__(self, words: Mapping[str, Word]) -> None:
        self.words = words
        self.schemas: dict[Any, Schema] = {}
        self.written: dict[Any, Raw] = {}


_MADE: Final[dict[int, _Made]] = {}


def schema(kind: Any, words: Mapping[str, Word]) -> Schema:
    """The schema of a type; `words` explain the fields that don't explain themselves."""
    raw = texts(msgspec.json.schema(kind))
    known = {**SHARED, **words}
    defs = {name: _told(_plain(one), name, known) for name, one in raw.pop("$defs", {}).items()}
    whole = _plain(raw)
    root = whole.pop("$ref", "").rpartition("/")[2]
    if root and not _refers(root, defs):
        whole = {**defs.pop(root), **whole}
    elif root:
        whole["$ref"] = f"#/$defs/{root}"
    return {"$schema": DIALECT, **whole, **({"$defs": defs} if defs else {})}


def together(
    ruleset: Ruleset, kinds: Iterable[type[Struct]], ref: str
) -> tuple[Sequence[Schema], Mapping[str, Schema]]:
    """A reference to each of a rulebook's Structs, and the schemas that these lead to, by name.

    `ref` is the template of a reference.
    """
    refs, parts = msgspec.json.schema_components(list(kinds), ref_template=ref)
    known = {**SHARED, **ruleset.catalogue.words}
    return refs, {name: _told(_plain(one), name, known) for name, one in texts(parts).items()}


def _refers(name: str, value: Json) -> bool:
    """Whether anything refers to the definition `name`."""
    if isinstance(value, Mapping):
        return value.get("$ref") == f"#/$defs/{name}" or any(
            _refers(name, one) for one in value.values()
        )
    return isinstance(value, list) and any(_refers(name, one) for one in value)


def _plain(value: Json) -> Any:
    """Tuples as arrays of one kind, which every generator of clients knows."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    found = {name: _plain(one) for name, one in value.items()}
    parts = found.pop("prefixItems", None)
    if parts is not None:
        kinds = [one for index, one in enumerate(parts) if one not in parts[:index]]
        found["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return found


def _told(definition: dict[str, Any], name: str, words: Mapping[str, Word]) -> dict[str, Any]:
    """An object's schema with what each of its fields means."""
    properties = definition.get("properties")
    if properties is None:
        return definition
    told = {}
    for field, one in properties.items():
        word = words.get(f"{name}.{field}") or words.get(field)
        if word is not None:
            said = {"description": word.about}
            if word.refers is not None and not _said(one):
                said["x-refers-to"] = word.refers
            one = {**said, **one}
        told[field] = one
    return {**definition, "properties": told}


def _said(value: Json) -> bool:
    """Whether a field says itself what it refers to."""
    if isinstance(value, Mapping):
        return "x-refers-to" in value or any(_said(one) for one in value.values())
    return isinstance(value, list) and any(_said(one) for one in value)
