"""The contract of the stream as an AsyncAPI 3 document, from the Structs that are sent."""

import json
from importlib.metadata import version
from typing import Any, Final

import msgspec

from service.live.streams import MESSAGES

REF: Final = "#/components/schemas/{name}"

ABOUT: Final = {
    "board": "The whole board: the first message of a stream.",
    "command": "What one command led to.",
    "erased": "Texts were erased: the board anew.",
    "tokens": "For the GM: the tokens in force have changed.",
    "closed": "The last message, with its reason.",
}


def contract() -> dict[str, Any]:
    """The whole document."""
    kinds = list(dict.fromkeys(MESSAGES.values()))
    _, schemas = msgspec.json.schema_components(kinds, ref_template=REF)
    messages = {
        name: {
            "name": name,
            "summary": ABOUT[name],
            "contentType": "application/json",
            "payload": {"$ref": REF.format(name=kind.__name__)},
        }
        for name, kind in MESSAGES.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Affray, live",
            "version": version("affray"),
            "description": "Server-Sent Events; see docs/live.md and openapi.json.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "stream": {
                "address": "/v1/combats/{combat}/stream",
                "description": "What one audience is told. `event` names the message.",
                "parameters": {"combat": {"description": "Id of the combat, a UUID"}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "follow": {
                "action": "send",
                "summary": "Follow a combat live",
                "channel": {"$ref": "#/channels/stream"},
            }
        },
        "components": {"messages": messages, "schemas": schemas},
    }


def encoded() -> bytes:
    """The document as it is served and published."""
    return (json.dumps(contract(), indent=1, ensure_ascii=False) + "\n").encode()
