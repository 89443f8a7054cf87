"""Frames: the procedures of a combat, each above those that it interrupted.

One procedure runs or waits at a time. `drive` lets it continue until it waits or ends, with any
source. `rebuild` restores a waiting one from the record.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

from msgspec.structs import replace

from domain.engine.rolls import faces_prompt
from domain.engine.run import Run, Waiting
from domain.engine.sources import Replay, Source, comes_too_late
from domain.errors import Diverged, Refused
from domain.record.combat import Combat, Frame, Id
from domain.record.events import AnyEvent, Stopped
from domain.record.pages import Away
from domain.record.recorded import Recorded
from domain.rulebook.effects import Admit, Ask, Effect, Pause, Roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import Ruleset

RUNAWAY = 400
"""Events of one command after which the GM is asked whether the chain goes on."""

LONG_CHAIN = Prompt(
    kind="ruling",
    name="long-chain",
    who=None,
    text=f"One command has led to more than {RUNAWAY} events. Does the chain go on?",
    options=(Option("go-on"), Option("abandon")),
    rules=(),
    default="abandon",
)


class Past(Protocol):
    """The parts of a combat that rebuilding needs."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def asked(self) -> Mapping[Id, int]: ...
    def since(self, version: int) -> list[Recorded]: ...
    def state(self, version: int) -> Combat: ...
    def told(self, version: int) -> AnyEvent | None: ...


def new_run(past: Past, frame: Frame, combat: Combat) -> Run:
    """The run of a frame at its start."""
    play = Play(past.ruleset, combat)
    play.told = past.told
    return Run(frame, play, past.asked)


def rebuild(past: Past, frame: Frame) -> Run:
    """Feed a fresh generator the events recorded since its beginning.

    Raises `Diverged` if the rules no longer match the record, or fail on it. A missing procedure or
    argument is such a failure.
    """
    before, script = past.state(frame.id), past.since(frame.id)
    try:
        run = new_run(past, frame, before)
        drive(run, Replay(script))
    except (Away, Diverged, Refused):
        raise
    except Exception as error:
        raise Diverged(f"{type(error).__name__}: {error}") from error
    return run


def drive(run: Run, source: Source) -> None:
    """Let a procedure go on until it waits, ends, is interrupted, or the record ends."""
    while source.goes_on(run):
        if run.waiting is not None:
            if not source.answered(run):
                return
            continue
        if run.settled is not None and not _settled(run, source):
            return
        if source.too_long(run):
            _ask(run, source, Waiting(Ask((LONG_CHAIN,)), runaway=True, held=run.value))
            run.value = None
            continue
        value, run.value = run.value, None
        try:
            effect = run.generator.send(value)
        except StopIteration:
            source.ended(run)
            return
        _perform(run, source, effect)


def _settled(run: Run, source: Source) -> bool:
    """Convert answers to the engine's own prompts into the value for the procedure."""
    waiting, run.settled = run.settled, None
    assert waiting is not None
    if waiting.roll is not None:
        (answer,) = run.value
        run.value = source.thrown(run, waiting, answer.inputs.faces)
    elif waiting.runaway:
        (answer,) = run.value
        run.value = waiting.held
        if answer.option == "abandon":
            source.given_up(run)
            return False
    return True


def _perform(run: Run, source: Source, effect: Effect) -> None:
    match effect:
        case Roll():
            run.value = source.roll(run, effect)
            if run.value is None:
                numbers = effect.numbers()
                ask = Ask((faces_prompt(effect, numbers, run.play.combat),), stops=effect.stops)
                waiting = Waiting(ask, roll=effect, numbers=numbers)
                _ask(run, source, waiting)
        case Ask():
            waiting = Waiting(effect)
            _ask(run, source, waiting)
            source.asked(run, tuple(waiting.prompts))
        case Admit():
            run.value = source.admit(run, effect)
        case Pause():
            pass  # alone, a procedure does not wait
        case Stopped():
            closes, run.lapsing = run.lapsing, ()
            source.put(run, replace(effect, closes=closes))
        case tuple():
            source.put_together(run, tuple(e for e in effect if not comes_too_late(run, e)))
        case _ if not comes_too_late(run, effect):
            source.put(run, effect)


def _ask(run: Run, source: Source, waiting: Waiting) -> None:
    put: Any = partial(source.put, run)
    run.ask(waiting, put)
