"""Test that an export is stable, and that verification detects every flipped byte."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from domain.engine.commands import AddSalt, Note, RevealSeed
from domain.engine.session import Session
from domain.errors import Malformed
from domain.record.combat import DiceSettings
from domain.record.events import AnyEvent, CombatOpened, Noted, Reverted
from domain.record.export import Paths, export, read
from domain.record.recorded import Recorded, chain_hash, encode, is_newer, raw_hash, topic
from domain.record.verify import verify
from domain.rulesets.free_hit import RULESET
from service.conformance.walker import Walker
from tests.domain.toy import TOY
from tests.forms import forms
from tests.fuzz.coverage.mutator import sealed
from tests.rulesets.free_hit.fight import fight
from tests.spec import Spec

TIME = "2026-01-01T00:00:00Z"


def small() -> bytes:
    """Return a file with server dice, an undo, a note, and the revealed seed."""
    spec = Spec(TOY).given(
        {"name": "ann", "side": "heroes"}, {"name": "bob", "side": "foes"},
        declare=False, dice=DiceSettings(),
    )  # fmt: skip
    spec.do(AddSalt("anna", "rhubarb")).begin().act("ann", "strike", target="bob")
    spec.undo().do(Note("again")).act("ann", "shout").do(RevealSeed())
    return b"".join(export(spec.live.history.recorded))


def with_option(value: Any) -> bytes:
    """Return a file with an option of this value, and with correct hashes."""
    header, *lines = [msgspec.json.decode(line) for line in small().splitlines()]
    lines[0]["event"]["event"]["options"] = {"option": value}
    return sealed(header, lines)


def test_export_import_export_is_the_same_file() -> None:
    file = small()
    imported = read(file)
    assert b"".join(export(imported.recorded)) == file
    live = Session(TOY, imported.recorded)
    assert live.open_prompts()


def test_a_path_goes_over_the_versions_that_lead_to_it() -> None:
    random, paths, parents = Random(4), Paths(), [0]
    for version in range(1, 300):
        parents.append(random.choice((version - 1, version - 1, random.randrange(version))))
        paths.add(parents[version])
        path = {at := version}
        while at:
            path.add(at := parents[at])
        over = {earlier for earlier in range(version + 1) if paths.leads(earlier, version)}
        assert over == path


def test_a_sound_file_is_told_to_be_sound() -> None:
    report = verify(small())
    assert report.sound, report.text()
    assert report.server_rolls == 2
    assert "sound" in report.text()


@forms("every", 11, long=[1])
def test_every_flipped_byte_is_detected(every: int) -> None:
    """Verification detects each flipped byte.

    The long form of the test flips every byte, the short form every eleventh byte.
    """
    file = small()
    for index in range(0, len(file), every):
        broken = bytearray(file)
        broken[index] ^= 1
        assert not verify(bytes(broken)).sound, f"byte {index}: {file[index - 20 : index + 20]!r}"


@pytest.mark.parametrize(
    "value", [2**53, -(2**53), 2.0**53, 1e300, -(2.0**60), [1, 2**64], "\x00", {"\x00": 1}]
)
def test_a_value_that_no_request_could_hold_is_refused(value: Any) -> None:
    with pytest.raises(Malformed) as refused:
        read(with_option(value))
    assert refused.value.pointer == "/2"


@pytest.mark.parametrize(
    "value", [2**53 - 1, 1 - 2**53, 1.5e-300, 0.1234567890123456, "9007199254740993", ":1e400", "é"]
)
def test_a_value_that_a_request_could_hold_is_read(value: Any) -> None:
    assert len(read(with_option(value)).recorded) > 1


def test_truncated_reordered_and_foreign_files_name_the_first_bad_line() -> None:
    lines = small().splitlines(keepends=True)
    for file, line in (
        (b"", "/1"),
        (b"".join(lines[:-1]), "/1"),
        (b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]), "/4"),
        (b"".join(lines)[:-1], "/1"),
        (b"".join(lines).replace(b"affray-combat", b"other-combats", 1), "/1"),
        (b"".join(lines).replace(b"noted:1", b"noted:9", 1), None),
    ):
        with pytest.raises(Malformed) as caught:
            read(file)
        if line is not None:
            assert caught.value.pointer == line


OPENED = CombatOpened("c", "toy", "", {}, DiceSettings(), "")


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ((OPENED, Noted("so"), Reverted(1), Noted("else"), Reverted(2)), None),
        ((OPENED, Noted("so"), OPENED), "/4"),
        ((OPENED, Noted("so"), Reverted(1), Reverted(3)), "/5"),
        ((OPENED, Noted("so"), Reverted(0)), "/4"),
        ((OPENED, Noted("so"), Reverted(3)), "/4"),
    ],
)
def test_a_fight_is_opened_once_and_goes_back_to_what_was_a_state(
    events: Sequence[AnyEvent], line: str | None
) -> None:
    recorded: list[Recorded] = []
    parent, previous = 0, ""
    for version, event in enumerate(events, 1):
        row = Recorded(version, parent, TIME, "1", ("t", "gm"), event, previous)
        recorded.append(row)
        parent = event.to if isinstance(event, Reverted) else version
        previous = chain_hash(row)
    file = b"".join(export(recorded))
    if line is None:
        assert list(read(file).recorded) == recorded
        return
    with pytest.raises(Malformed) as caught:
        read(file)
    assert caught.value.pointer == line


def test_a_whole_random_fight_verifies() -> None:
    spec = Spec(RULESET)
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*fight(), rulings="default", dice=DiceSettings())
    Walker(spec, Random(5)).walk(120)
    if spec.combat.commitment not in spec.live.revealed:
        spec.do(RevealSeed())
    report = verify(b"".join(export(spec.live.history.recorded)))
    assert report.sound, report.text()
    assert report.server_rolls > 5


def test_a_field_that_was_added_to_an_event_is_detected() -> None:
    """Verification detects an added field, even in an event whose texts have digests."""
    lines = small().splitlines(keepends=True)
    salted = 0
    for number, line in enumerate(lines[1:], 1):
        salted += b'"salt"' in line
        for place in (b'"event":{"version"', b'"event":{"type"'):
            assert line.count(place) == 1
            more = line.replace(place, place.replace(b"{", b'{"mood":"grim",'))
            report = verify(b"".join([*lines[:number], more, *lines[number + 1 :]]))
            assert not report.sound, more
            assert report.faults[0].startswith(f"line {number + 1}"), report.faults
    assert salted > 1
    assert verify(b"".join(lines)).sound


def test_the_hash_of_undecoded_bytes_is_that_of_the_event() -> None:
    for recorded in read(small()).recorded:
        assert raw_hash(topic(recorded), encode(recorded)) == chain_hash(recorded)
        assert not is_newer(recorded, encode(recorded))
