"""Roll the damage of a hit (SOV-DMG), and deal the Shock of a miss in melee (SOV-SHOCK)."""

from dataclasses import dataclass

from domain.dice import parse
from domain.record.combat import Combat, Id
from domain.record.events import Noted, Rolled, Term
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, board, harm
from domain.rulesets.sovereign.blow import Blow
from domain.rulesets.sovereign.facts import SHIELD_USED
from domain.rulesets.sovereign.numbers import attribute, effective_ac, level, sheet_of, shield
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Modifier


@rule("SOV-SHOCK-01", "A melee miss with a Shock weapon can deal Shock")
@rule("SOV-SHOCK-04", "Shock is its value, attribute, magic, and damage that adds to it")
@rule("SOV-DUAL-04", "The +2 damage of two weapons does not add to Shock")
def shock_terms(combat: Combat, blow: Blow) -> tuple[Term, ...]:
    """Return the terms of Shock.

    They are the value, the attribute, magic, and damage that adds to Shock (SOV-SHOCK-04). The +2
    of two weapons does not count (SOV-DUAL-04).
    """
    combatant = combat[blow.attacker]
    rating = blow.weapon.shock
    if rating is None or blow.mode != "melee":  # thrown weapons have no Shock (SOV-SHOCK-01)
        return ()
    extra = [
        Term(bonus.reason or "damage", bonus.value, "SOV-SHOCK-04")
        for bonus in sheet_of(combatant).damage_modifiers
        if bonus.adds_to_shock and matches(bonus, blow)
    ]
    return (
        Term("Shock", rating.value, "SOV-SHOCK-01"),
        Term(blow.attribute.upper(), attribute(combatant, blow.attribute), "SOV-SHOCK-04"),
        Term("magic", blow.weapon.magic_bonus, "SOV-SHOCK-04"),
        *extra,
    )


def matches(modifier: Modifier, blow: Blow) -> bool:
    """Return true if a modifier applies to this kind of attack and this weapon."""
    return modifier.applies_to in ("all", blow.mode) and modifier.weapon in (None, blow.weapon.id)


def amount(combat: Combat, blow: Blow) -> int:
    """Return the points of Shock. 0 means no Shock."""
    return max(0, sum(term.value for term in shock_terms(combat, blow)))


@rule("SOV-SWARM-06", "The miss of a swarm deals Shock despite AC, shield or immunity")
@rule("SOV-SWARM-07", "Only Total Defense protects from the miss of a swarm")
@rule("SOV-TD-02", "Total Defense also protects from the sure damage of a swarm")
@rule("SOV-SHOCK-02", "Shock hurts a target whose AC is at most the AC of the Shock")
@rule("SOV-SHOCK-03", "Shock without an AC hurts any target")
@rule("SOV-SHOCK-06", "AC modifiers count against Shock, but cover and prone do not")
def hurts(combat: Combat, blow: Blow, helpers: int) -> bool:
    """Return true if neither AC nor immunity protects the target from the Shock.

    - Shock hurts a target whose AC is at most the AC of the Shock (SOV-SHOCK-02).
    - Shock without an AC hurts any target (SOV-SHOCK-03).
    - Cover and prone do not count (SOV-SHOCK-06).
    - Only Total Defense protects from a swarm (SOV-SWARM-06, SOV-SWARM-07, SOV-TD-02).
    - A shield does not count here. See `shielded`.
    """
    if amount(combat, blow) == 0 or blow.weapon.shock is None:
        return False
    if helpers:
        return not combat[blow.target].has("total-defense")
    limit = blow.weapon.shock.ac
    if limit is not None and effective_ac(combat[blow.target]) > limit:
        return False
    return not harm.shock_immune(combat, blow.target)


@rule("SOV-SHOCK-08", "In each round, a shield stops the first Shock that would hurt")
def shielded(combat: Combat, who: Id) -> bool:
    """Return true if the shield can still stop a Shock in this round (SOV-SHOCK-08)."""
    combatant = combat[who]
    return shield(combatant) is not None and not SHIELD_USED.of(combatant)


@rule("SOV-DMG-03", "A hit deals at least the Shock of a miss")
def would_be(combat: Combat, blow: Blow, helpers: int) -> int:
    """Return the Shock that this attack would deal on a miss (SOV-DMG-03)."""
    stopped = not helpers and shielded(combat, blow.target)
    return amount(combat, blow) if hurts(combat, blow, helpers) and not stopped else 0


@dataclass(frozen=True)
class Strength:
    """The Shock of a miss.

    - `shielded`: a shield stops the Shock.
    - `stood`: the target stood after the last roll.
    """

    points: int
    terms: tuple[Term, ...]
    shielded: bool
    stood: bool
    rules: tuple[str, ...]


@rule("SOV-SHOCK-09", "Shock can bring a target down")
def strength(combat: Combat, blow: Blow, helpers: int) -> Strength | None:
    """Return the Shock of a miss, or `None` if the Shock would not hurt."""
    if not hurts(combat, blow, helpers):
        return None
    return Strength(
        amount(combat, blow),
        shock_terms(combat, blow),
        not helpers and shielded(combat, blow.target),
        harm.stands(combat, blow.target),
        ("SOV-SWARM-06",) if helpers else ("SOV-SHOCK-02", "SOV-SHOCK-09"),
    )


@rule("SOV-SHOCK-05", "Shock needs no dice and happens at once")
def shock(play: Play, blow: Blow, made: Strength | None) -> Procedure[None]:
    """Deal the Shock of a miss without dice, unless a shield stops the Shock.

    SOV-SHOCK-05, SOV-SHOCK-08.
    """
    if made is None:
        return
    if made.shielded and not SHIELD_USED.of(play.combat[blow.target]):
        yield SHIELD_USED.set(blow.target, True, rules=("SOV-SHOCK-08",))
        yield Noted(
            f"{blow.target} ignores the Shock behind its shield",
            blow.target,
            rules=("SOV-SHOCK-08",),
        )
        return
    yield from struck(play, blow, made.points, "shock", made.terms, made.rules, stood=made.stood)


# ---- damage dice and terms


def roll_damage(
    play: Play, blow: Blow, purpose: str = "damage", rule: str = "SOV-DMG-01"
) -> Procedure[Rolled]:
    """Roll the weapon's dice with all terms (SOV-DMG-01)."""
    return roll(
        blow.attacker,
        purpose,
        lambda: blow.now(play.combat).weapon.damage,
        rules=(rule,),
        terms=lambda: damage_terms(play.combat, blow.now(play.combat)),
        against=blow.target,
    )


@rule("SOV-DMG-01", "Damage is weapon dice, attribute, modifiers and magic")
@rule("SOV-DMG-02", "Bare hands add the Brawl level")
def damage_terms(combat: Combat, blow: Blow) -> tuple[Term, ...]:
    """Return the terms that Affray adds to the damage dice.

    They are attribute, magic, abilities, the Brawl level of bare hands, and the second weapon.
    """
    combatant = combat[blow.attacker]
    fists = arms.is_unarmed(combatant, blow.weapon)
    return (
        Term(blow.attribute.upper(), attribute(combatant, blow.attribute), "SOV-DMG-01"),
        Term("magic", blow.weapon.magic_bonus, "SOV-DMG-01"),
        Term("brawl", (level(combatant, "brawl") or 0) if fists else 0, "SOV-DMG-02"),
        *(
            Term(bonus.reason or "damage", bonus.value, "SOV-DMG-01")
            for bonus in sheet_of(combatant).damage_modifiers
            if matches(bonus, blow)
        ),
        Term("dual", 2 if both_reach(combat, blow) else 0, "SOV-DUAL-03"),
    )


@rule("SOV-DUAL-03", "An attack has +2 damage if the other weapon could reach too")
def both_reach(combat: Combat, blow: Blow) -> bool:
    """Return true if the second weapon could also reach the target (SOV-DUAL-03)."""
    other = arms.off_hand(combat[blow.attacker], blow.weapon)
    if other is None:
        return False
    feet = arms.reach_ft(other, "melee" if arms.is_melee(other) else "ranged")
    return board.within(combat, blow.attacker, blow.target, feet)


def highest(blow: Blow, terms: tuple[Term, ...]) -> int:
    """Return the usual maximum of this attack's damage."""
    return parse(blow.weapon.damage).maximum + sum(term.value for term in terms)


def struck(
    play: Play,
    blow: Blow,
    amount: int,
    kind: str,
    terms: tuple[Term, ...] = (),
    rules: tuple[str, ...] = ("SOV-DMG-04",),
    *,
    stood: bool = False,
) -> Procedure[None]:
    """Apply a blow to its target."""
    return harm.hurt(
        play,
        blow.target,
        amount,
        source=blow.attacker,
        kind=kind,
        non_lethal=blow.weapon.non_lethal,
        terms=terms,
        rules=rules,
        stood=stood,
    )
