"""Errors as problem documents (RFC 9457). `title` is the same for a type, `detail` for one case."""

from typing import Annotated, Any, Final, Literal

import msgspec
from litestar.exceptions import HTTPException
from msgspec import Meta, Struct

from domain.dice import BadFormula
from domain.errors import (
    Closed,
    Forbidden,
    Illegal,
    Impossible,
    Malformed,
    Refused,
    Stale,
    Unfitting,
    Unknown,
)
from service.answers import AnswerErased, KeyReused
from service.archives import ArchiveDamaged
from service.combats import NotInForce
from service.limits import TooOften
from service.live.streams import TooMany
from service.loader import NotHere
from service.objects import ArchiveUnavailable
from service.store.mapper import NewerRelease
from service.store.rows import OutcomeUnknown, Unavailable

BASE: Final = "/problems/"
MEDIA_TYPE: Final = "application/problem+json"

TITLES: Final = {
    "malformed": (400, "The request is malformed"),
    "unauthorized": (401, "A valid token is required"),
    "forbidden": (403, "The token does not permit this"),
    "too-slow": (408, "The body did not arrive in time"),
    "not-found": (404, "This does not exist"),
    "method-not-allowed": (405, "The path does not have this method"),
    "illegal-action": (409, "The rules do not allow this"),
    "unfitting": (409, "The state of the combat does not allow this"),
    "answer-erased": (410, "The request was carried out before, and its answer was erased"),
    "stale": (412, "The version is not the current one"),
    "too-large": (413, "The body is too large"),
    "unsupported-media-type": (415, "The media type of the body is not supported"),
    "wrong-host": (421, "The service does not answer for this host name"),
    "impossible": (422, "The rulebook does not allow this in any state"),
    "idempotency-key-reused": (422, "The idempotency key was used for another request"),
    "too-many-listeners": (429, "The combat has too many streams"),
    "too-many-requests": (429, "Too many requests"),
    "internal": (500, "The service has a fault"),
    "archive-damaged": (500, "The archive of this combat is missing or damaged"),
    "unavailable": (503, "The database cannot be reached"),
    "archive-unavailable": (503, "The storage of archived combats cannot be reached"),
    "newer-release": (503, "A newer release has written this combat"),
    "full": (503, "The service has no room for more streams"),
    "outcome-unknown": (503, "It is unknown whether this was stored"),
}
"""The status and the title of each type of problem."""


class ClosedPrompt(Struct, frozen=True, omit_defaults=True):
    """The way in which a prompt closed.

    - `because`: for `stopped`, the rulebook's short word for the reason.
    - `option`: the answer.
    - `by`, `at`: the role that gave the answer, and the time (RFC 3339).
    - `successor`: the id of the open prompt that replaces it. Answer that prompt instead.

    The values of `how`:

    - `answered`: a person answered.
    - `standing-order`: a standing order answered.
    - `default`: the prompt took its default at once.
    - `lapsed`: it took its default at its deadline, or because nothing was left to ask.
    - `closed`: the GM let it take its default.
    - `overtaken`: another answer made it unnecessary.
    - `stopped`: the rules stopped it.
    - `undone`: an undo removed it.
    - `ended`: its action ended.
    """

    how: Annotated[
        Literal[
            "answered",
            "standing-order",
            "default",
            "lapsed",
            "closed",
            "overtaken",
            "stopped",
            "undone",
            "ended",
        ],
        Meta(description="The way in which it closed"),
    ]
    option: str = ""
    by: str = ""
    at: str = ""
    because: Annotated[str, Meta(description="The rulebook's word for the reason of `stopped`")] = (
        ""
    )
    successor: Annotated[
        str, Meta(description="Id of the open prompt that replaces it. Empty: none")
    ] = ""


class Problem(Struct, frozen=True, omit_defaults=True):
    """A problem document (RFC 9457).

    - `pointer`: the JSON pointer of the faulty field.
    - `rule`, `reason`: the rule that refuses the command, and the reason.
    - `allowed`: the accepted values.
    - `version`: the ETag of the current board.
    - `command`: the id of the request's events, if Affray stored the request.
    - `closed`: the way in which the answered prompt closed.
    """

    type: Annotated[
        str,
        Meta(
            description="Type of the problem, as a path",
            extra_json_schema={"format": "uri-reference"},
        ),
    ]
    title: Annotated[str, Meta(description="The kind of problem, in a sentence")]
    status: Annotated[int, Meta(description="The HTTP status")]
    detail: Annotated[str, Meta(description="The reason in one sentence")] = ""
    pointer: Annotated[str | None, Meta(description="JSON pointer of the faulty field")] = None
    rule: Annotated[str | None, Meta(description="Id of the rule that refuses")] = None
    reason: Annotated[str | None, Meta(description="The rulebook's word for the reason")] = None
    allowed: Annotated[tuple[str, ...], Meta(description="Accepted values")] = ()
    version: Annotated[str | None, Meta(description="ETag of the current board")] = None
    command: str | None = None
    closed: Annotated[
        ClosedPrompt | None, Meta(description="The way in which the answered prompt closed")
    ] = None


class Refusal(Exception):
    """The service itself found a problem."""

    def __init__(self, kind: str, detail: str, *, pointer: str | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.problem = problem(kind, detail, pointer=pointer, **more)


def problem(kind: str, detail: str, **more: Any) -> Problem:
    """Return a problem of a known kind."""
    status, title = TITLES[kind]
    return Problem(BASE + kind, title, status, detail, **more)


def of(error: BaseException) -> Problem:
    """Return the problem document of an error."""
    match error:
        case Refusal():
            return error.problem
        case Illegal():
            return problem(
                "impossible" if isinstance(error, Impossible) else "illegal-action",
                error.detail,
                pointer=error.pointer,
                rule=error.rule or None,
                reason=error.code,
                allowed=error.allowed,
            )
        case Closed():
            how: Any = error.how
            closed = ClosedPrompt(
                how, error.option, error.by, error.at, error.because, error.successor
            )
            return problem("unfitting", error.detail, reason=error.code, closed=closed)
        case Unfitting():
            return problem("unfitting", error.detail, reason=error.code, allowed=error.allowed)
        case Malformed():
            return problem(
                "malformed",
                error.detail,
                pointer=error.pointer,
                reason=error.code,
                allowed=error.allowed,
            )
        case NewerRelease():
            return problem(
                "newer-release",
                "this process does not know an event of the combat: another process of the newer"
                " release can serve it. Nothing of this request was stored",
            )
        case Unknown():
            return problem(
                "not-found", error.detail, pointer=error.pointer, allowed=error.known[:50]
            )
        case Forbidden():
            return problem("forbidden", error.detail)
        case Stale():
            return problem("stale", error.detail, version=str(error.present))
        case NotHere():
            return problem("not-found", error.detail)
        case NotInForce():
            return problem("unauthorized", error.detail)
        case KeyReused():
            return problem("idempotency-key-reused", error.detail)
        case AnswerErased():
            return problem(
                "answer-erased",
                "this Idempotency-Key was answered, and texts of the combat were erased since:"
                " the events hold the command, as it is now",
                command=str(error.command),
            )
        case ArchiveDamaged():
            return problem("archive-damaged", error.detail)
        case Refused():
            return problem("unfitting", error.detail)
        case TooMany():
            return problem("full" if error.whole else "too-many-listeners", str(error))
        case TooOften():
            return problem("too-many-requests", f"{error}; try again in {error.retry_s} s")
        case BadFormula():
            return problem("malformed", str(error))
        case ArchiveUnavailable():
            return problem(
                "archive-unavailable",
                "the events of this combat are archived, and their storage did not answer. Nothing"
                " of this request was stored: send it again in a few seconds",
            )
        case Unavailable():
            return problem(
                "unavailable",
                "the database did not answer, and nothing of this request was stored: send it"
                " again in a few seconds",
            )
        case OutcomeUnknown(command=None):
            return problem(
                "outcome-unknown",
                "the change is made whole or not at all. Send it again with the Idempotency-Key"
                " that it had, and it happens once; without one, look first whether it was made",
            )
        case OutcomeUnknown():
            return problem(
                "outcome-unknown",
                "the command is stored whole or not at all. Send it again with the Idempotency-Key"
                " that it had, and it happens once; without one, look first whether the events"
                " hold this command",
                command=str(error.command),
            )
        case HTTPException():
            return _http(error)
        case _:
            return problem("internal", "nothing was recorded; the fault is in the log")


def _http(error: HTTPException) -> Problem:
    kinds = {status: kind for kind, (status, _) in TITLES.items()}
    if error.status_code >= 500:
        return problem("internal", "nothing was recorded; the fault is in the log")
    return problem(kinds.get(error.status_code, "malformed"), error.detail)


def answer(error: Exception) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the answer to a failed request."""
    problem = of(error)
    headers: dict[str, str] = {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.status == 408:
        headers["Connection"] = "close"
    if problem.status in (429, 503):
        headers |= error.headers if isinstance(error, TooOften) else {"Retry-After": "1"}
    if isinstance(error, HTTPException) and error.headers:
        headers.update(error.headers)
    return problem.status, msgspec.json.encode(problem), headers
