"""The plain attacks: melee-attack, ranged-attack (SOV-MEL, SOV-RNG)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, attack, paying
from domain.rulesets.sovereign.blow import Attack, Mode, blow_of, fits, refusals
from domain.rulesets.sovereign.numbers import in_fight, sheet_of


def usable(combat: Combat, who: Id, mode: Mode) -> Iterator[str]:
    """Weapons that a sample names: those in hand and sheathed, and bare hands."""
    one = combat[who]
    for weapon in arms.weapons(one):
        if fits(weapon, mode) and arms.state(one, weapon) in arms.READIED:
            yield weapon.id
    if mode == "melee" and sheet_of(one).unarmed is not None:
        yield arms.UNARMED


def samples(combat: Combat, who: Id, mode: Mode) -> Iterator[Mapping[str, Json]]:
    """Every weapon at everybody else, enemies first."""
    others = [one for one in combat if one.id != who and in_fight(combat, one.id)]
    for other in sorted(others, key=lambda one: one.side == combat[who].side):
        for weapon in usable(combat, who, mode):
            yield {"target": other.id, "weapon": weapon}


def samples_of(mode: Mode) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """The candidates of an action that attacks."""
    return lambda play, who: samples(play.combat, who, mode)


def melee_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.main_turn_refusals(play.combat, who)
    yield from refusals(play.combat, who, inputs, "melee")


def melee_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one attack with a melee weapon or bare hands (SOV-MEL-01)."""
    blow = replace(blow_of(play, who, inputs, "melee"), kind="melee-attack")
    if (yield from paying.draw(play, who, blow.weapon)):
        yield paying.spend(who, "main", "SOV-MEL-01")
        yield from attack.strike(play, blow)


def ranged_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.main_turn_refusals(play.combat, who)
    yield from refusals(play.combat, who, inputs, "ranged")


def ranged_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one shot or throw (SOV-RNG-01)."""
    blow = replace(blow_of(play, who, inputs, "ranged"), kind="ranged-attack")
    if (yield from paying.draw(play, who, blow.weapon)):
        yield paying.spend(who, "main", "SOV-RNG-01")
        yield from attack.strike(play, blow)


MELEE_ATTACK = Action(
    "melee-attack",
    Attack,
    melee_refusals,
    samples_of("melee"),
    "Make a melee attack",
    procedure=melee_attack,
    cost="Main",
    rules=("SOV-MEL-01", "SOV-MEL-02", "SOV-ATK-01", "SOV-DMG-01", "SOV-SHOCK-01"),
)

RANGED_ATTACK = Action(
    "ranged-attack",
    Attack,
    ranged_refusals,
    samples_of("ranged"),
    "Make a ranged attack",
    procedure=ranged_attack,
    cost="Main",
    rules=("SOV-RNG-01", "SOV-RNG-02", "SOV-RNG-03", "SOV-RNG-05", "SOV-RNG-06"),
)
