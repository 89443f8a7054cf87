"""Shared rules of ranged attacks: range, and shots into a grapple (DEF-RNG-04 to -06)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Noted
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulesets.definitions import board
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import partner

UPPER_HALF = 51
"""The lowest face of a d% that is in its upper half."""


@rule("DEF-RNG-06", "A flat range")
def out_of_range(
    combat: Combat,
    who: Id,
    target: Id | None,
    range_ft: int | None,
    name: str,
    field: str = "target",
) -> Iterator[Illegal]:
    """A flat limit (DEF-RNG-06)."""
    if target is None or range_ft is None:
        return
    squares = board.distance(combat, who, target)
    if squares is not None and (feet := 5 * squares) > range_ft:
        detail = f"{target} is {feet} ft away, {name} reaches {range_ft}"
        yield refuse("DEF-RNG-06", "out-of-range", detail, field)


@rule("DEF-RNG-04", "Half of the shots into a grapple go astray")
@rule("DEF-RNG-05", "At either grappler, from outside, touches too")
def gone_astray(play: Play, who: Id, target: Id) -> Procedure[Id]:
    """Half of the shots into a grapple go for the other one (DEF-RNG-04, -05)."""
    other = partner(play.combat, target)
    if other is None or who in (target, other):
        return target
    chance = roll(
        who,
        "miss-chance",
        "1d100",
        rules=("DEF-RNG-04", "DEF-RNG-05"),
        target=UPPER_HALF,
        against=target,
        judge=lambda faces, total, target: "success" if total >= UPPER_HALF else "failure",
    )

    def parted() -> Illegal | None:
        if partner(play.combat, target) == other:
            return None
        return Illegal("DEF-RNG-04", "ended", f"{target} is not in that grapple any more")

    rolled = yield from stopped_by(play, who, chance, "miss-chance", parted)
    if rolled is None or rolled.outcome == "success":
        return target
    yield Noted(f"The shot goes for {other}", rules=("DEF-RNG-04",))
    return other
