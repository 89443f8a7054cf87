"""Test the sentences, sums, filters and pages of the timeline over HTTP."""

from tests.client import Client
from tests.service.test_play import fight

MARKDOWN = {"Accept": "text/markdown"}


async def played(client: Client) -> None:
    await fight(client)
    await client.act("Ana", "boost-hit")
    roll = (await client.act("Ana", "attack", target="Imp"))["prompts"][0]["id"]
    await client.answer(roll, faces=[4])  # 4 + 4 + 1 = 9 against 11
    await client.done("/notes", {"text": "A close thing."})
    await client.done("/undo")


async def lines(client: Client, **params: object) -> list[str]:
    answer = await client.get("/timeline", params={"limit": 500, **params})
    assert answer.status_code == 200, answer.text
    return [line["text"] for entry in answer.json()["entries"] for line in entry["lines"]]


async def test_a_roll_shows_its_whole_sum(client: Client) -> None:
    await played(client)
    told = (
        "Ana misses Imp: 4 (1d20) + 4 Accuracy + 1 hit boost = 9 against 11 (10 base + 1 Agility)."
    )
    assert told in await lines(client)


async def test_undone_commands_stay_and_are_marked(client: Client) -> None:
    await played(client)
    assert await lines(client, undone="yes") == ["A close thing."]
    assert "A close thing." not in await lines(client, undone="no")
    newest = (await lines(client, order="newest"))[0]
    assert newest == "The GM takes back “A close thing.”"


async def test_filters_and_pages(client: Client) -> None:
    await played(client)
    assert all("(1d20)" in text for text in await lines(client, type="rolled"))
    assert await lines(client, rule="FH-BST") != []
    assert await lines(client, combatant="Imp", type="downed") == []
    assert await lines(client, round=7) == []
    whole = (await client.get("/timeline", params={"limit": 500})).json()["entries"]
    paged, cursor = [], None
    while True:
        params = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await client.get("/timeline", params=params)).json()
        paged += page["entries"]
        cursor = page["next"]
        if cursor is None:
            break
    assert paged == whole


async def test_filters_refuse_unknown_names(client: Client) -> None:
    await played(client)
    for name, value, allowed in (
        ("type", "damage", "damaged"),
        ("combatant", "Nobody", "Ana"),
        ("rule", "XX-", "FH-ATK"),
    ):
        answer = await client.get("/timeline", params={name: value})
        assert answer.status_code == 400, answer.text
        problem = answer.json()
        assert problem["pointer"] == f"/query/{name}"
        assert allowed in problem["detail"]
    assert (await client.get("/events", params={"type": "damage"})).status_code == 400


async def test_links_keep_their_direction_and_their_filters(client: Client) -> None:
    await played(client)
    first = await client.get("/timeline", headers=MARKDOWN, params={"limit": 1, "combatant": "Ana"})
    assert "[What comes after](" in first.text
    assert "combatant=Ana" in first.text
    newest = {"limit": 1, "order": "newest"}
    last = (await client.get("/timeline", headers=MARKDOWN, params=newest)).text
    assert "[What comes after](" not in last
    before = last.index("[What came before](")
    assert before < last.index("\n- ")  # the undo comes before the commands that it undoes
    assert "order=newest" in last


async def test_a_rule_that_only_keeps_the_books_has_its_lines_when_it_is_asked_for(
    client: Client,
) -> None:
    """The story omits the cost of a boost. A filter by its rule shows it (FH-BST-05, FH-TRN-06)."""
    await played(client)
    assert not [text for text in await lines(client) if text.startswith("Ana spends")]
    assert await lines(client, rule="FH-TRN-06") == ["Ana spends 1 bonus action."]
    # If the story has a line about a rule, a filter by this rule adds no other line.
    assert not [text for text in await lines(client, rule="FH-BST-02") if "spends" in text]


async def test_as_markdown(client: Client) -> None:
    await played(client)
    answer = await client.get("/timeline", headers=MARKDOWN)
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "## Round 1" in answer.text
    assert "~~A close thing.~~" in answer.text
    assert "(FH-" in answer.text
    plain = await client.get("/timeline", params={"cite": "nothing"}, headers=MARKDOWN)
    assert "FH-" not in plain.text
    assert "`" not in plain.text
    assert [line.partition(" _(")[0].partition(" `")[0] for line in answer.text.splitlines()] == (
        plain.text.splitlines()
    )


async def test_a_player_reads_no_numbers_of_foes(client: Client) -> None:
    await played(client)
    player = await client.player("Ana")
    told = await lines_as(client, player)
    assert any(text.startswith("Ana misses Imp:") for text in told)
    assert not any("against 11" in text for text in told)


async def lines_as(client: Client, token: str) -> list[str]:
    answer = await client.get("/timeline", token=token, params={"limit": 500})
    return [line["text"] for entry in answer.json()["entries"] for line in entry["lines"]]


async def test_a_player_reads_what_the_gm_rules_and_reveals(client: Client) -> None:
    """The log tells the square and side of a revealed foe, and names the GM's rulings."""
    await fight(client)
    player = await client.player("Ana")
    where = (await client.get()).json()["combatants"][1]["position"]
    await client.call("PATCH", "/combatants/Imp", {"hidden": True})
    await client.call("PATCH", "/combatants/Imp", {"hidden": False})
    await client.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Imp", "amount": 1}})
    answer = await client.get("/timeline", params={"limit": 500}, token=player)
    told = [line["text"] for entry in answer.json()["entries"] for line in entry["lines"]]
    at = f" at ({where[0]}, {where[1]})" if where else ""
    assert f"Imp comes out of hiding{at}, on the side of the foes." in told
    assert told[-1].startswith("By the GM's ruling, Imp takes damage")
