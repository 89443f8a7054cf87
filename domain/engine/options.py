"""What could be done now: every option of somebody, tried with the checks that refuse.

The checks run on the combat as the asker knows it (`play`). Where they come upon somebody whom
the asker does not know, `truth` decides, and its words are told without the names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from domain.engine.redact import names, scrub_text
from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Id, Json
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.reading import read, read_ruling

EXAMPLES = 24
"""Legal inputs that are listed for one option."""

TRIED = 400
"""Candidates that are tried for one option."""

NOTHING_FITS = Illegal("", "nothing-fits", "there is nothing now that it could be done with")


@dataclass(frozen=True)
class Offer:
    """What `options` says about one option of `who` ("" = the GM).

    `legal` are inputs that would be accepted now; `refusals` every reason when there are none.
    Neither: somebody has to think of the inputs. `prompt` None = an interjection or a ruling.
    """

    prompt: str | None
    kind: str
    option: Option
    legal: tuple[Mapping[str, Json], ...]
    refusals: tuple[Illegal, ...]
    who: Id = ""


def offer(
    play: Play, who: Id, option: Option, prompt: str | None, kind: str, truth: Play | None = None
) -> Offer:
    """Try the option's candidates with the checks that refuse."""
    truth = truth or play
    reading = read_ruling if kind == "ruling" else read
    legal: list[Mapping[str, Json]] = []
    reasons: dict[tuple[str, str], Illegal] = {}
    tried = 0
    for raw in _candidates(play, who, option, truth):
        if tried == TRIED or len(legal) == EXAMPLES:
            break
        tried += 1
        against = list(refusals(play, who, option, reading(raw, option.inputs), truth))
        if against:
            for refusal in against:
                reasons.setdefault((refusal.rule, refusal.code), refusal)
        else:
            legal.append(raw)
    if not tried and who:
        for refusal in _without_inputs(play, who, option, truth):
            reasons.setdefault((refusal.rule, refusal.code), refusal)
    return Offer(prompt, kind, option, tuple(legal), () if legal else tuple(reasons.values()), who)


def _candidates(play: Play, who: Id, option: Option, truth: Play) -> list[Mapping[str, Json]]:
    try:
        return list(option.candidates(play, who))
    except (Unknown, KeyError) as missing:
        unseen = _unseen(play, truth, missing)
        found = option.candidates(truth, who)
        return [raw for raw in found if not _tells(msgspec.to_builtins(raw), unseen)]


def _without_inputs(play: Play, who: Id, option: Option, truth: Play) -> list[Illegal]:
    """Why it cannot be done with anything, as far as that hangs on no input."""
    found: list[Illegal] = []
    try:
        for refusal in refusals(play, who, option, read({}, option.inputs), truth):
            found.append(refusal)
    except Malformed:
        pass  # more than this hangs on what is put in
    return found or [NOTHING_FITS]


def refusals(play: Play, who: Id, option: Option, inputs: Any, truth: Play) -> Iterator[Illegal]:
    """Every reason against it, in the rulebook's order; raises `Unknown` for an unknown name."""
    try:
        yield from option.refusals(play, who, inputs)
    except (Unknown, KeyError) as missing:
        name = _name(missing)
        if _tells(msgspec.to_builtins(inputs), frozenset({name})):
            if isinstance(missing, Unknown):
                raise
            raise Unknown("combatant", name, tuple(play.combat.combatants)) from None
        unseen = _unseen(play, truth, missing)
        for one in option.refusals(truth, who, inputs):
            yield _without_names(one, unseen)


def _unseen(play: Play, truth: Play, missing: Unknown | KeyError) -> frozenset[Id]:
    """Who is there in truth only; raises what is missing when that is nobody of them."""
    unseen = frozenset(truth.combat.combatants) - frozenset(play.combat.combatants)
    if _name(missing) not in unseen:
        raise missing
    return unseen


def _name(missing: Unknown | KeyError) -> str:
    return str(missing.name if isinstance(missing, Unknown) else missing.args[0])


def _tells(raw: Json, unseen: frozenset[Id]) -> bool:
    match raw:
        case str():
            return names(raw, unseen)
        case dict():
            return any(_tells(one, unseen) for pair in raw.items() for one in pair)
        case list() | tuple():
            return any(_tells(one, unseen) for one in raw)
        case _:
            return False


def _without_names(one: Illegal, unseen: frozenset[Id]) -> Illegal:
    allowed = tuple(name for name in one.allowed if not names(name, unseen))
    return Illegal(one.rule, one.code, scrub_text(one.detail, unseen), allowed)
