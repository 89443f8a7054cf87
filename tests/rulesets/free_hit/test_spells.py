"""Test spells, channeling, summons and thralls (FH-SPL, FH-CHN, FH-SMN, FH-THR)."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Change
from domain.errors import Illegal
from domain.record.events import Damaged, EffectResolved, Healed, Stopped
from tests.rulesets.free_hit.units import SWORD, foe, unit, weapon
from tests.spec import Spec, rule


def mage(spec: Spec, *spells: dict[str, Any], **fields: Any) -> Spec:
    """Begin Mag's turn at `[0, 0]`, with Imp at `[2, 0]` and Bo at `[0, 2]`."""
    base: dict[str, Any] = {"agility": 5, "max_mp": 10, "at": [0, 0], "spells": list(spells)}
    spec.given(
        unit("Mag", **{**base, **fields}),
        foe("Imp", agility=1, at=[2, 0], max_hp=40, weapons=[SWORD]),
        unit("Bo", agility=-1, at=[0, 2]),
    )
    return spec.begin()


def spell(id: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, **fields}


@rule("FH-SPL-01", "FH-CHN-03")
def test_a_spell_paid_at_once_is_not_channeled(spec: Spec) -> None:
    mage(spec, spell("zap", cast_time={"aa": 1, "ma": 1}, attack=True, damage="1d6", mp_cost=2))
    spec.act("Mag", "cast", ("attack", 15), ("damage", 4), spell="zap", targets=["Imp"])
    assert not spec["Mag"].has("channeling")
    assert spec["Mag"].budget == {"aa": 0, "ma": 0, "ba": 2}
    assert spec.hp("Mag", "mp") == 8


@rule("FH-SPL-03")
def test_mp_must_be_there_when_casting_starts(spec: Spec) -> None:
    mage(spec, spell("zap", attack=True, damage="1d6", mp_cost=11))
    with spec.refused("FH-SPL-03", "not-enough-mp"):
        spec.act("Mag", "cast", spell="zap", targets=["Imp"])


@rule("FH-SPL-03")
def test_a_spell_fizzles_without_mp_at_its_end(spec: Spec) -> None:
    mage(spec, spell("slow", cast_time={"aa": 2}, healing="1d6", mp_cost=5))
    spec.act("Mag", "cast", spell="slow").act("Mag", "end-turn")
    spec.rule("set-track", who="Mag", track="mp", value=4)
    spec.act("Imp", "end-turn").act("Bo", "end-turn")
    spec.act("Mag", "continue-casting", spell="slow", targets=["Bo"])
    event = spec.event(EffectResolved)
    assert (event.who, event.kind, event.effect) == ("Mag", "spell", "slow")
    assert (event.result, event.numbers) == ("lost", {"mp_cost": 5, "mp": 4})
    assert spec.hp("Mag", "mp") == 4
    assert not spec["Mag"].has("channeling")


@rule("FH-SPL-02", "FH-CHN-04")
def test_casting_is_paid_in_parts_or_cancelled(spec: Spec) -> None:
    mage(spec, spell("slow", cast_time={"aa": 2}, healing="1d6"))
    with spec.refused("FH-SPL-02", "not-casting"):
        spec.act("Mag", "continue-casting", spell="slow", targets=["Bo"])
    with spec.refused("FH-SPL-02", "not-casting"):  # with or without targets
        spec.act("Mag", "continue-casting", spell="slow")
    spec.act("Mag", "cast", spell="slow")
    with spec.raises(Illegal) as caught:
        spec.act("Mag", "continue-casting", spell="slow", targets=["Bo"])
    assert (caught[0].rule, caught[0].code) == ("FH-SPL-02", "cannot-pay-cast-time")
    assert caught[0].detail == "1 AA of the cast time is to be paid, and nothing of it is left"
    spec.act("Mag", "cancel-spell", spell="slow")
    assert not spec["Mag"].has("channeling")
    with spec.refused("FH-CHN-04", "not-casting"):
        spec.act("Mag", "cancel-spell", spell="slow")


@rule("FH-CHN-04")
def test_being_out_of_the_fight_ends_channeling(spec: Spec) -> None:
    mage(spec, spell("slow", cast_time={"aa": 2}, healing="1d6"))
    spec.act("Mag", "cast", spell="slow").rule("damage", who="Mag", amount=99)
    assert not spec["Mag"].has("channeling")


@rule("FH-SPL-05", "FH-ATK-07")
def test_a_spell_without_an_attack_takes_effect(spec: Spec) -> None:
    fire = spell("fire", damage="2d6", damage_type="fire", range=5)
    mage(spec, fire, spell("mend", cast_time={"ma": 1}, healing="1d8"))
    spec.rule("move", who="Imp", to=[6, 0])
    with spec.refused("FH-ATK-07", "out-of-range"):
        spec.act("Mag", "cast", spell="fire", targets=["Imp"])
    spec.rule("move", who="Imp", to=[5, 0])
    spec.act("Mag", "cast", ("damage", 4, 5), spell="fire", targets=["Imp"])
    assert spec.event(Damaged).amount == 9
    spec.rule("damage", who="Bo", amount=10)
    spec.act("Mag", "cast", ("healing", 7), spell="mend", targets=["Bo"])
    assert spec.event(Healed).amount == 7


FIRE = spell("fire", cast_time={"ba": 1}, damage="1d6")
MEND = spell("mend", cast_time={"ba": 1}, healing="1d6")


@rule("FH-SEQ-06", "FH-SPL-05")
@pytest.mark.parametrize("state", ["fled", "gone"])
@pytest.mark.parametrize("known", ["fire", "mend"])
def test_no_spell_reaches_who_is_not_on_the_battlefield(spec: Spec, state: str, known: str) -> None:
    mage(spec, FIRE, MEND).rule("set-condition", who="Bo", condition=state)
    with spec.refused("FH-SEQ-06", "out-of-reach"):
        spec.act("Mag", "cast", spell=known, targets=["Bo"])


@rule("FH-SPL-05", "FH-SEQ-06")
def test_a_spell_reaches_who_has_yielded_and_who_lies_there(spec: Spec) -> None:
    mage(spec, FIRE, MEND).rule("set-condition", who="Bo", condition="yielded")
    spec.act("Mag", "cast", ("damage", 4), spell="fire", targets=["Bo"])
    assert spec.hp("Bo") == 16
    spec.rule("end-condition", who="Bo", condition="yielded").rule("damage", who="Bo", amount=16)
    spec.act("Mag", "cast", ("healing", 3), spell="mend", targets=["Bo"])
    assert spec.hp("Bo") == 3


@rule("FH-SEQ-06", "FH-SPL-05")
def test_who_goes_away_while_a_spell_strikes_others_is_not_reached(spec: Spec) -> None:
    mage(spec, spell("fire", damage="1d6", mp_cost=1))
    spec.act("Mag", "cast", spell="fire", targets=["Imp", "Bo"])
    spec.rule("set-condition", who="Bo", condition="fled")
    spec.answer("Mag", "roll", faces=[2])
    assert spec.open() == [("turn", "turn", "Mag")]
    assert (spec.hp("Imp"), spec.hp("Bo")) == (38, 20)


@rule("FH-SPL-05", "FH-ATK-01")
def test_nobody_is_the_target_of_one_spell_twice(spec: Spec) -> None:
    mage(spec, MEND)
    with spec.refused("FH-SPL-05", "same-target"):
        spec.act("Mag", "cast", spell="mend", targets=["Bo", "Mag", "Bo"])


@rule("FH-SPL-05", "FH-AIM-05", "FH-AIM-06", "FH-WND-02", "FH-DMG-06")
def test_wounds_and_defeat_by_a_spell_are_what_they_are(spec: Spec) -> None:
    curse = [{"id": "wound-disrupting"}, {"id": "wound-weakening"}]
    spells = (
        spell("curse", cast_time={}, conditions=curse),
        spell("word", cast_time={}, conditions=[{"id": "defeated"}]),
    )
    mage(spec, *spells, accuracy=5).act("Mag", "cast", spell="curse", targets=["Mag"])
    assert spec["Mag"].budget == {"aa": 1, "ma": 1, "ba": 1}
    assert spec.ruleset.derived(spec.combat, "Mag")["accuracy_now"] == 1  # 5 − 1 − 3
    spec.act("Mag", "cast", spell="word", targets=["Bo"])
    assert (spec.hp("Bo"), spec["Bo"].has("defeated")) == (0, True)
    spec.act("Mag", "end-turn").act("Imp", "end-turn")
    assert spec.ruleset.derived(spec.combat, "Mag")["accuracy_now"] == 4


@rule("FH-SPL-03", "FH-SMN-02")
def test_magic_points_come_before_slots(spec: Spec) -> None:
    call = spell("call", mp_cost=6, cast_time={"ba": 1}, summon={"sheet": BEAST})
    mage(spec, call).act("Mag", "cast", spell="call", spaces=[[1, 1]])
    for spaces in ([[1, 0]], []):
        with spec.refused("FH-SPL-03", "not-enough-mp"):
            spec.act("Mag", "cast", spell="call", spaces=spaces)


@rule("FH-WND-04")
def test_a_spell_removes_a_wound(spec: Spec) -> None:
    mage(spec, spell("close", removes_wound=True))
    spec.rule("set-condition", who="Bo", condition="wound-slowing", key="wound-slowing#1")
    spec.act("Mag", "cast", spell="close", targets=["Bo"])
    assert not spec["Bo"].has("wound-slowing")


WARD = spell(
    "ward", toggle=True, mp_cost=1, upkeep={"mp": 2, "ba": 1},
    modifiers=[{"key": "dodge", "value": 3, "source": "ward"}],
)  # fmt: skip


def dodge(spec: Spec, who: str) -> object:
    return spec.ruleset.derived(spec.combat, who)["target_number"]


@rule("FH-SPL-06", "FH-ACT-04")
def test_a_cast_spell_is_switched_off_and_on(spec: Spec) -> None:
    mage(spec, WARD)
    with spec.refused("FH-SPL-06", "not-toggleable"):
        spec.act("Mag", "toggle-spell", spell="ward")
    spec.act("Mag", "cast", spell="ward", targets=["Bo"])
    assert dodge(spec, "Bo") == 12  # 10 − 1 + 3
    spec.act("Mag", "toggle-spell", spell="ward")
    assert dodge(spec, "Bo") == 9
    spec.act("Mag", "toggle-spell", spell="ward")
    assert dodge(spec, "Bo") == 12
    assert spec["Mag"].budget["ba"] == 0


@rule("FH-CHN-01", "FH-CHN-05")
def test_upkeep_is_paid_or_let_go(spec: Spec) -> None:
    mage(spec, WARD).act("Mag", "cast", spell="ward", targets=["Bo"])
    assert spec["Mag"].has("channeling")
    assert dodge(spec, "Mag") == 5
    spec.act("Mag", "end-turn").act("Imp", "end-turn").act("Bo", "end-turn")
    prompt = spec.prompt("Mag", "upkeep")
    assert (prompt.kind, prompt.default) == ("choice", "pay")
    spec.answer("Mag", "pay")
    assert (spec.hp("Mag", "mp"), spec["Mag"].budget["ba"]) == (7, 1)  # 10 − 1 − 2, 2 − 1
    spec.rule("set-track", who="Mag", track="mp", value=1)
    spec.act("Mag", "end-turn").act("Imp", "end-turn").act("Bo", "end-turn")
    assert spec.open() == [("turn", "turn", "Mag")]  # no budget, so it ends without a prompt
    assert not spec["Mag"].has("channeling")
    assert dodge(spec, "Bo") == 9


@rule("FH-CHN-05")
def test_what_cannot_be_paid_any_more_is_let_go_at_once(spec: Spec) -> None:
    mage(spec, WARD).act("Mag", "cast", spell="ward", targets=["Bo"])
    spec.act("Mag", "end-turn").act("Imp", "end-turn").act("Bo", "end-turn")
    spec.rule("set-track", who="Mag", track="mp", value=1)  # the upkeep costs 2
    assert spec.open() == [("turn", "turn", "Mag")]
    assert (spec.hp("Mag", "mp"), dodge(spec, "Bo")) == (1, 9)


LONGER = {"id": "longer", "changes": {"upkeep": {"mp": 3}, "toggle": True}}


@rule("FH-SPL-04", "FH-CHN-05", "FH-SPL-06")
@pytest.mark.parametrize(
    ("upkeep", "notes", "due"),
    [(None, ["longer"], 3), ({"mp": 1}, ["longer"], 3), ({"mp": 1}, [], 1)],
)
def test_a_spell_goes_on_as_its_notes_have_made_it(
    spec: Spec, upkeep: dict[str, int] | None, notes: list[str], due: int
) -> None:
    ward = spell("ward", upkeep=upkeep, notes=[LONGER], modifiers=WARD["modifiers"])
    mage(spec, ward).act("Mag", "cast", spell="ward", targets=["Bo"], notes=notes)
    if notes:
        spec.act("Mag", "toggle-spell", spell="ward")
        assert dodge(spec, "Bo") == 9  # Mag has switched the ward off
    else:
        with spec.refused("FH-SPL-06", "not-toggleable"):
            spec.act("Mag", "toggle-spell", spell="ward")
    spec.act("Mag", "end-turn").act("Imp", "end-turn").act("Bo", "end-turn")
    assert spec.prompt("Mag", "upkeep").data["mp"] == due
    assert spec.hp("Mag", "mp") == 10
    spec.answer("Mag", "pay")
    assert spec.hp("Mag", "mp") == 10 - due


@rule("FH-CHN-06", "FH-FT-04")
def test_battle_caster_dodges_while_channeling(spec: Spec) -> None:
    mage(spec, WARD, feats={"battle_caster": True})
    spec.act("Mag", "cast", spell="ward", targets=["Bo"])
    assert dodge(spec, "Mag") == 15


@rule("FH-DSG-04")
def test_a_spell_grants_disengaging(spec: Spec) -> None:
    mage(spec, spell("slip", grants_disengage=True))
    spec.act("Mag", "cast", spell="slip")
    assert spec["Mag"].has("disengaged")


@rule("FH-DSG-04")
@pytest.mark.parametrize(
    ("targets", "freed"),
    [(["Bo"], {"Bo"}), (["Mag", "Bo"], {"Mag", "Bo"}), (["Imp"], {"Mag"}), (["Imp", "Bo"], {"Bo"})],
)
def test_no_foe_that_a_spell_is_thrown_at_disengages(
    spec: Spec, targets: list[str], freed: set[str]
) -> None:
    mage(spec, spell("slip", grants_disengage=True))
    spec.act("Mag", "cast", spell="slip", targets=targets)
    assert {combatant.id for combatant in spec.combat if combatant.has("disengaged")} == freed


@rule("FH-FT-07", "FH-SPL-05")
def test_a_spell_called_like_a_weapon_is_none(spec: Spec) -> None:
    keen = {"key": "accuracy", "value": 9, "when": "weapon:sword"}
    sword = spell("sword", attack=True, damage="1d4")
    mage(spec, sword, weapons=[SWORD], feats={"weapon_focus": ["sword"]}, modifiers=[keen])
    spec.act("Mag", "cast", ("attack", 11), ("damage", 3), spell="sword", targets=["Imp"])
    assert spec.rolled("attack").total == 11  # against 10 + 1
    assert spec.hp("Imp") == 37


BEAST = {
    "name": "Beast", "agility": 0, "accuracy": 0, "max_hp": 5,
    "weapons": [weapon("bite", "1d4", natural=True)],
}  # fmt: skip


@rule("FH-SMN-01", "FH-SMN-02", "FH-SMN-03", "FH-FT-03", "FH-THR-05")
def test_legion_leader_and_letting_go(spec: Spec) -> None:
    call = spell("call", cast_time={"ba": 1}, summon={"sheet": BEAST})
    mage(spec, call, feats={"legion_leader": True}, level=1)
    shown = spec.ruleset.derived(spec.combat, "Mag")["summoning_slots"]
    assert shown == {"total": 3, "used": 0}
    spec.act("Mag", "cast", spell="call", spaces=[[1, 1]])
    with spec.refused("FH-SMN-03", "path-blocked"):
        spec.act("Mag", "cast", spell="call", spaces=[[1, 1]])
    with spec.refused("FH-SMN-03", "out-of-range"):
        spec.act("Mag", "cast", spell="call", spaces=[[0, 3]])
    assert spec["Beast"].side == "heroes"
    spec.act("Mag", "release-summon", unit="Beast")
    assert spec["Beast"].has("gone")
    assert spec.ruleset.derived(spec.combat, "Mag")["summoning_slots"]["used"] == 0


@rule("FH-SMN-04", "FH-THR-02")
def test_a_summoned_unit_stays_when_its_summoner_falls(spec: Spec) -> None:
    mage(spec, spell("call", summon={"sheet": BEAST, "sickness": False}))
    spec.act("Mag", "cast", spell="call", spaces=[[1, 1]])
    assert not spec["Beast"].has("summoning-sick")
    spec.rule("damage", who="Mag", amount=99)
    assert not spec["Beast"].has("gone")
    spec.rule("damage", who="Imp", amount=99)
    assert spec.open() == [("choice", "thrall", "Mag")]
    spec.answer("Mag", "vanish")
    assert spec["Beast"].has("gone")


@rule("FH-THR-01", "FH-THR-03", "FH-THR-05")
def test_who_was_summoned_before_is_retained_or_vanishes(spec: Spec) -> None:
    summoned = {"summoner": "Mag", "summoned_in": "before"}
    spec.given(
        unit("Mag", agility=5, max_hp=10),
        unit("Wolf", summon={**summoned, "thrall_cost": 4}),
        unit("Bear", level=2, summon=summoned),
        unit("Old", summon={**summoned, "thralled": True}),
        foe("Imp"),
    ).begin()
    spec.answer("Mag", "retain", name="thrall")
    assert spec["Mag"].tracks["hp"].maximum == 6  # 10 − 4
    with spec.refused("FH-THR-05", "cannot-pay-thrall-cost"):  # 6 × 2 = 12
        spec.answer("Mag", "retain")
    spec.answer("Mag", "vanish")
    assert spec["Bear"].has("gone")
    assert spec.open() == [("turn", "turn", "Mag")]  # thralls need no answer
    spec.rule("damage", who="Wolf", amount=99)
    assert spec["Mag"].tracks["hp"].maximum == 10  # lost hit points stay lost
    assert spec.hp("Mag") == 6


@rule("FH-FLT-02", "FH-SCK-01")
def test_data_can_make_flat_footed(spec: Spec) -> None:
    web = spell("web", conditions=[{"id": "webbed", "until": "round", "flat_footed": True}])
    mage(spec, web).act("Mag", "cast", spell="web", targets=["Imp"])
    assert dodge(spec, "Imp") == 5
    spec.act("Mag", "end-turn").act("Imp", "end-turn").act("Bo", "end-turn")
    assert dodge(spec, "Imp") == 11


@rule("FH-SMN-03")
def test_nobody_is_summoned_onto_somebody_hidden(spec: Spec) -> None:
    """A hidden combatant in the chosen space stops a summoning spell.

    The caster still pays the spell's mana.
    """
    mage(spec, spell("call", mp_cost=6, cast_time={"ba": 1}, summon={"sheet": BEAST}))
    spec.do(Change("Mag", owner="anna"))
    spec.join(**foe("Lurker", at=[0, 1]), hidden=True)
    mp = spec.hp("Mag", "mp")
    cast = Act("Mag", "cast", {"spell": "call", "spaces": [[0, 1]]})
    spec.do(cast, by=Caller("p1", "player", owner="anna"))
    assert spec.event(Stopped).reason == "path-blocked"
    assert (spec.hp("Mag", "mp"), spec["Mag"].budget["ba"]) == (mp - 6, 1)
    assert "Beast" not in spec.combat.combatants
