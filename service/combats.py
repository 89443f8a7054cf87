"""Combats: load, decide, commit. The only place where commands meet the store.

Memory is a guess that the database confirms. A read asks it first where the combat stands; a
command is decided on what is in memory and stored only if the combat stands exactly there, with
the caller's token in force. There is one entry for each combat, and whoever finds that it is not
the present reads the log anew under the entry's lock.
"""

import asyncio
import os
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import random
from typing import Any, TypeVar
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

import msgspec

from domain.engine.caller import Caller, Context
from domain.engine.commands import Command
from domain.engine.live import Decision, Live
from domain.errors import Refused, Stale, Unfitting, Unknown
from domain.record.erase import erase
from domain.record.events import SeedCommitted
from domain.record.recorded import Recorded, encode
from domain.rulebook.ruleset import Ruleset
from service.answers import Answer, Idempotency, first_answer, keep
from service.hot import Hot, grown
from service.past import with_past
from service.store import tokens
from service.store.database import PATIENCE_S
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.pulse import Pulse
from service.store.rows import Append, Conflict, Head, TokenRow, Unavailable
from service.store.tokens import Presented

TRIES = 60
"""How often a command that lost a race is decided again."""

Done = TypeVar("Done")


class NotHere(Refused):
    """There is no such combat, or none for this token."""


class NotInForce(Refused):
    """The token was revoked, has ended, or never was."""


Reply = Callable[[Hot, Decision], tuple[int, Any]]
"""Makes the answer to a decision: status and body."""


class Combats:
    """The combats of one replica."""

    def __init__(
        self,
        store: Store,
        rulesets: Mapping[str, Ruleset],
        limit: int = 1000,
        mapper: Mapper | None = None,
    ) -> None:
        self.store = store
        self.mapper = mapper or Mapper()
        self.rulesets = rulesets
        self.pulse = Pulse(store)
        self.limit = limit
        self.on_change: Callable[[UUID], None] = lambda combat: None
        self.counts = {"commands": 0, "conflicts": 0, "loads": 0, "replays": 0}
        # Every entry that anybody holds, and of these the ones used last.
        self._entries: WeakValueDictionary[UUID, Hot] = WeakValueDictionary()
        self._recent: OrderedDict[UUID, Hot] = OrderedDict()

    def __len__(self) -> int:
        return len(self._recent)

    def ruleset(self, id: str) -> Ruleset:
        """An installed ruleset; raises `Unknown`."""
        try:
            return self.rulesets[id]
        except KeyError:
            raise Unknown("ruleset", id, tuple(self.rulesets)) from None

    # ---- reading

    async def admit(self, presented: Presented, *, now: bool) -> tuple[Hot, TokenRow]:
        """The combat of a token and the token's row. Raises `NotHere`, `NotInForce`.

        `now`: as the database says at this moment. Otherwise what is in memory will do, because
        a command follows, whose own statement asks again.
        """
        id = presented.combat
        hot = self._entries.get(id)
        if hot is not None and not now:
            row = hot.tokens.get(presented.id)
            if row is not None and tokens.matches(presented, row):
                self._used(hot)
                return hot, row
        head = await self.pulse.of(id)
        if head is None:
            self._forget(id)
            raise NotHere(f"no combat {id} for this token")
        if hot is None or hot.head is None:  # whoever has no token makes us load nothing
            known = await self.store.token(id, presented.id)
            if known is None or not tokens.matches(presented, known):
                raise NotInForce("this token is not in force")
        hot = await self._at(id, head)
        row = hot.tokens.get(presented.id)
        if row is None or not tokens.matches(presented, row):
            raise NotInForce("this token is not in force")
        return hot, row

    def known(self, id: UUID) -> Head | None:
        """Where a combat stood when it was looked at last; None = nothing is believed of it."""
        hot = self._entries.get(id)
        return None if hot is None else hot.head

    async def confirmed(self, id: UUID) -> Hot:
        """The combat as the database says at this moment. Raises `NotHere`, `Unavailable`."""
        head = await self.pulse.of(id)
        if head is None:
            self._forget(id)
            raise NotHere(f"no combat {id} for this token")
        return await self._at(id, head)

    async def _at(self, id: UUID, head: Head) -> Hot:
        """The combat as it is at `head`, or later. Raises `NotHere`."""
        hot = self._entries.get(id)
        if hot is None:
            hot = self._entries[id] = Hot(id, Live(next(iter(self.rulesets.values()))))
        if hot.head != head:
            async with hot.held(PATIENCE_S):
                await self._bring(hot, head)
        self._used(hot)
        return hot

    async def _bring(self, hot: Hot, head: Head | None = None) -> None:
        """Read from the log what is not known yet (all that is new, when no `head` is given)."""
        if head is not None and hot.head is not None and hot.head.covers(head):
            return
        try:
            if head is not None and await self._grow(hot, head):
                return
            present = await self.store.head(hot.id)
            if present is None:
                self._forget(hot.id)
                raise NotHere(f"no combat {hot.id} for this token")
            await self._load(hot, present)
        except BaseException:
            hot.doubt()
            raise

    async def _grow(self, hot: Hot, head: Head) -> bool:
        """Read no more than what is new at `head`; whether that was possible."""
        if hot.head is None or not grown(hot.head, head) or head.version < hot.live.version:
            return False
        live, secrets, rows = hot.live, hot.secrets, hot.tokens
        if head.version > live.version:
            stored = await self.store.events(hot.id, live.version, head.version)
            recorded = [self.mapper.event(one) for one in stored]

            async def grow() -> Live:
                return hot.live.with_events(recorded)

            live = await with_past(self.store, self.mapper, hot.id, grow)
            if any(isinstance(one.event, SeedCommitted) for one in recorded):
                secrets = await self.store.seeds(hot.id)
        if live.version != head.version or head.digest not in ("", live.digest):
            return False  # deleted meanwhile, and perhaps stored anew
        if head.tokens != hot.head.tokens:
            rows = {row.id: row for row in await self.store.tokens(hot.id)}
        self.counts["loads"] += 1
        hot.secrets = secrets
        hot.believe(live, head, rows)
        return True

    async def _load(self, hot: Hot, head: Head) -> None:
        self.counts["loads"] += 1
        stored = await self.store.events(hot.id, 0, head.version)
        if len(stored) != head.version:
            raise NotHere(f"no combat {hot.id} for this token")  # deleted meanwhile
        recorded = [self.mapper.event(one) for one in stored]
        opened: Any = recorded[0].event
        live = Live.stored(self.ruleset(opened.ruleset), recorded)
        assert head.digest in ("", live.digest), f"the chain of {hot.id} is not what was stored"
        rows = {row.id: row for row in await self.store.tokens(hot.id)}
        hot.secrets = await self.store.seeds(hot.id)
        hot.believe(live, head, rows)

    def _used(self, hot: Hot) -> None:
        self._recent[hot.id] = hot
        self._recent.move_to_end(hot.id)
        if len(self._recent) > self.limit:
            self._recent.popitem(last=False)

    def _forget(self, id: UUID) -> None:
        self._recent.pop(id, None)

    def keep(self, hot: Hot) -> None:
        """A combat that has just been stored for the first time."""
        hot.live = hot.live.left_to_log()
        if hot.id not in self._entries:
            self._entries[hot.id] = hot
            self._used(hot)

    # ---- the past

    async def recalling(self, id: UUID, work: Callable[[], Awaitable[Done]]) -> Done:
        """What `work` comes to, with the combat's old events that it needs.

        It is done from its beginning each time that some were missing, on the combat as it is
        then: what it does must have no effect before it has all of them.
        """

        async def again() -> Done:
            hot = self._entries.get(id)
            if hot is not None and hot.head is None:  # forgotten while the log was read
                await self.confirmed(id)
            return await work()

        return await with_past(self.store, self.mapper, id, again)

    async def recall(self, id: UUID, work: Callable[[], Done]) -> Done:
        """The same for what waits for nothing else."""

        async def done() -> Done:
            return work()

        return await self.recalling(id, done)

    async def whole(self, hot: Hot) -> list[Recorded]:
        """All events of the combat, as they are in the log. Raises `NotHere`."""
        stored = await self.store.events(hot.id, 0, hot.live.version)
        if len(stored) != hot.live.version:
            raise NotHere(f"no combat {hot.id} for this token")
        return [self.mapper.event(one) for one in stored]

    # ---- deciding

    async def decide(
        self,
        hot: Hot,
        row: TokenRow,
        command: Command,
        reply: Reply,
        *,
        expected: str | None = None,
        idempotency: Idempotency | None = None,
    ) -> Answer:
        """Decide a command and commit it; the work goes on when the client goes away.

        `expected` is an If-Match: another ETag than the present is refused (412).
        """

        async def once(row: TokenRow) -> Answer:
            if expected is not None:
                _check(hot, row, expected)
            return await self._commit(hot, row, command, reply, idempotency)

        return await self.changing(hot, row, idempotency, once)

    async def changing(
        self,
        hot: Hot,
        row: TokenRow,
        idempotency: Idempotency | None,
        once: Callable[[TokenRow], Awaitable[Done]],
    ) -> Done | Answer:
        """Change a combat under its lock: `once`, again after each `Conflict`.

        A refusal is only told when the database confirms what it rests on. The first answer to
        an idempotency key is given instead of a second.
        """
        task = asyncio.create_task(self._changing(hot, row, idempotency, once))
        return await asyncio.shield(task)

    async def _changing(
        self,
        hot: Hot,
        row: TokenRow,
        idempotency: Idempotency | None,
        once: Callable[[TokenRow], Awaitable[Done]],
    ) -> Done | Answer:

        async def tried() -> Done:
            return await once(self._in_force(hot, row))

        async with hot.held(PATIENCE_S):
            for lost in range(TRIES):
                if lost > 2:  # give the other replica time to be the one that waits
                    await asyncio.sleep(random() * 0.002 * lost)
                if hot.head is None:
                    await self._bring(hot)
                try:
                    done = await with_past(self.store, self.mapper, hot.id, tried)
                    self.on_change(hot.id)
                    return done
                except Conflict:
                    self.counts["conflicts"] += 1
                    refused = None
                except Refused as error:
                    refused = error
                fresh = await self._freshen(hot)
                first = await first_answer(self.store, hot.id, row.id, idempotency)
                if first is not None:
                    self.counts["replays"] += 1
                    return first
                if refused is not None and not fresh:
                    raise refused
        raise Unfitting("busy", "too many others changed the combat; try again")

    @staticmethod
    def _in_force(hot: Hot, row: TokenRow) -> TokenRow:
        known = hot.in_force(row.id)
        if known is None:
            raise NotInForce("this token is not in force")
        return known

    async def _freshen(self, hot: Hot) -> bool:
        """Bring the combat to the present; whether it was not there."""
        head = await self.pulse.of(hot.id)
        if head is None:
            hot.doubt()
            self._forget(hot.id)
            raise NotHere(f"no combat {hot.id} for this token")
        if head == hot.head:
            return False
        await self._bring(hot, head)
        return True

    async def _commit(
        self,
        hot: Hot,
        row: TokenRow,
        command: Command,
        reply: Reply,
        idempotency: Idempotency | None,
    ) -> Answer:
        """One try. What the database has not acknowledged is not believed."""
        assert hot.head is not None
        decision = hot.live.decide(command, self.context(hot, tokens.caller_of(row)))
        draft = hot.after(decision)
        status, content = reply(draft, decision)
        answer = Answer(status, draft.etag_of(row), msgspec.json.encode(content))
        append = Append(
            hot.id,
            UUID(decision.recorded[0].command),
            [
                self.mapper.row(hot.id, one, state)
                for one, state in zip(decision.recorded, decision.states, strict=True)
            ],
            replace(hot.head, digest=decision.recorded[0].previous),
            hot.head.life,
            draft.live.digest,
            None if idempotency is None else keep(row, idempotency, answer),
            seeds=seeds_of(decision),
            ends_at=row.ends_at,
        )
        await self.store.append(append)
        hot.become(draft, append.after)
        self.counts["commands"] += 1
        return answer

    def context(self, hot: Hot, caller: Caller) -> Context:
        """What a command of the caller gets from outside."""
        now = datetime.now(UTC)
        return Context(
            str(hot.id),
            caller,
            str(uuid4()),
            _rfc3339(now),
            hot.secrets,
            os.urandom(32),
            b64encode(os.urandom(9)).decode(),
            lambda seconds: _rfc3339(now + timedelta(seconds=seconds)),
        )

    def preview(self, hot: Hot, row: TokenRow, command: Command) -> Decision:
        """Decide on a copy, with dice that tell nothing about the real ones; nothing is kept."""
        context = self.context(hot, tokens.caller_of(row))
        guess = {commitment: os.urandom(32) for commitment in hot.secrets}
        return hot.live.preview(command, replace(context, secrets=guess))

    # ---- forgetting

    async def erase(
        self,
        hot: Hot,
        row: TokenRow,
        *,
        who: str | None,
        version: int | None,
        idempotency: Idempotency | None,
    ) -> Answer:
        """Forget texts: in the log, the kept answers, and in every memory."""

        async def once(row: TokenRow) -> Answer:
            if who is not None:
                hot.live.combat[who]
            if version is not None:
                hot.live.history.resolve(version)
            assert hot.head is not None
            changed = erase(await self.whole(hot), who=who, version=version)
            answer = Answer(204, "", b"")
            await self.store.rewrite(
                hot.id,
                hot.head,
                [(one.version, self.mapper.sealed(encode(one))) for one in changed],
                None if idempotency is None else keep(row, idempotency, answer),
            )
            await self._renew(hot)
            return answer

        return await self.changing(hot, row, idempotency, once)

    async def _renew(self, hot: Hot) -> None:
        """Read it anew at once, so that no memory keeps what was erased."""
        hot.doubt()
        try:
            await self._bring(hot)
        except (Unavailable, NotHere):  # the erasing is done all the same
            hot.forget()

    async def delete(self, hot: Hot, row: TokenRow) -> None:
        """Forget a combat for good."""

        async def once(row: TokenRow) -> None:
            assert hot.head is not None
            await self.store.delete(hot.id, hot.head)
            hot.doubt()
            self._forget(hot.id)

        await self.changing(hot, row, None, once)


def _rfc3339(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seeds_of(decision: Decision) -> tuple[tuple[str, bytes], ...]:
    """The secret of a commitment that the decision has made."""
    if decision.seed is None:
        return ()
    return ((decision.live.combat.commitment, decision.seed),)


def _check(hot: Hot, row: TokenRow, expected: str) -> None:
    present = f'"{hot.etag_of(row)}"'
    named = [one.strip() for one in expected.split(",")]
    if "*" not in named and present not in named:
        raise Stale(expected, present)
