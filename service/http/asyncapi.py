"""The contract of the stream and the webhooks as an AsyncAPI 3 document, from the messages."""

import json
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final

import msgspec
from msgspec import Struct

from projections.published import texts
from service.http.fields import describe
from service.http.parameters import QUERY
from service.http.schemas import REF, ref
from service.http.shapes import shape
from service.live.calls import WebhookCall, WebhookPing
from service.live.messages import MESSAGES
from service.routes.stream import StreamQuery

BINDING: Final = {"bindingVersion": "0.3.0"}

ABOUT: Final = {
    "board": "The complete board: at first, and when it changes without an event that the"
    " reader sees.",
    "command": "The effects of one command.",
    "amended": "The GM changed past commands: go back, and show this board.",
    "progress": "For the GM: the progress of an amendment.",
    "offers": "With `offers=prompted`: the offers that answer the reader's open prompts.",
    "erased": "The board after an erasure of texts. Replace your board with it.",
    "tokens": "For the GM: the valid tokens after a change.",
    "presence": "With `presence=seats`: the tokens that have an open stream.",
    "closed": "The last message, with its reason.",
    "called": "A call to the address of a webhook, signed by the scheme of Standard Webhooks.",
    "pinged": "A test call, signed like every call.",
}

SIGNED: Final = {
    "type": "object",
    "properties": {
        "webhook-id": {
            "type": "string",
            "description": "Id of the call. A repeated call has the same id",
        },
        "webhook-timestamp": {"type": "string", "description": "Unix time, seconds"},
        "webhook-signature": {
            "type": "string",
            "description": "`v1,` and the HMAC-SHA256 in base64. After a rotation: two signatures",
        },
    },
    "required": ["webhook-id", "webhook-timestamp", "webhook-signature"],
}
"""The headers of a webhook's call."""


def contract() -> dict[str, Any]:
    """Return the whole document."""
    kinds: list[Any] = list(dict.fromkeys((*MESSAGES.values(), WebhookCall, WebhookPing)))
    _, schemas = msgspec.json.schema_components(kinds, ref_template=REF)
    schemas = texts(schemas)
    describe(schemas)
    shape(schemas, [], [ref(kind.__name__) for kind in kinds], kinds)
    messages = {name: _message(name, kind) for name, kind in MESSAGES.items()}
    called = {
        name: {**_message(name, kind), "headers": SIGNED}
        for name, kind in (("called", WebhookCall), ("pinged", WebhookPing))
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Affray, live",
            "version": version("affray"),
            "description": "Server-Sent Events and webhooks; see docs/live.md and openapi.json.",
            "license": {"name": "MIT"},
        },
        "servers": {
            "here": {
                "host": "{host}",
                "protocol": "https",
                "description": "The service that served this document.",
                "variables": {
                    "host": {
                        "default": "127.0.0.1:8000",
                        "description": "Name and port of the service",
                    }
                },
            }
        },
        "defaultContentType": "application/json",
        "channels": {
            "stream": {
                "address": "/v1/combats/{combat}/stream",
                "description": "The messages for one audience. `event` names the message. `id` has"
                " the reader's version and the id of the stream (`17-9f3a1c02`). In the newest"
                " message, a checksum of the board follows (`17-9f3a1c02-5b1d33aa`). To resume,"
                " send the id as `Last-Event-ID`. The service answers `400` to an id of another"
                " combat or another reader.",
                "parameters": {"combat": {"description": "Id of the combat, a UUID"}},
                "messages": _named(messages),
            },
            "webhook": {
                "address": None,
                "description": "A POST to the address that a GM has registered. A `2xx` status"
                " accepts it.",
                "messages": _named(called),
            },
        },
        "operations": {
            "follow": {
                "action": "send",
                "summary": "Follow a combat live",
                "description": "A `GET`. Send `Last-Event-ID` to receive the messages that you"
                " missed.",
                "bindings": {
                    "http": {"method": "GET", "query": _query(), "bindingVersion": "0.3.0"}
                },
                "channel": {"$ref": "#/channels/stream"},
            },
            "call": {
                "action": "send",
                "summary": "Call a webhook",
                "description": "The service sends each call at least once and in order, until a"
                " `2xx` status accepts it.",
                "bindings": {"http": {"method": "POST", **BINDING}},
                "channel": {"$ref": "#/channels/webhook"},
            },
        },
        "components": {"messages": {**messages, **called}, "schemas": schemas},
    }


def _query() -> dict[str, Any]:
    """Return the parameters of the stream."""
    _, schemas = msgspec.json.schema_components([StreamQuery], ref_template=REF)
    fields = schemas[StreamQuery.__name__]["properties"]
    return {
        "type": "object",
        "properties": {
            name: {"description": QUERY[name].text, **field} for name, field in fields.items()
        },
    }


def _message(name: str, kind: type[Struct]) -> dict[str, Any]:
    return {
        "name": name,
        "summary": ABOUT[name],
        "contentType": "application/json",
        "payload": ref(kind.__name__),
    }


def _named(messages: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in messages}


def encoded() -> bytes:
    """Return the document in its published form."""
    return (json.dumps(contract(), indent=1, ensure_ascii=False) + "\n").encode()
