"""Pools: points that come back, up to what a pool holds; what is beyond is lost."""

from domain.record.combat import Combatant, Id
from domain.record.events import Healed


def healed(
    one: Combatant, pool: str, amount: int, source: Id | None = None, rules: tuple[str, ...] = ()
) -> Healed:
    """As many of `amount` points as there is room for; without a maximum all of them."""
    track = one.tracks[pool]
    room = amount if track.maximum is None else track.maximum - track.value
    return Healed(one.id, pool, max(0, min(amount, room)), source, rules=rules)
