"""Test faults that the simulation has found, on the model of the store."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from eventsourcing.persistence import StoredEvent

from domain.rulesets import installed
from service.app import Service, create_app
from service.settings import Settings
from service.store.mapper import Mapper
from tests.client import Client
from tests.rulesets.free_hit.units import foe, unit
from tests.simulation.model import ModelDatabase, ModelStore, Tables
from tests.simulation.world import KEY


class Interrupted(ModelStore):
    """A store whose database goes back to `old` before a read of events."""

    old: Tables | None = None

    async def events_among(
        self, combat: UUID, spans: Sequence[tuple[int, int]]
    ) -> list[StoredEvent]:
        if self.old is not None:
            self.database.go_back(self.old)
            self.old = None
        return await super().events_among(combat, spans)


@pytest.fixture
def replica() -> Service:
    made: Service = create_app(
        Settings(None, Path("nowhere"), service_key=KEY), installed()
    ).state.service
    return made


@pytest.fixture
async def store(replica: Service) -> Interrupted:
    made = Interrupted(ModelDatabase())
    replica.connect(made, Mapper(), lambda combat: None)
    return made


@pytest.fixture
async def gm(replica: Service, store: Interrupted) -> AsyncIterator[Client]:
    transport = httpx.ASGITransport(app=replica.asgi)
    key = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=key
    ) as http:
        client = Client(http)
        await client.open("free-hit", [unit("Ana"), foe("Imp")])
        yield client


async def test_a_database_that_goes_back_while_a_combat_is_loaded_denies_no_combat(
    replica: Service, store: Interrupted, gm: Client
) -> None:
    old = store.database.tables.copied()
    await gm.done("/notes", {"text": "lost"})
    store.old = old
    replica.connect(store, Mapper(), lambda combat: None)  # with an empty memory
    answer = await gm.get()
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
    assert (await gm.get()).status_code == 200


async def test_a_combat_that_is_deleted_while_it_is_loaded_is_not_there(
    replica: Service, store: Interrupted, gm: Client
) -> None:
    replica.connect(store, Mapper(), lambda combat: None)
    store.old = Tables()
    assert (await gm.get()).status_code == 404
