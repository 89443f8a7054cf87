"""free-attack and immediate-attack: to declare one is to take it, while its trigger asks."""

from domain.rulebook.action import Action
from domain.rulesets.vile_darkness.deed import answered
from domain.rulesets.vile_darkness.immediate_attacks import TakingAtOnce
from domain.rulesets.vile_darkness.reactions import Taking

FREE_ATTACK = Action(
    "free-attack",
    Taking,
    label="Free attack",
    procedure=answered,
    answers="take",
    cost="none",
    rules=("VD-FREE-01", "VD-FREE-02"),
)
IMMEDIATE_ATTACK = Action(
    "immediate-attack",
    TakingAtOnce,
    label="Immediate attack",
    procedure=answered,
    answers="take",
    cost="major",
    rules=("VD-IMMA-01", "VD-IMMA-03"),
)
