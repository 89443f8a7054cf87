"""Presence: the holders of tokens with an open stream, as far as one reader may know them."""

from collections.abc import Collection
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.redaction import redact
from domain.record.combat import Id
from service.hot_combat import Hot
from service.store import tokens
from service.store.rows import TokenRow


class Seat(Struct, frozen=True):
    """A valid token, the `combatants` that its holder plays, and whether it has an open stream."""

    label: Annotated[str, Meta(description="Name of the token")]
    role: Annotated[Literal["gm", "player", "spectator"], Meta(description="Role of the token")]
    combatants: Annotated[
        tuple[Id, ...],
        Meta(description="Ids of its combatants that the reader knows; empty for the GM"),
    ]
    here: Annotated[bool, Meta(description="Whether it has an open stream")]


class Presence(Struct, frozen=True):
    """The holders of tokens. Players see the GM, and the players of combatants that they know."""

    seats: Annotated[
        tuple[Seat, ...], Meta(description="The tokens in force that the reader may know")
    ]


def presence(hot: Hot, row: TokenRow, here: Collection[str]) -> Presence:
    """Return the presence for the holder of `row`. `here`: ids of tokens with an open stream."""
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
