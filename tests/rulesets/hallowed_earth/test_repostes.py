"""Test who may answer with a Reposte, with which weapon, and when it is lost."""

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal
from domain.record.events import Damaged, Prevented
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    hero,
    monster,
    weapon,
)
from tests.spec import Spec, rule

PIKE = weapon("pike", "1d8", reach_ft=10)
LANCE = weapon("lance", "1d8", reach_ft=15)


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reposte"]


# ---- prompts for a Reposte


@rule("HE-REP-08", "HE-FDEF-03")
@pytest.mark.parametrize(("at", "answers"), [([1, 0], ["Ana"]), ([2, 0], [])])
def test_who_strikes_from_beyond_the_threat_range_is_not_answered(
    spec: Spec, at: list[int], answers: list[str]
) -> None:
    """Ana's lance reaches 15 ft, but she answers only within her threat range of 5 ft."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[LANCE], threat_range_ft=5),
        monster("Orc", at=at, weapons=[PIKE]),
        rulings="default",
    )
    begin(spec, 2, 5, Ana="full-defense", Orc=attack("pike"))
    spec.act("Ana", "full-defense").act("Ana", "end-turn")
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    assert asked(spec) == answers


def two_at_ana(spec: Spec) -> Spec:
    """Begin with Ana on Full-Defense. An orc and a rat have struck at her at the same moment."""
    spec.given(
        hero("Ana", weapons=[SWORD]), hero("Ben"),
        monster("Orc", weapons=[SWORD]), monster("Rat", weapons=[SWORD]),
        rulings="default",
    )  # fmt: skip
    begin(spec, 2, 12, 5, 5, Ana="full-defense", Ben="no-action", Orc=attack("sword"),
          Rat=attack("sword"))  # fmt: skip
    spec.act("Ana", "full-defense").act("Ana", "end-turn")
    spec.act("Orc", "attack", target="Ana")
    return spec.act("Rat", "attack", ("attack", 2), ("attack", 2), target="Ana")


@rule("HE-REP-03")
def test_whoever_is_asked_is_told_who_has_struck(spec: Spec) -> None:
    data = two_at_ana(spec).prompt("Ana", "reposte").data
    assert (data["trigger"], data["attacker"]) == ("attacked", "Orc")


@rule("HE-REP-04", "HE-TIE-04")
def test_unless_somebody_is_named_the_first_who_is_left_is_answered(spec: Spec) -> None:
    two_at_ana(spec).rule("condition", combatant="Orc", add="dead")
    spec.answer("Ana", "take", ("reposte-attack", 15), ("reposte-damage", 3))
    assert (spec.event(Damaged).who, spec.hp("Rat", "wound_points")) == ("Rat", 7)


@rule("HE-REP-03", "HE-TIE-04")
def test_of_two_who_have_struck_one_may_leave_and_the_other_is_answered(spec: Spec) -> None:
    two_at_ana(spec).leave("Orc")
    assert asked(spec) == ["Ana"]
    with spec.refused("HE-REP-08", "no-trigger"):
        spec.answer("Ana", "take", attacker="Orc")
    spec.answer("Ana", "take", ("reposte-attack", 15), ("reposte-damage", 3), attacker="Rat")
    assert spec.hp("Rat", "wound_points") == 7


@rule("HE-REP-03", "HE-SEQ-04")
@pytest.mark.parametrize("how", ["leave", "next-round"])
def test_the_question_ends_with_its_reason(spec: Spec, how: str) -> None:
    two_at_ana(spec)
    if how == "leave":
        spec.leave("Orc").leave("Rat")
    else:
        spec.rule("next-round")
    assert asked(spec) == []


@rule("HE-REP-09")
def test_a_reposte_by_hand_tells_of_the_own_question_only(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), monster("Orc", at=[2, 0], weapons=[SWORD]),
        monster("Rat", at=[2, 1], weapons=[SWORD]), monster("Imp", at=[9, 9], weapons=[SWORD]),
        rulings="default",
    )  # fmt: skip
    begin(spec, 1, 12, 12, 12, Ana="no-action", Orc="no-action", Rat="no-action", Imp="no-action")
    spec.act("Ana", "move", path=[[1, 0]])
    assert asked(spec) == ["Orc", "Rat"]
    for who, detail in (
        ("Orc", "answer the prompt reposte"), ("Rat", "answer the prompt reposte"),
        ("Imp", "nobody has provoked it"), ("Ana", "nobody has provoked it"),
    ):  # fmt: skip
        with spec.raises(Illegal) as refusals:
            spec.act(who, "reposte")
        assert (refusals[0].rule, refusals[0].detail) == ("HE-REP-09", detail)


# ---- changes between the answer and its moment


@rule("HE-REP-06", "HE-REP-08", "HE-REP-09")
@pytest.mark.parametrize(
    ("condition", "told"), [("paralyzed", "HE-BLUNT-14"), ("arm-cannot-attack", "HE-REP-08")]
)
def test_who_can_strike_no_more_when_its_answer_comes_does_not(
    spec: Spec, condition: str, told: str
) -> None:
    """Affray prevents a chosen Reposte, free of charge, if Bo can no longer strike."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[PIKE], attributes={"agility": 12}),
        hero("Bo", at=[0, 1], weapons=[PIKE]),
        monster("Orc", at=[3, 0]),
        rulings="default",
    )
    begin(spec, 5, 9, 3, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.act("Orc", "move", path=[[2, 0]]).answer("Bo", "take").answer("Ana", "take")
    assert spec.open() == [("roll", "reposte-attack", "Ana")]
    spec.rule("condition", combatant="Bo", add=condition)
    spec.do(Reply(next(iter(spec.live.open_prompts())), None, {"faces": [1]}))
    assert (spec.event(Prevented).who, spec.event(Prevented).rules) == ("Bo", (told,))
    assert spec["Bo"].budget["reaction"] == 1
