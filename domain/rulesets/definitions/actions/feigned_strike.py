"""The action `feigned-strike`, which makes an opponent flat-footed (DEF-FEI)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure, choose
from domain.rulebook.inputs import Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import arms, board, conditions, manoeuvre, numbers
from domain.rulesets.definitions.actions.attack import fits, fits_grapple
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import MELEE, STANDARD, Attempt, priced
from domain.rulesets.definitions.manoeuvre import Target, fair_target, not_pinned
from domain.rulesets.definitions.opposed_rolls import (
    Over,
    Side,
    better,
    contest,
    no_resistance,
    skill,
)
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, hostile

DEFENSES = choices("level-check", "discern-intent")


class Feint(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None


def is_no_foe(act: Act[Feint]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the target is an ally."""
    target = act.inputs.target
    return target is not None and not hostile(act.actor, act.target) and {"it": target}


def reached(act: Act[Feint]) -> Iterator[Illegal]:
    """Refuse a target that no ready melee weapon reaches.

    In a grapple, the weapon must be suitable for a grapple (DEF-GRP-10).
    """
    target = act.inputs.target
    if target is None:
        return
    reaching = board.reaching(act.combat, act.who, target, arms.melee(act.actor))
    if not reaching:
        detail = f"{target} is out of reach of a ready weapon"
        yield refuse("DEF-FEI-01", "out-of-reach", detail, "target")
    elif not any(fits(act.actor, weapon) for weapon in reaching):
        yield from fits_grapple(act.actor, reaching[0], NO_FIELD)


@priced(
    "feigned-strike", "Feigned strike", Feint, STANDARD, MELEE,
    category="attack", headline="Feint at {target}",
    rules={
        "DEF-FEI-01": "A feigned strike needs a foe in reach",
        "DEF-FEI-03": "The loser of a feigned strike is flat-footed until the end of the round",
    },
    also=("DEF-FEI-02",),
    refusals=(
        Refusal("DEF-FEI-01", "no-foe", "{it} is no foe", is_no_foe, "target"),
        fair_target,
        not_pinned,
        reached,
    ),
    propose=("target",),
)  # fmt: skip
def feigned_strike(act: Attempt[Feint]) -> Procedure[None]:
    """Roll Beguile against a level check or Discern Intent, as the opponent chooses.

    DEF-FEI-02.
    """
    play, who, target = act.play, act.who, act.aim
    away = manoeuvre.beyond(who, target)
    theirs = yield from defense(play, who, target, away)
    ours = skill(who, "beguile", "DEF-FEI-02")
    result = yield from contest(play, ours, theirs, "DEF-FEI-02", away)
    if result.won:
        until = (Until("round-end", round=play.combat.round),)
        key = conditions.beside(play.combat[target], "flat-footed", who)
        rules = ("DEF-FEI-03",)
        yield ConditionGained(target, "flat-footed", key, until=until, source=who, rules=rules)


@rule("DEF-FEI-02", "Beguile is opposed by a level check or Discern Intent")
def defense(play: Play, who: Id, target: Id, over: Over) -> Procedure[Side]:
    """Return the roll that the opponent chooses, by default the roll with the higher bonus.

    If both bonuses are equal, the default is the level check.
    """
    level = Side(target, "level-check", numbers.level_terms)
    discern = skill(target, "discern_intent", "DEF-FEI-02")
    if no_resistance(play.combat, who, target):
        return level
    answer = yield from choose(
        target,
        "feigned-strike-defense",
        f"{who} feigns a strike. How does {target} try to see through it?",
        DEFENSES,
        "discern-intent" if better(play.combat, discern, level) else "level-check",
        rules=("DEF-FEI-02",),
        data={"attacker": who},
        stands=lambda now: able(now, target) and over(now) is None,
    )
    return discern if answer.option == "discern-intent" else level
