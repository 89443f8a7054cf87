"""The action `total-defense`, an Instant that gives up the Main (SOV-TD)."""

from domain.record.combat import Until
from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.prompts import NoInputs
from domain.rulesets.sovereign import costs
from domain.rulesets.sovereign.rules import action


@action(
    "total-defense", "Total defense",
    cost=costs.INSTANT, category="defend",
    rules={
        "SOV-TD-01": "Total Defense gives up the Main for AC +2 and no Shock until the next turn",
        "SOV-TD-03": "Total Defense needs an unspent Main",
        "SOV-TD-05": "Total Defense ends when the next side turn of the combatant's side starts",
    },
    also=("SOV-TD-04",),
    refusals=(
        costs.at_once,
        lambda act: costs.main_refusals(act.combat, act.who, "SOV-TD-03"),
    ),
    interjection=True,
)  # fmt: skip
def total_defense(act: Act[NoInputs]) -> Procedure[None]:
    """Give up the Main, and defend until the next turn starts (SOV-TD-01, SOV-TD-05)."""
    play, who = act.play, act.who
    if not (yield from costs.plausible(play, who, "instant", total_defense, act.inputs)):
        return
    yield from costs.busy(play.combat, who)
    yield costs.spend(who, "main", "SOV-TD-01")
    yield ConditionGained(
        who,
        "total-defense",
        until=(Until("turn-start", who),),
        rules=("SOV-TD-01", "SOV-TD-02"),
    )
