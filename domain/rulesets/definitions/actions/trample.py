"""The action `trample`, a run through enemies (DEF-TRM)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import ConditionGained, Term
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.inputs import Enemy
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.definitions import (
    arms,
    board,
    harm,
    manoeuvre,
    movement,
    numbers,
    opportunity,
    opposed_rolls,
)
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.deeds import FULL_ROUND, Attempt, Others, priced
from domain.rulesets.definitions.harm import Hit
from domain.rulesets.definitions.manoeuvre import Reach
from domain.rulesets.definitions.movement import Path, Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon
from domain.rulesets.definitions.states import able, hostile


class Trample(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a trample.

    If `targets` is `null`, the combatant runs down every enemy on the path that can act.
    """

    path: Path = ()
    targets: Annotated[tuple[Enemy, ...], Meta(max_length=50)] | None = None


def on_path(combat: Combat, who: Id, steps: list[Square]) -> list[Id]:
    """Return the enemies whose squares the path enters, in the order of the path."""
    others = board.met(combat, who, steps)
    return [foe.id for foe in others if hostile(combat[who], foe) and in_fight(combat, foe.id)]


def trampled(combat: Combat, who: Id, inputs: Trample) -> list[Id]:
    """Return the targets to run down (DEF-TRM-01)."""
    if inputs.targets is not None:
        return list(inputs.targets)
    steps = movement.squares(inputs.path)
    return [foe for foe in on_path(combat, who, steps) if able(combat, foe)]


def path_over_foes(act: Act[Trample]) -> Iterator[Illegal]:
    """Refuse a path that is barred, misses a named target, or ends in an occupied square.

    An enemy outside `targets` bars the path (DEF-TRM-01).
    """
    combat, who, inputs = act.combat, act.who, act.inputs
    if act.actor.position is None:
        if not inputs.targets:
            yield refuse("DEF-ATK-06", "no-target", "whom does it run down?", "targets")
        return
    feet = 2 * numbers.movement_ft(act.actor)
    yield from movement.path_refusals(combat, who, inputs.path, feet, "DEF-TRM-01")
    steps = movement.squares(inputs.path)
    yield from movement.passage_refusals(combat, who, steps)
    there = on_path(combat, who, steps)
    named = trampled(combat, who, inputs)
    for target in named:
        if target not in there:
            detail = f"{target} is not an enemy on the path"
            yield refuse("DEF-TRM-01", "no-target", detail, "targets")
    yield from not_named(combat, who, steps, named)
    for end in steps[-1:]:
        if not board.free(combat, who, end):
            detail = f"somebody is at {grid.written(end)}"
            yield refuse("DEF-TRM-01", "square-occupied", detail, "path")


def not_named(
    combat: Combat, who: Id, steps: list[Square], named: Sequence[Id]
) -> Iterator[Illegal]:
    """Refuse if a foe that can act and is not a target bars the way (DEF-TRM-01)."""
    for foe in on_path(combat, who, steps):
        if able(combat, foe) and foe not in named:
            detail = f"{foe}, who can act, is in the way and not named"
            yield refuse("DEF-TRM-01", "square-hostile", detail, "targets")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose straight paths in eight directions."""
    combatant = play.combat[who]
    if combatant.position is None:
        yield {"targets": [foe.id for foe in play.combat if hostile(combatant, foe)][:2]}
        return
    x, y, z = combatant.position
    most = 2 * numbers.movement_ft(combatant) // 5
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        for length in sorted({2, 3, 4, most} - {0}):
            yield {"path": [[x + dx * n, y + dy * n, z] for n in range(1, length + 1)]}


@priced(
    "trample", "Trample", Trample, FULL_ROUND,
    Others(aims=trampled, asks=movement.permission),
    category="attack", headline="Trample[ to {path}]", essential=("path", "targets"),
    polarity="harm",
    rules={
        "DEF-TRM-01": "A trample runs through enemies, up to twice the movement",
        "DEF-TRM-04": "A failed trample stops before its target",
    },
    also=("DEF-TRM-02", "DEF-TRM-03", "DEF-TRM-05"),
    refusals=(
        movement.on_its_feet,
        Refusal("DEF-TRM-05", "no-unarmed-damage", "{actor} has no natural weapon to trample with",
                lambda act: arms.natural(act.actor) is None),
        path_over_foes,
    ),
    propose=candidates,
    stops=True,
)  # fmt: skip
def trample(act: Attempt[Trample]) -> Procedure[None]:
    """Move along the path, and run down each target once from the square before it.

    DEF-TRM-02, DEF-TRM-03, DEF-TRM-04.
    """
    play, who, place = act.play, act.who, act.place
    targets = trampled(act.combat, who, act.inputs)
    start, body = act.actor.position, arms.natural(act.actor)
    assert body is not None
    if start is None:
        yield from movement.without_place(play, who, "trample")
        for target in targets:
            if not (yield from run_down(play, who, target, place, body, manoeuvre.anywhere)):
                return
        return
    way = Walk(who, "trample", exempt=list(targets), passes=True)
    steps = movement.squares(act.inputs.path)
    done: list[Id] = []
    for index, to in enumerate(steps):
        for target in entered(play.combat, who, to, targets, done):
            done.append(target)
            won = yield from run_down(play, who, target, place, body, aside(to))
            if not won and in_the_way(play.combat, who, target, to):
                yield from movement.back_to_free(play, way, start)
                return
        if (refusal := next(not_named(play.combat, who, [to], targets), None)) is not None:
            yield foiled(who, "trample", refusal)
            break
        if not (yield from movement.step(play, way, to, last=index == len(steps) - 1)):
            break
    yield from movement.back_to_free(play, way, start)


def entered(combat: Combat, who: Id, to: Square, targets: list[Id], done: list[Id]) -> list[Id]:
    """Return the targets in the squares of the next step."""
    there = [
        combatant.id for combatant in board.there(combat, to, board.space(combat[who]), (who,))
    ]
    return [target for target in there if target in targets and target not in done]


def in_the_way(combat: Combat, who: Id, target: Id, to: Square) -> bool:
    """Return true if the target is in the fight and in the squares of the next step."""
    return in_fight(combat, target) and target in entered(combat, who, to, [target], [])


def aside(to: Square) -> Reach:
    """Return a check that the target is still in the way."""

    def refusals(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
        if target is not None and not in_the_way(combat, who, target, to):
            yield Illegal("DEF-TRM-02", "not-in-the-way", f"{target} is not in the way any more")

    return refusals


@rule("DEF-TRM-02", "Each target gets a touch attack, an opportunity and opposed Strength")
def run_down(
    play: Play, who: Id, target: Id, place: int, body: Weapon, reach: Reach
) -> Procedure[bool]:
    """Roll a touch attack, offer an opportunity, and roll opposed Strength.

    A success deals damage and knocks the target prone. Return true after a success.
    """
    if not (yield from manoeuvre.in_reach(play, who, target, "trample")):
        return False
    if (yield from opportunity.attempt(play, who, target, place, "trample", reach=reach)) is None:
        return False
    ours, theirs = opposed_rolls.strength(who), opposed_rolls.strength(target)
    away = manoeuvre.beyond(who, target, reach)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-TRM-02", away)
    if not result.won:
        return False
    if not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("DEF-TRM-03",))
    yield from crushed(play, who, target, body)
    return True


@rule("DEF-TRM-03", "A trampled target is prone and takes unarmed damage plus twice Strength")
def crushed(play: Play, who: Id, target: Id, body: Weapon) -> Procedure[None]:
    """Deal unarmed damage from the current sheet, plus twice the Strength modifier."""

    def weapon() -> Weapon:
        return arms.natural(play.combat[who]) or body

    def twice() -> tuple[Term, ...]:
        strength = numbers.modifier(play.combat[who], "strength")
        return (Term("Strength ×2", 2 * strength, "DEF-TRM-03"),)

    rolled = yield from roll(
        who,
        "damage",
        lambda: weapon().damage,
        rules=("DEF-TRM-03", "DEF-TRM-05"),
        terms=twice,
        against=target,
    )
    soft = weapon().non_lethal
    part = harm.at_least(1, rolled.total, "trample", ("crushing",), soft, "DEF-DMG-06")
    yield from harm.deal(play, Hit(target, (part,), who, "trample"))
