"""Spells: casting over one turn or several, channeling, upkeep, toggling (FH-SPL, FH-CHN)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained, ConditionLost, FactSet, Noted, Spent, TrackChanged
from domain.rulebook.effects import Procedure, ask, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.free_hit import attack as attacks
from domain.rulesets.free_hit import movement, paying, summoning
from domain.rulesets.free_hit.ends import until
from domain.rulesets.free_hit.harm import heal, hurt
from domain.rulesets.free_hit.numbers import (
    AIMS,
    apart,
    enemies,
    in_fight,
    sheet,
    this_round,
)
from domain.rulesets.free_hit.sheet import Modifier, Payment, Spell, noted

KINDS = ("aa", "ma", "ba")


class Cast(Struct, frozen=True, forbid_unknown_fields=True):
    """`targets` units, `spaces` squares for what is summoned, `notes` improvements, `aim` if
    the spell is physical. They count in the declaration that completes the casting."""

    spell: str
    targets: Annotated[tuple[Id, ...], Meta(max_length=50)] = ()
    spaces: Annotated[list[list[int]], Meta(max_length=50)] = []
    notes: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    aim: str | None = None
    from_behind: bool = False


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    spell: str


def spell_of(one: Combatant, id: str) -> Spell | None:
    """The spell `id` of a unit."""
    return next((spell for spell in sheet(one).spells if spell.id == id), None)


def missing(one: Combatant, spell: Spell) -> dict[str, int]:
    """What of the cast time is still to pay."""
    begun: dict[str, dict[str, int]] = one.facts.get("casting", {})
    return begun.get(spell.id) or {kind: getattr(spell.cast_time, kind) for kind in KINDS}


def affordable(one: Combatant, left: Mapping[str, int]) -> dict[str, int]:
    """What of it the unit still has this turn (FH-SPL-02)."""
    return {kind: min(left[kind], max(0, one.budget.get(kind, 0))) for kind in KINDS}


def note_cost(spell: Spell, notes: tuple[str, ...]) -> int:
    """BA for the chosen improvements (FH-SPL-04)."""
    return sum(note.ba for note in spell.notes if note.id in notes)


# ---- casting


def cast_refusals(play: Play, who: Id, inputs: Cast) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from _casting(play.combat, who, inputs, begun=False)


def continue_refusals(play: Play, who: Id, inputs: Cast) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from _casting(play.combat, who, inputs, begun=True)


def _casting(combat: Combat, who: Id, inputs: Cast, *, begun: bool) -> Iterator[Illegal]:
    one = combat[who]
    spell = spell_of(one, inputs.spell)
    casting = one.facts.get("casting", {})
    if spell is None:
        known = [spell.id for spell in sheet(one).spells]
        yield Illegal("FH-SPL-01", "not-casting", f"{one.name} knows no {inputs.spell!r}", known)
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
        detail = f"nothing of what is still to pay is left: {left}"
        yield Illegal("FH-SPL-02", "cannot-pay-cast-time", detail)
    final = noted(spell, inputs.notes)
    if not begun and one.tracks["mp"].value < final.mp_cost:
        detail = f"{spell.name} costs {final.mp_cost} MP, {one.name} has {one.tracks['mp'].value}"
        yield Illegal("FH-SPL-03", "not-enough-mp", detail)
    if begun != (spell.id in casting):
        detail = f"{one.name} is {'not ' if begun else ''}casting {spell.name}"
        code = "not-casting" if begun else "cannot-pay-cast-time"
        yield Illegal("FH-SPL-02", code, detail, tuple(casting))
    if spell.summon is not None and not begun:
        yield from summoning.slot_refusals(combat, one, spell.summon.count)


def _completing(combat: Combat, who: Id, spell: Spell, inputs: Cast) -> Iterator[Illegal]:
    """What must be right when the spell is cast: targets, range, spaces, aim."""
    one = combat[who]
    final = noted(spell, inputs.notes)
    if not inputs.targets and (final.attack or final.damage or final.healing):
        yield Illegal("FH-SPL-05", "out-of-range", f"{spell.name} needs targets")
    for target in inputs.targets:
        if not combat[target] or (target == who and final.attack):
            yield Illegal("FH-ATK-07", "out-of-reach", "nobody attacks itself")
        spaces = apart(combat, who, target)
        if final.range is not None and spaces is not None and spaces > final.range:
            far = f"{target} is {spaces} spaces away, {spell.name} reaches {final.range}"
            yield Illegal("FH-ATK-07", "out-of-range", far)
    if inputs.aim is not None:
        if inputs.aim not in AIMS:
            yield Illegal("FH-AIM-02", "unknown-aim", f"{inputs.aim!r} is no aim", tuple(AIMS))
        if not final.physical or not final.attack:
            yield Illegal("FH-AIM-01", "not-physical", "only a physical attack can be aimed")
    if final.summon is not None:
        yield from summoning.space_refusals(combat, one, final, inputs.spaces)
        yield from summoning.slot_refusals(combat, one, final.summon.count)


def cast_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for spell in sheet(play.combat[who]).spells:
        if spell.id not in play.combat[who].facts.get("casting", {}):
            yield from _casts(play.combat, who, spell)


def continue_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for spell in sheet(play.combat[who]).spells:
        if spell.id in play.combat[who].facts.get("casting", {}):
            yield from _casts(play.combat, who, spell)


def _casts(combat: Combat, who: Id, spell: Spell) -> Iterator[Mapping[str, Json]]:
    one = combat[who]
    if spell.summon is not None:
        spaces = summoning.free_spaces(combat, one, spell.summon.count)
        yield {"spell": spell.id, "spaces": spaces}
        return
    foes = [foe.id for foe in enemies(combat, who)]
    allies = [ally.id for ally in combat if ally.side == one.side]
    for target in foes if spell.attack or spell.damage else allies:
        for notes in ([], [note.id for note in spell.notes]):
            for aim in (None, "legs") if spell.physical else (None,):
                yield {"spell": spell.id, "targets": [target], "notes": notes, "aim": aim}


def cast(play: Play, who: Id, inputs: Cast) -> Procedure[None]:
    """Pay at once all that is still needed and at hand; all paid: the spell is cast (FH-SPL-02)."""
    one = play.combat[who]
    spell = spell_of(one, inputs.spell)
    assert spell is not None
    left = missing(one, spell)
    now = affordable(one, left)
    rest = {kind: left[kind] - now[kind] for kind in KINDS}
    yield from paying.pay(play, who, Payment(**now), "FH-SPL-01", "FH-SPL-02")
    casting = {**one.facts.get("casting", {}), spell.id: rest}
    if any(rest.values()):
        yield FactSet(who, "casting", casting, rules=("FH-CHN-01",))
        if not any(held.key == f"channeling#{spell.id}" for held in one.all("channeling")):
            yield channeling(who, spell)
        return
    del casting[spell.id]
    if "casting" in one.facts:
        yield FactSet(who, "casting", casting or None, rules=("FH-SPL-02",))
    if any(held.key == f"channeling#{spell.id}" for held in play.combat[who].all("channeling")):
        yield ConditionLost(
            who, "channeling", f"channeling#{spell.id}", "completed", rules=("FH-CHN-02",)
        )
    ba = note_cost(spell, inputs.notes)
    yield from paying.pay(play, who, Payment(ba=ba), "FH-SPL-04")
    yield from completed(play, who, noted(spell, inputs.notes), inputs)


def channeling(who: Id, spell: Spell) -> ConditionGained:
    """Flat-footed until it is completed, cancelled or let go (FH-CHN-02)."""
    return ConditionGained(
        who,
        "channeling",
        f"channeling#{spell.id}",
        {"spell": spell.id},
        rules=("FH-CHN-01", "FH-CHN-02"),
    )


def completed(play: Play, who: Id, spell: Spell, inputs: Cast) -> Procedure[None]:
    """The spell is cast: MP now, or it fizzles (FH-SPL-03); then its effects."""
    mp = play.combat[who].tracks["mp"].value
    if mp < spell.mp_cost:
        yield Noted(f"{spell.name} fizzles: {spell.mp_cost} MP needed", who, rules=("FH-SPL-03",))
        return
    if spell.mp_cost:
        yield TrackChanged(
            who, "mp", mp - spell.mp_cost, None, f"cast {spell.name}", rules=("FH-SPL-03",)
        )
    if spell.upkeep is not None:
        upkeep = {**play.combat[who].facts.get("upkeep", {}), spell.id: this_round(play.combat)}
        yield FactSet(who, "upkeep", upkeep, rules=("FH-CHN-05",))
        yield channeling(who, spell)
    if spell.toggle or spell.upkeep is not None:
        known = play.combat[who].facts.get("cast", {})
        state = {"on": True, "targets": list(inputs.targets), "notes": list(inputs.notes)}
        yield FactSet(who, "cast", {**known, spell.id: state}, rules=("FH-SPL-06",))
    for target in inputs.targets:
        if spell.attack:
            if not in_fight(play.combat, target) or not in_fight(play.combat, who):
                continue
            strike = attacks.spell_strike(who, target, spell, inputs.aim, inputs.from_behind)
            yield from attacks.attack(play, strike)
        else:
            yield from takes_effect(play, who, spell, target)
    if spell.grants_disengage:
        for target in inputs.targets or (who,):
            yield movement.disengaged(play.combat, target, "FH-DSG-04")
    if not spell.attack:
        for target in inputs.targets:
            yield from effects_on(play, who, spell, target)
    if spell.summon is not None:
        yield from summoning.summon(play, who, spell, inputs.spaces)


def takes_effect(play: Play, who: Id, spell: Spell, target: Id) -> Procedure[None]:
    """A spell without an attack does what its data say (FH-SPL-05)."""
    if spell.damage is not None and in_fight(play.combat, target):
        rolled = yield from roll(who, "damage", spell.damage, rules=("FH-SPL-05",), against=target)
        yield from hurt(
            play,
            target,
            max(0, rolled.total),
            source=who,
            kind=spell.damage_type,
            physical=spell.physical,
            terms=(),
            is_attack=False,
        )
    if spell.healing is not None:
        rolled = yield from roll(
            who, "healing", spell.healing, rules=("FH-SPL-05",), against=target
        )
        yield from heal(play, target, max(0, rolled.total), who, removes_wound=spell.removes_wound)
    elif spell.removes_wound:
        yield from heal(play, target, 0, who, removes_wound=True)


def effects_on(play: Play, who: Id, spell: Spell, target: Id) -> Procedure[None]:
    """Conditions and modifiers, each with its own end."""
    round = this_round(play.combat)
    for condition in spell.conditions:
        yield ConditionGained(
            target,
            condition.id,
            f"{condition.id}#{who}#{spell.id}",
            {"can_act": condition.can_act, "flat_footed": condition.flat_footed},
            until(condition.until, target, round),
            who,
            rules=("FH-SPL-05",),
        )
    for number, modifier in enumerate(spell.modifiers):
        yield effect_modifier(target, modifier, f"{who}#{spell.id}#{number}", round, who)


def effect_modifier(
    target: Id, modifier: Modifier, key: str, round: int, source: Id | None
) -> ConditionGained:
    """A modifier that lasts for a time."""
    data = {
        "key": modifier.key,
        "value": modifier.value,
        "source": modifier.source,
        "feat": modifier.feat,
        "when": modifier.when,
    }
    ends = until(modifier.until, target, round)
    return ConditionGained(
        target, "modifier", f"modifier#{key}", data, ends, source, rules=("FH-ATK-04",)
    )


def lift(play: Play, who: Id, spell: str) -> Procedure[None]:
    """End what a spell has put on others."""
    for one in play.combat:
        for held in one.conditions:
            mine = held.key.endswith(f"#{who}#{spell}") or f"#{who}#{spell}#" in held.key
            if mine:
                yield ConditionLost(one.id, held.id, held.key, "let go", rules=("FH-SPL-06",))


# ---- cancelling, toggling, upkeep


def cancel_refusals(play: Play, who: Id, inputs: Named) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    one = play.combat[who]
    running = [*one.facts.get("casting", {}), *one.facts.get("upkeep", {})]
    if inputs.spell not in running:
        detail = f"{one.name} neither casts nor keeps up {inputs.spell!r}"
        yield Illegal("FH-CHN-04", "not-casting", detail, running)


def cancel_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    facts = play.combat[who].facts
    return ({"spell": spell} for spell in (*facts.get("casting", {}), *facts.get("upkeep", {})))


def cancel(play: Play, who: Id, inputs: Named) -> Procedure[None]:
    """Free; actions paid are lost, MP were not paid yet (FH-CHN-04)."""
    facts = play.combat[who].facts
    casting = {id: left for id, left in facts.get("casting", {}).items() if id != inputs.spell}
    if "casting" in facts:
        yield FactSet(who, "casting", casting or None, rules=("FH-CHN-04",))
    yield from let_go(play, who, inputs.spell, "FH-CHN-04")


def let_go(play: Play, who: Id, spell: str, rule: str) -> Procedure[None]:
    """Upkeep and channeling of a spell end."""
    facts = play.combat[who].facts
    for fact in ("upkeep", "cast"):
        if spell in facts.get(fact, {}):
            left = {id: value for id, value in facts[fact].items() if id != spell}
            yield FactSet(who, fact, left or None, rules=(rule,))
    for held in play.combat[who].all("channeling"):
        if held.key == f"channeling#{spell}":
            yield ConditionLost(who, "channeling", held.key, "ended", rules=(rule,))
    yield from lift(play, who, spell)


def toggle_refusals(play: Play, who: Id, inputs: Named) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)
    yield from paying.lacking(play.combat, who, Payment(ba=1))
    one = play.combat[who]
    spell = spell_of(one, inputs.spell)
    if spell is None or not spell.toggle or inputs.spell not in one.facts.get("cast", {}):
        detail = f"{inputs.spell!r} is no cast spell that can be switched"
        yield Illegal("FH-SPL-06", "not-toggleable", detail, _switchable(one))


def _switchable(one: Combatant) -> list[str]:
    cast = one.facts.get("cast", {})
    return [spell.id for spell in sheet(one).spells if spell.toggle and spell.id in cast]


def toggle_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"spell": spell} for spell in _switchable(play.combat[who]))


def toggle(play: Play, who: Id, inputs: Named) -> Procedure[None]:
    """Effects off, or on again (FH-SPL-06, FH-ACT-04)."""
    yield from paying.pay(play, who, Payment(ba=1), "FH-ACT-04", "FH-SPL-06")
    one = play.combat[who]
    cast: dict[str, Any] = one.facts["cast"]
    state = cast[inputs.spell]
    on = not state["on"]
    yield FactSet(who, "cast", {**cast, inputs.spell: {**state, "on": on}}, rules=("FH-SPL-06",))
    spell = spell_of(one, inputs.spell)
    assert spell is not None
    if on:
        for target in state["targets"]:
            yield from effects_on(play, who, noted(spell, tuple(state["notes"])), target)
    else:
        yield from lift(play, who, inputs.spell)


def upkeep(play: Play, who: Id) -> Procedure[None]:
    """Due at the start of each of the caster's turns after the casting (FH-CHN-05)."""
    for id in list(play.combat[who].facts.get("upkeep", {})):
        one = play.combat[who]
        spell = spell_of(one, id)
        if spell is None or spell.upkeep is None:
            continue
        price = spell.upkeep
        enough = one.tracks["mp"].value >= price.mp and all(
            one.budget.get(kind, 0) >= getattr(price, kind) for kind in KINDS
        )
        paid = False
        if enough:  # what cannot be paid is let go without asking
            answer = yield from ask(
                Prompt(
                    kind="choice",
                    name="upkeep",
                    who=who,
                    text=f"Does {one.id} pay the upkeep of {spell.id}?",
                    options=choices("pay", "let-go"),
                    rules=("FH-CHN-05",),
                    default="pay",
                    data={
                        "spell": id,
                        "mp": price.mp,
                        "aa": price.aa,
                        "ma": price.ma,
                        "ba": price.ba,
                    },
                )
            )
            paid = answer.option == "pay"
        if not paid:
            yield from let_go(play, who, id, "FH-CHN-05")
            continue
        what = {kind: getattr(price, kind) for kind in KINDS if getattr(price, kind)}
        if what:  # it does not count as acting (FH-INI-10)
            yield Spent(who, what, rules=("FH-CHN-05",))
        if price.mp:
            left = play.combat[who].tracks["mp"].value - price.mp
            yield TrackChanged(
                who, "mp", left, None, f"upkeep of {spell.name}", rules=("FH-CHN-05",)
            )
