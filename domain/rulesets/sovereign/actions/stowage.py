"""ready-item, stow-item: between hand or belt and pack (SOV-ITEM-01)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.record.events import Stopped
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, paying, windows
from domain.rulesets.sovereign.items import (
    item_of,
    item_state,
    items,
    load_refusals,
    put_item,
)
from domain.rulesets.sovereign.sheet import Weapon


class Thing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`item` or `weapon`, by id."""

    item: str | None = None
    weapon: str | None = None


def weapon_named(one: Combatant, inputs: Thing) -> Weapon | None:
    """The weapon that is meant, whichever field names it."""
    return arms.weapon_of(one, inputs.weapon or inputs.item or "")


def where(one: Combatant, inputs: Thing) -> str | None:
    """Where the thing is; None = it has no such thing."""
    weapon = weapon_named(one, inputs)
    if weapon is not None:
        return arms.state(one, weapon)
    item = item_of(one, inputs.item)
    return None if item is None else item_state(one, item)


def has_refusals(one: Combatant, inputs: Thing, wanted: Sequence[str]) -> Iterator[Illegal]:
    now = where(one, inputs)
    if now not in wanted:
        what = inputs.weapon or inputs.item
        yield Illegal("SOV-ITEM-01", "not-readied", f"{what} is {now or 'not there'}")


def thing_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    for item in items(one):
        yield {"item": item.id}
    for weapon in arms.weapons(one):
        yield {"weapon": weapon.id}


def ready_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from moving_refusals(play, who, inputs, ("stowed",), "readied")


def stow_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from moving_refusals(play, who, inputs, ("readied", "in-hand", "sheathed"), "stowed")


def moving_refusals(
    play: Play, who: Id, inputs: Thing, wanted: Sequence[str], to: str
) -> Iterator[Illegal]:
    one = play.combat[who]
    yield from paying.main_turn_refusals(play.combat, who)
    weapon = weapon_named(one, inputs)
    if weapon is not None and arms.is_body(one, weapon):
        yield Illegal("SOV-ITEM-01", "not-readied", "nobody carries that")
    else:
        yield from has_refusals(one, inputs, wanted)
    item = item_of(one, inputs.item)
    if item is not None:
        yield from load_refusals(play.combat, who, item, to)


def ready_item(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """A Main: out of the pack (SOV-ITEM-01)."""
    yield from stowage(play, who, inputs, "ready-item", "sheathed", "readied")


def stow_item(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """A Main: into the pack (SOV-ITEM-01)."""
    yield from stowage(play, who, inputs, "stow-item", "stowed", "stowed")


def stowage(
    play: Play, who: Id, inputs: Thing, action: str, weapon_to: str, item_to: str
) -> Procedure[None]:
    yield paying.spend(who, "main", "SOV-ITEM-01")
    yield from windows.declared(play, who, action)
    one = play.combat[who]
    weapon = weapon_named(one, inputs)
    if where(one, inputs) == "dropped":
        detail = f"{inputs.weapon or inputs.item} is dropped"
        yield Stopped(who, action, "not-readied", detail, rules=("SOV-INST-07",))
        return
    if weapon is not None:
        yield arms.put(one, {weapon.id: weapon_to}, "SOV-ITEM-01")
    elif inputs.item is not None:
        yield put_item(one, inputs.item, item_to, "SOV-ITEM-01")


READY_ITEM = Action(
    "ready-item",
    Thing,
    ready_refusals,
    thing_candidates,
    "Ready an item",
    procedure=ready_item,
    cost="Main",
    rules=("SOV-ITEM-01",),
)

STOW_ITEM = Action(
    "stow-item",
    Thing,
    stow_refusals,
    thing_candidates,
    "Stow an item",
    procedure=stow_item,
    cost="Main",
    rules=("SOV-ITEM-01",),
)
