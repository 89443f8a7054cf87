"""Rulings on the course of the fight: surprise, places, who comes and goes, the end of rounds."""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.record.events import CombatantLeft, Moved, Noted, PhaseBegan
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, admit
from domain.rulebook.ending import ENDING
from domain.rulebook.ending import Ending as Outcome
from domain.rulebook.gm import About, Word, comes, known, ruling
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, one_candidate
from domain.rulebook.ruleset import square
from domain.rulesets.vile_darkness import flow
from domain.rulesets.vile_darkness.facts import CLOSED, ENDING_ROUND
from domain.rulesets.vile_darkness.round_end import NEXT
from domain.rulesets.vile_darkness.rulings.moments import in_phase, in_round
from domain.rulesets.vile_darkness.slots import DECLARE, END
from domain.rulesets.vile_darkness.targets import all_there


class Placing(About, frozen=True, forbid_unknown_fields=True):
    """`at` null takes it off the grid; it ends no engagement."""

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


def _place_refusals(play: Play, _: Id, inputs: Placing) -> Iterator[Illegal]:
    known(play, _, inputs)
    square(inputs.at, "/inputs/at")
    return iter(())


def _started(play: Play, _: Id, inputs: Any) -> Iterator[Illegal]:
    if play.combat.status != "running":
        yield refuse("VD-SEQ-03", "wrong-phase", f"the combat is {play.combat.status}", NO_FIELD)


def surprise(play: Play, _: Id, inputs: flow.Surprise) -> Procedure[None]:
    """Set the surprised combatants, from now on (VD-SEQ-01)."""
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
    """Close the declarations: nobody declares anything more (VD-DECL-01)."""
    yield CLOSED.set(True, rules=("VD-DECL-01",))


def join(play: Play, _: Id, inputs: Joining) -> Procedure[None]:
    """Add a combatant (GAP-54)."""
    yield from admit(inputs.sheet, hidden=inputs.hidden)


def leave(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Gone from every slot, prompt, engagement and line (GAP-54)."""
    yield CombatantLeft(inputs.who, rules=("VD-SEQ-02",))


def _override_refusals(play: Play, _: Id, inputs: Override) -> Iterator[Illegal]:
    if play.told(inputs.event) is None:
        raise Unknown("event", inputs.event)
    return iter(())


def override(play: Play, _: Id, inputs: Override) -> Procedure[None]:
    """Tell only the event's own combatant, because nobody else may learn of the event."""
    who = getattr(play.told(inputs.event), "who", None)
    yield Noted(f"settled otherwise: {inputs.outcome}", who)


def end_round(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
    """Pass all remaining actions. Spells and complex activities still complete (4.2)."""
    if play.combat.phase == DECLARE:
        yield CLOSED.set(True, rules=("VD-END-01",))
    yield ENDING_ROUND.set(True, rules=("VD-END-01",))


def end_combat(play: Play, _: Id, inputs: Ending) -> Procedure[None]:
    yield ENDING.set(Outcome(inputs.winners, inputs.reason))
    yield PhaseBegan("ending", rules=("VD-END-01",))


COURSE = (
    ruling(
        "surprise", flow.Surprise, surprise, "Who is surprised", "VD-SEQ-01",
        refusals=all_there, idle="these are surprised so already",
        candidates=lambda play, _: ({"who": [combatant.id]} for combatant in play.combat),
    ),
    ruling("place", Placing, place, "Put somewhere", "VD-SEQ-02", refusals=_place_refusals),
    ruling(
        "announce-round", NoInputs, announce_round, "Announce the round", "VD-SEQ-03", "VD-SEQ-04",
        refusals=in_phase("positions", END), candidates=one_candidate,
    ),
    ruling(
        "close-declare", NoInputs, close_declare, "Close the declarations", "VD-DECL-01",
        refusals=in_phase(DECLARE),
    ),
    ruling("join", Joining, join, "Somebody comes", "VD-SEQ-02", refusals=comes("sheet")),
    ruling("leave", About, leave, "Somebody goes", "VD-SEQ-02"),
    ruling(
        "override", Override, override, "Settle a result otherwise", refusals=_override_refusals,
        notes=True,
    ),
    ruling("end-round", NoInputs, end_round, "End the round", "VD-END-01", refusals=in_round),
    ruling("end-combat", Ending, end_combat, "End the combat", "VD-END-01", refusals=_started),
)  # fmt: skip
