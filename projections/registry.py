"""The projections that Affray updates: its own and the installed `affray.projections`."""

import re
from importlib.metadata import entry_points
from typing import Final

from projections.combats import Combats
from projections.deadlines import Deadlines
from projections.projection import Projection
from projections.statistics import FightStatistics

GROUP: Final = "affray.projections"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,40}")


class BadProjection(TypeError):
    """An installed projection does not work. The message names it."""


def installed() -> dict[str, Projection]:
    """Return one instance of each installed projection, by name. Raises `BadProjection`."""
    projections: dict[str, Projection] = {
        projection.name: projection for projection in (Combats(), Deadlines(), FightStatistics())
    }
    for point in sorted(entry_points(group=GROUP), key=lambda entry_point: entry_point.name):
        kind = point.load()
        if not (isinstance(kind, type) and issubclass(kind, Projection)):
            raise BadProjection(f"{GROUP} {point.name!r} is no Projection")
        if kind.name != point.name or not _NAME.fullmatch(kind.name) or kind.name in projections:
            raise BadProjection(f"{GROUP} {point.name!r}: the name {kind.name!r} does not do")
        projections[kind.name] = kind()
    return projections
