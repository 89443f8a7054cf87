"""Rulings on the course of the fight: surprise, places, who comes and goes, the end of rounds."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.record.events import CombatantLeft, Moved, Noted, PhaseBegan
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.ending import ENDING
from domain.rulebook.ending import Ending as Outcome
from domain.rulebook.gm import comes
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import square
from domain.rulesets.vile_darkness import flow
from domain.rulesets.vile_darkness.facts import CLOSED, ENDING_ROUND
from domain.rulesets.vile_darkness.round_end import NEXT
from domain.rulesets.vile_darkness.rulings.ruling import (
    ONCE,
    Who,
    Word,
    in_phase,
    in_round,
    known,
    nowhere,
    ruling,
)
from domain.rulesets.vile_darkness.slots import DECLARE, END
from domain.rulesets.vile_darkness.targets import by_name


class Placing(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` null takes it off the grid; it ends no engagement."""

    who: Id
    at: tuple[int, ...] | None = None


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    sheet: dict[str, Json]
    hidden: bool = False


class Override(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM settles the result of an event otherwise; what changes is done by other rulings."""

    event: Annotated[int, Meta(ge=1)]
    outcome: Annotated[str, Meta(min_length=1, max_length=2000)]


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    winners: Annotated[tuple[Word, ...], Meta(max_length=50)] | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""


def _surprise_refusals(play: Play, _: Id, inputs: flow.Surprise) -> Iterator[Illegal]:
    for name in inputs.who:
        if by_name(play.combat, name) is None:
            raise Unknown("combatant", name, tuple(each.id for each in play.combat))
    return iter(())


def _place_refusals(play: Play, _: Id, inputs: Placing) -> Iterator[Illegal]:
    known(play, _, inputs)
    square(inputs.at)
    return iter(())


def _started(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    if play.combat.status != "running":
        yield Illegal("VD-SEQ-03", "wrong-phase", f"the combat is {play.combat.status}")


def surprise(play: Play, _: Id, inputs: flow.Surprise) -> Procedure[None]:
    """Who is surprised, from now on (VD-SEQ-01)."""
    yield from flow.surprised(play, inputs)


def place(play: Play, _: Id, inputs: Placing) -> Procedure[None]:
    """Put somewhere by hand (VD-SEQ-02)."""
    to = square(inputs.at)
    yield Moved(inputs.who, () if to is None else (to,), forced=True, rules=("VD-SEQ-02",))


def announce_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """The same as the answer to `positions` or `end-of-round` (VD-SEQ-03, -04)."""
    if play.combat.phase == END:
        yield ENDING_ROUND.set(True, rules=("VD-SEQ-04",))
    else:
        yield PhaseBegan(NEXT, rules=("VD-SEQ-03",))


def close_declare(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Whoever has said nothing declares nothing more (VD-DECL-01)."""
    yield CLOSED.set(True, rules=("VD-DECL-01",))


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """Somebody comes (GAP-54)."""
    yield from admit(inputs.sheet, hidden=inputs.hidden)


def leave(play: Play, _: Id, inputs: Who) -> Procedure[None]:
    """Gone from every slot, prompt, engagement and line (GAP-54)."""
    yield CombatantLeft(inputs.who, rules=("VD-SEQ-02",))


def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    yield Noted(f"event {inputs.event} is settled otherwise: {inputs.outcome}")


def end_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """All pass what is left; spells and complex activities still complete (4.2)."""
    if play.combat.phase == DECLARE:
        yield CLOSED.set(True, rules=("VD-END-01",))
    yield ENDING_ROUND.set(True, rules=("VD-END-01",))


def end_combat(play: Play, _: Id, inputs: Ending) -> Procedure[None]:
    yield ENDING.set(Outcome(inputs.winners, inputs.reason))
    yield PhaseBegan("ending", rules=("VD-END-01",))


COURSE = (
    ruling("surprise", flow.Surprise, _surprise_refusals, surprise, "Who is surprised",
            lambda play, _: ({"who": [one.id]} for one in play.combat), "VD-SEQ-01"),
    ruling("place", Placing, _place_refusals, place, "Put somewhere", nowhere, "VD-SEQ-02"),
    ruling("announce-round", NoInputs, in_phase("positions", END), announce_round,
            "Announce the round", ONCE, "VD-SEQ-03", "VD-SEQ-04"),
    ruling("close-declare", NoInputs, in_phase(DECLARE), close_declare,
            "Close the declarations", nowhere, "VD-DECL-01"),
    ruling("join", Joining, comes("sheet"), join, "Somebody comes", nowhere, "VD-SEQ-02"),
    ruling("leave", Who, known, leave, "Somebody goes", nowhere, "VD-SEQ-02"),
    ruling("override", Override, known, override, "Settle a result otherwise"),
    ruling("end-round", NoInputs, in_round, end_round, "End the round", nowhere, "VD-END-01"),
    ruling("end-combat", Ending, _started, end_combat, "End the combat", nowhere, "VD-END-01"),
)  # fmt: skip
