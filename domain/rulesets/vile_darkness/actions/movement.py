"""The actions `move` and `position`.

A move is a major action in D4 (VD-MAJ-02). A combatant can position up to 10 ft (VD-MIN-06).
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import AnyEvent, ConditionLost, Stopped
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_anew, interrupt
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.vile_darkness.activities import at_once
from domain.rulesets.vile_darkness.attack import allowed, engage, is_for_the_gm
from domain.rulesets.vile_darkness.deed import InSlot, deed
from domain.rulesets.vile_darkness.facts import ADDED, LEAVING, Leaving
from domain.rulesets.vile_darkness.harm import Result, Results, Then, break_all
from domain.rulesets.vile_darkness.numbers import engaged_with
from domain.rulesets.vile_darkness.places import (
    OwnMode,
    Path,
    adjacent,
    beside,
    candidates,
    crossed,
    feet,
    in_the_way,
    jostled,
    length,
    moved,
    rate,
    too_far,
    until_somebody_hidden,
    way,
    ways,
)
from domain.rulesets.vile_darkness.reactions import Drawn, on_leaving
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Mode, Number
from domain.rulesets.vile_darkness.slots import (
    after_the_major,
    has_left,
    is_asked,
    is_present,
    not_locked,
    on_own_turn,
    phase_of,
    placed,
    unfinished_major,
    with_major,
)
from domain.rulesets.vile_darkness.targets import by_name, who_is

POSITION_FT = 10


class Moving(Path, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a move. At its end, the mover enters melee with the combatants in `engage`."""

    mode: OwnMode = "walk"
    engage: tuple[Id, ...] = ()


class LettingGo(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's terms for leaving a melee: the bonus of free attacks, and the AC penalty."""

    attack_bonus: Number = 0
    ac_penalty: Number = 0


LEAVE_MELEE = (
    Option("allow"),
    Option("free-attacks", LettingGo, label="Allow it, with free attacks"),
    Option("refuse"),
)


# ---- leaving a melee (GAP-35)


@rule(
    "VD-MELEE-02",
    "A combatant in melee cannot position, and multi-attackers in melee act in step 4",
)
def ask_to_leave(play: Play, who: Id) -> Procedure[Illegal | None]:
    """Ask the GM if a combatant may leave its melee, and on which terms."""
    if not engaged_with(play.combat[who]):
        return None

    def question(now: Combat) -> Prompt:
        return Prompt(
            kind="ruling",
            name="leave-melee",
            who=None,
            text=f"May {who} leave its melee?",
            options=LEAVE_MELEE,
            rules=("VD-MELEE-02", "VD-FREE-09"),
            default="free-attacks",
            data={"mover": who, "engaged_with": list(engaged_with(now[who]))},
            stands=lambda later: bool(engaged_with(later[who])),
        )

    answer = yield from ask_anew(play.combat, question)
    if answer.option == "refuse":
        return refuse("VD-MELEE-02", "in-melee", "the GM does not let it leave its melee", NO_FIELD)
    free = answer.option == "free-attacks"
    given = answer.inputs if free else LettingGo()
    yield LEAVING.set(
        who, Leaving(free, given.attack_bonus, given.ac_penalty), rules=("VD-MELEE-02",)
    )
    return None


def leave(play: Play, movers: Iterable[Id]) -> Procedure[None]:
    """Offer free attacks on the combatants that leave a melee.

    All these combatants leave at the same moment, after the prompts.
    """
    drawn: dict[Id, Drawn] = {}
    for who in movers:
        leaving = LEAVING.of(play.combat[who])
        if leaving is not None:
            yield LEAVING.clear(who, rules=("VD-MELEE-02",))
        if leaving is not None and leaving.free:
            drawn[who] = Drawn(leaving.attack_bonus, leaving.ac_penalty)
    if drawn:
        yield from interrupt(play, lambda: on_leaving(play, drawn), None)


def parted(combat: Combat, who: Id) -> Iterator[AnyEvent]:
    """End the melees of the combatant. `consequences` ends them for the opponents."""
    for other in engaged_with(combat[who]):
        yield ConditionLost(who, "engaged", other, "left", rules=("VD-MELEE-02",))


# ---- moving


@rule("VD-CONC-10", "An ally that jostles a combatant breaks the combatant's concentration")
@rule("VD-GRID-05", "Passing an ally's square breaks the concentration of both")
def go(play: Play, who: Id, path: Path, mode: Mode, rule: str) -> Iterator[Result]:
    """Move along the path, and break concentration where allies jostle (VD-GRID-05, VD-CONC-10)."""
    combatant = play.combat[who]
    yield from tread(play, who, crossed(way(combatant, path)), length(combatant, path), mode, rule)


def tread(
    play: Play, who: Id, squares: Sequence[Square], ft: float, mode: Mode, rule: str
) -> Iterator[Result]:
    """Move through these squares, and jostle the allies in them.

    A hidden combatant in the way stops the move. The move still counts as taken, so that nobody can
    search for hidden combatants for free.
    """
    squares, hidden = until_somebody_hidden(play.combat, who, squares)
    if hidden is not None:
        start = play.combat[who].position
        steps = itertools.pairwise((*((start,) if start else ()), *squares))
        ft = min(ft, sum(feet(a, b) for a, b in steps))
    passed = jostled(play.combat, who, squares)

    def trodden() -> Iterator[AnyEvent]:
        if not play.combat[who].left:
            yield from moved(play.combat[who], squares, ft, mode, rule)

    def pushed() -> Iterator[AnyEvent]:
        for jostled_one in (*passed, who) if passed else ():
            yield from break_all(play.combat[jostled_one], "it was jostled", "VD-GRID-05")

    yield Then(trodden)
    if hidden is not None:
        detail = f"{hidden.name} stands in the way"
        yield Then(lambda: (Stopped(who, "move", "path-blocked", detail, rules=("VD-GRID-04",)),))
    yield Then(pushed)


# ---- move


def in_d4(act: Act[Moving]) -> Iterator[Illegal]:
    return placed(act.combat, act.who, phase_of(act.combat, "other"))


def fits(act: Act[Moving]) -> Iterator[Illegal]:
    """Refuse a path that is too long or blocked."""
    yield from too_far(act.actor, act.inputs, rate(act.actor, act.inputs.mode), "VD-MAJ-02")
    for reason in _obstacles(act):
        if not is_for_the_gm(act.combat, reason):
            yield reason


def _obstacles(act: Act[Moving]) -> tuple[Illegal, ...]:
    return (*in_the_way(act.combat, act.who, act.inputs), *_engages(act))


def _engages(act: Act[Moving]) -> Iterator[Illegal]:
    """Refuse to engage a combatant that is not next to the end of the path.

    Section 4.1, procedure 12.
    """
    points = way(act.actor, act.inputs)
    for name in act.inputs.engage:
        other = act.combat[who_is(act.combat, name)]
        if other.side == act.actor.side:
            detail = f"{other.name} is no opponent"
            yield Impossible("VD-MELEE-01", "wrong-kind", detail, pointer="/inputs/engage")
        if points and not beside(points[-1], other.position):
            detail = f"the way does not end beside {other.name}"
            yield refuse("VD-MELEE-01", "out-of-reach", detail, "engage")


def may(act: Act[Moving]) -> Procedure[Illegal | None]:
    no = yield from allowed(act.play, act.who, None, _obstacles(act))
    return no if no is not None else (yield from ask_to_leave(act.play, act.who))


def _move_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from candidates(play.combat, who, rate(play.combat[who], "walk"))
    at = play.combat[who].position
    for other in play.combat:
        if other.side != play.combat[who].side and other.position is not None and at is not None:
            x, y, z = other.position
            for near in ([x - 1, y, z], [x + 1, y, z], [x, y + 1, z], [x, y - 1, z]):
                yield {"path": [near], "engage": [other.id]}


@deed(
    "move", "Move", Moving,
    cost="major", category="move", headline="Move[ to {to}][ to {path}][ {distance_ft} ft]",
    essential=("path", "distance_ft", "mode"),
    rules={}, also=("VD-MAJ-02", "VD-GRP-06"),
    refusals=(on_own_turn, in_d4, with_major, fits),
    propose=_move_candidates,
    ways=lambda play, who: ways(play.combat, who, rate(play.combat[who], "walk")),
    in_slot=InSlot(
        before=may,
        time=lambda combat, combatant, inputs: 1 + ADDED.of(combatant),
        carries=True,
        fits=fits,
    ),
)  # fmt: skip
def move(act: Act[Moving], results: Results) -> Procedure[None]:
    """Move, and begin melee after all combatants that move at this moment have arrived."""
    play, who, inputs = act.play, act.who, act.inputs
    yield from ()
    results += go(play, who, inputs, inputs.mode, "VD-MAJ-02")
    results.append(Then(lambda: parted(play.combat, who)))

    def met() -> Iterator[AnyEvent]:
        for name in inputs.engage:
            other = by_name(play.combat, name)
            if other is not None and adjacent(play.combat, who, other):
                yield from engage(play.combat, who, other)

    results.append(Then(met, stage=1))


# ---- position


def after_its_major(act: Act[Path]) -> Iterator[Illegal]:
    """Refuse `position` in a complex activity, in another rank, or before the major action.

    VD-MIN-06.
    """
    combat, who, combatant = act.combat, act.who, act.actor
    yield from not_locked(combatant)
    if not after_its_spell(combat, who):
        yield from after_the_major(combat, who)
    rolls = any(prompt.who == who and prompt.kind == "roll" for prompt in combat.prompts.values())
    if has_left(combatant, "major") or unfinished_major(combatant) is not None or rolls:
        detail = "positioning comes after the major action"
        yield refuse("VD-MIN-06", "positioning-needs-major", detail, NO_FIELD)


def has_room(act: Act[Path]) -> Iterator[Illegal]:
    """Refuse `position` in melee, for more than 10 ft, or on a blocked path."""
    if engaged_with(act.actor):
        yield refuse("VD-MIN-06", "in-melee", f"{act.actor.name} is in melee", NO_FIELD)
    yield from too_far(act.actor, act.inputs, POSITION_FT, "VD-MIN-06")
    yield from in_the_way(act.combat, act.who, act.inputs)


def after_its_spell(combat: Combat, who: Id) -> bool:
    """Return true while the prompt after the combatant's own spell is open (GAP-51)."""
    return combat.phase.startswith("spells/") and is_asked(combat, who)


@deed(
    "position", "Position", Path,
    cost="minor", category="move", headline="Position itself[ at {to}][ at {path}]",
    essential=("path",),
    rules={"VD-MIN-06": "A combatant can position up to 10 ft, after its major action and "
        "outside melee"},
    refusals=(is_present, after_its_major, has_room),
    propose=lambda play, who: candidates(play.combat, who, POSITION_FT),
    ways=lambda play, who: ways(play.combat, who, POSITION_FT),
    alone=at_once,
    in_slot=InSlot(
        major=lambda combat, combatant, inputs: False,
        minors=lambda combat, combatant, inputs: 1,
        carries=True,
        fits=has_room,
    ),
)  # fmt: skip
def position(act: Act[Path], results: Results) -> Procedure[None]:
    """Move up to 10 ft."""
    yield from ()
    results += go(act.play, act.who, act.inputs, "walk", "VD-MIN-06")
