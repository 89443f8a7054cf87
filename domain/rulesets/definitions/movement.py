"""Movement step by step, with obstacles, and with opportunities at each square.

DEF-MOV, DEF-AOO-01.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Square
from domain.record.events import Moved
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulebook.reachability import standing
from domain.rulesets.definitions import board, manoeuvre, opportunity, triggers
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.facts import DENIED
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, awake, by_initiative, hostile

Path = Annotated[tuple[tuple[int, ...], ...], Meta(max_length=400), InputKind("path")]


@dataclass
class Walk:
    """One movement of a combatant.

    - `exempt`: foes that get no opportunity.
    - `struck`: foes that have already struck.
    - `named`: foes that the GM has named.
    - `passes`: true if the combatant may enter hostile squares.
    - `clear`: true if it may enter only empty squares (DEF-CHG-04).
    """

    who: Id
    action: str
    exempt: list[Id] = field(default_factory=list)
    struck: list[Id] = field(default_factory=list)
    named: list[Id] = field(default_factory=list)
    asked_gm: bool = False
    steps: int = 0
    passes: bool = False
    clear: bool = False
    last_free: Square | None = None


def squares(path: Sequence[Sequence[int]]) -> list[Square]:
    """Return the squares of a path, or no squares if a square is invalid."""
    return list(grid.squares(path) or ())


# ---- requirements of a path


@rule("DEF-SPC-05", "Each square costs 5 ft, also diagonally")
def path_refusals(
    combat: Combat,
    who: Id,
    path: Sequence[Sequence[int]],
    feet: int,
    rule: str,
    field: str = "path",
) -> Iterator[Illegal]:
    """Refuse a path that is too long, has a gap, or crosses blocked squares.

    Each square costs 5 ft of the movement.
    """
    combatant = combat[who]
    at = combatant.position
    if at is None:
        return
    steps = squares(path)
    if not steps:
        yield refuse(
            rule, "too-far", "a path is made of squares [x, y], one after the other", field
        )
        return
    if 5 * len(steps) > feet:
        detail = f"the path takes {5 * len(steps)} ft, {combatant.name} may move {feet}"
        yield refuse(rule, "too-far", detail, field)
    for step in steps:
        if not grid.is_step(at, step):
            detail = f"{grid.written(step)} is not next to {grid.written(at)}"
            yield refuse(rule, "too-far", detail, field)
            return
        if board.obstacle(combat, step, board.space(combatant)):
            yield refuse(
                "DEF-SPC-04", "square-occupied", f"{grid.written(step)} cannot be entered", field
            )
            return
        at = step


def end_refusals(
    combat: Combat, who: Id, path: Sequence[Sequence[int]], field: str = "path"
) -> Iterator[Illegal]:
    """Refuse a move that ends in an occupied square (DEF-SPC-04)."""
    steps = squares(path)
    if combat[who].position is None or not steps:
        return
    if not board.may_stop(combat, who, steps[-1]):
        yield refuse(
            "DEF-SPC-04", "square-occupied", f"somebody is at {grid.written(steps[-1])}", field
        )


@rule("DEF-MOV-08", "A prone combatant cannot walk")
def may_walk(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse movement while prone or held (DEF-GRP-09)."""
    if combat[who].has("prone"):
        yield refuse(
            "DEF-MOV-08", "prone", f"{combat[who].name} is prone: stand up first", NO_FIELD
        )
    yield from manoeuvre.walks(combat, who)


def on_its_feet(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse if the actor may not walk."""
    return may_walk(act.combat, act.who)


# ---- walking


def walk(play: Play, way: Walk, path: Sequence[Square]) -> Procedure[None]:
    """Take each step through free squares until something stops the movement."""
    for to in path:
        if not (yield from step(play, way, to, last=False)):
            return


@rule("DEF-AOO-06", "An opportunity comes before the step or the action takes effect")
def step(play: Play, way: Walk, to: Square, *, last: bool) -> Procedure[bool]:
    """Offer opportunities in the old square, take the step, then offer held actions."""
    before = play.combat[way.who].position
    if before is None:
        return False
    yield from left(play, way, to)
    refusal = barred(play.combat, way, before, to, last=last)
    if refusal is not None:
        yield foiled(way.who, way.action, refusal)
        return False
    yield Moved(way.who, (to,), rules=("DEF-MOV-01", "DEF-SPC-05"))
    way.steps += 1
    if board.free(play.combat, way.who, to):
        way.last_free = to
    yield from triggers.entered(play, way.who, before, first=way.steps == 1)
    return play.combat[way.who].position == to and may_go_on(play.combat, way.who)


def may_go_on(combat: Combat, who: Id) -> bool:
    return next(may_walk(combat, who), None) is None


def barred(combat: Combat, way: Walk, before: Square, to: Square, *, last: bool) -> Illegal | None:
    """Return the reason why the combatant cannot take this step now, or `None`."""
    combatant = combat[way.who]
    for refusal in may_walk(combat, way.who):
        return refusal
    if combatant.position != before:
        return Illegal("DEF-MOV-01", "moved", f"{combatant.name} is not where it was")
    if last and not board.may_stop(combat, way.who, to):
        return Illegal("DEF-SPC-04", "square-occupied", f"somebody is at {grid.written(to)}")
    if way.clear and not board.free(combat, way.who, to):
        return Illegal(
            "DEF-CHG-04", "charge-blocked", f"the way is not clear at {grid.written(to)}"
        )
    if not way.passes and board.hinderers(combat, way.who, to):
        return Illegal(
            "DEF-SPC-02", "square-hostile", f"a hostile one stands at {grid.written(to)}"
        )
    return None


@rule(
    "DEF-AOO-01",
    "A foe that leaves a threatened square on its own provokes",
)
@rule("DEF-AOO-04", "An action gives each reactor one opportunity, offered at each square")
def left(play: Play, way: Walk, to: Square) -> Procedure[None]:
    """Offer an opportunity to each foe that threatens a square that this step leaves.

    A foe that has already struck gets no second opportunity.
    """
    before = play.combat[way.who].position
    if not way.asked_gm:
        way.asked_gm = True
        way.named += yield from opportunity.ask_the_gm(play, way.who, way.action)
    for foe in by_initiative(play.combat):
        combatant, passed_over = play.combat[way.who], (*way.exempt, *way.struck)
        if combatant.position != before:
            return  # the combatant has already left the square
        if not opportunity.sees(play.combat, foe.id, combatant.id) or foe.id in passed_over:
            continue
        if foe.id in way.named:
            way.named.remove(foe.id)
        elif not threatens_leaving(play.combat, foe, combatant, to):
            continue
        used = opportunity.used(play.combat, foe.id)
        yield from opportunity.offer(play, foe.id, way.who, way.action, rule="DEF-AOO-01")
        if opportunity.used(play.combat, foe.id) > used:
            way.struck.append(foe.id)


def threatens_leaving(combat: Combat, foe: Combatant, combatant: Combatant, to: Square) -> bool:
    """Return true if the foe threatens a square that this step leaves."""
    if combatant.position is None:
        return False
    size = board.space(combatant)
    kept = set(board.footprint(to, size))
    return any(
        board.blades_at(combat, foe.id, square, 1)
        for square in board.footprint(combatant.position, size)
        if square not in kept
    )


def provoked(play: Play, who: Id, at: Square, to: Square) -> list[Id]:
    """Return the foes that may strike when `who` leaves one square for the next (DEF-AOO-01)."""
    there = Play(play.ruleset, standing(play.combat, who, at))
    mover = there.combat[who]
    return [
        foe.id
        for foe in play.combat
        if opportunity.sees(there.combat, foe.id, who)
        and threatens_leaving(there.combat, foe, mover, to)
        and opportunity.may(there.combat, foe.id, who)
    ]


def back_to_free(play: Play, way: Walk, start: Square) -> Procedure[None]:
    """Move a combatant that stops in an occupied square back to its last free square."""
    combatant = play.combat[way.who]
    if combatant.position is None or board.may_stop(play.combat, way.who, combatant.position):
        return
    to = way.last_free or start
    if to != combatant.position and board.free(play.combat, way.who, to):
        yield Moved(way.who, (to,), forced=True, rules=("DEF-SPC-02", "DEF-TRM-04"))


# ---- without a position


def without_place(play: Play, who: Id, action: str) -> Procedure[None]:
    """Ask the GM which foes get an opportunity if a position is missing."""
    for foe in (yield from opportunity.ask_the_gm(play, who, action)):
        yield from opportunity.offer(play, foe, who, action, rule="DEF-AOO-01")


# ---- passing through an ally's square (DEF-SPC-03)

ALLOW = choices("allow", "deny")


def passage_refusals(combat: Combat, who: Id, steps: Sequence[Square]) -> Iterator[Illegal]:
    """Refuse the path if an ally on it has denied the passage in this round.

    The ally gets no second prompt.
    """
    for ally in passed(combat, who, steps):
        if who in DENIED.of(combat[ally]):
            yield refused(ally)


def refused(ally: Id) -> Illegal:
    return refuse("DEF-SPC-03", "ally-refuses", f"{ally} does not let it pass", "path")


def passed(combat: Combat, who: Id, steps: Sequence[Square]) -> list[Id]:
    """Return the allies on the path that must allow the passage.

    Unconscious allies always allow it (DEF-SPC-03).
    """
    combatant = combat[who]
    others = [] if combatant.position is None else board.met(combat, who, steps)
    return [other.id for other in others if not hostile(combatant, other) and awake(other)]


@rule("DEF-SPC-03", "A combatant can pass an ally's square if the ally allows it")
def permission(action: str) -> Callable[[Play, Id, Any], Procedure[bool]]:
    """Return a procedure that asks the allies on the path before the payment."""

    def asked(play: Play, who: Id, inputs: Any) -> Procedure[bool]:
        allies = passed(play.combat, who, squares(inputs.path))
        answers = yield from ask_all([ask_passage(ally, who) for ally in allies])
        denied = [
            answer.who for answer in answers if answer.option == "deny" and answer.who is not None
        ]
        for ally in denied:
            kept = (*DENIED.of(play.combat[ally]), who)
            yield DENIED.set(ally, kept, rules=("DEF-SPC-03",))
        if denied:
            yield foiled(who, action, refused(denied[0]))
        return not denied

    return asked


def ask_passage(ally: Id, who: Id) -> Prompt:
    return Prompt(
        kind="choice",
        name="allow-passage",
        who=ally,
        text=f"Does {ally} let {who} pass through its square?",
        options=ALLOW,
        rules=("DEF-SPC-03",),
        default="allow",
        data={"mover": who},
        stands=lambda now: able(now, who) and awake(now[ally]),
    )
