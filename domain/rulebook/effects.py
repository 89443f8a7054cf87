"""Effects that a procedure may yield, and functions that yield them with precise types.

Rules write `yield from roll(…)` and `yield from ask(…)`. They write a bare `yield` only for events
and for `Pause`. The engine sends these results:

- for a `Roll`, the recorded `Rolled`
- for an `Ask`, the validated `Answer`s
- for an `Admit`, the recorded `CombatantJoined`

The engine records a tuple of events as one change, before any consequences.
"""

import dataclasses
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace as replace_prompt
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, CombatantJoined, Event, Rolled, Stopped, Term
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.sums import Sum

T = TypeVar("T")

Stops = Callable[[], Illegal | None]
"""Return the reason why the current action cannot continue, or `None`.

The result must depend only on the combat, because the engine calls it only after a change.
"""

NESTING_LIMIT = 8
"""The number of nested interrupts that run before the engine asks the GM."""

NESTING_END = 16
"""The largest number of nested interrupts, because Python's stack is limited."""


Now: TypeAlias = T | Callable[[], T]
"""A value that a rule fixes, or a function that computes it from the current state."""

Judge = Callable[[Sequence[int], int, int], str]
"""Return the outcome of (faces, total, target). A target of 0 means none.
"""


def _plain(faces: Sequence[int], total: int, target: int) -> str:
    return ""


def _as_it_is(outcome: str) -> str:
    return ""


class Numbers(Struct, frozen=True):
    """The dice of a roll, its terms and its target number at one moment.

    `target_terms` are the parts of the target number, if known.
    """

    formula: str
    terms: tuple[Term, ...]
    target: int | None
    target_terms: tuple[Term, ...] = ()


class Roll(Struct, frozen=True):
    """A request for dice. The engine answers it with the recorded `Rolled`.

    - `formula`: the dice, such as `1d20`.
    - `target`: the number to reach. Pass a `Sum` to record its parts too.
    - `judge`: returns the outcome.
    - `secret`: true if only the GM sees the roll.
    - `by_gm`: true if the GM makes the roll, for any combatant.
    - `told`: returns the outcome that players see instead, or `""` for the same outcome.
    - `stops`: functions that return a reason if the roll must not be made. `roll` and `while_able`
      set them.

    The engine computes the numbers when the faces arrive. Until then, the prompt shows the current
    numbers.
    """

    who: Id
    purpose: str
    formula: Now[str]
    rules: tuple[str, ...]
    terms: Now[Iterable[Term]]
    target: Now[int | Sum | None]
    against: Id | None
    judge: Judge
    secret: bool
    by_gm: bool
    stops: tuple[Stops, ...] = ()
    told: Callable[[str], str] = _as_it_is

    def numbers(self) -> Numbers:
        """Return the numbers of the current state, without terms of value 0."""
        target = _now(self.target)
        parts = target.addends() if isinstance(target, Sum) else ()
        return Numbers(
            _now(self.formula),
            tuple(term for term in _now(self.terms) if term.value),
            target.value if isinstance(target, Sum) else target,
            parts,
        )


def _now(value: Now[T]) -> T:
    return value() if callable(value) else value


class Ask(Struct, frozen=True):
    """A request to open several prompts at once.

    - `wait` `all`: the procedure continues when every prompt has an answer. Until then, players may
      change their answers.
    - `wait` `any`: the first answer closes the other prompts.
    - `wait` `each`: the procedure continues after the first answer. The other prompts stay open for
      the procedure's next `Ask` with `each`.
    - `sealed`: true hides the answers from everybody else.
    - `more`: returns the prompts for a later state, so that others can join the group.
    - `stops`: functions that return a reason if the prompts must lapse. `while_able` sets them.
    """

    prompts: tuple[Prompt, ...]
    wait: Literal["all", "any", "each"] = "all"
    sealed: bool = False
    more: "More | None" = None
    stops: tuple[Stops, ...] = ()


class Admit(Struct, frozen=True):
    """A request to let a combatant join. The engine answers it with the `CombatantJoined`."""

    sheet: Mapping[str, Json]
    hidden: bool


class Pause(Struct, frozen=True):
    """In `together`, wait until every other procedure of the batch has reached this stage."""

    stage: str


_REQUESTS: Final = frozenset((Roll, Ask, Admit, Pause))
_QUESTIONS: Final = frozenset((Roll, Ask))

Effect = AnyEvent | tuple[AnyEvent, ...] | Roll | Ask | Admit | Pause
Procedure = Generator[Effect, Any, T]


@overload
def roll(
    who: Id, purpose: str, formula: Now[str], *, rules: tuple[str, ...],
    terms: Now[Iterable[Term]] = ..., target: Now[int | Sum | None] = ...,
    against: Id | None = ..., judge: Judge = ..., secret: bool = ..., by_gm: bool = ...,
    told: Callable[[str], str] = ...,
) -> Procedure[Rolled]: ...  # fmt: skip
@overload
def roll(
    who: Id, purpose: str, formula: Now[str], *, rules: tuple[str, ...],
    terms: Now[Iterable[Term]] = ..., target: Now[int | Sum | None] = ...,
    against: Id | None = ..., judge: Judge = ..., secret: bool = ..., by_gm: bool = ...,
    told: Callable[[str], str] = ..., stops: Stops, doing: str = ...,
) -> Procedure[Rolled | None]: ...  # fmt: skip
def roll(
    who: Id,
    purpose: str,
    formula: Now[str],
    *,
    rules: tuple[str, ...],
    terms: Now[Iterable[Term]] = (),
    target: Now[int | Sum | None] = None,
    against: Id | None = None,
    judge: Judge = _plain,
    secret: bool = False,
    by_gm: bool = False,
    told: Callable[[str], str] = _as_it_is,
    stops: Stops | None = None,
    doing: str = "",
) -> Procedure[Rolled | None]:
    """Roll `formula` for `who`.

    - Pass a function for `formula`, `terms` or `target` if the state can change it while a person
      rolls. Pass a value only for a constant, or if a rule fixes the number earlier. In the second
      case, cite that rule.
    - If `stops` returns a reason before or after the roll, record that `doing` is `Stopped`, and
      return `None`. The default of `doing` is the purpose.
    """
    terms = terms if callable(terms) else tuple(terms)
    request = Roll(
        who, purpose, formula, rules, terms, target, against, judge, secret, by_gm, told=told
    )
    if stops is None:
        answer = yield request
    else:
        stop = stops()
        if stop is None:
            answer = yield replace(request, stops=(stops,))
            stop = stops()
        if stop is not None:
            yield stopped(who, doing or purpose, stop)
            return None
    assert isinstance(answer, Rolled), answer  # the engine answers a `Roll` only with a `Rolled`
    return answer


def stopped(who: Id, doing: str, stop: Illegal) -> Stopped:
    """Return the event that `who` cannot continue its action."""
    rules = (stop.rule,) if stop.rule else ()
    return Stopped(who, doing, stop.code, stop.detail, rules=rules)


def ask(prompt: Prompt) -> Procedure[Answer]:
    """Ask one question."""
    answers = yield Ask((prompt,))
    answer = answers[0]
    assert isinstance(answer, Answer), answer
    return answer


def ask_anew(combat: Combat, make: Callable[[Combat], Prompt]) -> Procedure[Answer]:
    """Ask a question that the engine updates while it is open (see `Prompt.anew`)."""
    return (yield from ask(dataclasses.replace(make(combat), anew=make)))


def ask_gm(
    name: str,
    text: str,
    options: tuple[Option, ...],
    default: str | None,
    *,
    rules: tuple[str, ...],
    data: Mapping[str, Json] | None = None,
    stands: Callable[[Combat], bool] | None = None,
) -> Procedure[Answer]:
    """Ask the GM for a ruling (see `Prompt`)."""
    prompt = Prompt("ruling", name, None, text, options, rules, default, data or {}, stands)
    return (yield from ask(prompt))


def choose(
    who: Id,
    name: str,
    text: str,
    options: tuple[Option, ...],
    default: str,
    *,
    rules: tuple[str, ...],
    data: Mapping[str, Json] | None = None,
    stands: Callable[[Combat], bool],
) -> Procedure[Answer]:
    """Let `who` choose (see `Prompt`)."""
    prompt = Prompt("choice", name, who, text, options, rules, default, data or {}, stands)
    return (yield from ask(prompt))


More = Callable[[Combat], Sequence[Prompt]]


def ask_all(
    prompts: Sequence[Prompt], *, sealed: bool = False, more: More | None = None
) -> Procedure[tuple[Answer, ...]]:
    """Ask several combatants at once, and return all answers.

    The answers have the order of the prompts. The answers to prompts of `more` follow.
    """
    if not prompts:
        return ()
    answers: tuple[Answer, ...] = yield Ask(tuple(prompts), "all", sealed, more)
    return answers


def ask_any(prompts: Sequence[Prompt], *, more: More | None = None) -> Procedure[Answer]:
    """Ask several combatants. The first answer closes the prompts of all."""
    answers: tuple[Answer | None, ...] = yield Ask(tuple(prompts), "any", more=more)
    return next(answer for answer in answers if answer is not None)


def ask_each(
    prompts: Sequence[Prompt], *, sealed: bool = False, more: More | None = None
) -> Procedure[Answer]:
    """Ask several combatants independently, and return the first answer.

    Then call `ask_each` again with the other prompts. They stay open under the same ids, so that no
    player sees that another player has answered. A prompt that you leave out lapses.
    """
    answers: tuple[Answer | None, ...] = yield Ask(tuple(prompts), "each", sealed, more)
    return next(answer for answer in answers if answer is not None)


def together(procedures: Sequence[Procedure[T]]) -> Procedure[tuple[T, ...]]:
    """Run procedures at the same time, and return their results in order.

    Each `Pause` waits until all procedures have reached it. Pause between the rolls and the damage,
    so that a combatant that falls still makes its attack.
    """
    results: dict[int, T] = {}
    active = list(enumerate(procedures))
    while active:
        waiting: list[tuple[int, Procedure[T]]] = []
        for position, (index, procedure) in enumerate(active):
            answer: Any = None
            while True:
                try:
                    effect = procedure.send(answer)
                except StopIteration as stop:
                    results[index] = stop.value
                    break
                if isinstance(effect, Pause):
                    waiting.append((index, procedure))
                    break
                try:
                    answer = yield effect
                except Stop:
                    for _, other in (*active[position:], *waiting):
                        yield from _wind_up(other)
                    raise
        active = waiting
    return tuple(results[index] for index in range(len(procedures)))


def admit(sheet: Mapping[str, Json], *, hidden: bool = False) -> Procedure[CombatantJoined]:
    """Let a combatant join, as a ruling does, with everything that the rulebook adds."""
    joined = yield Admit(sheet, hidden)
    assert isinstance(joined, CombatantJoined), joined
    return joined


# ---- actions that the engine can stop


class Stop(Exception):
    """The signal to stop a combatant's procedure. Only `lastly` catches it."""


def while_able(
    play: Play,
    who: Id,
    procedure: Procedure[T],
    doing: str,
    until: str | None = None,
    *,
    at: Id | None = None,
) -> Procedure[T | None]:
    """Run an action of `who` while it can continue. Return `None` if it was stopped.

    After each answer, roll, event, interrupt and ruling, the engine stops the action in these
    cases:

    - The ruleset's `unable` returns a reason.
    - `who` has left.
    - The target of the action (`at`) has left.
    - The combat is over.

    The engine then records `Stopped` with the reason and its rule. The open prompts lapse, and only
    the code passed to `lastly` still runs.

    - An action is complete if its last event would stop it.
    - An `interrupt` belongs to another combatant. It ends before the next check.
    - `until` names the `Pause` after which nothing stops the action. Simultaneous attacks therefore
      all take effect, even if one of them fells another attacker.
    """
    return stopped_by(play, who, procedure, doing, partial(play.unable, who, at), until)


def while_there(play: Play, who: Any, procedure: Procedure[T], doing: str) -> Procedure[T | None]:
    """Run an effect on a combatant until the combatant leaves.

    If `who` is not exactly one combatant, nothing stops the effect.
    """
    if not isinstance(who, str):
        return procedure
    return stopped_by(play, who, procedure, doing, partial(play.absent, who))


def stopped_by(
    play: Play,
    who: Id,
    procedure: Procedure[T],
    doing: str,
    stops: Stops,
    until: str | None = None,
) -> Procedure[T | None]:
    """Run a procedure of `who` until `stops` returns a reason (see `while_able`)."""
    level = play.depth
    effect: Effect = Pause("")
    answer: Any = None
    looked: Combat | None = None  # the latest state in which nothing stopped it
    while True:
        stop = None
        if play.combat is not looked and play.depth == level and type(effect) in _REQUESTS:
            stop, looked = stops(), play.combat
        if stop is None:
            try:
                effect = procedure.send(answer)
            except StopIteration as done:
                result: T = done.value
                return result
            if play.depth == level:
                if play.combat is not looked:
                    stop, looked = stops(), play.combat
                if type(effect) in _QUESTIONS:
                    question: Any = effect
                    effect = replace(question, stops=(*question.stops, stops))
        if stop is not None:
            try:
                yield stopped(who, doing, stop)
            except Stop:
                yield from _wind_up(procedure)
                raise
            yield from _wind_up(procedure)
            return None
        try:
            answer = yield effect
        except Stop:  # the surrounding action was stopped
            yield from _wind_up(procedure)
            raise
        if isinstance(effect, Pause) and effect.stage == until:
            return (yield from procedure)


def held(play: Play, procedure: Procedure[T], waits: Callable[[AnyEvent], bool]) -> Procedure[T]:
    """Run a part of a batch. Leave out the events for which `waits` returns true.

    In a batch, changes take effect only after its last roll. For an interrupt inside the
    procedure, the engine records the events at once.
    """
    level = play.depth
    answer: Any = None
    while True:
        try:
            effect = procedure.send(answer)
        except StopIteration as done:
            result: T = done.value
            return result
        if play.depth == level and isinstance(effect, Event) and waits(effect):
            answer = effect
            continue
        try:
            answer = yield effect
        except Stop:
            yield from _wind_up(procedure)
            raise


def _wind_up(procedure: Procedure[T]) -> Procedure[None]:
    """End a procedure and run its `lastly`. Repeat an event that another `Stop` interrupts."""
    try:
        event = procedure.throw(Stop())
        while True:
            assert isinstance(event, Event), "what is done lastly asks nothing"
            try:
                yield event
            except Stop:
                event = procedure.throw(Stop())
            else:
                event = next(procedure)
    except (Stop, StopIteration):
        return


def lastly(procedure: Procedure[T], then: Callable[[], Iterable[AnyEvent]]) -> Procedure[T]:
    """Run a procedure, and then yield the events of `then()`, even if the procedure is stopped."""
    stopped: Stop | None = None
    try:
        result = yield from procedure
    except Stop as stop:
        stopped = stop
    for event in then():
        kept = False
        while not kept:
            try:
                yield event
                kept = True
            except Stop as stop:  # the engine has not recorded the event
                stopped = stop
    if stopped is not None:
        raise stopped
    return result


def interrupt(play: Play, procedure: Callable[[], Procedure[T]], otherwise: T) -> Procedure[T]:
    """Run another combatant's action inside a procedure.

    If more than `NESTING_LIMIT` interrupts are nested, the GM continues or stops the chain. If more
    than `NESTING_END` are nested, the GM can only stop it. If the GM stops it, return `otherwise`.
    """
    play.depth += 1
    try:
        if play.depth > NESTING_LIMIT:
            answer = yield from ask(CHAIN if play.depth <= NESTING_END else END_OF_CHAIN)
            if answer.option == "stop":
                return otherwise
        return (yield from procedure())
    finally:
        play.depth -= 1


CHAIN = Prompt(
    kind="ruling",
    name="chain-of-interrupts",
    who=None,
    text=f"More than {NESTING_LIMIT} interrupts inside each other. Does the chain go on?",
    options=(Option("go-on"), Option("stop")),
    rules=(),
    default="stop",
)

END_OF_CHAIN = replace_prompt(
    CHAIN,
    text=f"{NESTING_END} interrupts inside each other are the most. The chain ends here.",
    options=(Option("stop"),),
)
