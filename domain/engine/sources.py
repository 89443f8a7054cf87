"""Sources of dice, answers and events: the only difference between a run and its replay.

A source handles the effects that a procedure yields. `Replay` finds their results in the record.
`executor.Executor` records new facts. The generator is only a cache: a replay rebuilds it.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from domain.engine.rolls import faces_prompt, rolled
from domain.engine.run import Run, Waiting
from domain.errors import Diverged
from domain.record.events import (
    ActionDeclared,
    Answered,
    AnyEvent,
    CombatantJoined,
    ConditionGained,
    Damaged,
    Died,
    Downed,
    EffectResolved,
    FactSet,
    Healed,
    Judged,
    Moved,
    Noted,
    Prevented,
    PromptChanged,
    Prompted,
    Rolled,
    Stabilized,
    Stopped,
    Term,
    TrackChanged,
)
from domain.record.evolve import evolve
from domain.record.recorded import Recorded, encode_event
from domain.rulebook.effects import Admit, Ask, Effect, Pause, Roll
from domain.rulebook.prompts import Option, Prompt

RUNAWAY = 400
"""The number of events of one command after which the engine asks whether to continue."""

LONG_CHAIN = Prompt(
    kind="ruling",
    name="long-chain",
    who=None,
    text=f"One command has led to more than {RUNAWAY} events. Does the chain go on?",
    options=(Option("go-on"), Option("abandon")),
    rules=(),
    default="abandon",
)


class Source:
    """The driver of runs. It gives a procedure the results of its effects."""

    def drive(self, run: Run) -> None:
        """Run a procedure until it waits, ends or is interrupted, or until the record ends."""
        raise NotImplementedError

    def put(self, run: Run, event: AnyEvent) -> Any:
        """Return the recorded form of an event that the procedure yielded."""
        raise NotImplementedError

    def put_together(self, run: Run, events: tuple[AnyEvent, ...]) -> None:
        """Record several events as one change."""
        raise NotImplementedError

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        """Roll, or return None if a person must give the faces."""
        raise NotImplementedError

    def thrown(self, run: Run, waiting: Waiting, faces: tuple[int, ...] | None) -> Rolled:
        """Return the waiting roll with these faces. If they are None, the service rolls."""
        raise NotImplementedError

    def admit(self, run: Run, effect: Admit) -> CombatantJoined:
        """Let a combatant join."""
        raise NotImplementedError

    def asked(self, run: Run, prompts: Iterable[str]) -> None:
        """Handle new prompts. Standing orders and defaults may answer at once."""

    def given_up(self, run: Run) -> None:
        """Handle the GM's decision to stop an endless chain."""

    def ask(self, run: Run, waiting: Waiting) -> None:
        """Open prompts."""
        run.ask(waiting, partial(self.put, run))

    def ask_about_chain(self, run: Run) -> None:
        """Ask the GM whether a long chain continues. Hold the procedure's value until then."""
        self.ask(run, Waiting(Ask((LONG_CHAIN,)), runaway=True, held=run.value))
        run.value = None

    def take_settled(self, run: Run) -> bool:
        """Convert an answer to the engine's own prompt into the next value for the procedure.

        Return false if the procedure does not continue.
        """
        waiting, run.settled = run.settled, None
        assert waiting is not None
        if waiting.roll is not None:
            (answer,) = run.value
            run.value = self.thrown(run, waiting, answer.inputs.faces)
        elif waiting.runaway:
            (answer,) = run.value
            run.value = waiting.held
            if answer.option == "abandon":
                self.given_up(run)
                return False
        return True

    def perform(self, run: Run, effect: Effect) -> None:
        """Carry out one effect of a procedure."""
        match effect:
            case Roll():
                run.value = self.roll(run, effect)
                if run.value is None:
                    numbers = effect.numbers()
                    phrases = run.play.ruleset.catalogue.phrases
                    prompt = faces_prompt(effect, numbers, run.play.combat, phrases)
                    ask = Ask((prompt,), stops=effect.stops)
                    self.ask(run, Waiting(ask, roll=effect, numbers=numbers))
            case Ask():
                waiting = Waiting(effect)
                self.ask(run, waiting)
                self.asked(run, tuple(waiting.prompts))
            case Admit():
                run.value = self.admit(run, effect)
            case Pause():
                pass  # outside a batch, there is nothing to wait for
            case Stopped():
                closes, run.lapsing = run.lapsing, ()
                self.put(run, replace(effect, closes=closes))
            case tuple():
                self.put_together(run, tuple(e for e in effect if not comes_too_late(run, e)))
            case _ if not comes_too_late(run, effect):
                self.put(run, effect)


class Replay(Source):
    """The recorded events since a procedure began. The procedure must repeat these events.

    The replay also folds all other events in their order, such as consequences, or rulings during a
    prompt.
    """

    def __init__(self, script: Iterable[Recorded]) -> None:
        self._script = deque(script)

    def drive(self, run: Run) -> None:
        while (due := self._peek(run)) is not None:
            if run.waiting is not None:
                self._answer(run, due)
                continue
            if run.settled is not None and not self.take_settled(run):
                return
            due = self._peek(run)
            if isinstance(due, Prompted) and due.name == LONG_CHAIN.name:
                self.ask_about_chain(run)
                continue
            value, run.value = run.value, None
            try:
                effect = run.generator.send(value)
            except StopIteration:
                raise Diverged("it ends where it waited before") from None
            self.perform(run, effect)

    def put(self, run: Run, event: AnyEvent) -> Any:
        if isinstance(event, Judged) and not isinstance(self._peek(run), Judged):
            return event  # older releases did not say who won
        if isinstance(event, EffectResolved) and not isinstance(self._peek(run), EffectResolved):
            return event  # older releases recorded it in a note, or not at all
        due = self._due(run, lambda due: same(due, event))
        if due is None or not same(due, event):
            raise Diverged(f"{event!r} is not what is recorded: {due!r}")
        return self._take(run)

    def put_together(self, run: Run, events: tuple[AnyEvent, ...]) -> None:
        for event in events:
            self.put(run, event)

    def roll(self, run: Run, effect: Roll) -> Rolled | None:
        due = self._due(run, lambda due: isinstance(due, Prompted | Rolled))
        if isinstance(due, Prompted):
            return None
        return self._fallen(run, effect, due)

    def thrown(self, run: Run, waiting: Waiting, faces: tuple[int, ...] | None) -> Rolled:
        """Return the recorded roll.

        Older releases used the numbers of the moment when the prompt opened.
        """
        effect, due = waiting.roll, self._due(run, lambda due: isinstance(due, Rolled))
        assert effect is not None
        assert waiting.numbers is not None
        if faces is None:
            return self._fallen(run, effect, due)
        made = rolled(effect, effect.numbers(), faces, "manual")
        if due is not None and not same(due, made):
            made = rolled(effect, waiting.numbers, faces, "manual")
        event: Rolled = self.put(run, made)
        return event

    def _fallen(self, run: Run, effect: Roll, due: AnyEvent | None) -> Rolled:
        """Return a recorded roll whose faces the service derived."""
        if not isinstance(due, Rolled):
            raise Diverged(f"a roll was due, not {due!r}")
        made = rolled(effect, effect.numbers(), due.faces, due.by, due.key, due.ordinal)
        event: Rolled = self.put(run, made)
        return event

    def admit(self, run: Run, effect: Admit) -> CombatantJoined:
        due = self._peek(run)
        if not isinstance(due, CombatantJoined):
            raise Diverged(f"somebody was to join, not {due!r}")
        event: CombatantJoined = self._take(run)
        return event

    def _answer(self, run: Run, due: AnyEvent) -> None:
        """Take the next recorded change of the open prompts: an answer, a new text or a stop."""
        if isinstance(due, Prompted) and run.widen(partial(self.put, run)):
            return
        if isinstance(due, PromptChanged):
            run.reword(self._take(run))
        elif isinstance(due, Stopped):
            run.lapse()
        elif isinstance(due, Answered | ActionDeclared):
            by_gm = self._script[0].actor[1] == "gm" and getattr(due, "by", "caller") == "caller"
            then = run.play.combat
            run.take(self._take(run), by_gm, then)
        else:
            raise Diverged(f"an answer was due, not {due!r}")

    def _peek(self, run: Run) -> AnyEvent | None:
        """Return the next event of this run. Fold all other events before it."""
        script = self._script
        while script:
            if script[0].frame == run.frame.id:
                return script[0].event
            run.play.combat = evolve(run.play.combat, script.popleft().event)
        return None

    def _due(self, run: Run, wanted: Callable[[AnyEvent], bool]) -> AnyEvent | None:
        """Return the next event of this run that is `wanted`. Skip events of older releases."""
        due = self._peek(run)
        while due is not None and not wanted(due) and _superseded(run, due):
            self._take(run)
            due = self._peek(run)
        return due

    def _take(self, run: Run) -> Any:
        event = self._script.popleft().event
        run.play.combat = evolve(run.play.combat, event)
        self._peek(run)
        return event


def comes_too_late(run: Run, event: AnyEvent) -> bool:
    """Return true if an event would affect a combatant that has left the combat."""
    if type(event) not in BEFALLS:
        return False
    combatant = run.play.combat.combatants.get(getattr(event, "who", ""))
    return combatant is not None and combatant.left


BEFALLS: Final = frozenset(
    (ConditionGained, Damaged, Died, Downed, Healed, Moved, Stabilized, TrackChanged)
)
"""Events that cannot affect a combatant that has left."""

REQUESTS: Final = frozenset((Roll, Ask, Admit, Pause, Stopped, tuple))
"""Effects that need more than a recorded event."""


def _superseded(run: Run, due: AnyEvent) -> bool:
    """Return true for an event that only older releases record.

    Now the event is a consequence of the state, or the rulebook no longer declares its fact.
    """
    ruleset, combat = run.play.ruleset, run.play.combat
    if comes_too_late(run, due):
        return True
    if isinstance(due, FactSet) and ruleset.facts:
        if due.key not in {fact.name for fact in ruleset.facts}:
            return True
    elif isinstance(due, Downed | Died | Noted):
        return True  # the event changes nothing
    follows = next(iter(ruleset.consequences(combat, None, None)), None)
    made = follows if isinstance(follows, tuple) else (follows,)
    return any(_matter(event) == _matter(due) for event in made)


def _matter(event: object) -> tuple[object, ...]:
    """Return the type, combatant and subject of an event."""
    about = ("who", "condition", "track", "key")
    return (type(event), *(getattr(event, name, None) for name in about))


def _margin(roll: Rolled) -> int | None:
    """Return the margin of a roll above its target number, or None without a target number."""
    return None if roll.target is None else roll.total - roll.target


def _sum(terms: tuple[Term, ...]) -> int:
    return sum(term.value for term in terms)


def same(recorded: AnyEvent, event: AnyEvent) -> bool:
    """Return true if both events state the same fact.

    Fields of the engine, wording and cited rules do not count.
    """
    event = replace(event, rules=recorded.rules)
    if isinstance(recorded, Prompted) and isinstance(event, Prompted):
        event = replace(
            event,
            prompt=recorded.prompt,
            group=recorded.group,
            text=recorded.text,
            until=recorded.until,
            options=recorded.options,  # a new option does not make another question
            # Nor does another default, because the answers are recorded.
            default=recorded.default
            if None not in (recorded.default, event.default)
            else event.default,
            # A roll's shown numbers do not count: the roll itself proves them.
            data=recorded.data if recorded.kind == "roll" else event.data,
        )
    elif isinstance(recorded, Answered) and isinstance(event, Answered):
        event = replace(event, because=recorded.because)  # missing in older combats
    elif isinstance(recorded, Stopped) and isinstance(event, Stopped):
        event = replace(event, closes=recorded.closes, detail=recorded.detail)
    elif isinstance(recorded, Prevented) and isinstance(event, Prevented):
        event = replace(event, detail=recorded.detail)  # the detail has names, which may be erased
    elif isinstance(recorded, ConditionGained) and isinstance(event, ConditionGained):
        event = event if event.key else replace(event, key=recorded.key)
    elif isinstance(recorded, Healed) and isinstance(event, Healed):
        if not recorded.terms:  # older combats do not record the parts of an amount
            event = replace(event, terms=())
    elif isinstance(recorded, Rolled) and isinstance(event, Rolled):
        # Older combats do not record the opponent of every roll.
        against = event.against if recorded.against is not None else None
        event = replace(event, outcome=recorded.outcome, told=recorded.told, against=against)
        if not recorded.target_terms:  # nor the parts of a target number
            event = replace(event, target_terms=())
        if _margin(recorded) == _margin(event):  # both sides shift by the same amount
            event = replace(
                event, total=recorded.total, terms=recorded.terms, target=recorded.target
            )
    elif isinstance(recorded, Damaged) and isinstance(event, Damaged):
        if _sum(recorded.terms) == _sum(event.terms):  # other parts with the same sum
            event = replace(event, terms=recorded.terms)
    elif isinstance(recorded, Noted) and isinstance(event, Noted):
        event = replace(event, text=recorded.text, full=recorded.full)
    elif isinstance(recorded, EffectResolved) and isinstance(event, EffectResolved):
        event = replace(event, name=recorded.name, detail=recorded.detail)
        # Older combats do not record every number, such as the hardness of a thing.
        if {name: event.numbers.get(name) for name in recorded.numbers} == recorded.numbers:
            event = replace(event, numbers=recorded.numbers)
    return recorded == event or encode_event(recorded) == encode_event(event)
