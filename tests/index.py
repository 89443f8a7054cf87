"""Rules without a test."""

import ast
from pathlib import Path

from domain.rulebook.ruleset import Ruleset
from tests.scenarios.player import scenarios

ROOT = Path(__file__).parent / "rulesets"


def rules_without_a_test(ruleset: Ruleset) -> list[str]:
    """Return the rules that neither a `@rule(…)` of the rulebook's tests nor a scenario names."""
    marked: set[str] = set()
    folder = ROOT / ruleset.id.replace("-", "_")
    for path in (folder / "scenarios").glob("*-*.yaml"):
        marked.update(id for scenario in scenarios(path) for id in scenario.rules)
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule":
                marked |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return [rule.id for rule in ruleset.rules if rule.id not in marked]
