"""The parameters of the contract, each with a description of its own and an example."""

from dataclasses import dataclass
from typing import Any, Final

from service.http.operation import NoQuery, Operation
from service.http.request_reader import IF_MATCH, SHORTEST_KEY
from service.live import places


@dataclass(frozen=True)
class About:
    """The meaning of a parameter. If `example` is None, any value will do."""

    text: str
    example: str | int | None = None


PATH: Final = {
    "combat": About("Id of the combat"),
    "combatant": About("Id of the combatant", "Troll"),
    "id": About("Id of an open request", "Lin:request-1"),
    "number": About("Name of a number that the board shows", "target_number"),
    "picture": About("Id of an uploaded picture"),
    "prompt": About("Id of an open prompt", "Lin:1"),
    "ruleset": About("Id of the rulebook", "free-hit"),
    "token_id": About("Id of a token, not the token itself"),
    "version": About("Version of an event, in the reader's own count", "12"),
    "webhook": About("Id of a webhook"),
}

QUERY: Final = {
    "a": About("A version of one branch", 2),
    "b": About("A version of the other branch", 3),
    "after": About("The page follows this version of the reader's", 0),
    "as": About("Through the eyes of the token with this id; for the GM"),
    "at": About("As it was after this event", 2),
    "board": About("Whether the newest message holds the board"),
    "cite": About("`nothing` leaves rule ids and versions out of Markdown", "nothing"),
    "combatant": About("Id of a combatant", "Lin"),
    "condition": About("Id of a condition that it has"),
    "detail": About("`story` tells what happened, or the filtered events. `full` tells all"),
    "cursor": About("Where the page before ended: its `next`"),
    "from": About("The version to compare from", 2),
    "format": About("The file itself, or its lines within one JSON object", "lines"),
    "if_here": About("The treatment of a combat whose id exists already", "copy"),
    "include": About("`refused` adds what is not legal now, with every reason and rule"),
    "label": About("Only combats with this label", "campaign-1"),
    "limit": About("How many at most", 20),
    "longest": About("Pixels of the longer side at most", 256),
    "offers": About("`prompted` adds the offers that answer the reader's open prompts"),
    "order": About("Which end of the log comes first"),
    "presence": About("`seats` adds messages that say who has a stream open"),
    "prefix": About("Only what begins so", "FH-ATK"),
    "prompted": About("`yes` leaves out what answers no open prompt"),
    "reach": About("`yes` adds the squares that a path could lead to"),
    "round": About("Only this round", 1),
    "rule": About("Only what this rule made, or rules that begin so", "FH-ATK"),
    "ruleset": About("Only combats under this rulebook", "free-hit"),
    "schemas": About("`cite` leaves out the schemas that the rulebook's catalogue has"),
    "search": About("Only combats whose name, or one of whose labels, holds this text", "bridge"),
    "since": About("Only combats that changed at this time or later"),
    "status": About("Only combats that are opening, running or ended"),
    "target": About("Id of the other combatant", "Troll"),
    "ticket": About("A ticket instead of a token, for readers that cannot send headers"),
    "to": About("The version to compare to; the present when it is left out"),
    "track": About("Id of a track that it has", "hp"),
    "type": About("Only events of this type", "damaged"),
    "undone": About("Only what was undone, or only what was not"),
    "until": About("Only combats that changed before this time"),
    "wait": About("0 = what there is, and an end; else the stream goes on"),
}

HEADERS: Final = {
    "Affray-Service-Key": "The service key, where one is set",
    "If-None-Match": "ETags that the reader has: answered with 304 when nothing has changed",
    "If-Match": (
        'The ETag that you read, in its quotation marks, such as `"40"`. If the board has changed'
        " since, the answer is 412, and nothing happens"
    ),
    "Last-Event-ID": "Id of the last message that was got: go on behind it",
    "Idempotency-Key": "A repetition with the same key gets the first answer and does nothing",
}


def parameters(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameters of the path, of the query, and the headers.

    The meaning of a field with the same name does not apply to them.
    """
    parameters: list[dict[str, Any]] = []
    for name in operation.parameters:
        schema: dict[str, Any] = {"type": "string", "minLength": 1}
        if name == "combat":
            schema = {"type": "string", "format": "uuid"}
        parameters.append(_parameter(name, "path", PATH[name], schema, required=True))
    if operation.query is not NoQuery:
        query = components[operation.query.__name__]
        for name, schema in query["properties"].items():
            required = name in query.get("required", ())
            plain = _without_null(schema)
            parameters.append(_parameter(name, "query", QUERY[name], plain, required=required))
    return [*parameters, *(_header(name, schema) for name, schema in _headers(operation).items())]


def _parameter(
    name: str, where: str, about: About, schema: dict[str, Any], *, required: bool
) -> dict[str, Any]:
    parameter = {"name": name, "in": where, "required": required, "description": about.text}
    if about.example is not None:
        text = schema.get("type") == "string"
        parameter["example"] = str(about.example) if text else about.example
    return {**parameter, "schema": schema}


def _header(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": HEADERS[name], "schema": schema}


def _headers(operation: Operation) -> dict[str, dict[str, Any]]:
    headers: dict[str, dict[str, Any]] = {}
    text = {"type": "string"}
    if operation.id == "forkCombat":
        headers["Affray-Service-Key"] = text
    if operation.method == "GET" and operation.conditional:
        headers["If-None-Match"] = text
    if operation.method != "GET" and 412 in operation.errors:
        headers["If-Match"] = {"type": "string", "pattern": IF_MATCH}
    if operation.tickets:
        headers["Last-Event-ID"] = {"type": "string", "pattern": places.PATTERN}
    if operation.method == "POST" and operation.stores:
        low = SHORTEST_KEY if operation.who == "service" else 1
        headers["Idempotency-Key"] = {
            "type": "string",
            "minLength": low,
            "maxLength": 200,
            "pattern": "^[ -~]+$",
        }
    return headers


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    kept = {
        name: value
        for name, value in schema.items()
        if name != "description" and (name != "default" or value is not None)
    }
    branches = [branch for branch in kept.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1 and "anyOf" in kept:
        del kept["anyOf"]
        kept.update(branches[0])
    return kept
