"""sheathe, draw, drop-item, wield: no action (SOV-ITEM-02, SOV-DUAL-01)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs
from domain.rulesets.sovereign.actions.stowage import (
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


class Wield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One or two weapons."""

    weapons: list[OwnWeapon]


def draw_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapon = weapon_named(combatant, inputs)
    if weapon is None or arms.state(combatant, weapon) != "sheathed":
        yield from has_refusals(combatant, inputs, ("sheathed",))
    else:
        yield from arms.ready_refusals(combatant, weapon)


def sheathe_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapon = weapon_named(combatant, inputs)
    if (
        weapon is None
        or arms.is_body(combatant, weapon)
        or arms.state(combatant, weapon) != "in-hand"
    ):
        yield Illegal("SOV-ITEM-02", "not-readied", "that is no weapon in hand")


def drop_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapon = weapon_named(combatant, inputs)
    if weapon is not None and arms.is_body(combatant, weapon):
        yield Illegal("SOV-ITEM-02", "not-readied", "nobody drops that")
    elif shield_named(combatant, inputs.item) is None:
        yield from has_refusals(combatant, inputs, ("readied", "in-hand", "sheathed"))


def draw(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """No action; the GM may find one swap too many (SOV-ITEM-02)."""
    weapon = weapon_named(play.combat[who], inputs)
    if weapon is not None:
        yield from costs.draw(play, who, weapon)


def sheathe(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """No action (SOV-ITEM-02)."""
    weapon = weapon_named(play.combat[who], inputs)
    if weapon is not None and (yield from costs.plausible(play, who, "swaps", SHEATHE, inputs)):
        yield arms.put(play.combat[who], {weapon.id: "sheathed"}, "SOV-ITEM-02")


def drop_item(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """It falls where the combatant stands."""
    combatant = play.combat[who]
    weapon, item = weapon_named(combatant, inputs), item_of(combatant, inputs.item)
    guard = shield_named(combatant, inputs.item)
    if guard is not None:
        yield from shield_dropped(play.combat, combatant, guard, "SOV-ITEM-02")
    elif weapon is not None:
        yield arms.dropped(play.combat, combatant, [weapon], "SOV-ITEM-02")
    elif item is not None:
        yield put_item(combatant, item.id, "dropped", "SOV-ITEM-02")
        yield lay(play.combat, lying(combatant, item, combatant.position), rule="SOV-ITEM-02")


def drop_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from thing_candidates(play, who)
    if shield(play.combat[who]) is not None:
        yield {"item": SHIELD}


def wield_refusals(play: Play, who: Id, inputs: Wield) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapons = [arms.weapon_of(combatant, id) for id in inputs.weapons]
    both = [weapon for weapon in weapons if weapon is not None]
    fists = any(arms.is_unarmed(combatant, weapon) for weapon in both)
    apart = len({*inputs.weapons})
    if fists or len(both) != len(inputs.weapons) or apart != len(both) or apart not in (1, 2):
        yield Illegal("SOV-DUAL-01", "missing-data", "one or two weapons that it has")
        return
    for weapon in both:
        yield from arms.ready_refusals(combatant, weapon)
    if len(both) == 2:
        yield from arms.pair_refusals(
            sheet_of(combatant), both, shielded=shield(combatant) is not None
        )


def wield_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    ids = [weapon.id for weapon in arms.weapons(play.combat[who]) if not weapon.natural]
    for index, first in enumerate(ids):
        for second in ids[index + 1 :]:
            yield {"weapons": [first, second]}
    for first in ids:
        yield {"weapons": [first]}


def wield(play: Play, who: Id, inputs: Wield) -> Procedure[None]:
    """One weapon, or two at once (SOV-DUAL-01)."""
    if not (yield from costs.plausible(play, who, "swaps", WIELD, inputs)):
        return
    combatant = play.combat[who]
    now = {weapon.id: "sheathed" for weapon in arms.in_hand(combatant) if arms.hands(weapon)}
    now |= dict.fromkeys(inputs.weapons, "in-hand")
    if combatant.has("dual-wielding"):
        yield ConditionLost(who, "dual-wielding", reason="others in hand", rules=("SOV-DUAL-01",))
    yield arms.put(combatant, now, "SOV-DUAL-01")
    if len(inputs.weapons) == 2:
        yield arms.wield(who, (inputs.weapons[0], inputs.weapons[1]))


SHEATHE = costs.on_turn(
    "sheathe", Thing, sheathe, "Sheathe a weapon", "SOV-ITEM-02", cost="none",
    refusals=sheathe_refusals, candidates=thing_candidates,
).shown("use", "Sheathe[ {weapon}]")  # fmt: skip

DRAW = costs.on_turn(
    "draw", Thing, draw, "Draw a weapon", "SOV-ITEM-02", cost="none", refusals=draw_refusals,
    candidates=thing_candidates,
).shown("use", "Draw[ {weapon}]")  # fmt: skip

DROP_ITEM = costs.on_turn(
    "drop-item", Thing, drop_item, "Drop something", "SOV-ITEM-02", cost="none",
    refusals=drop_refusals, candidates=drop_candidates,
).shown("use", "Drop[ {item}][ {weapon}]")  # fmt: skip

WIELD = costs.on_turn(
    "wield", Wield, wield, "Wield one or two weapons", "SOV-DUAL-01", cost="none",
    refusals=wield_refusals, candidates=wield_candidates,
).shown("use", "Wield {weapons}", "weapons")  # fmt: skip
