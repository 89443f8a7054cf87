"""The actions `swallow-whole`, `cut-out` and `retrieve-swallowed` (DEF-SWL)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Creature, Needed, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.definitions import arms, board, manoeuvre, opposed_rolls, release
from domain.rulesets.definitions.costs import Paid, Stanced
from domain.rulesets.definitions.deeds import ATTACK, MELEE, STANDARD, Attempt, Others, priced
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    in_natural_reach,
    not_pinned,
)
from domain.rulesets.definitions.sheet import Weapon
from domain.rulesets.definitions.states import hostile, hp, sheet_of, swallower
from domain.rulesets.definitions.strike import Blow, strike


class Swallow(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Target] = None


def is_too_big(act: Act[Swallow]) -> bool | dict[str, object]:
    """Return the values that the refusal shows if the target is too big to swallow.

    A target must be at least three sizes smaller than the actor.
    With the feat `swallow_bigger`, size does not matter (DEF-SWL-02).
    """
    if act.inputs.target is None or sheet_of(act.actor).feats.swallow_bigger:
        return False
    smaller = board.steps_larger(act.actor, act.target)
    return smaller < 3 and {"it": act.target.name, "smaller": smaller}


@priced(
    "swallow-whole", "Swallow whole", Swallow, STANDARD, MELEE,
    category="attack", headline="Swallow {target} whole",
    rules={
        "DEF-SWL-01": "Swallowing needs no touch attack and gives no opportunity",
        "DEF-SWL-02": "The target must be three sizes smaller, unless a feat helps, and not "
        "swallowed yet",
        "DEF-SWL-03": "One opposed grapple decides whether the target is swallowed",
    },
    refusals=(
        fair_target,
        Refusal("DEF-SWL-04", "swallowed", "{actor} is swallowed itself",
                lambda act: act.actor.has("swallowed")),
        not_pinned,
        Refusal("DEF-SWL-02", "too-big", "{it} is {smaller} sizes smaller: it needs 3", is_too_big,
                "target"),
        in_natural_reach,
    ),
    propose=("target",),
)  # fmt: skip
def swallow_whole(act: Attempt[Swallow]) -> Procedure[None]:
    """Roll one opposed grapple, without a touch attack or an opportunity (DEF-SWL-01)."""
    play, who, target = act.play, act.who, act.aim
    away = manoeuvre.beyond(who, target, manoeuvre.natural_reach)
    theirs = yield from opposed_rolls.grapple_defense(play, target, who, "DEF-SWL-03", away)
    result = yield from opposed_rolls.contest(
        play, opposed_rolls.grapple(who), theirs, "DEF-SWL-03", away
    )
    if result.won:
        rules = ("DEF-SWL-03", "DEF-SWL-04")
        yield ConditionGained(target, "swallowed", source=who, rules=rules)


# ---- cut-out


class CutOut(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a cut. If `weapon` is `null`, Affray uses the first ready sharp weapon."""

    weapon: OwnWeapon | None = None


def blade(combatant: Combatant, inputs: CutOut) -> Weapon | None:
    """Return the named weapon if it is ready. Without a name, return the first sharp weapon."""
    weapons = [weapon for weapon in arms.ready(combatant) if inputs.weapon in (None, weapon.id)]
    return next((weapon for weapon in weapons if arms.sharp(weapon)), (*weapons, None)[0])


def sharp(act: Act[CutOut]) -> Iterator[Illegal]:
    """Refuse a weapon that is neither piercing nor slashing (DEF-SWL-05)."""
    weapon = blade(act.actor, act.inputs)
    if weapon is None:
        detail = "it has no such weapon ready"
        yield refuse("DEF-WLD-08", "weapon-not-ready", detail, "weapon")
    elif not arms.sharp(weapon):
        detail = f"{weapon.name} neither pierces nor slashes"
        yield refuse("DEF-SWL-05", "wrong-damage-type", detail, "weapon", arms.SHARP)


def cut_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose the default and each ready weapon."""
    yield {}
    for weapon in arms.ready(play.combat[who]):
        yield {"weapon": weapon.id}


def at_its_swallower(combat: Combat, who: Id, inputs: CutOut) -> tuple[Id, ...]:
    """Return the swallower, if it is known."""
    holder = swallower(combat, who)
    return () if holder is None else (holder,)


@priced(
    "cut-out", "Cut oneself out", CutOut, ATTACK, Others(at_its_swallower),
    category="attack", headline="Cut itself out[ with {weapon}]", polarity="harm",
    rules={"DEF-SWL-05": "Damage of a fifth of the swallower's HP frees a swallowed combatant"},
    refusals=(
        Refusal("DEF-SWL-05", "not-swallowed", "{actor} is not swallowed",
                lambda act: not release.is_inside(act.actor)),
        sharp,
    ),
    propose=cut_candidates,
)  # fmt: skip
def cut_out(act: Attempt[CutOut]) -> Procedure[None]:
    """Attack the swallower from inside. `harm.from_inside` adds up the damage."""
    holder, weapon = swallower(act.combat, act.who), blade(act.actor, act.inputs)
    assert holder is not None
    assert weapon is not None
    yield from strike(act.play, Blow(act.who, holder, weapon, act.place))


# ---- retrieve-swallowed


class Retrieve(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Needed[Creature] = None


def within_grasp(act: Act[Retrieve]) -> Iterator[Illegal]:
    """Refuse unless the swallower is down (DEF-SWL-08).

    The actor must be an adjacent ally, or the swallowed combatant itself.
    """
    combat, target = act.combat, act.inputs.target
    if target is None:
        yield refuse("DEF-ATK-06", "no-target", "whom?", "target")
        return
    holder, name = swallower(combat, target), act.target.name
    if not release.is_inside(act.target):
        yield refuse("DEF-SWL-08", "not-swallowed", f"{name} is not swallowed", "target")
    if holder is None:
        return  # the swallower is hidden from the caller
    if in_fight(combat, holder) and hp(combat[holder]) > 0:
        detail = f"{combat[holder].name} is neither dead nor at 0 HP"
        yield refuse("DEF-SWL-08", "swallower-not-down", detail, "target")
    if hostile(act.actor, act.target):
        yield refuse("DEF-SWL-08", "not-an-ally", f"{name} is no ally", "target")
    elif (board.distance(combat, act.who, holder) or 0) > 1:
        detail = f"{combat[holder].name} is too far away"
        yield refuse("DEF-SWL-08", "not-adjacent", detail, "target")


@priced(
    "retrieve-swallowed", "Retrieve somebody swallowed", Retrieve, STANDARD,
    category="help", headline="Retrieve {target}",
    rules={"DEF-SWL-08": "An ally, the combatant itself or the GM can free a swallowed combatant"},
    refusals=(within_grasp,),
    propose=lambda play, who: ({"target": combatant.id} for combatant in play.combat),
)  # fmt: skip
def retrieve_swallowed(act: Attempt[Retrieve]) -> Procedure[None]:
    """Free the swallowed combatant (DEF-SWL-08)."""
    yield from release.freed(act.play, act.aim)
