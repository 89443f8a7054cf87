"""Compute the weapon, attack terms and damage of one attack (section 4.1, FH-ATK, FH-DMG).

Module `attack` runs the steps in order.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.dice import formula, parse
from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play
from domain.rulebook.state_cache import once_all
from domain.rulebook.sums import Sum
from domain.rulesets.free_hit.harm import hurt
from domain.rulesets.free_hit.numbers import (
    AIMS,
    accuracy_terms,
    apart,
    boost,
    modified,
    reach,
    strength,
)
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Spell, Weapon, noted
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.things import is_drawn, spell_of, weapon_of


class Strike(Struct, frozen=True):
    """One attack: attacker, target, weapon and aim.

    - `feats`: false for an additional attack, which has no feats and no Strength (FH-ACT-06).
    - `sure`: true for a free critical hit, which needs no roll (FH-FUM-07).
    - `kind`: the kind of attack, which the `when` of modifiers names.
    - `spell`: the id of the spell that strikes, or "".
    - `notes`: the improvements of that spell.
    """

    attacker: Id
    target: Id
    weapon: Weapon
    aim: str | None
    from_behind: bool
    kind: Literal["melee", "ranged", "spell"]
    feats: bool = True
    sure: bool = False
    spell: Id = ""
    notes: tuple[str, ...] = ()

    def now(self, combat: Combat) -> "Strike":
        """Return the strike with the weapon's values in the current sheet.

        If the sheet no longer has the weapon, the old values remain.
        """
        combatant = combat[self.attacker]
        if not self.spell:
            weapon = weapon_of(combatant, self.weapon.id)
        else:
            spell = spell_of(combatant, self.spell)
            weapon = None if spell is None else spell_weapon(noted(spell, self.notes))
        return self if weapon is None or weapon is self.weapon else replace(self, weapon=weapon)


def strike_with(
    combat: Combat, attacker: Id, target: Id, weapon: str | None, aim: str | None, behind: bool
) -> Strike | None:
    """Return a strike with one of the attacker's weapons, or `None` if it has no such weapon."""
    arm = weapon_of(combat[attacker], weapon)
    if arm is None:
        return None
    return Strike(attacker, target, arm, AIMS.get(aim or ""), behind, arm.kind)


def spell_strike(
    attacker: Id,
    target: Id,
    spell: Spell,
    aim: str | None,
    behind: bool,
    notes: tuple[str, ...] = (),
) -> Strike:
    """Return the strike of a spell, which rolls like a weapon's attack (FH-SPL-05)."""
    weapon = spell_weapon(spell)
    part = AIMS.get(aim or "")
    return Strike(
        attacker, target, weapon, part, behind, "spell", spell=spell.id, notes=notes
    )  # fmt: skip


def spell_weapon(spell: Spell) -> Weapon:
    """Return the weapon of a striking spell, without Strength (FH-SPL-05).

    Effects for a weapon with the same id do not apply to the spell (FH-FT-07).
    """
    return Weapon(
        id="",
        name=spell.name,
        kind="ranged",
        damage=spell.damage or "0",
        damage_type=spell.damage_type,
        adds_strength=False,
        accuracy_bonus=spell.accuracy_bonus,
        range=spell.range,
        natural=True,
        physical=spell.physical,
    )


@rule("FH-ATK-07", "A melee target must be in the zone or the reach, a ranged one within the range")
@rule("FH-ATK-08", "The weapon must be drawn")
@rule("FH-AIM-01", "Every physical attack may be aimed, without a penalty")
@rule("FH-DSM-03", "A unit cannot attack with a weapon that lies on the ground")
def refusals(
    combat: Combat,
    attacker: Id,
    target: Id,
    weapon: str | None,
    aim: str | None,
    *,
    feats: bool = True,
    melee_only: bool = False,
) -> Iterator[Illegal]:
    """Refuse a weapon attack that step 1 of the attack procedure does not allow.

    The target must be in reach or range, the weapon drawn, and the aim allowed. FH-ATK-07,
    FH-ATK-08, FH-DSM-03, FH-AIM-01. If a position is unknown, the distance does not count, and the
    GM decides (GAP-12).
    """
    if aim is not None:
        yield from aim_refusals(aim)
    yield from weapon_refusals(combat, attacker, target, weapon, feats, melee_only)
    arm = None if aim is None else weapon_of(combat[attacker], weapon)
    if arm is not None and not arm.physical:
        sentence = "only a physical attack can be aimed"
        yield refuse("FH-AIM-01", "not-physical", sentence, "aim")


@once_all
def weapon_refusals(
    combat: Combat, attacker: Id, target: Id, weapon: str | None, feats: bool, melee_only: bool
) -> Iterator[Illegal]:
    """Refuse an illegal target, weapon or distance. `refusals` also checks the aim.

    If `melee_only` is true, the attack is a free hit, so its inputs name no target.
    """
    combatant = combat[attacker]
    named = NO_FIELD if melee_only else "target"
    yield from target_refusals(combat, attacker, target, named)
    arm = weapon_of(combatant, weapon)
    if arm is None:
        sentence = f"{combatant.name} has no such weapon"
        yield refuse("FH-ATK-08", "weapon-not-drawn", sentence, "weapon")
        return
    if melee_only and arm.kind != "melee":
        sentence = "a free hit is struck with a melee weapon"
        yield refuse("FH-FRE-09", "out-of-reach", sentence, "weapon")
        return
    spaces = apart(combat, attacker, target)
    if spaces is not None:
        most = reach(combatant, arm, feats)
        if arm.kind == "melee" and spaces > most:
            far = f"{target} is {spaces} spaces away, {arm.name} reaches {most}"
            yield refuse("FH-ATK-07", "out-of-reach", far, named or "weapon")
        if arm.kind == "ranged" and arm.range is not None and spaces > arm.range:
            far = f"{target} is {spaces} spaces away, {arm.name} shoots {arm.range}"
            yield refuse("FH-ATK-07", "out-of-range", far, named or "weapon")
    if not is_drawn(combatant, arm):
        yield refuse("FH-ATK-08", "weapon-not-drawn", f"{arm.name} is not in hand", "weapon")


def impossible(combat: Combat, strike: Strike) -> Iterator[Illegal]:
    """Refuse a strike that has become illegal before the attacker rolls the d20.

    A target may have left, or the attacker may have lost its weapon.
    """
    who, target, weapon = strike.attacker, strike.target, strike.weapon
    if strike.kind != "spell":
        yield from refusals(combat, who, target, weapon.id, None, feats=strike.feats)
        return
    yield from target_refusals(combat, who, target)
    spaces = apart(combat, who, target)
    if spaces is not None and weapon.range is not None and spaces > weapon.range:
        far = f"{target} is {spaces} spaces away, {weapon.name} carries {weapon.range}"
        yield refuse("FH-ATK-07", "out-of-range", far, "target")


def aim_refusals(aim: str | None) -> Iterator[Illegal]:
    """Refuse an unknown aim (FH-AIM-02)."""
    if aim is not None and aim not in AIMS:
        yield refuse("FH-AIM-02", "unknown-aim", f"{aim!r} is no aim", "aim", tuple(AIMS))


def target_refusals(
    combat: Combat, attacker: Id, target: Id, field: str = "target"
) -> Iterator[Illegal]:
    """Refuse an attack on the attacker itself or on an absent unit (FH-ATK-07).

    Allies and defeated units are legal targets.
    """
    if target == attacker:
        yield refuse("FH-ATK-07", "out-of-reach", "nobody attacks itself", field)
    else:
        yield from away(combat, target, "dead", field=field)


def away(combat: Combat, target: Id, *out: str, field: str = "target") -> Iterator[Illegal]:
    """Refuse a target that has left the battlefield, or that has a condition in `out`."""
    combatant = combat[target]  # raises `Unknown` for an unknown target
    if combatant.left or combatant.has("fled", "gone", *out):
        detail = f"{combatant.name} is not on the battlefield any more"
        yield refuse("FH-SEQ-06", "out-of-reach", detail, field)


@rule("FH-BST-07", "Damage and hit boosts also count in free hits later in the round")
@rule("FH-ATK-04", "All bonuses to the total are added")
@rule("FH-AIM-09", "Center Mass gives +1 to the attack and never a wound effect")
@rule("FH-FLK-01", "An attack from behind has +1 to hit")
def attack_terms(combat: Combat, strike: Strike, behind: bool) -> tuple[Term, ...]:
    """Return all terms of the attack roll (FH-ATK-04, FH-AIM-09, FH-FLK-01, FH-BST-07)."""
    combatant = combat[strike.attacker]
    return (
        *accuracy_terms(combat, combatant),
        Term("hit boost", boost(combatant, "hit-boost"), "FH-BST-02"),
        Term("Center Mass", 1 if strike.aim == "center-mass" else 0, "FH-AIM-09"),
        Term("from behind", 1 if behind else 0, "FH-FLK-01"),
        Term(strike.weapon.name, strike.weapon.accuracy_bonus, "FH-ATK-04"),
        *modified(
            Sum(), combatant, "accuracy", "FH-ATK-04", strike.kind, strike.weapon.id, strike.feats
        ),
    )


@rule("FH-ATK-02", "An attack hits if d20 + Accuracy is at least 10 + the target's Agility")
@rule("FH-ATK-03", "An attack with a lower total misses and does nothing more")
@rule("FH-ATK-09", "A natural 1 misses and a natural 20 hits, with any total")
def verdict(face: int, total: int, number: int) -> str:
    """Return the outcome of an attack roll.

    An equal total hits, a natural 1 misses, and a natural 20 hits. FH-ATK-02, FH-ATK-03, FH-ATK-09.
    """
    if face == 1:
        return "auto-fail"
    if face == 20:
        return "critical"
    return "hit" if total >= number else "miss"


def damage_dice(combat: Combat, strike: Strike) -> str:
    """Return the weapon's dice, with one more die for Weapon Focus (FH-DMG-01, FH-FT-07)."""
    weapon = strike.weapon
    dice = parse(weapon.damage)
    if strike.feats and weapon.id in sheet(combat[strike.attacker]).feats.weapon_focus:
        dice = dice.with_one_more_die()
    return dice.text


def damage_terms(combat: Combat, strike: Strike) -> tuple[Term, ...]:
    """Return the terms of the damage roll (FH-DMG-02, FH-BST-01)."""
    combatant, weapon = combat[strike.attacker], strike.weapon
    adds = weapon.adds_strength
    if adds is None:
        adds = weapon.kind == "melee"  # GAP-15
    own = strength(combatant, strike.kind, weapon.id).value
    melee = weapon.kind == "melee" and strike.kind != "spell"
    return (
        Term("Strength", own if adds and strike.feats else 0, "FH-DMG-02"),
        Term(weapon.name, weapon.damage_bonus, "FH-DMG-02"),
        Term("damage boost", boost(combatant, "damage-boost") if melee else 0, "FH-BST-01"),
        *modified(Sum(), combatant, "damage", "FH-DMG-02", strike.kind, weapon.id, strike.feats),
    )


def sneak_dice(combat: Combat, strike: Strike) -> str:
    """Return the sneak dice: 1d4, or 2d4 with Sneak Attack (FH-SNK-01, FH-FT-02)."""
    trained = strike.feats and sheet(combat[strike.attacker]).feats.sneak_attack
    return formula((4, 4) if trained else (4,), 0).text


@rule("FH-DMG-01", "The weapon or spell gives the damage of a hit")
@rule("FH-DMG-02", "Damage is dice, Strength, boosts, modifiers and sneak dice, at least 0")
@rule("FH-DMG-03", "A critical hit multiplies the whole sum")
@rule("FH-CRT-03", "A critical hit deals double damage")
@rule("FH-CRT-04", "A super critical hit deals four times the damage")
@rule(
    "FH-SNK-01", "Against an undetected attacker, a unit is flat-footed and takes 1d4 more damage"
)
@rule("FH-SNK-02", "Critical hits multiply sneak damage")
@rule("FH-FT-02", "Sneak Attack adds one d4 of sneak damage")
@rule("FH-FT-07", "Weapon Focus adds one damage die")
def damage(play: Play, strike: Strike, factor: int, unseen: bool) -> Procedure[None]:
    """Roll damage and sneak dice, multiply their sum, and apply it: steps 6 to 8.

    FH-DMG-01 to FH-DMG-03, FH-SNK-01, FH-SNK-02, FH-FT-02, FH-FT-07. The factor is 2 by FH-CRT-03
    and 4 by FH-CRT-04.
    """
    rolled = yield from roll(
        strike.attacker,
        "damage",
        lambda: damage_dice(play.combat, strike.now(play.combat)),
        rules=("FH-DMG-02",),
        terms=lambda: damage_terms(play.combat, strike.now(play.combat)),
        against=strike.target,
    )
    parts = [Term("damage", rolled.total, "FH-DMG-02")]
    if unseen:  # FH-SNK-01
        sneak = yield from roll(
            strike.attacker,
            "sneak-damage",
            lambda: sneak_dice(play.combat, strike),
            rules=("FH-SNK-01",),
            against=strike.target,
        )
        parts.append(Term("sneak damage", sneak.total, "FH-SNK-02"))
    below = max(0, -sum(part.value for part in parts))
    parts.append(Term("not below 0", below, "FH-DMG-02"))
    total = sum(part.value for part in parts)
    if factor > 1:  # FH-DMG-03: the whole sum
        rule = "FH-CRT-04" if factor == 4 else "FH-CRT-03"
        parts.append(Term(f"times {factor}", total * (factor - 1), rule))
    weapon = strike.now(play.combat).weapon
    yield from hurt(
        play,
        strike.target,
        total * factor,
        source=strike.attacker,
        kind=weapon.damage_type,
        physical=weapon.physical,
        terms=tuple(part for part in parts if part.value),
        aim=strike.aim,
    )
