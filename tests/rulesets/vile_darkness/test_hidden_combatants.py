"""Test moves that a hidden combatant on the path stops."""

import pytest

from domain.record.events import Prevented, Rolled, Stopped
from tests.rulesets.vile_darkness.units import announce, begin, close, foe, hero, until
from tests.spec import Spec, rule

WALK = {"walk": {"rate": 60}}


def ambush(spec: Spec) -> Spec:
    """Begin with Lurk hidden between Ana and the Orc."""
    ana = hero("Ana", at=[0, 0], movement=WALK)
    spec.given(ana, foe("Orc", at=[4, 0]), foe("Lurk", at=[2, 0]), hidden=("Lurk",))
    return announce(spec)


def stopped(spec: Spec, at: tuple[int, int, int] = (1, 0, 0)) -> None:
    """Check that Ana has paid, stops next to Lurk, and learns that her path is blocked."""
    assert not spec.events(Prevented)
    assert (spec["Ana"].position, spec["Ana"].budget["major"]) == (at, 0)
    assert spec.event(Stopped, who="Ana").reason == "path-blocked"


@rule("VD-GRID-04", "VD-MAJ-02")
@pytest.mark.parametrize("path", [[[3, 0]], [[2, 0]], [[1, 0], [2, 0], [3, 3]]])
def test_a_move_stops_before_somebody_hidden(spec: Spec, path: list[list[int]]) -> None:
    until(close(ambush(spec), 5, 2), "group/HIGH/D4")
    stopped(spec.act("Ana", "move", path=path))
    assert [gait["ft"] for gait in spec["Ana"].facts["moved"]] == [5]


@rule("VD-GRID-04", "VD-FAST-07")
def test_a_charge_stops_before_somebody_hidden(spec: Spec) -> None:
    close(ambush(spec).act("Ana", "charge", target="Orc"), 5, 2)
    stopped(until(spec, "fast/C/HIGH").act("Ana", "charge"))
    assert not spec.events(Rolled)  # the Orc is out of reach


@rule("VD-GRID-03")
def test_nobody_learns_by_its_blow_who_shares_its_square(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Lurk", at=[0, 0]), hidden=("Lurk",)
    )
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")  # 2 misses AC 5, which needs 10
    assert spec.event(Rolled, who="Ana").outcome == "miss"


@rule("VD-GRID-03")
def test_the_hidden_know_who_shares_their_square(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Lurk", at=[0, 0]), hidden=("Lurk",))
    begin(spec, 2, 5)
    with spec.refused("VD-GRID-03", "square-shared"):
        spec.act("Lurk", "attack", target="Ana")


@rule("VD-GRID-04", "VD-FAST-06")
def test_a_flight_stops_before_somebody_hidden(spec: Spec) -> None:
    close(ambush(spec).act("Ana", "flee", path=[[3, 0]]), 5, 2)
    stopped(until(spec, "fast/B/HIGH").act("Ana", "flee"))


@rule("VD-GRID-04")
def test_who_is_hidden_beside_the_way_stops_nobody(spec: Spec) -> None:
    until(close(ambush(spec), 5, 2), "group/HIGH/D4")
    spec.act("Ana", "move", path=[[3, 3]])
    assert spec["Ana"].position == (3, 3, 0)
    assert not spec.events(Stopped)
