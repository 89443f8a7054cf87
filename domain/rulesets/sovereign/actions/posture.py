"""The actions `stand-up` and `go-prone` (SOV-STAND, SOV-PRONE)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.sovereign import costs, items, opportunity
from domain.rulesets.sovereign.rules import action


class StandUp(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of standing up.

    If `items` is `null`, the combatant picks up its own things within 5 ft.
    """

    items: Annotated[list[str], Meta(max_length=50)] | None = None
    pay: costs.Pay = "move"


def lie_there(act: Act[StandUp]) -> Iterator[Illegal]:
    """Refuse a thing that is out of reach or that the combatant cannot carry."""
    for item in act.inputs.items or ():
        yield from items.thing_refusals(act.combat, act.who, item, "SOV-STAND-01", "items")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose to pick up the combatant's own things, and to pick up nothing."""
    yield from costs.either_pays(play, who)
    yield {"items": []}


@action(
    "stand-up", "Stand up", StandUp,
    cost="Move", category="move",
    rules={
        "SOV-STAND-01": "Standing up costs a Move and picks up dropped things within 5 ft",
        "SOV-STAND-02": "Standing up provokes while the combatant is still prone",
    },
    refusals=(
        *costs.FOR_A_MOVE,
        Refusal("SOV-STAND-01", "not-prone", "{actor} is not prone",
                lambda act: not act.actor.has("prone")),
        lie_there,
    ),
    propose=candidates,
)  # fmt: skip
def stand_up(act: Act[StandUp]) -> Procedure[None]:
    """Stand up, and pick things up (SOV-STAND-01).

    Enemies strike while the combatant is still prone (SOV-STAND-02).
    """
    play, who = act.play, act.who
    yield costs.pay_move(who, act.inputs.pay, "SOV-STAND-01")
    yield from opportunity.begin(play, who, "stand-up")
    yield ConditionLost(who, "prone", reason="stood up", rules=("SOV-STAND-01",))
    things = act.inputs.items
    if things is None:
        things = [thing.id for thing in items.within_reach(play.combat, who) if thing.of == who]
    yield from items.take_up(play, who, things, "SOV-STAND-01")


@action(
    "go-prone", "Go prone",
    cost="Free", category="move",
    rules={"SOV-PRONE-01": "Dropping prone is free"},
    refusals=(
        costs.own_turn,
        Refusal("SOV-PRONE-01", "already-prone", "{actor} is prone",
                lambda act: act.actor.has("prone")),
    ),
)  # fmt: skip
def go_prone(act: Act[NoInputs]) -> Procedure[None]:
    """Fall prone (SOV-PRONE-01)."""
    if (yield from costs.plausible(act.play, act.who, "free", go_prone, act.inputs)):
        yield ConditionGained(act.who, "prone", rules=("SOV-PRONE-01",))
