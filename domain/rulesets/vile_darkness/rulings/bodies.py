"""Rulings on combatants: damage, conditions, numbers, things and concentration (GAP-53)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.record.events import CombatantChanged, ConditionLost, Damaged
from domain.rulebook.effects import Procedure
from domain.rulebook.gm import About, Points, SetTrack, Word, everybody, known, pool_of, ruling
from domain.rulebook.input_reader import read
from domain.rulebook.play import Play
from domain.rulebook.pools import corrected, healed
from domain.rulebook.sheets import no_formula
from domain.rulesets.vile_darkness.concentration import maintain, stop_maintaining
from domain.rulesets.vile_darkness.facts import ITEMS
from domain.rulesets.vile_darkness.harm import Gift, as_effect, gained
from domain.rulesets.vile_darkness.numbers import ability_of, sheet
from domain.rulesets.vile_darkness.sheet import Creature, EffectModifiers, Flag, Span
from domain.rulesets.vile_darkness.sheet_faults import check


class Setting(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Begin a condition, or with `remove` end every one of that name."""

    condition: Word
    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    duration: Span | None = None
    remove: bool = False


class Hurting(About, frozen=True, forbid_unknown_fields=True):
    amount: Points


class Changing(About, frozen=True, forbid_unknown_fields=True):
    """Fields of the sheet and their new values."""

    sheet: dict[str, Json]


class Concentrating(About, frozen=True, forbid_unknown_fields=True):
    """With `ability` null or "none", it maintains nothing."""

    ability: Word | None = None


class Handing(About, frozen=True, forbid_unknown_fields=True):
    item: Word
    state: Literal["held", "stowed", "gone"]


def _condition_refusals(play: Play, _: Id, inputs: Setting) -> Iterator[Illegal]:
    known(play, _, inputs)
    for fault in no_formula("/inputs/ongoing", inputs.ongoing):
        raise fault
    combatant = play.combat[inputs.who]
    if inputs.remove and not combatant.has(inputs.condition):
        held = tuple(condition.id for condition in combatant.conditions)
        raise Unknown("condition", inputs.condition, held)
    return iter(())


def _sheet_refusals(play: Play, _: Id, inputs: Changing) -> Iterator[Illegal]:
    known(play, _, inputs)
    combatant = play.combat[inputs.who]
    for fixed in ("name", "owner", "side", "at"):
        if fixed in inputs.sheet:
            raise Malformed(f"/inputs/sheet/{fixed}", f"{fixed} is not changed through the sheet")
    _full(combatant.sheet, inputs.sheet, combatant.name, combatant.side)
    return iter(())


def _full(old: Mapping[str, Json], new: Mapping[str, Json], name: str, side: str) -> Json:
    try:
        full = read({**old, **new, "name": name, "side": side, "owner": None}, Creature)
        for fault in check(full):
            raise fault
    except Malformed as error:
        error.pointer = f"/inputs/sheet{error.pointer}"
        raise
    return msgspec.to_builtins(full)


def _ability_refusals(play: Play, _: Id, inputs: Concentrating) -> Iterator[Illegal]:
    known(play, _, inputs)
    combatant = play.combat[inputs.who]
    if inputs.ability not in (None, "none") and ability_of(combatant, inputs.ability) is None:
        raise Unknown(
            "ability", inputs.ability, tuple(ability.id for ability in sheet(combatant).abilities)
        )
    return iter(())


def condition(play: Play, _: Id, inputs: Setting) -> Procedure[None]:
    """Data conditions of any name, with their own end (section 5)."""
    who = inputs.who
    if inputs.remove:
        for held in play.combat[who].all(inputs.condition):
            yield ConditionLost(who, held.id, held.key, "ruling", rules=("VD-CONC-03",))
        return
    effect = as_effect(inputs.condition, inputs)
    gift = Gift(who, effect, duration=inputs.duration, rules=("VD-CONC-03",))
    yield gained(play.combat, gift)


def damage(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """Damage is damage: it breaks concentration (GAP-53)."""
    yield Damaged(inputs.who, "hp", inputs.amount, "ruling", rules=("VD-DMG-01",))


def heal(play: Play, _: Id, inputs: Hurting) -> Procedure[None]:
    """To the maximum at most."""
    yield healed(play.combat[inputs.who], "hp", inputs.amount, rules=("VD-END-01",))


def set_sheet(play: Play, _: Id, inputs: Changing) -> Procedure[None]:
    """A corrected sheet counts from the next check on (GAP-53)."""
    combatant = play.combat[inputs.who]
    full = _full(combatant.sheet, inputs.sheet, combatant.name, combatant.side)
    changed = {key: full[key] for key in inputs.sheet}
    yield CombatantChanged(inputs.who, sheet=changed, rules=("VD-SEQ-03",))


def set_track(play: Play, _: Id, inputs: SetTrack) -> Procedure[None]:
    """Correct a number. Its consequences follow (GAP-53)."""
    combatant, pool = play.combat[inputs.who], pool_of(play, inputs)
    yield corrected(combatant, pool, inputs.value, inputs.maximum, ("VD-SEQ-03",))


def set_concentrating(play: Play, _: Id, inputs: Concentrating) -> Procedure[None]:
    combatant = play.combat[inputs.who]
    if inputs.ability is None or ability_of(combatant, inputs.ability) is None:
        yield from list(stop_maintaining(combatant, "ruling", "VD-CONC-04"))
    else:
        yield from list(maintain(combatant, inputs.ability))


def set_item(play: Play, _: Id, inputs: Handing) -> Procedure[None]:
    """VD-MIN-02."""
    items = {**ITEMS.of(play.combat[inputs.who]), inputs.item: inputs.state}
    yield ITEMS.set(inputs.who, items, rules=("VD-MIN-02",))


def _states(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        yield {"combatant": combatant.id, "condition": "held", "flags": ["cannot_act"],
               "duration": {"rounds": 1}}  # fmt: skip
        yield {"combatant": combatant.id, "condition": "burning", "ongoing": "1d4",
               "duration": {"rounds": 2}}  # fmt: skip
        for held in combatant.conditions:
            yield {"combatant": combatant.id, "condition": held.id, "remove": True}


def _things(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for weapon in sheet(combatant).weapons:
            for state in ("gone", "held"):
                yield {"combatant": combatant.id, "item": weapon.id, "state": state}


POINTS = everybody({"amount": 1}, {"amount": 5})

BODIES = (
    ruling(
        "condition", Setting, condition, "A condition", "VD-CONC-03",
        refusals=_condition_refusals, candidates=_states,
    ),
    ruling("damage", Hurting, damage, "Damage", "VD-DMG-01", candidates=POINTS),
    ruling("heal", Hurting, heal, "Healing", "VD-END-01", candidates=POINTS),
    ruling(
        "set", Changing, set_sheet, "Correct the sheet", "VD-SEQ-03",
        refusals=_sheet_refusals, candidates=everybody({"sheet": {"ac": 3}}),
    ),
    ruling(
        "set-track", SetTrack, set_track, "Set hit points", "VD-SEQ-03",
        candidates=everybody({"value": 0}),
    ),
    ruling(
        "set-concentrating", Concentrating, set_concentrating, "What it maintains", "VD-CONC-04",
        refusals=_ability_refusals, candidates=everybody(),
        idle="{combatant} maintains just that already",
    ),
    ruling(
        "set-item", Handing, set_item, "What it holds", "VD-MIN-02",
        candidates=_things, idle="{item} of {combatant} is {state} already",
    ),
)  # fmt: skip
