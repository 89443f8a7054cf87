"""Timeline: the fight in plain English, grouped by command, made only from events.

An index of the history's pages finds the events. Therefore, the cost of a page of the timeline
depends on the lines that it shows, not on the length of the fight. Undone commands remain, marked
as undone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from domain.engine.session import Session
from domain.record.history import History, Span
from domain.record.pages import ROLES, Page
from domain.record.recorded import Recorded
from projections.commands import joined
from projections.events import EventView, event_views
from projections.eyes import Eyes
from projections.narration import Line, Teller
from projections.results import Result, result

Detail = Literal["story", "full"]

OPENERS = ("turn-began", "phase-began")
"""Types that begin a new line, in any command."""


class Entry(Struct, frozen=True):
    """One command and its effects. `first` and `last` are the versions of its events."""

    first: int
    last: int
    at: str
    command: str
    by: str
    round: int
    undone: bool
    lines: tuple[Line, ...]
    result: Result


@dataclass(frozen=True)
class Wanted:
    """The filters of a timeline. A filter that is `None` selects everything.

    `detail` is `"story"` for the main events, or `"full"` for every event.
    """

    combatant: str | None = None
    type: str | None = None
    round: int | None = None
    rule: str | None = None
    undone: bool | None = None
    detail: Detail = "story"


def page(
    live: Session,
    eyes: Eyes,
    wanted: Wanted,
    *,
    after: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[Entry], int | None]:
    """Return a page of entries and the next `after`.

    The page begins after the entry whose `first` is `after`.
    """
    history, teller = live.history, Teller(live, eyes)
    start = None
    if after is not None:
        start = joined(live, eyes, history.command_of(eyes.to_version(after)))
    pages = _beyond(history, start, newest_first)
    if wanted == Wanted(detail=wanted.detail):
        history.leaves(_enough(pages, limit))  # load all of them at once
    entries: list[Entry] = []
    told: Span | None = None
    for page in pages:
        if not _may_fit(history, page, wanted):
            continue
        ((_, events),) = history.leaves([page])
        for command in _commands(page, start, newest_first):
            is_told = told is not None and told[0] <= command[0] <= told[1]
            if is_told or not eyes.sees_any(command):
                continue
            first, last = told = joined(live, eyes, command)
            if told == command:
                recorded = events[first - page.first : last - page.first + 1]
            else:
                recorded = history.gather([told])
            entry = _entry(teller, recorded, wanted)
            if entry is None:
                continue
            entries.append(entry)
            if len(entries) == limit:
                return entries, entry.first if _goes_further(
                    eyes, first, last, newest_first
                ) else None
    return entries, None


def _goes_further(eyes: Eyes, first: int, last: int, newest_first: bool) -> bool:
    """Return true if the reader sees any event beyond a command."""
    if newest_first:
        return eyes.to_sequence(first - 1) > 0
    return eyes.to_sequence(last) < eyes.sequence


def _beyond(history: History, start: Span | None, newest_first: bool) -> list[Page]:
    """Return the pages after a command, in reading order."""
    pages = history.stretches()
    if newest_first:
        return [page for page in reversed(pages) if start is None or page.first < start[0]]
    return [page for page in pages if start is None or page.last > start[1]]


def _commands(page: Page, start: Span | None, newest_first: bool) -> Iterator[Span]:
    """Return the commands of a page that follow another, in reading order."""
    firsts = reversed(page.starts) if newest_first else iter(page.starts)
    for version in firsts:
        command = page.command_of(version)
        if start is None or (command[0] < start[0] if newest_first else command[1] > start[1]):
            yield command


def _enough(pages: list[Page], limit: int) -> list[Page]:
    """Return the first pages that hold the requested number of commands."""
    fitting: list[Page] = []
    for page in pages:
        if limit <= 0:
            break
        fitting.append(page)
        limit -= len(page.starts)
    return fitting


def _may_fit(history: History, page: Page, wanted: Wanted) -> bool:
    """Return true if an event of the page could match the filters."""
    if wanted.type is not None and not page.has_type(wanted.type):
        return False
    if wanted.combatant is not None and wanted.combatant not in page.named:
        return False
    if wanted.rule is not None and not any(rule.startswith(wanted.rule) for rule in page.rules):
        return False
    if wanted.round is not None and all(round != wanted.round for _, round in page.rounds):
        return False
    return wanted.undone is not True or not history.is_whole((page.first, page.last))


def _entry(teller: Teller, recorded: Sequence[Recorded], wanted: Wanted) -> Entry | None:
    live, eyes = teller.live, teller.eyes
    seen = [event for event in recorded if eyes.sees(event.version)]
    all_views = list(event_views(live, eyes, seen))
    rounds = {
        view.version: live.history.round_after(event.version)
        for event, view in zip(seen, all_views, strict=True)
    }
    _open_rounds(all_views, rounds)
    shown = [
        view
        for view in all_views
        if _fits(view, wanted) and wanted.round in (None, rounds[view.version])
    ]
    if not shown or (wanted.undone is not None and _undone(all_views) is not wanted.undone):
        return None
    kept = [teller.informed(view) for view in shown]
    if wanted.detail == "story" and wanted.type is None:
        kept = teller.story(shown) or (kept if wanted.rule is not None else [])
    lines = teller.lines(kept, rounds)
    if not lines:
        return None
    return Entry(
        all_views[0].version,
        all_views[-1].version,
        all_views[0].at,
        all_views[0].command,
        all_views[0].by,
        live.history.round_of((recorded[0].version, recorded[-1].version)),
        _undone(all_views),
        lines,
        result(teller, all_views),
    )


def _open_rounds(views: list[EventView], rounds: dict[int, int]) -> None:
    """Assign a phase to the round that it opens, even if it is recorded before the round."""
    opening: list[EventView] = []
    for view in views:
        if view.type == "round-began":
            rounds.update({phase.version: rounds[view.version] for phase in opening})
        if view.type == "phase-began":
            opening.append(view)
        elif not view.type.startswith("procedure-"):
            opening.clear()


def _undone(views: list[EventView]) -> bool:
    """Return true if a command is undone.

    Requests, undos, redos and gotos never count as undone.
    """
    return all(view.undone and view.type != "requested" for view in views)


def _fits(view: EventView, wanted: Wanted) -> bool:
    if wanted.type is not None and view.type != wanted.type:
        return False
    if wanted.combatant not in (None, *(view.data.get(role) for role in ROLES)):
        return False
    return wanted.rule is None or any(rule.startswith(wanted.rule) for rule in view.rules)


def markdown(
    name: str,
    entries: list[Entry],
    following: str | None = None,
    *,
    earlier: bool = False,
    cite: bool = True,
) -> str:
    """Return Markdown for a session log. `following` is the address of the next page.

    The oldest entry comes first in both orders.

    - `earlier`: whether the next page is older.
    - `cite`: whether rule ids and the version of the combat follow each sentence.
    """
    lines = [f"# {escaped(name)}", ""]
    if following is not None and earlier:
        lines += [f"[What came before]({following})", ""]
    round = 0
    for entry in sorted(entries, key=lambda entry: entry.first):
        first = True
        for line in entry.lines:
            if line.round > round:
                round = line.round
                lines += ["", f"## Round {round}", ""]
                first = True
            if line.type == "round-began":
                continue  # the heading already says this
            text = escaped(line.text)
            headed = line.type in OPENERS
            if headed:
                text = f"**{text}**"
            text = f"~~{text}~~" if entry.undone else text
            rules = f" _({', '.join(line.rules)})_" if line.rules and cite else ""
            at = f" `{entry.last}`" if cite and (first or headed) else ""
            lines.append(f"{'-' if first or headed else '  -'} {text}{rules}{at}")
            first = False
    if following is not None and not earlier:
        lines += ["", f"[What comes after]({following})"]
    return "\n".join((*lines, ""))


def escaped(text: str) -> str:
    """Return a text with Markdown escaped, so that it makes no heading, link, list or tag."""
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#!|~" else sign for sign in flat)
