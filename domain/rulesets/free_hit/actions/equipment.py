"""The actions `pick-up`, `draw` and `sheathe`."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import CombatantChanged
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind, OwnWeapon
from domain.rulebook.sheets import unused
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.facts import CARRIED, GROUND, held
from domain.rulesets.free_hit.rules import action, rule
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.things import is_drawn, is_lost, made_of, weapon_of


def on_the_ground(combat: Combat, who: Id) -> list[str]:
    """Return the ids of the things on the ground."""
    return [*GROUND.of(combat)]


class PickUp(Struct, frozen=True, forbid_unknown_fields=True):
    item: Annotated[str, InputKind("item", listed="items", proposes=on_the_ground)]
    pay_with: payment.Kind = "ba"


class Handling(Struct, frozen=True, forbid_unknown_fields=True):
    weapon: OwnWeapon
    pay_with: payment.Kind = "ba"


CANNOT_PAY = payment.lacking(payment.chosen)


def is_near(unit: Combatant, item: Mapping[str, Any]) -> bool:
    """Return true if the thing lies on or next to the unit's space (FH-ACT-01, GAP-33).

    A thing or a unit without a position counts as near.
    """
    square = grid.square(item.get("at"))
    if square is None or unit.position is None:
        return True
    return grid.distance(unit.position, square, sheet(unit).size) <= 1


def is_far(act: Act[PickUp]) -> bool | Mapping[str, str]:
    """Return the thing's id for the refusal if no such thing lies nearby."""
    lying = GROUND.of(act.combat).get(act.inputs.item)
    return (lying is None or not is_near(act.actor, lying)) and {"item": repr(act.inputs.item)}


@action(
    "pick-up", "Pick up", PickUp,
    cost=payment.EACH, category="use", headline="Pick {item} up",
    rules={
        "FH-ACT-01": "Any one action picks up an item from the unit's space or an adjacent one",
        "FH-DSM-02": "A unit can pick up a disarmed item. A weapon is then in hand",
    },
    refusals=(
        CANNOT_PAY,
        Refusal("FH-ACT-01", "item-not-near",
                "{item} does not lie on its own or an adjacent space", is_far, field="item"),
    ),
    propose=("item", "pay_with"),
)  # fmt: skip
def pick_up(act: Act[PickUp]) -> Procedure[None]:
    """Pick up the thing. A weapon is then in hand (FH-ACT-01, FH-DSM-02)."""
    yield from payment.pay(act.play, act.who, payment.chosen(act), "FH-ACT-01")
    lying = dict(GROUND.of(act.combat))
    item = lying.pop(act.inputs.item)
    yield GROUND.set(lying, rules=("FH-ACT-01",))
    unit = act.actor
    weapon = made_of(item)
    if weapon is None:
        carried = [*CARRIED.of(unit), act.inputs.item]
        yield CARRIED.set(act.who, carried, rules=("FH-ACT-01",))
        return
    if not is_own(unit, weapon, item, lying):
        weapon = unused(weapon, [own.id for own in sheet(unit).weapons])
        more = [*unit.sheet["weapons"], {**item["weapon"], "id": weapon}]
        yield CombatantChanged(act.who, sheet={"weapons": more}, rules=("FH-DSM-02",))
    yield held(unit, weapon, "drawn", "FH-DSM-02")


def is_own(
    unit: Combatant, weapon: str, item: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]
) -> bool:
    """Return true if the weapon on the ground is a weapon that this unit has lost.

    If it is not, the unit adds the weapon to its sheet as a new weapon (FH-DSM-02).
    """
    own = weapon_of(unit, weapon)
    if own is None or not is_lost(unit, own):
        return False
    elsewhere = any(
        other.get("of") == unit.id and made_of(other) == weapon for other in others.values()
    )
    return item.get("of") == unit.id or not elsewhere


# ---- drawing, sheathing


def is_natural(act: Act[Handling]) -> bool | Mapping[str, str]:
    """Return the weapon's name for the refusal if the weapon is a part of the body."""
    weapon = weapon_of(act.actor, act.inputs.weapon)
    return weapon is not None and weapon.natural and {"weapon": weapon.name}


NATURAL = Refusal(
    "FH-ACT-02", "wrong-action-kind", "{weapon} is natural: it is neither drawn nor sheathed",
    is_natural, field="weapon",
)  # fmt: skip


def can_be_drawn(act: Act[Handling]) -> Iterator[Illegal]:
    """Refuse a weapon that the unit does not have, or has in hand already (FH-ACT-02)."""
    unit, weapon = act.actor, weapon_of(act.actor, act.inputs.weapon)
    if weapon is None or is_lost(unit, weapon):
        sentence = f"{unit.name} does not have {act.inputs.weapon!r}"
        yield refuse("FH-ACT-02", "not-drawn", sentence, "weapon")
    elif is_drawn(unit, weapon):
        yield refuse("FH-ACT-02", "already-drawn", f"{weapon.name} is in hand already", "weapon")


def is_not_in_hand(act: Act[Handling]) -> bool | Mapping[str, str]:
    """Return the weapon's id for the refusal if the weapon is not in hand."""
    weapon = weapon_of(act.actor, act.inputs.weapon)
    in_hand = weapon is not None and is_drawn(act.actor, weapon)
    return not in_hand and {"weapon": repr(act.inputs.weapon)}


@rule("FH-ACT-02", "Any one action draws or sheathes one weapon")
def handle(act: Act[Handling], into: str) -> Procedure[None]:
    """Pay, then draw or sheathe the weapon (FH-ACT-02)."""
    yield from payment.pay(act.play, act.who, payment.chosen(act), "FH-ACT-02")
    yield held(act.actor, act.inputs.weapon, into, "FH-ACT-02")


@action(
    "draw", "Draw a weapon", Handling,
    cost=payment.EACH, category="use", headline="Draw {weapon}",
    rules={}, also=("FH-ACT-02",),
    refusals=(NATURAL, CANNOT_PAY, can_be_drawn),
    propose=("weapon", "pay_with"),
)  # fmt: skip
def draw(act: Act[Handling]) -> Procedure[None]:
    """Take a weapon into the hand."""
    yield from handle(act, "drawn")


@action(
    "sheathe", "Sheathe a weapon", Handling,
    cost=payment.EACH, category="use", headline="Sheathe {weapon}",
    rules={}, also=("FH-ACT-02",),
    refusals=(
        NATURAL,
        CANNOT_PAY,
        Refusal("FH-ACT-02", "not-drawn", "{weapon} is not in hand", is_not_in_hand,
                field="weapon"),
    ),
    propose=("weapon", "pay_with"),
)  # fmt: skip
def sheathe(act: Act[Handling]) -> Procedure[None]:
    """Put a weapon away."""
    yield from handle(act, "sheathed")
