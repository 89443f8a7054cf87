"""The rule index: every rule has code that exists and a test that is marked with it."""

from domain.rulesets.definitions import RULESET
from tests.index import code_that_is_missing


def test_every_rule_names_code_that_exists() -> None:
    assert code_that_is_missing(RULESET) == []
