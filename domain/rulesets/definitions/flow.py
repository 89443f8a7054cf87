"""Initiative, rounds of turns, the end (section 1, DEF-RND, DEF-GEN-04)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from domain.record.combat import Combat, Id
from domain.record.events import CombatEnded, InitiativeSet, PhaseBegan, RoundBegan, RoundEnded
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.ruleset import Step
from domain.rulebook.until import expire
from domain.rulesets.definitions import dying, freeing, initiative, turns
from domain.rulesets.definitions.facts import (
    ASKED_IN,
    BEGUN,
    BOUNDARY,
    GOES_ON,
    INSIDE,
    TURN_OVER,
    Standing,
)
from domain.rulesets.definitions.states import able, in_fight, standing


def flow(combat: Combat) -> Step | None:
    """What comes next."""
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("combat-end")
    if combat.phase == "begun":
        return Step("initiative")
    if end_is_offered(combat):
        return Step("end-combat")
    late = initiative.unplaced(combat)
    if late and BEGUN.of(combat):
        return Step("enter", {"who": late[0]})
    for who in combat.acting:
        over = TURN_OVER.of(combat[who]) or not able(combat, who)
        return Step("turn-end" if over else "act", {"who": who})
    if BOUNDARY.known(combat):
        return Step("boundary", {"after": BOUNDARY.of(combat)})
    if combat.phase == "round-start":
        return Step("round-start")
    if combat.queue:
        return Step("turn-start", {"who": combat.queue[0].who})
    return Step("round-end")


def entry(combat: Combat, who: Id) -> Step | None:
    """Who joins a running fight rolls at once (DEF-INI-08)."""
    return Step("enter", {"who": who}) if BEGUN.of(combat) else None


# ---- rounds


def round_start(play: Play) -> Procedure[None]:
    """Six seconds later (DEF-RND-01)."""
    yield RoundBegan(play.combat.round + 1, rules=("DEF-RND-01",))
    yield InitiativeSet(play.combat.order, lasting=True, rules=("DEF-INI-02",))
    yield PhaseBegan("turns", rules=("DEF-RND-01",))


def round_end(play: Play) -> Procedure[None]:
    """Delays that were not resumed are lost; what lasts to the end of the round ends."""
    yield from turns.delays_lost(play)
    for one in list(play.combat):
        inside = INSIDE.of(one)
        if inside is not None and not in_fight(play.combat, inside.by):
            more = replace(inside, rounds=inside.rounds + 1)  # it has no turns any more
            yield INSIDE.set(one.id, more, rules=("DEF-SWL-06",))
    yield from expire(play, "round-end", rules=("DEF-RND-01",))
    yield RoundEnded(play.combat.round, rules=("DEF-RND-01",))
    yield PhaseBegan("round-start", rules=("DEF-RND-01",))


# ---- the end

END = choices("end", "go-on")


def end_is_offered(combat: Combat) -> bool:
    """At most one side stands, and the GM has not said go on to this (DEF-GEN-04)."""
    said = GOES_ON.of(combat)
    if not any(able(combat, one.id) for one in combat):
        return ASKED_IN.of(combat) < combat.round or not ASKED_IN.known(combat)
    left = standing(combat)
    joined = {one.side for one in combat.combatants.values()}
    if len(left) > 1 or len(joined) < 2:
        return False
    return said is None or said.sides != left


def end_combat(play: Play) -> Procedure[None]:
    """The GM is asked once for each situation."""
    left = standing(play.combat)
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="end-combat",
            who=None,
            text="At most one side still stands. Does the combat end?",
            options=END,
            rules=("DEF-GEN-04",),
            default="end",
            data={"sides": list(left)},
            stands=lambda now: now.phase != "ending" and standing(now) == left,
        )
    )
    if standing(play.combat) != left or play.combat.phase == "ending":
        return  # it has changed meanwhile
    if answer.option == "end":
        yield CombatEnded(left if len(left) == 1 else (), "one side left", rules=("DEF-GEN-04",))
        return
    yield ASKED_IN.set(play.combat.round, rules=("DEF-GEN-04",))
    if len(left) < 2:
        yield GOES_ON.set(Standing(sides=left), rules=("DEF-GEN-04",))


def combat_end(play: Play) -> Procedure[None]:
    """The victors: whom the GM names, else the only side that stands."""
    ending = play.combat.facts.get("ending", {})
    winners = ending.get("winners")
    if winners is None:
        left = standing(play.combat)
        winners = left if len(left) == 1 else ()
    yield CombatEnded(tuple(winners), ending.get("reason") or "", rules=("DEF-GEN-04",))


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "initiative": initiative.initiative,
    "enter": initiative.enter,
    "round-start": round_start,
    "turn-start": turns.turn_start,
    "act": turns.act,
    "turn-end": turns.turn_end,
    "boundary": turns.boundary,
    "round-end": round_end,
    "end-combat": end_combat,
    "combat-end": combat_end,
    "wound": dying.wound,
    "freed": freeing.freed,
}
