"""Test that hash chains and dice stay valid after an erasure, in forks and in files."""

import hashlib
import hmac

import pytest
from msgspec.structs import replace

from domain.engine.commands import AddSalt, Change, Joining, Note, Open, RevealSeed
from domain.engine.session import Session
from domain.errors import Malformed
from domain.record.aggregate import CombatAggregate, project
from domain.record.combat import DiceSettings
from domain.record.erasure import erase
from domain.record.events import (
    CombatantChanged,
    CombatantJoined,
    CombatOpened,
    Event,
    Noted,
    ProcedureBegan,
    Rolled,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.export import export, read
from domain.record.fairness import Key, commitment, faces
from domain.record.fork import fork
from domain.record.marks import CombatDeleted, TextsErased
from domain.record.recorded import Recorded, chain_hash, encode
from domain.record.verify import verify
from tests.domain.test_able import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import SEED, Spec


def told() -> Spec:
    """Return a fight with three notes: Ann's, Bob's, and a note about no combatant.

    Anna plays Ann.
    """
    spec = Spec(TOY).given({**ANN, "owner": "anna"}, BOB, declare=False)
    spec.do(Note("from ann", "ann")).do(Note("from bob", "bob")).do(Note("from nobody"))
    return spec.do(Change("ann", name="Annie")).begin()


def kinds(changed: list[Recorded]) -> list[type[Event]]:
    return [type(recorded.event) for recorded in changed]


def test_all_that_tells_of_somebody_is_forgotten() -> None:
    recorded = told().live.history.recorded
    changed = erase(recorded, who="ann")
    assert kinds(changed) == [CombatOpened, CombatantJoined, Noted, CombatantChanged]
    for event in changed:
        assert chain_hash(event) == chain_hash(recorded[event.version - 1])
        stored = encode(event)
        for word in (b'"name":"ann"', b"anna", b"from ann", b"Annie"):
            assert word not in stored
    opened, joined, noted, renamed = changed
    assert opened.input is not None
    assert opened.input["erased"].startswith("erased:sha256:")
    assert (opened.event, opened.salt) == (recorded[0].event, "salt")  # her old name stays
    assert [recorded.salt for recorded in (joined, noted, renamed)] == [
        "",
        "",
        "",
    ]  # nothing is left to salt
    whole = {event.version: event for event in recorded} | {
        recorded.version: recorded for recorded in changed
    }
    assert verify(b"".join(export(whole.values()))).sound
    assert erase(whole.values(), who="ann") == []  # nothing changes


def test_one_text_is_forgotten_and_no_other() -> None:
    recorded = told().live.history.recorded
    (version,) = [
        event.version
        for event in recorded
        if isinstance(event.event, Noted) and event.event.text == "from bob"
    ]
    (changed,) = erase(recorded, version=version)
    assert changed.version == version
    assert chain_hash(changed) == chain_hash(recorded[version - 1])
    assert b"from bob" not in encode(changed)
    assert erase(recorded, version=len(recorded)) == []  # it contains no person's text
    assert erase(recorded, who="eve") == []


def test_a_text_that_stays_keeps_its_salt() -> None:
    """If Affray erases one of a command's two texts, the other text keeps its salt.

    Without the salt, the other text would no longer verify.
    """
    spec = told()
    opened = spec.live.history.recorded[0]
    (changed,) = erase([opened], version=1)
    assert (changed.salt, changed.input is not None) == ("", True)
    joined = next(
        recorded
        for recorded in spec.live.history.recorded
        if isinstance(recorded.event, CombatantJoined)
    )
    (first, second) = erase([opened, joined], who="ann")
    assert (first.salt, second.salt) == ("salt", "")


def test_a_text_that_only_begins_like_one_that_is_forgotten_keeps_its_salt() -> None:
    spec = Spec(TOY).do(Open("toy", "erased: a trial", combatants=(Joining(ANN),)))
    recorded = list(spec.live.history.recorded)
    changed = {event.version: event for event in erase(recorded, who="ann")}
    assert verify(b"".join(export(changed.get(event.version, event) for event in recorded))).sound


# ---- forks


def fought() -> Spec:
    """Return a fight with an undo, after which Ann strikes and Bob may parry."""
    spec = Spec(TOY).given(ANN, BOB, declare=False, dice=DiceSettings())
    spec.do(AddSalt("anna", "rhubarb")).begin().act("bob", "shout").do(RevealSeed()).undo()
    spec.rule("force-roll", combatant="ann", purpose="attack", faces=[15])
    return spec.act("ann", "strike", target="bob")


def test_a_fork_is_a_straight_line_with_dice_of_its_own() -> None:
    spec = fought()
    path = spec.live.history.path
    seed = bytes(32)
    recorded, states = fork(path, "another", "Again", seed)
    assert [encode(event) for event in recorded] == states
    assert [event.version for event in recorded] == list(range(1, len(recorded) + 1))
    assert [event.parent for event in recorded] == list(range(len(recorded)))
    opened = recorded[0].event
    assert isinstance(opened, CombatOpened)
    assert (opened.combat, opened.name, opened.commitment) == ("another", "Again", commitment(seed))
    assert opened.forked_from == ("combat", path[-1].version)
    events = [event.event for event in recorded]
    assert not [event for event in events if isinstance(event, SeedCommitted | SeedRevealed)]
    rolls = [event for event in events if isinstance(event, Rolled)]
    assert [(rolled.purpose, rolled.key, rolled.ordinal) for rolled in rolls] == [
        ("shout", "", 0), ("attack", "", 0),
    ]  # fmt: skip
    for event in recorded:
        if isinstance(event.event, ProcedureBegan):
            assert event.event.frame == event.version
    forked = Session(TOY, recorded)
    assert list(forked.open_prompts()) == list(spec.live.open_prompts())
    assert [frame.procedure for frame in forked.combat.frames] == ["turn"]
    for event in recorded:
        began = [b.event.frame for b in recorded if isinstance(b.event, ProcedureBegan)]
        assert event.frame in (0, *began)


def test_a_fork_has_the_old_name_unless_it_is_told_another() -> None:
    recorded, _ = fork(fought().live.history.path, "another", None, SEED)
    assert isinstance(recorded[0].event, CombatOpened)
    assert recorded[0].event.name == "test"


def test_a_fork_of_a_fight_that_goes_on_ends_its_procedures_too() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "wait").act("bob", "wait")
    recorded, _ = fork(spec.live.history.path[3:], "another", None, SEED)
    whole, _ = fork(spec.live.history.path, "another", None, SEED)
    assert Session(TOY, whole).combat.frames[-1].id == whole[-1].frame
    assert len(recorded) == len(whole) - 3


# ---- a file's dice


def lines(spec: Spec) -> bytes:
    return b"".join(export(spec.live.history.recorded))


def test_every_roll_is_counted_once() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False, dice=DiceSettings())
    spec.begin().act("ann", "shout").rule("force-roll", combatant="ann", purpose="shout", faces=[4])
    spec.act("ann", "shout")
    report = verify(lines(spec))
    assert (report.unrevealed_rolls, report.manual_rolls, report.server_rolls) == (1, 1, 0)
    assert "1 rolls whose seed is not revealed: sums only" in report.text()
    assert "forked" not in report.text()
    report = verify(lines(spec.do(RevealSeed())))
    assert (report.unrevealed_rolls, report.manual_rolls, report.server_rolls) == (0, 1, 1)
    assert "not revealed" not in report.text()
    recorded, _ = fork(spec.live.history.path, "another", None, SEED)
    report = verify(b"".join(export(recorded)))
    assert (report.copied_rolls, report.manual_rolls, report.unrevealed_rolls) == (1, 1, 0)
    assert "1 rolls of the combat that it was forked from: sums only" in report.text()
    assert report.sound


def test_a_die_that_falls_beyond_the_last_whole_turn_is_thrown_again() -> None:
    """With `2**63 + 1` sides, Affray must discard nearly every second number and draw again."""
    sides, seed, label = 2**63 + 1, b"seed", hashlib.sha256(b"").hexdigest()

    def number(die: int, attempt: int) -> int:
        parts = ("affray-dice-1", label, "1", "attack", "1", str(die), str(attempt))
        return int.from_bytes(hmac.digest(seed, "\x1f".join(parts).encode(), "sha256")[:8], "big")

    expected, attempts = [], []
    for die in range(8):
        attempt = next(
            number_of for number_of in range(99) if number(die, number_of) < 2**64 - 2**64 % sides
        )
        attempts.append(attempt)
        expected.append(number(die, attempt) % sides + 1)
    assert max(attempts) > 1
    assert faces(seed, (), Key("1", "attack", 1), [sides] * 8) == tuple(expected)


# ---- the content of a line


def one_line(**changes: str) -> bytes:
    """Return a file of one event."""
    opened = Spec(TOY).given(ANN).live.history.recorded[0]
    return b"".join(export([replace(opened, **changes)]))


@pytest.mark.parametrize(
    ("at", "is_time"),
    [
        ("2026-01-01T00:00:00Z", True),
        ("2026-12-31T23:59:59.999999Z", True),
        ("1970-01-01T00:00:00Z", True),
        ("1969-12-31T23:59:59Z", False),
        ("2999-12-31T00:00:00Z", True),
        ("3000-01-01T00:00:00Z", False),
        ("2026-01-31T00:00:00Z", True),
        ("2026-01-32T00:00:00Z", False),
        ("2026-01-00T00:00:00Z", False),
        ("2026-04-30T00:00:00Z", True),
        ("2026-04-31T00:00:00Z", False),
        ("2026-06-31T00:00:00Z", False),
        ("2026-09-31T00:00:00Z", False),
        ("2026-11-31T00:00:00Z", False),
        ("2026-02-28T00:00:00Z", True),
        ("2026-02-29T00:00:00Z", False),
        ("2024-02-29T00:00:00Z", True),
        ("2024-02-30T00:00:00Z", False),
        ("2100-02-29T00:00:00Z", False),
        ("2000-02-29T00:00:00Z", True),
        ("2026-01-01", False),
        ("2026-01-01T00:00:00+00:00", False),
    ],
)
def test_a_time_is_of_a_day_that_the_calendar_has(at: str, is_time: bool) -> None:
    if is_time:
        assert read(one_line(at=at)).recorded[0].at == at
    else:
        with pytest.raises(Malformed) as caught:
            read(one_line(at=at))
        assert caught.value.pointer == "/2"


def test_a_line_tells_the_type_of_its_event_and_the_version_of_the_type() -> None:
    assert b'{"topic":"combat-opened:1",' in one_line()


def test_a_file_of_nothing_is_none() -> None:
    header = one_line().splitlines()[0].replace(b'"events":1', b'"events":0')
    with pytest.raises(Malformed) as caught:
        read(header + b"\n")
    assert caught.value.detail == "line 1: 0 events are announced, 0 are there"


# ---- the log as others read it


def test_a_combat_as_it_grows() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "wait").undo()
    every = [replace(recorded, combat="c") for recorded in spec.live.history.recorded]
    assert project(None, []) is None
    at: CombatAggregate | None = None
    for recorded in every:
        at = project(at, [recorded])
        assert at is not None
        assert (at.id, at.version) == ("c", recorded.version)
        assert at.combat == spec.live.at(recorded.version)
        assert project(at, []) is at
        assert project(at, [CombatDeleted("c"), TextsErased("c")]) is at
    whole = project(None, every)
    assert whole is not None
    assert (whole.combat, whole.version) == (spec.combat, spec.live.version)
    assert (CombatDeleted("c").originator_id, CombatDeleted("c").originator_version) == ("c", 0)
