"""Test the rulings of every rulebook, and the field for a ruling's combatant."""

from typing import Any

import msgspec
import pytest

from domain.engine.caller import Caller
from domain.engine.commands import GmRuling as Ruling
from domain.engine.redaction import redact
from domain.errors import Illegal, Malformed, Refused, Unknown
from domain.record.combat import Id
from domain.record.events import MarkerSet, Ruled
from domain.rulesets import installed
from projections.eyes import Eyes
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(TOY).given(ANN, BOB, declare=False).begin()


@pytest.mark.parametrize("ruleset", sorted(installed()))
def test_the_catalogue_knows_one_name_for_it(ruleset: str) -> None:
    """The field for a ruling's combatant is `combatant`, unless the ruling is also an action."""
    rulebook = installed()[ruleset]
    for id, ruling in rulebook.rulings.items():
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(ruling.inputs)}
        others = [fields.get(name) for name in ("who", "unit")]
        assert id in rulebook.actions or Id not in others, id


@pytest.mark.parametrize("ruleset", sorted(installed()))
def test_no_pool_holds_more_than_its_maximum(ruleset: str) -> None:
    """Points above the maximum of a pool are lost. A lower maximum also lowers the points."""
    rulebook = installed()[ruleset]
    party = rulebook.parties[0]
    spec = Spec(rulebook).given(*party.sheets, map=party.map, **party.options)
    combatant = next(iter(spec.combat))
    for name, pool in combatant.tracks.items():
        most = pool.maximum
        if most is None:
            continue
        if pool.value == most:
            with spec.raises(Illegal) as caught:
                spec.rule("set-track", combatant=combatant.id, track=name, value=most + 1)
            assert caught[0].code == "nothing-changes"
        else:
            spec.rule("set-track", combatant=combatant.id, track=name, value=most + 1)
        assert spec.hp(combatant.id, name) == most
        spec.rule("set-track", combatant=combatant.id, track=name, value=most + 2, maximum=most + 2)
        assert spec.hp(combatant.id, name) == most + 2
        spec.rule("set-track", combatant=combatant.id, track=name, maximum=most + 1)
        assert spec.hp(combatant.id, name) == most + 1


def test_somebody_who_has_left_is_nobody_to_rule_on(spec: Spec) -> None:
    spec.join(name="cyd", side="foes").leave("cyd")
    with spec.raises(Unknown):
        spec.rule("damage", combatant="cyd", amount=1)


def test_whom_it_is_about_is_called_combatant(spec: Spec) -> None:
    spec.do(Ruling("damage", {"combatant": "bob", "amount": 3}))
    assert spec.hp("bob") == 7  # 10 − 3
    assert spec.event(Ruled).inputs["combatant"] == "bob"


@pytest.mark.parametrize("name", ["who", "unit", "target"])
def test_old_names_are_refused(spec: Spec, name: str) -> None:
    with spec.raises(Malformed) as caught:
        spec.do(Ruling("damage", {name: "bob", "amount": 3}))
    assert caught[0].pointer == f"/inputs/{name}"


def test_two_names_at_once_are_one_too_many(spec: Spec) -> None:
    with spec.raises(Malformed):
        spec.rule("damage", combatant="bob", who="ann", amount=3)


def test_one_ruling_hurts_several_in_one_command(spec: Spec) -> None:
    before = spec.live.version
    spec.rule(
        "several",
        ruling="damage",
        inputs={"amount": 4},
        targets=[{"combatant": "ann"}, {"combatant": "bob", "inputs": {"amount": 2}}],
    )
    assert (spec.hp("ann"), spec.hp("bob")) == (6, 8)  # 10 − 4, and half for Bob: 10 − 2
    assert spec.event(Ruled).ruling == "several"
    spec.undo()
    assert spec.live.history.head == before


@pytest.mark.parametrize(
    ("inputs", "fault"),
    [
        ({"ruling": "damage", "targets": [{"combatant": "eve"}]}, Unknown),
        ({"ruling": "smite", "targets": [{"combatant": "ann"}]}, Unknown),
        ({"ruling": "set-order", "targets": [{"combatant": "ann"}]}, Malformed),
        ({"ruling": "damage", "targets": []}, Malformed),
    ],
)
def test_nothing_happens_to_anybody_when_one_part_is_wrong(
    spec: Spec, inputs: dict[str, Any], fault: type[Refused]
) -> None:
    targets = [{"combatant": "ann"}, *inputs["targets"]] if inputs["targets"] else []
    with spec.raises(fault):
        spec.rule("several", inputs={"amount": 4}, ruling=inputs["ruling"], targets=targets)
    assert spec.hp("ann") == 10


def test_a_wrong_part_is_pointed_at(spec: Spec) -> None:
    with spec.raises(Malformed) as caught:
        spec.rule(
            "several",
            ruling="damage",
            inputs={"amount": 4},
            targets=[{"combatant": "ann"}, {"combatant": "bob", "inputs": {"amount": "much"}}],
        )
    assert caught[0].pointer == "/inputs/targets/1/inputs/amount"


def test_a_marker_stands_until_it_is_removed(spec: Spec) -> None:
    spec.rule("set-marker", who="bob", text="burning", shown_to="all")
    spec.rule("set-marker", who="bob", text="is a spy")
    assert [(marker.id, marker.text) for marker in spec["bob"].markers] == [
        ("all-1", "burning"),
        ("gm-1", "is a spy"),
    ]
    spec.rule("remove-marker", who="bob", marker="all-1")
    assert [marker.text for marker in spec["bob"].markers] == ["is a spy"]
    with spec.raises(Unknown):
        spec.rule("remove-marker", who="bob", marker="all-1")
    spec.undo()
    assert [marker.text for marker in spec["bob"].markers] == ["burning", "is a spy"]


@pytest.mark.parametrize(
    ("shown_to", "readers"),
    [
        ("gm", set()),
        ("owner", {"bobs"}),
        ("side", {"bobs", "friends"}),
        ("all", {"bobs", "friends", "foes"}),
    ],
)
def test_a_marker_is_seen_and_told_to_whom_it_is_shown(
    spec: Spec, shown_to: str, readers: set[str]
) -> None:
    spec.join(name="bea", side=BOB["side"])
    spec.rule("set-marker", who="bob", text="burning", shown_to=shown_to)
    callers = {"bobs": "bob", "friends": "bea", "foes": "ann"}
    for name, plays in callers.items():
        caller = Caller(name, "player", (plays,))
        known = redact(TOY, spec.combat, caller)
        eyes = Eyes(spec.live.history, caller)
        told = any(isinstance(recorded.event, MarkerSet) for recorded in eyes.between(0, 1000))
        assert bool(known["bob"].markers) is told is (name in readers), name


# ---- a value by hand has the rulebook's type, so that the fight can continue


@pytest.mark.parametrize(
    ("ruling", "inputs", "kind"),
    [
        ("set-fact", {"key": "snapped", "value": "often"}, Malformed),
        ("set-fact", {"key": "snaped", "value": True}, Unknown),
        ("set-track", {"track": "luck", "value": 3}, Unknown),
        ("set-track", {"track": "hp", "maximum": -1}, Malformed),
        ("set-budget", {"budget": {"second-wind": 1}}, Malformed),
        ("set-budget", {"budget": {"main": -1}}, Malformed),
    ],
)
def test_nothing_is_set_that_the_rulebook_does_not_know(
    spec: Spec, ruling: str, inputs: dict[str, Any], kind: type[Refused]
) -> None:
    with spec.raises(kind):
        spec.rule(ruling, combatant="bob", **inputs)
