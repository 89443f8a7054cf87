"""The content of a webhook's calls, and the commands that cause a call.

A call contains exactly the message of the stream for the same audience.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.combat import Json
from domain.record.events import CombatEnded, TurnBegan
from domain.record.recorded import Recorded
from projections.board import PromptView, prompts
from projections.eyes import Eyes
from service.live.messages import (
    MOST,
    CommandMessage,
    amendment_of,
    commands_after,
    ends_at,
    told,
)

Occasion = Literal["ended", "turn", "prompt", "command"]

SCANNED: Final = 40
"""The limit of commands to read in one step, so that other requests can run."""

_EVENTS: Final = 400
"""The limit of visible events in all commands of one step."""


class WebhookCall(Struct, frozen=True):
    """The body of a call, in the format of Standard Webhooks.

    `type` is one of the webhook's occasions. `data` is the stream's message.
    """

    type: Annotated[Occasion, Meta(description="Occasion for the call")]
    timestamp: Annotated[
        str,
        Meta(
            description="Time of the occasion (RFC 3339)", extra_json_schema={"format": "date-time"}
        ),
    ]
    combat: str
    data: Annotated[CommandMessage, Meta(description="The message of the audience's stream")]


class WebhookPing(Struct, frozen=True, tag_field="type", tag="ping"):
    """The body of a test call. `data` is empty, because the combat has not changed."""

    timestamp: Annotated[
        str,
        Meta(description="Time of the call (RFC 3339)", extra_json_schema={"format": "date-time"}),
    ]
    combat: str
    data: Annotated[Mapping[str, Json], Meta(description="Empty")] = {}


def next_call(
    live: Session, eyes: Eyes, after: int, wanted: Sequence[str]
) -> tuple[int, WebhookCall | None]:
    """Return the next command after `after` that needs a call, with its last event's number.

    If there is none, return `None` and the number up to which Affray has read commands.
    """
    before = _awaited(live, eyes, eyes.between(after - 1, 1)) if after else ()
    for number, events in islice(commands_after(live, eyes, after, _EVENTS), SCANNED):
        now = _awaited(live, eyes, events)
        kind = _kind(events, before, now, wanted)
        if kind is not None:
            newest = events if amendment_of(live, events[-1].version) is None else events[-MOST:]
            message = told(live, eyes, number, newest, full=False)
            return number, WebhookCall(kind, message.at, live.combat.id, message)
        before, after = now, number
    return after, None


def _awaited(live: Session, eyes: Eyes, events: list[Recorded]) -> tuple[PromptView, ...]:
    """Return the unanswered prompts of this audience after these events.

    They include suspended prompts, which wait for prompts of others. The answers to those prompts
    may be invisible to this audience, so no later command would cause the call.
    """
    combat, caller = live.at(ends_at(live, eyes, events)), eyes.caller
    unanswered = [
        prompt
        for prompt in combat.prompts.values()
        if prompt.answer is None and caller.plays(combat, prompt.who)
    ]
    newest = max((prompt.frame for prompt in unanswered), default=0)
    asked = {
        prompt.id
        for prompt in unanswered
        if prompt.frame == newest
        and (prompt.behind is None or not caller.plays(combat, prompt.behind))
    }
    views = prompts(live.ruleset, combat, caller)
    return tuple(prompt_view for prompt_view in views if prompt_view.id in asked)


def _kind(
    events: Sequence[Recorded],
    before: Sequence[PromptView],
    now: Sequence[PromptView],
    wanted: Sequence[str],
) -> Occasion | None:
    if "ended" in wanted and any(isinstance(recorded.event, CombatEnded) for recorded in events):
        return "ended"
    if "turn" in wanted:
        begun = {recorded.event.who for recorded in events if isinstance(recorded.event, TurnBegan)}
        if _on_turn(now) - (_on_turn(before) - begun):
            return "turn"
    if "prompt" in wanted and {prompt_view.id for prompt_view in now} - {
        prompt_view.id for prompt_view in before
    }:
        return "prompt"
    return "command" if "command" in wanted else None


def _on_turn(asked: Sequence[PromptView]) -> set[str | None]:
    """Return the combatants with a prompt for a turn or a round."""
    return {prompt_view.who for prompt_view in asked if prompt_view.kind in ("turn", "declare")}
