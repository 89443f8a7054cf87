"""Play: the combat as a running procedure sees it.

`play.combat` is the state after the last event. Look up a combatant again after each `yield`,
because the old object no longer has the current state.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.edges import Edges


class Rulebook(Protocol):
    """The parts of a ruleset that shared rules and rulings use."""

    @property
    def id(self) -> str: ...
    @property
    def conditions(self) -> Mapping[str, Any]: ...
    @property
    def purposes(self) -> tuple[str, ...]: ...
    @property
    def dice(self) -> Callable[[Combat], Mapping[str, str]]: ...
    @property
    def actions(self) -> Mapping[str, Any]: ...
    @property
    def rulings(self) -> Mapping[str, Any]: ...
    @property
    def procedures(self) -> Mapping[str, Callable[..., Any]]: ...
    @property
    def facts(self) -> tuple[Any, ...]: ...
    @property
    def catalogue(self) -> Any: ...
    @property
    def unable(self) -> Callable[[Combat, Id], Illegal | None]: ...
    @property
    def in_fight(self) -> Callable[[Combat, Id], bool]: ...
    @property
    def announced(self) -> Callable[[Combat, Id], Id | None]: ...
    @property
    def off_turn(self) -> Callable[[Combat, Id, str], Illegal]: ...
    @property
    def consequences(self) -> Callable[[Combat, Any, Combat | None], Iterator[Any]]: ...
    @property
    def edges(self) -> Callable[[Combat], Edges | None]: ...
    @property
    def side_of(self) -> Callable[[Any], int]: ...
    def side(self, combatant: Combatant) -> int: ...
    def fights_on(self, combat: Combat, who: Id) -> bool: ...
    def read_sheet(self, raw: Mapping[str, Any]) -> Any: ...


def _nothing_told(version: int) -> None:
    return None


class Play:
    """The combat as one procedure sees it. The engine replaces `combat` after each event.

    - `aftermath`: true if the procedure began after the end of the combat, such as a late ruling.
    - `depth`: the number of nested interrupts.
    - `by_gm`: true if the GM's token gave the newest answer, or declared the action.
    - `told(version)`: returns the event at a version, or `None`. Rulings that name an event use it.
    """

    __slots__ = ("_able", "_able_for", "aftermath", "by_gm", "combat", "depth", "ruleset", "told")

    def __init__(self, ruleset: Rulebook, combat: Combat) -> None:
        self.ruleset = ruleset
        self.combat = combat
        self.aftermath = self.over
        self.depth = 0
        self.by_gm = False
        self.told: Callable[[int], Any] = _nothing_told
        self._able: Mapping[Id, Combatant] | None = None
        self._able_for: tuple[Id, Id | None] = ("", None)

    def absent(self, who: Id) -> Illegal | None:
        """Return the refusal for a combatant that has left, or `None` if it has not."""
        combatant = self.combat.combatants.get(who)
        if combatant is None or combatant.left:
            return Illegal("", "gone", f"{who} has left the combat")
        return None

    @property
    def over(self) -> bool:
        """Return true if the combat is over."""
        return self.combat.status == "ended" or self.combat.phase == "ending"

    def unable(self, who: Id, at: Id | None = None) -> Illegal | None:
        """Return the reason why `who` may not continue its action against `at`, or `None`."""
        combat = self.combat
        combatants = combat.combatants
        over = combat.status == "ended" or combat.phase == "ending"
        if combatants is self._able and self._able_for == (who, at) and not over:
            return None  # no event has changed a combatant since the last check
        if (actor := combatants.get(who)) is None or actor.left:
            return self.absent(who)
        if over:
            return Illegal("", "combat-over", "the combat is over")
        if at is not None and ((target := combatants.get(at)) is None or target.left):
            return self.absent(at)
        reason = self.ruleset.unable(combat, who)
        if reason is None:
            self._able, self._able_for = combatants, (who, at)
        return reason
