"""Run: one procedure while it runs or waits, and its rebuilding from what is recorded.

The generator is only a cache. A run that replays is fed from a script, the recorded events since
its beginning: what it yields must equal what is recorded, and events of others (rulings made
while it waited) are folded where they stand.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.errors import Diverged
from domain.record.combat import Frame, Id
from domain.record.events import ActionDeclared, Answered, AnyEvent, Prompted
from domain.record.evolve import evolve
from domain.record.recorded import Recorded
from domain.rulebook.effects import Answer, Ask, Option, Procedure, Prompt, Roll
from domain.rulebook.play import Play
from domain.rulebook.ruleset import read


@dataclass
class Waiting:
    """Open questions of a run, by prompt id, and the answers so far (`given` of them, in all).

    `ask` is what was asked. `roll`: the engine asks for the faces of this roll. `runaway`: the
    engine asks whether a long chain goes on; `held` is what the procedure gets then.
    """

    ask: Ask
    prompts: dict[str, Prompt] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    given: int = 0
    roll: Roll | None = None
    runaway: bool = False
    held: Any = None


class Run:
    """A procedure's generator, what it waits for, and the script that it replays, if any."""

    __slots__ = ("frame", "generator", "play", "script", "settled", "value", "waiting")

    def __init__(self, frame: Frame, play: Play, script: Iterable[Recorded] | None = None) -> None:
        self.frame = frame
        self.play = play
        self.generator: Procedure[None] = begin(frame, play)
        self.waiting: Waiting | None = None
        self.settled: Waiting | None = None
        self.value: Any = None
        self.script: deque[Recorded] | None = None if script is None else deque(script)

    def peek(self) -> AnyEvent | None:
        """The next recorded event of this run; what others did before it is folded on the way."""
        script = self.script
        while script:
            if script[0].frame == self.frame.id:
                return script[0].event
            self.play.combat = evolve(self.play.combat, script.popleft().event)
        return None

    def expect(self, event: AnyEvent) -> AnyEvent:
        """Take the next recorded event, which must be `event`; raises `Diverged`."""
        recorded = self.peek()
        if recorded is None or not same(recorded, event):
            raise Diverged(f"{event!r} is not what is recorded: {recorded!r}")
        assert self.script is not None
        self.script.popleft()
        self.play.combat = evolve(self.play.combat, recorded)
        return recorded

    def take(self, event: Answered | ActionDeclared) -> None:
        """Note an answer; when it closes the questions, the generator is ready to go on."""
        waiting = self.waiting
        if waiting is None or event.prompt not in waiting.prompts:
            raise Diverged(f"{event!r} answers nothing that is open")
        prompt = waiting.prompts[event.prompt]
        name = event.action if isinstance(event, ActionDeclared) else event.option
        option = find(prompt.options, name)
        if option is None:
            raise Diverged(f"{name!r} is no option of {prompt.name}")
        inputs = read(event.inputs, option.inputs)
        waiting.answers[event.prompt] = Answer(prompt.who, name, inputs, waiting.given)
        waiting.given += 1
        if event.closes:
            self.waiting = None
            only = event.prompt if waiting.ask.wait == "any" else None
            self.value = tuple(
                waiting.answers.get(id) if only in (None, id) else None for id in waiting.prompts
            )
            self.settled = waiting


def begin(frame: Frame, play: Play) -> Procedure[None]:
    """The generator of a frame, at its start."""
    if frame.kind == "flow":
        return play.ruleset.procedures[frame.procedure](play, **frame.args)
    of = play.ruleset.actions if frame.kind == "action" else play.ruleset.rulings
    action = of[frame.procedure]
    who: Id = frame.args["who"]
    return action.procedure(play, who, read(frame.args["inputs"], action.inputs))


def find(options: Iterable[Option], id: str | None) -> Option | None:
    """The option `id`, or None."""
    return next((option for option in options if option.id == id), None)


def prompted(id: str, prompt: Prompt, group: tuple[str, ...], ask: Ask) -> Prompted:
    """The event of a question."""
    return Prompted(
        id,
        prompt.kind,
        prompt.name,
        prompt.who,
        prompt.text,
        tuple(option.id for option in prompt.options),
        prompt.default,
        prompt.data,
        group,
        ask.sealed,
        rules=prompt.rules,
    )


def same(recorded: AnyEvent, event: AnyEvent) -> bool:
    """Whether they state the same fact; ids and wording of prompts do not count."""
    if isinstance(recorded, Prompted) and isinstance(event, Prompted):
        event = replace(event, prompt=recorded.prompt, group=recorded.group, text=recorded.text)
    return recorded == event or plain(recorded) == plain(event)


def plain(event: AnyEvent) -> bytes:
    """An event as stored, so that lists and tuples compare equal."""
    return _ENCODER.encode(event)


_ENCODER = msgspec.json.Encoder(order="deterministic")
