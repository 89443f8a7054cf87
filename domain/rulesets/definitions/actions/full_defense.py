"""`full-defense`: only defend oneself (DEF-FDF)."""

from domain.record.combat import Id, Until
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions.deeds import deed
from domain.rulesets.definitions.paying import Paid


class Defense(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


def full_defense(play: Play, who: Id, inputs: Defense, base: int) -> Procedure[None]:
    """+4 dodge to AC until the next own turn (DEF-FDF-01)."""
    until = (Until("turn-start", who=who),)
    yield ConditionGained(who, "full-defense", until=until, rules=("DEF-FDF-01", "DEF-FDF-02"))


FULL_DEFENSE = deed(
    "full-defense",
    Defense,
    full_defense,
    kind="full-round",
    label="Full defence",
    rules=("DEF-FDF-01", "DEF-FDF-03"),
)
