"""Stress, Wound Points, wounds, and what follows from them (HE-STRESS, HE-WP, HE-STAB, HE-ATTR)."""

from dataclasses import dataclass
from typing import Any

from domain.record.combat import Id
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    FactSet,
    Healed,
    Noted,
    Term,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.hallowed_earth.numbers import current, death_limit, sheet
from domain.rulesets.hallowed_earth.sheet import Attribute


@dataclass(frozen=True)
class Harm:
    """Damage as it reaches somebody, after Armour. `hit`: it counts for morale (HE-MOR-02)."""

    amount: int
    types: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    to_wounds: bool = False
    source: Id | None = None
    hit: bool = True
    rule: str = "HE-STRESS-03"


def suffer(play: Play, who: Id, harm: Harm) -> Procedure[None]:
    """Stress first; what is left, even of the same hit, to Wound Points (HE-STRESS-03, -04)."""
    stress = play.combat[who].tracks["stress"].value
    absorbed = 0 if harm.to_wounds else min(stress, harm.amount)
    rest = harm.amount - absorbed
    kind = ", ".join(harm.types)
    if absorbed or not rest:  # a hit of 0 leaves no wound (HE-ARM-03)
        over = Term("to Wound Points", -rest, "HE-STRESS-04")
        terms = (*harm.terms, over) if rest else harm.terms
        yield Damaged(who, "stress", absorbed, kind, harm.source, terms, rules=(harm.rule,))
    if rest:
        taken = Term("taken by Stress", -absorbed, "HE-STRESS-03")
        terms = (*harm.terms, taken) if absorbed else harm.terms
        yield from wound(play, who, rest, harm.types, terms, harm.source, hit=harm.hit)


def wound(
    play: Play,
    who: Id,
    amount: int,
    types: tuple[str, ...],
    terms: tuple[Term, ...] = (),
    source: Id | None = None,
    *,
    hit: bool = False,
    rule: str = "HE-WP-03",
) -> Procedure[None]:
    """Wound Points are lost: one recorded wound with its types and amount (HE-WP-03)."""
    one = play.combat[who]
    most = one.tracks["wound_points"].maximum or 0
    yield Damaged(who, "wound_points", amount, ", ".join(types), source, terms, rules=(rule,))
    wounds = list(one.facts.get("wounds", []))
    number = max((int(kept["id"]) for kept in wounds), default=0) + 1
    kind: Any = types[0] if len(types) == 1 else list(types)
    wounds.append({"id": number, "type": kind, "amount": amount})
    yield FactSet(who, "wounds", wounds, rules=("HE-WP-03",))
    if hit and sheet(one).kind == "monster" and 2 * amount > most:
        yield FactSet(who, "wounded", True, rules=("HE-MOR-02",))
    if one.has("stabilized") and types != ("exertion",):
        yield ConditionLost(who, "stabilized", reason="wounded", rules=("HE-STAB-09",))
    yield from come_to_state(play, who, source)


def come_to_state(play: Play, who: Id, source: Id | None = None) -> Procedure[None]:
    """0 incapacitated, below 0 dying, at −Strength dead, above 0 none (HE-WP-05 to -07)."""
    one = play.combat[who]
    points = one.tracks["wound_points"].value
    if one.has("dead"):
        return
    if points <= death_limit(one):
        yield from die(play, who, source, "HE-WP-07")
    elif points < 0:
        yield from _become(play, who, "dying", source, "HE-WP-06")
    elif points == 0:
        yield from _become(play, who, "incapacitated", source, "HE-WP-05")
    else:
        for condition in ("incapacitated", "dying", "stabilized"):
            if one.has(condition):
                yield ConditionLost(who, condition, reason="healed", rules=("HE-WP-09",))
        if one.facts.get("crawl_progress_ft"):
            yield FactSet(who, "crawl_progress_ft", None, rules=("HE-INC-02",))


def _become(play: Play, who: Id, state: str, source: Id | None, rule: str) -> Procedure[None]:
    one = play.combat[who]
    if one.has(state):
        return
    other = "dying" if state == "incapacitated" else "incapacitated"
    fell = not one.has(other)
    if not fell:
        yield ConditionLost(who, other, reason=state, rules=(rule,))
    yield ConditionGained(who, state, source=source, rules=(rule,))
    if fell:
        yield Downed(who, source, rules=(rule,))


def die(play: Play, who: Id, source: Id | None, rule: str) -> Procedure[None]:
    """Dead: it leaves the order (section 5)."""
    for condition in ("incapacitated", "dying", "stabilized"):
        if play.combat[who].has(condition):
            yield ConditionLost(who, condition, reason="dead", rules=(rule,))
    yield ConditionGained(who, "dead", source=source, rules=(rule,))
    yield Died(who, source, rules=(rule,))


def exert(play: Play, who: Id) -> Procedure[None]:
    """The Wound Point that an action costs somebody who is down (HE-INC-03, -04, HE-WP-08)."""
    if not play.combat[who].has("dead"):
        yield from wound(play, who, 1, ("exertion",), rule="HE-INC-03")


# ---- healing


def heal_stress(play: Play, who: Id, amount: int, source: Id | None = None) -> Procedure[None]:
    """Stress back, up to the maximum."""
    track = play.combat[who].tracks["stress"]
    room = max(0, (track.maximum or 0) - track.value)
    yield Healed(who, "stress", min(amount, room), source, rules=("HE-STRESS-09",))


def heal_wounds(
    play: Play, who: Id, amount: int, source: Id | None = None, first: int | None = None
) -> Procedure[None]:
    """Wound Points back; as much comes off the wounds, the largest first (HE-WP-09).

    `first`: the id of the wound that the GM heals before all others.
    """
    one = play.combat[who]
    if one.has("dead"):
        yield Noted(f"{who} is dead and cannot be healed", who, rules=("HE-WP-07",))
        return
    track = one.tracks["wound_points"]
    gained = min(amount, max(0, (track.maximum or 0) - track.value))
    yield Healed(who, "wound_points", gained, source, rules=("HE-WP-09",))
    wounds = [dict(kept) for kept in one.facts.get("wounds", [])]
    left = gained
    for kept in sorted(wounds, key=lambda each: (each["id"] != first, -each["amount"])):
        off = min(left, kept["amount"])
        kept["amount"] -= off
        left -= off
    yield FactSet(
        who, "wounds", [kept for kept in wounds if kept["amount"]] or None, rules=("HE-WP-09",)
    )
    yield from come_to_state(play, who)


# ---- attributes


def damage_attribute(play: Play, who: Id, attribute: Attribute, amount: int) -> Procedure[None]:
    """The score falls, not below 0; Strength takes Wound Points along (HE-ATTR-03 to -06)."""
    one = play.combat[who]
    before = current(one, attribute)
    off = min(amount, before)
    lost = dict(one.facts.get("attribute_damage", {}))
    lost[attribute] = lost.get(attribute, 0) + off
    yield FactSet(who, "attribute_damage", lost, rules=("HE-ATTR-03",))
    yield Noted(f"{attribute} {before} → {before - off}", who, rules=("HE-ATTR-03",))
    if attribute == "strength":
        track = one.tracks["wound_points"]
        most = (track.maximum or 0) - off
        value = min(track.value, most)
        yield TrackChanged(
            who, "wound_points", value, most, "Strength damage", rules=("HE-ATTR-05",)
        )
        yield from come_to_state(play, who)
    if before > 0 and before == off:
        yield from _at_zero(play, who, attribute)


def restore_attribute(play: Play, who: Id, attribute: Attribute, amount: int) -> Procedure[None]:
    """Attribute damage is healed by data or a ruling; Strength gives its maximum back."""
    lost = dict(play.combat[who].facts.get("attribute_damage", {}))
    back = min(amount, lost.get(attribute, 0))
    lost[attribute] = lost.get(attribute, 0) - back
    yield FactSet(who, "attribute_damage", lost, rules=("HE-INJ-09",))
    if attribute == "strength" and back:
        most = (play.combat[who].tracks["wound_points"].maximum or 0) + back
        yield TrackChanged(who, "wound_points", None, most, "Strength healed", rules=("HE-INJ-09",))


def _at_zero(play: Play, who: Id, attribute: Attribute) -> Procedure[None]:
    """A score of 0 is the GM's to rule (HE-ATTR-06)."""
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name="attribute-zero",
            who=None,
            text=f"{attribute} of {who} is 0: what becomes of it?",
            options=choices("helpless", "dead", "nothing-more"),
            rules=("HE-ATTR-06",),
            default="helpless",
            data={"combatant": who, "attribute": attribute},
        )
    )
    if answer.option == "helpless":
        yield ConditionGained(who, "helpless", f"helpless:{attribute}", rules=("HE-ATTR-06",))
    elif answer.option == "dead" and not play.combat[who].has("dead"):
        yield from die(play, who, None, "HE-ATTR-06")
