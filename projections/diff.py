"""diff: the differences between two versions, on any branches, and the commands behind them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.combat import Combat, Combatant, Json
from domain.record.events import ActionDeclared, Answered, Ruled
from domain.record.history import Span
from domain.record.recorded import Recorded, tag
from domain.rulebook.catalogue import Catalogue
from domain.rulebook.id_names import words as words_of
from domain.rulebook.ruleset import Ruleset
from projections.vocabulary import within

_FIELDS = (
    "name", "side", "owner", "hidden", "position", "tracks", "conditions", "budget", "facts",
    "orders", "left", "sheet", "markers",
)  # fmt: skip

_WHOLE = ("status", "phase", "round", "order", "queue", "acting", "winners", "map", "facts")


@dataclass(frozen=True)
class Words:
    """Labels: names of combatants, labels of pools and kinds of action."""

    names: Mapping[str, str]
    ruleset: Ruleset

    @property
    def catalogue(self) -> Catalogue:
        return self.ruleset.catalogue

    def label(self, kind: str, id: str) -> str:
        """Return the name of a combatant's field in plain English."""
        pool = self.catalogue.pools.get(id)
        if kind == "tracks" and pool is not None:
            return pool.label
        if kind == "budget" and id in self.catalogue.budget:
            return self.catalogue.budget[id]
        return words_of(id)

    def command(self, what: str) -> str:
        """Return a command with its author's name and its label: "Ana: cast a spell"."""
        who, colon, done = what.partition(": ")
        label = within(self.ruleset.labels.get(("", done)) or words_of(done))
        return f"{self.names.get(who, who)}{colon}{label}" if colon else what


class FieldChange(Struct, frozen=True):
    """A field before and after. null = it has no value."""

    field: Annotated[str, Meta(description="The field")]
    before: Annotated[Json, Meta(description="As it was; null = not there")]
    after: Annotated[Json, Meta(description="As it is; null = not there")]


class CombatantDiff(Struct, frozen=True):
    """The changes of one combatant. `change` says whether it joined or left."""

    combatant: str
    change: Annotated[str, Meta(description="Whether it joined, left or changed")]
    changes: Annotated[tuple[FieldChange, ...], Meta(description="Differences")]


class CommandLine(Struct, frozen=True):
    """A command between the versions: its events and its input."""

    first: int
    last: int
    command: str
    what: Annotated[str, Meta(description="The question")]


class Diff(Struct, frozen=True):
    """The differences between two versions. `common` is the last version that both have.

    `undone` are the commands that lead from `common` to the first, `done` those to the second.
    `text` says the same in plain English, one sentence per line.
    """

    from_: Annotated[int, Meta(description="The version to compare from")] = msgspec.field(
        name="from"
    )
    to: Annotated[int, Meta(description="The version to compare to")]
    common: int
    combat: Annotated[
        tuple[FieldChange, ...], Meta(description="Differences of the fight as a whole")
    ]
    combatants: Annotated[
        tuple[CombatantDiff, ...], Meta(description="Differences of each combatant")
    ]
    undone: Annotated[
        tuple[CommandLine, ...],
        Meta(description="The commands that lead from the common version to the first"),
    ]
    done: Annotated[
        tuple[CommandLine, ...],
        Meta(description="The commands that lead from the common version to the second"),
    ]
    text: Annotated[tuple[str, ...], Meta(description="The same in plain English, a line each")]


class EndsDiff(Struct, frozen=True):
    """The differences between two states. `text` has one sentence per line."""

    combat: Annotated[
        tuple[FieldChange, ...], Meta(description="Differences of the fight as a whole")
    ]
    combatants: Annotated[
        tuple[CombatantDiff, ...], Meta(description="Differences of each combatant")
    ]
    text: tuple[str, ...]


def ends(live: Session, a: Combat, b: Combat) -> EndsDiff:
    """Return the differences between two states, on any path."""
    whole, combatants = tuple(_changes(a, b, _WHOLE)), tuple(_combatants(a, b))
    words = _words(live, a, b)
    return EndsDiff(whole, combatants, tuple(_told(whole, combatants, (), (), words)))


def _words(live: Session, a: Combat, b: Combat) -> Words:
    names = {
        combatant.id: combatant.name for state in (a, b) for combatant in state.combatants.values()
    }
    return Words(names, live.ruleset)


def markdown(diff: Diff) -> str:
    """Return the difference for a session log."""
    lines = "\n".join(f"- {line}" for line in diff.text) or "- nothing"
    return f"# From version {diff.from_} to {diff.to}\n\n{lines}\n"


def diff(live: Session, first: int, second: int) -> Diff:
    """Return the differences between the states at two versions. Raise `Unknown`."""
    history = live.history
    a, b = live.at(first), live.at(second)
    left = history.runs_to(history.resolve(first))
    right = history.runs_to(history.resolve(second))
    common = parting(left, right)
    ahead = behind(left, common), behind(right, common)
    history.gather((*ahead[0], *ahead[1]))  # load everything that is missing at once
    whole, combatants = tuple(_changes(a, b, _WHOLE)), tuple(_combatants(a, b))
    undone, done = (tuple(_commands(history.gather(spans))) for spans in ahead)
    words = _words(live, a, b)
    return Diff(
        first,
        second,
        common,
        whole,
        combatants,
        undone,
        done,
        tuple(_told(whole, combatants, undone, done, words)),
    )


def parting(left: Sequence[Span], right: Sequence[Span]) -> int:
    """Return the last version that two paths of one tree share."""
    common = 0
    for former, other in zip(left, right, strict=False):
        if former[0] != other[0]:
            break
        common = min(former[1], other[1])
        if former != other:
            break
    return common


def behind(runs: Sequence[Span], version: int) -> list[Span]:
    """Return the stretches of a path after one of its versions."""
    return [(max(first, version + 1), last) for first, last in runs if last > version]


def _told(
    whole: tuple[FieldChange, ...],
    combatants: tuple[CombatantDiff, ...],
    undone: tuple[CommandLine, ...],
    done: tuple[CommandLine, ...],
    words: Words,
) -> Iterator[str]:
    """Yield the difference in plain English. Facts that only the rules use are left out."""
    yield from (f"undone: {words.command(command_line.what)}" for command_line in undone)
    yield from (f"done: {words.command(command_line.what)}" for command_line in done)
    for change in whole:
        if change.field != "facts" and (text := _change(change, words)):
            yield f"the combat: {text}"
    for combatant_diff in combatants:
        name = words.names.get(combatant_diff.combatant, combatant_diff.combatant)
        if combatant_diff.change != "changed":
            joins = combatant_diff.change == "joined"
            yield f"{name}: {'joins' if joins else 'is not there any more'}"
        for change in combatant_diff.changes:
            if not change.field.startswith("facts.") and (text := _change(change, words)):
                yield f"{name}: {text}"


def _change(change: FieldChange, words: Words) -> str:
    """Return one field in words; "" if there is nothing to say."""
    kind, _, rest = change.field.partition(".")
    field = words.label(kind, rest or kind)
    before, after = change.before, change.after
    if isinstance(before, Mapping) and isinstance(after, Mapping) and "value" in after:
        changed = [
            f"{'' if name == 'value' else 'maximum '}{before.get(name)} → {after.get(name)}"
            for name in ("value", "maximum")
            if before.get(name) != after.get(name)
        ]
        return f"{field} {', '.join(changed)}"
    if kind in ("conditions", "markers"):
        gains, loses = ("gains", "loses") if kind == "conditions" else ("marked", "not marked")
        gained = [f"{gains} {_called(held)}" for held in after if held not in before]
        lost = [f"{loses} {_called(held)}" for held in before if held not in after]
        return ", ".join((*gained, *lost))
    if kind == "budget":
        return "" if not before and not after else f"{field} {before or 0} → {after or 0}"
    if kind in ("order", "queue", "acting"):
        label = {"order": "the order", "queue": "still to act", "acting": "on turn"}[kind]
        return f"{label} {_listed(before, words.names)} → {_listed(after, words.names)}"
    if kind == "position":
        return f"at {_square(before)} → {_square(after)}"
    return f"{field} {_plain(before)} → {_plain(after)}"


def _called(held: Json) -> str:
    """Return the words of a condition or marker: its text in quotes, or its id."""
    text = held.get("text")
    return f"“{text}”" if text else str(held["id"]).replace("-", " ")


def _listed(places: Json, names: Mapping[str, str]) -> str:
    ids = [place["who"] if isinstance(place, Mapping) else place for place in places]
    return ", ".join(names.get(id, id) for id in ids) or "nobody"


def _square(at: Json) -> str:
    return "nowhere" if at is None else ", ".join(map(str, at if at[2] else at[:2]))


def _plain(value: Json) -> str:
    if value in (None, "", [], {}):
        return "none"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _combatants(a: Combat, b: Combat) -> list[CombatantDiff]:
    combatant_diffs = []
    for who in dict.fromkeys((*a.combatants, *b.combatants)):
        before, after = a.combatants.get(who), b.combatants.get(who)
        if before is None or after is None:
            combatant_diffs.append(CombatantDiff(who, "joined" if before is None else "gone", ()))
            continue
        changes = _combatant(before, after)
        if changes:
            combatant_diffs.append(CombatantDiff(who, "changed", tuple(changes)))
    return combatant_diffs


def _combatant(before: Combatant, after: Combatant) -> list[FieldChange]:
    field_changes: list[FieldChange] = []
    for change in _changes(before, after, _FIELDS):
        if isinstance(change.before, Mapping) and isinstance(change.after, Mapping):
            for key in dict.fromkeys((*change.before, *change.after)):
                former, other = change.before.get(key), change.after.get(key)
                if former != other:
                    field_changes.append(FieldChange(f"{change.field}.{key}", former, other))
        else:
            field_changes.append(change)
    return field_changes


def _changes(before: Any, after: Any, fields: tuple[str, ...]) -> list[FieldChange]:
    field_changes = []
    for field in fields:
        former, other = getattr(before, field), getattr(after, field)
        if former != other:
            plain = msgspec.to_builtins([former, other])
            field_changes.append(FieldChange(field, plain[0], plain[1]))
    return field_changes


def _commands(path: list[Recorded]) -> list[CommandLine]:
    command_lines: list[CommandLine] = []
    for recorded in path:
        if command_lines and command_lines[-1].command == recorded.command:
            command_lines[-1] = msgspec.structs.replace(command_lines[-1], last=recorded.version)
        else:
            command_lines.append(
                CommandLine(recorded.version, recorded.version, recorded.command, what(recorded))
            )
    return command_lines


def what(recorded: Recorded) -> str:
    """Return the request of a command in a few words."""
    event = recorded.event
    if isinstance(event, ActionDeclared):
        return f"{event.who}: {event.action}"
    if isinstance(event, Ruled):
        return f"ruling: {event.ruling}"
    if isinstance(event, Answered):
        return f"{event.who or 'GM'}: {event.option}"
    if recorded.input is not None and "type" in recorded.input:
        return str(recorded.input["type"]).replace("-", " ")
    return tag(event).replace("-", " ")  # an event inside a command
