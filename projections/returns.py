"""What a step through history took back, put back, or went to, in a few words."""

from collections.abc import Mapping

from domain.engine.live import Live
from domain.record.events import Reverted
from domain.record.history import History
from projections.diff import Words, what


def returned(live: Live, version: int, names: Mapping[str, str]) -> str:
    """Of the `Reverted` at `version`: the first command that it left or came back to.

    "Lin: attack, and 2 more"; "" where nothing can be said.
    """
    history = live.history
    event = history.recorded_at(version).event
    assert isinstance(event, Reverted), event
    before = history.resolve(version - 1)
    words = Words(names, live.ruleset)
    if event.kind == "goto":
        commands = _commands(history, event.to, 0, 1)
        return f"the moment after {words.command(commands[0])}" if commands else ""
    ends = (before, event.to) if event.kind == "undo" else (event.to, before)
    commands = _commands(history, *ends)
    if not commands:
        return ""
    more = f", and {len(commands) - 1} more" if len(commands) > 1 else ""
    return f"“{words.command(commands[-1])}”{more}"


def _commands(history: History, last: int, after: int, most: int = 1000) -> list[str]:
    """What was asked on the way from `after` to `last`, newest first."""
    found: list[str] = []
    first, version = None, last
    while version > after:
        one = history.recorded_at(version)
        version = one.parent
        if history.came_back(one.version):
            continue
        if first is not None and first.command != one.command:
            found.append(what(first))
            if len(found) == most:
                return found
        first = one
    return found if first is None else [*found, what(first)]
