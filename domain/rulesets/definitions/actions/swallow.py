"""`swallow-whole`, `cut-out`, `retrieve-swallowed` (DEF-SWL)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Creature, Enemy, Needed, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, manoeuvre, opposed_rolls, release
from domain.rulesets.definitions.actions.attack import not_pinned
from domain.rulesets.definitions.costs import Paid, Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon
from domain.rulesets.definitions.states import (
    hostile,
    hp,
    in_fight,
    is_inside,
    sheet_of,
    swallower,
)
from domain.rulesets.definitions.strike import Blow, strike


class Swallow(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Enemy] = None


@rule("DEF-SWL-02", "Three sizes smaller, or the feat, and not from inside")
def requirements(play: Play, who: Id, inputs: Swallow) -> Iterator[Illegal]:
    """Check the size (or the feat), the natural reach, and that `who` is not swallowed.

    DEF-SWL-01, -02. The target is three sizes smaller.
    """
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    if combat[who].has("swallowed"):
        yield Illegal("DEF-SWL-04", "swallowed", f"{combat[who].name} is swallowed itself")
    yield from not_pinned(combat, who)
    if inputs.target is None:
        return
    bigger = board.steps_larger(combat[who], combat[inputs.target])
    if bigger < 3 and not sheet_of(combat[who]).feats.swallow_bigger:
        detail = f"{combat[inputs.target].name} is {bigger} sizes smaller: it needs 3"
        yield Illegal("DEF-SWL-02", "too-big", detail)
    yield from manoeuvre.natural_reach(combat, who, inputs.target)


@rule("DEF-SWL-01", "Swallow whole: no touch, no opportunity")
@rule("DEF-SWL-03", "One opposed grapple")
def swallow_whole(play: Play, who: Id, inputs: Swallow, place: int) -> Procedure[None]:
    """One opposed grapple; no touch attack, no opportunity (DEF-SWL-01, -03)."""
    target = target_of(inputs)
    away = manoeuvre.beyond(who, target, manoeuvre.natural_reach)
    theirs = yield from opposed_rolls.grapple_defense(play, target, who, "DEF-SWL-03", away)
    result = yield from opposed_rolls.contest(
        play, opposed_rolls.grapple(who), theirs, "DEF-SWL-03", away
    )
    if result.won:
        rules = ("DEF-SWL-03", "DEF-SWL-04")
        yield ConditionGained(target, "swallowed", source=who, rules=rules)


SWALLOW_WHOLE = deed(
    "swallow-whole",
    Swallow,
    swallow_whole,
    kind="standard",
    requirements=requirements,
    label="Swallow whole",
    rules=("DEF-SWL-01", "DEF-SWL-02", "DEF-SWL-03"),
    melee=True,
).shown("attack", "Swallow {target} whole")


# ---- cut-out


class CutOut(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`weapon` null: the first sharp one in hand."""

    weapon: OwnWeapon | None = None


def blade(combat: Combat, who: Id, inputs: CutOut) -> Weapon | None:
    weapons = [weapon for weapon in arms.ready(combat[who]) if inputs.weapon in (None, weapon.id)]
    return next(
        (weapon for weapon in weapons if arms.sharp(weapon)), weapons[0] if weapons else None
    )


def cut_requirements(play: Play, who: Id, inputs: CutOut) -> Iterator[Illegal]:
    """From inside, with a piercing or slashing weapon (DEF-SWL-05)."""
    combat = play.combat
    if not is_inside(combat[who]):
        yield Illegal("DEF-SWL-05", "not-swallowed", f"{combat[who].name} is not swallowed")
    weapon = blade(combat, who, inputs)
    if weapon is None:
        yield Illegal("DEF-WLD-08", "weapon-not-ready", "it has no such weapon ready")
    elif not arms.sharp(weapon):
        detail = f"{weapon.name} neither pierces nor slashes"
        yield Illegal("DEF-SWL-05", "wrong-damage-type", detail, arms.SHARP)


def cut_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    for weapon in arms.ready(play.combat[who]):
        yield {"weapon": weapon.id}


@rule("DEF-SWL-05", "Out at a fifth of its health")
def cut_out(play: Play, who: Id, inputs: CutOut, place: int) -> Procedure[None]:
    """Attack from inside. The damage adds up (`harm.from_inside`, `consequences`, DEF-SWL-05)."""
    holder, weapon = swallower(play.combat, who), blade(play.combat, who, inputs)
    assert holder is not None
    assert weapon is not None
    yield from strike(play, Blow(who, holder, weapon, place))


def at_its_swallower(combat: Combat, who: Id, inputs: CutOut) -> tuple[Id, ...]:
    holder = swallower(combat, who)
    return () if holder is None else (holder,)


CUT_OUT = deed(
    "cut-out",
    CutOut,
    cut_out,
    kind="attack",
    requirements=cut_requirements,
    candidates=cut_candidates,
    label="Cut oneself out",
    rules=("DEF-SWL-05",),
    aims=at_its_swallower,
).shown("attack", "Cut itself out[ with {weapon}]", polarity="harm")


# ---- retrieve-swallowed


class Retrieve(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Creature] = None


def retrieve_requirements(play: Play, who: Id, inputs: Retrieve) -> Iterator[Illegal]:
    """The swallower is down; an ally beside it, or the swallowed one itself (DEF-SWL-08)."""
    combat = play.combat
    target = inputs.target
    if target is None:
        yield Illegal("DEF-ATK-06", "no-target", "whom?")
        return
    holder = swallower(combat, target)
    if not is_inside(combat[target]):
        yield Illegal("DEF-SWL-08", "not-swallowed", f"{combat[target].name} is not swallowed")
    if holder is None:
        return  # it is hidden from the caller
    if in_fight(combat, holder) and hp(combat[holder]) > 0:
        detail = f"{combat[holder].name} is neither dead nor at 0 HP"
        yield Illegal("DEF-SWL-08", "swallower-not-down", detail)
    if hostile(combat[who], combat[target]):
        yield Illegal("DEF-SWL-08", "not-an-ally", f"{combat[target].name} is no ally")
    elif (board.distance(combat, who, holder) or 0) > 1:
        yield Illegal("DEF-SWL-08", "not-adjacent", f"{combat[holder].name} is too far away")


@rule("DEF-SWL-08", "Retrieved by an ally, itself, the GM")
def retrieve(play: Play, who: Id, inputs: Retrieve, place: int) -> Procedure[None]:
    """DEF-SWL-08."""
    yield from release.freed(play, target_of(inputs))


RETRIEVE_SWALLOWED = deed(
    "retrieve-swallowed",
    Retrieve,
    retrieve,
    kind="standard",
    requirements=retrieve_requirements,
    candidates=lambda play, who: ({"target": combatant.id} for combatant in play.combat),
    label="Retrieve somebody swallowed",
    rules=("DEF-SWL-08",),
).shown("help", "Retrieve {target}")
