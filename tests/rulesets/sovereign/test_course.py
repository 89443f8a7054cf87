"""Test the phases of a round and their ends (SOV-SEQ, SOV-ACT)."""

from typing import Any

import pytest

from domain.record.events import (
    BudgetSet,
    CombatEnded,
    ConditionLost,
    PhaseBegan,
    RoundEnded,
    TurnEnded,
)
from domain.rulebook.input_reader import read
from domain.rulebook.play import Play
from tests.rulesets.sovereign.units import FISTS, SWORD, end, fight, hero, main, move, npc
from tests.spec import Spec, rule

FAR = [30, 0]


def phases(spec: Spec) -> list[str]:
    return [phase_began.phase for phase_began in spec.events(PhaseBegan)]


@rule("SOV-SEQ-01", "SOV-SEQ-05", "SOV-SEQ-07")
def test_the_phases_of_a_round(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    assert spec.combat.phase == "side-turn/party"
    end(spec, "Ana")
    assert phases(spec) == ["side-turn/foes"]
    end(spec, "Orc")
    assert phases(spec) == ["round-end", "round-start", "side-turn/party"]
    assert spec.event(RoundEnded).round == 1


@rule("SOV-SEQ-03")
def test_who_lies_there_has_no_turn_left(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=FAR))
    spec.rule("set-condition", combatant="Bo", condition="unconscious")
    end(spec, "Ana")
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Ana", "Bo"]
    assert [place.who for place in spec.combat.queue] == ["Orc"]
    assert spec.combat.acting == ("Orc",)


@rule("SOV-SEQ-03")
def test_who_never_had_a_turn_is_not_to_come_any_more(spec: Spec) -> None:
    fight(
        spec, hero("Ana"), hero("Bo", at=[0, 1], conditions=[{"id": "unconscious"}]),
        npc("Orc", at=FAR),
    )  # fmt: skip
    end(spec, "Ana")
    assert [place.who for place in spec.combat.queue] == ["Orc"]


@rule("SOV-SEQ-03")
def test_the_gm_ends_each_turn_once(spec: Spec) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=FAR))
    spec.rule("end-side-turn")
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Ana", "Bo"]


@rule("SOV-HOLD-04", "SOV-SEQ-07")
def test_held_actions_are_lost_before_the_grapples_hurt(spec: Spec) -> None:
    fight(spec, hero("Ana", unarmed=FISTS), npc("Orc"))
    spec.rule("set-condition", combatant="Orc", condition="grappled", data={"by": "Ana"})
    spec.act("Ana", "hold-action")
    end(spec, "Ana", "Orc")
    assert spec.open() == [("roll", "grapple-damage", "Ana")]
    lost = spec.event(ConditionLost, condition="holding")
    assert (lost.reason, lost.rules) == ("lost", ("SOV-HOLD-04",))
    assert len(spec.events(ConditionLost)) == 1  # nobody else held anything
    spec.answer("Ana", "roll", faces=[2])
    assert spec.hp("Orc") == 8


@rule("SOV-HOLD-04", "SOV-GRAP-08")
def test_and_with_it_the_main(spec: Spec) -> None:
    """When the round ends, Ana's held Main Action is lost.

    Max's roll for the damage of the grapple is still open, but she cannot use Total Defense.
    """
    fight(
        spec, hero("Ana"), hero("Max", at=[0, 1], unarmed=FISTS), npc("Orc", max_hp=20),
    )  # fmt: skip
    spec.act("Max", "grapple", ("attack", 15), ("grapple", 6, 6), target="Orc")
    end(spec.act("Ana", "hold-action"), "Ana", "Max", "Orc")
    assert spec.open() == [("roll", "grapple-damage", "Max")]
    with spec.refused("SOV-TD-03", "main-spent"):
        spec.act("Ana", "total-defense")
    spec.answer("Max", "roll", faces=[1])
    assert (main(spec, "Ana"), move(spec, "Ana")) == (1, 1)  # the actions of round 2


@rule("SOV-ACT-05")
def test_a_move_that_is_spent_does_not_lapse(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    spec.act("Ana", "run", path=[[0, 1]])
    end(spec, "Ana")
    assert spec.events(BudgetSet) == []


@rule("SOV-ACT-02", "SOV-ACT-03")
@pytest.mark.parametrize(
    ("left", "action", "inputs", "by", "code"),
    [
        ("move", "disengage", {}, "SOV-ACT-02", "main-spent"),
        ("main", "run", {"path": [[0, 1]]}, "SOV-ACT-03", "move-spent"),
    ],
)
def test_what_the_gm_does_not_give_is_not_there(
    spec: Spec, left: str, action: str, inputs: dict[str, Any], by: str, code: str
) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    spec.rule("set-budget", combatant="Ana", budget={left: 1})
    with spec.refused(by, code):
        spec.act("Ana", action, **inputs)
    end(spec, "Ana")
    assert len(spec.events(BudgetSet)) == (left == "move")


@rule("SOV-SEQ-08")
def test_a_side_without_foes_is_not_asked_about_the_end(spec: Spec) -> None:
    spec.given(hero("Ana")).begin(("initiative", 4))
    end(spec, "Ana")
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-SEQ-08")
def test_why_it_ends(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR), rulings="ask")
    spec.rule("damage", who="Orc", amount=99)
    end(spec, "Ana")
    spec.answer(None, "end")
    assert spec.event(CombatEnded).reason == "one side left"


@rule("SOV-SEQ-05", "SOV-DOWN-06")
@pytest.mark.parametrize(("seconds", "up"), [(589, False), (590, True)])
def test_a_round_is_ten_seconds(spec: Spec, seconds: int, up: bool) -> None:
    fight(spec, hero("Ana"), hero("Bo", at=[0, 1]), npc("Orc", at=FAR))
    spec.rule(
        "set-condition", combatant="Bo", condition="stabilized", data={"seconds": seconds}
    )  # fmt: skip
    end(spec, "Ana", "Orc")
    assert spec["Bo"].has("stabilized") is not up
    assert spec.hp("Bo") == (1 if up else 0)


# ---- turns of sides

BURST = {
    "id": "burst", "name": "Burst", "action": "main",
    "effects": [{"type": "damage", "dice": "1d4"}],
}  # fmt: skip
BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6", "range_ft": 30}
OF_A_TURN: dict[str, dict[str, Any]] = {
    "melee-attack": {"target": "Orc"},
    "ranged-attack": {"target": "Orc"},
    "swarm-attack": {"target": "Orc"},
    "swarm-strike": {"target": "Orc"},
    "charge": {"target": "Orc", "to": [1, 0]},
    "screen-ally": {"ward": "Bo"},
    "run": {"path": [[0, 1]]},
    "disengage": {},
    "use-skill": {"skill": "notice", "attribute": "wis"},
    "stabilize": {"target": "Bo"},
    "use-item": {"item": "rope"},
    "ready-item": {"item": "rope"},
    "stow-item": {"item": "rope"},
    "sheathe": {"weapon": "sword"},
    "draw": {"weapon": "sword"},
    "drop-item": {"item": "rope"},
    "wield": {"weapons": ["sword"]},
    "reload": {"weapon": "sword"},
    "pick-up": {"item": "rope"},
    "stand-up": {},
    "go-prone": {},
    "hold-action": {},
    "shove": {"target": "Orc"},
    "grapple": {"target": "Orc"},
    "escape-grapple": {},
    "move-grappled": {},
    "release-grapple": {},
    "prepare-execution": {"target": "Orc"},
    "execution-attack": {"target": "Orc"},
    "cast-spell": {"spell": "bolt", "targets": ["Orc"]},
    "use-ability": {"ability": "burst", "target": "Orc"},
    "speak": {"text": "Now!"},
    "improvise": {"what": "swing"},
    "attack-of-opportunity": {},
    "end-turn": {},
}


@rule("SOV-SEQ-04", "SOV-ACT-08")
@pytest.mark.parametrize("action", OF_A_TURN)
def test_every_check_asks_first_who_may_act(spec: Spec, action: str) -> None:
    """Each action first checks whether Ana can act, and then whether it is her turn."""
    fight(
        spec, npc("Orc", at=FAR), hero("Ana", weapons=[SWORD], abilities=[BURST], spells=[BOLT]),
        hero("Bo", at=[0, 1]), party=1,
    )  # fmt: skip
    end(spec, "Ana", "Bo") if "Ana" in spec.combat.acting else None
    doing = spec.ruleset.actions[action]

    def reason() -> tuple[str, str]:
        inputs = read(OF_A_TURN[action], doing.inputs)
        refusal = next(doing.refusals(Play(spec.ruleset, spec.combat), "Ana", inputs))
        return refusal.rule, refusal.code

    assert reason() == ("SOV-SEQ-04", "not-your-turn")
    spec.rule("set-condition", combatant="Ana", condition="unconscious")
    assert reason() == ("SOV-ACT-08", "incapacitated")


def test_every_action_of_a_turn_is_among_them(spec: Spec) -> None:
    """`OF_A_TURN` lists every action except Instants, which are legal at any moment."""
    others = {"snap-attack", "total-defense", "trigger-held"}
    assert {*OF_A_TURN, *others} == {*spec.ruleset.actions}


@rule("SOV-EXEC-03")
def test_who_has_prepared_nothing_spoils_nothing(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    spec.act("Ana", "disengage")
    assert spec.events(ConditionLost) == []
    assert move(spec, "Ana") == 1
