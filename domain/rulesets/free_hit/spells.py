"""Apply and end the effects of spells, and ask for their upkeep (FH-SPL, FH-CHN)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.record.combat import Combat, Combatant, Condition, Id
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    ConditionLost,
    EffectResolved,
    TrackChanged,
)
from domain.rulebook.effects import Procedure, ask, roll, while_able
from domain.rulebook.fields import Name
from domain.rulebook.inputs import InputKind, OwnSpell, Recipient
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from domain.rulesets.free_hit import summons
from domain.rulesets.free_hit.attack import attack
from domain.rulesets.free_hit.ends import disengaged, of_data, this_round, until
from domain.rulesets.free_hit.facts import CAST, CASTING, UPKEEP, Cast
from domain.rulesets.free_hit.harm import WOUNDS, heal, hurt, wounded
from domain.rulesets.free_hit.payment import spent
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Modifier, Spell, noted
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.strike import away, spell_strike
from domain.rulesets.free_hit.things import as_cast, spell_of

PAY_OR_NOT = choices("pay", "let-go")


class Casting(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a casting. Only the declaration that completes the casting uses them.

    - `targets`: units.
    - `spaces`, `names`: the squares and names of summoned units.
    - `notes`: improvements of the spell.
    - `aim`: the aim of a physical spell.
    """

    spell: OwnSpell
    targets: Annotated[tuple[Recipient, ...], Meta(max_length=50)] = ()
    spaces: Annotated[list[list[int]], Meta(max_length=50), InputKind("square")] = []
    names: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    notes: Annotated[tuple[str, ...], Meta(max_length=20)] = ()
    aim: str | None = None
    from_behind: bool = False


@rule("FH-DSG-04", "A spell can grant disengagement")
@rule("FH-SPL-03", "A complete spell costs MP. Without enough MP, it fizzles")
def completed(play: Play, who: Id, spell: Spell, inputs: Casting) -> Procedure[None]:
    """Pay the MP of a spell or let it fizzle (FH-SPL-03), then apply its effects (FH-SPL-05)."""
    mp = play.combat[who].tracks["mp"].value
    if mp < spell.mp_cost:
        numbers = {"mp_cost": spell.mp_cost, "mp": mp}
        yield came_of(who, spell, "lost", inputs.targets, numbers=numbers, rule="FH-SPL-03")
        return
    if spell.mp_cost:
        yield TrackChanged(
            who, "mp", mp - spell.mp_cost, None, f"cast {spell.name}", rules=("FH-SPL-03",)
        )
    if spell.upkeep is not None:
        upkeep = {**UPKEEP.of(play.combat[who]), spell.id: this_round(play.combat)}
        yield UPKEEP.set(who, upkeep, rules=("FH-CHN-05",))
        yield channeling(who, spell)
    if spell.toggle or spell.upkeep is not None:
        cast = Cast(True, inputs.targets, inputs.notes)
        others = CAST.of(play.combat[who])
        yield CAST.set(who, {**others, spell.id: cast}, rules=("FH-SPL-06",))
    reached: list[Id] = []
    for target in inputs.targets:
        if any(away(play.combat, target)):
            continue
        met = True
        if spell.attack:
            strike = spell_strike(
                who, target, spell, inputs.aim, inputs.from_behind, inputs.notes
            )  # fmt: skip
            met = yield from attack(play, strike)
        else:
            effect = takes_effect(play, who, spell, target, inputs.notes)
            yield from while_able(play, who, effect, "cast", at=target)
        if met:
            reached.append(target)
    touched = reached or inputs.targets
    result = "no-effect" if inputs.targets and not reached else "done"
    yield came_of(who, spell, result, touched, rule="FH-SPL-05")
    if spell.grants_disengage:  # the spell lets only allies or the caster disengage (FH-DSG-04)
        side = play.combat[who].side
        for target in [ally for ally in inputs.targets if play.combat[ally].side == side] or [who]:
            yield disengaged(play.combat, target, "FH-DSG-04")
    for target in reached:
        yield from effects_on(play, who, spell, target)
    if spell.summon is not None:
        yield from summons.summon(play, who, spell, inputs.spaces, inputs.names)


def came_of(
    who: Id,
    spell: Spell,
    result: str,
    targets: Sequence[Id] = (),
    *,
    numbers: Mapping[str, int] | None = None,
    rule: str,
) -> EffectResolved:
    """Return the event with the result of a spell."""
    return EffectResolved(
        who,
        "spell",
        spell.id,
        result,
        spell.name,
        tuple(targets),
        numbers=numbers or {},
        rules=(rule,),
    )


@rule("FH-CHN-01", "A casting over several turns and a spell with upkeep are channeled")
@rule("FH-CHN-02", "A channeling caster is flat-footed")
def channeling(who: Id, spell: Spell) -> ConditionGained:
    """Return the event that a caster begins to channel a spell.

    The caster is flat-footed until the casting ends (FH-CHN-02).
    """
    return ConditionGained(
        who,
        "channeling",
        f"channeling#{spell.id}",
        {"spell": spell.id},
        rules=("FH-CHN-01", "FH-CHN-02"),
    )


@rule("FH-SPL-05", "Attack spells roll like attacks. Other spells take effect as their data say")
def takes_effect(
    play: Play, who: Id, spell: Spell, target: Id, notes: tuple[str, ...]
) -> Procedure[None]:
    """Apply the effects of a spell without an attack, as its data say (FH-SPL-05)."""

    def now() -> Spell:
        known = spell_of(play.combat[who], spell.id)
        return spell if known is None else noted(known, notes)

    if spell.damage is not None and play.combat[target].tracks["hp"].value > 0:
        rolled = yield from roll(
            who, "damage", lambda: now().damage or "0", rules=("FH-SPL-05",), against=target
        )
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
            who, "healing", lambda: now().healing or "0", rules=("FH-SPL-05",), against=target
        )
        yield from heal(play, target, max(0, rolled.total), who, removes_wound=spell.removes_wound)
    elif spell.removes_wound:
        yield from heal(play, target, 0, who, removes_wound=True)


def effects_on(play: Play, who: Id, spell: Spell, target: Id) -> Procedure[None]:
    """Apply conditions and modifiers, each with its end. A new cast restarts them.

    A wound belongs to the current round (FH-WND-02). A defeated unit has no hit points (FH-DMG-06).
    """
    for condition in spell.conditions:
        key = f"{condition.id}#{who}#{spell.id}"
        began = of_data(play.combat, target, condition, "FH-SPL-05", key=key, source=who)
        if condition.id in WOUNDS:
            yield from wounded(play, target, condition.id, who, key, began.data)
        elif condition.id == "defeated":
            yield TrackChanged(target, "hp", 0, None, spell.name, rules=("FH-SPL-05",))
        else:
            yield began
    for number, modifier in enumerate(spell.modifiers):
        key = f"modifier#{who}#{spell.id}#{number}"
        yield effect_modifier(play.combat, target, modifier, key, who)


def effect_modifier(
    combat: Combat, target: Id, modifier: Modifier, key: str, source: Id | None
) -> ConditionGained:
    """Return the event of a modifier with an end."""
    data = msgspec.to_builtins(modifier)
    del data["until"]
    ends = until(combat, modifier.until, target)
    return ConditionGained(target, "modifier", key, data, ends, source, rules=("FH-ATK-04",))


def of_sheet(combat: Combat, combatant: Combatant) -> dict[str, ConditionGained]:
    """Return the temporary modifiers of the sheet, by key (section 2.5)."""
    made: dict[str, ConditionGained] = {}
    for number, modifier in enumerate(sheet(combatant).modifiers):
        if modifier.until is not None:
            key = f"modifier#sheet#{number}"
            made[key] = effect_modifier(combat, combatant.id, modifier, key, None)
    return made


def put_by(combat: Combat, who: Id, spell: str) -> list[tuple[Combatant, Condition]]:
    """Return the lasting conditions that a spell of `who` has caused, with their combatants."""
    mark = f"#{who}#{spell}"
    return [
        (combatant, held)
        for combatant in combat
        for held in combatant.conditions
        if held.key.endswith(mark) or f"{mark}#" in held.key
    ]


def switched_off(combat: Combat, who: Id, spell: str) -> Iterator[AnyEvent]:
    """Suspend the effects of a spell. Their durations continue to run (FH-SPL-06)."""
    for combatant, held in put_by(combat, who, spell):
        data = {"condition": held.id, "data": dict(held.data)}
        yield ConditionLost(combatant.id, held.id, held.key, "switched off", rules=("FH-SPL-06",))
        yield ConditionGained(
            combatant.id, "suspended", held.key, data, held.until, who, rules=("FH-SPL-06",)
        )


def switched_on(combat: Combat, who: Id, spell: str) -> Iterator[AnyEvent]:
    """Restore the suspended conditions of a spell that have not expired (FH-SPL-06)."""
    for combatant, held in put_by(combat, who, spell):
        if held.id == "suspended":
            again, data = held.data["condition"], held.data["data"]
            yield ConditionLost(
                combatant.id, held.id, held.key, "switched on", rules=("FH-SPL-06",)
            )
            yield ConditionGained(
                combatant.id, again, held.key, data, held.until, who, rules=("FH-SPL-06",)
            )


def let_go(combat: Combat, combatant: Combatant, spell: str, rule: str) -> Iterator[AnyEvent]:
    """End casting, upkeep and channeling of a spell, and its effects on others."""
    fact: Any
    begun, cast = (
        spell in CASTING.of(combatant),
        spell in UPKEEP.of(combatant) or spell in CAST.of(combatant),
    )
    for fact in (CASTING, UPKEEP, CAST):
        if spell in fact.of(combatant):
            left = {id: value for id, value in fact.of(combatant).items() if id != spell}
            yield fact.set(combatant.id, left, rules=(rule,))
    for held in combatant.all("channeling"):
        if held.key == f"channeling#{spell}":
            yield ConditionLost(combatant.id, "channeling", held.key, "ended", rules=(rule,))
    for other, held in put_by(combat, combatant.id, spell):
        yield ConditionLost(other.id, held.id, held.key, "let go", rules=("FH-SPL-06",))
    known = spell_of(combatant, spell)
    if known is not None and (begun or cast):
        yield came_of(combatant.id, known, "lost" if begun else "ended", rule=rule)


@rule(
    "FH-CHN-05",
    "Upkeep is due at the start of each later turn. The caster pays, or lets the spell go",
)
def upkeep(play: Play, who: Id) -> Procedure[None]:
    """Ask for upkeep at the start of each of the caster's turns after the casting (FH-CHN-05)."""
    for id in list(UPKEEP.of(play.combat[who])):
        spell = as_cast(play.combat[who], id)
        if spell is None or spell.upkeep is None:
            continue
        price, pays = spell.upkeep, False
        if can_keep_up(play.combat, who, spell):  # otherwise the spell ends without a prompt
            answer = yield from ask(
                Prompt(
                    kind="choice",
                    name="upkeep",
                    who=who,
                    text=f"Does {who} pay the upkeep of {spell.name}?",
                    options=PAY_OR_NOT,
                    rules=("FH-CHN-05",),
                    default="pay",
                    data={"spell": id, "mp": price.mp, **price.by_kind()},
                    stands=partial(can_keep_up, who=who, spell=spell),
                )
            )
            pays = answer.option == "pay"
        combatant = play.combat[who]
        if id not in UPKEEP.of(combatant):
            continue  # the spell has ended meanwhile
        if not pays or not can_keep_up(play.combat, who, spell):
            yield from let_go(play.combat, combatant, id, "FH-CHN-05")
            continue
        yield from spent(who, price, "FH-CHN-05")  # upkeep does not count as acting (FH-INI-10)
        if price.mp:
            left, why = combatant.tracks["mp"].value - price.mp, f"upkeep of {spell.name}"
            yield TrackChanged(who, "mp", left, None, why, rules=("FH-CHN-05",))


def can_keep_up(combat: Combat, who: Id, spell: Spell) -> bool:
    """Return true if the spell is maintained and the caster has the MP and actions for it."""
    combatant, price = combat[who], spell.upkeep
    return price is not None and (
        spell.id in UPKEEP.of(combatant)
        and combatant.tracks["mp"].value >= price.mp
        and all(combatant.budget.get(kind, 0) >= due for kind, due in price.by_kind().items())
    )
