"""Loading bows and crossbows (SOV-RLD)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.record.events import FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, paying, windows
from domain.rulesets.sovereign.numbers import able, level, sheet_of
from domain.rulesets.sovereign.sheet import Weapon


class Reload(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    weapon: str
    pay: paying.Pay = "move"


def price(one: Combatant, weapon: Weapon) -> Literal["free", "move", "main"]:
    """Free with Shoot 1 or no skills at all; else a Move for a bow, a Main for a crossbow."""
    skill = level(one, "shoot")
    if skill is None or skill >= 1:
        return "free"
    return "move" if weapon.kind == "bow" else "main"


def quiver(one: Combatant) -> bool:
    """A readied quiver; without any on the list one is assumed (SOV-RLD-04)."""
    now: Mapping[str, str] = one.facts.get("items", {})
    mine = [item for item in sheet_of(one).items if "quiver" in item.tags]
    return not mine or any(now.get(item.id, item.state) == "readied" for item in mine)


def shot(play: Play, who: Id, weapon: Weapon) -> Procedure[None]:
    """Unloaded by its shot; on the own turn loaded again where that is free (SOV-RLD-01, -02)."""
    yield load(play.combat[who], weapon, False, "SOV-RLD-01")
    if who in play.combat.acting:
        yield from by_itself(play, who)


def by_itself(play: Play, who: Id) -> Procedure[None]:
    """Right after a shot on the own turn, or at the start of the next (SOV-RLD-02)."""
    one = play.combat[who]
    if not able(play.combat, who) or not quiver(one):
        return
    for weapon in arms.weapons(one):
        empty = arms.is_bow(weapon) and not arms.loaded(one, weapon)
        if empty and arms.held(one, weapon) and price(one, weapon) == "free":
            yield load(play.combat[who], weapon, True, "SOV-RLD-02")


def load(one: Combatant, weapon: Weapon, full: bool, rule: str) -> FactSet:
    now = {**one.facts.get("loaded", {}), weapon.id: full}
    return FactSet(one.id, "loaded", now, rules=(rule,))


def reload_refusals(play: Play, who: Id, inputs: Reload) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    one = play.combat[who]
    weapon = arms.weapon_of(one, inputs.weapon)
    if weapon is None or not arms.is_bow(weapon):
        mine = [weapon.id for weapon in arms.weapons(one) if arms.is_bow(weapon)]
        yield Illegal("SOV-RLD-01", "missing-data", f"{inputs.weapon} is not loaded", mine)
        return
    cost = price(one, weapon)
    if cost == "main":
        yield from paying.main_refusals(play.combat, who)
    elif cost == "move":
        yield from paying.move_refusals(play.combat, who, inputs.pay)
    yield from arms.ready_refusals(one, weapon)
    if not quiver(one):
        yield Illegal("SOV-RLD-04", "no-readied-quiver", "no quiver is readied", ("ready-item",))


def reload_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    for weapon in arms.weapons(one):
        if arms.is_bow(weapon) and not arms.loaded(one, weapon):
            yield {"weapon": weapon.id}
            yield {"weapon": weapon.id, "pay": "main"}


def reload(play: Play, who: Id, inputs: Reload) -> Procedure[None]:
    """Free with Shoot 1; a Move for a bow, a Main for a crossbow below that (SOV-RLD-02, -03)."""
    weapon = arms.weapon_of(play.combat[who], inputs.weapon)
    assert weapon is not None, "the refusals know the weapon"
    cost = price(play.combat[who], weapon)
    if cost == "free":
        if not (yield from paying.plausible(play, who, "free")):
            return
    else:
        if cost == "move":
            yield paying.pay_move(who, inputs.pay, "SOV-RLD-03")
        else:
            yield paying.spend(who, "main", "SOV-RLD-03")
        yield from windows.declared(play, who, "reload")
        if not able(play.combat, who):
            return
    yield from arms.draw(play, who, weapon)
    yield load(play.combat[who], weapon, True, "SOV-RLD-02" if cost == "free" else "SOV-RLD-03")
