"""One blow, with roll, damage, Armour, critical hit and injury (HE-ATK, HE-CRIT).

`strike` rolls the dice, and `land` applies the results. Simultaneous turns roll all dice before
they apply any result.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Prevented, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, interrupt, roll, while_able, while_there
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.action_costs import dead
from domain.rulesets.hallowed_earth.count import simultaneous
from domain.rulesets.hallowed_earth.harm import Harm, suffer
from domain.rulesets.hallowed_earth.injuries import Injury, inflict, injury_dice
from domain.rulesets.hallowed_earth.numbers import apart, armour, defense, modifier
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import (
    Ability,
    Attack,
    RollModifier,
    Spell,
    Weapon,
    options,
    sheet,
)

Attacks = list[tuple[Id, Id]]
"""The attacker and the target of each attack."""


@dataclass(frozen=True)
class Blow:
    """The weapon, spell or item of an attack, with its data.

    Without `crit_multiplier`, the blow is never critical.
    """

    kind: str
    name: str
    data: Weapon | Attack
    range_ft: int | None
    reach_ft: int | None = None
    damage_bonus: int = 0
    strikes: int = 1

    @property
    def adds_strength(self) -> bool:
        """Return true if the attack adds Strength to its damage (HE-ATK-09).

        If the data have no `adds_strength`, return true for melee and thrown weapons.
        """
        adds = self.data.adds_strength
        return self.kind in ("melee", "thrown") if adds is None else adds

    def now(self, combatant: Combatant) -> "Blow":
        """Return the blow with the data of the current sheet.

        If the weapon or other source no longer exists, keep the earlier data.
        """
        card = sheet(combatant)
        if isinstance(self.data, Weapon):
            weapon = next((weapon for weapon in card.weapons if weapon.id == self.name), None)
            return self if weapon is None else of_weapon(weapon)
        if self.kind == "thrown":
            data = next((item.throw for item in card.items if item.id == self.name), None)
        else:
            powers: tuple[Spell | Ability, ...] = (*card.spells, *card.abilities)
            data = next((power.attack for power in powers if power.id == self.name), None)
        return self if data is None else replace(self, data=data)


@dataclass(frozen=True)
class Hit:
    """A blow that has hit its target. Its damage is rolled, but not yet applied."""

    attacker: Id
    target: Id
    harm: Harm
    critical: bool


def of_weapon(weapon: Weapon) -> Blow:
    """Return the blow of a weapon."""
    reach = weapon.reach_ft if weapon.kind == "melee" else None
    return Blow(
        weapon.kind, weapon.id, weapon, weapon.range_ft, reach, weapon.damage_bonus, weapon.strikes
    )


def of_attack(kind: str, name: str, attack: Attack | None, range_ft: int | None) -> Blow | None:
    """Return the blow of a spell, ability or thrown item, or `None` if it has no attack."""
    if attack is None:
        return None
    return Blow(kind, name, attack, attack.range_ft if range_ft is None else range_ft)


def gone(target: Id) -> Illegal:
    """Return the refusal for a target that has left."""
    return refuse("HE-ATK-07", "out-of-range", f"{target} has left the combat", NO_FIELD)


@rule("HE-ATK-07", "A melee target must be within reach, any other target within range")
def reaches(combat: Combat, who: Id, target: Id, blow: Blow) -> Iterator[Illegal]:
    """Refuse a target that has left, is dead, or is out of reach or range (HE-ATK-07).

    If a combatant has no position, Affray does not check the distance.
    """
    other = combat[target]
    if other.left:
        yield gone(target)
        return
    yield from dead(other)
    far = apart(combat, who, target)
    if blow.reach_ft is not None and far is not None and far > blow.reach_ft:
        detail = f"{other.name} is {far} ft away, {blow.name} reaches {blow.reach_ft} ft"
        yield refuse("HE-ATK-07", "out-of-reach", detail, NO_FIELD)
    yield from beyond(combat, who, target, blow.range_ft, blow.name)


def beyond(
    combat: Combat, who: Id, target: Id, range_ft: int | None, thing: str
) -> Iterator[Illegal]:
    """Refuse a target beyond `range_ft`. `None` means no limit (HE-ATK-07, HE-TIE-06)."""
    far = apart(combat, who, target)
    if range_ft is not None and far is not None and far > range_ft:
        detail = f"{combat[target].name} is {far} ft away, {thing} carries {range_ft} ft"
        yield refuse("HE-ATK-07", "out-of-range", detail, NO_FIELD)


def _fitting(modifiers: Sequence[RollModifier], kind: str, rule: str) -> tuple[Term, ...]:
    return tuple(
        Term(roll_modifier.reason or "modifier", roll_modifier.value, rule)
        for roll_modifier in modifiers
        if roll_modifier.applies_to in ("all", kind)
    )


@rule("HE-ATK-03", "An attack with a total of at least Defense hits")
@rule("HE-ATK-04", "An attack roll is 1d20 + weapon bonus + attack modifiers")
@rule("HE-ATK-05", "No face hits or misses by itself", untold="what does not happen")
@rule("HE-CRIT-04", "An attack is critical if it hits and its face is in the critical range")
def strike(
    play: Play,
    attacker: Id,
    target: Id,
    blow: Blow,
    doing: str,
    purposes: tuple[str, str] = ("attack", "damage"),
) -> Procedure[Hit | None]:
    """Roll 1d20 + bonuses. A total of at least Defense hits (HE-ATK-03, HE-ATK-04).

    - No face hits or misses by itself (HE-ATK-05).
    - A hit with a face in the critical range is critical (HE-CRIT-04).
    - Before the roll, the target must be present and near enough (HE-ATK-07). Simultaneous turns
      skip this check (HE-TIE-03).
    """
    several = ("HE-ATK-08",) if blow.strikes > 1 else ()
    spell = ("HE-MAG-03",) if blow.kind == "spell" else ()

    def terms() -> tuple[Term, ...]:
        combatant = play.combat[attacker]
        bonus = blow.now(combatant).data.attack_bonus
        more = _fitting(sheet(combatant).attack_modifiers, blow.kind, "HE-ATK-04")
        return Term(blow.name, bonus, "HE-ATK-04"), *more

    def word(faces: Sequence[int], total: int, needed: int) -> str:
        if total < needed:
            return "miss"
        data = blow.now(play.combat[attacker]).data
        crit = data.crit_multiplier is not None and sum(faces) >= (data.crit_range or 20)
        return "critical" if crit else "hit"

    def impossible() -> Illegal | None:
        if simultaneous(play.combat):
            return None
        return next(reaches(play.combat, attacker, target, blow), None)

    rolled = yield from roll(
        attacker,
        purposes[0],
        options(play.combat).check_dice,
        rules=("HE-ATK-04", "HE-ATK-03", *several, *spell),
        terms=terms,
        target=lambda: defense(play.combat, play.combat[target]),
        against=target,
        judge=word,
        stops=impossible,
        doing=doing,
    )
    if rolled is None or rolled.outcome == "miss":
        return None
    return (yield from _damage(play, attacker, target, blow, rolled.outcome, purposes[1]))


@rule("HE-ATK-09", "Damage is dice + Strength + bonuses, at least 0 before multiplying")
@rule("HE-ARM-02", "Armour lowers the damage of each hit")
@rule("HE-ARM-04", "Armour lowers critical hits too, after multiplying")
@rule("HE-CRIT-01", "A critical hit multiplies the damage by 2, 3 or 4")
@rule("HE-CRIT-02", "A critical hit multiplies the sum of one damage roll")
@rule("HE-CRIT-03", "All damage of a critical hit goes to Wound Points")
def _damage(
    play: Play, attacker: Id, target: Id, blow: Blow, outcome: str, purpose: str
) -> Procedure[Hit]:
    """Roll the damage of a hit.

    - Damage is dice + Strength + bonuses, at least 0 (HE-ATK-09).
    - A critical hit multiplies that sum (HE-CRIT-01, HE-CRIT-02).
    - Armour lowers the product (HE-ARM-02, HE-ARM-04).
    - All damage of a critical hit goes to Wound Points (HE-CRIT-03).
    """
    critical = outcome == "critical"

    def now() -> Blow:
        return blow.now(play.combat[attacker])

    def terms_now() -> tuple[Term, ...]:
        combatant, struck = play.combat[attacker], now()
        strength = modifier(play.combat, combatant, "strength") if struck.adds_strength else 0
        return (
            Term("Strength", strength, "HE-ATK-09"),
            Term(struck.name, struck.damage_bonus, "HE-ATK-09"),
            *_fitting(sheet(combatant).damage_modifiers, struck.kind, "HE-ATK-09"),
        )

    dealt = yield from roll(
        attacker,
        purpose,
        lambda: now().data.damage,
        rules=("HE-ATK-09", "HE-CRIT-04") if critical else ("HE-ATK-09",),
        terms=terms_now,
        against=target,
    )
    amount = max(0, dealt.total)
    blow = now()
    times = (blow.data.crit_multiplier or 1) if critical else 1
    multiplied = amount * times
    off = 0 if blow.data.ignores_armour else min(multiplied, armour(play.combat[target]).value)
    terms = (
        Term("damage", dealt.total, "HE-ATK-09"),
        Term("not below 0", amount - dealt.total, "HE-ATK-09"),
        Term(f"critical ×{times}", multiplied - amount, "HE-CRIT-02"),
        Term("Armour", -off, "HE-ARM-04" if critical else "HE-ARM-02"),
    )
    harm = Harm(
        multiplied - off,
        blow.data.damage_types,
        terms,
        to_wounds=critical or blow.data.direct_to_wounds,
        source=attacker,
        rules=("HE-CRIT-03", "HE-CRIT-01") if critical else (),
    )
    return Hit(attacker, target, harm, critical)


@rule("HE-CRIT-05", "A critical hit brings a chance of an injury")
@rule("HE-INJ-10", "Only critical hits cause injuries", untold="what does not happen")
def injury_of(play: Play, hit: Hit) -> Procedure[tuple[Injury, ...]]:
    """Roll the dice for the injury of a critical hit (HE-CRIT-05, HE-INJ-10)."""
    if not hit.critical:
        return ()
    dice = injury_dice(play, hit.attacker, hit.target, hit.harm.types, hit.harm.amount)
    return (yield from while_there(play, hit.target, dice, "injury")) or ()


def land(play: Play, hit: Hit, injuries: tuple[Injury, ...] | None = None) -> Procedure[None]:
    """Apply the hit. Roll the dice of its injury, unless `injuries` already has them.

    The GM rolls these dice, also if the attacker has left the combat.
    """
    if play.combat[hit.target].left:
        return
    yield from suffer(play, hit.target, hit.harm)

    def injured() -> Procedure[None]:
        brought = (yield from injury_of(play, hit)) if injuries is None else injuries
        yield from inflict(play, hit.target, brought)

    yield from interrupt(play, injured, otherwise=None)


def prevented(who: Id, doing: str, target: Id, refusal: Illegal) -> Prevented:
    """Return the event that reports why an action does not affect this target."""
    left = {"target": target}
    return Prevented(who, doing, left, refusal.code, refusal.detail, rules=(refusal.rule,))


Fallen = list[tuple[Hit, tuple[Injury, ...]]]
"""Hits with rolled damage that no event records yet."""


def strikes(
    play: Play, who: Id, blows: Sequence[tuple[Id, Blow]], doing: str, *, tied: bool
) -> Procedure[tuple[Fallen, set[Id]]]:
    """Strike several times, each with a separate roll and hit (HE-ATK-08).

    Return the pending hits and the targets that a strike hit. In simultaneous turns, the results
    wait until all combatants have rolled (HE-TIE-03).
    """
    waiting: Fallen = []
    met: set[Id] = set()
    away: set[Id] = set()
    for target, blow in blows:
        refusal = next(reaches(play.combat, who, target, blow), None)
        # the target may have left or died since an earlier strike
        if refusal is not None and target not in away:
            away.add(target)
            yield prevented(who, doing, target, refusal)
        if target in away:
            continue
        struck = strike(play, who, target, blow, doing)
        hit = yield from while_able(play, who, struck, doing, at=target)
        if hit is None:
            continue
        met.add(target)
        if tied:
            waiting.append((hit, (yield from injury_of(play, hit))))
        else:
            yield from land(play, hit)
    return waiting, met
