"""The contract: OpenAPI 3.1 made from the operations, served, and published in `openapi/`.

Schemas come from msgspec (closed objects, discriminators). Examples come from `openapi/examples/`,
one file per operation, with answers of the running service.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.errors import Unknown
from domain.rulesets import installed
from projections.published import text, texts
from projections.schemas import forget_null, without_tuples
from service.http.fields import describe
from service.http.operation import JSON, OCTETS, NoQuery, Operation
from service.http.parameters import parameters
from service.http.problems import BASE, Problem, problem
from service.http.prompt_schemas import unite_answers
from service.http.schemas import REF, pascal, ref, refine, without_refs
from service.http.shapes import shape
from service.http.unions import unite
from service.live.calls import WebhookCall, WebhookPing
from service.routes import OPERATIONS

FOLDER: Final = Path(__file__).parent.parent.parent / "openapi"

DESCRIPTION: Final = """\
Affray keeps tabletop role-playing combats as events and knows the rules of their rulebooks.

**First steps.**

1. Open a combat (`POST /v1/combats`) and store the GM's token from the answer.
2. Send the token with every other request: `Authorization: Bearer affray_…`.
3. Begin the fight.
4. Read the board and the open prompts, answer a prompt, and repeat this step.

**Conventions.**

- Errors are problem documents (RFC 9457). If the rules refuse a command, you get `409` with the \
`rule` and a `reason`.
- The `ETag` is the version. For players and spectators, it ends with a checksum of their board.
- Send `If-None-Match` to download only a changed board.
- Send `If-Match` to act only on the board that you have read. If it has changed, you get `412`: \
read it again.
- Send an `Idempotency-Key` with each `POST`, so that you can safely repeat the request.
- Affray refuses unknown fields and parameters, and bodies of more than 1 MiB."""

TAGS: Final = {
    "Rulebooks": "Rulebooks: sheets, actions, prompts, conditions and rules.",
    "Combats": "Fights as a whole: open, list, begin, end and import them.",
    "Combatants": "Combatants of a combat.",
    "Pictures": "Pictures of combatants and maps.",
    "Playing": "Offers, actions, prompts and previews.",
    "GM": "Rulings, notes, undo, redo and amendments.",
    "History": "Events, their causes and rules, branches, and exports.",
    "Access": "Tokens: permissions to watch, to play and to be the GM.",
    "Live": "The stream of a combat, and tickets for browsers.",
    "Webhooks": "Calls to other programs when something happens.",
    "Webhook calls": "Calls that the service sends to the address of a webhook.",
    "Running": "For operators.",
}
"""A description of each tag."""

_PROBLEMS: Final[dict[int, Problem]] = {
    400: problem("malformed", "a text is wanted, not a whole number", pointer="/combatant"),
    401: problem("unauthorized", "send the combat's token: Authorization: Bearer affray_…"),
    403: problem("forbidden", "only the GM may do this, not a player"),
    404: problem("not-found", "no combatant 'Cyd'; there are: Ana, Bo"),
    409: problem(
        "illegal-action",
        "it is not Bo's turn",
        rule="FH-SEQ-05",
        reason="not-your-turn",
        allowed=("Ana",),
    ),
    410: problem(
        "answer-erased",
        "this Idempotency-Key was answered, and texts of the combat were erased since: the events"
        " hold the command, as it is now",
        command="6f1c1c1e-8a4b-4f0e-9d53-0c0c7d1d2f11",
    ),
    412: problem("stale", 'the combat is at "12", not at "9"', version='"12"'),
    413: problem("too-large", "a body has at most 1048576 bytes here"),
    415: problem("unsupported-media-type", "send Content-Type: application/json, not 'text/plain'"),
    422: problem(
        "idempotency-key-reused",
        "the key 'a1' belongs to a request with another body or path",
    ),
    429: problem(
        "too-many-requests",
        "at most 1000 streams with one token; try again in 5 s",
    ),
    503: problem("unavailable", "try again soon; nothing of this request was stored"),
}


def _error_name(status: int) -> str:
    return pascal(_PROBLEMS[status].type.removeprefix(BASE))


def _header(about: str, kind: str = "string") -> dict[str, Any]:
    return {"description": about, "schema": {"type": kind}}


_HEADERS: Final = {
    429: {
        "Retry-After": _header("Seconds to wait", "integer"),
        "RateLimit-Policy": _header(
            'The limit by name, quota (q) and window in seconds (w), as `"openings";q=6000;w=60`'
        ),
        "RateLimit": _header(
            'The requests left (r) and the seconds until more (t), as `"openings";r=0;t=5`'
        ),
    }
}
"""Headers of error responses, by status."""

ERRORS: Final = {
    _error_name(status): {
        "description": example.title,
        **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        "content": {
            "application/problem+json": {
                "schema": ref("Problem"),
                "examples": {"example": {"value": msgspec.to_builtins(example)}},
            }
        },
    }
    for status, example in _PROBLEMS.items()
}
"""The error responses, by name; operations refer to them."""


def _call(id: str, summary: str, about: str, kind: type[Struct]) -> dict[str, Any]:
    return {
        "operationId": id,
        "summary": summary,
        "description": about,
        "tags": ["Webhook calls"],
        "security": [],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": ref(kind.__name__)}},
        },
        "responses": {
            "2XX": {"description": "You received the call"},
            "410": {"description": "You want no more calls. Affray gives the webhook up"},
            "default": {"description": "Affray sends the call again after a pause"},
        },
    }


CALLS: Final = {
    "called": _call(
        "called",
        "Receive a call of a webhook",
        "Affray calls at least once for each occasion, in order. Check the signature by the"
        " scheme of Standard Webhooks. Answer before you process the call.",
        WebhookCall,
    ),
    "pinged": _call(
        "pinged",
        "Receive a test call of a webhook",
        "A GM has asked for a test call. Affray signs it like every call, and sends it once.",
        WebhookPing,
    ),
}
"""Calls that the service sends to the address of a webhook."""


def contract(ruleset: str | None = None) -> dict[str, Any]:
    """Return the complete contract, or the part for one rulebook. Raise `Unknown`."""
    rulesets = installed()
    if ruleset is not None:
        if ruleset not in rulesets:
            raise Unknown("ruleset", ruleset, tuple(rulesets))
        rulesets = {ruleset: rulesets[ruleset]}
    answers: list[Any] = [Problem, WebhookCall, WebhookPing]
    kinds: list[Any] = []
    for operation in OPERATIONS:
        answers += _structs(operation.answer, *operation.messages.values())
        kinds += _structs(operation.body, operation.query)
    _, components = msgspec.json.schema_components([*answers, *kinds], ref_template=REF)
    components = texts(components)
    describe(components)
    kinds_known = unite(components, rulesets.values())
    unite_answers(components, rulesets.values(), kinds_known)
    components.update({name: without_tuples(schema) for name, schema in components.items()})
    for name, schema in components.items():
        if name != "Problem":  # a problem may quote a refused value
            refine(schema)
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        documented = _operation(operation, components, ruleset)
        paths.setdefault(operation.path, {})[operation.method.lower()] = documented
    for operation in OPERATIONS:
        components.pop(operation.query.__name__, None)
    methods = [method for path in paths.values() for method in path.values()]
    bodies = [method.get("requestBody") for method in methods]
    calls = [call["requestBody"] for call in CALLS.values()]
    results = [[method["responses"] for method in methods], calls, ERRORS]
    for method, body in zip(methods, shape(components, bodies, results, answers), strict=True):
        if body is not None:
            method["requestBody"] = body
    for schema in components.values():
        for field in schema.get("properties", {}).values():
            forget_null(field)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Affray",
            "version": version("affray"),
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "webhooks": {name: {"post": call} for name, call in CALLS.items()},
        "components": {
            "schemas": components,
            "responses": ERRORS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A combat's token, or the service key if the service has one.",
                }
            },
        },
    }


def encoded() -> bytes:
    """Return the document in its published form: one line for each path and each component."""
    lines = ["{"]
    document = contract()
    for key, value in document.items():
        if key not in ("paths", "components"):
            lines.append(f"{_compact(key)}: {_compact(value)},")
    lines.append('"paths": {' + ",".join(_rows(document["paths"])) + "\n},")
    groups = (
        f"{_compact(name)}: {{{','.join(_rows(group))}\n}}"
        for name, group in document["components"].items()
    )
    lines.append('"components": {' + ",\n".join(groups) + "}\n}")
    return ("\n".join(lines) + "\n").encode()


def _rows(group: Mapping[str, Any]) -> Iterator[str]:
    for name, value in group.items():
        yield f"\n{_compact(name)}: {_compact(value)}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _structs(*kinds: Any) -> Iterator[Any]:
    for kind in kinds:
        if kind is not None and kind is not NoQuery and not isinstance(kind, str):
            yield kind


def _operation(
    operation: Operation, components: dict[str, Any], ruleset: str | None
) -> dict[str, Any]:
    examples = _examples(operation.id, ruleset)
    doc: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "description": text(operation.handler.__doc__ or ""),
        "tags": [operation.tag],
        "parameters": parameters(operation, components),
        "responses": _responses(operation, examples),
    }
    if operation.who == "anybody":
        doc["security"] = []
    elif operation.who == "service":
        doc["security"] = [{}, {"token": []}]
    elif operation.who in ("token", "gm"):
        doc["security"] = [{"token": []}]
    if operation.body is not None or operation.body_type != JSON:
        content: dict[str, Any] = {"schema": _schema(operation.body)}
        if "request" in examples:
            content["examples"] = {"example": {"value": examples["request"]}}
        kinds = {operation.body_type: content}
        if operation.body_type != JSON:
            kinds[OCTETS] = {"schema": {"type": "string", "format": "binary"}}
        doc["requestBody"] = {"required": True, "content": kinds}
    return doc


def _schema(kind: Any) -> dict[str, Any]:
    if kind is None:
        return {"type": "string"}
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


def _responses(operation: Operation, examples: dict[str, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    success: dict[str, Any] = {"description": operation.summary}
    if operation.answer is not None:
        if operation.messages:
            success["content"] = {operation.answer: {"schema": _stream(operation.messages)}}
        elif isinstance(operation.answer, str):
            success["content"] = {operation.answer: {"schema": {"type": "string"}}}
        else:
            content: dict[str, Any] = {"schema": _schema(operation.answer)}
            if "response" in examples:
                content["examples"] = {"example": {"value": examples["response"]}}
            success["content"] = {JSON: content}
        for media in operation.media_types:
            if media != JSON:
                success["content"][media] = {"schema": {"type": "string"}}
    if operation.conditional and operation.status != 204:
        success["headers"] = {"ETag": _header("The version")}
    if operation.links:
        success["links"] = {
            name: {"operationId": target, "parameters": dict(parameters)}
            for name, (target, parameters) in operation.links.items()
        }
    responses[str(operation.status)] = success
    if operation.method == "GET" and operation.conditional:
        responses["304"] = {"description": "Nothing has changed"}
    for status in sorted(set(_errors(operation))):
        responses[str(status)] = {"$ref": f"#/components/responses/{_error_name(status)}"}
    return responses


def _stream(messages: Mapping[str, type[Struct]]) -> dict[str, Any]:
    """Return one Server-Sent Event of a stream."""
    texts = [
        {
            "properties": {"event": {"const": name}, "data": _text_of(kind)},
            "required": ["event", "data"],
        }
        for name, kind in messages.items()
    ]
    return {
        "type": "object",
        "description": "An event of the stream. `data` is JSON.",
        "properties": {
            "event": {"type": "string", "enum": list(messages)},
            "id": {
                "type": "string",
                "description": "Send this id as `Last-Event-ID` to resume. It has the reader's"
                " version and the stream's id. In the newest message, a checksum of the board"
                " follows",
            },
            "data": {"type": "string"},
        },
        "required": ["event", "data"],
        "oneOf": texts,
    }


def _text_of(kind: type[Struct]) -> dict[str, Any]:
    return {
        "type": "string",
        "contentMediaType": JSON,
        "contentSchema": ref(kind.__name__),
    }


def _errors(operation: Operation) -> list[int]:
    errors = [400, *operation.errors]
    if operation.method == "POST" and operation.stores:
        errors += [410, 422]
    if operation.who != "anybody":
        errors += [401, 429]
    if operation.who == "gm":
        errors.append(403)
    if operation.body is not None or operation.body_type != JSON:
        errors += [413, 415]
    if operation.who != "anybody":
        errors.append(503)
    return errors


@cache
def examples_of() -> str | None:
    """Return the rulebook of all examples, or `None` if the examples are not installed."""
    known = _examples("readRuleset", None)
    return known["response"]["id"] if known else None


def _examples(id: str, ruleset: str | None) -> dict[str, Any]:
    if ruleset is not None and ruleset != examples_of():
        return {}
    file = FOLDER / "examples" / f"{id}.json"
    if not file.exists():
        return {}
    examples: dict[str, Any] = without_refs(without_tuples(json.loads(file.read_text())))
    return examples
