"""Import trial: check that Affray can show everything in an import and continue the combat.

A file of valid lines may still contain an invalid combat. For example, a combatant may have no hit
points, or a condition that no rulebook has. Affray tries the file before it stores it, so that the
importer sees a fault, and not the players later:

1. Check each event against the types that the rulebook declares (`domain.rulebook.admission`).
2. Make every reader's view of the complete combat.
3. Try the next commands.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec

from domain.engine.caller import Caller, Context
from domain.engine.commands import Act, Begin, Command, End, GmRuling, Reply, Undo
from domain.engine.session import Session
from domain.errors import Malformed, Refused
from domain.record.combat import Combat
from domain.record.json_words import plain
from domain.record.recorded import Recorded
from domain.rulebook.admission import Admission
from domain.rulebook.ruleset import Ruleset
from projections.board import board
from projections.events import data_of, event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.offers import offers
from projections.statistics import COUNTED, Tally

NOW: Final = "2026-01-01T00:00:00.000Z"

LAST: Final = 500
"""The limit of events to show to each reader. The GM gets all events."""

STEP_S: Final = 0.02
"""Seconds of one step."""

TRIED: Final = 40
"""The limit of offered commands to try."""


class Bad(Exception):
    """The event of a line makes no valid fight with the events before it."""

    def __init__(self, line: int, why: Exception) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


async def made_of(ruleset: Ruleset, recorded: Sequence[Recorded]) -> Session:
    """Return the fight of these events. Raise `Malformed`, which names the first bad line.

    The trial runs in steps, so that other requests can run in between.
    """
    try:
        return await _tried(ruleset, recorded)
    except Bad as bad:
        raise _malformed(ruleset, bad.line, bad.why) from bad
    except Exception as error:
        line, why = await _first_bad(ruleset, recorded, error)
        raise _malformed(ruleset, line, why) from why


def _malformed(ruleset: Ruleset, line: int, why: Exception) -> Malformed:
    reason = getattr(why, "detail", plain(why))
    if at := getattr(why, "pointer", None):
        reason = f"{at}: {reason}"
    detail = f"line {line}: with it the events make no {ruleset.id} combat: {reason}"
    return Malformed(f"/{line}", detail)


async def _first_bad(
    ruleset: Ruleset, recorded: Sequence[Recorded], error: Exception
) -> tuple[int, Exception]:
    """Find the first line whose event makes the fight invalid."""
    good, bad, why = 0, len(recorded), error
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            await _tried(ruleset, recorded[:middle])
            good = middle
        except Bad as earlier:
            return earlier.line, earlier.why
        except Exception as earlier:
            bad, why = middle, earlier
    return bad + 1, why


async def _tried(ruleset: Ruleset, recorded: Sequence[Recorded]) -> Session:
    live = await asyncio.to_thread(_folded, ruleset, recorded)
    until = time.monotonic() + STEP_S
    for _ in _steps(live, recorded):
        if time.monotonic() > until:
            await asyncio.sleep(0)
            until = time.monotonic() + STEP_S
    return live


def _folded(ruleset: Ruleset, recorded: Sequence[Recorded]) -> Session:
    """Return the fight after its events. It runs in a thread, and runs no rules."""
    admission = Admission(ruleset)
    for line, event in enumerate(recorded, 2):
        try:
            admission.check(event)
        except Exception as error:
            raise Bad(line, error) from error
    return Session(ruleset, recorded)


def _steps(live: Session, recorded: Sequence[Recorded]) -> Iterator[None]:
    """Make the views of every reader, and try the next commands. Raises any fault."""
    for caller in _readers(live.combat):
        eyes = Eyes(live.history, caller)
        msgspec.json.encode(board(live, eyes))
        yield
        msgspec.json.encode(offers(live, eyes, refused=True))
        yield
        first = 0 if caller.role == "gm" else max(0, eyes.sequence - LAST)
        teller, tally = Teller(live, eyes), Tally()
        for event in eyes.between(first, eyes.sequence - first):
            try:
                msgspec.json.encode(event_view(live, eyes, event))
                teller.told(event)
                if isinstance(event.event, COUNTED):
                    tally.take(type(event.event), data_of(live, eyes, event), event.at)
            except Exception as error:
                raise Bad(event.version + 1, error) from error
            yield
    for command in islice(commands(live), TRIED):
        with suppress(Refused):
            live.preview(command, context(live.combat))
        yield


def _readers(combat: Combat) -> Iterator[Caller]:
    yield Caller("import", "gm")
    yield Caller("import", "spectator")
    for owner in sorted({who.owner for who in combat if who.owner is not None}):
        yield Caller("import", "player", (), owner)


def commands(live: Session) -> Iterator[Command]:
    """Return the next commands that the table may send."""
    yield Begin()
    yield Undo()
    yield End()
    for offer in live.all_options(Caller("import", "gm")):
        for inputs in offer.legal[:1]:
            if offer.prompt is not None:
                yield Reply(offer.prompt, offer.option.id, inputs)
            elif offer.kind == "ruling":
                yield GmRuling(offer.option.id, inputs)
            else:
                yield Act(offer.who, offer.option.id, inputs)


def context(combat: Combat) -> Context:
    seed = bytes(32)
    return Context(
        combat.id,
        Caller("import", "gm"),
        "import",
        NOW,
        {combat.commitment: seed},
        seed,
        "",
        lambda seconds: NOW,
    )
