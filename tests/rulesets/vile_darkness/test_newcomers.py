"""Test newcomers, removals, rulings and undo in every step."""

from typing import Any

import pytest

from domain.errors import Unknown
from domain.record.events import Died, Downed, Prevented, Rolled, Stopped
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


def caster(name: str = "Mira", segments: int = 3, **fields: Any) -> dict[str, Any]:
    given = {"weapons": [], "abilities": [spell("bolt", segments)]}
    return hero(name, **{**given, **fields})


def rolls(spec: Spec) -> list[str]:
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == "attack"]


# ---- spells and missiles


@pytest.mark.parametrize(("segments", "lost"), [(1, True), (9, True)])
def test_an_arrow_of_step_5_comes_before_any_spell(spec: Spec, segments: int, lost: bool) -> None:
    spec.given(caster(segments=segments), foe("Archer", weapons=[BOW]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Archer")
    passes(spec, "Mira")
    spec.act("Archer", "attack", ("attack", 15), ("damage", 1), target="Mira")
    assert spec["Mira"].has("casting") is not lost


def test_after_completion_nothing_is_lost(spec: Spec) -> None:
    spec.given(caster(), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    passes(spec, "Mira").act("Orc", "pass", ("damage", 2))
    spec.rule("damage", target="Mira", amount=3)
    assert spec.hp("Orc") == 18


def test_simultaneous_spells_both_take_effect(spec: Spec) -> None:
    hexer = {**caster("Hexer", max_hp=1), "side": "foes"}
    spec.given(caster(max_hp=1), hexer)
    begin(spec, 3, 3, Mira=("cast", {"spell": "bolt"}), Hexer=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Hexer").answer("Hexer", "target", combatant="Mira")
    passes(spec, "Mira").act("Hexer", "pass", ("damage", 2), ("damage", 2))
    assert [spec.hp(who) for who in ("Mira", "Hexer")] == [-1, -1]


def test_a_minor_pushes_the_spell_into_the_next_round(spec: Spec) -> None:
    slow = {"id": "unpack", "segments": 8}
    spec.given(caster(activities=[slow]), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.act("Mira", "simple", activity="unpack").act("Mira", "pass").act("Orc", "pass")
    assert spec.combat.phase == "end-of-round"
    next_round(spec, 5, 2)
    # the prompt opens again, and the answer may be refused
    spec.answer("Mira", "none", name="spell-target")
    assert not spec["Mira"].has("casting")
    assert spec["Mira"].budget == {"major": 0, "spell": 0}


def test_what_does_not_fit_is_completed_in_the_next_round(spec: Spec) -> None:
    long = {"id": "unpack", "segments": 12}
    spec.given(hero("Ana", weapons=[], activities=[long]), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "simple", activity="unpack")
    assert "simple postponed" in results.notes(spec.told())
    passes(spec, "Ana", "Orc")
    spec.answer(None, "next-round")
    close(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D4"
    assert "simple done" in results.notes(spec.told())
    assert "added_segments" not in spec["Ana"].facts  # unpacking adds no time there


def test_a_caster_whose_ability_is_taken_away_loses_its_spell(spec: Spec) -> None:
    spec.given(caster(), foe("Orc", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("set", who="Mira", sheet={"abilities": []})
    until(spec, "end-of-round")
    assert not spec["Mira"].has("casting")


# ---- falls, rulings, tracks


def test_cannot_act(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2)
    spec.rule("condition", target="Ana", condition="held", flags=["cannot_act"])
    with spec.refused("VD-CONC-03", "cannot-act"):
        spec.act("Ana", "attack", target="Orc")
    spec.rule("set-track", who="Odo", value=-1).answer(None, "down", name="dying")
    with spec.refused("VD-FREE-01", "cannot-act"):
        spec.act("Odo", "attack", target="Orc")


def test_nothing_declared(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    with spec.refused("VD-DECL-01", "nothing-declared"):
        spec.act("Ana", "abandon")


def test_abandoning_later_costs_the_major_action(spec: Spec) -> None:
    spec.given(caster(), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.act("Mira", "abandon")
    assert not spec["Mira"].has("casting")
    assert spec["Mira"].budget == {"major": 0, "spell": 0}


def test_dead_at_makes_death_automatic(spec: Spec) -> None:
    spec.given(hero("Ana", dead_at=-4), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("damage", target="Ana", amount=22)
    assert spec["Ana"].has("down")
    assert spec.event(Downed).who == "Ana"
    spec.rule("damage", target="Ana", amount=2)
    assert spec.event(Died).who == "Ana"
    spec.rule("heal", target="Ana", amount=30)
    assert spec["Ana"].has("dead")


def test_up_is_for_this_time_only(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("damage", target="Ana", amount=20).answer(None, "up", name="dying")
    assert not spec["Ana"].has("down")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.rule("damage", target="Ana", amount=1)
    assert asked(spec)[0] == ("dying", None)
    assert spec["Ana"].has("down")


def test_who_is_healed_is_up_at_once_and_may_act(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 2, 5)
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    assert not spec["Orc"].has("engaged")
    spec.rule("heal", target="Ana", amount=5)
    assert not spec["Ana"].has("down", "engaged")
    until(spec, "group/LOW/D3")
    spec.act("Ana", "attack", ("attack", 2), target="Orc")


def test_the_gm_may_take_somebody_down_and_up_by_hand(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("set-condition", who="Ana", condition="down")
    assert spec["Ana"].has("down")
    spec.rule("end-condition", who="Ana", condition="down")
    assert not spec["Ana"].has("down")
    spec.rule("set-track", who="Ana", value=-3).answer(None, "down", name="dying")
    spec.rule("end-condition", who="Ana", condition="down")
    assert not spec["Ana"].has("down")  # the GM's word counts


def test_a_caster_that_is_surprised_loses_its_spell(spec: Spec) -> None:
    spec.given(caster(), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    reply_surprise(spec, "Mira")
    assert not spec["Mira"].has("casting")
    until(spec, "end-of-round")


def reply_surprise(spec: Spec, who: str) -> None:
    spec.rule("surprise", who=[who])


def test_a_down_creature_can_be_chosen_as_a_target(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), foe("Rat")), 5, 2)
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc")
    assert spec.hp("Orc") == -3
    assert not spec["Ana"].has("engaged")


# ---- joining and leaving


@pytest.mark.parametrize("phase", ["group/HIGH/D3", "group/HIGH/D4", "group/LOW/D3"])
def test_a_newcomer_acts_in_the_slots_to_come(spec: Spec, phase: str) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    until(spec, phase)
    spec.join(**hero("Odo"))
    assert shown(spec, "Odo", "rank") == "HIGH"
    assert (("slot-intent", "Odo") in asked(spec)) is phase.startswith("group/HIGH")
    with spec.refused("VD-DECL-02", "not-declared"):
        spec.act("Odo", "flee")


def test_a_newcomer_in_step_1_declares(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    spec.join(**hero("Odo"))
    assert ("declaration", "Odo") in asked(spec)
    spec.act("Odo", "flee")
    close(spec, 5, 2)
    assert spec.combat.phase == "fast/B/HIGH"


def test_the_gm_may_let_somebody_join(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("join", sheet=hero("Odo"))
    assert ("slot-intent", "Odo") in asked(spec)


def test_who_takes_its_declaration_back_is_asked_again(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    spec.act("Ana", "flee").answer("Ana", "done")
    assert asked(spec) == [("declaration", "Orc")]
    spec.act("Ana", "abandon")
    assert ("declaration", "Ana") in asked(spec)


def test_nobody_declares_at_who_is_not_there(spec: Spec) -> None:
    spec.given(caster(), hero("Ana"), foe("Orc"))
    announce(spec)
    for action in ("attack", "charge"):
        with spec.raises(Unknown):
            spec.act("Ana", action, target="Ghost")
    with spec.raises(Unknown):
        spec.act("Mira", "cast", spell="bolt", target="Ghost")
    spec.act("Mira", "cast", spell="bolt", target="Orc")
    spec.leave("Orc")
    spec.rule("close-declare", ("group-initiative", 5))
    assert not spec["Mira"].has("casting")  # the spell cannot begin


def test_a_new_group_is_low_until_the_next_dice(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.join(**{**hero("Wolf"), "side": "wolves"})
    assert shown(spec, "Wolf", "rank") == "LOW"
    next_round(spec, 1, 1, 6)
    assert shown(spec, "Wolf", "rank") == "HIGH"


def test_who_leaves_is_gone_from_the_slot(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 3, 3)
    spec.act("Orc", "attack", target="Ana").act("Odo", "attack", target="Orc")
    spec.leave("Orc")
    assert not spec["Ana"].has("engaged")
    spec.act("Ana", "pass")
    assert [prevented.who for prevented in spec.events(Prevented)] == ["Odo"]
    assert spec["Odo"].budget["major"] == 1


def test_whose_target_leaves_in_the_middle_of_its_routine(spec: Spec) -> None:
    two = [{"id": "two", "kind": "melee", "attacks": [{"weapon": "sword", "count": 2}]}]
    spec.given(hero("Ana", routines=two), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 12), target="Orc")
    spec.leave("Orc")
    until(spec, "end-of-round")
    assert spec["Ana"].budget["major"] == 0


def test_who_falls_in_the_middle_of_its_routine_rolls_no_more(spec: Spec) -> None:
    two = [{"id": "two", "kind": "melee", "attacks": [{"weapon": "sword", "count": 2}]}]
    spec.given(hero("Ana", routines=two), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.rule("set-track", who="Ana", value=0).answer(None, "down", name="dying")
    assert spec.event(Stopped).who == "Ana"
    assert rolls(spec) == ["Ana"]


CLAWS = [
    {"id": "claws", "kind": "melee", "attacks": [
        {"name": "claw", "damage": ["1d6", "1d6"], "count": 2,
         "special_damage": {"formula": "1d4"}},
    ]},
]  # fmt: skip


@pytest.mark.parametrize(
    ("dice", "left"),
    [
        ((("attack", 15), ("damage", 4), ("special-damage", 2)), 14),  # the first claw is struck
        ((("attack", 15), ("damage", 4)), 16),  # no prompt for its poison
        ((("attack", 15),), 20),
    ],
)
def test_what_was_rolled_before_its_attacker_fell_stands(
    spec: Spec, dice: tuple[Any, ...], left: int
) -> None:
    begin(spec.given(foe("Bear", weapons=[], routines=CLAWS), hero("Tam")), 5, 2)
    spec.act("Bear", "attack", *dice, target="Tam")
    spec.rule("set-track", who="Bear", value=0).answer(None, "down", name="dying")
    assert spec.event(Stopped).who == "Bear"
    assert spec.hp("Tam") == left


def test_what_was_rolled_falls_with_nobody_when_the_combat_is_over(spec: Spec) -> None:
    begin(spec.given(foe("Bear", weapons=[], routines=CLAWS), hero("Tam")), 5, 2)
    spec.act("Bear", "attack", ("attack", 15), ("damage", 4), target="Tam")
    spec.rule("end-combat")
    assert spec.hp("Tam") == 20


def test_what_was_rolled_of_a_called_shot_stands(spec: Spec) -> None:
    begin(spec.given(foe("Bear", weapons=[], routines=CLAWS), hero("Tam")), 5, 2)
    spec.act("Bear", "called-shot", target="Tam", aim="nose")
    spec.answer(None, "set", ("attack", 20), name="called-shot")
    spec.answer(None, "result", ("damage", 4), name="called-shot")
    spec.rule("set-track", who="Bear", value=0).answer(None, "down", name="dying")
    assert spec.hp("Tam") == 16


def test_a_group_without_members_does_not_roll(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), {**hero("Wolf"), "side": "wolves"}), 5, 2, 1)
    spec.leave("Wolf")
    next_round(spec, 5, 2)
    assert [rolled.who for rolled in spec.events(Rolled)] == ["Ana", "Orc"]


@pytest.mark.parametrize(
    "phase", ["declare", "fast/B/HIGH", "group/HIGH/D3", "group/LOW/D4", "end-of-round"]
)
def test_anybody_may_be_removed_in_any_step(spec: Spec, phase: str) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    announce(spec).act("Odo", "flee")
    if phase != "declare":
        close(spec, 5, 2)
        until(spec, phase)
    for who in ("Odo", "Orc"):
        spec.leave(who)
    if phase == "declare":
        close(spec, 5)
    until(spec, "end-of-round")
    assert spec.combat.status == "running"


# ---- undo


@pytest.mark.parametrize(
    "phase", ["declare", "fast/B/HIGH", "multi-primary/HIGH", "group/HIGH/D3", "end-of-round"]
)
def test_undo_and_redo_in_the_middle_of_each_step(spec: Spec, phase: str) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), hero("Odo"), foe("Orc", max_hp=60))
    engaged(spec, ("Ana", "Orc"))
    announce(spec).act("Odo", "flee")
    if phase != "declare":
        close(spec, 5, 2)
        until(spec, phase)
    there = spec.combat
    spec.undo().redo()
    assert spec.combat == there
    before = spec.undo().combat
    spec.redo().undo()
    assert spec.combat == before
    assert spec.redo().combat == there


# ---- the GM's flow


def test_the_gm_announces_the_rounds(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin().answer(None, "set")
    spec.rule("announce-round")
    assert spec.combat.phase == "declare"
    close(spec, 5, 2)
    until(spec, "end-of-round")
    spec.rule("announce-round")
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)


def test_end_round_lets_spells_and_complex_activities_complete(spec: Spec) -> None:
    spec.given(caster(), hero("Ana", activities=[{"id": "dig", "kind": "complex"}]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Ana=("complex", {"activity": "dig"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.rule("end-round", ("damage", 4))
    assert spec.hp("Orc") == 16
    assert (spec.combat.phase, spec.combat.round) == ("declare", 2)


def test_end_combat(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.rule("end-combat", winners=["party"])
    assert (spec.combat.status, spec.combat.winners) == ("ended", ("party",))


def test_three_groups_tie(spec: Spec) -> None:
    knife = [weapon("knife", speed=2)]
    spec.given(
        hero("Ana", weapons=knife), foe("Orc", weapons=knife),
        {**hero("Wolf", weapons=knife), "side": "wolves"},
    )  # fmt: skip
    begin(spec, 4, 4, 4)
    spec.act("Ana", "attack", target="Orc").act("Orc", "attack", target="Wolf")
    spec.act("Wolf", "attack", ("attack", 2), ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Ana", "Orc", "Wolf"]


def test_a_multi_attacker_that_is_no_longer_engaged(spec: Spec) -> None:
    spec.given(
        hero("Ana", multi_attack={"routines": 2}, at=[0, 0]), foe("Orc", at=[1, 0]),
        foe("Rat", at=[9, 9]),
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1), target="Orc")
    spec.leave("Orc")
    until(spec, "end-of-round")
    assert rolls(spec) == ["Ana"]  # step 6 has no legal target, so the routine lapses


def test_several_conditions_of_one_name(spec: Spec) -> None:
    """Two conditions with one name both deal ongoing damage (GAP-57).

    Only the stronger of their modifiers counts.
    """
    begin(spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[])), 5, 2)
    for value in (-1, -3):
        spec.rule("condition", target="Ana", condition="slowed", modifiers={"ac": value},
                  ongoing="1d4")  # fmt: skip
    assert shown(spec, "Ana", "effective_ac") == 8
    passes(spec, "Ana").act("Orc", "pass", ("ongoing-damage", 2), ("ongoing-damage", 1))
    assert spec.hp("Ana") == 17


def test_a_gaze_that_hits_nobody_costs_all_the_same(spec: Spec) -> None:
    gaze = power("gaze", damage="1d4", uses=1)
    spec.given(hero("Ana", abilities=[gaze]), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("block-line", **{"from": "Ana", "to": "Orc"})
    spec.act("Ana", "innate", ability="gaze", target="Orc")
    assert spec["Ana"].facts["uses_spent"] == {"gaze": 1}
    assert spec.hp("Orc") == 20


def test_a_sealed_declaration_is_its_owners(spec: Spec) -> None:
    """Only the owner sees a sealed declaration (GAP-56)."""
    spec.given(caster(owner="mia"), hero("Ana", owner="anna"), foe("Orc"))
    announce(spec).act("Mira", "cast", spell="bolt")
    declared = [
        recorded for recorded in spec.last if getattr(recorded.event, "action", "") == "cast"
    ]
    assert [recorded.audience for recorded in declared] == [("Mira",)]


def test_reply_by_name(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), foe("Orc")).begin()
    reply(spec, "surprise-check", "set", who=["Orc"])
    assert spec["Orc"].has("surprised")


@pytest.mark.parametrize("goes", ["leaves", "falls"])
def test_a_charge_whose_target_goes_while_its_owner_is_asked(spec: Spec, goes: str) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[6, 0]), foe("Rat", at=[9, 9]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    if goes == "leaves":
        spec.leave("Orc")
    else:
        spec.rule("damage", target="Orc", amount=30).answer(None, "dead", name="dying")
    spec.act("Ana", "pass")
    assert [(prevented.action, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("charge", "gone")
    ]
    assert spec["Ana"].budget["major"] == 1  # prevented, not abandoned (GAP-52)
    assert (spec.combat.phase, asked(spec)) == ("group/HIGH/D3", [("slot-intent", "Ana")])


def test_who_falls_while_it_is_asked_has_abandoned_nothing(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2, Ana="flee")
    spec.rule("set-track", who="Ana", value=0).answer(None, "up", name="dying")
    assert (spec["Ana"].budget["major"], shown(spec, "Ana", "major_committed")) == (1, None)
    assert asked(spec) == [("slot-intent", "Ana")]


# ---- prompts after a combatant leaves (GAP-54)


def test_nobody_rules_on_the_dying_who_has_left(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), foe("Rat")), 5, 2)
    spec.rule("set-track", who="Orc", value=0).leave("Orc")
    assert asked(spec) == [("slot-intent", "Ana")]


FIRE = spell("fire", 2, targets="point", radius_ft=10, save={"category": "spells"})


def burning(spec: Spec) -> Spec:
    """Let Mira's fire reach Orc and Rat, who have to save."""
    save = {"saves": {"spells": 12}}
    spec.given(
        hero("Mira", at=[0, 0], abilities=[FIRE]),
        foe("Orc", at=[8, 0], **save), foe("Rat", at=[9, 0], **save), foe("Bat", at=[40, 0]),
    )  # fmt: skip
    begin(spec, 5, 2, Mira=("cast", {"spell": "fire"}))
    spec.answer("Mira", "target", name="spell-target", square=[9, 0])
    return until(spec, "spells/2/HIGH")


def test_the_save_of_who_has_left_is_not_asked_for(spec: Spec) -> None:
    burning(spec).leave("Orc")
    assert asked(spec) == [("save", "Rat")]
    spec.answer("Rat", "roll", ("damage", 5), faces=[3])
    assert (spec.hp("Orc"), spec.hp("Rat")) == (20, 15)


def test_no_damage_is_rolled_when_all_whom_it_would_hurt_have_left(spec: Spec) -> None:
    burning(spec).answer("Orc", "roll", ("save", 3), faces=[3])
    assert asked(spec) == [("damage", "Mira")]
    spec.leave("Orc")
    assert asked(spec) == [("damage", "Mira")]  # the Rat is still there
    spec.leave("Rat")
    assert ("damage", "Mira") not in asked(spec)


def test_nothing_goes_on_to_hurt_who_has_left(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc"), foe("Rat")), 5, 2)
    for who in ("Orc", "Rat"):
        spec.rule("condition", target=who, condition="burning", ongoing="1d4")
    until(spec, "end-of-round")
    assert asked(spec) == [("ongoing-damage", "Orc")]
    spec.leave("Orc")
    spec.answer("Rat", "roll", faces=[2])
    assert spec.hp("Rat") == 18


def test_the_hit_points_of_who_has_left_are_not_rolled(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.join(**foe("Ogre", hit_dice="2", max_hp=None))
    assert ("hit-points", "Ogre") in asked(spec)
    spec.leave("Ogre")
    assert asked(spec) == [("slot-intent", "Ana")]


@pytest.mark.parametrize("goes", ["leaves", "falls"])
def test_the_gm_is_not_asked_about_the_minors_of_who_has_gone(spec: Spec, goes: str) -> None:
    begin(
        spec.given(hero("Ana", weapons=[], dead_at=-9), hero("Odo", weapons=[]), foe("Orc")), 5, 2
    )
    spec.act("Ana", "simple", activities=["close-door", "retrieve-item"])
    assert ("multiple-minors", None) in asked(spec)
    _ = spec.leave("Ana") if goes == "leaves" else spec.rule("set-track", who="Ana", value=0)
    assert asked(spec) == [("slot-intent", "Odo")]


def test_who_is_left_alone_while_the_gm_thinks_goes_freely(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[30, 0]))
    begin(spec, 5, 2)
    engaged(spec, ("Ana", "Orc"))
    until(spec, "group/HIGH/D4").act("Ana", "move", to=[-4, 0])
    assert ("leave-melee", None) in asked(spec)
    spec.leave("Orc")
    assert spec["Ana"].position == (-4, 0, 0)


def test_whose_target_leaves_while_the_gm_thinks_has_used_nothing(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[2, 0]), foe("Rat", at=[3, 0]),
        restricted_quarters=True,
    )  # fmt: skip
    begin(spec, 5, 2).act("Ana", "attack", target="Orc")
    assert ("restricted-quarters", None) in asked(spec)
    spec.leave("Orc")
    assert [(prevented.action, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("attack", "gone")
    ]
    assert spec["Ana"].budget["major"] == 1


# ---- the GM ends the combat during a prompt


def ending_under(spec: Spec, question: str) -> Spec:
    """Play until the prompt `question` is open."""
    hex = power("hex", counts_as_spell="ask", declared=True, action_type="complex")
    chores = ["close-door", "retrieve-item"]
    spec.given(hero("Ana", weapons=[], abilities=[hex], morale=7), foe("Orc"))
    announce(spec)
    match question:
        case "group-initiative":
            return close(spec)
        case "counts-as-spell":
            return close(spec.act("Ana", "complex", ability="hex", target="Orc"))
        case "dying":
            return close(spec, 5, 2).rule("set-track", who="Ana", value=0)
        case "multiple-minors":
            return close(spec, 5, 2).act("Ana", "simple", activities=chores)
        case "hit-points":
            return close(spec, 5, 2).join(**foe("Ogre", hit_dice="2", max_hp=None))
        case "morale":
            return close(spec, 5, 2).rule("morale-check", who="Ana")
        case _:
            close(spec, 5, 2).rule("condition", target="Ana", condition="burning", ongoing="1d4")
            return until(spec, "end-of-round")


@pytest.mark.parametrize(
    "question",
    [
        "group-initiative", "counts-as-spell", "dying", "multiple-minors", "hit-points", "morale",
        "ongoing-damage",
    ],
)  # fmt: skip
def test_nothing_is_asked_any_more_when_the_gm_ends_the_combat(spec: Spec, question: str) -> None:
    ending_under(spec, question)
    assert question in [name for name, _ in asked(spec)]
    spec.rule("end-combat")
    assert (spec.combat.status, asked(spec)) == ("ended", [])
