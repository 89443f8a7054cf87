"""Test that webhooks call only public addresses, also after a change of DNS."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from domain.engine.caller import Caller
from domain.rulesets.free_hit import RULESET
from projections.eyes import Eyes
from service.live.calls import WebhookCall
from service.live.line import Line, Refused
from service.live.messages import told
from tests.client import Client
from tests.rulesets.free_hit.units import foe, unit
from tests.service.receiver import Receiver
from tests.service.test_webhooks import state_is
from tests.spec import Spec

ANA = unit("Ana", agility=5)
IMP = foe("Imp", agility=1)
HERE = (ip_network("127.0.0.0/8"),)
Leads = Callable[[str, str], None]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    running = await Receiver().start()
    yield running
    await running.stop()


@pytest.fixture
async def leads(monkeypatch: pytest.MonkeyPatch) -> Leads:
    """Yield a function that resolves a name to an address."""
    named: dict[str, str] = {}
    loop = asyncio.get_running_loop()
    known = loop.getaddrinfo

    async def names(host: Any, port: Any, **more: Any) -> Any:
        if host in named:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (named[host], port))]
        return await known(host, port, **more)

    monkeypatch.setattr(loop, "getaddrinfo", names)
    return named.__setitem__


@pytest.mark.parametrize(
    "url",
    [
        "http://table.example/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[2002:a00:1::]/",
        "https://10.1.2.3:8443/",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://0.0.0.0/",
        "https://[fe80::1%25eth0]/",
        "https://[fec0::1]/",
        "https://[5f00::1]/",
        "https://93.184.216.34:0/",
        "https://user:pass@93.184.216.34/",
        "https://no-such-host.invalid/",
        "https://",
        "ftp://93.184.216.34/",
        "//93.184.216.34/",
        "https://93.184.216.34:99999/",
        "nonsense",
        "https://a..b/",
        "https://" + "a" * 300 + ".example/",
    ],
)
async def test_bad_addresses_are_refused(client: Client, url: str) -> None:
    await client.open("free-hit", [ANA, IMP])
    refused = await client.post("/webhooks", {"url": url, "occasions": ["turn"]})
    assert refused.status_code == 400, refused.text
    assert refused.json()["pointer"] == "/url"


async def test_a_public_address_is_taken(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    for url in ("https://93.184.216.34/calls", "https://[2606:4700::1111]/"):
        await client.done("/webhooks", {"url": url, "occasions": ["turn"]})


async def test_what_a_name_leads_to_is_looked_at_each_time(
    client: Client, leads: Leads, receiver: Receiver
) -> None:
    """The service resolves a name again at each call, because its address may have changed."""
    leads("table.example", "93.184.216.34")
    await client.open("free-hit", [ANA, IMP])
    url = f"https://table.example:{receiver.port}/"
    hook = await client.done("/webhooks", {"url": url, "occasions": ["command"]})
    leads("table.example", "127.0.0.1")
    await client.done("/begin")
    webhook = await state_is(client, hook["id"], "failing")
    assert webhook["problem"] == "the host has no public address"
    assert receiver.got == []


# ---- TLS


def certified(folder: Path, name: str) -> Path:
    """Create a self-signed certificate with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


def a_call() -> WebhookCall:
    spec = Spec(RULESET)
    spec.given(ANA, IMP).begin()
    eyes = Eyes(spec.live.history, Caller("gm", "gm"))
    message = told(spec.live, eyes, spec.live.version, list(spec.live.history.recorded), full=False)
    return WebhookCall("command", message.at, spec.live.combat.id, message)


async def test_the_host_is_proven_though_its_address_is_called(
    tmp_path: Path, leads: Leads
) -> None:
    file = certified(tmp_path, "table.example")
    trust = ssl.create_default_context(cafile=str(file))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    receiver = await Receiver(tls=tls).start()
    for name in ("table.example", "other.example"):
        leads(name, "127.0.0.1")
    try:
        for name, there in (("table.example", trust), ("other.example", trust),
                            ("table.example", ssl.create_default_context())):  # fmt: skip
            url = f"https://{name}:{receiver.port}/calls"
            async with Line(url, [b"secret"], HERE, there) as line:
                if name == "table.example" and there is trust:
                    await line.call("1", a_call())
                    await line.call("2", a_call())
                else:
                    with pytest.raises(Refused, match="its certificate is not good"):
                        await line.call("3", a_call())
    finally:
        await receiver.stop()
    assert [call.id for call in receiver.got] == ["1", "2"]
    assert receiver.got[0].headers["host"] == f"table.example:{receiver.port}"


async def test_nobody_there(leads: Leads) -> None:
    receiver = await Receiver().start()
    await receiver.stop()
    async with Line(receiver.url, [b"secret"], HERE, ssl.create_default_context()) as line:
        with pytest.raises(Refused, match="it takes no connection"):
            await line.call("1", a_call())
