"""Rolls, target numbers and damage of played fights add up, in every rulebook."""

from collections.abc import Mapping
from random import Random

import pytest

from domain.dice import parse
from domain.record.events import Damaged, Event, Rolled
from domain.rulebook.sums import Sum
from domain.rulesets import definitions, hallowed_earth, installed, sovereign, vile_darkness
from service.conformance.walker import Walker
from tests.rulesets.definitions import units as fighters
from tests.rulesets.hallowed_earth import units as earth
from tests.rulesets.sovereign import units as realm
from tests.rulesets.vile_darkness import units as dark
from tests.spec import Spec
from tests.walks import begin

DERIVED: Mapping[str, frozenset[str]] = {
    "definitions": frozenset({"attack", "touch", "confirm", "death-save"}),
    "free-hit": frozenset({"attack"}),
    "hallowed-earth": frozenset({"attack", "heal", "morale"}),
    "sovereign": frozenset({"attack", "save", "screen", "shove", "grapple", "grapple-escape"}),
    "vile-darkness": frozenset({"attack", "morale"}),
}
"""Purposes of rolls with a computed target number, whose terms are recorded."""


def adds_up(fact: Event, derived: frozenset[str] = frozenset()) -> None:
    """Check that the recorded terms of a roll, its target number and damage add up."""
    if isinstance(fact, Rolled):
        dice = parse(fact.formula).total(fact.faces)
        assert dice + sum(term.value for term in fact.terms) == fact.total, fact
        if fact.target_terms or (fact.target and fact.purpose in derived):
            assert sum(term.value for term in fact.target_terms) == fact.target, fact
    elif isinstance(fact, Damaged) and fact.terms:
        assert sum(term.value for term in fact.terms) == fact.amount, fact


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(installed()))
def test_everything_that_is_recorded_adds_up(ruleset: str) -> None:
    facts: list[Event] = []
    for seed in (3, 4):
        spec = begin(ruleset, seed)
        spec.prove = lambda: None  # type: ignore[method-assign]
        Walker(spec, Random(seed), gm=0.05).walk(100)
        facts += [recorded.event for recorded in spec.live.history.recorded]
    for fact in facts:
        adds_up(fact, DERIVED[ruleset])
    purposes = {fact.purpose for fact in facts if isinstance(fact, Rolled)}
    assert purposes & DERIVED[ruleset]


def target(spec: Spec, purpose: str) -> list[tuple[str, int]]:
    """Return the terms of the target number of the last roll of this purpose."""
    rolled = spec.rolled(purpose)
    adds_up(rolled)
    return [(term.source, term.value) for term in rolled.target_terms]


def damage(spec: Spec, who: str) -> list[tuple[str, int]]:
    """Return the terms of the last damage to a combatant."""
    taken = spec.event(Damaged, who=who)
    adds_up(taken)
    return [(term.source, term.value) for term in taken.terms]


def test_a_limit_a_half_and_a_factor_are_terms() -> None:
    total = Sum().add("score", 7, "A").then("divide", 2, "half", "B")
    total.then("round-down", 0, "rounded down", "C").then("times", -1, "below zero", "D")
    total.then("at-least", -2, "at least −2", "E").add("luck", 1, "F").then("at-most", 9, "9", "G")
    terms = [(term.source, term.value, term.rule) for term in total.addends()]
    assert terms == [
        ("score", 7, "A"), ("half", -4, "B"), ("below zero", -6, "D"), ("at least −2", 1, "E"),
        ("luck", 1, "F"),
    ]  # fmt: skip
    assert sum(value for _, value, _ in terms) == total.value == -1


# ---- sovereign

HEX = {
    "id": "hex", "name": "Hex", "damage": "1d6", "save": {"type": "mental", "on_success": "none"},
}  # fmt: skip


def test_a_save_names_level_and_the_better_attribute() -> None:
    """A mental save needs 16 − level − the higher of INT and WIS (SOV-SAVE-02)."""
    spec = Spec(sovereign.RULESET)
    spells = [{**HEX, "save": {"type": "mental", "on_success": "negates"}}]
    cy = realm.hero("Cy", "foes", level=3, modifiers={"int": 1, "wis": 2})
    realm.fight(spec, realm.hero("Ana", spells=spells), cy)
    spec.act("Ana", "cast-spell", ("save", 20), spell="hex", targets=["Cy"])
    assert target(spec, "save") == [("base", 16), ("level", -3), ("WIS", -2)]


def test_a_save_of_an_npc_names_half_its_hit_dice() -> None:
    """An NPC's save needs 15 − half its HD, rounded down (SOV-SAVE-02)."""
    spec = Spec(sovereign.RULESET)
    spells = [{**HEX, "save": {"type": "evasion", "on_success": "negates"}}]
    realm.fight(spec, realm.hero("Ana", spells=spells), realm.npc("Orc", hd=5))
    spec.act("Ana", "cast-spell", ("save", 20), spell="hex", targets=["Orc"])
    assert target(spec, "save") == [("base", 15), ("half of the hit dice", -2)]


def test_an_opposed_check_names_what_the_other_would_add() -> None:
    """An opposed check needs 8 + the opponent's attribute + skill (SOV-CHK-02)."""
    spec = Spec(sovereign.RULESET)
    cy = realm.hero("Cy", "foes", at=[1, 0], modifiers={"wis": 2}, skills={"notice": 1})
    realm.fight(spec, realm.hero("Ana", at=[5, 5]), cy)
    spec.act("Ana", "use-skill", ("skill", 6, 6), attribute="wis", skill="notice", opposed_by="Cy")
    assert target(spec, "skill") == [("base", 8), ("WIS", 2), ("notice", 1)]


def test_a_shove_names_strength_and_brawl() -> None:
    """A shove needs 8 + the target's STR + Brawl (SOV-SHOVE-04)."""
    spec = Spec(sovereign.RULESET)
    cy = realm.hero("Cy", "foes", at=[1, 0], modifiers={"str": 1}, skills={"brawl": 2})
    realm.fight(spec, realm.hero("Ana", weapons=[realm.SWORD]), cy)
    spec.act("Ana", "shove", ("attack", 19), ("shove", 1, 1), target="Cy")
    assert target(spec, "shove") == [("base", 8), ("STR", 1), ("brawl", 2)]


# ---- hallowed-earth


def test_a_heal_check_names_the_worst_wound() -> None:
    """The target number to stabilize is 10 + the worst single wound (HE-STAB-01, HE-STAB-03)."""
    spec = Spec(hallowed_earth.RULESET)
    spec.given(earth.hero("Ana", at=[0, 0]), earth.hero("Bo", at=[1, 0]), earth.monster("Orc"),
               rulings="default")  # fmt: skip
    earth.begin(spec, 1, 5, 12, Ana=("stabilize", {}), Bo="no-action", Orc="no-action")
    for amount in (4, 8):
        spec.rule("damage", who="Bo", amount=amount)
    spec.act("Ana", "stabilize", ("heal", 1), target="Bo")
    assert target(spec, "heal") == [("base", 10), ("worst wound", 8)]


# ---- vile-darkness


def test_a_number_in_the_row_of_20s_names_the_row() -> None:
    """AAC0 18 against AC −5 would need 23. The row has six 20s, so 20 is enough (VD-AAC0-03)."""
    spec = Spec(vile_darkness.RULESET).given(dark.hero("Ana", aac0=18), dark.foe("Orc", ac=-5))
    dark.begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert target(spec, "attack") == [("AAC0", 18), ("AC", 5), ("20s in a row", -3)]


def test_a_number_against_a_clamped_armour_class_names_the_limit() -> None:
    """AC 8 worsens by 5, but the limit is 10, so AAC0 15 needs a 5 (VD-AC-01)."""
    worse = [{"value": -5, "reason": "rust"}]
    spec = Spec(vile_darkness.RULESET).given(
        dark.hero("Ana", aac0=15), dark.foe("Orc", ac=8, ac_modifiers=worse), clamp_ac=True
    )
    dark.begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert target(spec, "attack") == [
        ("AAC0", 15), ("AC", -8), ("rust", -5), ("10 is the worst", 3)
    ]  # fmt: skip


# ---- definitions


def test_the_dc_of_massive_damage_names_the_hit_dice() -> None:
    """The DC is 10 + the hit dice of the attacker (DEF-MAS-03)."""
    spec = Spec(definitions.RULESET)
    maul = fighters.weapon("maul", "2d12")
    fighters.fight(spec, fighters.fighter("Ann", hit_dice=4, weapons=[maul]), fighters.foe("Orc"))
    dice = (("attack", 15), ("damage", 6, 6), ("save-fortitude", 20))
    spec.act("Ann", "attack", *dice, target="Orc", weapon="maul")
    assert target(spec, "save-fortitude") == [("base", 10), ("hit dice", 4)]


def test_the_least_of_extra_damage_is_a_term() -> None:
    """The extra damage of 1d4 − 3 is at least 0, so a face of 1 adds nothing (DEF-DMG-05)."""
    spec = Spec(definitions.RULESET)
    extra = [{"formula": "1d4-3", "source": "chill"}]
    sword = fighters.weapon("sword", "1d8", extra_damage=extra)
    fighters.fight(spec, fighters.fighter("Ann", weapons=[sword]), fighters.foe("Orc"))
    dice = (("attack", 15), ("damage", 5), ("extra-damage", 1))
    spec.act("Ann", "attack", *dice, target="Orc", weapon="sword")
    assert damage(spec, "Orc") == [("sword", 5), ("chill", -2), ("at least 0", 2)]


def test_the_least_of_a_trample_is_a_term() -> None:
    """A trample adds 2 × −3 for Strength, but deals at least 1 (DEF-TRM-03, DEF-DMG-06)."""
    spec = Spec(definitions.RULESET)
    bull = fighters.fighter(
        "Bull", abilities={"strength": 4}, size="large", weapons=[fighters.FIST], at=[0, 0],
    )  # fmt: skip
    fighters.fight(spec, bull, fighters.foe("Orc", at=[2, 0]))
    fighters.passes(spec, "Orc")
    dice = (("touch", 20), ("opposed-strength", 20), ("opposed-strength", 1), ("damage", 2))
    spec.act("Bull", "trample", *dice, path=[[1, 0], [2, 0], [3, 0]], targets=["Orc"])
    assert damage(spec, "Orc") == [("trample", -4), ("at least 1", 5)]


def test_the_least_of_a_spell_that_hits_is_a_term() -> None:
    """A spell that hits with an attack roll deals at least 1 damage (DEF-DMG-06)."""
    spec = Spec(definitions.RULESET)
    dart = {"id": "dart", "name": "Dart", "damage": "1d4-4", "attack": "ranged"}
    fighters.fight(spec, fighters.fighter("Ann", spells=[dart]), fighters.foe("Orc", at=[5, 0]))
    dice = (("attack", 15), ("damage", 2))
    spec.act("Ann", "cast-spell", *dice, spell="dart", targets=["Orc"])
    assert damage(spec, "Orc") == [("Dart", -2), ("at least 1", 3)]
