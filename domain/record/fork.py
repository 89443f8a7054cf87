"""Fork: make a new combat from another combat, as a copy or from any version."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.record import fairness
from domain.record.events import (
    Amended,
    CombatOpened,
    DeadlinesSet,
    ProcedureAbandoned,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Rolled,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.recorded import Recorded, chain_hash, decode, encode


def copy(
    recorded: Sequence[Recorded], combat: str
) -> tuple[tuple[Recorded, ...], tuple[bytes, ...]]:
    """Return the same history under another id and with new hashes, and its stored bytes.

    The copy stores events of older releases in the form of this release.
    """
    events: list[Recorded] = []
    states: list[bytes] = []
    previous = ""
    for event in recorded:
        draft = replace(event, previous=previous, lifted=None)
        if isinstance(event.event, CombatOpened):
            draft = replace(draft, event=replace(event.event, combat=combat))
        state = encode(draft)
        events.append(decode(state))
        states.append(state)
        previous = chain_hash(events[-1], state)
    return tuple(events), tuple(states)


def fork(
    path: Sequence[Recorded], combat: str, name: str | None, seed: bytes
) -> tuple[list[Recorded], list[bytes]]:
    """Return the events of the new combat, and their stored bytes.

    - The path becomes a straight line with new versions and frame numbers.
    - Events of older releases get the form of this release.
    - Rolls lose their `key`, because their dice belong to the first combat.

    The fork does not contain:

    - past seeds
    - amendments, because it does not have the original commands
    - deadlines of prompts
    """
    events: list[Recorded] = []
    states: list[bytes] = []
    version_of = {0: 0}
    previous = ""
    for recorded in path:
        event = recorded.event
        if isinstance(event, SeedCommitted | SeedRevealed | Amended):
            continue
        version = version_of[recorded.version] = len(events) + 1
        if isinstance(event, CombatOpened):
            event = replace(
                event,
                combat=combat,
                name=event.name if name is None else name,
                commitment=fairness.commitment(seed),
                forked_from=(event.combat, path[-1].version),
            )
        elif isinstance(event, ProcedureBegan):
            event = replace(event, frame=version)
        elif isinstance(event, ProcedureEnded | ProcedureAbandoned):
            event = replace(event, frame=version_of[event.frame])
        elif isinstance(event, Rolled):
            event = replace(event, key="", ordinal=0)
        elif isinstance(event, Prompted):
            event = replace(event, until=None)
        elif isinstance(event, DeadlinesSet):
            event = replace(event, until={})
        draft = replace(
            recorded,
            version=version,
            parent=version - 1,
            previous=previous,
            frame=version_of[recorded.frame],
            event=event,
            replays=0,
            lifted=None,
        )
        state = encode(draft)
        recorded = decode(state)
        events.append(recorded)
        states.append(state)
        previous = chain_hash(recorded, state)
    return events, states
