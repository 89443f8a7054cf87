"""Test that any bytes as a request body become a Struct, or a refusal with a pointer."""

import json
import os
from collections.abc import Callable
from random import Random
from typing import Any

from domain.errors import Malformed
from service.http.contract import FOLDER
from service.http.request_reader import decoded
from service.routes import OPERATIONS

LONG = os.environ.get("AFFRAY_FUZZ") == "long"
BODIES = 1_000_000 if LONG else 20_000

PIECES = (
    b"null", b"true", b"-1", b"1e400", b"9007199254740993", b"0.1", b'"\\u0000"', b'"\\ud800"',
    b"[]", b"{}", b'""', b"NaN", b"\xff", b"\xc3\x28", b"[" * 300, b'{"a":' * 300, b",", b":", b"}",
    b"]", b'"', b"\\", b" ", b"\x00", b'"as":', b"1" * 400, b"\xef\xbb\xbf", b"-", b"/**/",
)  # fmt: skip


def flipped(random: Random, raw: bytes) -> bytes:
    at = random.randrange(len(raw))
    return raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]


def cut(random: Random, raw: bytes) -> bytes:
    at, to = sorted((random.randrange(len(raw) + 1), random.randrange(len(raw) + 1)))
    return raw[:at] + raw[to:]


def stuffed(random: Random, raw: bytes) -> bytes:
    at = random.randrange(len(raw) + 1)
    return raw[:at] + random.choice(PIECES) + raw[at:]


def replaced(random: Random, raw: bytes) -> bytes:
    """Replace a value of the JSON by one of another type."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return stuffed(random, raw)
    place: Any = {"": value}
    key: Any = ""
    while isinstance(place[key], dict | list) and place[key] and random.random() < 0.8:
        place = place[key]
        key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
    others: list[Any] = [
        None,
        True,
        -1,
        2**60,
        0.5,
        "x" * 300,
        [],
        {},
        {"a": [1]},
        [[["b"]]],
        "\x00",
    ]
    if key == "":
        return json.dumps(random.choice(others)).encode()
    place[key] = random.choice(others)
    return json.dumps(value).encode()


MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (flipped, cut, stuffed, replaced)


def test_whatever_comes_is_read_or_refused() -> None:
    random = Random(20)
    seeds: list[tuple[Any, bytes]] = []
    for operation in OPERATIONS:
        file = FOLDER / "examples" / f"{operation.id}.json"
        request = json.loads(file.read_text()).get("request") if file.exists() else None
        if operation.body is not None:
            seeds.append((operation.body, json.dumps(request or {}).encode()))
    taken = refused = 0
    pointers: set[str] = set()
    for _ in range(BODIES):
        kind, raw = random.choice(seeds)
        for _ in range(random.randint(1, 4)):
            raw = random.choice(MUTATIONS)(random, raw or b" ")
        try:
            decoded(raw, kind)
            taken += 1
        except Malformed as error:
            refused += 1
            pointers.add(error.pointer[:1])
    assert taken + refused == BODIES
    assert pointers <= {"", "/"}
    assert taken > BODIES / 200  # some are valid
