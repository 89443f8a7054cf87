"""The plain attacks: melee-attack, ranged-attack, snap-attack (SOV-MEL, SOV-RNG, SOV-SNAP)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, attack, paying
from domain.rulesets.sovereign.blow import Attack, Mode, blow_of, chosen, fits, refusals
from domain.rulesets.sovereign.numbers import disciplined, in_fight, sheet_of


def usable(combat: Combat, who: Id, mode: Mode) -> Iterator[str]:
    """Weapons that a sample names: those in hand and sheathed, and bare hands."""
    one = combat[who]
    for weapon in arms.weapons(one):
        if fits(weapon, mode) and arms.state(one, weapon) in ("in-hand", "sheathed"):
            yield weapon.id
    if mode == "melee" and sheet_of(one).unarmed is not None:
        yield arms.UNARMED


def samples(combat: Combat, who: Id, mode: Mode) -> Iterator[Mapping[str, Json]]:
    """Every weapon at everybody else, enemies first."""
    others = [one for one in combat if one.id != who and in_fight(combat, one.id)]
    for other in sorted(others, key=lambda one: one.side == combat[who].side):
        for weapon in usable(combat, who, mode):
            yield {"target": other.id, "weapon": weapon}


# ---- melee-attack


def melee_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.main_refusals(play.combat, who)
    yield from refusals(play.combat, who, inputs, "melee")


def melee_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from samples(play.combat, who, "melee")


def melee_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one attack with a melee weapon or bare hands (SOV-MEL-01)."""
    yield paying.spend(who, "main", "SOV-MEL-01")
    blow = blow_of(play.combat, who, inputs, "melee")
    yield from attack.strike(play, replace(blow, kind="melee-attack"))


# ---- ranged-attack


def ranged_refusals(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.main_refusals(play.combat, who)
    yield from refusals(play.combat, who, inputs, "ranged")


def ranged_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from samples(play.combat, who, "ranged")


def ranged_attack(play: Play, who: Id, inputs: Attack) -> Procedure[None]:
    """A Main for one shot or throw (SOV-RNG-01)."""
    yield paying.spend(who, "main", "SOV-RNG-01")
    blow = blow_of(play.combat, who, inputs, "ranged")
    yield from attack.strike(play, replace(blow, kind="ranged-attack"))


# ---- snap-attack


class Snap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`at`: the square of a declared path at which it is made (SOV-INST-08)."""

    target: Id
    mode: Mode = "melee"
    weapon: str | None = None
    attribute: str | None = None
    skill: str | None = None
    gm_modifier: int = 0
    at: tuple[int, ...] | None = None


def as_attack(inputs: Snap) -> Attack:
    return Attack(
        target=inputs.target,
        weapon=inputs.weapon,
        attribute=inputs.attribute,
        skill=inputs.skill,
        gm_modifier=inputs.gm_modifier,
    )


def snap_refusals(play: Play, who: Id, inputs: Snap) -> Iterator[Illegal]:
    """SOV-SNAP-02, -03, and all that forbids the attack itself (SOV-SNAP-06)."""
    yield from paying.instant_refusals(play.combat, who)
    if not disciplined(play.combat[who]):
        detail = f"{play.combat[who].name} is not disciplined enough"
        yield Illegal("SOV-SNAP-03", "npc-not-disciplined", detail)
    yield from paying.main_refusals(play.combat, who, "SOV-SNAP-02")
    yield from refusals(play.combat, who, as_attack(inputs), inputs.mode)


def snap_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    mine = play.combat[who].side
    modes: tuple[Mode, ...] = ("melee", "ranged")
    for mode in modes:
        for raw in samples(play.combat, who, mode):
            if play.combat[raw["target"]].side != mine:
                yield {**raw, "mode": mode}


def snap_attack(play: Play, who: Id, inputs: Any, batch: bool = False) -> Procedure[None]:
    """An Instant that gives up the Main: one attack at −4 (SOV-SNAP-01)."""
    if not (yield from paying.plausible(play, who, "instant")):
        return
    yield from paying.busy(play.combat, who)
    yield paying.spend(who, "main", "SOV-SNAP-01", "SOV-SNAP-02")
    if chosen(play.combat[who], inputs.weapon, inputs.mode) is None:
        return
    blow = blow_of(play.combat, who, as_attack(inputs), inputs.mode)
    yield from attack.strike(play, replace(blow, kind="snap-attack", snap=True), batch=batch)
