"""What the rulings of this rulebook have in common: whom they name, when they are open."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.action import Action
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.slots import running

Points = Annotated[int, Meta(ge=0, le=100_000)]
Word = Annotated[str, Meta(min_length=1, max_length=120)]
Candidates = Callable[[Play, Id], Iterator[Mapping[str, Json]]]


class Who(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id


def known(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Raises `Unknown` for a combatant that is not there."""
    for name in ("who", "target", "attacker", "against", "a", "b", "start"):
        who = getattr(inputs, name, None)
        if isinstance(who, str):
            one = play.combat[who]
            if one.left:
                raise Unknown("combatant", who, tuple(each.id for each in play.combat))
    return iter(())


def in_phase(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    """In one of these steps only."""

    def refusals(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
        if play.combat.phase not in phases:
            detail = f"not in the step {play.combat.phase}"
            yield Illegal("VD-SEQ-03", "wrong-phase", detail, phases)

    return refusals


def in_round(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """While a round runs."""
    known(play, _, inputs)
    if not running(play.combat):
        yield Illegal("VD-SEQ-03", "wrong-phase", f"no round runs: {play.combat.phase}")


def nowhere(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    return iter(())


def pairs(first: str, second: str) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for a in play.combat:
            for b in play.combat:
                if a.side != b.side:
                    yield {first: a.id, second: b.id}

    return found


def everybody(**more: Json) -> Candidates:
    def found(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for one in play.combat:
            yield {"who": one.id, **more}

    return found


def ruling(
    id: str,
    inputs: type[Struct],
    refusals: Any,
    procedure: Any,
    label: str,
    candidates: Candidates = nowhere,
    *rules: str,
) -> Action:
    return Action(id, inputs, refusals, candidates, label, procedure=procedure, rules=rules)


ONCE: Candidates = lambda play, who: iter(({},))  # noqa: E731
