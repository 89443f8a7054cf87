"""Amendment: change past commands, and decide the commands after them again.

Each step of a `Walk` decides one command. The walk stores nothing. A dry run discards its events,
and a commit stores them in one transaction.

A step may need events that are only in the log. It then raises `Away`. Load the events and repeat
the step. `Walk` is an iterator and not a generator, because a generator cannot repeat a step.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace as with_fields
from functools import partial
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.caller import Caller, Context
from domain.engine.commands import (
    Act,
    Amend,
    Begin,
    Change,
    Close,
    Command,
    End,
    GmRuling,
    Join,
    Leave,
    Note,
    Reply,
    SetDeadlines,
    SetMap,
    SetOrders,
    Text,
    Word,
)
from domain.engine.originals import (
    NoEvent,
    Original,
    alike,
    commands_of,
    kind_of,
    open_prompts,
    original_of,
    translated,
)
from domain.engine.repetition import (
    Attempt,
    Faces,
    GivenFaces,
    Kept,
    NewRoll,
    Repeated,
    Repetition,
    kept_of,
)
from domain.engine.session import Decision, Session
from domain.errors import Illegal, Malformed, Refused, Unfitting
from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.record.events import AmendedCommand, Rolled
from domain.record.evolve import fold
from domain.record.history import History, Span
from domain.record.recorded import Recorded

MOST: Final = 2000
"""The largest number of later commands that an amendment decides again."""

PROMPTS: Final = 12
"""The largest number of new prompts that a walk answers before one command."""

At = Annotated[int, Meta(ge=1, description="Version of any event of the command")]

GmCommand: TypeAlias = (
    Act
    | Reply
    | GmRuling
    | Close
    | Join
    | Change
    | Leave
    | SetMap
    | SetOrders
    | SetDeadlines
    | Note
    | Begin
    | End
)
"""The commands that may replace another command or be inserted before one."""


class ReplaceCommand(
    Struct, frozen=True, forbid_unknown_fields=True, tag="replace", tag_field="kind"
):
    """Replace the command at `at` with another command."""

    at: At
    command: Annotated[GmCommand, Meta(description="The new command")]


class DropCommand(Struct, frozen=True, forbid_unknown_fields=True, tag="drop", tag_field="kind"):
    """Remove the command at `at`."""

    at: At


class InsertCommand(
    Struct, frozen=True, forbid_unknown_fields=True, tag="insert", tag_field="kind"
):
    """Insert a command of the GM before the command at `at`."""

    at: At
    command: Annotated[GmCommand, Meta(description="The command to insert")]


class SetFaces(Struct, frozen=True, forbid_unknown_fields=True, tag="set-faces", tag_field="kind"):
    """Set other faces for the roll at version `roll`."""

    roll: Annotated[int, Meta(description="Version of the event `rolled`", ge=1)]
    faces: Annotated[
        tuple[int, ...], Meta(description="Faces of the dice, in order", max_length=100)
    ]


class SetAnswer(
    Struct, frozen=True, forbid_unknown_fields=True, tag="set-answer", tag_field="kind"
):
    """Set another option and other inputs for the action or answer at `at`."""

    at: At
    option: Word
    inputs: Mapping[str, Json] = {}


AnyChange: TypeAlias = ReplaceCommand | DropCommand | InsertCommand | SetFaces | SetAnswer


class GivenAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a new prompt that opens before the command at `at`.

    The prompt has the name `name` and is for `who`, or for the GM if `who` is `null`.
    """

    at: At
    name: Annotated[Word, Meta(description="Name of the prompt, such as `damage`")]
    who: Id | None = None
    option: Annotated[
        Word | None, Meta(description="Id of the option; `null` if the prompt has only one")
    ] = None
    inputs: Mapping[str, Json] = {}


class Amendment(Struct, frozen=True, forbid_unknown_fields=True):
    """The changes of past commands, and the way to decide the later commands.

    - `since`: the first command to decide again, unless a change is earlier.
    - `dice`: the source of new rolls. With `server`, the service rolls. With `ask` or
      `list`, the walk ends at a roll if no entry of `faces` fits.
    - `prompts`: the treatment of a new prompt that has no entry in `answers`. With `ask`, the walk
      ends there. With `default`, the prompt takes its default.
    - `impossible`: the treatment of a later command that Affray refuses. With `stop`, the walk ends
      there. With `skip`, the walk leaves the command out. With `ask`, a dry run ends there. Replace
      or drop the command before you commit.
    """

    changes: Annotated[
        tuple[AnyChange, ...],
        Meta(description="Changes of past commands, in any order", max_length=100),
    ] = ()
    since: Annotated[
        At | None,
        Meta(
            description=(
                "Version of the first command to decide again, even without a change. "
                "`null`: the first changed command"
            )
        ),
    ] = None
    reason: Text = ""
    dice: Annotated[
        Literal["server", "ask", "list"],
        Meta(
            description=(
                "Source of the faces of new rolls. `server`: Affray rolls. `list`, `ask`: "
                "`faces`. The report ends at the first roll that they do not cover"
            )
        ),
    ] = "server"
    faces: Annotated[
        tuple[GivenFaces, ...],
        Meta(
            description="Faces for new rolls; each roll takes the next faces that fit",
            max_length=500,
        ),
    ] = ()
    prompts: Annotated[
        Literal["ask", "default"],
        Meta(
            description=(
                "Treatment of new prompts without an entry in `answers`. `ask`: the report ends. "
                "`default`: the prompt takes its default"
            )
        ),
    ] = "ask"
    answers: Annotated[
        tuple[GivenAnswer, ...], Meta(description="Answers to new prompts", max_length=500)
    ] = ()
    impossible: Annotated[
        Literal["stop", "skip", "ask"],
        Meta(
            description=(
                "Treatment of a refused command: `stop` ends there, `skip` leaves it out, "
                "`ask` requires a change"
            )
        ),
    ] = "stop"


Verdict = Literal["same", "different", "impossible", "not-asked", "dropped", "added", "open"]


class Step(Struct, frozen=True):
    """The result for one command.

    - `at`: the version of its first event. For an added command, it is the version of the
      next command.
    - `until`: the version of its last event.
    - `verdict`: the outcome. `added` is a command that did not exist before. `open` is a command
      that the walk did not decide.
    - `changed`: the kind of change in the request, or empty.
    - `first`, `last`: the versions of its first and last event on the new branch, or 0.
    - `refused`: the reason why it is impossible.
    - `asked`: the ids of new prompts that the walk answered before it.
    - `chance`: true after the first new roll of the service.
    - `kept`: the number of rolls with the same faces as before.
    - `fresh`: the number of rolls with new faces.
    """

    at: int
    until: int
    verdict: Verdict
    changed: Literal["", "replace", "insert", "drop", "set"] = ""
    first: int = 0
    last: int = 0
    refused: Refused | None = None
    asked: tuple[str, ...] = ()
    chance: bool = False
    kept: int = 0
    fresh: int = 0


class Halt(Struct, frozen=True):
    """The end of a walk at an impossible command, a new prompt or a new roll.

    `at` is the version of the next command. If `decided` is true, a commit may end there.
    """

    at: int
    why: Literal["impossible", "prompt", "roll"]
    prompts: tuple[str, ...] = ()
    roll: NewRoll | None = None
    decided: bool = True


class Walk:
    """An iterator that decides the commands after a changed command again, one in each step.

    - `context_of` returns the outside values for each command. A dry run uses other seeds, so that
      it reveals nothing about the real seeds.
    - `stores` must be true for a commit. The walk then keeps the bytes of the new events.
    """

    def __init__(
        self,
        live: Session,
        amendment: Amendment,
        author: Caller,
        context_of: Callable[[Caller], Context],
        *,
        stores: bool = False,
    ) -> None:
        self.amendment, self.author = amendment, author
        self._context_of, self._stores = context_of, stores
        self.head, self.version = live.history.head, live.version
        words = live.ruleset.catalogue.words
        self._names = [word for word, about in words.items() if about.refers == "version"]
        self._changes = _by_command(live, amendment.changes)
        self.base = _parent(live, min(_starts(live, amendment, self._changes)))
        self._spans = deque(_spans(live.history, self.base))
        self.total = sum(live.history.commands_within(*span) for span in self._spans)
        if self.total > MOST:
            detail = f"{self.total} commands would be decided again: at most {MOST} are"
            raise Unfitting("too-many", detail)
        self.done = 0
        # Load all pages before the first step. Otherwise, each step would wait for a page.
        behind = self.base < live.history.left
        pages = live.history.pages_from(self.base + 1) if behind else []
        self._held = live.history.leaves(pages)
        self._old = live
        self._before = live.state(self.base)
        self._commands: deque[tuple[Recorded, ...]] = deque()
        self._original: Original | None = None
        self.live = live.apart()
        self.recorded: list[Recorded] = []
        self.states: list[bytes] = []
        self.seeds: dict[str, bytes] = {}
        self.chance = False
        self.ended: Halt | None = None
        self._faces = Faces(amendment.faces, fresh=amendment.dice == "server")
        self._given = list(amendment.answers)
        self._digest = hashlib.sha256(msgspec.json.encode(amendment, order="deterministic"))
        self._versions: dict[int, int] = {}
        self._now: Context | None = None
        self._fresh_step()
        self._goes_back()

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        step = self.step()
        if step is None:
            raise StopIteration
        return step

    @property
    def digest(self) -> str:
        """Return the hash of the request, its base version, and the results without chance."""
        digest = self._digest.copy()
        if self.ended is not None and not self.chance:
            digest.update(f"{self.ended.at} {self.ended.why}".encode())
        return digest.hexdigest()[:32]

    def decision(self) -> Decision:
        """Return all new events, which the caller stores in one transaction."""
        return Decision(tuple(self.recorded), tuple(self.states), self.live)

    # ---- steps

    def step(self) -> Step | None:
        """Decide the next command again. Return `None` at the end of the walk.

        Raise `Refused` if Affray refuses one of the changes. Raise `Away` if events are missing.
        Load them and repeat the step.
        """
        if self.ended is not None:
            return None
        original = self._next()
        at = self.head + 1 if original is None else original.version
        inserts = [
            change for change in self._changes.get(at, ()) if isinstance(change, InsertCommand)
        ]
        if self._inserted < len(inserts):
            step = self._insert(inserts[self._inserted].command, original)
            self._inserted += 1
            return self._noted(step)
        if original is None:
            return None
        step = self._repeat(original)
        self._fresh_step()
        return self._noted(step)

    def _next(self) -> Original | None:
        """Return the next original command to decide, or `None` after the last command."""
        while self._original is None:
            if not self._commands:
                if not self._spans:
                    return None
                self._commands.extend(commands_of(self._old.history.gather([self._spans[0]])))
                self._spans.popleft()
            events = self._commands.popleft()
            self._original = original_of(events, self._before)
            self._before = fold((recorded.event for recorded in events), self._before)
            self.done += 1
        return self._original

    def _fresh_step(self) -> None:
        """Reset the values about one original command."""
        self._original = None
        self._inserted = 0
        self._defaulted: Counter[Id | None] = Counter()
        self._asked: list[str] = []
        self._fell = [0, 0]

    def _goes_back(self) -> None:
        changes = tuple(
            _told(change, at) for at, some in sorted(self._changes.items()) for change in some
        )
        command = Amend(self.base, changes, self.amendment.reason)
        decision = self.live.decide(command, self._context(self.author))
        self._take(decision)
        self.amended = decision.recorded[-1].version
        self._digest.update(f" {self.version} {self.base}".encode())

    def _insert(self, command: Command, original: Original | None) -> Step:
        then = self.live.combat if original is None else original.before
        made = self._translated(command, then)
        if made is None:
            raise Unfitting("not-asked", "the prompt that the added command answers is not open")
        decision = self._decide(made, self.author, Attempt(self._faces), (), self.amended)
        at = self.head + 1 if original is None else original.version
        return self._step(at, at, "added", decision.recorded, changed="insert")

    def _repeat(self, original: Original) -> Step:
        changes = self._changes.get(original.version, ())
        own = _set(kept_of(original.events), changes)
        if any(isinstance(change, DropCommand) for change in changes):
            self._faces.leave(own)
            return self._step(original.version, original.last, "dropped", changed="drop")
        command = original.command
        changed: Literal["", "replace", "set"] = ""
        author = original.author
        for change in changes:
            if isinstance(change, ReplaceCommand):
                command, changed = change.command, "replace"
                if not isinstance(command, Act | Reply | SetOrders | Note):
                    author = self.author
            elif isinstance(change, SetFaces):
                command, changed = _with_faces(command, original, change), "set"
            elif isinstance(change, SetAnswer):
                command, changed = _with_answer(command, change), "set"
        return self._repeated(original, command, author, own, changed)

    def _repeated(
        self,
        original: Original,
        command: Command | None,
        author: Caller,
        own: list[Kept],
        changed: Literal["", "replace", "set"],
    ) -> Step:
        """Decide a command. If Affray refuses it, answer new prompts and retry."""
        tell = partial(self._step, original.version, original.last, changed=changed)
        while True:
            refused: Refused | None = None
            made: Command | None = None
            try:
                made = None if command is None else self._translated(command, original.before)
                if command is None:
                    refused = Unfitting(original.why, _WHY[original.why])
                elif made is not None and self._is_asked(original, command):
                    attempt = Attempt(self._faces, own)
                    first = original.version
                    decision = self._decide(made, author, attempt, original.events, first)
                    same = alike(original, decision.recorded, self._names, self._version)
                    return tell("same" if same else "different", decision.recorded)
            except NoEvent as missing:
                refused = Unfitting("no-event", f"{missing}, which it names, did not happen again")
            except NewRoll as roll:
                self.ended = Halt(original.version, "roll", roll=roll, decided=False)
                return tell("open")
            except Refused as error:
                refused = error
            if refused is not None and changed:
                raise refused
            new = self._new_prompts(original.before) if command is not None else ()
            if not new or len(self._asked) >= PROMPTS:
                break
            answered = self._answer(new, original)
            if self.ended is not None:
                return tell("open")
            if not answered:
                break
        self._faces.leave(own)
        if refused is None:
            return tell("not-asked")
        if self.amendment.impossible != "skip":
            decided = self.amendment.impossible == "stop"
            self.ended = Halt(original.version, "impossible", decided=decided)
        return tell("impossible", refused=refused)

    def _is_asked(self, original: Original, command: Command) -> bool:
        """Return true if the prompt that an action answered is open."""
        if not isinstance(command, Act) or original.prompt is None:
            return True
        asked = original.before.prompts.get(original.prompt)
        if asked is None or asked.who != command.combatant:
            return True
        there = open_prompts(self.live.combat).values()
        return any(kind_of(prompt) == kind_of(asked) for prompt in there)

    # ---- new prompts

    def _new_prompts(self, before: Combat) -> Sequence[OpenPrompt]:
        """Return the open prompts whose kind had no open prompt before the original command."""
        known = {
            kind_of(prompt) for prompt in open_prompts(before).values() if prompt.answer is None
        }
        there = open_prompts(self.live.combat).values()
        return [
            prompt for prompt in there if prompt.answer is None and kind_of(prompt) not in known
        ]

    def _answer(self, new: Sequence[OpenPrompt], original: Original) -> bool:
        """Answer one of these prompts. Return false if there is no answer."""
        for prompt in new:
            command, used = self._answer_of(prompt, original)
            if command is None:
                continue
            used()  # before the decision, because the command may roll again with other faces
            try:
                self._decide(command, self.author, Attempt(self._faces), (), self.amended)
            except NewRoll as roll:
                self.ended = Halt(original.version, "roll", roll=roll, decided=False)
                return False
            self._asked.append(prompt.id)
            self._defaulted[prompt.who] += 1
            return True
        if self.amendment.prompts == "default" and all(prompt.kind != "roll" for prompt in new):
            return False
        self.ended = Halt(original.version, "prompt", tuple(prompt.id for prompt in new))
        return False

    def _answer_of(
        self, prompt: OpenPrompt, original: Original
    ) -> tuple[Command | None, Callable[[], object]]:
        """Return the reply to a new prompt, and a function that removes the reply from its source.

        The reply comes from the request, from unused faces, or from the default.
        """
        for given in self._given:
            same = (given.who, given.name) == (prompt.who, prompt.name)
            if same and original.version <= given.at <= original.last:
                reply = Reply(prompt.id, given.option, given.inputs)
                return reply, partial(self._given.remove, given)
        if prompt.kind == "roll":
            return self._faces_of(prompt)
        past = self.live.combat.round > original.before.round
        without = self.amendment.prompts == "ask" or prompt.default is None
        if without or past or self._defaulted[prompt.who]:
            return None, _nothing
        return Close((prompt.id,)), _nothing

    def _faces_of(self, prompt: OpenPrompt) -> tuple[Command | None, Callable[[], object]]:
        """Return a reply with faces for this roll: unused faces, or else faces of the request."""
        sides = tuple(prompt.data["dice"])
        for (who, purpose, dice), left in self._faces.left.items():
            same = purpose == prompt.name and tuple(map(abs, dice)) == sides
            if left and same and prompt.who in (None, who):
                return Reply(prompt.id, None, {"faces": list(left[0].faces)}), left.popleft
        for given in self._faces.given:
            fits = len(given.faces) == len(sides) and all(map(_is_face, given.faces, sides))
            same = given.who in (None, prompt.who) and given.purpose in (None, prompt.name)
            if fits and same:
                reply = Reply(prompt.id, None, {"faces": list(given.faces)})
                return reply, partial(self._faces.given.remove, given)
        return None, _nothing

    # ---- decisions

    def _context(self, caller: Caller) -> Context:
        """Return a context with the walk's seeds. All commands of a walk have the same time."""
        context = self._context_of(caller)
        if self._now is None:
            self._now = context
        secrets = {**context.secrets, **self.seeds}
        return with_fields(context, secrets=secrets, now=self._now.now, later=self._now.later)

    def _decide(
        self,
        command: Command,
        caller: Caller,
        attempt: Attempt,
        events: Sequence[Recorded],
        first: int,
    ) -> Decision:
        decision = self.live.decide(
            command,
            self._context(caller),
            partial(Repeated, events, first),
            partial(Repetition, attempt),
        )
        attempt.done()
        self.chance = self.chance or attempt.chance
        self._take(decision)
        return decision

    def _take(self, decision: Decision) -> None:
        self.live = decision.live
        if decision.seed is not None:
            self.seeds[decision.live.combat.commitment] = decision.seed
        for recorded in decision.recorded:
            if recorded.replays:
                self._versions.setdefault(recorded.replays, recorded.version)
            if isinstance(recorded.event, Rolled):
                self._fell[recorded.replays == 0] += 1
        if self._stores:
            self.recorded += decision.recorded
            self.states += decision.states

    def _translated(self, command: Command, then: Combat) -> Command | None:
        return translated(command, then, self.live.combat, self._names, self._version)

    def _version(self, version: int) -> int | None:
        return version if version <= self.base else self._versions.get(version)

    def _step(
        self,
        at: int,
        until: int,
        verdict: Verdict,
        recorded: Sequence[Recorded] = (),
        *,
        changed: Literal["", "replace", "insert", "drop", "set"] = "",
        refused: Refused | None = None,
    ) -> Step:
        first, last = (recorded[0].version, recorded[-1].version) if recorded else (0, 0)
        kept, fresh = self._fell
        self._fell = [0, 0]
        return Step(
            at, until, verdict, changed, first, last, refused, tuple(self._asked), self.chance,
            kept, fresh,
        )  # fmt: skip

    def _noted(self, step: Step) -> Step:
        """Add the step to the digest, unless it depends on chance."""
        if not step.chance:
            rule, code = reason_of(step.refused)
            parts = (step.at, step.verdict, rule, code, step.first, step.last, step.asked)
            self._digest.update(msgspec.json.encode(parts))
        return step


_WHY: Final = {
    "input-erased": "its input was erased",
    "input-unreadable": "this release does not read its input",
}


def reason_of(refused: Refused | None) -> tuple[str, str]:
    """Return the rule and the code of a refusal."""
    match refused:
        case Illegal():
            return refused.rule, refused.code
        case Unfitting():
            return "", refused.code
        case Malformed():
            return "", "not-offered" if refused.pointer == "/option" else "malformed"
        case None:
            return "", ""
        case _:
            return "", type(refused).__name__.lower()


# ---- changes


def _by_command(live: Session, changes: Sequence[AnyChange]) -> dict[int, list[AnyChange]]:
    """Return the changes by the first version of their command.

    Raise `Unknown` or `Unfitting` for a version that is not on the current path.
    """
    by_version: dict[int, list[AnyChange]] = {}
    history = live.history
    for change in changes:
        at = change.roll if isinstance(change, SetFaces) else change.at
        if isinstance(change, InsertCommand) and at == history.head + 1:
            by_version.setdefault(at, []).append(change)
            continue
        history.resolve(at)
        if not history.is_present(at):
            raise Unfitting("not-present", f"version {at} is no part of the current path")
        by_version.setdefault(history.command_of(at)[0], []).append(change)
    return by_version


def _parent(live: Session, version: int) -> int:
    """Return the version before a command."""
    history = live.history
    if version > history.head:
        return history.head
    parent = history.recorded_at(version).parent
    if not parent:
        raise Unfitting("the-opening", "the opening cannot be changed: add a command after it")
    return parent


def _starts(
    live: Session, amendment: Amendment, changes: Mapping[int, Sequence[AnyChange]]
) -> Iterator[int]:
    """Yield the versions at which the walk may begin. Raise `Unfitting` for an invalid change."""
    history = live.history
    yield history.head + 1
    if amendment.since is not None:
        history.resolve(amendment.since)
        if not history.is_present(amendment.since):
            detail = f"version {amendment.since} is no part of the current path"
            raise Unfitting("not-present", detail)
        first = history.command_of(amendment.since)[0]
        while not history.is_present(first):  # an undo's first event is not on the path
            first += 1
        yield first
    for at, some in changes.items():
        yield at
        if at > history.head:
            continue
        original = original_of(tuple(history.gather([history.command_of(at)])), Combat())
        if original is None:
            _parent(live, at)
            detail = f"no command that could be changed begins at version {at}"
            raise Unfitting("no-command", detail)
        others = [change for change in some if not isinstance(change, InsertCommand)]
        if len(others) > 1 and not all(isinstance(other, SetFaces) for other in others):
            raise Unfitting("two-changes", f"the command at version {at} has two changes")
        rolls = {kept.version: kept for kept in kept_of(original.events)}
        for change in others:
            if isinstance(change, SetFaces):
                _check_faces(change, rolls.get(change.roll))


def _spans(history: History, base: int) -> Iterator[Span]:
    """Yield the stretches of the path after a version, each within one page."""
    for page in history.stretches():
        for first, last in history.runs:
            span = max(first, page.first, base + 1), min(last, page.last)
            if span[0] <= span[1]:
                yield span


def _nothing() -> None:
    """Do nothing, because this reply has no source to remove it from."""


def _check_faces(change: SetFaces, roll: Kept | None) -> None:
    if roll is None:
        raise Unfitting("no-roll", f"version {change.roll} is no roll")
    sides = [abs(die) for die in roll.dice[2]]
    if len(sides) != len(change.faces) or not all(map(_is_face, change.faces, sides)):
        dice = ", ".join(f"d{die}" for die in sides)
        raise Malformed("/changes", f"the roll at version {change.roll} has the dice {dice}")


def _is_face(face: int, sides: int) -> bool:
    return 1 <= face <= sides


def _set(kept: list[Kept], changes: Sequence[AnyChange]) -> list[Kept]:
    """Return the faces of a command, replaced by the faces in the request."""
    faces = {change.roll: change.faces for change in changes if isinstance(change, SetFaces)}
    return [
        Kept(roll.dice, faces[roll.version], roll.version, "gm")
        if roll.version in faces and roll.by != "manual"
        else roll
        for roll in kept
    ]


def _with_faces(command: Command | None, original: Original, change: SetFaces) -> Command | None:
    """Return the command with other faces if it gives the faces of this roll by hand."""
    roll = next(recorded.event for recorded in original.events if recorded.version == change.roll)
    if isinstance(command, Reply) and isinstance(roll, Rolled) and roll.by == "manual":
        return replace(command, inputs={"faces": list(change.faces)})
    return command


def _with_answer(command: Command | None, change: SetAnswer) -> Command:
    match command:
        case Act():
            return replace(command, action=change.option, inputs=change.inputs)
        case Reply():
            return replace(command, option=change.option, inputs=change.inputs)
        case _:
            raise Unfitting("no-answer", f"the command at version {change.at} is no answer")


def _told(change: AnyChange, at: int) -> AmendedCommand:
    """Return a change for the event `Amended`, which contains no free text."""
    match change:
        case ReplaceCommand():
            return AmendedCommand(at, "replace")
        case DropCommand():
            return AmendedCommand(at, "drop")
        case InsertCommand():
            return AmendedCommand(at, "insert")
        case SetFaces():
            return AmendedCommand(at, "set", change.roll, change.faces)
        case SetAnswer():
            return AmendedCommand(at, "set")
