"""Deal damage, record wounds, and heal (FH-DMG, FH-AIM, FH-WND).

Module `consequences` applies their results, such as defeat.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Condition, Id, Json
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Noted,
    Spent,
    Term,
    TrackChanged,
)
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask, interrupt, roll, while_there
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulesets.free_hit.ends import lasts, this_round
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.states import is_waiting, sheet

WOUND = 6
"""The net damage that makes a wound, and the healing that ends one, in HP."""

FATAL = 16
"""The extra damage of a fatal wound (FH-AIM-03)."""

WOUNDS = {
    "wound-slowing": "FH-AIM-04",
    "wound-weakening": "FH-AIM-05",
    "wound-disrupting": "FH-AIM-06",
}
"""Wounds with an effect, each with its rule."""


@rule("FH-DMG-04", "Net damage is damage less fixed reductions, then less percentages")
def reduced(combatant: Combatant, amount: int, kind: str, physical: bool) -> tuple[Term, ...]:
    """Return the reductions of armour and feats as terms (FH-DMG-04).

    Fixed amounts come before percentages. Each group keeps the order of the sheet.
    """
    fitting = [
        reduction
        for reduction in sheet(combatant).reductions
        if reduction.applies_to in ("all", kind)
        or (physical and reduction.applies_to == "physical")
    ]
    terms: list[Term] = []
    left = amount
    for reduction in fitting:
        if reduction.amount is not None:
            taken = min(left, reduction.amount)
            left -= taken
            terms.append(Term(reduction.source, -taken, "FH-DMG-04"))
    for reduction in fitting:
        if reduction.percent is not None:
            rest = left * (100 - reduction.percent) // 100  # the rest is rounded down
            terms.append(Term(reduction.source, rest - left, "FH-DMG-04"))
            left = rest
    return tuple(term for term in terms if term.value)


@rule("FH-DMG-05", "Net damage of 6 or more makes a wound. A fatal aim may then add 16")
@rule("FH-DMG-06", "HP stop at 0, and a unit at 0 is defeated")
@rule("FH-AIM-03", "A fatal aim that wounds has a chance of 1 in 4 to deal 16 more damage")
@rule("FH-AIM-10", "Without a wound, an aim has no effect")
@rule("FH-WND-01", "One attack with 6 or more net damage makes a wound")
def hurt(
    play: Play,
    target: Id,
    dealt: int,
    *,
    source: Id | None,
    kind: str,
    physical: bool,
    terms: tuple[Term, ...],
    aim: str | None = None,
    is_attack: bool = True,
) -> Procedure[None]:
    """Apply reductions, wound, fatal aim and loss of HP: steps 6 to 8 of an attack.

    - Reductions lower the damage dealt to net damage (FH-DMG-04).
    - An attack with 6 net damage makes a wound (FH-DMG-05, FH-WND-01).
    - Without a wound, an aim has no effect (FH-AIM-10).
    - A fatal wound may add 16 damage (FH-AIM-03).
    - HP stop at 0 (FH-DMG-06).
    """
    taken_off = reduced(play.combat[target], dealt, kind, physical)
    net = dealt + sum(term.value for term in taken_off)
    total = net
    extra: tuple[Term, ...] = ()
    wound = is_attack and net >= WOUND
    if wound and aim == "fatal":
        fatal = yield from roll(
            source or target,
            "fatal",
            "1d4",
            rules=("FH-AIM-03",),
            target=4,
            against=target,
            judge=lambda faces, total, target: "16-more" if total == 4 else "no-more",
        )
        if fatal.total == 4:
            total += FATAL
            extra = (Term("fatal", FATAL, "FH-AIM-03"),)
    if wound:
        yield Noted(f"{target} is wounded", target, rules=("FH-WND-01",))
        if aim in ("slowing", "weakening", "disrupting"):
            yield from wounded(play, target, f"wound-{aim}", source)
    yield loss(play.combat[target], total, kind, source, (*terms, *taken_off, *extra))


def loss(
    combatant: Combatant,
    amount: int,
    kind: str,
    source: Id | None = None,
    terms: tuple[Term, ...] = (),
) -> Damaged:
    """Return the event of lost HP, which stop at 0 (FH-DMG-06).

    If the damage exceeds the HP, the last term takes off the excess.
    """
    lost = min(amount, combatant.tracks["hp"].value)
    if lost < amount:
        terms = (*terms, Term("beyond 0", lost - amount, "FH-DMG-06"))
    return Damaged(combatant.id, "hp", lost, kind, source, terms, rules=("FH-DMG-06",))


@rule("FH-AIM-05", "A weakening wound lowers Strength by 1 and takes one BA")
@rule("FH-WND-02", "Wounds with an effect count separately and add up")
def wounded(
    play: Play,
    target: Id,
    condition: str,
    source: Id | None,
    key: str = "",
    data: Mapping[str, Json] | None = None,
) -> Procedure[None]:
    """Record a wound with a lasting effect. Each wound counts separately (FH-WND-02).

    A weakening wound costs a BA at once (FH-AIM-05). The penalty of a disrupting wound ends with
    the battle (FH-AIM-08).
    """
    yield ConditionGained(
        target,
        condition,
        key,
        {"round": this_round(play.combat), **(data or {})},
        lasts(play.combat, condition, target),
        source,
        rules=(WOUNDS[condition], "FH-WND-02"),
    )
    combat = play.combat
    on_turn = target in combat.acting or is_waiting(combat, target)
    if condition == "wound-weakening" and on_turn and combat[target].budget.get("ba", 0) > 0:
        yield Spent(target, {"ba": 1}, rules=("FH-AIM-05",))


def die(play: Play, target: Id, source: Id | None, rule: str) -> Procedure[None]:
    """Kill the target on the spot (FH-FUM-08)."""
    yield Died(target, source, rules=(rule,))
    yield ConditionGained(target, "dead", source=source, rules=(rule,))


@rule("FH-CRT-05", "If the d6 shows 6, the target is defeated at once")
def decisive(play: Play, target: Id) -> Procedure[None]:
    """Defeat the target at once, without damage: a decisive victory (FH-CRT-05)."""
    yield TrackChanged(target, "hp", 0, None, "decisive victory", rules=("FH-CRT-05",))


# ---- healing


@rule("FH-WND-03", "A single healing of 6 or more removes a wound")
@rule("FH-WND-04", "A spell or ability may remove a wound with any amount of healing")
def heal(
    play: Play, target: Id, amount: int, source: Id | None, *, removes_wound: bool = False
) -> Procedure[None]:
    """Heal once. With 6 or more points, also remove one wound.

    - The healing removes a wound even if HP are full (FH-WND-03).
    - A spell may remove a wound with fewer points (FH-WND-04).
    - One healing removes only one wound (FH-WND-05).
    - Nothing heals a dead unit.
    """
    combatant = play.combat[target]
    if combatant.has("dead"):
        yield Noted(f"{combatant.id} is dead and cannot be healed", target)
        return
    yield healed(combatant, "hp", amount, source, ("FH-WND-03",))
    if amount >= WOUND or removes_wound:
        loss = heal_wound(play, target, "FH-WND-04" if removes_wound else "FH-WND-03")
        there = while_there(play, target, loss, "heal")
        yield from interrupt(play, lambda: there, otherwise=None)


@rule("FH-WND-05", "A healing removes one wound, and the owner chooses which")
@rule("FH-WND-06", "The loss by a removed wound ends at once, and a lost BA comes back next turn")
def heal_wound(play: Play, target: Id, rule: str) -> Procedure[None]:
    """Remove one wound and its penalty (FH-WND-06), even if the healer has fallen.

    If the unit has several wounds, its owner chooses the wound (FH-WND-05).
    """
    held = [wound.key for wound in wounds(play.combat[target])]

    def still(now: Combat) -> list[str]:
        there = [wound.key for wound in wounds(now[target])]
        return [key for key in held if key in there]

    def healed_already(play: Play, who: Id, inputs: NoInputs, key: str) -> Iterator[Illegal]:
        if key not in still(play.combat):
            there = still(play.combat)
            yield refuse("FH-WND-05", "no-such-wound", f"{key} is no more", NO_FIELD, there)

    key = next(iter(held), None)
    if len(held) > 1:
        answer = yield from ask(
            Prompt(
                kind="choice",
                name="wound",
                who=target,
                text=f"Which of {play.combat[target].id}'s wounds is healed?",
                options=tuple(
                    Option(key, refusals=partial(healed_already, key=key)) for key in held
                ),
                rules=("FH-WND-05",),
                default=key,
                data={"wounds": [*held]},
                stands=lambda now: len(still(now)) > 1,
            )
        )
        # another healing may have removed a wound while the prompt was open
        left = still(play.combat)
        key = answer.option if answer.option in left else next(iter(left), None)
    for wound in wounds(play.combat[target]):
        if wound.key == key:
            yield ConditionLost(target, wound.id, key, "healed", rules=(rule, "FH-WND-06"))


def wounds(combatant: Combatant) -> list[Condition]:
    """Return the wounds with an effect, oldest first."""
    return [condition for condition in combatant.conditions if condition.id in WOUNDS]
