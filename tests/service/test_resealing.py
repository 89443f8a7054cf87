"""Test a new encryption key while the service reads and writes."""

from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from eventsourcing.cryptography import AESCipher
from eventsourcing.persistence import MapperDeserialisationError

from domain.record.verify import verify
from service.app import Service, create_app
from service.reencryption import reseal
from service.settings import BadSetting, Settings
from service.store.encryption import AES, mapper_of
from tests.client import Client
from tests.conftest import RULESETS
from tests.rulesets.free_hit.units import SWORD, foe, unit


def rotating(*keys: str) -> dict[str, str]:
    return {"CIPHER_TOPIC": "service.store.encryption:Rotating", "CIPHER_KEY": ",".join(keys)}


async def test_all_is_encrypted_anew_while_the_service_writes(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = AESCipher.create_key(32), AESCipher.create_key(32)
    sheets: list[Any] = [unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")]
    fights: list[Client] = []

    async def serving(environment: dict[str, str], write: Any) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        app = create_app(Settings(dsn, tmp_path), RULESETS)
        service: Service = app.state.service
        async with service.running(app):
            transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
                await write(service, http)

    async def played(service: Service, http: httpx.AsyncClient) -> None:
        fights.append(Client(http))
        await fights[-1].open("free-hit", sheets)
        await fights[-1].done(
            "/webhooks", {"url": "https://93.184.216.34/", "occasions": ["ended"]}
        )
        for _ in range(5):
            await fights[-1].done("/notes", {"text": "Rumpelstiltskin"})

    async def resealed(service: Service, http: httpx.AsyncClient) -> None:
        store, mapper = service.store, service.combats.mapper
        counts = []
        async for count in reseal(store, mapper):
            counts.append(count)
            await played(service, http)
        assert counts[-1][1] > 0
        looked, done = [count async for count in reseal(store, mapper)][-1]
        assert (looked > 0, done) == (True, 0)

    async def read(service: Service, http: httpx.AsyncClient) -> None:
        for fight in fights:
            fight.http = http
            assert (await fight.get()).status_code == 200
            assert verify((await fight.get("/export")).content).sound
        for fight in fights:
            stored = await service.store.events(UUID(fight.combat))
            for stored_event in stored:
                with pytest.raises(MapperDeserialisationError):
                    mapper_of({"CIPHER_KEY": old}).event(stored_event)
        secrets = await service.store.pool.fetch("SELECT secret FROM webhooks")
        assert len(secrets) == len(fights)
        for row in secrets:
            assert service.combats.mapper.opened(row[0])

    await serving({"CIPHER_TOPIC": AES, "CIPHER_KEY": old}, played)
    await serving(rotating(new, old), resealed)
    assert len(fights) > 1
    await serving({"CIPHER_TOPIC": AES, "CIPHER_KEY": new}, read)


async def test_without_a_new_key_nothing_is_encrypted_anew() -> None:
    never_asked: Any = None
    with pytest.raises(BadSetting, match="CIPHER_TOPIC"):
        [count async for count in reseal(never_asked, mapper_of({}))]
