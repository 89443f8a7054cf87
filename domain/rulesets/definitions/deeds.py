"""The steps of a declared action: payment, reactions and effect (section 1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial, wraps
from typing import Any, Generic, Required, TypedDict, Unpack

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.declaration import NO_FIELD, Act, Check, Inputs, Propose, refusing
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Polarity
from domain.rulebook.play import Play
from domain.rulebook.prompts import Category, Toll
from domain.rulebook.reachability import Ways
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulebook.secrecy import known_by
from domain.rulesets.definitions import costs, manoeuvre, opportunity, triggers
from domain.rulesets.definitions.deed import (
    Deed,
    First,
    Kind,
    foiled,
    immediate_refusals,
    midst,
    unmet,
    use_immediate,
)
from domain.rulesets.definitions.facts import ACTED, ATTACKS_MADE
from domain.rulesets.definitions.rules import action, rule


def at_its_target(combat: Combat, who: Id, inputs: Any) -> Sequence[Id]:
    """Return the target that the inputs name."""
    return () if inputs.target is None else (inputs.target,)


class Attempt(Act[Inputs], Generic[Inputs], frozen=True, gc=False):
    """An action in progress, with its place in the order of attacks."""

    place: int = 0

    @property
    def aim(self) -> Id:
        """Return the id of the target. The refusals ensure that the inputs name one."""
        inputs: Any = self.inputs
        assert inputs.target is not None
        target: Id = inputs.target
        return target


@dataclass(frozen=True)
class Price:
    """The price of an action.

    - `words`: the cost in words, if it differs from the name of the kind.
    - `key(inputs)`: returns the id under which Affray counts a free action. Each id is possible
      once in a turn (DEF-FRE-01). If `key` is `None`, Affray uses the id of the action.
    - `ranged`: true for an action that cannot end a charge.
    - `first`: the checks that come before the check of the price.
    """

    kind: Kind | Callable[[Combat, Id, Any], Kind]
    words: str = ""
    key: Callable[[Any], str] | None = None
    ranged: bool = False
    first: Sequence[Check] = ()

    def now(self, combat: Combat, who: Id, inputs: Any) -> Kind:
        """Return the kind of action that pays for this action now."""
        return self.kind(combat, who, inputs) if callable(self.kind) else self.kind

    @property
    def told(self) -> str:
        """Return the cost in words."""
        return self.words or ("" if callable(self.kind) else self.kind)


ATTACK = Price("attack", "1 attack action")
SHOT = Price("attack", "1 attack action", ranged=True)
STANDARD = Price("standard")
MOVE = Price("move")
FREE = Price("free")
FULL_ROUND = Price("full-round")


@dataclass(frozen=True)
class Others:
    """The prompts to others before the effect of an action.

    - `asks(action)`: returns a procedure that prompts before the payment (see `Deed.first`).
    - `aims`: returns the targets of an attack or manoeuvre. Held actions may wait for an attack on
      one of them (section 2.9).
    - `provokes`: true to offer opportunities to foes that threaten the actor. Free and swift
      actions never provoke (DEF-MOV-09).
    """

    aims: manoeuvre.Aims | None = None
    asks: Callable[[str], First] | None = None
    provokes: bool = False


NOBODY = Others()
MELEE = Others(at_its_target, lambda action: manoeuvre.asks_reach(action, at_its_target))
"""A melee action. If a position is missing, the GM decides about its reach (DEF-RCH-08)."""
AIMED = Others(at_its_target)
SHOOTING = Others(at_its_target, provokes=True)
PROVOKING = Others(provokes=True)


class Words(TypedDict, total=False):
    """Arguments of `priced` that have the same meaning as in the decorator `declared`."""

    category: Required[Category]
    headline: str
    essential: tuple[str, ...]
    polarity: Polarity | None
    rules: Required[Mapping[str, str]]
    also: tuple[str, ...]
    propose: Propose
    ways: Callable[[Play, Id], Ways | None] | None
    toll: Callable[[Act[Any]], Toll] | None
    interjection: bool
    stops: bool


Perform = Callable[[Attempt[Any]], Procedure[None]]


def _place(first: str, rule: str) -> tuple[bool, str]:
    """Return the sort key of `rule`. Rules of the section of `first` come before other rules."""
    return rule.rpartition("-")[0] != first.rpartition("-")[0], rule


@rule("DEF-MOV-09", "Foes that threaten the actor react before such an action takes effect")
@rule("DEF-MUL-02", "A combatant makes its attacks from the highest bonus down")
@rule("DEF-MUL-03", "A manoeuvre in place of an attack has the bonus of that attack")
@rule("DEF-MUL-04", "All other attack rolls have the highest bonus")
def priced(
    id: str,
    label: str,
    inputs: type[Struct],
    price: Price,
    others: Others = NOBODY,
    *,
    under: str = "",
    refusals: Sequence[Check] = (),
    **words: Unpack[Words],
) -> Callable[[Perform], Deed]:
    """Return a decorator that turns a procedure into the action `id` with a price.

    `under` is the rule of the payment. By default, it is the first rule of `rules`. Only attack
    actions have a stance (DEF-STN-03).
    """
    requirements = refusing(refusals)
    interjection, stops = words.get("interjection", False), words.get("stops", False)
    first = None if others.asks is None else others.asks(id)

    def name(inputs: Any) -> str:
        return id if price.key is None else price.key(inputs)

    def payable(act: Act[Any]) -> Iterator[Illegal]:
        combat, who, inputs = act.combat, act.who, act.inputs
        kind = price.now(combat, who, inputs)
        if kind == "immediate":
            yield from immediate_refusals(combat, who, "other")
        else:
            key = name(inputs)
            yield from costs.refusals(combat, who, kind, inputs.pay, key=key, ranged=price.ranged)
            if interjection:
                yield from midst(combat, who)
        yield from costs.stance_refusals(combat, who, inputs, allowed=kind == "attack")
        yield from requirements(act.play, who, inputs)
        if kind == "attack" and others.aims is not None and costs.in_charge(combat[who]):
            targets = others.aims(combat, who, inputs)
            field = "target" if hasattr(inputs, "target") else NO_FIELD
            yield from costs.not_threatened(combat, who, targets, field)

    def make(perform: Perform) -> Deed:
        @wraps(perform)
        def paid(act: Act[Any]) -> Procedure[None]:
            """Pay for the action and carry it out.

            Its place in the order of attacks gives its bonus (DEF-MUL-02, DEF-MUL-03, DEF-MUL-04).
            """
            play, who, inputs = act.play, act.who, act.inputs
            if not (yield from begins(play, who, inputs)):
                return
            combat = play.combat
            kind = price.now(combat, who, inputs)
            place = ATTACKS_MADE.of(combat[who]) if kind == "attack" else 0
            if kind == "immediate":
                yield use_immediate(combat, who, "other")
            elif not ACTED.of(combat[who]):
                yield ACTED.set(who, True, rules=("DEF-DLY-01",))
            key, rules = name(inputs), deed.rules[:1]
            yield from costs.spend(combat, who, kind, inputs.pay, key=key, rules=rules)
            if kind == "attack":
                yield from costs.take_stance(play.combat, who, inputs)
            yield from carry(play, who, inputs, place)

        def begins(play: Play, who: Id, inputs: Any) -> Procedure[bool]:
            """Prompt others before the payment.

            Return false if they cancel the action, or if the action has become illegal.
            """
            if first is None:
                return True
            before = play.combat
            if not (yield from first(play, who, inputs)):
                return False
            refusal = None if play.combat is before else refusal_now(play, who, deed, inputs)
            if refusal is not None and stops:
                seen = Play(play.ruleset, known_by(play.combat, who))
                refusal = refusal_now(seen, who, deed, inputs)
            if refusal is not None:
                yield prevented(who, deed, inputs, refusal)
            return refusal is None

        def carry(play: Play, who: Id, inputs: Any, place: int) -> Procedure[None]:
            for reactions in (awaited, provoked):
                before = play.combat
                yield from reactions(play, who, inputs)
                refusal = None if play.combat is before else unmet(play, who, deed, inputs)
                if refusal is not None:  # the cost stays spent
                    yield foiled(who, id, refusal, "DEF-AOO-06")
                    return
            yield from perform(Attempt(play, who, inputs, place))
            yield from triggers.occurred(play, "acts", who, action=id)

        def awaited(play: Play, who: Id, inputs: Any) -> Procedure[None]:
            """Offer held actions that wait for this action (DEF-HLD-06)."""
            if others.aims is not None:
                targets = others.aims(play.combat, who, inputs)
                yield from triggers.occurred(play, "attacks", who, targets=targets)

        def provoked(play: Play, who: Id, inputs: Any) -> Procedure[None]:
            kind = price.now(play.combat, who, inputs)
            if others.provokes and kind in ("move", "standard", "attack"):
                yield from opportunity.provoked(play, who, id)

        made = action(
            id, label, inputs, cost=price.told, refusals=(*price.first, payable), **words
        )(paid)
        said = {field.name: getattr(made, field.name) for field in fields(made)}
        first_rule = under or made.rules[0]
        rest = sorted({*made.rules} - {first_rule}, key=partial(_place, first_rule))
        said["rules"] = (first_rule, *rest)
        deed = Deed(**said, kind=price.now, requirements=requirements, carry=carry, first=first)
        return deed

    return make
