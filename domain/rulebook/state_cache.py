"""State cache: compute the values of an unchanging state only once.

A search for options tries hundreds of inputs with the refusals, and most lookups are the same for
all of them. The cache ends with the search.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from domain.record.combat import Combat, Combatant, Id, Square

State = TypeVar("State", Combat, Combatant)
P = ParamSpec("P")
Made = TypeVar("Made")

_MADE: ContextVar[dict[Any, tuple[object, Any]] | None] = ContextVar("made", default=None)


class Lent:
    """A state that several readers share. It records the reads of each reader."""

    def once(self, key: Hashable, make: Callable[[Any], Any]) -> Any:
        """Return the value of `make` in this state.

        Compute the value once, and record its reads for each reader.
        """
        raise NotImplementedError

    def standing(self, who: Id, at: Square) -> Any:
        """Return the combat as if `who` were at `at`."""
        raise NotImplementedError


@contextmanager
def looking() -> Iterator[None]:
    """Open the cache for a block in which no state changes."""
    if _MADE.get() is not None:
        yield
        return
    token = _MADE.set({})
    try:
        yield
    finally:
        _MADE.reset(token)


def once(
    function: Callable[Concatenate[State, P], Made],
) -> Callable[Concatenate[State, P], Made]:
    """Cache a function of a state and plain values. Callers must not change its result."""

    @wraps(function)
    def looked(state: State, /, *args: P.args, **more: P.kwargs) -> Made:
        made = _MADE.get()
        if made is None:
            return function(state, *args, **more)
        key = (function, id(state), args, *more.items()) if more else (function, id(state), args)
        kept = made.get(key)
        if kept is None:
            if isinstance(state, Lent):
                lent: Made = state.once(key, lambda seen: function(seen, *args, **more))
                return lent
            # The cache holds the state, so that Python does not reuse its id.
            kept = made[key] = (state, function(state, *args, **more))
        value: Made = kept[1]
        return value

    return looked


def once_all(
    function: Callable[Concatenate[State, P], Iterator[Made]],
) -> Callable[Concatenate[State, P], Iterator[Made]]:
    """Cache a generator like `once`. The first call computes all its values."""

    @once
    def every(state: State, /, *args: P.args, **more: P.kwargs) -> tuple[Made, ...]:
        return tuple(function(state, *args, **more))

    @wraps(function)
    def looked(state: State, /, *args: P.args, **more: P.kwargs) -> Iterator[Made]:
        if _MADE.get() is None:
            return function(state, *args, **more)
        return iter(every(state, *args, **more))

    return looked
