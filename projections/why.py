"""why: the chain of events that led to the present value of a track, or to a condition."""

from msgspec import Struct

from domain.engine.live import Live
from domain.engine.redact import allied_sides, redact
from domain.errors import Unknown
from domain.record.combat import Combat, Id
from domain.record.events import (
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    Damaged,
    Healed,
    Rolled,
    Ruled,
    TrackChanged,
)
from domain.record.evolve import evolve
from projections.events import event_view
from projections.eyes import Eyes
from projections.sentences import sentence


class Step(Struct, frozen=True):
    """One event of the chain; `value` is the track's value after it (own side only)."""

    version: int
    text: str
    rules: tuple[str, ...]
    value: int | None
    because: tuple[str, ...]


def why(
    live: Live, eyes: Eyes, who: Id, track: str | None = None, condition: str | None = None
) -> list[Step]:
    """Oldest first; `because` are the rolls and the ruling of the same command before it.

    Raises `Unknown` for a combatant, track or condition that never was.
    """
    combat = redact(live.ruleset, live.combat, eyes.caller)
    one = combat[who]
    if track is not None and track not in one.tracks:
        raise Unknown("track", track, tuple(one.tracks))
    exact = eyes.caller.role == "gm" or one.side in allied_sides(combat, eyes.caller)
    names = {id: other.name for id, other in combat.combatants.items()}
    state = Combat()
    rolls: list[str] = []
    command = ""
    steps: list[Step] = []
    for recorded in live.history.path:
        event = recorded.event
        state = evolve(state, event)
        if recorded.command != command:
            command, rolls = recorded.command, []
        if not eyes.sees(recorded.version):
            continue
        if isinstance(event, Rolled | Ruled):
            view = event_view(live, eyes, recorded)
            rolls.append(sentence(view.type, view.data, names))
        mine = getattr(event, "who", None) == who
        about_track = isinstance(event, Damaged | Healed | TrackChanged) and event.track == track
        about_condition = (
            isinstance(event, ConditionGained | ConditionLost) and event.condition == condition
        )
        joined = isinstance(event, CombatantJoined) and track is not None
        if mine and (about_track or about_condition or joined):
            view = event_view(live, eyes, recorded)
            value = None
            if exact and track is not None and who in state.combatants:
                value = state.combatants[who].tracks[track].value
            text = sentence(view.type, view.data, names)
            steps.append(Step(view.version, text, view.rules, value, tuple(rolls)))
    if condition is not None and not steps:
        held = tuple(dict.fromkeys(held.id for held in one.conditions))
        raise Unknown("condition", condition, held)
    return steps
