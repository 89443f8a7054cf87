"""Surprise, initiative, rounds of side turns, the end (SOV-SEQ)."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.record.combat import Combat, Id, Place
from domain.record.events import (
    BudgetSet,
    CombatEnded,
    ConditionLost,
    FactSet,
    InitiativeSet,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.effects import Procedure, ask, ask_any
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulesets.sovereign import (
    attacking,
    execution,
    grapple,
    harm,
    initiative,
    morale,
    reload,
    surprise,
    swarm,
    turns,
    windows,
)
from domain.rulesets.sovereign.abilities import ability_of
from domain.rulesets.sovereign.numbers import able, awake


def flow(combat: Combat) -> Step | None:
    """What comes next."""
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("combat-end")
    if combat.phase == "begun":
        return Step("surprise")
    if combat.facts.get("asked_end") != standing(combat) and one_side_left(combat):
        return Step("end-combat")
    if combat.phase == "initiative":
        return Step("initiative")
    if "to_go" not in combat.facts:
        return Step("round-start")
    for side in initiative.sides(combat):
        if "order" in combat.facts and side not in initiative.order(combat):
            return Step("late-side", {"side": side})
    if combat.facts.get("side") is not None:
        return Step("act" if waiting(combat) else "side-end")
    if combat.facts.get("to_go"):
        return Step("side-start", {"side": combat.facts["to_go"][0]})
    return Step("round-end")


def waiting(combat: Combat) -> list[Id]:
    """Members of the acting side who are able and have not ended their turn (SOV-SEQ-03)."""
    side = combat.facts.get("side")
    left = {place.who for place in combat.queue}
    return [
        one.id for one in combat if one.side == side and one.id in left and able(combat, one.id)
    ]


# ---- rounds


def round_start(play: Play) -> Procedure[None]:
    """Main and Move are back, the counters of the round are 0 (SOV-ACT-02, -03)."""
    surprised = play.combat.phase == "surprise-round"
    number = 0 if surprised else play.combat.round + 1
    yield RoundBegan(number, rules=("SOV-SEQ-01", "SOV-SEQ-05"))
    for one in list(play.combat):
        yield BudgetSet(one.id, {"main": 1, "move": 1}, rules=("SOV-ACT-02", "SOV-ACT-03"))
        yield from reset(play, one.id)
    sides = unsurprised(play.combat) if surprised else initiative.order(play.combat)
    yield FactSet(None, "to_go", sides, rules=("SOV-SEQ-01",))
    yield InitiativeSet(initiative.places(play.combat, sides), rules=("SOV-SEQ-01",))


COUNTERS = ("shield_used", "screened", "attempted", "taken")
"""What is counted by the round (section 5)."""


def reset(play: Play, who: Id) -> Procedure[None]:
    """Counters and abilities by the round begin anew."""
    one = play.combat[who]
    for counter in COUNTERS:
        if counter in one.facts:
            yield FactSet(who, counter, None, rules=("SOV-ACT-02",))
    used = one.facts.get("used", {})
    kept = {id: times for id, times in used.items() if not by_round(play, who, id)}
    if len(kept) < len(used):
        yield FactSet(who, "used", kept, rules=("SOV-ACT-02",))


def by_round(play: Play, who: Id, id: str) -> bool:
    ability = ability_of(play.combat[who], id)
    return ability is not None and ability.per == "round"


def unsurprised(combat: Combat) -> list[str]:
    """The party first, then in the order listed (SOV-SURP-07)."""
    aware = {one.side for one in combat if able(combat, one.id)}
    sides = [side for side in initiative.sides(combat) if side in aware]
    return sorted(sides, key=lambda side: not initiative.is_party(combat, side))


def round_end(play: Play) -> Procedure[None]:
    """Swarms, held actions, grapple damage, deaths, effects of the round (SOV-SEQ-07)."""
    yield PhaseBegan("round-end", rules=("SOV-SEQ-07",))
    yield from swarm.lapse(play)
    for one in list(play.combat):
        if one.has("holding"):
            yield ConditionLost(one.id, "holding", reason="lost", rules=("SOV-HOLD-04",))
    yield from grapple.round_end(play)
    yield from harm.deaths(play)
    yield from end(play, "round-end", None, "SOV-SEQ-07")
    yield from execution.time_passes(play, execution.ROUND)
    yield RoundEnded(play.combat.round, rules=("SOV-SEQ-05",))
    yield FactSet(None, "to_go", None, rules=("SOV-SEQ-01",))
    if "order" not in play.combat.facts:  # the surprise round
        yield from surprise.over(play)
        yield PhaseBegan("initiative", rules=("SOV-SURP-07",))
    else:
        yield PhaseBegan("round-start", rules=("SOV-SEQ-01",))


def end(play: Play, moment: str, side: str | None, rule: str) -> Procedure[None]:
    """Everything that ends at this moment, in the order of joining."""
    due = [
        (one.id, held.id, held.key)
        for one in play.combat
        for held in one.conditions
        for at in held.until
        if at.moment == moment and (at.who is None or at.who == side)
    ]
    for who, condition, key in due:
        yield ConditionLost(who, condition, key, moment, rules=(rule,))


# ---- side turns


def side_start(play: Play, side: str) -> Procedure[None]:
    """What lasts to the own next turn ends, morale, then every able member may act (SOV-SEQ-06)."""
    yield PhaseBegan(f"side-turn/{side}", rules=("SOV-SEQ-01",))
    left = [other for other in play.combat.facts.get("to_go", []) if other != side]
    yield FactSet(None, "side", side, rules=("SOV-SEQ-01",))
    yield FactSet(None, "to_go", left, rules=("SOV-SEQ-01",))
    yield from end(play, "turn-start", side, "SOV-SEQ-06")
    yield from morale.side_starts(play, side)
    for one in list(play.combat):
        if one.side == side:
            yield from reload.by_itself(play, one.id)


def act(play: Play) -> Procedure[None]:
    """Members act in any order, interleaved as they like (SOV-SEQ-02)."""
    for who in waiting(play.combat):
        if who not in play.combat.acting:
            yield TurnBegan(who, rules=("SOV-SEQ-02",))

    def asked(combat: Combat) -> list[Prompt]:
        return [turns.prompt(play, who) for who in waiting(combat) if who in combat.acting]

    answer = yield from ask_any(asked(play.combat), more=asked)
    if answer.who is not None and answer.who in play.combat.acting:
        yield from turns.take(play, answer.who, answer)


def entry(combat: Combat, who: Id) -> Step | None:
    """A newcomer to the side that acts now acts with it (SOV-SEQ-09)."""
    return Step("enter", {"who": who}) if who in waiting(combat) else None


def enter(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who, rules=("SOV-SEQ-09",))


def side_end(play: Play) -> Procedure[None]:
    """An open swarm strikes or waits; an unused Move lapses (SOV-SWARM-08, SOV-ACT-05)."""
    side = str(play.combat.facts.get("side"))
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("SOV-SEQ-03",))
    yield from swarm.side_ends(play, side)
    for one in list(play.combat):
        if one.side == side and one.budget.get("move", 0) > 0:
            yield BudgetSet(one.id, {**one.budget, "move": 0}, rules=("SOV-ACT-05",))
    later = tuple(place for place in play.combat.queue if side_of(play.combat, place) != side)
    yield InitiativeSet(later, rules=("SOV-SEQ-03",))
    yield FactSet(None, "side", None, rules=("SOV-SEQ-03",))


def side_of(combat: Combat, place: Place) -> str:
    return combat[place.who].side


# ---- the end


def standing(combat: Combat) -> list[Any]:
    """Sides with able combatants; with nobody able the round belongs to it."""
    left = sorted({one.side for one in combat if awake(combat, one.id)})
    return left or [combat.round]


def one_side_left(combat: Combat) -> bool:
    """At most one side still has able combatants (SOV-SEQ-08)."""
    left = {one.side for one in combat if awake(combat, one.id)}
    return len(combat.sides) > 1 and len(left) < 2


def end_combat(play: Play) -> Procedure[None]:
    """The GM is asked once whether it ends; it goes on by default (SOV-SEQ-08)."""
    left = standing(play.combat)
    anybody = any(awake(play.combat, one.id) for one in play.combat)
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="end-combat",
            who=None,
            text="Only one side has able combatants left. Does the combat end?",
            options=choices("end", "go-on"),
            rules=("SOV-SEQ-08",),
            # With nobody able to do anything, rounds would pass for ever.
            default="go-on" if anybody else "end",
            data={"sides": left if anybody else []},
            stands=lambda now: now.phase != "ending",
        )
    )
    yield FactSet(None, "asked_end", left, rules=("SOV-SEQ-08",))
    if answer.option == "end" and play.combat.phase != "ending":
        winners = left if anybody else []
        yield FactSet(
            None, "ending", {"winners": winners, "reason": "one side left"}, rules=("SOV-SEQ-08",)
        )
        yield PhaseBegan("ending", rules=("SOV-SEQ-08",))


def combat_end(play: Play) -> Procedure[None]:
    """The victors: whom the GM names, else the last side with able combatants."""
    ending = play.combat.facts.get("ending", {})
    winners = ending.get("winners")
    if winners is None:
        left = {one.side for one in play.combat if awake(play.combat, one.id)}
        winners = sorted(left) if len(left) == 1 else []
    yield CombatEnded(tuple(winners), ending.get("reason") or "", rules=("SOV-SEQ-08",))


def declared(play: Play, who: Id, action: str, target: Id | None = None) -> Procedure[None]:
    """The window of an action whose file cannot name `windows` (see there)."""
    yield from windows.declared(play, who, action, target)


def snap(play: Play, who: Id, inputs: Any, batch: bool = False) -> Procedure[None]:
    yield from attacking.snap_attack(play, who, inputs, batch)


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "surprise": surprise.begin,
    "initiative": initiative.initiative,
    "round-start": round_start,
    "late-side": initiative.late_side,
    "side-start": side_start,
    "act": act,
    "enter": enter,
    "side-end": side_end,
    "round-end": round_end,
    "end-combat": end_combat,
    "combat-end": combat_end,
    "declared": declared,
    "snap-attack": snap,
}
