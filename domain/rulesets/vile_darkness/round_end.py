"""Step 8: effects end, ongoing damage applies, and the GM decides what follows (VD-END).

GAP-21."""

import itertools
from functools import partial

from msgspec.structs import replace

from domain.record.combat import Combat, Combatant, Condition, Id
from domain.record.events import PhaseBegan, RoundEnded
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask_gm, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness.facts import (
    CASTING,
    COMMITTED,
    ENDING_ROUND,
    ROUND_END,
    SURPRISED_BUT_ACTS,
    WORK,
)
from domain.rulesets.vile_darkness.harm import Hurt, Results, in_turn, land
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import END, NEXT
from domain.rulesets.vile_darkness.spells import not_completed, runs_on


@rule("VD-SEQ-10", "Step 8 is the end of the round")
@rule("VD-END-01", "The GM runs the end of the round")
def end_of_round(play: Play) -> Procedure[None]:
    """End conditions and durations, apply ongoing damage, and then ask the GM."""
    yield PhaseBegan(END, rules=("VD-SEQ-10", "VD-END-01"))
    yield from expire(play, ROUND_END, rules=("VD-END-02",))
    for combatant in play.combat:
        if SURPRISED_BUT_ACTS.known(combatant) and not combatant.has("surprised"):
            yield SURPRISED_BUT_ACTS.clear(combatant.id, rules=("VD-SEQ-01",))
    yield from ongoing(play)
    for who in [combatant.id for combatant in play.combat]:
        yield from list(not_completed(play.combat[who]))
        combatant = play.combat[who]
        if (
            COMMITTED.known(combatant)
            and CASTING.of(combatant) is None
            and WORK.of(combatant) is None
        ):
            # no slot of this round has carried the action out
            yield COMMITTED.clear(who, rules=("VD-END-02",))
        work = WORK.of(combatant)
        if work is not None:
            rounds = replace(work, rounds=work.rounds - 1)
            yield WORK.set(who, rounds, rules=("VD-CPLX-02",))
    yield from confirmed(play)


def ongoing(play: Play) -> Procedure[None]:
    """Apply the ongoing damage, from the oldest effect to the newest.

    Effects that began at the same moment apply at the same moment.
    """
    for effects in [list(same) for _, same in itertools.groupby(hurting(play.combat), began)]:
        moment: dict[Id, Results] = {}
        for combatant, held in effects:
            moment.setdefault(combatant.id, []).extend(
                (yield from hurts(play, combatant.id, held.key))
            )
        yield from land(play, in_turn(moment))


def hurts(play: Play, who: Id, key: str) -> Procedure[Results]:
    """Return the results of an ongoing effect, or no results if it or its combatant is gone."""
    combatant = play.combat[who]
    held = next((condition for condition in combatant.conditions if condition.key == key), None)
    if held is None or combatant.left:
        return []
    before = held

    def dice() -> str:
        generator = (condition for condition in play.combat[who].conditions if condition.key == key)
        return str(next(generator, before).data.get("ongoing", "0"))

    gone = partial(play.absent, who)
    rolled = yield from roll(who, "ongoing-damage", dice, rules=("VD-END-01",), stops=gone)
    if rolled is None:
        return []
    return [Hurt(who, max(0, rolled.total), (), held.source, held.id, ("VD-END-01",))]


def began(effect: tuple[Combatant, Condition]) -> int:
    """Return the number of the moment at which the effect began."""
    return int(effect[1].data.get("began", 0))


def hurting(combat: Combat) -> list[tuple[Combatant, Condition]]:
    """Return every condition with ongoing damage, even two of the same name (GAP-57)."""
    hurting_now = [
        (combatant, held)
        for combatant in combat
        for held in combatant.conditions
        if held.data.get("ongoing")
    ]
    return sorted(hurting_now, key=began)


CONFIRM = choices("next-round", "end-combat")


@rule(
    "VD-SEQ-04", "After step 8, the next round has the same steps, without surprise and positions"
)
def confirmed(play: Play) -> Procedure[None]:
    """Ask the GM if the next round begins or the combat ends."""
    option = "next-round"
    if not ENDING_ROUND.of(play.combat):
        answer = yield from ask_gm(
            "end-of-round",
            f"Round {play.combat.round} is over. What follows?",
            CONFIRM,
            "next-round",
            rules=("VD-END-01",),
            data={"round": play.combat.round},
            stands=lambda now: not ENDING_ROUND.of(now),
        )
        option = answer.option
    for who in [combatant.id for combatant in play.combat]:
        yield from list(runs_on(play.combat[who]))
    yield RoundEnded(play.combat.round, rules=("VD-SEQ-04",))
    yield PhaseBegan("ending" if option == "end-combat" else NEXT, rules=("VD-SEQ-04",))
