"""`grapple`, `release-grapple`, `grapple-escape` (DEF-GRP)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulesets.definitions import escape, manoeuvre, opposed_rolls
from domain.rulesets.definitions.costs import Paid, Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule


class Grapple(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Enemy] = None


@rule("DEF-GRP-01", "Neither in a grapple nor swallowed")
def requirements(play: Play, who: Id, inputs: Grapple) -> Iterator[Illegal]:
    """Neither is in a grapple or swallowed; natural reach (DEF-GRP-01, DEF-MAN-09)."""
    yield from engaged(play.combat, who, inputs.target)
    yield from manoeuvre.target_refusals(play.combat, who, inputs.target)
    yield from manoeuvre.natural_reach(play.combat, who, inputs.target)


@rule("DEF-GRP-15", "One grapple at a time")
def engaged(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse if already held, or inside a swallower (DEF-GRP-01, DEF-GRP-15)."""
    for one in (who, target):
        if one is not None and combat[one].has("swallowed"):
            yield Illegal("DEF-GRP-01", "swallowed", f"{combat[one].name} is swallowed")
        if one is not None and combat[one].has("grappled", "grappling"):
            detail = f"{combat[one].name} is in a grapple already"
            yield Illegal("DEF-GRP-01", "already-grappled", detail)


def out_of_hold(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse if the two are no longer within each other's reach."""
    yield from engaged(combat, who, target)
    yield from manoeuvre.natural_reach(combat, who, target)


@rule("DEF-STD-02", "Grapple and shove")
@rule("DEF-GRP-05", "Grappled and grappling, nobody moves")
def grapple(play: Play, who: Id, inputs: Grapple, place: int) -> Procedure[None]:
    """Touch attack, opportunity of the defender, opposed grapple (DEF-GRP-02 to -05,
    DEF-STD-02).
    """
    target = target_of(inputs)
    penalty = yield from manoeuvre.attempt(play, who, target, place, "grapple", reach=out_of_hold)
    if penalty is None:
        return
    over = manoeuvre.beyond(who, target, out_of_hold)
    theirs = yield from opposed_rolls.grapple_defense(play, target, who, "DEF-GRP-04", over)
    ours = opposed_rolls.grapple(who, penalty)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-GRP-04", over)
    if result.won:
        yield ConditionGained(target, "grappled", source=who, rules=("DEF-GRP-05",))


GRAPPLE = deed(
    "grapple",
    Grapple,
    grapple,
    kind="standard",
    requirements=requirements,
    label="Grapple",
    rules=("DEF-GRP-01", "DEF-GRP-02", "DEF-GRP-03", "DEF-GRP-15", "DEF-STD-02"),
    melee=True,
).shown("attack", "Grapple {target}")


class Release(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


def leads(play: Play, who: Id, inputs: object) -> Iterator[Illegal]:
    """Only the aggressor (DEF-GRP-13, -14)."""
    if not play.combat[who].has("grappling"):
        detail = f"{play.combat[who].name} holds nobody in a grapple"
        yield Illegal("DEF-GRP-14", "not-aggressor", detail)


@rule("DEF-GRP-13", "Letting go is free")
def release(play: Play, who: Id, inputs: Release, place: int) -> Procedure[None]:
    yield ConditionLost(who, "grappling", reason="released", rules=("DEF-GRP-13",))


RELEASE_GRAPPLE = deed(
    "release-grapple",
    Release,
    release,
    kind="free",
    requirements=leads,
    label="Let go",
    rules=("DEF-GRP-13",),
).shown("use", "Let go")


# Asked at the turn-start, declared then or never.
GRAPPLE_ESCAPE = Action(
    "grapple-escape",
    escape.Escape,
    escape.only_then,
    label="Escape from a grapple",
    procedure=escape.escape,
    interjection=True,
    cost="free, at the turn-start",
    rules=("DEF-GRP-11", "DEF-GRP-12"),
).shown("defend", "Escape from the grapple[ by {with}]", "with")
