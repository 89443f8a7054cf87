"""Items: getting, drinking, activating them, and what lies on the floor (DEF-MOV-03, -04, -07)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, powers
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.deeds import Candidates, deed
from domain.rulesets.definitions.facts import CARRIED, GONE, GROUND, IN_HAND, SLOTS, Carried, Lying
from domain.rulesets.definitions.numbers import attack_bonuses
from domain.rulesets.definitions.paying import Kind, Paid, in_charge
from domain.rulesets.definitions.powers import Use
from domain.rulesets.definitions.sheet import Effect, Item, in_offhand
from domain.rulesets.definitions.states import sheet_of

Word = Annotated[str, Meta(max_length=120)]


class OneItem(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    item: Word


class ItemOn(OneItem, frozen=True, forbid_unknown_fields=True, kw_only=True):
    targets: Annotated[tuple[Id, ...], Meta(max_length=50)] = ()


# ---- retrieve-item


def lying(combat: Combat, who: Id, id: str) -> Lying | None:
    """The thing of that id on the floor: of several one beside it, then its own (DEF-DIS-08)."""
    found = [there for there in GROUND.of(combat) if there.id == id]
    found.sort(key=lambda there: (not beside(combat[who], there), there.owner != who))
    return next(iter(found), None)


def retrieve_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Free from where it is stored for quick use (DEF-FRE-03)."""
    mine = arms.item(combat[who], inputs.item)
    return "free" if mine is not None and mine.stored == "easy" else "move"


def retrieve_requirements(play: Play, who: Id, inputs: OneItem) -> Iterator[Illegal]:
    """Carried and not in hand, or on the floor beside it (DEF-DIS-08)."""
    combat = play.combat
    one = combat[who]
    if retrieve_kind(combat, who, inputs) != "free":
        yield from not_pinned(combat, who)
    mine, there = arms.item(one, inputs.item), lying(combat, who, inputs.item)
    if mine is not None:
        if mine.in_hand or mine.id in IN_HAND.of(one):
            yield Illegal("DEF-MOV-03", "already-ready", f"{mine.name} is in hand already")
    elif there is None:
        known = [item.id for item in arms.items(one)]
        yield Illegal("DEF-MOV-03", "no-such-item", f"there is no {inputs.item!r}", known)
    elif not beside(one, there):
        detail = f"{inputs.item!r} does not lie next to {one.name}"
        yield Illegal("DEF-DIS-08", "not-adjacent", detail)


def beside(one: Combatant, there: Lying) -> bool:
    """In the own or an adjacent square; without places nobody can say it is not."""
    at = board.square_of(there.at)
    if at is None or one.position is None:
        return True
    return grid.distance(one.position, at, board.space(one)) <= 1


def retrieve_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for mine in arms.items(play.combat[who]):
        yield {"item": mine.id}
    for there in GROUND.of(play.combat):
        yield {"item": there.id}
        yield {"item": there.id, "pay": "standard"}


def retrieve_item(play: Play, who: Id, inputs: OneItem, base: int) -> Procedure[None]:
    """Into the hand; a weapon into an empty primary slot."""
    one = play.combat[who]
    if arms.item(one, inputs.item) is not None:
        in_hand = (*IN_HAND.of(one), inputs.item)
        yield IN_HAND.set(who, in_hand, rules=("DEF-MOV-03", "DEF-FRE-03"))
        return
    there = lying(play.combat, who, inputs.item)
    assert there is not None
    name = its_name(one, there)
    yield from picked_up(play.combat, who, there, name)
    if there.kind == "weapon" and arms.slots(play.combat[who]).primary is None:
        slots = replace(arms.slots(play.combat[who]), primary=name)
        yield SLOTS.set(who, slots, rules=("DEF-DIS-08",))


def its_name(one: Combatant, there: Lying) -> str:
    """Its id, or another one when the finder has a thing of that id, or had one."""
    if there.owner == one.id:
        return there.id
    page = sheet_of(one)
    weapons = {mine.id for mine in (*page.weapons, *arms.weapons(one))}
    items = {mine.id for mine in (*page.items, *arms.items(one))}
    taken = weapons | items | {mine.id for mine in in_offhand(page)}
    name = there.id
    while name in taken:
        name += "-2"
    return name


def picked_up(combat: Combat, who: Id, there: Lying, name: str) -> Iterator[AnyEvent]:
    """From the floor to whoever takes it."""
    left = tuple(found for found in GROUND.of(combat) if found != there)
    yield GROUND.set(left, rules=("DEF-DIS-08",))
    one = combat[who]
    if there.owner == who:
        gone = tuple(id for id in GONE.of(one) if id != there.id)
        yield GONE.set(who, gone, rules=("DEF-DIS-08",))
    else:
        found = Carried(kind=there.kind, data={**there.data, "id": name})
        yield CARRIED.set(who, (*CARRIED.of(one), found), rules=("DEF-DIS-08",))
    if there.kind == "item":
        yield IN_HAND.set(who, (*IN_HAND.of(one), name), rules=("DEF-DIS-08",))


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
    key=lambda inputs: "retrieve-item",
)


# ---- what items do


def used(combat: Combat, who: Id, item: Item) -> Iterator[AnyEvent]:
    """A potion or an oil is gone after it."""
    if item.kind in ("potion", "oil"):
        yield GONE.set(who, (*GONE.of(combat[who]), item.id), rules=("DEF-MOV-07",))


def takes_effect(
    play: Play, who: Id, item: Item, targets: tuple[Id, ...], action: str
) -> Procedure[None]:
    """As an ability of that effect; without data the GM says."""
    power = item.effect or Effect()
    power = replace(power, id=item.id, name=item.name)
    targets = powers.meant(who, power, targets)
    base = attack_bonuses(play.combat[who])[0]
    yield from used(play.combat, who, item)
    yield from powers.released(play, Use(who, power, targets, base, action))


def item_refusals(
    combat: Combat, who: Id, item: Item | None, targets: tuple[Id, ...], wanted: str
) -> Iterator[Illegal]:
    yield from not_pinned(combat, who)
    if item is None:
        yield Illegal(
            "DEF-MOV-04", "no-such-item", f"{combat[who].name} has no such item: {wanted}"
        )
        return
    if item.effect is not None:
        meant = powers.meant(who, item.effect, targets)
        yield from powers.target_refusals(combat, who, item.effect, meant)


def find(one: Combatant, id: str, activation: str) -> Item | None:
    """The item, if it is activated so."""
    mine = arms.item(one, id)
    return mine if mine is not None and mine.activation == activation else None


def item_candidates(activation: str, kind: str = "") -> Candidates:
    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        mine = [
            item
            for item in arms.items(play.combat[who])
            if item.activation == activation or item.kind == kind
        ]
        for item in mine:
            yield {"item": item.id}
            for one in play.combat:
                yield {"item": item.id, "targets": [one.id]}
        if not mine:
            yield {"item": "none"}

    return candidates


# ---- drink-potion


def potion(one: Combatant, id: str) -> Item | None:
    mine = arms.item(one, id)
    return mine if mine is not None and mine.kind == "potion" else None


def drink_kind(combat: Combat, who: Id, inputs: OneItem) -> Kind:
    """Swift from a belt or in a charge; the owner may pay the move instead (DEF-SWI-03).

    DEF-CHG-09.
    """
    one = combat[who]
    at_hand = sheet_of(one).potion_belt or in_charge(one)
    return "swift" if at_hand and inputs.pay in (None, "swift") else "move"


def drink_requirements(play: Play, who: Id, inputs: OneItem) -> Iterator[Illegal]:
    yield from not_pinned(play.combat, who)
    if potion(play.combat[who], inputs.item) is None:
        detail = f"{play.combat[who].name} has no potion {inputs.item!r}"
        yield Illegal("DEF-MOV-07", "no-such-item", detail)


def potion_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for item in arms.items(play.combat[who]):
        if item.kind == "potion":
            yield {"item": item.id}
            yield {"item": item.id, "pay": "move"}
            yield {"item": item.id, "pay": "standard"}


def drink_potion(play: Play, who: Id, inputs: OneItem, base: int) -> Procedure[None]:
    """DEF-MOV-07."""
    mine = potion(play.combat[who], inputs.item)
    assert mine is not None
    yield from takes_effect(play, who, mine, (who,), "drink-potion")


DRINK_POTION = deed(
    "drink-potion",
    OneItem,
    drink_potion,
    kind=drink_kind,
    requirements=drink_requirements,
    candidates=potion_candidates,
    label="Drink a potion",
    cost="move; swift with a belt or in a charge",
    rules=("DEF-MOV-07", "DEF-SWI-03"),
    provokes=True,
)


# ---- activate-item, use-item, command-item


def activate_requirements(play: Play, who: Id, inputs: ItemOn) -> Iterator[Illegal]:
    mine = find(play.combat[who], inputs.item, "motion")
    yield from item_refusals(play.combat, who, mine, inputs.targets, inputs.item)


def activate_item(play: Play, who: Id, inputs: ItemOn, base: int) -> Procedure[None]:
    """DEF-MOV-04."""
    mine = find(play.combat[who], inputs.item, "motion")
    assert mine is not None
    yield from takes_effect(play, who, mine, inputs.targets, "activate-item")


ACTIVATE_ITEM = deed(
    "activate-item",
    ItemOn,
    activate_item,
    kind="move",
    requirements=activate_requirements,
    candidates=item_candidates("motion"),
    label="Activate an item by a motion",
    rules=("DEF-MOV-04",),
    provokes=True,
)


def usable(one: Combatant, id: str) -> Item | None:
    """Use-activated, or an oil."""
    mine = arms.item(one, id)
    fits = mine is not None and (mine.activation == "use" or mine.kind == "oil")
    return mine if fits else None


def use_kind(combat: Combat, who: Id, inputs: ItemOn) -> Kind:
    """Applying an oil is the swift action of a charge (DEF-CHG-08)."""
    mine = usable(combat[who], inputs.item)
    oil = mine is not None and mine.kind == "oil" and inputs.pay in (None, "swift")
    return "swift" if in_charge(combat[who]) and oil else "standard"


def use_requirements(play: Play, who: Id, inputs: ItemOn) -> Iterator[Illegal]:
    mine = usable(play.combat[who], inputs.item)
    yield from item_refusals(play.combat, who, mine, inputs.targets, inputs.item)


def use_item(play: Play, who: Id, inputs: ItemOn, base: int) -> Procedure[None]:
    """DEF-STD-03."""
    mine = usable(play.combat[who], inputs.item)
    assert mine is not None
    yield from takes_effect(play, who, mine, inputs.targets, "use-item")


USE_ITEM = deed(
    "use-item",
    ItemOn,
    use_item,
    kind=use_kind,
    requirements=use_requirements,
    candidates=item_candidates("use", "oil"),
    label="Use an item",
    cost="standard; swift for an oil in a charge",
    rules=("DEF-STD-03", "DEF-CHG-08"),
)


def command_requirements(play: Play, who: Id, inputs: ItemOn) -> Iterator[Illegal]:
    mine = find(play.combat[who], inputs.item, "command")
    if mine is None:
        detail = f"{play.combat[who].name} commands no item {inputs.item!r}"
        yield Illegal("DEF-FRE-04", "no-such-item", detail)
    elif mine.effect is not None:
        meant = powers.meant(who, mine.effect, inputs.targets)
        yield from powers.target_refusals(play.combat, who, mine.effect, meant)


def command_item(play: Play, who: Id, inputs: ItemOn, base: int) -> Procedure[None]:
    """DEF-FRE-04."""
    mine = find(play.combat[who], inputs.item, "command")
    assert mine is not None
    yield from takes_effect(play, who, mine, inputs.targets, "command-item")


COMMAND_ITEM = deed(
    "command-item",
    ItemOn,
    command_item,
    kind="free",
    requirements=command_requirements,
    candidates=item_candidates("command"),
    label="Command an item",
    rules=("DEF-FRE-04", "DEF-FRE-01"),
)
