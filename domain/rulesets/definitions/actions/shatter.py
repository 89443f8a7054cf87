"""The action `shatter`, a strike at a weapon, a shield or armor (DEF-SHT)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Until
from domain.record.events import ConditionGained, EffectResolved, Term
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import arms, manoeuvre, numbers
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import ATTACK, MELEE, Attempt, priced
from domain.rulesets.definitions.facts import WEAR
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    free_of_grapple,
    in_weapon_reach,
)
from domain.rulesets.definitions.numbers import base_attack, best
from domain.rulesets.definitions.opposed_rolls import Side, contest
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Armor, Shield, Weapon
from domain.rulesets.definitions.states import sheet_of
from domain.rulesets.definitions.strike import Blow, weapon_damage


class Shatter(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None
    item: Literal["weapon", "shield", "armor"] = "weapon"


Thing = Weapon | Shield | Armor


def something_to_strike(act: Act[Shatter]) -> Iterator[Illegal]:
    """Refuse if the target lacks the thing, or has only natural weapons (DEF-SHT-01)."""
    item = act.inputs.item
    if act.inputs.target is None or aim(act.target, item) is not None:
        return
    if item == "weapon" and arms.natural(act.target) is not None:
        detail = f"{act.target.name} fights with its body only"
        yield refuse("DEF-SHT-01", "cannot-shatter", detail, "item")
    else:
        detail = f"{act.target.name} has no {item} to strike at"
        yield refuse("DEF-SHT-01", "no-such-item", detail, "item")


def striking(combatant: Combatant) -> Weapon | None:
    """Return the weapon that the combatant strikes with."""
    return next(iter(arms.melee(combatant)), None)


def aim(combatant: Combatant, item: str) -> tuple[str, Thing] | None:
    """Return the id and the data of the thing to strike, or `None` if the target has none.

    It is the weapon in hand, a shield in a slot, or worn armor.
    """
    things: dict[str, Thing | None] = {
        "weapon": arms.in_hand(combatant),
        "shield": next(iter(arms.shields_in_slots(combatant)), None),
        "armor": sheet_of(combatant).armor,
    }
    thing = things[item]
    id = arms.ARMOR if thing is None or isinstance(thing, Armor) else thing.id
    return None if thing is None or arms.broken(combatant, id) else (id, thing)


@priced(
    "shatter", "Shatter", Shatter, ATTACK, MELEE,
    category="attack", headline="Shatter the {item} of {target}", essential=("target", "item"),
    rules={
        "DEF-SHT-01": "A combatant can shatter a weapon, a shield or armor",
        "DEF-SHT-05": "A shatter that the defender wins has no effect",
    },
    also=("DEF-SHT-02", "DEF-SHT-03", "DEF-MUL-03"),
    refusals=(
        fair_target,
        free_of_grapple,
        Refusal("DEF-WLD-08", "weapon-not-ready", "it has no weapon of the melee ready",
                lambda act: striking(act.actor) is None),
        something_to_strike,
        in_weapon_reach,
    ),
    propose=("target", "item"),
)  # fmt: skip
def shatter(act: Attempt[Shatter]) -> Procedure[None]:
    """Roll opposed attacks. The attempt lowers the aggressor's AC (DEF-SHT-02, DEF-SHT-03)."""
    play, who, target, weapon = act.play, act.who, act.aim, striking(act.actor)
    assert weapon is not None
    until = (Until("turn-start", who=who),)
    yield ConditionGained(who, "shattering", until=until, rules=("DEF-SHT-02",))
    blow = Blow(who, target, weapon, act.place)
    ours = Side(who, "opposed-attack", lambda combatant: blow.now(play.combat).to_hit(play.combat))
    theirs = Side(target, "opposed-attack", lambda combatant: resisting(play.combat, combatant))
    result = yield from contest(play, ours, theirs, "DEF-SHT-03", manoeuvre.beyond(who, target))
    struck_at = aim(play.combat[target], act.inputs.item)
    if result.won and struck_at is not None:
        yield from damaged(play, blow, *struck_at)


@rule("DEF-SHT-03", "Opposed attack rolls decide a shatter")
def resisting(combat: Combat, combatant: Combatant) -> list[Term]:
    """Return the terms of the defender's attack roll.

    The defender uses the first ready weapon, even a bow, or its bare hands.
    """
    for weapon in arms.ready(combatant):
        return numbers.attack_terms(combat, combatant.id, weapon, 0, attack_action=False)
    armor = numbers.hampered(combatant)
    return [
        Term("base attack", base_attack(combatant, 0), "DEF-SHT-03"),
        best(combatant),
        *numbers.plus(combatant, "attack", armor),
    ]


ITEM_DAMAGE = choices("intact", "damaged", "broken")


@rule("DEF-SHT-04", "The item takes the damage of a shatter")
def damaged(play: Play, blow: Blow, id: str, thing: Thing) -> Procedure[None]:
    """Deal damage to the item, less its hardness. At 0 points, the item is broken."""
    who, target = blow.attacker, blow.target
    rolled = yield from weapon_damage(play, blow, critical=False)
    dealt, hardness = max(1, rolled.total), thing.hardness or 0
    amount = max(0, dealt - hardness)
    sum_ = (
        {"dealt": dealt, "hardness": hardness, "damage": amount} if hardness else {"damage": amount}
    )
    wear = WEAR.of(play.combat[target])
    if thing.item_hp is not None:
        left = max(0, wear.get(id, thing.item_hp) - amount)
        yield WEAR.set(target, {**wear, id: left}, rules=("DEF-SHT-04",))
        result = "damaged" if left else "broken"
        yield struck(who, target, id, thing, result, {**sum_, "left": left})
        return
    answer = yield from ask_gm(
        "item-damage",
        f"{who} strikes {target}'s {thing.name} for {amount}. What happens to it?",
        ITEM_DAMAGE,
        "damaged",
        rules=("DEF-SHT-04",),
        data={"combatant": target, "item": id, "damage": amount},
    )
    if answer.option == "broken":
        wear = WEAR.of(play.combat[target])
        yield WEAR.set(target, {**wear, id: 0}, rules=("DEF-SHT-04",))
    yield struck(who, target, id, thing, answer.option, sum_)


def struck(
    who: Id, target: Id, id: str, thing: Thing, result: str, numbers: Mapping[str, int]
) -> EffectResolved:
    """Return the event that reports the state of a struck item: intact, damaged or broken.

    Only the side of the item's owner sees the numbers.
    """
    rules = ("DEF-SHT-04",)
    return EffectResolved(
        target, "item", id, result, thing.name, by=who, numbers=numbers, rules=rules
    )
