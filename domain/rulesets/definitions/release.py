"""Coming out of a swallower: cut out, retrieved, or without the swallower (DEF-SWL-05, -08)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import ConditionLost, Moved
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, ask_gm, choose
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, choices
from domain.rulebook.secrecy import known_by
from domain.rulesets.definitions import board
from domain.rulesets.definitions.consequences import held_by, lost
from domain.rulesets.definitions.facts import INSIDE
from domain.rulesets.definitions.states import in_fight, swallower


class Out(Struct, frozen=True, forbid_unknown_fields=True):
    """`to` null: the free square with the lowest x, then y."""

    to: SquareInput | None = None


SQUARE = (Option("out", Out, label="Out into this square"),)
WAKE = choices("yes", "no")


def freed(play: Play, who: Id) -> Procedure[None]:
    """Out into a free square next to the swallower; awake again, if it was without air."""
    inside = INSIDE.of(play.combat[who])
    holder = swallower(play.combat, who) or (None if inside is None else inside.by)
    out = INSIDE.clear(who, rules=("DEF-SWL-08",))
    if play.combat[who].has("swallowed"):
        yield (ConditionLost(who, "swallowed", reason="out", rules=("DEF-SWL-08",)), out)
    else:
        yield out
    yield from stands_beside(play, who, holder)
    yield from wakes(play, who)


def stands_beside(play: Play, who: Id, holder: Id | None) -> Procedure[None]:
    """Ask the freed combatant's owner for its square. Without the swallower's, it has no place."""
    if holder is None or holder not in play.combat.combatants:
        return
    to = yield from choose_square(play, who, holder)
    if to is not None:
        yield Moved(who, (to,), forced=True, rules=("DEF-SWL-08",))


def choose_square(play: Play, who: Id, holder: Id) -> Procedure[Square | None]:
    """Ask for a free square, and ask again if the free squares change meanwhile.

    Return None if no square is free, or the combatant has a place.
    """
    while places := seems_free(play.combat, who, holder):
        answer = yield from ask_square(play, who, holder, places)
        if not still_nowhere(play.combat, who):
            return None
        if seems_free(play.combat, who, holder) == places:
            free = board.free_around(play.combat, who, holder)
            named = board.square_of(answer.inputs.to)
            return named if named in free else next(iter(free), None)
    return None


def seems_free(combat: Combat, who: Id, holder: Id) -> list[Square]:
    """Return the squares that are free as far as `who` knows. A hidden combatant may be in one."""
    known = known_by(combat, who)
    if holder not in known.combatants:
        known = replace(known, combatants={**known.combatants, holder: combat[holder]})
    return board.free_around(known, who, holder)


def ask_square(play: Play, who: Id, holder: Id, places: Sequence[Square]) -> Procedure[Answer]:
    listed: list[Json] = [list(place) for place in places]

    def checked(play: Play, _: Id, inputs: Out) -> Iterator[Illegal]:
        if inputs.to is not None and board.square_of(inputs.to) not in places:
            detail = f"{list(inputs.to)} is not free and next to the swallower"
            yield refuse(
                "DEF-SWL-05", "square-occupied", detail, "square", [str(one) for one in listed]
            )

    def samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        yield {}
        for place in listed[:8]:
            yield {"to": place}

    def stands(now: Combat) -> bool:
        return still_nowhere(now, who) and seems_free(now, who, holder) == places

    return (
        yield from choose(
            who,
            "cut-out-square",
            f"{who} is out. Into which square?",
            (changed(SQUARE[0], refusals=checked, candidates=samples),),
            "out",
            rules=("DEF-SWL-05", "DEF-SWL-08"),
            data={"squares": listed},
            stands=stands,
        )
    )


def still_nowhere(combat: Combat, who: Id) -> bool:
    return in_fight(combat, who) and combat[who].position is None


def wakes(play: Play, who: Id) -> Procedure[None]:
    """Ask the GM whether a combatant that had no air wakes up (DEF-SWL-08)."""
    if not held_by(play.combat[who], "unconscious", "air"):
        return
    answer = yield from ask_gm(
        "swallow-wake",
        f"{who} is out and unconscious. Does it wake up?",
        WAKE,
        "yes",
        rules=("DEF-SWL-08",),
        data={"combatant": who},
        stands=lambda now: now[who].has("unconscious"),
    )
    if answer.option == "yes":
        causes = ("air",)
        yield from lost(play.combat[who], ("unconscious",), causes, "retrieved", "DEF-SWL-08")
