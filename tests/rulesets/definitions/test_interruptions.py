"""Test actions during which a combatant falls or leaves, or the GM rules."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import Healed, Noted, Prevented, Rolled, Stopped
from domain.rulesets.definitions.facts import CASTING
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    FIST,
    SHIELD,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    order_of,
    shown,
    turn_of,
)
from tests.spec import Spec, rule

BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


def test_a_tripper_grappled_by_a_held_action_trips_nobody(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[0, 1]), order=("Gob", "Ana", "Orc"))
    hold(spec, "Gob", "grapple", {"event": "attacks", "who": "Ana"}, target="Ana")
    end(spec, "Gob")
    spec.act("Ana", "trip", target="Orc")
    spec.answer("Gob", "resolve", ("touch", 15))
    spec.answer("Ana", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert spec["Ana"].has("grappled")
    assert not spec.events(Rolled, who="Ana", purpose="touch")
    assert spec["Ana"].budget["standard"] == 0  # Ana's action is lost


def test_a_caster_disarmed_casts_all_the_same(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", spells=[BOLT], weapons=[SWORD]),
        foe("Orc"),
        order=("Orc", "Ana"),
    )
    hold(spec, "Orc", "disarm", {"event": "starts-to-cast"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "resolve", ("touch", 15))
    spec.answer("Ana", "pass", ("opposed-dexterity", 15), ("opposed-dexterity", 5), ("damage", 3))
    assert spec["Ana"].has("disarmed")
    assert spec.hp("Orc") == 17


def test_a_holder_killed_lets_go_in_the_midst_of_its_option(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), fighter("Bo", at=[9, 9]))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    spec.act("Ana", "grapple-submission")
    spec.rule("set-condition", who="Ana", condition="dead")
    assert not spec["Orc"].has("grappled")
    assert asked(spec) == []
    assert ("choice", "defend-with", "Orc") not in spec.open()


def test_a_grapple_ruled_away_while_the_escape_is_asked(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    end(spec, "Ana")
    assert spec.prompt().name == "grapple-escape"
    spec.rule("end-condition", who="Ana", condition="grappling")
    assert not spec["Orc"].has("grappled")
    assert spec.prompt().name == "turn"


def test_a_held_action_whose_target_was_removed_is_lost(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"), foe("Gob", at=[5, 5]))
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")
    end(spec, "Ana")
    spec.leave("Orc")
    spec.act("Gob", "speak", text="gone")
    spec.answer("Ana", "resolve")
    assert not spec["Ana"].has("holding")
    assert shown(spec, "Ana")["immediates_used"] == 0


def test_delay_and_hold_across_the_end_of_a_round(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[5, 5]), fighter("Bo", at=[9, 9]))
    spec.act("Ana", "delay")
    hold(spec, "Orc", "drop-prone", {"event": "turn-ends", "who": "Bo"}, slot="move")
    end(spec, "Orc")
    spec.answer("Ana", "wait")
    end(spec, "Bo")
    assert asked(spec) == ["Orc"]  # before the time between two turns
    spec.answer("Orc", "resolve")
    assert order_of(spec) == ["Ana", "Bo", "Orc"]
    assert spec.prompt().name == "resume"
    spec.answer("Ana", "act-now")
    assert order_of(spec) == ["Bo", "Ana", "Orc"]
    end(spec, "Ana")
    assert (spec.combat.round, turn_of(spec)) == (2, "Bo")


def test_sizes_at_both_ends_of_a_reach(spec: Spec) -> None:
    fight(
        spec,
        foe("Imp", size="tiny", at=[5, 0], weapons=[BITE]),
        fighter("Maw", size="huge", at=[0, 0], weapons=[BITE]),
        fighter("Pip", size="small", at=[5, 4], weapons=[SPEAR]),
    )
    spec.act("Imp", "move", path=[[6, 0]])  # from 3 to 4 squares away from Maw
    assert asked(spec) == ["Maw"]
    spec.answer("Maw", "pass")
    assert at(spec, "Imp") == (6, 0)
    spec.rule("move", who="Imp", to=[7, 2])  # two squares away in both directions: a corner
    spec.act("Imp", "move", path=[[8, 2]], pay="standard")
    assert asked(spec) == []


@rule("DEF-HLD-05", "DEF-HLD-11", "DEF-SWL-04")
def test_a_reach_is_entered_whatever_befalls_one_there(spec: Spec) -> None:
    """If Maw swallows Orc during a step into Bo's reach, Bo's held action still triggers.

    Bo's attack is lost, because its target is swallowed, but Bo spends no immediate action.
    """
    fight(
        spec,
        fighter("Maw", size="huge", weapons=[BITE]),
        fighter("Bo", at=[6, 0], weapons=[SWORD]),
        foe("Orc", at=[4, 0], size="tiny"),
        foe("Gob", at=[9, 9]),
    )
    hold(spec, "Maw", "swallow-whole", {"event": "moves"}, target="Orc")
    end(spec, "Maw")
    hold(spec, "Bo", "attack", {"event": "enters-reach"}, target="Orc")
    end(spec, "Bo")
    spec.act("Orc", "move", path=[[5, 0], [5, 1]])
    spec.answer("Maw", "pass").answer("Maw", "resolve")
    spec.answer("Orc", "grapple", ("opposed-grapple", 20), ("opposed-grapple", 1))
    assert spec["Orc"].has("swallowed")
    spec.answer("Bo", "resolve")
    assert spec.event(Prevented).reason == "swallowed"  # Bo uses nothing
    assert shown(spec, "Bo")["immediates_used"] == 0
    assert turn_of(spec) == "Orc"


def test_a_changed_sheet_in_the_midst_of_an_attack(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    spec.act("Ana", "attack", target="Orc")
    spec.do(Change("Ana", sheet={"weapons": []}))
    spec.answer("Ana", "roll", ("damage", 3), faces=[15])
    assert spec.hp("Orc") == 17  # the blow was already struck


def test_who_leaves_in_its_own_turn_is_followed_by_the_next(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), fighter("Bo", at=[9, 9]))
    spec.leave("Ana")
    assert turn_of(spec) == "Orc"


def test_natural_faces_at_every_roll(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", hit_dice=9, base_attack_bonus=30, weapons=[SWORD]),
        foe("Orc", saves={"fortitude": 40}, armor_class={"armor": 20}),
    )
    spec.act("Ana", "attack", ("attack", 1), ("damage", 8), target="Orc")  # 31 ≥ 30
    spec.rule("damage", who="Orc", amount=10, source="Ana")
    spec.answer("Orc", "roll", faces=[1])  # 41 ≥ 19
    assert spec.hp("Orc") == 2


def test_everything_at_once_at_the_end_of_a_round(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", weapons=[SWORD], skills={"beguile": 30}),
        foe("Orc", modifiers=[{"target": "ac", "value": 2, "until": "round-end"}]),
        fighter("Bo", at=[9, 9]),
    )
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer("Orc", "level-check", ("skill-beguile", 20), ("level-check", 1))
    end(spec, "Ana")
    spec.act("Orc", "delay").act("Bo", "end-turn")
    spec.answer("Orc", "wait")
    assert spec.combat.round == 2
    assert not spec["Orc"].has("flat-footed", "modifier", "delaying")
    assert order_of(spec) == ["Ana", "Orc", "Bo"]


def test_undo_in_the_midst_of_a_round_s_end(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[5, 5]))
    spec.act("Ana", "delay")
    there = spec.combat
    spec.act("Orc", "end-turn")
    assert spec.prompt().name == "resume"
    spec.undo()
    assert spec.combat == there
    spec.redo()
    assert spec.prompt().name == "resume"


def test_a_mover_struck_down_stops_where_it_is(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", hp=8),
        foe("Orc", weapons=[SWORD]),
        foe("Gob", at=[-1, 1], weapons=[SWORD]),
        fighter("Bo", at=[9, 9]),
    )
    spec.act("Ana", "move", path=[[0, 1], [0, 2], [0, 3]])
    spec.answer("Orc", "pass").answer("Gob", "pass")
    assert at(spec, "Ana") == (0, 1)
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 8))
    assert at(spec, "Ana") == (0, 1)
    assert spec.event(Stopped).doing == "move"
    assert turn_of(spec) == "Orc"


@rule("DEF-INC-05", "DEF-DTH-05")
@pytest.mark.parametrize("by", ["a held spell", "the GM"])
def test_whoever_is_felled_in_its_own_turn_and_raised_at_once_has_lost_the_rest(
    spec: Spec, by: str
) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "1d8"}
    fight(
        spec, fighter("Bo", at=[9, 9], spells=[mend]), fighter("Ana", hp=5),
        foe("Orc", weapons=[SWORD]), rulings="ask",
    )  # fmt: skip
    hold(spec, "Bo", "cast-spell", {"event": "falls"}, spell="mend", targets=["Ana"])
    end(spec, "Bo")
    spec.act("Ana", "move", path=[[0, 1]])
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 5))
    if by == "the GM":
        spec.rule("heal", who="Ana", amount=5).answer(None, "wound")
    else:
        spec.answer(None, "wound").answer("Bo", "resolve", ("healing", 5))
    assert spec.hp("Ana") == 5
    assert not spec["Ana"].has("unconscious")
    assert turn_of(spec) == "Orc"


@rule("DEF-CNT-06", "DEF-AOO-06", "DEF-MAN-05")
@pytest.mark.parametrize("by", ["a held spell", "the GM"])
@pytest.mark.parametrize("action", ["cast-spell", "trip", "ranged-attack", "retrieve-item"])
def test_what_it_was_felled_in_is_lost_too(spec: Spec, action: str, by: str) -> None:
    """If an attack of opportunity fells Ana during her action, the action is lost.

    The action stays lost even if she is healed at once.
    """
    mend = {"id": "mend", "name": "Mend", "healing": "1d8"}
    fight(
        spec,
        fighter("Bo", at=[9, 9], spells=[mend]),
        fighter(
            "Ana", hp=5, spells=[BOLT], weapons=[BOW],
            items=[{"id": "rope", "name": "Rope", "stored": "bag"}],
        ),
        foe("Orc", weapons=[SWORD]),
        rulings="ask",
    )  # fmt: skip
    hold(spec, "Bo", "cast-spell", {"event": "falls"}, spell="mend", targets=["Ana"])
    end(spec, "Bo")
    inputs: dict[str, dict[str, Any]] = {
        "cast-spell": {"spell": "bolt", "targets": ["Orc"]},
        "retrieve-item": {"item": "rope"},
    }
    touch = [("touch", 15)] if action == "trip" else []
    spec.act("Ana", action, *touch, **inputs.get(action, {"target": "Orc"}))
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 5))
    if by == "the GM":
        spec.rule("heal", who="Ana", amount=5).answer(None, "wound")
    else:
        spec.answer(None, "wound").answer("Bo", "resolve", ("healing", 5))
    assert not spec["Ana"].has("unconscious")
    assert spec.event(Stopped).doing == action
    assert turn_of(spec) == "Orc"


@rule("DEF-GEN-02", "DEF-IMM-01")
@pytest.mark.parametrize("cost", ["standard", "swift", "free", "immediate"])
@pytest.mark.parametrize("asks", ["reaction", "wound"])
def test_only_an_immediate_spell_comes_into_the_midst_of_something(
    spec: Spec, cost: str, asks: str
) -> None:
    """While a prompt is open, Ana's spell or ability is legal only if it is immediate.

    Her move or a ruling has opened the prompt.
    """
    bolt = {**BOLT, "cost": cost}
    fight(
        spec, fighter("Ana", spells=[bolt], abilities_list=[bolt]), foe("Orc", weapons=[SWORD]),
        fighter("Bo", at=[9, 9]), rulings="ask",
    )  # fmt: skip
    if asks == "reaction":
        spec.act("Ana", "move", path=[[0, 1]])
    else:
        spec.rule("damage", who="Bo", amount=20, source="Orc")
    now = ("cast-spell", {"spell": "bolt"}), ("use-ability", {"ability": "bolt"})
    if cost != "immediate":
        for action, power in now:
            with spec.refused("DEF-GEN-02", "not-your-turn"):
                spec.act("Ana", action, targets=["Orc"], **power)
            assert action not in spec.legal("Ana")
        return
    spec.act("Ana", "cast-spell", ("damage", 3), spell="bolt", targets=["Orc"])
    assert spec.hp("Orc") == 17


@rule("DEF-AOO-01", "DEF-AOO-06")
def test_whoever_is_pushed_out_of_a_square_does_not_leave_the_next_one(spec: Spec) -> None:
    """If a held shove moves Ana during Orc's strike, her own step is prevented.

    She does not leave her new square, so Zed, who threatens it, gets no prompt.
    """
    fight(
        spec, foe("Gob", at=[0, -1]), fighter("Ana"), foe("Orc", weapons=[SWORD]),
        foe("Zed", at=[0, 2], weapons=[SWORD]), fighter("Bo", at=[9, 9]),
    )  # fmt: skip
    hold(spec, "Gob", "shove", {"event": "attacks", "who": "Orc"}, target="Ana", distance=5)
    end(spec, "Gob")
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "aoo")
    spec.answer("Gob", "resolve", ("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5),
                ("attack", 2))  # fmt: skip
    assert at(spec, "Ana") == (0, 1)
    assert asked(spec) == []
    assert spec.event(Prevented).reason == "moved"


# ---- reactions that end their trigger


def test_a_caster_grappled_by_a_held_action_has_lost_a_spell_with_gestures(spec: Spec) -> None:
    fight(spec, foe("Orc"), fighter("Ana", spells=[BOLT]), fighter("Bo", at=[9, 9]))
    hold(spec, "Orc", "grapple", {"event": "starts-to-cast"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "resolve", ("touch", 15))
    spec.answer("Ana", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert spec.event(Prevented).reason == "somatic-blocked"
    assert spec.event(Prevented).inputs == {}  # for every target
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec.hp("Orc") == 20
    assert spec["Ana"].budget["standard"] == 0
    assert CASTING.of(spec.combat) is None


def test_a_touch_spell_does_not_get_to_a_target_that_has_stepped_back(spec: Spec) -> None:
    grasp = {**BOLT, "attack": "melee-touch"}
    fight(spec, foe("Orc"), fighter("Ana", spells=[grasp]), fighter("Bo", at=[9, 9]))
    hold(spec, "Orc", "five-foot-step", {"event": "starts-to-cast"}, slot="move", to=[2, 0])
    end(spec, "Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "resolve")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert not spec.events(Rolled)
    assert turn_of(spec) == "Ana"


def test_of_two_targets_one_that_has_gone_is_spared(spec: Spec) -> None:
    """If one of two targets moves out of range, the spell still affects the other."""
    far = {**BOLT, "range_ft": 10}
    fight(
        spec,
        foe("Orc", at=[2, 0]),
        fighter("Ana", spells=[far]),
        foe("Gob", at=[0, 2]),
    )
    hold(spec, "Orc", "five-foot-step", {"event": "starts-to-cast"}, slot="move", to=[3, 0])
    end(spec, "Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc", "Gob"])
    spec.answer("Orc", "resolve", ("damage", 4))
    assert spec.event(Prevented).inputs == {"target": "Orc"}
    assert (spec.hp("Orc"), spec.hp("Gob")) == (20, 16)


def test_an_opportunity_in_the_own_turn_has_no_stance(spec: Spec) -> None:
    """An attack of opportunity in Ana's own turn does not use her stance (DEF-STN-03).

    While she attacks Gob, Orc's held move provokes the attack of opportunity.
    """
    fight(
        spec,
        foe("Orc", at=[1, 0], weapons=[SWORD]),
        fighter("Ana", weapons=[SWORD]),
        foe("Gob", at=[0, 1]),
    )
    hold(spec, "Orc", "move", {"event": "acts", "who": "Ana", "action": "attack"}, slot="move",
         path=[[2, 0]])  # fmt: skip
    end(spec, "Orc")
    spec.act("Ana", "attack", ("attack", 1), target="Gob", stance="reckless")
    spec.answer("Orc", "resolve")
    spec.answer("Ana", "aoo", ("attack", 15), ("damage", 5))
    assert spec.rolled("damage").total == 5  # without the 2 of the stance


# ---- absent combatants


def test_a_trigger_s_maker_removed_in_its_turn_leaves_its_place(spec: Spec) -> None:
    """If Orc triggers Ana's held action and leaves the fight, Ana takes Orc's place.

    The next turn in the order is Gob's.
    """
    fight(
        spec,
        foe("Orc", at=[3, 0]),
        foe("Gob"),
        fighter("Ana", weapons=[SWORD]),
        fighter("Bo", at=[9, 9]),
    )
    end(spec, "Orc", "Gob")
    hold(spec, "Ana", "attack", {"event": "moves", "who": "Orc"}, target="Gob")
    end(spec, "Ana", "Bo")
    spec.act("Orc", "move", path=[[4, 0]])
    spec.leave("Orc")
    assert asked(spec) == ["Ana"]
    spec.answer("Ana", "resolve", ("attack", 1))
    assert order_of(spec) == ["Ana", "Gob", "Bo"]
    assert turn_of(spec) == "Gob"
    end(spec, "Gob")
    assert turn_of(spec) == "Bo"


def test_who_has_just_finished_is_dead_when_a_delayed_turn_comes(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana"),
        foe("Orc", at=[5, 5]),
        foe("Gob", at=[7, 7]),
        fighter("Bo", at=[9, 9]),
    )
    spec.act("Ana", "delay").act("Orc", "end-turn")
    spec.answer("Ana", "wait")
    spec.rule("set-condition", who="Gob", condition="dead")
    spec.answer("Ana", "act-now")
    assert order_of(spec) == ["Orc", "Ana", "Bo"]
    end(spec, "Ana")
    assert turn_of(spec) == "Bo"


def test_a_sheet_set_to_0_hit_points_counts_the_points_that_were_lost(spec: Spec) -> None:
    """If a changed sheet sets 0 HP, the DC is 10 + the lost HP, here 9 (DEF-DBR-03)."""
    fight(spec, fighter("Ana", hp=9), foe("Orc"), death_roll="brutality")
    spec.do(Change("Ana", sheet={"hp": 0}))
    assert shown(spec, "Ana")["death"] == {"fails": 0, "dc": 19}


# ---- triggers


def falls_of_orc(spec: Spec) -> Spec:
    fight(spec, fighter("Ana"), foe("Orc", hp=1, at=[5, 5]), foe("Gob", at=[9, 9]))
    hold(spec, "Ana", "drop-prone", {"event": "falls", "who": "Orc"}, slot="move")
    return spec


def test_the_third_failure_is_a_fall(spec: Spec) -> None:
    falls_of_orc(spec)
    spec.rule("damage", who="Orc", amount=5)
    assert asked(spec) == ["Ana"]
    spec.answer("Ana", "keep")
    spec.rule("damage", who="Orc", amount=5)
    spec.rule("set-fact", combatant="Orc", key="death_fails", value=2)
    end(spec, "Ana")
    assert spec.open() == [("roll", "death-save", "Orc")]
    spec.answer("Orc", "roll", faces=[1])
    assert spec["Orc"].has("dead")
    assert asked(spec) == ["Ana"]


def test_non_lethal_points_by_the_gms_hand_are_damage(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", at=[5, 5]), fighter("Bo", at=[9, 9]))
    hold(spec, "Ana", "drop-prone", {"event": "is-damaged", "who": "Orc"}, slot="move")
    end(spec, "Ana")
    spec.rule("set-track", who="Orc", track="nld", value=3)
    assert asked(spec) == ["Ana"]


def test_a_counterspell_is_something_to_wait_for(spec: Spec) -> None:
    fight(
        spec,
        fighter("Bo", at=[9, 9]),
        foe("Orc", spells=[BOLT]),
        fighter("Ana", at=[0, 0], abilities_list=[
            {"id": "undo", "name": "Undo",
             "counterspell": {"check": "level-check", "dc": 10}},
        ]),
    )  # fmt: skip
    hold(
        spec,
        "Bo",
        "drop-prone",
        {"event": "acts", "who": "Ana", "action": "counterspell"},
        slot="move",
    )
    end(spec, "Bo")
    spec.act("Orc", "cast-spell", spell="bolt", targets=["Ana"])
    spec.answer("Ana", "counterspell", ("level-check", 15), ability="undo")
    assert asked(spec) == ["Bo"]


def test_cutting_out_and_trampling_are_attacks_to_wait_for(spec: Spec) -> None:
    fight(
        spec,
        fighter("Bo", at=[9, 9]),
        foe("Ox", at=[0, 0], weapons=[FIST]),
        fighter("Ana", at=[2, 0]),
    )
    hold(spec, "Bo", "drop-prone", {"event": "attacks", "target": "Ana"}, slot="move")
    end(spec, "Bo")
    spec.act("Ox", "trample", path=[[1, 0], [2, 0], [3, 0]])
    assert asked(spec) == ["Bo"]  # before the touch attack
    assert not spec.events(Rolled)


def test_cutting_oneself_out_is_an_attack_on_the_swallower(spec: Spec) -> None:
    fight(
        spec,
        fighter("Bo", at=[9, 9]),
        fighter("Tim", size="small", weapons=[SWORD]),
        foe("Maw", size="huge", at=[1, 0], weapons=[BITE], max_hp=60),
    )
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    hold(spec, "Bo", "drop-prone", {"event": "attacks", "target": "Maw"}, slot="move")
    end(spec, "Bo")
    spec.act("Tim", "cut-out")
    assert asked(spec) == ["Bo"]


def test_who_dies_between_hit_and_damage_takes_none(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"), foe("Gob", at=[9, 9]))
    spec.act("Ana", "attack", ("attack", 15), target="Orc")
    spec.rule("set-condition", who="Orc", condition="dead")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec.hp("Orc") == 20


def test_the_dead_take_no_damage_and_no_healing(spec: Spec) -> None:
    """If the GM declares Orc dead after a spell's damage, the spell's healing has no effect.

    Later damage to Orc changes nothing.
    """
    both = {**BOLT, "damage": "1", "healing": "1"}
    fight(
        spec,
        fighter("Ana", spells=[both]),
        foe("Orc", hp=0),
        foe("Gob", at=[9, 9]),
        rulings="ask",
    )
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer(None, "dead", name="hit-while-down")
    assert spec.event(Noted).rules == ("DEF-HP-04",)
    assert not spec.events(Healed)
    told = spec.changes_nothing("damage", who="Orc", amount=3)
    assert told.endswith("Orc is out of the fight: no damage")


@pytest.mark.parametrize(("action", "reach"), [("trip", False), ("trip", True), ("shove", True)])
def test_who_was_shoved_away_is_not_tripped_any_more(spec: Spec, action: str, reach: bool) -> None:
    """If a held shove pushes Orc out of Ana's reach, her trip or shove is prevented.

    Bo holds the shove until Orc strikes at Ana. If Ana has a spear, it still reaches Orc, so her
    trip goes on.
    """
    fight(
        spec,
        fighter("Bo", at=[0, 1]),
        fighter("Ana", weapons=[SPEAR] if reach else []),
        foe("Orc", weapons=[SWORD]),
    )
    hold(spec, "Bo", "shove", {"event": "attacks", "who": "Orc"}, target="Orc", distance=5)
    end(spec, "Bo")
    spec.act("Ana", action, ("touch", 15), target="Orc")
    spec.answer("Orc", "aoo")
    shove = (("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5))
    if action == "trip" and reach:
        spec.answer("Bo", "resolve", *shove, ("opposed-strength", 10), ("opposed-strength", 5))
        assert spec.rolled("opposed-strength", "Ana").total == 10  # no −4, because Orc has not hit
    else:
        spec.answer("Bo", "resolve", *shove)
        assert spec.event(Prevented).reason == "out-of-reach"
    assert at(spec, "Orc") == (2, -1)


# ---- rulings


def test_points_stay_between_0_and_their_most(spec: Spec) -> None:
    fight(spec, fighter("Ana", hp=5), foe("Orc"))
    spec.rule("set-track", who="Ana", track="hp", value=50)
    assert spec.hp("Ana") == 20
    spec.rule("set-track", who="Ana", track="nld", value=2)
    spec.rule("set-track", who="Ana", track="nld", value=-3)
    assert spec.hp("Ana", "nld") == 0


def test_what_a_changed_sheet_changes_at_once(spec: Spec) -> None:
    rags = {"name": "rags", "trained": False, "check_penalty": 2}
    fight(spec, fighter("Ana", weapons=[SWORD, BOW], armor=rags), foe("Orc"), foe("Gob"))
    assert spec["Ana"].has("untrained-armor")
    spec.act("Ana", "draw-weapon", weapon="bow", swap=True)
    timed = {"target": "ac", "value": 2, "until": "round-end"}
    spec.do(Change("Ana", sheet={"nld": 4, "armor": None, "wielded": {"primary": "sword"},
                                 "modifiers": [timed]}))  # fmt: skip
    assert spec.hp("Ana", "nld") == 4
    assert not spec["Ana"].has("untrained-armor")
    assert shown(spec, "Ana")["slots"]["primary"] == "sword"
    assert shown(spec, "Ana")["ac"] == 12
    more = {"target": "ac", "value": 1, "type": "luck"}
    spec.do(Change("Ana", sheet={"modifiers": [timed, more]}))
    assert shown(spec, "Ana")["ac"] == 13  # the earlier modifier has not begun again
    assert len(spec["Ana"].all("modifier")) == 1


def test_a_held_action_ends_with_its_condition(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")
    end(spec, "Ana")
    spec.rule("end-condition", who="Ana", condition="holding")
    assert shown(spec, "Ana")["held"] is None


def test_a_second_holder_felled_by_the_first_is_not_asked(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", weapons=[SWORD]),
        foe("Orc", hp=1),
        foe("Gob", at=[9, 9]),
    )
    hold(spec, "Ana", "attack", {"event": "speaks", "who": "Gob"}, target="Orc")
    end(spec, "Ana")
    hold(spec, "Orc", "drop-prone", {"event": "speaks", "who": "Gob"}, slot="move")
    end(spec, "Orc")
    spec.act("Gob", "speak", text="now")
    spec.answer("Ana", "resolve", ("attack", 15), ("damage", 5))
    assert asked(spec) == []
    assert spec["Orc"].has("bleeding-out")


@pytest.mark.parametrize(("face", "held"), [(15, False), (1, True)])
def test_an_escape_is_something_to_wait_for(spec: Spec, face: int, held: bool) -> None:
    """An attempt to escape triggers a held action, even if it fails. A pass does not."""
    fight(spec, fighter("Ana"), foe("Orc"), fighter("Bo", at=[9, 9]))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    trigger = {"event": "acts", "who": "Orc", "action": "grapple-escape"}
    end(spec, "Ana")
    spec.answer("Orc", "no")
    end(spec, "Orc")
    hold(spec, "Bo", "drop-prone", {**trigger, "who": None}, slot="move")
    end(spec, "Bo")
    assert asked(spec) == []  # Ana's turn has begun, and nobody holds her
    end(spec, "Ana")
    spec.answer("Orc", "no")
    assert asked(spec) == []
    end(spec, "Orc")
    hold(spec, "Bo", "drop-prone", trigger, slot="move")
    end(spec, "Bo", "Ana")
    spec.answer("Orc", "grapple", ("opposed-grapple", face), ("opposed-grapple", 5))
    assert spec["Orc"].has("grappled") is held
    assert asked(spec) == ["Bo"]


# ---- changes between the rolls of a blow


@rule("DEF-DMG-01")
def test_a_weapon_that_is_put_right_in_mid_attack(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", max_hp=60))
    spec.act("Ana", "attack", target="Orc")
    better = {**SWORD, "damage": "2d6", "damage_bonus": 3}
    spec.do(Change("Ana", sheet={"weapons": [better]}), ("attack", 15), ("damage", 1, 2))
    assert spec.hp("Orc") == 54


@rule("DEF-SHB-03")
def test_a_shield_that_is_put_right_in_mid_attack(spec: Spec) -> None:
    fight(spec, fighter("Ana", shield=SHIELD), foe("Orc", max_hp=60))
    spec.act("Ana", "shield-bash", target="Orc")
    tower = {**SHIELD, "kind": "tower"}
    spec.do(Change("Ana", sheet={"shield": tower}), ("attack", 15), ("damage", 10))
    assert spec.rolled("damage").formula == "1d10"
    assert spec.hp("Orc") == 50


@rule("DEF-DMG-01")
@pytest.mark.parametrize("dice", [(("attack", 15),), (("attack", 20), ("confirm", 15))])
@pytest.mark.parametrize("how", ["moved", "left", "dead"])
def test_no_damage_is_rolled_once_the_target_is_away(
    spec: Spec, how: str, dice: tuple[tuple[str, int], ...]
) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"), foe("Gob", at=[9, 9]))
    spec.act("Ana", "attack", *dice, target="Orc")
    assert spec.prompt().name == "damage"
    if how == "moved":
        spec.rule("move", who="Orc", to=[5, 5])
    elif how == "left":
        spec.leave("Orc")
    else:
        spec.rule("set-condition", who="Orc", condition="dead")
    assert (spec.prompt().name, spec.prompt().who) == ("turn", "Ana")
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing, stopped.rules) == ("Ana", "damage", ("DEF-DMG-01",))
    assert left(spec, "Ana")["standard"] == 0


# ---- felled by the last reaction, before any roll

CLUB = {**SWORD, "non_lethal": True}
RING = {"id": "ring", "name": "Ring", "activation": "motion", "effect": {"damage": "1"}}


@pytest.mark.parametrize("damage", ["1", "1d6"])
@pytest.mark.parametrize("action", ["cast-spell", "use-ability", "activate-item"])
def test_felled_by_an_opportunity_it_has_no_effect(spec: Spec, action: str, damage: str) -> None:
    bolt = {**BOLT, "damage": damage, "provokes": True}
    ring = {**RING, "effect": {"damage": damage}}
    fight(
        spec, fighter("Ana", hp=3, spells=[bolt], abilities_list=[bolt], items=[ring]),
        foe("Orc", weapons=[CLUB]), fighter("Bo", at=[9, 9]),
    )  # fmt: skip
    what = {"cast-spell": "spell", "use-ability": "ability", "activate-item": "item"}[action]
    named = "ring" if what == "item" else "bolt"
    spec.act("Ana", action, targets=["Orc"], **{what: named})
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 3))
    assert spec["Ana"].has("unconscious")
    assert (spec.event(Stopped).who, spec.event(Stopped).doing) == ("Ana", action)
    assert spec.open() == [("turn", "turn", "Orc")]
    assert spec.hp("Orc") == 20


@pytest.mark.parametrize("event", ["starts-to-cast", "acts"])
def test_felled_by_a_held_action_the_spell_is_lost_only_before_it(spec: Spec, event: str) -> None:
    fight(
        spec, foe("Orc", weapons=[CLUB]), fighter("Ana", hp=3, spells=[{**BOLT, "damage": "1"}]),
        fighter("Bo", at=[9, 9]),
    )  # fmt: skip
    hold(spec, "Orc", "attack", {"event": event, "action": "cast-spell"}, target="Ana")
    end(spec, "Orc")
    spec.rule("move", who="Ana", to=[5, 5])
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.rule("move", who="Ana", to=[0, 0])
    spec.answer("Orc", "resolve", ("attack", 15), ("damage", 3))
    assert spec["Ana"].has("unconscious")
    assert spec.hp("Orc") == (20 if event == "starts-to-cast" else 19)
