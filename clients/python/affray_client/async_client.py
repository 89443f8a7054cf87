"""A service and its combats, for asyncio. `scripts/make.py` derives `sync_client.py` from it."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx
import msgspec

from affray_client import operations, shapes
from affray_client.commands import route, ruling_body
from affray_client.messages import Course, Frames, Message, StreamState, Times
from affray_client.operation import Operation
from affray_client.pages import Log, with_schemas
from affray_client.problems import Problem, Unreachable, problem_of
from affray_client.request import Call, Patience, Settings, prepare
from affray_client.shape import Shape, mark
from affray_client.versions import Compatibility, compare

Answer = TypeVar("Answer")


class AsyncAffray:
    """A service. Close it, or use it as a context manager.

    - `url`: the address of the service, such as `http://127.0.0.1:8000`.
    - `service_key`: the service's key, if it has one. You need it to open, import, fork and list
      combats.
    - `patience_s`: seconds for which the client repeats a request without an answer.
    - `timeout_s`: seconds that one attempt waits for a piece of the answer.
    - `on_wait`: a function to call before each repetition, with the reason.
    - `http`: your own HTTP client, for proxies or certificates. You must close it.
    """

    def __init__(
        self,
        url: str,
        *,
        service_key: str | None = None,
        patience_s: float = 20.0,
        timeout_s: float = 30.0,
        on_wait: Callable[[Problem | Unreachable], None] | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.settings = Settings(url, service_key, patience_s, timeout_s, on_wait)
        # Each stream holds a connection for hours, so the pool must not limit the next request.
        self._http = http or httpx.AsyncClient(limits=httpx.Limits(max_connections=None))
        self._own = http is None

    async def __aenter__(self) -> AsyncAffray:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        if self._own:
            await self._http.aclose()

    async def call(
        self,
        operation: Operation[Answer],
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
        key: str | None = None,
    ) -> Answer:
        """Call an operation of the contract with the service key."""
        call = Call(path or {}, query or {}, body, key=key)
        answer = await self.request(self.settings.service_key, operation, call)
        return operation.read(answer.content)

    async def open(
        self, ruleset: str, opening: Mapping[str, Any], *, key: str | None = None
    ) -> AsyncCombat:
        """Open a combat and return it as its GM. Store its `token`: Affray shows it only once."""
        body = {"ruleset": ruleset, **opening}
        opened = await self.call(operations.open_combat, body=body, key=key)
        return self.combat(opened.combat, opened.token)

    def combat(self, id: str, token: str) -> AsyncCombat:
        """Return the combat with this id for the holder of this token, without a request."""
        return AsyncCombat(self, id, token)

    async def ruleset(self, id: str) -> shapes.RulesetView:
        """Read a rulebook: its schemas, and every action, prompt and ruling."""
        return await self.call(operations.read_ruleset, path={"ruleset": id})

    async def compatibility(self) -> Compatibility:
        """Compare the service's contract with the one from which this client was made."""
        health = await self.call(operations.read_liveness)
        return compare(shapes.VERSION, health.version)

    async def request(
        self, token: str | None, operation: Operation[Any], call: Call
    ) -> httpx.Response:
        """Send a request, with retries until an answer. Raise `Problem` or `Unreachable`."""
        request = prepare(self.settings, token, operation, call)
        patience = Patience(self.settings, request)
        while True:
            headers: Mapping[str, str] = {}
            failure: Problem | Unreachable
            try:
                answer = await self._http.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    content=request.content,
                    timeout=self.settings.timeout_s,
                )
            except httpx.TransportError as error:
                failure = patience.unreachable(error)
            else:
                if not answer.is_error:
                    return answer
                failure, headers = problem_of(answer.status_code, answer.content), answer.headers
            await sleep(patience.pause_s(failure, headers))

    async def pieces(self, course: Course) -> AsyncGenerator[str, None]:
        """Yield the text of one connection of a stream. Raise `Problem` with its headers."""
        url, headers = course.connect()
        times = course.times
        timeouts = {"connect": times.first, "read": times.first, "write": times.first, "pool": None}
        request = self._http.build_request("GET", url, headers=headers, timeout=None)
        request.extensions["timeout"] = timeouts
        answer = await self._http.send(request, stream=True)
        try:
            if answer.is_error:
                raise StreamRefused(problem_of(answer.status_code, await answer.aread()), answer)
            timeouts["read"] = times.silence  # the transport reads it when the body begins
            async for piece in answer.aiter_text():
                yield piece
        finally:
            await answer.aclose()


class StreamRefused(Exception):
    """The service refuses a stream."""

    def __init__(self, problem: Problem, answer: httpx.Response) -> None:
        super().__init__(problem)
        self.problem, self.headers = problem, answer.headers


class AsyncCombat:
    """One combat, seen with one token."""

    def __init__(self, affray: AsyncAffray, id: str, token: str) -> None:
        self.id = id
        self.token = token
        self._affray = affray
        self._board: shapes.Board | None = None
        self._ruleset: dict[str, Any] | None = None

    async def call(
        self,
        operation: Operation[Answer],
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> Answer:
        """Call an operation of the contract with the combat's id and the token."""
        call = Call(self._path(path), query or {}, body, if_match=if_match, key=key)
        answer = await self._affray.request(self.token, operation, call)
        read = operation.read(answer.content)
        mark(read, answer.headers.get("etag"))
        return read

    async def text(
        self,
        operation: Operation[Any],
        accept: str,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> str:
        """Call an operation that answers text: `text/markdown` or `application/x-ndjson`."""
        call = Call(self._path(path), query or {}, accept=accept)
        return (await self._affray.request(self.token, operation, call)).text

    def _path(self, path: Mapping[str, object] | None) -> dict[str, object]:
        return {**(path or {}), "combat": self.id}

    async def board(self) -> shapes.Board:
        """Read the board. If it has not changed since the last read, the service sends no body."""
        known = self._board
        call = Call(self._path(None), if_none_match=known.etag if known else None)
        answer = await self._affray.request(self.token, operations.read_combat, call)
        if known is not None and answer.status_code == 304:
            return known
        self._board = operations.read_combat.read(answer.content)
        mark(self._board, answer.headers.get("etag"))
        return self._board

    async def options(
        self, *, combatant: str | None = None, refused: bool = False, reach: bool = False
    ) -> shapes.OfferList:
        """Read the current offers. With `refused`, also read refused offers and all reasons."""
        query = {
            "combatant": combatant,
            "include": "refused" if refused else None,
            "reach": "yes" if reach else None,
        }
        return await self.call(operations.read_options, query=query)

    async def prompts(self) -> shapes.PromptList:
        """Read the open prompts of this token."""
        return await self.call(operations.read_prompts)

    async def begin(
        self, *, if_match: Shape | str | None = None, key: str | None = None
    ) -> shapes.Committed:
        """Begin the fight."""
        return await self.call(operations.begin_combat, if_match=if_match, key=key)

    async def end(
        self,
        winners: Sequence[str] | None = None,
        reason: str = "",
        *,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> shapes.Committed:
        """End the fight. Without `winners`, the rulebook decides."""
        body = {"winners": winners, "reason": reason}
        return await self.call(operations.end_combat, body=body, if_match=if_match, key=key)

    async def join(
        self,
        newcomer: Mapping[str, Any],
        *,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> shapes.Committed:
        """Add a combatant: `{"sheet": …}`."""
        return await self.call(operations.join_combat, body=newcomer, if_match=if_match, key=key)

    async def issue(
        self,
        role: shapes.IssuedRole,
        *,
        owner: str | None = None,
        combatants: Sequence[str] = (),
        label: str = "",
    ) -> shapes.Issued:
        """Issue a token to a player, a spectator or another GM. Affray shows it only once."""
        body = {"role": role, "owner": owner, "combatants": combatants, "label": label}
        return await self.call(operations.issue_token, body=body)

    async def send(
        self,
        offer: shapes.OfferView,
        inputs: Mapping[str, Any] | None = None,
        *,
        reason: str | None = None,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> shapes.Committed:
        """Send an offer with its inputs: as an answer, a ruling or an action."""
        sent = route(offer, inputs)
        body = ruling_body(sent, reason)
        return await self.call(
            sent.operation, path=sent.path, body=body, if_match=if_match, key=key
        )

    async def preview(
        self, offer: shapes.OfferView, inputs: Mapping[str, Any] | None = None
    ) -> shapes.Preview:
        """Return the effect of an offer with these inputs. Affray stores nothing."""
        sent = route(offer, inputs)
        body = {"command": sent.command, **sent.path, **sent.body}
        return await self.call(operations.preview, body=body)

    async def answer(
        self,
        prompt: str,
        option: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        *,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> shapes.Committed:
        """Answer a prompt. Omit `option` if the prompt has only one."""
        body = {"inputs": inputs or {}} | ({} if option is None else {"option": option})
        return await self.call(
            operations.answer_prompt, path={"prompt": prompt}, body=body, if_match=if_match, key=key
        )

    async def roll(
        self,
        prompt: str,
        faces: Sequence[int] | None,
        *,
        if_match: Shape | str | None = None,
        key: str | None = None,
    ) -> shapes.Committed:
        """Answer a prompt of kind `roll` with the rolled faces, in the order of `dice_of`.

        If `faces` is `None`, the service rolls.
        """
        return await self.answer(prompt, None, {"faces": faces}, if_match=if_match, key=key)

    async def undo(self, reason: str = "", over: str = "command") -> shapes.Committed:
        """Undo the last command. A roll by hand is a separate command.

        `over` can extend the undo to the `turn`, the `round`, or another range of the contract.
        """
        return await self.call(operations.undo, body={"reason": reason, "over": over})

    async def log(self, *, cite: Literal["rules", "nothing"] = "rules") -> str:
        """Read the complete log in Markdown. `cite="nothing"` omits rule ids and versions."""
        log, more = Log(), True
        while more:
            query = {"limit": 500, "cursor": log.cursor, "cite": cite}
            more = log.add(await self.text(operations.read_timeline, "text/markdown", query=query))
        return log.text

    async def follow(
        self,
        after: str | None = None,
        *,
        full: bool = True,
        offers: bool = False,
        on_state: Callable[[StreamState], None] | None = None,
        times: Times | None = None,
    ) -> AsyncGenerator[Message, None]:
        """Follow the combat live until a message `closed`.

        After a lost connection, the client resumes at its position. If streaming does not work, it
        polls. Messages `offers` have the schemas of their forms, and the last board of the stream.

        - `after`: the id of the last message that you received, to get the messages after it.
        - `full`: whether the newest message of a command has the board.
        - `offers`: whether you also receive the offers that answer your open prompts.
        - `on_state`: a function to call when the connection becomes live, is lost, or is replaced
          by polling.

        Raise `Problem` if the service refuses the token or the combat does not exist.
        """
        settings = self._affray.settings
        course = Course(
            settings, self.id, self.token, after, full, offers, on_state, times or Times()
        )
        while True:
            began = False
            try:
                frames = Frames()
                async with aclosing(self._affray.pieces(course)) as pieces:
                    async for piece in pieces:
                        began = True
                        course.alive()
                        for frame in frames.feed(piece):
                            message = course.message(frame)
                            if message is None:
                                continue
                            if isinstance(message.data, shapes.OfferList):
                                message = await self._whole(message, course)
                            yield message
                            if message.is_last:
                                return
                if course.polling:
                    course.alive()  # the board has not changed
                pause_s = course.pause_s()
            except StreamRefused as refused:
                pause_s = course.refused(refused.problem, refused.headers)
            except httpx.TransportError as error:
                silent = isinstance(error, httpx.ReadTimeout) and not began
                pause_s = course.failed(silent)
            await sleep(pause_s)

    async def _whole(self, message: Message, course: Course) -> Message:
        """Add the board, and the schemas that the offers cite from the rulebook."""
        assert isinstance(message.data, shapes.OfferList)
        board = course.board or await self.board()
        if message.data.cited and self._ruleset is None:
            path = {"ruleset": board.ruleset}
            text = await self.text(operations.read_ruleset, "application/json", path=path)
            self._ruleset = msgspec.json.decode(text)
        offers = with_schemas(message.data, self._ruleset) if self._ruleset else message.data
        return replace(message, data=offers, board=board)
