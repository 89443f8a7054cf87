"""The GM's rulings `join` and `set` (4.3): a newcomer, and a corrected sheet."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Id, Json
from domain.record.events import CombatantChanged
from domain.rulebook import pools
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arrivals, flow
from domain.rulesets.sovereign.sheet import Combatant

POINTS = ("hp", "max_hp")


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet of the newcomer."""

    sheet: dict[str, Json]


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """`sheet`: new values of fields of the sheet."""

    combatant: Id
    sheet: dict[str, Json]


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """A newcomer acts with its side; a new side rolls (SOV-SEQ-09)."""
    joined = yield from admit(inputs.sheet)
    step = flow.entry(play.combat, joined.who)
    if step is not None and play.combat.status == "running":
        yield from flow.PROCEDURES[step.procedure](play, **step.args)


def set_refusals(play: Play, _: Id, inputs: Correction) -> Iterator[Illegal]:
    """Raises `Malformed` for a sheet that cannot be, or a field that counts at the joining only."""
    corrected(play.combat, inputs)
    return iter(())


def corrected(combat: Combat, inputs: Correction) -> Mapping[str, Json]:
    """The new values, as the sheet has them."""
    combatant = combat[inputs.combatant]
    fixed = {
        **dict.fromkeys(("name", "owner", "side", "at"), "it is not changed through the sheet"),
        **arrivals.settled(combat, combatant.id),
    }
    for field in inputs.sheet:
        if field in fixed and field not in POINTS:
            raise Malformed(f"/inputs/sheet/{field}", fixed[field])
    old = {
        **combatant.sheet,
        "name": combatant.name,
        "owner": None,
        "side": combatant.side,
        "at": combatant.position,
    }
    with pointing("/inputs/sheet"):
        page = read({**old, **inputs.sheet}, Combatant)
        joined = {name: old[name] for name in POINTS}  # at the joining
        for fault in arrivals.check(msgspec.structs.replace(page, **joined)):
            raise fault
    full: Mapping[str, Json] = msgspec.to_builtins(page)
    return {field: full[field] for field in inputs.sheet}


def set_sheet(play: Play, _: Id, inputs: Correction) -> Procedure[None]:
    """Change a sheet. Hit points are the track's, and consequences follow."""
    values = corrected(play.combat, inputs)
    changed = {field: value for field, value in values.items() if field not in POINTS}
    if changed:
        yield CombatantChanged(inputs.combatant, sheet=changed)
    hp: Any = values.get("hp")
    maximum: Any = values.get("max_hp")
    if hp is not None or maximum is not None:
        combatant = play.combat[inputs.combatant]
        yield pools.corrected(combatant, "hp", hp, maximum, ("SOV-DMG-04",))
