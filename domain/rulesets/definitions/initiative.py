"""The initiative roll, its ties, and newcomers (DEF-INI).

Affray stores totals in hundredths, so that decimals are integers: 20.08 is 2008 (DEF-INI-06).
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Place
from domain.record.events import InitiativeSet, PhaseBegan, Rolled
from domain.rulebook.effects import Procedure, Stops, roll
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.secrecy import only_among_the_hidden
from domain.rulesets.definitions.facts import BEGUN, INITIATIVE, LAST
from domain.rulesets.definitions.numbers import initiative_terms, total
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import out_of_fight


@rule("DEF-INI-01", "Everybody rolls d20 + bonus, and the highest acts first")
def initiative(play: Play) -> Procedure[None]:
    """Let everybody roll once, in the order of joining, then break the ties."""
    totals: dict[Id, int] = {}
    while waiting := [
        combatant.id
        for combatant in play.combat
        if combatant.id not in totals and lives(play, combatant.id)
    ]:
        points = yield from throw(play, waiting[0])
        if points is not None:
            totals[waiting[0]] = points
    order = yield from arranged(play, totals)
    for who, points in totals.items():
        yield INITIATIVE.set(who, points, rules=("DEF-INI-01",))
    places = tuple(Place(who, (totals[who],)) for who in order if lives(play, who))
    yield InitiativeSet(places, lasting=True, rules=("DEF-INI-02",))
    yield BEGUN.set(True, rules=("DEF-INI-02",))
    yield PhaseBegan("round-start", rules=("DEF-RND-01",))


def lives(play: Play, who: Id) -> bool:
    return in_fight(play.combat, who)


@rule("DEF-INI-06", "With decimals, the total includes a hundredth of the bonus")
@rule("DEF-INI-07", "With decimals, a tie also needs equal bonuses")
def throw(play: Play, who: Id) -> Procedure[int | None]:
    """Roll a d20 with the bonus. Return the total in hundredths.

    Return `None` if the combatant leaves the combat. With `initiative_decimals`, the total includes
    a hundredth of the bonus.
    """
    rolled = yield from rolls(play, who, "initiative", out_of_fight(play, who), "DEF-INI-01")
    if rolled is None:
        return None
    decimals = total(rolled.terms)
    return 100 * rolled.total + (decimals if play.combat.options.get("initiative_decimals") else 0)


def rolls(
    play: Play, who: Id, purpose: str, stops: Stops, *rules: str, secret: bool = False
) -> Procedure[Rolled | None]:
    """Roll 1d20 for initiative. If `secret` is true, the GM rolls and nobody else sees the roll."""
    return (
        yield from roll(
            who,
            purpose,
            "1d20",
            rules=rules,
            terms=lambda: initiative_terms(play.combat[who]),
            secret=secret,
            by_gm=secret,
            stops=stops,
        )
    )


@rule("DEF-INI-03", "Equal totals roll against each other. A newcomer comes after a settled group")
@rule("DEF-INI-04", "The second roll decides only the order in the tied group")
@rule("DEF-INI-05", "Combatants that are still equal roll again among themselves")
def arranged(play: Play, totals: Mapping[Id, int]) -> Procedure[list[Id]]:
    """Return the combatants by total, highest first. Tied combatants roll again."""
    keys: dict[Id, tuple[int, ...]] = {who: (points,) for who, points in totals.items()}
    while tied := equals(play, keys):
        for who in tied:
            stops = unopposed(play, who, tied)
            rules = ("DEF-INI-03", "DEF-INI-05")
            secret = only_among_the_hidden(play.combat, who, tied)
            rolled = yield from rolls(play, who, "initiative-tie", stops, *rules, secret=secret)
            if rolled is not None:
                keys[who] = (*keys[who], rolled.total)
    there = (who for who in keys if lives(play, who))
    return sorted(there, key=lambda who: keys[who], reverse=True)


def equals(play: Play, keys: Mapping[Id, tuple[int, ...]]) -> list[Id]:
    """Return the highest group of combatants whose totals are still equal."""
    there = [who for who in keys if lives(play, who)]
    shared = Counter(keys[who] for who in there)
    highest = max((key for key, count in shared.items() if count > 1), default=None)
    return [who for who in there if keys[who] == highest]


def unopposed(play: Play, who: Id, group: Sequence[Id]) -> Stops:
    """Return a check that stops a repeated roll if `who` or all its opponents have left."""
    out = out_of_fight(play, who)

    def stop() -> Illegal | None:
        if any(lives(play, other) for other in group if other != who):
            return out()
        return Illegal("DEF-INI-05", "gone", f"nobody rolls against {who} any more")

    return stop


# ---- newcomers


def unplaced(combat: Combat) -> list[Id]:
    """Return the combatants that have not rolled yet."""
    return [
        combatant.id
        for combatant in combat
        if not combatant.has("dead") and not INITIATIVE.known(combatant)
    ]


@rule(
    "DEF-INI-08", "A newcomer rolls at once. If its place has passed, it waits for the next round"
)
def enter(play: Play, who: Id) -> Procedure[None]:
    """Roll for a newcomer and place it.

    - If one combatant has the same total, both roll again.
    - If several combatants have it, the newcomer comes after them.
    - If its place in this round has passed, its first turn is in the next round.
    """
    points = yield from throw(play, who)
    if points is None:
        return
    equal = [place.who for place in play.combat.order if place.key == (points,)]
    yield INITIATIVE.set(who, points, rules=("DEF-INI-08",))
    first = False
    if len(equal) == 1:
        ranked = yield from arranged(play, {equal[0]: points, who: points})
        first = ranked[:1] == [who]
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
    """Return the remaining places of the round, with the newcomer if its place has not passed."""
    there = [place.who for place in order]
    now = combat.acting[0] if combat.acting else LAST.of(combat)
    later = there[there.index(who) + 1 :]
    passed = now in later
    if now not in there:
        # The acting combatant has left the order. Only places to come are still after it.
        passed = bool(later) and later[0] not in [place.who for place in queue]
    if passed or combat.phase == "round-start":
        return queue
    at = next((index for index, place in enumerate(queue) if place.who in later), len(queue))
    return (*queue[:at], next(place for place in order if place.who == who), *queue[at:])
