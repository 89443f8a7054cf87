"""The published contract is what the service serves, and it is valid."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import validate

from service.http import asyncapi, catalogue, contract
from tests.client import Client

PUBLISHED = Path(contract.FOLDER / "openapi.json")


def test_the_published_contract_is_not_stale() -> None:
    assert PUBLISHED.read_bytes() == contract.encoded(), "run: affray openapi --write"


def test_the_catalogue_of_events_is_not_stale() -> None:
    page = (contract.FOLDER.parent / "docs" / "events.md").read_text()
    assert page == catalogue.page(), "run: affray openapi --write"


def test_it_is_valid_openapi() -> None:
    validate(json.loads(PUBLISHED.read_text()))


def test_each_example_is_what_its_schema_says() -> None:
    document = json.loads(PUBLISHED.read_text())
    known = {"components": document["components"]}
    found = 0
    for at, media in _media(document):
        validator = Draft202012Validator({**known, **media.get("schema", {})})
        for example in media.get("examples", {}).values():
            faults = [one.message for one in validator.iter_errors(example["value"])]
            assert not faults, f"{at}: {faults[0]}"
            found += 1
    assert found > 50


def _media(document: Any) -> Iterator[tuple[str, Any]]:
    """Each body of the contract, with the operation that it belongs to."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            bodies = [operation.get("requestBody"), *operation["responses"].values()]
            for body in filter(None, bodies):
                for media in body.get("content", {}).values():
                    yield f"{method} {path}", media


def test_the_published_contract_of_the_stream_is_not_stale() -> None:
    published = PUBLISHED.with_name("asyncapi.json").read_bytes()
    assert published == asyncapi.encoded(), "run: affray openapi --write"


async def test_the_docs_need_no_internet(client: Client) -> None:
    page = await client.http.get("/schema")
    assert page.status_code == 200
    assert "http" not in page.text.replace("http-equiv", "")
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js", "openapi.json"):
        path = f"/schema/{name}"
        assert path in page.text or name == "openapi.json"
        assert (await client.http.get(path)).status_code == 200
