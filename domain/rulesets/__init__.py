"""The installed rulesets, which Affray finds in the entry-point group `affray.rulesets`.

Each entry point names a `Ruleset`. To add a ruleset, install a package with such an entry point.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Final

from domain.errors import Unknown
from domain.rulebook.ruleset import Ruleset

GROUP: Final = "affray.rulesets"


@cache
def installed() -> dict[str, Ruleset]:
    """Return every installed ruleset by id, in the order of ids."""
    rulesets: dict[str, Ruleset] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        ruleset = point.load()
        if not isinstance(ruleset, Ruleset):
            raise TypeError(f"entry point {point.name!r} in {GROUP} is no Ruleset")
        rulesets[ruleset.id] = ruleset
    return rulesets


def ruleset(id: str) -> Ruleset:
    """Return the ruleset `id`. Raise `Unknown` if it is not installed."""
    try:
        return installed()[id]
    except KeyError:
        raise Unknown("ruleset", id, tuple(installed())) from None
