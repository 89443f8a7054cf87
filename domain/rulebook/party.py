"""Party: a ready fight of a rulebook, for a first try."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Json


class Party(Struct, frozen=True):
    """A ready fight: its name, its subject, and the fields that open a combat.

    `sheets` are sheets of the rulebook. Sheets with an owner are for players.
    """

    id: str
    name: str
    about: str
    sheets: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="The sheets of those who take part")
    ]
    options: Mapping[str, Json] = {}
    map: Mapping[str, Json] | None = None
