"""Combats that background workers set aside, so that a faulty combat does not stop the others."""

import logging
from collections.abc import Iterator
from typing import Final
from uuid import UUID

log = logging.getLogger("affray")

LATER_S: Final = 600.0
"""Seconds until a worker tries a combat again that it has set aside."""

MOST: Final = 1000
"""The limit of combats in the list of one process. Further combats appear only in the log."""


class Aside:
    """The combats that the workers of this process have set aside.

    A combat leaves the list as soon as the worker has processed it.
    """

    def __init__(self) -> None:
        self._errors: dict[tuple[str, UUID], str] = {}

    def __iter__(self) -> Iterator[tuple[str, UUID]]:
        return iter(tuple(self._errors))

    def add(self, worker: str, combat: UUID, error: Exception) -> None:
        """Set a combat aside, and log each new reason once."""
        reason = f"{type(error).__name__}: {error}"
        if self._errors.get((worker, combat)) == reason:
            return
        named = {"combat": str(combat)}
        told = "%s sets the combat %s aside: %s"
        log.error(told, worker, combat, reason, exc_info=error, extra=named)
        if len(self._errors) < MOST:
            self._errors[worker, combat] = reason

    def discard(self, worker: str, combat: UUID) -> None:
        """Remove a combat from the list, because the worker has processed it."""
        if self._errors and self._errors.pop((worker, combat), None) is not None:
            log.warning("%s goes on with the combat %s", worker, combat)
