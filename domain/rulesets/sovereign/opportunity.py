"""Attacks of opportunity by armed enemies, and the actions that provoke them (SOV-AOO)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.declaration import NO_FIELD, refuse, renamed
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.reactions import window
from domain.rulebook.secrecy import knows_of
from domain.rulesets.sovereign import arms, board, windows
from domain.rulesets.sovereign.blow import Attack, refusals
from domain.rulesets.sovereign.numbers import able, enemies
from domain.rulesets.sovereign.rules import rule


class Opportunity(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an opportunity.

    If `weapon` is `null`, Affray uses the first weapon in hand that reaches the actor.
    """

    weapon: OwnWeapon | None = None
    attribute: str | None = None


@rule("SOV-ACT-10", "Charging, skills, running, picking up and standing up provoke")
@rule("SOV-AOO-01", "Each adjacent armed enemy gets one free melee attack")
def from_adjacent(play: Play, who: Id, action: str) -> Procedure[None]:
    """Offer an opportunity to each adjacent armed enemy (SOV-AOO-01, SOV-ACT-10)."""
    near = [foe.id for foe in enemies(play.combat, who) if board.adjacent(play.combat, who, foe.id)]
    yield from drawn(play, who, near, action)


def begin(play: Play, who: Id, action: str, target: Id | None = None) -> Procedure[None]:
    """Open the window of a paid action, then offer opportunities (SOV-ACT-10, SOV-SKILL-01)."""
    yield from windows.declared(play, who, action, target)
    yield from from_adjacent(play, who, action)


@rule("SOV-AOO-02", "A provoking action asks each enemy once, and the default is to pass")
def drawn(play: Play, who: Id, foes: Sequence[Id], action: str) -> Procedure[list[Id]]:
    """Ask all threatening enemies at once, and return them (SOV-AOO-02).

    They strike in the order of joining.
    """
    asked = [foe for foe in foes if threatens(play.combat, foe, who)]
    yield from window(play, [question(play, foe, who, action) for foe in asked])
    return asked


@rule("SOV-AOO-06", "Distance and disengaging avoid opportunities")
def threatens(combat: Combat, foe: Id, who: Id) -> bool:
    """Return true if `foe` is an armed enemy that sees and reaches `who`.

    If `who` has disengaged from `foe`, the result is false (SOV-AOO-01, SOV-AOO-03, SOV-AOO-06).
    """
    if combat[foe].side == combat[who].side:
        return False
    if not arms.armed(combat, foe) or disengaged(combat, who, foe):
        return False
    if not knows_of(combat, foe, who):
        return False
    return arms.ready_blade(combat, foe, who) is not None and board.los(combat, foe, who)


@rule("SOV-RUN-03", "Disengaging first avoids the opportunity")
@rule("SOV-DIS-02", "Enemies that the combatant meets later still have opportunities")
def disengaged(combat: Combat, who: Id, foe: Id) -> bool:
    """Return true if `who` has disengaged from this enemy (SOV-DIS-01, SOV-DIS-02, SOV-RUN-03)."""
    return any(foe in held.data.get("from", ()) for held in combat[who].all("disengaged"))


PASS = Option("pass")


def question(play: Play, foe: Id, who: Id, action: str) -> Prompt:
    """Return the prompt that offers the attack to one enemy. By default, it passes (SOV-AOO-02)."""
    answer = replace(
        play.ruleset.actions["attack-of-opportunity"],
        refusals=partial(blade_refusals, who),
        candidates=blade_candidates,
        procedure=partial(play.ruleset.procedures["attack-of-opportunity"], who),
    )
    declared = play.ruleset.actions.get(action)
    deed = words(action) if declared is None else declared.label.lower()
    return Prompt(
        kind="reaction",
        name="attack-of-opportunity",
        who=foe,
        text=f"{who} draws an attack of opportunity ({deed}). Does {foe} strike?",
        options=(answer, PASS),
        rules=("SOV-AOO-01", "SOV-AOO-02"),
        default="pass",
        data={"mover": who, "actor": who, "action": action},
        stands=lambda now: able(now, who) and threatens(now, foe, who),
    )


def blade_candidates(play: Play, foe: Id) -> Iterator[Mapping[str, Json]]:
    for weapon in arms.blades(play.combat[foe]):
        yield {"weapon": weapon.id}


def blade_refusals(who: Id, play: Play, foe: Id, inputs: Opportunity) -> Iterator[Illegal]:
    """Refuse every answer except a melee attack on the actor with a weapon in hand.

    SOV-AOO-03, SOV-AOO-04.
    """
    combat = play.combat
    if not able(combat, who):
        yield refuse("SOV-AOO-04", "out-of-reach", f"{who} cannot act any more", NO_FIELD)
    if combat[foe].side == combat[who].side:
        detail = f"{who} is no enemy of {foe} any more"
        yield refuse("SOV-AOO-01", "not-an-enemy", detail, NO_FIELD)
    if not arms.armed(combat, foe):
        yield refuse("SOV-AOO-03", "not-readied", f"{foe} is not armed", NO_FIELD)
        return
    weapon = inputs.weapon or arms.ready_blade(combat, foe, who)
    ids = [weapon.id for weapon in arms.blades(combat[foe])]
    if weapon not in ids:
        detail = f"{weapon} is no weapon in hand"
        yield refuse("SOV-AOO-03", "not-readied", detail, "weapon", ids)
        return
    inputs_now = Attack(target=who, weapon=weapon, attribute=inputs.attribute)
    yield from renamed(refusals(combat, foe, inputs_now, "melee"), target=NO_FIELD)
