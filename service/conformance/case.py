"""Cases: replay a fight from a list of commands, and shorten the list while it still fails."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.engine.commands import Command, Joining, Open, Reply
from domain.errors import Refused
from domain.rulebook.party import Party
from domain.rulebook.ruleset import Ruleset
from service.conformance.spec import MANUAL, Spec
from service.conformance.walker import Fired, Walker, answerable, hold, unbroken

SHORTENING_S: Final = 8.0
"""The limit of seconds for the reduction of a case."""

Look = Callable[[Spec], None]
"""Checks a combat, and raises an exception for a fault."""


class Broken(Exception):
    """A promise that a ruleset breaks, with the commands that show it."""

    def __init__(
        self, said: str, commands: Sequence[Command] = (), seed: int | None = None
    ) -> None:
        super().__init__(said)
        self.said, self.commands, self.seed = said, tuple(commands), seed


@dataclass(frozen=True)
class Budget:
    """The extent of a check: the commands of all fights together, and the first seed."""

    commands: int
    seed: int

    def part(self, parts: int) -> "Budget":
        """Return a fraction of the budget, for a check whose commands take longer."""
        return Budget(max(1, self.commands // parts), self.seed)


LONGEST: Final = 60
"""The limit of commands in one fight."""


def opening(ruleset: Ruleset, party: Party, seed: int) -> Open:
    """Return the command that opens a ready fight.

    With an even seed, prompts of kind `ruling` ask the GM. With an odd seed, they take their
    default.
    """
    options = dict(party.options)
    if "rulings" in {field.encode_name for field in msgspec.structs.fields(ruleset.options)}:
        options["rulings"] = ("ask", "default")[seed % 2]
    joining = tuple(Joining(sheet) for sheet in party.sheets)
    return Open(ruleset.id, party.name, options, MANUAL, (), party.map, joining)


def fights(ruleset: Ruleset, budget: Budget) -> Iterator[tuple[int, Open]]:
    """Yield each seed with a ready fight, without end. The ready fights take turns."""
    if not ruleset.parties:
        raise Broken("there is no ready fight: the kit has nothing to play")
    seed = budget.seed
    while True:
        yield seed, opening(ruleset, ruleset.parties[seed % len(ruleset.parties)], seed)
        seed += 1


def walks(
    ruleset: Ruleset,
    budget: Budget,
    look: Look,
    every: int,
    *,
    gm: float = 0.12,
    fired: Fired | None = None,
) -> Iterator[Spec]:
    """Play fights until the budget is used up, and yield each fight at its end.

    Call `look` after every `every`th command, and at the end of each fight. `fired` counts the
    commands. If a fight fails, raise `Broken` with the shortest case.
    """
    fired, played = fired or Fired(), fights(ruleset, budget)
    while fired.commands < budget.commands:
        seed, begins = next(played)
        spec = Spec(ruleset)
        before = fired.commands
        try:
            spec.do(begins)
            walker = Walker(spec, Random(seed), fired, gm=gm, thorough=every)
            for step in range(min(LONGEST, budget.commands - before)):
                if not walker.step():
                    break
                if step % every == 0:
                    look(spec)
            look(spec)
        except Exception as error:
            raise shortest(ruleset, spec.commands, look, error, seed) from error
        if fired.commands == before:
            raise Broken("nothing can be done in this fight", spec.commands, seed)
        yield spec


def broken(spec: Spec, commands: Sequence[Command], look: Look) -> Exception | None:
    """Play commands and return the first fault. Skip refused commands."""
    refused: Exception | None = None
    for command in commands:
        refused = None
        try:
            spec.do(_aimed(spec, command))
        except Refused as error:
            refused = error
            continue
        except Exception as error:
            return error
        try:
            unbroken(spec)
            hold(spec.live, offers=False)
        except Exception as error:
            return error
    if refused is not None:
        return refused
    try:
        answerable(spec)
        look(spec)
    except Exception as error:
        return error
    return None


def _aimed(spec: Spec, command: Command) -> Command:
    """Return the command. If a reply's prompt is not open, address its combatant's open prompt."""
    if not isinstance(command, Reply):
        return command
    prompts = spec.live.open_prompts()
    who = command.prompt.rpartition(":")[0]
    there = (id for id in prompts if id.rpartition(":")[0] == who)
    id = command.prompt if command.prompt in prompts else next(there, command.prompt)
    return replace(command, prompt=id)


def shortest(
    ruleset: Ruleset, commands: Sequence[Command], look: Look, error: Exception, seed: int
) -> Broken:
    """Return the case without the commands that its fault does not need.

    The first command always stays, because it opens the fight.
    """
    until = time.monotonic() + SHORTENING_S
    wanted = _signature(error)
    kept = _failing(ruleset, commands, look, wanted)
    if kept is None:
        return Broken(said(error), commands, seed)
    size = max(1, len(kept) // 2)
    while size:
        at = 1
        while at < len(kept) and time.monotonic() < until:
            fewer = _failing(ruleset, kept[:at] + kept[at + size :], look, wanted)
            if fewer is not None and len(fewer) < len(kept):
                kept = fewer
            else:
                at += size
        size //= 2
    return Broken(said(error), kept, seed)


def _failing(
    ruleset: Ruleset, commands: Sequence[Command], look: Look, wanted: tuple[object, ...]
) -> list[Command] | None:
    """Return the decided commands if they end in the same fault, or else `None`.

    If the fault is a refusal, the refused command comes last.
    """
    spec = Spec(ruleset)
    exception = broken(spec, commands, look)
    if exception is None or _signature(exception) != wanted:
        return None
    return [*spec.commands, *(commands[-1:] if isinstance(exception, Refused) else ())]


def _signature(error: Exception) -> tuple[object, ...]:
    """Return a value that identifies a fault: its type, and the line that raised it."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = (at.tb_frame.f_code.co_filename, at.tb_lineno) if at is not None else ()
    return type(error), *place


def said(error: Exception) -> str:
    """Return the fault in one line."""
    text = " ".join(str(error).split()) or _line(error)
    if isinstance(error, Refused):
        return f"an offer is refused when it is sent: {text}"
    return text if isinstance(error, AssertionError | Broken) else f"{type(error).__name__}: {text}"


def _line(error: Exception) -> str:
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return type(error).__name__
    code = at.tb_frame.f_code
    return f"{code.co_qualname} fails in line {at.tb_lineno} of {code.co_filename}"
