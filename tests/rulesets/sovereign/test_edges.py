"""The edges of single rules: what is refused, what is exactly enough, what a power changes."""

from typing import Any

import pytest

from domain.record.events import Healed, Noted, Stopped
from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
    KNIFE,
    SWORD,
    end,
    fight,
    hero,
    main,
    npc,
)
from tests.spec import Spec, rule

# ---- the roll, and what may still change it

REROLL = {
    "id": "again", "name": "again", "windows": ["attack-rolled"], "uses": 1,
    "effects": [{"type": "reroll"}],
}  # fmt: skip
LUCK = {
    "id": "luck", "name": "luck", "windows": ["attack-rolled"], "uses": 1,
    "effects": [{"type": "miss-to-hit"}],
}  # fmt: skip


@rule("SOV-INST-10", "SOV-ATK-01")
def test_an_attack_that_is_rolled_again(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[REROLL]), npc("Orc", max_hp=20), asks=("Ana",)
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    assert spec.prompt("Ana").data["outcome"] == "miss"
    spec.answer("Ana", "use-ability", ("attack", 15), ("damage", 4), ability="again")
    assert spec.hp("Orc") == 16


@rule("SOV-INST-09", "SOV-TD-04")
def test_a_miss_that_a_power_has_made_a_hit_stays_one(spec: Spec) -> None:
    fight(
        spec, hero("Ana", weapons=[SWORD], abilities=[LUCK]), npc("Orc", ac=12, max_hp=20),
        asks=("Ana",),
    )  # fmt: skip
    spec.act("Ana", "melee-attack", ("attack", 2), target="Orc")
    spec.answer("Ana", "use-ability", ability="luck")
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.act("Orc", "total-defense")
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 16


@rule("SOV-TD-04")
def test_an_outcome_is_final_against_a_defense_of_before(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", ac=10, max_hp=20))
    spec.act("Orc", "total-defense")
    spec.act("Ana", "melee-attack", ("attack", 12), target="Orc")  # 12 against 12
    assert spec.open() == [("roll", "damage", "Ana")]
    spec.rule("modifier", combatant="Orc", value=5, applies_to="ac")
    spec.answer("Ana", "roll", faces=[4])
    assert spec.hp("Orc") == 16


@rule("SOV-INST-07", "SOV-HOLD-02")
def test_whoever_has_gone_when_the_blow_would_fall_is_not_hurt(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD]), asks=("Ana",))
    spec.act("Ana", "hold-action")
    end(spec, "Ana")
    spec.act("Orc", "melee-attack", target="Ana")
    spec.answer("Ana", "pass", ("attack", 15))  # 16 hits
    spec.answer("Ana", "trigger-held")
    spec.act("Ana", "run", path=[[-1, 0], [-2, 0]], pay="main")
    spec.answer("Orc", "pass", name="attack-of-opportunity")
    end(spec, "Ana")
    assert spec.event(Stopped, who="Orc").reason == "out-of-reach"
    assert spec.open() == [("turn", "turn", "Orc")]
    assert spec.hp("Ana") == 10


@rule("SOV-SPELL-02")
def test_a_spells_attack_at_exactly_its_range(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 30}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[6, 0], max_hp=20))
    spec.act("Mag", "cast-spell", ("attack", 15), ("damage", 3, 4), spell="bolt", targets=["Orc"])
    assert spec.hp("Orc") == 13


@rule("SOV-EXEC-03", "SOV-AOO-05")
def test_a_blow_of_opportunity_spoils_the_preparation(spec: Spec) -> None:
    fight(
        spec,
        hero("Pia", weapons=[DAGGER, BOW]),
        npc("Orc", at=[2, 0]),
        npc("Sentry", at=[9, 0], alertness="unsuspecting"),
    )
    spec.act("Pia", "prepare-execution", target="Sentry", weapon="bow", mode="ranged")
    end(spec, "Pia")
    spec.act("Orc", "run", path=[[1, 0], [2, 0]])  # up to her, and away again
    spec.answer("Pia", "attack-of-opportunity", ("attack", 2))
    assert not spec["Pia"].has("preparing-execution")


# ---- what is refused


@rule("SOV-ATK-02", "SOV-RNG-02")
@pytest.mark.parametrize(
    ("action", "inputs", "by"),
    [
        ("melee-attack", {"weapon": "sword", "attribute": "dex"}, "SOV-ATK-02"),
        ("ranged-attack", {"weapon": "bow", "skill": "stab"}, "SOV-RNG-02"),
    ],
)
def test_only_what_the_weapon_lists(
    spec: Spec, action: str, inputs: dict[str, Any], by: str
) -> None:
    at = [1, 0] if action == "melee-attack" else [4, 0]
    fight(spec, hero("Ana", weapons=[SWORD, BOW]), npc("Orc", at=at))
    with spec.refused(by, "missing-data"):
        spec.act("Ana", action, target="Orc", **inputs)


@rule("SOV-SEQ-04", "SOV-ACT-01")
def test_an_ability_of_a_main_waits_for_the_own_turn(spec: Spec) -> None:
    burst = {
        "id": "burst", "name": "Burst", "action": "main",
        "effects": [{"type": "damage", "dice": "1d4"}],
    }  # fmt: skip
    fight(spec, hero("Ana", abilities=[burst]), npc("Orc"))
    end(spec, "Ana")
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "use-ability", ability="burst", target="Orc")


@rule("SOV-ACT-07", "SOV-SEQ-04")
def test_no_instant_before_the_fight(spec: Spec) -> None:
    spec.given(hero("Ana"), npc("Orc"))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Ana", "total-defense")


@rule("SOV-AOO-03")
@pytest.mark.parametrize(
    ("ruling", "inputs"),
    [
        ("set-condition", {"combatant": "Orc", "condition": "grappled"}),
        ("set", {"combatant": "Orc", "sheet": {"weapons": []}}),
    ],
)
def test_whoever_is_armed_no_more_is_not_asked_any_more(
    spec: Spec, ruling: str, inputs: dict[str, Any]
) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[SWORD]))
    spec.act("Ana", "run", path=[[-1, 0]])
    assert spec.open() == [("reaction", "attack-of-opportunity", "Orc")]
    spec.rule(ruling, **inputs)
    assert spec["Ana"].position == (-1, 0, 0)


@rule("SOV-AOO-03")
def test_a_sheathed_sword_makes_no_blow_of_opportunity(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", weapons=[DAGGER, SWORD]))
    spec.act("Ana", "run", path=[[-1, 0]])
    assert spec.legal("Orc") >= {"attack-of-opportunity", "pass"}
    with spec.refused("SOV-AOO-03", "not-readied"):
        spec.answer("Orc", "attack-of-opportunity", weapon="sword")


@rule("SOV-AOO-01", "SOV-SEQ-04", "SOV-ACT-08")
def test_nobody_declares_a_blow_of_opportunity(spec: Spec) -> None:
    fight(spec, hero("Ana", weapons=[SWORD]), npc("Orc", weapons=[SWORD]))
    with spec.refused("SOV-SEQ-04", "not-your-turn"):
        spec.act("Orc", "attack-of-opportunity", weapon="sword")


@rule("SOV-SHOVE-02", "SOV-GRID-06")
def test_nobody_is_pushed_into_what_cannot_be_entered(spec: Spec) -> None:
    fight(spec, hero("Max", unarmed=FISTS), npc("Orc"), map={"impassable": [[2, 0]]})
    with spec.refused("SOV-SHOVE-02", "square-occupied"):
        spec.act("Max", "shove", target="Orc", to=[2, 0])


@rule("SOV-GRID-03")
def test_a_path_is_made_of_squares(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=[9, 9]))
    with spec.refused("SOV-GRID-03", "path-blocked"):
        spec.act("Ana", "run", path=[[99_999, 0]])


# ---- healing


@rule("SOV-DOWN-07", "SOV-DOWN-02")
def test_the_unconscious_come_to_when_they_are_healed(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Ana", amount=10, non_lethal=True)
    assert spec["Ana"].has("unconscious")
    spec.rule("heal", combatant="Ana", amount=2)
    assert not spec["Ana"].has("unconscious", "frail")
    assert spec["Ana"].has("prone")


@rule("SOV-DOWN-07")
def test_the_dead_are_not_healed(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc"))
    spec.rule("damage", who="Orc", amount=10)
    spec.rule("heal", combatant="Orc", amount=5)
    assert spec.event(Noted).text == "Orc is dead and cannot be healed"
    assert spec.hp("Orc") == 0


@rule("SOV-DOWN-07")
@pytest.mark.parametrize(("held", "healed"), [(6, True), (7, False)])
def test_strain_up_to_its_maximum_and_no_further(spec: Spec, held: int, healed: bool) -> None:
    salve = {
        "id": "salve", "name": "salve",
        "effect": {"type": "heal", "dice": "1d6", "system_strain": 2},
    }  # fmt: skip
    fight(
        spec, hero("Ana", hp=3, items=[salve], system_strain={"current": held, "max": 8}),
        npc("Orc", at=[9, 9]),
    )  # fmt: skip
    spec.act("Ana", "use-item", ("heal", 4), item="salve")
    if healed:
        assert spec.event(Healed).amount == 4
        assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (7, 8)  # 3 + 4, 6 + 2
    else:
        assert spec.event(Noted).text == "Ana can bear no more strain"
        assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (3, 7)
    assert main(spec, "Ana") == 0


@rule("SOV-DOWN-07")
def test_healing_without_strain_fills_none(spec: Spec) -> None:
    salve = {"id": "salve", "name": "salve", "effect": {"type": "heal", "dice": "1d6"}}
    fight(
        spec, hero("Ana", hp=3, items=[salve], system_strain={"current": 8, "max": 8}),
        npc("Orc", at=[9, 9], weapons=[KNIFE]),
    )  # fmt: skip
    spec.act("Ana", "use-item", ("heal", 4), item="salve")
    assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (7, 8)
