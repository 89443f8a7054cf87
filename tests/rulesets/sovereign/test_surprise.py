"""Test surprise by the GM's answer and by the check (SOV-SURP)."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.record.combat import Place
from domain.record.events import Noted, PhaseBegan
from tests.rulesets.sovereign.units import fight, hero, npc
from tests.spec import Spec, rule


@rule("SOV-SURP-01")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("surprise", {"groups": ["foes"]}),
        ("surprise-check", {"by_side": "party", "against_group": "foes"}),
    ],
)
def test_nobody_is_surprised_in_the_midst_of_a_fight(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    with spec.refused("SOV-SURP-01", "cannot-be-surprised"):
        spec.rule(ruling, **inputs)


@rule("SOV-SURP-02", "SOV-SURP-03")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("surprise", {"groups": ["ghosts"]}),
        ("surprise-check", {"by_side": "party", "against_group": "ghosts"}),
        ("surprise-check", {"by_side": "ghosts", "against_group": "foes"}),
        ("surprise-check", {"by_side": "party", "against_group": "foes", "roller": "Casper"}),
    ],
)
def test_groups_sides_and_rollers_that_are_not_there(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    spec.given(hero("Ana"), npc("Orc"))
    with spec.raises(Unknown):
        spec.rule(ruling, **inputs)


@rule("SOV-SURP-06")
def test_one_who_is_careful_warns_a_group_of_all_who_do_not_hide(spec: Spec) -> None:
    spec.given(
        hero("Ana", alertness="careful"), hero("Bo"), npc("Orc", hidden=True), npc("Imp", at=[5, 0])
    )
    with spec.refused("SOV-SURP-06", "cannot-be-surprised"):
        spec.rule("surprise", groups=["party"])


@rule("SOV-SURP-04")
def test_the_best_ears_of_the_group_are_the_number(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo", skills={"notice": 2}), npc("Orc"))
    spec.rule(
        "surprise-check", ("surprise-check", 4, 5), by_side="foes", against_group="party"
    )  # fmt: skip
    assert spec.rolled("surprise-check").target == 10  # 8 + 2


@rule("SOV-SURP-03")
def test_checks_against_two_groups_are_kept_apart(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo", group="scouts"), npc("Orc"))

    def check(group: str, *faces: int) -> list[str]:
        spec.rule(
            "surprise-check", ("surprise-check", *faces), by_side="foes", against_group=group
        )  # fmt: skip
        caught: list[str] = spec.combat.facts["caught"]
        return caught

    assert check("party", 4, 4) == ["party"]  # 8 ≥ 8
    assert check("scouts", 4, 4) == ["party", "scouts"]
    assert check("party", 4, 3) == ["scouts"]


@rule("SOV-SURP-09")
def test_one_who_lies_there_is_not_the_one_who_is_not_surprised(spec: Spec) -> None:
    spec.given(
        hero("Ana"), npc("Orc"), npc("Rat", "rats", conditions=[{"id": "unconscious"}]),
        rulings="default",
    )  # fmt: skip
    spec.rule("surprise", groups=["party", "foes"])
    spec.begin(("initiative", 8), ("initiative", 2), ("initiative", 1))
    assert spec.event(Noted).rules == ("SOV-SURP-09",)
    phases = [phase_began.phase for phase_began in spec.events(PhaseBegan)]
    assert phases == ["surprise", "initiative", "round-start", "side-turn/party"]


@rule("SOV-SURP-02", "SOV-SURP-05")
def test_where_nobody_can_be_surprised_the_gm_is_not_asked(spec: Spec) -> None:
    spec.given(hero("Ana", alertness="anticipating"), npc("Orc", alertness="anticipating"))
    spec.begin(("initiative", 8), ("initiative", 1))
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-SURP-02", "SOV-SEQ-08")
def test_nor_is_it_asked_about_a_side_that_is_alone(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo", at=[0, 1]))
    spec.begin(("initiative", 4))
    assert spec.open() == [("turn", "turn", "Ana"), ("turn", "turn", "Bo")]


@rule("SOV-SURP-07", "SOV-INIT-01")
def test_in_the_free_round_nobody_has_an_initiative_yet(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc"), rulings="default")
    spec.rule("surprise", groups=["party"])
    spec.begin()
    assert spec.combat.queue == (Place("Orc", (0,)),)


@rule("SOV-SURP-07", "SOV-ACT-05")
def test_the_main_of_the_surprise_round_ends_with_it(spec: Spec) -> None:
    """An unspent Main Action of the surprise round is lost before the initiative rolls."""
    spec.given(hero("Ana", at=[0, 0]), npc("Orc", at=[1, 0]), rulings="ask")
    spec.begin().answer(None, "surprised", groups=["party"])
    spec.act("Orc", "end-turn")
    assert spec.open() == [("roll", "initiative", "Ana")]
    with spec.refused("SOV-TD-03", "main-spent"):
        spec.act("Orc", "total-defense")
    spec.answer("Ana", "roll", ("initiative", 1), faces=[8])
    assert spec["Orc"].budget == {"main": 1, "move": 1}
