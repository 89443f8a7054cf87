"""`ranged-attack`: a shot or throw (DEF-RNG)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, manoeuvre, shots
from domain.rulesets.definitions.actions.attack import Attack, fits_grapple, not_pinned
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon
from domain.rulesets.definitions.states import in_fight
from domain.rulesets.definitions.strike import Blow, strike


@rule("DEF-RNG-03", "Through allies without a penalty, through others as well")
def requirements(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    """A ready ranged weapon, and a target in its range (DEF-RNG-06, DEF-RNG-03)."""
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from not_pinned(combat, who)
    weapon = chosen(combat, who, inputs)
    meant = weapon or arms.weapon(combat[who], inputs.weapon)
    if meant is not None and meant.kind != "ranged":
        yield Illegal("DEF-RNG-06", "wrong-weapon-kind", f"{meant.name} is no ranged weapon")
        return
    if weapon is None:
        detail = f"{combat[who].name} has no such weapon ready"
        yield Illegal("DEF-WLD-08", "weapon-not-ready", detail)
        return
    yield from fits_grapple(combat[who], weapon)
    yield from shots.out_of_range(combat, who, inputs.target, weapon.range_ft, weapon.name)


def chosen(combat: Combat, who: Id, inputs: Attack) -> Weapon | None:
    ready = arms.ready(combat[who])
    if inputs.weapon is not None:
        return next((weapon for weapon in ready if weapon.id == inputs.weapon), None)
    ranged = [weapon for weapon in ready if weapon.kind == "ranged"]
    return (*ranged, *ready, None)[0]


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for other in play.combat:
        if other.id != who:
            yield {"target": other.id}
            yield {"target": other.id, "stance": "reckless"}


def perform(play: Play, who: Id, inputs: Attack, place: int) -> Procedure[None]:
    """Choose the real target, then roll the attack (DEF-RNG-01, -04)."""
    target = yield from shots.gone_astray(play, who, target_of(inputs))
    weapon = chosen(play.combat, who, inputs)
    if weapon is None or weapon.kind != "ranged" or not in_fight(play.combat, target):
        return
    yield from strike(play, Blow(who, target, weapon, place))


rule("DEF-RNG-02", "Shooting in a threatened square provokes", f"{__name__}.RANGED_ATTACK")
RANGED_ATTACK = deed(
    "ranged-attack",
    Attack,
    perform,
    kind="attack",
    requirements=requirements,
    candidates=candidates,
    label="Shoot or throw",
    rules=("DEF-RNG-01", "DEF-RNG-02", "DEF-RNG-03", "DEF-RNG-06"),
    provokes=True,
    ranged=True,
).shown("attack", "Shoot {target}[ with {weapon}]", "target", "weapon", "stance")
