"""Rulings on presence, time and order (section 4.2)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json, Place
from domain.record.events import CombatantLeft, InitiativeSet, Noted, PhaseBegan
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.ending import ENDING, Ending
from domain.rulebook.fields import Name, Number, Text
from domain.rulebook.gm import About, comes, everybody, known, ruling
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, one_candidate
from domain.rulesets.hallowed_earth import declarations, initiative
from domain.rulesets.hallowed_earth.action_costs import present
from domain.rulesets.hallowed_earth.actions.skill_check import check as skill_check
from domain.rulesets.hallowed_earth.conditions import surprised
from domain.rulesets.hallowed_earth.facts import (
    CLOSING,
    DECLARE_ORDER,
    LOST,
    OBVIOUS,
    ROUND_INITIATIVE,
    USED,
)
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import DeclareOrder


class Surprise(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs that list all surprised combatants. No other combatant is surprised."""

    who: Annotated[tuple[Id, ...], Meta(max_length=500)] = ()


class SetInitiative(About, frozen=True, forbid_unknown_fields=True):
    base: Number


class SetOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs that list the combatants of this round's remaining turns, in their new order."""

    order: Annotated[tuple[Id, ...], Meta(max_length=500)]


class TakeUp(About, frozen=True, forbid_unknown_fields=True):
    """Inputs to take up a thing that the combatant has dropped, thrown or used.

    `thing` is a name such as `weapon:axe`, `item:flask` or `shield:shield`. The fact `lost` has the
    names of dropped and thrown things.
    """

    thing: Name


class Enter(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs with the sheet of a newcomer."""

    sheet: dict[str, Json]


class End(Struct, frozen=True, forbid_unknown_fields=True):
    winners: Annotated[tuple[Name, ...], Meta(max_length=50)] | None = None
    reason: Text = ""


class SetDeclareOrder(Struct, frozen=True, forbid_unknown_fields=True):
    declare_order: DeclareOrder


class Check(About, frozen=True, forbid_unknown_fields=True):
    """Inputs of a skill check that the GM orders. The check costs no action."""

    skill: Name
    tn: int | None = None


def _over(play: Play) -> Iterator[Illegal]:
    """Refuse a ruling after the end of the combat (HE-END-03, HE-END-04)."""
    if play.combat.status == "ended":
        yield refuse("HE-END-04", "combat-over", "the combat is over", NO_FIELD)


def _all_known(play: Play, who: Id, inputs: Surprise) -> Iterator[Illegal]:
    for combatant in inputs.who:
        play.combat[combatant]
    yield from _over(play)
    if play.combat.phase not in ("opening", "surprise"):
        detail = "surprise is settled when combat starts"
        yield refuse("HE-SEQ-01", "wrong-phase", detail, NO_FIELD)


@rule("HE-SURP-01", "A combatant that does not know of its enemies is surprised in round 1")
def surprise(play: Play, _: Id, inputs: Surprise) -> Procedure[None]:
    """Set the surprised combatants (HE-SURP-01)."""
    yield from surprised(play, inputs.who)


def initiative_refusals(play: Play, who: Id, inputs: SetInitiative) -> Iterator[Illegal]:
    yield from known(play, who, inputs)
    yield from _over(play)


def set_initiative(play: Play, _: Id, inputs: SetInitiative) -> Procedure[None]:
    """Change a Base Initiative (HE-INIT-05, HE-INIT-09)."""
    yield from initiative.set_base(play, inputs.who, inputs.base)


def order_of_turns_refusals(play: Play, who: Id, inputs: SetOrder) -> Iterator[Illegal]:
    """Refuse a combatant that is dead or surprised, or has no number in this round."""
    yield from _running("count")(play, who, inputs)
    for who in inputs.order:
        for absent in present(play.combat[who], "HE-SURP-03"):
            yield refuse(absent.rule, absent.code, absent.detail, "order")
        if not ROUND_INITIATIVE.known(play.combat[who]):
            detail = f"{who} has declared nothing for this round"
            yield refuse("HE-INIT-07", "not-declared", detail, "order")


def set_order(play: Play, _: Id, inputs: SetOrder) -> Procedure[None]:
    """Set the remaining turns of this round, first to last.

    A combatant that has finished its turn gets another turn with the same number.
    """
    coming = list(play.combat.queue)
    order = []
    for who in inputs.order:
        another = Place(who, (ROUND_INITIATIVE.of(play.combat[who]),))
        place = next((place for place in coming if place.who == who), another)
        order.append(place)
        if place in coming:
            coming.remove(place)
    yield InitiativeSet(tuple(order), rules=("HE-SEQ-04",))


@rule("HE-DECL-14", "When the GM closes the step, combatants without a declaration do nothing")
def close_declare(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Close the declare step. Combatants without a declaration do nothing (HE-DECL-14)."""
    yield CLOSING.set(True, rules=("HE-DECL-14",))


def _running(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        yield from _over(play)
        phase = play.combat.phase.partition("/")[0]
        if phase not in phases:
            yield refuse("HE-SEQ-01", "wrong-phase", f"not in the step {phase}", NO_FIELD, phases)

    return refusals


def take_up(play: Play, _: Id, inputs: TakeUp) -> Procedure[None]:
    """Take up a thing that the combatant has dropped, thrown or used (HE-SEQ-04)."""
    combatant, rules = play.combat[inputs.who], ("HE-SEQ-04",)
    thing = inputs.thing.partition(":")[2]
    lost, used = LOST.of(combatant), USED.of(combatant)
    if inputs.thing in lost:
        left = {other: how for other, how in lost.items() if other != inputs.thing}
        yield LOST.set(combatant.id, left, rules=rules)
    else:
        yield USED.set(combatant.id, {**used, thing: used[thing] - 1}, rules=rules)
    yield Noted(f"{combatant.id} takes up {thing}", combatant.id, rules=rules)


def _takable(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        gone = [f"item:{item}" for item, number in USED.of(combatant).items() if number]
        for thing in dict.fromkeys([*LOST.of(combatant), *gone]):
            yield {"combatant": combatant.id, "thing": thing}


def take_up_refusals(play: Play, who: Id, inputs: TakeUp) -> Iterator[Illegal]:
    play.combat[inputs.who]
    there = [raw["thing"] for raw in _takable(play, "") if raw["combatant"] == inputs.who]
    if inputs.thing not in there:
        raise Unknown("thing", inputs.thing, there)
    return iter(())


@rule("HE-MOR-09", "A monster that sees how the fight will end fails without dice")
def obvious(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Let a monster see how the combat will end, so that it fails morale (HE-MOR-09)."""
    yield OBVIOUS.set(inputs.who, True, rules=("HE-MOR-09",))


def enter_refusals(play: Play, who: Id, inputs: Enter) -> Iterator[Illegal]:
    yield from comes("sheet")(play, who, inputs)
    yield from _over(play)


@rule("HE-LATE-01", "A newcomer rolls its die at once")
def enter(play: Play, _: Id, inputs: Enter) -> Procedure[None]:
    """Add a newcomer, which rolls and declares at once (HE-LATE-01)."""
    event = yield from admit(inputs.sheet)
    if initiative.entry(play.combat, event.who) is not None and play.combat.status == "running":
        yield from declarations.enter(play, event.who)


def leave(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Remove a combatant from the combat."""
    yield CombatantLeft(inputs.who)


def next_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Skip the remaining turns of the round (HE-SEQ-04)."""
    yield PhaseBegan("end-round", rules=("HE-SEQ-04",))


def end(play: Play, _: Id, inputs: End) -> Procedure[None]:
    """End the combat by the GM's decision (HE-END-01)."""
    yield ENDING.set(Ending(inputs.winners, inputs.reason or "ruling"))
    yield PhaseBegan("ending", rules=("HE-END-01",))


def end_refusals(play: Play, who: Id, inputs: End) -> Iterator[Illegal]:
    if play.combat.status != "running" or play.combat.phase in ("ending", "ended"):
        yield refuse("HE-END-04", "combat-over", "no combat is running", NO_FIELD)
    for side in inputs.winners or ():
        if side not in play.combat.sides:
            raise Unknown("side", side, play.combat.sides)


@rule("HE-DECL-09", "The method of declaring does not change during a combat")
def order_refusals(play: Play, who: Id, inputs: SetDeclareOrder) -> Iterator[Illegal]:
    """Refuse a new order of declaring after the combat has begun (HE-DECL-09)."""
    yield from _over(play)
    if play.combat.status != "opening":
        detail = "the way of declaring is fixed when combat has begun"
        yield refuse("HE-DECL-09", "declare-order-fixed", detail, NO_FIELD)


@rule("HE-DECL-03", "The table chooses the order of declaring")
def set_declare_order(play: Play, _: Id, inputs: SetDeclareOrder) -> Procedure[None]:
    """Set the order of declaring that the table chooses (HE-DECL-03)."""
    yield DECLARE_ORDER.set(inputs.declare_order, rules=("HE-DECL-03",))


def check(play: Play, _: Id, inputs: Check) -> Procedure[None]:
    """Make a skill check that costs no action (section 4.1: "GM: free")."""
    yield from skill_check(play, inputs.who, inputs.skill, inputs.tn)


RUNNING = (
    ruling(
        "surprise", Surprise, surprise, "Who is surprised", "HE-SURP-01",
        refusals=_all_known,
        candidates=lambda play, who: ({"who": [combatant.id]} for combatant in play.combat),
        idle="these are surprised already, and nobody else",
    ),
    ruling(
        "set-initiative", SetInitiative, set_initiative, "Set a Base Initiative", "HE-INIT-09",
        refusals=initiative_refusals,
        candidates=everybody({"base": -3}, {"base": 15}),
    ),
    ruling(
        "set-order", SetOrder, set_order, "Set the order of turns", "HE-SEQ-04",
        refusals=order_of_turns_refusals,
    ),
    ruling(
        "close-declare", NoInputs, close_declare, "Close the declarations", "HE-DECL-14",
        refusals=_running("declare"), candidates=one_candidate,
    ),
    ruling(
        "take-up", TakeUp, take_up, "Take up what was dropped or thrown", "HE-SEQ-04",
        refusals=take_up_refusals, candidates=_takable,
    ),
    ruling(
        "obvious", About, obvious, "It sees the end coming", "HE-MOR-09",
        candidates=everybody(), idle="{combatant} sees it already",
    ),
    ruling(
        "enter", Enter, enter, "Somebody enters", "HE-LATE-01", refusals=enter_refusals
    ),
    ruling("leave", About, leave, "Somebody leaves", "HE-SEQ-04"),
    ruling(
        "next-round", NoInputs, next_round, "Skip to the end of the round", "HE-SEQ-04",
        refusals=_running("count", "declare"),
    ),
    ruling("end", End, end, "End the combat", "HE-END-01", refusals=end_refusals),
    ruling(
        "set-declare-order", SetDeclareOrder, set_declare_order,
        "How declarations are collected", "HE-DECL-03",
        refusals=order_refusals, idle="they are collected so already ({declare_order})",
    ),
    ruling("skill-check", Check, check, "A check", "HE-MOD-10"),
)  # fmt: skip
