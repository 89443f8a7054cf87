"""Roll attacks with a routine against a combatant or an object (VD-ATK)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from msgspec import Struct, structs

from domain.dice import parse
from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, ConditionGained, EffectResolved, Noted, Rolled, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm, roll
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.sums import Sum
from domain.rulesets.vile_darkness.facts import CIRCUMSTANCES, LOADED, OBJECTS, Circumstance, Thing
from domain.rulesets.vile_darkness.harm import (
    Gift,
    Hurt,
    Result,
    Results,
    Said,
    Then,
    break_all,
    saved,
    stop_maintaining,
)
from domain.rulesets.vile_darkness.numbers import (
    Source,
    ac_terms,
    by_name,
    engaged_with,
    fallen,
    is_immune,
    needed_sum,
    options,
    sheet,
    source_of,
)
from domain.rulesets.vile_darkness.routines import Blow, Use, blow_now, illegal
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Modifier, Multiplier, Number
from domain.rulesets.vile_darkness.targets import Object, Target, single

# ---- a use of a routine


@dataclass(frozen=True)
class Terms:
    """The terms of one use of a routine.

    - `attack`: the terms to add to each attack roll.
    - `ac`: the terms to add to the target's Armour Class.
    - `circumstances`: the names of the circumstances whose multipliers apply.
    - `reaction`: true if the attack breaks the attacker's concentration (VD-FREE-07).
    """

    attack: tuple[Term, ...] = ()
    ac: tuple[Term, ...] = ()
    circumstances: tuple[str, ...] = ()
    reaction: bool = False


@dataclass(frozen=True)
class Strike:
    """One use of a routine against a target.

    If the target is an object, `thing` names it and `target` is empty (VD-ROUT-02).
    """

    attacker: Id
    target: Id
    use: Use
    terms: Terms = Terms()
    thing: str = ""

    @property
    def at(self) -> str:
        """Return the target or the object, for the text of a prompt."""
        return self.target or self.thing


@dataclass(frozen=True)
class Foil:
    """The reason why a hit has no effect. If `obvious` is true, everybody learns the reason."""

    cause: str
    obvious: bool


@rule(
    "VD-FOIL-01",
    "An attack against a barrier or an immunity is rolled but fails, even on a natural 20",
)
def foil(combat: Combat, strike: Strike, blow: Blow) -> Foil | None:
    """Return the barrier or immunity that makes a hit fail, or `None` (VD-FOIL-01)."""
    if strike.thing:
        return None  # an object has neither barriers nor immunities
    attacker, card = combat[strike.attacker], sheet(combat[strike.target])
    if strike.use.kind == "melee":  # a missile makes no contact (GAP-37)
        names = ("all", attacker.name, attacker.id, attacker.side)
        barriers = [
            barrier.obvious for barrier in card.contact_barriers if barrier.against in names
        ]
        if barriers:
            return Foil("hedged", any(barriers))
    tags = set(blow.weapon.tags) if blow.weapon else set[str]()
    immune = [
        attack_immunity.obvious
        for attack_immunity in card.attack_immunities
        if is_form(attack_immunity.to, tags)
    ]
    return Foil("immune", any(immune)) if immune else None


def is_form(to: str, tags: set[str]) -> bool:
    """Return true if an immunity to `to` covers a weapon with these tags.

    `to` is a tag, `all`, or `non-` with a tag.
    """
    other = to.removeprefix("non-")
    return to == "all" or to in tags or (other != to and other not in tags)


@rule("VD-FOIL-02", "A barrier is obvious after the first routine")
@rule("VD-FOIL-03", "An immunity is not obvious, unless its data say so")
def why_foiled(strike: Strike, foils: Sequence[Foil]) -> list[Result]:
    """Return the notes with the reasons why hits have failed.

    Everybody sees a barrier, but an immunity is private unless it is obvious (VD-FOIL-02,
    VD-FOIL-03).
    """
    told: dict[str, bool] = {}
    for foil in foils:
        told[foil.cause] = told.get(foil.cause, False) or foil.obvious
    return [
        Said(
            Noted(
                f"{strike.attacker}'s attack is foiled: {strike.target} is {cause}",
                strike.attacker,
                private=not obvious,
                rules=("VD-FOIL-02" if cause == "hedged" else "VD-FOIL-03",),
            )
        )
        for cause, obvious in told.items()
    ]


# ---- objects as targets (VD-ROUT-02)


class Hardness(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's ruling on an object.

    If `ac` is `null`, the object keeps its Armour Class, which is 10 at first.
    """

    ac: Number | None = None


def _samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"ac": 5}


OBJECT = (
    Option("set", Hardness, candidates=_samples, label="It can be attacked"),
    Option("refuse", label="It is not within reach"),
)


def known(combat: Combat, name: str) -> Thing:
    """Return the recorded facts of an object."""
    return OBJECTS.of(combat).get(name, Thing())


def remembered(combat: Combat, name: str, thing: Thing) -> AnyEvent:
    """Return the event that records the facts of an object."""
    return OBJECTS.set({**OBJECTS.of(combat), name: thing}, rules=("VD-ROUT-02",))


def at_object(play: Play, who: Id, name: str) -> Procedure[Illegal | None]:
    """Ask the GM for the Armour Class of an object, for which the rules have no number."""
    thing = known(play.combat, name)
    answer = yield from ask_gm(
        "object",
        f"{who} attacks {name}. Which Armour Class does it have?",
        OBJECT,
        "set",
        rules=("VD-ROUT-02",),
        data={"attacker": who, "object": name, "ac": thing.ac, "damage": thing.damage},
    )
    if answer.option == "refuse":
        return refuse("VD-ROUT-02", "out-of-reach", f"{name} is not within reach", NO_FIELD)
    ac = answer.inputs.ac
    now = known(play.combat, name)
    if ac is not None and ac != now.ac:
        yield remembered(play.combat, name, structs.replace(now, ac=ac))
    return None


def armour_class(combat: Combat, strike: Strike) -> Sum:
    """Return the Armour Class of the target or the object as a sum."""
    if strike.thing:
        return Sum().add("AC", known(combat, strike.thing).ac, "VD-ROUT-02")
    return ac_terms(combat, combat[strike.target], strike.use.kind, strike.terms.ac)


def damaged(combat: Combat, strike: Strike, amount: int) -> Iterator[AnyEvent]:
    """Record the total damage to the object. The GM decides on the effect."""
    thing = known(combat, strike.thing)
    whole = thing.damage + amount
    yield remembered(combat, strike.thing, structs.replace(thing, damage=whole))
    numbers = {"damage": amount, "whole_damage": whole}
    rules = ("VD-ROUT-02",)
    yield EffectResolved(
        strike.attacker,
        "object",
        strike.thing,
        "damaged",
        strike.thing,
        numbers=numbers,
        rules=rules,
    )


# ---- the attack itself


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's ruling on an attack. `value` is the modifier.

    If `circumstances` is `null`, the circumstances of the inputs count.
    """

    value: Number = 0
    circumstances: tuple[str, ...] | None = None


class AttackNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's number that an attack must reach against the target's Armour Class."""

    number: Number


SET_MODIFIERS = (Option("set", Setting, label="With these modifiers"),)
SET_NUMBER = (
    Option(
        "set",
        AttackNumber,
        candidates=lambda play, _: ({"number": at} for at in (5, 12, 20)),
        label="This score hits",
    ),
)


@rule(
    "VD-CONC-09",
    "A free attack breaks the attacker's own concentration, and any attack ends a maintained "
    "ability",
)
@rule("VD-ROUT-03", "All blows of a routine are rolled, even if an earlier one drops the target")
def strike(play: Play, attempt: Strike, results: Results) -> Procedure[None]:
    """Roll all blows of a routine against one target (VD-ROUT-03)."""
    results.append(Then(lambda: _leave_off(play.combat[attempt.attacker], attempt.terms)))
    attempt = yield from with_modifiers(play, attempt)
    if options(play.combat).ask_modifiers:
        attempt = yield from as_the_gm_says(attempt)
    yield from list(use_load(play.combat[attempt.attacker], attempt.use))
    number = yield from _number(play, attempt)
    foils: list[Foil] = []
    for index, blow in enumerate(attempt.use.blows):
        rolled = yield from attack_roll(play, attempt, blow, number)
        if not index and attempt.use.kind == "melee" and not attempt.thing:
            results.append(Then(lambda: engage(play.combat, attempt.attacker, attempt.target)))
        if rolled.outcome == "hit":
            yield from hit(play, attempt, blow, results)
        elif rolled.outcome == "foiled":
            now = blow_now(play.combat[attempt.attacker], attempt.use, blow)
            why = foil(play.combat, attempt, now)
            foils += [why] if why else []
    results += why_foiled(attempt, foils)


def named_target(strike: Strike) -> dict[str, Json]:
    """Return the data that name the target or the object in a prompt."""
    return {"object": strike.thing} if strike.thing else {"target": strike.target}


# ---- before the first die


def _leave_off(combatant: Combatant, terms: Terms) -> Iterator[AnyEvent]:
    """End the maintained ability (GAP-32). A reaction also breaks every casting (VD-FREE-07)."""
    if terms.reaction:
        yield from break_all(combatant, "it struck", "VD-CONC-09")
    else:
        yield from stop_maintaining(combatant, "it attacked", "VD-CONC-09")


def with_modifiers(play: Play, strike: Strike) -> Procedure[Strike]:
    """Use up the modifiers of the ruling `modifier`, and return the strike with them."""
    every = CIRCUMSTANCES.of(play.combat[strike.attacker])
    circumstances = [
        circumstance for circumstance in every if circumstance.target in (None, strike.target)
    ]
    if not circumstances:
        return strike
    left = tuple(circumstance for circumstance in every if circumstance not in circumstances)
    yield CIRCUMSTANCES.set(strike.attacker, left, rules=("VD-ATK-01",))
    extra = (Term("GM", circumstance.value, "VD-ATK-01") for circumstance in circumstances)
    more = (name for circumstance in circumstances for name in circumstance.circumstances)
    terms = replace(
        strike.terms,
        attack=(*strike.terms.attack, *extra),
        circumstances=(*strike.terms.circumstances, *more),
    )
    return replace(strike, terms=terms)


@rule("VD-ATK-01", "An attack needs a target, the GM's modifiers and 1d20")
def as_the_gm_says(strike: Strike) -> Procedure[Strike]:
    """Ask the GM for the modifiers of a routine, and return the strike with them (VD-ATK-01)."""
    named = strike.terms.circumstances
    answer = yield from ask_gm(
        "attack-modifiers",
        f"{strike.attacker} attacks {strike.at} ({words(strike.use.id)}). Which modifiers count?",
        SET_MODIFIERS,
        "set",
        rules=("VD-ATK-01",),
        data={"attacker": strike.attacker, **named_target(strike), "circumstances": list(named)},
    )
    extra = Term("GM", answer.inputs.value, "VD-ATK-01")
    kept = answer.inputs.circumstances
    terms = replace(
        strike.terms,
        attack=(*strike.terms.attack, extra),
        circumstances=named if kept is None else kept,
    )
    return replace(strike, terms=terms)


def use_load(combatant: Combatant, use: Use) -> Iterator[AnyEvent]:
    """Unload the weapons of the routine that need loading (GAP-58)."""
    for weapon in use.weapons:
        if weapon.loading:
            loaded = {**LOADED.of(combatant), weapon.id: False}
            yield LOADED.set(combatant.id, loaded, rules=("VD-DLYG-04",))


def _number(play: Play, strike: Strike) -> Procedure[int | None]:
    """Ask the GM for the number to reach, if no sheet or table has it (GAP-24)."""
    combat = play.combat
    card, choices = sheet(combat[strike.attacker]), options(combat)
    if all(source_of(card, choices, blow.attack.aac0) is not None for blow in strike.use.blows):
        return None
    ac = armour_class(combat, strike).value
    answer = yield from ask_gm(
        "missing-attack-number",
        f"Which score does {strike.attacker} need to hit {strike.at}, AC {ac}?",
        SET_NUMBER,
        None,
        rules=("VD-HD-01",),
        data={"attacker": strike.attacker, **named_target(strike), "ac": ac},
    )
    number: int = answer.inputs.number
    return number


# ---- the roll


def of_the_sheet(modifiers: Iterable[Modifier], use: Use, blow: Blow, rule: str) -> Iterator[Term]:
    """Yield the sheet's modifiers for attacks of this kind and with this weapon."""
    weapon = blow.weapon.id if blow.weapon else None
    for modifier in modifiers:
        if modifier.applies_to in ("all", use.kind) and modifier.weapon in (None, weapon):
            yield Term(modifier.reason or "modifier", modifier.value, rule)


def attack_terms(combatant: Combatant, use: Use, blow: Blow) -> tuple[Term, ...]:
    """Return the terms that the attacker adds to the d20 (VD-ATK-02)."""
    return (
        *of_the_sheet(sheet(combatant).attack_modifiers, use, blow, "VD-ATK-02"),
        Term(blow.name, blow.weapon.attack_modifier if blow.weapon else 0, "VD-ATK-02"),
        Term(blow.name, blow.attack.attack_modifier, "VD-ATK-02"),
        *by_name(combatant, "attack", "VD-ATK-02"),
    )


@rule(
    "VD-ATK-05",
    "An attack settles AC, number, total, natural faces, protection and damage, in this order",
)
def attack_roll(play: Play, strike: Strike, blow: Blow, number: int | None) -> Procedure[Rolled]:
    """Roll 1d20 and modifiers against the number for the target's AC (VD-ATK-05).

    `number` is the GM's number, which counts if the attacker has no other (GAP-24).
    """

    def against() -> Sum | int | None:
        combat = play.combat
        attacker = combat[strike.attacker]
        aac0 = blow_now(attacker, strike.use, blow).attack.aac0
        source: Source | None = source_of(sheet(attacker), options(combat), aac0)
        if source is None:
            return number
        return needed_sum(source, armour_class(combat, strike))

    return (yield from precise_roll(play, strike, blow, against))


def precise_roll(
    play: Play, strike: Strike, blow: Blow, number: Callable[[], int | Sum | None]
) -> Procedure[Rolled]:
    """Roll 1d20 and modifiers against a number.

    With the number `None`, only a natural 20 succeeds (GAP-36).
    """

    def now() -> Blow:
        return blow_now(play.combat[strike.attacker], strike.use, blow)

    def foiled_by() -> Foil | None:
        return foil(play.combat, strike, now())

    def told(outcome: str) -> str:  # a hidden cause looks like a miss (VD-FOIL-03)
        why = foiled_by() if outcome == "foiled" else None
        return "" if why is None or why.obvious else "miss"

    def word(faces: Sequence[int], total: int, target: int) -> str:
        wanted = number()
        reached = wanted.value if isinstance(wanted, Sum) else wanted
        if not hits(faces[0], total, reached):
            return "miss"
        return "hit" if foiled_by() is None else "foiled"

    is_long_shot = number() is None
    return (
        yield from roll(
            strike.attacker,
            "attack",
            "1d20",
            rules=("VD-ATK-01", "VD-ATK-02", *(("VD-CALL-02",) if is_long_shot else ())),
            terms=lambda: (
                *attack_terms(play.combat[strike.attacker], strike.use, now()),
                *strike.terms.attack,
            ),
            target=number,
            against=strike.target or None,
            judge=word,
            told=told,
        )
    )


@rule("VD-ATK-02", "An attack hits if its total reaches the table's number for the effective AC")
@rule("VD-ATK-03", "A natural 1 misses, and a natural 20 hits")
@rule("VD-ATK-04", "The numbers of the table apply to the roll with its modifiers")
@rule("VD-AAC0-04", "Modifiers or a natural 20 can reach numbers of 21 and more")
def hits(face: int, total: int, number: int | None) -> bool:
    """Return true if the attack roll hits (VD-ATK-02).

    A natural 20 always hits, and a natural 1 always misses. Any other roll hits if its total
    reaches the number. With the number `None`, only a natural 20 hits.
    """
    return face != 1 and (face == 20 or (number is not None and total >= number))


# ---- a hit


@rule("VD-ATK-06", "Damage follows each hit, then special damage, then effects with their saves")
def hit(play: Play, strike: Strike, blow: Blow, results: Results) -> Procedure[None]:
    """Roll the damage of a hit, and collect the damage and the effects in `results` (VD-ATK-06)."""
    attacker, target = strike.attacker, strike.target

    def now() -> Blow:
        return blow_now(play.combat[attacker], strike.use, blow)

    amount, sum_of = yield from damage_roll(play, strike, blow)
    results.append(harm(play, strike, now(), amount, sum_of))
    special = now().attack.special_damage
    if special is not None and not (
        target and is_immune(play.combat, play.combat[target], special.attributes)
    ):
        rolled = yield from roll(
            attacker,
            "special-damage",
            lambda: (now().attack.special_damage or special).formula,
            rules=("VD-ATK-06",),
            against=target or None,
        )
        factors = multipliers(now(), strike.terms.circumstances)
        times = prod(multiplier.factor for multiplier in factors) if special.multiply else 1
        once = max(0, rolled.total)
        more = once * times
        multiplied = [Term(f"special ×{times}", more - once, "VD-DMG-02")] if times > 1 else []
        sum_of = (*sum_of, Term("special", once, "VD-ATK-06"), *multiplied)
        results[-1] = harm(play, strike, now(), amount + more, sum_of)
    for effect in now().attack.effects if target else ():
        if effect.save is not None:
            failed = yield from saved(play, target, effect.save.category, ())
            results += failed
            if not failed:
                continue
        results.append(Gift(target, effect, attacker))


def harm(play: Play, strike: Strike, blow: Blow, amount: int, terms: tuple[Term, ...]) -> Result:
    """Return the result that takes hit points from the target or damages the object."""
    if strike.thing:
        return Then(lambda: damaged(play.combat, strike, amount))
    return Hurt(strike.target, amount, terms, strike.attacker, blow.name)


@rule("VD-DMG-01", "Multipliers apply to dice and modifiers, and the product lowers the hit points")
@rule("VD-DMG-02", "A multiplier applies to the total with all modifiers")
def damage_roll(play: Play, strike: Strike, blow: Blow) -> Procedure[tuple[int, tuple[Term, ...]]]:
    """Roll the damage, at least the minimum (GAP-27), and multiply it (VD-DMG-01, VD-DMG-02)."""

    def now() -> Blow:
        return blow_now(play.combat[strike.attacker], strike.use, blow)

    if not parse(now().damage).dice and not parse(now().damage).constant:
        return 0, ()  # the blow itself has no damage
    rolled = yield from roll(
        strike.attacker,
        "damage",
        lambda: now().damage,
        rules=("VD-ATK-06", "VD-DMG-01"),
        terms=lambda: damage_terms(play.combat[strike.attacker], strike.use, now()),
        against=strike.target or None,
    )
    factors = multipliers(now(), strike.terms.circumstances)
    least = options(play.combat).min_damage
    amount = max(rolled.total, least)
    parts = [Term("damage", rolled.total, "VD-DMG-01")]
    parts.append(Term("at least", amount - rolled.total, "VD-DMG-01"))
    times = prod(multiplier.factor for multiplier in factors)
    rule = "VD-DMG-04" if any(multiplier.stacks for multiplier in factors) else "VD-DMG-03"
    parts.append(Term(f"×{times}", amount * (times - 1), rule))
    return amount * times, tuple(part for part in parts if part.value)


def damage_terms(combatant: Combatant, use: Use, blow: Blow) -> tuple[Term, ...]:
    """Return the terms that Affray adds to the damage dice, before multipliers (VD-DMG-02)."""
    return (
        *of_the_sheet(sheet(combatant).damage_modifiers, use, blow, "VD-DMG-01"),
        Term(blow.name, blow.weapon.damage_modifier if blow.weapon else 0, "VD-DMG-01"),
        *by_name(combatant, "damage", "VD-DMG-01"),
    )


@rule("VD-DMG-03", "Multipliers do not add up, and the highest counts")
@rule("VD-DMG-04", "A magic multiplier that stacks multiplies in addition")
def multipliers(blow: Blow, circumstances: Iterable[str]) -> list[Multiplier]:
    """Return the highest ordinary multiplier, and every multiplier that stacks (GAP-28)."""
    named = set(circumstances)
    on = [
        multiplier
        for multiplier in (blow.weapon.multipliers if blow.weapon else ())
        if multiplier.when in named
    ]
    ordinary = [multiplier for multiplier in on if not multiplier.stacks]
    best = [max(ordinary, key=lambda multiplier: multiplier.factor)] if ordinary else []
    return best + [multiplier for multiplier in on if multiplier.stacks]


# ---- melee begins


def engage(combat: Combat, a: Id, b: Id) -> Iterator[AnyEvent]:
    """Begin melee between both combatants, whether the blow hits or misses.

    `consequences` adds the condition of the opponent (section 4.1, procedure 1).
    """
    if b not in engaged_with(combat[a]) and not fallen(combat[b]):
        yield ConditionGained(a, "engaged", b, source=b, rules=("VD-MELEE-01",))


# ---- restricted quarters (VD-MELEE-03)


class Allowing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    modifier: Number = 0


RESTRICTED = (Option("allow", Allowing, label="Allow it"), Option("refuse"))


def is_for_the_gm(combat: Combat, reason: Illegal) -> bool:
    """Return true if the GM may still allow the action."""
    return options(combat).restricted_quarters and reason.code in ("out-of-reach", "path-blocked")


def beyond_doubt(
    combat: Combat,
    who: Id,
    target: Id,
    use: Use,
    loads: tuple[str, ...] = (),
    back: tuple[str, ...] = (),
) -> Iterator[Illegal]:
    """Refuse a routine against this target, unless the GM could allow it."""
    for reason in illegal(combat, who, target, use, loads, back):
        if not is_for_the_gm(combat, reason):
            yield reason


def may_strike(
    play: Play, who: Id, target: Target | Object | None, use: Use | None
) -> Procedure[Illegal | None]:
    """Ask the GM about an attack on an object, or about an attack that the squares forbid."""
    assert use is not None  # an attack without a routine is refused
    if isinstance(target, Object):
        return (yield from at_object(play, who, target.object))
    at = single(play.combat, target)
    return (yield from allowed(play, who, at, illegal(play.combat, who, at, use)))


@rule("VD-MELEE-03", "In restricted quarters squares matter, and the GM decides")
def allowed(
    play: Play, who: Id, target: Id | None, reasons: Iterable[Illegal]
) -> Procedure[Illegal | None]:
    """Ask the GM to allow an attack that the squares forbid.

    The GM's modifier counts for the next routine.
    """
    reason = next((refusal for refusal in reasons if is_for_the_gm(play.combat, refusal)), None)
    if reason is None:
        return None
    answer = yield from ask_gm(
        "restricted-quarters",
        f"The quarters are restricted: {reason.detail}. May {who} do it?",
        RESTRICTED,
        "refuse",
        rules=("VD-MELEE-03",),
        data={"attacker": who, "target": target},
    )
    if answer.option == "refuse":
        return refuse("VD-MELEE-03", "out-of-reach", reason.detail, NO_FIELD)
    if answer.inputs.modifier:
        kept = CIRCUMSTANCES.of(play.combat[who])
        more = Circumstance(answer.inputs.modifier, target)
        yield CIRCUMSTANCES.set(who, (*kept, more), rules=("VD-MELEE-03",))
    return None
