"""free-attack and immediate-attack: to declare one is to take it, while its trigger asks."""

from collections.abc import Iterator
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.acting import off_turn
from domain.rulesets.vile_darkness.immediate_attacks import TakingAtOnce
from domain.rulesets.vile_darkness.reactions import Taking


def _answers_only(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    yield off_turn(play.combat, who, "free-attack")


def _nothing(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    yield from ()  # refused: the answer to the prompt does it


FREE_ATTACK = Action(
    "free-attack",
    Taking,
    _answers_only,
    label="Free attack",
    procedure=_nothing,
    answers="take",
    cost="none",
    rules=("VD-FREE-01", "VD-FREE-02"),
)
IMMEDIATE_ATTACK = Action(
    "immediate-attack",
    TakingAtOnce,
    _answers_only,
    label="Immediate attack",
    procedure=_nothing,
    answers="take",
    cost="major",
    rules=("VD-IMMA-01", "VD-IMMA-03"),
)
