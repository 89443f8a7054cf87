"""The action `trip`, which throws a foe to the ground (DEF-TRP)."""

from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed
from domain.rulesets.definitions import manoeuvre, opportunity, opposed_rolls
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import ATTACK, MELEE, Attempt, priced
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    free_of_grapple,
    in_weapon_reach,
)


class Trip(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None


def lies(act: Act[Trip]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the target is prone."""
    return act.inputs.target is not None and act.target.has("prone") and {"it": act.target.name}


@priced(
    "trip", "Trip", Trip, ATTACK, MELEE,
    category="attack", headline="Trip {target}",
    rules={
        "DEF-TRP-01": "A trip is a touch attack with the bonus of the attack that it replaces",
        "DEF-TRP-03": "The loser of opposed Strength falls prone",
    },
    also=("DEF-TRP-02", "DEF-MUL-03"),
    refusals=(
        fair_target,
        free_of_grapple,
        Refusal("DEF-TRP-03", "already-prone", "{it} is prone already", lies, "target"),
        in_weapon_reach,
    ),
    propose=("target",),
)  # fmt: skip
def trip(act: Attempt[Trip]) -> Procedure[None]:
    """Roll a touch attack, offer an opportunity (DEF-TRP-02), and roll opposed Strength.

    The loser falls prone.
    """
    play, who, target = act.play, act.who, act.aim
    penalty = yield from opportunity.attempt(play, who, target, act.place, "trip", own=True)
    if penalty is None:
        return
    ours, theirs = opposed_rolls.strength(who, penalty), opposed_rolls.strength(target)
    away = manoeuvre.beyond(who, target)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-TRP-03", away)
    if result.won and not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("DEF-TRP-03",))
