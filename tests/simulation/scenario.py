"""Scenario: run clients, listeners and faults at one or two tables, and check the promises.

During the run, the scenario checks these promises:

- A read shows every write that the service acknowledged before the read began. It shows nothing
  that the database does not have.
- Each replica refuses a revoked token.
- After the service has stored an answer, a repeated idempotency key gets the same answer.
- A listener receives each message once and in order, even after a lost connection.
- Each request ends.

At the end, the scenario checks these promises:

- The log contains each acknowledged command once. Its events have the versions that the answer
  named.
- The log contains no refused command, and no command that no client sent.
- The hash chains verify.
- All replicas and listeners show the same board. A replica that was just started shows it too.
- Each event has one position in the global order.
- Every task ends.
"""

import asyncio
import json
import traceback
from collections import Counter
from contextlib import aclosing, suppress
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct
from msgspec.structs import replace

from domain.record.recorded import Recorded
from domain.record.verify import verify
from service.answers import hashed
from service.store.mapper import Mapper
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.simulation.faults import Plan
from tests.simulation.loop import SimulatedLoop
from tests.simulation.world import KEY, Answer, Broken, Replica, World, applications, deterministic

SHEETS: Final = [
    {"sheet": unit("Ana", agility=5, weapons=[SWORD], max_hp=1000)},
    {"sheet": foe("Imp", weapons=[SWORD], max_hp=1000)},
    {"sheet": foe("Lurker", max_hp=1000), "hidden": True},
]

TRIES: Final = 25
"""Number of times that a client repeats a command with its key."""

WORK: Final = {
    "note": 6,
    "rule": 2,
    "undo": 1,
    "redo": 0.5,
    "close": 0.5,
    "read": 3,
    "player": 0.5,
    "revoke": 1,
    "tries": 1,
    "act": 0.5,
}
"""Weights of a client's actions."""

LISTENS_S: Final = 20.0
"""Seconds without a message after which a listener reconnects. Comments come more often."""

CATCHES_UP_S: Final = 5.0
"""Virtual seconds until a listener has the last command, even if its notice was lost."""

ENDS_S: Final = 60.0


class Done(Struct, frozen=True):
    """An acknowledged command, with the position and types of its events."""

    what: str
    first: int
    types: tuple[str, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.types) - 1


class Table:
    """A combat, and its clients' knowledge of it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.id = UUID(int=0)
        self.gm = ""
        self.player = ""
        self.setup = 0  # events before the clients begin
        self.newest = 0  # version that was acknowledged
        self.done: dict[str, Done] = {}  # by key
        self.notes: dict[str, int] = {}  # version by text
        self.refused: set[str] = set()  # idempotency keys of commands that are not stored
        self.denied: set[str] = set()  # texts of notes that were promised not to be stored
        self.unknown: set[str] = set()  # keys of commands that may be stored
        self.revoked: set[str] = set()
        self.issued: dict[str, str] = {}  # token by id

    @property
    def path(self) -> str:
        return f"/v1/combats/{self.id}"

    def replica(self) -> Replica:
        return self.world.random.choice(self.world.replicas)

    # ---- clients

    async def sent(
        self, method: str, path: str, body: Any, *, token: str, key: str, patient: bool = True
    ) -> Answer | None:
        """Send a command. Return the answer, or `None` if the outcome is unknown.

        Half of the commands have an idempotency key. The client repeats these until a replica
        answers, and sends the others once. An impatient client stops if the first answer promises
        that nothing was stored.
        """
        world, doubt = self.world, False
        named = world.random.random() < 0.5
        for attempt in range(TRIES if named else 1):
            first, generation = (
                world.database.tables.answer_to(hashed(key)),
                world.database.generation,
            )
            try:
                answer = await world.request(
                    self.replica(),
                    method,
                    path,
                    body,
                    token=token,
                    headers={"idempotency-key": key} if named else {},
                )
            except Broken:
                doubt = True
                await asyncio.sleep(world.random.uniform(0.01, 0.2))
                continue
            if answer.status == 503:
                assert answer.problem in ("unavailable", "outcome-unknown"), answer
                doubt = doubt or answer.problem != "unavailable"
                if not doubt and not attempt and not patient:
                    self.refused.add(key)
                    return answer
                await asyncio.sleep(world.random.choice((0.001, 0.1, 1.0)) * world.random.random())
                continue
            if first is not None and generation == world.database.generation:
                assert answer.status == first.status, f"not the first answer to {key}: {answer}"
            if answer.status >= 400 and not doubt:
                self.refused.add(key)
            elif answer.status >= 400:
                self.unknown.add(key)
            return answer
        if doubt:
            self.unknown.add(key)
        else:
            self.refused.add(key)
        return None

    async def open(self, name: str) -> None:
        """Open the combat, begin it, and issue a player's token."""
        body = {
            "ruleset": "free-hit",
            "combatants": SHEETS,
            "name": name,
            "options": {},
        }
        opened = await self.sent("POST", "/v1/combats", body, token=KEY, key=f"open {name:>20}")
        assert opened is not None, "it cannot be opened"
        assert opened.status == 201, opened
        self.id, self.gm = UUID(opened.json["combat"]), opened.json["token"]
        await self.command("begin", "/begin", {}, patient=True)
        self.player = await self.issue() or ""
        assert self.player, "no token"

    async def command(
        self, what: str, path: str, body: Any, *, patient: bool, token: str | None = None
    ) -> Answer | None:
        """Send a command, and record the promises of its answer."""
        world = self.world
        key, generation = f"{what} {world.random.getrandbits(64):x}", world.database.generation
        answer = await self.sent(
            "POST", f"{self.path}{path}", body, token=token or self.gm, key=key, patient=patient
        )
        if generation != world.database.generation:
            self.unknown.add(key)  # the answer may belong to the lost future
            self.refused.discard(key)
        elif answer is not None and answer.status in (200, 201) and token is None:
            events = answer.json["events"]
            version = answer.json["version"]
            types = tuple(event["type"] for event in events)
            assert [event["version"] for event in events] == list(
                range(version - len(events) + 1, version + 1)
            )
            world.counts["acknowledged"] += 1
            self.done[key] = Done(what, version - len(events) + 1, types)
            self.newest = max(self.newest, version)
            if what == "note":
                self.notes[body["text"]] = version
        elif answer is not None and answer.status in (200, 201):
            self.unknown.add(key)  # a player's versions differ from those of the log
        if what == "note" and key in self.refused:
            self.denied.add(body["text"])
        if what == "note" and answer is not None:
            assert answer.status in (201, 409, 503), answer
        return answer

    async def issue(self) -> str | None:
        """Issue a token for Ana's player."""
        world = self.world
        key = f"issue {world.random.getrandbits(64):x}"
        body = {"role": "player", "combatants": ["Ana"]}
        answer = await self.sent("POST", f"{self.path}/tokens", body, token=self.gm, key=key)
        if answer is None or answer.status != 201:
            return None
        self.issued[answer.json["id"]] = answer.json["token"]
        token: str = answer.json["token"]
        return token

    async def revoke(self) -> None:
        """Revoke one of the tokens. After the answer, it fails on every replica."""
        world = self.world
        generation = world.database.generation
        names = [name for name, token in self.issued.items() if token != self.player]
        if not names:
            await self.issue()
            return
        id = world.random.choice(sorted(names))
        path = f"{self.path}/tokens/{id}"
        answer = await self.sent("DELETE", path, None, token=self.gm, key=f"revoke {id}")
        token = self.issued.pop(id, None)
        if token is None or answer is None or answer.status != 204:
            return
        if generation == world.database.generation:
            self.revoked.add(token)

    async def read(self, token: str | None = None) -> None:
        """Check that a read is as new as acknowledged writes, and no newer than the database."""
        world = self.world
        newest, generation = self.newest, world.database.generation
        path = self.path + world.random.choice(("", "", "/events?limit=200"))
        try:
            answer = await world.request(self.replica(), "GET", path, token=token or self.gm)
        except Broken:
            return
        if token is not None or answer.status == 503 or generation != world.database.generation:
            return
        assert answer.status == 200, answer
        if path == self.path:
            version = answer.json["version"]
        else:
            events, cursor = answer.json["events"], answer.json["next"]
            version = len(events) if cursor is None else 2**62
            stored = self.log()
            for event, recorded in zip(events, stored, strict=False):
                assert event["type"] == _type(recorded), "another event than the database has"
        world.counts["reads"] += 1
        assert version >= newest, f"a stale read: {version} after {newest}"
        if version < 2**62:
            held = world.database.tables.heads[self.id].version
            assert version <= held, f"a read of a lost future: {version} after {held}"

    async def try_revoked(self) -> None:
        """Check that a revoked token fails on any replica."""
        if not self.revoked:
            return
        generation = self.world.database.generation
        token = self.world.random.choice(sorted(self.revoked))
        path = self.path + self.world.random.choice(("", "/stream?wait=0"))
        try:
            answer = await self.world.request(self.replica(), "GET", path, token=token)
        except Broken:
            return
        if generation == self.world.database.generation:
            assert answer.status in (401, 503), f"a revoked token may read: {answer.status}"

    async def play(self, name: str, commands: int) -> None:
        """Play one client."""
        random = self.world.random
        for number in range(commands):
            await asyncio.sleep(random.choice((0.0, 0.001, 0.05)) * random.random())
            patient = random.random() < 0.7
            kind = random.choices(
                (
                    "note",
                    "rule",
                    "undo",
                    "redo",
                    "close",
                    "read",
                    "player",
                    "revoke",
                    "tries",
                    "act",
                ),
                (6, 2, 1, 0.5, 0.5, 3, 0.5, 1, 1, 0.5),
            )[0]
            if kind == "note":
                text = f"{name}.{number}"
                private = random.random() < 0.3
                body: dict[str, Any] = {"text": text, "private": private}
                await self.command("note", "/notes", body, patient=patient)
            elif kind == "rule":
                inputs = {"combatant": random.choice(("Ana", "Imp", "Lurker")), "amount": 1}
                body = {"ruling": "damage", "inputs": inputs}
                await self.command("rule", "/rulings", body, patient=patient)
            elif kind in ("undo", "redo"):
                await self.command(kind, f"/{kind}", {}, patient=patient)
            elif kind == "close":
                await self.command("close", "/close", {}, patient=patient)
            elif kind == "act":
                body = {"combatant": "Ana", "action": "end-turn", "inputs": {}}
                await self.command("act", "/actions", body, patient=patient, token=self.player)
            elif kind == "read":
                await self.read()
            elif kind == "player":
                await self.read(self.player)
            elif kind == "revoke":
                await self.revoke()
            else:
                await self.try_revoked()

    # ---- the end

    def log(self) -> list[Recorded]:
        """Return the events in the database."""
        rows = self.world.database.tables.events.get(self.id, {})
        mapper = Mapper()
        return [
            mapper.event(StoredEvent(self.id, version, row.topic, row.state), str(self.id))
            for version, row in sorted(rows.items())
        ]

    def check_log(self) -> None:
        """Check the clients' promises against the log."""
        log = self.log()
        assert [recorded.version for recorded in log] == list(range(1, len(log) + 1))
        assert self.world.database.tables.heads[self.id].version == len(log)
        texts = Counter(str(recorded.event.text) for recorded in log if _type(recorded) == "noted")  # type: ignore[union-attr]
        assert not texts or max(texts.values()) == 1, f"stored twice: {texts.most_common(1)}"
        for text, version in self.notes.items():
            assert texts[text] == 1, f"the acknowledged note {text} is lost"
            assert getattr(log[version - 1].event, "text", None) == text
        assert not self.denied & texts.keys(), "stored, though the answer denied it"
        taken: dict[str, str] = {}
        for key, done in self.done.items():
            types = tuple(_type(recorded) for recorded in log[done.first - 1 : done.last])
            assert types == done.types, f"{key} was answered with other events: {done} {types}"
            command = log[done.last - 1].command
            assert taken.setdefault(command, key) == key, f"one command for {key} and another"
        own = {recorded.command for recorded in log[self.setup :]}
        beyond = own - taken.keys()
        assert len(beyond) <= len(self.unknown), (
            f"{len(beyond)} commands that nobody asked for: unknown are {sorted(self.unknown)}"
        )

    async def present(self, replica: Replica) -> bytes:
        """Return the GM's board from a replica."""
        answer = await self.world.request(replica, "GET", self.path, token=self.gm)
        assert answer.status == 200, answer
        return answer.body

    async def check_boards(self) -> bytes:
        """Check that all replicas agree, including one that has just started. Return the board."""
        world = self.world
        boards = [await self.present(replica) for replica in world.replicas]
        world.replicas[0].kill()
        boards.append(await self.present(world.replicas[0]))
        assert len(set(boards)) == 1, f"replicas do not agree: {boards}"
        assert json.loads(boards[0])["version"] == len(self.log())
        file = await world.request(world.replicas[0], "GET", f"{self.path}/export", token=self.gm)
        report = verify(file.body)
        assert report.sound, report.text()
        return boards[0]


def _type(recorded: Recorded) -> str:
    return str(recorded.event.__struct_config__.tag)


class Screen:
    """A listener that loses its connection and resumes at its last message."""

    def __init__(self, table: Table, token: str) -> None:
        self.table, self.token = table, token
        self.last: str | None = None
        self.number = 0
        self.board: Any = None
        self.generation = table.world.database.generation

    async def follow(self) -> None:
        """Listen until cancelled."""
        random = self.table.world.random
        while True:
            if self.generation != self.table.world.database.generation:
                self._begin_anew()  # its last message may belong to the lost future
            with suppress(Broken, TimeoutError):
                await self._once(random.choice((1, 3, 1000)))
            await asyncio.sleep(random.uniform(0.001, 0.1))

    def _begin_anew(self) -> None:
        self.generation = self.table.world.database.generation
        self.last, self.number, self.board = None, 0, None

    async def _once(self, most: int) -> None:
        world = self.table.world
        headers = {} if self.last is None else {"last-event-id": self.last}
        path = f"{self.table.path}/stream?board=full"
        pieces = world.pieces(
            self.table.replica(),
            "GET",
            path,
            token=self.token,
            headers=headers,
            patience_s=LISTENS_S,
        )
        async with aclosing(pieces):  # type: ignore[type-var]
            rest = b""
            async for answer in pieces:
                if answer.status != 200:
                    changed = self.generation != world.database.generation
                    assert changed or answer.status == 503, answer
                    return
                *frames, rest = (rest + answer.body).split(b"\n\n")
                for frame in frames:
                    if b"data: " in frame:
                        self._take(frame)
                        most -= 1
                if most <= 0:
                    return

    def _take(self, frame: bytes) -> None:
        fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if b": " in line)
        self.table.world.counts["messages"] += 1
        kind, data = fields[b"event"].decode(), json.loads(fields[b"data"])
        self.table.world.loop.trace("heard", frame)
        changed = self.generation != self.table.world.database.generation
        if kind == "board":
            unasked = self.last is not None and not changed
            same = data["version"] == self.number and data != self.board
            assert same or not unasked, "a board that says nothing new"
            self.board = data
        elif kind == "command":
            numbers = [event["version"] for event in data["events"]]
            due = list(range(self.number + 1, self.number + 1 + len(numbers)))
            assert changed or numbers == due, f"messages {numbers} after {self.number}"
            self.board = data.get("board", self.board)
        elif kind in ("tokens", "closed"):
            return
        else:
            raise AssertionError(kind)
        self.last = fields[b"id"].decode()
        self.number = int(self.last.partition("-")[0])

    async def agrees(self) -> None:
        """Check that the listener catches up, and has the same board as a read."""
        world = self.table.world
        answer = await world.request(world.replicas[-1], "GET", self.table.path, token=self.token)
        assert answer.status == 200, answer
        present = answer.json
        until = world.loop.time() + CATCHES_UP_S
        while self.number < present["version"] or self.board != present:
            assert world.loop.time() < until, f"a listener hears no more after {self.number}"
            await asyncio.sleep(0.05)
        assert self.number == present["version"]


async def _trouble(world: World, tables: list[Table]) -> None:
    """Cut replicas off, kill them, and let the database go back."""
    random, plan = world.random, world.plan
    kinds = ["cut"] * plan.cuts + ["kill"] * plan.kills + ["back"] * plan.goes_back
    random.shuffle(kinds)
    for kind in kinds:
        await asyncio.sleep(random.uniform(0, 0.4))
        replica = random.choice(world.replicas)
        world.loop.trace(kind)
        world.counts[kind] += 1
        if kind == "cut":
            replica.link.down_until = world.loop.time() + random.uniform(0.05, 6)
        elif kind == "kill":
            replica.kill()
        else:
            await _go_back(world, tables)


async def _go_back(world: World, tables: list[Table]) -> None:
    """Make the database lose the writes of a short time, like a failover with data loss."""
    old = world.database.tables.copied()
    await asyncio.sleep(world.random.uniform(0, 0.5))
    world.database.go_back(old)
    for table in tables:
        upto = old.heads[table.id].version
        table.newest = upto
        lost = [key for key, done in table.done.items() if done.last > upto]
        for key in lost:
            del table.done[key]
        table.notes = {text: at for text, at in table.notes.items() if at <= upto}
        table.revoked.clear()
        # The lost future may have issued tokens that a client still has.
        table.issued = {id: token for id, token in table.issued.items() if token == table.player}


async def _run(loop: SimulatedLoop, random: Random, plan: Plan, counts: Counter[str]) -> None:
    world = World(loop, random, plan, counts)
    faults, world.plan = world.plan, world.plan.healed()
    for replica in world.replicas:
        replica.link.plan = world.plan
    tables = [Table(world) for _ in range(random.choice((1, 1, 2)))]
    for number, table in enumerate(tables):
        await table.open(f"table {number}")
        table.setup = world.database.tables.heads[table.id].version
        table.done.clear()
        if random.random() < 0.5:  # like a release before migration 0002
            heads = world.database.tables.heads
            heads[table.id] = replace(heads[table.id], digest="")
    world.plan = faults
    for replica in world.replicas:
        replica.link.plan = faults
    screens = [Screen(table, token) for table in tables for token in (table.gm, table.player)]
    following = [world.begin(screen.follow()) for screen in screens]
    clients = [
        world.begin(table.play(f"{at}.{number}", random.randint(3, 8)))
        for at, table in enumerate(tables)
        for number in range(random.choice((2, 3)))
    ]
    await _trouble(world, tables)
    await asyncio.gather(*clients)
    for task in following:
        if task.done():
            task.result()
    world.heal()
    await asyncio.sleep(5)  # late statements have ended
    for table in tables:
        await table.command("note", "/notes", {"text": "the last"}, patient=True)
        await table.check_boards()
        table.check_log()
    for screen in screens:
        await screen.agrees()
    for task in following:
        task.cancel()
    await asyncio.wait(following)
    for replica in world.replicas:
        await replica.stop()
    async with asyncio.timeout(ENDS_S):
        await asyncio.wait(world.tasks)
    me = asyncio.current_task()
    left = [task for task in asyncio.all_tasks() if task is not me]
    if left:
        await asyncio.wait(left, timeout=ENDS_S)
    left = [task for task in left if not task.done()]
    assert not left, f"tasks that do not end: {left}"
    _check_order(world)


def _check_order(world: World) -> None:
    tables = world.database.tables
    while tables.place(2000):
        pass
    placed = [(combat, version) for combat, version, mark in tables.positions.values() if not mark]
    stored = [(combat, version) for combat, rows in tables.events.items() for version in rows]
    assert sorted(placed) == sorted(stored), "an event without its one place"


class Outcome(Struct, frozen=True):
    """The result of a seed: its trace, and the fault, or "" for none."""

    seed: int
    trace: str
    fault: str
    plan: Plan
    counts: Counter[str]


def simulate(seed: int) -> Outcome:
    """Run one seed."""
    applications()  # first, because only the first seed builds them, with randomness
    with deterministic(seed) as (random, on_time):
        plan = Plan.of(random)
        loop = SimulatedLoop(  # type: ignore[abstract]  # of a loop it has what asyncio itself asks
            Random(f"order {seed}"), plan.shuffle, on_time
        )
        fault, counts = "", Counter[str]()
        try:
            loop.run(_run(loop, random, plan, counts))
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            fault = f"{type(error).__name__} at {where}: {error}"[:1000]
        if loop.faults and not fault:
            fault = f"unhandled: {loop.faults[0]}"
        return Outcome(seed, loop.traced, fault, plan, counts)
