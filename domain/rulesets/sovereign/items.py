"""Find carried things, and take things from the ground (SOV-ITEM, SOV-STAND-01)."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, FactSet
from domain.rulebook import grid
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.sheets import unused
from domain.rulesets.sovereign import arms, board
from domain.rulesets.sovereign.facts import (
    COUNTS,
    FOUND,
    FOUND_ITEMS,
    GROUND,
    ITEMS,
    LOADED,
    SHIELD_DROPPED,
    Lying,
    lay,
)
from domain.rulesets.sovereign.numbers import able, level, options, sheet_of, shield
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Item, Shield, Weapon


def items(combatant: Combatant) -> tuple[Item, ...]:
    """Return the items of the sheet and the items that the combatant found."""
    return (*sheet_of(combatant).items, *FOUND_ITEMS.of(combatant))


def item_of(combatant: Combatant, id: str | None) -> Item | None:
    return next((item for item in items(combatant) if item.id == id), None)


def item_state(combatant: Combatant, item: Item) -> str:
    """Return the state of an item: readied, stowed or dropped."""
    return ITEMS.of(combatant).get(item.id, item.state)


def readied_with(combatant: Combatant, tag: str) -> bool:
    """Return true if a readied item has this tag."""
    return any(
        tag in item.tags and item_state(combatant, item) == "readied" for item in items(combatant)
    )


def readied_refusals(combatant: Combatant, id: str) -> Iterator[Illegal]:
    item = item_of(combatant, id)
    if item is None or item_state(combatant, item) != "readied":
        ready = [item.id for item in items(combatant) if item_state(combatant, item) == "readied"]
        yield refuse("SOV-ITEM-01", "not-readied", f"{id} is not readied", "item", ready)


def put_item(combatant: Combatant, id: str, where: str, rule: str) -> FactSet:
    return ITEMS.set(combatant.id, {**ITEMS.of(combatant), id: where}, rules=(rule,))


def lying(combatant: Combatant, item: Item, at: tuple[int, ...] | None) -> Lying:
    """Return the item as a thing on the ground."""
    return Lying(item.id, combatant.id, item.name, at, item=item)


SHIELD = "shield"
"""The id of a dropped shield."""


def shield_named(combatant: Combatant, id: str | None) -> Shield | None:
    """Return the shield in use if `id` names it, else `None`."""
    return shield(combatant) if id == SHIELD and item_of(combatant, id) is None else None


def shield_dropped(
    combat: Combat, combatant: Combatant, guard: Shield, rule: str
) -> tuple[AnyEvent, ...]:
    """Return the events that drop a shield where its bearer stands.

    On the ground, the shield is an item that other combatants can use.
    """
    thing = Item(id=SHIELD, name=guard.name, tags=("shield",))
    return (
        SHIELD_DROPPED.set(combatant.id, True, rules=(rule,)),
        lay(combat, lying(combatant, thing, combatant.position), rule=rule),
    )


def is_its_shield(combatant: Combatant, item: Item) -> bool:
    """Return true if the item is the shield that the combatant dropped."""
    shield = sheet_of(combatant).shield
    return (
        "shield" in item.tags
        and shield is not None
        and shield.name == item.name
        and SHIELD_DROPPED.of(combatant)
    )


def load_refusals(
    combat: Combat, who: Id, item: Item, to: str, field: str = "item"
) -> Iterator[Illegal]:
    """Refuse a load that is too heavy, if `enforce_encumbrance` is set (SOV-ITEM-01).

    The limit is half of Strength for readied items, and the full Strength for stowed items.
    """
    combatant = combat[who]
    scores = sheet_of(combatant).attributes
    if not options(combat).enforce_encumbrance or scores is None or scores.strength is None:
        return
    limit = scores.strength // 2 if to == "readied" else scores.strength
    load = sum(other.enc for other in items(combatant) if item_state(combatant, other) == to)
    if load + item.enc > limit:
        detail = f"{to}: {load + item.enc} of {limit}"
        yield refuse("SOV-ITEM-01", "hands-full", detail, field)


# ---- things on the ground


def within_reach(combat: Combat, who: Id) -> list[Lying]:
    """Return the things within 5 ft, the combatant's own first (SOV-ITEM-03)."""
    combatant = combat[who]
    if combatant.position is None:
        return []
    here, size = combatant.position, board.space(combatant)
    near = [
        thing
        for thing in GROUND.of(combat)
        if (at := grid.square(thing.at)) is not None and grid.distance(here, at, size) <= 1
    ]
    return sorted(near, key=lambda thing: thing.of != who)


def thing_refusals(
    combat: Combat, who: Id, id: str, rule: str, field: str = "item"
) -> Iterator[Illegal]:
    """Refuse a thing that is more than 5 ft away or that the combatant cannot carry."""
    near = within_reach(combat, who)
    lying = next((thing for thing in near if thing.id == id), None)
    if lying is None:
        detail = f"{id} does not lie within 5 ft"
        ids = [thing.id for thing in near]
        yield refuse(rule, "nothing-to-pick-up", detail, field, ids)
    elif lying.item is not None:
        yield from load_refusals(combat, who, lying.item, "readied", field)


def take_up(play: Play, who: Id, ids: Sequence[str], rule: str) -> Procedure[None]:
    """Take things from the ground into the hand."""
    for id in ids:
        lying = next((thing for thing in within_reach(play.combat, who) if thing.id == id), None)
        if lying is None or next(thing_refusals(play.combat, who, id, rule), None) is not None:
            continue
        left = list(GROUND.of(play.combat))
        left.remove(lying)
        yield GROUND.set(tuple(left), rules=(rule,)) if left else GROUND.clear(rules=(rule,))
        if lying.weapon is not None:
            yield from take_weapon(play, who, lying, rule)
        elif lying.item is not None and is_its_shield(play.combat[who], lying.item):
            yield from take_shield(play.combat[who], rule)
        elif lying.item is not None:
            yield from take_item(play.combat[who], lying, rule)


def take_weapon(play: Play, who: Id, lying: Lying, rule: str) -> Procedure[None]:
    """Take back the combatant's own weapon, or add a found weapon to its weapons."""
    combatant, id = play.combat[who], lying.id
    own = arms.weapon_of(combatant, id)
    if own is not None and not is_own(play.combat, combatant, lying, own):
        own, id = None, unused(id, [weapon.id for weapon in arms.weapons(combatant)])
    assert lying.weapon is not None
    if own is None:
        other = replace(lying.weapon, id=id, state=None)
        yield FOUND.set(who, (*FOUND.of(combatant), other), rules=(rule,))
        yield arms.put(combatant, {id: "sheathed"}, rule)
    else:
        gone = arms.state(combatant, own) == "dropped"
        pieces = 0 if gone else arms.count(combatant, own)
        if own.kind == "thrown" or id in COUNTS.of(combatant):
            pieces += lying.weapon.count
            yield COUNTS.set(who, {**COUNTS.of(combatant), id: pieces}, rules=(rule,))
        if gone:
            yield arms.put(combatant, {id: "sheathed"}, rule)
    combatant = play.combat[who]
    weapon = arms.weapon_of(combatant, id)
    if weapon is None or next(arms.ready_refusals(combatant, weapon), None) is not None:
        return
    if arms.state(combatant, weapon) == "sheathed":
        yield arms.drawn(combatant, weapon)


def is_own(combat: Combat, combatant: Combatant, lying: Lying, weapon: Weapon) -> bool:
    """Return true if the thing is the combatant's own weapon, or an equal throwing weapon."""
    if weapon.kind == "thrown" or lying.of == combatant.id:
        return True
    elsewhere = any(
        (thing.id, thing.of) == (weapon.id, combatant.id) for thing in GROUND.of(combat)
    )
    return arms.state(combatant, weapon) == "dropped" and not elsewhere


def take_shield(combatant: Combatant, rule: str) -> Iterator[AnyEvent]:
    """Take the shield in hand again, and sheathe the weapons for which no hand is left."""
    yield SHIELD_DROPPED.clear(combatant.id, rules=(rule,))
    now = arms.sheathed_for(combatant, 1)
    if now:
        yield arms.put(combatant, now, rule)


def take_item(combatant: Combatant, lying: Lying, rule: str) -> Iterator[AnyEvent]:
    own, id = item_of(combatant, lying.id), lying.id
    if own is not None and item_state(combatant, own) != "dropped":
        own, id = None, unused(id, [item.id for item in items(combatant)])
    if own is None:
        assert lying.item is not None
        other = replace(lying.item, id=id, state="readied")
        yield FOUND_ITEMS.set(combatant.id, (*FOUND_ITEMS.of(combatant), other), rules=(rule,))
    yield put_item(combatant, id, "readied", rule)


# ---- loading bows and crossbows (SOV-RLD)


@rule("SOV-RLD-03", "Below Shoot 1, loading costs a Move for a bow and a Main for a crossbow")
def loading_price(combatant: Combatant, weapon: Weapon) -> Literal["free", "move", "main"]:
    """Return the cost of loading the weapon (SOV-RLD-03).

    Loading is free with Shoot 1 or without skills. Otherwise it costs a Move for a bow and a Main
    for a crossbow.
    """
    skill = level(combatant, "shoot")
    if skill is None or skill >= 1:
        return "free"
    return "move" if weapon.kind == "bow" else "main"


@rule("SOV-RLD-04", "Loading needs a readied quiver")
def has_quiver(combatant: Combatant) -> bool:
    """Return true if a quiver is readied, or the sheet lists none (SOV-RLD-04)."""
    listed = any("quiver" in item.tags for item in sheet_of(combatant).items)
    return not listed or readied_with(combatant, "quiver")


def load(combatant: Combatant, weapons: dict[str, bool], rule: str) -> FactSet:
    return LOADED.set(combatant.id, {**LOADED.of(combatant), **weapons}, rules=(rule,))


@rule("SOV-RLD-01", "A shot unloads the weapon, and an unloaded weapon cannot shoot")
def shot(combat: Combat, combatant: Combatant, weapon: Weapon) -> Iterator[AnyEvent]:
    """Unload the weapon, and reload it if this is the combatant's turn and loading is free.

    SOV-RLD-01, SOV-RLD-02.
    """
    yield load(combatant, {weapon.id: False}, "SOV-RLD-01")
    if combatant.id in combat.acting and reloads(combat, combatant, weapon):
        yield load(combatant, {weapon.id: True}, "SOV-RLD-02")


@rule("SOV-RLD-02", "With Shoot 1, loading is free and automatic")
def load_by_itself(combat: Combat, combatant: Combatant) -> Iterator[AnyEvent]:
    """Load the weapons in hand at the start of the combatant's turn (SOV-RLD-02)."""
    full = {
        weapon.id: True
        for weapon in arms.weapons(combatant)
        if not arms.loaded(combatant, weapon) and reloads(combat, combatant, weapon)
    }
    if full:
        yield load(combatant, full, "SOV-RLD-02")


def reloads(combat: Combat, combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the combatant has the weapon in hand and can load it as a Free Action."""
    ready = arms.is_bow(weapon) and arms.held(combatant, weapon) and has_quiver(combatant)
    return ready and able(combat, combatant.id) and loading_price(combatant, weapon) == "free"
