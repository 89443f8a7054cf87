"""What a ruleset's index promises, checked."""

import ast
from importlib import import_module
from pathlib import Path

from domain.rulebook.ruleset import Ruleset

ROOT = Path(__file__).parent / "rulesets"


def code_that_is_missing(ruleset: Ruleset) -> list[str]:
    """Dotted names of the index that lead nowhere."""
    missing = []
    for rule in ruleset.rules:
        module, _, name = rule.code.rpartition(".")
        if not hasattr(import_module(module), name):
            missing.append(rule.code)
    return missing


def rules_without_a_test(ruleset: Ruleset) -> list[str]:
    """Rules that no `@rule(…)` of the ruleset's tests names."""
    marked: set[str] = set()
    for path in (ROOT / ruleset.id.replace("-", "_")).glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule":
                marked |= {str(one.value) for one in node.args if isinstance(one, ast.Constant)}
    return [rule.id for rule in ruleset.rules if rule.id not in marked]
