"""Test in pairs of random fights that a hidden foe's actions and prompts stay secret.

Two fights differ in the sheet of a hidden foe. The foe's zone stops walkers. The foe gets
prompts, and it strikes, holds its action, and casts spells. All events are equal in both fights.
After each command, a player's reads are equal in both fights, byte for byte. This is also true
while the hidden foe has a prompt.
"""

import os
from collections.abc import Mapping

import pytest

from domain.engine.commands import Joining, Open
from domain.errors import Refused
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from service.conformance.secrecy import Pair
from tests.forms import forms
from tests.spec import MANUAL
from tests.walks import FIGHTS

LONG = os.environ.get("AFFRAY_FUZZ") == "long"
SEEDS, STEPS = (40, 120) if LONG else (1, 45)
SHORT = ("free-hit", "sovereign")

HEALTH: Mapping[str, str] = {"hallowed-earth": "max_wound_points"}
"""The hidden combatant's secret pool, which is so large that the combatant does not fall."""


def begun(ruleset: Ruleset, seed: int) -> Pair:
    """Begin two fights that differ in the sheet of the hidden foe."""
    sheets = FIGHTS[ruleset.id]()
    seen, hidden = sheets[:4], sheets[-1]
    joining = tuple(
        Joining({**sheet, "owner": "anna"} if not at else sheet) for at, sheet in enumerate(seen)
    )
    options = {"death_roll": "all-equal"} if ruleset.id == "definitions" else {}
    opens = Open(ruleset.id, "test", {"rulings": "default", **options}, MANUAL, (), None, joining)
    health = HEALTH.get(ruleset.id, "max_hp")
    return Pair(ruleset, opens, [{**hidden, health: points} for points in (700, 900)], seed)


@pytest.mark.sampled
@forms("ruleset", *SHORT, long=sorted({*FIGHTS} - {*SHORT}))
def test_what_the_hidden_hold_is_not_told(ruleset: str) -> None:
    asked = 0
    for seed in range(SEEDS):
        pair = begun(installed()[ruleset], seed)
        for number in range(STEPS):
            try:
                pair.same()
                if not pair.step():
                    break
            except Refused as refused:
                raise AssertionError(f"{seed} {number}: {refused!r}") from refused
        asked += pair.asked
    assert asked
