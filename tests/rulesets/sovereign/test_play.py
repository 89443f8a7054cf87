"""Test fold, rebuild, undo and redo during random legal play."""

import os
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.rulesets.sovereign import RULESET
from service.conformance.walker import Walker
from tests.forms import forms
from tests.rulesets.sovereign.fight import MAP, fight
from tests.spec import Spec

LONG = os.environ.get("AFFRAY_FUZZ") == "long"


@forms("fights", 2, long=[200 if LONG else 8])
def test_random_play_keeps_the_promises(fights: int) -> None:
    seeds = given(st.integers(0, 2**32), st.sampled_from(["ask", "default"]))
    settings(max_examples=fights)(seeds(keeps_the_promises))()


def keeps_the_promises(seed: int, rulings: str) -> None:
    options: dict[str, Any] = {
        "rulings": rulings,
        "ask_modifiers": seed % 2 == 0,
        "ask_screen_feasible": seed % 3 == 0,
        "ask_free_actions_after": 1,
        "ask_instant_actions_after": 1,
        "ask_weapon_swaps_after": 1,
    }
    spec = Spec(RULESET).given(*fight(), map=MAP, **options)
    walker = Walker(spec, Random(seed), gm=0.1)
    walker.walk(90)
    assert walker.fired.commands > 20 or spec.combat.status == "ended"
