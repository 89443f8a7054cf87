"""A manual roll uses the numbers that are current when its faces arrive."""

from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.engine.caller import Caller
from domain.engine.commands import Change, Reply
from domain.engine.executor import Executor
from domain.engine.redaction import redact
from domain.engine.rolls import rolled
from domain.engine.run import Run, Waiting
from domain.errors import Malformed
from domain.record.combat import DiceSettings
from domain.record.events import Noted, PromptChanged, Rolled, Term
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, Roll, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit import RULESET as FREE_HIT
from projections.events import event_view
from projections.eyes import Eyes
from projections.offers import offers
from tests.domain.toy import ACTIONS, TOY, Target, plead
from tests.rulesets.free_hit import units as free_hit
from tests.spec import Spec

ANN = {"name": "ann", "side": "heroes", "owner": "anna", "skill": 2}
BOB = {"name": "bob", "side": "foes", "skill": 3}

ANNA = Caller("token", "player", ("ann",), "anna")


def die(sides: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": sides}


def lunge(play: Play, who: str, inputs: Target) -> Procedure[None]:
    """Roll 1d20 plus skill against 10 plus the target's skill.

    If the target is dazed, roll 2d6 instead of 1d20.
    """
    yield from roll(
        who,
        "lunge",
        lambda: "2d6" if play.combat[inputs.target].has("dazed") else "1d20",
        rules=("TOY-02",),
        terms=lambda: (Term("skill", play.combat[who].sheet["skill"], "TOY-02"),),
        target=lambda: 10 + play.combat[inputs.target].sheet["skill"],
        against=inputs.target,
        judge=lambda faces, total, target: "hit" if total >= target else "miss",
    )


LUNGE = Action("lunge", Target, procedure=lunge, interjection=True)
LUNGING = replace(TOY, actions={**ACTIONS, "lunge": LUNGE})


@pytest.fixture
def spec() -> Spec:
    """Return a fight in which Ann's lunge waits for its die."""
    opening = Spec(LUNGING).given(ANN, BOB, declare=False).begin()
    return opening.act("ann", "lunge", target="bob")


def test_the_prompt_shows_the_present_numbers_and_the_roll_counts_with_them(spec: Spec) -> None:
    assert spec.shown() == ("1d20", 2, 13)
    spec.do(Change("ann", sheet={"skill": 5}))
    assert spec.shown() == ("1d20", 5, 13)
    changed = spec.event(PromptChanged)
    assert (changed.prompt, changed.kind, changed.who) == ("ann:2", "roll", "ann")
    spec.reload().do(Change("bob", sheet={"skill": -4}))
    assert spec.shown() == ("1d20", 5, 6)
    spec.reload().throw(3)
    made = spec.event(Rolled)
    assert (made.total, made.target, made.outcome) == (8, 6, "hit")
    assert made.terms == (Term("skill", 5, "TOY-02"),)


def lunge_and_plead(play: Play, who: str, inputs: Target) -> Procedure[None]:
    yield from lunge(play, who, inputs)
    yield from plead(play, who, NoInputs())


def pleading() -> Spec:
    """Return a fight in which Ann's lunge waits for its die. Then the GM gets a prompt."""
    action = replace(LUNGE, procedure=lunge_and_plead)
    spec = Spec(replace(TOY, actions={**ACTIONS, "lunge": action}))
    return spec.given(ANN, BOB, declare=False).begin().act("ann", "lunge", target="bob")


def test_the_service_rolls_where_no_faces_are_given() -> None:
    spec = pleading()
    (id,) = spec.live.open_prompts()
    spec.do(Reply(id, None, {"faces": None}))
    made = spec.event(Rolled)
    assert (made.by, made.ordinal, made.target) == ("server", 1, 13)
    assert 1 <= made.faces[0] <= 20
    spec.reload().answer(None, "yes")
    assert spec.event(Noted).text == "ann is told yes"


def test_what_changes_no_number_says_nothing(spec: Spec) -> None:
    spec.rule("damage", combatant="bob", amount=1)
    assert not spec.events(PromptChanged)


def test_an_undo_takes_the_numbers_back(spec: Spec) -> None:
    spec.do(Change("ann", sheet={"skill": 5})).undo()
    assert spec.shown() == ("1d20", 2, 13)
    spec.redo()
    assert spec.shown() == ("1d20", 5, 13)
    spec.undo().reload().throw(11)
    assert (spec.event(Rolled).total, spec.event(Rolled).outcome) == (13, "hit")


def test_the_dice_change_too(spec: Spec) -> None:
    spec.rule("set-condition", combatant="bob", condition="dazed")
    assert spec.shown() == ("2d6", 2, 13)
    assert "2d6" in spec.combat.prompts["ann:2"].text
    with spec.raises(Malformed):
        spec.throw(15)
    spec.reload().throw(6, 6)
    assert (spec.event(Rolled).formula, spec.event(Rolled).total) == ("2d6", 14)


def test_a_prompt_below_another_is_told_when_it_can_be_answered(spec: Spec) -> None:
    spec.rule("crown").do(Change("ann", sheet={"skill": 5}))
    assert spec.combat.is_suspended(spec.combat.prompts["ann:2"])
    spec.answer(None, "all").answer(None, "all")
    assert spec.shown() == ("1d20", 5, 13)


def test_the_target_number_of_a_foe_is_not_shown_nor_that_it_changes(spec: Spec) -> None:
    def data(by: Caller) -> dict[str, object]:
        return dict(redact(LUNGING, spec.combat, by).prompts["ann:2"].data)

    assert "target" not in data(ANNA)
    assert (data(ANNA)["against"], data(ANNA)["terms"]) == ("bob", [["skill", 2, "TOY-02"]])
    before = Eyes(spec.live.history, ANNA).sequence
    spec.do(Change("bob", sheet={"skill": 4}))
    assert spec.shown() == ("1d20", 2, 14)
    eyes = Eyes(spec.live.history, ANNA)
    told = [event_view(spec.live, eyes, recorded) for recorded in eyes.between(before, 9)]
    assert [event_view.type for event_view in told] == ["combatant-changed"]
    spec.do(Change("ann", sheet={"skill": 9}))
    eyes = Eyes(spec.live.history, ANNA)
    told = [event_view(spec.live, eyes, recorded) for recorded in eyes.between(0, 99)]
    assert [event_view.type for event_view in told][-1] == "prompt-changed"
    shown = [
        event_view.data["data"]
        for event_view in told
        if event_view.type in ("prompted", "prompt-changed")
    ]
    assert all("target" not in data for data in shown if isinstance(data, dict))


def test_a_fight_of_a_release_that_fixed_the_numbers_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fight continues if an older release fixed a roll's numbers when its prompt opened."""

    def thrown(self: Executor, run: Run, waiting: Waiting, faces: tuple[int, ...]) -> Rolled:
        assert waiting.roll is not None
        assert waiting.numbers is not None
        event: Rolled = self.put(run, rolled(waiting.roll, waiting.numbers, faces, "manual"))
        return event

    def show(self: Executor, run: Run, effect: Roll) -> None:
        return None

    spec = pleading()
    with monkeypatch.context() as older:
        older.setattr(Executor, "thrown", thrown)
        older.setattr(Executor, "show", show)
        change = Change("ann", sheet={"skill": 5})
        spec.live = spec.live.decide(change, spec.context()).live
        waits = spec.live
        spec.reload().throw(10)
    assert spec.event(Rolled).total == 12
    spec.reload().answer(None, "yes")
    assert spec.event(Noted).text == "ann is told yes"

    spec.live = waits
    spec.reload().rule("damage", combatant="bob", amount=1)
    assert spec.shown() == ("1d20", 5, 13)  # from the next command on
    spec.throw(10)
    assert spec.event(Rolled).total == 15


@pytest.mark.parametrize(
    ("formula", "faces"),
    [
        ("1d20", {"minItems": 1, "maxItems": 1, "items": die(20)}),
        ("2d6+3", {"minItems": 2, "maxItems": 2, "items": die(6)}),
        ("1d8-1d8", {"minItems": 2, "maxItems": 2, "items": die(8)}),
        (
            "1d8+2d6",
            {
                "minItems": 3, "maxItems": 3,
                "prefixItems": [die(8), die(6), die(6)], "items": False,
            },
        ),
        ("4", {"minItems": 0, "maxItems": 0}),
    ],
)  # fmt: skip
def test_the_faces_are_described_and_none_is_proposed(formula: str, faces: Any) -> None:
    def tumble(play: Play, who: str, inputs: Target) -> Procedure[None]:
        yield from roll(who, "tumble", formula, rules=("TOY-02",))

    action = Action("tumble", Target, procedure=tumble, interjection=True)
    spec = Spec(replace(TOY, actions={**ACTIONS, "tumble": action}))
    spec.given(ANN, BOB, declare=False).begin().act("ann", "tumble", target="bob")
    if not faces["maxItems"]:
        assert spec.event(Rolled).total == 4
        return
    assert spec.combat.prompts["ann:2"].data["faces"] == {"type": "array", **faces}
    offered = offers(spec.live, Eyes(spec.live.history, ANNA))
    (shown,) = (offer for offer in offered.options if offer.kind == "roll")
    assert (shown.legal, shown.examples, shown.candidates) == (True, (), {})
    schema: Any = offered.schemas[shown.inputs]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    sides = [
        die["maximum"] for die in faces.get("prefixItems", [faces["items"]] * faces["minItems"])
    ]
    assert validator.is_valid({"faces": sides})
    assert validator.is_valid({"faces": [1] * len(sides)})
    for wrong in ([*sides, 1], sides[1:], [0, *sides[1:]], [*sides[:-1], sides[-1] + 1]):
        assert not validator.is_valid({"faces": wrong})
        with spec.raises(Malformed):
            spec.throw(*wrong)


def test_the_prompt_for_an_attack_and_its_damage_names_the_target() -> None:
    ana = free_hit.unit("Ana", agility=5, weapons=[free_hit.SWORD], at=[0, 0])
    imp = free_hit.foe("Imp", max_hp=30, at=[1, 0])
    dice = DiceSettings(players="manual", gm="manual")
    spec = Spec(FREE_HIT).given(ana, imp, dice=dice).begin()
    spec.act("Ana", "attack", target="Imp")
    assert spec.prompt().text == "Ana rolls 1d20 (attack on Imp)"
    spec.throw(15)
    assert spec.prompt().text.endswith("(damage to Imp)")
