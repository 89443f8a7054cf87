"""Sums: numbers with their parts, and with the values that do not count.

A ruleset computes each number once, as a `Sum`. The board shows its value, and `explain` shows its
parts, so that they always agree. The parts apply in order. A rule that halves, rounds or limits the
number is also a part.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import floor
from typing import Literal

from msgspec import Struct

from domain.record.combat import Combat, Id, Json
from domain.record.events import Term

Op = Literal["add", "times", "divide", "round-down", "at-least", "at-most"]

Origin = Literal["sheet", "condition", "state", "roll", "ruling", "option", "map", "rulebook"]
"""The origin of a part.

- `sheet`: the sheet.
- `condition`: a condition.
- `state`: past events.
- `roll`: a roll.
- `ruling`: the GM.
- `option`: an option of the combat.
- `map`: the map.
- `rulebook`: the rulebook itself.
"""


class Part(Struct, frozen=True, omit_defaults=True, gc=False):
    """A step of a computation, which applies `op` with `value` to the result so far.

    `rule` is the id of the rule.
    """

    label: str
    value: float = 0
    rule: str = ""
    origin: Origin = "sheet"
    op: Op = "add"


class Absent(Struct, frozen=True, omit_defaults=True, gc=False):
    """A value that does not count, with the reason.

    `value` is the number that it would have added, or `null` if it is not a number.
    """

    label: str
    why: str
    rule: str = ""
    origin: Origin = "sheet"
    value: int | None = None


def done(now: float, op: Op, value: float) -> float:
    """Return the result of one step."""
    match op:
        case "add":
            return now + value
        case "times":
            return now * value
        case "divide":
            return now / value
        case "round-down":
            return floor(now)
        case "at-least":
            return max(now, value)
        case "at-most":
            return min(now, value)


class Sum:
    """A number with its parts. Iterate over it to get its added parts as Terms."""

    __slots__ = ("absent", "exact", "parts")

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.absent: list[Absent] = []
        self.exact: float = 0
        """The result so far, which may be a fraction."""

    def add(
        self, label: str, value: float, rule: str, origin: Origin = "sheet", why: str = ""
    ) -> "Sum":
        """Add points. If they are 0, record the reason `why` if there is one."""
        if value or not why:
            self.exact += value
            self.parts.append(Part(label, value, rule, origin))
        else:
            self.absent.append(Absent(label, why, rule, origin))
        return self

    def take(self, terms: Iterable[Term], origin: Origin = "sheet") -> "Sum":
        """Add the terms that are not 0."""
        for term in terms:
            if term.value:
                self.add(term.source, term.value, term.rule, origin)
        return self

    def then(
        self, op: Op, value: float, label: str, rule: str, origin: Origin = "rulebook"
    ) -> "Sum":
        """Apply another operation to the result so far."""
        self.exact = done(self.exact, op, value)
        self.parts.append(Part(label, value, rule, origin, op))
        return self

    def lacks(
        self,
        label: str,
        why: str,
        rule: str = "",
        origin: Origin = "sheet",
        value: int | None = None,
    ) -> "Sum":
        """Record a value that does not count, with the reason."""
        self.absent.append(Absent(label, why, rule, origin, value))
        return self

    def nests(self, label: str, inner: "Sum", rule: str) -> "Sum":
        """Add another number as one part, and keep its values that do not count."""
        self.absent += inner.absent
        return self.add(label, inner.value, rule)

    def goes_on(self, other: "Sum") -> "Sum":
        """Append all parts of another number."""
        for part in other.parts:
            self.exact = done(self.exact, part.op, part.value)
        self.parts += other.parts
        self.absent += other.absent
        return self

    @property
    def value(self) -> int:
        """Return the number as an integer. `exact` has the fraction, for rulebooks that use it."""
        return int(self.exact)

    def addends(self) -> tuple[Term, ...]:
        """Return terms that add up to the number.

        A part that multiplies, halves or limits becomes a term with the change that it makes. A
        part that leaves a fraction shares one term with the part that rounds it. This term has the
        label of the first part.
        """
        terms: list[Term] = []
        told, fraction = 0, None
        for part, now in zip(self.parts, self.steps(), strict=True):
            if now != int(now):
                fraction = fraction or part
                continue
            source, fraction = fraction or part, None
            if int(now) != told:
                terms.append(Term(source.label, int(now) - told, source.rule))
                told = int(now)
        if fraction is not None and self.value != told:
            terms.append(Term(fraction.label, self.value - told, fraction.rule))
        return tuple(terms)

    def steps(self) -> Iterator[float]:
        """Yield the result after each part."""
        now: float = 0
        for part in self.parts:
            now = done(now, part.op, part.value)
            yield now

    def __iter__(self) -> Iterator[Term]:
        return (
            Term(part.label, int(part.value), part.rule) for part in self.parts if part.op == "add"
        )


Numbers = Sum | Mapping[str, "Numbers"] | tuple["Numbers", ...] | None
"""The value of a name on the board: a number, several numbers, or `None`."""

Making = Callable[[Combat, Id], Numbers]


def shown(made: Numbers) -> Json:
    """Return the numbers as JSON."""
    match made:
        case Sum():
            number = made.exact
            return int(number) if number == int(number) else number
        case tuple():
            return [shown(number) for number in made]
        case None:
            return None
        case _:
            return {name: shown(number) for name, number in made.items()}


def named(name: str, made: Numbers) -> Iterator[tuple[str, Sum]]:
    """Yield every number in a value with its full name, such as `effective_ac.melee`."""
    match made:
        case Sum():
            yield name, made
        case tuple():
            for index, number in enumerate(made):
                yield from named(f"{name}.{index}", number)
        case None:
            return
        case _:
            for part, number in made.items():
                yield from named(f"{name}.{part}", number)
