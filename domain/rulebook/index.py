"""The index of a rulebook: one line for each rule, with its id, code and sentence."""

from collections.abc import Mapping

from domain.rulebook.ruleset import Rule

_NOTHING: Mapping[str, str] = {}


def index(package: str, table: str, untold: Mapping[str, str] = _NOTHING) -> tuple[Rule, ...]:
    """Return a rulebook's rules from a table with lines like `XX-ATK-01 attack.strike: Equal hits`.

    An indented line continues the line before it. Code names are relative to `package`. `untold`
    has the reasons of `Rule.untold` by rule id.
    """
    rules = []
    for line in table.strip().replace("\n  ", " ").splitlines():
        place, _, summary = line.partition(": ")
        id, _, code = place.partition(" ")
        rules.append(Rule(id, summary, f"{package}.{code}", untold.get(id, "")))
    return tuple(rules)
