"""The action `delay`, which waits for LOW. In LOW, it costs the major action (VD-DELAY)."""

from collections.abc import Iterator

from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, ConditionGained
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.prompts import NoInputs
from domain.rulesets.vile_darkness.facts import CASTING, DELAYED_ONCE
from domain.rulesets.vile_darkness.harm import free_key, lasting, spell_lost
from domain.rulesets.vile_darkness.rules import action, rule
from domain.rulesets.vile_darkness.sheet import Span
from domain.rulesets.vile_darkness.slots import on_own_turn, rank, rank_in, use_major


@rule("VD-DELAY-03", "A combatant that announces a delay is delayed until the round ends")
def delayed(combat: Combat, combatant: Combatant, rule: str) -> AnyEvent:
    """Return the event that begins a delay, which lasts until the end of the round.

    If data have given the combatant a condition of the same name, both conditions stay (GAP-57).
    """
    until = lasting(combat, Span(rounds=1))
    key = free_key(combatant, "delayed")
    return ConditionGained(combatant.id, "delayed", key, until=until, rules=(rule, "VD-DELAY-08"))


@rule("VD-DELAY-05", "A delay in LOW loses the major action, and a round allows one announcement")
def major_lost(combatant: Combatant) -> Iterator[AnyEvent]:
    """Use up the major action, and lose a spell in progress, after a delay in LOW (GAP-15)."""
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, "a delay in LOW", "VD-DELAY-05")
    else:
        yield from use_major(combatant, "VD-DELAY-05")


@action(
    "delay", "Delay",
    cost="minor, 0 segments", category="wait",
    rules={
        "VD-DELAY-01": "A combatant can announce a delay at any moment of step 5, and only there",
        "VD-DELAY-15": "Announcing a delay costs no time",
    },
    also=("VD-DELAY-02", "VD-DELAY-05"),
    refusals=(
        on_own_turn,
        Refusal("VD-DELAY-01", "wrong-phase", "a delay is announced in step 5, not in {phase}",
                lambda act: not act.combat.phase.startswith("group/")
                and {"phase": act.combat.phase}),
        Refusal("VD-DELAY-05", "already-delayed", "{actor} has announced a delay in this round",
                lambda act: DELAYED_ONCE.of(act.actor)),
    ),
    interjection=True,
)  # fmt: skip
def delay(act: Act[NoInputs]) -> Procedure[None]:
    """Delay without spending time (VD-DELAY-15)."""
    in_high = rank(act.combat, act.actor) == "HIGH" and rank_in(act.combat.phase) == "HIGH"
    yield DELAYED_ONCE.set(act.who, True, rules=("VD-DELAY-01",))
    yield delayed(act.combat, act.actor, "VD-DELAY-03" if in_high else "VD-DELAY-05")
    if not in_high:
        yield from list(major_lost(act.actor))
