"""Who may know a field of an event, said where the field is declared. Closed by default.

The GM knows everything. Beside the GM: "all" = whoever may know of the event at all, "side" = the
players on the side of its `who`, "owner" = the players of its `who`, "against" = the players on
the side of the combatant it is directed at, "gm" = nobody. What names a hidden combatant is left
out in any case (`domain.engine.redact`).
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

from msgspec import Meta

Knowers = Literal["gm", "owner", "side", "all"]
"""Who may know a thing beside the GM: nobody, the combatant's player, its side, everybody."""

KnownTo = Literal["all", "side", "owner", "against", "gm"]


def known(to: KnownTo, about: str) -> Meta:
    """What a field means (with its unit), and who may know it."""
    return Meta(description=about, extra={"known_to": to})


@cache
def knowers(kind: type[Any]) -> Mapping[str, KnownTo]:
    """Field by field, who may know it; a field that says nothing is the GM's."""
    found: dict[str, KnownTo] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in kind.__struct_fields__:
            said = (one.extra for one in get_args(hint) if isinstance(one, Meta) and one.extra)
            found[name] = next((extra["known_to"] for extra in said), "gm")
    return found
