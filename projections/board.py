"""board: the present state for one audience, ready to send.

Made from the combat as that audience knows it (`redact`); the row in the database is replaced in
the statement that stores the command. Foes are shown with a wound word instead of numbers.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.engine.caller import Caller
from domain.engine.live import Live
from domain.engine.redact import allied_sides, redact, scrub, unseen_by, words_of
from domain.record.combat import (
    Combat,
    Combatant,
    Deadlines,
    DiceSettings,
    ForcedRoll,
    Json,
    Marker,
    OpenPrompt,
    Square,
    StandingOrder,
    Track,
)
from domain.record.events import CombatOpened
from domain.rulebook.ruleset import Ruleset
from projections.eyes import Eyes


class ConditionView(Struct, frozen=True, omit_defaults=True):
    """Something that holds; `data` and `until` as the rulebook's condition has them."""

    id: str
    key: str
    data: Mapping[str, Json] = {}
    until: tuple[Mapping[str, Json], ...] = ()
    source: str | None = None
    rules: tuple[str, ...] = ()


class CombatantView(Struct, frozen=True, omit_defaults=True):
    """A combatant. What is absent is not for this reader, or empty.

    `tracks` exact pools (own side), `wound` a word for how it looks, `budget` what is left of its
    turn, `derived` the rulebook's computed numbers, `facts` what the ruleset remembers (GM),
    `markers` the GM's words on it.
    """

    id: str
    name: str
    side: str
    in_fight: bool
    wound: str
    owner: str | None = None
    hidden: bool = False
    position: Square | None = None
    tracks: Mapping[str, Track] = {}
    conditions: tuple[ConditionView, ...] = ()
    budget: Mapping[str, int] = {}
    derived: Mapping[str, Json] = {}
    sheet: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    standing_orders: tuple[StandingOrder, ...] = ()
    markers: tuple[Marker, ...] = ()


class PromptView(Struct, frozen=True):
    """An open question that this reader may answer.

    `options` are ids: `GET …/options` tells more. `answer` is set while others of its group are
    awaited. `suspended`: another question must be answered first. `until`: when it gets its
    default by itself (RFC 3339), null = never.
    """

    id: str
    kind: str
    name: str
    who: str | None
    text: str
    options: tuple[str, ...]
    default: str | None
    data: Mapping[str, Json]
    rules: tuple[str, ...]
    answer: str | None
    suspended: bool
    until: str | None = None


class Origin(Struct, frozen=True):
    """The combat that this one continues, and from which of its versions."""

    combat: str
    version: int


class You(Struct, frozen=True):
    """Whose board this is. A token's own line, with its label, is at `GET …/you`.

    `combatants`: those that the token plays; for the GM all.
    """

    role: str
    combatants: tuple[str, ...]


class Board(Struct, frozen=True, omit_defaults=True):
    """The fight as it stands. `version` counts the events that the reader may see.

    `awaited`: who must answer before anything goes on, null = the GM. A player is told of its own,
    else of whoever is on turn.
    """

    id: str
    version: int
    name: str
    ruleset: str
    status: str
    phase: str
    round: int
    sides: tuple[str, ...]
    acting: tuple[str, ...]
    order: tuple[Mapping[str, Json], ...]
    queue: tuple[Mapping[str, Json], ...]
    combatants: tuple[CombatantView, ...]
    prompts: tuple[PromptView, ...]
    you: You
    awaited: tuple[str | None, ...]
    options: Mapping[str, Json]
    dice: DiceSettings
    commitment: str
    seed: str | None = None
    winners: tuple[str, ...] = ()
    map: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    forced_rolls: tuple[ForcedRoll, ...] = ()
    stalled: str | None = None
    deadlines: Deadlines | None = None
    forked_from: Origin | None = None


def board(live: Live, eyes: Eyes, version: int | None = None) -> Board:
    """The state at a version of the stream (None = the present) in the eyes of an audience."""
    whole = live.combat if version is None else live.at(version)
    caller = eyes.caller
    combat = redact(live.ruleset, whole, caller)
    gm = caller.role == "gm"
    allied = allied_sides(combat, caller)
    unspoken = words_of(whole, unseen_by(whole, caller))
    shown = [
        _combatant(live, combat, caller, one, unspoken, known=gm or one.side in allied)
        for one in combat
    ]
    return Board(
        combat.id,
        eyes.sequence if version is None else eyes.to_sequence(version),
        combat.name,
        combat.ruleset,
        combat.status,
        combat.phase,
        combat.round,
        combat.sides,
        combat.acting,
        tuple({"who": p.who, "tag": p.tag} for p in combat.order),
        tuple({"who": p.who, "tag": p.tag} for p in combat.queue),
        tuple(shown),
        _prompts(combat, caller),
        You(caller.role, tuple(one.id for one in combat if caller.plays(combat, one.id))),
        _awaited(combat, caller),
        combat.options,
        combat.dice,
        combat.commitment,
        combat.seed,
        combat.winners,
        combat.map,
        combat.facts if gm else {},
        combat.forced,
        combat.stalled,
        combat.deadlines if gm and combat.deadlines != Deadlines() else None,
        _origin(live) if gm else None,
    )


def _origin(live: Live) -> Origin | None:
    event = live.history.recorded[0].event
    forked = event.forked_from if isinstance(event, CombatOpened) else None
    return None if forked is None else Origin(*forked)


def _combatant(
    live: Live,
    combat: Combat,
    caller: Caller,
    one: Combatant,
    unspoken: frozenset[str],
    *,
    known: bool,
) -> CombatantView:
    ruleset = live.ruleset
    gm = caller.role == "gm"
    own = gm or caller.plays(combat, one.id)
    derived = ruleset.derived(combat, one.id)
    if not known:
        derived = {name: derived[name] for name in ruleset.public if name in derived}
    return CombatantView(
        one.id,
        one.name,
        one.side,
        ruleset.in_fight(combat, one.id),
        ruleset.wound(combat, one.id),
        one.owner if known else None,
        one.hidden,
        one.position,
        one.tracks if known else {},
        tuple(_condition(condition, own) for condition in one.conditions),
        one.budget if known else {},
        derived,
        scrub(one.sheet, unspoken) if own else None,
        one.facts if gm else {},
        one.orders,
        one.markers,
    )


def _condition(condition: Any, own: bool) -> ConditionView:
    if not own:
        return ConditionView(condition.id, condition.key, rules=condition.rules)
    until = tuple(
        {
            name: value
            for name in ("moment", "who", "round")
            if (value := getattr(end, name)) is not None
        }
        for end in condition.until
    )
    return ConditionView(
        condition.id, condition.key, condition.data, until, condition.source, condition.rules
    )


def _awaited(combat: Combat, caller: Caller) -> tuple[str | None, ...]:
    """Whose answers are missing: of the reader's own, else whoever is on turn, else the GM.

    That others are asked is theirs to know; what a reader is told here changes with what it sees.
    """
    top = combat.frames[-1].id if combat.frames else 0
    asked = [
        one.who
        for one in combat.prompts.values()
        if one.frame == top and one.answer is None and caller.plays(combat, one.who)
    ]
    if asked or combat.status != "running":
        return tuple(dict.fromkeys(asked))
    return (None,) if caller.role == "gm" else combat.acting or (None,)


def prompts(ruleset: Ruleset, combat: Combat, caller: Caller) -> tuple[PromptView, ...]:
    """The open prompts that this caller may answer, oldest first."""
    return _prompts(redact(ruleset, combat, caller), caller)


def _prompts(combat: Combat, caller: Caller) -> tuple[PromptView, ...]:
    top = combat.frames[-1].id if combat.frames else 0
    return tuple(
        _prompt(one, top) for one in combat.prompts.values() if caller.plays(combat, one.who)
    )


def _prompt(one: OpenPrompt, top: int) -> PromptView:
    return PromptView(
        one.id,
        one.kind,
        one.name,
        one.who,
        one.text,
        one.options,
        one.default,
        one.data,
        one.rules,
        one.answer,
        one.frame != top,
        one.until,
    )
