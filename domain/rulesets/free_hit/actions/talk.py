"""Talk briefly (FH-ACT-03)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.record.events import Noted
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.fields import Text
from domain.rulebook.play import Play
from domain.rulesets.free_hit import paying


class Talk(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text = ""
    pay_with: paying.Kind = "ba"


def talk_refusals(play: Play, who: Id, inputs: Talk) -> Iterator[Illegal]:
    yield from paying.lacking(play.combat, who, paying.one(inputs.pay_with))


def talk_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"text": "Stand fast!", "pay_with": kind} for kind in paying.KINDS)


def talk(play: Play, who: Id, inputs: Talk) -> Procedure[None]:
    """Talking is not free in a battle (FH-ACT-03)."""
    yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-ACT-03")
    yield Noted(inputs.text or "…", who, rules=("FH-ACT-03",))


TALK = Action(
    "talk", Talk, talk_refusals, talk_candidates, "Talk", procedure=talk, cost=paying.EACH,
    rules=("FH-ACT-03",),
).shown("use", "Talk[: {text}]", "text")  # fmt: skip
