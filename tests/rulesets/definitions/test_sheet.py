"""Test refusals of sheets, and the view that a foe has of a combatant (2.1)."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.rulebook.sums import Sum
from tests.rulesets.definitions.units import (
    BITE,
    FIST,
    SHIELD,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    left,
    shown,
)
from tests.spec import Spec, rule

ORB = {"id": "orb", "name": "orb"}
LAMP = {"id": "lamp", "name": "lamp", "stored": "ground"}
GEM = {"id": "gem", "name": "gem"}
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
        ({"weapons": [{**SWORD, "damage": "much"}]}, "/weapons/0/damage"),
        ({"weapons": [{**SWORD, "extra_damage": [{"formula": "1d"}]}]},
         "/weapons/0/extra_damage/0/formula"),
        ({"spells": [BOLT, BOLT]}, "/spells"),
        ({"abilities_list": [BOLT, BOLT]}, "/abilities_list"),
        ({"items": [GEM, GEM]}, "/items"),
        ({"items": [{**GEM, "effect": {"healing": "1d"}}]}, "/items/0/effect/healing"),
        ({"spells": [{**BOLT, "nld": "1d"}]}, "/spells/0/nld"),
        ({"spells": [{**BOLT, "extra_damage": [{"formula": "1d"}]}]},
         "/spells/0/extra_damage/0/formula"),
        ({"spells": [{**BOLT, "modifiers": [{"target": "beauty", "value": 1}]}]},
         "/spells/0/modifiers/0/target"),
        ({"items": [LAMP]}, "/items/0/at"),
        ({"items": [{**LAMP, "at": [1]}]}, "/items/0/at"),
        ({"spells": [{**BOLT, "cost": "attack_action"}]}, "/spells/0/cost"),
        ({"abilities_list": [{**BOLT, "cost": "attack_action", "attack": "melee"}]},
         "/abilities_list/0/cost"),
        ({"conditions": [{"id": "modifier"}]}, "/conditions/0/data/target"),
        ({"conditions": [{"id": "glow"}, {"id": "grappled", "data": {"with": [5]}}]},
         "/conditions/1/data/with"),
        ({"spells": [{**BOLT, "conditions": [{"id": "dazed", "data": {"cannot_act": "x"}}]}]},
         "/spells/0/conditions/0/data/cannot_act"),
        ({"abilities_list": [{**BOLT, "conditions": [{"id": "wounded", "data": {"kind": "x"}}]}]},
         "/abilities_list/0/conditions/0/data/kind"),
        ({"items": [{**GEM, "effect": {"conditions": [{"id": "modifier"}]}}]},
         "/items/0/effect/conditions/0/data/target"),
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
    fight(spec, foe("Orc"), fighter("Ana", **fields), fighter("Bo", at=[9, 9]))
    if condition is not None:
        spec.rule("set-condition", who="Ana", condition=condition)
    assert spec.ruleset.wound(spec.combat, "Ana") == word


# ---- the board


@rule("DEF-INI-01", "DEF-DTH-01")
def test_its_initiative_and_place(spec: Spec) -> None:
    """A combatant has no initiative before its roll, and none after its death."""
    spec.given(fighter("Ana", initiative_bonus=3), foe("Orc"), death_roll="all-equal")
    assert shown(spec, "Ana")["initiative"] is None
    spec.begin(("initiative", 12), ("initiative", 17))
    assert shown(spec, "Ana")["initiative"] == {"total": 15, "place": 2}
    assert shown(spec, "Orc")["initiative"] == {"total": 17, "place": 1}
    assert spec["Ana"].facts["initiative"] == 1500  # in hundredths, without decimals
    spec.rule("set-condition", who="Ana", condition="dead")
    assert shown(spec, "Ana")["initiative"] is None


@rule("DEF-TRN-06", "DEF-TRN-08", "DEF-CHG-06")
@pytest.mark.parametrize(
    ("action", "inputs", "left_over"),
    [
        (None, {}, 2),
        ("attack", {"target": "Orc"}, 1),
        ("feigned-strike", {"target": "Orc"}, 0),
        ("full-defense", {}, 0),
    ],
)
def test_attack_actions_that_are_left(
    spec: Spec, action: str | None, inputs: dict[str, Any], left_over: int
) -> None:
    fight(spec, fighter("Ana", base_attack_bonus=6, weapons=[SWORD]), foe("Orc"))
    assert left(spec, "Orc")["attack_actions_left"] == 0  # Orc has had no turn yet
    if action is not None:
        spec.act("Ana", action, *([("attack", 1)] if action == "attack" else []), **inputs)
    if action == "feigned-strike":
        spec.answer("Orc", "level-check", ("skill-beguile", 1), ("level-check", 9))
    assert left(spec, "Ana")["attack_actions_left"] == left_over


@rule("DEF-CHG-06")
def test_attack_actions_of_a_charge(spec: Spec) -> None:
    fight(spec, fighter("Ana", base_attack_bonus=6, weapons=[SWORD]), foe("Orc", at=[4, 0]))
    spec.act("Ana", "charge", target="Orc", to=[3, 0])
    assert left(spec, "Ana")["attack_actions_left"] == 2


@rule("DEF-STN-01")
@pytest.mark.parametrize("stance", ["reckless", "defensive", "none"])
def test_the_stance_of_its_turn(spec: Spec, stance: str) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    assert shown(spec, "Ana")["stance"] == "none"
    spec.act("Ana", "attack", ("attack", 1), target="Orc", stance=stance)
    assert shown(spec, "Ana")["stance"] == stance
    end(spec, "Ana", "Orc")
    assert shown(spec, "Ana")["stance"] == "none"


@rule("DEF-WLD-01", "DEF-WLD-07", "DEF-SHT-04")
@pytest.mark.parametrize(
    ("fields", "ac"),
    [
        ({"shield": {**SHIELD, "ac_bonus": 3}}, 13),
        ({"shield": SHIELD, "armor_class": {"shield": 2}}, 12),
        ({"second_shield": SHIELD, "wielded": {"primary": "shield"},
          "armor_class": {"shield": 2}}, 10),
    ],
)  # fmt: skip
def test_what_a_shield_adds(spec: Spec, fields: dict[str, Any], ac: int) -> None:
    fight(spec, fighter("Ana", **fields), foe("Orc"))
    assert shown(spec, "Ana")["ac"] == ac


@rule("DEF-WLD-01", "DEF-MOV-05")
@pytest.mark.parametrize(("ready", "held"), [(None, "sword"), (True, "sword"), (False, "axe")])
def test_what_is_in_hand_at_first(spec: Spec, ready: bool | None, held: str) -> None:
    axe = {**SWORD, "id": "axe", "ready": True}
    fight(spec, fighter("Ana", weapons=[BITE, {**SWORD, "ready": ready}, axe]), foe("Orc"))
    assert shown(spec, "Ana")["slots"]["primary"] == held


@rule("DEF-RCH-02", "DEF-SPC-02")
def test_a_small_one_is_not_tiny(spec: Spec) -> None:
    fight(spec, fighter("Ana", size="small"), foe("Orc"))
    with spec.refused("DEF-SPC-04", "square-occupied"):
        spec.act("Ana", "move", path=[[1, 0]])
    assert at(spec, "Ana") == (0, 0)


def lacking(spec: Spec, number: str) -> list[tuple[str, str, int | None]]:
    """Return label, rule and value of the terms that do not count in Ana's `number`."""
    made = spec.ruleset.numbers[number](spec.combat, "Ana")
    assert isinstance(made, Sum)
    return [(absent.label, absent.rule, absent.value) for absent in made.absent]


@rule("DEF-TCH-02", "DEF-ATK-03", "DEF-GEN-06")
def test_what_does_not_count_for_an_armor_class(spec: Spec) -> None:
    """Each AC lists the terms that do not count in it, with their rules.

    The Dexterity penalty also counts in the flat-footed AC, so no list contains it.
    """
    fight(
        spec,
        fighter(
            "Ana", armor_class={"armor": 4, "dexterity": -1, "dodge": 2},
            modifiers=[
                {"target": "ac", "value": 2, "type": "luck", "source": "charm"},
                {"target": "ac", "value": 1, "type": "luck", "source": "ring"},
                {"target": "ac", "value": -3, "type": "armor", "source": "rust"},
            ],
        ),
        foe("Orc"),
    )  # fmt: skip
    ring = ("ring", "DEF-GEN-06", 1)
    assert lacking(spec, "ac") == [ring]
    assert lacking(spec, "touch_ac") == [
        ("armor", "DEF-TCH-02", 4), ("rust", "DEF-TCH-02", -3), ring
    ]  # fmt: skip
    assert lacking(spec, "flat_footed_ac") == [("dodge", "DEF-ATK-02", 2), ring]
    assert shown(spec, "Ana")["flat_footed_ac"] == 12  # 10 + 4 − 1 + 2 − 3
