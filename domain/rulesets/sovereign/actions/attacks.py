"""The plain attacks: melee-attack, ranged-attack (SOV-MEL, SOV-RNG)."""

from collections.abc import Callable, Iterator, Mapping

from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, attack, costs
from domain.rulesets.sovereign.blow import MODES, Attack, Blow, Mode, blow_of, fits, refusals
from domain.rulesets.sovereign.numbers import in_fight, sheet_of
from domain.rulesets.sovereign.rules import rule


def usable(combat: Combat, who: Id, mode: Mode) -> Iterator[str]:
    """Weapons that a sample names: those in hand and sheathed, and bare hands."""
    combatant = combat[who]
    for weapon in arms.weapons(combatant):
        if fits(weapon, mode) and arms.state(combatant, weapon) in arms.READIED:
            yield weapon.id
    if mode == "melee" and sheet_of(combatant).unarmed is not None:
        yield arms.UNARMED


def samples(combat: Combat, who: Id, mode: Mode) -> Iterator[Mapping[str, Json]]:
    """Every weapon at everybody else, enemies first."""
    others = [
        combatant for combatant in combat if combatant.id != who and in_fight(combat, combatant.id)
    ]
    for other in sorted(others, key=lambda combatant: combatant.side == combat[who].side):
        for weapon in usable(combat, who, mode):
            yield {"target": other.id, "weapon": weapon}


def samples_of(mode: Mode) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """The candidates of an action that attacks."""
    return lambda play, who: samples(play.combat, who, mode)


def foe_samples(combat: Combat, who: Id) -> Iterator[tuple[Mode, Mapping[str, Json]]]:
    """Every weapon at every enemy, in both ways."""
    for mode in MODES:
        for raw in samples(combat, who, mode):
            if combat[raw["target"]].side != combat[who].side:
                yield mode, raw


def refusals_of(mode: Mode) -> costs.Refusals:
    """The refusals of an action that attacks."""
    return lambda play, who, inputs: refusals(play.combat, who, inputs, mode)


@rule("SOV-MEL-01", "A Main for a melee attack on a target in reach")
def melee_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one attack with a melee weapon or bare hands (SOV-MEL-01)."""
    yield from for_a_main(play, blow_of(play, who, inputs, "melee", "melee-attack"), "SOV-MEL-01")


@rule("SOV-RNG-01", "A Main for a shot or throw within long range")
def ranged_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one shot or throw (SOV-RNG-01)."""
    yield from for_a_main(play, blow_of(play, who, inputs, "ranged", "ranged-attack"), "SOV-RNG-01")


def for_a_main(
    play: Play, blow: Blow, *rules: str, batch: bool = False
) -> Procedure[tuple[attack.Outcome, Blow]]:
    """The weapon is drawn, the Main spent, and it is struck."""
    if not (yield from costs.draw(play, blow.attacker, blow.weapon)):
        return "prevented", blow
    yield costs.spend(blow.attacker, "main", *rules)
    return (yield from attack.strike(play, blow, batch=batch))


MELEE_ATTACK = costs.main(
    "melee-attack", Attack, melee_attack, "Make a melee attack", "SOV-MEL-01", "SOV-MEL-02",
    "SOV-ATK-01", "SOV-DMG-01", "SOV-SHOCK-01", refusals=refusals_of("melee"),
    candidates=samples_of("melee"),
).shown("attack", "Strike {target}[ with {weapon}]")  # fmt: skip

RANGED_ATTACK = costs.main(
    "ranged-attack", Attack, ranged_attack, "Make a ranged attack", "SOV-RNG-01", "SOV-RNG-02",
    "SOV-RNG-03", "SOV-RNG-05", "SOV-RNG-06", refusals=refusals_of("ranged"),
    candidates=samples_of("ranged"),
).shown("attack", "Shoot {target}[ with {weapon}]")  # fmt: skip
