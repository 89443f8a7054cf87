"""Test rulings, and held actions that they trigger (2.9, DEF-REC, DEF-DBR, DEF-WND)."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.record.events import Damaged
from tests.rulesets.definitions.units import (
    end,
    fight,
    fighter,
    foe,
    hold,
    order_of,
    shown,
    turn_of,
)
from tests.spec import Spec, rule


def waiting(spec: Spec, event: str, **theirs: Any) -> Spec:
    """Begin Orc's turn. Bo holds an action that triggers when Orc causes `event`."""
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc", **theirs), foe("Gob", at=[5, 5]))
    hold(spec, "Bo", "drop-prone", {"event": event, "who": "Orc"}, slot="move")
    return end(spec, "Bo")


def asked(spec: Spec) -> bool:
    return ("reaction", "reaction", "Bo") in spec.open()


@rule("DEF-HLD-05")
@pytest.mark.parametrize(
    ("track", "value", "told"),
    [("hp", 20, False), ("hp", 19, True), ("nld", 3, False), ("nld", 4, True), ("nld", 2, False)],
)
def test_a_pool_that_is_set_lower_is_damage(spec: Spec, track: str, value: int, told: bool) -> None:
    waiting(spec, "is-damaged", nld=3)
    if spec.hp("Orc", track) != value:
        spec.rule("set-track", who="Orc", track=track, value=value)
    assert asked(spec) is told


@rule("DEF-HLD-05", "DEF-INC-03")
def test_a_fall_is_no_scratch_and_nothing_that_the_fallen_suffer(spec: Spec) -> None:
    waiting(spec, "falls")
    spec.rule("damage", who="Orc", amount=1)
    assert not asked(spec)
    spec.rule("damage", who="Orc", amount=19, track="nld")
    assert asked(spec)
    spec.answer("Bo", "keep")
    spec.rule("damage", who="Orc", amount=1, track="nld")
    assert not asked(spec)
    spec.rule("set-condition", who="Orc", condition="dead")  # death is a fall, too
    assert asked(spec)
    spec.answer("Bo", "keep")
    spec.changes_nothing("set-condition", who="Orc", condition="prone")
    assert not asked(spec)


@rule("DEF-HLD-05", "DEF-STB-03")
@pytest.mark.parametrize(
    ("condition", "falls"), [("unconscious", True), ("dead", True), ("cannot-act", False)]
)
def test_who_is_felled_by_a_word_has_fallen(spec: Spec, condition: str, falls: bool) -> None:
    waiting(spec, "falls").rule("set-condition", who="Orc", condition=condition)
    assert asked(spec) is falls


@rule("DEF-DMG-08")
def test_damage_by_the_gms_word_is_after_reductions(spec: Spec) -> None:
    waiting(spec, "speaks", reductions=[{"amount": 5, "source": "hide"}])
    spec.rule("damage", who="Orc", amount=7)
    assert spec.hp("Orc") == 13
    assert spec.event(Damaged).kind == "ruling"
    spec.rule("damage", who="Orc", amount=1, kind="falling rock")
    assert spec.event(Damaged).kind == "falling rock"


@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("damage", {"amount": 1, "track": "mana"}),
        ("damage", {"amount": 1, "source": "Zed"}),
        ("heal", {"amount": 1, "track": "mana"}),
    ],
)
def test_there_is_no_such_thing(spec: Spec, ruling: str, inputs: dict[str, Any]) -> None:
    waiting(spec, "speaks")
    with spec.raises(Unknown):
        spec.rule(ruling, who="Orc", **inputs)


@rule("DEF-DBR-02", "DEF-DBR-03")
def test_a_pool_that_is_0_already_is_not_brought_to_it(spec: Spec) -> None:
    """Orc falls from 11 damage, so its DC is 10 + 11. A ruling cannot set 0 HP again."""
    fight(spec, foe("Orc", max_hp=30, hp=5), fighter("Ana", at=[9, 9]), death_roll="brutality")
    spec.rule("damage", who="Orc", amount=11)
    with spec.refused("", "nothing-changes"):
        spec.rule("set-track", who="Orc", track="hp", value=0)
    assert shown(spec, "Orc")["death"]["dc"] == 21


@rule("DEF-DBR-03")
def test_who_came_without_hit_points_lost_none_here(spec: Spec) -> None:
    fight(spec, foe("Orc", hp=0), fighter("Ana", at=[9, 9]), death_roll="brutality")
    assert shown(spec, "Orc")["death"] == {"fails": 0, "dc": 10}


@rule("DEF-WND-03")
def test_an_injury_does_not_worsen(spec: Spec) -> None:
    spec.given(
        fighter("Ana", hp=5, conditions=[{"id": "wounded", "data": {"kind": "injury"}}]),
        death_roll="all-equal", rulings="ask",
    )  # fmt: skip
    spec.rule("rest", who="Ana", days=1, treated=False)
    assert spec.open() == []


@rule("DEF-SWL-08")
def test_only_the_swallowed_are_retrieved(spec: Spec) -> None:
    """The ruling `retrieve` is legal only for a swallowed combatant.

    If the swallower is unknown, the combatant gets no square.
    """
    waiting(spec, "speaks")
    with spec.refused("DEF-SWL-08", "not-swallowed"):
        spec.rule("retrieve", who="Orc")
    spec.rule("set-condition", who="Orc", condition="swallowed")
    spec.rule("move", who="Orc", to=None)
    spec.rule("retrieve", who="Orc")
    assert not spec["Orc"].has("swallowed")
    assert spec["Orc"].position is None


@rule("DEF-INI-02", "DEF-DTH-01")
def test_whom_the_gm_raises_rolls_for_its_place_again(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[9, 9]), foe("Gob", at=[5, 5]))
    spec.rule("set-condition", who="Orc", condition="dead")
    spec.rule("end-condition", who="Orc", condition="dead")
    end(spec, "Ana")
    spec.answer("Orc", "roll", faces=[19], name="initiative")
    assert order_of(spec) == ["Ana", "Orc", "Gob"]
    assert turn_of(spec) == "Orc"


@rule("DEF-SWL-08")
def test_whom_nobody_has_swallowed_comes_out_of_nobody(spec: Spec) -> None:
    """A ruling cannot put Orc inside Zed, who is not in the fight."""
    waiting(spec, "speaks")
    inside = {"by": "Zed", "rounds": 0, "damage": 0}
    spec.changes_nothing("set-fact", combatant="Orc", key="inside", value=inside)
    assert "inside" not in spec["Orc"].facts
    assert spec["Orc"].position == (1, 0, 0)
