"""The two forms of a test: the short one in `make test`, the long one in `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest


def forms(name: str, *short: Any, long: Iterable[Any]) -> pytest.MarkDecorator:
    """Parametrize `name` with the values of the short form, and mark those of the long one.

    `name` may be several names with commas; then each value is a tuple.
    """
    values = long if "," in name else ((value,) for value in long)
    marked = [pytest.param(*value, marks=pytest.mark.long) for value in values]
    return pytest.mark.parametrize(name, [*short, *marked])
