"""Test that the stream of `affray-client` resumes, falls back to polling, and ends."""

import asyncio
from contextlib import aclosing
from typing import Any, NamedTuple

import msgspec
import pytest
from affray_client import Affray, AsyncAffray, Message, Problem, Times, shapes
from affray_client.messages import Frames

from tests.clients.scripted import (
    Request,
    Turn,
    broken,
    document,
    events,
    frame,
    scripted,
    silent,
)
from tests.server import Server
from tests.service.test_play import ANA, IMP

QUICK = Times(again=0.02, longest=0.04, first=20, silence=20, poll=0.02, retry=60)
BRISK = Times(again=0.02, longest=0.04, first=1.5, silence=1.5, poll=0.02, retry=60)
END = frame("closed", {"reason": "deleted"})


@pytest.fixture(scope="module")
def board(server: Server) -> dict[str, Any]:
    """Return a board as the service sends it."""
    with Affray(server.url) as affray:
        opened = affray.open("free-hit", {"combatants": [{"sheet": ANA}, {"sheet": IMP}]})
        shown: dict[str, Any] = msgspec.to_builtins(opened.board()) | {"version": 10}
        return shown


def command(version: int, board: dict[str, Any] | None = None) -> str:
    result: dict[str, Any] = {
        "verdict": None,
        "sentence": "",
        "sum": None,
        "changes": [],
        "blows": [],
        "acts": True,
        "kind": None,
    }
    data = {"version": version, "at": "2026-01-01T00:00:00Z", "by": "gm", "events": []}
    data |= {"sentences": [str(version)], "prompts": [], "result": result, "board": board}
    return frame("command", data, f"{version}-aa")


class Followed(NamedTuple):
    """The messages and states of a client, and its requests."""

    messages: list[Message]
    states: list[str]
    requests: list[Request]

    @property
    def ids(self) -> list[str | None]:
        return [message.id for message in self.messages]

    @property
    def after(self) -> list[str | None]:
        return [request.headers.get("last-event-id") for request in self.requests]


async def follow(*turns: Turn, times: Times = QUICK, **options: Any) -> Followed:
    """Follow a script to its end."""
    states: list[str] = []
    async with scripted(*turns) as script, AsyncAffray(script.url) as affray:
        stream = affray.combat("c1", "t").follow(times=times, on_state=states.append, **options)
        messages = [message async for message in stream]
    return Followed(messages, states, script.requests)


async def test_a_broken_connection_resumes_where_it_was(board: dict[str, Any]) -> None:
    first = events(["retry: 2000\n\n", frame("board", board, "10-aa"), command(11)])
    second = events(["retry: 2000\n\n", command(12, board | {"version": 12})])
    followed = await follow(first, broken, second, events([END]))
    assert followed.ids == ["10-aa", "11-aa", "12-aa", None]
    assert followed.after == [None, "11-aa", "11-aa", "12-aa"]
    assert followed.states == ["live", "lost", "live"]
    versions = [message.board and message.board.version for message in followed.messages]
    assert versions == [10, None, 12, None]


async def test_a_service_that_stops_is_awaited_and_a_revoked_token_is_the_end() -> None:
    stopping = events([frame("closed", {"reason": "stopping"})])
    followed = await follow(stopping, events([frame("closed", {"reason": "revoked"})]))
    assert [message.is_last for message in followed.messages] == [False, True]
    assert len(followed.requests) == 2


async def test_too_many_streams_are_polled_with_the_same_ids(board: dict[str, Any]) -> None:
    many = document(429, {"type": "/problems/too-many-listeners"})
    first = events([frame("board", board, "10-aa")])
    followed = await follow(many, first, events([command(11)]), events([]), events([END]))
    assert followed.ids == ["10-aa", "11-aa", None]
    assert followed.after == [None, None, "10-aa", "11-aa", "11-aa"]
    assert ["wait=0" in request.url for request in followed.requests] == [False, *[True] * 4]
    assert followed.states == ["lost", "polling"]


async def test_something_between_that_buffers_is_polled(board: dict[str, Any]) -> None:
    followed = await follow(silent, events([frame("board", board, "10-aa"), END]), times=BRISK)
    assert followed.ids == ["10-aa", None]
    assert "wait=0" in followed.requests[1].url


async def test_where_polling_fails_too_streaming_is_tried_again() -> None:
    followed = await follow(silent, silent, events([END]), times=BRISK)
    assert ["wait=0" in request.url for request in followed.requests] == [False, True, False]


async def test_a_stream_that_falls_silent_is_opened_again(board: dict[str, Any]) -> None:
    times = Times(again=0.02, longest=0.04, first=20, silence=0.5, poll=0.02)
    quiet = events([frame("board", board, "10-aa")], open=True)
    followed = await follow(quiet, events([END]), times=times)
    assert followed.ids == ["10-aa", None]
    assert followed.after == [None, "10-aa"]
    assert "wait" not in followed.requests[1].url


async def test_a_stream_may_be_quiet_for_longer_than_its_beginning(board: dict[str, Any]) -> None:
    async def slow(writer: asyncio.StreamWriter) -> None:
        await events([frame("board", board, "10-aa")])(writer)
        await asyncio.sleep(1)
        writer.write(END.encode())

    followed = await follow(slow, times=Times(first=0.5, silence=20))
    assert followed.ids == ["10-aa", None]
    assert len(followed.requests) == 1


async def test_an_id_that_is_refused_is_dropped(board: dict[str, Any]) -> None:
    malformed = document(400, {"type": "/problems/malformed", "pointer": "/header/Last-Event-ID"})
    anew = events([frame("board", board, "3-bb"), END])
    followed = await follow(malformed, anew, after="10-aa")
    assert followed.after == ["10-aa", None]
    assert followed.ids == ["3-bb", None]


async def test_a_token_that_is_not_good_is_a_problem() -> None:
    with pytest.raises(Problem) as refused:
        await follow(document(401, {"type": "/problems/unauthorized"}))
    assert refused.value.status == 401


async def test_an_amendment_brings_the_new_board(board: dict[str, Any]) -> None:
    amended: dict[str, Any] = {"version": 12, "back_to": 4, "sentences": ["A miss."]}
    amended["at"] = "2026-01-01T00:00:00Z"
    amended["board"] = board | {"version": 12}
    offers: dict[str, Any] = {
        "combatant": None,
        "version": 12,
        "options": [],
        "schemas": {},
        "cited": {},
    }
    first = [frame("board", board, "10-aa"), frame("progress", {"done": 3, "total": 8})]
    second = [frame("amended", amended, "12-aa"), frame("offers", offers)]
    followed = await follow(events(first + second), events([END]), offers=True, full=False)
    types = [message.type for message in followed.messages]
    assert types == ["board", "progress", "amended", "offers", "closed"]
    held = [message.board and message.board.version for message in followed.messages]
    assert held == [10, None, 12, 12, None]
    assert isinstance(followed.messages[2].data, shapes.AmendedMessage)
    assert followed.after == [None, "12-aa"]
    assert "board=none" in followed.requests[0].url
    assert "offers=prompted" in followed.requests[0].url


async def test_messages_of_a_newer_service_are_left_out() -> None:
    followed = await follow(events([frame("weather", {}, "11-aa")]), events([END]))
    assert [message.type for message in followed.messages] == ["closed"]
    assert followed.after == [None, "11-aa"]


async def test_leaving_the_loop_ends_the_stream(board: dict[str, Any]) -> None:
    ended = asyncio.Event()

    async def watched(writer: asyncio.StreamWriter) -> None:
        await events([frame("board", board, "10-aa")])(writer)
        while not writer.is_closing():
            writer.write(b": still here\n\n")
            try:
                await writer.drain()
            except ConnectionError:
                break
            await asyncio.sleep(0.02)
        ended.set()

    async with scripted(watched) as script, AsyncAffray(script.url) as affray:
        async with aclosing(affray.combat("c1", "t").follow()) as stream:
            async for message in stream:
                assert message.type == "board"
                break
        await asyncio.wait_for(ended.wait(), 10)


async def test_a_client_without_asyncio_follows_too(board: dict[str, Any]) -> None:
    first = events([frame("board", board, "10-aa")])
    async with scripted(first, broken, events([END])) as script:
        with Affray(script.url) as affray:
            combat = affray.combat("c1", "t")
            messages = await asyncio.to_thread(lambda: list(combat.follow(times=QUICK)))
    assert [message.type for message in messages] == ["board", "closed"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_pieces_of_any_size_give_the_same_frames(size: int) -> None:
    named = frame("board", {"name": "Größe"}, "1")
    text = f": still here\n\n{named}{command(2)}data: a\ndata: b\n\n"
    whole = Frames().feed(text)
    assert [(part.event, part.id) for part in whole] == [
        ("board", "1"),
        ("command", "2-aa"),
        ("message", None),
    ]
    assert whole[2].data == "a\nb"
    frames = Frames()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert [part for piece in pieces for part in frames.feed(piece)] == whole
    assert Frames().feed(text.replace("\n", "\r\n")) == whole
