"""Disengage: 1 AA or 2 BA (FH-DSG)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import ends, paying
from domain.rulesets.free_hit.sheet import Payment


class Disengaging(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "aa"


def disengage_price(kind: paying.Kind) -> Payment:
    """1 AA or 2 BA (FH-DSG-01)."""
    return Payment(aa=1) if kind == "aa" else Payment(ba=2)


def disengage_refusals(play: Play, who: Id, inputs: Disengaging) -> Iterator[Illegal]:
    yield from paying.wrong_kind(inputs.pay_with, ("aa", "ba"), "FH-DSG-01")
    price = disengage_price(inputs.pay_with)
    yield from paying.lacking(play.combat, who, price, "FH-DSG-01")


def disengage(play: Play, who: Id, inputs: Disengaging) -> Procedure[None]:
    """For the rest of the round it leaves all enemy zones without free hits (FH-DSG-02)."""
    yield from paying.pay(play, who, disengage_price(inputs.pay_with), "FH-DSG-01", "FH-TRN-04")
    yield ends.disengaged(play.combat, who, "FH-DSG-02")


DISENGAGE = Action(
    "disengage", Disengaging, disengage_refusals,
    lambda play, who: ({"pay_with": "aa"}, {"pay_with": "ba"}), "Disengage", procedure=disengage,
    cost="1 AA or 2 BA", rules=("FH-DSG-01", "FH-DSG-02", "FH-DSG-03"),
).shown("move", "Disengage", "pay_with")  # fmt: skip
