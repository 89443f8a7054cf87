"""Surprise, initiative, and rounds: declare, count up, end (HE-SEQ)."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from domain.record.combat import Combat, Id
from domain.record.events import (
    BudgetSet,
    CombatEnded,
    ConditionGained,
    ConditionLost,
    FactSet,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnEnded,
)
from domain.rulebook.effects import Procedure, ask, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulesets.hallowed_earth import data, declaring, initiative, morale
from domain.rulesets.hallowed_earth.ends import expire, round_end
from domain.rulesets.hallowed_earth.harm import wound
from domain.rulesets.hallowed_earth.numbers import (
    able_to_fight,
    counting,
    hostile,
    is_dying,
    options,
)
from domain.rulesets.hallowed_earth.slot import slot

OF_ROUND = (
    "declared",
    "round_initiative",
    "actions",
    "moved_ft",
    "turn_ft",
    "wounded",
    "intimidated",
    "obvious",
)
"""What a combatant's facts hold for one round only."""


class Surprising(Struct, frozen=True, forbid_unknown_fields=True):
    who: tuple[Id, ...] = ()


def flow(combat: Combat) -> Step | None:
    """What comes next."""
    if combat.status != "running":
        return None
    match combat.phase:
        case "begun":
            return Step("begin")
        case "declare":
            return Step("declare")
        case "end-round":
            return Step("end-round")
        case "ending":
            return Step("ended")
        case _ if counting(combat) and combat.queue:
            return Step("slot", {"number": combat.queue[0].key[0]})
        case _:
            return Step("end-round")


# ---- once


def begin(play: Play) -> Procedure[None]:
    """Surprise and the initiative die come once per combat (HE-SEQ-01)."""
    yield PhaseBegan("surprise", rules=("HE-SEQ-01",))
    yield from surprise(play)
    yield PhaseBegan("initiative", rules=("HE-SEQ-01",))
    yield from initiative.roll_all(play)
    yield PhaseBegan("declare", rules=("HE-SEQ-01",))


def surprise(play: Play) -> Procedure[None]:
    """Who does not know of its enemies: the GM names them (HE-SURP-01)."""
    named = [one.id for one in play.combat if one.has("surprised")]
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="surprise",
            who=None,
            text="Who is surprised?",
            options=(
                Option("as-given"),
                Option(
                    "surprise",
                    Surprising,
                    candidates=lambda play, who: ({"who": [one.id]} for one in play.combat),
                ),
            ),
            rules=("HE-SURP-01",),
            default="as-given",
            data={"surprised": named},
        )
    )
    if answer.option == "surprise":
        yield from surprised(play, answer.inputs.who)


def surprised(play: Play, who: tuple[Id, ...]) -> Procedure[None]:
    """These, and nobody else, are surprised in this round (HE-SURP-01, -05)."""
    for one in play.combat:
        if one.id in who and not one.has("surprised"):
            until = (round_end(play.combat.round),)
            yield ConditionGained(one.id, "surprised", until=until, rules=("HE-SURP-01",))
        elif one.id not in who and one.has("surprised"):
            yield from _aware(one.id)


def _aware(who: Id) -> Procedure[None]:
    yield ConditionLost(who, "surprised", reason="ruling", rules=("HE-SURP-01",))


# ---- declare


def declare(play: Play) -> Procedure[None]:
    """A new round; everybody declares before anything resolves (HE-SEQ-02, HE-DECL-01)."""
    yield RoundBegan(play.combat.round + 1, rules=("HE-SEQ-01",))
    for one in play.combat:
        for fact in OF_ROUND:
            if fact in one.facts:
                yield FactSet(one.id, fact, None, rules=("HE-INIT-08",))
        budget = {"standard": 0, "free": 0, "reaction": 1}
        yield BudgetSet(one.id, budget, rules=("HE-ACT-04",))
    if play.combat.facts.get("declare_order", options(play.combat).declare_order) == "secret":
        yield from secretly(play)
    else:
        yield from in_order(play)
    if play.combat.facts.get("closing"):
        yield FactSet(None, "closing", None, rules=("HE-DECL-14",))
    if play.combat.phase == "declare":
        yield from initiative.line_up(play)
        yield PhaseBegan("count", rules=("HE-SEQ-03",))


def secretly(play: Play) -> Procedure[None]:
    """Nobody sees the others' until the last one is in (HE-DECL-08)."""

    def asked(combat: Combat) -> list[Prompt]:
        return [declaring.prompt(combat, who) for who in declaring.order(combat)]

    answers = yield from ask_all(asked(play.combat), sealed=True, more=asked)
    for answer in answers:
        who = answer.who or ""
        if play.combat[who].left or play.combat[who].has("dead"):
            continue
        yield from list(declaring.declared(play.combat, who, answer.option, answer.inputs))


def in_order(play: Play) -> Procedure[None]:
    """One after the other, each visible at once (HE-DECL-10)."""
    while pending := declaring.order(play.combat):
        who = pending[0]
        answer = yield from ask(declaring.prompt(play.combat, who))
        yield from list(declaring.declared(play.combat, who, answer.option, answer.inputs))


# ---- end of the round


def end_round(play: Play) -> Procedure[None]:
    """The dying bleed, morale, expiries, the GM's word (HE-END-02)."""
    if play.combat.phase != "end-round":
        yield PhaseBegan("end-round", rules=("HE-SEQ-01",))
    if play.combat.queue:
        yield InitiativeSet((), rules=("HE-SEQ-01",))
    for one in play.combat:
        if is_dying(play.combat[one.id]):  # also in the round in which it began (HE-DYING-04)
            yield from wound(play, one.id, 1, ("bleeding",), rule="HE-DYING-04")
    yield from suffocation(play)
    yield from morale.morale(play)
    yield from expire(play)
    for one in play.combat:
        if one.facts.get("carried", {}).get("round", play.combat.round + 1) <= play.combat.round:
            yield FactSet(one.id, "carried", None, rules=("HE-LATE-08",))
    yield RoundEnded(play.combat.round, rules=("HE-SEQ-01",))
    ends = False
    if over(play.combat):
        ends = yield from confirmed(play)
    yield PhaseBegan("ending" if ends else "declare", rules=("HE-END-02",))


def suffocation(play: Play) -> Procedure[None]:
    """Who cannot breathe may suffocate: a ruling each round (HE-BLUNT-15)."""
    for one in play.combat:
        if not one.has("cannot-breathe") or play.combat[one.id].has("dead"):
            continue
        answer = yield from ask(
            Prompt(
                kind="ruling",
                name="suffocation",
                who=None,
                text=f"{one.id} cannot breathe: what happens?",
                options=data.CONSEQUENCES,
                rules=("HE-BLUNT-15",),
                default="nothing",
                data={"target": one.id},
            )
        )
        yield from data.consequence(play, one.id, answer.option, answer.inputs)


def over(combat: Combat) -> bool:
    """No two hostile sides have anybody able to fight (HE-END-01)."""
    able = [one.id for one in combat if able_to_fight(combat, one.id)]
    return not any(hostile(combat, a, b) for a in able for b in able)


def confirmed(play: Play) -> Procedure[bool]:
    """The GM ends the combat (HE-END-01)."""
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="end-combat",
            who=None,
            text="Nobody is left to fight. Does the combat end?",
            options=choices("end", "go-on"),
            rules=("HE-END-01",),
            default="end",
        )
    )
    return answer.option == "end"


# ---- the end


def ended(play: Play) -> Procedure[None]:
    """Initiative is wiped; Stress, wounds, injuries and conditions stay (HE-END-03)."""
    yield PhaseBegan("ended", rules=("HE-END-03",))
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("HE-END-03",))
    yield InitiativeSet((), lasting=True, rules=("HE-END-03",))
    for one in play.combat:
        for fact in (*OF_ROUND, "base_initiative", "carried"):
            if fact in one.facts:
                yield FactSet(one.id, fact, None, rules=("HE-END-03",))
    yield from expire(play)
    ending = play.combat.facts.get("ending", {})
    yield CombatEnded(victors(play.combat), ending.get("reason", ""), rules=("HE-END-01",))


def victors(combat: Combat) -> tuple[str, ...]:
    """The only sides that are able to fight on, or whom the GM names."""
    ending = combat.facts.get("ending", {})
    if ending.get("winners") is not None:
        return tuple(ending["winners"])
    if not over(combat):
        return ()
    return tuple(dict.fromkeys(one.side for one in combat if able_to_fight(combat, one.id)))


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "begin": begin,
    "enter": initiative.enter,
    "declare": declare,
    "slot": slot,
    "end-round": end_round,
    "ended": ended,
}


def entry(combat: Combat, who: Id) -> Step | None:
    """A newcomer rolls at once (HE-LATE-01); before the dice it rolls with the others."""
    if combat.phase in ("begun", "surprise", "initiative"):
        return None
    return Step("enter", {"who": who})
