"""Readers of an event's fields, declared at each field.

The GM reads every field. Without a declaration, nobody else reads a field. A level names the
readers other than the GM:

- "all": all readers of the event
- "side": the players on the side of its `who`
- "owner": the players of its `who`
- "against": the players on the side of the combatant that it is directed at
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
    """Declare the meaning of a field, its unit and its readers."""
    return Meta(description=about, extra={"known_to": to})


@cache
def knowers(kind: type[Any]) -> Mapping[str, KnownTo]:
    """Return the readers of each field. Without a declaration, only the GM reads a field."""
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
