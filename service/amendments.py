"""Amendments: decide past commands again in slices, so that other requests do not wait."""

import asyncio
import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final
from uuid import UUID, uuid4

import msgspec
from msgspec.structs import replace

from domain.engine.amendment import Amendment, Step, Walk
from domain.engine.caller import Caller, Context
from domain.engine.commands import Command
from domain.errors import Malformed, Unfitting
from projections.amendments import AmendmentReport, PlayersWhatIf, Reporter, WhatIfLine
from projections.amendments import foreseen as line_of
from projections.board import board
from projections.eyes import Eyes
from service.answers import Answer, Idempotency, keep
from service.combats import Combats
from service.decisions import check, context_of
from service.hot_combat import Hot
from service.http.operation import Request
from service.http.problems import Refusal
from service.http.request_reader import Gone
from service.store import tokens
from service.store.rows import Append, TokenRow

SLICE_S: Final = 0.02
"""Seconds of one slice."""

AT_ONCE: Final = 2
"""The limit of walks that one process runs at the same time."""

PROGRESS_S: Final = 0.25
"""Seconds between two reports of a walk's progress."""

Progress = Callable[[int, int], None]
"""Receives the number of decided commands, and the number of all commands."""

_SEED: Final = 32
_walking = asyncio.Semaphore(AT_ONCE)


async def dry_run(
    combats: Combats, hot: Hot, row: TokenRow, amendment: Amendment, on: "Watch"
) -> AmendmentReport:
    """Return the report of an amendment without storing it.

    The dice of the dry run reveal nothing about the dice of the commit.
    """
    guess = {commitment: os.urandom(_SEED) for commitment in hot.secrets}

    def context(caller: Caller) -> Context:
        return dataclasses.replace(context_of(hot, caller, uuid4()), secrets=guess)

    async def work() -> AmendmentReport:
        _, report = await _walked(hot, row, amendment, context, on, stores=False)
        return report

    async with _walking:
        return await combats.recalling(hot.id, work)


async def foreseen(
    combats: Combats, hot: Hot, row: TokenRow, commands: Sequence[Command], on: "Watch"
) -> PlayersWhatIf:
    """Return the effects of a player's commands, as far as the player could know them."""
    guess = {commitment: os.urandom(_SEED) for commitment in hot.secrets}
    caller = tokens.caller_of(row)

    def context() -> Context:
        return dataclasses.replace(context_of(hot, caller, uuid4()), secrets=guess)

    async def work() -> PlayersWhatIf:
        live, ended = hot.live.apart(), False
        steps: list[WhatIfLine] = []
        for decision, whole in live.foresee(commands, context):
            steps.append(line_of(caller, len(steps) + 1, decision))
            live, ended = decision.live, not whole
            on.tell(len(steps), len(commands))
            await on.look()
        return PlayersWhatIf(tuple(steps), ended, board(live, Eyes(live.history, caller)))

    async with _walking:
        return await combats.recalling(hot.id, work)


async def commit(
    combats: Combats,
    hot: Hot,
    row: TokenRow,
    amendment: Amendment,
    digest: str | None,
    expected: str | None,
    idempotency: Idempotency | None,
    on: "Watch",
) -> Answer:
    """Store an amendment that a dry run has shown, completely or not at all."""
    if digest is None or expected is None:
        pointer = "/digest" if digest is None else "/header/If-Match"
        raise Malformed(
            pointer,
            'a commit has the ETag of its dry run in If-Match, such as "40" with its quotation'
            " marks, and the digest of the dry run in its body",
        )

    async def once(row: TokenRow) -> Answer:
        check(hot, row, expected)
        return await _committed(combats, hot, row, amendment, digest, idempotency, on)

    async with _walking:
        return await combats.changing(hot, row, idempotency, once)


async def _committed(
    combats: Combats,
    hot: Hot,
    row: TokenRow,
    amendment: Amendment,
    digest: str,
    idempotency: Idempotency | None,
    on: "Watch",
) -> Answer:
    assert hot.head is not None
    if hot.broken is not None:
        raise hot.broken

    def context(caller: Caller) -> Context:
        return context_of(hot, caller, uuid4())

    walk, report = await _walked(hot, row, amendment, context, on, stores=True)
    if walk.digest != digest:
        raise Refusal(
            "stale",
            "the amendment comes to something else now than in its dry run: make a new dry run",
        )
    if walk.ended is not None and not walk.ended.decided:
        detail = f"the request does not decide about the command at version {walk.ended.at}"
        raise Unfitting("undecided", detail)
    decision = walk.decision()
    draft = hot.after(decision)
    draft.secrets = {**draft.secrets, **walk.seeds}
    answer = Answer(200, draft.etag_of(row), msgspec.json.encode(report))
    append = Append(
        hot.id,
        UUID(decision.recorded[0].command),
        combats.mapper.rows(decision.recorded, decision.states),
        replace(hot.head, digest=decision.recorded[0].previous),
        hot.head.life,
        draft.live.digest,
        None if idempotency is None else keep(row, idempotency, answer),
        seeds=tuple(walk.seeds.items()),
        ends_at=row.ends_at,
    )
    await on.look()
    await combats.store.append(append)
    hot.become(draft, append.after, sum(len(event.state) for event in append.events))
    combats.counts["commands"] += 1
    return answer


class Watch:
    """Lets other requests run between two slices, and ends the walk if its client disconnects."""

    def __init__(self, request: Request, progress: Progress) -> None:
        self._message = asyncio.ensure_future(request.receive())
        self._progress = progress
        self._until = self._told = time.monotonic()

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._message.cancel()

    async def look(self) -> None:
        """Let other requests run at the end of a slice. Raise `Gone` if the client left."""
        now = time.monotonic()
        if now < self._until:
            return
        await asyncio.sleep(0)
        if self._message.done() and self._message.result()["type"] == "http.disconnect":
            raise Gone
        self._until = time.monotonic() + SLICE_S

    def tell(self, done: int, total: int) -> None:
        """Report the progress of the walk at regular intervals."""
        if time.monotonic() - self._told >= PROGRESS_S:
            self._told = time.monotonic()
            self._progress(done, total)


async def _walked(
    hot: Hot,
    row: TokenRow,
    amendment: Amendment,
    context_of: Callable[[Caller], Context],
    on: Watch,
    *,
    stores: bool,
) -> tuple[Walk, AmendmentReport]:
    caller = tokens.caller_of(row)
    live = hot.live
    walk = Walk(live, amendment, caller, context_of, stores=stores)
    steps: list[Step] = []
    while (step := walk.step()) is not None:
        steps.append(step)
        on.tell(walk.done, walk.total)
        await on.look()
    report = await _reported(walk, Eyes(live.history, caller), steps, on)
    return walk, report(walk.live.version if stores else None)


async def _reported(
    walk: Walk, eyes: Eyes, steps: Sequence[Step], on: Watch
) -> "Callable[[int | None], AmendmentReport]":
    reporter = Reporter(walk, eyes)
    for _ in reporter.lines_of(steps):
        await on.look()
    return partial(reporter.report)
