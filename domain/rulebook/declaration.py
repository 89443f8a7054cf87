"""Declaration: describe an action in one place, above its procedure.

A declaration has label, cost, inputs, rule cards, proposals and refusals. `declared` turns it into
the `Action` that the engine runs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Polarity, proposals
from domain.rulebook.play import Play
from domain.rulebook.prompts import Category, NoInputs, Screen, Toll
from domain.rulebook.reachability import Ways
from domain.rulebook.rules import Cards

Inputs = TypeVar("Inputs", covariant=True)
T = TypeVar("T")


class Act(Struct, Generic[Inputs], frozen=True, gc=False):
    """One use of an action by an actor with inputs.

    Each access looks up the combat, the actor and the target, because a `yield` may change them.
    """

    play: Play
    who: Id
    inputs: Inputs

    @property
    def combat(self) -> Combat:
        """Return the state after the last event."""
        return self.play.combat

    @property
    def actor(self) -> Combatant:
        """Return the combatant that acts."""
        return self.play.combat[self.who]

    @property
    def target(self) -> Combatant:
        """Return the combatant that the input `target` names. Raise `Unknown` if there is none."""
        inputs: Any = self.inputs
        return self.play.combat[inputs.target]


NO_FIELD = ""
"""The pointer of a refusal that blames no field of the inputs."""


def refuse(rule: str, code: str, sentence: str, field: str, allowed: Sequence[str] = ()) -> Illegal:
    """Return a refusal that blames `field`, or no field if it is `NO_FIELD`."""
    return Illegal(rule, code, sentence, allowed, f"/inputs/{field}" if field else "")


def renamed(refusals: Iterable[Illegal], **fields: str) -> Iterator[Illegal]:
    """Yield refusals of shared code with the field names of these inputs.

    A field that these inputs do not have becomes `NO_FIELD`.
    """
    pointers = {
        f"/inputs/{name}": f"/inputs/{own}" if own else NO_FIELD for name, own in fields.items()
    }
    for refusal in refusals:
        pointer = pointers.get(refusal.pointer or "", refusal.pointer)
        yield Illegal(refusal.rule, refusal.code, refusal.detail, refusal.allowed, pointer)


@dataclass(frozen=True)
class Refusal:
    """A reason why the rules forbid an action.

    - `when(act)`: returns true if the reason applies. It may instead return values for the
      placeholders in `sentence`. `{actor}` is always available.
    - `field`: the field at fault, or `NO_FIELD`. Of several fields, the first with a value is at
      fault.
    - `instead`: values that the rules would accept.
    - `last`: true if Affray checks no later reason when this reason applies.
    """

    rule: str
    code: str
    sentence: str
    when: Callable[[Act[Any]], bool | Mapping[str, object]]
    field: str | tuple[str, ...] = NO_FIELD
    instead: Sequence[str] | Callable[[Act[Any]], Sequence[str]] = ()
    last: bool = False

    def of(self, act: Act[Any], words: Mapping[str, object] | bool) -> Illegal:
        """Return the refusal as the error that a caller receives."""
        sentence = self.sentence
        if "{" in sentence:
            known = {} if isinstance(words, bool) else words
            sentence = sentence.format_map({"actor": act.actor.name, **known})
        allowed = self.instead(act) if callable(self.instead) else self.instead
        field = self.field
        if not isinstance(field, str):
            field = next((name for name in field if getattr(act.inputs, name)), field[0])
        pointer = f"/inputs/{field}" if field else ""
        return Illegal(self.rule, self.code, sentence, allowed, pointer)


Shared = Callable[[Act[Any]], Iterator[Illegal]]
"""A function that yields refusals, for several refusals that share values or code."""

Check = Refusal | Shared


def refusing(checks: Sequence[Check]) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """Return one function that yields these refusals in order."""
    parts: tuple[tuple[Refusal | None, Callable[[Act[Any]], Any]], ...] = tuple(
        (check, check.when) if isinstance(check, Refusal) else (None, check) for check in checks
    )

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        act = Act(play, who, inputs)
        for refusal, function in parts:
            if refusal is None:
                yield from function(act)
            elif words := function(act):
                yield refusal.of(act, words)
                if refusal.last:
                    return

    return refusals


def _with_act(function: Callable[[Act[Any]], T], play: Play, who: Id, inputs: Any) -> T:
    return function(Act(play, who, inputs))


def proposing(
    inputs: type[Struct], fields: tuple[str, ...]
) -> Callable[[Play, Id], Iterable[Mapping[str, Json]]]:
    """Return a function that proposes inputs from the types of these fields.

    The last field varies fastest.
    """
    return lambda play, who: proposals(inputs, fields, play.combat, who)


Propose = tuple[str, ...] | Callable[[Play, Id], Iterable[Mapping[str, Json]]]


def declared(
    cards: Cards,
    id: str,
    label: str,
    inputs: type[Struct] = NoInputs,
    *,
    cost: str,
    category: Category,
    headline: str = "",
    essential: tuple[str, ...] = (),
    polarity: Polarity | None = None,
    approach: bool = False,
    rules: Mapping[str, str],
    also: tuple[str, ...] = (),
    refusals: Sequence[Check] = (),
    propose: Propose = (),
    ways: Callable[[Play, Id], Ways | None] | None = None,
    vain: Callable[[Act[Any]], bool] | None = None,
    toll: Callable[[Act[Any]], Toll] | None = None,
    interjection: bool = False,
    stops: bool = False,
    answers: str | None = None,
) -> Callable[[Callable[[Act[Any]], Procedure[None]]], Action]:
    """Return a decorator that makes a procedure the action `id`.

    - `rules`: the rule cards of the action, as sentences by rule id.
    - `also`: other rules that the action cites. Their cards are elsewhere.
    - `propose`: the fields whose types propose inputs, or a function if the types are not enough.

    For all other parameters, see `Action`, `Option` and `Screen`.
    """

    def make(procedure: Callable[[Act[Any]], Procedure[None]]) -> Action:
        code = f"{procedure.__module__}.{procedure.__name__}"
        for rule, sentence in rules.items():
            cards.add(rule, sentence, code)
        return Action(
            id,
            inputs,
            refusing(refusals),
            propose if callable(propose) else proposing(inputs, propose),
            label,
            procedure=lambda play, who, given: procedure(Act(play, who, given)),
            interjection=interjection,
            cost=cost,
            stops=stops,
            answers=answers,
            rules=(*rules, *also),
            ways=ways,
            vain=None if vain is None else partial(_with_act, vain),
            toll=None if toll is None else partial(_with_act, toll),
            screen=Screen(category, headline, essential, polarity, approach),
        )

    return make
