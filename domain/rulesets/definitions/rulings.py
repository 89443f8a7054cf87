"""Rulings of this rulebook, in addition to those of every rulebook."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.record.events import ConditionGained, Term, TrackChanged
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.gm import (
    RULINGS,
    About,
    Points,
    SetCondition,
    SetTrack,
    Word,
    everybody,
    pool_of,
    ruling,
)
from domain.rulebook.play import Play
from domain.rulebook.pools import corrected, healed
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import harm, release
from domain.rulesets.definitions.actions import hold
from domain.rulesets.definitions.facts import DROPPED
from domain.rulesets.definitions.harm import Hit, Part
from domain.rulesets.definitions.numbers import modifier
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import hp, nld, sheet_of

TRACKS = ("hp", "nld")


class Hurt(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of damage by the GM, without reductions.

    - `track`: `nld` raises NLD. By default, the damage lowers HP.
    - `source`: the combatant that caused the damage.
    """

    amount: Points
    track: Word | None = None
    kind: Annotated[str, Meta(max_length=64)] = ""
    source: Id | None = None


class Healing(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of healing by the GM. `track` is `hp` (the default), `nld` or `both`."""

    amount: Points
    track: Word | None = None


class Rest(About, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of rest, in days without combat.

    If `treated` is false, wounds may worsen (DEF-WND-03).
    """

    days: Annotated[int, Meta(ge=1, le=10_000)]
    treated: bool = True


class SetOption(Struct, frozen=True, forbid_unknown_fields=True):
    option: Word
    value: Json = None


# ---- harm


def somebody(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    """Raise `Unknown` for a combatant or a track that does not exist."""
    play.combat[inputs.who]
    track = getattr(inputs, "track", None)
    if track not in (None, "both", *TRACKS):
        raise Unknown("track", track, TRACKS)
    if getattr(inputs, "source", None) is not None:
        play.combat[inputs.source]
    return iter(())


def alive(play: Play, who: Id, inputs: Healing) -> Iterator[Illegal]:
    """Refuse to heal a dead combatant (DEF-HP-04)."""
    yield from somebody(play, who, inputs)
    if play.combat[inputs.who].has("dead"):
        yield refuse(
            "DEF-HP-04", "target-dead", f"{play.combat[inputs.who].name} is dead", "combatant"
        )


def damage(play: Play, _: Id, inputs: Hurt) -> Procedure[None]:
    """Deal damage as a hit does, with its consequences (DEF-HP-01, DEF-MAS-07)."""
    kind = inputs.kind or "ruling"
    part = Part(kind, inputs.amount, (), inputs.track == "nld")
    hit = Hit(inputs.who, (part,), inputs.source, kind, as_it_is=True)
    yield from harm.deal(play, hit)


def heal(play: Play, _: Id, inputs: Healing) -> Procedure[None]:
    """Heal a combatant up to its maximum (DEF-HP-04).

    The GM can use this ruling also for treatment, and for rest of less than a day (DEF-REC-04).
    """
    heals = inputs.track or "hp"
    yield from harm.heal(play, inputs.who, inputs.amount, heals, None, ("DEF-HP-04",))


@rule("DEF-DBR-03", "Brutality: massive damage counts in full. Without damage, the lost HP count")
def set_track(play: Play, _: Id, inputs: SetTrack) -> Procedure[None]:
    """Set a pool. If this drops the combatant to 0 HP, the lost HP count as damage."""
    before = play.combat[inputs.who]
    yield corrected(before, pool_of(play, inputs), inputs.value, inputs.maximum)
    now = play.combat[inputs.who]
    if hp(before) > hp(now) == 0:
        yield DROPPED.set(inputs.who, hp(before), rules=("DEF-DBR-03",))
    worse = hp(now) < hp(before) or nld(now) > nld(before)
    yield from harm.noticed(play, before, worse)


@rule("DEF-STB-03", "No action gives first aid. The GM stabilizes by a ruling")
def set_condition(play: Play, _: Id, inputs: SetCondition) -> Procedure[None]:
    """Begin a condition, with its consequences."""
    before = play.combat[inputs.who]
    yield from RULINGS["set-condition"].procedure(play, "", inputs)
    yield from harm.fallen(play, before)


# ---- rest

WORSENS = choices("stays", "injury")


@rule("DEF-REC-04", "Rest is no combat action")
def at_rest(play: Play, who: Id, inputs: Rest) -> Iterator[Illegal]:
    """Refuse rest while a combat is running."""
    play.combat[inputs.who]
    if play.combat.status == "running":
        yield refuse(
            "DEF-REC-04", "combat-running", "nobody rests while a combat is running", NO_FIELD
        )


@rule("DEF-REC-01", "A day of rest restores max(1, Constitution) × HD HP")
@rule("DEF-REC-02", "For rest, a Constitution modifier of 0 or less counts as 1")
@rule("DEF-REC-03", "Rest removes NLD five times as fast")
@rule("DEF-REC-06", "Rest does not help the dead and the bleeding")
def rest(play: Play, _: Id, inputs: Rest) -> Procedure[None]:
    """Restore HP and remove NLD for each day of rest.

    A day restores `max(1, Constitution modifier) × HD` HP. It removes five times as many points of
    NLD.
    """
    combatant = play.combat[inputs.who]
    if not combatant.has("dead", "bleeding-out"):
        a_day = max(1, modifier(combatant, "constitution")) * sheet_of(combatant).hit_dice
        amount = a_day * inputs.days
        terms = Term("a day", a_day), Term(f"times {inputs.days}", amount - a_day)
        rules = ("DEF-REC-01", "DEF-REC-02")
        yield healed(combatant, "hp", amount, rules=rules, terms=terms if inputs.days > 1 else ())
        left = max(0, nld(combatant) - 5 * a_day * inputs.days)
        if left != nld(combatant):
            yield TrackChanged(inputs.who, "nld", left, reason="rest", rules=("DEF-REC-03",))
    if not inputs.treated:
        yield from worsening(play, inputs.who)


@rule("DEF-WND-03", "An untreated wound may become an injury")
def worsening(play: Play, who: Id) -> Procedure[None]:
    """Ask the GM whether each untreated wound becomes an injury."""
    for held in play.combat[who].all("wounded"):
        if held.data.get("kind") == "injury":
            continue
        answer = yield from ask_gm(
            "wound-worsens",
            f"{who}'s wound ({held.data.get('name', 'a wound')}) was not treated. Does it worsen?",
            WORSENS,
            "stays",
            rules=("DEF-WND-03",),
            data={"combatant": who, "wound": dict(held.data)},
        )
        if answer.option == "injury":
            data = {**held.data, "kind": "injury"}
            yield ConditionGained(who, "wounded", held.key, data, rules=("DEF-WND-03",))


# ---- other rulings


def is_swallowed(play: Play, who: Id, inputs: About) -> Iterator[Illegal]:
    if not play.combat[inputs.who].has("swallowed"):
        detail = f"{play.combat[inputs.who].name} is not swallowed"
        yield refuse("DEF-SWL-08", "not-swallowed", detail, "combatant")


def retrieve(play: Play, _: Id, inputs: About) -> Procedure[None]:
    """Free a swallowed combatant, even against the swallower's will (DEF-SWL-08)."""
    yield from release.freed(play, inputs.who)


@rule("DEF-DTH-03", "The style of death saves stays the same for the whole combat")
def fixed(play: Play, who: Id, inputs: SetOption) -> Iterator[Illegal]:
    """Refuse to change an option, because options stay the same for the combat."""
    yield refuse(
        "DEF-DTH-03", "option-fixed", f"{inputs.option} was chosen when it was opened", "option"
    )


def nothing(play: Play, _: Id, inputs: SetOption) -> Procedure[None]:
    yield from ()


HARMS = everybody(
    *({"amount": amount, **track} for amount in (1, 7) for track in ({}, {"track": "nld"}))
)

_OWN = (
    ruling("damage", Hurt, damage, "Damage", refusals=somebody, candidates=HARMS),
    ruling(
        "heal", Healing, heal, "Healing", "DEF-HP-04", "DEF-REC-04",
        refusals=alive, candidates=HARMS,
    ),
    ruling("set-track", SetTrack, set_track, "Set a pool"),
    ruling("set-condition", SetCondition, set_condition, "Begin a condition"),
    ruling(
        "rest", Rest, rest, "Rest", "DEF-REC-04",
        refusals=at_rest, candidates=everybody({"days": 1, "treated": False}),
    ),
    ruling(
        "retrieve", About, retrieve, "Retrieve somebody swallowed", "DEF-SWL-08",
        refusals=is_swallowed, candidates=everybody(),
    ),
    ruling(
        "report-trigger", hold.Report, hold.report_trigger.procedure,
        "Report that a trigger has occurred", "DEF-HLD-05",
        refusals=hold.report_trigger.refusals, candidates=hold.report_trigger.candidates,
    ),
    ruling(
        "set-option", SetOption, nothing, "Change an option", "DEF-DTH-03",
        refusals=fixed, candidates=lambda play, who: ({"option": "death_roll"},),
    ),
)  # fmt: skip

DEFINITIONS_RULINGS: Mapping[str, Action] = {**RULINGS, **{action.id: action for action in _OWN}}
