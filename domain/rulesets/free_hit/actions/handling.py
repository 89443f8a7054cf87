"""Things in hand and on the ground: pick up, draw, sheathe (FH-ACT-01, -02)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.record.events import CombatantChanged
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Carried, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.sheets import unused
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.facts import CARRIED, GROUND, held
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.things import is_drawn, is_lost, made_of, weapon_of


class PickUp(Struct, frozen=True, forbid_unknown_fields=True):
    item: Carried
    pay_with: paying.Kind = "ba"


class Handling(Struct, frozen=True, forbid_unknown_fields=True):
    weapon: OwnWeapon
    pay_with: paying.Kind = "ba"


def pick_up_refusals(play: Play, who: Id, inputs: PickUp) -> Iterator[Illegal]:
    yield from paying.lacking(play.combat, who, paying.one(inputs.pay_with))
    one, lying = play.combat[who], GROUND.of(play.combat).get(inputs.item)
    if lying is None or not is_near(one, lying):
        detail = f"{inputs.item!r} does not lie on its own or an adjacent space"
        yield Illegal("FH-ACT-01", "item-not-near", detail)


def is_near(one: Combatant, item: Mapping[str, Any]) -> bool:
    """On the unit's own or an adjacent space (FH-ACT-01, GAP-33)."""
    square = None if item.get("at") is None else grid.square(item["at"])
    if square is None or one.position is None:
        return True
    return grid.distance(one.position, square, sheet(one).size) <= 1


def pick_up_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in GROUND.of(play.combat):
        for kind in paying.KINDS:
            yield {"item": item, "pay_with": kind}


def pick_up(play: Play, who: Id, inputs: PickUp) -> Procedure[None]:
    """The item is carried, a weapon is in hand (FH-ACT-01, FH-DSM-02)."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-01")
    lying = dict(GROUND.of(play.combat))
    item = lying.pop(inputs.item)
    yield GROUND.set(lying, rules=("FH-ACT-01",))
    one = play.combat[who]
    weapon = made_of(item)
    if weapon is None:
        yield CARRIED.set(who, [*CARRIED.of(one), inputs.item], rules=("FH-ACT-01",))
        return
    if not is_own(one, weapon, item, lying):
        weapon = unused(weapon, [mine.id for mine in sheet(one).weapons])
        more = [*one.sheet["weapons"], {**item["weapon"], "id": weapon}]
        yield CombatantChanged(who, sheet={"weapons": more}, rules=("FH-DSM-02",))
    yield held(one, weapon, "drawn", "FH-DSM-02")


def is_own(
    one: Combatant, weapon: str, item: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]
) -> bool:
    """Whether the weapon that lay there is its own; somebody else's is one more (FH-DSM-02)."""
    mine = weapon_of(one, weapon)
    if mine is None or not is_lost(one, mine):
        return False
    elsewhere = any(
        other.get("of") == one.id and made_of(other) == weapon for other in others.values()
    )
    return item.get("of") == one.id or not elsewhere


PICK_UP = Action(
    "pick-up", PickUp, pick_up_refusals, pick_up_candidates, "Pick up", procedure=pick_up,
    cost=paying.EACH, rules=("FH-ACT-01", "FH-DSM-02"),
).shown("use", "Pick {item} up")  # fmt: skip


# ---- drawing, sheathing

State = Literal["drawn", "sheathed"]


def refusals(play: Play, who: Id, inputs: Handling, *, into: State) -> Iterator[Illegal]:
    """Check that a weapon to draw is not in hand, and that a weapon to sheathe is."""
    one, weapon = play.combat[who], weapon_of(play.combat[who], inputs.weapon)
    if weapon is not None and weapon.natural:
        detail = f"{weapon.name} is natural: it is neither drawn nor sheathed"
        yield Illegal("FH-ACT-02", "wrong-action-kind", detail)
    yield from paying.lacking(play.combat, who, paying.one(inputs.pay_with))
    in_hand = weapon is not None and is_drawn(one, weapon)
    if into == "sheathed" and not in_hand:
        yield Illegal("FH-ACT-02", "not-drawn", f"{inputs.weapon!r} is not in hand")
    elif into == "drawn" and (weapon is None or is_lost(one, weapon)):
        detail = f"{one.name} does not have {inputs.weapon!r}"
        yield Illegal("FH-ACT-02", "not-drawn", detail)
    elif into == "drawn" and weapon is not None and in_hand:
        yield Illegal("FH-ACT-02", "already-drawn", f"{weapon.name} is in hand already")


def handling_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for weapon in sheet(play.combat[who]).weapons:
        for kind in paying.KINDS:
            yield {"weapon": weapon.id, "pay_with": kind}


def handle(play: Play, who: Id, inputs: Handling, *, into: State) -> Procedure[None]:
    """FH-ACT-02."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-02")
    yield held(play.combat[who], inputs.weapon, into, "FH-ACT-02")


DRAW = Action(
    "draw", Handling, partial(refusals, into="drawn"), handling_candidates, "Draw a weapon",
    procedure=partial(handle, into="drawn"), cost=paying.EACH, rules=("FH-ACT-02",),
).shown("use", "Draw {weapon}")  # fmt: skip
SHEATHE = Action(
    "sheathe", Handling, partial(refusals, into="sheathed"), handling_candidates,
    "Sheathe a weapon", procedure=partial(handle, into="sheathed"), cost=paying.EACH,
    rules=("FH-ACT-02",),
).shown("use", "Sheathe {weapon}")  # fmt: skip
