"""The actions `parley`, `flee` and `charge`, which combatants declare for step 3 (VD-FAST)."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from msgspec import Struct, field

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import Noted, PhaseBegan, Term
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure, ask_all, ask_gm
from domain.rulebook.inputs import InputKind, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.reachability import Ways, standing
from domain.rulebook.reachability import ways as paths
from domain.rulebook.secrecy import knows_of
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.abilities import as_declared
from domain.rulesets.vile_darkness.actions.attack import preferred, what_is_left
from domain.rulesets.vile_darkness.actions.movement import ask_to_leave, go, leave, parted, tread
from domain.rulesets.vile_darkness.attack import (
    Strike,
    Terms,
    allowed,
    is_for_the_gm,
    may_strike,
    strike,
)
from domain.rulesets.vile_darkness.deed import InSlot, deed, guarded, prevented
from domain.rulesets.vile_darkness.facts import CHARGED, LEAVING
from domain.rulesets.vile_darkness.harm import Results, Then, in_turn, land
from domain.rulesets.vile_darkness.numbers import able, engaged_with, in_fight, options, sheet
from domain.rulesets.vile_darkness.places import (
    OwnMode,
    Path,
    beside,
    crossed,
    feet,
    in_the_way,
    not_passable,
    rate,
    said,
    squeezed,
    to_free_squares,
    too_far,
    way,
    ways,
)
from domain.rulesets.vile_darkness.reactions import (
    Drawn,
    immediate_attacks,
    may_at_once,
    on_leaving,
)
from domain.rulesets.vile_darkness.routines import Circumstances, OwnRoutine, Use, WeaponModeInput
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Mode
from domain.rulesets.vile_darkness.slots import has_left, on_own_turn, use_major
from domain.rulesets.vile_darkness.targets import AimedAtAll, aim, target_of

SET_FOR_CHARGE = "set-for-charge"


class Parleying(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    message: Annotated[str, InputKind(proposes=lambda *_: ("Hold!",))] = ""


class Fleeing(Path, frozen=True, forbid_unknown_fields=True, kw_only=True):
    mode: OwnMode = "walk"


class Charging(Path, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a charge. Without a path, the charger goes straight to the target.

    A charge at an object needs a path (VD-ROUT-02).
    """

    target: AimedAtAll | None = None
    routine: OwnRoutine | None = None
    weapon: OwnWeapon | None = None
    weapon_mode: WeaponModeInput | None = field(default=None, name="mode")
    circumstances: Circumstances = ()


# ---- shared by all fast actions


MAJOR_LEFT = Refusal(
    "VD-FAST-05", "major-already-used", "{actor} has used its major action",
    lambda act: not has_left(act.actor, "major"),
)  # fmt: skip
"The refusal for a used major action. `off_turn` repeats it if there is no prompt."

rule("VD-FAST-05", "A fast action is the major action", f"{__name__}.MAJOR_LEFT")


# ---- A parley


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    text: str = ""


PARLEY_ANSWERS = (Option("answer", Reply, label="In these words"), Option("end-combat"))


@deed(
    "parley", "Parley", Parleying,
    cost="major", category="use", headline="Parley", essential=("message",),
    rules={"VD-FAST-08": "A parley needs no dice, and the GM decides the answer"},
    also=("VD-FAST-01",),
    refusals=(on_own_turn, MAJOR_LEFT),
    propose=("message",),
)  # fmt: skip
def parley(act: Act[Parleying], results: Results) -> Procedure[None]:
    """Ask the GM how the other side answers the parley. Nobody rolls (VD-FAST-08)."""
    who, inputs = act.who, act.inputs
    words = f"{who} says: {inputs.message}" if inputs.message else f"{who} offers to talk"
    yield Noted(words, who, rules=("VD-FAST-08",))
    answer = yield from ask_gm(
        "parley-answer",
        f"{who} parleys. What is the answer?",
        PARLEY_ANSWERS,
        "answer",
        rules=("VD-FAST-08",),
        data={"speaker": who, "message": inputs.message},
    )
    if answer.option == "end-combat":
        yield PhaseBegan("ending", rules=("VD-FAST-08",))
    elif answer.inputs.text:
        yield Noted(f"The answer: {answer.inputs.text}", rules=("VD-FAST-08",))


# ---- B flee


def flight_ft(combat: Combat, combatant: Combatant, mode: Mode) -> float:
    """Return the distance of a flight in ft, which is the rate × `flee.move_factor`."""
    return rate(combatant, mode) * options(combat).flee.move_factor


def flight(act: Act[Fleeing]) -> Iterator[Illegal]:
    """Refuse a path that is too long or blocked. Missing inputs come from the declaration."""
    return _way_refusals(act.play, act.who, as_declared(act.actor, "flee", act.inputs))


def _way_refusals(play: Play, who: Id, inputs: Fleeing) -> Iterator[Illegal]:
    far = flight_ft(play.combat, play.combat[who], inputs.mode)
    yield from too_far(play.combat[who], inputs, far, "VD-FAST-06")
    yield from in_the_way(play.combat, who, inputs)


def _goals(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    yield {}
    if combatant.position is not None:
        x, y, z = combatant.position
        steps = ((4, 0), (-4, 0), (0, 4), (0, -4), (1, 0), (0, -1))
        yield from to_free_squares(play.combat, who, [(x + dx, y + dy, z) for dx, dy in steps])


def _ways(play: Play, who: Id) -> Ways | None:
    """Return the search for paths of a flight, with the opponents that may strike at the start."""
    return ways(play.combat, who, flight_ft(play.combat, play.combat[who], "walk"))


ANOTHER_WAY = Option("flee", Fleeing, _way_refusals, _goals, "Flee another way", ways=_ways)
PASS = Option("pass")


@deed(
    "flee", "Flee", Fleeing,
    cost="major", category="choose", headline="Flee[ to {to}][ to {path}][ {distance_ft} ft]",
    essential=("path", "distance_ft"),
    rules={}, also=("VD-FAST-01", "VD-FAST-06"),
    refusals=(on_own_turn, MAJOR_LEFT, flight),
    propose=_goals,
    ways=_ways,
)  # fmt: skip
def flee(act: Act[Fleeing], results: Results) -> Procedure[None]:
    """Leave the current square and every melee (section 4.1, procedure 5)."""
    play, who, inputs = act.play, act.who, act.inputs
    results += go(play, who, inputs, inputs.mode, "VD-FAST-06")
    results.append(Then(lambda: parted(play.combat, who)))
    yield Noted(f"{who} flees", who, rules=("VD-FAST-06",))


@rule("VD-FAST-06", "Fleeing from melee gives each opponent in it a free attack")
def flights(play: Play, fleers: Sequence[tuple[Id, Fleeing]]) -> Procedure[None]:
    """Resolve the free attacks on all fleeing combatants, who then leave at the same moment."""
    for who, _ in fleers:
        yield from list(use_major(play.combat[who], "VD-FAST-05"))
    numbers = options(play.combat).flee
    drawn = Drawn(numbers.attack_bonus, numbers.ac_penalty)
    yield from on_leaving(play, {who: drawn for who, _ in fleers})
    others = yield from _other_ways(play, fleers)
    moment: dict[Id, Results] = {who: [] for who, _ in fleers}
    for who, declared in fleers:
        inputs = others.get(who, declared)
        refusal = _blocked(play, who, inputs)
        if refusal is not None:
            yield prevented(who, "flee", inputs, refusal)
        else:
            doing = flee.effect(Act(play, who, inputs), moment[who])
            yield from guarded(play, who, "flee", doing, moment[who])
    yield from land(play, in_turn(moment))


def _other_ways(
    play: Play, fleers: Sequence[tuple[Id, Fleeing]]
) -> Procedure[Mapping[Id, Fleeing]]:
    """Ask for another path if the blocked path is the only obstacle to the flight."""
    prompts: list[Prompt] = []
    for who, inputs in fleers:
        refusal = _blocked(play, who, inputs)
        if refusal is not None and refusal.code == "path-blocked":
            prompts.append(_another_way(play.combat, who, inputs))
    answers = yield from ask_all(prompts)
    return {answer.who or "": answer.inputs for answer in answers if answer.option == "flee"}


def _another_way(combat: Combat, who: Id, inputs: Fleeing) -> Prompt:
    def stands(now: Combat) -> bool:
        return able(now[who]) and next(in_the_way(now, who, inputs), None) is not None

    return Prompt(
        kind="turn",
        name="slot-intent",
        who=who,
        text=f"{who}'s way is closed. Where does {who} flee?",
        options=(ANOTHER_WAY, PASS),
        rules=("VD-FAST-06", "VD-GRID-04"),
        default="pass",
        data={"slot": combat.phase},
        stands=stands,
    )


def _blocked(play: Play, who: Id, inputs: Fleeing) -> Illegal | None:
    """Return the reason why the combatant cannot flee, or `None`."""
    stop = play.unable(who)
    if stop is not None:
        return stop
    return next(in_the_way(play.combat, who, inputs), None)


# ---- C charge


def charge_use(combatant: Combatant, inputs: Charging) -> Use | None:
    """Return the use of a routine in a charge. The default is the first melee routine."""
    default = preferred(combatant, "melee")
    return routines.chosen(
        combatant, "melee", inputs.routine, inputs.weapon, inputs.weapon_mode, default
    )


def onslaught(act: Act[Charging]) -> Iterator[Illegal]:
    """Refuse an illegal routine or approach. Missing inputs come from the declaration."""
    combat, who, combatant = act.combat, act.who, act.actor
    inputs = as_declared(combatant, "charge", act.inputs)
    target, _ = aim(combat, inputs.target)
    use = charge_use(combatant, inputs)
    if use is None or use.kind != "melee":
        detail = f"{combatant.name} has nothing to charge with"
        field = NO_FIELD if use is None else routines.said(inputs)
        yield refuse("VD-FAST-07", "no-weapon", detail, field)
        return
    for reason in routines.illegal(combat, who, target, use):
        if reason.code not in ("out-of-reach", "no-space", "square-shared"):
            yield reason  # the charge can remove the other reasons
    closed = approach(combat, who, inputs).closed
    if closed is not None and not is_for_the_gm(combat, closed):
        given = bool(inputs.path or inputs.to)
        closed.pointer = f"/inputs/{said(combatant, inputs) if given else 'target'}"
        yield closed  # a distant target does not forbid the charge (GAP-52)


def charge_ft(combat: Combat, combatant: Combatant) -> float:
    """Return the distance of a charge in ft, which is the rate × `charge.move_factor`."""
    return rate(combatant, "walk") * options(combat).charge.move_factor


class Approach(NamedTuple):
    """The squares of a charge until its target is in reach, and their length in ft.

    `closed` is the first obstacle on the way (GAP-60), which the GM may let the charger pass
    (VD-MELEE-03).
    """

    squares: tuple[Square, ...] = ()
    ft: float = 0
    closed: Illegal | None = None


def approach(combat: Combat, who: Id, inputs: Charging) -> Approach:
    """Return the approach of a charge. It is empty if the target is in reach (GAP-05).

    - A charge at an object goes to the end of the path.
    - Without a path, a charger goes straight at its target.
    - If the charger cannot fight in the last square (VD-GRID-03), it goes to the nearest square
      beside the target in which it can fight. If there is no such square, it stops on the straight
      line before the shared squares.
    """
    combatant = combat[who]
    target, thing = aim(combat, inputs.target)
    use = charge_use(combatant, inputs)
    goal = None if thing else combat[target].position
    if combatant.position is None or use is None:
        return Approach()
    if inputs.path or inputs.to:
        points = way(combatant, inputs) if goal is not None or thing else ()
        return _run_up(combat, combatant, points, goal, use.reach_ft)
    if goal is None:
        return Approach()
    here = combatant.position
    straight = _run_up(combat, combatant, (here, goal), goal, use.reach_ft)
    if _can_fight(combat, who, straight) or not _near(straight.squares[-1], goal, use.reach_ft):
        return straight
    search = ways(combat, who, charge_ft(combat, combatant))
    for path in () if search is None else (reached.path for reached in paths(search)):
        if _near(path[-1], goal, use.reach_ft):
            other = _run_up(combat, combatant, (here, *path), goal, use.reach_ft)
            if other.closed is None and _can_fight(combat, who, other):
                return other
    while not _can_fight(combat, who, straight):
        squares = straight.squares[:-1]
        straight = Approach(squares, feet(here, squares[-1]) if squares else 0, straight.closed)
    return straight


def _run_up(
    combat: Combat, combatant: Combatant, points: Sequence[Square], goal: Square | None, reach: int
) -> Approach:
    """Return the squares along these points until `goal` is in reach or the charge must end."""
    limit = charge_ft(combat, combatant)
    squares: list[Square] = []
    closed: Illegal | None = None
    behind, ft = 0.0, 0.0
    for start, end in itertools.pairwise(points):
        for at in crossed((start, end)):
            far = behind + feet(start, at)
            there = goal is not None and _near((points[0], *squares)[-1], goal, reach)
            if there or far > limit + 1e-9:
                return Approach(tuple(squares), ft, closed)
            wall = next(not_passable(combat, combatant, at), None)
            if wall is not None and not is_for_the_gm(combat, wall):
                return Approach(tuple(squares), ft, wall)
            closed = closed or wall
            squares.append(at)
            ft = far
        behind += feet(start, end)
    return Approach(tuple(squares), ft, closed)


def _can_fight(combat: Combat, who: Id, run_up: Approach) -> bool:
    """Return true unless a shared square at the end prevents the blow."""
    if not run_up.squares:
        return True
    return next(squeezed(standing(combat, who, run_up.squares[-1]), who), None) is None


def is_unlikely(act: Act[Charging]) -> bool:
    """Return true for a charge that offers do not propose.

    Such a charge leaves a melee, or ends out of reach of the target's current position.
    """
    if any(in_fight(act.combat, other) for other in engaged_with(act.actor)):
        return True
    inputs = as_declared(act.actor, "charge", act.inputs)
    target, _ = aim(act.combat, inputs.target)
    goal = act.combat[target].position if target else None
    use = charge_use(act.actor, inputs)
    if act.actor.position is None or goal is None or use is None:
        return False
    end = (act.actor.position, *approach(act.combat, act.who, inputs).squares)[-1]
    return not _near(end, goal, use.reach_ft)


def _near(a: Square, b: Square, reach: int) -> bool:
    return beside(a, b) or feet(a, b) <= reach


def _rush(play: Play, who: Id, inputs: Charging, results: Results) -> Procedure[None]:
    """Move the charger, and make its Armour Class worse until the end of the round."""
    combatant = play.combat[who]
    target, thing = aim(play.combat, inputs.target)
    yield from list(use_major(combatant, "VD-FAST-05"))
    yield from list(what_is_left(play.combat, play.combat[who]))
    if LEAVING.known(combatant):  # A charger whose target is in reach stays in its melee (GAP-05).
        yield from leave(play, [who])
        results.append(Then(lambda: parted(play.combat, who)))
    penalty = options(play.combat).charge.ac_penalty
    if penalty:
        yield CHARGED.set(who, penalty, rules=("VD-FAST-07",))
    squares, ft, _ = approach(play.combat, who, inputs)
    if combatant.position is None:
        ft = min(inputs.distance_ft, charge_ft(play.combat, combatant))
    yield Noted(f"{who} charges {target or thing}", who, rules=("VD-FAST-07",))
    results += tread(play, who, squares, ft, "walk", "VD-FAST-07")


@rule("VD-FAST-07", "A charge moves to its target and attacks in the same slot")
def charges(play: Play, chargers: Sequence[tuple[Id, Charging]]) -> Procedure[None]:
    """Move all chargers in the order of joining, resolve reactions, then make all attacks.

    GAP-05.
    """
    for who, inputs in chargers:
        at = target_of(play.combat, inputs)
        results: Results = []
        rush = _rush(play, who, inputs, results)
        yield from guarded(play, who, "charge", rush, results, at)
        yield from land(play, results)
    yield from _set_weapons(play, chargers)
    moment: dict[Id, Results] = {who: [] for who, _ in chargers}
    for who, inputs in chargers:
        if able(play.combat[who]):
            at = target_of(play.combat, inputs)
            blow = charge.effect(Act(play, who, inputs), moment[who])
            yield from guarded(play, who, "charge", blow, moment[who], at)
    yield from land(play, in_turn(moment))


def _end(combat: Combat, who: Id, inputs: Charging) -> Square | None:
    """Return the last square of the path, or the current square without a path."""
    combatant = combat[who]
    return way(combatant, inputs)[-1] if inputs.path or inputs.to else combatant.position


def _set_weapons(play: Play, chargers: Sequence[tuple[Id, Charging]]) -> Procedure[None]:
    """Offer a first strike to targets with a weapon set against a charge.

    Section 4.1, procedure 6.
    """
    aims = ((target_of(play.combat, inputs), who) for who, inputs in chargers)
    left = [(at, who) for at, who in aims if at is not None]
    while left:
        offers: list[tuple[Id, Id, str | None, tuple[str, ...]]] = []
        for target, who in tuple(left):
            if any(offer[0] == target for offer in offers):
                continue  # A target of several charges gets one prompt at a time.
            left.remove((target, who))
            weapon = _set_weapon(play.combat, target, who)
            if weapon is not None:
                offers.append((target, who, weapon, (SET_FOR_CHARGE,)))
        yield from immediate_attacks(play, offers)


def _set_weapon(combat: Combat, target: Id, charger: Id) -> str | None:
    """Return the first weapon set against a charge that can strike the charger, or `None`."""
    if not in_fight(combat, charger) or not knows_of(combat, target, charger):
        return None
    for weapon in sheet(combat[target]).weapons:
        sets = any(multiplier.when == SET_FOR_CHARGE for multiplier in weapon.multipliers)
        if sets and may_at_once(combat, target, charger, weapon.id):
            return weapon.id
    return None


def may_charge(act: Act[Charging]) -> Procedure[Illegal | None]:
    """Ask the GM about the obstacles of a charge, and return the refusal or `None`.

    - The GM may let the charger pass a blocked path in restricted quarters (VD-MELEE-03).
    - The GM decides if a charger may leave its melee (GAP-35). A charge within the same melee needs
      no permission.
    """
    play, who, inputs = act.play, act.who, act.inputs
    closed = approach(play.combat, who, inputs).closed
    target, thing = aim(play.combat, inputs.target)
    no = yield from allowed(play, who, target or None, () if closed is None else (closed,))
    if thing and no is None:
        no = yield from may_strike(play, who, inputs.target, charge_use(play.combat[who], inputs))
    if no is not None:
        return no
    if not engaged_with(play.combat[who]) or not _goes(play.combat, who, inputs):
        return None
    return (yield from ask_to_leave(play, who))


def _goes(combat: Combat, who: Id, inputs: Charging) -> bool:
    """Return true if the charger leaves its square or its melee.

    Without positions, a charger leaves its melee if the target is not in it.
    """
    target, thing = aim(combat, inputs.target)
    if thing:
        return combat[who].position is None or bool(approach(combat, who, inputs).squares)
    if combat[who].position is None or combat[target].position is None:
        return not routines.in_same_melee(combat, who, target)
    return bool(approach(combat, who, inputs).squares)


@deed(
    "charge", "Charge", Charging,
    cost="major", category="attack", headline="Charge[ {target}][ with {weapon}]",
    essential=("target", "routine", "weapon"), approach=True,
    rules={}, also=("VD-FAST-01", "VD-FAST-07"),
    refusals=(on_own_turn, MAJOR_LEFT, onslaught),
    propose=("target",),
    vain=is_unlikely,
    in_slot=InSlot(before=may_charge),
)  # fmt: skip
def charge(act: Act[Charging], results: Results) -> Procedure[None]:
    """Attack at the end of the charge, with the bonus of the options (VD-FAST-07)."""
    play, who, inputs, combatant = act.play, act.who, act.inputs, act.actor
    target, thing = aim(play.combat, inputs.target)
    use = charge_use(combatant, inputs)
    if use is None:
        return
    why = next(routines.illegal(play.combat, who, target, use), None)
    short = combatant.position is None and inputs.distance_ft > charge_ft(play.combat, combatant)
    if thing and combatant.position is not None:
        short = combatant.position != _end(play.combat, who, inputs)
    if why is not None or short:
        detail = "it is too far" if why is None else why.detail
        text = f"{who}'s charge ends without a blow: {detail}"
        yield Noted(text, who, rules=("VD-FAST-07",))
        return
    bonus = options(play.combat).charge.attack_bonus
    terms = Terms((Term("charge", bonus, "VD-FAST-07"),), (), inputs.circumstances)
    yield from strike(play, Strike(who, target, use, terms, thing), results)
