"""Add summoned units, with their slots, sickness and thralls (FH-SMN, FH-SCK, FH-THR)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Place, Square, Until
from domain.record.events import (
    ConditionGained,
    EffectResolved,
    InitiativeSet,
    Stopped,
    TrackChanged,
)
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.edges import plain_edges
from domain.rulebook.effects import Procedure, admit, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.free_hit.ends import this_round
from domain.rulesets.free_hit.facts import INITIATOR, THRALLED, THRALLS
from domain.rulesets.free_hit.numbers import agility, summoning_slots
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Spell, Summon, Summoning
from domain.rulesets.free_hit.states import in_fight, sheet, summoned_by, summoner_of, takes_space


@rule("FH-SMN-02", "Without a free slot, a unit must release a summoned unit first")
def slot_refusals(combat: Combat, combatant: Combatant, count: int) -> Iterator[Illegal]:
    """Refuse a casting that summons more units than the slots allow (FH-SMN-02)."""
    slots, used = summoning_slots(combat, combatant)
    if used + count > slots:
        detail = f"{combatant.name} controls {used} of {slots} summoned units"
        own = [unit.id for unit in summoned_by(combat, combatant)]
        yield refuse("FH-SMN-02", "slots-full", detail, NO_FIELD, own)


def size_of(summoning: Summoning) -> int:
    """Return the size of the summoned unit."""
    return int(summoning.sheet.get("size", 1))


def free_spaces(combat: Combat, combatant: Combatant, summoning: Summoning) -> list[list[int]]:
    """Return free spaces next to the unit, one for each unit that the spell summons."""
    if combatant.position is None:
        return []
    edges = plain_edges(combat)
    own, its = sheet(combatant).size, size_of(summoning)
    x, y, z = combatant.position
    spots: list[Square] = []
    for dx in range(-its, own + 1):
        for dy in range(-its, own + 1):
            square = (x + dx, y + dy, z)
            beside = dx in (-its, own) or dy in (-its, own)
            crowded = any(grid.overlap(square, other, its, its) for other in spots)
            inside = edges is None or edges.hold(square, its)
            if beside and inside and not crowded and not occupied(combat, square, its):
                spots.append(square)
    return [list(square) for square in spots[: summoning.count]]


def occupied(combat: Combat, square: Square, size: int = 1) -> bool:
    """Return true if another unit occupies a part of the space."""
    return any(
        other.position is not None
        and takes_space(combat, other.id)
        and grid.overlap(square, other.position, size, sheet(other).size)
        for other in combat
    )


def space_refusals(
    combat: Combat, combatant: Combatant, spell: Spell, spaces: list[list[int]]
) -> Iterator[Illegal]:
    """Refuse spaces that are occupied or too far away (FH-SMN-03).

    If the spell has no range, spaces must be adjacent to the caster.
    """
    assert spell.summon is not None
    if combatant.position is None:
        return
    count = spell.summon.count
    if len(spaces) != count:
        detail = f"name {count} free spaces"
        free = [str(space) for space in free_spaces(combat, combatant, spell.summon)]
        yield refuse("FH-SMN-03", "path-blocked", detail, "spaces", free)
        return
    size = size_of(spell.summon)
    edges = plain_edges(combat)
    taken: list[Square] = []
    for space in spaces:
        square = grid.square(space)
        if square is None:
            yield refuse("FH-SMN-03", "path-blocked", f"{space} is not a square", "spaces")
            return
        if edges is not None and edges.hold(square) and not edges.hold(square, size):
            yield edges.refusal(square, "/inputs/spaces", size)
        crowded = any(grid.overlap(square, other, size, size) for other in taken)
        if crowded or occupied(combat, square, size):
            yield refuse("FH-SMN-03", "path-blocked", f"{space} is not free", "spaces")
        taken.append(square)
        spaces_away = grid.distance(combatant.position, square, sheet(combatant).size, size)
        if spaces_away > (1 if spell.range is None else spell.range):
            detail = f"{space} is {spaces_away} spaces away"
            yield refuse("FH-SMN-03", "out-of-range", detail, "spaces")


def name_refusals(combat: Combat, names: Sequence[str]) -> Iterator[Illegal]:
    """Refuse names of summoned units that are already used (FH-SMN-03)."""
    taken = {other.name for other in combat}
    for index, name in enumerate(names):
        if name in taken or name in names[:index]:
            detail = f"there is a unit called {name!r} already"
            yield refuse("FH-SMN-03", "name-taken", detail, "names")


@rule("FH-SMN-03", "A summoned unit is a unit of its own, on a free space nearby")
def summon(
    play: Play, who: Id, spell: Spell, spaces: Sequence[list[int]], names: Sequence[str]
) -> Procedure[None]:
    """Add the units to the summoner's side, sick for a full round (FH-SMN-03, FH-SCK-01)."""
    assert spell.summon is not None
    summoning = spell.summon
    for number in range(summoning.count):
        combatant = play.combat[who]
        slots, used = summoning_slots(play.combat, combatant)
        if used >= slots:
            detail, rules = "no summoning slot is left", ("FH-SMN-02",)
            result = "partly-done" if number else "no-effect"
            yield EffectResolved(
                who, "spell", spell.id, result, spell.name, detail=detail, rules=rules
            )
            return
        place = grid.square(spaces[number]) if number < len(spaces) else None
        if place is not None and occupied(play.combat, place, size_of(summoning)):
            detail = f"{grid.written(place)} is not free"
            yield Stopped(who, "cast", "path-blocked", detail, rules=("FH-SMN-03",))
            continue
        name = str(summoning.sheet.get("name", spell.name))
        raw: dict[str, Any] = {
            **summoning.sheet,
            "name": names[number] if number < len(names) else name,
            "side": combatant.side,
            "owner": combatant.owner,
            "at": spaces[number] if number < len(spaces) else None,
            "summon": {
                "summoner": combatant.id,
                "summoned_in": "battle",
                "thrall_cost": summoning.thrall_cost,
                "thrall_pool": summoning.thrall_pool,
                "sickness": summoning.sickness,
            },
        }
        yield from admit(raw, hidden=combatant.hidden)


@rule("FH-SCK-01", "A unit summoned in battle is sick: it neither acts nor dodges")
def sicken(combat: Combat, who: Id) -> Iterator[ConditionGained]:
    """Begin the summoning sickness of a unit that is summoned in battle (FH-SCK-01).

    The sickness lasts until the next round reaches the summoner's place (FH-SCK-02).
    """
    summon = sheet(combat[who]).summon
    sickens = summon is not None and summon.sickness and summon.summoned_in == "battle"
    if combat.status != "running" or not sickens:
        return
    summoner = summoner_of(combat, combat[who])
    source = None if summoner is None else summoner.id
    yield ConditionGained(
        who,
        "summoning-sick",
        data={"round": this_round(combat)},
        until=(Until("summoner-place", source),),
        source=source,
        rules=("FH-SCK-01",),
    )


@rule(
    "FH-INI-12", "A unit that joins the battle gets the place of its Agility, before all initiators"
)
def take_place(combat: Combat, who: Id) -> Iterator[InitiativeSet]:
    """Add a unit that joins a battle to the lineup (FH-INI-12).

    Its place is after units with equal Agility and before all initiators.
    """
    if combat.status != "running" or not combat.order:
        return
    own = agility(combat[who]).value
    place, order = Place(who, (own,)), list(combat.order)
    later = (
        number
        for number, other in enumerate(order)
        if INITIATOR.of(combat.combatants[other.who]) or other.key < place.key
    )
    at = next(later, len(order))
    order.insert(at, place)
    queue = list(combat.queue)
    come = [n for n, other in enumerate(order) if other != place and has_come(combat, other.who)]
    if at > max(come, default=-1):  # the round has not reached that place
        after = [place.who for place in order[at + 1 :]]
        spot = next(
            (n for n, place in enumerate(queue) if place.who in after and not place.tag),
            len(queue),
        )
        queue.insert(spot, place)
    yield InitiativeSet(tuple(order), lasting=True, rules=("FH-INI-12",))
    yield InitiativeSet(tuple(queue), rules=("FH-INI-12",))


def has_come(combat: Combat, who: Id) -> bool:
    """Return true if this round has reached a unit's place in the lineup (FH-INI-09, FH-INI-12).

    The round has reached the place of the acting unit. If that unit acts after a delay, the round
    has also reached every place that is no longer in the queue.
    """
    delayed = any(place.who in combat.acting and place.tag for place in combat.queue)
    to_come = any(place.who == who and not place.tag for place in combat.queue)
    return who in combat.acting or (delayed and not to_come)


# ---- thralls


@rule("FH-THR-04", "The thrall cost is 6 times the unit's level")
def thrall_cost(combatant: Combatant) -> int:
    """Return the thrall cost: 6 × the unit's level, or the number in its data (FH-THR-04)."""
    unit = sheet(combatant)
    if unit.summon is not None and unit.summon.thrall_cost is not None:
        return unit.summon.thrall_cost
    return 6 * unit.level


@rule("FH-THR-03", "A retained unit needs no further decision")
def is_thralled(combatant: Combatant) -> bool:
    """Return true if the unit is already a thrall (FH-THR-03)."""
    summon = sheet(combatant).summon
    return summon is not None and (summon.thralled or THRALLED.of(combatant))


def thralls(play: Play, summoned_in: str, rule: str) -> Procedure[None]:
    """Ask for each summoned unit whether its summoner retains it or lets it vanish.

    FH-THR-01, FH-THR-02.
    """
    due = [
        combatant.id
        for combatant in play.combat
        if (summon := sheet(combatant).summon) is not None
        and summon.summoned_in == summoned_in
        and not is_thralled(combatant)
        and not combatant.has("gone", "dead")
    ]
    for unit in due:
        kept = yield from kept_as_thrall(play, unit, rule)
        if not kept and not play.combat[unit].left:
            yield ConditionGained(unit, "gone", rules=(rule,))


def kept_as_thrall(play: Play, unit: Id, rule: str) -> Procedure[bool]:
    """Return true if the summoner retains the unit and pays.

    A unit out of the fight gets no prompt. The prompt shows the cost, and a new prompt replaces it
    if the cost changes. A summoner that cannot pay can only let the unit vanish (FH-THR-05).
    """
    while in_fight(play.combat, unit):
        summoner = summoner_of(play.combat, play.combat[unit])
        cost = thrall_cost(play.combat[unit])
        stands = partial(costs, unit=unit, cost=cost)
        answer = yield from ask(
            Prompt(
                kind="choice",
                name="thrall",
                who=unit if summoner is None else summoner.id,
                text=f"Do you keep {unit} for {cost}, or does it vanish?",
                options=(retaining(unit), VANISH),
                rules=(rule,),
                default="vanish",
                data={"unit": unit, "thrall_cost": cost},
                stands=stands,
            )
        )
        if stands(play.combat):
            if answer.option != "retain" or summoner is None:
                return False
            yield from retain(play, summoner.id, unit, cost)
            return True
    return False


def costs(combat: Combat, unit: Id, cost: int) -> bool:
    """Return true if the unit is in the fight and its thrall cost is still `cost`."""
    return in_fight(combat, unit) and thrall_cost(combat[unit]) == cost


def retaining(unit: Id) -> Option:
    """Return the option that pays the thrall cost of a unit."""

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        combatant = play.combat[unit]
        summoner = summoner_of(play.combat, combatant)
        cost = thrall_cost(combatant)
        if summoner is None or not affordable(summoner, combatant, cost):
            detail = f"the thrall cost of {cost} cannot be paid"
            yield refuse("FH-THR-05", "cannot-pay-thrall-cost", detail, NO_FIELD, ("vanish",))

    return Option("retain", refusals=refusals).shown("choose", "Keep the thrall")


VANISH = Option("vanish").shown("choose", "Let the thrall vanish")


def pool(combatant: Combatant) -> str:
    """Return the name of the summoner's pool that pays."""
    summon: Summon | None = sheet(combatant).summon
    return "max_hp" if summon is None else summon.thrall_pool


def affordable(summoner: Combatant, unit: Combatant, cost: int) -> bool:
    """Return true if the summoner can pay and keeps at least 1 hit point (FH-THR-05)."""
    if pool(unit) == "mp":
        return summoner.tracks["mp"].value >= cost
    hp = summoner.tracks["hp"]
    left = hp.value if pool(unit) == "hp" else (hp.maximum or 0)
    return left - cost >= 1


@rule("FH-THR-05", "The thrall cost lowers the summoner's maximum HP")
def retain(play: Play, summoner: Id, unit: Id, cost: int) -> Procedure[None]:
    """Record the unit as a thrall, and take the cost from the summoner's pool.

    Usually, the cost lowers the summoner's maximum HP (FH-THR-05, GAP-38).
    """
    combatant = play.combat[summoner]
    if pool(play.combat[unit]) == "max_hp":
        hp = combatant.tracks["hp"]
        maximum = (hp.maximum or 0) - cost
        yield TrackChanged(
            summoner, "hp", min(hp.value, maximum), maximum, "thrall", rules=("FH-THR-05",)
        )
        costs = {**THRALLS.of(combatant), unit: cost}
        yield THRALLS.set(summoner, costs, rules=("FH-THR-05",))
    else:
        name = pool(play.combat[unit])
        left = combatant.tracks[name].value - cost
        yield TrackChanged(summoner, name, left, None, "thrall", rules=("FH-THR-05",))
    yield THRALLED.set(unit, True, rules=("FH-THR-03",))
