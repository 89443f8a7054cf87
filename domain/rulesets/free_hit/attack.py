"""The attack procedure (section 4.1) of every attack, including free hits and spells.

It covers:

- the roll (FH-ATK-02), a natural 1 (FH-FUM) and a natural 20 (FH-CRT)
- damage
- free hits after a natural 1 or a movement (FH-FRE)

A unit may pass on a free hit. It uses a slot only for a free hit that it makes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import ConditionLost, Rolled, Term
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import (
    Procedure,
    ask,
    ask_gm,
    interrupt,
    lastly,
    roll,
    stopped_by,
    while_able,
    while_there,
)
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulebook.reactions import window
from domain.rulebook.secrecy import knows_of
from domain.rulesets.free_hit.escalation import ATTACK, escalate
from domain.rulesets.free_hit.facts import FACING, FREE_HITS, UNDER_ATTACK
from domain.rulesets.free_hit.harm import decisive, die
from domain.rulesets.free_hit.numbers import (
    apart,
    free_hit_slots,
    is_undetected,
    reach,
    target_number,
    zone_radius,
)
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.states import can_act, in_fight, sheet
from domain.rulesets.free_hit.strike import (
    Strike,
    aim_refusals,
    attack_terms,
    damage,
    impossible,
    refusals,
    strike_with,
    verdict,
)
from domain.rulesets.free_hit.things import is_drawn

T = TypeVar("T")

YES_NO = choices("yes", "no")
TRAGEDY = choices("nothing", "free-critical-hit", "other")
DIRE = choices("killed", "nothing", "other")


def attack(play: Play, strike: Strike) -> Procedure[bool]:
    """Run the attack from the roll to the end (section 4.1). Return true if it hits."""
    who, target = strike.attacker, strike.target
    resolved: Procedure[bool | None] = _attack(play, strike)
    if strike.sure:  # the GM may let a disabled unit make a free critical hit
        there = while_there(play, who, resolved, "attack")
        resolved = while_there(play, target, there, "attack")
    else:
        resolved = while_able(play, who, resolved, "attack", at=target)
    return bool((yield from under_attack(play, strike.target, resolved)))


def under_attack(play: Play, target: Id, attacking: Procedure[T]) -> Procedure[T]:
    """Run an attack, during which the target cannot stand up (FH-PRN-07)."""
    stack, rules = UNDER_ATTACK.of(play.combat), ("FH-PRN-07",)
    yield UNDER_ATTACK.set([*stack, target], rules=rules)
    ended = UNDER_ATTACK.set(stack, rules=rules) if stack else UNDER_ATTACK.clear(rules=rules)
    return (yield from lastly(attacking, lambda: (ended,)))


@rule("FH-DMG-07", "The dice of an attack have a fixed order. Nobody rolls dice without effect")
@rule("FH-CRT-01", "A natural 20 is a critical hit")
@rule("FH-FUM-01", "A natural 1 always fails")
@rule("FH-FUM-03", "The attacker rolls all dice of a natural 1 before anybody strikes back")
def _attack(play: Play, strike: Strike) -> Procedure[bool]:
    """Roll only the dice that matter, in the order of FH-DMG-07."""
    attacker, target = strike.attacker, strike.target
    if strike.sure:
        yield from damage(play, strike, 2, is_undetected(play.combat, attacker, target))
        yield from give_away(play, attacker)
        return True
    fallen = yield from stopped_by(
        play,
        attacker,
        throw(play, strike),
        "attack",
        lambda: next(impossible(play.combat, strike), None),
    )
    if fallen is None:
        return False
    unseen = is_undetected(play.combat, attacker, target)
    reached = 0
    match fallen.outcome:
        case "auto-fail":  # misses with any total (FH-ATK-09, FH-FUM-01)
            dice = ATTACK["auto-fail"]
            reached = yield from escalate(play, attacker, "auto-fail", dice, "FH-FUM-02")
        case "critical":  # hits with any total (FH-CRT-01, GAP-16)
            dice = ATTACK["critical"]
            reached = yield from escalate(play, attacker, "critical", dice, "FH-CRT-02")
            if reached == 2:
                yield from decisive(play, target)
            else:  # FH-CRT-03, FH-CRT-04
                yield from damage(play, strike, (2, 4)[reached], unseen)
        case "hit":  # FH-ATK-03
            yield from damage(play, strike, 1, unseen)
    yield from give_away(play, attacker)
    if fallen.outcome == "auto-fail":
        yield from after_natural_one(play, attacker, target, reached)  # FH-FUM-03
    return fallen.outcome in ("hit", "critical")


def throw(play: Play, strike: Strike) -> Procedure[Rolled]:
    """Roll the d20, and return the result (FH-ATK-02)."""
    attacker, at = strike.attacker, strike.target
    ruled = yield from from_behind(play, strike)

    def terms() -> tuple[Term, ...]:
        behind = is_behind(play.combat, strike)
        now = strike.now(play.combat)
        return attack_terms(play.combat, now, ruled if behind is None else behind)

    rolled = yield from roll(
        attacker,
        "attack",
        "1d20",
        rules=("FH-ATK-02",),
        terms=terms,
        target=lambda: target_number(play.combat, at, attacker, strike.kind),
        against=at,
        judge=lambda faces, total, target: verdict(faces[0], total, target),
    )
    return rolled


@rule("FH-SNK-03", "Only a hit deals sneak damage. Every attack reveals the attacker")
def give_away(play: Play, attacker: Id) -> Procedure[None]:
    """Reveal the attacker to everybody (FH-SNK-03)."""
    if play.combat[attacker].has("undetected"):
        yield ConditionLost(attacker, "undetected", reason="attacked", rules=("FH-SNK-03",))


def is_behind(combat: Combat, strike: Strike) -> bool | None:
    """Return true if the attacker is behind the target, by the target's facing.

    Return `None` if the facing or a position is unknown.
    """
    attacker, target = combat[strike.attacker], combat[strike.target]
    facing = FACING.of(target)
    if facing is None or attacker.position is None or target.position is None:
        return None
    its, own = sheet(target).size, sheet(attacker).size
    return grid.is_behind(facing, target.position, attacker.position, its, own)


@rule("FH-FLK-02", "Behind is 135° or more off the facing. Without a facing, the GM decides")
def from_behind(play: Play, strike: Strike) -> Procedure[bool]:
    """Return true if the attack comes from behind, by facing or by the GM's decision.

    FH-FLK-02.
    """
    behind = is_behind(play.combat, strike)
    if behind is not None or not strike.from_behind:
        return bool(behind)
    answer = yield from ask_gm(
        "from-behind",
        f"Does {strike.attacker} attack {strike.target} from behind?",
        YES_NO,
        "no",
        rules=("FH-FLK-02",),
        data={"attacker": strike.attacker, "target": strike.target},
    )
    return answer.option == "yes"


# ---- zones


@rule("FH-ZON-01", "A unit's zone is all adjacent squares")
def in_zone(combat: Combat, owner: Id, at: Square | None, size: int) -> bool | None:
    """Return true if a body of this size at `at` is in the owner's melee zone (FH-ZON-01).

    If a position is unknown, return `None`. Then the GM decides (GAP-12).
    """
    combatant = combat[owner]
    if combatant.position is None or at is None:
        return None
    return (
        1
        <= grid.distance(combatant.position, at, sheet(combatant).size, size)
        <= zone_radius(combatant)
    )


def zone(inside: Id, owner: Id, rule: str) -> Prompt:
    """Return the prompt that asks the GM whether `inside` is in the zone of `owner` (GAP-12)."""
    return Prompt(
        kind="ruling",
        name="zone",
        who=None,
        text=f"Is {inside} inside the melee zone of {owner}?",
        options=YES_NO,
        rules=(rule,),
        default="no",
        data={"unit": inside, "zone_of": owner},
    )


@rule("FH-FUM-05", "The attacked unit strikes back only at an attacker inside its zone")
def inside_zone(play: Play, inside: Id, owner: Id) -> Procedure[bool]:
    """Return true if a unit is inside another's zone (FH-FUM-05).

    If a position is unknown, the GM decides.
    """
    unit = play.combat[inside]
    known = in_zone(play.combat, owner, unit.position, sheet(unit).size)
    if known is not None:
        return known
    answer = yield from ask(zone(inside, owner, "FH-FUM-05"))
    return answer.option == "yes"


# ---- free hits


class Blow(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a free hit.

    - `weapon`: if `null`, the unit uses the first weapon in hand.
    - `aim`: an aim or a body part.
    """

    weapon: OwnWeapon | None = None
    aim: str | None = None
    from_behind: bool = False


@rule(
    "FH-FRE-09",
    "A unit needs a slot, a reaching weapon, and the ability to act and to notice its target",
)
@rule("FH-FRE-10", "Prone, flat-footed and channeling units can make free hits")
def may_strike(combat: Combat, who: Id, at: Id) -> bool:
    """Return true if the unit can strike the other unit, not counting its slots (FH-FRE-09).

    The unit must be able to act, notice the other unit and have a weapon that reaches it. Prone,
    flat-footed and channeling units may strike (FH-FRE-10).
    """
    if not can_act(combat, who) or is_undetected(combat, at, who):
        return False
    return combat[who].side != combat[at].side and bool(ready_weapons(combat, who, at))


def ready_weapons(combat: Combat, who: Id, at: Id) -> list[Id]:
    """Return the melee weapons in hand that reach the other unit.

    If a position is unknown, return all of them, whatever their reach.
    """
    combatant = combat[who]
    spaces = apart(combat, who, at) if at in combat.combatants else None
    return [
        weapon.id
        for weapon in sheet(combatant).weapons
        if weapon.kind == "melee"
        and is_drawn(combatant, weapon)
        and (spaces is None or spaces <= reach(combatant, weapon))
    ]


def chosen(combat: Combat, who: Id, at: Id, blow: Blow) -> Id | None:
    """Return the weapon that `blow` names, or the first melee weapon that reaches the target."""
    return blow.weapon or next(iter(ready_weapons(combat, who, at)), None)


Still = Callable[[Combat, Id], bool]
"""A function that returns true if a unit still has a reason to strike."""


def always(combat: Combat, who: Id) -> bool:
    """Return true for a trigger that stays a reason to strike, such as a natural 1."""
    return True


def take(at: Id, *, critical: bool, still: Still = always) -> Action:
    """Return the option to strike at the unit `at`."""

    def why_not(play: Play, who: Id, blow: Blow) -> Iterator[Illegal]:
        combat = play.combat
        # the combat lacks a target that is hidden from the answering player
        known = at in combat.combatants
        # an earlier free hit has removed the target, so this offer lapses at no cost
        if known and not in_fight(combat, at):
            yield refuse("FH-FRE-08", "out-of-reach", f"{at} is out of the fight", NO_FIELD)
        elif known and not still(combat, who):
            sentence = f"{at} does not leave the zone of {who}"
            yield refuse("FH-FRE-06", "not-leaving", sentence, NO_FIELD)
        if not critical and free_hit_slots(combat[who]).value < 1:
            sentence = "no free hit slot is left this round"
            yield refuse("FH-FRE-03", "no-free-hit-slot", sentence, NO_FIELD)
        weapon = chosen(combat, who, at, blow)
        if known:
            yield from refusals(combat, who, at, weapon, blow.aim, melee_only=True)
            return
        yield from aim_refusals(blow.aim)
        ready = ready_weapons(combat, who, at)
        if weapon not in ready:
            sentence = "no such weapon is in hand"
            yield refuse("FH-ATK-08", "weapon-not-drawn", sentence, "weapon", ready)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for weapon in ready_weapons(play.combat, who, at):
            for aim in (None, "fatal", "legs", "arms", "eyes", "center-mass"):
                yield {"weapon": weapon, "aim": aim}

    def procedure(play: Play, who: Id, blow: Blow) -> Procedure[None]:
        yield from free_hit(play, who, at, blow, critical=critical)

    return Action("take", Blow, why_not, candidates, "Strike", procedure=procedure).shown(
        "attack", "Strike[ with {weapon}]", polarity="harm"
    )


STRIKE = (
    Option("take", Blow, label="Strike").shown("attack", "Strike[ with {weapon}]", polarity="harm"),
    Option("pass"),
)
"""The options of a free hit, for any target."""

WHY = {
    "leave": "who leaves its zone",
    "within": "who goes on in its zone",
    "natural-1": "who has rolled a 1",
}


@rule(
    "FH-FRE-12", "A free hit is optional. By default, a unit passes, but takes a free critical hit"
)
def offer(who: Id, at: Id, name: str, trigger: str, rule: str, still: Still = always) -> Prompt:
    """Return the prompt that offers a free hit.

    By default, the unit passes on a usual free hit and takes a free critical hit (FH-FRE-12).
    """
    critical = name == "free-critical-hit"

    def stands(now: Combat) -> bool:
        slot = critical or free_hit_slots(now[who]).value > 0
        return slot and in_fight(now, at) and may_strike(now, who, at) and still(now, who)

    return Prompt(
        kind="reaction",
        name=name,
        who=who,
        text=f"Does {who} strike {at}, {WHY[trigger]}?",
        options=(take(at, critical=critical, still=still), STRIKE[1]),
        rules=(rule,),
        default="take" if critical else "pass",
        data={"trigger": trigger, "mover" if trigger in ("leave", "within") else "attacker": at},
        stands=stands,
    )


@rule("FH-FUM-10", "Free hits and additional attacks follow all rules of a natural 1 and 20")
@rule("FH-FRE-01", "A free hit costs no action, and is like any attack otherwise")
def free_hit(play: Play, who: Id, at: Id, blow: Blow, *, critical: bool) -> Procedure[None]:
    """Use a free-hit slot, if one is left, and attack by the usual rules.

    FH-FRE-01, FH-FRE-03, FH-FUM-10.
    """
    weapon = chosen(play.combat, who, at, blow)
    strike = strike_with(play.combat, who, at, weapon, blow.aim, blow.from_behind)
    if strike is None:
        return
    if free_hit_slots(play.combat[who]).value > 0:
        made = FREE_HITS.of(play.combat[who]) + 1
        yield FREE_HITS.set(who, made, rules=("FH-FRE-03",))
    yield from attack(play, replace(strike, sure=critical))


@rule("FH-ATK-10", "Shooting, casting, standing up and handling things do not provoke")
@rule("FH-FRE-02", "Leaving a zone, circling in it, a natural 1 and a feat trigger free hits")
@rule("FH-FRE-08", "A trigger gives each enemy one free hit. Enemies strike in lineup order")
@rule("FH-FRE-11", "A unit that is pushed or carried does not provoke")
def free_hits(
    play: Play,
    mover: Id,
    strikers: Sequence[Id],
    trigger: str,
    rule: str,
    still: Still = always,
) -> Procedure[None]:
    """Offer free hits to several enemies at once. They strike in lineup order.

    FH-FRE-02, FH-FRE-08. Nobody gets a free hit at a unit that:

    - shoots, casts, stands up or handles things (FH-ATK-10)
    - is pushed, pulled or carried (FH-FRE-11)
    """
    order = [place.who for place in play.combat.order]
    moves = trigger != "natural-1"  # everybody notices an attack
    able = [
        who
        for who in strikers
        if free_hit_slots(play.combat[who]).value > 0
        and may_strike(play.combat, who, mover)
        and still(play.combat, who)
        and not (moves and not knows_of(play.combat, who, mover))
    ]
    able.sort(key=lambda who: order.index(who) if who in order else len(order))
    yield from window(play, [offer(who, mover, "free-hit", trigger, rule, still) for who in able])


# ---- natural 1


@rule("FH-FUM-04", "After a natural 1, the attacked enemy may make a free hit")
def after_natural_one(play: Play, attacker: Id, target: Id, reached: int) -> Procedure[None]:
    """Offer the attacked unit its answer to a natural 1 (FH-FUM-04 to FH-FUM-08).

    `reached` decides the answer:

    - 0: a free hit
    - 1: a tragedy, with a free critical hit
    - 2: the attacker's death
    """
    able = may_strike(play.combat, target, attacker)
    if reached == 0 and not (able and free_hit_slots(play.combat[target]).value):
        return
    able = able and (yield from inside_zone(play, attacker, target))
    if reached == 0 and able:
        yield from free_hits(play, attacker, [target], "natural-1", "FH-FUM-04")
    elif reached == 1:
        yield from tragedy(play, attacker, target, able)
    elif reached == 2:
        yield from dire(play, attacker, target, able)


@rule(
    "FH-FUM-06", "After a tragedy, the attacked unit has a free critical hit, even without a slot"
)
@rule(
    "FH-FUM-07",
    "The free critical hit needs no roll and deals double damage. Otherwise the GM decides",
)
def tragedy(play: Play, attacker: Id, target: Id, able: bool) -> Procedure[None]:
    """Offer the free critical hit, even without a slot (FH-FUM-06).

    If the attacked unit cannot strike, ask the GM (FH-FUM-07).
    """
    if able:
        prompt = offer(target, attacker, "free-critical-hit", "natural-1", "FH-FUM-06")
        yield from window(play, [prompt])
        return
    answer = yield from ask_gm(
        "tragedy-no-strike",
        f"A tragedy, but {target} cannot strike. What happens?",
        TRAGEDY,
        "nothing",
        rules=("FH-FUM-07",),
        data={"attacker": attacker, "target": target},
    )
    if answer.option == "free-critical-hit":
        blow = free_hit(play, target, attacker, Blow(), critical=True)
        yield from interrupt(play, lambda: blow, otherwise=None)


@rule("FH-FUM-08", "If the d6 shows 6, the attacker is killed")
def dire(play: Play, attacker: Id, target: Id, able: bool) -> Procedure[None]:
    """Kill the attacker at once (FH-FUM-08).

    If the attacked unit cannot strike, ask the GM first.
    """
    if not able:
        answer = yield from ask_gm(
            "dire-no-strike",
            f"{target} could not strike. Is the attacker killed?",
            DIRE,
            "killed",
            rules=("FH-FUM-08",),
            data={"attacker": attacker, "target": target},
        )
        if answer.option != "killed":
            return
    yield from die(play, attacker, target, "FH-FUM-08")
