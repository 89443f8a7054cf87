"""A recorded target number names its terms, in every rulebook that computes it as a sum."""

from domain.engine.caller import Caller
from domain.record.events import Rolled
from domain.rulesets import definitions, free_hit, hallowed_earth, sovereign, vile_darkness
from projections.events import event_view
from projections.eyes import Eyes
from tests.rulesets.definitions import units as fighters
from tests.rulesets.free_hit import units as heroes
from tests.rulesets.hallowed_earth import units as earth
from tests.rulesets.sovereign import units as realm
from tests.rulesets.vile_darkness import units as dark
from tests.spec import Spec


def test_a_dodge_names_base_and_agility() -> None:
    """The number is 10 + Agility (FH-ATK-02)."""
    spec = Spec(free_hit.RULESET).given(
        heroes.unit("Ana", agility=9, accuracy=5, weapons=[heroes.SWORD], owner="anna", at=[0, 0]),
        heroes.foe("Imp", agility=3, max_hp=20, weapons=[heroes.SWORD], at=[1, 0], owner="ivo"),
    )
    spec.begin().act("Ana", "end-turn")
    spec.act("Imp", "end-turn")
    spec.act("Ana", "attack", ("attack", 12), ("damage", 4), target="Imp", weapon="sword")
    (attack,) = [fact for fact in spec.events(Rolled) if fact.purpose == "attack"]
    assert attack.target == 13
    assert [(term.source, term.value) for term in attack.target_terms] == [
        ("base", 10),
        ("Agility", 3),
    ]
    (recorded,) = [fact for fact in spec.last if fact.event == attack]
    for owner, knows in (("anna", False), ("ivo", True)):
        eyes = Eyes(spec.live.history, Caller("p", "player", owner=owner))
        data = event_view(spec.live, eyes, recorded).data
        assert ("target_terms" in data) is ("target" in data) is knows


def test_an_armor_class_names_its_parts_and_keeps_them_for_the_confirmation() -> None:
    """Attack and confirmation roll against 10 + armor + natural (DEF-ATK-02, DEF-CRT-02)."""
    gob = fighters.foe("Gob", max_hp=40, armor_class={"armor": 4, "natural": 2})
    spec = fighters.fight(
        Spec(definitions.RULESET), fighters.fighter("Ann", weapons=[fighters.SWORD]), gob
    )
    dice = (("attack", 20), ("confirm", 19), ("damage", 4, 4))
    spec.act("Ann", "attack", *dice, target="Gob", weapon="sword")
    first, again = (spec.rolled(purpose) for purpose in ("attack", "confirm"))
    assert sum(term.value for term in first.target_terms) == first.target == 16
    assert again.target_terms == first.target_terms


def parts(spec: Spec) -> tuple[int | None, list[int]]:
    """Return the target number of the attack, and the values of its terms."""
    attack = spec.rolled("attack")
    return attack.target, [term.value for term in attack.target_terms]


def test_a_defense_names_base_agility_and_stance() -> None:
    """An attack rolls against 10 + Agility modifier + Defense bonuses (HE-ATK-03)."""
    orc = earth.monster("Orc", at=[1, 0], defense_bonus=3)
    ana = earth.hero("Ana", weapons=[earth.SWORD], attributes={"agility": 18}, at=[0, 0])
    spec = Spec(hallowed_earth.RULESET).given(ana, orc, rulings="default")
    earth.begin(spec, 1, 5, Ana=earth.attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert parts(spec) == (13, [10, 3])


def test_an_armour_class_names_the_sheets_and_what_changes_it() -> None:
    """An attack rolls against the sheet's AC with all changes of that AC (SOV-ATK-01)."""
    ana = realm.hero("Ana", weapons=[realm.SWORD])
    spec = realm.fight(Spec(sovereign.RULESET), ana, realm.npc("Orc", ac=13))
    spec.act("Ana", "melee-attack", ("attack", 1), target="Orc", weapon="sword")
    assert parts(spec) == (13, [13])


def test_a_number_to_hit_names_aac0_and_the_armour_class() -> None:
    """AAC0 15 against AC 5 needs 10 (VD-AAC0-01)."""
    spec = Spec(vile_darkness.RULESET).given(dark.hero("Ana"), dark.foe("Orc"))
    dark.begin(spec, 5, 2)
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    assert parts(spec) == (10, [15, -5])
