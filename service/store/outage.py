"""An outage of the database, logged once when it begins and once when it is over."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from service.store.rows import OutcomeUnknown, Unavailable

log = logging.getLogger("affray")


class Outage:
    """The log's record of an outage, for the background worker with the name `who`."""

    def __init__(self, who: str) -> None:
        self.who = who
        self._since: float | None = None

    @contextmanager
    def told(self) -> Iterator[None]:
        """Log the outage if the block fails because the database does not answer."""
        try:
            yield
        except (Unavailable, OutcomeUnknown):
            if self._since is None:
                self._since = time.monotonic()
                log.warning("%s waits for the database", self.who)
        else:
            if self._since is not None:
                log.warning("%s: waited %.0f s", self.who, time.monotonic() - self._since)
                self._since = None
