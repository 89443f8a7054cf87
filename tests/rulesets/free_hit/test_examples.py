"""Play the worked examples of the specification, with sums computed by hand."""

from domain.record.events import (
    CombatBegan,
    CombatEnded,
    ConditionGained,
    Damaged,
    Downed,
    Healed,
    InitiativeSet,
    RoundBegan,
    TurnBegan,
)
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def order(spec: Spec) -> list[str]:
    return [place.who for place in spec.combat.order]


def queue(spec: Spec) -> list[str]:
    return [place.who for place in spec.combat.queue]


def tn(spec: Spec, who: str) -> int:
    value: int = spec.ruleset.derived(spec.combat, who)["target_number"]
    return value


def shown(spec: Spec, who: str, name: str) -> object:
    return spec.ruleset.derived(spec.combat, who)[name]


def budget(spec: Spec, who: str) -> tuple[int, int, int]:
    left = spec[who].budget
    return left["aa"], left["ma"], left["ba"]


@rule("FH-INI-01", "FH-INI-02", "FH-INI-03", "FH-INI-04", "FH-INI-05", "FH-INI-06", "FH-INI-09")
def test_e1_lineup_initiator_tie_delay(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=4, accuracy=2, weapons=[SWORD], at=[0, 0]),
        unit("Bo", agility=2),
        foe("Cy", agility=2, at=[1, 0]),
        foe("Dru", agility=-1),
    )
    spec.act("Ana", "initiate", ("attack", 7), target="Cy", weapon="sword")
    assert spec.rolled("attack").total == 9  # 7 + 2
    assert spec.rolled("attack").target == 12  # 10 + 2
    assert spec.rolled("attack").outcome == "miss"
    spec.begin()
    assert order(spec) == ["Bo", "Cy", "Dru", "Ana"]
    kinds = [type(event) for event in spec.told()]
    wanted = [CombatBegan, InitiativeSet, RoundBegan, TurnBegan]
    assert [kind for kind in kinds if kind in wanted] == wanted
    spec.act("Bo", "end-turn")
    spec.act("Cy", "delay", after="Dru")
    assert spec.open() == [("turn", "turn", "Dru")]
    spec.act("Dru", "end-turn")
    assert spec.open() == [("turn", "turn", "Cy")]
    spec.act("Cy", "end-turn")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert budget(spec, "Ana") == (1, 1, 2)
    spec.act("Ana", "end-turn")
    assert spec.combat.round == 2
    assert queue(spec) == ["Bo", "Cy", "Dru", "Ana"]


@rule("FH-ATK-02", "FH-ATK-04", "FH-AIM-09", "FH-BST-01", "FH-BST-02", "FH-FLK-01", "FH-FLK-02")
def test_e2_equal_hits_center_mass_boosts_from_behind(spec: Spec) -> None:
    spec.given(
        unit("Ede", agility=5, accuracy=2, strength=1, weapons=[SWORD], at=[0, 0]),
        foe("wolf", agility=2, at=[0, 1], facing=[0, 1]),
    ).begin()
    spec.act("Ede", "boost-hit").act("Ede", "boost-damage")
    spec.act(
        "Ede", "attack", ("attack", 7), ("damage", 5), target="wolf", weapon="sword",
        aim="center-mass",
    )  # fmt: skip
    assert spec.rolled("attack").total == 12  # 7 + 2 + 1 boost + 1 Center Mass + 1 behind
    assert spec.rolled("attack").target == 12  # 10 + 2
    assert spec.rolled("damage").total == 7  # 5 + 1 Strength + 1 boost
    assert spec.events(ConditionGained) == []  # a wound, but without a condition
    assert spec.hp("wolf") == 13  # 20 − 7
    assert budget(spec, "Ede") == (0, 1, 0)


@rule("FH-AIM-03", "FH-DMG-04", "FH-DMG-05", "FH-AIM-10")
def test_e3_fatal_aim_armour_net_damage(spec: Spec) -> None:
    armour = {"source": "hide", "amount": 3}
    spec.given(
        unit("Kar", agility=5, accuracy=2, strength=2, weapons=[weapon("maul", "2d6")], at=[0, 0]),
        foe("ogre", agility=1, max_hp=30, reductions=[armour], at=[1, 0]),
    ).begin()
    spec.act(
        "Kar", "attack", ("attack", 9), ("damage", 4, 3), ("fatal", 4), target="ogre",
        weapon="maul", aim="head",
    )  # fmt: skip
    assert spec.rolled("attack").total == 11  # 9 + 2 against 11
    assert spec.event(Damaged).amount == 22  # (4 + 3 + 2) − 3 + 16
    assert spec.hp("ogre") == 8
    spec.undo().undo().undo().undo()
    # With 4 and 2, the net damage is 8 − 3 = 5: no wound, no fatal roll.
    spec.act("Kar", "attack", ("attack", 9), ("damage", 4, 2), target="ogre", aim="head")
    assert spec.hp("ogre") == 25


@rule("FH-SNK-01", "FH-SNK-02", "FH-SNK-03", "FH-CRT-01", "FH-CRT-02", "FH-CRT-04", "FH-DMG-03")
def test_e4_sneak_attack_that_becomes_a_super_critical(spec: Spec) -> None:
    mail = {"source": "mail", "amount": 2}
    spec.given(
        unit(
            "Lin", agility=5, accuracy=1, strength=1, weapons=[weapon("knife", "1d6")],
            undetected_by=["guard"], at=[0, 0],
        ),
        foe("guard", agility=4, max_hp=40, reductions=[mail], at=[1, 0]),
    ).begin()  # fmt: skip
    spec.act(
        "Lin", "attack", ("attack", 20), ("critical-d4", 4), ("critical-d6", 2), ("damage", 3),
        ("sneak-damage", 4), target="guard",
    )  # fmt: skip
    assert spec.rolled("attack").target == 5
    assert spec.rolled("attack").total == 21  # 20 + 1
    assert spec.event(Damaged).amount == 30  # (3 + 1 + 4) × 4 = 32; − 2
    assert spec.hp("guard") == 10
    assert not spec["Lin"].has("undetected")
    assert spec["Lin"].facts.get("undetected_by") is None


@rule("FH-FUM-01", "FH-FUM-02", "FH-FUM-03", "FH-FUM-04", "FH-FUM-10", "FH-FRE-01", "FH-FRE-03")
def test_e5_a_chain_of_natural_ones(spec: Spec) -> None:
    spec.given(
        unit("Pia", agility=2, accuracy=3, strength=1, weapons=[SWORD], at=[0, 0]),
        foe("imp", accuracy=2, max_hp=9, at=[1, 0], weapons=[weapon("claws", "1d4", natural=True)]),
    ).begin()
    spec.act("Pia", "attack", ("attack", 1), ("auto-fail-d4", 2), target="imp")
    assert spec.open() == [("reaction", "free-hit", "imp")]
    spec.answer("imp", "take", ("attack", 1), ("auto-fail-d4", 3), weapon="claws")
    assert shown(spec, "imp", "free_hit_slots") == 0
    assert spec.open() == [("reaction", "free-hit", "Pia")]
    spec.answer("Pia", "take", ("attack", 8), ("damage", 5), weapon="sword")
    assert spec.rolled("attack").total == 11  # 8 + 3 against 10
    assert spec.hp("imp") == 3  # 9 − (5 + 1)
    assert shown(spec, "Pia", "free_hit_slots") == 2  # 2 + 1 − 1
    assert budget(spec, "Pia") == (0, 1, 2)
    assert spec.open() == [("turn", "turn", "Pia")]


def rok(spec: Spec) -> Spec:
    """Begin with Rok next to the goblin, who has used its only free hit of the round."""
    spec.given(
        unit("Rok", agility=1, max_hp=22, at=[0, 0], weapons=[SWORD]),
        foe("goblin", strength=1, at=[1, 0], weapons=[weapon("spear", "1d6")]),
        foe("other", agility=-9, at=[9, 9]),
    ).begin()
    return spec.rule("set-fact", who="goblin", key="free_hits", value=1)


@rule("FH-FUM-06", "FH-FUM-07", "FH-CRT-03", "FH-AIM-04", "FH-FRE-05")
def test_e6_a_tragedy_without_a_slot(spec: Spec) -> None:
    rok(spec).act(
        "Rok", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 3), target="goblin"
    )
    assert spec.open() == [("reaction", "free-critical-hit", "goblin")]
    assert spec.prompt("goblin").default == "take"
    spec.answer("goblin", "take", ("damage", 4), weapon="spear", aim="legs")
    assert spec.event(Damaged).amount == 10  # (4 + 1) × 2
    assert spec["goblin"].facts["free_hits"] == 1  # this hit used no slot
    assert spec.hp("Rok") == 12
    assert shown(spec, "Rok", "move_allowance") == 4  # 6 − 2
    assert shown(spec, "Rok", "agility_now") == 0
    assert tn(spec, "Rok") == 10
    assert shown(spec, "Rok", "free_hit_slots") == 1
    assert shown(spec, "goblin", "free_hit_slots") == 0


@rule("FH-FUM-08")
def test_e6_a_six_kills_the_attacker(spec: Spec) -> None:
    rok(spec).act(
        "Rok", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 6), target="goblin"
    )
    assert spec["Rok"].has("dead")
    assert spec.combat.status == "ended"
    assert spec.event(CombatEnded).winners == ("foes",)


@rule("FH-FRE-06", "FH-FRE-07", "FH-FRE-12", "FH-MOV-08", "FH-AIM-04", "FH-MOV-01")
def test_e7_circling_leaving_a_wound_on_the_way(spec: Spec) -> None:
    spec.given(
        unit("Tam", agility=3, max_hp=25, at=[0, 0]),
        foe(
            "hobgoblin", agility=1, accuracy=2, strength=2, at=[1, 0],
            weapons=[weapon("flail", "1d8")],
        ),
    ).begin()  # fmt: skip
    spec.act("Tam", "move", path=[[0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1]])
    assert spec["Tam"].position == (2, 1, 0)
    assert spec.prompt("hobgoblin", "free-hit").data["trigger"] == "within"
    spec.answer("hobgoblin", "pass")
    assert shown(spec, "hobgoblin", "free_hit_slots") == 2
    assert spec["Tam"].position == (2, 1, 0)  # the prompt comes before the step that leaves
    assert spec.prompt("hobgoblin", "free-hit").data["trigger"] == "leave"
    spec.answer("hobgoblin", "take", ("attack", 11), ("damage", 4), weapon="flail", aim="legs")
    assert spec.rolled("attack").total == 13  # 11 + 2 against 13
    assert spec.hp("Tam") == 19  # 25 − (4 + 2)
    assert spec["Tam"].position == (3, 1, 0)  # the allowance is 4 now
    assert shown(spec, "hobgoblin", "free_hit_slots") == 1
    assert spec.open() == [("turn", "turn", "Tam")]


@rule("FH-PRN-02", "FH-PRN-04", "FH-PRN-05", "FH-TRN-01")
def test_e8_prone_standing_up_out_of_turn(spec: Spec) -> None:
    spec.given(
        unit("Sam", agility=2, conditions=[{"id": "prone"}], at=[0, 0]),
        foe("troll", agility=5, accuracy=3, strength=3, weapons=[weapon("fist", "1d6")], at=[1, 0]),
    ).begin()
    spec.act("troll", "attack", ("attack", 4), ("damage", 2), target="Sam")
    assert spec.rolled("attack").total == 7  # 4 + 3
    assert spec.rolled("attack").target == 7  # 5 + 2
    assert spec.hp("Sam") == 15  # 20 − (2 + 3)
    spec.act("Sam", "stand-up", pay_with="ba")
    assert tn(spec, "Sam") == 12
    spec.act("troll", "end-turn")
    assert budget(spec, "Sam") == (1, 1, 1)


@rule("FH-AIM-06", "FH-AIM-07", "FH-WND-03", "FH-WND-01")
def test_e9_disrupting_wound_and_healing(spec: Spec) -> None:
    spec.given(
        unit("Vex", agility=5, accuracy=4, weapons=[weapon("bow", "1d8", kind="ranged")]),
        foe("Una", agility=1, accuracy=6, max_hp=24),
    ).begin()
    spec.act("Vex", "attack", ("attack", 10), ("damage", 7), target="Una", aim="eyes")
    assert (spec.rolled("attack").total, spec.rolled("attack").target) == (14, 11)  # 10 + 4
    assert spec.hp("Una") == 17
    assert shown(spec, "Una", "accuracy_now") == 2  # 6 − 1 − 3
    spec.act("Vex", "end-turn").act("Una", "end-turn")
    assert shown(spec, "Una", "accuracy_now") == 5  # 6 − 1
    spec.rule("heal", who="Una", amount=5)
    assert spec.hp("Una") == 22
    assert spec["Una"].has("wound-disrupting")
    spec.rule("heal", who="Una", amount=6)
    assert (spec.hp("Una"), spec.event(Healed).amount) == (24, 2)  # the heal of 6 counts in full
    assert not spec["Una"].has("wound-disrupting")
    assert shown(spec, "Una", "accuracy_now") == 6


@rule("FH-AIM-05", "FH-ACT-05", "FH-DSG-01", "FH-TRN-01")
def test_e10_weakening_wound(spec: Spec) -> None:
    spec.given(
        unit("Bar", agility=4, accuracy=3, strength=2, weapons=[SWORD], at=[0, 0]),
        foe(
            "Kel",
            agility=1,
            accuracy=2,
            strength=3,
            max_hp=26,
            at=[1, 0],
            weapons=[weapon("axe", "1d10")],
        ),
        unit("Cut", agility=-5, accuracy=0),
    ).begin()
    spec.act("Bar", "attack", ("attack", 12), ("damage", 6), target="Kel", aim="arms")
    assert spec.hp("Kel") == 18  # 26 − (6 + 2)
    assert shown(spec, "Kel", "strength_now") == 2
    spec.act("Bar", "end-turn")
    assert budget(spec, "Kel") == (1, 1, 1)
    with spec.refused("FH-ACT-05", "no-bonus-action"):
        spec.act("Kel", "extra-attack", target="Bar", weapon="axe")
    with spec.refused("FH-DSG-01", "no-bonus-action"):
        spec.act("Kel", "disengage", pay_with="ba")
    spec.act("Kel", "attack", ("attack", 14), ("damage", 3), target="Bar", weapon="axe")
    assert spec.rolled("attack").total == 16  # 14 + 2
    assert spec.rolled("attack").target == 14  # 10 + 4
    assert spec.hp("Bar") == 15  # 20 − (3 + 2)


@rule("FH-SPL-01", "FH-SPL-02", "FH-SPL-03", "FH-SPL-04", "FH-CHN-01", "FH-CHN-02", "FH-CHN-04")
def test_e11_channeling(spec: Spec) -> None:
    bolt = {
        "id": "bolt", "name": "bolt", "cast_time": {"aa": 2, "ma": 1}, "mp_cost": 6,
        "attack": True, "damage": "3d6",
        "notes": [{"id": "bigger", "ba": 1, "changes": {"damage": "4d6"}}],
    }  # fmt: skip
    spec.given(
        unit("Mag", agility=3, accuracy=2, max_mp=10, spells=[bolt]),
        foe("orc", agility=1, accuracy=3, weapons=[BOW]),
    ).begin()
    spec.act("Mag", "cast", spell="bolt")
    assert spec["Mag"].has("channeling")
    assert tn(spec, "Mag") == 5
    assert (spec.hp("Mag", "mp"), budget(spec, "Mag")) == (10, (0, 0, 2))
    spec.act("Mag", "end-turn")
    spec.act("orc", "attack", ("attack", 2), ("damage", 3), target="Mag")
    assert spec.rolled("attack").total == 5  # 2 + 3 against 5
    assert spec["Mag"].has("channeling")
    spec.act("orc", "end-turn")
    spec.act(
        "Mag", "continue-casting", ("attack", 10), ("damage", 6, 2, 3, 5), spell="bolt",
        targets=["orc"], notes=["bigger"],
    )  # fmt: skip
    assert spec.hp("Mag", "mp") == 4  # 10 − 6
    assert tn(spec, "Mag") == 13
    assert spec.rolled("attack").total == 12  # 10 + 2 against 11
    assert spec.hp("orc") == 4  # 20 − 16
    assert budget(spec, "Mag") == (0, 1, 1)


@rule(
    "FH-SMN-01", "FH-SMN-02", "FH-SMN-03", "FH-SCK-01", "FH-SCK-02", "FH-THR-02", "FH-THR-04",
    "FH-THR-05", "FH-SEQ-07", "FH-SEQ-08", "FH-INI-12",
)  # fmt: skip
def test_e12_summoning_sickness_thrall(spec: Spec) -> None:
    bones = {
        "name": "Bones", "agility": 2, "accuracy": 5, "max_hp": 10, "level": 2,
        "weapons": [weapon("claw", "1d4", natural=True)],
    }  # fmt: skip
    call = {"id": "call", "name": "call", "mp_cost": 3, "summon": {"sheet": bones}}
    spec.given(
        unit("Nec", agility=1, max_mp=9, spells=[call], at=[0, 0]),
        foe("Foe", accuracy=1, max_hp=2, at=[2, 0], weapons=[weapon("axe", "1d4")]),
    ).begin()
    spec.act("Nec", "cast", spell="call", spaces=[[1, 0]])
    assert order(spec) == ["Bones", "Nec", "Foe"]
    assert spec["Bones"].has("summoning-sick")
    assert tn(spec, "Bones") == 5
    spec.act("Nec", "end-turn")
    spec.act("Foe", "attack", ("attack", 4), ("damage", 1), target="Bones")
    assert spec.rolled("attack").outcome == "hit"  # 4 + 1 = 5 against 5
    spec.act("Foe", "end-turn")
    # In round 2, Bones' place comes first and is lost. At Nec's place, the sickness ends.
    assert spec.open() == [("turn", "turn", "Nec")]
    assert not spec["Bones"].has("summoning-sick")
    assert tn(spec, "Bones") == 12
    with spec.refused("FH-SMN-02", "slots-full"):
        spec.act("Nec", "cast", spell="call", spaces=[[0, 1]])
    with spec.refused("FH-SMN-02", "slots-full"):  # whatever the space
        spec.act("Nec", "cast", spell="call")
    spec.act("Nec", "end-turn").act("Foe", "end-turn")
    spec.act("Bones", "attack", ("attack", 9), ("damage", 3), target="Foe")
    assert spec.event(Downed).who == "Foe"
    assert spec.hp("Nec", "mp") == 9
    assert spec.open() == [("choice", "thrall", "Nec")]
    spec.answer("Nec", "retain")
    assert shown(spec, "Nec", "max_hp_now") == 8  # 20 − 6 × 2
    assert spec.hp("Nec") == 8
    assert spec.combat.status == "ended"


@rule("FH-ACT-06", "FH-ACT-07", "FH-FT-06", "FH-FT-07", "FH-ZON-02", "FH-FT-01")
def test_e13_additional_attack(spec: Spec) -> None:
    spec.given(
        unit(
            "Zed", agility=9, accuracy=3, strength=4, at=[0, 0],
            feats={"reach": True, "weapon_focus": ["glaive"]},
            weapons=[weapon("glaive", "1d10")],
        ),
        foe("ape", agility=2, max_hp=30, at=[2, 0]),
        foe("bat", agility=1, max_hp=12, at=[0, 1]),
    ).begin()  # fmt: skip
    spec.act("Zed", "attack", ("attack", 9), ("damage", 8, 1), target="ape", weapon="glaive")
    assert spec.rolled("attack").total == 12  # 9 + 3 against 12
    assert spec.hp("ape") == 17  # 30 − (8 + 1 + 4)
    with spec.refused("FH-ATK-07", "out-of-reach"):
        spec.act("Zed", "extra-attack", target="ape", weapon="glaive")
    spec.act("Zed", "extra-attack", ("attack", 8), ("damage", 7), target="bat", weapon="glaive")
    assert spec.hp("bat") == 5  # 12 − 7: one die, no Strength
    assert budget(spec, "Zed") == (0, 0, 0)
    assert shown(spec, "Zed", "free_hit_slots") == 10  # none used: 9 + 1


@rule("FH-BST-03", "FH-BST-04", "FH-BST-05", "FH-DUR-01")
def test_e14_dodge_boost_of_the_last_in_the_lineup(spec: Spec) -> None:
    spec.given(
        unit("Fay", agility=3, accuracy=5, weapons=[SWORD], at=[0, 0]),
        foe("Gus", weapons=[SWORD], at=[1, 0]),
    ).begin()
    spec.act("Fay", "end-turn")
    spec.act("Gus", "boost-dodge").act("Gus", "boost-dodge")
    assert tn(spec, "Gus") == 12
    spec.act("Gus", "end-turn")
    spec.act("Fay", "attack", ("attack", 6), target="Gus")
    assert spec.rolled("attack").outcome == "miss"  # 6 + 5 = 11 against 12
    spec.act("Fay", "end-turn")
    assert tn(spec, "Gus") == 10
    spec.act("Gus", "boost-hit").act("Gus", "end-turn")
    assert not spec["Gus"].has("hit-boost")  # the boost ends with the round, even if Gus acts last


@rule("FH-FUM-05", "FH-FUM-07", "FH-ZON-01", "FH-ZON-03")
def test_e15_no_strike_from_afar(spec: Spec) -> None:
    spec.given(
        unit("archer", agility=5, weapons=[BOW], at=[0, 0]),
        foe("brute", at=[5, 0], weapons=[SWORD]),
        foe("second", agility=-5, at=[5, 5]),
    ).begin()
    spec.act("archer", "attack", ("attack", 1), ("auto-fail-d4", 3), target="brute")
    assert spec.open() == [("turn", "turn", "archer")]  # nobody gets a prompt
    spec.undo().undo().undo()
    spec.act(
        "archer", "attack", ("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 2),
        target="brute",
    )  # fmt: skip
    assert spec.open() == [("ruling", "tragedy-no-strike", None)]
    assert spec.prompt().default == "nothing"
    spec.answer(None, "nothing")
    assert spec.hp("archer") == 20


@rule("FH-FUM-05", "FH-ZON-03", "FH-FT-06")
def test_e15_a_long_spear_is_safe_but_not_from_reach(spec: Spec) -> None:
    spear = weapon("spear", "1d6", reach=2)
    spec.given(
        unit("spearman", agility=5, weapons=[spear], at=[0, 0]),
        foe("plain", at=[2, 0], weapons=[SWORD]),
        foe("ranger", at=[0, 2], weapons=[SWORD], feats={"reach": True}),
    ).begin()
    spec.act("spearman", "attack", ("attack", 1), ("auto-fail-d4", 1), target="plain")
    assert spec.open() == [("turn", "turn", "spearman")]
    spec.undo().undo().undo()
    spec.act("spearman", "attack", ("attack", 1), ("auto-fail-d4", 1), target="ranger")
    assert spec.open() == [("reaction", "free-hit", "ranger")]
