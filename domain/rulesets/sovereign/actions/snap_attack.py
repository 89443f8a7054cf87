"""The action `snap-attack`, an Instant that gives up the Main (SOV-SNAP)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon, SquareInput
from domain.rulebook.play import Play
from domain.rulesets.sovereign import costs
from domain.rulesets.sovereign.actions.attacks import foe_samples, for_a_main
from domain.rulesets.sovereign.blow import Attack, GmPoints, Mode, blow_of, refusals
from domain.rulesets.sovereign.numbers import disciplined
from domain.rulesets.sovereign.rules import action, rule


class Snap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a snap attack.

    `at` is the square of a declared path at which the attack happens (SOV-INST-08).
    """

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


@rule("SOV-SNAP-06", "A snap attack has the limits of its attack and is no manoeuvre")
def attack_refusals(act: Act[Snap]) -> Iterator[Illegal]:
    """Refuse an attack that the rules of attacks forbid (SOV-SNAP-06)."""
    return refusals(act.combat, act.who, as_attack(act.inputs), act.inputs.mode)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every enemy with each weapon that fits, in melee and at range."""
    for mode, raw in foe_samples(play.combat, who):
        yield {**raw, "mode": mode}


@action(
    "snap-attack", "Make a snap attack", Snap,
    cost=costs.INSTANT, category="attack", headline="Snap at {target}[ with {weapon}]",
    essential=("target", "mode", "weapon"),
    rules={
        "SOV-SNAP-01": "A snap attack gives up the Main for one attack at −4",
        "SOV-SNAP-02": "A snap attack needs an unspent Main",
        "SOV-SNAP-03": "Only disciplined NPCs make snap attacks",
    },
    also=("SOV-SNAP-06",),
    refusals=(
        costs.at_once,
        Refusal("SOV-SNAP-03", "npc-not-disciplined", "{actor} is not disciplined enough",
                lambda act: not disciplined(act.actor)),
        lambda act: costs.main_refusals(act.combat, act.who, "SOV-SNAP-02"),
        attack_refusals,
    ),
    propose=candidates,
    interjection=True,
)  # fmt: skip
def snap_attack(act: Act[Snap]) -> Procedure[None]:
    """Make one attack at −4 (SOV-SNAP-01). The Main must be unspent (SOV-SNAP-02).

    An NPC must also be disciplined (SOV-SNAP-03).
    """
    yield from snap(act.play, act.who, act.inputs, batch=False)


def with_others(play: Play, who: Id, inputs: Snap) -> Procedure[None]:
    """Make a snap attack at the same time as the other snap attacks of a window (SOV-INST-04)."""
    yield from snap(play, who, inputs, batch=True)


def snap(play: Play, who: Id, inputs: Snap, *, batch: bool) -> Procedure[None]:
    blow = blow_of(play, who, as_attack(inputs), inputs.mode, "snap-attack")
    if (yield from costs.plausible(play, who, "instant", snap_attack, inputs)):
        snapped = replace(blow, snap=True)
        yield from for_a_main(play, snapped, "SOV-SNAP-01", "SOV-SNAP-02", batch=batch)
