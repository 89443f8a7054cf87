"""Test that open prompts drop combatants that leave or fall (VD-FREE-01, VD-FAST-06)."""

import pytest

from domain.record.combat import DiceSettings
from domain.record.events import Answered, PromptChanged, Prompted, Rolled
from tests.rulesets.vile_darkness.units import begin, engaged, foe, hero
from tests.spec import Spec


def fleeing(spec: Spec) -> Spec:
    """Let Ana and Bo flee from a melee with the orc, which may strike at Ana or Bo."""
    spec.given(hero("Ana"), hero("Bo"), foe("Orc"))
    begin(engaged(spec, ("Ana", "Orc"), ("Bo", "Orc")), 5, 2, Ana="flee", Bo="flee")
    spec.act("Ana", "flee").act("Bo", "flee")
    asked = spec.prompt("Orc", "free-attack")
    assert asked.data["targets"] == ["Ana", "Bo"]
    return spec


def test_a_free_attack_is_not_offered_on_who_has_left(spec: Spec) -> None:
    """If Ana leaves, the open prompt keeps its id, but its text and targets change."""
    fleeing(spec)
    (before,) = spec.live.open_prompts()
    spec.leave("Ana")
    assert list(spec.live.open_prompts()) == [before]
    assert (
        spec.event(PromptChanged).text == "Does Orc take a free attack on Bo, who leaves the melee?"
    )
    asked = spec.combat.prompts[before]
    assert (asked.text, asked.data["targets"], asked.data["mover"]) == (
        "Does Orc take a free attack on Bo, who leaves the melee?", ["Bo"], "Bo",
    )  # fmt: skip
    (take, _) = [offer for offer in spec.live.options("Orc") if offer.prompt == before]
    assert take.legal == ({"target": "Bo"},)
    with spec.refused("VD-FREE-04", "one-target-per-routine"):
        spec.answer("Orc", "take", target="Ana")
    spec.answer("Orc", "take", ("attack", 9))
    assert spec.rolled("attack").against == "Bo"


@pytest.mark.parametrize("gone", ["falls", "parts"])
def test_nor_on_who_falls_or_is_parted(spec: Spec, gone: str) -> None:
    fleeing(spec)
    if gone == "falls":
        spec.rule("set-track", who="Bo", value=0).answer(None, "down", name="dying")
    else:
        spec.rule("separate", a="Bo", b="Orc")
    asked = next(prompt for prompt in spec.combat.prompts.values() if prompt.name == "free-attack")
    assert asked.data["targets"] == ["Ana"]
    assert asked.text == "Does Orc take a free attack on Ana, who leaves the melee?"


def test_the_last_one_who_leaves_ends_the_question(spec: Spec) -> None:
    fleeing(spec).leave("Ana").leave("Bo")
    assert next(answered.by for answered in spec.events(Answered, who="Orc")) == "lapsed"
    assert not spec.events(Rolled, purpose="attack")


def test_an_undone_departure_widens_it_again(spec: Spec) -> None:
    fleeing(spec).leave("Ana").undo()
    assert spec.prompt("Orc", "free-attack").data["targets"] == ["Ana", "Bo"]


def test_the_positions_that_are_asked_for_follow_who_comes_and_goes(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc")).begin().answer(None, "set")
    spec.leave("Ana").join(**foe("Rat"))
    assert set(spec.prompt(None, "positions").data) == {"Orc", "Rat"}
    assert not spec.events(Prompted)


def test_an_immediate_attack_on_who_has_left_is_no_question_any_more(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"), foe("Rat"))
    begin(engaged(spec, ("Ana", "Orc")), 5, 2)
    spec.rule("grant-immediate-attack", attacker="Ana", against="Orc").leave("Orc")
    assert all(name != "immediate-attack" for _, name, _ in spec.open())


def test_declarations_go_on_when_a_whole_side_falls_at_once(spec: Spec) -> None:
    """If one side falls, the other side can still declare (VD-DECL-01)."""
    orcs = ("Orc", "Rat", "Wight")
    spec.given(hero("Ana"), *(foe(name) for name in orcs), rulings="default", dice=DiceSettings())
    spec.begin()
    targets = [{"combatant": name} for name in orcs]
    spec.rule("several", ruling="damage", inputs={"amount": 50}, targets=targets)
    (asked,) = spec.combat.prompts.values()
    assert (asked.who, asked.name, spec.combat.is_suspended(asked)) == ("Ana", "declaration", False)
    spec.act("Ana", "done")
    assert spec.combat.phase != "declare"
