"""The weapon and skill of one attack, and its refusals before the roll (section 4.2.1 a).

Refusals come in this order: weapon, reach or range, line of sight, melee, load, sight.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Term
from domain.rulebook.declaration import refuse
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign import arms, board
from domain.rulesets.sovereign.numbers import attribute, level
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Attribute, Skill, Spell, Weapon

Mode = Literal["melee", "ranged"]
MODES: tuple[Mode, ...] = ("melee", "ranged")
GmPoints = Annotated[int, Meta(ge=-100, le=100)]


class Attack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an attack.

    - If `weapon` is `null`, Affray uses the most suitable weapon at hand.
    - If `attribute` or `skill` is `null`, Affray uses the highest of those allowed.
    - `gm_modifier` is the GM's modifier. A player's value is a proposal (SOV-ATK-06).
    """

    target: Enemy
    weapon: OwnWeapon | None = None
    attribute: str | None = None
    skill: str | None = None
    gm_modifier: GmPoints = 0


@dataclass(frozen=True)
class Blow:
    """One attack.

    - `swarm` has the other members of the swarm. They count at the roll (SOV-SWARM-04).
    - `manoeuvre`: a hit opens a check instead of dealing damage.
    - `redirected`: a screener took the attack.
    - `spell` has the effect of a hit. The roll of a spell adds only the attack bonus.
    - `gm` is the GM's modifier, and `proposed` is the player's proposal.
    - `added` has the terms that abilities add before the roll.
    """

    attacker: Id
    target: Id
    weapon: Weapon
    mode: Mode
    attribute: Attribute
    skill: Skill
    kind: str
    snap: bool = False
    charge: bool = False
    swarm: tuple[Id, ...] = ()
    manoeuvre: bool = False
    redirected: bool = False
    spell: Spell | None = None
    gm: int = 0
    proposed: int = 0
    added: tuple[Term, ...] = ()

    def now(self, combat: Combat) -> "Blow":
        """Return the blow with the weapon's values in the current sheet.

        If the weapon no longer exists, the blow keeps its values.
        """
        weapon = arms.weapon_of(combat[self.attacker], self.weapon.id)
        return self if weapon is None or self.spell else replace(self, weapon=weapon)


@once
def chosen(combatant: Combatant, id: str | None, mode: Mode) -> Weapon | None:
    """Return the named weapon, or else the first suitable weapon at hand.

    - In melee without such a weapon, and always in a grapple, return the bare hands.
    - Otherwise return a stowed or dropped weapon, so that the refusal can name it.
    """
    if id is not None:
        return arms.weapon_of(combatant, id)
    fists = arms.weapon_of(combatant, arms.UNARMED)
    if mode == "melee" and arms.in_grapple(combatant):
        return fists
    usable = [weapon for weapon in arms.weapons(combatant) if fits(weapon, mode)]
    for where in arms.READIED:
        for weapon in usable:
            if arms.state(combatant, weapon) == where:
                return weapon
    if mode == "melee" and fists is not None:
        return fists
    return usable[0] if usable else None


def fits(weapon: Weapon, mode: Mode) -> bool:
    """Return true if the weapon suits this kind of attack."""
    return arms.is_melee(weapon) if mode == "melee" else weapon.range is not None


@rule("SOV-DUAL-02", "Each attack uses one of the two weapons")
def blow_of(play: Play, who: Id, inputs: Attack, mode: Mode, kind: str) -> Blow:
    """Return the attack that legal inputs describe, with one weapon (SOV-DUAL-02)."""
    combatant = play.combat[who]
    granted = play.by_gm
    weapon = chosen(combatant, inputs.weapon, mode)
    assert weapon is not None, "the refusals know the weapon"
    return Blow(
        who,
        inputs.target,
        weapon,
        mode,
        best_attribute(combatant, weapon, inputs.attribute),
        best_skill(combatant, weapon, mode, inputs.skill),
        kind,
        gm=inputs.gm_modifier if granted else 0,
        proposed=0 if granted else inputs.gm_modifier,
    )


@rule("SOV-ATK-02", "One attribute of the weapon counts for attack, damage and Shock")
def best_attribute(combatant: Combatant, weapon: Weapon, picked: str | None) -> Attribute:
    """Return the chosen attribute, else the highest (SOV-ATK-02)."""
    names = arms.attributes(weapon)
    return next(
        (name for name in names if name == picked),
        max(names, key=lambda name: attribute(combatant, name)),
    )


def best_skill(combatant: Combatant, weapon: Weapon, mode: Mode, picked: str | None) -> Skill:
    """Return the chosen skill, else the best (SOV-RNG-02)."""
    skills = arms.skills(combatant, weapon, mode)
    best = max(skills, key=lambda skill: level(combatant, skill) or 0)
    return next((skill for skill in skills if skill == picked), best)


# ---- refusals


def refusals(
    combat: Combat, who: Id, inputs: Attack, mode: Mode, *, free: bool = False
) -> Iterator[Illegal]:
    """Refuse the attack if anything forbids it now.

    If `free` is true, the attacker can still move. Reach and line of sight then do not matter.
    """
    combatant = combat[who]
    if not in_fight(combat, combat[inputs.target].id):  # raises `Unknown` for an unknown target
        yield out_of(mode, f"{inputs.target} is dead or gone")
    yield from weapon_refusals(combatant, inputs, mode)
    weapon = chosen(combatant, inputs.weapon, mode)
    if weapon is None or not fits(weapon, mode):
        return
    if not free:
        yield from reach_refusals(combat, who, inputs.target, weapon, mode)
    if mode == "ranged":
        yield from shooting_refusals(combat, who, inputs.target, weapon)


def weapon_refusals(combatant: Combatant, inputs: Attack, mode: Mode) -> Iterator[Illegal]:
    """Refuse a weapon that is missing, not readied, unsuitable, or illegal in a grapple."""
    weapon = chosen(combatant, inputs.weapon, mode)
    ids = [weapon.id for weapon in arms.weapons(combatant)]
    if weapon is None:
        what = inputs.weapon or ("a weapon to shoot or throw" if mode == "ranged" else "fists")
        detail = f"{combatant.name} has no data for {what}"
        yield refuse("SOV-DMG-02", "missing-data", detail, "weapon", ids)
        return
    if arms.in_grapple(combatant) and not arms.is_unarmed(combatant, weapon):
        detail = "in a grapple only fists are used"
        yield refuse("SOV-GRAP-03", "unarmed-only", detail, "weapon")
    if not fits(weapon, mode):
        if mode == "ranged":
            detail = f"{weapon.name} has no range"
            yield refuse("SOV-RNG-01", "missing-data", detail, "weapon")
        else:
            detail = f"{weapon.name} is no melee weapon"
            yield refuse("SOV-MEL-01", "missing-data", detail, "weapon")
        return
    yield from arms.ready_refusals(combatant, weapon)
    if inputs.attribute is not None and inputs.attribute not in arms.attributes(weapon):
        usable = arms.attributes(weapon)
        detail = f"not with {weapon.name}"
        yield refuse("SOV-ATK-02", "missing-data", detail, "attribute", usable)
    skills = arms.skills(combatant, weapon, mode)
    if inputs.skill is not None and inputs.skill not in skills:
        detail = f"not with {weapon.name}"
        yield refuse("SOV-RNG-02", "missing-data", detail, "skill", skills)


@rule("SOV-LOS-09", "An attack needs a line of sight")
def reach_refusals(
    combat: Combat, who: Id, target: Id, weapon: Weapon, mode: Mode
) -> Iterator[Illegal]:
    """Refuse a target that is out of reach or range, or out of sight."""
    feet = board.feet_apart(combat, who, target)
    limit = arms.reach_ft(weapon, mode)
    if target == who or feet is None or feet > limit:
        where = "nowhere" if feet is None else f"{feet} ft away"
        far = f"{target} is {where}, {weapon.name} gets {limit} ft"
        yield out_of(mode, far)
    if target != who and feet is not None and not board.los(combat, who, target):
        detail = f"no line of sight to {target}"
        yield refuse("SOV-LOS-09", "no-line-of-sight", detail, "target")


def out_of(mode: Mode, detail: str) -> Illegal:
    """Return the refusal for a target out of reach or range (SOV-MEL-01, SOV-RNG-01)."""
    if mode == "melee":
        return refuse("SOV-MEL-01", "out-of-reach", detail, "target")
    return refuse("SOV-RNG-01", "out-of-range", detail, "target")


@rule("SOV-RNG-03", "A shot in melee has −4, and bows and two-handed weapons cannot shoot there")
def shooting_refusals(combat: Combat, who: Id, target: Id, weapon: Weapon) -> Iterator[Illegal]:
    """Refuse a shot in melee, with an unloaded weapon, or at a target that is not located.

    SOV-RNG-03, SOV-RLD-01, SOV-ATK-06.
    """
    combatant = combat[who]
    two_handed = arms.hands(weapon) == 2 and not arms.is_thrown(weapon)
    if (weapon.kind == "bow" or two_handed) and arms.in_melee(combat, who):
        detail = f"{weapon.name} is no use in melee"
        yield refuse("SOV-RNG-03", "bow-in-melee", detail, "weapon")
    if not arms.loaded(combatant, weapon):
        detail = f"{weapon.name} is not loaded"
        yield refuse("SOV-RLD-01", "not-loaded", detail, "weapon", ("reload",))
    if not board.sees(combat, who, target) and not board.located(combat, who, target):
        detail = f"nobody knows exactly where {target} is"
        yield refuse("SOV-ATK-06", "target-not-located", detail, "target")


def spell_refusals(combat: Combat, who: Id, spell: Spell, target: Id) -> Iterator[Illegal]:
    """Refuse a target that is gone, out of range or out of sight (SOV-SPELL-02)."""
    feet = board.feet_apart(combat, who, target)
    far = spell.range_ft is not None and (feet is None or feet > spell.range_ft)
    if not in_fight(combat, target) or far:
        detail = f"{target} is out of range, or gone"
        yield refuse("SOV-SPELL-02", "out-of-range", detail, "targets")
    if spell.needs_los and target != who and not board.los(combat, who, target):
        detail = f"no line of sight to {target}"
        yield refuse("SOV-LOS-09", "no-line-of-sight", detail, "targets")


@once
def mode_of(combat: Combat, who: Id, target: Id, weapon: str | None) -> Mode:
    """Return the kind of the attack: `melee` or `ranged`.

    A melee weapon attacks in melee, unless only a throw is legal. Other weapons attack at range.
    """
    blade = chosen(combat[who], weapon, "melee")
    if blade is None or not fits(blade, "melee"):
        return "ranged"
    inputs = Attack(target=target, weapon=weapon)
    out = next(refusals(combat, who, inputs, "melee"), None)
    if out is not None and next(refusals(combat, who, inputs, "ranged"), None) is None:
        return "ranged"
    return "melee"


class GmModifier(Struct, frozen=True, forbid_unknown_fields=True):
    modifier: GmPoints = 0


MODIFIER = Option(
    "modifier",
    GmModifier,
    candidates=lambda play, who: ({"modifier": 0}, {"modifier": -2}),
    label="This is added",
)
