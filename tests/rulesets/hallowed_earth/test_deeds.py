"""Test that Affray checks an action twice: at its choice and at its execution."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Answered, Damaged, Died, Noted, Prevented, Rolled, Stopped
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    begun,
    fact,
    hero,
    monster,
    queue,
    shown,
    weapon,
)
from tests.spec import Spec, rule

BOW = weapon("bow", "1d6", kind="ranged", range_ft=100)
PIKE = weapon("pike", "1d8", reach_ft=10)

# ---- settled choices


GONE: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("attack", {"weapon": "sword"}, "weapons", {"target": "Orc"}),
    ("cast", {"spell": "odd"}, "spells", {}),
    ("use-item", {"item": "potion"}, "items", {}),
    ("throw-item", {"item": "potion"}, "items", {"target": "Orc"}),
    ("use-ability", {"ability": "dance"}, "abilities", {}),
]


@rule("HE-DECL-15")
@pytest.mark.parametrize(("action", "tool", "field", "inputs"), GONE)
def test_a_settled_deed_whose_thing_has_gone_is_prevented(
    spec: Spec, action: str, tool: dict[str, Any], field: str, inputs: dict[str, Any]
) -> None:
    ana = hero(
        "Ana", weapons=[SWORD], spells=[{"id": "odd", "speed": 0, "effect": "odd"}],
        items=[{"id": "potion"}], abilities=[{"id": "dance", "effect": "a dance"}],
    )  # fmt: skip
    spec.given(ana, monster("Orc"), rulings="default")
    at = 12 - {"use-item": 6, "throw-item": 2}.get(action, 0)
    begin(spec, at, 12, Ana=(action, tool), Orc="no-action")
    spec.act("Ana", action, **inputs)
    spec.do(Change("Ana", sheet={field: []}))
    spec.act("Orc", "end-turn")
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.action, prevented.reason) == ("Ana", action, "no-item")
    assert spec["Ana"].budget["standard"] == 1  # the action cost nothing
    spec.act("Ana", "end-turn")
    assert spec.combat.round == 2


def tied(spec: Spec, **ana: Any) -> Spec:
    """Begin with Ana and an orc, both at initiative 5. Ana has declared a shot."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[BOW, SWORD], **ana),
        monster("Orc", at=[3, 0], weapons=[SWORD]),
        rulings="default",
    )
    begin(spec, 5, 5, Ana=attack("bow"), Orc="no-action")
    return spec


@rule("HE-DYING-02", "HE-REP-10")
def test_a_reposte_is_the_one_action_of_the_dying(spec: Spec) -> None:
    tied(spec, wound_points=-1).act("Ana", "attack", target="Orc")
    spec.act("Orc", "move", path=[[2, 0], [1, 0]])
    spec.answer("Ana", "take", ("reposte-attack", 2))
    spec.act("Orc", "end-turn")
    assert spec.event(Prevented).reason == "dying-one-action"
    assert spec.hp("Ana", "wound_points") == -2  # only the price of the Reposte
    assert fact(spec, "Ana", "actions") == 1


@rule("HE-BLUNT-06")
def test_a_reposte_is_the_one_action_in_two_turns(spec: Spec) -> None:
    tied(spec).rule("injury", ("injury-damage", 1, 1), who="Ana", name="Broken Rib")
    spec.act("Ana", "attack", target="Orc").act("Orc", "move", path=[[2, 0], [1, 0]])
    spec.answer("Ana", "take", ("reposte-attack", 2)).act("Orc", "end-turn")
    assert spec.event(Prevented).rules == ("HE-BLUNT-06",)


@rule("HE-TIE-08")
def test_who_dies_before_the_dice_of_its_moment_does_not_strike(spec: Spec) -> None:
    tied(spec).act("Ana", "attack", target="Orc")
    spec.rule("damage", who="Ana", amount=20, to="wound-points")
    spec.act("Orc", "end-turn")
    assert spec.event(Prevented).reason == "dead"
    assert not spec.events(Rolled)


@rule("HE-TIE-03")
def test_a_blow_whose_dice_have_fallen_lands_whoever_rules_what(spec: Spec) -> None:
    axe = weapon("axe", "1d6")
    spec.given(hero("Ana", weapons=[axe]), monster("Orc", weapons=[axe]), rulings="default")
    begin(spec, 5, 5, Ana=attack("axe"), Orc=attack("axe"))
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 15), ("damage", 4), target="Ana")
    assert spec.open() == [("roll", "attack", "Orc")]
    spec.rule("damage", who="Ana", amount=20, to="wound-points")  # Ana's dice are rolled
    spec.answer("Orc", "roll", ("damage", 3), faces=[15])
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [
        ("Orc", 4),
        ("Ana", 3),
    ]


@rule("HE-TIE-04", "HE-DECL-15")
def test_a_weapon_that_is_gone_before_all_strike_is_the_reason_that_is_told(spec: Spec) -> None:
    axe = weapon("axe", "1d6")
    spec.given(hero("Ana", weapons=[axe]), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 5, 5, 9, Ana=attack("axe"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack").do(Change("Ana", sheet={"weapons": []})).act("Bo", "no-action")
    assert (spec.event(Prevented).reason, spec.event(Prevented).rules) == (
        "no-item",
        ("HE-DECL-15",),
    )


def test_who_dies_with_its_die_open_rolls_no_more_and_the_other_lands(spec: Spec) -> None:
    axe = weapon("axe", "1d6")
    spec.given(hero("Ana", weapons=[axe]), monster("Orc", weapons=[axe]), rulings="default")
    begin(spec, 5, 5, Ana=attack("axe"), Orc=attack("axe"))
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 15), ("damage", 4), target="Ana")
    spec.rule("damage", who="Orc", amount=30, to="wound-points")
    assert spec.event(Stopped).who == "Orc"
    assert (spec.hp("Ana", "wound_points"), spec.hp("Orc", "wound_points")) == (10, 10 - 30 - 4)


# ---- during an action


def walk(spec: Spec, **dagny: Any) -> Spec:
    """Let Dagny walk into the reach of an orc, which may now answer with a Reposte."""
    spec.given(
        hero("Dagny", at=[5, 0], weapons=[SWORD], **dagny),
        monster("Orc", at=[0, 0], weapons=[PIKE]),
        rulings="default",
    )
    begin(spec, 1, 12, Dagny=attack("sword"), Orc="no-action")
    return spec.act("Dagny", "move", path=[[4, 0], [3, 0], [2, 0], [1, 0]])


@rule("HE-INC-02")
def test_who_falls_on_its_way_walks_no_further(spec: Spec) -> None:
    walk(spec, wound_points=8)
    spec.answer("Orc", "take", ("reposte-attack", 15), ("reposte-damage", 8))
    assert spec["Dagny"].position == (2, 0, 0)
    assert spec.event(Prevented).reason == "crawl-only"


@rule("HE-TIE-08")
def test_the_dead_walk_no_further_and_their_turn_is_over(spec: Spec) -> None:
    walk(spec, attributes={"strength": 4}, wound_points=4)
    spec.answer("Orc", "take", ("reposte-attack", 15), ("reposte-damage", 8))
    assert spec.event(Died).who == "Dagny"
    assert spec.event(Stopped).doing == "move"
    assert spec["Dagny"].position == (2, 0, 0)
    assert "Dagny" not in spec.combat.acting
    assert [who for who, _ in queue(spec)] == ["Orc"]


@rule("HE-MOVE-01")
def test_who_is_put_elsewhere_on_its_way_stays_there(spec: Spec) -> None:
    walk(spec).rule("move", who="Dagny", to=[9, 9])
    assert spec["Dagny"].position == (9, 9, 0)
    assert spec.event(Prevented).reason == "no-step"
    assert shown(spec, "Dagny", "moved_ft") == 15


@rule("HE-BLUNT-14")
def test_who_is_paralyzed_on_its_way_stays_there(spec: Spec) -> None:
    walk(spec).rule("injury", who="Dagny", name="Broken Neck").answer("Orc", "pass")
    assert spec["Dagny"].position == (2, 0, 0)
    assert spec.event(Prevented).rules == ("HE-BLUNT-14",)


@rule("HE-ATK-08")
def test_further_strikes_are_not_made_at_the_dead(spec: Spec) -> None:
    claws = weapon("claws", "1d6", strikes=3)
    spec.given(hero("Ana", weapons=[claws]), monster("Orc", wound_points=-7), rulings="default")
    begin(spec, 1, 12, Ana=attack("claws"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 12), ("damage", 3), target="Orc")
    assert spec.event(Died).who == "Orc"
    assert spec.event(Prevented).reason == "dead"


@rule("HE-END-04")
def test_the_end_stops_what_is_going_on(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.rule("end")
    assert spec.combat.status == "ended"
    assert spec.hp("Orc", "wound_points") == 10
    assert spec.open() == []
    assert not spec.events(Rolled)


@rule("HE-REP-06")
def test_the_second_reposte_at_one_who_dies_of_the_first_costs_nothing(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[PIKE], attributes={"agility": 12}),
        hero("Bo", at=[0, 1], weapons=[PIKE]),
        monster("Orc", at=[4, 0], wound_points=-5),
        rulings="default",
    )
    begin(spec, 1, 2, 3, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.act("Ana", "end-turn").act("Bo", "end-turn")
    spec.rule("condition", who="Orc", add="stabilized")
    spec.act("Orc", "move", path=[[3, 0], [2, 0]])
    spec.answer("Bo", "take")
    spec.answer("Ana", "take", ("reposte-attack", 15), ("reposte-damage", 8))
    assert spec.event(Died).who == "Orc"
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.reason) == ("Bo", "no-trigger")
    assert spec["Bo"].budget["reaction"] == 1


# ---- leavers


@rule("HE-SEQ-03")
def test_who_leaves_is_out_of_the_order_at_once(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 3, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.leave("Bo")
    assert queue(spec) == [("Ana", 1), ("Orc", 3)]


@rule("HE-REP-06")
def test_what_a_leaver_was_asked_lapses(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], weapons=[PIKE]), monster("Orc", at=[4, 0]), rulings="default")
    begin(spec, 1, 2, Ana="no-action", Orc="no-action")
    spec.act("Ana", "end-turn").act("Orc", "move", path=[[3, 0], [2, 0], [1, 0]])
    assert spec.open() == [("reaction", "reposte", "Ana")]
    spec.leave("Ana")
    assert spec.event(Answered).by == "lapsed"
    assert spec["Orc"].position == (1, 0, 0)


@rule("HE-DECL-01")
def test_a_leaver_is_not_waited_for_in_the_declare_step(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 3, Ana="no-action", Orc="no-action")
    spec.leave("Bo")
    assert queue(spec) == [("Ana", 1), ("Orc", 3)]
    assert fact(spec, "Bo", "declared") is None


@rule("HE-ATK-07")
def test_the_removed_are_no_targets(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 3, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.leave("Orc")
    with spec.refused("HE-ATK-07", "out-of-range"):
        spec.act("Ana", "attack", target="Orc")


@rule("HE-ATK-07")
def test_a_blow_at_one_who_leaves_before_it_lands_is_over(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 3, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    spec.leave("Orc")
    assert (spec.event(Stopped).who, spec.event(Stopped).reason) == ("Ana", "gone")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert not spec.events(Damaged)
    spec.act("Ana", "end-turn")


ELSEWHERE: list[tuple[str, dict[str, Any], str]] = [
    ("move", {"combatant": "Ana", "to": [9, 9]}, "out-of-reach"),
    ("move", {"combatant": "Orc", "to": [9, 9]}, "out-of-reach"),
    ("condition", {"who": "Orc", "add": "dead"}, "dead"),
    ("condition", {"who": "Ana", "add": "paralyzed"}, "paralyzed"),
    ("condition", {"who": "Ana", "add": "surprised"}, "surprised"),
    ("condition", {"who": "Ana", "add": "arm-cannot-hold"}, "arm-disabled"),
]


@rule("HE-ATK-07", "HE-BLUNT-14")
@pytest.mark.parametrize(("ruling", "inputs", "reason"), ELSEWHERE)
def test_a_blow_that_cannot_be_struck_any_more_is_not_rolled(
    spec: Spec, ruling: str, inputs: dict[str, Any], reason: str
) -> None:
    orc = monster("Orc", at=[1, 0])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), hero("Bo"), orc, rulings="default")
    begin(spec, 1, 2, 3, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack", target="Orc")
    spec.rule(ruling, **inputs)
    assert spec.event(Stopped).reason == reason
    assert not [rolled for rolled in spec.events(Rolled) if rolled.purpose == "attack"]
    assert spec["Ana"].budget["standard"] == 0  # the action had begun
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("HE-BLUNT-14", "HE-SURP-04")
@pytest.mark.parametrize("condition", ["paralyzed", "surprised"])
def test_an_ability_of_one_who_cannot_go_on_is_over(spec: Spec, condition: str) -> None:
    bash = {"id": "bash", "cost": "free", "attack": {"damage": "1d6", "damage_types": ["blunt"]}}
    spec.given(hero("Ana", abilities=[bash], wound_points=0), hero("Bo"), monster("Orc"))
    begun(spec, 1, 2, 3, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.act("Ana", "use-ability", ability="bash", target="Orc")
    spec.rule("condition", combatant="Ana", add=condition)
    assert spec.event(Stopped).reason == condition
    assert spec["Ana"].budget["free"] == 0
    assert spec.hp("Ana", "wound_points") == 0  # it had no effect (HE-INC-04)


@rule("HE-BLUNT-14", "HE-ATK-07")
def test_a_blow_that_has_fallen_lands_unless_the_body_fails(spec: Spec) -> None:
    orc = monster("Orc", at=[1, 0])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), hero("Bo"), orc, rulings="default")
    begin(spec, 1, 2, 3, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    spec.rule("move", combatant="Orc", to=[9, 9])  # the hit was already rolled
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.rule("condition", who="Ana", add="paralyzed")
    assert spec.event(Stopped).reason == "paralyzed"
    assert not spec.events(Damaged)


# ---- undo with an open prompt


@rule("HE-REP-06")
def test_an_undo_with_the_question_open_asks_it_again(spec: Spec) -> None:
    walk(spec).answer("Orc", "take", ("reposte-attack", 15), ("reposte-damage", 2))
    spec.undo().undo()  # the damage, the attack roll
    spec.undo()
    assert spec.open() == [("reaction", "reposte", "Orc")]
    spec.answer("Orc", "pass")
    assert spec["Dagny"].position == (1, 0, 0)


# ---- the target leaves


@rule("HE-REP-04")
def test_a_reposte_at_one_who_leaves_is_stopped(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]),
        hero("Bo"),
        monster("Orc", at=[2, 0], weapons=[SWORD]),
        rulings="default",
    )
    begin(spec, 1, 9, 12, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.act("Ana", "move", path=[[1, 0]]).answer("Orc", "take")
    spec.leave("Ana")
    assert spec.event(Stopped, who="Orc").reason == "gone"
    assert spec["Orc"].budget["reaction"] == 0
    assert spec.open() == [("turn", "turn", "Bo")]


@rule("HE-REP-09", "HE-REP-04")
@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("surprised", "surprised"),
        ("paralyzed", "paralyzed"),
        ("arm-cannot-attack", "arm-disabled"),
        ("arm-cannot-hold", "arm-disabled"),
    ],
)
def test_a_reposte_that_cannot_be_struck_any_more_is_not_rolled(
    spec: Spec, condition: str, reason: str
) -> None:
    walk(spec).answer("Orc", "take").rule("condition", combatant="Orc", add=condition)
    assert spec.event(Stopped, who="Orc").reason == reason
    assert spec["Orc"].budget["reaction"] == 0
    assert spec["Dagny"].position == (1, 0, 0)


# ---- declared and undeclared actions


@rule("HE-SEQ-02", "HE-ACT-03")
@pytest.mark.parametrize("cost", ["free", "reaction", "none"])
def test_an_ability_that_is_not_declared_waits_for_the_count(spec: Spec, cost: str) -> None:
    spec.given(hero("Ana", abilities=[{"id": "cry", "cost": cost}]), monster("Orc"))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 2))
    with spec.refused("HE-SEQ-02", "wrong-phase"):
        spec.act("Ana", "use-ability", ability="cry")


@rule("HE-DECL-15", "HE-BLUNT-12")
def test_what_fell_from_an_injured_hand_is_refused_for_the_hand(spec: Spec) -> None:
    """If Ana's hand is injured, the refusal names the hand, not the item on the floor."""
    spec.given(
        hero(
            "Ana",
            weapons=[SWORD],
            items=[{"id": "flask", "hand": "main"}],
            injuries=[{"name": "Shattered Hand", "side": "main"}],
        ),
        monster("Orc"),
        rulings="default",
    )
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    with spec.refused("HE-BLUNT-12", "arm-disabled"):
        spec.act("Ana", "attack", target="Orc")
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    spec.act("Ana", "use-item", item="flask").act("Orc", "no-action")
    with spec.refused("HE-BLUNT-12", "arm-disabled"):
        spec.act("Ana", "use-item")
    spec.rule("heal", who="Ana", injury="Shattered Hand")
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    with spec.refused("HE-DECL-15", "no-item"):  # the hand is healthy, but has no sword
        spec.act("Ana", "attack", weapon="sword")


# ---- the dying, and a missed turn


def late_and_dying(spec: Spec) -> Spec:
    """Begin with Ana, who is dying and missed a turn. In round 2, she acts at −9 and 12."""
    spec.given(
        hero("Ana", attributes={"strength": 15}, wound_points=-1, weapons=[SWORD]),
        hero("Bo"),
        monster("Orc", max_stress=50),
        rulings="default",
    )
    begin(spec, 12, 11, 1, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Orc", "end-turn").rule("set-initiative", who="Ana", base=3)
    spec.act("Bo", "end-turn").rule("set-initiative", who="Ana", base=12)
    spec.act("Ana", "attack", weapon="sword").act("Bo", "no-action").act("Orc", "no-action")
    assert queue(spec)[0] == ("Ana", -9)  # 3 − 12
    return spec


@rule("HE-DYING-02", "HE-LATE-09")
def test_the_dying_take_one_action_in_each_of_two_turns(spec: Spec) -> None:
    late_and_dying(spec).act("Ana", "attack", ("attack", 1), target="Orc")
    with spec.refused("HE-DYING-02", "dying-one-action"):
        spec.act("Ana", "free-action", what="a cry")
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Ana", "crawl", direction=[1, 0])
    spec.act("Ana", "end-turn").act("Orc", "end-turn").act("Bo", "end-turn")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert spec.hp("Ana", "wound_points") == -4  # −1, −1 for the round, −2 for two actions


@rule("HE-DYING-03", "HE-LATE-09")
def test_the_dying_who_crawl_do_not_act_in_the_same_turn(spec: Spec) -> None:
    late_and_dying(spec).act("Ana", "crawl", direction=[1, 0])
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Ana", "attack", target="Orc")
    spec.act("Ana", "end-turn").act("Orc", "end-turn").act("Bo", "end-turn")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")


# ---- offers and refusals at a number


@rule("HE-TIE-04")
def test_after_the_results_of_a_tied_slot_nobody_strikes_any_more(spec: Spec) -> None:
    orc = monster("Orc", at=[9, 0], weapons=[SWORD])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), orc, rulings="default")
    begin(spec, 5, 5, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack")  # the orc is out of reach
    spec.act("Orc", "no-action")
    assert spec["Ana"].budget["standard"] == 1
    spec.rule("move", combatant="Orc", to=[1, 0])
    with spec.refused("HE-TIE-04", "standard-used"):
        spec.act("Ana", "attack", target="Orc")


@rule("HE-TIE-05")
def test_a_stance_counts_against_a_quicker_attack_of_its_moment(spec: Spec) -> None:
    ana = hero("Ana", at=[0, 0], weapons=[SWORD], attributes={"agility": 16})
    spec.given(ana, monster("Orc", at=[1, 0]), rulings="default")
    begin(spec, 8, 6, Ana=attack("sword"), Orc="full-defense")  # 8 − 3 = 5 and 6 − 1 = 5
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "full-defense", ("attack", 13))
    assert (spec.rolled("attack").target, spec.rolled("attack").outcome) == (14, "miss")


@rule("HE-REP-03", "HE-MOVE-04")
def test_a_blow_after_the_movement_that_was_left_is_answered_too(spec: Spec) -> None:
    orc = monster("Orc", at=[3, 0], weapons=[SWORD])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), orc, rulings="default")
    begin(spec, 8, 6, Ana=attack("sword"), Orc="full-defense")
    spec.act("Orc", "full-defense").act("Orc", "end-turn")
    with spec.refused("HE-ATK-07", "out-of-reach"):
        spec.act("Ana", "attack")
    spec.act("Ana", "no-action")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]]).answer("Orc", "pass")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert spec.open() == [("reaction", "reposte", "Orc")]


@rule("HE-STAB-10")
def test_nobody_stabilizes_one_who_has_left(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo", wound_points=-1), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 3, Ana="stabilize", Bo="no-action", Orc="no-action")
    spec.leave("Bo")
    with spec.refused("HE-ATK-07", "out-of-range"):
        spec.act("Ana", "stabilize", target="Bo")


@rule("HE-ATK-07")
def test_a_spell_without_an_attack_has_a_range_too(spec: Spec) -> None:
    ember = {
        "id": "ember",
        "speed": 0,
        "range_ft": 20,
        "damage": {"formula": "1d4", "types": ["fire"]},
    }
    spec.given(hero("Ana", at=[0, 0], spells=[ember]), monster("Orc", at=[5, 0]), rulings="default")
    begin(spec, 1, 3, Ana=("cast", {"spell": "ember"}), Orc="no-action")
    with spec.refused("HE-ATK-07", "out-of-range"):
        spec.act("Ana", "cast", target="Orc")  # 25 ft
    spec.rule("move", combatant="Orc", to=[4, 0])
    spec.act("Ana", "cast", ("damage", 3), target="Orc")
    assert spec.hp("Orc", "wound_points") == 7


@rule("HE-DECL-11")
def test_a_turn_proposes_every_target_and_to_name_none(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD], skills={"balance": 3}),
        monster("Orc", at=[1, 0]),
        monster("Elf", at=[9, 9]),
        rulings="default",
    )
    begin(spec, 1, 3, 4, Ana=attack("sword"), Orc="no-action", Elf="no-action")

    def proposed(action: str) -> tuple[Any, ...]:
        return next(offer.legal for offer in spec.live.options("Ana") if offer.option.id == action)

    assert [inputs.get("target") for inputs in proposed("attack")] == ["Orc", None]
    spec.act("Ana", "end-turn").act("Orc", "end-turn").act("Elf", "end-turn")
    assert spec.combat.facts.get("slot") is None  # the moment is over
    spec.act("Ana", "skill-check", skill="balance")
    spec.act("Orc", "no-action").act("Elf", "no-action")
    assert [inputs.get("tn") for inputs in proposed("skill-check")] == [10, 15, None]


def astray(spec: Spec) -> Spec:
    """Let Ana strike at an orc, which leaves before the elf at her number has settled."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        monster("Orc", at=[1, 0]),
        monster("Elf", at=[0, 1], weapons=[SWORD]),
        rulings="default",
    )
    begin(spec, 5, 9, 5, Ana=attack("sword"), Orc="no-action", Elf=attack("sword"))
    spec.act("Ana", "attack", target="Orc").leave("Orc")
    spec.act("Elf", "attack", target="Ana")
    assert spec.open() == [("choice", "target", "Ana")]
    assert [option.id for option in spec.prompt("Ana").options] == ["Elf", "none"]
    return spec


@rule("HE-TIE-06", "HE-DECL-02")
def test_whose_target_has_gone_is_asked_for_another(spec: Spec) -> None:
    astray(spec).answer("Ana", "Elf", ("attack", 15), ("damage", 4), ("attack", 1))
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [("Elf", 4)]


@rule("HE-TIE-06", "HE-DECL-11")
def test_or_strikes_at_nobody(spec: Spec) -> None:
    astray(spec).answer("Ana", "none", ("attack", 1))
    noted = [noted for noted in spec.events(Noted) if noted.who == "Ana"]
    assert [(line.text, line.rules) for line in noted] == [
        ("Ana has no target for the attack", ("HE-DECL-11",))
    ]
    assert not spec.events(Prevented)
    assert spec["Ana"].budget["standard"] == 1


@rule("HE-DATK-04")
def test_a_defensive_attack_on_nobody_is_no_attack(spec: Spec) -> None:
    orc = monster("Orc", at=[1, 0])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), orc, rulings="default")
    begin(spec, 1, 9, Ana=("defensive-attack", {"weapon": "sword"}), Orc="no-action")
    spec.act("Ana", "defensive-attack").answer("Ana", "none")
    assert spec.event(Noted, who="Ana").rules == ("HE-DATK-04",)
    assert spec["Ana"].budget["standard"] == 1


@rule("HE-ATK-07")
def test_an_attack_is_refused_while_no_foe_is_in_reach(spec: Spec) -> None:
    """With only an ally in reach, no attack is offered. The target prompt lists `none` first."""
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]),
        hero("Bo", at=[1, 0]),
        monster("Orc", at=[9, 0]),
        rulings="default",
    )
    begin(spec, 1, 2, 9, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    (offer,) = (offer for offer in spec.live.options("Ana") if offer.option.id == "attack")
    assert not offer.legal
    spec.act("Ana", "attack")
    assert [option.id for option in spec.prompt("Ana").options] == ["none", "Bo"]
    spec.answer("Ana", "none").leave("Bo")
    with spec.refused("HE-ATK-07", "out-of-reach"):
        spec.act("Ana", "attack")


@rule("HE-SEQ-04")
def test_the_next_round_by_ruling_ends_what_is_left_of_a_turn(spec: Spec) -> None:
    orc = monster("Orc", at=[1, 0])
    spec.given(hero("Ana", at=[0, 0], weapons=[SWORD]), orc, rulings="default")
    begin(spec, 1, 9, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert spec.open() == [("turn", "turn", "Ana")]  # movement and a Free Action remain
    spec.rule("next-round")
    assert (spec.combat.round, spec.combat.acting) == (2, ())
    assert {prompt[1] for prompt in spec.open()} == {"declare"}


TOWARDS: list[tuple[str, dict[str, Any], tuple[Any, ...], str]] = [
    ("stabilize", {}, (), "heal"),
    ("intimidate", {}, (), "intimidation"),
    ("use-item", {"item": "potion"}, (), "healing"),
    ("cast", {"spell": "fire"}, (("casting", 15),), "damage"),
    ("cast", {"spell": "odd"}, (), "effect"),
]


@rule("HE-STAB-01", "HE-MOR-05", "HE-ITEM-01", "HE-MAG-01")
@pytest.mark.parametrize(("action", "tool", "rolled", "asked"), TOWARDS)
def test_what_is_done_to_one_who_leaves_is_stopped(
    spec: Spec, action: str, tool: dict[str, Any], rolled: tuple[Any, ...], asked: str
) -> None:
    """If the target leaves, the action stops. Ana still pays for it, because it has begun."""
    fire = {"formula": "1d6", "types": ["fire"]}
    spells = [
        {"id": "fire", "speed": 0, "casting_tn": 10, "casting_bonus": 3, "damage": fire},
        {"id": "odd", "speed": 0, "effect": "odd"},
    ]
    potion = {"id": "potion", "use_speed": 0, "heals": {"wound_points": "1d4"}}
    spec.given(
        hero("Ana", wound_points=0, spells=spells, items=[potion]),
        hero("Bo"),
        monster("Orc", wound_points=0),
        monster("Rat"),
        rulings="ask",
    )
    spec.begin().answer(None, "as-given", *(("initiative", face) for face in (1, 11, 12, 12)))
    for who in ("Bo", "Orc", "Rat"):
        spec.act(who, "no-action")
    spec.act("Ana", action, **tool)
    spec.act("Ana", action, *rolled, target="Orc")
    assert [name for _, name, _ in spec.open()] == [asked]
    spec.leave("Orc")
    assert spec.event(Stopped, who="Ana").reason == "gone"
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec.hp("Ana", "wound_points") == -1  # HE-INC-03
