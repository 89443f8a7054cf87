"""Test that open prompts do not name combatants that have left the fight.

DEF-CST-05, DEF-WND-01, DEF-HLD-11.
"""

from domain.record.combat import DiceSettings
from domain.record.events import EffectResolved, PromptChanged, Rolled
from tests.rulesets.definitions.units import SWORD, end, fight, fighter, foe, hold
from tests.spec import Spec, rule

CHARM = {"id": "charm", "name": "Charm", "save": {"kind": "will", "dc": 10}}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "2d6"}


def charmed(spec: Spec) -> Spec:
    """Let Ana charm Orc. Orc fails its save, and the GM gets a prompt for the effect."""
    sheets = (fighter("Ana", spells=[CHARM]), foe("Orc", at=[5, 5]), foe("Gob", at=[9, 9]))
    fight(spec, *sheets, rulings="ask")
    return spec.act("Ana", "cast-spell", ("save-will", 1), spell="charm", targets=["Orc"])


@rule("DEF-CST-05")
def test_the_effect_of_a_spell_is_asked_for_without_its_caster(spec: Spec) -> None:
    charmed(spec)
    (before,) = spec.live.open_prompts()
    spec.leave("Ana")
    (after,) = spec.live.open_prompts()
    asked = spec.prompt(None, "spell-effect")
    assert (before, asked.text) == (after, "What does Charm do?")
    assert asked.data == {"actor": None, "power": "charm", "targets": ["Orc"]}
    spec.answer(None, "text", text="Orc smiles.")
    assert spec.event(EffectResolved).text == "Orc smiles."


@rule("DEF-CST-05")
def test_or_without_its_target(spec: Spec) -> None:
    charmed(spec).leave("Orc")
    asked = spec.prompt(None, "spell-effect")
    assert (asked.text, asked.data["targets"]) == ("Ana uses Charm. What does it do?", [])


@rule("DEF-CST-02", "DEF-CST-03")
def test_the_gm_rolls_for_a_caster_that_has_left(spec: Spec) -> None:
    sheets = (fighter("Ana", spells=[BOLT]), foe("Orc", at=[5, 5]), foe("Gob", at=[9, 9]))
    dice = DiceSettings(players="manual", gm="manual")
    spec.given(*sheets, death_roll="all-equal", rulings="default", dice=dice)
    spec.begin(("initiative", 20), ("initiative", 10), ("initiative", 5))
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"]).leave("Ana")
    assert spec.event(PromptChanged).who is None
    assert spec.open() == [("roll", "damage", None)]
    assert spec.prompt().text == "The GM rolls 2d6 (damage)"
    spec.throw(3, 4)
    assert (spec.event(Rolled).who, spec.hp("Orc")) == ("Ana", 13)


@rule("DEF-WND-01")
def test_a_wound_is_named_without_who_gave_it(spec: Spec) -> None:
    sheets = (fighter("Ana", weapons=[SWORD]), foe("Orc", max_hp=1), foe("Gob", at=[9, 9]))
    fight(spec, *sheets, rulings="ask")
    spec.act("Ana", "attack", ("attack", 19), ("damage", 8), target="Orc")
    assert spec.prompt(None, "wound").data["source"] == "Ana sword"
    asked = spec.prompt(None, "wound")
    assert asked.text == "Orc is reduced to 0 HP by Ana's sword. Which wound is it?"
    spec.leave("Ana")
    asked = spec.prompt(None, "wound")
    assert asked.text == "Orc is reduced to 0 HP by sword. Which wound is it?"
    assert asked.data == {"combatant": "Orc", "source": "sword", "wound": "wound: sword"}
    spec.answer(None, "wound")
    assert spec["Orc"].all("wounded")[0].data["name"] == "wound: sword"


@rule("DEF-HLD-05", "DEF-HLD-11")
def test_a_held_action_is_offered_without_a_target_that_has_left(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"), foe("Gob", at=[5, 5]))
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")
    end(spec, "Ana").leave("Orc").act("Gob", "speak", text="gone")
    assert "target" not in spec.prompt("Ana").data["inputs"]
    assert spec.prompt("Ana").data["actor"] == "Gob"
    spec.leave("Gob")
    assert spec.prompt("Ana").data["actor"] is None
