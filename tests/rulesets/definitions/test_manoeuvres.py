"""Test the manoeuvres, from the charge to the trip (DEF-MAN …)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.record.events import (
    ConditionGained,
    Damaged,
    EffectResolved,
    Moved,
    Noted,
    Prevented,
    Rolled,
    Stopped,
)
from domain.rulebook.grid import neighbours
from tests.rulesets.definitions.units import (
    AXE,
    DAGGER,
    FIST,
    SHIELD,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
    turn_of,
)
from tests.spec import Spec, rule

WHIP = {**SWORD, "id": "whip", "name": "whip", "disarming": True}


def duel(spec: Spec, ours: dict[str, Any] | None = None, **theirs: Any) -> Spec:
    """Begin with Ana next to Orc, who has a sword. Gob and Bo are far away."""
    return fight(
        spec,
        fighter("Ana", **(ours or {})),
        foe("Orc", **{"weapons": [SWORD], "max_hp": 60, **theirs}),
        foe("Gob", at=[9, 9]),
        fighter("Bo", at=[-9, 9]),
    )


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


# ---- common rules


@rule("DEF-MAN-01", "DEF-MAN-02")
def test_touch_then_opportunity_then_opposed_roll(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 10), target="Orc")
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "pass", ("opposed-strength", 9), ("opposed-strength", 3))
    assert spec["Orc"].has("prone")


@rule("DEF-MAN-02")
def test_a_missed_touch_provokes_too(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 1), target="Orc")
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "aoo", ("attack", 1))
    assert not spec.events(Rolled, purpose="opposed-strength")


@rule("DEF-MAN-03")
def test_only_the_defender_is_asked(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), foe("Gob", at=[0, 1], weapons=[SWORD]))
    spec.act("Ana", "shove", ("touch", 1), target="Orc")  # Orc threatens nothing
    assert asked(spec) == []


@rule("DEF-MAN-04")
@pytest.mark.parametrize(
    ("action", "purpose", "penalty"),
    [
        ("trip", "opposed-strength", -4),
        ("disarm", "opposed-dexterity", -4),
        ("grapple", "opposed-grapple", -4),
        ("shove", "opposed-strength", 0),
    ],
)
def test_struck_on_the_way(spec: Spec, action: str, purpose: str, penalty: int) -> None:
    duel(spec).act("Ana", action, ("touch", 10), target="Orc")
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 5))
    if action == "grapple":
        spec.answer("Orc", "grapple")
    spec.answer("Ana", "roll", (purpose, 10), faces=[12])
    assert spec.rolled(purpose, "Ana").total == 12 + penalty
    assert not spec["Orc"].has("prone", "disarmed", "grappled")  # 8 against AC 10
    assert at(spec, "Orc") == ((2, 0) if action == "shove" else (1, 0))  # 12 against AC 10


@rule("DEF-MAN-04")
def test_a_hit_that_deals_nothing_costs_nothing(spec: Spec) -> None:
    duel(spec, {"reductions": [{"amount": 9}]}).act("Ana", "trip", ("touch", 10), target="Orc")
    spec.answer(
        "Orc", "aoo", ("attack", 15), ("damage", 8),
        ("opposed-strength", 9), ("opposed-strength", 8),
    )  # fmt: skip
    assert spec.rolled("opposed-strength", "Ana").total == 9
    assert spec["Orc"].has("prone")


@rule("DEF-MAN-04")
def test_a_miss_costs_nothing(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 10), target="Orc")
    spec.answer("Orc", "aoo", ("attack", 9), ("opposed-strength", 9), ("opposed-strength", 8))
    assert spec.rolled("opposed-strength", "Ana").total == 9
    assert spec["Orc"].has("prone")


@rule("DEF-MAN-04")
def test_a_hit_that_gets_there_no_more_costs_nothing(spec: Spec) -> None:
    """If a ruling moves Ana out of reach before Orc's attack roll, the strike has no effect.

    Her trip gets no penalty, and her spear still reaches Orc.
    """
    duel(spec, {"weapons": [SPEAR]}).act("Ana", "trip", ("touch", 10), target="Orc")
    spec.answer("Orc", "aoo")
    spec.rule("move", who="Ana", to=[-1, 0])
    spec.answer("Orc", "roll", ("opposed-strength", 9), ("opposed-strength", 8), faces=[15])
    assert spec.rolled("opposed-strength", "Ana").total == 9
    assert spec["Orc"].has("prone")


@rule("DEF-MAN-05")
def test_brought_down_the_attempt_ends(spec: Spec) -> None:
    duel(spec, {"hp": 3}).act("Ana", "trip", ("touch", 10), target="Orc")
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 5))
    assert spec.event(Stopped).doing == "trip"
    assert not spec.events(Rolled, purpose="opposed-strength")


@rule("DEF-MAN-06")
def test_the_touch_is_never_critical(spec: Spec) -> None:
    duel(spec, armor_class={"armor": 5, "luck": 2}).act("Ana", "trip", ("touch", 20), target="Orc")
    assert spec.rolled("touch").target == 12
    assert spec.rolled("touch").outcome == "hit"


@rule("DEF-MAN-08")
def test_ties_keep_the_penalty(spec: Spec) -> None:
    duel(spec).act("Ana", "trip", ("touch", 10), target="Orc")
    spec.answer(
        "Orc", "aoo", ("attack", 15), ("damage", 1),
        ("opposed-strength", 14), ("opposed-strength", 10),
        ("opposed-strength", 15), ("opposed-strength", 10),
    )  # fmt: skip
    opposed = spec.events(Rolled, who="Ana", purpose="opposed-strength")
    assert [rolled.total for rolled in opposed] == [10, 11]
    assert spec["Orc"].has("prone")


@rule("DEF-MAN-09")
def test_reach_of_body_or_weapon(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SPEAR]), foe("Orc", at=[2, 0], weapons=[SWORD]))
    for action in ("grapple", "shove"):
        with spec.refused("DEF-MAN-09", "out-of-reach"):
            spec.act("Ana", action, target="Orc")
    spec.act("Ana", "trip", ("touch", 1), target="Orc")


@rule("DEF-MAN-10")
def test_who_cannot_resist_loses_without_a_roll(spec: Spec) -> None:
    duel(spec, nld=60).act("Ana", "disarm", ("touch", 10), target="Orc")
    assert spec["Orc"].has("disarmed")
    assert [rolled.purpose for rolled in spec.events(Rolled)] == ["touch"]


# ---- charge


def lane(spec: Spec, ours: dict[str, Any] | None = None, *others: Any, **theirs: Any) -> Spec:
    """Begin with Ana at `[0, 0]` and Orc at `[6, 2]`."""
    return fight(
        spec,
        fighter("Ana", **{"weapons": [SWORD], **(ours or {})}),
        foe("Orc", **{"at": [6, 2], "max_hp": 60, **theirs}),
        *others,
    )


@rule("DEF-CHG-01")
def test_a_charge_is_a_full_round_action(spec: Spec) -> None:
    lane(spec).act("Ana", "charge", target="Orc", to=[5, 2])
    assert at(spec, "Ana") == (5, 2)
    assert shown(spec, "Ana")["budget"]["full_round"] == 0
    with spec.refused("DEF-FUL-02", "full-round-taken"):
        spec.act("Ana", "move", path=[[4, 2]])


@rule("DEF-CHG-02")
def test_neither_too_short_nor_too_far(spec: Spec) -> None:
    lane(spec, {"movement_ft": 10})
    with spec.refused("DEF-CHG-02", "charge-too-short"):
        spec.act("Ana", "charge", target="Orc", to=[1, 0])
    with spec.refused("DEF-CHG-02", "too-far"):
        spec.act("Ana", "charge", target="Orc", to=[5, 2])  # 25 ft, with a movement of 20 ft
    spec.act("Ana", "charge", target="Orc", to=[4, 1])


@rule("DEF-CHG-03")
def test_towards_a_foe(spec: Spec) -> None:
    lane(spec, None, fighter("Bo", at=[4, 0]))
    with spec.refused("DEF-CHG-03", "not-toward-foe"):
        spec.act("Ana", "charge", target="Orc", to=[-2, 0])
    with spec.refused("DEF-CHG-03", "no-foe"):
        spec.act("Ana", "charge", target="Bo", to=[2, 0])
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", "charge", to=[2, 0])
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    steps = [moved.path[0][:2] for moved in spec.events(Moved)]
    assert steps == [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)]


@rule("DEF-CHG-04")
def test_nobody_and_nothing_in_the_way(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana"),
        foe("Orc", at=[6, 2]),
        fighter("Bo", at=[3, 1]),
        map={"blocked": [[4, 0]]},
    )
    with spec.refused("DEF-CHG-04", "charge-blocked"):
        spec.act("Ana", "charge", target="Orc", to=[5, 2])
    with spec.refused("DEF-CHG-04", "charge-blocked"):  # an obstacle
        spec.act("Ana", "charge", target="Orc", to=[5, 0])
    spec.rule("move", who="Bo", to=[9, 9])
    spec.act("Ana", "charge", target="Orc", to=[5, 2])


@rule("DEF-CHG-05")
def test_it_provokes_and_may_end_on_the_way(spec: Spec) -> None:
    lane(spec, {"hp": 3}, foe("Gob", at=[2, 0], weapons=[SWORD]), fighter("Bo", at=[-9, 0]))
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    assert asked(spec) == ["Gob"]
    assert at(spec, "Ana") == (1, 0)
    spec.answer("Gob", "aoo", ("attack", 15), ("damage", 4))
    assert at(spec, "Ana") == (1, 0)
    assert spec.event(Stopped).doing == "charge"


@rule("DEF-CHG-06")
def test_all_its_attacks_at_foes_that_it_threatens(spec: Spec) -> None:
    lane(spec, {"base_attack_bonus": 6, "weapons": [SWORD]})
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    with spec.refused("DEF-CHG-06", "not-in-charge"):
        spec.act("Ana", "ranged-attack", target="Orc")
    spec.act("Ana", "trip", ("touch", 1), target="Orc")
    with spec.refused("DEF-TRN-08", "no-attacks-left"):
        spec.act("Ana", "attack", target="Orc")


@rule("DEF-CHG-06")
def test_at_nobody_else(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[SWORD]), foe("Orc", at=[5, 0]), fighter("Bo", at=[4, 1]),
    )  # fmt: skip
    spec.act("Ana", "charge", target="Orc", to=[4, 0])
    with spec.refused("DEF-CHG-06", "nothing-threatened"):
        spec.act("Ana", "attack", target="Bo")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")


@rule("DEF-CHG-06")
def test_nothing_threatened_no_attack(spec: Spec) -> None:
    lane(spec).act("Ana", "charge", target="Orc", to=[3, 1])
    with spec.refused("DEF-CHG-06", "nothing-threatened"):
        spec.act("Ana", "attack", target="Orc")
    assert spec["Ana"].has("charging")


@rule("DEF-CHG-06")
def test_the_attacks_may_be_named_with_it(spec: Spec) -> None:
    lane(spec, {"base_attack_bonus": 6})
    with spec.refused("DEF-CHG-06", "not-in-charge"):
        spec.act("Ana", "charge", target="Orc", to=[5, 2], attacks=[{"action": "shove"}])
    spec.act(
        "Ana", "charge", ("attack", 1), ("attack", 2), target="Orc", to=[5, 2],
        attacks=[{"action": "attack", "inputs": {"target": "Orc"}}] * 3,
    )  # fmt: skip
    assert [rolled.total for rolled in spec.events(Rolled)] == [7, 3]
    assert spec.event(Prevented).reason == "no-attacks-left"


@rule("DEF-CHG-07")
@pytest.mark.parametrize(("weapon", "more"), [(SWORD, 2), (AXE, 4)])
def test_damage_and_armor_class_of_a_charge(spec: Spec, weapon: Any, more: int) -> None:
    lane(spec, {"weapons": [weapon]}).act("Ana", "charge", target="Orc", to=[5, 2])
    assert shown(spec, "Ana")["ac"] == 8
    spec.act("Ana", "attack", ("attack", 12), ("damage", 3), target="Orc")
    assert spec.rolled("damage").total == 3 + more
    end(spec, "Ana")
    spec.act("Orc", "move", path=[[7, 2]])
    spec.answer("Ana", "aoo", ("attack", 12), ("damage", 3))  # the bonus also counts here
    assert spec.rolled("damage").total == 3 + more
    end(spec, "Orc")
    assert shown(spec, "Ana")["ac"] == 10


POTION = {"id": "potion", "name": "potion", "kind": "potion", "effect": {"healing": "2"}}
OIL = {"id": "oil", "name": "oil", "kind": "oil"}
MEND = {"id": "mend", "name": "Mend", "healing": "1", "cost": "swift"}


@rule("DEF-CHG-08", "DEF-CHG-09")
def test_one_swift_action_of_three(spec: Spec) -> None:
    lane(
        spec, {"items": [POTION, OIL], "spells": [MEND], "weapons": [SWORD, DAGGER]},
        foe("Gob", at=[5, 3], weapons=[SWORD]),
    )  # fmt: skip
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    spec.answer("Gob", "pass")
    with spec.refused("DEF-FUL-03", "no-swift-in-full-round"):
        spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    spec.act("Ana", "drink-potion", item="potion")  # no belt is needed, and Gob gets no prompt
    assert asked(spec) == []
    with spec.refused("DEF-SWI-01", "swift-used"):
        spec.act("Ana", "use-item", item="oil")
    with spec.refused("DEF-SWI-01", "swift-used"):
        spec.act("Ana", "draw-weapon", weapon="dagger", swap=True)


@rule("DEF-CHG-08")
@pytest.mark.parametrize(
    "swift",
    [
        {"action": "draw-weapon", "inputs": {"weapon": "dagger", "swap": True}},
        {"action": "use-item", "inputs": {"item": "oil"}},
    ],
)
def test_it_may_be_named_with_the_charge(spec: Spec, swift: dict[str, Any]) -> None:
    lane(spec, {"items": [OIL], "weapons": [SWORD, DAGGER]})
    with spec.refused("DEF-FUL-03", "no-swift-in-full-round"):
        spec.act("Ana", "charge", target="Orc", to=[5, 2], swift={"action": "speak"})
    spec.act("Ana", "charge", target="Orc", to=[5, 2], swift=swift)
    assert left(spec, "Ana")["swift"] == 0


@rule("DEF-CHG-09", "DEF-FUL-03")
def test_a_belt_drink_before_the_charge(spec: Spec) -> None:
    lane(spec, {"items": [POTION], "spells": [MEND], "potion_belt": True})
    spec.act("Ana", "drink-potion", item="potion")
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    end(spec, "Ana", "Orc")
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    with spec.refused("DEF-FUL-03", "swift-used"):
        spec.act("Ana", "charge", target="Orc", to=[4, 0])


@rule("DEF-CHG-10")
@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("prone", "prone"),
        ("grappled", "grappled"),
        ("grappling", "grappled"),
        ("swallowed", "swallowed"),
    ],
)
def test_who_cannot_charge(spec: Spec, condition: str, code: str) -> None:
    lane(spec).rule("set-condition", who="Ana", condition=condition)
    with spec.refused("DEF-CHG-10", code):
        spec.act("Ana", "charge", target="Orc", to=[5, 2])


@rule("DEF-CHG-05")
def test_a_charger_tripped_beside_its_foe_strikes_from_there(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", weapons=[SWORD]),
        foe("Orc", at=[6, 2], weapons=[SWORD]),
        order=("Orc", "Ana"),
    )
    hold(spec, "Orc", "trip", {"event": "moves-next-to"}, target="Ana")
    end(spec, "Orc")
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    spec.answer("Orc", "resolve", ("touch", 15))
    spec.answer("Ana", "pass", ("opposed-strength", 9), ("opposed-strength", 3))
    assert (at(spec, "Ana"), spec["Ana"].has("prone")) == ((5, 2), True)
    spec.act("Ana", "attack", ("attack", 1), target="Orc")


# ---- disarm


@rule("DEF-DIS-01")
def test_a_free_hand_or_a_disarming_weapon(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD], "shield": SHIELD})
    with spec.refused("DEF-DIS-01", "no-free-hand"):
        spec.act("Ana", "disarm", target="Orc")
    spec.do(Change("Ana", sheet={"weapons": [WHIP]}))
    spec.act("Ana", "disarm", ("touch", 1), target="Orc")


@rule("DEF-DIS-02")
def test_the_target_holds_a_weapon(spec: Spec) -> None:
    duel(spec, weapons=[FIST], shield=SHIELD)
    with spec.refused("DEF-DIS-02", "nothing-to-disarm"):
        spec.act("Ana", "disarm", target="Orc")


@rule("DEF-DIS-03", "DEF-DIS-04", "DEF-SIZ-01")
def test_opposed_dexterity_with_size(spec: Spec) -> None:
    duel(
        spec, {"abilities": {"dexterity": 14}, "size_modifiers": {"maneuver": 1}},
        abilities={"dexterity": 12}, size_modifiers={"maneuver": 2},
    )  # fmt: skip
    spec.act("Ana", "disarm", ("touch", 12), target="Orc")
    spec.answer("Orc", "pass", ("opposed-dexterity", 10), ("opposed-dexterity", 9))
    assert [rolled.total for rolled in spec.events(Rolled)] == [13, 12]
    assert spec["Orc"].has("disarmed")


@rule("DEF-DIS-05", "DEF-DIS-06")
def test_the_weapon_lies_in_the_nearest_free_square(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[SWORD]), foe("Gob", at=[0, -1]))
    spec.act("Ana", "disarm", ("touch", 12), target="Orc")
    spec.answer("Orc", "pass", ("opposed-dexterity", 10), ("opposed-dexterity", 9))
    (lying,) = spec.combat.facts["ground"]
    assert (lying["id"], lying["at"]) == ("sword", [0, 1, 0])  # [0,0] is hers, [0,-1] Gob's
    assert spec.event(Noted).text == "The sword of Orc falls to 0, 1"
    assert shown(spec, "Orc")["slots"]["primary"] is None
    end(spec, "Ana")
    spec.act("Orc", "retrieve-item", item="sword")
    assert not spec["Orc"].has("disarmed")
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"


@rule("DEF-DIS-06")
def test_or_where_the_aggressor_wants_it(spec: Spec) -> None:
    duel(spec)
    with spec.refused("DEF-DIS-06", "not-adjacent"):
        spec.act("Ana", "disarm", target="Orc", drop_to=[3, 0])
    spec.act("Ana", "disarm", ("touch", 12), target="Orc", drop_to=[0, 0])  # Ana's own square
    spec.answer("Orc", "pass", ("opposed-dexterity", 10), ("opposed-dexterity", 9))
    assert spec.combat.facts["ground"][0]["at"] == [0, 0, 0]


@rule("DEF-DIS-07")
def test_won_by_the_defender_nothing_happens(spec: Spec) -> None:
    duel(spec, {"weapons": [DAGGER]}).act("Ana", "disarm", ("touch", 12), target="Orc")
    spec.answer("Orc", "pass", ("opposed-dexterity", 1), ("opposed-dexterity", 9))
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"
    assert shown(spec, "Ana")["slots"]["primary"] == "dagger"


@rule("DEF-DIS-08")
def test_somebody_else_picks_it_up(spec: Spec) -> None:
    duel(spec).act("Ana", "disarm", ("touch", 12), target="Orc", drop_to=[0, 0])
    spec.answer("Orc", "pass", ("opposed-dexterity", 10), ("opposed-dexterity", 9))
    spec.rule("move", who="Ana", to=[-2, 0])
    with spec.refused("DEF-DIS-08", "not-adjacent"):
        spec.act("Ana", "retrieve-item", item="sword")
    spec.rule("move", who="Ana", to=[-1, 0])
    spec.act("Ana", "retrieve-item", item="sword")
    assert shown(spec, "Ana")["slots"]["primary"] == "sword"
    assert spec.combat.facts["ground"] == []
    spec.rule("move", who="Ana", to=[0, 0])
    end(spec, "Ana", "Orc", "Gob", "Bo")
    spec.act("Ana", "attack", ("attack", 12), ("damage", 8), target="Orc")


# ---- feigned strike


@rule("DEF-FEI-01")
def test_at_a_foe_in_reach_of_a_ready_weapon(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", at=[2, 0]), fighter("Bo", at=[0, 1]))
    with spec.refused("DEF-FEI-01", "out-of-reach"):
        spec.act("Ana", "feigned-strike", target="Orc")
    for nobody in ("Bo", "Ana"):
        with spec.refused("DEF-FEI-01", "no-foe"):
            spec.act("Ana", "feigned-strike", target=nobody)


@rule("DEF-FEI-02")
@pytest.mark.parametrize(
    ("defense", "purpose", "bonus"),
    [("level-check", "level-check", 6), ("discern-intent", "skill-discern_intent", 4)],
)
def test_the_opponent_chooses_before_the_rolls(
    spec: Spec, defense: str, purpose: str, bonus: int
) -> None:
    duel(
        spec, {"skills": {"beguile": 6}, "weapons": [SWORD]},
        hit_dice=5, abilities={"wisdom": 12}, skills={"discern_intent": 4},
    )  # fmt: skip
    spec.act("Ana", "feigned-strike", target="Orc")
    assert (spec.prompt().name, spec.prompt().default) == ("feigned-strike-defense", "level-check")
    spec.answer("Orc", defense, ("skill-beguile", 10), (purpose, 9 - bonus + 6))
    assert [rolled.total for rolled in spec.events(Rolled)] == [16, 15]
    assert asked(spec) == []  # it provokes nothing


@rule("DEF-FEI-03")
def test_flat_footed_to_the_end_of_the_round(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD]}, armor_class={"dodge": 3})
    spec.act("Ana", "feigned-strike", target="Orc")
    spec.answer(
        "Orc", "level-check", ("skill-beguile", 10), ("level-check", 9),  # 10, 10: again
        ("skill-beguile", 10), ("level-check", 1),
    )  # fmt: skip
    assert spec["Orc"].has("flat-footed")
    end(spec, "Ana", "Orc", "Gob")
    assert spec["Orc"].has("flat-footed")
    end(spec, "Bo")
    assert not spec["Orc"].has("flat-footed")


# ---- full defence


@rule("DEF-FDF-01")
def test_4_dodge_to_the_next_turn(spec: Spec) -> None:
    duel(spec).act("Ana", "full-defense")
    assert shown(spec, "Ana")["ac"] == 14
    end(spec, "Ana", "Orc", "Gob")
    assert shown(spec, "Ana")["ac"] == 14
    end(spec, "Bo")
    assert shown(spec, "Ana")["ac"] == 10


@rule("DEF-FDF-02")
def test_against_touches_not_while_flat_footed(spec: Spec) -> None:
    duel(spec).act("Ana", "full-defense")
    assert shown(spec, "Ana")["touch_ac"] == 14
    assert shown(spec, "Ana")["flat_footed_ac"] == 10


@rule("DEF-FDF-03")
def test_no_opportunities_meanwhile(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD]}).act("Ana", "full-defense").act("Ana", "end-turn")
    with spec.refused("DEF-FDF-03", "full-defense"):
        spec.act("Ana", "aoo")
    spec.act("Orc", "move", path=[[2, 0]])
    assert asked(spec) == []


# ---- shatter

FRAIL = {**SWORD, "item_hp": 5, "hardness": 3}


@rule("DEF-SHT-01")
def test_what_can_be_shattered(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD]}, weapons=[FIST])
    with spec.refused("DEF-SHT-01", "cannot-shatter"):
        spec.act("Ana", "shatter", target="Orc", item="weapon")
    with spec.refused("DEF-SHT-01", "no-such-item"):
        spec.act("Ana", "shatter", target="Orc", item="shield")
    assert turn_of(spec) == "Ana"


@rule("DEF-SHT-02")
def test_the_attempt_costs_4_ac_once(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD], "base_attack_bonus": 6})
    for _ in range(2):
        spec.act("Ana", "shatter", ("opposed-attack", 1), ("opposed-attack", 19), target="Orc")
        assert shown(spec, "Ana")["ac"] == 6
    assert asked(spec) == []  # it provokes nothing
    end(spec, "Ana", "Orc", "Gob", "Bo")
    assert shown(spec, "Ana")["ac"] == 10


@rule("DEF-SHT-03", "DEF-MUL-03")
def test_opposed_attacks(spec: Spec) -> None:
    duel(
        spec, {"weapons": [SWORD], "base_attack_bonus": 6, "abilities": {"strength": 14}},
        base_attack_bonus=7, weapons=[], abilities={"strength": 8}, shield=SHIELD,
    )  # fmt: skip
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    spec.act(
        "Ana", "shatter", ("opposed-attack", 5), ("opposed-attack", 5), target="Orc", item="shield"
    )
    totals = [rolled.total for rolled in spec.events(Rolled)]
    assert totals == [8, 12]  # 5 + 1 + 2; 5 + 7 + the better of −1 and 0


@rule("DEF-SHT-04")
def test_the_item_takes_the_damage(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD], "base_attack_bonus": 6}, weapons=[FRAIL, FIST])
    spec.act(
        "Ana", "shatter", ("opposed-attack", 19), ("opposed-attack", 1), ("damage", 6), target="Orc"
    )
    assert spec["Orc"].facts["wear"] == {"sword": 2}  # 5 − (6 − 3)
    assert spec.event(EffectResolved).numbers == {"dealt": 6, "hardness": 3, "damage": 3, "left": 2}
    assert spec.hp("Orc") == 60
    spec.act(
        "Ana", "shatter", ("opposed-attack", 19), ("opposed-attack", 1), ("damage", 8), target="Orc"
    )
    assert spec["Orc"].facts["wear"] == {"sword": 0}
    assert spec.event(EffectResolved, result="broken").numbers == {
        "dealt": 8,
        "hardness": 3,
        "damage": 5,
        "left": 0,
    }
    end(spec, "Ana")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):  # it is broken
        spec.act("Orc", "attack", target="Ana", weapon="sword")


@rule("DEF-SHT-04")
@pytest.mark.parametrize(
    ("option", "broken"), [("intact", False), ("damaged", False), ("broken", True)]
)
def test_without_data_the_gm_rules(spec: Spec, option: str, broken: bool) -> None:
    fight(
        spec, fighter("Ana", weapons=[SWORD]), foe("Orc", shield={**SHIELD, "ac_bonus": 2}),
        rulings="ask",
    )  # fmt: skip
    spec.act(
        "Ana", "shatter", ("opposed-attack", 19), ("opposed-attack", 1), ("damage", 6),
        target="Orc", item="shield",
    )  # fmt: skip
    assert (spec.prompt().name, spec.prompt().default) == ("item-damage", "damaged")
    spec.answer(None, option)
    assert shown(spec, "Orc")["ac"] == (10 if broken else 12)


@rule("DEF-SHT-05")
def test_won_by_the_defender_the_item_is_whole(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD]}, weapons=[FRAIL])
    spec.act("Ana", "shatter", ("opposed-attack", 1), ("opposed-attack", 19), target="Orc")
    assert "wear" not in spec["Orc"].facts


# ---- shove


def shoving(spec: Spec, ours: int, theirs: int, *others: Any, **inputs: Any) -> Spec:
    fight(spec, fighter("Ana"), foe("Orc"), *others)
    return spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", ours), ("opposed-strength", theirs),
        target="Orc", **inputs,
    )  # fmt: skip


@rule("DEF-SHV-01")
def test_a_shove_won_and_lost(spec: Spec) -> None:
    shoving(spec, 5, 9)
    assert at(spec, "Orc") == (1, 0)
    assert left(spec, "Ana")["standard"] == 0


@rule("DEF-SHV-02")
@pytest.mark.parametrize(("ours", "x"), [(5, 2), (8, 2), (9, 3), (13, 3), (14, 4)])
def test_5_ft_more_for_every_5(spec: Spec, ours: int, x: int) -> None:
    shoving(spec, ours, 4)
    if x > 2:
        spec.answer("Ana", str(5 * (x - 1)))
    assert at(spec, "Orc") == (x, 0)


@rule("DEF-SHV-02")
def test_without_a_roll_5_ft_and_no_choice(spec: Spec) -> None:
    duel(spec, nld=60).act("Ana", "shove", ("touch", 10), target="Orc")
    assert at(spec, "Orc") == (2, 0)


@rule("DEF-SHV-03")
def test_the_aggressor_chooses_the_distance(spec: Spec) -> None:
    shoving(spec, 20, 5)
    assert (spec.prompt().name, spec.prompt().default) == ("shove-distance", "20")
    assert [option.id for option in spec.prompt().options] == ["5", "10", "15", "20"]
    spec.answer("Ana", "10")
    assert at(spec, "Orc") == (3, 0)


@rule("DEF-SHV-03")
@pytest.mark.parametrize(("distance", "x"), [(5, 2), (40, 5)])
def test_with_the_input_nobody_is_asked(spec: Spec, distance: int, x: int) -> None:
    shoving(spec, 20, 5, distance=distance)
    assert at(spec, "Orc") == (x, 0)  # at most the maximum


@rule("DEF-SHV-04")
def test_straight_away_up_to_what_is_in_the_way(spec: Spec) -> None:
    shoving(spec, 20, 5, foe("Gob", at=[4, 0], weapons=[SWORD]), distance=20)
    assert at(spec, "Orc") == (3, 0)
    assert at(spec, "Ana") == (0, 0)
    assert asked(spec) == []  # being pushed provokes nothing


@rule("DEF-SHV-04")
def test_with_the_first_square_taken_it_stays(spec: Spec) -> None:
    shoving(spec, 20, 5, foe("Gob", at=[2, 0]), distance=5)
    assert at(spec, "Orc") == (1, 0)


@rule("DEF-SHV-04")
@pytest.mark.parametrize(("x", "y"), [way[:2] for way in neighbours((0, 0, 0))])
def test_straight_away_in_every_direction(spec: Spec, x: int, y: int) -> None:
    fight(spec, fighter("Ana", at=[5, 5]), foe("Orc", at=[5 + x, 5 + y]))
    spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", 5), ("opposed-strength", 4),
        target="Orc",
    )  # fmt: skip
    assert at(spec, "Orc") == (5 + 2 * x, 5 + 2 * y)


@rule("DEF-SHV-04")
@pytest.mark.parametrize(
    ("small", "large", "pushed"),
    [
        ([0, 1], [1, 0], (2, 0)),  # next to the upper half: straight, not diagonally
        ([3, 1], [1, 0], (0, 0)),
        ([2, 2], [1, 0], (1, -1)),
        ([3, 2], [1, 0], (0, -1)),  # past the corner: diagonally
    ],
)
def test_a_large_one_is_pushed_off_the_side_it_is_pushed_at(
    spec: Spec, small: list[int], large: list[int], pushed: tuple[int, int]
) -> None:
    fight(spec, fighter("Ana", at=small), foe("Orc", size="large", at=large))
    spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", 5), ("opposed-strength", 4),
        target="Orc",
    )  # fmt: skip
    assert at(spec, "Orc") == pushed


@rule("DEF-SHV-04")
def test_a_large_one_pushes_off_its_own_side(spec: Spec) -> None:
    fight(spec, fighter("Ana", size="large", natural_reach=1), foe("Orc", at=[2, 1]))
    spec.act(
        "Ana", "shove", ("touch", 10), ("opposed-strength", 5), ("opposed-strength", 4),
        target="Orc",
    )  # fmt: skip
    assert at(spec, "Orc") == (3, 1)


@rule("DEF-SHV-05")
def test_neither_damage_nor_prone(spec: Spec) -> None:
    shoving(spec, 9, 8)
    assert not spec.events(Damaged)
    assert not spec["Orc"].has("prone")


# ---- trample


def run(spec: Spec, ours: dict[str, Any] | None = None, *others: Any, **theirs: Any) -> Spec:
    """Begin with Ox, who can trample, at `[0, 0]` and Orc at `[2, 0]`."""
    return fight(
        spec,
        fighter("Ox", **{"weapons": [{**FIST, "damage": "1d6"}], "abilities": {"strength": 20},
                         **(ours or {})}),
        foe("Orc", **{"at": [2, 0], "max_hp": 60, "weapons": [SWORD], **theirs}),
        *others,
    )  # fmt: skip


LINE = [[1, 0], [2, 0], [3, 0]]


@rule("DEF-TRM-01")
def test_what_a_trample_needs(spec: Spec) -> None:
    run(spec, {"movement_ft": 10}, foe("Gob", at=[3, 0]))
    with spec.refused("DEF-TRM-01", "too-far"):
        spec.act("Ox", "trample", path=[[1, 0], [2, 0], [2, 1], [3, 1], [4, 1]])
    with spec.refused("DEF-TRM-01", "square-occupied"):
        spec.act("Ox", "trample", path=LINE)
    with spec.refused("DEF-TRM-01", "square-hostile"):
        spec.act("Ox", "trample", path=[[1, 0], [2, 0], [3, 1]], targets=[])
    with spec.refused("DEF-TRM-01", "no-target"):
        spec.act("Ox", "trample", path=[[1, 0], [1, 1]], targets=["Gob"])
    assert left(spec, "Ox")["standard"] == 1


@rule("DEF-TRM-02", "DEF-TRM-03")
def test_touch_opportunity_without_penalty_and_down(spec: Spec) -> None:
    run(spec).act("Ox", "trample", ("touch", 10), path=LINE)
    assert at(spec, "Ox") == (1, 0)  # Ox touches Orc from the adjacent square
    spec.answer(
        "Orc", "aoo", ("attack", 15), ("damage", 5),
        ("opposed-strength", 5), ("opposed-strength", 9), ("damage", 4),
    )  # fmt: skip
    assert spec.rolled("opposed-strength", "Ox").total == 10  # no −4
    assert spec.event(Damaged, who="Orc").amount == 14  # 4 + 2 × 5
    assert spec.event(Damaged, who="Orc").kind == "trample"
    assert spec["Orc"].has("prone")
    assert at(spec, "Ox") == (3, 0)


@rule("DEF-TRM-03")
def test_whoever_lies_already_is_not_knocked_down_again(spec: Spec) -> None:
    run(spec, None, foe("Gob", at=[9, 9]), nld=60)
    spec.act("Ox", "trample", ("touch", 19), ("damage", 4), path=LINE, targets=["Orc"])
    assert spec["Orc"].has("prone")
    assert not spec.events(ConditionGained, who="Orc", condition="prone")


@rule("DEF-TRM-03")
@pytest.mark.parametrize(("strength", "face", "dealt"), [(8, 4, 2), (6, 2, 1)])
def test_a_negative_modifier_is_doubled(spec: Spec, strength: int, face: int, dealt: int) -> None:
    run(spec, {"abilities": {"strength": strength}}, foe("Gob", at=[9, 9]), nld=60)
    spec.act("Ox", "trample", ("touch", 19), ("damage", face), path=LINE, targets=["Orc"])
    assert spec.event(Damaged).amount == dealt


@rule("DEF-TRM-04")
def test_failed_it_stops_in_the_square_before(spec: Spec) -> None:
    run(spec).act("Ox", "trample", ("touch", 1), path=LINE)
    spec.answer("Orc", "pass")
    assert at(spec, "Ox") == (1, 0)
    assert spec["Ox"].budget["standard"] == 0


@rule("DEF-TRM-04")
def test_or_in_the_last_free_one(spec: Spec) -> None:
    run(spec, None, fighter("Bo", at=[1, 0]))
    spec.act("Ox", "trample", path=LINE)
    spec.answer("Bo", "allow", ("touch", 1))
    spec.answer("Orc", "pass")
    assert at(spec, "Ox") == (0, 0)


@rule("DEF-TRM-05")
def test_a_natural_weapon_and_who_is_asked(spec: Spec) -> None:
    run(spec, None, foe("Gob", at=[1, 1], weapons=[SWORD]), weapons=[SPEAR])
    spec.act("Ox", "trample", path=LINE)
    assert asked(spec) == ["Gob"]  # Orc's spear does not threaten this step
    spec.answer("Gob", "pass", ("touch", 10))
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "pass", ("opposed-strength", 9), ("opposed-strength", 1), ("damage", 1))
    assert asked(spec) == ["Gob"]
    spec.answer("Gob", "pass")
    assert asked(spec) == ["Gob"]
    spec.answer("Gob", "pass")
    assert at(spec, "Ox") == (3, 0)


@rule("DEF-TRM-05")
def test_without_unarmed_damage_nobody_tramples(spec: Spec) -> None:
    run(spec, {"weapons": [SWORD]})
    with spec.refused("DEF-TRM-05", "no-unarmed-damage"):
        spec.act("Ox", "trample", path=LINE)


# ---- trip


@rule("DEF-TRP-01")
def test_the_touch_of_a_trip(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 2, "abilities": {"strength": 14}})
    spec.act("Ana", "trip", ("touch", 5), target="Orc")
    assert spec.rolled("touch").total == 9


@rule("DEF-TRP-02")
def test_from_outside_a_trip_provokes_nothing(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SPEAR]), foe("Orc", at=[2, 0], weapons=[SWORD]))
    spec.act(
        "Ana", "trip", ("touch", 10), ("opposed-strength", 9), ("opposed-strength", 1), target="Orc"
    )
    assert spec["Orc"].has("prone")


@rule("DEF-TRP-03")
def test_won_lost_and_prone_already(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 11}, weapons=[])
    spec.act(
        "Ana", "trip", ("touch", 10), ("opposed-strength", 1), ("opposed-strength", 9), target="Orc"
    )
    assert not spec["Orc"].has("prone")
    spec.act(
        "Ana", "trip", ("touch", 10), ("opposed-strength", 9), ("opposed-strength", 1), target="Orc"
    )
    assert spec["Orc"].has("prone")
    assert not spec.events(Damaged)
    with spec.refused("DEF-TRP-03", "already-prone"):
        spec.act("Ana", "trip", target="Orc")


@rule("DEF-SPC-03")
def test_a_trampler_asks_its_allies_for_passage(spec: Spec) -> None:
    run(spec, None, fighter("Bo", at=[1, 0]))
    spec.act("Ox", "trample", path=LINE)
    assert spec.open() == [("choice", "allow-passage", "Bo")]
    spec.answer("Bo", "deny")
    assert turn_of(spec) == "Ox"
    assert at(spec, "Ox") == (0, 0)
    with spec.refused("DEF-SPC-03", "ally-refuses"):
        spec.act("Ox", "trample", path=LINE)


@rule("DEF-CHG-07")
def test_a_shield_is_no_two_handed_weapon_in_a_charge(spec: Spec) -> None:
    lane(spec, {"weapons": [AXE], "shield": SHIELD})
    spec.act("Ana", "charge", target="Orc", to=[5, 2])
    spec.act("Ana", "shield-bash", ("attack", 12), ("damage", 3), target="Orc")
    assert spec.rolled("damage").total == 5  # 3 + 2


@rule("DEF-ATK-06")
@pytest.mark.parametrize(
    "action",
    ["attack", "shield-bash", "disarm", "shatter", "trip", "shove", "grapple", "swallow-whole"],
)
def test_nobody_does_it_to_itself(spec: Spec, action: str) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], feats={"swallow_bigger": True}), foe("Orc"))
    inputs = {"item": "weapon"} if action == "shatter" else {}
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", action, target="Ana", **inputs)
