"""Carried things, and those that lie within reach (SOV-ITEM, SOV-STAND-01)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, FactSet
from domain.rulebook import grid
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
    SHIELD_DROPPED,
    Lying,
    lay,
)
from domain.rulesets.sovereign.numbers import options, sheet_of, shield
from domain.rulesets.sovereign.sheet import Item, Shield, Weapon


def items(one: Combatant) -> tuple[Item, ...]:
    """Return its own items, and those that it found."""
    return (*sheet_of(one).items, *FOUND_ITEMS.of(one))


def item_of(one: Combatant, id: str | None) -> Item | None:
    return next((item for item in items(one) if item.id == id), None)


def item_state(one: Combatant, item: Item) -> str:
    """readied, stowed or dropped."""
    return ITEMS.of(one).get(item.id, item.state)


def readied_with(one: Combatant, tag: str) -> bool:
    """Whether a readied item has this tag."""
    return any(tag in item.tags and item_state(one, item) == "readied" for item in items(one))


def readied_refusals(one: Combatant, id: str) -> Iterator[Illegal]:
    item = item_of(one, id)
    if item is None or item_state(one, item) != "readied":
        ready = [item.id for item in items(one) if item_state(one, item) == "readied"]
        yield Illegal("SOV-ITEM-01", "not-readied", f"{id} is not readied", ready)


def put_item(one: Combatant, id: str, where: str, rule: str) -> FactSet:
    return ITEMS.set(one.id, {**ITEMS.of(one), id: where}, rules=(rule,))


def lying(one: Combatant, item: Item, at: tuple[int, ...] | None) -> Lying:
    """An item as it lies there."""
    return Lying(item.id, one.id, item.name, at, item=item)


SHIELD = "shield"
"""The id of a dropped shield, and of one on the ground."""


def shield_named(one: Combatant, id: str | None) -> Shield | None:
    """The shield in use, if that is meant."""
    return shield(one) if id == SHIELD and item_of(one, id) is None else None


def shield_dropped(
    combat: Combat, one: Combatant, guard: Shield, rule: str
) -> tuple[AnyEvent, ...]:
    """The shield falls where its bearer stands; to others it is a thing like any."""
    thing = Item(id=SHIELD, name=guard.name, tags=("shield",))
    return (
        SHIELD_DROPPED.set(one.id, True, rules=(rule,)),
        lay(combat, lying(one, thing, one.position), rule=rule),
    )


def is_its_shield(one: Combatant, item: Item) -> bool:
    """Whether that is the shield that it has dropped."""
    mine = sheet_of(one).shield
    return (
        "shield" in item.tags
        and mine is not None
        and mine.name == item.name
        and SHIELD_DROPPED.of(one)
    )


def load_refusals(combat: Combat, who: Id, item: Item, to: str) -> Iterator[Illegal]:
    """With `enforce_encumbrance`: readied half of Strength, stowed all of it (SOV-ITEM-01)."""
    one = combat[who]
    scores = sheet_of(one).attributes
    if not options(combat).enforce_encumbrance or scores is None or scores.strength is None:
        return
    limit = scores.strength // 2 if to == "readied" else scores.strength
    load = sum(other.enc for other in items(one) if item_state(one, other) == to)
    if load + item.enc > limit:
        yield Illegal("SOV-ITEM-01", "hands-full", f"{to}: {load + item.enc} of {limit}")


# ---- what lies there


def within_reach(combat: Combat, who: Id) -> list[Lying]:
    """Return the things within 5 ft, the own ones first (SOV-ITEM-03)."""
    one = combat[who]
    if one.position is None:
        return []
    here, size = one.position, board.space(one)
    near = [
        thing
        for thing in GROUND.of(combat)
        if (at := board.square_of(thing.at)) is not None and grid.distance(here, at, size) <= 1
    ]
    return sorted(near, key=lambda thing: thing.of != who)


def thing_refusals(combat: Combat, who: Id, id: str, rule: str) -> Iterator[Illegal]:
    """It lies within 5 ft, and can be carried as well."""
    near = within_reach(combat, who)
    found = next((thing for thing in near if thing.id == id), None)
    if found is None:
        detail = f"{id} does not lie within 5 ft"
        yield Illegal(rule, "nothing-to-pick-up", detail, [thing.id for thing in near])
    elif found.item is not None:
        yield from load_refusals(combat, who, found.item, "readied")


def take_up(play: Play, who: Id, ids: Sequence[str], rule: str) -> Procedure[None]:
    """Things from the ground into the hand."""
    for id in ids:
        found = next((one for one in within_reach(play.combat, who) if one.id == id), None)
        if found is None or next(thing_refusals(play.combat, who, id, rule), None) is not None:
            continue
        left = list(GROUND.of(play.combat))
        left.remove(found)
        yield GROUND.set(tuple(left), rules=(rule,)) if left else GROUND.clear(rules=(rule,))
        if found.weapon is not None:
            yield from take_weapon(play, who, found, rule)
        elif found.item is not None and is_its_shield(play.combat[who], found.item):
            yield from take_shield(play.combat[who], rule)
        elif found.item is not None:
            yield from take_item(play.combat[who], found, rule)


def take_weapon(play: Play, who: Id, found: Lying, rule: str) -> Procedure[None]:
    """Take the own weapon in hand again, or keep a foreign one beside it."""
    one, id = play.combat[who], found.id
    mine = arms.weapon_of(one, id)
    if mine is not None and not is_own(play.combat, one, found, mine):
        mine, id = None, unused(id, [weapon.id for weapon in arms.weapons(one)])
    assert found.weapon is not None
    if mine is None:
        other = replace(found.weapon, id=id, state=None)
        yield FOUND.set(who, (*FOUND.of(one), other), rules=(rule,))
        yield arms.put(one, {id: "sheathed"}, rule)
    else:
        gone = arms.state(one, mine) == "dropped"
        pieces = 0 if gone else arms.count(one, mine)
        if mine.kind == "thrown" or id in COUNTS.of(one):
            pieces += found.weapon.count
            yield COUNTS.set(who, {**COUNTS.of(one), id: pieces}, rules=(rule,))
        if gone:
            yield arms.put(one, {id: "sheathed"}, rule)
    one = play.combat[who]
    weapon = arms.weapon_of(one, id)
    if weapon is None or next(arms.ready_refusals(one, weapon), None) is not None:
        return
    if arms.state(one, weapon) == "sheathed":
        yield arms.drawn(one, weapon)


def is_own(combat: Combat, one: Combatant, found: Lying, mine: Weapon) -> bool:
    """Whether what lay there is a piece of its own weapon; a thrown one is like the others."""
    if mine.kind == "thrown" or found.of == one.id:
        return True
    elsewhere = any((thing.id, thing.of) == (mine.id, one.id) for thing in GROUND.of(combat))
    return arms.state(one, mine) == "dropped" and not elsewhere


def take_shield(one: Combatant, rule: str) -> Iterator[AnyEvent]:
    """On the arm again; weapons for which no hand is left are sheathed."""
    yield SHIELD_DROPPED.clear(one.id, rules=(rule,))
    now = arms.sheathed_for(one, 1)
    if now:
        yield arms.put(one, now, rule)


def take_item(one: Combatant, found: Lying, rule: str) -> Iterator[AnyEvent]:
    mine, id = item_of(one, found.id), found.id
    if mine is not None and item_state(one, mine) != "dropped":
        mine, id = None, unused(id, [item.id for item in items(one)])
    if mine is None:
        assert found.item is not None
        other = replace(found.item, id=id, state="readied")
        yield FOUND_ITEMS.set(one.id, (*FOUND_ITEMS.of(one), other), rules=(rule,))
    yield put_item(one, id, "readied", rule)
