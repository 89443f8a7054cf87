"""use-item: counts as using a skill (SOV-SKILL-03)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import EffectResolved
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnItem, Recipient
from domain.rulebook.play import Play
from domain.rulesets.sovereign import abilities, board, costs, items, opportunity, windows
from domain.rulesets.sovereign.numbers import in_fight
from domain.rulesets.sovereign.rules import rule


class UseItem(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: OwnItem
    target: Recipient | None = None


def item_refusals(play: Play, who: Id, inputs: UseItem) -> Iterator[Illegal]:
    """Check that the item is readied and the target adjacent (SOV-SKILL-03)."""
    combat = play.combat
    yield from items.readied_refusals(combat[who], inputs.item)
    given = inputs.target not in (None, who)
    if given and not board.adjacent(combat, who, combat[inputs.target or who].id):
        yield Illegal("SOV-SKILL-03", "not-adjacent", f"{inputs.target} is not adjacent")


def item_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in items.items(play.combat[who]):
        yield {"item": item.id}
        for other in play.combat:
            if other.id != who and in_fight(play.combat, other.id):
                yield {"item": item.id, "target": other.id}


@rule("SOV-SKILL-03", "Using an item on somebody counts as a skill, without a roll")
def use_item(play: Play, who: Id, inputs: UseItem) -> Procedure[None]:
    """Counts as using a skill; no roll unless its data say so (SOV-SKILL-03)."""
    yield costs.spend(who, "main", "SOV-SKILL-03")
    yield from opportunity.begin(play, who, "use-item", inputs.target)
    item = items.item_of(play.combat[who], inputs.item)
    possible = yield from costs.still(who, "use-item", item_refusals(play, who, inputs))
    if not possible or item is None:
        return
    target = inputs.target or who
    yield EffectResolved(
        who, "item", item.id, "done", item.name, (target,), rules=("SOV-SKILL-03",)
    )
    if item.effect is not None:
        used = item.effect
        yield from abilities.apply(play, who, target, lambda: used, windows.seen)


USE_ITEM = costs.main(
    "use-item", UseItem, use_item, "Use an item", "SOV-SKILL-03", refusals=item_refusals,
    candidates=item_candidates,
).shown("use", "Use {item|an item}[ on {target}]")  # fmt: skip
