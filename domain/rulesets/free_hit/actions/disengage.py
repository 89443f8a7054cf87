"""The action `disengage`, for 1 AA or 2 BA."""

from typing import Annotated

from msgspec import Struct

from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulesets.free_hit import ends, payment
from domain.rulesets.free_hit.rules import action
from domain.rulesets.free_hit.sheet import Payment


class Disengaging(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: Annotated[payment.WithAttackOrBonus, InputKind(proposes=lambda *_: ("aa", "ba"))] = (
        "aa"
    )


def price(act: Act[Disengaging]) -> Payment:
    """Return the price: 1 AA or 2 BA (FH-DSG-01)."""
    return Payment(aa=1) if act.inputs.pay_with == "aa" else Payment(ba=2)


@action(
    "disengage", "Disengage", Disengaging,
    cost="1 attack action or 2 bonus actions", category="move",
    headline="Disengage", essential=("pay_with",),
    rules={"FH-DSG-01": "Disengaging costs 1 AA or 2 BA"},
    also=("FH-DSG-02", "FH-DSG-03"),
    refusals=(
        payment.wrong_kind("aa", "ba", rule="FH-DSG-01"),
        payment.lacking(price, "FH-DSG-01"),
    ),
    propose=("pay_with",),
)  # fmt: skip
def disengage(act: Act[Disengaging]) -> Procedure[None]:
    """Let the unit leave all enemy zones without free hits in this round (FH-DSG-02)."""
    yield from payment.pay(act.play, act.who, price(act), "FH-DSG-01", "FH-TRN-04")
    yield ends.disengaged(act.combat, act.who, "FH-DSG-02")
