"""Sheets: the checks beyond types that all rulebooks share. Each fault names its field."""

from collections.abc import Container, Iterator

from domain.dice import BadFormula, parse
from domain.errors import Malformed
from domain.rulebook.ruleset import Sheet, square


def no_formula(at: str, formula: str | None) -> Iterator[Malformed]:
    """Yield a fault for an invalid dice formula."""
    if formula is None:
        return
    try:
        parse(formula)
    except BadFormula as error:
        yield Malformed(at, str(error))


def above_maximum(sheet: Sheet, *pools: str) -> Iterator[Malformed]:
    """Yield a fault for points above their maximum. A missing maximum allows any value."""
    for pool in pools:
        value, maximum = getattr(sheet, pool), getattr(sheet, f"max_{pool}")
        if value is not None and maximum is not None and value > maximum:
            yield Malformed(f"/{pool}", f"{pool} {value} is more than max_{pool} {maximum}")


def twins(sheet: Sheet, *kinds: str) -> Iterator[Malformed]:
    """Yield a fault for two things of the same kind with the same id."""
    for kind in kinds:
        ids = [thing.id for thing in getattr(sheet, kind) or ()]
        if len(set(ids)) < len(ids):
            yield Malformed(f"/{kind}", f"two of the {kind} have the same id")


def unused(id: str, taken: Container[str]) -> str:
    """Return the id, with a number if it is taken: spear, spear-2."""
    free, number = id, 1
    while free in taken:
        number += 1
        free = f"{id}-{number}"
    return free


def no_square(pointer: str, at: tuple[int, ...] | None) -> Iterator[Malformed]:
    """Yield a fault for coordinates that are not a square."""
    try:
        square(at)
    except Malformed as fault:
        yield Malformed(pointer, fault.detail)
