"""A row of the table, with its work, its baseline and its aim."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import ge, le
from typing import Any


@dataclass(frozen=True)
class Row:
    """A ratio with its aim.

    The aim is a minimum if `least` is true, otherwise a maximum. `None` means no aim.
    """

    work: str
    ratio: float
    aim: float | None
    measured: str
    least: bool = False

    @property
    def met(self) -> bool:
        """Return true if the ratio reaches the aim."""
        within: Callable[[Any, Any], bool] = ge if self.least else le
        return self.aim is None or within(self.ratio, self.aim)

    def __str__(self) -> str:
        aim = "–" if self.aim is None else f"{'≥' if self.least else '≤'} {self.aim:g}"
        return f"| {self.work} | {self.ratio:.2f} | {aim} | {self.measured} |"


def table(rows: list[Row]) -> str:
    """Return the table, followed by the rows that miss their aim."""
    lines = ["| work | ratio | aim | measured |", "|---|---|---|---|", *map(str, rows), ""]
    short = [row.work for row in rows if not row.met]
    lines += [
        "Short of its aim:" if short else "Every aim is met.",
        *(f"- {name}" for name in short),
    ]
    return "\n".join(lines)
