"""faults: find the faulty input field, and the values that it would accept.

A rule gives a reason, not a field. The field follows from the options: it is the one that must
change for the rest to be legal.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from domain.engine.options import TRIED, Values, candidates, fitting, refusals
from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option


def pointed(
    refusal: Illegal, inputs: Any, play: Play, who: Id, option: Option, truth: Play
) -> Illegal:
    """The refusal with the field that is at fault, and the values that would be legal there.

    Unchanged where no single field is to blame. No more is tried than could still tell something:
    once a field is found, only what else it could name.
    """
    if refusal.pointer is not None:
        return refusal
    given = _full(inputs)
    field, fits = "", dict[str, None]()
    values = Values()
    for raw in islice(candidates(play, who, option, truth), TRIED):
        other = fitting(raw, option)
        if other is None:
            continue
        told = _full(other)
        unlike = [name for name, value in told.items() if value != given[name]]
        alone = unlike[0] if len(unlike) == 1 else ""
        if field:
            name = told[field]
            if alone != field or refusal.allowed or not isinstance(name, str) or name in fits:
                continue
        elif not alone and not values.new_in(raw):
            continue
        if next(refusals(play, who, option, other, truth), None) is None:
            values.take(raw)
            field = field or alone
            if alone and isinstance(name := told[field], str):
                fits[name] = None
    if not field:
        said = _said(inputs)
        wrong = {
            name: legal
            for name, legal in values.found().items()
            if name in said and given[name] not in legal
        }
        if len(wrong) != 1:
            return refusal
        field = next(iter(wrong))
        fits = dict.fromkeys(name for name in wrong[field] if isinstance(name, str))
    return type(refusal)(
        refusal.rule,
        refusal.code,
        refusal.detail,
        refusal.allowed or tuple(fits),
        f"/inputs/{field}",
    )


def _full(inputs: Any) -> Mapping[str, Json]:
    """Inputs as JSON, with every default."""
    full: Mapping[str, Json] = msgspec.json.decode(msgspec.json.encode(inputs))
    return full


def _said(inputs: Any) -> set[str]:
    """The fields that are not left as they are by default."""
    fields = msgspec.structs.fields(inputs)
    return {
        one.encode_name
        for one in fields
        if one.required or getattr(inputs, one.name) != _blank(one)
    }


def _blank(field: FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


@contextmanager
def naming(pointer: str, value: Any) -> Iterator[None]:
    """Point an `Unknown` raised inside to the place in `value` that names it."""
    try:
        yield
    except Unknown as error:
        point(error, pointer, value)
        raise


def point(error: Unknown, pointer: str, value: Any) -> None:
    """Say where a value names what is unknown, unless that is said already."""
    if error.pointer is None:
        error.pointer = _place(msgspec.to_builtins(value), error.name, pointer)


def _place(value: Json, name: object, at: str) -> str | None:
    """The JSON pointer of a name, or a number, in a value."""
    if type(value) is type(name) and value == name:
        return at
    parts: Any = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    found = (_place(one, name, f"{at}/{key}") for key, one in parts)
    return next((one for one in found if one is not None), None)
