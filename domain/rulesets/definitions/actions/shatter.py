"""`shatter`: strike at a weapon, a shield or armor (DEF-SHT)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Until
from domain.record.events import ConditionGained, EffectResolved, Term
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import arms, manoeuvre, numbers
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import deed
from domain.rulesets.definitions.facts import WEAR
from domain.rulesets.definitions.numbers import base_attack, best
from domain.rulesets.definitions.opposed_rolls import Side, contest
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Armor, Shield, Weapon
from domain.rulesets.definitions.states import sheet_of
from domain.rulesets.definitions.strike import Blow, weapon_damage


class Shatter(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Enemy] = None
    item: Literal["weapon", "shield", "armor"] = "weapon"


Thing = Weapon | Shield | Armor


@rule("DEF-SHT-01", "Shatter a weapon, a shield, armor")
def requirements(play: Play, who: Id, inputs: Shatter) -> Iterator[Illegal]:
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from manoeuvre.free_of_grapple(combat, who)
    weapon = striking(combat[who])
    if weapon is None:
        yield Illegal("DEF-WLD-08", "weapon-not-ready", "it has no weapon of the melee ready")
    if inputs.target is None:
        return
    if aim(combat[inputs.target], inputs.item) is None:
        natural = inputs.item == "weapon" and arms.natural(combat[inputs.target]) is not None
        if natural:
            detail = f"{combat[inputs.target].name} fights with its body only"
            yield Illegal("DEF-SHT-01", "cannot-shatter", detail)
        else:
            detail = f"{combat[inputs.target].name} has no {inputs.item} to strike at"
            yield Illegal("DEF-SHT-01", "no-such-item", detail)
    yield from manoeuvre.weapon_reach(combat, who, inputs.target)


def striking(combatant: Combatant) -> Weapon | None:
    """The weapon with which it strikes."""
    return next(iter(arms.melee(combatant)), None)


def aim(combatant: Combatant, item: str) -> tuple[str, Thing] | None:
    """Return the target of the strike with its id: weapon in hand, shield in a slot, worn armor."""
    things: dict[str, Thing | None] = {
        "weapon": arms.in_hand(combatant),
        "shield": next(iter(arms.shields_in_slots(combatant)), None),
        "armor": sheet_of(combatant).armor,
    }
    thing = things[item]
    id = arms.ARMOR if thing is None or isinstance(thing, Armor) else thing.id
    return None if thing is None or arms.broken(combatant, id) else (id, thing)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for other in play.combat:
        if other.id != who:
            for item in ("weapon", "shield", "armor"):
                yield {"target": other.id, "item": item}


@rule("DEF-SHT-05", "Won by the defender: nothing")
def shatter(play: Play, who: Id, inputs: Shatter, place: int) -> Procedure[None]:
    """Opposed attacks; the attempt itself opens the aggressor's guard (DEF-SHT-02, -03,
    DEF-SHT-05).
    """
    target, weapon = inputs.target, striking(play.combat[who])
    assert target is not None
    assert weapon is not None
    until = (Until("turn-start", who=who),)
    yield ConditionGained(who, "shattering", until=until, rules=("DEF-SHT-02",))
    blow = Blow(who, target, weapon, place)
    ours = Side(who, "opposed-attack", lambda combatant: blow.now(play.combat).to_hit(play.combat))
    theirs = Side(target, "opposed-attack", lambda combatant: resisting(play.combat, combatant))
    result = yield from contest(play, ours, theirs, "DEF-SHT-03", manoeuvre.beyond(who, target))
    found = aim(play.combat[target], inputs.item)
    if result.won and found is not None:
        yield from damaged(play, blow, *found)


@rule("DEF-SHT-03", "Opposed attacks")
def resisting(combat: Combat, combatant: Combatant) -> list[Term]:
    """Its highest attack bonus with its weapon, a bow too, or with bare hands (DEF-SHT-03)."""
    for weapon in arms.ready(combatant):
        return numbers.attack_terms(combat, combatant.id, weapon, 0, attack_action=False)
    armor = numbers.hampered(combatant)
    return [
        Term("base attack", base_attack(combatant, 0), "DEF-SHT-03"),
        best(combatant),
        *numbers.plus(combatant, "attack", armor),
    ]


ITEM_DAMAGE = choices("intact", "damaged", "broken")


@rule("DEF-SHT-04", "The item takes the damage")
def damaged(play: Play, blow: Blow, id: str, thing: Thing) -> Procedure[None]:
    """The item takes the damage, less its hardness; at 0 it is broken (DEF-SHT-04)."""
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
        f"{who} strikes {thing.name} of {target} for {amount}. What becomes of it?",
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
    """Return the result for the thing. Its numbers are for its owner's side."""
    rules = ("DEF-SHT-04",)
    return EffectResolved(
        target, "item", id, result, thing.name, by=who, numbers=numbers, rules=rules
    )


SHATTER = deed(
    "shatter",
    Shatter,
    shatter,
    kind="attack",
    requirements=requirements,
    candidates=candidates,
    label="Shatter",
    rules=("DEF-SHT-01", "DEF-SHT-02", "DEF-SHT-03", "DEF-SHT-05", "DEF-MUL-03"),
    melee=True,
).shown("attack", "Shatter the {item} of {target}", "target", "item")
