"""Test costs and effects of spells, abilities and items (HE-MAG)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Damaged, EffectResolved, Healed, TrackChanged
from tests.rulesets.hallowed_earth.units import SWORD, begin, begun, declare, fact, hero, monster
from tests.spec import Spec, rule


def caster(spec: Spec, spell: dict[str, Any], *, ana: Any = None, **orc: Any) -> Spec:
    """Begin with Ana, who has declared her spell. She acts at initiative 1, the orc at 12."""
    spec.given(
        hero("Ana", spells=[{"id": "it", "speed": 0, **spell}], **(ana or {})),
        monster("Orc", **orc),
        rulings="default",
    )
    return begin(spec, 1, 12, Ana=("cast", {"spell": "it"}), Orc="no-action")


def user(spec: Spec, **item: Any) -> Spec:
    """Begin with Ana, who has declared the use of her balm. She acts at initiative 1."""
    spec.given(
        hero("Ana", items=[{"id": "balm", "quantity": 1, **item}], max_stress=9, stress=2),
        monster("Orc"),
    )
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    declare(spec, Ana=("use-item", {"item": "balm"}), Orc="no-action")
    return spec


# ---- effects


@rule("HE-WP-09", "HE-STRESS-09", "HE-INJ-09")
def test_an_item_heals_what_its_data_say_and_nobody_is_asked(spec: Spec) -> None:
    heals = {"stress": "1d4", "wound_points": "1d6", "injury": "Crushed Foot"}
    user(spec, heals=heals, conditions=[{"id": "brave"}])
    spec.rule("injury", who="Ana", name="Crushed Foot")
    spec.rule("damage", who="Ana", amount=8, to="wound-points")
    spec.act("Ana", "use-item", ("healing", 3), ("healing", 5), target="Ana")
    assert [(healed.track, healed.amount) for healed in spec.events(Healed)] == [
        ("stress", 3), ("wound_points", 5),
    ]  # fmt: skip
    assert fact(spec, "Ana", "injuries") in (None, [])
    assert spec["Ana"].has("brave")


@rule("HE-WP-09")
def test_healing_below_0_is_none(spec: Spec) -> None:
    user(spec, heals={"stress": "1d4-9"}).act("Ana", "use-item", ("healing", 1), target="Ana")
    assert spec.hp("Ana", "stress") == 2


@rule("HE-SEQ-04")
@pytest.mark.parametrize(
    ("item", "told"), [({}, "balm is used"), ({"effect": "it smells"}, "it smells")]
)
def test_what_data_do_not_say_the_referee_is_told(
    spec: Spec, item: dict[str, Any], told: str
) -> None:
    user(spec, **item).act("Ana", "use-item", target="Ana")
    assert spec.prompt(None, "effect").data["effect"] == told


@rule("HE-SEQ-04", "HE-TIE-03")
def test_the_referee_is_not_asked_about_who_has_left(spec: Spec) -> None:
    """Ana's spell takes effect although she has left, as the orc casts at the same count."""
    spell = {"id": "it", "speed": 0, "effect": "it smells"}
    spec.given(hero("Ana", spells=[spell]), monster("Orc", spells=[spell]), monster("Imp"))
    it = ("cast", {"spell": "it"})
    begun(spec, 1, 1, 12, Ana=it, Orc=it, Imp="no-action")
    spec.act("Ana", "cast", target="Imp").act("Orc", "cast", target="Imp").leave("Ana")
    asked = spec.prompt(None, "effect")
    assert (asked.text, asked.data["source"]) == ("What does it do to Imp?", None)


@rule("HE-SEQ-04", "HE-MAG-03")
@pytest.mark.parametrize(
    ("item", "told"),
    [({}, "jar is thrown"), ({"effect": "it smells"}, "it smells"), ({"throw": {}}, None)],
)
def test_the_referee_is_told_of_what_is_thrown_without_an_attack(
    spec: Spec, item: dict[str, Any], told: str | None
) -> None:
    jar = {"id": "jar", "quantity": 1, "throw_speed": 0, **item}
    if "throw" in jar:
        jar["throw"] = {"attack_bonus": 9, "damage": "1d6", "damage_types": ["blunt"]}
    spec.given(hero("Ana", items=[jar]), monster("Orc"))
    begun(spec, 1, 12, Ana=("throw-item", {"item": "jar"}), Orc="no-action")
    if told is None:
        spec.act("Ana", "throw-item", ("attack", 9), ("damage", 3), target="Orc")
        assert [name for _, name, _ in spec.open()] == ["turn"]
    else:
        spec.act("Ana", "throw-item", target="Orc")
        assert spec.prompt(None, "effect").data["effect"] == told


@rule("HE-SEQ-04", "HE-STRESS-09", "HE-WP-09")
def test_the_referee_heals_by_an_effect(spec: Spec) -> None:
    user(spec).rule("damage", who="Ana", amount=9, to="wound-points")
    spec.act("Ana", "use-item", target="Ana")
    spec.answer(None, "healing", name="effect", stress=2, wound_points=3)
    assert [(healed.track, healed.amount) for healed in spec.events(Healed)] == [
        ("stress", 2), ("wound_points", 3),
    ]  # fmt: skip


@rule("HE-SEQ-04")
def test_the_referee_brings_conditions_by_an_effect_or_nothing(spec: Spec) -> None:
    user(spec, quantity=2).act("Ana", "use-item", target="Ana")
    spec.answer(None, "conditions", name="effect", conditions=[{"id": "brave"}])
    assert spec["Ana"].has("brave")


@rule("HE-SEQ-04")
def test_where_nothing_happens_the_log_says_so(spec: Spec) -> None:
    user(spec).act("Ana", "use-item", target="Ana").answer(None, "nothing", name="effect")
    event = spec.event(EffectResolved)
    assert (event.who, event.kind, event.effect) == ("Ana", "item", "balm")
    assert (event.result, event.targets) == ("no-effect", ("Ana",))


@rule("HE-SEQ-04", "HE-MOR-02")
def test_what_the_referee_rules_to_hurt_is_no_hit(spec: Spec) -> None:
    user(spec).act("Ana", "use-item", target="Orc").answer(None, "damage", name="effect", amount=6)
    spec.rule("next-round")
    assert "morale" not in [name for _, name, _ in spec.open()]


@rule("HE-ARM-05")
@pytest.mark.parametrize(("die", "hurt"), [(5, 3), (1, 0)])
def test_armour_is_taken_off_what_a_spell_just_hurts(spec: Spec, die: int, hurt: int) -> None:
    acid = {"formula": "1d6", "types": ["acid"], "ignores_armour": False}
    caster(spec, {"damage": acid}, armour_score=2)
    spec.act("Ana", "cast", ("damage", die), target="Orc")
    assert sum(damaged.amount for damaged in spec.events(Damaged)) == hurt


@rule("HE-ARM-05")
def test_damage_below_0_heals_nobody(spec: Spec) -> None:
    caster(spec, {"damage": {"formula": "1d6-4", "types": ["acid"]}})
    spec.act("Ana", "cast", ("damage", 1), target="Orc")
    assert spec.hp("Orc", "wound_points") == 10


@rule("HE-MOR-02", "HE-SEQ-04")
def test_what_the_referee_makes_of_an_effect_is_no_hit(spec: Spec) -> None:
    user(spec, effect="it burns").act("Ana", "use-item", target="Orc")
    spec.answer(None, "damage", name="effect", amount=8)
    assert spec.hp("Orc", "wound_points") == 2
    assert not fact(spec, "Orc", "wounded")


# ---- the targets of a missed attack


@rule("HE-ATK-03", "HE-MAG-03")
@pytest.mark.parametrize("number", [1, 5])  # alone, and in one slot with the orc
def test_whom_its_attack_misses_nothing_else_of_a_spell_touches(spec: Spec, number: int) -> None:
    spell = {
        "attack": {"damage": "1d6", "damage_types": ["fire"], "attack_bonus": 0},
        "damage": {"formula": "1d4", "types": ["cold"]},
        "conditions": [{"id": "burning"}],
    }
    spec.given(
        hero("Ana", spells=[{"id": "it", "speed": 0, **spell}]), monster("Orc"), monster("Ork")
    )
    begun(spec, number, 5, 12, Ana=("cast", {"spell": "it"}), Orc="no-action", Ork="no-action")
    if number == 5:
        spec.act("Orc", "end-turn")
    dice = [("attack", 10), ("damage", 1), ("attack", 9), ("damage", 2)]
    spec.act("Ana", "cast", *dice, targets=["Ork", "Orc"])
    hurt = [(damaged.who, damaged.kind, damaged.amount) for damaged in spec.events(Damaged)]
    assert hurt == [("Ork", "fire", 1), ("Ork", "cold", 2)]
    assert (spec["Ork"].has("burning"), spec["Orc"].has("burning")) == (True, False)


# ---- simultaneous turns


@rule("HE-TIE-03", "HE-TIE-04", "HE-MAG-03")
def test_spells_of_one_moment_land_together(spec: Spec) -> None:
    bolt = {"attack": {"damage": "1d6", "damage_types": ["fire"], "attack_bonus": 9}}
    acid = {"damage": {"formula": "1d6", "types": ["acid"]}}
    spec.given(
        hero("Ana", spells=[{"id": "it", "speed": 0, **bolt}]),
        monster("Orc", spells=[{"id": "it", "speed": 0, **acid}]),
        rulings="default",
    )
    it = ("cast", {"spell": "it"})
    begin(spec, 5, 5, Ana=it, Orc=it)
    spec.act("Ana", "cast", target="Orc")
    spec.act("Orc", "cast", ("attack", 9), ("damage", 4), ("damage", 3), target="Ana")
    assert [(damaged.who, damaged.amount) for damaged in spec.events(Damaged)] == [
        ("Orc", 4),
        ("Ana", 3),
    ]


@rule("HE-TIE-03", "HE-MAG-03")
def test_a_spell_of_one_moment_carries_to_whoever_is_moved_meanwhile(spec: Spec) -> None:
    acid = {"formula": "1d6", "types": ["acid"]}
    spec.given(
        hero("Ana", at=[0, 0], spells=[{"id": "it", "speed": 0, "range_ft": 5, "damage": acid}]),
        monster("Orc", at=[2, 0]),
        rulings="default",
    )
    begin(spec, 5, 5, Ana=("cast", {"spell": "it"}), Orc="no-action")
    spec.act("Orc", "move", path=[[1, 0]]).act("Orc", "end-turn")
    spec.act("Ana", "cast", target="Orc")
    spec.rule("move", combatant="Orc", to=[9, 9])  # before the damage is rolled
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc", "wound_points") == 6


@rule("HE-FDEF-03", "HE-MAG-03")
@pytest.mark.parametrize("attacks", [True, False])
def test_a_spell_is_answered_where_it_is_an_attack(spec: Spec, attacks: bool) -> None:
    bolt: dict[str, Any] = {"damage": {"formula": "1d6", "types": ["fire"]}}
    if attacks:
        bolt = {"attack": {"damage": "1d6", "damage_types": ["fire"]}}
    spec.given(
        hero("Ana", at=[0, 0], spells=[{"id": "it", "speed": 0, **bolt}]),
        monster("Orc", at=[1, 0], weapons=[SWORD]),
        rulings="default",
    )
    begin(spec, 9, 1, Ana=("cast", {"spell": "it"}), Orc="full-defense")
    spec.act("Orc", "full-defense").act("Orc", "end-turn")
    spec.act("Ana", "cast", ("attack", 1) if attacks else ("damage", 1), target="Orc")
    assert (("reaction", "reposte", "Orc") in spec.open()) is attacks


# ---- costs


@rule("HE-MAG-01", "HE-STRESS-06", "HE-STRESS-07")
@pytest.mark.parametrize(
    ("mana", "stress", "cost", "paid", "code"),
    [
        (3, 4, (6, 1), 4, "insufficient-stress"),  # 7 points are there, but not 5 of Stress
        (2, 4, (6, 1), None, "insufficient-mana"),  # 6 of the 7 points
        (3, 4, (1, 0), 4, "insufficient-mana"),  # more from Stress than the cost
        (3, 0, (0, 1), None, "insufficient-stress"),
        (2, 3, (6, 0), 4, "insufficient-mana"),  # 5 of the 6 points
    ],
)
def test_what_is_too_dear_says_of_what(
    spec: Spec, mana: int, stress: int, cost: tuple[int, int], paid: int | None, code: str
) -> None:
    it = {"id": "glow", "cost": "none", "mana_cost": cost[0], "stress_cost": cost[1], "effect": ""}
    ana = {"max_mana": 9, "mana": mana, "max_stress": 9, "stress": stress, "abilities": [it]}
    spec.given(hero("Ana", **ana), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    inputs = {} if paid is None else {"stress_paid": paid}
    with spec.raises(Illegal) as told:
        spec.act("Ana", "use-ability", ability="glow", **inputs)
    assert told[0].code == code
    assert ("from Stress was asked for" in told[0].detail) is (paid is not None)
    another_would_do = paid is not None and mana + stress >= sum(cost)
    assert told[0].pointer == ("/inputs/stress_paid" if another_would_do else None)


@rule("HE-MAG-01", "HE-STRESS-06", "HE-STRESS-07")
@pytest.mark.parametrize(
    ("cost", "paid", "taken"),
    [
        ((3, 0), 0, [("mana", 6)]),
        ((3, 0), 3, [("stress", 6)]),
        ((0, 2), 0, [("stress", 7)]),
        ((3, 2), 1, [("mana", 7), ("stress", 6)]),
        ((2, 2), 2, [("stress", 5)]),
    ],
)
def test_what_is_paid_is_taken_once_and_nothing_else(
    spec: Spec, cost: tuple[int, int], paid: int, taken: list[tuple[str, int]]
) -> None:
    it = {"id": "glow", "cost": "none", "mana_cost": cost[0], "stress_cost": cost[1], "effect": ""}
    ana = {"max_mana": 9, "max_stress": 9, "stress": 9, "abilities": [it]}
    spec.given(hero("Ana", **ana), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "use-ability", ability="glow", stress_paid=paid)
    changes = [
        (track_changed.track, track_changed.value)
        for track_changed in spec.events(TrackChanged)
        if track_changed.who == "Ana"
    ]
    assert changes == taken
