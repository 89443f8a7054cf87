"""The book's notation of attacks (VD-ATK-08): `MELEE: 2 claws (1d8/1d8) and bite (2d6)`.

`MELEE|MISSILE: [count] name (damage[/damage…] [special]; AAC0 n) and … plus effects;`
"""

import re
from functools import lru_cache

from msgspec import Struct

from domain.dice import BadFormula
from domain.dice import parse as dice
from domain.rulesets.vile_darkness.rules import rule


class Entry(Struct, frozen=True):
    """One attack as written. `special` is a formula, `attributes` the words after it."""

    name: str
    count: int
    damage: tuple[str, ...]
    special: str | None = None
    attributes: tuple[str, ...] = ()
    aac0: int | str | None = None
    effects: tuple[str, ...] = ()


class Line(Struct, frozen=True):
    """One mode and its attacks: one routine."""

    kind: str
    entries: tuple[Entry, ...]


_MODE = re.compile(r"\b(MELEE|MISSILE)\s*:", re.IGNORECASE)
_ENTRY = re.compile(
    r"\s*(?:and\s+|,\s*)?(?P<count>\d{1,2}\s+)?(?P<name>[^()]+?)\s*\((?P<inside>[^()]*)\)"
    r"(?:\s*plus\s+(?P<plus>[^;()]*?))?\s*(?=;|$|(?:and\s|,)(?:(?!\band\b|,)[^();])*\()",
    re.IGNORECASE,
)
_AAC0 = re.compile(r"\[?\s*AAC0\s*(?P<number>20\*|-?\d{1,2})\s*\]?", re.IGNORECASE)


@rule("VD-ATK-08", "The stat line: mode, count, name, damage, special damage, AAC0, effects")
@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Line, ...]:
    """Read a stat line; raises ValueError and says where."""
    parts = _MODE.split(text)
    if parts[0].strip() or len(parts) < 3:
        raise ValueError(f"{text!r} does not begin with MELEE: or MISSILE:")
    return tuple(
        Line(mode.lower(), tuple(_entries(rest)))
        for mode, rest in zip(parts[1::2], parts[2::2], strict=True)
    )


def _entries(text: str) -> list[Entry]:
    entries: list[Entry] = []
    at = 0
    while at < len(text.rstrip(" ;")):
        match = _ENTRY.match(text, at)
        if match is None:
            raise ValueError(f"{text[at:].strip()!r} is not an attack such as: 2 claws (1d8/1d8)")
        entries.append(_entry(match))
        at = match.end()
    if not entries:
        raise ValueError("a mode without attacks")
    return entries


def _entry(match: re.Match[str]) -> Entry:
    count = int(match["count"] or "1")
    number = _AAC0.search(match["inside"])
    inside = _AAC0.sub("", match["inside"]).strip(" ;")
    first, _, special = inside.partition(" ")
    damage = tuple(first.split("/"))
    if len(damage) not in (1, count):
        raise ValueError(f"{match['name']!r}: {count} blows, but {len(damage)} damage formulas")
    for formula in damage:
        _check(formula)
    words = special.strip(" []+").split()
    if words:
        _check(words[0])
    return Entry(
        match["name"].strip(),
        count,
        damage,
        words[0] if words else None,
        tuple(words[1:]),
        None if number is None else _number(number["number"]),
        tuple(word.strip() for word in re.split(r",| and ", match["plus"] or "") if word.strip()),
    )


def _number(text: str) -> int | str:
    return text if text == "20*" else int(text)


def _check(formula: str) -> None:
    try:
        dice(formula)
    except BadFormula as error:
        raise ValueError(str(error)) from None
