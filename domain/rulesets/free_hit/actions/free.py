"""Free actions: turn to a side, release a summoned unit, give up and flee.

FH-FLK-02, FH-SMN-02, FH-SEQ-09.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Creature
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit.attack import YES_NO
from domain.rulesets.free_hit.facts import FACING
from domain.rulesets.free_hit.states import summons


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
).shown("move", "Turn to a side", "facing")  # fmt: skip


# ---- letting a summoned unit go


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    unit: Creature


def release_refusals(play: Play, who: Id, inputs: Release) -> Iterator[Illegal]:
    mine = [unit.id for unit in summons(play.combat, play.combat[who])]
    if inputs.unit not in mine:
        detail = f"{inputs.unit!r} is not a summoned unit of its own"
        yield Illegal("FH-SMN-02", "not-summoned", detail, mine)


def release_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"unit": unit.id} for unit in summons(play.combat, play.combat[who]))


def release(play: Play, who: Id, inputs: Release) -> Procedure[None]:
    """Release the unit, and give back its thrall cost (FH-SMN-02, FH-THR-05)."""
    yield ConditionGained(inputs.unit, "gone", source=who, rules=("FH-SMN-02",))


RELEASE_SUMMON = Action(
    "release-summon", Release, release_refusals, release_candidates, "Let a summoned unit go",
    procedure=release, cost="none", rules=("FH-SMN-02", "FH-THR-05"),
).shown("use", "Let {unit} go")  # fmt: skip


# ---- leaving the fight


def leave(play: Play, who: Id, inputs: NoInputs, name: str, condition: str) -> Procedure[None]:
    """Lose the will to fight, or flee.

    It has no roll and no cost, and the GM confirms it (FH-SEQ-09).
    """
    answer = yield from ask_gm(
        name,
        f"{play.combat[who].id} wants to {name}. Is it so?",
        YES_NO,
        "yes",
        rules=("FH-SEQ-09",),
        data={"unit": who},
    )
    if answer.option == "yes":
        yield ConditionGained(who, condition, rules=("FH-SEQ-09",))


YIELD = Action(
    "yield", NoInputs, label="Give up", cost="none", rules=("FH-SEQ-09",),
    procedure=partial(leave, name="yield", condition="yielded"),
).shown("end", "Give up")  # fmt: skip
FLEE = Action(
    "flee", NoInputs, label="Flee", cost="none", rules=("FH-SEQ-09",),
    procedure=partial(leave, name="flee", condition="fled"),
).shown("end", "Flee")  # fmt: skip
