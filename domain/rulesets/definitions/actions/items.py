"""Actions that retrieve, drink, activate, use and command items.

DEF-MOV-03, DEF-MOV-04, DEF-MOV-07.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Shared, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, powers
from domain.rulesets.definitions.costs import ItemName, Paid, Targets, in_charge
from domain.rulesets.definitions.deed import Kind
from domain.rulesets.definitions.deeds import FREE, MOVE, PROVOKING, Attempt, Price, priced
from domain.rulesets.definitions.facts import CARRIED, GONE, GROUND, IN_HAND, SLOTS, Carried, Lying
from domain.rulesets.definitions.manoeuvre import not_pinned
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
    """Return the thing with this id on the ground (DEF-DIS-08).

    If several things have this id, prefer a thing nearby, then a thing that the combatant owns.
    """
    lyings = [there for there in GROUND.of(combat) if there.id == id]
    lyings.sort(key=lambda there: (not beside(combat[who], there), there.owner != who))
    return next(iter(lyings), None)


@rule("DEF-FRE-03", "Taking a thing from a belt is a free action")
def retrieve_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Return the cost: a free action for an item within easy reach, otherwise a move."""
    item = arms.item(combat[who], inputs.item)
    return "free" if item is not None and item.stored == "easy" else "move"


@rule("DEF-DIS-08", "A combatant can pick up a thing from an adjacent square")
def within_grasp(act: Act[OneItem]) -> Iterator[Illegal]:
    """Refuse an item that the combatant neither carries nor finds on the ground nearby.

    Also refuse an item that is already in hand.
    """
    combatant, name = act.actor, act.inputs.item
    if retrieve_kind(act.combat, act.who, act.inputs) != "free":
        yield from not_pinned(act)
    item, there = arms.item(combatant, name), lying(act.combat, act.who, name)
    if item is not None:
        if item.in_hand or item.id in IN_HAND.of(combatant):
            detail = f"{item.name} is in hand already"
            yield refuse("DEF-MOV-03", "already-ready", detail, "item")
    elif there is None:
        known = [item.id for item in arms.items(combatant)]
        yield refuse("DEF-MOV-03", "no-such-item", f"there is no {name!r}", "item", known)
    elif not beside(combatant, there):
        detail = f"{name!r} does not lie next to {combatant.name}"
        yield refuse("DEF-DIS-08", "not-adjacent", detail, "item")


def beside(combatant: Combatant, there: Lying) -> bool:
    """Return true if the thing is in the combatant's square or an adjacent square.

    If the thing or the combatant has no position, the thing counts as near.
    """
    at = grid.square(there.at)
    if at is None or combatant.position is None:
        return True
    return grid.distance(combatant.position, at, board.space(combatant)) <= 1


def retrieve_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose carried items and things on the ground."""
    for item in arms.items(play.combat[who]):
        yield {"item": item.id}
    for there in GROUND.of(play.combat):
        yield {"item": there.id}
        yield {"item": there.id, "pay": "standard"}


@priced(
    "retrieve-item", "Get an item", OneItem, Price(retrieve_kind, "move; free from a belt"),
    PROVOKING,
    category="use", headline="Get {item}", polarity="none",
    rules={"DEF-MOV-03": "Taking a thing out of a bag is a move action"},
    also=("DEF-FRE-03", "DEF-DIS-08"),
    refusals=(within_grasp,),
    propose=retrieve_candidates,
)  # fmt: skip
def retrieve_item(act: Attempt[OneItem]) -> Procedure[None]:
    """Take the item into the hand. A weapon goes into an empty primary slot."""
    who, combatant, item = act.who, act.actor, act.inputs.item
    if arms.item(combatant, item) is not None:
        in_hand = (*IN_HAND.of(combatant), item)
        yield IN_HAND.set(who, in_hand, rules=("DEF-MOV-03", "DEF-FRE-03"))
        return
    there = lying(act.combat, who, item)
    assert there is not None
    name = its_name(combatant, there)
    yield from picked_up(act.combat, who, there, name)
    if there.kind == "weapon" and arms.slots(act.actor).primary is None:
        slots = replace(arms.slots(act.actor), primary=name)
        yield SLOTS.set(who, slots, rules=("DEF-DIS-08",))


def its_name(combatant: Combatant, there: Lying) -> str:
    """Return an id for a picked-up thing that differs from the finder's own ids."""
    if there.owner == combatant.id:
        return there.id
    page = sheet_of(combatant)
    weapons = {weapon.id for weapon in (*page.weapons, *arms.weapons(combatant))}
    items = {item.id for item in (*page.items, *arms.items(combatant))}
    taken = weapons | items | {thing.id for thing in in_offhand(page)}
    name = there.id
    while name in taken:
        name += "-2"
    return name


def picked_up(combat: Combat, who: Id, there: Lying, name: str) -> Iterator[AnyEvent]:
    """Move a thing from the ground to the combatant that takes it."""
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


# ---- effects of items

Fits = Callable[[Item], bool]
"""Return true if an action applies to this item."""


def fitting(combatant: Combatant, id: str, fits: Fits) -> Item | None:
    """Return the item if the action applies to it, or `None`."""
    item = arms.item(combatant, id)
    return item if item is not None and fits(item) else None


def meant(who: Id, item: Item, inputs: OneItem) -> tuple[Power, tuple[Id, ...]]:
    """Return the effect of an item and its targets. The target of a potion is its drinker."""
    power = replace(item.effect or Effect(), id=item.id, name=item.name)
    targets = inputs.targets if isinstance(inputs, ItemOn) else (who,)
    return power, powers.meant(who, power, targets)


def item_candidates(fits: Fits) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Return a function that proposes each fitting item, alone and with each target."""

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        items = [item for item in arms.items(play.combat[who]) if fits(item)]
        for item in items:
            yield {"item": item.id}
            for combatant in play.combat:
                yield {"item": item.id, "targets": [combatant.id]}
        if not items:
            yield {"item": "none"}

    return candidates


def having(fits: Fits, rule: str, lacks: str) -> Shared:
    """Return a check that the combatant has a fitting item and legal targets.

    `lacks` begins the predicate of the refusal's sentence, such as "has no potion".
    """

    def refusals(act: Act[OneItem]) -> Iterator[Illegal]:
        inputs = act.inputs
        item = fitting(act.actor, inputs.item, fits)
        if item is None:
            detail = f"{act.actor.name} {lacks} {inputs.item!r}"
            yield refuse(rule, "no-such-item", detail, "item")
        elif item.effect is not None:
            power, targets = meant(act.who, item, inputs)
            field = "targets" if isinstance(inputs, ItemOn) else "item"
            yield from powers.target_refusals(act.combat, act.who, power, targets, field=field)

    return refusals


def use(act: Attempt[OneItem], action: str) -> Procedure[None]:
    """Carry out the item's effect. If the sheet does not describe the effect, the GM decides it."""
    item = arms.item(act.actor, act.inputs.item)
    assert item is not None
    power, targets = meant(act.who, item, act.inputs)
    if item.kind in ("potion", "oil"):  # these items are consumed
        gone = (*GONE.of(act.actor), item.id)
        yield GONE.set(act.who, gone, rules=("DEF-MOV-07",))
    used = Use(act.who, power, targets, act.place, action, of_item=True)
    yield from powers.released(act.play, used)


def is_potion(item: Item) -> bool:
    """Return true if the item is a potion."""
    return item.kind == "potion"


@rule("DEF-SWI-03", "With a potion belt, drinking is a swift action, or a move by choice")
@rule("DEF-CHG-09", "In a charge, these swift actions do not provoke and need no potion belt")
def drink_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Return the cost: swift with a potion belt or in a charge, otherwise a move.

    A move action can always pay.
    """
    combatant = combat[who]
    at_hand = sheet_of(combatant).potion_belt or in_charge(combatant)
    return "swift" if at_hand and inputs.pay in (None, "swift") else "move"


def potion_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each potion with each payment."""
    for item in arms.items(play.combat[who]):
        if is_potion(item):
            yield {"item": item.id}
            yield {"item": item.id, "pay": "move"}
            yield {"item": item.id, "pay": "standard"}


@priced(
    "drink-potion", "Drink a potion", OneItem,
    Price(drink_kind, "move; swift with a belt or in a charge"), PROVOKING,
    category="use", headline="Drink {item}",
    rules={"DEF-MOV-07": "Drinking a potion is a move action"},
    also=("DEF-SWI-03",),
    refusals=(not_pinned, having(is_potion, "DEF-MOV-07", "has no potion")),
    propose=potion_candidates,
)  # fmt: skip
def drink_potion(act: Attempt[OneItem]) -> Procedure[None]:
    """Drink the potion. Its effect applies to the drinker."""
    yield from use(act, "drink-potion")


def is_moved(item: Item) -> bool:
    """Return true if a motion activates the item."""
    return item.activation == "motion"


@priced(
    "activate-item", "Activate an item by a motion", ItemOn, MOVE, PROVOKING,
    category="use", headline="Activate {item}[ on {targets}]",
    rules={"DEF-MOV-04": "Activating an item by a motion is a move action"},
    refusals=(not_pinned, having(is_moved, "DEF-MOV-04", "has no such item:")),
    propose=item_candidates(is_moved),
)  # fmt: skip
def activate_item(act: Attempt[ItemOn]) -> Procedure[None]:
    """Activate the item by a motion."""
    yield from use(act, "activate-item")


def is_used(item: Item) -> bool:
    """Return true if `use-item` applies to the item, such as an oil."""
    return item.activation == "use" or item.kind == "oil"


def use_kind(combat: Combat, who: Id, inputs: ItemOn) -> Kind:
    """Return the cost: swift for an oil in a charge (DEF-CHG-08), otherwise standard."""
    item = arms.item(combat[who], inputs.item)
    oil = item is not None and item.kind == "oil" and inputs.pay in (None, "swift")
    return "swift" if in_charge(combat[who]) and oil else "standard"


@priced(
    "use-item", "Use an item", ItemOn, Price(use_kind, "standard; swift for an oil in a charge"),
    category="use", headline="Use {item}[ on {targets}]",
    rules={"DEF-STD-03": "Using an item is a standard action"},
    also=("DEF-CHG-08",),
    refusals=(not_pinned, having(is_used, "DEF-STD-03", "has no such item:")),
    propose=item_candidates(is_used),
)  # fmt: skip
def use_item(act: Attempt[ItemOn]) -> Procedure[None]:
    """Use the item, or apply the oil."""
    yield from use(act, "use-item")


def is_commanded(item: Item) -> bool:
    """Return true if a word or a thought activates the item."""
    return item.activation == "command"


@priced(
    "command-item", "Command an item", ItemOn, FREE,
    category="use", headline="Command {item}[ on {targets}]",
    rules={"DEF-FRE-04": "Activating an item by a word or a thought is a free action"},
    also=("DEF-FRE-01",),
    refusals=(having(is_commanded, "DEF-FRE-04", "commands no item"),),
    propose=item_candidates(is_commanded),
)  # fmt: skip
def command_item(act: Attempt[ItemOn]) -> Procedure[None]:
    """Command the item."""
    yield from use(act, "command-item")
