"""Rulings of this rulebook (section 4.3), in addition to those of every rulebook."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained, Noted, PhaseBegan, Term, TrackChanged
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, admit, ask_gm, roll
from domain.rulebook.ending import ENDING, Ending
from domain.rulebook.fields import Name, Number, Text
from domain.rulebook.gm import (
    HARMS,
    RULINGS,
    WHO,
    About,
    Harm,
    SetCondition,
    comes,
    condition_data,
    everybody,
    ruling,
)
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.free_hit import harm
from domain.rulesets.free_hit.ends import lasts, this_round
from domain.rulesets.free_hit.escalation import CHECK, Chain, escalate
from domain.rulesets.free_hit.facts import CARRIED, GROUND, held
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.stealth import detected, undetected, units_named
from domain.rulesets.free_hit.things import place_of, weapon_of


class Check(About, frozen=True, forbid_unknown_fields=True):
    """Inputs of a check: d20 + modifier against a difficulty."""

    modifier: Number = 0
    difficulty: Number = 10


class Consequence(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text


class PlaceItem(Struct, frozen=True, forbid_unknown_fields=True, rename=WHO):
    """Inputs to put an item or a weapon on the ground.

    - `combatant`: the combatant that loses the thing.
    - `at`: the square. By default, it is the combatant's space.
    """

    item: Name
    who: Id | None = None
    at: SquareInput | None = None
    name: Annotated[str, Meta(max_length=120)] = ""


class SetDetected(About, frozen=True, forbid_unknown_fields=True):
    """Inputs that set the units that do not notice `combatant`.

    `undetected_by` is a list of units, or "all".
    """

    undetected_by: Literal["all"] | Annotated[tuple[Name, ...], Meta(max_length=200)] = ()


class AddUnit(Struct, frozen=True, forbid_unknown_fields=True):
    sheet: dict[str, Json]


class EndBattle(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs that end the battle. `winner` is a team. If it is `null`, nobody wins."""

    winner: Name | None = None


ESCALATION = (
    Option("none"),
    Option(
        "consequence",
        Consequence,
        candidates=lambda play, who: ({"text": "so be it"},),
        label="This comes of it",
    ),
)


def damage(play: Play, _: Id, inputs: Harm) -> Procedure[None]:
    """Deal damage that causes no wound and no free hits. HP stop at 0 (FH-DMG-06)."""
    if inputs.track not in (None, "hp"):
        yield from RULINGS["damage"].procedure(play, "", inputs)
        return
    yield harm.loss(play.combat[inputs.who], inputs.amount, inputs.kind)


def heal(play: Play, _: Id, inputs: Harm) -> Procedure[None]:
    """Heal once (FH-WND-03)."""
    if inputs.track not in (None, "hp"):
        yield from RULINGS["heal"].procedure(play, "", inputs)
        return
    yield from harm.heal(play, inputs.who, inputs.amount, None)


CHAINS: Mapping[Chain, str] = {
    "critical": "a critical success",
    "auto-fail": "an automatic failure",
}
"""The words for the result that begins each chain, in the prompt for the GM."""


@rule("FH-CRT-07", "For other d20 rolls, the GM decides the benefit of a natural 20")
@rule("FH-FUM-09", "For other d20 rolls, the GM decides the consequences of a natural 1")
@rule("FH-ESC-01", "A check is d20 + modifier, with an escalation in tiers")
def check(play: Play, _: Id, inputs: Check) -> Procedure[None]:
    """Roll d20 + modifier. A 1 fails, a 20 succeeds, and both begin a chain of dice.

    FH-ESC-01, FH-CRT-07, FH-FUM-09.
    """

    def word(faces: Any, total: int, target: int) -> str:
        if faces[0] in (1, 20):
            return "auto-fail" if faces[0] == 1 else "critical"
        return "success" if total >= inputs.difficulty else "failure"

    rolled = yield from roll(
        inputs.who,
        "check",
        "1d20",
        rules=("FH-ESC-01",),
        terms=(Term("modifier", inputs.modifier, "FH-ESC-01"),),
        target=inputs.difficulty,
        judge=word,
    )
    if rolled.faces[0] not in (1, 20):
        return
    chain: Chain = "critical" if rolled.faces[0] == 20 else "auto-fail"
    rule = "FH-CRT-07" if chain == "critical" else "FH-FUM-09"
    tier = yield from escalate(play, inputs.who, chain, CHECK, rule)
    answer = yield from ask_gm(
        "escalation",
        f"{play.combat[inputs.who].id}'s check is {CHAINS[chain]} of tier {tier}. What happens?",
        ESCALATION,
        "none",
        rules=("FH-ESC-01", rule),
        data={"unit": inputs.who, "chain": chain, "tier": tier},
    )
    if answer.option == "consequence":
        yield Noted(answer.inputs.text, inputs.who, rules=("FH-ESC-01",))


@rule("FH-DSM-01", "A disarmed item lies on the ground")
def place_item(play: Play, _: Id, inputs: PlaceItem) -> Procedure[None]:
    """Put a thing on the ground: disarmed, dropped or found (FH-DSM-01)."""
    at = None if inputs.at is None else list(inputs.at)
    lying: dict[str, Any] = {"name": inputs.name or inputs.item}
    if inputs.who is not None:
        combatant = play.combat[inputs.who]
        if not inputs.name:
            lying["name"] = item_name(play.combat, combatant, inputs.item)
        if inputs.item in CARRIED.of(combatant):
            kept = [*CARRIED.of(combatant)]
            kept.remove(inputs.item)
            yield CARRIED.set(combatant.id, kept, rules=("FH-DSM-01",))
        if at is None and combatant.position is not None:
            at = list(combatant.position)
        lying["of"] = combatant.id
        for index, weapon in enumerate(sheet(combatant).weapons):
            if weapon.id == inputs.item:
                lying = {**lying, "name": weapon.name, "weapon": combatant.sheet["weapons"][index]}
                yield held(combatant, weapon.id, "lost", "FH-DSM-03")
    ground = GROUND.of(play.combat)
    id = place_of(ground, inputs.item, inputs.who)
    yield GROUND.set({**ground, id: {**lying, "at": at}}, rules=("FH-DSM-01",))


def item_name(combat: Combat, combatant: Combatant, item: Id) -> str:
    """Return the name of a thing that a combatant owns or has picked up."""
    things = (thing for owner in (combatant, *combat) for thing in sheet(owner).items)
    return next((thing.name for thing in things if thing.id == item), item)


def place_refusals(play: Play, who: Id, inputs: PlaceItem) -> Iterator[Illegal]:
    """Refuse to disarm a natural weapon (FH-DSM-01)."""
    if inputs.who is not None:
        weapon = weapon_of(play.combat[inputs.who], inputs.item)
        if weapon is not None and weapon.natural:
            detail = f"{weapon.name} is natural: it cannot be disarmed"
            yield refuse("FH-DSM-01", "wrong-action-kind", detail, "item")
    if inputs.at is not None and grid.square(inputs.at) is None:
        detail = f"{grid.written(inputs.at)} is not a square"
        yield refuse("FH-DSM-01", "path-blocked", detail, "at")


def set_detected(play: Play, _: Id, inputs: SetDetected) -> Procedure[None]:
    """Set which units notice a unit, as the GM decides (FH-SNK-04)."""
    if inputs.undetected_by:
        yield undetected(play.combat, inputs.who, inputs.undetected_by)
    elif play.combat[inputs.who].has("undetected"):
        yield detected(inputs.who)


def detected_refusals(play: Play, who: Id, inputs: SetDetected) -> Iterator[Illegal]:
    units_named(play.combat, [inputs.who])
    units_named(play.combat, inputs.undetected_by)
    return iter(())


def set_condition(play: Play, _: Id, inputs: SetCondition) -> Procedure[None]:
    """Set a condition with its effects.

    - A wound is added to earlier wounds (FH-WND-02).
    - A defeated unit has no hit points (FH-DMG-06).
    - An effect that lasts for the round or the battle ends with it (FH-DUR-01, FH-DUR-02).
    """
    who, condition = inputs.who, inputs.condition
    data = condition_data(play, inputs)
    if condition in harm.WOUNDS:
        yield from harm.wounded(play, who, condition, None, inputs.key, data)
    elif condition == "defeated":
        yield TrackChanged(who, "hp", 0, None, "ruling", rules=("FH-DMG-06",))
    elif condition == "summoning-sick":
        dated = {"round": this_round(play.combat), **data}
        yield ConditionGained(who, condition, inputs.key, dated, rules=("FH-SCK-01",))
    else:
        ends = lasts(play.combat, condition, who)
        yield ConditionGained(who, condition, inputs.key, data, ends)


def add_unit(play: Play, _: Id, inputs: AddUnit) -> Procedure[None]:
    """Add a unit during the battle (FH-INI-12)."""
    yield from admit(inputs.sheet)


def end_refusals(play: Play, who: Id, inputs: EndBattle) -> Iterator[Illegal]:
    if play.combat.status != "running" or play.combat.phase == "ending":
        detail = "no battle is being fought"
        yield refuse("FH-SEQ-07", "battle-not-begun", detail, NO_FIELD)
    elif inputs.winner is not None and inputs.winner not in play.combat.sides:
        detail = f"there is no team {inputs.winner!r}"
        yield refuse("FH-SEQ-07", "unknown-team", detail, "winner", play.combat.sides)


def end_battle(play: Play, _: Id, inputs: EndBattle) -> Procedure[None]:
    """End the battle, with or without a winner (FH-SEQ-07)."""
    winners = () if inputs.winner is None else (inputs.winner,)
    yield ENDING.set(Ending(winners, "ruling"), rules=("FH-SEQ-07",))
    yield PhaseBegan("ending", rules=("FH-SEQ-07",))


def _drops(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for weapon in sheet(combatant).weapons:
            yield {"combatant": combatant.id, "item": weapon.id}


STATES = ("prone", "tied", "hampered", "flat-footed", *harm.WOUNDS, "defeated")

_OWN = (
    ruling("damage", Harm, damage, "Damage", "FH-DMG-06", candidates=HARMS),
    ruling("heal", Harm, heal, "Healing", "FH-WND-03", candidates=HARMS),
    ruling("check", Check, check, "Check", "FH-ESC-01", candidates=everybody()),
    ruling(
        "place-item", PlaceItem, place_item, "Put on the ground", "FH-DSM-01",
        refusals=place_refusals, candidates=_drops,
    ),
    ruling(
        "set-detected", SetDetected, set_detected, "Who notices", "FH-SNK-04",
        refusals=detected_refusals, candidates=everybody({"undetected_by": "all"}, {}),
        idle="just these notice {combatant} already",
    ),
    ruling(
        "add-unit", AddUnit, add_unit, "A unit joins", "FH-INI-12", refusals=comes("sheet")
    ),
    ruling(
        "end-battle", EndBattle, end_battle, "End the battle", "FH-SEQ-07", refusals=end_refusals
    ),
    ruling(
        "set-condition", SetCondition, set_condition, "Begin a condition",
        candidates=everybody(*({"condition": state} for state in STATES)),
    ),
)  # fmt: skip

FREE_HIT_RULINGS: Mapping[str, Action] = {**RULINGS, **{own.id: own for own in _OWN}}
