"""Test the GM's rulings, changes of sheets, and their consequences."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Impossible, Malformed, Unknown
from domain.record.combat import DiceSettings
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Downed,
    Event,
    Noted,
    Prompted,
    Rolled,
    TurnEnded,
)
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    declare,
    fact,
    hero,
    monster,
    queue,
    shown,
    weapon,
)
from tests.spec import Spec, rule


def meeting(spec: Spec, **orc: Any) -> Spec:
    """Begin with Ana at initiative 1 and an orc at 12, who have both declared no action."""
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc", **orc), rulings="default")
    return begin(spec, 1, 12, Ana="no-action", Orc="no-action")


# ---- Wound Points from any source


@rule("HE-WP-05")
def test_a_track_of_nothing_incapacitates(spec: Spec) -> None:
    meeting(spec).rule("set-track", who="Orc", track="wound_points", value=0)
    assert [held.id for held in spec["Orc"].conditions] == ["incapacitated"]
    assert spec.event(Downed).rules == ("HE-WP-05",)


@rule("HE-WP-06")
def test_a_track_below_nothing_is_dying(spec: Spec) -> None:
    meeting(spec).rule("set-track", who="Orc", track="wound_points", value=-5)
    assert [held.id for held in spec["Orc"].conditions] == ["dying"]


@rule("HE-WP-07")
def test_a_track_of_minus_strength_is_death_and_no_turn(spec: Spec) -> None:
    meeting(spec).rule("set-track", who="Orc", track="wound_points", value=-10)
    assert [held.id for held in spec["Orc"].conditions] == ["dead"]
    assert queue(spec) == [("Ana", 1)]


@rule("HE-WP-09")
def test_a_track_above_nothing_ends_it(spec: Spec) -> None:
    meeting(spec, wound_points=-5).rule("set-track", who="Orc", track="wound_points", value=1)
    assert spec["Orc"].conditions == ()


@rule("HE-ATTR-05")
def test_a_changed_strength_takes_wound_points_along(spec: Spec) -> None:
    meeting(spec).do(Change("Orc", sheet={"attributes": {"strength": 7}}))
    assert (spec.hp("Orc", "wound_points"), spec["Orc"].tracks["wound_points"].maximum) == (7, 7)
    spec.do(Change("Orc", sheet={"attributes": {"strength": 16}}))
    assert (spec.hp("Orc", "wound_points"), spec["Orc"].tracks["wound_points"].maximum) == (7, 16)


@rule("HE-WP-09")
def test_healing_ends_at_the_maximum(spec: Spec) -> None:
    meeting(spec, wounds=[{"type": "fire", "amount": 3}], wound_points=7)
    spec.rule("heal", who="Orc", wound_points=50)
    assert spec.hp("Orc", "wound_points") == 10
    assert fact(spec, "Orc", "wounds") == []


@rule("HE-STRESS-09")
def test_stress_is_healed_to_its_maximum(spec: Spec) -> None:
    meeting(spec, max_stress=8, stress=5).rule("heal", who="Orc", stress=50)
    assert spec.hp("Orc", "stress") == 8


@rule("HE-WP-09")
def test_the_gm_heals_the_wound_that_it_chooses_first(spec: Spec) -> None:
    wounds = [{"type": kind, "amount": amount} for kind, amount in (("fire", 4), ("cold", 2))]
    meeting(spec, wounds=wounds, wound_points=4)
    spec.rule("heal", who="Orc", wound_points=3, wound=2)
    # first the cold wound of 2, then 1 off the fire wound of 4
    assert fact(spec, "Orc", "wounds") == [{"id": 1, "type": "fire", "amount": 3}]


# ---- initiative


@rule("HE-INIT-09")
def test_a_base_set_after_declaring_counts_in_this_round(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[weapon("axe", speed=6)]), monster("Orc"), rulings="default",
        declare_order="clockwise",
    )  # fmt: skip
    begin(spec, 1, 12, Ana=attack("axe"))
    spec.rule("set-initiative", who="Ana", base=4)
    assert fact(spec, "Ana", "round_initiative") == 10  # 4 + 6
    spec.act("Orc", "no-action")
    assert queue(spec) == [("Ana", 10), ("Orc", 12)]


@rule("HE-LATE-07")
def test_a_second_missed_turn_keeps_the_first_ones_action(spec: Spec) -> None:
    arms = [weapon("claws", speed=0), weapon("bite", speed=3)]
    spec.given(hero("Ana"), hero("Bo"), monster("rat", weapons=arms), rulings="default")
    begin(spec, 1, 9, 12, Ana="no-action", Bo="no-action", rat=attack("claws"))
    spec.act("Ana", "end-turn").rule("set-initiative", who="rat", base=2)  # at −10 in round 2
    spec.act("Bo", "end-turn", ("morale", 6, 6, 6))
    spec.rule("set-initiative", who="Ana", base=-30)
    declare(spec, Ana="no-action", Bo="no-action", rat=attack("bite"))
    assert queue(spec) == [("Ana", -30), ("rat", -10), ("rat", 5), ("Bo", 9)]
    spec.act("Ana", "end-turn")
    assert spec.combat.phase == "count/-10"
    spec.rule("set-initiative", who="rat", base=-40)  # its turn at 5 is over: −37 − 12
    with spec.refused("HE-DECL-11", "not-declared"):
        spec.act("rat", "attack", weapon="bite", target="Ana")
    spec.act("rat", "attack", ("attack", 15), ("damage", 2), weapon="claws", target="Ana")


@rule("HE-ACT-01")
def test_before_its_turn_nothing_is_used(spec: Spec) -> None:
    meeting(spec)
    assert [shown(spec, "Orc", f"{name}_used") for name in ("standard", "free", "reaction")] == [
        False, False, False,
    ]  # fmt: skip
    spec.act("Ana", "free-action", what="shout")
    assert (shown(spec, "Ana", "standard_used"), shown(spec, "Ana", "free_used")) == (False, True)


# ---- newcomers


def wolf(name: str, **fields: Any) -> dict[str, Any]:
    return monster(name, initiative_group="wolves", **fields)


@rule("HE-SHARE-01")
def test_newcomers_of_a_group_share_the_die_that_is_open(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    spec.join(**wolf("w1", attributes={"agility": 14})).join(**wolf("w2"))
    assert spec.open() == [("roll", "initiative", "w1")]
    spec.answer("w1", "roll", faces=[9])
    assert (fact(spec, "w1", "base_initiative"), fact(spec, "w2", "base_initiative")) == (7, 9)
    assert len(spec.events(Rolled)) == 1
    declare(spec, w1="no-action", w2="no-action")
    assert queue(spec) == [("Ana", 1), ("w1", 7), ("w2", 9), ("Orc", 12)]


@rule("HE-SHARE-01")
def test_a_later_member_of_a_group_has_a_die_of_its_own(spec: Spec) -> None:
    spec.given(hero("Ana"), wolf("w1"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", w1="no-action")
    spec.join(("initiative", 5), **wolf("w2"))
    assert (fact(spec, "w1", "base_initiative"), fact(spec, "w2", "base_initiative")) == (12, 5)


@rule("HE-LATE-01")
def test_the_die_of_a_newcomer_who_is_removed_blocks_nobody(spec: Spec) -> None:
    meeting(spec).join(**monster("rat"))
    assert spec.open() == [("roll", "initiative", "rat")]
    spec.leave("rat")
    assert spec.open() == [("turn", "turn", "Ana")]
    spec.act("Ana", "end-turn")


@rule("HE-LATE-01")
def test_the_die_of_one_who_is_removed_before_the_first_round_blocks_nobody(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("rat"), monster("Orc"), rulings="default")
    spec.begin(("initiative", 1))
    assert spec.open() == [("roll", "initiative", "rat")]
    spec.leave("rat").answer("Orc", "roll", faces=[12])
    assert {who for _, _, who in spec.open()} == {"Ana", "Orc"}


@rule("HE-DECL-08")
def test_while_a_newcomers_die_is_open_nobody_is_out_of_order(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"), rulings="default")
    begin(spec, 1, 12).join(**monster("rat"))
    with spec.refused("HE-LATE-01", "wrong-phase"):
        spec.act("Ana", "no-action")
    spec.answer("rat", "roll", faces=[3])
    declare(spec, Ana="no-action", Orc="no-action", rat="no-action")


@rule("HE-TIE-06")
def test_a_slot_that_becomes_shared_has_its_starting_positions(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], weapons=[SWORD]), monster("Orc", at=[9, 0]), rulings="default"
    )
    begin(spec, 5, 9, Ana=attack("sword"), Orc="no-action")
    spec.join(("initiative", 5), **monster("rat", at=[1, 0]))
    declare(spec, rat="no-action")
    spec.act("rat", "move", path=[[2, 0], [3, 0]]).act("rat", "no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="rat")
    assert spec.hp("rat", "wound_points") == 7


# ---- Stress


@rule("HE-STRESS-01")
def test_hit_dice_fall_when_somebody_joins(spec: Spec) -> None:
    card = hero("Leo", hit_dice=["2d8+3", "1d6"], attributes={"strength": 14})
    del card["max_stress"]
    spec.given(card, monster("Orc"), rulings="default")
    assert spec.open() == [("roll", "stress", "Leo")]
    spec.answer("Leo", "roll", faces=[5, 6, 4])
    # the faces 5 + 6 + 4, the constant 3, and 2 for each of the three dice
    assert spec["Leo"].tracks["stress"].maximum == 24
    spec.begin(("initiative", 1), ("initiative", 2))
    assert len(spec.events(Rolled)) == 2


@rule("HE-STRESS-01")
def test_hit_dice_of_the_server_are_there_before_the_fight(spec: Spec) -> None:
    card = monster("Orc", hit_dice=["3d8"])
    del card["max_stress"]
    spec.given(hero("Ana"), card, dice=DiceSettings("server", "server"))
    assert spec["Orc"].tracks["stress"].maximum in range(3, 25)


# ---- items


@rule("HE-BLUNT-12")
def test_a_useless_hand_keeps_its_claws_and_cannot_use_them(spec: Spec) -> None:
    arms = [weapon("claws"), weapon("axe"), weapon("bite", hand="none")]
    meeting(spec, weapons=arms)
    spec.rule(
        "injury", ("injury-damage", 1, 1, 1, 1), who="Orc", name="Shattered Hand", side="main"
    )
    assert fact(spec, "Orc", "lost") == {"weapon:axe": "dropped"}
    assert shown(spec, "Orc", "threat_range_ft") == 5  # the bite
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    declare(spec, Ana="no-action", Orc=attack("claws"))
    spec.act("Ana", "end-turn")
    with spec.refused("HE-BLUNT-12", "arm-disabled"):
        spec.act("Orc", "attack", target="Ana")


@rule("HE-BLUNT-11")
def test_claws_are_not_held_by_a_broken_forearm(spec: Spec) -> None:
    meeting(spec, weapons=[weapon("claws")])
    spec.rule("injury", ("injury-damage", 1), who="Orc", name="Broken Forearm", side="main")
    assert fact(spec, "Orc", "lost") is None
    assert shown(spec, "Orc", "threat_range_ft") == 5


@rule("HE-ITEM-02")
def test_what_was_thrown_or_dropped_is_taken_up_by_a_ruling(spec: Spec) -> None:
    spear = weapon("spear", kind="thrown", range_ft=30)
    spec.given(hero("Ana", weapons=[spear]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("spear"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 2), target="Orc").act("Ana", "end-turn")
    spec.act("Orc", "end-turn").rule("take-up", who="Ana", thing="weapon:spear")
    declare(spec, Ana=attack("spear"))
    with spec.raises(Unknown):
        spec.rule("take-up", who="Ana", thing="weapon:spear")


@rule("HE-ITEM-02", "HE-DECL-15")
def test_what_was_thrown_is_not_declared_though_its_arm_is_injured(spec: Spec) -> None:
    """Ana may declare the axe that her injured arm dropped, but not the spear that she threw."""
    arms = [weapon("spear", kind="thrown", range_ft=30), weapon("axe")]
    spec.given(hero("Ana", weapons=arms), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("spear"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 2), target="Orc").act("Ana", "end-turn")
    spec.rule("injury", ("injury-damage", 1), combatant="Ana", name="Broken Forearm", side="main")
    spec.act("Orc", "end-turn")
    with spec.refused("HE-DECL-15", "no-item"):
        spec.act("Ana", "attack", weapon="spear")
    declare(spec, Ana=attack("axe"))


# ---- details


@rule("HE-ATK-08")
def test_a_target_counts_once(spec: Spec) -> None:
    blast = {"id": "blast", "speed": 0, "attack": {"damage": "1d6", "damage_types": ["fire"]}}
    spec.given(hero("Ana", spells=[blast]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=("cast", {"spell": "blast"}), Orc="no-action")
    spec.act("Ana", "cast", ("attack", 15), ("damage", 2), targets=["Orc", "Orc"])
    assert spec.hp("Orc", "wound_points") == 8


@rule("HE-MOVE-01")
@pytest.mark.parametrize("inputs", [{}, {"distance_ft": 10}])
def test_on_the_grid_a_move_needs_its_path(spec: Spec, inputs: dict[str, Any]) -> None:
    spec.given(hero("Ana", at=[0, 0]), monster("Orc", at=[9, 9]), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    with spec.refused("HE-MOVE-01", "no-step"):
        spec.act("Ana", "move", **inputs)
    assert shown(spec, "Ana", "moved_ft") == 0


@rule("HE-INC-02")
def test_on_the_grid_a_crawl_needs_its_direction(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], wound_points=0), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    with spec.refused("HE-INC-02", "no-step"):
        spec.act("Ana", "crawl")
    assert shown(spec, "Ana", "moved_ft") == 0


@rule("HE-BLUNT-01")
def test_a_skill_is_known_in_whatever_case(spec: Spec) -> None:
    spec.given(hero("Ana", skills={"Balance": 4}), monster("Orc"), rulings="default")
    spec.rule("injury", who="Ana", name="Crushed Foot")
    spec.rule("skill-check", ("skill", 10), who="Ana", skill="BALANCE", tn=9)
    assert spec.rolled("skill").total == 9  # 10 + 4 − 5


@rule("HE-WP-01")
@pytest.mark.parametrize(
    ("field", "value"), [("wound_points", 3), ("max_stress", 9), ("wounds", [])]
)
def test_a_change_without_effect_is_refused(spec: Spec, field: str, value: Any) -> None:
    meeting(spec, wounds=[{"type": "fire", "amount": 1}])
    with spec.raises(Malformed) as caught:
        spec.do(Change("Orc", sheet={field: value}))
    assert caught[0].pointer == f"/sheet/{field}"


@rule("HE-CRIT-04")
def test_a_total_of_twenty_is_not_a_face_of_twenty(spec: Spec) -> None:
    axe = weapon("axe", "1d6", attack_bonus=8, crit_range=18)
    spec.given(hero("Ana", weapons=[axe]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("axe"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 17), ("damage", 2), target="Orc")  # 17 + 8 = 25
    assert spec.rolled("attack").outcome == "hit"
    assert spec.hp("Orc", "wound_points") == 8


@rule("HE-CRIT-03")
def test_the_wound_of_a_critical_hit_names_its_rule(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc", max_stress=9), rulings="default")
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 20), ("damage", 2), ("injury-chance", 50), target="Orc")
    hurt = next(event for event in spec.told() if getattr(event, "track", "") == "wound_points")
    assert hurt.rules[0] == "HE-CRIT-03"


@rule("HE-SEQ-04")
def test_turns_that_the_gm_skips_end_unasked(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 5, 5, 9, Ana="no-action", Bo="no-action", Orc="no-action")
    spec.act("Ana", "no-action").act("Bo", "no-action").rule("next-round", ("morale", 1, 1, 1))
    assert {turn_ended.who for turn_ended in spec.events(TurnEnded)} == {"Ana", "Bo"}
    assert "turn" not in [prompted.kind for prompted in spec.events(Prompted)]


# ---- amended results


def version_of(spec: Spec, kind: type[Event]) -> int:
    return next(recorded.version for recorded in spec.last if isinstance(recorded.event, kind))


def blow(spec: Spec) -> int:
    """Let Ana deal 8 damage to an orc's 10 Wound Points. Return the version of the damage."""
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 8), target="Orc")
    return version_of(spec, Damaged)


@rule("HE-SEQ-04")
def test_damage_is_settled_otherwise_with_all_that_follows(spec: Spec) -> None:
    spec.rule("override", event=blow(spec), outcome="to the heart", amount=20)
    assert spec.hp("Orc", "wound_points") == -10  # 10 − 20
    assert spec["Orc"].has("dead")


@rule("HE-SEQ-04")
def test_damage_that_does_not_stand_leaves_no_wound(spec: Spec) -> None:
    spec.rule("override", event=blow(spec), outcome="a feint", stands=False)
    assert spec.hp("Orc", "wound_points") == 10
    assert fact(spec, "Orc", "wounds") == []


@rule("HE-SEQ-04")
def test_a_blow_that_killed_can_be_settled_so_that_it_did_not(spec: Spec) -> None:
    meeting(spec).rule("damage", who="Orc", amount=25, to="wound-points")
    assert spec["Orc"].has("dead")
    spec.rule("override", event=version_of(spec, Damaged), outcome="a graze", amount=11)
    assert [held.id for held in spec["Orc"].conditions] == ["dying"]  # 10 − 11


@rule("HE-SEQ-04", "HE-WP-07")
def test_a_blow_that_kills_either_way_leaves_the_dead_dead(spec: Spec) -> None:
    meeting(spec).rule("damage", who="Orc", amount=25, to="wound-points")
    spec.rule("override", event=version_of(spec, Damaged), outcome="less", amount=20)
    assert spec.hp("Orc", "wound_points") == -10  # the negative Strength score
    assert spec["Orc"].has("dead")
    assert spec.events(ConditionLost) == []


@rule("HE-SEQ-04")
def test_a_condition_that_does_not_stand_is_gone(spec: Spec) -> None:
    meeting(spec).rule("condition", who="Orc", add="prone")
    spec.rule("override", event=version_of(spec, ConditionGained), outcome="no", stands=False)
    assert spec["Orc"].conditions == ()


@rule("HE-SEQ-04")
def test_words_alone_change_nothing_and_claim_nothing(spec: Spec) -> None:
    spec.rule("override", event=blow(spec), outcome="it looked worse than it was")
    assert spec.event(Noted).rules == ()
    assert spec.hp("Orc", "wound_points") == 2


@rule("HE-SEQ-04")
def test_what_is_not_there_is_not_overridden(spec: Spec) -> None:
    meeting(spec)
    with spec.raises(Unknown):
        spec.rule("override", event=999, outcome="?")
    with spec.raises(Malformed):
        spec.rule("override", event=1, outcome="?", amount=3)


@rule("HE-BLUNT-11")
@pytest.mark.parametrize(
    ("id", "fields", "falls"),
    [
        ("left claw 2", {}, False),
        ("claw-hammer", {}, True),
        ("thorns", {"part_of_body": True}, False),
        ("fist", {"part_of_body": False}, True),
    ],
)
def test_what_is_part_of_the_body_is_not_dropped(
    spec: Spec, id: str, fields: dict[str, Any], falls: bool
) -> None:
    meeting(spec, weapons=[weapon(id, **fields)])
    spec.rule("injury", ("injury-damage", 1), who="Orc", name="Broken Forearm", side="main")
    assert (fact(spec, "Orc", "lost") is not None) == falls


@rule("HE-LATE-01", "HE-SHARE-04")
def test_whoever_enters_by_ruling_has_a_sheet_that_can_be(spec: Spec) -> None:
    meeting(spec)
    with spec.raises(Malformed) as malformed:
        spec.rule("enter", sheet=hero("Bo", hd=-1))
    assert malformed[0].pointer == "/inputs/sheet/hd"
    with spec.raises(Impossible) as impossible:
        spec.rule("enter", sheet=hero("Bo", initiative_group="rats"))
    assert impossible[0].code == "group-only-monsters"
    assert impossible[0].pointer == "/inputs/sheet/initiative_group"
