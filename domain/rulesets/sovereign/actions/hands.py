"""The actions `sheathe`, `draw`, `drop-item` and `wield`, which cost nothing.

SOV-ITEM-02, SOV-DUAL-01.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionLost
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs
from domain.rulesets.sovereign.actions.stowage import (
    AT_HAND,
    Thing,
    has_refusals,
    thing_candidates,
    weapon_named,
)
from domain.rulesets.sovereign.facts import lay
from domain.rulesets.sovereign.items import (
    SHIELD,
    item_of,
    lying,
    put_item,
    shield_dropped,
    shield_named,
)
from domain.rulesets.sovereign.numbers import sheet_of, shield
from domain.rulesets.sovereign.rules import action


def is_not_in_hand(act: Act[Thing]) -> bool:
    """Return true if the thing is no weapon in hand, or is a part of the body."""
    weapon = weapon_named(act.actor, act.inputs)
    return weapon is None or arms.is_body(act.actor, weapon) or not arms.held(act.actor, weapon)


@action(
    "sheathe", "Sheathe a weapon", Thing,
    cost="none", category="use", headline="Sheathe[ {weapon}]",
    rules={}, also=("SOV-ITEM-02",),
    refusals=(
        costs.own_turn,
        Refusal("SOV-ITEM-02", "not-readied", "that is no weapon in hand", is_not_in_hand,
                field=("weapon", "item")),
    ),
    propose=thing_candidates,
)  # fmt: skip
def sheathe(act: Act[Thing]) -> Procedure[None]:
    """Put a weapon away for free (SOV-ITEM-02)."""
    weapon = weapon_named(act.actor, act.inputs)
    if weapon is not None and (
        yield from costs.plausible(act.play, act.who, "swaps", sheathe, act.inputs)
    ):
        yield arms.put(act.actor, {weapon.id: "sheathed"}, "SOV-ITEM-02")


def sheathed(act: Act[Thing]) -> Iterator[Illegal]:
    """Refuse a weapon that is not sheathed, or for which no hand is free."""
    weapon = weapon_named(act.actor, act.inputs)
    if weapon is None or arms.state(act.actor, weapon) != "sheathed":
        yield from has_refusals(act.actor, act.inputs, ("sheathed",))
    else:
        yield from arms.ready_refusals(act.actor, weapon, act.inputs.field)


@action(
    "draw", "Draw a weapon", Thing,
    cost="none", category="use", headline="Draw[ {weapon}]",
    rules={}, also=("SOV-ITEM-02",),
    refusals=(costs.own_turn, sheathed),
    propose=thing_candidates,
)  # fmt: skip
def draw(act: Act[Thing]) -> Procedure[None]:
    """Draw a weapon for free, unless the GM refuses a further swap (SOV-ITEM-02)."""
    weapon = weapon_named(act.actor, act.inputs)
    if weapon is not None:
        yield from costs.draw(act.play, act.who, weapon)


def carried(act: Act[Thing]) -> Iterator[Illegal]:
    """Refuse to drop a part of the body, or a thing that is not at hand."""
    weapon = weapon_named(act.actor, act.inputs)
    if weapon is not None and arms.is_body(act.actor, weapon):
        yield refuse("SOV-ITEM-02", "not-readied", "nobody drops that", act.inputs.field)
    elif shield_named(act.actor, act.inputs.item) is None:
        yield from has_refusals(act.actor, act.inputs, AT_HAND)


def drop_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every item, every weapon and the shield."""
    yield from thing_candidates(play, who)
    if shield(play.combat[who]) is not None:
        yield {"item": SHIELD}


@action(
    "drop-item", "Drop something", Thing,
    cost="none", category="use", headline="Drop[ {item}][ {weapon}]",
    rules={}, also=("SOV-ITEM-02",),
    refusals=(costs.own_turn, carried),
    propose=drop_candidates,
)  # fmt: skip
def drop_item(act: Act[Thing]) -> Procedure[None]:
    """Drop a thing where the combatant stands (SOV-ITEM-02)."""
    combat, combatant = act.combat, act.actor
    weapon, item = weapon_named(combatant, act.inputs), item_of(combatant, act.inputs.item)
    guard = shield_named(combatant, act.inputs.item)
    if guard is not None:
        yield from shield_dropped(combat, combatant, guard, "SOV-ITEM-02")
    elif weapon is not None:
        yield arms.dropped(combat, combatant, [weapon], "SOV-ITEM-02")
    elif item is not None:
        yield put_item(combatant, item.id, "dropped", "SOV-ITEM-02")
        yield lay(act.combat, lying(combatant, item, combatant.position), rule="SOV-ITEM-02")


class Wield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with one or two weapons to wield."""

    weapons: list[OwnWeapon]


def one_or_two(act: Act[Wield]) -> Iterator[Illegal]:
    """Refuse weapons that the combatant does not have or cannot wield together."""
    combatant, ids = act.actor, act.inputs.weapons
    weapons = [weapon for id in ids if (weapon := arms.weapon_of(combatant, id)) is not None]
    fists = any(arms.is_unarmed(combatant, weapon) for weapon in weapons)
    if fists or len(weapons) != len(ids) or len({*ids}) != len(ids) or len(ids) not in (1, 2):
        detail = "one or two weapons that it has"
        yield refuse("SOV-DUAL-01", "missing-data", detail, "weapons")
        return
    for weapon in weapons:
        yield from arms.ready_refusals(combatant, weapon, "weapons")
    if len(weapons) == 2:
        shielded = shield(combatant) is not None
        yield from arms.pair_refusals(sheet_of(combatant), weapons, shielded=shielded)


def wield_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every pair, and each single weapon that the combatant does not already wield."""
    combatant = play.combat[who]
    ids = [weapon.id for weapon in arms.weapons(combatant) if not weapon.natural]
    wielded = [weapon.id for weapon in arms.in_hand(combatant) if weapon.id in ids]
    for index, first in enumerate(ids):
        for second in ids[index + 1 :]:
            yield {"weapons": [first, second]}
    for first in ids:
        if wielded != [first]:
            yield {"weapons": [first]}


@action(
    "wield", "Wield one or two weapons", Wield,
    cost="none", category="use", headline="Wield {weapons}", essential=("weapons",),
    rules={}, also=("SOV-DUAL-01",),
    refusals=(costs.own_turn, one_or_two),
    propose=wield_candidates,
)  # fmt: skip
def wield(act: Act[Wield]) -> Procedure[None]:
    """Wield one weapon, or two at once (SOV-DUAL-01)."""
    if not (yield from costs.plausible(act.play, act.who, "swaps", wield, act.inputs)):
        return
    combatant, ids = act.actor, act.inputs.weapons
    now = {weapon.id: "sheathed" for weapon in arms.in_hand(combatant) if arms.hands(weapon)}
    now |= dict.fromkeys(ids, "in-hand")
    if combatant.has("dual-wielding"):
        yield ConditionLost(
            act.who, "dual-wielding", reason="others in hand", rules=("SOV-DUAL-01",)
        )
    yield arms.put(combatant, now, "SOV-DUAL-01")
    if len(ids) == 2:
        yield arms.wield(act.who, (ids[0], ids[1]))
