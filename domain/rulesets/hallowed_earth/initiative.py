"""The initiative die, Round Initiative, the order of turns, and missed turns (HE-INIT, HE-LATE)."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.record.combat import Combat, Combatant, Id, Place
from domain.record.events import AnyEvent, BudgetSet, InitiativeSet, Noted
from domain.rulebook.effects import Procedure, roll, while_able
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Step
from domain.rulebook.sums import Sum
from domain.rulesets.hallowed_earth.conditions import CONDITIONS, gained
from domain.rulesets.hallowed_earth.count import FRESH, begin_turn, count, counting, missed_now
from domain.rulesets.hallowed_earth.facts import (
    BASE,
    CARRIED,
    DECLARED,
    ROUND_INITIATIVE,
    SLOT,
    WOUNDS,
    Missed,
    Wound,
)
from domain.rulesets.hallowed_earth.injuries import Injury, known, lasting
from domain.rulesets.hallowed_earth.numbers import by_agility, modifier
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Effects, sheet

MISSED = -12
"""The initiative modifier for the next round after a missed turn (HE-LATE-05)."""

# ---- the dice


@rule("HE-SURP-02", "Surprised combatants roll their initiative die like everybody else")
@rule("HE-INIT-01", "Everybody rolls 1d12 once, when combat begins")
def roll_all(play: Play) -> Procedure[None]:
    """Roll a Base Initiative for each combatant that has none (HE-INIT-01).

    A group shares a die. Surprised combatants roll too (HE-SURP-02).
    """
    while pending := without(play.combat):
        yield from while_able(play, pending[0], roll_one(play, pending[0]), "initiative")


def without(combat: Combat) -> list[Id]:
    return [
        combatant.id
        for combatant in combat
        if not BASE.known(combatant) and not combatant.has("dead")
    ]


def company(combat: Combat, who: Id) -> list[Id]:
    """Return the group members that share an initiative die with the combatant.

    The list includes the combatant. Members that already have a Base Initiative do not share the
    die (HE-SHARE-01, GAP-08).
    """
    name = sheet(combat[who]).initiative_group
    return [
        other
        for other in without(combat)
        if other == who or (name is not None and sheet(combat[other]).initiative_group == name)
    ]


@rule("HE-INIT-04", "Initiative has no lowest value")
@rule("HE-SHARE-01", "Monsters of one group share a die")
@rule("HE-SHARE-02", "Each member applies its modifiers to the shared die")
@rule(
    "HE-SHARE-05", "Four groups and loners among eight monsters roll four dice", untold="an example"
)
def roll_one(play: Play, who: Id) -> Procedure[None]:
    """Roll the initiative die of one combatant or of its group (HE-SHARE-01, HE-SHARE-05).

    Each member applies its modifiers, without a minimum (HE-INIT-02 to HE-INIT-04, HE-SHARE-02).
    """
    combatant = play.combat[who]
    alone = len(company(play.combat, who)) == 1
    rules = ["HE-INIT-01"] if alone else ["HE-INIT-01", "HE-SHARE-01"]
    if counting(play.combat):
        rules.append("HE-LATE-01")
    if combatant.has("surprised"):
        rules.append("HE-SURP-02")
    rolled = yield from roll(
        who,
        "initiative",
        "1d12",
        rules=tuple(rules),
        terms=lambda: own_modifier(play.combat, play.combat[who]) if alone else (),
        by_gm=not alone,
    )
    members = company(play.combat, who)  # newcomers since the prompt share the die
    shared = () if len(members) == 1 else ("HE-SHARE-02",)
    for member in members:
        own = own_modifier(play.combat, play.combat[member])
        base = rolled.faces[0] + own.value
        low = ("HE-INIT-04",) if base <= 0 else ()
        yield BASE.set(member, base, rules=("HE-INIT-02", *low, *shared))
        yield based(member, base, ("HE-INIT-02", *shared))


def based(who: Id, base: int, rules: tuple[str, ...]) -> Noted:
    """Return the note about a Base Initiative. Only the combatant's side reads the number.

    If foes knew it, they could compute the declared modifier from it and Round Initiative.
    """
    full = f"{who} has a Base Initiative of {base}"
    return Noted(f"{who} has a Base Initiative", who, full=full, rules=rules)


# ---- the order of turns


@rule("HE-INIT-06", "A lower number acts earlier")
def ordered(combat: Combat, places: list[Place]) -> tuple[Place, ...]:
    """Return the turns from the lowest number up (HE-INIT-06).

    Turns with the same number follow the order of prompts (HE-TIE-07), with a missed turn first.
    """
    rank = {who: at for at, who in enumerate(by_agility(combat, [place.who for place in places]))}
    return tuple(
        sorted(
            (place for place in places if place.who in rank),
            key=lambda place: (place.key[0], rank[place.who], place.tag == ""),
        )
    )


@rule("HE-SEQ-03", "Actions resolve from the lowest number to the highest")
@rule("HE-LATE-06", "In that round, the combatant also has its normal turn")
def line_up(play: Play) -> Procedure[None]:
    """Set the turns of this round, including missed ones (HE-SEQ-03, HE-TIE-01, HE-LATE-06)."""
    combat = play.combat
    places = [
        Place(combatant.id, (ROUND_INITIATIVE.of(combatant),))
        for combatant in combat
        if ROUND_INITIATIVE.known(combatant)
    ]
    missed = [
        (combatant.id, missed_now(combat, combatant))
        for combatant in combat
        if not combatant.has("dead")
    ]
    carried = [Place(who, (turn.number,), "carried") for who, turn in missed if turn is not None]
    late = ("HE-LATE-06",) if carried else ()
    order = ordered(combat, places + carried)
    yield InitiativeSet(order, rules=("HE-SEQ-03", "HE-TIE-01", "HE-INIT-06", *late))


@rule("HE-LATE-03", "A newcomer whose number is still to come acts in this round")
@rule("HE-LATE-04", "A number below the count has passed, for any creature")
@rule("HE-LATE-05", "A missed turn comes in the next round, at that number − 12")
@rule("HE-LATE-10", "A number equal to the count joins the slot")
@rule(
    "HE-LATE-13",
    "The ghoul with 8 at a count of 13 acts at −4 and 8 in the next round, and at 8 later",
    untold="an example",
)
def take_place(combat: Combat, who: Id) -> Iterator[AnyEvent]:
    """Place a combatant in the order of turns by its number.

    - A number above the Count comes later in this round (HE-LATE-03).
    - A number equal to the Count joins the slot (HE-LATE-10).
    - A lower number has passed (HE-LATE-04). The turn comes in the next round at 12 less, with its
      declaration (HE-LATE-05, HE-LATE-07).

    Example: the Count is at 13, and the number is 8. The combatant acts at −4 and 8 in the next
    round, and at 8 in later rounds (HE-LATE-13).
    """
    combatant, declared = combat[who], DECLARED.of(combat[who])
    assert declared is not None
    number, now = ROUND_INITIATIVE.of(combatant), count(combat)
    if now is not None and number < now:
        missed = Missed(number + MISSED, declared, combat.round + 1)
        yield CARRIED.set(who, (*CARRIED.of(combatant), missed), rules=("HE-LATE-05", "HE-LATE-07"))
        text = f"{number} is over: acts in the next round at {number + MISSED} besides"
        yield Noted(text, who, rules=("HE-LATE-04", "HE-LATE-05"))
        return
    places = [*combat.queue, Place(who, (number,))]
    rule = "HE-LATE-10" if number == now else "HE-LATE-03"
    yield InitiativeSet(ordered(combat, places), rules=(rule,))
    if number == now:
        yield from begin_turn(combatant, "")
        slot = SLOT.of(combat)
        to_come = any(combat[actor].budget.get("standard", 0) for actor in combat.acting)
        if slot is not None and to_come and not slot.resolved:
            here = {} if combatant.position is None else {who: combatant.position}
            shared = replace(slot, start={**slot.start, **here}, together=(*slot.together, who))
            yield SLOT.set(shared, rules=("HE-TIE-02", "HE-TIE-06"))


# ---- newcomers


@rule("HE-SURP-06", "A newcomer may be surprised on entering")
def arrive(play: Play, who: Id) -> Procedure[None]:
    """Apply the newcomer's sheet: actions, wounds, injuries, conditions, surprise (HE-SURP-06)."""
    card = sheet(play.combat[who])
    if play.combat.status == "running":
        yield BudgetSet(who, FRESH, rules=("HE-ACT-04",))
    if card.surprised:
        rules = ("HE-SURP-01", "HE-SURP-06")
        yield gained(play.combat, who, "surprised", rules=rules)
    if card.wounds:
        wounds = tuple(
            Wound(at, wound.type, wound.amount) for at, wound in enumerate(card.wounds, 1)
        )
        yield WOUNDS.set(who, wounds, rules=("HE-WP-03",))
    for hurt in card.injuries:  # the sheet's attributes already include the attribute damage
        row = known(play, hurt.name)
        effects = Effects(conditions=row.effects.conditions) if row else Effects()
        injury = Injury(hurt.name, effects, hurt.side)
        yield from list(lasting(play.combat, play.combat[who], injury))
    for gift in card.conditions:
        known_one = CONDITIONS.get(gift.id)
        why = () if known_one is None else known_one.rules[:1]
        yield gained(play.combat, who, gift.id, rounds=gift.duration, side=gift.side, rules=why)


@rule("HE-INIT-05", "The Base lasts for the whole combat, and damaged Agility does not change it")
@rule(
    "HE-INIT-09",
    "A changed Base counts at once, or in the next round for a combatant that has acted",
)
def set_base(play: Play, who: Id, base: int) -> Procedure[None]:
    """Change a Base Initiative because of an effect or the GM (HE-INIT-05, HE-INIT-09).

    If the combatant has declared and not yet acted, its Round Initiative changes at once. If the
    Count has passed the new number, the turn counts as missed.
    """
    rules = ("HE-INIT-05", "HE-INIT-09")
    yield BASE.set(who, base, rules=rules)
    yield based(who, base, rules)
    combat, combatant = play.combat, play.combat[who]
    declared = DECLARED.of(combatant)
    waits = any(place.who == who and place.tag == "" for place in combat.queue)
    if declared is None or not (combat.phase == "declare" or (counting(combat) and waits)):
        return
    if who in combat.acting:
        return  # the combatant acts now, and its number changes in the next round
    number = base + declared.modifier
    yield ROUND_INITIATIVE.set(who, number, rules=("HE-INIT-09", "HE-INIT-07"))
    if counting(combat):
        others = [place for place in combat.queue if (place.who, place.tag) != (who, "")]
        yield InitiativeSet(tuple(others), rules=("HE-INIT-09",))
        yield from list(take_place(play.combat, who))


@rule("HE-INIT-02", "Base Initiative is the die less the Agility modifier")
@rule("HE-INIT-03", "Traits, features and talents add to that roll")
def own_modifier(combat: Combat, combatant: Combatant) -> Sum:
    """Return the sum of the initiative modifiers less the Agility modifier.

    HE-INIT-02, HE-INIT-03.
    """
    total = Sum().add("Agility", -modifier(combat, combatant, "agility"), "HE-INIT-02")
    for initiative_modifier in sheet(combatant).initiative_modifiers:
        total.add(initiative_modifier.reason or "modifier", initiative_modifier.value, "HE-INIT-03")
    return total


def entry(combat: Combat, who: Id) -> Step | None:
    """Return the step in which a newcomer rolls at once (HE-LATE-01).

    Before the initiative dice, return `None`, because the newcomer rolls with the others.
    """
    if combat.phase in ("begun", "surprise", "initiative"):
        return None
    return Step("enter", {"who": who})
