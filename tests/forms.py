"""Give a test a short form for `make test` and a long form for `make test-long`."""

from collections.abc import Iterable
from typing import Any

import pytest


def forms(name: str, *short: Any, long: Iterable[Any]) -> pytest.MarkDecorator:
    """Parametrize `name` with the values of both forms, and mark the values of the long form.

    `name` may hold several names, separated by commas. Each value is then a tuple with a value for
    each name.
    """
    values = long if "," in name else ((value,) for value in long)
    marked = [pytest.param(*value, marks=pytest.mark.long) for value in values]
    return pytest.mark.parametrize(name, [*short, *marked])
