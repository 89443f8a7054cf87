"""Play the worked examples of the rulebook's specification."""

import pytest

from domain.record.events import Noted, PhaseBegan, Prevented, Rolled
from tests import results
from tests.rulesets.vile_darkness.units import (
    BOW,
    SWORD,
    announce,
    begin,
    close,
    engaged,
    foe,
    hero,
    next_round,
    passes,
    power,
    shown,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule


def order(spec: Spec, purpose: str = "attack") -> list[str]:
    """Return the combatants that have rolled for `purpose` in this fight, in order."""
    path = spec.live.history.path
    return [
        recorded.event.who
        for recorded in path
        if isinstance(recorded.event, Rolled) and recorded.event.purpose == purpose
    ]


def notes(spec: Spec) -> list[str]:
    """Return the notes of the last step."""
    return results.notes(spec.told())


# ---- Example 2: modifiers and AC bonus


def ilse(spec: Spec, ac: int, spell_bonus: int, bonus: int = 1) -> Spec:
    spec.given(
        hero("Ilse", aac0=18, attack_modifiers=[{"value": bonus}]),
        foe("Gorm", ac=ac, max_hp=40, ac_modifiers=[{"value": spell_bonus}] if spell_bonus else []),
    )
    return begin(spec, 6, 1)


@rule("VD-ATK-02")
@pytest.mark.parametrize(
    ("ac", "bonus", "face", "modifier", "needed", "outcome"),
    [
        (4, 2, 15, 1, 16, "hit"),  # AC 4 − 2 = 2, 18 − 2 = 16, 15 + 1 = 16
        (4, 2, 14, 1, 16, "miss"),
        (-6, 0, 19, 1, 20, "hit"),  # raw 24 → 20, 19 + 1 = 20
        (-8, 0, 19, 1, 21, "miss"),  # raw 26 → 21, 20 < 21
        (-8, 0, 20, 1, 21, "hit"),
        (-8, 0, 20, -3, 21, "hit"),  # 17 < 21, but a natural 20
    ],
)
def test_example_2(
    spec: Spec, ac: int, bonus: int, face: int, modifier: int, needed: int, outcome: str
) -> None:
    ilse(spec, ac, bonus, modifier)
    dice = [("attack", face)] + ([("damage", 1)] if outcome == "hit" else [])
    spec.act("Ilse", "attack", *dice, target="Gorm")
    rolled = spec.rolled("attack")
    assert (rolled.target, rolled.total, rolled.outcome) == (needed, face + modifier, outcome)


# ---- Example 3: a routine


@rule("VD-ROUT-03")
def test_example_3(spec: Spec) -> None:
    spec.given(
        foe("Bear", aac0=16, weapons=[], stat_line="MELEE: 2 claws (1d6/1d6) and bite (1d8)"),
        hero("Tam", ac=6, max_hp=7),
    )
    begin(spec, 6, 1)
    spec.act(
        "Bear", "attack", ("attack", 12), ("damage", 4), ("attack", 10), ("damage", 5),
        ("attack", 3), target="Tam",
    )  # fmt: skip
    assert [rolled.target for rolled in spec.events(Rolled, purpose="attack")] == [10, 10, 10]
    assert spec.hp("Tam") == -2  # 7 − 4 − 5
    assert spec["Tam"].has("down")


# ---- Example 6: TIED


def tied(spec: Spec, orc_speed: int) -> Spec:
    spec.given(
        hero("Odo", weapons=[BOW], max_hp=40),
        hero("Berta", weapons=[weapon("axe", "1d8", 7)], max_hp=3, ac=5,
             shield={"name": "small-shield", "ac_bonus": 1}),
        foe("Goblin", weapons=[weapon("knife", "1d4", 3)], max_hp=40),
        foe("Orc", weapons=[weapon("sword", "1d8", orc_speed)], max_hp=40),
    )  # fmt: skip
    begin(spec, 3, 3)
    assert [shown(spec, who, "rank") for who in ("Odo", "Orc")] == ["HIGH", "HIGH"]
    spec.act("Odo", "attack", ("attack", 2), target="Goblin")  # D2: alone in it
    dropped = {"activity": "drop-item", "item": "small-shield"}
    spec.act("Berta", "attack", target="Orc", **{"with": [dropped]})
    spec.act("Goblin", "attack", target="Odo")
    return spec


@rule("VD-INIT-05", "VD-SIMP-04")
def test_example_6_the_orc_is_faster(spec: Spec) -> None:
    tied(spec, 5).act("Orc", "attack", ("attack", 2), ("attack", 15), ("damage", 3), target="Berta")
    assert order(spec) == ["Odo", "Goblin", "Orc"]  # 3, 5, and 7 + 1 for Berta's axe
    assert spec["Berta"].has("down")
    spec.answer(None, "down", name="dying")
    assert spec.event(Prevented).who == "Berta"
    assert spec["Berta"].budget["major"] == 1


@rule("VD-INIT-07")
def test_example_6_simultaneous(spec: Spec) -> None:
    tied(spec, 8).act(
        "Orc", "attack", ("attack", 2), ("attack", 15), ("damage", 4), ("attack", 15),
        ("damage", 3), target="Berta",
    )  # fmt: skip
    assert order(spec) == ["Odo", "Goblin", "Berta", "Orc"]
    assert spec.hp("Orc") == 36  # both blows count
    assert spec.hp("Berta") == 0
    assert spec["Berta"].has("down")


# ---- Example 7: delay


def delayed(spec: Spec, *, declared: bool) -> Spec:
    spec.given(
        hero("Odo", weapons=[BOW], max_hp=40),
        foe("Shaman", weapons=[], abilities=[power("gaze", damage=None)]),
        foe("Archer", weapons=[BOW], max_hp=40),
        foe("Goblin", weapons=[weapon("knife", "1d4", 3)]),
    )
    announce(spec)
    if declared:
        spec.act("Odo", "delay")
    close(spec, 5, 2)
    if not declared:
        spec.act("Odo", "delay")  # in HIGH D2
    return spec


@rule("VD-DELAY-02", "VD-DELAY-03", "VD-DELAY-09")
def test_example_7_announced(spec: Spec) -> None:
    delayed(spec, declared=False)
    assert spec["Odo"].has("delayed")
    assert shown(spec, "Odo", "rank") == "LOW"
    assert spec.combat.phase == "group/LOW/D1"
    spec.act("Shaman", "innate", ability="gaze", target="Odo").act("Shaman", "pass")
    assert spec.combat.phase == "group/LOW/D2"
    spec.act("Odo", "attack", target="Archer")
    spec.act("Archer", "attack", ("attack", 2), ("attack", 2), target="Odo")
    assert order(spec) == ["Archer", "Odo"]
    until(spec, "end-of-round")
    assert not spec["Odo"].has("delayed")


@rule("VD-DELAY-06", "VD-INIT-07")
def test_example_7_declared(spec: Spec) -> None:
    delayed(spec, declared=True)
    assert not spec["Odo"].has("delayed")
    assert spec["Odo"].has("declared-delay")
    assert spec.combat.phase == "group/LOW/D1"
    passes(spec, "Shaman")
    spec.act("Odo", "attack", target="Archer")
    spec.act("Archer", "attack", ("attack", 2), ("attack", 2), target="Odo")
    assert order(spec) == ["Odo", "Archer"]  # one batch, in the order of joining


# ---- Example 8: spells


def spellcasters(spec: Spec, *, goblin: bool = False) -> Spec:
    others = [foe("Goblin", weapons=[weapon("knife", "1d4")])] if goblin else []
    spec.given(
        hero("Mira", weapons=[], abilities=[spell("bolt", 3, uses=1)]),
        foe("Hexer", weapons=[], abilities=[spell("hex", 2, damage="1d4", uses=1)]),
        *others,
    )
    bolt, hex = ("cast", {"spell": "bolt"}), ("cast", {"spell": "hex"})
    begin(spec, 5, 2, Mira=bolt, Hexer=hex)
    assert spec.combat.phase == "group/HIGH/D1"
    spec.answer("Mira", "target", combatant="Hexer", name="spell-target")
    passes(spec, "Mira")  # D4
    assert spec.combat.phase == "group/LOW/D1"
    return spec.answer("Hexer", "target", combatant="Mira", name="spell-target")


@rule("VD-E-02", "VD-E-04", "VD-CONC-08")
def test_example_8(spec: Spec) -> None:
    spellcasters(spec)
    spec.act("Hexer", "pass", ("damage", 4))  # D4, then step 7. Segment 2 is first, even in LOW
    assert spec.hp("Mira") == 16
    assert not spec["Mira"].has("casting")
    assert "bolt lost: it was hurt" in notes(spec)
    assert (spec["Mira"].budget["major"], spec["Mira"].budget["spell"]) == (0, 0)
    until(spec, "end-of-round")
    assert spec.hp("Hexer") == 20
    spec.answer(None, "next-round", name="end-of-round")
    with spec.refused("VD-CONC-08", "no-uses-left"):  # the lost spell is used up, as if cast
        spec.act("Mira", "cast", spell="bolt")


@rule("VD-MIN-05", "VD-E-03")
def test_example_8_a_minor_slows_it(spec: Spec) -> None:
    spec.given(hero("Mira", weapons=[], abilities=[spell("bolt", 3)]), foe("Orc"))
    begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    spec.act("Mira", "simple", activity={"activity": "draw-weapon", "item": "wand-case"})
    assert shown(spec, "Mira", "casting") == {"ability": "bolt", "segment": 4}
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 5))
    assert spec.combat.phase == "spells/4/HIGH"


@rule("VD-CONC-03")
def test_example_8_a_blow_before_it(spec: Spec) -> None:
    spec.given(
        hero("Goblin", weapons=[weapon("knife", "1d4")]),
        foe("Hexer", weapons=[], abilities=[spell("hex", 2)]),
    )
    begin(spec, 2, 5, Hexer=("cast", {"spell": "hex"}))
    spec.answer("Hexer", "target", combatant="Goblin", name="spell-target")
    passes(spec, "Hexer")
    spec.act("Goblin", "attack", ("attack", 15), ("damage", 1), target="Hexer")
    assert not spec["Hexer"].has("casting")
    until(spec, "end-of-round")
    assert spec.hp("Goblin") == 20


# ---- Example 9: fleeing


@rule("VD-FAST-06", "VD-FREE-04", "VD-FREE-07", "VD-FREE-09")
def test_example_9(spec: Spec) -> None:
    ward = spell("ward", 2, targets="self", range_ft=0, concentration_to_maintain=True)
    spec.given(
        hero("Rolf", aac0=17, max_hp=20, abilities=[ward]),
        foe("OrcA", ac=6, max_hp=5),
        foe("OrcB", ac=6, max_hp=5),
        flee={"attack_bonus": 2},
    )
    spec.rule("set-concentrating", who="Rolf", ability="ward")
    engaged(spec, ("Rolf", "OrcA"), ("Rolf", "OrcB"))
    begin(spec, 4, 1, OrcA="flee", OrcB="flee")
    assert spec.combat.phase == "fast/B/LOW"
    spec.act("OrcA", "flee").act("OrcB", "flee")
    assert spec.open() == [("reaction", "free-attack", "Rolf")]
    assert spec.prompt("Rolf").data["targets"] == ["OrcA", "OrcB"]
    assert spec.prompt("Rolf").data["breaks_concentration"] is True
    spec.answer("Rolf", "take", ("attack", 9), ("damage", 6), target="OrcA")
    rolled = spec.rolled("attack")
    assert (rolled.target, rolled.total, rolled.outcome) == (11, 11, "hit")  # 17 − 6; 9 + 2
    assert spec.hp("OrcA") == -1
    assert "OrcA flees" not in results.notes(spec.told())
    spec.answer(None, "down", name="dying")
    assert not spec["OrcB"].has("engaged")
    assert not spec["Rolf"].has("concentrating", "engaged")
    assert spec["Rolf"].budget["major"] == 1


# ---- Example 10: an immediate attack instead of a spell


@rule("VD-IMMA-02", "VD-IMMA-03", "VD-IMMA-04")
def test_example_10(spec: Spec) -> None:
    spec.given(
        hero("Sera", abilities=[spell("bolt", 4)]),
        hero("Kett", multi_attack={"routines": 2}),
        hero("Ute"),
        foe("Orc", max_hp=40),
    )
    engaged(spec, ("Kett", "Orc"), ("Sera", "Orc"))
    begin(spec, 5, 1, Sera=("cast", {"spell": "bolt"}))
    spec.act("Kett", "attack", ("attack", 2), target="Orc")  # step 4
    assert spec.combat.phase == "group/HIGH/D1"
    with spec.refused("VD-IMMA-02", "major-already-used"):
        spec.rule("grant-immediate-attack", attacker="Kett", against="Orc")
    spec.rule("grant-immediate-attack", attacker="Sera", against="Orc")
    spec.answer("Sera", "take", ("attack", 15), ("damage", 3), name="immediate-attack")
    assert spec.hp("Orc") == 37
    assert "bolt lost: given up" in results.notes(
        recorded.event for recorded in spec.live.history.path
    )
    assert spec.combat.phase == "group/HIGH/D3"  # nothing is left to declare in D1
    with spec.refused("VD-MAJ-01", "major-already-used"):
        spec.act("Sera", "attack", target="Orc")


# ---- Example 11: multi-attack


def knight(spec: Spec, *, in_melee: bool) -> Spec:
    spec.given(
        hero("Knight", multi_attack={"routines": 3}, weapons=[SWORD]),
        foe("Ogre", max_hp=60),
    )
    if in_melee:
        engaged(spec, ("Knight", "Ogre"))
    return begin(spec, 2, 5)


@rule("VD-MULTI-01", "VD-MULTI-02")
def test_example_11(spec: Spec) -> None:
    knight(spec, in_melee=True)
    assert spec.combat.phase == "multi-primary/LOW"
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    assert spec.combat.phase == "group/HIGH/D3"
    spec.act("Ogre", "attack", ("attack", 2), target="Knight")
    passes(spec, "Ogre")
    assert spec.combat.phase == "group/LOW/D4"  # nothing left in D3
    passes(spec, "Knight")
    assert spec.combat.phase == "multi-rest/LOW"
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    assert spec.combat.phase == "end-of-round"
    assert order(spec) == ["Knight", "Ogre", "Knight", "Knight"]


@rule("VD-MULTI-03")
def test_example_11_not_in_melee(spec: Spec) -> None:
    knight(spec, in_melee=False)
    assert spec.combat.phase == "group/HIGH/D3"
    passes(spec, "Ogre", "Ogre")
    assert spec.combat.phase == "group/LOW/D3"
    spec.act("Knight", "attack", ("attack", 2), target="Ogre")
    passes(spec, "Knight")
    assert spec.combat.phase == "multi-rest/LOW"


# ---- Example 12: maintaining


def maintaining(spec: Spec, **path: object) -> Spec:
    ward = spell("ward", 2, targets="self", range_ft=0, concentration_to_maintain=True)
    movement = {"walk": {"rate": 90}, "fly": {"rate": 180, "native": True}}
    spec.given(hero("Mira", abilities=[ward], movement=movement), foe("Orc"))
    spec.rule("set-concentrating", who="Mira", ability="ward")
    begin(spec, 5, 1)
    if path:
        until(spec, "group/HIGH/D4")
        spec.act("Mira", "move", **path)
    return spec


@rule("VD-CONC-05")
@pytest.mark.parametrize(
    ("ft", "mode", "kept"),
    [(45, "walk", True), (50, "walk", False), (180, "fly", True)],
)
def test_example_12_moving(spec: Spec, ft: int, mode: str, kept: bool) -> None:
    maintaining(spec, distance_ft=ft, mode=mode)
    assert spec["Mira"].has("concentrating") is kept


@rule("VD-CONC-02")
def test_example_12_a_web(spec: Spec) -> None:
    maintaining(spec)
    spec.rule("condition", target="Mira", condition="web", flags=["impedes_movement"])
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-03")
def test_example_12_damage(spec: Spec) -> None:
    maintaining(spec)
    spec.changes_nothing("damage", combatant="Mira", amount=0)
    assert spec["Mira"].has("concentrating")
    spec.rule("damage", target="Mira", amount=1)
    assert not spec["Mira"].has("concentrating")


@rule("VD-CONC-03")
@pytest.mark.parametrize(("face", "kept"), [(12, True), (11, False)])
def test_example_12_a_save(spec: Spec, face: int, kept: bool) -> None:
    fear = power("fear", save={"category": "spells"}, attributes=["fear"])
    ward = spell("ward", 2, targets="self", range_ft=0, concentration_to_maintain=True)
    spec.given(hero("Mira", abilities=[ward], saves={"spells": 12}), foe("Shade", abilities=[fear]))
    spec.rule("set-concentrating", who="Mira", ability="ward")
    begin(spec, 1, 5)
    spec.act("Shade", "innate", ("save", face), ability="fear", target="Mira")
    assert spec["Mira"].has("concentrating") is kept


# ---- Example 13: lines and distance


@rule("VD-GRID-06", "VD-LOE-04", "VD-LOS-02")
@pytest.mark.parametrize(
    ("at", "cover", "concealment", "works"),
    [
        ([6, 8], 50, 74, True),  # √(36 + 64) × 5 = 50 ft
        ([7, 8], 0, 0, False),  # 53.15 ft
        ([6, 8], 51, 0, False),
        ([6, 8], 0, 75, False),
    ],
)
def test_example_13(spec: Spec, at: list[int], cover: int, concealment: int, works: bool) -> None:
    spec.given(
        hero("Mira", at=[0, 0], weapons=[], abilities=[spell("bolt", 3, range_ft=50)]),
        foe("Orc", at=at),
    )
    begin(spec, 5, 1, Mira=("cast", {"spell": "bolt"}))
    for ruling, percent in (("set-cover", cover), ("set-concealment", concealment)):
        if percent:
            spec.rule(ruling, **{"from": "Mira", "to": "Orc", "percent": percent})
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    passes(spec, "Mira", "Orc")
    spec.act("Orc", "pass", *([("damage", 2)] if works else []))
    assert spec.hp("Orc") == (18 if works else 20)
    assert not spec["Mira"].has("casting")


@rule("VD-LOS-03")
def test_example_13_an_area_needs_no_sight(spec: Spec) -> None:
    blast = spell("blast", 3, range_ft=50, targets="point", radius_ft=5)
    spec.given(hero("Mira", at=[0, 0], weapons=[], abilities=[blast]), foe("Orc", at=[6, 8]))
    begin(spec, 5, 1, Mira=("cast", {"spell": "blast"}))
    spec.rule("set-concealment", **{"from": "Mira", "to": "6,8", "percent": 75})
    spec.answer("Mira", "target", square=[6, 8], name="spell-target")
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 2))
    assert spec.hp("Orc") == 18


# ---- Example 14: over the round's edge


def slow(spec: Spec, segments: object, minors: int) -> Spec:
    spec.given(hero("Mira", weapons=[], abilities=[spell("slow", segments)]), foe("Orc"))
    begin(spec, 5, 1, Mira=("cast", {"spell": "slow"}))
    if spec.combat.phase == "group/HIGH/D1":
        spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    for _ in range(minors):
        spec.act("Mira", "simple", activity="close-door")
    return spec


@rule("VD-TIME-03")
def test_example_14_ten_still_fits(spec: Spec) -> None:
    slow(spec, 10, 0)
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 2))
    assert spec.combat.phase == "spells/10/HIGH"
    assert spec.hp("Orc") == 18


@rule("VD-TIME-03")
def test_example_14_eleven_is_the_next_round(spec: Spec) -> None:
    slow(spec, 10, 1)
    until(spec, "end-of-round")
    assert spec["Mira"].has("casting")
    next_round(spec, 5, 1)
    assert spec["Mira"].budget["spell"] == 0
    assert shown(spec, "Mira", "casting") == {"ability": "slow", "segment": 1}
    assert spec.prompt("Mira", "spell-target").default == "target"  # the same as before
    spec.close()
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 2))
    assert spec.combat.phase == "spells/1/HIGH"


@rule("VD-TIME-03", "VD-CONC-08")
def test_example_14_hurt_in_between(spec: Spec) -> None:
    slow(spec, 10, 1)
    until(spec, "end-of-round")
    spec.rule("damage", target="Mira", amount=1)
    assert not spec["Mira"].has("casting")


@rule("VD-TIME-08")
def test_example_14_two_rounds(spec: Spec) -> None:
    slow(spec, "2 rounds", 0)
    until(spec, "end-of-round")
    next_round(spec, 5, 1)
    spec.answer("Mira", "target", combatant="Orc", name="spell-target")
    passes(spec, "Mira", "Orc").act("Orc", "pass", ("damage", 2))
    assert spec.combat.phase == "spells/10/HIGH"


# ---- Example 15: delayed and delaying


CROSSBOW = weapon("crossbow", "1d4", kind="missile", range_ft=60, loading="load-light-crossbow")


@rule("VD-DLYG-04", "VD-DELAY-07")
def test_example_15_load_and_fire(spec: Spec) -> None:
    spec.given(hero("Nils", weapons=[CROSSBOW]), foe("Orc"))
    begin(spec, 5, 1)
    assert spec.combat.phase == "group/HIGH/D2"
    with spec.refused("VD-DLYG-04", "not-loaded"):
        spec.act("Nils", "attack", target="Orc")
    spec.act("Nils", "attack", ("attack", 2), target="Orc", **{"with": ["load-light-crossbow"]})
    assert spec.rolled("attack").who == "Nils"
    assert spec.combat.phase.startswith("group/LOW/")
    assert shown(spec, "Nils", "rank") == "LOW"
    assert not spec["Nils"].has("delayed")


@rule("VD-DLYG-06", "VD-DELAY-13")
def test_example_15_delayed(spec: Spec) -> None:
    spec.given(hero("Ylva", weapons=[CROSSBOW, SWORD]), foe("Orc"))
    begin(spec, 5, 1)
    spec.act("Ylva", "delay")
    until(spec, "group/LOW/D4")
    spec.act("Ylva", "delaying", activity="load-light-crossbow").act("Orc", "pass")
    assert spec.combat.phase == "end-of-round"
    path = [
        recorded.event.phase
        for recorded in spec.live.history.path
        if isinstance(recorded.event, PhaseBegan)
    ]
    assert path[-2:] == ["go-last", "end-of-round"]
    assert spec["Ylva"].budget["major"] == 0


@rule("VD-DLYG-06", "VD-CPLX-04")
def test_example_15_nothing_after_it(spec: Spec) -> None:
    spec.given(hero("Ylva", weapons=[CROSSBOW, SWORD], conditions=[{"id": "delayed"}]), foe("Orc"))
    begin(spec, 5, 1)
    assert spec.combat.phase == "group/LOW/D2"
    with spec.refused("VD-DLYG-06", "complex-in-progress"):  # as part of the shot
        spec.act("Ylva", "attack", target="Orc", **{"with": ["load-light-crossbow"]})
    until(spec, "group/LOW/D4")
    spec.act("Ylva", "delaying", activity="load-light-crossbow")
    spec.act("Orc", "simple", activity="close-door")
    with spec.refused("VD-CPLX-04", "complex-in-progress"):
        spec.act("Ylva", "attack", target="Orc")


# ---- Example 16: foiled


@rule("VD-FOIL-01", "VD-FOIL-03")
def test_example_16_immune(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Wight", attack_immunities=[{"to": "non-magical"}]))
    begin(spec, 5, 1)
    spec.act("Ana", "attack", ("attack", 20), target="Wight")
    assert spec.rolled("attack").outcome == "foiled"
    note = spec.event(Noted)
    assert (note.text, note.private) == ("Ana's attack is foiled: Wight is immune", True)
    assert spec["Ana"].budget["major"] == 0


@rule("VD-FOIL-02")
def test_example_16_hedged(spec: Spec) -> None:
    spec.given(foe("Demon"), hero("Ana", contact_barriers=[{"against": "Demon"}]))
    begin(spec, 5, 1)
    spec.act("Demon", "attack", ("attack", 20), target="Ana")
    note = spec.event(Noted)
    assert (note.text, note.private) == ("Demon's attack is foiled: Ana is hedged", False)
    assert spec.hp("Ana") == 20
