"""Test that offers over HTTP cite the catalogue and repeat nothing from it."""

from functools import reduce
from typing import Any

import pytest

from tests.client import Client
from tests.walks import FIGHTS


def pointed(document: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer without escapes."""
    return reduce(
        lambda value, name: value[int(name) if isinstance(value, list) else name],
        pointer.split("/")[1:],
        document,
    )


@pytest.mark.parametrize("ruleset", FIGHTS)
async def test_what_offers_cite_stands_in_the_catalogue(client: Client, ruleset: str) -> None:
    manual = {"gm": "manual", "players": "manual"}
    await client.open(ruleset, FIGHTS[ruleset](), dice=manual)
    await client.done("/begin")
    catalogue = (await client.http.get(f"/v1/rulesets/{ruleset}")).json()
    whole = await client.get("/options", params={"include": "refused"})
    cited = await client.get("/options", params={"include": "refused", "schemas": "cite"})
    assert cited.json()["options"] == whole.json()["options"]
    assert whole.json()["cited"] == {}
    schemas = dict(cited.json()["schemas"])
    for key, hash in cited.json()["cited"].items():
        place = catalogue["schemas"][key]
        assert place["hash"] == hash
        schemas[key] = pointed(catalogue, place["at"])
    assert schemas == whole.json()["schemas"]
    assert len(cited.content) < len(whole.content)
    assert {key.partition(":")[0] for key in cited.json()["schemas"]} <= {"RollFaces", "NoInputs"}
    wrong = await client.get("/options", params={"schemas": "none"})
    assert wrong.json()["pointer"] == "/query/schemas"
