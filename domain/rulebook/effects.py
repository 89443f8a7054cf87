"""What a procedure may yield, and the functions that yield it with a precise answer type.

Rules say `yield from roll(…)`, `yield from ask(…)`; a bare `yield` is for events and for `Pause`.
The engine answers: a Roll with the recorded `Rolled`, an Ask with the validated `Answer`s.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, Rolled, Term

if TYPE_CHECKING:
    from domain.rulebook.play import Play

T = TypeVar("T")


class NoInputs(Struct, frozen=True, forbid_unknown_fields=True):
    """An option that needs nothing more."""


def _no_refusals(play: "Play", who: Id, inputs: Any) -> Iterator[Illegal]:
    return iter(())


def _one_candidate(play: "Play", who: Id) -> Iterable[Mapping[str, Json]]:
    return ({},)


@dataclass(frozen=True)
class Option:
    """One possible answer.

    `inputs` is the Struct of what it needs. `refusals(play, who, inputs)` yields every reason why
    the rules forbid it, in the rulebook's order: the first is raised, `options` shows them all.
    `candidates(play, who)` yields sample inputs as JSON objects, as many as help a client to
    choose; those that no refusal meets are shown as legal.
    """

    id: str
    inputs: type[Struct] = NoInputs
    refusals: Callable[["Play", Id, Any], Iterator[Illegal]] = _no_refusals
    candidates: Callable[["Play", Id], Iterable[Mapping[str, Json]]] = _one_candidate
    label: str = ""


@dataclass(frozen=True)
class Prompt:
    """A question to `who` (None = the GM).

    `kind` is turn, declare, reaction, choice or ruling (`roll` is the engine's own); `name` is
    the rulebook's. `default` is an option that is always legal without inputs; None = there is
    none, and then it cannot lapse. `data` is all that is needed to decide, JSON. `stands` tells
    whether the question still makes sense after a ruling or an interjection; when it does not,
    the default is recorded. `text` speaks of combatants by id: names can be erased.
    """

    kind: Literal["turn", "declare", "reaction", "choice", "ruling", "roll"]
    name: str
    who: Id | None
    text: str
    options: tuple[Option, ...]
    rules: tuple[str, ...]
    default: str | None = None
    data: Mapping[str, Json] = field(default_factory=dict)
    stands: Callable[[Combat], bool] | None = None


@dataclass(frozen=True)
class Answer:
    """What was chosen: `inputs` is an instance of the option's Struct.

    `rank` orders the answers to questions that were asked together: 0 was given first.
    """

    who: Id | None
    option: str
    inputs: Any
    rank: int = 0

    def __bool__(self) -> bool:
        raise TypeError("compare answer.option")


def _plain(faces: Sequence[int], total: int) -> str:
    return ""


@dataclass(frozen=True)
class Roll:
    """Ask for dice. `formula` such as "1d20"; the answer is the recorded `Rolled`.

    `target` is the number to reach; `judge(faces, total)` gives the word for the outcome.
    `secret` rolls are shown to the GM alone; `by_gm`: the GM makes the roll, whoever it is about.
    """

    who: Id
    purpose: str
    formula: str
    rules: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    target: int | None = None
    against: Id | None = None
    judge: Callable[[Sequence[int], int], str] = _plain
    secret: bool = False
    by_gm: bool = False


@dataclass(frozen=True)
class Ask:
    """Several questions at once.

    `wait` "all": answered when every prompt is (answers may be changed until then); "any": the
    first answer closes the others. `sealed`: answers are hidden from everybody else. `more`: who
    is to be asked as well, looked at while the questions wait: those who are not asked yet are
    added to the group, so that a newcomer takes part in what is going on.
    """

    prompts: tuple[Prompt, ...]
    wait: Literal["all", "any"] = "all"
    sealed: bool = False
    more: "More | None" = None


@dataclass(frozen=True)
class Pause:
    """Inside `together`: wait here until every other procedure of the batch is at this stage."""

    stage: str


Effect = AnyEvent | Roll | Ask | Pause
Procedure = Generator[Effect, Any, T]


def roll(
    who: Id,
    purpose: str,
    formula: str,
    *,
    rules: tuple[str, ...],
    terms: Iterable[Term] = (),
    target: int | None = None,
    against: Id | None = None,
    judge: Callable[[Sequence[int], int], str] = _plain,
    secret: bool = False,
    by_gm: bool = False,
) -> Procedure[Rolled]:
    """Roll `formula` for `who`; terms of value 0 are left out of the record."""
    kept = tuple(term for term in terms if term.value)
    answer = yield Roll(who, purpose, formula, rules, kept, target, against, judge, secret, by_gm)
    assert isinstance(answer, Rolled), answer  # the engine's promise, not the caller's input
    return answer


def ask(prompt: Prompt) -> Procedure[Answer]:
    """Ask one question."""
    answers = yield Ask((prompt,))
    answer = answers[0]
    assert isinstance(answer, Answer), answer
    return answer


More = Callable[[Combat], Sequence[Prompt]]


def ask_all(
    prompts: Sequence[Prompt], *, sealed: bool = False, more: More | None = None
) -> Procedure[tuple[Answer, ...]]:
    """Ask everybody at once; the answers stand in the order of the prompts, then of `more`."""
    if not prompts:
        return ()
    answers: tuple[Answer, ...] = yield Ask(tuple(prompts), "all", sealed, more)
    return answers


def ask_any(prompts: Sequence[Prompt], *, more: More | None = None) -> Procedure[Answer]:
    """Ask several; the first who answers closes the question for all."""
    answers: tuple[Answer | None, ...] = yield Ask(tuple(prompts), "any", more=more)
    return next(answer for answer in answers if answer is not None)


def together(procedures: Sequence[Procedure[T]]) -> Procedure[tuple[T, ...]]:
    """Run a batch simultaneously: all to their first `Pause`, then all to the next, to the end.

    With a Pause between rolling and applying, nobody's fall prevents the other's blow. Results
    stand in the order of the procedures.
    """
    results: dict[int, T] = {}
    active = list(enumerate(procedures))
    while active:
        waiting: list[tuple[int, Procedure[T]]] = []
        for index, procedure in active:
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
                answer = yield effect
        active = waiting
    return tuple(results[index] for index in range(len(procedures)))


def choices(*ids: str) -> tuple[Option, ...]:
    """Options that need no inputs."""
    return tuple(Option(id) for id in ids)
