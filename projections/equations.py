"""The arithmetic of a roll or of damage, as a text.

If the known terms do not add up to the total, the text also shows the difference.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from domain.dice import BadFormula, parse_roll
from domain.rulebook.id_names import words

UNTOLD = "not told"
"""The label of a part of a sum that is not recorded."""


def signed(value: int) -> str:
    """Return a number after its sign, such as "+ 3" or "− 3"."""
    return f"+ {value}" if value >= 0 else f"− {-value}"


def number(value: float) -> str:
    """Return a number with a minus sign, and with a fraction only if necessary."""
    return f"{value:g}".replace("-", "−")


def dice(formula: str, faces: Sequence[int]) -> tuple[str, int]:
    """Return the faces as a sum, such as "4 + 6 (2d6)", with their total."""
    try:
        parsed = parse_roll(formula)
    except BadFormula:
        parsed = None
    if parsed is None or len(parsed.dice) != len(faces):
        return f"{' + '.join(map(str, faces))} ({formula})", sum(faces)
    if parsed.keep:
        word = "highest" if parsed.keep == "kh" else "lowest"
        kept = f"the {word} of {' and '.join(map(str, faces))}"
        text = f"{kept} ({len(faces)}d{parsed.dice[0]}{parsed.keep})"
        constant = f" {signed(parsed.constant)}" if parsed.constant else ""
        return f"{text}{constant}", parsed.total(faces)
    text, at = "", 0
    for sides, group in groupby(parsed.dice):
        count = len(list(group))
        fallen = faces[at : at + count]
        at += count
        sum_ = (" − " if sides < 0 else " + ").join(map(str, fallen))
        sign = ("−" if not text else " − ") if sides < 0 else (" + " if text else "")
        text += f"{sign}{sum_} ({count}d{abs(sides)})"
    if parsed.constant:
        text = f"{text} {signed(parsed.constant)}" if text else number(parsed.constant)
    return text or "0", parsed.total(faces)


def terms_after(text: str, now: int, terms: Sequence[Sequence[Any]], total: int) -> str:
    """Return the text of a sum and its value. The sum starts at `now`, written as `text`.

    The value of a term "times N" is the amount that the multiplication adds. If N multiplies all
    earlier parts, the text shows a factor. The text shows every other term as an addition. If the
    terms do not add up to `total`, the text ends with the difference.
    """
    for source, value, *_ in terms:
        factor = _factor(str(source))
        if not text:
            text = f"{number(value)} {label(source)}"
        elif (least := _least(str(source))) is not None:
            text = f"{text} {signed(value)} to the minimum of {number(least or now + value)}"
        elif factor is not None and now * factor - now == value:
            several = " + " in text or " − " in text
            why = "" if source == f"times {factor}" else " (critical)"
            text = f"({text}) × {factor}{why}" if several else f"{text} × {factor}{why}"
        else:
            text = f"{text} {signed(value)} {label(source)}"
        now += value
    if now != total:
        text = f"{text} {signed(total - now)} {UNTOLD}".strip()
    return text


def label(source: object) -> str:
    """Return the source of a term, in words."""
    text = str(source)
    if "×" in text:  # a label such as "6 (Strength ×1.5)" contains the factor
        return f"({text})"
    return words(text) if text.replace("-", "").replace("_", "").isalnum() else text


def _least(source: str) -> int | None:
    """Return the minimum to which a term "at least N" raises a sum.

    The result is 0 if the term names no minimum, and `None` for other terms.
    """
    match = re.fullmatch(r"at least ?(\d*)", source)
    return None if match is None else int(match[1] or 0)


def _factor(source: str) -> int | None:
    match = re.fullmatch(r"(?:times |critical ×)(\d+)", source)
    return None if match is None else int(match[1])
