"""Checks of a ruleset's index."""

import ast
import inspect
import re
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


def rules_that_their_code_does_not_name(ruleset: Ruleset) -> list[str]:
    """Rules whose id is missing in the code that the index names for them.

    "XX-ATK-02, -03" and "XX-ATK-02 to -05" name each of theirs.
    """
    missing = []
    for rule in ruleset.rules:
        module, _, name = rule.code.rpartition(".")
        loaded = import_module(module)
        code = getattr(loaded, name)
        itself = inspect.isroutine(code) or inspect.isclass(code)
        source = inspect.getsource(code if itself else loaded)
        if rule.id not in _named(source):
            missing.append(rule.id)
    return missing


_IDS = re.compile(r"([A-Z]+-[A-Z]+)-(\d\d)((?:(?:,| and| to)?,? ?-\d\d)*)")


def _named(source: str) -> set[str]:
    found: set[str] = set()
    for stem, first, more in _IDS.findall(source):
        numbers = [int(first)]
        for word, number in re.findall(r"(to)? ?-(\d\d)", more):
            start = numbers[-1] + 1 if word else int(number)
            numbers.extend(range(start, int(number) + 1))
        found |= {f"{stem}-{number:02}" for number in numbers}
    return found


def rules_without_a_test(ruleset: Ruleset) -> list[str]:
    """Rules that no `@rule(…)` of the ruleset's tests names."""
    marked: set[str] = set()
    for path in (ROOT / ruleset.id.replace("-", "_")).glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rule":
                marked |= {str(one.value) for one in node.args if isinstance(one, ast.Constant)}
    return [rule.id for rule in ruleset.rules if rule.id not in marked]
