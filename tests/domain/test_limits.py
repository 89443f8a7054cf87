"""Test limits of inputs, such as lengths and numbers, and defaults."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

from domain.engine.commands import End, Join, Joining, Note, Open, SetLabels
from domain.errors import Malformed
from domain.rulebook.input_reader import read

LONG: dict[str, tuple[type[Struct], Callable[[int], dict[str, Any]], int, int]] = {
    "note": (Note, lambda size: {"text": "x" * size}, 1, 2000),
    "reason": (End, lambda size: {"reason": "x" * size}, 0, 2000),
    "side": (Open, lambda size: {"ruleset": "toy", "sides": ["x" * size]}, 1, 64),
    "name": (Open, lambda size: {"ruleset": "toy", "name": "x" * size}, 1, 120),
    "labels": (SetLabels, lambda size: {"labels": ["x"] * size}, 0, 20),
}
"""A text or list of a given size in a command, with its minimum and maximum."""


@pytest.mark.parametrize("field", LONG)
def test_nothing_is_longer_or_shorter_than_it_may_be(field: str) -> None:
    kind, made, least, most = LONG[field]
    for size in (least, most):
        read({"type": kind.__struct_config__.tag, **made(size)}, kind)
    for size in (least - 1, most + 1) if least else (most + 1,):
        with pytest.raises(Malformed):
            read({"type": kind.__struct_config__.tag, **made(size)}, kind)


def test_what_is_not_said_is_not_secret() -> None:
    assert not read({"type": "join", "joining": {"sheet": {}}}, Join).joining.hidden
    assert not Joining({}).hidden
    assert not read({"type": "note", "text": "Well"}, Note).private
