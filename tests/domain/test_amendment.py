"""Test that Affray changes a past command and decides the later commands again."""

import dataclasses as contexts
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.dice import parse
from domain.engine.amendment import (
    Amendment,
    DropCommand,
    GivenAnswer,
    InsertCommand,
    ReplaceCommand,
    SetAnswer,
    SetFaces,
    reason_of,
)
from domain.engine.caller import Caller
from domain.engine.commands import Act, Begin, Lapse, Leave, Note, RevealSeed, SetDeadlines, Undo
from domain.engine.commands import GmRuling as Ruling
from domain.engine.repetition import GivenFaces
from domain.engine.session import Session
from domain.errors import Forbidden, Malformed, Unfitting
from domain.record.combat import Deadlines, DiceSettings, StandingOrder
from domain.record.erasure import erase
from domain.record.events import ActionDeclared, Amended, Event, Reverted, Rolled
from domain.record.export import export
from domain.record.fork import fork
from domain.record.recorded import Recorded, chain_hash, decode, encode
from domain.record.verify import verify
from tests.domain.amending import (
    OTHER,
    RULESETS,
    SHEETS,
    ends,
    first_command,
    fought,
    walk_of,
)
from tests.domain.toy import TOY
from tests.forms import forms
from tests.spec import SEED, Spec

SERVER = DiceSettings()
MANUAL = DiceSettings("manual", "manual")

every = pytest.mark.parametrize("ruleset", list(RULESETS))


@pytest.mark.sampled(5)
@every
@pytest.mark.parametrize(
    ("seed", "dice", "players"),
    [(1, SERVER, False), (2, MANUAL, False), (3, SERVER, True)],
    ids=["server", "manual", "players"],
)
def test_without_a_change_everything_happens_again(
    ruleset: str, seed: int, dice: DiceSettings, players: bool
) -> None:
    spec = fought(ruleset, seed, 40, dice, players=players)
    before, version = spec.live.combat, spec.live.version
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    steps = list(walk)
    assert steps
    assert [step for step in steps if step.verdict != "same"] == []
    assert ends(walk.live.combat) == ends(before)
    assert (spec.live.combat, spec.live.version) == (before, version)
    assert not walk.chance
    originals = {recorded.version: recorded for recorded in spec.live.history.recorded}
    for recorded in walk.recorded:  # nobody learns anything new
        if recorded.replays:
            assert recorded.audience == originals[recorded.replays].audience


def duel() -> Spec:
    """Return a fight in which Ann strikes Bob twice. Bob never parries, and waits in his turns."""
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=SERVER).begin()
    for who, action, inputs in (
        ("ann", "strike", {"target": "bob"}),
        ("bob", "wait", {}),
        ("ann", "strike", {"target": "bob"}),
        ("bob", "wait", {}),
    ):
        spec.act(who, action, **inputs)
        if any(prompt.name == "parry" for prompt in spec.live.open_prompts().values()):
            spec.answer("bob", "pass")
    return spec


def version_of(live: Session, kind: type[Event], place: int = 0, **fields: Any) -> int:
    """Return the version of an event on the path with this kind and these fields.

    If several events match, `place` selects one.
    """
    versions = [
        recorded.version
        for recorded in live.history.path
        if isinstance(recorded.event, kind)
        and all(getattr(recorded.event, name) == value for name, value in fields.items())
    ]
    return versions[place]


def cold(live: Session) -> Session:
    """Return the same session from its stored bytes."""
    return Session(live.ruleset, [decode(encode(recorded)) for recorded in live.history.recorded])


def test_a_players_command_records_whom_its_caller_played() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=MANUAL).begin()
    spec.do(Act("ann", "shout"), by=Caller("t", "player", (), "anna"))
    first, *others = spec.last
    assert first.plays == ("ann",)
    assert all(recorded.plays == () for recorded in others)
    spec.throw(2)
    assert all(recorded.plays == () for recorded in spec.last)  # the GM plays everybody


def test_the_whole_amendment_is_one_step_back_and_forth() -> None:
    spec = duel()
    there, head = spec.live.combat, spec.live.history.head
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    assert list(walk)
    amended = spec.live = walk.live
    assert spec.combat.commitment == there.commitment
    spec.act("ann", "wait")
    spec.undo()
    assert spec.combat == amended.combat
    spec.undo()
    assert (spec.combat, spec.live.history.head) == (there, head)
    spec.redo()
    assert spec.combat == amended.combat
    spec.undo()
    assert spec.combat == there
    spec.undo()
    assert spec.live.history.head < head
    inside = version_of(amended, ActionDeclared, 1)
    spec.goto(inside)
    assert spec.live.history.is_present(inside)


def test_an_amendment_that_leaves_nothing_is_taken_back_too() -> None:
    spec = duel()
    there = spec.combat
    last = spec.live.history.command_of(spec.live.history.head)[0]
    walk = walk_of(spec.live, Amendment((DropCommand(last),)), stores=True)
    assert [step.verdict for step in walk] == ["dropped"]
    spec.live = walk.live
    assert spec.combat != there
    spec.undo()
    assert spec.combat == there


def test_every_repeated_event_names_its_original() -> None:
    spec = duel()
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    list(walk)
    reverted, amended, *repeated = walk.recorded
    assert isinstance(reverted.event, Reverted)
    assert reverted.event.kind == "amend"
    assert amended.event == Amended(spec.live.history.head, ())
    assert amended.audience == ()
    originals = {recorded.version: recorded for recorded in spec.live.history.recorded}
    assert all(
        type(originals[recorded.replays].event) is type(recorded.event) for recorded in repeated
    )
    assert {recorded.at for recorded in repeated} == {"2027-01-01T00:00:00Z"}
    again = cold(walk.live)
    assert again.combat == walk.live.combat
    assert again.history.amendments == walk.live.history.amendments
    assert list(again.open_prompts()) == list(walk.live.open_prompts())


def test_other_faces_change_what_comes_of_them_and_nothing_else() -> None:
    spec = duel()
    roll = version_of(spec.live, Rolled, 0, purpose="attack")
    walk = walk_of(spec.live, Amendment((SetFaces(roll, (1,)),), prompts="default"), OTHER)
    steps = list(walk)
    assert steps[0].changed == "set"
    assert steps[0].verdict == "different"
    path = walk.live.history.path
    rolls = [recorded.event for recorded in path if isinstance(recorded.event, Rolled)]
    assert rolls[0].faces == (1,)
    assert rolls[0].by == "gm"
    kept = [
        recorded.event for recorded in spec.live.history.path if isinstance(recorded.event, Rolled)
    ]
    told = {(rolled.purpose, rolled.faces) for rolled in kept}
    assert all((rolled.purpose, rolled.faces) in told for rolled in rolls[1:])
    assert walk.live.combat["bob"].tracks["hp"].value > spec.hp("bob")
    assert not walk.chance


def test_a_dropped_command_leaves_its_prompt_to_be_answered() -> None:
    spec = duel()
    strike = version_of(spec.live, ActionDeclared, 0)
    drop = DropCommand(strike)
    walk = walk_of(spec.live, Amendment((drop,)))
    steps = list(walk)
    assert steps[0].verdict == "dropped"
    assert walk.ended is not None
    assert walk.ended.why == "prompt"
    (asked,) = walk.ended.prompts
    assert walk.live.combat.prompts[asked].who == "ann"
    default = walk_of(spec.live, Amendment((drop,), prompts="default", impossible="skip"))
    steps = list(default)
    assert default.ended is None
    assert any(step.asked for step in steps)
    waiting = GivenAnswer(walk.ended.at, "turn", "ann", "wait")
    answered = walk_of(spec.live, Amendment((drop,), answers=(waiting,), impossible="skip"))
    assert any(step.asked for step in answered)
    declared = [recorded.event for recorded in answered.live.history.path[-30:]]
    assert any(isinstance(event, ActionDeclared) and event.action == "wait" for event in declared)


def test_an_added_command_comes_before_the_one_that_it_names() -> None:
    spec = duel()
    second = version_of(spec.live, ActionDeclared, 1)
    track = Ruling("set-track", {"combatant": "bob", "track": "hp", "value": 14})
    amendment = Amendment((InsertCommand(second, track),), reason="a forgotten wound")
    walk = walk_of(spec.live, amendment, stores=True)
    steps = list(walk)
    assert [step.verdict for step in steps][:2] == ["added", "same"]
    assert steps[0].at == second
    assert all(step.verdict == "same" for step in steps[1:])
    assert walk.live.combat["bob"].tracks["hp"].value != spec.hp("bob")
    added = walk.live.history.recorded_at(steps[0].first)
    assert added.replays == walk.amended
    spec.live = walk.live
    spec.undo()
    assert spec.live.history.head == spec.live.history.amendments[0].left


def test_another_command_keeps_the_rights_of_its_author() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=SERVER).begin()
    anna = Caller("t", "player", (), "anna")
    spec.do(Act("ann", "wait"), by=anna)
    at = spec.last[0].version
    replaced = ReplaceCommand(at, Act("ann", "ponder"))
    walk = walk_of(spec.live, Amendment((replaced,)), stores=True)
    (step,) = walk
    assert step.changed == "replace"
    assert step.verdict == "different"
    first = walk.live.history.recorded_at(step.first)
    assert (first.actor, first.plays, first.replays) == (("t", "player"), ("ann",), at)
    assert first.input is not None
    assert first.input["action"] == "ponder"
    other = ReplaceCommand(at, Act("bob", "wait"))
    with pytest.raises(Forbidden):
        list(walk_of(spec.live, Amendment((other,))))


def test_an_impossible_command_ends_the_walk_or_is_left_out() -> None:
    spec = duel()
    second = version_of(spec.live, ActionDeclared, 1)
    gone = InsertCommand(second, Leave("bob"))
    stopped = walk_of(spec.live, Amendment((gone,)))
    assert list(stopped)[-1].verdict in ("impossible", "not-asked")
    skipped = walk_of(spec.live, Amendment((gone,), impossible="skip", prompts="default"))
    verdicts = {step.verdict for step in skipped}
    assert verdicts & {"impossible", "not-asked"}
    assert skipped.ended is None
    asked = walk_of(spec.live, Amendment((gone,), impossible="ask"))
    steps = list(asked)
    if steps[-1].verdict == "impossible":
        assert asked.ended is not None
        assert not asked.ended.decided


def test_an_erased_input_is_impossible() -> None:
    spec = duel()
    spec.do(Note("Bob's player is late"))
    noted = spec.last[0].version
    spec.act("ann", "shout")
    changed = {
        recorded.version: recorded for recorded in erase(spec.live.history.recorded, version=noted)
    }
    events = [changed.get(recorded.version, recorded) for recorded in spec.live.history.recorded]
    live = Session(TOY, events)
    walk = walk_of(live, Amendment(since=noted, impossible="skip"))
    steps = list(walk)
    assert [step.verdict for step in steps] == ["impossible", "same"]
    assert reason_of(steps[0].refused) == ("", "input-erased")


def test_a_text_that_was_repeated_is_erased_everywhere() -> None:
    spec = duel()
    spec.do(Note("Bob's player is late"))
    noted = spec.last[0].version
    walk = walk_of(spec.live, Amendment(since=noted), stores=True)
    (step,) = walk
    for version in (noted, step.first):
        events = {
            recorded.version: recorded
            for recorded in erase(walk.live.history.recorded, version=version)
        }
        assert {noted, step.first} <= set(events)
        assert all(b"late" not in encode(recorded) for recorded in events.values())


def test_only_what_chance_does_not_decide_is_in_the_digest() -> None:
    spec = duel()
    bob = version_of(spec.live, ActionDeclared, 1)
    strike = ReplaceCommand(bob, Act("bob", "strike", {"target": "ann"}))
    amendment = Amendment((strike,), prompts="default", impossible="skip")
    digests = set()
    for seed in (OTHER, SEED, bytes(32)):
        walk = walk_of(spec.live, amendment, seed)
        steps = list(walk)
        assert steps[0].chance
        assert steps[0].fresh
        digests.add(walk.digest)
    assert len(digests) == 1
    other = walk_of(spec.live, Amendment((strike,), prompts="default"), SEED)
    list(other)
    assert other.digest not in digests


def test_a_new_roll_can_be_asked_for_and_given() -> None:
    spec = duel()
    bob = version_of(spec.live, ActionDeclared, 1)
    strike = ReplaceCommand(bob, Act("bob", "strike", {"target": "ann"}))
    asked = walk_of(spec.live, Amendment((strike,), dice="ask"))
    (step,) = asked
    assert step.verdict == "open"
    assert asked.ended is not None
    assert asked.ended.roll is not None
    assert (asked.ended.roll.who, asked.ended.roll.purpose) == ("bob", "attack")
    faces = (GivenFaces((3,), "bob", "attack"),)
    given = walk_of(spec.live, Amendment((strike,), dice="list", faces=faces))
    first = next(given)
    (rolled,) = (
        recorded.event
        for recorded in given.live.history.gather([(first.first, first.last)])
        if isinstance(recorded.event, Rolled)
    )
    assert (rolled.faces, rolled.by) == ((3,), "gm")
    assert not first.chance


def test_a_kept_roll_is_proved_by_its_original() -> None:
    spec = duel()
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    list(walk)
    live = walk.live
    report = verify(b"".join(export(live.history.recorded)))
    assert report.sound, report.faults
    assert report.kept_rolls == sum(
        isinstance(recorded.event, Rolled) for recorded in spec.live.history.path
    )
    spec.live = live
    spec.do(RevealSeed())
    report = verify(b"".join(export(spec.live.history.recorded)))
    assert report.sound, report.faults
    assert report.kept_rolls


@pytest.mark.parametrize("fault", ["faces", "twice", "elsewhere"])
def test_a_roll_that_only_says_it_was_kept_is_found_out(fault: str) -> None:
    spec = duel()
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    list(walk)
    recorded = list(walk.live.history.recorded)
    kept = [event for event in recorded if event.replays and isinstance(event.event, Rolled)]
    first, second = (
        recorded for recorded in kept if getattr(recorded.event, "purpose", "") == "attack"
    )
    event: Any = second.event
    match fault:
        case "faces":
            face = event.faces[0] % 20 + 1
            total = event.total - event.faces[0] + face
            forged = replace(second, event=replace(event, faces=(face,), total=total))
        case "twice":
            forged = replace(second, event=first.event, replays=first.replays)
        case _:
            forged = replace(second, replays=first.version)
    events: list[Recorded] = []
    previous = ""
    for entry in recorded:
        entry = replace(forged if entry is second else entry, previous=previous)
        previous = chain_hash(entry)
        events.append(entry)
    assert not verify(b"".join(export(events))).sound


def test_behind_a_revealed_seed_the_dice_are_new_and_the_kept_ones_proved() -> None:
    spec = duel()
    spec.end()
    assert spec.combat.status == "ended"
    amendment = Amendment(since=first_command(spec.live))
    walk = walk_of(spec.live, amendment, stores=True)
    assert {step.verdict for step in walk} == {"same"}
    assert walk.seeds
    assert ends(walk.live.combat) == ends(spec.combat)
    report = verify(b"".join(export(walk.live.history.recorded)))
    assert report.sound, report.faults


def test_a_recorded_lapse_is_given_again_whatever_the_clock_says() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False).do(SetDeadlines(Deadlines(turn=30)))
    begin = contexts.replace(
        spec.context(), command="begin", later=lambda seconds: "2026-06-01T00:00:00Z"
    )
    live = spec.live.decide(Begin(), begin).live
    lapsed = live.version + 1
    late = contexts.replace(spec.context(), command="lapse", now="2026-07-01T00:00:00Z")
    live = live.decide(Lapse(), late).live
    walk = walk_of(live, Amendment(since=lapsed), stores=True)
    (step,) = walk
    assert step.verdict == "same"
    spec.live = walk.live
    again = walk_of(spec.live, Amendment(since=step.first))
    assert [step.verdict for step in again] == ["same"]


def test_what_was_undone_is_not_decided_again() -> None:
    spec = duel()
    spec.undo()
    spec.act("bob", "ponder")
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    assert {step.verdict for step in walk} == {"same"}
    assert ends(walk.live.combat) == ends(spec.combat)


def test_an_amendment_can_be_amended() -> None:
    spec = duel()
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    list(walk)
    again = walk_of(walk.live, Amendment(since=first_command(walk.live)), stores=True)
    assert {step.verdict for step in again} == {"same"}
    assert ends(again.live.combat) == ends(spec.combat)
    report = verify(b"".join(export(again.live.history.recorded)))
    assert report.sound, report.faults


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (DropCommand(1), "the-opening"),
        (SetFaces(3, (1,)), "the-opening"),
    ],
)
def test_the_opening_is_not_changed(change: Any, code: str) -> None:
    with pytest.raises(Unfitting) as caught:
        walk_of(duel().live, Amendment((change,)))
    assert caught.value.code == code


def test_changes_are_of_the_present_and_one_a_command() -> None:
    spec = duel()
    strike = version_of(spec.live, ActionDeclared, 0)
    for changes, code in (
        ((DropCommand(strike), SetAnswer(strike, "wait")), "two-changes"),
        ((SetFaces(strike, (1,)),), "no-roll"),
    ):
        with pytest.raises(Unfitting) as caught:
            walk_of(spec.live, Amendment(changes))
        assert caught.value.code == code
    spec.undo()
    undone = spec.live.history.turns[-1].left
    with pytest.raises(Unfitting) as caught:
        walk_of(spec.live, Amendment((DropCommand(undone),)))
    assert caught.value.code == "not-present"
    with pytest.raises(Malformed):
        walk_of(spec.live, Amendment((SetFaces(version_of(spec.live, Rolled), (21,)),)))


def test_a_fork_knows_nothing_of_amendments() -> None:
    spec = duel()
    walk = walk_of(spec.live, Amendment(since=first_command(spec.live)), stores=True)
    list(walk)
    events, _ = fork(walk.live.history.path, "other", None, SEED)
    live = Session(TOY, events)
    assert not any(recorded.replays or isinstance(recorded.event, Amended) for recorded in events)
    assert not live.history.amendments
    assert ends(live.combat)[0]["combatants"] == ends(walk.live.combat)[0]["combatants"]


@every
@forms("seed", 0, long=[1, 2])
def test_whatever_is_amended_can_be_loaded_proved_and_taken_back(ruleset: str, seed: int) -> None:
    spec = fought(ruleset, 10 + seed, 40, MANUAL if seed % 2 else SERVER)
    random = Random(seed)
    commands = [
        recorded.version
        for recorded in spec.live.history.path
        if recorded.input is not None and recorded.input["type"] in ("act", "reply", "rule")
    ]
    least = first_command(spec.live)
    path = [recorded for recorded in spec.live.history.path if recorded.version >= least]
    rolls = [recorded for recorded in path if isinstance(recorded.event, Rolled)]
    changes: list[Any] = [DropCommand(random.choice(commands))]
    if rolls:
        roll: Any = random.choice(rolls)
        dice = parse(roll.event.formula).dice
        changes.append(SetFaces(roll.version, tuple(random.randint(1, abs(d)) for d in dice)))
    who = random.choice(list(spec.live.combat)).id
    note = InsertCommand(random.choice(commands), Note(f"about {who}"))
    changes.append(note)
    there = spec.live.combat
    for change in changes:
        amendment = Amendment((change,), prompts="default", impossible="skip")
        walk = walk_of(spec.live, amendment, stores=True)
        steps = list(walk)
        assert steps
        assert walk.ended is None or walk.ended.why == "prompt"
        if isinstance(change, InsertCommand):
            assert {step.verdict for step in steps} == {"added", "same"}
        again = cold(walk.live)
        assert again.combat == walk.live.combat
        assert list(again.open_prompts()) == list(walk.live.open_prompts())
        report = verify(b"".join(export(walk.live.history.recorded)))
        assert report.sound, report.faults
        undone = walk.live.decide(Undo(), spec.context()).live
        assert undone.combat == there
        assert list(undone.open_prompts()) == list(spec.live.open_prompts())


def test_faces_of_the_request_are_used_once() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=MANUAL).begin()
    spec.act("ann", "strike", ("attack", 5), target="bob")
    missed = spec.last[0].version
    spec.act("bob", "wait").act("ann", "strike", ("attack", 5), target="bob")
    spec.act("bob", "wait")
    rolls = [recorded for recorded in spec.live.history.path if isinstance(recorded.event, Rolled)]
    hits = tuple(SetFaces(recorded.version, (15,)) for recorded in rolls)
    faces = (GivenFaces((6,)), GivenFaces((2,)))
    amendment = Amendment(hits, faces=faces, prompts="default", impossible="skip")
    walk = walk_of(spec.live, amendment)
    assert min(step.at for step in walk) >= missed
    assert walk.ended is None
    assert walk.live.combat["bob"].tracks["hp"].value == 15 - 6 - 2


def test_standing_orders_answer_again() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=MANUAL).begin()
    spec.orders("bob", StandingOrder("parry", "pass"))
    ordered = spec.last[0].version
    spec.act("ann", "strike", ("attack", 15), ("damage", 3), target="bob")
    assert spec.combat["bob"].tracks["hp"].value == 12
    same = walk_of(spec.live, Amendment(since=first_command(spec.live)))
    assert {step.verdict for step in same} == {"same"}
    asked = walk_of(spec.live, Amendment((DropCommand(ordered),)))
    list(asked)
    assert asked.ended is not None
    (prompt,) = asked.ended.prompts
    assert asked.live.combat.prompts[prompt].name == "parry"


def test_faces_that_fit_several_new_rolls_of_one_answer_are_used_once() -> None:
    dice = DiceSettings(gm="server", players="manual")
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False, dice=dice).begin()
    spec.orders("bob", StandingOrder("parry", "take"))
    spec.act("ann", "wait")
    waited = spec.last[0].version
    strike = ReplaceCommand(waited, Act("ann", "strike", {"target": "bob"}))
    amendment = Amendment((strike,), dice="list", faces=(GivenFaces((15,)),))
    spec.act("bob", "wait")
    walk = walk_of(spec.live, amendment)
    list(walk)
    assert walk.ended is not None
    assert walk.ended.roll is not None
    assert walk.ended.roll.purpose == "parry"
