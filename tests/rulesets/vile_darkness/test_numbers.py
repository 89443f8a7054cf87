"""Test the derived numbers (VD-AAC0, VD-HD, VD-EHD, VD-AC, VD-DMG)."""

from typing import Any

import pytest
from msgspec import convert

from domain.errors import Impossible, Malformed
from domain.record.combat import Combat
from domain.rulesets.vile_darkness import notation, numbers
from domain.rulesets.vile_darkness.notation import segments_of
from domain.rulesets.vile_darkness.numbers import (
    Source,
    ac_terms,
    all_attributes,
    needed,
    source_of,
    state_of,
)
from domain.rulesets.vile_darkness.options import ClassRow, Options
from domain.rulesets.vile_darkness.sheet import Ability, Creature
from domain.rulesets.vile_darkness.slots import ORDER
from tests.rulesets.vile_darkness.units import begin, foe, hero, shown, weapon
from tests.spec import Spec, rule


def card(**fields: Any) -> Creature:
    return convert({"name": "X", "side": "x", "max_hp": 1, **fields}, Creature)


# ---- time


@rule("VD-TIME-01")
def test_a_round_has_ten_segments() -> None:
    assert {name.split("/")[1] for name in ORDER if name.startswith("spells/")} == {
        str(segment) for segment in range(11)  # 0 only for actions without time
    }  # fmt: skip


@rule("VD-TIME-02", "VD-TIME-08")
@pytest.mark.parametrize(("given", "segments"), [("1 round", 10), ("2 rounds", 20), (25, 25)])
def test_a_round_is_ten_segments(given: Any, segments: int) -> None:
    assert segments_of(Ability(id="x", segments=given, category="incantation")) == segments


@rule("VD-TIME-04", "VD-MIN-08")
def test_no_time_noted_is_one_segment() -> None:
    assert segments_of(Ability(id="x")) == 1


@rule("VD-TIME-05")
def test_an_asterisk_is_no_time() -> None:
    assert segments_of(Ability(id="x", segments="*")) == 0


@rule("VD-TIME-06")
def test_what_is_immediate_takes_no_time() -> None:
    assert segments_of(Ability(id="x", action_type="immediate", segments=3)) == 0


# ---- AAC0


@rule("VD-AAC0-01")
@pytest.mark.parametrize(
    ("aac0", "numbers"),
    [
        ("20*", {10: 11, 5: 16, 1: 20, 0: 20, -8: 24, -10: 26}),
        (20, {10: 10, 5: 15, 1: 19, 0: 20, -8: 23, -10: 25}),
        (18, {10: 8, 5: 13, 1: 17, 0: 18, -8: 21, -10: 23}),
        (14, {10: 4, 5: 9, 1: 13, 0: 14, -8: 20, -10: 20}),
        (7, {10: -3, 5: 2, 1: 6, 0: 7, -8: 15, -10: 17}),
    ],
)
def test_the_table_follows_from_one_number(aac0: Source, numbers: dict[int, int]) -> None:
    assert {ac: needed(aac0, ac) for ac in numbers} == numbers


@rule("VD-AAC0-02")
def test_the_star_needs_20_against_ac_1_too() -> None:
    assert [needed("20*", ac) for ac in (2, 1, -4, -5)] == [19, 20, 20, 21]
    assert [needed(20, ac) for ac in (1, 0, -5, -6)] == [19, 20, 20, 21]


@rule("VD-AAC0-03")
@pytest.mark.parametrize("aac0", ["20*", 20, 19, 18, 16])
def test_there_are_six_20s_in_a_row(aac0: Source) -> None:
    row = [needed(aac0, ac) for ac in range(10, -31, -1)]
    assert row.count(20) == 6
    assert row[row.index(20) + 6 :] == [21 + at for at in range(len(row) - row.index(20) - 6)]


@rule("VD-AAC0-05")
def test_a_class_without_a_table_needs_its_aac0_only() -> None:
    assert source_of(card(classes=[{"name": "bard", "level": 3, "aac0": 17}]), Options()) == 17


@rule("VD-AAC0-06")
@pytest.mark.parametrize("aac0", [21, "21", "19*"])
def test_an_aac0_above_20_is_refused(spec: Spec, aac0: Any) -> None:
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ana", aac0=aac0))
    assert (caught[0].rule, caught[0].code, caught[0].pointer) == (
        "VD-AAC0-06", "bad-aac0", "/combatants/0/sheet/aac0",
    )  # fmt: skip


@rule("VD-AAC0-06")
def test_a_table_with_a_gap_is_refused(spec: Spec) -> None:
    with spec.refused("VD-AAC0-06", "bad-aac0"):
        spec.given(hero("Ana", attack_table={str(ac): 10 for ac in range(-10, 10)}))


@pytest.mark.parametrize(("ac", "modifier", "needed"), [(5, 1, 14), (-10, 2, 29), (10, -2, 9)])
def test_beyond_the_scale_a_table_is_read_at_its_end(
    spec: Spec, ac: int, modifier: int, needed: int
) -> None:
    """Without `clamp_ac`, an AC beyond the table reads the table's end (VD-AC-01, GAP-26)."""
    table = {str(at): 19 - at if at > -10 else 29 for at in range(-10, 11)}
    shell = {"ac": ac, "ac_modifiers": [{"value": modifier}]}
    spec.given(hero("Ana", attack_table={**table, "4": 14}), foe("Orc", **shell), clamp_ac=False)
    begin(spec, 5, 2).act("Ana", "attack", ("attack", 2), target="Orc")
    assert spec.rolled("attack").target == needed


@rule("VD-HD-01")
def test_where_numbers_come_from() -> None:
    tables = Options(monster_attack_table={"4-5+": 16})
    assert source_of(card(hit_dice="4+1"), tables) == 16
    assert source_of(card(hit_dice="4+1", aac0=12), tables) == 12
    assert source_of(card(hit_dice="9"), tables) is None


@rule("VD-HD-01")
def test_class_members_use_their_class_table() -> None:
    raw = {
        "class_attack_tables": {
            "thief": [{"levels": "1-4", "aac0": 20}, {"levels": "5+", "aac0": 18}]
        }
    }
    tables = convert(raw, Options)
    assert source_of(card(classes=[{"name": "thief", "level": 4}]), tables) == 20
    assert source_of(card(classes=[{"name": "thief", "level": 9}]), tables) == 18
    own = {str(ac): 20 - ac for ac in range(-10, 11)}
    classes = [{"name": "thief", "level": 9, "attack_table": own}]
    assert source_of(card(classes=classes), tables) == own


@rule("VD-HD-02")
@pytest.mark.parametrize(("level", "aac0", "used"), [(4, 10, 16), (5, 10, 10), (5, 18, 16)])
def test_racial_hit_dice_unless_the_level_is_higher(level: int, aac0: int, used: int) -> None:
    tables = Options(monster_attack_table={"4-5+": 16})
    creature = card(hit_dice="4", classes=[{"name": "x", "level": level, "aac0": aac0}])
    assert source_of(creature, tables) == used


@rule("VD-HD-02")
@pytest.mark.parametrize("fields", [{"hit_dice": "4", "racial_hit_dice": False}, {"hit_dice": "½"}])
def test_without_racial_hit_dice_or_a_row_for_them_the_class_counts(fields: dict[str, Any]) -> None:
    tables = Options(monster_attack_table={"4-5+": 16})
    creature = card(classes=[{"name": "x", "level": 3, "aac0": 18}], **fields)
    assert source_of(creature, tables) == 18


@rule("VD-HD-02")
@pytest.mark.parametrize(("aac0", "best"), [(19, 19), (20, 20), ("20*", 20)])
def test_of_two_numbers_the_better_is_used(aac0: Any, best: int) -> None:
    classes = [{"name": "x", "level": 1, "aac0": aac0}, {"name": "y", "level": 1, "aac0": 20}]
    assert source_of(card(classes=classes), Options()) == best


# ---- enhanced hit dice


@rule("VD-EHD-01")
def test_hit_dice_are_n_plus_b() -> None:
    assert numbers.hit_dice(card(hit_dice="4+4")) == numbers.HitDice(4, 4)
    assert numbers.hit_dice(card(hit_dice="3")) == numbers.HitDice(3, 0)
    assert numbers.hit_dice(card(hit_dice="1-1", aac0=20)) is None


@rule("VD-EHD-01")
def test_other_hit_dice_need_an_aac0(spec: Spec) -> None:
    with spec.refused("VD-EHD-01", "bad-hit-dice"):
        spec.given({"name": "Rat", "side": "foes", "hit_dice": "1-1", "max_hp": 3})


HIT_DICE = {
    "1": ("1", 1, "1-2"),
    "1+1": ("1+", 2, "1-2"),
    "1+4": ("2-3+", 2, "1-2"),
    "2+13": ("2-3+", 6, "5-6"),
    "3": ("2-3+", 3, "3-4"),
    "4+4": ("4-5+", 5, "5-6"),
    "5+5": ("6-7+", 7, "7-8"),
    "8+2": ("8-9+", 9, "9-10"),
}


@rule("VD-EHD-02")
@pytest.mark.parametrize("dice", HIT_DICE)
def test_the_attack_band(dice: str) -> None:
    parsed = numbers.hit_dice(card(hit_dice=dice))
    assert parsed is not None
    assert numbers.attack_band(parsed) == HIT_DICE[dice][0]


@rule("VD-EHD-03")
@pytest.mark.parametrize("dice", HIT_DICE)
def test_the_save_band(dice: str) -> None:
    parsed = numbers.hit_dice(card(hit_dice=dice))
    assert parsed is not None
    assert (numbers.save_hd(parsed), numbers.save_band(parsed)) == HIT_DICE[dice][1:]


@rule("VD-EHD-04")
def test_overall_hit_dice_are_those_of_saves(spec: Spec) -> None:
    spec.given(foe("Ogre", hit_dice="5+5"))
    assert shown(spec, "Ogre", "overall_hd") == 7


@rule("VD-EHD-05")
def test_hit_points_are_rolled_at_joining(spec: Spec) -> None:
    spec.given(hero("Ana"))
    dice = ("hit-points", 3, 8, 1, 6)
    spec.join(dice, name="Gnoll", side="foes", hit_dice="4+4", aac0=16)
    assert spec.hp("Gnoll") == 34  # 18 + 4 × 4
    assert spec["Gnoll"].tracks["hp"].maximum == 34


@rule("VD-EHD-05")
def test_who_opens_the_combat_rolls_too(spec: Spec) -> None:
    spec.given(
        hero("Ana"), {"name": "Gnoll", "side": "foes", "hit_dice": "2", "aac0": 19},
    )  # fmt: skip
    spec.answer("Gnoll", "roll", name="hit-points", faces=[5, 2])
    assert spec.hp("Gnoll") == 7


@rule("VD-EHD-06")
@pytest.mark.parametrize(("success", "target", "total"), [("≤", 12, 9), ("≥", 8, 13)])
def test_the_bonus_helps_morale(spec: Spec, success: str, target: int, total: int) -> None:
    spec.given(hero("Ana"), foe("Gnoll", hit_dice="4+4", morale=8))
    spec.rule("morale-check", ("morale", 5, 4), who="Gnoll", success=success)
    rolled = spec.rolled("morale")
    # With "≤", the bonus raises the target to 8 + 4. With "≥", it raises the roll to 9 + 4.
    assert (rolled.target, rolled.total, rolled.outcome) == (target, total, "success")


# ---- Armour Class


@rule("VD-AC-01")
@pytest.mark.parametrize("ac", [11, -11])
def test_armour_class_runs_from_10_to_minus_10(spec: Spec, ac: int) -> None:
    with spec.refused("VD-AC-01", "bad-ac"):
        spec.given(hero("Ana", ac=ac))


@rule("VD-AC-01")
def test_it_gets_no_worse_than_10(spec: Spec) -> None:
    spec.given(hero("Ana", ac=9, ac_modifiers=[{"value": -4}]))
    assert shown(spec, "Ana", "effective_ac") == 10


@rule("VD-AC-02")
def test_bonuses_lower_and_penalties_raise_it(spec: Spec) -> None:
    spec.given(
        hero("Ana", ac_modifiers=[{"value": 2, "reason": "ring"}]),
        hero("Odo", ac_modifiers=[{"value": -2}]),
        hero("Ute", shield={"ac_bonus": 1}),
        hero("Pia", ac_modifiers=[{"value": 3, "applies_to": "missile"}]),
    )
    assert [shown(spec, who, "effective_ac") for who in ("Ana", "Odo", "Ute")] == [3, 7, 4]
    assert shown(spec, "Pia", "effective_ac") == {"all": 5, "melee": 5, "missile": 2}


@rule("VD-AC-02")
def test_armour_counts_where_the_sheet_has_no_ac(spec: Spec) -> None:
    spec.given(hero("Ana", ac=None, armour={"ac": 4}), hero("Odo", ac=None))
    assert [shown(spec, who, "effective_ac") for who in ("Ana", "Odo")] == [4, 10]


# ---- damage


def stabber(**fields: Any) -> dict[str, Any]:
    """Return a sheet with a knife that adds 1 to its damage, and a Strength that adds 1.

    A backstab multiplies the damage by 2, and `luck` by 3.
    """
    multipliers = [{"when": "backstab", "factor": 2}, {"when": "luck", "factor": 3}]
    knife = weapon("knife", damage_modifier=1, multipliers=multipliers)
    given = {"weapons": [knife], "damage_modifiers": [{"value": 1, "reason": "Strength"}]}
    return hero("Ana", **{**given, **fields})


def stab(spec: Spec, *circumstances: str, face: int = 4) -> int:
    begin(spec, 6, 1)
    spec.act(
        "Ana", "attack", ("attack", 15), ("damage", face),
        target="Orc", circumstances=list(circumstances),
    )  # fmt: skip
    return 40 - spec.hp("Orc")


@rule("VD-DMG-01")
def test_damage_is_dice_and_modifiers(spec: Spec) -> None:
    spec.given(stabber(), foe("Orc", max_hp=40))
    assert stab(spec) == 6  # 4 + 1 + 1


@rule("VD-DMG-02")
def test_a_multiplier_applies_to_the_modified_total(spec: Spec) -> None:
    spec.given(stabber(), foe("Orc", max_hp=40))
    assert stab(spec, "backstab") == 12  # (4 + 1 + 1) × 2, not 4 × 2 + 2


@rule("VD-DMG-03")
def test_multipliers_do_not_stack(spec: Spec) -> None:
    spec.given(stabber(), foe("Orc", max_hp=40))
    assert stab(spec, "backstab", "luck") == 18  # 6 × 3


@rule("VD-DMG-04")
def test_magic_that_says_so_multiplies_on_top(spec: Spec) -> None:
    stacking = [
        {"when": "luck", "factor": 3},
        {"when": "backstab", "factor": 2},
        {"when": "ring", "factor": 2, "stacks": True},
    ]
    knife = weapon("knife", damage_modifier=1, multipliers=stacking)
    spec.given(stabber(weapons=[knife]), foe("Orc", max_hp=40))
    assert stab(spec, "backstab", "luck", "ring") == 36  # 6 × 3 × 2


@rule("VD-DMG-01")
def test_a_hit_does_at_least_1_before_it_is_multiplied(spec: Spec) -> None:
    spec.given(stabber(damage_modifiers=[{"value": -9}]), foe("Orc", max_hp=40))
    assert stab(spec, "backstab", face=1) == 2  # 1 + 1 − 9, at least 1, × 2


# ---- invalid sheets


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"max_hp": None}, "/max_hp"),
        ({"hp": 30}, "/hp"),
        ({"weapons": [weapon("a"), weapon("a")]}, "/weapons"),
        ({"weapons": [weapon("a", "2x6")]}, "/weapons/0/damage"),
        ({"stat_line": "BITE: teeth"}, "/stat_line"),
        ({"abilities": [{"id": "x", "segments": "soon"}]}, "/abilities/0/segments"),
        ({"multi_attack": {"routines": 2, "list": ["kick"]}}, "/multi_attack/list/0"),
    ],
)
def test_faults_of_a_sheet_point_to_the_field(
    spec: Spec, fields: dict[str, Any], pointer: str
) -> None:
    with spec.raises(Malformed) as caught:
        spec.given(hero("Ana", **fields))
    assert caught[0].pointer == f"/combatants/0/sheet{pointer}"


def test_an_option_of_four_types_names_each_once(spec: Spec) -> None:
    with pytest.raises(Malformed):
        spec.given(hero("Ana"), group_action_order=["innate", "innate", "melee", "other"])


@pytest.mark.parametrize(
    ("levels", "inside", "outside"),
    [
        (3, (3,), (2, 4)),
        ("3", (3,), (2, 4)),
        ("2-4", (2, 4), (1, 5)),
        ([2, 4], (2, 4), (1, 5)),
        ("9+", (9, 40), (8,)),
    ],
)
def test_the_levels_of_a_row(levels: Any, inside: tuple[int, ...], outside: tuple[int]) -> None:
    row = convert({"levels": levels}, ClassRow)
    assert [row.has(level) for level in (*inside, *outside)] == [
        *(True for _ in inside), *(False for _ in outside)
    ]  # fmt: skip


# ---- the view of others


@pytest.mark.parametrize(
    ("hp", "word"),
    [(20, "unhurt"), (19, "hurt"), (11, "hurt"), (10, "bloodied"), (1, "bloodied"),
     (0, "down")],
)  # fmt: skip
def test_how_it_looks_to_a_foe(spec: Spec, hp: int, word: str) -> None:
    """A foe sees a word instead of hit points (GAP-56)."""
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    if spec.hp("Ana") != hp:
        spec.rule("set-track", who="Ana", value=hp)
    assert spec.ruleset.wound(spec.combat, "Ana") == word


def test_who_is_dead_looks_so(spec: Spec) -> None:
    begin(spec.given(hero("Ana", dead_at=-5), foe("Orc")), 5, 2)
    spec.rule("damage", target="Ana", amount=25)
    assert spec.ruleset.wound(spec.combat, "Ana") == "dead"


def test_before_its_dice_have_fallen_nobody_is_hurt(spec: Spec) -> None:
    begin(spec.given(hero("Ana"), foe("Orc")), 5, 2)
    spec.join(**foe("Ogre", hit_dice="2", max_hp=None))
    assert spec.ruleset.wound(spec.combat, "Ogre") == "unhurt"
    spec.answer("Ogre", "roll", faces=[5, 2])


def test_what_is_committed_beside_an_attack_that_is_gone_is_not_counted(spec: Spec) -> None:
    spec.given(hero("Ana", activities=[{"id": "wait"}]), foe("Orc"))
    begin(spec, 3, 3).act("Ana", "attack", target="Orc", **{"with": ["wait"]})
    spec.act("Orc", "attack", target="Ana")  # the Orc is faster, and rolls
    assert shown(spec, "Ana", "added_segments") == 1
    spec.rule("set", who="Ana", sheet={"activities": []})
    assert shown(spec, "Ana", "added_segments") == 0
    spec.answer("Orc", "roll", faces=[2])


# ---- modifiers


def test_a_modifier_of_one_counts_and_of_one_name_the_strongest(spec: Spec) -> None:
    """Of the modifiers of conditions with one name, only the strongest counts (GAP-57)."""
    begin(spec.given(hero("Ana", ac=5), foe("Orc")), 5, 2)
    for value in (1, -2, 2):
        spec.rule("condition", target="Ana", condition="shell", modifiers={"ac": value})
        if value == 1:
            assert shown(spec, "Ana", "effective_ac") == 4
    assert shown(spec, "Ana", "effective_ac") == 7  # the first of equally strong ones


def test_nobody_is_worse_than_10_or_better_than_its_end(spec: Spec) -> None:
    """A combatant without armour has AC 10 (VD-AC-01)."""
    given = {"ac": None, "ac_modifiers": [{"value": -1}]}
    best = {"ac": -10, "ac_modifiers": [{"value": 1}]}
    spec.given(hero("Ana", ac=None), foe("Orc", **given), foe("Rat", **best))
    assert [shown(spec, combatant.id, "effective_ac") for combatant in spec.combat] == [10, 10, -10]


def test_without_its_ends_who_has_no_armour_has_10_all_the_same(spec: Spec) -> None:
    spec.given(hero("Ana", ac=None), foe("Orc", ac_modifiers=[{"value": -6}]), clamp_ac=False)
    assert [shown(spec, who, "effective_ac") for who in ("Ana", "Orc")] == [10, 11]


def test_terms_have_their_reasons_or_a_word(spec: Spec) -> None:
    both = [{"value": 1, "reason": "luck"}, {"value": 2}]
    gaze = {"id": "gaze", "range_ft": 9, "targets": "creature", "save": {"category": "spells"}}
    spec.given(
        hero("Ana", weapons=[], abilities=[gaze]),
        foe("Orc", save_modifiers=[*both, {"value": 4, "applies_to": "poison"}],
            saves={"spells": 10}),
    )  # fmt: skip
    begin(spec, 5, 2).act("Ana", "innate", ("save", 10), ability="gaze", target="Orc")
    terms = spec.rolled("save").terms
    assert [(term.source, term.value) for term in terms] == [("luck", 1), ("modifier", 2)]


def test_what_makes_an_armour_class_is_named(spec: Spec) -> None:
    both = [{"value": 1, "reason": "luck"}, {"value": 2}]
    spec.given(hero("Ana", ac_modifiers=both), foe("Orc"))
    made = ac_terms(spec.combat, spec["Ana"], "melee")
    assert [(part.label, part.value) for part in made.parts][:3] == [
        ("AC", 5), ("luck", -1), ("modifier", -2),
    ]  # fmt: skip


def test_attributes_that_imply_each_other() -> None:
    """An attribute may imply another (VD-ATTR-03)."""
    combat = Combat(id="c", options={"attribute_implies": {"cold": ["ice"], "ice": ["cold"]}})
    assert all_attributes(combat, ["cold"]) == {"cold", "ice"}
    assert all_attributes(combat, ["fear"]) == {"fear", "mind-affecting"}


@pytest.mark.parametrize(("listed", "state"), [(True, "held"), (False, "stowed")])
def test_what_a_sheet_lists_is_held_or_stowed(spec: Spec, listed: bool, state: str) -> None:
    items = [{"id": "rope", "name": "rope"}, {"id": "torch", "name": "torch", "held": listed}]
    spec.given(hero("Ana", items=items), foe("Orc"))
    assert state_of(spec["Ana"], "torch") == state
    assert state_of(spec["Ana"], "whatever is not listed") == "held"


@pytest.mark.parametrize(
    ("line", "name", "count"),
    [("MELEE:claw (1d6)", "claw", 1), ("MELEE:2claws (1d6)", "2claws", 1)],
)
def test_a_stat_line_without_spaces(line: str, name: str, count: int) -> None:
    ((entry,),) = [parsed.entries for parsed in notation.parse(line)]
    assert (entry.name, entry.count) == (name, count)


@pytest.mark.parametrize("line", ["big MELEE: claw (1d6)", "MELEE: claw", "MELEE: claw (1d6 cold)"])
def test_what_is_no_stat_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        notation.parse(line)
