"""The action `use-item`, which follows the rules of a skill (SOV-SKILL-03)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import EffectResolved
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnItem, Recipient
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.sovereign import board, costs, items, opportunity, windows
from domain.rulesets.sovereign.rules import action


class UseItem(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: OwnItem
    target: Recipient | None = None


def ready_and_near(act: Act[UseItem]) -> Iterator[Illegal]:
    """Refuse an item that is not readied, or a target that is not adjacent (SOV-SKILL-03)."""
    yield from items.readied_refusals(act.actor, act.inputs.item)
    target = act.inputs.target
    if target not in (None, act.who) and not board.adjacent(act.combat, act.who, act.target.id):
        yield refuse("SOV-SKILL-03", "not-adjacent", f"{target} is not adjacent", "target")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every item, first without a target and then on each other combatant."""
    for item in items.items(play.combat[who]):
        yield {"item": item.id}
        for other in play.combat:
            if other.id != who and in_fight(play.combat, other.id):
                yield {"item": item.id, "target": other.id}


@action(
    "use-item", "Use an item", UseItem,
    cost="Main", category="use", headline="Use {item|an item}[ on {target}]",
    rules={"SOV-SKILL-03": "Using an item on somebody counts as a skill, without a roll"},
    refusals=(*costs.FOR_A_MAIN, ready_and_near),
    propose=candidates,
)  # fmt: skip
def use_item(act: Act[UseItem]) -> Procedure[None]:
    """Use the item, and apply the effect in its data (SOV-SKILL-03)."""
    play, who = act.play, act.who
    yield costs.spend(who, "main", "SOV-SKILL-03")
    yield from opportunity.begin(play, who, "use-item", act.inputs.target)
    item = items.item_of(act.actor, act.inputs.item)
    if not (yield from costs.still(who, "use-item", ready_and_near(act))) or item is None:
        return
    target = act.inputs.target or who
    yield EffectResolved(
        who, "item", item.id, "done", item.name, (target,), rules=("SOV-SKILL-03",)
    )
    if item.effect is not None:
        used = item.effect
        yield from windows.apply(play, who, target, lambda: used)
