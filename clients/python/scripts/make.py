"""Make `shapes.py` and `operations.py` of the client from the published contract.

python clients/python/scripts/make.py           write both files
python clients/python/scripts/make.py --check   name the files that are not up to date
"""

import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
CONTRACT = HERE.parents[1] / "openapi" / "openapi.json"
PACKAGE = HERE / "affray_client"

STREAM = (
    "CommandMessage", "AmendedMessage", "WalkProgress", "TokensChanged", "Presence", "StreamClosed",
)  # fmt: skip
"""Messages of the stream: no operation answers them as JSON."""

SYNC = (
    (
        r"(?s)^.*?\n\n",
        '"""A service, and the combats that a token opens. Made from `async_client.py`."""\n\n',
    ),
    (r"from asyncio import sleep", "from time import sleep"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Affray|Combat|Client)\b", r"\1"),
    (r"\bAsyncGenerator(?=,)", "Generator"),
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|closing|read|iter_text)\b", r"\1"),
)
"""The differences of the synchronous client: pattern and replacement."""

METHODS = ("get", "post", "put", "patch", "delete")
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

SHAPES = '''"""The answers of the service. Made from openapi/openapi.json, which describes fields.

`scripts/make.py` makes it. Bodies of requests have no class here: they are JSON as the contract
and the rulebook's schemas describe it, and the service names the field that it refuses.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from affray_client.shape import Shape

VERSION = {version!r}
"""The contract from which this client was made."""

'''

OPERATIONS = '''"""Every operation of the contract.

Made from openapi/openapi.json by `scripts/make.py`.
"""

from __future__ import annotations

from affray_client import shapes
from affray_client.operation import Operation

'''


def shapes(contract: dict[str, Any]) -> str:
    """Return the module with a class for each schema that an answer may hold."""
    schemas = contract["components"]["schemas"]
    parts = [SHAPES.format(version=contract["info"]["version"])]
    words: dict[str, str] = {}
    classes = [shape(name, schemas[name], schemas, words) for name in answered(contract)]
    # A newer service may have further words, so the client must read any text.
    parts.append("if TYPE_CHECKING:\n")
    parts += [f"    {name} = {literal}\n" for name, literal in sorted(words.items())]
    parts.append("else:\n")
    parts += [f"    {name} = str\n" for name in sorted(words)]
    return "".join(parts + classes)


def answered(contract: dict[str, Any]) -> list[str]:
    """Return the names of all schemas that answers and messages hold, sorted."""
    schemas = contract["components"]["schemas"]
    waiting = [*STREAM, "Problem"]
    for _, _, operation in operations(contract):
        waiting += references(answer_of(operation) or {})
    names: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += references(flat(schemas[name], schemas))
    return sorted(names)


def operations(contract: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and content of every operation."""
    for path, ways in contract["paths"].items():
        for method in METHODS:
            if method in ways:
                yield path, method, ways[method]


def answer_of(operation: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of the JSON that an operation answers, or `None` without JSON."""
    for status in ("200", "201"):
        content = operation["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            schema: dict[str, Any] = content["application/json"]["schema"]
            return schema
    return None


def references(schema: Any) -> list[str]:
    """Return the names of the schemas to which this one refers."""
    if isinstance(schema, dict):
        own = [schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else []
        return own + [name for part in schema.values() for name in references(part)]
    if isinstance(schema, list):
        return [name for part in schema for name in references(part)]
    return []


def flat(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a union of objects as one object with all of their fields. Do not change others.

    A newer service may add members to the union. One class with open `data` also reads them.
    """
    if "oneOf" not in schema:
        return schema
    members = [schemas[name] for name in references(schema["oneOf"])]
    shared = set.intersection(*(set(member["properties"]) for member in members))
    merged = {}
    for name in members[0]["properties"]:
        if name in shared:
            kinds = {hint(member["properties"][name]) for member in members}
            # If members differ, they share only the fact that they are words or objects.
            open_kind = {"type": "string"} if name == "type" else {"type": "object"}
            merged[name] = members[0]["properties"][name] if len(kinds) == 1 else open_kind
    required = [name for name in merged if all(name in m["required"] for m in members)]
    return {"type": "object", "properties": merged, "required": required}


def shape(name: str, schema: dict[str, Any], schemas: dict[str, Any], words: dict[str, str]) -> str:
    """Return the class of one schema; `words` receives the closed lists of words in it."""
    merged = flat(schema, schemas)
    required = set(merged.get("required", []))
    lines = [f"\nclass {name}(Shape, frozen=True, kw_only=True):"]
    for field, kind in merged.get("properties", {}).items():
        text = hint(kind)
        for literal in re.findall(r"Literal\[[^]]*\]", text):
            alias = name + "".join(part.capitalize() for part in field.split("_"))
            words[alias] = literal
            text = text.replace(literal, alias)
        own = f"{field}_" if keyword.iskeyword(field) else field
        optional = field not in required
        if optional and not text.startswith(("tuple", "dict")) and "None" not in text:
            text += " | None"
        given = default_of(text) if optional else ""
        if own != field:
            inside = f"name={field!r}" + (f", default={given}" if given else "")
            given = f"msgspec.field({inside})"
        lines.append(f"    {own}: {text}" + (f" = {given}" if given else ""))
    if len(lines) == 1:
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def default_of(text: str) -> str:
    if "None" in text:
        return "None"
    if text.startswith("tuple"):
        return "()"
    return "msgspec.field(default_factory=dict)" if text.startswith("dict") else "None"


def hint(schema: dict[str, Any]) -> str:
    """Return the annotation of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(hint(part) for part in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        words = schema.get("enum", [schema.get("const")])
        if all(isinstance(word, str) for word in words):
            return f"Literal[{', '.join(json.dumps(word, ensure_ascii=False) for word in words)}]"
        return "Any"
    match schema.get("type"):
        case "array":
            return f"tuple[{hint(schema.get('items', {}))}, ...]"
        case "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {hint(inner) if isinstance(inner, dict) else 'Any'}]"
        case "string" if schema.get("format") == "date-time":
            return "datetime"
        case str(kind):
            return PLAIN[kind]
        case _:
            return "Any"


def table(contract: dict[str, Any]) -> str:
    """Return the module with every operation: its request, and the class of its answer."""
    parts = [OPERATIONS]
    for path, method, operation in operations(contract):
        headers = {parameter.get("name") for parameter in operation["parameters"]}
        schema = answer_of(operation)
        answer = "None" if schema is None else f"shapes.{hint(schema)}"
        facts = [repr(operation["operationId"]), repr(method.upper()), repr(path)]
        facts.append("None" if schema is None else answer)
        media = list(operation.get("requestBody", {}).get("content", {}))
        for name, fact in (
            ("media", media[-1] if media else None),
            ("keyed", "Idempotency-Key" in headers),
            ("service_key", "Affray-Service-Key" in headers),
        ):
            if fact:
                facts.append(f"{name}={fact!r}")
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation["operationId"]).lower()
        parts.append(f"{name}: Operation[{answer}] = Operation({', '.join(facts)})\n")
    return "".join(parts)


def synchronous(text: str) -> str:
    """Return the blocking version of a module for asyncio."""
    for pattern, replacement in SYNC:
        text = re.sub(pattern, replacement, text)
    return text


def made() -> dict[Path, str]:
    """Return the text of each file that this script makes."""
    contract = json.loads(CONTRACT.read_text())
    return {
        PACKAGE / "shapes.py": formatted(shapes(contract)),
        PACKAGE / "operations.py": formatted(table(contract)),
        PACKAGE / "sync_client.py": formatted(
            synchronous((PACKAGE / "async_client.py").read_text())
        ),
    }


def formatted(text: str) -> str:
    """Return a module as the project writes it."""
    place = ["--stdin-filename", str(PACKAGE / "made.py"), "-"]
    for command in (["check", "-q", "--fix", "--unsafe-fixes", "--select", "I,UP028"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, *place]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> int:
    files = made()
    if "--check" in sys.argv[1:]:
        old = [path.name for path, text in files.items() if path.read_text() != text]
        if old:
            print(f"not up to date, run {Path(__file__).name}: {', '.join(old)}")
        return 1 if old else 0
    for path, text in files.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
