"""Harm: damage, the fall to 0 hit points, death saves, and concentration."""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    Stabilized,
    TrackChanged,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, roll, while_there
from domain.rulebook.gm import HARMS, Harm, pool_of, ruling
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from domain.rulebook.ruleset import Follows
from srd_slice.states import FAILURES, OUT, SUCCESSES, sheet


def hurt(
    play: Play, who: Id, amount: int, source: Id | None, rule: str, *, critical: bool = False
) -> Procedure[None]:
    """Deal damage. The function `consequences` handles 0 hit points."""
    was_down = play.combat[who].has("dying", "stable")
    yield Damaged(who, "hp", amount, source=source, rules=(rule,))
    if was_down and critical and play.combat[who].has("dying"):  # SRD-DTH-03: two failures
        yield FAILURES.set(who, FAILURES.of(play.combat[who]) + 1, rules=("SRD-DTH-03",))
    if play.combat[who].has("concentrating") and amount:
        yield from while_there(play, who, keep_concentration(play, who, amount), "concentration")


def keep_concentration(play: Play, who: Id, amount: int) -> Procedure[None]:
    """Roll the Constitution save for concentration after damage (SRD-CON-02).

    The difficulty is 10 or half the damage, whichever is higher.
    """
    dc = max(10, amount // 2)
    kept = yield from save(play, who, "con", "concentration", dc, "SRD-CON-02")
    if not kept and play.combat[who].has("concentrating"):
        yield ConditionLost(who, "concentrating", reason="hurt", rules=("SRD-CON-02",))


def save(play: Play, who: Id, kind: str, purpose: str, dc: int, rule: str) -> Procedure[bool]:
    """Roll a saving throw. Return true if d20 + bonus reaches the difficulty (SRD-SAV-01)."""
    rolled = yield from roll(
        who,
        purpose,
        f"1d20{getattr(sheet(play.combat[who]).saves, kind):+d}",
        rules=(rule, "SRD-SAV-01"),
        target=dc,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    return rolled.outcome == "success"


def death_save(play: Play, who: Id) -> Procedure[None]:
    """Roll a death save (SRD-DTH-01, SRD-DTH-02).

    - 20: the combatant regains 1 hp.
    - 10 to 19: one success.
    - 2 to 9: one failure.
    - 1: two failures.
    """
    rolled = yield from roll(
        who,
        "death-save",
        "1d20",
        rules=("SRD-DTH-01",),
        target=10,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    combatant, face = play.combat[who], rolled.total
    if not combatant.has("dying"):
        return
    if face == 20:
        yield healed(combatant, "hp", 1, rules=("SRD-DTH-02",))
    elif face >= 10:
        yield SUCCESSES.set(who, SUCCESSES.of(combatant) + 1, rules=("SRD-DTH-01",))
    else:
        failed = FAILURES.of(combatant) + (2 if face == 1 else 1)
        yield FAILURES.set(who, failed, rules=("SRD-DTH-02" if face == 1 else "SRD-DTH-01",))


# ---- consequences, with any cause


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None
) -> Iterator[Follows]:
    """Yield the consequences of 0 hit points and of lost concentration."""
    for combatant in combat:
        yield from at_zero(combatant)
        yield from spells_ended(combat, combatant)


def at_zero(combatant: Combatant) -> Iterator[Follows]:
    """Yield changes of `dying`, `stable` and `dead` by hit points and death saves."""
    hp = combatant.tracks["hp"]
    if combatant.has("dead"):
        if hp.value < 0:
            yield TrackChanged(combatant.id, "hp", 0, None, "dead", rules=("SRD-HP-01",))
    elif hp.value <= -(hp.maximum or 0) or (hp.value <= 0 and not sheet(combatant).death_saves):
        yield dead(combatant, "SRD-HP-03" if hp.value > -(hp.maximum or 0) else "SRD-HP-02")
    elif hp.value > 0:
        for condition in ("dying", "stable"):
            if combatant.has(condition):
                yield ConditionLost(combatant.id, condition, reason="healed", rules=("SRD-DTH-04",))
        yield from forgotten(combatant)
    elif not combatant.has("dying", "stable"):
        fallen = Downed(combatant.id, rules=("SRD-HP-04",))
        zero = TrackChanged(combatant.id, "hp", 0, None, "dying", rules=("SRD-HP-01",))
        yield (ConditionGained(combatant.id, "dying", rules=("SRD-HP-04",)), fallen, zero)
    elif hp.value < 0:  # damage while dying or stable
        failed = FAILURES.set(combatant.id, FAILURES.of(combatant) + 1, rules=("SRD-DTH-03",))
        zero = TrackChanged(combatant.id, "hp", 0, None, "dying", rules=("SRD-HP-01",))
        if combatant.has("stable"):
            awake = ConditionLost(combatant.id, "stable", reason="hurt", rules=("SRD-DTH-05",))
            yield (
                failed,
                zero,
                awake,
                ConditionGained(combatant.id, "dying", rules=("SRD-DTH-05",)),
            )
        else:
            yield (failed, zero)
    elif FAILURES.of(combatant) >= 3:
        yield dead(combatant, "SRD-DTH-01")
    elif SUCCESSES.of(combatant) >= 3 and combatant.has("dying"):
        yield stabilized(combatant, "SRD-DTH-01")
    elif combatant.has("stable"):
        yield from forgotten(combatant)


def dead(combatant: Combatant, rule: str) -> tuple[AnyEvent, ...]:
    """Return the events of a death. The conditions of a fallen combatant end."""
    lost = tuple(
        ConditionLost(combatant.id, id, reason="dead", rules=(rule,))
        for id in OUT
        if combatant.has(id)
    )
    return (
        *lost,
        ConditionGained(combatant.id, "dead", rules=(rule,)),
        Died(combatant.id, rules=(rule,)),
    )


def stabilized(combatant: Combatant, rule: str, by: Id | None = None) -> tuple[AnyEvent, ...]:
    """Return the events that make a dying combatant stable at 0 hp (SRD-DTH-05)."""
    return (
        ConditionLost(combatant.id, "dying", reason="stable", rules=(rule,)),
        ConditionGained(combatant.id, "stable", rules=(rule,)),
        Stabilized(combatant.id, by, rules=(rule,)),
    )


def forgotten(combatant: Combatant) -> Iterator[AnyEvent]:
    """Delete the death saves of a combatant that is conscious or stable (SRD-DTH-04)."""
    for fact in (SUCCESSES, FAILURES):
        yield from fact.lapse(combatant, rules=("SRD-DTH-04",))


def spells_ended(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End spells without concentration, and concentration without a spell (SRD-CON-03)."""
    for held in combatant.all("paralyzed"):
        if held.data.get("spell") and not concentrates(combat, held.source):
            yield ConditionLost(combatant.id, "paralyzed", held.key, "ended", rules=("SRD-CON-03",))
            return
    if combatant.has("concentrating") and (
        combatant.has("paralyzed", *OUT) or not holds_somebody(combat, combatant.id)
    ):
        yield ConditionLost(combatant.id, "concentrating", reason="ended", rules=("SRD-CON-03",))


def concentrates(combat: Combat, who: Id | None) -> bool:
    """Return true if the combatant `who` has not left and concentrates."""
    combatant = combat.combatants.get(who or "")
    return combatant is not None and not combatant.left and combatant.has("concentrating")


def holds_somebody(combat: Combat, who: Id) -> bool:
    """Return true if a spell of `who` paralyzes a combatant."""
    return any(
        held.source == who and held.data.get("spell")
        for combatant in combat
        for held in combatant.all("paralyzed")
    )


def ruled_damage(play: Play, who: Id, inputs: Harm) -> Procedure[None]:
    """Deal damage as the GM's ruling, with the save for concentration."""
    track = pool_of(play, inputs)
    if track == "hp":
        yield from hurt(play, inputs.who, inputs.amount, None, "SRD-HP-01")
    else:
        yield Damaged(inputs.who, track, inputs.amount, inputs.kind)


SRD_RULINGS: Mapping[str, Action] = {
    "damage": ruling("damage", Harm, ruled_damage, "Damage", "SRD-HP-01", candidates=HARMS),
}
