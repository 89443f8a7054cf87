"""`trip`: throw a foe to the ground (DEF-TRP)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed
from domain.rulebook.play import Play
from domain.rulesets.definitions import manoeuvre, opposed_rolls
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule


class Trip(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Enemy] = None


def requirements(play: Play, who: Id, inputs: Trip) -> Iterator[Illegal]:
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from manoeuvre.free_of_grapple(combat, who)
    if inputs.target is not None and combat[inputs.target].has("prone"):
        detail = f"{combat[inputs.target].name} is prone already"
        yield Illegal("DEF-TRP-03", "already-prone", detail)
    yield from manoeuvre.weapon_reach(combat, who, inputs.target)


@rule("DEF-TRP-01", "Trip: a touch attack with the bonus of its place")
@rule("DEF-TRP-03", "Opposed Strength, prone")
def trip(play: Play, who: Id, inputs: Trip, place: int) -> Procedure[None]:
    """Touch attack, opportunity of the defender, opposed Strength, prone (DEF-TRP-01 to -03)."""
    target = target_of(inputs)
    penalty = yield from manoeuvre.attempt(play, who, target, place, "trip", own=True)
    if penalty is None:
        return
    ours, theirs = opposed_rolls.strength(who, penalty), opposed_rolls.strength(target)
    away = manoeuvre.beyond(who, target)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-TRP-03", away)
    if result.won and not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("DEF-TRP-03",))


TRIP = deed(
    "trip",
    Trip,
    trip,
    kind="attack",
    requirements=requirements,
    label="Trip",
    rules=("DEF-TRP-01", "DEF-TRP-02", "DEF-TRP-03", "DEF-MUL-03"),
    melee=True,
).shown("attack", "Trip {target}")
