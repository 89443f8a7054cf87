"""Items: getting, drinking, activating them, and what lies on the floor (DEF-MOV-03, -04, -07)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, powers
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.costs import ItemName, Kind, Paid, Targets, in_charge
from domain.rulesets.definitions.deed import Deed
from domain.rulesets.definitions.deeds import Candidates, deed
from domain.rulesets.definitions.facts import CARRIED, GONE, GROUND, IN_HAND, SLOTS, Carried, Lying
from domain.rulesets.definitions.powers import Use
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Effect, Item, Power, in_offhand
from domain.rulesets.definitions.states import sheet_of


class OneItem(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: ItemName


class ItemOn(OneItem, frozen=True, forbid_unknown_fields=True, kw_only=True):
    targets: Targets = ()


# ---- retrieve-item


def lying(combat: Combat, who: Id, id: str) -> Lying | None:
    """The thing of that id on the floor: of several one beside it, then its own (DEF-DIS-08)."""
    lyings = [there for there in GROUND.of(combat) if there.id == id]
    lyings.sort(key=lambda there: (not beside(combat[who], there), there.owner != who))
    return next(iter(lyings), None)


@rule("DEF-FRE-03", "Getting something from a belt")
def retrieve_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Free from where it is stored for quick use (DEF-FRE-03)."""
    item = arms.item(combat[who], inputs.item)
    return "free" if item is not None and item.stored == "easy" else "move"


@rule("DEF-DIS-08", "Picking up from an adjacent square")
def retrieve_requirements(play: Play, who: Id, inputs: OneItem) -> Iterator[Illegal]:
    """Carried and not in hand, or on the floor beside it (DEF-DIS-08)."""
    combat = play.combat
    combatant = combat[who]
    if retrieve_kind(combat, who, inputs) != "free":
        yield from not_pinned(combat, who)
    mine, there = arms.item(combatant, inputs.item), lying(combat, who, inputs.item)
    if mine is not None:
        if mine.in_hand or mine.id in IN_HAND.of(combatant):
            yield Illegal("DEF-MOV-03", "already-ready", f"{mine.name} is in hand already")
    elif there is None:
        known = [item.id for item in arms.items(combatant)]
        yield Illegal("DEF-MOV-03", "no-such-item", f"there is no {inputs.item!r}", known)
    elif not beside(combatant, there):
        detail = f"{inputs.item!r} does not lie next to {combatant.name}"
        yield Illegal("DEF-DIS-08", "not-adjacent", detail)


def beside(combatant: Combatant, there: Lying) -> bool:
    """Whether a thing is in the own or an adjacent square. Without places, it is."""
    at = board.square_of(there.at)
    if at is None or combatant.position is None:
        return True
    return grid.distance(combatant.position, at, board.space(combatant)) <= 1


def retrieve_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in arms.items(play.combat[who]):
        yield {"item": item.id}
    for there in GROUND.of(play.combat):
        yield {"item": there.id}
        yield {"item": there.id, "pay": "standard"}


@rule("DEF-MOV-03", "Getting something from a bag")
def retrieve_item(play: Play, who: Id, inputs: OneItem, place: int) -> Procedure[None]:
    """Into the hand; a weapon into an empty primary slot."""
    combatant = play.combat[who]
    if arms.item(combatant, inputs.item) is not None:
        in_hand = (*IN_HAND.of(combatant), inputs.item)
        yield IN_HAND.set(who, in_hand, rules=("DEF-MOV-03", "DEF-FRE-03"))
        return
    there = lying(play.combat, who, inputs.item)
    assert there is not None
    name = its_name(combatant, there)
    yield from picked_up(play.combat, who, there, name)
    if there.kind == "weapon" and arms.slots(play.combat[who]).primary is None:
        slots = replace(arms.slots(play.combat[who]), primary=name)
        yield SLOTS.set(who, slots, rules=("DEF-DIS-08",))


def its_name(combatant: Combatant, there: Lying) -> str:
    """Its id, or another one when the finder has a thing of that id, or had one."""
    if there.owner == combatant.id:
        return there.id
    page = sheet_of(combatant)
    weapons = {weapon.id for weapon in (*page.weapons, *arms.weapons(combatant))}
    items = {item.id for item in (*page.items, *arms.items(combatant))}
    taken = weapons | items | {mine.id for mine in in_offhand(page)}
    name = there.id
    while name in taken:
        name += "-2"
    return name


def picked_up(combat: Combat, who: Id, there: Lying, name: str) -> Iterator[AnyEvent]:
    """Move a thing from the floor to the combatant that takes it."""
    left = tuple(lying for lying in GROUND.of(combat) if lying != there)
    yield GROUND.set(left, rules=("DEF-DIS-08",))
    combatant = combat[who]
    if there.owner == who:
        gone = tuple(id for id in GONE.of(combatant) if id != there.id)
        yield GONE.set(who, gone, rules=("DEF-DIS-08",))
    else:
        carried = Carried(kind=there.kind, data={**there.data, "id": name})
        yield CARRIED.set(who, (*CARRIED.of(combatant), carried), rules=("DEF-DIS-08",))
    if there.kind == "item":
        yield IN_HAND.set(who, (*IN_HAND.of(combatant), name), rules=("DEF-DIS-08",))


RETRIEVE_ITEM = deed(
    "retrieve-item",
    OneItem,
    retrieve_item,
    kind=retrieve_kind,
    requirements=retrieve_requirements,
    candidates=retrieve_candidates,
    label="Get an item",
    cost="move; free from a belt",
    rules=("DEF-MOV-03", "DEF-FRE-03", "DEF-DIS-08"),
    provokes=True,
).shown("use", "Get {item}", polarity="none")


# ---- what items do


def found(combatant: Combatant, id: str, fits: Callable[[Item], bool]) -> Item | None:
    """The item, if it is one of those."""
    item = arms.item(combatant, id)
    return item if item is not None and fits(item) else None


def meant(who: Id, item: Item, inputs: OneItem) -> tuple[Power, tuple[Id, ...]]:
    """Return the effect of an item and its targets. The target of a potion is its drinker."""
    power = replace(item.effect or Effect(), id=item.id, name=item.name)
    targets = inputs.targets if isinstance(inputs, ItemOn) else (who,)
    return power, powers.meant(who, power, targets)


def item_candidates(fits: Callable[[Item], bool]) -> Candidates:
    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        items = [item for item in arms.items(play.combat[who]) if fits(item)]
        for item in items:
            yield {"item": item.id}
            for combatant in play.combat:
                yield {"item": item.id, "targets": [combatant.id]}
        if not items:
            yield {"item": "none"}

    return candidates


def using(
    id: str,
    fits: Callable[[Item], bool],
    label: str,
    *rules: str,
    kind: Kind | Callable[[Combat, Id, Any], Kind],
    lacks: str,
    cost: str = "",
    inputs: type[OneItem] = ItemOn,
    candidates: Candidates | None = None,
    provokes: bool = False,
) -> Deed:
    """Return an action that uses one of the fitting items. The GM rules if an item has no data.

    `lacks` is the sentence for a combatant without such an item.
    """

    def requirements(play: Play, who: Id, inputs: OneItem) -> Iterator[Illegal]:
        if kind != "free":
            yield from not_pinned(play.combat, who)
        item = found(play.combat[who], inputs.item, fits)
        if item is None:
            detail = f"{play.combat[who].name} {lacks} {inputs.item!r}"
            yield Illegal(rules[0], "no-such-item", detail)
        elif item.effect is not None:
            power, targets = meant(who, item, inputs)
            yield from powers.target_refusals(play.combat, who, power, targets)

    def perform(play: Play, who: Id, inputs: OneItem, place: int) -> Procedure[None]:
        item = found(play.combat[who], inputs.item, fits)
        assert item is not None
        power, targets = meant(who, item, inputs)
        if item.kind in ("potion", "oil"):  # it is used up
            gone = (*GONE.of(play.combat[who]), item.id)
            yield GONE.set(who, gone, rules=("DEF-MOV-07",))
        yield from powers.released(play, Use(who, power, targets, place, id, of_item=True))

    return deed(
        id,
        inputs,
        perform,
        kind=kind,
        requirements=requirements,
        candidates=candidates or item_candidates(fits),
        label=label,
        cost=cost,
        rules=rules,
        provokes=provokes,
    )


@rule("DEF-SWI-03", "A potion belt makes drinking swift. The move may pay instead")
@rule("DEF-CHG-09", "They provoke nothing and need no belt")
def drink_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Swift from a belt or in a charge; the owner may pay the move instead (DEF-SWI-03,
    DEF-CHG-09).
    """
    combatant = combat[who]
    at_hand = sheet_of(combatant).potion_belt or in_charge(combatant)
    return "swift" if at_hand and inputs.pay in (None, "swift") else "move"


def potion_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in arms.items(play.combat[who]):
        if item.kind == "potion":
            yield {"item": item.id}
            yield {"item": item.id, "pay": "move"}
            yield {"item": item.id, "pay": "standard"}


rule("DEF-MOV-07", "Drinking a potion", f"{__name__}.DRINK_POTION")
DRINK_POTION = using(
    "drink-potion",
    lambda item: item.kind == "potion",
    "Drink a potion",
    "DEF-MOV-07",
    "DEF-SWI-03",
    kind=drink_kind,
    lacks="has no potion",
    cost="move; swift with a belt or in a charge",
    inputs=OneItem,
    candidates=potion_candidates,
    provokes=True,
).shown("use", "Drink {item}")
rule("DEF-MOV-04", "Items that are moved to work", f"{__name__}.ACTIVATE_ITEM")
ACTIVATE_ITEM = using(
    "activate-item",
    lambda item: item.activation == "motion",
    "Activate an item by a motion",
    "DEF-MOV-04",
    kind="move",
    lacks="has no such item:",
    provokes=True,
).shown("use", "Activate {item}[ on {targets}]")


def use_kind(combat: Combat, who: Id, inputs: ItemOn) -> Kind:
    """Applying an oil is the swift action of a charge (DEF-CHG-08)."""
    item = arms.item(combat[who], inputs.item)
    oil = item is not None and item.kind == "oil" and inputs.pay in (None, "swift")
    return "swift" if in_charge(combat[who]) and oil else "standard"


rule("DEF-STD-03", "Items that are used", f"{__name__}.USE_ITEM")
USE_ITEM = using(
    "use-item",
    lambda item: item.activation == "use" or item.kind == "oil",
    "Use an item",
    "DEF-STD-03",
    "DEF-CHG-08",
    kind=use_kind,
    lacks="has no such item:",
    cost="standard; swift for an oil in a charge",
).shown("use", "Use {item}[ on {targets}]")
rule("DEF-FRE-04", "Items of a word or a thought", f"{__name__}.COMMAND_ITEM")
COMMAND_ITEM = using(
    "command-item",
    lambda item: item.activation == "command",
    "Command an item",
    "DEF-FRE-04",
    "DEF-FRE-01",
    kind="free",
    lacks="commands no item",
).shown("use", "Command {item}[ on {targets}]")
