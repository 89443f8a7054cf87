"""Provide minimal sheets, and functions that begin and continue a fight."""

from collections.abc import Mapping
from typing import Any

from domain.engine.commands import Act, Reply
from domain.record.combat import StandingOrder
from tests.spec import Spec


def fighter(name: str, side: str = "heroes", **fields: Any) -> dict[str, Any]:
    """Return a sheet with 1 hit die, 20 HP, AC 10, no bonuses and no weapon, at `[0, 0]`."""
    return {
        "name": name, "side": side, "hit_dice": 1, "max_hp": 20, "base_attack_bonus": 0,
        "initiative_bonus": 0, "at": [0, 0], **fields,
    }  # fmt: skip


def foe(name: str, **fields: Any) -> dict[str, Any]:
    """Return a sheet like that of `fighter`, but on the side `foes` and at `[1, 0]`."""
    return fighter(name, "foes", **{"at": [1, 0], **fields})


def weapon(id: str, damage: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "damage": damage, **fields}


SWORD = weapon("sword", "1d8", damage_type="slashing")
AXE = weapon("axe", "1d12", hands=2)
DAGGER = weapon("dagger", "1d4", damage_type="piercing", grapple_ok=True)
SPEAR = weapon("spear", "1d8", reach=True, damage_type="piercing")
BOW = weapon("bow", "1d6", kind="ranged", range_ft=60)
FIST = weapon("unarmed", "1d4", kind="natural", damage_type="blunt")
BITE = weapon("bite", "1d6", kind="natural", damage_type="piercing")
SHIELD = {"id": "shield", "kind": "full", "name": "shield"}
PASS = StandingOrder("reaction", "pass")


def fight(
    spec: Spec,
    *sheets: Mapping[str, Any],
    order: tuple[str, ...] = (),
    death_roll: str = "all-equal",
    rulings: str = "default",
    **options: Any,
) -> Spec:
    """Begin a fight in the order of `order`, or else in the order of `sheets`.

    Each combatant rolls a lower initiative face than the combatant before it. An initiative bonus
    on a sheet can therefore change the order. With `rulings="default"`, the GM's prompts take their
    defaults.
    """
    spec.given(*sheets, death_roll=death_roll, rulings=rulings, **options)
    names = [str(sheet["name"]) for sheet in sheets]
    first = list(order or names)
    faces = {name: 20 - first.index(name) for name in names}
    return spec.begin(*(("initiative", faces[name]) for name in names))


def passes(spec: Spec, *who: str) -> Spec:
    """Let combatants pass every reaction from now on."""
    for name in who:
        spec.orders(name, PASS)
    return spec


def end(spec: Spec, *who: str) -> Spec:
    """End the turns of combatants."""
    for name in who:
        spec.act(name, "end-turn")
    return spec


def hold(
    spec: Spec,
    who: str,
    action: str | None,
    trigger: Mapping[str, Any] | None,
    *,
    slot: str = "standard",
    attacks: int = 1,
    **inputs: Any,
) -> Spec:
    """Let `who` hold an action, by name and `inputs`, for a trigger."""
    held = None if action is None else {"action": action, "inputs": inputs, "attacks": attacks}
    return spec.do(Act(who, "hold-action", {"slot": slot, "action": held, "trigger": trigger}))


def decide(spec: Spec, option: str, inputs: Mapping[str, Any], *dice: tuple[Any, ...]) -> Spec:
    """Answer the only open prompt as the GM, with inputs of any name."""
    (id,) = spec.live.open_prompts()
    return spec.do(Reply(id, option, inputs), *dice)


def turn_of(spec: Spec) -> str | None:
    """Return the combatant on turn."""
    return spec.combat.acting[0] if spec.combat.acting else None


def order_of(spec: Spec) -> list[str]:
    """Return the order of the combatants for all rounds."""
    return [place.who for place in spec.combat.order]


def shown(spec: Spec, who: str) -> Mapping[str, Any]:
    """Return the numbers that the rulebook derives for `who`."""
    return spec.ruleset.derived(spec.combat, who)


def left(spec: Spec, who: str) -> Mapping[str, Any]:
    """Return the remaining budget of the turn."""
    budget: Mapping[str, Any] = shown(spec, who)["budget"]
    return budget


def at(spec: Spec, who: str) -> tuple[int, int] | None:
    """Return the square of `who` without its height."""
    position = spec[who].position
    return None if position is None else position[:2]
