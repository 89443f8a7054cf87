"""The actions `use-item` and `throw-item` (HE-ITEM)."""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed, OwnItem, Recipient
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import effects
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import rule_of
from domain.rulesets.hallowed_earth.deed import Deed, StandardAction, Tool
from domain.rulesets.hallowed_earth.facts import USED
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Item, sheet
from domain.rulesets.hallowed_earth.things import arms_of, disabled, item_of


class UsingItem(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of an item. Declare `item`, and give `target` on your turn.

    By default, you are the target of an item that you use.
    """

    item: Needed[OwnItem] = None
    target: Recipient | None = None


def items(combatant: Combatant) -> list[Tool]:
    return [item.id for item in sheet(combatant).items if item_of(combatant, item.id)]


at_hand = partial(item_of, fallen=True)


@rule("HE-BLUNT-09", "A Broken Upper Arm deals 1d10 Strength damage, and that arm cannot attack")
@rule("HE-BLUNT-10", "A Shattered Elbow deals 1d12 Dexterity damage, and that arm cannot attack")
@rule(
    "HE-BLUNT-11",
    "A Broken Forearm deals 1d10 Strength and Dexterity damage and cannot hold anything",
)
@rule("HE-BLUNT-12", "A Shattered Hand deals 4d4 Dexterity damage and is useless")
def _hand(combatant: Combatant, item: Item | None, *conditions: str) -> Iterator[Illegal]:
    """Refuse an item if an injury disables the hand for it (HE-BLUNT-09 to HE-BLUNT-12).

    An item without a fixed hand needs at least one healthy hand.
    """
    bad = disabled(combatant, *conditions)
    hand = None if item is None else item.hand
    if bad & set(arms_of(hand)) or (hand is None and len(bad) == 2):
        rule = rule_of(combatant, *conditions, arms=arms_of(hand) or bad)
        yield refuse(rule, "arm-disabled", "the hand for it is injured", NO_FIELD)


def _chewed(item: Item | None, by: Combatant) -> Iterator[Illegal]:
    """Refuse an item that must be chewed if the combatant cannot chew (HE-BLUNT-16)."""
    if item is not None and item.chewed and by.has("cannot-chew"):
        yield refuse("HE-BLUNT-16", "cannot-chew", f"{by.name} cannot chew", NO_FIELD)


def _owned(combatant: Combatant, tool: Tool) -> Item | None:
    """Return the item on the combatant's sheet, even if the item is not at hand."""
    return next((item for item in sheet(combatant).items if item.id == tool), None)


def use_hindered(combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
    item = _owned(combatant, tool)
    yield from _hand(combatant, item, "hand-useless", "arm-cannot-hold")
    yield from _chewed(item, combatant)


def chewed_by(
    combat: Combat, combatant: Combatant, target: Combatant, tool: Tool
) -> Iterator[Illegal]:
    """Refuse an item that must be chewed if the target cannot chew (HE-BLUNT-16)."""
    return _chewed(item_of(combatant, tool), target)


def throw_hindered(combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
    item = _owned(combatant, tool)
    yield from _hand(combatant, item, "hand-useless", "arm-cannot-hold", "arm-cannot-attack")


def _used_up(play: Play, who: Id, item: str, rule: str) -> Procedure[None]:
    used = USED.of(play.combat[who])
    yield USED.set(who, {**used, item: used.get(item, 0) + 1}, rules=(rule,))


@StandardAction(
    "use-item", "Use an item", UsingItem,
    category="use", headline="Use {item|an item}[ on {target}]",
    rules={
        "HE-ITEM-01": "The action uses up a consumable when it resolves",
        "HE-MOD-03": "The action use-item adds 6, unless the item has a use_speed",
    },
    tool="item", things=items, find=at_hand, speed=lambda item: item.use_speed, bare=None,
    modified_by=("HE-MOD-03",), hindered=use_hindered, fits=chewed_by,
)  # fmt: skip
def use_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Use the item. The action uses up a consumable when it resolves (HE-ITEM-01)."""
    who, item = deed.who, item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    if item.kind != "other":
        yield from _used_up(play, who, item.id, "HE-ITEM-01")
    effect, aim = effects.of_item(item), deed.targets() or (who,)
    return (yield from effects.take_effect(play, who, aim, effect, "use-item", tied=deed.tied))


@StandardAction(
    "throw-item", "Throw an item", UsingItem,
    category="attack", headline="Throw {item|an item}[ at {target}]", polarity="harm",
    rules={
        "HE-ITEM-02": "A thrown item leaves the thrower, whether it hits or misses",
        "HE-MOD-04": "The action throw-item adds 2, unless the item has a throw_speed",
    },
    tool="item", things=items, find=at_hand, speed=lambda item: item.throw_speed, bare=None,
    modified_by=("HE-MOD-04",), hindered=throw_hindered,
    blow=lambda item: effects.of_thrown(item).blow,
)  # fmt: skip
def throw_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Throw the item. The thrower loses it, whether it hits or misses (HE-ITEM-02)."""
    who, item = deed.who, item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    yield from _used_up(play, who, item.id, "HE-ITEM-02")
    effect, aim = effects.of_thrown(item), deed.targets() or (who,)
    return (yield from effects.take_effect(play, who, aim, effect, "throw-item", tied=deed.tied))
