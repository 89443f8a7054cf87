"""Test that bad input gets a problem document with the reason, and stores no event."""

from base64 import urlsafe_b64encode
from typing import Any

import httpx
import pytest

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.walks import FIGHTS

ANA = unit("Ana", agility=3, weapons=[SWORD])
IMP = foe("Imp")


@pytest.fixture
async def fight(client: Client) -> Client:
    await client.open("free-hit", [ANA, IMP])
    await client.done("/begin")
    return client


async def unchanged(client: Client, before: bytes) -> None:
    assert (await client.get()).content == before


def problem(answer: httpx.Response, status: int, kind: str) -> Any:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["type"] == f"/problems/{kind}"
    assert body["status"] == status
    assert body["detail"]
    return body


RAW = {
    "broken JSON": b'{"combatant": ',
    "nothing": b"",
    "NaN": b'{"combatant": NaN, "action": "attack"}',
    "a list": b"[]",
    "a number for a name": b'{"combatant": 3, "action": "attack"}',
    "an unknown field": b'{"combatant": "Ana", "action": "attack", "loud": true}',
    "not UTF-8": b'{"combatant": "\xff", "action": "attack"}',
    "NUL": b'{"combatant": "A\\u0000", "action": "attack"}',
    "half a surrogate pair": b'{"combatant": "\\ud800", "action": "attack"}',
    "a huge number": b'{"combatant": "Ana", "action": "attack", "inputs": {"x": 1e400}}',
    "a number beyond 2^53": b'{"combatant":"Ana","action":"a","inputs":{"x":90071992547409920}}',
    "deep nesting": b'{"combatant":"Ana","action":"a","inputs":{"x":'
    + b"[" * 5000
    + b"]" * 5000
    + b"}}",
    "inputs of another kind": b'{"combatant": "Ana", "action": "attack", "inputs": {"target": 4}}',
    "unknown inputs": b'{"combatant":"Ana","action":"attack","inputs":{"target":"Imp","x":1}}',
}


@pytest.mark.parametrize("raw", RAW.values(), ids=list(RAW))
async def test_malformed_bodies(fight: Client, raw: bytes) -> None:
    before = (await fight.get()).content
    headers = {"Authorization": f"Bearer {fight.token}", "Content-Type": "application/json"}
    url = f"/v1/combats/{fight.combat}/actions"
    problem(await fight.http.post(url, content=raw, headers=headers), 400, "malformed")
    await unchanged(fight, before)


async def test_the_pointer_leads_to_the_field(fight: Client) -> None:
    body = {"combatant": "Ana", "action": "attack", "inputs": {"target": 4}}
    refusal = problem(await fight.post("/actions", body), 400, "malformed")
    assert refusal["pointer"] == "/inputs/target"


SHEETS = {
    "/combatants/1/sheet/agility": {"name": "X", "side": "a"},
    "/combatants/1/sheet/hp": {**IMP, "hp": 99},
    "/combatants/1/sheet/accuracy": {**IMP, "accuracy": "quick"},
    "/combatants/1/sheet/weapons/0/damage": {
        **IMP, "weapons": [{"id": "w", "name": "w", "damage": "d1"}],
    },
    "/combatants/1/sheet/facing": {**IMP, "facing": [0, 0]},
    "/combatants/1/sheet/at": {**IMP, "at": [1]},
}  # fmt: skip


@pytest.mark.parametrize("pointer", SHEETS)
async def test_impossible_sheets(client: Client, pointer: str) -> None:
    body = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}, {"sheet": SHEETS[pointer]}]}
    refusal = problem(await client.http.post("/v1/combats", json=body), 400, "malformed")
    assert (refusal["pointer"], refusal["reason"]) == (pointer, "sheet-invalid")


async def test_copies_get_numbers(client: Client) -> None:
    opened = await client.open("free-hit", [ANA, IMP, IMP])
    await client.done("/combatants", {"sheet": IMP})
    combatants = (await client.get()).json()["combatants"]
    assert [(entry["id"], entry["name"]) for entry in combatants] == [
        ("Ana", "Ana"),
        ("Imp", "Imp"),
        ("Imp-2", "Imp 2"),
        ("Imp-3", "Imp 3"),
    ]
    assert len(opened["board"]["combatants"]) == 3
    taken = await client.post("/combatants", {"sheet": IMP, "id": "Imp-2"})
    assert problem(taken, 409, "unfitting")["reason"] == "id-taken"


async def test_an_unknown_field_is_told_which_there_are(fight: Client) -> None:
    body: Any = {"combatant": "Ana", "act": "x"}
    refusal = problem(await fight.post("/actions", body), 400, "malformed")
    assert refusal["pointer"] == "/act"
    assert refusal["allowed"] == ["combatant", "action", "inputs"]
    body = {"combatant": "Ana", "action": "attack", "inputs": {"target": "Imp", "foo": 1}}
    refusal = problem(await fight.post("/actions", body), 400, "malformed")
    assert refusal["pointer"] == "/inputs/foo"
    assert "target" in refusal["allowed"]
    wrong = {**ANA, "weapons": [{**SWORD, "sharp": True}]}
    body = {"ruleset": "free-hit", "combatants": [{"sheet": wrong}]}
    refusal = problem(await fight.http.post("/v1/combats", json=body), 400, "malformed")
    assert refusal["pointer"] == "/combatants/0/sheet/weapons/0/sharp"
    assert "damage" in refusal["detail"]
    refusal = problem(await fight.get(params={"colour": "red"}), 400, "malformed")
    assert refusal["allowed"] == ["at", "as"]


async def test_an_action_before_the_fight_says_what_is_missing(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    refusal = await client.refused("Ana", "attack", target="Imp")
    assert refusal["reason"] == "battle-not-begun"
    assert "the GM begins it" in refusal["detail"]


async def test_bad_cursors(client: Client) -> None:
    for year in ("0001", "9999"):
        at = f"{year}-01-01T00:00:00+14:00 00000000-0000-0000-0000-000000000000"
        cursor = urlsafe_b64encode(at.encode()).decode()
        answer = await client.http.get("/v1/combats", params={"cursor": cursor})
        problem(answer, 400, "malformed")


async def test_a_ruling_s_data_are_read_by_their_schema(fight: Client) -> None:
    before = (await fight.get()).content
    for data in ({}, {"key": "luck", "value": 1}):
        inputs = {"combatant": "Ana", "condition": "modifier", "data": data}
        body = {"ruling": "set-condition", "inputs": inputs}
        refusal = problem(await fight.post("/rulings", body), 400, "malformed")
        assert refusal["pointer"].startswith("/inputs/data")
    await unchanged(fight, before)


@pytest.mark.parametrize("ruleset", ["free-hit", "sovereign", "hallowed-earth"])
async def test_maps_are_read_by_a_schema(client: Client, ruleset: str) -> None:
    body: Any = {"ruleset": ruleset, "map": {"colour": "green"}}
    answer = await client.http.post("/v1/combats", json=body)
    assert problem(answer, 400, "malformed")["pointer"] == "/map/colour"
    body["map"] = {"name": "x" * 300_000}
    answer = await client.http.post("/v1/combats", json=body)
    assert problem(answer, 400, "malformed")["pointer"] == "/map"


async def test_unknown_things(fight: Client) -> None:
    before = (await fight.get()).content
    body = {"combatant": "Nobody", "action": "attack"}
    assert "Ana" in problem(await fight.post("/actions", body), 404, "not-found")["detail"]
    body = {"combatant": "Ana", "action": "dance"}
    problem(await fight.post("/actions", body), 404, "not-found")
    problem(await fight.post("/prompts/Ana:99"), 404, "not-found")
    problem(await fight.post("/rulings", {"ruling": "rain"}), 404, "not-found")
    problem(await fight.post("/goto", {"version": 999}), 404, "not-found")
    problem(await fight.get("/options", params={"combatant": "Nobody"}), 404, "not-found")
    problem(await fight.get(params={"colour": "red"}), 400, "malformed")
    await unchanged(fight, before)


@pytest.mark.parametrize(
    ("path", "asked", "pointer"),
    [
        ("", {"as": "nobody"}, "/query/as"),
        ("", {"at": 999}, "/query/at"),
        ("/options", {"combatant": "Nobody"}, "/query/combatant"),
        ("/why", {"combatant": "Ana", "track": "luck"}, "/query/track"),
        ("/diff", {"from": 1, "to": 999}, "/query/to"),
    ],
)
async def test_a_parameter_that_names_nothing_is_pointed_at(
    fight: Client, path: str, asked: dict[str, Any], pointer: str
) -> None:
    refusal = problem(await fight.get(path, params=asked), 404, "not-found")
    assert refusal["pointer"] == pointer


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/goto", {"version": 999}, "/version"),
        ("/fork", {"version": 999}, "/version"),
        ("/tokens", {"role": "player", "combatants": ["Ana", "Nobody"]}, "/combatants/1"),
        (
            "/rulings",
            {"ruling": "damage", "inputs": {"combatant": "Ana", "amount": 1, "track": "luck"}},
            "/inputs/track",
        ),
    ],
)
async def test_a_field_that_names_nothing_is_pointed_at(
    fight: Client, path: str, body: dict[str, Any], pointer: str
) -> None:
    assert problem(await fight.post(path, body), 404, "not-found")["pointer"] == pointer


async def test_a_parameter_s_wrong_value_is_answered_with_values(fight: Client) -> None:
    refusal = problem(await fight.get("/timeline", params={"order": "up"}), 400, "malformed")
    assert (refusal["pointer"], refusal["allowed"]) == ("/query/order", ["newest", "oldest"])
    refusal = problem(await fight.get(params={"at": "noon"}), 400, "malformed")
    assert (refusal["pointer"], refusal.get("allowed")) == ("/query/at", None)
    assert refusal["detail"] == "a whole number is wanted, not a text"


async def test_a_wrong_type_is_refused_in_plain_words(fight: Client) -> None:
    body: Any = {"ruleset": "free-hit", "dice": "manual", "combatants": [{"sheet": ANA}]}
    refusal = problem(await fight.http.post("/v1/combats", json=body), 400, "malformed")
    assert refusal["pointer"] == "/dice"
    assert refusal["detail"] == (
        'a JSON object is wanted, not a text; for example {"players": "manual"}'
    )
    numbered = {**body, "dice": {"players": 3}}
    refusal = problem(await fight.http.post("/v1/combats", json=numbered), 400, "malformed")
    assert refusal["allowed"] == ["manual", "server"]
    refusal = problem(await fight.post("/goto", {"version": 0}), 400, "malformed")
    assert refusal["detail"] == "a whole number >= 1 is wanted"
    assert "`" not in refusal["detail"]


@pytest.mark.parametrize("body", [{}, {"command": "deed"}, {"command": 3}])
async def test_a_preview_names_its_commands(fight: Client, body: dict[str, Any]) -> None:
    refusal = problem(await fight.post("/preview", body), 400, "malformed")
    assert (refusal["pointer"], refusal["allowed"]) == ("/command", ["act", "answer", "rule"])


@pytest.mark.parametrize("command", [{}, {"type": "deed"}, {"type": 3}])
async def test_what_if_names_its_commands(fight: Client, command: dict[str, Any]) -> None:
    body = {"changes": [{"kind": "insert", "at": 1, "command": command}]}
    refusal = problem(await fight.post("/what-if", body), 400, "malformed")
    assert refusal["pointer"] == "/changes/0/command/type"
    assert refusal["allowed"][:3] == ["act", "reply", "rule"]


async def test_who_has_no_token(fight: Client) -> None:
    url = f"/v1/combats/{fight.combat}"
    answer = await fight.http.get(url)
    problem(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"
    wrong = {"Authorization": "Bearer affray_nonsense"}
    problem(await fight.http.get(url, headers=wrong), 401, "unauthorized")
    forged = fight.token[:-4] + "AAAA"
    problem(await fight.get(token=forged), 401, "unauthorized")


async def test_a_token_of_another_combat(fight: Client) -> None:
    combat = fight.combat
    await fight.open("free-hit", [ANA, IMP])
    theirs, fight.combat = fight.token, combat
    problem(await fight.get(token=theirs), 404, "not-found")


async def test_a_player_is_no_gm(fight: Client) -> None:
    before = (await fight.get()).content
    player = await fight.player("Ana")
    spectator = await fight.player(role="spectator")
    for token in (player, spectator):
        problem(await fight.post("/undo", {}, token=token), 403, "forbidden")
        problem(await fight.post("/rulings", {"ruling": "damage"}, token=token), 403, "forbidden")
    body = {"combatant": "Imp", "action": "end-turn"}
    problem(await fight.post("/actions", body, token=player), 403, "forbidden")
    body = {"combatant": "Ana", "action": "end-turn"}
    problem(await fight.post("/actions", body, token=spectator), 403, "forbidden")
    await unchanged(fight, before)
    assert (await fight.post("/actions", body, token=player)).status_code == 200


async def test_a_revoked_token(fight: Client) -> None:
    player = await fight.player("Ana")
    lines = (await fight.get("/tokens")).json()["tokens"]
    (id,) = [line["id"] for line in lines if line["role"] == "player"]
    assert (await fight.call("DELETE", f"/tokens/{id}")).status_code == 204
    problem(await fight.get(token=player), 401, "unauthorized")
    (gm,) = [line["id"] for line in lines if line["role"] == "gm"]
    problem(await fight.call("DELETE", f"/tokens/{gm}"), 409, "unfitting")


async def test_a_closed_prompt(fight: Client) -> None:
    (turn,) = await fight.prompts()
    await fight.act("Ana", "end-turn")
    refusal = problem(
        await fight.post(f"/prompts/{turn['id']}", {"option": "end-turn"}), 409, "unfitting"
    )
    assert refusal["reason"] == "prompt-closed"
    assert "end turn" in refusal["detail"]
    closed = refusal["closed"]
    assert (closed["how"], closed["option"], closed["by"]) == ("answered", "end-turn", "gm")
    last = (await fight.get("/events", params={"type": "action-declared"})).json()["events"][-1]
    assert closed["at"] == last["at"]


async def test_a_stale_version(fight: Client) -> None:
    tag = (await fight.get()).headers["etag"]
    await fight.act("Ana", "boost-hit")
    before = (await fight.get()).content
    body = {"combatant": "Ana", "action": "boost-hit"}
    for stale in (tag, '"nonsense"', '""', f"W/{tag}"):
        answer = await fight.post("/actions", body, headers={"If-Match": stale})
        assert problem(answer, 412, "stale")["detail"] == (
            "somebody changed the combat after you read it: read it again, and repeat your request"
            " if you still want it"
        )
    await unchanged(fight, before)
    fresh = (await fight.get()).headers["etag"]
    assert (await fight.post("/actions", body, headers={"If-Match": fresh})).status_code == 200


@pytest.mark.parametrize("header", ["40", "nonsense", '"40', '"40" "41"', "W/40"])
async def test_a_version_that_is_no_etag(fight: Client, header: str) -> None:
    """The header is malformed, not stale, so the refusal shows the form of an ETag."""
    before = (await fight.get()).content
    body = {"combatant": "Ana", "action": "boost-hit"}
    answer = await fight.post("/actions", body, headers={"If-Match": header})
    refusal = problem(answer, 400, "malformed")
    assert refusal["pointer"] == "/header/If-Match"
    assert refusal["detail"] == (
        'If-Match is an ETag in quotation marks, such as "40": send the ETag header of the answer'
        " that you read"
    )
    await unchanged(fight, before)


async def test_a_standing_order_for_no_prompt(fight: Client) -> None:
    """The service refuses an order that could never apply, and lists the prompts and answers."""
    before = (await fight.get()).content
    path = "/combatants/Ana/standing-orders"
    good = {"prompt": "free-hit", "option": "pass"}

    async def put(order: dict[str, Any]) -> Any:
        answer = await fight.call("PUT", path, {"orders": [good, order]})
        return problem(answer, 400, "malformed")

    refusal = await put({"prompt": "freehit", "option": "pass"})
    assert (refusal["pointer"], refusal["detail"]) == (
        "/orders/1/prompt",
        "free-hit asks no combatant 'freehit'",
    )
    assert {"turn", "free-hit", "wound", "attack"} <= set(refusal["allowed"])
    assert "yield" not in refusal["allowed"], "it asks the GM"
    refusal = await put({"prompt": "free-hit", "option": "strike"})
    assert (refusal["pointer"], refusal["detail"]) == (
        "/orders/1/option",
        "the prompt 'free-hit' has no option 'strike'",
    )
    assert {"pass", "ask"} <= set(refusal["allowed"])
    await unchanged(fight, before)


@pytest.mark.parametrize("option", ["ask", "pass", "take"])
async def test_a_standing_order_for_a_prompt(fight: Client, option: str) -> None:
    orders = [
        {"prompt": "free-hit", "option": option},
        {"prompt": "attack", "option": "roll", "inputs": {"faces": None}},
    ]
    answer = await fight.call("PUT", "/combatants/Ana/standing-orders", {"orders": orders})
    assert answer.status_code == 200, answer.text


async def test_not_modified(fight: Client) -> None:
    tag = (await fight.get()).headers["etag"]
    again = await fight.get(headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


async def test_an_idempotency_key_replays_the_first_answer(fight: Client) -> None:
    key = {"Idempotency-Key": "one"}
    body = {"combatant": "Ana", "action": "boost-hit"}
    first = await fight.post("/actions", body, headers=key)
    again = await fight.post("/actions", body, headers=key)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    other = {"combatant": "Ana", "action": "boost-dodge"}
    problem(await fight.post("/actions", other, headers=key), 422, "idempotency-key-reused")
    assert (await fight.get()).json()["combatants"][0]["budget"]["ba"] == 1


async def test_opening_twice_with_one_key_opens_once(client: Client) -> None:
    body = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}]}
    key = {"Idempotency-Key": "a-key-nobody-can-guess"}
    first = await client.http.post("/v1/combats", json=body, headers=key)
    again = await client.http.post("/v1/combats", json=body, headers=key)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()


async def test_a_body_without_fields_may_be_left_out(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    url = f"/v1/combats/{client.combat}"
    headers = {"Authorization": f"Bearer {client.token}"}
    begun = await client.http.post(f"{url}/begin", headers=headers)
    assert begun.status_code == 200, begun.text
    typed = {**headers, "Content-Type": "application/json"}
    revealed = await client.http.post(f"{url}/seed", headers=typed)
    assert revealed.status_code == 200, revealed.text
    problem(await client.http.post(f"{url}/end", headers=headers), 415, "unsupported-media-type")


async def test_other_media_types_and_sizes(fight: Client) -> None:
    headers = {"Authorization": f"Bearer {fight.token}", "Content-Type": "text/plain"}
    url = f"/v1/combats/{fight.combat}/actions"
    answer = await fight.http.post(url, content=b"{}", headers=headers)
    problem(answer, 415, "unsupported-media-type")
    headers["Content-Type"] = "application/json"
    big = b'{"combatant": "' + b"x" * (1024 * 1024) + b'"}'
    problem(await fight.http.post(url, content=big, headers=headers), 413, "too-large")


async def test_other_methods_and_paths(fight: Client) -> None:
    answer = await fight.http.put("/v1/combats", json={})
    problem(answer, 405, "method-not-allowed")
    assert "POST" in answer.headers["allow"]
    problem(await fight.http.get("/v1/nowhere"), 404, "not-found")
    head = await fight.http.head("/v1/rulesets")
    assert (head.status_code, head.content) == (200, b"")
    assert (await fight.call("HEAD", token="affray_no")).status_code == 401


async def test_a_deleted_combat_is_gone(fight: Client) -> None:
    assert (await fight.call("DELETE")).status_code == 204
    problem(await fight.get(), 404, "not-found")


BEFORE = {
    "definitions": "end-turn",
    "free-hit": "end-turn",
    "hallowed-earth": "no-action",
    "sovereign": "end-turn",
    "vile-darkness": "pass",
}


@pytest.mark.parametrize("ruleset", BEFORE)
async def test_an_action_before_the_beginning_says_what_is_missing(
    client: Client, ruleset: str
) -> None:
    sheets: list[Any] = [*FIGHTS[ruleset]()]
    opened = await client.open(ruleset, sheets)
    who = opened["board"]["combatants"][0]["id"]
    refused = await client.refused(who, BEFORE[ruleset])
    assert "POST …/begin" in refused["detail"]


async def test_a_refusal_names_the_field_and_what_would_do(fight: Client) -> None:
    def at(target: str, who: str = "Ana") -> Any:
        return {"combatant": who, "action": "attack", "inputs": {"target": target}}

    refusal = problem(await fight.post("/actions", at("Ana")), 409, "illegal-action")
    assert (refusal["pointer"], refusal["allowed"]) == ("/inputs/target", ["Imp"])
    assert refusal["rule"].startswith("FH-")
    nobody = await fight.post("/actions", at("Nobody"))
    assert problem(nobody, 404, "not-found")["pointer"] == "/inputs/target"
    unknown = await fight.post("/actions", at("Imp", "Nobody"))
    assert problem(unknown, 404, "not-found")["pointer"] == "/combatant"


async def test_an_unknown_prompt_lists_those_that_wait_for_the_caller(fight: Client) -> None:
    player = await fight.player("Ana")
    answer = await fight.post("/prompts/nonsense", {"option": "pass"}, token=player)
    refusal = problem(answer, 404, "not-found")
    assert (refusal["detail"], refusal["allowed"]) == (
        "no prompt 'nonsense'; there are: Ana:1",
        ["Ana:1"],
    )
    idle = await fight.player("Imp")
    answer = await fight.post("/prompts/nonsense", {"option": "pass"}, token=idle)
    assert problem(answer, 404, "not-found")["detail"] == "no prompt 'nonsense'"


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/undo", {}, "undo"),
        ("/goto", {"version": 1}, "undo"),
        ("/rulings", {"ruling": "heal", "inputs": {}}, "ruling"),
    ],
)
async def test_a_player_learns_how_to_ask_the_gm(
    fight: Client, path: str, body: dict[str, Any], kind: str
) -> None:
    player = await fight.player("Ana")
    refusal = problem(await fight.post(path, body, token=player), 403, "forbidden")
    assert refusal["detail"] == (
        "only the GM may do this, not a player: ask the GM with POST …/requests and the kind"
        f" {kind!r}"
    )
    spectator = await fight.player(role="spectator")
    refusal = problem(await fight.post(path, body, token=spectator), 403, "forbidden")
    assert refusal["detail"] == "only the GM may do this, not a spectator: ask the GM"
