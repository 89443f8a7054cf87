"""`attack`: one melee attack with a ready weapon (DEF-ATK)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, manoeuvre
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon
from domain.rulesets.definitions.strike import Blow, strike


class Attack(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """If `weapon` is null, the first ready one that reaches is used."""

    target: Needed[Enemy] = None
    weapon: OwnWeapon | None = None


@rule("DEF-ATK-06", "Limits of attacks. Allies may be attacked")
def requirements(play: Play, who: Id, inputs: Attack) -> Iterator[Illegal]:
    """A target alive, a ready weapon of the melee that reaches it (DEF-ATK-06)."""
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from not_pinned(combat, who)
    weapon = chosen(combat, who, inputs)
    meant = weapon or arms.weapon(combat[who], inputs.weapon)
    if meant is not None and meant.kind == "ranged":
        detail = f"{meant.name} is no weapon of the melee"
        yield Illegal("DEF-ATK-06", "wrong-weapon-kind", detail)
        return
    if weapon is None:
        detail = f"{combat[who].name} has no such weapon ready"
        mine = [weapon.id for weapon in arms.ready(combat[who])]
        yield Illegal("DEF-WLD-08", "weapon-not-ready", detail, mine)
        return
    yield from fits_grapple(combat[who], weapon)
    if inputs.target is not None and not gets_there(combat, who, inputs.target, weapon):
        yield Illegal("DEF-RCH-08", "out-of-reach", f"{weapon.name} does not reach {inputs.target}")


def not_pinned(combat: Combat, who: Id) -> Iterator[Illegal]:
    """A pinned combatant does not attack (DEF-GPN-01)."""
    if combat[who].has("pinned"):
        yield Illegal("DEF-GPN-01", "pinned", f"{combat[who].name} is pinned")


@rule("DEF-GRP-10", "Plain attacks with few weapons")
def fits_grapple(combatant: Combatant, weapon: Weapon) -> Iterator[Illegal]:
    """Unarmed, daggers, blunt strikers only (DEF-GRP-10)."""
    if not fits(combatant, weapon):
        detail = f"{weapon.name} is of no use in a grapple"
        yield Illegal("DEF-GRP-10", "weapon-not-for-grapple", detail)


def fits(combatant: Combatant, weapon: Weapon) -> bool:
    """Whether a grapple leaves room for it."""
    free = not combatant.has("grappled", "grappling")
    return free or weapon.grapple_ok or weapon.kind == "natural"


def gets_there(combat: Combat, who: Id, target: Id, weapon: Weapon) -> bool:
    """In reach; without places, as inside of a swallower, nothing bars it here."""
    return board.within_reach(combat, who, target, weapon) is not False


def chosen(combat: Combat, who: Id, inputs: Attack) -> Weapon | None:
    """The weapon of that name if it is ready; by default the best that will do."""
    combatant = combat[who]
    ready = arms.ready(combatant)
    if inputs.weapon is not None:
        return next((weapon for weapon in ready if weapon.id == inputs.weapon), None)
    melee = arms.melee(combatant)
    for weapon in melee:
        if not fits(combatant, weapon):
            continue
        if inputs.target is not None and gets_there(combat, who, inputs.target, weapon):
            return weapon
    return (*melee, *ready, None)[0]


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Each other with each ready weapon; stances for the first."""
    combat = play.combat
    for other in combat:
        if other.id == who:
            continue
        for weapon in arms.ready(combat[who]):
            yield {"target": other.id, "weapon": weapon.id}
            for stance in ("reckless", "defensive"):
                yield {"target": other.id, "weapon": weapon.id, "stance": stance}


@rule("DEF-ATK-05", "A melee attack provokes nothing and has no size")
def perform(play: Play, who: Id, inputs: Attack, place: int) -> Procedure[None]:
    """Roll, confirm, damage (DEF-ATK-01, DEF-CRT, DEF-DMG, DEF-ATK-05)."""
    weapon = chosen(play.combat, who, inputs)
    if weapon is not None:
        yield from strike(play, Blow(who, target_of(inputs), weapon, place))


ATTACK = deed(
    "attack",
    Attack,
    perform,
    kind="attack",
    requirements=requirements,
    candidates=candidates,
    label="Attack",
    rules=("DEF-ATK-01", "DEF-ATK-02", "DEF-ATK-05", "DEF-ATK-06", "DEF-MUL-02"),
    melee=True,
).shown("attack", "Attack {target}[ with {weapon}]", "target", "weapon", "stance")
