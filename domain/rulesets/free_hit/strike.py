"""A strike and its numbers: weapons, attack terms, damage (4.1, FH-ATK, FH-DMG).

The order of events is in `attack`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from domain.dice import formula, parse
from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Term
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.once import once_all
from domain.rulebook.play import Play
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
from domain.rulesets.free_hit.sheet import Spell, Weapon, noted
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.things import is_drawn, spell_of, weapon_of


@dataclass(frozen=True)
class Strike:
    """One attack: who, whom, with what, aimed at what.

    `feats` False: the additional attack, without feats and Strength (FH-ACT-06). `sure`: the free
    critical hit, which hits without a roll (FH-FUM-07). `kind` for modifiers' `when`.
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
        """Return the strike with its weapon in the present sheet. A missing weapon stays as it was.

        `spell` names the spell that strikes, `notes` its improvements.
        """
        one = combat[self.attacker]
        if not self.spell:
            weapon = weapon_of(one, self.weapon.id)
        else:
            spell = spell_of(one, self.spell)
            weapon = None if spell is None else spell_weapon(noted(spell, self.notes))
        return self if weapon is None else replace(self, weapon=weapon)


def strike_with(
    combat: Combat, attacker: Id, target: Id, weapon: str | None, aim: str | None, behind: bool
) -> Strike | None:
    """A strike with one of the attacker's weapons; None when it has no such weapon."""
    found = weapon_of(combat[attacker], weapon)
    if found is None:
        return None
    return Strike(attacker, target, found, AIMS.get(aim or ""), behind, found.kind)


def spell_strike(
    attacker: Id,
    target: Id,
    spell: Spell,
    aim: str | None,
    behind: bool,
    notes: tuple[str, ...] = (),
) -> Strike:
    """A spell's attack rolls like a weapon's (FH-SPL-05)."""
    weapon = spell_weapon(spell)
    found = AIMS.get(aim or "")
    return Strike(
        attacker, target, weapon, found, behind, "spell", spell=spell.id, notes=notes
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
    """Step 1 of every weapon attack: reach or range, drawn weapon, allowed aim.

    FH-ATK-07, -08, FH-DSM-03, FH-AIM-01. If a place is unknown, melee follows GAP-12.
    """
    yield from aim_refusals(aim)
    yield from weapon_refusals(combat, attacker, target, weapon, feats, melee_only)
    found = weapon_of(combat[attacker], weapon)
    if aim is not None and found is not None and not found.physical:
        yield Illegal("FH-AIM-01", "not-physical", "only a physical attack can be aimed")


@once_all
def weapon_refusals(
    combat: Combat, attacker: Id, target: Id, weapon: str | None, feats: bool, melee_only: bool
) -> Iterator[Illegal]:
    """Check target, weapon and distance, without the aim."""
    one = combat[attacker]
    yield from target_refusals(combat, attacker, target)
    found = weapon_of(one, weapon)
    if found is None:
        yield Illegal("FH-ATK-08", "weapon-not-drawn", f"{one.name} has no such weapon")
        return
    if melee_only and found.kind != "melee":
        yield Illegal("FH-FRE-09", "out-of-reach", "a free hit is struck with a melee weapon")
        return
    spaces = apart(combat, attacker, target)
    if spaces is not None:
        most = reach(one, found, feats)
        if found.kind == "melee" and spaces > most:
            far = f"{target} is {spaces} spaces away, {found.name} reaches {most}"
            yield Illegal("FH-ATK-07", "out-of-reach", far)
        if found.kind == "ranged" and found.range is not None and spaces > found.range:
            far = f"{target} is {spaces} spaces away, {found.name} shoots {found.range}"
            yield Illegal("FH-ATK-07", "out-of-range", far)
    if not is_drawn(one, found):
        yield Illegal("FH-ATK-08", "weapon-not-drawn", f"{found.name} is not in hand")


def impossible(combat: Combat, strike: Strike) -> Iterator[Illegal]:
    """Step 1 once more, as long as the d20 has not fallen: who is not there any more, or has
    nothing in hand, is not struck and does not strike."""
    who, target, weapon = strike.attacker, strike.target, strike.weapon
    if strike.kind != "spell":
        yield from refusals(combat, who, target, weapon.id, None, feats=strike.feats)
        return
    yield from target_refusals(combat, who, target)
    spaces = apart(combat, who, target)
    if spaces is not None and weapon.range is not None and spaces > weapon.range:
        far = f"{target} is {spaces} spaces away, {weapon.name} carries {weapon.range}"
        yield Illegal("FH-ATK-07", "out-of-range", far)


def aim_refusals(aim: str | None) -> Iterator[Illegal]:
    """FH-AIM-02."""
    if aim is not None and aim not in AIMS:
        yield Illegal("FH-AIM-02", "unknown-aim", f"{aim!r} is no aim", tuple(AIMS))


def target_refusals(combat: Combat, attacker: Id, target: Id) -> Iterator[Illegal]:
    """Anybody on the battlefield but itself, allies and the defeated too (FH-ATK-07)."""
    if target == attacker:
        yield Illegal("FH-ATK-07", "out-of-reach", "nobody attacks itself")
    else:
        yield from away(combat, target, "dead")


def away(combat: Combat, target: Id, *out: str) -> Iterator[Illegal]:
    """Refuse a target that has left the battlefield or is in one of these states."""
    one = combat[target]  # an unknown target is said to be unknown
    if one.left or one.has("fled", "gone", *out):
        detail = f"{one.name} is not on the battlefield any more"
        yield Illegal("FH-SEQ-06", "out-of-reach", detail)


def attack_terms(combat: Combat, strike: Strike, behind: bool) -> tuple[Term, ...]:
    """Return all terms of the attack roll (FH-ATK-04, FH-AIM-09, FH-FLK-01, FH-BST-07)."""
    one = combat[strike.attacker]
    return (
        *accuracy_terms(combat, one),
        Term("hit boost", boost(one, "hit-boost"), "FH-BST-02"),
        Term("Center Mass", 1 if strike.aim == "center-mass" else 0, "FH-AIM-09"),
        Term("from behind", 1 if behind else 0, "FH-FLK-01"),
        Term(strike.weapon.name, strike.weapon.accuracy_bonus, "FH-ATK-04"),
        *modified(Sum(), one, "accuracy", "FH-ATK-04", strike.kind, strike.weapon.id, strike.feats),
    )


def verdict(face: int, total: int, number: int) -> str:
    """The word for an attack roll: equal hits, 1 misses, 20 hits (FH-ATK-02, -03, -09)."""
    if face == 1:
        return "auto-fail"
    if face == 20:
        return "critical"
    return "hit" if total >= number else "miss"


def damage_dice(combat: Combat, strike: Strike) -> str:
    """Those of the weapon, and one more with Weapon Focus (FH-DMG-01, FH-FT-07)."""
    weapon = strike.weapon
    dice = parse(weapon.damage)
    if strike.feats and weapon.id in sheet(combat[strike.attacker]).feats.weapon_focus:
        dice = dice.with_one_more_die()
    return dice.text


def damage_terms(combat: Combat, strike: Strike) -> tuple[Term, ...]:
    """Return the terms of the damage roll (FH-DMG-02, FH-BST-01)."""
    one, weapon = combat[strike.attacker], strike.weapon
    adds = weapon.adds_strength
    if adds is None:
        adds = weapon.kind == "melee"  # GAP-15
    own = strength(one, strike.kind, weapon.id).value
    melee = weapon.kind == "melee" and strike.kind != "spell"
    return (
        Term("Strength", own if adds and strike.feats else 0, "FH-DMG-02"),
        Term(weapon.name, weapon.damage_bonus, "FH-DMG-02"),
        Term("damage boost", boost(one, "damage-boost") if melee else 0, "FH-BST-01"),
        *modified(Sum(), one, "damage", "FH-DMG-02", strike.kind, weapon.id, strike.feats),
    )


def sneak_dice(combat: Combat, strike: Strike) -> str:
    """1d4, or 2d4 with Sneak Attack (FH-SNK-01, FH-FT-02)."""
    trained = strike.feats and sheet(combat[strike.attacker]).feats.sneak_attack
    return formula((4, 4) if trained else (4,), 0).text


def damage(play: Play, strike: Strike, factor: int, unseen: bool) -> Procedure[None]:
    """Steps 6 to 8: damage and sneak dice, multiplied as a whole, then their effect.

    FH-DMG-01 to -03, FH-SNK-01, -02, FH-FT-02, -07. The factor is 2 by FH-CRT-03 and 4 by
    FH-CRT-04.
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
