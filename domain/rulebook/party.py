"""Party: a ready fight of a rulebook, so that a newcomer can begin one at once."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Json


class Party(Struct, frozen=True):
    """A ready fight: its name, its subject, and the fields that open a combat.

    `sheets` are sheets of the rulebook. Those with an owner are meant for players.
    """

    id: str
    name: str
    about: str
    sheets: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="The sheets of those who take part")
    ]
    options: Mapping[str, Json] = {}
    map: Mapping[str, Json] | None = None
