"""Break concentration, apply simultaneous results, and roll saves (VD-CONC, VD-DMG)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.combat import Combat, Combatant, Id, Json, Until
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    EffectResolved,
    Noted,
    Term,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask_gm, roll, while_there
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, choices
from domain.rulesets.vile_darkness.facts import (
    CASTING,
    DEAD_OR_DOWN,
    FALL,
    HIT_POINTS_ROLLED,
    LANDING,
    MAINTAINED,
    ROUND_END,
    USED,
    WORK,
)
from domain.rulesets.vile_darkness.notation import SEGMENTS, needs_concentration
from domain.rulesets.vile_darkness.numbers import (
    ability_of,
    all_attributes,
    hit_dice,
    hit_points,
    is_only_down,
    save_number,
    save_terms,
    sheet,
)
from domain.rulesets.vile_darkness.outcomes import of_ability, of_activity
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, Effect, Number, Span
from domain.rulesets.vile_darkness.slots import use_major

# ---- concentration (VD-CONC)


def in_hand(combatant: Combatant) -> Ability | None:
    """Return the ability that the combatant is casting.

    Return `None` if no spell is in progress, or if the sheet has lost the ability.
    """
    casting = CASTING.of(combatant)
    return None if casting is None else ability_of(combatant, casting.ability)


def _casts(combatant: Combatant) -> bool:
    """Return true if the combatant is casting a spell that needs concentration."""
    ability = in_hand(combatant)
    return CASTING.of(combatant) is not None and (ability is None or needs_concentration(ability))


def concentrates(combatant: Combatant) -> bool:
    """Return true if the combatant concentrates on a spell, activity or maintained ability.

    VD-CONC-01.
    """
    work = WORK.of(combatant)
    return (
        _casts(combatant)
        or combatant.has("concentrating")
        or (work is not None and work.concentration)
    )


@rule(
    "VD-CONC-01",
    "Some actions need concentration to start or to maintain, and both can be broken",
)
def break_all(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """Break every concentration of the combatant, without a roll (VD-CONC-02).

    The combatant loses its spell in progress, its maintained ability and its concentrated activity.
    """
    if _casts(combatant):
        yield from spell_lost(combatant, why, rule)
    work = WORK.of(combatant)
    if work is not None and work.concentration:
        yield from work_ended(combatant, why, rule)
    yield from stop_maintaining(combatant, why, rule)


def stop_maintaining(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End the maintained ability. `held_no_longer` ends its effects (VD-CONC-04)."""
    if combatant.has("concentrating"):
        yield MAINTAINED.clear(combatant.id, rules=(rule,))
        yield ConditionLost(combatant.id, "concentrating", "", why, rules=(rule, "VD-CONC-04"))


def another(combatant: Combatant) -> Iterator[AnyEvent]:
    """End the concentration that a new concentration replaces (VD-CONC-07)."""
    yield from break_all(combatant, "another concentration", "VD-CONC-07")


@rule("VD-CONC-07", "A new concentration ends the running one")
def maintain(combatant: Combatant, ability: str) -> Iterator[AnyEvent]:
    """Maintain an ability. The previous concentration ends (VD-CONC-07)."""
    yield from stop_maintaining(combatant, "another concentration", "VD-CONC-07")
    yield MAINTAINED.set(combatant.id, ability, rules=("VD-CONC-01",))
    yield ConditionGained(combatant.id, "concentrating", rules=("VD-CONC-01", "VD-CONC-04"))


@rule("VD-CONC-08", "An incantation whose concentration breaks is used up as if it were cast")
def spell_lost(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End a spell in progress without effect. The spell counts as cast (VD-CONC-08)."""
    casting = CASTING.of(combatant)
    yield from no_longer_casting(combatant, why, rule)
    if casting is not None:
        yield of_ability(
            combatant.id,
            in_hand(combatant) or casting.ability,
            "lost",
            spot=casting.target,
            detail=why,
            rules=(rule, "VD-CONC-08"),
        )


def no_longer_casting(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End a casting, because its spell has resolved or is lost."""
    ability = in_hand(combatant)
    yield ConditionLost(combatant.id, "casting", "", why, rules=(rule,))
    yield CASTING.clear(combatant.id, rules=(rule,))
    if ability is not None:
        yield from use_up(combatant, ability.id, ability.uses)
    yield from use_major(combatant)


def use_up(combatant: Combatant, ability: str, uses: int | None) -> Iterator[AnyEvent]:
    """Count a use of an ability that has a limited number of uses."""
    if uses is not None:
        spent = {**USED.of(combatant), ability: USED.of(combatant).get(ability, 0) + 1}
        yield USED.set(combatant.id, spent, rules=("VD-CONC-08",))


def work_ended(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End an unfinished complex activity, which uses up the major action (VD-CPLX-04)."""
    work = WORK.of(combatant)
    assert work is not None
    yield WORK.clear(combatant.id, rules=(rule,))
    power = ability_of(combatant, work.ability)
    if power is not None:
        yield from use_up(combatant, power.id, power.uses)
    yield ConditionLost(combatant.id, "complex-activity", "", why, rules=(rule,))
    yield from use_major(combatant)
    if power is not None:
        yield of_ability(combatant.id, power, "lost", spot=work.target, detail=why, rules=(rule,))
    else:
        yield of_activity(combatant.id, work.name, "lost", detail=why, rules=(rule,))


@rule("VD-CONC-04", "Lost concentration ends the effect and every condition that it gave")
def held_no_longer(combat: Combat) -> Iterator[AnyEvent]:
    """End conditions whose caster no longer concentrates on the ability (VD-CONC-04)."""
    for combatant in combat:
        for held in combatant.conditions:
            by: Id | None = held.data.get("maintained_by")
            if by is None:
                continue
            caster = combat.combatants.get(by)
            keeps = caster is not None and not caster.left and caster.has("concentrating")
            if caster is None or not keeps or MAINTAINED.of(caster) != held.data.get("ability"):
                rules = ("VD-CONC-04",)
                yield ConditionLost(
                    combatant.id, held.id, held.key, "concentration ended", rules=rules
                )


# ---- results of a batch


@dataclass(frozen=True)
class Hurt:
    """A loss of hit points that Affray applies later."""

    who: Id
    amount: int
    terms: tuple[Term, ...] = ()
    source: Id | None = None
    kind: str = ""
    rules: tuple[str, ...] = ("VD-DMG-01",)


@dataclass(frozen=True)
class Gift:
    """A condition that begins when the results apply.

    If `maintained` is true, the condition ends when `source` stops concentrating on `ability`.
    """

    who: Id
    effect: Effect
    source: Id | None = None
    ability: str = ""
    duration: Span | None = None
    maintained: bool = False
    rules: tuple[str, ...] = ("VD-ATK-06",)


@dataclass(frozen=True)
class Failed:
    """A failed save, which breaks concentration when the results apply (VD-CONC-03)."""

    who: Id


@dataclass(frozen=True)
class Said:
    """A note that Affray records when the results apply."""

    note: EffectResolved | Noted


@dataclass(frozen=True)
class Then:
    """A change whose events `make` returns when the results apply.

    Changes of a lower `stage` come first.
    """

    make: Callable[[], Iterable[AnyEvent]]
    stage: int = 0


Result = Hurt | Gift | Failed | Said | Then
Results = list[Result]
"""The results that a batch collects while it rolls."""


def land(play: Play, results: Iterable[Result]) -> Procedure[None]:
    """Apply all results of a moment."""
    yield from falling(play, results)


def in_turn(results: Mapping[Id, Results]) -> Iterator[Result]:
    """Yield the results of a batch in the order of combatant ids.

    The order of joining therefore has no effect.
    """
    for who in sorted(results):
        yield from results[who]


def falling(play: Play, results: Iterable[Result]) -> Iterator[AnyEvent]:
    """Yield the events of all results of a moment, in this order:

    1. changes that `Then` makes
    2. damage
    3. broken concentration
    4. conditions and notes
    """
    kept, began = list(results), next_began(play.combat)
    harm = [result for result in kept if not isinstance(result, Then)]
    together = len(harm) > 1 and any(isinstance(result, Hurt) for result in harm)
    if together:
        yield LANDING.set(True, rules=("VD-INIT-07",))
    changes = [result for result in kept if isinstance(result, Then)]
    for then in sorted(changes, key=lambda then: then.stage):
        yield from list(then.make())
    for hurt in (result for result in kept if isinstance(result, Hurt)):
        if not play.combat[hurt.who].left:
            # Hit points have no minimum, because `consequences` handles the fall (GAP-22).
            yield Damaged(
                hurt.who, "hp", hurt.amount, hurt.kind, hurt.source, hurt.terms, rules=hurt.rules
            )
    for result in kept:
        if isinstance(result, Failed) and not play.combat[result.who].left:
            yield from list(break_all(play.combat[result.who], "a failed save", "VD-CONC-03"))
    for result in kept:
        if isinstance(result, Gift) and not play.combat[result.who].left:
            yield gained(play.combat, result, began)
        elif isinstance(result, Said):
            yield result.note
    if together:
        yield LANDING.clear(rules=("VD-INIT-07",))


def gained(combat: Combat, gift: Gift, began: int | None = None) -> ConditionGained:
    """Return the event that begins a condition. Each source has its own instance (GAP-57)."""
    combatant, effect = combat[gift.who], gift.effect
    given = Span(rounds=effect.rounds, segments=effect.segments)
    span = given if effect.rounds or effect.segments else gift.duration
    data: dict[str, Json] = {}
    if effect.flags:
        data["flags"] = list(effect.flags)
    modifiers: Mapping[str, int] = msgspec.to_builtins(effect.modifiers)
    if any(modifiers.values()):
        data["modifiers"] = {name: value for name, value in modifiers.items() if value}
    if effect.ongoing:
        data |= ongoing(effect.ongoing, began or next_began(combat))
    if gift.maintained:
        data["maintained_by"] = gift.source
        data["ability"] = gift.ability
    return ConditionGained(
        combatant.id,
        effect.condition,
        free_key(combatant, effect.condition),
        data,
        lasting(combat, span),
        gift.source,
        rules=gift.rules,
    )


def as_effect(condition: str, given: Any) -> Effect:
    """Return the effect of a condition, with its flags, modifiers and ongoing damage."""
    return Effect(
        condition=condition, flags=given.flags, modifiers=given.modifiers, ongoing=given.ongoing
    )


def ongoing(formula: str, began: int) -> dict[str, Json]:
    """Return the data of ongoing damage. Effects with a lower `began` deal damage first."""
    return {"ongoing": formula, "began": began}


def next_began(combat: Combat) -> int:
    """Return the next number for `began`, above the numbers of all ongoing effects."""
    every = [held.data for combatant in combat for held in combatant.conditions]
    return 1 + max((int(data["began"]) for data in every if "began" in data), default=0)


def free_key(combatant: Combatant, condition: str) -> str:
    """Return a key that no other instance of the condition uses."""
    taken = {held.key for held in combatant.conditions}
    number = 1
    while f"{condition}#{number}" in taken:
        number += 1
    return f"{condition}#{number}"


def lasting(combat: Combat, span: Span | None) -> tuple[Until, ...]:
    """Return the moment at which a span ends, or nothing for a span without an end.

    - A span of n rounds that begins in round r ends in step 8 of round r + n − 1 (GAP-21).
    - A span of n segments counts as ⌈n/10⌉ rounds (GAP-40).
    """
    if span is None or (span.rounds is None and span.segments is None):
        return ()
    rounds = (span.rounds or 0) + -(-(span.segments or 0) // SEGMENTS)
    return (Until(ROUND_END, None, max(1, combat.round) + max(1, rounds) - 1),)


# ---- falls


def fall(play: Play, who: Id) -> Procedure[None]:
    """Record that a combatant is down or dead. If the data do not decide, ask the GM (GAP-22)."""
    combatant = play.combat[who]
    by = next((held.source for held in combatant.conditions if held.id in DEAD_OR_DOWN), None)
    if combatant.has("dead"):
        yield FALL.set(who, "dead", rules=("VD-FREE-01",))
        yield Died(who, by, rules=("VD-FREE-01",))
        return
    yield FALL.set(who, "down", rules=("VD-FREE-01",))
    yield Downed(who, by, rules=("VD-FREE-01",))
    if sheet(combatant).dead_at is not None:
        return
    answer = yield from ask_gm(
        "dying",
        f"{who} has fallen. What happens to {who}?",
        DYING,
        "down",
        rules=("VD-FREE-01",),
        data={"target": who, "hp": play.combat[who].tracks["hp"].value},
        stands=lambda now: is_only_down(now[who]) and not now[who].left,
    )
    if answer.option == "dead" and not play.combat[who].has("dead"):
        yield ConditionGained(who, "dead", rules=("VD-FREE-01",))
    elif answer.option == "up":
        yield ConditionLost(who, "down", "", "ruling", rules=("VD-FREE-01",))


DYING = choices("down", "dead", "up")


def roll_hit_points(play: Play, who: Id) -> Procedure[None]:
    """Roll the hit points of a newcomer without a maximum: `Nd8 + N×B` (VD-EHD-05)."""
    dice = hit_dice(sheet(play.combat[who]))
    assert dice is not None  # Affray refuses a sheet that has neither a maximum nor hit dice
    yield HIT_POINTS_ROLLED.set(who, True, rules=("VD-EHD-05",))

    def formula() -> str:
        return hit_points(hit_dice(sheet(play.combat[who])) or dice)

    gone = partial(play.absent, who)
    rolled = yield from roll(who, "hit-points", formula, rules=("VD-EHD-05",), stops=gone)
    if rolled is None:
        return
    hp = sheet(play.combat[who]).hp
    value = rolled.total if hp is None else min(hp, rolled.total)
    yield TrackChanged(who, "hp", value, rolled.total, "hit dice", rules=("VD-EHD-05",))


# ---- saves


class SaveNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's number for a save."""

    number: Number


SET_NUMBER = (
    Option(
        "set",
        SaveNumber,
        candidates=lambda play, _: ({"number": at} for at in (5, 12, 20)),
        label="This total makes it",
    ),
)


def saved(
    play: Play, who: Id, category: str, attributes: tuple[str, ...]
) -> Procedure[list[Result]]:
    """Roll a save, and return its failure as a result, because a failure breaks concentration.

    A combatant that has left makes no save (GAP-54).
    """
    failed = yield from while_there(play, who, _saved(play, who, category, attributes), "save")
    return failed or []


def _saved(
    play: Play, who: Id, category: str, attributes: tuple[str, ...]
) -> Procedure[list[Result]]:
    number = save_number(play.combat, play.combat[who], category)
    if number is None:
        answer = yield from ask_gm(
            "missing-save-number",
            f"Which total does {who} need to save against {category}?",
            SET_NUMBER,
            None,
            rules=("VD-EHD-03",),
            data={"target": who, "category": category},
        )
        number = int(answer.inputs.number)
    said = number

    def wanted() -> int:
        now = save_number(play.combat, play.combat[who], category)
        return said if now is None else now

    def terms() -> Iterable[Term]:
        return save_terms(play.combat[who], category, all_attributes(play.combat, attributes))

    rolled = yield from roll(
        who,
        "save",
        "1d20",
        rules=("VD-ATK-06", "VD-CONC-03"),
        terms=terms,
        target=wanted,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    return [] if rolled.outcome == "success" else [Failed(who)]
