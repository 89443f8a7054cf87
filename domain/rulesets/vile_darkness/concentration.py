"""Concentration: its breaks, and its losses (VD-CONC)."""

from collections.abc import Iterator

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionGained, ConditionLost
from domain.rulesets.vile_darkness.action_costs import use_major
from domain.rulesets.vile_darkness.facts import CASTING, MAINTAINED, USED, WORK
from domain.rulesets.vile_darkness.numbers import ability_of
from domain.rulesets.vile_darkness.outcomes import of_ability, of_activity
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, needs_concentration


def in_hand(combatant: Combatant) -> Ability | None:
    """Return the ability of the running spell. None: no spell runs, or its ability was removed."""
    casting = CASTING.of(combatant)
    return None if casting is None else ability_of(combatant, casting.ability)


def _casts(combatant: Combatant) -> bool:
    """A spell that takes concentration is under way."""
    ability = in_hand(combatant)
    return CASTING.of(combatant) is not None and (ability is None or needs_concentration(ability))


def concentrates(combatant: Combatant) -> bool:
    """Whether it concentrates on casting, an activity, or a maintained ability (VD-CONC-01)."""
    work = WORK.of(combatant)
    return (
        _casts(combatant)
        or combatant.has("concentrating")
        or (work is not None and work.concentration)
    )


@rule(
    "VD-CONC-01", "Concentration is needed to start something or to maintain it. Both break alike"
)
def break_all(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """Break every concentration, without a roll (VD-CONC-02).

    A running spell is lost, a maintained ability ends, and a concentrated activity is spoiled.
    """
    if _casts(combatant):
        yield from spell_lost(combatant, why, rule)
    work = WORK.of(combatant)
    if work is not None and work.concentration:
        yield from work_ended(combatant, why, rule)
    yield from stop_maintaining(combatant, why, rule)


def stop_maintaining(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End the maintained ability. Its effects end as a consequence (VD-CONC-04)."""
    if combatant.has("concentrating"):
        yield MAINTAINED.clear(combatant.id, rules=(rule,))
        yield ConditionLost(combatant.id, "concentrating", "", why, rules=(rule, "VD-CONC-04"))


def another(combatant: Combatant) -> Iterator[AnyEvent]:
    """End the previous concentration, because only one is possible (VD-CONC-07)."""
    yield from break_all(combatant, "another concentration", "VD-CONC-07")


@rule("VD-CONC-07", "Another concentration ends the maintenance that runs")
def maintain(combatant: Combatant, ability: str) -> Iterator[AnyEvent]:
    """Maintain an ability. The previous concentration ends (VD-CONC-07)."""
    yield from stop_maintaining(combatant, "another concentration", "VD-CONC-07")
    yield MAINTAINED.set(combatant.id, ability, rules=("VD-CONC-01",))
    yield ConditionGained(combatant.id, "concentrating", rules=("VD-CONC-01", "VD-CONC-04"))


@rule("VD-CONC-08", "An incantation whose concentration breaks is used up as if cast")
def spell_lost(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """Used up exactly as if cast: the copy, the round's spell, the major action (VD-CONC-08)."""
    casting = CASTING.of(combatant)
    yield from no_longer_casting(combatant, why, rule)
    if casting is not None:
        yield of_ability(
            combatant.id,
            in_hand(combatant) or casting.ability,
            "lost",
            spot=casting.target,
            detail=why,
            rules=(rule, "VD-CONC-08"),
        )


def no_longer_casting(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """The spell is out of hands, resolved or lost."""
    ability = in_hand(combatant)
    yield ConditionLost(combatant.id, "casting", "", why, rules=(rule,))
    yield CASTING.clear(combatant.id, rules=(rule,))
    if ability is not None:
        yield from use_up(combatant, ability.id, ability.uses)
    yield from use_major(combatant)


def use_up(combatant: Combatant, ability: str, uses: int | None) -> Iterator[AnyEvent]:
    """Use up a memorised copy or a charge, when the ability resolves or is lost (2.4)."""
    if uses is not None:
        spent = {**USED.of(combatant), ability: USED.of(combatant).get(ability, 0) + 1}
        yield USED.set(combatant.id, spent, rules=("VD-CONC-08",))


def work_ended(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End an unfinished complex activity. Its major action is lost (VD-CPLX-04)."""
    work = WORK.of(combatant)
    assert work is not None
    yield WORK.clear(combatant.id, rules=(rule,))
    power = ability_of(combatant, work.ability)
    if power is not None:
        yield from use_up(combatant, power.id, power.uses)
    yield ConditionLost(combatant.id, "complex-activity", "", why, rules=(rule,))
    yield from use_major(combatant)
    if power is not None:
        yield of_ability(combatant.id, power, "lost", spot=work.target, detail=why, rules=(rule,))
    else:
        yield of_activity(combatant.id, work.name, "lost", detail=why, rules=(rule,))


@rule("VD-CONC-04", "Losing it ends the effect and every condition that it has given")
def held_no_longer(combat: Combat) -> Iterator[AnyEvent]:
    """End conditions whose caster no longer concentrates on their ability (VD-CONC-04)."""
    for combatant in combat:
        for held in combatant.conditions:
            by: Id | None = held.data.get("maintained_by")
            if by is None:
                continue
            caster = combat.combatants.get(by)
            keeps = caster is not None and not caster.left and caster.has("concentrating")
            if caster is None or not keeps or MAINTAINED.of(caster) != held.data.get("ability"):
                rules = ("VD-CONC-04",)
                yield ConditionLost(
                    combatant.id, held.id, held.key, "concentration ended", rules=rules
                )
