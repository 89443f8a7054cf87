"""Returns: describe an undo, a redo, a goto or an amendment in a few words."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from domain.engine.session import Session
from domain.record.events import Amended, AmendedCommand, Answered, Reverted
from domain.record.recorded import Recorded, tag
from projections.commands import command_of
from projections.diff import behind
from projections.eyes import Eyes

_HEADLINES = ("action-declared", "answered", "ruled", "noted", "combatant-joined", "combat-ended")

MOST = 1000
"""The largest number of events that are searched."""


def returned(live: Session, eyes: Eyes, version: int, tell: Callable[[Recorded], str]) -> str:
    """Return the first command that a `Reverted` undid, redid or went to, in words.

    `version` is the version of the `Reverted`. An example is "“Lin attacks.” and 2 more". `tell`
    makes the sentences. For a goto to another branch, return the last command before the target.
    Return `""` if the reader has seen none of the commands.
    """
    history = live.history
    event = history.recorded_at(version).event
    assert isinstance(event, Reverted), event
    before = history.resolve(version - 1)
    goes_back = event.kind == "undo" or is_step_back(live, version)
    if event.kind == "amend":
        headline = _headline(_first(live, eyes, before, event.to), tell)
        return f"“{headline}” on" if headline else ""
    if event.kind == "goto" and not goes_back:
        newest = next(iter(_commands(live, eyes, event.to, 0)), [])
        headline = _headline(newest, tell)
        return f"the moment after “{headline}”" if headline else ""
    if event.kind == "undo" and _takes_back_amendment(live, eyes, before, event.to):
        return "the amendment"
    ends = (before, event.to) if goes_back else (event.to, before)
    headlines = [_headline(command, tell) for command in _commands(live, eyes, *ends)]
    told = [headline for headline in headlines if headline]
    if not told:
        return ""
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    return f"“{told[-1]}”{more}"


def is_step_back(live: Session, version: int) -> bool:
    """Return true if the `Reverted` at `version` undoes commands and redoes none."""
    history = live.history
    event = history.recorded_at(version).event
    assert isinstance(event, Reverted), event
    runs = history.runs_to(history.resolve(version - 1))
    return any(first <= event.to <= last for first, last in runs)


def changes_told(live: Session, version: int, tell: Callable[[Recorded], str]) -> tuple[str, ...]:
    """Return each change of the `Amended` at `version` in words: "leaves out “Lin attacks.”".

    Only the GM learns of an amendment.
    """
    event = live.history.recorded_at(version).event
    assert isinstance(event, Amended), event
    decided = list(_decided_again(live, version))
    added = (command for command in decided if command[0].replays == version)
    head = live.history.resolve(event.left)
    return tuple(
        _change_told(live, change, decided, added, tell, is_last=change.at > head)
        for change in event.changes
    )


def _change_told(
    live: Session,
    change: AmendedCommand,
    decided: Sequence[list[Recorded]],
    added: Iterator[list[Recorded]],
    tell: Callable[[Recorded], str],
    *,
    is_last: bool,
) -> str:
    history = live.history
    old = [] if is_last else history.gather([history.command_of(change.at)])
    former = _quoted(_headline(old[::-1], tell)) or "a command"
    if change.kind == "drop":
        return f"leaves out {former}"
    if change.kind == "insert":
        new = _quoted(_headline(next(added, [])[::-1], tell)) or "a command"
        return f"adds {new} before {former}" if old else f"adds {new}"
    if change.faces:
        former = _quoted(tell(history.recorded_at(change.roll)))
        rolls = (again for command in decided for again in command if again.replays == change.roll)
        roll = next(rolls, None)
        faces = ", ".join(map(str, change.faces))
        new = "" if roll is None else _quoted(tell(roll))
        return f"changes {former} to {new}" if new else f"sets the dice of {former} to {faces}"
    command = next((command for command in decided if command[0].replays == change.at), [])
    new = _quoted(_headline(command[::-1], tell))
    return f"changes {former} to {new}" if new else f"changes {former}"


def _quoted(text: str) -> str:
    return f"“{text}”" if text else ""


def _decided_again(live: Session, version: int) -> Iterator[list[Recorded]]:
    """Yield the commands of the amendment at `version`, each with its events, oldest first."""
    history = live.history
    after = history.gather([(version + 1, min(history.version, version + MOST))])
    for _, command in groupby(after, key=lambda recorded: recorded.command):
        events = list(command)
        if isinstance(events[0].event, Reverted):
            return
        if events[0].replays:
            yield events


def _first(live: Session, eyes: Eyes, last: int, after: int) -> list[Recorded]:
    """Return the first command after `after` that the reader saw, with its newest event first."""
    history = live.history
    seen: list[Recorded] = []
    begun = 0
    for first, end in behind(history.runs_to(last), after):
        for recorded in history.gather([(first, min(end, first + MOST))]):
            version = recorded.version
            if history.came_back(version) or not eyes.sees(version):
                continue
            command = command_of(live, eyes, version)
            if seen and command != begun:
                return seen[::-1]
            begun = command
            seen.append(recorded)
    return seen[::-1]


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

    An undo itself does not count as a command.
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
    """Return true if the prompt closed by itself because its question had become pointless."""
    return isinstance(recorded.event, Answered) and recorded.event.because == "moot"
