"""Boosts, which cost 1 BA each in the unit's own turn."""

from msgspec import Struct

from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.ends import lasts
from domain.rulesets.free_hit.numbers import boost
from domain.rulesets.free_hit.rules import action, rule
from domain.rulesets.free_hit.sheet import Payment


class Boost(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: payment.WithBonus = "ba"


PAID = (payment.wrong_kind("ba"), payment.lacking(Payment(ba=1)))


@rule("FH-BST-04", "The same boost bought twice gives +2")
def buy(act: Act[Boost], condition: str, bought: str) -> Procedure[None]:
    """Pay 1 BA, and add 1 to the bonus that the condition gives (FH-BST-04)."""
    yield from payment.pay(act.play, act.who, Payment(ba=1), bought, "FH-TRN-06")
    value = boost(act.actor, condition) + 1
    ends = lasts(act.combat, condition, act.who)
    yield ConditionGained(act.who, condition, data={"value": value}, until=ends, rules=(bought,))


@action(
    "boost-damage", "+1 melee damage", Boost,
    cost="1 bonus action", category="use", headline="Boost melee damage",
    rules={"FH-BST-01": "A damage boost gives +1 melee damage until the end of the round"},
    also=("FH-BST-04", "FH-BST-07"), refusals=PAID,
)  # fmt: skip
def boost_damage(act: Act[Boost]) -> Procedure[None]:
    """Add 1 to melee damage until the end of the round (FH-BST-01)."""
    yield from buy(act, "damage-boost", "FH-BST-01")


@action(
    "boost-hit", "+1 to hit", Boost,
    cost="1 bonus action", category="use", headline="Boost the aim",
    rules={"FH-BST-02": "A hit boost gives +1 to hit until the end of the round"},
    also=("FH-BST-04", "FH-BST-07"), refusals=PAID,
)  # fmt: skip
def boost_hit(act: Act[Boost]) -> Procedure[None]:
    """Add 1 to attack rolls until the end of the round (FH-BST-02)."""
    yield from buy(act, "hit-boost", "FH-BST-02")


@action(
    "boost-dodge", "+1 to dodge", Boost,
    cost="1 bonus action", category="defend", headline="Boost the dodge",
    rules={"FH-BST-03": "A dodge boost gives +1 to the unit's target number"},
    also=("FH-BST-04", "FH-BST-05"), refusals=PAID,
)  # fmt: skip
def boost_dodge(act: Act[Boost]) -> Procedure[None]:
    """Add 1 to the unit's target number until its next turn (FH-BST-03)."""
    yield from buy(act, "dodge-boost", "FH-BST-03")
