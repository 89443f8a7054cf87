"""`stand-up` and `drop-prone`, which provoke (DEF-MOV-06); `full-defense` (DEF-FDF)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id, Until
from domain.record.events import ConditionGained, ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deeds import deed
from domain.rulesets.definitions.rules import rule


class Posture(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


def lies(play: Play, who: Id, inputs: Posture) -> Iterator[Illegal]:
    combatant = play.combat[who]
    if not combatant.has("prone"):
        yield Illegal("DEF-MOV-06", "not-prone", f"{combatant.name} is not prone")
    yield from not_pinned(play.combat, who)


def stands(play: Play, who: Id, inputs: Posture) -> Iterator[Illegal]:
    combatant = play.combat[who]
    if combatant.has("prone"):
        yield Illegal("DEF-MOV-06", "already-prone", f"{combatant.name} is prone")
    yield from not_pinned(play.combat, who)


@rule("DEF-MOV-06", "Standing up and dropping prone")
def stand_up(play: Play, who: Id, inputs: Posture, place: int) -> Procedure[None]:
    yield ConditionLost(who, "prone", reason="stood up", rules=("DEF-MOV-06",))


def drop_prone(play: Play, who: Id, inputs: Posture, place: int) -> Procedure[None]:
    yield ConditionGained(who, "prone", rules=("DEF-MOV-06",))


STAND_UP = deed(
    "stand-up",
    Posture,
    stand_up,
    kind="move",
    requirements=lies,
    label="Stand up",
    rules=("DEF-MOV-06",),
    provokes=True,
).shown("move")
DROP_PRONE = deed(
    "drop-prone",
    Posture,
    drop_prone,
    kind="move",
    requirements=stands,
    label="Drop prone",
    rules=("DEF-MOV-06",),
    provokes=True,
).shown("move")


class Defense(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@rule("DEF-FDF-01", "Full defence: +4 dodge to the next turn")
def full_defense(play: Play, who: Id, inputs: Defense, place: int) -> Procedure[None]:
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
).shown("defend", "Defend in full")
