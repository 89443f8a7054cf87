"""Give up, flee (FH-SEQ-09)."""

from functools import partial

from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit.attack import YES_NO


def leave(play: Play, who: Id, inputs: NoInputs, name: str, condition: str) -> Procedure[None]:
    """It loses the will to fight, or flees: no roll, no cost; the GM confirms it (FH-SEQ-09)."""
    answer = yield from ask_gm(
        name,
        f"{play.combat[who].id} wants to {name}. Is it so?",
        YES_NO,
        "yes",
        rules=("FH-SEQ-09",),
        data={"unit": who},
    )
    if answer.option == "yes":
        yield ConditionGained(who, condition, rules=("FH-SEQ-09",))


YIELD = Action(
    "yield", NoInputs, label="Give up", cost="none", rules=("FH-SEQ-09",),
    procedure=partial(leave, name="yield", condition="yielded"),
)  # fmt: skip
FLEE = Action(
    "flee", NoInputs, label="Flee", cost="none", rules=("FH-SEQ-09",),
    procedure=partial(leave, name="flee", condition="fled"),
)  # fmt: skip
