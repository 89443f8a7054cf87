"""Damage, falling, dying, healing (SOV-DMG-04, SOV-DOWN)."""

from domain.record.combat import Combat, Id
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    FactSet,
    Healed,
    Noted,
    Stabilized,
    Term,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.sovereign import arms, ties
from domain.rulesets.sovereign.numbers import important, sheet_of

DEATH_AFTER = 6
"""Rounds after the one of the fall, at whose end the mortally injured die (SOV-DOWN-04)."""


def hurt(
    play: Play,
    target: Id,
    amount: int,
    *,
    source: Id | None,
    kind: str,
    non_lethal: bool = False,
    terms: tuple[Term, ...] = (),
    rules: tuple[str, ...] = ("SOV-DMG-04",),
) -> Procedure[None]:
    """HP go down, never below 0 (SOV-DMG-04); at 0 somebody falls (SOV-DOWN)."""
    one = play.combat[target]
    hp = one.tracks["hp"].value
    if one.has("dead"):
        yield Noted(f"{target} is dead already", target, rules=("SOV-DOWN-01",))
        return
    if hp <= 0 or one.has("mortally-injured", "stabilized"):
        yield from while_down(play, target, amount, source)
        return
    lost = max(0, min(amount, hp))
    parts = tuple(term for term in terms if term.value)
    if lost < amount:
        parts = (*parts, Term("not below 0", lost - amount, "SOV-DMG-04"))
    yield Damaged(target, "hp", lost, kind, source, parts, rules=rules)
    if lost and play.combat[target].has("preparing-execution"):  # SOV-EXEC-03
        yield ConditionLost(target, "preparing-execution", reason="hurt", rules=("SOV-EXEC-03",))
    if play.combat[target].tracks["hp"].value <= 0:
        yield from fall(play, target, source, non_lethal=non_lethal)


def while_down(play: Play, target: Id, amount: int, source: Id | None) -> Procedure[None]:
    """Harm to somebody at 0 HP is the GM's to judge (GAP-44)."""
    if amount <= 0:
        return
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="damage-while-down",
            who=None,
            text=f"{target} is down and takes {amount} damage. Does it die?",
            options=choices("no-change", "dead"),
            rules=("SOV-DOWN-01",),
            default="no-change",
            data={"target": target, "amount": amount, "source": source},
        )
    )
    if answer.option == "dead" and not play.combat[target].has("dead"):
        yield from die(play, target, source, "SOV-DOWN-01")


def fall(play: Play, who: Id, source: Id | None, *, non_lethal: bool) -> Procedure[None]:
    """At 0 HP: out, prone, empty-handed (SOV-DOWN-01 to -03, -08)."""
    yield Downed(who, source, rules=("SOV-DOWN-01",))
    one = play.combat[who]
    if one.has("frail"):
        yield from die(play, who, source, "SOV-DOWN-08")
        return
    if non_lethal:
        rule = "SOV-DOWN-02" if important(one) else "SOV-DOWN-03"
        yield ConditionGained(who, "unconscious", source=source, rules=(rule,))
    elif important(one):
        data = {"round": play.combat.round}
        yield ConditionGained(
            who, "mortally-injured", data=data, source=source, rules=("SOV-DOWN-02",)
        )
    else:
        yield from die(play, who, source, "SOV-DOWN-03")
        return
    yield from collapse(play, who)


def die(play: Play, who: Id, source: Id | None, rule: str) -> Procedure[None]:
    """Dead, and nothing else any more."""
    for held in ("mortally-injured", "stabilized", "unconscious"):
        if play.combat[who].has(held):
            yield ConditionLost(who, held, reason="dead", rules=(rule,))
    yield ConditionGained(who, "dead", source=source, rules=(rule,))
    yield Died(who, source, rules=(rule,))
    yield from collapse(play, who)


ENDS = (
    "holding",
    "screening",
    "preparing-execution",
    "charging",
    "disengaged",
    "total-defense",
)
"""What needs its owner to be able, and ends when it is not."""


def collapse(play: Play, who: Id) -> Procedure[None]:
    """It drops what it holds and falls prone; what needs it to be able ends (SOV-DOWN-01)."""
    yield from arms.drop_all(play, who)
    if not play.combat[who].has("prone"):
        yield ConditionGained(who, "prone", rules=("SOV-DOWN-01",))
    yield from unable(play, who)


def unable(play: Play, who: Id) -> Procedure[None]:
    """What ends with somebody's being able: stances, grapples, open swarms on it."""
    for held in ENDS:
        if play.combat[who].has(held):
            yield ConditionLost(who, held, reason="not able", rules=("SOV-DOWN-01",))
    yield from ties.part(play)
    open_now = play.combat.facts.get("swarms", [])
    for swarm in open_now:
        if swarm["target"] == who:  # SOV-SWARM-08
            for member in swarm["members"]:
                yield ConditionLost(
                    member["who"], "swarming", reason="target down", rules=("SOV-SWARM-08",)
                )
    left = [swarm for swarm in open_now if swarm["target"] != who]
    if len(left) < len(open_now):
        yield FactSet(None, "swarms", left or None, rules=("SOV-SWARM-08",))


# ---- getting better


def heal(
    play: Play, target: Id, amount: int, source: Id | None, *, strain: int = 0
) -> Procedure[None]:
    """HP come back, up to the maximum; above 0 the fallen are conscious, prone, frail.

    SOV-DOWN-07; GAP-49: strain that would pass its maximum keeps the healing from working.
    """
    one = play.combat[target]
    if one.has("dead"):
        yield Noted(f"{target} is dead and cannot be healed", target, rules=("SOV-DOWN-07",))
        return
    track = one.tracks.get("system_strain")
    if strain and track is not None:
        if track.maximum is not None and track.value + strain > track.maximum:
            yield Noted(f"{target} can bear no more strain", target, rules=("SOV-DOWN-07",))
            return
        yield TrackChanged(
            target, "system_strain", track.value + strain, None, "healing", rules=("SOV-DOWN-07",)
        )
    hp = one.tracks["hp"]
    room = max(0, (hp.maximum or hp.value) - hp.value)
    yield Healed(target, "hp", max(0, min(amount, room)), source, rules=("SOV-DOWN-07",))
    if play.combat[target].tracks["hp"].value > 0:
        yield from recover(play, target)


def recover(play: Play, who: Id) -> Procedure[None]:
    """Conscious again, still prone; frail after a mortal wound (SOV-DOWN-07)."""
    one = play.combat[who]
    dying = one.has("mortally-injured", "stabilized")
    for held in ("mortally-injured", "stabilized", "unconscious"):
        if play.combat[who].has(held):
            yield ConditionLost(who, held, reason="healed", rules=("SOV-DOWN-07",))
    if dying:
        yield ConditionGained(who, "frail", rules=("SOV-DOWN-07",))


def stabilize(play: Play, who: Id, by: Id | None) -> Procedure[None]:
    """No longer dying, out for ten minutes (SOV-DOWN-06)."""
    yield ConditionLost(who, "mortally-injured", reason="stabilized", rules=("SOV-DOWN-06",))
    yield ConditionGained(who, "stabilized", source=by, rules=("SOV-DOWN-06",))
    yield Stabilized(who, by, rules=("SOV-DOWN-06",))


def deaths(play: Play) -> Procedure[None]:
    """The dying die at the end of the sixth round after the fall (SOV-DOWN-04)."""
    for one in list(play.combat):
        for held in one.all("mortally-injured"):
            fell = int(held.data.get("round", play.combat.round))
            if play.combat.round >= fell + DEATH_AFTER and not play.combat[one.id].has("dead"):
                yield from die(play, one.id, held.source, "SOV-DOWN-04")


def shock_immune(combat: Combat, who: Id) -> bool:
    """Total Defense, a feat, data (SOV-SHOCK-07)."""
    one = combat[who]
    return (
        one.has("total-defense")
        or sheet_of(one).shock_immune
        or any(held.data.get("shock_immune") for held in one.conditions)
    )
