"""Consequences of changes, such as defeat and lost budgets (FH-SEQ-06).

They depend only on the state. `cause` gives only sources, rules and new sheet values.
"""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Combatant, Json
from domain.record.events import (
    AnyEvent,
    BudgetSet,
    CombatantChanged,
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    Downed,
    TrackChanged,
)
from domain.rulebook.changes import changed_since
from domain.rulebook.ruleset import Follows
from domain.rulesets.free_hit.facts import CASTING, THRALLS, UNDER_ATTACK, UPKEEP
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.spells import let_go, of_sheet
from domain.rulesets.free_hit.states import can_act, in_fight, is_waiting, sheet
from domain.rulesets.free_hit.things import spell_of


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None = None
) -> Iterator[Follows]:
    """Yield the consequences unit by unit, in the order of joining."""
    changed = cause if isinstance(cause, CombatantChanged) else None
    if cause is None or isinstance(cause, CombatantJoined | CombatantChanged | ConditionGained):
        named = tuple(meant_by_id(combat))
        if named:
            yield named
    touched = changed_since(before, combat, cause, "acting", "queue", "round")
    for combatant in combat.combatants.values():
        facts = combatant.facts
        if combatant.id not in touched and THRALLS.name not in facts:
            continue
        held = combatant.conditions
        if not combatant.left:
            if changed is not None and changed.who == combatant.id:
                yield from resized(combatant, changed.sheet)
                yield from modified_anew(combat, combatant, changed.sheet)
            if held or combatant.tracks["hp"].value <= 0:
                yield from hit_points(combatant, cause)
            if held:
                yield from recovered(combat, combatant)
            if THRALLS.name in facts:
                yield from thralls_lost(combat, combatant)
            if held and any(combatant.budget.values()):
                yield from without_budget(combat, combatant)
        if held or CASTING.name in facts or UPKEEP.name in facts:
            yield from unkept(combat, combatant)
    if UNDER_ATTACK.known(combat) and not combat.frames:
        yield UNDER_ATTACK.clear(rules=("FH-PRN-07",))


def meant_by_id(combat: Combat) -> Iterator[AnyEvent]:
    """Replace names of joined units in data by ids, because a unit may be renamed later.

    FH-SNK-01, FH-SMN-03.
    """
    ids = {
        combatant.name: combatant.id
        for combatant in combat
        if combatant.name not in combat.combatants
    }
    if not ids:
        return
    for combatant in combat:
        for held in combatant.all("undetected"):
            unseen = held.data.get("by", "all")
            if unseen != "all" and any(name in ids for name in unseen):
                by = [ids.get(name, name) for name in unseen]
                yield ConditionGained(
                    combatant.id,
                    "undetected",
                    held.key,
                    {"by": by},
                    held.until,
                    rules=("FH-SNK-01",),
                )
        summon = sheet(combatant).summon
        if summon is not None and summon.summoner in ids:
            meant = {**combatant.sheet["summon"], "summoner": ids[summon.summoner]}
            yield CombatantChanged(combatant.id, sheet={"summon": meant}, rules=("FH-SMN-03",))


def without_budget(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """Remove the budget of a disabled unit (FH-TRN-03).

    A delaying unit keeps its budget until its turn (FH-INI-11).
    """
    if not can_act(combat, combatant.id) and not is_waiting(combat, combatant.id):
        yield BudgetSet(combatant.id, {"aa": 0, "ma": 0, "ba": 0}, rules=("FH-TRN-03",))


def resized(combatant: Combatant, fields: Mapping[str, Json]) -> Iterator[Follows]:
    """Adapt the pools to a changed sheet. Thralls lower maximum HP by their cost (FH-THR-05)."""
    for name, most in (("hp", "max_hp"), ("mp", "max_mp")):
        if combatant.has("dead") or not {name, most} & fields.keys():
            continue
        track = combatant.tracks[name]
        maximum = track.maximum or 0
        if most in fields:
            held_back = sum(THRALLS.of(combatant).values()) if name == "hp" else 0
            maximum = max(0, fields[most] - held_back)
        value = fields.get(name)
        value = min(track.value if value is None else value, maximum)
        if (value, maximum) != (track.value, track.maximum):
            yield TrackChanged(combatant.id, name, value, maximum, "sheet")


def modified_anew(
    combat: Combat, combatant: Combatant, fields: Mapping[str, Json]
) -> Iterator[Follows]:
    """Start the temporary modifiers of a changed sheet, and end those of the old sheet."""
    if "modifiers" in fields:
        wanted = of_sheet(combat, combatant)
        for held in combatant.all("modifier"):
            new = wanted.pop(held.key, None)
            if held.key.startswith("modifier#sheet#") and (new is None or new.data != held.data):
                yield ConditionLost(combatant.id, held.id, held.key, "sheet", rules=("FH-ATK-04",))
        yield from wanted.values()


def hit_points(combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Defeat a unit at 0 HP, and end the defeat of a unit above 0 HP.

    HP below 0 become 0, and a dead unit stays at 0. FH-DMG-06, FH-CRT-05, GAP-08.
    """
    hp = combatant.tracks["hp"].value
    if hp < 0 or (hp > 0 and combatant.has("dead")):
        yield TrackChanged(combatant.id, "hp", 0, None, "defeated", rules=("FH-DMG-06",))
    elif hp > 0 and combatant.has("defeated"):
        yield ConditionLost(combatant.id, "defeated", reason="healed", rules=("FH-DMG-06",))
    elif hp == 0 and not combatant.has("defeated", "dead"):
        is_cause = cause is not None and getattr(cause, "who", None) == combatant.id
        rules = cause.rules if is_cause and cause is not None and cause.rules else ("FH-DMG-06",)
        source = getattr(cause, "source", None) if is_cause else None
        yield (
            ConditionGained(combatant.id, "defeated", source=source, rules=rules),
            Downed(combatant.id, source, rules=rules),
        )


def unkept(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End castings and upkeep of a unit that is out of the fight or has lost the spell.

    FH-CHN-04.
    """
    out = not in_fight(combat, combatant.id)
    for spell in (*CASTING.of(combatant), *UPKEEP.of(combatant)):
        if out or spell_of(combatant, spell) is None:
            yield tuple(let_go(combat, combatant, spell, "FH-CHN-04"))
            return
    if out and combatant.has("channeling"):
        yield ConditionLost(combatant.id, "channeling", rules=("FH-CHN-04",))


def thralls_lost(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """Restore the maximum HP of a summoner that has lost a thrall (FH-THR-05).

    The summoner's current HP stay the same.
    """
    costs = THRALLS.of(combatant)
    for unit, cost in costs.items():
        if not in_fight(combat, unit):
            left = {id: held for id, held in costs.items() if id != unit}
            maximum = (combatant.tracks["hp"].maximum or 0) + cost
            yield (
                THRALLS.set(combatant.id, left, rules=("FH-THR-05",)),
                TrackChanged(combatant.id, "hp", None, maximum, "thrall", rules=("FH-THR-05",)),
            )
            return


@rule("FH-SCK-02", "Summoning sickness ends when the summoner's place comes up in the next round")
def recovered(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End summoning sickness when a later round reaches the summoner's place.

    It also ends if the summoner has no place any more (FH-SCK-02).
    """
    for held in combatant.all("summoning-sick"):
        to_come = held.source not in combat.acting and any(
            place.who == held.source for place in combat.queue
        )
        if held.data.get("round", combat.round) < combat.round and not to_come:
            yield ConditionLost(
                combatant.id, "summoning-sick", held.key, "recovered", rules=("FH-SCK-02",)
            )
