"""Test archives in object storage, with a bucket of a local S3 server."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import boto3
import pytest

from service.app import Service
from service.objects import ArchiveUnavailable, Missing, objects_at
from service.settings import BadSetting, Settings
from tests.client import Client
from tests.following import caught_up
from tests.service.test_archiving import (
    answers,
    archive_of,
    archived,
    ended,
    is_archived,
    rows,
    serving,
    tidied,
)

BUCKET = "fights"
URL = f"s3://{BUCKET}/affray/old"


class S3:
    """An S3 server in a separate process. Its objects disappear when it stops."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert self.process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)
        self.client = boto3.client("s3", endpoint_url=self.url)
        self.client.create_bucket(Bucket=BUCKET)

    def keys(self) -> list[str]:
        listed = self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return [str(entry["Key"]) for entry in listed]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    named = {
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "something",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    }
    before = {name: os.environ.get(name) for name in (*named, "AWS_ENDPOINT_URL")}
    os.environ.update(named)
    running = S3()
    os.environ["AWS_ENDPOINT_URL"] = running.url
    yield running
    running.stop()
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(scope="module")
async def service(
    s3: S3, dsn: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Service]:
    data = tmp_path_factory.mktemp("data")
    async with serving(Settings(dsn, data, archive=URL)) as (running, _):
        yield running


async def test_a_combat_goes_to_a_bucket_and_comes_back(
    s3: S3, service: Service, client: Client
) -> None:
    combat = await ended(client, service)
    player = await client.player("Ana")
    stored, before = await rows(service, combat), await answers(client, player)
    assert (await archived(service, combat)).startswith("archived")
    assert await is_archived(service, combat)
    (key,) = await asyncio.to_thread(s3.keys)
    assert key.startswith(f"affray/old/{combat}-")
    assert await answers(client, player) == before
    assert await rows(service, combat) == stored
    await caught_up(service)
    await archived(service, combat)
    assert (await client.call("DELETE")).status_code == 204
    await tidied(archive_of(service))
    assert not await asyncio.to_thread(s3.keys)


async def test_damage_and_loss_in_the_bucket(s3: S3, service: Service, client: Client) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    (key,) = await asyncio.to_thread(s3.keys)
    body = s3.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    for harm in ("damaged", "missing"):
        if harm == "damaged":
            s3.client.put_object(Bucket=BUCKET, Key=key, Body=body[:-1])
        else:
            s3.client.delete_object(Bucket=BUCKET, Key=key)
        assert (await client.get()).json()["type"] == "/problems/archive-damaged", harm
        assert await is_archived(service, combat)
    s3.client.put_object(Bucket=BUCKET, Key=key, Body=body)
    assert (await client.get()).status_code == 200


async def test_a_bucket_that_does_not_exist_is_not_an_object_that_is_missing(s3: S3) -> None:
    for url in ("s3://elsewhere/prefix", "s3://elsewhere"):
        objects = objects_at(url)
        with pytest.raises(ArchiveUnavailable):
            await objects.get("one")
        with pytest.raises(ArchiveUnavailable):
            await objects.put("one", b"content")
        with pytest.raises(ArchiveUnavailable):
            await objects.delete("one")
    with pytest.raises(Missing):
        await objects_at(URL).get("one")
    await objects_at(URL).delete("one")


async def test_a_storage_that_has_gone_is_a_503_within_seconds(
    s3: S3, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    s3.stop()
    began = time.monotonic()
    answer = await client.get()
    assert answer.json()["type"] == "/problems/archive-unavailable"
    assert time.monotonic() - began < 15
    other = await ended(client, service)
    with pytest.raises(ArchiveUnavailable):
        await archived(service, other)
    assert (await client.get()).status_code == 200


def test_without_obstore_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
    with pytest.raises(BadSetting, match=r"pip install 'affray\[archive\]'"):
        objects_at(URL)
