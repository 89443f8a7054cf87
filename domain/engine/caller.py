"""The caller of a command, and the outside values that its decision needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from domain.errors import Forbidden
from domain.record.combat import Combat, Id
from domain.rulebook.ruleset import Role


@dataclass(frozen=True)
class Caller:
    """A token's id and role, and the combatants that it may play, by id or by owner label."""

    token: str
    role: Role
    combatants: tuple[Id, ...] = ()
    owner: str | None = None

    def plays(self, combat: Combat, who: Id | None) -> bool:
        """Return true if this caller may act and answer for `who` (`None` for the GM)."""
        if self.role == "gm":
            return True
        combatant = None if who is None else combat.combatants.get(who)
        return who is not None and self.plays_of(
            who, None if combatant is None else combatant.owner
        )

    def plays_of(self, who: Id, owner: str | None) -> bool:
        """Return true if this caller plays `who`, with this owner."""
        if self.role == "player":
            return who in self.combatants or (owner is not None and owner == self.owner)
        return self.role == "gm"

    def must_be_gm(self) -> None:
        """Raise `Forbidden` unless this caller is the GM."""
        if self.role != "gm":
            raise Forbidden(f"only the GM may do this, not a {self.role}: ask the GM")

    def must_play(self, combat: Combat, who: Id | None) -> None:
        """Raise `Forbidden` unless this caller may act for `who`."""
        if self.role != "gm" and not self.plays(combat, who):
            raise Forbidden(f"this token does not play {who}: its player or the GM may do this")

    def sees(self, combat: Combat, audience: tuple[Id, ...] | None) -> bool:
        """Return true if this caller belongs to `audience`."""
        return (
            audience is None
            or self.role == "gm"
            or any(self.plays(combat, who) for who in audience)
        )


def _never(seconds: int) -> str:
    return "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True)
class Context:
    """The values from outside that a command needs, so that the decision is a pure function.

    - `combat` and `command` are ids, `now` is RFC 3339 in UTC.
    - `secrets` are the combat's seeds by commitment.
    - `spare` is an unused seed. The opening uses it, and so does an undo that takes back the reveal
      of a seed.
    - `salt` blinds the digests of free texts.
    - `later(seconds)` returns the time that many seconds after `now`.
    """

    combat: str
    caller: Caller
    command: str
    now: str
    secrets: Mapping[str, bytes]
    spare: bytes
    salt: str
    later: Callable[[int], str] = _never
