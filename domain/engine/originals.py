"""Originals: the commands of the past that an amendment decides again.

For each command, this module finds the author. If the command answers a prompt, the module also
finds the current prompt that replaces the answered prompt.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.dice import parse_roll
from domain.engine.caller import Caller
from domain.engine.commands import (
    Abandon,
    Act,
    Amend,
    Close,
    Command,
    GmRuling,
    Goto,
    Lapse,
    MakeRequest,
    Open,
    Redo,
    Reply,
    SetDeadlines,
    SettleRequest,
    Undo,
)
from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    DeadlinesSet,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    PromptChanged,
    Prompted,
    Rolled,
    Ruled,
    SeedCommitted,
    SeedRevealed,
    StillAsked,
    Stopped,
)
from domain.record.recorded import Recorded, encode_event

ITSELF: Final = (Abandon, Amend, Goto, MakeRequest, Open, Redo, SettleRequest, Undo)
"""Commands that an amendment does not decide again. They change the path, or no state."""

Dice = tuple[Id, str, tuple[int, ...]]
"""The identity of a roll: its combatant, its purpose and its dice."""

Versions = Callable[[int], int | None]
"""A function from an event's old version to its version on the new branch, or `None`."""


class NoEvent(Exception):
    """The error for an input that names an event which did not happen again."""

    def __init__(self, version: int) -> None:
        super().__init__(f"event {version}")


class Original(Struct, frozen=True):
    """A past command: its events, and the state before it.

    `command` is None if its input was erased or if this release cannot read it (see `why`).
    """

    events: tuple[Recorded, ...]
    before: Combat
    command: Command | None
    why: str = ""

    @property
    def version(self) -> int:
        """Return the version of its first event. It identifies the command."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """Return the version of its last event."""
        return self.events[-1].version

    @property
    def author(self) -> Caller:
        """Return the command's caller, with the combatants that its token played at that time.

        Older releases did not record these combatants. For their commands, return the combatant
        that acted and all other combatants of the same owner.
        """
        first = self.events[0]
        token, role = first.actor
        if role != "player":
            return Caller(token, "gm" if role == "gm" else "spectator")
        if first.plays:
            return Caller(token, "player", first.plays)
        who = getattr(first.event, "who", None)
        acting = None if who is None else self.before.combatants.get(who)
        if acting is None:
            return Caller(token, "player")
        return Caller(token, "player", (acting.id,), acting.owner)

    @property
    def prompt(self) -> str | None:
        """Return the prompt that the command answered, or None if it answered none or several."""
        if isinstance(self.command, Reply):
            return self.command.prompt
        first = self.events[0].event
        if isinstance(self.command, Act) and isinstance(first, ActionDeclared | Answered):
            return first.prompt
        return None


def commands_of(path: Sequence[Recorded]) -> Iterator[tuple[Recorded, ...]]:
    """Yield the events of a stretch of the path, command by command."""
    for _, group in groupby(path, key=lambda recorded: recorded.command):
        yield tuple(group)


def original_of(events: tuple[Recorded, ...], before: Combat) -> Original | None:
    """Return a command of the path, or `None` if an amendment does not decide it again.

    `before` is the state before the command.
    """
    given = events[0].input
    if given is None:  # an undo recorded it
        return None
    if "type" not in given:
        return Original(events, before, None, "input-erased")
    try:
        command: Command = msgspec.convert(given, Command)
    except msgspec.ValidationError:
        return Original(events, before, None, "input-unreadable")
    if isinstance(command, Lapse) and not command.prompts:
        command = Lapse(tuple(_overdue(before, events[0].at)))
    paused = next(
        (recorded.event for recorded in events if isinstance(recorded.event, DeadlinesSet)), None
    )
    if isinstance(command, SettleRequest) and command.granted and paused is not None:
        command = SetDeadlines(paused.deadlines)
    return None if isinstance(command, ITSELF) else Original(events, before, command)


def _overdue(combat: Combat, now: str) -> Iterator[str]:
    for id, prompt in open_prompts(combat).items():
        if prompt.answer is None and prompt.until is not None and prompt.until <= now:
            yield id


# ---- prompts


def open_prompts(combat: Combat) -> Mapping[str, OpenPrompt]:
    """Return the prompts that accept an answer now."""
    return {id: prompt for id, prompt in combat.prompts.items() if not combat.is_suspended(prompt)}


def kind_of(prompt: OpenPrompt) -> tuple[object, ...]:
    """Return the features that an equivalent prompt shares."""
    dice = tuple(prompt.data.get("dice", ())) if prompt.kind == "roll" else ()
    return (prompt.who, prompt.kind, prompt.name, dice)


def successor(prompt: str, then: Combat, now: Combat) -> str | None:
    """Return the open prompt in `now` that replaces `prompt` of the state `then`, or `None`.

    The replacement has the same person, kind and name. Among several such prompts, prefer equal
    data, and then the same place in the order of the prompts.
    """
    asked, there = then.prompts.get(prompt), open_prompts(now)
    if asked is None:
        return prompt if prompt in there else None
    prompts = [prompt for prompt in there.values() if kind_of(prompt) == kind_of(asked)]
    if not prompts:
        return None
    peers = [prompt for prompt in open_prompts(then).values() if kind_of(prompt) == kind_of(asked)]
    for alike in (_is_answered, _data):
        chosen = [prompt for prompt in prompts if alike(prompt) == alike(asked)]
        if chosen:
            prompts, peers = chosen, [prompt for prompt in peers if alike(prompt) == alike(asked)]
    place = next((at for at, open_prompt in enumerate(peers) if open_prompt.id == prompt), 0)
    return prompts[place].id if place < len(prompts) else None


def _is_answered(prompt: OpenPrompt) -> bool:
    return prompt.answer is not None


def _data(prompt: OpenPrompt) -> Mapping[str, Json]:
    return prompt.data


# ---- inputs


def translated(
    command: Command, then: Combat, now: Combat, names: Sequence[str], versions: Versions
) -> Command | None:
    """Return a command with the current prompts and versions, or None if its prompt is not open.

    `names` are the inputs that name an event by its version. Raises `NoEvent` if such an event did
    not happen again.
    """
    match command:
        case Reply():
            prompt = successor(command.prompt, then, now)
            if prompt is None:
                return None
            return replace(command, prompt=prompt, inputs=renamed(command.inputs, names, versions))
        case Close() | Lapse() if command.prompts or isinstance(command, Lapse):
            successors = (successor(prompt, then, now) for prompt in command.prompts)
            prompts = tuple(dict.fromkeys(prompt for prompt in successors if prompt is not None))
            return replace(command, prompts=prompts) if prompts else None
        case GmRuling():
            return replace(command, inputs=renamed(command.inputs, names, versions))
        case _:
            return command


def renamed(value: Any, names: Sequence[str], versions: Versions) -> Any:
    """Return inputs in which each version names the event on the new branch."""
    match value:
        case Mapping():
            return {
                name: _version(item, versions)
                if name in names and type(item) is int
                else renamed(item, names, versions)
                for name, item in value.items()
            }
        case list() | tuple():
            return [renamed(item, names, versions) for item in value]
        case _:
            return value


def _version(version: int, versions: Versions) -> int:
    now = versions(version)
    if now is None:
        raise NoEvent(version)
    return now


# ---- comparison of events


def dice_of(event: Rolled) -> Dice:
    """Return the identity of a roll: its combatant, purpose and dice."""
    return (event.who, event.purpose, parse_roll(event.formula).dice)


def alike(old: Original, new: Sequence[Recorded], names: Sequence[str], versions: Versions) -> bool:
    """Return true if the new events equal the original events, except for ids, times and keys."""
    deadlines = isinstance(old.command, SetDeadlines)
    then = [_plain(recorded.event) for recorded in old.events if _counts(recorded.event, deadlines)]
    now = [_plain(recorded.event) for recorded in new if _counts(recorded.event, deadlines)]
    if then == now:
        return True
    if len(then) != len(now):
        return False
    try:
        pairs = zip((_renamed(answer, names, versions) for answer in then), now, strict=True)
        return all(a == b or encode_event(a) == encode_event(b) for a, b in pairs)
    except NoEvent:
        return False


def _counts(event: AnyEvent, deadlines: bool) -> bool:
    if isinstance(event, DeadlinesSet):
        return deadlines
    return not isinstance(event, SeedCommitted | SeedRevealed)


def _plain(event: Any) -> Any:
    """Return an event without the values that differ on every branch."""
    match event:
        case Prompted():
            return replace(event, prompt="", group=(), until=None)
        case PromptChanged():
            return replace(event, prompt="")
        case StillAsked():
            return replace(event, prompts=("",) * len(event.prompts))
        case Answered():
            return replace(event, prompt="", closes=("",) * len(event.closes))
        case ActionDeclared():
            return replace(event, prompt=event.prompt and "", closes=("",) * len(event.closes))
        case Stopped():
            return replace(event, closes=("",) * len(event.closes))
        case ProcedureBegan() | ProcedureEnded() | ProcedureAbandoned():
            return replace(event, frame=0)
        case Rolled():
            return replace(event, key="", ordinal=0)
        case DeadlinesSet():
            return replace(event, until={})
        case _:
            return event


def _renamed(event: Any, names: Sequence[str], versions: Versions) -> Any:
    match event:
        case Ruled() | Answered():
            return replace(event, inputs=renamed(event.inputs, names, versions))
        case ProcedureBegan():
            return replace(event, args=renamed(event.args, names, versions))
        case _:
            return event
