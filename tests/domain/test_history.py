"""Test undo, redo and forks in random play.

- The events of each branch rebuild its state.
- Redo restores the state before the undo.
- A new fork has the same state as its origin.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine.commands import Act, Goto, RevealSeed
from domain.engine.session import Session
from domain.errors import Refused, Unfitting, Unknown
from domain.record.combat import Combat, DiceSettings
from domain.record.events import Rolled
from domain.record.evolve import fold
from domain.record.export import export, read
from domain.record.fork import fork
from domain.record.verify import verify
from domain.rulebook.ruleset import Ruleset
from domain.rulesets.free_hit import RULESET
from service.conformance.walker import Walker
from tests.domain.toy import TOY
from tests.spec import SEED, Spec
from tests.walks import FIGHTS

SHEETS = {
    "toy": [
        {"name": "ann", "side": "heroes", "owner": "anna", "hp": 25},
        {"name": "bob", "side": "foes", "hp": 15},
    ],
    **{id: fight() for id, fight in FIGHTS.items()},
}
OPTIONS: dict[str, dict[str, Any]] = {"definitions": {"death_roll": "stats-matter"}}
SERVER = DiceSettings()


def played(ruleset: Ruleset, seed: int, steps: int, dice: DiceSettings = SERVER) -> Spec:
    """Return a random fight with many undos and changes of the branch."""
    spec = Spec(ruleset)
    spec.prove = lambda: None  # type: ignore[method-assign]  # proved once, below
    spec.given(*SHEETS[ruleset.id], dice=dice, rulings="default", **OPTIONS.get(ruleset.id, {}))
    random = Random(seed)
    walker = Walker(spec, random, undo=0.15)
    for _ in range(steps):
        if random.random() < 0.08 and spec.live.version > 5:
            try:
                spec.goto(random.randint(1, spec.live.version))
            except Unfitting:
                continue
        elif not walker.step():
            spec.undo()
    return spec


both = pytest.mark.parametrize("ruleset", [TOY, RULESET], ids=lambda entry: entry.id)


@both
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_on_every_branch_the_fold_is_the_state(ruleset: Ruleset, seed: int) -> None:
    spec = played(ruleset, seed, 50)
    history = spec.live.history
    cold = Session(ruleset, history.recorded)
    assert cold.combat == spec.combat
    for recorded in history.recorded[:: max(1, len(history.recorded) // 25)]:
        version = history.resolve(recorded.version)
        path = history.path_to(version)
        assert [event.version for event in path] == sorted({event.version for event in path})
        assert fold(event.event for event in path) == spec.live.at(recorded.version)
    assert list(cold.open_prompts()) == list(spec.live.open_prompts())
    assert verify(b"".join(export(history.recorded))).sound


@both
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_undo_redo_and_goto_are_what_they_say(ruleset: Ruleset, seed: int) -> None:
    spec = played(ruleset, seed, 30)
    there, prompts = spec.combat, list(spec.live.open_prompts())
    version = spec.live.history.head
    try:
        spec.undo()
    except Unfitting:
        return
    before = spec.combat
    spec.redo()
    assert (spec.combat, list(spec.live.open_prompts())) == (there, prompts)
    spec.undo()
    assert spec.combat == before
    spec.goto(version)
    assert spec.combat == there
    with pytest.raises(Unfitting):  # the present is no target
        spec.do(Goto(version))
    assert spec.combat == there


def faces(spec: Spec) -> list[tuple[str, str, int]]:
    """Return key, purpose and number of each server roll."""
    return [
        (recorded.event.key, recorded.event.purpose, recorded.event.ordinal)
        for recorded in spec.live.history.recorded
        if isinstance(recorded.event, Rolled) and recorded.event.by == "server"
    ]


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_fresh_dice_are_never_used_twice(seed: int) -> None:
    used = faces(played(RULESET, seed, 60))
    assert len(used) == len(set(used))


@pytest.mark.parametrize(("after", "same"), [("keep", True), ("fresh", False)])
def test_the_same_command_after_an_undo(after: str, same: bool) -> None:
    spec = Spec(TOY).given(
        *SHEETS["toy"], declare=False, dice=DiceSettings(after_undo="keep" if same else "fresh")
    )
    spec.begin()
    rolls = []
    for _ in range(6):
        spec.do(Act("ann", "strike", {"target": "bob"}))
        rolls.append(spec.rolled("attack").faces)
        spec.undo()
    assert (len(set(rolls)) == 1) is same


def alike(combat: Combat) -> Combat:
    """Return a state without the fields that differ in a fork: id, dice and frame ids."""
    frames = {frame.id: number for number, frame in enumerate(combat.frames)}
    return replace(
        combat,
        id="",
        commitment="",
        seed=None,
        frames=tuple(replace(frame, id=frames[frame.id]) for frame in combat.frames),
        prompts={
            id: replace(prompt, frame=frames.get(prompt.frame, -1))
            for id, prompt in combat.prompts.items()
        },
    )


@both
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32), place=st.floats(0.1, 1))
def test_a_fork_is_equal_to_the_original_at_its_version(
    ruleset: Ruleset, seed: int, place: float
) -> None:
    spec = played(ruleset, seed, 40)
    version = spec.live.history.at_rest(max(1, int(spec.live.version * place)))
    path = spec.live.history.path_to(version)
    recorded, states = fork(path, "another", None, SEED)
    forked = Session(ruleset, recorded)
    assert alike(forked.combat) == alike(spec.live.at(version))
    assert list(forked.open_prompts()) == list(spec.live.as_of(version).open_prompts())
    file = b"".join(export(recorded))
    assert list(read(file).states) == states
    assert verify(file).sound


def test_in_the_midst_of_a_command_its_end_is_meant() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False)
    first = spec.live.version + 1
    spec.begin()
    begun = spec.combat
    spec.act("ann", "wait").goto(first)  # the first event of the turn's command
    assert spec.combat == begun


def test_redo_takes_the_branch_that_was_left_last() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"], declare=False).begin()
    spec.act("ann", "wait")
    first, version = spec.combat, spec.live.history.head
    spec.undo().do(Act("ann", "shout"))  # a newer branch
    spec.goto(version).undo().redo()
    assert spec.combat == first


def test_what_history_refuses() -> None:
    spec = Spec(TOY).given(*SHEETS["toy"])
    for step, error in (
        (spec.undo, Unfitting),
        (spec.redo, Unfitting),
        (lambda: spec.goto(99), Unknown),
        (lambda: spec.goto(0), Unknown),
        (lambda: spec.goto(spec.live.version), Unfitting),
        (spec.resume, Unfitting),
    ):
        before = spec.combat
        with pytest.raises(error):
            step()
        assert spec.combat == before
    spec.do(RevealSeed())
    with pytest.raises(Refused):
        spec.do(RevealSeed())
