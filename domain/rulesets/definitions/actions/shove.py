"""The action `shove`, which pushes a foe out of its square (DEF-SHV)."""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import Moved, Noted
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure, choose
from domain.rulebook.inputs import Needed
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import board, manoeuvre, opportunity, opposed_rolls
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import MELEE, STANDARD, Attempt, priced
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    free_of_grapple,
    in_natural_reach,
)
from domain.rulesets.definitions.opposed_rolls import Contest
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able


class Shove(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a shove. `distance` is in feet, at least 5.

    If it is `null` and several distances are possible, the combatant gets a prompt.
    """

    target: Needed[Target] = None
    distance: int | None = None


def is_no_multiple(act: Act[Shove]) -> bool | dict[str, int]:
    """Return the distance for the refusal if the distance is not a multiple of 5 ft."""
    feet = act.inputs.distance
    return feet is not None and (feet < 5 or feet % 5 != 0) and {"feet": feet}


def is_held(act: Act[Shove]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the target is in a grapple."""
    held = act.inputs.target is not None and act.target.has("grappled", "grappling")
    return held and {"it": act.target.name}


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every other combatant, for the greatest distance and for 5 ft."""
    for other in manoeuvre.others(play.combat, who):
        yield {"target": other}
        yield {"target": other, "distance": 5}


@priced(
    "shove", "Shove", Shove, STANDARD, MELEE,
    category="attack", headline="Shove {target}",
    rules={"DEF-SHV-01": "A shove is a touch attack, an opportunity and opposed Strength"},
    also=("DEF-STD-02", "DEF-SHV-02", "DEF-SHV-05"),
    refusals=(
        fair_target,
        free_of_grapple,
        in_natural_reach,
        Refusal("DEF-SHV-03", "too-far", "a shove goes 5 ft or a multiple of it, not {feet}",
                is_no_multiple, "distance"),
        Refusal("DEF-GRP-09", "grappled", "{it} is in a grapple and cannot be shoved apart",
                is_held, "target"),
    ),
    propose=candidates,
)  # fmt: skip
def shove(act: Attempt[Shove]) -> Procedure[None]:
    """Roll a touch attack, offer the defender an opportunity, and roll opposed Strength.

    Damage by the opportunity gives no penalty to the opposed roll. DEF-SHV-01, DEF-MAN-04.
    """
    play, who, target, reach = act.play, act.who, act.aim, manoeuvre.natural_reach
    penalty = yield from opportunity.attempt(play, who, target, act.place, "shove", reach=reach)
    if penalty is None:
        return
    ours, theirs = opposed_rolls.strength(who), opposed_rolls.strength(target)
    away = manoeuvre.beyond(who, target, reach)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-SHV-01", away)
    if result.won:
        feet = yield from distance(play, who, target, result, act.inputs.distance)
        if in_fight(play.combat, target):
            yield from pushed(play, who, target, feet)


@rule("DEF-SHV-02", "A shove is 5 ft, and up to 5 ft more for every 5 of the margin")
def most(result: Contest) -> int:
    """Return the greatest distance: 5 ft, and 5 ft more for every full 5 of the margin."""
    return 5 if result.margin is None else 5 + 5 * (result.margin // 5)


@rule("DEF-SHV-03", "The aggressor chooses the distance of a shove")
def distance(play: Play, who: Id, target: Id, result: Contest, named: int | None) -> Procedure[int]:
    """Return the distance that the aggressor chooses, in the inputs or by a prompt."""
    far = most(result)
    if named is not None:
        return min(far, named)
    if far == 5:
        return far
    answer = yield from choose(
        who,
        "shove-distance",
        f"How far does {who} shove {target}?",
        choices(*(str(feet) for feet in range(5, far + 5, 5))),
        str(far),
        rules=("DEF-SHV-03",),
        data={"target": target, "max": far},
        stands=lambda now: able(now, who) and in_fight(now, target),
    )
    return int(answer.option)


@rule("DEF-SHV-05", "A shove deals no damage and knocks nobody prone")
def pushed(play: Play, who: Id, target: Id, feet: int) -> Procedure[None]:
    """Push the target straight away, up to the first square that is not free (DEF-SHV-04)."""
    combatant, other = play.combat[who], play.combat[target]
    if combatant.position is None or other.position is None:
        yield Noted(f"{target} is pushed {feet} ft: the GM places it", rules=("DEF-SHV-04",))
        return
    signs = board.straight_away(
        combatant.position, board.space(combatant), other.position, board.space(other)
    )
    path = way(play.combat, target, other.position, signs, feet // 5)
    if path:
        yield Moved(target, path, forced=True, rules=("DEF-SHV-04",))


@rule("DEF-SHV-04", "A shove goes straight away, up to the first obstacle")
def way(
    combat: Combat, target: Id, at: Square, signs: tuple[int, int], squares: int
) -> tuple[Square, ...]:
    """Return the squares of the push, up to the first square that is not free."""
    path: list[Square] = []
    for _ in range(squares):
        at = (at[0] + signs[0], at[1] + signs[1], at[2])
        if not board.free(combat, target, at):
            break
        path.append(at)
    return tuple(path)
