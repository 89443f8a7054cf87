"""Readers: the declaration of who may read each field of an event.

The GM reads every field. Without a declaration, only the GM reads a field. A level names the other
readers:

- "all": all readers of the event
- "side": the players on the side of `who`
- "owner": the player of `who`
- "against": the players on the side of the combatant that the event is directed at
- "gm": nobody

Affray always leaves out a field that names a hidden combatant (`domain.engine.redaction`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

from msgspec import Meta

Knowers = Literal["gm", "owner", "side", "all"]
"""The readers other than the GM: nobody, the combatant's player, its side, or everybody."""

KnownTo = Literal["all", "side", "owner", "against", "gm"]


def known(to: KnownTo, about: str) -> Meta:
    """Declare the readers of a field, and its meaning with the unit."""
    return Meta(description=about, extra={"known_to": to})


@cache
def knowers(kind: type[Any]) -> Mapping[str, KnownTo]:
    """Return the level of each field. It is "gm" for a field without a declaration."""
    levels: dict[str, KnownTo] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in kind.__struct_fields__:
            said = (
                get_arg.extra
                for get_arg in get_args(hint)
                if isinstance(get_arg, Meta) and get_arg.extra
            )
            levels[name] = next((extra["known_to"] for extra in said), "gm")
    return levels
