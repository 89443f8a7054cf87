"""The index of a rulebook, with one line for each rule."""

from collections.abc import Mapping

from domain.rulebook.ruleset import Rule

_NOTHING: Mapping[str, str] = {}


def index(package: str, table: str, untold: Mapping[str, str] = _NOTHING) -> tuple[Rule, ...]:
    """Return the rules in a table.

    A line looks like `XX-ATK-01 attack.strike: Equal hits`. An indented line continues the line
    before it. Code names are relative to `package`. `untold` has the values of `Rule.untold` by
    rule id.
    """
    rules = []
    for line in table.strip().replace("\n  ", " ").splitlines():
        place, _, summary = line.partition(": ")
        id, _, code = place.partition(" ")
        rules.append(Rule(id, summary, f"{package}.{code}", untold.get(id, "")))
    return tuple(rules)
