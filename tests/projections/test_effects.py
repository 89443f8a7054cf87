"""Test the events of spells and long activities, and the sentences made from them."""

from collections.abc import Mapping
from typing import Any

from domain.engine.caller import Caller
from domain.record.events import RESULTS, EffectResolved, Stabilized
from domain.rulesets import definitions, free_hit, hallowed_earth, sovereign, vile_darkness
from projections.events import event_view
from projections.eyes import Eyes
from projections.narration import Teller
from projections.sentences import sentence
from projections.timeline import Wanted, page
from projections.vocabulary import Wording
from tests.rulesets.definitions import units as d20
from tests.rulesets.free_hit import units as hits
from tests.rulesets.hallowed_earth import units as holy
from tests.rulesets.sovereign import units as swn
from tests.rulesets.vile_darkness import units as vile
from tests.spec import Spec

GM = Caller("gm", "gm")


def came(spec: Spec, **fields: Any) -> tuple[EffectResolved, str]:
    """Return the only matching result of the last step, with its sentence for the GM."""
    event = spec.event(EffectResolved, **fields)
    assert event.result in RESULTS
    recorded = next(recorded for recorded in spec.last if recorded.event is event)
    eyes = Eyes(spec.live.history, GM)
    teller = Teller(spec.live, eyes)
    return event, teller.line(event_view(spec.live, eyes, recorded)).text


def about(event: EffectResolved) -> tuple[str, str, str, str, tuple[str, ...]]:
    """Return the actor, the effect, its result and its targets."""
    return event.who, event.kind, event.effect, event.result, event.targets


# ---- definitions


BOLT = {"id": "bolt", "name": "Frost Bolt", "damage": "2d6"}


def test_definitions_a_spell() -> None:
    spec = Spec(definitions.RULESET)
    d20.fight(spec, d20.fighter("Ana", spells=[BOLT]), d20.foe("Orc", at=[5, 5]))
    spec.act("Ana", "cast-spell", ("damage", 1, 2), spell="bolt", targets=["Orc"])
    event, told = came(spec)
    assert about(event) == ("Ana", "spell", "bolt", "done", ("Orc",))
    assert told == "Ana's Frost Bolt takes effect on Orc."


def test_definitions_what_a_save_makes_nothing_of() -> None:
    bolt = {**BOLT, "save": {"kind": "reflex", "dc": 10, "on_success": "none"}}
    spec = Spec(definitions.RULESET)
    d20.fight(spec, d20.fighter("Ana", spells=[bolt]), d20.foe("Orc", at=[5, 5]))
    spec.act("Ana", "cast-spell", ("save-reflex", 19), spell="bolt", targets=["Orc"])
    event, told = came(spec)
    assert about(event) == ("Ana", "spell", "bolt", "no-effect", ("Orc",))
    assert told == "Ana's Frost Bolt has no effect."


def test_definitions_a_blow_at_a_thing_and_who_knows_its_numbers() -> None:
    frail = {**d20.SWORD, "item_hp": 5}
    spec = Spec(definitions.RULESET)
    ana = d20.fighter("Ana", weapons=[d20.SWORD], owner="anna")
    d20.fight(spec, ana, d20.foe("Orc", weapons=[frail], owner="otto"))
    spec.act(
        "Ana", "shatter", ("opposed-attack", 19), ("opposed-attack", 1), ("damage", 1), target="Orc"
    )
    event, told = came(spec)
    assert about(event) == ("Orc", "item", "sword", "damaged", ())
    assert event.by == "Ana"
    assert told.startswith("Ana damages Orc's sword: ")
    recorded = next(recorded for recorded in spec.last if recorded.event is event)
    for owner, knows in (("anna", False), ("otto", True)):
        eyes = Eyes(spec.live.history, Caller("p", "player", owner=owner))
        assert ("numbers" in event_view(spec.live, eyes, recorded).data) is knows


def test_definitions_an_activity() -> None:
    spec = Spec(definitions.RULESET)
    ana = d20.fighter("Ana", skills={"history": 4})
    d20.fight(spec, ana, d20.foe("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "knowledge-check", ("skill-history", 11), skill="history", about="orcs")
    spec.answer(None, "knowledge", dc=15, text="They fear fire.")
    event, told = came(spec)
    assert about(event) == ("Ana", "activity", "knowledge-check", "ruled", ())
    assert (event.data["skill"], event.text) == ("history", "They fear fire.")
    assert told == "Ana: They fear fire."


# ---- free-hit


def mage(**fields: Any) -> Spec:
    spell = {"id": "slow", "name": "Slow Mend", "cast_time": {"aa": 2}, "healing": "1d6", **fields}
    spec = Spec(free_hit.RULESET)
    spec.given(
        hits.unit("Mag", agility=5, max_mp=10, at=[0, 0], spells=[spell]),
        hits.foe("Imp", agility=1, at=[9, 9]),
        hits.unit("Bo", agility=-1, at=[0, 2], hp=1),
    )
    return spec.begin()


def test_free_hit_a_spell_over_several_turns() -> None:
    spec = mage()
    spec.act("Mag", "cast", spell="slow").act("Mag", "end-turn")
    spec.act("Imp", "end-turn").act("Bo", "end-turn")
    spec.act("Mag", "continue-casting", ("healing", 3), spell="slow", targets=["Bo"])
    event, told = came(spec)
    assert about(event) == ("Mag", "spell", "slow", "done", ("Bo",))
    assert told == "Mag's Slow Mend takes effect on Bo."


def test_free_hit_a_casting_that_is_cancelled() -> None:
    spec = mage()
    spec.act("Mag", "cast", spell="slow").act("Mag", "cancel-spell", spell="slow")
    event, told = came(spec)
    assert about(event) == ("Mag", "spell", "slow", "lost", ())
    assert told == "Mag's Slow Mend is lost."


# ---- hallowed-earth


def test_hallowed_earth_a_spell_that_fails_and_one_that_works() -> None:
    spell = {
        "id": "fire",
        "casting_tn": 10,
        "casting_bonus": 0,
        "damage": {"formula": "1d6", "types": ["fire"]},
    }
    for face, result, said in ((2, "failed", "fails"), (15, "done", "takes effect on Orc")):
        spec = Spec(hallowed_earth.RULESET)
        spec.given(
            holy.hero("Ana", spells=[{**spell, "speed": 0}]), holy.monster("Orc"), rulings="default"
        )
        holy.begin(spec, 1, 12, Ana=("cast", {"spell": "fire"}), Orc="no-action")
        dice: list[tuple[Any, ...]] = [("damage", 1)] if result == "done" else []
        spec.act("Ana", "cast", ("casting", face), *dice, target="Orc")
        event, told = came(spec)
        assert about(event) == ("Ana", "spell", "fire", result, ("Orc",))
        assert told == f"Ana's fire {said}."


def test_hallowed_earth_first_aid_is_told_by_its_own_events() -> None:
    spec = Spec(hallowed_earth.RULESET)
    spec.given(
        holy.hero("Tam"), holy.hero("Mag", skills={"heal": 20}), holy.monster("Orc"),
        rulings="default",
    )  # fmt: skip
    holy.begin(spec, 9, 1, 12, Tam="no-action", Mag="stabilize", Orc="no-action")
    spec.rule("damage", who="Tam", amount=12, to="wound-points")
    spec.act("Mag", "stabilize", ("heal", 12), target="Tam")
    assert (spec.event(Stabilized).who, spec.event(Stabilized).by) == ("Tam", "Mag")


# ---- sovereign


def test_sovereign_a_spell() -> None:
    curse = {"id": "curse", "name": "Evil Eye", "range_ft": 60, "save": {"type": "mental"}}
    for face, result, said in ((20, "no-effect", "has no effect"), (1, "done", "takes effect on")):
        spec = Spec(sovereign.RULESET)
        swn.fight(spec, swn.hero("Mag", spells=[curse]), swn.npc("Orc", at=[5, 0]))
        spec.act("Mag", "cast-spell", ("save", face), spell="curse", targets=["Orc"])
        event, told = came(spec)
        assert about(event) == ("Mag", "spell", "curse", result, ("Orc",))
        assert told.startswith(f"Mag's Evil Eye {said}")


def test_sovereign_a_skill() -> None:
    spec = Spec(sovereign.RULESET)
    swn.fight(spec, swn.hero("Ana"), swn.npc("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "use-skill", ("skill", 6, 6), skill="notice", attribute="wis")
    spec.answer(None, "outcome", text="a trap door")
    event, told = came(spec)
    assert about(event) == ("Ana", "activity", "use-skill", "ruled", ())
    assert (event.data, event.text) == ({"skill": "notice"}, "a trap door")
    assert told == "Ana: a trap door."


# ---- vile-darkness


def test_vile_darkness_a_spell_is_complete_and_takes_effect() -> None:
    bolt = {**vile.spell("bolt", 3), "name": "Frost Bolt"}
    spec = Spec(vile_darkness.RULESET)
    spec.given(vile.hero("Mira", weapons=[], abilities=[bolt]), vile.foe("Orc", weapons=[]))
    vile.begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", name="spell-target", combatant="Orc")
    vile.passes(spec, "Mira").act("Orc", "pass", ("damage", 3))
    event, told = came(spec, result="cast")
    assert about(event) == ("Mira", "spell", "bolt", "cast", ("Orc",))
    assert told == "Mira completes Frost Bolt, directed at Orc."
    event, told = came(spec, result="done")
    assert about(event) == ("Mira", "spell", "bolt", "done", ("Orc",))
    assert told == "Mira's Frost Bolt takes effect on Orc."


def test_vile_darkness_a_spell_that_is_lost() -> None:
    spec = Spec(vile_darkness.RULESET)
    bolt = vile.spell("bolt", 3)
    spec.given(vile.hero("Mira", weapons=[], abilities=[bolt]), vile.foe("Orc", weapons=[]))
    vile.begin(spec, 5, 2, Mira=("cast", {"spell": "bolt"}))
    spec.answer("Mira", "target", name="spell-target", combatant="Orc")
    spec.rule("damage", target="Mira", amount=1)
    event, told = came(spec)
    assert about(event) == ("Mira", "spell", "bolt", "lost", ("Orc",))
    assert (event.rules[0], told) == ("VD-CONC-03", "Mira's bolt is lost: it was hurt.")


def test_vile_darkness_an_activity_of_several_rounds() -> None:
    dig = {"id": "dig", "name": "dig a trench", "kind": "complex"}
    spec = Spec(vile_darkness.RULESET)
    spec.given(vile.hero("Ana", activities=[dig], weapons=[]), vile.foe("Orc", weapons=[]))
    vile.begin(spec, 5, 2, Ana=("complex", {"activity": "dig"}))
    vile.passes(spec, "Orc")
    event, told = came(spec)
    assert about(event) == ("Ana", "activity", "dig", "done", ())
    assert told == "Ana is done: dig a trench."


# ---- sentences


def words(**data: Any) -> str:
    names: Mapping[str, str] = {"ann": "Ann", "bob": "Bob"}
    whole = {"who": "ann", "kind": "spell", "effect": "fire-bolt", **data}
    return sentence("effect-resolved", whole, Wording(names))


def test_every_result_has_a_sentence_without_an_id() -> None:
    for result in RESULTS:
        told = words(result=result, targets=["bob"])
        assert told.startswith("Ann")
        assert told.endswith(".")
        assert "-" not in told


def test_somebody_who_acts_upon_itself_is_named_once() -> None:
    assert words(result="done", targets=["ann"]) == "Ann's fire bolt takes effect."


def test_a_story_does_not_say_twice_what_was_declared() -> None:
    spec = Spec(definitions.RULESET)
    mend = {"id": "mend", "name": "Mend All", "healing": "1d4"}
    d20.fight(spec, d20.fighter("Ana", spells=[mend], hp=3), d20.foe("Orc", at=[9, 9]))
    spec.act("Ana", "cast-spell", ("healing", 1), spell="mend", targets=["Ana"])
    assert spec.event(EffectResolved).targets == ("Ana",)
    live = spec.live
    entries, _ = page(live, Eyes(live.history, GM), Wanted(), limit=500)
    told = [line.text for entry in entries for line in entry.lines if "Mend All" in line.text]
    assert told == ["Ana casts Mend All on itself (standard action)."]
