"""snap-attack: an Instant that gives up the Main (SOV-SNAP)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon, SquareInput
from domain.rulebook.play import Play
from domain.rulesets.sovereign import costs
from domain.rulesets.sovereign.actions.attacks import foe_samples, for_a_main
from domain.rulesets.sovereign.blow import Attack, GmPoints, Mode, blow_of, refusals
from domain.rulesets.sovereign.numbers import disciplined
from domain.rulesets.sovereign.rules import rule


class Snap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`at`: the square of a declared path at which it is made (SOV-INST-08)."""

    target: Enemy
    mode: Mode = "melee"
    weapon: OwnWeapon | None = None
    attribute: str | None = None
    skill: str | None = None
    gm_modifier: GmPoints = 0
    at: SquareInput | None = None


def as_attack(inputs: Snap) -> Attack:
    return Attack(
        target=inputs.target,
        weapon=inputs.weapon,
        attribute=inputs.attribute,
        skill=inputs.skill,
        gm_modifier=inputs.gm_modifier,
    )


@rule("SOV-SNAP-02", "Not with a spent Main")
@rule("SOV-SNAP-03", "Of NPCs only the disciplined")
@rule("SOV-SNAP-06", "Limits of the attack apply, and no manoeuvres")
def snap_refusals(play: Play, who: Id, inputs: Snap) -> Iterator[Illegal]:
    """SOV-SNAP-02, -03, and all that forbids the attack itself (SOV-SNAP-06)."""
    yield from costs.instant_refusals(play.combat, who)
    if not disciplined(play.combat[who]):
        detail = f"{play.combat[who].name} is not disciplined enough"
        yield Illegal("SOV-SNAP-03", "npc-not-disciplined", detail)
    yield from costs.main_refusals(play.combat, who, "SOV-SNAP-02")
    yield from refusals(play.combat, who, as_attack(inputs), inputs.mode)


def snap_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for mode, raw in foe_samples(play.combat, who):
        yield {**raw, "mode": mode}


@rule("SOV-SNAP-01", "Give up the Main for one attack at −4")
def snap_attack(play: Play, who: Id, inputs: Snap) -> Procedure[None]:
    """An Instant that gives up the Main: one attack at −4 (SOV-SNAP-01)."""
    yield from snap(play, who, inputs, batch=False)


def with_others(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    """At a window several strike at the same time (SOV-INST-04)."""
    yield from snap(play, who, inputs, batch=True)


def snap(play: Play, who: Id, inputs: Snap, *, batch: bool) -> Procedure[None]:
    blow = blow_of(play, who, as_attack(inputs), inputs.mode, "snap-attack")
    if (yield from costs.plausible(play, who, "instant", SNAP_ATTACK, inputs)):
        snapped = replace(blow, snap=True)
        yield from for_a_main(play, snapped, "SOV-SNAP-01", "SOV-SNAP-02", batch=batch)


SNAP_ATTACK = Action(
    "snap-attack", Snap, snap_refusals, snap_candidates, "Make a snap attack",
    procedure=snap_attack, interjection=True, cost=costs.INSTANT,
    rules=("SOV-SNAP-01", "SOV-SNAP-02", "SOV-SNAP-03", "SOV-SNAP-06"),
).shown("attack", "Snap at {target}[ with {weapon}]", "target", "mode", "weapon")  # fmt: skip
