"""Test the eight steps of a round.

VD-SEQ, -DECL, -INIT, -FAST, -MULTI.
"""

import pytest

from domain.errors import Malformed
from domain.record.events import Moved, PhaseBegan, Prevented, Rolled
from domain.rulesets.vile_darkness.slots import called
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
from tests.spec import Spec, rule


def phases(spec: Spec) -> list[str]:
    """Return every phase of the fight, in order."""
    path = spec.live.history.path
    return [recorded.event.phase for recorded in path if isinstance(recorded.event, PhaseBegan)]


def rolls(spec: Spec, purpose: str = "attack") -> list[str]:
    """Return the combatants that have rolled for `purpose` in this fight, in order."""
    path = [recorded.event for recorded in spec.live.history.path]
    return [event.who for event in path if isinstance(event, Rolled) and event.purpose == purpose]


# ---- sequence


@rule("VD-SEQ-01")
def test_the_gm_says_who_is_surprised(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin()
    assert asked(spec) == [("surprise-check", None)]
    reply(spec, "surprise-check", "set", who=["Orc"])
    assert spec["Orc"].has("surprised")
    spec.answer(None, "set", name="positions")
    assert asked(spec) == [("declaration", "Ana")]
    with spec.refused("VD-SEQ-01", "surprised"):
        spec.act("Orc", "flee")
    close(spec, 3, 3)
    until(spec, "end-of-round")
    assert not spec["Orc"].has("surprised")  # one round, unless the GM extends it


@rule("VD-SEQ-01")
def test_who_is_surprised_may_be_let_act(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin()
    reply(spec, "surprise-check", "set", who=["Orc"], may_act=True, duration={"rounds": 2})
    spec.answer(None, "set", name="positions")
    assert asked(spec) == [("declaration", "Ana"), ("declaration", "Orc")]
    close(spec, 3, 3)
    until(spec, "end-of-round")
    assert spec["Orc"].has("surprised")
    spec.answer(None, "next-round", name="end-of-round")
    assert asked(spec) == [("declaration", "Ana"), ("declaration", "Orc")]


@rule("VD-SEQ-02")
def test_the_gm_fixes_every_position(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc")).begin().answer(None, "set")
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Ana", "move", path=[[1, 1]])
    spec.answer(None, "set", at={"Orc": [3, 4]}, name="positions")
    assert spec["Orc"].position == (3, 4, 0)
    assert spec["Ana"].position == (0, 0, 0)


@rule("VD-SEQ-03")
def test_the_steps_follow_each_other(spec: Spec) -> None:
    spec.given(
        hero("Ana", abilities=[power("gaze", damage=None)], weapons=[SWORD, BOW]),
        hero("Mira", weapons=[], abilities=[spell("bolt", 4)]),
        foe("Orc", multi_attack={"routines": 2}),
    )
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Orc=("parley", {}))
    spec.answer("Orc", "pass")  # ends the parley
    until(spec, "group/HIGH/D1").answer("Mira", "target", combatant="Orc")
    for _ in range(40):
        if spec.combat.phase == "end-of-round":
            break
        roll = spec._roll_prompt()
        if roll is None:
            spec.close()
        else:
            spec.answer(roll[1].who, "roll", faces=[3])
    assert phases(spec) == [
        "surprise", "positions", "next-round", "declare", "initiative",
        "fast/A/LOW", "group/HIGH/D1", "group/HIGH/D2", "group/HIGH/D3", "group/HIGH/D4",
        "group/LOW/D4", "spells/4/HIGH", "end-of-round",
    ]  # fmt: skip


@rule("VD-SEQ-03")
def test_nothing_is_done_before_all_have_declared(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    with spec.refused("VD-SEQ-03", "wrong-phase"):
        spec.act("Ana", "simple", activity="close-door")


@rule("VD-SEQ-04")
def test_the_next_round_repeats_the_steps(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    next_round(spec, 1, 6)
    assert spec.combat.round == 2
    assert phases(spec).count("surprise") == 1
    assert rolls(spec, "group-initiative") == ["Ana", "Orc"] * 2
    assert [shown(spec, who, "rank") for who in ("Ana", "Orc")] == ["LOW", "HIGH"]
    assert spec["Ana"].budget["major"] == 1


@rule("VD-SEQ-05")
def test_fast_actions_come_in_step_3(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Orc="flee")
    assert spec.combat.phase == "fast/B/LOW"
    assert asked(spec) == [("slot-intent", "Orc")]


@rule("VD-SEQ-06")
def test_multi_attackers_come_in_step_4(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc", multi_attack={"routines": 2}))
    begin(spec, 5, 2)
    assert spec.combat.phase == "group/HIGH/D3"  # nobody is in melee


@rule("VD-SEQ-07", "VD-GRP-01")
def test_all_of_high_comes_before_low(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc", abilities=[power("gaze", damage=None)]))
    begin(spec, 5, 2)
    passes(spec, "Ana", "Ana")  # D3, D4
    assert spec.combat.phase == "group/LOW/D1"


@rule("VD-SEQ-08")
def test_remaining_routines_come_before_spells(spec: Spec) -> None:
    spec.given(
        hero("Ana", multi_attack={"routines": 2}),
        hero("Mira", weapons=[], abilities=[spell("bolt", 1)]),
        foe("Orc", max_hp=40),
    )
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    spec.answer("Mira", "target", combatant="Orc")
    passes(spec, "Ana", "Mira", "Orc", "Orc")
    assert spec.combat.phase == "multi-rest/HIGH"
    spec.act("Ana", "attack", ("attack", 2), ("damage", 1), target="Orc")
    assert spec.combat.phase == "spells/1/HIGH"


@rule("VD-SEQ-09", "VD-E-01")
def test_spells_come_in_step_7(spec: Spec) -> None:
    rod = spell("rod", 2, category="invocation")
    spec.given(hero("Mira", weapons=[], abilities=[rod]), foe("Orc"))
    begin(spec, 5, 2, Mira=("invoke", {"ability": "rod"}))
    spec.answer("Mira", "target", combatant="Orc")
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 1))
    assert spec.combat.phase == "spells/2/HIGH"


@rule("VD-SEQ-10", "VD-END-01")
def test_the_gm_confirms_the_end_of_the_round(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    until(spec, "end-of-round")
    assert asked(spec) == [("end-of-round", None)]
    spec.answer(None, "end-combat")
    assert spec.combat.status == "ended"


# ---- declaration


@rule("VD-DECL-01")
def test_a_declaration_can_be_taken_back(spec: Spec) -> None:
    announce(spec.given(hero("Mira", abilities=[spell("bolt", 2, uses=1)]), foe("Orc")))
    spec.act("Mira", "cast", spell="bolt")
    spec.act("Mira", "abandon")
    spec.act("Mira", "flee")
    close(spec, 5, 2)
    assert spec.combat.phase == "fast/B/HIGH"
    assert not spec["Mira"].has("casting")
    assert spec["Mira"].budget["spell"] == 1


@rule("VD-DECL-01")
def test_it_begins_in_the_order_of_joining(spec: Spec) -> None:
    abilities = [spell("bolt", 2)]
    announce(spec.given(hero("Ana", abilities=abilities), foe("Hexer", abilities=abilities)))
    spec.act("Hexer", "cast", spell="bolt").act("Ana", "cast", spell="bolt")
    spec.answer("Hexer", "done")
    assert not spec["Hexer"].has("casting")  # nothing has begun
    spec.answer("Ana", "done", ("group-initiative", 3), ("group-initiative", 3))
    casting = [event for event in spec.told() if getattr(event, "condition", "") == "casting"]
    assert [getattr(event, "who", "") for event in casting] == ["Ana", "Hexer"]


@rule("VD-DECL-02")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("parley", {}),
        ("flee", {}),
        ("charge", {"target": "Orc"}),
        ("cast", {"spell": "bolt"}),
        ("invoke", {"ability": "wand"}),
    ],
)
def test_what_was_not_declared_is_refused(spec: Spec, action: str, inputs: dict[str, str]) -> None:
    abilities = [spell("bolt", 2), spell("wand", 1, category="invocation")]
    begin(spec.given(hero("Ana", abilities=abilities), foe("Orc")), 5, 2)
    with spec.refused("VD-DECL-02", "not-declared"):
        spec.act("Ana", action, **inputs)


@rule("VD-DECL-02")
def test_an_ability_may_demand_it(spec: Spec) -> None:
    gaze = power("gaze", declared=True, damage=None)
    breath = power("breath", damage=None)
    begin(spec.given(hero("Ana", abilities=[gaze, breath]), foe("Orc")), 5, 2)
    with spec.refused("VD-DECL-02", "not-declared"):
        spec.act("Ana", "innate", ability="gaze", target="Orc")
    passes(spec, "Ana", "Ana", "Ana", "Orc", "Orc")
    spec.answer(None, "next-round")
    spec.act("Ana", "innate", ability="gaze", target="Orc")  # Ana declares the gaze
    close(spec, 5, 2)
    spec.act("Ana", "innate", ability="gaze", target="Orc")
    assert "gaze done" in results.notes(spec.told())


@rule("VD-DECL-03")
def test_an_optional_declaration_does_not_bind(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana=("attack", {"target": "Orc"}))
    passes(spec, "Ana")  # D3
    spec.act("Ana", "move", distance_ft=30)
    assert spec["Ana"].budget["major"] == 0


@rule("VD-DECL-04")
def test_declaring_is_for_step_1_only(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    begin(spec, 5, 2, Ana="flee")
    spec.act("Ana", "flee")
    with spec.refused("VD-DECL-04", "wrong-phase"):
        spec.act("Ana", "flee")


@rule("VD-DECL-05", "VD-TGT-01")
def test_a_spell_is_declared_without_a_target(spec: Spec) -> None:
    announce(spec.given(hero("Mira", abilities=[spell("bolt", 2)]), foe("Orc")))
    close(spec.act("Mira", "cast", spell="bolt"), 5, 2)
    assert spec["Mira"].has("casting")


@rule("VD-DECL-06")
@pytest.mark.parametrize("fast", ["parley", "flee"])
def test_a_fast_action_is_not_delayed(spec: Spec, fast: str) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    spec.act("Ana", "delay")
    with spec.refused("VD-DECL-06", "cannot-delay-fast-action"):
        spec.act("Ana", fast)
    spec.act("Ana", "abandon").act("Ana", fast)
    with spec.refused("VD-DECL-06", "cannot-delay-fast-action"):
        spec.act("Ana", "delay")


@rule("VD-DECL-06")
def test_a_delay_goes_with_a_spell(spec: Spec) -> None:
    announce(spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 2)]), foe("Orc")))
    spec.answer("Mira", "declare", action="cast", inputs={"spell": "bolt"}, delay=True)
    close(spec, 5, 2)
    assert spec["Mira"].has("casting", "declared-delay")
    assert shown(spec, "Mira", "rank") == "LOW"
    assert spec.combat.phase == "group/LOW/D1"  # where its target is announced


@rule("VD-DECL-07")
@pytest.mark.parametrize(
    ("verdict", "rank", "complex"),
    [("none", "HIGH", False), ("delaying", "LOW", False), ("complex", "HIGH", True)],
)
def test_the_gm_may_rule_on_a_list_at_once(
    spec: Spec, verdict: str, rank: str, complex: bool
) -> None:
    announce(spec.given(hero("Ana", weapons=[]), foe("Orc", weapons=[])))
    oil = {"name": "fetch oil"}
    spec.answer("Ana", "declare", activities=["close-door", oil]).rule("close-declare")
    assert spec.prompt().data["activities"] == ["close-door", "fetch oil"]
    spec.answer(None, verdict, ("group-initiative", 5), ("group-initiative", 2))
    assert shown(spec, "Ana", "rank") == rank
    assert spec["Ana"].has("complex-activity") is complex


@rule("VD-DECL-08")
def test_one_major_action_is_declared(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    spec.act("Ana", "attack", target="Orc")
    with spec.refused("VD-DECL-08", "major-already-used"):
        spec.act("Ana", "flee")


@rule("VD-DECL-08")
def test_none_while_one_of_an_earlier_round_runs(spec: Spec) -> None:
    spec.given(hero("Mira", abilities=[spell("slow", "2 rounds")]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "slow"}))
    until(spec, "end-of-round").answer(None, "next-round")
    with spec.refused("VD-DECL-08", "major-already-used"):
        spec.act("Mira", "flee")


def test_a_declaration_needs_something(spec: Spec) -> None:
    announce(spec.given(hero("Ana"), foe("Orc")))
    with spec.raises(Malformed):
        spec.answer("Ana", "declare")
    with spec.raises(Malformed):
        spec.answer("Ana", "declare", action="dance")


# ---- initiative


@rule("VD-INIT-01")
def test_each_group_rolls_one_d6(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat"))
    begin(spec, 4, 3)
    rolleds = spec.events(Rolled, purpose="group-initiative")
    assert [(rolled.who, rolled.formula) for rolled in rolleds] == [("Ana", "1d6"), ("Orc", "1d6")]


@rule("VD-INIT-01")
def test_a_group_may_be_named(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo", group="scouts"), foe("Orc"), groups={"Orc": "warband"})
    begin(spec, 2, 6, 1)
    assert [shown(spec, who, "rank") for who in ("Ana", "Odo", "Orc")] == ["LOW", "HIGH", "LOW"]


@rule("VD-INIT-02", "VD-INIT-03")
def test_the_higher_die_acts_first(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 2, 3)
    assert [shown(spec, who, "rank") for who in ("Ana", "Orc")] == ["LOW", "HIGH"]
    assert asked(spec) == [("slot-intent", "Orc")]


@rule("VD-INIT-04")
def test_equal_dice_are_all_high(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 3, 3)
    assert [shown(spec, who, "rank") for who in ("Ana", "Orc")] == ["HIGH", "HIGH"]
    assert rolls(spec, "group-initiative") == ["Ana", "Orc"]


@rule("VD-INIT-05", "VD-GRP-04", "VD-GRP-05", "VD-GRP-06")
def test_the_type_decides_in_a_tie(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[weapon("dirk", speed=1)]),
        foe("Archer", weapons=[BOW]),
        foe("Shade", weapons=[], abilities=[power("gaze", damage=None)]),
    )
    begin(spec, 3, 3)
    assert (spec.combat.phase, asked(spec)) == ("group/HIGH/D1", [("slot-intent", "Shade")])
    passes(spec, "Shade")
    assert (spec.combat.phase, asked(spec)) == ("group/HIGH/D2", [("slot-intent", "Archer")])
    passes(spec, "Archer")
    assert (spec.combat.phase, asked(spec)) == ("group/HIGH/D3", [("slot-intent", "Ana")])
    passes(spec, "Ana")
    assert spec.combat.phase == "group/HIGH/D4"
    assert len(asked(spec)) == 3


@rule("VD-INIT-06")
def test_the_faster_weapon_strikes_first(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[weapon("axe", speed=7)], max_hp=40),
        foe("Orc", weapons=[weapon("knife", speed=3)], max_hp=40),
    )
    begin(spec, 3, 3)
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana"]


@rule("VD-INIT-07")
def test_equal_times_are_simultaneous(spec: Spec) -> None:
    spec.given(hero("Ana", max_hp=3), foe("Orc", max_hp=3))
    begin(spec, 3, 3)
    spec.act("Orc", "attack", target="Ana")
    spec.act(
        "Ana", "attack", ("attack", 15), ("damage", 5), ("attack", 15), ("damage", 5), target="Orc"
    )
    assert (spec.hp("Ana"), spec.hp("Orc")) == (-2, -2)
    assert spec["Ana"].has("down")


@rule("VD-INIT-08")
@pytest.mark.parametrize(
    ("adjustment", "option", "rank"),
    [(2, "missile", "HIGH"), (1, "missile", "LOW"), (2, "off", "LOW")],
)
def test_dexterity_may_help_missiles(spec: Spec, adjustment: int, option: str, rank: str) -> None:
    odo = hero("Odo", weapons=[BOW, SWORD], dex_reaction_adjustment=adjustment)
    spec.given(odo, foe("Orc", abilities=[power("gaze", damage=None)]), dex_reaction=option)
    begin(spec, 2, 4)  # 2 + 2 ≥ 4
    passes(spec, "Orc")
    assert spec.combat.phase == ("group/HIGH/D2" if rank == "HIGH" else "group/HIGH/D3")
    until(spec, "group/LOW/D3")  # the sword stays there
    assert asked(spec) == [("slot-intent", "Odo")]


@rule("VD-INIT-09")
def test_of_three_groups_the_highest_are_high(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), {**foe("Wolf"), "side": "wolves"})
    begin(spec, 5, 2, 5)
    ranks = [shown(spec, who, "rank") for who in ("Ana", "Orc", "Wolf")]
    assert ranks == ["HIGH", "LOW", "HIGH"]


@rule("VD-INIT-10")
def test_a_delayed_individual_is_low(spec: Spec) -> None:
    spec.given(hero("Ana", conditions=[{"id": "delayed"}]), hero("Odo"), foe("Orc"))
    begin(spec, 5, 2)
    assert [shown(spec, who, "rank") for who in ("Ana", "Odo")] == ["LOW", "HIGH"]


@rule("VD-INIT-11")
def test_allies_act_in_any_order(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc", max_hp=40)), 5, 2)
    spec.act("Odo", "attack", ("attack", 2), target="Orc")  # at once
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert rolls(spec) == ["Odo", "Ana"]


# ---- fast actions


@rule("VD-FAST-01", "VD-FAST-02")
def test_go_first_then_parley_flee_charge(spec: Spec) -> None:
    omen = power("omen", timing="go_first", targets="self", declared=True)
    spec.given(hero("Ana"), hero("Odo"), hero("Ute", abilities=[omen]), foe("Orc"))
    begin(
        spec, 1, 6, Orc=("charge", {"target": "Ana"}), Odo="flee", Ana="parley",
        Ute=("go-first", {"ability": "omen"}),
    )  # fmt: skip
    assert spec.combat.phase == "fast/go-first/LOW"
    spec.act("Ute", "go-first")
    passes(spec, "Ute")
    assert spec.combat.phase == "fast/A/LOW"
    spec.act("Ana", "parley").answer(None, "answer", text="no")
    assert spec.combat.phase == "fast/B/LOW"
    spec.act("Odo", "flee")
    assert spec.combat.phase == "fast/C/HIGH"


@rule("VD-FAST-03")
def test_in_a_letter_high_comes_first(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 1, 6, Ana="flee", Orc="flee")
    assert (spec.combat.phase, asked(spec)) == ("fast/B/HIGH", [("slot-intent", "Orc")])
    passes(spec, "Orc")
    assert (spec.combat.phase, asked(spec)) == ("fast/B/LOW", [("slot-intent", "Ana")])


@rule("VD-FAST-03")
def test_with_equal_ranks_charges_are_simultaneous(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0], max_hp=4), foe("Orc", at=[6, 0], max_hp=4))
    charges = {"Ana": ("charge", {"target": "Orc"}), "Orc": ("charge", {"target": "Ana"})}
    begin(spec, 3, 3, **charges)
    spec.act("Ana", "charge")
    spec.act("Orc", "charge", ("attack", 15), ("damage", 4), ("attack", 15), ("damage", 4))
    # All move first, in joining order. The Orc has its target in reach and stays.
    assert [(moved.who, moved.path[-1]) for moved in spec.events(Moved)] == [("Ana", (5, 0, 0))]
    assert (spec.hp("Ana"), spec.hp("Orc")) == (0, 0)


@rule("VD-FAST-04", "VD-DELAY-11")
def test_being_delayed_does_not_slow_a_fast_action(spec: Spec) -> None:
    spec.given(hero("Ana", conditions=[{"id": "delayed"}]), foe("Orc"))
    begin(spec, 6, 1, Ana="flee", Orc="flee")
    assert (spec.combat.phase, asked(spec)) == ("fast/B/HIGH", [("slot-intent", "Ana")])


@rule("VD-FAST-05")
def test_a_fast_action_is_the_major_action(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc")), 5, 2, Ana="flee")
    spec.act("Ana", "flee", distance_ft=60)
    assert spec["Ana"].budget["major"] == 0
    assert asked(spec) == [("slot-intent", "Odo")]  # D3: nothing for Ana
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "attack", target="Orc")


@rule("VD-FAST-06")
def test_who_flees_is_in_melee_with_nobody(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2, Ana=("flee", {"path": [[-4, 0]]}))
    spec.act("Ana", "flee").answer("Orc", "take", ("attack", 15), ("damage", 2))
    assert spec.hp("Ana") == 18
    assert spec["Ana"].position == (-4, 0, 0)
    assert not spec["Orc"].has("engaged")
    assert spec["Orc"].budget["major"] == 1


@rule("VD-FAST-06")
def test_flight_goes_no_further_than_the_rate(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc"), flee={"move_factor": 0.5})
    begin(spec, 5, 2, Ana="flee")
    with spec.refused("VD-FAST-06", "too-far"):
        spec.act("Ana", "flee", path=[[13, 0]])  # 65 ft of 120 × ½
    spec.act("Ana", "flee", path=[[12, 0]])


@rule("VD-FAST-07")
def test_a_charge_moves_and_strikes(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[10, 0], max_hp=40),
        charge={"attack_bonus": 2, "ac_penalty": 3},
    )  # fmt: skip
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge", ("attack", 8), ("damage", 4))
    rolled = spec.rolled("attack")
    assert (rolled.total, rolled.target, rolled.outcome) == (10, 10, "hit")  # 8 + 2 ≥ 15 − 5
    assert spec["Ana"].position == (9, 0, 0)
    assert shown(spec, "Ana", "effective_ac") == 8  # 5 + 3
    assert spec["Ana"].has("engaged")
    next_round(spec, 5, 2)
    assert shown(spec, "Ana", "effective_ac") == 5


@rule("VD-FAST-07")
def test_a_charge_that_comes_too_short_only_moves(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[40, 0]))
    begin(spec, 5, 2, Ana=("charge", {"target": "Orc"}))
    spec.act("Ana", "charge")
    assert spec["Ana"].position == (24, 0, 0)  # 120 ft
    assert not spec.events(Rolled)
    assert spec["Ana"].budget["major"] == 0


@rule("VD-FAST-07")
def test_a_charge_at_somebody_who_fell_leaves_the_major_action(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Odo"), foe("Orc"), foe("Rat"))
    begin(spec, 2, 5, Ana=("charge", {"target": "Orc"}), Odo="flee", Rat="parley")
    spec.rule("set-track", who="Orc", value=0).answer(None, "down", name="dying")
    spec.act("Rat", "pass").act("Odo", "flee")
    assert spec.event(Prevented).who == "Ana"
    assert spec["Ana"].budget["major"] == 1


@rule("VD-FAST-08")
def test_a_parley_may_end_the_combat(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2, Ana=("parley", {"message": "Peace?"}))
    spec.act("Ana", "parley")
    assert spec.prompt().data["message"] == "Peace?"
    spec.answer(None, "end-combat")
    assert spec.combat.status == "ended"


# ---- multi-attack


@rule("VD-MULTI-04")
def test_step_4_has_its_order_too(spec: Spec) -> None:
    fast, slow = weapon("knife", speed=2), weapon("axe", speed=7)
    two = {"multi_attack": {"routines": 2}, "max_hp": 40}
    spec.given(hero("Ana", weapons=[slow], **two), foe("Orc", weapons=[fast], **two))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 3, 3)
    spec.act("Ana", "attack", target="Orc")
    spec.act("Orc", "attack", ("attack", 2), ("attack", 2), target="Ana")
    assert rolls(spec) == ["Orc", "Ana"]


@rule("VD-MULTI-05")
def test_routines_may_have_different_targets(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}), foe("Orc"), foe("Rat"))
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    until(spec, "multi-rest/HIGH")
    spec.act("Ana", "attack", ("attack", 2), target="Rat")
    assert spec.rolled("attack").against == "Rat"


@rule("VD-MULTI-06", "VD-ROUT-04")
def test_without_it_there_is_one_routine(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), hero("Odo"), foe("Orc", max_hp=40)), 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Ana", "attack", target="Orc")


@rule("VD-MULTI-07")
def test_step_4_may_be_declined(spec: Spec) -> None:
    spec.given(hero("Ana", multi_attack={"routines": 2}, at=[0, 0]), foe("Orc", at=[1, 0]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana", "Ana")  # step 4, D3
    spec.act("Ana", "move", path=[[-3, 0]]).answer(None, "allow", name="leave-melee")
    passes(spec, "Ana", "Orc", "Orc")
    assert spec.combat.phase == "end-of-round"  # only an attack leaves any


@rule("VD-SEQ-03")
@pytest.mark.parametrize(
    ("slot", "words"),
    [
        ("fast/A/HIGH", "parleys of HIGH"),
        ("multi-primary/HIGH", "first routines of HIGH"),
        ("group/HIGH/D2", "missile actions (D2) of HIGH"),
        ("multi-rest/LOW", "remaining routines of LOW"),
        ("spells/3/LOW", "spells of segment 3 of LOW"),
        ("go-last", "go-last"),
    ],
)
def test_a_slot_has_words(spec: Spec, slot: str, words: str) -> None:
    spec.given(hero("Ana"))
    assert called(spec.combat, slot) == words


@rule("VD-GRP-01")
def test_the_question_of_a_slot_names_it(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    assert spec.prompt("Ana").text == "It is time for melee actions (D3) of HIGH. What does Ana do?"
