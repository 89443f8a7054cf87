"""delay: no action until LOW. In LOW, the major action is lost (VD-DELAY)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.vile_darkness.action_costs import own_turn, use_major
from domain.rulesets.vile_darkness.concentration import spell_lost
from domain.rulesets.vile_darkness.facts import CASTING, DELAYED_ONCE
from domain.rulesets.vile_darkness.harm import free_key, lasting
from domain.rulesets.vile_darkness.sheet import Span
from domain.rulesets.vile_darkness.slots import rank, rank_in


def _refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    if not combat.phase.startswith("group/"):
        detail = f"a delay is announced in step 5, not in {combat.phase}"
        yield refuse("VD-DELAY-01", "wrong-phase", detail, NO_FIELD)
    if DELAYED_ONCE.of(combatant):
        detail = f"{combatant.name} has announced a delay in this round"
        yield refuse("VD-DELAY-05", "already-delayed", detail, NO_FIELD)


def _delay(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """It costs no time (VD-DELAY-15)."""
    combatant = play.combat[who]
    in_high = rank(play.combat, combatant) == "HIGH" and rank_in(play.combat.phase) == "HIGH"
    yield DELAYED_ONCE.set(who, True, rules=("VD-DELAY-01",))
    yield delayed(play.combat, combatant, "VD-DELAY-03" if in_high else "VD-DELAY-05")
    if not in_high:
        yield from list(major_lost(play.combat[who]))


def delayed(combat: Combat, combatant: Combatant, rule: str) -> AnyEvent:
    """The condition, to the end of the round; one from data stands beside it (GAP-57)."""
    until = lasting(combat, Span(rounds=1))
    key = free_key(combatant, "delayed")
    return ConditionGained(combatant.id, "delayed", key, until=until, rules=(rule, "VD-DELAY-08"))


def major_lost(combatant: Combatant) -> Iterator[AnyEvent]:
    """Lose the major action by a delay in LOW, with a running spell (GAP-15)."""
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, "a delay in LOW", "VD-DELAY-05")
    else:
        yield from use_major(combatant, "VD-DELAY-05")


DELAY = Action(
    "delay",
    NoInputs,
    _refusals,
    label="Delay",
    procedure=_delay,
    interjection=True,
    cost="minor, 0 segments",
    rules=("VD-DELAY-01", "VD-DELAY-02", "VD-DELAY-05"),
).shown("wait")
