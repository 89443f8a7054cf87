"""A ruling that changes nothing is refused with a reason, in every rulebook."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from domain.engine.commands import Rule
from domain.errors import Illegal, Refused
from domain.record.combat import Combatant
from tests.walks import FIGHTS, begin


def idle(one: Combatant) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Rulings with what is so already."""
    name, pool = next(iter(one.tracks.items()))
    yield "set-track", {"track": name, "value": pool.value}
    yield "set-budget", {"budget": dict(one.budget)}
    yield "force-roll", {"purpose": "attack", "faces": []}


@pytest.mark.parametrize("ruleset", FIGHTS)
def test_what_is_so_already_is_refused(ruleset: str) -> None:
    spec = begin(ruleset, 1)
    one = next(iter(spec.combat))
    for ruling, inputs in idle(one):
        with spec.raises(Refused) as caught:
            spec.do(Rule(ruling, {"combatant": one.id, **inputs}))
        if ruling != "force-roll":  # the rulebook may not know the purpose
            assert isinstance(caught[0], Illegal), ruling
            assert caught[0].code == "nothing-changes"
            assert "would change nothing: " in caught[0].detail


@pytest.mark.parametrize("ruleset", FIGHTS)
def test_nothing_is_recorded_of_it(ruleset: str) -> None:
    spec = begin(ruleset, 1)
    one = next(iter(spec.combat))
    name, pool = next(iter(one.tracks.items()))
    before = spec.live.version
    inputs = {"combatant": one.id, "track": name, "value": pool.value}
    with spec.raises(Illegal) as caught:
        spec.do(Rule("set-track", inputs, "to be sure"))
    assert caught[0].detail.endswith(f"would change nothing: {name} of {one.id} stays as it is")
    assert spec.live.version == before
