"""Ask for surprise and positions before the first round (VD-SEQ-01, VD-SEQ-02)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Id, Json, Until
from domain.record.events import ConditionGained, Moved, PhaseBegan
from domain.rulebook.effects import Procedure, ask_anew
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import square
from domain.rulesets.vile_darkness.facts import SURPRISED_BUT_ACTS
from domain.rulesets.vile_darkness.harm import lasting
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Span
from domain.rulesets.vile_darkness.slots import NEXT
from domain.rulesets.vile_darkness.targets import by_name

Names = Annotated[tuple[str, ...], Meta(max_length=500)]


class Surprise(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The surprised combatants, the duration of their surprise, and whether they may act."""

    who: Names = ()
    duration: Span = Span(rounds=1)
    may_act: bool = False


class Positions(Struct, frozen=True, kw_only=True):
    """Squares by combatant, directly or under `at`. A combatant without an entry stays in place."""

    at: Annotated[dict[str, tuple[int, ...]], InputKind("square")] = {}

    @staticmethod
    def reshaped(raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return `{"at": {"Ana": [0, 0]}}` for `{"Ana": [0, 0]}`."""
        return raw if isinstance(raw.get("at"), Mapping) or not raw else {"at": raw}


def _known_names(play: Play, names: tuple[str, ...], pointer: str) -> list[Id]:
    ids = []
    for name in names:
        who = by_name(play.combat, name)
        if who is None:
            raise Malformed(
                pointer, f"no combatant {name!r}", tuple(combatant.id for combatant in play.combat)
            )
        ids.append(who)
    return ids


def _surprise_refusals(play: Play, _: Id, inputs: Surprise) -> Iterator[Illegal]:
    _known_names(play, inputs.who, "/inputs/who")
    return iter(())


def _position_refusals(play: Play, _: Id, inputs: Positions) -> Iterator[Illegal]:
    _known_names(play, tuple(inputs.at), "/inputs/at")
    for name, at in inputs.at.items():
        square(at, f"/inputs/at/{name}")
    return iter(())


def _surprise_samples(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    """Propose that nobody is surprised, and then one surprised combatant at a time."""
    yield {"who": []}
    for combatant in play.combat:
        yield {"who": [combatant.id]}


SURPRISE = (
    Option(
        "set",
        Surprise,
        _surprise_refusals,
        _surprise_samples,
        "These are surprised",
    ).shown("rule", "Surprised: {who|nobody}"),
)
POSITIONS = (Option("set", Positions, _position_refusals, label="They stand so"),)


def surprise_check(combat: Combat) -> Prompt:
    """Return the prompt for the surprised combatants (VD-SEQ-01).

    By default, the combatants whose sheets have the condition `surprised` are surprised.
    """
    named = [combatant.id for combatant in combat if combatant.has("surprised")]
    return Prompt(
        kind="ruling",
        name="surprise-check",
        who=None,
        text="Who is surprised?",
        options=SURPRISE,
        rules=("VD-SEQ-01",),
        default="set",
        data={"surprised": named},
    )


def positions(combat: Combat) -> Prompt:
    """Return the prompt for the positions (VD-SEQ-02)."""
    return Prompt(
        kind="ruling",
        name="positions",
        who=None,
        text="Where is everybody?",
        options=POSITIONS,
        rules=("VD-SEQ-02",),
        default="set",
        data={
            combatant.id: list(combatant.position) if combatant.position else None
            for combatant in combat
        },
        stands=lambda now: now.phase == "positions",
    )


@rule("VD-SEQ-01", "Before the first round, the GM decides who is surprised")
@rule("VD-SEQ-02", "The GM sets every position, and no combatant moves before the first round")
def begin(play: Play) -> Procedure[None]:
    """Ask for surprise and positions, then announce the first round (VD-SEQ-01 to VD-SEQ-03)."""
    yield PhaseBegan("surprise", rules=("VD-SEQ-01",))
    answer = yield from ask_anew(play.combat, surprise_check)
    yield from surprised(play, answer.inputs)
    yield PhaseBegan("positions", rules=("VD-SEQ-02",))
    answer = yield from ask_anew(play.combat, positions)
    for name, at in answer.inputs.at.items():
        who, to = by_name(play.combat, name), square(at)
        if who is not None and to is not None:  # an invalid answer is refused
            yield Moved(who, (to,), forced=True, rules=("VD-SEQ-02",))
    if play.combat.phase == "positions":
        yield PhaseBegan(NEXT, rules=("VD-SEQ-03",))


def surprised(play: Play, inputs: Surprise) -> Procedure[None]:
    """Begin surprise as a condition that ends after its duration (GAP-19)."""
    for who in _known_names(play, inputs.who, "/inputs/who"):
        until: tuple[Until, ...] = lasting(play.combat, inputs.duration)
        yield SURPRISED_BUT_ACTS.set(who, inputs.may_act, rules=("VD-SEQ-01",))
        yield ConditionGained(who, "surprised", until=until, rules=("VD-SEQ-01",))
