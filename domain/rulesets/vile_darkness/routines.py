"""Find attack routines, weapons and targets (VD-ROUT, VD-MELEE, VD-SPACE, VD-GRID)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Protocol

import msgspec

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.declaration import refuse
from domain.rulebook.inputs import InputKind
from domain.rulebook.state_cache import once
from domain.rulesets.vile_darkness import notation
from domain.rulesets.vile_darkness.facts import LOADED, ROUTINES
from domain.rulesets.vile_darkness.numbers import engaged_with, options, sheet, state_of, zone
from domain.rulesets.vile_darkness.places import adjacent, apart, has_room, squeezed
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import (
    Attack,
    Creature,
    Effect,
    Kind,
    Name,
    Number,
    Routine,
    SpecialDamage,
    Weapon,
)

# ---- inputs of an attack


def has_routines(combatant: Combatant) -> bool:
    """Return true if the sheet has routines in addition to its weapons."""
    return bool(sheet(combatant).routines)


def has_modes(combatant: Combatant) -> bool:
    """Return true if a weapon has another mode of use."""
    return any(weapon.modes for weapon in sheet(combatant).weapons)


def has_multipliers(combatant: Combatant) -> bool:
    """Return true if a circumstance multiplies the damage of a weapon (VD-DMG-04)."""
    return any(weapon.multipliers for weapon in sheet(combatant).weapons)


OwnRoutine = Annotated[str, InputKind(matters=has_routines)]
WeaponModeInput = Annotated[str, InputKind(matters=has_modes)]
Circumstances = Annotated[tuple[str, ...], InputKind(matters=has_multipliers)]
GmModifier = Annotated[Number, InputKind(gm_only=True)]


ROOM_FT = 4
"The space in ft above which a weapon needs an open square next to its user (VD-SPACE-01)."


@dataclass(frozen=True)
class Blow:
    """One attack roll of a routine.

    - `weapon`: the weapon, or `None` for a natural weapon that the sheet does not list.
    - `place`: the index of the blow in the routine.
    """

    name: str
    damage: str
    attack: Attack
    weapon: Weapon | None
    place: int = 0


@rule("VD-ROUT-01", "A routine is all attacks that a combatant makes at once")
@dataclass(frozen=True)
class Use:
    """A use of a routine, whose blows all have the same target (VD-ROUT-02).

    If `primary` is true, free and immediate attacks use the routine by default (VD-ROUT-06).
    """

    id: str
    kind: Kind
    blows: tuple[Blow, ...]
    primary: bool

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """Return each weapon of the routine once."""
        return tuple({blow.weapon.id: blow.weapon for blow in self.blows if blow.weapon}.values())

    @property
    def speed(self) -> int:
        """Return the speed of the slowest weapon. Weapons without a speed count as 1 (GAP-12)."""
        if self.kind == "missile":
            return 1
        return max(blow.weapon.speed if blow.weapon else 1 for blow in self.blows)

    @property
    def reach_ft(self) -> int:
        """Return the longest reach in ft, or 0 without listed weapons.

        An adjacent square is always in reach (GAP-30).
        """
        return max((weapon.reach_ft for weapon in self.weapons), default=0)


# ---- routines and weapons of a combatant


def routines_of(card: Creature) -> tuple[Routine, ...]:
    """Return the routines of the sheet or its stat line, or else one routine for each weapon."""
    if card.routines is not None:
        return card.routines
    if card.stat_line is not None:
        return _from_stat_line(card)
    return tuple(
        Routine(
            id=weapon.id, name=weapon.name, kind=weapon.kind, attacks=(Attack(weapon=weapon.id),)
        )
        for weapon in card.weapons
    )


def _from_stat_line(card: Creature) -> tuple[Routine, ...]:
    """Return the routines of the stat line, in which each entry is one attack (VD-ATK-08)."""
    routines: list[Routine] = []
    for line in notation.parse(card.stat_line or ""):
        number = sum(routine.kind == line.kind for routine in routines) + 1
        attacks = tuple(
            Attack(
                name=entry.name,
                weapon=_named(card, entry.name) or entry.name,
                count=entry.count,
                damage=entry.damage,
                special_damage=SpecialDamage(formula=entry.special, attributes=entry.attributes)
                if entry.special
                else None,
                aac0=entry.aac0,
                effects=tuple(Effect(condition=effect) for effect in entry.effects),
            )
            for entry in line.entries
        )
        id = line.kind if number == 1 else f"{line.kind}-{number}"
        routines.append(Routine(id=id, kind=line.kind, attacks=attacks))  # type: ignore[arg-type]
    return tuple(routines)


def natural_weapons(card: Creature) -> tuple[Weapon, ...]:
    """Return the weapons that the stat line names and the sheet does not list."""
    if card.routines is not None or card.stat_line is None:
        return ()
    return tuple(
        Weapon(id=entry.name, kind=line.kind, damage=entry.damage[0])  # type: ignore[arg-type]
        for line in notation.parse(card.stat_line)
        for entry in line.entries
        if _named(card, entry.name) is None
    )


def weapon_of(combatant: Combatant, id: str | None) -> Weapon | None:
    """Return the weapon of the sheet or the stat line with this id, or `None`."""
    card = sheet(combatant)
    listed = next((weapon for weapon in card.weapons if weapon.id == id), None)
    if listed is not None or id is None:
        return listed
    return next(
        (weapon for weapon in natural_weapons(card) if weapon.id.lower() == id.lower()), None
    )


def _named(card: Creature, name: Name) -> Name | None:
    """Return the id of the listed weapon with this name, in the singular or the plural."""
    wanted = name.lower()
    for weapon in card.weapons:
        for known in (weapon.id.lower(), (weapon.name or weapon.id).lower()):
            if wanted in (known, f"{known}s"):
                return weapon.id
    return None


@rule("VD-SPACE-03", "Each mode of a weapon needs its own space")
def in_mode(weapon: Weapon, mode: str | None) -> Weapon:
    """Return the weapon with the values of a mode (VD-SPACE-03)."""
    chosen = next((weapon_mode for weapon_mode in weapon.modes if weapon_mode.id == mode), None)
    if chosen is None:
        return weapon
    given = {
        name: value
        for name in ("kind", "damage", "speed", "space_ft", "reach_ft", "range_ft", "tags")
        if (value := getattr(chosen, name)) is not None
    }
    return msgspec.structs.replace(weapon, **given)


@rule("VD-ROUT-05", "One stroke, two weapons, claw and bite, or two arrows are each one routine")
def use_of(combatant: Combatant, routine: Routine) -> Use:
    """Return the use of a routine with its weapons (VD-ROUT-05)."""
    blows: list[Blow] = []
    for attack in routine.attacks:
        weapon = weapon_of(combatant, attack.weapon)
        if weapon is not None:
            weapon = in_mode(weapon, attack.mode)
        for at in range(attack.count):
            name = attack.name or (weapon.name or weapon.id if weapon else routine.id)
            blows.append(Blow(name, _damage(attack, weapon, at), attack, weapon, len(blows)))
    card = sheet(combatant)
    return Use(routine.id, routine.kind, tuple(blows), is_primary(card, routine))


def _damage(attack: Attack, weapon: Weapon | None, at: int) -> str:
    if not attack.damage:
        return weapon.damage if weapon else "0"
    return attack.damage[at] if len(attack.damage) > 1 else attack.damage[0]


def with_weapon(weapon: Weapon, mode: str | None) -> Use:
    """Return a use that is a single blow with this weapon. Such a use is never primary."""
    used = in_mode(weapon, mode)
    blow = Blow(used.name or used.id, used.damage, Attack(weapon=used.id, mode=mode), used)
    return Use(used.id, used.kind, (blow,), primary=False)


def blow_now(combatant: Combatant, use: Use, blow: Blow) -> Blow:
    """Return the blow with the values of the current sheet.

    If the sheet no longer has the blow, return it unchanged.
    """
    for us in uses(combatant, use.kind):
        if us.id == use.id and blow.place < len(us.blows):
            present = us.blows[blow.place]
            if present.attack.mode == blow.attack.mode:
                return present
    return blow


def is_primary(card: Creature, routine: Routine) -> bool:
    """Return true if the routine is primary.

    Without `primary`, the first melee routine and the first missile routine are primary. With a
    multi-attack, only its first routine is primary (GAP-43).
    """
    if has_multi_attack(card):
        return routine.id == multi_attack(card)[0]
    if routine.primary is not None:
        return routine.primary
    first = next(other for other in routines_of(card) if other.kind == routine.kind)
    return first.id == routine.id


@rule("VD-ROUT-06", "The primary attack is that of the main hand, or the first of the routine")
def primary_attack(combatant: Combatant, use: Use) -> Blow:
    """Return the main hand's attack of a routine, or else its first attack (VD-ROUT-06).

    For an ambidextrous combatant, return the first attack.
    """
    if not sheet(combatant).ambidextrous:
        for blow in use.blows:
            if blow.attack.hand == "main":
                return blow
    return use.blows[0]


@once
def uses(combatant: Combatant, kind: Kind | None = None) -> tuple[Use, ...]:
    """Return all routines, and then the modes of each weapon that no routine covers."""
    card = sheet(combatant)
    every = [use_of(combatant, routine) for routine in routines_of(card)]
    for weapon in card.weapons:
        for mode in (None, *(weapon_mode.id for weapon_mode in weapon.modes)):
            use = with_weapon(weapon, mode)
            if not any(
                other.id == use.id and other.kind == use.kind and mode is None for other in every
            ):
                every.append(use)
    return tuple(use for use in every if kind in (None, use.kind))


@rule("VD-MULTI-06", "Without multi-attack, a combatant has one routine per round")
def has_multi_attack(card: Creature) -> bool:
    """Return true if the combatant has two or more routines per round (VD-MULTI-06)."""
    return max(card.multi_attack.routines, len(card.multi_attack.list)) >= 2


def multi_attack(card: Creature) -> tuple[str, ...]:
    """Return the routines of a round in order. Without a list, repeat the first routine."""
    if card.multi_attack.list:
        return card.multi_attack.list
    first = routines_of(card)
    return (first[0].id,) * card.multi_attack.routines if first else ()


@rule(
    "VD-MULTI-07",
    "A combatant may decline step 4, and only an attack in step 5 leaves routines for later",
)
def the_rest(combatant: Combatant) -> tuple[str, ...]:
    """Return the routines that an attack keeps for step 6 (VD-MULTI-02, VD-MULTI-07)."""
    card = sheet(combatant)
    return multi_attack(card)[1:] if has_multi_attack(card) else ()


# ---- choices


class Naming(Protocol):
    """Inputs that name a routine or a weapon."""

    @property
    def routine(self) -> str | None: ...
    @property
    def weapon(self) -> str | None: ...


class Choosing(Naming, Protocol):
    """Inputs that name a routine, or a weapon with its mode."""

    @property
    def mode(self) -> str | None: ...


def said(inputs: Naming) -> str:
    """Return the input field that names the routine or weapon."""
    return "routine" if inputs.weapon is None else "weapon"


def pointer(inputs: Naming) -> str:
    """Return the JSON pointer of the input field that names the routine or weapon."""
    return f"/inputs/{said(inputs)}"


@once
def chosen(
    combatant: Combatant,
    kind: Kind | None,
    routine: str | None = None,
    weapon: str | None = None,
    mode: str | None = None,
    default: str | None = None,
) -> Use | None:
    """Return the use of the routine or weapon that the inputs name.

    If they name none, return the default, or else the first routine of this kind, or `None`.
    """
    if weapon is not None and routine is not None:
        raise Malformed("/inputs/routine", "name a routine or a weapon, not both")
    if weapon is not None:
        own = weapon_of(combatant, weapon)
        if own is None:
            known = tuple(weapon.id for weapon in sheet(combatant).weapons)
            raise Malformed("/inputs/weapon", f"{combatant.name} has no weapon {weapon!r}", known)
        modes = tuple(weapon_mode.id for weapon_mode in own.modes)
        if mode is not None and mode not in modes:
            raise Malformed("/inputs/mode", f"{weapon} has no mode {mode!r}", modes)
        return _at_its_place(combatant, _natural(combatant, own) or with_weapon(own, mode))
    if mode is not None:
        raise Malformed("/inputs/mode", "a mode is one of a weapon: name the weapon")
    named = routine or default
    if named is not None:
        for listed in routines_of(sheet(combatant)):
            if listed.id == named:
                return use_of(combatant, listed)
        known = tuple(routine.id for routine in routines_of(sheet(combatant)))
        raise Malformed("/inputs/routine", f"{combatant.name} has no routine {named!r}", known)
    return next(iter(uses(combatant, kind)), None)


def _natural(combatant: Combatant, weapon: Weapon) -> Use | None:
    """Return a single blow with a natural weapon of the stat line, or `None`."""
    for routine in (
        routines_of(sheet(combatant)) if weapon in natural_weapons(sheet(combatant)) else ()
    ):
        use = use_of(combatant, routine)
        for blow in use.blows:
            if blow.weapon == weapon:
                return replace(use, id=weapon.id, blows=(blow,))
    return None


def _at_its_place(combatant: Combatant, use: Use) -> Use:
    """Return the use of a weapon, marked as primary if the first routine has the weapon."""
    card = sheet(combatant)
    if not has_multi_attack(card):
        return use
    first = chosen(combatant, None, routine=multi_attack(card)[0])
    ids = () if first is None else (first.id, *(weapon.id for weapon in first.weapons))
    return replace(use, primary=use.id in ids)


def next_routine(combatant: Combatant) -> str | None:
    """Return the next routine of step 6, or `None`."""
    return next(iter(ROUTINES.of(combatant)), None)


# ---- targets


def illegal(
    combat: Combat,
    attacker: Id,
    target: Id,  # empty for an object
    use: Use,
    loads: tuple[str, ...] = (),
    back: tuple[str, ...] = (),
) -> Iterator[Illegal]:
    """Refuse a routine because of its square, room, reach, range or weapon.

    `loads` has the activities that go with the attack. `back` has the items that they retrieve.
    """
    combatant = combat[attacker]
    if attacker == target:
        yield Impossible(
            "VD-ATK-01", "wrong-kind", "nobody attacks itself", pointer="/inputs/target"
        )
        return
    yield from squeezed(combat, attacker)
    if use.kind == "melee":
        yield from no_room(combat, attacker, use)
    if not target:
        pass  # the GM decides whether an object is within reach
    elif use.kind == "melee":
        yield from out_of_reach(combat, attacker, target, use)
    else:
        yield from out_of_range(combat, attacker, target, use)
    for weapon in use.weapons:
        if state_of(combatant, weapon.id) == "gone" and weapon.id not in back:
            yield refuse(
                "VD-SIMP-03", "no-weapon", f"{weapon.id} is not to hand any more", "weapon"
            )
        if weapon.loading and not is_loaded(combatant, weapon) and weapon.loading not in loads:
            detail = f"{weapon.id} is not loaded: {weapon.loading} comes first, or with an attack"
            yield refuse("VD-DLYG-04", "not-loaded", detail, "weapon", (weapon.loading,))


def is_loaded(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the weapon can shoot without loading (GAP-58)."""
    return LOADED.of(combatant).get(weapon.id, weapon.loaded)


@rule("VD-SPACE-01", "A weapon of more than 4 ft needs an open square next to its user")
def no_room(combat: Combat, attacker: Id, use: Use) -> Iterator[Illegal]:
    """Refuse a weapon of more than 4 ft if no neighbouring square is open (VD-SPACE-01)."""
    widest = max((weapon.space_ft for weapon in use.weapons), default=0)
    if widest > ROOM_FT and not has_room(combat, attacker):
        detail = f"{use.id} needs {widest} ft of space, and every square beside is taken"
        yield refuse("VD-SPACE-01", "no-space", detail, "weapon")


@rule("VD-MELEE-01", "In melee, a combatant can strike anybody in the same melee")
def out_of_reach(combat: Combat, attacker: Id, target: Id, use: Use) -> Iterator[Illegal]:
    """Refuse a target that is neither in the same melee nor in reach (VD-MELEE-01)."""
    if in_same_melee(combat, attacker, target) and not options(combat).restricted_quarters:
        return
    if not in_reach(combat, attacker, target, use):
        detail = f"{combat[target].name} is not within reach"
        yield refuse("VD-MELEE-01", "out-of-reach", detail, "target")


def in_same_melee(combat: Combat, a: Id, b: Id) -> bool:
    """Return true if melees link the two combatants, directly or through others."""
    return bool(engaged_with(combat[a])) and b in zone(combat, a)


def in_reach(combat: Combat, attacker: Id, target: Id, use: Use) -> bool:
    """Return true for a target in a neighbouring square or within the weapon's reach (GAP-30)."""
    far = apart(combat, attacker, target)
    return far is None or adjacent(combat, attacker, target) or far <= use.reach_ft


def out_of_range(combat: Combat, attacker: Id, target: Id, use: Use) -> Iterator[Illegal]:
    """Refuse a target beyond the weapon's range, from centre to centre (VD-GRID-06)."""
    far = apart(combat, attacker, target)
    ranges = (weapon.range_ft for weapon in use.weapons if weapon.range_ft is not None)
    most = min(ranges, default=None)
    if far is not None and most is not None and far > most:
        detail = f"{combat[target].name} is {far:.2f} ft away, {use.id} carries {most} ft"
        yield refuse("VD-GRID-06", "out-of-range", detail, "target")
