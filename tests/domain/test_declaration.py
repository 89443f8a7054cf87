"""Test declared actions, their refusals and their rule cards."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import Struct

from domain.engine.refusals import refusals
from domain.errors import Illegal
from domain.rulebook.action import Action
from domain.rulebook.declaration import Act, Refusal, declared
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.rules import Cards
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec


class Leap(Struct, frozen=True, forbid_unknown_fields=True):
    to: int = 0
    path: tuple[int, ...] = ()


def leaping(*checks: Refusal) -> tuple[Action, Cards]:
    """Return an action with these refusals and without effect, and its rule cards."""
    cards = Cards("TOY", "JMP")

    @declared(
        cards, "leap", "Leap", Leap, cost="none", category="move",
        rules={"TOY-JMP-01": "A leap"}, also=("TOY-01",), refusals=checks,
    )  # fmt: skip
    def leap(act: Act[Leap]) -> Procedure[None]:
        yield from ()

    return leap, cards


def refused(action: Action, **inputs: Any) -> list[Illegal]:
    """Return every refusal of Ann's action."""
    spec = Spec(replace(TOY, actions={**TOY.actions, action.id: action}))
    play = Play(spec.ruleset, spec.given(ANN, BOB, declare=False).begin().combat)
    return list(refusals(play, "ann", action, Leap(**inputs), play))


SHORT = Refusal(
    "TOY-01", "too-short", "{actor} leaps {far}",
    lambda act: act.inputs.to < 2 and {"far": act.inputs.to}, field=("path", "to"), last=True,
)  # fmt: skip
NEVER = Refusal("TOY-02", "never", "nobody leaps", lambda act: True)


def test_a_refusal_names_rule_code_sentence_and_field() -> None:
    action, _ = leaping(SHORT, NEVER)
    (short,) = refused(action, to=1)
    assert (short.rule, short.code, short.detail) == ("TOY-01", "too-short", "ann leaps 1")
    assert short.pointer == "/inputs/to"


def test_of_two_fields_the_one_that_is_given_is_at_fault() -> None:
    action, _ = leaping(SHORT)
    (short,) = refused(action, path=(1,))
    assert short.pointer == "/inputs/path"


def test_after_the_last_one_nothing_is_asked() -> None:
    action, _ = leaping(SHORT, NEVER)
    assert [refusal.code for refusal in refused(action, to=1)] == ["too-short"]
    assert [refusal.code for refusal in refused(action, to=5)] == ["never"]


def test_an_action_has_the_rules_of_its_cards_and_those_that_it_names() -> None:
    action, cards = leaping()
    assert action.rules == ("TOY-JMP-01", "TOY-01")
    (rule,) = cards.rules
    assert (rule.id, rule.summary) == ("TOY-JMP-01", "A leap")
    assert rule.code.endswith("test_declaration.leap")


def test_cards_stand_in_the_order_of_the_book() -> None:
    cards = Cards("TOY", "SEE HEAR")
    for id in ("TOY-HEAR-01", "TOY-SEE-10", "TOY-SEE-02"):
        cards.rule(id, "a rule")(leaping)
    assert [rule.id for rule in cards.rules] == ["TOY-SEE-02", "TOY-SEE-10", "TOY-HEAR-01"]


def test_a_small_book_needs_no_sections() -> None:
    cards = Cards("TOY")
    for id in ("TOY-02", "TOY-01"):
        cards.rule(id, "a rule")(leaping)
    assert [rule.id for rule in cards.rules] == ["TOY-01", "TOY-02"]


@pytest.mark.parametrize("id", ["TOY-FEEL-01", "GAME-SEE-01", "TOY-01"])
def test_a_card_of_no_section_is_refused(id: str) -> None:
    with pytest.raises(ValueError, match="no section"):
        Cards("TOY", "SEE HEAR").rule(id, "a rule", "somewhere.code")


def test_a_rule_has_one_place() -> None:
    cards = Cards("TOY", "SEE")
    cards.rule("TOY-SEE-01", "a rule", "somewhere.code")
    with pytest.raises(ValueError, match=r"somewhere\.code"):
        cards.rule("TOY-SEE-01", "the same rule", "elsewhere.code")
