"""The actions `melee-attack` and `ranged-attack` (SOV-MEL, SOV-RNG)."""

from collections.abc import Iterator, Mapping
from functools import partial

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.declaration import Act
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.sovereign import arms, attack, costs
from domain.rulesets.sovereign.blow import MODES, Attack, Blow, Mode, blow_of, fits, refusals
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.rules import action


def usable(combat: Combat, who: Id, mode: Mode) -> Iterator[str]:
    """Yield the ids of the weapons in hand, the sheathed weapons, and the bare hands."""
    combatant = combat[who]
    for weapon in arms.weapons(combatant):
        if fits(weapon, mode) and arms.state(combatant, weapon) in arms.READIED:
            yield weapon.id
    if mode == "melee" and sheet_of(combatant).unarmed is not None:
        yield arms.UNARMED


def samples(combat: Combat, who: Id, mode: Mode) -> Iterator[Mapping[str, Json]]:
    """Propose every weapon against each other combatant, enemies first."""
    others = [
        combatant for combatant in combat if combatant.id != who and in_fight(combat, combatant.id)
    ]
    for other in sorted(others, key=lambda combatant: combatant.side == combat[who].side):
        for weapon in usable(combat, who, mode):
            yield {"target": other.id, "weapon": weapon}


def foe_samples(combat: Combat, who: Id) -> Iterator[tuple[Mode, Mapping[str, Json]]]:
    """Propose every weapon against every enemy, in melee and at range."""
    for mode in MODES:
        for raw in samples(combat, who, mode):
            if combat[raw["target"]].side != combat[who].side:
                yield mode, raw


def attack_refusals(mode: Mode, act: Act[Attack]) -> Iterator[Illegal]:
    """Refuse an attack that is illegal now."""
    return refusals(act.combat, act.who, act.inputs, mode)


def for_a_main(
    play: Play, blow: Blow, *rules: str, batch: bool = False
) -> Procedure[tuple[attack.Outcome, Blow]]:
    """Draw the weapon, spend the Main, and strike."""
    if not (yield from costs.draw(play, blow.attacker, blow.weapon)):
        return "prevented", blow
    yield costs.spend(blow.attacker, "main", *rules)
    return (yield from attack.strike(play, blow, batch=batch))


@action(
    "melee-attack", "Make a melee attack", Attack,
    cost="Main", category="attack", headline="Strike {target}[ with {weapon}]",
    rules={"SOV-MEL-01": "A melee attack on a target in reach costs a Main"},
    also=("SOV-MEL-02", "SOV-ATK-01", "SOV-DMG-01", "SOV-SHOCK-01"),
    refusals=(*costs.FOR_A_MAIN, partial(attack_refusals, "melee")),
    propose=lambda play, who: samples(play.combat, who, "melee"),
)  # fmt: skip
def melee_attack(act: Act[Attack]) -> Procedure[None]:
    """Attack once with a melee weapon or bare hands (SOV-MEL-01)."""
    blow = blow_of(act.play, act.who, act.inputs, "melee", "melee-attack")
    yield from for_a_main(act.play, blow, "SOV-MEL-01")


@action(
    "ranged-attack", "Make a ranged attack", Attack,
    cost="Main", category="attack", headline="Shoot {target}[ with {weapon}]",
    rules={"SOV-RNG-01": "A shot or throw within long range costs a Main"},
    also=("SOV-RNG-02", "SOV-RNG-03", "SOV-RNG-05", "SOV-RNG-06"),
    refusals=(*costs.FOR_A_MAIN, partial(attack_refusals, "ranged")),
    propose=lambda play, who: samples(play.combat, who, "ranged"),
)  # fmt: skip
def ranged_attack(act: Act[Attack]) -> Procedure[None]:
    """Shoot or throw once (SOV-RNG-01)."""
    blow = blow_of(act.play, act.who, act.inputs, "ranged", "ranged-attack")
    yield from for_a_main(act.play, blow, "SOV-RNG-01")
