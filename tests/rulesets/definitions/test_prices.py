"""Test when a combatant pays for an action that a prompt or a reaction interrupts."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import Prevented, Rolled
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    DAGGER,
    SHIELD,
    SWORD,
    at,
    decide,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
    turn_of,
    weapon,
)
from tests.spec import Spec, rule

BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}
GRASP = {"id": "grasp", "name": "Grasp", "attack": "melee-touch", "damage": "1d8"}


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


# ---- without squares, reach is a check before the cost


@rule("DEF-RCH-08")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("attack", {"target": "Orc"}),
        ("shield-bash", {"target": "Orc"}),
        ("disarm", {"target": "Orc"}),
        ("trip", {"target": "Orc"}),
        ("shatter", {"target": "Orc"}),
        ("grapple", {"target": "Orc"}),
        ("shove", {"target": "Orc"}),
        ("feigned-strike", {"target": "Orc"}),
        ("kill-shot", {"target": "Orc"}),
        ("swallow-whole", {"target": "Orc"}),
        ("cast-spell", {"spell": "grasp", "targets": ["Orc"]}),
        ("use-ability", {"ability": "maul", "targets": ["Orc"]}),
        ("melee-touch", {"source": "chill", "target": "Orc"}),
    ],
)
def test_out_of_reach_by_the_gms_word_costs_nothing(
    spec: Spec, action: str, inputs: dict[str, Any]
) -> None:
    maul = {"id": "maul", "name": "Maul", "attack": "melee", "damage": "1d6"}
    chill = {**GRASP, "id": "chill", "cost": "attack_action"}
    fight(
        spec,
        fighter(
            "Ana", at=None, weapons=[{**SWORD, "disarming": True}], shield=SHIELD,
            feats={"swallow_bigger": True}, spells=[GRASP, chill], abilities_list=[maul],
        ),
        foe("Orc", weapons=[SWORD]),
        foe("Gob", at=[9, 9]),
        rulings="ask",
    )  # fmt: skip
    if action == "kill-shot":
        spec.rule("set-condition", who="Orc", condition="helpless")
    spec.act("Ana", action, **inputs)
    assert spec.prompt().name == "reach"
    assert left(spec, "Ana")["standard"] == 1
    spec.answer(None, "no")
    prevented = spec.event(Prevented)
    assert (prevented.action, prevented.reason) == (action, "out-of-reach")
    assert prevented.rules == ("DEF-RCH-08",)
    assert (left(spec, "Ana")["standard"], left(spec, "Ana")["attack_actions_left"]) == (1, 1)
    assert not spec["Ana"].has("shattering")
    assert not spec.events(Rolled)
    assert spec.prompt().name == "turn"


@rule("DEF-RCH-08")
def test_what_has_changed_while_the_gm_thought_is_asked_again(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None, weapons=[SWORD]), foe("Orc"), rulings="ask")
    spec.act("Ana", "attack", target="Orc")
    spec.rule("move", who="Ana", to=[5, 5])
    spec.answer(None, "yes")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert left(spec, "Ana")["standard"] == 1


@rule("DEF-HLD-11", "DEF-RCH-08")
def test_a_held_blow_out_of_reach_by_the_gms_word_is_no_immediate_action(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", at=None, weapons=[SWORD]), foe("Orc"), foe("Gob", at=[9, 9]),
        rulings="ask",
    )  # fmt: skip
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")
    end(spec, "Ana")
    spec.act("Orc", "speak", text="ho")
    spec.answer("Ana", "resolve")
    spec.answer(None, "no", name="reach")
    assert not spec["Ana"].has("holding")
    assert shown(spec, "Ana")["immediates_used"] == 0


@rule("DEF-HLD-11", "DEF-SPC-03")
@pytest.mark.parametrize("answer", ["allow", "deny"])
def test_a_held_move_asks_the_ally_in_its_way(spec: Spec, answer: str) -> None:
    fight(spec, fighter("Ana"), fighter("Bo", at=[1, 0]), foe("Orc", at=[9, 9]))
    hold(spec, "Ana", "move", {"event": "speaks"}, slot="move", path=[[1, 0], [2, 0]])
    end(spec, "Ana", "Bo")
    spec.act("Orc", "speak", text="ho")
    spec.answer("Ana", "resolve")
    assert spec.open() == [("choice", "allow-passage", "Bo")]
    spec.answer("Bo", answer)
    assert at(spec, "Ana") == ((2, 0) if answer == "allow" else (0, 0))
    assert shown(spec, "Ana")["immediates_used"] == (1 if answer == "allow" else 0)


# ---- no strikes at a disabled combatant


@rule("DEF-HLD-06")
def test_a_caster_who_is_held_before_its_gesture_draws_no_reaction(spec: Spec) -> None:
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}
    fight(
        spec,
        foe("Orc"),
        fighter("Ana", spells=[BOLT]),
        foe("Gob", at=[0, 1], weapons=[SWORD], abilities_list=[undo]),
        fighter("Bo", at=[9, 9]),
    )
    hold(spec, "Orc", "grapple", {"event": "starts-to-cast"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Gob"])
    spec.answer("Orc", "resolve", ("touch", 15))
    spec.answer("Ana", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    assert spec.event(Prevented).reason == "somatic-blocked"
    assert asked(spec) == []
    assert turn_of(spec) == "Ana"


@rule("DEF-HLD-06")
def test_an_archer_who_is_disarmed_draws_no_opportunity(spec: Spec) -> None:
    fight(
        spec,
        foe("Orc"),
        fighter("Ana", weapons=[BOW]),
        foe("Gob", at=[0, 1], weapons=[SWORD]),
    )
    hold(spec, "Orc", "disarm", {"event": "attacks"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "ranged-attack", target="Gob")
    spec.answer(
        "Orc", "resolve", ("touch", 15), ("opposed-dexterity", 15), ("opposed-dexterity", 5)
    )
    assert spec.event(Prevented).reason == "weapon-not-ready"
    assert asked(spec) == []


@rule("DEF-AOO-07", "DEF-HLD-06")
@pytest.mark.parametrize("held", ["disarm", "grapple"])
def test_an_opportunity_is_lost_with_what_it_was_struck_with(spec: Spec, held: str) -> None:
    fight(
        spec,
        fighter("Bo", at=[2, 1], size_modifiers={"maneuver": 5}),
        fighter("Ana"),
        foe("Orc", weapons=[SWORD]),
    )
    hold(spec, "Bo", held, {"event": "attacks", "who": "Orc"}, target="Orc")
    end(spec, "Bo")
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "aoo")
    if held == "disarm":
        spec.answer(
            "Bo", "resolve", ("touch", 15), ("opposed-dexterity", 10), ("opposed-dexterity", 5)
        )
    else:
        spec.answer("Bo", "resolve", ("touch", 15))
        spec.answer("Orc", "grapple", ("opposed-grapple", 10), ("opposed-grapple", 5))
    assert not spec.events(Rolled, purpose="attack")
    assert at(spec, "Ana") == (-1, 0)
    assert shown(spec, "Orc")["immediates_used"] == 1  # the opportunity is used up


@rule("DEF-CHG-04")
def test_a_friend_who_steps_into_the_lane_stops_a_charge(spec: Spec) -> None:
    fight(
        spec,
        fighter("Bo", at=[3, 1]),
        fighter("Ana", weapons=[SWORD]),
        foe("Orc", at=[6, 0]),
    )
    trigger = {"event": "moves", "who": "Ana"}
    hold(spec, "Bo", "five-foot-step", trigger, slot="move", to=[3, 0])
    end(spec, "Bo")
    spec.act("Ana", "charge", target="Orc", to=[5, 0])
    spec.answer("Bo", "resolve")
    assert spec.event(Prevented).reason == "charge-blocked"
    assert at(spec, "Ana") == (2, 0)


# ---- the causes of falls


@rule("DEF-HLD-05")
@pytest.mark.parametrize("by_ruling", [False, True])
def test_whom_a_spell_puts_to_sleep_has_fallen(spec: Spec, by_ruling: bool) -> None:
    sleep: dict[str, Any] = {"id": "sleep", "name": "Sleep"}
    if not by_ruling:
        sleep["conditions"] = [{"id": "unconscious", "until": "round-end"}]
    fight(
        spec, fighter("Bo", at=[9, 9]), fighter("Ana", spells=[sleep]), foe("Orc", at=[5, 5]),
        foe("Gob", at=[7, 7]), rulings="ask",
    )  # fmt: skip
    hold(spec, "Bo", "drop-prone", {"event": "falls", "who": "Orc"}, slot="move")
    end(spec, "Bo")
    spec.act("Ana", "cast-spell", spell="sleep", targets=["Orc"])
    if by_ruling:
        decide(spec, "conditions", {"combatant": "Orc", "condition": "unconscious"})
    assert spec["Orc"].has("unconscious", "prone")
    assert asked(spec) == ["Bo"]


@rule("DEF-HLD-05")
def test_whoever_has_no_hit_points_loses_none(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc", hp=0), foe("Gob", at=[7, 7]))
    hold(spec, "Bo", "drop-prone", {"event": "is-damaged", "who": "Orc"}, slot="move")
    spec.rule("damage", who="Orc", amount=3)
    assert asked(spec) == []
    spec.rule("damage", who="Orc", amount=3, track="nld")
    assert asked(spec) == ["Bo"]


@rule("DEF-HLD-05", "DEF-TRN-04")
def test_the_turn_of_the_dying_begins_too(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc", hp=0), foe("Gob", at=[7, 7]))
    hold(spec, "Bo", "drop-prone", {"event": "turn-starts", "who": "Orc"}, slot="move")
    end(spec, "Bo")
    assert spec.open() == [("roll", "death-save", "Orc")]
    assert left(spec, "Orc")["standard"] == left(spec, "Orc")["move"] == 0
    spec.answer("Orc", "roll", faces=[90])
    assert asked(spec) == ["Bo"]


@rule("DEF-HLD-05")
@pytest.mark.parametrize("action", ["end-turn", "delay"])
def test_the_end_of_a_turn_and_a_delay_are_acts(spec: Spec, action: str) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc"))
    hold(spec, "Bo", "drop-prone", {"event": "acts", "action": action}, slot="move")
    end(spec, "Bo")
    spec.act("Orc", action)
    assert asked(spec) == ["Bo"]


@rule("DEF-HLD-05", "DEF-DLY-04")
def test_to_resume_a_delayed_turn_is_an_act(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc"), fighter("Ana", at=[5, 5]))
    hold(spec, "Bo", "drop-prone", {"event": "acts", "action": "resume-from-delay"}, slot="move")
    end(spec, "Bo")
    spec.act("Orc", "delay")
    end(spec, "Ana")
    spec.answer("Orc", "act-now")
    assert asked(spec) == ["Bo"]
    spec.answer("Bo", "resolve")
    assert (spec["Bo"].has("prone"), spec.prompt().who) == (True, "Orc")


@rule("DEF-HLD-05", "DEF-AOO-05")
def test_an_opportunity_is_an_act(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc", weapons=[SWORD]), fighter("Ana"))
    hold(spec, "Bo", "drop-prone", {"event": "acts", "action": "aoo"}, slot="move")
    end(spec, "Bo", "Orc")
    spec.act("Ana", "move", path=[[-1, 0]])
    spec.answer("Orc", "aoo", ("attack", 1))
    assert asked(spec) == ["Bo"]
    spec.answer("Bo", "resolve")
    assert (spec["Bo"].has("prone"), at(spec, "Ana")) == (True, (-1, 0))


@rule("DEF-MAS-03", "DEF-MAS-07")
@pytest.mark.parametrize("drunk", [False, True])
def test_massive_damage_by_the_own_spell_has_an_attacker(spec: Spec, drunk: bool) -> None:
    """If Ana's own spell deals massive damage to her, the DC is 10 + her 3 hit dice.

    A potion has no hit dice, so the GM sets the DC.
    """
    poison = {"id": "poison", "name": "poison", "kind": "potion", "effect": {"damage": "12"}}
    fight(
        spec, fighter("Ana", hit_dice=3, spells=[{**BOLT, "damage": "12"}], items=[poison]),
        foe("Orc", at=[9, 9]), rulings="ask",
    )  # fmt: skip
    if drunk:
        spec.act("Ana", "drink-potion", item="poison")
        assert spec.prompt().name == "massive-damage-dc"
    else:
        spec.act("Ana", "cast-spell", ("save-fortitude", 13), spell="bolt", targets=["Ana"])
        assert spec.rolled("save-fortitude").target == 13
        assert spec.hp("Ana") == 8


# ---- conditions with more than one cause


@rule("DEF-FEI-03", "DEF-GEN-07")
@pytest.mark.parametrize("how", ["feint", "spell"])
def test_what_the_gm_has_set_outlasts_what_ends(spec: Spec, how: str) -> None:
    dazzle = {"id": "dazzle", "name": "Dazzle", "conditions": [
        {"id": "flat-footed", "until": "round-end"},
    ]}  # fmt: skip
    fight(
        spec, fighter("Ana", weapons=[SWORD], spells=[dazzle], skills={"beguile": 30}), foe("Orc")
    )
    spec.rule("set-condition", who="Orc", condition="flat-footed")
    if how == "feint":
        spec.act("Ana", "feigned-strike", target="Orc")
        spec.answer("Orc", "level-check", ("skill-beguile", 20), ("level-check", 1))
    else:
        spec.act("Ana", "cast-spell", spell="dazzle", targets=["Orc"])
    assert len(spec["Orc"].all("flat-footed")) == 2
    end(spec, "Ana", "Orc")
    assert spec.combat.round == 2
    assert len(spec["Orc"].all("flat-footed")) == 1


@rule("DEF-FEI-03")
def test_a_second_feint_is_the_same_condition(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], skills={"beguile": 30}), foe("Orc"))
    for _ in range(2):
        spec.rule("set-budget", who="Ana", budget={"standard": 1})
        spec.act("Ana", "feigned-strike", target="Orc")
        spec.answer("Orc", "level-check", ("skill-beguile", 20), ("level-check", 1))
    assert len(spec["Orc"].all("flat-footed")) == 1


@rule("DEF-GRP-05")
@pytest.mark.parametrize("later", [False, True])
def test_a_sheet_may_name_somebody_who_joins_after_it(spec: Spec, later: bool) -> None:
    held = fighter("Ana", conditions=[{"id": "grappled", "source": "Big Orc"}])
    holder = foe("Big Orc")
    spec.given(*((held, holder) if later else (holder, held)), death_roll="all-equal")
    assert spec["Big-Orc"].has("grappling")
    assert shown(spec, "Ana")["grapple"]["aggressor"] == "Big-Orc"


@pytest.mark.parametrize("by", ["Big-Orc", "Big Orc"])
def test_a_sheet_may_name_somebody_by_id_or_by_name(spec: Spec, by: str) -> None:
    held = fighter("Ana", conditions=[{"id": "prone", "source": by}])
    spec.given(foe("Big Orc"), held, death_roll="all-equal")
    assert [condition.source for condition in spec["Ana"].all("prone")] == ["Big-Orc"]


@rule("DEF-TRN-02")
def test_a_modifier_may_end_with_the_turn_of_somebody_who_joins_after_it(spec: Spec) -> None:
    lasting = {"target": "ac", "value": 2, "until": "turn-start:Big Orc"}
    spec.given(fighter("Ana", modifiers=[lasting]), foe("Big Orc"), death_roll="all-equal").begin(
        ("initiative", 20), ("initiative", 10)
    )
    assert shown(spec, "Ana")["ac"] == 12
    end(spec, "Ana")
    assert shown(spec, "Ana")["ac"] == 10


# ---- omitted data


@rule("DEF-CST-03", "DEF-CST-05")
@pytest.mark.parametrize(("face", "name"), [(10, "turn"), (9, "spell-effect")])
def test_a_save_against_what_the_gm_decides(spec: Spec, face: int, name: str) -> None:
    charm = {"id": "charm", "name": "Charm", "save": {"kind": "will", "dc": 10}}
    fight(spec, fighter("Ana", spells=[charm]), foe("Orc", at=[5, 5]), rulings="ask")
    spec.act("Ana", "cast-spell", ("save-will", face), spell="charm", targets=["Orc"])
    assert spec.prompt().name == name
    if name == "spell-effect":
        assert spec.prompt().data["targets"] == ["Orc"]


@rule("DEF-CST-01", "DEF-CST-05")
def test_a_spell_at_a_point_is_the_gms(spec: Spec) -> None:
    fight(spec, fighter("Ana", spells=[BOLT]), foe("Orc", at=[5, 5]), rulings="ask")
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", "cast-spell", spell="bolt")
    spec.act("Ana", "cast-spell", spell="bolt", point=[4, 4])
    assert spec.prompt().name == "spell-effect"


@rule("DEF-FRE-04", "DEF-STD-05")
def test_what_only_helps_is_for_its_user(spec: Spec) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "3"}
    ring = {"id": "ring", "name": "ring", "activation": "command", "effect": {
        "modifiers": [{"target": "ac", "value": 1}],
    }}  # fmt: skip
    oil = {"id": "oil", "name": "oil", "kind": "oil", "effect": {"healing": "2"}}
    fight(
        spec,
        fighter("Ana", hp=5, spells=[mend], abilities_list=[mend], items=[ring, oil]),
        foe("Orc", at=[9, 9]),
    )
    spec.act("Ana", "command-item", item="ring")
    assert shown(spec, "Ana")["ac"] == 11
    for action, inputs in (
        ("cast-spell", {"spell": "mend"}),
        ("use-ability", {"ability": "mend"}),
        ("use-item", {"item": "oil"}),
    ):
        spec.rule("set-budget", who="Ana", budget={"standard": 1})
        spec.act("Ana", action, **inputs)
    assert spec.hp("Ana") == 13


# ---- items


@rule("DEF-SHT-04")
def test_broken_armor_protects_no_more(spec: Spec) -> None:
    mail = {"name": "mail", "item_hp": 3, "hardness": 0}
    fight(
        spec, fighter("Ana", weapons=[SWORD]), foe("Orc", armor=mail, armor_class={"armor": 5}),
    )  # fmt: skip
    assert shown(spec, "Orc")["ac"] == 15
    spec.act(
        "Ana", "shatter", ("opposed-attack", 15), ("opposed-attack", 5), ("damage", 3),
        target="Orc", item="armor",
    )  # fmt: skip
    assert shown(spec, "Orc")["ac"] == 10


@rule("DEF-SHT-03")
def test_a_bow_is_defended_with_dexterity(spec: Spec) -> None:
    bow = {**BOW, "attack_bonus": 1}
    fight(
        spec, fighter("Ana", weapons=[SWORD]),
        foe("Orc", weapons=[bow], abilities={"strength": 18, "dexterity": 12}),
    )  # fmt: skip
    spec.act("Ana", "shatter", ("opposed-attack", 5), ("opposed-attack", 10), target="Orc")
    assert spec.rolled("opposed-attack", "Orc").total == 12  # 10 + 1 + 1


@rule("DEF-DIS-01", "DEF-SHT-04")
def test_a_broken_weapon_disarms_nobody(spec: Spec) -> None:
    whip = {**SWORD, "disarming": True}
    fight(spec, fighter("Ana", weapons=[whip], shield=SHIELD), foe("Orc", weapons=[SWORD]))
    spec.rule("set-fact", combatant="Ana", key="wear", value={"sword": 0})
    with spec.refused("DEF-DIS-01", "no-free-hand"):
        spec.act("Ana", "disarm", target="Orc")


@rule("DEF-SWL-05")
@pytest.mark.parametrize(("kind", "counts"), [("slashing", 5), ("blunt", 0)])
def test_only_what_is_cut_counts_from_inside(spec: Spec, kind: str, counts: int) -> None:
    blade = weapon("blade", "1d8", damage_type=kind)
    fight(
        spec,
        foe("Maw", size="huge", at=[0, 0], weapons=[BITE], max_hp=64),
        fighter("Tim", size="small", at=[3, 0], weapons=[blade], spells=[BOLT]),
    )
    spec.act("Maw", "swallow-whole", target="Tim")
    spec.answer("Tim", "grapple", ("opposed-grapple", 15), ("opposed-grapple", 5))
    end(spec, "Maw")
    spec.act("Tim", "attack", ("attack", 15), ("damage", 5), target="Maw")
    assert shown(spec, "Tim")["swallowed_by"]["damage_dealt"] == counts
    spec.rule("set-budget", who="Tim", budget={"standard": 1})
    spec.act("Tim", "cast-spell", ("damage", 4), spell="bolt", targets=["Maw"])
    assert spec.hp("Maw") == 55
    assert shown(spec, "Tim")["swallowed_by"]["damage_dealt"] == counts


# ---- pinned, charging


@rule("DEF-GPN-01", "DEF-FRE-03")
def test_the_pinned_may_still_do_what_is_free(spec: Spec) -> None:
    gem = {"id": "gem", "name": "gem", "stored": "easy"}
    rope = {"id": "rope", "name": "rope"}
    fight(spec, fighter("Ana", items=[gem, rope]), foe("Orc"))
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    spec.rule("set-condition", who="Ana", condition="pinned")
    spec.act("Ana", "retrieve-item", item="gem")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Ana", "retrieve-item", item="rope")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Ana", "drop-prone")


@rule("DEF-CHG-09", "DEF-FUL-02")
@pytest.mark.parametrize("pay", ["move", "standard"])
def test_a_charge_leaves_nothing_else_to_pay_with(spec: Spec, pay: str) -> None:
    potion = {"id": "potion", "name": "potion", "kind": "potion"}
    fight(
        spec, fighter("Ana", weapons=[SWORD, DAGGER], items=[potion], potion_belt=True),
        foe("Orc", at=[6, 0]),
    )  # fmt: skip
    spec.act("Ana", "charge", target="Orc", to=[5, 0])
    with spec.refused("DEF-FUL-02", "full-round-taken"):
        spec.act("Ana", "drink-potion", item="potion", pay=pay)
    with spec.refused("DEF-FUL-02", "full-round-taken"):
        spec.act("Ana", "draw-weapon", weapon="dagger", swap=True, pay=pay)
    spec.act("Ana", "drink-potion", item="potion", pay="swift")


@rule("DEF-SWI-02")
def test_a_free_action_is_not_swift(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    with spec.refused("DEF-SWI-02", "not-swift"):
        spec.act("Ana", "speak", text="ho", pay="swift")


@rule("DEF-GSP-01", "DEF-CNT-01")
def test_the_grappled_counter_with_no_gesture(spec: Spec) -> None:
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Orc", spells=[undo], at=[5, 5]),
        foe("Gob", abilities_list=[undo], at=[6, 6]), fighter("Bo", at=[5, 6]),
    )  # fmt: skip
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Bo"})
    spec.rule("set-condition", who="Gob", condition="grappled")
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    assert asked(spec) == ["Gob"]
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        spec.act("Orc", "counterspell", ability="undo")


@rule("DEF-RCH-02")
def test_a_body_bars_no_small_one_from_its_foes_square(spec: Spec) -> None:
    fight(
        spec,
        foe("Imp", size="tiny", at=[1, 1], weapons=[BITE]),
        foe("Gob", at=[0, 0]),
        fighter("Ana"),
    )
    spec.rule("set-condition", who="Gob", condition="dead")
    spec.act("Imp", "move", path=[[0, 0]])
    assert at(spec, "Imp") == (0, 0)


@rule("DEF-SPC-02")
def test_it_shares_no_square_with_a_friend(spec: Spec) -> None:
    fight(
        spec,
        foe("Imp", size="tiny", at=[1, 1], weapons=[BITE]),
        foe("Gob", at=[0, 0]),
        fighter("Ana"),
    )
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.act("Imp", "move", path=[[0, 0]])


# ---- turns and lives


@rule("DEF-DLY-01", "DEF-HLD-05")
def test_a_turn_that_is_delayed_has_not_ended(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), foe("Orc"), foe("Gob", at=[7, 7]))
    hold(spec, "Bo", "drop-prone", {"event": "turn-ends", "who": "Orc"}, slot="move")
    end(spec, "Bo")
    spec.act("Orc", "delay")
    assert asked(spec) == []
    end(spec, "Gob")
    spec.answer("Orc", "act-now")
    end(spec, "Orc")
    assert asked(spec) == ["Bo"]


@rule("DEF-WND-01", "DEF-DTH-01")
def test_whom_the_gm_raises_has_no_new_wound(spec: Spec) -> None:
    fight(spec, fighter("Ana", hp=3), foe("Orc", at=[9, 9]), rulings="ask")
    spec.rule("damage", who="Ana", amount=5)
    spec.answer(None, "wound")
    spec.rule("set-condition", who="Ana", condition="dead")
    spec.answer(None, "go-on")
    spec.rule("end-condition", who="Ana", condition="dead")
    assert [prompt.name for prompt in spec.live.open_prompts().values()] != ["wound"]
    assert len(spec["Ana"].all("wounded")) == 1
    assert spec["Ana"].has("bleeding-out", "unconscious")


@rule("DEF-WND-01", "DEF-REC-04")
def test_a_sheet_may_bring_several_wounds(spec: Spec) -> None:
    wounds = [{"id": "wounded", "data": {"name": name}} for name in ("arm", "leg")]
    spec.given(fighter("Ana", conditions=wounds), death_roll="all-equal")
    assert [wound["name"] for wound in shown(spec, "Ana")["wounds"]] == ["arm", "leg"]


@pytest.mark.parametrize("field", ["conditions", "modifiers", "spells"])
def test_nothing_ends_at_no_moment(spec: Spec, field: str) -> None:
    ends: dict[str, Any] = {"id": "prone", "until": "tomorrow"}
    if field == "modifiers":
        ends = {"target": "ac", "value": 1, "until": "tomorrow"}
    given: list[Any] = [{**BOLT, "conditions": [ends]}] if field == "spells" else [ends]
    spec.given(foe("Orc"), death_roll="all-equal")
    with spec.raises(Malformed) as caught:
        spec.join(**{**fighter("Ana"), field: given})
    inside = "/0/conditions" if field == "spells" else ""
    assert caught[0].pointer == f"/sheet/{field}{inside}/0/until"


@rule("DEF-GRP-11")
@pytest.mark.parametrize("with_", ["grapple", "escape-artist"])
def test_an_escape_may_be_declared_when_it_is_asked_for(spec: Spec, with_: str) -> None:
    fight(spec, fighter("Ana"), foe("Orc", skills={"escape_artist": 1}))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Ana"})
    with spec.refused("DEF-GEN-02", "not-your-turn"):
        spec.act("Orc", "grapple-escape")
    end(spec, "Ana")
    attribute = "opposed-grapple" if with_ == "grapple" else "skill-escape_artist"
    spec.act("Orc", "grapple-escape", (attribute, 10), ("opposed-grapple", 5), **{"with": with_})
    assert not spec["Orc"].has("grappled")
    assert "escapes" not in spec["Orc"].facts
    with spec.refused("DEF-GRP-11", "not-at-turn-start"):
        spec.act("Orc", "grapple-escape")


@rule("DEF-TRN-04", "DEF-NLD-04")
def test_whoever_is_woken_at_its_turn_start_acts_from_the_next_on(spec: Spec) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "5"}
    fight(
        spec, fighter("Ana", at=[9, 9], spells=[mend]), fighter("Bo", nld=20),
        foe("Orc", at=[5, 5]),
    )  # fmt: skip
    hold(spec, "Ana", "cast-spell", {"event": "turn-starts", "who": "Bo"}, spell="mend",
         targets=["Bo"])  # fmt: skip
    end(spec, "Ana")
    spec.answer("Ana", "resolve")
    assert not spec["Bo"].has("unconscious")
    assert turn_of(spec) == "Orc"
    end(spec, "Orc")
    assert turn_of(spec) == "Bo"  # Ana is after Bo now
    assert left(spec, "Bo")["standard"] == 1
