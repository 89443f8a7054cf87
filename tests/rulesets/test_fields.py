"""A test of each rulebook names every published input field of that rulebook."""

import pytest

from domain.rulesets import installed
from tests.fields import unnamed


@pytest.mark.parametrize("ruleset", installed())
def test_every_input_field_is_named_in_a_test(ruleset: str) -> None:
    assert unnamed(installed()[ruleset]) == []
