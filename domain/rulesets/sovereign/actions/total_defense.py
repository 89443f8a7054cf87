"""total-defense: an Instant that gives up the Main (SOV-TD)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.sovereign import costs
from domain.rulesets.sovereign.rules import rule


@rule("SOV-TD-03", "Not with a spent Main")
def total_defense_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    yield from costs.instant_refusals(play.combat, who)
    yield from costs.main_refusals(play.combat, who, "SOV-TD-03")


@rule("SOV-TD-01", "Give up the Main: AC +2, no Shock to the next turn")
@rule("SOV-TD-05", "It ends as the own side's next side turn starts")
def total_defense(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """AC +2, no Shock, until the start of the own side's next side turn (SOV-TD-01, -05)."""
    if not (yield from costs.plausible(play, who, "instant", TOTAL_DEFENSE, inputs)):
        return
    yield from costs.busy(play.combat, who)
    yield costs.spend(who, "main", "SOV-TD-01")
    yield ConditionGained(
        who,
        "total-defense",
        until=(Until("turn-start", who),),
        rules=("SOV-TD-01", "SOV-TD-02"),
    )


TOTAL_DEFENSE = Action(
    "total-defense", NoInputs, total_defense_refusals, label="Total defense",
    procedure=total_defense, interjection=True, cost=costs.INSTANT,
    rules=("SOV-TD-01", "SOV-TD-03", "SOV-TD-04", "SOV-TD-05"),
).shown("defend")  # fmt: skip
