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
from domain.rulebook.prompts import Option
from domain.rulebook.ruleset import Ruleset
from projections.offers import Offers, OfferView, chosen, is_shown, view
from projections.schemas import Schemas

MOST: Final = 4 * 1024 * 1024
"""Bytes of kept offers of one audience."""

OVERHEAD: Final = 3 * 1024
"""Bytes of what is kept beside an offer: what it has read."""

VIEW: Final = 256
"""Bytes of an offer's view without its parts."""


class KeptOffers:
    """One caller's offers, of one state after the other."""

    def __init__(self, ruleset: Ruleset, caller: Caller) -> None:
        self._ruleset, self._caller = ruleset, caller
        self._sight = Sight(ruleset, caller)
        self._whole = self._known = Combat()
        self._kept = Kept[Any](_weight, MOST)

    @property
    def weight(self) -> int:
        """Bytes of what is kept, by estimate."""
        return self._kept.weight

    def of(self, live: Live, who: Id | None = None, refused: bool = False) -> Offers:
        """What `offers` gives, in parts as JSON: to be read by nobody but an encoder."""
        if live.combat is not self._whole:
            self._known, self._whole = self._sight.of(live.combat), live.combat
            self._kept.at(self._known, self._whole)
        if who is None or not self._caller.plays(self._known, self._known[who].id):
            return self._find_all(live, who, refused)
        asked = live.asked_of(who)
        ids: list[str | None] = [None, *(id for id, _ in asked)]
        options = tuple(prompt.options for _, prompt in asked)
        kinds = tuple(prompt.kind for _, prompt in asked)

        def find() -> All:
            found = self._find_all(live, who, refused)
            prompts = tuple(ids.index(one.prompt) for one in found.options)
            return All(found, prompts, options, OVERHEAD + sum(map(len, options)) * VIEW)

        key = who, refused, kinds, tuple(tuple(map(id, some)) for some in options)
        known: All = self._kept.together(key, find)
        views = zip(known.offers.options, known.prompts, strict=True)
        shown = tuple([replace(one, prompt=ids[number]) for one, number in views])
        return Offers(shown, known.offers.schemas)

    def _find_all(self, live: Live, who: Id | None, refused: bool) -> Offers:
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
        key = asked, choice.who, choice.kind, choice.unasked, refused
        shown: Shown = self._kept.anew(make) if asked is None else self._kept.get(key, make)
        return shown


class Shown(Struct, frozen=True):
    """What is told of a choice, for any prompt; None = nothing."""

    view: OfferView | None
    weight: int


class All(Struct, frozen=True):
    """All that is told of somebody's choices; `prompts`: which of its open prompts each answers, 0
    = none. Holding the `options` of these keeps their ids from being used again."""

    offers: Offers
    prompts: tuple[int, ...]
    options: tuple[tuple[Option, ...], ...]
    weight: int


def _weight(made: Shown | All) -> int:
    return made.weight


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
