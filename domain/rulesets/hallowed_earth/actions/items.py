"""use-item and throw-item: consumables and thrown items (HE-ITEM)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed, OwnItem, Recipient
from domain.rulebook.play import Play
from domain.rulebook.prompts import Screen
from domain.rulesets.hallowed_earth import effects
from domain.rulesets.hallowed_earth.actions.deed import Deed, Doing, Tool, anybody
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import rule_of
from domain.rulesets.hallowed_earth.facts import USED
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Item
from domain.rulesets.hallowed_earth.states import sheet
from domain.rulesets.hallowed_earth.things import arms_of, disabled, item_of


class UsingItem(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare with `item`. At its number, give `target`. By default, it is the user."""

    item: Needed[OwnItem] = None
    target: Recipient | None = None


def items(combatant: Combatant) -> list[Tool]:
    return [item.id for item in sheet(combatant).items if item_of(combatant, item.id)]


@rule("HE-BLUNT-09", "Broken Upper Arm: 1d10 Strength, no attack with that arm")
@rule("HE-BLUNT-10", "Shattered Elbow: 1d12 Dexterity, no attack with that arm")
@rule("HE-BLUNT-11", "Broken Forearm: 1d10 Strength and Dexterity, holds nothing")
@rule("HE-BLUNT-12", "Shattered Hand: 4d4 Dexterity, no use of that hand")
def _hand(combatant: Combatant, item: Item | None, *conditions: str) -> Iterator[Illegal]:
    """The hand that the item needs, or any, must work (HE-BLUNT-08 to -12)."""
    bad = disabled(combatant, *conditions)
    hand = None if item is None else item.hand
    if bad & set(arms_of(hand)) or (hand is None and len(bad) == 2):
        rule = rule_of(combatant, *conditions, arms=arms_of(hand) or bad)
        yield Illegal(rule, "arm-disabled", "the hand for it is injured")


def use_hindered(combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
    item = next((item for item in sheet(combatant).items if item.id == tool), None)
    yield from _hand(combatant, item, "hand-useless", "arm-cannot-hold")
    if item is not None and item.chewed and combatant.has("cannot-chew"):
        yield Illegal("HE-BLUNT-16", "cannot-chew", f"{combatant.name} cannot chew")


def chewed_by(_: Combat, combatant: Combatant, other: Combatant, tool: Tool) -> Iterator[Illegal]:
    """Refuse a chewed item for a target that cannot chew (HE-BLUNT-16)."""
    item = item_of(combatant, tool)
    if item is not None and item.chewed and other.has("cannot-chew"):
        yield Illegal("HE-BLUNT-16", "cannot-chew", f"{other.name} cannot chew")


def throw_hindered(combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
    item = next((item for item in sheet(combatant).items if item.id == tool), None)
    yield from _hand(combatant, item, "hand-useless", "arm-cannot-hold", "arm-cannot-attack")


def _used_up(play: Play, who: Id, item: str, rule: str) -> Procedure[None]:
    used = USED.of(play.combat[who])
    yield USED.set(who, {**used, item: used.get(item, 0) + 1}, rules=(rule,))


@rule("HE-ITEM-01", "A consumable is used up when the action resolves")
def do_use_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """A consumable is used up when the action resolves (HE-ITEM-01)."""
    who, item = deed.who, item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    if item.kind != "other":
        yield from _used_up(play, who, item.id, "HE-ITEM-01")
    return (yield from deed.takes_effect(play, effects.of_item(item)))


@rule("HE-ITEM-02", "A thrown item leaves the thrower, hit or miss")
def do_throw_item(play: Play, deed: Deed) -> Procedure[Attacks]:
    """It leaves the thrower, hit or miss (HE-ITEM-02)."""
    who, item = deed.who, item_of(play.combat[deed.who], deed.tool)
    assert item is not None
    yield from _used_up(play, who, item.id, "HE-ITEM-02")
    return (yield from deed.takes_effect(play, effects.of_thrown(item)))


# +6 to use and +2 to throw, unless the item states another value (HE-MOD-03, -04).
rule("HE-MOD-03", "use-item: +6 unless the item says otherwise", f"{__name__}.USE_ITEM")
USE_ITEM = Doing(
    id="use-item",
    screen=Screen("use", "Use {item|an item}[ on {target}]"),
    label="Use an item",
    rules=("HE-ITEM-01", "HE-MOD-03"),
    inputs=UsingItem,
    tool="item",
    things=items,
    find=partial(item_of, fallen=True),
    speed=lambda item: item.use_speed,
    bare=None,
    hindered=use_hindered,
    fits=chewed_by,
    do=do_use_item,
)

rule("HE-MOD-04", "throw-item: +2 unless the item says otherwise", f"{__name__}.THROW_ITEM")
THROW_ITEM = replace(
    USE_ITEM,
    id="throw-item",
    label="Throw an item",
    screen=Screen("attack", "Throw {item|an item}[ at {target}]", polarity="harm"),
    rules=("HE-ITEM-02", "HE-MOD-04"),
    speed=lambda item: item.throw_speed,
    hindered=throw_hindered,
    fits=anybody,
    blow=lambda item: effects.of_thrown(item).blow,
    do=do_throw_item,
)
