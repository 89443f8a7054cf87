"""Find the targets that inputs name, by id or by name."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Struct

from domain.errors import Illegal, Impossible, Malformed, Unknown
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.gm import Word
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.numbers import fallen, in_fight
from domain.rulesets.vile_darkness.rules import rule

Target = Id | tuple[Id, ...]


class Object(Struct, frozen=True, forbid_unknown_fields=True):
    """An object as the target of a routine (VD-ROUT-02)."""

    object: Word


AimedAtAll = Annotated[
    Target | Object,
    InputKind("combatant", toward="harm", proposes=lambda combat, who: foes(combat, combat[who])),
]


@rule("VD-ROUT-02", "A routine has one target, a creature or an object")
def aim(combat: Combat, target: Target | Object | None) -> tuple[Id, str]:
    """Return the combatant and the object at which a routine is aimed. One of them is empty."""
    if isinstance(target, Object):
        return "", target.object
    return single(combat, target), ""


@rule("VD-MULTI-05", "Each routine has one target, and different routines may have different ones")
def single(combat: Combat, target: Target | None) -> Id:
    """Return the id of the only target of a routine (VD-ROUT-02, VD-MULTI-05)."""
    if isinstance(target, tuple):
        if len(target) != 1:
            detail = "all attacks of a routine have the same single target"
            raise Impossible(
                "VD-ROUT-02", "one-target-per-routine", detail, pointer="/inputs/target"
            )
        target = target[0]
    if target is None:
        raise Malformed("/inputs/target", "name the target")
    return who_is(combat, target)


def target_of(combat: Combat, inputs: Any) -> Id | None:
    """Return the id of the target.

    Return `None` if the inputs do not name exactly one combatant.
    """
    target = getattr(inputs, "target", None)
    if isinstance(target, tuple) and len(target) == 1:
        target = target[0]
    if not isinstance(target, str):
        target = getattr(target, "combatant", None)
    if target is None or target in combat.combatants:
        return target
    return by_name(combat, target)


def had_fallen(combat: Combat, inputs: Any) -> bool:
    """Return true if the target was already down at the choice (GAP-52)."""
    target = target_of(combat, inputs)
    return target is not None and not in_fight(combat, target)


def foes(combat: Combat, combatant: Combatant) -> list[Id]:
    """Return the opponents that have not fallen."""
    return [other.id for other in combat if other.side != combatant.side and not fallen(other)]


def by_name(combat: Combat, name: str) -> Id | None:
    """Return the id of the present combatant with this id or name, or `None`."""
    by_id = (combatant.id for combatant in combat if combatant.id == name)
    return next(by_id, next((combatant.id for combatant in combat if combatant.name == name), None))


def all_there(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    """Raise `Unknown` for a missing combatant in the field `who`."""
    for name in inputs.who:
        who_is(play.combat, name)
    return iter(())


def who_is(combat: Combat, name: str) -> Id:
    """Return the id of the combatant with this id or name. Raise `Unknown` if there is none."""
    who = by_name(combat, name)
    if who is None:
        raise Unknown("combatant", name, tuple(combatant.id for combatant in combat))
    return who
