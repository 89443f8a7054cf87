"""Deal damage, and heal (SOV-DMG-04, SOV-DOWN). `consequences` applies the effects of 0 HP."""

from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, Damaged, Noted, Stabilized, Term, TrackChanged
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import choices
from domain.rulesets.sovereign.conditions import dies
from domain.rulesets.sovereign.facts import SPARED
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.rules import rule

DEATH_AFTER = 6
"The number of rounds after which a mortally injured combatant dies (SOV-DOWN-04)."

TEN_MINUTES = 600
"The number of seconds for which a stabilized combatant is unconscious (SOV-DOWN-06)."


@rule("SOV-DMG-04", "HP stop at 0, and a hit never heals")
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
    stood: bool = False,
) -> Procedure[None]:
    """Reduce the target's HP, to 0 at the lowest (SOV-DMG-04).

    `stood` is true for one of several simultaneous hits on a target that stood before them
    (SOV-INST-04).
    """
    combatant = play.combat[target]
    hp = combatant.tracks["hp"].value
    if combatant.has("dead") and not stood:
        yield Noted(f"{target} is dead already", target, rules=("SOV-DOWN-01",))
        return
    if hp <= 0 and not stood:
        yield from while_down(play, target, amount, source)
        return
    lost = max(0, min(amount, hp))
    parts = tuple(term for term in terms if term.value)
    if lost < amount:
        parts = (*parts, Term("not below 0", lost - amount, "SOV-DMG-04"))
    if non_lethal and hp and lost == hp:
        yield SPARED.set(target, True, rules=("SOV-DOWN-02",))
    yield Damaged(target, "hp", lost, kind, source, parts, rules=rules)


def stands(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is above 0 HP and not dead."""
    combatant = combat[who]
    return combatant.tracks["hp"].value > 0 and not combatant.has("dead")


WHILE_DOWN = choices("no-change", "dead")


def while_down(play: Play, target: Id, amount: int, source: Id | None) -> Procedure[None]:
    """Ask the GM if damage kills a combatant at 0 HP (GAP-44). By default, nothing changes."""
    if amount <= 0:
        return
    answer = yield from ask_gm(
        "damage-while-down",
        f"{target} is down and takes {amount} damage. Does it die?",
        WHILE_DOWN,
        "no-change",
        rules=("SOV-DOWN-01",),
        data={"target": target, "amount": amount, "source": source},
        stands=lambda now: in_fight(now, target),
    )
    if answer.option == "dead":
        yield dies(target, source, "SOV-DOWN-01")


# ---- healing


def heal(
    play: Play, target: Id, amount: int, source: Id | None, *, strain: int = 0
) -> Procedure[None]:
    """Restore HP up to the maximum.

    If the system strain would exceed its maximum, the healing has no effect (GAP-49).
    """
    combatant = play.combat[target]
    if combatant.has("dead"):
        yield Noted(f"{target} is dead and cannot be healed", target, rules=("SOV-DOWN-07",))
        return
    track = combatant.tracks.get("system_strain")
    if strain and track is not None:
        if track.maximum is not None and track.value + strain > track.maximum:
            yield Noted(f"{target} can bear no more strain", target, rules=("SOV-DOWN-07",))
            return
        yield TrackChanged(
            target, "system_strain", track.value + strain, None, "healing", rules=("SOV-DOWN-07",)
        )
    yield healed(combatant, "hp", amount, source, ("SOV-DOWN-07",))


@rule("SOV-DOWN-06", "Successful first aid stabilizes")
def stabilize(who: Id, by: Id | None) -> Procedure[None]:
    """Stabilize a dying combatant, which stays unconscious for ten minutes (SOV-DOWN-06)."""
    yield ConditionGained(who, "stabilized", data={"seconds": 0}, source=by, rules=("SOV-DOWN-06",))
    yield Stabilized(who, by, rules=("SOV-DOWN-06",))


@rule(
    "SOV-DOWN-04", "A mortally injured combatant dies at the end of the sixth round after its fall"
)
def deaths(play: Play) -> Procedure[None]:
    """Kill each dying combatant at the end of the sixth round after its fall (SOV-DOWN-04)."""
    for combatant in list(play.combat):
        for held in combatant.all("mortally-injured"):
            fell = int(held.data.get("round", play.combat.round))
            if play.combat.round >= fell + DEATH_AFTER and not play.combat[combatant.id].has(
                "dead"
            ):
                yield dies(combatant.id, held.source, "SOV-DOWN-04")


def time_passes(play: Play, seconds: int) -> Procedure[None]:
    """Advance preparations, and wake stabilized combatants after ten minutes (SOV-DOWN-06)."""
    yield from preparations_near(play, seconds)
    for combatant in list(play.combat):
        for held in combatant.all("stabilized"):
            passed = int(held.data.get("seconds", 0)) + seconds
            if passed < TEN_MINUTES:
                data = {**held.data, "seconds": passed}
                yield ConditionGained(combatant.id, "stabilized", data=data, rules=("SOV-DOWN-06",))
            else:
                yield TrackChanged(
                    combatant.id, "hp", 1, None, "ten minutes", rules=("SOV-DOWN-06",)
                )


@rule("SOV-SHOCK-07", "Total Defense, feats and data can give immunity to Shock")
def shock_immune(combat: Combat, who: Id) -> bool:
    """Return true if Total Defense, the sheet or a condition prevents Shock (SOV-SHOCK-07)."""
    combatant = combat[who]
    return (
        combatant.has("total-defense")
        or sheet_of(combatant).shock_immune
        or any(held.data.get("shock_immune") for held in combatant.conditions)
    )


@rule("SOV-EXEC-02", "An execution needs a full minute, or six rounds, of preparation")
def preparations_near(play: Play, seconds: int) -> Procedure[None]:
    """Advance every preparation by `seconds` (SOV-EXEC-02)."""
    for combatant in list(play.combat):
        for held in combatant.all("preparing-execution"):
            data = {**held.data, "seconds": int(held.data.get("seconds", 0)) + seconds}
            yield ConditionGained(
                combatant.id, "preparing-execution", data=data, rules=("SOV-EXEC-02",)
            )
