"""A log in memory that returns the pages that a combat has dropped."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from domain.engine.session import Session
from domain.record.pages import Away, Leaf
from domain.record.recorded import Recorded, decode, encode
from domain.rulebook.ruleset import Ruleset

Made = TypeVar("Made")


class Log:
    """All events of one combat, as bytes. `brought` counts the pages that the combat has read."""

    def __init__(self, recorded: Iterable[Recorded]) -> None:
        self._states = [encode(event) for event in recorded]
        self.brought = 0

    def live(self, ruleset: Ruleset) -> Session:
        """Return the combat as the log stores it."""
        return Session.stored(ruleset, [decode(state) for state in self._states])

    def take(self, states: Iterable[bytes]) -> None:
        """Append the stored events of a command."""
        self._states += states

    def _read(self, first: int, at: int) -> Recorded:
        return decode(self._states[first + at - 1])

    def recall(self, work: Callable[[], Made]) -> Made:
        """Return the result of `work`. Repeat it with the missing pages."""
        held: list[Leaf] = []
        while True:
            try:
                return work()
            except Away as away:
                for page in away.pages:
                    leaf = Leaf(
                        [None] * (page.last - page.first + 1), partial(self._read, page.first)
                    )
                    assert leaf[0].previous == page.previous.hex()
                    page.let_go(leaf)
                    held.append(leaf)
                    self.brought += 1
