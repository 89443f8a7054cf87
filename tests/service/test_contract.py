"""The published contract is valid, and describes what the service serves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec import Struct
from openapi_spec_validator import validate

from domain.rulesets import installed
from projections import events_page
from projections.schemas import accepts_null
from service.http import asyncapi, contract
from service.http.schemas import pascal
from tests.client import Client

RULESETS = tuple(installed())
PUBLISHED = Path(contract.FOLDER / "openapi.json")


def test_the_published_contract_is_not_stale() -> None:
    assert PUBLISHED.read_bytes() == contract.encoded(), "run: affray openapi --write"


async def test_the_service_says_which_version_its_contract_has(client: Client) -> None:
    health = (await client.http.get("/health/live")).json()
    assert health["version"] == contract.contract()["info"]["version"]


def test_the_catalogue_of_events_is_not_stale() -> None:
    page = (contract.FOLDER.parent / "docs" / "events.md").read_text()
    assert page == events_page.page(), "run: affray openapi --write"


def test_it_is_valid_openapi() -> None:
    validate(json.loads(PUBLISHED.read_text()))


def test_each_example_is_what_its_schema_says() -> None:
    document = json.loads(PUBLISHED.read_text())
    known = {"components": document["components"]}
    checked = 0
    for at, media in _media(document):
        validator = Draft202012Validator({**known, **media.get("schema", {})})
        for example in media.get("examples", {}).values():
            faults = [iter_error.message for iter_error in validator.iter_errors(example["value"])]
            assert not faults, f"{at}: {faults[0]}"
            checked += 1
    assert checked > 50


def _media(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield each body of the contract with its operation."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            bodies = [operation.get("requestBody"), *operation["responses"].values()]
            for body in filter(None, bodies):
                name = body.get("$ref", "").removeprefix("#/components/responses/")
                body = document["components"]["responses"].get(name, body)
                for media in body.get("content", {}).values():
                    yield f"{method} {path}", media


def test_the_published_contract_of_the_stream_is_not_stale() -> None:
    published = PUBLISHED.with_name("asyncapi.json").read_bytes()
    assert published == asyncapi.encoded(), "run: affray openapi --write"


async def test_the_docs_need_no_internet(client: Client) -> None:
    page = await client.http.get("/schema")
    assert page.status_code == 200
    assert "http" not in page.text.replace("http-equiv", "")
    for name in ("scalar.js", "start.js"):
        assert f"/schema/{name}" in page.text
        assert (await client.http.get(f"/schema/{name}")).status_code == 200
    start = (await client.http.get("/schema/start.js")).text
    assert '"persistAuth": false' in start
    for ruleset in RULESETS:
        assert f"/schema/openapi.json?ruleset={ruleset}" in start


async def test_the_contract_of_one_rulebook(client: Client) -> None:
    whole = await client.http.get("/schema/openapi.json")
    cut = await client.http.get("/schema/openapi.json?ruleset=definitions")
    validate(cut.json())
    assert set(cut.json()["paths"]) == set(whole.json()["paths"])
    assert any(name.startswith("FreeHit") for name in whole.json()["components"]["schemas"])
    assert not any(name.startswith("FreeHit") for name in cut.json()["components"]["schemas"])
    again = await client.http.get(
        "/schema/openapi.json?ruleset=definitions", headers={"If-None-Match": cut.headers["etag"]}
    )
    assert again.status_code == 304
    unknown = await client.http.get("/schema/openapi.json?ruleset=chess")
    assert unknown.status_code == 404
    assert "definitions" in unknown.json()["detail"]


def test_generators_know_every_type_and_no_default_hides_a_field() -> None:
    """No schema has an untyped enum, an open object or a default, because generators fail on it."""
    document = json.loads(PUBLISHED.read_text())
    for name, schema in document["components"]["schemas"].items():
        for at, part in _schemas(name, schema):
            assert "default" not in part, at
            if {"enum", "const"} & part.keys():
                assert "type" in part, at
            if part.get("type") == "object" and not {"properties", "maxProperties"} & part.keys():
                assert "additionalProperties" in part, at
            assert all(re.search(r"\w", str(v) or "empty") for v in part.get("enum", ())), at


def test_a_field_with_a_default_may_be_left_out_of_a_request_and_is_in_each_response() -> None:
    schemas = json.loads(PUBLISHED.read_text())["components"]["schemas"]
    assert schemas["DiceSettingsInput"].get("required", []) == []
    assert set(schemas["DiceSettings"]["required"]) == {"gm", "players", "after_undo"}
    assert schemas["OpenFreeHit"]["required"] == ["ruleset"]
    assert schemas["OpenDefinitions"]["required"] == ["ruleset", "options"]  # DEF-GEN-01
    assert schemas["DefinitionsOptions"]["required"] == ["death_roll"]
    assert "inputs" in schemas["DeclareTrip"]["required"]  # a trip requires a target


def test_no_field_that_is_never_null_says_what_null_means() -> None:
    told = 0
    for name, schema in contract.contract()["components"]["schemas"].items():
        for field, part in schema.get("properties", {}).items():
            says = "`null`: " in part.get("description", "")
            told += says
            assert not says or accepts_null(part), (name, field, part["description"])
    assert told > 100


@pytest.mark.parametrize(
    ("field", "about"),
    [
        ("Derivation.target", "The number to reach, with its terms. `null`: none, or withheld"),
        ("Derivation.version", "Version of the event"),
        ("SumView.total", "The sum of the terms that count"),
        ("AmendedCommand.at", "Version of the first event of the changed command"),
        ("Verification.events", "Number of events"),
        ("SetOrders.who", "Id of the combatant"),
        ("AnswerRoll.option", "Id of the option"),
        (
            "HallowedEarthDamageInputs.to",
            'The pool that loses points first. Default: `"stress-first"`',
        ),
    ],
)
def test_a_field_that_shares_its_name_has_a_meaning_of_its_own(field: str, about: str) -> None:
    struct, _, name = field.partition(".")
    schema = contract.contract()["components"]["schemas"][struct]
    assert schema["properties"][name]["description"] == about


def test_operations_of_one_tag_are_not_those_of_webhooks_that_call_out() -> None:
    """Calls to webhooks have a separate tag, because generators write one file for each tag."""
    document = json.loads(PUBLISHED.read_text())
    tags = {
        tag
        for path in document["paths"].values()
        for method in path.values()
        for tag in method["tags"]
    }
    assert {"Live", "Webhooks"} <= tags
    assert document["webhooks"]["called"]["post"]["tags"] == ["Webhook calls"]
    assert "Webhook calls" not in tags


def _schemas(at: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each schema within a schema, without quoted examples."""
    if isinstance(value, dict):
        yield at, value
        for key, inner in value.items():
            if key == "properties":
                for name, field in inner.items():
                    yield from _schemas(f"{at}.{name}", field)
            elif key not in ("examples", "example", "enum", "const"):
                yield from _schemas(at, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _schemas(at, inner)


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_descriptions_are_for_readers_of_json(name: str) -> None:
    """Descriptions contain no indentation of code, no Python values and no private references."""
    told = list(_descriptions(json.loads(PUBLISHED.with_name(name).read_text())))
    assert len(told) > 20
    code = re.compile(r"\n {2,}|(?<!-)\b(None|True|False)\b|GAP-\d|\b2\.\d\b")
    assert [text for text in told if code.search(text)] == []


def test_no_pattern_lets_in_what_no_text_may_hold() -> None:
    """No pattern contains a dot: a dot matches U+0000, and every field refuses U+0000."""
    patterns = set(_patterns(json.loads(PUBLISHED.read_text())))
    assert len(patterns) > 5
    signs = re.compile(r"\\.|\[[^]]*\]")
    assert [pattern for pattern in patterns if "." in signs.sub("", pattern)] == []


def _patterns(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(pattern := value.get("pattern"), str):
            yield pattern
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _patterns(part)


def _descriptions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("description"), str):
            yield value["description"]
        for part in value.values():
            yield from _descriptions(part)
    elif isinstance(value, list):
        for part in value:
            yield from _descriptions(part)


def test_a_parameter_says_one_thing_and_a_field_what_it_holds() -> None:
    document = json.loads(PUBLISHED.read_text())
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    parameters = [parameter for operation in operations for parameter in operation["parameters"]]
    assert all(parameter["description"] for parameter in parameters)
    assert [
        parameter["name"] for parameter in parameters if "description" in parameter["schema"]
    ] == []
    schemas = document["components"]["schemas"]

    def about(field: str) -> str:
        struct, name = field.split(".")
        return str(schemas[struct]["properties"][name]["description"])

    # Some names mean one thing in a rulebook's action, and another on the map or in a problem.
    assert "square" in about("ReachedView.to")
    assert "unit" in about("ReachedView.cost")
    assert "stopped" in about("ClosedPrompt.because")
    assert "Points" not in about("PartView.value") + about("AbsentView.value")


def test_no_schema_is_named_after_a_module() -> None:
    """No schema is named after a module, so names do not change when code moves."""
    schemas = json.loads(PUBLISHED.read_text())["components"]["schemas"]
    inputs = {"DefinitionsHoldActionInputs", "SovereignJoinInputs", "VileDarknessPlaceInputs"}
    assert inputs <= set(schemas)
    kinds = [kind for kind in _subclasses(Struct) if kind.__module__.startswith("domain.rule")]
    for ruleset in RULESETS:
        for kind in kinds:
            module = kind.__module__.rpartition(".")[2]
            assert f"{pascal(ruleset)}{pascal(module)}{kind.__name__}" not in schemas


def _subclasses(kind: type[Struct]) -> Iterator[type[Struct]]:
    for child in kind.__subclasses__():
        yield child
        yield from _subclasses(child)
