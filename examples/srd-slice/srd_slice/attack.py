"""Attacks: reach and range, the roll, damage, and opportunity attacks."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.dice import formula, parse
from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import Spent
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, roll, while_able
from domain.rulebook.inputs import Enemy, OwnWeapon, proposals
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.secrecy import knows_of
from srd_slice.harm import hurt
from srd_slice.numbers import armor_class, d20
from srd_slice.sheet import Weapon
from srd_slice.states import HELPLESS, feet, in_fight, sheet, unable, weapon_of


class Blow(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of an attack with a weapon on an enemy."""

    target: Enemy
    weapon: OwnWeapon


def lacking(combat: Combat, who: Id, kind: str, rule: str) -> Iterator[Illegal]:
    """Yield the refusal `rule` if `who` has no action of this kind left (SRD-TRN-02)."""
    if combat[who].budget.get(kind, 0) < 1:
        yield Illegal(rule, f"no-{kind}", f"{combat[who].name} has no {kind} left")


def refusals(play: Play, who: Id, blow: Blow) -> Iterator[Illegal]:
    """Yield the reasons why `who` cannot make this attack."""
    yield from lacking(play.combat, who, "action", "SRD-TRN-02")
    yield from unreachable(play.combat, who, blow.target, blow.weapon)


def unreachable(combat: Combat, who: Id, target: Id, id: str) -> Iterator[Illegal]:
    """Yield the reasons why the weapon cannot strike the target (SRD-ATK-03, SRD-RNG-01)."""
    weapon = weapon_of(combat[who], id)
    if weapon is None:
        ids = [weapon.id for weapon in sheet(combat[who]).weapons]
        yield Illegal("SRD-ATK-03", "no-weapon", f"{combat[who].name} has no weapon {id!r}", ids)
        return
    if target == who or combat[target].has("dead"):
        yield Illegal("SRD-ATK-03", "no-target", f"{combat[target].name} is no target")
    distance = feet(combat, who, target)
    if weapon.range_ft is None:
        rule, farthest = "SRD-ATK-03", weapon.reach_ft
    else:
        rule, farthest = "SRD-RNG-01", max(weapon.range_ft, weapon.long_ft)
    if distance is not None and distance > farthest:
        yield Illegal(rule, "out-of-reach", f"{weapon.name} reaches {farthest} ft, not {distance}")


def blows(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Return proposals that combine every weapon with every enemy."""
    return proposals(Blow, ("target", "weapon"), play.combat, who)


def attack(play: Play, who: Id, blow: Blow) -> Procedure[None]:
    """Pay the action, and make the attack (SRD-ATK-01)."""
    yield Spent(who, {"action": 1}, rules=("SRD-TRN-02",))
    yield from strike(play, who, blow.target, blow.weapon)


def strike(play: Play, who: Id, target: Id, id: str) -> Procedure[None]:
    """Make the attack, unless the attacker becomes unable to continue."""
    weapon = weapon_of(play.combat[who], id)
    if weapon is not None:
        yield from while_able(play, who, struck(play, who, target, weapon), "attack", at=target)


def struck(play: Play, who: Id, target: Id, weapon: Weapon) -> Procedure[None]:
    """Roll to hit, and deal damage after a hit.

    With any total, a natural 20 hits and a natural 1 misses (SRD-ATK-02).
    """

    def verdict(faces: object, total: int, ac: int) -> str:
        face = total - weapon.to_hit
        hits = face == 20 or (face != 1 and total >= ac)
        near = feet(play.combat, who, target)
        sure = play.combat[target].has(*HELPLESS) and near is not None and near <= 5  # SRD-CND-03
        return ("critical" if face == 20 or sure else "hit") if hits else "miss"

    rolled = yield from roll(
        who,
        "attack",
        lambda: f"{d20(play.combat, who, target, weapon)}{weapon.to_hit:+d}",
        rules=("SRD-ATK-01",),
        target=lambda: armor_class(play.combat, target),
        against=target,
        judge=verdict,
    )
    if rolled.outcome == "miss":
        return
    dice, rule = parse(weapon.damage), "SRD-ATK-01"
    if rolled.outcome == "critical":  # SRD-CRT-01: roll all damage dice twice
        dice, rule = formula(dice.dice * 2, dice.constant), "SRD-CRT-01"
    harm = yield from roll(who, "damage", dice.text, rules=(rule,), against=target)
    critical = rolled.outcome == "critical"
    yield from hurt(play, target, max(0, harm.total), who, rule, critical=critical)


ATTACK = Action(
    "attack", Blow, refusals, blows, "Attack", procedure=attack, cost="action",
    rules=("SRD-ATK-01", "SRD-ATK-02", "SRD-CRT-01"),
).shown("attack", "Attack {target}[ with {weapon}]")  # fmt: skip


# ---- opportunity attacks


class Swing(Struct, frozen=True, forbid_unknown_fields=True):
    """The weapon of an opportunity attack."""

    weapon: OwnWeapon


def may_react(combat: Combat, who: Id, mover: Id) -> bool:
    """Return true if `who` knows of the mover and can react to it (SRD-OPP-01, SRD-TRN-03)."""
    combatant = combat[who]
    return (
        not combatant.left
        and combatant.budget.get("reaction", 0) > 0
        and unable(combat, who) is None
        and in_fight(combat, mover)
        and knows_of(combat, who, mover)
    )


def threatening(combat: Combat, who: Id, mover: Id) -> list[str]:
    """Return the ids of the melee weapons of `who` that reach the mover."""
    apart = feet(combat, who, mover)
    return [
        weapon.id
        for weapon in sheet(combat[who]).weapons
        if weapon.range_ft is None and apart is not None and apart <= weapon.reach_ft
    ]


def opportunity(who: Id, mover: Id) -> Prompt:
    """Return the prompt that asks if `who` strikes an enemy that leaves its reach (SRD-OPP-01)."""

    def why_not(play: Play, _: Id, swing: Swing) -> Iterator[Illegal]:
        yield from lacking(play.combat, who, "reaction", "SRD-TRN-03")
        known = mover in play.combat.combatants  # false if `who` does not see it
        weapons = threatening(play.combat, who, mover) if known else []
        if swing.weapon not in weapons:
            yield Illegal("SRD-OPP-01", "out-of-reach", "that weapon does not reach it", weapons)

    def swings(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        return ({"weapon": weapon} for weapon in threatening(play.combat, who, mover))

    def procedure(play: Play, _: Id, swing: Swing) -> Procedure[None]:
        yield Spent(who, {"reaction": 1}, rules=("SRD-TRN-03",))
        yield from strike(play, who, mover, swing.weapon)

    action = Action(
        "strike", Swing, why_not, swings, "Strike", procedure=procedure, rules=("SRD-OPP-01",)
    ).shown("attack", "Strike[ with {weapon}]", polarity="harm")
    return Prompt(
        "reaction",
        "opportunity-attack",
        who,
        f"Does {who} strike {mover}, who leaves its reach?",
        (action, PASS),
        ("SRD-OPP-01",),
        "pass",
        {"mover": mover},
        stands=lambda now: may_react(now, who, mover) and bool(threatening(now, who, mover)),
    )


PASS = Option("pass")
STRIKE = (
    Option("strike", Swing, label="Strike").shown("attack", "Strike", polarity="harm"),
    PASS,
)
"""The options of the prompt of an opportunity attack, for the catalogue."""
