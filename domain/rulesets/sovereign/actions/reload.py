"""The action `reload`, for a bow or crossbow (SOV-RLD)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, costs, windows
from domain.rulesets.sovereign.items import has_quiver, load, loading_price
from domain.rulesets.sovereign.rules import action


class Reload(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    weapon: OwnWeapon
    pay: costs.Pay = "move"


def to_be_loaded(act: Act[Reload]) -> Iterator[Illegal]:
    """Refuse to reload without an empty bow or crossbow, payment, free hands or a quiver."""
    combatant, inputs = act.actor, act.inputs
    weapon = arms.weapon_of(combatant, inputs.weapon)
    if weapon is None or not arms.is_bow(weapon):
        bows = [weapon.id for weapon in arms.weapons(combatant) if arms.is_bow(weapon)]
        detail = f"{inputs.weapon} is not loaded"
        yield refuse("SOV-RLD-01", "missing-data", detail, "weapon", bows)
        return
    if arms.loaded(combatant, weapon):
        yield refuse("SOV-RLD-01", "missing-data", f"{weapon.name} is loaded already", "weapon")
    yield from costs.kind_refusals(
        act.combat, act.who, loading_price(combatant, weapon), inputs.pay
    )
    yield from arms.ready_refusals(combatant, weapon)
    if not has_quiver(combatant):
        detail = "no quiver is readied"
        yield refuse("SOV-RLD-04", "no-readied-quiver", detail, NO_FIELD, ("ready-item",))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose only empty bows and crossbows."""
    combatant = play.combat[who]
    for weapon in arms.weapons(combatant):
        if arms.is_bow(weapon) and not arms.loaded(combatant, weapon):
            yield {"weapon": weapon.id}
            yield {"weapon": weapon.id, "pay": "main"}


@action(
    "reload", "Reload", Reload,
    cost="Free, Move or Main", category="use", headline="Reload {weapon}",
    rules={}, also=("SOV-RLD-02", "SOV-RLD-03", "SOV-RLD-04"),
    refusals=(costs.own_turn, to_be_loaded),
    propose=candidates,
)  # fmt: skip
def reload(act: Act[Reload]) -> Procedure[None]:
    """Load the weapon.

    Loading is free with Shoot 1 (SOV-RLD-02). Otherwise it costs a Move or a Main (SOV-RLD-03).
    """
    play, who, inputs = act.play, act.who, act.inputs
    weapon = arms.weapon_of(act.actor, inputs.weapon)
    if weapon is None or not (yield from costs.draw(play, who, weapon)):
        return
    cost = loading_price(act.actor, weapon)
    if cost == "free":
        if not (yield from costs.plausible(play, who, "free", reload, inputs)):
            return
    else:
        pay = "main" if cost == "main" else inputs.pay
        yield costs.pay_move(who, pay, "SOV-RLD-03")
        yield from windows.declared(play, who, "reload")
    rule = "SOV-RLD-02" if cost == "free" else "SOV-RLD-03"
    yield load(act.actor, {weapon.id: True}, rule)
