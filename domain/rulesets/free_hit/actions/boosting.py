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


class Boost(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "ba"


def boost_refusals(play: Play, who: Id, inputs: Boost) -> Iterator[Illegal]:
    yield from paying.wrong_kind(inputs.pay_with, ("ba",))
    yield from paying.lacking(play.combat, who, Payment(ba=1))


def boosting(id: str, label: str, condition: str, *rules: str) -> Action:
    """A boost of 1 BA; the same bought twice gives +2 (FH-BST-04)."""

    def procedure(play: Play, who: Id, inputs: Boost) -> Procedure[None]:
        yield from paying.pay(play, who, Payment(ba=1), rules[0], "FH-TRN-06")
        value = boost(play.combat[who], condition) + 1
        ends = lasts(play.combat, condition, who)
        yield ConditionGained(who, condition, data={"value": value}, until=ends, rules=rules[:1])

    return Action(
        id, Boost, boost_refusals, label=label, procedure=procedure, cost="1 BA", rules=rules
    )


# The first two until the end of the round, the last until its own next turn.
BOOST_DAMAGE = boosting(
    "boost-damage", "+1 melee damage", "damage-boost", "FH-BST-01", "FH-BST-04", "FH-BST-07"
).shown("use", "Boost melee damage")
BOOST_HIT = boosting(
    "boost-hit", "+1 to hit", "hit-boost", "FH-BST-02", "FH-BST-04", "FH-BST-07"
).shown("use", "Boost the aim")
BOOST_DODGE = boosting(
    "boost-dodge", "+1 to dodge", "dodge-boost", "FH-BST-03", "FH-BST-04", "FH-BST-05"
).shown("defend", "Boost the dodge")
