"""Returns: describe an undo, a redo or a goto in a few words."""

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter

from domain.engine.session import Session
from domain.record.events import Answered, Reverted
from domain.record.recorded import Recorded, tag
from projections.commands import command_of
from projections.eyes import Eyes

_HEADLINES = ("action-declared", "answered", "ruled", "noted", "combatant-joined", "combat-ended")

MOST = 1000
"""The largest number of events that are searched."""


def returned(live: Session, eyes: Eyes, version: int, tell: Callable[[Recorded], str]) -> str:
    """Return the first command that the `Reverted` at `version` undid, redid or went to, in words.

    An example is "“Lin attacks.” and 2 more". `tell` makes the sentences. Return "" if the reader
    has seen none of the commands.
    """
    history = live.history
    event = history.recorded_at(version).event
    assert isinstance(event, Reverted), event
    before = history.resolve(version - 1)
    if event.kind in ("goto", "amend"):
        newest = next(iter(_commands(live, eyes, event.to, 0)), [])
        headline = _headline(newest, tell)
        return f"the moment after “{headline}”" if headline else ""
    if event.kind == "undo" and _takes_back_amendment(live, eyes, before, event.to):
        return "the amendment"
    ends = (before, event.to) if event.kind == "undo" else (event.to, before)
    headlines = [_headline(command, tell) for command in _commands(live, eyes, *ends)]
    told = [headline for headline in headlines if headline]
    if not told:
        return ""
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    return f"“{told[-1]}”{more}"


def _takes_back_amendment(live: Session, eyes: Eyes, before: int, to: int) -> bool:
    """Return true if this undoes an amendment that the reader has seen."""
    amendment = live.history.amendment_after(before)
    return (
        amendment is not None
        and amendment.first <= before
        and not amendment.first <= to <= amendment.last
        and eyes.sees(amendment.first)
    )


def _commands(live: Session, eyes: Eyes, last: int, after: int) -> list[list[Recorded]]:
    """Return the events that the reader saw from `after` to `last`, newest command first.

    Events recorded by an undo are not a command.
    """
    history = live.history
    seen: list[tuple[int, Recorded]] = []
    version, command = last, ""
    begun, is_step = 0, False
    while version > after and len(seen) < MOST:
        recorded = history.recorded_at(version)
        if recorded.command != command:
            command = recorded.command
            begun, is_step = command_of(live, eyes, version), not history.came_back(version)
        if is_step and eyes.sees(version):
            seen.append((begun, recorded))
        version = recorded.parent
    groups = groupby(seen, key=itemgetter(0))
    return [[recorded for _, recorded in group] for _, group in groups]


def _headline(command: list[Recorded], tell: Callable[[Recorded], str]) -> str:
    """Return the sentence for the action of a command. `events` begin with the newest."""
    oldest = command[::-1]
    oldest = [recorded for recorded in oldest if not _is_moot(recorded)] or oldest
    heads = [r for r in oldest if is_headline(tag(r.event), r.event.rules)]
    texts = (tell(recorded) for recorded in (*heads, *oldest))
    return next((text for text in texts if text), "")


def is_headline(kind: str, rules: Sequence[str]) -> bool:
    """Return true if an event names the act of a command, before its results.

    A note of the rules is a result.
    """
    return kind in _HEADLINES and not (kind == "noted" and rules)


def _is_moot(recorded: Recorded) -> bool:
    """Return true for a prompt that closes because nothing is left to ask: nobody does anything."""
    return isinstance(recorded.event, Answered) and recorded.event.because == "moot"
