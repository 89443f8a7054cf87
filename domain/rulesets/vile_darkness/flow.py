"""Surprise and positions once, then rounds of eight steps (VD-SEQ)."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Combatant, Id, Json, Until
from domain.record.events import ConditionGained, Judged, Moved, PhaseBegan, RoundBegan
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask_anew, roll, stopped_by
from domain.rulebook.ending import ended as outcome
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import Step, square
from domain.rulesets.vile_darkness import declarations, members
from domain.rulesets.vile_darkness.action_costs import new_budget
from domain.rulesets.vile_darkness.facts import (
    BEGINNING,
    IN_MELEE,
    NEXT_ROUND,
    RANKS,
    SURPRISED_BUT_ACTS,
    GroupRank,
)
from domain.rulesets.vile_darkness.harm import (
    Gift,
    as_effect,
    fall,
    gained,
    lasting,
    roll_hit_points,
)
from domain.rulesets.vile_darkness.numbers import able, in_fight, sheet
from domain.rulesets.vile_darkness.round_end import NEXT, end_of_round
from domain.rulesets.vile_darkness.routines import has_multi_attack
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Span
from domain.rulesets.vile_darkness.slot import slot
from domain.rulesets.vile_darkness.slots import DECLARE, END, INITIATIVE, group_of, place
from domain.rulesets.vile_darkness.targets import by_name

Names = Annotated[tuple[str, ...], Meta(max_length=500)]


def flow(combat: Combat) -> Step | None:
    """Return the next step."""
    if combat.status != "running":
        return None
    match combat.phase:
        case "begun":
            return Step("begin")
        case "next-round":
            return Step("declare")
        case "ending":
            return Step("ended")
        case "declare":
            return Step("initiative" if BEGINNING.of(combat) else "begin-declared")
        case _ if place(combat.phase) < 0:
            return None
        case _:
            return _next(combat)


def _next(combat: Combat) -> Step:
    """Return the next slot with a member. Before step 4, melees are noted."""
    name = members.next_slot(combat)
    first = place("multi-primary/HIGH")
    due = place(combat.phase) < first <= place(name) and not IN_MELEE.known(combat)
    if due and multi_attackers(combat):
        return Step("step-4")
    return Step("end-of-round") if name == END else Step("slot", {"name": name})


# ---- once


class Surprise(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The surprised combatants, the rounds, and whether they may act."""

    who: Names = ()
    duration: Span = Span(rounds=1)
    may_act: bool = False


class Positions(Struct, frozen=True, kw_only=True):
    """Squares by name, directly or under `at`. A combatant without an entry stays in place."""

    at: dict[str, tuple[int, ...]] = {}

    @staticmethod
    def reshaped(raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """`{"Ana": [0, 0]}` is `{"at": {"Ana": [0, 0]}}`."""
        return raw if isinstance(raw.get("at"), Mapping) or not raw else {"at": raw}


def _known_names(play: Play, names: tuple[str, ...], pointer: str) -> list[Id]:
    found = []
    for name in names:
        who = by_name(play.combat, name)
        if who is None:
            raise Malformed(
                pointer, f"no combatant {name!r}", tuple(combatant.id for combatant in play.combat)
            )
        found.append(who)
    return found


def _surprise_refusals(play: Play, _: Id, inputs: Surprise) -> Iterator[Illegal]:
    _known_names(play, inputs.who, "/inputs/who")
    return iter(())


def _position_refusals(play: Play, _: Id, inputs: Positions) -> Iterator[Illegal]:
    _known_names(play, tuple(inputs.at), "/inputs/at")
    for name, at in inputs.at.items():
        square(at, f"/inputs/at/{name}")
    return iter(())


SURPRISE = (
    Option(
        "set",
        Surprise,
        _surprise_refusals,
        lambda play, _: ({"who": [combatant.id]} for combatant in play.combat),
        "These are surprised",
    ),
)
POSITIONS = (Option("set", Positions, _position_refusals, label="They stand so"),)


def surprise_check(combat: Combat) -> Prompt:
    """Return the prompt for the surprised. By default, those whose sheets say so (VD-SEQ-01)."""
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
    """Where does everybody stand? (VD-SEQ-02)"""
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


@rule("VD-SEQ-01", "Before the first round the GM says who is surprised")
@rule("VD-SEQ-02", "The GM fixes every position. Nobody moves by itself")
def begin(play: Play) -> Procedure[None]:
    """Surprise, positions, and the first round is announced (VD-SEQ-01 to -03)."""
    yield PhaseBegan("surprise", rules=("VD-SEQ-01",))
    answer = yield from ask_anew(play.combat, surprise_check)
    yield from surprised(play, answer.inputs)
    yield PhaseBegan("positions", rules=("VD-SEQ-02",))
    answer = yield from ask_anew(play.combat, positions)
    for name, at in answer.inputs.at.items():
        who, to = by_name(play.combat, name), square(at)
        if who is not None and to is not None:  # else it was refused
            yield Moved(who, (to,), forced=True, rules=("VD-SEQ-02",))
    if play.combat.phase == "positions":
        yield PhaseBegan(NEXT, rules=("VD-SEQ-03",))


def surprised(play: Play, inputs: Surprise) -> Procedure[None]:
    """The condition carries its duration (GAP-19)."""
    for who in _known_names(play, inputs.who, "/inputs/who"):
        until: tuple[Until, ...] = lasting(play.combat, inputs.duration)
        yield SURPRISED_BUT_ACTS.set(who, inputs.may_act, rules=("VD-SEQ-01",))
        yield ConditionGained(who, "surprised", until=until, rules=("VD-SEQ-01",))


# ---- step 1


def declare(play: Play) -> Procedure[None]:
    """Announce the round, and clear facts of the last one (VD-SEQ-03, -04)."""
    yield RoundBegan(play.combat.round + 1, rules=("VD-SEQ-03",))
    yield from expire(play, NEXT_ROUND, rules=("VD-END-02",))
    for who in [combatant.id for combatant in play.combat]:
        yield new_budget(play.combat[who])
    yield PhaseBegan(DECLARE, rules=("VD-DECL-01",))
    yield from declarations.declare(play)


def begin_declared(play: Play) -> Procedure[None]:
    """Begin the declarations after step 1, with no prompt of it open."""
    yield BEGINNING.set(True, rules=("VD-DECL-01",))
    yield from declarations.begin(play)


# ---- step 2


@rule("VD-INIT-01", "Each group rolls 1d6 once a round, in the order of joining")
def initiative(play: Play) -> Procedure[None]:
    """1d6 for each group, in the order in which the groups joined (VD-INIT-01)."""
    yield PhaseBegan(INITIATIVE, rules=("VD-INIT-01",))
    dice: dict[str, int] = {}
    rollers: dict[str, Id] = {}
    while group := next((group for group in groups(play.combat) if group not in dice), None):
        first = next(
            combatant for combatant in play.combat if group_of(play.combat, combatant) == group
        )
        die = roll(first.id, "group-initiative", "1d6", rules=("VD-INIT-01",))
        gone = partial(_gone_from, play, first.id, group)
        rolled = yield from stopped_by(play, first.id, die, "group-initiative", gone)
        if rolled is not None:  # else the next of the group rolls, if there is any
            dice[group], rollers[group] = rolled.total, first.id
    if dice:
        ranks = ranked(dice)
        yield RANKS.set(ranks, rules=("VD-INIT-02", "VD-INIT-03", "VD-INIT-04"))
        for group, who in rollers.items():
            rank = ranks[group]
            yield Judged(who, "group-initiative", rank.rank, rank.die, rules=("VD-INIT-02",))


def _gone_from(play: Play, who: Id, group: str) -> Illegal | None:
    """Return why `who` no longer rolls for a group."""
    if play.absent(who) is None and group_of(play.combat, play.combat[who]) != group:
        return refuse("VD-INIT-01", "other-group", f"{who} is no longer one of {group}", NO_FIELD)
    return play.absent(who)


def groups(combat: Combat) -> list[str]:
    """The initiative groups; one without members does not roll (GAP-54)."""
    return list(dict.fromkeys(group_of(combat, combatant) for combatant in combat))


@rule("VD-INIT-02", "The group with the highest die is HIGH and acts first in step 5")
@rule("VD-INIT-03", "The group with the lower die is LOW")
@rule("VD-INIT-04", "Equal highest dice: all those groups are HIGH, without a second roll")
@rule("VD-INIT-09", "With more groups the highest are HIGH, all others LOW")
def ranked(dice: Mapping[str, int]) -> dict[str, GroupRank]:
    """Return HIGH for the highest die and its equals, LOW for others (VD-INIT-02 to -04, -09)."""
    best = max(dice.values())
    return {group: GroupRank(die, "HIGH" if die == best else "LOW") for group, die in dice.items()}


# ---- step 4


def multi_attackers(combat: Combat) -> list[Id]:
    """Those with the multi-attack ability who are in melee (VD-MULTI-01)."""
    return [
        combatant.id
        for combatant in combat
        if able(combatant) and combatant.has("engaged") and has_multi_attack(sheet(combatant))
    ]


@rule("VD-SEQ-06", "Step 4: multi-attackers in melee act")
@rule("VD-MULTI-01", "A multi-attacker in melee when step 4 begins takes its primary routine there")
def step_4(play: Play) -> Procedure[None]:
    """Let combatants now in melee take their primary routine before step 5 (VD-MULTI-01, -03)."""
    yield IN_MELEE.set(tuple(multi_attackers(play.combat)), rules=("VD-MULTI-01",))


# ---- the end


def ended(play: Play) -> Procedure[None]:
    """The GM closes the combat."""
    left = [combatant.side for combatant in play.combat if in_fight(play.combat, combatant.id)]
    yield outcome(play.combat, left, "VD-END-01")


# ---- newcomers


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Conditions of the sheet; in a round its major action and its spell (GAP-54)."""
    combatant = play.combat[who]
    for held in sheet(combatant).conditions:
        gift = Gift(who, as_effect(held.id, held), duration=held.duration, rules=("VD-CONC-02",))
        key = sheet_key(play.combat[who], held.id)
        yield replace(gained(play.combat, gift), key=key)
    if play.combat.round and play.combat.status == "running":
        yield new_budget(play.combat[who])


def sheet_key(combatant: Combatant, condition: str) -> str:
    """A key for each condition of the sheet, also for two of one name (GAP-57)."""
    taken = {held.key for held in combatant.conditions}
    number = next(at for at in itertools.count() if _numbered(condition, at) not in taken)
    return _numbered(condition, number)


def _numbered(condition: str, at: int) -> str:
    return f"{condition}#sheet{at + 1}" if at else f"{condition}#sheet"


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "begin": begin,
    "declare": declare,
    "begin-declared": begin_declared,
    "initiative": initiative,
    "step-4": step_4,
    "slot": slot,
    "end-of-round": end_of_round,
    "ended": ended,
    "fall": fall,
    "hit-points": roll_hit_points,
}
