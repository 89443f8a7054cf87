"""The actions `attack`, `ranged-attack` and `shield-bash` (DEF-ATK, DEF-RNG, DEF-SHB).

Each action is one attack with a ready weapon or shield.
"""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, OpenPrompt
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.definitions import arms, board, manoeuvre, opportunity
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import ATTACK, MELEE, SHOOTING, SHOT, Attempt, priced
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    free_of_grapple,
    in_natural_reach,
    not_pinned,
)
from domain.rulesets.definitions.opportunity import Opportunity
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Shield, Weapon
from domain.rulesets.definitions.strike import Blow, gone_astray, strike


class Attack(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an attack.

    If `weapon` is `null`, Affray uses the first ready weapon that reaches the target.
    """

    target: Needed[Target] = None
    weapon: OwnWeapon | None = None


# ---- attack


def armed(act: Act[Attack]) -> Iterator[Illegal]:
    """Refuse an attack without a ready melee weapon that reaches the target (DEF-ATK-06)."""
    combat, who, inputs = act.combat, act.who, act.inputs
    weapon = melee_weapon(combat, who, inputs)
    meant = weapon or arms.weapon(act.actor, inputs.weapon)
    if meant is not None and meant.kind == "ranged":
        detail = f"{meant.name} is no weapon of the melee"
        yield refuse("DEF-ATK-06", "wrong-weapon-kind", detail, "weapon")
        return
    if weapon is None:
        detail = f"{act.actor.name} has no such weapon ready"
        ready = [weapon.id for weapon in arms.ready(act.actor)]
        yield refuse("DEF-WLD-08", "weapon-not-ready", detail, "weapon", ready)
        return
    yield from fits_grapple(act.actor, weapon)
    if inputs.target is not None and not gets_there(combat, who, inputs.target, weapon):
        detail = f"{weapon.name} does not reach {combat[inputs.target].name}"
        yield refuse("DEF-RCH-08", "out-of-reach", detail, "target")


@rule("DEF-GRP-10", "A combatant in a grapple can only make plain attacks with suitable weapons")
def fits_grapple(combatant: Combatant, weapon: Weapon, field: str = "weapon") -> Iterator[Illegal]:
    """Refuse a weapon that the combatant cannot use in a grapple (DEF-GRP-10)."""
    if not fits(combatant, weapon):
        detail = f"{weapon.name} is of no use in a grapple"
        yield refuse("DEF-GRP-10", "weapon-not-for-grapple", detail, field)


def fits(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the combatant can use the weapon now.

    In a grapple, it can use only natural weapons and weapons marked `grapple_ok`.
    """
    free = not combatant.has("grappled", "grappling")
    return free or weapon.grapple_ok or weapon.kind == "natural"


def gets_there(combat: Combat, who: Id, target: Id, weapon: Weapon) -> bool:
    """Return false if the target is out of reach. Without positions, everybody is in reach."""
    return board.within_reach(combat, who, target, weapon) is not False


def melee_weapon(combat: Combat, who: Id, inputs: Attack) -> Weapon | None:
    """Return the named weapon if it is ready.

    Without a name, return the first melee weapon that the combatant can use and that reaches the
    target. If no weapon fits, return the first ready weapon.
    """
    combatant = combat[who]
    ready = arms.ready(combatant)
    if inputs.weapon is not None:
        return next((weapon for weapon in ready if weapon.id == inputs.weapon), None)
    melee = arms.melee(combatant)
    for weapon in melee:
        if not fits(combatant, weapon):
            continue
        if inputs.target is not None and gets_there(combat, who, inputs.target, weapon):
            return weapon
    return (*melee, *ready, None)[0]


def attack_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every other combatant with each ready weapon, with and without a stance."""
    for other in manoeuvre.others(play.combat, who):
        for weapon in arms.ready(play.combat[who]):
            yield {"target": other, "weapon": weapon.id}
            for stance in ("reckless", "defensive"):
                yield {"target": other, "weapon": weapon.id, "stance": stance}


@priced(
    "attack", "Attack", Attack, ATTACK, MELEE, under="DEF-ATK-01",
    category="attack", headline="Attack {target}[ with {weapon}]",
    essential=("target", "weapon", "stance"),
    rules={
        "DEF-ATK-05": "A melee attack does not provoke and has no size modifier",
        "DEF-ATK-06": "An attack needs a legal target, which may be an ally",
    },
    also=("DEF-ATK-02", "DEF-MUL-02"),
    refusals=(fair_target, not_pinned, armed),
    propose=attack_candidates,
)  # fmt: skip
def attack(act: Attempt[Attack]) -> Procedure[None]:
    """Roll the attack, confirm a threat, and roll the damage.

    DEF-ATK-01, DEF-CRT, DEF-DMG, DEF-ATK-05.
    """
    weapon = melee_weapon(act.combat, act.who, act.inputs)
    if weapon is not None:
        yield from strike(act.play, Blow(act.who, act.aim, weapon, act.place))


# ---- ranged-attack


def armed_to_shoot(act: Act[Attack]) -> Iterator[Illegal]:
    """Refuse a shot without a ready ranged weapon, or at a target out of range.

    DEF-RNG-06, DEF-RNG-03.
    """
    inputs = act.inputs
    weapon = ranged_weapon(act.combat, act.who, inputs)
    meant = weapon or arms.weapon(act.actor, inputs.weapon)
    if meant is not None and meant.kind != "ranged":
        detail = f"{meant.name} is no ranged weapon"
        yield refuse("DEF-RNG-06", "wrong-weapon-kind", detail, "weapon")
        return
    if weapon is None:
        detail = f"{act.actor.name} has no such weapon ready"
        yield refuse("DEF-WLD-08", "weapon-not-ready", detail, "weapon")
        return
    yield from fits_grapple(act.actor, weapon)
    yield from board.out_of_range(act.combat, act.who, inputs.target, weapon.range_ft, weapon.name)


def ranged_weapon(combat: Combat, who: Id, inputs: Attack) -> Weapon | None:
    """Return the named weapon if it is ready. Without a name, return the first ranged weapon."""
    ready = arms.ready(combat[who])
    if inputs.weapon is not None:
        return next((weapon for weapon in ready if weapon.id == inputs.weapon), None)
    ranged = [weapon for weapon in ready if weapon.kind == "ranged"]
    return (*ranged, *ready, None)[0]


def ranged_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every other combatant, with and without the reckless stance."""
    for other in manoeuvre.others(play.combat, who):
        yield {"target": other}
        yield {"target": other, "stance": "reckless"}


@priced(
    "ranged-attack", "Shoot or throw", Attack, SHOT, SHOOTING, under="DEF-RNG-01",
    category="attack", headline="Shoot {target}[ with {weapon}]",
    essential=("target", "weapon", "stance"),
    rules={
        "DEF-RNG-02": "Shooting in a threatened square provokes",
        "DEF-RNG-03": "Shots past allies and other combatants have no penalty",
    },
    also=("DEF-RNG-06",),
    refusals=(fair_target, not_pinned, armed_to_shoot),
    propose=ranged_candidates,
)  # fmt: skip
def ranged_attack(act: Attempt[Attack]) -> Procedure[None]:
    """Choose the real target, then roll the attack (DEF-RNG-01, DEF-RNG-04)."""
    target = yield from gone_astray(act.play, act.who, act.aim)
    weapon = ranged_weapon(act.combat, act.who, act.inputs)
    if weapon is None or weapon.kind != "ranged" or not in_fight(act.combat, target):
        return
    yield from strike(act.play, Blow(act.who, target, weapon, act.place))


# ---- shield-bash


class Bash(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a shield bash.

    If `shield` is `null`, Affray uses the shield in the offhand, or else the shield in the primary
    slot (DEF-WLD-07).
    """

    target: Needed[Target] = None
    shield: str | None = None


def shield_of(combatant: Combatant, inputs: Bash) -> Shield | None:
    """Return the named shield if it is in a slot. Without a name, return the first such shield."""
    shields = arms.shields_in_slots(combatant)
    return next((shield for shield in shields if inputs.shield in (None, shield.id)), None)


def bash_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every other combatant, with the default shield and with each shield."""
    for other in manoeuvre.others(play.combat, who):
        yield {"target": other}
        for shield in arms.shields_in_slots(play.combat[who]):
            yield {"target": other, "shield": shield.id}


@priced(
    "shield-bash", "Bash with a shield", Bash, ATTACK, MELEE,
    category="attack", headline="Bash {target} with a shield",
    rules={
        "DEF-SHB-01": "A shield bash can replace any attack",
        "DEF-SHB-04": "A bash needs a shield in a slot, and the shield's AC stays",
    },
    also=("DEF-SHB-02", "DEF-SHB-03"),
    refusals=(
        fair_target,
        free_of_grapple,
        Refusal("DEF-SHB-04", "no-shield", "{actor} has no such shield in hand",
                lambda act: shield_of(act.actor, act.inputs) is None, "shield"),
        in_natural_reach,
    ),
    propose=bash_candidates,
)  # fmt: skip
def shield_bash(act: Attempt[Bash]) -> Procedure[None]:
    """Strike with the shield (DEF-SHB-01)."""
    shield = shield_of(act.actor, act.inputs)
    if shield is not None:
        yield from strike(act.play, Blow(act.who, act.aim, shield, act.place))


# ---- inputs that a caller left out


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the weapon or shield of an attack whose inputs name none. The log shows it."""
    target = inputs.get("target")
    if inputs.get("weapon") is not None:
        return {}
    weapon: Weapon | Shield | None
    if option == "aoo" and inputs.get("action", "attack") == "attack":
        asked = {} if prompt is None else prompt.data
        target = target or asked.get("mover") or asked.get("actor")
        if not isinstance(target, str) or target not in combat.combatants:
            return {}
        weapon = opportunity.arm_for(combat, who, target, Opportunity())
    elif option == "attack" and (target is None or target in combat.combatants):
        weapon = melee_weapon(combat, who, Attack(target=target))
    elif option == "ranged-attack":
        weapon = ranged_weapon(combat, who, Attack(target=target))
    else:
        return {}
    return {} if weapon is None else {"weapon": weapon.id}
