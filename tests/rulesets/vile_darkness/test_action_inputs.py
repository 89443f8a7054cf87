"""Test which inputs of actions have an effect, and which change nothing."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.errors import Malformed, Unknown
from domain.record.events import ConditionLost, Noted, Prevented, Rolled
from projections.board import prompts
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    close,
    declare,
    engaged,
    foe,
    hero,
    next_round,
    passes,
    power,
    reply,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec

DAGGER = weapon("dagger", "1d4", 2)
SPEAR = weapon("spear", "1d6", 6, multipliers=[{"when": "set-for-charge", "factor": 2}])
WARD = power("ward", targets="self", range_ft=0, concentration_to_maintain=True,
             effects=[{"condition": "warded"}])  # fmt: skip
CHORES = [{"id": f"work-{n}", "segments": n} for n in (9, 10, 11)]


def notes(spec: Spec) -> list[str]:
    return results.notes(recorded.event for recorded in spec.live.history.path)


def by_rolls(spec: Spec, purpose: str) -> list[str]:
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == purpose]


# ---- D1: a declared target allows an innate ability at the same moment (GAP-11, GAP-55)


def test_a_casters_gaze_is_as_quick_as_anothers(spec: Spec) -> None:
    gaze = power("gaze", damage="1d6")
    mira = hero("Mira", max_hp=3, weapons=[], abilities=[spell("bolt", 3), gaze])
    spec.given(mira, foe("Orc", max_hp=2, weapons=[], abilities=[gaze]))
    begin(spec, 3, 3, Mira=("cast", {"spell": "bolt"}))
    assert asked(spec) == [
        ("spell-target", "Mira"),
        ("slot-intent", "Mira"),
        ("slot-intent", "Orc"),
    ]
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Mira", "innate", ability="gaze", target="Orc")
    spec.act("Orc", "innate", ("damage", 2), ("damage", 3), ability="gaze", target="Mira")
    assert [spec.hp(who) for who in ("Mira", "Orc")] == [0, 0]  # both, at the same time


def test_a_slowed_invocation_comes_after_a_gaze(spec: Spec) -> None:
    wand = spell("wand", 1, category="invocation")
    omen = power("omen", timing="go_first", targets="self", range_ft=0)
    spec.given(
        hero("Mira", weapons=[], abilities=[wand, omen]),
        foe("Orc", weapons=[], abilities=[power("gaze", damage="1d4")]),
    )
    begin(spec, 3, 3, Mira=("invoke", {"ability": "wand"}))
    spec.act("Mira", "go-first", ability="omen")  # one segment: the wand now takes 2
    passes(spec, "Mira")
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Orc", "innate", ("damage", 1), ("damage", 2), ability="gaze", target="Mira")
    assert by_rolls(spec, "damage") == ["Orc", "Mira"]


# ---- spells


def test_a_spell_whose_target_has_fallen_since_is_lost(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    until(spec, "end-of-round")
    assert "bolt lost: its target has fallen" in notes(spec)
    assert by_rolls(spec, "damage") == []


def test_a_spell_at_who_was_down_already_takes_effect(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Mira", "pass", ("damage", 4))
    assert spec.hp("Orc") == -4


def test_a_declared_spell_counts_when_the_gm_counts_another(spec: Spec) -> None:
    wink = power("wink", action_type="immediate", counts_as_spell="ask", damage="1d4")
    mira = hero("Mira", weapons=[], abilities=[spell("bolt", 3), wink])
    declare(announce(spec.given(mira, foe("Orc"))), Mira=("cast", {"spell": "bolt"}))
    spec.act("Mira", "immediate", ability="wink", target="Orc")
    spec.answer(None, "yes", name="counts-as-spell")
    assert spec.event(Prevented).reason == "one-spell-per-round"
    assert spec["Mira"].budget["spell"] == 1


def test_what_is_no_spell_leaves_the_spell_of_the_next_round(spec: Spec) -> None:
    long = spell("chant", "2 rounds", counts_as_spell=False)
    begin(spec.given(hero("Mira", abilities=[long]), foe("Orc")), 5, 2,
          Mira=("cast", {"spell": "chant"}))  # fmt: skip
    next_round(spec, 5, 2)
    assert spec["Mira"].budget["spell"] == 1


def test_a_long_rite_is_the_spell_of_each_of_its_rounds(spec: Spec) -> None:
    rite = spell("rite", "2 rounds", action_type="complex", targets="self", range_ft=0)
    spec.given(hero("Mira", abilities=[rite]), foe("Orc"))
    begin(spec, 5, 2, Mira=("complex", {"ability": "rite"}))
    next_round(spec, 5, 2)
    assert spec["Mira"].budget["spell"] == 0


def test_the_gm_may_count_what_is_cast(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("hum", 3, counts_as_spell="ask")]), foe("Orc"))
    declare(announce(spec), Mira=("cast", {"spell": "hum"})).rule("close-declare")
    assert asked(spec) == [("counts-as-spell", None)]
    spec.answer(None, "yes", ("group-initiative", 5), ("group-initiative", 2))
    assert spec["Mira"].budget["spell"] == 0
    assert spec["Mira"].has("casting")


def test_a_new_concentration_ends_a_casting(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3), WARD]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.act("Mira", "innate", ability="ward")
    assert not spec["Mira"].has("casting")
    assert shown(spec, "Mira", "concentrating_on") == "ward"
    assert "bolt lost: another concentration" in notes(spec)


def test_a_task_that_needs_concentration_ends_what_is_maintained(spec: Spec) -> None:
    tune = {"id": "tune", "concentration": True}
    spec.given(hero("Mira", weapons=[], abilities=[WARD], activities=[tune]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="ward").act("Mira", "pass")
    spec.act("Mira", "simple", activity="tune")
    assert not spec["Mira"].has("concentrating", "warded")


def test_what_is_on_oneself_is_on_nobody_else(spec: Spec) -> None:
    begin(spec.given(hero("Mira", weapons=[], abilities=[WARD]), foe("Orc")), 5, 2)
    with spec.raises(Malformed):
        spec.act("Mira", "innate", ability="ward", target="Orc")
    spec.act("Mira", "innate", ability="ward", target="Mira")


def test_a_spell_on_oneself_is_offered_at_oneself(spec: Spec) -> None:
    ward = spell("ward", 2, targets="self", range_ft=0, damage=None)
    begin(spec.given(hero("Mira", weapons=[], abilities=[ward]), foe("Orc")), 5, 2,
          Mira=("cast", {"spell": "ward"}))  # fmt: skip
    offers = {offer.option.id: offer.legal for offer in spec.live.options("Mira")}
    assert offers["target"] == ({"combatant": "Mira"},)


def test_charges_that_the_gm_takes_away_are_not_left(spec: Spec) -> None:
    gaze = power("gaze", uses=3)
    begin(spec.given(hero("Mira", abilities=[gaze]), foe("Orc", weapons=[])), 5, 2)
    for _ in range(2):
        spec.act("Mira", "innate", ability="gaze", target="Orc")
        if asked(spec) == [("multiple-minors", None)]:
            spec.answer(None, "none")
    spec.rule("set", who="Mira", sheet={"abilities": [{**gaze, "uses": 1}]})
    assert "innate" not in spec.legal("Mira")


def test_the_gm_ends_a_casting_by_its_condition(spec: Spec) -> None:
    barricade = {"id": "barricade", "kind": "complex"}
    spec.given(
        hero("Mira", abilities=[spell("bolt", 3)]), hero("Odo", activities=[barricade]),
        hero("Una", abilities=[spell("ward", 3)]), foe("Orc"),
    )  # fmt: skip
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Odo=("complex", {"activity": "barricade"}))
    spec.rule("set-concentrating", who="Una", ability="ward")
    spec.rule("condition", target="Mira", condition="casting", remove=True)
    spec.rule("condition", target="Odo", condition="complex-activity", remove=True)
    assert shown(spec, "Una", "concentrating_on") == "ward"
    spec.rule("condition", target="Una", condition="concentrating", remove=True)
    assert shown(spec, "Una", "concentrating_on") is None
    assert [shown(spec, "Mira", "casting"), shown(spec, "Odo", "complex")] == [None, None]
    assert {"bolt lost: ruling", "barricade lost: ruling"} <= set(notes(spec))
    assert [spec[who].budget["major"] for who in ("Mira", "Odo")] == [0, 0]


def test_only_who_is_there_is_affected(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[power("fog", targets="area", damage="1d4")]),
               foe("Orc", weapons=[]))  # fmt: skip
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="fog")
    with spec.raises(Unknown):
        reply(spec, "affected", "who", who=["Nobody"])
    reply(spec, "affected", "who", ("damage", 3), who=["Orc"])
    assert spec.hp("Orc") == 17


# ---- step 1


def test_one_of_several_declarations_is_taken_back(spec: Spec) -> None:
    announce(spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc")))
    spec.act("Mira", "cast", spell="bolt").act("Mira", "delay")
    with spec.refused("VD-DECL-01", "nothing-declared"):
        spec.do(Act("Mira", "abandon", {"action": "flee"}))
    spec.do(Act("Mira", "abandon", {"action": "delay"}))
    close(spec, 5, 2)
    assert spec["Mira"].has("casting")
    assert not spec["Mira"].has("declared-delay")


def test_what_is_abandoned_later_may_be_named(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    with spec.refused("VD-DECL-01", "nothing-declared"):
        spec.do(Act("Ana", "abandon", {"action": "flee"}))
    spec.do(Act("Ana", "abandon", {"action": "charge"}))
    assert shown(spec, "Ana", "major_used")


# ---- activities with an attack


@pytest.mark.parametrize(("item", "added"), [("sword", 0), ("dagger", 1)])
def test_only_the_drawing_of_the_weapon_is_part_of_the_attack(
    spec: Spec, item: str, added: int
) -> None:
    begin(spec.given(hero("Ana", weapons=[SWORD, DAGGER]), foe("Orc")), 5, 2)
    draws = [{"activity": "draw-weapon", "item": item}]
    spec.act("Ana", "attack", ("attack", 2), target="Orc", weapon="sword", **{"with": draws})
    assert shown(spec, "Ana", "added_segments") == added


def test_nothing_major_or_complex_goes_with_an_attack(spec: Spec) -> None:
    tasks = [{"id": "bar", "kind": "complex"}, {"id": "lift", "action_type": "major"}]
    begin(spec.given(hero("Ana", activities=tasks), foe("Orc")), 5, 2)
    with spec.refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Ana", "attack", target="Orc", **{"with": ["bar"]})
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "attack", target="Orc", **{"with": ["lift"]})


@pytest.mark.parametrize("task", ["draw-weapon", "sheathe-weapon", "drop-item"])
def test_what_is_gone_is_gone_until_it_is_retrieved(spec: Spec, task: str) -> None:
    begin(spec.given(hero("Ana", weapons=[SWORD]), foe("Orc", weapons=[])), 5, 2)
    spec.rule("set-item", who="Ana", item="sword", state="gone")
    spec.act("Ana", "pass")
    with spec.refused("VD-SIMP-03", "no-weapon"):
        spec.act("Ana", "simple", activity={"activity": task, "item": "sword"})
    back = {"activity": "retrieve-item", "item": "sword"}
    spec.act("Ana", "simple", activities=[back, {"activity": task, "item": "sword"}])
    assert asked(spec) == [("multiple-minors", None)]


def test_a_weapon_is_retrieved_with_the_attack(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[SWORD]), foe("Orc", weapons=[])), 5, 2)
    spec.rule("set-item", who="Ana", item="sword", state="gone")
    with spec.refused("VD-SIMP-03", "no-weapon"):
        spec.act("Ana", "attack", target="Orc")
    back = [{"activity": "retrieve-item", "item": "sword"}]
    spec.act("Ana", "attack", ("attack", 2), target="Orc", **{"with": back})
    assert spec["Ana"].facts["items"] == {"sword": "held"}
    assert shown(spec, "Ana", "added_segments") == 1


def test_what_was_committed_with_the_attack_is_counted(spec: Spec) -> None:
    fast = weapon("fast", speed=1)
    spec.given(hero("Ana", weapons=[weapon("axe", speed=7)]), foe("Orc", weapons=[fast]))
    begin(spec, 3, 3)
    spec.act("Ana", "attack", target="Orc", **{"with": ["drop-item"]})
    spec.act("Orc", "attack", target="Ana")
    assert [prompt.kind for prompt in spec.live.open_prompts().values()] == ["roll"]  # the orc's
    assert shown(spec, "Ana", "added_segments") == 1
    spec.answer("Orc", "roll", ("attack", 2), faces=[2])


# ---- multi-attacks


def two_routines(**fields: Any) -> dict[str, Any]:
    given = {"weapons": [SWORD, DAGGER], "multi_attack": {"list": ["sword", "dagger", "dagger"]}}
    return hero("Ana", **given, **fields)


def test_a_weapon_stands_for_the_routine_of_its_place(spec: Spec) -> None:
    spec.given(two_routines(), foe("Orc", weapons=[]))
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    with spec.refused("VD-MULTI-01", "wrong-kind"):
        spec.act("Ana", "attack", target="Orc", weapon="dagger")
    spec.act("Ana", "attack", ("attack", 2), target="Orc", weapon="sword")
    until(spec, "multi-rest/HIGH")
    with spec.refused("VD-MULTI-02", "wrong-kind"):
        spec.act("Ana", "attack", target="Orc", weapon="sword")
    spec.act("Ana", "attack", ("attack", 2), target="Orc", weapon="dagger")
    assert spec["Ana"].facts["routines_left"] == ["dagger"]


def test_a_free_attack_is_not_made_with_the_weapon_of_a_later_routine(spec: Spec) -> None:
    spec.given(two_routines(), foe("Orc", weapons=[]))
    begin(spec, 5, 2).rule("grant-free-attack", attacker="Ana", against="Orc")
    with spec.refused("VD-FREE-08", "wrong-kind"):
        spec.answer("Ana", "take", weapon="dagger")
    spec.answer("Ana", "take", ("attack", 2), weapon="sword")


def test_a_routine_that_was_carried_over_leaves_no_others(spec: Spec) -> None:
    spec.given(two_routines(activities=CHORES), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    work = {"with": ["work-10"]}
    spec.act("Ana", "attack", target="Orc", **work)  # 11 segments
    next_round(spec, 5, 2)
    reply(spec, "attack", "roll", faces=[2])  # the blow of the last round
    assert spec.combat.phase == "group/HIGH/D4"
    assert "routines_left" not in spec["Ana"].facts


# ---- actions that do not fit into the round


def test_positioning_in_the_eleventh_segment_is_of_the_next_round(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], activities=CHORES, weapons=[BOW]), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc", **{"with": ["work-9"]})
    spec.act("Ana", "position", to=[1, 0])
    if asked(spec) == [("multiple-minors", None)]:
        spec.answer(None, "none")
    assert spec["Ana"].position == (0, 0, 0)
    next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    assert spec["Ana"].position == (1, 0, 0)


def test_what_goes_first_and_on_is_completed_in_the_next_round(spec: Spec) -> None:
    omen = power("omen", timing="go_first", segments=12, damage="1d4")
    spec.given(hero("Ana", weapons=[], abilities=[omen]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("go-first", {"ability": "omen", "target": "Orc"}))
    spec.act("Ana", "go-first", ability="omen", target="Orc")
    assert spec.hp("Orc") == 20
    next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    assert by_rolls(spec, "damage") == []
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 16


def test_what_is_carried_over_now_is_not_done_with_what_was_before(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "pass").act("Ana", "simple", activity="work-11")
    next_round(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["work-10"]})
    assert spec.combat.phase == "group/HIGH/D4"
    assert [fact["action"] for fact in spec["Ana"].facts["carried_over"]] == ["attack"]
    assert "simple done" in notes(spec)
    assert "attack done" not in notes(spec)


# ---- charges


def test_who_has_its_target_in_reach_stays_in_its_melee(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[0, 1]))
    engaged(announce(spec), ("Ana", "Orc"), ("Ana", "Rat"))
    close(declare(spec, Ana=("charge", {"target": "Orc"})), 5, 2)
    spec.act("Ana", "charge", ("attack", 2))
    assert not spec.events(ConditionLost)
    assert shown(spec, "Ana", "engaged_with") == ["Orc", "Rat"]


def test_without_positions_a_charge_out_of_a_melee_is_the_gms(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(announce(spec), ("Ana", "Orc"))
    close(declare(spec, Ana=("charge", {"target": "Rat"})), 5, 2)
    spec.act("Ana", "charge")
    reply(spec, "leave-melee", "allow", ("attack", 2))
    assert shown(spec, "Ana", "engaged_with") == ["Rat"]


def test_without_positions_a_charge_within_a_melee_leaves_nothing(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    engaged(announce(spec), ("Ana", "Orc"), ("Ana", "Rat"))
    close(declare(spec, Ana=("charge", {"target": "Rat"})), 5, 2)
    spec.act("Ana", "charge", ("attack", 2))
    assert shown(spec, "Ana", "engaged_with") == ["Orc", "Rat"]


def test_a_set_weapon_may_wait_for_the_second_charge(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc", weapons=[SPEAR]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}), Odo=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge").act("Odo", "charge")
    assert spec.prompt("Orc").data["target"] == "Ana"
    spec.answer("Orc", "pass")
    assert spec.prompt("Orc").data["target"] == "Odo"
    spec.answer("Orc", "take", ("attack", 15), ("damage", 4), ("attack", 2), ("attack", 2))
    assert spec.hp("Odo") == 12  # 4 doubled


# ---- named targets


def test_nobody_enters_melee_with_its_own_side_or_itself(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), hero("Odo", weapons=[]), foe("Orc")), 5, 2)
    for name in ("Odo", "Ana"):
        with spec.refused("VD-MELEE-01", "wrong-kind"):
            spec.act("Ana", "move", engage=[name])
    with spec.raises(Malformed):
        spec.rule("engage", a="Orc", b="Orc")
    spec.act("Ana", "move", engage=["Orc"])
    assert shown(spec, "Ana", "engaged_with") == ["Orc"]


def test_who_comes_over_to_its_side_is_in_melee_with_nobody_there(spec: Spec) -> None:
    """A combatant that changes sides leaves the melee, and no longer prevents positioning."""
    archer = hero("Ana", weapons=[BOW], at=[0, 0])
    spec.given(archer, foe("Orc", at=[1, 0]), foe("Rat", at=[0, 1]), foe("Owl", at=[9, 0]))
    begin(engaged(spec, ("Ana", "Orc"), ("Ana", "Rat")), 5, 2)
    spec.do(Change("Orc", side="party"))
    assert shown(spec, "Ana", "engaged_with") == ["Rat"]
    assert shown(spec, "Orc", "engaged_with") == []
    spec.do(Change("Rat", side="party"))
    spec.act("Ana", "attack", ("attack", 2), target="Owl")
    spec.act("Ana", "position", to=[0, -1])
    assert spec["Ana"].position == (0, -1, 0)


def test_who_goes_over_to_a_third_side_stays_in_its_melee(spec: Spec) -> None:
    begin(engaged(spec.given(hero("Ana"), foe("Orc")), ("Ana", "Orc")), 5, 2)
    spec.do(Change("Orc", side="beasts"))
    assert shown(spec, "Ana", "engaged_with") == ["Orc"]


def test_two_conditions_of_one_name_on_the_sheet(spec: Spec) -> None:
    burns = [{"id": "burning", "ongoing": "1d4"}, {"id": "burning", "ongoing": "1d6"}]
    begin(spec.given(hero("Ana", conditions=burns), foe("Orc")), 5, 2)
    assert [held.key for held in spec["Ana"].all("burning")] == ["burning#sheet", "burning#sheet2"]
    spec.rule("end-round", ("ongoing-damage", 1), ("ongoing-damage", 6))
    assert spec.hp("Ana") == 13


def test_special_damage_takes_nothing_back(spec: Spec) -> None:
    chill = {"damage": ["1d6"], "special_damage": {"formula": "1d4-4"}}
    bite = {"id": "bite", "kind": "melee", "attacks": [chill]}
    begin(spec.given(hero("Ana", routines=[bite]), foe("Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), ("special-damage", 1), target="Orc")
    assert spec.hp("Orc") == 17


def test_one_obvious_immunity_is_enough(spec: Spec) -> None:
    immune = [{"to": "non-silver"}, {"to": "non-magical", "obvious": True}]
    begin(spec.given(hero("Ana"), foe("Wight", attack_immunities=immune)), 5, 2)
    spec.act("Ana", "attack", ("attack", 20), target="Wight")
    (told,) = [noted for noted in spec.events(Noted) if "foiled" in noted.text]
    assert not told.private


def test_of_equals_each_has_used_its_major_action_before_the_first_die(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 3, 3)
    spec.act("Ana", "attack", target="Orc").act("Orc", "attack", target="Ana")
    with spec.refused("VD-IMMA-02", "major-already-used"):
        spec.rule("grant-immediate-attack", attacker="Orc", against="Ana")
    spec.answer("Ana", "roll", ("attack", 2), faces=[2])
    assert by_rolls(spec, "attack") == ["Ana", "Orc"]


def test_what_a_stat_line_names_is_a_natural_weapon(spec: Spec) -> None:
    bear = hero("Bear", weapons=[], stat_line="MELEE: 2 claws (1d6/1d6) and bite (1d8 1d4; AAC0 9)",
                damage_modifiers=[{"value": 3, "weapon": "bite"}])  # fmt: skip
    begin(spec.given(bear, foe("Tam")), 5, 2)
    spec.act("Bear", "attack", ("attack", 4), ("damage", 2), ("special-damage", 1), target="Tam",
             weapon="bite")  # fmt: skip
    assert spec.hp("Tam") == 14  # AAC0 9 hits AC 5 with a 4, for 2 + 3 + 1


def test_who_falls_while_it_completes_what_was_carried_over_rolls_no_more(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["work-10"]})
    next_round(spec, 5, 2)
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    assert "roll" not in [prompt.kind for prompt in spec.live.open_prompts().values()]
    assert by_rolls(spec, "attack") == []


@pytest.mark.parametrize(
    ("changed", "hp"), [({"max_hp": 8}, (8, 8)), ({"max_hp": 30}, (20, 30)), ({"hp": 3}, (3, 20))]
)
def test_hit_points_follow_a_changed_sheet(
    spec: Spec, changed: dict[str, int], hp: tuple[int, int]
) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    spec.rule("set", who="Ana", sheet=changed).do(Change("Odo", sheet=changed))
    for who in ("Ana", "Odo"):
        assert (spec[who].tracks["hp"].value, spec[who].tracks["hp"].maximum) == hp


def test_the_gm_ends_death_and_the_dead_are_down(spec: Spec) -> None:
    begin(spec.given(hero("Ana", dead_at=-5), foe("Orc", weapons=[])), 5, 2)
    spec.rule("damage", target="Ana", amount=22).rule("damage", target="Ana", amount=10)
    spec.rule("condition", target="Ana", condition="dead", remove=True)
    assert [held.id for held in spec["Ana"].conditions] == ["down"]
    spec.rule("heal", target="Ana", amount=1)  # -11
    assert spec["Ana"].has("down")
    spec.rule("damage", target="Ana", amount=1)
    assert spec["Ana"].has("dead")
    spec.rule("condition", target="Ana", condition="dead", remove=True)
    spec.rule("heal", target="Ana", amount=20)
    assert spec["Ana"].conditions == ()


def test_the_gm_takes_its_word_back_that_somebody_is_dead(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc", weapons=[])), 5, 2)
    spec.rule("damage", target="Ana", amount=22).answer(None, "dead", name="dying")
    spec.rule("condition", target="Ana", condition="dead", remove=True)
    assert [held.id for held in spec["Ana"].conditions] == ["down"]
    assert ("dying", None) not in asked(spec)


def test_who_leaves_while_its_group_rolls_is_asked_no_more(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat", group="rats"))
    announce(spec).rule("close-declare")
    spec.leave("Ana")
    assert [prompt.who for prompt in spec.live.open_prompts().values()] == ["Odo"]
    spec.answer("Odo", "roll", faces=[5]).leave("Orc")
    assert [prompt.who for prompt in spec.live.open_prompts().values()] == [
        "Rat"
    ]  # no more dice for the orcs
    spec.answer("Rat", "roll", faces=[2])
    assert [shown(spec, who, "rank") for who in ("Odo", "Rat")] == ["HIGH", "LOW"]


def test_the_steps_of_the_hidden_draw_no_reaction(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SPEAR]), foe("Rat"), foe("Imp"), hidden=("Rat", "Imp"))
    engaged(announce(spec), ("Ana", "Rat"))
    close(declare(spec, Rat="flee", Imp=("charge", {"target": "Ana"})), 5, 2)
    spec.act("Rat", "flee")
    assert any("flees" in note for note in notes(spec))
    spec.act("Imp", "charge", ("attack", 2))
    assert spec["Ana"].budget["major"] == 1


def test_the_delayed_begin_a_delaying_activity_in_any_slot_of_low(spec: Spec) -> None:
    loading = "load-light-crossbow"
    crossbow = weapon("xb", "1d4", kind="missile", range_ft=60, loading=loading)
    begin(spec.given(hero("Ylva", weapons=[crossbow]), foe("Orc", weapons=[BOW])), 5, 2)
    spec.act("Ylva", "delay")
    assert spec.combat.phase == "group/LOW/D2"
    spec.act("Ylva", "delaying", activity=loading)
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Ylva", "attack", target="Orc", **{"with": [loading]})
    assert "loaded" not in spec["Ylva"].facts
    until(spec, "end-of-round")
    assert spec["Ylva"].facts["loaded"] == {"xb": True}


# ---- during another's answer


def test_the_board_says_that_a_question_waits(spec: Spec) -> None:
    spec.given(hero("Ana", owner="anna"), hero("Odo", owner="otto"), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    otto = Caller("p2", "player", owner="otto")

    def waits() -> list[tuple[str, bool]]:
        return [
            (prompt_view.name, prompt_view.suspended)
            for prompt_view in prompts(spec.ruleset, spec.combat, otto)
        ]

    assert waits() == [("slot-intent", False)]
    spec.act("Ana", "attack", target="Orc")
    assert waits() == [("slot-intent", True)]  # Ana's roll comes first
    passed = next(id for id, prompt in spec.live.open_prompts().items() if prompt.kind == "roll")
    assert passed.startswith("Ana")
    spec.answer("Ana", "roll", faces=[2])
    assert waits() == [("slot-intent", False)]


def test_nobody_learns_so_of_the_deeds_of_the_hidden(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo", owner="otto"), foe("Orc", weapons=[]), hidden=("Ana",))
    begin(spec, 5, 2).act("Ana", "attack", target="Orc")
    otto = Caller("p2", "player", owner="otto")
    assert [prompt_view.suspended for prompt_view in prompts(spec.ruleset, spec.combat, otto)] == [
        False
    ]
    spec.answer("Ana", "roll", faces=[2])
