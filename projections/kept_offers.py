"""kept_offers: what may be done now, for one audience, of which only that is found again which may
have changed.

What was found is kept as bytes, with what was read to find it (`domain.engine.keep`). Each audience
has its own: what one may know decides nothing for another.
"""

from collections.abc import Hashable
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.fixed import is_fixed
from domain.engine.keep import Kept
from domain.engine.live import Live
from domain.engine.options import Choice, tried
from domain.engine.redact import Sight
from domain.record.combat import Combat, Id
from domain.rulebook.action import Action
from domain.rulebook.once import looking
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Ruleset
from projections.offers import Offers, OfferView, chosen, is_shown, view
from projections.schemas import Schemas

MOST: Final = 4 * 1024 * 1024
"""Bytes of kept offers of one audience."""

OVERHEAD: Final = 3 * 1024
"""Bytes of what is kept beside an offer: what it has read."""


class KeptOffers:
    """One caller's offers, of one state after the other."""

    def __init__(self, ruleset: Ruleset, caller: Caller) -> None:
        self._ruleset, self._caller = ruleset, caller
        self._sight = Sight(ruleset, caller)
        self._whole = self._known = Combat()
        self._kept = Kept[Shown](_weight, MOST)

    @property
    def weight(self) -> int:
        """Bytes of what is kept, by estimate."""
        return self._kept.weight

    def of(self, live: Live, who: Id | None = None, refused: bool = False) -> Offers:
        """What `offers` gives, in parts as JSON: to be read by nobody but an encoder."""
        if live.combat is not self._whole:
            self._known, self._whole = self._sight.of(live.combat), live.combat
            self._kept.at(self._known, self._whole)
        schemas = Schemas(self._ruleset)
        found = []
        with looking():
            for choice in chosen(live, self._known, self._caller, who, refused):
                shown = self._shown(choice, refused)
                if shown.view is not None:
                    inputs = schemas.key(choice.option.inputs)
                    found.append(replace(shown.view, prompt=choice.prompt, inputs=inputs))
        return Offers(tuple(found), schemas.written())

    def _shown(self, choice: Choice, refused: bool) -> "Shown":
        make = partial(_find, self._ruleset, choice, refused)
        asked = _asked(self._ruleset, choice)
        if asked is None:
            return make(self._known, self._whole)
        return self._kept.get((asked, choice.who, choice.kind, choice.unasked, refused), make)


class Shown(Struct, frozen=True):
    """What is told of a choice, for any prompt; None = nothing."""

    view: OfferView | None
    weight: int


def _weight(shown: Shown) -> int:
    return shown.weight


def _find(ruleset: Ruleset, choice: Choice, refused: bool, known: Combat, truth: Combat) -> Shown:
    play = Play(ruleset, known)
    offer = tried(choice, play, Play(ruleset, truth), every=refused)
    if not is_shown(offer, refused):
        return Shown(None, OVERHEAD)
    plain = view(play, offer, Schemas(ruleset))
    parts: dict[str, Any] = {
        name: msgspec.json.encode(getattr(plain, name))
        for name in ("examples", "candidates", "refusals")
    }
    weight = OVERHEAD + sum(map(len, parts.values()))
    return Shown(replace(plain, **{name: Raw(part) for name, part in parts.items()}), weight)


def _asked(ruleset: Ruleset, choice: Choice) -> Hashable | None:
    """What makes a choice the same in another state: an action or a ruling of the rulebook, or an
    option whose functions know no more than what they are given. None = a question's own."""
    option = choice.option
    own = ruleset.rulings if choice.kind == "ruling" and not choice.prompt else ruleset.actions
    if own.get(option.id) is option:
        return option.id
    if isinstance(option, Action) or not is_fixed((option.refusals, option.candidates)):
        return None
    return option.id, option.label, option.inputs, option.refusals, option.candidates
