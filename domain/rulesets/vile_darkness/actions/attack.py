"""The action `attack`, which uses one routine against one target in D2 or D3.

Multi-attackers also use it in steps 4 and 6.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, Term
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness import activities, routines
from domain.rulesets.vile_darkness.attack import Strike, Terms, beyond_doubt, may_strike, strike
from domain.rulesets.vile_darkness.deed import InSlot, deed
from domain.rulesets.vile_darkness.facts import ADDED, IN_MELEE, ROUTINES, Tasks
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.routines import (
    Circumstances,
    GmModifier,
    OwnRoutine,
    Use,
    WeaponModeInput,
    is_loaded,
)
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Kind
from domain.rulesets.vile_darkness.slots import (
    free_major,
    is_asked,
    on_own_turn,
    phase_of,
    placed,
    rank,
    rank_in,
    step,
)
from domain.rulesets.vile_darkness.targets import AimedAtAll, Object, Target, aim, foes


class Attacking(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of an attack with a `routine`, or with a `weapon` in a `mode`.

    - `with`: the activities that go with the attack.
    - `circumstances`: the multipliers to apply.
    - `gm_modifier`: a modifier, which only the GM may give.
    - `target`: one combatant or one object (VD-ROUT-02).
    """

    target: AimedAtAll | None = None
    routine: OwnRoutine | None = None
    weapon: OwnWeapon | None = None
    mode: WeaponModeInput | None = None
    with_: Tasks = field(default=(), name="with")
    circumstances: Circumstances = ()
    gm_modifier: GmModifier | None = None


KINDS: Final[tuple[Kind, Kind]] = ("missile", "melee")


# ---- the routine


def use(combat: Combat, combatant: Combatant, inputs: routines.Choosing) -> Use | None:
    """Return the use of a routine in this slot, from the inputs or the default of the slot.

    The default is the primary routine in step 4, and the next routine in step 6.
    """
    default = None
    kind: Kind | None = None
    match step(combat):
        case "multi-primary":
            default = next(iter(routines.multi_attack(sheet(combatant))), None)
        case "multi-rest":
            default = routines.next_routine(combatant)
            both = None not in (inputs.routine, inputs.weapon)
            if default is not None and inputs.mode is None and not both:
                # Step 6 uses the next routine, even if the inputs name another routine.
                return routines.chosen(combatant, None, default)
        case "group":
            here = combat.phase.rpartition("/")[2]
            for missile_or_melee in KINDS:
                if phase_of(combat, missile_or_melee) == here:
                    kind, default = missile_or_melee, preferred(combatant, missile_or_melee)
        case _:
            pass
    return routines.chosen(combatant, kind, inputs.routine, inputs.weapon, inputs.mode, default)


def preferred(combatant: Combatant, kind: Kind) -> str | None:
    """Return the first routine of a multi-attacker if it has this kind (VD-MULTI-03)."""
    card = sheet(combatant)
    first = next(iter(routines.multi_attack(card)), None)
    routine = next((listed for listed in routines.routines_of(card) if listed.id == first), None)
    return first if routine is not None and routine.kind == kind else None


# ---- refusals


@rule("VD-ROUT-04", "A combatant normally has one routine per round")
def in_its_slot(act: Act[Attacking]) -> Iterator[Illegal]:
    """Refuse a routine outside its step, which is step 4, D2 or D3, or step 6.

    VD-MULTI-01 to VD-MULTI-04.
    """
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    chosen = use(combat, combatant, inputs)
    match step(combat):
        case "multi-primary":
            if not in_step_4(combat, combatant):
                detail = f"{combatant.name} has no turn in {combat.phase}"
                yield refuse("VD-MULTI-01", "wrong-phase", detail, NO_FIELD)
            elif chosen is not None and not chosen.primary:
                detail = "step 4 is for the primary routine"
                at = routines.pointer(inputs)
                yield Impossible("VD-MULTI-01", "wrong-kind", detail, pointer=at)
            yield from free_major(combatant)
        case "multi-rest":
            if not ROUTINES.of(combatant):
                yield from free_major(combatant, "VD-ROUT-04")
                detail = "step 6 is for routines that are left"
                yield refuse("VD-MULTI-02", "wrong-phase", detail, NO_FIELD)
            elif rank(combat, combatant) != rank_in(combat.phase):
                detail = f"{combatant.name} acts in {rank(combat, combatant)}"
                yield refuse("VD-GRP-08", "not-your-initiative", detail, NO_FIELD)
            elif not is_next(combatant, inputs):
                detail = f"the routines of step 6 come in order: {routines.next_routine(combatant)}"
                at = routines.pointer(inputs)
                yield Impossible("VD-MULTI-02", "wrong-kind", detail, pointer=at)
        case _:
            phase = None if chosen is None else phase_of(combat, chosen.kind)
            yield from placed(combat, combatant.id, phase, field=routines.said(inputs))
            yield from free_major(combatant)


def in_step_4(combat: Combat, combatant: Combatant) -> bool:
    """Return true if the combatant began step 4 in melee and its rank acts now."""
    ranked = rank(combat, combatant) == rank_in(combat.phase)
    return ranked and combatant.id in IN_MELEE.of(combat)


def is_next(combatant: Combatant, inputs: Attacking) -> bool:
    """Return true if the inputs name the next routine or one of its weapons."""
    due = routines.next_routine(combatant)
    if inputs.weapon is None:
        return inputs.routine in (None, due)
    routine = routines.chosen(combatant, None, due)
    return routine is not None and inputs.weapon in [weapon.id for weapon in routine.weapons]


def modifier_of_a_player(inputs: object) -> Iterator[Illegal]:
    """Refuse `gm_modifier` from a player, because only the GM gives modifiers (VD-ATK-01)."""
    if getattr(inputs, "gm_modifier", None) is not None:
        yield refuse("VD-ATK-01", "gm-only", "the GM states modifiers", "gm_modifier")


def with_its_activities(act: Act[Attacking]) -> Iterator[Illegal]:
    """Refuse unsuitable activities, and a modifier from a player (VD-ATK-01)."""
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    if use(combat, combatant, inputs) is None:
        return
    loads = activities.of_kind(combat, combatant, inputs.with_, "delaying", activities.WITH)
    # for a delayed combatant, a delaying activity is complex (VD-DLYG-06)
    if loads and combatant.has("delayed"):
        detail = f"{loads[0]} is a complex activity for the delayed"
        yield refuse("VD-DLYG-06", "complex-in-progress", detail, "with")
    if not act.play.by_gm and is_asked(combat, act.who):
        yield from modifier_of_a_player(inputs)
    yield from activities.beside_a_major(combat, combatant, inputs.with_)
    tasks = activities.placed(inputs.with_, activities.WITH)
    yield from activities.not_to_hand(combat, combatant, tasks)


def fits(act: Act[Attacking]) -> Iterator[Illegal]:
    """Refuse a routine that cannot strike the target. Other refusals check the slot."""
    chosen = use(act.combat, act.actor, act.inputs)
    return strikes(act.play, act.who, act.inputs.target, chosen, act.inputs.with_)


def strikes(
    play: Play, who: Id, target: Target | Object | None, chosen: Use | None, tasks: Tasks = ()
) -> Iterator[Illegal]:
    """Refuse a missing routine, or a routine that weapons, reach, range or room forbid.

    `tasks` are the activities that go with the attack.
    """
    combat, combatant = play.combat, play.combat[who]
    if chosen is None:
        detail = f"{combatant.name} has no attack routine"
        yield refuse("VD-ROUT-01", "no-weapon", detail, NO_FIELD)
        return
    loads = activities.of_kind(combat, combatant, tasks, "delaying", activities.WITH)
    back = activities.retrieved(combat, combatant, tasks)
    yield from beyond_doubt(combat, who, aim(combat, target)[0], chosen, loads, back)


# ---- effect


@rule(
    "VD-MULTI-02", "The other routines of a multi-attack follow in step 6, in the order of the list"
)
def what_is_left(combat: Combat, combatant: Combatant) -> Iterator[AnyEvent]:
    """Store the other routines of a multi-attack for step 6 (VD-MULTI-02)."""
    if step(combat) != "multi-rest" and (rest := routines.the_rest(combatant)):
        yield ROUTINES.set(combatant.id, rest, rules=("VD-MULTI-02", "VD-MULTI-07"))


def phase(combat: Combat, combatant: Combatant, inputs: Attacking) -> str:
    """Return D2 for a missile routine and D3 for a melee routine (VD-GRP-04, VD-GRP-05)."""
    chosen = use(combat, combatant, inputs)
    return phase_of(combat, "melee" if chosen is None else chosen.kind)


@rule("VD-INIT-06", "For actions of one type, the lower time goes first, including added segments")
@rule("VD-SIMP-04", "An activity with the major action adds its segments to the time in ties")
def time(combat: Combat, combatant: Combatant, inputs: Attacking) -> int:
    """Return the time that decides ties of the attack (VD-INIT-06, VD-SIMP-04).

    The time is the weapon speed, which is 1 for a missile, plus the added segments.
    """
    chosen = use(combat, combatant, inputs)
    speed = 1 if chosen is None else chosen.speed
    return speed + ADDED.of(combatant) + sum(times(combat, combatant, inputs))


def times(combat: Combat, combatant: Combatant, inputs: Attacking) -> list[int]:
    """Return the segments of each activity that takes time (VD-SIMP-03, VD-SIMP-04)."""
    chosen = use(combat, combatant, inputs)
    weapons = () if chosen is None else [weapon.id for weapon in chosen.weapons]
    return activities.times(combat, combatant, inputs.with_, "attack", weapons)


def is_first(combat: Combat, combatant: Combatant, inputs: Attacking) -> bool:
    """Return false in step 6, because its routines belong to an earlier major action."""
    return step(combat) != "multi-rest"


def may(act: Act[Attacking]) -> Procedure[Illegal | None]:
    chosen = use(act.combat, act.actor, act.inputs)
    return may_strike(act.play, act.who, act.inputs.target, chosen)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose each opponent with each routine and weapon of this slot."""
    combat, combatant = play.combat, play.combat[who]
    for target in foes(combat, combatant):
        yield {"target": target}
        if step(combat) != "group":
            chosen = use(combat, combatant, Attacking(target=target))
            loads = [] if chosen is None else to_load(combatant, chosen)
            if loads:
                yield {"target": target, "with": loads}
            continue
        for listed in routines.uses(combatant):
            if phase_of(combat, listed.kind) != combat.phase.rpartition("/")[2]:
                continue
            loads = [weapon.loading for weapon in listed.weapons if weapon.loading]
            yield {"target": target, **by_name(listed), **({"with": loads} if loads else {})}


def to_load(combatant: Combatant, use: Use) -> list[str]:
    """Return the activities that load the empty weapons of the routine."""
    return [
        weapon.loading
        for weapon in use.weapons
        if weapon.loading and not is_loaded(combatant, weapon)
    ]


def by_name(use: Use) -> dict[str, str]:
    """Return the inputs that name this routine, or this weapon and mode."""
    if use.weapons and use.id == use.weapons[0].id:
        mode = use.blows[0].attack.mode
        return {"weapon": use.id, **({"mode": mode} if mode else {})}
    return {"routine": use.id}


def named(inputs: Any, chosen: Use | None) -> Any:
    """Return the inputs with the routine of the current slot filled in.

    An action that continues in the next round needs the routine (GAP-41).
    """
    if chosen is None:
        return inputs
    return replace(inputs, **{"routine": None, "weapon": None, "mode": None, **by_name(chosen)})


@deed(
    "attack", "Attack", Attacking,
    cost="major", category="attack", headline="Attack[ {target}][ with {weapon}][ ({routine})]",
    essential=("target", "routine", "weapon"),
    rules={}, also=("VD-ATK-01", "VD-ROUT-01", "VD-MAJ-02"),
    refusals=(on_own_turn, in_its_slot, with_its_activities, fits),
    propose=candidates,
    in_slot=InSlot(
        before=may,
        leaves=what_is_left,
        # The action takes one segment, because weapon speed is not a duration (GAP-12).
        segments=lambda combat, *_: 0 if step(combat) == "multi-rest" else 1,
        beside=lambda combat, combatant, inputs: sum(times(combat, combatant, inputs)),
        time=time,
        major=is_first,
        carries=True,
        named=lambda combat, combatant, inputs: named(inputs, use(combat, combatant, inputs)),
        fits=fits,
        minors=lambda combat, combatant, inputs: len(times(combat, combatant, inputs)),
        tasks=lambda inputs: inputs.with_,
        delays=lambda combat, combatant, inputs: bool(
            activities.of_kind(combat, combatant, inputs.with_, "delaying", activities.WITH)
        ),
        phase=phase,
    ),
)  # fmt: skip
def attack(act: Act[Attacking], results: Results) -> Procedure[None]:
    """Carry out the activities that go with the attack, and then the routine."""
    play, who, inputs = act.play, act.who, act.inputs
    chosen = use(act.combat, act.actor, inputs)
    assert chosen is not None  # an attack without a routine is refused
    target, thing = aim(act.combat, inputs.target)
    if step(act.combat) == "multi-rest":  # step 6 uses each routine once (VD-MULTI-02)
        yield ROUTINES.set(who, ROUTINES.of(act.actor)[1:], rules=("VD-MULTI-02",))
    yield from activities.do(play, who, inputs.with_, results)
    extra = () if inputs.gm_modifier is None else (Term("GM", inputs.gm_modifier, "VD-ATK-01"),)
    terms = Terms(extra, (), inputs.circumstances)
    yield from strike(play, Strike(who, target, chosen, terms, thing), results)
