"""faults: find the faulty input field, and the values that it would accept.

A declared refusal names its field, or says that none is at fault. Other rules give a reason alone.
Their field follows from the options: it is the one that must change for the rest to be legal.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from domain.engine.options import TRIED, Values, candidates, fitting
from domain.engine.refusals import refusals
from domain.errors import Illegal, Refused, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.inputs import inputs_of
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
        return as_told(_named(refusal, inputs, play, who, option, truth))
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


def _named(
    refusal: Illegal, inputs: Any, play: Play, who: Id, option: Option, truth: Play
) -> Illegal:
    """The refusal of a rule that names its field, or that says by "" that none is at fault.

    Of the field's values those that would be legal, all else unchanged. Nothing is searched.
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
    return type(refusal)(refusal.rule, refusal.code, refusal.detail, allowed, refusal.pointer)


def as_told(refusal: Illegal) -> Illegal:
    """Return the refusal as a caller gets it: without a pointer if no field is at fault."""
    if refusal.pointer != "":
        return refusal
    return type(refusal)(refusal.rule, refusal.code, refusal.detail, refusal.allowed)


def _is_legal(raw: Mapping[str, Json], play: Play, who: Id, option: Option, truth: Play) -> bool:
    """Return true if nothing forbids it, and the rules can read what it names."""
    inputs = fitting(raw, option)
    with suppress(Refused):
        return inputs is not None and next(refusals(play, who, option, inputs, truth), None) is None
    return False


def _full(inputs: Any) -> Mapping[str, Json]:
    """Inputs as JSON, with every default."""
    full: Mapping[str, Json] = msgspec.json.decode(msgspec.json.encode(inputs))
    return full


def _said(inputs: Any) -> set[str]:
    """Return the fields that differ from their defaults."""
    fields = msgspec.structs.fields(inputs)
    return {
        field.encode_name
        for field in fields
        if field.required or getattr(inputs, field.name) != _blank(field)
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
