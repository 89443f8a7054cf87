"""A player's preview ends when the rules reach a combatant that the player does not know."""

from dataclasses import replace
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Command, Reply
from domain.errors import Unknown
from domain.record.combat import DiceSettings, Id
from domain.record.events import Noted, Prompted, Rolled
from domain.record.recorded import tag
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_each, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Prompt, choices
from projections.events import data_of
from projections.eyes import Eyes
from tests.domain.test_able import ANN, BOB, CYD
from tests.domain.toy import TOY
from tests.spec import Spec

ANNA = Caller("anna", "player", ("ann",))


def looking_for(name: str, *, plainly: bool) -> Spec:
    """Return a fight in which Ann may look for a combatant. Cyd is hidden."""

    def look(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Noted("she looks")
        play.combat.combatants[name] if plainly else play.combat[name]
        yield Noted("she sees")

    action = Action("look", procedure=look, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "look": action})
    return Spec(rulebook).given(ANN, BOB, CYD, declare=False, hidden=("cyd",)).begin()


@pytest.mark.parametrize("plainly", [True, False])
def test_what_is_known_until_then_is_told(plainly: bool) -> None:
    spec = looking_for("cyd", plainly=plainly)
    told = spec.live.preview(Act("ann", "look"), spec.context(ANNA)).recorded
    assert [recorded.event.text for recorded in told if isinstance(recorded.event, Noted)] == [
        "she looks"
    ]


def test_who_is_nowhere_is_a_fault_of_the_rules() -> None:
    spec = looking_for("nobody", plainly=False)
    with pytest.raises(Unknown):
        spec.live.preview(Act("ann", "look"), spec.context(ANNA))
    spec = looking_for("nobody", plainly=True)
    with pytest.raises(KeyError):
        spec.live.preview(Act("ann", "look"), spec.context(ANNA))


def test_what_cannot_begin_is_unknown() -> None:
    spec = looking_for("cyd", plainly=False)
    with pytest.raises(Unknown):
        spec.live.preview(Act("cyd", "look"), spec.context(ANNA))


def foreseen(spec: Spec, command: Command, by: Caller = ANNA) -> list[tuple[str, Any]]:
    """Return the events that a player's preview shows."""
    decision = spec.live.preview(command, spec.context(by))
    eyes = Eyes(decision.live.history, by)
    seen = [recorded for recorded in decision.recorded if eyes.sees(recorded.version)]
    return [(tag(recorded.event), data_of(decision.live, eyes, recorded)) for recorded in seen]


def planned(spec: Spec, *who: str, blow: bool) -> Spec:
    """Declare in secret for each combatant: `strike` at Ann if `blow`, otherwise `hold`."""
    for name in who:
        spec.answer(name, "strike", target="ann") if blow else spec.answer(name, "hold")
    return spec


def test_what_is_foreseen_is_recorded_as_it_will_be() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    context = spec.context(ANNA)
    preview, decision = (
        decide(Act("ann", "wait"), context) for decide in (spec.live.preview, spec.live.decide)
    )
    assert [
        (tag(recorded.event), recorded.frame, recorded.audience) for recorded in preview.recorded
    ] == [
        (tag(recorded.event), recorded.frame, recorded.audience) for recorded in decision.recorded
    ]


def test_the_gm_foresees_everything() -> None:
    """The GM's preview continues after a secret roll, and after an answer of the GM."""

    def peek(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from roll(who, "shout", "1d4", rules=(), against="bob", secret=True, by_gm=True)
        yield Noted("it is seen")

    action = Action("peek", procedure=peek, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "peek": action})
    spec = Spec(rulebook).given(ANN, BOB, declare=False, dice=DiceSettings()).begin()
    told = spec.live.preview(Act("ann", "peek"), spec.context()).recorded
    assert Noted("it is seen") in [recorded.event for recorded in told]
    (asked,) = spec.act("ann", "plead").live.open_prompts()
    told = spec.live.preview(Reply(asked, "yes"), spec.context()).recorded
    assert Noted("ann is told yes") in [recorded.event for recorded in told]


def test_what_each_of_several_says_in_secret_leads_nowhere() -> None:
    """The preview of a secret answer stops at the answer, so it shows no later events.

    The preview of an open answer continues the procedure.
    """

    def duel(play: Play) -> Procedure[None]:
        for _ in range(2):
            answer = yield from ask_each(
                [
                    Prompt("choice", "speak", combatant.id, "?", choices("so"), ())
                    for combatant in play.combat
                ],
                sealed=sealed,
            )
            yield Noted(f"{answer.who} spoke")

    for sealed in True, False:
        rulebook = replace(TOY, procedures={**TOY.procedures, "duel": duel})
        spec = Spec(rulebook).given(ANN, BOB, speak=True).begin()
        told = spec.live.preview(Reply("ann:1", "so"), spec.context(ANNA)).recorded
        assert (Noted("ann spoke") in [recorded.event for recorded in told]) is not sealed


@pytest.mark.parametrize(("who", "against"), [("ann", "bob"), ("bob", None), ("ann", "ann")])
def test_dice_about_a_foe_are_asked_for_and_not_thrown(who: str, against: str | None) -> None:
    def throw(play: Play, _: Id, inputs: NoInputs) -> Procedure[None]:
        yield from roll(who, "shout", "1d4", rules=(), against=against)

    action = Action("throw", procedure=throw, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "throw": action})
    spec = Spec(rulebook).given(ANN, BOB, declare=False, dice=DiceSettings()).begin()
    told = spec.live.preview(Act("ann", "throw"), spec.context(ANNA)).recorded
    asked = [recorded.event.kind for recorded in told if isinstance(recorded.event, Prompted)]
    rolled = [recorded for recorded in told if isinstance(recorded.event, Rolled)]
    assert (asked, bool(rolled)) == ((["roll"], False) if against != "ann" else ([], True))


def test_what_others_have_declared_in_secret_is_not_foreseen() -> None:
    told = [
        foreseen(
            planned(Spec(TOY).given(ANN, BOB, CYD).begin(), "bob", "cyd", blow=blow),
            Reply("ann:1", "hold"),
        )
        for blow in (False, True)
    ]
    assert told[0] == told[1]
    assert [kind for kind, _ in told[0]] == ["action-declared"]


def test_what_the_hidden_have_declared_is_as_if_they_were_not_there() -> None:
    told = [
        foreseen(
            planned(Spec(TOY).given(ANN, CYD, BOB, hidden=("bob",)).begin(), "bob", blow=blow),
            Reply("ann:1", "hold"),
            replace(ANNA, combatants=("ann", "cyd")),
        )
        for blow in (False, True)
    ]
    assert told[0] == told[1]


def test_what_one_has_declared_for_all_of_ones_own_is_foreseen() -> None:
    spec = planned(Spec(TOY).given(ANN, CYD, BOB, hidden=("bob",)).begin(), "cyd", blow=False)
    told = foreseen(spec, Reply("ann:1", "hold"), replace(ANNA, combatants=("ann", "cyd")))
    assert "turn-began" in [kind for kind, _ in told]
