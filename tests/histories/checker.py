"""Check histories for linearizability: Wing and Gong's search with the memory that Lowe added.

Each combat is checked by itself, as linearizability is local. A combat is modelled as a list of
texts with a version. The search looks for one order of all operations that

- explains every answer, and
- keeps the order of operations of which one ended before the other began.

An append without an answer takes effect at any time after its request, or never.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from tests.histories.history import Operation

STEPS: Final = 2_000_000
"""Steps of one search. A history that needs more is not decided."""

SHORTENING: Final = 20
"""Steps for each operation while a violation is shortened. An answer that needs more is kept."""


class Undecided(Exception):
    """The search took too many steps."""


@dataclass(frozen=True)
class Violation:
    """No order explains these operations of a combat, whatever the other answers were.

    `others`: so many appends took part, but their answers do not matter.
    """

    combat: str
    operations: tuple[Operation, ...]
    others: int

    def __str__(self) -> str:
        lines = [f"{self.combat}: no order explains"]
        lines += [f"  {operation}" for operation in self.operations]
        if self.others:
            lines.append(f"with {self.others} more appends, whatever their answers were")
        return "\n".join(lines)


def check(history: Iterable[Operation]) -> list[Violation]:
    """Return the shortest violating part of each combat that is not linearizable."""
    combats: dict[str, list[Operation]] = {}
    for operation in history:
        combats.setdefault(operation.combat, []).append(operation)
    return [
        shortest(combat, operations)
        for combat, operations in combats.items()
        if not is_linearizable(operations)
    ]


def is_linearizable(operations: Sequence[Operation]) -> bool:
    """Return true if some order explains these operations of one combat."""
    return _Search(operations).run()


@dataclass
class _Level:
    """A step of the search: what was chosen, and the choices that are left."""

    chosen: int
    left: Iterator[int]


class _Search:
    """A search in depth. The texts appended so far are a stack, as nothing is ever removed."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.base = next((one.version or 0 for one in operations if one.kind == "open"), 0)
        self.all = sorted(
            (one for one in operations if one.kind != "open" and not _says_nothing(one)),
            key=lambda one: one.began,
        )
        indices = range(len(self.all))
        self.by_end = sorted(
            (index for index in indices if self.all[index].ended is not None),
            key=lambda index: self.all[index].ended or 0.0,
        )
        self.open: list[int] = []
        self.of_text: dict[str, list[int]] = {}
        self.expecting: dict[int, list[int]] = {}
        for index, one in enumerate(self.all):
            if one.ended is not None:
                continue
            if one.expected is not None:
                self.expecting.setdefault(one.expected, []).append(index)
            else:
                self.open.append(index)
                self.of_text.setdefault(one.text, []).append(index)
        self.at_version: dict[int, list[int]] = {}
        for index, one in enumerate(self.all):
            if one.outcome == "stored" and one.version is not None:
                self.at_version.setdefault(one.version, []).append(index)
        lists = [one.texts for one in self.all if one.texts is not None]
        self.seen = {text for texts in lists for text in texts}
        self.lists = [index for index in indices if self.all[index].texts is not None]
        self.done = bytearray(len(self.all))
        self.place = {index: place for place, index in enumerate(self.by_end)}
        self.pure = [index for index in indices if self.all[index].is_pure]
        self.pure_place = {index: place for place, index in enumerate(self.pure)}
        self.open_place = {index: place for place, index in enumerate(self.open)}
        self._first_pure = self._first_end = self._first_open = 0
        self.bits = 0
        self.texts: list[str] = []
        self.hashes = [0]

    @property
    def version(self) -> int:
        return self.base + len(self.texts)

    def run(self, most: int = STEPS) -> bool:
        memory: set[tuple[int, int, int]] = set()
        levels: list[_Level] = []
        left: Iterator[int] | None = None
        steps = 0
        while (limit := self._limit()) is not None:
            left = iter(self._choices(limit)) if left is None else left
            chosen = next(left, None)
            if chosen is None:
                if not levels:
                    return False
                level = levels.pop()
                self._take_back(level.chosen)
                left = level.left
                continue
            if (steps := steps + 1) > most:
                raise Undecided(f"more than {most} steps")
            self._take(chosen)
            known = (self.bits, len(self.texts), self.hashes[-1])
            if known in memory:
                self._take_back(chosen)
                continue
            memory.add(known)
            levels.append(_Level(chosen, left))
            left = None
        return True

    def _limit(self) -> float | None:
        """Return when the first answered operation ended that is not in the order. None: no one."""
        while self._first_end < len(self.by_end) and self.done[self.by_end[self._first_end]]:
            self._first_end += 1
        if self._first_end == len(self.by_end):
            return None
        return self.all[self.by_end[self._first_end]].ended

    def _choices(self, limit: float) -> list[int]:
        """Return the operations that can be next, the likely ones first.

        An operation that changes nothing comes as soon as it can: that forbids no later order.
        """
        while self._first_pure < len(self.pure) and self.done[self.pure[self._first_pure]]:
            self._first_pure += 1
        for index in islice(self.pure, self._first_pure, None):
            if self.all[index].began > limit:
                break
            if not self.done[index] and self._is_explained(self.all[index]):
                return [index]
        due = self.at_version.get(self.version + 1, [])
        found = [
            index
            for index in due
            if not self.done[index]
            and self.all[index].began <= limit
            and self._may_append(self.all[index])
        ]
        if due:
            return found  # another text at this version would contradict its answer
        return list(self._open_choices(limit))

    def _open_choices(self, limit: float) -> Iterator[int]:
        """Yield appends without an answer that can be next.

        Of those that read the same to all reads to come, the first is enough.
        """
        wanted = self._wanted()
        if wanted is None:
            while self._first_open < len(self.open) and self.done[self.open[self._first_open]]:
                self._first_open += 1
            plain: Sequence[int] = self.open[self._first_open : self._first_open + 1]
        else:
            plain = [index for index in self.of_text.get(wanted, ()) if not self.done[index]][:1]
        for index in (*plain, *self.expecting.get(self.version, ())):
            one = self.all[index]
            if not self.done[index] and one.began <= limit and self._may_append(one):
                yield index

    def _wanted(self) -> str | None:
        """Return the text that must come next for a read to come. None: any text may."""
        at = len(self.texts)
        for index in self.lists:
            texts = self.all[index].texts
            if not self.done[index] and texts is not None and len(texts) > at:
                return texts[at]
        return None

    def _is_explained(self, one: Operation) -> bool:
        """Return true if the combat as it is now explains the answer."""
        match one.outcome:
            case "denied":
                return True
            case "stale":
                return one.expected != self.version
            case _:
                until = self.version if one.at is None else one.at
                if until > self.version or one.version != until:
                    return False
                return one.texts is None or list(one.texts) == self.texts[: until - self.base]

    def _may_append(self, one: Operation) -> bool:
        """Return true if the text can come next, and no read to come contradicts it."""
        if one.expected is not None and one.expected != self.version:
            return False
        at = len(self.texts)
        for index in self.lists:
            read = self.all[index]
            if self.done[index] or read.texts is None or len(read.texts) <= at:
                continue
            if read.texts[at] != one.text:
                return False
        return True

    def _take(self, index: int) -> None:
        one = self.all[index]
        self.done[index] = 1
        self.bits |= 1 << index
        if not one.is_pure:
            self.texts.append(one.text)
            seen = one.text if one.text in self.seen else ""
            self.hashes.append(hash((self.hashes[-1], seen)))

    def _take_back(self, index: int) -> None:
        self.done[index] = 0
        self._first_pure = min(self._first_pure, self.pure_place.get(index, self._first_pure))
        self._first_end = min(self._first_end, self.place.get(index, self._first_end))
        self._first_open = min(self._first_open, self.open_place.get(index, self._first_open))
        self.bits &= ~(1 << index)
        if not self.all[index].is_pure:
            self.texts.pop()
            self.hashes.pop()


def _says_nothing(one: Operation) -> bool:
    """Return true for a read without an answer."""
    return one.kind == "read" and one.ended is None


def shortest(combat: str, operations: Sequence[Operation]) -> Violation:
    """Return a smallest part of a history that is not linearizable.

    First the history ends at the earliest answer that makes it a violation. Then answers are
    forgotten as long as it stays one. Both make a history easier to explain, never harder.
    """
    ends = sorted({one.ended for one in operations if one.ended is not None})
    good, bad = 0, len(ends) - 1
    while good < bad:
        middle = (good + bad) // 2
        if is_linearizable(_until(operations, ends[middle])):
            good = middle + 1
        else:
            bad = middle
    part = _until(operations, ends[bad])
    answered = [index for index, one in enumerate(part) if one.ended is not None]
    size = len(answered)
    while size:
        for at in range(len(answered) - 1, -1, -size):
            chosen = answered[max(0, at + 1 - size) : at + 1]
            weaker = part.copy()
            for index in chosen:
                weaker[index] = _forgotten(part[index])
            if _is_violation(weaker):
                part = weaker
        answered = [index for index in answered if part[index].ended is not None]
        size = min(size // 2, len(answered))
    kept = [one for one in part if one.ended is not None and one.kind != "open"]
    others = Counter(one.kind for one in part if one.ended is None)["append"]
    return Violation(combat, tuple(kept), others)


def _is_violation(operations: Sequence[Operation]) -> bool:
    try:
        return not _Search(operations).run(SHORTENING * len(operations))
    except Undecided:
        return False


def _until(operations: Sequence[Operation], end: float) -> list[Operation]:
    """Return what was known at that time: later answers had not come."""
    return [
        one if one.ended is not None and one.ended <= end else _forgotten(one)
        for one in operations
        if one.began <= end
    ]


def _forgotten(one: Operation) -> Operation:
    if one.kind == "open":
        return one
    return replace(one, ended=None, outcome="unknown", version=None, texts=None)
