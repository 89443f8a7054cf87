"""One attack routine: modifiers, attack rolls, damage, what follows a hit (VD-ATK, VD-DMG).

`strike` rolls everything and returns the results; they take effect when the batch has rolled.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from msgspec import Struct

from domain.dice import parse
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionGained, Noted, Rolled, Term
from domain.rulebook.effects import Procedure, ask_gm, lastly, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness.attack_numbers import Source, needed, source_of
from domain.rulesets.vile_darkness.concentration import break_all, stop_maintaining
from domain.rulesets.vile_darkness.facts import CIRCUMSTANCES, LOADED
from domain.rulesets.vile_darkness.harm import Gift, Hurt, Result, Results, Said, falling
from domain.rulesets.vile_darkness.numbers import (
    by_name,
    effective_ac,
    engaged_with,
    fallen,
    is_immune,
    options,
    sheet,
)
from domain.rulesets.vile_darkness.routines import Blow, Use
from domain.rulesets.vile_darkness.saving import saved
from domain.rulesets.vile_darkness.sheet import Modifier, Multiplier, Number


@dataclass(frozen=True)
class Terms:
    """What is special about this use of a routine.

    `attack` adds to the rolls, `ac` to the target's Armour Class; `circumstances` switch on
    multipliers; `reaction`: it breaks the attacker's own concentration (VD-FREE-07).
    """

    attack: tuple[Term, ...] = ()
    ac: tuple[Term, ...] = ()
    circumstances: tuple[str, ...] = ()
    reaction: bool = False


@dataclass(frozen=True)
class Strike:
    """One use of a routine: who strikes whom, with what, and what is special about it."""

    attacker: Id
    target: Id
    use: Use
    terms: Terms = Terms()


class Setting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A modifier and the circumstances that hold; None = those that were named."""

    value: Number = 0
    circumstances: tuple[str, ...] | None = None


class AttackNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """The score that is needed against the target's Armour Class."""

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


def strike(play: Play, one: Strike) -> Procedure[Results]:
    """Roll a whole routine at one target; every blow, even if the first would do (VD-ROUT-03)."""
    results: list[Result] = []
    yield from standing(play, results, _blows(play, one, results))
    return tuple(results)


def standing(play: Play, results: list[Result], rolling: Procedure[None]) -> Procedure[None]:
    """Of an attacker who cannot go on no die is asked for any more; what was rolled stands, and
    falls at once (GAP-52 d)."""
    whole = False

    def rolled() -> Procedure[None]:
        nonlocal whole
        yield from rolling
        whole = True

    def left() -> Iterator[AnyEvent]:
        if not whole:
            yield from falling(play, results)

    yield from lastly(rolled(), left)


def _blows(play: Play, one: Strike, results: list[Result]) -> Procedure[None]:
    yield from list(_leave_off(play.combat[one.attacker], one.terms))
    one = yield from with_modifiers(play, one)
    if options(play.combat).ask_modifiers:
        one = yield from as_the_gm_says(one)
    yield from list(use_load(play.combat[one.attacker], one.use))
    number = yield from _number(play, one)
    foils: list[Foil] = []
    for index, blow in enumerate(one.use.blows):
        rolled = yield from attack_roll(play, one, blow, number)
        if not index and one.use.kind == "melee":
            yield from list(engage(play.combat, one.attacker, one.target))
        if rolled.outcome == "hit":
            yield from hit(play, one, blow, results)
        elif rolled.outcome == "foiled":
            why = foil(play.combat, one, blow)
            foils += [why] if why else []
    results += why_foiled(one, foils)


# ---- before the first die


def _leave_off(one: Combatant, terms: Terms) -> Iterator[AnyEvent]:
    """An attack ends what is maintained (GAP-32); a reaction breaks casting too (VD-FREE-07)."""
    if terms.reaction:
        yield from break_all(one, "it struck", "VD-CONC-09")
    else:
        yield from stop_maintaining(one, "it attacked", "VD-CONC-09")


def with_modifiers(play: Play, one: Strike) -> Procedure[Strike]:
    """What the GM has set for the next routine is used up (4.2, `modifier`)."""
    every = CIRCUMSTANCES.of(play.combat[one.attacker])
    mine = [each for each in every if each.target in (None, one.target)]
    if not mine:
        return one
    left = tuple(each for each in every if each not in mine)
    yield CIRCUMSTANCES.set(one.attacker, left, rules=("VD-ATK-01",))
    extra = (Term("GM", each.value, "VD-ATK-01") for each in mine)
    more = (name for each in mine for name in each.circumstances)
    terms = replace(
        one.terms,
        attack=(*one.terms.attack, *extra),
        circumstances=(*one.terms.circumstances, *more),
    )
    return replace(one, terms=terms)


def as_the_gm_says(one: Strike) -> Procedure[Strike]:
    """The question before each routine, where the table wants it (VD-ATK-01)."""
    named = one.terms.circumstances
    answer = yield from ask_gm(
        "attack-modifiers",
        f"{one.attacker} attacks {one.target} with {one.use.id}: which modifiers?",
        SET_MODIFIERS,
        "set",
        rules=("VD-ATK-01",),
        data={"attacker": one.attacker, "target": one.target, "circumstances": list(named)},
    )
    extra = Term("GM", answer.inputs.value, "VD-ATK-01")
    kept = answer.inputs.circumstances
    terms = replace(
        one.terms,
        attack=(*one.terms.attack, extra),
        circumstances=named if kept is None else kept,
    )
    return replace(one, terms=terms)


def use_load(one: Combatant, use: Use) -> Iterator[AnyEvent]:
    """The shot uses the load up (GAP-58)."""
    for weapon in use.weapons:
        if weapon.loading:
            loaded = {**LOADED.of(one), weapon.id: False}
            yield LOADED.set(one.id, loaded, rules=("VD-DLYG-04",))


def _number(play: Play, one: Strike) -> Procedure[int | None]:
    """Where neither sheet nor table has a number, the GM says it, once a routine (GAP-24)."""
    combat = play.combat
    card, choices = sheet(combat[one.attacker]), options(combat)
    if all(source_of(card, choices, blow.attack.aac0) is not None for blow in one.use.blows):
        return None
    ac = effective_ac(combat, combat[one.target], one.use.kind, one.terms.ac)
    answer = yield from ask_gm(
        "missing-attack-number",
        f"Which score does {one.attacker} need to hit {one.target}, AC {ac}?",
        SET_NUMBER,
        None,
        rules=("VD-HD-01",),
        data={"attacker": one.attacker, "target": one.target, "ac": ac},
    )
    number: int = answer.inputs.number
    return number


# ---- the roll


def of_the_sheet(modifiers: Iterable[Modifier], use: Use, blow: Blow, rule: str) -> Iterator[Term]:
    """Those that count for attacks of this kind and with this weapon."""
    weapon = blow.weapon.id if blow.weapon else None
    for each in modifiers:
        if each.applies_to in ("all", use.kind) and each.weapon in (None, weapon):
            yield Term(each.reason or "modifier", each.value, rule)


def attack_terms(one: Combatant, use: Use, blow: Blow) -> tuple[Term, ...]:
    """Everything that the attacker adds to the d20 (VD-ATK-02)."""
    return (
        *of_the_sheet(sheet(one).attack_modifiers, use, blow, "VD-ATK-02"),
        Term(blow.name, blow.weapon.attack_modifier if blow.weapon else 0, "VD-ATK-02"),
        Term(blow.name, blow.attack.attack_modifier, "VD-ATK-02"),
        *by_name(one, "attack", "VD-ATK-02"),
    )


def attack_roll(play: Play, one: Strike, blow: Blow, number: int | None) -> Procedure[Rolled]:
    """Effective AC, the number, 1d20 with modifiers, natural 1 and 20, foiled (VD-ATK-05)."""
    combat = play.combat
    card, choices = sheet(combat[one.attacker]), options(combat)
    source: Source | None = source_of(card, choices, blow.attack.aac0)
    if source is not None:
        ac = effective_ac(combat, combat[one.target], one.use.kind, one.terms.ac)
        number = needed(source, ac)
    assert number is not None
    return (yield from precise_roll(play, one, blow, number))


def precise_roll(play: Play, one: Strike, blow: Blow, number: int | None) -> Procedure[Rolled]:
    """1d20 and all modifiers against a number; None: only the face 20 will do (GAP-36)."""
    is_foiled = foil(play.combat, one, blow) is not None

    def word(faces: Sequence[int], total: int) -> str:
        if not hits(faces[0], total, number):
            return "miss"
        return "foiled" if is_foiled else "hit"

    return (
        yield from roll(
            one.attacker,
            "attack",
            "1d20",
            rules=("VD-ATK-01", "VD-ATK-02"),
            terms=(
                *attack_terms(play.combat[one.attacker], one.use, blow),
                *one.terms.attack,
            ),
            target=number,
            against=one.target,
            judge=word,
        )
    )


def hits(face: int, total: int, number: int | None) -> bool:
    """At least the number; the face 1 never, the face 20 always (VD-ATK-02, -03, VD-AAC0-04)."""
    return face != 1 and (face == 20 or (number is not None and total >= number))


# ---- a hit


def hit(play: Play, one: Strike, blow: Blow, results: list[Result]) -> Procedure[None]:
    """Damage right after the roll, then special damage, then effects (VD-ATK-06), added to
    `results`."""
    attacker, target = one.attacker, one.target
    factors = multipliers(blow, one.terms.circumstances)
    amount, sum_of = yield from damage_roll(play, one, blow, factors)
    results.append(Hurt(target, amount, sum_of, attacker, blow.name))
    special = blow.attack.special_damage
    if special is not None and not is_immune(play.combat, play.combat[target], special.attributes):
        rolled = yield from roll(
            attacker, "special-damage", special.formula, rules=("VD-ATK-06",), against=target
        )
        times = prod(each.factor for each in factors) if special.multiply else 1
        more = max(0, rolled.total) * times
        sum_of = (*sum_of, Term("special", more, "VD-ATK-06"))
        results[-1] = Hurt(target, amount + more, sum_of, attacker, blow.name)
    for effect in blow.attack.effects:
        if effect.save is not None:
            failed = yield from saved(play, target, effect.save.category, ())
            results += failed
            if not failed:
                continue
        results.append(Gift(target, effect, attacker))


def damage_roll(
    play: Play, one: Strike, blow: Blow, factors: Sequence[Multiplier]
) -> Procedure[tuple[int, tuple[Term, ...]]]:
    """Dice and every modifier, at least 1 (GAP-27), then multiplied (VD-DMG-01, -02)."""
    terms = damage_terms(play.combat[one.attacker], one.use, blow)
    if not parse(blow.damage).dice and not parse(blow.damage).constant:
        return 0, ()  # it does no damage of its own
    rolled = yield from roll(
        one.attacker, "damage", blow.damage, rules=("VD-ATK-06", "VD-DMG-01"), terms=terms,
        against=one.target,
    )  # fmt: skip
    least = options(play.combat).min_damage
    amount = max(rolled.total, least)
    parts = [Term("damage", rolled.total, "VD-DMG-01")]
    parts.append(Term("at least", amount - rolled.total, "VD-DMG-01"))
    times = prod(each.factor for each in factors)
    rule = "VD-DMG-04" if any(each.stacks for each in factors) else "VD-DMG-03"
    parts.append(Term(f"×{times}", amount * (times - 1), rule))
    return amount * times, tuple(part for part in parts if part.value)


def damage_terms(one: Combatant, use: Use, blow: Blow) -> tuple[Term, ...]:
    """Magic, Strength, race …: all of them are multiplied (VD-DMG-02)."""
    return (
        *of_the_sheet(sheet(one).damage_modifiers, use, blow, "VD-DMG-01"),
        Term(blow.name, blow.weapon.damage_modifier if blow.weapon else 0, "VD-DMG-01"),
        *by_name(one, "damage", "VD-DMG-01"),
    )


def multipliers(blow: Blow, circumstances: Iterable[str]) -> list[Multiplier]:
    """The highest that is switched on, and every one that stacks (VD-DMG-03, -04, GAP-28)."""
    named = set(circumstances)
    on = [one for one in (blow.weapon.multipliers if blow.weapon else ()) if one.when in named]
    ordinary = [one for one in on if not one.stacks]
    best = [max(ordinary, key=lambda one: one.factor)] if ordinary else []
    return best + [one for one in on if one.stacks]


# ---- foiled (VD-FOIL)


@dataclass(frozen=True)
class Foil:
    """Why an attack that hits does nothing; `obvious`: everybody learns it."""

    cause: str
    obvious: bool


def foil(combat: Combat, one: Strike, blow: Blow) -> Foil | None:
    """Protection that keeps contact out, or immunity to the form of the attack (VD-FOIL-01)."""
    attacker, card = combat[one.attacker], sheet(combat[one.target])
    if one.use.kind == "melee":  # a missile is no contact (GAP-37)
        names = ("all", attacker.name, attacker.id, attacker.side)
        barriers = [each.obvious for each in card.contact_barriers if each.against in names]
        if barriers:
            return Foil("hedged", any(barriers))
    tags = set(blow.weapon.tags) if blow.weapon else set[str]()
    immune = [each.obvious for each in card.attack_immunities if is_form(each.to, tags)]
    return Foil("immune", any(immune)) if immune else None


def is_form(to: str, tags: set[str]) -> bool:
    """Whether a weapon with these tags is of this form: a tag, `all`, or `non-` and a tag."""
    other = to.removeprefix("non-")
    return to == "all" or to in tags or (other != to and other not in tags)


def why_foiled(one: Strike, foils: Sequence[Foil]) -> list[Result]:
    """Hedging is plain after the routine (VD-FOIL-02), immunity if the data say so (-03)."""
    told: dict[str, bool] = {}
    for each in foils:
        told[each.cause] = told.get(each.cause, False) or each.obvious
    return [
        Said(
            Noted(
                f"attack foiled: {one.target} is {cause}",
                one.attacker,
                private=not obvious,
                rules=("VD-FOIL-02" if cause == "hedged" else "VD-FOIL-03",),
            )
        )
        for cause, obvious in told.items()
    ]


# ---- melee begins


def engage(combat: Combat, a: Id, b: Id) -> Iterator[AnyEvent]:
    """They are in melee, hit or not (4.1, procedure 1); the other half follows by itself."""
    if b not in engaged_with(combat[a]) and not fallen(combat[b]):
        yield ConditionGained(a, "engaged", b, source=b, rules=("VD-MELEE-01",))
