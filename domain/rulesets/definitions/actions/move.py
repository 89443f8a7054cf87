"""The actions `move` and `five-foot-step` (DEF-MOV-01, DEF-MOV-02, DEF-SPC)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json, Square
from domain.record.events import Moved
from domain.rulebook import grid
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure, ask_gm, roll, stopped_by
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.reachability import Ways
from domain.rulesets.definitions import board, movement, numbers, triggers
from domain.rulesets.definitions.actions.weapons import exchange, exchange_refusals
from domain.rulesets.definitions.costs import Paid, Word
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.deeds import MOVE, Attempt, Others, priced
from domain.rulesets.definitions.movement import Path, Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able


class Exchanging(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a move that draws or stows weapons for free (DEF-FRE-05).

    `draw` and `stow` are ids of weapons.
    """

    draw: Word | None = None
    stow: Word | None = None


class Move(Exchanging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a move.

    - `path`: the squares to enter, in order.
    - `acrobatics`: true to tumble through hostile squares (DEF-SPC-02).
    """

    path: Path = ()
    acrobatics: bool = False


class Step(Exchanging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    to: SquareInput | None = None


# ---- move


def open_way(act: Act[Move]) -> Iterator[Illegal]:
    """Refuse a path that is too long, or that a foe, an ally or the map bars.

    The last square must be free.
    """
    combat, who, inputs = act.combat, act.who, act.inputs
    feet = numbers.movement_ft(act.actor)
    yield from movement.path_refusals(combat, who, inputs.path, feet, "DEF-MOV-01")
    yield from movement.end_refusals(combat, who, inputs.path)
    steps = movement.squares(inputs.path)
    if not inputs.acrobatics:
        for step in steps:
            for foe in board.hinderers(combat, who, step):
                detail = f"{foe.name}, a hostile one, stands at {grid.written(step)}"
                yield refuse("DEF-SPC-02", "square-hostile", detail, "path", ("acrobatics: true",))
    yield from movement.passage_refusals(combat, who, steps)


def exchangeable(act: Act[Exchanging]) -> Iterator[Illegal]:
    """Refuse weapons that the combatant cannot draw or stow on the way (DEF-FRE-05)."""
    return exchange_refusals(act.actor, act.inputs.draw, act.inputs.stow)


def move_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose straight paths in eight directions, from one square to the full movement."""
    combatant = play.combat[who]
    if combatant.position is None:
        yield {"path": []}
        return
    most = numbers.movement_ft(combatant) // 5
    x, y, z = combatant.position
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        for length in sorted({1, min(3, most), most} - {0}):
            path = [[x + dx * n, y + dy * n, z] for n in range(1, length + 1)]
            yield {"path": path}
            if length == 1:
                yield {"path": path, "pay": "standard"}
            if length == 3:
                yield {"path": path, "acrobatics": True}


def move_ways(play: Play, who: Id) -> Ways | None:
    """Return the movement of the action, at 5 ft per square.

    Blocked squares and foes bar the way. Without a position, return `None`.

    DEF-SPC-02, DEF-SPC-05.
    """
    combat, combatant = play.combat, play.combat[who]
    if combatant.position is None:
        return None
    size = board.space(combatant)

    def cost(at: Square, to: Square) -> float | None:
        barred = board.obstacle(combat, to, size) or board.hinderers(combat, who, to)
        return None if barred else 5

    provokes = partial(movement.provoked, play, who)
    return Ways(combatant.position, numbers.movement_ft(combatant), "ft", cost, provokes)


@priced(
    "move", "Move", Move, MOVE, Others(asks=movement.permission),
    category="move", headline="Move[ to {path}]", essential=("path",),
    rules={"DEF-MOV-01": "A path costs at most the movement. Leaving a threatened square provokes"},
    also=("DEF-AOO-01", "DEF-SPC-02", "DEF-SPC-04"),
    refusals=(movement.on_its_feet, open_way, exchangeable),
    propose=move_candidates,
    ways=move_ways,
    stops=True,
)  # fmt: skip
def move(act: Attempt[Move]) -> Procedure[None]:
    """Move step by step, and draw or stow a weapon on the way (DEF-MOV-01)."""
    play, who, inputs = act.play, act.who, act.inputs
    start = act.actor.position
    if start is None:
        yield from movement.without_place(play, who, "move")
        yield from placing(play, who)
        yield from exchange_now(play, who, inputs)
        return
    way = Walk(who, "move")
    steps = movement.squares(inputs.path)
    for index, to in enumerate(steps):
        if board.hinderers(play.combat, who, to) and inputs.acrobatics and not way.passes:
            barred = partial(no_longer_barred, play, who, to)
            tumbled = yield from stopped_by(play, who, tumbles(play, who, to), "move", barred)
            if tumbled is False:
                break
            way.passes = bool(tumbled)
        if not (yield from movement.step(play, way, to, last=index == len(steps) - 1)):
            break
        if way.steps == 1:
            yield from exchange_now(play, who, inputs)
    yield from movement.back_to_free(play, way, start)


def exchange_now(play: Play, who: Id, inputs: Exchanging) -> Procedure[None]:
    """Draw and stow the weapons that the inputs name, if both are still possible."""
    combatant = play.combat[who]
    if next(exchange_refusals(combatant, inputs.draw, inputs.stow), None) is None:
        yield from exchange(combatant, inputs.draw, inputs.stow)


class Difficulty(Struct, frozen=True, forbid_unknown_fields=True):
    dc: int


ACROBATICS_DC = (
    Option("dc", Difficulty, candidates=lambda play, who: ({"dc": 15},), label="This DC"),
)


@rule("DEF-SPC-02", "A combatant passes a hostile square only by an Acrobatics check")
def tumbles(play: Play, who: Id, to: Square) -> Procedure[bool]:
    """Roll one Acrobatics check for all hostile squares of this move."""
    answer = yield from ask_gm(
        "acrobatics-dc",
        f"{who} tumbles through a hostile square. What is the DC?",
        ACROBATICS_DC,
        None,
        rules=("DEF-SPC-02",),
        data={"mover": who, "square": list(to)},
    )
    dc = int(answer.inputs.dc)
    rolled = yield from roll(
        who,
        "skill-acrobatics",
        "1d20",
        rules=("DEF-SPC-02", "DEF-GEN-06"),
        terms=lambda: numbers.skill_terms(play.combat[who], "acrobatics", "DEF-SPC-02"),
        target=dc,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    return rolled.outcome == "success"


def no_longer_barred(play: Play, who: Id, to: Square) -> Illegal | None:
    """Return the reason to skip the check, or `None`.

    The check is needless if the foe has left the square.
    """
    if board.hinderers(play.combat, who, to):
        return None
    return Illegal("DEF-SPC-02", "gone", "nobody hostile is in that square any more")


# ---- without a position


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    to: SquareInput


PLACING = (Option("placed", Place, label="It is here now"), Option("nowhere"))


def placing(play: Play, who: Id) -> Procedure[None]:
    """Ask the GM where a combatant without a position is after its move.

    By default, its position stays unknown.
    """

    def real(play: Play, _: Id, inputs: Place) -> Iterator[Illegal]:
        to = grid.square(inputs.to)
        if to is None or not board.may_stop(play.combat, who, to):
            yield refuse(
                "DEF-SPC-04", "square-occupied", f"{grid.written(inputs.to)} is not free", "to"
            )

    placed = replace(PLACING[0], refusals=real, candidates=lambda play, _: ({"to": [0, 0]},))
    answer = yield from ask_gm(
        "placing",
        f"{who} has moved. Where is {who} now?",
        (placed, PLACING[1]),
        "nowhere",
        rules=("DEF-MOV-01",),
        data={"combatant": who},
        stands=lambda now: able(now, who) and now[who].position is None,
    )
    if answer.option == "placed":
        to = grid.square(answer.inputs.to)
        assert to is not None
        yield Moved(who, (to,), forced=True, rules=("DEF-MOV-01",))


# ---- five-foot-step


def one_step(act: Act[Step]) -> Iterator[Illegal]:
    """Refuse a step that is not exactly one square (DEF-MOV-02)."""
    path = () if act.inputs.to is None else (act.inputs.to,)
    yield from movement.path_refusals(act.combat, act.who, path, 5, "DEF-MOV-02", "to")
    yield from movement.end_refusals(act.combat, act.who, path, "to")


def step_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    if combatant.position is None:
        yield {}
        return
    for to in grid.neighbours(combatant.position):
        yield {"to": list(to)}
        yield {"to": list(to), "pay": "standard"}


@priced(
    "five-foot-step", "Five-foot step", Step, MOVE,
    category="move", headline="Step[ to {to}]", essential=("to",),
    rules={"DEF-MOV-02": "A five-foot step replaces a move and does not provoke"},
    also=("DEF-AOO-07",),
    refusals=(movement.on_its_feet, one_step, exchangeable),
    propose=step_candidates,
    stops=True,
)  # fmt: skip
def five_foot_step(act: Attempt[Step]) -> Procedure[None]:
    """Step one square without provoking (DEF-AOO-07)."""
    play, who = act.play, act.who
    before, to = act.actor.position, grid.square(act.inputs.to)
    if before is None or to is None:
        yield from placing(play, who)
    else:
        refusal = next(movement.end_refusals(play.combat, who, (to,)), None)
        if refusal is not None:
            yield foiled(who, "five-foot-step", refusal)
            return
        yield Moved(who, (to,), rules=("DEF-MOV-02",))
    yield from exchange_now(play, who, act.inputs)
    if before is not None:
        yield from triggers.entered(play, who, before, first=True)
