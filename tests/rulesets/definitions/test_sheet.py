"""What is wrong with a sheet is told with the field at fault; how a body looks to a foe (2.1)."""

from typing import Any

import pytest

from domain.errors import Malformed
from tests.rulesets.definitions.units import FIST, SHIELD, SWORD, fight, fighter, foe
from tests.spec import Spec, rule

ORB = {"id": "orb", "name": "orb"}
LAMP = {"id": "lamp", "name": "lamp", "stored": "ground"}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "1d6"}


@rule("DEF-WLD-01", "DEF-WLD-03", "DEF-TCH-07", "DEF-DIS-08")
@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"weapons": [SWORD, {**SWORD, "damage": "1d6"}]}, "/weapons"),
        ({"weapons": [SWORD], "shield": {**SHIELD, "id": "sword"}}, "/weapons"),
        ({"shield": SHIELD, "second_focus": {**ORB, "id": "shield"}}, "/weapons"),
        ({"weapons": [SWORD], "wielded": {"offhand": "orb"}}, "/wielded/offhand"),
        ({"weapons": [FIST], "wielded": {"primary": "unarmed"}}, "/wielded/primary"),
        ({"weapons": [SWORD], "wielded": {"primary": "axe"}}, "/wielded/primary"),
        ({"focus": ORB, "wielded": {"primary": "orb", "offhand": "orb"}}, "/wielded/offhand"),
        ({"items": [LAMP]}, "/items/0/at"),
        ({"items": [{**LAMP, "at": [1]}]}, "/items/0/at"),
        ({"spells": [{**BOLT, "cost": "attack_action"}]}, "/spells/0/cost"),
        ({"abilities_list": [{**BOLT, "cost": "attack_action", "attack": "melee"}]},
         "/abilities_list/0/cost"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_field(spec: Spec, fields: dict[str, Any], pointer: str) -> None:
    spec.given(foe("Orc"), death_roll="all-equal")
    with spec.raises(Malformed) as caught:
        spec.join(**fighter("Ana", **fields))
    assert caught[0].pointer == f"/sheet{pointer}"


@rule("DEF-HP-01")
@pytest.mark.parametrize(
    ("hp", "word"), [(20, "unhurt"), (19, "hurt"), (11, "hurt"), (10, "bloodied"), (1, "bloodied")]
)
def test_how_it_looks(spec: Spec, hp: int, word: str) -> None:
    fight(spec, fighter("Ana", hp=hp), foe("Orc"))
    assert spec.ruleset.wound(spec.combat, "Ana") == word


@rule("DEF-HP-01", "DEF-HP-03")
def test_by_the_maximum_that_the_gm_has_set(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.rule("set-track", who="Ana", track="hp", value=20, maximum=30)
    assert spec.ruleset.wound(spec.combat, "Ana") == "hurt"


@rule("DEF-STB-01", "DEF-INC-01", "DEF-NLD-03", "DEF-DTH-01")
@pytest.mark.parametrize(
    ("fields", "condition", "word"),
    [
        ({"hp": 0}, "stabilized", "stabilized"),
        ({"hp": 0}, None, "bleeding-out"),
        ({"nld": 20}, None, "unconscious"),
        ({"hp": 0}, "dead", "dead"),
    ],
)
def test_a_state_is_seen_before_the_numbers(
    spec: Spec, fields: dict[str, Any], condition: str | None, word: str
) -> None:
    fight(spec, fighter("Ana", **fields), foe("Orc"), fighter("Bo", at=[9, 9]))
    if condition is not None:
        spec.rule("set-condition", who="Ana", condition=condition)
    assert spec.ruleset.wound(spec.combat, "Ana") == word
