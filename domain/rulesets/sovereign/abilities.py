"""Powers, feats and items that are data: actions of their own, and Instants (2.4, SOV-INST-09)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combatant, Id, Json, Square, Until
from domain.record.events import ConditionGained, EffectResolved, FactSet, Rolled, Term
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.inputs import OwnAbility, Recipient
from domain.rulebook.play import Play
from domain.rulesets.sovereign import costs, harm
from domain.rulesets.sovereign.facts import USED, USED_THIS_ROUND
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.sheet import Ability, Effect

Part = Literal["own-attack", "attack-against-self", "any"]

Seeing = Callable[[Play, Callable[[], Procedure[Rolled]]], Procedure[Rolled]]
"""How a roll is made where others may answer it (`windows.seen`): as it counts in the end."""

OUTCOME = ("miss-to-hit", "hit-to-miss", "reroll", "modifier")
"""Effects that mean something at a window only."""


class UseAbility(costs.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ability: OwnAbility
    target: Recipient | None = None


Name = Literal["declared", "attack-rolled", "rolled"]


@dataclass(frozen=True)
class Moment:
    """A moment: the window, the actor, the act, its target, its squares, and its result so far.

    `adds`: terms that abilities add here count for the attack roll to come.
    """

    name: Name
    actor: Id
    action: str
    target: Id | None = None
    path: tuple[Square, ...] = ()
    total: int | None = None
    outcome: str = ""
    attack: bool = False
    adds: bool = False

    def part(self, who: Id) -> Part:
        """Return a combatant's part in it."""
        if not self.attack or who not in (self.actor, self.target):
            return "any"
        return "own-attack" if who == self.actor else "attack-against-self"


def ability_of(combatant: Combatant, id: str) -> Ability | None:
    return next((ability for ability in sheet_of(combatant).abilities if ability.id == id), None)


def used(combatant: Combatant, id: str) -> int:
    """How often this round, or this combat."""
    return USED.of(combatant).get(id, 0) + USED_THIS_ROUND.of(combatant).get(id, 0)


def uses_left(combatant: Combatant, ability: Ability) -> bool:
    return ability.uses is None or used(combatant, ability.id) < ability.uses


def fitting(combatant: Combatant, moment: Moment) -> Iterator[Ability]:
    """Yield Instants whose data fit this window and the combatant's part."""
    for ability in sheet_of(combatant).abilities:
        if uses_left(combatant, ability) and fits(ability, combatant.id, moment):
            yield ability


def fits(ability: Ability, who: Id, moment: Moment) -> bool:
    """An Instant; window `rolled` has to be named, before a roll no outcome can be changed
    (SOV-INST-01)."""
    window = moment.name
    named = window in ability.windows or (window != "rolled" and "any" in ability.windows)
    idle = window == "declared" and answers_only(ability, adds=moment.adds)
    mine = ability.trigger in ("any", moment.part(who))
    return ability.action == "instant" and named and not idle and mine


def answers_only(ability: Ability, *, adds: bool = False) -> bool:
    """Whether all it does is to change the outcome of a roll that has been made."""
    late = set(OUTCOME) - ({"modifier"} if adds else set())
    return bool(ability.effects) and {effect.type for effect in ability.effects} <= late


def useful(ability: Ability, outcome: str) -> bool:
    """Whether it could change the visible outcome."""
    kinds = {effect.type for effect in ability.effects}
    if kinds & {"miss-to-hit", "hit-to-miss"}:
        wanted = {"hit": "hit-to-miss", "miss": "miss-to-hit"}.get(outcome)
        return wanted in kinds
    return True


# ---- refusals


def known(combatant: Combatant, inputs: UseAbility) -> Iterator[Illegal]:
    ability = ability_of(combatant, inputs.ability)
    if ability is None:
        mine = [ability.id for ability in sheet_of(combatant).abilities]
        detail = f"no ability {inputs.ability!r}"
        yield refuse("SOV-ACT-01", "missing-data", detail, "ability", mine)
    elif not uses_left(combatant, ability):
        yield refuse("SOV-ACT-07", "no-uses-left", f"{ability.name} is used up", "ability")


def instant_refusals(play: Play, who: Id, inputs: UseAbility, moment: Moment) -> Iterator[Illegal]:
    """At a window: the data must fit it."""
    yield from costs.instant_refusals(play.combat, who)
    yield from known(play.combat[who], inputs)
    ability = ability_of(play.combat[who], inputs.ability)
    if ability is not None and not fits(ability, who, moment):
        detail = f"{ability.name} does not fit here"
        yield refuse("SOV-INST-02", "missing-data", detail, "ability")


# ---- using


def use_instant(
    play: Play, who: Id, inputs: UseAbility, target: Id | None, seen: Seeing
) -> Procedure[Ability | None]:
    """At a window: what changes the outcome is the attack's to apply."""
    ability = ability_of(play.combat[who], inputs.ability)
    assert ability is not None, "the refusals know the ability"
    if not (yield from costs.plausible(play, who, "instant")):
        return None
    if next(known(play.combat[who], inputs), None) is not None:
        return None  # used up, or gone, while the GM was asked
    yield from costs.busy(play.combat, who)
    yield count(play.combat[who], ability)
    yield from effects(play, who, inputs.target or target or who, ability, seen)
    return ability


def count(combatant: Combatant, ability: Ability) -> FactSet:
    uses = USED_THIS_ROUND if ability.per == "round" else USED
    times = {**uses.of(combatant), ability.id: uses.of(combatant).get(ability.id, 0) + 1}
    return uses.set(combatant.id, times, rules=("SOV-ACT-07",))


def effects(play: Play, who: Id, target: Id, ability: Ability, seen: Seeing) -> Procedure[None]:
    """Damage, healing, conditions, immunity to Shock."""
    yield EffectResolved(
        who, "ability", ability.id, "done", ability.name, (target,), rules=("SOV-ACT-01",)
    )
    for index, effect in enumerate(ability.effects):
        now = partial(effect_now, play, who, ability.id, index, effect)
        yield from apply(play, who, target, now, seen)


def effect_now(play: Play, who: Id, ability: Id, index: int, before: Effect) -> Effect:
    """Return the effect in the present sheet. A missing one stays as it was."""
    mine = ability_of(play.combat[who], ability)
    return before if mine is None or index >= len(mine.effects) else mine.effects[index]


def apply(
    play: Play, who: Id, target: Id, now: Callable[[], Effect], seen: Seeing
) -> Procedure[None]:
    """One effect on one target; its roll may be answered like others (SOV-INST-01)."""
    effect = now()
    die = partial(roll, who, formula=lambda: now().dice or "0", against=target)
    match effect.type:
        case "damage":
            throw = partial(die, purpose="effect", rules=("SOV-ACT-01",))
            amount = max(0, (yield from seen(play, throw)).total)
            yield from harm.hurt(
                play,
                target,
                amount,
                source=who,
                kind="effect",
                non_lethal=effect.non_lethal,
                terms=(Term("effect", amount, "SOV-ACT-01"),),
            )
        case "heal":
            throw = partial(die, purpose="heal", rules=("SOV-DOWN-07",))
            amount = max(0, (yield from seen(play, throw)).total)
            yield from harm.heal(play, target, amount, who, strain=effect.system_strain)
        case "condition":
            yield gained(play, target, effect.condition or "", effect.data, effect.until, who)
        case "shock-immune":
            until = effect.until or "round"
            data = {"shock_immune": True}
            yield gained(play, target, "shock-immune", data, until, who)
        case _:  # the attack applies changes of its outcome
            pass


def gained(
    play: Play,
    target: Id,
    condition: str,
    data: Mapping[str, Json],
    until: str | None,
    source: Id | None,
) -> ConditionGained:
    """Return a condition from data. A dying combatant counts from this round on (SOV-DOWN-04)."""
    if condition == "mortally-injured":
        data = {"round": play.combat.round, **data}
    return ConditionGained(
        target,
        condition,
        data=data,
        until=until_of(play, target, until, condition),
        source=source,
        rules=("SOV-SHOCK-07",) if data.get("shock_immune") else ("SOV-ACT-01",),
    )


ENDS: Mapping[str, str] = {
    "charging": "round",
    "disengaged": "round",
    "holding": "round",
    "screening": "next-turn",
    "total-defense": "next-turn",
    "surprised": "surprise-round-end",
}
"""The ends of the rulebook's conditions, from any source (section 5)."""


def until_of(play: Play, target: Id, until: str | None, condition: str = "") -> tuple[Until, ...]:
    """ "round" (or "round-end") or "next-turn"; other words are for the GM. None = as the rulebook
    has it for the condition (SOV-SEQ-06, -07)."""
    match until or ENDS.get(condition):
        case "surprise-round-end":  # the surprise is over (SOV-SURP-07)
            return (Until("surprise-round-end"),)
        case "round" | "round-end":
            return (Until("round-end"),)
        case "next-turn":
            return (Until("turn-start", target),)
        case _:
            return ()
