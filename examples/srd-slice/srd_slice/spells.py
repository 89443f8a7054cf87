"""Spells: the slots, the limit of one spell a turn, and three spells."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import ConditionGained, ConditionLost, Spent, TrackChanged
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, roll, while_able, while_there
from domain.rulebook.inputs import Ally, Enemy, proposals
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from srd_slice.attack import lacking
from srd_slice.harm import hurt, save
from srd_slice.states import CAST, enemies, feet, sheet


class Darts(Struct, frozen=True, forbid_unknown_fields=True):
    """The targets of the three darts. The list may contain a target several times."""

    targets: Annotated[tuple[Enemy, ...], Meta(min_length=3, max_length=3)]


class AtAlly(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of an action that helps an ally."""

    target: Ally


class AtEnemy(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of a spell against one enemy."""

    target: Enemy


def uncastable(
    combat: Combat, who: Id, spell: str, level: int, kind: str, range_ft: int, *targets: Id
) -> Iterator[Illegal]:
    """Yield the reasons why `who` cannot cast the spell at these targets.

    The caster must have prepared the spell. It needs an action of `kind` and a slot of `level`. It
    casts at most one spell a turn, and its targets must be within `range_ft`.
    """
    combatant = combat[who]
    if spell not in sheet(combatant).spells:
        yield Illegal("SRD-SPL-01", "not-prepared", f"{combatant.name} has not prepared {spell}")
    yield from lacking(combat, who, kind, "SRD-TRN-02")
    if combatant.tracks[f"slots_{level}"].value < 1:
        yield Illegal("SRD-SPL-01", "no-slot", f"no slot of level {level} is left")
    if CAST.of(combatant):
        yield Illegal("SRD-SPL-02", "has-cast", f"{combatant.name} has cast a spell in this turn")
    for target in targets:
        apart = feet(combat, who, target)
        if apart is not None and apart > range_ft:
            yield Illegal("SRD-SPL-03", "out-of-range", f"{spell} reaches {range_ft} ft")
        if combat[target].has("dead"):
            yield Illegal("SRD-SPL-03", "dead", f"{combat[target].name} is dead")


def pay(play: Play, who: Id, level: int, kind: str) -> Procedure[None]:
    """Pay the action and the slot of a spell (SRD-SPL-01).

    The caster can cast no other spell in this turn (SRD-SPL-02).
    """
    pool = f"slots_{level}"
    slots = play.combat[who].tracks[pool].value
    yield Spent(who, {kind: 1}, rules=("SRD-TRN-02",))
    yield TrackChanged(who, pool, slots - 1, None, "cast", rules=("SRD-SPL-01",))
    yield CAST.set(who, True, rules=("SRD-SPL-02",))


# ---- magic missile


def missile_refusals(play: Play, who: Id, darts: Darts) -> Iterator[Illegal]:
    yield from uncastable(play.combat, who, "magic-missile", 1, "action", 120, *darts.targets)


def three_darts(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Yield proposals: three darts at one enemy, or two at one and the third at another."""
    foes = [foe.id for foe in enemies(play.combat, who)]
    for foe in foes:
        yield {"targets": [foe, foe, foe]}
        yield from ({"targets": [foe, foe, other]} for other in foes if other != foe)


def magic_missile(play: Play, who: Id, darts: Darts) -> Procedure[None]:
    """Hit with three darts of 1d4 + 1 damage at once, without an attack roll (SRD-MMI-01)."""
    yield from pay(play, who, 1, "action")
    yield from while_able(play, who, fly(play, who, darts.targets), "magic-missile")


def fly(play: Play, who: Id, targets: tuple[Id, ...]) -> Procedure[None]:
    """Roll the damage of all darts, and then deal it to their targets."""
    harm: list[tuple[Id, int]] = []
    for target in dict.fromkeys(targets):
        count = targets.count(target)
        dice = f"{count}d4+{count}"
        rolling = roll(who, "damage", dice, rules=("SRD-MMI-01",), against=target)
        rolled = yield from while_there(play, target, rolling, "magic-missile")
        if rolled is not None:
            harm.append((target, rolled.total))
    for target, amount in harm:
        yield from hurt(play, target, amount, who, "SRD-MMI-01")


# ---- healing word


def word_refusals(play: Play, who: Id, at: AtAlly) -> Iterator[Illegal]:
    yield from uncastable(play.combat, who, "healing-word", 1, "bonus", 60, at.target)


def healing_word(play: Play, who: Id, at: AtAlly) -> Procedure[None]:
    """Heal an ally by 1d4 + spell modifier, as a bonus action (SRD-HLW-01)."""
    yield from pay(play, who, 1, "bonus")
    yield from while_able(play, who, mend(play, who, at.target), "healing-word", at=at.target)


def mend(play: Play, who: Id, target: Id) -> Procedure[None]:
    dice = f"1d4{sheet(play.combat[who]).spell_mod:+d}"
    rolled = yield from roll(who, "healing", dice, rules=("SRD-HLW-01",), against=target)
    if not play.combat[target].has("dead"):
        yield healed(play.combat[target], "hp", max(0, rolled.total), who, rules=("SRD-HLW-01",))


# ---- hold person


def hold_refusals(play: Play, who: Id, at: AtEnemy) -> Iterator[Illegal]:
    yield from uncastable(play.combat, who, "hold-person", 2, "action", 60, at.target)
    if not sheet(play.combat[at.target]).humanoid:
        yield Illegal("SRD-HLD-01", "no-humanoid", f"{play.combat[at.target].name} is no humanoid")


def hold_person(play: Play, who: Id, at: AtEnemy) -> Procedure[None]:
    """Paralyze an enemy that fails a Wisdom save (SRD-HLD-01).

    The spell lasts while the caster concentrates. An earlier concentration ends (SRD-CON-01).
    """
    yield from pay(play, who, 2, "action")
    if play.combat[who].has("concentrating"):
        yield ConditionLost(who, "concentrating", reason="another", rules=("SRD-CON-01",))
    yield from while_able(play, who, hold(play, who, at.target), "hold-person", at=at.target)


def hold(play: Play, who: Id, target: Id) -> Procedure[None]:
    dc = sheet(play.combat[who]).spell_dc
    if not (yield from save(play, target, "wis", "save", dc, "SRD-HLD-01")):
        data = {"spell": "hold-person"}
        rules = ("SRD-HLD-01",)
        yield (
            ConditionGained(who, "concentrating", data=data, rules=rules),
            ConditionGained(target, "paralyzed", who, data, source=who, rules=rules),
        )


def struggle(play: Play, who: Id) -> Procedure[None]:
    """Repeat the save of a held combatant at the end of its turn (SRD-HLD-02)."""
    for held in play.combat[who].all("paralyzed"):
        caster = play.combat.combatants.get(held.source or "")
        if held.data.get("spell") != "hold-person" or caster is None:
            continue
        dc = sheet(caster).spell_dc
        freed = yield from save(play, who, "wis", "save", dc, "SRD-HLD-02")
        if freed and play.combat[who].has("paralyzed"):
            yield ConditionLost(who, "paralyzed", held.key, "saved", rules=("SRD-HLD-02",))


def at_somebody(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Return proposals for all allies, the nearest first."""
    return proposals(AtAlly, ("target",), play.combat, who)


def at_an_enemy(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Return proposals for all enemies, the nearest first."""
    return proposals(AtEnemy, ("target",), play.combat, who)


SPELLS = (
    Action(
        "magic-missile", Darts, missile_refusals, three_darts, "Magic missile",
        procedure=magic_missile, cost="action, slot of level 1", rules=("SRD-MMI-01",),
    ).shown("cast", "Cast magic missile at {targets}"),
    Action(
        "healing-word", AtAlly, word_refusals, at_somebody, "Healing word",
        procedure=healing_word, cost="bonus action, slot of level 1", rules=("SRD-HLW-01",),
    ).shown("cast", "Heal {target}"),
    Action(
        "hold-person", AtEnemy, hold_refusals, at_an_enemy, "Hold person",
        procedure=hold_person, cost="action, slot of level 2", rules=("SRD-HLD-01",),
    ).shown("cast", "Hold {target}"),
)  # fmt: skip
