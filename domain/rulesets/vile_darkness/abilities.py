"""Check the use and targets of abilities, and apply their effects (VD-ABIL, VD-LOE)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import Term
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm, roll, stopped_by
from domain.rulebook.id_names import words
from domain.rulebook.inputs import InputKind, OwnAbility
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, choices
from domain.rulebook.ruleset import read, square
from domain.rulesets.vile_darkness.facts import COMMITTED, LINES, PLAN, USED, Intent, Line, Spot
from domain.rulesets.vile_darkness.harm import (
    Failed,
    Gift,
    Hurt,
    Result,
    Results,
    Said,
    Then,
    another,
    maintain,
    saved,
    use_up,
)
from domain.rulesets.vile_darkness.notation import (
    action_type,
    called,
    counts_as_spell,
    must_declare,
    needs_concentration,
    needs_line_of_effect,
    needs_line_of_sight,
)
from domain.rulesets.vile_darkness.numbers import ability_of, is_immune, sheet
from domain.rulesets.vile_darkness.outcomes import of_ability
from domain.rulesets.vile_darkness.places import beside, feet
from domain.rulesets.vile_darkness.routines import in_same_melee
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, Span
from domain.rulesets.vile_darkness.slots import free_major, free_spell, use_spell
from domain.rulesets.vile_darkness.targets import all_there, by_name, who_is

# ---- effect of an ability


class Affected(Struct, frozen=True, forbid_unknown_fields=True):
    """The combatants that an area affects."""

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
    """Return the uses that are left, or `None` for an ability without a limit."""
    if ability.uses is None:
        return None
    return ability.uses - USED.of(combatant).get(ability.id, 0)


def has_uses(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Refuse an ability that has no use left."""
    left = uses_left(combatant, ability)
    if left is not None and left < 1:
        yield refuse("VD-CONC-08", "no-uses-left", f"no {called(ability)} is left", "ability")


# ---- targets


def spot(combat: Combat, who: Id, ability: Ability, target: Id | Spot | None) -> Spot:
    """Return the target as a `Spot`, with the id of a combatant in place of its name.

    If an ability affects only its user, the user is the default target (VD-TGT-03).
    """
    given = Spot(combatant=target) if isinstance(target, str) else target
    if given is None or given == Spot():
        return Spot(combatant=who) if ability.targets == "self" else Spot()
    named = given.combatant and by_name(combat, given.combatant)
    return replace(given, combatant=named) if named else given


def at(combat: Combat, target: Spot) -> Square | None:
    """Return the square of a target, or `None` if the target has no position."""
    if target.square is not None:
        return square(target.square)
    combatant = combat.combatants.get(target.combatant or "")
    return None if combatant is None else combatant.position


def aimed_right(
    combat: Combat, who: Id, ability: Ability, target: Spot, pointer: str = "/inputs/target"
) -> None:
    """Raise `Unknown` for a missing combatant, and `Malformed` for a target of the wrong kind."""
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
    """Refuse a target out of range, measured from centre to centre.

    A touch needs a target in a neighbouring square or in the same melee (GAP-59).
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
    """Return the stored name of an end of a line, such as `"3,4,0"` for the square `"3,4"`."""
    parts = to.replace(" ", "").split(",")
    if len(parts) in (2, 3) and all(part.lstrip("-").isdecimal() for part in parts):
        return ",".join([*parts, "0"][:3])
    return to


def line(combat: Combat, who: Id, target: Spot) -> Line:
    """Return the obstacles that the GM has set between the combatant and the target."""
    lines = LINES.of(combat)
    names = [target.combatant or "", target.object or ""]
    if target.square is not None:
        names.append(where(",".join(str(part) for part in target.square)))
    for name in names:
        if name and f"{who}>{name}" in lines:
            return lines[f"{who}>{name}"]
    return Line()


@rule("VD-LOE-01", "Distant spells need a line of effect")
@rule("VD-LOE-02", "A line of effect is straight, through an opening of a foot each way")
@rule("VD-LOE-04", "Cover of more than half breaks a line of effect")
@rule("VD-LOE-05", "A surface between air and water breaks a line of effect")
def no_line_of_effect(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Refuse a target without a line of effect, if the ability needs one (VD-LOE)."""
    if needs_line_of_effect(ability):
        yield from obstacles(combat, who, target)


def obstacles(combat: Combat, who: Id, target: Spot) -> Iterator[Illegal]:
    """Refuse each obstacle that breaks the line of effect (VD-LOE).

    - A blocked line needs an opening of at least 1 ft in both directions (VD-LOE-02).
    - Cover of more than 50 % breaks the line (VD-LOE-04).
    - A surface of water between the user and the target breaks the line (VD-LOE-05).
    """
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
"The concealment in per cent at which a line of sight breaks (VD-LOS-02)."


@rule("VD-LOS-01", "Distant spells at creatures and objects need sight at the moment of completion")
@rule("VD-LOS-02", "Concealment of 75 % or more breaks a line of sight")
def no_line_of_sight(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Refuse a target with concealment of 75 % or more (VD-LOS-01, VD-LOS-02)."""
    if needs_line_of_sight(ability) and line(combat, who, target).concealment >= OPAQUE:
        yield refuse("VD-LOS-02", "no-line-of-sight", "the target cannot be seen", NO_FIELD)


def misses(combat: Combat, who: Id, ability: Ability, target: Spot) -> Iterator[Illegal]:
    """Refuse a target that is gone, out of range, or without a line of effect or sight (GAP-34)."""
    there = combat.combatants.get(target.combatant or "")
    if target.combatant is not None and (there is None or there.left):
        yield refuse("VD-TGT-03", "gone", "the target has gone", NO_FIELD)
        return
    yield from out_of_range(combat, who, ability, target)
    yield from no_line_of_effect(combat, who, ability, target)
    yield from no_line_of_sight(combat, who, ability, target)


# ---- effect


def reached(play: Play, who: Id, ability: Ability, target: Spot) -> Procedure[tuple[Id, ...]]:
    """Return the combatants that the ability affects, in the order of joining (GAP-59).

    If the data do not decide, ask the GM.
    """
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
    """Roll saves in the order of joining, roll damage once, then add the effects (GAP-59)."""
    if ability.concentration_to_maintain or ability.duration == "concentration":
        results.append(Then(lambda: another(play.combat[who])))
        results.append(Then(lambda: maintain(play.combat[who], ability.id)))
    hurt: list[tuple[Id, bool]] = []
    gifted: list[Id] = []
    them = yield from reached(play, who, ability, target)
    for whom in them:
        if is_immune(play.combat, play.combat[whom], ability.attributes):
            continue  # an immune target has no roll and no effect (VD-ATTR-02)
        failed: list[Result] = [Failed(whom)]
        if ability.save is not None:
            failed = yield from saved(play, whom, ability.save.category, ability.attributes)
            results += failed
        if failed:
            hurt.append((whom, False))
            gifted.append(whom)
        elif ability.save is not None and ability.save.on_success == "half":
            hurt.append((whom, True))
    if ability.damage is not None and hurt:
        nobody = partial(_nobody_left, play, hurt)
        rolling = _damage(play, who, ability, hurt)
        results += (yield from stopped_by(play, who, rolling, ability.id, nobody)) or ()
    for whom in gifted:
        results += yield from _gifts(play, who, ability, whom)
    at = None if them else replace(target, combatant=None)
    told = of_ability(who, ability, "done", targets=them, spot=at, rules=("VD-ABIL-05",))
    results.append(Said(told))


def _nobody_left(play: Play, hurt: Sequence[tuple[Id, bool]]) -> Illegal | None:
    """Return a refusal of the damage roll, or `None` if a target is still present (GAP-59)."""
    if all(play.absent(whom) for whom, _ in hurt):
        return refuse("VD-ATK-06", "gone", "nobody is left to hurt", NO_FIELD)
    return None


def _damage(
    play: Play, who: Id, ability: Ability, hurt: list[tuple[Id, bool]]
) -> Procedure[list[Result]]:
    """Roll damage once for all targets. A target with a successful save takes half of it."""

    def dice() -> str:
        return (ability_of(play.combat[who], ability.id) or ability).damage or "0"

    rolled = yield from roll(who, "damage", dice, rules=("VD-ATK-06",))
    results: list[Result] = []
    for whom, halved in hurt:
        full = max(0, rolled.total)
        amount = full // 2 if halved else full
        terms = (Term("damage", full, "VD-DMG-01"), Term("saved", amount - full, "VD-ATK-06"))
        kept = tuple(term for term in terms if term.value)
        results.append(Hurt(whom, amount, kept, who, ability.id))
    return results


def _gifts(play: Play, who: Id, ability: Ability, whom: Id) -> Procedure[list[Result]]:
    results: list[Result] = []
    lasts = ability.duration if isinstance(ability.duration, Span) else None
    held = ability.concentration_to_maintain or ability.duration == "concentration"
    for effect in ability.effects:
        if effect.save is not None:
            failed = yield from saved(play, whom, effect.save.category, ability.attributes)
            results += failed
            if not failed:
                continue
        gift = Gift(whom, effect, who, ability.id, lasts, maintained=held)
        results.append(gift)
    return results


# ---- the use of an ability by an action


class Using(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an ability. `target` is a combatant, a square or an object."""

    ability: OwnAbility | None = None
    target: Annotated[Id | Spot, InputKind("combatant", toward="thing")] | None = None


# ---- the ability


def ability(combatant: Combatant, id: str | None) -> Ability:
    """Return the named ability."""
    ability = ability_of(combatant, id)
    if ability is None:
        known = tuple(ability.id for ability in sheet(combatant).abilities)
        raise Malformed("/inputs/ability", f"{combatant.name} has no ability {id!r}", known)
    return ability


@rule("VD-ABIL-05", "A part that a notation omits takes its default")
@rule("VD-SPELL-03", "The notation of a spell-like ability decides when it resolves")
def own_action(ability: Ability) -> str:
    """Return the id of the action that uses the ability (section 4.1, VD-SPELL-03)."""
    kind = action_type(ability)
    if kind in ("immediate", "complex", "delaying"):
        return kind
    if ability.timing == "go_first":
        return "go-first"
    return {"incantation": "cast", "invocation": "invoke"}.get(ability.category, "innate")


def of_this_kind(ability: Ability, action: str) -> Iterator[Illegal]:
    """Refuse an ability that belongs to another action (`wrong-kind`)."""
    own = own_action(ability)
    if own != action:
        detail = f"{called(ability)} is used by {own}, not by {action}"
        yield Impossible("VD-ABIL-05", "wrong-kind", detail, (own,), "/inputs/ability")


# ---- costs and limits


def declared_by(combatant: Combatant) -> tuple[Intent, ...]:
    """Return the combatant's declarations of step 1, with the major action first."""
    plan = PLAN.of(combatant)
    major = () if plan.action is None else (Intent(plan.action, plan.inputs),)
    return (*major, *plan.minors)


INSTEAD_OF = {
    "routine": ("weapon", "mode"),
    "weapon": ("routine", "mode"),
    "path": ("to",),
    "to": ("path",),
}
"The fields that a value in another field replaces."


def as_declared(combatant: Combatant, action: str, inputs: Any) -> Any:
    """Return the inputs, in which the declaration of step 1 fills the missing values.

    The declaration must be of the same action and ability (section 4.1).
    """
    for said in declared_by(combatant):
        named = getattr(inputs, "ability", None)
        if said.action != action or named not in (None, said.inputs.get("ability")):
            continue
        blank = type(inputs)()
        every = ((name, getattr(inputs, name)) for name in inputs.__struct_fields__)
        changed = {name: value for name, value in every if value != getattr(blank, name)}
        anew = [name for name, value in changed.items() if value != said.inputs.get(name)]
        instead = {other for name in anew for other in INSTEAD_OF.get(name, ())}
        kept = {name: value for name, value in said.inputs.items() if name not in instead}
        return replace(read(kept, type(inputs)), **changed)
    return inputs


def was_declared(combatant: Combatant, ability: Ability, action: str) -> Iterator[Illegal]:
    """Refuse an ability whose required declaration is missing (VD-DECL-02)."""
    declared = any(
        said.action == action and said.inputs.get("ability") == ability.id
        for said in declared_by(combatant)
    )
    if must_declare(ability) and not declared:
        detail = f"{called(ability)} must be declared in step 1"
        yield refuse("VD-DECL-02", "not-declared", detail, "ability")


def spell_declared(combatant: Combatant, besides: str = "") -> str | None:
    """Return the id of the spell declared in step 1, which uses the spell of the round (GAP-38).

    `besides` is the id of an ability that does not count.
    """
    for said in declared_by(combatant):
        named = ability_of(
            combatant, str(said.inputs.get("spell") or said.inputs.get("ability") or "")
        )
        if named is not None and counts_as_spell(named) is True and named.id != besides:
            return named.id
    return None


def spell_is_left(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Refuse an ability that counts as a second spell of the round (VD-SPELL-01)."""
    if counts_as_spell(ability) is True:
        yield from other_spell(combatant, ability)


def other_spell(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Refuse a spell if the combatant has used or declared another spell in this round."""
    yield from free_spell(combatant)
    other = spell_declared(combatant, besides=ability.id)
    if other is not None:
        detail = f"{combatant.name} has declared {words(other)}"
        yield refuse("VD-SPELL-01", "one-spell-per-round", detail, "ability")


def its_major(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Refuse if the major action is used, unless it is committed to this ability (VD-MAJ-01)."""
    committed = COMMITTED.of(combatant)
    own = committed is not None and committed.action == own_action(ability)
    if committed is None or not own or committed.inputs.get("ability") != ability.id:
        yield from free_major(combatant)


def what_is_left(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Refuse an ability that has no use left, or that counts as a second spell of the round."""
    yield from spell_is_left(combatant, ability)
    yield from has_uses(combatant, ability)


def aim(combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None) -> Spot:
    """Return the target as a `Spot`. Raise `Unknown` or `Malformed` for an impossible target."""
    at = spot(combat, combatant.id, ability, target)
    aimed_right(combat, combatant.id, ability, at)
    return at


def what_it_takes(
    combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None
) -> Iterator[Illegal]:
    """Refuse an ability that the combatant cannot pay for, or whose target is out of range."""
    if action_type(ability) == "major":
        yield from its_major(combatant, ability)
    yield from what_is_left(combatant, ability)
    yield from out_of_range(combat, combatant.id, ability, aim(combat, combatant, ability, target))


def still_fits(
    combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None
) -> Iterator[Illegal]:
    """Refuse an ability that can no longer complete in a later round (GAP-41).

    Such an ability has no use left, or its target is out of range.
    """
    yield from has_uses(combatant, ability)
    yield from out_of_range(
        combat, combatant.id, ability, spot(combat, combatant.id, ability, target)
    )


COUNTS = choices("yes", "no")


@rule("VD-SPELL-02", "The GM may decide that an innate ability counts as a spell")
def counted(play: Play, who: Id, ability: Ability) -> Procedure[Illegal | None]:
    """Ask the GM if the ability counts as a spell, unless its data decide (VD-SPELL-02).

    Return the refusal of a second spell, or `None`.
    """
    if counts_as_spell(ability) != "ask":
        return None
    answer = yield from ask_gm(
        "counts-as-spell",
        f"Does {called(ability)} of {who} count as a spell?",
        COUNTS,
        "no",
        rules=("VD-SPELL-02",),
        data={"caster": who, "ability": ability.id},
        stands=lambda now: not now[who].left,
    )
    if answer.option == "no":
        return None
    refusal = next(other_spell(play.combat[who], ability), None)
    if refusal is None:
        yield from list(use_spell(play.combat[who]))
    return refusal


# ---- use and effect


def used(
    play: Play, who: Id, ability: Ability, target: Id | Spot | None, results: Results
) -> Procedure[None]:
    """Use up the ability, and apply its effect if it reaches the target.

    The target must be present and in range. No obstacle may break a line that the ability needs.
    """
    at = spot(play.combat, who, ability, target)
    yield from list(use_up(play.combat[who], ability.id, ability.uses))
    if counts_as_spell(ability) is True:
        yield from list(use_spell(play.combat[who]))
    if needs_concentration(ability):
        results.append(Then(lambda: another(play.combat[who])))
    why = next(misses(play.combat, who, ability, at), None)
    if why is not None:
        yield of_ability(who, ability, "no-effect", spot=at, detail=why.detail, rules=(why.rule,))
        return
    yield from take_effect(play, who, ability, at, results)


# ---- proposals


def candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Return a function that proposes the targets of each ability of this action."""

    def proposed(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for ability in sheet(play.combat[who]).abilities:
            if own_action(ability) == action:
                yield from _aims(play.combat, ability)

    return proposed


def _aims(combat: Combat, ability: Ability) -> Iterator[Mapping[str, Json]]:
    if ability.targets == "self":
        yield {"ability": ability.id}
    elif ability.targets in ("point", "area"):
        for other in combat:
            at = {"square": list(other.position)} if other.position else {"combatant": other.id}
            yield {"ability": ability.id, "target": at}
    else:
        for other in combat:
            yield {"ability": ability.id, "target": other.id}
