"""The initiative roll, its ties, and newcomers (DEF-INI).

Totals are kept in hundredths, so that decimals stay whole: 20.08 is 2008 (DEF-INI-06).
"""

from collections.abc import Sequence

from domain.record.combat import Combat, Id, Place
from domain.record.events import InitiativeSet, PhaseBegan
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play
from domain.rulesets.definitions.facts import BEGUN, INITIATIVE, LAST
from domain.rulesets.definitions.numbers import initiative_terms, total
from domain.rulesets.definitions.states import in_fight


def initiative(play: Play) -> Procedure[None]:
    """Everybody rolls once, in the order of joining; then the ties (DEF-INI-01 to -05)."""
    totals: dict[Id, int] = {}
    while waiting := [
        one.id for one in play.combat if one.id not in totals and lives(play, one.id)
    ]:
        totals[waiting[0]] = yield from throw(play, waiting[0])
    order = yield from arranged(play, totals)
    for who, points in totals.items():
        yield INITIATIVE.set(who, points, rules=("DEF-INI-01",))
    places = tuple(Place(who, (totals[who],)) for who in order if lives(play, who))
    yield InitiativeSet(places, lasting=True, rules=("DEF-INI-02",))
    yield BEGUN.set(True, rules=("DEF-INI-02",))
    yield PhaseBegan("round-start", rules=("DEF-RND-01",))


def lives(play: Play, who: Id) -> bool:
    return in_fight(play.combat, who)


def throw(play: Play, who: Id) -> Procedure[int]:
    """d20 and the bonus, in hundredths; with decimals a hundredth of the bonus more.

    DEF-INI-06, DEF-INI-07.
    """
    terms = initiative_terms(play.combat[who])
    rolled = yield from roll(who, "initiative", "1d20", rules=("DEF-INI-01",), terms=terms)
    decimals = total(terms) if play.combat.options.get("initiative_decimals") else 0
    return 100 * rolled.total + decimals


def arranged(play: Play, totals: dict[Id, int]) -> Procedure[list[Id]]:
    """Highest first; a group of equals rolls among itself (DEF-INI-03, -04)."""
    order: list[Id] = []
    for points in sorted(set(totals.values()), reverse=True):
        group = [who for who, mine in totals.items() if mine == points]
        order += yield from settled(play, group)
    return order


def settled(play: Play, group: Sequence[Id]) -> Procedure[list[Id]]:
    """Only those who are still equal roll again (DEF-INI-05)."""
    if len(group) < 2:
        return list(group)
    again: dict[Id, int] = {}
    for who in group:
        rolled = yield from roll(
            who,
            "initiative-tie",
            "1d20",
            rules=("DEF-INI-03", "DEF-INI-05"),
            terms=initiative_terms(play.combat[who]),
        )
        again[who] = rolled.total
    return (yield from arranged(play, again))


# ---- newcomers


def unplaced(combat: Combat) -> list[Id]:
    """Those who are there and have not rolled yet."""
    return [one.id for one in combat if not one.has("dead") and not INITIATIVE.known(one)]


def enter(play: Play, who: Id) -> Procedure[None]:
    """It rolls at once; a single equal rolls against it, a settled group comes before it.

    When its place has been passed in this round, its first turn is in the next (DEF-INI-08).
    """
    points = yield from throw(play, who)
    equal = [place.who for place in play.combat.order if place.key == (points,)]
    yield INITIATIVE.set(who, points, rules=("DEF-INI-08",))
    first = False
    if len(equal) == 1:
        ranked = yield from settled(play, [equal[0], who])
        first = ranked[0] == who
    if not in_fight(play.combat, who):
        return
    before, queue = play.combat.order, play.combat.queue
    at = next(
        (
            index
            for index, place in enumerate(before)
            if place.key < (points,) or (first and place.who == equal[0])
        ),
        len(before),
    )
    order = (*before[:at], Place(who, (points,)), *before[at:])
    yield InitiativeSet(order, lasting=True, rules=("DEF-INI-08",))
    yield InitiativeSet(joined(play.combat, order, queue, who), rules=("DEF-INI-08",))


def joined(
    combat: Combat, order: tuple[Place, ...], queue: tuple[Place, ...], who: Id
) -> tuple[Place, ...]:
    """The rest of this round, with the newcomer if its place is still to come."""
    there = [place.who for place in order]
    now = combat.acting[0] if combat.acting else LAST.of(combat)
    passed = now in there and there.index(who) < there.index(now)
    if passed or combat.phase == "round-start":
        return queue
    later = there[there.index(who) + 1 :]
    at = next((index for index, place in enumerate(queue) if place.who in later), len(queue))
    return (*queue[:at], next(place for place in order if place.who == who), *queue[at:])
