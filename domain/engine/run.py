"""Run: a procedure that runs or waits, and its open prompts.

The generator is only a cache. `frames.rebuild` restores it from the record.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from domain.engine import abandonment
from domain.errors import Diverged
from domain.record.combat import Combat, Frame, Id
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    PromptChanged,
    Prompted,
    StillAsked,
)
from domain.rulebook.action import ruled
from domain.rulebook.effects import Ask, Numbers, Procedure, Roll, while_able, while_there
from domain.rulebook.input_reader import read_stored
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt

Put = Callable[[AnyEvent], Any]
"""A function that records an event, or finds it in the record, and returns the stored event."""


@dataclass
class Waiting:
    """The open prompts of a run by id, and their answers.

    - `ask`: the effect that asked.
    - `given`: the number of answers, including changed ones.
    - `roll`: the roll that needs faces from a person.
    - `numbers`: the numbers of this roll when the prompt opened.
    - `runaway`: true if the engine asks whether a long chain continues.
    - `held`: the value for the procedure after a `runaway` prompt.
    - `former`: for each prompt, the options that it no longer has.
    """

    ask: Ask
    prompts: dict[str, Prompt] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    given: int = 0
    roll: Roll | None = None
    numbers: Numbers | None = None
    runaway: bool = False
    held: Any = None
    former: dict[str, dict[str, Option]] = field(default_factory=dict)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Return the prompts without an answer."""
        return tuple(id for id in self.prompts if id not in self.answers)

    def lapsed(self, prompt: str) -> bool:
        """Return true if this any-of prompt is already settled."""
        return self.ask.wait == "any" and prompt in self.answers


class Run:
    """A procedure's generator and its open prompts.

    - `value`: the next value for the generator.
    - `settled`: the engine's own prompts that just got their answers.
    - `lapsing`: prompts that lapsed, until the procedure records the reason.
    - `asked`: the number of prompts to each combatant so far, to make prompt ids unique.
    - `kept`: prompts that stay open while the procedure handles the answer to another one.
    """

    def __init__(self, frame: Frame, play: Play, asked: Mapping[Id, int]) -> None:
        self.frame = frame
        self.play = play
        self.asked = asked
        self.generator: Procedure[None] = begin(frame, play)
        self.waiting: Waiting | None = None
        self.settled: Waiting | None = None
        self.lapsing: tuple[str, ...] = ()
        self.kept: dict[str, Prompt] = {}
        self.value: Any = None

    def ask(self, waiting: Waiting, put: Put) -> None:
        """Open the prompts of `waiting`."""
        new = waiting.ask.prompts
        if waiting.ask.wait == "each":
            new = self._take_over(waiting, put)
        self._open(waiting, new, put)
        self.waiting = waiting

    def _take_over(self, waiting: Waiting, put: Put) -> tuple[Prompt, ...]:
        """Take over open prompts that `waiting` asks again. The other open prompts lapse."""
        new = list(waiting.ask.prompts)
        gone: dict[str, Prompt] = {}
        for id, open_one in self.kept.items():
            same = next((prompt for prompt in new if _is_same(prompt, open_one)), None)
            if same is None:
                gone[id] = open_one
            else:
                new.remove(same)
                waiting.prompts[id] = same
        if waiting.prompts:
            put(StillAsked(tuple(waiting.prompts)))
        for id, prompt in gone.items():
            option = prompt.default or ""
            left = prompt.who is not None and self.play.combat.combatants[prompt.who].left
            because: Literal["left", "moot"] = "left" if left else "moot"
            put(Answered(id, prompt.who, option, {}, "lapsed", (id,), because, rules=prompt.rules))
        self.kept = {}
        return tuple(new)

    def widen(self, put: Put) -> Sequence[str]:
        """Open prompts for combatants that the question now also concerns. Return their ids.

        If a prompt lapsed because it did not make sense, it opens again as soon as it makes sense.
        """
        waiting = self.waiting
        if waiting is None or waiting.ask.more is None:
            return ()
        asked = {prompt.who for id, prompt in waiting.prompts.items() if not waiting.lapsed(id)}
        late = [prompt for prompt in waiting.ask.more(self.play.combat) if prompt.who not in asked]
        return self._open(waiting, late, put)

    def follow(self, put: Put) -> None:
        """Update the open prompts to the current state. Their ids do not change."""
        waiting = self.waiting
        for id, prompt in () if waiting is None else tuple(waiting.prompts.items()):
            if waiting is None or prompt.anew is None or waiting.lapsed(id):
                continue
            if prompt.stands is not None and not prompt.stands(self.play.combat):
                continue
            now = as_of(prompt, self.play.combat)
            if not now.reads_as(prompt):
                self.reword(put(prompt_changed(id, now)))

    def _open(self, waiting: Waiting, prompts: Sequence[Prompt], put: Put) -> Sequence[str]:
        new: dict[str, Prompt] = {}
        asked = dict(self.asked)
        for prompt in prompts:
            who = prompt.who or ""
            asked[who] = asked.get(who, 0) + 1
            new[f"{prompt.who or 'gm'}:{asked[who]}"] = prompt
        whole = (*waiting.prompts, *new)
        opened = []
        for id, prompt in new.items():
            together = (id,) if waiting.ask.wait == "each" else whole
            event = put(prompted(id, prompt, together, waiting.ask))
            if prompt.default != event.default:  # an older release opened it
                prompt = replace(prompt, default=event.default)
            waiting.prompts[event.prompt] = prompt
            opened.append(event.prompt)
        return opened

    def take(self, event: Answered | ActionDeclared, by_gm: bool, then: Combat) -> None:
        """Take an answer that was given in the state `then`.

        If it closes the prompts, the generator can continue.
        """
        waiting = self.waiting
        assert waiting is not None
        if event.prompt not in waiting.prompts:
            raise Diverged(f"{event!r} answers nothing that is open")
        prompt = waiting.prompts[event.prompt]
        name = event.action if isinstance(event, ActionDeclared) else event.option
        option = prompt.option(name)
        if option is None:
            raise Diverged(f"{name!r} is no option of {prompt.name}")
        inputs = read_stored(event.inputs, option.inputs)
        moot = isinstance(event, Answered) and event.because in ("left", "moot")
        waiting.answers[event.prompt] = Answer(
            prompt.who, name, inputs, waiting.given, by_gm, then, moot
        )  # fmt: skip
        waiting.given += 1
        self.play.by_gm = by_gm
        if event.closes:
            self.waiting = None
            only = None if waiting.ask.wait == "all" else event.prompt
            if waiting.ask.wait == "each":
                self.kept = {
                    id: prompt
                    for id, prompt in waiting.prompts.items()
                    if id not in event.closes  # older releases also closed the other prompts
                }
            self.value = tuple(
                waiting.answers.get(id) if only in (None, id) else None for id in waiting.prompts
            )
            self.settled = waiting

    def reword(self, event: PromptChanged) -> None:
        """Replace the words, data and options of an open prompt."""
        waiting = self.waiting
        if waiting is None or event.prompt not in waiting.prompts:
            raise Diverged(f"{event!r} is about nothing that is open")
        prompt = waiting.prompts[event.prompt]
        if prompt.anew is None:
            now = replace(prompt, who=event.who, text=event.text, data=event.data)
        else:
            now = as_of(prompt, self.play.combat)
            former = waiting.former.setdefault(event.prompt, {})
            former.update((option.id, option) for option in prompt.options)
        waiting.prompts[event.prompt] = now

    def lapse(self) -> None:
        """Close the prompts. `while_able` gives the reason."""
        assert self.waiting is not None
        self.lapsing = tuple(self.waiting.prompts)
        self.waiting = None
        self.value = None


def begin(frame: Frame, play: Play) -> Procedure[None]:
    """Return a new generator for the procedure of a frame."""
    ruleset = play.ruleset
    if frame.procedure == abandonment.NAME:
        return abandonment.question(play, **frame.args)
    if frame.kind == "flow":
        flow: Procedure[None] = ruleset.procedures[frame.procedure](play, **frame.args)
        return flow
    who: Id = frame.args["who"]
    play.by_gm = bool(frame.args.get("by_gm"))
    if frame.kind == "action":
        action = ruleset.actions[frame.procedure]
        doing = action.procedure(play, who, read_stored(frame.args["inputs"], action.inputs))
        # An action that the rules allow to a disabled combatant stops only when it leaves.
        going_on = while_there if play.unable(who) else while_able
        return going_on(play, who, doing, action.id)
    ruling = ruleset.rulings[frame.procedure]
    return ruled(play, who, ruling, read_stored(frame.args["inputs"], ruling.inputs))


def _is_same(prompt: Prompt, other: Prompt) -> bool:
    """Return true if both prompts ask the same person the same question with the same data."""
    return (prompt.who, prompt.name, prompt.text, prompt.data) == (
        other.who, other.name, other.text, other.data,
    )  # fmt: skip


def as_of(prompt: Prompt, combat: Combat) -> Prompt:
    """Return the prompt for a later state. Its `anew` and `stands` stay the same functions."""
    assert prompt.anew is not None
    now = prompt.anew(combat)
    return replace(now, anew=prompt.anew, stands=prompt.stands)


def prompt_changed(id: str, prompt: Prompt) -> PromptChanged:
    """Return the event of a prompt whose words or options have changed."""
    options = tuple(option.id for option in prompt.options)
    return PromptChanged(
        id,
        prompt.kind,
        prompt.who,
        prompt.text,
        prompt.data,
        options,
        prompt.default,
        rules=prompt.rules,
    )


def prompted(id: str, prompt: Prompt, group: tuple[str, ...], ask: Ask) -> Prompted:
    """Return the event of a new prompt."""
    return Prompted(
        id,
        prompt.kind,
        prompt.name,
        prompt.who,
        prompt.text,
        tuple([option.id for option in prompt.options]),
        prompt.default,
        prompt.data,
        group,
        ask.sealed,
        rules=prompt.rules,
    )
