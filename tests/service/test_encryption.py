"""Test that a service with an encryption key stores nothing that others can read."""

from base64 import b64decode
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from eventsourcing.cryptography import AESCipher
from eventsourcing.persistence import MapperDeserialisationError

from service.app import Service, create_app
from service.settings import BadSetting, Settings
from service.store.encryption import mapper_of
from tests.client import Client
from tests.conftest import RULESETS
from tests.following import caught_up
from tests.rulesets.free_hit.units import SWORD, foe, unit


async def test_a_service_with_a_key_stores_nothing_in_plain(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIPHER_KEY", AESCipher.create_key(32))
    app = create_app(Settings(dsn, tmp_path), RULESETS)
    service: Service = app.state.service
    async with service.running(app):
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            fight = Client(http)
            sheets: list[Any] = [unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")]
            await fight.open("free-hit", sheets)
            await fight.done("/begin")
            body = {"url": "https://93.184.216.34/", "occasions": ["ended"]}
            secret = (await fight.done("/webhooks", body))["secret"]
            service.combats.recent.clear()  # so that the service reads the log again
            assert (await fight.get()).json()["status"] == "running"
            await caught_up(service)
            assert [status.set_aside for status in await service.followers.status()] == [0, 0, 0]
        pool, id = service.store.pool, UUID(fight.combat)
        states = await pool.fetch("SELECT state FROM stored_events WHERE originator_id = $1", id)
        assert states
        assert not [row for row in states if b"Ana" in row[0] or b"type" in row[0]]
        sealed = await pool.fetchval("SELECT secret FROM webhooks WHERE combat_id = $1", id)
        raw = b64decode(secret.removeprefix("whsec_"))
        assert raw not in sealed
        assert service.combats.mapper.opened(sealed) == raw
        stored = await service.combats.store.events(id)
    for other in ("", AESCipher.create_key(32)):
        with pytest.raises(MapperDeserialisationError):
            mapper_of({"CIPHER_KEY": other}).event(stored[0])
        # A service with another key does not start, because it would mix two keys in one log.
        monkeypatch.setenv("CIPHER_KEY", other)
        app = create_app(Settings(dsn, tmp_path), RULESETS)
        with pytest.raises(BadSetting, match="CIPHER_KEY"):
            async with app.state.service.running(app):
                pass
