"""The actions `ready-item` and `stow-item`, which use the pack (SOV-ITEM-01)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Carried, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs, windows
from domain.rulesets.sovereign.items import item_of, item_state, items, load_refusals, put_item
from domain.rulesets.sovereign.rules import action
from domain.rulesets.sovereign.sheet import Weapon


class Thing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with the id of an `item` or a `weapon`."""

    item: Carried | None = None
    weapon: OwnWeapon | None = None

    @property
    def field(self) -> str:
        """Return the input field that names the thing."""
        return "weapon" if self.weapon else "item"


def weapon_named(combatant: Combatant, inputs: Thing) -> Weapon | None:
    """Return the weapon that the field `weapon` or the field `item` names."""
    return arms.weapon_of(combatant, inputs.weapon or inputs.item or "")


def where(combatant: Combatant, inputs: Thing) -> str | None:
    """Return the place of the thing, or `None` if the combatant does not have it."""
    weapon = weapon_named(combatant, inputs)
    if weapon is not None:
        return arms.state(combatant, weapon)
    item = item_of(combatant, inputs.item)
    return None if item is None else item_state(combatant, item)


def has_refusals(combatant: Combatant, inputs: Thing, wanted: Sequence[str]) -> Iterator[Illegal]:
    """Refuse a thing that is in none of the `wanted` places."""
    now = where(combatant, inputs)
    if now not in wanted:
        detail = f"{inputs.weapon or inputs.item} is {now or 'not there'}"
        yield refuse("SOV-ITEM-01", "not-readied", detail, inputs.field)


def thing_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every item, then every weapon."""
    combatant = play.combat[who]
    for item in items(combatant):
        yield {"item": item.id}
    for weapon in arms.weapons(combatant):
        yield {"weapon": weapon.id}


def carried(act: Act[Thing], wanted: Sequence[str], item_to: str) -> Iterator[Illegal]:
    """Refuse a part of the body, a thing in another place, or a load that is too heavy."""
    combatant, inputs = act.actor, act.inputs
    weapon = weapon_named(combatant, inputs)
    if weapon is not None and arms.is_body(combatant, weapon):
        yield refuse("SOV-ITEM-01", "not-readied", "nobody carries that", inputs.field)
    else:
        yield from has_refusals(combatant, inputs, wanted)
    item = item_of(combatant, inputs.item)
    if item is not None:
        yield from load_refusals(act.combat, act.who, item, item_to)


def put(
    act: Act[Thing], doing: str, wanted: Sequence[str], weapon_to: str, item_to: str
) -> Procedure[None]:
    """Move a thing out of the pack or into it."""
    who, inputs = act.who, act.inputs
    yield costs.spend(who, "main", "SOV-ITEM-01")
    yield from windows.declared(act.play, who, doing)
    combatant = act.actor
    weapon = weapon_named(combatant, inputs)
    if not (yield from costs.still(who, doing, has_refusals(combatant, inputs, wanted))):
        return
    if weapon is not None:
        yield arms.put(combatant, {weapon.id: weapon_to}, "SOV-ITEM-01")
    elif inputs.item is not None:
        yield put_item(combatant, inputs.item, item_to, "SOV-ITEM-01")


PACKED = ("stowed",)
AT_HAND = ("readied", "in-hand", "sheathed")


@action(
    "ready-item", "Ready an item", Thing,
    cost="Main", category="use", headline="Ready[ {item}][ {weapon}]",
    rules={"SOV-ITEM-01": "Readying or stowing a thing costs a Main"},
    refusals=(*costs.FOR_A_MAIN, lambda act: carried(act, PACKED, "readied")),
    propose=thing_candidates,
)  # fmt: skip
def ready_item(act: Act[Thing]) -> Procedure[None]:
    """Take a thing out of the pack (SOV-ITEM-01)."""
    yield from put(act, "ready-item", PACKED, "sheathed", "readied")


@action(
    "stow-item", "Stow an item", Thing,
    cost="Main", category="use", headline="Stow[ {item}][ {weapon}]",
    rules={}, also=("SOV-ITEM-01",),
    refusals=(*costs.FOR_A_MAIN, lambda act: carried(act, AT_HAND, "stowed")),
    propose=thing_candidates,
)  # fmt: skip
def stow_item(act: Act[Thing]) -> Procedure[None]:
    """Put a thing into the pack (SOV-ITEM-01)."""
    yield from put(act, "stow-item", AT_HAND, "stowed", "stowed")
