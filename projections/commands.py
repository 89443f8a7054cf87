"""Commands as a reader knows them: each visible event belongs to one command of this reader.

A hidden combatant answers, rolls and acts in separate commands. Such a command can also contain
visible events, such as the next phase of the round. If these events formed a command, they would
reveal the combatant. So for a reader who does not know the combatant, they belong to the previous
command. The same applies to the GM's answers to prompts for the GM, because a hidden combatant may
be the reason for a prompt.

There is one exception. If a command shows an effect of an unknown combatant, such as damage, the
command remains separate. The effect itself shows the reader that somebody acts.
"""

from typing import Final

from domain.engine.session import Session
from domain.record.events import (
    Answered,
    CombatantLeft,
    ConditionGained,
    Damaged,
    Died,
    Downed,
    Event,
    Healed,
    PhaseBegan,
    RoundBegan,
    Stabilized,
    TurnBegan,
)
from domain.record.history import Span
from domain.record.recorded import Recorded
from projections.eyes import Eyes
from projections.moments import moments


def command_of(live: Session, eyes: Eyes, version: int) -> int:
    """Return the first version of the command to which an event belongs for the reader."""
    history = live.history
    first = history.command_of(version)[0]
    if eyes.sees(first) or not _goes_on(live, eyes, first):
        return first
    while before := history.parent(first):
        first, last = history.command_of(before)
        if not _goes_on(live, eyes, first) and not _is_the_gms(live, eyes, (first, last)):
            break
    return first


def joined(live: Session, eyes: Eyes, command: Span) -> Span:
    """Return the first and last version of all commands that the reader sees as one command.

    `command` is one of these commands. The function never joins undone commands with others.
    """
    history = live.history
    first, last = command
    begun, present = command_of(live, eyes, first), history.is_whole(command)

    def is_part(span: Span) -> bool:
        return command_of(live, eyes, span[0]) == begun and history.is_whole(span) == present

    while (version := eyes.before(first)) and is_part(span := history.command_of(version)):
        first = span[0]
    while (version := eyes.behind(last)) and is_part(span := history.command_of(version)):
        last = span[1]
    return first, last


CAUSES: Final[dict[type[Event], str]] = {
    Damaged: "source",
    Healed: "source",
    ConditionGained: "source",
    Downed: "by",
    Stabilized: "by",
    Died: "by",
}
"""The field that names the combatant that causes an event, by type."""

CAUSED: Final = frozenset(str(kind.__struct_config__.tag) for kind in CAUSES)
"""The stored names of the types in `CAUSES`."""


def unknown_cause(live: Session, eyes: Eyes, recorded: Recorded) -> str:
    """Return the field that names a cause unknown to the reader, or an empty text."""
    field = CAUSES.get(type(recorded.event), "")
    cause = getattr(recorded.event, field, None) if field else None
    if cause is None or eyes.caller.role == "gm":
        return ""
    cast = moments(live).cast(recorded.version)
    return field if cause in cast.hidden and not cast.plays(eyes.caller, cause) else ""


def is_of_unknown(live: Session, eyes: Eyes, first: int) -> bool:
    """Return true if the command at version `first` belongs to an unknown combatant."""
    if eyes.sees(first):
        return False
    recorded = live.history.recorded_at(first)
    if not recorded.audience:
        return False
    left = isinstance(recorded.event, CombatantLeft)
    cast = moments(live).cast(recorded.parent if left else first)
    return all(who in cast.hidden and not cast.plays(eyes.caller, who) for who in recorded.audience)


def _goes_on(live: Session, eyes: Eyes, first: int) -> bool:
    """Return true if the reader sees a command as part of the previous command.

    Such a command begins with the GM's own answer, or with an event of an unknown combatant. It
    shows no effect of an unknown combatant.
    """
    if eyes.sees(first):
        return False
    recorded = live.history.recorded_at(first)
    is_answer = not recorded.audience and isinstance(recorded.event, Answered)
    if not is_answer and not is_of_unknown(live, eyes, first):
        return False
    return not _shows_deed(live, eyes, live.history.command_of(first))


def _shows_deed(live: Session, eyes: Eyes, command: Span) -> bool:
    """Return true if the command shows an effect of an unknown combatant before the next turn."""
    if not eyes.sees_any(command):
        return False
    for version in range(command[0], command[1] + 1):
        recorded = live.history.recorded_at(version)
        if isinstance(recorded.event, TurnBegan | PhaseBegan | RoundBegan):
            return False
        if eyes.sees(version) and unknown_cause(live, eyes, recorded):
            return True
    return False


def _is_the_gms(live: Session, eyes: Eyes, command: Span) -> bool:
    """Return true if players see no event of a command."""
    return not eyes.sees_any(command) and live.history.recorded_at(command[0]).audience == ()
