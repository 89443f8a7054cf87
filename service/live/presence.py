"""Presence: whose streams are open, as far as one reader may know it."""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from domain.engine.redaction import redact
from domain.record.combat import Id
from service.hot_combat import Hot
from service.store import tokens
from service.store.rows import TokenRow


class Seat(Struct, frozen=True):
    """A token in force. `here` says if it has an open stream, `combatants` lists those it plays."""

    label: str
    role: Literal["gm", "player", "spectator"]
    combatants: tuple[Id, ...]
    here: bool


class Presence(Struct, frozen=True):
    """Everybody with a place at the table. Others than the GM learn of players whom they know."""

    seats: tuple[Seat, ...]


def presence(hot: Hot, row: TokenRow, here: Collection[str]) -> Presence:
    """Return who is here, for the holder of `row`; `here` are ids of tokens."""
    reader = tokens.caller_of(row)
    known = redact(hot.live.ruleset, hot.live.combat, reader).combatants.values()
    seats: list[Seat] = []
    for id, token in hot.valid_tokens.items():
        caller = tokens.caller_of(token)
        played = tuple(
            combatant.id
            for combatant in known
            if caller.role == "player" and caller.plays_of(combatant.id, combatant.owner)
        )
        if reader.role == "gm" or caller.role == "gm" or played:
            seats.append(Seat(token.label, caller.role, played, id in here))
    return Presence(tuple(seats))
