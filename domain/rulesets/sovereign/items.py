"""Carried things: readied, stowed, dropped, drawn, picked up (SOV-ITEM, SOV-STAND-01)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, typed
from domain.record.events import ConditionLost, FactSet
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, board, opportunity, paying, windows
from domain.rulesets.sovereign.numbers import able, sheet_of, shield
from domain.rulesets.sovereign.sheet import Item


class Thing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`item` or `weapon`, by id."""

    item: str | None = None
    weapon: str | None = None


class Wield(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One or two weapons."""

    weapons: list[str]


class PickUp(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: str
    pay: paying.Pay = "move"


# ---- items


def items(one: Combatant) -> tuple[Item, ...]:
    """Its own, and what it found."""
    return (*sheet_of(one).items, *(typed(raw, Item) for raw in one.facts.get("found_items", [])))


def item_of(one: Combatant, id: str | None) -> Item | None:
    return next((item for item in items(one) if item.id == id), None)


def item_state(one: Combatant, item: Item) -> str:
    """readied, stowed or dropped."""
    now: Mapping[str, str] = one.facts.get("items", {})
    return now.get(item.id, item.state)


def readied_with(one: Combatant, tag: str) -> bool:
    """Whether a readied item has this tag."""
    return any(tag in item.tags and item_state(one, item) == "readied" for item in items(one))


def readied_refusals(one: Combatant, id: str) -> Iterator[Illegal]:
    item = item_of(one, id)
    if item is None or item_state(one, item) != "readied":
        ready = [item.id for item in items(one) if item_state(one, item) == "readied"]
        yield Illegal("SOV-ITEM-01", "not-readied", f"{id} is not readied", ready)


def put_item(one: Combatant, id: str, where: str, rule: str) -> FactSet:
    return FactSet(one.id, "items", {**one.facts.get("items", {}), id: where}, rules=(rule,))


# ---- ready-item, stow-item


def where(one: Combatant, inputs: Thing) -> str | None:
    """Where the thing is; None = it has no such thing."""
    weapon = arms.weapon_of(one, inputs.weapon or inputs.item or "")
    if weapon is not None:
        return arms.state(one, weapon)
    item = item_of(one, inputs.item)
    return None if item is None else item_state(one, item)


def main_refusals(play: Play, who: Id, inputs: Thing, wanted: Sequence[str]) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.main_refusals(play.combat, who)
    yield from has_refusals(play.combat[who], inputs, wanted)


def has_refusals(one: Combatant, inputs: Thing, wanted: Sequence[str]) -> Iterator[Illegal]:
    now = where(one, inputs)
    if now not in wanted:
        what = inputs.weapon or inputs.item
        yield Illegal("SOV-ITEM-01", "not-readied", f"{what} is {now or 'not there'}")


def ready_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from main_refusals(play, who, inputs, ("stowed",))
    item = item_of(play.combat[who], inputs.item)
    if item is not None:
        yield from load_refusals(play.combat, who, item, "readied")


def stow_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from main_refusals(play, who, inputs, ("readied", "in-hand", "sheathed"))
    item = item_of(play.combat[who], inputs.item)
    if item is not None:
        yield from load_refusals(play.combat, who, item, "stowed")


def load_refusals(combat: Combat, who: Id, item: Item, to: str) -> Iterator[Illegal]:
    """With `enforce_encumbrance`: readied half of Strength, stowed all of it (SOV-ITEM-01)."""
    one = combat[who]
    scores = sheet_of(one).attributes
    if not combat.options.get("enforce_encumbrance") or scores is None or scores.strength is None:
        return
    limit = scores.strength // 2 if to == "readied" else scores.strength
    load = sum(other.enc for other in items(one) if item_state(one, other) == to)
    if load + item.enc > limit:
        yield Illegal("SOV-ITEM-01", "hands-full", f"{to}: {load + item.enc} of {limit}")


def thing_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    for item in items(one):
        yield {"item": item.id}
    for weapon in arms.weapons(one):
        yield {"weapon": weapon.id}


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
    if not able(play.combat, who):
        return
    weapon = arms.weapon_of(play.combat[who], inputs.weapon or inputs.item or "")
    if weapon is not None:
        yield from arms.put(play, who, weapon.id, weapon_to, "SOV-ITEM-01")
    elif inputs.item is not None:
        yield put_item(play.combat[who], inputs.item, item_to, "SOV-ITEM-01")


# ---- draw, sheathe, drop-item: no action


def draw_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    one = play.combat[who]
    weapon = arms.weapon_of(one, inputs.weapon or inputs.item or "")
    if weapon is None or arms.state(one, weapon) != "sheathed":
        yield from has_refusals(one, inputs, ("sheathed",))
    else:
        yield from arms.ready_refusals(one, weapon)


def sheathe_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    one = play.combat[who]
    weapon = arms.weapon_of(one, inputs.weapon or inputs.item or "")
    if weapon is None or weapon.natural or arms.state(one, weapon) != "in-hand":
        yield Illegal("SOV-ITEM-02", "not-readied", "that is no weapon in hand")


def drop_refusals(play: Play, who: Id, inputs: Thing) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    one = play.combat[who]
    weapon = arms.weapon_of(one, inputs.weapon or inputs.item or "")
    if weapon is not None and (weapon.natural or arms.is_unarmed(one, weapon)):
        yield Illegal("SOV-ITEM-02", "not-readied", "nobody drops that")
    else:
        yield from has_refusals(one, inputs, ("readied", "in-hand", "sheathed"))


def draw(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """No action; the GM may find one swap too many (SOV-ITEM-02)."""
    weapon = arms.weapon_of(play.combat[who], inputs.weapon or inputs.item or "")
    if weapon is not None and (yield from paying.plausible(play, who, "swaps")):
        yield from arms.draw(play, who, weapon)


def sheathe(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """No action (SOV-ITEM-02)."""
    weapon = arms.weapon_of(play.combat[who], inputs.weapon or inputs.item or "")
    if weapon is not None and (yield from paying.plausible(play, who, "swaps")):
        yield from arms.put(play, who, weapon.id, "sheathed", "SOV-ITEM-02")


def drop_item(play: Play, who: Id, inputs: Thing) -> Procedure[None]:
    """It falls where the combatant stands."""
    one = play.combat[who]
    weapon = arms.weapon_of(one, inputs.weapon or inputs.item or "")
    if weapon is not None:
        yield from arms.drop(play, who, weapon, "SOV-ITEM-02")
        return
    item = item_of(one, inputs.item)
    assert item is not None, "the refusals know the item"
    at = None if one.position is None else list(one.position)
    yield put_item(one, item.id, "dropped", "SOV-ITEM-02")
    yield FactSet(
        None, "ground", [*arms.ground(play.combat), lying(one, item, at)], rules=("SOV-ITEM-02",)
    )


def lying(one: Combatant, item: Item, at: list[int] | None) -> arms.Lying:
    """An item as it lies there."""
    raws = [*one.sheet.get("items", []), *one.facts.get("found_items", [])]
    raw = next(raw for raw in raws if raw["id"] == item.id)
    return {"id": item.id, "of": one.id, "name": item.name, "at": at, "item": raw}


# ---- wield


def wield_refusals(play: Play, who: Id, inputs: Wield) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    one = play.combat[who]
    found = [arms.weapon_of(one, id) for id in inputs.weapons]
    both = [weapon for weapon in found if weapon is not None]
    if len(both) != len(inputs.weapons) or len({*inputs.weapons}) not in (1, 2):
        yield Illegal("SOV-DUAL-01", "missing-data", "one or two weapons that it has")
        return
    for weapon in both:
        yield from arms.ready_refusals(one, weapon)
    if len(both) != 2:
        return
    if sum(arms.hands(weapon) for weapon in both) + (1 if shield(one) else 0) > arms.HANDS:
        yield Illegal("SOV-DUAL-01", "hands-full", "two hands are not enough for both")
    if not arms.may_dual_wield(one, (both[0], both[1])):
        detail = f"{one.name} needs level 1 in the skill of each weapon"
        yield Illegal("SOV-DUAL-01", "dual-wield-untrained", detail)


def wield_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    ids = [weapon.id for weapon in arms.weapons(play.combat[who]) if not weapon.natural]
    for index, first in enumerate(ids):
        for second in ids[index + 1 :]:
            yield {"weapons": [first, second]}
    for first in ids:
        yield {"weapons": [first]}


def wield(play: Play, who: Id, inputs: Wield) -> Procedure[None]:
    """One weapon, or two at once (SOV-DUAL-01)."""
    if not (yield from paying.plausible(play, who, "swaps")):
        return
    one = play.combat[who]
    now = dict(one.facts.get("weapons", {}))
    for weapon in arms.in_hand(one):
        if arms.hands(weapon):
            now[weapon.id] = "sheathed"
    for id in inputs.weapons:
        now[id] = "in-hand"
    yield FactSet(who, "weapons", now, rules=("SOV-DUAL-01",))
    if len(inputs.weapons) == 2:
        yield arms.wield(who, (inputs.weapons[0], inputs.weapons[1]))
    elif one.has("dual-wielding"):
        yield ConditionLost(who, "dual-wielding", reason="one put away", rules=("SOV-DUAL-01",))


# ---- picking up


def within_reach(combat: Combat, who: Id) -> list[arms.Lying]:
    """What lies within 5 ft, the own things first (SOV-ITEM-03)."""
    one = combat[who]
    if one.position is None:
        return []
    here, size = one.position, board.space(one)
    near = [
        thing
        for thing in arms.ground(combat)
        if (at := board.square_of(thing.get("at"))) is not None
        and grid.distance(here, at, size) <= 1
    ]
    return sorted(near, key=lambda thing: thing.get("of") != who)


def pick_up_refusals(play: Play, who: Id, inputs: PickUp) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.move_refusals(play.combat, who, inputs.pay)
    near = [str(thing["id"]) for thing in within_reach(play.combat, who)]
    if inputs.item not in near:
        detail = f"{inputs.item} does not lie within 5 ft"
        yield Illegal("SOV-ITEM-03", "nothing-to-pick-up", detail, near)


def pick_up_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for thing in within_reach(play.combat, who):
        yield {"item": thing["id"]}


def pick_up(play: Play, who: Id, inputs: PickUp) -> Procedure[None]:
    """A Move that draws; the thing is in hand afterwards (SOV-ITEM-03)."""
    yield paying.pay_move(who, inputs.pay, "SOV-ITEM-03")
    yield from windows.declared(play, who, "pick-up")
    if able(play.combat, who):
        yield from opportunity.from_adjacent(play, who, "pick-up")
    if able(play.combat, who):
        yield from take_up(play, who, [inputs.item], "SOV-ITEM-03")


def take_up(play: Play, who: Id, ids: Sequence[str], rule: str) -> Procedure[None]:
    """Things from the ground into the hand."""
    for id in ids:
        found = next((one for one in within_reach(play.combat, who) if one["id"] == id), None)
        if found is None:
            continue
        left = list(arms.ground(play.combat))
        left.remove(found)
        yield FactSet(None, "ground", left or None, rules=(rule,))
        if found.get("weapon") is not None:
            yield from take_weapon(play, who, found, rule)
        elif found.get("item") is not None:
            yield from take_item(play, who, found, rule)


def take_weapon(play: Play, who: Id, found: arms.Lying, rule: str) -> Procedure[None]:
    """The own one is in hand again; somebody else's is kept beside it."""
    one = play.combat[who]
    id = str(found["id"])
    mine = arms.weapon_of(one, id)
    if mine is None:
        raw: dict[str, Any] = {**found["weapon"], "state": None, "count": 1}
        yield FactSet(who, "found", [*one.facts.get("found", []), raw], rules=(rule,))
        yield from arms.put(play, who, id, "sheathed", rule)
    else:
        pieces = arms.count(one, mine) if arms.state(one, mine) != "dropped" else 0
        counts = {**one.facts.get("counts", {}), id: pieces + 1}
        if mine.kind == "thrown" or id in one.facts.get("counts", {}):
            yield FactSet(who, "counts", counts, rules=(rule,))
        if arms.state(one, mine) == "dropped":
            yield from arms.put(play, who, id, "sheathed", rule)
    weapon = arms.weapon_of(play.combat[who], id)
    if weapon is not None and next(arms.ready_refusals(play.combat[who], weapon), None) is None:
        yield from arms.draw(play, who, weapon)


def take_item(play: Play, who: Id, found: arms.Lying, rule: str) -> Procedure[None]:
    one = play.combat[who]
    if item_of(one, str(found["id"])) is None:
        raw: dict[str, Any] = {**found["item"], "state": "readied"}
        yield FactSet(who, "found_items", [*one.facts.get("found_items", []), raw], rules=(rule,))
    yield put_item(play.combat[who], str(found["id"]), "readied", rule)
