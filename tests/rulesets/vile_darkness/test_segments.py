"""Test the limits of a round, such as its tenth segment, and actions that outlast a round."""

from typing import Any

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.errors import Illegal, Impossible
from domain.record.events import (
    Damaged,
    Moved,
    Prevented,
    Rolled,
)
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
    reply,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule

CHORES = [{"id": f"work-{n}", "segments": n} for n in (5, 6, 9, 10)]
ANNA = Caller("p1", "player", owner="anna")


def notes(spec: Spec) -> list[str]:
    return results.notes(spec.told())


def to_next_round(spec: Spec, *faces: int) -> Spec:
    """Begin the next round without declarations."""
    until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")
    return close(spec, *faces)


# ---- the sheet


def test_numbers_of_stat_lines_and_tables_are_checked_too(spec: Spec) -> None:
    def refused(reason: str, pointer: str, *sheets: dict[str, Any], **options: Any) -> None:
        with spec.raises(Impossible) as caught:
            spec.given(*sheets, **options)
        assert (caught[0].code, caught[0].pointer) == (reason, pointer)

    line = "MELEE: claw (1d6; AAC0 21)"
    at = "/combatants/0/sheet"
    refused("bad-aac0", f"{at}/stat_line", hero("Ana", stat_line=line))
    refused("bad-hit-dice", f"{at}/hit_dice", hero("Ana", hit_dice="1-1", max_hp=None))
    bands: dict[str, Any] = {"monster_attack_table": {"1": 21}}
    refused("bad-aac0", "/options/monster_attack_table/1", hero("Ana"), **bands)
    gap = {str(ac): 10 for ac in range(-9, 11)}
    rows = {"class_attack_tables": {"fighter": [{"levels": "1-3", "table": gap}]}}
    refused("bad-aac0", "/options/class_attack_tables/fighter/0/table", hero("Ana"), **rows)


def test_positions_by_name_alone(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[4, 0])).begin().answer(None, "set")
    spec.answer(None, "set", Ana=[1, 2])
    assert spec["Ana"].position == (1, 2, 0)
    assert spec.combat.phase == "declare"


# ---- step 1


@rule("VD-SPELL-01")
def test_a_declared_spell_counts_at_once(spec: Spec) -> None:
    shout = power("shout", category="spell_like", action_type="immediate")
    spec.given(hero("Mira", abilities=[spell("bolt"), shout]), foe("Orc"))
    announce(spec).act("Mira", "cast", spell="bolt")
    assert shown(spec, "Mira", "spell_used") is True
    assert shown(spec, "Mira", "major_committed") == "cast"
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Mira", "immediate", ability="shout", target="Orc")
    spec.act("Mira", "abandon")  # in step 1, this costs nothing
    assert shown(spec, "Mira", "spell_used") is False
    assert shown(spec, "Mira", "major_committed") is None
    spec.act("Mira", "immediate", ability="shout", target="Orc")
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Mira", "cast", spell="bolt")


def test_a_flight_further_than_its_rate_is_refused_when_it_is_declared(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), flee={"move_factor": 0.5})
    announce(spec)
    for action, squares, rule_id in (("flee", 13, "VD-FAST-06"), ("move", 25, "VD-MAJ-02")):
        with spec.raises(Impossible) as caught:  # 65 ft of 60, 125 ft of 120
            spec.act("Ana", action, to=[-squares, 0])
        assert (caught[0].rule, caught[0].code) == (rule_id, "too-far")
    spec.act("Ana", "flee", to=[-12, 0])


# ---- step 2


@rule("VD-INIT-01")
def test_a_group_that_comes_while_the_dice_fall_rolls_too(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    close(announce(spec), 3)
    spec.join(**foe("Rat", side="vermin"))
    for face in (2, 6):
        who = next(who for name, who in asked(spec) if name == "group-initiative")
        reply(spec, "group-initiative", "roll", faces=[face])
        assert who == ("Orc" if face == 2 else "Rat")
    assert [shown(spec, who, "rank") for who in ("Ana", "Orc", "Rat")] == ["LOW", "LOW", "HIGH"]


# ---- a delay before the target is named


@rule("VD-DELAY-02")
def test_who_delays_before_naming_the_target_names_it_in_low(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    assert asked(spec) == [("spell-target", "Mira")]
    spec.act("Mira", "delay")
    assert spec.combat.phase == "group/LOW/D1"
    assert asked(spec) == [("spell-target", "Mira")]
    spec.answer("Mira", "target", combatant="Orc")
    until(spec, "spells/3/LOW")
    reply(spec, "damage", "roll", faces=[4])
    assert spec.hp("Orc") == 16


# ---- the routines of step 6


@rule("VD-MULTI-02")
def test_routines_of_step_six_are_no_minor_actions(spec: Spec) -> None:
    spec.given(hero("Knight", multi_attack={"routines": 3}), foe("Ogre", max_hp=90))
    close(engaged(announce(spec), ("Knight", "Ogre")), 5, 2)
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    until(spec, "multi-rest/HIGH")
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    assert shown(spec, "Knight", "added_segments") == 0
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    assert shown(spec, "Knight", "added_segments") == 0


def test_a_major_ability_after_a_minor_one_is_no_second_minor_action(spec: Spec) -> None:
    roar = power("roar", action_type="major")
    spec.given(hero("Mira", abilities=[power("gaze"), roar]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="gaze", target="Orc")
    spec.act("Mira", "innate", ability="roar", target="Orc")
    assert spec["Mira"].budget["major"] == 0
    assert ("multiple-minors", None) not in asked(spec)


# ---- the tenth segment and the eleventh (VD-TIME-03)


@rule("VD-TIME-03")
def test_an_attack_in_the_tenth_segment_is_of_this_round(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 10), ("damage", 3), target="Orc", **{"with": ["work-9"]})
    assert spec.hp("Orc") == 17


@rule("VD-TIME-03")
def test_an_attack_in_the_eleventh_segment_is_of_the_next_round(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES, weapons=[SWORD, BOW]), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["work-10"]}, weapon="bow")
    assert notes(spec) == ["attack postponed"]
    assert spec["Ana"].budget["major"] == 0
    assert spec.events(Rolled) == []
    to_next_round(spec, 2, 5)
    until(spec, "group/LOW/D4")  # in Ana's rank, with the bow, and before later choices
    assert asked(spec) == [("attack", "Ana")]
    reply(spec, "attack", "roll", ("damage", 3), faces=[10])
    assert spec.hp("Orc") == 17
    assert shown(spec, "Ana", "added_segments") == 0
    assert spec["Ana"].budget["major"] == 1  # the shot takes no time of this round


def pushed(spec: Spec) -> Spec:
    """Begin round 2, in which Ana's shot at the Orc completes. Step 1 is open."""
    spec.given(hero("Ana", activities=CHORES, weapons=[SWORD, BOW]), foe("Orc", weapons=[]))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["work-10"]}, weapon="bow")
    return until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")


@rule("VD-DECL-08")
def test_a_major_action_of_the_last_round_bars_others_until_it_is_done(spec: Spec) -> None:
    pushed(spec)
    assert shown(spec, "Ana", "major_committed") == "attack"
    with spec.refused("VD-DECL-08", "major-already-used"):
        spec.act("Ana", "charge", target="Orc")
    close(spec, 5, 2)  # she has no prompt in D2 or D3
    reply(spec, "attack", "roll", faces=[2])
    assert shown(spec, "Ana", "major_committed") is None
    assert spec.combat.phase == "group/HIGH/D4"
    spec.act("Ana", "move", distance_ft=30)  # the major action of this round


@rule("VD-IMMA-04")
def test_an_immediate_attack_replaces_what_was_carried_over(spec: Spec) -> None:
    close(pushed(spec), 2, 5)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc")
    assert spec.prompt("Ana", "immediate-attack").data["gives_up"] == "attack"
    with spec.refused("VD-IMMA-02", "major-already-used"):
        spec.answer("Ana", "take", name="immediate-attack", gives_up=False)
    spec.answer("Ana", "take", ("attack", 2), name="immediate-attack")
    assert shown(spec, "Ana", "major_committed") is None
    until(spec, "end-of-round")
    assert by_rolls(spec) == []


def by_rolls(spec: Spec) -> list[str]:
    """Return the purpose of each roll in the last step."""
    return [rolled.purpose for rolled in spec.events(Rolled)]


def test_nobody_positions_before_its_major_action_is_done(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES, weapons=[BOW]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", **{"with": ["work-10"]})
    with spec.refused("VD-MIN-06", "positioning-needs-major"):
        spec.act("Ana", "position", distance_ft=5)


def test_what_was_begun_before_comes_before_what_is_chosen_there(spec: Spec) -> None:
    """An attack of the last round comes first in D4, and takes no time of this round (GAP-41)."""
    spec.given(foe("Orc", weapons=[]), hero("Ana", activities=CHORES))
    begin(spec, 3, 3).act("Ana", "attack", target="Orc", **{"with": ["work-10"]})
    until(to_next_round(spec, 3, 3), "group/HIGH/D4")
    spec.act("Ana", "pass").act("Orc", "move", distance_ft=5)
    assert asked(spec) == [("attack", "Ana")]
    assert spec["Orc"].budget["major"] == 1  # the Orc has not moved yet
    spec.answer("Ana", "roll", faces=[2])


def test_what_takes_no_time_is_done_after_the_tenth_segment_too(spec: Spec) -> None:
    """An action without time adds nothing, so it always fits (VD-TIME-05)."""
    spec.given(hero("Ana", activities=[{"id": "work-11", "segments": 11}], weapons=[]), foe("Orc"))
    begin(spec, 5, 2).act("Ana", "simple", activity="work-11")
    spec.act("Ana", "simple", activity="speak")
    assert notes(spec) == ["speak done"]


def test_a_called_shot_is_carried_over_too(spec: Spec) -> None:
    hum = power("hum", segments=10, targets="self", range_ft=0)
    spec.given(hero("Ana", abilities=[hum]), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "innate", ability="hum")
    passes(spec, "Ana")
    spec.act("Ana", "called-shot", target="Orc", aim="the horn")
    assert "called-shot postponed" in notes(spec)
    to_next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    assert asked(spec) == [("called-shot", None)]
    reply(spec, "called-shot", "set", ("attack", 19), modifier=-4)
    assert spec.event(Rolled).total == 15


def test_what_was_carried_over_is_asked_again_at_its_moment(spec: Spec) -> None:
    slow = power("slow", segments=11, range_ft=20)
    spec.given(
        hero("Ana", at=[0, 0], activities=CHORES), hero("Mira", at=[0, 3], abilities=[slow]),
        foe("Orc", at=[3, 3]),
    )  # fmt: skip
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="slow", target="Orc")
    passes(spec, "Mira", "Ana", "Mira")
    spec.act("Ana", "simple", activity="work-10")
    spec.act("Ana", "move", to=[4, 0])
    until(spec, "end-of-round")
    spec.rule("place", who="Orc", at=[2, 0]).answer(None, "next-round", name="end-of-round")
    close(spec, 5, 2)
    spec.rule("place", who="Orc", at=[9, 9])  # out of reach, with a free path
    spec.rule("set", who="Ana", sheet={"movement": {"walk": {"rate": 15}}})
    until(spec, "group/HIGH/D4")
    assert [(prevented.who, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("Ana", "too-far"), ("Mira", "out-of-range"),
    ]  # fmt: skip
    assert spec.events(Moved) == []
    assert spec["Ana"].budget["major"] == 1


def test_a_target_that_falls_before_what_was_carried_over(spec: Spec) -> None:
    slow = power("slow", segments=11)
    spec.given(hero("Mira", abilities=[slow]), foe("Orc"), foe("Rat"))
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="slow", target="Orc")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    to_next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    assert spec.event(Prevented).reason == "gone"


def test_who_was_let_out_of_its_melee_is_asked_for_again_when_it_goes_later(spec: Spec) -> None:
    spec.given(hero("Ana", activities=CHORES), foe("Orc"))
    close(engaged(announce(spec), ("Ana", "Orc")), 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "simple", activity="work-10")
    spec.act("Ana", "move", distance_ft=30)
    reply(spec, "leave-melee", "allow")
    to_next_round(spec, 5, 2)
    until(spec, "group/HIGH/D4")
    assert asked(spec) == [("leave-melee", None)]
    reply(spec, "leave-melee", "free-attacks")
    assert asked(spec) == [("free-attack", "Orc")]


# ---- step 8


def test_ongoing_damage_in_the_order_in_which_it_began(spec: Spec) -> None:
    spec.given(
        hero("Ana"), hero("Odo", conditions=[{"id": "bleeding", "ongoing": "1d4"}]), foe("Orc")
    )
    begin(spec, 5, 2)
    for who in ("Orc", "Ana"):
        spec.rule("condition", target=who, condition="burning", ongoing="1d4")
    spec.rule("end-round")
    for face in (1, 2, 3):
        reply(spec, "ongoing-damage", "roll", faces=[face])
    path = [recorded.event for recorded in spec.live.history.path]
    hurt = [(event.who, event.amount) for event in path if isinstance(event, Damaged)]
    assert hurt == [("Odo", 1), ("Orc", 2), ("Ana", 3)]


@rule("VD-END-02")
def test_the_penalty_of_a_charge_ends_with_the_conditions_of_the_round(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[9, 0]), charge={"ac_penalty": 2})
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", ("attack", 2))
    assert shown(spec, "Ana", "effective_ac") == 7
    until(spec, "end-of-round")
    assert shown(spec, "Ana", "effective_ac") == 5


# ---- reactions by their action's name


@rule("VD-FREE-01")
def test_a_reaction_is_taken_by_its_action_while_its_trigger_asks(spec: Spec) -> None:
    spec.given(hero("Ana", owner="anna"), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("grant-free-attack", attacker="Ana", against="Orc")
    spec.do(Act("Ana", "free-attack", {}), ("attack", 10), ("damage", 3), by=ANNA)
    assert spec.hp("Orc") == 17
    spec.rule("grant-immediate-attack", attacker="Orc", against="Ana")
    spec.act("Orc", "immediate-attack", ("attack", 2))
    assert spec["Orc"].budget["major"] == 0
    with spec.refused("VD-FREE-01", "wrong-phase"):
        spec.act("Ana", "free-attack", target="Orc")


# ---- called shots


@rule("VD-CALL-01", "VD-CALL-03")
def test_a_called_shot_without_its_terms(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    for action, pointer, rule_id in (
        ("called-shot", "/inputs/aim", "VD-CALL-01"),
        ("grab-item", "/inputs/item", "VD-CALL-03"),
    ):
        with spec.raises(Impossible) as caught:
            spec.act("Ana", action, target="Orc")
        impossible = caught[0]
        assert (impossible.rule, impossible.code, impossible.pointer) == (
            rule_id,
            "wrong-kind",
            pointer,
        )


# ---- the beginning of declared actions


def test_no_declaration_is_asked_for_any_more_while_what_was_declared_begins(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    announce(spec).answer("Ana", "declare", activities=["close-door", "sheathe-weapon"])
    spec.rule("close-declare")
    assert asked(spec) == [("multiple-minors", None)]
    with spec.refused("VD-DECL-01", "nothing-declared"):  # step 1 is over
        spec.act("Ana", "abandon")
    spec.answer(None, "complex", ("group-initiative", 5), ("group-initiative", 2))
    assert spec["Ana"].has("complex-activity")


@rule("VD-FREE-07")
def test_the_warning_is_for_those_who_concentrate(spec: Spec) -> None:
    tune = {"id": "tune", "kind": "complex", "concentration": True}
    wand = spell("wand", 4, category="invocation")
    spec.given(hero("Ana", activities=[tune]), hero("Mira", abilities=[wand]), foe("Orc"))
    begin(spec, 2, 5, Ana=("complex", {"activity": "tune"}), Mira=("invoke", {"ability": "wand"}))
    for who, warned in (("Ana", True), ("Mira", False)):
        spec.rule("grant-free-attack", attacker=who, against="Orc")
        (prompt,) = [
            prompt for prompt in spec.live.open_prompts().values() if prompt.name == "free-attack"
        ]
        assert prompt.data["breaks_concentration"] is warned
        spec.answer(who, "take", ("attack", 2))
    assert not spec["Ana"].has("complex-activity")
    assert spec["Mira"].has("casting")


# ---- the path of a charge (GAP-52, GAP-60)


@rule("VD-FAST-07", "VD-GRID-04")
def test_a_charge_whose_way_is_closed_is_prevented_and_costs_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[6, 0]), foe("Rat", at=[3, 3]))
    announce(spec).act("Ana", "charge", target="Orc")
    spec.rule("place", who="Rat", at=[3, 0])
    close(spec, 5, 2)
    spec.act("Ana", "pass")  # no other path is free
    assert [(prevented.action, prevented.reason) for prevented in spec.events(Prevented)] == [
        ("charge", "path-blocked")
    ]
    assert (spec["Ana"].position, spec["Ana"].budget["major"]) == ((0, 0, 0), 1)


def test_a_charge_past_a_wall_takes_another_way(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), hero("Odo", at=[0, 1]), foe("Orc", at=[6, 0]),
        map={"blocked": [[3, 0]]},
    )  # fmt: skip
    around = [[2, 2], [5, 0]]
    charge = {"target": "Orc"}
    begin(spec, 5, 2, Ana=("charge", charge), Odo=("charge", {**charge, "path": around}))
    with spec.refused("VD-GRID-04", "path-blocked"):
        spec.act("Ana", "charge")
    spec.act("Ana", "pass")
    assert spec["Ana"].budget["major"] == 1
    spec.act("Odo", "charge", ("attack", 2))
    assert spec["Odo"].position == (5, 0, 0)


def test_a_wall_behind_the_reach_of_a_charge_does_not_matter(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[30, 0]), map={"blocked": [[25, 0]]})
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge")  # the Orc is too far, so Ana moves 120 ft
    assert spec["Ana"].position == (24, 0, 0)
    assert spec["Ana"].budget["major"] == 0


def test_to_close_all_questions_is_to_close_each_of_them(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"))
    announce(spec).act("Ana", "delay")  # Ana gets another prompt
    spec.close()
    assert asked(spec) == [("group-initiative", "Ana")]
    for face in (5, 2):
        who = "Ana" if face == 5 else "Orc"
        spec.answer(who, "roll", faces=[face])
    assert asked(spec) == [("slot-intent", "Odo")]
    spec.close()
    assert spec.combat.phase == "group/HIGH/D4"


@rule("VD-INIT-01")
def test_who_changes_groups_rolls_no_more_for_the_one_it_left(spec: Spec) -> None:
    """Rat leaves its group, which is then empty and does not roll (GAP-54)."""
    spec.given(hero("Ana"), foe("Rat", side="rats"), foe("Orc"), foe("Elf", side="elves"))
    announce(spec)
    spec.close()
    spec.answer("Ana", "roll", faces=[2])
    assert asked(spec) == [("group-initiative", "Rat")]
    spec.do(Change("Rat", side="elves"))
    spec.answer("Rat", "roll", faces=[5])  # for the elves, as their first member
    assert asked(spec) == [("group-initiative", "Orc")]
    spec.answer("Orc", "roll", faces=[3])
    ranks = [shown(spec, who, "rank") for who in ("Ana", "Orc", "Rat", "Elf")]
    assert ranks == ["LOW", "LOW", "HIGH", "HIGH"]


@rule("VD-DLYG-04")
def test_a_called_shot_uses_the_load_and_the_modifier_up(spec: Spec) -> None:
    crossbow = weapon("crossbow", kind="missile", loading="load-light-crossbow", loaded=True)
    spec.given(hero("Ana", weapons=[crossbow]), foe("Orc"))
    begin(spec, 5, 2)
    spec.rule("modifier", attacker="Ana", value=3)
    spec.act("Ana", "called-shot", target="Orc", aim="the lamp")
    reply(spec, "called-shot", "set", ("attack", 9), modifier=-4)
    assert spec.event(Rolled).total == 8  # 9 + 3 − 4
    to_next_round(spec, 5, 2)
    with spec.raises(Illegal) as refused:
        spec.act("Ana", "called-shot", target="Orc", aim="the lamp")
    assert (refused[0].rule, refused[0].code) == ("VD-DLYG-04", "not-loaded")
    # A called shot cannot include an activity, so the refusal does not suggest one.
    assert "comes first, or with an attack" in refused[0].detail


@rule("VD-MELEE-03")
def test_a_called_shot_in_restricted_quarters(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[3, 0]), restricted_quarters=True)
    begin(spec, 5, 2)
    spec.act("Ana", "grab-item", target="Orc", item="key")
    assert asked(spec) == [("restricted-quarters", None)]
    reply(spec, "restricted-quarters", "refuse")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert spec["Ana"].budget["major"] == 1


@rule("VD-TIME-03")
def test_a_spell_that_runs_on_is_counted_in_the_segments_of_its_round(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("storm", 10)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "storm"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.act("Mira", "simple", activity="close-door")
    until(spec, "end-of-round")
    assert shown(spec, "Mira", "casting") == {"ability": "storm", "segment": 11}
    spec.answer(None, "next-round", name="end-of-round")
    assert shown(spec, "Mira", "casting") == {"ability": "storm", "segment": 1}


def test_to_undo_a_turn_where_there_are_rounds_alone(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    to_next_round(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc").undo("turn")
    assert (spec.combat.round, spec.combat.phase) == (2, "declare")
