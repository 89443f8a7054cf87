"""swarm-attack, swarm-strike: several give up their Main for one better attack (SOV-SWARM)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure, ask_any, interrupt
from domain.rulebook.inputs import Creature, Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign import attack, costs, swarms, windows
from domain.rulesets.sovereign.actions.attacks import foe_samples
from domain.rulesets.sovereign.blow import Attack, Mode, blow_of, chosen, fits, refusals
from domain.rulesets.sovereign.facts import SWARMS, Swarm
from domain.rulesets.sovereign.numbers import enemies, in_fight
from domain.rulesets.sovereign.rules import rule


class Joining(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`strike`: at once, instead of waiting for more."""

    target: Enemy
    weapon: OwnWeapon | None = None
    strike: bool = False


class Strike(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """If `striker` is null, it is the declaring combatant.

    If `weapon` is null, it is the one with which it joined.
    """

    target: Enemy
    striker: Creature | None = None
    weapon: OwnWeapon | None = None


@once
def mode_of(combat: Combat, who: Id, target: Id, weapon: str | None) -> Mode:
    """Melee with a melee weapon that reaches, else at range."""
    found = chosen(combat[who], weapon, "melee")
    if found is None or not fits(found, "melee"):
        return "ranged"
    inputs = Attack(target=target, weapon=weapon)
    out = next(refusals(combat, who, inputs, "melee"), None)
    if out is not None and next(refusals(combat, who, inputs, "ranged"), None) is None:
        return "ranged"
    return "melee"


def attack_refusals(combat: Combat, who: Id, target: Id, weapon: str | None) -> Iterator[Illegal]:
    """Whether that enemy could be attacked now, so (SOV-SWARM-01, -10)."""
    inputs = Attack(target=target, weapon=weapon)
    yield from refusals(combat, who, inputs, mode_of(combat, who, target, weapon))


# ---- swarm-attack


def swarm_refusals(play: Play, who: Id, inputs: Joining) -> Iterator[Illegal]:
    combat = play.combat
    if combat[inputs.target].side == combat[who].side:
        yield Illegal("SOV-SWARM-01", "not-an-enemy", f"{inputs.target} is no enemy")
    yield from attack_refusals(combat, who, inputs.target, inputs.weapon)


def swarm_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for _, raw in foe_samples(play.combat, who):
        yield raw
        yield {**raw, "strike": True}


@rule("SOV-SWARM-01", "A Main to join the side's open swarm on an enemy")
@rule("SOV-SWARM-02", "Four members at most. The fourth makes the strike due")
def swarm_attack(play: Play, who: Id, inputs: Joining) -> Procedure[None]:
    """Join the side's open swarm on that target; the fourth makes the strike due (SOV-SWARM-02)."""
    yield costs.spend(who, "main", "SOV-SWARM-01")
    yield from windows.declared(play, who, "swarm-attack", inputs.target)
    combat = play.combat
    mode = mode_of(combat, who, inputs.target, inputs.weapon)
    weapon = chosen(combat[who], inputs.weapon, mode)
    if weapon is None or not in_fight(combat, inputs.target):
        return
    yield swarms.joins(combat, who, inputs.target, weapon.id)
    swarm = swarms.open_swarm(play.combat, combat[who].side, inputs.target)
    if swarm is None:
        return
    if inputs.strike and next(strikes(play.combat, swarm, who), None) is None:
        yield from strike(play, swarm, who, None, declared=False)
    elif len(swarm.members) >= swarms.MOST:
        yield from choose(play, swarm, may_wait=False)


SWARM_ATTACK = costs.main(
    "swarm-attack", Joining, swarm_attack, "Join a swarm", "SOV-SWARM-01", "SOV-SWARM-02",
    refusals=swarm_refusals, candidates=swarm_candidates,
).shown("attack", "Join a swarm against {target}[ with {weapon}]")  # fmt: skip


# ---- swarm-strike


@rule("SOV-SWARM-10", "Only the striker's weapon, range and place count")
def strikes(combat: Combat, swarm: Swarm, who: Id, weapon: str | None = None) -> Iterator[Illegal]:
    """Why a member cannot strike: only its own weapon, range and place count (SOV-SWARM-10)."""
    if who not in swarms.members(swarm):
        detail = f"{who} is no member of the swarm"
        yield Illegal("SOV-SWARM-03", "not-in-swarm", detail, swarms.members(swarm))
        return
    yield from costs.able_refusals(combat, who)
    weapon = weapon or swarms.weapon_of(swarm, who)
    yield from attack_refusals(combat, who, swarm.target, weapon)


def strike_refusals(play: Play, who: Id, inputs: Strike) -> Iterator[Illegal]:
    combat = play.combat
    swarm = swarms.open_swarm(combat, combat[who].side, inputs.target)
    combat[inputs.target]
    if swarm is None:
        detail = f"no swarm of the side is open on {inputs.target}"
        yield Illegal("SOV-SWARM-03", "no-open-swarm", detail)
        return
    yield from strikes(combat, swarm, inputs.striker or who, inputs.weapon)


def strike_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Every member of the side's swarms; without any one enemy, to say why not."""
    mine = play.combat[who].side
    found = [swarm for swarm in SWARMS.of(play.combat) if swarm.side == mine]
    for swarm in found:
        for member in swarms.members(swarm):
            yield {"target": swarm.target, "striker": member}
    for foe in enemies(play.combat, who)[: 0 if found else 1]:
        yield {"target": foe.id}


@rule("SOV-SWARM-03", "One member strikes for all, at no further cost")
def swarm_strike(play: Play, who: Id, inputs: Strike) -> Procedure[None]:
    """One member strikes for all, at no further cost (SOV-SWARM-03)."""
    swarm = swarms.open_swarm(play.combat, play.combat[who].side, inputs.target)
    assert swarm is not None, "the refusals know the swarm"
    yield from strike(play, swarm, inputs.striker or who, inputs.weapon)


def strike(
    play: Play, swarm: Swarm, striker: Id, weapon: str | None, *, declared: bool = True
) -> Procedure[None]:
    """Close the swarm. Its other members count while they are able (SOV-SWARM-04, -08)."""
    weapon = weapon or swarms.weapon_of(swarm, striker)
    mode = mode_of(play.combat, striker, swarm.target, weapon)
    named = Attack(target=swarm.target, weapon=weapon)
    blow = blow_of(play, striker, named, mode, "swarm-strike")
    others = tuple(who for who in swarms.members(swarm) if who != striker)
    if not (yield from costs.draw(play, striker, blow.weapon)):
        return
    yield swarms.closes(play.combat, swarm, "SOV-SWARM-08")
    blow = replace(blow, swarm=others)
    yield from interrupt(
        play, lambda: attack.strike(play, blow, declared=declared), otherwise=("lost", blow)
    )


SWARM_STRIKE = costs.on_turn(
    "swarm-strike", Strike, swarm_strike, "Strike for the swarm", "SOV-SWARM-03", "SOV-SWARM-04",
    "SOV-SWARM-10", cost="none", refusals=strike_refusals, candidates=strike_candidates,
).shown("attack", "Strike {target} for the swarm")  # fmt: skip


# ---- who strikes


WAIT = Option("wait").shown("wait")


def choose(play: Play, swarm: Swarm, *, may_wait: bool) -> Procedure[None]:
    """Let the side choose a striker. The default is the last to join (SOV-SWARM-03, -08).

    If the chosen one can no longer strike, the side is asked again. Another may strike (-10).
    """
    now: Swarm | None = swarm
    while now is not None and (ready := strikers(play.combat, now)):
        answer = yield from ask_any(questions(play.combat, now, ready, may_wait))
        if answer.option == "wait":
            return
        now = swarms.open_swarm(play.combat, swarm.side, swarm.target)
        if now is not None and next(strikes(play.combat, now, answer.option), None) is None:
            yield from strike(play, now, answer.option, None)
            return


def strikers(combat: Combat, swarm: Swarm) -> list[Id]:
    """Members who could strike now, as they joined."""
    return [who for who in swarms.members(swarm) if next(strikes(combat, swarm, who), None) is None]


def striker(member: Id, side: str, target: Id) -> Option:
    """The choice of one member, refused like its strike (SOV-SWARM-10)."""

    def refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
        swarm = swarms.open_swarm(play.combat, side, target)
        if swarm is not None:
            yield from strikes(play.combat, swarm, member)

    return Option(member, refusals=refusals)


def questions(
    combat: Combat, swarm: Swarm, ready: Sequence[Id], may_wait: bool
) -> tuple[Prompt, ...]:
    """One prompt for each owner, for the member of its that joined last."""
    asked: dict[str | None, Id] = {combat[who].owner: who for who in ready}
    return tuple(question(who, swarm, ready, may_wait) for who in asked.values())


def question(who: Id, swarm: Swarm, ready: Sequence[Id], may_wait: bool) -> Prompt:
    """Which member strikes? (SOV-SWARM-03, -08)"""
    side, target = swarm.side, swarm.target

    def anew(now: Combat) -> Prompt:
        present = swarms.open_swarm(now, side, target) or swarm
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
        data={"target": target, "members": swarms.members(swarm)},
        stands=lambda now: swarms.open_swarm(now, side, target) is not None,
        anew=anew,
    )


@rule("SOV-SWARM-08", "The strike closes it. Otherwise the side is asked as its turn ends")
def side_ends(play: Play, side: str) -> Procedure[None]:
    """At the end of the side turn: strike, or wait for who still holds (SOV-SWARM-08)."""
    for swarm in SWARMS.of(play.combat):
        if swarm.side == side:
            yield from choose(play, swarm, may_wait=True)


def lapse(play: Play) -> Procedure[None]:
    """At round-end open swarms lapse (SOV-SEQ-07)."""
    for swarm in SWARMS.of(play.combat):
        yield swarms.closes(play.combat, swarm, "SOV-SEQ-07")
