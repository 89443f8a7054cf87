"""Stress, Wound Points, wounds, healing and attribute damage (HE-STRESS, HE-WP, HE-ATTR).

Module `consequences` applies the results: down, dying or dead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from domain.dice import parse
from domain.record.combat import Id
from domain.record.events import ConditionLost, Damaged, Noted, Term, TrackChanged
from domain.rulebook.effects import Procedure, roll, while_able
from domain.rulebook.play import Play
from domain.rulebook.pools import healed
from domain.rulesets.hallowed_earth.facts import (
    HIT_DICE,
    HIT_HARD,
    TAKEN,
    WOUNDS,
    Wound,
)
from domain.rulesets.hallowed_earth.numbers import awaits_hit_dice, dies_at, modifier
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options, sheet


@dataclass(frozen=True)
class Harm:
    """Damage after Armour. `hit` is true if the damage counts for morale (HE-MOR-02).

    The log omits terms of 0 points.
    """

    amount: int
    types: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    to_wounds: bool = False
    source: Id | None = None
    hit: bool = True
    rules: tuple[str, ...] = ()


@rule("HE-ARM-03", "A hit deals at least 0, and a hit of 0 leaves no wound")
@rule("HE-STRESS-03", "Damage lowers Stress first")
@rule("HE-STRESS-04", "Damage beyond Stress lowers Wound Points in the same hit")
@rule("HE-STRESS-05", "Critical hits and certain effects ignore Stress")
@rule("HE-WP-04", "A loss of Stress is no wound")
@rule("HE-MOR-02", "A single hit for more than half of its maximum Wound Points triggers a check")
def suffer(play: Play, who: Id, harm: Harm) -> Procedure[None]:
    """Apply damage to Stress first (HE-STRESS-03), then to Wound Points (HE-STRESS-04).

    - Data or a critical hit can send all damage to Wound Points (HE-STRESS-05).
    - Damage to Stress is no wound (HE-WP-04), and a hit of 0 is no wound (HE-ARM-03).
    - A monster that loses more than half of its Wound Points in one hit checks morale (HE-MOR-02).
    """
    stress = play.combat[who].tracks["stress"].value
    absorbed = 0 if harm.to_wounds else min(stress, harm.amount)
    rest = harm.amount - absorbed
    made = tuple(term for term in harm.terms if term.value)
    if absorbed or not rest:
        over = Term("to Wound Points", -rest, "HE-STRESS-04")
        terms = (*made, over) if rest else made
        why = ("HE-STRESS-03", "HE-WP-04") if harm.amount else ("HE-ARM-03",)
        yield Damaged(
            who, "stress", absorbed, ", ".join(harm.types), harm.source, terms,
            rules=(*harm.rules, *why),
        )  # fmt: skip
    if rest:
        taken = Term("taken by Stress", -absorbed, "HE-STRESS-03")
        terms = (*made, taken) if absorbed else made
        past = () if absorbed else ("HE-STRESS-05",) if harm.to_wounds else ("HE-STRESS-04",)
        rules = (*harm.rules, *past, "HE-WP-03")
        yield from wound(play, who, rest, harm.types, terms, harm.source, rules)
        combatant = play.combat[who]
        most = combatant.tracks["wound_points"].maximum or 0
        if harm.hit and sheet(combatant).kind == "monster" and 2 * rest > most:
            yield HIT_HARD.set(who, True, rules=("HE-MOR-02",))


@rule("HE-WP-03", "Every loss of Wound Points is one wound with its types and amount")
@rule("HE-STAB-09", "Stabilization ends above 0 Wound Points, or with a wound other than exertion")
def wound(
    play: Play,
    who: Id,
    amount: int,
    types: tuple[str, ...],
    terms: tuple[Term, ...] = (),
    source: Id | None = None,
    rules: tuple[str, ...] = ("HE-WP-03",),
) -> Procedure[None]:
    """Lower Wound Points, and record one wound with its types and amount (HE-WP-03).

    Every wound except exertion ends the condition `stabilized` (HE-STAB-09).
    """
    yield Damaged(who, "wound_points", amount, ", ".join(types), source, terms, rules=rules)
    before = WOUNDS.of(play.combat[who])
    number = max((kept.id for kept in before), default=0) + 1
    recorded = Wound(number, types[0] if len(types) == 1 else types, amount)
    yield WOUNDS.set(who, (*before, recorded), rules=("HE-WP-03",))
    if types != ("exertion",) and play.combat[who].has("stabilized"):
        yield ConditionLost(who, "stabilized", reason="wounded", rules=("HE-STAB-09",))


def deepen(
    play: Play, who: Id, points: int, left: Wound | None, kind: str, source: Id | None
) -> Procedure[None]:
    """Enlarge a wound by a ruling, without a new wound (HE-SEQ-04, HE-WP-03).

    If the wound is already healed, record a new wound.
    """
    rules = ("HE-SEQ-04", "HE-WP-03")
    if left is None or not left.amount:
        terms = (Term("ruling", points, "HE-SEQ-04"),)
        yield from wound(play, who, points, tuple(kind.split(", ")), terms, source, rules)
        return
    yield Damaged(who, "wound_points", points, kind, source, rules=rules)
    wounds = _grown(WOUNDS.of(play.combat[who]), replace(left, amount=points))
    yield WOUNDS.set(who, wounds, rules=rules)


def reopen(play: Play, who: Id, points: int, closed: Sequence[Wound]) -> Procedure[None]:
    """Reopen healed wounds, because a ruling takes the healing back (HE-SEQ-04)."""
    rules = ("HE-SEQ-04", "HE-WP-09")
    yield Damaged(who, "wound_points", points, "other", rules=rules)
    wounds = WOUNDS.of(play.combat[who])
    for wound in closed:
        again = min(points, wound.amount)
        points -= again
        wounds = _grown(wounds, replace(wound, amount=again))
    yield WOUNDS.set(who, wounds, rules=rules)


def _grown(wounds: tuple[Wound, ...], more: Wound) -> tuple[Wound, ...]:
    """Return the wounds with `more` added to the wound with its id, even if it is healed."""
    amounts = {kept.id: kept for kept in wounds}
    there = amounts.get(more.id)
    amount = more.amount + (0 if there is None else there.amount)
    amounts[more.id] = replace(more, amount=amount)
    return tuple(kept for _, kept in sorted(amounts.items()) if kept.amount)


@rule("HE-WP-08", "Exertion and bleeding are wounds of 1")
@rule("HE-INC-04", "The loss follows the action's effect. Stress and Armour do not reduce it")
@rule(
    "HE-DYING-06",
    "These losses can kill, but the last action has still taken effect",
    untold="told as HE-WP-07",
)
def exert(play: Play, who: Id, costs: bool) -> Procedure[None]:
    """Pay the Wound Point for a fallen combatant's action, after its effect (HE-INC-03).

    The loss ignores Stress and Armour (HE-INC-04, HE-WP-08). It can kill the combatant
    (HE-DYING-06).
    """
    if costs and not play.combat[who].has("dead"):
        combatant = play.combat[who]  # self-stabilization pays as before (HE-STAB-10)
        further = combatant.has("stabilized") and TAKEN.of(combatant) > 1
        why = ("HE-STAB-07",) if further else ("HE-INC-03", "HE-INC-04")
        yield from wound(play, who, 1, ("exertion",), rules=(*why, "HE-WP-08"))


# ---- Stress from hit dice


def hit_dice(play: Play) -> Procedure[None]:
    """Roll Stress for each newcomer with hit dice and no maximum Stress (HE-STRESS-01)."""
    while who := next(
        (combatant.id for combatant in play.combat if awaits_hit_dice(combatant)), None
    ):
        yield from while_able(play, who, roll_stress(play, who), "stress")


@rule("HE-STRESS-01", "Maximum Stress has one die and the Strength modifier for each HD or level")
@rule("HE-STRESS-02", "Five d8 and a modifier of +3 are 5d8 + 15")
def roll_stress(play: Play, who: Id) -> Procedure[None]:
    """Roll one die plus the Strength modifier for each HD or level (HE-STRESS-01).

    For example, five d8 with a modifier of +3 are 5d8 + 15 (HE-STRESS-02). Constants in the
    hit dice of the sheet count too. The result is at least 0.
    """

    def dice() -> tuple[list[int], int]:
        """Return the sides of each die to roll, and the points of a first die without a roll."""
        formulas = [parse(dice) for dice in sheet(play.combat[who]).hit_dice]
        sides = [abs(die) for formula in formulas for die in formula.dice]
        first = options(play.combat).first_hit_die_max and sides  # GAP-05
        return sides, sides.pop(0) if first else 0

    def terms() -> tuple[Term, ...]:
        combatant, (rest, sure) = play.combat[who], dice()
        formulas = [parse(dice) for dice in sheet(combatant).hit_dice]
        strength = modifier(play.combat, combatant, "strength") * (len(rest) + bool(sure))
        return (
            Term("Strength", strength, "HE-STRESS-02"),
            Term("hit dice", sum(formula.constant for formula in formulas), "HE-STRESS-01"),
            Term("first die", sure, "HE-STRESS-01"),
        )

    rolled = yield from roll(
        who,
        "stress",
        lambda: "+".join(f"1d{die}" for die in dice()[0]) or "0",
        rules=("HE-STRESS-01",),
        terms=terms,
    )
    most = max(0, rolled.total)
    card = sheet(play.combat[who])
    value = most if card.stress is None else min(card.stress, most)
    yield HIT_DICE.set(who, True)
    yield TrackChanged(who, "stress", value, most, "hit dice", rules=("HE-STRESS-01",))


# ---- healing


@rule(
    "HE-STRESS-09",
    "Stress does not remove the effects of low Wound Points, but still absorbs damage",
)
def heal_stress(play: Play, who: Id, amount: int, source: Id | None = None) -> Procedure[None]:
    """Restore Stress up to the maximum. Effects of low Wound Points remain (HE-STRESS-09)."""
    yield healed(play.combat[who], "stress", amount, source, ("HE-STRESS-09",))


@rule("HE-WP-09", "Healing reduces the wounds by the same amount, the largest first")
def heal_wounds(
    play: Play,
    who: Id,
    amount: int,
    source: Id | None = None,
    first: int | None = None,
    *,
    revives: bool = False,
) -> Procedure[None]:
    """Restore Wound Points up to the maximum, and reduce the largest wounds first (HE-WP-09).

    - `first`: the id of the wound to heal before all others.
    - `revives`: true to heal a dead combatant too.
    """
    combatant = play.combat[who]
    if combatant.has("dead") and not revives:
        yield Noted(f"{who} is dead and cannot be healed", who, rules=("HE-WP-07",))
        return
    gained = healed(combatant, "wound_points", amount, source, ("HE-WP-09",))
    yield gained
    left = gained.amount
    wounds = {kept.id: kept for kept in WOUNDS.of(combatant)}
    for kept in sorted(wounds.values(), key=lambda wound: (wound.id != first, -wound.amount)):
        off = min(left, kept.amount)
        wounds[kept.id] = replace(kept, amount=kept.amount - off)
        left -= off
    yield WOUNDS.set(
        who, tuple(kept for kept in wounds.values() if kept.amount), rules=("HE-WP-09",)
    )
    now = combatant.tracks["wound_points"].value + gained.amount
    if combatant.has("dead") and now > dies_at(combatant).value:
        yield ConditionLost(who, "dead", reason="ruling", rules=("HE-SEQ-04",))
