"""Test that code names every rule, and that each rule has a test with its mark."""

import ast
from pathlib import Path

from domain.rulesets import hallowed_earth
from domain.rulesets.hallowed_earth import RULESET
from service.conformance.index import code_that_is_missing, rules_that_their_code_does_not_name
from tests.index import rules_without_a_test

CODE = Path(hallowed_earth.__file__).parent


def test_every_rule_names_code_that_exists() -> None:
    assert code_that_is_missing(RULESET) == []


def test_every_rule_has_a_test() -> None:
    assert rules_without_a_test(RULESET) == []


def test_every_rule_stands_in_the_code_that_the_index_names() -> None:
    assert rules_that_their_code_does_not_name(RULESET) == []


def test_every_rule_is_told_or_the_index_says_why_not() -> None:
    told = set[str]()
    for path in CODE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        cards = {id(part) for node in nodes for part in parts_of_a_card(node)}
        told |= {
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if id(node) not in cards
        }
    silent = {rule.id for rule in RULESET.rules if rule.id not in told}
    assert silent == {rule.id for rule in RULESET.rules if rule.untold}


def parts_of_a_card(node: ast.AST) -> list[ast.expr]:
    """Return the arguments of a `rule(…)` card, which name the rule but do not test it."""
    is_card = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule"
    return node.args if isinstance(node, ast.Call) and is_card else []
