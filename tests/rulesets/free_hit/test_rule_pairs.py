"""Test rules that affect each other, such as those for newcomers and delays."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Change, Reply
from domain.errors import Illegal
from domain.record.events import Moved, Rolled, Stopped
from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def queue(spec: Spec) -> list[str]:
    return [place.who for place in spec.combat.queue]


def end(spec: Spec, *who: str) -> Spec:
    """End the turns of combatants."""
    for name in who:
        spec.act(name, "end-turn")
    return spec


# ---- newcomers and delays


def four(spec: Spec) -> Spec:
    """Begin with Ana, Bo, Cy and Dru, who act in this order.

    Their Agility is 9, 7, 5 and 3.
    """
    spec.given(
        unit("Ana", agility=9), unit("Bo", agility=7), foe("Cy", agility=5), foe("Dru", agility=3)
    )
    return spec.begin()


@rule("FH-INI-12", "FH-INI-09")
def test_a_newcomer_whose_place_has_passed_waits_though_a_delayer_acts(spec: Spec) -> None:
    four(spec).act("Ana", "delay", after="Cy")
    end(spec, "Bo", "Cy")
    assert spec.open() == [("turn", "turn", "Ana")]  # behind Cy in this round
    spec.join(name="Eve", side="foes", agility=6, accuracy=0, max_hp=5)  # between Bo and Cy
    end(spec, "Ana")
    assert spec.open() == [("turn", "turn", "Dru")]
    end(spec, "Dru", "Ana", "Bo")
    assert spec.open() == [("turn", "turn", "Eve")]


@rule("FH-INI-12", "FH-INI-09")
def test_a_newcomer_whose_place_is_to_come_acts_after_a_delayer(spec: Spec) -> None:
    four(spec).act("Ana", "delay", after="Cy")
    end(spec, "Bo", "Cy")
    spec.join(name="Eve", side="foes", agility=4, accuracy=0, max_hp=5)  # between Cy and Dru
    end(spec, "Ana")
    assert spec.open() == [("turn", "turn", "Eve")]


@rule("FH-INI-11", "FH-TRN-03", "FH-DMG-06")
@pytest.mark.parametrize("how", ["tied", "defeated"])
@pytest.mark.parametrize("freed", [True, False])
def test_the_budget_of_a_delayer_waits_for_one_who_can_act_again(
    spec: Spec, how: str, freed: bool
) -> None:
    four(spec).act("Ana", "delay", after="Cy")
    spec.rule("set-condition", combatant="Ana", condition=how)
    if freed and how == "tied":
        spec.rule("end-condition", combatant="Ana", condition="tied")
    elif freed:
        spec.rule("heal", combatant="Ana", amount=1)
    end(spec, "Bo", "Cy")
    assert spec.open() == [("turn", "turn", "Ana" if freed else "Dru")]
    whole, none = {"aa": 1, "ma": 1, "ba": 2}, {"aa": 0, "ma": 0, "ba": 0}
    assert spec["Ana"].budget == (whole if freed else none)


# ---- conditions by ruling end as the rulebook requires


@rule("FH-DUR-01", "FH-DSG-02", "FH-BST-01", "FH-BST-02")
@pytest.mark.parametrize("condition", ["disengaged", "damage-boost", "hit-boost"])
def test_what_the_gm_gives_for_the_round_ends_with_it(spec: Spec, condition: str) -> None:
    spec.given(unit("Ana", agility=5), foe("Imp")).begin()
    spec.rule("set-condition", combatant="Imp", condition=condition)
    end(spec, "Ana")
    assert spec["Imp"].has(condition)
    end(spec, "Imp")
    assert not spec["Imp"].has(condition)


@rule("FH-BST-05")
def test_a_dodge_boost_of_the_gms_ends_at_the_own_next_turn(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5), foe("Imp")).begin()
    spec.rule("set-condition", combatant="Imp", condition="dodge-boost", data={"value": 2})
    assert spec.ruleset.derived(spec.combat, "Imp")["target_number"] == 12
    end(spec, "Ana")
    assert not spec["Imp"].has("dodge-boost")


@rule("FH-DUR-01")
def test_what_a_sheet_brings_for_the_round_ends_with_it(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5, conditions=[{"id": "disengaged"}]), foe("Imp")).begin()
    end(spec, "Ana", "Imp")
    assert not spec["Ana"].has("disengaged")


# ---- two items with one name


def two_swords(spec: Spec) -> Spec:
    """Begin with Ana's sword and Imp's sword on the floor within Ana's reach.

    Bo has a sword in hand.
    """
    other = weapon("sword", "2d6", damage_bonus=3)
    spec.given(
        unit("Ana", agility=5, at=[0, 0], weapons=[SWORD]),
        unit("Bo", agility=4, at=[0, 1], weapons=[SWORD]),
        foe("Imp", at=[1, 0], weapons=[other]),
    ).begin()
    spec.rule("place-item", unit="Imp", item="sword", at=[1, 1])
    return spec.rule("place-item", unit="Ana", item="sword")


def lying(spec: Spec) -> dict[str, Any]:
    ground: dict[str, Any] = spec.combat.facts["ground"]
    return ground


@rule("FH-DSM-01", "FH-DSM-02")
def test_two_swords_on_the_ground_are_two(spec: Spec) -> None:
    two_swords(spec)
    assert {id: lying_item["of"] for id, lying_item in lying(spec).items()} == {
        "sword": "Imp",
        "sword-2": "Ana",
    }
    spec.act("Ana", "pick-up", item="sword-2", pay_with="ba")
    assert spec["Ana"].facts["weapons"] == {"sword": "drawn"}
    assert [held["id"] for held in spec["Ana"].sheet["weapons"]] == ["sword"]


@rule("FH-ACT-01", "FH-DSM-02")
def test_somebody_elses_sword_is_another_one(spec: Spec) -> None:
    two_swords(spec)
    spec.act("Ana", "pick-up", item="sword", pay_with="ba")
    assert [held["id"] for held in spec["Ana"].sheet["weapons"]] == ["sword", "sword-2"]
    with spec.refused("FH-ATK-08", "weapon-not-drawn"):  # her own sword still lies there
        spec.act("Ana", "attack", target="Imp", weapon="sword")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1, 1), target="Imp", weapon="sword-2")
    assert spec.hp("Imp") == 15  # 20 − (2 + 3)


@rule("FH-ACT-01", "FH-DSM-02")
def test_a_sword_goes_from_hand_to_hand(spec: Spec) -> None:
    two_swords(spec)
    end(spec, "Ana")
    spec.act("Bo", "pick-up", item="sword-2", pay_with="ba")
    assert [held["id"] for held in spec["Bo"].sheet["weapons"]] == ["sword", "sword-2"]
    spec.rule("place-item", unit="Bo", item="sword-2", at=[0, 0])
    end(spec, "Bo", "Imp")
    spec.act("Ana", "pick-up", item="sword-2", pay_with="ba")
    assert spec["Ana"].facts["weapons"] == {"sword": "lost", "sword-2": "drawn"}


RING = {"id": "r1", "name": "Ring of Kor", "at": [0, 0]}


@rule("FH-DSM-01", "FH-ACT-01")
def test_what_is_laid_down_is_not_carried_and_keeps_its_name(spec: Spec) -> None:
    rope = {"id": "r2", "name": "Rope"}
    spec.given(
        unit("Ana", agility=5, at=[0, 0], items=[RING, rope]), foe("Imp", agility=3, at=[1, 0])
    ).begin()
    spec.act("Ana", "pick-up", item="r1").rule("place-item", unit="Ana", item="r2")
    assert lying(spec)["r2"]["name"] == "Rope"
    assert spec["Ana"].facts["carried"] == ["r1"]
    spec.rule("place-item", unit="Ana", item="r1")
    assert spec["Ana"].facts["carried"] == []
    end(spec, "Ana").act("Imp", "pick-up", item="r1").act("Imp", "pick-up", item="r2")
    spec.rule("place-item", unit="Imp", item="r1")
    assert lying(spec)["r1"]["name"] == "Ring of Kor"
    spec.rule("place-item", unit="Imp", item="r2", name="Snake")
    assert lying(spec)["r2"]["name"] == "Snake"
    assert spec["Imp"].facts["carried"] == []


# ---- spells


FROST = {
    "id": "frost", "name": "Frost", "attack": True, "damage": "1d6",
    "conditions": [{"id": "frozen", "until": "round"}],
    "modifiers": [{"key": "accuracy", "value": -2, "until": "battle"}],
}  # fmt: skip


def frost(spec: Spec) -> Spec:
    spec.given(
        unit("Mag", agility=5, spells=[FROST], at=[0, 0]),
        foe("Imp", max_hp=40, at=[3, 0], accuracy=4),
        foe("Orc", max_hp=40, at=[0, 3]),
    )
    return spec.begin()


@rule("FH-SPL-05")
def test_what_an_attacking_spell_puts_on_its_target_comes_with_the_hit(spec: Spec) -> None:
    frost(spec).act(
        "Mag", "cast", ("attack", 12), ("damage", 2), ("attack", 3), spell="frost",
        targets=["Imp", "Orc"],
    )  # fmt: skip
    assert spec.hp("Imp") == 38
    assert spec["Imp"].has("frozen")
    assert spec.ruleset.derived(spec.combat, "Imp")["accuracy_now"] == 2  # 4 − 2
    assert not spec["Orc"].has("frozen")  # 3 against 10: a miss
    end(spec, "Mag", "Orc")
    assert not spec["Imp"].has("frozen")


@rule("FH-SMN-03")
def test_what_is_large_appears_where_it_has_room(spec: Spec) -> None:
    golem = {"name": "Golem", "agility": 0, "accuracy": 0, "max_hp": 9, "size": 2}
    call = {"id": "call", "name": "Call", "summon": {"sheet": golem}}
    spec.given(unit("Mag", agility=5, spells=[call], at=[0, 0]), foe("Imp", at=[2, 1])).begin()
    with spec.refused("FH-SMN-03", "path-blocked"):
        spec.act("Mag", "cast", spell="call", spaces=[[1, 0]])  # Imp is in the golem's space
    spec.act("Mag", "cast", spell="call", spaces=[[-2, 0]])  # the golem fills [-1, 0], next to Mag
    assert spec["Golem"].position == (-2, 0, 0)


# ---- standing up, sneaking


@rule("FH-PRN-07")
def test_nobody_stands_up_while_the_gm_thinks_about_the_reach(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, weapons=[SWORD]), foe("Imp", conditions=[{"id": "prone"}])
    ).begin()
    spec.act("Ana", "attack", target="Imp")
    assert spec.open() == [("ruling", "zone", None)]
    with spec.refused("FH-PRN-07", "mid-attack"):
        spec.act("Imp", "stand-up", pay_with="ba")
    spec.answer(None, "no")
    spec.act("Imp", "stand-up", pay_with="ba")


@rule("FH-SNK-04")
def test_who_is_noticed_after_sneaking_on_is_unnoticed_no_more(spec: Spec) -> None:
    spec.given(unit("Ana", agility=5, at=[0, 0], undetected_by="all"), foe("Imp", at=[9, 9]))
    spec.begin().act("Ana", "move", path=[[0, 1]], mode="sneak")
    spec.answer(None, "nobody")  # nobody fails to notice her
    assert not spec["Ana"].has("undetected")


# ---- an open die that can no longer be rolled


@rule("FH-SPL-05")
def test_a_healing_for_one_who_leaves_is_not_rolled(spec: Spec) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "1d6"}
    spec.given(unit("Mag", agility=5, spells=[mend]), unit("Bo", hp=3), foe("Imp")).begin()
    spec.act("Mag", "cast", spell="mend", targets=["Bo"])
    assert spec.open() == [("roll", "healing", "Mag")]
    spec.leave("Bo")
    assert spec.event(Stopped).reason == "gone"
    assert spec.open() == [("turn", "turn", "Mag")]
    assert spec.events(Rolled) == []


@rule("FH-FRE-08")
def test_whoever_passed_is_asked_when_the_zone_is_left_again(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, at=[0, 0], weapons=[BOW], feats={"athlete": True}),
        foe("Imp", agility=3, at=[1, 0], weapons=[SWORD]),
    ).begin()
    spec.act("Ana", "move", path=[[-1, 0], [0, 0], [-1, 0]])
    spec.answer("Imp", "pass")
    assert spec.event(Moved, path=((0, 0, 0),))
    assert spec.open() == [("reaction", "free-hit", "Imp")]
    spec.answer("Imp", "pass")
    assert spec["Ana"].position == (-1, 0, 0)


# ---- modifiers of a sheet


@rule("FH-ATK-05", "FH-DUR-01", "FH-BST-05")
@pytest.mark.parametrize("joins", [True, False])
def test_modifiers_of_a_sheet_last_as_long_as_they_say(spec: Spec, joins: bool) -> None:
    until = {"key": "dodge", "value": 2, "until": "round"}
    more = [until, {"key": "dodge", "value": 1}, {"key": "dodge", "value": 4, "until": "next-turn"}]
    ana = unit("Ana", agility=5, modifiers=more if joins else [])
    spec.given(foe("Imp", agility=9), ana).begin()
    if not joins:
        spec.do(Change("Ana", sheet={"modifiers": more}))

    def dodge() -> object:
        return spec.ruleset.derived(spec.combat, "Ana")["target_number"]

    assert dodge() == 22  # 10 + 5 + 2 + 1 + 4
    spec.do(Change("Ana", sheet={"modifiers": [{**until, "value": 3}, *more[1:]]}))
    assert dodge() == 23
    spec.do(Change("Ana", sheet={"level": 2}))
    end(spec, "Imp")
    assert dodge() == 19  # after her turn has begun
    end(spec, "Ana")
    assert dodge() == 16  # in the next round
    spec.do(Change("Ana", sheet={"modifiers": more})).do(Change("Ana", sheet={"modifiers": []}))
    assert dodge() == 15


# ---- hidden units


@rule("FH-FRE-09")
@pytest.mark.parametrize("path", [[[2, 0]], [[0, 1], [1, 1], [0, 1]]])
def test_who_does_not_know_of_the_mover_is_not_asked(spec: Spec, path: list[list[int]]) -> None:
    spec.given(
        unit("Ana", agility=5, at=[0, 0], weapons=[SWORD]),
        foe("Rat", agility=9, at=[1, 0]),
        foe("Imp"),
        hidden=("Rat",),
    ).begin()
    spec.act("Rat", "move", path=path)
    assert spec.open() == [("turn", "turn", "Rat")]
    assert spec["Rat"].position == (*path[-1], 0)


@rule("FH-FUM-04")
def test_an_attack_of_the_hidden_may_be_answered(spec: Spec) -> None:
    spec.given(
        unit("Ana", agility=5, at=[0, 0], weapons=[SWORD]),
        foe("Rat", agility=9, at=[1, 0], weapons=[SWORD]),
        hidden=("Rat",),
    ).begin()
    spec.act("Rat", "attack", ("attack", 1), ("auto-fail-d4", 2), target="Ana")
    assert spec.open() == [("reaction", "free-hit", "Ana")]


@rule("FH-FUM-04", "FH-FUM-06", "FH-SNK-03")
@pytest.mark.parametrize("d4", [2, 4])
def test_whoever_is_attacked_by_the_hidden_answers_without_knowing_it(spec: Spec, d4: int) -> None:
    anna = Caller("anna", "player", ("Ana",))
    spec.given(
        unit(
            "Ana", agility=5, at=[0, 0], weapons=[BOW, SWORD, {**SWORD, "id": "pole", "reach": 0}]
        ),
        foe("Rat", agility=9, at=[1, 0], weapons=[SWORD]),
        hidden=("Rat",),
    ).begin()
    escalation = [("auto-fail-d4", d4), *([("auto-fail-d6", 1)] if d4 == 4 else [])]
    spec.act("Rat", "attack", ("attack", 1), *escalation, target="Ana")
    [prompt] = spec.live.open_prompts()
    [strike] = [offer for offer in spec.live.options("Ana", anna) if offer.option.id == "take"]
    assert {inputs["weapon"] for inputs in strike.legal} == {"sword", "pole"}
    for inputs, code in (({"weapon": "bow"}, "weapon-not-drawn"), ({"aim": "tail"}, "unknown-aim")):
        with spec.raises(Illegal) as caught:
            spec.do(Reply(prompt, "take", inputs), by=anna)
        assert caught[0].code == code
        assert "Rat" not in caught[0].detail
    rolls = [("damage", 2)] if d4 == 4 else [("attack", 19), ("damage", 2)]
    spec.do(Reply(prompt, "take", {"weapon": "sword", "aim": "legs"}), *rolls, by=anna)
    assert spec.hp("Rat") == (16 if d4 == 4 else 18)


# ---- renamed units


ORC = foe("Old Orc", agility=2, at=[1, 0], weapons=[SWORD])


@rule("FH-SNK-01", "FH-FRE-09")
@pytest.mark.parametrize("when", ["before", "after", "ruling"])
def test_who_is_renamed_notices_no_more_than_before(spec: Spec, when: str) -> None:
    sneaking: dict[str, Any] = {}
    if when != "ruling":
        sneaking = {"undetected_by": ["Bo", "Old Orc"]}
    ana = unit("Ana", agility=5, at=[0, 0], **sneaking)
    sheets = [ORC, ana] if when == "before" else [ana, ORC]
    spec.given(*sheets, unit("Bo", at=[9, 9])).begin()
    if when == "ruling":
        unseen = {"by": ["Bo", "Old Orc"]}
        spec.rule("set-condition", combatant="Ana", condition="undetected", key="x", data=unseen)
    [sneaking_up] = spec["Ana"].conditions
    assert sneaking_up.data["by"] == ["Bo", "Old-Orc"]
    [orc] = [combatant.id for combatant in spec.combat if combatant.name == "Old Orc"]
    assert orc != "Old Orc"
    spec.do(Change(orc, name="Gnash")).act("Ana", "move", path=[[-1, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]
    spec.rule("set-detected", combatant="Ana", undetected_by=["Gnash"])
    spec.act("Ana", "bonus-move", path=[[0, 0]]).act("Ana", "bonus-move", path=[[-1, 0]])
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("FH-SMN-01", "FH-SMN-03", "FH-THR-01")
@pytest.mark.parametrize("first", [True, False])
def test_who_is_renamed_keeps_what_it_has_summoned(spec: Spec, first: bool) -> None:
    wolf = unit("Wolf", summon={"summoner": "Old Nec", "summoned_in": "before", "thrall_cost": 4})
    nec = unit("Old Nec", agility=5)
    spec.given(*([nec, wolf] if first else [wolf, nec]), foe("Imp"))
    [id] = [combatant.id for combatant in spec.combat if combatant.name == "Old Nec"]
    spec.do(Change(id, name="Morgul"))
    assert spec.ruleset.derived(spec.combat, id)["summoning_slots"] == {"total": 1, "used": 1}
    spec.begin()
    assert spec.open() == [("choice", "thrall", id)]
    spec.answer(id, "retain")
    assert spec.hp(id) == 16
