"""Test prompts that are open at the same time, become obsolete, or get answers in any order.

After every step, the kit rebuilds the waiting procedure from the record.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act, Reply, SetMap
from domain.engine.session import Session
from domain.record.combat import Combat, Id, StandingOrder
from domain.record.events import (
    Answered,
    Damaged,
    Noted,
    ProcedureAbandoned,
    Prompted,
    RoundBegan,
    RoundEnded,
    StillAsked,
)
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask, ask_all, ask_any, ask_each
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Prompt, choices
from tests.domain.test_able import ANN, BOB, CYD, DAN
from tests.domain.toy import TOY, alive
from tests.spec import GM, Spec

ANNA = Caller("a", "player", ("ann",))
EVE: dict[str, Any] = {"name": "eve", "side": "foes"}


def ready(who: Id, default: str | None = "ready") -> Prompt:
    return Prompt("choice", "ready", who, "Ready?", choices("ready", "late"), (), default,
                  stands=lambda combat: alive(combat, who))  # fmt: skip


def everybody(combat: Combat) -> Sequence[Prompt]:
    return [ready(combatant.id) for combatant in combat if alive(combat, combatant.id)]


def mustered(procedure: Callable[[Play], Procedure[None]]) -> Spec:
    """Begin a fight whose first prompts are those of `procedure`."""
    rulebook = replace(TOY, procedures={**TOY.procedures, "duel": procedure})
    return Spec(rulebook).given(ANN, BOB, CYD, speak=True).begin()


def all_of_them(play: Play) -> Procedure[None]:
    answers = yield from ask_all(everybody(play.combat), more=everybody)
    for answer in sorted(answers, key=lambda answer: answer.rank):
        yield Noted(f"{answer.rank} {answer.who} {answer.option}")
    yield RoundEnded(play.combat.round)


def one_of_them(play: Play) -> Procedure[None]:
    answer = yield from ask_any(everybody(play.combat), more=everybody)
    yield Noted(f"{answer.who} {answer.option}")
    yield RoundEnded(play.combat.round)


def each_of_them(play: Play) -> Procedure[None]:
    waiting = [combatant.id for combatant in play.combat if alive(play.combat, combatant.id)]
    while waiting:
        answer = yield from ask_each([ready(who) for who in waiting])
        yield Noted(f"{answer.who} {answer.option}")
        waiting.remove(answer.who or "")
    yield RoundEnded(play.combat.round)


# ---- newcomers


def test_a_newcomer_is_asked_with_the_others() -> None:
    spec = mustered(all_of_them).answer("ann", "ready").join(**EVE)
    asked = spec.event(Prompted)
    assert (asked.who, asked.group) == ("eve", ("ann:1", "bob:1", "cyd:1", "eve:1"))
    spec.answer("bob", "ready").answer("cyd", "ready")
    assert spec.events(Noted) == []  # Eve is missing
    spec.answer("eve", "late")
    assert [noted.text for noted in spec.events(Noted)] == [
        "0 ann ready", "1 bob ready", "2 cyd ready", "3 eve late",
    ]  # fmt: skip


def test_what_waits_behind_it_is_made_again_with_the_newcomers_answer() -> None:
    def twice(play: Play) -> Procedure[None]:
        yield from ask_all(everybody(play.combat), more=everybody)
        yield from ask(Prompt("ruling", "well", None, "Well?", choices("so"), (), "so"))

    spec = mustered(twice).join(**EVE)
    for who in "ann", "bob", "cyd", "eve":
        spec.answer(who, "ready")
    assert spec.open() == [("ruling", "well", None)]


def test_the_answers_know_their_order() -> None:
    spec = mustered(all_of_them)
    for who, option in ("cyd", "late"), ("ann", "late"), ("bob", "ready"):
        spec.answer(who, option)
    assert [noted.text for noted in spec.events(Noted)] == [
        "0 cyd late",
        "1 ann late",
        "2 bob ready",
    ]


def test_nobody_is_asked_as_well_where_nobody_is_to_be() -> None:
    spec = mustered(each_of_them).join(**EVE)
    assert spec.events(Prompted) == []
    spec = mustered(all_of_them).rule("set-track", combatant="ann", track="hp", value=9)
    assert spec.events(Prompted) == []  # all have open prompts


def test_together_is_one_group_and_each_is_asked_alone() -> None:
    groups = {prompted.who: prompted.group for prompted in mustered(all_of_them).events(Prompted)}
    whole = ("ann:1", "bob:1", "cyd:1")
    assert groups == {"ann": whole, "bob": whole, "cyd": whole}
    groups = {prompted.who: prompted.group for prompted in mustered(each_of_them).events(Prompted)}
    assert groups == {"ann": ("ann:1",), "bob": ("bob:1",), "cyd": ("cyd:1",)}


def test_who_could_not_answer_any_more_is_asked_anew_when_up_again() -> None:
    spec = mustered(one_of_them).rule("damage", combatant="cyd", amount=10)
    assert (spec.event(Answered).who, spec.event(Answered).by) == ("cyd", "lapsed")
    spec.rule("heal", combatant="cyd", amount=5)
    assert spec.event(Prompted).prompt == "cyd:2"
    spec.do(Reply("cyd:2", "late"))
    assert spec.event(Noted).text == "cyd late"
    assert spec.event(Answered).closes == ("ann:1", "bob:1", "cyd:1", "cyd:2")


def test_rules_that_ask_fewer_by_now_are_others() -> None:
    def fewer(play: Play) -> Procedure[None]:
        yield from ask_all(everybody(play.combat)[:-1])

    assert_abandoned(mustered(all_of_them), fewer)


def test_rules_that_know_an_answer_no_more_are_others() -> None:
    def shorter(play: Play) -> Procedure[None]:
        asked = [
            replace(ready(combatant.id), options=choices("ready")) for combatant in play.combat
        ]
        yield from ask_all(asked)

    spec = mustered(all_of_them)
    again = Session(
        replace(TOY, procedures={**TOY.procedures, "duel": shorter}), spec.live.history.recorded
    )
    assert list(again.open_prompts()) == list(spec.live.open_prompts())  # nothing is answered
    assert_abandoned(spec.answer("ann", "late"), shorter)


def assert_abandoned(spec: Spec, by_now: Callable[[Play], Procedure[None]]) -> None:
    """Check that the next ruling abandons the procedure if the rules have changed.

    `by_now` is the procedure of the current rules.
    """
    today = Spec(replace(spec.ruleset, procedures={**TOY.procedures, "duel": by_now}))
    today.live = Session(today.ruleset, spec.live.history.recorded)
    today._commands = 100
    assert today.live.open_prompts() == {}
    today.rule("heal", combatant="ann", amount=0)
    assert today.event(ProcedureAbandoned).reason.startswith("the rules have changed")


# ---- obsolete prompts


def test_another_map_may_take_a_question_its_sense() -> None:
    def in_the_open(play: Play) -> Procedure[None]:
        prompt = Prompt("choice", "hide", "ann", "Hide?", choices("yes", "no"), (), "no",
                        stands=lambda combat: combat.map is None)  # fmt: skip
        answer = yield from ask(prompt)
        yield Noted(answer.option)
        yield from one_of_them(play)

    spec = mustered(in_the_open).do(SetMap({"name": "A hall"}))
    assert (spec.event(Answered).by, spec.event(Noted).text) == ("lapsed", "no")


def test_of_two_who_fall_at_once_each_question_lapses_on_its_own() -> None:
    def blast(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield Damaged("ann", "hp", 10), Damaged("cyd", "hp", 10)

    blasting = {**TOY.actions, "blast": Action("blast", procedure=blast, interjection=True)}
    procedures = {**TOY.procedures, "duel": each_of_them}
    rulebook = replace(TOY, actions=blasting, procedures=procedures)
    spec = Spec(rulebook).given(ANN, BOB, CYD, DAN, speak=True).begin().act("bob", "blast")
    assert [(answered.who, answered.by) for answered in spec.events(Answered)] == [
        ("ann", "lapsed"), ("cyd", "lapsed"),
    ]  # fmt: skip
    assert [noted.text for noted in spec.events(Noted)] == ["ann ready", "cyd ready"]
    assert [still_asked.prompts for still_asked in spec.events(StillAsked)] == [
        ("bob:1", "cyd:1", "dan:1"), ("bob:1", "dan:1"),
    ]  # fmt: skip


def test_a_question_without_a_default_waits_for_the_gm_whoever_has_left() -> None:
    def strictly(play: Play) -> Procedure[None]:
        answers = yield from ask_all([ready(combatant.id, None) for combatant in play.combat])
        yield Noted(" ".join(answer.option for answer in answers))
        yield RoundEnded(play.combat.round)

    spec = mustered(strictly).leave("cyd")
    assert spec.events(Answered) == []
    assert [who for _, _, who in spec.open()] == ["ann", "bob", "cyd"]
    spec.answer("ann", "ready").answer("bob", "ready").answer("cyd", "late")
    assert spec.event(Noted).text == "ready ready late"


def test_a_question_that_is_closed_for_all_is_closed_once() -> None:
    """The GM's `close` answers only the first of these prompts, because one answer is enough."""
    spec = mustered(one_of_them).close()
    assert [(answered.who, answered.by) for answered in spec.events(Answered)] == [
        ("ann", "closed")
    ]
    assert spec.event(Noted).text == "ann ready"
    assert list(spec.live.open_prompts()) == ["ann:2", "bob:2", "cyd:2"]


def test_the_first_of_several_orders_is_enough() -> None:
    def counted(play: Play) -> Procedure[None]:
        yield RoundBegan(play.combat.round + 1)
        yield from one_of_them(play)

    rulebook = replace(TOY, procedures={**TOY.procedures, "duel": counted})
    spec = Spec(rulebook).given(ANN, BOB, CYD, speak=True)
    for who in "bob", "cyd":
        spec.orders(who, StandingOrder("ready", "late", until_round=1))
    spec.begin()
    assert [(answered.who, answered.by) for answered in spec.events(Answered)] == [
        ("bob", "standing-order")
    ]
    assert spec.event(Noted).text == "bob late"
    assert [who for _, _, who in spec.open()] == ["ann", "bob", "cyd"]  # the second round


def test_an_order_answers_for_who_is_asked_later_and_for_nobody_who_was_asked_before() -> None:
    rulebook = replace(TOY, procedures={**TOY.procedures, "duel": all_of_them})
    spec = Spec(rulebook).given(ANN, BOB, CYD, speak=True)
    spec.rule("damage", combatant="cyd", amount=10).begin()
    assert [who for _, _, who in spec.open()] == ["ann", "bob"]
    for who in "bob", "cyd":
        spec.orders(who, StandingOrder("ready", "late"))
    spec.rule("heal", combatant="cyd", amount=5)
    assert [(answered.who, answered.by) for answered in spec.events(Answered)] == [
        ("cyd", "standing-order")
    ]
    spec.answer("ann", "ready").answer("bob", "ready")
    assert [noted.text for noted in spec.events(Noted)] == [
        "0 cyd late",
        "1 ann ready",
        "2 bob ready",
    ]


# ---- authors of answers


@pytest.mark.parametrize("by", [GM, ANNA], ids=["gm", "player"])
@pytest.mark.parametrize("hand", ["own", "order"])
def test_it_is_known_ever_after_whether_the_gm_has_spoken(by: Caller, hand: str) -> None:
    """A procedure knows whether the GM answered, even if Affray rebuilds it from the record."""

    def weigh(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from ask(Prompt("choice", "first", who, "Well?", choices("so"), (), "so"))
        yield Damaged("bob", "hp", 1 if play.by_gm else 2)
        yield from ask(Prompt("choice", "second", who, "And?", choices("so"), (), "so"))

    weighing = {**TOY.actions, "weigh": Action("weigh", procedure=weigh, interjection=True)}
    spec = Spec(replace(TOY, actions=weighing)).given(ANN, BOB, declare=False).begin()
    if hand == "order":
        spec.orders("ann", StandingOrder("first", "so"))
    spec.do(Act("ann", "weigh"), by=by)
    if hand == "own":
        spec.do(Reply("ann:2", "so"), by=by)
    assert spec.open() == [("choice", "second", "ann")]
    assert spec.event(Damaged).amount == (1 if by is GM and hand == "own" else 2)
