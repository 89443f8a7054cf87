"""fixed: whether a function knows no more than what it is given.

A rulebook's own functions do; what is made for one question may hold the state, or the `Play`, in
which it was asked.
"""

from dataclasses import fields, is_dataclass
from types import BuiltinFunctionType, FunctionType
from typing import Any

_PLAIN = (str, int, float, type(None), type, BuiltinFunctionType)


def is_fixed(value: Any) -> bool:
    """Whether nothing that can change is held by a function, or by a value that it holds."""
    if isinstance(value, FunctionType):
        held = [cell.cell_contents for cell in value.__closure__ or ()]
        return all(
            map(
                is_fixed,
                (*held, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()),
            )
        )
    if isinstance(value, tuple):
        return all(map(is_fixed, value))
    if is_dataclass(value) and not isinstance(value, type):
        return all(is_fixed(getattr(value, one.name)) for one in fields(value))
    return isinstance(value, _PLAIN)
