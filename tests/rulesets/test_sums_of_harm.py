"""Test that a sum of damage has a term for each rule that halves or multiplies it."""

from domain.record.events import Damaged
from domain.rulesets import definitions, sovereign
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from tests.rulesets.definitions import units as fighters
from tests.rulesets.sovereign import units as realm
from tests.spec import GM, Spec


def told(spec: Spec, who: str) -> str:
    """Return the log line that the GM reads about the last damage to a combatant."""
    live = spec.live
    eyes = Eyes(live.history, GM)
    (fact,) = [
        fact for fact in spec.last if isinstance(fact.event, Damaged) and fact.event.who == who
    ]
    teller = Teller(live, eyes)
    return teller.line(teller.informed(event_view(live, eyes, fact))).text


def test_half_of_a_spell_is_a_term() -> None:
    """Half of 5 is 2 (DEF-CST-03, DEF-GEN-05)."""
    save = {"kind": "reflex", "dc": 10, "on_success": "half"}
    mire = {"id": "mire", "name": "Mire", "damage": "1d6", "save": save}
    spec = fighters.fight(
        Spec(definitions.RULESET), fighters.fighter("Ann", spells=[mire]), fighters.foe("Orc")
    )
    dice = (("save-reflex", 10), ("damage", 5))
    spec.act("Ann", "cast-spell", *dice, spell="mire", targets=["Orc"])
    assert "5 Mire − 3 saved: half = 2" in told(spec, "Orc")


def test_the_least_damage_of_a_weapon_is_a_term() -> None:
    """A hit for 2 − 4 deals 1, because every hit deals at least 1 (DEF-DMG-06)."""
    ann = fighters.fighter(
        "Ann", weapons=[fighters.weapon("sword", "1d8-4", damage_type="slashing")]
    )
    spec = fighters.fight(Spec(definitions.RULESET), ann, fighters.foe("Orc"))
    spec.act("Ann", "attack", ("attack", 15), ("damage", 2), target="Orc", weapon="sword")
    assert "−2 sword + 3 to the minimum of 1 = 1" in told(spec, "Orc")


def test_half_of_a_spell_is_a_term_of_the_sum_in_sovereign() -> None:
    """Half of 5 is 2, rounded down (SOV-SPELL-02)."""
    save = {"type": "evasion", "on_success": "half"}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "1d6", "range_ft": 60, "save": save}
    mag, orc = realm.hero("Mag", spells=[bolt]), realm.npc("Orc", at=[5, 0])
    spec = realm.fight(Spec(sovereign.RULESET), mag, orc)
    dice = (("save", 16), ("damage", 5))
    spec.act("Mag", "cast-spell", *dice, spell="bolt", targets=["Orc"])
    assert "5 Bolt − 3 saved = 2" in told(spec, "Orc")
