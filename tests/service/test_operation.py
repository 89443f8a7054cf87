"""Test metrics, the log as JSON, ids of requests, and traces."""

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import get_args
from uuid import UUID, uuid4

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as prometheus

from service import logs
from service.app import Service, create_app
from service.keys import RoleName
from service.settings import KNOWN, BadSetting, Settings
from tests.client import Client
from tests.server import Server, free_port

ROOT = Path(__file__).parents[2]

SHEETS = [
    {"name": "Ana", "side": "heroes", "agility": 4, "accuracy": 3, "max_hp": 20},
    {"name": "Imp", "side": "foes", "agility": 1, "accuracy": 3, "max_hp": 9},
]
FORMATS = [
    ("text/plain", prometheus, "text/plain"),
    ("application/openmetrics-text", openmetrics, "application/openmetrics-text"),
]


@pytest.mark.parametrize(("accept", "parse", "media_type"), FORMATS)
async def test_the_metrics_can_be_read_in_the_format_that_is_asked_for(
    client: Client, accept: str, parse: object, media_type: str
) -> None:
    await client.open("free-hit", SHEETS)
    assert callable(parse)
    answer = await client.http.get("/metrics", headers={"Accept": accept})
    assert answer.headers["content-type"].startswith(media_type)
    families = {family.name: family for family in parse(answer.text)}
    assert all(family.documentation for family in families.values())
    [hot] = families["affray_hot_combats"].samples
    assert hot.value >= 1
    opened = [
        sample.value
        for sample in families["affray_request_seconds"].samples
        if sample.name == "affray_request_seconds_count"
        and sample.labels == {"operation": "openCombat", "status": "201"}
    ]
    assert opened[0] >= 1


async def test_a_refused_request_is_counted_under_its_status(client: Client) -> None:
    missing = await client.http.get(f"/v1/combats/{uuid4()}")
    assert missing.status_code == 401
    text = (await client.http.get("/metrics")).text
    assert 'affray_request_seconds_count{operation="readCombat",status="401"}' in text


async def test_an_answer_names_its_request(client: Client) -> None:
    sent = await client.http.get("/health/live", headers={"X-Request-Id": "proxy-7.a"})
    assert sent.headers["x-request-id"] == "proxy-7.a"
    made = {(await client.http.get("/nowhere")).headers["x-request-id"] for _ in range(2)}
    assert len(made) == 2
    for bad in ("a b", "x" * 101, '"'):
        answer = await client.http.get("/health/live", headers={"X-Request-Id": bad})
        assert answer.headers["x-request-id"] != bad


@pytest.fixture
def root_logger() -> Iterator[None]:
    """Restore the handlers of the log after the test."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.usefixtures("root_logger")
@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_fault_in_the_log_names_request_and_combat(
    client: Client,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    form: logs.Form,
) -> None:
    await client.open("free-hit", SHEETS)

    async def broken(combat: UUID) -> None:
        raise RuntimeError("a fault")

    logs.set_up(form)
    with monkeypatch.context() as patch:
        patch.setattr(service.combats.pulse, "of", broken)
        answer = await client.get("", headers={"X-Request-Id": "seven"})
    assert answer.status_code == 500
    told = ""
    while "RuntimeError: a fault" not in told:
        await asyncio.sleep(0.01)
        told += capfd.readouterr().err
    path = f"/v1/combats/{client.combat}"
    if form == "text":
        assert f"ERROR fault in {path} [request=seven combat={client.combat}]" in told
        return
    records = [json.loads(line) for line in told.splitlines()]
    [fault] = [record for record in records if record["message"] == f"fault in {path}"]
    assert (fault["level"], fault["logger"]) == ("ERROR", "affray")
    assert (fault["request"], fault["combat"]) == ("seven", str(client.combat))
    assert "RuntimeError: a fault" in fault["exc_info"]


def test_the_log_has_two_forms() -> None:
    with pytest.raises(BadSetting, match="AFFRAY_LOG is text or json, not 'xml'"):
        Settings.from_environment({"AFFRAY_LOG": "xml"})


class Collector(BaseHTTPRequestHandler):
    """A collector of traces by OTLP over HTTP."""

    spans: list[tuple[str, dict[str, str]]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    named = {
                        attribute.key: attribute.value.string_value for attribute in span.attributes
                    }
                    self.spans.append((span.name, named))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Yield the address of a local collector, and the spans that it has received."""
    Collector.spans = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", Collector.spans
        running.shutdown()


async def test_traces_name_the_operation_the_combat_and_its_queries(
    dsn: str,
    collector: tuple[str, list[tuple[str, dict[str, str]]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, spans = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    server = Server(dsn)
    await asyncio.to_thread(server.start)
    try:
        async with httpx.AsyncClient(base_url=server.url) as http:
            body = {"ruleset": "free-hit", "combatants": [{"sheet": sheet} for sheet in SHEETS]}
            opened = (await http.post("/v1/combats", json=body)).json()
            headers = {"Authorization": f"Bearer {opened['token']}"}
            await http.get(f"/v1/combats/{opened['combat']}", headers=headers)
    finally:
        await asyncio.to_thread(server.stop)
    reads = [named for name, named in spans if name == "readCombat"]
    assert [named["affray.combat"] for named in reads] == [opened["combat"]]
    assert any(named.get("db.system") == "postgresql" for _, named in spans)
    assert "LISTEN" not in {name for name, _ in spans}, "background work is not traced"
    assert not any(opened["token"] in str(named) for _, named in spans)


def test_without_the_extra_the_service_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "service.tracing", None)
    with pytest.raises(BadSetting, match=r"pip install 'affray\[tracing\]'"):
        create_app(Settings(None, tmp_path))


async def test_the_dashboard_shows_metrics_that_exist(client: Client) -> None:
    await client.open("free-hit", SHEETS)
    text = (await client.http.get("/metrics")).text
    dashboard = ROOT / "docs" / "operation" / "grafana.json"
    shown = {
        name
        for panel in json.loads(dashboard.read_text())["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b(?:affray|process)_\w+", target["expr"])
    }
    assert len(shown) > 12
    assert [name for name in shown if name not in text] == []


def test_the_threat_model_names_each_token_and_each_secret_setting() -> None:
    page = (ROOT / "docs" / "threat-model.md").read_text()
    table = page.partition("## Tokens and keys")[2].partition("\n## ")[0]
    first = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")]
    for role in get_args(RoleName):
        assert f"{role.replace('gm', 'GM')} token" in first
    # Every value that the contract shows once is a secret.
    for secret in ("ticket", "webhook", "application", "seed"):
        assert any(secret in row for row in first), secret
    secret_settings = [name for name in KNOWN if name.endswith("_KEY")] + ["CIPHER_KEY"]
    assert "AFFRAY_SERVICE_KEY" in secret_settings
    for name in (*secret_settings, "DATABASE_URL", "AWS_SECRET_ACCESS_KEY"):
        assert any(name in row for row in first), name


@pytest.mark.skipif(os.environ.get("AFFRAY_FUZZ") != "long", reason="by AFFRAY_FUZZ=long alone")
def test_the_list_of_parts_is_valid_cyclonedx() -> None:
    subprocess.run(["make", "-s", "sbom"], cwd=ROOT, check=True)
    file = ROOT / "dist" / "affray.cdx.json"
    check = (
        "import sys; from cyclonedx.schema import SchemaVersion as V;"
        " from cyclonedx.validation.json import JsonStrictValidator as J;"
        " print(J(V.V1_6).validate_str(open(sys.argv[1]).read()))"
    )
    python = ROOT / ".venv" / "tools" / "bin" / "python"
    told = subprocess.run([python, "-c", check, file], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "None"
    parts = {part["name"]: part for part in json.loads(file.read_bytes())["components"]}
    locked = re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.txt").read_text(), re.M)
    assert set(locked) == set(parts)
    for part in parts.values():
        assert any(reference.get("hashes") for reference in part["externalReferences"]), part


@pytest.mark.skipif(os.environ.get("AFFRAY_FUZZ") != "long", reason="by AFFRAY_FUZZ=long alone")
def test_an_audit_that_reaches_no_database_is_no_success(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    environment = {**os.environ, "HTTPS_PROXY": nowhere, "https_proxy": nowhere}
    subprocess.run(["make", "-s", ".venv/tools.stamp"], cwd=ROOT, check=True)
    told = subprocess.run(
        ["make", "-s", "audit"],
        cwd=ROOT,
        env={**environment, "HOME": str(tmp_path)},  # a folder for cached answers
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode != 0
    assert "requirements.txt is not audited, or has a vulnerability" in told.stderr
    assert "No known vulnerabilities found" not in told.stdout + told.stderr
