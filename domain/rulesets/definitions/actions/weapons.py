"""The actions `draw-weapon`, `ready-item` and `stow-item` (DEF-WLD-05, DEF-MOV-05)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms
from domain.rulesets.definitions.costs import HeldName, Paid, WeaponName, in_charge
from domain.rulesets.definitions.deed import Kind
from domain.rulesets.definitions.deeds import MOVE, PROVOKING, Attempt, Price, priced
from domain.rulesets.definitions.facts import FREE_USED, SLOTS, Slots
from domain.rulesets.definitions.manoeuvre import not_pinned
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import in_offhand
from domain.rulesets.definitions.states import sheet_of


class Draw(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a draw. If `swap` is true, the same action stows the thing in hand."""

    weapon: WeaponName
    swap: bool = False


class Ready(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that put a shield or focus into a slot. `item` is its id."""

    item: HeldName
    slot: Literal["primary", "offhand"] = "offhand"
    swap: bool = False


class Stow(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: HeldName


# ---- draw-weapon


def draw_kind(combat: Combat, who: Id, inputs: Draw) -> Kind:
    """Return the cost: swift for a swap in a charge (DEF-CHG-08), otherwise a move."""
    swaps = inputs.swap and inputs.pay in (None, "swift")
    return "swift" if in_charge(combat[who]) and swaps else "move"


def can_draw(act: Act[Draw]) -> Iterator[Illegal]:
    """Refuse a weapon that the combatant cannot draw, or a full hand."""
    return draw_refusals(act.actor, act.inputs.weapon, swap=act.inputs.swap)


@rule("DEF-WLD-06", "Only one weapon is ready at a time, but natural weapons always are")
def draw_refusals(
    combatant: Combatant, id: str, *, swap: bool, field: str = "weapon", instead: str = "swap"
) -> Iterator[Illegal]:
    """Refuse a weapon that the combatant cannot draw, or a full primary slot without a swap.

    DEF-WLD-05, DEF-WLD-06. `instead` is the field that the refusal of a full slot names.
    """
    weapon = arms.weapon(combatant, id)
    held = arms.slots(combatant).primary
    if weapon is None or weapon.kind == "natural":
        known = [weapon.id for weapon in arms.weapons(combatant) if weapon.kind != "natural"]
        detail = f"{combatant.name} has no weapon {id!r}"
        yield refuse("DEF-MOV-05", "no-such-item", detail, field, known)
    elif held == id:
        yield refuse("DEF-WLD-05", "already-ready", f"{weapon.name} is in hand already", field)
    elif held is not None and not swap:
        if arms.weapon(combatant, held) is not None:
            detail = f"{combatant.name} holds {held!r}: no two weapons at once"
            yield refuse("DEF-WLD-06", "no-dual-wield", detail, instead, ("swap: true",))
        else:
            detail = f"the primary slot holds {held!r}"
            yield refuse("DEF-WLD-05", "slots-full", detail, instead, ("swap: true",))


def draw_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each weapon, with and without a swap, for each payment."""
    for weapon in arms.weapons(play.combat[who]):
        for swap in (False, True):
            yield {"weapon": weapon.id, "swap": swap}
            yield {"weapon": weapon.id, "swap": swap, "pay": "standard"}


@priced(
    "draw-weapon", "Draw a weapon", Draw,
    Price(draw_kind, "move; free while moving; swift in a charge"), PROVOKING,
    category="use", headline="Draw {weapon}",
    rules={"DEF-MOV-05": "Drawing a weapon without moving is a move action"},
    also=("DEF-WLD-05", "DEF-WLD-06"),
    refusals=(not_pinned, can_draw),
    propose=draw_candidates,
)  # fmt: skip
def draw_weapon(act: Attempt[Draw]) -> Procedure[None]:
    """Draw the weapon into the primary slot (DEF-WLD-02)."""
    now = replace(arms.slots(act.actor), primary=act.inputs.weapon)
    yield SLOTS.set(act.who, now, rules=("DEF-MOV-05", "DEF-WLD-02"))


# ---- ready-item


@rule("DEF-WLD-02", "A weapon goes into the primary slot only")
@rule("DEF-WLD-03", "Shields and foci go into either slot")
@rule("DEF-WLD-05", "An action readies or stows one thing. A full slot needs a swap")
def can_ready(act: Act[Ready]) -> Iterator[Illegal]:
    """Refuse a thing that is no shield or focus, or a full slot without a swap."""
    combatant, inputs = act.actor, act.inputs
    if arms.weapon(combatant, inputs.item) is not None:
        detail = f"{inputs.item!r} is a weapon: draw it"
        yield refuse("DEF-WLD-02", "weapon-primary-only", detail, "item", ("draw-weapon",))
        return
    known = [thing.id for thing in in_offhand(sheet_of(combatant))]
    if inputs.item not in known:
        detail = f"no shield or focus {inputs.item!r}"
        yield refuse("DEF-WLD-05", "no-such-item", detail, "item", known)
        return
    held = arms.slots(combatant)
    there = held.primary if inputs.slot == "primary" else held.offhand
    if there == inputs.item:
        yield refuse("DEF-WLD-05", "already-ready", f"{inputs.item!r} is in that slot", "item")
    elif there is not None and not inputs.swap:
        detail = f"the slot holds {there!r}"
        yield refuse("DEF-WLD-05", "slots-full", detail, "swap", ("swap: true",))


def ready_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each thing in each slot, with and without a swap."""
    for thing in in_offhand(sheet_of(play.combat[who])):
        for slot in ("offhand", "primary"):
            yield {"item": thing.id, "slot": slot}
            yield {"item": thing.id, "slot": slot, "swap": True}


@priced(
    "ready-item", "Ready a shield or focus", Ready, MOVE, PROVOKING, under="DEF-WLD-05",
    category="use", headline="Ready {item}", essential=("item",),
    rules={},
    also=("DEF-WLD-03",),
    refusals=(not_pinned, can_ready),
    propose=ready_candidates,
)  # fmt: skip
def ready_item(act: Attempt[Ready]) -> Procedure[None]:
    """Put the item into the slot, in place of the thing there.

    If the item was in the other slot, that slot becomes empty.
    """
    now = emptied(arms.slots(act.actor), act.inputs.item)
    now = replace(now, **{act.inputs.slot: act.inputs.item})
    yield SLOTS.set(act.who, now, rules=("DEF-WLD-03", "DEF-WLD-04", "DEF-WLD-05"))


def emptied(held: Slots, id: str) -> Slots:
    """Return the slots without the thing."""
    return Slots(
        primary=None if held.primary == id else held.primary,
        offhand=None if held.offhand == id else held.offhand,
    )


# ---- stow-item


def can_stow(act: Act[Stow]) -> Iterator[Illegal]:
    """Refuse a thing that is in no slot."""
    return stow_refusals(act.actor, act.inputs.item, "item")


def stow_refusals(combatant: Combatant, id: str, field: str) -> Iterator[Illegal]:
    """Refuse a thing that is in no slot."""
    known = in_slots(combatant)
    if id not in known:
        yield refuse("DEF-WLD-05", "not-wielded", f"{id!r} is in no slot", field, known)


def in_slots(combatant: Combatant) -> list[str]:
    """Return the ids of the things in both slots."""
    held = arms.slots(combatant)
    return [id for id in (held.primary, held.offhand) if id is not None]


def stow_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose the thing in each slot."""
    for id in (*in_slots(play.combat[who]), "nothing"):
        yield {"item": id}


@priced(
    "stow-item", "Put something away", Stow, Price("move", "move; a weapon while moving: free"),
    PROVOKING, under="DEF-WLD-05",
    category="use", headline="Put {item} away", essential=("item",),
    rules={},
    also=("DEF-MOV-05",),
    refusals=(not_pinned, can_stow),
    propose=stow_candidates,
)  # fmt: skip
def stow_item(act: Attempt[Stow]) -> Procedure[None]:
    """Remove the thing from its slot."""
    now = emptied(arms.slots(act.actor), act.inputs.item)
    yield SLOTS.set(act.who, now, rules=("DEF-WLD-05",))


# ---- free, as part of a move (DEF-FRE-05)


def exchange_refusals(
    combatant: Combatant, draw: str | None, stow: str | None
) -> Iterator[Illegal]:
    """Refuse weapons that the combatant cannot draw or stow while it moves.

    In a turn, the combatant can draw one weapon and stow one weapon for free.
    """
    used = FREE_USED.of(combatant)
    for named, action, field in ((draw, "draw-weapon", "draw"), (stow, "stow-item", "stow")):
        if named is not None and action in used:
            yield refuse(
                "DEF-FRE-01", "free-action-repeated", f"{words(action)}: once in a turn", field
            )
    if stow is not None:
        if arms.weapon(combatant, stow) is None:
            detail = f"{stow!r} is no weapon: only those are sheathed while moving"
            yield refuse("DEF-FRE-05", "no-such-item", detail, "stow")
        else:
            yield from stow_refusals(combatant, stow, "stow")
    if draw is not None:
        swap = arms.slots(combatant).primary == stow
        yield from draw_refusals(combatant, draw, swap=swap, field="draw", instead="draw")


@rule("DEF-FRE-05", "Drawing and stowing a weapon during a move are free actions")
def exchange(combatant: Combatant, draw: str | None, stow: str | None) -> Iterator[AnyEvent]:
    """Yield the events of drawing and stowing."""
    held = arms.slots(combatant)
    named = [("stow-item", stow), ("draw-weapon", draw)]
    done = tuple(action for action, id in named if id is not None)
    if not done:
        return
    yield FREE_USED.set(combatant.id, (*FREE_USED.of(combatant), *done), rules=("DEF-FRE-05",))
    now = held if stow is None else emptied(held, stow)
    if draw is not None:
        now = replace(now, primary=draw)
    yield SLOTS.set(combatant.id, now, rules=("DEF-FRE-05",))
