"""Pools: regain or set the points of a track. Points above the maximum do not count."""

from domain.record.combat import Combatant, Id
from domain.record.events import Healed, Term, TrackChanged

BEYOND_MAXIMUM = "beyond the maximum"
"""The source of the term that reduces healing to the maximum."""


def healed(
    combatant: Combatant,
    pool: str,
    amount: int,
    source: Id | None = None,
    rules: tuple[str, ...] = (),
    terms: tuple[Term, ...] = (),
) -> Healed:
    """Return the event that heals `amount` points, up to the maximum if there is one.

    `terms` are the parts of the amount, if it is not the result of a roll.
    """
    track = combatant.tracks[pool]
    room = amount if track.maximum is None else track.maximum - track.value
    gained = max(0, min(amount, room))
    if gained != amount:
        terms = (*(terms or (Term("healing", amount),)), Term(BEYOND_MAXIMUM, gained - amount))
    return Healed(combatant.id, pool, gained, source, terms, rules=rules)


def corrected(
    combatant: Combatant,
    pool: str,
    value: int | None,
    maximum: int | None,
    rules: tuple[str, ...] = (),
) -> TrackChanged:
    """Return the event of the GM's change of a track. `None` leaves a number unchanged."""
    track = combatant.tracks[pool]
    most = track.maximum if maximum is None else maximum
    if most is not None and (track.value if value is None else value) > most:
        value = most
    return TrackChanged(combatant.id, pool, value, maximum, "ruling", rules=rules)
