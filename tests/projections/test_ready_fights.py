"""Test in every ready fight that no first example harms an ally or helps a foe."""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.engine.commands import GmRuling, Joining, Open, Reply
from domain.errors import Refused
from domain.record.combat import DiceSettings
from domain.rulebook.party import Party
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from service.conformance.walker import Walker
from tests.forms import forms
from tests.projections.test_offers import named_by, offered
from tests.spec import GM, Spec

ID = "id-"


def opened(ruleset: Ruleset, party: Party) -> Spec:
    """Return the ready fight with ids that no text may contain."""
    joining = tuple(Joining(sheet, id=f"{ID}{number}") for number, sheet in enumerate(party.sheets))
    spec = Spec(ruleset)
    spec.prove = lambda: None  # type: ignore[method-assign]
    options = dict(party.options)
    return spec.do(Open(ruleset.id, "ready", options, DiceSettings(), (), party.map, joining))


def moments(spec: Spec) -> Iterator[Spec]:
    walker = Walker(spec, Random(3), gm=0, undo=0)
    yield spec
    for _ in range(40):
        if not walker.step():
            return
        yield spec


def aimed(spec: Spec) -> Iterator[tuple[str, bool]]:
    """Yield the offer of each proposed target, and true if the target is on the wrong side."""
    for offer in offered(spec):
        assert ID not in f"{offer.headline} {offer.label}"
        if offer.who is None or offer.polarity not in ("harm", "help"):
            continue
        side = spec.combat[offer.who].side
        first = {name: values[0] for name, values in offer.candidates.items()}
        for values in (*offer.examples[:1], first):
            for id in named_by(spec, offer, values):
                is_ally = spec.combat[id].side == side
                yield offer.id, is_ally != (offer.polarity == "help")


def previewed(spec: Spec) -> Iterator[str]:
    """Yield the lines of the preview of one action."""
    generator = (offer for offer in offered(spec) if offer.who and offer.examples and offer.prompt)
    for offer in itertools.islice(generator, 1):
        command = Reply(str(offer.prompt), offer.id, offer.examples[0])
        copy = spec.live.preview(command, spec.context()).live
        eyes = Eyes(copy.history, GM)
        after = eyes.between(spec.live.version, 1000)
        teller = Teller(copy, eyes)
        views = tuple(event_view(copy, eyes, recorded) for recorded in after)
        yield from (line.text for line in teller.lines(teller.story(views), {}))


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(installed()))
@forms("parties", 1, long=[None])
def test_ready_fights_propose_the_right_side_and_speak_in_names(
    ruleset: str, parties: int | None
) -> None:
    rulebook = installed()[ruleset]
    met = lines = 0
    for party in rulebook.parties[:parties]:
        for spec in moments(opened(rulebook, party).begin()):
            aims = list(aimed(spec))
            assert [id for id, is_wrong in aims if is_wrong] == []
            met += len(aims)
            for line in previewed(spec):
                assert ID not in line
                lines += 1
    assert met > (5 if parties else 10)
    assert lines > (5 if parties else 10)


EVERY = 12
"""One in this many moments tries the examples of all rulings."""


def refused(spec: Spec) -> Iterator[tuple[str, Any, str]]:
    """Yield the ruling examples that this moment offers but refuses, with the reasons."""
    rulings = (offer for offer in offered(spec) if offer.kind == "ruling" and not offer.prompt)
    for ruling in rulings:
        for inputs in ruling.examples:
            try:
                spec.live.preview(GmRuling(ruling.id, inputs, "because"), spec.context())
            except Refused as error:
                yield ruling.id, inputs, str(error)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(installed()))
@forms("parties", 1, long=[None])
def test_every_example_of_a_ruling_is_accepted(ruleset: str, parties: int | None) -> None:
    rulebook = installed()[ruleset]
    offers: set[str] = set()
    for party in rulebook.parties[:parties]:
        spec = opened(rulebook, party)
        assert [*refused(spec)] == []
        for later in itertools.islice(moments(spec.begin()), 0, None, EVERY):
            assert [*refused(later)] == []
            offers.update(offer.id for offer in offered(later) if offer.examples)
    assert {"damage", "set-marker"} <= offers
