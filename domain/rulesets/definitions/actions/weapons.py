"""`draw-weapon`, `ready-item`, `stow-item`: what goes into which slot (DEF-WLD-05, DEF-MOV-05)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.costs import HeldName, Kind, Paid, WeaponName, in_charge
from domain.rulesets.definitions.deeds import deed
from domain.rulesets.definitions.facts import FREE_USED, SLOTS, Slots
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import in_offhand
from domain.rulesets.definitions.states import sheet_of


class Draw(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """With `swap`, the thing in hand is put away in the same action."""

    weapon: WeaponName
    swap: bool = False


class Ready(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`item`: a shield or focus."""

    item: HeldName
    slot: Literal["primary", "offhand"] = "offhand"
    swap: bool = False


class Stow(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: HeldName


# ---- draw-weapon


def draw_kind(combat: Combat, who: Id, inputs: Draw) -> Kind:
    """Swapping a weapon is the swift action of a charge (DEF-CHG-08)."""
    swaps = inputs.swap and inputs.pay in (None, "swift")
    return "swift" if in_charge(combat[who]) and swaps else "move"


def draw_requirements(play: Play, who: Id, inputs: Draw) -> Iterator[Illegal]:
    yield from not_pinned(play.combat, who)
    yield from draw_refusals(play.combat[who], inputs.weapon, swap=inputs.swap)


@rule("DEF-WLD-06", "Only one weapon is ready at a time. Natural ones always are")
def draw_refusals(combatant: Combatant, id: str, *, swap: bool) -> Iterator[Illegal]:
    """A weapon that is sheathed, into an empty primary slot or in exchange (DEF-WLD-05, -06)."""
    weapon = arms.weapon(combatant, id)
    held = arms.slots(combatant).primary
    if weapon is None or weapon.kind == "natural":
        known = [weapon.id for weapon in arms.weapons(combatant) if weapon.kind != "natural"]
        yield Illegal("DEF-MOV-05", "no-such-item", f"{combatant.name} has no weapon {id!r}", known)
    elif held == id:
        yield Illegal("DEF-WLD-05", "already-ready", f"{weapon.name} is in hand already")
    elif held is not None and not swap:
        if arms.weapon(combatant, held) is not None:
            detail = f"{combatant.name} holds {held!r}: no two weapons at once"
            yield Illegal("DEF-WLD-06", "no-dual-wield", detail, ("swap: true",))
        else:
            detail = f"the primary slot holds {held!r}"
            yield Illegal("DEF-WLD-05", "slots-full", detail, ("swap: true",))


def draw_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for weapon in arms.weapons(play.combat[who]):
        for swap in (False, True):
            yield {"weapon": weapon.id, "swap": swap}
            yield {"weapon": weapon.id, "swap": swap, "pay": "standard"}


@rule("DEF-MOV-05", "Drawing a weapon standing still")
def draw_weapon(play: Play, who: Id, inputs: Draw, place: int) -> Procedure[None]:
    held = arms.slots(play.combat[who])
    now = replace(held, primary=inputs.weapon)
    yield SLOTS.set(who, now, rules=("DEF-MOV-05", "DEF-WLD-02"))


DRAW_WEAPON = deed(
    "draw-weapon",
    Draw,
    draw_weapon,
    kind=draw_kind,
    requirements=draw_requirements,
    candidates=draw_candidates,
    label="Draw a weapon",
    cost="move; free while moving; swift in a charge",
    rules=("DEF-MOV-05", "DEF-WLD-05", "DEF-WLD-06"),
    provokes=True,
).shown("use", "Draw {weapon}")


# ---- ready-item


@rule("DEF-WLD-02", "A weapon goes into the primary slot only")
@rule("DEF-WLD-05", "Readying and stowing: what fits, what is full")
def ready_requirements(play: Play, who: Id, inputs: Ready) -> Iterator[Illegal]:
    combatant = play.combat[who]
    yield from not_pinned(play.combat, who)
    if arms.weapon(combatant, inputs.item) is not None:
        detail = f"{inputs.item!r} is a weapon: draw it"
        yield Illegal("DEF-WLD-02", "weapon-primary-only", detail, ("draw-weapon",))
        return
    known = [thing.id for thing in in_offhand(sheet_of(combatant))]
    if inputs.item not in known:
        yield Illegal("DEF-WLD-05", "no-such-item", f"no shield or focus {inputs.item!r}", known)
        return
    held = arms.slots(combatant)
    there = held.primary if inputs.slot == "primary" else held.offhand
    if there == inputs.item:
        yield Illegal("DEF-WLD-05", "already-ready", f"{inputs.item!r} is in that slot")
    elif there is not None and not inputs.swap:
        yield Illegal("DEF-WLD-05", "slots-full", f"the slot holds {there!r}", ("swap: true",))


def ready_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for thing in in_offhand(sheet_of(play.combat[who])):
        for slot in ("offhand", "primary"):
            yield {"item": thing.id, "slot": slot}
            yield {"item": thing.id, "slot": slot, "swap": True}


def ready_item(play: Play, who: Id, inputs: Ready, place: int) -> Procedure[None]:
    """Put the item into the slot. It leaves the other slot, and replaces the thing there."""
    now = emptied(arms.slots(play.combat[who]), inputs.item)
    now = replace(now, **{inputs.slot: inputs.item})
    yield SLOTS.set(who, now, rules=("DEF-WLD-03", "DEF-WLD-04", "DEF-WLD-05"))


def emptied(held: Slots, id: str) -> Slots:
    """The slots without a thing."""
    return Slots(
        primary=None if held.primary == id else held.primary,
        offhand=None if held.offhand == id else held.offhand,
    )


READY_ITEM = deed(
    "ready-item",
    Ready,
    ready_item,
    kind="move",
    requirements=ready_requirements,
    candidates=ready_candidates,
    label="Ready a shield or focus",
    rules=("DEF-WLD-05", "DEF-WLD-03"),
    provokes=True,
).shown("use", "Ready {item}", "item")


# ---- stow-item


def stow_requirements(play: Play, who: Id, inputs: Stow) -> Iterator[Illegal]:
    yield from not_pinned(play.combat, who)
    yield from stow_refusals(play.combat[who], inputs.item)


def stow_refusals(combatant: Combatant, id: str) -> Iterator[Illegal]:
    known = in_slots(combatant)
    if id not in known:
        yield Illegal("DEF-WLD-05", "not-wielded", f"{id!r} is in no slot", known)


def in_slots(combatant: Combatant) -> list[str]:
    held = arms.slots(combatant)
    return [id for id in (held.primary, held.offhand) if id is not None]


def stow_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for id in (*in_slots(play.combat[who]), "nothing"):
        yield {"item": id}


def stow_item(play: Play, who: Id, inputs: Stow, place: int) -> Procedure[None]:
    now = emptied(arms.slots(play.combat[who]), inputs.item)
    yield SLOTS.set(who, now, rules=("DEF-WLD-05",))


STOW_ITEM = deed(
    "stow-item",
    Stow,
    stow_item,
    kind="move",
    requirements=stow_requirements,
    candidates=stow_candidates,
    label="Put something away",
    cost="move; a weapon while moving: free",
    rules=("DEF-WLD-05", "DEF-MOV-05"),
    provokes=True,
).shown("use", "Put {item} away", "item")


# ---- free, as part of a move (DEF-FRE-05)


def exchange_refusals(
    combatant: Combatant, draw: str | None, stow: str | None
) -> Iterator[Illegal]:
    """Drawing and sheathing while moving, each once in a turn; weapons only."""
    used = FREE_USED.of(combatant)
    for named, action in ((draw, "draw-weapon"), (stow, "stow-item")):
        if named is not None and action in used:
            yield Illegal("DEF-FRE-01", "free-action-repeated", f"{words(action)}: once in a turn")
    if stow is not None:
        if arms.weapon(combatant, stow) is None:
            detail = f"{stow!r} is no weapon: only those are sheathed while moving"
            yield Illegal("DEF-FRE-05", "no-such-item", detail)
        else:
            yield from stow_refusals(combatant, stow)
    if draw is not None:
        yield from draw_refusals(combatant, draw, swap=arms.slots(combatant).primary == stow)


@rule("DEF-FRE-05", "Drawing and sheathing while moving")
def exchange(combatant: Combatant, draw: str | None, stow: str | None) -> Iterator[AnyEvent]:
    """The events of it."""
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
