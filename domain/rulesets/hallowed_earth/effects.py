"""Effects of spells, items and abilities, from their data (HE-MAG)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import EffectResolved, Noted, Rolled, Term
from domain.rulebook.effects import Pause, Procedure, ask_anew, roll, stopped_by, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.hallowed_earth import attack, injuries
from domain.rulesets.hallowed_earth.attack import Attacks, Blow, of_attack
from domain.rulesets.hallowed_earth.conditions import gained
from domain.rulesets.hallowed_earth.count import simultaneous
from domain.rulesets.hallowed_earth.harm import Harm, heal_stress, heal_wounds, suffer
from domain.rulesets.hallowed_earth.numbers import armour
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import (
    Ability,
    Attack,
    Damage,
    Gift,
    Heals,
    Item,
    Pools,
    Spell,
    sheet,
)


@dataclass(frozen=True)
class Effect:
    """The effect of a spell, an item or an ability, from its data."""

    kind: str
    name: str
    range_ft: int | None = None
    attack: Attack | None = None
    damage: Damage | None = None
    heals: Heals | None = None
    conditions: tuple[Gift, ...] = ()
    text: str | None = None
    is_ability: bool = False

    @property
    def does(self) -> bool:
        """Return true if the data describe an attack, damage, healing or a condition."""
        return bool(self.attack or self.damage or self.heals or self.conditions)

    @property
    def blow(self) -> Blow | None:
        """Return the attack of the effect."""
        return of_attack(self.kind, self.name, self.attack, self.range_ft)


def of_spell(power: Spell | Ability) -> Effect:
    """Return the effect of a spell or an ability."""
    return Effect(
        "spell", power.id, power.range_ft, power.attack, power.damage, power.heals,
        power.conditions, power.effect, isinstance(power, Ability),
    )  # fmt: skip


def of_item(item: Item) -> Effect:
    text = item.effect
    if item.heals is None and not item.conditions and text is None:
        text = f"{item.id} is used"
    return Effect("item", item.id, heals=item.heals, conditions=item.conditions, text=text)


def of_thrown(item: Item) -> Effect:
    """Return the effect of a thrown item (sections 4.1 and 5).

    If the item has no `throw` data, the GM decides the effect.
    """
    text = item.effect if item.throw is not None else item.effect or f"{item.id} is thrown"
    return Effect("thrown", item.id, attack=item.throw, text=text)


def came_of(
    who: Id, effect: Effect, result: str, targets: Sequence[Id] = (), *, rule: str = ""
) -> EffectResolved:
    """Return the event with the result of an effect."""
    kind: Literal["spell", "ability", "item"] = "spell" if effect.kind == "spell" else "item"
    kind = "ability" if effect.is_ability else kind
    rules = (rule or _RULES[kind],)
    return EffectResolved(who, kind, effect.name, result, "", tuple(targets), rules=rules)


_RULES = {"spell": "HE-MAG-01", "ability": "HE-STRESS-06", "item": "HE-ITEM-01"}
"""The rule behind an effect, by the kind of its source."""


def effect_now(combatant: Combatant, effect: Effect) -> Effect:
    """Return the effect with the data of the current sheet.

    If the spell, ability or item no longer exists, return the effect unchanged.
    """
    card = sheet(combatant)
    if effect.kind == "spell":
        powers: tuple[Spell | Ability, ...] = (*card.spells, *card.abilities)
        return next((of_spell(power) for power in powers if power.id == effect.name), effect)
    made = of_item if effect.kind == "item" else of_thrown
    return next((made(item) for item in card.items if item.id == effect.name), effect)


# ---- the effect


@rule("HE-MAG-03", "A spell's attack roll is an attack")
def take_effect(
    play: Play, who: Id, targets: Sequence[Id], effect: Effect, doing: str, *, tied: bool = False
) -> Procedure[Attacks]:
    """Roll the dice, then apply the results. Return the attacks made.

    - In a tied slot, the results wait until all combatants have rolled (HE-TIE-03).
    - If the effect has only a text, the GM decides the result.
    - The attack of an effect follows the usual rules of attacks (HE-MAG-03).
    - If the attack misses, the target suffers no other effect (HE-ATK-03).
    """
    waiting: attack.Fallen = []
    touched = set(targets)
    harms: list[tuple[Id, Harm]] = []
    healings: list[tuple[Id, str, Rolled]] = []
    if effect.blow is not None:
        blows = [(target, effect.blow) for target in targets]
        waiting, touched = yield from attack.strikes(play, who, blows, doing, tied=tied)

    def now() -> Effect:
        return effect_now(play.combat[who], effect)

    def formula(pool: str) -> str | None:
        heals = now().heals
        dice: str | None = None if heals is None else getattr(heals, pool)
        return dice

    def healing(pool: str, before: str) -> str:
        return formula(pool) or before

    def dice(target: Id) -> Procedure[None]:
        if (told := effect.damage) is not None:
            harm = yield from _damage(play, who, target, lambda: now().damage or told)
            harms.append((target, harm))
        for pool in ("stress", "wound_points"):
            if (before := formula(pool)) is not None:
                points = partial(healing, pool, before)
                rolled = yield from roll(
                    who, "healing", points, rules=("HE-WP-09",), against=target
                )
                healings.append((target, pool, rolled))

    def away(play: Play, target: Id) -> Illegal | None:
        """Return the refusal if the target is out of range before the dice are rolled."""
        if simultaneous(play.combat):
            return None
        return next(attack.beyond(play.combat, who, target, effect.range_ft, effect.name), None)

    for target in targets:
        if target in touched and not play.combat[target].left:
            rolling = stopped_by(play, who, dice(target), doing, partial(away, play, target))
            yield from while_able(play, who, rolling, doing, at=target)
    yield Pause("results")
    met = [target for target in targets if target in touched and not play.combat[target].left]
    if not met:
        yield came_of(who, effect, "no-effect", targets)
    elif effect.does or effect.text is None:
        yield came_of(who, effect, "done", met)
    for hit, injured in waiting:
        yield from attack.land(play, hit, injured)
    here = [target for target in targets if not play.combat[target].left]
    for target, harm in harms:
        if target in here:
            yield from suffer(play, target, harm)
    for target, pool, rolled in healings:
        heal = heal_stress if pool == "stress" else heal_wounds
        if target in here:
            yield from heal(play, target, max(0, rolled.total), who)
    for target in here:
        if target in touched:
            if effect.heals is not None and effect.heals.injury is not None:
                yield from injuries.heal(play, target, effect.heals.injury)
            yield from bestow(play, target, effect.conditions, who)
        if effect.text is not None and not play.combat[target].left:
            ruled, gone = _ruled(play, who, target, effect), partial(play.absent, target)
            yield from stopped_by(play, who, ruled, doing, gone)
    return [(who, target) for target in targets] if effect.attack is not None else []


def bestow(
    play: Play, target: Id, gifts: tuple[Gift, ...], source: Id | None = None
) -> Procedure[None]:
    """Give the conditions of the data to the target (GAP-06)."""
    for gift in gifts:
        yield gained(
            play.combat, target, gift.id, rounds=gift.duration, side=gift.side, source=source
        )


@rule("HE-ARM-05", "Armour does not lower damage without an attack roll, unless data say so")
def _damage(play: Play, who: Id, target: Id, now: Callable[[], Damage]) -> Procedure[Harm]:
    """Roll damage without an attack. Armour counts only if the data say so (HE-ARM-05).

    The damage goes to Stress first, unless the data say otherwise (GAP-30).
    """
    rolled = yield from roll(
        who, "damage", lambda: now().formula, rules=("HE-ARM-05",), against=target
    )
    damage = now()
    amount = max(0, rolled.total)
    off = 0 if damage.ignores_armour else min(amount, armour(play.combat[target]).value)
    terms = (Term("damage", amount, "HE-ARM-05"), Term("Armour", -off, "HE-ARM-05"))
    to_wounds, rules = damage.direct_to_wounds, ("HE-ARM-05",)
    return Harm(amount - off, damage.types, terms, to_wounds, source=who, rules=rules)


class RuledHarm(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of damage by the GM. `to` names the pool that loses points first (GAP-30)."""

    amount: Annotated[int, Meta(ge=0, le=100_000)]
    type: str = "other"
    to: Pools = "stress-first"


class RuledHealing(Struct, frozen=True, forbid_unknown_fields=True):
    stress: Annotated[int, Meta(ge=0, le=100_000)] = 0
    wound_points: Annotated[int, Meta(ge=0, le=100_000)] = 0


class RuledConditions(Struct, frozen=True, forbid_unknown_fields=True):
    conditions: Annotated[tuple[Gift, ...], Meta(min_length=1, max_length=20)]


CONSEQUENCES: tuple[Option, ...] = (
    Option("damage", RuledHarm, candidates=lambda play, who: ({"amount": 2},), label="It hurts"),
    Option(
        "healing", RuledHealing, candidates=lambda play, who: ({"stress": 2},), label="It heals"
    ),
    Option(
        "conditions",
        RuledConditions,
        candidates=lambda play, who: ({"conditions": [{"id": "prone"}]},),
        label="It brings these conditions",
    ),
    Option("nothing"),
)

WITHOUT_BREATH = tuple(option for option in CONSEQUENCES if option.id != "healing")
"""The possible results of lost breath (HE-BLUNT-15)."""


def _ruled(play: Play, who: Id, target: Id, effect: Effect) -> Procedure[None]:
    """Ask the GM for the result of an effect in free text (sections 2.3 to 2.5).

    In a tied slot, the answer is a result of the slot (HE-TIE-03).
    """

    def question(now: Combat) -> Prompt:
        there = not now[who].left
        of = f"{who}'s {effect.name}" if there else effect.name
        source = who if there else None
        return Prompt(
            kind="ruling",
            name="effect",
            who=None,
            text=f"What does {of} do to {target}?",
            options=CONSEQUENCES,
            rules=("HE-SEQ-04",),
            default="nothing",
            data={"source": source, "target": target, "effect": effect.text or ""},
        )

    answer = yield from ask_anew(play.combat, question)
    nothing = answer.option == "nothing"
    if nothing or not effect.does:
        result = "no-effect" if nothing else "done"
        yield came_of(who, effect, result, (target,), rule="HE-SEQ-04")
    if nothing:
        return
    yield from consequence(play, target, answer.option, answer.inputs, who)


def consequence(
    play: Play, target: Id, option: str, inputs: Any, source: Id | None = None
) -> Procedure[None]:
    """Apply the GM's ruling: damage, healing or conditions."""
    match option:
        case "damage":
            to_wounds = inputs.to == "wound-points"
            harm = Harm(inputs.amount, (inputs.type,), (), to_wounds, source, hit=False)
            yield from suffer(play, target, harm)
        case "healing":
            if inputs.stress:
                yield from heal_stress(play, target, inputs.stress, source)
            if inputs.wound_points:
                yield from heal_wounds(play, target, inputs.wound_points, source)
        case "conditions":
            yield from bestow(play, target, inputs.conditions)
        case _:
            yield Noted("nothing happens", target)
