"""stand-up, go-prone (SOV-STAND, SOV-PRONE)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.sovereign import costs, items, opportunity
from domain.rulesets.sovereign.rules import rule


class StandUp(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`items` None: its own within 5 ft."""

    items: Annotated[list[str], Meta(max_length=50)] | None = None
    pay: costs.Pay = "move"


def stand_refusals(play: Play, who: Id, inputs: StandUp) -> Iterator[Illegal]:
    combat = play.combat
    if not combat[who].has("prone"):
        yield Illegal("SOV-STAND-01", "not-prone", f"{combat[who].name} is not prone")
    for item in inputs.items or ():
        yield from items.thing_refusals(combat, who, item, "SOV-STAND-01")


def stand_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"pay": "main"}
    yield {"items": []}


@rule("SOV-STAND-01", "A Move to rise, dropped things within 5 ft with it")
@rule("SOV-STAND-02", "It draws blows while still prone")
def stand_up(play: Play, who: Id, inputs: StandUp) -> Procedure[None]:
    """A Move that draws while still prone; things are picked up with it (SOV-STAND-01, -02)."""
    yield costs.pay_move(who, inputs.pay, "SOV-STAND-01")
    yield from opportunity.begin(play, who, "stand-up")
    yield ConditionLost(who, "prone", reason="stood up", rules=("SOV-STAND-01",))
    mine = inputs.items
    if mine is None:
        near = items.within_reach(play.combat, who)
        mine = [thing.id for thing in near if thing.of == who]
    yield from items.take_up(play, who, mine, "SOV-STAND-01")


STAND_UP = costs.move(
    "stand-up", StandUp, stand_up, "Stand up", "SOV-STAND-01", "SOV-STAND-02",
    refusals=stand_refusals, candidates=stand_candidates,
).shown("move")  # fmt: skip


def prone_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if play.combat[who].has("prone"):
        yield Illegal("SOV-PRONE-01", "already-prone", f"{play.combat[who].name} is prone")


@rule("SOV-PRONE-01", "Free to fall prone")
def go_prone(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Free (SOV-PRONE-01)."""
    if (yield from costs.plausible(play, who, "free", GO_PRONE, inputs)):
        yield ConditionGained(who, "prone", rules=("SOV-PRONE-01",))


GO_PRONE = costs.free(
    "go-prone", NoInputs, go_prone, "Go prone", "SOV-PRONE-01", refusals=prone_refusals,
).shown("move")  # fmt: skip
