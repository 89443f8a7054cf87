"""Test the shot, the save and the outcome of an execution (SOV-EXEC)."""

from typing import Any

import pytest

from domain.record.events import Damaged, Term
from tests.rulesets.sovereign.units import BOW, DAGGER, SWORD, end, fight, hero, main, npc, weapon
from tests.spec import Spec, rule

CLAW = weapon("claw", "1d4", natural=True)
SKILLS = {"shoot": 1, "stab": 2, "brawl": 3}


def ready(spec: Spec, arm: dict[str, Any], at: list[int], **pia: Any) -> Spec:
    """Let Pia prepare to execute an unsuspecting sentry, and wait for 1 minute."""
    spec.given(
        hero("Pia", weapons=[arm], **{"skills": SKILLS, **pia}),
        npc("Sentry", at=at, alertness="unsuspecting", hd=0),
        rulings="default",
    )
    mode = "ranged" if arm is BOW else "melee"
    spec.act("Pia", "prepare-execution", target="Sentry", weapon=arm["id"], mode=mode)
    return spec.rule("advance-time", seconds=60)


@rule("SOV-EXEC-04")
@pytest.mark.parametrize(
    ("squares", "bonus"),
    [(2, 4), (3, 2), (10, 2), (11, 0)],  # 10 ft, 15 ft, 50 ft (the normal range), 55 ft
)
def test_how_near_the_victim_is(spec: Spec, squares: int, bonus: int) -> None:
    ready(spec, BOW, [squares, 0])
    spec.act("Pia", "execution-attack", ("execution", 2, 2), target="Sentry")
    assert spec.rolled("execution").total == 5 + bonus  # 2 + 2 + Shoot 1
    assert spec.hp("Sentry") == 10


@rule("SOV-EXEC-06")
@pytest.mark.parametrize(("arm", "level"), [(BOW, 1), (SWORD, 2), (CLAW, 3)])
def test_the_skill_of_the_blow_weighs_on_the_save(
    spec: Spec, arm: dict[str, Any], level: int
) -> None:
    ready(spec, arm, [3, 0] if arm is BOW else [1, 0])
    hit = [("execution", 6, 6)] if arm is BOW else []
    spec.act("Pia", "execution-attack", *hit, ("save", 10), target="Sentry")
    save = spec.rolled("save")
    assert save.target is not None
    assert save.target - save.total == 15 + level - 10  # 15 is the victim's number
    assert (save.against, save.target_terms[-1]) == ("Pia", Term("penalty", level, "SOV-EXEC-06"))


@rule("SOV-EXEC-06", "SOV-EXEC-08")
@pytest.mark.parametrize(("stab", "strength", "hurt"), [(-1, 0, 4), (0, -2, 2), (0, -5, 0)])
def test_no_skill_helps_the_victim_and_no_weakness_heals_it(
    spec: Spec, stab: int, strength: int, hurt: int
) -> None:
    weak = {"skills": {"stab": stab}, "modifiers": {"str": strength, "dex": strength}}
    ready(spec, DAGGER, [1, 0], **weak)
    spec.act("Pia", "execution-attack", ("save", 20), target="Sentry")
    assert spec.rolled("save").total == 20
    assert spec.event(Damaged).amount == hurt  # the maximum of 1d4 + Strength


@rule("SOV-EXEC-09", "SOV-EXEC-02")
def test_the_main_is_paid_inside_a_round_only(spec: Spec) -> None:
    ready(spec, DAGGER, [1, 0]).begin(("initiative", 8), ("initiative", 1))
    spec.act("Pia", "execution-attack", target="Sentry")
    spec.answer("Sentry", "pass", ("save", 20))
    assert main(spec, "Pia") == 0
    assert spec["Sentry"].facts["alertness"] == "normal"
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Pia", "melee-attack", target="Sentry")


@rule("SOV-EXEC-09")
def test_whose_main_is_spent_executes_nobody(spec: Spec) -> None:
    fight(spec, hero("Pia", weapons=[DAGGER]), npc("Sentry", alertness="unsuspecting"))
    spec.act("Pia", "prepare-execution", target="Sentry")
    spec.rule("advance-time", seconds=60)
    spec.rule("set-budget", combatant="Pia", budget={"main": 0, "move": 1})
    with spec.refused("SOV-EXEC-09", "main-spent"):
        spec.act("Pia", "execution-attack", target="Sentry")


@rule("SOV-EXEC-09", "SOV-RLD-01")
def test_the_bow_is_empty_after_the_shot(spec: Spec) -> None:
    ready(spec, BOW, [3, 0], skills={"shoot": 0})
    spec.act("Pia", "execution-attack", ("execution", 1, 1), target="Sentry")
    assert spec["Pia"].facts["loaded"] == {"bow": False}


@rule("SOV-EXEC-02", "SOV-SEQ-04")
def test_nobody_prepares_in_the_turn_of_others(spec: Spec) -> None:
    fight(spec, hero("Pia", weapons=[DAGGER]), npc("Sentry", alertness="unsuspecting"))
    end(spec, "Pia")
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Pia", "prepare-execution", target="Sentry")


@rule("SOV-EXEC-01")
def test_the_wary_are_executed_by_nobody_prepared_or_not(spec: Spec) -> None:
    fight(spec, hero("Pia", weapons=[DAGGER]), npc("Sentry"))
    with spec.refused("SOV-EXEC-01", "target-alert"):
        spec.act("Pia", "execution-attack", target="Sentry")


@rule("SOV-EXEC-02")
def test_a_preparation_by_hand_takes_its_minute_too(spec: Spec) -> None:
    spec.given(
        hero("Pia", weapons=[DAGGER]), npc("Sentry", alertness="unsuspecting"), rulings="default"
    )
    data = {"target": "Sentry", "weapon": "dagger", "mode": "melee"}
    spec.rule("set-condition", combatant="Pia", condition="preparing-execution", data=data)
    spec.rule("advance-time", seconds=59)
    with spec.refused("SOV-EXEC-02", "not-prepared"):
        spec.act("Pia", "execution-attack", target="Sentry")


@rule("SOV-ITEM-02")
@pytest.mark.parametrize("action", ["execution-attack", "shove", "charge"])
def test_what_the_gm_does_not_let_be_drawn_strikes_nobody(spec: Spec, action: str) -> None:
    arms = [{**SWORD, "state": "in-hand"}, {**DAGGER, "state": "sheathed"}]
    at = [3, 0] if action == "charge" else [1, 0]
    fight(
        spec, hero("Pia", weapons=arms), npc("Sentry", at=at, alertness="unsuspecting"),
        rulings="ask", ask_weapon_swaps_after=0,
    )  # fmt: skip
    named: dict[str, Any] = {"weapon": "dagger"}
    if action == "charge":
        named["to"] = [2, 0]
    if action == "execution-attack":
        spec.act("Pia", "prepare-execution", target="Sentry", **named)
        spec.rule("advance-time", seconds=60)
        named = {}
    spec.act("Pia", action, target="Sentry", **named).answer(None, "refuse", name="plausible")
    assert (main(spec, "Pia"), spec.open()) == (1, [("turn", "turn", "Pia")])
