"""Draft: the records of one command. It is kept or dropped as a whole.

A draft knows no procedures. `frames` runs them on it. The state that it began from does not change.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.archive import States
from domain.engine.audience import audience_of
from domain.engine.caller import Caller, Context
from domain.engine.requests import Requests
from domain.record.combat import Combat, Id, Json
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    Prompted,
    Reverted,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.evolve import evolve
from domain.record.history import History
from domain.record.recorded import Recorded, chain_hash, decode, encode, needs_salt
from domain.rulebook.ruleset import Ruleset


class Draft:
    """A command in the making.

    `recorded` and `states` are the new events and their stored bytes, `combat` the state after
    them, `digest` the hash of the newest, `seed` the spare one when it came into use.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        history: History,
        states: States,
        combat: Combat,
        digest: str,
        asked: Counter[Id],
        revealed: frozenset[str],
        requests: Requests,
        context: Context,
        input: Mapping[str, Json],
    ) -> None:
        self.ruleset = ruleset
        self.before = history
        self.version = history.version  # of the newest event
        self.combat = combat
        self.digest = digest
        self.asked = asked.copy()
        self.revealed = revealed
        self.requests = requests
        self.context = context
        self.input = input
        self.head = history.head
        self.recorded: list[Recorded] = []
        self.states: list[bytes] = []
        self.seed: bytes | None = None
        self.dice_key = self._dice_key()
        self.plays = _plays(context.caller, combat)
        self._ordinal = 0
        self._past = states

    def _dice_key(self) -> str:
        """Return the key of a command's faces. Fresh dice never use a key twice."""
        if self.combat.dice.after_undo == "fresh":
            return str(self.version + 1)
        digest = hashlib.sha256(msgspec.json.encode(self.input, order="deterministic"))
        return f"{self.head}+{digest.hexdigest()}"

    def next_ordinal(self) -> int:
        """The number of the command's next roll by the service."""
        self._ordinal += 1
        return self._ordinal

    def record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Append one fact. Fold exactly the bytes that a reader of the log gets."""
        if isinstance(event, ConditionGained):
            event = self.keyed(event)
        elif isinstance(event, Prompted):
            event = self._timed(event)
        context = self.context
        first = not self.recorded
        self.version += 1
        state = encode(
            Recorded(
                self.version,
                self.head,
                context.now,
                context.command,
                (context.caller.token, context.caller.role),
                event,
                self.digest,
                audience_of(self.combat, event, by_rules=bool(frame)),
                frame,
                self.input if first else None,
                context.salt if first or needs_salt(event) else "",
                plays=self.plays if first else (),
                replays=self.origin(event),
            )
        )
        recorded = decode(state)
        self.states.append(state)
        self.recorded.append(recorded)
        self.digest = chain_hash(recorded, state)
        self._fold(recorded)
        return recorded.event

    def origin(self, event: AnyEvent) -> int:
        """The version of the event that this one repeats; 0 = none."""
        return 0

    def _fold(self, recorded: Recorded) -> None:
        event = recorded.event
        if isinstance(event, Reverted):
            self.head = event.to
            self.combat = self.state(event.to)
            return
        self.head = recorded.version
        if isinstance(event, Prompted):
            self.asked[event.who or ""] += 1
        self.combat = evolve(self.combat, event)
        if isinstance(event, SeedRevealed):
            self.revealed |= {event.commitment}

    def keyed(self, event: ConditionGained) -> ConditionGained:
        """Give a condition its own key if several instances of it can exist.

        A condition that only data bring has one instance for each source, whatever its name.
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
        """With the time at which it gets its default, where questions have an end."""
        seconds = self.combat.deadlines.seconds(event.kind, event.who)
        if seconds is None or event.default is None:
            return event
        return replace(event, until=self.context.later(seconds))

    def is_over(self, until: str | None) -> bool:
        """Whether this time has come."""
        return until is not None and until <= self.context.now

    def since(self, version: int) -> list[Recorded]:
        """The events of the present path after a version, in order."""
        return self._history().since(version)

    def told(self, version: int) -> AnyEvent | None:
        """Return the event at `version` of the present path, or None."""
        return self._history().told(version)

    def state(self, version: int) -> Combat:
        """The state at a version of the tree."""
        return self._past.after(self._history(), version)

    def _history(self) -> History:
        return self.before.plus(self.recorded) if self.recorded else self.before

    def remember(self) -> None:
        """Keep the state as of now, so that going back to it is cheap."""
        newest = self.recorded[-1]
        if not isinstance(newest.event, Reverted):
            self._past.remember(newest, self.combat)

    def commit_to(self, seed: bytes, event: SeedCommitted) -> None:
        """New dice from now on."""
        self.seed = seed
        self.record(event)


def _plays(caller: Caller, combat: Combat) -> tuple[Id, ...]:
    """The combatants that a player plays."""
    if caller.role != "player":
        return ()
    everybody = combat.combatants.values()
    return tuple(
        combatant.id for combatant in everybody if caller.plays_of(combatant.id, combatant.owner)
    )
