"""Archive: a cache of a combat's past states, so that Affray folds each state only once."""

from collections import OrderedDict
from contextlib import suppress

from domain.record.combat import Combat
from domain.record.events import Reverted
from domain.record.evolve import fold
from domain.record.history import History, Span
from domain.record.pages import Away, Page, numbers_of
from domain.record.recorded import Recorded

REMEMBERED = 256
"""The number of cached states at the ends of commands, so that undo need not fold."""

DENSE = 128
"""The usual bytes of cached states per event. Larger states are cached less often."""

_REVERTED = numbers_of(Reverted)[0]


class States:
    """A cache of states by their events. Successive histories of a combat share it.

    Each cached state belongs to a recorded event, not to a version. If a decision was never stored,
    another event can have its version, and the cache then ignores the state. The pages of older
    events hold the states of these events.
    """

    __slots__ = ("__weakref__", "_newest", "_size", "_states")

    def __init__(self) -> None:
        self._newest = (0, Combat())  # the version and the state of the newest page with a state
        self._size = 0  # its size in bytes
        self._states: OrderedDict[int, tuple[Recorded, Combat]] = OrderedDict()

    def remember(self, recorded: Recorded, combat: Combat) -> None:
        """Cache the state after an event."""
        self._states[recorded.version] = (recorded, combat)
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)

    def copy(self) -> "States":
        """Return an independent copy."""
        new = States()
        new._newest, new._size, new._states = self._newest, self._size, self._states.copy()
        return new

    def after(self, history: History, version: int) -> Combat:
        """Return the state at a version of the tree, folded from the nearest cached state.

        Raises `Away` when it needs events that only the log has.
        """
        spans: list[Span] = []
        state = Combat()
        for first, last in history.back_from(version):
            known, combat = self._known(history, first, last)
            if known < last:
                spans.append((max(known + 1, first), last))
            if combat is not None:
                state = combat
                break
        spans.reverse()
        return fold((recorded.event for recorded in history.gather(spans)), state)

    def _known(self, history: History, first: int, last: int) -> tuple[int, Combat | None]:
        """Return the newest version of a stretch whose state is cached, and that state."""
        left = history.left
        for version in range(last, max(first - 1, left), -1):
            kept = self._states.get(version)
            if kept is not None and kept[0] is history.tail[version - left - 1]:
                return version, kept[1]
        version = min(last, left)
        while version >= first:
            page = history.page_of(version)
            if first <= page.marked <= version:
                newest, state = self._newest
                return page.marked, state if newest == page.marked else page.state
            version = page.first - 1
        return 0, None

    def paged(self, history: History, *, large: bool) -> tuple[History, list[Page]]:
        """Return the history with its older events in pages, and the new pages.

        Each new page keeps its events in memory until `Page.let_go`.
        """
        pages: list[Page] = []
        while (page := history.first_page(large=large)) is not None:
            self._mark(history, page)
            history = history.behind(page)
            pages.append(page)
        if not pages:
            return history, pages
        for version in [state for state in self._states if state <= history.left]:
            del self._states[version]
        return history, pages

    def _mark(self, history: History, page: Page) -> None:
        """Store a state in the page, as near to its end as possible.

        Fewer pages get a state if states are large.
        """
        marked = next((page.marked for page in reversed(history.pages) if page.marked), 0)
        if (page.last - marked) * DENSE < self._size:
            return
        version = page.last
        while version >= page.first and page.kind(version) == _REVERTED:
            version -= 1
        if version >= page.first:
            with suppress(Away):  # an older state is enough, so load no events
                state = self.after(history, version)
                self._newest, self._size = (version, state), page.mark(version, state)
