"""What could be done now: every option of a combatant, tried with the checks that refuse."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.ruleset import read

EXAMPLES = 24
"""Legal inputs that are listed for one option."""

TRIED = 400
"""Candidates that are tried for one option."""


@dataclass(frozen=True)
class Offer:
    """What `options` says about one option.

    `legal` are inputs that would be accepted now; `refusals` every reason when there are none.
    `prompt` None = an interjection.
    """

    prompt: str | None
    kind: str
    option: Option
    legal: tuple[Mapping[str, Json], ...]
    refusals: tuple[Illegal, ...]


def offer(play: Play, who: Id, option: Option, prompt: str | None, kind: str) -> Offer:
    """Try the option's candidates with the checks that refuse."""
    legal: list[Mapping[str, Json]] = []
    refusals: dict[tuple[str, str], Illegal] = {}
    for tried, raw in enumerate(option.candidates(play, who)):
        if tried == TRIED or len(legal) == EXAMPLES:
            break
        against = list(option.refusals(play, who, read(raw, option.inputs)))
        if against:
            for refusal in against:
                refusals.setdefault((refusal.rule, refusal.code), refusal)
        else:
            legal.append(raw)
    return Offer(prompt, kind, option, tuple(legal), () if legal else tuple(refusals.values()))
