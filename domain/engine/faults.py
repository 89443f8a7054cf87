"""faults: which field of what was put in is at fault, and what would do there.

A rule says why it refuses; which field that is follows from the options: it is the one that has to
be another for the rest to be legal.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from domain.engine.options import Offer
from domain.errors import Illegal, Unknown
from domain.record.combat import Json
from domain.rulebook.reading import read, read_ruling


def pointed(refusal: Illegal, inputs: Any, offered: Offer) -> Illegal:
    """The refusal with the field that is at fault, and the values that would be legal there.

    `offered`: what is legal of the same option. Unchanged where no single field is to blame.
    """
    given = _full(inputs)
    reading = read_ruling if offered.kind == "ruling" else read
    fits = _alternatives(given, [_full(reading(raw, type(inputs))) for raw in offered.legal])
    if not fits:
        wrong = [
            name
            for name, legal in offered.values.items()
            if given.get(name) is not None and given[name] not in legal  # null is left out
        ]
        fits = {name: list(offered.values[name]) for name in wrong} if len(wrong) == 1 else {}
    if refusal.pointer is not None or not fits:
        return refusal
    name, values = next(iter(fits.items()))
    texts = tuple(dict.fromkeys(one for one in values if isinstance(one, str)))
    return type(refusal)(
        refusal.rule, refusal.code, refusal.detail, refusal.allowed or texts, f"/inputs/{name}"
    )


def _full(inputs: Any) -> Mapping[str, Json]:
    """Inputs as JSON, with every default."""
    full: Mapping[str, Json] = msgspec.json.decode(msgspec.json.encode(inputs))
    return full


def _alternatives(
    given: Mapping[str, Json], legal: list[Mapping[str, Json]]
) -> Mapping[str, list[Json]]:
    """By field: the values that alone would make it legal."""
    found: dict[str, list[Json]] = {}
    for one in legal:
        unlike = [name for name in given if one.get(name) != given[name]]
        if len(unlike) == 1:
            found.setdefault(unlike[0], []).append(one[unlike[0]])
    return found


@contextmanager
def naming(pointer: str, value: Any) -> Iterator[None]:
    """Whoever or whatever is unknown inside is pointed at, where `value` names it."""
    try:
        yield
    except Unknown as error:
        if error.pointer is None:
            error.pointer = _place(msgspec.to_builtins(value), error.name, pointer)
        raise


def _place(value: Json, name: object, at: str) -> str | None:
    """The JSON pointer of a name in a value."""
    if isinstance(value, str):
        return at if value == name else None
    parts: Any = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    found = (_place(one, name, f"{at}/{key}") for key, one in parts)
    return next((one for one in found if one is not None), None)
