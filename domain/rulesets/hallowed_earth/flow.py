"""The flow of a combat: surprise, initiative, then rounds of declaring, counting and ending.

HE-SEQ.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import (
    BudgetSet,
    CombatEnded,
    ConditionLost,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnEnded,
)
from domain.rulebook.durations import due, expire
from domain.rulebook.effects import Procedure, ask, ask_all, ask_anew, ask_gm
from domain.rulebook.ending import ENDING
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Answer, Option, Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulesets.hallowed_earth import declarations, effects, harm, initiative, injuries, morale
from domain.rulesets.hallowed_earth.conditions import OF_A_ROUND, surprised
from domain.rulesets.hallowed_earth.count import FRESH, counting
from domain.rulesets.hallowed_earth.facts import CARRIED
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.slot import slot
from domain.rulesets.hallowed_earth.states import able_to_fight, hostile, is_dying


class Surprising(Struct, frozen=True, forbid_unknown_fields=True):
    who: tuple[Id, ...] = ()


def flow(combat: Combat) -> Step | None:
    """Return the next step of the combat."""
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


@rule(
    "HE-SEQ-01",
    "Surprise and initiative come once, followed by rounds of declaring, counting and morale",
)
def begin(play: Play) -> Procedure[None]:
    """Settle surprise and roll the initiative dice, once per combat (HE-SEQ-01)."""
    yield PhaseBegan("surprise", rules=("HE-SEQ-01",))
    yield from surprise(play)
    yield PhaseBegan("initiative", rules=("HE-SEQ-01",))
    yield from initiative.roll_all(play)
    yield PhaseBegan("declare", rules=("HE-SEQ-01",))


def all_there(play: Play, _: Id, inputs: Surprising) -> Iterator[Illegal]:
    """Raise `Unknown` if a combatant to surprise does not exist."""
    for who in inputs.who:
        play.combat[who]
    return iter(())


SURPRISE = (
    Option("as-given", label="Those who are"),
    Option(
        "surprise",
        Surprising,
        all_there,
        candidates=lambda play, who: ({"who": [combatant.id]} for combatant in play.combat),
        label="These and nobody else",
    ),
)


def surprise(play: Play) -> Procedure[None]:
    """Ask the GM which combatants are unaware of their enemies (HE-SURP-01)."""

    def question(now: Combat) -> Prompt:
        return Prompt(
            kind="ruling",
            name="surprise",
            who=None,
            text="Who is surprised?",
            options=SURPRISE,
            rules=("HE-SURP-01",),
            default="as-given",
            data={"surprised": [combatant.id for combatant in now if combatant.has("surprised")]},
        )

    answer = yield from ask_anew(play.combat, question)
    if answer.option == "surprise":
        yield from surprised(play, answer.inputs.who)


# ---- declare


@rule(
    "HE-DECL-01", "In every round, everybody who is neither surprised nor dead declares one action"
)
@rule("HE-ACT-04", "A combatant has one Reaction per round, which returns with the next round")
def declare(play: Play) -> Procedure[None]:
    """Begin a round. All combatants declare before any action resolves (HE-SEQ-02, HE-DECL-01)."""
    yield RoundBegan(play.combat.round + 1, rules=("HE-SEQ-01",))
    for combatant in play.combat:
        yield BudgetSet(combatant.id, FRESH, rules=("HE-ACT-04",))
    # a combatant that is no longer dead can still lack its die
    yield from initiative.roll_all(play)
    if declarations.way(play.combat) == "secret":
        yield from secretly(play)
    else:
        yield from in_order(play)
    if play.combat.phase == "declare":
        yield from initiative.line_up(play)
        yield PhaseBegan("count", rules=("HE-SEQ-03", "HE-SEQ-02"))


@rule("HE-DECL-08", "With secret, Affray reveals all declarations together after the last one")
def secretly(play: Play) -> Procedure[None]:
    """Collect secret declarations until the last one arrives (HE-DECL-08).

    If a combatant could not declare and recovers before the last declaration, it receives a new
    prompt (HE-SEQ-02).
    """
    answers: dict[Id, Answer] = {}

    def asked(combat: Combat) -> list[Prompt]:
        waiting = [who for who in declarations.order(combat) if who not in answers]
        return [declarations.prompt(combat, who) for who in waiting]

    while pending := asked(play.combat):
        for answer in (yield from ask_all(pending, sealed=True, more=asked)):
            who, then = answer.who or "", answer.then
            if then is not None and declarations.may_declare(then[who]):
                answers[who] = answer
    for answer in answers.values():
        yield from declarations.declared(play.combat, answer)


@rule(
    "HE-DECL-10",
    "In an order, nobody declares before its place, and everybody sees each declaration at once",
)
def in_order(play: Play) -> Procedure[None]:
    """Collect declarations one by one, and show each to everybody at once (HE-DECL-10)."""
    while pending := declarations.order(play.combat):
        answer = yield from ask(declarations.prompt(play.combat, pending[0]))
        yield from declarations.declared(play.combat, answer)


# ---- end of the round


@rule("HE-DYING-04", "A dying combatant loses 1 Wound Point at the end of every round")
@rule(
    "HE-END-02",
    "A round ends with bleeding, suffocation, morale, expired effects and the GM's decision",
)
def end_round(play: Play) -> Procedure[None]:
    """End the round with bleeding, suffocation, morale and expired effects (HE-END-02).

    If no two hostile sides can fight, ask the GM to end the combat.
    """
    if play.combat.phase != "end-round":
        yield PhaseBegan("end-round", rules=("HE-SEQ-01", "HE-END-02"))
    if play.combat.queue:
        yield InitiativeSet((), rules=("HE-SEQ-01",))
    for combatant in play.combat:
        if is_dying(play.combat[combatant.id]):  # even if the dying began in this round
            yield from harm.wound(
                play, combatant.id, 1, ("bleeding",), rules=("HE-DYING-04", "HE-WP-08")
            )
    yield from suffocation(play)
    yield from morale.morale(play)
    yield from expiries(play)
    yield RoundEnded(play.combat.round, rules=("HE-SEQ-01",))
    ends = False
    if over(play.combat):
        ends = yield from confirmed(play)
    yield PhaseBegan("ending" if ends else "declare", rules=("HE-END-02",))


@rule("HE-SURP-05", "Surprise ends with its round, without a new die and without a missed turn")
@rule("HE-LATE-08", "A missed turn lasts for one round only")
def expiries(play: Play) -> Procedure[None]:
    """End the effects of the round, such as surprise (HE-SURP-05) and stances (HE-FDEF-05).

    A missed turn expires after one round (HE-LATE-08).
    """
    for combatant, held in due(play.combat, "round-end"):
        rule = OF_A_ROUND.get(held.id, "HE-END-02")
        yield ConditionLost(combatant.id, held.id, held.key, "round-end", rules=(rule,))
    yield from expire(play, "round-end", rules=("HE-END-02", "HE-INIT-08"))
    for combatant in play.combat:
        missed = CARRIED.of(combatant)
        coming = tuple(turn for turn in missed if turn.round > play.combat.round)
        if coming != missed:
            yield CARRIED.set(combatant.id, coming, rules=("HE-LATE-08",))


@rule("HE-BLUNT-15", "A Crushed Windpipe prevents speech and breath")
def suffocation(play: Play) -> Procedure[None]:
    """Ask the GM each round about combatants that cannot breathe (HE-BLUNT-15)."""
    for combatant in play.combat:
        if suffocates(play.combat, combatant.id):
            answer = yield from ask_gm(
                "suffocation",
                f"{combatant.id} cannot breathe. What happens?",
                effects.WITHOUT_BREATH,
                "nothing",
                rules=("HE-BLUNT-15",),
                data={"target": combatant.id},
                stands=partial(suffocates, who=combatant.id),
            )
            yield from effects.consequence(play, combatant.id, answer.option, answer.inputs)


def suffocates(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is in the fight and cannot breathe."""
    return in_fight(combat, who) and combat[who].has("cannot-breathe")


def over(combat: Combat) -> bool:
    """Return true unless combatants of two hostile sides are still able to fight (HE-END-01)."""
    able = [combatant.id for combatant in combat if able_to_fight(combat, combatant.id)]
    return not any(hostile(combat, a, b) for a in able for b in able)


END_COMBAT = choices("end", "go-on")


@rule("HE-END-01", "The GM ends the combat, and gets a prompt when no two hostile sides can fight")
def confirmed(play: Play) -> Procedure[bool]:
    """Ask the GM to end the combat (HE-END-01).

    The prompt lapses if another combatant becomes able to fight.
    """
    answer = yield from ask_gm(
        "end-combat",
        "Nobody is left to fight. Does the combat end?",
        END_COMBAT,
        "end",
        rules=("HE-END-01",),
        stands=over,
    )
    return answer.option == "end" and over(play.combat)


# ---- the end


@rule("HE-END-03", "The end of the combat removes initiative, and everything else stays")
def ended(play: Play) -> Procedure[None]:
    """End the combat and remove initiative.

    Stress, wounds, injuries and conditions stay (HE-END-03).
    """
    yield PhaseBegan("ended", rules=("HE-END-03",))
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("HE-END-03",))
    yield InitiativeSet((), lasting=True, rules=("HE-END-03",))
    yield from expiries(play)
    yield from expire(play, "turn-start", rules=("HE-END-03",))
    yield from expire(play, "combat-end", rules=("HE-END-03",))
    reason = ENDING.of(play.combat).reason
    yield CombatEnded(victors(play.combat), reason, rules=("HE-END-01",))


def victors(combat: Combat) -> tuple[str, ...]:
    """Return the winners that the GM named. By default, return the sides still able to fight."""
    named = ENDING.of(combat).winners
    if named is not None:
        return named
    if not over(combat):
        return ()
    return tuple(
        dict.fromkeys(combatant.side for combatant in combat if able_to_fight(combat, combatant.id))
    )


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "begin": begin,
    "enter": declarations.enter,
    "declare": declare,
    "slot": slot,
    "end-round": end_round,
    "ended": ended,
    "hit-dice": harm.hit_dice,
    "attribute-zero": injuries.attribute_zero,
}
