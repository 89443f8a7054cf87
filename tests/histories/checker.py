"""Check histories for linearizability.

The checker checks each combat separately, because linearizability is a local property. Its model of
a combat is a list of texts with a version, which each append increases by 1. A history is
linearizable if each operation can have a moment between its request and its answer, and if the
operations in the order of these moments give the recorded answers.

Answers contain versions, so the order of most appends is known. Only their moments are unknown:

- An append has its moment between its request and its answer. The moments of versions ascend.
- A read of a version ends after the moment of that version, and begins before the next moment.
- If the service refused an append as stale, the append ends after the moment of the version that
  follows the expected version, or begins before the moment of the expected version.
- An append without an answer takes its moment at any time after its request, or has none. The
  earliest of these appends fill the versions that no answer explains.

One pass over the versions finds the last possible moment of each version. If no operation begins
after that moment, the history is linearizable.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from tests.histories.history import Operation


@dataclass(frozen=True)
class Violation:
    """Operations of a combat that no order explains.

    `others` counts the further appends whose answers do not matter.
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
    """Return true if moments exist that explain the answers of one combat.

    Texts of appends must differ.
    """
    base = next((operation.version or 0 for operation in operations if operation.kind == "open"), 0)
    appends = [operation for operation in operations if operation.kind == "append"]
    reads = [
        operation
        for operation in operations
        if operation.kind == "read" and operation.ended is not None
    ]
    effective = [append for append in appends if append.outcome in ("stored", "unknown")]
    at_version = _placed(base, effective, reads)
    if at_version is None:
        return False
    newest = max([base, *at_version, *(read.version or 0 for read in reads)])
    if newest - base > len(effective):
        return False
    stale = sorted(
        (append for append in appends if append.outcome == "stale"),
        key=lambda append: append.expected or 0,
    )
    # An append without an answer may be the last one, if the next refusal needs it.
    lasts = {
        newest,
        *((append.expected or 0) + 1 for append in stale if (append.expected or 0) >= newest),
    }
    placed = {line.text for line in at_version.values()}
    loose = [line for line in effective if line.text not in placed]
    return any(
        _has_moments(base, last, at_version, loose, reads, stale)
        for last in sorted(lasts)
        if last - base <= len(effective)
    )


def _placed(
    base: int, appends: Sequence[Operation], reads: Sequence[Operation]
) -> dict[int, Operation] | None:
    """Return the appends with known versions, or `None` if the answers contradict each other."""
    by_text = {append.text: append for append in appends}
    if len(by_text) < len(appends):
        raise ValueError("two appends have the same text")
    answered = [append for append in appends if append.version is not None]
    at_version = {event.version or 0: event for event in answered}
    if len(at_version) < len(answered):
        return None
    longest: tuple[str, ...] = max((read.texts or () for read in reads), key=len, default=())
    for read in reads:
        size = (read.version or 0) - base
        if size < 0 or read.at not in (None, read.version):
            return None
        if read.texts is not None and (len(read.texts) != size or read.texts != longest[:size]):
            return None
    for version, text in enumerate(longest, base + 1):
        append = by_text.get(text)
        if append is None or at_version.setdefault(version, append) is not append:
            return None
    for version, append in at_version.items():
        if append.version not in (None, version) or append.expected not in (None, version - 1):
            return None
    if min(at_version, default=base + 1) <= base or len(set(longest)) < len(longest):
        return None
    return at_version


def _has_moments(
    base: int,
    last: int,
    at_version: Mapping[int, Operation],
    loose: Sequence[Operation],
    reads: Sequence[Operation],
    stale: Sequence[Operation],
) -> bool:
    """Return true if each version up to `last` can have a moment.

    The versions of `loose` appends are unknown. `stale` appends are in the order of their expected
    versions.
    """
    size = last - base + 2  # with the first version, and with one that never comes
    earliest, latest = [-inf] * size, [inf] * size
    latest[0], earliest[-1] = -inf, inf
    for version, append in at_version.items():
        earliest[version - base] = append.began
        latest[version - base] = inf if append.ended is None else append.ended
    for read in reads:
        at = (read.version or 0) - base
        latest[at] = min(latest[at], read.ended or 0.0)
        if read.at is None:
            earliest[at + 1] = max(earliest[at + 1], read.began)
    for at in reversed(range(size - 1)):
        latest[at] = min(latest[at], latest[at + 1])
    for refused in stale:
        at = (refused.expected or 0) - base
        if 0 <= at < size - 1 and latest[at] < refused.began:
            latest[at + 1] = min(latest[at + 1], refused.ended or 0.0)
    if any(begin > end for begin, end in zip(earliest, latest, strict=True)):
        return False
    return _are_filled(base, last, at_version, loose, latest)


def _are_filled(
    base: int,
    last: int,
    at_version: Mapping[int, Operation],
    loose: Sequence[Operation],
    latest: Sequence[float],
) -> bool:
    """Return true if appends without an answer can fill the remaining versions."""
    plain = deque(sorted(append.began for append in loose if append.expected is None))
    expecting: dict[int, float] = {}
    for append in loose:
        if append.expected is not None:
            version = append.expected + 1
            expecting[version] = min(append.began, expecting.get(version, inf))
    for version in range(base + 1, last + 1):
        end = latest[version - base]
        if version in at_version or expecting.get(version, inf) <= end:
            continue
        if not plain or plain.popleft() > end:
            return False
    return True


def shortest(combat: str, operations: Sequence[Operation]) -> Violation:
    """Return a smallest part of a history that is not linearizable.

    First, cut the history at the earliest answer that makes it a violation. Then drop answers as
    long as it remains a violation. Both steps make a history easier to explain, never harder.
    """
    ends = sorted({operation.ended for operation in operations if operation.ended is not None})
    good, bad = 0, len(ends) - 1
    while good < bad:
        middle = (good + bad) // 2
        if is_linearizable(_until(operations, ends[middle])):
            good = middle + 1
        else:
            bad = middle
    part = _until(operations, ends[bad])
    answered = [index for index, operation in enumerate(part) if operation.ended is not None]
    size = len(answered)
    while size:
        for at in range(len(answered) - 1, -1, -size):
            chosen = answered[max(0, at + 1 - size) : at + 1]
            weaker = part.copy()
            for index in chosen:
                weaker[index] = _forgotten(part[index])
            if not is_linearizable(weaker):
                part = weaker
        answered = [index for index in answered if part[index].ended is not None]
        size = min(size // 2, len(answered))
    kept = [prompt for prompt in part if prompt.ended is not None and prompt.kind != "open"]
    others = Counter(prompt.kind for prompt in part if prompt.ended is None)["append"]
    return Violation(combat, tuple(kept), others)


def _until(operations: Sequence[Operation], end: float) -> list[Operation]:
    """Return the history at `end`, without later answers."""
    return [
        operation
        if operation.ended is not None and operation.ended <= end
        else _forgotten(operation)
        for operation in operations
        if operation.began <= end
    ]


def _forgotten(operation: Operation) -> Operation:
    if operation.kind == "open":
        return operation
    return replace(operation, ended=None, outcome="unknown", version=None, texts=None)
