"""The action `cast-spell`, whose cost and effect come from the spell's data (SOV-SPELL)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated

from msgspec import Meta

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import EffectResolved, Term
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, roll, stopped, stopped_by
from domain.rulebook.inputs import InputKind, OwnSpell, Recipient
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.sight import reaches
from domain.rulesets.sovereign import attack, board, checks, conditions, costs, harm, opportunity
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.blow import Blow, spell_refusals
from domain.rulesets.sovereign.facts import CAST
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.rules import action, rule
from domain.rulesets.sovereign.sheet import Range, Spell, SpellSave, Weapon
from domain.rulesets.sovereign.windows import seen, window


class Cast(costs.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a casting.

    Name `targets`, or the `centre` of an area. The centre is a grid corner `[x, y]`.
    """

    spell: OwnSpell
    targets: Annotated[tuple[Recipient, ...], Meta(max_length=100)] = ()
    centre: Annotated[tuple[int, int], InputKind("square", corner=True)] | None = None


def spell_of(combatant: Combatant, id: str) -> Spell | None:
    return next((spell for spell in sheet_of(combatant).spells if spell.id == id), None)


@rule("SOV-SPELL-01", "Casting costs a Main, unless its data say otherwise")
def castable(act: Act[Cast]) -> Iterator[Illegal]:
    """Refuse a spell that is unknown, cannot be paid now, or has an illegal target.

    SOV-SPELL-01, SOV-SPELL-02.
    """
    combat, who, inputs = act.combat, act.who, act.inputs
    spell = spell_of(act.actor, inputs.spell)
    if spell is not None and spell.action == "instant":
        yield from costs.instant_refusals(combat, who)
    else:
        yield from costs.midst(combat, who)
    if spell is None:
        ids = [spell.id for spell in sheet_of(act.actor).spells]
        yield refuse("SOV-SPELL-01", "missing-data", f"no spell {inputs.spell!r}", "spell", ids)
        return
    yield from costs.kind_refusals(combat, who, spell.action, inputs.pay)
    if spell.uses is not None and CAST.of(act.actor).get(spell.id, 0) >= spell.uses:
        yield refuse("SOV-SPELL-01", "no-uses-left", f"{spell.name} is used up", "spell")
    if spell.radius_ft is None and len(inputs.targets) > max(1, spell.targets):
        detail = f"{spell.name} has {spell.targets} targets"
        yield refuse("SOV-SPELL-02", "missing-data", detail, "targets")
    if spell.radius_ft is not None and inputs.centre is None and not inputs.targets:
        yield refuse("SOV-SPELL-02", "missing-data", f"{spell.name} needs a centre", "centre")
    if spell.radius_ft is None and not inputs.targets and needs_target(spell):
        yield refuse("SOV-SPELL-02", "missing-data", f"{spell.name} needs a target", "targets")
    for target in inputs.targets:
        yield from spell_refusals(combat, who, spell, target)
    if spell.radius_ft is not None and inputs.centre is not None:
        yield from centre_refusals(combat, who, spell, inputs.centre)


def needs_target(spell: Spell) -> bool:
    """Return true if the spell's effect needs a target."""
    does = spell.damage or spell.heal or spell.save or spell.conditions
    return spell.targets > 0 and bool(does)


def centre_refusals(
    combat: Combat, who: Id, spell: Spell, centre: tuple[int, int]
) -> Iterator[Illegal]:
    """Refuse a centre that is out of range or out of sight (SOV-SPELL-02)."""
    combatant = combat[who]
    if combatant.position is None:
        detail = f"{combatant.name} is nowhere"
        yield refuse("SOV-SPELL-02", "out-of-range", detail, NO_FIELD)
        return
    x, y = centre
    around = [(x + dx, y + dy, combatant.position[2]) for dx in (-1, 0) for dy in (-1, 0)]
    feet = 5 * min(
        grid.distance(combatant.position, square, board.space(combatant)) for square in around
    )
    if spell.range_ft is not None and feet > spell.range_ft:
        detail = f"the centre is {feet} ft away, {spell.name} gets {spell.range_ft} ft"
        yield refuse("SOV-SPELL-02", "out-of-range", detail, "centre")
    if spell.needs_los and not open_to(combat, (x, y, combatant.position[2]), combatant):
        detail = "no line of sight to the centre"
        yield refuse("SOV-LOS-09", "no-line-of-sight", detail, "centre")


def open_to(combat: Combat, corner: Square, combatant: Combatant) -> bool:
    """Return true if no wall is between a grid corner and a combatant (SOV-LOS-08)."""
    at = combatant.position
    return at is not None and reaches(board.solids(combat), corner, at, board.space(combatant))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every spell with each combatant in the fight as its target, or as its centre."""
    for spell in sheet_of(play.combat[who]).spells:
        for other in play.combat:
            if not in_fight(play.combat, other.id) or other.position is None:
                continue
            aim: Mapping[str, Json] = (
                {"targets": [other.id]}
                if spell.radius_ft is None
                else {"centre": list(other.position[:2])}
            )
            yield {"spell": spell.id, **aim}
            if spell.action == "move":
                yield {"spell": spell.id, **aim, "pay": "main"}


@action(
    "cast-spell", "Cast a spell", Cast,
    cost="usually Main", category="cast", headline="Cast {spell}[ on {targets}]",
    rules={
        "SOV-SPELL-03": "A spell is lost if its caster loses HP before the effect",
        "SOV-SNAP-04": "A snap attack can interrupt a spell",
    },
    also=("SOV-SPELL-01", "SOV-SPELL-02"),
    refusals=(castable,),
    propose=candidates,
    interjection=True,
)  # fmt: skip
def cast_spell(act: Act[Cast]) -> Procedure[None]:
    """Cast a spell on the caster's turn, or at any time if it is an Instant.

    The caster pays first (SOV-SPELL-01, SOV-INST-03). Others can then interrupt the casting
    (SOV-SNAP-04, SOV-SPELL-03). If nobody does, the spell takes effect.
    """
    play, who, inputs = act.play, act.who, act.inputs
    spell = spell_of(act.actor, inputs.spell)
    assert spell is not None, "the refusals know the spell"
    if not (yield from costs.paid(play, who, spell.action, cast_spell, inputs, "SOV-SPELL-01")):
        return
    times = CAST.of(play.combat[who])
    cast = {**times, spell.id: times.get(spell.id, 0) + 1}
    yield CAST.set(who, cast, rules=("SOV-SPELL-01",))
    hp = play.combat[who].tracks["hp"].value

    def lost() -> Illegal | None:
        if spell.interruptible and play.combat[who].tracks["hp"].value < hp:
            return refuse("SOV-SPELL-03", "hurt", f"the spell of {who} is lost", NO_FIELD)
        return None

    added = yield from stopped_by(play, who, begun(play, who, spell, inputs), "cast-spell", lost)
    if added is None:
        yield came_of(who, spell, "lost", inputs.targets, rule="SOV-SPELL-03")
        return
    hurt = lost()  # even the last event before the effect can interrupt the casting
    if hurt is not None:
        yield stopped(who, "cast-spell", hurt)
        yield came_of(who, spell, "lost", inputs.targets, rule="SOV-SPELL-03")
    else:
        targets = reached(play.combat, who, spell, inputs)
        yield from takes_effect(play, who, spell, targets, added)


def begun(play: Play, who: Id, spell: Spell, inputs: Cast) -> Procedure[tuple[Term, ...] | None]:
    """Open the window before the effect, in which a spell can be lost (SOV-SPELL-03).

    Return the terms that abilities add to the attack, or `None` if the spell is lost.
    """
    target, attack = next(iter(inputs.targets), None), spell.attack
    moment = Moment("declared", who, "cast-spell", target, attack=attack, adds=attack)
    batch = yield from window(play, moment)
    if spell.provokes:
        yield from opportunity.from_adjacent(play, who, "cast-spell")
    aimed = aim_refusals(play.combat, who, spell, inputs)
    return batch.added if (yield from costs.still(who, "cast-spell", aimed)) else None


def aim_refusals(combat: Combat, who: Id, spell: Spell, inputs: Cast) -> Iterator[Illegal]:
    """Refuse if the centre is out of range or sight, or if no target is left (SOV-SPELL-02)."""
    if spell.radius_ft is not None and inputs.centre is not None:
        yield from centre_refusals(combat, who, spell, inputs.centre)
    elif inputs.targets and not reached(combat, who, spell, inputs):
        yield from spell_refusals(combat, who, spell, inputs.targets[0])


def reached(combat: Combat, who: Id, spell: Spell, inputs: Cast) -> list[Id]:
    """Return the combatants that the spell reaches, in the order of joining.

    A named target must be in range and in sight. An area reaches combatants that no wall separates
    from its centre.
    """
    return [
        combatant.id
        for combatant in combat
        if in_fight(combat, combatant.id)
        and (
            covered(combat, spell, inputs, combatant)
            or (
                combatant.id in inputs.targets
                and next(spell_refusals(combat, who, spell, combatant.id), None) is None
            )
        )
    ]


def covered(combat: Combat, spell: Spell, inputs: Cast, combatant: Combatant) -> bool:
    """Return true if the area reaches a combatant (SOV-GRID-08, SOV-SPELL-02)."""
    if spell.radius_ft is None or inputs.centre is None or combatant.position is None:
        return False
    columns, rows = board.covered(inputs.centre, spell.radius_ft)
    cubes = grid.footprint(combatant.position, board.space(combatant))
    if not any(cube[0] in columns and cube[1] in rows for cube in cubes):
        return False
    return not spell.needs_los or open_to(
        combat, (*inputs.centre, combatant.position[2]), combatant
    )


def came_of(
    who: Id, spell: Spell, result: str, targets: Sequence[Id], *, rule: str
) -> EffectResolved:
    """Return the event that records the result of a spell."""
    return EffectResolved(who, "spell", spell.id, result, spell.name, tuple(targets), rules=(rule,))


@rule(
    "SOV-SPELL-02",
    "A declared spell opens a window. Affray then checks it again and applies the effect in "
    "its data",
)
def takes_effect(
    play: Play, who: Id, spell: Spell, targets: list[Id], added: tuple[Term, ...]
) -> Procedure[None]:
    """Apply a spell to its targets (SOV-SPELL-02).

    The attack comes first, followed by a save for each target. The caster then rolls damage and
    healing once for all targets.
    """
    aimed = targets
    if spell.attack:
        targets = yield from attacked(play, who, spell, targets, added)
    saved: list[Id] = []
    if spell.save is not None:
        for target in targets:
            made = yield from saves(play, who, target, spell.save)
            if made:
                saved.append(target)
    on_success = spell.save.on_success if spell.save else "none"
    affected = [target for target in targets if on_success != "negates" or target not in saved]
    result = "no-effect" if aimed and not affected else "done"
    yield came_of(who, spell, result, affected or aimed, rule="SOV-SPELL-02")

    def now() -> Spell:
        return spell_of(play.combat[who], spell.id) or spell

    damage = yield from rolled(
        play, who, "damage", lambda: now().damage, affected, attack=spell.attack
    )
    half = saved if on_success == "half" else []
    others = [target for target in affected if target != who]
    own = [target for target in affected if target == who]
    yield from harms(play, who, spell, others, damage, half)
    healing = yield from rolled(play, who, "heal", lambda: now().heal, affected)
    yield from mends(play, who, spell, others, healing)
    # A caster suffers its own spell last, because the spell ends when the caster falls.
    yield from harms(play, who, spell, own, damage, half)
    yield from mends(play, who, spell, own, healing)


def harms(
    play: Play,
    who: Id,
    spell: Spell,
    targets: Sequence[Id],
    points: int | None,
    half: Sequence[Id],
) -> Procedure[None]:
    """Deal the damage to each target.

    The targets in `half` have saved and take half, rounded down (section 2.5).
    """
    if points is None:
        return
    for target in targets:
        amount = points // 2 if target in half else points
        saved = Term("saved", amount - points, "SOV-SPELL-02")
        terms = (Term(spell.name, points, "SOV-SPELL-02"), saved)
        yield from harm.hurt(play, target, amount, source=who, kind="spell", terms=terms)


def mends(
    play: Play, who: Id, spell: Spell, targets: Sequence[Id], points: int | None
) -> Procedure[None]:
    """Heal each target, and give each target the conditions of the spell."""
    if points is not None:
        for target in targets:
            yield from harm.heal(play, target, points, who)
    for target in targets:
        for brought in spell.conditions:
            if in_fight(play.combat, target):
                yield conditions.gained(play, target, brought.id, brought.data, brought.until, who)


def saves(play: Play, who: Id, target: Id, save: SpellSave) -> Procedure[bool | None]:
    """Roll one save, or return `None` if the target has left."""
    gone = partial(all_gone, play, [target])
    if gone() is not None:
        return None
    making = checks.save(play, target, save.type, rules=("SOV-SPELL-02",))
    return (yield from stopped_by(play, who, making, "save", gone))


def rolled(
    play: Play,
    who: Id,
    purpose: str,
    dice: Callable[[], str | None],
    targets: Sequence[Id],
    *,
    attack: bool = False,
) -> Procedure[int | None]:
    """Roll once for all targets. Return `None` if there are no dice or all targets have left."""
    gone = partial(all_gone, play, targets)
    if dice() is None or gone() is not None:
        return None
    throw = partial(roll, who, purpose, lambda: dice() or "0", rules=("SOV-SPELL-02",))
    seeing = seen(play, throw, attack=attack)
    fallen = yield from stopped_by(play, who, seeing, purpose, gone)
    return None if fallen is None else max(0, fallen.total)


def all_gone(play: Play, targets: Sequence[Id]) -> Illegal | None:
    """Return the reason why no roll is needed, or `None` if a target is present."""
    if any(in_fight(play.combat, target) for target in targets):
        return None
    detail = f"dead or gone: {', '.join(targets) or 'everybody'}"
    return refuse("SOV-SPELL-02", "out-of-range", detail, NO_FIELD)


def attacked(
    play: Play, who: Id, spell: Spell, targets: list[Id], added: tuple[Term, ...]
) -> Procedure[list[Id]]:
    """Roll an attack against each target, and return the combatants that it hits.

    A screener can be hit in place of a target.
    """
    hit: list[Id] = []
    area = spell.radius_ft is not None  # the range limits the centre of an area, not each target
    far = 100_000 if area or spell.range_ft is None else spell.range_ft
    weapon = Weapon(
        id=spell.id,
        name=spell.name,
        kind="ranged",
        damage=spell.damage or "0",
        hands=1,
        range=Range(far, far),
        natural=True,
    )
    for target in targets:
        blow = Blow(
            who, target, weapon, "ranged", "int", "magic", "cast-spell", spell=spell, added=added
        )
        outcome, struck = yield from attack.strike(play, blow, declared=False)
        if outcome == "hit":
            hit.append(struck.target)
    return hit
