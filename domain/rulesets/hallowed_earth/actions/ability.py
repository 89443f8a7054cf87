"""The action `use-ability`, for traits, class features and talents (HE-STRESS-06).

A combatant declares an ability that is a Standard Action. Any other ability is a Free Action or a
Reaction, or costs nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.inputs import Needed, OwnAbility
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import action_costs, deed, effects
from domain.rulesets.hallowed_earth.actions.reposte import answering
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.count import counting
from domain.rulesets.hallowed_earth.deed import AimingMany, Deed, StandardAction, Tool
from domain.rulesets.hallowed_earth.facts import Declaration
from domain.rulesets.hallowed_earth.harm import exert
from domain.rulesets.hallowed_earth.rules import action, rule
from domain.rulesets.hallowed_earth.sheet import Ability, sheet
from domain.rulesets.hallowed_earth.things import ability_of

HEADLINE = "Use {ability|an ability}[ on {target}][ on {targets}]"


class UsingAbility(AimingMany, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an ability. On your turn, give `target` or `targets`.

    If the ability is a Standard Action, declare it first with `ability`.
    """

    ability: Needed[OwnAbility] = None


def declarable(combatant: Combatant, tool: Tool) -> Ability | None:
    """Return the ability if it is a Standard Action."""
    ability = ability_of(combatant, tool)
    return ability if ability is not None and ability.cost == "standard" else None


@StandardAction(
    "use-ability", "Use an ability", UsingAbility,
    category="use", headline=HEADLINE, also=("HE-STRESS-06",),
    tool="ability",
    things=lambda combatant: [
        ability.id for ability in sheet(combatant).abilities if ability.cost == "standard"
    ],
    find=declarable, bare=None,
    speed=lambda ability: ability.initiative_modifier,  # HE-MOD-10
    blow=lambda ability: effects.of_spell(ability).blow,
)  # fmt: skip
@rule("HE-MOD-10", "An action that is not listed adds 0, or the modifier in its data")
def standard_ability(play: Play, done: Deed) -> Procedure[Attacks]:
    """Pay for the ability, then apply its effect. The slot has already spent the action."""
    who, ability = done.who, ability_of(play.combat[done.who], done.tool)
    assert ability is not None
    paid, aim = done.inputs.stress_paid, done.targets() or (done.who,)
    yield from action_costs.pay(play, who, ability.mana_cost, ability.stress_cost, paid)
    effect = effects.of_spell(ability)
    return (yield from effects.take_effect(play, who, aim, effect, "use-ability", tied=done.tied))


# ---- abilities without a declaration

AT_ONCE = replace(standard_ability, find=ability_of)
"""The action for abilities without a declaration."""


def undeclared(who: Id, ability: Ability, inputs: UsingAbility) -> Deed:
    """Return the `Deed` of an ability that needs no declaration."""
    return Deed(AT_ONCE, who, Declaration("use-ability", 0, ability=ability.id), inputs)


def usable(act: Act[UsingAbility]) -> Iterator[Illegal]:
    """Refuse an ability out of turn, or an ability that the combatant cannot pay or use now."""
    combat, who, combatant = act.combat, act.who, act.actor
    ability = ability_of(combatant, act.inputs.ability)
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
            yield from standard_ability.refusals(act.play, who, act.inputs)
            return
        yield from action_costs.waits(combat, who)
    yield from AT_ONCE.hinders(combatant, ability.id)
    if ability.cost != "none":
        yield from action_costs.rib(combatant)
        yield from action_costs.budget(combat, who, ability.cost)
    yield from AT_ONCE.misses(combatant, ability.id, act.inputs)
    used = undeclared(who, ability, act.inputs)
    if not used.targets() and AT_ONCE.needs_target(combatant, ability.id):
        detail = f"{ability.id} needs a target"
        legal = deed.legal_targets(combat, used)
        yield refuse("HE-ATK-07", "out-of-range", detail, "target", legal)
    for target in used.targets():
        yield from deed.aimed(combat, used, target)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield from standard_ability.candidates(play, who)
    for ability in sheet(play.combat[who]).abilities:
        if ability.cost != "standard":
            used = undeclared(who, ability, UsingAbility())
            for target in deed.legal_targets(play.combat, used):
                yield {"ability": ability.id, "target": target}


@action(
    "use-ability", "Use an ability", UsingAbility,
    cost="as the ability says", category="use", headline=HEADLINE, rules={}, also=("HE-STRESS-06",),
    refusals=(usable,), propose=candidates, interjection=True,
)  # fmt: skip
def use_ability(act: Act[UsingAbility]) -> Procedure[None]:
    """Use an ability without a declaration. It takes effect at once."""
    play, who = act.play, act.who
    ability = ability_of(act.actor, act.inputs.ability)
    assert ability is not None
    costs = False
    if ability.cost in ("free", "reaction"):
        costs = yield from action_costs.spend(play, who, ability.cost)
    used = undeclared(who, ability, act.inputs)
    doing, cannot = AT_ONCE.do(play, used), lambda: next(used.cannot(play.combat), None)
    attacks = yield from stopped_by(play, who, doing, "use-ability", cannot)
    if attacks is not None:
        yield from exert(play, who, costs)
        yield from answering(play, attacks)
