"""The actions `grapple`, `release-grapple` and `grapple-escape` (DEF-GRP)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed
from domain.rulesets.definitions import manoeuvre, opportunity, opposed_rolls, release
from domain.rulesets.definitions.costs import Paid, Stanced
from domain.rulesets.definitions.deeds import FREE, MELEE, STANDARD, Attempt, priced
from domain.rulesets.definitions.facts import ESCAPES
from domain.rulesets.definitions.manoeuvre import Target, fair_target, in_natural_reach
from domain.rulesets.definitions.rules import action, rule


class Grapple(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None


def both_free(act: Act[Grapple]) -> Iterator[Illegal]:
    """Refuse a grapple if the actor or the target is in a grapple or swallowed (DEF-GRP-01)."""
    return engaged(act.combat, act.who, act.inputs.target)


@rule("DEF-GRP-15", "A combatant is in one grapple at a time")
def engaged(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse if `who` or `target` is in a grapple, or inside a swallower (DEF-GRP-01)."""
    for id, field in ((who, NO_FIELD), (target, "target")):
        if id is None:
            continue
        combatant = combat[id]
        if combatant.has("swallowed"):
            yield refuse("DEF-GRP-01", "swallowed", f"{combatant.name} is swallowed", field)
        if combatant.has("grappled", "grappling"):
            detail = f"{combatant.name} is in a grapple already"
            yield refuse("DEF-GRP-01", "already-grappled", detail, field)


def out_of_hold(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse a target that is in a grapple, swallowed, or out of natural reach."""
    yield from engaged(combat, who, target)
    yield from manoeuvre.natural_reach(combat, who, target)


@priced(
    "grapple", "Grapple", Grapple, STANDARD, MELEE,
    category="attack", headline="Grapple {target}",
    rules={
        "DEF-GRP-01": "A grapple needs two combatants that are neither grappled nor swallowed",
        "DEF-GRP-05": "The winner is grappling, the loser is grappled, and nobody moves",
        "DEF-STD-02": "Grapple and shove are standard actions",
    },
    also=("DEF-GRP-02", "DEF-GRP-03", "DEF-GRP-15"),
    refusals=(both_free, fair_target, in_natural_reach),
    propose=("target",),
)  # fmt: skip
def grapple(act: Attempt[Grapple]) -> Procedure[None]:
    """Roll a touch attack, offer the defender an opportunity, and roll an opposed grapple.

    DEF-GRP-02, DEF-GRP-03, DEF-GRP-04.
    """
    play, who, target = act.play, act.who, act.aim
    touching = opportunity.attempt(play, who, target, act.place, "grapple", reach=out_of_hold)
    penalty = yield from touching
    if penalty is None:
        return
    over = manoeuvre.beyond(who, target, out_of_hold)
    theirs = yield from opposed_rolls.grapple_defense(play, target, who, "DEF-GRP-04", over)
    ours = opposed_rolls.grapple(who, penalty)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-GRP-04", over)
    if result.won:
        yield ConditionGained(target, "grappled", source=who, rules=("DEF-GRP-05",))


class Release(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@priced(
    "release-grapple", "Let go", Release, FREE,
    category="use", headline="Let go",
    rules={"DEF-GRP-13": "The aggressor can let go as a free action"},
    refusals=(
        Refusal("DEF-GRP-14", "not-aggressor", "{actor} holds nobody in a grapple",
                lambda act: not act.actor.has("grappling")),
    ),
)  # fmt: skip
def release_grapple(act: Attempt[Release]) -> Procedure[None]:
    """Let go of the defender. Only the aggressor can do this (DEF-GRP-13, DEF-GRP-14)."""
    yield ConditionLost(act.who, "grappling", reason="released", rules=("DEF-GRP-13",))


@action(
    "grapple-escape", "Escape from a grapple", release.Escape,
    cost="free, at the turn-start", category="defend",
    headline="Escape from the grapple[ by {with}]", essential=("with",),
    rules={},
    also=("DEF-GRP-11", "DEF-GRP-12"),
    refusals=(release.only_then,),
    interjection=True,
)  # fmt: skip
def grapple_escape(act: Act[release.Escape]) -> Procedure[None]:
    """Declare the escape at the start of the turn. The prompt that offers it then lapses."""
    yield ESCAPES.set(act.who, act.inputs.with_, rules=("DEF-GRP-11",))
