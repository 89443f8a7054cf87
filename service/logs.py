"""The log: lines for people, or JSON objects for programs. Both name the request and the combat."""

import atexit
import logging
import re
import sys
from contextvars import ContextVar
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue
from typing import Final, Literal
from uuid import uuid4

from pythonjsonlogger.json import JsonFormatter

Form = Literal["text", "json"]

REQUEST: Final[ContextVar[str]] = ContextVar("request", default="")
"""The id of the current request, or `""` outside a request."""

COMBAT: Final[ContextVar[str]] = ContextVar("combat", default="")
"""The id of the current combat, or `""` without one."""

_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")


def request_id(sent: str) -> str:
    """Return the id that a client or proxy sent in `X-Request-Id`, else a new one."""
    return sent if _ID.fullmatch(sent) else uuid4().hex


def set_up(form: Form) -> None:
    """Write the log to standard error in this form.

    A thread writes the log, so that a slow consumer of standard error does not block the service.
    """
    queue = SimpleQueue[logging.LogRecord]()
    writer = QueueListener(queue, logging.StreamHandler(sys.stderr))
    handler = QueueHandler(queue)
    handler.addFilter(_named)
    handler.setFormatter(_json() if form == "json" else _Line("%(levelname)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    writer.start()
    atexit.register(writer.stop)


def _json() -> logging.Formatter:
    return JsonFormatter(
        "%(asctime)s %(levelname)s %(name)s %(message)s",
        rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
        datefmt="%Y-%m-%dT%H:%M:%S%z",
    )


class _Line(logging.Formatter):
    """A line for people, with the request and the combat at its end."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        named = (f"{name}={getattr(record, name, '')}" for name in ("request", "combat"))
        told = " ".join(part for part in named if not part.endswith("="))
        return super().formatMessage(record) + (f" [{told}]" if told else "")


def _named(record: logging.LogRecord) -> bool:
    """Give a record the ids of its request and its combat, unless it has them."""
    for name, value in (("request", REQUEST.get()), ("combat", COMBAT.get())):
        if value and not hasattr(record, name):
            setattr(record, name, value)
    return True
