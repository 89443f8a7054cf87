"""The action `stabilize`, first aid for a dying combatant (SOV-DOWN-05, SOV-DOWN-06)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import Term
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure, stopped_by
from domain.rulebook.inputs import Ally, Creature
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.sovereign import board, checks, costs, harm, items, opportunity
from domain.rulesets.sovereign.facts import ATTEMPTED
from domain.rulesets.sovereign.numbers import check_modifier, check_terms
from domain.rulesets.sovereign.rules import action
from domain.rulesets.sovereign.sheet import Attribute


class Stabilize(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of first aid. Each helper must be adjacent to the target and spends its Main."""

    target: Ally
    attribute: Literal["dex", "int"] | None = None
    helpers: Annotated[list[Creature], Meta(max_length=20)] = []


def aided(act: Act[Stabilize]) -> Iterator[Illegal]:
    """Refuse a victim that first aid cannot help (SOV-DOWN-05)."""
    return aid_refusals(act.combat, act.who, act.target.id)


def helpers_can(act: Act[Stabilize]) -> Iterator[Illegal]:
    """Refuse a helper that is named twice or has no Main."""
    helpers = act.inputs.helpers
    for index, helper in enumerate(helpers):
        if helper in helpers[:index]:
            detail = f"{helper} helps once, with its one Main"
            yield refuse("SOV-CHK-04", "main-spent", detail, "helpers")
        yield from helper_refusals(act.combat, act.who, act.inputs.target, helper)
        yield from costs.main_refusals(act.combat, helper, field="helpers")


def helper_refusals(combat: Combat, who: Id, target: Id, helper: Id) -> Iterator[Illegal]:
    """Refuse a helper that is not an able ally beside the victim (SOV-DOWN-05)."""
    yield from costs.able_refusals(combat, helper, "helpers")
    if helper == who or combat[helper].side != combat[who].side:
        detail = f"{helper} is no ally of {who}, who gives the aid"
        yield refuse("SOV-DOWN-05", "not-an-ally", detail, "helpers")
    elif helper == target or not board.adjacent(combat, helper, target):
        yield refuse("SOV-DOWN-05", "not-adjacent", f"{helper} is not adjacent", "helpers")


def aid_refusals(combat: Combat, who: Id, target: Id) -> Iterator[Illegal]:
    """Refuse a victim that is not dying or not adjacent, or first aid without a readied kit.

    SOV-DOWN-05.
    """
    if not combat[target].has("mortally-injured"):
        yield refuse("SOV-DOWN-05", "missing-data", f"{target} is not dying", "target")
    if target == who or not board.adjacent(combat, who, target):
        yield refuse("SOV-DOWN-05", "not-adjacent", f"{target} is not adjacent", "target")
    if not items.readied_with(combat[who], "healers-kit"):
        detail = "no healer's kit is readied"
        yield refuse("SOV-DOWN-05", "no-healers-kit", detail, NO_FIELD)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every victim, first without a helper and then with each possible helper."""
    for combatant in play.combat:
        if combatant.has("mortally-injured"):
            yield {"target": combatant.id}
            for helper in play.combat:
                if helper.side == play.combat[who].side and helper.id not in (who, combatant.id):
                    yield {"target": combatant.id, "helpers": [helper.id]}


@action(
    "stabilize", "First aid", Stabilize,
    cost="Main", category="help", headline="Give {target} first aid",
    rules={"SOV-DOWN-05": "First aid needs an adjacent helper and a kit, at most once per round"},
    also=("SOV-DOWN-06",),
    refusals=(
        *costs.FOR_A_MAIN,
        aided,
        Refusal("SOV-DOWN-05", "one-attempt-per-round",
                "somebody has tried to help {target} this round",
                lambda act: ATTEMPTED.of(act.target) and {"target": act.inputs.target},
                field="target"),
        helpers_can,
    ),
    propose=candidates,
)  # fmt: skip
def stabilize(act: Act[Stabilize]) -> Procedure[None]:
    """Roll DEX or INT and Heal, with −1 for each round since the fall (SOV-DOWN-05)."""
    play, who, inputs = act.play, act.who, act.inputs
    yield costs.spend(who, "main", "SOV-DOWN-05")
    for helper in inputs.helpers:
        yield costs.spend(helper, "main", "SOV-CHK-04")
    yield from opportunity.begin(play, who, "stabilize", inputs.target)
    result = yield from stopped_by(
        play,
        who,
        attempt(play, who, inputs),
        "stabilize",
        lambda: next(aid_refusals(play.combat, who, inputs.target), None),
    )
    if result is not None and result.success:
        yield from harm.stabilize(inputs.target, who)


def attempt(play: Play, who: Id, inputs: Stabilize) -> Procedure[checks.Result]:
    """Record the attempt, and roll the check."""
    yield ATTEMPTED.set(inputs.target, True, rules=("SOV-DOWN-05",))
    number, rules = checks.DIFFICULTY, ("SOV-DOWN-05",)
    return (
        yield from checks.check(
            play,
            who,
            "stabilize",
            terms=lambda: aid_terms(play.combat, who, inputs),
            target=number,
            against=inputs.target,
            rules=rules,
        )
    )


def aid_terms(combat: Combat, who: Id, inputs: Stabilize) -> tuple[Term, ...]:
    """Return the terms of the check.

    They are the attribute, the skill, the helpers and the rounds since the fall (SOV-DOWN-05,
    SOV-CHK-04).
    """
    fallen = combat[inputs.target].all("mortally-injured")[0]
    name = inputs.attribute or better(combat[who])
    helping = [
        helper
        for helper in inputs.helpers
        if in_fight(combat, helper)
        and next(helper_refusals(combat, who, inputs.target, helper), None) is None
    ]
    helped = checks.helped(check_modifier(combat[helper], name, "heal") for helper in helping)
    return (
        *check_terms(combat[who], name, "heal", "SOV-DOWN-05"),
        Term("helpers", helped, "SOV-CHK-04"),
        Term("rounds since the fall", -since(combat, fallen.data), "SOV-DOWN-05"),
    )


def better(combatant: Combatant) -> Attribute:
    """Return the better attribute for the check: DEX or INT."""
    dex, wit = check_modifier(combatant, "dex", "heal"), check_modifier(combatant, "int", "heal")
    return "dex" if dex >= wit else "int"


def since(combat: Combat, data: Mapping[str, Json]) -> int:
    """Return the number of rounds since the victim fell."""
    return combat.round - int(data.get("round", combat.round))
