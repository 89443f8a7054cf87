"""The action `talk`."""

from typing import Annotated

from msgspec import Struct

from domain.record.events import Noted
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.fields import Text
from domain.rulebook.inputs import InputKind
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.rules import action


class Talk(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[Text, InputKind(proposes=lambda *_: ("Stand fast!",))] = ""
    pay_with: payment.Kind = "ba"


@action(
    "talk", "Talk", Talk,
    cost=payment.EACH, category="use", headline="Talk[: {text}]", essential=("text",),
    rules={"FH-ACT-03": "Talking costs any one action, in the unit's own turn"},
    refusals=(payment.lacking(payment.chosen),),
    propose=("text", "pay_with"),
)  # fmt: skip
def talk(act: Act[Talk]) -> Procedure[None]:
    """Pay and speak. In a battle, talking costs an action (FH-ACT-03)."""
    yield from payment.pay(act.play, act.who, payment.chosen(act), "FH-ACT-03")
    yield Noted(act.inputs.text or "…", act.who, rules=("FH-ACT-03",))
