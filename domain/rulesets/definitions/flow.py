"""Flow: initiative, rounds of turns, the end (section 1, DEF-RND)."""

from collections.abc import Callable, Mapping

from domain.record.combat import Combat, Id
from domain.record.events import InitiativeSet, PhaseBegan, RoundBegan, RoundEnded
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Step
from domain.rulesets.definitions import death_saves, ending, initiative, release, turns
from domain.rulesets.definitions.facts import BEGUN, BOUNDARY, TURN_OVER
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, in_fight


def flow(combat: Combat) -> Step | None:
    """Return the next step."""
    if combat.status != "running":
        return None
    if combat.phase == "ending":
        return Step("combat-end")
    if combat.phase == "begun":
        return Step("initiative")
    if ending.is_offered(combat):
        return Step("end-combat")
    late = initiative.unplaced(combat)
    if late:
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
    """A combatant that joins a running fight rolls at once (DEF-INI-08)."""
    return Step("enter", {"who": who}) if BEGUN.of(combat) else None


@rule("DEF-INI-02", "Rolled once for all rounds")
def round_start(play: Play) -> Procedure[None]:
    """Six seconds later (DEF-RND-01)."""
    yield RoundBegan(play.combat.round + 1, rules=("DEF-RND-01",))
    yield InitiativeSet(play.combat.order, rules=("DEF-INI-02",))
    yield PhaseBegan("turns", rules=("DEF-RND-01",))


@rule("DEF-RND-01", "A round of 6 seconds ends when all have had their turn")
def round_end(play: Play) -> Procedure[None]:
    """End delays that were not resumed, and effects that last to the end of the round.

    An effect that lasts to the turn of a combatant without turns also ends (DEF-RND-02).
    """
    yield from turns.delays_lost(play)
    # for swallowers without turns
    yield from turns.without_air(play, lambda swallower: not in_fight(play.combat, swallower))
    for gone in list(play.combat.combatants):
        if not in_fight(play.combat, gone):
            yield from expire(play, "turn-start", gone, rules=("DEF-RND-02",))
    yield from expire(play, "round-end", rules=("DEF-RND-01",))
    yield RoundEnded(play.combat.round, rules=("DEF-RND-01",))
    yield PhaseBegan("round-start", rules=("DEF-RND-01",))


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "initiative": initiative.initiative,
    "enter": initiative.enter,
    "round-start": round_start,
    "turn-start": turns.turn_start,
    "act": turns.act,
    "turn-end": turns.turn_end,
    "boundary": turns.boundary,
    "round-end": round_end,
    "end-combat": ending.end_combat,
    "combat-end": ending.combat_end,
    "wound": death_saves.wound,
    "freed": release.freed,
}
