"""Dice notation, such as `2d6+1d4-1`.

A formula is a sum of terms, joined by + or −. A term is `NdS` (N dice of S sides), `dS` (one die)
or a whole number. The ASCII hyphen is also valid. Spaces have no effect. The limits are:

- 64 characters
- 100 dice in all
- 2 to 1000 sides for each die
- 10,000 for a constant
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

MAX_DICE: Final = 100
MAX_SIDES: Final = 1000
MAX_CONSTANT: Final = 10_000
MAX_LENGTH: Final = 64

_TERM = re.compile(
    r"\s*(?P<sign>[+\-−]?)\s*(?:(?P<count>\d{0,6})[dD](?P<sides>\d{1,6})|(?P<number>\d{1,6}))"
)

_KEEPING = re.compile(r"(?P<dice>\d{1,3}d\d{1,4})(?P<keep>kh|kl)(?P<rest>[+\-−]\d{1,6})?")


class BadFormula(ValueError):
    """The error for a text that is not a dice formula. It shows the place and the valid form."""


class BadFaces(ValueError):
    """The error for faces that the dice cannot show. It names the first bad die."""


class Formula(Struct, frozen=True):
    """A dice formula.

    - `dice`: the sides of each die, in order. A negative number means that the die is subtracted.
    - `keep`: `kh` if only the highest die counts, `kl` if only the lowest counts, or empty if
      all count.
    """

    dice: tuple[int, ...]
    constant: int
    text: str
    keep: Literal["", "kh", "kl"] = ""

    @property
    def minimum(self) -> int:
        """Return the lowest total that the dice can show."""
        if self.keep:
            return self.constant + 1
        return self.constant + sum(1 if die > 0 else die for die in self.dice)

    @property
    def maximum(self) -> int:
        """Return the highest total that the dice can show."""
        if self.keep:
            return self.constant + self.dice[0]
        return self.constant + sum(die if die > 0 else -1 for die in self.dice)

    def total(self, faces: Sequence[int]) -> int:
        """Return the sum of the constant and the faces that count."""
        if self.keep:
            return self.constant + (max(faces) if self.keep == "kh" else min(faces))
        total = self.constant
        for face, die in zip(faces, self.dice, strict=True):
            total += face if die > 0 else -face
        return total

    def with_one_more_die(self) -> "Formula":
        """Return the formula with one more die like the first, such as `3d6+1` for `2d6+1`."""
        if not self.dice:
            return self
        return formula((self.dice[0], *self.dice), self.constant)


@lru_cache(maxsize=4096)
def parse(text: str) -> Formula:
    """Return the formula in a text. Raise `BadFormula` if the text is not a formula."""
    if len(text) > MAX_LENGTH:
        raise BadFormula(f"a dice formula has at most {MAX_LENGTH} characters, not {len(text)}")
    dice: list[int] = []
    constant = at = 0
    while at < len(text.rstrip()):
        match = _TERM.match(text, at)
        if match is None or (at and not match["sign"]):
            raise BadFormula(
                f"{text!r} is not a dice formula at position {at + 1}: "
                "write terms such as 2d6, d20 or 3, joined by + or -"
            )
        sign = -1 if match["sign"] in ("-", "−") else 1
        if match["sides"] is None:
            constant += sign * int(match["number"])
        else:
            count, sides = int(match["count"] or "1"), int(match["sides"])
            if not 2 <= sides <= MAX_SIDES:
                raise BadFormula(f"{text!r}: a die has 2 to {MAX_SIDES} sides, not {sides}")
            if not 1 <= count <= MAX_DICE - len(dice):
                raise BadFormula(f"{text!r}: a formula rolls 1 to {MAX_DICE} dice")
            dice += [sign * sides] * count
        at = match.end()
    if abs(constant) > MAX_CONSTANT:
        raise BadFormula(f"{text!r}: constants go up to {MAX_CONSTANT}")
    if at == 0:
        raise BadFormula("an empty text is not a dice formula: write 1d6, 2d4+1 or 3")
    return formula(tuple(dice), constant)


@lru_cache(maxsize=4096)
def parse_roll(text: str) -> Formula:
    """Return the formula of a roll, such as `2d20kh`. Raise `BadFormula` if it is invalid."""
    match = _KEEPING.fullmatch(text)
    if match is None:
        return parse(text)
    plain = parse(match["dice"] + (match["rest"] or ""))
    keep: Literal["kh", "kl"] = "kh" if match["keep"] == "kh" else "kl"
    constant = f"{plain.constant:+d}" if plain.constant else ""
    return Formula(plain.dice, plain.constant, f"{match['dice']}{keep}{constant}", keep)


def formula(dice: tuple[int, ...], constant: int) -> Formula:
    """Return a formula from its dice and its constant, with its text in normal form."""
    runs: list[list[int]] = []
    for die in dice:
        if runs and runs[-1][1] == die:
            runs[-1][0] += 1
        else:
            runs.append([1, die])
    text = "".join(f"{'+' if die > 0 else '-'}{count}d{abs(die)}" for count, die in runs)
    if constant or not runs:
        text += f"{constant:+d}"
    return Formula(dice, constant, text.removeprefix("+"))


def check_faces(formula: Formula, faces: Sequence[int]) -> None:
    """Raise `BadFaces` unless there is one valid face for each die."""
    if len(faces) != len(formula.dice):
        wanted = f"{len(formula.dice)} {'face' if len(formula.dice) == 1 else 'faces'}"
        raise BadFaces(f"{formula.text} needs {wanted}; you sent {len(faces)}")
    for index, (face, die) in enumerate(zip(faces, formula.dice, strict=True), 1):
        if not 1 <= face <= abs(die):
            raise BadFaces(
                f"die {index} is a d{abs(die)}: {face} is not one of its faces 1 to {abs(die)}"
            )
