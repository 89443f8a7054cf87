"""Frames: a combat's procedures as a stack. Each procedure interrupted the procedure below.

Only the top procedure runs or waits. `rebuild` restores a waiting procedure from the record.
"""

from collections.abc import Mapping
from typing import Protocol

from domain.engine.run import Run
from domain.engine.sources import Replay
from domain.errors import Diverged, Refused
from domain.record.combat import Combat, Frame, Id
from domain.record.events import AnyEvent
from domain.record.pages import Away
from domain.record.recorded import Recorded
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Ruleset


class Past(Protocol):
    """The parts of a combat that `rebuild` needs."""

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def asked(self) -> Mapping[Id, int]: ...
    def since(self, version: int) -> list[Recorded]: ...
    def state(self, version: int) -> Combat: ...
    def told(self, version: int) -> AnyEvent | None: ...


def new_run(past: Past, frame: Frame, combat: Combat) -> Run:
    """Return the run of a frame at its start."""
    play = Play(past.ruleset, combat)
    play.told = past.told
    return Run(frame, play, past.asked)


def rebuild(past: Past, frame: Frame) -> Run:
    """Run a new generator of the procedure on the events recorded since its beginning.

    Raises `Diverged` if the current rules do not match these events. For example, the procedure
    or one of its arguments may no longer exist.
    """
    before, script = past.state(frame.id), past.since(frame.id)
    try:
        run = new_run(past, frame, before)
        Replay(script).drive(run)
    except (Away, Diverged, Refused):
        raise
    except Exception as error:
        raise Diverged(f"{type(error).__name__}: {error}") from error
    return run
