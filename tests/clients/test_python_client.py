"""Test that `affray-client` is up to date, its wheel works and its README is correct."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from affray_client import (
    Affray,
    AsyncAffray,
    Field,
    Operation,
    Problem,
    __version__,
    field_at,
    fields_of,
    form_of,
    inputs_of,
    operations,
    shapes,
)

from tests.clients.environment import ROOT, Environment, wheel
from tests.clients.five_fights import opening
from tests.server import Server

HOME = ROOT / "clients" / "python"
PIECES = re.findall(r"^```python\n(.*?)^```", (HOME / "README.md").read_text(), re.S | re.M)
FIVE = {"definitions", "free-hit", "hallowed-earth", "sovereign", "vile-darkness"}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the client, but without any file of the clone."""
    folder = tmp_path_factory.mktemp("client")
    made = Environment(folder / "venv")
    made.install(wheel("affray_client", folder))
    return made


def test_no_file_is_older_than_the_contract() -> None:
    made = subprocess.run(
        [sys.executable, str(HOME / "scripts" / "make.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr


def test_the_versions_are_those_of_the_contract(environment: Environment) -> None:
    contract = json.loads((ROOT / "openapi" / "openapi.json").read_text())
    assert __version__ == contract["info"]["version"]
    (metadata,) = environment.packages.glob("affray_client-*.dist-info/METADATA")
    assert f"\nVersion: {__version__}\n" in metadata.read_text()


def test_the_wheel_holds_types_and_licence(environment: Environment) -> None:
    (information,) = environment.packages.glob("affray_client-*.dist-info")
    assert (information / "licenses" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (environment.packages / "affray_client" / "py.typed").exists()
    assert not (environment.packages / "domain").exists()


@pytest.mark.sampled(0)
async def test_the_wheel_plays_a_fight_of_every_rulebook(
    environment: Environment, server: Server, tmp_path: Path
) -> None:
    program = (Path(__file__).parent / "five_fights.py").read_text()
    (tmp_path / "five_fights.py").write_text(program)
    played = await asyncio.to_thread(
        environment.run, "python", "five_fights.py", server.url, folder=tmp_path
    )
    assert played.returncode == 0, played.stderr
    told = [line.split(" ") for line in played.stdout.splitlines()]
    assert {ruleset for ruleset, _, _ in told} == FIVE
    assert len(told) == 10  # once without asyncio, once with it
    assert all(status == "ended" and int(count) > 5 for _, count, status in told), told


def test_the_example_has_fewer_than_60_lines_and_the_types_of_the_package(tmp_path: Path) -> None:
    assert PIECES[0].count("\n") < 60
    (tmp_path / "fight.py").write_text(PIECES[0])
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "fight.py")],
        cwd=HOME,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


async def test_the_example_plays_a_fight_of_two_players_and_a_gm_to_its_end(
    environment: Environment, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "fight.py").write_text(PIECES[0])
    played = await asyncio.to_thread(
        environment.run, "python", "fight.py", folder=tmp_path, AFFRAY_URL=server.url
    )
    assert played.returncode == 0, played.stderr
    assert "# The bridge" in played.stdout
    assert re.search(r"(Lin|Bo|Troll) attacks ", played.stdout)  # the dice are random
    assert re.search(r"The fight ends; the (heroes|foes) won", played.stdout)


def bridge() -> dict[str, object]:
    """Return an opening with two neighbours."""
    sheets = [
        {
            "name": name,
            "side": name,
            "at": at,
            "agility": agility,
            "accuracy": 3,
            "max_hp": 18,
            "weapons": [{"id": "sword", "name": "sword", "damage": "1d8"}],
        }
        for name, at, agility in (("Lin", [0, 0], 4), ("Troll", [1, 0], 1))
    ]
    return {"combatants": [{"sheet": sheet} for sheet in sheets]}


def test_the_other_pieces_of_the_readme_run(server: Server) -> None:
    with Affray(server.url) as affray:
        combat = affray.open("free-hit", bridge())
        combat.begin()
        known = {"affray": affray, "combat": combat, "form_of": form_of, "inputs_of": inputs_of}
        for piece in PIECES[1:]:
            exec(piece, known)
        assert re.search(r"Lin attacks Troll.*head", combat.log())


def test_a_late_command_is_stale_and_a_repeated_one_is_done_once(server: Server) -> None:
    with Affray(server.url) as affray:
        assert affray.compatibility().relation == "same"
        gm = affray.open("free-hit", bridge())
        gm.begin()
        assert gm.board() is gm.board()  # not transferred again
        offers = gm.options()
        offer = next(offer for offer in offers.options if offer.category == "end" and offer.prompt)
        assert gm.preview(offer).events
        first = gm.send(offer, if_match=offers, key="the-same-key")
        assert gm.send(offer, if_match=offers, key="the-same-key") == first
        with pytest.raises(Problem) as stale:
            gm.send(offer, if_match=offers)
        assert stale.value.is_stale
        assert gm.board().version == first.version
        gm.undo("too early")
        assert "too early" in gm.log()
        ruling = next(o for o in gm.options().options if o.kind == "ruling" and o.examples)
        gm.send(ruling, ruling.examples[0], reason="because")
        with pytest.raises(ValueError, match="no ETag"):
            gm.begin(if_match=first.prompts[0])


def test_a_refusal_names_rule_field_and_what_is_allowed(server: Server) -> None:
    with Affray(server.url) as affray:
        gm = affray.open("free-hit", bridge())
        gm.begin()
        offers = gm.options(combatant="Lin")
        attack = next(offer for offer in offers.options if offer.category == "attack")
        with pytest.raises(Problem) as refused:
            gm.send(attack, {"target": "Nobody"})
        problem = refused.value
        assert (problem.status, problem.pointer) == (404, "/inputs/target")
        field = field_at(form_of(attack, offers.schemas).fields, problem.pointer)
        assert field is not None
        assert field.name == "target"
        assert "Troll" in problem.allowed
        nobody = affray.combat(gm.id, "affray_nobody")
        with pytest.raises(Problem, match="token") as unknown:
            next(nobody.follow())
        assert unknown.value.kind == "unauthorized"


async def test_forms_begin_with_inputs_that_the_rules_accept(server: Server) -> None:
    wrong = []
    async with AsyncAffray(server.url) as affray:
        for ruleset in FIVE:
            party = (await affray.ruleset(ruleset)).parties[0]
            gm = await affray.open(ruleset, opening(party))
            await gm.begin()
            offers, board = await gm.options(), await gm.board()
            for offer in (offer for offer in offers.options if offer.examples):
                fields = form_of(offer, offers.schemas, board).fields
                inputs, faults = inputs_of(fields, {f.name: shown(f) for f in fields})
                wrong += [f"{ruleset} {offer.id}: {fault.message}" for fault in faults]
                try:
                    await gm.preview(offer, inputs)
                except Problem as problem:
                    wrong.append(f"{ruleset} {offer.id}: {problem.detail}")
    assert wrong == []


def test_offers_of_a_stream_have_their_schemas(server: Server) -> None:
    with Affray(server.url) as affray:
        party = affray.ruleset("hallowed-earth").parties[0]
        gm = affray.open("hallowed-earth", opening(party))
        gm.begin()
        message = next(message for message in gm.follow(offers=True) if message.type == "offers")
        read = gm.options()
    assert isinstance(message.data, shapes.OfferList)
    prompted = {offer.inputs for offer in message.data.options}
    assert prompted
    assert {key: message.data.schemas[key] for key in prompted} == {
        key: read.schemas[key] for key in prompted
    }
    assert message.board is not None


def test_the_faces_of_two_equal_dice_are_a_list() -> None:
    face = {"type": "integer", "minimum": 1, "maximum": 10}
    faces = {"type": "array", "minItems": 2, "maxItems": 2, "items": face}
    facing = {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}
    fields = fields_of({"properties": {"faces": faces, "facing": facing}})
    assert [field.kind for field in fields] == ["list", "square"]


def test_null_short_words_and_objects_have_labels_for_people() -> None:
    cost = {"anyOf": [{"enum": ["move", "standard"]}, {"type": "null"}], "x-null": "Its own cost"}
    aim = {"anyOf": [{"enum": ["head"]}, {"type": "null"}]}
    fields = fields_of({"properties": {"pay": cost, "aim": aim, "gm_modifier": {}, "dc": {}}})
    assert [field.label for field in fields] == ["Pay", "Aim", "GM modifier", "DC"]
    labels = [[choice.label for choice in field.choices] for field in fields]
    assert labels == [["Its own cost", "move", "standard"], ["none", "head"], [], []]


def test_a_long_log_is_read_whole(server: Server) -> None:
    with Affray(server.url) as affray:
        gm = affray.open("free-hit", bridge())
        for number in range(501):
            gm.call(operations.write_note, body={"text": f"note {number:03}"})
        log = gm.log()
    assert re.findall(r"note (\d{3})", log) == [f"{number:03}" for number in range(501)]
    assert log.count("# ") == 1
    assert "What comes after" not in log


def test_the_service_rolls_for_whoever_wishes_it(server: Server) -> None:
    with Affray(server.url) as affray:
        gm = affray.open("free-hit", bridge() | {"dice": {"players": "manual", "gm": "manual"}})
        gm.begin()
        offers = gm.options(combatant="Lin").options
        attack = next(offer for offer in offers if offer.category == "attack" and offer.examples)
        gm.send(attack, attack.examples[0])
        (prompt,) = gm.prompts().prompts
        assert prompt.kind == "roll"
        gm.roll(prompt.id, None)
        assert prompt.id not in [other.id for other in gm.prompts().prompts]
        gm.undo("once more", over="turn")
        assert "once more" in gm.log()


def shown(field: Field) -> object:
    """Return the value of a field as a form holds it: the key of a choice, or a number as text."""
    if field.choices and field.kind != "several":
        return next((c.key for c in field.choices if c.value == field.value), field.value)
    return str(field.value) if isinstance(field.value, int | float) else field.value


def test_everything_of_the_contract_can_be_called(server: Server) -> None:
    with Affray(server.url) as affray:
        gm = affray.open("free-hit", bridge())
        gm.begin()
        ready = [
            operation
            for name in dir(operations)
            if isinstance(operation := getattr(operations, name), Operation)
            and operation.method == "GET"
            and re.findall(r"\{(\w+)\}", operation.path) == ["combat"]
            and operation.answer is not None
        ]
        asked: dict[str, dict[str, object]] = {
            "readDiff": {"from": 1, "to": 2},
            "compareBranches": {"a": 1, "b": 2},
        }
        asked |= {"readWhy": {"combatant": "Lin", "track": "hp"}}
        asked |= {"readSight": {"combatant": "Lin", "target": "Troll"}}
        asked |= {"exportCombat": {"format": "json"}}
        assert len(ready) > 15
        for operation in ready:
            answer = gm.call(operation, query=asked.get(operation.id, {}))
            assert type(answer) is operation.answer
        assert gm.call(operations.delete_combat) is None
        with pytest.raises(Problem):
            gm.board()


def test_a_player_joins_and_plays_with_a_token(server: Server) -> None:
    with Affray(server.url) as affray:
        gm = affray.open("free-hit", bridge())
        sheet: dict[str, object] = {
            "name": "Bo",
            "side": "Lin",
            "owner": "bo",
            "at": [0, 1],
            "agility": 1,
            "accuracy": 1,
        }
        sheet |= {"max_hp": 5, "weapons": []}
        assert gm.join({"sheet": sheet}).events
        issued = gm.issue("player", owner="bo")
        player = affray.combat(gm.id, issued.token)
        assert player.board().you == shapes.You(role="player", combatants=("Bo",))
        gm.begin()
        messages = player.follow()
        first = next(messages)
        assert isinstance(first.data, shapes.Board)
        gm.end(["Lin"])
        second = next(messages)
        assert isinstance(second.data, shapes.CommandMessage)
        messages.close()
        assert next(player.follow(after=first.id)).type == "command"
