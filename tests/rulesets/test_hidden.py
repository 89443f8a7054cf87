"""Test that no player discovers a hidden combatant without paying.

In random fights with a hidden combatant, the test tries every command that a player may send. If
only the hidden combatant forbids a command, the action begins, is paid for, and stops. The tests
in `tests/projections` compare pairs of fights. They cannot check the price, because a stopped move
may differ between the two fights.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.engine.options import candidates, fitting
from domain.engine.redaction import redact
from domain.engine.refusals import refusals
from domain.record.combat import Combat, Combatant
from domain.record.events import Spent
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.reachability import ways
from service.conformance.walker import Walker
from tests.forms import forms
from tests.spec import Spec
from tests.walks import FIGHTS, begin

ANNA = Caller("p1", "player", owner="anna")
MOST = 60
"""Maximum number of inputs to try for an option."""

WAITS = ("not-your-turn",)
"""Refusals that reveal nobody: a player waits while the GM has a prompt."""


def inputs(known: Play, truth: Play, who: str, option: Option) -> Iterator[Any]:
    """Yield inputs that a player may choose: the candidates, and every square within reach."""
    yield from candidates(known, who, option, truth)[:MOST]
    way = None if option.ways is None else option.ways(known, who)
    if way is not None:
        for _, there in zip(range(MOST), ways(way), strict=False):
            yield {"path": [list(square) for square in there.path]}


def stopped_by_the_hidden(
    spec: Spec, me: Combatant, hidden: Combatant
) -> Iterator[tuple[Option, Any]]:
    """Yield options and inputs that seem legal to `me`, but that the true state forbids."""
    combatant = replace(me, owner="anna")
    combat = with_these(spec.combat, combatant, replace(hidden, hidden=True))
    truth = Play(spec.ruleset, combat)
    known = Play(spec.ruleset, redact(spec.ruleset, combat, ANNA))
    for prompt in spec.live.open_prompts().values():
        if prompt.who != me.id or prompt.kind != "turn":
            continue
        for option in prompt.options:
            for raw in inputs(known, truth, me.id, option):
                given = fitting(raw, option)
                if given is None or any(refusals(known, me.id, option, given, truth)):
                    continue
                stop = next(option.refusals(truth, me.id, given), None)
                if stop is not None and stop.code not in WAITS:
                    yield option, raw


def with_these(combat: Combat, *changed: Combatant) -> Combat:
    return replace(
        combat,
        combatants={**combat.combatants, **{combatant.id: combatant for combatant in changed}},
    )


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
@forms("seeds", [1], long=[range(3)])
def test_what_the_hidden_stop_is_paid(ruleset: str, seeds: Iterable[int]) -> None:
    met: Counter[str] = Counter()
    for seed in seeds:
        spec = begin(ruleset, seed)
        walker = Walker(spec, Random(seed), gm=0.1)
        for number in range(60):
            if not walker.step():
                break
            if number % 6 == 3:
                paid(spec, met)
    if ruleset in ("definitions", "free-hit", "sovereign"):
        assert met


def paid(spec: Spec, met: Counter[str]) -> None:
    """Check that a combatant pays for each kind of action that a hidden combatant stops.

    If the action opens another prompt instead, the check also passes.
    """
    for me in list(spec.combat):
        for hidden in [combatant for combatant in spec.combat if combatant.side != me.side]:
            tried: set[str] = set()
            for option, raw in stopped_by_the_hidden(spec, me, hidden):
                if option.id in tried:
                    continue
                tried.add(option.id)
                met[option.id] += 1
                branch = Spec(spec.ruleset)
                branch.live = spec.live
                branch.do(Change(me.id, owner="anna"))
                branch.do(Change(hidden.id, hidden=True))
                branch.do(Act(me.id, option.id, raw), by=ANNA)
                asked = [prompt for prompt in branch.open() if prompt[1] not in ("turn", "act")]
                told = [type(event).__name__ for event in branch.told()]
                assert branch.events(Spent, who=me.id) or asked, (option.id, raw, told)
