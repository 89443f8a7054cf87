"""Test that the tests of each rulebook name every published input field."""

import pytest

from domain.rulesets import installed
from tests.fields import unnamed


@pytest.mark.parametrize("ruleset", installed())
def test_every_input_field_is_named_in_a_test(ruleset: str) -> None:
    assert unnamed(installed()[ruleset]) == []
