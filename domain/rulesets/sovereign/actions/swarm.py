"""The actions `swarm-attack` and `swarm-strike` (SOV-SWARM).

Several combatants give up their Main for one better attack.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.declaration import NO_FIELD, Act, refuse, renamed
from domain.rulebook.effects import Procedure, ask_any, interrupt
from domain.rulebook.inputs import Creature, Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulesets.sovereign import attack, costs, ties, windows
from domain.rulesets.sovereign.actions.attacks import foe_samples
from domain.rulesets.sovereign.blow import Attack, blow_of, chosen, mode_of, refusals
from domain.rulesets.sovereign.facts import SWARMS, Swarm
from domain.rulesets.sovereign.numbers import enemies
from domain.rulesets.sovereign.rules import action, rule


class Joining(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a swarm attack. With `strike`, the swarm does not wait for more members."""

    target: Enemy
    weapon: OwnWeapon | None = None
    strike: bool = False


class Strike(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a swarm's strike.

    If `striker` is `null`, the combatant of the command strikes. If `weapon` is `null`, the striker
    uses the weapon with which it joined.
    """

    target: Enemy
    striker: Creature | None = None
    weapon: OwnWeapon | None = None


def attack_refusals(combat: Combat, who: Id, target: Id, weapon: str | None) -> Iterator[Illegal]:
    """Refuse if the combatant could not attack that enemy now (SOV-SWARM-01, SOV-SWARM-10)."""
    inputs = Attack(target=target, weapon=weapon)
    yield from refusals(combat, who, inputs, mode_of(combat, who, target, weapon))


# ---- swarm-attack


def attackable(act: Act[Joining]) -> Iterator[Illegal]:
    """Refuse a target that is no enemy, or that the combatant could not attack."""
    target = act.inputs.target
    if act.target.side == act.actor.side:
        yield refuse("SOV-SWARM-01", "not-an-enemy", f"{target} is no enemy", "target")
    yield from attack_refusals(act.combat, act.who, target, act.inputs.weapon)


def join_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every enemy with each weapon that fits, once for each value of `strike`."""
    for _, raw in foe_samples(play.combat, who):
        yield raw
        yield {**raw, "strike": True}


@action(
    "swarm-attack", "Join a swarm", Joining,
    cost="Main", category="attack", headline="Join a swarm against {target}[ with {weapon}]",
    rules={
        "SOV-SWARM-01": "A Main lets a combatant join its side's open swarm on an enemy",
        "SOV-SWARM-02": "A swarm has at most four members, and the fourth makes it strike",
    },
    refusals=(*costs.FOR_A_MAIN, attackable),
    propose=join_candidates,
)  # fmt: skip
def swarm_attack(act: Act[Joining]) -> Procedure[None]:
    """Join the open swarm on that target (SOV-SWARM-01).

    A swarm of four must strike at once (SOV-SWARM-02).
    """
    play, who, inputs = act.play, act.who, act.inputs
    yield costs.spend(who, "main", "SOV-SWARM-01")
    yield from windows.declared(play, who, "swarm-attack", inputs.target)
    combat = play.combat
    mode = mode_of(combat, who, inputs.target, inputs.weapon)
    weapon = chosen(combat[who], inputs.weapon, mode)
    if weapon is None or not in_fight(combat, inputs.target):
        return
    yield ties.join_swarm(combat, who, inputs.target, weapon.id)
    swarm = ties.open_swarm(play.combat, combat[who].side, inputs.target)
    if swarm is None:
        return
    if inputs.strike and next(strikes(play.combat, swarm, who), None) is None:
        yield from strike(play, swarm, who, None, declared=False)
    elif len(swarm.members) >= ties.MOST_IN_SWARM:
        yield from choose(play, swarm, may_wait=False)


# ---- swarm-strike


@rule("SOV-SWARM-10", "Only the striker's weapon, range and place count")
def strikes(combat: Combat, swarm: Swarm, who: Id, weapon: str | None = None) -> Iterator[Illegal]:
    """Refuse a member that cannot strike.

    Only the weapon, range and place of the striker count (SOV-SWARM-10).
    """
    if who not in ties.swarm_members(swarm):
        detail = f"{who} is no member of the swarm"
        yield refuse("SOV-SWARM-03", "not-in-swarm", detail, "striker", ties.swarm_members(swarm))
        return
    yield from costs.able_refusals(combat, who, "striker")
    weapon = weapon or ties.swarm_weapon(swarm, who)
    yield from attack_refusals(combat, who, swarm.target, weapon)


def open_for(act: Act[Strike]) -> Iterator[Illegal]:
    """Refuse unless a swarm is open on the target and the striker can strike."""
    combat, who, inputs = act.combat, act.who, act.inputs
    swarm = ties.open_swarm(combat, act.actor.side, act.target.id)
    if swarm is None:
        detail = f"no swarm of the side is open on {inputs.target}"
        yield refuse("SOV-SWARM-03", "no-open-swarm", detail, "target")
        return
    yield from strikes(combat, swarm, inputs.striker or who, inputs.weapon)


def strike_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose the side's open swarms, with `who` as the striker and then each other member.

    If the side has no swarm, propose an enemy to show the refusal.
    """
    side = play.combat[who].side
    own = [swarm for swarm in SWARMS.of(play.combat) if swarm.side == side]
    for swarm in own:
        yield {"target": swarm.target}
    for swarm in own:
        members = ties.swarm_members(swarm)
        for member in members if who in members else ():
            if member != who:
                yield {"target": swarm.target, "striker": member}
    for foe in enemies(play.combat, who)[: 0 if own else 1]:
        yield {"target": foe.id}


@action(
    "swarm-strike", "Strike for the swarm", Strike,
    cost="none", category="attack", headline="Strike {target} for the swarm",
    rules={"SOV-SWARM-03": "One member strikes for all, without a further cost"},
    also=("SOV-SWARM-04", "SOV-SWARM-10"),
    refusals=(costs.own_turn, open_for),
    propose=strike_candidates,
)  # fmt: skip
def swarm_strike(act: Act[Strike]) -> Procedure[None]:
    """Let one member strike for all (SOV-SWARM-03)."""
    swarm = ties.open_swarm(act.combat, act.actor.side, act.inputs.target)
    assert swarm is not None, "the refusals know the swarm"
    yield from strike(act.play, swarm, act.inputs.striker or act.who, act.inputs.weapon)


def strike(
    play: Play, swarm: Swarm, striker: Id, weapon: str | None, *, declared: bool = True
) -> Procedure[None]:
    """Close the swarm, and strike with a bonus for each other able member.

    SOV-SWARM-04, SOV-SWARM-08.
    """
    weapon = weapon or ties.swarm_weapon(swarm, striker)
    mode = mode_of(play.combat, striker, swarm.target, weapon)
    named = Attack(target=swarm.target, weapon=weapon)
    blow = blow_of(play, striker, named, mode, "swarm-strike")
    others = tuple(who for who in ties.swarm_members(swarm) if who != striker)
    if not (yield from costs.draw(play, striker, blow.weapon)):
        return
    yield ties.close_swarm(play.combat, swarm, "SOV-SWARM-08")
    blow = replace(blow, swarm=others)
    yield from interrupt(
        play, lambda: attack.strike(play, blow, declared=declared), otherwise=("lost", blow)
    )


# ---- the choice of a striker


WAIT = Option("wait").shown("wait")


def choose(play: Play, swarm: Swarm, *, may_wait: bool) -> Procedure[None]:
    """Let the side choose a striker. The default is the member that joined last.

    If the chosen member can no longer strike, Affray asks the side again, because another member
    may be able to (SOV-SWARM-03, SOV-SWARM-08, SOV-SWARM-10).
    """
    now: Swarm | None = swarm
    while now is not None and (ready := strikers(play.combat, now)):
        answer = yield from ask_any(questions(play.combat, now, ready, may_wait))
        if answer.option == "wait":
            return
        now = ties.open_swarm(play.combat, swarm.side, swarm.target)
        if now is not None and next(strikes(play.combat, now, answer.option), None) is None:
            yield from strike(play, now, answer.option, None)
            return


def strikers(combat: Combat, swarm: Swarm) -> list[Id]:
    """Return the members that could strike now, in the order of joining."""
    return [
        who for who in ties.swarm_members(swarm) if next(strikes(combat, swarm, who), None) is None
    ]


def striker(member: Id, side: str, target: Id) -> Option:
    """Return the option for one member, with the refusals of its strike (SOV-SWARM-10)."""

    def refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
        swarm = ties.open_swarm(play.combat, side, target)
        if swarm is not None:
            refusals = strikes(play.combat, swarm, member)
            yield from renamed(refusals, striker=NO_FIELD, target=NO_FIELD, weapon=NO_FIELD)

    return Option(member, refusals=refusals)


def questions(
    combat: Combat, swarm: Swarm, ready: Sequence[Id], may_wait: bool
) -> tuple[Prompt, ...]:
    """Return one prompt for each owner, addressed to its combatant that joined last."""
    asked: dict[str | None, Id] = {combat[who].owner: who for who in ready}
    return tuple(question(who, swarm, ready, may_wait) for who in asked.values())


def question(who: Id, swarm: Swarm, ready: Sequence[Id], may_wait: bool) -> Prompt:
    """Return the prompt for the striking member (SOV-SWARM-03, SOV-SWARM-08)."""
    side, target = swarm.side, swarm.target

    def anew(now: Combat) -> Prompt:
        present = ties.open_swarm(now, side, target) or swarm
        return question(who, present, strikers(now, present) or ready, may_wait)

    return Prompt(
        kind="choice",
        name="swarm-striker",
        who=who,
        text=f"Who strikes for the swarm on {target}?",
        options=(
            *(striker(member, side, target) for member in ready),
            *((WAIT,) if may_wait else ()),
        ),
        rules=("SOV-SWARM-03", "SOV-SWARM-08"),
        default=ready[-1],
        data={"target": target, "members": ties.swarm_members(swarm)},
        stands=lambda now: ties.open_swarm(now, side, target) is not None,
        anew=anew,
    )


@rule(
    "SOV-SWARM-08",
    "The strike closes the swarm. Without a strike, Affray asks the side at the end of its turn",
)
def side_ends(play: Play, side: str) -> Procedure[None]:
    """Ask the side at the end of its turn whether its swarms strike or wait (SOV-SWARM-08)."""
    for swarm in SWARMS.of(play.combat):
        if swarm.side == side:
            yield from choose(play, swarm, may_wait=True)


def lapse(play: Play) -> Procedure[None]:
    """Close all open swarms at the end of the round (SOV-SEQ-07)."""
    for swarm in SWARMS.of(play.combat):
        yield ties.close_swarm(play.combat, swarm, "SOV-SEQ-07")
