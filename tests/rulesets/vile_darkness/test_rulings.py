"""Test rulings that join, remove or correct, and when they are legal."""

from typing import Any

import pytest

from domain.errors import Impossible, Malformed, Refused, Unknown
from domain.record.events import CombatantJoined, Moved, Noted
from tests.rulesets.vile_darkness.units import (
    announce,
    asked,
    begin,
    close,
    engaged,
    foe,
    hero,
    shown,
)
from tests.spec import Spec


def test_somebody_goes_by_a_ruling(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    spec.rule("leave", combatant="Odo")
    assert [combatant.id for combatant in spec.combat] == ["Ana", "Orc"]
    assert asked(spec) == [("slot-intent", "Ana")]


def test_a_result_is_settled_otherwise(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("override", event=3, outcome="the arrow hit the door")
    assert spec.event(Noted).text == "settled otherwise: the arrow hit the door"
    with spec.raises(Unknown):
        spec.rule("override", event=spec.live.version + 1, outcome="so")


def test_only_whom_it_is_about_hears_that_a_result_is_settled_otherwise(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), hidden=("Orc",)), 5, 2)
    joined = next(
        recorded.version
        for recorded in spec.live.history.recorded
        if isinstance(recorded.event, CombatantJoined) and recorded.event.who == "Orc"
    )
    spec.rule("override", event=joined, outcome="it was here before")
    told = next(recorded for recorded in spec.last if isinstance(recorded.event, Noted))
    assert told.audience == ("Orc",)


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


@pytest.mark.parametrize(
    ("ruling", "inputs", "kind", "pointer"),
    [
        ("condition", {"target": "Ana", "condition": "held", "remove": True}, Unknown, None),
        ("condition", {"target": "Ana", "condition": "hot", "ongoing": "x"}, Malformed,
         "/inputs/ongoing"),
        ("set", {"who": "Ana", "sheet": {"side": "foes"}}, Malformed, "/inputs/sheet/side"),
        ("set", {"who": "Ana", "sheet": {"weapons": [{"id": "a", "damage": "x"}]}}, Malformed,
         "/inputs/sheet/weapons/0/damage"),
        ("set-concentrating", {"who": "Ana", "ability": "ward"}, Unknown, None),
        ("morale-check", {"who": "Ana"}, Malformed, "/inputs/target"),
        ("morale-check", {"who": "Ana", "target": 7, "formula": "x"}, Malformed,
         "/inputs/formula"),
        ("engage", {"a": "Ana", "b": "Ana"}, Malformed, "/inputs/b"),
        ("place", {"who": "Ana", "at": [1]}, Malformed, "/inputs/at"),
    ],
)  # fmt: skip
def test_what_a_ruling_cannot_be_about(
    spec: Spec, ruling: str, inputs: dict[str, Any], kind: type[Refused], pointer: str | None
) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(kind) as caught:
        spec.rule(ruling, **inputs)
    if pointer is not None:
        assert getattr(caught[0], "pointer", None) == pointer


@pytest.mark.parametrize("ruling", ["grant-free-attack", "grant-immediate-attack"])
def test_reactions_are_granted_in_a_round(spec: Spec, ruling: str) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin()
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.rule(ruling, attacker="Ana", against="Orc")


def test_whom_the_gm_places_has_not_gone_there(spec: Spec) -> None:
    begin(spec.given(hero("Ana", at=[0, 0]), foe("Orc")), 5, 2)
    spec.rule("place", who="Ana", at=[3, 4])
    assert spec.event(Moved).forced


@pytest.mark.parametrize(("b", "left"), [({"b": "Rat"}, ["Orc"]), ({}, [])])
def test_the_gm_parts_two_or_one_from_all(spec: Spec, b: dict[str, str], left: list[str]) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    begin(engaged(spec, ("Ana", "Orc"), ("Ana", "Rat")), 5, 2)
    spec.rule("separate", a="Ana", **b)
    assert shown(spec, "Ana", "engaged_with") == left
    assert shown(spec, "Rat", "engaged_with") == []


@pytest.mark.parametrize(
    ("success", "faces", "word"),
    [
        ("≤", (3, 4), "success"), ("≤", (4, 4), "failure"),
        ("≥", (3, 4), "success"), ("≥", (3, 3), "failure"),
    ],
)  # fmt: skip
def test_equal_holds(spec: Spec, success: str, faces: tuple[int, int], word: str) -> None:
    begin(spec.given(hero("Ana", morale=7), foe("Orc")), 5, 2)
    spec.rule("morale-check", ("morale", *faces), who="Ana", success=success)
    assert spec.rolled("morale").outcome == word


def test_melee_is_between_opponents_that_stand(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    with spec.raises(Malformed) as caught:
        spec.rule("engage", a="Ana", b="Odo")
    assert (caught[0].pointer, caught[0].detail) == (
        "/inputs/b",
        "Ana and Odo are on the same side",
    )
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    with spec.refused("VD-MELEE-01", "cannot-act"):
        spec.rule("engage", a="Ana", b="Orc")


@pytest.mark.parametrize("grant", ["grant-free-attack", "grant-immediate-attack"])
def test_nobody_is_granted_an_attack_on_itself(spec: Spec, grant: str) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(Impossible) as caught:
        spec.rule(grant, attacker="Ana", against="Ana")
    assert (caught[0].code, caught[0].pointer) == ("wrong-kind", "/inputs/against")
