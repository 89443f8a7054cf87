"""Parties: the ready fights of a rulebook, for a first try."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Json


class Party(Struct, frozen=True):
    """A ready fight: a name, a description, and the fields to open it with.

    Players play the combatants whose sheet has an `owner`. The GM plays the others.
    """

    id: str
    name: str
    about: str
    sheets: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="The sheets of the combatants")
    ]
    options: Mapping[str, Json] = {}
    map: Mapping[str, Json] | None = None
