"""Test the sequence, initiative and budgets (FH-SEQ, FH-INI, FH-TRN, FH-DUR)."""

from typing import Any

import pytest

from domain.engine.commands import Begin
from domain.errors import Unfitting
from domain.record.events import Noted, RoundBegan, RoundEnded, TurnBegan
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def left(spec: Spec, who: str) -> tuple[int, int, int]:
    budget = spec[who].budget
    return budget["aa"], budget["ma"], budget["ba"]


def duel(spec: Spec, **ana: Any) -> Spec:
    """Begin Ana's turn. Imp is next."""
    fields: dict[str, Any] = {"agility": 5, "weapons": [SWORD], "at": [0, 0], **ana}
    spec.given(unit("Ana", **fields), foe("Imp", weapons=[SWORD], at=[1, 1]))
    return spec.begin()


@rule("FH-SEQ-01", "FH-INI-08")
def test_before_the_battle_only_an_initiating_attack(spec: Spec) -> None:
    spec.given(unit("Ana", weapons=[SWORD]), foe("Imp"))
    for action, inputs in (
        ("attack", {"target": "Imp"}),
        ("boost-hit", {}),
        ("move", {"path": [[0, 1]]}),
        ("cast", {"spell": "bolt"}),
        ("end-turn", {}),
    ):
        with spec.refused("FH-SEQ-01", "battle-not-begun"):
            spec.act("Ana", action, **inputs)
    assert spec.legal("Ana") == {"initiate"}


@rule("FH-INI-06")
def test_no_initiating_attack_in_the_battle(spec: Spec) -> None:
    duel(spec)
    with spec.refused("FH-INI-06", "battle-begun"):
        spec.act("Ana", "initiate", target="Imp")


@rule("FH-INI-07", "FH-FRE-04")
def test_free_hits_of_the_opening_count_in_round_one(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=1, weapons=[SWORD], at=[0, 0]),
        foe("Imp", agility=2, max_hp=90, weapons=[SWORD], at=[1, 0]),
    )
    spec.act("Ana", "initiate", ("attack", 1), ("auto-fail-d4", 1), target="Imp")
    spec.answer("Imp", "take", ("attack", 2))
    spec.begin()
    assert spec["Imp"].facts["free_hits"] == 1
    spec.act("Imp", "end-turn").act("Ana", "end-turn")
    assert spec.combat.round == 2
    assert "free_hits" not in spec["Imp"].facts


@rule("FH-SEQ-02", "FH-SEQ-03", "FH-SEQ-04")
def test_every_unit_takes_one_turn_then_the_round_ends(spec: Spec) -> None:
    duel(spec)
    assert left(spec, "Ana") == (1, 1, 2)
    spec.act("Ana", "end-turn")
    assert spec.event(TurnBegan).who == "Imp"
    spec.act("Imp", "end-turn")
    assert spec.event(RoundEnded).round == 1
    assert spec.event(RoundBegan).round == 2
    assert spec.event(TurnBegan).who == "Ana"


@rule("FH-SEQ-05")
def test_only_the_unit_on_turn_acts(spec: Spec) -> None:
    duel(spec)
    with spec.refused("FH-SEQ-05", "not-your-turn"):
        spec.act("Imp", "attack", target="Ana")
    assert spec.refusals("Imp", "boost-hit") == {("FH-SEQ-05", "not-your-turn")}


@rule("FH-SEQ-06", "FH-DMG-06")
def test_who_is_defeated_gets_no_turn_and_keeps_its_place(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5), foe("Imp", agility=3), foe("Orc", agility=1)).begin()
    spec.rule("damage", who="Imp", amount=25)
    assert spec.hp("Imp") == 0  # HP stop at 0
    assert spec["Imp"].has("defeated")
    spec.act("Ana", "end-turn")
    assert spec.open() == [("turn", "turn", "Orc")]
    spec.rule("heal", who="Imp", amount=1).act("Orc", "end-turn").act("Ana", "end-turn")
    assert spec.open() == [("turn", "turn", "Imp")]


@rule("FH-SEQ-07", "FH-SEQ-08", "FH-DUR-02")
def test_the_victors_get_their_mp_back(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, max_mp=9, mp=2, hp=5),
        unit("Bo", max_mp=7, mp=0),
        foe("Imp", max_mp=9, mp=1),
    ).begin()
    spec.rule("damage", who="Bo", amount=99).rule("damage", who="Imp", amount=99)
    assert spec.combat.winners == ("heroes",)
    assert (spec.hp("Ana", "mp"), spec.hp("Bo", "mp"), spec.hp("Imp", "mp")) == (9, 7, 1)
    assert spec.hp("Ana") == 5


@rule("FH-SEQ-08")
@pytest.mark.parametrize("condition", ["dead", "fled", "yielded", "gone"])
def test_who_has_left_the_victors_gets_no_mp_back(spec: Spec, condition: str) -> None:
    spec.given(unit("Ana"), unit("Bo", max_mp=7, mp=0), foe("Imp")).begin()
    spec.rule("set-condition", who="Bo", condition=condition)
    spec.rule("damage", who="Imp", amount=99)
    assert spec.combat.winners == ("heroes",)
    assert spec.hp("Bo", "mp") == 0


@rule("FH-SEQ-09")
def test_fleeing_and_yielding_are_confirmed_by_the_gm(spec: Spec) -> None:
    duel(spec).act("Ana", "flee")
    assert spec.open() == [("ruling", "flee", None)]
    assert spec.prompt().default == "yes"
    spec.answer(None, "no")
    assert not spec["Ana"].has("fled")
    noted = spec.event(Noted)  # the player learns the answer, too
    assert (noted.text, noted.private) == ("Ana does not flee: the GM refuses", False)
    spec.act("Ana", "yield").answer(None, "yes")
    assert spec["Ana"].has("yielded")
    assert spec.combat.winners == ("foes",)


@rule("FH-INI-03")
def test_ties_can_be_rolled(spec: Spec) -> None:
    spec.given(unit("Ana"), foe("Bo"), foe("Cy"), initiative_ties="roll")
    spec.begin(
        ("initiative-tie", 4), ("initiative-tie", 9), ("initiative-tie", 9),
        ("initiative-tie", 3), ("initiative-tie", 8),
    )  # fmt: skip
    assert [place.who for place in spec.combat.order] == ["Cy", "Bo", "Ana"]


@rule("FH-INI-04")
def test_a_change_of_agility_moves_nobody(spec: Spec) -> None:
    spec.given(unit("Ana", agility=2), foe("Imp", agility=1)).begin()
    spec.rule("set-condition", who="Ana", condition="wound-slowing", key="wound-slowing#1")
    spec.rule("set-condition", who="Ana", condition="wound-slowing", key="wound-slowing#2")
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-INI-10")
def test_no_delay_after_an_action_or_behind_nobody(spec: Spec) -> None:
    duel(spec)
    with spec.refused("FH-INI-10", "cannot-delay"):
        spec.act("Ana", "delay", after="Ana")
    spec.act("Ana", "boost-hit")
    with spec.refused("FH-INI-10", "cannot-delay"):
        spec.act("Ana", "delay", after="Imp")
    spec.act("Ana", "end-turn")
    with spec.refused("FH-INI-10", "cannot-delay"):
        spec.act("Imp", "delay", after="Ana")


@rule("FH-INI-10", "FH-INI-11")
def test_a_delayed_unit_may_delay_again_and_its_budget_waits(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, conditions=[{"id": "prone"}]), foe("Imp", agility=3), foe("Orc")
    ).begin()
    spec.act("Ana", "delay", after="Imp")
    spec.act("Ana", "stand-up", pay_with="ba")  # Ana uses her waiting budget
    assert left(spec, "Ana") == (1, 1, 1)
    spec.act("Imp", "end-turn")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert left(spec, "Ana") == (1, 1, 1)


@rule("FH-INI-11", "FH-AIM-05")
def test_a_weakening_wound_takes_a_waiting_bonus_action(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, max_hp=40, at=[0, 0]),
        foe("Imp", agility=3, accuracy=9, strength=3, weapons=[SWORD], at=[1, 0]),
    ).begin()
    spec.act("Ana", "delay", after="Imp")
    spec.act("Imp", "attack", ("attack", 15), ("damage", 4), target="Ana", aim="arms")
    assert left(spec, "Ana") == (1, 1, 1)


@rule("FH-INI-12")
def test_a_newcomer_behind_the_acting_unit_acts_in_this_round(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5), foe("Imp", agility=1)).begin()
    spec.join(name="Cy", side="foes", agility=3, accuracy=0, max_hp=5)
    spec.join(name="Dru", side="foes", agility=9, accuracy=0, max_hp=5)
    assert [place.who for place in spec.combat.order] == ["Dru", "Ana", "Cy", "Imp"]
    spec.act("Ana", "end-turn")
    assert spec.open() == [("turn", "turn", "Cy")]
    spec.act("Cy", "end-turn").act("Imp", "end-turn")
    assert spec.open() == [("turn", "turn", "Dru")]  # its first turn is in the next round


@rule("FH-TRN-02")
def test_what_is_left_is_lost(spec: Spec) -> None:
    duel(spec).act("Ana", "end-turn")
    assert left(spec, "Ana") == (0, 0, 0)


@rule("FH-TRN-03", "FH-FLT-02", "FH-FLT-03")
def test_who_is_tied_cannot_act_and_its_turn_passes(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD]),
        foe("Imp", agility=3, conditions=[{"id": "tied"}]),
        foe("Orc", agility=1),
    ).begin()
    spec.act("Ana", "end-turn")
    assert left(spec, "Imp") == (0, 0, 0)
    assert spec.open() == [("turn", "turn", "Orc")]
    spec.rule("set-condition", who="Orc", condition="flat-footed")
    assert "boost-hit" in spec.legal("Orc")  # a flat-footed unit can act


@rule("FH-TRN-03")
def test_who_cannot_act_makes_no_attack_before_the_battle(spec: Spec) -> None:
    spec.given(unit("Ana", weapons=[SWORD], conditions=[{"id": "frozen"}]), foe("Imp"))
    with spec.refused("FH-TRN-03", "cannot-act"):
        spec.act("Ana", "initiate", target="Imp")


@rule("FH-TRN-04", "FH-TRN-05", "FH-TRN-06", "FH-TRN-07", "FH-ATK-01")
def test_kinds_of_action_that_are_used_up(spec: Spec) -> None:
    duel(spec, at=[0, 0]).act("Ana", "attack", ("attack", 2), target="Imp")
    with spec.refused("FH-TRN-07", "no-attack-action"):
        spec.act("Ana", "attack", target="Imp")
    spec.act("Ana", "move", path=[[0, 1]])
    with spec.refused("FH-TRN-07", "no-move-action"):
        spec.act("Ana", "move", path=[[0, 2]])
    with spec.refused("FH-ACT-05", "no-move-action"):
        spec.act("Ana", "extra-attack", target="Imp")
    spec.act("Ana", "boost-hit").act("Ana", "talk", text="Yield!", pay_with="ba")
    with spec.refused("FH-TRN-07", "no-bonus-action"):
        spec.act("Ana", "boost-dodge")


@rule("FH-TRN-07", "FH-DSG-01")
def test_a_kind_that_cannot_pay(spec: Spec) -> None:
    duel(spec)
    with spec.refused("FH-DSG-01", "wrong-action-kind"):
        spec.act("Ana", "disengage", pay_with="ma")


@rule("FH-DUR-01", "FH-DUR-03", "FH-AIM-08")
def test_a_wound_outlasts_the_round_and_the_battle(spec: Spec) -> None:
    duel(spec)
    for kind in ("slowing", "disrupting"):
        spec.rule(
            "set-condition", who="Ana", condition=f"wound-{kind}", key=f"wound-{kind}#1",
            data={"round": 1},
        )  # fmt: skip
    spec.act("Ana", "end-turn").act("Imp", "end-turn")
    assert spec["Ana"].has("wound-slowing")
    spec.rule("damage", who="Imp", amount=99)
    assert spec.combat.status == "ended"
    assert spec["Ana"].has("wound-slowing")
    assert not spec["Ana"].has("wound-disrupting")


@rule("FH-SEQ-07")
def test_the_gm_ends_the_battle(spec: Spec) -> None:
    duel(spec).rule("end-battle", winner="foes")
    assert spec.combat.winners == ("foes",)
    with spec.refused("FH-SEQ-07", "battle-not-begun"):
        spec.rule("end-battle")
    with spec.raises(Unfitting):
        spec.do(Begin())


@rule("FH-TRN-01")
def test_modifiers_and_debts_shape_the_budget(spec: Spec) -> None:
    more = {"key": "bonus_actions", "value": 1}
    spec.given(
        unit("Ana", agility=5, modifiers=[more], conditions=[{"id": "prone"}]),
        foe("Imp", agility=7, weapons=[BOW, weapon("x", "1d4")]),
    ).begin()
    spec.act("Ana", "stand-up", pay_with="ma").act("Imp", "end-turn")
    assert left(spec, "Ana") == (1, 0, 3)
