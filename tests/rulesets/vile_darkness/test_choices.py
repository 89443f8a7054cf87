"""Test choices that another rule changes before their moment comes."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.errors import Illegal, Impossible, Malformed, Refused
from domain.record.events import Prevented, Rolled, Stopped
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    close,
    engaged,
    foe,
    hero,
    passes,
    power,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec

CROSSBOW = weapon("crossbow", "1d4", kind="missile", range_ft=60, loading="load-light-crossbow")
ANNA = Caller("p1", "player", owner="anna")


def rolls(spec: Spec, purpose: str = "attack") -> list[str]:
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == purpose]


def notes(spec: Spec) -> list[str]:
    return results.notes(recorded.event for recorded in spec.live.history.path)


# ---- a target that falls while other prompts are open (GAP-52)


def test_a_target_that_falls_between_two_sealed_answers(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat"))
    begin(spec, 3, 3)
    spec.act("Ana", "attack", target="Orc")  # the Orc stands
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Odo", "attack", target="Orc")  # the fallen combatant is still a legal choice
    spec.act("Rat", "pass")
    assert [prevented.who for prevented in spec.events(Prevented)] == ["Ana"]
    spec.act("Ana", "pass", ("attack", 15), ("damage", 3))
    assert rolls(spec) == ["Odo"]
    assert spec.hp("Orc") == -3
    assert spec["Ana"].budget["major"] == 1


def test_a_deed_that_waits_for_low_remembers_when_it_was_chosen(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW]), hero("Odo"), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["load-light-crossbow"]})
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    passes(spec, "Odo", "Odo")
    assert spec.event(Prevented).reason == "gone"
    assert asked(spec) == [("slot-intent", "Ana")]  # another may be committed there
    assert spec["Ana"].budget["major"] == 1


def test_a_charge_that_its_owner_turns_elsewhere(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", ("attack", 2), target="Rat")
    assert spec.event(Rolled).against == "Rat"


# ---- delaying activities from any slot of HIGH (VD-DLYG-02)


def test_a_delaying_activity_waits_for_low_wherever_it_is_tried(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW, SWORD]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D2"
    spec.act("Ana", "delaying", activity="load-light-crossbow")
    assert shown(spec, "Ana", "rank") == "LOW"
    assert "loaded" not in spec["Ana"].facts
    assert asked(spec) == [("slot-intent", "Odo")]  # her prompt in HIGH is obsolete
    until(spec, "end-of-round")
    assert spec["Ana"].facts["loaded"] == {"crossbow": True}
    assert not spec["Ana"].facts["queued"]  # nothing waits any more


def test_a_loading_shot_in_step_4_waits_for_d2_of_low(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[CROSSBOW], multi_attack={"routines": 2}), foe("Orc", weapons=[])
    )
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    until(spec, "group/HIGH/D2")  # step 4 offers no target for an unloaded crossbow
    spec.act("Ana", "attack", ("attack", 2), target="Orc", **{"with": ["load-light-crossbow"]})
    assert spec.rolled("attack").who == "Ana"
    assert spec.combat.phase == "group/LOW/D4"


def test_a_delaying_ability_is_a_spell_like_others(spec: Spec) -> None:
    orb = {"id": "orb", "category": "invocation", "action_type": "delaying", "declared": False,
           "targets": "creature", "range_ft": 30, "damage": "1d6"}  # fmt: skip
    wish = power("wish", category="spell_like", action_type="immediate")
    spec.given(hero("Ana", weapons=[], abilities=[orb, wish]), foe("Orc", weapons=[]))
    begin(spec, 2, 5)
    passes(spec, "Orc")
    spec.rule("set-cover", **{"from": "Ana", "to": "Orc", "percent": 51})
    spec.act("Ana", "delaying", ability="orb", target="Orc")
    assert spec["Ana"].budget["spell"] == 0
    assert not spec.events(Rolled)  # no line of effect
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Ana", "immediate", ability="wish", target="Orc")


def test_a_complex_incantation_needs_concentration_and_is_the_spell(spec: Spec) -> None:
    rite = {"id": "rite", "category": "incantation", "action_type": "complex", "uses": 1}
    wish = power("wish", category="spell_like", action_type="immediate")
    spec.given(hero("Ana", abilities=[rite, wish]), foe("Orc"))
    begin(spec, 2, 5, Ana=("complex", {"ability": "rite"}))
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Ana", "immediate", ability="wish", target="Orc")
    spec.rule("damage", target="Ana", amount=1)
    assert not spec["Ana"].has("complex-activity")
    assert spec["Ana"].budget["major"] == 0
    assert spec["Ana"].facts["uses_spent"] == {"rite": 1}


# ---- abilities that must be declared


GO_FIRST = power("omen", declared=True, damage="1d4", timing="go_first")
GAZE = power("gaze", declared=True, damage="1d4")
BLAST = power("blast", declared=True, damage="1d4", action_type="major")


def test_minor_abilities_are_declared_beside_a_major_action(spec: Spec) -> None:
    """A declaration has one major action, but can add minor abilities (VD-DECL-08)."""
    spec.given(hero("Mira", abilities=[GO_FIRST, GAZE, BLAST, spell("bolt", 3)]), foe("Orc"))
    announce(spec)
    spec.act("Mira", "innate", ability="gaze").act("Mira", "cast", spell="bolt")
    with spec.refused("VD-DECL-08", "major-already-used"):
        spec.act("Mira", "innate", ability="blast", target="Orc")
    spec.act("Mira", "go-first", ability="omen", target="Orc")
    with spec.refused("VD-DECL-06", "cannot-delay-fast-action"):
        spec.act("Mira", "delay")
    close(spec, 5, 2)
    assert spec.combat.phase == "fast/go-first/HIGH"
    spec.act("Mira", "go-first", ("damage", 1))  # at the Orc, as declared
    passes(spec, "Mira")
    spec.answer("Mira", "target", name="spell-target", combatant="Orc")
    spec.act("Mira", "innate", ("damage", 2), ability="gaze", target="Orc")
    assert spec.hp("Orc") == 17
    assert shown(spec, "Mira", "casting")["segment"] == 5  # 3, and 2 for two minor actions


def test_a_major_ability_that_was_declared_is_committed(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[BLAST]), foe("Orc"))
    begin(spec, 5, 2, Ana=("innate", {"ability": "blast", "target": "Orc"}))
    assert shown(spec, "Ana", "major_committed") == "innate"
    passes(spec, "Ana")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "move", distance_ft=5)
    spec.act("Ana", "abandon")
    assert spec["Ana"].budget["major"] == 0


def test_a_major_ability_that_goes_first(spec: Spec) -> None:
    spec.given(hero("Ana", abilities=[{**BLAST, "timing": "go_first"}]), foe("Orc"))
    begin(spec, 5, 2, Ana=("go-first", {"ability": "blast", "target": "Orc"}))
    assert not [
        recorded for recorded in spec.live.history.path if isinstance(recorded.event, Prevented)
    ]
    spec.act("Ana", "go-first", ("damage", 2))
    assert (spec.hp("Orc"), spec["Ana"].budget["major"]) == (18, 0)


# ---- minor actions beside the major one


def test_a_second_minor_beside_an_attack_is_put_to_the_gm(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc", **{"with": ["sheathe-weapon"]})
    spec.act("Ana", "simple", activity="close-door")
    assert [option.id for option in spec.prompt(name="multiple-minors").options] == [
        "none",
        "delaying",
    ]
    spec.answer(None, "delaying", name="multiple-minors")
    assert spec["Ana"].facts["added_segments"] == 1
    assert "close-door" not in notes(spec)
    passes(spec, "Odo", "Odo")
    assert spec.combat.phase == "group/LOW/D3"
    until(spec, "end-of-round")
    assert "close-door done" in notes(spec)


def test_positioning_in_step_6(spec: Spec) -> None:
    """After its major action, a combatant may position in any slot of its rank."""
    spec.given(
        hero("Ana", at=[0, 0], multi_attack={"routines": 2}), foe("Rat", at=[-1, 0]),
        foe("Orc", at=[1, 0], max_hp=1, multi_attack={"routines": 2}),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")
    spec.answer(None, "down", name="dying")
    until(spec, "multi-rest/HIGH")
    spec.act("Ana", "position", path=[[0, 1]])
    assert spec["Ana"].position == (0, 1, 0)


# ---- multi-attack


def test_a_multi_attacker_whose_opponent_is_gone_strikes_the_next_one(spec: Spec) -> None:
    """Odo was in melee when step 4 began, so he still attacks in it (GAP-06)."""
    two = {"routines": 2}
    spec.given(
        hero("Ana", at=[0, 0], multi_attack=two), hero("Odo", at=[2, 0], multi_attack=two),
        foe("Orc", at=[1, 0], max_hp=1), foe("Rat", at=[1, 1]),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"), ("Odo", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")
    spec.answer(None, "down", name="dying")
    assert not spec["Odo"].has("engaged")
    assert (spec.combat.phase, asked(spec)) == ("multi-primary/HIGH", [("slot-intent", "Odo")])
    spec.act("Odo", "attack", ("attack", 2), target="Rat")


def test_one_without_a_target_is_skipped_there_and_acts_in_step_5(spec: Spec) -> None:
    two = {"routines": 2}
    spec.given(
        hero("Ana", at=[0, 0], multi_attack=two), hero("Odo", at=[2, 0], multi_attack=two),
        foe("Orc", at=[1, 0], max_hp=1), foe("Rat", at=[9, 9]),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"), ("Odo", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")
    spec.answer(None, "down", name="dying")
    assert (spec.combat.phase, asked(spec)) == ("group/HIGH/D3", [("slot-intent", "Odo")])


# ---- called shots and grabs


def test_a_grab_takes_the_time_of_a_melee_weapon(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[BOW, SWORD]), foe("Orc", weapons=[weapon("knife", speed=3)]))
    begin(spec, 3, 3)
    passes(spec, "Ana")
    spec.act("Ana", "grab-item", target="Orc", item="key")  # sword: 5
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc"]
    assert asked(spec) == [("called-shot", None)]


def test_a_called_shot_uses_what_an_attack_would(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[BOW, SWORD]), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    spec.answer(None, "set", ("attack", 3), name="called-shot")
    assert spec["Ana"].has("engaged")  # the attack used the sword


def test_the_number_of_a_called_shot_is_the_gms(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    spec.answer(None, "set", ("attack", 19), name="called-shot")  # 10 would hit AC 5
    rolled = spec.rolled("attack")
    assert (rolled.target, rolled.outcome) == (None, "miss")
    assert "called-shot failed" in notes(spec)


# ---- permissions


def test_a_modifier_from_the_gms_hand_counts(spec: Spec) -> None:
    spec.given(hero("Ana", owner="anna"), foe("Orc"))
    begin(spec, 5, 2)
    with spec.refused("VD-ATK-01", "gm-only"):
        spec.do(Act("Ana", "attack", {"target": "Orc", "gm_modifier": 1}), by=ANNA)
    spec.act("Ana", "attack", ("attack", 9), ("damage", 1), target="Orc", gm_modifier=1)
    assert spec.rolled("attack").total == 10  # 9 + 1 against 10: a hit
    assert spec.hp("Orc") == 19


def test_the_gms_modifier_holds_while_players_are_still_asked(spec: Spec) -> None:
    spec.given(hero("Ana", owner="anna"), foe("Orc"))
    begin(spec, 3, 3)
    spec.act("Orc", "attack", target="Ana", gm_modifier=-2)
    spec.do(Act("Ana", "pass", {}), ("attack", 11), by=ANNA)
    assert spec.rolled("attack").total == 9  # 11 − 2


def test_reasons_come_in_their_order_when_nobody_is_asked(spec: Spec) -> None:
    wish = power("wish", category="spell_like", damage="1d4")
    spec.given(hero("Mira", abilities=[spell("bolt", 3), wish]), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Mira", "innate", ability="wish", target="Orc")
    with spec.refused("VD-ABIL-05", "wrong-kind"):
        spec.act("Mira", "innate", ability="bolt", target="Orc")
    spec.answer("Mira", "target", combatant="Orc")
    with spec.refused("VD-GRP-02", "innate-only-in-d1"):
        spec.act("Mira", "innate", ability="wish", target="Orc")
    with spec.refused("VD-GRP-08", "not-your-initiative"):
        spec.act("Orc", "attack", target=["Mira", "Rat"])


def test_who_has_used_its_major_action_hears_of_that_first(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert spec.combat.phase == "group/HIGH/D4"
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "attack", target="Orc")


def test_an_attack_in_another_slot_of_the_own_rank(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    with spec.refused("VD-GRP-08", "wrong-phase"):
        spec.act("Ana", "attack", target="Orc")


def test_faults_of_what_nobody_asks_for_are_pointed_at(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(Malformed) as caught:
        spec.act("Ana", "innate", ability="ghost")
    assert caught[0].pointer == "/inputs/ability"


# ---- the GM ends the round


def test_ending_the_round_aims_spells_as_they_are_known(spec: Spec) -> None:
    ward = spell("ward", 3, targets="self", range_ft=0, damage=None)
    spec.given(
        hero("Mira", abilities=[ward]), hero("Mona", abilities=[spell("bolt", 4)]),
        foe("Hexer", abilities=[spell("hex", 2)]),
    )  # fmt: skip
    begin(
        spec, 5, 2, Mira=("cast", {"spell": "ward"}),
        Mona=("cast", {"spell": "bolt", "target": "Hexer"}), Hexer=("cast", {"spell": "hex"}),
    )  # fmt: skip
    spec.rule("end-round", ("damage", 3))
    assert "ward cast" in notes(spec)
    assert spec.hp("Hexer") == 17
    assert "hex lost: no target was announced" in notes(spec)
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)


def test_ending_the_round_passes_what_waits_for_low(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW]), foe("Orc", abilities=[power("gaze")]))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["load-light-crossbow"]})
    assert spec.combat.phase == "group/LOW/D1"
    assert shown(spec, "Ana", "major_committed") == "attack"
    spec.rule("end-round")
    assert spec.combat.phase == "declare"
    assert shown(spec, "Ana", "major_committed") is None
    assert rolls(spec) == []


# ---- the GM's grants and lines


def test_a_free_attack_on_the_fallen_is_granted(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 15), ("damage", 2), name="free-attack")
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    spec.answer("Ana", "take", ("attack", 15), ("damage", 2), name="immediate-attack")
    assert spec.hp("Orc") == -4


def test_a_free_attack_on_who_falls_meanwhile_is_not(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    assert asked(spec) == [("slot-intent", "Ana")]
    assert not spec.events(Stopped)


def test_nothing_more_is_maintained(spec: Spec) -> None:
    ward = spell("ward", 3, targets="self", concentration_to_maintain=True)
    begin(spec.given(hero("Mira", abilities=[ward]), foe("Orc")), 5, 2)
    spec.rule("set-concentrating", who="Mira", ability="ward")
    assert shown(spec, "Mira", "concentrating_on") == "ward"
    spec.rule("set-concentrating", who="Mira", ability="none")
    assert shown(spec, "Mira", "concentrating_on") is None


def test_a_line_to_a_square_is_named_in_any_way(spec: Spec) -> None:
    blast = spell("blast", 2, targets="point", radius_ft=5)
    for to in ([4, 0], "4, 0", "4,0,0"):
        fresh = Spec(spec.ruleset)
        fresh.given(hero("Mira", at=[0, 0], abilities=[blast]), foe("Orc", at=[4, 0]))
        begin(fresh, 5, 2, Mira=("cast", {"spell": "blast"}))
        fresh.rule("block-line", **{"from": "Mira", "to": to})
        fresh.answer("Mira", "target", square=[4, 0])
        until(fresh, "end-of-round")
        assert fresh.hp("Orc") == 20


# ---- charges


def charge(spec: Spec, at: list[int], **inputs: Any) -> Spec:
    spec.given(
        hero("Ana", at=[0, 0], movement={"walk": {"rate": 50}}), foe("Orc", at=at, weapons=[])
    )
    return begin(spec, 5, 2, Ana=("charge", {"target": "Orc", **inputs}))


def test_a_charge_goes_as_far_as_a_straight_line(spec: Spec) -> None:
    charge(spec, [6, 9]).act("Ana", "charge", ("attack", 2))  # to (6, 8): 50 ft
    assert spec["Ana"].position is not None
    assert rolls(spec) == ["Ana"]


def test_a_path_that_is_too_long_ends_on_the_way(spec: Spec) -> None:
    charge(spec, [30, 0], path=[[29, 0]]).act("Ana", "charge")
    assert spec["Ana"].position == (10, 0, 0)  # 50 ft
    assert rolls(spec) == []
    assert spec["Ana"].budget["major"] == 0


def test_without_positions_the_feet_are_counted(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc", "distance_ft": 121}))
    spec.act("Ana", "charge")  # 120 at most
    assert rolls(spec) == []
    assert spec["Ana"].facts["moved"] == [{"mode": "walk", "ft": 120.0}]


# ---- entering melee by a move (4.1, procedure 12)


def moving(spec: Spec) -> Spec:
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[6, 0], weapons=[]), foe("Rat", at=[6, 2], weapons=[])
    )
    begin(spec, 5, 2)
    return until(spec, "group/HIGH/D4")


def test_a_move_may_end_in_melee_with_those_who_are_named(spec: Spec) -> None:
    moving(spec).act("Ana", "move", path=[[5, 1]], engage=["Orc"])
    assert shown(spec, "Ana", "engaged_with") == ["Orc"]
    assert shown(spec, "Orc", "engaged_with") == ["Ana"]
    assert rolls(spec) == []


def test_a_move_without_names_ends_in_no_melee(spec: Spec) -> None:
    moving(spec).act("Ana", "move", path=[[5, 1]])
    assert shown(spec, "Ana", "engaged_with") == []


def test_nobody_enters_melee_from_two_squares_away(spec: Spec) -> None:
    for end, other in (([4, 0], "Orc"), ([5, 0], "Rat"), ([6, -2], "Orc")):
        fresh = moving(Spec(spec.ruleset))
        with fresh.refused("VD-MELEE-01", "out-of-reach"):
            fresh.act("Ana", "move", path=[end], engage=[other])


def test_without_positions_whoever_is_named_is_near(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc", weapons=[])), 5, 2)
    until(spec, "group/HIGH/D4").act("Ana", "move", distance_ft=30, engage=["Orc"])
    assert shown(spec, "Ana", "engaged_with") == ["Orc"]


# ---- effects that end with their creator


def test_whoever_falls_in_a_complex_activity_has_not_done_it(spec: Spec) -> None:
    dig = {"id": "dig", "kind": "complex"}
    spec.given(hero("Ana", activities=[dig], weapons=[]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Ana=("complex", {"activity": "dig"}))
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    assert not spec["Ana"].has("complex-activity")
    assert any("dig lost" in text for text in notes(spec))
    until(spec, "end-of-round")
    assert "dig done" not in notes(spec)


def test_what_waits_for_low_ends_with_who_falls(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[CROSSBOW]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["load-light-crossbow"]})
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    spec.rule("heal", target="Ana", amount=5)
    assert "queued" not in spec["Ana"].facts
    assert shown(spec, "Ana", "major_committed") is None
    until(spec, "end-of-round")
    assert rolls(spec) == []


def test_the_gm_may_rule_that_the_fallen_is_dead(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("damage", target="Orc", amount=20).answer(None, "dead", name="dying")
    assert spec["Orc"].has("dead")


def test_a_blow_that_does_no_damage_of_its_own(spec: Spec) -> None:
    touch = [{"id": "touch", "kind": "melee", "attacks": [{"damage": ["0"]}]}]
    spec.given(hero("Ana", routines=touch), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    assert spec.hp("Orc") == 20


# ---- spells whose rank changes on the way


LATE: list[dict[str, Any]] = [{"id": "delayed"}]


def test_a_spell_whose_caster_was_never_asked_has_no_target(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 3)], conditions=LATE), hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    assert spec.combat.phase == "group/HIGH/D3"
    spec.rule("condition", target="Mira", condition="delayed", remove=True)  # HIGH, after its D1
    until(spec, "end-of-round")
    assert "bolt lost: it has no target" in notes(spec)


def test_a_caster_that_is_late_no_more_completes_with_high(spec: Spec) -> None:
    spec.given(
        hero("Mira", abilities=[spell("bolt", 3)], conditions=LATE, weapons=[]),
        hero("Mona", abilities=[spell("bolt", 3)], weapons=[]), foe("Orc", weapons=[]),
    )  # fmt: skip
    cast = ("cast", {"spell": "bolt", "target": "Orc"})
    begin(spec, 5, 2, Mira=cast, Mona=cast)
    spec.answer("Mona", "target").act("Mona", "pass").answer("Mira", "target")
    passes(spec, "Mira").act("Orc", "pass", ("damage", 2))
    assert (spec.combat.phase, asked(spec)) == ("spells/3/HIGH", [("slot-intent", "Mona")])
    spec.rule("condition", target="Mira", condition="delayed", remove=True)
    spec.act("Mona", "pass", ("damage", 3))
    assert spec.hp("Orc") == 15
    assert spec.combat.phase == "spells/3/HIGH"


def test_an_invocation_whose_moment_has_gone_by_is_lost(spec: Spec) -> None:
    wand = spell("wand", 1, category="invocation")
    spec.given(hero("Mira", abilities=[wand], conditions=LATE), hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Mira=("invoke", {"ability": "wand", "target": "Orc"}))
    assert spec.combat.phase == "group/HIGH/D3"
    spec.rule("condition", target="Mira", condition="delayed", remove=True)
    until(spec, "end-of-round")
    assert "wand lost: it was not completed" in notes(spec)


def test_an_ability_that_is_taken_away_is_a_spell_lost(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.rule("set", who="Mira", sheet={"abilities": []})
    until(spec, "end-of-round")
    assert "bolt lost: the ability is gone" in notes(spec)


# ---- the wrong field


@pytest.mark.parametrize(
    ("place", "way"),
    [([0, 0], {"path": [[-25, 0]]}), ([0, 0], {"to": [-25, 0]}), (None, {"distance_ft": 121})],
)
def test_what_is_too_far_is_pointed_at_where_it_was_said(
    spec: Spec, place: list[int] | None, way: dict[str, Any]
) -> None:
    begin(spec.given(hero("Ana", at=place), foe("Orc")), 5, 2).act("Ana", "pass")
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "move", **way)
    (field,) = way
    assert (caught[0].code, caught[0].pointer) == ("too-far", f"/inputs/{field}")


@pytest.mark.parametrize(
    ("action", "inputs", "pointer"),
    [
        ("simple", {"activity": "juggle"}, "/inputs/activity"),
        ("simple", {"activities": ["close-door", "juggle"]}, "/inputs/activities/1"),
        ("simple", {"activities": ["speak", "load-light-crossbow"]}, "/inputs/activities/1"),
        ("delaying", {"activity": "close-door"}, "/inputs/activity"),
    ],
)
def test_so_are_tasks(spec: Spec, action: str, inputs: dict[str, Any], pointer: str) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2).act("Ana", "pass")
    with spec.raises(Refused) as caught:
        spec.act("Ana", action, **inputs)
    assert getattr(caught[0], "pointer", None) == pointer


@pytest.mark.parametrize("task", ["juggle", "barricade"])
def test_so_are_tasks_that_go_with_an_attack(spec: Spec, task: str) -> None:
    begin(
        spec.given(hero("Ana", activities=[{"id": "barricade", "kind": "complex"}]), foe("Orc")),
        5,
        2,
    )
    with spec.raises(Refused) as caught:
        spec.act("Ana", "attack", target="Orc", **{"with": ["speak", task]})
    assert getattr(caught[0], "pointer", None) == "/inputs/with/1"


def test_so_are_tasks_of_step_1(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    with spec.raises(Malformed) as caught:
        spec.answer("Ana", "declare", activities=["speak", "juggle"])
    assert caught[0].pointer == "/inputs/activities/1"


@pytest.mark.parametrize("named", ["weapon", "routine"])
def test_so_is_what_strikes(spec: Spec, named: str) -> None:
    weapons = [SWORD, weapon("dagger")]
    spec.given(hero("Ana", weapons=weapons, multi_attack={"routines": 2}), foe("Orc"))
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "attack", target="Orc", **{named: "dagger"})
    assert (caught[0].rule, caught[0].pointer) == ("VD-MULTI-01", f"/inputs/{named}")


def test_so_is_a_target_that_is_none_for_the_spell(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt")]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    with spec.raises(Malformed) as caught:
        spec.answer("Mira", "target", square=[1, 1])
    assert caught[0].pointer == "/inputs/square"


def test_nothing_is_pointed_at_that_was_not_said(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc"))).answer("Ana", "declare", delay=True)
    with spec.raises(Illegal) as caught:
        spec.answer("Ana", "declare", action="delay")
    assert (caught[0].code, caught[0].pointer) == ("already-delayed", "/inputs/action")


# ---- twice at the same moment


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"uses": 1}, "no-uses-left"), ({"category": "spell_like"}, "one-spell-per-round")],
)
def test_what_one_does_twice_at_a_moment_is_asked_again(
    spec: Spec, fields: dict[str, Any], reason: str
) -> None:
    """If Mira chooses an ability twice for one moment, Affray prevents one of the uses (GAP-52)."""
    hex = power("hex", damage="1d4", **fields)
    spec.given(
        hero("Mira", weapons=[], abilities=[power("hum", targets="self"), hex]),
        foe("Orc", weapons=[], abilities=[power("gaze")]), hero("Ana", group="others"),
    )  # fmt: skip
    begin(spec, 6, 2, 2)
    spec.act("Mira", "innate", ability="hum")
    spec.act("Mira", "innate", ability="hex", target="Orc")
    spec.answer(None, "delaying", name="multiple-minors")
    until(spec, "group/LOW/D1")
    spec.act("Orc", "pass")
    spec.act("Mira", "innate", ("damage", 2), ability="hex", target="Orc")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Mira", reason)
    ]
    assert spec.hp("Orc") == 18


# ---- two prompts of one combatant, and prompts of disabled combatants

HUM = power("hum", targets="self", range_ft=0)


@pytest.mark.parametrize("faces", [(5, 2), (3, 3)])
def test_a_caster_that_uses_no_innate_ability_names_its_target_still(
    spec: Spec, faces: tuple[int, int]
) -> None:
    """If Mira passes her first prompt of D1, the prompt for her target stays open (VD-TGT-02)."""
    spec.given(
        hero("Mira", weapons=[], abilities=[spell("bolt"), HUM]),
        foe("Orc", weapons=[], abilities=[HUM]),
    )
    begin(spec, *faces, Mira=("cast", {"spell": "bolt"}))
    spec.act("Mira", "pass")
    assert ("spell-target", "Mira") in asked(spec)
    assert spec.combat.phase == "group/HIGH/D1"
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    until(spec, "group/LOW/D4" if faces == (5, 2) else "group/HIGH/D4")
    assert spec["Mira"].has("casting")
    spec.rule("end-round", ("damage", 4))
    assert spec.hp("Orc") == 16


def hold(spec: Spec, who: str, *dice: tuple[str, int], lift: bool = False) -> None:
    spec.rule("condition", *dice, target=who, condition="held", flags=["cannot_act"], remove=lift)


def test_who_is_able_again_in_step_1_declares(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    hold(spec, "Ana")
    assert asked(spec) == [("declaration", "Orc")]
    hold(spec, "Ana", lift=True)
    assert asked(spec) == [("declaration", "Orc"), ("declaration", "Ana")]
    spec.act("Ana", "flee").act("Orc", "done")
    # No prompt is left, so step 1 closes. Ana is disabled, so her flight does not begin.
    hold(spec, "Ana", ("group-initiative", 5), ("group-initiative", 2))
    assert spec.combat.phase == "group/LOW/D3"


def test_who_is_able_again_in_its_slot_acts_in_it(spec: Spec) -> None:
    """A combatant that is able again acts in its slot, unless it has passed (GAP-55)."""
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    hold(spec, "Ana")
    assert asked(spec) == [("slot-intent", "Odo")]
    hold(spec, "Ana", lift=True)
    assert asked(spec) == [("slot-intent", "Odo"), ("slot-intent", "Ana")]
    spec.act("Ana", "pass")
    hold(spec, "Ana")
    hold(spec, "Ana", lift=True)
    assert asked(spec) == [("slot-intent", "Odo")]  # Ana's pass stays


def test_what_was_declared_by_who_fell_in_step_1_counts_for_nothing(spec: Spec) -> None:
    """Mira falls before her declared spell begins, so she keeps it (VD-DECL-01, GAP-52)."""
    blink = power("blink", category="spell_like", action_type="immediate", targets="self")
    spec.given(hero("Mira", abilities=[spell("bolt"), blink]), foe("Orc"))
    announce(spec).act("Mira", "cast", spell="bolt")
    spec.rule("set-track", who="Mira", value=0).answer(None, "down", name="dying")
    spec.act("Orc", "done", ("group-initiative", 5), ("group-initiative", 2))
    path = [recorded.event for recorded in spec.live.history.path]
    stopped = [
        (event.who, event.action, event.reason) for event in path if isinstance(event, Prevented)
    ]
    assert stopped == [("Mira", "cast", "cannot-act")]
    spec.rule("heal", target="Mira", amount=5)
    assert (shown(spec, "Mira", "spell_used"), shown(spec, "Mira", "major_used")) == (False, False)
    spec.act("Mira", "immediate", ability="blink")
    assert shown(spec, "Mira", "spell_used")


# ---- proposals of a declaration


def proposed(spec: Spec, who: str, action: str) -> list[Any]:
    """Return the proposed targets of an option, with the best target first."""
    (offer,) = (option for option in spec.live.options(who) if option.option.id == action)
    return [inputs["target"] for inputs in offer.legal]


def candidates(spec: Spec, who: str, action: str) -> list[Any]:
    (offer,) = (option for option in spec.live.options(who) if option.option.id == action)
    return list(offer.values["target"])


def test_a_declared_attack_proposes_only_foes_in_reach(spec: Spec) -> None:
    """Only targets in reach are proposed (VD-MELEE-01). Others stay legal, as they may move."""
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[2, 0]), foe("Rat", at=[1, 1]))
    announce(spec)
    assert proposed(spec, "Ana", "attack") == ["Rat"]
    assert candidates(spec, "Ana", "attack") == ["Rat", "Orc"]
    spec.act("Ana", "attack", target="Orc")  # the Orc may come closer before the blow


def test_nobody_in_reach_is_no_proposal(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[3, 0]))
    announce(spec)
    assert proposed(spec, "Ana", "attack") == []
    assert candidates(spec, "Ana", "attack") == ["Orc"]
    assert proposed(spec, "Ana", "charge") == ["Orc"]


def test_a_charge_that_would_fall_short_is_no_proposal(spec: Spec) -> None:
    """At 30 ft per round, Ana's charge proposes no target 100 ft away (VD-FAST-07)."""
    slow = {"walk": {"rate": 30}}
    spec.given(hero("Ana", at=[0, 0], movement=slow), foe("Orc", at=[20, 0]), foe("Rat", at=[3, 0]))
    announce(spec)
    assert proposed(spec, "Ana", "charge") == ["Rat"]


def test_a_combatant_in_melee_is_not_proposed_a_charge(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[6, 0]))
    engaged(spec, ("Ana", "Orc"))
    announce(spec)
    assert proposed(spec, "Ana", "charge") == []
    assert candidates(spec, "Ana", "charge") == ["Orc", "Rat"]


def test_a_weapon_that_must_be_loaded_is_proposed_with_its_loading(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], weapons=[CROSSBOW]), foe("Orc", at=[3, 0]))
    announce(spec)
    (offer,) = (option for option in spec.live.options("Ana") if option.option.id == "attack")
    assert list(offer.legal) == [{"target": "Orc", "with": ["load-light-crossbow"]}]


def test_without_places_every_foe_is_proposed(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    announce(spec)
    assert proposed(spec, "Ana", "attack") == ["Orc", "Rat"]


def test_a_declaration_without_a_foe_left_still_has_offers(spec: Spec) -> None:
    """If no foe is left standing, a declaration still offers its options."""
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    announce(spec)
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    assert {offer.option.id for offer in spec.live.options("Ana")} >= {"declare", "done", "charge"}
