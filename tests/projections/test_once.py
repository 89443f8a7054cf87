"""Test that lookups shared between checks do not change any option."""

from contextlib import nullcontext
from random import Random

import msgspec
import pytest

from domain.engine.caller import Caller
from domain.record.combat import Combat
from domain.rulebook.state_cache import looking, once
from domain.rulesets import installed
from projections import offers as answers
from projections.eyes import Eyes
from service.conformance.walker import Walker
from tests.client import NEEDED
from tests.spec import GM, Spec
from tests.walks import FIGHTS


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
def test_options_are_the_same(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = Spec(installed()[ruleset])
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*FIGHTS[ruleset](), **NEEDED.get(ruleset, {})).begin()
    walker = Walker(spec, Random(11))
    for _ in range(4):
        for _ in range(8):
            walker.step()
        who = next(iter(spec.combat)).id
        for reader in (GM, Caller("p", "player", (who,))):
            eyes = Eyes(spec.live.history, reader)
            offers = answers.offers(spec.live, eyes, None, refused=True, reach=True)
            with monkeypatch.context() as monkey_patch:
                monkey_patch.setattr(answers, "looking", nullcontext)
                alone = answers.offers(spec.live, eyes, None, refused=True, reach=True)
            assert msgspec.json.encode(offers) == msgspec.json.encode(alone)


def test_nothing_outlives_the_look() -> None:
    made: list[str] = []

    @once
    def name(combat: Combat, who: str, suffix: str = "") -> str:
        made.append(who + suffix)
        return combat.name + who

    first, other = Combat(name="one "), Combat(name="other ")
    assert [name(first, "a"), name(first, "a")] == ["one a", "one a"]
    assert made == ["a", "a"]
    with looking():
        assert [name(first, "b"), name(first, "b"), name(other, "b")] == [
            "one b",
            "one b",
            "other b",
        ]
        with looking():
            assert (name(first, "b"), name(first, "b", suffix="!")) == ("one b", "one b")
        assert name(first, "b") == "one b"
    assert made[2:] == ["b", "b", "b!"]
    name(first, "b")
    assert made[5:] == ["b"]
