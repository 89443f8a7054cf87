"""Acts and prompts of hidden combatants stay secret: pairs of random fights, step by step.

Two fights differ in the sheet of a hidden foe in the middle of the fight. Its zone stops walkers,
it is asked, strikes, holds and casts. All events are the same in both. After each command a player
reads the same of both, to the byte, also while the hidden foe is asked.
"""

import os
from random import Random
from typing import Any

import pytest

from domain.dice import parse
from domain.engine.commands import Begin, Close, Command, Join, Joining, Open, Reply
from domain.errors import Refused
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from tests.projections.test_noninterference import seen
from tests.spec import MANUAL, Spec, offer
from tests.walks import FIGHTS

LONG = os.environ.get("AFFRAY_FUZZ") == "long"
SEEDS, STEPS = (40, 120) if LONG else (1, 45)

HEALTH = {"hallowed-earth": "max_wound_points"}
"""The hidden combatant's pool is secret. It is large enough that it does not fall."""


class Pair:
    """The same fight twice, but for what the hidden one is."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        sheets = FIGHTS[ruleset.id]()
        seen, hidden = sheets[:4], sheets[-1]
        self.hidden = hidden["name"]
        self.random = Random(seed)
        self.asked = 0
        self.specs = Spec(ruleset), Spec(ruleset)
        joining = tuple(Joining({**one, "owner": "anna"} if not at else one)
                        for at, one in enumerate(seen))  # fmt: skip
        options = {"death_roll": "all-equal"} if ruleset.id == "definitions" else {}
        self.do(Open(ruleset.id, "test", {"rulings": "default", **options}, MANUAL, (), None,
                     joining))  # fmt: skip
        for spec, health in zip(self.specs, (700, 900), strict=True):
            unlike = {HEALTH.get(ruleset.id, "max_hp"): health}
            spec.do(Join(Joining({**hidden, **unlike}, hidden=True)))
        self.do(Begin())

    def do(self, *commands: Command) -> None:
        """One command for both, or one for each."""
        for spec, command in zip(self.specs, (commands * 2)[:2], strict=True):
            spec.do(command)

    def step(self) -> bool:
        """One answer that both may give; False when nothing is asked."""
        first, second = (spec.live.open_prompts() for spec in self.specs)
        assert list(first) == list(second)
        if not first:
            return False
        combat = self.specs[0].combat
        waiting = [id for id in first if combat.prompts[id].answer is None]
        if not waiting:
            return False
        id = self.random.choice(waiting)
        self.asked += first[id].who == self.hidden
        if first[id].kind == "roll":
            self.do(*(self.roll(id, prompts[id]) for prompts in (first, second)))
        elif first[id].default is not None and (
            first[id].who in (self.hidden, None) and self.random.random() < 0.5
        ):
            self.do(Close((id,)))
        else:
            self.do(self.answer(id, first[id]))
        return True

    def roll(self, id: str, prompt: Prompt) -> Reply:
        """The same faces for the same dice."""
        luck = Random(f"{id} {len(self.specs[0].live.history.path)}")
        dice = [abs(die) for die in parse(prompt.data["formula"]).dice]
        return Reply(id, None, {"faces": [luck.randint(1, die) for die in dice]})

    def answer(self, id: str, prompt: Prompt) -> Reply:
        """An answer that is legal in both."""
        legal = [
            (option.id, inputs)
            for option in prompt.options
            for inputs in self.legal(0, option, prompt)
            if inputs in self.legal(1, option, prompt)
        ]
        return Reply(id, *self.random.choice(legal))

    def legal(self, number: int, option: Any, prompt: Prompt) -> Any:
        spec = self.specs[number]
        play = Play(spec.ruleset, spec.combat)
        return offer(play, prompt.who or "", option, None, prompt.kind).legal


@pytest.mark.parametrize("ruleset", FIGHTS)
def test_what_the_hidden_hold_is_not_told(ruleset: str) -> None:
    asked = 0
    for seed in range(SEEDS):
        pair = Pair(installed()[ruleset], seed)
        for number in range(STEPS):
            assert seen(pair.specs[0]) == seen(pair.specs[1]), (seed, number)
            try:
                if not pair.step():
                    break
            except Refused as refused:
                raise AssertionError(f"{seed} {number}: {refused!r}") from refused
        asked += pair.asked
    assert asked
