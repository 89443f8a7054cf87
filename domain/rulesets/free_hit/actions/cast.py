"""The actions that cast a spell over one or more turns, cancel it, or switch it on and off."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionLost
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulesets.free_hit import payment, spells, summons
from domain.rulesets.free_hit.facts import CAST, CASTING, UPKEEP
from domain.rulesets.free_hit.numbers import apart
from domain.rulesets.free_hit.payment import KINDS
from domain.rulesets.free_hit.rules import action, rule
from domain.rulesets.free_hit.sheet import Payment, Spell, noted
from domain.rulesets.free_hit.spells import Casting
from domain.rulesets.free_hit.states import enemies, sheet
from domain.rulesets.free_hit.strike import aim_refusals, away, target_refusals
from domain.rulesets.free_hit.things import as_cast, spell_of


def missing(caster: Combatant, spell: Spell) -> dict[str, int]:
    """Return the part of the cast time that is still unpaid."""
    begun = CASTING.of(caster).get(spell.id)
    return begun or spell.cast_time.by_kind()


def affordable(caster: Combatant, left: Mapping[str, int]) -> dict[str, int]:
    """Return the part of the cast time that the unit can pay in this turn (FH-SPL-02)."""
    return {kind: min(left[kind], max(0, caster.budget.get(kind, 0))) for kind in KINDS}


@rule("FH-SPL-04", "Notes improve a spell for BA. The caster chooses them last")
def note_cost(spell: Spell, notes: tuple[str, ...]) -> int:
    """Return the BA for the chosen improvements (FH-SPL-04)."""
    return sum(note.ba for note in spell.notes if note.id in notes)


# ---- casting


def refusals(act: Act[Casting], *, begun: bool) -> Iterator[Illegal]:
    """Refuse an unknown spell or note, missing payment, and an illegal target or aim.

    If `begun` is true, the unit must already be casting the spell.
    """
    caster, inputs = act.actor, act.inputs
    spell = spell_of(caster, inputs.spell)
    casting = CASTING.of(caster)
    if spell is None:
        known = [spell.id for spell in sheet(caster).spells]
        sentence = f"{caster.name} knows no {inputs.spell!r}"
        yield refuse("FH-SPL-01", "unknown-spell", sentence, "spell", known)
        return
    if begun and spell.id not in casting:
        sentence = f"{caster.name} is not casting {spell.name}"
        yield refuse("FH-SPL-02", "not-casting", sentence, "spell", tuple(casting))
        return
    unknown = [note for note in inputs.notes if note not in {note.id for note in spell.notes}]
    if unknown:
        known = [note.id for note in spell.notes]
        sentence = f"{spell.name} has no note {unknown}"
        yield refuse("FH-SPL-04", "unknown-note", sentence, "notes", known)
        return
    left = missing(caster, spell)
    now = affordable(caster, left)
    completes = now == left
    if completes and note_cost(spell, inputs.notes) > caster.budget.get("ba", 0) - now["ba"]:
        sentence = f"the notes cost {note_cost(spell, inputs.notes)} BA"
        yield refuse("FH-SPL-04", "no-bonus-action", sentence, "notes")
    if completes:
        yield from _completing(act.combat, act.who, spell, inputs)
    if any(left.values()) and not any(now.values()):
        due = ", ".join(f"{count} {kind.upper()}" for kind, count in left.items() if count)
        sentence = f"{due} of the cast time is to be paid, and nothing of it is left"
        yield refuse("FH-SPL-02", "cannot-pay-cast-time", sentence, "spell")
    final, mp = noted(spell, inputs.notes), caster.tracks["mp"].value
    if not begun and mp < final.mp_cost:
        sentence = f"{spell.name} costs {final.mp_cost} MP, {caster.name} has {mp}"
        yield refuse("FH-SPL-03", "not-enough-mp", sentence, "spell")
    if not begun and spell.id in casting:
        sentence = f"{caster.name} is casting {spell.name}"
        yield refuse("FH-SPL-02", "cannot-pay-cast-time", sentence, "spell", tuple(casting))
    if final.summon is not None and (completes or not begun):
        yield from summons.slot_refusals(act.combat, caster, final.summon.count)
        if completes and not inputs.spaces:  # the unit names the spaces last, once it has a slot
            yield from summons.space_refusals(act.combat, caster, final, inputs.spaces)


def _completing(combat: Combat, who: Id, spell: Spell, inputs: Casting) -> Iterator[Illegal]:
    """Refuse the targets, range, spaces or aim of a casting that completes the spell."""
    caster = combat[who]
    final = noted(spell, inputs.notes)
    if not inputs.targets and needs_targets(final):
        yield refuse("FH-SPL-05", "out-of-range", f"{spell.name} needs targets", "targets")
    for index, target in enumerate(inputs.targets):
        if target in inputs.targets[:index]:
            yield refuse("FH-SPL-05", "same-target", f"{target} is named twice", "targets")
        if final.attack:
            yield from target_refusals(combat, who, target, field="targets")
        else:
            yield from away(combat, target, field="targets")
        spaces = apart(combat, who, target)
        if final.range is not None and spaces is not None and spaces > final.range:
            far = f"{target} is {spaces} spaces away, {spell.name} reaches {final.range}"
            yield refuse("FH-ATK-07", "out-of-range", far, "targets")
    if inputs.aim is not None:
        yield from aim_refusals(inputs.aim)
        if not final.physical or not final.attack:
            sentence = "only a physical attack can be aimed"
            yield refuse("FH-AIM-01", "not-physical", sentence, "aim")
    if final.summon is not None:
        if inputs.spaces:
            yield from summons.space_refusals(combat, caster, final, inputs.spaces)
        yield from summons.name_refusals(combat, inputs.names)


def needs_targets(spell: Spell) -> bool:
    """Return true if the spell has effects that need targets."""
    alone = spell.grants_disengage or spell.summon is not None
    puts = spell.removes_wound or spell.conditions or spell.modifiers
    return bool(spell.attack or spell.damage or spell.healing or (puts and not alone))


def candidates(play: Play, who: Id, *, begun: bool) -> Iterator[Mapping[str, Json]]:
    """Propose the spells whose casting has begun. If `begun` is false, propose the other spells."""
    for spell in sheet(play.combat[who]).spells:
        if (spell.id in CASTING.of(play.combat[who])) == begun:
            yield from _casts(play.combat, who, spell)


def _casts(combat: Combat, who: Id, spell: Spell) -> Iterator[Mapping[str, Json]]:
    """Propose harmful spells at each enemy, and other spells at each ally.

    Propose each spell without notes, and with all its notes. Propose a physical spell also with an
    aim.
    """
    caster = combat[who]
    if spell.summon is not None:
        spaces = summons.free_spaces(combat, caster, spell.summon)
        yield {"spell": spell.id, "spaces": spaces}
        return
    foes = [foe.id for foe in enemies(combat, who)]
    allies = [ally.id for ally in combat if ally.side == caster.side]
    for target in foes if spell.attack or spell.damage else allies:
        for notes in ([], [note.id for note in spell.notes]):
            for aim in (None, "legs") if spell.physical else (None,):
                yield {"spell": spell.id, "targets": [target], "notes": notes, "aim": aim}


@rule("FH-CHN-03", "A spell that is paid at once and has no upkeep is not channeled")
def go_on(act: Act[Casting]) -> Procedure[None]:
    """Pay as much of the cast time as possible. A fully paid spell takes effect.

    If one declaration pays the whole cast time, the caster does not channel (FH-CHN-03).
    FH-SPL-01, FH-SPL-02.
    """
    play, who, inputs = act.play, act.who, act.inputs
    caster = act.actor
    spell = spell_of(caster, inputs.spell)
    assert spell is not None
    left = missing(caster, spell)
    now = affordable(caster, left)
    rest: dict[str, int] = {kind: left[kind] - now[kind] for kind in KINDS}
    yield from payment.pay(play, who, Payment(**now), "FH-SPL-01", "FH-SPL-02")
    begun, channels = CASTING.of(caster), f"channeling#{spell.id}"
    channeling = any(held.key == channels for held in caster.all("channeling"))
    if any(rest.values()):
        yield CASTING.set(who, {**begun, spell.id: rest}, rules=("FH-CHN-01",))
        if not channeling:
            yield spells.channeling(who, spell)
        return
    if spell.id in begun:
        others = {id: still for id, still in begun.items() if id != spell.id}
        yield CASTING.set(who, others, rules=("FH-SPL-02",))
    if channeling:
        yield ConditionLost(who, "channeling", channels, "completed", rules=("FH-CHN-02",))
    yield from payment.pay(play, who, Payment(ba=note_cost(spell, inputs.notes)), "FH-SPL-04")
    yield from spells.completed(play, who, noted(spell, inputs.notes), inputs)


@action(
    "cast", "Cast a spell", Casting,
    cost="the spell's cast time", category="cast", headline="Cast {spell}[ on {targets}]",
    rules={
        "FH-SPL-01": "A spell costs the actions of its cast time",
        "FH-SPL-02": "A caster pays as much as it can now, and the remainder in later turns",
    },
    also=("FH-SPL-03",),
    refusals=(lambda act: refusals(act, begun=False),),
    propose=lambda play, who: candidates(play, who, begun=False),
    stops=True,
)  # fmt: skip
def cast(act: Act[Casting]) -> Procedure[None]:
    """Begin to cast (FH-SPL-01)."""
    yield from go_on(act)


@action(
    "continue-casting", "Go on casting", Casting,
    cost="the unpaid part of the cast time", category="cast", headline="Go on casting {spell}",
    polarity="none",
    rules={}, also=("FH-SPL-02", "FH-CHN-01"),
    refusals=(lambda act: refusals(act, begun=True),),
    propose=lambda play, who: candidates(play, who, begun=True),
    stops=True,
)  # fmt: skip
def continue_casting(act: Act[Casting]) -> Procedure[None]:
    """Pay more of the cast time (FH-SPL-02)."""
    yield from go_on(act)


# ---- cancelling, switching


def running(combat: Combat, who: Id) -> list[str]:
    """Return the spells that the unit is casting or maintaining."""
    caster = combat[who]
    return [*CASTING.of(caster), *UPKEEP.of(caster)]


def switchable(combat: Combat, who: Id) -> list[str]:
    """Return the spells that the unit has cast and can switch on or off."""
    caster = combat[who]
    cast = (as_cast(caster, id) for id in CAST.of(caster))
    return [spell.id for spell in cast if spell is not None and spell.toggle]


def spell_kind(proposes: Callable[[Combat, Id], list[str]]) -> InputKind:
    """Return the kind of an input that names a spell of the acting unit.

    `proposes` returns the spells to propose.
    """
    return InputKind("spell", listed="spells", acts=True, proposes=proposes)


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    spell: Annotated[str, spell_kind(running)]


class Toggle(Struct, frozen=True, forbid_unknown_fields=True):
    spell: Annotated[str, spell_kind(switchable)]
    pay_with: payment.WithBonus = "ba"


@action(
    "cancel-spell", "Cancel a spell", Named,
    cost="none", category="cast", headline="Cancel {spell}", polarity="none",
    rules={"FH-CHN-04": "Cancelling is free. A caster that is out of the fight stops channeling"},
    refusals=(
        Refusal("FH-CHN-04", "not-casting", "{actor} neither casts nor keeps up {spell}",
                lambda act: act.inputs.spell not in running(act.combat, act.who)
                and {"spell": repr(act.inputs.spell)},
                field="spell", instead=lambda act: running(act.combat, act.who)),
    ),
    propose=("spell",),
)  # fmt: skip
def cancel_spell(act: Act[Named]) -> Procedure[None]:
    """Cancel the spell for free. The unit loses the actions that it has paid (FH-CHN-04).

    A unit pays MP when a spell is complete, so it loses no MP.
    """
    yield from spells.let_go(act.combat, act.actor, act.inputs.spell, "FH-CHN-04")


@action(
    "toggle-spell", "Switch a spell off or on", Toggle,
    cost="1 bonus action", category="cast", headline="Switch {spell}", polarity="none",
    rules={
        "FH-SPL-06": "A caster can switch a cast spell off and on if the spell allows it",
        "FH-ACT-04": "One BA switches the effects of a cast spell off or on",
    },
    refusals=(
        payment.wrong_kind("ba"),
        payment.lacking(Payment(ba=1)),
        Refusal("FH-SPL-06", "not-toggleable", "{spell} is no cast spell that can be switched",
                lambda act: act.inputs.spell not in switchable(act.combat, act.who)
                and {"spell": repr(act.inputs.spell)},
                field="spell", instead=lambda act: switchable(act.combat, act.who)),
    ),
    propose=("spell",),
)  # fmt: skip
def toggle_spell(act: Act[Toggle]) -> Procedure[None]:
    """Switch the spell's effects off or on, for 1 BA (FH-SPL-06, FH-ACT-04)."""
    yield from payment.pay(act.play, act.who, Payment(ba=1), "FH-ACT-04", "FH-SPL-06")
    cast = CAST.of(act.actor)
    state = cast[act.inputs.spell]
    switched = replace(state, on=not state.on)
    yield CAST.set(act.who, {**cast, act.inputs.spell: switched}, rules=("FH-SPL-06",))
    turn = spells.switched_on if switched.on else spells.switched_off
    yield from turn(act.combat, act.who, act.inputs.spell)
