"""Test conditions of injuries, and sheets that change (HE-BLUNT)."""

from typing import Any

import pytest

from domain.engine.commands import Change, Reply
from domain.errors import Malformed
from domain.record.events import Noted, Stopped
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    declare,
    hero,
    monster,
    shown,
    weapon,
)
from tests.spec import Spec, rule


def notes(spec: Spec) -> list[tuple[str, tuple[str, ...]]]:
    return [(noted.full or noted.text, noted.rules) for noted in spec.events(Noted)]


def started(spec: Spec, *faces: int, **declared: Any) -> Spec:
    """Begin with these initiative dice, and let the GM answer every ruling. Then declare."""
    dice = [("initiative", face) for face in faces]
    return declare(spec.begin().answer(None, "as-given", *dice), **declared)


# ---- a sheet changes


@rule("HE-ATTR-05")
def test_a_score_changes_though_the_sheet_began_with_more_wound_points(spec: Spec) -> None:
    spec.given(hero("Ana", wound_points=8), monster("Orc"))
    spec.do(Change("Ana", sheet={"attributes": {"strength": 5}}))
    assert spec.hp("Ana", "wound_points") == 5  # 8 falls to the new maximum of 10 − 5
    assert shown(spec, "Ana", "dies_at") == -5


@rule("HE-STRESS-01")
def test_a_maximum_that_has_had_its_effect_says_so(spec: Spec) -> None:
    spec.given(hero("Ana", max_stress=9, stress=8), monster("Orc"))
    with spec.raises(Malformed) as caught:
        spec.do(Change("Ana", sheet={"max_stress": 5}))
    assert caught[0].pointer == "/sheet/max_stress"
    assert "use the ruling set-track" in str(caught[0])


@rule("HE-ATTR-06")
def test_a_score_of_0_is_ruled_on_however_it_came(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Statue", attributes={"charm": 0}))
    started(spec, 1, 12)
    assert [name for _, name, _ in spec.open()] == ["declare", "declare"]  # Statue joined with 0
    spec.do(Change("Ana", sheet={"attributes": {"agility": 0}}))
    spec.answer(None, "helpless", name="attribute-zero")
    assert spec["Ana"].has("helpless")
    spec.do(Change("Ana", sheet={"attributes": {"agility": 1}}))
    spec.do(Change("Statue", sheet={"attributes": {"charm": 0, "agility": 9}}))
    assert [name for _, name, _ in spec.open()] == ["declare", "declare"]


# ---- arms


ARMED: dict[str, Any] = {
    "weapons": [SWORD, weapon("dagger", hand="off"), weapon("maul", hand="both")],
    "shield": {"defense_bonus": 2},
}


@rule("HE-BLUNT-11", "HE-BLUNT-12")
def test_each_arm_lets_go_by_the_rule_of_its_own_injury(spec: Spec) -> None:
    spec.given(hero("Ana", **ARMED), monster("Orc"), rulings="default")
    begin(spec, 1, 12)
    spec.rule(
        "injury", ("injury-damage", 1, 1, 1, 1), who="Ana", name="Shattered Hand", side="main"
    )
    assert ("Ana drops sword", ("HE-BLUNT-12",)) in notes(spec)
    spec.rule("injury", ("injury-damage", 1), who="Ana", name="Broken Forearm", side="off")
    assert ("Ana drops dagger, shield", ("HE-BLUNT-11",)) in notes(spec)


@rule("HE-BLUNT-08", "HE-BLUNT-09")
def test_an_arm_that_cannot_attack_is_refused_by_its_own_injury(spec: Spec) -> None:
    spec.given(hero("Ana", **ARMED), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=attack("dagger"), Orc="no-action")
    spec.rule("injury", ("injury-damage", 1), who="Ana", name="Broken Upper Arm", side="main")
    spec.rule("injury", ("injury-damage", 1, 1), who="Ana", name="Crushed Shoulder", side="off")
    with spec.refused("HE-BLUNT-08", "arm-disabled"):
        spec.act("Ana", "attack", target="Orc")


@rule("HE-BLUNT-11", "HE-ITEM-01")
def test_what_fell_is_taken_up_as_much_as_fell(spec: Spec) -> None:
    potions = {"id": "potion", "quantity": 3, "hand": "off", "heals": {"stress": "1d4"}}
    spec.given(hero("Ana", items=[potions], max_stress=9), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=("use-item", {"item": "potion"}), Orc="no-action")
    spec.act("Ana", "use-item", ("healing", 2))
    spec.rule("injury", ("injury-damage", 1), who="Ana", name="Broken Forearm", side="off")
    spec.changes_nothing("take-up", who="Ana", thing="item:potion")  # the potion falls again
    spec.rule("heal", who="Ana", injury="Broken Forearm")
    spec.rule("take-up", who="Ana", thing="item:potion")
    assert spec["Ana"].facts["used"] == {"potion": 1}  # Ana dropped two, and takes up two


# ---- prices


@rule("HE-STRESS-06", "HE-STRESS-07")
def test_more_stress_than_there_is_is_not_paid_where_mana_would_do(spec: Spec) -> None:
    ward = {"id": "ward", "speed": 0, "mana_cost": 6, "effect": "a ward"}
    spec.given(hero("Mag", spells=[ward], max_mana=6, max_stress=5), monster("Orc"))
    started(spec, 1, 12, Mag=("cast", {"spell": "ward"}), Orc="no-action")
    with spec.refused("HE-STRESS-06", "insufficient-stress"):
        spec.act("Mag", "cast", stress_paid=6)


# ---- the log


@rule("HE-ATTR-03", "HE-INJ-09")
def test_the_log_says_what_was_lost_before_what_follows_and_what_came_back(spec: Spec) -> None:
    spec.given(hero("Ana", attributes={"agility": 3}), monster("Orc"))
    started(spec, 1, 12)
    spec.rule("injury", ("injury-damage", 8), who="Ana", name="Broken Femur")
    assert ("Ana loses 8 agility", ("HE-BLUNT-04", "HE-ATTR-03")) in notes(spec)
    spec.answer(None, "nothing-more", name="attribute-zero")
    spec.rule("heal", who="Ana", injury="broken femur", attributes={"agility": 2})
    assert notes(spec) == [
        ("Ana is healed of a Combat Injury: Broken Femur", ("HE-INJ-09",)),
        ("Ana gets 2 agility back", ("HE-INJ-09",)),
    ]


# ---- leaving while a die is open


@rule("HE-INJ-08")
@pytest.mark.parametrize("how", ["alone", "among several"])
def test_the_dice_of_an_injury_that_was_ruled_lapse_with_who_leaves(spec: Spec, how: str) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"))
    started(spec, 1, 2, 12)
    if how == "alone":
        spec.rule("injury", who="Ana", name="Broken Femur")
    else:
        targets = [{"combatant": "Ana"}, {"combatant": "Bo"}]
        spec.rule("several", ruling="injury", inputs={"name": "Broken Nose"}, targets=targets)
    before = [name for _, name, _ in spec.open()]
    assert before.count("injury-damage") == 1
    spec.leave("Ana")
    assert spec.event(Stopped).doing == "injury"
    after = [name for _, name, _ in spec.open()]
    assert after.count("injury-damage") == (0 if how == "alone" else 1)  # Bo's die is next
    if how == "among several":
        spec.answer(None, "roll", name="injury-damage", faces=[4])
        assert spec["Bo"].facts["attribute_damage"] == {"perception": 4}


@rule("HE-ATTR-06")
def test_nobody_rules_on_the_score_of_who_has_left(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"))
    started(spec, 1, 2, 12)
    spec.do(Change("Ana", sheet={"attributes": {"charm": 0}})).leave("Ana")
    assert "attribute-zero" not in [name for _, name, _ in spec.open()]


@rule("HE-ATTR-06")
def test_a_score_that_is_healed_meanwhile_makes_nobody_helpless(spec: Spec) -> None:
    spec.given(hero("Ana", attributes={"agility": 3}), hero("Bo"), monster("Orc"))
    started(spec, 1, 2, 12)
    spec.rule("injury", ("injury-damage", 8), who="Ana", name="Broken Femur")
    spec.rule("heal", who="Ana", attributes={"agility": 2})
    assert "attribute-zero" not in [name for _, name, _ in spec.open()]
    assert spec["Ana"].conditions == ()


MAUL = weapon("maul", "1d6", crit_range=2, damage_types=["blunt", "acid"], attack_bonus=9)


@rule("HE-INJ-01", "HE-INJ-04", "HE-INJ-06")
@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([], "injury-chance"),
        ([1], "injury-type"),
        ([1, "blunt"], "injury"),
        ([1, "blunt", 4], "injury-damage"),
        ([1, "acid"], "empty-injury-table"),
    ],
)
@pytest.mark.parametrize("tied", [True, False])
def test_nobody_rolls_for_the_injury_of_who_has_left(
    spec: Spec, answers: list[Any], asked: str, tied: bool
) -> None:
    spec.given(hero("Ana", weapons=[MAUL]), hero("Bo"), monster("Orc"), monster("Imp"))
    does = "no-action"
    started(spec, 1, 11, 1 if tied else 12, 12, Ana=attack("maul"), Bo=does, Orc=does, Imp=does)
    if tied:
        spec.act("Orc", "end-turn")
    spec.act("Ana", "attack", ("attack", 10), ("damage", 3), target="Orc")
    for answer in answers:
        if isinstance(answer, int):
            id = next(
                id for id, prompt in spec.live.open_prompts().items() if prompt.kind == "roll"
            )
            spec.do(Reply(id, None, {"faces": [answer]}))
        else:
            spec.answer("Ana", answer, name="injury-type")
    assert asked in [name for _, name, _ in spec.open()]
    spec.leave("Orc")
    names = {name for _, name, _ in spec.open()}
    assert names <= {"turn"}, names
