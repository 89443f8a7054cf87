"""Test requirements and interruptions of charges, swarms and first aid."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.engine.options import reach
from domain.errors import Illegal
from domain.record.events import ConditionGained, Stopped
from domain.rulebook.play import Play
from tests.rulesets.sovereign.units import SWORD, fight, hero, main, npc
from tests.spec import Spec, rule

YELL: dict[str, Any] = {
    "id": "yell", "name": "Yell", "windows": ["declared"],
    "effects": [{"type": "condition", "condition": "hoarse"}],
}  # fmt: skip


# ---- charging and running


@rule("SOV-CHG-03", "SOV-INST-02")
def test_who_is_charged_at_may_defend_itself_at_once(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[4, 0]), asks=("Orc",))
    spec.act("Ana", "charge", to=[3, 0], target="Orc")
    assert [option.id for option in spec.prompt("Orc").options] == ["total-defense", "pass"]


def setting_out(spec: Spec) -> Spec:
    """Let Ana charge at the orc, so that the imp next to her gets a prompt to strike."""
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[4, 0]),
        npc("Imp", at=[0, 1], weapons=[SWORD]),
    )  # fmt: skip
    return spec.act("Ana", "charge", to=[3, 0], target="Orc")


@rule("SOV-INST-07", "SOV-CHG-01")
def test_a_charge_at_one_who_is_away_ends_without_a_blow(spec: Spec) -> None:
    setting_out(spec)
    spec.rule("place", combatant="Orc", at=[9, 9]).answer("Imp", "pass")
    assert spec["Ana"].position == (3, 0, 0)
    stopped = spec.event(Stopped, who="Ana")
    assert (stopped.reason, stopped.rules) == ("out-of-reach", ("SOV-INST-07",))
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-INST-07", "SOV-CHG-01")
def test_a_charge_whose_weapon_is_gone_ends_without_a_blow(spec: Spec) -> None:
    setting_out(spec)
    spec.do(Change("Ana", sheet={"weapons": []})).answer("Imp", "pass")
    assert spec.event(Stopped, who="Ana").reason == "missing-data"
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("SOV-CHG-02")
def test_the_square_where_it_stands_is_no_charge_on_offer(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[1, 0]))
    offered = next(offer for offer in spec.live.options("Ana") if offer.option.id == "charge")
    assert offered.values["to"]
    assert (0, 0, 0) not in [tuple(to) for to in offered.values["to"]]


@rule("SOV-RUN-01")
def test_a_run_to_nowhere_is_none(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    with spec.refused("SOV-RUN-01", "path-blocked"):
        spec.act("Ana", "run", path=[])


# ---- held turns


@rule("SOV-HOLD-03")
@pytest.mark.parametrize("others", [[], [hero("Bo", at=[0, 1])]])
def test_a_held_turn_that_is_taken_in_the_own_side_turn_is_the_turn(
    spec: Spec, others: list[Any]
) -> None:
    fight(spec, hero("Ana"), *others, npc("Orc", at=[9, 9]))
    spec.act("Ana", "hold-action").act("Ana", "trigger-held")
    spec.answer("Ana", "end-turn", name="turn")
    assert spec.combat.acting == (("Bo",) if others else ("Orc",))
    turns = [place.who for place in spec.combat.queue if place.key == (8,)]
    assert turns == (["Bo"] if others else [])


@rule("SOV-ACT-07", "SOV-HOLD-03")
def test_a_held_turn_that_the_gm_finds_one_too_many_is_still_held(spec: Spec) -> None:
    fight(
        spec, hero("Ana"), npc("Orc", at=[9, 9]), rulings="ask", ask_instant_actions_after=0
    )  # fmt: skip
    spec.act("Ana", "hold-action").act("Ana", "trigger-held")
    spec.answer(None, "refuse", name="plausible")
    assert spec["Ana"].has("holding")


# ---- swarms


@rule("SOV-SWARM-01", "SOV-INST-07")
def test_against_the_dead_nobody_swarms(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), npc("Imp", at=[9, 9], abilities=[YELL]),
        asks=("Imp",),
    )  # fmt: skip
    spec.act("Ana", "swarm-attack", target="Orc")
    assert spec.open() == [("reaction", "instant", "Imp")]
    spec.rule("set-condition", combatant="Orc", condition="dead").answer("Imp", "pass")
    assert spec.events(ConditionGained, condition="swarming") == []
    assert main(spec, "Ana") == 0  # the Main Action stays spent


@rule("SOV-SWARM-08", "SOV-INST-07")
def test_against_who_is_down_by_now_no_swarm_opens(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD]), npc("Orc"), npc("Imp", at=[9, 9], abilities=[YELL]),
        asks=("Imp",),
    )  # fmt: skip
    spec.act("Ana", "swarm-attack", target="Orc", strike=True)
    spec.rule("set-condition", combatant="Orc", condition="unconscious").answer("Imp", "pass")
    assert not spec["Ana"].has("swarming")
    assert spec.open() == [("turn", "turn", "Ana")]  # Ana strikes nobody
    assert main(spec, "Ana") == 0


# ---- first aid


@rule("SOV-CHK-04", "SOV-DOWN-05", "SOV-DOWN-06")
def test_who_cannot_help_is_no_helper(spec: Spec) -> None:
    kit = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}
    fight(
        spec, hero("Ren"), hero("Sam", at=[0, 1], items=[kit]), hero("Tom", at=[1, 1]),
        hero("Eve", at=[5, 5]), npc("Orc", at=[9, 9]),
    )  # fmt: skip
    spec.rule("damage", who="Ren", amount=10)
    spec.rule("set-budget", combatant="Tom", budget={"main": 0})
    with spec.refused("SOV-ACT-02", "main-spent"):
        spec.act("Sam", "stabilize", target="Ren", helpers=["Tom"])
    with spec.refused("SOV-DOWN-05", "not-adjacent"):
        spec.act("Sam", "stabilize", target="Ren", helpers=["Eve"])
    spec.act("Sam", "stabilize", ("stabilize", 6, 6), target="Ren")
    assert spec["Ren"].has("stabilized")
    assert not spec["Ren"].has("mortally-injured")


@rule("SOV-RUN-01")
def test_where_a_run_could_lead(spec: Spec) -> None:
    fight(spec, hero("Ana", at=[0, 0]), npc("Orc", at=[-9, -9]))
    play = Play(spec.ruleset, spec.combat)
    route = reach(play, "Ana", spec.ruleset.actions["run"], play)
    assert route is not None
    straight_on = [reached.path[-1][0] for reached in route.squares if reached.path[-1][1] == 0]
    assert max(straight_on) == 6  # 30 ft


@rule("SOV-RUN-01")
def test_without_a_place_nobody_can_say_where_a_run_leads(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[-9, -9])).rule("move", who="Ana", to=None)
    play = Play(spec.ruleset, spec.combat)
    assert reach(play, "Ana", spec.ruleset.actions["run"], play) is None


@rule("SOV-CHG-01", "SOV-ACT-04")
@pytest.mark.parametrize(
    ("action", "inputs", "left", "allowed"),
    [
        ("run", {"path": [[0, 1]]}, 1, ("pay: main",)),
        ("run", {"path": [[0, 1]]}, 0, ()),
        ("charge", {"to": [3, 0], "target": "Orc"}, 1, ()),
    ],
)
def test_the_main_is_only_named_where_it_would_do(
    spec: Spec, action: str, inputs: dict[str, Any], left: int, allowed: tuple[str, ...]
) -> None:
    """If the Move is spent, the refusal proposes `pay: main` while Ana has her Main Action.

    The refusal of a charge never proposes it, because a charge takes both actions.
    """
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", at=[4, 0]))
    spec.rule("set-budget", combatant="Ana", budget={"main": left, "move": 0})
    with spec.raises(Illegal) as caught:
        spec.act("Ana", action, **inputs)
    assert caught[0].code == "move-spent"
    assert caught[0].allowed == allowed


@rule("SOV-DOWN-05", "SOV-CHK-04")
@pytest.mark.parametrize("helper", ["Orc", "Sam"])
def test_nobody_else_gives_its_main_for_first_aid(spec: Spec, helper: str) -> None:
    """Neither a foe nor the fallen combatant itself can help with first aid."""
    kit = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}
    fight(spec, hero("Sam", items=[kit]), hero("Ren", at=[0, 1]), npc("Orc", at=[1, 1]))
    spec.rule("damage", combatant="Ren", amount=10)
    with spec.refused("SOV-DOWN-05", "not-an-ally"):
        spec.act("Sam", "stabilize", target="Ren", helpers=[helper])
    assert main(spec, "Orc") == 1
