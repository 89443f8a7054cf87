"""Session: the current state of one combat in memory. A session turns commands into events.

A `Session` is an immutable value. A decision makes another `Session`. The caller stores the
events of the decision, and then uses the new session. If the caller cannot store them, it discards
the new session. You can discard a session at any moment, because the events are the truth. The
module knows no rulebook.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.archive import States
from domain.engine.caller import Caller, Context
from domain.engine.commands import Command
from domain.engine.draft import Draft
from domain.engine.executor import Executor
from domain.engine.frames import rebuild
from domain.engine.handlers import decide
from domain.engine.options import Choice, Offer, tried
from domain.engine.preview import Foreseen, Imagined, Unforeseen
from domain.engine.redaction import redact, unseen_by
from domain.engine.requests import Requests
from domain.engine.run import Run
from domain.errors import Diverged, Refused, Unknown
from domain.record.aggregate import NOTHING, CombatAggregate, project
from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, CombatOpened, Prompted, SeedRevealed
from domain.record.history import History
from domain.record.recorded import Recorded
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Ruleset

Drafts = Callable[..., Draft]
Presents = Callable[[Any, dict[int, Run]], Executor]


@dataclass(frozen=True)
class Decision:
    """New events with their stored bytes, and the combat after them.

    `seed` is the spare seed, if the decision needed it. Use `live` as the current state when the
    events are stored. If they are not stored, the combat does not change.
    """

    recorded: tuple[Recorded, ...]
    states: tuple[bytes, ...]
    live: "Session"
    seed: bytes | None = None


class Session:
    """One combat, its history, and its waiting procedures.

    - `aggregate`: the library's aggregate, on which this session is built.
    - `asked`: the number of prompts to each combatant, undone or not.
    - `revealed`: the commitments of revealed seeds.
    - `requests`: the players' requests.
    - `origin`: the combat and the version that this combat was forked from.

    A function raises `Away` if it needs events that are only in the log.
    """

    def __init__(self, ruleset: Ruleset, recorded: Iterable[Recorded] = ()) -> None:
        events = list(recorded)
        self.ruleset = ruleset
        self.states = States()
        self.aggregate = project(None, events) or NOTHING
        self._note(events)

    @classmethod
    def of(cls, ruleset: Ruleset, aggregate: CombatAggregate) -> "Session":
        """Return a session on an aggregate, such as one from `Repository.get`."""
        live = cls.__new__(cls)
        live.ruleset, live.states, live.aggregate = ruleset, States(), aggregate
        live._note(aggregate.history.recorded)
        return live

    @classmethod
    def stored(cls, ruleset: Ruleset, recorded: Iterable[Recorded]) -> "Session":
        """Return a combat from the log. Its older events stay only in the log."""
        events = list(recorded)
        live = cls.__new__(cls)
        live.ruleset = ruleset
        live.states = States()
        history, pages = live.states.paged(History(events), large=False)
        # Paging has already folded most events, so this fold starts at a cached state.
        aggregate = project(None, events, lambda _, version: live.states.after(history, version))
        live.aggregate = replace(aggregate or NOTHING, history=history)
        live._note(events)
        for page in pages:
            page.let_go()
        return live

    def _note(self, events: Sequence[Recorded]) -> None:
        self.asked: Mapping[Id, int] = Counter(_askings(events))
        self.revealed = _revealed(events)
        self.requests = Requests().after(events)
        self.origin = _origin(events)
        self._settled: Combat | None = None
        self._runs: dict[int, Run] = {}

    def left_to_log(self, *, large: bool = False) -> "Session":
        """Return this combat without its older events in memory. All events must be stored.

        If the events are `large`, fewer events stay in memory.
        """
        history, pages = self.states.paged(self.history, large=large)
        if not pages:
            return self
        rest = self._but(aggregate=replace(self.aggregate, history=history), _runs=self._runs)
        self._runs = {}  # readers of this value must not see its generators advance
        for page in pages:
            page.let_go()
        return rest

    @property
    def combat(self) -> Combat:
        """Return the current state."""
        return self.aggregate.combat

    @property
    def history(self) -> History:
        """Return all events as a tree, with the path that leads to the current version."""
        return self.aggregate.history

    @property
    def digest(self) -> str:
        """Return the hash of the newest event."""
        return self.aggregate.digest

    @property
    def version(self) -> int:
        """Return the version of the newest event."""
        return self.aggregate.version

    def at(self, version: int) -> Combat:
        """Return the state after `version`. Raise `Unknown` for a missing version."""
        return self.state(self.history.resolve(version))

    def told(self, version: int) -> AnyEvent | None:
        """Return the event at `version` of the current path, or None."""
        return self.history.told(version)

    def state(self, version: int) -> Combat:
        """Return the state at a version of the tree."""
        return self.states.after(self.history, version)

    def since(self, version: int) -> list[Recorded]:
        """Return the events of the current path after a version, in order."""
        return self.history.since(version)

    def decide(
        self,
        command: Command,
        context: Context,
        draft: Drafts = Draft,
        present: Presents = Executor,
    ) -> Decision:
        """Decide a command, or raise `Refused`. This combat does not change."""
        runs, self._runs = self._runs, {}  # this session loses its generators
        made = self._draft(command, context, self.aggregate.combat, draft)
        decide(made, present(made, runs), command)
        made.remember()
        return Decision(
            tuple(made.recorded), tuple(made.states), self._after(made, runs), made.seed
        )

    def preview(self, command: Command, context: Context) -> Decision:
        """Decide a command as a trial, on the combat as the caller knows it (`engine.preview`).

        The dice come from the seed of the context, not of the combat.
        """
        if context.caller.role == "gm":
            return self._but().decide(command, context)
        decision, _ = next(self.foresee((command,), lambda: context))
        return decision

    def foresee(
        self, commands: Iterable[Command], context_of: Callable[[], Context]
    ) -> Iterator[tuple[Decision, bool]]:
        """Yield the decision of each of a player's commands, and whether it is complete.

        Stop after the first command whose outcome depends on facts unknown to the player.
        """
        live, known = self, self.combat
        unseen: frozenset[Id] = frozenset()
        runs: dict[int, Run] = {}
        for number, command in enumerate(commands):
            context = context_of()
            caller = context.caller
            if not number:
                unseen = unseen_by(self.combat, caller)
                redacted = redact(self.ruleset, self.combat, caller)
                known = replace(redacted, frames=known.frames, asked=known.asked)
            draft = live._draft(command, context, known, Imagined)
            present = Foreseen(draft, caller, unseen, runs)
            whole = True
            try:
                decide(draft, present, command)
                whole = not present.blind
            except Unforeseen:
                whole = False
            except (Unknown, KeyError) as missing:
                name = missing.name if isinstance(missing, Unknown) else missing.args[0]
                if name not in unseen or not draft.recorded:
                    raise
                whole = False
            live, known = live._after(draft, {}), draft.combat
            yield Decision(tuple(draft.recorded), tuple(draft.states), live), whole
            if not whole:
                return

    def _draft(
        self, command: Command, context: Context, combat: Combat, kind: Drafts = Draft
    ) -> Draft:
        aggregate = self.aggregate
        draft = kind(
            self.ruleset,
            aggregate.history,
            self.states,
            combat,
            aggregate.digest,
            self.asked,
            self.revealed,
            self.requests,
            context,
            msgspec.to_builtins(command),
        )
        draft.settled = self._settled
        return draft

    def _after(self, draft: Draft, runs: dict[int, Run]) -> "Session":
        aggregate = self.aggregate
        return self._but(
            aggregate=aggregate.decided(draft.recorded, draft.combat, draft.digest),
            asked=draft.asked,
            revealed=draft.revealed,
            requests=draft.requests,
            origin=self.origin if aggregate.version else _origin(draft.recorded),
            _settled=draft.settled,
            _runs=runs,
        )

    def with_events(self, recorded: Iterable[Recorded]) -> "Session":
        """Return this combat with events that other processes have stored meanwhile."""
        new = list(recorded)
        return self._but(
            aggregate=project(self.aggregate, new, self.states.after),
            asked=Counter(self.asked) + Counter(_askings(new)),
            revealed=self.revealed | _revealed(new),
            requests=self.requests.after(new),
            origin=self.origin or _origin(new),
        )

    def as_of(self, version: int) -> "Session":
        """Return the combat at a past version, for reading.

        Raise `Unknown` for a missing version.
        """
        target = self.history.resolve(version)
        then = replace(self.aggregate, history=self.history.at(target), combat=self.state(target))
        return self._but(aggregate=then)

    def apart(self) -> "Session":
        """Return an independent copy, for commands that may never be stored."""
        aggregate = replace(self.aggregate, history=self.history.apart())
        return self._but(aggregate=aggregate, states=self.states.copy())

    def _but(self, **changes: Any) -> "Session":
        """Return a copy with these changes, but without the generators, which are not shared."""
        other = Session.__new__(Session)
        other.__dict__.update({**self.__dict__, "_runs": {}, **changes})
        return other

    # ---- options

    def open_prompts(self) -> Mapping[str, Prompt]:
        """Return the prompts that accept an answer now, by id, with their options."""
        run = self._top()
        return {} if run is None or run.waiting is None else run.waiting.prompts

    def known(self, caller: Caller | None) -> Combat:
        """Return the combat as `caller` knows it. None means the whole combat."""
        return self.combat if caller is None else redact(self.ruleset, self.combat, caller)

    def options(self, who: Id, caller: Caller | None = None) -> Iterator[Offer]:
        """Yield every option of `who` now, legal or refused, by the checks that refuse.

        The checks run on the combat as `caller` knows it. Raises `Unknown` for a missing combatant.
        """
        known = self.known(caller)
        yield from self._tried(self.choices(known[who].id), known)

    def all_options(self, caller: Caller) -> Iterator[Offer]:
        """Yield every answer, action and ruling that `caller` may choose now."""
        known = self.known(caller)
        yield from self._tried(self.all_choices(known, caller), known)

    def _tried(self, choices: Iterable[Choice], known: Combat) -> Iterator[Offer]:
        play, truth = Play(self.ruleset, known), Play(self.ruleset, self.combat)
        for choice in choices:
            yield tried(choice, play, truth, every=True)

    def all_choices(self, known: Combat, caller: Caller) -> Iterator[Choice]:
        """Yield all choices of `caller` now. `known` is the combat as the caller knows it."""
        gm = caller.role == "gm"
        if gm:
            yield from self._answers(None)
        for combatant in known:
            if caller.plays_of(combatant.id, combatant.owner):
                yield from self.choices(combatant.id)
        if gm:
            for ruling in self.ruleset.rulings.values():
                yield Choice("", ruling, None, "ruling")

    def choices(self, who: Id) -> Iterator[Choice]:
        """Yield all choices of `who` now, legal or not.

        They are the answers to open prompts, and the rulebook's other actions.
        """
        offered: set[str] = set()
        for choice in self._answers(who):
            offered.add(choice.option.id)
            yield choice
        for action in self.ruleset.actions.values():
            if action.id not in offered:
                kind = "interjection" if action.interjection else "turn"
                yield Choice(who, action, None, kind, unasked=not action.interjection)

    def _answers(self, who: Id | None) -> Iterator[Choice]:
        """Yield the answers to the open prompts of `who` (`None` for the GM).

        The default of a ruling comes first, because a client may propose its first offer.
        """
        for id, prompt in self.asked_of(who):
            options = prompt.options
            if prompt.kind == "ruling":
                options = tuple(sorted(options, key=lambda option: option.id != prompt.default))
            for option in options:
                yield Choice(who or "", option, id, prompt.kind)

    def asked_of(self, who: Id | None) -> list[tuple[str, Prompt]]:
        """Return the open prompts of `who` (`None` for the GM), with their ids.

        An answered prompt stays in the list while its group is open, because its answer may change.
        A prompt that no longer makes sense is left out.
        """
        run = self._top()
        return [
            (id, prompt)
            for id, prompt in self.open_prompts().items()
            if prompt.who == who and not (run and run.waiting and run.waiting.lapsed(id))
        ]

    def matches(self) -> bool:
        """Return true if the current rules match the record of the waiting procedure."""
        return not self.combat.frames or self._top() is not None

    def _top(self) -> Run | None:
        """Return the procedure that waits now. Rebuild it if it is not in memory."""
        if not self.combat.frames:
            return None
        frame = self.combat.frames[-1]
        run = self._runs.get(frame.id)
        if run is None:
            try:
                run = self._runs[frame.id] = rebuild(self, frame)
            except (Diverged, Refused):
                return None  # the next command abandons it
        run.play.combat = self.combat
        return run


def _origin(events: Sequence[Recorded]) -> tuple[str, int] | None:
    opened = events[0].event if events else None
    return opened.forked_from if isinstance(opened, CombatOpened) else None


def _revealed(events: Iterable[Recorded]) -> frozenset[str]:
    """Return the commitments of revealed seeds."""
    return frozenset(
        recorded.event.commitment for recorded in events if type(recorded.event) is SeedRevealed
    )


def _askings(events: Iterable[Recorded]) -> Iterator[Id]:
    """Yield the combatant that each prompt asks ("" for the GM)."""
    return (recorded.event.who or "" for recorded in events if type(recorded.event) is Prompted)
