"""The actions `stand-up`, `drop-prone` and `full-defense` (DEF-MOV-06, DEF-FDF).

Standing up and dropping prone provoke.
"""

from domain.record.combat import Until
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.declaration import Refusal
from domain.rulebook.effects import Procedure
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import FULL_ROUND, MOVE, PROVOKING, Attempt, priced
from domain.rulesets.definitions.manoeuvre import not_pinned


class Posture(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@priced(
    "stand-up", "Stand up", Posture, MOVE, PROVOKING,
    category="move",
    rules={"DEF-MOV-06": "Standing up and dropping prone are move actions"},
    refusals=(
        Refusal("DEF-MOV-06", "not-prone", "{actor} is not prone",
                lambda act: not act.actor.has("prone")),
        not_pinned,
    ),
)  # fmt: skip
def stand_up(act: Attempt[Posture]) -> Procedure[None]:
    """Lose the condition `prone`."""
    yield ConditionLost(act.who, "prone", reason="stood up", rules=("DEF-MOV-06",))


@priced(
    "drop-prone", "Drop prone", Posture, MOVE, PROVOKING,
    category="move",
    rules={},
    also=("DEF-MOV-06",),
    refusals=(
        Refusal("DEF-MOV-06", "already-prone", "{actor} is prone",
                lambda act: act.actor.has("prone")),
        not_pinned,
    ),
)  # fmt: skip
def drop_prone(act: Attempt[Posture]) -> Procedure[None]:
    """Gain the condition `prone`."""
    yield ConditionGained(act.who, "prone", rules=("DEF-MOV-06",))


class Defense(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@priced(
    "full-defense", "Full defence", Defense, FULL_ROUND,
    category="defend", headline="Defend in full",
    rules={"DEF-FDF-01": "Full defence gives +4 dodge until the next turn"},
    also=("DEF-FDF-03",),
)  # fmt: skip
def full_defense(act: Attempt[Defense]) -> Procedure[None]:
    """Gain +4 dodge to AC until the combatant's next turn (DEF-FDF-01, DEF-FDF-02)."""
    until, rules = (Until("turn-start", who=act.who),), ("DEF-FDF-01", "DEF-FDF-02")
    yield ConditionGained(act.who, "full-defense", until=until, rules=rules)
