"""The differences between two versions on any branches, with the commands between them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ActionDeclared, Answered, Ruled
from domain.record.history import Span
from domain.record.recorded import Recorded, tag
from domain.rulebook.catalogue import Catalogue
from domain.rulebook.grid import written
from domain.rulebook.id_names import words as words_of
from domain.rulebook.ruleset import Ruleset
from projections.equations import number
from projections.vocabulary import listed, within

_FIELDS = (
    "name", "side", "owner", "hidden", "position", "tracks", "conditions", "budget", "facts",
    "orders", "left", "sheet", "markers",
)  # fmt: skip

_WHOLE = ("status", "phase", "round", "order", "queue", "acting", "winners", "map", "facts")


@dataclass(frozen=True)
class Words:
    """The names of combatants, and the labels of pools and kinds of action."""

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
        """Return a command with its author's name and its label, such as "Ana: cast a spell"."""
        who, colon, done = what.partition(": ")
        label = within(self.ruleset.labels.get(("", done)) or words_of(done))
        return f"{self.names.get(who, who)}{colon}{label}" if colon else what


class FieldChange(Struct, frozen=True):
    """A field before and after. `null`: no value."""

    field: Annotated[str, Meta(description="The field")]
    before: Annotated[Json, Meta(description="Value before. `null`: none")]
    after: Annotated[Json, Meta(description="Value after. `null`: none")]


class CombatantDiff(Struct, frozen=True):
    """The changes of one combatant. `change` is `joined`, `gone` or `changed`."""

    combatant: str
    change: Annotated[str, Meta(description="Whether it joined, left or changed")]
    changes: Annotated[tuple[FieldChange, ...], Meta(description="Differences")]


class CommandLine(Struct, frozen=True):
    """A command between the two versions, with its events and its input."""

    first: int
    last: int
    command: str
    what: Annotated[str, Meta(description="The question")]


class Diff(Struct, frozen=True):
    """The differences between two versions.

    - `common`: the last version that both paths share.
    - `undone`: the commands from `common` to the first version.
    - `done`: the commands from `common` to the second version.
    - `text`: the differences in plain English, without bookkeeping. Each combatant has one line.
      Lines about harm come first.
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
    text: Annotated[
        tuple[str, ...], Meta(description="The differences in plain English, without bookkeeping")
    ]


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
    """Return the differences between two states on any path."""
    whole, combatants = tuple(_changes(a, b, _WHOLE)), tuple(_combatants(a, b))
    words = _words(live, a, b)
    return EndsDiff(whole, combatants, tuple(_told(a, b, whole, combatants, words)))


def _words(live: Session, a: Combat, b: Combat) -> Words:
    names = {
        combatant.id: combatant.name for state in (a, b) for combatant in state.combatants.values()
    }
    return Words(names, live.ruleset)


def markdown(live: Session, diff: Diff) -> str:
    """Return a difference and its commands as Markdown, for a session log."""
    words = _words(live, live.at(diff.from_), live.at(diff.to))
    commands = [f"undone: {words.command(line.what)}" for line in diff.undone]
    commands += [f"done: {words.command(line.what)}" for line in diff.done]
    lines = "\n".join(f"- {line}" for line in (*diff.text, *commands)) or "- nothing"
    return f"# From version {diff.from_} to {diff.to}\n\n{lines}\n"


def diff(live: Session, first: int, second: int) -> Diff:
    """Return the differences between the states at two versions. Raises `Unknown`."""
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
        tuple(_told(a, b, whole, combatants, words)),
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
    """Return the parts of a path after a version."""
    return [(max(first, version + 1), last) for first, last in runs if last > version]


def _told(
    a: Combat,
    b: Combat,
    whole: tuple[FieldChange, ...],
    combatants: tuple[CombatantDiff, ...],
    words: Words,
) -> Iterator[str]:
    """Yield the differences in plain English: harm first, then turns, then fields of the combat.

    The text omits facts that only the rules use, phases, and the queue of turns.
    """
    told = [line for diff in combatants if (line := _combatant_told(a, b, diff, words))]
    yield from (text for _, text in sorted(told, key=lambda line: line[0]))
    yield from _turns(a, b, words)
    for change in whole:
        yield from _whole_told(change)


_KINDS: Final = ("tracks", "fate", "conditions", "position", "markers", "hidden", "rest")
"""The kinds of a combatant's changes, in the order in which a line lists them."""


def _combatant_told(
    a: Combat, b: Combat, diff: CombatantDiff, words: Words
) -> tuple[int, str] | None:
    """Return a combatant's changes in one line, and the rank of the most important change.

    Return `None` if the line would be empty.
    """
    who = diff.combatant
    name = words.names.get(who, who)
    if diff.change != "changed":
        joins = diff.change == "joined"
        return _KINDS.index("rest"), f"{name} {'joins' if joins else 'is not there any more'}"
    parts: list[tuple[int, str]] = []
    is_one_turn = (a.round, a.acting) == (b.round, b.acting)
    for change in diff.changes:
        kind = change.field.partition(".")[0]
        if kind == "facts" or (kind == "budget" and not is_one_turn):
            continue
        place = _KINDS.index(kind if kind in _KINDS else "rest")
        parts += [(place, text) for text in (_change(change, words),) if text]
    fate = words.ruleset.wound(b, who)
    if words.ruleset.in_fight(a, who) != words.ruleset.in_fight(b, who):
        gained = {str(held.id) for held in b[who].conditions} - {
            held.id for held in a[who].conditions
        }
        if fate not in gained:
            parts.append((_KINDS.index("fate"), words_of(fate)))
    if not parts:
        return None
    parts.sort(key=lambda part: part[0])
    return parts[0][0], f"{name}: {'; '.join(text for _, text in parts)}"


def _turns(a: Combat, b: Combat, words: Words) -> Iterator[str]:
    """Yield sentences about the combatants on turn, and about changed places in the same round."""
    if a.acting != b.acting and b.acting:
        verb = "act" if len(b.acting) > 1 else "acts"
        yield f"{listed([words.names.get(who, who) for who in b.acting])} {verb} now"
    if a.round != b.round:
        return
    fighting = [who for who in b.combatants if words.ruleset.in_fight(b, who)]
    orders = [[who for who in _places(state) if who in fighting] for state in (a, b)]
    former, now = (
        [who for who in order if who in orders[0] and who in orders[1]] for order in orders
    )
    kept = _in_both(former, now)
    for who in now:
        if who not in kept:
            later = now.index(who) > former.index(who)
            yield f"{words.names[who]} acts {'later' if later else 'earlier'}"
    for who in fighting:
        waits = [who in (place.who for place in state.queue) for state in (a, b)]
        if waits[0] != waits[1] and who not in (*a.acting, *b.acting) and who in a.combatants:
            yield f"{words.names[who]} {'has still to act' if waits[1] else 'has acted'}"


def _in_both(former: Sequence[Id], now: Sequence[Id]) -> set[Id]:
    """Return the combatants that keep their place between the two orders."""
    matcher = SequenceMatcher(None, former, now, autojunk=False)
    return {
        who
        for block in matcher.get_matching_blocks()
        for who in now[block.b : block.b + block.size]
    }


def _places(state: Combat) -> Sequence[Id]:
    return tuple(dict.fromkeys(place.who for place in state.order))


def _whole_told(change: FieldChange) -> Iterator[str]:
    """Yield the change of one field of the combat, unless the field is bookkeeping."""
    match change.field, change.after:
        case "status", "ended":
            yield "the fight is over"
        case "status", _:
            yield "the fight is not over" if change.before == "ended" else "the fight has begun"
        case "round", _ if change.before:
            yield f"round {change.before} → {change.after}"
        case "winners", list(winners) if winners:
            yield f"won by {listed(winners)}"
        case "map", _:
            yield "the map is another"


def _change(change: FieldChange, words: Words) -> str:
    """Return the change of one field in words, or an empty text."""
    kind, _, rest = change.field.partition(".")
    field = words.label(kind, rest or kind)
    before, after = change.before, change.after
    if isinstance(before, Mapping) and isinstance(after, Mapping) and "value" in after:
        changed = [
            f"{label}{_plain(before.get(name))} → {_plain(after.get(name))}"
            for name, label in (("value", ""), ("maximum", "maximum "))
            if before.get(name) != after.get(name)
        ]
        return f"{field} {', '.join(changed)}"
    if kind in ("conditions", "markers"):
        return ", ".join(_held(before, after, kind))
    if kind == "budget":
        return "" if not before and not after else f"{field} {before or 0} → {after or 0}"
    if kind == "position":
        return f"at {_square(before)} → {_square(after)}"
    if kind == "hidden":
        return "hidden" if after else "no longer hidden"
    if kind == "left":
        return "has left the fight" if after else "is back in the fight"
    if kind in ("sheet", "orders"):
        return {"sheet": "another sheet", "orders": "other standing orders"}[kind]
    if isinstance(before, Mapping) or isinstance(after, Mapping):
        return ""
    return f"{field} {_plain(before)} → {_plain(after)}"


def _held(before: Json, after: Json, kind: str) -> Iterator[str]:
    """Yield the conditions or markers that begin or end, or whose number of instances changes."""
    gains, loses = ("gains", "loses") if kind == "conditions" else ("marked", "not marked")
    counts = [Counter(map(_called, held)) for held in (before, after)]
    for name in (name for name in counts[1] if name not in counts[0]):
        yield f"{gains} {name}"
    for name in (name for name in counts[0] if name not in counts[1]):
        yield f"{loses} {name}"
    for name in counts[1]:
        if name in counts[0] and counts[0][name] != counts[1][name]:
            yield f"{name} ×{counts[0][name]} → ×{counts[1][name]}"


def _called(held: Json) -> str:
    """Return the text of a condition or marker in quotation marks, or its id as words."""
    text = held.get("text")
    return f"“{text}”" if text else words_of(str(held["id"]))


def _square(at: Json) -> str:
    return "no square" if at is None else written(at)


def _plain(value: Json) -> str:
    if value is None or value == "":
        return "none"
    return (
        number(value)
        if isinstance(value, int | float) and not isinstance(value, bool)
        else str(value)
    )


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
    return tag(event).replace("-", " ")  # not the first event of a command
