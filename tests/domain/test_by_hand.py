"""Test each ruling of the GM, and the examples that it proposes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Illegal, Malformed, Unknown
from domain.record.combat import Combat, Combatant, Place, Track
from domain.record.events import ConditionLost, Damaged, FactSet, Healed, Moved
from domain.rulebook.catalogue import Blows
from domain.rulebook.gm import RULINGS, Harm, damage, foes, is_of
from domain.rulebook.markers import MOST
from domain.rulebook.play import Play
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
from tests.spec import GM, Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(TOY).given(ANN, BOB, CYD, declare=False).begin()


def proposed(spec: Spec, ruling: str) -> list[Mapping[str, Any]]:
    """Return the inputs that the GM's options propose for a ruling."""
    return [
        dict(raw)
        for offer in spec.live.all_options(GM)
        if offer.option.id == ruling
        for raw in offer.legal
    ]


def test_healing_goes_up_to_the_maximum(spec: Spec) -> None:
    spec.rule("damage", combatant="bob", amount=6).rule("heal", combatant="bob", amount=4)
    assert (spec.event(Healed).amount, spec.hp("bob")) == (4, 8)
    spec.rule("heal", combatant="bob", amount=4)
    assert (spec.event(Healed).amount, spec.hp("bob")) == (2, 10)


def test_points_of_a_rulebook_without_hit_points_go_off_its_first_pool() -> None:
    def hurt(track: str | None, *pools: str) -> str:
        tracks = {pool: Track(5, 5) for pool in pools}
        combat = Combat(combatants={"ann": Combatant("ann", "Ann", "us", tracks=tracks)})
        (event,) = damage(Play(TOY, combat), "", Harm("ann", 1, track))
        assert isinstance(event, Damaged)
        return event.track

    assert hurt(None, "mana", "hp") == "hp"
    assert hurt(None, "wounds", "mana") == "wounds"
    assert hurt("mana", "wounds", "mana") == "mana"
    assert hurt("mana", "hp", "mana") == "mana"
    for pools in (("hp",), ()):
        with pytest.raises(Unknown):
            hurt("mana", *pools)


def test_a_condition_is_ended_where_it_holds(spec: Spec) -> None:
    spec.rule("set-condition", combatant="bob", condition="dazed")
    assert proposed(spec, "end-condition") == [
        {"combatant": "bob", "condition": "dazed", "key": "dazed"}
    ]
    with spec.raises(Unknown) as caught:
        spec.rule("end-condition", combatant="bob", condition="down")
    assert caught[0].known == ("dazed",)
    spec.rule("end-condition", combatant="bob", condition="dazed")
    assert not spec["bob"].has("dazed")
    assert spec.event(ConditionLost).reason == "ruling"


def test_a_condition_is_one_of_the_rulebook(spec: Spec) -> None:
    with spec.raises(Malformed) as caught:
        spec.rule("set-condition", combatant="bob", condition="blessed")
    assert caught[0].pointer == "/inputs/condition"
    assert "dazed" in caught[0].allowed
    assert not spec["bob"].conditions


def test_put_somewhere_by_force(spec: Spec) -> None:
    spec.rule("move", combatant="bob", to=[3, 4])
    assert spec["bob"].position == (3, 4, 0)
    assert spec.event(Moved).forced
    spec.rule("move", combatant="bob", to=None)
    assert spec["bob"].position is None


def test_what_is_left_of_a_turn_is_of_a_kind_that_there_is() -> None:
    rulebook = replace(TOY, catalogue=replace(TOY.catalogue, budget={"main": "a deed"}))
    spec = Spec(rulebook).given(ANN, BOB, declare=False).begin()
    spec.rule("set-budget", combatant="bob", budget={"main": 2})
    assert spec["bob"].budget == {"main": 2}
    with spec.raises(Malformed) as caught:
        spec.rule("set-budget", combatant="bob", budget={"main": 1, "free": 1})
    assert (caught[0].pointer, caught[0].allowed) == ("/inputs/budget/free", ("main",))


def test_what_is_remembered_is_repaired_or_forgotten(spec: Spec) -> None:
    spec.rule("set-fact", combatant="bob", key="snapped", value=True)
    spec.rule("set-fact", key="dashing", value="ann")
    assert (spec["bob"].facts, spec.combat.facts) == ({"snapped": True}, {"dashing": "ann"})
    for wrong in ({"key": "snapped"}, {"key": "dashing", "combatant": "bob"}):
        with spec.raises(Unknown):
            spec.rule("set-fact", value=None, **wrong)
    spec.rule("set-fact", combatant="bob", key="snapped", value=None)
    assert spec.event(FactSet).value is None
    assert spec["bob"].facts == {}


def test_whoever_had_a_place_keeps_it_in_the_order_that_is_set() -> None:
    spec = Spec(TOY).given(ANN, BOB, CYD, declare=False)
    spec.begin().act("ann", "wait")
    spec.rule("set-order", order=["cyd", "ann", "bob"])
    assert spec.combat.queue == (Place("cyd"), Place("ann"), Place("bob"))
    with spec.raises(Unknown):
        spec.rule("set-order", order=["cyd", "eve"])


@pytest.mark.parametrize(
    ("purpose", "name", "is_one"),
    [
        ("attack", "attack", True),
        ("attack", "attack-2", False),
        ("skill-<name>", "skill-climb", True),
        ("skill-<name>", "skill-<name>", True),
        ("skill-<name>", "skill-", False),
        ("skill-<name>", "climb", False),
    ],
)
def test_the_purpose_of_a_roll(purpose: str, name: str, is_one: bool) -> None:
    assert is_of(purpose, name) is is_one


def test_a_roll_of_no_purpose_is_not_set(spec: Spec) -> None:
    with spec.raises(Unknown):
        spec.rule("force-roll", combatant="ann", purpose="dance", faces=[1])
    anything = Spec(replace(TOY, purposes=())).given(ANN, BOB, declare=False).begin()
    anything.rule("force-roll", combatant="ann", purpose="dance", faces=[1])
    assert [forced_roll.purpose for forced_roll in anything.combat.forced] == ["dance"]


def test_what_is_proposed(spec: Spec) -> None:
    everybody = ("ann", "bob", "cyd")
    assert proposed(spec, "damage") == [
        {"combatant": who, "amount": amount} for amount in (1, 7) for who in everybody
    ]
    assert proposed(spec, "move") == []
    play = Play(TOY, spec.combat)
    assert list(foes("a", "b")(play, "")) == [
        {"a": "ann", "b": "bob"}, {"a": "ann", "b": "cyd"},
        {"a": "bob", "b": "ann"}, {"a": "cyd", "b": "ann"},
    ]  # fmt: skip
    spec.rule("set-marker", combatant="bob", text="burning")
    assert proposed(spec, "remove-marker") == [{"combatant": "bob", "marker": "gm-1"}]
    assert proposed(spec, "set-marker") == [
        {"combatant": who, "text": "Look here", "shown_to": shown_to}
        for shown_to in ("all", "gm")
        for who in everybody
    ]


def test_one_blow_on_several_is_proposed_for_all_and_for_each_side(spec: Spec) -> None:
    targets = [["ann", "bob", "cyd"], ["ann"], ["bob", "cyd"]]
    assert proposed(spec, "several") == [
        {
            "ruling": "damage",
            "inputs": {"amount": 1},
            "targets": [{"combatant": who} for who in group],
        }
        for group in targets
    ]
    spec.do(Change("ann", side="foes"))
    assert [len(inputs["targets"]) for inputs in proposed(spec, "several")] == [3, 3]
    without = replace(TOY, rulings={"several": RULINGS["several"]})
    assert proposed(Spec(without).given(ANN), "several") == []


def test_more_than_a_form_takes_is_not_proposed() -> None:
    """A ruling takes at most 100 targets. With more combatants, it proposes each side."""
    crowd = [{**BOB, "name": f"Bob {number}"} for number in range(100)]
    spec = Spec(TOY).given(ANN, *crowd, declare=False).begin()
    assert [len(inputs["targets"]) for inputs in proposed(spec, "several")] == [1, 100]
    with spec.raises(Malformed) as raised:
        spec.rule("several", ruling="damage", targets=[{"combatant": "ann"}] * 101)
    assert raised[0].pointer == "/inputs/targets"


def test_what_several_can_be_ruled_on_is_said(spec: Spec) -> None:
    with spec.raises(Unknown) as caught:
        spec.rule("several", ruling="smite", targets=[{"combatant": "ann"}])
    assert "damage" in caught[0].known
    assert not {"set-order", "several"} & set(caught[0].known)


def test_what_is_about_nobody_is_not_ruled_on_several(spec: Spec) -> None:
    with spec.raises(Malformed) as caught:
        spec.rule("several", ruling="set-order", targets=[{"combatant": "ann"}])
    assert caught[0].pointer == "/inputs/ruling"
    assert "damage" in caught[0].allowed


def test_what_one_of_several_refuses_is_done_to_none(spec: Spec) -> None:
    for _ in range(MOST):
        spec.rule("set-marker", combatant="bob", text="burning")
    targets = [{"combatant": "ann"}, {"combatant": "bob"}]
    with spec.raises(Illegal) as caught:
        spec.rule("several", ruling="set-marker", inputs={"text": "wet"}, targets=targets)
    assert (caught[0].code, caught[0].detail) == ("too-many-markers", "bob has 20 markers already")
    assert not spec["ann"].markers


def test_nobody_is_proposed_where_nobody_is() -> None:
    assert list(RULINGS["several"].candidates(Play(TOY, Combat()), "")) == []


def test_hits_are_hits_critical_or_not() -> None:
    blows = Blows(hits=("hit",), criticals=("critical",), threats=("threat",))
    assert [blows.is_hit(name) for name in ("hit", "critical", "threat", "miss", "")] == [
        True, True, True, False, False,
    ]  # fmt: skip
