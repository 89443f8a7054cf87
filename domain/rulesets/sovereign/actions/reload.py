"""reload: a bow or crossbow (SOV-RLD)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs, windows
from domain.rulesets.sovereign.loads import load, price, quiver


class Reload(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    weapon: OwnWeapon
    pay: costs.Pay = "move"


def reload_refusals(play: Play, who: Id, inputs: Reload) -> Iterator[Illegal]:
    combatant = play.combat[who]
    weapon = arms.weapon_of(combatant, inputs.weapon)
    if weapon is None or not arms.is_bow(weapon):
        mine = [weapon.id for weapon in arms.weapons(combatant) if arms.is_bow(weapon)]
        yield Illegal("SOV-RLD-01", "missing-data", f"{inputs.weapon} is not loaded", mine)
        return
    if arms.loaded(combatant, weapon):
        yield Illegal("SOV-RLD-01", "missing-data", f"{weapon.name} is loaded already")
    yield from costs.kind_refusals(play.combat, who, price(combatant, weapon), inputs.pay)
    yield from arms.ready_refusals(combatant, weapon)
    if not quiver(combatant):
        yield Illegal("SOV-RLD-04", "no-readied-quiver", "no quiver is readied", ("ready-item",))


def reload_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    for weapon in arms.weapons(combatant):
        if arms.is_bow(weapon) and not arms.loaded(combatant, weapon):
            yield {"weapon": weapon.id}
            yield {"weapon": weapon.id, "pay": "main"}


def reload(play: Play, who: Id, inputs: Reload) -> Procedure[None]:
    """Free with Shoot 1; a Move for a bow, a Main for a crossbow below that (SOV-RLD-02, -03)."""
    weapon = arms.weapon_of(play.combat[who], inputs.weapon)
    if weapon is None or not (yield from costs.draw(play, who, weapon)):
        return
    cost = price(play.combat[who], weapon)
    if cost == "free":
        if not (yield from costs.plausible(play, who, "free", RELOAD, inputs)):
            return
    else:
        pay = "main" if cost == "main" else inputs.pay
        yield costs.pay_move(who, pay, "SOV-RLD-03")
        yield from windows.declared(play, who, "reload")
    rule = "SOV-RLD-02" if cost == "free" else "SOV-RLD-03"
    yield load(play.combat[who], {weapon.id: True}, rule)


RELOAD = costs.on_turn(
    "reload", Reload, reload, "Reload", "SOV-RLD-02", "SOV-RLD-03", "SOV-RLD-04",
    cost="Free, Move or Main", refusals=reload_refusals, candidates=reload_candidates,
).shown("use", "Reload {weapon}")  # fmt: skip
