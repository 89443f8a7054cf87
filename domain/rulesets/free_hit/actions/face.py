"""The action `face`, which turns the unit in another direction for free."""

from typing import Annotated

from msgspec import Struct

from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulesets.free_hit.facts import FACING
from domain.rulesets.free_hit.rules import action

SIDES = tuple([x, y] for x, y, _ in grid.neighbours((0, 0, 0)))


class Facing(Struct, frozen=True, forbid_unknown_fields=True):
    facing: Annotated[tuple[int, int], InputKind(proposes=lambda *_: SIDES)]


def is_no_direction(act: Act[Facing]) -> bool:
    """Return true if `facing` is `[0, 0]`, or if a coordinate is above 1000 or below −1000."""
    facing = act.inputs.facing
    return facing == (0, 0) or any(abs(part) > 1000 for part in facing)


@action(
    "face", "Turn to a side", Facing,
    cost="none", category="move", headline="Turn to a side", essential=("facing",),
    rules={}, also=("FH-FLK-02",),
    refusals=(
        Refusal("FH-FLK-02", "no-direction", "facing is a direction such as [0, 1]",
                is_no_direction, field="facing"),
    ),
    propose=("facing",),
)  # fmt: skip
def face(act: Act[Facing]) -> Procedure[None]:
    """Set the direction that the unit faces (FH-FLK-02)."""
    yield FACING.set(act.who, act.inputs.facing, rules=("FH-FLK-02",))
