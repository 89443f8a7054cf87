"""Write the generated reference pages of the documentation: `python -m docs.reference FOLDER`.

Operations come from the contract, rulebooks from their catalogues, and the command line from its
parser. The site builds these pages; they are not committed.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.catalogue import ActionView, PromptInfo, RulesetView, catalogue
from service.cli import commands, parser
from service.http.contract import contract

Json = Mapping[str, Any]

MANY = 8  # the most variants of a body that get one table each
ROUNDS: Mapping[str, Sequence[str]] = tomllib.loads(
    (Path(__file__).parent / "rounds.toml").read_text()
)
_BOOKS = "|".join(name.title().replace("-", "") for name in installed())
_OWN = re.compile(rf"(Join|Open)?({_BOOKS})\w*")


def pages() -> dict[str, str]:
    """Return the text of each page by its name, without the suffix."""
    rulebooks = installed().values()
    index = [
        "# Generated reference\n",
        "- [Operations](operations.md)",
        "- [Command line](command-line.md)",
        *(f"- [{book.title} ({book.id})]({book.id}.md): {book.summary}" for book in rulebooks),
    ]
    return {
        "index": "\n".join(index),
        "operations": "\n".join(_operations(contract())),
        "command-line": "\n".join(_command_line()),
        **{book.id: "\n".join(_rulebook(book)) for book in rulebooks},
    }


def write(folder: Path) -> None:
    """Write every page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / f"{name}.md").write_text(text + "\n")


def _operations(document: Json) -> Iterator[str]:
    yield "# Operations\n"
    yield (
        "For developers of clients. `GET /schema` of a running service shows every field and"
        " lets you try each operation.\n"
    )
    schemas = document["components"]["schemas"]
    tags: dict[str, list[tuple[str, str, Json]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tags[operation["tags"][0]].append((method.upper(), path, operation))
    for tag in document["tags"]:
        yield f"\n## {tag['name']}\n\n{tag.get('description', '')}\n"
        for method, path, operation in tags[tag["name"]]:
            yield f"### {operation['summary']}\n\n`{method} {path}` ({operation['operationId']})\n"
            yield operation.get("description", "") + "\n"
            named = [
                parameter
                for parameter in operation.get("parameters", ())
                if "description" in parameter
            ]
            if named:
                yield "| parameter | in | meaning |\n|---|---|---|"
                for entry in named:
                    yield f"| `{entry['name']}` | {entry['in']} | {_cell(entry['description'])} |"
            yield from _body(operation.get("requestBody", {}), schemas)
            yield "\nAnswers: " + ", ".join(f"`{status}`" for status in operation["responses"])
            yield from _answer(operation["responses"], schemas)
            yield ""
    yield from _types(document)


def _body(body: Json, schemas: Mapping[str, Json]) -> Iterator[str]:
    """Yield the fields of a JSON body, and an example of it."""
    content = body.get("content", {}).get("application/json")
    if not content:
        return
    yield "\nBody:\n"
    yield from _variants(content["schema"], schemas)
    for example in content.get("examples", {}).values():
        yield f"\n```json\n{json.dumps(example['value'], indent=1, ensure_ascii=False)}\n```"


def _answer(responses: Mapping[str, Json], schemas: Mapping[str, Json]) -> Iterator[str]:
    """Yield the fields of the JSON answer to a successful request."""
    for status, response in responses.items():
        content = response.get("content", {}).get("application/json")
        if status.startswith("2") and content:
            yield f"\n\nThe answer `{status}`:\n"
            yield from _variants(content["schema"], schemas)


def _types(document: Json) -> Iterator[str]:
    """Yield the objects that bodies and answers hold, without the sheets of a rulebook."""
    schemas = document["components"]["schemas"]
    top = _cited(document["paths"])
    inner, waiting = set[str](), set(top)
    while waiting:
        schema = schemas[waiting.pop()]
        if len(schema.get("oneOf", ())) <= MANY:
            new = _cited(schema) - inner - top
            inner |= new
            waiting |= new
    yield "\n## Types\n\nObjects that bodies and answers hold.\n"
    for name in sorted(inner):
        if "properties" in schemas[name] and not _OWN.match(name):
            yield f"### {name}\n\n{_cell(schemas[name].get('description', ''))}\n"
            yield from _fields(schemas[name])
            yield ""


def _cited(part: object) -> set[str]:
    """Return the names of the schemas that a part of the contract refers to."""
    return set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(part)))


def _variants(schema: Json, schemas: Mapping[str, Json]) -> Iterator[str]:
    """Yield a table of the fields. If the body has variants, yield a table for each variant."""
    schema = schemas[_type(schema)] if "$ref" in schema else schema
    tag = schema.get("discriminator", {}).get("propertyName")
    variants = [
        schemas[_type(choice)] for choice in schema.get("oneOf") or schema.get("anyOf") or ()
    ]
    if not variants:
        yield from _fields(schema, none="An empty object.")
    elif len(variants) > MANY or tag is None or tag == "ruleset":
        yield "The page of a rulebook has the fields that only this rulebook uses.\n"
        yield from _fields(_general(variants))
    else:
        for variant in variants:
            (value,) = variant["properties"][tag]["enum"]
            yield f"\nWith `{tag}`: `{value}`\n"
            yield from _fields(variant)


def _general(variants: Sequence[Json]) -> Json:
    """Return the fields that all variants have. If the types differ, give the basic type."""
    fields, first = {}, variants[0]
    for name, field in first["properties"].items():
        same = [variant["properties"].get(name) for variant in variants]
        if None not in same:
            if len({_type(variant) for variant in same}) > 1:
                plain = {"type": field.get("type", "object")}
                fields[name] = {**plain, "description": field.get("description", "")}
            else:
                fields[name] = field
    required = set(first.get("required", ())).intersection(
        *(variant.get("required", ()) for variant in variants)
    )
    return {"properties": fields, "required": required}


def _command_line() -> Iterator[str]:
    yield "# Command line\n"
    whole = parser()
    yield f"For operators and developers.\n\n```text\n{whole.format_help()}```\n"
    for name, command in commands(whole).items():
        yield f"## affray {name}\n\n```text\n{command.format_help()}```\n"


def _rulebook(ruleset: Ruleset) -> Iterator[str]:
    view = catalogue(ruleset)
    sentences = {rule.id: rule.summary for rule in ruleset.rules}
    yield f"# {view.title} (`{view.id}`)\n"
    yield f"{view.summary}. For developers and GMs; made from `GET /v1/rulesets/{view.id}`.\n"
    if steps := ROUNDS.get(view.id):
        yield "## How a round goes\n"
        yield from (f"{number}. {step}" for number, step in enumerate(steps, 1))
        yield ""
    yield "## Sheet\n"
    yield from _fields(view.sheet)
    yield from _parts(view.sheet)
    yield "\nThe catalogue has ready fights (`parties`). The sheets of the first:\n\n```json"
    yield json.dumps(msgspec.to_builtins(view.parties[0].sheets), indent=1)
    yield "```\n\n## Options\n"
    yield from _fields(view.options)
    yield from _parts(view.options)
    yield "\n## Actions\n"
    for action in view.actions:
        yield from _action(action, sentences)
    yield "\n## Prompts\n"
    for prompt in view.prompts:
        yield from _prompt(prompt, sentences)
    yield "\n## Rulings\n"
    for ruling in view.rulings:
        yield from _action(ruling, sentences)
    yield from _words(view)
    yield "\n## Rules\n\n| rule | meaning |\n|---|---|"
    for rule in ruleset.rules:
        yield f"| {rule.id} | {_cell(rule.summary)} |"


def _words(view: RulesetView) -> Iterator[str]:
    yield "\n## Conditions\n\n| condition | effect | ends |\n|---|---|---|"
    for condition in view.conditions:
        yield f"| `{condition.id}` | {_cell(condition.effect)} | {_cell(condition.ends)} |"
    yield "\n## Pools\n\n| pool | label |\n|---|---|"
    for track in view.tracks:
        yield f"| `{track.id}` | {_cell(track.label)} |"


def _action(action: ActionView, sentences: Mapping[str, str]) -> Iterator[str]:
    yield f"### {action.label} (`{action.id}`)\n"
    if action.cost:
        yield f"Cost: {action.cost}.\n"
    yield from _rules(action.rules, sentences)
    yield from _fields(action.inputs)
    yield ""


def _prompt(prompt: PromptInfo, sentences: Mapping[str, str]) -> Iterator[str]:
    yield f"### `{prompt.name}`\n\n{prompt.about}. Kind: `{prompt.kind}`. Asks: {prompt.asks}.\n"
    if prompt.actions:
        yield "Actions: " + ", ".join(f"`{action}`" for action in prompt.actions) + "\n"
    for option in prompt.options:
        yield f"- {option.label} (`{option.id}`)"
    yield ""
    yield from _rules(prompt.rules, sentences)


def _rules(ids: Iterable[str], sentences: Mapping[str, str]) -> Iterator[str]:
    for id in ids:
        yield f"- {id}: {sentences.get(id, '')}"
    yield ""


def _fields(schema: Json, none: str = "No inputs.") -> Iterator[str]:
    properties = schema.get("properties", {})
    if not properties:
        yield none
        return
    required = schema.get("required", ())
    yield "| field | type | meaning |\n|---|---|---|"
    for name, field in properties.items():
        mark = ", required" if name in required else ""
        meaning = _cell(field.get("description", ""))
        yield f"| `{name}` | {_type(field)}{mark}{_bounds(field)} | {meaning} |"


def _bounds(field: Json) -> str:
    """Return the minimum, maximum and default of a field, as text for its row."""
    of = [field, *(field.get("anyOf") or ())]
    limits = (
        next((f"{word} {constraint[key]}" for constraint in of if key in constraint), "")
        for key, word in (("minimum", "at least"), ("maximum", "at most"))
    )
    told = [limit for limit in limits if limit]
    if field.get("default") not in (None, "", [], {}):
        told.append(f"default `{json.dumps(field['default'], ensure_ascii=False)}`")
    return "".join(f", {part}" for part in told)


def _parts(schema: Json) -> Iterator[str]:
    """Yield a table for each object that the fields of a schema hold."""
    for name, part in schema.get("$defs", {}).items():
        if "properties" in part:
            yield f"\n### {name}\n\n{_cell(part.get('description', ''))}\n"
            yield from _fields(part)


def _type(field: Json) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    if variants := field.get("anyOf") or field.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(variant) for variant in variants))
    if field.get("type") == "array":
        items = field.get("items")
        return f"list of {_type(items)}" if items else "list"
    of = field.get("additionalProperties")
    if field.get("type") == "object" and isinstance(of, Mapping) and of:
        return f"object of {_type(of)}"
    return str(field.get("type", "any"))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
