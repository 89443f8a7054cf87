"""pick-up: something that lies within 5 ft (SOV-ITEM-03)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Carried
from domain.rulebook.play import Play
from domain.rulesets.sovereign import costs, opportunity
from domain.rulesets.sovereign.items import take_up, thing_refusals, within_reach
from domain.rulesets.sovereign.rules import rule


class PickUp(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: Carried
    pay: costs.Pay = "move"


def pick_up_refusals(play: Play, who: Id, inputs: PickUp) -> Iterator[Illegal]:
    yield from thing_refusals(play.combat, who, inputs.item, "SOV-ITEM-03")


def pick_up_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for thing in within_reach(play.combat, who):
        yield {"item": thing.id}


@rule("SOV-ITEM-03", "A Move to pick up a thing within 5 ft. It provokes")
def pick_up(play: Play, who: Id, inputs: PickUp) -> Procedure[None]:
    """A Move that draws; the thing is in hand afterwards (SOV-ITEM-03)."""
    yield costs.pay_move(who, inputs.pay, "SOV-ITEM-03")
    yield from opportunity.begin(play, who, "pick-up")
    if (yield from costs.still(who, "pick-up", pick_up_refusals(play, who, inputs))):
        yield from take_up(play, who, [inputs.item], "SOV-ITEM-03")


PICK_UP = costs.move(
    "pick-up", PickUp, pick_up, "Pick something up", "SOV-ITEM-03", refusals=pick_up_refusals,
    candidates=pick_up_candidates,
).shown("use", "Pick {item} up")  # fmt: skip
