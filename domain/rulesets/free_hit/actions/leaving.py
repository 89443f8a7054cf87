"""Give up, flee (FH-SEQ-09)."""

from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit.attack import YES_NO


def yield_(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Lose the will to fight (FH-SEQ-09)."""
    yield from _leave(play, who, "yield", "yielded")


def flee(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Flee (FH-SEQ-09)."""
    yield from _leave(play, who, "flee", "fled")


def _leave(play: Play, who: Id, name: str, condition: str) -> Procedure[None]:
    """No roll, no cost; the GM confirms it."""
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
    "yield", NoInputs, label="Give up", procedure=yield_, cost="none",
    rules=("FH-SEQ-09",),
)  # fmt: skip
FLEE = Action(
    "flee", NoInputs, label="Flee", procedure=flee, cost="none",
    rules=("FH-SEQ-09",),
)  # fmt: skip
