"""Boosts: 1 BA each, on the own turn, before the roll they are meant for (FH-BST)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.ends import lasts
from domain.rulesets.free_hit.numbers import boost
from domain.rulesets.free_hit.sheet import Payment
from domain.rulesets.free_hit.states import this_round


class Boost(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "ba"


def boost_refusals(play: Play, who: Id, inputs: Boost) -> Iterator[Illegal]:
    yield from paying.wrong_kind(inputs.pay_with, ("ba",))
    yield from paying.lacking(play.combat, who, Payment(ba=1))


def boost_damage(play: Play, who: Id, inputs: Boost) -> Procedure[None]:
    """+1 damage with melee weapons until the end of the round (FH-BST-01)."""
    yield from _boost(play, who, "damage-boost", "FH-BST-01")


def boost_hit(play: Play, who: Id, inputs: Boost) -> Procedure[None]:
    """+1 to attack totals until the end of the round (FH-BST-02)."""
    yield from _boost(play, who, "hit-boost", "FH-BST-02")


def boost_dodge(play: Play, who: Id, inputs: Boost) -> Procedure[None]:
    """+1 to its target number until its own next turn (FH-BST-03, -05)."""
    yield from _boost(play, who, "dodge-boost", "FH-BST-03")


def _boost(play: Play, who: Id, condition: str, rule: str) -> Procedure[None]:
    """The same boost bought twice gives +2 (FH-BST-04)."""
    yield from paying.pay(play, who, Payment(ba=1), rule, "FH-TRN-06")
    value = boost(play.combat[who], condition) + 1
    ends = lasts(condition, who, this_round(play.combat))
    yield ConditionGained(who, condition, data={"value": value}, until=ends, rules=(rule,))


BOOST_DAMAGE = Action(
    "boost-damage", Boost, boost_refusals, label="+1 melee damage", procedure=boost_damage,
    cost="1 BA", rules=("FH-BST-01", "FH-BST-04", "FH-BST-07"),
)  # fmt: skip
BOOST_HIT = Action(
    "boost-hit", Boost, boost_refusals, label="+1 to hit", procedure=boost_hit, cost="1 BA",
    rules=("FH-BST-02", "FH-BST-04", "FH-BST-07"),
)  # fmt: skip
BOOST_DODGE = Action(
    "boost-dodge", Boost, boost_refusals, label="+1 to dodge", procedure=boost_dodge, cost="1 BA",
    rules=("FH-BST-03", "FH-BST-04", "FH-BST-05"),
)  # fmt: skip
