"""Harm and its results: results that take effect together, falls, hit points.

Everybody in a batch rolls first, then all results apply. So nobody's fall prevents another's blow,
and the order of joining decides nothing (GAP-11).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

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
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness.concentration import break_all
from domain.rulesets.vile_darkness.conditions import DEAD_OR_DOWN
from domain.rulesets.vile_darkness.facts import FALL, HIT_POINTS_ROLLED, LANDING, ROUND_END
from domain.rulesets.vile_darkness.hit_dice import hit_dice, hit_points
from domain.rulesets.vile_darkness.numbers import is_only_down, sheet
from domain.rulesets.vile_darkness.sheet import SEGMENTS, Effect, Span


@dataclass(frozen=True)
class Hurt:
    """Points that a combatant will lose."""

    who: Id
    amount: int
    terms: tuple[Term, ...] = ()
    source: Id | None = None
    kind: str = ""
    rules: tuple[str, ...] = ("VD-DMG-01",)


@dataclass(frozen=True)
class Gift:
    """A condition that a combatant will get. It may be `maintained` by a caster's concentration."""

    who: Id
    effect: Effect
    source: Id | None = None
    ability: str = ""
    duration: Span | None = None
    maintained: bool = False
    rules: tuple[str, ...] = ("VD-ATK-06",)


@dataclass(frozen=True)
class Failed:
    """A failed save, which breaks concentration (VD-CONC-03)."""

    who: Id


@dataclass(frozen=True)
class Said:
    """A note that is recorded when the results apply."""

    note: EffectResolved | Noted


@dataclass(frozen=True)
class Then:
    """Another change, made from the combat at the moment of the results.

    All changes of one `stage` come before those of the next.
    """

    make: Callable[[], Iterable[AnyEvent]]
    stage: int = 0


Result = Hurt | Gift | Failed | Said | Then
Results = list[Result]
"""A batch collects them while it rolls."""


def land(play: Play, results: Iterable[Result]) -> Procedure[None]:
    """Everything takes effect: other changes, damage, broken concentration, conditions."""
    yield from falling(play, results)


def in_turn(results: Mapping[Id, Results]) -> Iterator[Result]:
    """Return the results of a batch in an order that does not depend on who joined first."""
    for who in sorted(results):
        yield from results[who]


def falling(play: Play, results: Iterable[Result]) -> Iterator[AnyEvent]:
    """Return the events of it; ongoing effects of one moment have begun together."""
    kept, began = list(results), next_began(play.combat)
    harm = [one for one in kept if not isinstance(one, Then)]
    together = len(harm) > 1 and any(isinstance(one, Hurt) for one in harm)
    if together:
        yield LANDING.set(True, rules=("VD-INIT-07",))
    for then in sorted((one for one in kept if isinstance(one, Then)), key=lambda then: then.stage):
        yield from list(then.make())
    for hurt in (one for one in kept if isinstance(one, Hurt)):
        if not play.combat[hurt.who].left:
            # Hit points have no floor, and their consequences follow by themselves (GAP-22).
            yield Damaged(
                hurt.who, "hp", hurt.amount, hurt.kind, hurt.source, hurt.terms, rules=hurt.rules
            )
    for one in kept:
        if isinstance(one, Failed) and not play.combat[one.who].left:
            yield from list(break_all(play.combat[one.who], "a failed save", "VD-CONC-03"))
    for one in kept:
        if isinstance(one, Gift) and not play.combat[one.who].left:
            yield gained(play.combat, one, began)
        elif isinstance(one, Said):
            yield one.note
    if together:
        yield LANDING.clear(rules=("VD-INIT-07",))


def gained(combat: Combat, gift: Gift, began: int | None = None) -> ConditionGained:
    """A condition of its own for each source (GAP-57); when it ends stands in `until`."""
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
    """A condition that comes with flags, modifiers and ongoing damage."""
    return Effect(
        condition=condition, flags=given.flags, modifiers=given.modifiers, ongoing=given.ongoing
    )


def ongoing(formula: str, began: int) -> dict[str, Json]:
    """Damage of each end of round; `began` keeps the order in which such effects began."""
    return {"ongoing": formula, "began": began}


def next_began(combat: Combat) -> int:
    """The number of an ongoing effect that begins now."""
    every = [held.data for combatant in combat for held in combatant.conditions]
    return 1 + max((int(data["began"]) for data in every if "began" in data), default=0)


def free_key(combatant: Combatant, condition: str) -> str:
    """A key that no instance has."""
    taken = {held.key for held in combatant.conditions}
    number = 1
    while f"{condition}#{number}" in taken:
        number += 1
    return f"{condition}#{number}"


def lasting(combat: Combat, span: Span | None) -> tuple[Until, ...]:
    """Return the end of a span.

    {rounds: n} gained in round r ends in step 8 of round r + n − 1 (GAP-21). n segments end at the
    ⌈n/10⌉-th end of round (GAP-40).
    """
    if span is None or (span.rounds is None and span.segments is None):
        return ()
    rounds = (span.rounds or 0) + -(-(span.segments or 0) // SEGMENTS)
    return (Until(ROUND_END, None, max(1, combat.round) + max(1, rounds) - 1),)


# ---- falls


def fall(play: Play, who: Id) -> Procedure[None]:
    """Tell that a combatant is down or dead. Without data, the GM rules (GAP-22)."""
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
        f"{who} has fallen. What becomes of it?",
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
    """Roll N d8 + N×B for a newcomer without maximum hit points (VD-EHD-05)."""
    dice = hit_dice(sheet(play.combat[who]))
    assert dice is not None  # else the sheet was refused
    yield HIT_POINTS_ROLLED.set(who, True, rules=("VD-EHD-05",))

    def formula() -> str:
        return hit_points(hit_dice(sheet(play.combat[who])) or dice)

    rolling = roll(who, "hit-points", formula, rules=("VD-EHD-05",))
    rolled = yield from while_there(play, who, rolling, "hit-points")
    if rolled is None:
        return
    hp = sheet(play.combat[who]).hp
    value = rolled.total if hp is None else min(hp, rolled.total)
    yield TrackChanged(who, "hp", value, rolled.total, "hit dice", rules=("VD-EHD-05",))
