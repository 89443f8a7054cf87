"""Side initiative: 1d8 per side, once (SOV-INIT, SOV-SEQ-09)."""

from collections.abc import Iterable, Sequence
from functools import partial

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Place
from domain.record.events import InitiativeSet, PhaseBegan, Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulesets.sovereign.facts import INITIATIVE, ORDER, SIDE, TO_GO
from domain.rulesets.sovereign.numbers import attribute, options
from domain.rulesets.sovereign.rules import rule


def sides(combat: Combat) -> list[str]:
    """Return sides with a present member, in the listed order."""
    there = {combatant.side for combatant in combat}
    return [side for side in combat.sides if side in there]


def is_party(combat: Combat, side: str) -> bool:
    return side == options(combat).party_side


@rule("SOV-INIT-02", "The party adds its best DEX, the others nothing")
def leader(combat: Combat, side: str) -> tuple[Id, int]:
    """Return the roller of a side and its modifier: the party's best DEX (SOV-INIT-02)."""
    members = [combatant for combatant in combat if combatant.side == side]
    living = [combatant for combatant in members if not combatant.has("dead")] or members
    if not is_party(combat, side):
        return living[0].id, 0
    best = max(living, key=lambda combatant: attribute(combatant, "dex"))
    return best.id, attribute(best, "dex")


def best_dexterity(play: Play, side: str) -> tuple[Term, ...]:
    """The best of a party, nothing for others (SOV-INIT-02)."""
    return (Term("DEX", leader(play.combat, side)[1], "SOV-INIT-02"),)


@rule("SOV-INIT-01", "Each side rolls 1d8, highest first")
def throw(
    play: Play,
    side: str,
    purpose: str = "initiative",
    rule: str = "SOV-INIT-01",
    *,
    secret: bool = False,
) -> Procedure[int | None]:
    """Roll 1d8. If the roller leaves or changes sides, another of the side rolls.

    `secret`: the GM rolls, and nobody else sees it.
    """
    while side in sides(play.combat):
        who, _ = leader(play.combat, side)
        rolling = roll(
            who,
            purpose,
            "1d8",
            rules=(rule,),
            terms=partial(best_dexterity, play, side),
            secret=secret,
            by_gm=secret,
        )
        gone = partial(_gone_from, play, who, side)
        rolled = yield from stopped_by(play, who, rolling, purpose, gone)
        if rolled is not None:
            return rolled.total
    return None


def _gone_from(play: Play, who: Id, side: str) -> Illegal | None:
    """Return why `who` no longer rolls for a side."""
    if play.absent(who) is None and play.combat[who].side != side:
        detail = f"{who} is no longer one of {side}"
        return refuse("SOV-INIT-01", "other-side", detail, NO_FIELD)
    return play.absent(who)


@rule("SOV-INIT-03", "The party wins ties")
@rule("SOV-INIT-04", "Other tied sides roll again among themselves")
def initiative(play: Play) -> Procedure[None]:
    """Highest first; the party wins ties, others roll again (SOV-INIT-01 to -04)."""
    totals: dict[str, int] = {}
    for side in sides(play.combat):
        total = yield from throw(play, side)
        if total is not None:
            totals[side] = total
    keys: dict[str, tuple[int, ...]] = {
        side: (total, is_party(play.combat, side)) for side, total in totals.items()
    }
    tied = ties(present(play.combat, totals), keys)
    while tied:
        before = dict(keys)
        for side in tied:
            secret = is_seen(play.combat, side) and not any(
                before[other] == before[side] and is_seen(play.combat, other)
                for other in tied
                if other != side
            )
            again = yield from throw(play, side, "initiative-tie", "SOV-INIT-04", secret=secret)
            if again is not None:
                keys[side] = (*keys[side], again)
        tied = ties(present(play.combat, tied), keys)
    found = sorted(totals, key=lambda side: tuple(-part for part in keys[side]))
    yield INITIATIVE.set(totals, rules=("SOV-INIT-01",))
    yield ORDER.set(tuple(found), rules=("SOV-INIT-03", "SOV-INIT-05"))
    yield InitiativeSet(places(play.combat, found), lasting=True, rules=("SOV-INIT-01",))
    yield PhaseBegan("round-start", rules=("SOV-SEQ-01",))


def is_seen(combat: Combat, side: str) -> bool:
    """Whether a member is visible. A roll against a hidden side would reveal it."""
    return any(combatant.side == side and not combatant.hidden for combatant in combat)


def present(combat: Combat, among: Iterable[str]) -> list[str]:
    """Return those of these sides that still have a member."""
    there = sides(combat)
    return [side for side in among if side in there]


def ties(among: Sequence[str], keys: dict[str, tuple[int, ...]]) -> list[str]:
    every = [keys[side] for side in among]
    return [side for side in among if every.count(keys[side]) > 1]


def places(combat: Combat, found: Sequence[str]) -> tuple[Place, ...]:
    """Every member in the order of the sides; inside a side the order is free."""
    totals = INITIATIVE.of(combat)
    return tuple(
        Place(combatant.id, (totals.get(side, 0),))
        for side in found
        for combatant in combat
        if combatant.side == side
    )


@rule("SOV-SEQ-09", "Newcomers act with their side. A new side is inserted")
def late_side(play: Play, side: str) -> Procedure[None]:
    """A new side rolls and is inserted; too late for this round it waits (SOV-SEQ-09)."""
    total = yield from throw(play, side)
    if total is None:
        return
    totals = {**INITIATIVE.of(play.combat), side: total}
    found = ORDER.of(play.combat)
    equals = 0 if is_party(play.combat, side) else 1  # the party comes before its equals
    at = sum(totals[other] > total - equals for other in found)
    now = [*found[:at], side, *found[at:]]
    yield INITIATIVE.set(totals, rules=("SOV-SEQ-09",))
    yield ORDER.set(tuple(now), rules=("SOV-SEQ-09",))
    to_go = TO_GO.of(play.combat)
    if all(other in to_go for other in now[at + 1 :]):  # no later side has begun
        left = tuple(other for other in now if other in to_go or other == side)
        yield TO_GO.set(left, rules=("SOV-SEQ-09",))
    gone = SIDE.of(play.combat)
    acting = tuple(place for place in play.combat.queue if play.combat[place.who].side == gone)
    yield InitiativeSet(places(play.combat, now), lasting=True, rules=("SOV-SEQ-09",))
    to_come = places(play.combat, TO_GO.of(play.combat))
    yield InitiativeSet((*acting, *to_come), rules=("SOV-SEQ-09",))
