"""Make the events with the results of spells, abilities, activities and other actions."""

from collections.abc import Mapping, Sequence
from typing import Literal

from domain.record.combat import Id, Json
from domain.record.events import EffectResolved
from domain.rulebook.id_names import words
from domain.rulesets.vile_darkness.facts import Spot
from domain.rulesets.vile_darkness.notation import called
from domain.rulesets.vile_darkness.sheet import Ability

SPELLS = ("incantation", "invocation")


def of_ability(
    who: Id,
    ability: Ability | str,
    result: str,
    *,
    targets: Sequence[Id] = (),
    spot: Spot | None = None,
    detail: str = "",
    rules: tuple[str, ...],
) -> EffectResolved:
    """Return the event with the result of an ability.

    - `ability` is an id if the sheet no longer has the ability.
    - `spot` is the target. If it is a combatant, it becomes a target of the event. A square or an
      object becomes data of the event.
    """
    kind: Literal["spell", "ability"] = "spell"
    id = name = ability if isinstance(ability, str) else ability.id
    if not isinstance(ability, str):
        kind = "spell" if ability.category in SPELLS else "ability"
        name = called(ability)
    data: dict[str, Json] = {}
    if spot is not None:
        targets = targets if spot.combatant is None else (spot.combatant,)
        data |= {} if spot.square is None else {"square": list(spot.square)}
        data |= {} if spot.object is None else {"object": spot.object}
    return EffectResolved(
        who, kind, id, result, name, tuple(targets), detail=detail, data=data, rules=rules
    )


def of_activity(
    who: Id,
    id: str,
    result: str,
    *,
    name: str | None = None,
    item: str | None = None,
    detail: str = "",
    rules: tuple[str, ...],
) -> EffectResolved:
    """Return the event with the result of an activity. `item` is the id of the item."""
    data: Mapping[str, Json] = {} if item is None else {"item": item}
    return EffectResolved(
        who, "activity", id, result, name or words(id), detail=detail, data=data, rules=rules
    )


def of_action(
    who: Id, id: str, label: str, result: str, *, rules: tuple[str, ...], **data: Json
) -> EffectResolved:
    """Return the event with the result of an action of a slot."""
    return EffectResolved(who, "action", id, result, label.lower(), data=data, rules=rules)
