"""The GM's hand: who comes and goes, what is settled otherwise, and when a ruling is open."""

from typing import Any

import pytest

from domain.record.events import Noted
from tests.rulesets.vile_darkness.units import announce, asked, begin, close, foe, hero
from tests.spec import Spec


def test_somebody_goes_by_a_ruling(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    spec.rule("leave", combatant="Odo")
    assert [one.id for one in spec.combat] == ["Ana", "Orc"]
    assert asked(spec) == [("slot-intent", "Ana")]


def test_a_result_is_settled_otherwise(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("override", event=3, outcome="the arrow hit the door")
    told = "event 3 is settled otherwise: the arrow hit the door"
    assert spec.event(Noted).text == told


def test_a_round_that_ends_in_step_1_has_its_dice_and_nothing_else(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc"))).act("Ana", "flee")
    spec.rule("end-round", ("group-initiative", 5), ("group-initiative", 2))
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)
    assert asked(spec) == [("declaration", "Ana"), ("declaration", "Orc")]


@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [("end-round", {}), ("end-combat", {}), ("close-declare", {}), ("announce-round", {})],
)
def test_before_the_first_round_there_is_none_to_end(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.rule(ruling, **inputs)


def test_declarations_are_closed_in_step_1_and_rounds_announced_between_them(spec: Spec) -> None:
    close(announce(spec.given(hero("Ana"), foe("Orc"))), 5, 2)
    for ruling in ("close-declare", "announce-round"):
        with spec.refused("VD-SEQ-03", "wrong-phase"):
            spec.rule(ruling)
