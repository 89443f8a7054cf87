"""Test that the eventsourcing library can open an Affray database."""

import asyncio
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from eventsourcing.application import Application, ProjectorFunction
from eventsourcing.cipher import AESCipher
from eventsourcing.domain import Aggregate, DomainEventProtocol
from eventsourcing.persistence import (
    IntegrityError,
    MapperDeserialisationError,
    NotSupportedError,
    Tracking,
)
from eventsourcing.popo import POPOTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from msgspec.structs import replace

from domain.engine.caller import Caller, Context
from domain.engine.commands import Joining, Note, Open
from domain.engine.session import Session
from domain.record.aggregate import CombatAggregate, project
from domain.record.events import Damaged
from domain.record.marks import CombatDeleted
from domain.record.recorded import Recorded, chain_hash, encode
from domain.rulesets.free_hit import RULESET
from service.app import Service
from service.store.encryption import mapper_of
from service.store.mapper import Mapper
from tests.client import Client
from tests.following import caught_up
from tests.rulesets.free_hit.units import SWORD, foe, unit


@pytest.fixture
def environment(dsn: str) -> dict[str, str]:
    return {"PERSISTENCE_MODULE": "service.store.persistence", "DATABASE_URL": dsn}


@pytest.fixture
def application(environment: dict[str, str]) -> Iterator[Application[Any]]:
    with Application[Any](env=environment) as opened:
        yield opened


async def a_fight(client: Client) -> Client:
    """Play some commands, and undo some of them."""
    fight = Client(client.http)
    ana = unit("Ana", agility=5, weapons=[SWORD], max_hp=900)
    sheets: list[Any] = [ana, foe("Imp", max_hp=900)]
    await fight.open("free-hit", sheets)
    await fight.done("/begin")
    await fight.done("/notes", {"text": "it rains"})
    await fight.done("/undo")
    await fight.done("/notes", {"text": "it snows"})
    await fight.done("/goto", {"version": 3})
    await fight.done("/notes", {"text": "it is dark"})
    return fight


async def test_the_repository_gives_the_state_of_the_service_at_each_version(
    service: Service, client: Client, application: Application[Any]
) -> None:
    fight = await a_fight(client)
    id = UUID(fight.combat)
    hot = service.combats._entries[id]

    for version in range(1, hot.live.version + 1):
        combat_aggregate = await asyncio.to_thread(get, application, id, version)
        assert (combat_aggregate.id, combat_aggregate.version) == (fight.combat, version)
        assert combat_aggregate.combat == hot.live.at(hot.live.history.resolve(version))
    assert (await asyncio.to_thread(get, application, id)).combat == hot.live.combat


async def test_events_and_aggregates_keep_the_protocols(
    client: Client, application: Application[Any]
) -> None:
    fight = await a_fight(client)
    events = await asyncio.to_thread(lambda: list(application.events.get(UUID(fight.combat))))
    assert [domain_event_protocol.originator_version for domain_event_protocol in events] == list(
        range(1, len(events) + 1)
    )
    for domain_event_protocol in events:
        assert isinstance(domain_event_protocol, Recorded)
        assert isinstance(domain_event_protocol, DomainEventProtocol)
        assert domain_event_protocol.originator_id == fight.combat
    half, whole = project(None, events[:4]), project(None, events)  # type: ignore[arg-type]
    assert half is not None
    assert whole is not None
    rest = project(half, events[4:])  # type: ignore[arg-type]
    assert rest is not None
    assert (rest.version, rest.combat) == (whole.version, whole.combat)
    assert project(half, []) is half


def get(application: Application[Any], id: UUID, version: int | None = None) -> CombatAggregate:
    """Return the combat from the library's repository."""
    projector: ProjectorFunction[Any, Any] = project
    response = application.repository.get(id, version=version, projector_func=projector)
    assert isinstance(response, CombatAggregate)
    return response


def context(combat: UUID | str, spare: bytes = b"s" * 32) -> Context:
    """Return the context that an offline tool gives to a command of the GM."""
    gm = Caller("offline", "gm")
    return Context(str(combat), gm, str(uuid4()), "2026-01-01T00:00:00.000Z", {}, spare, "salt")


async def test_a_decision_is_saved_and_the_service_goes_on(
    client: Client, application: Application[Any]
) -> None:
    fight = await a_fight(client)
    id = UUID(fight.combat)

    def note_offline() -> list[int]:
        session = Session.of(RULESET, get(application, id))
        decision = session.decide(Note("the tide comes in"), context(id))
        recordings = application.save(decision.live.aggregate)
        assert [
            recording.domain_event for recording in recordings
        ] == decision.live.aggregate.collect_events()
        return [recording.notification.id for recording in recordings]

    before = (await asyncio.to_thread(get, application, id)).version
    (number,) = await asyncio.to_thread(note_offline)
    (noted,) = (await fight.get(f"/events?after={before}")).json()["events"]
    assert (noted["version"], noted["data"]["text"]) == (before + 1, "the tide comes in")
    await fight.done("/notes", {"text": "and goes"})
    assert (await fight.get("/verify")).json()["sound"]
    stored = await asyncio.to_thread(application.notification_log.select, number, 1)
    assert (stored[0].originator_id, stored[0].originator_version) == (id, before + 1)


async def test_a_combat_is_opened_offline_with_the_seed_of_its_dice(
    service: Service, application: Application[Any]
) -> None:
    id, seed = uuid4(), b"d" * 32
    party: tuple[Any, ...] = tuple(map(Joining, (unit("Ana"), foe("Imp"))))
    opening = Open("free-hit", "offline", {}, combatants=party)
    decision = Session(RULESET).decide(opening, context(id, seed))
    opened = decision.live.aggregate
    with pytest.raises(IntegrityError, match="lacks the seed"):
        await asyncio.to_thread(lambda: application.save(opened))
    wrong = {opened.combat.commitment: b"e" * 32}
    with pytest.raises(IntegrityError, match="lacks the seed"):
        await asyncio.to_thread(lambda: application.save(opened, seeds=wrong))
    seeds = {opened.combat.commitment: seed}
    await asyncio.to_thread(lambda: application.save(opened, seeds=seeds))
    combat_aggregate = await asyncio.to_thread(get, application, id)
    assert (combat_aggregate.id, combat_aggregate.version, combat_aggregate.combat) == (
        str(id),
        opened.version,
        opened.combat,
    )
    assert await service.combats.store.seeds(id) == seeds
    head = await service.combats.store.head(id)
    assert head is not None
    assert (head.version, head.digest) == (opened.version, opened.digest)


async def test_what_does_not_continue_the_combat_is_not_saved(
    client: Client, application: Application[Any]
) -> None:
    fight = await a_fight(client)
    id = UUID(fight.combat)
    old = await asyncio.to_thread(get, application, id)
    late = Session.of(RULESET, old).decide(Note("too late"), context(id)).live.aggregate
    await fight.done("/notes", {"text": "first"})
    present = await asyncio.to_thread(get, application, id)
    next_one = Session.of(RULESET, present).decide(Note("next"), context(id)).live.aggregate
    (fitting,) = next_one.pending
    others = [
        late,
        replace(next_one, pending=(replace(fitting, previous=late.digest),)),  # of another past
        replace(next_one, pending=(fitting, replace(fitting, version=fitting.version + 1))),
        replace(next_one, pending=(replace(fitting, version=fitting.version + 1),)),
    ]
    for aggregate in others:
        with pytest.raises(IntegrityError):
            await asyncio.to_thread(application.save, aggregate)
        now = await asyncio.to_thread(get, application, id)
        assert (now.version, now.digest) == (present.version, present.digest)
    await asyncio.to_thread(lambda: application.save(next_one))
    assert (await asyncio.to_thread(get, application, id)).version == next_one.version


async def test_only_combats_are_written(environment: dict[str, str]) -> None:
    def tries() -> None:
        with Application[Any](env=environment) as opened:
            for write in (
                lambda: opened.save(Aggregate()),
                lambda: opened.factory.tracking_recorder(),
                lambda: opened.factory.process_recorder(),
                lambda: opened.factory.aggregate_recorder("snapshots"),
                lambda: opened.recorder.insert_events([], tracking=Tracking("others", 1)),
            ):
                with pytest.raises(NotSupportedError):
                    write()

    await asyncio.to_thread(tries)


async def test_a_notification_log_has_all_in_order(
    service: Service, client: Client, application: Application[Any]
) -> None:
    fight = await a_fight(client)
    await caught_up(service)

    def read() -> list[Any]:
        notifications: list[Any] = []
        while True:
            page = application.notification_log.select(
                notifications[-1].id + 1 if notifications else 1, 10
            )
            if not page:
                return notifications
            notifications += page

    everything = await asyncio.to_thread(read)
    assert [entry.id for entry in everything] == list(range(1, len(everything) + 1))
    versions = [
        notification.originator_version
        for notification in everything
        if str(notification.originator_id) == fight.combat
    ]
    assert versions == list(range(1, len(versions) + 1))


class Wounds(POPOTrackingRecorder):
    """A view that a third party could write: it uses the library and nothing of the service."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, int, int]] = []
        self.gone: set[str] = set()


class CountWounds(Projection[Wounds]):
    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        with self.view._database_lock:
            self.view._assert_tracking_uniqueness(tracking)
            self.view._insert_tracking(tracking)
            if isinstance(domain_event, CombatDeleted):
                self.view.gone.add(domain_event.combat)
            else:
                place = (domain_event.combat, domain_event.version, tracking.notification_id)
                self.view.told.append(place)


async def test_a_stock_runner_follows_what_is_committed_while_it_runs(
    service: Service, client: Client, environment: dict[str, str]
) -> None:
    fight = await a_fight(client)
    with ProjectionRunner(
        application_class=Application[Any],
        projection_class=CountWounds,
        view_class=Wounds,
        env={**environment, "COUNTWOUNDS_PERSISTENCE_MODULE": "eventsourcing.popo"},
    ) as runner:
        for number in range(10):
            await fight.done("/notes", {"text": f"note {number}"})
        await fight.call("DELETE")
        other = await a_fight(client)
        await caught_up(service)
        end = (await service.followers.status())[0].position
        await asyncio.to_thread(runner.wait, end, 10)
        view = runner.projection.view
        assert fight.combat in view.gone
        versions = [version for combat, version, _ in view.told if combat == other.combat]
        assert versions == list(range(1, len(versions) + 1))
        places = [place for _, _, place in view.told]
        assert places == sorted(set(places))


# ---- bytes

KEY, OTHER = AESCipher.create_key(32), AESCipher.create_key(32)
HURT = Recorded(
    7, 6, "2026-01-01T00:00:00Z", "c", ("t", "gm"), Damaged("a", "hp", 3), combat=str(uuid4())
)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"COMPRESSOR_TOPIC": "zlib"},
        {"CIPHER_KEY": KEY},
        {"CIPHER_KEY": KEY, "CIPHER_TOPIC": "eventsourcing.cipher:AESCipher"},
        {"COMPRESSOR_TOPIC": "eventsourcing.compressor:ZlibCompressor", "CIPHER_KEY": KEY},
        {"CIPHER_TOPIC": "service.store.encryption:Rotating", "CIPHER_KEY": KEY},
    ],
)
def test_what_goes_in_comes_out(settings: dict[str, str]) -> None:
    mapper = mapper_of(settings)
    stored = mapper.to_stored_event(HURT)
    assert (stored.topic, stored.originator_version) == ("damaged:1", 7)
    assert stored.originator_id == UUID(HURT.combat)
    assert mapper.to_domain_event(stored) == HURT
    assert (stored.state == encode(HURT)) == (not settings)
    # The chain covers the plain bytes, also if the database stores encrypted ones.
    assert chain_hash(mapper.event(stored)) == chain_hash(HURT)


@pytest.mark.parametrize("settings", [{}, {"CIPHER_KEY": OTHER}])
def test_another_key_is_refused(settings: dict[str, str]) -> None:
    stored = mapper_of({"CIPHER_KEY": KEY}).to_stored_event(HURT)
    with pytest.raises(MapperDeserialisationError):
        mapper_of(settings).to_domain_event(stored)


def test_keys_are_replaced_one_after_the_other() -> None:
    def rotating(keys: str) -> Mapper:
        return mapper_of({"CIPHER_TOPIC": "service.store.encryption:Rotating", "CIPHER_KEY": keys})

    before = mapper_of({}).to_stored_event(HURT)
    old = rotating(f"{OTHER},plain").to_stored_event(HURT)
    new = rotating(f"{KEY},{OTHER},plain")
    for stored in (before, old, new.to_stored_event(HURT)):
        assert new.to_domain_event(stored) == HURT
    with pytest.raises(MapperDeserialisationError):
        rotating(f"{KEY},{OTHER}").to_domain_event(before)
    with pytest.raises(MapperDeserialisationError):
        rotating(KEY).to_domain_event(old)


def test_an_older_version_of_a_class_is_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    from domain.record import recorded as codec

    def lifts(fields: dict[str, Any]) -> None:
        fields["amount"] = fields.pop("points")

    mapper = mapper_of({})
    stored = mapper.to_stored_event(HURT)
    old = type(stored)(
        stored.originator_id, 7, "damaged:1", stored.state.replace(b'"amount"', b'"points"')
    )
    monkeypatch.setattr(Damaged, "class_version", 2)
    monkeypatch.setattr(Damaged, "upcast_v1_v2", staticmethod(lifts), raising=False)
    monkeypatch.setattr(codec, "TOPICS", {**codec.TOPICS, "damaged:2": (Damaged, 2)})
    lifted = mapper.to_domain_event(old)
    assert isinstance(lifted, Recorded)
    assert msgspec.structs.replace(lifted, lifted=None) == HURT
    assert (codec.topic(lifted), codec.encode(lifted)) == ("damaged:1", old.state)
