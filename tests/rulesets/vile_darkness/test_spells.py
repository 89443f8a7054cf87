"""Test spells and concentration (VD-E, -CONC, -ATTR, -SPELL, -TGT, -LOE, -LOS)."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import Damaged, Prevented, Rolled
from tests import results
from tests.rulesets.vile_darkness.units import (
    SWORD,
    announce,
    asked,
    begin,
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
)
from tests.spec import Spec, rule

WARD = spell(
    "ward", 2, targets="self", range_ft=0, damage=None, concentration_to_maintain=True,
    effects=[{"condition": "warded", "modifiers": {"ac": 2}}],
)  # fmt: skip


def mira(*abilities: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a caster without weapons."""
    return hero("Mira", **{"weapons": [], "abilities": list(abilities), **fields})


def orc(**fields: Any) -> dict[str, Any]:
    return foe("Orc", **{"weapons": [], **fields})


def cast(spec: Spec, *dice: tuple[Any, ...], target: Any = "Orc", ability: str = "bolt") -> Spec:
    """Let Mira cast an ability, and play until the end of step 7. Mira is HIGH, the Orc LOW."""
    begin(spec, 5, 2, Mira=("cast", {"spell": ability}))
    where = {"combatant": target} if isinstance(target, str) else target
    spec.answer("Mira", "target", name="spell-target", **where)
    return passes(spec, "Mira").act("Orc", "pass", *dice)


def notes(spec: Spec) -> list[str]:
    return results.notes(spec.told())


# ---- step 7


@rule("VD-E-02")
def test_high_before_low_in_the_same_segment(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), foe("Hexer", weapons=[], abilities=[spell("bolt", 3)]))
    begin(spec, 2, 5, Mira=("cast", {"spell": "bolt"}), Hexer=("cast", {"spell": "bolt"}))
    spec.answer("Hexer", "target", combatant="Mira")
    passes(spec, "Hexer").answer("Mira", "target", combatant="Hexer")
    spec.act("Mira", "pass", ("damage", 1))
    assert "bolt lost: it was hurt" in notes(spec)
    assert spec.hp("Hexer") == 20


@rule("VD-E-03")
def test_added_segments_make_it_later(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    spec.act("Mira", "simple", activity="close-door").act("Mira", "simple", activity="speak")
    passes(spec, "Mira").act("Orc", "pass", ("damage", 1))
    assert spec.combat.phase == "spells/4/HIGH"


@rule("VD-E-05")
def test_an_invocation_of_one_segment_resolves_in_d1(spec: Spec) -> None:
    spec.given(mira(spell("wand", 1, category="invocation", uses=3)), orc())
    begin(spec, 5, 2, Mira=("invoke", {"ability": "wand"}))
    spec.answer("Mira", "target", ("damage", 4), combatant="Orc", name="spell-target")
    assert spec.event(Damaged).amount == 4
    assert spec["Mira"].budget == {"major": 0, "spell": 0}
    assert spec.combat.phase == "group/HIGH/D4"


@rule("VD-E-04")
def test_an_earlier_spell_breaks_a_later_one(spec: Spec) -> None:
    spec.given(
        mira(spell("bolt", 2)), foe("Hexer", weapons=[], abilities=[spell("doom", 3, uses=1)])
    )
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Hexer=("cast", {"spell": "doom"}))
    spec.answer("Mira", "target", combatant="Hexer")
    passes(spec, "Mira").answer("Hexer", "target", combatant="Mira")
    spec.act("Hexer", "pass", ("damage", 1))
    assert not spec["Hexer"].has("casting")
    assert spec["Hexer"].facts["uses_spent"] == {"doom": 1}


def test_after_its_spell_the_caster_may_position(spec: Spec) -> None:
    """The caster may position after its spell (GAP-51)."""
    spec.given(mira(spell("bolt", 2), at=[0, 0]), orc(at=[5, 0]))
    cast(spec, ("damage", 1))
    assert (spec.combat.phase, asked(spec)) == ("spells/2/HIGH", [("slot-intent", "Mira")])
    spec.act("Mira", "position", path=[[0, 2]])
    assert spec["Mira"].position == (0, 2, 0)
    assert spec.combat.phase == "end-of-round"


def test_so_may_one_whose_spell_an_earlier_one_has_broken(spec: Spec) -> None:
    """If an earlier spell breaks Mira's spell, she may position right after that (GAP-51)."""
    dart = foe("Hexer", at=[5, 0], weapons=[], abilities=[spell("dart", 2)])
    spec.given(mira(spell("bolt", 3), at=[0, 0]), dart)
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}), Hexer=("cast", {"spell": "dart"}))
    spec.answer("Mira", "target", combatant="Hexer")
    until(spec, "group/LOW/D1").answer("Hexer", "target", combatant="Mira")
    spec.act("Hexer", "pass", ("damage", 1))
    assert asked(spec) == [("slot-intent", "Mira"), ("slot-intent", "Hexer")]
    spec.act("Mira", "position", path=[[0, 2]])
    assert spec["Mira"].position == (0, 2, 0)


@rule("VD-END-02")
def test_the_end_of_the_round_resets_the_counts(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 2)), orc())
    cast(spec, ("damage", 1))
    assert spec["Mira"].budget == {"major": 0, "spell": 0}
    spec.rule("condition", target="Orc", condition="dazed", duration={"rounds": 1})
    next_round(spec, 5, 2)
    assert spec["Mira"].budget == {"major": 1, "spell": 1}
    assert not spec["Orc"].has("dazed")


@rule("VD-END-01", "VD-TIME-02")
def test_durations_run_out_before_ongoing_damage(spec: Spec) -> None:
    """A duration of 15 segments lasts until the end of the next round (GAP-21, GAP-40)."""
    spec.given(hero("Ana"), orc())
    begin(spec, 5, 2)
    for name, duration in (("burning", {"rounds": 2}), ("acid", {"segments": 15})):
        spec.rule("condition", target="Orc", condition=name, ongoing="1d4", duration=duration)
    spec.rule("condition", target="Orc", condition="short", ongoing="1d4", duration={"rounds": 1})
    until(spec, "group/LOW/D4").act("Orc", "pass", ("ongoing-damage", 3), ("ongoing-damage", 1))
    assert spec.hp("Orc") == 16
    spec.answer(None, "next-round").rule(
        "close-declare", ("group-initiative", 5), ("group-initiative", 2)
    )
    until(spec, "end-of-round")
    assert spec.hp("Orc") == 16
    assert not spec["Orc"].has("burning", "acid")


# ---- concentration


@rule("VD-CONC-01", "VD-CONC-08")
def test_casting_needs_concentration(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3, uses=1)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("damage", target="Mira", amount=1)
    assert not spec["Mira"].has("casting")
    assert "bolt lost: it was hurt" in notes(spec)
    assert spec["Mira"].budget == {"major": 0, "spell": 0}
    assert spec["Mira"].facts["uses_spent"] == {"bolt": 1}


@rule("VD-CONC-01")
def test_an_invocation_does_not(spec: Spec) -> None:
    spec.given(mira(spell("rod", 3, category="invocation")), orc())
    begin(spec, 5, 2, Mira=("invoke", {"ability": "rod"}))
    spec.rule("damage", target="Mira", amount=1)
    assert spec["Mira"].has("casting")


@rule("VD-CONC-02")
@pytest.mark.parametrize("flag", ["impedes_movement", "impedes_action", "cannot_act"])
def test_a_hindrance_breaks_it(spec: Spec, flag: str) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("condition", target="Mira", condition="web", flags=[flag])
    assert not spec["Mira"].has("casting")


@rule("VD-CONC-02")
def test_other_conditions_do_not(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("condition", target="Mira", condition="glowing")
    assert spec["Mira"].has("casting")


@rule("VD-CONC-03")
def test_a_number_set_by_the_gm_is_no_damage(spec: Spec) -> None:
    """A ruling that sets hit points breaks no spell, unless the caster falls (GAP-53)."""
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("set-track", who="Mira", value=3)
    assert spec["Mira"].has("casting")
    spec.rule("set-track", who="Mira", value=0)
    assert not spec["Mira"].has("casting")


@rule("VD-CONC-04")
def test_losing_it_ends_what_it_has_given(spec: Spec) -> None:
    spec.given(mira(WARD), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "ward"}))
    spec.close()  # self: the caster by default
    passes(spec, "Mira", "Orc")
    assert shown(spec, "Mira", "effective_ac") == 3
    assert spec["Mira"].has("concentrating")
    spec.rule("damage", target="Mira", amount=1)
    assert not spec["Mira"].has("concentrating", "warded")
    assert shown(spec, "Mira", "effective_ac") == 5


@rule("VD-CONC-04")
def test_it_can_be_ended(spec: Spec) -> None:
    spec.given(mira(WARD), orc())
    begin(spec, 5, 2)
    with spec.refused("VD-CONC-04", "not-concentrating"):
        spec.act("Mira", "end-concentration")
    spec.rule("set-concentrating", who="Mira", ability="ward")
    spec.act("Mira", "end-concentration")
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-05")
def test_all_movement_of_the_round_counts_together(spec: Spec) -> None:
    spec.given(mira(WARD, movement={"walk": {"rate": 40}}, at=[0, 0]), orc(at=[9, 9]))
    spec.rule("set-concentrating", who="Mira", ability="ward")
    begin(spec, 5, 2)
    spec.act("Mira", "move", path=[[3, 0]])  # 15 of 20 ft
    assert spec["Mira"].has("concentrating")
    spec.act("Mira", "position", path=[[5, 0]])
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-06")
def test_maintaining_carries_no_penalty(spec: Spec) -> None:
    spec.given(mira(WARD, saves={"spells": 12}), orc(abilities=[
        power("gaze", damage=None, save={"category": "spells"}),
    ]))  # fmt: skip
    spec.rule("set-concentrating", who="Mira", ability="ward")
    begin(spec, 2, 5)
    spec.act("Orc", "innate", ("save", 12), ability="gaze", target="Mira")
    assert (spec.rolled("save").terms, spec.rolled("save").total) == ((), 12)
    assert shown(spec, "Mira", "effective_ac") == 5


@rule("VD-CONC-07")
def test_another_concentration_ends_the_first(spec: Spec) -> None:
    spec.given(mira(WARD, spell("bolt", 3)), orc())
    spec.rule("set-concentrating", who="Mira", ability="ward")
    announce(spec).act("Mira", "cast", spell="bolt")
    assert spec["Mira"].has("concentrating")  # nothing has begun yet
    spec.rule("close-declare", ("group-initiative", 5), ("group-initiative", 2))
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-09")
def test_an_attack_ends_what_is_maintained(spec: Spec) -> None:
    spec.given(mira(WARD, weapons=[SWORD]), orc())
    spec.rule("set-concentrating", who="Mira", ability="ward")
    begin(spec, 5, 2)
    spec.act("Mira", "attack", ("attack", 2), target="Orc")
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-10", "VD-GRID-04", "VD-GRID-05")
def test_being_jostled_breaks_it_for_both(spec: Spec) -> None:
    spec.given(
        mira(spell("bolt", 9), at=[2, 0]), hero("Ana", at=[0, 0], abilities=[WARD]), orc(at=[9, 9])
    )
    spec.rule("set-concentrating", who="Ana", ability="ward")
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc")
    passes(spec, "Ana")
    spec.act("Ana", "move", path=[[4, 0]])
    assert not spec["Mira"].has("casting")
    assert not spec["Ana"].has("concentrating")


# ---- attributes


@rule("VD-ATTR-01", "VD-ATTR-02")
def test_immunity_is_no_roll_and_no_effect(spec: Spec) -> None:
    scare = power("scare", attributes=["fear"], damage="1d4", save={"category": "spells"})
    spec.given(mira(scare), orc(immunities=["fear"], saves={"spells": 10}))
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="scare", target="Orc")
    assert not spec.events(Rolled)
    assert spec["Mira"].facts["added_segments"] == 1


@rule("VD-ATTR-03")
@pytest.mark.parametrize(
    ("immune", "carries", "works"),
    [("mind-affecting", "fear", False), ("fear", "mind-affecting", True)],
)
def test_fear_is_mind_affecting(spec: Spec, immune: str, carries: str, works: bool) -> None:
    spec.given(mira(power("x", attributes=[carries], damage="1d4")), orc(immunities=[immune]))
    begin(spec, 5, 2)
    dice = [("damage", 2)] if works else []
    spec.act("Mira", "innate", *dice, ability="x", target="Orc")
    assert spec.hp("Orc") == (18 if works else 20)


# ---- limits


@rule("VD-SPELL-01")
def test_one_spell_a_round(spec: Spec) -> None:
    flare = power("flare", action_type="immediate", counts_as_spell=True)
    spec.given(mira(spell("bolt", 3), flare), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Mira", "immediate", ability="flare", target="Orc")


@rule("VD-SPELL-01")
def test_an_immediate_one_counts_from_its_use(spec: Spec) -> None:
    flare = power("flare", action_type="immediate", category="incantation", damage=None)
    spec.given(mira(spell("bolt", 3), flare), orc())
    announce(spec).act("Mira", "immediate", ability="flare", target="Orc")
    with spec.refused("VD-SPELL-01", "one-spell-per-round"):
        spec.act("Mira", "cast", spell="bolt")


@rule("VD-SPELL-02")
@pytest.mark.parametrize("verdict", ["yes", "no"])
def test_the_gm_may_count_an_innate_ability(spec: Spec, verdict: str) -> None:
    spec.given(mira(power("copy", counts_as_spell="ask", damage=None)), orc())
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="copy", target="Orc")
    assert asked(spec) == [("counts-as-spell", None)]
    spec.answer(None, verdict)
    assert spec["Mira"].budget["spell"] == (0 if verdict == "yes" else 1)


@rule("VD-SPELL-02")
def test_counted_beside_a_spell_it_is_refused(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3), power("copy", counts_as_spell="ask", uses=1)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Mira", "innate", ability="copy", target="Orc")
    spec.answer(None, "yes", name="counts-as-spell")
    assert spec.event(Prevented).reason == "one-spell-per-round"
    assert "uses_spent" not in spec["Mira"].facts


@rule("VD-SPELL-03")
def test_a_spell_like_ability_is_innate_unless_noted(spec: Spec) -> None:
    glow = power("glow", category="spell_like", damage=None)
    spec.given(mira(glow), orc())
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ability="glow", target="Orc")
    assert spec["Mira"].budget == {"major": 1, "spell": 0}


# ---- targets


@rule("VD-TGT-02")
def test_a_target_must_be_of_the_right_kind(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    with spec.raises(Malformed):
        spec.answer("Mira", "target", square=[1, 1], name="spell-target")


@rule("VD-TGT-03")
def test_without_a_target_it_is_lost_in_that_d1(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "none", name="spell-target")
    assert "bolt lost: no target was announced" in notes(spec)
    assert spec.combat.phase == "group/HIGH/D4"


@rule("VD-TGT-03")
def test_a_target_that_has_gone_loses_it(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc(), foe("Rat", weapons=[]))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Rat", name="spell-target")
    spec.leave("Rat")
    passes(spec, "Mira", "Orc")
    assert "bolt lost: the target has gone" in notes(spec)


def test_an_area_reaches_all_within_its_radius(spec: Spec) -> None:
    """An area affects all combatants within its radius, with one damage roll (GAP-59).

    Their saves come in joining order.
    """
    blast = spell(
        "blast", 3, targets="point", radius_ft=10, damage="2d6",
        save={"category": "spells", "on_success": "half"},
    )  # fmt: skip
    saves = {"saves": {"spells": 11}}
    spec.given(
        mira(blast, at=[0, 0], **saves), orc(at=[5, 0], **saves),
        foe("Rat", at=[7, 0], weapons=[], **saves), foe("Far", at=[8, 0], weapons=[], **saves),
    )  # fmt: skip
    begin(spec, 5, 2, Mira=("cast", {"spell": "blast"}))
    spec.answer("Mira", "target", square=[5, 0], name="spell-target")
    passes(spec, "Mira", "Orc", "Rat")
    spec.act("Far", "pass", ("save", 10), ("save", 11), ("damage", 4, 3))
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [
        ("Orc", 7),
        ("Rat", 3),
    ]


def test_without_a_radius_the_gm_says_whom(spec: Spec) -> None:
    spec.given(mira(spell("fog", 3, targets="area", damage="1d6")), orc())
    cast(spec, target={"square": [1, 1]}, ability="fog")
    reply(spec, "affected", "who", ("damage", 2), who=["Orc"])
    assert spec.hp("Orc") == 18


def test_a_spell_that_is_lost_before_its_moment_is_lost_once(spec: Spec) -> None:
    """At equal ranks, a gaze of 1 segment comes before a wand of 2 and breaks it (VD-E-04)."""
    wand = spell("wand", 1, category="invocation", concentration_to_cast=True)
    omen = power("omen", timing="go_first", targets="self", range_ft=0)
    spec.given(mira(wand, omen), orc(abilities=[power("gaze", damage="1d4")]))
    begin(spec, 3, 3, Mira=("invoke", {"ability": "wand"}))
    spec.act("Mira", "go-first", ability="omen")
    passes(spec, "Mira")
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Orc", "innate", ("damage", 1), ability="gaze", target="Mira")
    assert [text for text in notes(spec) if "lost" in text] == ["wand lost: it was hurt"]


# ---- lines


@rule("VD-LOE-01", "VD-LOE-03")
@pytest.mark.parametrize(("fields", "works"), [({}, False), ({"range_ft": "touch"}, True)])
def test_a_wall_between_them(spec: Spec, fields: dict[str, Any], works: bool) -> None:
    spec.given(mira(spell("bolt", 3, **fields)), orc())
    spec.rule("block-line", **{"from": "Mira", "to": "Orc"})
    cast(spec, *([("damage", 2)] if works else []))
    assert spec.hp("Orc") == (18 if works else 20)


@rule("VD-LOE-02")
@pytest.mark.parametrize(("opening", "works"), [([1, 1], True), ([3, 0.5], False)])
def test_an_opening_of_a_foot_each_way(spec: Spec, opening: list[float], works: bool) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    spec.rule("block-line", **{"from": "Mira", "to": "Orc", "opening_ft": opening})
    cast(spec, *([("damage", 2)] if works else []))
    assert spec.hp("Orc") == (18 if works else 20)


@rule("VD-LOE-01")
def test_a_line_can_be_cleared(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    spec.rule("block-line", **{"from": "Mira", "to": "Orc"})
    spec.rule("clear-line", **{"from": "Mira", "to": "Orc"})
    cast(spec, ("damage", 2))
    assert spec.hp("Orc") == 18


@rule("VD-LOE-05")
@pytest.mark.parametrize(("caster", "target", "works"), [(True, True, True), (True, False, False)])
def test_the_surface_of_the_water(spec: Spec, caster: bool, target: bool, works: bool) -> None:
    spec.given(mira(spell("bolt", 3), submerged=caster), orc(submerged=target))
    cast(spec, *([("damage", 2)] if works else []))
    assert spec.hp("Orc") == (18 if works else 20)


@rule("VD-LOE-06")
def test_data_may_switch_it_off(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3, needs_line_of_effect=False)), orc())
    spec.rule("block-line", **{"from": "Mira", "to": "Orc"})
    cast(spec, ("damage", 2))
    assert spec.hp("Orc") == 18


@rule("VD-LOS-01")
def test_sight_counts_when_the_casting_is_complete(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3)), orc())
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.rule("set-concealment", **{"from": "Mira", "to": "Orc", "percent": 100})
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")  # nothing is refused
    spec.rule("set-concealment", **{"from": "Mira", "to": "Orc", "percent": 0})
    passes(spec, "Mira").act("Orc", "pass", ("damage", 2))
    assert spec.hp("Orc") == 18


@rule("VD-LOS-01")
def test_touch_needs_no_sight(spec: Spec) -> None:
    spec.given(mira(spell("bolt", 3, range_ft="touch")), orc())
    engaged(spec, ("Mira", "Orc"))
    spec.rule("set-concealment", **{"from": "Mira", "to": "Orc", "percent": 100})
    cast(spec, ("damage", 2))
    assert spec.hp("Orc") == 18


# ---- saves


@rule("VD-EHD-03", "VD-ATTR-02")
def test_a_save_number_comes_from_the_table_or_the_gm(spec: Spec) -> None:
    """The GM sets the number of a save if the table has none (GAP-23)."""
    scare = power("scare", save={"category": "spells"}, damage="1d4")
    spec.given(
        mira(scare, scare | {"id": "scare2"}), foe("Gnoll", hit_dice="5+5"), orc(),
        monster_save_table={"7-8": {"spells": 14}},
    )  # fmt: skip
    begin(spec, 5, 2)
    spec.act("Mira", "innate", ("save", 14), ability="scare", target="Gnoll")
    assert (spec.rolled("save").target, spec.rolled("save").outcome) == (14, "success")
    spec.act("Mira", "innate", ability="scare2", target="Orc")
    spec.answer(None, "none", name="multiple-minors")
    spec.answer(None, "set", ("save", 9), ("damage", 1), name="missing-save-number", number=10)
    assert spec.rolled("save").outcome == "failure"


def test_a_question_about_an_ability_tells_its_name(spec: Spec) -> None:
    """The GM's prompt calls the spell by its name, not by its id (VD-SPELL-02, VD-LOS-03)."""
    wish = power("w-1", name="Lesser Wish", counts_as_spell="ask", targets="self", range_ft=0)
    spec.given(mira(wish), orc())
    until(begin(spec, 5, 2), "group/HIGH/D1").act("Mira", "innate", ability="w-1")
    asked = spec.prompt(None, "counts-as-spell")
    assert asked.text == "Does Lesser Wish of Mira count as a spell?"
