"""The answer of a command: the new version, its events, its result, and the open prompts."""

from msgspec import Struct

from domain.engine.commands import Command
from domain.engine.session import Decision
from projections.board import PromptView, prompts
from projections.events import EventView, event_views
from projections.narration import Teller
from projections.results import Result, result
from service.decisions import decide
from service.hot_combat import Hot
from service.http.operation import Call, Reply, finished


class Committed(Struct, frozen=True):
    """A stored command. `version` counts the events that the caller may see."""

    version: int
    events: tuple[EventView, ...]
    prompts: tuple[PromptView, ...]
    result: Result


async def commit(call: Call, command: Command, status: int = 200) -> Reply:
    """Decide a command of the caller and answer with its result."""
    row = call.row

    def reply(hot: Hot, decision: Decision) -> tuple[int, Committed]:
        eyes = hot.seen_by(row)
        seen = (recorded for recorded in decision.recorded if eyes.sees(recorded.version))
        events = event_views(hot.live, eyes, seen)
        open_now = prompts(hot.live.ruleset, hot.live.combat, eyes.caller)
        summary = result(Teller(hot.live, eyes), events)
        return status, Committed(eyes.sequence, events, open_now, summary)

    answer = await decide(
        call.combats,
        call.combat,
        row,
        command,
        reply,
        expected=call.if_match,
        idempotency=call.idempotency,
    )
    return finished(answer)
