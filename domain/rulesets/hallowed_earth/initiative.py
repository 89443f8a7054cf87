"""The initiative die, Round Initiative, the queue of turns, missed numbers (HE-INIT, HE-LATE)."""

from collections.abc import Iterator

from domain.dice import parse
from domain.record.combat import Combat, Combatant, Id, Place
from domain.record.events import (
    AnyEvent,
    BudgetSet,
    FactSet,
    InitiativeSet,
    Noted,
    Term,
    TrackChanged,
    TurnBegan,
)
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import declaring
from domain.rulesets.hallowed_earth.numbers import (
    by_agility,
    count,
    counting,
    has_carried,
    modifier,
    options,
    sheet,
)

MISSED = -12
"""A missed turn comes so much earlier in the next round (HE-LATE-05)."""


# ---- the dice


def roll_all(play: Play) -> Procedure[None]:
    """Everybody who has no Base Initiative yet rolls once; a group shares a die (HE-INIT-01)."""
    while (pending := _without(play.combat)) != []:
        yield from roll_one(play, pending[0])


def _without(combat: Combat) -> list[Id]:
    return [one.id for one in combat if "base_initiative" not in one.facts]


def roll_one(play: Play, who: Id) -> Procedure[None]:
    """The die of one combatant, or of its group (HE-SHARE-01); Stress first if it is to roll."""
    one = play.combat[who]
    name = sheet(one).initiative_group
    group = [who]
    if name is not None:
        group = [
            other
            for other in _without(play.combat)
            if sheet(play.combat[other]).initiative_group == name
        ]
    for member in group:
        yield from roll_stress(play, member)
    alone = len(group) == 1
    rolled = yield from roll(
        who,
        "initiative",
        "1d12",
        rules=("HE-INIT-01",) if alone else ("HE-INIT-01", "HE-SHARE-01"),
        terms=_terms(play.combat, one) if alone else (),
        by_gm=not alone,
    )
    for member in group:
        own = declaring.own_modifier(play.combat, play.combat[member])
        base = rolled.faces[0] + own  # a bonus is subtracted (HE-INIT-02, HE-SHARE-02)
        yield FactSet(member, "base_initiative", base, rules=("HE-INIT-02", "HE-INIT-05"))
        yield Noted(f"Base Initiative {base}", member, rules=("HE-INIT-02",))


def _terms(combat: Combat, one: Combatant) -> tuple[Term, ...]:
    return (
        Term("Agility", -modifier(combat, one, "agility"), "HE-INIT-02"),
        *(
            Term(each.reason or "modifier", each.value, "HE-INIT-03")
            for each in sheet(one).initiative_modifiers
        ),
    )


def roll_stress(play: Play, who: Id) -> Procedure[None]:
    """One die and one Strength modifier for each HD or level, not below 0 (HE-STRESS-01)."""
    one = play.combat[who]
    card = sheet(one)
    dice = [die for each in card.hit_dice for die in parse(each).dice]
    if card.max_stress is not None or not dice or "stress_rolled" in one.facts:
        return
    strength = modifier(play.combat, one, "strength") * len(dice)
    sure = abs(dice.pop(0)) if options(play.combat).first_hit_die_max else 0  # GAP-05
    rolled = yield from roll(
        who,
        "stress",
        "+".join(f"1d{abs(die)}" for die in dice) or "0",
        rules=("HE-STRESS-01",),
        terms=(
            Term("Strength", strength, "HE-STRESS-01"),
            Term("first die", sure, "HE-STRESS-01"),
        ),
    )
    most = max(0, rolled.total)
    value = most if card.stress is None else min(card.stress, most)
    yield TrackChanged(who, "stress", value, most, "hit dice", rules=("HE-STRESS-01",))
    yield FactSet(who, "stress_rolled", True)


# ---- the queue


def ordered(combat: Combat, places: list[Place]) -> tuple[Place, ...]:
    """From the lowest number up; inside a slot in the order of asking, a missed turn first."""
    rank = {who: at for at, who in enumerate(by_agility(combat, [place.who for place in places]))}
    return tuple(
        sorted(
            (place for place in places if place.who in rank),
            key=lambda place: (place.key[0], rank[place.who], place.tag == ""),
        )
    )


def line_up(play: Play) -> Procedure[None]:
    """The turns of this round: the declared ones and the missed ones (HE-TIE-01)."""
    places = [
        Place(one.id, (int(one.facts["round_initiative"]),))
        for one in play.combat
        if "round_initiative" in one.facts
    ]
    places += [
        Place(one.id, (int(one.facts["carried"]["number"]),), "carried")
        for one in play.combat
        if has_carried(play.combat, one) and not one.has("dead")
    ]
    order = ordered(play.combat, places)
    yield InitiativeSet(order, rules=("HE-SEQ-03", "HE-TIE-01"))


def take_place(combat: Combat, who: Id) -> Iterator[AnyEvent]:
    """A Round Initiative that is ahead, now, or over (HE-LATE-03, -04, -10)."""
    one = combat[who]
    number = int(one.facts["round_initiative"])
    now = count(combat)
    if now is not None and number < now:
        carried = {
            "number": number + MISSED,
            "declared": one.facts["declared"],
            "round": combat.round + 1,
        }
        yield FactSet(who, "carried", carried, rules=("HE-LATE-05", "HE-LATE-07"))
        text = f"{number} is over: acts in the next round at {number + MISSED} besides"
        yield Noted(text, who, rules=("HE-LATE-04", "HE-LATE-05"))
        return
    places = [*combat.queue, Place(who, (number,))]
    yield InitiativeSet(ordered(combat, places), rules=("HE-LATE-03",))
    if number == now:
        yield from begin_turn(one, "")


def begin_turn(one: Combatant, tag: str) -> Iterator[AnyEvent]:
    """A Standard and a Free Action for this turn (HE-LATE-09); a rib counts turns (GAP-26)."""
    yield TurnBegan(one.id, tag, rules=("HE-SEQ-03",))
    budget = {"standard": 1, "free": 1, "reaction": one.budget.get("reaction", 1)}
    yield BudgetSet(one.id, budget, rules=("HE-ACT-01",))
    if one.facts.get("turn_ft"):
        yield FactSet(one.id, "turn_ft", None, rules=("HE-INC-02",))
    if "rib" in one.facts:
        spans = one.facts["rib"]
        yield FactSet(one.id, "rib", {**spans, "span": spans["span"] + 1}, rules=("HE-BLUNT-06",))


# ---- newcomers


def enter(play: Play, who: Id) -> Procedure[None]:
    """It rolls at once and, unless surprised, declares for this round (HE-LATE-01, -02)."""
    if "base_initiative" not in play.combat[who].facts:
        yield from roll_one(play, who)
    one = play.combat[who]
    if "reaction" not in one.budget:
        yield BudgetSet(who, {"standard": 0, "free": 0, "reaction": 1}, rules=("HE-ACT-04",))
    if not counting(play.combat) or not declaring.may_declare(one):
        return  # it declares with the others (HE-LATE-11), or misses nothing (HE-LATE-12)
    answer = yield from ask(declaring.prompt(play.combat, who))
    yield from list(declaring.declared(play.combat, who, answer.option, answer.inputs))
    yield from list(take_place(play.combat, who))


def set_base(play: Play, who: Id, base: int) -> Procedure[None]:
    """An effect or the GM changes a Base Initiative (HE-INIT-09).

    Who has not acted yet has a new Round Initiative at once, which may be over.
    """
    yield FactSet(who, "base_initiative", base, rules=("HE-INIT-05", "HE-INIT-09"))
    yield Noted(f"Base Initiative {base}", who, rules=("HE-INIT-09",))
    one = play.combat[who]
    waits = any(place.who == who and place.tag == "" for place in play.combat.queue)
    if not counting(play.combat) or not waits or who in play.combat.acting:
        return
    number = base + int(one.facts["declared"]["modifier"])
    yield FactSet(who, "round_initiative", number, rules=("HE-INIT-09", "HE-INIT-07"))
    others = [place for place in play.combat.queue if (place.who, place.tag) != (who, "")]
    yield InitiativeSet(tuple(others), rules=("HE-INIT-09",))
    yield from list(take_place(play.combat, who))
