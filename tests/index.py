"""Rules that no test of their rulebook is marked with."""

import ast
from pathlib import Path

from domain.rulebook.ruleset import Ruleset

ROOT = Path(__file__).parent / "rulesets"


def rules_without_a_test(ruleset: Ruleset) -> list[str]:
    """Rules that no `@rule(…)` of the ruleset's tests names."""
    marked: set[str] = set()
    for path in (ROOT / ruleset.id.replace("-", "_")).glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule":
                marked |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return [rule.id for rule in ruleset.rules if rule.id not in marked]
