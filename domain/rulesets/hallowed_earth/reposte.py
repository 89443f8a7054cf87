"""The Reposte, the one reaction of the rulebook (HE-REP)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure, ask_all, interrupt
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.hallowed_earth import acting, attack
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.numbers import (
    by_agility,
    counting,
    feet,
    hostile,
    in_fight,
    ready,
    threat_range,
)


class Riposte(Struct, frozen=True, forbid_unknown_fields=True):
    """`weapon` null = the first that is ready; `attacker`: which, when several have provoked."""

    weapon: str | None = None
    attacker: Id | None = None


def unable(combat: Combat, who: Id) -> Iterator[Illegal]:
    """The dead, the surprised, the paralyzed; a broken rib; the dying; the Reaction used."""
    one = combat[who]
    yield from acting.present(one, "HE-REP-09")
    yield from acting.body(one)
    yield from acting.rib(one)
    yield from acting.budget(combat, who, "reaction")


def weapons(combat: Combat, who: Id, provoker: Id) -> list[str]:
    """Ready melee weapons that reach whoever provoked, who is inside the threat range."""
    one = combat[who]
    far = feet(one.position, combat[provoker].position)
    if far is not None and far > threat_range(one):  # HE-REP-08
        return []
    return [weapon.id for weapon in ready(one) if far is None or far <= weapon.reach_ft]


def may(combat: Combat, who: Id, provoker: Id) -> bool:
    """Whether `who` may answer `provoker` with a Reposte (HE-REP-01, -08, -09)."""
    return (
        in_fight(combat, who)
        and in_fight(combat, provoker)
        and hostile(combat, who, provoker)
        and next(unable(combat, who), None) is None
        and bool(weapons(combat, who, provoker))
    )


def offer(combat: Combat, who: Id, provokers: Sequence[Id], trigger: str, rule: str) -> Prompt:
    """The question whether `who` makes a Reposte, and at whom."""

    def refusals(play: Play, one: Id, inputs: Riposte) -> Iterator[Illegal]:
        at = inputs.attacker or provokers[0]
        if at not in provokers:
            yield Illegal("HE-REP-04", "no-trigger", f"{at} has not provoked it", tuple(provokers))
            return
        yield from unable(play.combat, one)
        there = weapons(play.combat, one, at)
        if inputs.weapon is not None and inputs.weapon not in there:
            detail = f"no ready melee weapon {inputs.weapon!r} reaches {at}"
            yield Illegal("HE-REP-08", "out-of-reach", detail, there)

    def candidates(play: Play, one: Id) -> Iterator[Mapping[str, Json]]:
        for at in provokers:
            for weapon in weapons(play.combat, one, at):
                yield {"weapon": weapon, "attacker": at}

    return Prompt(
        kind="reaction",
        name="reposte",
        who=who,
        text=f"Does {who} answer {', '.join(provokers)} with a Reposte ({trigger})?",
        options=(Option("take", Riposte, refusals, candidates), Option("pass")),
        rules=(rule,),
        default="pass",
        data={
            "trigger": trigger,
            "attacker" if trigger == "attacked" else "mover": provokers[0],
            "provokers": list(provokers),
        },
        stands=lambda now: counting(now) and any(may(now, who, at) for at in provokers),
    )


def entering(play: Play, mover: Id, threatened: Sequence[Id]) -> Procedure[None]:
    """Trigger 1: somebody enters a threat range; all are asked at once (HE-REP-02, -06)."""
    able = [
        who for who in by_agility(play.combat, list(threatened)) if may(play.combat, who, mover)
    ]
    prompts = [offer(play.combat, who, (mover,), "enters", "HE-REP-02") for who in able]
    for answer in (yield from ask_all(prompts)):
        if answer.option == "take" and may(play.combat, answer.who or "", mover):
            yield from make(play, answer.who or "", mover, answer.inputs.weapon)


def answering(play: Play, attacks: Sequence[tuple[Id, Id]]) -> Procedure[None]:
    """Trigger 2: who was attacked while its Full-Defense runs, hit or miss (HE-FDEF-03, HE-REP-03).

    One prompt for each defender, whoever of several attackers it answers (HE-TIE-04).
    """
    provoked: dict[Id, list[Id]] = {}
    for attacker, defender in attacks:
        runs = play.combat[defender].has("full-defense")
        if runs and may(play.combat, defender, attacker):
            provoked.setdefault(defender, []).append(attacker)
    defenders = by_agility(play.combat, list(provoked))
    prompts = [
        offer(play.combat, who, tuple(dict.fromkeys(provoked[who])), "attacked", "HE-REP-03")
        for who in defenders
    ]
    for answer in (yield from ask_all(prompts)):
        who = answer.who or ""
        if answer.option == "take":
            at = answer.inputs.attacker or provoked[who][0]
            if may(play.combat, who, at):
                yield from make(play, who, at, answer.inputs.weapon)


def make(play: Play, who: Id, at: Id, weapon: Id | None) -> Procedure[None]:
    """One melee attack, one roll, with critical hits and injuries as usual (HE-REP-04)."""
    found = next(
        each
        for each in ready(play.combat[who])
        if each.id == (weapon or weapons(play.combat, who, at)[0])
    )
    costs = yield from acting.spend(play, who, "reaction")
    hit = yield from attack.strike(
        play, who, at, attack.of_weapon(found), ("reposte-attack", "reposte-damage")
    )
    if hit is not None:
        yield from attack.at_once(play, hit)
    if costs:
        yield from exert(play, who)
    yield from interrupt(play, lambda: answering(play, ((who, at),)), otherwise=None)


def declared_refusals(play: Play, who: Id, inputs: Riposte) -> Iterator[Illegal]:
    """A Reposte is made when it is asked for; without a trigger it is refused (HE-REP-09)."""
    combat = play.combat
    if not counting(combat):
        yield acting.off_turn(combat, who, "reposte")
        return
    yield from unable(combat, who)
    asked = any(one.name == "reposte" and one.who == who for one in combat.prompts.values())
    detail = "answer the prompt reposte" if asked else "nobody has provoked it"
    yield Illegal("HE-REP-09", "no-trigger", detail)


def never(play: Play, who: Id, inputs: Riposte) -> Procedure[None]:
    """The refusals never let it come here."""
    yield from ()
