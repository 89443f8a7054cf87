"""The actions `prepare-execution` and `execution-attack` (SOV-EXEC).

After a minute of preparation, the victim saves or drops to 0 HP.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, typed
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, Term
from domain.rulebook.declaration import NO_FIELD, Act, refuse, renamed
from domain.rulebook.effects import Procedure, lastly, stopped, stopped_by, while_able
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import attack, board, checks, costs, damage
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.actions.attacks import usable
from domain.rulesets.sovereign.blow import MODES, Attack, Blow, Mode, blow_of, chosen, refusals
from domain.rulesets.sovereign.conditions import Preparing
from domain.rulesets.sovereign.facts import ALERTNESS
from domain.rulesets.sovereign.numbers import alertness, check_terms, enemies, penalty_level
from domain.rulesets.sovereign.rules import action, rule
from domain.rulesets.sovereign.windows import window

MINUTE = 60
"The length of the preparation in seconds (SOV-EXEC-02)."


class Prepare(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Enemy
    weapon: OwnWeapon | None = None
    mode: Mode = "melee"


class Execution(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Enemy


def prepared(combat: Combat, who: Id) -> Preparing | None:
    held = combat[who].all("preparing-execution")
    return typed(held[0].data, Preparing) if held else None


# ---- prepare-execution


def before_or_on_turn(act: Act[Prepare | Execution]) -> Iterator[Illegal]:
    """Refuse the action during the fight, except on the combatant's turn."""
    if act.combat.status == "opening":
        return costs.able_refusals(act.combat, act.who)
    return costs.turn_refusals(act.combat, act.who)


@rule("SOV-EXEC-01", "Only a target that suspects nothing can be executed")
def alert_refusals(combat: Combat, target: Id) -> Iterator[Illegal]:
    """Refuse a target that suspects anything (SOV-EXEC-01)."""
    if alertness(combat[target]) != "unsuspecting":
        detail = f"{target} is {alertness(combat[target])}, not unsuspecting"
        yield refuse("SOV-EXEC-01", "target-alert", detail, "target")


def unsuspecting(act: Act[Prepare | Execution]) -> Iterator[Illegal]:
    """Refuse a target that suspects anything."""
    return alert_refusals(act.combat, act.inputs.target)


def aim_refusals(act: Act[Prepare]) -> Iterator[Illegal]:
    """Refuse an unsuitable weapon or target.

    The assassin can still move, so its current place does not matter.
    """
    inputs = act.inputs
    aim = Attack(target=inputs.target, weapon=inputs.weapon)
    return refusals(act.combat, act.who, aim, inputs.mode, free=True)


def prepare_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every enemy with each weapon that fits, in melee and at range."""
    for foe in enemies(play.combat, who):
        for mode in MODES:
            for weapon in usable(play.combat, who, mode):
                yield {"target": foe.id, "weapon": weapon, "mode": mode}


@action(
    "prepare-execution", "Prepare an execution attack", Prepare,
    cost="a minute", category="attack",
    headline="Prepare to execute {target}[ with {weapon}]",
    essential=("target", "weapon", "mode"),
    rules={}, also=("SOV-EXEC-01", "SOV-EXEC-02", "SOV-EXEC-03"),
    refusals=(before_or_on_turn, unsuspecting, aim_refusals),
    propose=prepare_candidates,
    interjection=True,
)  # fmt: skip
def prepare_execution(act: Act[Prepare]) -> Procedure[None]:
    """Begin the minute of preparation (SOV-EXEC-02).

    A new preparation replaces an earlier preparation (SOV-EXEC-03).
    """
    inputs = act.inputs
    weapon = chosen(act.actor, inputs.weapon, inputs.mode)
    assert weapon is not None, "the refusals know the weapon"
    aim: dict[str, Json] = {"target": inputs.target, "weapon": weapon.id, "mode": inputs.mode}
    data = {**aim, "seconds": 0}
    yield ConditionGained(act.who, "preparing-execution", data=data, rules=("SOV-EXEC-02",))


@rule("SOV-EXEC-03", "Any disturbance ends the preparation")
def spoil(combat: Combat, who: Id, why: str) -> Iterator[AnyEvent]:
    """End a preparation after a disturbance (SOV-EXEC-03). The assassin must prepare again."""
    if combat[who].has("preparing-execution"):
        yield ConditionLost(who, "preparing-execution", reason=why, rules=("SOV-EXEC-03",))


# ---- execution-attack


def main_left(act: Act[Execution]) -> Iterator[Illegal]:
    """Refuse if the Main is spent. Outside rounds, the attack needs no Main."""
    if act.combat.status != "running":
        return iter(())
    return costs.main_refusals(act.combat, act.who, "SOV-EXEC-09")


def ready_to_strike(act: Act[Execution]) -> Iterator[Illegal]:
    """Refuse if the attack is not fully prepared, or if it is impossible now."""
    held = prepared(act.combat, act.who)
    if held is None or held.target != act.inputs.target:
        detail = f"no attack on {act.inputs.target} is prepared"
        yield refuse("SOV-EXEC-02", "not-prepared", detail, "target")
        return
    if held.seconds < MINUTE:
        detail = f"{held.seconds} of {MINUTE} seconds have passed"
        yield refuse("SOV-EXEC-02", "not-prepared", detail, NO_FIELD)
    if held.mode == "melee":
        yield from near_refusals(act.combat, act.who, held)
    yield from renamed(
        refusals(act.combat, act.who, named(held), held.mode), target=NO_FIELD, weapon=NO_FIELD
    )


def near_refusals(combat: Combat, who: Id, held: Preparing) -> Iterator[Illegal]:
    """Refuse a melee attack on a victim that is out of the assassin's reach (SOV-EXEC-02)."""
    weapon = chosen(combat[who], named(held).weapon, "melee")
    if weapon is not None and not board.within(combat, who, held.target, weapon.reach_ft):
        detail = f"{held.target} is not in melee range, {weapon.name} gets {weapon.reach_ft} ft"
        yield refuse("SOV-EXEC-02", "not-prepared", detail, NO_FIELD)


def named(held: Preparing) -> Attack:
    return Attack(target=held.target, weapon=held.weapon or None)


def execution_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose the prepared target. If there is none, propose an enemy to show the refusal."""
    held = prepared(play.combat, who)
    if held is not None and held.target in play.combat.combatants:
        yield {"target": held.target}
    elif held is None:
        for foe in enemies(play.combat, who)[:1]:
            yield {"target": foe.id}


@action(
    "execution-attack", "Make an execution attack", Execution,
    cost="Main", category="attack", headline="Execute {target}",
    rules={
        "SOV-EXEC-05": "In melee, an execution hits without a roll",
        "SOV-EXEC-09": "In a round, the execution costs a Main. Afterwards the target is alert",
    },
    also=("SOV-EXEC-04",),
    refusals=(before_or_on_turn, main_left, unsuspecting, ready_to_strike),
    propose=execution_candidates,
    interjection=True,
)  # fmt: skip
def execution_attack(act: Act[Execution]) -> Procedure[None]:
    """Attack the victim. In melee, the attack hits without a roll (SOV-EXEC-05).

    In a round, the attack costs a Main. After the attack, the victim is alert (SOV-EXEC-09).
    """
    play, who = act.play, act.who
    held = prepared(play.combat, who)
    assert held is not None, "the refusals know the preparation"
    blow = blow_of(play, who, named(held), held.mode, "execution-attack")
    if not (yield from costs.draw(play, who, blow.weapon)):
        return
    if play.combat.status == "running":
        yield costs.spend(who, "main", "SOV-EXEC-09")
    yield from while_able(play, who, execute(play, blow), "execution-attack", at=blow.target)


def execute(play: Play, blow: Blow) -> Procedure[None]:
    who, target = blow.attacker, blow.target
    yield from window(play, Moment("declared", who, "execution-attack", target, attack=True))
    yield from spoil(play.combat, who, "struck")
    stop = spoilt(play.combat, blow)
    if stop is not None:
        yield stopped(who, "execution-attack", stop)
        return
    yield from lastly(strike(play, blow), lambda: over(play.combat, blow))


def spoilt(combat: Combat, blow: Blow) -> Illegal | None:
    """Return the reason why the strike is impossible, or `None` (SOV-INST-07).

    The strike is impossible if the victim is alert or the attack is illegal.
    """
    for wary in alert_refusals(combat, blow.target):
        return wary
    inputs = Attack(target=blow.target, weapon=blow.weapon.id)
    stop = next(refusals(combat, blow.attacker, inputs, blow.mode), None)
    return None if stop is None else refuse("SOV-INST-07", stop.code, stop.detail, NO_FIELD)


def strike(play: Play, blow: Blow) -> Procedure[None]:
    """Shoot or strike the victim, unless something stops the assassin first.

    SOV-EXEC-03, SOV-EXEC-04, SOV-EXEC-05, SOV-EXEC-06.
    """
    hit: bool | None = True
    if blow.mode == "ranged":
        hit = yield from stopped_by(
            play,
            blow.attacker,
            aimed(play, blow),
            "execution-attack",
            lambda: spoilt(play.combat, blow),
        )
    if hit:
        yield from executed(play, blow)


def over(combat: Combat, blow: Blow) -> Iterator[AnyEvent]:
    """Set the victim's alertness to normal, and unload the bow (SOV-EXEC-09)."""
    yield ALERTNESS.set(blow.target, "normal", rules=("SOV-EXEC-09",))
    yield from attack.afterwards(combat, blow, None)


@rule("SOV-EXEC-04", "At range, the check is DEX/Shoot against 10, with a bonus for a near target")
def aimed(play: Play, blow: Blow) -> Procedure[bool]:
    """Roll DEX/Shoot, with +4 within 10 ft and +2 within normal range (SOV-EXEC-04).

    The victim's AC does not matter.
    """

    def terms() -> tuple[Term, ...]:
        combat, reach = play.combat, blow.now(play.combat).weapon.range
        feet = board.feet_apart(combat, blow.attacker, blow.target)
        assert feet is not None, "the refusals know how far it is"
        assert reach is not None, "the refusals know the weapon"
        bonus = 4 if feet <= 10 else 2 if feet <= reach.normal else 0
        skill = check_terms(combat[blow.attacker], "dex", "shoot", "SOV-EXEC-04")
        return *skill, Term("range", bonus, "SOV-EXEC-04")

    result = yield from checks.check(
        play,
        blow.attacker,
        "execution",
        terms=terms,
        target=checks.DIFFICULTY,
        against=blow.target,
        rules=("SOV-EXEC-04",),
    )
    return result.success


@rule("SOV-EXEC-06", "The target makes a Physical save, lowered by the assassin's skill")
@rule("SOV-EXEC-07", "A failed save means 0 HP: mortally injured or unconscious")
@rule("SOV-EXEC-08", "A successful save means the highest damage")
def executed(play: Play, blow: Blow) -> Procedure[None]:
    """Roll the victim's Physical save against the assassin's skill (SOV-EXEC-06).

    If the save fails, the victim drops to 0 HP. If it succeeds, the victim takes the highest
    damage.
    """

    def penalty() -> int:
        return max(0, penalty_level(play.combat[blow.attacker], skill_of(blow)))

    made = yield from checks.save(
        play, blow.target, "physical", penalty=penalty, by=blow.attacker, rules=("SOV-EXEC-06",)
    )
    if made:
        blow = blow.now(play.combat)
        amount = damage.highest(blow, damage.damage_terms(play.combat, blow))
        parts = (Term("highest damage", amount, "SOV-EXEC-08"),)
    else:
        amount = play.combat[blow.target].tracks["hp"].value
        parts = (Term("execution", amount, "SOV-EXEC-07"),)
    rules = ("SOV-EXEC-08" if made else "SOV-EXEC-07",)
    yield from damage.struck(play, blow, max(0, amount), "execution", parts, rules)


def skill_of(blow: Blow) -> Literal["shoot", "stab", "brawl"]:
    """Return Shoot for a ranged attack, or the weapon's combat skill for a melee attack."""
    if blow.mode == "ranged":
        return "shoot"
    return "brawl" if blow.skill == "brawl" else "stab"
