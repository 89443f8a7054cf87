"""The effect of an ability: its targets, saves, damage, conditions.

Spells, innate and immediate abilities and complex ones share it (VD-ABIL, VD-ATTR, VD-LOE, VD-LOS).
"""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Combatant, Id, Square
from domain.record.events import Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm, roll, stopped_by
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.ruleset import square
from domain.rulesets.vile_darkness.concentration import another, maintain
from domain.rulesets.vile_darkness.facts import LINES, USED, Line, Spot
from domain.rulesets.vile_darkness.harm import Failed, Gift, Hurt, Result, Results, Said, Then
from domain.rulesets.vile_darkness.numbers import ability_of, is_immune, sheet
from domain.rulesets.vile_darkness.outcomes import of_ability
from domain.rulesets.vile_darkness.places import beside, feet
from domain.rulesets.vile_darkness.routines import in_same_melee
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.saves import saved
from domain.rulesets.vile_darkness.sheet import (
    Ability,
    Span,
    called,
    needs_line_of_effect,
    needs_line_of_sight,
)
from domain.rulesets.vile_darkness.targets import all_there, by_name, who_is


class Affected(Struct, frozen=True, forbid_unknown_fields=True):
    """The combatants that an area reaches."""

    who: tuple[Id, ...] = ()


WHO_IS_AFFECTED = (
    Option(
        "who",
        Affected,
        all_there,
        lambda play, _: ({"who": [combatant.id]} for combatant in play.combat),
        "It reaches these",
    ),
)


# ---- uses


def uses_left(combatant: Combatant, ability: Ability) -> int | None:
    """Memorised copies or charges; None = without limit."""
    if ability.uses is None:
        return None
    return ability.uses - USED.of(combatant).get(ability.id, 0)


def has_uses(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """A copy is left (2.4)."""
    left = uses_left(combatant, ability)
    if left is not None and left < 1:
        yield refuse("VD-CONC-08", "no-uses-left", f"no {called(ability)} is left", "ability")


# ---- targets


def spot(combat: Combat, who: Id, ability: Ability, target: Id | Spot | None) -> Spot:
    """Return the target, with each named combatant by its id.

    The default target of an ability on oneself is its user (VD-TGT-03).
    """
    given = Spot(combatant=target) if isinstance(target, str) else target
    if given is None or given == Spot():
        return Spot(combatant=who) if ability.targets == "self" else Spot()
    named = given.combatant and by_name(combat, given.combatant)
    return replace(given, combatant=named) if named else given


def at(combat: Combat, target: Spot) -> Square | None:
    """The square of a target."""
    if target.square is not None:
        return square(target.square)
    combatant = combat.combatants.get(target.combatant or "")
    return None if combatant is None else combatant.position


def aimed_right(
    combat: Combat, who: Id, ability: Ability, target: Spot, pointer: str = "/inputs/target"
) -> None:
    """Raise `Unknown` for a missing target, and `Malformed` for one of the wrong kind."""
    square(target.square, f"{pointer}/square")
    if target.combatant is not None:
        who_is(combat, target.combatant)
    if ability.targets == "self" and target != Spot(combatant=who):
        raise Malformed(pointer, f"{called(ability)} is directed at its user alone", (who,))
    wants = {"creature": "combatant", "object": "object"}.get(ability.targets)
    if wants is not None and getattr(target, wants) is None and target.combatant is None:
        article = "an" if wants == "object" else "a"
        raise Malformed(
            pointer, f"{called(ability)} needs {article} {ability.targets} as its target"
        )


def out_of_range(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Refuse a target out of range, centre to centre.

    A touch needs a target beside it, or in the same melee (GAP-59).
    """
    combatant, there = combat[who], at(combat, target)
    if ability.range_ft == "touch" or ability.range_ft == 0:
        in_melee = target.combatant is not None and in_same_melee(combat, who, target.combatant)
        if not in_melee and not beside(combatant.position, there):
            yield refuse("VD-GRID-06", "out-of-reach", "the target is not within touch", "target")
        return
    if combatant.position is None or there is None:
        return
    far = feet(combatant.position, there)
    if far > ability.range_ft:
        detail = f"the target is {far:.2f} ft away, {called(ability)} carries {ability.range_ft} ft"
        yield refuse("VD-GRID-06", "out-of-range", detail, "target")


# ---- lines


def where(to: str) -> str:
    """The end of a line: a name, or a square with its height: "3,4" is "3,4,0"."""
    parts = to.replace(" ", "").split(",")
    if len(parts) in (2, 3) and all(part.lstrip("-").isdecimal() for part in parts):
        return ",".join([*parts, "0"][:3])
    return to


def line(combat: Combat, who: Id, target: Spot) -> Line:
    """Return the obstacles that the GM has put between them."""
    lines = LINES.of(combat)
    names = [target.combatant or "", target.object or ""]
    if target.square is not None:
        names.append(where(",".join(str(part) for part in target.square)))
    for name in names:
        if name and f"{who}>{name}" in lines:
            return lines[f"{who}>{name}"]
    return Line()


@rule("VD-LOE-01", "Distant spells need a line of effect")
@rule("VD-LOE-02", "An opening of a foot each way, and a straight line")
@rule("VD-LOE-04", "More than half covered breaks it")
@rule("VD-LOE-05", "A surface between air and water breaks it")
def no_line_of_effect(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """A straight line through an opening of a foot, no more than half covered (VD-LOE)."""
    if needs_line_of_effect(ability):
        yield from obstacles(combat, who, target)


def obstacles(combat: Combat, who: Id, target: Spot) -> Iterator[Illegal]:
    """Yield what breaks the line of effect (VD-LOE)."""
    between = line(combat, who, target)
    opening = between.opening or (0.0, 0.0)
    if between.blocked and min(opening) < 1:
        yield refuse("VD-LOE-02", "no-line-of-effect", "something solid stands between", NO_FIELD)
    if between.cover > 50:
        yield refuse("VD-LOE-04", "no-line-of-effect", "more than half is covered", NO_FIELD)
    there = combat.combatants.get(target.combatant or "")
    if there is not None and sheet(there).submerged != sheet(combat[who]).submerged:
        yield refuse(
            "VD-LOE-05", "no-line-of-effect", "the surface of the water is between", NO_FIELD
        )


OPAQUE = 75
"""Per cent of concealment that break a line of sight (VD-LOS-02)."""


@rule("VD-LOS-01", "Distant spells at creatures and objects need sight when they are complete")
@rule("VD-LOS-02", "Concealment of 75 % or more breaks it")
def no_line_of_sight(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Less than 75 % of concealment (VD-LOS-01, -02)."""
    if needs_line_of_sight(ability) and line(combat, who, target).concealment >= OPAQUE:
        yield refuse("VD-LOS-02", "no-line-of-sight", "the target cannot be seen", NO_FIELD)


def misses(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Why it does not reach its target now: gone, out of range, no line (GAP-34)."""
    there = combat.combatants.get(target.combatant or "")
    if target.combatant is not None and (there is None or there.left):
        yield refuse("VD-TGT-03", "gone", "the target has gone", NO_FIELD)
        return
    yield from out_of_range(combat, who, ability, target)
    yield from no_line_of_effect(combat, who, ability, target)
    yield from no_line_of_sight(combat, who, ability, target)


# ---- effect


def reached(play: Play, who: Id, ability: Ability, target: Spot) -> Procedure[tuple[Id, ...]]:
    """Return the affected combatants, in the order of joining (GAP-59)."""
    if ability.targets not in ("point", "area"):
        return () if target.combatant is None else (target.combatant,)
    centre = at(play.combat, target)
    if ability.radius_ft is not None and centre is not None:
        radius = ability.radius_ft
        return tuple(
            combatant.id
            for combatant in play.combat
            if combatant.position is not None and feet(combatant.position, centre) <= radius
        )
    if ability.damage is None and not ability.effects:
        return ()
    answer = yield from ask_gm(
        "affected",
        f"Whom does {called(ability)} of {who} reach?",
        WHO_IS_AFFECTED,
        "who",
        rules=("VD-LOS-03",),
        data={"caster": who, "ability": ability.id},
    )
    named = {by_name(play.combat, name) for name in answer.inputs.who}
    return tuple(combatant.id for combatant in play.combat if combatant.id in named)


def take_effect(
    play: Play, who: Id, ability: Ability, target: Spot, results: Results
) -> Procedure[None]:
    """Saves of each in the order of joining, one damage roll for all, then effects (GAP-59)."""
    if ability.concentration_to_maintain or ability.duration == "concentration":
        results.append(Then(lambda: another(play.combat[who])))
        results.append(Then(lambda: maintain(play.combat[who], ability.id)))
    hurt: list[tuple[Id, bool]] = []
    gifted: list[Id] = []
    them = yield from reached(play, who, ability, target)
    for one in them:
        if is_immune(play.combat, play.combat[one], ability.attributes):
            continue  # no roll, no effect (VD-ATTR-02)
        failed: list[Result] = [Failed(one)]
        if ability.save is not None:
            failed = yield from saved(play, one, ability.save.category, ability.attributes)
            results += failed
        if failed:
            hurt.append((one, False))
            gifted.append(one)
        elif ability.save is not None and ability.save.on_success == "half":
            hurt.append((one, True))
    if ability.damage is not None and hurt:
        nobody = partial(_nobody_left, play, hurt)
        rolling = _damage(play, who, ability, hurt)
        results += (yield from stopped_by(play, who, rolling, ability.id, nobody)) or ()
    for one in gifted:
        results += yield from _gifts(play, who, ability, one)
    at = None if them else replace(target, combatant=None)
    told = of_ability(who, ability, "done", targets=them, spot=at, rules=("VD-ABIL-05",))
    results.append(Said(told))


def _nobody_left(play: Play, hurt: Sequence[tuple[Id, bool]]) -> Illegal | None:
    """Return why no damage is rolled: no target is left (GAP-59)."""
    if all(play.absent(one) for one, _ in hurt):
        return refuse("VD-ATK-06", "gone", "nobody is left to hurt", NO_FIELD)
    return None


def _damage(
    play: Play, who: Id, ability: Ability, hurt: list[tuple[Id, bool]]
) -> Procedure[list[Result]]:
    """One roll for all who take any; half of it for those who saved."""

    def dice() -> str:
        return (ability_of(play.combat[who], ability.id) or ability).damage or "0"

    rolled = yield from roll(who, "damage", dice, rules=("VD-ATK-06",))
    results: list[Result] = []
    for one, halved in hurt:
        full = max(0, rolled.total)
        amount = full // 2 if halved else full
        terms = (Term("damage", full, "VD-DMG-01"), Term("saved", amount - full, "VD-ATK-06"))
        kept = tuple(term for term in terms if term.value)
        results.append(Hurt(one, amount, kept, who, ability.id))
    return results


def _gifts(play: Play, who: Id, ability: Ability, one: Id) -> Procedure[list[Result]]:
    results: list[Result] = []
    lasts = ability.duration if isinstance(ability.duration, Span) else None
    held = ability.concentration_to_maintain or ability.duration == "concentration"
    for effect in ability.effects:
        if effect.save is not None:
            failed = yield from saved(play, one, effect.save.category, ability.attributes)
            results += failed
            if not failed:
                continue
        gift = Gift(one, effect, who, ability.id, lasts, maintained=held)
        results.append(gift)
    return results
