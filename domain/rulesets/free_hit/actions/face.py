"""Turn to a side (FH-FLK-02)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit.facts import FACING


class Facing(Struct, frozen=True, forbid_unknown_fields=True):
    facing: tuple[int, int]


def face_refusals(play: Play, who: Id, inputs: Facing) -> Iterator[Illegal]:
    if inputs.facing == (0, 0) or any(abs(part) > 1000 for part in inputs.facing):
        yield Illegal("FH-FLK-02", "no-direction", "facing is a direction such as [0, 1]")


def face_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"facing": [x, y]} for x, y, _ in grid.neighbours((0, 0, 0)))


def face(play: Play, who: Id, inputs: Facing) -> Procedure[None]:
    """Where the unit looks (FH-FLK-02)."""
    yield FACING.set(who, inputs.facing, rules=("FH-FLK-02",))


FACE = Action(
    "face", Facing, face_refusals, face_candidates, "Turn to a side", procedure=face, cost="none",
    rules=("FH-FLK-02",),
)  # fmt: skip
