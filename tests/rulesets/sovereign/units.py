"""Provide minimal sheets, and functions that begin and continue a fight."""

from collections.abc import Mapping
from typing import Any

from domain.record.combat import StandingOrder
from tests.spec import Spec

SKILLS = ("brawl", "shoot", "stab", "exert", "heal", "know", "magic", "notice", "sneak")


def hero(name: str, side: str = "party", **fields: Any) -> dict[str, Any]:
    """Return a character with skills 0, AC 10 and 10 hit points by default."""
    skills = {**dict.fromkeys(SKILLS, 0), **fields.pop("skills", {})}
    return {
        "name": name, "side": side, "kind": "character", "at": [0, 0], "max_hp": 10, "ac": 10,
        "skills": skills, **fields,
    }  # fmt: skip


def npc(name: str, side: str = "foes", **fields: Any) -> dict[str, Any]:
    """Return an NPC without attributes and skills, and with attack bonus 1."""
    return {
        "name": name, "side": side, "kind": "npc", "at": [1, 0], "max_hp": 10, "ac": 10,
        "attack_bonus": 1, "morale": "fearless", **fields,
    }  # fmt: skip


def weapon(id: str, damage: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "kind": "melee", "damage": damage, **fields}


SWORD = weapon("sword", "1d8")
MACE = weapon("mace", "1d6")
SPEAR = weapon("spear", "1d6", shock={"value": 2, "ac": 15})
DAGGER = weapon("dagger", "1d4", shock={"value": 1, "ac": 15}, attributes=["str", "dex"])
BOW = weapon("bow", "1d6", kind="bow", range={"normal": 50, "long": 300})
KNIFE = weapon("knife", "1d4", kind="thrown", range={"normal": 10, "long": 30})
FISTS = {"damage": "1d2"}
PASS = StandingOrder("instant", "pass")


def fight(
    spec: Spec,
    *sheets: Mapping[str, Any],
    party: int = 8,
    asks: tuple[str, ...] = (),
    rulings: str = "default",
    **options: Any,
) -> Spec:
    """Begin a fight. The side `party` rolls `party` for initiative, and other sides roll 1.

    Combatants in `asks` get prompts for Instants. The others have the standing order to pass.
    """
    spec.given(*sheets, rulings=rulings, **options)
    for sheet in sheets:
        if sheet["name"] not in asks:
            spec.orders(sheet["name"], PASS)
    sides = list(dict.fromkeys(sheet["side"] for sheet in sheets))
    dice = [("initiative", party if side == "party" else 1) for side in sides]
    if rulings == "ask":
        return spec.begin().answer(None, "nobody", *dice)
    return spec.begin(*dice)


def passes(spec: Spec, *who: str) -> Spec:
    """Let combatants pass every instant from now on."""
    for name in who:
        spec.orders(name, PASS)
    return spec


def end(spec: Spec, *who: str) -> Spec:
    """End the turns of combatants."""
    for name in who:
        spec.act(name, "end-turn")
    return spec


def main(spec: Spec, who: str) -> int:
    return spec[who].budget["main"]


def move(spec: Spec, who: str) -> int:
    return spec[who].budget["move"]


def ac(spec: Spec, who: str) -> Any:
    return spec.ruleset.derived(spec.combat, who)["effective_ac"]
