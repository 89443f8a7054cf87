"""The action `pick-up`, which takes a thing within 5 ft (SOV-ITEM-03)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulesets.sovereign import costs, opportunity
from domain.rulesets.sovereign.items import take_up, thing_refusals, within_reach
from domain.rulesets.sovereign.rules import action


def near(combat: Combat, who: Id) -> list[str]:
    """Return the ids of the things within 5 ft."""
    return [thing.id for thing in within_reach(combat, who)]


class PickUp(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: Annotated[str, InputKind("item", listed="items", proposes=near)]
    pay: costs.Pay = "move"


def lies_there(act: Act[PickUp]) -> Iterator[Illegal]:
    """Refuse a thing that is out of reach, or that the combatant cannot carry."""
    return thing_refusals(act.combat, act.who, act.inputs.item, "SOV-ITEM-03")


@action(
    "pick-up", "Pick something up", PickUp,
    cost="Move", category="use", headline="Pick {item} up",
    rules={"SOV-ITEM-03": "Picking up a thing within 5 ft costs a Move and provokes"},
    refusals=(*costs.FOR_A_MOVE, lies_there),
    propose=("item",),
)  # fmt: skip
def pick_up(act: Act[PickUp]) -> Procedure[None]:
    """Take the thing in hand, which provokes attacks (SOV-ITEM-03)."""
    yield costs.pay_move(act.who, act.inputs.pay, "SOV-ITEM-03")
    yield from opportunity.begin(act.play, act.who, "pick-up")
    if (yield from costs.still(act.who, "pick-up", lies_there(act))):
        yield from take_up(act.play, act.who, [act.inputs.item], "SOV-ITEM-03")
