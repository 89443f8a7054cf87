"""Every published input field of a rulebook is named in a test of that rulebook."""

import pytest

from domain.rulesets import installed
from tests.fields import unnamed

EXCEPTIONS = {
    "vile-darkness": {
        "sheet.Item.light",
        "sheet.Shield.size",
    },
}
"""Fields that still need a test. The lists only shrink: remove a field with its new test."""


@pytest.mark.parametrize("ruleset", installed())
def test_every_input_field_is_named_in_a_test(ruleset: str) -> None:
    assert sorted(unnamed(installed()[ruleset])) == sorted(EXCEPTIONS.get(ruleset, ()))
