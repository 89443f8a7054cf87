"""Run a fight: surprise, initiative, rounds of side turns, and the end (SOV-SEQ)."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.record.combat import Combat, Id
from domain.record.events import (
    BudgetSet,
    ConditionLost,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask_each, ask_gm
from domain.rulebook.ending import ENDING, Ending, ended
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulesets.sovereign import costs, harm, items, morale, opening
from domain.rulesets.sovereign.actions import (
    attack_of_opportunity,
    grapple,
    hold,
    snap_attack,
    swarm,
)
from domain.rulesets.sovereign.facts import ASKED_END, ORDER, SIDE, TO_GO
from domain.rulesets.sovereign.numbers import able, sides_left
from domain.rulesets.sovereign.rules import rule

ROUND = 10
"The length of a round in seconds (SOV-SEQ-05)."


@rule("SOV-SEQ-01", "Sides act in turn, highest initiative first, round after round")
@rule("SOV-INIT-05", "Initiative is rolled once")
def flow(combat: Combat) -> Step | None:
    """Return the next step of the fight, or `None` if no fight is running.

    SOV-INIT-05, SOV-SEQ-01.
    """
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("combat-end")
    if combat.phase == "begun":
        return Step("surprise")
    if ASKED_END.of(combat) != standing(combat) and one_side_left(combat):
        return Step("end-combat")
    if combat.phase == "initiative":
        return Step("initiative")
    if not TO_GO.known(combat):
        return Step("round-start")
    for side in opening.sides(combat):
        if opening.is_late(combat, side):
            return Step("late-side", {"side": side})
    if SIDE.of(combat) is not None:
        return Step("act" if opening.waiting(combat) else "side-end")
    for side in TO_GO.of(combat):
        return Step("side-start", {"side": side})
    return Step("round-end")


# ---- rounds


def round_start(play: Play) -> Procedure[None]:
    """Restore Main and Move, and reset the counters of the round (SOV-ACT-02, SOV-ACT-03)."""
    surprised = play.combat.phase == "surprise-round"
    number = 0 if surprised else play.combat.round + 1
    yield RoundBegan(number, rules=("SOV-SEQ-01", "SOV-SEQ-05"))
    for combatant in list(play.combat):
        yield BudgetSet(combatant.id, {"main": 1, "move": 1}, rules=("SOV-ACT-02", "SOV-ACT-03"))
    yield from expire(play, "round-start", rules=("SOV-ACT-02",))
    sides = unsurprised(play.combat) if surprised else ORDER.of(play.combat)
    yield TO_GO.set(tuple(sides), rules=("SOV-SEQ-01",))
    yield InitiativeSet(opening.places(play.combat, sides), rules=("SOV-SEQ-01",))


@rule("SOV-SURP-07", "The surprise round is like any other round, and initiative follows")
def unsurprised(combat: Combat) -> list[str]:
    """Return the aware sides: the party first, then in the listed order (SOV-SURP-07)."""
    aware = {combatant.side for combatant in combat if able(combat, combatant.id)}
    sides = [side for side in opening.sides(combat) if side in aware]
    return sorted(sides, key=lambda side: not opening.is_party(combat, side))


@rule("SOV-SEQ-05", "A round is ten seconds, and six rounds are a minute")
@rule("SOV-SEQ-07", "The end of a round handles swarms, held turns, grapples, deaths and effects")
@rule("SOV-HOLD-04", "A held turn without a trigger is lost at the end of the round")
def round_end(play: Play) -> Procedure[None]:
    """End the round (SOV-SEQ-07).

    Affray does the following in this order:

    1. It closes swarms and ends held turns.
    2. It deals grapple damage and records deaths.
    3. It ends the effects that last until the end of the round.
    """
    yield PhaseBegan("round-end", rules=("SOV-SEQ-07",))
    yield from swarm.lapse(play)
    for combatant in list(play.combat):
        if combatant.has("holding"):
            yield ConditionLost(combatant.id, "holding", reason="lost", rules=("SOV-HOLD-04",))
            yield BudgetSet(combatant.id, {"main": 0, "move": 0}, rules=("SOV-HOLD-04",))
    yield from grapple.round_end(play)
    yield from harm.deaths(play)
    yield from expire(play, "round-end", rules=("SOV-SEQ-07",))
    yield from harm.time_passes(play, ROUND)
    yield RoundEnded(play.combat.round, rules=("SOV-SEQ-05",))
    yield TO_GO.clear(rules=("SOV-SEQ-01",))
    if not ORDER.known(play.combat):
        yield from expire(play, "surprise-round-end", rules=("SOV-SURP-07",))
        # no Main of the surprise round is left when the sides roll initiative
        for combatant in list(play.combat):
            if combatant.budget.get("main", 0):
                yield BudgetSet(
                    combatant.id, {**combatant.budget, "main": 0}, rules=("SOV-ACT-05",)
                )
        yield PhaseBegan("initiative", rules=("SOV-SURP-07",))
    else:
        yield PhaseBegan("round-start", rules=("SOV-SEQ-01",))


# ---- side turns


@rule("SOV-SEQ-06", "A combatant's next turn begins with the next side turn of its side")
def side_start(play: Play, side: str) -> Procedure[None]:
    """Begin a side turn (SOV-SEQ-06).

    Affray ends effects that last until the next turn of a member. It then asks the GM about morale
    and loads the weapons that load for free.
    """
    yield PhaseBegan(f"side-turn/{side}", rules=("SOV-SEQ-01",))
    left = tuple(other for other in TO_GO.of(play.combat) if other != side)
    yield SIDE.set(side, rules=("SOV-SEQ-01",))
    yield TO_GO.set(left, rules=("SOV-SEQ-01",))
    members = [
        combatant.id for combatant in play.combat.combatants.values() if combatant.side == side
    ]
    for who in (side, *members):  # in older combats, effects name the side
        yield from expire(play, "turn-start", who, rules=("SOV-SEQ-06",))
    yield from morale.side_starts(play, side)
    for combatant in list(play.combat):
        if combatant.side == side:
            yield from items.load_by_itself(play.combat, combatant)


@rule("SOV-SEQ-02", "The members of a side act in any order and may interleave")
def act(play: Play) -> Procedure[None]:
    """Let the members of the side act in any order, and alternate freely (SOV-SEQ-02)."""

    def asked(combat: Combat) -> list[Prompt]:
        return [hold.prompt(play, who) for who in opening.waiting(combat) if who in combat.acting]

    while flow(play.combat) == Step("act"):
        for who in opening.waiting(play.combat):
            if who not in play.combat.acting:
                yield TurnBegan(who, rules=("SOV-SEQ-02",))
        answer = yield from ask_each(asked(play.combat), more=asked)
        who = answer.who or ""
        if who in play.combat.acting and able(play.combat, who):  # otherwise the prompt has lapsed
            yield from hold.take(play, who, answer)


def enter(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who, rules=("SOV-SEQ-09",))


@rule(
    "SOV-ACT-05",
    "An unused Main stays until the round ends. An unused Move lapses unless it is held",
)
def side_end(play: Play) -> Procedure[None]:
    """End a side turn (SOV-SWARM-08, SOV-ACT-05, SOV-HOLD-01).

    An open swarm strikes or waits. An unused Move lapses, unless the combatant holds its turn.
    """
    side = str(SIDE.of(play.combat))
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("SOV-SEQ-03",))
    yield from swarm.side_ends(play, side)
    for combatant in list(play.combat):
        if combatant.side == side and not combatant.has("holding"):
            yield from list(costs.move_lapses(combatant, "SOV-ACT-05"))
    later = tuple(place for place in play.combat.queue if play.combat[place.who].side != side)
    yield InitiativeSet(later, rules=("SOV-SEQ-03",))
    yield SIDE.clear(rules=("SOV-SEQ-03",))


# ---- the end


END = choices("end", "go-on")


def standing(combat: Combat) -> tuple[Any, ...]:
    """Return a value that changes when the GM must decide again whether the combat ends.

    It is the sides with able combatants. If no combatant is able, it is the round number, so that
    the GM gets a prompt in each round.
    """
    return tuple(sides_left(combat)) or (combat.round,)


def one_side_left(combat: Combat) -> bool:
    """Return true if at most one side still has able combatants (SOV-SEQ-08)."""
    return len(combat.sides) > 1 and len(sides_left(combat)) < 2


@rule("SOV-SEQ-08", "When one side is left, the GM decides whether the combat ends")
def end_combat(play: Play) -> Procedure[None]:
    """Ask the GM once whether the combat ends. By default, the combat continues (SOV-SEQ-08).

    - If no combatant is able, the default is to end the combat.
    - If a side is able and the option `rulings` is `default`, the prompt has no default. An
      automatic answer would continue a fight without a foe.
    """
    left = standing(play.combat)
    anybody = bool(sides_left(play.combat))
    go_on = None if play.combat.options.get("rulings") == "default" else "go-on"
    answer = yield from ask_gm(
        "end-combat",
        "Only one side has able combatants left. Does the combat end?",
        END,
        # Without able combatants, rounds would never end.
        go_on if anybody else "end",
        rules=("SOV-SEQ-08",),
        data={"sides": list(left) if anybody else []},
    )
    yield ASKED_END.set(left, rules=("SOV-SEQ-08",))
    if answer.option == "end":
        ending = Ending(left if anybody else (), "one side left")
        yield ENDING.set(ending, rules=("SOV-SEQ-08",))
        yield PhaseBegan("ending", rules=("SOV-SEQ-08",))


def combat_end(play: Play) -> Procedure[None]:
    """End the combat. If the GM has named no winners, the last able side wins."""
    yield ended(play.combat, sides_left(play.combat), "SOV-SEQ-08")


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "surprise": opening.begin,
    "initiative": opening.initiative,
    "round-start": round_start,
    "late-side": opening.late_side,
    "side-start": side_start,
    "act": act,
    "enter": enter,
    "side-end": side_end,
    "round-end": round_end,
    "end-combat": end_combat,
    "combat-end": combat_end,
    "snap-attack": snap_attack.with_others,
    "attack-of-opportunity": attack_of_opportunity.strike,
}
