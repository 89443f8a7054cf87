"""Costs of actions, and refusals to pay (DEF-TRN, DEF-FUL, DEF-SWI, DEF-FRE, DEF-STN).

Refusals come in this order: the turn, the actions used, the actions left, then the requirements of
the action.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Until
from domain.record.events import AnyEvent, ConditionGained, Spent
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.id_names import words
from domain.rulebook.inputs import InputKind, Recipient
from domain.rulesets.definitions import board
from domain.rulesets.definitions.deed import Kind, turn_refusals
from domain.rulesets.definitions.facts import (
    ATTACKS_MADE,
    FREE_USED,
    FULL_ROUND,
    STANCE,
    SWIFT_EXCEPTION,
)
from domain.rulesets.definitions.numbers import attack_bonuses
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import hostile, left

Pay = Literal["standard", "move", "swift"]
Stance = Literal["none", "reckless", "defensive"]
CHARGE = "charge"
Word = Annotated[str, Meta(max_length=120)]
Targets = Annotated[tuple[Recipient, ...], Meta(max_length=50)]
SpellName = Annotated[Word, InputKind("spell", listed="spells", acts=True)]
AbilityName = Annotated[Word, InputKind("ability", listed="abilities_list", acts=True)]
ItemName = Annotated[Word, InputKind("item", listed="items", acts=True)]
HeldName = Annotated[Word, InputKind("item")]
WeaponName = Annotated[Word, InputKind("weapon", listed="weapons")]


class Paid(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with a payment. `pay` replaces the usual kind of action (DEF-TRN-05, DEF-SWI-03)."""

    pay: Pay | None = None


class Stanced(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with a stance: `reckless` or `defensive`, but not both (DEF-STN-01)."""

    stance: Stance | tuple[Stance, ...] | None = None


# ---- the kinds of action


@rule("DEF-TRN-01", "An action is a standard, move, swift, immediate, free or full-round action")
@rule("DEF-FRE-01", "A combatant can take any number of free actions, but none twice in a turn")
@rule("DEF-FRE-07", "Free actions need no other action")
@rule("DEF-FUL-02", "After a full-round action, no move and no standard action are left")
@rule("DEF-FUL-03", "A full-round action leaves no swift action, except in a charge")
@rule("DEF-FUL-04", "Free and immediate actions stay possible with a full-round action")
def refusals(
    combat: Combat, who: Id, kind: Kind, pay: Pay | None, *, key: str, ranged: bool = False
) -> Iterator[Illegal]:
    """Refuse an action whose kind the combatant cannot pay now.

    `key` identifies equal free actions. It is the id of the action or of its power.
    """
    yield from turn_refusals(combat, who)
    combatant = combat[who]
    if kind in ("standard", "attack", "full-round"):
        yield from _not_paid_so(combatant, pay)
    match kind:
        case "move":
            yield from _move(combatant, pay)
        case "standard":
            yield from _standard(combatant)
        case "attack":
            yield from _attack(combat, who, ranged)
        case "full-round":
            yield from _full_round(combatant, key)
        case "swift":
            yield from _swift(combatant, key)
        case "free":
            if pay == "swift":
                yield not_swift(combatant)
            if key in FREE_USED.of(combatant):
                yield refuse(
                    "DEF-FRE-01", "free-action-repeated", f"{words(key)}: once in a turn", NO_FIELD
                )


def _not_paid_so(combatant: Combatant, pay: Pay | None) -> Iterator[Illegal]:
    """Refuse to pay a standard action with a move or a swift action (DEF-TRN-05)."""
    if pay == "move":
        detail, but = "a move pays no standard action", payable(combatant, "standard")
        yield refuse("DEF-TRN-05", "no-standard-left", detail, "pay", but)
    if pay == "swift":
        yield not_swift(combatant, "standard")


@rule("DEF-SWI-02", "Only an action with the entry swift is a swift action")
def not_swift(combatant: Combatant, *pays: Pay) -> Illegal:
    """Return the refusal to pay with a swift action. `pays` lists the legal kinds of payment."""
    detail, but = "its entry does not say swift", payable(combatant, *pays)
    return refuse("DEF-SWI-02", "not-swift", detail, "pay", but)


def payable(combatant: Combatant, *pays: Pay) -> list[Pay]:
    """Return the payments that the combatant has left."""
    return [pay for pay in pays if left(combatant, pay) > 0]


def _taken(combatant: Combatant) -> Iterator[Illegal]:
    full = FULL_ROUND.of(combatant)
    if full:
        detail = f"{combatant.name} has taken a full-round action: {full}"
        yield refuse("DEF-FUL-02", "full-round-taken", detail, NO_FIELD)


def _move(combatant: Combatant, pay: Pay | None) -> Iterator[Illegal]:
    yield from _taken(combatant)
    if pay == "swift":
        yield not_swift(combatant, "move", "standard")
    elif pay == "standard":
        if left(combatant, "standard") < 1:
            detail = "a standard action that is used cannot be given up"
            yield refuse("DEF-TRN-05", "standard-used", detail, "pay")
    elif left(combatant, "move") < 1:
        detail = f"{combatant.name} has used its move action"
        yield refuse("DEF-TRN-03", "move-used", detail, "pay", ("pay: standard",))


def _standard(combatant: Combatant) -> Iterator[Illegal]:
    yield from _taken(combatant)
    if left(combatant, "standard") < 1:
        yield refuse(
            "DEF-TRN-07",
            "standard-used",
            f"{combatant.name} has used its standard action",
            NO_FIELD,
        )


def _attack(combat: Combat, who: Id, ranged: bool) -> Iterator[Illegal]:
    """Refuse if no attack action is left.

    In a charge, attack actions need no standard action (DEF-CHG-06).
    """
    combatant = combat[who]
    made, most = ATTACKS_MADE.of(combatant), len(attack_bonuses(combatant))
    if in_charge(combatant):
        if ranged:
            yield refuse("DEF-CHG-06", "not-in-charge", "a charge ends in melee attacks", NO_FIELD)
        if not threatened_foes(combat, who):
            detail = f"{combatant.name} threatens no foe where its charge has ended"
            yield refuse("DEF-CHG-06", "nothing-threatened", detail, NO_FIELD)
    else:
        yield from _taken(combatant)
        if not made and left(combatant, "standard") < 1:
            detail = "attack actions take the place of the standard action, and it is used"
            yield refuse("DEF-TRN-07", "standard-used", detail, NO_FIELD)
    if made >= most:
        detail = f"{combatant.name} has taken all its attack actions ({most})"
        yield refuse("DEF-TRN-08", "no-attacks-left", detail, NO_FIELD)


@rule(
    "DEF-CHG-06",
    "A charge ends with all attack actions against threatened foes",
)
def threatened_foes(combat: Combat, who: Id) -> list[Id]:
    """Return the foes that `who` threatens. Without positions, return all foes."""
    combatant = combat[who]
    return [
        foe.id
        for foe in combat
        if hostile(combatant, foe) and board.threatens(combat, who, foe.id) is not False
    ]


def not_threatened(combat: Combat, who: Id, targets: Sequence[Id], field: str) -> Iterator[Illegal]:
    """Refuse targets that the combatant does not threaten at the end of a charge (DEF-CHG-06)."""
    foes = threatened_foes(combat, who)
    for target in targets:
        if target not in foes:
            detail = f"{combat[target].name} is no foe whom {combat[who].name} threatens"
            yield refuse("DEF-CHG-06", "nothing-threatened", detail, field, foes)


def _full_round(combatant: Combatant, key: str) -> Iterator[Illegal]:
    """Refuse unless every action of the turn is left, including the swift action.

    DEF-FUL-01, DEF-FUL-03.
    """
    if left(combatant, "standard") < 1 or left(combatant, "move") < 1:
        detail = "a full-round action takes the whole turn, and part of it is used"
        yield refuse("DEF-FUL-01", "turn-already-used", detail, NO_FIELD)
    elif left(combatant, "swift") < 1 and not (key == CHARGE and SWIFT_EXCEPTION.of(combatant)):
        detail = "the swift action is used: no full-round action in this turn"
        yield refuse("DEF-FUL-03", "swift-used", detail, NO_FIELD)


def _swift(combatant: Combatant, key: str) -> Iterator[Illegal]:
    full = FULL_ROUND.of(combatant)
    if full and not (full == CHARGE and key in CHARGE_SWIFTS):
        detail = f"no swift action in a full-round action ({full})"
        yield refuse("DEF-FUL-03", "no-swift-in-full-round", detail, NO_FIELD)
    if left(combatant, "swift") < 1:
        yield refuse(
            "DEF-SWI-01", "swift-used", f"{combatant.name} has used its swift action", NO_FIELD
        )


CHARGE_SWIFTS = ("draw-weapon", "drink-potion", "use-item")
"""Swift actions in a charge: swap a weapon, drink a potion, or apply an oil (DEF-CHG-08)."""


@rule("DEF-CHG-08", "A charge allows one of three swift actions")
def in_charge(combatant: Combatant) -> bool:
    """Return true if the combatant charges in this turn."""
    return FULL_ROUND.of(combatant) == CHARGE


# ---- paying


@rule("DEF-TRN-05", "A standard action can pay for another move, but not the reverse")
@rule("DEF-TRN-06", "A combatant cannot divide a standard action")
@rule("DEF-TRN-07", "One standard action pays for one, several or all attack actions")
@rule("DEF-STD-01", "Attacks and the actions in their place use the standard action")
@rule("DEF-SWI-01", "A combatant has one swift action, in its own turn")
@rule("DEF-FUL-01", "A full-round action takes the standard and the move action")
def spend(
    combat: Combat, who: Id, kind: Kind, pay: Pay | None, *, key: str, rules: tuple[str, ...]
) -> Iterator[AnyEvent]:
    """Yield the events that pay for an action."""
    combatant = combat[who]
    match kind:
        case "move":
            paid = "standard" if pay == "standard" else "move"
            also = ("DEF-TRN-05",) if paid == "standard" else ()
            yield Spent(who, {paid: 1}, rules=(*rules, *also))
        case "standard":
            yield Spent(who, {"standard": 1}, rules=rules)
        case "attack":
            if not ATTACKS_MADE.of(combatant) and not in_charge(combatant):
                yield Spent(who, {"standard": 1}, rules=("DEF-TRN-07",))
            yield ATTACKS_MADE.set(who, ATTACKS_MADE.of(combatant) + 1, rules=("DEF-TRN-08",))
        case "full-round":
            yield Spent(who, {"standard": 1, "move": 1}, rules=("DEF-FUL-01", *rules))
            yield FULL_ROUND.set(who, key, rules=("DEF-FUL-01",))
        case "swift":
            yield Spent(who, {"swift": 1}, rules=("DEF-SWI-01",))
            if key in CHARGE_SWIFTS:
                yield SWIFT_EXCEPTION.set(who, True, rules=("DEF-CHG-08",))
        case "free":
            yield FREE_USED.set(who, (*FREE_USED.of(combatant), key), rules=("DEF-FRE-01",))


# ---- stances

STANCES = {"reckless": "DEF-REK-01", "defensive": "DEF-DEF-01"}


def stance_of(inputs: object) -> tuple[str, ...]:
    """Return the stances that the inputs name."""
    stance = getattr(inputs, "stance", None)
    if stance is None:
        return ()
    return (stance,) if isinstance(stance, str) else tuple(stance)


@rule("DEF-STN-01", "The first attack of the turn sets the stance for the turn")
@rule("DEF-STN-03", "Only attack actions can have a stance")
def stance_refusals(
    combat: Combat, who: Id, inputs: object, allowed: bool, at: str = "stance"
) -> Iterator[Illegal]:
    """Refuse a stance that differs from the stance of the turn's first attack action.

    Also refuse a stance outside an attack action of the combatant's own turn.
    """
    named = stance_of(inputs)
    if not named:
        return
    if not allowed or who not in combat.acting:
        detail = "a stance goes with attack actions of the own turn"
        yield refuse("DEF-STN-03", "stance-not-allowed", detail, at)
    if "reckless" in named and "defensive" in named:
        detail = "reckless or defensive, not both"
        yield refuse("DEF-STN-01", "stance-exclusive", detail, at, tuple(STANCES))
    chosen = STANCE.of(combat[who])
    if chosen and set(named) != {chosen}:
        detail = f"the stance of this turn is settled: {chosen}"
        yield refuse("DEF-STN-01", "stance-fixed", detail, at, (chosen,))


@rule("DEF-STN-02", "A stance changes attack and damage in this turn, and the AC until the next")
def take_stance(combat: Combat, who: Id, inputs: object) -> Iterator[AnyEvent]:
    """Record the stance when the combatant declares the attack, before the roll."""
    if STANCE.of(combat[who]):
        return
    stance = next((named for named in stance_of(inputs) if named != "none"), "none")
    yield STANCE.set(who, stance, rules=("DEF-STN-01",))
    if stance != "none":
        until = (Until("turn-start", who=who),)
        yield ConditionGained(who, stance, until=until, rules=(STANCES[stance], "DEF-STN-02"))
