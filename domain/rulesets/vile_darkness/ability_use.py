"""The use of an ability by any action: the ability, its price and its effect.

VD-ABIL, VD-SPELL.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.inputs import InputKind, OwnAbility
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulebook.ruleset import read
from domain.rulesets.vile_darkness.action_costs import free_major, free_spell, use_spell
from domain.rulesets.vile_darkness.concentration import another, use_up
from domain.rulesets.vile_darkness.facts import COMMITTED, PLAN, Intent, Spot
from domain.rulesets.vile_darkness.harm import Results, Then
from domain.rulesets.vile_darkness.numbers import ability_of, sheet
from domain.rulesets.vile_darkness.outcomes import of_ability
from domain.rulesets.vile_darkness.powers import (
    aimed_right,
    has_uses,
    misses,
    out_of_range,
    spot,
    take_effect,
)
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import (
    Ability,
    action_type,
    called,
    counts_as_spell,
    must_declare,
    needs_concentration,
)


class Using(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`target`: a combatant, or {combatant | square | object}."""

    ability: OwnAbility | None = None
    target: Annotated[Id | Spot, InputKind("combatant", toward="thing")] | None = None


# ---- which


def ability(combatant: Combatant, id: str | None) -> Ability:
    """Return the named ability."""
    found = ability_of(combatant, id)
    if found is None:
        known = tuple(ability.id for ability in sheet(combatant).abilities)
        raise Malformed("/inputs/ability", f"{combatant.name} has no ability {id!r}", known)
    return found


@rule("VD-ABIL-05", "A missing part of a notation takes the default")
@rule("VD-SPELL-03", "A spell-like ability resolves where its notation puts it")
def own_action(ability: Ability) -> str:
    """The action through which an ability is used (4.1) (VD-SPELL-03)."""
    kind = action_type(ability)
    if kind in ("immediate", "complex", "delaying"):
        return kind
    if ability.timing == "go_first":
        return "go-first"
    return {"incantation": "cast", "invocation": "invoke"}.get(ability.category, "innate")


def of_this_kind(ability: Ability, action: str) -> Iterator[Illegal]:
    """Used through its own action (`wrong-kind`)."""
    own = own_action(ability)
    if own != action:
        detail = f"{called(ability)} is used by {own}, not by {action}"
        yield Impossible("VD-ABIL-05", "wrong-kind", detail, (own,), "/inputs/ability")


# ---- what it takes


def declared_by(combatant: Combatant) -> tuple[Intent, ...]:
    """Return its declarations of step 1, the major action first."""
    plan = PLAN.of(combatant)
    major = () if plan.action is None else (Intent(plan.action, plan.inputs),)
    return (*major, *plan.minors)


INSTEAD_OF = {
    "routine": ("weapon", "mode"),
    "weapon": ("routine", "mode"),
    "path": ("to",),
    "to": ("path",),
}
"""The fields that another named field replaces."""


def as_declared(combatant: Combatant, action: str, inputs: Any) -> Any:
    """Complete the inputs from step 1 (4.1), of this action and ability alone."""
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
    """Data may demand that it was declared (VD-DECL-02)."""
    declared = any(
        said.action == action and said.inputs.get("ability") == ability.id
        for said in declared_by(combatant)
    )
    if must_declare(ability) and not declared:
        detail = f"{called(ability)} must be declared in step 1"
        yield refuse("VD-DECL-02", "not-declared", detail, "ability")


def spell_declared(combatant: Combatant, besides: str = "") -> str | None:
    """The spell that it declared in step 1: from there on it counts (GAP-38)."""
    for said in declared_by(combatant):
        named = ability_of(
            combatant, str(said.inputs.get("spell") or said.inputs.get("ability") or "")
        )
        if named is not None and counts_as_spell(named) is True and named.id != besides:
            return named.id
    return None


def spell_is_left(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """The spell of the round is unused, and no other one was declared (VD-SPELL-01)."""
    if counts_as_spell(ability) is True:
        yield from other_spell(combatant, ability)


def other_spell(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """Another one was used in this round, or declared for it."""
    yield from free_spell(combatant)
    other = spell_declared(combatant, besides=ability.id)
    if other is not None:
        detail = f"{combatant.name} has declared {words(other)}"
        yield refuse("VD-SPELL-01", "one-spell-per-round", detail, "ability")


def its_major(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """The major action, which it has committed itself when it was declared (VD-MAJ-01)."""
    committed = COMMITTED.of(combatant)
    own = committed is not None and committed.action == own_action(ability)
    if committed is None or not own or committed.inputs.get("ability") != ability.id:
        yield from free_major(combatant)


def what_is_left(combatant: Combatant, ability: Ability) -> Iterator[Illegal]:
    """The spell of the round, if it counts as one, and a use of its own."""
    yield from spell_is_left(combatant, ability)
    yield from has_uses(combatant, ability)


def aim(combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None) -> Spot:
    """Return its aim. Raise `Unknown` or `Malformed` for an impossible one."""
    at = spot(combat, combatant.id, ability, target)
    aimed_right(combat, combatant.id, ability, at)
    return at


def what_it_takes(
    combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None
) -> Iterator[Illegal]:
    """A major action, the spell of the round, a use, a target in range."""
    if action_type(ability) == "major":
        yield from its_major(combatant, ability)
    yield from what_is_left(combatant, ability)
    yield from out_of_range(combat, combatant.id, ability, aim(combat, combatant, ability, target))


def still_fits(
    combat: Combat, combatant: Combatant, ability: Ability, target: Id | Spot | None
) -> Iterator[Illegal]:
    """Check a completion in a later round: a use left, and the target in range (GAP-41)."""
    yield from has_uses(combatant, ability)
    yield from out_of_range(
        combat, combatant.id, ability, spot(combat, combatant.id, ability, target)
    )


COUNTS = choices("yes", "no")


@rule("VD-SPELL-02", "An innate ability may be counted as a spell by the GM")
def counted(play: Play, who: Id, ability: Ability) -> Procedure[Illegal | None]:
    """The GM says whether it counts as a spell, where the data ask (VD-SPELL-02)."""
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


# ---- what it does


def used(
    play: Play, who: Id, ability: Ability, target: Id | Spot | None, results: Results
) -> Procedure[None]:
    """It is used up, and takes effect if a line is there."""
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


# ---- samples


def candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """A few targets for each ability that is used through the action."""

    def found(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        for ability in sheet(play.combat[who]).abilities:
            if own_action(ability) == action:
                yield from _aims(play.combat, ability)

    return found


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
