"""Pools: points that come back or are set, up to what a pool holds; what is beyond is lost."""

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
    """What the GM sets by hand; None = as it is."""
    track = one.tracks[pool]
    most = track.maximum if maximum is None else maximum
    if most is not None and (track.value if value is None else value) > most:
        value = most
    return TrackChanged(one.id, pool, value, maximum, "ruling", rules=rules)
