"""Play the worked examples of the specification, with sums computed by hand."""

from domain.record.events import ConditionGained, Damaged, Noted
from tests.rulesets.hallowed_earth.units import (
    agility,
    attack,
    begin,
    declare,
    fact,
    hero,
    monster,
    queue,
    shown,
    weapon,
)
from tests.spec import Spec, rule


@rule("HE-INIT-01", "HE-INIT-02", "HE-INIT-03", "HE-INIT-04", "HE-INIT-06", "HE-INIT-07")
@rule("HE-INIT-08", "HE-MOD-01", "HE-MOD-02", "HE-MOD-03", "HE-MOD-04", "HE-MOD-05", "HE-MOD-06")
@rule("HE-MOD-08", "HE-SEQ-03", "HE-TIE-01", "HE-TIE-02", "HE-ATTR-02")
def test_1_numbers_and_order(spec: Spec) -> None:
    flask = {"id": "flask", "kind": "throwable"}
    spec.given(
        hero("Mara", attributes=agility(14), weapons=[weapon("axe", speed=6)], items=[flask]),
        hero("Brug", attributes=agility(8), spells=[{"id": "Ember", "casting_tn": 17}]),
        hero("Sil", initiative_modifiers=[{"value": -3, "reason": "talent"}]),
        hero("Ott", attributes=agility(12), items=[{"id": "potion"}]),
        monster("Nim", attributes=agility(16), weapons=[weapon("dagger", speed=2)]),
        rulings="default",
    )
    spec.begin(
        ("initiative", 7), ("initiative", 3), ("initiative", 2), ("initiative", 9),
        ("initiative", 4),
    )  # fmt: skip
    bases = {combatant.id: fact(spec, combatant.id, "base_initiative") for combatant in spec.combat}
    assert bases == {"Mara": 5, "Brug": 4, "Sil": -1, "Ott": 8, "Nim": 1}  # 7−2 3+1 2−0−3 9−1 4−3
    declare(
        spec,
        Mara=attack("axe"),
        Brug=("cast", {"spell": "Ember"}),
        Sil="full-defense",
        Ott=("use-item", {"item": "potion"}),
        Nim=("defensive-attack", {"weapon": "dagger"}),
    )
    # −1 − 1, 1 + 2 + 1, 5 + 6, 4 + 7 and 8 + 6. Mara and Brug act at the same time.
    assert queue(spec) == [("Sil", -2), ("Nim", 4), ("Mara", 11), ("Brug", 11), ("Ott", 14)]
    assert spec.combat.phase == "count/-2"
    assert spec.open() == [("turn", "turn", "Sil")]
    spec.act("Sil", "full-defense").act("Sil", "end-turn").act("Nim", "end-turn")
    assert {who for _, _, who in spec.open()} == {"Mara", "Brug"}
    spec.act("Mara", "end-turn").act("Brug", "end-turn").act("Ott", "end-turn", ("morale", 6, 6, 6))
    declare(spec, Mara=("throw-item", {"item": "flask"}), Brug="no-action", Sil="no-action")
    declare(spec, Ott="no-action", Nim="no-action")
    assert fact(spec, "Mara", "round_initiative") == 7  # 5 + 2, without the axe's 6


@rule("HE-LATE-01", "HE-LATE-02", "HE-LATE-04", "HE-LATE-05", "HE-LATE-06", "HE-LATE-07")
@rule("HE-LATE-08", "HE-LATE-09", "HE-LATE-13", "HE-MOD-09")
def test_2_too_late(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[20, 0], weapons=[weapon("pike", speed=5)]), hero("Bo"), rulings="default"
    )
    begin(spec, 8, 12, Ana=attack("pike"), Bo="no-action")
    spec.act("Bo", "end-turn")
    assert spec.combat.phase == "count/13"  # 8 + 5
    claws, bite = weapon("claws"), weapon("bite", speed=3)
    spec.join(("initiative", 8), **monster("ghoul", at=[0, 0], weapons=[claws, bite]))
    assert spec.open() == [("declare", "declare", "ghoul")]
    spec.act("ghoul", "attack", weapon="claws")
    assert shown(spec, "ghoul", "carried")["number"] == -4  # 8 − 12
    spec.act("Ana", "end-turn", ("morale", 6, 6, 6))
    assert spec.combat.round == 2
    declare(spec, Ana="no-action", Bo="no-action", ghoul=attack("bite"))
    assert queue(spec) == [("ghoul", -4), ("Ana", 8), ("ghoul", 11), ("Bo", 12)]
    spec.act("ghoul", "move", path=[[1, 0], [2, 0], [3, 0], [4, 0]])
    with spec.refused("HE-DECL-11", "not-declared"):
        spec.act("ghoul", "attack", weapon="bite", target="Ana")
    spec.act("ghoul", "end-turn").act("Ana", "end-turn")
    assert shown(spec, "ghoul", "moved_ft") == 20
    with spec.refused("HE-MOVE-03", "too-far"):
        spec.act("ghoul", "move", path=[[5, 0], [6, 0], [7, 0]])
    spec.act("ghoul", "move", path=[[5, 0], [6, 0]])
    assert spec["ghoul"].budget["standard"] == 1
    spec.act("ghoul", "end-turn").act("Bo", "end-turn", ("morale", 6, 6, 6))
    declare(spec, Ana="no-action", Bo="no-action", ghoul=attack("bite"))
    assert queue(spec) == [("Ana", 8), ("ghoul", 11), ("Bo", 12)]  # once


@rule("HE-ATK-01", "HE-ATK-02", "HE-ATK-03", "HE-ATK-04", "HE-ATK-09", "HE-ARM-01", "HE-ARM-02")
@rule("HE-ARM-03", "HE-STRESS-03", "HE-STRESS-04", "HE-WP-03", "HE-WP-04")
def test_3_stress_then_wound_points(spec: Spec) -> None:
    sword = weapon("sword", "1d10", attack_bonus=4)
    spec.given(
        hero("Ana", attributes={"strength": 14}, weapons=[{**sword, "strikes": 2}]),
        monster(
            "Orc", attributes={"agility": 12, "strength": 13}, defense_bonus=3, max_stress=5,
            armour=[{"id": "mail", "armour_bonus": 2}], armour_modifiers=[{"value": 1}],
        ),
        rulings="default",
    )  # fmt: skip
    begin(spec, 5, 5, Orc="no-action", Ana=attack("sword"))
    spec.act("Orc", "end-turn")
    # the second attack: 10 + 4 hits, and 1 + 2 − 3 = 0
    spec.act(
        "Ana", "attack", ("attack", 10), ("damage", 9), ("attack", 10), ("damage", 1), target="Orc"
    )
    rolls = [event for event in spec.told() if getattr(event, "purpose", "") == "attack"]
    assert [(event.total, event.target, event.outcome) for event in rolls] == [(14, 14, "hit")] * 2  # type: ignore[attr-defined]
    assert spec.hp("Orc", "stress") == 0
    assert spec.hp("Orc", "wound_points") == 10  # 13 − (9 + 2 − 3 − 5)
    assert fact(spec, "Orc", "wounds") == [{"id": 1, "type": "slashing", "amount": 3}]
    assert [damaged.amount for damaged in spec.events(Damaged)] == [5, 3, 0]


@rule("HE-CRIT-01", "HE-CRIT-02", "HE-CRIT-03", "HE-CRIT-04", "HE-CRIT-05", "HE-ARM-04")
@rule("HE-INJ-01", "HE-INJ-02", "HE-INJ-03", "HE-INJ-07", "HE-INJ-08", "HE-BLUNT-08")
@rule("HE-ATTR-03", "HE-ATTR-05", "HE-WP-06", "HE-STRESS-05")
def test_4_critical_hit_and_injury(spec: Spec) -> None:
    maul = weapon(
        "maul", "1d6", damage_types=["blunt"], crit_range=19, crit_multiplier=3, attack_bonus=4
    )
    spec.given(
        hero("Ana", attributes={"strength": 14}, weapons=[maul]),
        monster(
            "Orc", attributes={"strength": 14}, defense_bonus=5, max_stress=9,
            armour=[{"id": "hide", "armour_bonus": 2}],
        ),
        rulings="default",
    )  # fmt: skip
    begin(spec, 5, 5, Orc="no-action", Ana=attack("maul"))
    spec.act("Orc", "end-turn")
    spec.act(
        "Ana", "attack", ("attack", 19), ("damage", 4), ("injury-chance", 16), ("injury", 8),
        ("injury-side", 3), ("injury-damage", 3, 4), target="Orc",
    )  # fmt: skip
    assert spec.rolled("attack").outcome == "critical"
    assert spec.event(Damaged).amount == 16  # (4 + 2) × 3 − 2
    assert spec.hp("Orc", "wound_points") == -2
    assert spec.hp("Orc", "stress") == 9
    assert fact(spec, "Orc", "wounds") == [{"id": 1, "type": "blunt", "amount": 16}]
    assert spec["Orc"].has("dying")
    assert not spec["Orc"].has("dead")
    now = shown(spec, "Orc", "current_attributes")
    assert (now["strength"], now["dexterity"]) == (7, 3)  # 14 − 7, 10 − 7
    assert spec["Orc"].tracks["wound_points"].maximum == 7
    assert shown(spec, "Orc", "dies_at") == -7
    (arm,) = spec["Orc"].all("arm-cannot-attack")
    assert arm.data["side"] == "off"


@rule("HE-INJ-01", "HE-INJ-10")
def test_4_one_more_and_there_is_no_injury(spec: Spec) -> None:
    maul = weapon("maul", "1d6", damage_types=["blunt"], crit_multiplier=3)
    spec.given(hero("Ana", weapons=[maul]), monster("Orc"), rulings="default")
    begin(spec, 5, 5, Orc="no-action", Ana=attack("maul"))
    spec.act("Orc", "end-turn")
    spec.act("Ana", "attack", ("attack", 20), ("damage", 3), ("injury-chance", 10), target="Orc")
    assert spec.rolled("injury-chance").outcome == "none"  # 10 > 3 × 3
    assert fact(spec, "Orc", "injuries") is None


@rule("HE-TIE-02", "HE-TIE-03", "HE-TIE-04", "HE-TIE-07", "HE-WP-05")
def test_5_double_ko(spec: Spec) -> None:
    spec.given(
        hero(
            "A", attributes={"agility": 14, "strength": 10}, max_stress=2, wound_points=8,
            weapons=[weapon("axe", "1d6")],
        ),
        monster("B", attributes=agility(11), wound_points=6, weapons=[weapon("club", "1d10")]),
        rulings="default",
    )  # fmt: skip
    begin(spec, 11, 9, A=attack("axe"), B=attack("club"))  # 11 − 2, 9 − 0
    assert [who for _, _, who in spec.open()] == ["A", "B"]
    spec.act("A", "attack", target="B")
    assert spec.open() == [("turn", "turn", "B")]
    spec.act(
        "B", "attack", ("attack", 12), ("damage", 6), ("attack", 12), ("damage", 10), target="A"
    )
    assert [damaged.who for damaged in spec.events(Damaged)] == ["B", "A", "A"]
    assert (spec.hp("A", "stress"), spec.hp("A", "wound_points")) == (0, 0)
    assert spec.hp("B", "wound_points") == 0
    assert spec["A"].has("incapacitated")
    assert spec["B"].has("incapacitated")


@rule("HE-TIE-08", "HE-INC-06", "HE-INC-03", "HE-INC-04")
def test_5_one_later_and_the_blow_costs(spec: Spec) -> None:
    spec.given(
        hero("A", attributes=agility(14), weapons=[weapon("axe", "1d6")]),
        monster("B", attributes=agility(11), wound_points=6, weapons=[weapon("club", "1d10")]),
        rulings="default",
    )
    begin(spec, 11, 10, A=attack("axe"), B=attack("club"))
    spec.act("A", "attack", ("attack", 12), ("damage", 6), target="B").act("A", "end-turn")
    spec.act("B", "attack", ("attack", 12), ("damage", 4), target="A")
    assert spec.hp("A", "wound_points") == 6
    assert spec.hp("B", "wound_points") == -1


@rule("HE-INC-01", "HE-INC-02", "HE-INC-03", "HE-INC-05", "HE-DYING-01", "HE-DYING-02")
@rule("HE-DYING-03", "HE-DYING-04", "HE-DYING-05", "HE-WP-08")
def test_6_on_the_ground(spec: Spec) -> None:
    spec.given(
        hero("Tam", attributes={"strength": 12}, wound_points=0, weapons=[weapon("axe", "1d4")]),
        monster("Orc"),
        rulings="default",
    )
    begin(spec, 7, 12, Tam=attack("axe"), Orc="no-action")
    spec.act("Tam", "speak", text="Get up!")
    with spec.refused("HE-INC-02", "crawl-only"):
        spec.act("Tam", "move", distance_ft=5)
    spec.act("Tam", "crawl")
    spec.act("Tam", "attack", ("attack", 15), ("damage", 2), target="Orc")
    assert spec.hp("Orc", "wound_points") == 7  # 10 − (2 + 1)
    assert spec.hp("Tam", "wound_points") == -1
    assert fact(spec, "Tam", "wounds") == [{"id": 1, "type": "exertion", "amount": 1}]
    assert spec["Tam"].has("dying")
    with spec.refused("HE-DYING-02", "dying-one-action"):
        spec.act("Tam", "free-action", what="drop the axe")
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Tam", "crawl")
    spec.act("Tam", "end-turn").act("Orc", "end-turn")
    assert spec.hp("Tam", "wound_points") == -2


@rule("HE-WP-01", "HE-WP-07", "HE-DYING-04", "HE-DYING-06")
def test_7_the_clock(spec: Spec) -> None:
    spec.given(
        hero(
            "Ede", attributes={"strength": 15}, wound_modifiers=[{"value": 2, "reason": "talent"}],
            wound_points=-12, weapons=[weapon("axe", "1d4")],
        ),
        monster("Orc", attributes={"strength": 30}),
        hero("Bo"),
        rulings="default",
    )  # fmt: skip
    begin(spec, 1, 2, 3, Ede=attack("axe"), Orc="no-action", Bo="no-action")
    assert spec["Ede"].tracks["wound_points"].maximum == 17
    spec.act("Ede", "attack", ("attack", 20), ("damage", 1), ("injury-chance", 100), target="Orc")
    assert spec.hp("Ede", "wound_points") == -13
    spec.act("Ede", "end-turn").act("Orc", "end-turn").act("Bo", "end-turn")
    assert spec.hp("Ede", "wound_points") == -14
    declare(spec, Ede=attack("axe"), Orc="no-action", Bo="no-action")
    spec.act("Ede", "attack", ("attack", 11), ("damage", 2), target="Orc")
    assert spec.hp("Orc", "wound_points") == 30 - 6 - 4  # (1 + 2) × 2, then 2 + 2
    assert spec["Ede"].has("dead")  # −15 is the negative Strength score


@rule("HE-STAB-01", "HE-STAB-02", "HE-STAB-03", "HE-STAB-05", "HE-STAB-06", "HE-STAB-07")
@rule("HE-STAB-08", "HE-STAB-09", "HE-MOVE-06")
def test_8_stabilizing(spec: Spec) -> None:
    wounds = [
        {"type": kind, "amount": amount}
        for kind, amount in (("slashing", 3), ("blunt", 7), ("piercing", 6), ("exertion", 1))
    ]
    dagger = weapon("dagger", "1d4", reach_ft=5)
    spec.given(
        hero(
            "Tam", attributes={"strength": 13}, wound_points=-4, wounds=wounds, at=[0, 0],
            weapons=[dagger],
        ),
        hero("Mag", skills={"heal": 5}, at=[1, 0]),
        monster("Orc", at=[0, 9], weapons=[weapon("club", "1d4")], speed_ft=60),
        rulings="default",
    )  # fmt: skip
    begin(spec, 9, 1, 12, Tam="no-action", Mag="stabilize", Orc="no-action")
    spec.act("Mag", "stabilize", ("heal", 12), target="Tam")
    assert (spec.rolled("heal").total, spec.rolled("heal").target) == (17, 17)  # 10 + 7
    assert spec["Tam"].has("stabilized")
    spec.act("Mag", "end-turn").act("Tam", "end-turn").act("Orc", "end-turn")
    assert spec.hp("Tam", "wound_points") == -4  # Tam does not bleed
    declare(spec, Tam=attack("dagger"), Mag="no-action", Orc=attack("club"))
    spec.act("Mag", "end-turn")
    with spec.refused("HE-STAB-05", "too-far"):
        spec.act("Tam", "move", path=[[0, 1], [0, 2], [0, 3], [0, 4]])
    spec.act("Tam", "move", path=[[0, 1], [0, 2], [0, 1]])  # 15 ft
    spec.rule("move", who="Orc", to=[0, 2])
    spec.act("Tam", "attack", ("attack", 3), target="Orc")
    assert spec.hp("Tam", "wound_points") == -4  # the first action is free
    spec.act("Tam", "free-action", what="shout")
    assert spec.hp("Tam", "wound_points") == -5
    spec.act("Tam", "end-turn")
    spec.act("Orc", "move", path=[[0, 3], [0, 2]])  # it leaves the threat range and enters it again
    spec.answer("Tam", "take", ("reposte-attack", 2), name="reposte")
    assert spec.hp("Tam", "wound_points") == -6
    spec.act("Orc", "attack", ("attack", 12), ("damage", 2), target="Tam")
    assert spec.hp("Tam", "wound_points") == -8
    assert not spec["Tam"].has("stabilized")
    assert spec["Tam"].has("dying")
    spec.act("Orc", "end-turn")
    assert spec.hp("Tam", "wound_points") == -9  # bleeding resumes


@rule("HE-STAB-02")
def test_8_one_less_does_nothing(spec: Spec) -> None:
    hurt = [{"type": "blunt", "amount": 7}]
    spec.given(
        hero("Tam", wound_points=-4, wounds=hurt), hero("Mag", skills={"heal": 5}), monster("Orc"),
        rulings="default",
    )  # fmt: skip
    begin(spec, 9, 1, 12, Tam="no-action", Mag="stabilize", Orc="no-action")
    spec.act("Mag", "stabilize", ("heal", 11), target="Tam")
    assert not spec["Tam"].has("stabilized")


@rule("HE-FDEF-01", "HE-FDEF-02", "HE-FDEF-03", "HE-FDEF-04", "HE-FDEF-05", "HE-REP-01")
@rule("HE-REP-03", "HE-REP-05", "HE-REP-06", "HE-ACT-04", "HE-MOVE-06")
def test_9_full_defense(spec: Spec) -> None:
    axe = weapon("axe", "1d6", attack_bonus=5, reach_ft=10)
    spec.given(
        hero(
            "Orsa", defense_bonus=4, speed_ft=25, max_stress=30, at=[0, 0],
            weapons=[weapon("sword", "1d8")],
        ),
        monster("goblin", at=[1, 0], weapons=[axe]),
        monster("orc", at=[0, 1], weapons=[axe]),
        monster("orc2", at=[1, 1], weapons=[axe]),
        rulings="default",
    )  # fmt: skip
    begin(
        spec, 6, 4, 8, 10,
        Orsa="full-defense", goblin=attack("axe"), orc=attack("axe"), orc2=attack("axe"),
    )  # fmt: skip
    assert queue(spec) == [("goblin", 4), ("Orsa", 5), ("orc", 8), ("orc2", 10)]
    spec.act("goblin", "attack", ("attack", 10), ("damage", 2), target="Orsa")
    assert (spec.rolled("attack").total, spec.rolled("attack").target) == (15, 14)
    assert spec.open() == [("turn", "turn", "goblin")]  # no Reposte
    spec.act("goblin", "end-turn").act("Orsa", "full-defense")
    with spec.refused("HE-FDEF-04", "too-far"):
        spec.act("Orsa", "move", path=[[-1, 0], [0, 0], [-1, 0]])
    spec.act("Orsa", "move", path=[[-1, 0], [0, 0]])  # 10 of 12.5 ft
    spec.act("Orsa", "end-turn")
    spec.act("orc", "attack", ("attack", 12), target="Orsa")
    assert (spec.rolled("attack").total, spec.rolled("attack").target) == (17, 18)
    assert spec.open() == [("reaction", "reposte", "Orsa")]
    spec.answer("Orsa", "take", ("reposte-attack", 14), ("reposte-damage", 2))
    assert spec.hp("orc", "wound_points") == 8
    spec.act("orc", "end-turn")
    spec.act("orc2", "attack", ("attack", 13), ("damage", 2), target="Orsa")
    assert spec.rolled("attack").outcome == "hit"  # 18
    assert spec.open() == [("turn", "turn", "orc2")]  # the Reaction is used
    spec.act("orc2", "end-turn")
    assert not spec["Orsa"].has("full-defense")


@rule("HE-MOVE-07", "HE-REP-02", "HE-REP-06", "HE-ATK-07", "HE-DATK-02")
def test_10_walking_in(spec: Spec) -> None:
    dagger = weapon("dagger", "1d4", 2)
    spec.given(
        hero("Dagny", at=[4, 0], max_stress=4, wound_points=5, weapons=[dagger]),
        monster("orc", at=[0, 0], weapons=[weapon("spear", "1d10", reach_ft=10)]),
        rulings="default",
    )
    begin(spec, 1, 12, Dagny=attack("dagger"), orc="no-action")
    spec.act("Dagny", "move", path=[[3, 0], [2, 0], [1, 0]])
    assert spec["Dagny"].position == (2, 0, 0)
    assert spec.open() == [("reaction", "reposte", "orc")]
    spec.answer("orc", "take", ("reposte-attack", 12), ("reposte-damage", 9))
    assert (spec.hp("Dagny", "stress"), spec.hp("Dagny", "wound_points")) == (0, 0)
    assert spec["Dagny"].position == (2, 0, 0)
    with spec.refused("HE-ATK-07", "out-of-reach"):
        spec.act("Dagny", "attack", target="orc")


@rule("HE-DATK-01", "HE-DATK-02", "HE-MOD-06")
def test_10_defensively(spec: Spec) -> None:
    spec.given(
        hero("Dagny", at=[4, 0], weapons=[weapon("dagger", "1d4", 2)]),
        monster("orc", at=[0, 0], weapons=[weapon("spear", "1d10", reach_ft=10)]),
        rulings="default",
    )
    begin(spec, 1, 12, Dagny=("defensive-attack", {"weapon": "dagger"}), orc="no-action")
    assert fact(spec, "Dagny", "declared")["modifier"] == 3
    spec.act("Dagny", "move", path=[[3, 0], [2, 0], [1, 0]])
    assert spec["Dagny"].position == (1, 0, 0)
    spec.act("Dagny", "defensive-attack", ("attack", 15), ("damage", 2), target="orc")
    assert spec.hp("orc", "wound_points") == 8


def ogres(spec: Spec, hit: int, heroes: int) -> None:
    """Let an ogre with two goblins meet heroes, and hit the ogre's Wound Points."""
    spec.given(
        monster("ogre", attributes={"strength": 18, "insight": 8}, hd=4),
        monster("g1"),
        monster("g2"),
        *(hero(f"h{n}") for n in range(heroes)),
    )
    spec.begin().answer(None, "as-given", *(("initiative", 5) for _ in range(3 + heroes)))
    spec.rule("damage", who="ogre", amount=hit, type="blunt", to="wound-points", hit=True)


@rule("HE-MOR-02", "HE-MOR-06", "HE-MOR-07", "HE-MOR-08", "HE-MOR-11", "HE-MOR-14")
def test_11_morale(spec: Spec) -> None:
    ogres(spec, 10, 3)
    spec.rule("next-round").answer(None, "none", ("morale", 3, 3, 3))
    rolled = spec.rolled("morale")
    assert (rolled.total, rolled.target) == (14, 14)  # 9 − 1 + 4 + 2 against 11 + 3
    assert rolled.outcome == "success"
    assert spec.combat.round == 2
    spec.rule("damage", who="ogre", amount=5, to="wound-points", hit=False)
    spec.rule("damage", who="h0", amount=9, to="wound-points", hit=True)
    spec.rule("next-round")
    assert spec.combat.round == 3  # no hit above half, and nobody is outnumbered


@rule("HE-MOR-08", "HE-MOR-14")
def test_11_one_less_fails(spec: Spec) -> None:
    ogres(spec, 10, 3)
    spec.rule("next-round").answer(None, "none", ("morale", 3, 3, 2))
    assert spec.rolled("morale").outcome == "failure"
    assert spec.open() == [("ruling", "morale-failed", None)]
    spec.close()
    assert spec["ogre"].has("routed")


@rule("HE-MOR-02", "HE-MOR-03", "HE-MOR-10")
def test_11_exactly_half_and_equal_numbers(spec: Spec) -> None:
    ogres(spec, 9, 3)
    spec.rule("next-round")
    assert spec.combat.round == 2  # no prompt opened


@rule("HE-MOR-05", "HE-MOR-07", "HE-MOR-12")
def test_11_intimidated_as_well(spec: Spec) -> None:
    spec.given(
        monster("ogre", attributes={"strength": 18, "insight": 8}, hd=4),
        monster("g1"),
        monster("g2"),
        hero("h0", skills={"intimidation": 6}),
        hero("h1"),
        hero("h2"),
        rulings="default",
    )
    begin(
        spec, 5, 5, 5, 1, 5, 5,
        ogre="no-action", g1="no-action", g2="no-action", h0="intimidate", h1="no-action",
        h2="no-action",
    )  # fmt: skip
    spec.act("h0", "intimidate", ("intimidation", 10), target="ogre")
    spec.rule("damage", who="ogre", amount=10, type="blunt", to="wound-points", hit=True)
    spec.rule("next-round", ("morale", 3, 3, 4))
    assert (spec.rolled("morale").total, spec.rolled("morale").target) == (15, 16)
    assert spec.event(ConditionGained).condition == "routed"


@rule("HE-SHARE-01", "HE-SHARE-02", "HE-SHARE-03", "HE-SHARE-05")
def test_12_shared_dice(spec: Spec) -> None:
    spear, potion = weapon("spear", speed=5), {"id": "potion"}
    warriors = [
        monster(
            f"w{n}", initiative_group="w", attributes=agility(12), weapons=[spear], items=[potion]
        )
        for n in range(4)
    ]
    wolves = [monster(f"v{n}", initiative_group="v") for n in range(2)]
    spec.given(monster("witch"), monster("scoundrel"), *warriors, *wolves, rulings="default")
    spec.begin(("initiative", 6), ("initiative", 11), ("initiative", 4), ("initiative", 9))
    assert [fact(spec, f"w{n}", "base_initiative") for n in range(4)] == [3, 3, 3, 3]  # 4 − 1
    assert [fact(spec, f"v{n}", "base_initiative") for n in range(2)] == [9, 9]
    use = ("use-item", {"item": "potion"})
    declare(spec, w0=use, w1=attack("spear"), w2=attack("spear"), w3=attack("spear"))
    declare(spec, witch="no-action", scoundrel="no-action", v0="no-action", v1="no-action")
    assert [fact(spec, f"w{n}", "round_initiative") for n in range(4)] == [9, 8, 8, 8]


@rule("HE-BLUNT-12", "HE-BLUNT-09", "HE-BLUNT-11", "HE-ATK-06")
def test_13_arms(spec: Spec) -> None:
    arms = [weapon("sword", "1d8"), weapon("dagger", "1d4", hand="off")]
    shield = {"defense_bonus": 2, "armour_bonus": 1}
    spec.given(
        *(hero(name, weapons=arms, shield=shield) for name in ("Ana", "Bo", "Cy")),
        monster("Orc"),
        rulings="default",
    )
    begin(
        spec, 1, 2, 3, 12,
        Ana=attack("sword"), Bo=attack("dagger"), Cy="no-action", Orc="no-action",
    )  # fmt: skip
    spec.rule(
        "injury", ("injury-damage", 1, 2, 3, 3), who="Ana", name="Shattered Hand", side="main"
    )
    assert shown(spec, "Ana", "current_attributes")["dexterity"] == 1  # 10 − 9
    with spec.refused("HE-BLUNT-12", "arm-disabled"):
        spec.act("Ana", "attack", target="Orc")
    assert (shown(spec, "Ana", "defense"), shown(spec, "Ana", "armour_score")) == (12, 1)
    assert fact(spec, "Ana", "lost") == {"weapon:sword": "dropped"}
    assert shown(spec, "Ana", "threat_range_ft") == 5  # the dagger in the off hand works
    spec.act("Ana", "end-turn")
    spec.rule("injury", ("injury-damage", 4), who="Bo", name="Broken Upper Arm", side="off")
    with spec.refused("HE-BLUNT-09", "arm-disabled"):
        spec.act("Bo", "attack", target="Orc")
    assert shown(spec, "Bo", "defense") == 12  # the shield still counts
    spec.act("Bo", "end-turn")
    spec.rule("injury", ("injury-damage", 4), who="Cy", name="Broken Forearm", side="off")
    assert (shown(spec, "Cy", "defense"), shown(spec, "Cy", "armour_score")) == (10, 0)


@rule("HE-MAG-01", "HE-STRESS-06", "HE-STRESS-07", "HE-STRESS-08")
def test_14_paying(spec: Spec) -> None:
    spell = {"id": "ward", "speed": 0, "mana_cost": 6, "effect": "a ward"}
    spec.given(
        hero("Mag", max_mana=9, mana=2, max_stress=9, stress=4, spells=[spell]),
        hero("Meg", max_mana=9, mana=2, max_stress=9, stress=3, spells=[spell]),
        monster("Orc"),
        rulings="default",
    )
    cast = ("cast", {"spell": "ward"})
    begin(spec, 1, 2, 12, Mag=cast, Meg=cast, Orc="no-action")
    spec.act("Mag", "cast", stress_paid=4)
    assert (spec.hp("Mag", "mana"), spec.hp("Mag", "stress")) == (0, 0)
    assert spec["Mag"].conditions == ()
    spec.act("Mag", "end-turn")
    with spec.refused("HE-MAG-01", "insufficient-mana"):
        spec.act("Meg", "cast", stress_paid=4)
    with spec.refused("HE-MAG-01", "insufficient-mana"):
        spec.act("Meg", "cast")


@rule("HE-SURP-01", "HE-SURP-02", "HE-SURP-03", "HE-SURP-04", "HE-SURP-05", "HE-REP-09")
def test_15_surprise(spec: Spec) -> None:
    claws = weapon("claws")
    spec.given(
        hero("Ana", at=[0, 0]),
        hero("Bo", at=[0, 5]),
        monster("g1", at=[3, 0], weapons=[claws], surprised=True),
        monster("g2", at=[9, 9], surprised=True),
    )
    spec.begin().answer(
        None, "as-given", ("initiative", 3), ("initiative", 4), ("initiative", 5), ("initiative", 6)
    )
    assert [who for _, _, who in spec.open()] == ["Ana", "Bo"]
    with spec.refused("HE-SURP-03", "surprised"):
        spec.act("g1", "no-action")
    declare(spec, Ana="no-action", Bo="no-action")
    spec.act("Ana", "move", path=[[1, 0], [2, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]  # no Reposte
    spec.act("Ana", "end-turn").act("Bo", "end-turn")
    assert spec.combat.round == 2
    assert not spec["g1"].has("surprised")
    assert {who for _, _, who in spec.open()} == {"Ana", "Bo", "g1", "g2"}
    declare(spec, Ana="no-action", Bo="no-action", g1="no-action", g2="no-action")
    assert queue(spec) == [("Ana", 3), ("Bo", 4), ("g1", 5), ("g2", 6)]


@rule("HE-TIE-04", "HE-TIE-05", "HE-FDEF-03", "HE-REP-03", "HE-ACT-04")
def test_16_a_tied_slot_with_a_reposte(spec: Spec) -> None:
    claws = weapon("claws", "1d4")
    spec.given(
        hero("X", at=[0, 0], max_stress=20, weapons=[weapon("sword", "1d8")]),
        monster("Y", at=[1, 0], attributes=agility(12), weapons=[claws]),
        monster("Z", at=[0, 1], weapons=[claws]),
        rulings="default",
    )
    begin(spec, 4, 9, 8, X="full-defense", Y=attack("claws"), Z=attack("claws"))
    spec.act("X", "full-defense").act("X", "end-turn")
    spec.act("Z", "attack", target="X")
    spec.act("Y", "attack", ("attack", 15), ("damage", 2), ("attack", 3), target="X")
    targets = [event.target for event in spec.told() if getattr(event, "purpose", "") == "attack"]  # type: ignore[attr-defined]
    assert targets == [14, 14]  # 10 + 4
    assert spec.hp("X", "stress") == 18
    assert spec.prompt().data["provokers"] == ["Y", "Z"]
    spec.answer("X", "take", ("reposte-attack", 12), ("reposte-damage", 5), attacker="Z")
    assert (spec.hp("Y", "wound_points"), spec.hp("Z", "wound_points")) == (10, 5)
    assert [who for _, _, who in spec.open()] == ["Y", "Z"]
    assert not spec.events(Noted, text="no target")
