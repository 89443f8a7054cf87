"""Repetition: decide a command again with the same faces as before.

A roll keeps its faces if it has the same dice, combatant and purpose. It takes faces of the same
command first, then unused faces of earlier commands.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from domain.dice import parse_roll
from domain.engine.draft import Draft
from domain.engine.executor import Executor
from domain.engine.originals import Dice, dice_of
from domain.engine.rolls import fits, rolled
from domain.engine.run import Run, Waiting
from domain.record.combat import Id
from domain.record.events import AnyEvent, Rolled
from domain.record.recorded import Recorded
from domain.rulebook.effects import Numbers, Roll


class NewRoll(Exception):
    """The error for a roll without faces to reuse, if the request forbids new faces."""

    def __init__(self, who: Id, purpose: str, formula: str) -> None:
        super().__init__(f"{who} rolls {formula} ({purpose})")
        self.who, self.purpose, self.formula = who, purpose, formula


class GivenFaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Faces for a new roll. `who` and `purpose` limit the rolls that take them."""

    faces: Annotated[tuple[int, ...], Meta(description="Faces of the dice, in order")]
    who: Annotated[
        Id | None, Meta(description="Id of the combatant that rolls; `null` for any")
    ] = None
    purpose: Annotated[
        str | None, Meta(description="The rulebook's name of the roll; `null` for any")
    ] = None


class Kept(NamedTuple):
    """A roll that keeps its faces. `version` is the version of its event."""

    dice: Dice
    faces: tuple[int, ...]
    version: int
    by: Literal["server", "manual", "gm"]
    key: str = ""
    ordinal: int = 0


def kept_of(events: Iterable[Recorded]) -> list[Kept]:
    """Return the rolls of a command, in order."""
    return [
        Kept(dice_of(event), event.faces, recorded.version, event.by, event.key, event.ordinal)
        for recorded in events
        if isinstance(event := recorded.event, Rolled)
    ]


class Faces:
    """The unused faces: `left` by earlier commands, or `given` in the request.

    If `fresh` is true, the service rolls when no unused faces fit.
    """

    def __init__(self, given: Sequence[GivenFaces], *, fresh: bool) -> None:
        self.left: dict[Dice, deque[Kept]] = {}
        self.given = list(given)
        self.fresh = fresh

    def leave(self, kept: Iterable[Kept]) -> None:
        """Add the faces of these rolls to the unused faces."""
        for roll in kept:
            self.left.setdefault(roll.dice, deque()).append(roll)


class Attempt:
    """The faces for one decision. If Affray accepts the command, call `done` to remove them."""

    def __init__(self, faces: Faces, own: Sequence[Kept] = ()) -> None:
        self.faces, self.own = faces, own
        self.chance = False
        self._taken: set[int] = set()
        self._given: set[int] = set()

    def take(self, dice: Dice) -> Kept | None:
        """Return the earlier faces for a roll, or None if the roll is new."""
        for roll in (*self.own, *self.faces.left.get(dice, ())):
            if roll.dice == dice and roll.version not in self._taken:
                self._taken.add(roll.version)
                taken: Kept = roll
                return taken
        return None

    def drop(self, dice: Dice) -> int:
        """Mark one of the command's own rolls of these dice as used. Return its version, or 0.

        Call this function if the new roll got its faces from elsewhere.
        """
        for roll in self.own:
            if roll.dice == dice and roll.version not in self._taken:
                self._taken.add(roll.version)
                return roll.version
        return 0

    def give(self, numbers: Numbers, effect: Roll) -> tuple[int, ...] | None:
        """Return the next fitting faces from the request, or None if there are none."""
        for place, given_faces in enumerate(self.faces.given):
            if place in self._given:
                continue
            same = (
                given_faces.who in (None, effect.who),
                given_faces.purpose in (None, effect.purpose),
            )
            if all(same) and fits(numbers, given_faces.faces):
                self._given.add(place)
                return given_faces.faces
        return None

    def done(self) -> None:
        """Remove the faces that the decision took. Leave its other faces for later commands."""
        given = enumerate(self.faces.given)
        self.faces.given[:] = [
            given_faces for place, given_faces in given if place not in self._given
        ]
        for dice, kept in list(self.faces.left.items()):
            if any(roll.version in self._taken for roll in kept):
                rest = deque(roll for roll in kept if roll.version not in self._taken)
                self.faces.left[dice] = rest
        self.faces.leave(roll for roll in self.own if roll.version not in self._taken)


class Repeated(Draft):
    """The draft of a command that is decided again. Its events name their originals."""

    def __init__(self, events: Sequence[Recorded], first: int, *arguments: Any) -> None:
        """Begin the draft. If the first event has no original, it names `first` instead."""
        super().__init__(*arguments)
        self.first = first
        self.rolled = 0
        self._originals: dict[tuple[type, Id | None], deque[int]] = {}
        for recorded in events:
            self._originals.setdefault(_matter(recorded.event), deque()).append(recorded.version)

    def record(self, event: AnyEvent, frame: int = 0) -> Any:
        """Record a fact as the repetition of an original event.

        The original is the command's next event of this type about the same combatant.
        """
        if isinstance(event, Rolled):
            original, self.rolled = self.rolled, 0
        else:
            queue = self._originals.get(_matter(event))
            original = queue.popleft() if queue else 0
        self.repeats = original or (0 if self.recorded else self.first)
        return super().record(event, frame)


def _matter(event: AnyEvent) -> tuple[type, Id | None]:
    return (type(event), getattr(event, "who", None))


class Repetition(Executor):
    """The running procedures of a repeated command."""

    def __init__(self, attempt: Attempt, draft: Repeated, runs: dict[int, Run]) -> None:
        super().__init__(draft, runs)
        self.attempt, self.repeated = attempt, draft
        self._falls = False

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        """Return the roll. Faces that a ruling set take precedence over earlier faces."""
        self._falls = False
        event = super().roll(run, effect)
        if event is not None and not self._falls:
            self.attempt.drop(dice_of(event))
        return event

    def fall(self, run: Run, effect: Roll, numbers: Numbers) -> Rolled:
        """Return the roll with its earlier faces, with faces of the request, or with new faces.

        Raise `NewRoll` if there are no earlier or given faces, and the request forbids new faces.
        """
        self._falls = True
        kept = self.attempt.take((effect.who, effect.purpose, parse_roll(numbers.formula).dice))
        event: Rolled
        if kept is not None:
            made = rolled(effect, numbers, kept.faces, kept.by, kept.key, kept.ordinal)
            self.repeated.rolled = kept.version
            event = self.put(run, made)
            return event
        given = self.attempt.give(numbers, effect)
        if given is not None:
            event = self.put(run, rolled(effect, numbers, given, "gm"))
            return event
        if not self.attempt.faces.fresh:
            raise NewRoll(effect.who, effect.purpose, numbers.formula)
        self.attempt.chance = True
        return super().fall(run, effect, numbers)

    def thrown(self, run: Run, waiting: Waiting, faces: tuple[int, ...] | None) -> Rolled:
        """Return the roll whose faces the command gives by hand."""
        effect = waiting.roll
        assert effect is not None
        if faces is None:
            return self.fall(run, effect, effect.numbers())
        dice = parse_roll(effect.numbers().formula).dice
        self.repeated.rolled = self.attempt.drop((effect.who, effect.purpose, dice))
        return super().thrown(run, waiting, faces)
