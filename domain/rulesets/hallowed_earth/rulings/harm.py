"""Rulings on harm, healing, conditions and results (section 4.2)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained, ConditionLost, Damaged, Healed, Noted, Term
from domain.rulebook.effects import Procedure
from domain.rulebook.fields import Name
from domain.rulebook.gm import RULINGS, About, Points, condition_data, everybody, ruling
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import harm, injuries
from domain.rulesets.hallowed_earth.conditions import CONDITIONS, gained
from domain.rulesets.hallowed_earth.facts import INJURIES, WOUNDS
from domain.rulesets.hallowed_earth.numbers import armour
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.rulings.settlement import settle
from domain.rulesets.hallowed_earth.sheet import Arm, Attribute, Gift, Pools, Types


class Damage(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of damage. By default, it lowers Stress first, and Armour does not reduce it.

    If `hit` is true, the damage is one hit, which counts for morale.
    """

    amount: Points
    type: Name | Types = "other"
    to: Pools = "stress-first"
    hit: bool = False
    ignores_armour: bool = True


class Heal(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of healing.

    - `wound`: the id of the wound to heal first.
    - `injury`: the name of a Combat Injury to heal.
    - `attributes`: attribute damage to restore, in points.
    """

    stress: Points = 0
    wound_points: Points = 0
    wound: int | None = None
    injury: Name | None = None
    attributes: Mapping[Attribute, Points] = {}


class Condition(About, frozen=True, forbid_unknown_fields=True):
    """Inputs that begin a condition (`add`) or end one (`remove`)."""

    add: Name | Gift | None = None
    remove: Name | None = None


class Injure(About, frozen=True, forbid_unknown_fields=True):
    """Inputs of a Combat Injury, by the name that a table gives it.

    If no table has the name, the injury has no effect.
    """

    name: Name
    side: Arm | None = None


class Override(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs that change the result of an event.

    - `amount` replaces the points of damage or healing.
    - If `stands` is false, the condition did not begin or end.
    - Without either field, the ruling only adds a note.
    """

    event: Annotated[int, Meta(ge=1)]
    outcome: Annotated[str, Meta(min_length=1, max_length=2000)]
    amount: Points | None = None
    stands: bool = True


def damage(play: Play, _: Id, inputs: Damage) -> Procedure[None]:
    """Deal damage without an attack (GAP-30)."""
    types = (inputs.type,) if isinstance(inputs.type, str) else inputs.type
    combatant = play.combat[inputs.who]
    off = 0 if inputs.ignores_armour else min(inputs.amount, armour(combatant).value)
    terms = (Term("ruling", inputs.amount), Term("Armour", -off, "HE-ARM-02"))
    to_wounds = inputs.to == "wound-points"
    suffered = harm.Harm(inputs.amount - off, types, terms, to_wounds, hit=inputs.hit)
    yield from harm.suffer(play, inputs.who, suffered)


def heal(play: Play, _: Id, inputs: Heal) -> Procedure[None]:
    """Restore Stress, Wound Points, an injury or attribute damage (HE-WP-09, HE-INJ-09)."""
    if inputs.stress:
        yield from harm.heal_stress(play, inputs.who, inputs.stress)
    if inputs.wound_points:
        yield from harm.heal_wounds(play, inputs.who, inputs.wound_points, None, inputs.wound)
    if inputs.injury is not None:
        yield from injuries.heal(play, inputs.who, inputs.injury)
    for attribute, amount in inputs.attributes.items():
        yield from injuries.restore_attribute(play, inputs.who, attribute, amount)


def heal_refusals(play: Play, who: Id, inputs: Heal) -> Iterator[Illegal]:
    combatant = play.combat[inputs.who]
    if inputs.injury is not None and injuries.find(combatant, inputs.injury) is None:
        there = tuple(kept.name for kept in INJURIES.of(combatant))
        raise Unknown("injury", inputs.injury, there)
    wounds = [kept.id for kept in WOUNDS.of(combatant)]
    if inputs.wound is not None and inputs.wound not in wounds:
        raise Unknown("wound", inputs.wound, tuple(map(str, wounds)))
    return iter(())


def _cures(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        yield {"combatant": combatant.id, "stress": 3, "wound_points": 4}
        for kept in INJURIES.of(combatant):
            yield {"combatant": combatant.id, "injury": kept.name}


def condition(play: Play, _: Id, inputs: Condition) -> Procedure[None]:
    """Begin or end a condition of the rulebook or of the data (GAP-06)."""
    if inputs.remove is not None:
        yield ConditionLost(inputs.who, inputs.remove, reason="ruling", rules=("HE-SEQ-04",))
    if inputs.add is not None:
        gift = Gift(id=inputs.add) if isinstance(inputs.add, str) else inputs.add
        yield gained(play.combat, inputs.who, gift.id, rounds=gift.duration, side=gift.side)


def condition_refusals(play: Play, who: Id, inputs: Condition) -> Iterator[Illegal]:
    combatant = play.combat[inputs.who]
    if inputs.add is None and inputs.remove is None:
        raise Malformed("/inputs/add", "name a condition to add or to remove", tuple(CONDITIONS))
    if inputs.remove is not None and not combatant.has(inputs.remove):
        raise Unknown("condition", inputs.remove, tuple(held.id for held in combatant.conditions))
    return iter(())


def _states(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for id in ("prone", "cannot-speak", "cannot-breathe", "paralyzed"):
            yield {"combatant": combatant.id, "add": id}
        for held in combatant.conditions:
            if held.id != "dead":
                yield {"combatant": combatant.id, "remove": held.id}


def set_condition(play: Play, _: Id, inputs: Any) -> Procedure[None]:
    """Set a condition. Its arm and its end follow this rulebook."""
    data = condition_data(play, inputs)
    side = data.get("side")
    arm: Arm | None = side if side in ("main", "off") else None
    began = gained(play.combat, inputs.who, inputs.condition, side=arm)
    yield structs.replace(began, key=inputs.key)


def injure(play: Play, _: Id, inputs: Injure) -> Procedure[None]:
    """Inflict a Combat Injury by a ruling. Affray rolls its dice as usual (HE-INJ-06)."""
    row = injuries.known(play, inputs.name)
    if row is None:
        injury = injuries.Injury(inputs.name, side=inputs.side)
    else:
        injury = yield from injuries.details(inputs.who, row, side=inputs.side)
    yield from injuries.inflict(play, inputs.who, (injury,))


def override_refusals(play: Play, _: Id, inputs: Override) -> Iterator[Illegal]:
    """Refuse an event that does not exist, or whose kind the inputs cannot change."""
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


@rule("HE-SEQ-04", "The Referee may change every step and every result")
def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    """Change earlier damage, healing or a condition, with all consequences (HE-SEQ-04)."""
    event, rules = play.told(inputs.event), ("HE-SEQ-04",)
    changes = inputs.amount is not None or not inputs.stands
    # Only readers of the event may read the note, because it reveals the event.
    whose = getattr(event, "who", None)
    yield Noted(inputs.outcome, whose, rules=rules if changes else ())
    if not changes:
        return
    match event:
        case Damaged() | Healed():
            yield from settle(play, inputs.event, inputs.amount or 0)
        case ConditionGained():
            key = event.key or event.condition
            if any(held.key == key for held in play.combat[event.who].conditions):
                yield ConditionLost(event.who, event.condition, key, "ruling", rules=rules)
        case ConditionLost():
            yield gained(play.combat, event.who, event.condition, rules=rules)


HARMS = everybody(*({"amount": amount, "type": "blunt", "hit": True} for amount in (2, 9)))

NAMED = ("Broken Rib", "Shattered Hand", "Broken Shin", "Crushed Shoulder")
"""The injuries that Affray proposes as examples."""

HARMING = (
    ruling("damage", Damage, damage, "Damage", "HE-SEQ-04", candidates=HARMS),
    ruling(
        "heal", Heal, heal, "Healing", "HE-WP-09",
        refusals=heal_refusals, candidates=_cures,
        idle="{combatant} has nothing of it to be healed",
    ),
    ruling(
        "condition", Condition, condition, "Begin or end a condition", "HE-SEQ-04",
        refusals=condition_refusals, candidates=_states,
    ),
    ruling("set-condition", RULINGS["set-condition"].inputs, set_condition, "Begin a condition"),
    ruling(
        "injury", Injure, injure, "A Combat Injury", "HE-INJ-06",
        candidates=everybody(*({"name": name} for name in NAMED)),
    ),
    ruling(
        "override", Override, override, "Settle a result otherwise", "HE-SEQ-04",
        refusals=override_refusals, notes=True,
    ),
)  # fmt: skip
