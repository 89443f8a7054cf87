"""Checks of a ruleset's index against the ruleset's own source.

- Every rule names code that exists.
- The source cites every rule outside the index.
- The source cites no rule that the index lacks.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from posixpath import commonpath

from domain.rulebook.ruleset import Ruleset


def code_that_is_missing(ruleset: Ruleset) -> list[str]:
    """Return the dotted names in the index that name no existing code."""
    return [rule.code for rule in ruleset.rules if not _exists(rule.code)]


def _exists(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return False
    return True


def rules_that_their_code_does_not_name(ruleset: Ruleset) -> list[str]:
    """Return the rules whose id is missing in the code that the index names for them.

    "XX-ATK-02, -03" and "XX-ATK-02 to -05" each name several rules.
    """
    missing = []
    for rule in ruleset.rules:
        code = resolve_name(rule.code)
        itself = inspect.isroutine(code) or inspect.isclass(code)
        source = inspect.getsource(code if itself else resolve_name(rule.code.rpartition(".")[0]))
        if rule.id not in named(source):
            missing.append(rule.id)
    return missing


def rules_that_nothing_cites(ruleset: Ruleset) -> list[str]:
    """Return the rules whose id appears in the source only in the index itself."""
    cited = _cited(ruleset)
    return [rule.id for rule in ruleset.rules if rule.id not in cited]


def cited_without_a_rule(ruleset: Ruleset) -> list[str]:
    """Return the ids with the ruleset's prefix that its source cites and its index lacks."""
    known = {rule.id for rule in ruleset.rules}
    generator = (id for id in _cited(ruleset) if id.startswith(f"{ruleset.prefix}-"))
    return sorted(id for id in generator if id not in known)


def _cited(ruleset: Ruleset) -> set[str]:
    return {id for path in _sources(ruleset) for id in named(_outside_the_index(path.read_text()))}


def _sources(ruleset: Ruleset) -> Iterator[Path]:
    """Return the files of the package, or the one module, with all code of the index."""
    modules = {rule.code.rpartition(".")[0] for rule in ruleset.rules if _exists(rule.code)}
    package = commonpath([name.replace(".", "/") for name in modules] or [""]).replace("/", ".")
    file = getattr(resolve_name(package), "__file__", None) if package else None
    if file is not None:
        path = Path(file)
        yield from sorted(path.parent.rglob("*.py")) if path.stem == "__init__" else [path]


def _outside_the_index(source: str) -> str:
    """Return the source without the calls that make rules: `index(…)` and `Rule(…)`."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("index", "Rule"):
            for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[line] = "\n"
    return "".join(lines)


_IDS = re.compile(r"\b([A-Z]+(?:-[A-Z][A-Z0-9]*)*)-(\d\d)\b((?:(?:,| and| to)?,? ?-\d\d)*)")


def named(source: str) -> set[str]:
    """Return the rule ids that a text names."""
    ids: set[str] = set()
    for stem, first, more in _IDS.findall(source):
        numbers = [int(first)]
        for word, number in re.findall(r"(to)? ?-(\d\d)", more):
            start = numbers[-1] + 1 if word else int(number)
            numbers.extend(range(start, int(number) + 1))
        ids |= {f"{stem}-{number:02}" for number in numbers}
    return ids
