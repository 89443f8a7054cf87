"""Party: a ready fight of a rulebook, so that a newcomer can begin one at once."""

from collections.abc import Mapping

from msgspec import Struct

from domain.record.combat import Json


class Party(Struct, frozen=True):
    """A ready fight: its name, its subject, and the fields that open a combat.

    `sheets` as the rulebook wants them; those with an owner are meant for players.
    """

    id: str
    name: str
    about: str
    sheets: tuple[Mapping[str, Json], ...]
    options: Mapping[str, Json] = {}
    map: Mapping[str, Json] | None = None
