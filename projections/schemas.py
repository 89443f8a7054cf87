"""JSON Schemas (2020-12) of a rulebook's inputs, for ordinary validators.

- Each field has a description, from its Struct or else from the rulebook's words.
- `x-refers-to` is the kind of thing that the field's value refers to, such as a combatant, a square
  or a weapon of the combatant.
- `x-null` is a title for `null`.
- `x-titles` has a title for every value of an `enum`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.record.combat import Json
from domain.rulebook.catalogue import Word
from domain.rulebook.id_names import words as id_words
from domain.rulebook.inputs import Input, inputs_of
from domain.rulebook.ruleset import Ruleset
from domain.rulebook.words import SHARED, TITLES
from projections.published import texts

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = Mapping[str, Json]


class Schemas:
    """The schemas of one rulebook. `used` has the schemas that callers have requested by key."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.words = ruleset.catalogue.words
        self.titles = titles_of(ruleset)
        self.used: dict[str, Schema] = {}
        self._made = _MADE.get(id(self.words)) or _MADE.setdefault(id(self.words), _Made(ruleset))

    def key(self, kind: type[Struct]) -> str:
        """Return the key of a Struct's schema in `used`: its name, alone or with its place."""
        key = self._made.key(kind)
        self.used[key] = self.of(kind)
        return key

    def published(self) -> Mapping[str, str]:
        """Return the hash of each schema in `used` that is also in the catalogue, by its key."""
        known = self._made.published
        return {key: self.hash_of(known[key]) for key in self.used if key in known}

    def hash_of(self, kind: type[Struct]) -> str:
        """Return a hash that changes with the schema."""
        hashes = self._made.hashes
        if kind not in hashes:
            text = msgspec.json.encode(self.of(kind), order="deterministic")
            hashes[kind] = blake2b(text, digest_size=8).hexdigest()
        return hashes[kind]

    def key_of_roll(self, kind: type[Struct], formula: str, faces: Schema) -> str:
        """Return the key of a roll's schema in `used`: the number and the ranges of the faces."""
        key = f"{kind.__name__}:{formula}"
        whole: Any = self.of(kind)
        known = whole["properties"]["faces"]
        given, served = known["anyOf"]
        own = {**known, "anyOf": [{**given, **faces}, served]}
        self.used[key] = {**whole, "properties": {**whole["properties"], "faces": own}}
        return key

    def of(self, kind: Any) -> Schema:
        """Return the complete schema of a type."""
        made = self._made.schemas
        if kind not in made:
            made[kind] = schema(kind, self.words, self.titles)
        return made[kind]


class _Made:
    """Schemas made in the words of a rulebook, by type.

    It holds the words, so that Python does not reuse their id.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.words = ruleset.catalogue.words
        self.schemas: dict[Any, Schema] = {}
        self.hashes: dict[Any, str] = {}
        self._keys: dict[Any, str] = {}
        self.published: dict[str, type[Struct]] = {}
        for kind in _asked(ruleset):
            self.published[self.key(kind)] = kind

    def key(self, kind: type[Struct]) -> str:
        """Return the key of a type, the same for every reader."""
        if kind not in self._keys:
            key = kind.__name__
            if key in self._keys.values():
                key = f"{kind.__module__.rpartition('.')[2]}.{key}"
            self._keys[kind] = key
        return self._keys[kind]


_MADE: Final[dict[int, _Made]] = {}


def _asked(ruleset: Ruleset) -> Iterator[type[Struct]]:
    """Yield the types of inputs in the catalogue, in its order."""
    for action in (*ruleset.actions.values(), *ruleset.rulings.values()):
        yield action.inputs
    for question in ruleset.catalogue.questions:
        for option in question.options:
            yield option.inputs


def titles_of(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the titles for values of closed lists, including the labels of pools and costs."""
    pools = {name: pool.label for name, pool in ruleset.catalogue.pools.items()}
    return {**TITLES, **pools, **ruleset.catalogue.budget, **ruleset.catalogue.titles}


def titled(value: Json, titles: Mapping[str, str], field: str = "") -> Any:
    """Return a schema with `x-titles`, which has a title for each value of an `enum`.

    `x-only` lists the values of the field's type that the rules can accept.
    """
    if isinstance(value, list):
        return [titled(part, titles, field) for part in value]
    if not isinstance(value, Mapping):
        return value
    told = {name: titled(part, titles, field) for name, part in value.items()}
    if isinstance(fields := value.get("properties"), Mapping):
        told["properties"] = {name: titled(part, titles, name) for name, part in fields.items()}
    if (only := told.pop("x-only", None)) is not None:
        told["enum"] = only
    if isinstance(listed := told.get("enum"), list):
        told["x-titles"] = {str(item): _title(str(item), titles, field) for item in listed}
    return told


def _title(value: str, titles: Mapping[str, str], field: str) -> str:
    known = titles.get(f"{field}.{value}") or titles.get(value)
    return known or id_words(value).capitalize()


def schema(
    kind: Any, words: Mapping[str, Word], titles: Mapping[str, str] = MappingProxyType({})
) -> Schema:
    """Return the schema of a type.

    `words` explain the fields without a description. `titles` name values of closed lists.
    """
    raw = titled(texts(msgspec.json.schema(kind)), {**TITLES, **titles})
    known = {**SHARED, **words}
    root = raw.get("$ref", "").rpartition("/")[2]
    defs = {
        name: _told(without_tuples(part), name, known, _inputs(kind) if name == root else {})
        for name, part in raw.pop("$defs", {}).items()
    }
    whole = without_tuples(raw)
    whole.pop("$ref", None)
    if root and not _refers(root, defs):
        whole = {**defs.pop(root), **whole}
    elif root:
        whole["$ref"] = f"#/$defs/{root}"
    return {"$schema": DIALECT, **whole, **({"$defs": defs} if defs else {})}


def together(
    ruleset: Ruleset, kinds: Iterable[type[Struct]], ref: str
) -> tuple[Sequence[Schema], Mapping[str, Schema]]:
    """Return a reference to each of a rulebook's Structs, and the schemas behind them, by name.

    `ref` is the template of a reference.
    """
    every = list(kinds)
    refs, parts = msgspec.json.schema_components(every, ref_template=ref)
    known = {**SHARED, **ruleset.catalogue.words}
    named = {ref["$ref"].rpartition("/")[2]: kind for ref, kind in zip(refs, every, strict=True)}
    return refs, {
        # Structs with the same name get their modules as a prefix.
        name: _told(without_tuples(part), name.rpartition(".")[2], known, _inputs(named.get(name)))
        for name, part in titled(texts(parts), titles_of(ruleset)).items()
    }


def _inputs(kind: Any) -> Mapping[str, Input]:
    """Return the fields of inputs, with the things that they name."""
    return inputs_of(kind) if isinstance(kind, type) and issubclass(kind, Struct) else {}


def _refers(name: str, value: Json) -> bool:
    """Return true if a reference to the definition `name` exists."""
    if isinstance(value, Mapping):
        return value.get("$ref") == f"#/$defs/{name}" or any(
            _refers(name, item) for item in value.values()
        )
    return isinstance(value, list) and any(_refers(name, item) for item in value)


def without_tuples(value: Json) -> Any:
    """Return a schema with tuples as arrays of one type, which every client generator knows."""
    if isinstance(value, list):
        return [without_tuples(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    plain = {name: without_tuples(part) for name, part in value.items()}
    parts = plain.pop("prefixItems", None)
    if parts is not None:
        kinds = [item for index, item in enumerate(parts) if item not in parts[:index]]
        plain["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return plain


def _told(
    definition: dict[str, Any],
    name: str,
    words: Mapping[str, Word],
    inputs: Mapping[str, Input] = {},
) -> dict[str, Any]:
    """Return an object's schema with the meaning of each field and the required fields."""
    properties = definition.get("properties")
    if properties is None:
        return definition
    told = {}
    required = list(definition.get("required", ()))
    for field, part in properties.items():
        word = words.get(f"{name}.{field}") or words.get(field)
        known = inputs.get(field)
        said = {} if word is None else {"description": word.about}
        refers = known.kind.refers if known and known.kind.refers else word and word.refers
        if refers and not _said(part):
            said["x-refers-to"] = refers
        if known is not None and known.required and field not in required:
            required.append(field)
            part = _without_null(part)
        told[field] = {**said, **part}
        forget_null(told[field])
        if means := _NULL.search(told[field].get("description", "")):
            told[field]["x-null"] = means[1][:1].upper() + means[1][1:]
    if required:
        definition = {**definition, "required": [name for name in told if name in required]}
    return {**definition, "properties": told}


def accepts_null(schema: Mapping[str, Any]) -> bool:
    """Return true if the schema allows `null`."""
    if any(accepts_null(part) for part in schema.get("anyOf", schema.get("oneOf", ()))):
        return True
    kinds = schema.get("type", () if {"$ref", "anyOf", "oneOf", "enum"} & schema.keys() else "null")
    return kinds == "null" or "null" in kinds or None in schema.get("enum", ())


def forget_null(schema: dict[str, Any]) -> None:
    """Remove "`null`: …" in place from the description of a field that is never `null`."""
    about = schema.get("description")
    if about is not None and not accepts_null(schema):
        schema["description"] = _NULL.sub("", about)


_NULL: Final = re.compile(r"(?:\. `null`:|; `null` (?:for|if)) ([^;.]*)")


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a field that the rules require."""
    kept = {name: item for name, item in schema.items() if name not in ("default", "anyOf")}
    parts = [item for item in schema.get("anyOf", ()) if item != {"type": "null"}]
    if len(parts) == 1:
        return {**kept, **parts[0]}
    return {**kept, "anyOf": parts} if parts else kept


def _said(value: Json) -> bool:
    """Return true if a schema already has `x-refers-to`."""
    if isinstance(value, Mapping):
        return "x-refers-to" in value or any(_said(item) for item in value.values())
    return isinstance(value, list) and any(_said(item) for item in value)
