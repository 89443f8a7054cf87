"""Unions of the contract: event data by type, inputs by action, a fight by its rulebook.

Generated clients know the fields of each variant. The additions of the installed rulebooks are
included, so the served contract is that of the service itself.
"""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from domain.record.events import AnyEvent, Damaged, Event, Healed, TrackChanged
from domain.record.readers import knowers
from domain.rulebook.action import Action
from domain.rulebook.inputs import inputs_of
from domain.rulebook.ruleset import Ruleset
from projections.catalogue import ENGINE
from projections.published import text, texts
from projections.schemas import together
from service.http.fields import describe, name_fields
from service.http.schemas import PREFIX, REF, Components, pascal, ref, renamed


def unite(components: Components, rulesets: Iterable[Ruleset]) -> "Kinds":
    """Split each schema that depends on a word into one schema for each word, in place."""
    known = tuple(rulesets)
    _events(components)
    kinds = Kinds(components, known)
    for shell, word, family in (
        ("DeclareAction", "action", [ruleset.actions for ruleset in known]),
        ("MakeRuling", "ruling", [ruleset.rulings for ruleset in known]),
    ):
        _by_action(components, shell, word, list(zip(known, family, strict=True)), kinds)
    _by_ruleset(components, known, kinds)
    return kinds


def _union(
    components: Components, shell: str, word: str, variants: Mapping[str, Mapping[str, Any]]
) -> None:
    """Replace the schema `shell` by one schema for each value of its field `word`.

    A variant has a name, the schemas of its fields, and its required fields.
    """
    whole = components[shell]
    mapping = {}
    for value, variant in variants.items():
        name = variant["name"]
        said = {word: {"type": "string", "const": value}, **variant["properties"]}
        properties = {
            field: {**_described(schema), **said.get(field, {})} if field in said else schema
            for field, schema in whole["properties"].items()
        }
        components[name] = {
            **whole,
            "title": name,
            "description": variant["about"],
            "properties": properties,
            "required": [*whole.get("required", ()), *variant.get("required", ())],
        }
        mapping[value] = PREFIX + name
    components[shell] = {
        "title": shell,
        "description": whole.get("description", ""),
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": word, "mapping": mapping},
    }


def _described(field: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": field["description"]} if "description" in field else {}


# ---- events


def _events(components: Components) -> None:
    kinds: tuple[type[Event], ...] = get_args(AnyEvent)
    _, raw = msgspec.json.schema_components(kinds, ref_template=REF)
    raw = texts(raw)
    variants = {}
    for kind in kinds:
        data = raw.pop(kind.__name__)
        components[f"{kind.__name__}Data"] = _data(kind, data)
        variants[str(kind.__struct_config__.tag)] = {
            "name": f"{kind.__name__}Event",
            "about": _about(kind),
            "properties": {"data": ref(f"{kind.__name__}Data")},
        }
    describe(raw)
    for name, schema in raw.items():
        components.setdefault(name, schema)
    _union(components, "EventView", "type", variants)


def _about(kind: type[Event]) -> str:
    """Return an event's docstring, or its type as words: Combat began."""
    words = str(kind.__struct_config__.tag).replace("-", " ").capitalize() + "."
    return " ".join(text(kind.__dict__.get("__doc__") or words).split())


def _data(kind: type[Event], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an event. Fields that a reader may not know are optional."""
    levels = knowers(kind)
    properties = {
        name: schema
        for name, schema in whole["properties"].items()
        if name not in ("type", "rules")
    }
    if kind in (Damaged, Healed, TrackChanged):
        about = "The word for a foe's wounds at that time, in place of its numbers"
        properties["wound"] = {"type": "string", "description": about}
    name = f"{kind.__name__}Data"
    return {
        "title": name,
        "description": f"Data of an event of type {kind.__struct_config__.tag}.",
        "type": "object",
        "properties": properties,
        "required": [
            field
            for field in whole.get("required", ())
            if field in properties and levels[field] in ("all", kind.known_to)
        ],
    }


# ---- rulebooks


class Kinds:
    """The schemas of each rulebook's inputs, as components under its name."""

    def __init__(self, components: Components, rulesets: Iterable[Ruleset]) -> None:
        self._refs: dict[tuple[str, type[Struct]], dict[str, Any]] = {}
        for ruleset in rulesets:
            actions = (*ruleset.actions.values(), *ruleset.rulings.values())
            asked = (*ruleset.catalogue.questions, *ENGINE)
            options = [option for question in asked for option in question.options]
            takers = {option.inputs: option.id for option in reversed((*actions, *options))}
            kinds = dict.fromkeys([ruleset.sheet, ruleset.options, *reversed(takers)])
            if ruleset.map is not None:
                kinds[ruleset.map] = None
            refs, parts = together(ruleset, kinds, REF)
            # If several Structs have the same name, msgspec adds their modules, which may change.
            names = {name: pascal(ruleset.id) + name.rpartition(".")[2] for name in parts}
            for kind, place in zip(kinds, refs, strict=True):
                name = place["$ref"].removeprefix(PREFIX)
                if "." in name and kind in takers:
                    names[name] = f"{pascal(ruleset.id)}{pascal(takers[kind])}Inputs"
            known_as = {PREFIX + name: PREFIX + known for name, known in names.items()}
            for kind, place in zip(kinds, refs, strict=True):
                self._refs[ruleset.id, kind] = renamed(place, known_as)
            for name, part in parts.items():
                known = names[name]
                assert known not in components, known
                components[known] = {**renamed(part, known_as), "title": known}
                name_fields(components[known])

    def ref(self, ruleset: Ruleset, kind: type[Struct]) -> dict[str, Any]:
        """Return the reference to a schema."""
        return self._refs[ruleset.id, kind]

    def any(self, pairs: Iterable[tuple[Ruleset, type[Struct]]]) -> dict[str, Any]:
        """Return a schema that accepts any of these."""
        refs: list[dict[str, Any]] = []
        for ruleset, kind in pairs:
            if self.ref(ruleset, kind) not in refs:
                refs.append(self.ref(ruleset, kind))
        return refs[0] if len(refs) == 1 else {"anyOf": refs}


def _by_action(
    components: Components,
    shell: str,
    word: str,
    families: Iterable[tuple[Ruleset, Mapping[str, Action]]],
    kinds: Kinds,
) -> None:
    """Add one schema for each action, with the inputs of any rulebook that has it."""
    known: dict[str, list[tuple[Ruleset, type[Struct]]]] = {}
    for ruleset, actions in families:
        for action in actions.values():
            known.setdefault(action.id, []).append((ruleset, action.inputs))
    variants = {}
    for id, pairs in sorted(known.items()):
        wanted = all(wants_something(kind) for _, kind in pairs)
        variants[id] = {
            "name": f"{shell.removesuffix(pascal(word))}{pascal(id)}",
            "about": f"The {word} {id}, in: {', '.join(ruleset.id for ruleset, _ in pairs)}.",
            "properties": {"inputs": kinds.any(pairs)},
            "required": ["inputs"] if wanted else [],
        }
    _union(components, shell, word, variants)


def wants_something(kind: type[Struct]) -> bool:
    """Return true if a field of these inputs is required, by its type or by the rules."""
    return any(field.required for field in inputs_of(kind).values())


def _by_ruleset(components: Components, rulesets: Iterable[Ruleset], kinds: Kinds) -> None:
    """Add the schemas of a fight's options, map and combatants for each rulebook."""
    variants = {}
    joining = components["Joining"]
    properties: dict[str, Any]
    for ruleset in rulesets:
        joins = f"Join{pascal(ruleset.id)}"
        components[joins] = {
            **joining,
            "title": joins,
            "properties": {
                **joining["properties"],
                "sheet": {
                    **_described(joining["properties"]["sheet"]),
                    **kinds.ref(ruleset, ruleset.sheet),
                },
            },
        }
        properties = {
            "options": kinds.ref(ruleset, ruleset.options),
            "combatants": {"type": "array", "items": ref(joins), "maxItems": 200},
        }
        if ruleset.map is not None:
            properties["map"] = {"anyOf": [kinds.ref(ruleset, ruleset.map), {"type": "null"}]}
        variants[ruleset.id] = {
            "name": f"Open{pascal(ruleset.id)}",
            "about": f"A fight under {ruleset.title}.",
            "properties": properties,
            "required": ["options"] if wants_something(ruleset.options) else [],
        }
    _union(components, "OpenCombat", "ruleset", variants)
    components["Joining"] = {
        "title": "Joining",
        "description": joining["description"],
        "anyOf": [ref(f"Join{pascal(ruleset.id)}") for ruleset in rulesets],
    }
