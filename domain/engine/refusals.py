"""Refusals: the reasons against an option, in words that reveal no unknown combatant."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.engine.redaction import Unspoken, names, scrub_text, words_of
from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.edges import outside
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option


def refusals(play: Play, who: Id, option: Option, inputs: Any, truth: Play) -> Iterator[Illegal]:
    """Yield every reason against an option, in the rulebook's order.

    The refusals of squares outside the map come first. A replay does not check squares, so that
    stored combats replay with any squares.
    Raises `Unknown` for an unknown name.
    """
    yield from outside(play.ruleset, play.combat, who, inputs)
    try:
        yield from option.refusals(play, who, inputs)
    except (Unknown, KeyError) as missing:
        name = _name(missing)
        if tells(msgspec.to_builtins(inputs), Unspoken(frozenset({name}))):
            if isinstance(missing, Unknown):
                raise
            raise Unknown("combatant", name, tuple(play.combat.combatants)) from None
        unseen = unseen_in(play, truth, missing)
        for refusal in option.refusals(truth, who, inputs):
            yield _without_names(refusal, unseen)


def unseen_in(play: Play, truth: Play, missing: Unknown | KeyError) -> Unspoken:
    """Return the words about combatants that the caller does not know.

    Raise `missing` again if its id belongs to no such combatant.
    """
    unseen = frozenset(truth.combat.combatants) - frozenset(play.combat.combatants)
    if _name(missing) not in unseen:
        raise missing
    return words_of(truth.combat, unseen)


def _name(missing: Unknown | KeyError) -> str:
    return str(missing.name if isinstance(missing, Unknown) else missing.args[0])


def tells(raw: Json, unseen: Unspoken) -> bool:
    """Return true if a JSON value contains one of these words."""
    match raw:
        case str():
            return names(raw, unseen)
        case dict():
            return any(tells(part, unseen) for pair in raw.items() for part in pair)
        case list() | tuple():
            return any(tells(item, unseen) for item in raw)
        case _:
            return False


def _without_names(refusal: Illegal, unseen: Unspoken) -> Illegal:
    allowed = tuple(name for name in refusal.allowed if not names(name, unseen))
    return Illegal(
        refusal.rule, refusal.code, scrub_text(refusal.detail, unseen), allowed, refusal.pointer
    )
