"""Recent combats: the most recently used combats, as many as fit in memory."""

from collections import OrderedDict
from uuid import UUID

from service.hot_combat import Hot


class Recent:
    """At most `most` combats, with at most `room` bytes together.

    The most recently used one always stays.
    """

    def __init__(self, most: int, room: int) -> None:
        self.most, self.room = most, room
        self.weight = 0
        self._held: OrderedDict[UUID, tuple[Hot, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def used(self, hot: Hot) -> None:
        """Keep a combat, and drop the least recently used ones."""
        weight = hot.weigh()
        known = self._held.get(hot.id)
        self.weight += weight - (0 if known is None else known[1])
        self._held[hot.id] = hot, weight
        self._held.move_to_end(hot.id)
        while len(self._held) > self.most or (self.weight > self.room and len(self._held) > 1):
            _, (_, gone) = self._held.popitem(last=False)
            self.weight -= gone

    def let_go(self, id: UUID) -> None:
        """Drop a combat."""
        known = self._held.pop(id, None)
        if known is not None:
            self.weight -= known[1]

    def clear(self) -> None:
        """Drop all combats."""
        self._held.clear()
        self.weight = 0
