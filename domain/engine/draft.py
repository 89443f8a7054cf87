"""Draft: the new events of one command. The caller stores or discards them together.

A draft knows no procedures: `frames` runs them on it. The state before it does not change.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.archive import States
from domain.engine.audience import DECLARED, Audience, audience_of
from domain.engine.caller import Caller, Context
from domain.engine.requests import Requests
from domain.record import fairness
from domain.record.combat import NO_DEADLINES, Combat, Id, Json
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    Prompted,
    Requested,
    RequestSettled,
    Reverted,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.evolve import FOLDS
from domain.record.history import History
from domain.record.recorded import Recorded, chain_hash, needs_salt, read_back, written
from domain.rulebook.ruleset import Ruleset


class Draft:
    """The draft of one command.

    - `recorded`, `states`: the new events and their stored bytes.
    - `combat`: the state after these events.
    - `digest`: the hash of the newest event.
    - `seed`: the spare seed, if a roll or undo needed it.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        history: History,
        states: States,
        combat: Combat,
        digest: str,
        asked: Mapping[Id, int],
        revealed: frozenset[str],
        requests: Requests,
        context: Context,
        input: Mapping[str, Json],
    ) -> None:
        self.ruleset = ruleset
        self.before = history
        self.version = history.version  # the version of the newest event
        self.combat = combat
        self.digest = digest
        self.asked = dict(asked)
        self.revealed = revealed
        self.requests = requests
        self.context = context
        self.input = input
        self.head = history.head
        self.recorded: list[Recorded] = []
        self.states: list[bytes] = []
        self.seed: bytes | None = None
        self.settled: Combat | None = None  # the last state that had no further consequences
        self.repeats = 0  # the version of the event that the next event repeats
        self._rolls = 0  # the number of rolls by the service
        self._past = states
        self._actor = (context.caller.token, context.caller.role)
        self._plays = _plays(context.caller, combat) if context.caller.role == "player" else ()
        # Fresh dice never use a key twice.
        fresh = combat.dice.after_undo == "fresh"
        self._dice_key = str(self.version + 1) if fresh else _kept_key(self.head, input)

    def next_key(self, purpose: str) -> fairness.Key:
        """Return the key of the command's next roll by the service."""
        self._rolls += 1
        return fairness.Key(self._dice_key, purpose, self._rolls)

    def record(self, made: AnyEvent, frame: int = 0) -> Any:
        """Append one fact. Fold exactly the bytes that a reader of the log gets."""
        event: Any = made
        kind, combat, context = type(made), self.combat, self.context
        if kind is ConditionGained:
            event = self.keyed(event)
        elif kind is Prompted and combat.deadlines != NO_DEADLINES:
            event = self._timed(event)
        # Most events need no `audience_of`, because they are only for the GM, or for everybody and
        # not about a hidden combatant.
        readers = DECLARED.get(kind)
        audience: Audience = ()
        if readers != "gm":
            about = combat.combatants.get(getattr(event, "who", None) or "")
            if readers == "all" and (about is None or not about.hidden):
                audience = None
            else:
                audience = audience_of(combat, event, by_rules=bool(frame))
        first = not self.recorded
        salted = first or (event.free_text and needs_salt(event))
        self.version += 1
        state = written(
            Recorded(
                self.version,
                self.head,
                context.now,
                context.command,
                self._actor,
                event,
                self.digest,
                audience,
                frame,
                self.input if first else None,
                context.salt if salted else "",
                plays=self._plays if first else (),
                replays=self.repeats,
            )
        )
        recorded = read_back(state)
        event = recorded.event
        self.states.append(state)
        self.recorded.append(recorded)
        if first or event.free_text:
            self.digest = chain_hash(recorded, state)
        else:
            self.digest = hashlib.sha256(state).hexdigest()
        if kind is Reverted:
            self.head = event.to
            self.combat = self.state(self.head)
            return event
        self.head = self.version
        change = FOLDS.get(kind)
        if change is not None:
            self.combat = change(combat, event)
        if kind is Prompted:
            who = event.who or ""
            self.asked[who] = self.asked.get(who, 0) + 1
        elif kind is SeedRevealed:
            self.revealed |= {event.commitment}
        elif kind is Requested or kind is RequestSettled:
            self.requests = self.requests.after((recorded,))
        return event

    def keyed(self, event: ConditionGained) -> ConditionGained:
        """Give a condition its own key if several instances of it can exist.

        A condition that the rulebook does not declare has one instance for each source.
        """
        info = self.ruleset.conditions.get(event.condition)
        who = self.combat.combatants.get(event.who)
        if event.key or who is None or (info is not None and not info.stacks):
            return event
        same = [
            condition for condition in who.all(event.condition) if condition.source == event.source
        ]
        if info is None and (same or not who.has(event.condition)):
            return replace(event, key=same[0].key) if same else event
        taken = {condition.key for condition in who.conditions}
        number = 1
        while f"{event.condition}#{number}" in taken:
            number += 1
        return replace(event, key=f"{event.condition}#{number}")

    def _timed(self, event: Prompted) -> Prompted:
        """Return the prompt with its deadline, if this combat has a time limit for it."""
        seconds = self.combat.deadlines.seconds(event.kind, event.who)
        if seconds is None or event.default is None:
            return event
        return replace(event, until=self.context.later(seconds))

    def is_over(self, until: str | None) -> bool:
        """Return true if this deadline has passed."""
        return until is not None and until <= self.context.now

    def since(self, version: int) -> list[Recorded]:
        """Return the events of the current path after a version, in order."""
        return self._history().since(version)

    def told(self, version: int) -> AnyEvent | None:
        """Return the event at `version` of the current path, or None."""
        return self._history().told(version)

    def state(self, version: int) -> Combat:
        """Return the state at a version of the tree."""
        return self._past.after(self._history(), version)

    def _history(self) -> History:
        return self.before.plus(self.recorded) if self.recorded else self.before

    def remember(self) -> None:
        """Cache the current state, so that undo to this point is cheap."""
        newest = self.recorded[-1]
        if not isinstance(newest.event, Reverted):
            self._past.remember(newest, self.combat)

    def commit_to(self, seed: bytes, event: SeedCommitted) -> None:
        """Commit to another seed. All later dice use it."""
        self.seed = seed
        self.record(event)


def _kept_key(head: int, input: Mapping[str, Json]) -> str:
    """Return the dice key for "keep": the same command after an undo gets the same faces."""
    digest = hashlib.sha256(msgspec.json.encode(input, order="deterministic"))
    return f"{head}+{digest.hexdigest()}"


def _plays(caller: Caller, combat: Combat) -> tuple[Id, ...]:
    """Return the combatants that a player plays."""
    everybody = combat.combatants.values()
    return tuple(
        combatant.id for combatant in everybody if caller.plays_of(combatant.id, combatant.owner)
    )
