"""Test limits, names and secrets that tests of complete rounds do not reach."""

from typing import Any

import pytest

from domain.errors import Malformed, Unknown
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Damaged,
    Downed,
    FactSet,
    Moved,
    Noted,
    Prevented,
    Prompted,
)
from domain.rulesets.vile_darkness import places, routines
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
BARRICADE = {"id": "barricade", "kind": "complex"}


def facts_set(spec: Spec, key: str) -> int:
    """Return the number of times that the last step has set the fact `key`."""
    return len(spec.events(FactSet, key=key))


def notes(spec: Spec) -> list[str]:
    return results.notes(recorded.event for recorded in spec.live.history.path)


# ---- turns


def test_positioning_waits_for_the_own_rank_outside_step_5_too(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 0]), foe("Rat", at=[4, 0]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Rat"}), Orc=("charge", {"target": "Ana"}))
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Rat", "attack", target="Ana")
    spec.act("Ana", "charge", ("attack", 2)).rule("separate", a="Ana")
    assert spec.combat.phase == "fast/C/LOW"
    with spec.refused("VD-MIN-04", "not-your-initiative"):
        spec.act("Ana", "position", to=[2, 0])


def test_who_has_no_spell_does_not_position_among_the_spells(spec: Spec) -> None:
    spec.given(
        hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), hero("Ana"), foe("Orc", weapons=[])
    )
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Ana", "attack", ("attack", 2), target="Orc").rule("separate", a="Ana")
    passes(spec, "Mira", "Ana")
    spec.act("Orc", "pass", ("damage", 3))
    assert asked(spec) == [("slot-intent", "Mira")]
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Ana", "position", distance_ft=5)


def test_nothing_is_passed_by_who_is_not_asked(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc", multi_attack={"routines": 2}))
    announce(spec)
    spec.act("Ana", "done")
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Ana", "flee")
    close(engaged(spec, ("Ana", "Orc")), 5, 2)
    spec.act("Orc", "attack", ("attack", 2), target="Ana")
    spec.act("Ana", "pass")
    with spec.refused("VD-GRP-08", "wrong-phase"):
        spec.act("Ana", "pass")
    spec.act("Odo", "attack", ("attack", 2), target="Orc")
    passes(spec, "Ana", "Odo")
    with spec.refused("VD-GRP-08", "not-your-initiative"):
        spec.act("Ana", "pass")
    with spec.refused("VD-MIN-04", "not-your-initiative"):
        spec.act("Odo", "position", distance_ft=5)
    spec.act("Orc", "pass")
    assert spec.combat.phase == "multi-rest/LOW"
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Odo", "pass")


def test_each_minor_action_is_counted_once(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc")), 5, 2)
    spec.act("Ana", "simple", activity="close-door")
    assert spec["Ana"].facts["minors"] == {"group/HIGH/D4": 1}


def test_a_delay_in_low_takes_nothing_that_is_used(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc", weapons=[])), 2, 5)
    spec.act("Orc", "pass").act("Ana", "attack", ("attack", 2), target="Orc").act("Ana", "delay")
    assert spec["Ana"].budget["major"] == 0


def test_before_the_dice_nobody_has_a_rank(spec: Spec) -> None:
    late = [{"id": "delayed", "duration": {"rounds": 2}}]
    announce(spec.given(hero("Ana", conditions=late), hero("Odo"), foe("Orc")))
    assert [shown(spec, who, "rank") for who in ("Ana", "Odo")] == [None, None]
    close(spec, 5, 2)
    assert [shown(spec, who, "rank") for who in ("Ana", "Odo")] == ["LOW", "HIGH"]


def test_who_comes_before_the_first_round_has_nothing_to_spend_yet(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin().answer(None, "set")
    spec.join(**hero("Odo"))
    assert spec["Odo"].budget == {}


def test_dexterity_is_held_against_the_highest_of_the_others(spec: Spec) -> None:
    quick = {"weapons": [BOW], "dex_reaction_adjustment": 2}
    spec.given(hero("Ana", **quick), foe("Orc", group="orcs"), foe("Rat", group="rats"),
               dex_reaction="missile")  # fmt: skip
    begin(spec, 2, 6, 3)  # 2 + 2 is above the rats' 3, below the orcs' 6
    until(spec, "group/LOW/D2")
    assert asked(spec) == [("slot-intent", "Ana")]


def test_dexterity_without_anybody_to_hold_it_against(spec: Spec) -> None:
    quick = {"weapons": [BOW], "dex_reaction_adjustment": -2}
    spec.given(hero("Ana", **quick), foe("Orc", weapons=[]), dex_reaction="missile")
    begin(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D2"
    spec.leave("Orc")
    assert asked(spec) == [("slot-intent", "Ana")]
    spec.join(**hero("Odo", group="new", **quick))
    spec.join(**foe("Rat", weapons=[]))
    assert shown(spec, "Odo", "rank") == "LOW"  # Odo has no die
    until(spec, "group/LOW/D2")
    assert asked(spec) == [("slot-intent", "Odo")]


# ---- step 1


def test_what_one_answer_declares_is_checked_as_a_whole(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[BARRICADE], abilities=[power("omen", timing="go_first")]),
               hero("Odo"), foe("Orc"))  # fmt: skip
    announce(spec)
    with spec.refused("VD-DECL-06", "cannot-delay-fast-action"):
        spec.answer("Ana", "declare", action="flee", delay=True)
    for more in ({"delay": True}, {"activities": ["close-door"]}):
        with spec.refused("VD-CPLX-04", "complex-in-progress"):
            spec.answer(
                "Ana", "declare", action="complex", inputs={"activity": "barricade"}, **more
            )
    spec.answer("Ana", "declare", action="attack", delay=True, inputs={"target": "Orc"})
    with spec.refused("VD-DELAY-05", "already-delayed"):
        spec.answer("Ana", "declare", delay=True)
    with spec.refused("VD-DELAY-05", "already-delayed"):
        spec.answer("Ana", "declare", action="delay")
    with spec.refused("VD-DECL-08", "major-already-used"):
        spec.answer("Ana", "declare", action="move")
    with spec.raises(Malformed):
        spec.answer("Ana", "declare", activities=["juggle"])
    close(spec, 5, 2)
    assert spec["Ana"].has("declared-delay")
    until(spec, "group/LOW/D3").act("Ana", "pass")
    next_round(spec, 5, 2)
    assert shown(spec, "Ana", "rank") == "HIGH"  # the delay was for round 1


@pytest.mark.parametrize(
    "said", [{"delay": True}, {"activities": ["close-door"]}, {"action": "innate"}]
)
def test_nothing_goes_beside_a_complex_activity(spec: Spec, said: dict[str, Any]) -> None:
    omen = power("omen", declared=True)
    if "action" in said:
        said = {**said, "inputs": {"ability": "omen"}}
    announce(spec.given(hero("Ana", activities=[BARRICADE], abilities=[omen]), foe("Orc")))
    spec.answer("Ana", "declare", **said)
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Ana", "complex", activity="barricade")
    spec.act("Ana", "abandon").act("Ana", "complex", activity="barricade")
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.answer("Ana", "declare", **said)
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Ana", "delay")


def test_who_is_named_in_a_declaration_is_there(spec: Spec) -> None:
    spec.given(
        hero("Ana", abilities=[power("omen", timing="go_first", targets="point")]), foe("Orc")
    )
    announce(spec)
    with spec.raises(Unknown):
        spec.act("Ana", "move", engage=["Nobody"])
    with spec.raises(Unknown):
        spec.act("Ana", "go-first", ability="omen", target={"combatant": "Nobody"})
    spec.act("Ana", "go-first", ability="omen", target={"square": [1, 1]})


def test_an_innate_ability_without_uses_is_not_declared(spec: Spec) -> None:
    announce(spec.given(hero("Ana", abilities=[power("gaze", uses=0)]), foe("Orc")))
    with spec.refused("VD-CONC-08", "no-uses-left"):
        spec.act("Ana", "innate", ability="gaze", target="Orc")


def test_what_goes_first_beside_a_major_action_is_told(spec: Spec) -> None:
    powers = [power("omen", timing="go_first", declared=True), power("gaze", declared=True)]
    announce(spec.given(hero("Ana", abilities=powers), hero("Odo", abilities=powers), foe("Orc")))
    spec.act("Ana", "go-first", ability="omen", target="Orc")
    spec.act("Odo", "innate", ability="gaze", target="Orc")
    assert [fact["major"] for fact in spec["Ana"].facts["declared"]["minors"]] == [False]
    close(spec, 5, 2)
    assert [shown(spec, who, "begun") for who in ("Ana", "Odo")] == ["go-first", None]


def test_who_is_surprised_meanwhile_begins_nothing(spec: Spec) -> None:
    announce(spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc")))
    spec.act("Mira", "cast", spell="bolt").rule("surprise", who=["Mira"])
    close(spec, 5, 2)
    assert spec["Mira"].budget == {"major": 1, "spell": 1}
    assert notes(spec) == []


def test_a_spell_that_is_taken_away_meanwhile_is_not_begun(spec: Spec) -> None:
    announce(spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc")))
    spec.act("Mira", "cast", spell="bolt").rule("set", who="Mira", sheet={"abilities": []})
    close(spec, 5, 2)
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["gone"]
    spec.rule("set", who="Mira", sheet={"abilities": [spell("bolt", 3)]})
    assert not shown(spec, "Mira", "spell_used")


def test_a_list_that_delays_waits_for_low(spec: Spec) -> None:
    announce(spec.given(hero("Ana", weapons=[]), hero("Odo"), foe("Orc", weapons=[])))
    spec.answer("Ana", "declare", activities=["close-door", "drop-item"])
    spec.rule("close-declare")
    spec.answer(None, "delaying", ("group-initiative", 5), ("group-initiative", 2))
    (intent,) = spec["Ana"].facts["queued"]
    assert (intent["slot"], intent["major"]) == ("group/LOW/D4", False)
    until(spec, "end-of-round")
    assert {"close-door done", "drop-item done"} <= set(notes(spec))


def test_a_list_of_both_kinds_that_delays_is_done_in_low(spec: Spec) -> None:
    announce(spec.given(hero("Ana", weapons=[]), hero("Odo"), foe("Orc", weapons=[])))
    spec.answer("Ana", "declare", activities=["close-door", "load-light-crossbow"])
    spec.rule("close-declare")
    spec.answer(None, "delaying", ("group-initiative", 5), ("group-initiative", 2))
    until(spec, "end-of-round")
    assert {"close-door done", "load-light-crossbow done"} <= set(notes(spec))


@pytest.mark.parametrize("major", [True, False])
def test_a_list_is_complex_only_alone_and_simple(spec: Spec, major: bool) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    if major:
        spec.act("Ana", "attack", target="Orc")
    more = [] if major else ["load-light-crossbow"]
    spec.answer("Ana", "declare", activities=["close-door", "drop-item", *more])
    spec.rule("close-declare")
    assert [option.id for option in spec.prompt(None, "multiple-minors").options] == [
        "none",
        "delaying",
    ]


# ---- fast actions


def test_who_leaves_between_two_answers_does_not_flee(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2, Ana="flee", Odo="flee")
    assert all(prompted.sealed for prompted in spec.events(Prompted, name="slot-intent"))
    spec.act("Ana", "flee").leave("Ana").act("Odo", "flee")
    assert [noted.who for noted in spec.events(Noted, text="Odo flees")] == ["Odo"]
    assert not spec.events(Prevented)


def test_a_charge_at_who_falls_between_two_answers(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}), Odo=("charge", {"target": "Rat"}))
    spec.act("Ana", "charge")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Odo", "charge", ("attack", 2))
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "gone")
    ]
    assert spec["Ana"].budget["major"] == 1


def test_an_ability_that_goes_first_at_who_falls_between_two_answers(spec: Spec) -> None:
    omen = power("omen", timing="go_first", action_type="major", damage="1d4")
    spec.given(hero("Ana", abilities=[omen]), hero("Odo", abilities=[omen]), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2, Ana=("go-first", {"ability": "omen", "target": "Orc"}))
    assert asked(spec) == [("slot-intent", "Ana"), ("slot-intent", "Odo")]  # Odo did not declare it
    spec.act("Ana", "go-first")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Odo", "pass")
    assert [prevented.reason for prevented in spec.events(Prevented)] == ["gone"]


# ---- attack routines


def test_nobody_attacks_itself(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.refused("VD-ATK-01", "wrong-kind"):
        spec.act("Ana", "attack", target="Ana")


def test_the_names_of_a_stat_line(spec: Spec) -> None:
    line = "MELEE: 2 swords (1d8/1d6); MISSILE: Long Bow (1d6); MELEE: kick (1d3)"
    bow = weapon("bow", kind="missile", attack_modifier=2)
    spec.given(
        hero("Ana", weapons=[SWORD, {**bow, "name": "long bow"}], stat_line=line), foe("Orc")
    )
    uses = routines.uses(spec["Ana"])
    assert [use.id for use in uses[:3]] == ["melee", "missile", "melee-2"]
    assert [[blow.weapon.id for blow in use.blows if blow.weapon] for use in uses[:3]] == [
        ["sword", "sword"], ["bow"], ["kick"]
    ]  # fmt: skip
    assert [blow.damage for blow in uses[0].blows] == ["1d8", "1d6"]
    assert [use.primary for use in uses[:3]] == [True, True, False]


def test_every_weapon_in_every_mode_that_no_routine_is(spec: Spec) -> None:
    pierce = {"id": "pierce", "speed": 4}
    spec.given(
        hero("Ana", weapons=[{**SWORD, "modes": [pierce]}, BOW, DAGGER], routines=[
            {"id": "sword", "kind": "melee", "attacks": [{"weapon": "sword", "mode": "pierce"}]},
            {"id": "bow", "kind": "melee", "attacks": [{"weapon": "bow"}]},
            {"id": "both", "kind": "melee", "attacks": [
                {"weapon": "sword"}, {"weapon": "dagger"}, {"damage": ["1d2"]}]},
        ]),
    )  # fmt: skip
    uses = routines.uses(spec["Ana"])
    assert [(use.id, use.kind, use.speed) for use in uses] == [
        ("sword", "melee", 4),
        ("bow", "melee", 1),
        ("both", "melee", 5),  # the slowest attack counts
        ("sword", "melee", 4),  # in its other mode
        ("bow", "missile", 1),
        ("dagger", "melee", 2),
    ]
    assert [use.id for use in routines.uses(spec["Ana"], "missile")] == ["bow"]


def test_a_missile_takes_one_segment_whatever_its_speed(spec: Spec) -> None:
    kick = {"id": "kick", "kind": "melee", "attacks": [{"damage": ["1d3"]}]}
    spec.given(hero("Ana", weapons=[{**BOW, "speed": 9}]), hero("Odo", weapons=[], routines=[kick]))
    assert [use.speed for who in ("Ana", "Odo") for use in routines.uses(spec[who])] == [1, 1]


def test_a_mode_must_be_known(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.raises(Malformed):
        spec.act("Ana", "attack", target="Orc", weapon="sword", mode="throw")
    with spec.raises(Malformed):
        spec.act("Ana", "attack", target="Orc", mode="throw")


@pytest.mark.parametrize(("name", "told"), [("old sword", "old sword"), (None, "sword")])
@pytest.mark.parametrize("named", [{}, {"weapon": "sword"}])
def test_damage_has_the_name_of_the_weapon(
    spec: Spec, name: str | None, told: str, named: dict[str, str]
) -> None:
    blade = {key: value for key, value in {**SWORD, "name": name}.items() if value is not None}
    begin(spec.given(hero("Ana", weapons=[blade]), foe("Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc", **named)
    assert spec.event(Damaged).kind == told


def test_the_widest_weapon_wants_room(spec: Spec) -> None:
    axes = [weapon("hatchet", space_ft=2), weapon("great-axe", space_ft=6)]
    both = {"id": "both", "kind": "melee",
            "attacks": [{"weapon": "hatchet"}, {"weapon": "great-axe"}]}  # fmt: skip
    ring = [[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) not in ((0, 0), (1, 0))]
    spec.given(hero("Ana", at=[0, 0], weapons=axes, routines=[both]), foe("Orc", at=[1, 0]),
               map={"blocked": ring})  # fmt: skip
    begin(spec, 5, 2)
    with spec.refused("VD-SPACE-01", "no-space"):
        spec.act("Ana", "attack", target="Orc")
    spec.rule("place", who="Ana", at=None)  # without squares, there is room
    spec.act("Ana", "attack", ("attack", 2), ("attack", 2), target="Orc")


def test_the_longest_weapon_reaches_and_the_shortest_shot_carries(spec: Spec) -> None:
    pike = weapon("pike", reach_ft=10)
    sling = weapon("sling", kind="missile", range_ft=30)
    spec.given(
        hero("Ana", at=[0, 0], weapons=[DAGGER, pike, BOW, sling], routines=[
            {"id": "both", "kind": "melee", "attacks": [{"weapon": "dagger"}, {"weapon": "pike"}]},
            {"id": "shots", "kind": "missile", "attacks": [{"weapon": "bow"}, {"weapon": "sling"}]},
        ]),
        foe("Orc", at=[2, 0]), foe("Rat", at=[8, 0]), foe("Ogre"),
    )  # fmt: skip
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-06", "out-of-range"):
        spec.act("Ana", "attack", target="Rat")  # 40 ft
    spec.act("Ana", "pass")
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.act("Ana", "attack", target="Rat")
    assert next(routines.illegal(spec.combat, "Ana", "Orc", routines.uses(spec["Ana"])[0]), 0) == 0
    spec.rule("engage", a="Ana", b="Orc")
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.act("Ana", "attack", target="Rat")  # the Rat is not in her melee
    spec.act("Ana", "attack", ("attack", 2), ("attack", 2), target="Ogre")  # the Ogre has no square


def test_modifiers_are_for_their_kind_and_their_weapon(spec: Spec) -> None:
    terms = [
        {"value": 1}, {"value": 2, "weapon": "dagger"}, {"value": 4, "applies_to": "missile"},
        {"value": 8, "applies_to": "melee", "weapon": "sword", "reason": "oath"},
    ]  # fmt: skip
    begin(spec.given(hero("Ana", attack_modifiers=terms), foe("Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), ("damage", 1), target="Orc")  # 2 + 1 + 8 hit AC 5
    told = spec.rolled("attack").terms
    assert [(term.source, term.value) for term in told] == [("modifier", 1), ("oath", 8)]


def test_of_the_square_all_others_must_be_small(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Imp", at=[0, 0], very_small=True),
               hero("Odo", at=[0, 0]), foe("Orc", at=[1, 0]))  # fmt: skip
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-03", "square-shared"):
        spec.act("Ana", "attack", target="Orc")


def test_engaged_once_and_never_with_the_fallen(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc"), foe("Rat", weapons=[]))
    close(engaged(announce(spec), ("Ana", "Rat")), 5, 2)
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Ana", "attack", ("attack", 2), target="Rat")
    assert not spec.events(ConditionGained)
    assert not facts_set(spec, "gm_modifiers")
    until(spec, "multi-rest/HIGH")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert not spec.events(ConditionGained)


def test_the_gms_answer_without_a_word_changes_nothing(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), ask_modifiers=True), 5, 2)
    spec.act("Ana", "attack", target="Orc").answer(None, "set", ("attack", 7))
    assert spec.rolled("attack").total == 7


# ---- multi-attacks


def test_step_4_is_for_the_primary_routine_that_can_be_used(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, DAGGER], multi_attack={"list": ["sword", "dagger"]}),
               foe("Orc"))  # fmt: skip
    engaged(announce(spec), ("Ana", "Orc")).rule("set-item", who="Ana", item="sword", state="gone")
    close(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D3"


def test_one_of_several_opponents_in_reach_is_enough_for_step_4(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], multi_attack={"routines": 2}), foe("Orc", at=[1, 0]),
               foe("Rat", at=[9, 0]))  # fmt: skip
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    assert asked(spec) == [("slot-intent", "Ana")]
    assert spec.combat.phase == "multi-primary/HIGH"


def test_routines_wait_for_step_6_although_nobody_is_in_reach_before(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc"))
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.rule("place", who="Ana", at=[0, 0]).rule("place", who="Orc", at=[9, 0])
    spec.rule("separate", a="Ana")
    until(spec, "group/LOW/D4")
    assert spec["Ana"].facts["routines_left"] == ["sword"]


def test_a_routine_that_is_taken_away_lapses(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, DAGGER], multi_attack={"list": ["sword", "dagger"]}),
               foe("Orc"))  # fmt: skip
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.rule("set", who="Ana", sheet={"weapons": [SWORD], "multi_attack": {"routines": 2}})
    until(spec, "end-of-round")


def test_a_multi_attackers_free_attack_is_its_primary_routine_alone(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD, DAGGER], multi_attack={"routines": 2}), foe("Orc"))
    begin(spec, 5, 2).rule("grant-free-attack", attacker="Ana", against="Orc")
    for named in ({"weapon": "dagger"}, {"routine": "dagger"}):
        with spec.refused("VD-FREE-08", "wrong-kind"):
            spec.answer("Ana", "take", **named)


# ---- ways


def test_the_squares_of_a_way() -> None:
    def way(*points: tuple[int, int]) -> list[tuple[int, ...]]:
        return [at[:2] for at in places.crossed([(*point, 0) for point in points])]

    assert way((0, 0), (2, 1)) == [(1, 0), (1, 1), (2, 1)]
    assert way((0, 0), (-2, -2)) == [(-1, -1), (-2, -2)]  # through the corners
    assert way((0, 0), (1, 0), (0, 0)) == [(1, 0), (0, 0)]
    assert way((0, 0), (0, 0)) == []
    assert way((3, 1), (3, 1), (3, 2)) == [(3, 2)]


def test_nobody_is_jostled_by_itself(spec: Spec) -> None:
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    spec.given(hero("Mira", at=[0, 0], weapons=[], abilities=[ward]), foe("Orc", at=[9, 9]))
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="ward").act("Mira", "pass")
    spec.act("Mira", "move", path=[[1, 0], [0, 0]])
    assert spec["Mira"].has("concentrating")


def test_without_positions_a_way_is_only_its_feet(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[])), 5, 2)
    with spec.refused("VD-MAJ-02", "too-far"):
        spec.act("Ana", "move", mode="swim", distance_ft=1)
    spec.act("Ana", "move", path=[[50, 0]])
    assert not spec.events(Moved)
    assert not facts_set(spec, "moved")


@pytest.mark.parametrize("left", [{"fly": {"rate": 60}}, {"walk": {"rate": 0}}])
def test_a_way_of_moving_that_is_taken_away_ends_what_is_maintained(
    spec: Spec, left: dict[str, Any]
) -> None:
    ward = power("ward", targets="self", range_ft=0, concentration_to_maintain=True)
    begin(spec.given(hero("Mira", weapons=[], abilities=[ward]), foe("Orc", weapons=[])), 5, 2)
    spec.act("Mira", "innate", ability="ward").act("Mira", "pass")
    spec.act("Mira", "move", distance_ft=10)
    assert spec["Mira"].has("concentrating")
    spec.rule("set", who="Mira", sheet={"movement": left})
    assert not spec["Mira"].has("concentrating")


def test_where_one_can_go(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), hero("Odo"), foe("Orc", at=[1, 0]), map={"blocked": [[0, 2]]}
    )
    announce(engaged(spec, ("Ana", "Orc")))
    assert places.ways(spec.combat, "Odo", 30) is None
    ways = places.ways(spec.combat, "Ana", 30)
    assert ways is not None
    assert ways.straight
    assert ways.cost((0, 0, 0), (0, 1, 0)) == 5
    assert ways.cost((0, 1, 0), (0, 2, 0)) is None
    assert ways.provokes((0, 0, 0), (0, 1, 0)) == ("Orc",)
    assert ways.provokes((0, 1, 0), (1, 1, 0)) == ()


# ---- spells and powers


def test_another_concentration_by_the_gms_hand(spec: Spec) -> None:
    powers = [power(id, targets="self", range_ft=0, concentration_to_maintain=True)
              for id in ("ward", "hum")]  # fmt: skip
    begin(spec.given(hero("Mira", weapons=[], abilities=powers), foe("Orc")), 5, 2)
    spec.act("Mira", "innate", ability="ward")
    spec.rule("set-concentrating", who="Mira", ability="hum")
    assert spec.event(ConditionLost).reason == "another concentration"
    assert shown(spec, "Mira", "concentrating_on") == "hum"


def test_what_is_maintained_ends_when_its_caster_goes(spec: Spec) -> None:
    hold = power("hold", concentration_to_maintain=True, effects=[{"condition": "held"}])
    begin(spec.given(hero("Mira", weapons=[], abilities=[hold]), foe("Orc", weapons=[])), 5, 2)
    spec.act("Mira", "innate", ability="hold", target="Orc")
    assert spec["Orc"].has("held")
    spec.leave("Mira")
    assert not spec["Orc"].has("held")


def test_an_effect_has_a_time_of_its_own(spec: Spec) -> None:
    hold = power("hold", duration={"rounds": 3},
                 effects=[{"condition": "held", "rounds": 1}, {"condition": "cold"}])  # fmt: skip
    begin(spec.given(hero("Mira", weapons=[], abilities=[hold]), foe("Orc", weapons=[])), 5, 2)
    spec.act("Mira", "innate", ability="hold", target="Orc")
    assert [held.key for held in spec["Orc"].conditions] == ["held#1", "cold#1"]
    next_round(spec, 5, 2)
    assert [held.id for held in spec["Orc"].conditions] == ["cold"]


def test_a_major_ability_needs_the_major_action(spec: Spec) -> None:
    gaze = power("gaze", action_type="major")
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3), gaze]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    assert asked(spec) == [("spell-target", "Mira")]


def test_complex_abilities_take_effect_high_before_low(spec: Spec) -> None:
    rite = power("rite", action_type="complex", damage="1d4")
    spec.given(foe("Orc", weapons=[], abilities=[rite]), hero("Ana", weapons=[], abilities=[rite]))
    said = {"Ana": ("complex", {"ability": "rite", "target": "Orc"}),
            "Orc": ("complex", {"ability": "rite", "target": "Ana"})}  # fmt: skip
    begin(spec, 2, 5, **said)
    assert [(prompt.name, prompt.who) for prompt in spec.live.open_prompts().values()] == [
        ("damage", "Ana")
    ]
    spec.answer("Ana", "roll", ("damage", 3), faces=[2])
    assert [spec.hp(who) for who in ("Ana", "Orc")] == [17, 18]


def test_a_surprise_for_who_is_not_there(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin()
    with spec.raises(Malformed):
        reply(spec, "surprise-check", "set", who=["Nobody"])
    spec.answer(None, "set").answer(None, "set", at={"Ana": [3, 3]})
    assert spec.event(Moved).forced


# ---- harm


def test_what_hurts_alone_needs_no_moment_of_its_own(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 3, 3)
    spec.act("Ana", "attack", target="Orc").act("Orc", "pass", ("attack", 15), ("damage", 3))
    assert not facts_set(spec, "results_fall")


def test_ongoing_damage_is_numbered_from_one(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("condition", target="Ana", condition="burning", ongoing="1d4")
    spec.rule("condition", target="Orc", condition="held")
    spec.rule("condition", target="Ana", condition="burning", ongoing="1d4")
    assert [held.data["began"] for held in spec["Ana"].conditions] == [1, 2]
    assert [held.key for held in spec["Ana"].conditions] == ["burning#1", "burning#2"]


def test_whoever_fells_somebody_is_told(spec: Spec) -> None:
    begin(spec.given(hero("Ana", dead_at=-9), foe("Orc", max_hp=3, dead_at=-9)), 5, 2)
    spec.rule("condition", target="Orc", condition="cursed")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), target="Orc")
    assert spec.event(Downed).by == "Ana"
    assert [name for name, _ in asked(spec)] == ["slot-intent"]  # the data define its death


def test_who_is_healed_while_the_gm_thinks_is_up(spec: Spec) -> None:
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc")), 5, 2)
    spec.rule("set-track", who="Ana", value=0)
    assert ("dying", None) in asked(spec)
    spec.rule("heal", target="Ana", amount=5)
    assert ("dying", None) not in asked(spec)


@pytest.mark.parametrize(("given", "left"), [(3, 3), (50, 12)])
def test_hit_points_of_the_sheet_and_those_of_the_dice(spec: Spec, given: int, left: int) -> None:
    spec.given(hero("Ana"))
    spec.join(("hit-points", 4, 8), **hero("Ogre", max_hp=None, hit_dice="2", hp=given))
    assert (spec.hp("Ogre"), spec["Ogre"].tracks["hp"].maximum) == (left, 12)


def test_intents_of_opponents_are_sealed(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 3, 3)
    assert all(prompted.sealed for prompted in spec.events(Prompted, name="slot-intent"))


def test_who_may_go_first_and_has_not_said_so_is_asked(spec: Spec) -> None:
    omens = [power(id, timing="go_first", damage="1d4") for id in ("omen", "portent")]
    begin(spec.given(hero("Ana", abilities=omens), foe("Orc")), 5, 2)
    assert asked(spec) == [("slot-intent", "Ana")]
    assert not spec.events(Prevented)  # nothing was declared


def test_intents_of_go_last_are_sealed(spec: Spec) -> None:
    curse = power("curse", timing="go_last", damage="1d4")
    begin(spec.given(hero("Ana", abilities=[curse]), foe("Orc", abilities=[curse])), 5, 2)
    until(spec, "go-last")
    assert [prompted.sealed for prompted in spec.events(Prompted, name="slot-intent")] == [
        True,
        True,
    ]


def test_nobody_is_put_where_there_is_nobody(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin().answer(None, "set")
    with pytest.raises(Malformed, match="Ghost"):
        spec.answer(None, "set", at={"Ghost": [1, 1]})
    spec.answer(None, "set", at={"Ana": [1, 1]})
    assert spec["Ana"].position == (1, 1, 0)


def test_what_goes_first_remembers_how_its_declared_target_stood(spec: Spec) -> None:
    omen = power("omen", timing="go_first", damage="1d4")
    spec.given(hero("Ana", abilities=[omen]), foe("Hag", abilities=[omen]), foe("Orc"))
    begin(spec, 5, 5, Ana=("go-first", {"ability": "omen", "target": "Orc"}))
    spec.act("Ana", "go-first")  # at the Orc, as declared
    spec.rule("damage", target="Orc", amount=30).answer(None, "dead", name="dying")
    spec.act("Hag", "pass")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "gone")
    ]


@pytest.mark.parametrize(
    ("action", "aim", "tried"),
    [
        ("called-shot", "eye", "a called shot at"),
        ("grab-item", "key", "to grab something from"),
    ],
)
def test_the_gm_is_asked_in_words_about_the_spot_or_the_thing(
    spec: Spec, action: str, aim: str, tried: str
) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.act("Ana", action, target="Orc", aim="eye", item="key")
    shot = spec.event(Prompted, name="called-shot")
    asked = f"Ana tries {tried} Orc. Which modifier counts, and which score does it need?"
    assert (shot.data["aim"], shot.text) == (aim, asked)
    spec.answer(None, "set", ("attack", 20), name="called-shot")
    result = spec.event(Prompted, name="called-shot")
    assert result.text == f"Ana tried {tried} Orc, and succeeds. What happens?"
