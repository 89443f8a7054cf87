"""Test the history over HTTP, such as past states, export, import and fork."""

from base64 import urlsafe_b64encode
from typing import Any
from uuid import uuid4

import pytest

from domain.record.export import read
from domain.record.verify import verify
from tests.client import Client
from tests.service.forging import forged_with
from tests.service.test_play import fight
from tests.service.test_refusals import problem

NDJSON = {"Content-Type": "application/x-ndjson"}


async def hit(client: Client) -> None:
    """Open a fight in which Ana hits Imp for 5 of its 6 points."""
    await fight(client)
    roll = (await client.act("Ana", "attack", target="Imp"))["prompts"][0]["id"]
    roll = (await client.answer(roll, faces=[9]))["prompts"][0]["id"]
    await client.answer(roll, faces=[4])  # 4 + 1


async def test_why_has_imp_one_hit_point(client: Client) -> None:
    await hit(client)
    answer = await client.get("/why", params={"combatant": "Imp", "track": "hp"})
    steps = answer.json()["steps"]
    assert [step["value"] for step in steps] == [6, 1]
    assert "Ana rolls damage: 4 (1d8) + 1 Strength = 5" in steps[-1]["because"][-1]
    assert steps[-1]["rules"] == ["FH-DMG-06"]
    missing = await client.get("/why", params={"combatant": "Imp", "condition": "prone"})
    problem(missing, 404, "not-found")
    problem(await client.get("/why", params={"combatant": "Imp"}), 409, "unfitting")


async def test_diff_between_branches(client: Client) -> None:
    await fight(client)
    start = (await client.get()).json()["version"]
    await client.act("Ana", "boost-hit")
    boosted = (await client.get()).json()["version"]
    await client.done("/undo")
    await client.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Imp", "amount": 2}})
    answer = (await client.get("/diff", params={"from": boosted})).json()
    assert answer["common"] == start
    assert [change["what"] for change in answer["undone"]] == ["Ana: boost-hit"]
    assert [change["what"] for change in answer["done"]] == ["ruling: damage"]
    changed = {combatant["combatant"]: combatant["changes"] for combatant in answer["combatants"]}
    assert {"field": "tracks.hp", "before": {"value": 6, "maximum": 6},
            "after": {"value": 4, "maximum": 6}} in changed["Imp"]  # fmt: skip
    assert "conditions" in {change["field"] for change in changed["Ana"]}
    assert answer["text"] == [  # the text begins with the damage
        "Imp: Hit points 6 → 4",
        "Ana: loses hit boost; Bonus action 1 → 2",
    ]
    early = (await client.get("/diff", params={"from": 2, "to": 3})).json()
    assert [change["what"] for change in early["done"]] == [
        "combatant joined"
    ]  # when the combat was opened
    same = (await client.get("/diff", params={"from": start, "to": start})).json()
    assert (same["combatants"], same["done"]) == ([], [])
    problem(await client.get("/diff", params={"from": 999}), 404, "not-found")
    words = await client.get("/diff", params={"from": boosted}, headers={"Accept": "text/markdown"})
    assert words.headers["content-type"].startswith("text/markdown")
    assert "- Imp: Hit points 6 → 4\n" in words.text
    assert words.text.endswith("- undone: Ana: +1 to hit\n- done: ruling: damage\n")


async def test_the_tree_shows_every_branch(client: Client) -> None:
    await fight(client)
    await client.done("/seed")
    await client.act("Ana", "boost-hit")
    await client.done("/undo", {"reason": "wrong button"})  # the fight gets a new seed
    await client.act("Ana", "boost-damage")
    answer = (await client.get("/tree")).json()
    assert [
        (branch["difference"], branch["by"], branch["round"], branch["reason"], branch["present"])
        for branch in answer["branches"]
    ] == [
        ("open", "gm", 0, "", True),
        ("Ana: boost-hit", "gm", 1, "", False),
        ("Ana: boost-damage", "gm", 1, "wrong button", True),
    ]
    commands = [branch["command"] for branch in answer["branches"]]
    assert commands == ["open", "Ana: +1 to hit", "Ana: +1 melee damage"]
    first, undone, now = (branch["text"] for branch in answer["branches"])
    assert first.startswith("From the beginning: open, and ")
    assert undone.endswith(", in round 1: Ana: +1 to hit; undone")
    assert now.endswith(", in round 1: Ana: +1 melee damage (gone back before it: wrong button)")


async def test_undo_over_the_turn_right_after_new_dice(client: Client) -> None:
    await fight(client)
    start = (await client.get()).json()["combatants"]
    await client.act("Ana", "boost-hit")
    await client.done("/seed")
    await client.act("Ana", "boost-damage")
    await client.done("/undo")  # new dice
    await client.done("/undo", {"over": "turn"})
    assert (await client.get()).json()["combatants"] == start


async def test_a_ruling_s_reason_is_in_the_why(client: Client) -> None:
    await fight(client)
    ruling = {
        "ruling": "damage",
        "inputs": {"combatant": "Imp", "amount": 2},
        "reason": "falling rocks",
    }
    await client.done("/rulings", ruling)
    answer = await client.get("/why", params={"combatant": "Imp", "track": "hp"})
    assert "falling rocks" in answer.json()["steps"][-1]["because"][-1]


async def test_options_and_prompts_as_they_were(client: Client) -> None:
    await fight(client)
    then = (await client.get()).json()["version"]
    before = (await client.get("/options", params={"combatant": "Ana"})).json()
    await client.act("Ana", "end-turn")
    past = {"combatant": "Ana", "at": then}
    assert (await client.get("/options", params=past)).json() == before
    prompts = (await client.get("/prompts", params={"at": then})).json()["prompts"]
    assert [prompt["who"] for prompt in prompts] == ["Ana"]


async def test_export_verifies_and_imports_again(client: Client) -> None:
    await hit(client)
    await client.done("/undo", {"reason": "a slip"})
    board = (await client.get()).json()
    timeline = (await client.get("/timeline")).json()
    file = (await client.get("/export")).content
    assert verify(file).sound
    problem(
        await client.http.post("/v1/combats/import", content=file, headers=NDJSON),
        409,
        "unfitting",
    )
    assert (await client.call("DELETE")).status_code == 204
    broken = file.replace(b"Imp", b"Imq", 1)
    refused = problem(
        await client.http.post("/v1/combats/import", content=broken, headers=NDJSON),
        400,
        "malformed",
    )
    assert refused["detail"].startswith("line ")
    back = await client.http.post("/v1/combats/import", content=file, headers=NDJSON)
    assert back.status_code == 201, back.text
    client.token = back.json()["token"]
    assert (await client.get()).json() == board
    assert (await client.get("/timeline")).json() == timeline
    assert (await client.get("/export")).content == file
    await client.done("/undo")  # the fight can continue


async def test_an_import_of_a_combat_that_is_here_becomes_a_copy_when_asked(client: Client) -> None:
    await hit(client)
    await client.done("/undo", {"reason": "a slip"})
    board = (await client.get()).json()
    file = (await client.get("/export")).content
    headers = {**NDJSON, "Idempotency-Key": "the copy, only once"}
    url = "/v1/combats/import?if_here=copy"
    copied = await client.http.post(url, content=file, headers=headers)
    assert copied.status_code == 201, copied.text
    again = await client.http.post(url, content=file, headers=headers)
    assert (again.status_code, again.json()) == (201, copied.json())
    client.combat, client.token = copied.json()["combat"], copied.json()["token"]
    assert client.combat != board["id"]
    assert (await client.get()).json() == {**board, "id": client.combat}
    assert verify((await client.get("/export")).content).sound
    await client.done("/redo")  # the import has the undone commands
    await client.call("DELETE")


async def test_a_seed_revealed_in_a_running_fight_serves_no_later_roll(client: Client) -> None:
    await hit(client)
    before = (await client.get()).json()
    await client.done("/seed")
    board = (await client.get()).json()
    assert board["commitment"] != before["commitment"]
    assert board.get("seed") is None
    await client.act("Ana", "end-turn")
    await client.done("/end", {})
    assert (await client.get()).json()["commitment"] == board["commitment"]
    report = verify((await client.get("/export")).content)
    assert (report.sound, report.unrevealed_rolls) == (True, 0)


async def test_a_fork_has_the_same_past_and_a_future_of_its_own(client: Client) -> None:
    await fight(client)
    then = (await client.get()).json()
    await client.act("Ana", "boost-hit")
    answer = await client.post("/fork", {"version": then["version"], "name": "What if"})
    assert answer.status_code == 201, answer.text
    forked = answer.json()
    different = ("id", "name", "commitment", "version")
    for name, value in then.items():
        if name not in different:
            assert forked["board"][name] == value, name
    assert forked["board"]["commitment"] != then["commitment"]
    origin = {"combat": client.combat, "version": then["version"]}
    assert forked["board"]["forked_from"] == origin
    source = client.combat
    client.combat, client.token = forked["combat"], forked["token"]
    told = (await client.get("/timeline")).json()["entries"][0]["lines"][0]
    assert source in str(told)
    await client.act("Ana", "end-turn")  # the waiting procedure was rebuilt
    await client.done("/seed")
    file = (await client.get("/export")).content
    assert verify(file).sound


async def test_an_erased_name_is_gone_and_the_chain_still_verifies(client: Client) -> None:
    await fight(client)
    await client.done("/notes", {"text": "My phone number is 555."})
    version = (await client.get()).json()["version"]
    for body in ({"combatant": "Ana"}, {"version": version}):
        assert (await client.post("/erase", body)).status_code == 204
    file = (await client.get("/export")).content
    assert b"phone number" not in file
    assert b'"anna"' not in file
    assert verify(file).sound, verify(file).text()
    read(file)
    assert (await client.get()).json()["combatants"][0]["name"].startswith("erased:")
    await client.act("Ana", "end-turn")


async def test_what_history_refuses_over_http(client: Client) -> None:
    await fight(client)
    before = (await client.get()).content
    player = await client.player("Ana")
    for path in ("/fork", "/undo", "/redo", "/goto", "/erase"):
        body = {"version": 3} if path in ("/goto", "/fork") else {}
        problem(await client.post(path, body, token=player), 403, "forbidden")
    for path in ("/tree", "/export", "/diff?from=1"):
        problem(await client.get(path, token=player), 403, "forbidden")
    problem(await client.post("/fork", {"version": 999}), 404, "not-found")
    problem(await client.post("/redo"), 409, "unfitting")
    problem(await client.post("/goto", {"version": 0}), 400, "malformed")
    problem(await client.post("/goto", {"version": 10**9}), 404, "not-found")
    assert (await client.get()).content == before


async def test_files_that_are_not_taken_in(client: Client) -> None:
    await fight(client)
    file = (await client.get("/export")).content
    lines = file.splitlines(keepends=True)
    foreign = file.replace(b'"ruleset":"free-hit"', b'"ruleset":"no-rules!"', 1)
    for bad, line in (
        (b"", "line"),
        (b"".join(lines[:-1]), "line 1"),
        (b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]), "line 3"),
        (file.replace(b"combat-began:1", b"combat-began:9", 1), "line"),
        (foreign, "line"),
        (b"{}\n", "line 1"),
    ):
        answer = await client.http.post("/v1/combats/import", content=bad, headers=NDJSON)
        refusal = problem(answer, 400, "malformed")
        assert line in refusal["detail"], refusal
    huge = b"x" * (64 * 1024 * 1024 + 1)
    answer = await client.http.post("/v1/combats/import", content=huge, headers=NDJSON)
    problem(answer, 413, "too-large")


async def test_undo_under_an_open_prompt_closes_it(client: Client) -> None:
    await fight(client)
    roll = (await client.act("Ana", "attack", target="Imp"))["prompts"][0]["id"]
    undone = await client.done("/undo")
    assert [prompt["kind"] for prompt in undone["prompts"]] == ["turn"]
    late = await client.post(f"/prompts/{roll}", {"inputs": {"faces": [9]}})
    refusal = problem(late, 409, "unfitting")
    assert (refusal["reason"], refusal["closed"]) == ("prompt-closed", {"how": "undone"})


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("text", "a\x00b", "NUL"),
        ("who", "a\x00b", "NUL"),
        ("at", "yesterday", "no time"),
        ("at", "0001-01-01T00:00:00Z", "no time"),
        ("at", "9999-12-31T23:59:59Z", "no time"),
        ("at", "2026-02-30T00:00:00Z", "no time"),
        ("at", "2026-01-01T00:00:00+01:00", "no time"),
        ("round", 2**53, "2^53"),
        ("round", 10**30, "2^53"),
        ("seed", "nonsense", "hexadecimal"),
    ],
)
async def test_imports_are_checked_as_strictly_as_requests(
    client: Client, field: str, value: Any, word: str
) -> None:
    """An import with correct hashes is refused if it holds a value that no request can store."""
    await fight(client)
    await client.done("/notes", {"text": "rain"})
    await client.done("/end", {})
    file = forged_with((await client.get("/export")).content, field, value)
    answer = await client.http.post("/v1/combats/import", content=file, headers=NDJSON)
    refusal = problem(answer, 400, "malformed")
    assert word in refusal["detail"]
    assert refusal["pointer"].startswith("/")


@pytest.mark.parametrize(
    "cursor",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "0001-01-01T00:00:00Z",
        "2026-01-01T00:00:00",
        "2026-01-01",
        "now",
    ],
)
async def test_cursors_of_no_page(client: Client, cursor: str) -> None:
    text = urlsafe_b64encode(f"{cursor} {uuid4()}".encode()).decode()
    problem(await client.http.get("/v1/combats", params={"cursor": text}), 400, "malformed")


async def test_times_at_the_ends_of_the_calendar(client: Client) -> None:
    for at in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        for name in ("since", "until"):
            answer = await client.http.get("/v1/combats", params={name: at})
            assert answer.status_code == 200, answer.text


async def test_a_branch_says_how_it_was_given_up(client: Client) -> None:
    """Undone commands form a branch of the tree, even if no command replaces them."""
    await fight(client)
    await client.act("Ana", "boost-hit")
    await client.done("/undo", {"reason": "wrong button"})
    undone = (await client.get()).json()["version"]
    (begun, tail) = (await client.get("/tree")).json()["branches"]
    assert (begun["present"], begun["left"]) == (True, None)
    assert (tail["difference"], tail["present"]) == ("Ana: boost-hit", False)
    left = tail["left"]
    assert (left["version"], left["by"], left["reason"]) == (undone, "gm", "wrong button")
    assert (tail["label"], left["label"]) == ("GM", "GM")
    await client.done("/redo")
    (whole,) = (await client.get("/tree")).json()["branches"]
    assert (whole["present"], whole["left"]) == (True, None)


async def test_a_question_names_people_and_not_their_ids(client: Client) -> None:
    await fight(client)
    await client.call("PATCH", "/combatants/Ana", {"name": "Ana the Bold"})
    asked = (await client.get("/prompts")).json()["prompts"]
    assert [line["text"] for line in asked] == ["It is Ana the Bold's turn"]
