"""Test in random fights that each stream and ETag agree with a read of the board.

The readers take the messages of the stream as a client does. Each audience has two readers. The
first always follows the stream. The second is sometimes away, and resumes with the id of its last
message.
"""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, cast
from uuid import UUID, uuid4

import msgspec
import pytest

from projections.offers import listed, offers
from service.combats import Combats
from service.conformance.walker import Walker
from service.hot_combat import Hot
from service.live.listener import Listener
from service.live.places import Place, mark_of, place_of
from service.live.table import Table
from service.store.rows import Head, TokenRow
from tests.forms import forms
from tests.spec import Spec
from tests.walks import FIGHTS, begin

COMMANDS = 60

walks = forms(
    "ruleset, seed",
    ("definitions", 8),
    ("free-hit", 2),
    ("hallowed-earth", 7),
    ("sovereign", 6),
    ("vile-darkness", 4),
    long=[(ruleset, seed) for ruleset in FIGHTS for seed in range(100, 130)],
)


class Memory:
    """A memory of combats that holds every event and drops none."""

    def __init__(self) -> None:
        self.losses = Counter[UUID]()

    async def recall(self, _: UUID, work: Callable[[], Any]) -> Any:
        return work()


class Reader:
    """A reader that builds its board only from messages.

    `visits` is the probability that the reader reads after a command. With `offered`, its messages
    also include the offers of its prompts.
    """

    def __init__(self, hot: Hot, row: TokenRow, visits: float, *, offered: bool = False) -> None:
        self.hot, self.row, self.visits, self.offered = hot, row, visits, offered
        self.last = ""
        self.board: Any = None
        self.offers: Any = None
        self.kinds: Counter[str] = Counter()
        self._listener: Listener | None = None

    async def hear(self, table: Table) -> None:
        """Take all messages that are ready."""
        listener = self._listener or self._arrives()
        self._listener = listener if self.visits == 1 else None
        listener.offers = self.offered
        listener.behind = True
        while listener.behind:
            async for piece in listener.hear(cast(Combats, Memory()), table, self.hot):
                self._take(piece.decode())

    def _arrives(self) -> Listener:
        hot, row = self.hot, self.row
        place = place_of(self.last, hot, row, "") if self.last else Place(0)
        mark, known = mark_of(hot, row), set(hot.valid_tokens)
        return Listener(0, row, mark, True, place.number, 0, frozenset(), known, place.board)

    def _take(self, message: str) -> None:
        fields = dict(line.split(": ", 1) for line in message.strip().split("\n"))
        kind, data = fields["event"], json.loads(fields["data"])
        self.kinds[kind] += 1
        self.last = fields.get("id", self.last)
        self.offers = data if kind == "offers" else self.offers
        if kind == "board":
            assert data != self.board, "a board that says nothing new"
        self.board = data if kind == "board" else data.get("board", self.board)


def readers_of(spec: Spec) -> list[Reader]:
    """Return two readers for each player of the first side, for spectators and for the GM."""
    everybody = list(spec.combat)
    heroes = [combatant.id for combatant in everybody if combatant.side == everybody[0].side]
    rows = [TokenRow(who, b"", "player", "", None, (who,)) for who in heroes]
    rows += [TokenRow(role, b"", role, "", None, ()) for role in ("spectator", "gm")]
    head = Head(uuid4(), spec.live.version, "", 0, 0)
    hot = Hot(uuid4(), spec.live, head, {row.id: row for row in rows})
    return [
        Reader(hot, row, visits, offered=row is rows[0] and visits == 1)
        for row in rows
        for visits in (1, 0.4)
    ]


@pytest.mark.sampled
@walks
async def test_a_stream_agrees_with_the_board(ruleset: str, seed: int) -> None:
    spec, random, table = begin(ruleset, seed), Random(seed), Table()
    walker = Walker(spec, random, gm=0.1, thorough=1000)
    readers = readers_of(spec)
    hot = readers[0].hot
    boards: dict[tuple[str, str], bytes] = {}
    for _ in range(COMMANDS):
        if not walker.step():
            break
        hot.live = spec.live
        for reader in readers:
            if random.random() >= reader.visits:
                continue
            await reader.hear(table)
            present = hot.board_of(reader.row).body
            assert reader.board == json.loads(present), (reader.row.id, spec.live.version)
            seen = boards.setdefault((reader.row.id, hot.etag_of(reader.row)), present)
            assert seen == present, (reader.row.id, spec.live.version)
            if reader.offered:
                eyes = hot.seen_by(reader.row)
                answers = offers(hot.live, eyes, prompted=True)
                said = listed(None, eyes.sequence, answers, cite=True)
                assert reader.offers == json.loads(msgspec.json.encode(said)), spec.live.version
    assert all(reader.kinds["command"] for reader in readers)
    assert not any(reader.kinds["board"] for reader in readers if reader.row.role == "gm")
