"""Casting over one turn or several, cancelling, switching (FH-SPL, FH-CHN-04, FH-ACT-04)."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionLost
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnSpell
from domain.rulebook.play import Play
from domain.rulesets.free_hit import paying, spells, summoning
from domain.rulesets.free_hit.facts import CAST, CASTING, UPKEEP
from domain.rulesets.free_hit.numbers import apart
from domain.rulesets.free_hit.paying import KINDS
from domain.rulesets.free_hit.sheet import Payment, Spell, noted
from domain.rulesets.free_hit.spells import Casting
from domain.rulesets.free_hit.states import enemies, sheet
from domain.rulesets.free_hit.strike import aim_refusals, away, target_refusals
from domain.rulesets.free_hit.things import as_cast, spell_of


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    spell: OwnSpell


class Toggle(Named, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "ba"


def missing(one: Combatant, spell: Spell) -> dict[str, int]:
    """Return the part of the cast time that is still unpaid."""
    begun = CASTING.of(one).get(spell.id)
    return begun or spell.cast_time.each()


def affordable(one: Combatant, left: Mapping[str, int]) -> dict[str, int]:
    """Return the part of it that the unit still has this turn (FH-SPL-02)."""
    return {kind: min(left[kind], max(0, one.budget.get(kind, 0))) for kind in KINDS}


def note_cost(spell: Spell, notes: tuple[str, ...]) -> int:
    """BA for the chosen improvements (FH-SPL-04)."""
    return sum(note.ba for note in spell.notes if note.id in notes)


# ---- casting


def refusals(play: Play, who: Id, inputs: Casting, *, begun: bool) -> Iterator[Illegal]:
    """Of a casting that begins, or of one that has `begun`."""
    combat, one = play.combat, play.combat[who]
    spell = spell_of(one, inputs.spell)
    casting = CASTING.of(one)
    if spell is None:
        known = [spell.id for spell in sheet(one).spells]
        yield Illegal("FH-SPL-01", "unknown-spell", f"{one.name} knows no {inputs.spell!r}", known)
        return
    if begun and spell.id not in casting:
        detail = f"{one.name} is not casting {spell.name}"
        yield Illegal("FH-SPL-02", "not-casting", detail, tuple(casting))
        return
    unknown = [note for note in inputs.notes if note not in {note.id for note in spell.notes}]
    if unknown:
        known = [note.id for note in spell.notes]
        yield Illegal("FH-SPL-04", "unknown-note", f"{spell.name} has no note {unknown}", known)
        return
    left = missing(one, spell)
    now = affordable(one, left)
    completes = now == left
    if completes and note_cost(spell, inputs.notes) > one.budget.get("ba", 0) - now["ba"]:
        detail = f"the notes cost {note_cost(spell, inputs.notes)} BA"
        yield Illegal("FH-SPL-04", "no-bonus-action", detail)
    if completes:
        yield from _completing(combat, who, spell, inputs)
    if any(left.values()) and not any(now.values()):
        due = ", ".join(f"{count} {kind.upper()}" for kind, count in left.items() if count)
        detail = f"{due} of the cast time is to be paid, and nothing of it is left"
        yield Illegal("FH-SPL-02", "cannot-pay-cast-time", detail)
    final = noted(spell, inputs.notes)
    if not begun and one.tracks["mp"].value < final.mp_cost:
        detail = f"{spell.name} costs {final.mp_cost} MP, {one.name} has {one.tracks['mp'].value}"
        yield Illegal("FH-SPL-03", "not-enough-mp", detail)
    if not begun and spell.id in casting:
        detail = f"{one.name} is casting {spell.name}"
        yield Illegal("FH-SPL-02", "cannot-pay-cast-time", detail, tuple(casting))
    if final.summon is not None and (completes or not begun):
        yield from summoning.slot_refusals(combat, one, final.summon.count)
        if completes and not inputs.spaces:  # the space is named last, once there is a slot
            yield from summoning.space_refusals(combat, one, final, inputs.spaces)


def _completing(combat: Combat, who: Id, spell: Spell, inputs: Casting) -> Iterator[Illegal]:
    """Check the casting itself: targets, range, spaces, aim."""
    one = combat[who]
    final = noted(spell, inputs.notes)
    if not inputs.targets and needs_targets(final):
        yield Illegal("FH-SPL-05", "out-of-range", f"{spell.name} needs targets")
    for index, target in enumerate(inputs.targets):
        if target in inputs.targets[:index]:
            yield Illegal("FH-SPL-05", "same-target", f"{target} is named twice")
        if final.attack:
            yield from target_refusals(combat, who, target)
        else:
            yield from away(combat, target)
        spaces = apart(combat, who, target)
        if final.range is not None and spaces is not None and spaces > final.range:
            far = f"{target} is {spaces} spaces away, {spell.name} reaches {final.range}"
            yield Illegal("FH-ATK-07", "out-of-range", far)
    if inputs.aim is not None:
        yield from aim_refusals(inputs.aim)
        if not final.physical or not final.attack:
            yield Illegal("FH-AIM-01", "not-physical", "only a physical attack can be aimed")
    if final.summon is not None:
        if inputs.spaces:
            yield from summoning.space_refusals(combat, one, final, inputs.spaces)
        yield from summoning.name_refusals(combat, inputs.names)


def needs_targets(spell: Spell) -> bool:
    """Whether it has effects, and none without targets."""
    alone = spell.grants_disengage or spell.summon is not None
    puts = spell.removes_wound or spell.conditions or spell.modifiers
    return bool(spell.attack or spell.damage or spell.healing or (puts and not alone))


def candidates(play: Play, who: Id, *, begun: bool) -> Iterator[Mapping[str, Json]]:
    for spell in sheet(play.combat[who]).spells:
        if (spell.id in CASTING.of(play.combat[who])) == begun:
            yield from _casts(play.combat, who, spell)


def _casts(combat: Combat, who: Id, spell: Spell) -> Iterator[Mapping[str, Json]]:
    one = combat[who]
    if spell.summon is not None:
        spaces = summoning.free_spaces(combat, one, spell.summon)
        yield {"spell": spell.id, "spaces": spaces}
        return
    foes = [foe.id for foe in enemies(combat, who)]
    allies = [ally.id for ally in combat if ally.side == one.side]
    for target in foes if spell.attack or spell.damage else allies:
        for notes in ([], [note.id for note in spell.notes]):
            for aim in (None, "legs") if spell.physical else (None,):
                yield {"spell": spell.id, "targets": [target], "notes": notes, "aim": aim}


def cast(play: Play, who: Id, inputs: Casting) -> Procedure[None]:
    """Pay all that is missing and at hand now. A fully paid spell is cast.

    FH-SPL-01, -02. A spell paid in one declaration is not channeled (FH-CHN-03).
    """
    one = play.combat[who]
    spell = spell_of(one, inputs.spell)
    assert spell is not None
    left = missing(one, spell)
    now = affordable(one, left)
    rest: dict[str, int] = {kind: left[kind] - now[kind] for kind in KINDS}
    yield from paying.pay(play, who, Payment(**now), "FH-SPL-01", "FH-SPL-02")
    begun, channels = CASTING.of(one), f"channeling#{spell.id}"
    channeling = any(held.key == channels for held in one.all("channeling"))
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
    yield from paying.pay(play, who, Payment(ba=note_cost(spell, inputs.notes)), "FH-SPL-04")
    yield from spells.completed(play, who, noted(spell, inputs.notes), inputs)


CAST_SPELL = Action(
    "cast", Casting, partial(refusals, begun=False), partial(candidates, begun=False),
    "Cast a spell", procedure=cast, cost="the spell's cast time",
    rules=("FH-SPL-01", "FH-SPL-02", "FH-SPL-03"), stops=True,
).shown("cast", "Cast {spell}[ on {targets}]")  # fmt: skip
CONTINUE_CASTING = Action(
    "continue-casting", Casting, partial(refusals, begun=True), partial(candidates, begun=True),
    "Go on casting", procedure=cast, cost="what is still missing",
    rules=("FH-SPL-02", "FH-CHN-01"), stops=True,
).shown("cast", "Go on casting {spell}", polarity="none")  # fmt: skip


# ---- cancelling, switching


def cancel_refusals(play: Play, who: Id, inputs: Named) -> Iterator[Illegal]:
    one = play.combat[who]
    running = [*CASTING.of(one), *UPKEEP.of(one)]
    if inputs.spell not in running:
        detail = f"{one.name} neither casts nor keeps up {inputs.spell!r}"
        yield Illegal("FH-CHN-04", "not-casting", detail, running)


def cancel_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    return ({"spell": spell} for spell in (*CASTING.of(one), *UPKEEP.of(one)))


def cancel(play: Play, who: Id, inputs: Named) -> Procedure[None]:
    """Free; actions paid are lost, MP were not paid yet (FH-CHN-04)."""
    yield from spells.let_go(play.combat, play.combat[who], inputs.spell, "FH-CHN-04")


CANCEL_SPELL = Action(
    "cancel-spell", Named, cancel_refusals, cancel_candidates, "Cancel a spell", procedure=cancel,
    cost="none", rules=("FH-CHN-04",),
).shown("cast", "Cancel {spell}", polarity="none")  # fmt: skip


def toggle_refusals(play: Play, who: Id, inputs: Toggle) -> Iterator[Illegal]:
    yield from paying.wrong_kind(inputs.pay_with, ("ba",))
    yield from paying.lacking(play.combat, who, Payment(ba=1))
    one = play.combat[who]
    if inputs.spell not in _switchable(one):
        detail = f"{inputs.spell!r} is no cast spell that can be switched"
        yield Illegal("FH-SPL-06", "not-toggleable", detail, _switchable(one))


def _switchable(one: Combatant) -> list[str]:
    cast = [as_cast(one, id) for id in CAST.of(one)]
    return [spell.id for spell in cast if spell is not None and spell.toggle]


def toggle_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"spell": spell} for spell in _switchable(play.combat[who]))


def toggle(play: Play, who: Id, inputs: Toggle) -> Procedure[None]:
    """Effects off, or on again: 1 BA a switch (FH-SPL-06, FH-ACT-04)."""
    yield from paying.pay(play, who, Payment(ba=1), "FH-ACT-04", "FH-SPL-06")
    cast = CAST.of(play.combat[who])
    state = cast[inputs.spell]
    switched = replace(state, on=not state.on)
    yield CAST.set(who, {**cast, inputs.spell: switched}, rules=("FH-SPL-06",))
    turn = spells.switched_on if switched.on else spells.switched_off
    yield from turn(play.combat, who, inputs.spell)


TOGGLE_SPELL = Action(
    "toggle-spell", Toggle, toggle_refusals, toggle_candidates, "Switch a spell off or on",
    procedure=toggle, cost="1 BA", rules=("FH-SPL-06", "FH-ACT-04"),
).shown("cast", "Switch {spell}", polarity="none")  # fmt: skip
