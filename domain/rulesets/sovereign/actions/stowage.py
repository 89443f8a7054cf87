"""ready-item, stow-item: between hand or belt and pack (SOV-ITEM-01)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Carried, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs, windows
from domain.rulesets.sovereign.items import (
    item_of,
    item_state,
    items,
    load_refusals,
    put_item,
)
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Weapon


class Thing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`item` or `weapon`, by id."""

    item: Carried | None = None
    weapon: OwnWeapon | None = None


def weapon_named(combatant: Combatant, inputs: Thing) -> Weapon | None:
    """The weapon that is meant, whichever field names it."""
    return arms.weapon_of(combatant, inputs.weapon or inputs.item or "")


def where(combatant: Combatant, inputs: Thing) -> str | None:
    """Where the thing is; None = it has no such thing."""
    weapon = weapon_named(combatant, inputs)
    if weapon is not None:
        return arms.state(combatant, weapon)
    item = item_of(combatant, inputs.item)
    return None if item is None else item_state(combatant, item)


def has_refusals(combatant: Combatant, inputs: Thing, wanted: Sequence[str]) -> Iterator[Illegal]:
    now = where(combatant, inputs)
    if now not in wanted:
        what = inputs.weapon or inputs.item
        yield Illegal("SOV-ITEM-01", "not-readied", f"{what} is {now or 'not there'}")


def thing_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    for item in items(combatant):
        yield {"item": item.id}
    for weapon in arms.weapons(combatant):
        yield {"weapon": weapon.id}


class Way(NamedTuple):
    """Out of the pack or into it: from where, and where weapons and items are then."""

    action: str
    wanted: tuple[str, ...]
    weapon_to: str
    item_to: str


OUT = Way("ready-item", ("stowed",), "sheathed", "readied")
IN = Way("stow-item", ("readied", "in-hand", "sheathed"), "stowed", "stowed")


def stowage_refusals(way: Way, play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapon = weapon_named(combatant, inputs)
    if weapon is not None and arms.is_body(combatant, weapon):
        yield Illegal("SOV-ITEM-01", "not-readied", "nobody carries that")
    else:
        yield from has_refusals(combatant, inputs, way.wanted)
    item = item_of(combatant, inputs.item)
    if item is not None:
        yield from load_refusals(play.combat, who, item, way.item_to)


@rule("SOV-ITEM-01", "A Main to ready or stow")
def stowage(way: Way, play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """A Main: out of the pack, or into it (SOV-ITEM-01)."""
    yield costs.spend(who, "main", "SOV-ITEM-01")
    yield from windows.declared(play, who, way.action)
    combatant = play.combat[who]
    weapon = weapon_named(combatant, inputs)
    if not (yield from costs.still(who, way.action, has_refusals(combatant, inputs, way.wanted))):
        return
    if weapon is not None:
        yield arms.put(combatant, {weapon.id: way.weapon_to}, "SOV-ITEM-01")
    elif inputs.item is not None:
        yield put_item(combatant, inputs.item, way.item_to, "SOV-ITEM-01")


READY_ITEM = costs.main(
    OUT.action, Thing, partial(stowage, OUT), "Ready an item", "SOV-ITEM-01",
    refusals=partial(stowage_refusals, OUT), candidates=thing_candidates,
).shown("use", "Ready[ {item}][ {weapon}]")  # fmt: skip

STOW_ITEM = costs.main(
    IN.action, Thing, partial(stowage, IN), "Stow an item", "SOV-ITEM-01",
    refusals=partial(stowage_refusals, IN), candidates=thing_candidates,
).shown("use", "Stow[ {item}][ {weapon}]")  # fmt: skip
