"""The powers, feats and item abilities of a sheet, as actions and as Instants.

Section 2.4, SOV-INST-09.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Square
from domain.record.events import FactSet
from domain.rulebook.declaration import refuse
from domain.rulesets.sovereign.facts import USED, USED_THIS_ROUND
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.sheet import Ability

Part = Literal["own-attack", "attack-against-self", "any"]


OUTCOME = ("miss-to-hit", "hit-to-miss", "reroll", "modifier")
"""The types of effects that can only change a roll or its outcome, in a window."""


Name = Literal["declared", "attack-rolled", "rolled"]


@dataclass(frozen=True)
class Moment:
    """A moment at which Instants are possible.

    - `adds`: abilities can add terms to the coming attack roll.
    - `harmless`: the attack has missed and deals no Shock.
    """

    name: Name
    actor: Id
    action: str
    target: Id | None = None
    path: tuple[Square, ...] = ()
    total: int | None = None
    outcome: str = ""
    attack: bool = False
    adds: bool = False
    harmless: bool = False

    def part(self, who: Id) -> Part:
        """Return the role of `who` in the attack: `own-attack`, `attack-against-self` or `any`."""
        if not self.attack or who not in (self.actor, self.target):
            return "any"
        return "own-attack" if who == self.actor else "attack-against-self"


def ability_of(combatant: Combatant, id: str) -> Ability | None:
    return next((ability for ability in sheet_of(combatant).abilities if ability.id == id), None)


def used(combatant: Combatant, id: str) -> int:
    """Return the number of uses that count against the limit of an ability."""
    return USED.of(combatant).get(id, 0) + USED_THIS_ROUND.of(combatant).get(id, 0)


def uses_left(combatant: Combatant, ability: Ability) -> bool:
    return ability.uses is None or used(combatant, ability.id) < ability.uses


def fitting(combatant: Combatant, moment: Moment) -> Iterator[Ability]:
    """Yield the Instants that fit this window and the combatant's role in it."""
    for ability in sheet_of(combatant).abilities:
        if uses_left(combatant, ability) and fits(ability, combatant.id, moment):
            yield ability


def fits(ability: Ability, who: Id, moment: Moment) -> bool:
    """Return true if an Instant fits this window.

    The window `rolled` must be in the ability's `windows`. An ability that changes a roll does not
    fit before the roll (SOV-INST-01).
    """
    window = moment.name
    named = window in ability.windows or (window != "rolled" and "any" in ability.windows)
    idle = window == "declared" and answers_only(ability, adds=moment.adds)
    concerned = ability.trigger in ("any", moment.part(who))
    return ability.action == "instant" and named and not idle and concerned


def answers_only(ability: Ability, *, adds: bool = False) -> bool:
    """Return true if the ability can only change a roll that has already happened."""
    late = set(OUTCOME) - ({"modifier"} if adds else set())
    return bool(ability.effects) and {effect.type for effect in ability.effects} <= late


def useful(ability: Ability, outcome: str) -> bool:
    """Return true if the ability could change the visible outcome."""
    kinds = {effect.type for effect in ability.effects}
    if kinds & {"miss-to-hit", "hit-to-miss"}:
        wanted = {"hit": "hit-to-miss", "miss": "miss-to-hit"}.get(outcome)
        return wanted in kinds
    return True


# ---- refusals


def known(combatant: Combatant, id: str) -> Iterator[Illegal]:
    ability = ability_of(combatant, id)
    if ability is None:
        ids = [ability.id for ability in sheet_of(combatant).abilities]
        detail = f"no ability {id!r}"
        yield refuse("SOV-ACT-01", "missing-data", detail, "ability", ids)
    elif not uses_left(combatant, ability):
        yield refuse("SOV-ACT-07", "no-uses-left", f"{ability.name} is used up", "ability")


def count(combatant: Combatant, ability: Ability) -> FactSet:
    uses = USED_THIS_ROUND if ability.per == "round" else USED
    times = {**uses.of(combatant), ability.id: uses.of(combatant).get(ability.id, 0) + 1}
    return uses.set(combatant.id, times, rules=("SOV-ACT-07",))
