"""Commands as a reader knows them: the command that each visible event belongs to.

A hidden combatant answers, rolls and acts in commands of its own. Later events, such as the next
phase of the round, may be part of such a command and would reveal the combatant. For a reader who
does not know the combatant, these events belong to the command before. The same applies to the GM's
answers to the GM's own prompts, because a hidden combatant may be the reason for a prompt.
"""

from domain.engine.session import Session
from domain.record.events import Answered, CombatantLeft
from domain.record.history import Span
from projections.eyes import Eyes
from projections.moments import moments


def command_of(live: Session, eyes: Eyes, version: int) -> int:
    """Return the first version of the command that an event belongs to for the reader."""
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
    """Return the span of a command, and of the commands that the reader cannot tell from it.

    Undone events are never joined with others.
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


def _goes_on(live: Session, eyes: Eyes, first: int) -> bool:
    """Return true if a command begins with the GM's own answer or an unknown combatant."""
    if eyes.sees(first):
        return False
    recorded = live.history.recorded_at(first)
    if not recorded.audience:
        return isinstance(recorded.event, Answered)
    left = isinstance(recorded.event, CombatantLeft)
    cast = moments(live).cast(recorded.parent if left else first)
    return all(who in cast.hidden and not cast.plays(eyes.caller, who) for who in recorded.audience)


def _is_the_gms(live: Session, eyes: Eyes, command: Span) -> bool:
    """Return true if players see nothing of a command."""
    return not eyes.sees_any(command) and live.history.recorded_at(command[0]).audience == ()
