"""Pools: points that come back or are set, up to a maximum. Points beyond it are lost."""

from domain.record.combat import Combatant, Id
from domain.record.events import Healed, TrackChanged


def healed(
    one: Combatant, pool: str, amount: int, source: Id | None = None, rules: tuple[str, ...] = ()
) -> Healed:
    """As many of `amount` points as there is room for; without a maximum all of them."""
    track = one.tracks[pool]
    room = amount if track.maximum is None else track.maximum - track.value
    return Healed(one.id, pool, max(0, min(amount, room)), source, rules=rules)


def corrected(
    one: Combatant, pool: str, value: int | None, maximum: int | None, rules: tuple[str, ...] = ()
) -> TrackChanged:
    """Return the change of a pool that the GM makes by hand. None leaves a number unchanged."""
    track = one.tracks[pool]
    most = track.maximum if maximum is None else maximum
    if most is not None and (track.value if value is None else value) > most:
        value = most
    return TrackChanged(one.id, pool, value, maximum, "ruling", rules=rules)
