"""Run the eventsourcing library's test cases against Affray's classes.

They run on the recorders of the persistence module, and on the service's async store. `LEFT_OUT`
names the skipped cases and tests with reasons. A test fails if the library adds a case that is
neither run nor named.
"""

import asyncio
import inspect
import threading
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, ClassVar
from unittest import TestCase
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import asyncpg
import pytest
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    InfrastructureFactory,
    IntegrityError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.tests import persistence as theirs
from eventsourcing.utils import Environment

from service.store.log import Store
from service.store.notifications import Notifications
from service.store.order import Order
from service.store.persistence import Events, Factory, Log
from service.store.rows import Append, Conflict, Unavailable
from service.store.transcoder import MsgspecTranscoder

pytestmark = pytest.mark.sampled(0)

LEFT_OUT = {
    "TrackingRecorderTestCase": "we track for nobody: a reader's view has its own module",
    "ProcessRecorderTestCase": "nobody processes events into our log",
    "test_dict_subclass": "a transcoding for a subclass of dict; events hold plain JSON",
    "test_list_subclass": "a transcoding for a subclass of list; events hold plain JSON",
    "test_str_subclass": "a transcoding for a subclass of str; events hold plain JSON",
    "test_int_subclass": "a transcoding for a subclass of int; events hold plain JSON",
    "test_tuple": "tuples come back by the types of the Structs, not by a word in the JSON",
    "test_mixed": "the same",
    "test_custom_type_in_dict": "transcodings by name; our types are Structs",
    "test_nested_custom_type": "the same",
    "test_custom_type_error": "the same",
    "test_mapper_with_wrong_cipher_key": "maps the library's own events, and ours maps Affray's"
    " alone: test_library.test_another_key_is_refused",
    "test_create_tracking_recorder": "refused: test_library.test_nothing_is_written",
    "test_create_process_recorder": "refused: test_library.test_nothing_is_written",
}


class Background:
    """An event loop in a thread, with a store in it."""

    def __init__(self, dsn: str) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.store: Store = self.run(Store.open(dsn))
        self.order = Order(self.store.database, dsn, self.store.stored)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def close(self) -> None:
        self.run(self.store.close())
        self.loop.call_soon_threadsafe(self.loop.stop)


class Written(ApplicationRecorder):
    """The service's store, as the library's recorder."""

    def __init__(self, background: Background, factory: Factory) -> None:
        self.background = background
        self.log = factory.application_recorder()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        if not stored_events:
            return None
        numbers: list[int] = self.background.run(self._insert(stored_events))
        return numbers

    async def _insert(self, events: Sequence[StoredEvent]) -> list[int]:
        store = self.background.store
        combat = events[0].originator_id
        assert isinstance(combat, UUID)
        for _ in range(100):
            try:
                head = await store.head(combat)
                await store.append(Append(combat, uuid4(), events, head, uuid4(), "h"))
                break
            except Conflict as error:
                raise IntegrityError(str(error)) from error
            except Unavailable:
                await asyncio.sleep(0.05)
        while await self.background.order.place():
            pass
        rows = await store.pool.fetch(
            "SELECT position FROM positions WHERE originator_id = $1"
            " AND originator_version = ANY($2) ORDER BY originator_version",
            combat,
            [stored_event.originator_version for stored_event in events],
        )
        return [row[0] for row in rows]

    def select_events(self, *args: Any, **kwargs: Any) -> Any:
        return self.log.select_events(*args, **kwargs)

    def select_notifications(self, *args: Any, **kwargs: Any) -> Any:
        return self.log.select_notifications(*args, **kwargs)

    def max_notification_id(self) -> int | None:
        highest: int | None = self.log.max_notification_id()
        return highest

    def subscribe(self, *args: Any, **kwargs: Any) -> Any:
        return self.log.subscribe(*args, **kwargs)


class OurOwn(Written):
    """A recorder that reads with the methods of the service's `Notifications`."""

    @property
    def ours(self) -> Notifications:
        return Notifications(self.background.store.database)

    def select_events(self, *args: Any, **kwargs: Any) -> Any:
        return self.background.run(self.ours.select_events(*args, **kwargs))

    def select_notifications(self, *args: Any, **kwargs: Any) -> Any:
        return self.background.run(self.ours.select_notifications(*args, **kwargs))

    def max_notification_id(self) -> int | None:
        highest: int | None = self.background.run(self.ours.max_notification_id())
        return highest


class Given:
    """The setup of a test: a new Affray database."""

    background: ClassVar[Background]
    factory: ClassVar[Factory]
    dsn: ClassVar[str]


@pytest.fixture(autouse=True)
async def _given(server_dsn: str, request: pytest.FixtureRequest) -> Any:
    """Create a new database, because the library's tests count from 1."""
    if not issubclass(request.cls or object, TestCase):
        yield
        return
    name = f"cases_{uuid4().hex[:12]}"
    connection = await asyncpg.connect(server_dsn)
    await connection.execute(f"CREATE DATABASE {name}")
    dsn = urlunsplit(urlsplit(server_dsn)._replace(path=f"/{name}"))
    Given.dsn = dsn
    Given.background = await asyncio.to_thread(Background, dsn)
    Given.factory = Factory({"DATABASE_URL": dsn})
    yield
    Given.factory.close()
    await asyncio.to_thread(Given.background.close)
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


class TestAggregateRecorder(theirs.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return Given.factory.aggregate_recorder()


class TestApplicationRecorder(theirs.ApplicationRecorderTestCase):
    def create_recorder(self) -> ApplicationRecorder:
        return Given.factory.application_recorder()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestRecorderNonInterleaving(theirs.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return Given.factory.application_recorder()


class TestTwinOfAggregateRecorder(theirs.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        class Quiet(Written):  # an aggregate recorder returns no notification ids
            def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
                super().insert_events(stored_events, **kwargs)

        return Quiet(Given.background, Given.factory)


class TestTwinOfApplicationRecorder(theirs.ApplicationRecorderTestCase):
    def create_recorder(self) -> ApplicationRecorder:
        return Written(Given.background, Given.factory)

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestOurOwnOperations(theirs.ApplicationRecorderTestCase):
    def create_recorder(self) -> ApplicationRecorder:
        return OurOwn(Given.background, Given.factory)


class TestNonInterleaving(theirs.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return Written(Given.background, Given.factory)


class TestTranscoder(theirs.TranscoderTestCase):
    def construct_transcoder(self) -> Transcoder:
        return MsgspecTranscoder()


class TestFactory(theirs.InfrastructureFactoryTestCase[Factory]):
    def setUp(self) -> None:
        self.env = Environment(
            env={
                InfrastructureFactory.PERSISTENCE_MODULE: "service.store.persistence",
                "DATABASE_URL": Given.dsn,
            }
        )
        super().setUp()
        self.env = self.factory.env

    def expected_factory_class(self) -> type[Factory]:
        return Factory

    def expected_aggregate_recorder_class(self) -> type[AggregateRecorder]:
        return Events

    def expected_application_recorder_class(self) -> type[ApplicationRecorder]:
        return Log

    def expected_tracking_recorder_class(self) -> Any:
        raise NotImplementedError

    def tracking_recorder_subclass(self) -> Any:
        raise NotImplementedError

    def expected_process_recorder_class(self) -> Any:
        raise NotImplementedError


OURS = (
    TestAggregateRecorder,
    TestApplicationRecorder,
    TestRecorderNonInterleaving,
    TestTwinOfAggregateRecorder,
    TestTwinOfApplicationRecorder,
    TestOurOwnOperations,
    TestNonInterleaving,
    TestTranscoder,
    TestFactory,
)
for _case in OURS:
    for _name in LEFT_OUT:
        if hasattr(_case, _name):
            setattr(_case, _name, None)
del _case, _name  # or pytest would collect it


def cases() -> Iterator[str]:
    for name, case in inspect.getmembers(theirs, inspect.isclass):
        if issubclass(case, TestCase) and case.__module__ == theirs.__name__:
            yield name


@pytest.mark.parametrize("name", sorted(cases()))
def test_each_case_is_run_or_named(name: str) -> None:
    run = {base.__name__ for case in OURS for base in case.__mro__}
    assert (name in run) != (name in LEFT_OUT)
