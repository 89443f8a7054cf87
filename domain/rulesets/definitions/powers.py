"""Spells, abilities and effects of items, with casting, saves and effects (DEF-CST)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained, EffectResolved, FactSet, Term
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, ask_anew, interrupt, lastly, roll, stopped_by
from domain.rulebook.gm import WHO
from domain.rulebook.id_names import words
from domain.rulebook.input_reader import pointing
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.reactions import window
from domain.rulesets.definitions import (
    board,
    conditions,
    counterspells,
    harm,
    manoeuvre,
    numbers,
    opportunity,
    strike,
    triggers,
)
from domain.rulesets.definitions.conditions import read_data
from domain.rulesets.definitions.deed import First, Kind, foiled
from domain.rulesets.definitions.facts import CASTING, Casting
from domain.rulesets.definitions.harm import Hit, Part
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import ExtraDamage, Power, Spell, types
from domain.rulesets.definitions.states import by_initiative, components, sheet_of
from domain.rulesets.definitions.strike import Aimed, armor_class, extras, multiplied, to_hit

rule("DEF-TRN-09", "An ability with the cost standard is a standard action", f"{__name__}.KINDS")
rule("DEF-CST-07", "A standard spell uses the standard action", f"{__name__}.KINDS")
KINDS: Mapping[str, Kind] = {
    "standard": "standard",
    "move": "move",
    "swift": "swift",
    "free": "free",
    "immediate": "immediate",
    "full_round": "full-round",
    "attack_action": "none",
}
"""The kind of action for each cost of an entry (DEF-TRN-09, DEF-CST-07)."""


@dataclass(frozen=True)
class Use:
    """One use of a power, with its user, its targets and its action.

    `place` is the place in the order of attacks.
    """

    who: Id
    power: Power
    targets: tuple[Id, ...]
    place: int
    action: str
    attack_action: bool = False
    signless: bool = False
    """True if the caster of a spell makes no gestures."""
    of_item: bool = False

    def now(self, combat: Combat) -> Power:
        """Return the power from the current sheet, or this power if the sheet no longer has it."""
        if self.of_item:
            return self.power
        entry = spell if isinstance(self.power, Spell) else ability
        return entry(combat[self.who], self.power.id) or self.power


def spell(combatant: Combatant, id: str) -> Power | None:
    return next((spell for spell in sheet_of(combatant).spells if spell.id == id), None)


def ability(combatant: Combatant, id: str) -> Power | None:
    return next(
        (
            ability_entry
            for ability_entry in sheet_of(combatant).abilities_list
            if ability_entry.id == id
        ),
        None,
    )


def has_data(power: Power) -> bool:
    """Return true if the sheet has data about the power's effect (DEF-CST-05)."""
    return bool(
        power.damage
        or power.nld
        or power.healing
        or power.conditions
        or power.modifiers
        or power.extra_damage
    )


def meant(who: Id, power: Power, targets: tuple[Id, ...], point: object = None) -> tuple[Id, ...]:
    """Return the targets, each once. A power that only helps affects its user by default."""
    helps = power.attack == "none" and bool(power.healing or power.modifiers)
    harms = power.damage or power.nld or power.extra_damage or power.conditions or power.save
    if not targets and point is None and helps and not harms:
        return (who,)
    return tuple(dict.fromkeys(targets))


def target_refusals(
    combat: Combat,
    who: Id,
    power: Power,
    targets: Sequence[Id],
    point: object = None,
    field: str = "targets",
) -> Iterator[Illegal]:
    """Refuse missing targets, and targets out of reach or range.

    DEF-TCH-07, DEF-RTC-03, DEF-CST-01. A point can replace a target.
    """
    needed = power.attack != "none" or (has_data(power) and point is None)
    if not targets and needed:
        yield refuse("DEF-ATK-06", "no-target", f"{power.name} needs a target", field)
    for target in targets:
        if target != who:
            yield from manoeuvre.target_refusals(combat, who, target, field)
        if power.attack in ("melee", "melee-touch"):
            yield from manoeuvre.natural_reach(combat, who, target, field)
        else:
            yield from board.out_of_range(combat, who, target, power.range_ft, power.name, field)


def asks_reach(
    power_of: Callable[[Combat, Id, Any], Power | None],
) -> Callable[[str], First]:
    """Return a procedure that asks the GM about the reach of a melee attack.

    It asks only if a position is missing (DEF-RCH-08).
    """

    def at_whom(combat: Combat, who: Id, inputs: Any) -> Sequence[Id]:
        power = power_of(combat, who, inputs)
        struck_at = power is not None and power.attack in ("melee", "melee-touch")
        return inputs.targets if struck_at else ()

    return lambda action: manoeuvre.asks_reach(action, at_whom)


# ---- the order of a casting


@rule("DEF-CST-06", "Abilities cannot be countered and do not fail")
def run(play: Play, use: Use) -> Procedure[None]:
    """Carry out the steps after the checks and the payment (DEF-CST-02)."""
    if not isinstance(use.power, Spell):
        yield from provoke(play, use)
        yield from released(play, use)
        return
    outer = CASTING.of(play.combat)  # an immediate spell can be cast during another casting
    casting = Casting(who=use.who, spell=use.power.id)
    yield CASTING.set(casting, rules=("DEF-CST-01",))

    def over() -> Iterator[FactSet]:
        rules = ("DEF-CST-02",)
        yield CASTING.clear(rules=rules) if outer is None else CASTING.set(outer, rules=rules)

    if (yield from lastly(cast(play, use), over)):
        yield from released(play, use)


@rule("DEF-CNT-06", "A caster that falls during the casting loses the spell")
@rule(
    "DEF-CST-02",
    "A casting has fixed steps. A released spell takes effect even if its caster falls",
)
@rule("DEF-CST-04", "Damage does not disturb a casting")
def cast(play: Play, use: Use) -> Procedure[bool]:
    """Offer held actions, opportunities and counterspells, then roll for failure.

    Return true if the spell takes effect.
    """
    for reactions in (awaited, provoke, countering):
        yield from reactions(play, use)
        for refusal in (
            *brought_down(play),
            *components(play.combat, use.who, use.power, use.signless),
        ):
            yield foiled(use.who, use.action, refusal)
            return False
    if (yield from countered(play, use)) or (yield from fails(play, use.who)):
        return False
    return not (yield from countered(play, use))  # foes can counter it during the roll for failure


def brought_down(play: Play) -> Iterator[Illegal]:
    """Return the refusal if the caster fell during the casting, even if it is awake again.

    DEF-CNT-06.
    """
    casting = CASTING.of(play.combat)
    if casting is not None and casting.lost:
        yield Illegal("DEF-CNT-06", "cannot-act", f"{casting.who} was brought down meanwhile")


@rule("DEF-CNT-04", "A countered spell has no effect, and its caster has spent the action")
def countered(play: Play, use: Use) -> Procedure[bool]:
    """Record a countered spell. Return true if a foe has countered it."""
    casting = CASTING.of(play.combat)
    if casting is None or not casting.countered:
        return False
    yield came_of(use, "countered", use.targets, rule="DEF-CNT-04")
    return True


def awaited(play: Play, use: Use) -> Procedure[None]:
    """Offer held actions that wait for a casting (DEF-HLD-06)."""
    yield from triggers.occurred(play, "starts-to-cast", use.who)


@rule("DEF-SWI-04", "Swift actions do not provoke")
@rule("DEF-IMM-11", "Immediate actions do not provoke, and held actions provoke as usual")
@rule("DEF-TCH-04", "A melee touch spell does not provoke")
@rule("DEF-RTC-02", "A ranged touch spell provokes once, for casting and shot together")
@rule("DEF-RTC-03", "A ranged touch attack also provokes if it is an attack action")
def provoke(play: Play, use: Use) -> Procedure[None]:
    """Offer opportunities against the casting.

    A swift or immediate power and a melee touch do not provoke (DEF-CST-02).
    """
    power = use.power
    quiet = power.cost in ("swift", "free", "immediate") or power.attack == "melee-touch"
    # A ranged attack always provokes, even with an ability (DEF-RTC-03).
    shot = power.cost == "attack_action" and power.attack == "ranged-touch"
    if not quiet and (power.provokes or shot):
        yield from opportunity.provoked(play, use.who, use.action, rule="DEF-CST-02")


def countering(play: Play, use: Use) -> Procedure[None]:
    """Prompt each hostile caster with a matching entry, until one of them counters the spell."""
    for foe in by_initiative(play.combat):
        if opportunity.sees(play.combat, foe.id, use.who) and counterspells.may(
            play.combat, foe.id
        ):
            yield from window(play, [counterspells.question(foe.id, use.who, use.power)])


@rule("DEF-UNT-02", "In untrained armor, half of all spells fail")
def fails(play: Play, who: Id) -> Procedure[bool]:
    """Roll for failure in untrained armor, in which half of all spells fail."""
    armor = sheet_of(play.combat[who]).armor
    if armor is None or armor.trained:
        return False
    rolled = yield from roll(
        who,
        "spell-failure",
        "1d100",
        rules=("DEF-UNT-02",),
        target=strike.UPPER_HALF,
        judge=lambda faces, total, target: "success" if total >= strike.UPPER_HALF else "failure",
    )
    return rolled.outcome == "failure"


def released(play: Play, use: Use) -> Procedure[None]:
    """Run the effect of a released power, even if its caster falls."""
    yield from interrupt(play, lambda: effect(play, use), otherwise=None)


# ---- the effect


def came_of(
    use: Use, result: str, targets: Sequence[Id], *, text: str = "", rule: str
) -> EffectResolved:
    """Return the event with the result of a power."""
    power = use.power
    kind: Literal["spell", "ability", "item"] = "spell" if isinstance(power, Spell) else "ability"
    return EffectResolved(
        use.who,
        "item" if use.of_item else kind,
        power.id,
        result,
        power.name or words(power.id),
        tuple(targets),
        text=text,
        rules=(rule,),
    )


def effect(play: Play, use: Use) -> Procedure[None]:
    """Roll attacks and saves and apply the effects, target by target (DEF-CST-02, DEF-CST-03)."""
    if not use.targets:
        yield from by_the_gm(play, use, use.power.name)
        return
    struck: list[tuple[Id, str]] = []
    for target in use.targets:
        refusal = next(target_refusals(play.combat, use.who, use.power, (target,)), None)
        if refusal is not None:
            yield foiled(use.who, use.action, refusal, at=target)
            continue
        hit, whom = yield from attacked(play, use, target)
        if hit != "miss":
            struck.append((whom, hit))
    suffering: list[tuple[Id, str, str]] = []
    for target, hit in struck:
        suffering.append((target, hit, (yield from share(play, use, target))))
    touched = [target for target, _, word in suffering if word != "none"]
    if has_data(use.power) or not touched:
        result = "done" if touched else "no-effect"
        yield came_of(use, result, touched or use.targets, rule="DEF-CST-02")
    amounts: dict[str, list[Part]] = {}
    for target, hit, word in suffering:
        if not in_fight(play.combat, target):
            continue
        if hit not in amounts and word in WHOLE:
            rolled = yield from damage_for(play, use, target, hit)
            if rolled is None:
                continue
            amounts[hit] = rolled
        yield from suffered(play, use, target, amounts.get(hit, []), word)
        if use.power.attack != "none":
            amounts.clear()  # each attack has its own damage roll
    if not has_data(use.power):
        touched = [target for target, _, word in suffering if word in WHOLE]
        if touched:
            yield from by_the_gm(play, use, use.power.name, touched)


@rule("DEF-TCH-01", "A melee touch attack rolls against the touch AC")
def attacked(play: Play, use: Use, target: Id) -> Procedure[tuple[str, Id]]:
    """Return `miss`, `hit` or `critical`, and the real target (DEF-CRT-08, DEF-RNG-05)."""
    power = use.power
    if power.attack == "none" or not in_fight(play.combat, target):
        return ("hit" if power.attack == "none" else "miss", target)
    ranged = power.attack in ("ranged", "ranged-touch")
    touch = power.attack in ("melee-touch", "ranged-touch")
    if ranged:
        target = yield from strike.gone_astray(play, use.who, target)
    aimed = Aimed(
        use.who,
        target,
        lambda: attack_terms(play.combat, use, ranged=ranged, touch=touch),
        lambda: armor_class(play.combat, use.who, target, touch=touch),
        lambda: use.now(play.combat).crit_range,
        "touch" if touch else "attack",
        "DEF-RTC-01" if ranged else "DEF-TCH-01",
    )
    return (yield from to_hit(play, aimed)), target


def attack_terms(combat: Combat, use: Use, *, ranged: bool, touch: bool) -> list[Any]:
    """Return the terms of the attack.

    A touch uses the better ability (DEF-TCH-03), a shot Dexterity (DEF-RTC-01).
    """
    if touch:
        return numbers.touch_terms(combat, use.who, use.place, use.attack_action, ranged=ranged)
    return numbers.power_terms(combat, use.who, use.place, ranged=ranged)


WHOLE = ("all", "half")
"""The shares that need no ruling by the GM."""


@rule(
    "DEF-GEN-06", "A save or check succeeds at the DC. The faces 1 and 20 have no special meaning"
)
@rule("DEF-CST-03", "Each target makes its own save")
def share(play: Play, use: Use, target: Id) -> Procedure[str]:
    """Return the share that a target suffers: `all`, `half`, `none`, or a text for the GM.

    If the power has a save, the target rolls it. A total equal to the DC succeeds.
    """
    data = use.power.save
    if data is None or not in_fight(play.combat, target):
        return "all"

    def dc() -> int:
        now = use.now(play.combat).save
        return data.dc if now is None else now.dc

    rules = ("DEF-CST-03", "DEF-GEN-06")
    saved = yield from harm.save(play, target, data.kind, dc, *rules, against=use.who)
    return data.on_success if saved else "all"


def damage_for(play: Play, use: Use, target: Id, hit: str) -> Procedure[list[Part] | None]:
    """Roll the damage. Return `None` if the target has left the combat or is out of reach."""

    def away() -> Illegal | None:
        if use.power.attack == "none":
            return None
        if not in_fight(play.combat, target):
            return Illegal("DEF-DMG-01", "gone", f"{target} is out of the fight")
        if use.power.attack in ("ranged", "ranged-touch"):
            return None
        return next(manoeuvre.natural_reach(play.combat, use.who, target), None)

    return (yield from stopped_by(play, use.who, rolled_damage(play, use, hit), "damage", away))


@rule("DEF-CRT-08", "Spells with an attack roll can be critical")
def rolled_damage(play: Play, use: Use, hit: str) -> Procedure[list[Part]]:
    """Roll the power's damage and its extra dice. A critical hit multiplies only the damage."""
    hard = yield from listed_damage(play, use, hit, soft=False)
    soft = yield from listed_damage(play, use, hit, soft=True)
    own = types(use.now(play.combat).damage_type)

    def entries() -> Sequence[ExtraDamage]:
        return use.now(play.combat).extra_damage

    extra = yield from extras(play, use.who, entries, own, False)
    return [*hard, *extra, *soft]


def listed_damage(play: Play, use: Use, hit: str, *, soft: bool) -> Procedure[list[Part]]:
    """Roll the power's damage, or its non-lethal damage if `soft` is true."""

    def listed(power: Power) -> str | None:
        return power.nld if soft else power.damage

    def dice() -> str:
        power = use.now(play.combat)
        times = power.crit_multiplier if hit == "critical" else 1
        return multiplied(listed(power) or "0", times)

    if listed(use.now(play.combat)) is None:
        return []
    rolled = yield from roll(use.who, "damage", dice, rules=("DEF-CRT-08", "DEF-DMG-07"))
    power = use.now(play.combat)
    least = 1 if power.attack != "none" else 0
    kinds = types(power.damage_type)
    return [harm.at_least(least, rolled.total, power.name, kinds, soft, "DEF-DMG-06")]


def suffered(play: Play, use: Use, target: Id, parts: Sequence[Part], word: str) -> Procedure[None]:
    """Apply all, half or none of the damage, then healing, conditions and modifiers."""
    power = use.power
    if word == "none":
        return
    if word not in WHOLE:
        yield from by_the_gm(play, use, f"{power.name}, {target} has saved: {word}", (target,))
        return
    if parts:
        kept = halved(parts) if word == "half" else parts
        drunk = use.action == "drink-potion"  # the drinker has no attacker
        hit = Hit(target, tuple(kept), None if drunk else use.who, power.name)
        yield from harm.deal(play, hit)
    if power.healing is not None:
        rolled = yield from roll(
            use.who,
            "healing",
            lambda: use.now(play.combat).healing or "0",
            rules=("DEF-REC-05",),
        )
        whole, terms, rules = max(0, rolled.total), tuple[Term, ...](), ("DEF-REC-05",)
        amount = whole // (2 if word == "half" else 1)
        if word == "half":
            terms = Term("healing", whole), Term("saved: half", amount - whole, "DEF-CST-03")
        yield from harm.heal(play, target, amount, power.heals, use.who, rules, terms)
    if word == "half" or not in_fight(play.combat, target):
        return
    before = play.combat[target]
    for given in power.conditions:
        yield conditions.condition_gained(play.combat, target, given, use.who, ("DEF-CST-02",))
    for modifier in power.modifiers:
        yield conditions.modifier_gained(play.combat, target, modifier, use.who)
    yield from harm.fallen(play, before)


def halved(parts: Sequence[Part]) -> list[Part]:
    """Return half of the lethal points and half of the non-lethal points (DEF-GEN-05).

    Each half is rounded down once.
    """
    kept: list[Part] = []
    so_far = Counter[bool]()
    for part in parts:
        before = so_far[part.soft]
        so_far[part.soft] = after = before + part.amount
        half = after // 2 - before // 2
        saved = (*part.changes, Term("saved: half", half - part.amount, "DEF-GEN-05"))
        kept.append(Part(part.name, half, part.types, part.soft, saved))
    return kept


# ---- effects that only the GM knows


class EffectDamage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename=WHO):
    who: Id
    amount: Annotated[int, Meta(ge=0, le=100_000)]


class EffectCondition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename=WHO):
    who: Id
    condition: Annotated[str, Meta(min_length=1, max_length=64)]
    data: dict[str, Json] = {}


class EffectText(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    text: Annotated[str, Meta(max_length=500)] = ""


def there(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Raise `Unknown` if the combatant does not exist."""
    play.combat[inputs.who]
    return iter(())


def fitting(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Raise `Malformed` if the data do not fit the condition."""
    with pointing("/inputs/data"):
        read_data(inputs.condition, inputs.data)
    return there(play, _, inputs)


def spell_effect(actor: Id = "", targets: Sequence[Id] = ()) -> tuple[Option, ...]:
    """Return the options for the GM's effect.

    The proposals of each option name the targets first, then foes of the actor.
    """

    def proposed(play: Play) -> list[Id]:
        there = list(play.combat)
        side = play.combat[actor].side if actor in play.combat.combatants else None
        there.sort(key=lambda other: (other.id not in targets, other.side == side))
        return [other.id for other in there]

    def hurt(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for who in proposed(play):
            yield {"combatant": who, "amount": 3}

    def afflicted(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        for who in proposed(play):
            yield {"combatant": who, "condition": "flat-footed"}

    return (
        Option("damage", EffectDamage, there, hurt, "This much damage"),
        Option("conditions", EffectCondition, fitting, afflicted, "A condition"),
        Option("text", EffectText, label="In words"),
    )


SPELL_EFFECT = spell_effect()


@rule("DEF-CST-05", "A missed spell has no effect. Without data, the GM decides the effect")
def by_the_gm(play: Play, use: Use, what: str, targets: Sequence[Id] = ()) -> Procedure[None]:
    """Ask the GM for the effect or the targets that the sheet does not give."""

    def question(now: Combat) -> Prompt:
        there = not now[use.who].left
        text = f"{use.who} uses {what}. What does it do?" if there else f"What does {what} do?"
        data: dict[str, Json] = {
            "actor": use.who if there else None,
            "power": use.power.id,
            "targets": [target for target in targets if not now[target].left],
        }
        rules = ("DEF-CST-05",)
        effects = spell_effect(use.who, targets)
        return Prompt("ruling", "spell-effect", None, text, effects, rules, data=data)

    answer = yield from ask_anew(play.combat, question)
    if answer.option != "text":
        yield came_of(use, "done", (answer.inputs.who,), rule="DEF-CST-05")
    match answer.option:
        case "damage":
            part = Part(use.power.name, answer.inputs.amount, types(use.power.damage_type))
            yield from harm.deal(play, Hit(answer.inputs.who, (part,), use.who, use.power.name))
        case "conditions":
            before = play.combat[answer.inputs.who]
            yield ConditionGained(
                before.id,
                answer.inputs.condition,
                data=answer.inputs.data,
                source=use.who,
                rules=("DEF-CST-05",),
            )
            yield from harm.fallen(play, before)
        case _:
            said = answer.inputs.text
            yield came_of(use, "ruled", targets, text=said, rule="DEF-CST-05")
