"""Test attacks, routines and melee (VD-ATK, -ROUT, -CALL, -FOIL, -GRID …)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.record.events import ConditionGained, Damaged, Noted, Rolled
from domain.rulesets.vile_darkness import notation
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    asked,
    begin,
    engaged,
    foe,
    hero,
    passes,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule


def duel(spec: Spec, ana: dict[str, Any] | None = None, **orc: Any) -> Spec:
    """Begin with Ana HIGH."""
    spec.given(hero("Ana", **(ana or {})), foe("Orc", **{"max_hp": 40, **orc}))
    return begin(spec, 5, 2)


# ---- the attack


@rule("VD-ATK-01")
def test_the_gm_states_modifiers(spec: Spec) -> None:
    duel(spec)
    spec.rule("modifier", attacker="Ana", value=3)
    spec.rule("modifier", attacker="Ana", value=9, target="Ana")
    spec.act("Ana", "attack", ("attack", 7), ("damage", 1), target="Orc")
    rolled = spec.rolled("attack")
    assert (rolled.total, rolled.outcome) == (10, "hit")
    assert [(term.source, term.value) for term in rolled.terms] == [("GM", 3)]


@rule("VD-ATK-01")
def test_the_gm_may_be_asked_each_time(spec: Spec) -> None:
    knife = weapon("knife", multipliers=[{"when": "backstab", "factor": 2}])
    spec.given(hero("Ana", weapons=[knife]), foe("Orc"), ask_modifiers=True)
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Orc", circumstances=["backstab"])
    spec.answer(
        None, "set", ("attack", 9), ("damage", 4), name="attack-modifiers",
        value=1, circumstances=[],
    )  # fmt: skip
    assert spec.hp("Orc") == 16


@rule("VD-ATK-01")
def test_a_players_modifier_is_refused(spec: Spec) -> None:
    duel(spec, {"owner": "anna"})
    anna = Caller("p1", "player", owner="anna")
    with spec.refused("VD-ATK-01", "gm-only"):
        spec.do(Act("Ana", "attack", {"target": "Orc", "gm_modifier": 4}), by=anna)


@rule("VD-ATK-01")
def test_a_player_declares_no_modifier(spec: Spec) -> None:
    """Only the GM may set `gm_modifier`, in the action and in `declare`."""
    spec.given(hero("Ana", owner="anna"), foe("Orc"))
    announce(spec)
    anna = Caller("p1", "player", owner="anna")
    attack = {"target": "Orc", "gm_modifier": 10}
    with spec.refused("VD-ATK-01", "gm-only"):
        spec.do(Act("Ana", "attack", attack), by=anna)
    with spec.refused("VD-ATK-01", "gm-only"):
        spec.do(Act("Ana", "declare", {"action": "attack", "inputs": attack}), by=anna)
    spec.act("Ana", "attack", **attack)


@rule("VD-ATK-02")
@pytest.mark.parametrize(("face", "outcome"), [(9, "miss"), (10, "hit")])
def test_equal_is_a_hit(spec: Spec, face: int, outcome: str) -> None:
    duel(spec)  # 15 − 5 = 10
    spec.act(
        "Ana", "attack", ("attack", face), *([("damage", 1)] if outcome == "hit" else []),
        target="Orc",
    )  # fmt: skip
    assert spec.rolled("attack").outcome == outcome


@rule("VD-ATK-03")
@pytest.mark.parametrize(("face", "bonus", "outcome"), [(1, 30, "miss"), (20, -30, "hit")])
def test_natural_1_and_20(spec: Spec, face: int, bonus: int, outcome: str) -> None:
    duel(spec, {"attack_modifiers": [{"value": bonus}]})
    dice = [("damage", 1)] if outcome == "hit" else []
    spec.act("Ana", "attack", ("attack", face), *dice, target="Orc")
    assert spec.rolled("attack").outcome == outcome


@rule("VD-ATK-04")
@pytest.mark.parametrize(("face", "outcome"), [(17, "miss"), (18, "hit")])
def test_table_numbers_are_modified_scores(spec: Spec, face: int, outcome: str) -> None:
    duel(spec, {"aac0": 20, "attack_modifiers": [{"value": 2}]}, ac=0)  # needs 20
    dice = [("damage", 1)] if outcome == "hit" else []
    spec.act("Ana", "attack", ("attack", face), *dice, target="Orc")
    assert (spec.rolled("attack").target, spec.rolled("attack").outcome) == (20, outcome)


@rule("VD-AAC0-04")
@pytest.mark.parametrize(("bonus", "face", "outcome"), [(2, 19, "hit"), (1, 19, "miss")])
def test_21_is_reached_by_modifiers(spec: Spec, bonus: int, face: int, outcome: str) -> None:
    duel(spec, {"aac0": 20, "attack_modifiers": [{"value": bonus}]}, ac=-6)  # needs 21
    dice = [("damage", 1)] if outcome == "hit" else []
    spec.act("Ana", "attack", ("attack", face), *dice, target="Orc")
    assert (spec.rolled("attack").target, spec.rolled("attack").outcome) == (21, outcome)


@rule("VD-ATK-05", "VD-ATK-06")
def test_the_order_of_a_blow(spec: Spec) -> None:
    venom = {
        "id": "sting", "kind": "melee", "attacks": [{
            "damage": ["1d4"], "count": 2,
            "special_damage": {"formula": "1d6", "attributes": ["poison"]},
            "effects": [{"condition": "numb", "rounds": 2, "save": {"category": "poison"}}],
        }],
    }  # fmt: skip
    duel(spec, {"routines": [venom], "weapons": []}, saves={"poison": 12})
    spec.act(
        "Ana", "attack", ("attack", 12), ("damage", 2), ("special-damage", 5), ("save", 11),
        ("attack", 13), ("damage", 1), ("special-damage", 3), ("save", 12), target="Orc",
    )  # fmt: skip
    assert [rolled.purpose for rolled in spec.events(Rolled)] == [
        "attack", "damage", "special-damage", "save",
    ] * 2  # fmt: skip
    assert [damaged.amount for damaged in spec.events(Damaged)] == [7, 4]
    assert [condition_gained.condition for condition_gained in spec.events(ConditionGained)].count(
        "numb"
    ) == 1


@rule("VD-ATK-07")
def test_an_attack_may_have_its_own_aac0(spec: Spec) -> None:
    bite = {"id": "bite", "kind": "melee", "attacks": [
        {"damage": ["1d4"], "aac0": 11}, {"damage": ["1d4"]},
    ]}  # fmt: skip
    duel(spec, {"routines": [bite]})
    spec.act("Ana", "attack", ("attack", 2), ("attack", 2), target="Orc")
    assert [rolled.target for rolled in spec.events(Rolled)] == [6, 10]


@rule("VD-ATK-08")
def test_the_stat_line() -> None:
    (melee,) = notation.parse("MELEE: 2 claws (1d8/1d8) and bite (2d6)")
    assert [(entry.name, entry.count, entry.damage) for entry in melee.entries] == [
        ("claws", 2, ("1d8", "1d8")), ("bite", 1, ("2d6",)),
    ]  # fmt: skip
    melee, missile = notation.parse(
        "MELEE: touch (1d4 1d6 cold; AAC0 20*) plus weakness; MISSILE: 2 arrows (1d6/1d6);"
    )
    (touch,) = melee.entries
    assert (touch.special, touch.attributes, touch.aac0, touch.effects) == (
        "1d6", ("cold",), "20*", ("weakness",),
    )  # fmt: skip
    assert (missile.kind, missile.entries[0].count) == ("missile", 2)


@pytest.mark.parametrize(
    "line", ["claws (1d4)", "MELEE:", "MELEE: 3 claws (1d4/1d4)", "MELEE: a (x)"]
)
def test_a_bad_stat_line_says_where(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        notation.parse(line)


def test_without_any_number_the_gm_is_asked(spec: Spec) -> None:
    """If the sheet has no number to hit, the GM sets it for the complete routine (GAP-24)."""
    duel(spec, {"aac0": None, "weapons": [], "stat_line": "MELEE: 2 claws (1d4/1d4)"})
    spec.act("Ana", "attack", target="Orc")
    assert spec.prompt().data["ac"] == 5
    spec.answer(None, "set", ("attack", 11), ("attack", 12), ("damage", 1), number=12)
    assert [rolled.outcome for rolled in spec.events(Rolled, purpose="attack")] == ["miss", "hit"]


# ---- routines


@rule("VD-ROUT-01", "VD-ROUT-05")
@pytest.mark.parametrize(
    ("line", "kind", "blows"),
    [
        ("MELEE: sword (1d8)", "melee", 1),
        ("MELEE: sword (1d8) and dagger (1d4)", "melee", 2),
        ("MELEE: 2 claws (1d4/1d4) and bite (1d8)", "melee", 3),
        ("MISSILE: 2 arrows (1d6/1d6)", "missile", 2),
    ],
)
def test_a_routine_is_struck_at_once(spec: Spec, line: str, kind: str, blows: int) -> None:
    duel(spec, {"weapons": [], "stat_line": line})
    assert spec.combat.phase == ("group/HIGH/D3" if kind == "melee" else "group/HIGH/D2")
    spec.act("Ana", "attack", *[("attack", 2)] * blows, target="Orc")
    assert len(spec.events(Rolled)) == blows
    assert spec["Ana"].budget["major"] == 0


@rule("VD-ROUT-02")
def test_a_routine_has_one_target(spec: Spec) -> None:
    duel(spec)
    with spec.refused("VD-ROUT-02", "one-target-per-routine"):
        spec.act("Ana", "attack", target=["Orc", "Ana"])


@rule("VD-ROUT-06")
@pytest.mark.parametrize(("ambidextrous", "weapon_used"), [(False, "sword"), (True, "dirk")])
def test_the_primary_attack_is_the_main_hands(
    spec: Spec, ambidextrous: bool, weapon_used: str
) -> None:
    both = {"id": "both", "kind": "melee", "attacks": [
        {"weapon": "dirk", "hand": "off"}, {"weapon": "sword", "hand": "main"},
    ]}  # fmt: skip
    ana = {"weapons": [SWORD, weapon("dirk", "1d4")], "routines": [both]}
    duel(spec, {**ana, "ambidextrous": ambidextrous})
    spec.act("Ana", "called-shot", target="Orc", aim="hand", routine="both")
    spec.answer(None, "set", ("attack", 20), needed=None)
    spec.answer(None, "result", ("damage", 3))
    assert spec.event(Damaged).kind == weapon_used


# ---- called shots


@rule("VD-CALL-01", "VD-CALL-02")
def test_a_called_shot_is_wasted_without_a_20(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    assert asked(spec) == [("called-shot", None)]
    assert spec.prompt().data["aim"] == "eye"
    spec.answer(None, "set", ("attack", 19), modifier=4)
    assert spec.rolled("attack").total == 23
    assert "called-shot failed" in results.notes(spec.told())
    assert spec.hp("Orc") == 40
    assert spec["Ana"].budget["major"] == 0


@rule("VD-CALL-02")
@pytest.mark.parametrize(
    ("result", "hp"), [("hit", 37), ("nothing", 40), ("it drops the vial", 40)]
)
def test_a_natural_20_is_the_gms(spec: Spec, result: str, hp: int) -> None:
    duel(spec)
    spec.act("Ana", "called-shot", target="Orc", aim="vial")
    spec.answer(None, "set", ("attack", 20), meaning="it breaks")
    assert spec.prompt().data["meaning"] == "it breaks"
    spec.answer(None, "result", *([("damage", 3)] if result == "hit" else []), result=result)
    assert spec.hp("Orc") == hp


@rule("VD-CALL-02")
@pytest.mark.parametrize(("face", "asks"), [(11, True), (10, False), (1, False)])
def test_the_gm_may_set_a_number(spec: Spec, face: int, asks: bool) -> None:
    duel(spec, {"attack_modifiers": [{"value": 4}]})
    spec.act("Ana", "called-shot", target="Orc", aim="eye")
    spec.answer(None, "set", ("attack", face), needed=15)
    assert (asked(spec) == [("called-shot", None)]) is asks


@rule("VD-CALL-03")
def test_grabbing_works_the_same_way(spec: Spec) -> None:
    duel(spec)
    spec.act("Ana", "grab-item", target="Orc", item="key")
    spec.answer(None, "set", ("attack", 20))
    spec.answer(None, "result", result="she has the key")
    assert "grab-item ruled: she has the key" in results.notes(spec.told())


# ---- foiled


@rule("VD-FOIL-01")
def test_a_missile_is_no_contact(spec: Spec) -> None:
    duel(spec, {"weapons": [BOW]}, contact_barriers=[{"against": "all"}])
    spec.act("Ana", "attack", ("attack", 12), ("damage", 3), target="Orc")
    assert spec.hp("Orc") == 37


@rule("VD-FOIL-01")
@pytest.mark.parametrize(
    ("to", "tags", "foiled"),
    [
        ("all", ["magical"], True),
        ("slashing", ["slashing"], True),
        ("slashing", ["magical"], False),
        ("non-magical", ["magical"], False),
        ("non-magical", ["silver"], True),
    ],
)
def test_immunity_to_a_form_of_attack(spec: Spec, to: str, tags: list[str], foiled: bool) -> None:
    duel(spec, {"weapons": [weapon("blade", tags=tags)]}, attack_immunities=[{"to": to}])
    spec.act("Ana", "attack", ("attack", 20), *([] if foiled else [("damage", 2)]), target="Orc")
    assert spec.rolled("attack").outcome == ("foiled" if foiled else "hit")


@rule("VD-FOIL-02")
def test_a_miss_tells_nothing(spec: Spec) -> None:
    duel(spec, contact_barriers=[{"against": "party"}])
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert not spec.events(Noted)


@rule("VD-FOIL-03")
def test_immunity_may_be_obvious(spec: Spec) -> None:
    duel(spec, attack_immunities=[{"to": "all", "obvious": True}])
    spec.act("Ana", "attack", ("attack", 19), target="Orc")
    assert spec.event(Noted).private is False


# ---- the grid


@rule("VD-GRID-01", "VD-GRID-06")
def test_a_square_is_five_feet(spec: Spec) -> None:
    bow = weapon("bow", kind="missile", range_ft=50)
    spec.given(hero("Ana", at=[0, 0], weapons=[bow]), foe("Near", at=[6, 8]), foe("Far", at=[7, 8]))
    begin(spec, 5, 2)
    with spec.refused("VD-GRID-06", "out-of-range"):
        spec.act("Ana", "attack", target="Far")  # √113 × 5 = 53.15
    spec.act("Ana", "attack", ("attack", 2), target="Near")  # exactly 50


@rule("VD-GRID-02", "VD-GRID-03")
@pytest.mark.parametrize(
    ("ana", "odo", "fights"),
    [({}, {}, False), ({"very_small": True}, {}, True), ({}, {"can_share_square": True}, True)],
)
def test_nobody_fights_in_a_shared_square(
    spec: Spec, ana: dict[str, Any], odo: dict[str, Any], fights: bool
) -> None:
    spec.given(hero("Ana", at=[0, 0], **ana), hero("Odo", at=[0, 0], **odo), foe("Orc", at=[1, 0]))
    begin(spec, 5, 2)
    if fights:
        spec.act("Ana", "attack", ("attack", 2), target="Orc")
    else:
        with spec.refused("VD-GRID-03", "square-shared"):
            spec.act("Ana", "attack", target="Orc")


@rule("VD-GRID-04")
def test_opponents_and_walls_are_not_passed(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), hero("Odo", at=[0, 2]), foe("Orc", at=[2, 0]),
        map={"blocked": [[-2, 0]], "limits": [[-9, -9], [9, 9]]},
    )  # fmt: skip
    begin(spec, 5, 2)
    passes(spec, "Ana", "Odo")
    for path in ([[4, 0]], [[-4, 0]]):
        with spec.refused("VD-GRID-04", "path-blocked"):
            spec.act("Ana", "move", path=path)
    with spec.refused("VD-GRID-04", "outside-map"):
        spec.act("Ana", "move", path=[[0, -10]])
    spec.act("Ana", "move", path=[[0, 4], [0, 1], [1, 0]])  # past an ally
    assert spec["Ana"].position == (1, 0, 0)
    with spec.refused("VD-GRID-04", "path-blocked"):
        spec.act("Ana", "position", to=[3, 0])


@rule("VD-GRID-05")
def test_passing_nobody_breaks_nothing(spec: Spec) -> None:
    ward = spell("ward", 2, targets="self", range_ft=0, concentration_to_maintain=True)
    spec.given(hero("Ana", at=[0, 0], abilities=[ward]), hero("Odo", at=[0, 2]), foe("Orc"))
    spec.rule("set-concentrating", who="Ana", ability="ward")
    begin(spec, 5, 2)
    passes(spec, "Ana", "Odo").act("Ana", "move", path=[[4, 0]])
    assert spec["Ana"].has("concentrating")


# ---- melee


@rule("VD-MELEE-01")
def test_melee_begins_beside_or_within_reach(spec: Spec) -> None:
    spear = weapon("spear", reach_ft=10)
    spec.given(
        hero("Ana", at=[0, 0]), hero("Odo", at=[0, 1], weapons=[spear]), foe("Orc", at=[2, 1])
    )
    begin(spec, 5, 2)
    with spec.refused("VD-MELEE-01", "out-of-reach"):
        spec.act("Ana", "attack", target="Orc")
    spec.act("Odo", "attack", ("attack", 2), target="Orc")  # 10 ft


@rule("VD-MELEE-01")
def test_inside_the_zone_anybody_may_be_struck(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), hero("Odo", at=[5, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[6, 0])
    )
    engaged(spec, ("Ana", "Orc"), ("Odo", "Rat"), ("Odo", "Orc"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Rat")  # Ana – Orc – Odo – Rat
    assert "Rat" in [held.key for held in spec["Ana"].all("engaged")]


@rule("VD-MELEE-02", "VD-FREE-09")
@pytest.mark.parametrize("verdict", ["allow", "free-attacks", "refuse"])
def test_leaving_a_melee_is_the_gms(spec: Spec, verdict: str) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]))
    engaged(spec, ("Ana", "Orc"))
    begin(spec, 5, 2)
    passes(spec, "Ana")
    spec.act("Ana", "move", path=[[-3, 0]])
    inputs = {"attack_bonus": 1, "ac_penalty": 2} if verdict == "free-attacks" else {}
    spec.answer(None, verdict, name="leave-melee", **inputs)
    if verdict == "free-attacks":
        spec.answer("Orc", "take", ("attack", 7), ("damage", 2), name="free-attack")
        assert (spec.rolled("attack").total, spec.rolled("attack").target) == (8, 8)
    assert spec["Ana"].has("engaged") is (verdict == "refuse")
    assert spec["Ana"].budget["major"] == (1 if verdict == "refuse" else 0)
    assert spec["Ana"].position == ((0, 0, 0) if verdict == "refuse" else (-3, 0, 0))


@rule("VD-MELEE-03")
@pytest.mark.parametrize("verdict", ["allow", "refuse"])
def test_restricted_quarters_are_the_gms(spec: Spec, verdict: str) -> None:
    spec.given(
        hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), foe("Rat", at=[3, 0]),
        restricted_quarters=True,
    )  # fmt: skip
    engaged(spec, ("Ana", "Orc"), ("Ana", "Rat"))
    begin(spec, 5, 2)
    spec.act("Ana", "attack", target="Rat")
    assert asked(spec) == [("restricted-quarters", None)]
    if verdict == "allow":
        spec.answer(None, "allow", ("attack", 12), modifier=-3)
        assert spec.rolled("attack").total == 9
    else:
        spec.answer(None, "refuse")
        assert spec["Ana"].budget["major"] == 1
        assert asked(spec) == [("slot-intent", "Ana")]


@rule("VD-MELEE-03")
def test_what_the_squares_allow_is_not_asked(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[1, 0]), restricted_quarters=True)
    begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")


HALBERD = weapon(
    "halberd", "1d10", 9, space_ft=6, modes=[{"id": "pierce", "space_ft": 2, "damage": "1d6"}]
)


def cornered(spec: Spec, *, gap: bool = False, space_ft: int = 6) -> Spec:
    """Begin with Ana in a corner of the map, with an ally and an Orc next to her."""
    others = [hero("Odo", at=[1, 1])] + ([] if gap else [hero("Ute", at=[0, 1])])
    spec.given(
        hero("Ana", at=[0, 0], weapons=[{**HALBERD, "space_ft": space_ft}]), *others,
        foe("Orc", at=[1, 0]), map={"limits": [[0, 0], [5, 5]]},
    )  # fmt: skip
    return begin(spec, 5, 2)


@rule("VD-SPACE-01", "VD-SPACE-02")
@pytest.mark.parametrize("space_ft", [5, 6])
def test_a_wide_weapon_needs_an_open_square(spec: Spec, space_ft: int) -> None:
    cornered(spec, space_ft=space_ft)
    with spec.refused("VD-SPACE-01", "no-space"):
        spec.act("Ana", "attack", target="Orc")


@rule("VD-SPACE-01")
@pytest.mark.parametrize(("gap", "space_ft"), [(True, 6), (False, 4)])
def test_one_open_square_or_four_feet_are_enough(spec: Spec, gap: bool, space_ft: int) -> None:
    cornered(spec, gap=gap, space_ft=space_ft)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")


@rule("VD-SPACE-01")
@pytest.mark.parametrize(("side", "room"), [("foes", True), ("heroes", False)])
def test_nobody_learns_by_its_weapon_where_somebody_is_hidden(
    spec: Spec, side: str, room: bool
) -> None:
    cornered(spec, gap=True)
    spec.join(**{**foe("Lurker", at=[0, 1]), "side": spec["Ana"].side if not room else "foes"},
              hidden=True)  # fmt: skip
    if room:
        spec.act("Ana", "attack", ("attack", 2), target="Orc")
        return
    with spec.refused("VD-SPACE-01", "no-space"):
        spec.act("Ana", "attack", target="Orc")


@rule("VD-SPACE-03")
def test_the_mode_has_its_own_space(spec: Spec) -> None:
    cornered(spec)
    spec.act("Ana", "attack", ("attack", 12), ("damage", 6), target="Orc", weapon="halberd",
             mode="pierce")  # fmt: skip
    assert spec.hp("Orc") == 14


# ---- weapons in hand (GAP-58)


def test_what_was_dropped_is_gone_until_it_is_retrieved(spec: Spec) -> None:
    duel(spec)
    spec.rule("set-item", who="Ana", item="sword", state="gone")
    with spec.refused("VD-SIMP-03", "no-weapon"):
        spec.act("Ana", "attack", target="Orc")
    spec.rule("set-item", who="Ana", item="sword", state="stowed")  # drawing belongs to the attack
    spec.act("Ana", "attack", ("attack", 2), target="Orc")


def test_a_loaded_weapon_needs_loading_after_its_shot(spec: Spec) -> None:
    crossbow = weapon("crossbow", kind="missile", loading="load-light-crossbow", loaded=True)
    duel(spec, {"weapons": [crossbow]})
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert spec["Ana"].facts["loaded"] == {"crossbow": False}
    until(spec, "end-of-round")
