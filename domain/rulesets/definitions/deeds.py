"""How a declared action runs: paid, seen by who waits for it, answered, done (section 1)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import no_refusals, one_candidate
from domain.rulebook.reachability import Ways
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulebook.secrecy import known_by
from domain.rulesets.definitions import costs, immediates, manoeuvre, opportunity, triggers
from domain.rulesets.definitions.costs import Kind
from domain.rulesets.definitions.deed import Deed, First, foiled, unmet
from domain.rulesets.definitions.facts import ACTED, ATTACKS_MADE
from domain.rulesets.definitions.rules import rule

Requirements = Callable[[Play, Id, Any], Iterator[Illegal]]
Perform = Callable[[Play, Id, Any, int], Procedure[None]]
Candidates = Callable[[Play, Id], Iterable[Any]]


def target_of(inputs: Any) -> Id:
    """Return the target. Without a target, the action is refused."""
    target: Id | None = inputs.target
    assert target is not None
    return target


def at_its_target(combat: Combat, who: Id, inputs: Any) -> Sequence[Id]:
    """Return the targets of its inputs."""
    return () if inputs.target is None else (inputs.target,)


COSTS = {"attack": "1 attack action"}
"""The words of the table for a cost, if they differ from the name of the kind."""


@rule("DEF-MOV-09", "Foes that threaten the actor react before it takes effect")
@rule("DEF-MUL-02", "Used in falling order")
@rule("DEF-MUL-03", "Manoeuvres in an attack's place have its bonus")
@rule("DEF-MUL-04", "All others have the highest")
def deed(
    id: str,
    inputs: type[Struct],
    perform: Perform,
    *,
    kind: Kind | Callable[[Combat, Id, Any], Kind],
    above_all: Requirements = no_refusals,
    requirements: Requirements = no_refusals,
    candidates: Candidates | None = None,
    label: str,
    cost: str = "",
    rules: tuple[str, ...],
    aims: manoeuvre.Aims | None = None,
    provokes: bool = False,
    ranged: bool = False,
    melee: bool = False,
    interjection: bool = False,
    first: First | None = None,
    key: Callable[[Any], str] | None = None,
    ways: Callable[[Play, Id], Ways | None] | None = None,
    stops: bool = False,
) -> Deed:
    """Return an action of the list.

    - `above_all`: refusals that come before the price.
    - `aims` returns the targets of an attack or manoeuvre for which others may wait (2.9).
    - `melee`, `ranged`: the action aims at its target. If a place is missing, the GM first says
      whether the melee reaches it (DEF-RCH-08).
    - `cost`: the cost in words, if it differs from that of `kind`.
    - `provokes`: those who threaten the actor may strike, if it costs more than a free or swift
      action (DEF-MOV-09).
    - `key`: two free actions with the same key are the same (DEF-FRE-01).
    - `first`: see `Deed`.
    - `stops`: see `Action`.

    A stance belongs only to attack actions (DEF-STN-03, DEF-MUL-02, DEF-MUL-03, DEF-MUL-04).
    """

    if melee or ranged:
        aims = at_its_target
    if not callable(kind):
        cost = cost or COSTS.get(kind, kind)

    def price(combat: Combat, who: Id, inputs: Any) -> Kind:
        return kind(combat, who, inputs) if callable(kind) else kind

    def name(inputs: Any) -> str:
        return id if key is None else key(inputs)

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        yield from above_all(play, who, inputs)
        combat = play.combat
        now = price(combat, who, inputs)
        if now == "immediate":
            yield from immediates.refusals(combat, who, "other")
        else:
            yield from costs.refusals(combat, who, now, inputs.pay, key=name(inputs), ranged=ranged)
            if interjection:
                yield from costs.midst(combat, who)
        yield from costs.stance_refusals(combat, who, inputs, allowed=now == "attack")
        yield from requirements(play, who, inputs)
        if now == "attack" and aims is not None and costs.in_charge(combat[who]):
            yield from costs.not_threatened(combat, who, aims(combat, who, inputs))

    def procedure(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        if not (yield from begins(play, who, inputs)):
            return
        combat = play.combat
        now = price(combat, who, inputs)
        place = ATTACKS_MADE.of(combat[who]) if now == "attack" else 0
        if now == "immediate":
            yield immediates.use(combat, who, "other")
        elif not ACTED.of(combat[who]):
            yield ACTED.set(who, True, rules=("DEF-DLY-01",))
        yield from costs.spend(combat, who, now, inputs.pay, key=name(inputs), rules=rules[:1])
        if now == "attack":
            yield from costs.take_stance(play.combat, who, inputs)
        yield from carry(play, who, inputs, place)

    def begins(play: Play, who: Id, inputs: Any) -> Procedure[bool]:
        """Others are asked before it is paid, and the world may have changed meanwhile."""
        if made.first is None:
            return True
        before = play.combat
        if not (yield from made.first(play, who, inputs)):
            return False
        refusal = None if play.combat is before else refusal_now(play, who, made, inputs)
        if refusal is not None and stops:
            seen = Play(play.ruleset, known_by(play.combat, who))
            refusal = refusal_now(seen, who, made, inputs)
        if refusal is not None:
            yield prevented(who, made, inputs, refusal)
        return refusal is None

    def carry(play: Play, who: Id, inputs: Any, place: int) -> Procedure[None]:
        for reactions in (awaited, provoked):
            before = play.combat
            yield from reactions(play, who, inputs)
            refusal = None if play.combat is before else unmet(play, who, made, inputs)
            if refusal is not None:  # its cost stays spent
                yield foiled(who, id, refusal, "DEF-AOO-06")
                return
        yield from perform(play, who, inputs, place)
        yield from triggers.occurred(play, "acts", who, action=id)

    def awaited(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        """Those who hold an action for it come first (DEF-HLD-06)."""
        if aims is not None:
            targets = aims(play.combat, who, inputs)
            yield from triggers.occurred(play, "attacks", who, targets=targets)

    def provoked(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        if provokes and price(play.combat, who, inputs) in ("move", "standard", "attack"):
            yield from opportunity.provoked(play, who, id)

    made = Deed(
        id,
        inputs,
        refusals,
        candidates or (manoeuvre.candidates if melee else one_candidate),
        label,
        procedure=procedure,
        interjection=interjection,
        cost=cost,
        rules=rules,
        kind=price,
        requirements=requirements,
        carry=carry,
        first=manoeuvre.asks_reach(id, at_its_target) if melee else first,
        ways=ways,
        stops=stops,
    )
    return made
