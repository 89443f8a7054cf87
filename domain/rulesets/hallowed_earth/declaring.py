"""Declaring: what, with which modifier, in which order (HE-DECL, HE-MOD)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, FactSet, Noted
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulesets.hallowed_earth.numbers import (
    counting,
    current,
    has_lost,
    modifier,
    options,
    sheet,
    weapon_of,
)
from domain.rulesets.hallowed_earth.sheet import Ability, Item, Spell


class Attacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare: `weapon`; at its number: `target` (a target named before does not bind)."""

    weapon: str | None = None
    target: Id | None = None


class Casting(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare: `spell`; then `target` or `targets`; `stress_paid`: Mana that Stress pays."""

    spell: str | None = None
    target: Id | None = None
    targets: tuple[Id, ...] = ()
    stress_paid: int | None = None


class UsingItem(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare: `item`; then `target`, by default whoever uses it."""

    item: str | None = None
    target: Id | None = None


class UsingAbility(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare a standard one: `ability`; then `target` or `targets`."""

    ability: str | None = None
    target: Id | None = None
    targets: tuple[Id, ...] = ()
    stress_paid: int | None = None


class Aiming(Struct, frozen=True, forbid_unknown_fields=True):
    target: Id | None = None


class Checking(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare: `skill`; then `tn`, the number to reach."""

    skill: str | None = None
    tn: int | None = None


INPUTS: Mapping[str, type[Struct]] = {
    "attack": Attacking,
    "defensive-attack": Attacking,
    "cast": Casting,
    "use-item": UsingItem,
    "throw-item": UsingItem,
    "full-defense": NoInputs,
    "stabilize": Aiming,
    "intimidate": Aiming,
    "use-ability": UsingAbility,
    "skill-check": Checking,
    "no-action": NoInputs,
}

TOOLS: Mapping[str, str] = {
    "attack": "weapon",
    "defensive-attack": "weapon",
    "cast": "spell",
    "use-item": "item",
    "throw-item": "item",
    "use-ability": "ability",
    "skill-check": "skill",
}
"""The input that fixes an action's modifier, and so binds (HE-DECL-02)."""


# ---- things


def spell_of(one: Combatant, id: str | None) -> Spell | None:
    return next((spell for spell in sheet(one).spells if spell.id == id), None)


def ability_of(one: Combatant, id: str | None) -> Ability | None:
    return next((ability for ability in sheet(one).abilities if ability.id == id), None)


def item_of(one: Combatant, id: str | None) -> Item | None:
    """The item, if at least one is left (HE-ITEM-01)."""
    for item in sheet(one).items:
        used = one.facts.get("used", {}).get(item.id, 0)
        if item.id == id and item.quantity > used and not has_lost(one, f"item:{item.id}"):
            return item
    return None


def spell_speed(spell: Spell) -> int:
    """Casting TN − 10, unless the spell states another value (HE-MOD-08)."""
    return spell.speed if spell.speed is not None else (spell.casting_tn or 10) - 10


# ---- what can be declared


def action_modifier(one: Combatant, action: str, tool: str | None) -> int | None:
    """What the declaration adds to Base Initiative (HE-MOD); None = there is no such thing."""
    weapon, item = weapon_of(one, tool), item_of(one, tool)
    spell, ability = spell_of(one, tool), ability_of(one, tool)
    match action:
        case "attack":  # HE-MOD-01; thrown weapons too (HE-MOD-11)
            return weapon.speed if weapon else None
        case "cast":  # HE-MOD-02
            return spell_speed(spell) if spell else None
        case "use-item":  # HE-MOD-03
            return item.use_speed if item else None
        case "throw-item":  # HE-MOD-04
            return item.throw_speed if item else None
        case "full-defense":  # HE-MOD-05
            return -1
        case "defensive-attack":  # HE-MOD-06, -07
            if tool is None:
                return 1
            return weapon.speed + 1 if weapon else None
        case "use-ability":  # HE-MOD-10
            standard = ability is not None and ability.cost == "standard"
            return ability.initiative_modifier if ability and standard else None
        case _:  # HE-MOD-10
            return 0


def _refusals(action: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        """One declaration a round (HE-DECL-12), of something that is there (HE-DECL-15)."""
        one = play.combat[who]
        for prompt in play.combat.prompts.values():
            if prompt.kind == "declare" and prompt.who == who and prompt.answer is not None:
                detail = f"{one.name} has declared for this round"
                yield Illegal("HE-DECL-12", "already-declared", detail)
        tool = getattr(inputs, TOOLS[action]) if action in TOOLS else None
        if action == "skill-check" and tool is None:
            skills = tuple(sheet(one).skills)
            yield Illegal("HE-DECL-02", "no-item", "name the skill", skills)
        elif action_modifier(one, action, tool) is None:
            there = tuple(each for each in things(one, action) if each is not None)
            detail = f"{one.name} has no {TOOLS[action]} {tool or ''}".rstrip()
            yield Illegal("HE-DECL-15", "no-item", detail, there)

    return refusals


def things(one: Combatant, action: str) -> list[str | None]:
    """What the action can be declared with."""
    card = sheet(one)
    match action:
        case "attack":
            return [each.id for each in card.weapons if weapon_of(one, each.id)]
        case "defensive-attack":
            return [None, *(each.id for each in card.weapons if weapon_of(one, each.id))]
        case "cast":
            return [each.id for each in card.spells]
        case "use-item" | "throw-item":
            return [each.id for each in card.items if item_of(one, each.id)]
        case "use-ability":
            return [each.id for each in card.abilities if each.cost == "standard"]
        case _:
            return list(card.skills) or ["perception"]


def _candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        if action not in TOOLS:
            yield {}
            return
        for tool in things(play.combat[who], action):
            yield {} if tool is None else {TOOLS[action]: tool}

    return candidates


DECLARATIONS: tuple[Option, ...] = tuple(
    Option(action, inputs, _refusals(action), _candidates(action))
    for action, inputs in INPUTS.items()
)


def prompt(combat: Combat, who: Id) -> Prompt:
    """What does `who` declare? Its modifiers are shown."""
    one = combat[who]
    return Prompt(
        kind="declare",
        name="declare",
        who=who,
        text=f"What does {who} do this round?",
        options=DECLARATIONS,
        rules=("HE-DECL-01",),
        default="no-action",
        data={
            "base_initiative": one.facts.get("base_initiative"),
            "modifiers": {
                action: {
                    tool or "none": action_modifier(one, action, tool)
                    for tool in things(one, action)
                }
                for action in ("attack", "defensive-attack", "cast", "use-item", "throw-item")
            },
        },
        stands=lambda now: stands(now, who),
    )


def stands(combat: Combat, who: Id) -> bool:
    """Until the GM closes the step (HE-DECL-14), skips the round, or it is dead."""
    asks = combat.phase == "declare" or counting(combat)
    return asks and not combat.facts.get("closing") and not combat[who].has("dead")


def declared(combat: Combat, who: Id, action: str, inputs: Any) -> Iterator[AnyEvent]:
    """Fix a declaration and the Round Initiative that follows (HE-INIT-07), for all to see."""
    one = combat[who]
    tool = getattr(inputs, TOOLS[action]) if action in TOOLS else None
    modifies = action_modifier(one, action, tool) or 0
    number = int(one.facts["base_initiative"]) + modifies
    record: dict[str, Json] = {"action": action, "modifier": modifies}
    if tool is not None:
        record[TOOLS[action]] = tool
    target = getattr(inputs, "target", None)
    if target is not None:
        record["target"] = target
    yield FactSet(who, "declared", record, rules=("HE-DECL-01", "HE-DECL-02"))
    yield FactSet(who, "round_initiative", number, rules=("HE-INIT-07", "HE-INIT-08"))
    text = f"declares {action} {tool or ''}".rstrip()
    yield Noted(f"{text}: {modifies:+d}, acts at {number}", who, rules=("HE-INIT-07",))


# ---- the order of declaring


def may_declare(one: Combatant) -> bool:
    """Not surprised and not dead (HE-DECL-01, HE-SURP-03)."""
    return not one.left and not one.has("surprised", "dead")


def order(combat: Combat) -> list[Id]:
    """Who still has to declare, in the table's order; equal values by joining (HE-DECL-10)."""
    waiting = [
        one.id
        for one in combat
        if may_declare(one) and "declared" not in one.facts and "base_initiative" in one.facts
    ]
    match combat.facts.get("declare_order") or options(combat).declare_order:
        case "clockwise":  # HE-DECL-04
            return _seated(combat, waiting)
        case "counterclockwise":  # HE-DECL-05: the other way round the table
            return _seated(combat, waiting, backwards=True)
        case "agility":  # HE-DECL-06
            return sorted(waiting, key=lambda who: -current(combat[who], "agility"))
        case "initiative-modifier":  # HE-DECL-07
            return sorted(waiting, key=lambda who: own_modifier(combat, combat[who]))
        case _:  # HE-DECL-08
            return waiting


def own_modifier(combat: Combat, one: Combatant) -> int:
    """−Agility modifier + Σ initiative modifiers: what is added to the die (HE-INIT-02, -03)."""
    others = sum(each.value for each in sheet(one).initiative_modifiers)
    return others - modifier(combat, one, "agility")


def _seated(combat: Combat, waiting: list[Id], *, backwards: bool = False) -> list[Id]:
    """By seating, from the Referee's left; who has no seat sits after the others."""
    seats = list(options(combat).seating)
    joined = [one.id for one in combat]

    def seat(who: Id) -> tuple[int, int]:
        names = (who, combat[who].name)
        at = next((seats.index(name) for name in names if name in seats), len(seats))
        return (at, joined.index(who))

    return sorted(waiting, key=seat, reverse=backwards)
