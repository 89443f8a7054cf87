"""Why: the chain of events that led to the value of a track, or to a condition."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from domain.engine.redaction import allied_sides, redact
from domain.engine.session import Session
from domain.errors import Unknown
from domain.record.combat import Combat, Id, Json
from domain.record.events import (
    ActionDeclared,
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    Damaged,
    Healed,
    Judged,
    Rolled,
    Ruled,
    TrackChanged,
)
from domain.record.evolve import evolve
from domain.record.history import History
from domain.record.pages import numbers_of
from domain.record.recorded import Recorded, tag
from projections.eyes import Eyes
from projections.narration import Teller
from projections.sentences import several

_OF_TRACKS: Final = numbers_of(Damaged, Healed, TrackChanged, CombatantJoined)
_OF_CONDITIONS: Final = numbers_of(ConditionGained, ConditionLost)
_DECLARED: Final = numbers_of(ActionDeclared)


class Step(Struct, frozen=True):
    """One event of the chain.

    - `value`: the track's value after the event. Only readers on the combatant's side get it.
    - `because`: the declaration, rolls and ruling that led to the event, in plain English.
    - `causes`: the versions of these events.
    - `reason`: the GM's words.
    - `note`: the reason why the change is smaller than the roll or the ruling.
    """

    version: Annotated[int, Meta(description="Version of the event")]
    text: str
    rules: tuple[str, ...]
    value: Annotated[
        int | None, Meta(description="The track's value after it. `null`: unknown to the reader")
    ]
    because: Annotated[tuple[str, ...], Meta(description="The rolls and rulings before it")]
    causes: Annotated[
        tuple[int, ...], Meta(description="Versions of the events that led to it")
    ] = ()
    type: Annotated[str, Meta(description="Type of the event")] = ""
    reason: str = ""
    note: Annotated[
        str, Meta(description="Reason why fewer points count than the roll or the ruling gives")
    ] = ""


def why(
    live: Session, eyes: Eyes, who: Id, track: str | None = None, condition: str | None = None
) -> list[Step]:
    """Return the chain, oldest first.

    Raise `Unknown` if `who` has no such track, or never had the condition.
    """
    combat = redact(live.ruleset, live.combat, eyes.caller)
    combatant = combat[who]
    if track is not None and track not in combatant.tracks:
        raise Unknown("track", track, tuple(combatant.tracks))
    exact = eyes.caller.role == "gm" or combatant.side in allied_sides(combat, eyes.caller)
    state, teller = Combat(), Teller(live, eyes)
    steps: list[Step] = []
    about = _about(live.history, who, track, condition)
    for recorded, behind in zip(about, _causes(live.history, eyes, about), strict=True):
        event: Any = recorded.event
        state = evolve(state, event)  # no other event changes the value
        if not eyes.sees(recorded.version):
            continue
        value = None
        if exact and track is not None and who in state.combatants:
            value = state.combatants[who].tracks[track].value
        ruled = next((c.event for c in reversed(behind) if isinstance(c.event, Ruled)), None)
        steps.append(
            Step(
                eyes.to_sequence(recorded.version),
                teller.told(recorded),
                event.rules,
                value,
                tuple(teller.told(cause) for cause in behind),
                tuple(eyes.to_sequence(cause.version) for cause in behind),
                tag(event),
                "" if ruled is None else ruled.reason,
                _note(state, event, ruled, behind) if exact else "",
            )
        )
    if condition is not None and not steps:
        held = tuple(dict.fromkeys(held.id for held in combatant.conditions))
        raise Unknown("condition", condition, held)
    return steps


def _about(history: History, who: Id, track: str | None, condition: str | None) -> list[Recorded]:
    """Return the events on the current path that change the track or condition, oldest first."""
    kinds = _OF_TRACKS if track is not None else _OF_CONDITIONS
    pages = [page for page in history.with_kinds(kinds) if who in page.named]
    return [
        recorded
        for page, events in history.leaves(pages)
        for recorded in page.chosen(events, kinds)
        if getattr(recorded.event, "who", None) == who
        and _is_about(recorded.event, track, condition)
        and history.is_present(recorded.version)
    ]


def _is_about(event: Any, track: str | None, condition: str | None) -> bool:
    match event:
        case Damaged() | Healed() | TrackChanged():
            return bool(event.track == track)
        case ConditionGained() | ConditionLost():
            return bool(event.condition == condition)
        case _:
            return isinstance(event, CombatantJoined) and track in event.tracks


def _causes(history: History, eyes: Eyes, about: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return, for each event, the declarations, rolls and rulings that may have led to it.

    They come from the event's procedure since the newest declaration, even across commands, or from
    its command if it belongs to no procedure.
    """
    history.gather(
        history.command_of(recorded.version) for recorded in about
    )  # load everything that is missing at once
    return [led_to(history, eyes, recorded) for recorded in about]


def led_to(history: History, eyes: Eyes, recorded: Recorded) -> list[Recorded]:
    """Return the declarations, rolls and rulings that may have led to one event.

    If the event names the combatant that caused it, leave out declarations and rolls in which
    neither this combatant nor the affected combatant takes part.
    """
    first = history.command_of(recorded.version)[0]
    if recorded.frame:
        declared = _declared(history, eyes, recorded)
        first = min(first, history.command_of(declared or recorded.frame)[0])
    events = [
        event
        for event in history.between(first, recorded.version)
        if isinstance(event.event, ActionDeclared | Rolled | Judged | Ruled)
        and event.version != recorded.version
        and eyes.sees(event.version)
        and _is_near(event, recorded)
        and _is_between(event.event, recorded.event)
    ]
    ruled = [recorded for recorded in events if isinstance(recorded.event, Ruled)]
    # Only the ruling itself causes the effects of a ruling.
    return events[events.index(ruled[-1]) :] if ruled else events


def _is_near(event: Recorded, recorded: Recorded) -> bool:
    """Return true if an event belongs to the procedure of another, or to its command."""
    if recorded.frame and not isinstance(event.event, Ruled):
        return event.frame == recorded.frame
    return event.command == recorded.command


def _is_between(event: Any, effect: Any) -> bool:
    """Return true if an action may have caused an effect, judged by the combatants of both."""
    source = getattr(effect, "source", None) or getattr(effect, "by", None)
    if isinstance(event, Ruled) or not isinstance(effect, Damaged | Healed | ConditionGained):
        return True
    return (
        source is None
        or event.who in (source, effect.who)
        or getattr(event, "against", None) == effect.who
    )


def _declared(history: History, eyes: Eyes, recorded: Recorded) -> int:
    """Return the newest declaration in the procedure of an event, or 0."""
    version = history.newest_of(_DECLARED, recorded.version)
    while version > recorded.frame:
        event = history.recorded_at(version)
        is_own = event.frame == recorded.frame and _is_between(event.event, recorded.event)
        if is_own and eyes.sees(version):
            return version
        version = history.newest_of(_DECLARED, version)
    return 0


def _note(state: Combat, event: Any, ruled: Ruled | None, behind: list[Recorded]) -> str:
    """Return the reason why the change is smaller than the roll or ruling, or `""` if it is not."""
    if not isinstance(event, Damaged | Healed):
        return ""
    wanted = _ruled_amount(ruled.inputs, event.who) if ruled is not None else None
    if wanted is None and isinstance(event, Healed):
        rolls = [recorded.event.total for recorded in behind if isinstance(recorded.event, Rolled)]
        wanted = rolls[-1] if rolls else None
    if wanted is None or wanted <= event.amount:
        return ""
    pool = state.combatants[event.who].tracks[event.track]
    limit = "the rest counts elsewhere, or not at all"
    if isinstance(event, Damaged) and pool.value == 0:
        limit = f"{event.track} stops at 0"
    elif isinstance(event, Healed) and pool.value == pool.maximum:
        limit = f"{event.track} is at most {pool.maximum}"
    return f"{event.amount} of {wanted}: {limit}"


def _ruled_amount(inputs: Mapping[str, Json], who: Id) -> int | None:
    """Return the points that a ruling sets for a combatant, or `None`."""
    given = inputs
    for target in several(inputs):
        if target.get("combatant") == who:
            shared, own = inputs.get("inputs"), target.get("inputs")
            given = {**(shared if isinstance(shared, Mapping) else {})}
            given = {**given, **(own if isinstance(own, Mapping) else {})}
    amount = given.get("amount")
    return amount if isinstance(amount, int) else None
