"""Test that code and a test name every rule."""

from domain.rulesets.sovereign import RULESET
from service.conformance.index import code_that_is_missing, rules_that_their_code_does_not_name
from tests.index import rules_without_a_test


def test_every_rule_names_code_that_exists() -> None:
    assert code_that_is_missing(RULESET) == []


def test_every_rule_stands_in_its_code() -> None:
    assert rules_that_their_code_does_not_name(RULESET) == []


def test_every_rule_has_a_test() -> None:
    assert rules_without_a_test(RULESET) == []
