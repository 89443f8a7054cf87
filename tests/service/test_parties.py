"""Test that each ready fight of every rulebook opens, begins and has a prompt."""

import pytest

from domain.rulebook.party import Party
from domain.rulesets import installed
from tests.client import Client

PARTIES = [(id, party) for id, ruleset in installed().items() for party in ruleset.parties]


def test_every_rulebook_has_two_or_three() -> None:
    counts = {id: len(ruleset.parties) for id, ruleset in installed().items()}
    assert set(counts.values()) <= {2, 3}, counts


@pytest.mark.parametrize(
    ("ruleset", "party"), PARTIES, ids=[f"{id}-{party.id}" for id, party in PARTIES]
)
async def test_a_ready_fight_begins_and_asks(client: Client, ruleset: str, party: Party) -> None:
    shown = (await client.http.get(f"/v1/rulesets/{ruleset}")).json()["parties"]
    (told,) = [entry for entry in shown if entry["id"] == party.id]
    assert told["name"] == party.name
    opened = await client.open(
        ruleset=ruleset,
        name=told["name"],
        options=told["options"],
        map=told["map"],
        combatants=told["sheets"],
    )
    assert len(opened["board"]["combatants"]) == len(party.sheets)
    assert (await client.done("/begin"))["prompts"]
