"""Rulings on what lies between two: cover, concealment, walls (VD-LOE, VD-LOS)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from domain.record.combat import Id, Json
from domain.record.events import FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.gm import Candidates, Word, ruling
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.facts import LINES, Line
from domain.rulesets.vile_darkness.powers import where
from domain.rulesets.vile_darkness.rules import rule

Square = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]
Percent = Annotated[int, Meta(ge=0, le=100)]


class Between(Struct, frozen=True, forbid_unknown_fields=True):
    """From a combatant to a combatant, an object or a square: [x, y] or "x,y"."""

    start: Id = field(name="from")
    to: Word | Square


class Covering(Between, frozen=True, forbid_unknown_fields=True):
    percent: Percent


class Blocking(Between, frozen=True, forbid_unknown_fields=True):
    """`opening_ft` is the width and height of the opening."""

    opening_ft: tuple[float, float] | None = None


def _line(play: Play, inputs: Between) -> tuple[str, Line]:
    to = inputs.to if isinstance(inputs.to, str) else ",".join(str(part) for part in inputs.to)
    key = f"{inputs.start}>{where(to)}"
    return key, LINES.of(play.combat).get(key, Line())


def _with_line(play: Play, key: str, line: Line | None, rule: str) -> FactSet:
    lines = {name: line for name, line in LINES.of(play.combat).items() if name != key}
    if line is not None:
        lines[key] = line
    return LINES.set(lines, rules=(rule,))


def set_cover(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """VD-LOE-04."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, cover=inputs.percent), "VD-LOE-04")


def set_concealment(play: Play, _: Id, inputs: Covering) -> Procedure[None]:
    """VD-LOS-02."""
    key, line = _line(play, inputs)
    yield _with_line(play, key, replace(line, concealment=inputs.percent), "VD-LOS-02")


@rule("VD-LOE-03", "Walls, glass and corners block it")
def block_line(play: Play, _: Id, inputs: Blocking) -> Procedure[None]:
    """Walls, glass, corners; an opening of a foot each way is enough (VD-LOE-02, -03)."""
    key, line = _line(play, inputs)
    blocked = replace(line, blocked=True, opening=inputs.opening_ft)
    yield _with_line(play, key, blocked, "VD-LOE-03")


def clear_line(play: Play, _: Id, inputs: Between) -> Procedure[None]:
    key, _line_now = _line(play, inputs)
    yield _with_line(play, key, None, "VD-LOE-01")


def _lines(percent: int) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for a in play.combat:
            for b in play.combat:
                yield {"from": a.id, "to": b.id, "percent": percent}

    return found


SO = "the line from {from} is so already"

OF_LINES = (
    ruling(
        "set-cover", Covering, set_cover, "Cover", "VD-LOE-04",
        candidates=_lines(51), idle=SO,
    ),
    ruling(
        "set-concealment", Covering, set_concealment, "Concealment", "VD-LOS-02",
        candidates=_lines(75), idle=SO,
    ),
    ruling("block-line", Blocking, block_line, "Something stands between", "VD-LOE-03", idle=SO),
    ruling("clear-line", Between, clear_line, "Nothing stands between", "VD-LOE-01", idle=SO),
)  # fmt: skip
