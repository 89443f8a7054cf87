"""innate, go-first and immediate: abilities that are no spells in casting (VD-GRP-02, VD-IMM)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import Noted
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_gm, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness.acting import (
    free_major,
    free_spell,
    in_d1,
    in_round,
    own_turn,
    present,
    use_spell,
)
from domain.rulesets.vile_darkness.concentration import stop_maintaining, use_up
from domain.rulesets.vile_darkness.deed import Deed, alone, prevented
from domain.rulesets.vile_darkness.facts import PLAN, Spot
from domain.rulesets.vile_darkness.harm import Results, land
from domain.rulesets.vile_darkness.numbers import ability_of, added_segments, sheet
from domain.rulesets.vile_darkness.powers import (
    aimed_wrong,
    has_uses,
    misses,
    out_of_range,
    spot,
    take_effect,
)
from domain.rulesets.vile_darkness.sheet import (
    Ability,
    action_type,
    counts_as_spell,
    must_declare,
    needs_concentration,
    segments_of,
)
from domain.rulesets.vile_darkness.slots import GO_LAST, group_rank, rank_in


class Using(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`target`: a combatant, or {combatant | square | object}."""

    ability: str | None = None
    target: Id | Spot | None = None


def ability(one: Combatant, id: str | None) -> Ability:
    """The one that was named."""
    found = ability_of(one, id)
    if found is None:
        known = tuple(each.id for each in sheet(one).abilities)
        raise Malformed("/inputs/ability", f"{one.name} has no ability {id!r}", known)
    return found


def own_action(each: Ability) -> str:
    """The action through which an ability is used (4.1)."""
    if action_type(each) == "immediate":
        return "immediate"
    if action_type(each) == "complex":
        return "complex"
    if action_type(each) == "delaying":
        return "delaying"
    if each.timing == "go_first":
        return "go-first"
    return {"incantation": "cast", "invocation": "invoke"}.get(each.category, "innate")


def of_this_kind(each: Ability, action: str) -> Iterator[Illegal]:
    """Used through its own action (`wrong-kind`)."""
    own = own_action(each)
    if own != action:
        detail = f"{each.id} is used by {own}, not by {action}"
        yield Impossible("VD-ABIL-05", "wrong-kind", detail, (own,), "/inputs/ability")


# ---- innate


def innate_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    combat, one = play.combat, play.combat[who]
    yield from own_turn(one)
    each = ability(one, inputs.ability)
    yield from of_this_kind(each, "innate")
    yield from was_declared(one, each, "innate")
    if each.timing == "go_last":
        if combat.phase != GO_LAST:
            detail = f"{each.id} goes last"
            yield Illegal("VD-GRP-02", "wrong-phase", detail)
    else:
        yield from in_d1(combat, who)
    yield from what_it_takes(combat, one, each, inputs)


def was_declared(one: Combatant, each: Ability, action: str) -> Iterator[Illegal]:
    """Data may demand that it was declared (VD-DECL-02)."""
    plan = PLAN.of(one)
    declared = plan.action == action and plan.inputs.get("ability") == each.id
    if must_declare(each) and not declared:
        detail = f"{each.id} must be declared in step 1"
        yield Illegal("VD-DECL-02", "not-declared", detail)


def what_it_takes(
    combat: Combat, one: Combatant, each: Ability, inputs: Using
) -> Iterator[Illegal]:
    """A major action, the spell of the round, a use, a target in range."""
    if action_type(each) == "major":
        yield from free_major(one)
    if counts_as_spell(each) is True:
        yield from free_spell(one)
    yield from has_uses(one, each)
    target = spot(combat, one.id, each, inputs.target)
    for fault in aimed_wrong(each, target):
        raise fault
    yield from out_of_range(combat, one.id, each, target)


def before(play: Play, who: Id, inputs: Using) -> Procedure[Illegal | None]:
    """The GM says whether it counts as a spell, where the data ask (VD-SPELL-02)."""
    one = play.combat[who]
    each = ability(one, inputs.ability)
    if counts_as_spell(each) != "ask":
        return None
    answer = yield from ask_gm(
        "counts-as-spell",
        f"Does {each.id} of {who} count as a spell?",
        COUNTS,
        "no",
        rules=("VD-SPELL-02",),
        data={"caster": who, "ability": each.id},
    )
    if answer.option == "no":
        return None
    refusal = next(free_spell(play.combat[who]), None)
    if refusal is None:
        yield from list(use_spell(play.combat[who]))
    return refusal


COUNTS = choices("yes", "no")


def effect(play: Play, who: Id, inputs: Using) -> Procedure[Results]:
    """It is used up, and takes effect if a line is there (VD-ABIL-02)."""
    one = play.combat[who]
    each = ability(one, inputs.ability)
    target = spot(play.combat, who, each, inputs.target)
    yield from list(use_up(one, each.id, each.uses))
    if counts_as_spell(each) is True:
        yield from list(use_spell(play.combat[who]))
    if needs_concentration(each):
        yield from list(stop_maintaining(play.combat[who], "another concentration", "VD-CONC-07"))
    why = next(misses(play.combat, who, each, target), None)
    if why is not None:
        yield Noted(f"{each.id} has no effect: {why.detail}", who, rules=(why.rule,))
        return ()
    return (yield from take_effect(play, who, each, target))


def time(combat: Combat, one: Combatant, inputs: Using) -> int:
    """Its segments; those that minors add if it is the major action (GAP-12)."""
    each = ability(one, inputs.ability)
    return segments_of(each) + (added_segments(one) if action_type(each) == "major" else 0)


def segments(combat: Combat, one: Combatant, inputs: Using) -> int:
    return segments_of(ability(one, inputs.ability))


def is_major(combat: Combat, one: Combatant, inputs: Using) -> bool:
    return action_type(ability(one, inputs.ability)) == "major"


def minors(combat: Combat, one: Combatant, inputs: Using) -> int:
    return 0 if segments(combat, one, inputs) == 0 else 1


def candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    def found(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        one = play.combat[who]
        for each in sheet(one).abilities:
            if own_action(each) != action:
                continue
            yield from aims(play.combat, each)

    return found


def aims(combat: Combat, each: Ability) -> Iterator[Mapping[str, Json]]:
    """A few targets for an ability."""
    if each.targets == "self":
        yield {"ability": each.id}
    elif each.targets in ("point", "area"):
        for other in combat:
            at = {"square": list(other.position)} if other.position else {"combatant": other.id}
            yield {"ability": each.id, "target": at}
    else:
        for other in combat:
            yield {"ability": each.id, "target": other.id}


INNATE: Final[Deed] = Deed(
    "innate",
    Using,
    innate_refusals,
    candidates("innate"),
    "Use an innate ability",
    procedure=lambda play, who, inputs: alone(play, who, INNATE, inputs),
    cost="minor (or as data)",
    rules=("VD-GRP-02", "VD-ABIL-01", "VD-ABIL-02"),
    before=before,
    effect=effect,
    segments=segments,
    time=time,
    major=is_major,
    minors=minors,
    carries=True,
)


# ---- Go First


def go_first_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    combat, one = play.combat, play.combat[who]
    yield from own_turn(one)
    inputs = as_declared(one, "go-first", inputs)
    each = ability(one, inputs.ability)
    yield from of_this_kind(each, "go-first")
    yield from was_declared(one, each, "go-first")
    if not combat.phase.startswith("fast/go-first/"):
        yield Illegal("VD-FAST-02", "wrong-phase", f"{each.id} goes first")
    elif group_rank(combat, one) != rank_in(combat.phase):
        detail = f"the group of {one.name} is {group_rank(combat, one)}"
        yield Illegal("VD-FAST-03", "not-your-initiative", detail)
    yield from what_it_takes(combat, one, each, inputs)


def as_declared(one: Combatant, action: str, inputs: Using) -> Using:
    """What was given in step 1 is the default (4.1)."""
    plan = PLAN.of(one)
    if plan.action != action:
        return inputs
    given = plan.inputs
    if inputs.ability is None:
        inputs = replace(inputs, ability=given.get("ability"))
    if inputs.target is None and inputs.ability == given.get("ability"):
        target = given.get("target")
        if isinstance(target, dict):
            target = Spot(target.get("combatant"), target.get("square"), target.get("object"))
        inputs = replace(inputs, target=target)
    return inputs


def go_first_effect(play: Play, who: Id, inputs: Using) -> Procedure[Results]:
    return (yield from effect(play, who, as_declared(play.combat[who], "go-first", inputs)))


GO_FIRST: Final[Deed] = Deed(
    "go-first",
    Using,
    go_first_refusals,
    candidates("go-first"),
    "Go first",
    procedure=lambda play, who, inputs: alone(play, who, GO_FIRST, inputs),
    cost="as data",
    rules=("VD-FAST-02",),
    before=lambda play, who, inputs: before(
        play, who, as_declared(play.combat[who], "go-first", inputs)
    ),
    effect=go_first_effect,
    segments=lambda combat, one, inputs: segments(
        combat, one, as_declared(one, "go-first", inputs)
    ),
    time=lambda combat, one, inputs: time(combat, one, as_declared(one, "go-first", inputs)),
    major=lambda combat, one, inputs: is_major(combat, one, as_declared(one, "go-first", inputs)),
    minors=lambda combat, one, inputs: minors(combat, one, as_declared(one, "go-first", inputs)),
)


# ---- immediate


def immediate_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    """At any moment of the round, of anybody's rank, in a complex activity too (VD-IMM-01)."""
    combat, one = play.combat, play.combat[who]
    yield from in_round(combat)
    yield from present(one)
    each = ability(one, inputs.ability)
    yield from of_this_kind(each, "immediate")
    yield from what_it_takes(combat, one, each, inputs)


def immediate(play: Play, who: Id, inputs: Using) -> Procedure[None]:
    """It takes no time and leaves other actions alone (VD-TIME-06, VD-IMM-02)."""
    refusal = yield from before(play, who, inputs)
    if refusal is not None:
        yield prevented(who, "immediate", inputs, refusal)
        return
    results = yield from while_able(play, who, effect(play, who, inputs), "immediate")
    yield from land(play, results or ())


IMMEDIATE = Action(
    "immediate",
    Using,
    immediate_refusals,
    candidates("immediate"),
    "Use an immediate ability",
    procedure=immediate,
    interjection=True,
    cost="none",
    rules=("VD-IMM-01", "VD-IMM-03", "VD-TIME-06"),
)
