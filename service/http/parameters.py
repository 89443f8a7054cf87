"""The parameters of the contract, each with a description and an example."""

from dataclasses import dataclass
from typing import Any, Final

from service.http.operation import NoQuery, Operation
from service.http.request_reader import IF_MATCH, SHORTEST_KEY
from service.live import places


@dataclass(frozen=True)
class About:
    """The meaning of a parameter. If any value is a good example, `example` is `None`."""

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
    "version": About("Version of an event, in your own numbers", "12"),
    "webhook": About("Id of a webhook"),
}

QUERY: Final = {
    "a": About("A version of one branch", 2),
    "b": About("A version of the other branch", 3),
    "after": About("Only events after this version. For a stream: only messages after this id", 0),
    "as": About("Id of another token, to get its view. Only the GM can use it"),
    "at": About("The state after this event, instead of the current state", 2),
    "board": About("`full` puts the board into the newest message"),
    "cite": About("`nothing` leaves rule ids and versions out of Markdown", "nothing"),
    "combatant": About("Id of a combatant", "Lin"),
    "condition": About("Id of a condition of the combatant"),
    "detail": About("`story`: the main events, or the events that fit the filters. `full`: all"),
    "cursor": About("The `next` of the previous page"),
    "from": About("The version to compare from", 2),
    "format": About("The file itself, or its lines within one JSON object", "lines"),
    "if_here": About("The treatment of a combat whose id exists already", "copy"),
    "include": About("`refused` adds offers that are not legal now, with every reason and rule"),
    "label": About("Only combats with this label", "campaign-1"),
    "limit": About("The largest number of entries to return", 20),
    "longest": About("The largest length of the longer side, in pixels", 256),
    "offers": About("`prompted` adds messages with the offers that answer your open prompts"),
    "order": About("Whether the oldest or the newest entry comes first"),
    "presence": About("`seats` adds messages with the tokens that have an open stream"),
    "prefix": About("Only rules whose id starts with this text", "FH-ATK"),
    "prompted": About("`yes` leaves out offers that answer no open prompt"),
    "reach": About("`yes` adds the squares that a path could lead to"),
    "round": About("Only this round", 1),
    "rule": About("Only events of rules whose id starts with this text", "FH-ATK"),
    "ruleset": About("Only combats under this rulebook", "free-hit"),
    "schemas": About("`cite` leaves out the schemas that the rulebook's catalogue has"),
    "search": About("Only combats with this text in their name or in a label", "bridge"),
    "since": About("Only combats that changed at this time or later"),
    "status": About("Only combats that are opening, running or ended"),
    "target": About("Id of the other combatant", "Troll"),
    "ticket": About("A ticket instead of a token, for clients that cannot send headers"),
    "to": About("The version to compare to. By default, the current version"),
    "track": About("Id of a track of the combatant", "hp"),
    "type": About("Only events of this type", "damaged"),
    "undone": About("Only undone commands, or only commands in force"),
    "until": About("Only combats that changed before this time"),
    "wait": About(
        "Seconds until the stream ends. `0` sends the current messages and ends. Without it, the"
        " stream has no end"
    ),
}

HEADERS: Final = {
    "Affray-Service-Key": "The service key, if the service has one",
    "If-None-Match": "ETags that you have stored. If one is up to date, you get `304` and no body",
    "If-Match": (
        'The ETag that you last read, with its quotation marks, such as `"40"`. If the board has'
        " changed since, you get `412` and nothing happens: read the board again, then retry"
    ),
    "Last-Event-ID": "Id of the last message that you received. The stream continues after it",
    "Idempotency-Key": (
        "A key of your choice. If you retry with the same key, you get the first answer and"
        " nothing happens twice"
    ),
}


def parameters(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameters of the path, of the query, and the headers.

    Their descriptions do not come from fields of the same name.
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
