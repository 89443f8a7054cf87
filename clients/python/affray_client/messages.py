"""Messages of the stream, and the time of the next attempt. This module does no I/O."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import msgspec

from affray_client import shapes
from affray_client.problems import Problem
from affray_client.request import Settings, retry_after_s, url_of
from affray_client.shape import Shape

StreamState = Literal["live", "polling", "lost"]

TYPES: Final[dict[str, type[Shape]]] = {
    "board": shapes.Board,
    "command": shapes.CommandMessage,
    "amended": shapes.AmendedMessage,
    "progress": shapes.WalkProgress,
    "offers": shapes.OfferList,
    "erased": shapes.Board,
    "tokens": shapes.TokensChanged,
    "presence": shapes.Presence,
    "closed": shapes.StreamClosed,
}


@dataclass(frozen=True)
class Message:
    """One message of a stream.

    - `type`: `board`, `command`, `amended`, `progress`, `offers`, `erased`, `tokens`, `presence` or
      `closed`.
    - `data`: the content. Its class differs for each type.
    - `id`: to resume after this message, send the id as `after`. It is `None` if the message has no
      id.
    - `board`: the current board, if the message has it.
    """

    type: str
    data: (
        shapes.Board
        | shapes.CommandMessage
        | shapes.AmendedMessage
        | shapes.WalkProgress
        | shapes.OfferList
        | shapes.TokensChanged
        | shapes.Presence
        | shapes.StreamClosed
    )
    id: str | None
    board: shapes.Board | None

    @property
    def is_last(self) -> bool:
        """Return true if the stream ends for good, after a revoked token or a deleted combat."""
        return isinstance(self.data, shapes.StreamClosed) and self.data.reason != "stopping"


class Frame(NamedTuple):
    """One Server-Sent Event."""

    event: str
    data: str
    id: str | None


class Frames:
    """A parser of Server-Sent Events that accepts pieces of any size."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> list[Frame]:
        """Return the frames that this piece completes."""
        *blocks, self._rest = re.split(r"\r?\n\r?\n", self._rest + piece)
        return [frame for block in blocks if (frame := _frame(block)) is not None]


def _frame(block: str) -> Frame | None:
    event, id, data = "message", None, []
    for line in block.replace("\r\n", "\n").split("\n"):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "id":
            id = value
        elif name == "data":
            data.append(value)
    return Frame(event, "\n".join(data), id) if data else None


def message_of(frame: Frame) -> Message | None:
    """Return the message of a frame, or `None` for a type that only a newer service has."""
    if frame.event not in TYPES:
        return None
    data = msgspec.json.decode(frame.data, type=TYPES[frame.event])
    board = data if isinstance(data, shapes.Board) else getattr(data, "board", None)
    return Message(frame.event, data, frame.id, board)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Times:
    """Times in seconds. Change them for tests.

    - `again`: the first wait before a new attempt. Each further wait is twice as long.
    - `longest`: the longest wait before a new attempt.
    - `first`: the longest wait for the first bytes. If none come, a proxy buffers the stream.
    - `silence`: the longest wait between two pieces. The service sends one every 15 s.
    - `poll`: the time between two polls.
    - `retry`: the time of polling before streaming is tried again.
    """

    again: float = 0.3
    longest: float = 5.0
    first: float = 8.0
    silence: float = 40.0
    poll: float = 2.0
    retry: float = 60.0


@dataclass
class Course:
    """The state of a stream over several connections: its position, and the next step."""

    settings: Settings
    combat: str
    token: str
    last: str | None = None
    full: bool = True
    offers: bool = False
    on_state: Callable[[StreamState], None] | None = None
    times: Times = field(default_factory=Times)

    def __post_init__(self) -> None:
        self.polling = False
        self._failures = 0
        self._poll_until = 0.0
        self._state: StreamState | None = None
        self.board: shapes.Board | None = None

    def connect(self) -> tuple[str, dict[str, str]]:
        """Return URL and headers of the next connection."""
        self.polling = time.monotonic() < self._poll_until
        query = {
            "board": "full" if self.full else "none",
            "offers": "prompted" if self.offers else None,
            "wait": "0" if self.polling else None,
        }
        url = url_of(self.settings, "/v1/combats/{combat}/stream", {"combat": self.combat}, query)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        return url, headers | ({} if self.last is None else {"Last-Event-ID": self.last})

    def alive(self) -> None:
        """Record that the service has sent something."""
        self._failures = 0
        self._tell("polling" if self.polling else "live")

    def message(self, frame: Frame) -> Message | None:
        """Return the message of a frame, and record its id as the position."""
        self.last = frame.id or self.last
        message = message_of(frame)
        self.board = (message and message.board) or self.board
        return message

    def pause_s(self) -> float:
        """Return the seconds to wait after a connection that ended without a failure."""
        return self.times.poll if self.polling else self.times.again

    def refused(self, problem: Problem, headers: Mapping[str, str]) -> float:
        """Return the seconds to wait after a refusal. Raise the problem if a retry cannot help."""
        if problem.status == 400 and self.last is not None:
            # the stream has another id after a delete and import, so begin with the board
            self.last = None
            return 0.0
        if problem.status not in (408, 429) and problem.status < 500:
            raise problem
        return max(self.failed(problem.status in (429, 503)), retry_after_s(headers))

    def failed(self, unstreamed: bool) -> float:
        """Return the seconds to wait after a failure. If `unstreamed`, poll next time."""
        self._failures += 1
        self._tell("lost")
        # If polling fails too, the network is the cause, so the next attempt is a stream again.
        poll = unstreamed and not self.polling
        self._poll_until = time.monotonic() + self.times.retry if poll else 0.0
        wait: float = min(self.times.again * 2 ** (self._failures - 1), self.times.longest)
        return wait * random.uniform(0.5, 1.0)

    def _tell(self, state: StreamState) -> None:
        if state != self._state and self.on_state is not None:
            self.on_state(state)
        self._state = state
