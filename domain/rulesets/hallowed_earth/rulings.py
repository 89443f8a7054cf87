"""What the GM decides by hand in this rulebook (4.2), beside the rulings of every rulebook."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.record.events import (
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    Damaged,
    Healed,
    Noted,
    PhaseBegan,
    Term,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.gm import RULINGS, known
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.hallowed_earth import flow, harm, initiative, injuries
from domain.rulesets.hallowed_earth.actions.skill_check import skill_check
from domain.rulesets.hallowed_earth.conditions import CONDITIONS, gained
from domain.rulesets.hallowed_earth.facts import (
    CLOSING,
    DECLARE_ORDER,
    ENDING,
    INJURIES,
    LOST,
    OBVIOUS,
    USED,
    WOUNDS,
)
from domain.rulesets.hallowed_earth.numbers import armour
from domain.rulesets.hallowed_earth.sheet import Arm, Attribute, DeclareOrder, Gift, Types

Points = Annotated[int, Meta(ge=0, le=100_000)]
Word = Annotated[str, Meta(min_length=1, max_length=120)]


class Surprise(Struct, frozen=True, forbid_unknown_fields=True):
    """All who are surprised; nobody else is."""

    who: Annotated[tuple[Id, ...], Meta(max_length=500)] = ()


class SetInitiative(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id
    base: Annotated[int, Meta(ge=-1000, le=1000)]


class Damage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Stress first and no Armour unless said otherwise (GAP-30). `hit`: one hit, for morale."""

    who: Id
    amount: Points
    type: Word | Types = "other"
    to: Literal["stress-first", "wound-points"] = "stress-first"
    hit: bool = False
    ignores_armour: bool = True


class Heal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`wound`: the id of the wound to heal first; `injury`: a Combat Injury by name;
    `attributes`: attribute damage to restore."""

    who: Id
    stress: Points = 0
    wound_points: Points = 0
    wound: int | None = None
    injury: Word | None = None
    attributes: dict[Attribute, Points] = {}


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition begins (`add`), or ends (`remove`)."""

    who: Id
    add: Word | Gift | None = None
    remove: Word | None = None


class Injure(Struct, frozen=True, forbid_unknown_fields=True):
    """A Combat Injury by its name in a table; other names are recorded without effect."""

    who: Id
    name: Word
    side: Arm | None = None


class Who(Struct, frozen=True, forbid_unknown_fields=True):
    who: Id


class TakeUp(Struct, frozen=True, forbid_unknown_fields=True):
    """`thing`: "weapon:axe", "item:flask" or "shield:shield", as the fact `lost` names it; an item
    that was used or thrown comes back too."""

    who: Id
    thing: Word


class Override(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM settles the result of an event otherwise. `amount`: as many points of damage or
    healing instead. `stands` false: what began or ended did not. Without them it is only said."""

    event: Annotated[int, Meta(ge=1)]
    outcome: Annotated[str, Meta(min_length=1, max_length=2000)]
    amount: Points | None = None
    stands: bool = True


class Enter(Struct, frozen=True, forbid_unknown_fields=True):
    """`combatant`: its sheet."""

    combatant: dict[str, Json]


class End(Struct, frozen=True, forbid_unknown_fields=True):
    winners: Annotated[tuple[Word, ...], Meta(max_length=50)] | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""


class SetDeclareOrder(Struct, frozen=True, forbid_unknown_fields=True):
    declare_order: DeclareOrder


class Check(Struct, frozen=True, forbid_unknown_fields=True):
    """A skill check that costs no action, because the GM says so."""

    who: Id
    skill: Word
    tn: int | None = None


def _all_known(play: Play, who: Id, inputs: Surprise) -> Iterator[Illegal]:
    for one in inputs.who:
        play.combat[one]
    if play.combat.phase not in ("opening", "surprise"):
        detail = "surprise is settled when combat starts"
        yield Illegal("HE-SEQ-01", "wrong-phase", detail)


def _running(*phases: str) -> Callable[[Play, Id, Any], Iterator[Illegal]]:
    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        phase = play.combat.phase.partition("/")[0]
        if phase not in phases:
            yield Illegal("HE-SEQ-01", "wrong-phase", f"not in the step {phase}", phases)

    return refusals


def surprise(play: Play, _: Id, inputs: Surprise) -> Procedure[None]:
    """Who is surprised (HE-SURP-01)."""
    yield from flow.surprised(play, inputs.who)


def set_initiative(play: Play, _: Id, inputs: SetInitiative) -> Procedure[None]:
    """A Base Initiative changes (HE-INIT-05, -09)."""
    yield from initiative.set_base(play, inputs.who, inputs.base)


def close_declare(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Whoever has not declared gets no-action (HE-DECL-14)."""
    yield CLOSING.set(True, rules=("HE-DECL-14",))


def damage(play: Play, _: Id, inputs: Damage) -> Procedure[None]:
    """Damage without an attack (GAP-30)."""
    types = (inputs.type,) if isinstance(inputs.type, str) else inputs.type
    one = play.combat[inputs.who]
    off = 0 if inputs.ignores_armour else min(inputs.amount, armour(one))
    terms = (Term("ruling", inputs.amount), Term("Armour", -off, "HE-ARM-02"))
    yield from harm.suffer(
        play,
        inputs.who,
        harm.Harm(
            inputs.amount - off,
            types,
            tuple(term for term in terms if term.value),
            to_wounds=inputs.to == "wound-points",
            hit=inputs.hit,
        ),
    )


def heal(play: Play, _: Id, inputs: Heal) -> Procedure[None]:
    """Stress, Wound Points and wounds, an injury, attribute damage (HE-WP-09, HE-INJ-09)."""
    if inputs.stress:
        yield from harm.heal_stress(play, inputs.who, inputs.stress)
    if inputs.wound_points:
        yield from harm.heal_wounds(play, inputs.who, inputs.wound_points, None, inputs.wound)
    if inputs.injury is not None:
        yield from injuries.heal(play, inputs.who, inputs.injury)
    for attribute, amount in inputs.attributes.items():
        yield from harm.restore_attribute(play, inputs.who, attribute, amount)


def heal_refusals(play: Play, who: Id, inputs: Heal) -> Iterator[Illegal]:
    one = play.combat[inputs.who]
    if inputs.injury is not None and injuries.find(one, inputs.injury) is None:
        there = tuple(kept.name for kept in INJURIES.of(one))
        raise Unknown("injury", inputs.injury, there)
    wounds = [kept.id for kept in WOUNDS.of(one)]
    if inputs.wound is not None and inputs.wound not in wounds:
        raise Unknown("wound", inputs.wound, tuple(map(str, wounds)))
    return iter(())


def condition(play: Play, _: Id, inputs: Condition) -> Procedure[None]:
    """Any condition, of the rulebook or of data (GAP-06)."""
    if inputs.remove is not None:
        yield ConditionLost(inputs.who, inputs.remove, reason="ruling", rules=("HE-SEQ-04",))
    if inputs.add is not None:
        gift = Gift(id=inputs.add) if isinstance(inputs.add, str) else inputs.add
        yield gained(play.combat, inputs.who, gift.id, rounds=gift.duration, side=gift.side)


def condition_refusals(play: Play, who: Id, inputs: Condition) -> Iterator[Illegal]:
    one = play.combat[inputs.who]
    if inputs.add is None and inputs.remove is None:
        raise Malformed("/inputs/add", "name a condition to add or to remove", tuple(CONDITIONS))
    if inputs.remove is not None and not one.has(inputs.remove):
        raise Unknown("condition", inputs.remove, tuple(held.id for held in one.conditions))
    return iter(())


def set_condition(play: Play, _: Id, inputs: Any) -> Procedure[None]:
    """The ruling of every rulebook, with what this rulebook attaches to a condition."""
    if inputs.condition not in CONDITIONS:
        detail = f"hallowed-earth has no condition {inputs.condition!r}"
        raise Malformed("/inputs/condition", detail, tuple(CONDITIONS))
    side = inputs.data.get("side")
    arm: Arm | None = side if side in ("main", "off") else None
    yield gained(play.combat, inputs.who, inputs.condition, side=arm)


def injure(play: Play, _: Id, inputs: Injure) -> Procedure[None]:
    """A Combat Injury by ruling; its dice are rolled as usual (HE-INJ-06)."""
    row = injuries.known(play, inputs.name)
    if row is None:
        found = injuries.Injury(inputs.name, side=inputs.side)
    else:
        found = yield from injuries.details(inputs.who, row, side=inputs.side)
    yield from injuries.inflict(play, inputs.who, (found,))


def take_up(play: Play, _: Id, inputs: TakeUp) -> Procedure[None]:
    """What was dropped or thrown is at hand again (HE-SEQ-04)."""
    one, rules = play.combat[inputs.who], ("HE-SEQ-04",)
    kind, _, thing = inputs.thing.partition(":")
    lost = {each: how for each, how in LOST.of(one).items() if each != inputs.thing}
    yield LOST.set(one.id, lost, rules=rules)
    used = USED.of(one)
    if kind == "item" and used.get(thing, 0) > 0:
        yield USED.set(one.id, {**used, thing: used[thing] - 1}, rules=rules)
    yield Noted(f"takes up: {thing}", one.id, rules=rules)


def _takable(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        gone = [f"item:{item}" for item, number in USED.of(one).items() if number]
        for thing in dict.fromkeys([*LOST.of(one), *gone]):
            yield {"who": one.id, "thing": thing}


def take_up_refusals(play: Play, who: Id, inputs: TakeUp) -> Iterator[Illegal]:
    play.combat[inputs.who]
    there = [each["thing"] for each in _takable(play, "") if each["who"] == inputs.who]
    if inputs.thing not in there:
        raise Unknown("thing", inputs.thing, there)
    return iter(())


def obvious(play: Play, _: Id, inputs: Who) -> Procedure[None]:
    """It plainly sees how the fight will end (HE-MOR-09)."""
    yield OBVIOUS.set(inputs.who, True, rules=("HE-MOR-09",))


def override_refusals(play: Play, _: Id, inputs: Override) -> Iterator[Illegal]:
    """An event that is there, and that can be settled so."""
    event = play.told(inputs.event)
    if event is None:
        raise Unknown("event", inputs.event)
    points = isinstance(event, Damaged | Healed)
    if inputs.amount is not None and not points:
        detail = "only damage and healing have an amount; a roll: undo, force-roll, and once more"
        raise Malformed("/inputs/amount", detail)
    if not inputs.stands and not points and not isinstance(event, ConditionGained | ConditionLost):
        detail = "only damage, healing and conditions can be taken back by themselves; else undo"
        raise Malformed("/inputs/stands", detail)
    return iter(())


def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    """Damage, healing and conditions, settled otherwise, with all that follows (HE-SEQ-04)."""
    event, rules = play.told(inputs.event), ("HE-SEQ-04",)
    changes = inputs.amount is not None or not inputs.stands
    yield Noted(f"event {inputs.event}: {inputs.outcome}", rules=rules if changes else ())
    if not changes:
        return
    match event:
        case Damaged():
            yield from _instead(play, event, (inputs.amount or 0) - event.amount)
        case Healed():
            yield from _instead(play, event, event.amount - (inputs.amount or 0))
        case ConditionGained():
            key = event.key or event.condition
            if any(held.key == key for held in play.combat[event.who].conditions):
                yield ConditionLost(event.who, event.condition, key, "ruling", rules=rules)
        case ConditionLost():
            yield gained(play.combat, event.who, event.condition, rules=rules)


def _instead(play: Play, event: Damaged | Healed, hurts: int) -> Procedure[None]:
    """The difference, as damage or, negative, as healing."""
    to_wounds = event.track == "wound_points"
    if hurts > 0:
        types = tuple(event.kind.split(", ")) if isinstance(event, Damaged) else ("other",)
        terms = (Term("ruling", hurts, "HE-SEQ-04"),)
        more = harm.Harm(hurts, types, terms, to_wounds, hit=False, rules=("HE-SEQ-04",))
        yield from harm.suffer(play, event.who, more)
    elif hurts < 0 and to_wounds:
        newest = max((kept.id for kept in WOUNDS.of(play.combat[event.who])), default=None)
        yield from harm.heal_wounds(play, event.who, -hurts, None, newest, revives=True)
    elif hurts < 0:
        yield from harm.heal_stress(play, event.who, -hurts)


def enter(play: Play, _: Id, inputs: Enter) -> Procedure[None]:
    """A newcomer (HE-LATE-01)."""
    event = yield from admit(inputs.combatant)
    if flow.entry(play.combat, event.who) is not None and play.combat.status == "running":
        yield from initiative.enter(play, event.who)


def leave(play: Play, _: Id, inputs: Who) -> Procedure[None]:
    """Out of the combat for good."""
    yield CombatantLeft(inputs.who)


def next_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """What is left of the round is skipped (HE-SEQ-04)."""
    yield PhaseBegan("end-round", rules=("HE-SEQ-04",))


def end(play: Play, _: Id, inputs: End) -> Procedure[None]:
    """The GM ends the combat, for whatever reason (HE-END-01)."""
    winners = None if inputs.winners is None else list(inputs.winners)
    yield ENDING.set({"winners": winners, "reason": inputs.reason or "ruling"})
    yield PhaseBegan("ending", rules=("HE-END-01",))


def end_refusals(play: Play, who: Id, inputs: End) -> Iterator[Illegal]:
    if play.combat.status != "running" or play.combat.phase in ("ending", "ended"):
        yield Illegal("HE-END-04", "combat-over", "no combat is running")
    for side in inputs.winners or ():
        if side not in play.combat.sides:
            raise Unknown("side", side, play.combat.sides)


def order_refusals(play: Play, who: Id, inputs: SetDeclareOrder) -> Iterator[Illegal]:
    """The method stays the same throughout (HE-DECL-09)."""
    if play.combat.status != "opening":
        detail = "the way of declaring is fixed when combat has begun"
        yield Illegal("HE-DECL-09", "declare-order-fixed", detail)


def set_declare_order(play: Play, _: Id, inputs: SetDeclareOrder) -> Procedure[None]:
    """How declarations are collected is the table's choice (HE-DECL-03)."""
    yield DECLARE_ORDER.set(inputs.declare_order, rules=("HE-DECL-03",))


def check(play: Play, _: Id, inputs: Check) -> Procedure[None]:
    """A skill check as no action (4.1: "GM: free")."""
    yield from skill_check(play, inputs.who, inputs.skill, inputs.tn)


def _everybody(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        yield {"who": one.id}


def _harms(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for amount in (2, 9):
        for one in play.combat:
            yield {"who": one.id, "amount": amount, "type": "blunt", "hit": True}


def _cures(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        yield {"who": one.id, "stress": 3, "wound_points": 4}
        for kept in INJURIES.of(one):
            yield {"who": one.id, "injury": kept.name}


def _states(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        for id in ("prone", "cannot-speak", "cannot-breathe", "paralyzed"):
            yield {"who": one.id, "add": id}
        for held in one.conditions:
            if held.id != "dead":
                yield {"who": one.id, "remove": held.id}


def _injuries(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        for name in ("Broken Rib", "Shattered Hand", "Broken Shin", "Crushed Shoulder"):
            yield {"who": one.id, "name": name}


def _bases(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for one in play.combat:
        for base in (-3, 15):
            yield {"who": one.id, "base": base}


def _none(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    """What the GM has to think of."""
    return iter(())


def _itself(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    yield {}


def _ruling(
    id: str,
    inputs: type[Struct],
    procedure: Callable[[Play, Id, Any], Procedure[None]],
    label: str,
    *rules: str,
    refusals: Callable[[Play, Id, Any], Iterator[Illegal]] = known,
    candidates: Callable[[Play, Id], Iterator[Mapping[str, Json]]] = _none,
) -> Action:
    return Action(id, inputs, refusals, candidates, label, procedure=procedure, rules=rules)


_OWN = (
    _ruling(
        "surprise", Surprise, surprise, "Who is surprised", "HE-SURP-01",
        refusals=_all_known,
        candidates=lambda play, who: ({"who": [one.id]} for one in play.combat),
    ),
    _ruling(
        "set-initiative", SetInitiative, set_initiative, "Set a Base Initiative", "HE-INIT-09",
        candidates=_bases,
    ),
    _ruling(
        "close-declare", NoInputs, close_declare, "Close the declarations", "HE-DECL-14",
        refusals=_running("declare"), candidates=_itself,
    ),
    _ruling("damage", Damage, damage, "Damage", "HE-SEQ-04", candidates=_harms),
    _ruling("heal", Heal, heal, "Healing", "HE-WP-09", refusals=heal_refusals, candidates=_cures),
    _ruling(
        "condition", Condition, condition, "Begin or end a condition", "HE-SEQ-04",
        refusals=condition_refusals, candidates=_states,
    ),
    _ruling("set-condition", RULINGS["set-condition"].inputs, set_condition, "Begin a condition"),
    _ruling("injury", Injure, injure, "A Combat Injury", "HE-INJ-06", candidates=_injuries),
    _ruling(
        "take-up", TakeUp, take_up, "Take up what was dropped or thrown", "HE-SEQ-04",
        refusals=take_up_refusals, candidates=_takable,
    ),
    _ruling(
        "obvious", Who, obvious, "It sees the end coming", "HE-MOR-09", candidates=_everybody
    ),
    _ruling(
        "override", Override, override, "Settle a result otherwise", "HE-SEQ-04",
        refusals=override_refusals,
    ),
    _ruling("enter", Enter, enter, "Somebody enters", "HE-LATE-01"),
    _ruling("leave", Who, leave, "Somebody leaves", "HE-SEQ-04"),
    _ruling(
        "next-round", NoInputs, next_round, "Skip to the end of the round", "HE-SEQ-04",
        refusals=_running("count", "declare"),
    ),
    _ruling("end", End, end, "End the combat", "HE-END-01", refusals=end_refusals),
    _ruling(
        "set-declare-order", SetDeclareOrder, set_declare_order,
        "How declarations are collected", "HE-DECL-03", refusals=order_refusals,
    ),
    _ruling("skill-check", Check, check, "A check", "HE-MOD-10"),
)  # fmt: skip

HALLOWED_EARTH_RULINGS: Mapping[str, Action] = {**RULINGS, **{one.id: one for one in _OWN}}
