"""`feigned-strike`: catch an opponent flat-footed (DEF-FEI)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure, choose
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import arms, board, manoeuvre, moments, numbers
from domain.rulesets.definitions.actions.attack import fits, fits_grapple, not_pinned
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import deed, target_of
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
    target: Needed[Enemy] = None


@rule("DEF-FEI-01", "A feigned strike at a foe in reach")
def requirements(play: Play, who: Id, inputs: Feint) -> Iterator[Illegal]:
    """A hostile one within reach of a ready weapon of the melee (DEF-FEI-01).

    Nothing forbids it in a grapple, with a weapon that is of use there (DEF-GRP-10).
    """
    combat = play.combat
    if inputs.target is not None and not hostile(combat[who], combat[inputs.target]):
        yield Illegal("DEF-FEI-01", "no-foe", f"{inputs.target} is no foe")
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from not_pinned(combat, who)
    if inputs.target is None:
        return
    reaching = board.reaching(combat, who, inputs.target, arms.melee(combat[who]))
    if not reaching:
        detail = f"{inputs.target} is out of reach of a ready weapon"
        yield Illegal("DEF-FEI-01", "out-of-reach", detail)
    elif not any(fits(combat[who], weapon) for weapon in reaching):
        yield from fits_grapple(combat[who], reaching[0])


@rule("DEF-FEI-03", "Flat-footed to the end of the round")
def feigned_strike(play: Play, who: Id, inputs: Feint, place: int) -> Procedure[None]:
    """Beguile against a level check or Discern Intent, as the opponent chooses (DEF-FEI-02)."""
    target = target_of(inputs)
    away = manoeuvre.beyond(who, target)
    theirs = yield from defense(play, who, target, away)
    ours = skill(who, "beguile", "DEF-FEI-02")
    result = yield from contest(play, ours, theirs, "DEF-FEI-02", away)
    if result.won:
        until = (Until("round-end", round=play.combat.round),)
        key = moments.beside(play.combat[target], "flat-footed", who)
        rules = ("DEF-FEI-03",)
        yield ConditionGained(target, "flat-footed", key, until=until, source=who, rules=rules)


@rule("DEF-FEI-02", "Beguile against a level check or Discern Intent")
def defense(play: Play, who: Id, target: Id, over: Over) -> Procedure[Side]:
    """Return the side with the higher bonus. If both are equal, it is the level check."""
    level = Side(target, "level-check", numbers.level_terms)
    discern = skill(target, "discern_intent", "DEF-FEI-02")
    if no_resistance(play.combat, who, target):
        return level
    answer = yield from choose(
        target,
        "feigned-strike-defense",
        f"{who} feigns a strike. With what does {target} see through it?",
        DEFENSES,
        "discern-intent" if better(play.combat, discern, level) else "level-check",
        rules=("DEF-FEI-02",),
        data={"attacker": who},
        stands=lambda now: able(now, target) and over(now) is None,
    )
    return discern if answer.option == "discern-intent" else level


FEIGNED_STRIKE = deed(
    "feigned-strike",
    Feint,
    feigned_strike,
    kind="standard",
    requirements=requirements,
    label="Feigned strike",
    rules=("DEF-FEI-01", "DEF-FEI-02", "DEF-FEI-03"),
    melee=True,
).shown("attack", "Feint at {target}")
