"""The actions `yield` and `flee`. Neither costs an action."""

from domain.record.events import ConditionGained, Noted
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit.attack import YES_NO
from domain.rulesets.free_hit.rules import action, rule


@rule("FH-SEQ-09", "Giving up and fleeing cost nothing, and the GM confirms them")
def leave(act: Act[NoInputs], name: str, condition: str) -> Procedure[None]:
    """Give up or flee, without a roll and without a cost. The GM confirms it (FH-SEQ-09)."""
    answer = yield from ask_gm(
        name,
        f"{act.who} wants to {'give up' if name == 'yield' else name}. Do you allow it?",
        YES_NO,
        "yes",
        rules=("FH-SEQ-09",),
        data={"unit": act.who},
    )
    if answer.option == "yes":
        yield ConditionGained(act.who, condition, rules=("FH-SEQ-09",))
    else:
        does = "give up" if name == "yield" else "flee"
        yield Noted(f"{act.who} does not {does}: the GM refuses", act.who, rules=("FH-SEQ-09",))


@action(
    "yield", "Give up", cost="none", category="choose", headline="Give up",
    rules={}, also=("FH-SEQ-09",),
)  # fmt: skip
def give_up(act: Act[NoInputs]) -> Procedure[None]:
    """Offer to give up."""
    yield from leave(act, "yield", "yielded")


@action(
    "flee", "Flee", cost="none", category="choose", headline="Flee",
    rules={}, also=("FH-SEQ-09",),
)  # fmt: skip
def flee(act: Act[NoInputs]) -> Procedure[None]:
    """Try to flee."""
    yield from leave(act, "flee", "fled")
