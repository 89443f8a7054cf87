"""Test that code names every rule, and that each rule has a test with its mark."""

from domain.rulesets.vile_darkness import RULESET
from service.conformance.index import code_that_is_missing
from tests.index import rules_without_a_test


def test_every_rule_names_code_that_exists() -> None:
    assert code_that_is_missing(RULESET) == []


def test_every_rule_has_a_test() -> None:
    assert rules_without_a_test(RULESET) == []
