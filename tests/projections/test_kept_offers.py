"""Offers that are kept are, to the byte, those that would be found anew."""

from random import Random

import msgspec
import pytest

from domain.rulesets import installed
from projections.eyes import Eyes
from projections.kept_offers import KeptOffers
from projections.offers import offers
from tests.projections.test_lines import audiences, walked
from tests.walks import FIGHTS


@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
def test_kept_offers_are_those_that_would_be_found(ruleset: str) -> None:
    random = Random(5)
    kept: dict[str, KeptOffers] = {}
    compared = 0
    for spec in walked(installed()[ruleset], 5):
        live = spec.live
        for caller in random.sample(audiences(list(live.combat.combatants)[:4]), 2):
            eyes = Eyes(live.history, caller)
            refused = random.random() < 0.5
            mine = kept.setdefault(caller.token, KeptOffers(live.ruleset, caller))
            played = [one.id for one in live.known(caller) if caller.plays_of(one.id, one.owner)]
            for who in (None, *random.sample(played, min(2, len(played)))):
                fresh = msgspec.json.encode(offers(live, eyes, who, refused))
                assert msgspec.json.encode(mine.of(live, who, refused)) == fresh, (caller, who)
                compared += len(fresh) > 100
    assert compared > 30
