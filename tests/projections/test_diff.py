"""Test the text of the difference between two moments, which begins with the damage."""

from msgspec.structs import replace

from domain.record.combat import Combat, Condition, Place
from projections.diff import ends
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec


def told(before: Spec, after: Combat) -> list[str]:
    return list(ends(before.live, before.combat, after).text)


def fight() -> Spec:
    return Spec(TOY).given(ANN, BOB, declare=False).begin()


def placed(*ids: str) -> tuple[Place, ...]:
    return tuple(Place(id, (number,)) for number, id in enumerate(ids))


def test_a_queue_with_other_keys_and_a_phase_are_no_difference() -> None:
    spec = fight()
    queue = tuple(replace(place, key=(9, 9)) for place in spec.combat.queue)
    order = tuple(replace(place, key=(9, 9)) for place in spec.combat.order)
    assert queue
    assert told(spec, replace(spec.combat, queue=queue, order=order, phase="another/LOW/D3")) == []


def test_what_is_left_of_a_turn_counts_only_within_that_turn() -> None:
    spec = fight()
    ann = replace(spec.combat["ann"], budget={"action": 7})
    combatants = {**spec.combat.combatants, "ann": ann}
    assert told(spec, replace(spec.combat, combatants=combatants)) == ["ann: action 0 → 7"]
    later = replace(spec.combat, combatants=combatants, round=spec.combat.round + 1)
    assert told(spec, later) == [f"round {spec.combat.round} → {spec.combat.round + 1}"]


def test_hit_points_stand_before_conditions_and_squares() -> None:
    spec = fight()
    combat = spec.combat
    ann = replace(combat["ann"], position=(1, -2, 0))
    dazed = Condition("dazed", "dazed")
    hp = replace(combat["bob"].tracks["hp"], value=-3)
    bob = replace(combat["bob"], tracks={"hp": hp}, conditions=(dazed,), position=(3, 0, 0))
    former = combat["bob"].tracks["hp"].value
    lines = told(spec, replace(combat, combatants={"ann": ann, "bob": bob}))
    assert lines[0].startswith(f"bob: hp {former} → −3; ")
    assert lines[0].endswith("gains dazed; at no square → (3, 0)")
    assert lines[1] == "ann: at no square → (1, −2)"


def test_a_condition_held_twice_is_not_lost_with_one_of_its_causes() -> None:
    spec = fight()
    twice = tuple(Condition("dazed", f"dazed {number}") for number in (1, 2))
    ann = replace(spec.combat["ann"], conditions=twice)
    spec_combat = replace(spec.combat, combatants={**spec.combat.combatants, "ann": ann})
    once = replace(ann, conditions=twice[:1])
    after = replace(spec_combat, combatants={**spec_combat.combatants, "ann": once})
    assert list(ends(spec.live, spec_combat, after).text) == ["ann: dazed ×2 → ×1"]


def test_who_acts_later_is_named_and_nobody_else() -> None:
    spec = Spec(TOY).given(ANN, BOB, {**BOB, "name": "cid"}, declare=False).begin()
    before = replace(spec.combat, order=placed("ann", "bob", "cid"), queue=(), acting=())
    after = replace(before, order=placed("bob", "cid", "ann"), acting=("bob",))
    lines = list(ends(spec.live, before, after).text)
    assert lines == ["bob acts now", "ann acts later"]
