"""The board: the state of a combat for one audience, ready to send.

Affray makes the board from the redacted combat (`redact`).
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.engine.caller import Caller
from domain.engine.redaction import redact
from domain.engine.session import Session
from domain.record.combat import Combat, Deadlines, DiceSettings, ForcedRoll, Json, OpenPrompt
from domain.rulebook.ruleset import Ruleset
from projections.eyes import Eyes
from projections.lines import CombatantView, Lines, WrittenLines
from projections.sentences import spoken


class PromptView(Struct, frozen=True):
    """An open prompt that this reader may answer.

    - `options`: the ids of the options. Read their inputs with `GET …/options`.
    - `answer`: the stored answer, while other prompts of its group are still open.
    - `suspended`: true if another prompt needs an answer first.
    - `until`: the deadline (RFC 3339), after which the prompt takes its default. `null` means that
      the prompt has no deadline.
    """

    id: str
    kind: Annotated[
        str,
        Meta(
            description="Kind of prompt",
            extra_json_schema={"enum": ["turn", "declare", "reaction", "roll", "choice", "ruling"]},
        ),
    ]
    name: Annotated[str, Meta(description="The rulebook's name of the prompt")]
    who: str | None
    text: Annotated[str, Meta(description="The question")]
    options: Annotated[tuple[str, ...], Meta(description="Ids of the possible answers")]
    default: Annotated[
        str | None, Meta(description="Id of the option that is always legal. `null`: none")
    ]
    data: Annotated[Mapping[str, Json], Meta(description="The data for the decision")]
    rules: tuple[str, ...]
    answer: Annotated[
        str | None,
        Meta(description="The stored answer, while the prompt waits for others. `null`: none"),
    ]
    suspended: Annotated[bool, Meta(description="Whether another prompt must be answered first")]
    until: Annotated[
        Annotated[str, Meta(extra_json_schema={"format": "date-time"})] | None,
        Meta(description="Time at which it takes its default (RFC 3339). `null`: never"),
    ] = None


class Origin(Struct, frozen=True):
    """The combat and the version from which this combat was forked."""

    combat: str
    version: Annotated[int, Meta(description="The version at which it was forked")]


class You(Struct, frozen=True):
    """The reader of this board.

    `combatants` lists the combatants that the token plays. For the GM, it lists all combatants.
    `GET …/you` returns the same data, with the label and the owner of the token.
    """

    role: str
    combatants: Annotated[
        tuple[str, ...], Meta(description="Ids of its combatants; for the GM, all")
    ]


class Board(Struct, frozen=True, omit_defaults=True):
    """The state of a combat as its reader may know it.

    - `version`: the number of events that the reader may see.
    - `awaited`: the combatants that must answer before the fight continues. If your own combatants
      must answer, the list contains only these. Otherwise, it contains the combatants whose turn it
      is. `null` stands for the GM, or for a combatant
      that you may not know.
    """

    id: Annotated[str, Meta(description="Id of the combat", extra_json_schema={"format": "uuid"})]
    version: int
    name: str
    ruleset: str
    status: str
    phase: Annotated[str, Meta(description="The rulebook's name of the phase")]
    round: int
    sides: tuple[str, ...]
    acting: Annotated[tuple[str, ...], Meta(description="Ids of the combatants whose turn it is")]
    order: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="The turns of a round, first to last")
    ]
    queue: Annotated[
        tuple[Mapping[str, Json], ...], Meta(description="The remaining turns of this round")
    ]
    combatants: tuple[CombatantView, ...]
    prompts: tuple[PromptView, ...]
    you: Annotated[You, Meta(description="The reader of this board")]
    awaited: Annotated[
        tuple[str | None, ...],
        Meta(
            description="Combatants that must answer before the fight goes on. `null`: the GM, or "
            "a combatant that the reader may not know"
        ),
    ]
    options: Mapping[str, Json]
    dice: DiceSettings
    commitment: Annotated[str, Meta(description="SHA-256 of the secret seed, in hexadecimal")]
    seed: Annotated[
        str | None, Meta(description="The secret seed, once it is revealed. `null`: not yet")
    ] = None
    winners: tuple[str, ...] = ()
    map: Mapping[str, Json] | None = None
    facts: Mapping[str, Json] = {}
    forced_rolls: Annotated[
        tuple[ForcedRoll, ...], Meta(description="Faces that the GM has set")
    ] = ()
    stalled: Annotated[str | None, Meta(description="Reason why the fight waits for the GM")] = None
    deadlines: Deadlines | None = None
    labels: tuple[str, ...] = ()
    forked_from: Annotated[
        Origin | None, Meta(description="The combat that this one continues. `null`: none")
    ] = None


def board(live: Session, eyes: Eyes, version: int | None = None) -> Board:
    """Return the state at `version` as an audience may see it. `None` means the current version."""
    combat = live.combat if version is None or version == live.version else live.at(version)
    sequence = eyes.sequence if version is None else eyes.to_sequence(version)
    return _board(live, combat, sequence, Lines(live.ruleset, eyes.caller))


def reader(live: Session, eyes: Eyes) -> You:
    """Return the role of the reader and the combatants that the reader plays now."""
    sight = Lines(live.ruleset, eyes.caller).sight
    sight.of(live.combat)
    return You(sight.caller.role, sight.mine)


def written(live: Session, eyes: Eyes, lines: WrittenLines) -> bytes:
    """Return the current board as JSON. The function encodes only the lines that have changed."""
    return msgspec.json.encode(_board(live, live.combat, eyes.sequence, lines))


def _board(live: Session, whole: Combat, sequence: int, lines: Lines) -> Board:
    sight = lines.sight
    combat, caller, own = sight.of(whole), sight.caller, sight.mine
    gm = caller.role == "gm"
    return Board(
        combat.id,
        sequence,
        combat.name,
        combat.ruleset,
        combat.status,
        combat.phase,
        combat.round,
        combat.sides,
        combat.acting,
        lines.places(combat.order),
        lines.places(combat.queue),
        lines.of(combat),
        _prompts(combat, caller),
        You(caller.role, own),
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
        combat.deadlines if combat.deadlines != Deadlines() else None,
        combat.labels,
        _origin(live) if gm else None,
    )


def _origin(live: Session) -> Origin | None:
    return None if live.origin is None else Origin(*live.origin)


def _awaited(combat: Combat, caller: Caller) -> tuple[str | None, ...]:
    """Return the combatants that must answer: the reader's own, or the combatants on turn.

    Prompts of other players are secret, but everybody knows whose turn it is. If the combatants on
    turn wait for another prompt, the result is `(None,)`, because that prompt may be secret.
    """
    asked = [
        prompt
        for prompt in combat.prompts.values()
        if not combat.is_suspended(prompt) and prompt.answer is None
    ]
    own = [prompt.who for prompt in asked if caller.plays(combat, prompt.who)]
    if own or combat.status != "running":
        return tuple(dict.fromkeys(own))
    at_turn = {prompt.who for prompt in asked if prompt.kind in ("turn", "declare")}
    return tuple(who for who in combat.acting if who in at_turn) or (None,)


def prompts(ruleset: Ruleset, combat: Combat, caller: Caller) -> tuple[PromptView, ...]:
    """Return the open prompts that this caller may answer, oldest first."""
    return _prompts(redact(ruleset, combat, caller), caller)


def _prompts(combat: Combat, caller: Caller) -> tuple[PromptView, ...]:
    prompts = [prompt for prompt in combat.prompts.values() if caller.plays(combat, prompt.who)]
    names = {combatant.id: combatant.name for combatant in combat} if prompts else {}
    return tuple(
        _prompt(prompt, names, suspended=combat.is_suspended(prompt)) for prompt in prompts
    )


def _prompt(prompt: OpenPrompt, names: Mapping[str, str], *, suspended: bool) -> PromptView:
    return PromptView(
        prompt.id,
        prompt.kind,
        prompt.name,
        prompt.who,
        spoken(prompt.text, names),
        prompt.options,
        prompt.default,
        prompt.data,
        prompt.rules,
        prompt.answer,
        suspended,
        prompt.until,
    )
