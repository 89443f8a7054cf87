"""Powers at their edges: which one, by whom, as what kind of attack (DEF-CST, DEF-TCH-07)."""

from typing import Any

import pytest

from domain.record.events import Prevented, Rolled
from tests.rulesets.definitions.units import BITE, SWORD, end, fight, fighter, foe, hold, left
from tests.spec import Spec, rule

CHILL = {"id": "chill", "name": "Chill", "attack": "melee-touch", "cost": "attack_action",
         "damage": "1d4"}  # fmt: skip
SCREAM = {"id": "scream", "name": "Scream", "damage": "1d6", "range_ft": 10}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "2d6"}
UNDO = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}


def user(spec: Spec, mine: dict[str, Any], **theirs: Any) -> Spec:
    """Ana beside Orc; Gob is far."""
    return fight(spec, fighter("Ana", **mine), foe("Orc", **theirs), foe("Gob", at=[9, 9]))


@pytest.mark.parametrize(
    ("action", "inputs", "rule_id", "code"),
    [
        ("cast-spell", {"spell": "wish"}, "DEF-CST-01", "no-such-spell"),
        ("cast-spell", {"spell": "chill", "targets": ["Orc"]}, "DEF-TCH-07", "is-attack-action"),
        ("use-ability", {"ability": "wish"}, "DEF-CST-06", "no-such-ability"),
        ("use-ability", {"ability": "chill", "targets": ["Orc"]}, "DEF-TCH-07",
         "is-attack-action"),
        ("use-ability", {"ability": "scream"}, "DEF-ATK-06", "no-target"),
        ("use-ability", {"ability": "scream", "targets": ["Gob"]}, "DEF-RNG-06", "out-of-range"),
        ("melee-touch", {"source": "wish", "target": "Orc"}, "DEF-TCH-07",
         "not-an-attack-action"),
        ("melee-touch", {"source": "chill"}, "DEF-ATK-06", "no-target"),
    ],
)  # fmt: skip
@rule("DEF-CST-01", "DEF-CST-06", "DEF-TCH-07")
def test_only_what_is_on_the_sheet_as_what_it_is(
    spec: Spec, action: str, inputs: dict[str, Any], rule_id: str, code: str
) -> None:
    user(spec, {"spells": [CHILL], "abilities_list": [CHILL, SCREAM]})
    with spec.refused(rule_id, code):
        spec.act("Ana", action, **inputs)
    assert left(spec, "Ana")["standard"] == 1


@rule("DEF-INC-03", "DEF-TRN-04")
def test_the_unconscious_cast_nothing_whoever_acts(spec: Spec) -> None:
    """Casting may be declared at any moment: the reason is told all the same."""
    user(spec, {}, spells=[BOLT], nld=20)
    with spec.refused("DEF-INC-03", "cannot-act"):
        spec.act("Orc", "cast-spell", spell="bolt", targets=["Ana"])


@rule("DEF-CST-06", "DEF-TCH-07")
def test_the_touch_of_an_ability_is_no_casting(spec: Spec) -> None:
    """Nobody counters it, armor does not make it fail, and no gesture is in it."""
    rags = {"name": "rags", "trained": False}
    user(spec, {"abilities_list": [CHILL], "armor": rags}, abilities_list=[UNDO], weapons=[BITE])
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    spec.act("Ana", "melee-touch", ("touch", 15), ("damage", 3), target="Orc", source="chill")
    assert spec.hp("Orc") == 17


@rule("DEF-GSP-01", "DEF-TCH-07")
def test_the_touch_of_a_spell_needs_gestures(spec: Spec) -> None:
    user(spec, {"spells": [CHILL], "feats": {"signless_spell": True}}, weapons=[BITE])
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        spec.act("Ana", "melee-touch", target="Orc", source="chill")
    spec.act("Ana", "melee-touch", ("touch", 1), target="Orc", source="chill", signless=True)


@rule("DEF-STN-02", "DEF-STN-03")
def test_a_stance_goes_with_the_touch_of_an_ability_never_of_a_spell(spec: Spec) -> None:
    user(spec, {"spells": [CHILL], "abilities_list": [{**CHILL, "id": "claw"}],
                "base_attack_bonus": 6})  # fmt: skip
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.act("Ana", "melee-touch", target="Orc", source="chill", stance="defensive")
    spec.act("Ana", "melee-touch", ("touch", 3), target="Orc", source="claw", stance="defensive")
    assert spec.rolled("touch").total == 5  # 3 + 6 − 4


@rule("DEF-HLD-11")
def test_a_held_action_at_nobody_is_lost(spec: Spec) -> None:
    user(spec, {"weapons": [SWORD]})
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Zed")
    end(spec, "Ana")
    spec.act("Orc", "speak", text="ho")
    spec.answer("Ana", "resolve")
    prevented = spec.event(Prevented)
    assert (prevented.reason, prevented.rules) == ("gone", ("DEF-ATK-01", "DEF-HLD-11"))
    assert not spec.events(Rolled)
