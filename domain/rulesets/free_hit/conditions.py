"""The conditions of the rulebook, with their effects and ends (section 5)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from domain.rulebook.ruleset import ConditionInfo
from domain.rulesets.free_hit.sheet import Modifier


class State(Struct, frozen=True):
    """Data that every condition may carry (FH-TRN-03, FH-FLT-02)."""

    can_act: bool = True
    flat_footed: bool = False


class OfSpell(State, frozen=True):
    """A condition of a spell that is being cast or maintained."""

    spell: str = ""


class Unseen(State, frozen=True):
    """The units that do not notice this unit, or "all"."""

    by: tuple[str, ...] | str = "all"


class Boosted(State, frozen=True):
    """The total of several boosts (FH-BST-04)."""

    value: int = 1


class Dated(State, frozen=True):
    """The round in which the condition began."""

    round: int = 1


class Suspended(State, frozen=True):
    """A condition from a spell that is switched off. Switching the spell on restores it."""

    condition: str = ""
    data: Mapping[str, Any] = {}


Info = partial(ConditionInfo, data=State)

_BATTLE = "healing of 6 or more, a spell"

CONDITIONS: Mapping[str, ConditionInfo] = {
    "prone": Info("target number 5 + Agility, moves a third", "stand-up, the GM", ("FH-PRN-02",)),
    "flat-footed": Info("target number 5", "with its cause", ("FH-FLT-01",)),
    "tied": Info("flat-footed, cannot act", "data, the GM", ("FH-FLT-02", "FH-TRN-03")),
    "frozen": Info("flat-footed, cannot act", "data, the GM", ("FH-FLT-02", "FH-TRN-03")),
    "paralysed": Info("flat-footed, cannot act", "data, the GM", ("FH-FLT-02", "FH-TRN-03")),
    "channeling": Info("flat-footed", "cast, cancelled, let go", ("FH-CHN-02",), data=OfSpell),
    "summoning-sick": Info(
        "flat-footed, cannot act",
        "its summoner's place in the next round",
        ("FH-SCK-01",),
        data=Dated,
    ),
    "undetected": Info(
        "strikes flat-footed targets, +1d4", "its attack, the GM", ("FH-SNK-01",), data=Unseen
    ),
    "disengaged": Info("leaving zones gives no free hits", "end of the round", ("FH-DSG-02",)),
    "damage-boost": Info(
        "that much melee damage", "end of the round", ("FH-BST-01",), data=Boosted
    ),
    "hit-boost": Info("that much to hit", "end of the round", ("FH-BST-02",), data=Boosted),
    "dodge-boost": Info("that much target number", "own next turn", ("FH-BST-05",), data=Boosted),
    "wound-slowing": Info(
        "movement −2, Agility −1", _BATTLE, ("FH-AIM-04",), stacks=True, data=Dated
    ),
    "wound-weakening": Info(
        "Strength −1, one BA less", _BATTLE, ("FH-AIM-05",), stacks=True, data=Dated
    ),
    "wound-disrupting": Info(
        "Accuracy −1, −3 more in its round",
        f"{_BATTLE}, end of the battle",
        ("FH-AIM-06",),
        stacks=True,
        data=Dated,
    ),
    "hampered": Info("movement halved", "the GM, data", ("FH-MOV-02",)),
    "at_max_capacity": Info("movement halved", "the GM, data", ("FH-MOV-02",)),
    "modifier": Info(
        "adds to a number", "as its data say", ("FH-ATK-04",), stacks=True, data=Modifier
    ),
    "suspended": Info(
        "a spell's effect that is switched off",
        "as the effect; switched on",
        ("FH-SPL-06",),
        data=Suspended,
    ),
    "defeated": Info("out of the fight", "hit points above 0", ("FH-DMG-06",)),
    "dead": Info("out for good", "the GM", ("FH-FUM-08",)),
    "fled": Info("out of the fight", "the GM", ("FH-SEQ-09",)),
    "yielded": Info("out of the fight", "the GM", ("FH-SEQ-09",)),
    "gone": Info("out of the fight", "the GM", ("FH-THR-01",)),
}
