"""A history: the operations of all clients of a run, with the times of request and answer.

A file has one JSON object per line, so that a later run can check it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, Literal

Kind = Literal["open", "append", "read"]
Outcome = Literal["unknown", "stored", "stale", "denied", "read"]


@dataclass(frozen=True)
class Operation:
    """One operation of one client on one combat. All tries with one key are one operation.

    - `open`: the combat has `version` and no appended texts.
    - `append`: add `text`. If `expected` is set, it must be the combat's version.
    - `read`: return `version`, and all `texts` if the client read them. If `at` is set, read the
      past.

    An append has one of these outcomes:

    - `stored`: the append has the new version.
    - `stale`: the service expected another version.
    - `denied`: the service promises that it stored nothing.
    - `unknown`: there was no answer.
    """

    client: str
    combat: str
    kind: Kind
    began: float = 0.0
    ended: float | None = None
    text: str = ""
    expected: int | None = None
    at: int | None = None
    outcome: Outcome = "unknown"
    version: int | None = None
    texts: tuple[str, ...] | None = None

    @property
    def is_pure(self) -> bool:
        """Return true if the operation does not change the combat."""
        return self.outcome in ("stale", "denied", "read")

    def __str__(self) -> str:
        ended = "never answered" if self.ended is None else f"{self.ended:.6f}"
        parts = [f"{self.began:.6f} - {ended}", f"client {self.client}", self.kind]
        if self.kind == "append":
            parts.append(repr(self.text))
        if self.expected is not None:
            parts.append(f"expecting {self.expected}")
        if self.at is not None:
            parts.append(f"at {self.at}")
        parts.append(self.outcome if self.version is None else f"{self.outcome} {self.version}")
        if self.texts is not None:
            *_, last = ("nothing", *self.texts)
            parts.append(f"{len(self.texts)} texts, the last {last!r}")
        return ", ".join(parts)


@dataclass
class Call:
    """An operation in progress. Without `end`, its outcome stays unknown."""

    operation: Operation
    clock: Callable[[], float]

    def end(self, outcome: Outcome, version: int | None = None, texts: Any = None) -> None:
        """Record the answer."""
        self.operation = replace(
            self.operation,
            ended=self.clock(),
            outcome=outcome,
            version=version,
            texts=None if texts is None else tuple(texts),
        )


@dataclass
class Recorder:
    """A recorder of the operations of clients in one process, by its clock."""

    clock: Callable[[], float] = monotonic
    calls: list[Call] = field(default_factory=list)

    def opened(self, combat: str, version: int) -> None:
        """Record the version with which a combat begins."""
        now = self.clock()
        opened = Operation("", combat, "open", now, now, outcome="read", version=version)
        self.calls.append(Call(opened, self.clock))

    def append(self, client: str, combat: str, text: str, expected: int | None = None) -> Call:
        """Begin an append."""
        return self._begin(
            Operation(client, combat, "append", self.clock(), text=text, expected=expected)
        )

    def read(self, client: str, combat: str, at: int | None = None) -> Call:
        """Begin a read."""
        return self._begin(Operation(client, combat, "read", self.clock(), at=at))

    def _begin(self, operation: Operation) -> Call:
        call = Call(operation, self.clock)
        self.calls.append(call)
        return call

    @property
    def operations(self) -> list[Operation]:
        """Return the operations so far."""
        return [call.operation for call in self.calls]

    def write(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(line(operation) for operation in self.operations))


def line(operation: Operation) -> str:
    """Return an operation as a line, without empty fields."""
    fields = {name: value for name, value in asdict(operation).items() if value not in (None, "")}
    return json.dumps(fields) + "\n"


def stored(lines: Iterable[str]) -> list[Operation]:
    """Return the operations of a stored history."""
    operations = []
    for text in lines:
        fields = json.loads(text)
        if "texts" in fields:
            fields["texts"] = tuple(fields["texts"])
        operations.append(Operation(**{"client": "", **fields}))
    return operations
