"""Let a summoned unit go (FH-SMN-02)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit.states import summons


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    unit: Id


def release_refusals(play: Play, who: Id, inputs: Release) -> Iterator[Illegal]:
    mine = [unit.id for unit in summons(play.combat, play.combat[who])]
    if inputs.unit not in mine:
        detail = f"{inputs.unit!r} is not a summoned unit of its own"
        yield Illegal("FH-SMN-02", "not-summoned", detail, mine)


def release_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"unit": unit.id} for unit in summons(play.combat, play.combat[who]))


def release(play: Play, who: Id, inputs: Release) -> Procedure[None]:
    """It is gone; its thrall cost comes back (FH-SMN-02, FH-THR-05)."""
    yield ConditionGained(inputs.unit, "gone", source=who, rules=("FH-SMN-02",))


RELEASE_SUMMON = Action(
    "release-summon", Release, release_refusals, release_candidates, "Let a summoned unit go",
    procedure=release, cost="none", rules=("FH-SMN-02", "FH-THR-05"),
)  # fmt: skip
