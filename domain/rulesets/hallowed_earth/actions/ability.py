"""use-ability: traits, class features, talents, by their data (HE-STRESS-06).

A Standard Action is declared. Other abilities are free, a Reaction, or cost no action.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.inputs import Needed, OwnAbility
from domain.rulebook.play import Play
from domain.rulebook.prompts import Screen
from domain.rulesets.hallowed_earth import action_costs, effects
from domain.rulesets.hallowed_earth.actions import deed as deeds
from domain.rulesets.hallowed_earth.actions.deed import AimingMany, Deed, Doing, Tool
from domain.rulesets.hallowed_earth.actions.reposte import answering
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.facts import Declaration
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Ability
from domain.rulesets.hallowed_earth.states import sheet
from domain.rulesets.hallowed_earth.things import ability_of


class UsingAbility(AimingMany, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Declare a standard one with `ability`. At its number, give `target` or `targets`."""

    ability: Needed[OwnAbility] = None


def declarable(combatant: Combatant, tool: Tool) -> Ability | None:
    """The ability, where it is a Standard Action."""
    ability = ability_of(combatant, tool)
    return ability if ability is not None and ability.cost == "standard" else None


def do_ability(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Its price, then its effect; the action is spent already."""
    who, ability = deed.who, ability_of(play.combat[deed.who], deed.tool)
    assert ability is not None
    paid = deed.inputs.stress_paid
    yield from effects.pay(play, who, ability.mana_cost, ability.stress_cost, paid)
    return (yield from deed.takes_effect(play, effects.of_spell(ability)))


rule(
    "HE-MOD-10",
    "A thing that is not listed has +0, or the modifier in its data",
    f"{__name__}.DECLARED",
)
DECLARED = Doing(
    id="use-ability",
    screen=Screen("use", "Use {ability|an ability}[ on {target}][ on {targets}]"),
    label="Use an ability",
    rules=("HE-STRESS-06",),
    inputs=UsingAbility,
    tool="ability",
    things=lambda combatant: [
        ability.id for ability in sheet(combatant).abilities if ability.cost == "standard"
    ],
    find=declarable,
    speed=lambda ability: ability.initiative_modifier,  # as its data say (HE-MOD-10)
    bare=None,
    blow=lambda ability: effects.of_spell(ability).blow,
    do=do_ability,
)

AT_ONCE = replace(DECLARED, find=ability_of)
"""Abilities without a declaration."""


# ---- those that are not declared


def undeclared(who: Id, ability: Ability, inputs: UsingAbility) -> Deed:
    """An ability that needs no declaration."""
    return Deed(AT_ONCE, who, Declaration("use-ability", 0, ability=ability.id), inputs)


def refusals(play: Play, who: Id, inputs: UsingAbility) -> Iterator[Illegal]:
    combat, combatant = play.combat, play.combat[who]
    ability = ability_of(combatant, inputs.ability)
    if ability is not None and ability.cost == "reaction":
        if not counting(combat):
            yield action_costs.off_turn(combat, who, "use-ability")
            return
        yield from action_costs.present(combatant)
    else:
        stop = list(action_costs.turn(combat, who, "use-ability"))
        if stop:
            yield from stop
            return
        if ability is None or ability.cost == "standard":
            yield from DECLARED.action().refusals(play, who, inputs)
            return
        yield from action_costs.waits(combat, who)
    yield from AT_ONCE.hinders(combatant, ability.id)
    if ability.cost != "none":
        yield from action_costs.rib(combatant)
        yield from action_costs.budget(combat, who, ability.cost)
    yield from AT_ONCE.misses(combatant, ability.id, inputs)
    deed = undeclared(who, ability, inputs)
    if not deed.targets() and AT_ONCE.needs_target(combatant, ability.id):
        detail = f"{ability.id} needs a target"
        yield Illegal("HE-ATK-07", "out-of-range", detail, deeds.legal_targets(combat, deed))
    for target in deed.targets():
        yield from deeds.aimed(combat, deed, target)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from DECLARED.action().candidates(play, who)
    for ability in sheet(play.combat[who]).abilities:
        if ability.cost != "standard":
            deed = undeclared(who, ability, UsingAbility())
            for target in deeds.legal_targets(play.combat, deed):
                yield {"ability": ability.id, "target": target}


def use_ability(play: Play, who: Id, inputs: UsingAbility) -> Procedure[None]:
    """An undeclared ability takes effect at once."""
    ability = ability_of(play.combat[who], inputs.ability)
    assert ability is not None
    costs = False
    if ability.cost in ("free", "reaction"):
        costs = yield from action_costs.spend(play, who, ability.cost)
    deed = undeclared(who, ability, inputs)
    doing, cannot = do_ability(play, deed), lambda: next(deed.cannot(play.combat), None)
    attacks = yield from stopped_by(play, who, doing, "use-ability", cannot)
    if attacks is not None:
        yield from exert(play, who, costs)
        yield from answering(play, attacks)


USE_ABILITY = Action(
    "use-ability",
    UsingAbility,
    refusals,
    candidates,
    "Use an ability",
    procedure=use_ability,
    interjection=True,
    cost="as data",
    rules=("HE-STRESS-06",),
).shown("use", "Use {ability|an ability}[ on {target}][ on {targets}]")
