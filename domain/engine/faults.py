"""Faults: the values that a faulty input field would accept, and pointers to unknown names.

A refusal names the field at fault, or says that there is none. This module never guesses a field.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

import msgspec

from domain.engine.options import TRIED, candidates, fitting
from domain.engine.refusals import refusals
from domain.errors import Illegal, Refused, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.inputs import inputs_of
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option


def pointed(
    refusal: Illegal, inputs: Any, play: Play, who: Id, option: Option, truth: Play
) -> Illegal:
    """Return the refusal with the values that would be legal in the field at fault.

    The other fields stay unchanged. Without a field at fault, there are no such values.
    """
    name = (refusal.pointer or "").removeprefix("/inputs/")
    field = inputs_of(option.inputs).get(name)
    allowed = refusal.allowed
    if field is not None and not allowed:
        given = _full(inputs)
        values = field.legal or (raw.get(name) for raw in candidates(play, who, option, truth))
        others = dict.fromkeys(value for value in values if isinstance(value, str))
        others.pop(given[name] if isinstance(given[name], str) else "", None)
        allowed = tuple(
            value
            for value in islice(others, TRIED)
            if _is_legal({**given, name: value}, play, who, option, truth)
        )
    told = type(refusal)(refusal.rule, refusal.code, refusal.detail, allowed, refusal.pointer)
    return as_told(told)


def as_told(refusal: Illegal) -> Illegal:
    """Return the refusal for the caller. It has no pointer if no field is at fault."""
    if refusal.pointer != "":
        return refusal
    return type(refusal)(refusal.rule, refusal.code, refusal.detail, refusal.allowed)


def _is_legal(raw: Mapping[str, Json], play: Play, who: Id, option: Option, truth: Play) -> bool:
    """Return true if nothing refuses these inputs and every name in them is known."""
    inputs = fitting(raw, option)
    with suppress(Refused):
        return inputs is not None and next(refusals(play, who, option, inputs, truth), None) is None
    return False


def _full(inputs: Any) -> Mapping[str, Json]:
    """Return inputs as JSON, with every default."""
    full: Mapping[str, Json] = msgspec.json.decode(msgspec.json.encode(inputs))
    return full


@contextmanager
def naming(pointer: str, value: Any) -> Iterator[None]:
    """Point an `Unknown` raised inside to the place in `value` that names it."""
    try:
        yield
    except Unknown as error:
        point(error, pointer, value)
        raise


def point(error: Unknown, pointer: str, value: Any) -> None:
    """Point to the unknown name in a value, unless the error already has a pointer."""
    if error.pointer is None:
        error.pointer = _place(msgspec.to_builtins(value), error.name, pointer)


def _place(value: Json, name: object, at: str) -> str | None:
    """Return the JSON pointer of a name, or a number, in a value."""
    if type(value) is type(name) and value == name:
        return at
    parts: Any = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    places = (_place(part, name, f"{at}/{key}") for key, part in parts)
    return next((place for place in places if place is not None), None)
