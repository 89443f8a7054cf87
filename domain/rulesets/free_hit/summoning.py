"""Summoned units: slots, appearing, sickness, thralls (FH-SMN, FH-SCK, FH-THR)."""

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
from domain.rulebook.effects import Procedure, admit, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.free_hit.facts import INITIATOR, THRALLED, THRALLS
from domain.rulesets.free_hit.numbers import agility, summoning_slots
from domain.rulesets.free_hit.sheet import Spell, Summon, Summoning
from domain.rulesets.free_hit.states import (
    in_fight,
    sheet,
    summoner_of,
    summons,
    takes_space,
    this_round,
)


def slot_refusals(combat: Combat, one: Combatant, count: int) -> Iterator[Illegal]:
    """FH-SMN-02."""
    slots, used = summoning_slots(combat, one)
    if used + count > slots:
        detail = f"{one.name} controls {used} of {slots} summoned units"
        yield Illegal("FH-SMN-02", "slots-full", detail, [unit.id for unit in summons(combat, one)])


def size_of(summoning: Summoning) -> int:
    """How large what is summoned is."""
    return int(summoning.sheet.get("size", 1))


def free_spaces(combat: Combat, one: Combatant, summoning: Summoning) -> list[list[int]]:
    """Free spaces next to a unit, as many as are summoned."""
    if one.position is None:
        return []
    mine, its = sheet(one).size, size_of(summoning)
    x, y, z = one.position
    found: list[Square] = []
    for dx in range(-its, mine + 1):
        for dy in range(-its, mine + 1):
            square = (x + dx, y + dy, z)
            beside = dx in (-its, mine) or dy in (-its, mine)
            crowded = any(grid.overlap(square, other, its, its) for other in found)
            if beside and not crowded and not occupied(combat, square, its):
                found.append(square)
    return [list(square) for square in found[: summoning.count]]


def occupied(combat: Combat, square: Square, size: int = 1) -> bool:
    """Whether a unit stands where one of this size would."""
    return any(
        other.position is not None
        and takes_space(combat, other.id)
        and grid.overlap(square, other.position, size, sheet(other).size)
        for other in combat
    )


def space_refusals(
    combat: Combat, one: Combatant, spell: Spell, spaces: list[list[int]]
) -> Iterator[Illegal]:
    """On free spaces that the caster names, adjacent unless the spell has a range (FH-SMN-03)."""
    assert spell.summon is not None
    if one.position is None:
        return
    count = spell.summon.count
    if len(spaces) != count:
        detail = f"name {count} free spaces"
        free = [str(space) for space in free_spaces(combat, one, spell.summon)]
        yield Illegal("FH-SMN-03", "path-blocked", detail, free)
        return
    size = size_of(spell.summon)
    taken: list[Square] = []
    for space in spaces:
        square = grid.square(space)
        if square is None:
            yield Illegal("FH-SMN-03", "path-blocked", f"{space} is not a square")
            return
        crowded = any(grid.overlap(square, other, size, size) for other in taken)
        if crowded or occupied(combat, square, size):
            yield Illegal("FH-SMN-03", "path-blocked", f"{space} is not free")
        taken.append(square)
        spaces_away = grid.distance(one.position, square, sheet(one).size, size)
        if spaces_away > (1 if spell.range is None else spell.range):
            yield Illegal("FH-SMN-03", "out-of-range", f"{space} is {spaces_away} spaces away")


def name_refusals(combat: Combat, names: Sequence[str]) -> Iterator[Illegal]:
    """The caster may name what it summons, as nobody else is named (FH-SMN-03)."""
    taken = {other.name for other in combat}
    for index, name in enumerate(names):
        if name in taken or name in names[:index]:
            detail = f"there is a unit called {name!r} already"
            yield Illegal("FH-SMN-03", "name-taken", detail, pointer="/inputs/names")


def summon(
    play: Play, who: Id, spell: Spell, spaces: Sequence[list[int]], names: Sequence[str]
) -> Procedure[None]:
    """Units of their own, on the summoner's side, sick for a full round (FH-SMN-03, FH-SCK-01)."""
    assert spell.summon is not None
    summoning = spell.summon
    for number in range(summoning.count):
        one = play.combat[who]
        slots, used = summoning_slots(play.combat, one)
        if used >= slots:
            detail, rules = "no summoning slot is left", ("FH-SMN-02",)
            result = "partly-done" if number else "no-effect"
            yield EffectResolved(
                who, "spell", spell.id, result, spell.name, detail=detail, rules=rules
            )
            return
        place = grid.square(spaces[number]) if number < len(spaces) else None
        if place is not None and occupied(play.combat, place, size_of(summoning)):
            detail = f"{list(place)} is not free"
            yield Stopped(who, "cast", "path-blocked", detail, rules=("FH-SMN-03",))
            continue
        name = str(summoning.sheet.get("name", spell.name))
        raw: dict[str, Any] = {
            **summoning.sheet,
            "name": names[number] if number < len(names) else name,
            "side": one.side,
            "owner": one.owner,
            "at": spaces[number] if number < len(spaces) else None,
            "summon": {
                "summoner": one.id,
                "summoned_in": "battle",
                "thrall_cost": summoning.thrall_cost,
                "thrall_pool": summoning.thrall_pool,
                "sickness": summoning.sickness,
            },
        }
        yield from admit(raw, hidden=one.hidden)


def sicken(combat: Combat, who: Id) -> Iterator[ConditionGained]:
    """A unit summoned during a battle is sick until its summoner's next place (FH-SCK-02)."""
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


def take_place(combat: Combat, who: Id) -> Iterator[InitiativeSet]:
    """A unit that joins a battle: behind equal Agility, before all initiators (FH-INI-12)."""
    if combat.status != "running" or not combat.order:
        return
    mine = agility(combat[who]).value
    place, order = Place(who, (mine,)), list(combat.order)
    later = (
        number
        for number, other in enumerate(order)
        if INITIATOR.of(combat.combatants[other.who]) or other.key < place.key
    )
    at = next(later, len(order))
    order.insert(at, place)
    queue = list(combat.queue)
    come = [n for n, one in enumerate(order) if one != place and has_come(combat, one.who)]
    if at > max(come, default=-1):  # the acting unit stands before that place
        after = [place.who for place in order[at + 1 :]]
        spot = next(
            (n for n, place in enumerate(queue) if place.who in after and not place.tag),
            len(queue),
        )
        queue.insert(spot, place)
    yield InitiativeSet(tuple(order), lasting=True, rules=("FH-INI-12",))
    yield InitiativeSet(tuple(queue), rules=("FH-INI-12",))


def has_come(combat: Combat, who: Id) -> bool:
    """Whether this round has reached a unit's place in the lineup (FH-INI-09, -12).

    It is the acting unit's place. While a unit acts after delaying, it is each place that is
    already over.
    """
    delayed = any(place.who in combat.acting and place.tag for place in combat.queue)
    to_come = any(place.who == who and not place.tag for place in combat.queue)
    return who in combat.acting or (delayed and not to_come)


# ---- thralls


def thrall_cost(one: Combatant) -> int:
    """6 × the unit's level, or what its data say (FH-THR-04)."""
    unit = sheet(one)
    if unit.summon is not None and unit.summon.thrall_cost is not None:
        return unit.summon.thrall_cost
    return 6 * unit.level


def is_thralled(one: Combatant) -> bool:
    """FH-THR-03."""
    summon = sheet(one).summon
    return summon is not None and (summon.thralled or THRALLED.of(one))


def thralls(play: Play, summoned_in: str, rule: str) -> Procedure[None]:
    """Un-thralled summoned units are retained for their cost, or vanish (FH-THR-01, -02)."""
    due = [
        one.id
        for one in play.combat
        if (summon := sheet(one).summon) is not None
        and summon.summoned_in == summoned_in
        and not is_thralled(one)
        and not one.has("gone", "dead")
    ]
    for unit in due:
        kept = yield from kept_as_thrall(play, unit, rule)
        if not kept and not play.combat[unit].left:
            yield ConditionGained(unit, "gone", rules=(rule,))


def kept_as_thrall(play: Play, unit: Id, rule: str) -> Procedure[bool]:
    """Whether its summoner retains it and pays.

    For a unit that is out of the fight nothing is paid, and nobody is asked (FH-THR-05). The prompt
    names the cost. If the cost changes, the prompt is asked again.
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
                text=f"Is {unit} retained for {cost}, or does it vanish?",
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
    """Whether a unit can still be retained for a cost."""
    return in_fight(combat, unit) and thrall_cost(combat[unit]) == cost


def retaining(unit: Id) -> Option:
    """The option to pay for a unit."""

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        one = play.combat[unit]
        summoner = summoner_of(play.combat, one)
        cost = thrall_cost(one)
        if summoner is None or not affordable(summoner, one, cost):
            detail = f"the thrall cost of {cost} cannot be paid"
            yield Illegal("FH-THR-05", "cannot-pay-thrall-cost", detail, ("vanish",))

    return Option("retain", refusals=refusals).shown("choose", "Keep the thrall")


VANISH = Option("vanish").shown("choose", "Let the thrall vanish")


def pool(one: Combatant) -> str:
    """Which pool of the summoner pays."""
    summon: Summon | None = sheet(one).summon
    return "max_hp" if summon is None else summon.thrall_pool


def affordable(summoner: Combatant, unit: Combatant, cost: int) -> bool:
    """It must leave at least 1 hit point (FH-THR-05)."""
    if pool(unit) == "mp":
        return summoner.tracks["mp"].value >= cost
    hp = summoner.tracks["hp"]
    left = hp.value if pool(unit) == "hp" else (hp.maximum or 0)
    return left - cost >= 1


def retain(play: Play, summoner: Id, unit: Id, cost: int) -> Procedure[None]:
    """Held back from the summoner's maximum while the unit is retained (FH-THR-05, GAP-38)."""
    one = play.combat[summoner]
    if pool(play.combat[unit]) == "max_hp":
        hp = one.tracks["hp"]
        maximum = (hp.maximum or 0) - cost
        yield TrackChanged(
            summoner, "hp", min(hp.value, maximum), maximum, "thrall", rules=("FH-THR-05",)
        )
        costs = {**THRALLS.of(one), unit: cost}
        yield THRALLS.set(summoner, costs, rules=("FH-THR-05",))
    else:
        name = pool(play.combat[unit])
        left = one.tracks[name].value - cost
        yield TrackChanged(summoner, name, left, None, "thrall", rules=("FH-THR-05",))
    yield THRALLED.set(unit, True, rules=("FH-THR-03",))
