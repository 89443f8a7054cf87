"""Costs of actions, and refusals to pay (HE-ACT, HE-INC, HE-DYING, HE-STAB, HE-BLUNT).

Refusals come in this order: combat over, phase, dead, surprised, turn, condition, budget.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Spent, TrackChanged
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.conditions import rule_of
from domain.rulesets.hallowed_earth.count import counting, missed_now, simultaneous
from domain.rulesets.hallowed_earth.facts import (
    DECLARE_ORDER,
    DECLARED,
    MOVED,
    MOVED_IN_TURN,
    RIB,
    SLOT,
    TAKEN,
)
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options, sheet
from domain.rulesets.hallowed_earth.states import is_down, is_dying
from domain.rulesets.hallowed_earth.things import arms_broken_for, arms_of

Kind = Literal["standard", "free", "reaction"]

DECLARABLE = (
    "attack", "defensive-attack", "cast", "use-item", "throw-item", "full-defense", "stabilize",
    "intimidate", "use-ability", "skill-check", "no-action",
)  # fmt: skip
"""The actions that a combatant can declare (4.1)."""

rule("HE-ACT-02", "The declared action is the only Standard Action", f"{__name__}._USED")
_USED = {
    "standard": ("HE-ACT-02", "standard-used", "the Standard Action of this turn is used"),
    "free": ("HE-ACT-03", "free-used", "the Free Action of this turn is used"),
    "reaction": ("HE-ACT-04", "reaction-used", "the Reaction of this round is used"),
}


@rule("HE-TIE-08", "One killed at a lower number does not act. A fallen one acts by its new state")
def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason that a dead combatant cannot continue (HE-TIE-08)."""
    return next(dead(combat[who]), None)


@rule("HE-SEQ-02", "No action resolves until all combatants that may declare have declared")
@rule("HE-DECL-13", "Only newcomers declare outside the declare step")
@rule("HE-ACT-05", "A combatant acts and moves only in its own slot")
@rule("HE-END-04", "After the combat, nobody takes combat actions")
def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the reason that `who` cannot act now.

    HE-ACT-05, HE-SEQ-02, HE-DECL-10, HE-DECL-12, HE-DECL-13.
    """
    combatant = combat[who]
    if combat.status == "ended":
        return refuse("HE-END-04", "combat-over", "the combat is over", NO_FIELD)
    if combat.phase == "declare":
        return _not_declaring(combat, combatant, action)
    if not counting(combat):
        detail = f"{words(action)} is not possible in the step {words(combat.phase)}"
        rule = "HE-DECL-13" if combat.phase == "opening" else "HE-SEQ-02"
        return refuse(rule, "wrong-phase", detail, NO_FIELD)
    for refusal in present(combatant):
        return refusal
    if who in combat.acting:
        return settled(combatant)
    detail = f"it is not {combatant.name}'s turn"
    return refuse("HE-ACT-05", "not-your-turn", detail, NO_FIELD, combat.acting)


def settled(combatant: Combatant) -> Illegal:
    """Return the refusal for a combatant that has already chosen its action at this number."""
    detail = f"{combatant.name} has settled what it does at this number"
    return refuse("HE-TIE-04", "not-your-turn", detail, NO_FIELD)


def _not_declaring(combat: Combat, combatant: Combatant, action: str) -> Illegal:
    """Return the reason that this combatant cannot declare now, in the declare step."""
    if action not in DECLARABLE:
        detail = "nothing resolves before everybody has declared"
        return refuse("HE-SEQ-02", "wrong-phase", detail, NO_FIELD, DECLARABLE)
    for refusal in present(combatant, "HE-SURP-03"):
        return refusal
    asked = [prompt for prompt in combat.prompts.values() if prompt.kind == "declare"]
    prompts = [prompt for prompt in asked if prompt.who == combatant.id]
    if DECLARED.known(combatant) or any(prompt.answer is not None for prompt in prompts):
        detail = f"{combatant.name} has declared for this round"
        return refuse("HE-DECL-12", "already-declared", detail, NO_FIELD)
    order = DECLARE_ORDER.of(combat) or options(combat).declare_order
    if prompts or order == "secret":
        detail = "the die of a newcomer falls first; then everybody declares"
        return refuse("HE-LATE-01", "wrong-phase", detail, NO_FIELD)
    detail = f"it is not {combatant.name}'s place in the order of declaring ({order})"
    return refuse(
        "HE-DECL-10",
        "not-your-declaration",
        detail,
        NO_FIELD,
        [prompt.who for prompt in asked if prompt.who],
    )


def dead(combatant: Combatant) -> Iterator[Illegal]:
    if combatant.has("dead"):
        yield refuse("HE-WP-07", "dead", f"{combatant.name} is dead", NO_FIELD)


@rule("HE-SURP-04", "Surprised combatants do not act, move or react")
def present(combatant: Combatant, rule: str = "HE-SURP-04") -> Iterator[Illegal]:
    """Refuse every action, movement and Reaction of the dead and the surprised (HE-SURP-04)."""
    yield from dead(combatant)
    if combatant.has("surprised"):
        yield refuse(
            rule, "surprised", f"{combatant.name} is surprised until the round ends", NO_FIELD
        )


def turn(combat: Combat, who: Id, action: str) -> Iterator[Illegal]:
    """Refuse an action outside the combatant's turn, or after it has finished its turn.

    Also refuse an action of a dead or surprised combatant.
    """
    if who not in combat.acting:
        yield off_turn(combat, who, action)
        return
    yield from present(combat[who])
    asked = (prompt.who for prompt in combat.prompts.values() if prompt.kind == "turn")
    if who not in asked:
        yield settled(combat[who])


def waits(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse a Free Action before the results of a tied slot (HE-TIE-04).

    Hidden combatants do not delay the Free Action of a combatant in sight.
    """
    if simultaneous(combat) and not only_beside_the_hidden(combat, who):
        detail = "several act at this number: Free Actions come after the results"
        yield refuse("HE-TIE-04", "wrong-phase", detail, NO_FIELD)


def only_beside_the_hidden(combat: Combat, who: Id) -> bool:
    """Return true if `who` is not hidden and all other combatants of the tied slot are hidden."""
    slot = SLOT.of(combat)
    others = () if slot is None else (other for other in slot.together if other != who)
    return not combat[who].hidden and all(combat[other].hidden for other in others)


@rule("HE-BLUNT-14", "A Broken Neck paralyzes")
def body(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse an action that needs the body if the combatant is paralyzed (HE-BLUNT-14)."""
    if combatant.has("paralyzed"):
        yield refuse(
            "HE-BLUNT-14",
            "paralyzed",
            f"{combatant.name} is paralyzed from the neck down",
            NO_FIELD,
        )


@rule("HE-BLUNT-16", "A Broken Jaw prevents speech and chewing")
def voice(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse an action that needs speech if an injury prevents speech.

    HE-BLUNT-15, HE-BLUNT-16.
    """
    if combatant.has("cannot-speak"):
        detail = f"{combatant.name} cannot speak"
        yield refuse(rule_of(combatant, "cannot-speak"), "cannot-speak", detail, NO_FIELD)


def no_more(combatant: Combatant, thing: str) -> Illegal:
    """Return the refusal to use a declared item that no longer exists (HE-DECL-15)."""
    detail = f"{combatant.name} has no {thing} any more"
    return refuse("HE-DECL-15", "no-item", detail, NO_FIELD)


@rule(
    "HE-BLUNT-08",
    "A Crushed Shoulder deals 2d8 Strength and Dexterity damage, and that arm cannot attack",
)
def arms(combatant: Combatant, tool: str | None) -> Iterator[Illegal]:
    """Refuse a weapon that is missing, or whose arm is injured (HE-BLUNT-08 to HE-BLUNT-12)."""
    weapon = next((weapon for weapon in sheet(combatant).weapons if weapon.id == tool), None)
    if weapon is None and tool is not None:
        yield no_more(combatant, tool)
    if weapon is not None and (broken := arms_broken_for(combatant, weapon)):
        rule = rule_of(combatant, *broken, arms=arms_of(weapon.hand))
        yield refuse(rule, "arm-disabled", f"the arm for {tool} is injured", NO_FIELD)


@rule("HE-BLUNT-06", "A Broken Rib deals 2d4 Strength damage and allows one action in two turns")
def rib(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a second action within two turns if a rib is broken (HE-BLUNT-06).

    Reactions count as actions. Affray counts the turns that begin after the injury.
    """
    spans = RIB.of(combatant)
    if spans is not None and spans.acted is not None and spans.span - spans.acted < 2:
        detail = "with a broken rib it acts once in two turns"
        yield refuse("HE-BLUNT-06", "one-action-per-two-turns", detail, NO_FIELD)


def most_while_dying(combat: Combat, combatant: Combatant) -> int:
    """Return the number of actions that a dying combatant has in a round (HE-DYING-02).

    It has one action of any kind. In a round in which it makes up for a missed turn, it has two.
    """
    return 1 if missed_now(combat, combatant) is None else 2


def has_acted_here(combat: Combat, combatant: Combatant) -> bool:
    """Return true if the combatant has already acted in this turn."""
    left = combatant.budget
    return combatant.id in combat.acting and (
        left.get("standard", 0) < 1 or left.get("free", 0) < 1
    )


@rule(
    "HE-INC-05",
    "An incapacitated combatant keeps its number of actions",
    untold="what stays as it is",
)
@rule(
    "HE-DYING-02",
    "A dying combatant has one action of any kind in a round, and one more with a missed turn",
)
@rule(
    "HE-DYING-05",
    "A combatant that drops to −1 by its own action is dying from then on",
    untold="told as HE-DYING-02 and -03",
)
def budget(combat: Combat, who: Id, kind: Kind) -> Iterator[Illegal]:
    """Refuse an action beyond the limits of a dying combatant, or beyond the budget.

    A dying combatant can either move or act (HE-DYING-02, HE-DYING-03, HE-DYING-05). An
    incapacitated combatant keeps its usual number of actions (HE-INC-05).
    """
    combatant = combat[who]
    if is_dying(combatant):
        most, taken = most_while_dying(combat, combatant), TAKEN.of(combatant)
        own = kind != "reaction"
        if taken >= most or (own and has_acted_here(combat, combatant)):
            detail = "a dying creature takes one action of any kind"
            yield refuse("HE-DYING-02", "dying-one-action", detail, NO_FIELD)
        elif (MOVED.of(combatant) > 0 and taken + 1 >= most) or (
            own and MOVED_IN_TURN.of(combatant) > 0
        ):
            detail = "a dying creature cannot both move and act"
            yield refuse("HE-DYING-03", "dying-move-or-act", detail, NO_FIELD)
    if combatant.budget.get(kind, 0) < 1:
        rule, code, detail = _USED[kind]
        yield refuse(rule, code, detail, NO_FIELD)


@rule("HE-DYING-03", "A dying combatant cannot both move and act")
def dying_moves(combat: Combat, combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a move of a dying combatant that has already acted (HE-DYING-03)."""
    most = TAKEN.of(combatant) >= most_while_dying(combat, combatant)
    if is_dying(combatant) and (most or has_acted_here(combat, combatant)):
        detail = "a dying creature cannot both move and act"
        yield refuse("HE-DYING-03", "dying-move-or-act", detail, NO_FIELD)


@rule("HE-REP-10", "A Reposte counts as an action of a fallen combatant and with a broken rib")
@rule("HE-INC-03", "Every other action of an incapacitated combatant costs a Wound Point")
@rule("HE-DYING-01", "Dying combatants act under the limits of incapacitated ones")
@rule("HE-STAB-06", "The first action of a stabilized combatant in a round is free")
@rule("HE-STAB-07", "Every further action of a stabilized combatant costs a Wound Point")
def spend(play: Play, who: Id, kind: Kind, *more: str) -> Procedure[bool]:
    """Spend an action. Return true if the action costs a Wound Point after its effect.

    - Each action of a fallen combatant costs one Wound Point (HE-INC-03, HE-DYING-01).
    - The first action of a stabilized combatant in a round is free (HE-STAB-06, HE-STAB-07).
    - A Reposte counts as an action (HE-REP-10).

    The event `Spent` also names the rules in `more`.
    """
    combatant = play.combat[who]
    taken = TAKEN.of(combatant) + 1
    free = ("HE-STAB-06",) if combatant.has("stabilized") and taken == 1 else ()
    yield Spent(who, {kind: 1}, rules=(_USED[kind][0], *more, *free))
    yield TAKEN.set(who, taken, rules=("HE-ACT-01",))
    spans = RIB.of(combatant)
    if spans is not None:
        yield RIB.set(who, replace(spans, acted=spans.span), rules=("HE-BLUNT-06",))
    return taken > 1 if combatant.has("stabilized") else is_down(combatant)


# ---- Mana and Stress


@rule("HE-STRESS-07", "Stress can replace Mana one for one, in part or completely")
def from_stress(combatant: Combatant, mana: int, stress_paid: int | None) -> int:
    """Return the Mana that Stress pays: the chosen part, or the missing Mana (HE-STRESS-07)."""
    if stress_paid is not None:
        return stress_paid
    return max(0, mana - combatant.tracks["mana"].value)


@rule("HE-STRESS-06", "Abilities may cost all Stress, but no Wound Points")
def price(
    combatant: Combatant, mana: int, stress: int, stress_paid: int | None
) -> Iterator[Illegal]:
    """Refuse a price that Stress and Mana cannot pay. Wound Points never pay (HE-STRESS-06)."""
    has_mana, has_stress = combatant.tracks["mana"].value, combatant.tracks["stress"].value
    if stress > has_stress:
        detail = f"it costs {stress} Stress, {combatant.name} has {has_stress}"
        yield refuse("HE-STRESS-06", "insufficient-stress", detail, NO_FIELD)
        return
    paid = from_stress(combatant, mana, stress_paid)
    if paid < 0 or paid > mana or mana - paid > has_mana or paid + stress > has_stress:
        detail = (
            f"it costs {mana} Mana: {combatant.name} has {has_mana} Mana and {has_stress} Stress"
        )
        if stress_paid is not None:
            detail += f", and {stress_paid} from Stress was asked for"
        enough = has_mana + has_stress >= mana + stress
        field = "stress_paid" if enough and stress_paid is not None else NO_FIELD
        if enough and paid + stress > has_stress:
            yield refuse("HE-STRESS-06", "insufficient-stress", detail, field)
        else:
            yield refuse("HE-MAG-01", "insufficient-mana", detail, field)


@rule("HE-MAG-01", "A spell costs its Mana when it resolves")
def pay(play: Play, who: Id, mana: int, stress: int, stress_paid: int | None) -> Procedure[None]:
    """Take the Mana and the Stress (HE-MAG-01, HE-STRESS-06, HE-STRESS-07)."""
    combatant = play.combat[who]
    paid = from_stress(combatant, mana, stress_paid)
    if mana - paid:
        left = combatant.tracks["mana"].value - (mana - paid)
        yield TrackChanged(who, "mana", left, None, "paid", rules=("HE-MAG-01",))
    if paid + stress:
        left = combatant.tracks["stress"].value - paid - stress
        rules = ("HE-STRESS-07",) if paid else ("HE-STRESS-06",)
        yield TrackChanged(who, "stress", left, None, "paid", rules=rules)
