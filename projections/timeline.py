"""timeline: the fight in plain English, from events alone, grouped by command.

What the pages of the history know says where to look, so that a page of the timeline costs what it
shows, however long the fight and however rare what is looked for. Undone commands stay in it and
are marked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.live import Live
from domain.engine.redact import scrub_text
from domain.record.history import History, Span
from domain.record.pages import ROLES, Page
from domain.record.recorded import Recorded
from domain.rulebook.ruleset import Ruleset
from projections.events import EventView, event_view, names_known
from projections.eyes import Eyes
from projections.moments import moments
from projections.returns import returned
from projections.sentences import ruled_on, sentence

QUIET = frozenset(
    {
        "procedure-began", "procedure-ended", "fact-set", "prompted", "spent", "budget-set",
        "turn-ended", "initiative-set", "seed-committed", "still-asked", "seed-revealed",
    }
)  # fmt: skip
"""Bookkeeping: types that no story is told with."""

Detail = Literal["story", "full"]


class Line(Struct, frozen=True, omit_defaults=True):
    """One fact in plain English, or a walk of several.

    `round`: in which it happened. `combatants`: who is named by it. `before`, `after`: the points
    of the pool that it changed, where the reader may know them.
    """

    version: int
    type: str
    text: str
    rules: tuple[str, ...]
    round: int = 0
    combatants: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None


class Entry(Struct, frozen=True):
    """What one command led to. `first` and `last` are the versions of its events."""

    first: int
    last: int
    at: str
    command: str
    by: str
    round: int
    undone: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Wanted:
    """Filters; None = everything. `detail`: "story" = what happened, "full" = every fact."""

    combatant: str | None = None
    type: str | None = None
    round: int | None = None
    rule: str | None = None
    undone: bool | None = None
    detail: Detail = "story"


def page(
    live: Live,
    eyes: Eyes,
    wanted: Wanted,
    *,
    after: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[Entry], int | None]:
    """Entries that follow the one whose `first` is `after`; and the `first` to go on from."""
    history = live.history
    start = None if after is None else history.command_of(eyes.to_version(after))
    pages = _beyond(history, start, newest_first)
    if wanted == Wanted(detail=wanted.detail):
        history.leaves(_enough(pages, limit))  # all at once, since all will be needed
    found: list[Entry] = []
    for one in pages:
        if not _may_fit(history, one, wanted):
            continue
        ((_, events),) = history.leaves([one])
        for first, last in _commands(one, start, newest_first):
            recorded = events[first - one.first : last - one.first + 1]
            entry = _entry(live, eyes, one, recorded, wanted)
            if entry is None:
                continue
            found.append(entry)
            if len(found) == limit:
                return found, entry.first if _goes_further(
                    eyes, first, last, newest_first
                ) else None
    return found, None


def _goes_further(eyes: Eyes, first: int, last: int, newest_first: bool) -> bool:
    """Whether anything that the reader sees lies beyond a command."""
    if newest_first:
        return eyes.to_sequence(first - 1) > 0
    return eyes.to_sequence(last) < eyes.sequence


def _beyond(history: History, start: Span | None, newest_first: bool) -> list[Page]:
    """The pages with what follows a command, in the order in which they are read."""
    pages = history.stretches()
    if newest_first:
        return [one for one in reversed(pages) if start is None or one.first < start[0]]
    return [one for one in pages if start is None or one.last > start[1]]


def _commands(one: Page, start: Span | None, newest_first: bool) -> Iterator[Span]:
    """The commands of a page that follow another, in the order in which they are read."""
    firsts = reversed(one.starts) if newest_first else iter(one.starts)
    for version in firsts:
        command = one.command_of(version)
        if start is None or (command[0] < start[0] if newest_first else command[1] > start[1]):
            yield command


def _enough(pages: list[Page], limit: int) -> list[Page]:
    """The first pages with as many commands as are asked for."""
    found: list[Page] = []
    for one in pages:
        if limit <= 0:
            break
        found.append(one)
        limit -= len(one.starts)
    return found


def _may_fit(history: History, one: Page, wanted: Wanted) -> bool:
    """Whether an event of the page could be wanted."""
    if wanted.type is not None and not one.has_type(wanted.type):
        return False
    if wanted.combatant is not None and wanted.combatant not in one.named:
        return False
    if wanted.rule is not None and not any(rule.startswith(wanted.rule) for rule in one.rules):
        return False
    if wanted.round is not None and all(round != wanted.round for _, round in one.rounds):
        return False
    return wanted.undone is not True or not history.is_whole((one.first, one.last))


def _entry(
    live: Live, eyes: Eyes, place: Page, recorded: Sequence[Recorded], wanted: Wanted
) -> Entry | None:
    views = [
        (one.version, event_view(live, eyes, one)) for one in recorded if eyes.sees(one.version)
    ]
    rounds = {view.version: place.round_after(version) for version, view in views}
    all_views = [view for _, view in views]
    shown = [
        view
        for view in all_views
        if _fits(view, wanted) and wanted.round in (None, rounds[view.version])
    ]
    if not shown or (wanted.undone is not None and _undone(all_views) is not wanted.undone):
        return None
    kept = shown
    if wanted.detail == "story" and wanted.type is None:
        kept = _story(shown)
        if wanted.rule is not None and not kept:
            kept = shown  # a rule that only keeps the books is what was asked for
    lines = tuple(
        line for view in kept if (line := _line(live, eyes, view, rounds[view.version])).text
    )
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
    )


def story(live: Live, eyes: Eyes, views: list[EventView]) -> tuple[str, ...]:
    """Events as a story: without bookkeeping, nothing twice, a walk as one."""
    found = (_line(live, eyes, view, 0).text for view in _story(views))
    return tuple(text for text in found if text)


def _story(views: list[EventView]) -> list[EventView]:
    told = [view for view in views if not _quiet(view) and not _doubled(view, views)]
    return [_plain(view) for view in _together(told)]


def told_of(live: Live, eyes: Eyes, recorded: Recorded) -> str:
    """A recorded fact in plain English, quiet ones too."""
    return _line(live, eyes, event_view(live, eyes, recorded), 0).text


def _line(live: Live, eyes: Eyes, view: EventView, round: int) -> Line:
    known = moments(live)
    version = eyes.to_version(view.version)
    unspoken = known.cast(version).unspoken(eyes.caller)
    names = names_known(live, eyes)
    points = known.points(version)
    if points is not None and "amount" not in view.data and "value" not in view.data:
        points = None
    more: dict[str, Any] = {}
    if points is not None:
        more = {"before": points.before, "after": points.after}
    if view.type == "answered":
        name, text = known.question(view.data["prompt"])
        more["question"] = scrub_text(text, unspoken)
        more["called"] = called(live.ruleset, view.data["option"], name)
    done = view.data.get("action", view.data.get("doing"))
    if done is not None:
        more["called"] = called(live.ruleset, str(done))
    if view.type == "action-declared":
        more["kinds"] = live.ruleset.catalogue.budget
    if view.type == "reverted" and eyes.caller.role == "gm":
        more["what"] = returned(live, version, names)
    if view.type == "combat-opened":
        more["title"] = live.ruleset.title
    if view.type == "phase-began":
        phases = live.ruleset.catalogue.phases
        more["label"] = phases.get(str(view.data["phase"]).partition("/")[0], "")
    action = live.ruleset.actions.get(str(view.data.get("action")))
    return Line(
        view.version,
        view.type,
        sentence(view.type, {**view.data, **more}, names, view.rules),
        action.rules if view.type == "action-declared" and action and action.rules else view.rules,
        round,
        _named(view, names),
        None if points is None else points.before,
        None if points is None else points.after,
    )


def called(ruleset: Ruleset, id: str, question: str = "") -> str:
    """What an action, or an answer to a question, is called for people; "" = nothing but its id."""
    return ruleset.labels.get((question, id)) or ruleset.labels.get(("", id), "")


def _named(view: EventView, names: Mapping[str, str]) -> tuple[str, ...]:
    inputs = view.data.get("inputs") or {}
    found = [view.data.get(role) for role in ROLES]
    found += view.data.get("others", ())
    found += ruled_on(inputs)
    return tuple(dict.fromkeys(who for who in found if isinstance(who, str) and who in names))


def _together(views: list[EventView]) -> list[EventView]:
    """The same with the steps of a walk in one, and those who act together."""
    found: list[EventView] = []
    for view in views:
        last = found[-1] if found else None
        if last is not None and last.type == view.type == "moved" and _goes_on(last, view):
            path = [*last.data["path"], *view.data["path"]]
            found[-1] = replace(last, data={**view.data, "path": path})
        elif last is not None and last.type == view.type == "turn-began":
            others = [*last.data.get("others", ()), view.data["who"]]
            found[-1] = replace(last, data={**last.data, "others": others})
        else:
            found.append(view)
    return found


def _goes_on(last: EventView, view: EventView) -> bool:
    same = all(last.data.get(name) == view.data.get(name) for name in ("who", "mode", "forced"))
    return same and bool(view.data["path"]) and not view.data.get("forced")


def _doubled(view: EventView, views: list[EventView]) -> bool:
    """A declaration that a note of the same command says better, such as what was said; a ruling
    that is all in what follows, such as a marker."""
    if view.type == "ruled" and not view.data.get("reason"):
        return view.data["ruling"] in ("set-marker", "remove-marker")
    if view.type != "action-declared":
        return False
    given = [one for one in view.data.get("inputs", {}).values() if one and isinstance(one, str)]
    notes = [
        one.data["text"]
        for one in views
        if one.type == "noted" and one.data.get("who") == view.data["who"]
    ]
    return len(given) == 1 and any(given[0] in text for text in notes)


def _plain(view: EventView) -> EventView:
    """A story does not say of every die that it fell on the table."""
    if view.type == "rolled" and view.data.get("by") == "manual":
        return replace(view, data={**view.data, "by": "server"})
    return view


def _undone(views: list[EventView]) -> bool:
    """Whether nothing of a command is left; going back is itself never undone."""
    return all(view.undone for view in views)


def _quiet(view: EventView) -> bool:
    """The faces of a roll by hand are told by the roll."""
    return view.type in QUIET or (view.type == "answered" and view.data.get("option") == "roll")


def _fits(view: EventView, wanted: Wanted) -> bool:
    if wanted.type is not None and view.type != wanted.type:
        return False
    if wanted.combatant not in (None, *(view.data.get(role) for role in ROLES)):
        return False
    return wanted.rule is None or any(rule.startswith(wanted.rule) for rule in view.rules)


def markdown(name: str, entries: list[Entry], following: str | None = None) -> str:
    """For pasting into a session log; `following` is the address of what comes after."""
    lines = [f"# {escaped(name)}", ""]
    round = 0
    for entry in sorted(entries, key=lambda one: one.first):
        first, headed = True, False
        for line in entry.lines:
            if line.round > round:
                round = line.round
                lines += ["", f"## Round {round}", ""]
                headed = True
            if headed and line.type == "round-began":
                continue  # the heading says it
            text = escaped(line.text)
            text = f"~~{text}~~" if entry.undone else text
            rules = f" _({', '.join(line.rules)})_" if line.rules else ""
            at = f" `{entry.last}`" if first or headed else ""
            lines.append(f"{'-' if first or headed else '  -'} {text}{rules}{at}")
            first = headed = False
    if following is not None:
        lines += ["", f"[What comes after]({following})"]
    return "\n".join((*lines, ""))


def escaped(text: str) -> str:
    """A text that is nothing but text in Markdown: no heading, link, list or tag."""
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>()#!|~" else sign for sign in flat)
