"""Group rulings: one ruling on several combatants at once, which applies to all or to none."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.action import Action, ruled
from domain.rulebook.edges import outside
from domain.rulebook.effects import Procedure
from domain.rulebook.input_reader import names_one, pointing, read
from domain.rulebook.play import Play


class Target(Struct, frozen=True, forbid_unknown_fields=True):
    """A target of the ruling. Its `inputs` override the common inputs."""

    combatant: Id
    inputs: Mapping[str, Json] = {}


class Several(Struct, frozen=True, forbid_unknown_fields=True):
    """Apply `ruling` to each of `targets`, in order.

    `inputs` are the common inputs, without the combatant.
    """

    ruling: Annotated[str, Meta(min_length=1, max_length=64)]
    targets: Annotated[tuple[Target, ...], Meta(min_length=1, max_length=100)]
    inputs: Mapping[str, Json] = {}


def _parts(play: Play, inputs: Several) -> Iterator[tuple[Action, Any]]:
    """Yield the ruling with its inputs for each target. Errors point to the faulty target."""
    ruling: Action | None = play.ruleset.rulings.get(inputs.ruling)
    if ruling is None:
        raise Unknown("ruling", inputs.ruling, _fitting(play))
    field = names_one(ruling.inputs)
    if field is None:
        detail = f"{ruling.id} is about no single combatant"
        raise Malformed("/inputs/ruling", detail, _fitting(play))
    for number, target in enumerate(inputs.targets):
        with pointing(f"/inputs/targets/{number}"):
            play.combat[target.combatant]
            raw = {**inputs.inputs, **target.inputs, field: target.combatant}
            with pointing("/inputs"):
                given = read(raw, ruling.inputs)
            yield ruling, given


def _fitting(play: Play) -> tuple[str, ...]:
    every: Mapping[str, Action] = play.ruleset.rulings
    return tuple(id for id, action in every.items() if names_one(action.inputs) is not None)


def _refusals(play: Play, who: Id, inputs: Several) -> Iterator[Illegal]:
    for number, (ruling, given) in enumerate(_parts(play, inputs)):
        yield from outside(
            play.ruleset, play.combat, who, given, f"/inputs/targets/{number}/inputs"
        )
        yield from ruling.refusals(play, who, given)


def _each(play: Play, who: Id, inputs: Several) -> Procedure[None]:
    for number, (ruling, given) in enumerate(tuple(_parts(play, inputs))):
        with pointing(f"/inputs/targets/{number}"):
            yield from ruled(play, who, ruling, given)


def _candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Yield the first inputs that `damage` proposes, for all combatants and for each side."""
    damage: Action | None = play.ruleset.rulings.get("damage")
    field = None if damage is None else names_one(damage.inputs)
    sample = None if damage is None else next(iter(damage.candidates(play, who)), None)
    if sample is None or field is None:
        return
    inputs = {name: value for name, value in sample.items() if name != field}
    everybody = list(play.combat)
    groups = [
        everybody,
        *([combatant for combatant in everybody if combatant.side == s] for s in play.combat.sides),
    ]
    for group in groups:
        if group:
            targets = [{"combatant": combatant.id} for combatant in group]
            yield {"ruling": "damage", "inputs": inputs, "targets": targets}


SEVERAL = Action(
    "several", Several, _refusals, _candidates, "Rule on several at once", procedure=_each
)
