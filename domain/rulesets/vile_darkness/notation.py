"""The rulebook's notation of attacks, such as `MELEE: 2 claws (1d8/1d8) and bite (2d6)`.

The full form is `MELEE|MISSILE: [count] name (damage[/damage…] [special]; AAC0 n) and … plus
effects;` (VD-ATK-08).
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.dice import BadFormula
from domain.dice import parse as dice
from domain.rulebook.id_names import words
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import ROUNDS, Ability, ActionType


class Entry(Struct, frozen=True):
    """One attack of a stat line.

    `special` is the formula of the special damage, and `attributes` has the words after that
    formula.
    """

    name: str
    count: int
    damage: tuple[str, ...]
    special: str | None = None
    attributes: tuple[str, ...] = ()
    aac0: int | str | None = None
    effects: tuple[str, ...] = ()


class Line(Struct, frozen=True):
    """A routine of a stat line. `kind` is `melee` or `missile`."""

    kind: str
    entries: tuple[Entry, ...]


_MODE = re.compile(r"\b(MELEE|MISSILE)\s*:", re.IGNORECASE)
_ENTRY = re.compile(
    r"\s*(?:and\s+|,\s*)?(?P<count>\d{1,2}\s+)?(?P<name>[^()]+?)\s*\((?P<inside>[^()]*)\)"
    r"(?:\s*plus\s+(?P<plus>[^;()]*?))?\s*(?=;|$|(?:and\s|,)(?:(?!\band\b|,)[^();])*\()",
    re.IGNORECASE,
)
_AAC0 = re.compile(r"\[?\s*AAC0\s*(?P<number>20\*|-?\d{1,2})\s*\]?", re.IGNORECASE)


@rule("VD-ATK-08", "A stat line has mode, count, name, damage, special damage, AAC0 and effects")
@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Line, ...]:
    """Parse a stat line. Raise `ValueError` with the part that is not an attack."""
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


# ---- abilities: defaults of omitted fields, from section 2.4

rule("VD-TIME-01", "A round is 60 seconds: ten segments of six seconds", f"{__name__}.SEGMENTS")
SEGMENTS = 10
"The number of segments in a round (VD-TIME-01)."


@rule("VD-ABIL-01", "An ability without notation is innate, minor, 1 segment and undeclared")
def action_type(ability: Ability) -> ActionType:
    """Return the type of action. By default, incantations and invocations are `major`.

    Other abilities are `minor` by default.
    """
    if ability.action_type is not None:
        return ability.action_type
    return "major" if ability.category in ("incantation", "invocation") else "minor"


@rule(
    "VD-ABIL-03",
    "An invocation is declared and major, and takes 1 segment unless it says otherwise",
)
def must_declare(ability: Ability) -> bool:
    """Return true if the ability must be declared in step 1.

    By default, incantations, invocations and complex abilities must be declared.
    """
    if ability.declared is not None:
        return ability.declared
    return ability.category in ("incantation", "invocation") or action_type(ability) == "complex"


@rule("VD-TIME-02", "Times are in rounds or segments, and a round is always ten segments")
@rule("VD-TIME-04", "An action without a time takes 1 segment")
@rule("VD-TIME-08", "A time of 1 round is ten segments and ends at segment 10")
@rule("VD-MIN-08", "A minor action without a time takes 1 segment")
def segments_of(ability: Ability) -> int:
    """Return the casting or activation time in segments. A round is ten segments.

    VD-TIME-02, VD-TIME-08, VD-MIN-08.
    """
    if action_type(ability) == "immediate":
        return 0
    if isinstance(ability.segments, int):
        return ability.segments
    match = ROUNDS.fullmatch(ability.segments)
    return SEGMENTS * int(match[1]) if match else 0 if ability.segments == "*" else 1


def needs_concentration(ability: Ability) -> bool:
    """Return true if the start of the ability needs concentration (VD-CONC-01)."""
    if ability.concentration_to_cast is not None:
        return ability.concentration_to_cast
    return ability.category == "incantation"


def counts_as_spell(ability: Ability) -> bool | Literal["ask"]:
    """Return true if the ability is the spell of the round, or `ask` if the GM decides.

    VD-SPELL-01.
    """
    if ability.counts_as_spell is not None:
        return ability.counts_as_spell
    return ability.category != "innate"


def is_distant(ability: Ability) -> bool:
    """Return true if the range is longer than touch (VD-LOE-06)."""
    return isinstance(ability.range_ft, int) and ability.range_ft > 0


def called(ability: Ability) -> str:
    """Return an ability's name for a sentence."""
    return ability.name or words(ability.id)


@rule("VD-LOE-06", "Range 0, touch and exempt abilities need no line of effect")
def needs_line_of_effect(ability: Ability) -> bool:
    """Return true if the ability needs a line of effect (VD-LOE-01).

    By default, an ability with a range longer than touch needs this line.
    """
    wanted = ability.needs_line_of_effect
    return is_distant(ability) if wanted is None else wanted


@rule("VD-LOS-03", "Areas and points need only a line of effect")
def needs_line_of_sight(ability: Ability) -> bool:
    """Return true if the ability needs a line of sight (VD-LOS-01, VD-LOS-03).

    By default, distant abilities at creatures and objects need this line.
    """
    wanted = ability.needs_line_of_sight
    if wanted is not None:
        return wanted
    return is_distant(ability) and ability.targets in ("creature", "object")
