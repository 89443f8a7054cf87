"""Shared list: an immutable sequence whose longer copies share its items."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T", covariant=True)


class Shared(Sequence[T]):
    """An immutable sequence. `plus` takes time in proportion to the added part."""

    __slots__ = ("_all", "_length")

    def __init__(self, recorded: Iterable[T] = ()) -> None:
        self._all = list(recorded)
        self._length = len(self._all)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return self._all[slice(*at.indices(self._length))]
        if at < 0:
            at += self._length
        if not 0 <= at < self._length:
            raise IndexError(at)
        return self._all[at]

    def __iter__(self) -> Iterator[T]:
        return islice(self._all, self._length)

    def plus(self, more: Sequence[T]) -> "Shared[T]":
        """Return a copy with `more` added.

        The first copy of a sequence shares its items. For a further copy, the function copies them.
        """
        new = Shared.__new__(Shared)
        new._all = self._all if len(self._all) == self._length else self._all[: self._length]
        new._all.extend(more)
        new._length = self._length + len(more)
        return new
