"""Test that the client in docs/clients.md plays every rulebook as written."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import installed
from tests.client import Client
from tests.projections.test_catalogue import REFERENCES
from tests.walks import FIGHTS

PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text()
[CODE] = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
async def test_it_plays(client: Client, ruleset: str) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(CODE, "docs/clients.md", "exec"), names)
    random.seed(1)
    thrown: list[list[int]] = []
    throw = names["thrown"]

    def noted(schema: Any) -> list[int]:
        thrown.append(throw(schema))
        return thrown[-1]

    names["thrown"] = noted
    told = await names["play"](client.http, ruleset, 60)
    assert thrown  # the client rolls the faces
    party = installed()[ruleset].parties[0]
    assert [line for line in told if line.startswith(f"{party.name}: a fight")]
    assert "The fight begins." in told
    assert len(told) > len(party.sheets) + 2


def test_it_names_all_that_a_value_may_refer_to() -> None:
    table = re.search(r"^\| named by .*?\n\n", PAGE, re.S | re.M)
    assert table is not None
    named = {*re.findall(r"`([a-z]+)`", table[0])}
    assert named == REFERENCES
