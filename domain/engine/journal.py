"""Journal: the events of one combat, the state that they make, and states of the past."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.engine.audience import audience_of
from domain.engine.caller import Context
from domain.record.combat import Combat, Json
from domain.record.events import AnyEvent, Reverted, SeedRevealed
from domain.record.evolve import evolve, fold
from domain.record.history import History
from domain.record.recorded import Recorded, chain_hash, decode, encode, needs_salt
from domain.rulebook.ruleset import Ruleset

REMEMBERED = 256
"""States of command boundaries that are kept, so that undo need not fold."""


@dataclass
class Deciding:
    """The command that is being decided."""

    context: Context
    input: Mapping[str, Json]
    first: int
    key: str
    ordinal: int = 0
    states: list[bytes] = field(default_factory=list)
    seed: bytes | None = None


class Journal:
    """Everything that was recorded, and the present that follows from it.

    `digest` is the hash of the newest event, `reverts` how often the present was changed,
    `revealed` the commitments of seeds that are known.
    """

    def __init__(self, ruleset: Ruleset, recorded: Iterable[Recorded] = ()) -> None:
        self.ruleset = ruleset
        self.history = History(recorded)
        self.combat = fold(one.event for one in self.history.path)
        self._states: OrderedDict[int, Combat] = OrderedDict()
        self._deciding: Deciding | None = None
        last = self.history.recorded[-1] if self.history.recorded else None
        self.digest = "" if last is None else chain_hash(last)
        self.reverts = 0
        self.revealed: set[str] = set()
        for one in self.history.recorded:
            if isinstance(one.event, Reverted):
                self.reverts += 1
            elif isinstance(one.event, SeedRevealed):
                self.revealed.add(one.event.commitment)

    @property
    def version(self) -> int:
        """Of the newest event."""
        return self.history.version

    def at(self, version: int) -> Combat:
        """The state that was the present after `version` was recorded; raises `Unknown`."""
        return self._state(self.history.resolve(version))

    @property
    def _context(self) -> Context:
        assert self._deciding is not None
        return self._deciding.context

    def _record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Append one fact. What is folded is what would be read back, to the byte."""
        deciding, context = self._deciding, self._context
        assert deciding is not None
        version = self.history.version + 1
        first = version == deciding.first
        draft = Recorded(
            version,
            self.history.head,
            context.now,
            context.command,
            (context.caller.token, context.caller.role),
            event,
            self.digest,
            audience_of(self.combat, event),
            frame,
            deciding.input if first else None,
            context.salt if first or needs_salt(event) else "",
        )
        state = encode(draft)
        recorded = decode(state)
        deciding.states.append(state)
        self.history.append(recorded)
        self.digest = chain_hash(recorded, state)
        if isinstance(recorded.event, Reverted):
            self.reverts += 1
            self.combat = self._state(recorded.event.to)
        else:
            self.combat = evolve(self.combat, recorded.event)
            if isinstance(recorded.event, SeedRevealed):
                self.revealed.add(recorded.event.commitment)
        return recorded.event

    def _remember(self, version: int) -> None:
        self._states[version] = self.combat
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)

    def _state(self, version: int) -> Combat:
        """The state at a version of the tree, folded from the nearest one that is remembered."""
        path = self.history.path_to(version)
        after: list[AnyEvent] = []
        state = Combat()
        for one in reversed(path):
            found = self._states.get(one.version)
            if found is not None:
                state = found
                break
            after.append(one.event)
        return fold(reversed(after), state)
