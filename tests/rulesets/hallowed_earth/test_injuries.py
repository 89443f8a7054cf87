"""Test Combat Injuries, their healing and their consequences."""

from typing import Any

import pytest

from domain.engine.commands import Change, Reply
from domain.record.events import (
    ConditionLost,
    Damaged,
    Noted,
    Rolled,
    TurnEnded,
)
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    attack,
    begin,
    begun,
    declare,
    fact,
    hero,
    monster,
    weapon,
)
from tests.spec import Dice, Spec, rule


def clubbed(spec: Spec, *dice: Dice, armour: int = 0, **options: Any) -> Spec:
    """Let Ana's club hit an orc with 40 Wound Points. The critical hit doubles the damage."""
    orc = {"weapons": [CLUB], "attributes": {"strength": 40}, "armour_score": armour}
    spec.given(hero("Ana", weapons=[CLUB]), monster("Orc", **orc), **options)
    begun(spec, 1, 12, Ana=attack("club"), Orc="no-action")
    return spec.act("Ana", "attack", ("attack", 20), *dice, target="Orc")


def table(damage: str | None, *attributes: str, die: str = "1d4") -> dict[str, Any]:
    """Return a table of blunt injuries whose only entry is at 1."""
    effects = {"damage": damage, "attributes": list(attributes)}
    row = {"from": 1, "to": 1, "name": "Bruise", "effects": effects}
    return {"blunt": {"die": die, "rows": [row]}}


# ---- presence and kind of an injury


@rule("HE-INJ-01", "HE-CRIT-05")
@pytest.mark.parametrize(("chance", "outcome"), [(8, "injury"), (9, "none")])
def test_the_chance_of_an_injury_is_the_damage_dealt(spec: Spec, chance: int, outcome: str) -> None:
    clubbed(spec, ("damage", 4), ("injury-chance", chance))
    thrown = spec.event(Rolled, purpose="injury-chance")
    assert (thrown.target, thrown.outcome) == (8, outcome)  # 4 × 2
    asked = [name for kind, name, who in spec.open() if kind == "roll"]
    assert asked == (["injury"] if outcome == "injury" else [])
    if asked:
        spec.answer(None, "roll", faces=[16])  # a broken jaw
    assert spec["Orc"].has("cannot-speak") is (outcome == "injury")


@rule("HE-INJ-01", "HE-INJ-03", "HE-INJ-07", "HE-INJ-08")
def test_the_dice_of_an_injury_are_the_referees(spec: Spec) -> None:
    clubbed(spec, ("damage", 4))
    for name, *faces in (("injury-chance", 1), ("injury", 8), ("injury-side", 3)):
        assert spec.open() == [("roll", name, None)]
        asked = next(iter(spec.live.open_prompts()))
        spec.do(Reply(asked, None, {"faces": faces}))
    assert spec.open() == [("roll", "injury-damage", None)]
    spec.answer(None, "roll", faces=[2, 3])
    assert fact(spec, "Orc", "attribute_damage") == {"strength": 5, "dexterity": 5}


@rule("HE-INJ-02")
def test_what_armour_has_stopped_breaks_nothing(spec: Spec) -> None:
    clubbed(spec, ("damage", 4), armour=8)
    assert [name for kind, name, who in spec.open() if kind == "roll"] == []


@rule("HE-INJ-01", "HE-INJ-02")
def test_one_point_is_enough(spec: Spec) -> None:
    clubbed(spec, ("damage", 4), ("injury-chance", 1), ("injury", 16), armour=7)
    assert spec.event(Rolled, purpose="injury-chance").target == 1
    assert spec["Orc"].has("cannot-speak")


@rule("HE-INJ-06")
def test_a_face_without_an_entry_is_the_gms(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 2)]
    clubbed(spec, *thrown, injury_tables=table("1d4", "agility"))
    assert spec.prompt(name="empty-injury-table").data["type"] == "blunt"


@rule("HE-INJ-08")
def test_an_entry_without_dice_takes_nothing_off(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 1)]
    clubbed(spec, *thrown, injury_tables=table(None, "agility"))
    assert fact(spec, "Orc", "attribute_damage") == {"agility": 0}


@rule("HE-INJ-08")
def test_dice_below_0_take_nothing_off(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 1)]
    clubbed(spec, *thrown, ("injury-damage", 1), injury_tables=table("1d4-2", "agility"))
    assert fact(spec, "Orc", "attribute_damage") == {"agility": 0}


@rule("HE-INJ-06")
def test_the_gms_own_injury_has_the_side_of_its_condition(spec: Spec) -> None:
    thrown: list[Dice] = [("damage", 4), ("injury-chance", 1), ("injury", 2)]
    clubbed(spec, *thrown, injury_tables=table("1d4"))
    gifts = [{"id": "concussed"}, {"id": "arm-cannot-attack", "side": "off"}]
    spec.answer(None, "injury", name="empty-injury-table", text="Torn", conditions=gifts)
    assert fact(spec, "Orc", "injuries") == [
        {"id": 1, "name": "Torn", "side": "off", "type": "blunt"}
    ]
    assert spec["Orc"].has("arm-cannot-attack")
    assert "Orc has a Combat Injury: Torn (off arm)" in [noted.text for noted in spec.events(Noted)]


# ---- several injuries, and their healing


@rule("HE-INJ-09")
def test_of_several_injuries_one_is_healed(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12)
    for name in ("Broken Jaw", "Crushed Foot", "Crushed Windpipe"):
        spec.rule("injury", combatant="Orc", name=name)
    assert [entry["id"] for entry in fact(spec, "Orc", "injuries")] == [1, 2, 3]
    spec.rule("heal", combatant="Orc", injury="Broken Jaw")
    left = [entry["name"] for entry in fact(spec, "Orc", "injuries")]
    assert left == ["Crushed Foot", "Crushed Windpipe"]
    assert not spec["Orc"].has("cannot-chew")
    assert spec["Orc"].has("crushed-foot", "cannot-breathe", "cannot-speak")


@rule("HE-INJ-09")
def test_a_spell_that_heals_an_injury_helps_only_whom_it_ails(spec: Spec) -> None:
    setting = {"id": "set", "casting_tn": 1, "heals": {"injury": "Broken Jaw"}, "range_ft": 30}
    spec.given(hero("Ana", spells=[setting]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", combatant="Orc", name="Broken Jaw")
    declare(spec, Ana=("cast", {"spell": "set"}), Ben="no-action", Orc="no-action")
    spec.act("Ana", "cast", target="Ben")
    assert spec["Ben"].facts.get("injuries") is None


@rule("HE-WP-07")
def test_the_dead_cannot_be_healed(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=20)
    assert spec["Orc"].has("dead")
    told = spec.changes_nothing("heal", combatant="Orc", wound_points=5)
    assert told.endswith("Orc is dead and cannot be healed")
    assert spec.hp("Orc", "wound_points") == -10


@rule("HE-SEQ-04")
@pytest.mark.parametrize(("amount", "dead"), [(20, True), (19, False)])
def test_a_death_that_is_settled_otherwise(spec: Spec, amount: int, dead: bool) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=21)  # 10 − 21 = −11, with a limit of −10
    blow = next(recorded.version for recorded in spec.last if isinstance(recorded.event, Damaged))
    spec.rule("override", event=blow, outcome="less", amount=amount)
    assert spec.hp("Orc", "wound_points") == 10 - amount
    assert spec["Orc"].has("dead") is dead


@rule("HE-SEQ-04")
def test_whoever_has_died_otherwise_stays_dead(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Orc", amount=4)
    blow = next(recorded.version for recorded in spec.last if isinstance(recorded.event, Damaged))
    spec.rule("override", event=blow, outcome="more", amount=2)
    assert spec.hp("Orc", "wound_points") == 8
    assert spec.events(ConditionLost) == []


@rule("HE-WP-03")
def test_each_wound_has_a_number(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    begun(spec, 1, 12)
    spec.rule("damage", combatant="Orc", amount=2).rule("damage", combatant="Orc", amount=3)
    wounds = [(entry["id"], entry["amount"]) for entry in fact(spec, "Orc", "wounds")]
    assert wounds == [(1, 2), (2, 3)]


# ---- consequences


@rule("HE-TIE-08", "HE-WP-07")
def test_the_dead_leave_the_order_in_the_midst_of_their_turn(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Orc", side="foes"), rulings="default")
    begin(spec, 5, 12, Ana="no-action", Orc="no-action")
    spec.act("Ana", "end-turn")
    spec.join(("initiative", 3), **hero("Cid"))
    spec.answer("Cid", "no-action")  # 3 is over, so Cid acts in the next round
    spec.rule("damage", combatant="Cid", amount=20)
    assert not fact(spec, "Cid", "carried")
    spec.rule("damage", combatant="Orc", amount=20)
    assert [turn_ended.who for turn_ended in spec.events(TurnEnded)] == ["Orc"]


@rule("HE-WP-05", "HE-WP-06", "HE-WP-07")
def test_one_state_takes_the_place_of_another(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("damage", combatant="Ben", amount=13)
    assert spec["Ben"].has("dying")
    spec.rule("heal", combatant="Ben", wound_points=3)
    assert spec["Ben"].has("incapacitated")
    assert not spec["Ben"].has("dying")
    spec.rule("damage", combatant="Ben", amount=3).rule("condition", combatant="Ben", add="dead")
    assert not spec["Ben"].has("dying", "incapacitated")


@rule("HE-ATTR-06")
def test_a_score_that_comes_to_0_again_is_asked_again(spec: Spec) -> None:
    scores = {"memory": 1, "perception": 2}
    spec.given(hero("Ana"), hero("Ben", attributes=scores), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Cracked Skull")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "memory"}
    spec.answer(None, "nothing-more")
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Broken Nose")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "perception"}
    spec.answer(None, "nothing-more")
    spec.rule("heal", combatant="Ben", attributes={"memory": 1})
    spec.rule("injury", ("injury-damage", 1), combatant="Ben", name="Cracked Skull")
    assert spec.prompt().data == {"combatant": "Ben", "attribute": "memory"}  # perception is known
    spec.answer(None, "nothing-more")
    assert [name for kind, name, who in spec.open() if kind == "ruling"] == []


@rule("HE-ATTR-05")
def test_the_maximum_follows_each_point_of_strength(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12)
    spec.rule("injury", ("injury-damage", 1, 1), combatant="Ben", name="Broken Rib")
    assert spec["Ben"].tracks["wound_points"].maximum == 8
    spec.rule("heal", combatant="Ben", attributes={"strength": 1})
    assert spec["Ben"].tracks["wound_points"].maximum == 9


@rule("HE-BLUNT-06", "HE-INC-02", "HE-INJ-09")
def test_counting_ends_with_what_is_counted(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), hero("Ben"), monster("Orc"))
    begun(spec, 1, 5, 12, Ana="no-action", Ben="no-action", Orc="no-action")
    spec.rule("injury", ("injury-damage", 1, 1), combatant="Ben", name="Broken Rib")
    assert fact(spec, "Ben", "rib") is not None
    spec.rule("heal", combatant="Ben", injury="Broken Rib")
    assert fact(spec, "Ben", "rib") is None
    spec.rule("damage", combatant="Ana", amount=10)
    spec.act("Ana", "crawl", direction=[1, 0])
    assert fact(spec, "Ana", "crawl_progress_ft") is not None
    spec.rule("heal", combatant="Ana", wound_points=5)
    assert fact(spec, "Ana", "crawl_progress_ft") is None


@rule("HE-BLUNT-11")
def test_only_what_the_arm_holds_falls(spec: Spec) -> None:
    items = [
        {"id": "torch", "hand": "off", "quantity": 1},
        {"id": "flask", "hand": "main", "quantity": 1},
    ]
    spec.given(hero("Ana"), hero("Ben", items=items), monster("Orc"))
    begun(spec, 1, 5, 12)
    thrown = ("injury-damage", 1)
    spec.rule("injury", thrown, combatant="Ben", name="Broken Forearm", side="off")
    assert fact(spec, "Ben", "lost") == {"item:torch": "dropped"}


@rule("HE-STRESS-01")
def test_one_die_among_hit_dice_is_enough_to_roll(spec: Spec) -> None:
    spec.given(monster("Orc", max_stress=None, hit_dice=["1d8", "4"]))
    spec.answer("Orc", "roll", name="stress", faces=[5])
    assert spec.hp("Orc", "stress") == 9  # 5 + 4


@rule("HE-STRESS-01")
def test_the_only_hit_die_counts_in_full_where_the_table_says_so(spec: Spec) -> None:
    spec.given(monster("Orc", max_stress=None, hit_dice=["1d8"]), first_hit_die_max=True)
    spec.begin()
    assert spec.hp("Orc", "stress") == 8


@rule("HE-CRIT-05", "HE-INJ-01", "HE-INJ-04")
@pytest.mark.parametrize("how", ["answered", "disarmed", "gone"])
def test_the_injury_of_a_hit_that_has_landed_does_not_hang_on_who_struck(
    spec: Spec, how: str
) -> None:
    """The injury roll after a hit takes place even if the attacker is gone or disarmed."""
    maul = weapon("maul", "1d6", damage_types=["piercing", "blunt"], crit_range=15)
    thorns = {
        "id": "thorns", "cost": "reaction", "trigger": "struck",
        "damage": {"formula": "4d6", "types": ["piercing"]},
    }  # fmt: skip
    orc = monster("Orc", attributes={"strength": 20}, abilities=[thorns])
    spec.given(hero("Ana", weapons=[maul]), hero("Bo"), orc)
    begun(spec, 1, 5, 9, Ana=attack("maul"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 4), target="Orc")  # 8 to Wound Points
    if how == "answered":
        spec.act("Orc", "use-ability", ("damage", 6, 6, 6, 6), ability="thorns", target="Ana")
        assert spec["Ana"].has("dead")
    elif how == "disarmed":
        spec.do(Change("Ana", sheet={"weapons": [SWORD]}))
    else:
        spec.leave("Ana")
    spec.answer(None, "roll", faces=[8], name="injury-chance")
    spec.answer(None if how == "gone" else "Ana", "blunt", ("injury", 15), name="injury-type")
    assert {"cannot-speak", "cannot-breathe"} <= {
        condition.id for condition in spec["Orc"].conditions
    }
