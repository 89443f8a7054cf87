"""Play the worked examples of the rulebook's specification."""

from typing import Any

from domain.record.events import Damaged, Rolled
from tests.rulesets.definitions.units import (
    AXE,
    BOW,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    order_of,
    passes,
    shown,
    turn_of,
    weapon,
)
from tests.spec import Spec, rule

FRIEND = fighter("C", at=[9, 9])
"""An ally of A, so that the fight goes on if A falls."""


def round_to(spec: Spec, *dice: Any) -> None:
    """End the turns of B and C. The `dice` are for rolls at the beginning of A's turn."""
    spec.act("B", "end-turn").act("C", "end-turn", *dice)


def condition(spec: Spec, who: str, *ids: str) -> bool:
    return all(spec[who].has(id) for id in ids)


def fails(spec: Spec, who: str) -> int:
    dying = shown(spec, who)["death"]
    return 0 if dying is None else int(dying["fails"])


# ---- part A


@rule("DEF-DTH-04", "DEF-DAE-01")
def test_a1_all_equal(spec: Spec) -> None:
    fight(spec, fighter("A", max_hp=20, hp=6), foe("B"), FRIEND, order=("B", "C", "A"))
    spec.rule("damage", combatant="A", amount=7)  # 2 · 7 = 14 < 20
    assert spec.hp("A") == 0
    assert condition(spec, "A", "wounded", "prone", "bleeding-out", "unconscious")
    round_to(spec, ("death-save", 50))  # 50 < 51
    assert fails(spec, "A") == 1
    round_to(spec, ("death-save", 60))  # 60 < 61
    assert fails(spec, "A") == 2
    round_to(spec, ("death-save", 71))  # 71 ≥ 71
    assert condition(spec, "A", "stabilized", "unconscious")
    assert (fails(spec, "A"), spec.hp("A")) == (0, 0)
    spec.undo().answer("A", "roll", faces=(70,))
    assert spec["A"].has("dead")


@rule("DEF-DST-01")
def test_a2_stats_matter(spec: Spec) -> None:
    a = fighter("A", hit_dice=4, hp=5, abilities=scores(constitution=8), saves=saves(fortitude=2))
    fight(spec, a, foe("B"), FRIEND, order=("B", "C", "A"), death_roll="stats-matter")
    spec.rule("damage", combatant="A", amount=5)
    round_to(spec, ("death-save", 12))  # 12 + 2 = 14 < 10 + 4 + 1
    assert fails(spec, "A") == 1
    round_to(spec, ("death-save", 13))
    assert spec["A"].has("stabilized")


@rule("DEF-DBR-01")
def test_a3_brutality_counts_the_whole_hit(spec: Spec) -> None:
    a = fighter("A", max_hp=30, hp=5, saves=saves(fortitude=6))
    fight(spec, a, foe("B"), FRIEND, order=("B", "C", "A"), death_roll="brutality")
    spec.rule("damage", combatant="A", amount=11)  # 22 < 30; DC 10 + 11
    round_to(spec, ("death-save", 14))  # 20 < 21
    assert fails(spec, "A") == 1
    round_to(spec, ("death-save", 15))
    assert spec["A"].has("stabilized")


@rule("DEF-MAS-01", "DEF-MAS-02", "DEF-MAS-03")
def test_a4_massive_damage_at_zero(spec: Spec) -> None:
    big = weapon("maul", "1d20")
    a = fighter("A", max_hp=25, saves=saves(fortitude=3))
    b = foe("B", hit_dice=5, base_attack_bonus=9, weapons=[big])
    fight(spec, a, b, FRIEND, order=("B", "C", "A"))
    spec.act("B", "attack", ("attack", 10), ("damage", 12), target="A")  # 24 < 25
    assert spec.hp("A") == 13
    spec.act("B", "attack", ("attack", 10), ("damage", 13), ("save-fortitude", 11), target="A")
    assert (spec.hp("A"), fails(spec, "A")) == (0, 1)  # 11 + 3 = 14 < 10 + 5
    round_to(spec, ("death-save", 60))  # 60 < 61
    assert fails(spec, "A") == 2


@rule("DEF-MAS-02")
def test_a4_the_save_made_at_zero(spec: Spec) -> None:
    a = fighter("A", max_hp=25, hp=13, saves=saves(fortitude=3))
    b = foe("B", hit_dice=5, base_attack_bonus=9, weapons=[weapon("maul", "1d20")])
    fight(spec, a, b, FRIEND, order=("B", "C", "A"))
    spec.act("B", "attack", ("attack", 10), ("damage", 13), ("save-fortitude", 12), target="A")
    assert fails(spec, "A") == 0  # 12 + 3 = 15


@rule("DEF-MAS-04")
def test_a5_massive_damage_still_up(spec: Spec) -> None:
    big = weapon("maul", "1d20")
    a = fighter("A", max_hp=24, saves=saves(fortitude=1))
    b = foe("B", hit_dice=3, base_attack_bonus=9, weapons=[big])
    fight(spec, a, b, FRIEND, order=("B", "C", "A"), death_roll="brutality")
    spec.act("B", "attack", ("attack", 10), ("damage", 12), ("save-fortitude", 12), target="A")
    assert spec.hp("A") == 12  # 12 + 1 = 13 ≥ 10 + 3
    spec.undo()
    assert spec.open() == [("roll", "save-fortitude", "A")]
    spec.answer("A", "roll", faces=(11,))
    assert (spec.hp("A"), fails(spec, "A")) == (0, 1)
    assert shown(spec, "A")["death"]["dc"] == 22  # 10 + 12


@rule("DEF-NLD-02", "DEF-NLD-03", "DEF-REC-05")
def test_a6_non_lethal_damage(spec: Spec) -> None:
    a = fighter("A", max_hp=20, hp=14, nld=9)
    fight(spec, a, foe("B"), order=("B", "A"))
    spec.rule("damage", combatant="A", amount=4, track="nld")
    assert (spec.hp("A", "nld"), spec["A"].has("unconscious")) == (13, False)
    spec.rule("damage", combatant="A", amount=1)
    assert spec["A"].has("unconscious")
    assert not spec["A"].has("bleeding-out")
    spec.rule("heal", combatant="A", amount=3)
    spec.rule("heal", combatant="A", amount=3, track="nld")
    assert (spec.hp("A"), spec.hp("A", "nld")) == (16, 10)
    assert not spec["A"].has("unconscious")
    assert spec["A"].has("prone")


@rule("DEF-REC-01", "DEF-REC-02")
def test_a7_recovery(spec: Spec) -> None:
    a = fighter("A", hit_dice=3, max_hp=18, hp=2, nld=20, abilities=scores(constitution=9))
    fight(spec, a, foe("B"), order=("B", "A"))
    assert spec["A"].has("unconscious")
    spec.rule("rest", combatant="A", days=1)
    assert (spec.hp("A"), spec.hp("A", "nld")) == (5, 5)  # 2 + 3 · 1, 20 − 3 · 5 · 1
    assert spec["A"].has("unconscious")
    spec.rule("rest", combatant="A", days=1)
    assert (spec.hp("A"), spec.hp("A", "nld")) == (8, 0)
    assert not spec["A"].has("unconscious")


@rule("DEF-INI-03", "DEF-INI-04")
def test_a8_initiative_ties_are_rolled_again(spec: Spec) -> None:
    spec.given(
        fighter("A", initiative_bonus=4),
        fighter("B", initiative_bonus=2, at=[0, 3]),
        foe("C", initiative_bonus=0, at=[9, 9]),
        death_roll="all-equal",
        rulings="default",
    )
    spec.begin(
        ("initiative", 11), ("initiative", 13), ("initiative", 18),  # 15, 15, 18
        ("initiative-tie", 7), ("initiative-tie", 9),  # 11, 11
        ("initiative-tie", 3), ("initiative-tie", 12),  # 7, 14
    )  # fmt: skip
    assert order_of(spec) == ["C", "B", "A"]


@rule("DEF-INI-06")
def test_a8_decimals_need_no_ties(spec: Spec) -> None:
    spec.given(
        fighter("A", initiative_bonus=4),
        fighter("B", initiative_bonus=2, at=[0, 3]),
        foe("C", initiative_bonus=0, at=[9, 9]),
        death_roll="all-equal",
        rulings="default",
        initiative_decimals=True,
    )
    spec.begin(("initiative", 11), ("initiative", 13), ("initiative", 18))
    assert order_of(spec) == ["C", "A", "B"]


@rule("DEF-FRE-05", "DEF-MOV-02", "DEF-FRE-07")
def test_a12_five_foot_step_and_draw(spec: Spec) -> None:
    two = [
        weapon("one", "1d4"), weapon("two", "1d4", ready=False), weapon("three", "1d4", ready=False)
    ]  # fmt: skip
    a = fighter("A", weapons=two, wielded={"primary": None, "offhand": None})
    fight(spec, a, foe("B", weapons=[SWORD]), order=("A", "B"))
    spec.act("A", "five-foot-step", to=[0, 1], draw="two")
    assert spec.open() == [("turn", "turn", "A")]  # B gets no prompt
    with spec.refused("DEF-TRN-03", "move-used"):
        spec.act("A", "move", path=[[0, 2]])
    spec.act("A", "move", path=[[0, 2]], pay="standard")


@rule("DEF-DLY-04", "DEF-DLY-05")
def test_a13_delay(spec: Spec) -> None:
    fight(spec, fighter("A"), fighter("B", at=[0, 5]), foe("C", at=[9, 9]))
    spec.act("A", "delay").act("B", "end-turn")
    assert ("choice", "A") in [(kind, who) for kind, _, who in spec.open()]
    waits(spec, "A")
    spec.act("C", "end-turn")
    resumes(spec, "A")
    assert turn_of(spec) == "A"
    assert order_of(spec) == ["B", "C", "A"]


@rule("DEF-DLY-06")
def test_a13_who_waits_to_the_end_has_lost_its_turn(spec: Spec) -> None:
    fight(spec, fighter("A"), fighter("B", at=[0, 5]), foe("C", at=[9, 9]))
    spec.act("A", "delay").act("B", "end-turn")
    waits(spec, "A")
    spec.act("C", "end-turn")
    waits(spec, "A")
    assert order_of(spec) == ["A", "B", "C"]
    assert (spec.combat.round, turn_of(spec)) == (2, "A")


@rule("DEF-RCH-05")
def test_a14_small_with_a_reach_weapon(spec: Spec) -> None:
    small = fighter("A", size="small", weapons=[SPEAR])
    medium = fighter("B", at=[20, 0], weapons=[SPEAR])
    fight(spec, small, medium, foe("C", at=[9, 9]))
    threatened = {tuple(square)[:2] for square in shown(spec, "A")["threatened_squares"]}
    assert {(2, 1), (1, 1)} <= threatened
    assert (2, 2) not in threatened
    threatened = {tuple(square)[:2] for square in shown(spec, "B")["threatened_squares"]}
    assert {(22, 1), (21, 1), (22, 2)} <= threatened


# ---- part B


@rule("DEF-ATK-02", "DEF-MUL-01")
def test_b1_equal_hits_and_the_attacks_run_out(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=6, abilities=scores(strength=16), weapons=[SWORD])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 9}))
    spec.act("A", "attack", ("attack", 10), ("damage", 5), target="B")  # 10 + 6 + 3 = 19
    assert (spec.rolled("attack").total, spec.rolled("damage").total) == (19, 8)
    spec.act("A", "attack", ("attack", 14), target="B")  # 14 + 1 + 3 = 18
    assert spec.rolled("attack").outcome == "miss"
    with spec.refused("DEF-TRN-08", "no-attacks-left"):
        spec.act("A", "attack", target="B")


@rule("DEF-ATK-03")
def test_b2_natural_faces_are_only_numbers(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=1, weapons=[SWORD])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 12}))
    spec.act("A", "attack", ("attack", 20), target="B")  # 21 < 22, no threat
    assert spec.rolled("attack").outcome == "miss"


@rule("DEF-ATK-03")
def test_b2_a_natural_one_may_hit(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=12, abilities=scores(strength=20), weapons=[SWORD])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 7}))
    spec.act("A", "attack", ("attack", 1), ("damage", 1), target="B")  # 1 + 12 + 5 = 18 ≥ 17


@rule("DEF-CRT-01", "DEF-CRT-03", "DEF-DMG-03")
def test_b3_a_critical_with_negative_strength(spec: Spec) -> None:
    great = weapon("great", "1d10", hands=2, crit_range=19, crit_multiplier=3)
    a = fighter("A", base_attack_bonus=4, abilities=scores(strength=8), weapons=[great])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 5}))
    spec.act("A", "attack", ("attack", 19), ("confirm", 12), ("damage", 4, 2, 7), target="B")
    assert spec.rolled("confirm").total == 15  # 12 + 3
    assert spec.event(Damaged).amount == 7  # 13 − 3 · 2


@rule("DEF-CRT-02")
def test_b3_not_confirmed(spec: Spec) -> None:
    great = weapon("great", "1d10", hands=2, crit_range=19, crit_multiplier=3)
    a = fighter("A", base_attack_bonus=4, abilities=scores(strength=8), weapons=[great])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 5}))
    spec.act("A", "attack", ("attack", 19), ("confirm", 11), ("damage", 4), target="B")
    assert spec.event(Damaged).amount == 2  # 4 − 2


@rule("DEF-CHG-06", "DEF-REK-01", "DEF-DMG-08", "DEF-MAS-01")
def test_b4_a_reckless_charge_with_a_critical(spec: Spec) -> None:
    axe = {**AXE, "extra_damage": [{"formula": "1d6", "source": "fire", "damage_type": "fire"}]}
    a = fighter(
        "A", base_attack_bonus=5, abilities=scores(strength=16), weapons=[axe],
        armor_class={"natural": 8},
    )  # fmt: skip
    b = foe("B", max_hp=70, armor_class={"natural": 7}, at=[5, 0])
    passes(fight(spec, a, b), "B")
    spec.act(
        "A", "charge",
        ("attack", 20), ("confirm", 9), ("damage", 3, 8), ("extra-damage", 5),
        ("save-fortitude", 20),
        target="B", to=[4, 0],
        attacks=[{"action": "attack", "inputs": {"target": "B", "stance": "reckless"}}],
    )  # fmt: skip
    assert spec.rolled("attack").total == 28  # 20 + 5 + 3
    assert spec.rolled("confirm").total == 17  # 9 + 8
    assert sum(damaged.amount for damaged in spec.events(Damaged)) == 36  # 11 + 2 · 10 + 5
    assert shown(spec, "A")["ac"] == 12  # 18 − 2 − 4


@rule("DEF-FDF-01")
def test_b5_the_values_of_armor_class(spec: Spec) -> None:
    parts = {
        "armor": 5, "shield": 2, "natural": 1, "parry": 2, "dexterity": 2, "deflection": 1,
        "dodge": 1, "luck": 1,
    }  # fmt: skip
    fight(spec, fighter("A", armor_class=parts), foe("B", at=[9, 9]))
    view = shown(spec, "A")
    assert (view["ac"], view["touch_ac"], view["flat_footed_ac"]) == (25, 15, 22)
    spec.act("A", "full-defense")
    view = shown(spec, "A")
    assert (view["ac"], view["touch_ac"], view["flat_footed_ac"]) == (29, 19, 22)


@rule("DEF-DIS-03", "DEF-DIS-04", "DEF-MAN-04")
def test_b6_disarm_as_the_second_attack(spec: Spec) -> None:
    dagger = weapon("dagger", "1d4", disarming=True)
    a = fighter(
        "A", base_attack_bonus=7, abilities=scores(strength=14, dexterity=16), weapons=[dagger],
        max_hp=40,
    )  # fmt: skip
    b = foe("B", max_hp=40, base_attack_bonus=20, weapons=[SWORD], abilities=scores(dexterity=14))
    fight(spec, a, b)
    spec.act("A", "attack", ("attack", 1), target="B")  # 1 + 7 + 2 = 10 < 12
    spec.act("A", "disarm", ("touch", 10), target="B")  # 10 + 2 + 2 = 14 ≥ 12
    spec.answer("B", "aoo", ("attack", 10), ("damage", 6), *opposed("dexterity", 15, 12, 18, 14))
    first, second = [
        rolled.total for rolled in spec.events(Rolled, who="A", purpose="opposed-dexterity")
    ]
    assert (first, second) == (14, 17)  # 15 + 3 − 4; 18 + 3 − 4
    assert spec["B"].has("disarmed")


@rule("DEF-SHV-03", "DEF-SHV-04")
def test_b7_a_shove_has_no_penalty_for_damage(spec: Spec) -> None:
    a = fighter("A", max_hp=40, abilities=scores(strength=18), size_modifiers=size(maneuver=1))
    b = foe("B", base_attack_bonus=20, weapons=[SWORD])
    fight(spec, a, b)
    spec.act("A", "shove", ("touch", 15), target="B")
    spec.answer("B", "aoo", ("attack", 10), ("damage", 8), *opposed("strength", 14, 9))
    assert spec.rolled("opposed-strength", "A").total == 19  # 14 + 4 + 1
    assert spec.open() == [("choice", "shove-distance", "A")]
    assert {option.id for option in spec.prompt().options} == {"5", "10", "15"}


@rule("DEF-GRP-05", "DEF-GRP-11", "DEF-GRS-01")
def test_b8_grapple_escape_submission(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=6, abilities=scores(strength=16))
    b = foe("B", armor_class={"deflection": 2}, grapple_modifier=4, skills={"escape_artist": 7})
    fight(spec, a, b)
    spec.act("A", "grapple", ("touch", 4), target="B")
    while spec.open()[0][1] == "reaction":
        spec.answer("B", "pass")
    spec.answer("B", "escape-artist", ("opposed-grapple", 8), ("skill-escape_artist", 9))
    assert condition(spec, "B", "grappled")
    spec.act("A", "end-turn")
    spec.answer(
        "B", "escape-artist",
        ("skill-escape_artist", 12), ("opposed-grapple", 10),  # 19, 19
        ("skill-escape_artist", 3), ("opposed-grapple", 6),  # 10, 15
    )  # fmt: skip
    assert spec["B"].has("grappled")
    spec.act("B", "end-turn")
    spec.act("A", "grapple-submission")
    spec.answer("B", "escape-artist", ("opposed-grapple", 11), ("skill-escape_artist", 5))
    assert shown(spec, "B")["grapple"]["submission"] == 1
    spec.act("A", "end-turn")
    spec.answer("B", "escape-artist", ("skill-escape_artist", 15), ("opposed-grapple", 8))
    assert shown(spec, "B")["grapple"]["submission"] == 0
    assert spec["B"].has("grappled")


@rule("DEF-GPN-01", "DEF-GRE-01", "DEF-KSH-01")
def test_b10_pin_expose_kill_shot(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=6, abilities=scores(strength=16))
    b = foe("B", skills={"escape_artist": 7})
    c = fighter("C", at=[1, 1], weapons=[SWORD])
    fight(spec, a, b, c, order=("A", "B", "C"))
    spec.act("A", "grapple", ("touch", 19), target="B")
    while spec.open()[0][1] == "reaction":
        spec.answer("B", "pass")
    spec.answer("B", "grapple", ("opposed-grapple", 20), ("opposed-grapple", 1))
    spec.act("A", "end-turn")
    spec.answer("B", "no")
    end(spec, "B", "C")
    with spec.refused("DEF-GRE-01", "not-pinned"):
        spec.act("A", "grapple-expose")
    spec.act("A", "grapple-pin")
    spec.answer("B", "grapple", ("opposed-grapple", 20), ("opposed-grapple", 1))
    assert spec["B"].has("pinned")
    spec.act("A", "end-turn")
    spec.answer("B", "no")
    end(spec, "B", "C")
    spec.act("A", "grapple-expose", ("opposed-grapple", 20), ("opposed-grapple", 1))
    assert condition(spec, "B", "exposed", "helpless")
    with spec.refused("DEF-KSH-01", "not-helpless"):  # the budget does not matter
        spec.act("A", "kill-shot", target="B")
    spec.act("A", "end-turn")
    spec.answer("B", "no")
    end(spec, "B")
    spec.act("C", "kill-shot", target="B")
    assert spec["B"].has("dead")


@rule("DEF-RNG-04", "DEF-RNG-05")
def test_b11_shooting_into_a_grapple(spec: Spec) -> None:
    a = fighter(
        "A", at=[0, 9], base_attack_bonus=5, abilities=scores(dexterity=16), weapons=[BOW],
        initiative_bonus=0,
        size_modifiers=size(attack=1),
    )  # fmt: skip
    d, e = foe("D", at=[0, 0], max_hp=90), foe("E", at=[1, 0], max_hp=90)
    d["side"] = "beasts"
    fight(spec, d, e, a, order=("D", "E", "A"))
    grappled(spec, "D", "E")
    end(spec, "D")
    spec.answer("E", "no")
    end(spec, "E")
    spec.act("A", "ranged-attack", ("miss-chance", 50), ("attack", 8), ("damage", 1), target="D")
    rolled = spec.rolled("attack")
    assert (rolled.against, rolled.total) == ("E", 17)  # 8 + 5 + 3 + 1
    spec.undo().undo().undo()
    spec.answer("A", "roll", ("attack", 8), ("damage", 1), faces=(51,))
    assert spec.rolled("attack").against == "D"


@rule("DEF-SHT-02", "DEF-SHT-03")
def test_b12_shatter(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=10, weapons=[weapon("hammer", "1d8", damage_bonus=2)])
    b = foe("B", base_attack_bonus=8, weapons=[weapon("blade", "1d8", hardness=5, item_hp=5)])
    fight(spec, a, b)
    spec.act(
        "A", "shatter", *opposed("attack", 9, 11, 12, 10), ("damage", 6), target="B", item="weapon"
    )
    assert shown(spec, "A")["ac"] == 6  # 10 − 4
    spec.act("A", "shatter", *opposed("attack", 1, 20), target="B", item="weapon")
    assert shown(spec, "A")["ac"] == 6  # the −4 counts once


@rule("DEF-SWL-02")
def test_b13_swallow_whole_needs_three_sizes(spec: Spec) -> None:
    a = fighter("A", size="huge", max_hp=64)
    fight(spec, a, foe("B", at=[3, 0]), foe("C", at=[3, 1], size="small"))
    with spec.refused("DEF-SWL-02", "too-big"):
        spec.act("A", "swallow-whole", target="B")
    assert "swallow-whole" in spec.legal("A")


@rule("DEF-DEF-01", "DEF-STN-02")
def test_b15_defensive(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=6, abilities=scores(strength=16), weapons=[SWORD])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 9}))
    spec.act("A", "attack", ("attack", 13), target="B", stance="defensive")
    assert spec.rolled("attack").total == 18  # 13 + 6 + 3 − 4
    assert shown(spec, "A")["ac"] == 12
    spec.act("A", "attack", ("attack", 15), target="B")
    assert spec.rolled("attack").total == 15  # 15 + 1 + 3 − 4


@rule("DEF-STN-01")
def test_b15_a_stance_is_chosen_with_the_first_attack(spec: Spec) -> None:
    a = fighter("A", base_attack_bonus=6, weapons=[SWORD])
    fight(spec, a, foe("B", max_hp=90, armor_class={"natural": 9}))
    spec.act("A", "attack", ("attack", 1), target="B")
    with spec.refused("DEF-STN-01", "stance-fixed"):
        spec.act("A", "attack", target="B", stance="defensive")


@rule("DEF-CHG-02", "DEF-CHG-03")
def test_b16_the_line_of_a_charge(spec: Spec) -> None:
    a = fighter("A", weapons=[SWORD])
    fight(spec, a, foe("B", at=[6, 2], max_hp=90), fighter("C", at=[9, 9]))
    with spec.refused("DEF-CHG-02", "charge-too-short"):
        spec.act("A", "charge", target="B", to=[1, 0])
    spec.act("A", "charge", target="B", to=[5, 2])
    assert at(spec, "A") == (5, 2)


@rule("DEF-CHG-04")
def test_b16_an_ally_in_the_way_blocks_a_charge(spec: Spec) -> None:
    a = fighter("A", weapons=[SWORD])
    fight(spec, a, foe("B", at=[6, 2], max_hp=90), fighter("C", at=[3, 1]))
    with spec.refused("DEF-CHG-04", "charge-blocked"):
        spec.act("A", "charge", target="B", to=[5, 2])


@rule("DEF-FEI-02", "DEF-FEI-03")
def test_b17_feigned_strike(spec: Spec) -> None:
    a = fighter("A", skills={"beguile": 6}, weapons=[SWORD])
    b = foe("B", hit_dice=5, abilities=scores(wisdom=12), skills={"discern_intent": 4})
    fight(spec, a, b)
    spec.act("A", "feigned-strike", target="B")
    assert spec.prompt().default == "level-check"
    spec.answer(
        "B", "level-check",
        ("skill-beguile", 10), ("level-check", 10),  # 16, 16: again
        ("skill-beguile", 10), ("level-check", 9),  # 16, 15
    )  # fmt: skip
    assert spec["B"].has("flat-footed")


@rule("DEF-TRP-02", "DEF-MAN-02")
def test_b18_a_trip_from_afar_asks_nobody(spec: Spec) -> None:
    a = fighter("A", abilities=scores(strength=14), weapons=[SPEAR], base_attack_bonus=9)
    b = foe("B", at=[2, 0], weapons=[SWORD])
    fight(spec, a, b)
    spec.act("A", "trip", ("touch", 10), *opposed("strength", 7, 9, 11, 12), target="B")
    assert spec["B"].has("prone")


@rule("DEF-MAN-02")
def test_b18_one_beside_is_asked_also_after_a_miss(spec: Spec) -> None:
    fight(spec, fighter("A", weapons=[SWORD]), foe("B", weapons=[SWORD]))
    spec.act("A", "trip", ("touch", 1), target="B")
    assert spec.open() == [("reaction", "reaction", "B")]


@rule("DEF-GEN-07")
def test_b20_armor_class_of_types(spec: Spec) -> None:
    a = fighter(
        "A",
        armor_class={"armor": 4, "luck": 1, "dodge": 1},
        modifiers=[
            {"target": "ac", "value": 2, "type": "luck", "source": "charm"},
            {"target": "ac", "value": 1, "type": "dodge", "source": "boots"},
            {"target": "ac", "value": -1, "type": "luck", "source": "curse"},
        ],
    )
    fight(spec, a, foe("B", at=[9, 9]))
    view = shown(spec, "A")
    assert (view["ac"], view["touch_ac"], view["flat_footed_ac"]) == (17, 13, 15)


@rule("DEF-DMG-06", "DEF-DMG-08")
def test_b21_minimum_types_and_reductions(spec: Spec) -> None:
    blade = weapon(
        "blade", "1d6", damage_type="slashing",
        extra_damage=[{"formula": "1d6", "source": "fire", "damage_type": "fire"}],
    )  # fmt: skip
    a = fighter("A", base_attack_bonus=15, abilities=scores(strength=4), weapons=[blade])
    b = foe(
        "B",
        reductions=[
            {"amount": 3, "types": ["fire"], "source": "ring"},
            {"amount": 2, "types": "all", "source": "skin"},
        ],
    )
    fight(spec, a, b)
    spec.act("A", "attack", ("attack", 10), ("damage", 2), ("extra-damage", 6), target="B")
    assert spec.hp("B") == 18


@rule("DEF-WLD-07")
def test_b22_two_shields(spec: Spec) -> None:
    a = fighter(
        "A",
        shield={"id": "rim", "kind": "buckler", "name": "rim", "ac_bonus": 1},
        second_shield={"id": "wall", "kind": "tower", "name": "wall", "ac_bonus": 4},
        wielded={"primary": "wall", "offhand": "rim"},
    )
    fight(spec, a, foe("B", at=[9, 9]))
    assert shown(spec, "A")["ac"] == 14
    spec.act("A", "stow-item", item="wall")
    assert shown(spec, "A")["ac"] == 11


@rule("DEF-SHV-05", "DEF-MAN-06")
def test_b23_shoving_the_unconscious(spec: Spec) -> None:
    fight(spec, fighter("A"), foe("B", nld=20), foe("C", at=[9, 9]))
    assert spec["B"].has("unconscious")
    spec.act("A", "shove", ("touch", 19), target="B")
    assert at(spec, "B") == (2, 0)


# ---- shorter


def scores(**given: int) -> dict[str, int]:
    names = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    return {name: given.get(name, 10) for name in names}


def saves(**given: int) -> dict[str, int]:
    return {name: given.get(name, 0) for name in ("fortitude", "reflex", "will")}


def size(**given: int) -> dict[str, int]:
    return {"attack": given.get("attack", 0), "maneuver": given.get("maneuver", 0)}


def opposed(of: str, *faces: int) -> list[Any]:
    return [(f"opposed-{of}", face) for face in faces]


def waits(spec: Spec, who: str) -> None:
    spec.answer(who, "wait")


def resumes(spec: Spec, who: str) -> None:
    spec.answer(who, "act-now")


def grappled(spec: Spec, who: str, target: str) -> None:
    spec.act(who, "grapple", ("touch", 19), target=target)
    while spec.open()[0][1] == "reaction":
        spec.answer(target, "pass")
    spec.answer(target, "grapple", ("opposed-grapple", 20), ("opposed-grapple", 1))
