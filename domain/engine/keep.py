"""keep: answers that outlive a command, each for every state in which it reads the same.

An answer is a function of what it has read (`engine.reads`). What is read of one combatant, or of
the combat itself, is a part; the values that it has had have numbers, and an answer holds wherever
its parts have the numbers that they had. So whoever has not changed is not looked at again, and
who is as he was a round ago finds the answer of then.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

import msgspec

from domain.engine.reads import (
    MISSING,
    MORE_THAN_READ,
    Lasting,
    Look,
    Noted,
    Read,
    Same,
    by_whom,
    finder,
)
from domain.record.combat import Combat, Combatant, Id

Made = TypeVar("Made")

SHAPES: Final = 8
"""Under one key: sets of parts, of which each has been all that an answer read."""

_LARGE: Final = frozenset(("map", "options"))
"""Of the combat: the same only as the same object, for they change seldom."""

_PLAIN: Final = (str, int, type(None), type(MISSING), Lasting)

_Numbers = tuple[int, ...]


class Kept(Generic[Made]):
    """Answers by a key for each question. `weigh`: bytes of one. After `most` bytes nothing more is
    kept of this state, and with the next one it begins anew. `weight`: of all that is kept."""

    def __init__(self, weigh: Callable[[Made], int], most: int) -> None:
        self._weigh, self._most = weigh, most
        self._combat = self._truth = Combat()
        self._begin()

    def _begin(self) -> None:
        self.weight = 0
        # What several answers have used together; None = not asked, or one of them is not kept.
        self._used: set[_Part] | None = None
        self._reads: dict[Read, Read] = {}  # each once, for there are thousands of the same
        self._marks: dict[Id | None, _Marks] = {}
        self._parts: dict[Id | None, dict[frozenset[Read], _Part]] = {}
        self._known: dict[Hashable, _Shapes[Made]] = {}

    def at(self, combat: Combat, truth: Combat) -> None:
        """What is asked from now on is asked of this state; `truth`: of which it tells a part."""
        if self.weight > self._most:
            self._begin()
        self._combat, self._truth = combat, truth
        self._look, self._look_behind = Look(combat), Look(truth)
        for who in self._parts:
            self._see(who)

    def _see(self, who: Id | None) -> None:
        """Parts of whoever has changed have no number until it is looked for."""
        held = self._combat if who is None else self._combat.combatants.get(who)
        marks = self._marks.get(who)
        if marks is None or marks.held is not held:
            self._marks[who] = _Marks(held)
            for part in self._parts[who].values():
                part.number = None

    def get(self, key: Hashable, make: Callable[[Combat, Combat], Made]) -> Made:
        """The answer, made from the state and the truth behind it unless it is known.

        What hangs on more than the state tells is made every time.
        """
        shapes = self._known.setdefault(key, {})
        found = self._find(shapes)
        if found is not None:
            return found
        used, self._used = self._used, None
        if self.weight > self._most:
            return self.anew(make)
        seen, noted = self._look.watched()
        truth, behind = seen, Noted()
        if self._truth is not self._combat:
            truth, behind = self._look_behind.watched()
        try:
            made = make(seen, truth)
        except MORE_THAN_READ:
            return self.anew(make)
        if not behind.all():
            parts = self._parts_of(noted.all())
            self._keep(shapes, parts, made)
            self._used = None if used is None else used.union(parts)
        return made

    def anew(self, make: Callable[[Combat, Combat], Made]) -> Made:
        """An answer that is not kept."""
        self._used = None
        return make(self._combat, self._truth)

    def together(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made of several answers, and of nothing else that can change."""
        shapes = self._known.setdefault(key, {})
        found = self._find(shapes)
        if found is None:
            self._used = set()
            found = make()
            used, self._used = self._used, None
            if used is not None:  # each of the answers is kept
                reads = {read for part in used for read in part.reads}
                self._keep(shapes, self._parts_of(reads), found)
        return found

    def _find(self, shapes: "_Shapes[Made]") -> Made | None:
        for parts, answers in shapes.items():
            found = answers.get(self._numbers(parts))
            if found is not None:
                if self._used is not None:
                    self._used.update(parts)
                return found
        return None

    def _numbers(self, parts: tuple["_Part", ...]) -> _Numbers:
        return tuple(
            [part.find(self._marks) if part.number is None else part.number for part in parts]
        )

    def _keep(self, shapes: "_Shapes[Made]", parts: tuple["_Part", ...], made: Made) -> None:
        shapes.setdefault(parts, {})[self._numbers(parts)] = made
        if len(shapes) > SHAPES:
            del shapes[next(iter(shapes))]
        self.weight += self._weigh(made)

    def _parts_of(self, reads: Iterable[Read]) -> tuple["_Part", ...]:
        each = by_whom(self._reads.setdefault(read, read) for read in reads)
        found = []
        for who in sorted(each, key=lambda who: who or ""):
            own = self._parts.setdefault(who, {})
            if not own:
                self._see(who)
            all_read = frozenset(each[who])
            part = own.get(all_read)
            if part is None:
                part = own[all_read] = _Part(who, tuple(all_read))
            found.append(part)
        return tuple(found)


class _Part:
    """What is read of one combatant (`who` None: of the combat), and the values that it has had.

    `number`: which of them it has, None = not looked for yet.
    """

    def __init__(self, who: Id | None, reads: tuple[Read, ...]) -> None:
        self.number: int | None = None
        self.reads = reads
        self._who = who
        self._values = itemgetter(*reads)
        self._numbers: dict[Any, int] = {}

    def find(self, marks: Mapping[Id | None, "_Marks"]) -> int:
        """The same number for all states in which the same would be read."""
        values = self._values(marks[self._who])
        self.number = self._numbers.setdefault(values, len(self._numbers))
        return self.number


_Shapes = dict[tuple[_Part, ...], dict[_Numbers, Made]]
"""By the parts that an answer has read, and by their numbers: the answer."""


class _Marks(dict[Read, Hashable]):
    """What is read of one combatant as it is now (None = it is not there), or of the combat: equal
    where it is the same, as JSON tells it apart."""

    def __init__(self, held: Combat | Combatant | None) -> None:
        super().__init__()
        self.held = held

    def __missing__(self, read: Read) -> Hashable:
        found = finder(read)(self.held)
        if type(found) not in _PLAIN:
            found = Same(found) if read in _LARGE else msgspec.json.encode(found)
        self[read] = found
        return found  # type: ignore[no-any-return]
