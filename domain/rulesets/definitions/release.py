"""Escapes from a swallower and from a grapple (DEF-SWL-05, DEF-SWL-08, DEF-GRP-11)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import ConditionLost, Moved
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm, choose
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Answer, Option, choices
from domain.rulebook.secrecy import known_by
from domain.rulesets.definitions import board, costs, opposed_rolls, triggers
from domain.rulesets.definitions.consequences import held_by, lost
from domain.rulesets.definitions.deed import turn_refusals
from domain.rulesets.definitions.facts import ACTED, ESCAPES, INSIDE, SUBMISSION
from domain.rulesets.definitions.opposed_rolls import Over
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, asked, partner, swallower


class Out(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a release. `to` is the square of the freed combatant.

    If it is `null`, Affray uses the free square with the lowest x, then the lowest y.
    """

    to: SquareInput | None = None


SQUARE = (Option("out", Out, label="Out into this square"),)
WAKE = choices("yes", "no")


def freed(play: Play, who: Id) -> Procedure[None]:
    """Put the combatant into a free square next to the swallower.

    If it fainted without air, the GM decides whether it wakes up.
    """
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
    """Ask the owner for the square of the freed combatant.

    If the swallower has no position, the combatant gets no position.
    """
    if holder is None or holder not in play.combat.combatants:
        return
    to = yield from choose_square(play, who, holder)
    if to is not None:
        yield Moved(who, (to,), forced=True, rules=("DEF-SWL-08",))


def choose_square(play: Play, who: Id, holder: Id) -> Procedure[Square | None]:
    """Ask for a free square, and ask again if the free squares change in the meantime.

    Return `None` if no square is free, or if the combatant already has a position.
    """
    while places := seems_free(play.combat, who, holder):
        answer = yield from ask_square(play, who, holder, places)
        if not still_nowhere(play.combat, who):
            return None
        if seems_free(play.combat, who, holder) == places:
            free = board.free_around(play.combat, who, holder)
            named = grid.square(answer.inputs.to)
            return named if named in free else next(iter(free), None)
    return None


def seems_free(combat: Combat, who: Id, holder: Id) -> list[Square]:
    """Return the squares next to the swallower that are free as far as `who` knows.

    A combatant that is hidden from `who` may stand in such a square.
    """
    known = known_by(combat, who)
    if holder not in known.combatants:
        known = replace(known, combatants={**known.combatants, holder: combat[holder]})
    return board.free_around(known, who, holder)


def ask_square(play: Play, who: Id, holder: Id, places: Sequence[Square]) -> Procedure[Answer]:
    listed: list[Json] = [list(place) for place in places]

    def checked(play: Play, _: Id, inputs: Out) -> Iterator[Illegal]:
        if inputs.to is not None and grid.square(inputs.to) not in places:
            detail = f"{grid.written(inputs.to)} is not free and next to the swallower"
            yield refuse(
                "DEF-SWL-05", "square-occupied", detail, "square", [str(place) for place in listed]
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
            f"{who} is out. Into which square does {who} come?",
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


def is_inside(combatant: Combatant) -> bool:
    """Return true if the combatant is swallowed, even if the swallower is unknown."""
    return combatant.has("swallowed") and INSIDE.known(combatant)


# ---- from a grapple, at the start of the combatant's turn (DEF-GRP-11, DEF-GRP-12)

ESCAPE = choices("grapple", "escape-artist", "no")


class Escape(Struct, frozen=True, forbid_unknown_fields=True):
    with_: Literal["grapple", "escape-artist"] = field(default="grapple", name="with")


def at_turn_start(play: Play, who: Id) -> Procedure[None]:
    """Offer one free escape at the start of the turn.

    Held actions may wait for the escape (section 2.9). A combatant that declines it cannot try it
    later in the turn.
    """
    if (yield from tried(play, who)):
        yield from triggers.occurred(play, "acts", who, action="grapple-escape")


@rule("DEF-GRP-11", "The defender has one escape at the start of its turn")
@rule("DEF-GRP-12", "During a submission, an escape breaks only the submission")
def tried(play: Play, who: Id) -> Procedure[bool]:
    """Offer the escape and roll it. Return true if the combatant tried.

    A success ends the grapple. During a submission, it ends only the submission.
    """
    holder = partner(play.combat, who)
    if holder is None or not play.combat[who].has("grappled"):
        return False
    answer = yield from choose(
        who,
        "grapple-escape",
        f"{holder} holds {who}. Does {who} try to escape?",
        ESCAPE,
        opposed_rolls.better_defense(play.combat, who),
        rules=("DEF-GRP-11",),
        data={"holder": holder},
        stands=lambda now: (
            is_held_by(now, who, holder) and able(now, who) and not ESCAPES.known(now[who])
        ),
    )
    combatant = play.combat[who]
    # The combatant may have declared the escape while the prompt was open.
    option = ESCAPES.of(combatant) or answer.option
    yield from ESCAPES.lapse(combatant, rules=("DEF-GRP-11",))
    if option == "no" or not is_held_by(play.combat, who, holder):
        return False
    yield ACTED.set(who, True, rules=("DEF-DLY-01",))
    yield from costs.spend(
        play.combat, who, "free", None, key="grapple-escape", rules=("DEF-GRP-11",)
    )
    with_skill = option == "escape-artist"
    side = opposed_rolls.escape_artist(who) if with_skill else opposed_rolls.grapple(who)
    theirs = opposed_rolls.grapple(holder)
    result = yield from opposed_rolls.opposed(play, side, theirs, "DEF-GRP-11", free(who, holder))
    if result is None or not result.won:
        return True
    if SUBMISSION.of(play.combat[holder]) > 0:
        yield SUBMISSION.clear(holder, rules=("DEF-GRP-12",))
    else:
        yield ConditionLost(who, "grappled", reason="escaped", rules=("DEF-GRP-11",))
    return True


def is_held_by(combat: Combat, who: Id, holder: Id) -> bool:
    return partner(combat, who) == holder


def free(who: Id, holder: Id) -> Over:
    """Return a check that stops the roll if nobody holds the combatant any more (DEF-GRP-06)."""

    def over(combat: Combat) -> Illegal | None:
        if is_held_by(combat, who, holder):
            return None
        return Illegal("DEF-GRP-06", "ended", f"{holder} does not hold {who} any more")

    return over


def only_then(act: Act[Escape]) -> Iterator[Illegal]:
    """Refuse an escape except at the start of the combatant's turn, when it has the prompt."""
    yield from turn_refusals(act.combat, act.who)
    if not asked(act.combat, "grapple-escape", act.who):
        detail = "an escape is tried at the beginning of the own turn, when it is asked for"
        yield refuse("DEF-GRP-11", "not-at-turn-start", detail, NO_FIELD)
