"""Once: what hangs on the state alone is made once, as long as somebody only looks.

What could be done now is found by trying hundreds of inputs with the checks that refuse, and most
of what these look up is the same for all of them. Nothing outlives the look.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from domain.record.combat import Combat, Combatant

State = TypeVar("State", Combat, Combatant)
P = ParamSpec("P")
Made = TypeVar("Made")

_MADE: ContextVar[dict[Any, tuple[object, Any]] | None] = ContextVar("made", default=None)


@contextmanager
def looking() -> Iterator[None]:
    """In here nothing changes."""
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
    """A function of a state and of plain values, whose result nobody changes."""

    @wraps(function)
    def looked(state: State, /, *args: P.args, **more: P.kwargs) -> Made:
        made = _MADE.get()
        if made is None:
            return function(state, *args, **more)
        key = (function, id(state), args, *more.items()) if more else (function, id(state), args)
        found = made.get(key)
        if found is None:
            # Holding the state keeps its id from being used again.
            found = made[key] = (state, function(state, *args, **more))
        value: Made = found[1]
        return value

    return looked


def once_all(
    function: Callable[Concatenate[State, P], Iterator[Made]],
) -> Callable[Concatenate[State, P], Iterator[Made]]:
    """The same for a generator, such as refusals: all that it yields is found at once."""

    @wraps(function)
    def looked(state: State, /, *args: P.args, **more: P.kwargs) -> Iterator[Made]:
        made = _MADE.get()
        if made is None:
            return function(state, *args, **more)
        key = (function, id(state), args, *more.items()) if more else (function, id(state), args)
        found = made.get(key)
        if found is None:
            found = made[key] = (state, tuple(function(state, *args, **more)))
        return iter(found[1])

    return looked
