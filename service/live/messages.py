"""Messages of a stream: one for each command, in the numbering of its audience."""

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.history import Amendment
from domain.record.recorded import Recorded
from projections.board import Board, PromptView, board, prompts
from projections.commands import command_of
from projections.events import EventView, event_views
from projections.eyes import Eyes
from projections.narration import Teller
from projections.offers import OfferList
from projections.results import Result, result
from service.live.presence import Presence

MOST: Final = 200
"""The limit of events in the message of an amendment. The newest events are in it."""

Sequence = int
"""A reader's own number of an event.

The id of a message begins with the number of the message's last event.
"""


class CommandMessage(Struct, frozen=True, omit_defaults=True):
    """The effects of one command.

    - `version`: the number of events that the reader may see.
    - `events`: the events of the command.
    - `sentences`: its lines in the log. Print them on a screen that follows the fight.
    - `result`: its result in short.
    - `prompts`: the reader's open prompts after the command.
    - `board`: on request, the board after the command. Only the newest message has it.
    """

    version: int
    at: str
    by: str
    events: tuple[EventView, ...]
    sentences: Annotated[
        tuple[str, ...],
        Meta(description="The lines of the log that tell these events; may be empty"),
    ]
    prompts: tuple[PromptView, ...]
    result: Result
    board: Board | None = None


class AmendedMessage(Struct, frozen=True):
    """The GM changed past commands. Discard all events after `back_to`, and show this board.

    `version` and `back_to` count the events that the reader may see. `sentences` has the newest 200
    of the new events in plain English. Read all of them in the timeline.
    """

    version: Annotated[int, Meta(description="Number of events that the reader may see")]
    back_to: Annotated[int, Meta(description="Version before the change. Discard all later events")]
    at: str
    sentences: Annotated[
        tuple[str, ...], Meta(description="The last new events in plain English, at most 200")
    ]
    board: Board


class WalkProgress(Struct, frozen=True):
    """For the GM: how many of `total` commands Affray has decided again so far."""

    done: Annotated[int, Meta(description="Number of commands decided again")]
    total: Annotated[int, Meta(description="Number of commands to decide again")]


class StreamClosed(Struct, frozen=True):
    """The last message of a stream: "revoked", "deleted" or "stopping"."""

    reason: Annotated[
        str,
        Meta(description="Reason", extra_json_schema={"enum": ["revoked", "deleted", "stopping"]}),
    ]


class TokensChanged(Struct, frozen=True):
    """The ids of all valid tokens, for the GM, after a change of tokens."""

    tokens: Annotated[tuple[str, ...], Meta(description="Ids of the tokens in force")]


MESSAGES: Final[dict[str, type[Struct]]] = {
    "board": Board,
    "command": CommandMessage,
    "amended": AmendedMessage,
    "progress": WalkProgress,
    "offers": OfferList,
    "erased": Board,
    "tokens": TokensChanged,
    "presence": Presence,
    "closed": StreamClosed,
}
"""The type of the data of each event of a stream."""


def commands_after(
    live: Session, eyes: Eyes, after: Sequence, limit: int
) -> Iterator[tuple[Sequence, list[Recorded]]]:
    """Yield the visible events after `after`, by command, with the number of its last event.

    An amendment counts as one command, together with the commands that it decided again.
    """
    number = after
    listed = eyes.between(after, limit + 1)
    amendment = amendment_of(live, listed[-1].version) if listed else None
    if amendment is not None:
        listed = eyes.between(after, eyes.to_sequence(amendment.last) - after)

    def counts_to(event: Recorded) -> int:
        whole = amendment_of(live, event.version)
        return command_of(live, eyes, event.version) if whole is None else whole.first

    for _, group in groupby(listed, key=counts_to):
        events = list(group)
        number += len(events)
        if number - after > limit and number - len(events) > after:
            return  # the last command may be incomplete
        yield number, events


def amendment_of(live: Session, version: int) -> Amendment | None:
    """Return the amendment that an event belongs to."""
    amendment = live.history.amendment_after(version)
    return amendment if amendment is not None and amendment.first <= version else None


def amended(
    live: Session, eyes: Eyes, number: Sequence, events: list[Recorded], amendment: Amendment
) -> AmendedMessage:
    """Return the message of an amendment, without anything that the GM wrote in it."""
    teller = Teller(live, eyes)
    views = event_views(live, eyes, events[-MOST:])
    to = live.history.resolve(amendment.first)
    present = board(live, eyes, ends_at(live, eyes, events))
    sentences = _as_logged(teller, views)
    return AmendedMessage(number, eyes.to_sequence(to), events[-1].at, sentences, present)


def _as_logged(teller: Teller, views: tuple[EventView, ...]) -> tuple[str, ...]:
    return tuple(line.text for line in teller.lines(teller.story(views), {}))


def told(
    live: Session, eyes: Eyes, number: Sequence, events: list[Recorded], *, full: bool
) -> CommandMessage:
    """Return the message of a command. With `full`, the newest message includes the board."""
    ends = ends_at(live, eyes, events)
    combat = live.combat if ends == live.version else live.at(ends)
    views = event_views(live, eyes, events)
    teller = Teller(live, eyes)
    return CommandMessage(
        number,
        events[-1].at,
        views[-1].by,
        views,
        _as_logged(teller, views),
        prompts(live.ruleset, combat, eyes.caller),
        result(teller, views),
        board(live, eyes, ends) if full and number == eyes.sequence else None,
    )


def ends_at(live: Session, eyes: Eyes, events: list[Recorded]) -> int:
    """Return the version just before the reader's next visible command.

    A message shows the state at this version, after commands without an event that the reader can
    see. An earlier state would reveal to a later reader that something hidden happened, such as a
    question to the GM about a hidden combatant.
    """
    version = events[-1].version
    following = eyes.behind(version)
    last = live.history.command_of(following)[0] - 1 if following else live.version
    return max(last, live.history.command_of(version)[1])


def frame(kind: str, data: object, place: str = "") -> bytes:
    """Return one Server-Sent Event. `place` is its id, or `""` for an event without an id."""
    body = data if isinstance(data, bytes) else msgspec.json.encode(data)
    id = b"id: %s\n" % place.encode() if place else b""
    return b"event: %s\n%sdata: %s\n\n" % (kind.encode(), id, body)


KEEP_ALIVE = b": still here\n\n"
RETRY = b"retry: 2000\n\n"
