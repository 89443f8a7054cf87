"""Test explanations of derived numbers, by hand and in random play."""

from math import floor
from random import Random
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.errors import Unknown
from domain.record.combat import Json
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import installed
from domain.rulesets.definitions import RULESET as DEFINITIONS
from domain.rulesets.free_hit import RULESET as FREE_HIT
from domain.rulesets.hallowed_earth import RULESET as HALLOWED_EARTH
from domain.rulesets.sovereign import RULESET as SOVEREIGN
from domain.rulesets.vile_darkness import RULESET as VILE_DARKNESS
from projections.board import board
from projections.explain import Explanation, explain, markdown
from projections.eyes import Eyes
from service.conformance.walker import Walker
from tests.rulesets.definitions import units as definitions
from tests.rulesets.free_hit import units as free_hit
from tests.rulesets.hallowed_earth import units as hallowed_earth
from tests.rulesets.sovereign import units as sovereign
from tests.rulesets.vile_darkness import units as vile_darkness
from tests.spec import GM, Spec
from tests.walks import FIGHTS

Line = tuple[str, float, str, str]


def explained(spec: Spec, name: str, who: str = "Ana", by: Caller = GM) -> Explanation:
    (explanation,) = explain(spec.live, Eyes(spec.live.history, by), who, name)
    return explanation


def lines(explanation: Explanation) -> list[Line]:
    return [
        (part.label, part.value if part.op == "add" else part.makes, part.origin, part.rule)
        for part in explanation.parts
    ]


def absent(explanation: Explanation) -> dict[str, str]:
    return {absent_view.label: absent_view.why for absent_view in explanation.absent}


# ---- by hand


def test_free_hit_a_target_number() -> None:
    ana = free_hit.unit(
        "Ana",
        agility=3,
        modifiers=[
            {"key": "dodge", "value": 1, "source": "cloak"},
            {"key": "dodge", "value": 2, "source": "buckler", "when": "melee"},
        ],
        reductions=[{"source": "mail", "amount": 2}],
    )
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp")).begin()
    spec.rule("set-condition", who="Ana", condition="wound-slowing")
    explanation = explained(spec, "target_number")
    assert explanation.value == 13  # 10 + (3 − 1) + 1
    assert explanation.formula == "10 base + 2 Agility + 1 cloak = 13"
    assert lines(explanation) == [
        ("base", 10, "rulebook", "FH-ATK-02"),
        ("Agility", 2, "sheet", "FH-ATK-02"),
        ("cloak", 1, "sheet", "FH-ATK-05"),
    ]
    assert absent(explanation) == {
        "buckler": "it counts for melee only",
        "dodge boost": "none is bought",
        "mail": "armour lowers damage and is never harder to hit",
    }
    spec.rule("set-condition", who="Ana", condition="prone")
    explanation = explained(spec, "target_number")
    assert (explanation.value, explanation.formula) == (7, "5 prone + 2 Agility = 7")
    assert absent(explanation)["cloak"] == "it is prone"


def test_free_hit_a_movement_is_halved_and_rounded_once() -> None:
    ana = free_hit.unit("Ana", speed=7, at_max_capacity=True)
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp")).begin()
    spec.rule("set-condition", who="Ana", condition="prone")
    explanation = explained(spec, "move_allowance")
    assert explanation.value == 1  # 7 ÷ 2 ÷ 3 = 1.17
    halved = "7 speed ÷ 2 (at full capacity or hampered) ÷ 3 (prone)"
    assert explanation.formula == f"{halved}, rounded down once = 1"


def test_definitions_what_does_not_stack_is_named() -> None:
    ana = definitions.fighter(
        "Ana",
        abilities={"dexterity": 14},
        armor_class={"armor": 4, "deflection": 1},
        modifiers=[
            {"target": "ac", "value": 2, "type": "deflection", "source": "ring"},
            {"target": "ac", "value": 1, "type": "dodge", "source": "boots"},
        ],
    )
    spec = definitions.fight(Spec(DEFINITIONS), ana, definitions.foe("Bo"))
    explanation = explained(spec, "ac")
    assert explanation.value == 19  # 10 + 4 + 2 Dexterity + 2 ring + 1 boots
    assert absent(explanation) == {"deflection": "a better deflection bonus counts"}
    touch = explained(spec, "touch_ac")
    assert touch.value == 15  # without the armor
    assert absent(touch)["armor"] == "it does not help against a touch"
    flat = explained(spec, "flat_footed_ac")
    assert flat.value == 16  # 10 + 4 + 2 ring
    assert absent(flat)["Dexterity"] == absent(flat)["boots"] == "it is flat-footed"
    assert explained(spec, "dexterity_mod").formula == (
        "(14 dexterity − 10 the average) ÷ 2 (half) = 2"
    )
    assert (
        explained(spec, "initiative.total").rolls[0].startswith("Ana rolls initiative: 20 (1d20)")
    )


def test_hallowed_earth_a_defense_without_its_shield() -> None:
    ana = hallowed_earth.hero(
        "Ana",
        attributes={"agility": 14},
        armour=[
            {"id": "mail", "defense_bonus": 1, "armour_bonus": 3},
            {"id": "helm", "defense_bonus": 1, "armour_bonus": 1, "worn": False},
        ],
        shield={"id": "buckler", "defense_bonus": 2, "armour_bonus": 1, "held": False},
    )
    spec = Spec(HALLOWED_EARTH).given(ana, hallowed_earth.monster("Ogre"))
    explanation = explained(spec, "defense")
    assert explanation.value == 13  # 10 + 2 + 1
    assert lines(explanation) == [
        ("base", 10, "rulebook", "HE-ATK-01"),
        ("Agility", 2, "sheet", "HE-ATK-01"),
        ("mail", 1, "sheet", "HE-ATK-06"),
    ]
    assert absent(explanation)["helm"] == "it is not worn"
    assert absent(explanation)["buckler"] == "it is not in hand"
    assert explained(spec, "armour_score").formula == "3 mail = 3"
    assert explained(spec, "dies_at").value == -10


def test_sovereign_an_armour_class() -> None:
    ana = sovereign.hero("Ana", ac=13, shield={"ac_bonus": 1}, movement_ft=35)
    spec = sovereign.fight(Spec(SOVEREIGN), ana, sovereign.npc("Orc", at=[5, 5]))
    spec.act("Ana", "total-defense")
    spec.rule("set-condition", who="Ana", condition="prone")
    explanation = explained(spec, "effective_ac")
    assert explanation.value == 16  # 13 + 1 + 2
    assert lines(explanation) == [
        ("AC", 13, "sheet", "SOV-ATK-01"),
        ("shield", 1, "sheet", "SOV-ATK-01"),
        ("total defense", 2, "condition", "SOV-TD-01"),
    ]
    assert absent(explanation) == {
        "charging": "it does not charge",
        "prone": "attacks change, the AC does not",
    }
    assert explained(spec, "movement_ft").value == 15  # 17.5 rounded down to squares


def test_vile_darkness_bonuses_lower_armour_class() -> None:
    ana = vile_darkness.hero(
        "Ana",
        ac=4,
        shield={"name": "shield", "ac_bonus": 1},
        hit_dice="4+5",
        ac_modifiers=[{"value": 2, "applies_to": "missile", "reason": "cloak"}],
    )
    spec = Spec(VILE_DARKNESS).given(ana, vile_darkness.foe("Orc"))
    assert explained(spec, "effective_ac.melee").value == 3  # 4 − 1
    missile = explained(spec, "effective_ac.missile")
    assert missile.value == 1  # 4 − 1 − 2
    assert missile.formula == "4 AC − 1 shield − 2 cloak = 1"
    assert absent(explained(spec, "effective_ac.melee"))["cloak"] == (
        "it counts against missile attacks only"
    )
    assert explained(spec, "attack_hd").formula == "4 hit dice + 1 enhancement = 5"
    assert explained(spec, "save_hd").formula == "4 hit dice + 2 enhancement = 6"  # each four begun


# ---- pools, the past, readers


def test_a_pool_is_the_sum_of_what_changed_it() -> None:
    ana = free_hit.unit("Ana", agility=4, owner="anna", at=[0, 0], weapons=[free_hit.SWORD])
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp", at=[1, 0])).begin()
    spec.rule("damage", who="Ana", amount=7)
    before = spec.live.version
    spec.rule("heal", who="Ana", amount=2)
    explanation = explained(spec, "hp")
    assert [part.value for part in explanation.parts] == [20, -7, 2]
    assert [part.origin for part in explanation.parts] == ["sheet", "ruling", "ruling"]
    assert explanation.value == 15
    past = spec.live.as_of(before)
    (then,) = explain(past, Eyes(past.history, GM), "Ana", "hp")
    assert then.value == 13
    assert then.formula == "20 at first − 7 damage = 13"
    assert "- − 7 damage → 13" in markdown("Ana", [then])


def test_the_rest_of_a_turn_begins_with_the_turn() -> None:
    ana = free_hit.unit("Ana", agility=4, weapons=[free_hit.SWORD], at=[0, 0])
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp", agility=1, at=[1, 0])).begin()
    spec.act("Ana", "end-turn").act("Imp", "end-turn")  # the first round
    spec.act("Ana", "attack", ("attack", 1), ("auto-fail-d4", 1), target="Imp", weapon="sword")
    assert explained(spec, "budget.aa").formula == "1 at first this turn − 1 spent = 0"
    spec.act("Ana", "end-turn")
    assert explained(spec, "budget.aa").formula == "0"


def test_a_blow_is_told_by_its_kind_and_source() -> None:
    sheets = [sovereign.hero("Ana", ac=14, max_hp=20), sovereign.npc("Orc")]
    spec = Spec(SOVEREIGN)
    sovereign.fight(spec, sheets[0], {**sheets[1], "weapons": [sovereign.SPEAR]})
    sovereign.end(spec, "Ana")
    spec.act("Orc", "melee-attack", ("attack", 5), target="Ana")
    assert explained(spec, "hp").formula == "20 at first − 2 shock damage from Orc = 18"


def test_a_foe_s_numbers_are_unknown() -> None:
    ana = free_hit.unit("Ana", agility=4, owner="anna", at=[0, 0])
    spec = Spec(FREE_HIT).given(ana, free_hit.foe("Imp", at=[1, 0])).begin()
    player = Caller("p", "player", owner="anna")
    assert explained(spec, "target_number", "Ana", player).value == 14
    assert [
        explanation.name
        for explanation in explain(spec.live, Eyes(spec.live.history, player), "Imp")
    ] == [
        "lineup",
        "size",
    ]
    for name in ("target_number", "hp", "budget.aa", "no-such-number"):
        with pytest.raises(Unknown) as caught:
            explained(spec, name, "Imp", player)
        assert caught.value.known == ("lineup", "size")


# ---- random play


each_ruleset = pytest.mark.parametrize("ruleset", list(FIGHTS), ids=str)


def worked(explanation: Explanation) -> float:
    """Return the number computed from the parts."""
    now: float = 0
    for part in explanation.parts:
        if part.op == "add":
            now += part.value
        elif part.op == "times":
            now *= part.value
        elif part.op == "divide":
            now /= part.value
        elif part.op == "round-down":
            now = floor(now)
        else:
            now = (max if part.op == "at-least" else min)(now, part.value)
        assert part.makes == now
    return now


def at(value: Json, name: str) -> Json:
    """Return the value at a dotted path."""
    for step in name.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.sampled
@each_ruleset
def test_every_number_of_the_board_is_the_sum_that_is_told(ruleset: str) -> None:
    book: Ruleset = installed()[ruleset]
    rules = {rule.id for rule in book.rules}
    spec = Spec(book).given(*FIGHTS[ruleset](), **_options(ruleset))
    spec.prove = lambda: None  # type: ignore[method-assign]
    walker = Walker(spec, Random(3), gm=0.1)
    told: set[str] = set()
    for _ in range(60):
        if not walker.step():
            break
        eyes = Eyes(spec.live.history, GM)
        for view in board(spec.live, eyes).combatants[:3]:
            explanations = {
                explanation.name: explanation for explanation in explain(spec.live, eyes, view.id)
            }
            for name, explanation in explanations.items():
                assert worked(explanation) == explanation.value, name
                assert all(not part.rule or part.rule in rules for part in explanation.parts), (
                    explanation
                )
                assert all(not lack.rule or lack.rule in rules for lack in explanation.absent), (
                    explanation
                )
            shown = {
                **{name: track.value for name, track in view.tracks.items()},
                **{f"budget.{kind}": left for kind, left in view.budget.items()},
            }
            for name, value in shown.items():
                assert explanations[name].value == value, name
            for name in explanations:
                if name.split(".")[0] in book.numbers:
                    assert at(view.derived, name) == explanations[name].value, name
                    told.add(name.split(".")[0])
            assert not list(_unexplained(view.derived, set(explanations)))
    assert told


def _unexplained(value: Json, told: set[str], name: str = "") -> list[str]:
    """Return numbers of the board's `derived` without an explanation, except those in lists."""
    if isinstance(value, dict):
        return [
            part
            for key, inner in value.items()
            if key not in INSIDE
            for part in _unexplained(inner, told, f"{name}.{key}" if name else key)
        ]
    counts = isinstance(value, int | float) and not isinstance(value, bool)
    return [name] if counts and name not in told else []


INSIDE = {
    "casting", "held", "grapple", "swallowed_by", "carried", "declared", "upkeep",
}  # fmt: skip
"""Fields with one explanation for all their parts."""


def _options(ruleset: str) -> dict[str, Any]:
    return {"death_roll": "all-equal"} if ruleset == "definitions" else {}
